#include "lag.h"

#include <string.h>

#include "../library/clock.h"
#include "../library/stop.h"

const char *const scheduling_names[SCHEDULINGS] = {"default", "fifo", "pinned", "isolated"};

struct run {
    const struct lag_setting *setting;
    struct lag_result *result;
};

static void *body(void *argument) {
    struct run *run = argument;
    const struct lag_setting *setting = run->setting;
    struct lag_result *result = run->result;
    struct lag_controller controller = setting->controller;
    bool fifo = setting->scheduling != SCHEDULING_DEFAULT;
    bool pinned = setting->scheduling >= SCHEDULING_PINNED;
    take_place((struct place){pinned ? setting->cpu : -1, fifo ? setting->priority : 0});
    int64_t work = (int64_t)((double)setting->period * setting->utilisation / 100);
    int64_t first = now_ns() + setting->period + 1000000, before = 0;
    for (int64_t i = 0; i < setting->samples && !stopped(); i++) {
        if (i > 1 && before - first > setting->longest) break;
        int64_t requested = first + i * setting->period;
        controller_wait(&controller, requested);
        int64_t start = now_ns();
        int64_t lag = start - requested;
        struct context context = {.time = requested - first, .number = i};
        histogram_add(&result->lag, lag, context);
        result->below_10us += lag < 10000;
        result->below_20us += lag < 20000;
        if (i) {
            int64_t off = start - before - setting->period;
            if (off < 0) off = -off;
            histogram_add(&result->jitter, off, context);
            result->near_10us += off <= 10000;
            result->near_15us += off <= 15000;
            result->near_30us += off <= 30000;
        }
        before = start;
        int64_t cpu = thread_used_ns();
        if (work) burn_cpu_ns(work);
        int64_t stop = now_ns() - start - (thread_used_ns() - cpu);
        if (stop > result->longest_stop) result->longest_stop = stop;
    }
    result->complete = !stopped();
    return NULL;
}

void measure_lag(const struct lag_setting *setting, struct lag_result *result) {
    struct run run = {setting, result};
    memset(result, 0, sizeof *result);
    pthread_join(start_thread(body, &run), NULL);
}
