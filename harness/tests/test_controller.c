#include "../lag/controller.h"
#include "check.h"

enum { US = 1000, MS = 1000000 };

static void without_one_it_sleeps_for_all_of_it(void) {
    struct lag_controller none = {.kind = CONTROLLER_NONE, .gain = 1};
    int64_t until;
    controller_learn(&none, 0, 70 * US);
    CHECK(controller_plan(&none, 0, MS, &until) == WAIT_SLEEP && until == MS);
    CHECK(controller_plan(&none, MS, MS, &until) == WAIT_NOT);
}

// The sums of Soyer's running-sum example: lags add up, also negative ones.
static void it_sleeps_short_by_the_sum_of_lags(enum controller_kind kind) {
    struct lag_controller controller = {.kind = kind, .gain = 1, .least_period = MS};
    int64_t until;
    controller_learn(&controller, MS, MS + 70 * US);
    CHECK(controller_plan(&controller, MS, 2 * MS, &until) == WAIT_SLEEP && until == 2 * MS - 70 * US);
    controller_learn(&controller, 2 * MS, 2 * MS - 10 * US);
    CHECK(controller_plan(&controller, 2 * MS, 3 * MS, &until) == WAIT_SLEEP);
    CHECK(until == 3 * MS - 60 * US);
}

static void it_never_sleeps_longer_than_asked(void) {
    struct lag_controller controller = {.kind = CONTROLLER_FIRST, .gain = 1};
    int64_t until;
    controller_learn(&controller, MS, MS - 50 * US);
    CHECK(controller_plan(&controller, 0, MS, &until) == WAIT_SLEEP && until == MS);
}

// Period 100 us, 80 % utilised: 20 us to wait with a value of 68 us. The first version gives its
// value away and oscillates; the second keeps it and spins each time.
static void only_the_second_keeps_its_value_while_it_spins(void) {
    struct lag_controller first = {.kind = CONTROLLER_FIRST, .gain = 1, .value = 68 * US};
    struct lag_controller second = {.kind = CONTROLLER_SECOND, .gain = 1, .value = 68 * US};
    int64_t until;
    CHECK(controller_plan(&first, 80 * US, 100 * US, &until) == WAIT_SPIN);
    CHECK(first.value == 20 * US);
    CHECK(controller_plan(&second, 80 * US, 100 * US, &until) == WAIT_SPIN);
    CHECK(second.value == 68 * US);
}

static void only_the_second_ignores_outliers(void) {
    struct lag_controller first = {.kind = CONTROLLER_FIRST, .gain = 1, .least_period = MS};
    struct lag_controller second = {.kind = CONTROLLER_SECOND, .gain = 1, .least_period = MS};
    controller_learn(&first, 0, 5 * MS);
    controller_learn(&second, 0, 5 * MS);
    CHECK(first.value == 5 * MS && second.value == 0);
}

int main(void) {
    without_one_it_sleeps_for_all_of_it();
    it_sleeps_short_by_the_sum_of_lags(CONTROLLER_FIRST);
    it_sleeps_short_by_the_sum_of_lags(CONTROLLER_SECOND);
    it_never_sleeps_longer_than_asked();
    only_the_second_keeps_its_value_while_it_spins();
    only_the_second_ignores_outliers();
    struct lag_controller half = {.kind = CONTROLLER_FIRST, .gain = 0.5};
    controller_learn(&half, 0, 100);
    CHECK(half.value == 50);
    return 0;
}
