#include "stop.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

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
    // Who starts a program for a campaign and is killed leaves none that would disturb the next one.
    if (getenv("DDSRTA_END_WITH_PARENT")) prctl(PR_SET_PDEATHSIG, SIGTERM);
}

bool stopped(void) { return atomic_load_explicit(&g_stopped, memory_order_relaxed); }

void request_stop(void) { atomic_store(&g_stopped, true); }
