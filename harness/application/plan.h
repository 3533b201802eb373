// The plan of a run: a system as numbers, line by line (harness/README.md defines the format).
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "../middleware/middleware.h"

enum { MOST_THINGS = 1024, MOST_LINE = 1024 };

enum activation { BY_TIMER, BY_ANY, BY_ALL };

struct plan_thread {
    char *name;
    int core, priority;
    int64_t wcet;
    enum activation activation;
    int64_t period, jitter; // of timers
};

struct plan_publication { // each is a writer
    int thread, topic;
    int controller; // or SYNCHRONOUS
    int count;
    int64_t earliest; // execution time before it; 0: at the job's end
    int reserved;     // per cent of its controller's limit
};

struct plan_subscription { // each is a reader
    int thread, topic, listener;
};

struct plan_following {
    int thread, predecessor;
};

struct plan_middleware { // a flow controller or listener
    char *name;
    int core, priority;
    enum policy policy;
    int32_t bytes, period_ms; // a controller's limit; 0: none
};

struct plan_topic {
    char *name;
    struct topic_spec spec;
};

struct plan {
    char *system;
    char *cores[MOST_THINGS];
    struct plan_topic topics[MOST_THINGS];
    struct plan_middleware controllers[MOST_THINGS], listeners[MOST_THINGS];
    struct plan_thread threads[MOST_THINGS];
    struct plan_publication publications[MOST_THINGS];
    struct plan_subscription subscriptions[MOST_THINGS];
    struct plan_following followings[MOST_THINGS];
    int core_count, topic_count, controller_count, listener_count, thread_count;
    int publication_count, subscription_count, following_count;
    uint32_t checksum; // of the file: a trace says which plan it ran
};

// Fails with file, line and reason.
struct plan *plan_read(const char *path);
void plan_free(struct plan *plan);
