#include "../library/output.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

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

static void much(struct output *output) {
    for (int line = 0; line < 100000; line++) output_print(output, "%d\n", line);
    output_commit(output);
}

// More than may be written: the file ends where the disk would.
static void full_disk(const void *path) {
    struct rlimit most = {10000, 10000};
    struct output output;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &most);
    output_open(&output, path);
    much(&output);
}

static void full_device(const void *path) {
    struct output output;
    output_open(&output, path);
    much(&output);
}

static bool is_device(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISCHR(status.st_mode);
}

static void devices_stay_devices(void) {
    struct output output;
    output_discard("/dev/null");
    output_open(&output, "/dev/null");
    output_print(&output, "gone");
    output_commit(&output);
    CHECK(is_device("/dev/null"));
    if (!is_device("/dev/full")) return;
    CHECK(fails_with(full_device, "/dev/full", "/dev/full cannot be written: No space left"));
    CHECK(is_device("/dev/full"));
}

static void links_are_followed(const char *path) {
    char link_path[120];
    struct stat status;
    struct output output;
    snprintf(link_path, sizeof link_path, "%s.link", path);
    CHECK(symlink(path, link_path) == 0);
    output_open(&output, link_path);
    output_print(&output, "new");
    output_commit(&output);
    CHECK(lstat(link_path, &status) == 0 && S_ISLNK(status.st_mode));
    CHECK(stat(path, &status) == 0 && status.st_size == 3);
    output_discard(link_path);
    CHECK(access(path, F_OK) != 0);
    unlink(link_path);
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
    CHECK(fails_with(full_disk, path, "cannot be written: File too large"));
    CHECK(files() == 1); // that of before
    links_are_followed(path);
    devices_stay_devices();
    CHECK(files() == 0);
    rmdir(folder);
    CHECK(fails_with(cannot_be_written, "/nowhere/at/all", "/nowhere/at/all cannot be written: No such"));
    return 0;
}
