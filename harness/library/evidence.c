#include "evidence.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"
#include "realtime.h"

enum { MOST_CPUS = 256, MOST_THREADS = 4096, MOST_HOLD_UPS = 100000, NAME = 32, BUFFER_KB = 16384 };

struct hold_up {
    int64_t begin, end;
    int cpu;
};

struct evidence {
    char folder[300]; // of this run's recording in tracefs; empty: there is none
    char why_not[200];
    int cpus[MOST_CPUS];
    int cpu_count;
    int threads[MOST_THREADS]; // of this process
    int thread_count;
    char name[NAME]; // of this program
    pthread_mutex_t mutex;
    struct hold_up *hold_ups;
    int hold_up_count;
    bool hold_ups_lost;
};

FORMAT_PRINTF(2, 3)
static void without(struct evidence *evidence, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(evidence->why_not, sizeof evidence->why_not, format, arguments);
    va_end(arguments);
}

// Where tracefs is mounted, if anywhere.
static bool find_tracefs(char *folder, size_t size) {
    char line[1024], type[64], path[256];
    bool found = false;
    FILE *mounts = fopen("/proc/mounts", "r");
    while (mounts && !found && fgets(line, sizeof line, mounts))
        found = sscanf(line, "%*s %255s %63s", path, type) == 2 && strcmp(type, "tracefs") == 0;
    if (mounts) fclose(mounts);
    if (found) snprintf(folder, size, "%s", path);
    return found;
}

static bool put(const struct evidence *evidence, const char *file, const char *text) {
    char path[400];
    snprintf(path, sizeof path, "%s/%s", evidence->folder, file);
    FILE *stream = fopen(path, "w");
    if (!stream) return false;
    bool ok = fputs(text, stream) >= 0;
    return fclose(stream) == 0 && ok;
}

static void mask_of(const struct evidence *evidence, char *text, size_t size) {
    unsigned words[MOST_CPUS / 32] = {0};
    int last = 0;
    for (int i = 0; i < evidence->cpu_count; i++) {
        int cpu = evidence->cpus[i];
        words[cpu / 32] |= 1u << (cpu % 32);
        if (cpu / 32 > last) last = cpu / 32;
    }
    size_t used = 0;
    for (int i = last; i >= 0; i--)
        used += (size_t)snprintf(text + used, size - used, "%x%s", words[i], i ? "," : "");
}

static bool record(struct evidence *evidence) {
    char mask[MOST_CPUS], kb[16];
    mask_of(evidence, mask, sizeof mask);
    snprintf(kb, sizeof kb, "%d", BUFFER_KB);
    return put(evidence, "tracing_on", "0") && put(evidence, "trace_clock", "mono") &&
           put(evidence, "tracing_cpumask", mask) && put(evidence, "buffer_size_kb", kb) &&
           put(evidence, "options/overwrite", "0") &&
           put(evidence, "events/sched/sched_switch/enable", "1") && put(evidence, "tracing_on", "1");
}

static void forget(struct evidence *evidence) {
    if (*evidence->folder) rmdir(evidence->folder);
    evidence->folder[0] = 0;
}

// What runs that were killed left behind.
static void sweep(const char *root) {
    char path[256 + 12];
    snprintf(path, sizeof path, "%s/instances", root);
    DIR *instances = opendir(path);
    for (struct dirent *entry; instances && (entry = readdir(instances));) {
        int pid;
        struct evidence old = {0};
        if (sscanf(entry->d_name, "ddsrta-%d", &pid) != 1 || pid <= 0) continue;
        if (kill(pid, 0) == 0 || errno != ESRCH) continue;
        snprintf(old.folder, sizeof old.folder, "%s/ddsrta-%d", path, pid);
        forget(&old);
    }
    if (instances) closedir(instances);
}

struct evidence *evidence_begin(const int *cpus, int count) {
    char root[256];
    struct evidence *evidence = allocate(1, sizeof *evidence);
    evidence->hold_ups = allocate(MOST_HOLD_UPS, sizeof *evidence->hold_ups);
    init_mutex(&evidence->mutex);
    prctl(PR_GET_NAME, evidence->name);
    for (int i = 0; i < count; i++) {
        bool known = cpus[i] < 0 || cpus[i] >= MOST_CPUS || evidence->cpu_count == MOST_CPUS;
        for (int k = 0; k < evidence->cpu_count; k++) known |= evidence->cpus[k] == cpus[i];
        if (!known) evidence->cpus[evidence->cpu_count++] = cpus[i];
    }
    if (!find_tracefs(root, sizeof root)) {
        without(evidence, "tracefs is not mounted (mount -t tracefs nodev /sys/kernel/tracing)");
        return evidence;
    }
    sweep(root);
    snprintf(evidence->folder, sizeof evidence->folder, "%s/instances/ddsrta-%d", root, (int)getpid());
    if (mkdir(evidence->folder, 0700)) {
        without(evidence, "tracefs cannot be used: %s", strerror(errno));
        evidence->folder[0] = 0;
    } else if (!record(evidence)) {
        without(evidence, "the kernel does not record its scheduler's events");
        forget(evidence);
    }
    return evidence;
}

void evidence_end(struct evidence *evidence) {
    if (*evidence->folder && !put(evidence, "tracing_on", "0"))
        without(evidence, "the recording could not be ended");
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; tasks && (entry = readdir(tasks));) {
        int tid = atoi(entry->d_name);
        if (tid > 0 && evidence->thread_count < MOST_THREADS)
            evidence->threads[evidence->thread_count++] = tid;
    }
    if (tasks) closedir(tasks);
    if (!tasks || evidence->thread_count == MOST_THREADS)
        without(evidence, "the threads of this process could not be told apart from others");
}

