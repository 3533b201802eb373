// lag: timer lag and period jitter, over periods, utilisations, scheduling and lag controllers.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../library/clock.h"
#include "../library/failure.h"
#include "../library/machine.h"
#include "../library/stop.h"
#include "../library/values.h"
#include "lag.h"

enum { MOST = 32 };

struct call {
    int64_t periods[MOST];
    double utilisations[MOST], gains[MOST];
    enum scheduling schedulings[MOST];
    enum controller_kind controllers[MOST];
    int period_count, utilisation_count, gain_count, scheduling_count, controller_count;
    int64_t samples, longest;
    int cpu, priority;
    const char *output;
};

static const char help[] =
    "usage: lag --output FILE [options]\n"
    "Measures how late a periodic thread starts and how much its periods vary.\n\n"
    "  --periods LIST       default 100us,1ms,10ms\n"
    "  --utilisations LIST  per cent of the period that each job works (default 0,25,50,70,80,90,95)\n"
    "  --scheduling LIST    default, fifo (SCHED_FIFO), pinned (and on one CPU), isolated (that CPU is\n"
    "                       isolated, else it is left out); default: all four\n"
    "  --controllers LIST   none, first, second: against the lag (default: all three)\n"
    "  --gains LIST         of the controllers (default 1; Soyer's table has 0.5,1,1.5,2)\n"
    "  --samples N          periods of each combination (default 10000)\n"
    "  --longest TIME       of a combination: fewer samples where the period is long (default 20s)\n"
    "  --cpu N              to pin to (default: the last isolated one, else the last)\n"
    "  --priority N         SCHED_FIFO priority (default 95)\n"
    "  --output FILE        CSV, one line for each combination\n\n"
    "An interrupt keeps the lines that are complete. Exit status: 0 complete, 1 interrupted, 2 wrong\n"
    "call.\n";

static int choose(const char *option, const char *text, const char *const *names, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0) return i;
    fail("%s: '%.40s' is unknown; see lag --help", option, text);
}

static int room(const char *option, int *count) {
    if (*count == MOST) fail("%s: more than %d values", option, MOST);
    return (*count)++;
}

static void add_period(void *context, const char *text) {
    struct call *call = context;
    int64_t period = parse_duration("--periods", text);
    if (period < 10000) fail("--periods: %s is shorter than 10us", text);
    call->periods[room("--periods", &call->period_count)] = period;
}

static void add_utilisation(void *context, const char *text) {
    struct call *call = context;
    int place = room("--utilisations", &call->utilisation_count);
    call->utilisations[place] = parse_number("--utilisations", text, 0, 99);
}

static void add_gain(void *context, const char *text) {
    struct call *call = context;
    call->gains[room("--gains", &call->gain_count)] = parse_number("--gains", text, 0, 100);
}

static void add_scheduling(void *context, const char *text) {
    struct call *call = context;
    call->schedulings[room("--scheduling", &call->scheduling_count)] =
        (enum scheduling)choose("--scheduling", text, scheduling_names, SCHEDULINGS);
}

static void add_controller(void *context, const char *text) {
    struct call *call = context;
    call->controllers[room("--controllers", &call->controller_count)] =
        (enum controller_kind)choose("--controllers", text, controller_names, CONTROLLER_KINDS);
}

static void list(const char *option, const char *text, void (*add)(void *, const char *), struct call *call) {
    if (!parse_list(text, add, call)) fail("%s: an empty list", option);
}

static void parse(int count, char **values, struct call *call) {
    static const struct option names[] = {
        {"periods", 1, NULL, 'p'}, {"utilisations", 1, NULL, 'u'}, {"scheduling", 1, NULL, 's'},
        {"controllers", 1, NULL, 'k'}, {"gains", 1, NULL, 'g'}, {"samples", 1, NULL, 'n'},
        {"longest", 1, NULL, 'l'}, {"cpu", 1, NULL, 'c'}, {"priority", 1, NULL, 'P'},
        {"output", 1, NULL, 'o'}, {"help", 0, NULL, 'h'}, {0}};
    for (int option; (option = getopt_long(count, values, "h", names, NULL)) != -1;) {
        switch (option) {
        case 'p': list("--periods", optarg, add_period, call); break;
        case 'u': list("--utilisations", optarg, add_utilisation, call); break;
        case 's': list("--scheduling", optarg, add_scheduling, call); break;
        case 'k': list("--controllers", optarg, add_controller, call); break;
        case 'g': list("--gains", optarg, add_gain, call); break;
        case 'n': call->samples = parse_count("--samples", optarg, 2, 100000000); break;
        case 'l': call->longest = parse_duration("--longest", optarg); break;
        case 'c': call->cpu = (int)parse_count("--cpu", optarg, 0, 4095); break;
        case 'P': call->priority = (int)parse_count("--priority", optarg, 1, 99); break;
        case 'o': call->output = optarg; break;
        case 'h': fputs(help, stdout); exit(0);
        default: fail("see lag --help");
        }
    }
    if (optind < count) fail("'%.40s' is too much; see lag --help", values[optind]);
    if (!call->output) fail("--output is missing: the file for the results");
    if (!cpu_usable(call->cpu)) fail("--cpu: this process may not use CPU %d", call->cpu);
    if (!call->period_count) list("", "100us,1ms,10ms", add_period, call);
    if (!call->utilisation_count) list("", "0,25,50,70,80,90,95", add_utilisation, call);
    if (!call->scheduling_count) list("", "default,fifo,pinned,isolated", add_scheduling, call);
    if (!call->controller_count) list("", "none,first,second", add_controller, call);
    if (!call->gain_count) list("", "1", add_gain, call);
}

