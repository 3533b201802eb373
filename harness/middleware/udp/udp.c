// Plain threads that follow the ten rules: a flow controller sends samples one by one, all copies
// of one before the next; a listener handles messages in the order of their arrival; a synchronous
// write sends in the publisher's own thread.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../library/clock.h"
#include "../../library/failure.h"
#include "../middleware.h"
#include "queue.h"
#include "wire.h"

struct assembly { // what has come of the newest message of a writer for a reader
    uint32_t number, received;
    int64_t busy, busy_cpu;
    unsigned char *payload;
};

struct udp_thread {
    struct world *world;
    int index; // of the controller or listener
    pthread_t thread;
    atomic_int tid;
    int socket;
    struct sockaddr_in address;
    struct queue *queue;
    struct assembly *assemblies; // listener: [reader · writers + writer]
};

struct udp_writer {
    int socket;
    int lane;
    unsigned char *payload; // what the application would fill in
    unsigned char *serialised;
};

struct world {
    struct network network;
    struct udp_thread *controllers, *listeners;
    struct udp_writer *writers;
    atomic_ullong dropped;
    atomic_bool closing;
};

static void note(struct world *world, enum event_kind kind, uint16_t who,
                 const struct part_header *header, const int64_t *busy) {
    struct event event = {.time = now_ns(), .cpu = thread_used_ns(), .kind = (uint8_t)kind, .who = who,
                          .writer = header->writer, .reader = header->reader,
                          .number = header->number, .job = header->job};
    event.topic = world->network.writers[header->writer].topic;
    thread_switches(&event.waits, &event.stops);
    if (busy) {
        event.busy = busy[0];
        event.idle = busy[0] > busy[1] ? busy[0] - busy[1] : 0;
    }
    tell(&world->network, &event);
}

// All copies of one sample, in the calling thread.
static void send_sample(struct world *world, int socket, uint16_t who, struct part_header header,
                        const unsigned char *payload) {
    const struct network *network = &world->network;
    int64_t begin = now_ns(), begin_cpu = thread_cpu_ns();
    header.reader = NOBODY;
    note(world, EVENT_SEND, who, &header, NULL);
    for (int reader = 0; reader < network->reader_count; reader++) {
        if (network->readers[reader].topic != network->writers[header.writer].topic) continue;
        header.reader = (uint16_t)reader;
        const struct udp_thread *listener = &world->listeners[network->readers[reader].listener];
        if (!wire_send(socket, &listener->address, header, payload)) atomic_fetch_add(&world->dropped, 1);
    }
    header.reader = NOBODY;
    int64_t busy[2] = {now_ns() - begin, thread_cpu_ns() - begin_cpu};
    note(world, EVENT_SENT, who, &header, busy);
}

static void make_ready(struct world *world, uint16_t who) {
    struct event event = {.kind = EVENT_SEND, .who = who, .number = WARM_UP};
    tell(&world->network, &event);
}

static void *control(void *argument) {
    struct udp_thread *self = argument;
    const struct controller_spec *spec = &self->world->network.controllers[self->index];
    make_ready(self->world, spec->who);
    take_place(spec->place);
    atomic_store(&self->tid, thread_id());
    for (struct sample *sample; (sample = queue_take(self->queue));) {
        const struct network *network = &self->world->network;
        struct part_header header = {.writer = sample->writer, .number = sample->number,
                                     .job = sample->job};
        header.size = network->topics[network->writers[sample->writer].topic].size;
        send_sample(self->world, self->socket, spec->who, header, sample->payload);
        queue_release(self->queue, sample);
    }
    return NULL;
}

// Copies a part to its place. True when the message is complete.
static bool assemble(struct assembly *assembly, const struct part_header *header,
                     const unsigned char *part) {
    if (header->offset == 0) {
        assembly->number = header->number;
        assembly->received = assembly->busy = assembly->busy_cpu = 0;
    }
    if (assembly->number != header->number || assembly->received != header->offset) return false;
    memcpy(assembly->payload + header->offset, part, header->length);
    assembly->received += header->length;
    return assembly->received == header->size;
}

