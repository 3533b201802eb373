#include "stop.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

static atomic_bool g_stopped;

static void on_signal(int number) {
    (void)number;
    atomic_store(&g_stopped, true);
}

void catch_signals(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND; // the second signal does what it always does
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool stopped(void) { return atomic_load_explicit(&g_stopped, memory_order_relaxed); }

void request_stop(void) { atomic_store(&g_stopped, true); }
