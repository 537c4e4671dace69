#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cli_test.sh: `fencepost fuzz`, `exhaust`, `shrink` and `gates`, from outside, as scenarios/cli_test.sh does it for the
# other commands. FENCEPOST names the command.
. "$(dirname "$0")/../.ci/outside.sh"

no_escapes() { if grep -q "$(printf '\033')" out err; then bad "escape sequences"; else good; fi; }
lines() { if [ "$(wc -l <"$1")" -eq "$2" ]; then good; else bad "$(wc -l <"$1") lines in $1, not $2"; fi; }
# What was found reads back, and its case does what it says.
reads_back() {
    cp out found.fence
    "$fencepost" run found.fence >out 2>err
    got=$?
    if [ $got -eq 0 ]; then good; else bad "what was found: status $got"; fi
    says '1 scenario, 1 case: all as expected'
    "$fencepost" run --format fence found.fence >out 2>err
    if cmp -s out found.fence; then good; else bad "what was found is not in canonical form"; fi
    cp found.fence out
}
# Every line of a file is one JSON value: strings, then numbers, then what is innermost, is reduced to a letter.
json() {
    if [ -s out ] && ! sed -E 's/"([^"\\]|\\["\\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/s/g; s/-?(0|[1-9][0-9]*)|true|false|null/v/g
        :again
        s/s:[sv]/p/g; s/\{(p(,p)*)?\}/v/g; s/\[([sv](,[sv])*)?\]/v/g
        t again' out | grep -qvx v; then good; else bad "no JSON"; fi
    if grep -qv '^{.*}$' out; then bad "not an object a line"; else good; fi
}

write_writers
sed 's/^case fenced.*//' writers.fence >open.fence
sed 's/^case open.*//' writers.fence >fenced.fence
sed 's/^case fenced.*//; s/^case open.*/&\ncase fenced holds/' writers.fence >turned.fence
{
    sed 's/^case open.*/case open without store-token lease-check violates no-stale-write/; s/^case fenced.*//
        s/^may.*//; s/^at.*//' writers.fence
    echo 'before w1 writes ledger: pause w1 for 12s'
} >paused.fence

# wrong COMPLAINT ARGUMENTS...
wrong() {
    said=$1
    shift
    check "wrong: $*" 2 "$@"
    complains "$said"
    prints_nothing
}

# --- fuzz ----------------------------------------------------------------------------------------------

check "fuzz finds what breaks a case" 1 fuzz open.fence
says 'case open without store-token violates no-stale-write by w1'
says '# no-stale-write is broken by w1 at '
says '# minimal: without a fault it holds (exhaustive: '
says '# found by: fencepost fuzz open.fence --case open --seed 1 (schedule '
says ': pause w1 for '
complains 'case open: no-stale-write is broken by w1 at '
complains 'minimal: without a fault it holds'
no_escapes
reads_back
check "what was found is found again by the command in it" 1 $(sed -n 's/.*found by: fencepost \(.*\) (schedule.*/\1/p' found.fence)
if cmp -s out found.fence; then good; else bad "not the same"; fi
check "fuzz finds nothing" 0 fuzz fenced.fence -n 2000
says 'case fenced: nothing found in 2,000 schedules'
says '  single '
says 'independent samples, none broke it: with 95 % confidence fewer than 3 in '
says '  menu: 7 faults, of its `may` lines; within 1m50s; ties at one instant are not explored'
silent
no_escapes
check "every case that says holds, until one is broken" 1 fuzz writers.fence -n 500
complains 'case open: '
check "one case" 0 fuzz writers.fence -n 500 --case fenced
says 'case fenced: nothing found in 500 schedules'
check "one schedule" 0 fuzz fenced.fence --schedules 1
says 'nothing found in 1 schedule'
says 'no independent samples: nothing is said of schedules that were not played'
check "without a gate" 1 fuzz fenced.fence --without store-token
says 'case fenced without store-token violates no-stale-write by w1'
reads_back
check "fewer than 3 in 3 says nothing" 0 fuzz fenced.fence -n 3 --strategy swarm
says '3 independent samples, none broke it: too few to say more'
check "fewer than 3 in 4 is the first that does" 0 fuzz fenced.fence -n 4 --strategy swarm
says '4 independent samples, none broke it: with 95 % confidence fewer than 3 in 4 such do'
check "one sample is one" 0 fuzz fenced.fence -n 1 --strategy swarm
says '1 independent sample, none broke it: too few to say more'
check "the smallest menu and all singles" 0 fuzz fenced.fence --strategy single
says 'nothing found in'
for arm in portfolio swarm guided branch uniform pct; do
    check "strategy $arm" 0 fuzz fenced.fence --strategy $arm -n 200
    says 'nothing found in 200 schedules'
done
check "a baseline says nothing of what was not played" 0 fuzz fenced.fence --strategy uniform -n 200
says 'no independent samples'

cp open.fence ./-dash.fence
check "a name that begins with a dash" 1 fuzz -- -dash.fence
cp open.fence 'a b.fence'
check "a name with a space" 1 fuzz 'a b.fence'
says "fencepost fuzz 'a b.fence' --case open"
sed 's/^lock/param long = 10s\nlock/; s/ttl 10s/ttl long/' fenced.fence >param.fence
check "another value for a param" 0 fuzz param.fence --set long=20s -n 200

for n in 1 2 300 3000; do
    check "one process, $n schedules" 0 fuzz fenced.fence -n $n -j 1
    cp out one
    for jobs in 2 7; do
        check "$jobs processes, $n schedules" 0 fuzz fenced.fence -n $n -j $jobs
        if cmp -s out one; then good; else bad "not the same bytes"; fi
    done