static bool is_ours(const struct network *network, const struct part_header *header, int listener) {
    if (header->writer >= network->writer_count || header->reader >= network->reader_count) return false;
    uint16_t topic = network->writers[header->writer].topic;
    return network->readers[header->reader].listener == listener &&
           network->readers[header->reader].topic == topic &&
           header->size == network->topics[topic].size && header->offset <= header->size &&
           header->length <= header->size - header->offset;
}

static void *listen_to(void *argument) {
    struct udp_thread *self = argument;
    struct world *world = self->world;
    const struct network *network = &world->network;
    const struct listener_spec *spec = &network->listeners[self->index];
    unsigned char *buffer = allocate(1, PART);
    struct part_header header;
    make_ready(world, spec->who);
    take_place(spec->place);
    atomic_store(&self->tid, thread_id());
    while (!atomic_load(&world->closing)) {
        if (!wire_receive(self->socket, &header, buffer)) continue;
        int64_t begin = now_ns(), begin_cpu = thread_cpu_ns();
        if (!is_ours(network, &header, self->index)) continue;
        struct assembly *assembly =
            &self->assemblies[header.reader * network->writer_count + header.writer];
        bool complete = assemble(assembly, &header, buffer);
        if (complete) {
            struct message message = {header.writer, network->writers[header.writer].topic,
                                      header.number};
            note(world, EVENT_RECEIVE, spec->who, &header, NULL);
            note(world, EVENT_CALLBACK, spec->who, &header, NULL);
            if (header.number < WARM_UP) network->deliver(network->context, header.reader, &message);
        }
        assembly->busy += now_ns() - begin;
        assembly->busy_cpu += thread_cpu_ns() - begin_cpu;
        int64_t busy[2] = {assembly->busy, assembly->busy_cpu};
        if (complete) note(world, EVENT_DELIVERED, spec->who, &header, busy);
    }
    free(buffer);
    return NULL;
}

static void open_listener(struct world *world, int index) {
    const struct network *network = &world->network;
    struct udp_thread *listener = &world->listeners[index];
    *listener = (struct udp_thread){.world = world, .index = index};
    listener->socket = wire_socket(&listener->address);
    size_t pairs = (size_t)network->reader_count * (size_t)network->writer_count;
    listener->assemblies = allocate(pairs, sizeof *listener->assemblies);
    for (int reader = 0; reader < network->reader_count; reader++)
        for (int writer = 0; writer < network->writer_count; writer++)
            if (network->readers[reader].listener == index &&
                network->readers[reader].topic == network->writers[writer].topic)
                listener->assemblies[reader * network->writer_count + writer].payload =
                    allocate(1, network->topics[network->readers[reader].topic].size);
    listener->thread = start_thread(listen_to, listener);
}

static void open_writer(struct world *world, int index) {
    const struct network *network = &world->network;
    const struct writer_spec *spec = &network->writers[index];
    const struct topic_spec *topic = &network->topics[spec->topic];
    struct udp_writer *writer = &world->writers[index];
    writer->payload = allocate(1, topic->size);
    memset(writer->payload, 'd', topic->size);
    writer->socket = -1;
    if (spec->controller >= 0) {
        struct queue *queue = world->controllers[spec->controller].queue;
        writer->lane = queue_register(queue, topic->priority, topic->size, topic->history);
    } else {
        struct sockaddr_in own;
        writer->socket = wire_socket(&own);
        writer->serialised = allocate(1, topic->size);
    }
}

