#include "queue.h"

#include <stdlib.h>
#include <string.h>

#include "../../library/failure.h"

struct lane { // the samples of one writer, first come first
    int priority;
    uint32_t history;
    uint32_t head, count, free_count;
    struct sample **waiting; // a ring of `history`
    struct sample **free;    // two more than wait: one is being filled, one sent
    struct sample *samples;
};

struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
    enum policy policy;
    struct lane *lanes;
    int lane_count;
    int cursor; // ROUND_ROBIN: the lane to look at first; stays where it is while idle
    uint64_t stamps;
    bool closed;
};

struct queue *queue_create(enum policy policy) {
    struct queue *queue = allocate(1, sizeof *queue);
    queue->policy = policy;
    init_mutex(&queue->mutex);
    init_condition(&queue->filled);
    return queue;
}

int queue_register(struct queue *queue, int priority, uint32_t size, uint32_t history) {
    queue->lanes = realloc(queue->lanes, (size_t)(queue->lane_count + 1) * sizeof *queue->lanes);
    if (!queue->lanes) fail("out of memory");
    struct lane *lane = &queue->lanes[queue->lane_count];
    uint32_t all = history + 2;
    *lane = (struct lane){.priority = priority, .history = history, .free_count = all};
    lane->waiting = allocate(history, sizeof *lane->waiting);
    lane->free = allocate(all, sizeof *lane->free);
    lane->samples = allocate(all, sizeof *lane->samples);
    for (uint32_t i = 0; i < all; i++) {
        lane->samples[i].slot = (uint32_t)queue->lane_count;
        lane->samples[i].payload = allocate(1, size);
        lane->free[i] = &lane->samples[i];
    }
    return queue->lane_count++;
}

void queue_destroy(struct queue *queue) {
    for (int i = 0; i < queue->lane_count; i++) {
        struct lane *lane = &queue->lanes[i];
        for (uint32_t s = 0; s < lane->history + 2; s++) free(lane->samples[s].payload);
        free(lane->waiting);
        free(lane->free);
        free(lane->samples);
    }
    free(queue->lanes);
    pthread_mutex_destroy(&queue->mutex);
    pthread_cond_destroy(&queue->filled);
    free(queue);
}

struct sample *queue_reserve(struct queue *queue, int index) {
    pthread_mutex_lock(&queue->mutex);
    struct lane *lane = &queue->lanes[index];
    struct sample *sample = lane->free[--lane->free_count];
    pthread_mutex_unlock(&queue->mutex);
    return sample;
}

static struct sample *pop(struct lane *lane) {
    struct sample *sample = lane->waiting[lane->head];
    lane->head = (lane->head + 1) % lane->history;
    lane->count--;
    return sample;
}

bool queue_put(struct queue *queue, int index, struct sample *sample, struct sample *dropped) {
    pthread_mutex_lock(&queue->mutex);
    struct lane *lane = &queue->lanes[index];
    bool full = lane->count == lane->history;
    if (full) {
        struct sample *oldest = pop(lane);
        *dropped = *oldest;
        lane->free[lane->free_count++] = oldest;
    }
    sample->stamp = queue->stamps++;
    lane->waiting[(lane->head + lane->count++) % lane->history] = sample;
    pthread_cond_signal(&queue->filled);
    pthread_mutex_unlock(&queue->mutex);
    return full;
}

// Whether the first sample of one lane goes before that of another.
static bool before(const struct queue *queue, const struct lane *a, const struct lane *b) {
    if (queue->policy == POLICY_HIGH_PRIORITY && a->priority != b->priority)
        return a->priority < b->priority;
    return a->waiting[a->head]->stamp < b->waiting[b->head]->stamp;
}

static struct lane *choose(struct queue *queue) {
    struct lane *chosen = NULL;
    for (int i = 0; i < queue->lane_count; i++) {
        int index = (queue->cursor + i) % queue->lane_count;
        struct lane *lane = &queue->lanes[index];
        if (!lane->count) continue;
        if (queue->policy == POLICY_ROUND_ROBIN) {
            queue->cursor = (index + 1) % queue->lane_count;
            return lane;
        }
        if (!chosen || before(queue, lane, chosen)) chosen = lane;
    }
    return chosen;
}

struct sample *queue_take(struct queue *queue) {
    struct lane *lane = NULL;
    struct sample *sample = NULL;
    pthread_mutex_lock(&queue->mutex);
    while (!queue->closed && !(lane = choose(queue)))
        pthread_cond_wait(&queue->filled, &queue->mutex);
    if (!queue->closed && lane) sample = pop(lane);
    pthread_mutex_unlock(&queue->mutex);
    return sample;
}

void queue_release(struct queue *queue, struct sample *sample) {
    pthread_mutex_lock(&queue->mutex);
    struct lane *lane = &queue->lanes[sample->slot];
    lane->free[lane->free_count++] = sample;
    pthread_mutex_unlock(&queue->mutex);
}

void queue_close(struct queue *queue) {
    pthread_mutex_lock(&queue->mutex);
    queue->closed = true;
    pthread_cond_broadcast(&queue->filled);
    pthread_mutex_unlock(&queue->mutex);
}
