#include "clock.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>
#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

#include "stop.h"

static double g_loops_per_us;
static _Thread_local int64_t t_taken; // processor time in which the busy loop did not go on

static _Thread_local void (*t_see_hold_up)(void *context, int64_t begin, int64_t end);
static _Thread_local void *t_context;

static int64_t read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

int64_t now_ns(void) { return read_clock(CLOCK_MONOTONIC); }

int64_t thread_cpu_ns(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

int64_t thread_used_ns(void) { return thread_cpu_ns() - t_taken; }

void thread_switches(uint32_t *waits, uint32_t *stops) {
    struct rusage usage = {0};
    getrusage(RUSAGE_THREAD, &usage);
    *waits = (uint32_t)usage.ru_nvcsw;
    *stops = (uint32_t)usage.ru_nivcsw;
}

uint64_t tsc(void) {
#if defined(__x86_64__) || defined(__i386__)
    return __rdtsc();
#else
    return 0;
#endif
}

double tsc_ghz(void) {
    uint64_t ticks = tsc();
    int64_t begin = now_ns();
    int64_t end = begin;
    while (end - begin < 2000000) end = now_ns();
    return (double)(tsc() - ticks) / (double)(end - begin);
}

void sleep_until_ns(int64_t instant) {
    struct timespec t = {instant / NS_PER_SECOND, instant % NS_PER_SECOND};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void loop(int64_t count) {
    for (volatile int64_t i = 0; i < count; i = i + 1) {
    }
}

void calibrate(void) {
    enum { RUNS = 20, LOOPS = 200000 };
    for (int run = 0; run < RUNS; run++) {
        int64_t begin = thread_cpu_ns();
        loop(LOOPS);
        int64_t taken = thread_cpu_ns() - begin;
        double rate = taken > 0 ? LOOPS * 1000.0 / (double)taken : 0;
        if (rate > g_loops_per_us) g_loops_per_us = rate;
    }
}

double loops_per_us(void) { return g_loops_per_us; }

void watch_hold_ups(void (*see)(void *context, int64_t begin, int64_t end), void *context) {
    t_see_hold_up = see;
    t_context = context;
}

// `taken` of processor time since `before`, which was at `begin`.
static void tell_of_hold_up(int64_t begin, int64_t taken) {
    t_taken += taken;
    int64_t end = now_ns();
    if (t_see_hold_up) t_see_hold_up(t_context, end - taken > begin ? end - taken : begin, end);
}

// Nine tenths of what is left, 20 us at most, are looped without looking. A part that takes more
// than twice its time, and 5 us more, was held up.
void burn_cpu_ns(int64_t ns) {
    enum { MOST = 20000, SLACK = 5000 };
    int64_t now = thread_cpu_ns(), end = now + ns;
    while (now < end && !stopped()) {
        int64_t part = end - now > MOST ? MOST : (end - now) * 9 / 10;
        int64_t loops = (int64_t)((double)part * g_loops_per_us / 1000);
        int64_t before = now, begin = now_ns();
        loop(loops > 0 ? loops : 1);
        now = thread_cpu_ns();
        if (now - before > 2 * part + SLACK) tell_of_hold_up(begin, now - before - part);
    }
}
