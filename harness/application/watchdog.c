// Lowers all priorities when a job makes no progress: a flow controller that spins at an urgent
// priority would otherwise hold its CPU for ever.
#include "../library/clock.h"
#include "../library/failure.h"
#include "../library/stop.h"
#include "run.h"

enum { ROUND_NS = 19300000, MOST_TIDS = 256 };

// The thread whose job is not done although it was released, or began, too long ago; -1: none.
static int stuck(struct run *run, int64_t now) {
    for (int i = 0; i < run->plan->thread_count; i++) {
        int64_t released = atomic_load(&run->tasks[i].next_release);
        int64_t begun = atomic_load(&run->tasks[i].busy_since);
        int64_t since = begun && (!released || begun < released) ? begun : released;
        if (since && now - since > run->options->watchdog) return i;
    }
    return -1;
}

static void demote_all(struct run *run) {
    int tids[MOST_TIDS];
    int count = run->options->middleware->threads(run->world, tids, MOST_TIDS);
    for (int i = 0; i < count; i++) demote(tids[i]);
    for (int i = 0; i < run->plan->thread_count; i++)
        if (atomic_load(&run->tasks[i].tid)) demote(atomic_load(&run->tasks[i].tid));
}

// SCHED_DEADLINE goes before all of SCHED_FIFO, also before a priority of 99 on the same CPU.
void *run_watchdog(void *argument) {
    struct run *run = argument;
    trace_make_ready(run->trace);
    take_place((struct place){-1, 0});
    if (!take_deadline(2000000, ROUND_NS, ROUND_NS) && may_realtime()) {
        take_place((struct place){-1, 99});
        warn("no SCHED_DEADLINE: the watchdog may come late where a priority of 99 spins");
    }
    while (!atomic_load(&run->ending) && !stopped()) {
        int64_t now = now_ns();
        int thread = stuck(run, now);
        if (thread >= 0) {
            atomic_store(&run->demoted_for, thread);
            demote_all(run);
            note(run, EVENT_DEMOTED, (uint16_t)thread, 0, NULL, 0);
            request_stop();
            break;
        }
        sleep_until_ns(now + ROUND_NS);
    }
    return NULL;
}
