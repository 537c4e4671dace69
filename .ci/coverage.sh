#!/bin/sh
# make coverage-tests: lines and branches of sim/ and model/ that the tests and the library reach, by lcov; pages in
# build/coverage/tests. Assertions are left out: their second branch is a bug. NEVER() is a constant in this build.
. .ci/steps.sh

LINES_MIN=${LINES_MIN:-95}
BRANCHES_MIN=${BRANCHES_MIN:-90}

have lcov && have genhtml || { echo "skipped: no lcov here (make deps)"; exit 0; }
# gcov reads only what a gcc of its own version wrote.
have gcc && can gcc --coverage || { echo "skipped: no gcc that counts here"; exit 0; }

dir=$BUILD/cover
info=$BUILD/coverage.info
$MAKE -s -j"$JOBS" SAY=@ BUILD="$dir" CC=gcc CFLAGS='-O0 -g --coverage -DFENCEPOST_COVERAGE' LDFLAGS= \
    "$dir/fencepost" "$dir/tests" || exit 1
find "$dir" -name '*.gcda' -exec rm -f {} +
# A test that fails is make test's to report; what it reached counts.
"$dir/tests" >"$dir/tests.log" 2>&1 || grep '^FAIL' "$dir/tests.log"
"$dir/fencepost" run scenarios >"$dir/run.log" 2>&1 || tail -n 1 "$dir/run.log"

# lcov 2 gave the same settings new names, and is stricter about what it does not know.
case $(lcov --version) in
*" 1."*) rc='--rc lcov_branch_coverage=1 --rc lcov_excl_br_line=ASSERT\(|NEVER\(' ;;
*) rc='--rc branch_coverage=1 --rc lcov_excl_br_line=ASSERT\(|NEVER\( --ignore-errors unused,mismatch,negative,inconsistent' ;;
esac
quiet() { "$@" >"$dir/lcov.log" 2>&1 || { cat "$dir/lcov.log"; exit 1; }; }
quiet lcov -q $rc --capture --directory "$dir" --base-directory . --no-external --output-file "$info.all"
quiet lcov -q $rc --extract "$info.all" "$PWD/sim/*" "$PWD/model/*" --output-file "$info.rooms"
quiet lcov -q $rc --remove "$info.rooms" '*_test.c' '*/sim/test.c' '*/sim/toy.h' '*/sim/bench*' --output-file "$info"
export SOURCE_DATE_EPOCH=0 PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0 # the same bytes each time
quiet genhtml -q $rc --branch-coverage --output-directory "$BUILD/coverage/tests" "$info"

# Per file, from the tracefile itself, the same whatever the version of lcov prints.
awk -F: -v lines_min="$LINES_MIN" -v branches_min="$BRANCHES_MIN" '
function permille(hit, found) { return found ? int(hit * 1000 / found) : 1000 }
function row(name, lh, lf, bh, bf) {
    printf "%-32s lines %5d of %5d  %5.1f %%   branches %5d of %5d  %5.1f %%\n", name,
        lh, lf, permille(lh, lf) / 10, bh, bf, permille(bh, bf) / 10
}
$1 == "SF" { file = $2; sub(/.*\/sim\//, "sim/", file); sub(/.*\/model\//, "model/", file) }
$1 == "LF" { lf = $2 } $1 == "LH" { lh = $2 } $1 == "BRF" { bf = $2 } $1 == "BRH" { bh = $2 }
$1 == "end_of_record" {
    row(file, lh, lf, bh, bf)
    LF += lf; LH += lh; BF += bf; BH += bh
    lf = lh = bf = bh = 0
}
END {
    row("sim/ and model/", LH, LF, BH, BF)
    printf "wanted: lines %d %%, branches %d %%\n", lines_min, branches_min
    exit !LF || permille(LH, LF) < lines_min * 10 || permille(BH, BF) < branches_min * 10
}' "$info"