done
check "one process, JSON" 0 fuzz writers.fence --case fenced -n 1500 -j 1 --json
cp out one
check "two processes, JSON" 0 fuzz writers.fence --case fenced -n 1500 -j 2 --json
if cmp -s out one; then good; else bad "not the same bytes"; fi
check "one process finds" 1 fuzz open.fence --strategy swarm -j 1
cp out one
check "two processes find" 1 fuzz open.fence --strategy swarm -j 2
if cmp -s out one; then good; else bad "not the same bytes"; fi
check "another seed" 0 fuzz fenced.fence --seed 2 -n 200 --json
says '"seed":2'
name="another seed, another search"
"$fencepost" fuzz fenced.fence --seed 2 -n 200 --strategy swarm --json >two 2>err
"$fencepost" fuzz fenced.fence --seed 3 -n 200 --strategy swarm --json >out 2>err
if [ "$(sed 's/"seed":.//' two)" != "$(sed 's/"seed":.//' out)" ]; then good; else bad "the same"; fi

check "JSON of nothing" 0 fuzz writers.fence --case fenced -n 200 --json
json
lines out 1
silent
says '{"file":"writers.fence","case":"fenced","end":"nothing found","findings":0,"seed":1,"schedules":200,'
check "JSON of a finding" 1 fuzz open.fence --json
json
lines out 1
silent
says '"end":"found"'
says '"finding":{"invariant":"no-stale-write","by":"w1","at_ns":'
says '"minimal":true'
says '"scenario":"fencepost 1\n'
same_in_json() { # ARGUMENTS...: with --json it prints the file that it prints without
    name="the scenario in JSON: $1"
    if ! command -v python3 >/dev/null; then
        skip "no python3"
        return
    fi
    "$fencepost" "$@" >plain 2>err
    "$fencepost" "$@" --json 2>err |
        python3 -c 'import json, sys; sys.stdout.write(json.loads(sys.stdin.readline())["finding"]["scenario"])' >out
    if cmp -s out plain; then good; else bad "not the same"; fi
    reads_back
}
same_in_json fuzz open.fence

check "-o writes what was found" 1 fuzz open.fence -o broken.fence
prints_nothing
complains 'case open: no-stale-write is broken'
cp broken.fence out
reads_back
check "-o makes no folder" 3 fuzz open.fence -o new/er/broken.fence
complains 'there is no folder new/er'
if [ ! -e new ]; then good; else bad "made a folder"; fi
echo kept >target && ln -s target link
check "-o through a link" 1 fuzz open.fence -o link
if [ -L link ] && cmp -s target broken.fence; then good; else bad "the link was replaced"; fi
mkfifo pipe && { cat pipe >piped & }
check "-o into a pipe" 1 fuzz open.fence -o pipe
wait
if [ -p pipe ] && cmp -s piped broken.fence; then good; else bad "the pipe was replaced"; fi
rm -f pipe
check "--output with JSON" 1 fuzz open.fence --json --output=json.fence
json
check "-o - is standard output" 1 fuzz open.fence -o -
if cmp -s out broken.fence; then good; else bad "not the same"; fi
for command in fuzz exhaust; do
    check "$command, JSON, and an output that cannot be written" 3 $command open.fence --json -o new/er.fence
    prints_nothing
    [ -e /dev/full ] || continue
    check "$command, JSON, and a full disk" 3 $command open.fence --json -o /dev/full
    lines out 1
    json
    complains 'fencepost: /dev/full: '
done
if cmp -s json.fence broken.fence; then good; else bad "not the same"; fi
check "-o where nothing is found writes nothing" 0 fuzz fenced.fence -n 100 -o nothing.fence
if [ ! -e nothing.fence ]; then good; else bad "wrote something"; fi
check "an empty name for what is found" 2 fuzz open.fence -o ''
complains '--output takes the name of a file'
for where in open.fence/broken.fence . new/er/ /dev/null/x; do
    check "-o '$where'" 3 fuzz open.fence -o "$where"
    prints_nothing
    complains "fencepost: $where"
done
name="no half of a finding is left"
if [ -z "$(find . -name '*.part')" ] && [ -s open.fence ]; then good; else bad "$(find . -name '*.part')"; fi
mkdir closed
chmod a-w closed
if ! (: >closed/x) 2>/dev/null; then
    check "-o in a folder that cannot be written" 3 fuzz open.fence -o closed/broken.fence
    complains 'closed/broken.fence: '
    prints_nothing
    if [ -z "$(ls -A closed)" ]; then good; else bad "left something"; fi
else
    name="-o in a folder that cannot be written"
    rm -f closed/x
    skip "everything can be written here"
fi
name="a full disk"
: >out
if [ -e /dev/full ]; then
    for args in "fuzz open.fence" "fuzz open.fence --json" "fuzz fenced.fence -n 50" "exhaust open.fence" \
        "exhaust fenced.fence" "exhaust fenced.fence --json"; do
        "$fencepost" $args >/dev/full 2>err
        got=$?
        if [ $got -eq 3 ]; then good; else bad "status $got, not 3, for $args"; fi
        complains 'cannot write'
    done
else
    skip "no /dev/full"
fi

# Signs are looked for where they are asked for.
check "a sign is no harm" 0 fuzz fenced.fence -n 1000
check "split-brain" 1 fuzz fenced.fence --find split-brain
says 'case fenced violates single-'
reads_back
check "one invariant alone" 0 fuzz open.fence --find token-order -n 1000
says 'nothing found'
check "one sign alone" 1 fuzz fenced.fence --find single-actor
says 'violates single-actor by '
reads_back
check "two at once" 1 fuzz open.fence --find token-order --find no-stale-write

check "rediscover: the kinds that were there" 1 fuzz paused.fence --case open --rediscover kinds
says ' violates no-stale-write by w1'
reads_back
check "rediscover: everything" 1 fuzz paused.fence --case open --rediscover all --json
json
says '"own_faults":1'

