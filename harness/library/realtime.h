// Real-time threads. Nothing here fails without permission: it says so, once, and goes on.
#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct place {
    int cpu;      // -1: any
    int priority; // SCHED_FIFO 1 … 99; 0: the default policy
};

bool may_realtime(void);                // whether this process may use SCHED_FIFO
bool take_place(struct place place);    // the calling thread; false where a part was refused
bool take_deadline(int64_t runtime, int64_t deadline, int64_t period);
bool demote(int tid);                   // any thread, to the default policy
// All threads of this process that have the default policy, but the calling one, to this priority.
void lift_others(int priority);
bool lock_memory(void);                 // false under sanitizers, too: their shadow is too large
int thread_id(void);
int cpu_count(void);                    // CPUs that this process may use
bool cpu_usable(int cpu);
int nth_usable_cpu(int n);              // counted round and round
pthread_t start_thread(void *(*body)(void *), void *argument);
// Mutexes of the harness inherit priorities, so that an urgent thread waits for a critical section
// and not for whoever preempts the thread in it.
void init_mutex(pthread_mutex_t *mutex);
void init_condition(pthread_cond_t *condition); // on CLOCK_MONOTONIC

#ifdef __cplusplus
}
#endif
