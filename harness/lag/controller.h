// Waiting until an instant, with an integral controller against the lag of the operating system:
// it sleeps short by what earlier sleeps overshot, and spins for the rest. Both versions of Soyer's
// thesis: the first also lowers its value while it spins; the second does not, and ignores lags of a
// minimal period and more.
#pragma once
#include <stdint.h>

enum controller_kind { CONTROLLER_NONE, CONTROLLER_FIRST, CONTROLLER_SECOND, CONTROLLER_KINDS };
extern const char *const controller_names[CONTROLLER_KINDS];

struct lag_controller {
    enum controller_kind kind;
    double gain;
    int64_t least_period; // of the application: larger lags are outliers to the second version
    double value;         // by how much to sleep short, in ns
};

enum wait_kind { WAIT_NOT, WAIT_SPIN, WAIT_SLEEP };

// What to do at `now` for an event at `requested`; `until` is when to wake from a sleep.
enum wait_kind controller_plan(struct lag_controller *controller, int64_t now, int64_t requested,
                               int64_t *until);
// A sleep for `requested` ended at `woken`.
void controller_learn(struct lag_controller *controller, int64_t requested, int64_t woken);
// All of it, on the monotonic clock; returns when `requested` has passed.
void controller_wait(struct lag_controller *controller, int64_t requested);
