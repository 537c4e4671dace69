#!/bin/sh
# make bench-instructions (B3): one lease cluster, run by callgrind, in instructions: the trace digest on over
# off, and with the trace kept over off.
fencepost=$1
command -v valgrind >/dev/null 2>&1 || { echo "skipped: no valgrind here (make deps-ci)"; exit 0; }

# A run of N rounds less a run of none: what start and loading cost falls out.
count() { # workload, rounds
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$fencepost" bench --workload "$1" --rounds "$2" 2>&1 |
        sed -n 's/.*Collected : *\([0-9]*\).*/\1/p'
}
cost() { echo $(($(count "$1" 6) - $(count "$1" 1))); }

bare=$(cost bare) digest=$(cost digest) kept=$(cost kept)
[ "${bare:-0}" -gt 0 ] || { echo "callgrind counted nothing"; exit 1; }
awk -v bare="$bare" -v digest="$digest" -v kept="$kept" 'BEGIN {
    printf "instructions: bare %d, with digest %d, with digest and trace kept %d\n", bare, digest, kept
    printf "B3  digest on over off       %.3f   target 1.05  %s\n", digest / bare, digest / bare <= 1.05 ? "ok" : "over"
    printf "B3  trace kept over off      %.3f   target 1.30  %s\n", kept / bare, kept / bare <= 1.3 ? "ok" : "over"
    printf "{\"ratios\":{\"B3\":%.3f,\"B3_kept\":%.3f}}\n", digest / bare, kept / bare
}'
