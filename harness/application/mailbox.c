#include "mailbox.h"

#include <stdlib.h>

#include "../library/failure.h"
#include "../library/realtime.h"

struct slot {
    struct item *items; // a ring; BY_TIMER: the newest in the first place
    int head, count;
};

struct mailbox {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
    enum activation activation;
    struct slot *slots;
    int slot_count;
    uint64_t stamps;
    bool closed;
};

struct mailbox *mailbox_create(int slots, enum activation activation) {
    struct mailbox *mailbox = allocate(1, sizeof *mailbox);
    mailbox->activation = activation;
    mailbox->slot_count = slots;
    mailbox->slots = allocate((size_t)slots, sizeof *mailbox->slots);
    for (int i = 0; i < slots; i++)
        mailbox->slots[i].items = allocate(MAILBOX_DEPTH, sizeof(struct item));
    init_mutex(&mailbox->mutex);
    init_condition(&mailbox->filled);
    return mailbox;
}

void mailbox_destroy(struct mailbox *mailbox) {
    for (int i = 0; i < mailbox->slot_count; i++) free(mailbox->slots[i].items);
    free(mailbox->slots);
    pthread_mutex_destroy(&mailbox->mutex);
    pthread_cond_destroy(&mailbox->filled);
    free(mailbox);
}

bool mailbox_put(struct mailbox *mailbox, int index, struct item item) {
    bool fits = true;
    pthread_mutex_lock(&mailbox->mutex);
    struct slot *slot = &mailbox->slots[index];
    item.stamp = mailbox->stamps++;
    if (mailbox->activation == BY_TIMER) {
        slot->items[0] = item;
        slot->count = 1;
    } else if (slot->count == MAILBOX_DEPTH) {
        fits = false;
    } else {
        slot->items[(slot->head + slot->count++) % MAILBOX_DEPTH] = item;
        pthread_cond_signal(&mailbox->filled);
    }
    pthread_mutex_unlock(&mailbox->mutex);
    return fits;
}

static struct item pop(struct slot *slot) {
    struct item item = slot->items[slot->head];
    slot->head = (slot->head + 1) % MAILBOX_DEPTH;
    slot->count--;
    return item;
}

static int take_any(struct mailbox *mailbox, struct item *items) {
    struct slot *first = NULL;
    for (int i = 0; i < mailbox->slot_count; i++) {
        struct slot *slot = &mailbox->slots[i];
        if (!slot->count) continue;
        if (!first || slot->items[slot->head].stamp < first->items[first->head].stamp) first = slot;
    }
    if (!first) return 0;
    items[0] = pop(first);
    return 1;
}

static int take_all(struct mailbox *mailbox, struct item *items) {
    for (int i = 0; i < mailbox->slot_count; i++)
        if (!mailbox->slots[i].count) return 0;
    for (int i = 0; i < mailbox->slot_count; i++) items[i] = pop(&mailbox->slots[i]);
    return mailbox->slot_count;
}

static int sample_newest(struct mailbox *mailbox, struct item *items) {
    int count = 0;
    for (int i = 0; i < mailbox->slot_count; i++)
        if (mailbox->slots[i].count) items[count++] = mailbox->slots[i].items[0];
    return count;
}

int mailbox_take(struct mailbox *mailbox, struct item *items) {
    int count;
    pthread_mutex_lock(&mailbox->mutex);
    for (;;) {
        if (mailbox->activation == BY_TIMER) {
            count = sample_newest(mailbox, items);
            break;
        }
        count = mailbox->closed                     ? 0
                : mailbox->activation == BY_ANY ? take_any(mailbox, items)
                                                : take_all(mailbox, items);
        if (count || mailbox->closed) break;
        pthread_cond_wait(&mailbox->filled, &mailbox->mutex);
    }
    pthread_mutex_unlock(&mailbox->mutex);
    return count;
}

int mailbox_waiting(struct mailbox *mailbox) {
    int waiting = 0;
    pthread_mutex_lock(&mailbox->mutex);
    for (int i = 0; i < mailbox->slot_count; i++) waiting += mailbox->slots[i].count;
    pthread_mutex_unlock(&mailbox->mutex);
    return mailbox->activation == BY_TIMER ? 0 : waiting;
}

void mailbox_close(struct mailbox *mailbox) {
    pthread_mutex_lock(&mailbox->mutex);
    mailbox->closed = true;
    pthread_cond_broadcast(&mailbox->filled);
    pthread_mutex_unlock(&mailbox->mutex);
}
