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
# figures SCRIPT OPTIONS…: the numbers that an awk script finds in the trace.
figures() {
    script=$1
    shift
    awk -F, "$@" -f "experiments/$script.awk" "$out/trace"
}
# verdict WHETHER: after `[ … ] && ok=1 || ok=0`.
verdict() { if [ "$1" = 1 ]; then echo "holds in this run"; else echo "does NOT hold"; fi; }

# What decides how many go ahead: as many as fit into one datagram of 65500 bytes, and one more.
batching() {
    echo "batching: an urgent sample waits for one less urgent sample at most"
    for middleware in udp fastdds; do
        for size in 2000 10000 30000; do
            [ $middleware$size = udp10000 ] && continue
            count=$((size > 2000 ? 40 : 200))
            sed "s/^topic 1 2000/topic 1 $size/; s/^publish 1 1 0 200/publish 1 1 0 $count/" \
                experiments/batching.plan >"$out/plan"
            run "$out/plan" --middleware $middleware
            # shellcheck disable=SC2046
            set -- $(figures blocked)
            [ "$1" -le 1 ] && ok=1 || ok=0
            fit=$(((65500 - 32) / (size + 44)))
            echo "  $middleware, $size B: $(verdict $ok): up to $1, more than one for $2 of $3" \
                "messages (a datagram holds $fit)"
            # Plain threads follow the rules, or these are wrong; Fast DDS never passes a datagram and one.
            [ $middleware = fastdds ] && [ "$1" -gt $((fit + 1)) ] && wrong=1
            [ $middleware = udp ] && [ $ok = 0 ] && wrong=1
        done
    done
    return 0
}

send_mutex() {
    echo "send mutex: a synchronous write does not wait for another thread's send"
    for shared in "" --one-participant; do
        # shellcheck disable=SC2086
        run experiments/send_mutex.plan --middleware fastdds $shared
        # shellcheck disable=SC2046
        set -- $(figures mutex)
        [ -n "$shared" ] && where="one participant" || { where="a participant each"; alone=$1; }
        [ "$1" -le $((alone * 3)) ] && ok=1 || ok=0
        echo "  $where: $(verdict $ok): 90 % wait at most $1 us, the longest $2 us while $4 of the" \
            "other's datagrams left ($3 writes met a send)"
    done
}

write_blocked() {
    echo "write blocked: an asynchronous write to a full KEEP_LAST queue does not wait for a send"
    for middleware in udp fastdds; do
        run experiments/write_blocked.plan --middleware $middleware
        # shellcheck disable=SC2046
        set -- $(figures write_blocked)
        [ "$2" -le $(($1 * 3 + 10)) ] && ok=1 || ok=0
        echo "  $middleware: $(verdict $ok): beside a send 90 % take at most $2 us, the longest $3 us;" \
            "else $1 us ($4 writes met a send)"
    done
}

keep_last() {
    echo "keep last: what write() has accepted is delivered, also where more come than the queue holds"
    for middleware in udp fastdds; do
        run experiments/keep_last.plan --middleware $middleware
        end=$(tail -1 "$out/trace")
        lost=${end##*lost_messages=} lost=${lost%% *}
        refused=${end##*refused=} refused=${refused%% *}
        all=$(grep -c ',publish,' "$out/trace" || true)
        [ "$lost" = 0 ] && ok=1 || ok=0
        echo "  $middleware: $(verdict $ok): $lost of $all were lost, write() refused $refused"
    done
}

bandwidth() {
    echo "bandwidth: Q bytes a period P, and never more than (floor(D / P) + 2) Q bytes in any time D"
    run experiments/bandwidth.plan --middleware fastdds
    # shellcheck disable=SC2046
    set -- $(figures window -v size=10000 -v budget=100000 -v period=10000000)
    [ "$1" -le 1000 ] && ok=1 || ok=0
    echo "  fastdds: $(verdict $ok): at most $1 thousandths of it, within $2 periods ($3 samples)"
}

reservation() {
    echo "reservation: no sample goes while a more urgent one waits, once a datagram and one more are away"
    for which in no_reservation reservation; do
        run experiments/$which.plan --middleware fastdds
        # shellcheck disable=SC2046
        set -- $(figures overtaken)
        [ "$1" -le $(($2 / 10)) ] && ok=1 || ok=0
        echo "  fastdds, $which: $(verdict $ok): $1 of $2 less urgent samples went while urgent ones waited"
    done
}

livelock() {
    echo "livelock: write() returns, also where the flow controller is more urgent than the publisher"
    for middleware in udp fastdds; do
        run tests/plans/livelock.plan --middleware $middleware --jobs 50 --watchdog 1s
        grep -q '^# ended: by the watchdog' "$out/trace" && ok=0 || ok=1
        ended=$(sed -n 's/^# ended: //p' "$out/trace")
        echo "  $middleware: $(verdict $ok): ended $ended"
    done
}

# The bounds are for `ddsrta validate experiments/testbed_F-F.yaml --trace …`; without ddsrta a run only
# shows what it took.
testbed() {
    echo "testbed: the ROS 2 testbed as threads stays below its bounds"
    for kind in F-F S-S; do
        run experiments/testbed_$kind.plan --middleware fastdds --spare 100us
        longest=$(awk -F, '$3 == "release" && $4 == 0 { at[$5] = $1 }
            $3 == "complete" && $4 == 2 && $1 - at[$5] > most { most = $1 - at[$5] }
            END { printf "%d", most / 1000 }' "$out/trace")
        said="no ddsrta here to hold it against the bounds"
        if ${DDSRTA:-ddsrta} --version >/dev/null 2>&1; then
            said=$(${DDSRTA:-ddsrta} validate experiments/testbed_$kind.yaml --trace "$out/trace" |
                head -1) || true
        fi
        echo "  fastdds, $kind: longest end to end $longest us; $said"
    done
}

wrong=0
for experiment in ${EXPERIMENTS:-batching send_mutex write_blocked keep_last bandwidth reservation \
    livelock testbed}; do
    $experiment
done
exit $wrong
