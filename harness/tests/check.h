// Checks for tests: a failed one says where and ends the test.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

// Runs something that must fail as bad input does, with a message that holds `text`.
static inline int fails_with(void (*body)(const void *), const void *argument, const char *text) {
    int pipes[2], status = 0;
    char message[1000] = "";
    if (pipe(pipes)) return 0;
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], 2);
        body(argument);
        _exit(0);
    }
    close(pipes[1]);
    size_t used = 0;
    for (ssize_t got; (got = read(pipes[0], message + used, sizeof message - 1 - used)) > 0;)
        used += (size_t)got;
    close(pipes[0]);
    waitpid(child, &status, 0);
    int right = WIFEXITED(status) && WEXITSTATUS(status) == 2 && strstr(message, text);
    if (!right) fprintf(stderr, "status %d: %s(wanted: %s)\n", WEXITSTATUS(status), message, text);
    return right;
}
