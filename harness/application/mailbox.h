// What waits for a thread: a queue for each of its inputs, and who is released by what.
#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "plan.h"

enum { MAILBOX_DEPTH = 1024 };

struct item { // a message, or a completed job of a predecessor
    bool is_message;
    uint16_t topic, writer; // of a message; else `writer` is the predecessor
    uint32_t number;        // of the message or job
    uint64_t stamp;
};

struct mailbox;

struct mailbox *mailbox_create(int slots, enum activation activation);
void mailbox_destroy(struct mailbox *mailbox);
bool mailbox_put(struct mailbox *mailbox, int slot, struct item item); // false: full, item lost
// Waits for what releases a job and takes it; 0 when closed. BY_TIMER: the newest of each slot at
// once, without waiting or taking it away. Returns the number of items.
int mailbox_take(struct mailbox *mailbox, struct item *items);
int mailbox_waiting(struct mailbox *mailbox);
void mailbox_close(struct mailbox *mailbox);
