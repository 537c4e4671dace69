/* SPDX-License-Identifier: MIT
 *
 * problem_test.c - what is said of a file that is wrong: where, what was expected, what was meant.
 */
#include <stdio.h>
#include <stdlib.h>

#include "scenarios/language/reading.h"
#include "scenarios/language/slips.h"
#include "sim/test.h"

TEST("a file without its version, or for a newer one, is refused with that reason")
{
    static const struct slip slips[] = {
        {"", "1:1: line 1 names the language's version: expected 'fencepost 1'"},
        {"# hello\nfencepost 1\n", "1:1: line 1 names the language's version: expected 'fencepost 1'"},
        {"case a holds\n", "1:1: line 1 names the language's version: expected 'fencepost 1'"},
        {"fencepost\n", "1:10: expected the version, as in 'fencepost 1'"},
        {"fencepost one\n", "1:11: expected the version, as in 'fencepost 1'"},
        {"fencepost 0\n", "1:11: expected the version, as in 'fencepost 1'"},
        {"fencepost 2\nqueue q\n",
         "1:11: this file is for version 2 of the language; this program knows versions up to 1"},
        {"fencepost 1 2\n", "1:13: expected the end of the line"},
        {"fencepost 1\n", "1:1: a scenario has at least one case, as in 'case plain holds'"},
        {"fencepost 1\ncase a holds\nfencepost 1\n", "3:1: 'fencepost' stands on line 1 only"},
    };
    CHECK_SLIPS(slips, problem);
}

TEST("slips in cases are told where they stand")
{
    static const struct slip slips[] = {
        {"case", "1:5: expected the name of the case"},
        {"case plain holds", "1:6: there is a case 'plain' already"},
        {"case b", "1:7: expected 'holds' or 'violates'"},
        {"case b hold", "1:8: unknown word 'hold'; did you mean 'holds'?"},
        {"case b without holds", "1:16: expected the name of a gate behind 'without'"},
        {"case b without store-tokn holds", "1:16: unknown gate 'store-tokn'; did you mean 'store-token'?"},
        {"case b without store-token store-token holds", "1:28: 'store-token' stands here twice"},
        {"case b with clock wall holds",
         "1:13: 'with clock wall' is a way to be without safe-clock: say 'without safe-clock' first"},
        {"case b without safe-clock with clock boottime holds",
         "1:38: unknown value 'boottime'; expected monotonic or wall"},
        {"case b with clok wall holds", "1:13: unknown option 'clok'; did you mean 'clock'?"},
        {"case b violates no-stale-wirte", "1:17: unknown invariant 'no-stale-wirte'; did you mean 'no-stale-write'?"},
        {"case b violates no-stale-write and no-stale-write", "1:36: 'no-stale-write' stands here twice"},
        {"case b violates no-stale-write at 5s..3s", "1:35: this range ends before it begins"},
        {"case b violates no-stale-write by w3", "1:35: unknown node, thread or service 'w3'; did you mean 'w1'?"},
        {"case b holds and no-stale-write",
         "1:18: 'no-stale-write' has to hold in every case that 'holds': only signs are named here"},
        {"case b holds and single-actr", "1:18: unknown sign 'single-actr'; did you mean 'single-actor'?"},
        {"case b holds and single-actor and single-actor", "1:35: 'single-actor' stands here twice"},
        {"case b holds now", "1:14: expected the end of the line, found 'now'"},
        {"[plain] case b holds", "1:1: no [...] stands before 'case'"},
        {"[plane] at 5s: heal", "1:2: unknown case or gate 'plane'; did you mean 'plain'?"},
        {"[-plain] at 5s: heal", "1:3: a minus stands before gates only; 'plain' is a case"},
        {"[] at 5s: heal", "1:1: [] names no case"},
        {"[plain at 5s: heal", "1:8: unknown case or gate 'at'; expected plain, store-token, atomic-check, "
                               "lasting-fence, strict-majority, durable-grant, monotonic-token, fresh-identity, "
                               "release-token, drain-first, lease-check, safe-clock ..."},
        {"[plain 5s", "1:8: expected the name of a case or gate, or ]"},
        {"[fence-first] at 5s: heal", "1:2: 'fence-first' is not in this version yet"},
        {"[atomic-claim] at 5s: heal", ""},
    };
    CHECK_SLIPS(slips, line_problem);
}

