/* SPDX-License-Identifier: MIT
 *
 * statements_test.c - which row a statement takes, what it takes along and brings back, what becomes of its answer, and
 * what is not atomic without its gate. See story.h; times are those of design.md.
 */
#include "scenarios/story.h"

#include "sim/test.h"

/* --- which row, and what a statement takes along ----------------------------------------------------- */

TEST("`update first` takes the first row that matches, in the order of the file")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 41  state \"done\" owner none epoch 7 until 0s\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "  row 43  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1 w2 w3\n"
          "w1, w2, w3:\n"
          "  update first jobs set state \"running\" owner me epoch epoch + 1 until now + 30s\n"
          "    where state = \"ready\" or state = \"running\" and until < now\n"
          "at end: expect 0.000s w1 updates jobs\n"
          "at end: expect 0.002s jobs grants w1 token 1 of jobs/42\n"
          "at end: expect 0.003s w1 acquires jobs/42 token 1\n"
          "at end: expect 0.002s jobs grants w2 token 1 of jobs/43\n"
          "at end: expect 0.002s jobs refuses w3 refused\n"
          "at end: expect w3 failed refused\n");
}

TEST("`update first` without a condition takes the first row that is there")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 1\n"
          "  row 2 n 2\n"
          "node w1\n"
          "w1:\n"
          "  delete notes/1\n"
          "  update first notes set n 5\n"
          "at end: expect 0.002s notes erases w1 of notes/1\n"
          "at end: expect 0.005s notes changes w1 of notes/2\n"
          "at end: expect notes/1.n = none\n"
          "at end: expect notes/2.n = 5\n");
}

TEST("a statement of `update first` speaks for the grant that its thread got on the row it finds")
{
    story("case done    holds\n"
          "case back    holds\n"
          "case extends holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1\n"
          "w1:\n"
          "  update first jobs set state \"running\" owner me epoch epoch + 1 until now + 30s where state = \"ready\"\n"
          "  [done]    update first jobs set state \"done\" where owner = me\n"
          "  [back]    update first jobs set state \"ready\" owner none where owner = me\n"
          "  [extends] update first jobs set until now + 40s where owner = me\n"
          "[done]    at end: expect 0.005s jobs finishes w1 token 1 of jobs/42\n"
          "[back]    at end: expect 0.005s jobs returns w1 token 1 of jobs/42\n"
          "[extends] at end: expect 0.005s jobs extends w1 token 1 of jobs/42\n"
          "at end: expect not jobs finishes w1 token 1 by w1\n");
}

TEST("no row changed is refused, and changes nothing")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1\n"
          "w1:\n"
          "  update jobs/42 set note \"x\" where epoch = 5\n"
          "  on refused: go on\n"
          "  update jobs/42 set note \"x\" where until > now\n"
          "  on refused: go on\n"
          "  delete jobs/42 where epoch = 5\n"
          "  on refused: go on\n"
          "  read jobs/43\n"
          "  on refused: go on\n"
          "  insert jobs/42 state \"again\"\n"
          "  on refused: go on\n"
          "  insert jobs/43 state \"ready\"\n"
          "  delete jobs/43\n"
          "  update jobs/43 set state \"x\"\n"
          "at end: expect 0.002s jobs refuses w1 refused of jobs/42\n"
          "at end: expect 0.008s jobs refuses w1 refused of jobs/42\n"
          "at end: expect w1 failed refused\n"
          "at end: expect jobs/42.state = \"ready\"\n"
          "at end: expect jobs/42.note = none\n"
          "at end: expect jobs/43.state = none\n"
          "at end: expect jobs adds jobs/43 by w1\n"
          "at end: expect jobs erases w1 of jobs/43\n"
          "at end: expect 0.022s jobs refuses w1 refused of jobs/43\n");
}

