#include "machine.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "realtime.h"

// The first line of a file without its line end; empty where it cannot be read.
static void first_line(const char *path, char *text, int size) {
    text[0] = 0;
    FILE *file = fopen(path, "r");
    if (!file) return;
    if (!fgets(text, size, file)) text[0] = 0;
    fclose(file);
    text[strcspn(text, "\n")] = 0;
}

static void cpuinfo(const char *key, char *value, int size) {
    char line[4096];
    value[0] = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) != 0 || !colon) continue;
        snprintf(value, (size_t)size, "%s", colon + 2);
        value[strcspn(value, "\n")] = 0;
        break;
    }
    if (file) fclose(file);
}

FORMAT_PRINTF(3, 4)
static void fact(struct machine *machine, const char *key, const char *format, ...) {
    if (machine->fact_count == MACHINE_LINES) return;
    char *line = machine->facts[machine->fact_count++];
    int used = snprintf(line, sizeof machine->facts[0], "%s: ", key);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, sizeof machine->facts[0] - (size_t)used, format, arguments);
    va_end(arguments);
}

void machine_warn(struct machine *machine, const char *format, ...) {
    if (machine->warning_count == MACHINE_WARNINGS) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(machine->warnings[machine->warning_count++], sizeof machine->warnings[0], format,
              arguments);
    va_end(arguments);
}

// A list such as 2-3,5.
bool cpu_isolated(int cpu) {
    char list[1024];
    first_line("/sys/devices/system/cpu/isolated", list, sizeof list);
    for (char *rest = list, *part; (part = strsep(&rest, ","));) {
        int from, to;
        int found = sscanf(part, "%d-%d", &from, &to);
        if ((found == 1 && cpu == from) || (found == 2 && cpu >= from && cpu <= to)) return true;
    }
    return false;
}

static void inspect_system(struct machine *machine) {
    char text[4096];
    char stamp[32];
    time_t now = time(NULL);
    struct tm utc;
    struct utsname name;
    gmtime_r(&now, &utc);
    strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &utc);
    fact(machine, "date", "%s", stamp);
    if (uname(&name) == 0)
        fact(machine, "kernel", "%s %s %s", name.sysname, name.release, name.machine);
    cpuinfo("model name", text, sizeof text);
    fact(machine, "processor", "%.120s", *text ? text : "unknown");
    fact(machine, "cpus", "%d usable", cpu_count());
    first_line("/sys/kernel/realtime", text, sizeof text);
    bool realtime = strcmp(text, "1") == 0 || strstr(name.version, "PREEMPT_RT");
    fact(machine, "realtime kernel", "%s", realtime ? "yes" : "no");
    if (!realtime) machine_warn(machine, "no real-time kernel: interrupts and kernel work delay any thread");
    cpuinfo("flags", text, sizeof text);
    bool guest = strstr(text, " hypervisor") != NULL;
    fact(machine, "virtual machine", "%s", guest ? "yes" : "not seen");
    if (guest) machine_warn(machine, "virtual machine: the host may take a CPU away, which looks like processor time here");
    fact(machine, "tsc", "%.3f GHz", tsc_ghz());
}

static void inspect_scheduling(struct machine *machine) {
    char runtime[64], period[64];
    first_line("/proc/sys/kernel/sched_rt_runtime_us", runtime, sizeof runtime);
    first_line("/proc/sys/kernel/sched_rt_period_us", period, sizeof period);
    if (*runtime) fact(machine, "real-time throttling", "%s of %s us", runtime, period);
    if (*runtime && strcmp(runtime, "-1") != 0 && strcmp(runtime, period) != 0)
        machine_warn(machine,
                     "real-time throttling: SCHED_FIFO gets %s of each %s us "
                     "(sysctl -w kernel.sched_rt_runtime_us=-1 lifts it)", runtime, period);
    bool allowed = may_realtime();
    fact(machine, "SCHED_FIFO", "%s", allowed ? "allowed" : "refused");
    if (!allowed)
        machine_warn(machine, "no permission for SCHED_FIFO: threads ran at the default policy "
                              "(run as root, or give CAP_SYS_NICE)");
    double load[3];
    if (getloadavg(load, 3) == 3) {
        fact(machine, "load average", "%.2f %.2f %.2f", load[0], load[1], load[2]);
        if (load[0] > 0.5)
            machine_warn(machine, "other load: the load average was %.2f at the start", load[0]);
    }
    fact(machine, "memory", "%s", lock_memory() ? "locked" : "not locked");
}