TEST("slips in what exists are told where they stand")
{
    static const struct slip slips[] = {
        {"nod w3", "1:1: unknown statement 'nod'; did you mean 'node'?"},
        {"5s", "1:1: expected statement, found '5s'"},
        {"node w1", "1:6: 'w1' is declared already, as a node on line 5"},
        {"node b c\nnode a b", "2:8: 'b' is declared already, as a node on line 15"},
        {"node b\nlock b central ttl 1s\nlock b central ttl 2s", "3:6: 'b' is declared already, as a lock on line 16"},
        {"node b\nstore b\nnode b", "3:6: 'b' is declared already, as a node on line 15"},
        {"store s at box\ngroup box = w1", "2:7: 'box' is declared already, as a machine on line 15"},
        {"param p = 5s\nnode p", "2:6: 'p' is declared already, as a param on line 15"},
        {"lock w3.two central ttl 1s", "1:8: expected 'central' or 'quorum', found '.'"},
        {"node none", "1:6: 'none' is a word of the language: a node needs another name"},
        {"node w5..w3", "1:6: expected a range of names, as in w1..w9"},
        {"node w1..w1000000", "1:6: a range of more than 1000 names"},
        {"node w3 wal +3s", "1:13: expected 'wall', 'drift' or 'identity', found '+'"},
        {"node w3 wall 3", "1:14: expected a duration, as in +3s or -1h, found '3'"},
        {"node w3 drift 3s", "1:15: expected a rate, as in +200ppm, found '3s'"},
        {"lock leader central ttl 10s", "1:6: 'leader' is declared already, as a lock on line 3"},
        {"lock b", "1:7: expected 'central' or 'quorum', found the end of the line"},
        {"lock b centrl ttl 10s", "1:8: unknown kind of lock 'centrl'; did you mean 'central'?"},
        {"lock b central", "1:15: a lock needs a lease: expected 'ttl' and a duration, as in ttl 10s"},
        {"lock b central ttl 0s", "1:20: this has to be longer than 0s"},
        {"lock b central ttl 10", "1:20: expected a duration, as in 10s, found '10'"},
        {"lock b central ttl 10sec",
         "1:20: expected a duration, as in 10s, found '10sec'; the units are h m s ms us ns"},
        {"lock b central ttl 10s margin 10s", "1:31: the margin has to be shorter than the lease"},
        {"lock b central voters 3 ttl 10s", "1:16: 'voters' belongs to a quorum; 'b' is central"},
        {"lock b quorum ttl 10s", "1:22: a quorum needs voters: expected 'voters' and a number, as in voters 5"},
        {"lock b quorum voters 0 ttl 10s", "1:22: a quorum of no voters grants nothing: expected 1 to 64"},
        {"lock b quorum voters 65 ttl 10s", "1:22: expected a number of voters from 1 to 64"},
        {"lock b quorum voters 3 ttl 10s at w1", "1:35: each voter of a quorum has a machine of its own: no 'at'"},
        {"store db replicas 3", "1:10: 'replicas' is not in this version yet"},
        {"store db guarded by leadr", "1:21: unknown lock 'leadr'; did you mean 'leader'?"},
        {"store db mark per key", "1:10: unknown option of a store 'mark'; did you mean 'marks'?"},
        {"group g = w1 w4", "1:14: unknown node or service 'w4'; did you mean 'w1'?"},
        {"net w1 -> w1 delay 1ms", "1:5: 'w1' is one machine: a link has two"},
        {"net w1 -> ledger delay 1ms\nnet w1 - ledger delay 2ms", "2:5: the link 'w1' -> 'ledger' has a line already"},
        {"net w1 -> ledger delay 5ms..1ms", "1:24: this range ends before it begins"},
        {"net delay 1ms\nnet delay 2ms", "2:1: 'net delay' stands in this case twice"},
        {"limit mesages 5", "1:7: unknown limit 'mesages'; did you mean 'messages'?"},
        {"limit messages 0", "1:16: expected a capacity from 1 to 1000000"},
        {"limit pending 1000001", "1:15: expected a capacity from 1 to 1000000"},
        {"limit calls 65001", "1:13: expected a capacity from 1 to 65000"},
        {"limit records 10000001", "1:15: expected a capacity from 1 to 10000000"},
        {"until 0s", "1:7: this has to be longer than 0s"},
        {"param p = w1", "1:11: expected a number, a duration, a rate or a text, found 'w1'"},
        {"protocol p", "1:1: 'protocol' is not in this version yet"},
        {"w3:\n  stop", "1:1: unknown node 'w3'; did you mean 'w1'?"},
        {"w1:\n  stop", "1:1: 'w1' has a program already, on line 6"},
        {"w1.keeper:\n  stop", "1:1: 'w1.keeper' is the thread that 'keep' makes"},
        {"w1.main:\n  stop", "1:1: 'w1.main' is the main thread, whose program stands below 'w1:'"},
        {"node w3 wall +1s\n  wall +2s", "2:3: 'wall' stands here twice"},
        {"lock l central ttl 1s\n  [plain] ttl 2s", "2:11: 'ttl' stands here twice"},
        {"store s marks per key\n  marks per key", "2:3: 'marks' stands here twice"},
        {"w1.two:", "1:8: expected steps, on this line or indented below it"},
        {"node w3\nw3.two:\n  stop", "2:1: 'w3' has a second thread, but no program of its own"},
    };
    CHECK_SLIPS(slips, line_problem);
    CHECK_STR(problem("fencepost 1\ncase a holds\nstore s at w1.main\nnode w1\nw1:\n  write s 1\n"),
              "5:1: 'w1.main' is declared already, as a machine on line 3");
}

