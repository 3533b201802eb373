// Writes the trace: what ran, on what, then one line for each event, then an end mark.
#include <stdlib.h>

#include "../library/clock.h"
#include "../library/stop.h"
#include "run.h"

// Where each thread of the plan ran, so that a reader can tell who was ahead of whom.
static void write_place(const struct run *run, struct output *output, int who, int core, int priority) {
    output_print(output, "# place %d cpu %d priority %d\n", who, run->options->cpus[core], priority);
}

static void write_places(const struct run *run, struct output *output) {
    const struct plan *plan = run->plan;
    for (int i = 0; i < plan->thread_count; i++)
        write_place(run, output, i, plan->threads[i].core, plan->threads[i].priority);
    for (int i = 0; i < plan->controller_count; i++)
        write_place(run, output, controller_who(plan, i), plan->controllers[i].core,
                    plan->controllers[i].priority);
    for (int i = 0; i < plan->listener_count; i++)
        write_place(run, output, listener_who(plan, i), plan->listeners[i].core,
                    plan->listeners[i].priority);
}

static void write_names(const struct run *run, struct output *output) {
    const struct plan *plan = run->plan;
    const int *cpus = run->options->cpus;
    for (int i = 0; i < plan->core_count; i++)
        output_print(output, "# core %d cpu %d %s\n", i, cpus[i], plan->cores[i]);
    for (int i = 0; i < plan->thread_count; i++)
        output_print(output, "# who %d thread %s\n", i, plan->threads[i].name);
    for (int i = 0; i < plan->controller_count; i++)
        output_print(output, "# who %d controller %s\n", controller_who(plan, i),
                     plan->controllers[i].name);
    for (int i = 0; i < plan->listener_count; i++)
        output_print(output, "# who %d listener %s\n", listener_who(plan, i), plan->listeners[i].name);
    for (int i = 0; i < plan->topic_count; i++)
        output_print(output, "# topic %d %s\n", i, plan->topics[i].name);
    for (int i = 0; i < plan->publication_count; i++)
        output_print(output, "# writer %d thread %d topic %d %s by %d\n", i, plan->publications[i].thread,
                     plan->publications[i].topic, plan->publications[i].controller < 0 ? "sync" : "async",
                     plan->publications[i].controller < 0
                         ? plan->publications[i].thread
                         : controller_who(plan, plan->publications[i].controller));
    for (int i = 0; i < plan->subscription_count; i++)
        output_print(output, "# reader %d thread %d topic %d at %d\n", i, plan->subscriptions[i].thread,
                     plan->subscriptions[i].topic, listener_who(plan, plan->subscriptions[i].listener));
}

static const char *how_it_ended(const struct run *run, size_t events) {
    if (stopped()) return "interrupted";
    if (run->pending) return "with work pending 5 s after the last release";
    return events ? "as planned" : "without any event";
}

static void write_head(struct run *run, struct machine *machine, struct output *output, size_t events) {
    const struct run_options *options = run->options;
    int stuck = atomic_load(&run->demoted_for);
    output_print(output, "# ddsrta-trace 1\n# system: %s\n# plan: crc32 %08x\n", run->plan->system,
                 run->plan->checksum);
    output_print(output, "# middleware: %s (%s%s%s)\n", options->middleware->name,
                 options->middleware->version, options->reliable ? ", reliable" : "",
                 options->one_participant ? ", one participant" : "");
    output_print(output, "# clock: CLOCK_MONOTONIC, ns; first release %lld\n", (long long)atomic_load(&run->start));
    output_print(output, "# spare: %lld ns less work in each job than its wcet\n", (long long)options->spare);
    output_print(output, "# busy loop: %.1f loops each us\n", loops_per_us());
    machine_update(machine);
    machine_write(machine, output, "# ");
    if (stuck >= 0)
        output_print(output, "# ended: by the watchdog, as thread %d (%s) made no progress\n", stuck,
                     run->plan->threads[stuck].name);
    else
        output_print(output, "# ended: %s\n", how_it_ended(run, events));
    write_names(run, output);
    write_places(run, output);
    evidence_write(run->evidence, output, atomic_load(&run->start));
}

static void number_or_nothing(char *text, size_t size, uint16_t value) {
    if (value == NOBODY) *text = 0;
    else snprintf(text, size, "%u", value);
}

static void write_event(struct output *output, const struct event *event, int64_t start) {
    char topic[8], writer[8], reader[8];
    number_or_nothing(topic, sizeof topic, event->topic);
    number_or_nothing(writer, sizeof writer, event->writer);
    number_or_nothing(reader, sizeof reader, event->reader);
    output_print(output, "%lld,%lld,%s,%u,%u,%s,%s,%u,%s,%u,%u\n", (long long)(event->time - start),
                 (long long)event->cpu, event_names[event->kind], event->who, event->job, topic, writer,
                 event->number, reader, event->waits, event->stops);
}

// Copies that were written for a reader and not delivered to it, up to the end.
static uint64_t count_lost(const struct run *run, const struct event *events, size_t count) {
    uint64_t copies = 0, delivered = 0;
    for (size_t i = 0; i < count; i++) {
        delivered += events[i].kind == EVENT_DELIVERED;
        if (events[i].kind != EVENT_PUBLISH) continue;
        for (int r = 0; r < run->plan->subscription_count; r++)
            copies += run->plan->subscriptions[r].topic == events[i].topic;
    }
    return copies > delivered ? copies - delivered : 0;
}

bool write_trace(struct run *run, struct machine *machine) {
    struct output output;
    char more[160];
    size_t count;
    int64_t start = atomic_load(&run->start);
    struct event *events = trace_collect(run->trace, &count);
    output_open(&output, run->options->output);
    write_head(run, machine, &output, count);
    output_print(&output, "time_ns,cpu_ns,event,who,job,topic,writer,number,reader,waits,stops\n");
    for (size_t i = 0; i < count; i++) write_event(&output, &events[i], start);
    snprintf(more, sizeof more, "lost_records=%llu lost_messages=%llu lost_inputs=%llu refused=%llu dropped=%llu",
             (unsigned long long)trace_dropped(run->trace),
             (unsigned long long)count_lost(run, events, count),
             (unsigned long long)atomic_load(&run->lost_inputs),
             (unsigned long long)atomic_load(&run->refused), (unsigned long long)run->dropped);
    output_end_mark(&output, count, more);
    output_commit(&output);
    printf("%s: %zu events, %s\n", run->options->output, count, more);
    bool lossless = count && !trace_dropped(run->trace) && !count_lost(run, events, count) &&
                    !atomic_load(&run->lost_inputs) && !atomic_load(&run->refused) && !run->pending;
    free(events);
    trace_destroy(run->trace);
    evidence_destroy(run->evidence);
    return lossless;
}