# --- kept, divided, merged ---------------------------------------------------------------------------------

check "all samples, as a record" 0 fuzz fenced.fence -n 900 --shard 1/1
complains 'case fenced: 900 independent schedules, none broke it'
cp out whole
for i in 1 2 3; do
    check "shard $i of 3" 0 fuzz fenced.fence -n 900 --shard $i/3 -o shard$i
    prints_nothing
done
check "shards, merged in any order" 0 fuzz --merge shard2 shard3 shard1 shard2
if cmp -s out whole; then good; else bad "not the record of all samples"; fi
check "two of three shards" 0 fuzz --merge shard1 shard3
if cmp -s out whole; then bad "all the same"; else good; fi
check "a shard finds, and goes on to the next case" 1 fuzz turned.fence -n 600 --shard 1/1
complains 'case open: '
complains 'case fenced: '
complains 'as a scenario: fencepost shrink FILE RECORD'
cp out found
check "a record's finding as a scenario" 0 shrink turned.fence found --case open
complains 'case open: no-stale-write is broken by '
reads_back
check "a record of several cases" 2 shrink turned.fence found
complains 'found: records of 2 cases: say by --case which'
check "a record with other options" 2 shrink turned.fence found --case open --without lease-check
complains 'found: a record of another case, or of other options than these'
check "a record without a finding" 2 shrink fenced.fence whole
complains 'case fenced breaks nothing: there is nothing to shrink'
check "a record's finding that is not looked for" 2 shrink turned.fence found --case open --find single-grant
complains 'case open breaks nothing of what --find names'
check "one shard's record of a case without its own faults" 1 fuzz "$tree/scenarios/seeds/f1-paused-leader.fence" \
    --case fenced --without store-token --rediscover kinds -n 600 --shard 1/1 -o stripped
check "its finding as a scenario" 0 shrink "$tree/scenarios/seeds/f1-paused-leader.fence" stripped \
    --without store-token --rediscover kinds
reads_back
wrong '--rediscover says where an input or a record is from, and here is none' \
    shrink "$tree/scenarios/seeds/f1-paused-leader.fence" --rediscover kinds
sed 's/^sample.*/&9/; s/^case.*/& x/' found >damaged
check "a record that was changed is not shrunk" 2 shrink turned.fence damaged --case open
complains 'damaged:'
sed 's/^sample.*/&9/; s/^case.*/& x/' shard1 >damaged
check "a record that was changed" 2 fuzz --merge shard2 damaged
complains 'damaged:'
prints_nothing

# A budget that ends within a round, and a larger one.
check "a search that is kept" 0 fuzz fenced.fence -n 336 --state kept
check "a search that goes on where it was" 0 fuzz fenced.fence -n 1500 --state kept
cp out long
check "in one go" 0 fuzz fenced.fence -n 1500
if cmp -s out long; then good; else bad "not the same bytes"; fi
check "kept, with another seed" 2 fuzz fenced.fence -n 1500 --state kept --seed 2
complains 'kept'
prints_nothing
check "going on past what is found" 1 fuzz open.fence -n 3000 --state kept-open --keep-going
complains 'no-stale-write is broken by w1'
name="what was found on the way"
for found in kept-open/*.fence; do
    cp "$found" out
    reads_back
done

# A case that holds before one that does not.
sed -e 's/^case fenced.*/case one holds\
case two without store-token holds/' fenced.fence >words.fence

# The second is what somebody else does, though one fault is enough for the first.
check "each finding keeps its culprit" 1 fuzz "$tree/scenarios/seeds/f1-paused-leader.fence" --case fenced \
    --without store-token --rediscover kinds --seed 3 -n 3000 --state kept-two --keep-going
says '2 findings in kept-two: no-stale-write by w1, no-stale-write by w2'
holds kept-two/fenced.no-stale-write-2.fence '# no-stale-write is broken by w2 at '
holds kept-two/fenced.no-stale-write-2.fence '# no certificate that it is minimal: with fewer faults somebody else breaks it'
cp -r kept-two kept-whole
rm kept-two/fenced.no-stale-write.fence
head -c 40 kept-whole/fenced.no-stale-write-2.fence >kept-two/fenced.no-stale-write-2.fence
for kept in kept-two kept-whole; do
    check "findings that somebody took away, or cut short, are written again, and the search goes on as it would have: $kept" 1 \
        fuzz "$tree/scenarios/seeds/f1-paused-leader.fence" --case fenced --without store-token --rediscover kinds --seed 3 \
        -n 4000 --state $kept --keep-going
    says "; 2 findings in $kept: no-stale-write by w1, no-stale-write by w2"
done
if diff -r kept-two kept-whole >/dev/null; then good; else bad "not the same files"; fi
if [ -e kept-two/fenced.no-stale-write-2.fence ]; then good; else bad "no finding there"; fi

check "a case about a sign, as it was found" 1 fuzz "$tree/scenarios/faults/quiet-keeper.fence" --case watchdog -n 300 -o sign
check "is shrunk as one about that sign" 0 shrink sign
says 'case watchdog violates single-actor by w1'
reads_back

check "words of cases that hold stay out of the scenario" 1 fuzz words.fence -n 200
complains 'case one: nothing found in 200 schedules'
complains 'case two: no-stale-write is broken by '
if head -n 1 out | grep -qx 'fencepost 1'; then good; else bad "$(head -n 1 out)"; fi
reads_back
check "nor do those of exhaust" 1 exhaust words.fence -k 1
complains 'case one: complete: no schedule with at most 1 fault breaks it'
if head -n 1 out | grep -qx 'fencepost 1'; then good; else bad "$(head -n 1 out)"; fi
reads_back
check "with -o they are all there is" 1 fuzz words.fence -n 200 -o words
says 'case one: nothing found in 200 schedules'

