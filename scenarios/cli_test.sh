#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cli_test.sh: the command line, from outside. Each check runs the command in an empty folder and compares
# its exit status, and what it says, with what a user is promised. FENCEPOST names the command.
. "$(dirname "$0")/../.ci/outside.sh"

cat >paused.fence <<'END'
fencepost 1
scenario "A paused leader overwrites its successor"
  source "M. Kleppmann, How to do distributed locking, 2016"
  lesson "A lock that expires cannot stop a write that is already on its way."

case advisory   without store-token lease-check   violates no-stale-write
case checked    without store-token               violates no-stale-write
case fenced                                       holds

lock  leader central ttl 10s
store ledger
node  w1 w2

w1:
  acquire leader
  work 1s
  write ledger "from w1"

w2:
  wait 11s
  acquire leader
  write ledger "from w2"

# stop-the-world GC: its clocks run on
before w1 writes ledger: pause w1 for 12s

at 13s: expect w2 holds leader
[advisory checked] at end: expect ledger = "from w1"
[fenced]           at end: expect ledger = "from w2"
[fenced]           at end: expect w1 failed stale-token
END
# one case, nothing goes wrong, with a param
cat >calm.fence <<'END'
fencepost 1
scenario "Nothing goes wrong"
case calm holds
param ttl = 10s
lock leader central ttl ttl
store ledger
node w1
w1:
  acquire leader
  write ledger "a"
at end: expect ledger = "a"
END
edit() { sed "$1" paused.fence >"$2"; }
edit 's/at 13s: expect w2 holds leader/at 13s: expect w1 holds leader/' wrong.fence
edit 's/^case fenced  *holds/case fenced violates no-stale-write/' canary.fence
edit 's/pause w1 for 12s/puase w1 for 12s/' typo.fence
edit 's/^before w1 writes ledger:/before w1 writes ledger #2:/' idle.fence
edit 's/^  lesson .*/  decided-by lease-check/' undecided.fence
edit 's/^  lesson .*/  decided-by store-token/' decided.fence

{
    cat paused.fence
    echo 'ask at 12s "What will the ledger say at the end?"'
    echo '  "from w1" if ledger = "from w1"'
    echo '  "from w2" if ledger = "from w2"'
} >asked.fence
sed 's/  "from w2" if .*/  "something" if not ledger = none/' asked.fence >unclear.fence
sed 's/^ask at 12s/ask at 1h/' asked.fence >toolate.fence
sed 's/  "from w2" if .*//' asked.fence >onechoice.fence

# --- the story ---------------------------------------------------------------------------

check "the example, as expected" 0 run paused.fence
silent
says 'paused.fence: A paused leader overwrites its successor'
says 'w1 wrote ledger with token 1 at 13.005s, after w2 with token 2 at 11.005s'
says '1 scenario, 3 cases: all as expected'
check "quiet" 0 run -q paused.fence
says '1 scenario, 3 cases: all as expected'
if [ "$(wc -l <out)" -eq 1 ]; then good; else bad "more than the summary"; fi
check "one case" 0 run paused.fence --case fenced
says '1 scenario, 1 case: all as expected'
check "options before, after, with = and without" 0 run --case=fenced -- paused.fence
check "another value for a param" 0 run --set ttl=5s calm.fence
check "a failed expectation" 1 run wrong.fence
says 'at 13s: expect w1 holds leader'
says '^~~~'
says 'found: w1 did not hold leader at 13.000s'
says "again: "
says ' run --case fenced wrong.fence'
says '1 scenario, 3 cases: 3 not as expected'
check "the canary: a false verdict" 1 run canary.fence
says 'did not break: no-stale-write'
check "a canary among good ones" 1 run paused.fence canary.fence calm.fence
says '3 scenarios, 7 cases: 1 not as expected'
check "decided by its gate" 0 run decided.fence
says 'decided by store-token'
check "not decided by its gate" 1 run undecided.fence
complains 'decided-by lease-check'
says '1 scenario, 3 cases: 1 file not as expected'
check "without a gate" 1 run paused.fence --case fenced --without store-token
says 'violates'
says '--without store-token'
check "without a gate that does nothing here" 0 run calm.fence --without drain-first
line=$(grep -n 'pause w1 for 12s' paused.fence | cut -d: -f1)
check "with a gate put back" 1 run paused.fence --case checked --with store-token
says 'holds'
says ' run --with store-token --case checked paused.fence'
check "with a gate that is there" 0 run paused.fence --case fenced --with store-token --fault "$line=none"
says 'holds'
check "another fault in a line" 1 run paused.fence --case checked --fault "$line=before w1 writes ledger: pause w1 for 10s"
says 'holds'
says "--fault '$line=before w1 writes ledger: pause w1 for 10s'"
check "another fault that breaks it too" 0 run paused.fence --case checked --fault "$line=before w1 writes ledger: pause w1 for 11s"
check "without the fault of a line" 1 run paused.fence --case checked --fault "$line=none"
says 'holds'
check "the trace of another fault" 0 trace paused.fence --case checked --with store-token --fault="$line=at 1s: crash w1"
says 'w1 crashes'
check "a line without a fault" 2 run paused.fence --fault 1=none
complains "--fault 1: that line holds no fault; there is one in line $line"
check "a fault that does not read" 2 run paused.fence --fault "$line=before w1 writes ledgr: pause w1"
complains "--fault $line: column 18: unknown"
check "a line's fault twice" 2 run paused.fence --fault "$line=none" --fault "$line=none"
complains "--fault $line stands here twice"
check "no line" 2 run paused.fence --fault "at 1s: pause w1"
complains '--fault takes LINE=FAULT'
check "line 0" 2 run paused.fence --fault 0=none
check "a gate both with and without" 2 run paused.fence --with store-token --without store-token
complains 'one of the two'

