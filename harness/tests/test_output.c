#include "../library/output.h"

#include <dirent.h>
#include <fcntl.h>

#include "check.h"

static char folder[] = "/tmp/harness-output-XXXXXX";

static int files(void) {
    int count = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; (entry = readdir(directory));) count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static void cannot_be_written(const void *path) {
    struct output output;
    output_open(&output, path);
}

static void full_disk(const void *unused) {
    struct output output;
    (void)unused;
    output_open(&output, "/dev/full/x");
}

int main(void) {
    char path[100], text[200] = "";
    struct output output;
    CHECK(crc32_of(0, "123456789", 9) == 0xcbf43926); // the check value of CRC-32
    CHECK(crc32_of(crc32_of(0, "1234", 4), "56789", 5) == 0xcbf43926);
    CHECK(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/result.csv", folder);
    output_open(&output, path);
    output_print(&output, "a,%d\n", 1);
    CHECK(access(path, F_OK) != 0); // not before it is complete
    output_end_mark(&output, 1, "lost=0");
    output_commit(&output);
    CHECK(files() == 1);
    FILE *file = fopen(path, "r");
    CHECK(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    char wanted[100];
    snprintf(wanted, sizeof wanted, "a,1\n# end records=1 lost=0 crc32=%08x\n", crc32_of(0, "a,1\n", 4));
    CHECK(strcmp(text, wanted) == 0);
    output_open(&output, path);
    output_print(&output, "half");
    output_abandon(&output);
    CHECK(files() == 1);
    unlink(path);
    rmdir(folder);
    CHECK(fails_with(cannot_be_written, "/nowhere/at/all", "/nowhere/at/all cannot be written: No such"));
    CHECK(fails_with(full_disk, NULL, "cannot be written"));
    return 0;
}
