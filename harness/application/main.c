// application: runs a plan as real threads and writes down what they do.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../library/clock.h"
#include "../library/failure.h"
#include "../library/stop.h"
#include "../library/values.h"
#include "run.h"

static const char help[] =
    "usage: application PLAN --output TRACE [options]\n"
    "Runs the system of a plan file as real threads, with its cores, priorities, flow controllers,\n"
    "periods and execution times, and writes a trace of all they do.\n\n"
    "  --middleware NAME  udp (plain threads, always there), fastdds, cyclone (synchronous only)\n"
    "  --output FILE      the trace (CSV)\n"
    "  --duration TIME    of releases (default 10s)\n"
    "  --jobs N           releases of each timer at most\n"
    "  --cpus LIST        the CPU of each core of the plan, in its order (default: one after another)\n"
    "  --watchdog TIME    a job that takes longer lowers all priorities and ends the run (default 3s)\n"
    "  --spare TIME       each job works for its wcet less this, which is left for waking up and for the\n"
    "                     harness' own work, as a measured wcet has them, too (default 0us)\n"
    "  --seed N           of releases with jitter (default 1)\n"
    "  --reliable         reliable instead of best-effort topics\n"
    "  --one-participant  Fast DDS: all writers in one participant, so that they share its send mutex\n\n"
    "An interrupt ends the run and writes what was seen. Exit status: 0 complete, 1 interrupted,\n"
    "ended by the watchdog, or messages or records lost; 2 wrong call.\n";

struct call {
    struct run_options options;
    int cpu_count;
};

static void add_cpu(void *context, const char *text) {
    struct call *call = context;
    if (call->cpu_count == MOST_THINGS) fail("--cpus: more than %d CPUs", MOST_THINGS);
    int cpu = (int)parse_count("--cpus", text, 0, 4095);
    if (!cpu_usable(cpu)) fail("--cpus: this process may not use CPU %d", cpu);
    call->options.cpus[call->cpu_count++] = cpu;
}

static const char *parse(int count, char **values, struct call *call) {
    static const struct option names[] = {
        {"middleware", 1, NULL, 'm'}, {"output", 1, NULL, 'o'}, {"duration", 1, NULL, 'd'},
        {"jobs", 1, NULL, 'n'}, {"cpus", 1, NULL, 'c'}, {"watchdog", 1, NULL, 'w'},
        {"seed", 1, NULL, 's'}, {"spare", 1, NULL, 'S'}, {"reliable", 0, NULL, 'r'}, {"one-participant", 0, NULL, '1'}, {"help", 0, NULL, 'h'}, {0}};
    struct run_options *options = &call->options;
    for (int option; (option = getopt_long(count, values, "h", names, NULL)) != -1;) {
        switch (option) {
        case 'm': options->middleware = find_middleware(optarg); break;
        case 'o': options->output = optarg; break;
        case 'd': options->duration = parse_duration("--duration", optarg); break;
        case 'n': options->jobs = parse_count("--jobs", optarg, 1, 100000000); break;
        case 'c': if (!parse_list(optarg, add_cpu, call)) fail("--cpus: an empty list"); break;
        case 'w': options->watchdog = parse_duration("--watchdog", optarg); break;
        case 'S': options->spare = parse_duration("--spare", optarg); break;
        case 's': options->seed = (unsigned)parse_count("--seed", optarg, 0, 1000000000); break;
        case 'r': options->reliable = true; break;
        case '1': options->one_participant = true; break;
        case 'h': fputs(help, stdout); exit(0);
        default: fail("see application --help");
        }
    }
    if (optind + 1 != count) fail("one plan is needed; see application --help");
    if (!options->output) fail("--output is missing: the file for the trace");
    return values[optind];
}

static void place_cores(struct call *call, const struct plan *plan) {
    if (call->cpu_count && call->cpu_count != plan->core_count)
        fail("--cpus: %d CPUs for %d cores of the plan", call->cpu_count, plan->core_count);
    for (int i = call->cpu_count; i < plan->core_count; i++) call->options.cpus[i] = nth_usable_cpu(i);
}

static void inspect(struct machine *machine, const struct call *call, const struct plan *plan) {
    int cpus[MOST_THINGS];
    int count = 0;
    bool shared = false;
    for (int i = 0; i < plan->core_count; i++) {
        bool known = false;
        for (int k = 0; k < count; k++) known |= cpus[k] == call->options.cpus[i];
        if (!known) cpus[count++] = call->options.cpus[i];
        shared |= known;
    }
    machine_inspect(machine, cpus, count);
    if (shared)
        machine_warn(machine, "%d cores of the plan share %d CPUs: their threads delay each other, "
                              "which the model does not know", plan->core_count, count);
    machine_print_warnings(machine);
}

int main(int count, char **values) {
    struct call call = {.options = {.duration = 10 * NS_PER_SECOND, .watchdog = 3 * NS_PER_SECOND,
                                    .seed = 1}};
    struct machine machine;
    call.options.middleware = find_middleware("udp");
    struct plan *plan = plan_read(parse(count, values, &call));
    place_cores(&call, plan);
    for (int i = 0; i < plan->publication_count; i++)
        if (plan->publications[i].controller >= 0 && !call.options.middleware->has_controllers)
            fail("%s has no flow controllers: only synchronous publications can run on it",
                 call.options.middleware->name);
    for (int i = 0; i < plan->controller_count; i++)
        if ((plan->controllers[i].bytes || plan->controllers[i].policy == POLICY_RESERVATION) &&
            !call.options.middleware->has_limits)
            fail("%s has no limits of bandwidth and no reservations", call.options.middleware->name);
    output_discard(call.options.output); // what an earlier run left must not pass for this one
    inspect(&machine, &call, plan);
    calibrate();
    catch_signals();
    struct run run = {.plan = plan, .options = &call.options};
    run_plan(&run);
    int stuck = atomic_load(&run.demoted_for);
    if (stuck >= 0)
        warn("ended by the watchdog: thread '%s' made no progress; all priorities were lowered",
             plan->threads[stuck].name);
    bool whole = write_trace(&run, &machine) && !stopped();
    plan_free(plan);
    return whole ? 0 : EXIT_MISSED;
}
