#!/bin/sh
# SPDX-License-Identifier: MIT
#
# explain_test.sh: `fencepost explain` from outside: what it says of every kind of end, that each command it prints can be
# pasted into a shell and comes out as is said, and what it says of wrong input. Ends with "N passed, N failed".
. "$(dirname "$0")/../.ci/outside.sh"
library=$tree/scenarios

# Every command that `out` shows is pasted into a shell: the line above says whether something breaks.
paste() {
    name="$1: pasted"
    awk -v program="$fencepost run" '
        index($0, program) { sub(/^ */, ""); print; print above; above = ""; next }
        { sub(/^ */, " "); above = above $0 }' out >pasted
    pasted=0
    while IFS= read -r command && IFS= read -r above; do
        sh -c "$command" >run.out 2>run.err
        status=$?
        pasted=$((pasted + 1))
        [ $status -le 1 ] || bad "status $status: $command"
        case $above in
        *"nothing breaks."* | *"would have stopped it:"* | *"not one event is different."*)
            said=' holds  ' ;;
        *) said=' violates  ' ;;
        esac
        case $said$above in
        *"would have changed nothing"* | *"would not have"* | *"did not stop this"*) said=' violates  ' ;;
        esac
        grep -qF -- "$said" run.out || bad "not$said: $command"
    done <pasted
    if [ $pasted -gt "$2" ]; then good; else bad "only $pasted commands"; fi
}

f1=$library/seeds/f1-paused-leader.fence
check "the paused leader" 0 explain --case checked "$f1"
silent
says 'But w1 wrote ledger with token 1 at 13.005s, after w2 with token 2 at 11.005s.'
says 'necessary in this run'
says 'were 2s shorter, nothing breaks.'
says 'store-token would have stopped it'
paste "the paused leader" 5
check "without --case the first that violates" 0 explain "$f1"
says 'case advisory says'
check "a case that holds" 0 explain --case fenced "$f1"
says 'It rests on store-token'
paste "a case that holds" 3
cp "$f1" "it's odd.fence"
check "an odd name" 0 explain --case checked "it's odd.fence"
paste "an odd name" 5
cp "$f1" ./-dash.fence
check "a name that begins with a dash" 0 explain --case checked -- -dash.fence
paste "a name that begins with a dash" 5
for file in "$library"/seeds/f[2-7]*.fence "$library"/seeds/j[2-4]*.fence; do
    check "$(basename "$file")" 0 explain "$file"
    paste "$(basename "$file")" 0
done

check "of another fault" 0 explain --case checked --fault '25=before w1 writes ledger: pause w1 for 30s' "$f1"
says 'pause w1 for 30s): necessary'
paste "of another fault" 5
check "with a gate put back it holds" 0 explain --case checked --with store-token "$f1"
says 'Nothing broke that counts in this case, although it says `violates no-stale-write`.'
check "without a gate it breaks" 0 explain --case fenced --without store-token "$f1"
says 'store-token would have stopped it'
paste "without a gate" 3

sed 's/^lock .*/param ttl = 10s\nlock leader central ttl ttl/; s/^\[.*//; s/^at 13s.*//' "$f1" >param.fence
check "of another value" 0 explain --case checked --set ttl=8s param.fence
says ' --set ttl=8s '
paste "of another value" 5

check "as JSON" 0 explain --json --case checked "$f1"
says '"explains":"rule","invariant":"no-stale-write"'
if [ "$(wc -l <out)" -eq 1 ]; then good; else bad "not one line"; fi
if command -v python3 >/dev/null; then
    for case in advisory checked fenced; do
        check "as JSON: $case" 0 explain --json --case $case "$f1"
        if python3 -c 'import json, sys; json.load(sys.stdin)' <out 2>err; then good; else bad "no JSON"; fi
    done
fi

"$fencepost" fuzz "$f1" --case checked --rediscover kinds >found.fence 2>/dev/null
check "what a search found" 0 explain found.fence
says 'necessary in this run'
says 'store-token would have stopped it'
paste "what a search found" 5

sed 's/^at 13s: expect.*/always: expect not ledger = "from w2"/; s/^\[.*//' "$f1" >always.fence
check "an always that was false" 0 explain --case fenced always.fence
says 'What the file says of always was false: line '
sed 's/^at 13s: expect.*/at 13s: expect w1 holds leader/' "$f1" >missed.fence
check "an expectation that failed" 0 explain --case fenced missed.fence
says 'No rule broke, but the run is not what the file expects: line '
says 'Not asked: a re-run judges the rules'
printf 'fencepost 1\nscenario "x"\ncase a holds\nqueue jobs lease 30s\n  job "mail"\nnode w\nw:\n  claim jobs as j\n  check j\n' >open.fence
check "an undecided rule" 0 explain open.fence
says 'Undecided: no-lost-job "mail"'
printf 'fencepost 1\nscenario "x"\ncase a holds\nlimit events 20\nlock l central ttl 10s\nnode w\nuntil 1h\nw:\n  acquire l\n  repeat every 1ms: check l\nat 9s: heal\n' >loop.fence
check "a run at its limit" 1 explain loop.fence
says 'The run came to no end of its own: still running after 20 events'
says 'What comes again and again at its end'

check "no file" 2 explain
complains 'explain takes FILE'
check "two files" 2 explain "$f1" "$f1"
complains 'explain takes one file'
check "no such file" 2 explain nowhere.fence
check "no such case" 2 explain --case chekced "$f1"
complains "did you mean 'checked'?"
check "two cases" 2 explain --case checked --case fenced "$f1"
complains 'explain takes one --case'
check "several cases, and none violates" 2 explain "$library/traps/t5-stuck-behind-heartbeats.fence"
complains 'which case?'
check "a fault in a line that has none" 2 explain --fault 1=none "$f1"
complains '--fault 1: that line holds no fault'
check "a wrong option" 2 explain --jsno "$f1"
complains "did you mean '--json'?"
check "a wrong file" 2 explain /dev/null
name="a full disk"
if [ -e /dev/full ]; then
    "$fencepost" explain "$f1" >/dev/full 2>err
    if [ $? -eq 3 ]; then good; else bad "another status"; fi
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
