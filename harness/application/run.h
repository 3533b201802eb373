// One run of a plan: its threads, the middleware between them, and the trace of what they do.
#pragma once
#include <stdatomic.h>
#include <stdbool.h>

#include "../library/evidence.h"
#include "../library/machine.h"
#include "../library/trace.h"
#include "mailbox.h"
#include "plan.h"

struct run_options {
    const struct middleware *middleware;
    const char *output;
    int cpus[MOST_THINGS]; // of each core of the plan
    int64_t jobs;          // of each timer; 0: no limit
    int64_t duration;
    int64_t watchdog; // a job that takes longer lowers all priorities
    int64_t spare;    // by how much each job works less than its wcet
    unsigned seed;    // of releases with jitter
    bool reliable;
    bool one_participant;
};

struct task { // an application thread
    struct run *run;
    int index;
    const struct plan_thread *thread;
    struct mailbox *mailbox;
    pthread_t handle;
    atomic_int tid;
    atomic_llong next_release; // timers: when the job that is due or runs was released
    atomic_llong busy_since;   // 0: no job runs
    atomic_bool finished;
    int64_t async_cost; // the largest that asynchronous writes of one job took so far
    uint32_t *numbers;  // of the next message of each publication
};

struct run {
    const struct plan *plan;
    const struct run_options *options;
    struct trace *trace;
    struct evidence *evidence; // of what else had the CPUs
    struct world *world;
    struct task *tasks;
    atomic_llong start; // the first releases; 0: not yet known
    atomic_bool ending;
    atomic_ullong lost_inputs; // that found a mailbox full
    atomic_ullong refused;     // by write
    atomic_int demoted_for;    // the thread without progress; -1: none
    bool pending;              // work was left when patience ended
    uint64_t dropped;          // by the middleware's queues, as far as it tells
};

// Numbers of threads in events: first those of the application, then controllers, then listeners.
static inline uint16_t controller_who(const struct plan *plan, int index) {
    return (uint16_t)(plan->thread_count + index);
}
static inline uint16_t listener_who(const struct plan *plan, int index) {
    return (uint16_t)(plan->thread_count + plan->controller_count + index);
}

void run_plan(struct run *run);
void *run_task(void *task);     // the body of an application thread
void *run_watchdog(void *run);  // the body of the watchdog
void note(struct run *run, enum event_kind kind, uint16_t who, uint32_t job, const struct item *item,
          int64_t time); // time 0: now
bool task_is_done(struct task *task);
// False where messages or records were lost.
bool write_trace(struct run *run, struct machine *machine);