static struct world *udp_open(const struct network *network) {
    struct world *world = allocate(1, sizeof *world);
    world->network = *network;
    world->controllers = allocate((size_t)network->controller_count, sizeof *world->controllers);
    world->listeners = allocate((size_t)network->listener_count, sizeof *world->listeners);
    world->writers = allocate((size_t)network->writer_count, sizeof *world->writers);
    for (int i = 0; i < network->controller_count; i++) {
        struct udp_thread *controller = &world->controllers[i];
        *controller = (struct udp_thread){.world = world, .index = i};
        controller->socket = wire_socket(&controller->address);
        controller->queue = queue_create(network->controllers[i].policy);
    }
    for (int i = 0; i < network->writer_count; i++) open_writer(world, i);
    for (int i = 0; i < network->listener_count; i++) open_listener(world, i);
    for (int i = 0; i < network->controller_count; i++)
        world->controllers[i].thread = start_thread(control, &world->controllers[i]);
    for (int i = 0; i < network->controller_count; i++)
        while (!atomic_load(&world->controllers[i].tid)) usleep(1000);
    for (int i = 0; i < network->listener_count; i++)
        while (!atomic_load(&world->listeners[i].tid)) usleep(1000);
    return world;
}

static bool udp_write(struct world *world, uint16_t index, uint32_t number, uint32_t job) {
    const struct writer_spec *spec = &world->network.writers[index];
    struct udp_writer *writer = &world->writers[index];
    uint32_t size = world->network.topics[spec->topic].size;
    struct part_header header = {.writer = index, .reader = NOBODY, .number = number, .job = job};
    header.size = size;
    if (spec->controller < 0) {
        memcpy(writer->serialised, writer->payload, size);
        send_sample(world, writer->socket, spec->who, header, writer->serialised);
        return true;
    }
    struct queue *queue = world->controllers[spec->controller].queue;
    struct sample *sample = queue_reserve(queue, writer->lane);
    struct sample dropped;
    memcpy(sample->payload, writer->payload, size);
    sample->writer = index;
    sample->number = number;
    sample->job = job;
    if (queue_put(queue, writer->lane, sample, &dropped)) {
        header.number = dropped.number;
        header.job = dropped.job;
        atomic_fetch_add(&world->dropped, 1);
        note(world, EVENT_DROP, world->network.controllers[spec->controller].who, &header, NULL);
    }
    return true;
}

static uint64_t udp_dropped(struct world *world) { return atomic_load(&world->dropped); }

static int udp_threads(struct world *world, int *tids, int most) {
    int count = 0;
    for (int i = 0; i < world->network.controller_count && count < most; i++)
        tids[count++] = atomic_load(&world->controllers[i].tid);
    for (int i = 0; i < world->network.listener_count && count < most; i++)
        tids[count++] = atomic_load(&world->listeners[i].tid);
    return count;
}

static void close_threads(struct world *world) {
    struct sockaddr_in own;
    int socket = wire_socket(&own);
    struct part_header nothing = {.writer = NOBODY, .reader = NOBODY};
    atomic_store(&world->closing, true);
    for (int i = 0; i < world->network.controller_count; i++) {
        queue_close(world->controllers[i].queue);
        pthread_join(world->controllers[i].thread, NULL);
    }
    for (int i = 0; i < world->network.listener_count; i++) {
        wire_send(socket, &world->listeners[i].address, nothing, NULL);
        pthread_join(world->listeners[i].thread, NULL);
    }
    close(socket);
}

static void udp_close(struct world *world) {
    const struct network *network = &world->network;
    close_threads(world);
    for (int i = 0; i < network->controller_count; i++) {
        queue_destroy(world->controllers[i].queue);
        close(world->controllers[i].socket);
    }
    for (int i = 0; i < network->listener_count; i++) {
        for (int k = 0; k < network->reader_count * network->writer_count; k++)
            free(world->listeners[i].assemblies[k].payload);
        free(world->listeners[i].assemblies);
        close(world->listeners[i].socket);
    }
    for (int i = 0; i < network->writer_count; i++) {
        free(world->writers[i].payload);
        free(world->writers[i].serialised);
        if (world->writers[i].socket >= 0) close(world->writers[i].socket);
    }
    free(world->controllers);
    free(world->listeners);
    free(world->writers);
    free(world);
}

const struct middleware udp_middleware = {.name = "udp", .version = "plain threads",
                                          .has_controllers = true, .open = udp_open,
                                          .write = udp_write, .dropped = udp_dropped,
                                          .threads = udp_threads, .close = udp_close};