TEST("what a statement takes along is what its client had when it was sent, not when it lands")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 0 who none\n"
          "node w1\n"
          "w1:\n"
          "  let x = 1\n"
          "  update notes/1 set n x who me\n"
          "  on timeout: go on\n"
          "  let x = 2\n"
          "  wait 10s\n"
          "at 0s: delay w1 -> notes by 7s\n"
          "at end: expect 5.000s w1 failed timeout\n"
          "at end: expect 7.002s notes sets notes/1.n 1\n"
          "at end: expect notes/1.n = 1\n"
          "at end: expect notes/1.who = \"w1\"\n");
}

TEST("expressions see the row as it was before the statement")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 a 1 b 2\n"
          "node w1\n"
          "w1:\n"
          "  update notes/1 set a b b a\n"
          "  update notes/1 set a a + b b a where a = 2 and b = 1\n"
          "at end: expect 0.002s notes sets notes/1.a 2\n"
          "at end: expect 0.002s notes sets notes/1.b 1\n"
          "at end: expect notes/1.a = 3\n"
          "at end: expect notes/1.b = 2\n");
}

TEST("`now` is the server's wall clock when it lands, a shipped time is the client's when it was read")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 server 0s client 0s\n"
          "node w1 wall +1h\n"
          "w1:\n"
          "  let t = wall\n"
          "  wait 1s\n"
          "  update notes/1 set server now client t\n"
          "at 500ms: wall db jumps -30m\n"
          "at end: expect notes/1.client = 13h\n"
          "at end: expect notes sets notes/1.server 11h30m1.002s\n");
}

TEST("a jump of the server's wall clock ends a lease, for the WHERE and for the record")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1 r\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s\n"
          "r:\n"
          "  wait 10s\n"
          "  update jobs/42 set state \"ready\" owner none where until < now\n"
          "at 5s: wall db jumps +1m\n"
          "at end: expect 10.002s jobs returns w1 token 1 by r why expired of jobs/42\n"
          "at end: expect 5.000s (jobs lapses w1 token 1 of jobs/42)\n");
}

TEST("what comes back is the row as the statement left it")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 6 until 0s note \"x\"\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  update first jobs set state \"running\" owner me epoch epoch + 1 until now + 30s as job\n"
          "  write ledger job\n"
          "  write ledger job.note\n"
          "  write ledger job.epoch\n"
          "  write ledger job.token\n"
          "  write ledger job.state\n"
          "  read jobs/42 as row\n"
          "  write ledger row.epoch\n"
          "  write ledger row\n"
          "at end: expect w1 writes ledger \"42\"\n"
          "at end: expect w1 writes ledger \"x\"\n"
          "at end: expect w1 writes ledger 7\n"
          "at end: expect w1 writes ledger \"running\"\n"
          "at end: expect w1 gets jobs/42\n"
          "at end: expect ledger = \"42\"\n");
}

TEST("`.token` of a row is its token column, also for who only reads it")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s\n"
          "w2:\n"
          "  wait 1s\n"
          "  read jobs/42 as row\n"
          "  write ledger row.token token row.token\n"
          "at end: expect ledger = 1\n"
          "at end: expect ledger.token = 1\n");
}

TEST("a column that is called token is the column")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 token \"abc\"\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  update jobs/42 set owner me epoch epoch + 1 as job\n"
          "  write ledger job.token\n"
          "at end: expect ledger = \"abc\"\n");
}

/* --- answers ----------------------------------------------------------------------------------------- */

TEST("a statement that is delivered twice changes the row once")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1 w2\n"
          "w1:\n"
          "  update notes/1 set n n + 1\n"
          "  wait 20s\n"
          "w2:\n"
          "  wait 5s\n"
          "  update notes/1 set n n + 10\n"
          "at 0s: duplicate w1 -> notes after 10s\n"
          "at end: expect notes/1.n = 11\n");
}

TEST("a statement whose answer was lost is unknown, and its effect stays")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1\n"
          "w1:\n"
          "  update notes/1 set n n + 1\n"
          "  on timeout: go on\n"
          "  update notes/1 set n n + 1\n"
          "at 0s: drop notes -> w1\n"
          "at end: expect 5.000s w1 failed timeout\n"
          "at end: expect notes/1.n = 2\n");
}

