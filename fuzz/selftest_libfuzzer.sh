#!/bin/sh
# How soon libFuzzer finds bugs that are seeded by taking a gate away: executions of the `schedule` target until it
# breaks, from its first inputs, with the states that a run reaches as feedback and without. A table of Markdown.
#
#   BUILD=build MAKE=make SEEDS=11 CAP=30000 sh fuzz/selftest_libfuzzer.sh FILE:GATE...
#
# The median and the interval are order statistics, as in survival.h; a seed that found nothing counts as above the cap.
. .ci/steps.sh

SEEDS=${SEEDS:-11} CAP=${CAP:-30000}
have clang || { echo "There was no clang."; exit 0; }
fuzzer=$BUILD/fuzz/states/schedule_fuzzer
$MAKE -s -j"$JOBS" SAY=@ BUILD="$BUILD/fuzz/states" CC=clang CFLAGS='-O2 -g' FUZZ_CFLAGS="$FUZZED" \
    LDFLAGS= "$fuzzer" >&2 || exit 3
work=$BUILD/fuzz/selftest
unset FENCEPOST_CASE FENCEPOST_EXECUTED FENCEPOST_REPLAY FENCEPOST_FORGETFUL FENCEPOST_GO_ON

# Executions until it broke, or a number above the cap.
once() { # seed, FENCEPOST_BLIND
    rm -rf "$work/kept"
    mkdir -p "$work/kept"
    status=0
    FENCEPOST_BLIND=$2 "$fuzzer" -runs="$CAP" -seed="$1" -reload=0 -print_final_stats=1 \
        -artifact_prefix="$work/" "$work/kept" "$work/seeds" >"$work/log" 2>&1 || status=$?
    grep -q '^finding:' "$work/log" || { [ $status -eq 0 ] && echo 999999999 && return; cat "$work/log" >&2; exit 3; }
    sed -n 's/^stat::number_of_executed_units: *//p' "$work/log"
}

# The ranks between which the median lies with 95 %: of 11 the 2nd and the 10th, of 51 the 19th and the 33rd.
sum_up() {
    sort -n | awk -v cap="$CAP" '
        function say(x) { return x > cap ? ">" cap : x }
        { row[NR] = $1; found += $1 <= cap }
        END {
            choose = 1; below = 0; low = 0
            while (low < NR && 40 * (below + choose) <= 2 ^ NR) {
                below += choose; choose = choose * (NR - low) / (low + 1); low++
            }
            if (low == 0) { low = 1 }
            printf " %s [%s, %s]%s |", say(row[int((NR + 1) / 2)]), say(row[low]), say(row[NR + 1 - low]),
                found < NR ? " (" found "/" NR ")" : ""
        }'
}

echo "| bug | with states: median [95 %] | without |"
echo "|---|---|---|"
for bug; do
    FENCEPOST_SCENARIO=${bug%:*} FENCEPOST_WITHOUT=${bug##*:}
    export FENCEPOST_SCENARIO FENCEPOST_WITHOUT
    rm -rf "$work"
    mkdir -p "$work"
    FENCEPOST_SEEDS=$work/seeds "$fuzzer" 2>"$work/log" || { cat "$work/log" >&2; exit 3; }
    printf '| %s − %s |' "$(basename "$FENCEPOST_SCENARIO" .fence)" "$FENCEPOST_WITHOUT"
    for blind in '' yes; do
        seed=1
        while [ $seed -le "$SEEDS" ]; do
            once $seed "$blind"
            seed=$((seed + 1))
        done | sum_up
    done
    echo
done
