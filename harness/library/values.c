#include "values.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

int64_t parse_count(const char *option, const char *text, int64_t least, int64_t most) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end || errno || value < least || value > most)
        fail("%s: '%.40s' is not a whole number from %lld to %lld", option, text, (long long)least,
             (long long)most);
    return value;
}

double parse_number(const char *option, const char *text, double least, double most) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value) || value < least || value > most)
        fail("%s: '%.40s' is not a number from %g to %g", option, text, least, most);
    return value;
}

struct unit {
    const char *name;
    double factor;
};

static int64_t with_unit(const char *option, const char *text, const struct unit *units, double most,
                         const char *example) {
    char *end;
    double value = strtod(text, &end);
    for (; end != text && units->name; units++) {
        if (strcmp(end, units->name) != 0) continue;
        value = value * units->factor;
        if (isfinite(value) && value >= 0 && value <= most) return (int64_t)llround(value);
    }
    fail("%s: '%.40s' is no value; write %s", option, text, example);
}

int64_t parse_duration(const char *option, const char *text) {
    static const struct unit units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {0}};
    return with_unit(option, text, units, 86400e9, "100us, 1ms or 2s, at most a day");
}

int64_t parse_size(const char *option, const char *text) {
    static const struct unit units[] = {{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {0}};
    return with_unit(option, text, units, 16e6, "500B or 24kB, at most 16MB");
}

bool parse_list(const char *text, void (*each)(void *context, const char *part), void *context) {
    char copy[1024];
    if (!*text || strlen(text) >= sizeof copy) return false;
    strcpy(copy, text);
    char *rest = copy;
    for (char *part; (part = strsep(&rest, ","));) each(context, part);
    return true;
}

const char *duration_text(int64_t ns, char *buffer, unsigned long size) {
    if (ns % 1000000 == 0)
        snprintf(buffer, size, "%lldms", (long long)(ns / 1000000));
    else if (ns % 1000 == 0)
        snprintf(buffer, size, "%lldus", (long long)(ns / 1000));
    else
        snprintf(buffer, size, "%lldns", (long long)ns);
    return buffer;
}
