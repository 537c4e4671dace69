/* SPDX-License-Identifier: MIT
 *
 * rows_test.c - updates that are lost, rows that come and go, who speaks for a grant, what is done under a row, and
 * statements that cannot be worked out. See story.h; times are those of design.md.
 */
#include "scenarios/story.h"

#include "sim/test.h"

/* --- updates that are lost --------------------------------------------------------------------------- */

TEST("read, then set from what was read: another's change in between is lost")
{
    story("case a violates no-lost-update by w1\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1 w2\n"
          "w1:\n"
          "  read notes/1 as x\n"
          "  wait 1s\n"
          "  update notes/1 set n x.n + 1\n"
          "w2:\n"
          "  wait 500ms\n"
          "  update notes/1 set n n + 1\n"
          "at end: expect notes/1.n = 1\n");
}

TEST("what a statement makes on the server from the row itself loses nothing")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1 w2\n"
          "w1:\n"
          "  read notes/1 as x\n"
          "  wait 1s\n"
          "  update notes/1 set n n + 1 where x.n = 0\n"
          "w2:\n"
          "  wait 500ms\n"
          "  update notes/1 set n n + 1\n"
          "at end: expect notes/1.n = 2\n");
}

TEST("a change of another column is not overwritten")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 0 m 0\n"
          "node w1 w2\n"
          "w1:\n"
          "  read notes/1 as x\n"
          "  wait 1s\n"
          "  update notes/1 set n x.n + 1\n"
          "w2:\n"
          "  wait 500ms\n"
          "  update notes/1 set m m + 1\n"
          "at end: expect notes/1.n = 1\n"
          "at end: expect notes/1.m = 1\n");
}

TEST("a blind value loses nothing, nor does a condition that the row is as it was read")
{
    story("case blind holds\n"
          "case guarded holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1 w2\n"
          "w1:\n"
          "  read notes/1 as x\n"
          "  wait 1s\n"
          "  [blind]   update notes/1 set n 7 where x.n = 0\n"
          "  [guarded] update notes/1 set n x.n + 1 where n = x.n\n"
          "  [guarded] on refused: go on\n"
          "w2:\n"
          "  wait 500ms\n"
          "  update notes/1 set n n + 1\n"
          "[blind]   at end: expect notes/1.n = 7\n"
          "[guarded] at end: expect notes/1.n = 1\n");
}

TEST("what came back from a statement of one's own was read too")
{
    story("case a violates no-lost-update by w1\n"
          "case b holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1 w2\n"
          "w1:\n"
          "  update notes/1 set n n + 1 as x\n"
          "  wait 1s\n"
          "  update notes/1 set n x.n + 1\n"
          "[a] w2:\n"
          "  wait 500ms\n"
          "  update notes/1 set n n + 1\n"
          "at end: expect notes/1.n = 2\n");
}

TEST("a value that went through `let` was read where it came from")
{
    story("case a violates no-lost-update by w1\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1 w2\n"
          "w1:\n"
          "  read notes/1 as x\n"
          "  let y = x.n + 1\n"
          "  wait 1s\n"
          "  update notes/1 set n y\n"
          "w2:\n"
          "  wait 500ms\n"
          "  update notes/1 set n n + 1\n"
          "at end: expect notes/1.n = 1\n");
}

TEST("what one process overwrites of its own is not lost")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1\n"
          "w1:\n"
          "  read notes/1 as x\n"
          "  update notes/1 set n 5\n"
          "  update notes/1 set n x.n + 1\n"
          "at end: expect notes/1.n = 1\n");
}

TEST("read, then set by `update first`: another's change in between is lost")
{
    story("case a violates no-lost-update by w1\n"
          "table notes at db\n"
          "  row 1 n 0\n"
          "node w1 w2\n"
          "w1:\n"
          "  read notes/1 as x\n"
          "  wait 1s\n"
          "  update first notes set n x.n + 1\n"
          "w2:\n"
          "  wait 500ms\n"
          "  update notes/1 set n n + 1\n"
          "at end: expect notes/1.n = 1\n");
}

/* --- rows that come and go --------------------------------------------------------------------------- */

TEST("a row that is inserted as a finished one completes nobody's job")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "node w1\n"
          "w1:\n"
          "  insert jobs/43 state \"done\"\n"
          "at end: expect 0.002s jobs adds jobs/43 by w1\n"
          "at end: expect not jobs finishes w1\n"
          "at end: expect jobs/43.state = \"done\"\n");
}

