#include "plan.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../library/failure.h"
#include "../library/output.h"

struct reading {
    struct plan *plan;
    const char *path;
    int line;
    char *rest; // of the line, not yet read
    bool ended;
};

FORMAT_PRINTF(2, 3)
static _Noreturn void wrong(const struct reading *reading, const char *format, ...) {
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fail("%s:%d: %s; make the plan anew from system.yaml", reading->path, reading->line, text);
}

static const char *word(struct reading *reading, const char *what) {
    char *found = strsep(&reading->rest, " ");
    if (!found || !*found) wrong(reading, "%s is missing", what);
    return found;
}

static int64_t number(struct reading *reading, const char *what, int64_t least, int64_t most) {
    const char *text = word(reading, what);
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (*end || end == text || errno || value < least || value > most)
        wrong(reading, "%s: '%.40s' is not a number from %lld to %lld", what, text, (long long)least,
              (long long)most);
    return value;
}

static int index_of(struct reading *reading, const char *what, int count) {
    if (!count) wrong(reading, "there is no %s yet", what);
    return (int)number(reading, what, 0, count - 1);
}

static char *name(struct reading *reading) {
    if (!reading->rest || !*reading->rest) wrong(reading, "the name is missing");
    char *copy = strdup(reading->rest);
    reading->rest = NULL;
    if (!copy) fail("out of memory");
    return copy;
}

// The next of its kind: numbered from 0, in order.
static int next(struct reading *reading, int *count) {
    if (*count == MOST_THINGS) wrong(reading, "more than %d of a kind", MOST_THINGS);
    number(reading, "the running number", *count, *count);
    return (*count)++;
}

static int choice(struct reading *reading, const char *what, const char *const *names, int count) {
    const char *text = word(reading, what);
    for (int i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0) return i;
    wrong(reading, "%s: '%.40s' is unknown", what, text);
}

static void read_core(struct reading *reading) {
    struct plan *plan = reading->plan;
    int index = next(reading, &plan->core_count);
    plan->cores[index] = name(reading);
}

static void read_topic(struct reading *reading) {
    struct plan *plan = reading->plan;
    struct plan_topic *topic = &plan->topics[next(reading, &plan->topic_count)];
    topic->spec.size = (uint32_t)number(reading, "size", LEAST_SIZE, 16000000);
    topic->spec.priority = (int)number(reading, "priority", -1000000, 1000000);
    topic->spec.history = (uint32_t)number(reading, "history", 1, 100000);
    topic->name = name(reading);
}

static void read_middleware(struct reading *reading, bool controller) {
    struct plan *plan = reading->plan;
    int index = next(reading, controller ? &plan->controller_count : &plan->listener_count);
    struct plan_middleware *made = controller ? &plan->controllers[index] : &plan->listeners[index];
    made->core = index_of(reading, "core", plan->core_count);
    made->priority = (int)number(reading, "priority", 0, 99);
    if (controller) made->policy = (enum policy)choice(reading, "policy", policy_names, POLICIES);
    made->name = name(reading);
}

static void read_controller(struct reading *reading) { read_middleware(reading, true); }

static void read_listener(struct reading *reading) { read_middleware(reading, false); }

static void read_thread(struct reading *reading) {
    static const char *const activations[] = {"timer", "or", "and"};
    struct plan *plan = reading->plan;
    struct plan_thread *thread = &plan->threads[next(reading, &plan->thread_count)];
    thread->core = index_of(reading, "core", plan->core_count);
    thread->priority = (int)number(reading, "priority", 0, 99);
    thread->wcet = number(reading, "wcet", 0, 3600000000000);
    thread->activation = (enum activation)choice(reading, "activation", activations, 3);
    thread->name = name(reading);
}

static void read_timer(struct reading *reading) {
    struct plan *plan = reading->plan;
    struct plan_thread *thread = &plan->threads[index_of(reading, "thread", plan->thread_count)];
    if (thread->activation != BY_TIMER) wrong(reading, "the thread is not released by a timer");
    thread->period = number(reading, "period", 1000, 86400000000000);
    thread->jitter = number(reading, "jitter", 0, 86400000000000);
}

static void read_publish(struct reading *reading) {
    struct plan *plan = reading->plan;
    if (plan->publication_count == MOST_THINGS) wrong(reading, "too many publications");
    struct plan_publication *made = &plan->publications[plan->publication_count++];
    made->thread = index_of(reading, "thread", plan->thread_count);
    made->topic = index_of(reading, "topic", plan->topic_count);
    made->controller = (int)number(reading, "controller", SYNCHRONOUS, plan->controller_count - 1);
    made->count = (int)number(reading, "count", 1, 10000);
    made->earliest = number(reading, "earliest", 0, 3600000000000);
}

