/* SPDX-License-Identifier: MIT
 *
 * tables_test.c - what a statement did to the grant of its row: the five rules of scenario-language.md, for queues and
 * for locks of one's own. See story.h; times are those of design.md.
 */
#include "scenarios/story.h"

#include "sim/test.h"

/* --- the five rules, in a queue of one's own --------------------------------------------------------- */

TEST("a statement is served after its sync, and its worker gets the row")
{
    story(
        "case a holds\n"
        "table jobs at db\n"
        "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\" or \"dead\"\n"
        "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
        "node w1\n"
        "w1:\n"
        "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s\n"
        "    where state = \"ready\" or until < now   as job\n"
        "  work 1s\n"
        "  update jobs/42 set state \"done\"\n"
        "    where epoch = job.epoch and state = \"running\"\n"
        "at end: expect 0.000s w1 updates jobs/42\n"
        "at end: expect 0.002s jobs grants w1 token 1 of jobs/42\n"
        "at end: expect 0.002s jobs sets jobs/42.state \"running\"\n"
        "at end: expect 0.002s jobs sets jobs/42.owner w1\n"
        "at end: expect 0.002s jobs sets jobs/42.epoch 1\n"
        "at end: expect 0.002s jobs sets jobs/42.until 12h30.002s\n"
        "at end: expect 0.003s w1 acquires jobs/42 token 1\n"
        "at end: expect 1.005s jobs finishes w1 token 1 of jobs/42\n"
        "at end: expect 1.005s jobs sets jobs/42.state \"done\"\n"
        "at end: expect jobs/42.state = \"done\"\n"
        "at end: expect jobs/42.owner = \"w1\"\n"
        "at end: expect token jobs/42 = 1\n"
        "at 500ms: expect w1 holds jobs/42\n");
}

TEST("rule 1: who writes a row that was done writes a finished job")
{
    story(
        "case a violates final-stays-final by w2\n"
        "table jobs at db\n"
        "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\" or \"dead\"\n"
        "  row 42  state \"done\" owner none epoch 4 until 0s\n"
        "node w2\n"
        "w2:\n"
        "  update jobs/42 set state \"running\" owner me epoch epoch + 1\n"
        "at end: expect 0.002s jobs rewrites w2\n"
        "at end: expect not jobs grants w2\n"
        "at end: expect jobs/42.epoch = 5\n");
}

TEST("rule 1 before rule 2: who finishes a finished row rewrites it")
{
    story(
        "case a violates final-stays-final by w1\n"
        "table jobs at db\n"
        "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\" or \"dead\"\n"
        "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
        "node w1\n"
        "w1:\n"
        "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s\n"
        "  update jobs/42 set state \"done\"\n"
        "  update jobs/42 set state \"dead\"\n"
        "at end: expect 0.005s jobs finishes w1 token 1 of jobs/42\n"
        "at end: expect 0.008s jobs rewrites w1 token 1 of jobs/42\n");
}

TEST("rule 2 before rule 3: a row that becomes done is completed, also if it gets a new owner")
{
    story(
        "case a holds\n"
        "case b violates owner-completes by w2\n"
        "table jobs at db\n"
        "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\" or \"dead\"\n"
        "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
        "node w1 w2\n"
        "w1:\n"
        "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s\n"
        "  [a] update jobs/42 set state \"done\" owner none\n"
        "[b] w2:\n"
        "  wait 1s\n"
        "  update jobs/42 set state \"done\" owner me\n"
        "[a] at end: expect 0.005s jobs finishes w1 token 1 of jobs/42\n"
        "[b] at end: expect 1.002s jobs finishes w1 token 1 by w2 of jobs/42\n");
}

TEST("rule 3: the owner becomes somebody, or the token changes while there is one")
{
    story(
        "case owner holds\n"
        "case token holds\n"
        "table jobs at db\n"
        "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\" or \"dead\"\n"
        "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
        "node w1\n"
        "w1:\n"
        "  [owner] update jobs/42 set owner me\n"
        "  [token] update jobs/42 set owner me epoch epoch + 1\n"
        "  [token] wait 1s\n"
        "  [token] update jobs/42 set epoch epoch + 1\n"
        "[owner] at end: expect 0.002s jobs grants w1 token 0 of jobs/42\n"
        "[token] at end: expect 1.005s jobs grants w1 token 2 of jobs/42\n"
        "[token] at end: expect 1.006s w1 acquires jobs/42 token 2\n");
}

