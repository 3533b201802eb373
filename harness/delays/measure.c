#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <time.h>

#include "../library/clock.h"
#include "../library/failure.h"
#include "../library/stop.h"
#include "delays.h"

enum { PUBLISHER, CONTROLLER, LISTENER, SUBSCRIBER, PATIENCE_MS = 500, HISTORY = 4 };

struct run {
    const struct delay_options *options;
    struct block *block;
    struct world *world;
    sem_t done; // once when it is sent, once when it is delivered
    int64_t sent_cpu, delivered_cpu; // of the message before, in the same thread; -1: none
};

int64_t delay_of(struct delay delay) { return delay.wall > delay.cpu ? delay.wall : delay.cpu; }

static void keep(const struct run *run, struct stage_delays *stage, const struct event *event,
                 int64_t *cpu_before) {
    int64_t cpu = *cpu_before >= 0 ? event->cpu - *cpu_before : 0;
    int64_t index = (int64_t)event->number - run->options->warm_up;
    *cpu_before = event->cpu;
    if (index >= 0 && index < run->block->samples)
        stage->delays[index] = (struct delay){event->busy, cpu, event->idle};
}

// Each kind of event comes from one thread only.
static void see(void *context, const struct event *event) {
    struct run *run = context;
    if (event->number >= WARM_UP) return;
    if (event->kind != EVENT_SENT && event->kind != EVENT_DELIVERED) return;
    if (event->kind == EVENT_SENT) keep(run, &run->block->sending, event, &run->sent_cpu);
    if (event->kind == EVENT_DELIVERED)
        keep(run, &run->block->listening, event, &run->delivered_cpu);
    sem_post(&run->done);
}

static void deliver(void *context, uint16_t reader, const struct message *message) {
    (void)context, (void)reader, (void)message;
}

static bool wait_for_one(struct run *run) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += PATIENCE_MS * 1000000L;
    until.tv_sec += until.tv_nsec / NS_PER_SECOND;
    until.tv_nsec %= NS_PER_SECOND;
    while (sem_clockwait(&run->done, CLOCK_MONOTONIC, &until))
        if (errno != EINTR) return false;
    return true;
}

// A publisher is more urgent than the flow controller, on its CPU: a Fast DDS controller that runs while
// write() holds the writer's mutex spins, which is no sending. It sleeps until all is done.
static struct place publisher_place(const struct delay_options *options, bool async) {
    int priority = options->priority;
    return (struct place){options->sender_cpu, priority && async ? priority + 1 : priority};
}

static void *publish(void *argument) {
    struct run *run = argument;
    const struct delay_options *options = run->options;
    take_place(publisher_place(options, run->block->async));
    for (int64_t i = -options->warm_up; i < run->block->samples && !stopped(); i++) {
        uint32_t number = (uint32_t)(i + options->warm_up);
        while (!sem_trywait(&run->done)) { // of one that was given up
        }
        int64_t begin = now_ns(), begin_cpu = thread_cpu_ns();
        options->middleware->write(run->world, 0, number, number);
        if (!run->block->async && i >= 0) { // all of write() is the publisher's
            int64_t cpu = thread_cpu_ns() - begin_cpu, wall = now_ns() - begin;
            run->block->sending.delays[i] =
                (struct delay){wall, cpu, wall > cpu ? wall - cpu : 0};
        }
        if ((!wait_for_one(run) || !wait_for_one(run)) && i >= 0) run->block->lost++;
        if (options->pause) sleep_until_ns(now_ns() + options->pause);
    }
    return NULL;
}

static void summarise(struct stage_delays *stage, int64_t samples) {
    for (int64_t i = 0; i < samples; i++) {
        struct delay delay = stage->delays[i];
        if (delay.cpu < 0) continue;
        struct context context = {.number = i, .gap = delay.idle};
        histogram_add(&stage->histogram, delay_of(delay), context);
        histogram_add(&stage->cpu, delay.cpu, context);
    }
}

static void prepare(struct stage_delays *stage, int64_t samples) {
    stage->delays = allocate((size_t)samples, sizeof *stage->delays);
    for (int64_t i = 0; i < samples; i++) stage->delays[i].cpu = -1;
}

void measure_block(const struct delay_options *options, struct block *block) {
    struct run run = {.options = options, .block = block, .sent_cpu = -1, .delivered_cpu = -1};
    struct controller_spec controller = {CONTROLLER, {options->sender_cpu, options->priority},
                                         POLICY_FIFO, 0, 0};
    struct listener_spec listener = {LISTENER, {options->listener_cpu, options->priority}};
    struct topic_spec topic = {block->size, 0, HISTORY};
    struct writer_spec writer = {PUBLISHER, 0, block->async ? 0 : SYNCHRONOUS, 0};
    struct reader_spec reader = {SUBSCRIBER, 0, 0};
    struct network network = {&controller, &listener, &topic, &writer, &reader,
                              .reliable = options->reliable, .controller_count = block->async,
                              .listener_count = 1, .topic_count = 1, .writer_count = 1,
                              .reader_count = 1, .deliver = deliver, .context = &run,
                              .observer = {see, &run}};
    prepare(&block->sending, block->samples);
    prepare(&block->listening, block->samples);
    sem_init(&run.done, 0, 0);
    run.world = options->middleware->open(&network);
    if (options->priority) lift_others(1);
    pthread_join(start_thread(publish, &run), NULL);
    options->middleware->close(run.world);
    sem_destroy(&run.done);
    summarise(&block->sending, block->samples);
    summarise(&block->listening, block->samples);
    block->complete = !stopped();
}

void free_block(struct block *block) {
    free(block->sending.delays);
    free(block->listening.delays);
    block->sending.delays = block->listening.delays = NULL;
}
