// What the machine is, and what about it makes results untrustworthy. Every result file carries it.
#pragma once
#include <stdbool.h>

#include "output.h"

enum { MACHINE_LINES = 24, MACHINE_WARNINGS = 16 };

struct machine {
    char facts[MACHINE_LINES][240]; // "key: value"
    int fact_count;
    char warnings[MACHINE_WARNINGS][240];
    int warning_count;
    char cpus[200];         // measured on
    long long stolen_ticks; // of these CPUs by the host, up to the inspection
    char meanwhile[240];    // what happened since
};

// `cpus` are those that will be measured on; none: all.
void machine_inspect(struct machine *machine, const int *cpus, int cpu_count);
// What happened to the measured CPUs since the inspection; call it before each writing.
void machine_update(struct machine *machine);
void machine_warn(struct machine *machine, const char *format, ...) FORMAT_PRINTF(2, 3);
void machine_print_warnings(const struct machine *machine); // to stderr
void machine_write(const struct machine *machine, struct output *output, const char *prefix);
bool cpu_isolated(int cpu);
