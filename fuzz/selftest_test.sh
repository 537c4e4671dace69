#!/bin/sh
# SPDX-License-Identifier: MIT
#
# selftest_test.sh: the page of build/selftest does not depend on how many processes measure, and there is none when one
# of them fails. FENCEPOST names the command that it lies beside.
. "$(dirname "$0")/../.ci/outside.sh"

fencepost=$(dirname "$fencepost")/selftest # what check() runs
[ -x "$fencepost" ] || { echo "no $fencepost"; exit 1; }

little='--seeds 1 --cap 30 --shallow-cap 30 --baseline-cap 30 --triage 10 --steps 1000 --depth-steps 1000
--proof 1000 --shrinks 1'
f1=$tree/scenarios/seeds/f1-paused-leader.fence

# The first of its cases takes the longest: where there are several processes the others end before it.
write_writers

# Its status is 1, as so few seeds miss goals. CPU times are the one thing that may differ.
page() { # JOBS ARGUMENTS...
    page=$1
    shift
    check "a page by $page" 1 --jobs "$page" "$@"
    sed 's/[0-9][0-9]* ms/N ms/g' out >"page$page"
}

page 1 $little writers.fence --seeds 2 "$f1"
complains "1 of 3 cases"
complains "3 of 3 cases"
says "− store-token"
page 2 $little writers.fence --seeds 2 "$f1"
same page1 page2

check "quick, by one" 1 --quick $little "$f1" writers.fence
cp out quick1
for jobs in 2 64; do
    check "quick, by $jobs" 1 --jobs $jobs --quick $little "$f1" writers.fence
    same quick1 out
done

for jobs in 0 65 4294967297; do
    check "--jobs $jobs" 2 --jobs $jobs writers.fence
    complains "jobs from 1 to 64"
    prints_nothing
done
for jobs in x -1 1x ''; do
    check "--jobs '$jobs'" 2 --jobs "$jobs" writers.fence
    complains "this is no number"
    prints_nothing
done
check "--jobs without a number" 2 writers.fence --jobs
complains "no number behind it"

check "a file that is not there, behind one that is" 2 $little writers.fence missing.fence
complains "missing.fence: no such file"
prints_nothing
if grep -q 'cases$' err; then bad "measures before all is read"; else good; fi

cat >wrong.fence <<'FENCE'
fencepost 1
scenario "Wrong"
case plain holds
bogus
FENCE
check "a file that is wrong, behind one that is not" 2 $little writers.fence wrong.fence
complains "wrong.fence:4:1: "
prints_nothing
check "a gate that no case of the file has" 2 --quick $little writers.fence:strict-majority
complains "writers.fence: no case that holds has this gate"
prints_nothing
check "how it is used" 0 --help
says "FILE:GATE"

if [ -w /dev/full ]; then
    for how in "" --quick; do
        name="a full disk $how"
        "$fencepost" $how $little writers.fence >/dev/full 2>err </dev/null
        got=$?
        if [ $got -eq 3 ]; then good; else bad "status $got, not 3"; fi
        complains "cannot be written"
    done
fi

# Whoever ends this process alone ends those that it has started.
name="killed in the middle"
"$fencepost" --jobs 2 "$tree/fuzz/seeded/d4-eight-voters-halved.fence" "$f1" >out 2>err </dev/null &
pid=$!
children=
for again in 1 2 3 4 5 6 7 8 9 10; do
    children=$(cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent=$pid '$4 == parent { print $1 }')
    [ -z "$children" ] || break
    sleep 0.5
done
kill -9 $pid
wait $pid 2>/dev/null
for again in 1 2 3 4 5 6 7 8 9 10; do
    left=
    for child in $children; do
        state=$(awk '{ print $3 }' "/proc/$child/stat" 2>/dev/null)
        [ "${state:-Z}" = Z ] || left="$left $child" # whoever inherits it may be slow to bury it
    done
    [ -n "$left" ] || break
    sleep 0.5
done
if [ ! -r /proc/self/stat ]; then
    skip "nobody says which processes there are"
elif [ -n "$children" ] && [ -z "$left" ]; then
    good
else
    bad "started '$children', of these go on '$left'"
fi

# Every process may use a second of CPU time, and the first case needs far more.
name="a process that dies"
long=$tree/fuzz/seeded/d4-eight-voters-halved.fence
(ulimit -t 1 && exec "$fencepost" --jobs 2 "$long" $little "$f1") >out 2>err </dev/null
got=$?
if [ $got -eq 3 ]; then good; else bad "status $got, not 3"; fi
complains "its process was ended by signal"
prints_nothing

if [ $skipped -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ]
