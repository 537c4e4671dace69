#!/bin/sh
# make bench-fuzz (B6): what libFuzzer adds to a run, in schedules a CPU second.
#
#   fuzz       the schedule target over FUZZ_RUNS inputs, from a fixed seed and its first inputs: mutate, play, note the
#              states, look at them, keep what is new. Only the target's own file is instrumented
#   sanitized  the same inputs of the same seed, all of it built with address and undefined sanitizers
#   plain      the inputs that were executed, read from a file and played one after the other by the same object without
#              sanitizers: no states, no mutation, no libFuzzer
#
# The three take turns, ROUNDS times; what counts is the median of each. What a start costs falls out: a run of no inputs
# is taken off. A finding ends nothing here.
. .ci/steps.sh

RUNS=${FUZZ_RUNS:-20000} ROUNDS=${ROUNDS:-5}
have clang || { echo "skipped: no clang here (make deps)"; exit 0; }
mkdir -p "$BUILD/log"
echo 'int LLVMFuzzerTestOneInput(const char *p, unsigned long n) { return p && n > 9 ? 0 : 0; }' >"$BUILD/log/empty.c"
clang -fsanitize=fuzzer,address,undefined -o "$BUILD/log/empty" "$BUILD/log/empty.c" >"$BUILD/log/empty.err" 2>&1 ||
    { echo "skipped: this clang has no libFuzzer (make deps)"; exit 0; }

work=$BUILD/bench_fuzz
build() { # name, flags
    dir=$work/$1
    $MAKE -s -j"$JOBS" SAY=@ BUILD="$dir" CC=clang CFLAGS="$2" "$dir/schedule_driver" || exit 3
    clang -std=c11 -I. -D_POSIX_C_SOURCE=200809L $2 $FUZZED -c -o "$dir/schedule_target.o" fuzz/schedule_fuzz.c &&
        clang $2 -fsanitize=fuzzer -o "$dir/schedule_fuzzer" "$dir/schedule_target.o" $(find "$dir"/*/ -name '*.o' |
            grep -Ev '_(test|fuzz|seeds)\.o|_fuzz_|/driver\.o|/test\.o' | LC_ALL=C sort) || exit 3
}
build states '-O2 -g'
build sanitized "-O2 $SANITIZE"

unset FENCEPOST_CASE FENCEPOST_WITHOUT FENCEPOST_EXECUTED FENCEPOST_REPLAY FENCEPOST_FORGETFUL FENCEPOST_SCENARIO
rm -rf "$work/seeds"
FENCEPOST_SEEDS=$work/seeds "$work/states/schedule_fuzzer" 2>/dev/null || exit 3
export FENCEPOST_GO_ON=1 ASAN_OPTIONS=quarantine_size_mb=16:detect_leaks=0

# User time of a command, in hundredths of a second.
cost() {
    (
        "$@" >"$work/out" 2>&1 || { cat "$work/out" >&2; exit 3; }
        times
    ) | awk 'NR == 2 { split($1, t, "[ms]"); printf "%d\n", (t[1] * 60 + t[2]) * 100 + 0.5 }'
}
fuzz() { # flavour, runs
    rm -rf "$work/kept"
    mkdir -p "$work/kept"
    cost "$work/$1/schedule_fuzzer" -runs="$2" -seed=1 -reload=0 -entropic=0 "$work/kept" "$work/seeds"
}
plain() { cost env FENCEPOST_REPLAY="$1" "$work/states/schedule_fuzzer"; }
median() { sort -n | awk '{ row[NR] = $1 } END { print row[int((NR + 1) / 2)] }'; }

export FENCEPOST_EXECUTED="$work/executed"
fuzz states "$RUNS" >/dev/null
unset FENCEPOST_EXECUTED
: >"$work/nothing"
rm -f "$work"/*.cost
i=0
while [ $i -lt "$ROUNDS" ]; do
    echo $(($(fuzz states "$RUNS") - $(fuzz states 1))) >>"$work/states.cost"
    echo $(($(plain "$work/executed") - $(plain "$work/nothing"))) >>"$work/plain.cost"
    echo $(($(fuzz sanitized "$RUNS") - $(fuzz sanitized 1))) >>"$work/sanitized.cost"
    i=$((i + 1))
done
grep -h replayed "$work/out" 2>/dev/null
awk -v states="$(median <"$work/states.cost")" -v plain="$(median <"$work/plain.cost")" \
    -v sanitized="$(median <"$work/sanitized.cost")" -v runs="$RUNS" 'BEGIN {
    if (states < 1 || plain < 1 || sanitized < 1) { print "too few runs to measure"; exit 1 }
    a = plain / states; b = plain / sanitized
    printf "%d schedules: plain %.2f s, libFuzzer %.2f s, sanitized %.2f s\n", runs, plain / 100, states / 100,
        sanitized / 100
    printf "B6  libFuzzer over the plain loop   %.3f   target 0.30  %s\n", a, (a >= 0.3 ? "ok" : "below")
    printf "B6  with address and undefined      %.3f   target 0.12  %s\n", b, (b >= 0.12 ? "ok" : "below")
    printf "{\"ratios\":{\"B6\":%.3f,\"B6.sanitized\":%.3f}}\n", a, b
}'
