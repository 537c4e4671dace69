#!/bin/sh
# SPDX-License-Identifier: MIT
#
# coverage_attack.sh [SCHEDULES]: searches for what no run can reach (situation_never() in model/situation.c), in one
# case of each file of scenarios/moments, which have every kind of victim, and in two in which a disk may be lost and
# everything may be slow. Each search looks for every such situation at once: so many schedules of each case are so many
# for each of them. Ends with "N schedules of N cases reach none". FENCEPOST names the command.
set -u
fencepost=${FENCEPOST:-build/fencepost}
schedules=${1:-100000}
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT

cat >"$work/lock.fence" <<'END'
fencepost 1
scenario "Everything may happen to a lock"
case all holds
lock leader central ttl 9s
store ledger
node w1 w2
w1, w2:
  acquire leader
  keep leader
  work 2s
  write ledger me
  release leader
may crash w1 w2 leader ledger losing everything
may pause
may suspend
may slow leader ledger up to 5s
may step wall up to 1h
may drift up to 500ppm
END
sed 's/^lock.*/queue jobs lease 9s\n  job "a"\n  job "b"/; s/^  acquire.*/  claim jobs as job/; s/leader$/job/
    s/leader/jobs/g
    s/^  release.*/  complete job/; s/to a lock/to a job/' "$work/lock.fence" >"$work/jobs.fence"

cases=0 status=0
for file in "$work"/*.fence scenarios/moments/*.fence; do
    name=$(sed -n 's/^case  *\([^ ]*\).*/\1/p' "$file" | head -n 1)
    "$fencepost" fuzz --reach never --case "$name" --schedules "$schedules" "$file" >"$work/said" 2>&1
    got=$?
    cases=$((cases + 1))
    if [ $got -ne 0 ]; then
        echo "$file, case $name: status $got"
        head -n 60 "$work/said"
        status=1
    fi
done
[ $status -eq 0 ] && echo "$schedules schedules of $cases cases reach none"
exit $status