TEST("a statement that was lost is unknown, and can be sent again")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1\n"
          "w1:\n"
          "  update notes/1 set n n + 1\n"
          "  on timeout: go on\n"
          "  update notes/1 set n n + 1\n"
          "at 0s: drop w1 -> notes\n"
          "at end: expect 5.000s w1 failed timeout\n"
          "at end: expect notes/1.n = 1\n");
}

TEST("a grant whose answer was lost is a grant: the thread speaks for it")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s where state = \"ready\"\n"
          "  on timeout: go on\n"
          "  update jobs/42 set state \"done\" where owner = me\n"
          "at 0s: drop jobs -> w1\n"
          "at end: expect 0.002s jobs grants w1 token 1 of jobs/42\n"
          "at end: expect not w1 acquires jobs/42\n"
          "at end: expect 5.002s jobs finishes w1 token 1 of jobs/42\n");
}

TEST("a table that is down is unreachable, one that crashes before its sync has changed nothing")
{
    story("case down holds\n"
          "case sync holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1\n"
          "w1:\n"
          "  wait 1s\n"
          "  update notes/1 set n n + 1\n"
          "  on unreachable: go on\n"
          "  on timeout: go on\n"
          "  wait 1s\n"
          "  read notes/1\n"
          "[down] at 900ms: crash notes for 1s\n"
          "[sync] at 1001500us: crash notes for 500ms\n"
          "[down] at end: expect 1.002s w1 failed unreachable\n"
          "[sync] at end: expect 6.000s w1 failed timeout\n"
          "at end: expect notes/1.n = 0\n");
}

TEST("a crash keeps the rows, `losing everything` takes them")
{
    story("case kept holds\n"
          "case lost holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1\n"
          "w1:\n"
          "  update notes/1 set n n + 1\n"
          "  wait 3s\n"
          "  update notes/1 set n n + 1\n"
          "  [lost] on refused: insert notes/1 n 9\n"
          "[kept] at 1s: crash notes for 1s\n"
          "[lost] at 1s: crash notes for 1s losing everything\n"
          "[lost] at 2s: expect notes/1.n = none\n"
          "[kept] at end: expect notes/1.n = 2\n"
          "[lost] at end: expect notes/1.n = 9\n");
}

TEST("a row that was lost with its table and inserted again is a new grant's")
{
    story("case a violates token-order by w2\n"
          "table lease at db\n"
          "  as lock owner owner token epoch until until\n"
          "node w1 w2\n"
          "w1:\n"
          "  insert lease/main owner me epoch 1 until now + 10s\n"
          "w2:\n"
          "  wait 20s\n"
          "  insert lease/main owner me epoch 1 until now + 10s\n"
          "at 1s: crash lease for 1s losing everything\n"
          "at end: expect 20.002s lease grants w2 token 1 of lease/main\n");
}

TEST("a slow table serves late")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1\n"
          "w1:\n"
          "  update notes/1 set n n + 1\n"
          "at 0s: slow notes by 2s for 10s\n"
          "at end: expect 2.002s notes changes w1 of notes/1\n");
}

TEST("reads need no sync")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1\n"
          "w1:\n"
          "  read notes/1\n"
          "at end: expect 0.000s w1 reads notes/1\n"
          "at end: expect 0.001s notes answers w1 key notes/1\n"
          "at end: expect 0.002s w1 gets notes/1\n");
}

/* --- atomic statements ------------------------------------------------------------------------------- */

TEST("without atomic-check a statement that matched at its arrival changes whatever is there a sync later")
{
    story("case a                      holds\n"
          "case b without atomic-check violates single-claim by w2\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1 w2\n"
          "w1, w2:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s where state = \"ready\" as "
          "job\n"
          "  work 1s\n"
          "  update jobs/42 set state \"done\" where epoch = job.epoch\n"
          "[a] at end: expect 0.002s jobs refuses w2 refused of jobs/42\n"
          "[b] at end: expect 0.002s jobs grants w2 token 2 of jobs/42\n"
          "[b] at end: expect w1 failed refused\n");
}