TEST("slips in steps are told where they stand")
{
    static const struct slip slips[] = {
        {"aquire leader", "1:1: unknown step 'aquire'; did you mean 'acquire'?"},
        {"explode",
         "1:1: unknown step 'explode'; expected acquire, keep, check, read, write, delete, fence, require, "
         "effect, ping, work, wait, release, force-release, let, repeat, if, else, on, stop, claim, heartbeat, "
         "complete, fail ..."},
        {"acquire", "1:8: expected the name of a lock, found the end of the line"},
        {"acquire ledger", "1:9: unknown lock 'ledger'; did you mean 'leader'?"},
        {"acquire leader try within 5s", "1:20: 'try' and 'within' exclude each other"},
        {"acquire leader with 5s", "1:16: unknown word here 'with'; did you mean 'within'?"},
        {"acquire leader within 0s", "1:23: this has to be longer than 0s"},
        {"read ledgr", "1:6: unknown store 'ledgr'; did you mean 'ledger'?"},
        {"write ledger", "1:13: expected the value to write, found the end of the line"},
        {"write ledger y", "1:14: unknown value 'y'; expected first, x, none or me"},
        {"write ledger ledger", "1:14: a program does not see into a store: read it first, as in read ledger as x"},
        {"write ledger 1 if changed", "1:19: unknown word 'changed'; did you mean 'unchanged'?"},
        {"write ledger 1 token 2 for leader", "1:24: 'token' and 'for' exclude each other: both say whose token it is"},
        {"write ledger 1 token \"x\"", "1:22: a token is a number"},
        {"write ledger first", "1:14: 'first' is a grant: say first.token"},
        {"write ledger x.tokn", "1:16: unknown field 'tokn'; did you mean 'token'?"},
        {"write ledger 9223372036854775807 + 1", "1:34: this is too large a number"},
        {"write ledger x +1", "1:16: '+' between two values stands between spaces"},
        {"write ledger x - 1 = 2 = 3", "1:24: comparisons do not chain: say a < b and b < c"},
        {"write ledger 1s + 1", "1:17: '+' cannot stand between a duration and a number"},
        {"write ledger (x", "1:16: expected ')', found the end of the line"},
        {"write ledger wall", "1:14: a clock is read by 'let', as in let t = wall"},
        {"work", "1:5: expected a value, found the end of the line"},
        {"work 5", "1:6: expected a duration, as in 10s, found '5'"},
        {"work -5s", "1:6: a duration cannot be less than 0s"},
        {"work 10sec", "1:6: unknown value '10sec'; expected first, x, none or me"},
        {"wait until x", "1:12: expected a duration, as in 10s, found 'x'"},
        {"require 5", "1:9: 'require' needs a comparison"},
        {"if x:\n  stop", ""},
        {"if 5:\n  stop", "1:4: 'if' needs a comparison"},
        {"if x = 1", "1:9: expected ':', found the end of the line"},
        {"if x = 1:", "1:10: expected steps, on this line or indented below it"},
        {"if x = 1 and 5s:\n  stop", "1:10: 'and' stands between comparisons, not between a yes or no and a duration"},
        {"else:\n  stop", "1:1: 'else' stands behind the lines of an 'if', at its depth"},
        {"work 1s\non timeuot:\n  stop", "2:4: unknown error 'timeuot'; did you mean 'timeout'?"},
        {"work 1s\non timeout: go on\non timeout: go on", "3:4: there is an 'on timeout' above already"},
        {"let t = 5\non timeout: go on",
         "2:1: 'on' stands behind a step that can fail, at the same depth, or first in a program"},
        {"repeat -1:\n  stop", "1:8: 'repeat' needs a count, or 'every' and a duration"},
        {"repeat every 2s:\n  work 1s",
         "1:1: this repeats without 'stop', so the run would never end: the file needs 'until', as in until 5m"},
        {"repeat 2: if x = 1: stop", "1:11: 'if' stands on a line of its own"},
        {"let x = 5", ""},
        {"let y = 5", "1:5: variable 'y' is never used"},
        {"let first = 5", "1:5: 'first' is a grant here and a value there: use two names"},
        {"let ledger = 5", "1:5: 'ledger' is declared already, as a store on line 4"},
        {"ping leader", "1:6: 'leader' is a quorum: ping one of its voters, as in ping leader.1"},
        {"promote jobs", "1:1: 'promote' is not in this version yet"},
        {"release leader now", "1:16: expected the end of the line, found 'now'"},
        {"stop\n  now", "2:3: expected the end of the line, found 'now'"},
    };
    CHECK_SLIPS(slips, step_problem);
}

