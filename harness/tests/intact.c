// intact [--run] FILE…: whether result files are whole: their end mark is there and its checksum right;
// --run: and whether they are of a run that went on to its planned end and saw anything.
#include "../library/output.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct seen {
    bool whole, as_planned;
    unsigned long records;
};

static struct seen look(const char *path) {
    char line[4096];
    struct seen seen = {0};
    uint32_t checksum = 0;
    FILE *file = fopen(path, "r");
    if (!file) return seen;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "# end ", 6) == 0) {
            const char *mark = strstr(line, "crc32="), *records = strstr(line, "records=");
            seen.whole = mark && strtoul(mark + 6, NULL, 16) == checksum && strchr(line, '\n');
            seen.records = records ? strtoul(records + 8, NULL, 10) : 0;
            break;
        }
        seen.as_planned |= strcmp(line, "# ended: as planned\n") == 0;
        checksum = crc32_of(checksum, line, strlen(line));
    }
    seen.whole = seen.whole && fgetc(file) == EOF;
    fclose(file);
    return seen;
}

int main(int count, char **paths) {
    bool of_run = count > 1 && strcmp(paths[1], "--run") == 0;
    int first = of_run ? 2 : 1;
    int good = count > first;
    for (int i = first; i < count; i++) {
        struct seen seen = look(paths[i]);
        bool ended = !of_run || (seen.as_planned && seen.records);
        if (seen.whole && ended) continue;
        fprintf(stderr, "%s: %s\n", paths[i],
                seen.whole ? "of a run that was ended early" : "cut off, changed or none of ours");
        good = 0;
    }
    return good ? 0 : 1;
}
