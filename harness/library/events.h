// What can be seen of a message and of a job, and who is told.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum event_kind {
    EVENT_RELEASE,   // a job is released; its time is the planned one for timers
    EVENT_START,     // the job begins to run
    EVENT_TAKE,      // the job reads a message
    EVENT_PUBLISH,   // the job calls write
    EVENT_ENQUEUE,   // asynchronous: write has returned
    EVENT_SEND,      // a thread takes the sample up to send it
    EVENT_SENT,      // the last datagram of the last copy has left
    EVENT_RECEIVE,   // the listener has the last part of the message
    EVENT_CALLBACK,  // the subscriber's callback begins
    EVENT_DELIVERED, // the listener has finished with the message
    EVENT_COMPLETE,  // the job has finished
    EVENT_FOLLOW,    // the job is released by a completed job of another thread
    EVENT_DROP,      // a message was lost to a full queue
    EVENT_DEMOTED,   // the watchdog lowered the thread's priority
    EVENT_PART,      // a datagram of a sample has left that is not its last
    EVENT_KINDS
};

enum { NOBODY = 0xFFFF };
// Messages from this number on warm up: they are not delivered, and observers count them not;
// each thread of a middleware tells of one before all others, so that observers can make ready.
enum { WARM_UP = 0x7F000000 };

struct event {
    int64_t time;    // CLOCK_MONOTONIC
    int64_t cpu;     // processor time of the thread that saw it
    int64_t busy;    // sent, delivered: how long the thread was at this message, all parts together
    int64_t idle;    // of it, how long the thread did not run: preempted, blocked or stopped
    uint32_t waits;  // how often the thread that saw it has given the CPU away so far …
    uint32_t stops;  // … and how often it was taken from it
    uint32_t number; // of the message among those of its writer, from 0
    uint32_t job;    // of the thread, from 0
    uint16_t who;    // the thread of the plan that did it
    uint16_t topic, writer, reader;
    uint8_t kind;
};

extern const char *const event_names[EVENT_KINDS];

// Called in the thread that did it, possibly with urgent priority: must be short and not block.
struct observer {
    void (*see)(void *context, const struct event *event);
    void *context;
};

#ifdef __cplusplus
}
#endif
