#include "../middleware/udp/queue.h"
#include "check.h"

static void put(struct queue *queue, int lane, uint32_t number) {
    struct sample dropped;
    struct sample *sample = queue_reserve(queue, lane);
    sample->writer = (uint16_t)lane;
    sample->number = number;
    CHECK(!queue_put(queue, lane, sample, &dropped));
}

static char served(struct queue *queue) {
    struct sample *sample = queue_take(queue);
    char letter = (char)('A' + sample->writer);
    queue_release(queue, sample);
    return letter;
}

// Three writers A, B, C of priorities 0, -1, 0.
static struct queue *three(enum policy policy) {
    struct queue *queue = queue_create(policy);
    queue_register(queue, 0, 64, 8);
    queue_register(queue, -1, 64, 8);
    queue_register(queue, 0, 64, 8);
    return queue;
}

static void serves(enum policy policy, const char *arrivals, const char *order) {
    struct queue *queue = three(policy);
    for (uint32_t i = 0; arrivals[i]; i++) put(queue, arrivals[i] - 'A', i);
    for (; *order; order++) CHECK(served(queue) == *order);
    queue_destroy(queue);
}

// Known from Fast DDS: the cursor stays where it is while the queue is empty.
static void round_robin_goes_on_where_it_was(void) {
    struct queue *queue = three(POLICY_ROUND_ROBIN);
    put(queue, 0, 0);
    CHECK(served(queue) == 'A');
    for (int lane = 2; lane >= 0; lane--) put(queue, lane, 1);
    CHECK(served(queue) == 'B' && served(queue) == 'C' && served(queue) == 'A');
    queue_destroy(queue);
}

static void a_full_history_drops_the_oldest_and_spares_what_is_being_sent(void) {
    struct queue *queue = queue_create(POLICY_FIFO);
    struct sample dropped;
    queue_register(queue, 0, 64, 2);
    put(queue, 0, 0);
    struct sample *sending = queue_take(queue);
    memset(sending->payload, 'x', 64);
    put(queue, 0, 1);
    put(queue, 0, 2);
    for (uint32_t number = 3; number < 9; number++) {
        struct sample *sample = queue_reserve(queue, 0);
        CHECK(sample != sending);
        memset(sample->payload, 'y', 64);
        sample->number = number;
        CHECK(queue_put(queue, 0, sample, &dropped) && dropped.number == number - 2);
    }
    CHECK(sending->number == 0 && sending->payload[63] == 'x');
    queue_release(queue, sending);
    CHECK(queue_take(queue)->number == 7);
    queue_close(queue);
    CHECK(!queue_take(queue));
    queue_destroy(queue);
}

int main(void) {
    serves(POLICY_FIFO, "CBACC", "CBACC");
    serves(POLICY_HIGH_PRIORITY, "CABAB", "BBCAA");
    serves(POLICY_ROUND_ROBIN, "CCBBAA", "ABCABC");
    serves(POLICY_ROUND_ROBIN, "CCCA", "ACCC");
    round_robin_goes_on_where_it_was();
    a_full_history_drops_the_oldest_and_spares_what_is_being_sent();
    return 0;
}