TEST("a row that is inserted with an owner is given to whoever inserts it")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "node w1\n"
          "w1:\n"
          "  insert jobs/43 state \"running\" owner me epoch 1 until now + 30s\n"
          "  update jobs/43 set state \"done\" where epoch = 1\n"
          "at end: expect 0.002s jobs grants w1 token 1 of jobs/43\n"
          "at end: expect 0.005s jobs finishes w1 token 1 of jobs/43\n");
}

TEST("finished rows may be cleared away, and the same key can be a new job")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"done\" owner none epoch 3 until 0s\n"
          "node w1\n"
          "w1:\n"
          "  delete jobs/42 where state = \"done\"\n"
          "  insert jobs/42 state \"ready\" epoch 3\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1\n"
          "  update jobs/42 set state \"done\"\n"
          "at end: expect 0.002s jobs erases w1 of jobs/42\n"
          "at end: expect not jobs rewrites w1\n"
          "at end: expect 0.008s jobs grants w1 token 4 of jobs/42\n"
          "at end: expect 0.011s jobs finishes w1 token 4 of jobs/42\n");
}

TEST("a running row that is deleted is put back by whoever deletes it")
{
    story("case own holds\n"
          "case other violates owner-completes by w2\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1 w2\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s\n"
          "  [own] delete jobs/42\n"
          "[other] w2:\n"
          "  wait 1s\n"
          "  delete jobs/42\n"
          "[own] at end: expect 0.005s jobs erases w1 of jobs/42\n"
          "[own] at end: expect 0.005s jobs returns w1 token 1 of jobs/42\n"
          "[other] at end: expect 1.002s jobs returns w1 token 1 by w2 of jobs/42\n");
}

TEST("a column that an insert does not name is none")
{
    story("case a holds\n"
          "table notes at db\n"
          "  row 1 n 5 m 6\n"
          "node w1\n"
          "w1:\n"
          "  delete notes/1\n"
          "  insert notes/1 n 7\n"
          "at end: expect notes/1.n = 7\n"
          "at end: expect notes/1.m = none\n");
}

/* --- who speaks -------------------------------------------------------------------------------------- */

TEST("a thread without a grant of its own speaks for the latest of its process")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s\n"
          "  wait 10s\n"
          "w1.two:\n"
          "  wait 5s\n"
          "  update jobs/42 set until now + 30s\n"
          "  update jobs/42 set state \"done\"\n"
          "at end: expect 5.002s jobs extends w1 token 1 of jobs/42\n"
          "at end: expect 5.005s jobs finishes w1 token 1 of jobs/42\n"
          "at end: expect not jobs finishes w1 token 1 by w1\n");
}

TEST("a thread speaks for the grant that it got last itself, though another of its process has a later one")
{
    story("case a violates owner-completes by w1\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 3s\n"
          "  wait 10s\n"
          "  update jobs/42 set state \"done\"\n"
          "w1.two:\n"
          "  wait 5s\n"
          "  update jobs/42 set epoch epoch + 1 until now + 30s\n"
          "at end: expect 5.002s jobs grants w1 token 2 of jobs/42\n"
          "at end: expect 10.005s jobs finishes w1 token 2 by w1 of jobs/42\n");
}

TEST("a stale worker's completion that no WHERE stops is another's job")
{
    story("case fenced holds\n"
          "case open violates owner-completes by w1\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1 w2\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 3s as job\n"
          "  wait 10s\n"
          "  [fenced] update jobs/42 set state \"done\" where epoch = job.epoch\n"
          "  [open]   update jobs/42 set state \"done\" where epoch >= job.epoch\n"
          "w2:\n"
          "  wait 5s\n"
          "  update jobs/42 set owner me epoch epoch + 1 until now + 30s\n"
          "[fenced] at end: expect w1 failed refused\n"
          "[open]   at end: expect 10.005s jobs finishes w2 token 2 by w1 of jobs/42\n");
}

TEST("a statement of a process that crashed lands, and its next start does not speak for it")
{
    story("case a violates owner-completes by w1\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s where state = \"ready\"\n"
          "  on refused: go on\n"
          "  on timeout: go on\n"
          "  update jobs/42 set state \"done\"\n"
          "at 500us: crash w1 for 100us\n"
          "at 0s: delay w1 -> jobs by 600us\n"
          "at end: expect 0.002600s jobs grants w1 token 1 of jobs/42\n"
          "at end: expect jobs finishes w1 token 1 by w1 of jobs/42\n");
}

