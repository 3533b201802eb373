// Plain threads carry every message once to each reader, in the order of the policy.
#include <stdatomic.h>

#include "../library/trace.h"
#include "../middleware/middleware.h"
#include "check.h"

static atomic_int delivered[4];
static struct trace *trace;

static void deliver(void *context, uint16_t reader, const struct message *message) {
    (void)context;
    (void)message;
    atomic_fetch_add(&delivered[reader], 1);
}

static const struct controller_spec controller = {1, {-1, 0}, POLICY_HIGH_PRIORITY, 0, 0};
static const struct listener_spec listeners[2] = {{2, {-1, 0}}, {3, {-1, 0}}};
static const struct topic_spec topics[2] = {{1500000, 0, 4}, {1000, -1, 100}};
static const struct writer_spec writers[2] = {{0, 0, SYNCHRONOUS, 0}, {0, 1, 0, 0}};
static const struct reader_spec readers[3] = {{4, 0, 0}, {4, 1, 0}, {5, 1, 1}};

static void wait_for(int reader, int count) {
    for (int i = 0; i < 300000 && atomic_load(&delivered[reader]) < count; i++) usleep(1000);
    CHECK(atomic_load(&delivered[reader]) == count);
}

static size_t count_events(const struct event *events, size_t count, enum event_kind kind, int writer) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) found += events[i].kind == kind && events[i].writer == writer;
    return found;
}

int main(void) {
    const struct middleware *udp = find_middleware("udp");
    trace = trace_create(10000);
    trace_begin(trace);
    struct network network = {&controller, listeners, topics, writers, readers, .controller_count = 1,
                              .listener_count = 2, .topic_count = 2, .writer_count = 2,
                              .reader_count = 3, .deliver = deliver, .observer = {trace_see, trace}};
    struct world *world = udp->open(&network);
    for (uint32_t i = 0; i < 5; i++) { // in many parts
        CHECK(udp->write(world, 0, i, i));
        wait_for(0, (int)i + 1);
    }
    for (uint32_t i = 0; i < 50; i++) CHECK(udp->write(world, 1, i, i));
    wait_for(1, 50);
    wait_for(2, 50);
    CHECK(udp->dropped(world) == 0);
    int tids[8];
    CHECK(udp->threads(world, tids, 8) == 3);
    udp->close(world);
    size_t count;
    struct event *events = trace_collect(trace, &count);
    CHECK(count_events(events, count, EVENT_SENT, 0) == 5);
    CHECK(count_events(events, count, EVENT_DELIVERED, 0) == 5);
    CHECK(count_events(events, count, EVENT_SEND, 1) == 50);
    CHECK(count_events(events, count, EVENT_DELIVERED, 1) == 100);
    for (size_t i = 0; i < count; i++) {
        const struct event *event = &events[i];
        if (event->kind == EVENT_DELIVERED) CHECK(event->busy > 0 && event->idle >= 0);
        if (event->kind == EVENT_SENT) CHECK(event->who == (event->writer ? 1 : 0));
    }
    free(events);
    trace_destroy(trace);
    return 0;
}
