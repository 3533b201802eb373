// How late a timer is, and how much its periods vary, at a utilisation.
#pragma once
#include <stdbool.h>

#include "../library/histogram.h"
#include "../library/realtime.h"
#include "controller.h"

enum scheduling { SCHEDULING_DEFAULT, SCHEDULING_FIFO, SCHEDULING_PINNED, SCHEDULING_ISOLATED, SCHEDULINGS };
extern const char *const scheduling_names[SCHEDULINGS];

struct lag_setting {
    int64_t period;
    double utilisation; // per cent of the period
    enum scheduling scheduling;
    struct lag_controller controller;
    int cpu, priority;
    int64_t samples;
    int64_t longest; // an overloaded run ends after this, with fewer samples
};

struct lag_result {
    struct histogram lag;    // start of the job after its instant
    struct histogram jitter; // distance between starts, off the period, either way
    int64_t below_10us, below_20us;       // lags
    int64_t near_10us, near_15us, near_30us; // periods
    int64_t longest_stop; // between two looks of the job at the clock: the thread did not run
    bool complete;
};

void measure_lag(const struct lag_setting *setting, struct lag_result *result);
