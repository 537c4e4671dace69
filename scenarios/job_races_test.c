/* SPDX-License-Identifier: MIT
 *
 * job_races_test.c - what happens at the same time: turns given up, late answers, threads of one node, faults before
 * and after each of a queue's words. See story.h; times are those of design.md.
 */
#include "scenarios/story.h"

#include "sim/test.h"

/* --- races and odd askers ---------------------------------------------------------------------------- */

TEST("`try` is refused while a job is kept for a worker that was called")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 5s\n"
          "  fail job\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "w3:\n"
          "  wait 6s\n"
          "  claim jobs try as job\n"
          "  on refused: stop\n"
          "  complete job\n"
          "at 4s: pause w2 for 3s\n"
          "at end: expect 5.005s jobs calls w2\n"
          "at end: expect 6.002s jobs refuses w3 refused\n"
          "at end: expect 7.002s jobs grants w2 token 2 of \"one\"\n");
}

TEST("a worker that gives up waiting is called in vain, and the next gets its turn after that")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 5s\n"
          "  fail job\n"
          "w2:\n"
          "  claim jobs within 2s\n"
          "w3:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at end: expect 2.000s w2 failed timeout\n"
          "at end: expect 5.005s jobs calls w2\n"
          "at end: expect 10.005s jobs calls w3\n"
          "at end: expect job \"one\" completed by w3\n");
}

TEST("a claim whose answer comes after its lease is a job that is lost already")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "w2:\n"
          "  wait 31s\n"
          "  claim jobs as job\n"
          "  work 20s\n"
          "  complete job\n"
          "at 0s: cut jobs -> w1 for 33s holding\n"
          "at end: expect 33.001s w1 acquires \"one\" token 1\n"
          "at end: expect 33.001s w1 failed lease-lost\n"
          "at end: expect job \"one\" completed by w2\n");
}

TEST("a variable names its attempt: an old one is a zombie's, and the new one is not lost by that")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 op\n"
          "w1:\n"
          "  claim jobs as old\n"
          "  wait 2s\n"
          "  claim jobs as new\n"
          "  heartbeat old\n"
          "  on zombie: go on\n"
          "  check new\n"
          "  complete old\n"
          "  on zombie: go on\n"
          "  complete new\n"
          "op:\n"
          "  wait 1s\n"
          "  requeue job \"one\"\n"
          "at end: expect 2.005s jobs grants w1 token 2 of \"one\"\n"
          "at end: expect 2.006s w1 heartbeats \"one\" token 1\n"
          "at end: expect 2.008s jobs refuses w1 zombie token 1 of \"one\"\n"
          "at end: expect w1 completes \"one\" token 1\n"
          "at end: expect jobs finishes w1 token 2 of \"one\"\n");
}

TEST("a beat that is refused after the completion was sent interrupts nothing")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  work 11s\n"
          "  complete job\n"
          "  work 10s\n"
          "at 10s: delay w1 -> jobs by 2s\n"
          "net w1 -> jobs delay 1ms datagram\n"
          "at end: expect 10.003s w1.keeper heartbeats \"one\" token 1\n"
          "at end: expect 11.005s jobs finishes w1 token 1 of \"one\"\n"
          "at end: expect 12.005s jobs refuses w1.keeper zombie token 1 of \"one\"\n"
          "at end: expect not w1 failed zombie\n");
}

TEST("a loss while a worker waits in line for another job interrupts its waiting")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 op\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "op:\n"
          "  wait 9s\n"
          "  requeue job \"one\"\n"
          "at end: expect 0.005s jobs queues w1\n"
          "at end: expect 9.002s jobs calls w1\n"
          "at end: expect 9.005s jobs grants w1 token 2 of \"one\"\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("two threads of a node are two workers, each with a keeper")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  work 12s\n"
          "  complete job\n"
          "w1.two:\n"
          "  wait 1ms\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  work 12s\n"
          "  complete job\n"
          "at end: expect 10.003s w1.keeper heartbeats \"one\" token 1\n"
          "at end: expect 10.004s w1.two.keeper heartbeats \"two\" token 1\n"
          "at end: expect job \"one\" completed by w1\n"
          "at end: expect job \"two\" completed by w1\n");
}

