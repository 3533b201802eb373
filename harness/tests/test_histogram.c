#include "../library/histogram.h"
#include "check.h"

static struct histogram histogram;

static void percentiles_are_never_below_the_true_ones(void) {
    histogram_reset(&histogram);
    for (int64_t i = 1; i <= 1000; i++) histogram_add(&histogram, i * 1000, (struct context){.number = i});
    CHECK(histogram_percentile(&histogram, 0.5) >= 500000 && histogram_percentile(&histogram, 0.5) < 517000);
    CHECK(histogram_percentile(&histogram, 0.99) >= 990000);
    CHECK(histogram_percentile(&histogram, 1) == 1000000);
    CHECK(histogram.least == 1000 && histogram.largest == 1000000);
    CHECK(histogram_mean(&histogram) > 500499 && histogram_mean(&histogram) < 500501);
}

static void the_largest_keeps_its_context(void) {
    histogram_reset(&histogram);
    histogram_add(&histogram, 5, (struct context){1, 2, 3});
    histogram_add(&histogram, 50, (struct context){4, 5, 6});
    histogram_add(&histogram, 50, (struct context){7, 8, 9});
    CHECK(histogram.at_largest.time == 4 && histogram.at_largest.number == 5);
    CHECK(histogram.at_largest.gap == 6);
}

static void any_value_fits(void) {
    const int64_t values[] = {-5, 0, 31, 32, 33, 1LL << 40, INT64_MAX};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        histogram_reset(&histogram);
        histogram_add(&histogram, values[i], (struct context){0});
        CHECK(histogram_percentile(&histogram, 0.5) == values[i] || values[i] < 0);
    }
    for (int bin = 1; bin < 50 * 32; bin++) CHECK(bin_upper_edge(bin) > bin_upper_edge(bin - 1));
}

int main(void) {
    percentiles_are_never_below_the_true_ones();
    the_largest_keeps_its_context();
    any_value_fits();
    histogram_reset(&histogram);
    CHECK(histogram_percentile(&histogram, 0.5) == 0 && histogram_deviation(&histogram) == 0);
    return 0;
}