TEST("slips in faults and triggers are told where they stand")
{
    static const struct slip slips[] = {
        {"at 5s: puase w1", "1:8: unknown fault 'puase'; did you mean 'pause'?"},
        {"at 5: pause w1", "1:4: expected a duration, as in 10s, found '5'"},
        {"at 5s pause w1", "1:7: expected ':', found 'pause'"},
        {"at 5s: pause", "1:13: expected the name of a node, thread or service, found the end of the line"},
        {"at 5s: pause w3", "1:14: unknown node, thread or service 'w3'; did you mean 'w1'?"},
        {"at 5s: pause w1 for 0s", "1:21: this has to be longer than 0s"},
        {"at 5s: pause w1.keeper w2",
         "1:24: a line pauses one thread, or processes: the next thread has a line of its own"},
        {"at 5s: crash w1.main",
         "1:14: 'w1.main' stands behind 'pause' and before 'pauses' and 'resumes'; here say 'w1'"},
        {"after w1.main writes ledger: heal",
         "1:7: 'w1.main' stands behind 'pause' and before 'pauses' and 'resumes'; here say 'w1'"},
        {"at end: expect w1.main failed timeout",
         "1:16: 'w1.main' stands behind 'pause' and before 'pauses' and 'resumes'; here say 'w1'"},
        {"may suspend w1.main",
         "1:13: 'w1.main' stands behind 'pause' and before 'pauses' and 'resumes'; here say 'w1'"},
        {"node w3\nat 5s: pause w3.main", "2:14: 'w3' has no program, and so no main thread"},
        {"at 5s: crash w1 losing all", "1:24: unknown loss 'all'; expected unsynced or everything"},
        {"at 5s: partition w1 w2", "1:23: expected '|' and the other side, found the end of the line"},
        {"at 5s: partition w1 | w1", "1:23: 'w1' is on two sides"},
        {"at 5s: cut w1 ledger", "1:21: expected '->' or '-', found the end of the line"},
        {"at 5s: cut w1 -ledger", "1:15: the '-' of a link stands between spaces"},
        {"at 5s: delay w1 -> ledger", "1:26: expected 'by', found the end of the line"},
        {"at 5s: drop w1 - ledger", "1:16: expected '->', found '-'"},
        {"at 5s: wall w1 jumps 1", "1:22: expected a duration, as in +3s or -1h, found '1'"},
        {"at 5s: clock w1 drift +5ppm", "1:17: unknown word behind 'clock' 'drift'; did you mean 'drifts'?"},
        {"at 5s: clock w1 slews +6m over 10m", "1:23: a clock is slewed by at most half of the time that it takes"},
        {"at 5s: slow w1 by 3s", "1:13: unknown service 'w1'; expected leader, leader.1, leader.2, leader.3 or ledger"},
        {"at 5s: timers first", "1:8: 'timers first' stands behind 'after NAME resumes:'"},
        {"after w1 pauses: timers first", "1:18: 'timers first' stands behind 'after NAME resumes:'"},
        {"before w1 wrtes ledger: pause w1", "1:11: unknown verb 'wrtes'; did you mean 'writes'?"},
        {"before w1 acquires leader: pause w1", "1:11: nothing can come before 'acquires'; say 'after'"},
        {"before w1 writes ledgr: pause w1", "1:18: unknown node, thread or service 'ledgr'; did you mean 'ledger'?"},
        {"before w1 writes ledger/y: pause w1",
         "1:18: unknown register (no program touches it) 'ledger/y'; did you mean 'ledger/x'?"},
        {"before w1 writes ledger: expect ledger = 1", "1:26: an expectation stands after an event, not before it"},
        {"after w1 failed timeuot: pause w1", "1:17: unknown error 'timeuot'; did you mean 'timeout'?"},
        {"after w1 believes leader: pause w1",
         "1:10: unknown verb 'believes'; expected pauses, resumes, suspends, crashes, restarts, partitions, cuts, "
         "heals, loses, holds, delays, duplicates, reorders, slows, recovers, jumps, drifts, slews, asks, acquires "
         "..."},
        {"may explode w1", "1:5: unknown fault that may happen 'explode'; expected pause, suspend, crash, partition, "
                           "cut, delay, reorder, drop, duplicate, slow, step or drift"},
        {"may drift up to 5s", "1:17: expected a rate, as in +200ppm, found '5s'"},
        {"at most three faults", "1:9: expected a number of faults, found 'three'"},
        {"at 5s:\n  heal", "1:1: no lines stand below this: what follows ':' stands on the same line"},
    };
    CHECK_SLIPS(slips, line_problem);
}

TEST("slips in expectations are told where they stand")
{
    static const struct slip slips[] = {
        {"at end: expct ledger = 1", "1:9: unknown word 'expct'; did you mean 'expect'?"},
        {"at end: expect", "1:15: expected what must be true, found the end of the line"},
        {"at end: expect ledger", "1:16: expected a comparison, or a line of the trace"},
        {"at end: expect ledger =", "1:24: expected a value, found the end of the line"},
        {"at end: expect ledgr = 1", "1:16: unknown value 'ledgr'; did you mean 'ledger'?"},
        {"at end: expect ledger/y = 1",
         "1:16: unknown register (no program touches it) 'ledger/y'; did you mean 'ledger/x'?"},
        {"at end: expect w1 hold leader", "1:19: unknown verb 'hold'; did you mean 'holds'?"},
        {"at end: expect w1 holds ledger", "1:25: unknown lock 'ledger'; did you mean 'leader'?"},
        {"at end: expect ledger commits w1 tokn 1", "1:34: unknown detail 'tokn'; did you mean 'token'?"},
        {"at end: expect leader.1 votes w1 token 1", "1:34: unknown detail 'token'; expected epoch"},
        {"at end: expect w1 failed stale",
         "1:26: unknown error 'stale'; expected stale-token, quorum-lost, lease-lost, "
         "zombie, timeout, unreachable, conflict, not-holder or refused"},
        {"at end: expect effect \"x\" twice", "1:27: expected 'once', or a number and 'times', found 'twice'"},
        {"at end: expect not effect \"charge crd\" once",
         "1:27: no step has the effect \"charge crd\"; did you mean \"charge card\"?"},
        {"at end: expect effect \"x\" 2", "1:28: expected 'times', found the end of the line"},
        {"at end: expect no leader amon w1", "1:26: unknown word 'amon'; did you mean 'among'?"},
        {"at end: expect no leader among ledger", "1:32: unknown node or voter 'ledger'; did you mean 'leader'?"},
        {"at end: expect job \"j\" completed", "1:20: unknown job 'j': there is none here"},
        {"always: expect w1 acquires leader",
         "1:16: behind 'always: expect' stands a comparison, asked after every event"},
        {"at 1s: expect ledger = 1\nwithin 0s: expect w1 acquires leader", "2:8: this has to be longer than 0s"},
        {"at end: expect token ledger = 1", "1:22: unknown lock 'ledger'; did you mean 'leader'?"},
    };
    CHECK_SLIPS(slips, line_problem);
}

TEST("names that nothing uses are problems, once the rest is well")
{
    static const struct slip slips[] = {
        {"node w3", "1:6: node 'w3' is never used"},
        {"node w3..w5\nat 5s: pause w3 w4", "1:6: node 'w5' is never used"},
        {"lock b central ttl 10s", "1:6: lock 'b' is never used"},
        {"store b", "1:7: store 'b' is never used"},
        {"group g = w1", "1:7: group 'g' is never used"},
        {"param p = 5s", "1:7: param 'p' is never used"},
        {"case b holds\nnode w3\n[b] at 5s: pause w3", ""},
        {"case b holds\n[b] param p = 5s\n[b] at p: heal\n", ""},
    };
    CHECK_SLIPS(slips, line_problem);
}