TEST("a thread that has none of its own speaks for nobody's job")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 5s\n"
          "  complete job\n"
          "w1.two:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  fail job\n"
          "at end: expect 1.005s jobs returns w1 token 1 why failed of \"two\"\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("two queues give their own jobs")
{
    story("case a holds\n"
          "queue mails lease 30s\n"
          "  job \"m\"\n"
          "queue bills lease 10s attempts 1\n"
          "  job \"b\"\n"
          "node w1\n"
          "w1:\n"
          "  claim bills as bill\n"
          "  claim mails as mail\n"
          "  fail bill\n"
          "  complete mail\n"
          "at end: expect 0.002s bills grants w1 token 1 of \"b\"\n"
          "at end: expect 0.005s mails grants w1 token 1 of \"m\"\n"
          "at end: expect bills dead-letters w1 token 1 of \"b\"\n"
          "at end: expect job \"m\" completed by w1\n");
}

TEST("a fault before a grant strikes before it, a crash takes the claim with it")
{
    story("case pause holds\n"
          "case crash holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "[pause] before jobs grants w1: pause jobs for 1s\n"
          "[crash] before jobs grants w1: crash jobs for 1s\n"
          "[pause] at end: expect 1.002s jobs grants w1 token 1 of \"one\"\n"
          "[crash] at end: expect 5.002s jobs grants w1 token 1 of \"one\"\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("a fault after a grant strikes after its answer has left")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 2s\n"
          "  complete job\n"
          "after jobs grants w1: crash jobs for 1s\n"
          "at end: expect 0.003s w1 acquires \"one\" token 1\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("a fault before each of a queue's words strikes before it")
{
    story("case a holds\n"
          "queue jobs lease 30s attempts 2\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1 r\n"
          "w1:\n"
          "  claim jobs 2 as batch\n"
          "  for job in batch:\n"
          "    heartbeat job\n"
          "    fail job\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "r:\n"
          "  wait 100s\n"
          "  reap jobs\n"
          "before jobs extends w1: pause jobs for 1s\n"
          "before jobs returns w1: pause jobs for 1s\n"
          "before jobs finishes w1: pause jobs for 1s\n"
          "at end: expect 1.005s jobs extends w1 token 1 of \"one\"\n"
          "at end: expect 2.008s jobs returns w1 token 1 why failed of \"one\"\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("a fault before a job's lease is seen to be over strikes before it")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs\n"
          "w2:\n"
          "  wait 40s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "before jobs expires w1: pause jobs for 1s\n"
          "at end: expect 31.002s jobs expires w1 token 1 of \"one\"\n"
          "at end: expect job \"one\" completed by w2\n");
}

TEST("a fault before a worker's words strikes before its packet leaves")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 r\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  heartbeat job\n"
          "  complete job\n"
          "  enqueue jobs \"two\"\n"
          "  requeue job \"two\"\n"
          "r:\n"
          "  wait 20s\n"
          "  reap jobs\n"
          "before w1 claims jobs: pause w1 for 1s\n"
          "before w1 heartbeats \"one\": pause w1 for 1s\n"
          "before w1 completes \"one\": pause w1 for 1s\n"
          "before w1 enqueues \"two\": pause w1 for 1s\n"
          "before w1 requeues \"two\": pause w1 for 1s\n"
          "before r reaps jobs: pause r for 1s\n"
          "at end: expect 1.000s w1 claims jobs\n"
          "at end: expect 2.003s w1 heartbeats \"one\" token 1\n"
          "at end: expect 3.006s w1 completes \"one\" token 1\n"
          "at end: expect 4.009s w1 enqueues \"two\"\n"
          "at end: expect 5.012s w1 requeues \"two\"\n"
          "at end: expect 21.000s r reaps jobs\n");
}

TEST("a job that was never claimed can be put back, and nothing comes of it")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node op w1\n"
          "op:\n"
          "  requeue job \"one\"\n"
          "w1:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at end: expect 0.002s jobs returns op by op why operator of \"one\"\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("without atomic-claim a job can be claimed that was finished since it was looked up")
{
    story("case a without lease-check              holds\n"
          "case b without lease-check atomic-claim violates final-stays-final by w2\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 31s\n"
          "  complete job\n"
          "w2:\n"
          "  wait 31003500us\n"
          "  claim jobs try as job\n"
          "  on refused: stop\n"
          "  complete job\n"
          "[a] at end: expect w2 stops\n"
          "[b] at end: expect 31.005s jobs finishes w1 token 1 of \"one\"\n"
          "[b] at end: expect 31.005500s jobs grants w2 token 2 of \"one\"\n");
}

TEST("a slow queue answers late, and what it promised counts from its granting")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 1s\n"
          "  complete job\n"
          "at 0s: slow jobs by 2s for 1s\n"
          "at end: expect 2.002s jobs grants w1 token 1 of \"one\"\n"
          "at end: expect 3.003s w1 completes \"one\" token 1\n"
          "at 29.9s: expect not w1 holds job \"one\"\n");
}

