// Result files: written to a temporary of the same folder and renamed when they are complete.
// What is no regular file (a device, a pipe) is written directly.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "failure.h"

struct output {
    FILE *stream;
    bool direct;
    int error; // of the first write that failed
    char path[4096]; // links followed
    char temporary[4160];
    uint32_t checksum; // CRC-32 of all that was written
    uint64_t bytes;
};

void output_discard(const char *path); // of an earlier call; not there is fine
void output_open(struct output *output, const char *path); // fails with a reason
void output_print(struct output *output, const char *format, ...) FORMAT_PRINTF(2, 3);
// A last line "# end records=N key=value crc32=X" that tells complete files from truncated ones.
void output_end_mark(struct output *output, uint64_t records, const char *more);
void output_commit(struct output *output);  // fails where the disk is full
void output_abandon(struct output *output); // leaves nothing behind
uint32_t crc32_of(uint32_t before, const void *data, unsigned long size);
