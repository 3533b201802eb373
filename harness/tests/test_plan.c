#include "../application/plan.h"

#include "check.h"

static char path[] = "/tmp/harness-plan-XXXXXX";

static void write_plan(const char *text) {
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static void read_it(const void *unused) {
    (void)unused;
    plan_free(plan_read(path));
}

#define HEAD "ddsrta-plan 1\nsystem s\ncore 0 ecu/c0\ntopic 0 1000 -1 5 a topic\n"
#define REST "listener 0 0 80 L\nthread 0 0 70 1000 timer P\ntimer 0 10000 5\nthread 1 0 60 0 or S\n" \
             "publish 0 0 -1 2 7\nsubscribe 1 0 0\n"

static void refused(const char *text, const char *reason) {
    write_plan(text);
    CHECK(fails_with(read_it, NULL, reason));
}

int main(void) {
    int file = mkstemp(path);
    CHECK(file >= 0);
    close(file);
    write_plan(HEAD REST "end 10\n");
    struct plan *plan = plan_read(path);
    CHECK(strcmp(plan->topics[0].name, "a topic") == 0 && plan->topics[0].spec.priority == -1);
    CHECK(plan->threads[0].period == 10000 && plan->threads[0].jitter == 5);
    CHECK(plan->publications[0].controller == SYNCHRONOUS && plan->publications[0].count == 2);
    CHECK(plan->publications[0].earliest == 7 && plan->threads[1].activation == BY_ANY);
    plan_free(plan);
    write_plan(HEAD "controller 0 0 1 PRIORITY_WITH_RESERVATION F\nlimit 0 5000 20000000\n" REST
                    "publish 0 0 0 1 0\nreserve 1 40\nend 14\n");
    plan = plan_read(path);
    CHECK(plan->controllers[0].bytes == 5000 && plan->controllers[0].period_ms == 20);
    CHECK(plan->publications[0].reserved == 0 && plan->publications[1].reserved == 40);
    plan_free(plan);
    refused(HEAD "limit 0 1 1000000\n", "controller");
    refused(HEAD REST "reserve 0 101\n", "per cent");
    refused("", "cut off");
    refused("hello\n", "not a plan");
    refused(HEAD REST, "cut off");
    refused(HEAD REST "end 11\n", "10");
    refused(HEAD REST "end 10", "cut off");
    refused(HEAD REST "end 10\nmore\n", "after the end");
    refused(HEAD "what 1\n", ":5: 'what' is no keyword");
    refused(HEAD "listener 0 1 80 L\n", "core: '1'");
    refused(HEAD "listener 1 0 80 L\n", "running number");
    refused(HEAD "listener 0 0 800 L\n", "priority");
    refused(HEAD "thread 0 0 1 99999999999999999999999 timer P\n", "wcet");
    refused(HEAD "thread 0 0 1 1 timer P\nend 5\n", "no timer");
    refused(HEAD "thread 0 0 1 1 or P\nend 5\n", "never released");
    refused(HEAD "controller 0 0 1 LIFO F\n", "policy: 'LIFO'");
    unlink(path);
    refused(HEAD, "cut off");
    unlink(path);
    CHECK(fails_with(read_it, NULL, "cannot be read"));
    return 0;
}