TEST("a paused queue finds out late that a lease is over")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs\n"
          "w2:\n"
          "  wait 35s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at 20s: pause jobs for 20s\n"
          "at end: expect 40.000s jobs expires w1 token 1 of \"one\"\n"
          "at end: expect 30.002s (jobs lapses w1 token 1 of \"one\")\n"
          "at end: expect job \"one\" completed by w2\n");
}

TEST("a worker on the queue's own machine is a worker like others")
{
    story("case a holds\n"
          "queue jobs lease 30s at w1\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at end: expect 0.002s jobs grants w1 token 1 of \"one\"\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("a reaper that crashes between look and verdict judges nothing, and looks anew")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 r\n"
          "w1:\n"
          "  claim jobs\n"
          "r:\n"
          "  wait 31s\n"
          "  reap jobs\n"
          "before r judges \"one\": crash r for 1s\n"
          "at end: expect 32.002s r restarts\n"
          "at end: expect 63.004s r judges \"one\" token 1\n"
          "at end: expect job \"one\" waiting\n");
}

TEST("a keeper, a reaper and a second worker: a job whose worker lives is never taken from it")
{
    story("case a holds and single-actor\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2 r\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  work 2m\n"
          "  complete job\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs within 1m as job\n"
          "  on timeout: stop\n"
          "  complete job\n"
          "r:\n"
          "  repeat 20:\n"
          "    wait 5s\n"
          "    reap jobs\n"
          "at end: expect job \"one\" completed by w1\n"
          "at end: expect token job \"one\" = 1\n");
}

TEST("an answer and a second asking that are both due when a pause ends make one step")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  effect \"mail\"\n"
          "  complete job\n"
          "at 0s: slow jobs by 6s for 1s\n"
          "at 1s: pause w1 for 7s\n"
          "at end: expect 6.002s jobs grants w1 token 1 of \"one\"\n"
          "at end: expect 8.000s w1 acquires \"one\" token 1\n"
          "at end: expect effect \"mail\" once\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("the last granted token is known to whoever looks, also when a crash made the queue forget it")
{
    story("case a without monotonic-token holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  fail job\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at 1s: crash jobs for 1s\n"
          "at end: expect token job \"one\" = 2\n");
}

TEST("jobs of a nested loop and of a second batch are each their own")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "  job \"three\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs 1 as first\n"
          "  claim jobs 2 as second\n"
          "  for a in first:\n"
          "    for b in second:\n"
          "      effect \"pair\" key b\n"
          "      complete b\n"
          "    effect \"outer\" key a\n"
          "    complete a\n"
          "at end: expect effect \"pair\" 2 times\n"
          "at end: expect job \"one\" completed by w1\n"
          "at end: expect job \"two\" completed by w1\n"
          "at end: expect job \"three\" completed by w1\n");
}

TEST("a loop over a batch goes on behind a job that was lost")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1 op\n"
          "w1:\n"
          "  claim jobs 2 as batch\n"
          "  wait 2s\n"
          "  for job in batch:\n"
          "    heartbeat job\n"
          "    on zombie: go on\n"
          "    complete job\n"
          "    on lease-lost: go on\n"
          "op:\n"
          "  wait 1s\n"
          "  requeue job \"one\"\n"
          "at end: expect 2.005s jobs refuses w1 zombie token 1 of \"one\"\n"
          "at end: expect w1 failed lease-lost\n"
          "at end: expect job \"two\" completed by w1\n"
          "at end: expect job \"one\" waiting\n");
}

TEST("an attempt keeps its name when a crash resets the tokens: what ends is what began")
{
    story("case a without monotonic-token violates token-order by w2\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 2s\n"
          "  heartbeat job\n"
          "w2:\n"
          "  wait 31s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at 1s: crash jobs for 500ms\n"
          "at end: expect w1 failed zombie\n"
          "at end: expect 30.002s jobs expires w1 token 1 of \"one\"\n"
          "at end: expect 31.002s jobs grants w2 token 1 of \"one\"\n");
}

TEST("the call of a request that was given up does not touch the request after it")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs 2 as batch\n"
          "  work 3996500us\n"
          "  for job in batch:\n"
          "    fail job\n"
          "w2:\n"
          "  wait 1ms\n"
          "  claim jobs within 4s\n"
          "  on timeout: go on\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at end: expect 4.001s w2 failed timeout\n"
          "at end: expect 4.001s w2 claims jobs\n"
          "at end: expect 4.001500s jobs calls w2\n"
          "at end: expect 4.003s jobs grants w2 token 2 of \"one\"\n"
          "at end: expect 4.004s w2 acquires \"one\" token 2\n"
          "at end: expect job \"one\" completed by w2\n"
          "at end: expect job \"two\" waiting\n");
}
