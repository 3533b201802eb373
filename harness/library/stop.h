// SIGINT and SIGTERM ask for an end: what is complete gets written. A second one ends at once.
#pragma once
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

void catch_signals(void);
bool stopped(void);
void request_stop(void);

#ifdef __cplusplus
}
#endif