check "a question is answered in every case" 0 run asked.fence
silent
says '    ask 12s: What will the ledger say at the end? -> "from w1"'
says '    ask 12s: What will the ledger say at the end? -> "from w2"'
check "no answers with -q" 0 run -q asked.fence
if [ "$(wc -l <out)" -eq 1 ]; then good; else bad "more than the summary"; fi
check "answers in JSON" 0 run --json asked.fence
says '"asks":[{"at_ns":12000000000,"question":"What will the ledger say at the end?","choices":["from w1","from w2"],"answer":"from w1"}]'
check "the canonical form of a question" 0 run --format fence asked.fence
says '  "from w1" if ledger = "from w1"'
check "no answers in a trace" 0 trace --case fenced asked.fence
if grep -q 'ask 12s\|What will' out; then bad "asks"; else good; fi
check "a question with two answers" 2 run unclear.fence
says 'unclear.fence:31: error: this question has 2 answers: "from w1" (line 32) and "something" (line 33) are both true'
check "a question with two answers, without a gate" 0 run --without release-token --case fenced unclear.fence
check "a question that comes too late" 2 run toolate.fence
complains 'toolate.fence:31: error: the time of this question, 3600.000s, came in no case'
check "a question with one choice" 2 run onechoice.fence
complains "onechoice.fence:31:1: error: this question has one choice in case 'advisory'"

# --- JSON, canonical form, points, dry ---------------------------------------------------------

check "JSON" 0 run --json paused.fence calm.fence
silent
if [ "$(wc -l <out)" -eq 2 ]; then good; else bad "not one line a file"; fi
says '{"v":1,"file":"paused.fence","scenario":"A paused leader overwrites its successor","cases":[{"case":"advisory","verdict":"violates","as_expected":true,"violations":[{"invariant":'
says '"kind":"harm","node":"w1","resource":"ledger","at_ns":13005000000,"text":"w1 wrote ledger with token 1 at 13.005s'
says '"failed_expectations":[],"digest":"d1:'
says '"end_ns":'
check "JSON of a failure" 1 run --format json wrong.fence
says '"failed_expectations":[{"line":'
says '"as_expected":false}'
if grep -q '"error"' out; then bad "an error, where a case says why"; else good; fi
check "JSON of a file whose cases are as expected: decided-by" 1 run --json undecided.fence
says '],"error":"undecided.fence: error: decided-by lease-check: '
says 'the same invariant","as_expected":false}'
check "JSON of a file with a trigger that never fires, and cases that say why" 2 run --json idle.fence
if grep -q '"error"' out; then bad "an error, where a case says why"; else good; fi
{
    cat calm.fence
    echo 'before w1 writes ledger #2: pause w1 for 1s'
    echo 'before w1 writes ledger #3: pause w1 for 1s'
} >twoidle.fence
check "JSON of a file whose cases are as expected: two triggers" 2 run --json twoidle.fence
says '],"error":"twoidle.fence:12: error: this event came in no case that it applies to: it came 1 time, and #2 was waited for; twoidle.fence:13: error: '
says ' #3 was waited for","as_expected":false}'
cp out twoidle.json
check "idle triggers, in text" 2 run twoidle.fence
says '1 scenario, 1 case: 1 file with errors'
complains '    before w1 writes ledger #3: pause'
complains '    ^~~~~~'
check "JSON of a file whose cases are as expected: a question" 2 run --json toolate.fence
says '],"error":"toolate.fence:31: error: the time of this question, 3600.000s, came in no case'
# Every line of a file is one JSON value: strings, then numbers, then what is innermost, is reduced to a letter.
json_parses() {
    [ -s "$1" ] && ! sed -E 's/"([^"\\]|\\["\\\/bfnrt]|\\u[0-9a-fA-F]{4})*"/s/g; s/-?(0|[1-9][0-9]*)|true|false|null/v/g
        :again
        s/s:[sv]/p/g; s/\{(p(,p)*)?\}/v/g; s/\[([sv](,[sv])*)?\]/v/g
        t again' "$1" | grep -qvx v
}
for bad in '{"a":1,}' '[1 2]' '{"a" 1}' '"a' '{1:2}' 'nul' '[01]'; do
    name="no JSON: $bad"
    echo "$bad" >out
    if json_parses out; then bad "taken for JSON"; else good; fi