// A flow controller sends at most so many bytes in each period.
static void read_limit(struct reading *reading) {
    struct plan *plan = reading->plan;
    int index = index_of(reading, "controller", plan->controller_count);
    plan->controllers[index].bytes = (int32_t)number(reading, "bytes", 1, INT32_MAX);
    plan->controllers[index].period_ms = (int32_t)(number(reading, "period", 1000000, 86400000000000) / 1000000);
}

static void read_reserve(struct reading *reading) {
    struct plan *plan = reading->plan;
    int index = index_of(reading, "publication", plan->publication_count);
    plan->publications[index].reserved = (int)number(reading, "per cent", 1, 100);
}

static void read_subscribe(struct reading *reading) {
    struct plan *plan = reading->plan;
    if (plan->subscription_count == MOST_THINGS) wrong(reading, "too many subscriptions");
    struct plan_subscription *made = &plan->subscriptions[plan->subscription_count++];
    made->thread = index_of(reading, "thread", plan->thread_count);
    made->topic = index_of(reading, "topic", plan->topic_count);
    made->listener = index_of(reading, "listener", plan->listener_count);
}

static void read_follow(struct reading *reading) {
    struct plan *plan = reading->plan;
    if (plan->following_count == MOST_THINGS) wrong(reading, "too many followings");
    struct plan_following *made = &plan->followings[plan->following_count++];
    made->thread = index_of(reading, "thread", plan->thread_count);
    made->predecessor = index_of(reading, "predecessor", plan->thread_count);
}

static void read_system(struct reading *reading) {
    if (reading->plan->system) wrong(reading, "a second system");
    reading->plan->system = name(reading);
}

static void read_end(struct reading *reading) {
    number(reading, "the number of lines before", reading->line - 1, reading->line - 1);
    reading->ended = true;
}

static const struct {
    const char *keyword;
    void (*read)(struct reading *reading);
} kinds[] = {{"system", read_system},   {"core", read_core},           {"topic", read_topic},
             {"controller", read_controller}, {"listener", read_listener}, {"thread", read_thread},
             {"timer", read_timer},     {"publish", read_publish},     {"subscribe", read_subscribe},
             {"follow", read_follow},   {"limit", read_limit},
             {"reserve", read_reserve}, {"end", read_end}};

static void read_line(struct reading *reading, char *line) {
    reading->rest = line;
    if (reading->ended) wrong(reading, "more after the end");
    if (reading->line == 1) {
        if (strcmp(line, "ddsrta-plan 1") != 0) wrong(reading, "not a plan of format 1");
        return;
    }
    const char *keyword = word(reading, "a keyword");
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(keyword, kinds[i].keyword) != 0) continue;
        kinds[i].read(reading);
        if (reading->rest) wrong(reading, "'%.40s' is too much", reading->rest);
        return;
    }
    wrong(reading, "'%.40s' is no keyword of a plan", keyword);
}

static void check(struct reading *reading) {
    const struct plan *plan = reading->plan;
    if (!reading->ended) wrong(reading, "the plan is cut off: its end is missing");
    if (!plan->system) wrong(reading, "the system has no name");
    for (int i = 0; i < plan->thread_count; i++) {
        const struct plan_thread *thread = &plan->threads[i];
        bool fed = thread->activation == BY_TIMER;
        if (fed && !thread->period) wrong(reading, "thread %d has no timer", i);
        for (int k = 0; k < plan->subscription_count; k++) fed |= plan->subscriptions[k].thread == i;
        for (int k = 0; k < plan->following_count; k++) fed |= plan->followings[k].thread == i;
        if (!fed) wrong(reading, "thread %d is never released", i);
    }
}

struct plan *plan_read(const char *path) {
    struct reading reading = {.plan = allocate(1, sizeof(struct plan)), .path = path};
    char line[MOST_LINE + 2];
    FILE *file = fopen(path, "r");
    if (!file) fail("%s cannot be read: %s", path, strerror(errno));
    while (fgets(line, sizeof line, file)) {
        size_t length = strlen(line);
        reading.line++;
        if (!length || line[length - 1] != '\n') wrong(&reading, "the line is cut off or too long");
        reading.plan->checksum = crc32_of(reading.plan->checksum, line, length);
        line[length - 1] = 0;
        read_line(&reading, line);
    }
    fclose(file);
    check(&reading);
    return reading.plan;
}

void plan_free(struct plan *plan) {
    for (int i = 0; i < plan->core_count; i++) free(plan->cores[i]);
    for (int i = 0; i < plan->topic_count; i++) free(plan->topics[i].name);
    for (int i = 0; i < plan->controller_count; i++) free(plan->controllers[i].name);
    for (int i = 0; i < plan->listener_count; i++) free(plan->listeners[i].name);
    for (int i = 0; i < plan->thread_count; i++) free(plan->threads[i].name);
    free(plan->system);
    free(plan);
}
