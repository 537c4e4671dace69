#!/bin/sh
# fuzz_coverage.sh [TARGET]: how many lines of the parser the corpus of the language's fuzz target reaches. The corpus is its
# seeds and whatever `make fuzz` has kept in build/fuzz/language/corpus. By gcov, which comes with gcc. What only writes
# is no parser: the reference, and the file that is made of a finding or of a fault from the command line.
. .ci/steps.sh

LINES_MIN=${LINES_MIN:-90}
have gcc && have gcov && can gcc --coverage || { echo "skipped: no gcc that counts here"; exit 0; }

dir=$BUILD/fuzz/cover
corpus=$BUILD/fuzz/language/corpus
$MAKE -s -j"$JOBS" SAY=@ BUILD="$dir" CC=gcc CFLAGS='-O0 -g --coverage -DFENCEPOST_COVERAGE' LDFLAGS= \
    "$dir/language_driver" || exit 1
BUILD=$BUILD MAKE=$MAKE sh .ci/fuzz_seeds.sh language "$BUILD/fuzz/language" || exit 1
mkdir -p "$corpus"
find "$dir" -name '*.gcda' -exec rm -f {} +
"$dir/language_driver" "$BUILD/fuzz/language/seeds" "$corpus" >"$dir/driver.log" 2>&1 ||
    { tail -n 20 "$dir/driver.log"; exit 1; }
cat "$dir/driver.log"

# "File '...'" and then "Lines executed:97.22% of 180", for each file; headers are counted where they are included.
for source in scenarios/language/*.c; do
    case $source in *_test.c | */reference.c | */fault_text.c | */found.c | */notes.c | */revise.c) continue ;; esac
    (cd "$dir/scenarios/language" && gcov -n "$(basename "${source%.c}").gcda" 2>/dev/null) |
        awk -v source="$source" '
            /^File / { mine = index($0, source) }
            /^Lines executed:/ && mine { sub(/^Lines executed:/, ""); split($0, f, /% of /); print source, f[2], f[1]; mine = 0 }'
done | awk -v min="$LINES_MIN" '
{
    printf "%-40s %6.2f %% of %4d lines\n", $1, $3, $2
    all += $2
    reached += int($2 * $3 / 100 + 0.5)
}
END {
    printf "%-40s %6.2f %% of %4d lines; wanted: %d %%\n", "scenarios/language", all ? 100 * reached / all : 0, all, min
    exit !all || 100 * reached < min * all
}'
