#include <string.h>

#include "../library/failure.h"
#include "middleware.h"

extern const struct middleware udp_middleware;
#ifdef WITH_FASTDDS
extern const struct middleware fastdds_middleware;
#endif
#ifdef WITH_CYCLONE
extern const struct middleware cyclone_middleware;
#endif

const char *const policy_names[POLICIES] = {"FIFO", "HIGH_PRIORITY", "ROUND_ROBIN",
                                         "PRIORITY_WITH_RESERVATION"};

const struct middleware *const middlewares[] = {
    &udp_middleware,
#ifdef WITH_FASTDDS
    &fastdds_middleware,
#endif
#ifdef WITH_CYCLONE
    &cyclone_middleware,
#endif
    NULL,
};

const struct middleware *find_middleware(const char *name) {
    char names[100] = "";
    for (int i = 0; middlewares[i]; i++) {
        if (strcmp(middlewares[i]->name, name) == 0) return middlewares[i];
        strcat(strcat(names, i ? ", " : ""), middlewares[i]->name);
    }
    fail("no middleware '%.40s' is built in; there is %s (see 'make -C harness' for what it found)",
         name, names);
}

void tell(const struct network *network, struct event *event) {
    network->observer.see(network->observer.context, event);
}
