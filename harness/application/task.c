// The life of an application thread: wait, execute, publish, again.
#include <stdlib.h>

#include "../library/clock.h"
#include "../library/stop.h"
#include "run.h"

void note(struct run *run, enum event_kind kind, uint16_t who, uint32_t job, const struct item *item,
          int64_t time) {
    struct event event = {.time = time ? time : now_ns(), .cpu = thread_used_ns(), .kind = (uint8_t)kind,
                          .who = who, .job = job, .topic = NOBODY, .writer = NOBODY, .reader = NOBODY};
    thread_switches(&event.waits, &event.stops);
    if (item) {
        event.topic = item->is_message ? item->topic : NOBODY;
        event.writer = item->writer;
        event.number = item->number;
    }
    trace_see(run->trace, &event);
}

static bool over(struct run *run) { return atomic_load(&run->ending) || stopped(); }

static void burn_to(int64_t cpu) {
    int64_t left = cpu - thread_cpu_ns();
    if (left > 0) burn_cpu_ns(left);
}

// Returns the processor time that the writes took.
static int64_t publish(struct task *task, int index, uint32_t job) {
    const struct plan_publication *publication = &task->run->plan->publications[index];
    const struct middleware *middleware = task->run->options->middleware;
    int64_t begin = thread_cpu_ns();
    for (int i = 0; i < publication->count; i++) {
        struct item item = {.is_message = true, .topic = (uint16_t)publication->topic,
                            .writer = (uint16_t)index, .number = task->numbers[index]++};
        note(task->run, EVENT_PUBLISH, (uint16_t)task->index, job, &item, 0);
        if (!middleware->write(task->run->world, (uint16_t)index, item.number, job))
            atomic_fetch_add(&task->run->refused, 1);
        if (publication->controller >= 0)
            note(task->run, EVENT_ENQUEUE, (uint16_t)task->index, job, &item, 0);
    }
    return thread_cpu_ns() - begin;
}

// The execution time of a job is its wcet, of which asynchronous writes are a part; synchronous
// ones come on top, as in the model. What has no earliest time is published at the end.
static void execute(struct task *task, uint32_t job) {
    const struct plan *plan = task->run->plan;
    int64_t begin = thread_cpu_ns(), async = 0;
    int64_t wcet = task->thread->wcet - task->run->options->spare;
    if (wcet < 0) wcet = 0;
    int64_t reserve = task->async_cost < wcet ? task->async_cost : wcet;
    for (int i = 0; i < plan->publication_count; i++) {
        const struct plan_publication *publication = &plan->publications[i];
        if (publication->thread != task->index) continue;
        int64_t before = publication->earliest ? publication->earliest : wcet - reserve;
        burn_to(begin + (before < wcet ? before : wcet));
        int64_t taken = publish(task, i, job);
        if (publication->controller < 0)
            begin += taken;
        else
            async += taken;
    }
    burn_to(begin + wcet);
    if (async > task->async_cost) task->async_cost = async;
}

static void release_followers(struct task *task, uint32_t job) {
    const struct plan *plan = task->run->plan;
    struct item item = {.writer = (uint16_t)task->index, .number = job};
    for (int i = 0; i < plan->following_count; i++) {
        if (plan->followings[i].predecessor != task->index) continue;
        struct task *follower = &task->run->tasks[plan->followings[i].thread];
        int slot = 0;
        for (int k = 0; k < plan->subscription_count; k++)
            slot += plan->subscriptions[k].thread == plan->followings[i].thread;
        for (int k = 0; k < i; k++) slot += plan->followings[k].thread == plan->followings[i].thread;
        if (!mailbox_put(follower->mailbox, slot, item)) atomic_fetch_add(&task->run->lost_inputs, 1);
    }
}

static void run_job(struct task *task, uint32_t job, int64_t release, const struct item *items,
                    int count) {
    struct run *run = task->run;
    uint16_t who = (uint16_t)task->index;
    atomic_store(&task->busy_since, now_ns());
    if (release) note(run, EVENT_RELEASE, who, job, NULL, release);
    note(run, EVENT_START, who, job, NULL, 0);
    for (int i = 0; i < count; i++)
        note(run, items[i].is_message ? EVENT_TAKE : EVENT_FOLLOW, who, job, &items[i], 0);
    execute(task, job);
    if (!stopped()) note(run, EVENT_COMPLETE, who, job, NULL, 0);
    release_followers(task, job);
    atomic_store(&task->busy_since, 0);
}

static bool sleep_until(struct task *task, int64_t instant) {
    for (int64_t now = now_ns(); now < instant && !over(task->run); now = now_ns())
        sleep_until_ns(instant - now > 50000000 ? now + 50000000 : instant);
    return !over(task->run);
}

static void run_by_timer(struct task *task, struct item *items) {
    const struct run_options *options = task->run->options;
    const struct plan_thread *thread = task->thread;
    unsigned seed = options->seed + (unsigned)task->index;
    int64_t release = 0;
    for (uint32_t job = 0; !options->jobs || job < options->jobs; job++) {
        int64_t base = task->run->start + (int64_t)job * thread->period;
        if (base - task->run->start >= options->duration) break;
        if (thread->jitter) base += (int64_t)(rand_r(&seed) / (RAND_MAX + 1.0) * (double)thread->jitter);
        release = base > release ? base : release;
        atomic_store(&task->next_release, release);
        if (!sleep_until(task, release)) break;
        run_job(task, job, release, items, mailbox_take(task->mailbox, items));
    }
    atomic_store(&task->next_release, 0);
}

static void see_hold_up(void *context, int64_t begin, int64_t end) {
    const struct task *task = context;
    evidence_held_up(task->run->evidence, task->run->options->cpus[task->thread->core], begin, end);
}

void *run_task(void *argument) {
    struct task *task = argument;
    struct item items[MOST_THINGS];
    const struct run_options *options = task->run->options;
    trace_make_ready(task->run->trace);
    watch_hold_ups(see_hold_up, task);
    take_place((struct place){options->cpus[task->thread->core], task->thread->priority});
    atomic_store(&task->tid, thread_id());
    while (!atomic_load(&task->run->start)) sleep_until_ns(now_ns() + 1000000);
    sleep_until(task, task->run->start);
    if (task->thread->activation == BY_TIMER) {
        run_by_timer(task, items);
    } else {
        int count;
        for (uint32_t job = 0; (count = mailbox_take(task->mailbox, items)) && !stopped(); job++)
            run_job(task, job, 0, items, count);
    }
    atomic_store(&task->finished, true);
    return NULL;
}

bool task_is_done(struct task *task) {
    if (task->thread->activation == BY_TIMER) return atomic_load(&task->finished);
    return !atomic_load(&task->busy_since) && !mailbox_waiting(task->mailbox);
}
