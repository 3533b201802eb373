// Cyclone DDS. It has no flow controllers: write() sends in the publisher's thread. Each listener
// and each publishing thread is a domain of its own, so that messages take the network's way; on the
// wire they are one domain. The receive thread calls the subscriber (synchronous delivery).
#include <dds/dds.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../library/clock.h"
#include "../../library/failure.h"
#include "../../library/stop.h"
#include "../middleware.h"

struct payload {
    uint32_t number;
    uint32_t writer;
    dds_sequence_t bytes;
};

static const uint32_t payload_operations[] = {
    DDS_OP_ADR | DDS_OP_TYPE_4BY, offsetof(struct payload, number),
    DDS_OP_ADR | DDS_OP_TYPE_4BY, offsetof(struct payload, writer),
    DDS_OP_ADR | DDS_OP_TYPE_SEQ | DDS_OP_SUBTYPE_1BY, offsetof(struct payload, bytes),
    DDS_OP_RTS};

static const dds_topic_descriptor_t payload_descriptor = {
    .m_size = sizeof(struct payload), .m_align = _Alignof(struct payload), .m_typename = "payload",
    .m_nops = 4, .m_ops = payload_operations, .m_meta = ""};

enum { MOST_DOMAINS = 64, MOST_THREADS = 64, PAYLOAD_NUMBERS = 12 };

struct cyclone_reader {
    struct world *world;
    uint16_t index;
    dds_entity_t entity;
    atomic_uint warmed;
    atomic_int matched;
};

struct world {
    struct network network;
    dds_entity_t domains[MOST_DOMAINS], participants[MOST_DOMAINS];
    int keys[MOST_DOMAINS]; // a listener's index, or 1000 + a thread's number
    int domain_count;
    dds_entity_t *writers;
    struct payload *payloads;
    struct cyclone_reader *readers;
    atomic_int tids[MOST_THREADS];
    atomic_int tid_count;
};

static _Thread_local bool t_arranged;

static void arrange(struct world *world, struct place place) {
    if (t_arranged) return;
    t_arranged = true;
    take_place(place);
    int slot = atomic_fetch_add(&world->tid_count, 1);
    if (slot < MOST_THREADS) atomic_store(&world->tids[slot], thread_id());
}

static void note(struct world *world, struct event event, enum event_kind kind) {
    event.kind = (uint8_t)kind;
    event.time = now_ns();
    event.cpu = thread_used_ns();
    thread_switches(&event.waits, &event.stops);
    tell(&world->network, &event);
}

static void on_data(dds_entity_t entity, void *argument) {
    struct cyclone_reader *self = argument;
    struct world *world = self->world;
    const struct reader_spec *spec = &world->network.readers[self->index];
    const struct listener_spec *listener = &world->network.listeners[spec->listener];
    arrange(world, listener->place);
    struct event event = {.who = listener->who, .topic = spec->topic, .reader = self->index};
    int64_t begin = now_ns(), begin_cpu = thread_cpu_ns();
    void *samples[1] = {NULL};
    dds_sample_info_t info;
    while (dds_take(entity, samples, &info, 1, 1) == 1) {
        const struct payload *payload = samples[0];
        struct message message = {(uint16_t)payload->writer, spec->topic, payload->number};
        bool ours = info.valid_data && payload->writer < (uint32_t)world->network.writer_count;
        dds_return_loan(entity, samples, 1);
        samples[0] = NULL;
        if (!ours) continue;
        event.writer = message.writer;
        event.number = message.number;
        note(world, event, EVENT_RECEIVE);
        note(world, event, EVENT_CALLBACK);
        if (message.number < WARM_UP)
            world->network.deliver(world->network.context, self->index, &message);
        else
            atomic_fetch_add(&self->warmed, 1);
        struct event done = event; // what Cyclone did before it called is only in the thread's time
        done.busy = now_ns() - begin;
        int64_t ran = thread_cpu_ns() - begin_cpu;
        done.idle = done.busy > ran ? done.busy - ran : 0;
        note(world, done, EVENT_DELIVERED);
    }
}

static void on_matched(dds_entity_t entity, const dds_subscription_matched_status_t status, void *argument) {
    (void)entity;
    atomic_store(&((struct cyclone_reader *)argument)->matched, (int)status.current_count);
}

static dds_entity_t participant(struct world *world, int key) {
    for (int i = 0; i < world->domain_count; i++)
        if (world->keys[i] == key) return world->participants[i];
    if (world->domain_count == MOST_DOMAINS) fail("more than %d Cyclone DDS domains", MOST_DOMAINS);
    char configuration[1200];
    int index = world->domain_count;
    snprintf(configuration, sizeof configuration,
             "<CycloneDDS><Domain id=\"any\"><General><Interfaces><NetworkInterface name=\"lo\" "
             "multicast=\"false\"/></Interfaces><AllowMulticast>false</AllowMulticast></General>"
             "<Discovery><ExternalDomainId>%d</ExternalDomainId><ParticipantIndex>auto"
             "</ParticipantIndex><MaxAutoParticipantIndex>%d</MaxAutoParticipantIndex><Peers><Peer "
             "address=\"127.0.0.1\"/></Peers></Discovery><Internal><SynchronousDeliveryLatencyBound>"
             "inf</SynchronousDeliveryLatencyBound></Internal></Domain></CycloneDDS>",
             1 + (int)getpid() % 200, MOST_DOMAINS);
    world->domains[index] = dds_create_domain((dds_domainid_t)index, configuration);
    if (world->domains[index] < 0)
        fail("Cyclone DDS made no domain: %s", dds_strretcode(-world->domains[index]));
    world->participants[index] = dds_create_participant((dds_domainid_t)index, NULL, NULL);
    if (world->participants[index] < 0)
        fail("Cyclone DDS made no participant: %s", dds_strretcode(-world->participants[index]));
    world->keys[index] = key;
    world->domain_count++;
    return world->participants[index];
}

