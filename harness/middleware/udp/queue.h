// The queue of a flow controller, by the ten rules: who is served next is decided when the thread
// is free; a sample being sent is not interrupted.
#pragma once
#include "../middleware.h"

struct sample {
    uint16_t writer;
    uint32_t number;
    uint32_t job;
    uint64_t stamp; // order of arrival
    unsigned char *payload;
    uint32_t slot;
};

struct queue;

struct queue *queue_create(enum policy policy);
void queue_destroy(struct queue *queue);
// Writers in order of registration: ROUND_ROBIN goes round in it. Returns the writer's index here.
int queue_register(struct queue *queue, int priority, uint32_t size, uint32_t history);
// A free buffer for the writer's next sample; only the writer's own thread asks.
struct sample *queue_reserve(struct queue *queue, int index);
// Where `history` samples wait already, the oldest is dropped (KEEP_LAST): true, and which.
bool queue_put(struct queue *queue, int index, struct sample *sample, struct sample *dropped);
// Waits; NULL when the queue is closed. Only the controller's thread asks.
struct sample *queue_take(struct queue *queue);
void queue_release(struct queue *queue, struct sample *sample);
void queue_close(struct queue *queue);
