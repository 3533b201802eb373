#include "clock.h"

#include <errno.h>
#include <time.h>
#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

#include "stop.h"

static double g_loops_per_us;

static int64_t read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

int64_t now_ns(void) { return read_clock(CLOCK_MONOTONIC); }

int64_t thread_cpu_ns(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

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

// Nine tenths of what is left are looped without looking; so the clock is read a few times only,
// and the last look is at most a microsecond late.
void burn_cpu_ns(int64_t ns) {
    int64_t end = thread_cpu_ns() + ns;
    int64_t left = ns;
    while (left > 0 && !stopped()) {
        int64_t most = 10000000; // look again at least each 10 ms
        int64_t part = left > most ? most : left;
        int64_t loops = (int64_t)((double)part * g_loops_per_us * 0.0009);
        loop(loops > 0 ? loops : 1);
        left = end - thread_cpu_ns();
    }
}