TEST("a token that changes without an owner is no grant")
{
    story(
        "case a holds\n"
        "table jobs at db\n"
        "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\" or \"dead\"\n"
        "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
        "node w1\n"
        "w1:\n"
        "  update jobs/42 set epoch epoch + 1\n"
        "at end: expect 0.002s jobs changes w1 of jobs/42\n"
        "at end: expect not jobs grants w1\n");
}

TEST("rule 4: the state leaves `running`: the holder puts its own job back, or an expired one's reaper does")
{
    story(
        "case own  holds\n"
        "case past holds\n"
        "case before violates owner-completes by r\n"
        "table jobs at db\n"
        "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\" or \"dead\"\n"
        "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
        "node w1 r\n"
        "w1:\n"
        "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s\n"
        "  [own] wait 1s\n"
        "  [own] update jobs/42 set state \"ready\"\n"
        "[past before] r:\n"
        "  [past]   wait 31s\n"
        "  [before] wait 10s\n"
        "  update jobs/42 set state \"ready\" owner none\n"
        "[own]    at end: expect 1.005s jobs returns w1 token 1 of jobs/42\n"
        "[own]    at end: expect not jobs returns w1 why failed\n"
        "[past]   at end: expect 31.002s jobs returns w1 token 1 by r why expired of jobs/42\n"
        "[before] at end: expect 10.002s jobs returns w1 token 1 by r of jobs/42\n"
        "at end: expect not w1 holds jobs/42\n");
}

TEST("rule 4: the owner becomes nobody")
{
    story(
        "case a holds\n"
        "table jobs at db\n"
        "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\" or \"dead\"\n"
        "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
        "node w1\n"
        "w1:\n"
        "  update jobs/42 set owner me\n"
        "  update jobs/42 set owner none\n"
        "at end: expect 0.005s jobs returns w1 token 0 of jobs/42\n");
}

TEST("rule 5: only `until` changes: the holder extends its own, a stranger breaks owner-extends")
{
    story(
        "case own holds\n"
        "case other violates owner-extends by w2\n"
        "table jobs at db\n"
        "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\" or \"dead\"\n"
        "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
        "node w1 w2\n"
        "w1:\n"
        "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s\n"
        "  [own] wait 10s\n"
        "  [own] update jobs/42 set until now + 30s\n"
        "[other] w2:\n"
        "  wait 10s\n"
        "  update jobs/42 set until now + 30s\n"
        "[own]   at end: expect 10.005s jobs extends w1 token 1 of jobs/42\n"
        "[other] at end: expect 10.002s jobs extends w1 token 1 by w2 of jobs/42\n"
        "at 35s: expect w1 holds jobs/42\n"
        "at 41s: expect not w1 holds jobs/42\n");
}

TEST("an `until` that is set to what it was extends nothing")
{
    story(
        "case a holds\n"
        "table jobs at db\n"
        "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\" or \"dead\"\n"
        "  row 42  state \"ready\" owner none epoch 0 until 12h\n"
        "node w1\n"
        "w1:\n"
        "  update jobs/42 set until 12h\n"
        "at end: expect 0.002s jobs changes w1 of jobs/42\n");
}

TEST("where no rule fits, or the table is plain, the row changes")
{
    story(
        "case a holds\n"
        "table jobs at db\n"
        "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\" or \"dead\"\n"
        "  row 42  state \"ready\" owner none epoch 0 until 0s note \"x\"\n"
        "table notes at db\n"
        "  row 1 owner none state \"ready\"\n"
        "node w1\n"
        "w1:\n"
        "  update jobs/42 set note \"y\"\n"
        "  update jobs/42 set state \"later\"\n"
        "  update notes/1 set owner me state \"done\"\n"
        "at end: expect 0.002s jobs changes w1 of jobs/42\n"
        "at end: expect 0.005s jobs changes w1 of jobs/42\n"
        "at end: expect 0.008s notes changes w1 of notes/1\n"
        "at end: expect notes/1.owner = \"w1\"\n");
}