done
for file in paused.fence wrong.fence undecided.fence idle.fence toolate.fence; do
    name="JSON parses"
    "$fencepost" run --json $file >out 2>err
    if json_parses out; then good; else bad "no JSON"; fi
    "$fencepost" trace --json --notes --case fenced $file >out 2>err
    if json_parses out; then good; else bad "no JSON"; fi
done
name="JSON of two idle triggers parses"
if json_parses twoidle.json; then good; else bad "no JSON"; fi
check "the canonical form" 0 run --format fence paused.fence
cp out canonical.fence
check "the canonical form is a fixed point" 0 run --format fence canonical.fence
if cmp -s out canonical.fence; then good; else bad "another form the second time"; fi
check "decision points" 0 run --points --case fenced paused.fence
says 'before w1 writes ledger #1'
says 'w1 -> ledger #1'
says 'after leader grants w2 #1'
says 'w1 resumes #1'
silent
sed 's/^store ledger/store ledger\nlimit labels 1/' calm.fence >labels.fence
check "decision points up to a capacity" 2 run --points labels.fence
says 'NOT as expected  the limit of 1 labels was reached at'
says '`limit labels 2` raises it'
says 'again: '
says ' run --points --case calm labels.fence'
check "the plain run has room for its labels" 0 run labels.fence
sed 's/^store ledger/store ledger\nlimit events 5/' calm.fence >limit.fence
check "decision points up to the event limit" 1 run --points limit.fence
says 'still running after 5 events'
sed 's/  write ledger "a"/  write ledger "a"\n  read ledger as x\n  write ledger x + 1/' calm.fence >mixed.fence
check "decision points up to an error" 2 run --points mixed.fence
says 'mixed.fence:12: error: '
check "decision points of a case that is not as expected" 1 run --points --case fenced wrong.fence
says 'found: w1 did not hold leader at 13.000s'
check "dry" 0 run --dry paused.fence calm.fence
says '2 scenarios, 4 cases: no errors'

# --- trace ------------------------------------------------------------------------------------------

check "a trace" 0 trace paused.fence --case checked
silent
says '     13.005s  ledger commits w1 token 1 "from w1"'
says '              ^ violates no-stale-write: w1 wrote ledger with token 1 at 13.005s'
says 'digest d1:'
check "a trace by FILE:CASE" 0 trace paused.fence:checked
check "a trace of a file with one case" 0 trace calm.fence
check "which case?" 2 trace paused.fence
complains 'which case? --case advisory, checked or fenced'
check "notes" 0 trace --notes calm.fence
says '(w1 believes leader'
check "a trace as JSON lines" 0 trace --format json calm.fence
says '"actor":"ledger","verb":"commits","object":"w1"'
check "no trace in canonical form" 2 trace --format fence calm.fence
for format in json jsonl shiviz perfetto edn mermaid dot; do
    check "a trace as $format" 0 trace --format $format --case checked paused.fence
    silent
    cp out once
    check "a trace as $format, by an absolute path" 0 trace --format $format --case checked "$work/paused.fence"
    if cmp -s out once; then good; else bad "other bytes"; fi
    if grep -qF "$work" out; then bad "tells where it is"; else good; fi
    check "a trace as $format of a run that came to an error" 2 trace --format $format mixed.fence
