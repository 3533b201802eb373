// δ of one payload size: how long a flow controller (δf), a listener (δl) and a publisher that
// sends by itself (δs) are at one message.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "../library/histogram.h"
#include "../library/machine.h"
#include "../middleware/middleware.h"

struct delay_options {
    const struct middleware *middleware;
    const char *folder;
    int64_t samples, warm_up; // warm-up messages come first and are not counted
    int sender_cpu, listener_cpu;
    int priority;
    int64_t pause; // between a delivery and the next message
    bool reliable;
};

// One message at one thread. Its delay is the larger of how long the thread was at it (`wall`) and
// the processor time that the thread used since the message before (`cpu`): the first sees waiting
// for locks, the second what comes before the first and after the last instant that can be seen.
struct delay {
    int64_t wall, cpu;
    int64_t idle; // of `wall`, how long the thread did not run
};

struct stage_delays {
    struct delay *delays; // by number of the message; cpu < 0: unknown
    struct histogram histogram;
    struct histogram cpu; // of processor time alone: what is left without the machine's outliers
};

struct block { // one payload size, one mode
    uint32_t size;
    bool async;
    int64_t samples, lost;
    struct stage_delays sending, listening; // sending: δf where async, else δs
    bool complete;                          // false: interrupted
};

int64_t delay_of(struct delay delay);
void measure_block(const struct delay_options *options, struct block *block);
void free_block(struct block *block);

void write_samples(const struct delay_options *options, struct machine *machine,
                   const struct block *block);
void write_table(const struct delay_options *options, struct machine *machine,
                 const struct block *blocks, int count);