TEST("without atomic-check an insert overwrites what came in between, an update of a row that is gone is refused")
{
    story("case a                      holds\n"
          "case b without atomic-check holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1 w2\n"
          "w1:\n"
          "  insert notes/2 n 1\n"
          "  delete notes/1\n"
          "w2:\n"
          "  insert notes/2 n 2\n"
          "  on refused: go on\n"
          "  wait 3ms\n"
          "  update notes/1 set n 5\n"
          "w3:\n"
          "  wait 3001us\n"
          "  update notes/1 set n 7\n"
          "node w3\n"
          "[a] at end: expect notes/2.n = 1\n"
          "[b] at end: expect notes/2.n = 2\n"
          "[b] at end: expect 0.005001s notes refuses w3 refused of notes/1\n");
}

TEST("without atomic-claim `update first` looks a row up, and takes that one a sync later")
{
    story("case a                      holds\n"
          "case b without atomic-claim violates single-claim by w2\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "  row 43  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1 w2\n"
          "w1, w2:\n"
          "  update first jobs set state \"running\" owner me epoch epoch + 1 until now + 30s where state = \"ready\"\n"
          "[a] at end: expect 0.002s jobs grants w2 token 1 of jobs/43\n"
          "[b] at end: expect 0.002s jobs grants w2 token 2 of jobs/42\n");
}

TEST("a fault can strike before a row changes")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s where state = \"ready\"\n"
          "  wait 10s\n"
          "  update jobs/42 set state \"done\"\n"
          "before jobs grants w1: pause jobs for 1s\n"
          "before jobs finishes w1: pause jobs for 1s\n"
          "at end: expect 1.002s jobs grants w1 token 1 of jobs/42\n"
          "at end: expect jobs finishes w1 token 1 of jobs/42\n");
}

TEST("a fault can strike before a row is changed otherwise, or deleted")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1\n"
          "w1:\n"
          "  update notes/1 set n 1\n"
          "  delete notes/1\n"
          "before notes changes w1: pause notes for 1s\n"
          "before notes erases w1: pause notes for 1s\n"
          "at end: expect 1.002s notes changes w1 of notes/1\n"
          "at end: expect 2.005s notes erases w1 of notes/1\n");
}

/* --- more answers ------------------------------------------------------------------------------------ */

TEST("an update of a row that another statement changes at the same time waits for nobody: one comes first")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1..w5\n"
          "w1..w5:\n"
          "  update notes/1 set n n + 1\n"
          "at end: expect notes/1.n = 5\n");
}

TEST("a lost client's statement lands when the link opens again")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1\n"
          "w1:\n"
          "  update notes/1 set n n + 1\n"
          "  on timeout: go on\n"
          "at 0s: cut w1 -> notes for 30s holding\n"
          "at 31s: expect notes/1.n = 1\n"
          "at 29s: expect notes/1.n = 0\n"
          "at end: expect w1 failed timeout\n");
}

TEST("a late answer to a statement is dropped, and what it would have set stays unset")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  update notes/1 set n n + 1 as x\n"
          "  on timeout: go on\n"
          "  wait 5s\n"
          "  if x.n = none:\n"
          "    write ledger \"none\"\n"
          "at 0s: delay notes -> w1 by 7s\n"
          "at end: expect ledger = \"none\"\n");
}

TEST("an insert that is delivered twice is not refused the second time")
{
    story("case a holds\n"
          "table notes at db\n"
          "node w1 w2\n"
          "w1:\n"
          "  insert notes/1 n 1\n"
          "  wait 10s\n"
          "w2:\n"
          "  wait 1s\n"
          "  update notes/1 set n 2\n"
          "at 0s: duplicate w1 -> notes after 5s\n"
          "at end: expect not notes refuses w1\n"
          "at end: expect notes/1.n = 2\n");
}