TEST("a line that no case keeps is checked with its gate turned")
{
    static const struct slip slips[] = {
        {"[-store-token] at 5s: heal", ""},
        {"[-store-token] at 5s: hael", "1:23: unknown fault 'hael'; did you mean 'heal'?"},
        {"case b without store-token holds\n[-store-token] node w3\n[b] at 5s: pause w3", ""},
    };
    CHECK_SLIPS(slips, line_problem);
}

TEST("after an error reading goes on at the next line; ten are kept, all are counted, in order")
{
    char text[2048] = "fencepost 1\ncase a holds\n";
    for (int i = 0; i < 12; i++)
        strcat(text, "nod w1\n");
    struct diags d;
    CHECK(scenario_parse(text, strlen(text), "t", NULL, 0, &d) == NULL);
    CHECK(d.n == 10 && d.total == 12);
    for (uint32_t i = 0; i < 10; i++)
        CHECK(d.row[i].line == i + 3 && d.row[i].column == 1 && d.row[i].length == 3);
}

TEST("a problem is reported once, however many cases have it")
{
    static const char text[] = "fencepost 1\ncase a holds\ncase b holds\nnode w1\nw1:\n  wrok 1s\n  wait 5\n";
    struct diags d;
    CHECK(scenario_parse(text, sizeof text - 1, "t", NULL, 0, &d) == NULL);
    CHECK_EQ(d.total, 2);
    CHECK(d.row[0].line == 6 && d.row[1].line == 7);
}

TEST("expressions nest up to a limit")
{
    CHECK_STR(step_problem("write ledger ((((((((((((((((x))))))))))))))))"), "");
    CHECK_STR(step_problem("write ledger (((((((((((((((((x)))))))))))))))))"),
              "1:30: parentheses nest at most 16 deep");
    CHECK_STR(step_problem("write ledger 1 - (2 - (x - (4 - (x - (6 - (x - (8 - (x - (10 - x)))))))))"), "");
}

TEST("more nodes, cases, locks or voters than the limits are refused, as many are read")
{
    CHECK_STR(line_problem("node n1..n998\nat 5s: suspend n1..n998"), "");
    CHECK(
        starts_with(line_problem("node n1..n999\nat 5s: suspend n1..n999"), "1:6: a scenario has at most 1000 nodes"));
    CHECK_STR(line_problem("lock b quorum voters 64 ttl 10s\nat 5s: crash b b.64"), "");
    char *text = malloc(4096), line[40];
    if (text == NULL)
        return;
    for (int more = 0; more < 2; more++) {
        strcpy(text, "fencepost 1\n");
        for (int i = 0; i < 64 + more; i++) {
            snprintf(line, sizeof line, "case c%d holds\n", i);
            strcat(text, line);
        }
        CHECK_STR(problem(text), more ? "66:6: a scenario has at most 64 cases" : "");
        strcpy(text, "fencepost 1\ncase a holds\nnode w1\nw1:\n  work 1s\n");
        for (int i = 0; i < 64 + more; i++) {
            snprintf(line, sizeof line, "lock l%d central ttl 1s\n", i);
            strcat(text, line);
        }
        strcat(text, "at 5s: crash l0");
        for (int i = 1; i < 64 + more; i++) {
            snprintf(line, sizeof line, " l%d", i);
            strcat(text, line);
        }
        CHECK(more ? starts_with(problem(text), "70:6: a scenario has at most 64 locks") : problem(text)[0] == '\0');
    }
    free(text);
}

TEST("a group that is made of itself is refused, at any depth")
{
    static const struct slip slips[] = {
        {"group g = g\nat 5s: pause g", "1:11: the group 'g' is made of itself"},
        {"group g = w1 g\nat 5s: pause g", "1:14: the group 'g' is made of itself"},
        {"group a = b\ngroup b = a\nat 5s: pause b", "1:11: unknown node or service 'b'; expected w1, w2, leader, "
                                                     "leader.1, leader.2, leader.3, ledger or a"},
        {"group g1 = w1\ngroup g2 = g1..g2\nat 5s: pause g2", "2:12: the group 'g2' is made of itself"},
        {"group a = w1\ngroup b = a w2\nat 5s: pause b", ""},
    };
    CHECK_SLIPS(slips, line_problem);
}

TEST("a variable has a value only below a line that sets it, or in a loop with one")
{
    static const struct slip slips[] = {
        {"let q = q", "1:9: variable 'q' has no value yet here"},
        {"write ledger/x q\nread ledger/x as q", "1:16: variable 'q' has no value yet here"},
        {"write ledger/x q.token\nacquire leader as q", "1:16: variable 'q' has no value yet here"},
        {"if q = none:\n  let q = 1", "1:4: variable 'q' has no value yet here"},
        {"repeat q:\n  let q = 1", "1:8: variable 'q' has no value yet here"},
        {"let q = 1\nwrite ledger/x q", ""},
        {"if x = 1:\n  let q = 1\nelse:\n  write ledger/x q", ""},
        {"repeat 2:\n  if x = 2:\n    write ledger/x q\n  let q = 1", ""},
        {"repeat 2: let x = x + 1", ""},
        {"repeat 2:\n  work 1s\nwrite ledger/x q\nrepeat 2:\n  let q = 1", "3:16: variable 'q' has no value yet here"},
        {"acquire leader within 1s as q\non timeout:\n  write ledger/x q.token", ""},
        {"let ledger = 5\nlet q = 1\nwrite ledger/x q", "1:5: 'ledger' is declared already, as a store on line 4"},
        {"let q = wrong\nwrite ledger/x q", "1:9: unknown value 'wrong'; expected first, x, q, none or me"},
    };
    CHECK_SLIPS(slips, step_problem);
    CHECK_STR(line_problem("node w3\nw3:\n  on timeout: write ledger/x q\n  read ledger/x as q"), "");
}

