// delays: measures δf, δl and δs for payload sizes.
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../library/failure.h"
#include "../library/stop.h"
#include "../library/values.h"
#include "delays.h"

enum { MOST_SIZES = 32 };

struct call {
    struct delay_options options;
    uint32_t sizes[MOST_SIZES];
    int size_count;
    bool async, sync;
};

static const char help[] =
    "usage: delays [options]\n"
    "Measures how long a flow controller, a listener and a publisher that sends by itself are at one\n"
    "message, for payload sizes; one message at a time, over loopback.\n\n"
    "  --middleware NAME  udp (plain threads, always there), fastdds, cyclone (default udp)\n"
    "  --samples N        messages for each size and mode (default 50000)\n"
    "  --warm-up N        messages before, not counted (default 50)\n"
    "  --sizes LIST       default 1kB,3kB,5kB,24kB,500kB,750kB,1500kB\n"
    "  --modes LIST       async, sync (default: both, where the middleware has both)\n"
    "  --cpus A,B         CPUs of the sender and of the listener (default: the last two)\n"
    "  --priority N       SCHED_FIFO priority of the measured threads, 0: the default policy (90)\n"
    "  --pause TIME       between a delivery and the next message (default 0us)\n"
    "  --reliable         reliable instead of best-effort topics\n"
    "  --output FOLDER    where the results go (default .)\n\n"
    "Writes a CSV file for each size and mode, as soon as it is complete, and NAME.yaml with the\n"
    "'delays:' of a system.yaml. An interrupt keeps what is complete.\n"
    "Exit status: 0 all measured, 1 interrupted or messages lost, 2 wrong call.\n";

static void add_size(void *context, const char *text) {
    struct call *call = context;
    int64_t size = parse_size("--sizes", text);
    if (size < LEAST_SIZE) fail("--sizes: a message has at least %d bytes", LEAST_SIZE);
    if (call->size_count == MOST_SIZES) fail("--sizes: more than %d sizes", MOST_SIZES);
    call->sizes[call->size_count++] = (uint32_t)size;
}

static void add_mode(void *context, const char *text) {
    struct call *call = context;
    if (strcmp(text, "async") == 0)
        call->async = true;
    else if (strcmp(text, "sync") == 0)
        call->sync = true;
    else
        fail("--modes: '%.20s' is neither async nor sync", text);
}

static void set_cpus(struct delay_options *options, const char *text) {
    char copy[64];
    snprintf(copy, sizeof copy, "%s", text);
    char *comma = strchr(copy, ',');
    if (!comma) fail("--cpus: '%.40s' are not two CPUs; write 2,3", text);
    *comma = 0;
    options->sender_cpu = (int)parse_count("--cpus", copy, 0, 4095);
    options->listener_cpu = (int)parse_count("--cpus", comma + 1, 0, 4095);
    if (!cpu_usable(options->sender_cpu) || !cpu_usable(options->listener_cpu))
        fail("--cpus: %s: this process may not use both", text);
}

static void parse(int count, char **values, struct call *call) {
    static const struct option names[] = {
        {"middleware", 1, NULL, 'm'}, {"samples", 1, NULL, 'n'}, {"warm-up", 1, NULL, 'W'}, {"sizes", 1, NULL, 's'},
        {"modes", 1, NULL, 'M'}, {"cpus", 1, NULL, 'c'}, {"priority", 1, NULL, 'p'},
        {"pause", 1, NULL, 'w'}, {"reliable", 0, NULL, 'r'}, {"output", 1, NULL, 'o'},
        {"help", 0, NULL, 'h'}, {0}};
    struct delay_options *options = &call->options;
    for (int option; (option = getopt_long(count, values, "h", names, NULL)) != -1;) {
        switch (option) {
        case 'm': options->middleware = find_middleware(optarg); break;
        case 'n': options->samples = parse_count("--samples", optarg, 1, 10000000); break;
        case 'W': options->warm_up = parse_count("--warm-up", optarg, 0, 100000); break;
        case 's': if (!parse_list(optarg, add_size, call)) fail("--sizes: an empty list"); break;
        case 'M': if (!parse_list(optarg, add_mode, call)) fail("--modes: an empty list"); break;
        case 'c': set_cpus(options, optarg); break;
        case 'p': options->priority = (int)parse_count("--priority", optarg, 0, 98); break;
        case 'w': options->pause = parse_duration("--pause", optarg); break;
        case 'r': options->reliable = true; break;
        case 'o': options->folder = optarg; break;
        case 'h': fputs(help, stdout); exit(0);
        default: fail("see delays --help");
        }
    }
    if (optind < count) fail("'%.40s' is too much; see delays --help", values[optind]);
}

static int by_size(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

// Ascending, each size once.
static void order_sizes(struct call *call) {
    int kept = 0;
    qsort(call->sizes, (size_t)call->size_count, sizeof *call->sizes, by_size);
    for (int i = 0; i < call->size_count; i++)
        if (!kept || call->sizes[i] != call->sizes[kept - 1]) call->sizes[kept++] = call->sizes[i];
    call->size_count = kept;
}

static void complete(struct call *call) {
    struct delay_options *options = &call->options;
    if (!call->size_count)
        parse_list("1kB,3kB,5kB,24kB,500kB,750kB,1500kB", add_size, call);
    order_sizes(call);
    if (!options->middleware->has_controllers && call->async) {
        if (!call->sync) fail("%s has no flow controllers; use --modes sync", options->middleware->name);
        warn("%s has no flow controllers: no δf", options->middleware->name);
    }
    if (!call->async && !call->sync) call->async = call->sync = true;
    if (!options->middleware->has_controllers) call->async = false;
    if (mkdir(options->folder, 0777) && errno != EEXIST)
        fail("--output: %s cannot be made: %s", options->folder, strerror(errno));
    if (options->priority && !may_realtime()) options->priority = 0;
}

static bool measure_all(struct call *call, struct machine *machine) {
    struct block blocks[MOST_SIZES * 2];
    int count = 0;
    bool good = true;
    memset(blocks, 0, sizeof blocks);
    for (int i = 0; i < call->size_count && !stopped(); i++) {
        for (int async = 1; async >= 0 && !stopped(); async--) {
            if (!(async ? call->async : call->sync)) continue;
            struct block *block = &blocks[count];
            block->size = call->sizes[i];
            block->async = async;
            block->samples = call->options.samples;
            measure_block(&call->options, block);
            if (block->complete) write_samples(&call->options, machine, block);
            if (block->complete) count++;
            if (block->lost) good = false;
            free_block(block);
        }
    }
    if (count) write_table(&call->options, machine, blocks, count);
    if (stopped()) warn("interrupted: %d complete of %d", count, call->size_count * (call->async + call->sync));
    return good && !stopped();
}

int main(int count, char **values) {
    struct call call = {.options = {.folder = ".", .samples = 50000, .warm_up = 50, .priority = 90}};
    struct machine machine;
    int cpus = cpu_count();
    call.options.middleware = find_middleware("udp");
    call.options.sender_cpu = nth_usable_cpu(cpus > 1 ? cpus - 2 : 0);
    call.options.listener_cpu = nth_usable_cpu(cpus - 1);
    parse(count, values, &call);
    complete(&call);
    int measured[2] = {call.options.sender_cpu, call.options.listener_cpu};
    machine_inspect(&machine, measured, measured[0] == measured[1] ? 1 : 2);
    if (measured[0] == measured[1])
        machine_warn(&machine, "sender and listener share a CPU: waiting for each other is not seen");
    machine_print_warnings(&machine);
    catch_signals();
    return measure_all(&call, &machine) ? 0 : EXIT_MISSED;
}
