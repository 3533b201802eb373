#include "periodic.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "../library/clock.h"
#include "../library/failure.h"
#include "../library/realtime.h"
#include "../library/stop.h"

#define MS 1000000LL

const char *const way_names[WAYS] = {"declaration", "deadline_monotonic", "edf", "sched_deadline"};

// Soyer's scenarios; the task with the tighter deadline is declared first.
const struct scenario scenarios[SCENARIOS] = {
    {"1", {{50 * MS, 25 * MS, 23 * MS, 0}, {50 * MS, 50 * MS, 15 * MS, 0}}},
    {"2", {{25 * MS, 25 * MS, 13 * MS, 0}, {50 * MS, 50 * MS, 15 * MS, 0}}},
    {"3", {{50 * MS, 25 * MS, 23 * MS, 1 * MS}, {50 * MS, 50 * MS, 15 * MS, 0}}},
    {"4", {{25 * MS, 23 * MS, 3 * MS, 1 * MS}, {50 * MS, 45 * MS, 40 * MS, 0}}},
};

enum { PRIORITY_LOW = 50, PRIORITY_HIGH, PRIORITY_WAKING, PRIORITY_EQUAL = 50 };

struct runner {
    struct shared *shared;
    int index;
    pthread_t thread;
    int64_t absolute_deadline; // of the job that is active; 0: none. Under the lock.
};

struct shared {
    const struct scenario *scenario;
    enum way way;
    int cpu;
    int64_t duration;
    atomic_llong start;
    atomic_int ready;
    atomic_bool refused, not_pinned;
    pthread_mutex_t lock;
    struct runner runners[TASKS];
    struct periodic_result *result;
};

// The earlier deadline of the active jobs gets the upper priority. A waking thread is above both, so
// that it can come here at its release.
static void rank(struct runner *self, int64_t absolute_deadline) {
    struct shared *shared = self->shared;
    struct runner *other = &shared->runners[1 - self->index];
    if (shared->way != WAY_EDF) return;
    pthread_mutex_lock(&shared->lock);
    self->absolute_deadline = absolute_deadline;
    bool first = !other->absolute_deadline || absolute_deadline < other->absolute_deadline;
    if (!absolute_deadline) { // finished: ready for the next release
        if (other->absolute_deadline) pthread_setschedprio(other->thread, PRIORITY_HIGH);
        pthread_setschedprio(pthread_self(), PRIORITY_WAKING);
    } else {
        if (other->absolute_deadline)
            pthread_setschedprio(other->thread, first ? PRIORITY_LOW : PRIORITY_HIGH);
        pthread_setschedprio(pthread_self(), first ? PRIORITY_HIGH : PRIORITY_LOW);
    }
    pthread_mutex_unlock(&shared->lock);
}

static int priority_of(const struct shared *shared, int index) {
    const struct periodic_task *tasks = shared->scenario->tasks;
    if (shared->way == WAY_DECLARATION) return PRIORITY_EQUAL;
    if (shared->way == WAY_EDF) return PRIORITY_WAKING;
    return tasks[index].deadline < tasks[1 - index].deadline ? PRIORITY_HIGH : PRIORITY_LOW;
}

static bool enter(struct runner *self) {
    struct shared *shared = self->shared;
    const struct periodic_task *task = &shared->scenario->tasks[self->index];
    bool pinned = take_place((struct place){shared->cpu, 0});
    if (shared->way != WAY_DEADLINE)
        return take_place((struct place){shared->cpu, priority_of(shared, self->index)});
    int64_t budget = task->execution + task->execution / 20; // 5 % for what a job takes beside its work
    if (budget > task->deadline) budget = task->deadline;
    if (pinned && take_deadline(budget, task->deadline, task->period)) return true;
    atomic_store(&shared->not_pinned, true); // the kernel wants all CPUs of its domain for it
    take_place((struct place){-1, 0});
    return take_deadline(budget, task->deadline, task->period);
}

static void account(struct task_result *result, int64_t job, int64_t response, int64_t deadline) {
    histogram_add(&result->response, response, (struct context){.number = job});
    result->jobs++;
    if (response <= deadline) return;
    if (!result->misses++) result->first_miss = job;
}

static void *body(void *argument) {
    struct runner *self = argument;
    struct shared *shared = self->shared;
    const struct periodic_task *task = &shared->scenario->tasks[self->index];
    struct task_result *result = &shared->result->tasks[self->index];
    if (!enter(self)) atomic_store(&shared->refused, true);
    atomic_fetch_add(&shared->ready, 1);
    while (!atomic_load(&shared->start)) sleep_until_ns(now_ns() + MS);
    int64_t first = atomic_load(&shared->start) + task->offset;
    // At equal instants the kernel wakes in the order in which the timers were set: the declared one.
    if (self->index && shared->way == WAY_DECLARATION) sleep_until_ns(first - 20 * MS);
    for (int64_t job = 0; job * task->period < shared->duration && !stopped(); job++) {
        int64_t release = first + job * task->period;
        while (now_ns() < release && !stopped()) sleep_until_ns(release);
        rank(self, release + task->deadline);
        burn_cpu_ns(task->execution);
        account(result, job, now_ns() - release, task->deadline);
        rank(self, 0);
    }
    return NULL;
}

void run_scenario(const struct scenario *scenario, enum way way, int cpu, int64_t duration,
                  struct periodic_result *result) {
    struct shared shared = {.scenario = scenario, .way = way, .cpu = cpu, .duration = duration,
                            .result = result};
    memset(result, 0, sizeof *result);
    init_mutex(&shared.lock);
    for (int i = 0; i < TASKS; i++) result->tasks[i].first_miss = -1;
    for (int i = 0; i < TASKS; i++) {
        shared.runners[i] = (struct runner){.shared = &shared, .index = i};
        shared.runners[i].thread = start_thread(body, &shared.runners[i]);
    }
    while (atomic_load(&shared.ready) < TASKS) sleep_until_ns(now_ns() + MS);
    bool refused = atomic_load(&shared.refused);
    if (refused) shared.duration = 0;
    atomic_store(&shared.start, now_ns() + 100 * MS);
    for (int i = 0; i < TASKS; i++) pthread_join(shared.runners[i].thread, NULL);
    pthread_mutex_destroy(&shared.lock);
    result->refused = refused;
    result->one_cpu = !atomic_load(&shared.not_pinned) || cpu_count() == 1;
    result->complete = !stopped();
}
