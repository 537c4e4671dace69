#!/bin/sh
# outputs.sh DIR COMMAND...: what a fencepost (perhaps under an emulator) makes beside digests, written into DIR, made
# anew: pages, exports, and what two searches find. Prints the sum of each file; these too are the same bytes everywhere.
dir=$1
shift
rm -rf "$dir"
"$@" report -o "$dir" scenarios/seeds || exit 1
for format in jsonl shiviz perfetto edn mermaid dot; do
    "$@" trace --format "$format" --case checked scenarios/seeds/f1-paused-leader.fence >"$dir/f1.$format" || exit 1
done
# What a search finds, and how many states there are.
"$@" fuzz scenarios/seeds/f1-paused-leader.fence --case checked --rediscover all -n 500 -j 2 --json >"$dir/f1.found"
[ $? -eq 1 ] || exit 1
"$@" exhaust scenarios/seeds/f2-even-split.fence --faults 1 --json >"$dir/f2.exhausted" || exit 1
cd "$dir" && find . -type f | LC_ALL=C sort | xargs cksum