check "of several that are looked for, one that breaks in the calm run does not hide the others" 0 \
    fuzz "$tree/scenarios/seeds/f1-paused-leader.fence" --case fenced --find split-brain -n 300
complains 'case fenced breaks single-actor without any fault of a search: it is not looked for'
says 'case fenced: nothing found in 300 schedules'
check "unless all of them do" 1 fuzz "$tree/scenarios/seeds/f1-paused-leader.fence" --case fenced --find single-actor
complains 'case fenced breaks single-actor without any fault of a search: there is nothing to look for'

# As many faults as one likes.
sed '/^at most/d' fenced.fence >wide.fence

# --- situations -------------------------------------------------------------------------------------------

check "fuzz --reach finds a schedule that reaches it" 1 fuzz fenced.fence --reach drop:written
says '# drop:written is reached at '
says '# minimal: without a fault it is not reached (exhaustive: 1 schedule, 7 faults on the menu, within 1m50s)'
says '# found by: fencepost fuzz fenced.fence --case fenced --reach drop:written --seed 1 (schedule '
says 'case fenced holds'
says 'drop ledger -> w1'
complains 'case fenced: drop:written is reached at '
no_escapes
reads_back
check "what was found is found again by the command in it" 1 $(sed -n 's/.*found by: fencepost \(.*\) (schedule.*/\1/p' found.fence)
if cmp -s out found.fence; then good; else bad "not the same"; fi
check "a situation in a case that breaks: it says so" 1 fuzz open.fence --reach pause:between-check-and-act
says 'pause w1 for '
reads_back
check "a situation by two faults" 1 fuzz fenced.fence --reach pause:past-its-lease
says '# minimal: nothing with fewer faults reaches it (exhaustive: '
reads_back
check "fuzz --reach, of several whichever is found" 1 fuzz fenced.fence --reach slow:idle --reach pause:acquiring
says '# pause:acquiring is reached at '
check "fuzz --reach finds nothing" 0 fuzz fenced.fence --reach crash:idle -n 500
says 'case fenced: nothing found in 500 schedules'
says 'independent samples, none reached it: with 95 % confidence fewer than 3 in '
silent
check "what no run can reach is searched for all the same, and the reason said" 0 fuzz fenced.fence --reach slow:idle -n 500
says '  slow:idle is never reached: only a service answers'
check "all that none can" 0 fuzz fenced.fence --reach never -n 500
says '  pause-thread:at-rest is never reached: a service has one thread'
check "the file reaches it by itself" 1 fuzz paused.fence --reach pause:between-check-and-act
complains 'case open reaches pause:between-check-and-act without any fault of a search'
prints_nothing
check "every case, whatever it says" 1 fuzz paused.fence --reach crash:holding -n 4000
reads_back
check "JSON of a situation that is found" 1 fuzz fenced.fence --reach drop:written --json
json
says '"situation":"drop:written","by":null,'
says '"minimal":true,"proved":0,'
check "JSON of one that is not" 0 fuzz fenced.fence --reach crash:idle -n 500 --json
json
says '"end":"nothing found"'
check "to a file" 1 fuzz fenced.fence --reach drop:written -o reached.fence
prints_nothing
if grep -q '^# drop:written is reached' reached.fence; then good; else bad "no reached.fence"; fi
check "kept" 0 fuzz fenced.fence --reach crash:idle -n 500 --state reach-kept
check "kept, and gone on with" 0 fuzz fenced.fence --reach crash:idle -n 900 --state reach-kept
check "kept of another situation" 2 fuzz fenced.fence --reach drop:grant -n 900 --state reach-kept
check "kept, past what is found" 1 fuzz fenced.fence --reach pause:working --reach drop:written -n 600 --state reach-on -k
says '2 findings in reach-on: '
if [ -e reach-on/fenced.drop-written.fence ]; then good; else bad "no file of its name"; fi

# --- exhaust --------------------------------------------------------------------------------------------

check "exhaust is complete" 0 exhaust fenced.fence
says 'case fenced: complete: no schedule with at most 2 faults breaks it'
says '  menu: 7 faults, of its `may` lines; within 1m50s; ties at one instant are not explored; linearizable is not judged'
silent
no_escapes
check "exhaust finds" 1 exhaust open.fence
says ' violates no-stale-write by w1'
says 'found by: fencepost exhaust open.fence --case open --faults 2'
complains ', with 1 fault, and nothing with fewer does'
no_escapes
reads_back
cat >full.fence <<'END'
fencepost 1
scenario "Little room"
case a without durable-grant store-token holds
lock leader quorum voters 3 ttl 10s
store ledger
node w1 w2
w1:
  acquire leader
  work 2s
  write ledger "from w1"
w2:
  wait 1s
  acquire leader
  write ledger "from w2"
