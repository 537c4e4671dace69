#!/bin/sh
# Finds the library's failures again: takes the faults out of every failing case that has one to three of them, lets
# their kinds happen (or, with `all`, everything), and searches. Each must be found, with no more faults than the file has.
#
#   sh fuzz/rediscover.sh BINARY kinds|all SCHEDULES FOLDER...      ends with "N passed, N failed"
#
# What is found with fewer faults than the file has is said: the file can be improved. A case whose calm run breaks the
# invariant needs no fault: the file's faults are there for its other cases.
bin=$1 how=$2 schedules=$3
shift 3
passed=0 failed=0

field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"; }

find_again() { # FILE CASE INVARIANT
    json=$("$bin" fuzz "$1" --case "$2" --rediscover "$how" --find "$3" --schedules "$schedules" --json 2>&1)
    own=$(printf '%s\n' "$json" | field own_faults)
    case $own in
    0 | [4-9] | [1-9][0-9]*) return ;;
    '')
        failed=$((failed + 1))
        echo "FAILED  $1 $2: $json"
        return
        ;;
    esac
    name=$(basename "$1" .fence)
    found=$(printf '%s\n' "$json" | sed -n 's/.*"faults":\[\(.*\)\],"minimal".*/\1/p' | grep -o '[^\\]",\{0,1\}' | wc -l)
    after=$(printf '%s\n' "$json" | sed -n 's/.*"after":\([0-9]*\).*/\1/p')
    minimal=$(printf '%s\n' "$json" | field minimal)
    case $json in
    *'"calm":"'"$3"'"'*) verdict=ok what="needs no fault" ;;
    *'"invariant":"'"$3"'"'*)
        verdict=ok what="after $after schedules, $found of $own faults, minimal: $minimal"
        [ "$found" -le "$own" ] || verdict=FAILED
        ;;
    *) verdict=FAILED what="not found" ;;
    esac
    printf '%-7s %s %s %s: %s\n' "$verdict" "$name" "$2" "$3" "$what"
    if [ "$verdict" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

cases=${TMPDIR:-/tmp}/rediscover.$$
trap 'rm -f "$cases"' EXIT
find "$@" -name '*.fence' | LC_ALL=C sort | while read -r file; do
    awk -v file="$file" '/^case / { for (i = 3; i < NF; i++) if ($i == "violates") print file, $2, $(i + 1) }' "$file"
done >"$cases"
while read -r file name invariant; do
    find_again "$file" "$name" "$invariant"
done <"$cases"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