TEST("a name that only other cases have is told with those cases")
{
    static const struct slip slips[] = {
        {"case one holds\n[one] node y\nat 5s: pause y", "3:14: 'y' exists only in case one"},
        {"case one holds\n[one] node y\nat 5s: pause w1 y", "3:17: 'y' exists only in case one"},
        {"case one holds\ncase two holds\ncase three holds\n[one two three] node y\nat 5s: pause y",
         "5:14: 'y' exists only in cases one, two and three"},
        {"case one holds\n[one] node y\n[one] at 5s: pause y", ""},
        {"case one holds\n[one] lock l central ttl 1s\nat 5s: expect token l = 0", "3:21: 'l' exists only in case one"},
        {"case one holds\n[one] w1.two:\n  work 1s\nat 5s: pause w1.two", "4:14: 'w1.two' exists only in case one"},
        {"case one holds\n[one] w2.two:\n  acquire leader\n  keep leader\nat 5s: pause w2.two.keeper",
         "5:14: 'w2.two.keeper' exists only in case one"},
        {"case one holds\n[one] param p = 3\nat end: expect ledger = p", "3:25: 'p' exists only in case one"},
        {"case one holds\n[one] store s\nat end: expect s = 3", "3:16: 's' exists only in case one"},
        {"case one holds\n[one] node y\nat 5s: pause z", "3:14: unknown node, thread or service 'z'; expected w1, w2, "
                                                         "leader, leader.1, leader.2, leader.3 or ledger"},
    };
    CHECK_SLIPS(slips, line_problem);
}

TEST("a register that one case touches may be named by a line of others, where it is none")
{
    static const struct slip slips[] = {
        {"case one holds\n[one] w2.two:\n  write ledger/z 1\nalways: expect not ledger/z = 2", ""},
        {"case one holds\n[one] w2.two:\n  write ledger/z 1\nat end: expect not w2.two writes ledger/z",
         "4:20: 'w2.two' exists only in case one"},
        {"case one holds\n[one] w2.two:\n  write ledger/z 1\nafter ledger commits w2: expect ledger/z = none", ""},
        {"case one holds\ncase two holds\n[one] w2.two:\n  write ledger/z 1\n[two] at end: expect ledger/z = none",
         "5:22: 'ledger/z' exists only in case one"},
        {"case one holds\n[one] w2.two:\n  write ledger/z 1\nat end: expect ledger/zz = none",
         "4:16: unknown register (no program touches it) 'ledger/zz'; did you mean 'ledger/x'?"},
        {"[store-token] w2.two:\n  write ledger/z 1\nat end: expect ledger/z = none", ""},
    };
    CHECK_SLIPS(slips, line_problem);
    struct scenario *s = reads("fencepost 1\ncase one holds\ncase two holds\nstore s\nnode x\nx:\n  work 1s\n"
                               "  [one] write s 1\nalways: expect not s = 2\n");
    struct diags d;
    struct compiled *c = s == NULL ? NULL : scenario_compile(s, 1, 0, 0, &d);
    CHECK(c != NULL && c->model.n_registers == 1);
    compiled_free(c);
    scenario_free(s);
}

TEST("a slip in one variable's name leaves the other variables of the program known")
{
    static const char text[] = "fencepost 1\ncase a holds\nstore s\nnode x\nx:\n  let s = 1\n  let q = 2\n  write s q\n"
                               "  let x = 3\n";
    struct diags d;
    CHECK(scenario_parse(text, sizeof text - 1, "t", NULL, 0, &d) == NULL);
    CHECK_EQ(d.total, 2);
    CHECK(d.row[0].line == 6 && d.row[1].line == 9);
}

TEST("`within` says what it lacks: an expectation above that has a time")
{
#define COUNTS "'within' counts from the expectation above it, and "
    static const struct slip slips[] = {
        {"within 5s: expect w1 acquires leader", "1:1: " COUNTS "in case plain this one stands first"},
        {"at end: expect ledger = 1\nwithin 5s: expect w1 acquires leader",
         "2:1: " COUNTS "this one stands below 'at end', when nothing more can come"},
        {"always: expect not ledger = 7\nwithin 5s: expect w1 acquires leader",
         "2:1: " COUNTS "this one stands below 'always', which has no time"},
        {"case b holds\n[b] at 1s: expect ledger = 1\nwithin 5s: expect w1 acquires leader",
         "3:1: " COUNTS "in case plain this one stands first"},
        {"at 1s: expect ledgr = 1\nwithin 5s: expect w1 acquires leader",
         "1:15: unknown value 'ledgr'; did you mean 'ledger'?"},
        {"at 1s: expect ledger = 1\nwithin 5s: expect w1 acquires leader\nwithin 5s: expect ledger = 2", ""},
    };
#undef COUNTS
    CHECK_SLIPS(slips, line_problem);
}

