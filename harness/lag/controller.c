#include "controller.h"

#include "../library/clock.h"
#include "../library/stop.h"

const char *const controller_names[CONTROLLER_KINDS] = {"none", "first", "second"};

enum wait_kind controller_plan(struct lag_controller *controller, int64_t now, int64_t requested,
                               int64_t *until) {
    if (controller->value < 0) controller->value = 0;
    *until = requested - (int64_t)controller->value;
    if (now >= requested) return WAIT_NOT;
    if (controller->kind == CONTROLLER_NONE || now <= *until) return WAIT_SLEEP;
    if (controller->kind == CONTROLLER_FIRST)
        controller->value -= controller->gain * (double)(now - *until);
    return WAIT_SPIN;
}

void controller_learn(struct lag_controller *controller, int64_t requested, int64_t woken) {
    int64_t lag = woken - requested;
    if (controller->kind == CONTROLLER_NONE) return;
    if (controller->kind == CONTROLLER_SECOND && lag >= controller->least_period) return;
    controller->value += controller->gain * (double)lag;
}

void controller_wait(struct lag_controller *controller, int64_t requested) {
    int64_t until;
    if (controller_plan(controller, now_ns(), requested, &until) == WAIT_SLEEP) {
        while (now_ns() < until && !stopped()) sleep_until_ns(until);
        controller_learn(controller, requested, now_ns());
    }
    while (now_ns() < requested && !stopped()) {
    }
}