TEST("a promised end of a lease is told on the server's wall clock")
{
    story(
        "case a holds\n"
        "table jobs at db\n"
        "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\" or \"dead\"\n"
        "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
        "node w1\n"
        "w1:\n"
        "  update jobs/42 set owner me epoch epoch + 1 until now + 30s\n"
        "at 10s: wall db jumps +5s\n"
        "at 40s: expect not w1 holds jobs/42\n"
        "at end: expect 25.002s (jobs lapses w1 token 1 of jobs/42)\n");
}

/* --- a lock of one's own ----------------------------------------------------------------------------- */

TEST("a row is a lock: taken, extended, freed by its holder")
{
    story("case a holds\n"
          "table lease at db\n"
          "  as lock owner owner token epoch until until\n"
          "  row main owner none epoch 0 until 0s\n"
          "node w1 w2\n"
          "w1:\n"
          "  update lease/main set owner me epoch epoch + 1 until now + 10s\n"
          "    where owner = none or until < now   as mine\n"
          "  wait 5s\n"
          "  update lease/main set until now + 10s\n"
          "    where owner = me and epoch = mine.epoch\n"
          "  wait 5s\n"
          "  update lease/main set owner none\n"
          "    where owner = me and epoch = mine.epoch\n"
          "w2:\n"
          "  wait 6s\n"
          "  repeat 3:\n"
          "    update lease/main set owner me epoch epoch + 1 until now + 10s\n"
          "      where owner = none or until < now\n"
          "    on refused: wait 3s\n"
          "at end: expect 0.002s lease grants w1 token 1 of lease/main\n"
          "at end: expect 0.003s w1 acquires lease/main token 1\n"
          "at end: expect 5.005s lease extends w1 token 1 of lease/main\n"
          "at end: expect 6.002s lease refuses w2 refused of lease/main\n"
          "at end: expect 10.008s lease frees w1 token 1 of lease/main\n"
          "at end: expect 12.008s lease grants w2 token 2 of lease/main\n"
          "at 12.1s: expect w2 holds lease/main\n");
}

TEST("a lock is freed by another after its end: an expiry; before it: a release of somebody else's")
{
    story("case past holds\n"
          "case before violates owner-releases by w2\n"
          "table lease at db\n"
          "  as lock owner owner token epoch until until\n"
          "  row main owner none epoch 0 until 0s\n"
          "node w1 w2\n"
          "w1:\n"
          "  update lease/main set owner me epoch epoch + 1 until now + 10s\n"
          "w2:\n"
          "  [past]   wait 10001ms\n"
          "  [before] wait 9s\n"
          "  update lease/main set owner none\n"
          "[past]   at end: expect 10.003s lease expires w1 token 1 by w2 of lease/main\n"
          "[before] at end: expect 9.002s lease frees w1 token 1 by w2 of lease/main\n");
}

TEST("a holder that frees its own lock after its end releases it")
{
    story("case a holds\n"
          "table lease at db\n"
          "  as lock owner owner token epoch until until\n"
          "  row main owner none epoch 0 until 0s\n"
          "node w1\n"
          "w1:\n"
          "  update lease/main set owner me epoch epoch + 1 until now + 10s\n"
          "  wait 11s\n"
          "  update lease/main set owner none\n"
          "at end: expect 11.005s lease frees w1 token 1 of lease/main\n");
}

TEST("a lock can be taken over only after its end: single-grant sees to it")
{
    story("case past holds\n"
          "case before violates single-grant by w2\n"
          "table lease at db\n"
          "  as lock owner owner token epoch until until\n"
          "  row main owner none epoch 0 until 0s\n"
          "node w1 w2\n"
          "w1:\n"
          "  update lease/main set owner me epoch epoch + 1 until now + 10s\n"
          "w2:\n"
          "  [past]   wait 11s\n"
          "  [before] wait 9s\n"
          "  update lease/main set owner me epoch epoch + 1 until now + 10s\n"
          "at end: expect lease grants w2 token 2 of lease/main\n");
}

