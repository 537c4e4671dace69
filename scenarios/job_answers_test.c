/* SPDX-License-Identifier: MIT
 *
 * job_answers_test.c - an answer tells the attempt that it was given for, whatever its queue or table has done since.
 */
#include "scenarios/story.h"
#include "sim/test.h"

TEST("an answer that was late tells the attempt of its grant, which is a zombie by now")
{
    story("case gates holds\n"
          "net delay 1ms datagram\n"
          "queue jobs lease 30s\n"
          "  job \"a\"\n"
          "node w1 op\n"
          "until 1m\n"
          "w1:\n"
          "  on timeout: go on\n"
          "  claim jobs within 1s\n"
          "  claim jobs as y\n"
          "  complete y\n"
          "op:\n"
          "  wait 2s\n"
          "  requeue job \"a\"\n"
          "at 0s: delay w1 -> jobs by 3s\n"
          "before jobs grants w1 #1: drop jobs -> w1\n"
          "at end: expect w1 failed zombie\n"
          "at end: expect w1 acquires \"a\" token 1\n");
}

TEST("a restarted worker hears of its own grant, and not of what its former self is given late")
{
    story("case gates holds\n"
          "net delay 1ms datagram\n"
          "queue jobs lease 30s\n"
          "  job \"a\"\n"
          "node w1 op\n"
          "until 1m\n"
          "w1:\n"
          "  claim jobs as y\n"
          "  work 1s\n"
          "  complete y\n"
          "op:\n"
          "  wait 3s\n"
          "  requeue job \"a\"\n"
          "at 0s: delay w1 -> jobs by 4s\n"
          "at 500ms: crash w1 for 1s\n"
          "at 1s: drop jobs -> w1\n"
          "at end: expect w1 acquires \"a\" token 1\n"
          "at end: expect w1 failed zombie\n");
}

TEST("a late look at the queue gives a worker no token of another's")
{
    story("case gates holds\n"
          "case a without lease-check stop-on-loss holds\n"
          "net delay 1ms datagram\n"
          "queue jobs lease 3s\n"
          "  job \"a\"\n"
          "node w1 w2\n"
          "until 1m\n"
          "w1:\n"
          "  reap jobs\n"
          "  on timeout: go on\n"
          "  claim jobs as y\n"
          "  complete y\n"
          "w2:\n"
          "  wait until 8.5s\n"
          "  claim jobs as z\n"
          "  wait 20s\n"
          "  complete z\n"
          "at 0s: delay w1 -> jobs by 13s\n"
          "before jobs grants w1 #1: drop jobs -> w1\n"
          "at 9s: drop jobs -> w1\n");
}

TEST("a batch speaks with the attempts that it was given, not with later ones of the same jobs")
{
    story("case a holds\n"
          "queue jobs lease 3s\n"
          "  job \"a\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs 1 as old\n"
          "  wait 4s\n"
          "  claim jobs as new\n"
          "  heartbeat new\n"
          "  for x in old:\n"
          "    complete x\n"
          "at end: expect w1 failed zombie\n");
}

TEST("an answer of a table tells the token of its own grant")
{
    story("case gates holds\n"
          "net delay 1ms datagram\n"
          "table t\n"
          "  as lock owner own token tok until til\n"
          "  row a own none tok 0 til 0s\n"
          "store s\n"
          "node w1\n"
          "w1:\n"
          "  on timeout: go on\n"
          "  update t/a set own me tok tok + 1 til now + 2s where own = none or til < now\n"
          "  update t/a set own me tok tok + 1 til now + 2s where own = none or til < now as m\n"
          "  require m.tok = 1\n"
          "  write s \"x\"\n"
          "before w1 updates t/a #1: delay w1 -> t by 8s\n"
          "before t grants w1 #1: delay t -> w1 by 4s\n");
}

TEST("a row that was lost with its table is held by nobody")
{
    story("case a holds\n"
          "table t\n"
          "  as lock owner own until til\n"
          "  row a own none til 0s\n"
          "node w1\n"
          "w1:\n"
          "  update t/a set own me til now + 30s\n"
          "at 1s: crash t for 1s losing everything\n"
          "at 3s: expect t/a.own = none\n"
          "at 3s: expect not w1 holds t/a\n");
}

TEST("a worker that gave up keeps its place for a while, and that is no lost job")
{
    story("case a holds\n"
          "queue jobs lease 3s\n"
          "node g1 g2 op w\n"
          "g1, g2:\n"
          "  claim jobs within 1s\n"
          "op:\n"
          "  wait 2s\n"
          "  enqueue jobs \"a\"\n"
          "w:\n"
          "  wait 8.5s\n"
          "  claim jobs as j\n"
          "  complete j\n"
          "at end: expect job \"a\" completed\n");
}

TEST("nor is it a lack of progress")
{
    story("case a holds and progress\n"
          "queue jobs lease 3s\n"
          "node g1 g2 op\n"
          "until 1m\n"
          "g1, g2:\n"
          "  claim jobs within 1s\n"
          "op:\n"
          "  wait 2s\n"
          "  enqueue jobs \"a\"\n"
          "  claim jobs as j\n"
          "  complete j\n");
}

TEST("a key of an effect that is none is an error of the scenario")
{
    story_fails("case a holds\n"
                "queue jobs lease 30s\n"
                "  job \"a\"\n"
                "node w1\n"
                "w1:\n"
                "  claim jobs as j\n"
                "  effect \"charge\" key j\n"
                "  claim jobs try as k\n"
                "  on refused: go on\n"
                "  effect \"charge\" key k\n",
                FAIL_KEY, 10);
}