static void inspect_frequency(struct machine *machine, int cpu) {
    char path[128], governor[64], boost[8];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
    first_line(path, governor, sizeof governor);
    if (!*governor) {
        fact(machine, "frequency scaling", "cpu %d: cannot be seen", cpu);
        return;
    }
    fact(machine, "frequency scaling", "cpu %d: %s", cpu, governor);
    if (strcmp(governor, "performance") != 0)
        machine_warn(machine, "frequency scaling: the governor of cpu %d is %s, not performance", cpu,
                     governor);
    first_line("/sys/devices/system/cpu/cpufreq/boost", boost, sizeof boost);
    if (strcmp(boost, "1") == 0 && cpu == 0)
        machine_warn(machine, "frequency boost is on: speed depends on temperature and neighbours");
}

// What the host took away from the CPUs in the list, in clock ticks; -1 where the kernel cannot tell.
static long long stolen_ticks(const char *cpus) {
    char line[512], name[16], list[200];
    long long sum = -1, steal;
    FILE *file = fopen("/proc/stat", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "cpu%15s %*d %*d %*d %*d %*d %*d %*d %lld", name, &steal) != 2) continue;
        snprintf(list, sizeof list, "%s", cpus);
        for (char *rest = list, *part; (part = strsep(&rest, " "));)
            if (strcmp(part, name) == 0) sum = (sum < 0 ? 0 : sum) + steal;
    }
    if (file) fclose(file);
    return sum;
}

void machine_update(struct machine *machine) {
    double load[3] = {0, 0, 0};
    long long now = stolen_ticks(machine->cpus);
    int loads = getloadavg(load, 3);
    int used = snprintf(machine->meanwhile, sizeof machine->meanwhile,
                        "meanwhile: load average at the end %.2f", loads == 3 ? load[0] : -1.0);
    if (now >= 0 && machine->stolen_ticks >= 0)
        snprintf(machine->meanwhile + used, sizeof machine->meanwhile - (size_t)used,
                 ", the host took %lld ms from the measured CPUs",
                 (now - machine->stolen_ticks) * 1000 / sysconf(_SC_CLK_TCK));
}

void machine_inspect(struct machine *machine, const int *cpus, int count) {
    memset(machine, 0, sizeof *machine);
    inspect_system(machine);
    inspect_scheduling(machine);
    int first = nth_usable_cpu(0);
    if (count == 0) {
        cpus = &first;
        count = 1;
    }
    char list[200] = "";
    int shared = 0;
    for (int i = 0; i < count && i < 4; i++) inspect_frequency(machine, cpus[i]);
    for (int i = 0; i < count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%d%s", i ? " " : "", cpus[i],
                 cpu_isolated(cpus[i]) ? " (isolated)" : "");
        shared += !cpu_isolated(cpus[i]);
    }
    fact(machine, "measured on cpus", "%s", list);
    if (shared)
        machine_warn(machine, "%d of %d measured CPUs are not isolated (isolcpus=): anything may run there",
                     shared, count);
    for (int i = 0; i < count; i++) {
        size_t used = strlen(machine->cpus);
        snprintf(machine->cpus + used, sizeof machine->cpus - used, "%s%d", i ? " " : "", cpus[i]);
    }
    machine->stolen_ticks = stolen_ticks(machine->cpus);
}

void machine_print_warnings(const struct machine *machine) {
    for (int i = 0; i < machine->warning_count; i++) warn("%s", machine->warnings[i]);
}

void machine_write(const struct machine *machine, struct output *output, const char *prefix) {
    for (int i = 0; i < machine->fact_count; i++)
        output_print(output, "%s%s\n", prefix, machine->facts[i]);
    if (*machine->meanwhile) output_print(output, "%s%s\n", prefix, machine->meanwhile);
    for (int i = 0; i < machine->warning_count; i++)
        output_print(output, "%swarning: %s\n", prefix, machine->warnings[i]);
}
