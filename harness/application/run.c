#include "run.h"

#include <stdlib.h>

#include "../library/clock.h"
#include "../library/failure.h"
#include "../library/stop.h"

enum { LEAD_NS = 100000000, GRACE_NS = 300000000, END_PATIENCE_NS = 5000000000 };

// Called in a listener's thread.
static void deliver(void *context, uint16_t reader, const struct message *message) {
    struct run *run = context;
    const struct plan_subscription *subscription = &run->plan->subscriptions[reader];
    struct item item = {.is_message = true, .topic = message->topic, .writer = message->writer,
                        .number = message->number};
    int slot = 0;
    for (int i = 0; i < reader; i++) slot += run->plan->subscriptions[i].thread == subscription->thread;
    struct task *task = &run->tasks[subscription->thread];
    if (mailbox_put(task->mailbox, slot, item)) return;
    atomic_fetch_add(&run->lost_inputs, 1);
    note(run, EVENT_DROP, (uint16_t)subscription->thread, 0, &item, 0);
}

struct specs {
    struct controller_spec controllers[MOST_THINGS];
    struct listener_spec listeners[MOST_THINGS];
    struct topic_spec topics[MOST_THINGS];
    struct writer_spec writers[MOST_THINGS];
    struct reader_spec readers[MOST_THINGS];
};

static void fill(const struct run *run, struct specs *specs) {
    const struct plan *plan = run->plan;
    const int *cpus = run->options->cpus;
    for (int i = 0; i < plan->controller_count; i++) {
        const struct plan_middleware *from = &plan->controllers[i];
        specs->controllers[i] = (struct controller_spec){
            controller_who(plan, i), {cpus[from->core], from->priority}, from->policy, from->bytes,
            from->period_ms};
    }
    for (int i = 0; i < plan->listener_count; i++) {
        const struct plan_middleware *from = &plan->listeners[i];
        specs->listeners[i] =
            (struct listener_spec){listener_who(plan, i), {cpus[from->core], from->priority}};
    }
    for (int i = 0; i < plan->topic_count; i++) specs->topics[i] = plan->topics[i].spec;
    for (int i = 0; i < plan->publication_count; i++) {
        const struct plan_publication *from = &plan->publications[i];
        specs->writers[i] =
            (struct writer_spec){(uint16_t)from->thread, (uint16_t)from->topic, from->controller,
                                 from->reserved};
    }
    for (int i = 0; i < plan->subscription_count; i++) {
        const struct plan_subscription *from = &plan->subscriptions[i];
        specs->readers[i] = (struct reader_spec){(uint16_t)from->thread, (uint16_t)from->topic,
                                                 (uint16_t)from->listener};
    }
}

static void open_network(struct run *run, struct specs *specs) {
    const struct plan *plan = run->plan;
    fill(run, specs);
    struct network network = {
        specs->controllers, specs->listeners, specs->topics, specs->writers, specs->readers,
        .reliable = run->options->reliable,
        .one_participant = run->options->one_participant, .controller_count = plan->controller_count,
        .listener_count = plan->listener_count, .topic_count = plan->topic_count,
        .writer_count = plan->publication_count, .reader_count = plan->subscription_count,
        .deliver = deliver, .context = run, .observer = {trace_see, run->trace}};
    run->world = run->options->middleware->open(&network);
}

static void make_tasks(struct run *run) {
    const struct plan *plan = run->plan;
    run->tasks = allocate((size_t)plan->thread_count, sizeof *run->tasks);
    for (int i = 0; i < plan->thread_count; i++) {
        struct task *task = &run->tasks[i];
        int slots = 0;
        for (int k = 0; k < plan->subscription_count; k++) slots += plan->subscriptions[k].thread == i;
        for (int k = 0; k < plan->following_count; k++) slots += plan->followings[k].thread == i;
        task->run = run;
        task->index = i;
        task->thread = &plan->threads[i];
        task->mailbox = mailbox_create(slots, task->thread->activation);
        task->numbers = allocate((size_t)plan->publication_count, sizeof *task->numbers);
    }
}