limit pending 12
may crash leader.1 up to 2s
may duplicate
may delay up to 2s
END
check "exhaust finds what may not have the fewest faults" 1 exhaust full.fence
says '# no certificate that it is minimal: some schedules end at a capacity, or with an error of the scenario; at least 1'
complains 'with 2 faults, and nothing with fewer does, but what ended at a capacity of the file, or with an error of it,'
check "no fault at all" 0 exhaust open.fence --faults 0
says 'complete: no schedule with at most 0 faults breaks it'
check "one fault" 0 exhaust fenced.fence -k 1
says 'with at most 1 fault breaks it'
check "every schedule for itself" 0 exhaust fenced.fence --faults 1 --enumerate
says 'complete: no schedule with at most 1 fault breaks it'
check "exhaust is not complete: --steps" 4 exhaust wide.fence --faults 4 --steps 1 --enumerate
says 'not complete: --steps ended at bound '
check "exhaust is not complete: --memory" 4 exhaust wide.fence --faults 8 --memory 256K
says 'not complete: --memory ended at bound '
check "exhaust is not complete: --time" 4 exhaust wide.fence --faults 8 --enumerate --time 100ms
says 'not complete: --time ended at bound '
check "JSON of a complete search" 0 exhaust fenced.fence --json
json
says '"end":"complete","complete":true,"bound":2,'
check "JSON of a search that is not complete" 4 exhaust wide.fence --faults 8 --memory 256K --json
json
says '"end":"memory","complete":false'
check "JSON of what is found" 1 exhaust open.fence --json
json
lines out 1
says '"invariant":"no-stale-write","faults":1,"finding":{"invariant":"no-stale-write","by":"w1","at_ns":'
says '"minimal":true,"proved":0,'
same_in_json exhaust open.fence
# The file that is left says `violates`, and no longer which sign the case was asked about.
check "a sign, in a file without what it needs not" 1 exhaust "$tree/scenarios/faults/step-after-the-drain.fence" -k 1
reads_back
check "how it was found, with its options" 1 exhaust fenced.fence --without store-token --faults 1
says '# found by: fencepost exhaust fenced.fence --case fenced --without store-token --faults 1'
check "exhaust, two cases" 1 exhaust writers.fence --json
json
lines out 2
for command in fuzz exhaust; do
    check "$command, JSON: an object a case, also behind one that is broken" 1 $command turned.fence --json
    json
    lines out 2
    check "$command, a file: it ends with what it finds" 1 $command turned.fence
    reads_back
done
check "exhaust without a gate" 1 exhaust fenced.fence --without store-token -o exhausted.fence
prints_nothing
cp exhausted.fence out
reads_back
check "exhaust -o where it cannot be written" 3 exhaust open.fence -o open.fence/x
prints_nothing
check "exhaust looks for split-brain" 1 exhaust fenced.fence --find split-brain
reads_back
check "exhaust rediscovers" 1 exhaust paused.fence --case open --rediscover kinds --faults 1
says ' violates no-stale-write by w1'
check "the same bytes again" 0 exhaust fenced.fence
cp out one
check "the same bytes again" 0 exhaust fenced.fence
if cmp -s out one; then good; else bad "not the same bytes"; fi
name="no colour, asked or not"
NO_COLOR=1 "$fencepost" exhaust open.fence >out 2>err
no_escapes
CLICOLOR_FORCE=1 TERM=xterm "$fencepost" fuzz open.fence 2>err | cat >out
no_escapes

# --- bad command lines ------------------------------------------------------------------------------------

for value in 0 -1 x 1x '' 1.5 99999999999999999999; do
    wrong "--schedules takes a number from 1 to " fuzz open.fence --schedules "$value"
    wrong "--jobs takes a number from 1 to 64, not '$value'" fuzz open.fence "--jobs=$value"
    wrong "--steps takes a number from 1 to " exhaust open.fence --steps "$value"
done
wrong "--jobs takes a number from 1 to 64, not '65'" fuzz open.fence -j 65
for value in -1 x '' 9223372036854775808; do
    wrong "--seed takes a number from 0 to 9223372036854775807, not '$value'" fuzz open.fence --seed "$value"
done
check "the largest seed" 0 fuzz fenced.fence -n 20 --seed 9223372036854775807
check "the smallest seed" 0 fuzz fenced.fence -n 20 --seed 0
for value in 9 -1 x '' 1000; do
    wrong "--faults takes a number from 0 to 8, not '$value'" exhaust open.fence --faults "$value"
done
for value in 0s 0ms 1ns 1us 5 s 1.5s -1s '' 5d 99999999999999h; do
    wrong "--time takes a duration from 1ms, like 90s or 5m, not '$value'" fuzz open.fence --time "$value"
    wrong "--time takes a duration from 1ms, like 90s or 5m, not '$value'" exhaust open.fence -t "$value"
done
for value in 0 5 255K 1k 1MB '' 1025G 99999999999999999999G; do
    wrong "--memory takes a size from 256K to 1024G, like 512M, not '$value'" exhaust open.fence --memory "$value"
done
wrong "did you mean 'swarm'?" fuzz open.fence --strategy swam
wrong "no strategy 'zzzzzz'; there is portfolio, single, swarm" fuzz open.fence --strategy zzzzzz
wrong "did you mean 'no-stale-write'?" fuzz open.fence --find no-stale-wrote
wrong "did you mean 'split-brain'?" exhaust open.fence --find split-brian
wrong "no invariant 'zzzzzzzz'; \`fencepost list invariants\` shows them" fuzz open.fence --find zzzzzzzz
wrong "--rediscover takes 'kinds' or 'all', not 'kind'" fuzz open.fence --rediscover kind
wrong "did you mean 'store-token'?" fuzz open.fence --without stoer-token
wrong "--set takes NAME=VALUE" fuzz open.fence --set x
wrong "did you mean '--schedules'?" fuzz open.fence --schedule 5
wrong "did you mean '--faults'?" exhaust open.fence --fault 5
wrong "exhaust has no option '--seed'" exhaust open.fence --seed 5
wrong "fuzz has no option '--enumerate'" fuzz open.fence --enumerate
wrong "--json takes no value" fuzz open.fence --json=yes
for value in 0/4 5/4 4 /4 4/ x/4 1/65537 1/4/5 ''; do
    wrong "--shard takes I/N with I from 1 to N and N up to 65536, like 3/64, not '$value'" fuzz open.fence --shard "$value"
