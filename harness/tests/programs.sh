#!/bin/sh
# programs.sh BIN INTACT CHECKED: short runs of the programs in BIN; CHECKED holds an application
# built with sanitizers.
set -eu
bin=$1
intact=$2
checked=$3
plans=tests/plans
# Fast DDS deletes its own readers and writers with sizes other than it made them with.
export ASAN_OPTIONS="new_delete_type_mismatch=0"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
nproc=$(nproc)
middlewares=$(make -s --no-print-directory found | sed 's/.*: //')

die() {
    echo "FAILED: $*" >&2
    cat "$out/log" >&2 || true
    exit 1
}
# status WANTED COMMAND…: the command ends with this exit status.
status() {
    wanted=$1
    shift
    code=0
    timeout 600 "$@" >"$out/log" 2>&1 || code=$?
    [ "$code" = "$wanted" ] || die "exit status $code, not $wanted: $*"
}
skip() { echo "skipped: $*" | tee -a "${SKIPPED:-/dev/null}"; }
says() { grep -q -- "$1" "$out/log" || die "no word of '$1'"; }
count() { grep -v '^#' "$2" | cut -d, -f3,4 | grep -c "^$1\$" || true; }
has() { case " $middlewares " in *" $1 "*) true ;; *) skip "$1 is not installed"; false ;; esac; }

echo "wrong calls"
for program in delays application lag periodic; do
    status 0 "$bin/$program" --help
    says "usage: $program"
    status 2 "$bin/$program" --nonsense
done
status 2 "$bin/delays" --middleware carrier_pigeon; says "there is udp"
status 2 "$bin/delays" --sizes 10; says "write 500B"
status 2 "$bin/delays" --output /dev/null/x; says "cannot be made"
status 2 "$bin/delays" --cpus 0,4000; says "may not use"
status 2 "$bin/application" /nowhere --output "$out/x"; says "cannot be read"
status 2 "$bin/application" $plans/conf2.plan; says "output is missing"
status 2 "$bin/application" $plans/conf2.plan --output "$out/x" --cpus 0; says "1 CPUs for 3 cores"
status 2 "$bin/lag"; says "output is missing"

for middleware in udp fastdds cyclone; do
    has $middleware || continue
    echo "delays, $middleware"
    status 0 "$bin/delays" --middleware $middleware --samples 30 --sizes 24kB,1kB,24kB --output "$out/d"
    "$intact" "$out/d/$middleware.yaml" "$out/d/$middleware-sync-1000.csv" || die "damaged results"
    grep -q '^    24kB: [0-9]*us  # .*of 30 samples' "$out/d/$middleware.yaml" || die "no row of 24kB"
    grep -q '^# kernel: ' "$out/d/$middleware.yaml" || die "no environment"
    [ "$(grep -c '^publisher,1000,' "$out/d/$middleware-sync-1000.csv")" = 30 ] || die "not 30 samples"
done

# running PID: it is ready for signals, which says that what an earlier run left is gone, too.
running() {
    for _ in $(seq 2000); do
        caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null) || break
        [ -n "$caught" ] || break
        [ $((0x$caught >> 14 & 1)) = 0 ] || return 0 # SIGTERM
        sleep 0.05
    done
    die "a program does not get ready for signals"
}
# ended PID: its exit status, in $code.
ended() {
    code=0
    wait "$1" 2>/dev/null || code=$?
}
echo "interrupted"
"$bin/delays" --samples 10000000 --pause 10us --sizes 1kB --output "$out/i" >"$out/log" 2>&1 &
child=$!
running $child
sleep 0.2
kill -TERM $child
ended $child
[ "$code" = 1 ] || die "interrupted delays ended with $code"
[ -z "$(ls "$out/i")" ] || die "a half block was kept: $(ls "$out/i")"
"$bin/application" $plans/conf2.plan --output "$out/i/trace" --duration 60s >"$out/log" 2>&1 &
child=$!
running $child
sleep 0.5
kill -INT $child
ended $child
[ "$code" = 1 ] || die "an interrupted application ended with $code"
"$intact" "$out/i/trace" || die "damaged trace of an interrupted run"
grep -q '^# ended: interrupted' "$out/i/trace" || die "no word of the interrupt"
"$intact" --run "$out/i/trace" 2>/dev/null && die "an interrupted run passed for one to its end"
head -c $(($(wc -c <"$out/i/trace") / 2)) "$out/i/trace" >"$out/cut"
"$intact" "$out/cut" 2>/dev/null && die "a truncated trace passed for whole"
: >"$out/empty"
"$intact" "$out/empty" 2>/dev/null && die "an empty trace passed for whole"
# Whenever a run is killed, what it leaves passes for no run, nor does what an earlier one left.
for signal in TERM INT KILL; do
    for when in early running; do
        echo "of an earlier run" >"$out/i/old"
        "$bin/application" $plans/conf2.plan --output "$out/i/old" --duration 60s >"$out/log" 2>&1 &
        child=$!
        [ $when = early ] && sleep 0.05 || running $child
        kill -$signal $child
        # The job of a script ignores INT until it is at its main program: again, until it ends.
        while [ $when = early ] && sleep 0.1 && kill -$signal $child 2>/dev/null; do :; done
        ended $child
        [ "$code" != 0 ] || die "a run ended by $signal says that it is complete"
        "$intact" --run "$out/i/old" 2>/dev/null && die "a run ended by $signal passed for whole"
        [ $when = early ] || ! grep -q "earlier run" "$out/i/old" 2>/dev/null ||
            die "what an earlier run left is still there"
    done
