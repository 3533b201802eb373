// intact FILE…: whether result files are whole: their end mark is there and its checksum right.
#include "../library/output.h"

#include <stdlib.h>
#include <string.h>

static int is_intact(const char *path) {
    char line[4096];
    uint32_t checksum = 0;
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    int whole = 0;
    while (!whole && fgets(line, sizeof line, file)) {
        if (strncmp(line, "# end ", 6) == 0) {
            const char *mark = strstr(line, "crc32=");
            whole = mark && strtoul(mark + 6, NULL, 16) == checksum && strchr(line, '\n');
            break;
        }
        checksum = crc32_of(checksum, line, strlen(line));
    }
    whole = whole && fgetc(file) == EOF;
    fclose(file);
    return whole;
}

int main(int count, char **paths) {
    int good = count > 1;
    for (int i = 1; i < count; i++) {
        if (is_intact(paths[i])) continue;
        fprintf(stderr, "%s: cut off, changed or none of ours\n", paths[i]);
        good = 0;
    }
    return good ? 0 : 1;
}
