#include "histogram.h"

#include <math.h>
#include <string.h>

// Values below 32 have a bin each; above, each power of two has 32 bins.
static int bin_of(int64_t value) {
    if (value < 32) return value < 0 ? 0 : (int)value;
    int exponent = 63 - __builtin_clzll((unsigned long long)value);
    return (exponent - 4) * 32 + (int)((value >> (exponent - 5)) & 31);
}

int64_t bin_upper_edge(int bin) {
    if (bin < 32) return bin;
    int shift = bin / 32 - 1;
    if (shift > 57) return INT64_MAX; // values end at 2^63
    return (int64_t)((((uint64_t)(32 + bin % 32) + 1) << shift) - 1);
}

void histogram_reset(struct histogram *histogram) { memset(histogram, 0, sizeof *histogram); }

void histogram_add(struct histogram *histogram, int64_t value, struct context context) {
    histogram->bins[bin_of(value)]++;
    if (!histogram->count || value < histogram->least) histogram->least = value;
    if (!histogram->count || value > histogram->largest) {
        histogram->largest = value;
        histogram->at_largest = context;
    }
    histogram->count++;
    histogram->sum += (double)value;
    histogram->squares += (double)value * (double)value;
}

int64_t histogram_percentile(const struct histogram *histogram, double share) {
    uint64_t wanted = (uint64_t)ceil(share * (double)histogram->count);
    uint64_t seen = 0;
    if (!histogram->count) return 0;
    if (wanted < 1) wanted = 1;
    for (int bin = 0; bin < HISTOGRAM_BINS; bin++) {
        seen += histogram->bins[bin];
        if (seen < wanted) continue;
        int64_t edge = bin_upper_edge(bin);
        return edge < histogram->largest ? edge : histogram->largest;
    }
    return histogram->largest;
}

double histogram_mean(const struct histogram *histogram) {
    return histogram->count ? histogram->sum / (double)histogram->count : 0;
}

double histogram_deviation(const struct histogram *histogram) {
    if (!histogram->count) return 0;
    double mean = histogram_mean(histogram);
    double variance = histogram->squares / (double)histogram->count - mean * mean;
    return variance > 0 ? sqrt(variance) : 0;
}
