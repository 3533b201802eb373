// Errors for users: what is wrong and what to do, on stderr.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
#define NORETURN [[noreturn]]
#else
#define NORETURN _Noreturn
#endif
#define FORMAT_PRINTF(a, b) __attribute__((format(printf, a, b)))

enum { EXIT_MISSED = 1, EXIT_INPUT = 2, EXIT_DEFECT = 3, EXIT_SKIPPED = 77 };

// The input, the call or the machine does not allow it: exit status 2.
NORETURN void fail(const char *format, ...) FORMAT_PRINTF(1, 2);
void warn(const char *format, ...) FORMAT_PRINTF(1, 2);
void *allocate(unsigned long count, unsigned long size); // zeroed, or fails

#ifdef __cplusplus
}
#endif
