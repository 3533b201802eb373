// Two periodic tasks on one CPU under four ways of scheduling: which deadlines are missed.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "../library/histogram.h"

enum { TASKS = 2, SCENARIOS = 4 };

enum way {
    WAY_DECLARATION, // SCHED_FIFO, equal priorities: the task declared first is released first
    WAY_MONOTONIC,   // SCHED_FIFO, the shorter deadline more urgent
    WAY_EDF,         // SCHED_FIFO, priorities swapped at each release: the earlier deadline first
    WAY_DEADLINE,    // SCHED_DEADLINE
    WAYS
};
extern const char *const way_names[WAYS];

struct periodic_task {
    int64_t period, deadline, execution, offset;
};

struct scenario {
    const char *name;
    struct periodic_task tasks[TASKS]; // in the order of declaration
};
extern const struct scenario scenarios[SCENARIOS];

struct task_result {
    int64_t jobs, misses, first_miss; // the number of the job; -1: none
    struct histogram response;
};

struct periodic_result {
    struct task_result tasks[TASKS];
    bool complete;
    bool refused;   // the kernel did not allow this way
    bool one_cpu;   // both tasks were held on one CPU
};

void run_scenario(const struct scenario *scenario, enum way way, int cpu, int64_t duration,
                  struct periodic_result *result);