TEST("a lock without a token column: the owner alone says it")
{
    story("case a holds\n"
          "table lease at db\n"
          "  as lock owner owner until until\n"
          "  row main owner none until 0s\n"
          "node w1\n"
          "w1:\n"
          "  update lease/main set owner me until now + 10s\n"
          "  wait 1s\n"
          "  update lease/main set until now + 10s\n"
          "  update lease/main set owner none\n"
          "at end: expect 0.002s lease grants w1 of lease/main\n"
          "at end: expect 0.003s w1 acquires lease/main\n"
          "at end: expect 1.005s lease extends w1 of lease/main\n"
          "at end: expect 1.008s lease frees w1 of lease/main\n");
}

TEST("a row that is inserted and deleted is a lock too")
{
    story("case a holds\n"
          "table lease at db\n"
          "  as lock owner owner token epoch until until\n"
          "node w1 w2\n"
          "w1:\n"
          "  insert lease/main owner me epoch 1 until now + 10s\n"
          "  wait 5s\n"
          "  delete lease/main where owner = me\n"
          "w2:\n"
          "  wait 1s\n"
          "  insert lease/main owner me epoch 2 until now + 10s\n"
          "  on refused: wait 5s\n"
          "  insert lease/main owner me epoch 2 until now + 10s\n"
          "at end: expect 0.000s w1 inserts lease/main\n"
          "at end: expect 0.002s lease adds lease/main by w1\n"
          "at end: expect 0.002s lease grants w1 token 1 of lease/main\n"
          "at end: expect 0.002s lease sets lease/main.epoch 1\n"
          "at end: expect 0.003s w1 acquires lease/main token 1\n"
          "at end: expect 1.002s lease refuses w2 refused of lease/main\n"
          "at end: expect 5.003s w1 deletes lease/main\n"
          "at end: expect 5.005s lease erases w1 of lease/main\n"
          "at end: expect 5.005s lease frees w1 token 1 of lease/main\n"
          "at end: expect lease grants w2 token 2 of lease/main\n");
}

TEST("the holder is a process: another of the same identity extends, and does not own")
{
    story("case a violates owner-extends by w2\n"
          "table lease at db\n"
          "  as lock owner owner token epoch until until\n"
          "  row main owner none epoch 0 until 0s\n"
          "node w1 w2 identity \"host-7\"\n"
          "w1:\n"
          "  update lease/main set owner me epoch epoch + 1 until now + 10s\n"
          "w2:\n"
          "  wait 5s\n"
          "  update lease/main set until now + 10s where owner = me\n"
          "at end: expect 0.002s lease sets lease/main.owner \"host-7\"\n"
          "at end: expect 5.002s lease extends w1 token 1 by w2 of lease/main\n");
}

TEST("the holder is one start of a process: its next start extends, and does not own")
{
    story("case a violates owner-extends by w1\n"
          "table lease at db\n"
          "  as lock owner owner token epoch until until\n"
          "  row main owner none epoch 0 until 0s\n"
          "node w1\n"
          "w1:\n"
          "  update lease/main set owner me epoch epoch + 1 until now + 10s where owner = none\n"
          "  on refused: go on\n"
          "  update lease/main set until now + 10s where owner = me\n"
          "  wait 3s\n"
          "after w1 acquires lease/main: crash w1 for 1s\n"
          "at end: expect lease extends w1 token 1 of lease/main\n"
          "at end: expect 1.005s lease refuses w1 refused of lease/main\n");
}

/* --- what columns mean ------------------------------------------------------------------------------- */

TEST("a lock without an `until` never ends by time: who frees another's breaks owner-releases")
{
    story("case a violates owner-releases by w2\n"
          "table lease at db\n"
          "  as lock owner owner token epoch\n"
          "  row main owner none epoch 0\n"
          "node w1 w2\n"
          "w1:\n"
          "  update lease/main set owner me epoch epoch + 1\n"
          "w2:\n"
          "  wait 10m\n"
          "  update lease/main set owner none\n"
          "at end: expect 10m0.002s lease frees w1 token 1 by w2 of lease/main\n"
          "at 9m: expect w1 holds lease/main\n");
}

TEST("the holder is who was given the row, whatever name stands in `owner`")
{
    story("case a holds\n"
          "table lease at db\n"
          "  as lock owner owner token epoch until until\n"
          "  row main owner none epoch 0 until 0s\n"
          "node w1 w2\n"
          "w1:\n"
          "  update lease/main set owner \"w2\" epoch epoch + 1 until now + 10s\n"
          "  update lease/main set owner none\n"
          "at end: expect 0.002s lease grants w1 token 1 of lease/main\n"
          "at end: expect 0.005s lease frees w1 token 1 of lease/main\n"
          "w2:\n"
          "  ping lease\n");
}

