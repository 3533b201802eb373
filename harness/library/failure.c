#include "failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void print(const char *kind, const char *format, va_list arguments) {
    fprintf(stderr, "%s: %s: ", program_invocation_short_name, kind);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

_Noreturn void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print("error", format, arguments);
    va_end(arguments);
    exit(EXIT_INPUT);
}

void warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print("warning", format, arguments);
    va_end(arguments);
}

void *allocate(unsigned long count, unsigned long size) {
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory) fail("out of memory: %lu times %lu bytes; ask for fewer samples", count, size);
    return memory;
}