done
check "JSON lines have notes, JSON has them with --notes" 0 trace --format jsonl calm.fence
cp out once
check "JSON lines have notes, JSON has them with --notes" 0 trace --json --notes calm.fence
if cmp -s out once; then good; else bad "other bytes"; fi
if json_parses out; then good; else bad "no JSON"; fi
check "an unknown format of a trace" 2 trace --format shivz calm.fence
complains "trace has no format 'shivz'; it has text, json, jsonl, shiviz, perfetto, edn, mermaid and dot; did you mean 'shiviz'?"
check "a format of run, for a trace" 2 trace --format tap calm.fence

# --- TAP and JUnit --------------------------------------------------------------------------------------

check "TAP" 0 run --format tap paused.fence calm.fence
silent
says 'TAP version 13'
says '1..4'
says 'ok 3 - paused.fence fenced'
says 'ok 4 - calm.fence calm'
check "TAP of failures" 1 run --format tap wrong.fence undecided.fence
says '1..7'
says 'not ok 1 - wrong.fence advisory'
says '  message: "advisory violates NOT as expected'
says '  again: "fencepost run --case advisory wrong.fence"'
says 'found: w1 did not hold leader at 13.000s'
says 'ok 4 - undecided.fence advisory'
says 'not ok 7 - undecided.fence'
says '  message: "undecided.fence: error: decided-by lease-check: '
check "TAP of files with errors" 2 run --format tap typo.fence nowhere.fence toolate.fence calm.fence
complains 'nowhere.fence: no such file or folder'
check "TAP of files with errors" 2 run --format tap typo.fence toolate.fence calm.fence
complains 'puase'
says 'not ok 1 - typo.fence'
says '  severity: "error"'
says '    typo.fence:25:'
says 'not ok 5 - toolate.fence'
says 'ok 6 - calm.fence calm'
check "TAP by an absolute path" 0 run --format tap "$work/calm.fence"
says 'ok 1 - calm.fence calm'
fed calm.fence "- is standard input" 0 run -
says '-: Nothing goes wrong'
fed typo.fence "a wrong line of standard input has its place" 2 run -
complains '-:25:'
fed calm.fence "standard input, named twice" 0 run - calm.fence -
says '3 scenarios, 3 cases: all as expected'
fed paused.fence "two cases of standard input" 1 diff --case checked --case fenced -
fed paused.fence "a case of standard input" 0 trace -:checked
: >nothing.fence
fed nothing.fence "standard input, empty and named twice" 2 run - -
complains '-:1:1: '
if [ -e /dev/zero ]; then
    head -c 70000000 /dev/zero >large
    fed large "standard input, too large and named twice" 2 run - -
    if [ "$(grep -c 'too large: ' err)" -eq 2 ]; then good; else bad "not the same twice"; fi
    rm large
fi
cp calm.fence ./-
check "a file whose name is -" 0 run ./-
rm ./-
check "JUnit" 0 run --format junit paused.fence calm.fence
silent
says '<testsuites tests="4" failures="0" errors="0" skipped="0" time="0">'
says '<testcase classname="paused.fence" name="fenced" time="0"/>'
check "JUnit of failures and errors" 2 run --format junit wrong.fence typo.fence
says '<testsuites tests="4" failures="3" errors="1" skipped="0" time="0">'
says '<failure message="fenced holds NOT as expected'
says '<error message="typo.fence:25:'
check "one case as TAP" 0 run --format tap --case fenced paused.fence calm.fence
says '1..1'
check "a case that is not there, as TAP" 2 run --format tap --case fecned paused.fence
prints_nothing
check "decision points as TAP" 2 run --points --format tap paused.fence
check "dry, as TAP" 2 run --dry --format tap paused.fence
complains '--dry has no other format than text'
check "the nearest format of run" 2 run --format jnuit paused.fence
complains "run has no format 'jnuit'; it has text, json, fence, tap and junit; did you mean 'junit'?"

sed -e 's/^  acquire leader/  acquire leader\n  wait 1m26.675666667s/' -e 's/ttl = 10s/ttl = 10m/' calm.fence >fine.fence
check "a trace with wide times" 0 trace fine.fence
says '86.67'
if [ "$(sed -n '/s  [a-z]/s/s  [a-z].*//p' out | awk '{ print length }' | sort -u | wc -l)" -eq 1 ]; then good; else bad "no column"; fi
sed 's/write ledger "a"/write ledger "b"/' fine.fence >finer.fence
check "a diff with wide times" 1 diff fine.fence finer.fence
says '> 86.67'
if [ "$(sed -n '/s  [a-z]/s/s  [a-z].*//p' out | awk '{ print length }' | sort -u | wc -l)" -eq 1 ]; then good; else bad "no column"; fi
check "decision points with wide times" 0 run --points fine.fence
if [ "$(sed -n '/s  [a-z]/s/s  [a-z].*//p' out | awk '{ print length }' | sort -u | wc -l)" -eq 1 ]; then good; else bad "no column"; fi