done
wrong "no situation 'pause:holdng'; did you mean 'pause:holding'?" fuzz fenced.fence --reach pause:holdng
wrong "no situation 'x', which is FAULT:DOING, like pause:holding" fuzz fenced.fence --reach x
wrong "no situation ''" fuzz fenced.fence --reach ''
wrong "--find looks for what breaks, --reach for what happens" fuzz fenced.fence --reach drop:grant --find no-stale-write
wrong "a shard keeps what breaks: it takes no --reach" fuzz fenced.fence --reach drop:grant --shard 1/2
wrong "exhaust has no option '--reach'" exhaust fenced.fence --reach drop:grant
wrong "--keep-going writes what it finds to the folder of --state" fuzz open.fence --keep-going
for option in '--case open' '--set x=1' '--without store-token' '--schedules 5' '--time 1s' '--seed 1' '--jobs 1' '--strategy swarm' \
    '--find split-brain' '--reach drop:grant' '--rediscover all' '--steps 1' '--keep-going' '--state kept' '--shard 1/2'; do
    wrong "--merge takes records, and nothing is searched: it takes no ${option%% *}" fuzz --merge $option shard1
    wrong "--merge takes records, and nothing is searched: it takes no ${option%% *}" fuzz $option --merge shard1
done
wrong "--merge takes records, and nothing is searched: it takes no --schedules" fuzz -n 5 --merge shard1
wrong "a shard is a range of samples, whole: it takes no --time" fuzz open.fence --shard 1/2 --time 1s
wrong "with --state what is found goes to its folder" fuzz open.fence --state kept -o x
check "the shortest time" 0 fuzz fenced.fence --time 1ms
echo mine >no-folder
for name in no-folder no-folder/kept; do
    wrong "$name: is no folder" fuzz open.fence --state $name
done
if [ "$(cat no-folder)" = mine ]; then good; else bad "wrote something"; fi
wrong "a shard is written as a record: it takes no --json" fuzz open.fence --shard 1/2 --json
wrong "--merge writes a record: it takes no --json" fuzz --merge --json shard1
for arm in single guided branch uniform pct; do
    wrong "a shard is of independent samples, which are swarm's: it takes no other --strategy" fuzz open.fence --shard 1/2 --strategy $arm
done
check "a shard of swarm's is what a shard is" 0 fuzz fenced.fence -n 900 --shard 1/3 --strategy swarm
if cmp -s out shard1; then good; else bad "another record"; fi
wrong "--shard is kept by its record, not by --state" fuzz open.fence --state kept --shard 1/2
for option in --shard --state --schedules --seed --jobs --strategy --find --reach --rediscover --case --set --without --output --time --memory --steps; do
    wrong "$option takes a value: $option " fuzz open.fence $option
done
for command in fuzz exhaust; do
    wrong "$command takes FILE" $command
    complains "for example: fencepost $command"
    wrong "$command takes one file" $command open.fence fenced.fence
    wrong "a search takes one --case" $command open.fence --case a --case b
    wrong "did you mean 'open'?" $command writers.fence --case opne
    wrong 'nowhere.fence: no such file or folder' $command nowhere.fence
    wrong 'paused.fence: no case says `holds`, and a search looks for what breaks one; --case NAME takes another' \
        $command paused.fence
    sed 's/^may drop.*/may drip/' open.fence >typo.fence
    wrong 'typo.fence:' $command typo.fence
    complains "did you mean 'drop'?"
    complains '^~~~'
    sed 's/^node .*/node w1 w2 idle/; s/^may pause.*/may pause idle/; s/^may drop.*//; s/^at most.*//' fenced.fence >idle.fence
    wrong 'idle.fence: case fenced: nothing may go wrong: its `may` lines allow no fault that would do anything' \
        $command idle.fence
    {
        sed 's/^  work 1s/  repeat 1000:\n    work 1ms/' fenced.fence
        echo 'limit events 900'
    } >endless.fence
    wrong 'endless.fence: case fenced: without any fault it comes to no end of its own: `fencepost run` says why' \
        $command endless.fence
    {
        printf 'fencepost 1\nscenario "x"\ncase a holds\nstore s\nnode w1..w60\n'
        printf 'w1..w60:\n  write s 1\n'
    } >many.fence
    wrong 'many.fence: case a: more than 4096 faults could happen; `may` lines say which matter' $command many.fence
    wrong "tll" $command open.fence --set tll=5s
    check "help on $command" 0 $command --help
    says "fencepost $command FILE"
    says 'status: 0 nothing found, complete, shrunk; 1 something was found'
    silent
done
check "a case whatever it says" 1 fuzz paused.fence --case open
complains 'paused.fence: case open breaks no-stale-write without any fault of a search: there is nothing to look for; `fencepost run` shows it'
prints_nothing
check "a case whatever it says, JSON" 1 fuzz paused.fence --case open --json
json
says '"calm":"no-stale-write"'
check "exhaust of a case that is broken already" 1 exhaust paused.fence --case open
complains 'no-stale-write is broken by w1 at 13.005s, with 0 faults'

# --- time, and interruption ---------------------------------------------------------------------------------

