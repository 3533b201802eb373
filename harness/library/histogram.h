// A histogram of durations whose bins grow with the value: at most 1/32 (3.2 %) wide.
#pragma once
#include <stdint.h>

enum { HISTOGRAM_BINS = 64 * 32 };

struct context { // of the largest value: when it was, the how manieth, and how long the thread
    int64_t time; // did not run meanwhile
    int64_t number;
    int64_t gap;
};

struct histogram {
    uint64_t bins[HISTOGRAM_BINS];
    uint64_t count;
    int64_t least, largest;
    double sum, squares;
    struct context at_largest;
};

void histogram_reset(struct histogram *histogram);
void histogram_add(struct histogram *histogram, int64_t value, struct context context);
// An upper bound of the least value that `share` (0 … 1) of all values do not exceed.
int64_t histogram_percentile(const struct histogram *histogram, double share);
double histogram_mean(const struct histogram *histogram);
double histogram_deviation(const struct histogram *histogram);
int64_t bin_upper_edge(int bin); // the largest value of a bin
