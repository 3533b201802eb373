// Values of the command line and of plans. Each says what is wrong, and with which option.
#pragma once
#include <stdbool.h>
#include <stdint.h>

int64_t parse_count(const char *option, const char *text, int64_t least, int64_t most);
int64_t parse_duration(const char *option, const char *text); // 100us, 1ms, 2s, 500ns
int64_t parse_size(const char *option, const char *text);     // 1kB, 24kB, 500B (powers of ten)
double parse_number(const char *option, const char *text, double least, double most);
// Calls `each` for every part between commas; false and nothing called where the list is empty.
bool parse_list(const char *text, void (*each)(void *context, const char *part), void *context);
const char *duration_text(int64_t ns, char *buffer, unsigned long size); // as system.yaml has it