check "a time" 0 fuzz fenced.fence --schedules 1000000000000 --time 200ms --json
json
says '"end":"out of time"'
# interrupted SIGNAL STATUS ARGUMENTS...: sends it in mid-search.
interrupted() {
    signal=$1 wanted=$2
    shift 2
    name="$signal: $*"
    "$fencepost" "$@" >out 2>err </dev/null &
    pid=$!
    sleep 0.5
    for again in 1 2 3 4 5 6 7 8 9; do # a machine under load may not have begun
        kill -$signal $pid 2>/dev/null || break
        sleep 0.2
    done
    wait $pid 2>/dev/null
    got=$?
    if [ $got -eq "$wanted" ]; then good; else bad "status $got, not $wanted"; fi
}
interrupted INT 130 fuzz fenced.fence -n 1000000000000 -j 2
says 'case fenced: interrupted in '
says 'independent samples, none broke it'
interrupted TERM 143 fuzz fenced.fence -n 1000000000000 -j 1 --json
says '"end":"interrupted"'
json
check "JSON of a finding that went to a folder" 1 fuzz open.fence --state kept-json --json
json
lines out 1
says '"end":"found","findings":1,'
# What a signal cuts short is made anew by whoever goes on: every finding, byte for byte.
sed '/^may /d' "$tree/fuzz/seeded/d3-three-voters-forget.fence" >voters.fence
disturbed() { # FOLDER SIGNAL ARGUMENTS...: a search that is kept there comes to what an undisturbed one does
    folder=$1 signal=$2 ended=130
    shift 2
    check "the search of $folder, undisturbed" 1 fuzz "$@" --state "un$folder"
    for pause in 0.3 0.45 0.7 1.1 0.5 0.9; do
        [ $ended -gt 1 ] || break # it came to its end
        "$fencepost" fuzz "$@" --state "$folder" >out 2>err </dev/null &
        pid=$!
        sleep $pause
        kill -"$signal" $pid 2>/dev/null
        wait $pid 2>/dev/null
        ended=$?
    done
    [ $ended -le 1 ] || check "the search of $folder, disturbed by $signal, to its end" 1 fuzz "$@" --state "$folder"
    name="the search of $folder, disturbed by $signal"
    if [ "$(ls "un$folder")" = "$(ls "$folder")" ]; then good; else bad "other files"; fi
    for file in "un$folder"/*.fence; do
        sed "s/un$folder/$folder/" "$file" >wanted
        if cmp -s wanted "$folder/${file#*/}"; then good; else bad "$file is another"; fi
    done
}
for signal in HUP INT TERM; do
    set -- voters.fence --without durable-grant -n 3000 -j2 --steps 1
    disturbed going-$signal $signal "$@" --keep-going
    disturbed first-$signal $signal "$@"
done
{ hup=$(sh -c 'kill -HUP $$; echo ignored'); } 2>/dev/null
if [ "$hup" = ignored ]; then # as nohup has it, and nothing undoes that
    name="a search that a terminal's end interrupts" && skip "SIGHUP is ignored here"
else
    interrupted HUP 129 fuzz fenced.fence -n 1000000000000 -j 2
    says 'case fenced: interrupted in '
fi
name="a search that nohup started goes on"
(
    trap '' HUP
    exec "$fencepost" fuzz fenced.fence -n 1000000000000 --time 2s -j 1
) >out 2>err &
pid=$!
sleep 0.5
kill -HUP $pid
wait $pid
got=$?
if [ $got -eq 0 ]; then good; else bad "status $got"; fi
says 'case fenced: out of time in '
interrupted INT 130 exhaust wide.fence --faults 8 --enumerate
says 'not complete: interrupted at bound '
interrupted INT 130 exhaust wide.fence --faults 8 --enumerate --json
says '"end":"interrupted","complete":false'
check "exhaust says in JSON, too, that its time was over" 4 exhaust wide.fence --faults 8 --enumerate --time 200ms --json
says '"end":"out of time","complete":false'
interrupted INT 130 fuzz writers.fence --case fenced -n 1000000000000 -o interrupted.fence
if [ ! -e interrupted.fence ]; then good; else bad "wrote something"; fi

interrupted INT 130 fuzz open.fence -n 1000000000000 --state kept-cut --keep-going
says 'case open: interrupted in '
says '; 1 finding in kept-cut: no-stale-write'
check "a time, behind what was found" 1 fuzz open.fence -n 1000000000000 --time 200ms --state kept-cut --keep-going
says 'case open: out of time in '

interrupted INT 130 fuzz fenced.fence -n 1000000000000 --shard 1/2 -o cut-shard
complains 'interrupted: a shard is whole, or no record of it is written'
if [ ! -e cut-shard ]; then good; else bad "wrote something"; fi
interrupted TERM 143 fuzz fenced.fence -n 1000000000000 --shard 1/2 -j 1
prints_nothing

# --- shrink ---------------------------------------------------------------------------------------

sed 's/^before.*/&\nafter w2 writes ledger: pause w2 for 12s/' paused.fence >two.fence
check "shrink leaves out a fault that nothing needs" 0 shrink two.fence
says '# minimal: without a fault it holds (exhaustive: '
complains 'case open: no-stale-write is broken by w1 at 13.005s, with 2 faults, shrunk to 1'
reads_back
check "shrink --as-is shrinks nothing, and says that it proved nothing" 0 shrink two.fence --as-is
says '# no certificate that it is minimal: it is as it was given'
complains 'no-stale-write is broken by w1 at 13.005s, with 2 faults'
reads_back
check "JSON of what was shrunk" 0 shrink two.fence --json
json
lines out 1
silent
says '{"file":"two.fence","case":"open","finding":{"invariant":"no-stale-write","by":"w1","at_ns":13005000000,'
says '"found_with":2,"faults":["before w1 writes ledger: pause w1 for 12s"],"minimal":true,"proved":0,'
same_in_json shrink two.fence
wrong '--to-input writes an input of the fuzz target: it takes no --json' shrink two.fence --to-input --json
shrunk_again() { # FILE ARGUMENTS...: what was shrunk stays as it is, and says once what it breaks
    file=$1
    shift
    check "shrink $file" 0 shrink "$@" -o once.fence
    cp once.fence twice.fence
    check "shrink what was shrunk from $file, in place" 0 shrink twice.fence -o twice.fence
    if cmp -s once.fence twice.fence; then good; else bad "not the same bytes"; fi
    cp twice.fence out
    if [ "$(grep -c '^# .* at [0-9.]*s$' out)" -eq 1 ]; then good; else bad "not one note of what is broken"; fi
    if grep -q 'found by: ' out; then bad "a command that does not find it"; else good; fi
}
shrunk_again two.fence two.fence
{
    cat open.fence
    echo '# Whoever pauses is late.'
} >by-hand.fence
check "a finding says how it was found" 1 fuzz by-hand.fence -o by-fuzz.fence
cp by-fuzz.fence out
says '# found by: fencepost fuzz by-hand.fence'
shrunk_again by-fuzz.fence by-fuzz.fence
says '# Whoever pauses is late.'
cat >always.fence <<'END'
fencepost 1
scenario "One comes before two"
case a holds
store one
store two
node w1 w2
w1:
  write one 1