TEST("a node whose name can begin no program is refused; any other word may be one")
{
    static const char *const refused[] = {"case", "scenario", "fencepost"};
    static const char *const free[] = {"param", "until", "limit", "sync",  "node",     "lock",
                                       "store", "group", "may",   "ask",   "protocol", "queue",
                                       "job",   "table", "pause", "crash", "source",   "write"};
    char text[200], said[200];
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        snprintf(text, sizeof text, "node %s", refused[i]);
        snprintf(said, sizeof said, "1:6: a line that begins with '%s' is never a program: a node needs another name",
                 refused[i]);
        CHECK_STR(line_problem(text), said);
    }
    for (size_t i = 0; i < sizeof free / sizeof *free; i++) {
        snprintf(text, sizeof text, "node %s\n%s:\n  work 1s\nat 5s: pause %s", free[i], free[i], free[i]);
        CHECK_STR(line_problem(text), "");
    }
}

TEST("a fault or an expectation that stands alone is told where it belongs")
{
#define FAULT_SAID "1:1: a fault stands behind 'at TIME:', 'before EVENT:' or 'after EVENT:'"
    static const struct slip slips[] = {
        {"delay w1 -> ledger #2 by 3s", FAULT_SAID},
        {"pause w1 for 3s", FAULT_SAID},
        {"crash w1", FAULT_SAID},
        {"expect ledger = 1",
         "1:1: an expectation stands behind 'at TIME:', 'at end:', 'after EVENT:', 'within D:' or 'always:'"},
    };
#undef FAULT_SAID
    CHECK_SLIPS(slips, line_problem);
}

TEST("a store of which only keys are touched is told with a key")
{
    static const struct slip slips[] = {
        {"store report\nw2.two:\n  write report/page 1\nbefore w2.two writes report: pause w2",
         "4:22: store 'report' has keys: say report/page"},
        {"store report\nw2.two:\n  write report/page 1\nat end: expect report = 1",
         "4:16: store 'report' has keys: say report/page"},
    };
    CHECK_SLIPS(slips, line_problem);
}

/* --- no memory, no sense -------------------------------------------------------------------------- */

static const char jobs_and_rows[] =
    "fencepost 1\ncase a without complete-token holds\ncase b with progress 1m holds\n"
    "queue jobs lease 30s attempts 3\n  job \"x\" \"y\"\n  [b] job \"z\"\n"
    "table t at db\n  as queue owner o token e until u done s = \"d\" or \"f\"\n"
    "  row 42 s \"r\" o none e 0 u 0s\n  row 7 s \"r\"\nnode w1 w2\n"
    "w1:\n  claim jobs within 5s as job\n  keep job\n  work 1s for job\n  complete job\n"
    "  on zombie: go on\n  claim jobs 5 as batch\n  for one in batch:\n    fail one\n"
    "w2:\n  update t/42 set s \"u\" o me e e + 1 u now + 30s\n"
    "    where s = \"r\" or u < now as row\n  update t/42 set s \"d\"\n"
    "    where s = \"u\"\n    [complete-token] and e = row.e\n  insert t/9 e 1\n"
    "  enqueue jobs \"late\"\n  requeue job \"y\"\n  reap jobs\n  delete t/9 where e = 1\n"
    "before w1 completes \"x\": pause w1 for 3s\nafter t sets t/42.e: heal\n"
    "at end: expect job \"x\" completed by w1 and t/42.s = \"d\"\n"
    "at 5s: expect w1 holds job \"y\" or token t/42 = 3\n"
    "at end: expect jobs returns w1 token 1 why failed of \"y\"\n";

static void check_no_memory(const char *text)
{
    int64_t before = test_allocations();
    struct scenario *whole = reads(text);
    int64_t needed = test_allocations() - before;
    scenario_free(whole);
    for (int64_t n = 1; n <= needed; n++) {
        struct diags d;
        test_fail_allocation(n);
        struct scenario *s = scenario_parse(text, strlen(text), "t", NULL, 0, &d);
        test_fail_allocation(0);
        CHECK(s == NULL && d.no_memory);
        scenario_free(s);
    }
    CHECK(needed > 5);
    struct scenario *s = reads(text);
    bool done = s == NULL;
    for (int64_t n = 1; !done; n++) {
        struct diags d;
        test_fail_allocation(n);
        struct compiled *c = scenario_compile(s, 0, 0, 0, &d);
        test_fail_allocation(0);
        CHECK((c == NULL) == d.no_memory);
        done = c != NULL;
        compiled_free(c);
    }
    scenario_free(s);
}

TEST("when memory runs out the language says so, whenever that is")
{
    if (!test_counts_allocations()) {
        test_skip("this build cannot count allocations");
        return;
    }
    check_no_memory(reading_example);
    check_no_memory(jobs_and_rows);
}

/* A fixed sequence; never a seed from outside. */
static uint32_t next_random(uint32_t *state)
{
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    return *state >> 8;
}

static void mutate(char *text, size_t *n, uint32_t *state)
{
    size_t at = next_random(state) % *n, from = next_random(state) % *n, length = next_random(state) % 12;
    switch (next_random(state) % 4) {
    case 0: text[at] = (char)next_random(state); break;
    case 1: text[at] = " \n:[]-#\"./0159"[next_random(state) % 14]; break;
    case 2: /* a piece repeated elsewhere */
        if (at + length < *n && from + length < *n)
            memmove(text + at, text + from, length);
        break;
    default: /* a piece cut out */
        if (at + length < *n) {
            memmove(text + at, text + at + length, *n - at - length);
            *n -= length;
        }
    }
}

