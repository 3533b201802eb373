#include <stdio.h>

#include "delays.h"

static const char *stage_name(const struct block *block, bool sending) {
    return !sending ? "listener" : block->async ? "flow_controller" : "publisher";
}

static void head(struct output *output, const struct delay_options *options,
                 struct machine *machine) {
    output_print(output, "# middleware: %s (%s%s)\n", options->middleware->name,
                 options->middleware->version, options->reliable ? ", reliable" : "");
    output_print(output, "# warm-up: %lld messages before each size and mode are not counted\n",
                 (long long)options->warm_up);
    machine_update(machine);
    machine_write(machine, output, "# ");
}

static const char *size_text(uint32_t size, char *text, size_t room) {
    snprintf(text, room, size % 1000 ? "%uB" : "%ukB", size % 1000 ? size : size / 1000);
    return text;
}

static void rows(struct output *output, const struct block *block, bool sending, uint64_t *count) {
    const struct stage_delays *stage = sending ? &block->sending : &block->listening;
    for (int64_t i = 0; i < block->samples; i++) {
        struct delay delay = stage->delays[i];
        if (delay.cpu < 0) continue;
        output_print(output, "%s,%u,%lld,%lld,%lld,%lld,%lld\n", stage_name(block, sending),
                     block->size, (long long)i, (long long)delay_of(delay), (long long)delay.wall,
                     (long long)delay.cpu, (long long)delay.idle);
        ++*count;
    }
}

void write_samples(const struct delay_options *options, struct machine *machine,
                   const struct block *block) {
    struct output output;
    char path[4096], more[80];
    uint64_t count = 0;
    snprintf(path, sizeof path, "%s/%s-%s-%u.csv", options->folder, options->middleware->name,
             block->async ? "async" : "sync", block->size);
    output_open(&output, path);
    head(&output, options, machine);
    output_print(&output, "stage,size,number,delay_ns,wall_ns,cpu_ns,idle_ns\n");
    rows(&output, block, true, &count);
    rows(&output, block, false, &count);
    snprintf(more, sizeof more, "lost=%lld", (long long)block->lost);
    output_end_mark(&output, count, more);
    output_commit(&output);
}

static long long us_up(int64_t ns) { return (long long)((ns + 999) / 1000); }

// The row is the maximum seen, rounded up: a bound rests on it, so nothing is left out of it. Rows
// must not decrease with the size, so one below an earlier one (`least`) is raised to it.
static void row(struct output *output, const struct block *block, bool sending, int64_t *least) {
    const struct stage_delays *stage = sending ? &block->sending : &block->listening;
    const struct histogram *all = &stage->histogram;
    char size[24];
    size_text(block->size, size, sizeof size);
    if (!all->count) {
        output_print(output, "    # %s: no sample came through\n", size);
        return;
    }
    char raised[60] = "";
    if (all->largest < *least)
        snprintf(raised, sizeof raised, "raised to the row above from %lldus; ", us_up(all->largest));
    else
        *least = all->largest;
    output_print(output,
                 "    %s: %lldus  # %sof %llu samples, in us: p50 %lld, p99 %lld, p99.9 %lld; largest at "
                 "number %lld, the thread not running for %lld of it; largest processor time %lld; "
                 "lost %lld\n",
                 size, us_up(*least), raised, (unsigned long long)all->count,
                 us_up(histogram_percentile(all, 0.5)), us_up(histogram_percentile(all, 0.99)),
                 us_up(histogram_percentile(all, 0.999)), (long long)all->at_largest.number,
                 us_up(all->at_largest.gap), us_up(stage->cpu.largest), (long long)block->lost);
}

// Listener rows: of one size, the run with the larger maximum.
static bool listens_longest(const struct block *blocks, int count, int index) {
    for (int i = 0; i < count; i++) {
        if (blocks[i].size != blocks[index].size || i == index) continue;
        int64_t other = blocks[i].listening.histogram.largest;
        int64_t own = blocks[index].listening.histogram.largest;
        if (other > own || (other == own && i < index)) return false;
    }
    return true;
}

void write_table(const struct delay_options *options, struct machine *machine,
                 const struct block *blocks, int count) {
    struct output output;
    char path[4096];
    uint64_t written = 0;
    snprintf(path, sizeof path, "%s/%s.yaml", options->folder, options->middleware->name);
    output_open(&output, path);
    head(&output, options, machine);
    output_print(&output, "# A maximum over samples is no upper bound: what was not seen may still be.\n"
                          "delays:\n");
    for (int stage = 0; stage < 3; stage++) {
        static const char *const names[] = {"flow_controller", "listener", "publisher"};
        bool any = false;
        int64_t least = 0;
        for (int i = 0; i < count; i++) {
            bool fits = stage == 1 ? listens_longest(blocks, count, i) : blocks[i].async == (stage == 0);
            if (!fits) continue;
            if (!any) output_print(&output, "  %s:\n", names[stage]);
            any = true;
            row(&output, &blocks[i], stage != 1, &least);
            written++;
        }
        if (!any) output_print(&output, "  # %s: not measured\n", names[stage]);
    }
    output_end_mark(&output, written, NULL);
    output_commit(&output);
    printf("%s\n", path);
}