TEST("a process that restarted does not own what its former self was given")
{
    story("case a violates owner-completes by w1\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s where state = \"ready\"\n"
          "  on refused: go on\n"
          "  wait 1s\n"
          "  update jobs/42 set state \"done\" where owner = me\n"
          "after w1 acquires jobs/42: crash w1 for 1s\n"
          "at end: expect jobs finishes w1 token 1 by w1 of jobs/42\n");
}

/* --- what is done under a row ------------------------------------------------------------------------ */

TEST("work under a row whose lease has gone to another is seen, and its effects are the row's")
{
    story("case a violates effect-once and single-actor\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1 w2\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 3s\n"
          "  work 10s\n"
          "  effect \"mail\"\n"
          "w2:\n"
          "  wait 5s\n"
          "  update jobs/42 set owner me epoch epoch + 1 until now + 30s where until < now as job\n"
          "  effect \"mail\" for job\n"
          "at end: expect w1 effects \"mail\" job jobs/42\n"
          "at end: expect w2 effects \"mail\" job jobs/42\n");
}

TEST("the same key in two tables is two jobs: their effects are two")
{
    story("case a holds\n"
          "table a at db\n"
          "  as queue owner owner done state = \"done\"\n"
          "  row 1 state \"ready\" owner none\n"
          "table b at db\n"
          "  as queue owner owner done state = \"done\"\n"
          "  row 1 state \"ready\" owner none\n"
          "node w1\n"
          "w1:\n"
          "  update a/1 set owner me\n"
          "  effect \"mail\"\n"
          "  update a/1 set state \"done\"\n"
          "  update b/1 set owner me\n"
          "  effect \"mail\"\n"
          "  update b/1 set state \"done\"\n"
          "at end: expect w1 effects \"mail\" job a/1\n"
          "at end: expect w1 effects \"mail\" job b/1\n");
}

TEST("a write carries no token of a row, unless it says so")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 3s as job\n"
          "  write ledger \"a\"\n"
          "  write ledger \"b\" token job.epoch\n"
          "at end: expect ledger commits w1 \"a\"\n"
          "at end: expect ledger commits w1 token 1 \"b\"\n");
}

TEST("a job that waits in a table and is asked for in vain is lost")
{
    story("case a violates no-lost-job\n"
          "case b holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1 w2\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 10s where state = \"ready\" or "
          "until < now\n"
          "  on refused: go on\n"
          "w2:\n"
          "  wait 60s\n"
          "  update first jobs set state \"running\" owner me epoch epoch + 1 until now + 10s\n"
          "    where state = \"ready\"\n"
          "    [b] or until < now\n"
          "  on refused: stop\n"
          "  update jobs/42 set state \"done\"\n"
          "[a] at end: expect w2 stops\n"
          "[b] at end: expect jobs/42.state = \"done\"\n");
}

/* --- statements that cannot be worked out ------------------------------------------------------------ */

TEST("an overflow in a statement is an error of the scenario")
{
    story_fails("case a holds\n"
                "table notes at db\n"
                "  row 1 n 9223372036854775807\n"
                "node w1\n"
                "w1:\n"
                "  update notes/1 set n n + 1\n",
                FAIL_OVERFLOW, 6);
}

TEST("a condition that cannot be worked out is an error of the scenario")
{
    story_fails("case a holds\n"
                "table notes at db\n"
                "  row 1 n none m 5\n"
                "node w1\n"
                "w1:\n"
                "  update notes/1 set m 1 where n + 1 = 2\n",
                FAIL_TYPE, 6);
}

TEST("a condition that cannot be worked out at its arrival is one too")
{
    story_fails("case a without atomic-check holds\n"
                "table notes at db\n"
                "  row 1 n none m 5\n"
                "node w1\n"
                "w1:\n"
                "  update notes/1 set m 1 where n + 1 = 2\n",
                FAIL_TYPE, 6);
}

TEST("a value that cannot be worked out is one too")
{
    story_fails("case a holds\n"
                "table notes at db\n"
                "  row 1 n none m 5\n"
                "node w1\n"
                "w1:\n"
                "  update notes/1 set m n + 1\n",
                FAIL_TYPE, 6);
}
