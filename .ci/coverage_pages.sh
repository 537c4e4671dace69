#!/bin/sh
# make coverage: pages of what the scenarios have shown, all below build/coverage; begin with index.html. Of the code (by
# gcov, a test a scenario; also as lcov shows it), of the gates and whatever else `fencepost coverage` knows, of searches.
# SCENARIOS: files or folders, the library. OUT: the folder. Two runs write the same bytes: .ci/coverage_twice.sh.
. .ci/steps.sh
. .ci/searched.sh

SCENARIOS=${SCENARIOS:-scenarios}
out=${OUT:-$BUILD/coverage}
cover=$BUILD/cover
work=$out.work

$MAKE -s -j"$JOBS" SAY=@ "$BUILD/fencepost" || exit 1
rm -rf "$out/pages" "$out/code" "$out/lcov" "$out/gates" "$work"
mkdir -p "$out" "$work/notes" "$cover"
work=$(cd "$work" && pwd -P) cover=$(cd "$cover" && pwd -P)
"$BUILD/fencepost" report -o "$out/pages" $SCENARIOS || exit 1
"$BUILD/fencepost" growth -n 3000 -o "$out" --pages pages $SEARCHED >/dev/null || exit 1
set -- --pages pages --see 'search.html=What searches cover'
[ -s "$out/tests/index.html" ] && set -- "$@" --see 'tests/index.html=What the tests and the library reach of sim/ and model/, as lcov shows it'

# Pages of lcov with the same bytes each time: genhtml orders rows by a hash, and writes the date.
genhtml_() {
    SOURCE_DATE_EPOCH=0 PERL_HASH_SEED=0 PERL_PERTURB_KEYS=0 genhtml -q $rc --branch-coverage --legend --show-details \
        --keep-descriptions --description-file "$work/titles" "$@" >"$work/genhtml.log" 2>&1 || { cat "$work/genhtml.log"; exit 1; }
}

# One tracefile with a record a scenario and source.
code_info() {
    $MAKE -s -j"$JOBS" SAY=@ BUILD="$BUILD/cover" CC=gcc CFLAGS='-O0 -g --coverage -DFENCEPOST_COVERAGE' LDFLAGS= \
        "$BUILD/cover/gcov_driver" || return 1
    GCOV_PREFIX_STRIP=$(echo "$cover" | tr -dc / | wc -c) "$cover/gcov_driver" "$work/dump" $files || return 1
    # The compiler's notes have to lie beside the counters.
    objects=$(cd "$work/dump/0" && find sim model scenarios -name '*.gcda' | LC_ALL=C sort)
    (cd "$cover" && tar cf - $(echo "$objects" | sed 's/gcda$/gcno/')) | (cd "$work/notes" && tar xf -)
    i=0
    for file in $files; do
        (cd "$work/dump/$i" && tar cf - sim model scenarios) | (cd "$work/notes" && tar xf -)
        test=$(echo "$file" | tr -c 'A-Za-z0-9\n' _)
        gcov -t -b -c $(echo "$objects" | sed "s|^|$work/notes/|") 2>/dev/null |
            awk -v test="$test" -f .ci/gcov_info.awk || return 1
        i=$((i + 1))
    done >"$work/code.info"
}

files=$(find $SCENARIOS -name '*.fence' | LC_ALL=C sort)
for file in $files; do
    echo "$file" | tr -c 'A-Za-z0-9\n' _
    sed -n 's/^scenario "\(.*\)"$/\t\1/p' "$file"
done >"$work/titles.txt"

lcov_there=
if have lcov && have genhtml; then
    lcov_there=yes
    case $(lcov --version) in
    *" 1."*) rc='--rc lcov_branch_coverage=1' ;;
    *) rc='--rc branch_coverage=1 --ignore-errors unused,mismatch,negative,inconsistent,category' ;;
    esac
    gendesc -o "$work/titles" "$work/titles.txt" >/dev/null || exit 1
else
    echo "skipped: pages as lcov shows them: no lcov here (make deps)"
fi

if have gcov && have gcc && can gcc --coverage; then
    code_info || exit 1
    set -- "$@" --code "$work/code.info"
    if [ -n "$lcov_there" ]; then
        genhtml_ -t 'Code, by scenario' -o "$out/lcov" "$work/code.info"
        set -- "$@" --see 'lcov/index.html=The code by scenario, as lcov shows it'
    fi
else
    echo "skipped: code by scenario: no gcc that counts here"
fi
[ -n "$lcov_there" ] && set -- "$@" --see 'gates/index.html=Gates and lines of scenarios, as lcov shows them'
"$BUILD/fencepost" coverage -o "$out" "$@" $SCENARIOS >"$out/summary.txt" || exit 1
[ -z "$lcov_there" ] || genhtml_ -t 'Gates, by scenario' -o "$out/gates" "$out/protocol.info"
tail -n 1 "$out/summary.txt"
echo "$out/index.html"
