#!/bin/sh
# make fuzz: a libFuzzer target over so many inputs. From the environment:
#
#   TARGET     language, or schedule (when there is a SCENARIO; any fuzz/TARGET_fuzz.c)
#   SCENARIO   the file that `schedule` plays
#   RUNS SEED  how many inputs, beginning with which random number: the same two, and the same corpus, are the same run
#   FLAVOUR    sanitized: all instrumented, with address and undefined sanitizers; states: the target's own files alone
#              instrumented, so that the simulator runs at its own speed and only what the target marks guides the
#              search. `language` is sanitized unless told otherwise, any other target the other way round
#   FRESH      yes: without what earlier runs kept
#
# Status 0: nothing found; 1: a finding, with the command that shows it again; 2: bad use.
. .ci/steps.sh

TARGET=${TARGET:-$([ -n "${SCENARIO:-}" ] && echo schedule || echo language)}
RUNS=${RUNS:-100000} SEED=${SEED:-1}
FLAVOUR=${FLAVOUR:-$([ "$TARGET" = language ] && echo sanitized || echo states)}

bad_use() { echo "make fuzz: $*" >&2; exit 2; }
[ -f "fuzz/${TARGET}_fuzz.c" ] || bad_use "there is no target '$TARGET': no fuzz/${TARGET}_fuzz.c"
case $RUNS$SEED in *[!0-9]*) bad_use "RUNS and SEED are numbers" ;; esac
case $FLAVOUR in sanitized | states) ;; *) bad_use "FLAVOUR is 'sanitized' or 'states', not '$FLAVOUR'" ;; esac
work=$BUILD/fuzz/$TARGET
if [ -n "${SCENARIO:-}" ]; then
    [ -r "$SCENARIO" ] && [ -f "$SCENARIO" ] || bad_use "cannot read the scenario '$SCENARIO'"
    case $SCENARIO in /*) FENCEPOST_SCENARIO=$SCENARIO ;; *) FENCEPOST_SCENARIO=$PWD/$SCENARIO ;; esac
    export FENCEPOST_SCENARIO
    work=$work-$(basename "$SCENARIO" .fence)
fi

have clang || { echo "skipped: no clang here (make deps)"; exit 0; }
mkdir -p "$BUILD/log"
echo 'int LLVMFuzzerTestOneInput(const char *p, unsigned long n) { return p && n > 9 ? 0 : 0; }' >"$BUILD/log/empty.c"
clang -fsanitize=fuzzer,address,undefined -o "$BUILD/log/empty" "$BUILD/log/empty.c" >"$BUILD/log/empty.err" 2>&1 ||
    { echo "skipped: this clang has no libFuzzer (make deps)"; exit 0; }

if [ "$FLAVOUR" = sanitized ]; then
    flags="-O2 $FUZZED $SANITIZE" own=
else
    flags='-O2 -g' own=$FUZZED
fi
fuzzer=$BUILD/fuzz/$FLAVOUR/${TARGET}_fuzzer
$MAKE -s -j"$JOBS" SAY=@ BUILD="$BUILD/fuzz/$FLAVOUR" CC=clang CFLAGS="$flags" FUZZ_CFLAGS="$own" \
    LDFLAGS= "$fuzzer" || exit 3

[ "${FRESH:-}" != yes ] || rm -rf "$work/corpus"
mkdir -p "$work/corpus" "$work/found"
BUILD="$BUILD/fuzz/seeds" sh .ci/fuzz_seeds.sh "$TARGET" "$work" || exit 3

# What clusters are told, too: "name = value" below [libfuzzer].
options=
[ ! -f "fuzz/oss-fuzz/$TARGET.options" ] ||
    options=$(sed -n 's/^\([a-z_]*\) *= *\([^ ]*\)$/-\1=\2/p' "fuzz/oss-fuzz/$TARGET.options" | grep -v '^-dict=')
# A small quarantine: memory that was used before is in the cache. A reload would look at the clock.
export ASAN_OPTIONS=quarantine_size_mb=16:$ASAN_OPTIONS
echo "$TARGET, $FLAVOUR: $RUNS inputs from seed $SEED; $work/log says how far it is"
"$fuzzer" -runs="$RUNS" -seed="$SEED" -reload=0 -print_final_stats=1 $options -dict="$work/$TARGET.dict" \
    -artifact_prefix="$work/found/" "$work/corpus" "$work/seeds" >"$work/log" 2>&1
status=$?
grep -a -E "^$TARGET:|DONE|average_exec" "$work/log"
echo "corpus: $work/corpus ($(ls "$work/corpus" | wc -l | tr -d ' ') inputs)"
[ $status -ne 0 ] || exit 0
tail -n 60 "$work/log"
artifact=$(sed -n 's/.*Test unit written to //p' "$work/log" | tail -n 1)
echo "a finding: ${FENCEPOST_SCENARIO:+FENCEPOST_SCENARIO=$FENCEPOST_SCENARIO }$fuzzer $artifact"
found_in=$(sed -n "s/^schedule: case \([^,]*\),.*/\1/p" "$work/log" | head -n 1)
[ -z "${FENCEPOST_SCENARIO:-}" ] || [ -n "${FENCEPOST_WITHOUT:-}" ] || [ -z "$found_in" ] ||
    echo "as a scenario: build/fencepost shrink --case $found_in $FENCEPOST_SCENARIO $artifact"
exit 1