static dds_entity_t topic(dds_entity_t owner, int index) {
    char name[64];
    snprintf(name, sizeof name, "ddsrta_%d_%d", (int)getpid(), index);
    dds_entity_t made = dds_create_topic(owner, &payload_descriptor, name, NULL, NULL);
    if (made < 0) fail("Cyclone DDS made no topic: %s", dds_strretcode(-made));
    return made;
}

static dds_qos_t *quality(const struct network *network, uint32_t history) {
    dds_qos_t *qos = dds_create_qos();
    dds_qset_reliability(qos, network->reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                         DDS_SECS(1));
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, (int32_t)history);
    return qos;
}

static void make_writer(struct world *world, int index) {
    const struct writer_spec *spec = &world->network.writers[index];
    const struct topic_spec *about = &world->network.topics[spec->topic];
    if (spec->controller >= 0)
        fail("Cyclone DDS has no flow controllers: only synchronous publications can run on it");
    dds_entity_t owner = participant(world, 1000 + spec->who);
    dds_qos_t *qos = quality(&world->network, about->history);
    world->writers[index] = dds_create_writer(owner, topic(owner, spec->topic), qos, NULL);
    dds_delete_qos(qos);
    struct payload *payload = &world->payloads[index];
    payload->writer = (uint32_t)index;
    payload->bytes._length = payload->bytes._maximum = about->size - PAYLOAD_NUMBERS;
    payload->bytes._buffer = allocate(1, about->size);
    memset(payload->bytes._buffer, 'd', about->size - PAYLOAD_NUMBERS);
}

static void make_reader(struct world *world, int index) {
    const struct reader_spec *spec = &world->network.readers[index];
    struct cyclone_reader *reader = &world->readers[index];
    reader->world = world;
    reader->index = (uint16_t)index;
    dds_entity_t owner = participant(world, spec->listener);
    dds_listener_t *listener = dds_create_listener(reader);
    dds_lset_data_available(listener, on_data);
    dds_lset_subscription_matched(listener, on_matched);
    dds_qos_t *qos = quality(&world->network, 16);
    reader->entity = dds_create_reader(owner, topic(owner, spec->topic), qos, listener);
    dds_delete_qos(qos);
    dds_delete_listener(listener);
}

static bool cyclone_write(struct world *world, uint16_t index, uint32_t number, uint32_t job) {
    const struct writer_spec *spec = &world->network.writers[index];
    struct event event = {.who = spec->who, .topic = spec->topic, .writer = index, .reader = NOBODY,
                          .number = number, .job = job};
    world->payloads[index].number = number;
    int64_t begin = now_ns(), begin_cpu = thread_cpu_ns();
    note(world, event, EVENT_SEND);
    bool written = dds_write(world->writers[index], &world->payloads[index]) == DDS_RETCODE_OK;
    event.busy = now_ns() - begin;
    int64_t ran = thread_cpu_ns() - begin_cpu;
    event.idle = event.busy > ran ? event.busy - ran : 0;
    note(world, event, EVENT_SENT);
    return written;
}

static void warm_up(struct world *world) {
    const struct network *network = &world->network;
    for (int round = 0; round < 1000 && !stopped(); round++) {
        bool ready = true;
        for (int r = 0; r < network->reader_count; r++) {
            int writers = 0;
            for (int w = 0; w < network->writer_count; w++)
                writers += network->writers[w].topic == network->readers[r].topic;
            struct cyclone_reader *reader = &world->readers[r];
            if (atomic_load(&reader->matched) < writers) ready = false;
            if (atomic_load(&reader->warmed) < 3u * (unsigned)writers) ready = false;
        }
        if (ready) return;
        for (int w = 0; w < network->writer_count; w++) cyclone_write(world, (uint16_t)w, WARM_UP, 0);
        usleep(10000);
    }
    if (!stopped()) fail("Cyclone DDS did not connect all writers and readers within 10 s");
}

static struct world *cyclone_open(const struct network *network) {
    struct world *world = allocate(1, sizeof *world);
    world->network = *network;
    world->writers = allocate((size_t)network->writer_count, sizeof *world->writers);
    world->payloads = allocate((size_t)network->writer_count, sizeof *world->payloads);
    world->readers = allocate((size_t)network->reader_count, sizeof *world->readers);
    for (int i = 0; i < network->writer_count; i++) make_writer(world, i);
    for (int i = 0; i < network->reader_count; i++) make_reader(world, i);
    warm_up(world);
    usleep(200000);
    return world;
}

static uint64_t cyclone_dropped(struct world *world) {
    (void)world;
    return 0; // it does not tell
}

static int cyclone_threads(struct world *world, int *tids, int most) {
    int count = 0;
    for (int i = 0; i < atomic_load(&world->tid_count) && i < MOST_THREADS && count < most; i++)
        tids[count++] = atomic_load(&world->tids[i]);
    return count;
}

static void cyclone_close(struct world *world) {
    for (int i = 0; i < world->domain_count; i++) dds_delete(world->domains[i]);
    for (int i = 0; i < world->network.writer_count; i++) free(world->payloads[i].bytes._buffer);
    free(world->writers);
    free(world->payloads);
    free(world->readers);
    free(world);
}

const struct middleware cyclone_middleware = {
    .name = "cyclone", .version = "Cyclone DDS " CYCLONE_VERSION, .has_controllers = false,
    .open = cyclone_open, .write = cyclone_write, .dropped = cyclone_dropped,
    .threads = cyclone_threads, .close = cyclone_close};
