#include "realtime.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "failure.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

// The kernel's own layout; the C library of Debian 12 has no wrapper.
struct deadline_attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

static cpu_set_t g_usable;
static pthread_once_t g_usable_once = PTHREAD_ONCE_INIT;

static void find_usable(void) {
    if (sched_getaffinity(getpid(), sizeof g_usable, &g_usable)) CPU_SET(0, &g_usable);
}

int cpu_count(void) {
    pthread_once(&g_usable_once, find_usable);
    return CPU_COUNT(&g_usable);
}

bool cpu_usable(int cpu) {
    pthread_once(&g_usable_once, find_usable);
    return cpu >= 0 && cpu < CPU_SETSIZE && CPU_ISSET(cpu, &g_usable);
}

int nth_usable_cpu(int n) {
    n %= cpu_count();
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (cpu_usable(cpu) && n-- == 0) return cpu;
    return 0;
}

int thread_id(void) { return (int)syscall(SYS_gettid); }

bool may_realtime(void) {
    struct sched_param parameters = {.sched_priority = 1};
    struct sched_param before;
    int policy = sched_getscheduler(0);
    sched_getparam(0, &before);
    if (sched_setscheduler(0, SCHED_FIFO, &parameters)) return false;
    sched_setscheduler(0, policy, &before);
    return true;
}

bool take_place(struct place place) {
    bool ok = true;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (place.cpu >= 0) {
        CPU_SET(place.cpu, &set);
        ok = pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0;
    } else {
        cpu_count();
        pthread_setaffinity_np(pthread_self(), sizeof g_usable, &g_usable);
    }
    struct sched_param parameters = {.sched_priority = place.priority};
    int policy = place.priority > 0 ? SCHED_FIFO : SCHED_OTHER;
    return pthread_setschedparam(pthread_self(), policy, &parameters) == 0 && ok;
}

bool take_deadline(int64_t runtime, int64_t deadline, int64_t period) {
    struct deadline_attributes attributes = {
        .size = sizeof attributes, .policy = 6 /* SCHED_DEADLINE */, .runtime = (uint64_t)runtime,
        .deadline = (uint64_t)deadline, .period = (uint64_t)period};
    return syscall(SYS_sched_setattr, 0, &attributes, 0) == 0;
}

bool demote(int tid) {
    struct sched_param parameters = {0};
    return sched_setscheduler(tid, SCHED_OTHER, &parameters) == 0;
}

void lift_others(int priority) {
    struct sched_param parameters = {.sched_priority = priority};
    DIR *tasks = may_realtime() ? opendir("/proc/self/task") : NULL;
    for (struct dirent *entry; tasks && (entry = readdir(tasks));) {
        int tid = atoi(entry->d_name);
        if (tid > 0 && tid != thread_id() && sched_getscheduler(tid) == SCHED_OTHER)
            sched_setscheduler(tid, SCHED_FIFO, &parameters);
    }
    if (tasks) closedir(tasks);
}

bool lock_memory(void) {
    if (SANITIZED) return false;
    struct rlimit limit;
    if (geteuid() != 0 && getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        return false; // a limit would make later allocations fail
    return mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
}

pthread_t start_thread(void *(*body)(void *), void *argument) {
    pthread_t thread;
    int error = pthread_create(&thread, NULL, body, argument);
    if (error) fail("a thread cannot be started: %s", strerror(error));
    return thread;
}

void init_mutex(pthread_mutex_t *mutex) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

void init_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}