TEST("a table whose request ids were lost does a repeated statement again")
{
    story("case a holds\n"
          "table notes at db\n"
          "node w1 w2\n"
          "w1:\n"
          "  insert notes/1 n 1\n"
          "w2:\n"
          "  wait 10s\n"
          "  read notes/1\n"
          "at 0s: duplicate w1 -> notes after 5s\n"
          "at 2s: crash notes for 1s losing everything\n"
          "at end: expect notes/1.n = 1\n"
          "at 4s: expect notes/1.n = none\n");
}

TEST("a table without `losing everything` remembers what it did over a crash")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1 w2\n"
          "w1:\n"
          "  update notes/1 set n n + 1\n"
          "w2:\n"
          "  wait 10s\n"
          "  read notes/1\n"
          "at 0s: duplicate w1 -> notes after 5s\n"
          "at 2s: crash notes for 1s\n"
          "at end: expect notes/1.n = 1\n");
}

TEST("two statements of two tables on one machine are two services")
{
    story("case a holds\n"
          "table a at db\n"
          "  row 1 n 0\n"
          "table b at db\n"
          "  row 1 n 0\n"
          "node w1\n"
          "w1:\n"
          "  update a/1 set n 1\n"
          "  update b/1 set n 2\n"
          "at end: expect a/1.n = 1\n"
          "at end: expect b/1.n = 2\n");
}

TEST("a delayed claim of a restarted worker is its former self's")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s where state = \"ready\" or "
          "until < now as job\n"
          "  on refused: wait 1s\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s where until < now as job\n"
          "  on refused: stop\n"
          "  update jobs/42 set state \"done\" where epoch = job.epoch\n"
          "at 1ms: crash w1 for 1s\n"
          "at end: expect 0.002s jobs grants w1 token 1 of jobs/42\n"
          "at end: expect 1.003s jobs refuses w1 refused of jobs/42\n"
          "at end: expect w1 stops\n"
          "at end: expect not w1 acquires jobs/42\n");
}

TEST("`me` is the identity that a node says of itself, or its name")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 who none\n"
          "  row 2 who none\n"
          "node w1 identity \"host-7\"\n"
          "node w2\n"
          "w1:\n"
          "  update notes/1 set who me\n"
          "w2:\n"
          "  update notes/2 set who me\n"
          "at end: expect notes/1.who = \"host-7\"\n"
          "at end: expect notes/2.who = \"w2\"\n");
}

TEST("a comparison with none is false, but for = and !=")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n none\n"
          "node w1\n"
          "w1:\n"
          "  update notes/1 set n 1 where n < 5\n"
          "  on refused: go on\n"
          "  update notes/1 set n 2 where n != none\n"
          "  on refused: go on\n"
          "  update notes/1 set n 3 where n = none\n"
          "at end: expect notes/1.n = 3\n");
}

TEST("a fault before a statement leaves strikes before its packet")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1\n"
          "w1:\n"
          "  update notes/1 set n 1\n"
          "  insert notes/2 n 1\n"
          "  delete notes/2\n"
          "  read notes/1\n"
          "before w1 updates notes/1: pause w1 for 1s\n"
          "before w1 inserts notes/2: pause w1 for 1s\n"
          "before w1 deletes notes/2: pause w1 for 1s\n"
          "before w1 reads notes/1: pause w1 for 1s\n"
          "at end: expect 1.000s w1 updates notes/1\n"
          "at end: expect 2.003s w1 inserts notes/2\n"
          "at end: expect 3.006s w1 deletes notes/2\n"
          "at end: expect 4.009s w1 reads notes/1\n");
}

TEST("a variable that a timed out read left empty holds no row")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 5 m 0\n"
          "node w1\n"
          "w1:\n"
          "  read notes/1 as row\n"
          "  on timeout: go on\n"
          "  update notes/1 set m 1 where n = row.n\n"
          "at 0s: drop w1 -> notes\n"
          "at end: expect 5.002s notes refuses w1 refused of notes/1\n");
}
