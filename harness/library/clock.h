// Time: the monotonic clock, a thread's own processor time, the time stamp counter, busy work.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NS_PER_SECOND 1000000000LL

int64_t now_ns(void);                 // CLOCK_MONOTONIC
int64_t thread_cpu_ns(void);          // processor time of the calling thread
// The same less what was taken from the thread unseen, as far as its busy work shows: a virtual
// machine's host, or an interrupt. Events carry this one.
int64_t thread_used_ns(void);
// Context switches of the calling thread: those it asked for (it waited), those it did not.
void thread_switches(uint32_t *waits, uint32_t *stops);
uint64_t tsc(void);                   // 0 where the processor has none that we can read
double tsc_ghz(void);                 // measured against the monotonic clock; 0 where there is none
void sleep_until_ns(int64_t instant); // may return early when a signal comes

// Busy work is calibrated once, in loops per microsecond, the fastest of several runs: a slow run
// of the calibration would make all later work too long.
void calibrate(void);
double loops_per_us(void);
// Tells of busy work of the calling thread that did not go on for a while, though the kernel says that
// it ran: at most from when to when.
void watch_hold_ups(void (*see)(void *context, int64_t begin, int64_t end), void *context);
// Works until the calling thread has used `ns` more processor time; what preempts it adds nothing.
// An interrupt ends it early.
void burn_cpu_ns(int64_t ns);

#ifdef __cplusplus
}
#endif
