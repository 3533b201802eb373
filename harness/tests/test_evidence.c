#include "../library/evidence.h"
#include "check.h"

static const char text[] =
    "# tracer: nop\n"
    "          <idle>-0       [001] d..2.    10.000100: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=mine next_pid=7 next_prio=9\n"
    "            mine-7       [001] d..2.    10.000200: sched_switch: prev_comm=mine prev_pid=7 prev_prio=9 prev_state=R ==> next_comm=a b next_pid=1 c next_pid=50 next_prio=120\n"
    "a line of something else\n"
    "             a b-50      [001] d..2.    10.000700: sched_switch: prev_comm=a b prev_pid=50 prev_prio=120 prev_state=S ==> next_comm=mine next_pid=7 next_prio=9\n"
    "            mine-7       [001] d..2.    10.000900: sched_switch: prev_comm=mine prev_pid=7 prev_prio=9 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120\n"
    "          <idle>-0       [001] d..2.    11.000000: sched_switch: prev_comm=swapper/1 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=late next_pid=60 next_prio=120\n";

static int records;

static bool own(const void *context, int pid, const char *name) {
    (void)context;
    return pid == 7 && strcmp(name, "mine") == 0;
}

static void see(void *context, int64_t begin, int64_t end, const char *name) {
    CHECK(context == &records);
    CHECK(begin == 10000200500 && end == 10000699500); // never longer than it was
    CHECK(strcmp(name, "a b next_pid=1 c") == 0);
    records++;
}

int main(void) {
    FILE *file = fmemopen((void *)text, sizeof text - 1, "r");
    CHECK(evidence_parse(file, own, NULL, see, &records) == 5);
    CHECK(records == 1); // neither idle time, nor our own, nor what had not ended
    fclose(file);
    struct evidence *none = evidence_begin(NULL, 0);
    evidence_end(none);
    evidence_destroy(none);
    return 0;
}