void evidence_held_up(struct evidence *evidence, int cpu, int64_t begin, int64_t end) {
    pthread_mutex_lock(&evidence->mutex);
    if (evidence->hold_up_count < MOST_HOLD_UPS)
        evidence->hold_ups[evidence->hold_up_count++] = (struct hold_up){begin, end, cpu};
    else
        evidence->hold_ups_lost = true;
    pthread_mutex_unlock(&evidence->mutex);
}

// COMM-PID [CPU] FLAGS SECONDS.MICROSECONDS: sched_switch: … ==> next_comm=NAME next_pid=N next_prio=N
static bool parse_switch(const char *line, int64_t *time, int *pid, char *name) {
    const char *what = strstr(line, ": sched_switch: ");
    const char *next = what ? strstr(what, " ==> next_comm=") : NULL;
    if (!next) return false;
    const char *number = what;
    while (number > line && number[-1] != ' ') number--;
    long long seconds, micros;
    if (sscanf(number, "%lld.%6lld:", &seconds, &micros) != 2) return false;
    next += strlen(" ==> next_comm=");
    const char *end = NULL; // a name may hold anything: the last one counts
    for (const char *at = next; (at = strstr(at, " next_pid=")); at++) end = at;
    if (!end || sscanf(end, " next_pid=%d", pid) != 1) return false;
    snprintf(name, NAME, "%.*s", (int)(end - next), next);
    *time = (seconds * 1000000 + micros) * 1000;
    return true;
}

long evidence_parse(FILE *text, evidence_own *own, const void *whose, evidence_see *see, void *context) {
    char line[1024], name[NAME], before[NAME] = "";
    int64_t time, since = -1;
    int pid;
    long count = 0;
    while (fgets(line, sizeof line, text)) {
        if (!parse_switch(line, &time, &pid, name)) continue;
        count++;
        if (since >= 0 && time - since > 1000) see(context, since + 500, time - 500, before);
        since = pid == 0 || own(whose, pid, name) ? -1 : time;
        strcpy(before, name);
    }
    return count;
}

static bool is_own(const void *context, int pid, const char *name) {
    const struct evidence *evidence = context;
    for (int i = 0; i < evidence->thread_count; i++)
        if (evidence->threads[i] == pid) return true;
    return strcmp(name, evidence->name) == 0;
}

struct writing {
    struct output *output;
    int64_t start;
    int cpu;
};

static void write_record(void *context, int64_t begin, int64_t end, const char *name) {
    const struct writing *writing = context;
    char shown[NAME];
    snprintf(shown, sizeof shown, "%s", name);
    for (char *c = shown; *c; c++)
        if ((unsigned char)*c < 32 || (unsigned char)*c > 126) *c = '?';
    output_print(writing->output, "# outside %d %lld %lld thread %s\n", writing->cpu,
                 (long long)(begin - writing->start), (long long)(end - writing->start), shown);
}

// Whether the kernel had room for all events of a CPU.
static bool complete(const struct evidence *evidence, int cpu) {
    char path[400], line[200];
    long long lost = 0;
    bool told = false;
    snprintf(path, sizeof path, "%s/per_cpu/cpu%d/stats", evidence->folder, cpu);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        long long number;
        if (sscanf(line, "overrun: %lld", &number) == 1 || sscanf(line, "dropped events: %lld", &number) == 1 ||
            sscanf(line, "commit overrun: %lld", &number) == 1) {
            lost += number;
            told = true;
        }
    }
    if (file) fclose(file);
    return told && lost == 0;
}

static bool write_switches(const struct evidence *evidence, struct output *output, int64_t start) {
    for (int i = 0; i < evidence->cpu_count; i++) {
        struct writing writing = {output, start, evidence->cpus[i]};
        char path[400];
        snprintf(path, sizeof path, "%s/per_cpu/cpu%d/trace", evidence->folder, evidence->cpus[i]);
        FILE *file = fopen(path, "r");
        if (!file) return false;
        evidence_parse(file, is_own, evidence, write_record, &writing);
        fclose(file);
    }
    return true;
}

void evidence_write(struct evidence *evidence, struct output *output, int64_t start) {
    for (int i = 0; *evidence->folder && i < evidence->cpu_count; i++)
        if (!complete(evidence, evidence->cpus[i]))
            without(evidence, "the kernel had no room for all events of its scheduler");
    bool switches = *evidence->folder && !*evidence->why_not;
    if (switches && !write_switches(evidence, output, start)) {
        without(evidence, "the kernel's records could not be read to the end");
        switches = false;
    }
    for (int i = 0; i < evidence->hold_up_count; i++)
        output_print(output, "# outside %d %lld %lld held up: an interrupt or the host\n",
                     evidence->hold_ups[i].cpu, (long long)(evidence->hold_ups[i].begin - start),
                     (long long)(evidence->hold_ups[i].end - start));
    if (switches) output_print(output, "# evidence: sched_switch of the kernel, and busy work that was held up\n");
    else output_print(output, "# evidence: busy work that was held up; no sched_switch: %s\n", evidence->why_not);
}

void evidence_destroy(struct evidence *evidence) {
    if (*evidence->folder) {
        put(evidence, "events/sched/sched_switch/enable", "0");
        forget(evidence);
    }
    free(evidence->hold_ups);
    pthread_mutex_destroy(&evidence->mutex);
    free(evidence);
}
