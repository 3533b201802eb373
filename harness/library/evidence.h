// What else had the CPUs: records of the kernel's scheduler, where it lets this process have them, and
// of busy work that was held up. What a reader may put down to the machine rests on these alone.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "output.h"

#ifdef __cplusplus
extern "C" {
#endif

struct evidence; // of one run

// Records context switches on these CPUs from now on; where that cannot be, the result says why.
struct evidence *evidence_begin(const int *cpus, int count);
// Ends the recording. The threads of this process have to be alive: what they did is no evidence.
void evidence_end(struct evidence *evidence);
// Busy work of the calling thread on a CPU did not go on, though the kernel says that it ran.
void evidence_held_up(struct evidence *evidence, int cpu, int64_t begin, int64_t end);
// What there is, and each record, less the first release's time. No records of an incomplete recording.
void evidence_write(struct evidence *evidence, struct output *output, int64_t start);
void evidence_destroy(struct evidence *evidence);

// Who is of this process: by thread, or by name as what has ended has left no number.
typedef bool evidence_own(const void *context, int pid, const char *name);
typedef void evidence_see(void *context, int64_t begin, int64_t end, const char *name);
// Reads the kernel's text of one CPU's context switches; returns how many there are. Of times that
// are rounded to 1 us a record is never too long.
long evidence_parse(FILE *text, evidence_own *own, const void *whose, evidence_see *see, void *context);

#ifdef __cplusplus
}
#endif