static double share(int64_t part, uint64_t of) { return of ? 100.0 * (double)part / (double)of : 0; }

static void write_row(struct output *output, const struct lag_setting *setting,
                      const struct lag_result *result) {
    const struct histogram *lag = &result->lag, *jitter = &result->jitter;
    output_print(output, "%lld,%g,%s,%s,%g,%llu,", (long long)setting->period, setting->utilisation,
                 scheduling_names[setting->scheduling], controller_names[setting->controller.kind],
                 setting->controller.gain, (unsigned long long)lag->count);
    output_print(output, "%.0f,%.0f,%lld,%lld,%lld,%lld,%.2f,%.2f,", histogram_mean(lag),
                 histogram_deviation(lag), (long long)histogram_percentile(lag, 0.5),
                 (long long)histogram_percentile(lag, 0.9), (long long)histogram_percentile(lag, 0.99),
                 (long long)lag->largest, share(result->below_10us, lag->count),
                 share(result->below_20us, lag->count));
    output_print(output, "%.0f,%lld,%.2f,%.2f,%.2f,%lld,%lld\n", histogram_deviation(jitter),
                 (long long)jitter->largest, share(result->near_10us, jitter->count),
                 share(result->near_15us, jitter->count), share(result->near_30us, jitter->count),
                 (long long)result->longest_stop, (long long)lag->at_largest.number);
}

// The application has one timer: its period is the least one.
static bool measure_one(const struct call *call, struct output *output, struct lag_setting setting) {
    static struct lag_result result;
    int64_t fitting = call->longest / setting.period;
    setting.samples = fitting < call->samples ? (fitting > 2 ? fitting : 2) : call->samples;
    setting.controller.least_period = setting.period;
    setting.longest = 2 * call->longest;
    measure_lag(&setting, &result);
    if (result.complete) write_row(output, &setting, &result);
    return result.complete;
}

static uint64_t measure_controllers(const struct call *call, struct output *output,
                                    struct lag_setting setting) {
    uint64_t rows = 0;
    for (int k = 0; k < call->controller_count; k++) {
        for (int g = 0; g < call->gain_count && !stopped(); g++) {
            enum controller_kind kind = call->controllers[k];
            if (kind == CONTROLLER_NONE && g) break;
            setting.controller = (struct lag_controller){.kind = kind, .gain = call->gains[g]};
            if (kind == CONTROLLER_NONE) setting.controller.gain = 0;
            rows += measure_one(call, output, setting);
        }
    }
    return rows;
}

static uint64_t measure_all(const struct call *call, struct output *output) {
    uint64_t rows = 0;
    for (int s = 0; s < call->scheduling_count; s++) {
        enum scheduling scheduling = call->schedulings[s];
        if (scheduling != SCHEDULING_DEFAULT && !may_realtime()) {
            warn("no permission for SCHED_FIFO: '%s' is left out", scheduling_names[scheduling]);
            output_print(output, "# %s: left out, as SCHED_FIFO is refused\n", scheduling_names[scheduling]);
            continue;
        }
        if (scheduling == SCHEDULING_ISOLATED && !cpu_isolated(call->cpu)) {
            warn("CPU %d is not isolated: 'isolated' is left out", call->cpu);
            output_print(output, "# isolated: left out, as CPU %d is not\n", call->cpu);
            continue;
        }
        for (int p = 0; p < call->period_count; p++)
            for (int u = 0; u < call->utilisation_count && !stopped(); u++)
                rows += measure_controllers(call, output,
                                            (struct lag_setting){.period = call->periods[p],
                                                                 .utilisation = call->utilisations[u],
                                                                 .scheduling = scheduling,
                                                                 .cpu = call->cpu,
                                                                 .priority = call->priority});
    }
    return rows;
}

static int best_cpu(void) {
    int best = nth_usable_cpu(cpu_count() - 1);
    for (int i = 0; i < cpu_count(); i++)
        if (cpu_isolated(nth_usable_cpu(i))) best = nth_usable_cpu(i);
    return best;
}

int main(int count, char **values) {
    struct call call = {.samples = 10000, .longest = 20 * NS_PER_SECOND, .cpu = best_cpu(), .priority = 95};
    struct machine machine;
    struct output output;
    parse(count, values, &call);
    machine_inspect(&machine, &call.cpu, 1);
    machine_print_warnings(&machine);
    calibrate();
    catch_signals();
    output_open(&output, call.output);
    output_print(&output, "# ddsrta-lag 1\n");
    machine_write(&machine, &output, "# ");
    output_print(&output, "period_ns,utilisation_percent,scheduling,controller,gain,samples,lag_mean_ns,"
                          "lag_deviation_ns,lag_p50_ns,lag_p90_ns,lag_p99_ns,lag_max_ns,"
                          "lag_below_10us_percent,lag_below_20us_percent,jitter_deviation_ns,"
                          "jitter_max_ns,jitter_within_10us_percent,jitter_within_15us_percent,"
                          "jitter_within_30us_percent,longest_stop_ns,lag_max_at\n");
    uint64_t rows = measure_all(&call, &output);
    machine_update(&machine);
    output_print(&output, "# %s\n", machine.meanwhile);
    output_end_mark(&output, rows, stopped() ? "interrupted" : NULL);
    output_commit(&output);
    printf("%s: %llu combinations%s\n", call.output, (unsigned long long)rows,
           stopped() ? ", interrupted" : "");
    return stopped() ? EXIT_MISSED : 0;
}
