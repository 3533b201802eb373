#!/bin/sh
# Builds everything and tests it: units with sanitizers, then short runs of the programs.
set -eu
cd "$(dirname "$0")/.."
jobs=$(nproc 2>/dev/null || echo 1)
quiet="make -s --no-print-directory -j$jobs"
plain="FASTDDS=no CYCLONE=no"

mkdir -p build
export SKIPPED="$PWD/build/skipped" # a line for each thing; said again at the end
: >"$SKIPPED"
skip() { echo "skipped: $*" | tee -a "$SKIPPED"; }

if ! command -v "${CC:-cc}" >/dev/null 2>&1; then
    skip "the harness needs a C compiler, and there is none"
    exit 0
fi

# Which middlewares there are is tried out once.
found=$($quiet found)
there() { case " $found " in *" $1 "*) echo yes ;; *) echo no ;; esac; }
FASTDDS=$(there fastdds)
CYCLONE=$(there cyclone)
export FASTDDS CYCLONE

# A sanitizer can be missing, or not run on this kernel.
works() {
    printf 'int main(void){return 0;}\n' | "${CC:-cc}" -x c "-fsanitize=$1" - -o "build/probe" \
        2>/dev/null && ./build/probe 2>/dev/null
}

echo "== programs"
$quiet all
echo "== units, address and undefined behaviour checked"
if works address,undefined; then
    flags="-fsanitize=address,undefined -fno-sanitize-recover=all"
    $quiet $plain BUILD=build/address SANITIZE="$flags" OPTIMISE=-O0 units
    $quiet BUILD=build/checked SANITIZE="$flags" OPTIMISE=-O0 build/checked/bin/application
    checked=build/checked/bin
else
    skip "-fsanitize=address,undefined does not work here"
    $quiet $plain BUILD=build/units units
    checked=build/bin
fi
echo "== units, threads checked"
if works thread; then
    $quiet $plain BUILD=build/thread SANITIZE="-fsanitize=thread" OPTIMISE=-O0 units
else
    skip "-fsanitize=thread does not work here"
fi
$quiet $plain BUILD=build/units build/units/bin/intact
echo "== programs, short"
tests/programs.sh build/bin build/units/bin/intact "$checked"
sort -u "$SKIPPED"
echo "all passed$([ ! -s "$SKIPPED" ] || echo ", but for what was skipped")"
