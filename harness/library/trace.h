// Buffers of events, one for each thread and written by it alone; read when all have ended.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "events.h"

#ifdef __cplusplus
extern "C" {
#endif

struct trace; // all buffers of one run

struct trace *trace_create(size_t events_per_thread);
// Events are kept from now on; before, they are ignored.
void trace_begin(struct trace *trace);
// Makes the calling thread's buffer ahead of its first event.
void trace_make_ready(struct trace *trace);
// Adds to the calling thread's buffer, which is made at its first call.
void trace_see(void *trace, const struct event *event);
uint64_t trace_dropped(const struct trace *trace); // events that found no room
// All events in order of time. The caller frees them.
struct event *trace_collect(const struct trace *trace, size_t *count);
void trace_destroy(struct trace *trace);

#ifdef __cplusplus
}
#endif
