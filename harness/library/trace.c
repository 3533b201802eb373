#include "trace.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

const char *const event_names[EVENT_KINDS] = {
    "release", "start",    "take",      "publish",  "enqueue", "send", "sent",
    "receive", "callback", "delivered", "complete", "follow",  "drop", "demoted", "part"};

struct buffer {
    struct buffer *next;
    atomic_size_t count;
    atomic_ullong dropped;
    struct event events[];
};

struct trace {
    _Atomic(struct buffer *) first;
    atomic_bool begun;
    size_t capacity;
    pthread_key_t key; // the calling thread's buffer
};

struct trace *trace_create(size_t events_per_thread) {
    struct trace *trace = allocate(1, sizeof *trace);
    trace->capacity = events_per_thread;
    if (pthread_key_create(&trace->key, NULL)) fail("no more thread keys");
    return trace;
}

void trace_begin(struct trace *trace) { atomic_store(&trace->begun, true); }

static struct buffer *new_buffer(struct trace *trace) {
    size_t size = sizeof(struct buffer) + trace->capacity * sizeof(struct event);
    struct buffer *buffer = allocate(1, size);
    memset(buffer->events, 1, trace->capacity * sizeof(struct event)); // no page faults later
    pthread_setspecific(trace->key, buffer);
    struct buffer *first = atomic_load(&trace->first);
    do buffer->next = first;
    while (!atomic_compare_exchange_weak(&trace->first, &first, buffer));
    return buffer;
}

void trace_make_ready(struct trace *trace) {
    if (!pthread_getspecific(trace->key)) new_buffer(trace);
}

void trace_see(void *context, const struct event *event) {
    struct trace *trace = context;
    struct buffer *buffer = pthread_getspecific(trace->key);
    if (!buffer) buffer = new_buffer(trace);
    if (!atomic_load_explicit(&trace->begun, memory_order_relaxed)) return;
    if (event->number >= WARM_UP) return;
    size_t count = atomic_load_explicit(&buffer->count, memory_order_relaxed);
    if (count == trace->capacity) {
        atomic_fetch_add_explicit(&buffer->dropped, 1, memory_order_relaxed);
        return;
    }
    buffer->events[count] = *event;
    atomic_store_explicit(&buffer->count, count + 1, memory_order_release);
}

uint64_t trace_dropped(const struct trace *trace) {
    uint64_t dropped = 0;
    for (struct buffer *b = atomic_load(&trace->first); b; b = b->next)
        dropped += atomic_load(&b->dropped);
    return dropped;
}

// Ties by kind: at one instant a message is sent before it is received.
static int by_time(const void *left, const void *right) {
    const struct event *a = left, *b = right;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return a->kind - b->kind;
}

struct event *trace_collect(const struct trace *trace, size_t *count) {
    size_t total = 0;
    for (struct buffer *b = atomic_load(&trace->first); b; b = b->next)
        total += atomic_load_explicit(&b->count, memory_order_acquire);
    struct event *events = allocate(total, sizeof *events);
    size_t used = 0;
    for (struct buffer *b = atomic_load(&trace->first); b; b = b->next) {
        size_t here = atomic_load_explicit(&b->count, memory_order_acquire);
        if (here > total - used) here = total - used;
        memcpy(events + used, b->events, here * sizeof *events);
        used += here;
    }
    qsort(events, used, sizeof *events, by_time);
    *count = used;
    return events;
}

void trace_destroy(struct trace *trace) {
    for (struct buffer *b = atomic_load(&trace->first), *next; b; b = next) {
        next = b->next;
        free(b);
    }
    pthread_key_delete(trace->key);
    free(trace);
}
