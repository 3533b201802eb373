// periodic: two periodic tasks on one CPU, in four scenarios and four ways of scheduling.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "../library/clock.h"
#include "../library/failure.h"
#include "../library/machine.h"
#include "../library/realtime.h"
#include "../library/stop.h"
#include "../library/values.h"
#include "periodic.h"

static const char help[] =
    "usage: periodic --output FILE [options]\n"
    "Runs Soyer's four scenarios of two periodic tasks on one CPU and counts missed deadlines, under\n"
    "  declaration         SCHED_FIFO, equal priorities, the task with the tighter deadline first\n"
    "  deadline_monotonic  SCHED_FIFO, the shorter deadline more urgent\n"
    "  edf                 SCHED_FIFO, priorities swapped at releases: the earlier deadline first\n"
    "  sched_deadline      SCHED_DEADLINE; the kernel may refuse to hold it on one CPU\n\n"
    "  --duration TIME     of each scenario and way (default 5s)\n"
    "  --cpu N             default: the last\n"
    "  --output FILE       CSV, a line for each task, scenario and way\n\n"
    "An interrupt keeps the lines that are complete. Exit status: 0 complete, 1 interrupted, 2 wrong\n"
    "call, 77 no permission for SCHED_FIFO.\n";

struct call {
    int64_t duration;
    int cpu;
    const char *output;
};

static void parse(int count, char **values, struct call *call) {
    static const struct option names[] = {{"duration", 1, NULL, 'd'}, {"cpu", 1, NULL, 'c'},
                                          {"output", 1, NULL, 'o'}, {"help", 0, NULL, 'h'}, {0}};
    for (int option; (option = getopt_long(count, values, "h", names, NULL)) != -1;) {
        switch (option) {
        case 'd': call->duration = parse_duration("--duration", optarg); break;
        case 'c': call->cpu = (int)parse_count("--cpu", optarg, 0, 4095); break;
        case 'o': call->output = optarg; break;
        case 'h': fputs(help, stdout); exit(0);
        default: fail("see periodic --help");
        }
    }
    if (optind < count) fail("'%.40s' is too much; see periodic --help", values[optind]);
    if (!call->output) fail("--output is missing: the file for the results");
    if (!cpu_usable(call->cpu)) fail("--cpu: this process may not use CPU %d", call->cpu);
}

static void write_rows(struct output *output, const struct scenario *scenario, enum way way,
                       const struct periodic_result *result) {
    if (result->refused) {
        output_print(output, "# scenario %s, %s: refused by the kernel\n", scenario->name, way_names[way]);
        return;
    }
    for (int i = 0; i < TASKS; i++) {
        const struct periodic_task *task = &scenario->tasks[i];
        const struct task_result *found = &result->tasks[i];
        output_print(output, "%s,%s,%s,%d,%lld,%lld,%lld,%lld,%lld,%lld,%lld,%lld,%lld\n", scenario->name,
                     way_names[way], result->one_cpu ? "yes" : "no", i + 1, (long long)task->period,
                     (long long)task->deadline, (long long)task->execution, (long long)task->offset,
                     (long long)found->jobs, (long long)found->misses, (long long)found->first_miss,
                     (long long)histogram_percentile(&found->response, 0.5),
                     (long long)found->response.largest);
    }
}

int main(int count, char **values) {
    struct call call = {.duration = 5 * NS_PER_SECOND, .cpu = nth_usable_cpu(cpu_count() - 1)};
    struct machine machine;
    struct output output;
    static struct periodic_result result;
    uint64_t rows = 0;
    parse(count, values, &call);
    machine_inspect(&machine, &call.cpu, 1);
    machine_print_warnings(&machine);
    if (!may_realtime()) {
        warn("without SCHED_FIFO the scenarios say nothing: nothing was run");
        return EXIT_SKIPPED;
    }
    calibrate();
    catch_signals();
    output_open(&output, call.output);
    output_print(&output, "# ddsrta-periodic 1\n");
    machine_write(&machine, &output, "# ");
    output_print(&output, "scenario,way,one_cpu,task,period_ns,deadline_ns,execution_ns,offset_ns,jobs,"
                          "misses,first_miss,response_p50_ns,response_max_ns\n");
    for (int s = 0; s < SCENARIOS; s++) {
        for (int way = 0; way < WAYS && !stopped(); way++) {
            run_scenario(&scenarios[s], (enum way)way, call.cpu, call.duration, &result);
            if (!result.complete) break;
            write_rows(&output, &scenarios[s], (enum way)way, &result);
            rows += result.refused ? 0 : TASKS;
        }
    }
    machine_update(&machine);
    output_print(&output, "# %s\n", machine.meanwhile);
    output_end_mark(&output, rows, stopped() ? "interrupted" : NULL);
    output_commit(&output);
    printf("%s: %llu lines%s\n", call.output, (unsigned long long)rows, stopped() ? ", interrupted" : "");
    return stopped() ? EXIT_MISSED : 0;
}