w2:
  wait 2s
  write two 1
may delay up to 5s
always: expect two = none or one = 1
at 0s: delay w1 -> one #1 by 3s
END
{
    sed '/^always/,$d' always.fence
    sed -n '/^at 0s/p; /^always/p' always.fence | sort -r
} >faults-first.fence
check "which line is false, where faults stand before it" 0 shrink faults-first.fence
complains 'what line 14 says of always is false at '
check "which line is false, as JSON" 0 shrink faults-first.fence --json
says '"invariant":"always","line":14,'
check "which line is false is said of the file that is read" 0 shrink always.fence
complains 'what line 13 says of always is false at '
says '# what it says of always is false at '
shrunk_again always.fence always.fence
later="$tree/scenarios/faults/verdict-on-a-finished-job.fence"
shrunk_again "$later" "$later" --case by-job
check "a finding to go on from" 0 shrink two.fence --as-is
reads_back
check "a finding as an input" 0 shrink found.fence --as-is --to-input -o input
prints_nothing
sed '/^before/d; s/violates.*/holds/' paused.fence >calm.fence
check "an input as a finding: the same" 0 shrink calm.fence input --as-is
if [ "$(grep '^before' out)" = "$(grep '^before' found.fence)" ]; then good; else bad "other faults"; fi
check "an input, shrunk" 0 shrink calm.fence input
complains 'shrunk to 1'
reads_back
sed 's/for 12s/for 12.3s/' found.fence >beside.fence
no_input() { # FILE COMPLAINT
    check "an input of faults that no menu has is none: $1" 2 shrink "$1" --as-is --to-input -o nowhere
    complains "$2"
    prints_nothing
    if [ ! -e nowhere ]; then good; else bad "wrote something"; fi
}
no_input beside.fence \
    "beside.fence: case open: no input says 'before w1 writes ledger: pause w1 for 12.3s': the menu of this case has no such fault"
{
    sed 's/^before/may pause w1\n&/' found.fence
    echo 'at 0s: delay w2 -> ledger #1 by 3s'
} >both.fence
no_input both.fence \
    "both.fence:$(wc -l <both.fence): no input says this fault: the menu of this case has no such fault there"
{
    sed 's/^before.*/may pause w1/' found.fence
    echo 'at 0s: delay w1 -> ledger #1 by 30s'
} >late.fence
wrong "late.fence: case open breaks nothing without the fault of line $(wc -l <late.fence), which no search has: the menu" shrink late.fence
head -c 15 input >cut
wrong 'cut: the last record is not whole: an input is records of 8 bytes' shrink calm.fence cut
wrong 'input: a record names an offer that the menu of this case does not have' shrink fenced.fence input
: >nothing
wrong 'fenced.fence: case fenced breaks nothing: there is nothing to shrink' shrink fenced.fence nothing
wrong 'writers.fence: which case? --case fenced or open' shrink writers.fence
check "what breaks by the file's own faults needs no other" 1 exhaust paused.fence --case open
says "# minimal: it needs no fault beside the file's own"

# --- gates ---------------------------------------------------------------------------------------

# A mail without a key: whoever takes the job over sends it again, whatever the gates.
mkdir -p all/mails all/books
cat >all/mails/mail.fence <<'EOF'
fencepost 1
scenario "A mail without a key"
case safe holds
queue jobs lease 9s
  job "a"
node w1 w2
w1:
  claim jobs as job
  effect "mail"
  work 2s
  complete job
w2:
  wait 1s
  claim jobs within 20s as job
  effect "mail"
  complete job
may pause w1 up to 20s
EOF
sed '/effect/d; s/case safe/case quiet/' all/mails/mail.fence >all/mails/quiet.fence
sed '/effect/d' all/mails/mail.fence >all/books/book.fence
check "gates says what falls whatever they are, and decides the rest" 0 gates all/mails/mail.fence --seeds 1
says '  whatever the gates, and not looked for: effect-once; without all of them'
says '  complete-token    needed     owner-completes'
silent
check "gates where all of it stands says nothing of that kind" 0 gates all/mails/quiet.fence --seeds 1
if grep -q 'whatever the gates' out; then bad "something falls"; else good; fi
check "gates as JSON" 0 gates all/mails/mail.fence --seeds 1 --json
json
says '"whatever_the_gates":["effect-once"]'
check "gates of several folders: totals of each that has more than one case, then of all" 0 gates all --seeds 1
says 'all/mails: 2 cases'
says 'all 3 cases'
says '  whatever the gates, in 1 case: effect-once 1'
if grep -q '^all/books: ' out; then bad "totals of one case"; else good; fi
check "gates of one folder: its totals are those of all" 0 gates all/mails --seeds 1
if grep -q '^all/mails: ' out; then bad "totals twice"; else good; fi
says 'all 2 cases'
(cat all/mails/mail.fence && echo 'at most 1 fault') >one.fence
check "gates says the bound that it searched" 0 gates one.fence --seeds 1 -k 2
says ' schedules, then all with at most 1 fault of a menu of '
check "in JSON too" 0 gates one.fence --seeds 1 -k 2 --json
says '"faults":1,"menu":'
says '"end":"complete"'
interrupted INT 130 gates "$tree/scenarios/seeds/f1-paused-leader.fence" -k 4
says '  interrupted: what was not asked is not known; bound: '
interrupted INT 130 gates "$tree/scenarios/seeds/f1-paused-leader.fence" -k 4 --json
says '"end":"interrupted"'
check "what gates does not look for is said by its help" 0 gates --help
says 'What breaks with every gate in place'

if [ $skipped -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ]