# --- diff --------------------------------------------------------------------------------------------

check "two cases differ" 1 diff paused.fence --case checked --case fenced
says 'they part at 13.005s'
says '> '
check "two cases, by FILE:CASE" 1 diff paused.fence:checked paused.fence:fenced
check "with a gate and without" 1 diff paused.fence --case fenced --without store-token
says 'without store-token'
check "a run and itself" 0 diff calm.fence calm.fence
says 'the same: '
check "diff of one case" 2 diff calm.fence
complains 'takes two cases'
for option in --json --format=json; do
    check "no JSON of a diff: $option" 2 diff $option calm.fence calm.fence
    complains 'diff has no JSON and no other format than text'
done
check "diff of three files" 2 diff calm.fence calm.fence calm.fence
check "diff with three cases" 2 diff paused.fence --case a --case b --case c

# --- list ----------------------------------------------------------------------------------------------

check "everything there is" 0 list
says 'gates'
says 'store-token'
check "a group" 0 list gates
says 'store-token'
check "a group, singular" 0 list gate
check "a gate" 0 list store-token
says 'without'
says 'it commits'
check "an invariant" 0 list no-stale-write
says 'harm'
check "no such word" 2 list stoer-token
complains "did you mean 'store-token'?"

# --- help ------------------------------------------------------------------------------------------------

check "nothing at all" 2
complains 'fencepost run'
prints_nothing
check "help" 0 --help
says 'fencepost run'
silent
for command in run trace diff explain fuzz exhaust shrink gates report bench list completion manual; do
    check "help on $command" 0 $command --help
    says "  fencepost $command"
    silent
done
check "help on run says what its own options do" 0 run --help
says 'this case alone'
says 'prove --exec'
says '  junit '
says 'one object a file'
if grep -q 'diff\|for run' out; then bad "speaks of other commands"; else good; fi
check "help on trace says what its own options do" 0 trace --help
says 'one object a record'
says '--format perfetto > fenced.json'
says '  mermaid '
if grep -q 'diff\|fence, the\|a file, on' out; then bad "speaks of other commands"; else good; fi
check "help on diff says what its own options do" 0 diff --help
says 'given twice'
check "one --case of a run" 2 run --case fenced --case checked paused.fence
complains 'run takes one --case; without it, it runs every case'
check "one --case of a trace" 2 trace --case fenced --case checked paused.fence
complains 'trace takes one --case'
check "short help" 0 run -h
check "short help, bench" 0 bench -h
for command in run trace diff fuzz exhaust shrink gates report bench list completion manual; do
    check "help $command" 0 help $command
    says "fencepost $command"
done
check "help on what is not there" 2 help rnu
check "version" 0 --version
says 'fencepost '

# --- bad command lines ---------------------------------------------------------------------------------------

check "a wrong command" 2 rnu paused.fence
complains "did you mean 'run'?"
check "a wrong option" 2 run --josn paused.fence
complains "did you mean '--json'?"
check "an option of another command" 2 list --case x
check "an option without its value" 2 run paused.fence --case
complains '--case NAME'
check "a value that is not taken" 2 run --json=yes paused.fence
check "a wrong format" 2 run --format jsn paused.fence
complains "did you mean 'json'?"
check "a wrong workload of bench" 2 bench --workload digset
complains "did you mean 'digest'?"
check "a file for bench" 2 bench paused.fence
complains "bench takes no file: 'paused.fence'"
check "an option of another command, for bench" 2 bench --case x
complains 'fencepost bench --help'
check "rounds of bench, too many" 2 bench --workload bare --rounds 1000001
check "a workload of bench" 0 bench --workload kept --rounds 1
prints_nothing
check "a wrong gate" 2 run --without stoer-token paused.fence
complains "did you mean 'store-token'?"
check "a gate that comes later" 2 run --without fence-first paused.fence
complains 'not in this version yet'
check "a setting without a value" 2 run --set ttl calm.fence
complains 'NAME=VALUE'
check "a param that is not there" 2 run --set tll=5s calm.fence
complains 'ttl'
check "a value in a wrong unit" 2 run --set ttl=5 calm.fence
check "no file" 2 run
complains 'for example'
check "a case that is not there" 2 run --case fecned paused.fence
complains "did you mean 'fenced'?"