TEST("a new owner with the same token is a grant too")
{
    story("case a violates token-order by w2\n"
          "table lease at db\n"
          "  as lock owner owner token epoch until until\n"
          "  row main owner none epoch 0 until 0s\n"
          "node w1 w2\n"
          "w1:\n"
          "  update lease/main set owner me epoch 1 until now + 10s\n"
          "w2:\n"
          "  wait 20s\n"
          "  update lease/main set owner me until now + 10s where until < now\n"
          "at end: expect 20.002s lease grants w2 token 1 of lease/main\n");
}

TEST("a renewal that raises the token is a grant to the same holder")
{
    story("case a holds\n"
          "table lease at db\n"
          "  as lock owner owner token epoch until until\n"
          "  row main owner none epoch 0 until 0s\n"
          "node w1\n"
          "w1:\n"
          "  update lease/main set owner me epoch epoch + 1 until now + 10s\n"
          "  wait 11s\n"
          "  update lease/main set epoch epoch + 1 until now + 10s where owner = me\n"
          "at end: expect 11.005s lease grants w1 token 2 of lease/main\n"
          "at end: expect 11.006s w1 acquires lease/main token 2\n");
}

TEST("several states can mean running, and several that a job is done")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" or \"saving\" done state = "
          "\"done\" or \"dead\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s\n"
          "  update jobs/42 set state \"saving\"\n"
          "  update jobs/42 set state \"dead\"\n"
          "at end: expect 0.002s jobs grants w1 token 1 of jobs/42\n"
          "at end: expect 0.005s jobs changes w1 of jobs/42\n"
          "at end: expect 0.008s jobs finishes w1 token 1 of jobs/42\n");
}

TEST("an extension that sets another column too is an extension")
{
    story("case a holds\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s beats 0\n"
          "node w1\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s\n"
          "  update jobs/42 set until now + 40s beats beats + 1\n"
          "at end: expect 0.005s jobs extends w1 token 1 of jobs/42\n"
          "at end: expect jobs/42.beats = 1\n");
}

TEST("a sweep of one's own is a reaper, and its verdict on an attempt is checked by its WHERE")
{
    story("case fenced holds\n"
          "case open   violates owner-completes by r\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1 r\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 30s as job\n"
          "  wait 31s\n"
          "  update jobs/42 set until now + 30s where epoch = job.epoch and state = \"running\"\n"
          "  wait 1s\n"
          "  update jobs/42 set state \"done\" where epoch = job.epoch and state = \"running\"\n"
          "  on refused: stop\n"
          "r:\n"
          "  wait 30990ms\n"
          "  read jobs/42 as seen\n"
          "  if seen.state = \"running\":\n"
          "    [open]   update jobs/42 set state \"ready\" owner none\n"
          "    [fenced] update jobs/42 set state \"ready\" owner none\n"
          "      where epoch = seen.epoch and until < now\n"
          "    [fenced] on refused: go on\n"
          "before r updates jobs/42: pause r for 50ms\n"
          "[fenced] at end: expect 31.044s jobs refuses r refused of jobs/42\n"
          "[open]   at end: expect 31.044s jobs returns w1 token 1 by r of jobs/42\n"
          "[fenced] at end: expect jobs/42.state = \"done\"\n"
          "[open]   at end: expect w1 stops\n");
}

TEST("after it was put back, an old worker's completion is nobody's")
{
    story("case a violates owner-completes by w1\n"
          "table jobs at db\n"
          "  as queue owner owner token epoch until until running state = \"running\" done state = \"done\"\n"
          "  row 42  state \"ready\" owner none epoch 0 until 0s\n"
          "node w1 r\n"
          "w1:\n"
          "  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 10s as job\n"
          "  wait 20s\n"
          "  update jobs/42 set state \"done\" where epoch = job.epoch\n"
          "r:\n"
          "  wait 11s\n"
          "  update jobs/42 set state \"ready\" owner none where until < now\n"
          "at end: expect 11.002s jobs returns w1 token 1 by r why expired of jobs/42\n"
          "at end: expect 20.005s jobs finishes w1\n");
}
