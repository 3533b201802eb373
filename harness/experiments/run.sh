#!/bin/sh
# run.sh [DURATION]: where Fast DDS leaves the ten rules, each shown by a run with a verdict.
# Needs root (or CAP_SYS_NICE), two CPUs and Fast DDS; plain UDP threads run beside it.
set -eu
cd "$(dirname "$0")/.."
duration=${1:-10s}
program=build/bin/application
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

make -s --no-print-directory $program
if ! make -s --no-print-directory found | grep -q fastdds; then
    echo "skipped: Fast DDS is not installed"
    exit 0
fi
if [ "$(nproc)" -lt 2 ] || ! chrt -f 1 true 2>/dev/null; then
    echo "skipped: two CPUs and permission for SCHED_FIFO are needed"
    exit 0
fi

# run PLAN OPTIONS…: the trace of a run; lost or stopped runs are seen in it.
run() {
    plan=$1
    shift
    "$program" "$plan" --output "$out/trace" --duration "$duration" "$@" >/dev/null 2>&1 || true
}

echo "batching: an urgent sample waits for one less urgent sample at most"
for middleware in udp fastdds; do
    run experiments/batching.plan --middleware $middleware
    # shellcheck disable=SC2046
    set -- $(awk -F, -f experiments/blocked.awk "$out/trace")
    verdict="holds in this run"
    [ "$1" -le 1 ] || verdict="does NOT hold"
    echo "  $middleware: $verdict: up to $1; more than one for $2 of $3 messages"
    batching_udp=${batching_udp:-$1}
done

echo "send mutex: a synchronous write does not wait for another thread's send"
for shared in "" --one-participant; do
    # shellcheck disable=SC2086
    run experiments/send_mutex.plan --middleware fastdds $shared
    # shellcheck disable=SC2046
    set -- $(awk -F, -f experiments/mutex.awk "$out/trace")
    [ -n "$shared" ] && where="one participant" || { where="a participant each"; alone=$1; }
    verdict="holds in this run"
    [ "$1" -le $((alone * 3)) ] || verdict="does NOT hold"
    echo "  $where: $verdict: 90 % wait at most $1 us, the longest $2 us ($3 writes met a send)"
done

echo "livelock: write() returns, also where the flow controller is more urgent than the publisher"
for middleware in udp fastdds; do
    run tests/plans/livelock.plan --middleware $middleware --jobs 50 --watchdog 1s
    verdict="holds in this run"
    grep -q '^# ended: by the watchdog' "$out/trace" && verdict="does NOT hold: ended by the watchdog"
    echo "  $middleware: $verdict"
done
[ "$batching_udp" -le 1 ] # plain threads follow the rules, or these are wrong