# --- bad files --------------------------------------------------------------------------------------------------

check "a missing file" 2 run nowhere.fence
complains 'nowhere.fence: no such file or folder'
prints_nothing
check "a missing file, to trace" 2 trace nowhere.fence
check "a missing file, to diff" 2 diff calm.fence nowhere.fence
mkdir empty
check "a folder without scenarios" 2 run empty
complains 'empty: a folder without scenarios'
check "a folder to trace" 2 trace empty
mkdir -p deep/er
cp calm.fence deep/er/b.fence
cp calm.fence deep/a.fence
check "a folder" 0 run deep
says '2 scenarios, 2 cases: all as expected'
if [ "$(grep -c 'deep/a.fence' out)" -eq 1 ] && head -n 1 out | grep -q deep/a.fence; then good; else bad "not sorted"; fi
check "a wrong word" 2 run typo.fence
complains 'typo.fence:25:'
complains "puase"
complains "pause"
complains '^~~~~'
check "a wrong word among good files" 2 run paused.fence typo.fence
says '1 scenario, 3 cases: 1 file with errors'
check "errors and failures, summed up" 2 run -q wrong.fence undecided.fence typo.fence idle.fence calm.fence
says '4 scenarios, 10 cases: 6 not as expected, 1 file not as expected, 2 files with errors'
check "a wrong word, dry" 2 run --dry typo.fence
check "a wrong word, as JSON" 2 run --json typo.fence
says '{"v":1,"file":"typo.fence","scenario":null,"cases":[],"as_expected":false}'
check "a trigger that never fires" 2 run idle.fence
complains 'idle.fence:25: error:'
complains '#2 was waited for'
complains '    before w1 writes ledger #2: pause'
complains '    ^~~~~~'
says '1 scenario, 3 cases: 3 not as expected, 1 file with errors'
printf 'fencepost 1\nscenario "x"\ncase a holds\nnode \000w1\n' >nul.fence
check "NUL bytes" 2 run nul.fence
complains 'nul.fence:4:'
printf 'fencepost 1\nscenario "x\377y"\ncase a holds\n' >bytes.fence
check "invalid UTF-8" 2 run bytes.fence
complains 'bytes.fence:2:'
printf '\357\273\277fencepost 1\nscenario "x"\ncase a holds\n' >marked.fence
check "a byte order mark" 2 run marked.fence
complains 'marked.fence:1:1: error: a byte order mark, which nobody sees; expected UTF-8 without one'
if [ "$(grep -c 'error:' err)" -eq 1 ]; then good; else bad "complains of more"; fi
{ printf 'fencepost 1\nscenario "'; head -c 10000000 /dev/zero | tr '\0' x; printf '"\ncase a holds\n'; } >long.fence
check "a line of 10 MB" 2 run long.fence
if [ "$(wc -c <err)" -lt 2000 ]; then good; else bad "prints all of the line"; fi
printf 'fencepost 1\nscenario "x"\ncase a holds\nnode w1..w1000000\n' >million.fence
check "a million nodes" 2 run million.fence
complains 'million.fence:4:'
: >nothing.fence
check "an empty file" 2 run nothing.fence
complains 'nothing.fence:'
printf 'fencepost 2\nscenario "x"\n' >newer.fence
check "a newer version" 2 run newer.fence
complains 'newer.fence:1:'
sed 's/^store ledger/store ledger\nlimit events 5/' calm.fence >limit.fence
check "the event limit" 1 run limit.fence
says '1 scenario, 1 case: 1 not as expected'
says 'still running after 5 events'
sed 's/^store ledger/store ledger\nlimit records 3/' calm.fence >full.fence
check "a capacity" 2 run full.fence
says '`limit records 6` raises it'
for limit in pending; do
    sed "s/^store ledger/store ledger\nlimit $limit 1/; s/^  acquire leader/  acquire leader\n  keep leader/" calm.fence >full.fence
    check "the capacity $limit" 2 run full.fence
    says "\`limit $limit 2\` raises it"
