#include <pthread.h>

#include "../library/trace.h"
#include "check.h"

enum { THREADS = 4, EACH = 1000 };

static struct trace *trace;

static void *many(void *argument) {
    uint16_t who = (uint16_t)(uintptr_t)argument;
    for (uint32_t i = 0; i < EACH + 10; i++) {
        struct event event = {.time = (int64_t)i * THREADS + who, .who = who, .number = i};
        trace_see(trace, &event);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    size_t count;
    trace = trace_create(EACH);
    struct event early = {.time = 1};
    trace_see(trace, &early); // before it begins
    trace_begin(trace);
    for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, many, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    CHECK(trace_dropped(trace) == THREADS * 10);
    struct event *events = trace_collect(trace, &count);
    CHECK(count == THREADS * EACH);
    for (size_t i = 0; i < count; i++) CHECK(events[i].time == (int64_t)i); // in order of time
    free(events);
    trace_destroy(trace);
    return 0;
}
