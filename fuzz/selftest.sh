#!/bin/sh
# make fuzz-results: writes fuzz/RESULTS.md, all of it; see selftest.c for what is measured. SCOPE names other cases
# than those of fuzz/seeded and of the library: all take an hour and a half of CPU time, inc-34 alone 22 minutes of it,
# as its deep bug has runs of a thousand events, and fuzz/seeded twenty.
# make fuzz-selftest: whether the bugs that need three faults or more are found as soon as the goals say, over three
# seeds; under a minute. Ends with "N passed, N failed".
# Cases are measured by as many processes as there are cores, or JOBS, 64 at most; each may need a GiB.
#
#   BUILD=build JOBS=2 sh fuzz/selftest.sh results|quick
. .ci/steps.sh
. fuzz/library.sh

jobs=$JOBS
[ "$jobs" -gt 64 ] 2>/dev/null && jobs=64

deep="d3-an-even-split-of-six.fence:strict-majority d3-six-voters-any-loss.fence:strict-majority
d4-eight-voters-halved.fence:strict-majority d3-three-voters-forget.fence:durable-grant
d3-three-restarts-among-much.fence:durable-grant d4-four-voters-forget.fence:durable-grant
d3-own-table.fence:complete-token d3-short-faults-add-up.fence:store-token d4-renewals-lost.fence:stop-on-loss"
shallow="fuzz/seeded/d2-heartbeats-lost.fence:effect-key fuzz/seeded/d2-two-asks-lost.fence:strict-majority
scenarios/seeds/f1-paused-leader.fence:atomic-check scenarios/seeds/f2-even-split.fence:durable-grant"
library="--seeds 11 --every 80 --steps 2000000 --proof 5000000 $measured"
bugs="$(printf 'fuzz/seeded/%s ' $deep) $shallow"

if [ "$1" = quick ]; then
    status=0
    "$BUILD/selftest" --jobs "$jobs" --quick --seeds 3 --cap 25000 --shrinks 1 --proof 200000 \
        $(printf 'fuzz/seeded/%s ' $deep) 2>"$BUILD/log/selftest" || status=$?
    [ $status -le 1 ] || tail -1 "$BUILD/log/selftest" >&2
    exit $status
fi

out=$BUILD/RESULTS.md
{
    cat <<'END' || exit
# What the searches are worth

Every gate of every case that holds is taken away in turn: a seeded bug. Each is looked for by the portfolio, by each
arm alone, by libFuzzer and by exhaustive search; what counts is schedules, not seconds. `make fuzz-results` writes
this page again, on as many cores as there are, byte for byte but for the times (they are CPU time) and, with another
clang, libFuzzer's table.

The cases are those of fuzz/seeded, scenarios made to need three faults or more, with 51 seeds, and of the library,
with 11 (but the nine incidents whose searched runs have above nine hundred events: see fuzz/library.sh). *Depth* is
the number of faults without which nothing breaks, by exhaustive search of the same menu and horizon; "2 to 4" means
that fewer than 2 do not break it, and that 4 do. A median is over the seeds, the interval is of order statistics and
holds the median with 95 %; `>30000` stands for more than was tried. A *stripped* case is without its file's own
faults, which break it at once without the gate: their kinds may happen, and must be found again. What breaks with
every gate in place is not looked for in that case; it stands below. *Open* is what nothing brings out, where no other
gate covers for it and not even one fault could be exhausted. A curve shows how many searches are still looking after
10, 30, 100, 300, 1000, 3000, 10000 and 30000 schedules.

END
    status=0
    "$BUILD/selftest" --jobs "$jobs" --every 16 --steps 6000000 --depth-steps 64000000 \
        ${SCOPE:---proof 10000000 fuzz/seeded $library} ||
        status=$?
    [ $status -le 1 ] || exit $status
    cat <<'END' &&

## libFuzzer

Executions of the `schedule` target until it breaks, at most 30,000, from its first inputs, over seeds 1 to 11: told
of the abstract states that a run reaches, and not told.

END
    SEEDS=11 CAP=30000 sh fuzz/selftest_libfuzzer.sh $bugs
} >"$out.part" && mv "$out.part" "$out" && cp "$out" fuzz/RESULTS.md
