// The one interface behind which a middleware carries messages from writers to readers.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../library/events.h"
#include "../library/realtime.h"

#ifdef __cplusplus
extern "C" {
#endif

enum policy { POLICY_FIFO, POLICY_HIGH_PRIORITY, POLICY_ROUND_ROBIN, POLICY_RESERVATION, POLICIES };
extern const char *const policy_names[POLICIES];

enum { SYNCHRONOUS = -1, LEAST_SIZE = 32 };

struct message {
    uint16_t writer;
    uint16_t topic;
    uint32_t number; // among those of its writer
};

struct controller_spec {
    uint16_t who; // the thread's number in events
    struct place place;
    enum policy policy;
    int32_t bytes;     // at most, in each …
    int32_t period_ms; // … period; 0: no limit
};

struct listener_spec {
    uint16_t who;
    struct place place;
};

struct topic_spec {
    uint32_t size;
    int priority; // the smaller the more urgent
    uint32_t history;
};

struct writer_spec {
    uint16_t who; // the publishing thread
    uint16_t topic;
    int controller; // its index, or SYNCHRONOUS
    int reserved;   // per cent of its controller's limit
};

struct reader_spec {
    uint16_t who; // the subscribing thread
    uint16_t topic;
    uint16_t listener;
};

struct network {
    const struct controller_spec *controllers;
    const struct listener_spec *listeners;
    const struct topic_spec *topics;
    const struct writer_spec *writers;
    const struct reader_spec *readers;
    bool reliable; // where the middleware knows the difference
    bool one_participant; // Fast DDS: all writers share one, and so one send mutex
    int controller_count, listener_count, topic_count, writer_count, reader_count;
    // Called in the listener's thread.
    void (*deliver)(void *context, uint16_t reader, const struct message *message);
    void *context;
    struct observer observer;
};

struct world; // a running network

struct middleware {
    const char *name;
    const char *version;
    bool has_controllers; // threads that send asynchronously
    bool has_limits;      // of bandwidth, and reservations
    // Starts all threads and connects all ends; fails with a reason where it cannot.
    struct world *(*open)(const struct network *network);
    // Called by one thread for each writer. False where the message was refused.
    bool (*write)(struct world *world, uint16_t writer, uint32_t number, uint32_t job);
    uint64_t (*dropped)(struct world *world); // messages lost to full queues, as far as known
    int (*threads)(struct world *world, int *tids, int most);
    void (*close)(struct world *world);
};

extern const struct middleware *const middlewares[]; // those built in; ends with NULL
const struct middleware *find_middleware(const char *name); // fails with the list of names

// Shared by the middlewares: tells the observer.
void tell(const struct network *network, struct event *event);

#ifdef __cplusplus
}
#endif