done
rm -f "$out"/i/*.tmp # of those that were killed
if [ -e /dev/full ]; then
    status 2 "$bin/application" $plans/conf2.plan --jobs 2 --output /dev/full
    says "cannot be written"
fi

# three_topics BIN MIDDLEWARE PLAN: each message arrives once and sets off a job.
three_topics() {
    status 0 "$1/application" "$plans/$3.plan" --middleware "$2" --jobs 100 --output "$out/trace"
    "$intact" --run "$out/trace" || die "damaged trace"
    [ "$(count release,0 "$out/trace")" = 100 ] || die "not 100 releases"
    [ "$(count publish,0 "$out/trace")" = 300 ] || die "not 300 messages"
    [ "$(grep -c ',delivered,' "$out/trace")" = 300 ] || die "not 300 deliveries"
    [ "$(count complete,1 "$out/trace")" = 300 ] || die "not 300 jobs of the subscriber"
    grep -q '^# evidence: ' "$out/trace" || die "no word of evidence"
    grep -q '^# warning: ' "$out/trace" || echo "(a machine without any warning)"
}
echo "application, udp"
three_topics "$bin" udp conf2
three_topics "$checked" udp conf2
three_topics "$checked" udp conf4
has fastdds && {
    echo "application, fastdds"
    three_topics "$bin" fastdds conf1_safe
    three_topics "$checked" fastdds conf1_safe
    three_topics "$checked" fastdds conf4
}
has cyclone && {
    echo "application, cyclone"
    three_topics "$bin" cyclone conf4
    three_topics "$checked" cyclone conf4
    status 2 "$bin/application" $plans/conf2.plan --middleware cyclone --output "$out/x"
    says "no flow controllers"
}

echo "watchdog"
# The publisher works for 1 ms; a limit below that must end the run.
status 1 "$bin/application" $plans/conf2.plan --watchdog 100us --output "$out/trace"
says "ended by the watchdog: thread '"
"$intact" "$out/trace" || die "damaged trace after the watchdog"
# A Fast DDS controller more urgent than its publisher on one CPU never lets write() return.
if has fastdds && [ "$nproc" -ge 2 ] && chrt -f 1 true 2>/dev/null; then
    status 1 "$bin/application" $plans/livelock.plan --middleware fastdds --watchdog 500ms \
        --cpus 0,1 --jobs 20 --output "$out/trace"
    says "ended by the watchdog: thread 'publisher'"
    status 0 "$bin/application" $plans/livelock.plan --cpus 0,1 --jobs 20 --output "$out/trace"
fi

echo "lag"
status 0 "$bin/lag" --output "$out/lag" --samples 50 --periods 1ms --utilisations 0,50 \
    --scheduling default,fifo --gains 0.5,1
"$intact" "$out/lag" || die "damaged lags"
# none, and two controllers with two gains each, at two utilisations
rows=10
chrt -f 1 true 2>/dev/null && rows=20
[ "$(grep -c '^1000000,' "$out/lag")" = $rows ] || die "not $rows combinations"
echo "periodic"
if chrt -f 1 true 2>/dev/null; then
    status 0 "$bin/periodic" --output "$out/periodic" --duration 200ms # four times all periods
    "$intact" "$out/periodic" || die "damaged results of periodic"
    # What no machine can change: these schedules miss by construction.
    for missed in 2,declaration 3,declaration 4,deadline_monotonic; do
        awk -F, -v s="$missed" '$1","$2 == s { n += $10 } END { exit !n }' "$out/periodic" ||
            die "no deadline missed in $missed"
    done
else
    status 77 "$bin/periodic" --output "$out/periodic"
    skip "periodic: no permission for SCHED_FIFO"
fi
echo "experiments"
experiments/run.sh 300ms || die "the experiments"
[ -z "$(find "$out" -name '*.tmp')" ] || die "temporary files were left"
