#!/bin/sh
# Finds the library's failures again: takes the faults out of every failing case that has one to three of them, lets
# their kinds happen (or, with `all`, everything), and searches. Each must be found, with no more faults than the file has.
#
#   sh fuzz/rediscover_test.sh [kinds|all [SCHEDULES [FOLDER...]]]      ends with "N passed, N failed"
#
# What is found with fewer faults than the file has is said: the file can be improved, unless both are what happened. A
# case whose calm run breaks the invariant needs no fault: the file's faults are there for its other cases.
bin=${FENCEPOST:-build/fencepost}

field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"; }

find_again() { # HOW SCHEDULES FILE CASE INVARIANT
    json=$("$bin" fuzz "$3" --case "$4" --rediscover "$1" --find "$5" --schedules "$2" -j 1 --json 2>&1)
    own=$(printf '%s\n' "$json" | field own_faults)
    case $own in
    0 | [4-9] | [1-9][0-9]*) return ;;
    '') echo "FAILED $3 $4: $json"; return ;;
    esac
    found=$(printf '%s\n' "$json" | sed -n 's/.*"faults":\[\(.*\)\],"minimal".*/\1/p' | grep -o '[^\\]",\{0,1\}' | wc -l)
    after=$(printf '%s\n' "$json" | field after)
    case $json in
    *'"calm":"'"$5"'"'*) echo "ok     $3 $4 $5: needs no fault"; return ;;
    *'"invariant":"'"$5"'"'*) what="after $after schedules, $((found)) of $own faults, minimal: $(printf '%s\n' "$json" | field minimal)" ;;
    *) echo "FAILED $3 $4 $5: not found"; return ;;
    esac
    if [ "$found" -le "$own" ]; then echo "ok     $3 $4 $5: $what"; else echo "FAILED $3 $4 $5: $what"; fi
}

if [ "$1" = --one ]; then
    shift
    find_again "$@"
    exit 0
fi

how=${1:-kinds} schedules=${2:-20000}
[ $# -gt 2 ] && shift 2 || set -- scenarios/seeds scenarios/traps scenarios/incidents
out=${TMPDIR:-/tmp}/rediscover.$$
trap 'rm -f "$out"' EXIT
find "$@" -name '*.fence' | LC_ALL=C sort | while read -r file; do
    awk -v file="$file" '/^case / { for (i = 3; i < NF; i++) if ($i == "violates") print file, $2, $(i + 1) }' "$file"
done | xargs -n 3 -P "$(nproc 2>/dev/null || echo 2)" sh "$0" --one "$how" "$schedules" >"$out"
LC_ALL=C sort -k 2 "$out"
passed=$(grep -c '^ok ' "$out") failed=$(grep -c '^FAILED ' "$out")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 50 ]