done
sed 's/^store ledger/store ledger\nlimit effects 1/; s/^  acquire leader/  acquire leader\n  effect "a" key 1\n  effect "b" key 2/' calm.fence >full.fence
check "the capacity effects" 2 run full.fence
says '`limit effects 2` raises it'
sed 's/write ledger "a"/write ledger 9223372036854775807 + 1/' calm.fence >overflow.fence
check "an overflow" 2 run overflow.fence
if grep -q 'overflow.fence:10' out err; then good; else bad "does not name the line"; fi
check "mixed types at run time" 2 run mixed.fence
says 'mixed.fence:12: error: '
says '          write ledger x + 1'
says '          ^~~~~'
says '1 scenario, 1 case: 1 with an error'
check "mixed types, traced" 2 trace mixed.fence
says '      write ledger x + 1'
says '      ^~~~~'
{
    cat calm.fence
    for i in 1 2 3 4 5 6 7 8 9 10; do echo "at end: expect ledger = $i"; done
} >misses.fence
check "ten failed expectations" 1 run misses.fence
if [ "$(grep -c ': failed expectation' out)" -eq 10 ]; then good; else bad "not ten of them"; fi
if grep -q '^    and ' out; then bad "more than ten"; else good; fi
for i in 11 12 13 14; do echo "at end: expect ledger = $i"; done >>misses.fence
check "more than ten failed expectations" 1 run misses.fence
says '14 expectations failed'
if [ "$(grep -c ': failed expectation' out)" -eq 10 ]; then good; else bad "not ten of them"; fi
if [ "$(grep -c '^    and 4 more$' out)" -eq 1 ]; then good; else bad "does not say how many more"; fi
check "a file without an end" 2 run /dev/zero
complains 'too large'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do echo "wrong$i"; done >many.txt
cat calm.fence many.txt >many.fence
check "more than ten errors" 2 run many.fence
complains 'and 4 more'

# --- names that a terminal could obey ---------------------------------------------------------------------------

# Neither what was printed nor what was complained of has a control character, nor a byte that is no UTF-8.
harmless() {
    if LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" out err; then bad "control characters"; else good; fi
    if LC_ALL=C grep -q "$(printf '\302[\200-\237]\|\377')" out err; then bad "odd bytes"; else good; fi
}
odd=$(printf 'o\033[31m\177\302\233\377.fence')
if cp wrong.fence "$odd" 2>/dev/null; then
    check "an odd name" 1 run "$odd"
    harmless
    says 'o\x1b[31m\x7f\xc2\x9b\xff.fence: A paused leader'
    says 'o\x1b[31m\x7f\xc2\x9b\xff.fence:27: failed expectation'
    says "--case fenced $'o\\033[31m\\177\\302\\233\\377.fence'"
    again=$(sed -n 's/^    again: //p' out | tail -n 1)
    name="an odd name, again"
    if (bash -c : && [ "$(bash -c "printf %s \$'\\033'" | wc -c)" -eq 1 ]) 2>/dev/null; then
        bash -c "$again" >out 2>err
        got=$?
        if [ $got -eq 1 ]; then good; else bad "status $got, not 1"; fi
        says '1 scenario, 1 case: 1 not as expected'
    else
        echo "skipped: an odd name, again: no bash"
        skipped=$((skipped + 1))
    fi
    check "an odd name, as JSON" 1 run --json "$odd"
    harmless
    if json_parses out; then good; else bad "no JSON"; fi
    says '"file":"o\u001b[31m\u007f\u009b\ufffd.fence"'
    check "an odd name, traced as JSON" 0 trace --json --case fenced "$odd"
    harmless
    if json_parses out; then good; else bad "no JSON"; fi
    for file in typo idle twoidle undecided overflow mixed toolate; do
        cp $file.fence "$odd"
        check "an odd name, $file" 2 run "$odd" typo.fence
        harmless
        check "an odd name, $file, as JSON" 2 run --json "$odd" typo.fence
        harmless
        if json_parses out; then good; else bad "no JSON"; fi
    done
    cp wrong.fence "$odd"
    check "an odd name, dry" 0 run --dry "$odd"
    harmless
    check "an odd name, which case?" 2 trace "$odd"
    harmless
    check "an odd name, to diff" 1 diff "$odd:checked" "$odd:fenced"
    says 'o\x1b[31m\x7f\xc2\x9b\xff.fence checked:'
    harmless
    mkdir "$odd.d"
    check "an odd folder" 2 run "$odd.d"
    complains 'o\x1b[31m\x7f\xc2\x9b\xff.fence.d: a folder without scenarios'
    harmless
    rm -r "$odd" "$odd.d"
else
    echo "skipped: odd names: not on this disk"
    skipped=$((skipped + 1))
