#include "../library/clock.h"
#include "../library/machine.h"
#include "../library/realtime.h"
#include "check.h"

static struct machine machine;

static int has(const char *text) {
    for (int i = 0; i < machine.fact_count; i++)
        if (strstr(machine.facts[i], text)) return 1;
    return 0;
}

int main(void) {
    machine_inspect(&machine, NULL, 0);
    CHECK(has("kernel: Linux") && has("cpus: ") && has("SCHED_FIFO: ") && has("date: 2"));
    CHECK(has("realtime kernel: ") && has("measured on cpus: ") && has("frequency scaling: "));
    int warnings = machine.warning_count;
    for (int i = 0; i < 100; i++) machine_warn(&machine, "one more %d", i); // room is limited
    CHECK(machine.warning_count == MACHINE_WARNINGS && warnings <= MACHINE_WARNINGS);
    CHECK(!cpu_isolated(4000) && !cpu_usable(-1) && !cpu_usable(100000));
    CHECK(cpu_usable(nth_usable_cpu(0)) && nth_usable_cpu(cpu_count()) == nth_usable_cpu(0));
    calibrate();
    CHECK(loops_per_us() > 0);
    int64_t before = thread_cpu_ns();
    burn_cpu_ns(3000000);
    CHECK(thread_cpu_ns() - before >= 3000000); // never shorter than asked
    int64_t instant = now_ns() + 2000000;
    while (now_ns() < instant) sleep_until_ns(instant);
    CHECK(now_ns() >= instant);
    return 0;
}
