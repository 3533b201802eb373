#include "../library/values.h"
#include "check.h"

static void duration(const void *text) { parse_duration("--period", text); }
static void size(const void *text) { parse_size("--sizes", text); }
static void count(const void *text) { parse_count("--samples", text, 1, 10); }

int main(void) {
    char text[30];
    CHECK(parse_duration("", "100us") == 100000 && parse_duration("", "1.5ms") == 1500000);
    CHECK(parse_duration("", "2s") == 2000000000 && parse_duration("", "0ns") == 0);
    CHECK(parse_size("", "24kB") == 24000 && parse_size("", "500B") == 500);
    CHECK(parse_count("", "10", 1, 10) == 10);
    CHECK(strcmp(duration_text(1500000, text, sizeof text), "1500us") == 0);
    const char *const durations[] = {"", "1", "ms", "-1ms", "1e300s", "nanms", "infs", "1 ms", "1msx"};
    for (unsigned i = 0; i < sizeof durations / sizeof *durations; i++)
        CHECK(fails_with(duration, durations[i], "--period"));
    const char *const sizes[] = {"1", "1KB", "-1kB", "17MB", "1kBB"};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        CHECK(fails_with(size, sizes[i], "--sizes"));
    const char *const counts[] = {"0", "11", "1x", "", "99999999999999999999"};
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
        CHECK(fails_with(count, counts[i], "from 1 to 10"));
    return 0;
}
