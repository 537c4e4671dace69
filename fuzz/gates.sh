#!/bin/sh
# make fuzz-gates: writes fuzz/GATES.md, from what `fencepost gates` says of the whole library: the totals, what no gate
# stops, and the tables, folder by folder. Half an hour on one core.
#
#   BUILD=build sh fuzz/gates.sh [TEXT]     TEXT: what the command printed before
. .ci/steps.sh
. fuzz/library.sh

text=${1:-$BUILD/gates.txt}
if [ $# -eq 0 ]; then
    "$BUILD/fencepost" gates --steps 5 $measured >"$text.part" || exit
    mv "$text.part" "$text"
fi

# The tables of a folder end with its totals: "FOLDER: N cases".
totals() { awk '/^all [0-9]+ cases?$/ { on = 1 } on { print "    " $0 }' "$text"; }
folders() {
    awk '
        function flush(  i) { for (i = 0; i < n; i++) print "    " row[i]; n = 0 }
        /^all [0-9]+ cases?$/ { exit }
        /^[^ ].*: [0-9]+ cases?$/ { folder = $0; sub(/: [0-9]+ cases?$/, "", folder); m = 0; in_totals = 1 }
        in_totals && /^[^ ]/ && !/: [0-9]+ cases?$/ { put() }
        in_totals { total[m++] = $0; next }
        { row[n++] = $0 }
        function put(  i) {
            print "## " folder "\n"
            for (i = 0; i < m; i++) print "    " total[i]
            print "\n<details><summary>case by case</summary>\n"
            flush()
            print "\n</details>\n"
            in_totals = 0
        }
        END { if (in_totals) put() }' "$text"
}

out=$BUILD/GATES.md
{
    cat <<'END'
# Which gate stops what

Every case of the library that says `holds` (but for scenarios/moments, where every fault is struck already), with
each of its gates taken away alone, then in pairs, then all of them and each put back alone. `make fuzz-gates` writes
this page again from what

    build/fencepost gates --steps 5 FILE...

prints of the library's files; that is the command for a file of your own, too, and `--json` has the shrunk files
besides. *needed*: a schedule breaks the case without that gate. *covered by*: nothing breaks it without this one, but
something does without both. *enough*: nothing breaks it with this gate alone. *schedules* is the median over 30 seeds
(0: the file's own faults are enough, or none is needed), *faults* how many the smallest schedule has; a `?` behind
it: not proved to be the least. *not seen*, *not exhausted*: no sample breaks it, and the schedules of one fault were
not all played: they take more than 5 million events, or some of them end with an error of the file. All of it within
the bound that stands below each table: "not needed" is never more than that.

Left out are inc-16, inc-35, inc-47, inc-52, inc-53, inc-60, inc-80, inc-91 and inc-92: their searched runs have above
nine hundred events each, up to 593,424, and the tables of these take longer than those of all others together.

A gate can only be blamed for what stands while it is there. A case says `holds` for the faults of its own file, and
its menu often has everything that could happen: so what breaks with every gate in place that the case has is found
out first (by as many schedules, by every schedule of one fault, and by whatever is found later without a gate and
breaks it with the gate as well), is named below its table, and is not looked for in that case. What that teaches
stands behind the totals.

## All of them

END
    totals
    cat <<'END'

## What no gate of the case stops

Each is one schedule, most of one fault; `fencepost fuzz FILE --case CASE --find INVARIANT` prints it.

**A sign, `single-actor`: two act at a time.** Wherever a case names it, one pause is enough, in the middle of a step
(once it was a wall clock). A process that stands still cannot be told that its lease is over, and what it had begun
it ends when it wakes. No gate promises the sign; a case that holds says that *its* faults do not bring it about. What
a fence promises is that it does no harm.

**The case itself is without the gate, and stands by luck.** In each of these the gate that the case does without, put
back alone, stops the very schedule that was found:

* `no-stale-write` without `store-token`: a cut link, remembered request ids, a lock-delay, a leader that steps down,
  a machine that is switched off are bets on how late a message can be, and another fault wins them (held-packet,
  late-duplicate, told-and-it-goes-on, freed-by-an-operator, inc-10, inc-12, inc-42, inc-52, inc-53). A store
  remembers only the requests that reached it: if the first copy is lost, the one that comes a lease later is the
  first.
* `effect-once` without `effect-key`: whoever takes a job over does again what its worker had done and not yet said
  (batch-under-one-lease, inc-06, inc-34, inc-65, inc-70, inc-91, inc-92). Where the effect has no key at all, no gate
  is there to be put back (c7, asleep-with-a-job, lost-claim-answer, slow-watch, t6, t7, t9).
* clocks without `safe-clock`: that one of five wall clocks may jump says nothing of a second (inc-15, inc-16:
  `no-early-regrant`, `token-order`); a queue without `durable-grant` forgets a claim as well as a completion
  (late-duplicate-completion); without `lease-check` a late leader reads, waits, and writes over what it did not see
  (inc-03, inc-31); without `complete-token` a late answer is enough to complete another's job
  (late-duplicate-completion).

**`single-grant`, `token-order`: an operator cannot free what is not yet held** (freed-by-an-operator). A candidate
that is suspended in the middle of its election has votes already; the operator gives them back, another is elected;
the first wakes, counts the votes that it had heard, and holds the lock by its own clock. Only the fence at the store
is left then.

**`one-vote`: a voter that has lost its disk votes twice in an epoch** (c2, inc-55). It waits out the longest lease
before it votes, and that protects the lease: no two hold it. It does not bring back the epoch that it voted in, so an
old epoch can be won once more (`one-leader-per-term`, `token-order`). Such a voter has to come back as another voter.

**`no-lost-update`: who reads does not fence** (inc-42, inc-79). The new holder reads, and until it writes the store
has not met its token: the old holder's late write still lands in between, and is overwritten unread. `fence` before
the first read closes it. That a register is unchanged is no fence either: an old holder that starts again reads anew,
and has the right version (inc-42, `no-stale-write`).

**A sign, `no-zombie-write`: between the grant and the store's first sight of the new token** the old holder's write
lands, however soon the new one fences (x02, inc-03). That is more than any fence gives.

**`no-lost-job`: a table in which nobody looks at the leases** (t3, inc-20, inc-90, inc-103; in other searches t2): the
worker that took the job over dies or is slow as well, and who comes then asks only for what is `ready`. The job is
lost in truth: a sweep has to run for as long as there are jobs, not once. In x22 it is lost by its own worker, who
acknowledges what failed. That of t5 and t6 is a mistake of the invariant: a claim that is repeated for minutes, of a
worker that has lost its place by then, puts it in line and has it called in the same instant; being put in line counts
as having asked in vain. (That of asleep-with-a-job was another mistake, and is none any more.)

**`owner-completes`, `owner-extends`: a name is no identity** (t2, x22, inc-90). `where owner = me` is true of a
worker's former self: started again, it puts back, or lengthens, what it does not know that it had begun. Only the
number of the grant tells them apart.

**`no-early-regrant`: a date is no duration** (inc-74). A row's `until` is a date by the server's wall clock: set that
forward, and every lease of the table is over.

END
    folders
} >"$out.part" && mv "$out.part" "$out" && cp "$out" fuzz/GATES.md