fi
for args in run trace diff list "run --case" "run --set" "run --without" "run --format" "run --$odd" "list --" "" "-" help; do
    check "an odd word: $args" 2 $args "$odd" calm.fence
    harmless
done
check "an odd setting" 2 run --set "ttl=$odd" calm.fence
harmless
check "an odd case" 2 run --case "$odd" paused.fence
harmless
check "an odd case in two files" 2 run --case "$odd" paused.fence calm.fence
harmless
sed "s/Nothing goes wrong/$(printf 'a\302\233b')/; s/= \"a\"/= \"b\"/" calm.fence >titled.fence
name="an odd title"
"$fencepost" run titled.fence >out 2>err
harmless
"$fencepost" trace titled.fence >out 2>err
harmless
sed "s/write ledger \"a\"/effect \"$(printf 'a\302\233b')\" key 1/" calm.fence >effect.fence
name="an odd effect"
"$fencepost" run effect.fence >out 2>err
harmless
"$fencepost" trace --notes effect.fence >out 2>err
harmless
"$fencepost" run --points effect.fence >out 2>err
harmless

# --- the machine fails ---------------------------------------------------------------------------------------------

name="/dev/full"
: >out
if [ -e /dev/full ]; then
    for args in "run paused.fence" "run --json paused.fence" "run --format tap paused.fence" \
        "run --format junit paused.fence" "trace --format jsonl calm.fence" "trace calm.fence" "list" "--help" "--version" \
        "run --format fence calm.fence" "diff calm.fence calm.fence"; do
        "$fencepost" $args >/dev/full 2>err
        got=$?
        if [ $got -eq 3 ]; then good; else bad "status $got, not 3, for $args"; fi
        complains 'cannot write'
    done
else
    echo "skipped: /dev/full: not here"
    skipped=$((skipped + 1))
fi
name="a file that may grow no further"
if (ulimit -f 1) 2>/dev/null; then
    (ulimit -f 1; exec "$fencepost" list) >out 2>err
    got=$?
    if [ $got -eq 3 ]; then good; else bad "status $got, not 3"; fi
    complains 'cannot write'
else
    echo "skipped: a file that may grow no further: no ulimit -f"
    skipped=$((skipped + 1))
fi
name="a closed pipe ends quietly"
{ "$fencepost" list 2>err; echo $? >status; } | :
sleep 0.1
{ sleep 0.2; "$fencepost" list 2>err; echo $? >status; } | :
if [ "$(cat status)" -eq 3 ] && [ ! -s err ]; then good; else bad "status $(cat status)"; fi
name="no memory"
if (ulimit -v 40000 && "$fencepost" --version) >/dev/null 2>&1; then
    sed 's/^store ledger/store ledger\nlimit messages 1000000/' calm.fence >large.fence
    sed 's/^store ledger/store ledger\nlimit records 4000000/; s/^  acquire/  repeat 9000: work 1s\n&/' calm.fence >long.fence
    for file in large.fence long.fence; do
        (ulimit -v 40000; exec "$fencepost" run $file) >out 2>err
        got=$?
        if [ $got -eq 3 ]; then good; else bad "status $got, not 3: $file"; fi
        complains 'out of memory'
    done
    # Room for records is asked for when they are made.
    sed 's/ 9000:/ 90:/' long.fence >allowed.fence
    (ulimit -v 40000; exec "$fencepost" run allowed.fence) >out 2>err
    got=$?
    if [ $got -eq 0 ]; then good; else bad "status $got, not 0"; fi
    # Wherever memory ends: all is well, or status 3; never a crash. Below 3 MB libc itself does not load.
    for kb in 3000 3500 4000 5000 6000 8000 10000 12000 14000 16000 20000; do
        (ulimit -v $kb; exec "$fencepost" --version) >/dev/null 2>&1 || continue
        (ulimit -v $kb; exec "$fencepost" run paused.fence) >out 2>err
        got=$?
        if [ $got -eq 0 ] || { [ $got -eq 3 ] && grep -q 'out of memory' err; }; then good; else bad "status $got, $kb KiB"; fi
    done
else
    echo "skipped: no memory: ulimit -v does not work here, or a sanitizer needs more"
    skipped=$((skipped + 1))
fi
name="colour only on a terminal"
"$fencepost" run wrong.fence typo.fence >out 2>err
if grep -q "$(printf '\033')" out err; then bad "escape sequences"; else good; fi

if [ $skipped -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ $failed -eq 0 ]
