#include "output.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint32_t g_table[256];
static pthread_once_t g_table_once = PTHREAD_ONCE_INIT;

static void fill_table(void) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++) value = value & 1 ? 0xEDB88320u ^ (value >> 1) : value >> 1;
        g_table[i] = value;
    }
}

uint32_t crc32_of(uint32_t before, const void *data, unsigned long size) {
    pthread_once(&g_table_once, fill_table);
    const unsigned char *bytes = data;
    uint32_t value = ~before;
    for (unsigned long i = 0; i < size; i++) value = g_table[(value ^ bytes[i]) & 255] ^ (value >> 8);
    return ~value;
}

// A link is followed: what it names is written, as every other program would.
static void resolve(const char *path, char *place, size_t size) {
    char *found = realpath(path, NULL);
    if (strlen(found ? found : path) >= size) fail("the path is too long: %.60s…", path);
    strcpy(place, found ? found : path);
    free(found);
}

// A device or a pipe is written as it is: a file in its place would not be what was asked for.
static bool is_special(const char *place) {
    struct stat status;
    return stat(place, &status) == 0 && !S_ISREG(status.st_mode);
}

void output_discard(const char *path) {
    char place[4096];
    resolve(path, place, sizeof place);
    if (is_special(place)) return;
    if (unlink(place) && errno != ENOENT) fail("%s cannot be written: %s", path, strerror(errno));
}

void output_open(struct output *output, const char *path) {
    memset(output, 0, sizeof *output);
    resolve(path, output->path, sizeof output->path);
    output->direct = is_special(output->path);
    snprintf(output->temporary, sizeof output->temporary, "%s.%d.tmp", output->path, (int)getpid());
    output->stream = fopen(output->direct ? output->path : output->temporary, "w");
    if (!output->stream) fail("%s cannot be written: %s", path, strerror(errno));
}

void output_print(struct output *output, const char *format, ...) {
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (size >= (int)sizeof text) size = (int)sizeof text - 1;
    if (size <= 0) return;
    output->checksum = crc32_of(output->checksum, text, (unsigned long)size);
    output->bytes += (uint64_t)size;
    if (fwrite(text, 1, (size_t)size, output->stream) != (size_t)size && !output->error)
        output->error = errno;
}

void output_end_mark(struct output *output, uint64_t records, const char *more) {
    uint32_t checksum = output->checksum;
    output_print(output, "# end records=%llu%s%s crc32=%08x\n", (unsigned long long)records,
                 more && *more ? " " : "", more ? more : "", checksum);
}

static void remove_temporary(const struct output *output) {
    if (!output->direct) unlink(output->temporary);
}

void output_commit(struct output *output) {
    int error = output->error;
    if (!error && (fflush(output->stream) || (!output->direct && fsync(fileno(output->stream)))))
        error = errno;
    if (fclose(output->stream) && !error) error = errno;
    output->stream = NULL;
    if (!error && !output->direct && rename(output->temporary, output->path)) error = errno;
    if (!error) return;
    remove_temporary(output);
    fail("%s cannot be written: %s", output->path, strerror(error));
}

void output_abandon(struct output *output) {
    if (!output->stream) return;
    fclose(output->stream);
    output->stream = NULL;
    remove_temporary(output);
}