/* How many of so many mutations of the text are read. */
static uint32_t check_mutations(const char *world, int times)
{
    uint32_t state = 1, read = 0;
    char *text = malloc(4096);
    size_t length = strlen(world);
    for (int i = 0; text != NULL && i < times; i++) {
        struct diags d;
        size_t n = length, n1 = 0, n2 = 0;
        memcpy(text, world, length);
        for (uint32_t k = next_random(&state) % 4; k-- > 0;)
            mutate(text, &n, &state);
        struct scenario *s = scenario_parse(text, n, "t", NULL, 0, &d);
        CHECK((s == NULL) == (d.total > 0));
        if (s == NULL)
            continue;
        read++;
        char *once = scenario_print(s, &n1);
        struct scenario *again = once == NULL ? NULL : reads(once);
        char *twice = again == NULL ? NULL : scenario_print(again, &n2);
        CHECK(twice != NULL && n1 == n2 && memcmp(once, twice, n1) == 0);
        free(once);
        free(twice);
        scenario_free(again);
        scenario_free(s);
    }
    free(text);
    return read;
}

TEST("ten thousand mutations of a scenario are read or refused, and what reads prints as a fixed point")
{
    const char *world = with_line(
        "at 5s: partition w1 leader.1 | w2 for 30s\nat end: expect ledger commits w1 token 1 5");
    CHECK(check_mutations(world, 10000) > 1000);
}

TEST("mutations of a scenario of jobs and rows are read or refused likewise")
{
    CHECK(check_mutations(jobs_and_rows, 10000) > 1000);
}

TEST("the rarer slips are told as clearly")
{
    static const struct slip lines[] = {
        {"node w3 wall +3s drft +5ppm", "1:18: unknown option of a node 'drft'; did you mean 'drift'?"},
        {"store b at none", "1:12: 'none' is a word of the language: a node needs another name"},
        {"lock b central ttl 100h service-margin 2500h",
         "1:6: the lease and its margins are longer than 2^53 ns together"},
        {"node b\nlock b quorum voters 3 ttl 10s\nb:\n  acquire b\nb.1:\n  stop",
         "5:1: 'b.1' is declared already, as a voter on line 16"},
        {"store seen at box\nat 5s: pause box\nat 6s: suspend box seen",
         "2:14: nothing but services of other names runs on 'box': name one, as in 'seen', or suspend it"},
        {"after w1 #2: heal", "1:10: expected a verb, as in 'writes', found '#2'"},
        {"case b violates", "1:16: expected the name of an invariant, found the end of the line"},
        {"at 5s: crash w1 losing", "1:23: expected 'unsynced' or 'everything', found the end of the line"},
        {"at 5s: clock w1", "1:16: expected 'drifts' or 'slews', found the end of the line"},
        {"at 5s: wall w1 jumps - 1h", "1:22: the sign stands right before its number, as in -3s"},
        {"may cut w1 ledger", "1:18: expected '->' or '-', found the end of the line"},
        {"at end: expect w1 restarts 5", "1:28: expected the end of the line, found '5'"},
        {"at end: expect w1 pauses for", "1:29: expected a value, found the end of the line"},
        {"scenario \"a\"\nscenario \"b\"", "2:1: 'scenario' stands in the file twice"},
        {"scenario a", "1:10: expected a text in double quotes"},
        {"scenario \"a\"\n  sauce \"b\"", "2:3: unknown word below 'scenario' 'sauce'; did you mean 'source'?"},
        {"scenario \"a\"\n  decided-by fence-first", "2:14: 'fence-first' is not in this version yet"},
        {"until 5m\nuntil 6m", "2:1: 'until' stands in this case twice"},
        {"sync 1ms\nsync 1ms", "2:1: 'sync' stands in this case twice"},
        {"limit calls 5\nlimit calls 6", "2:7: 'limit calls' stands in this case twice"},
    };
    static const struct slip steps[] = {
        {"write ledger -9223372036854775807 - 2", "1:35: this is too large a number"},
        {"write ledger -(-9223372036854775807 - 1)", "1:14: this is too large a number"},
        {"write ledger -\"x\"", "1:14: '-' cannot stand before a text"},
        {"write ledger - 1", "1:14: a minus sign before a value stands right before it; between two, between spaces"},
        {"write ledger not 5", "1:14: 'not' cannot stand before a number"},
        {"write ledger 5ppm", "1:14: expected a value, found '5ppm'"},
        {"write ledger \"a\" < \"b\"", "1:18: '<' cannot stand between a text and a text"},
    };
    CHECK_SLIPS(lines, line_problem);
    CHECK_SLIPS(steps, step_problem);
}

TEST("the rarer forms are read")
{
    static const char *const lines[] = {
        "after w1.keeper resumes: messages first",
        "at 5s: slow leader by 3s",
        "may cut w1 -> ledger up to 3s holding\nmay drop w1 - ledger\nmay step wall w1 up to 1h",
        "may crash w1 up to 3s losing unsynced\nmay partition w1 holding\nmay drift w1 up to 5ppm",
        "group a = w1 leader.1\ngroup b = a w2\nat 5s: suspend b",
        "at end: expect w1 requires false",
        "at end: expect w1 restarts",
        "at end: expect w1 gets ledger none",
        "at end: expect w1 drifts ppb -500",
        "scenario \"a\"\n  lesson \"b\"  # why\n  # more\n",
        "node w3 w4 wall +3s\nat 5s: suspend w3..w4",
        "at 5s: crash leader.* for 2s",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        CHECK_STR(line_problem(lines[i]), "");
}