// What one thread may have to write down, from the jobs of all timers and what each may set off.
static size_t events_expected(const struct run *run) {
    const struct plan *plan = run->plan;
    double jobs = 0, each = 4;
    for (int i = 0; i < plan->thread_count; i++) {
        const struct plan_thread *thread = &plan->threads[i];
        if (thread->activation != BY_TIMER) continue;
        double mine = (double)run->options->duration / (double)thread->period + 1;
        jobs += run->options->jobs && mine > (double)run->options->jobs ? (double)run->options->jobs : mine;
    }
    for (int i = 0; i < plan->publication_count; i++) each += 4.0 * plan->publications[i].count;
    double events = 4096 + jobs * (each + 4.0 * plan->subscription_count);
    double most = 1.5e9 / sizeof(struct event) /
                  (plan->thread_count + plan->controller_count + plan->listener_count + 2);
    return (size_t)(events < most ? events : most);
}

static bool all_done(struct run *run) {
    for (int i = 0; i < run->plan->thread_count; i++)
        if (!task_is_done(&run->tasks[i])) return false;
    return true;
}

// Until all timers have fired for the last time and nothing has been under way for a while.
static void wait_for_end(struct run *run) {
    int64_t quiet_since = 0;
    int64_t latest = run->start + run->options->duration + END_PATIENCE_NS;
    while (!stopped()) {
        int64_t now = now_ns();
        if (!all_done(run)) quiet_since = 0;
        else if (!quiet_since) quiet_since = now;
        else if (now - quiet_since > GRACE_NS) break;
        if (now > latest) {
            run->pending = true;
            break;
        }
        sleep_until_ns(now + 20000000);
    }
}

static void clean_up(struct run *run) {
    for (int i = 0; i < run->plan->thread_count; i++) {
        mailbox_destroy(run->tasks[i].mailbox);
        free(run->tasks[i].numbers);
    }
    free(run->tasks);
}

// A middleware has more threads than those of the plan, and shares locks between all: at the default
// policy any program could hold up one that holds a lock.
static void lift_middleware(const struct plan *plan) {
    bool urgent = true;
    for (int i = 0; i < plan->controller_count; i++) urgent &= plan->controllers[i].priority > 0;
    for (int i = 0; i < plan->listener_count; i++) urgent &= plan->listeners[i].priority > 0;
    if (urgent) lift_others(1);
}

void run_plan(struct run *run) {
    struct specs *specs = allocate(1, sizeof *specs);
    atomic_store(&run->demoted_for, -1);
    run->evidence = evidence_begin(run->options->cpus, run->plan->core_count);
    run->trace = trace_create(events_expected(run));
    make_tasks(run);
    open_network(run, specs);
    lift_middleware(run->plan);
    for (int i = 0; i < run->plan->thread_count; i++)
        run->tasks[i].handle = start_thread(run_task, &run->tasks[i]);
    pthread_t watchdog = start_thread(run_watchdog, run);
    for (int i = 0; i < run->plan->thread_count; i++)
        while (!atomic_load(&run->tasks[i].tid)) sleep_until_ns(now_ns() + 1000000);
    trace_begin(run->trace);
    atomic_store(&run->start, now_ns() + LEAD_NS);
    wait_for_end(run);
    evidence_end(run->evidence);
    atomic_store(&run->ending, true);
    for (int i = 0; i < run->plan->thread_count; i++) mailbox_close(run->tasks[i].mailbox);
    for (int i = 0; i < run->plan->thread_count; i++) pthread_join(run->tasks[i].handle, NULL);
    pthread_join(watchdog, NULL);
    run->dropped = run->options->middleware->dropped(run->world);
    run->options->middleware->close(run->world);
    clean_up(run);
    free(specs);
}
