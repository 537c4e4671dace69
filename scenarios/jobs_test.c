/* SPDX-License-Identifier: MIT
 *
 * jobs_test.c - claims, and the line of workers that wait for a job, each by a small scenario. See story.h; times are
 * those of design.md: a link takes 1 ms, a sync 1 ms, a request waits 5 s.
 */
#include "scenarios/story.h"

#include "sim/test.h"

/* --- claims ------------------------------------------------------------------------------------------ */

TEST("a claim is granted after its sync, in the order in which the jobs came")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 1s\n"
          "  complete job\n"
          "w2:\n"
          "  wait 1ms\n"
          "  claim jobs as job\n"
          "  work 1s\n"
          "  complete job\n"
          "at end: expect 0.000s w1 claims jobs\n"
          "at end: expect 0.002s jobs grants w1 token 1 of \"one\"\n"
          "at end: expect 0.003s w1 acquires \"one\" token 1\n"
          "at end: expect 0.003s jobs grants w2 token 1 of \"two\"\n"
          "at end: expect 1.003s w1 completes \"one\" token 1\n"
          "at end: expect 1.005s jobs finishes w1 token 1 of \"one\"\n"
          "at 1.004s: expect job \"one\" running by w1\n"
          "at end: expect job \"one\" completed by w1\n"
          "at end: expect job \"two\" completed by w2\n"
          "at end: expect not job \"two\" completed by w1\n");
}

TEST("a job that was put back keeps its place before those that came after it")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  fail job\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at end: expect 0.005s jobs returns w1 token 1 why failed of \"one\"\n"
          "at end: expect 0.006s w1 claims jobs\n"
          "at end: expect 0.008s jobs grants w1 token 2 of \"one\"\n"
          "at end: expect job \"one\" completed by w1\n"
          "at end: expect job \"two\" waiting\n"
          "at end: expect token job \"one\" = 2\n");
}

TEST("a restarted worker gets a new attempt of what it had only when the lease is over, and is called for it")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 1s\n"
          "  complete job\n"
          "before w1 completes \"one\": crash w1 for 1s\n"
          "at end: expect 2.005s jobs queues w1\n"
          "at end: expect 30.002s jobs expires w1 token 1 of \"one\"\n"
          "at end: expect 30.002s jobs calls w1\n"
          "at end: expect 30.003s w1 claims jobs\n"
          "at end: expect 30.005s jobs grants w1 token 2 of \"one\"\n"
          "at end: expect 31.008s jobs finishes w1 token 2 of \"one\"\n");
}

TEST("without fresh-identity a restarted worker gets its former attempt, with the same token")
{
    story("case a without fresh-identity violates token-order at 2.005s\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 1s\n"
          "  complete job\n"
          "before w1 completes \"one\": crash w1 for 1s\n"
          "at end: expect 2.005s jobs grants w1 token 1 of \"one\"\n"
          "at end: expect job \"one\" completed by w1\n"
          "at end: expect job \"two\" waiting\n"
          "# the lease counts anew\n"
          "at 2.004s: expect w1 holds job \"one\"\n");
}

TEST("without fresh-identity two workers of one name get one attempt")
{
    story("case a holds\n"
          "case b without fresh-identity violates token-order\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2 identity \"host-7\"\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 5s\n"
          "  complete job\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  work 1s\n"
          "  complete job\n"
          "  on zombie: go on\n"
          "[b] at end: expect 1.002s jobs grants w2 token 1 of \"one\"\n"
          "[a] at end: expect 1.002s jobs queues w2\n"
          "[a] at end: expect not jobs grants w2\n");
}

TEST("an attempt that ends by its worker's word lets the next worker in line be called")
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
          "  wait 2s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "w3:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  work 1s\n"
          "  fail job\n"
          "at end: expect 1.002s jobs queues w3\n"
          "at end: expect 2.002s jobs queues w2\n"
          "at end: expect 5.005s jobs returns w1 token 1 why failed of \"one\"\n"
          "at end: expect 5.005s jobs calls w3\n"
          "at end: expect 5.006s w3 claims jobs\n"
          "at end: expect 5.008s jobs grants w3 token 2 of \"one\"\n"
          "at end: expect 6.011s jobs calls w2\n"
          "at end: expect 6.014s jobs grants w2 token 3 of \"one\"\n"
          "at end: expect job \"one\" completed by w2\n");
}

TEST("as many waiting workers are called as there are jobs")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "node w1 w2 w3 w4\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "w2:\n"
          "  wait 1ms\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "w3:\n"
          "  wait 2ms\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "w4:\n"
          "  wait 1s\n"
          "  enqueue jobs \"one\"\n"
          "  enqueue jobs \"two\"\n"
          "at end: expect 0.002s jobs queues w1\n"
          "at end: expect 1.002s jobs adds \"one\" by w4\n"
          "at end: expect 1.002s jobs calls w1\n"
          "at end: expect 1.005s jobs adds \"two\" by w4\n"
          "at end: expect 1.005s jobs grants w1 token 1 of \"one\"\n"
          "at end: expect 1.005s jobs calls w2\n"
          "at end: expect 1.008s jobs grants w2 token 1 of \"two\"\n"
          "at end: expect not jobs calls w3\n");
}

TEST("a batch that is put back calls several at once")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1 w2 w3 w4\n"
          "w1:\n"
          "  claim jobs 10\n"
          "w2:\n"
          "  wait 1ms\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "w3:\n"
          "  wait 2ms\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "w4:\n"
          "  wait 3ms\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at end: expect 30.002s jobs expires w1 token 1 of \"one\"\n"
          "at end: expect 30.002s jobs expires w1 token 1 of \"two\"\n"
          "at end: expect 30.002s jobs calls w2\n"
          "at end: expect 30.002s jobs calls w3\n"
          "at end: expect 30.005s jobs grants w2 token 2 of \"one\"\n"
          "at end: expect 30.005s jobs grants w3 token 2 of \"two\"\n"
          "at end: expect not jobs calls w4\n");
}

TEST("a called worker that does not come loses its place after a request timeout")
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
          "  wait 2s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at 4s: pause w2 for 20s\n"
          "at end: expect 5.005s jobs calls w2\n"
          "at 10s: expect not jobs calls w3\n"
          "at end: expect 10.005s jobs calls w3\n"
          "at end: expect 10.008s jobs grants w3 token 2 of \"one\"\n"
          "at end: expect 24.000s w2 claims jobs\n"
          "at end: expect 24.002s jobs queues w2\n");
}

TEST("the place of a waiting worker that restarted is not its own: it stands at the end")
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
          "  wait 1100ms\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at 2s: crash w2 for 100ms\n"
          "at end: expect 3.102s jobs queues w2\n"
          "at end: expect 5.005s jobs calls w3\n"
          "at end: expect 5.008s jobs grants w3 token 2 of \"one\"\n");
}

TEST("a batch leaves the jobs that those before it in line were called for")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  claim jobs 2\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "w3:\n"
          "  wait 2s\n"
          "  claim jobs 10 as batch\n"
          "  for job in batch:\n"
          "    complete job\n"
          "at 29s: pause w2 for 3s\n"
          "at end: expect 30.002s jobs calls w2\n"
          "at end: expect 30.002s jobs calls w3\n"
          "at end: expect 30.005s jobs grants w3 token 2 of \"one\"\n"
          "at 31s: expect job \"two\" running by w1\n"
          "at end: expect job \"two\" completed by w2\n");
}

TEST("a claim that nobody answers is sent again after five seconds, and is the same one")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at 0s: drop w1 -> jobs\n"
          "at end: expect 5.000s w1 claims jobs\n"
          "at end: expect 5.002s jobs grants w1 token 1 of \"one\"\n"
          "at end: expect 5.005s jobs finishes w1 token 1 of \"one\"\n");
}

TEST("a claim whose answer was lost is answered as the first was, and its lease counts from the first sending")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs\n"
          "  work 1s\n"
          "at 0s: drop jobs -> w1\n"
          "at end: expect 0.002s jobs grants w1 token 1 of \"one\"\n"
          "at end: expect 5.000s w1 claims jobs\n"
          "at end: expect 5.002s w1 acquires \"one\" token 1\n"
          "at 29.6s: expect w1 believes job \"one\"\n"
          "at 29.701s: expect not w1 believes job \"one\"\n"
          "at end: expect token job \"one\" = 1\n");
}

TEST("a duplicated claim takes no second job")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs\n"
          "  work 1s\n"
          "at 0s: duplicate w1 -> jobs after 3s\n"
          "at end: expect job \"two\" waiting\n"
          "at end: expect token job \"one\" = 1\n");
}

TEST("a claim that comes late gives the job to a worker that waits no more, until its lease is over")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs within 2s\n"
          "  on timeout: go on\n"
          "w2:\n"
          "  wait 4s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at 0s: delay w1 -> jobs by 3s\n"
          "at end: expect 2.000s w1 failed timeout\n"
          "at end: expect 3.002s jobs grants w1 token 1 of \"one\"\n"
          "at end: expect not w1 acquires \"one\"\n"
          "at end: expect 4.002s jobs queues w2\n"
          "at end: expect 33.005s jobs grants w2 token 2 of \"one\"\n");
}

TEST("`try` is refused where there is no job, and times out after one sending")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs try\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs try\n"
          "  on refused: go on\n"
          "  claim jobs try\n"
          "  on timeout: go on\n"
          "at 0s: drop w2 -> jobs #2\n"
          "at end: expect 1.002s jobs refuses w2 refused\n"
          "at end: expect 1.003s w2 failed refused\n"
          "at end: expect 6.003s w2 failed timeout\n");
}

TEST("`try` and a step of a queue that is down are unreachable, a claim waits for its return")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  wait 1s\n"
          "  claim jobs try\n"
          "  on unreachable: go on\n"
          "  enqueue jobs \"two\"\n"
          "  on unreachable: go on\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at 500ms: crash jobs for 3s\n"
          "at end: expect 1.002s w1 failed unreachable\n"
          "at end: expect 1.004s w1 failed unreachable\n"
          "at end: expect 6.000s w2 claims jobs\n"
          "at end: expect job \"one\" completed by w2\n"
          "at end: expect job \"two\" absent\n");
}

TEST("without atomic-claim two claims look the same job up, and both get it")
{
    story("case a holds\n"
          "case b without atomic-claim violates single-claim by w2 at 0.002500s\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 1s\n"
          "  complete job\n"
          "w2:\n"
          "  wait 500us\n"
          "  claim jobs as job\n"
          "  work 1s\n"
          "  complete job\n"
          "  on zombie: go on\n"
          "[b] at end: expect 0.002500s jobs grants w2 token 2 of \"one\"\n"
          "[b] at end: expect w1 failed zombie\n"
          "[b] at end: expect job \"one\" completed by w2\n"
          "[a] at end: expect not jobs grants w2\n");
}

TEST("a request that is sent again while its call is on the way brings no second asking: a lock")
{
    story("case a holds\n"
          "lock leader central ttl 60s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 4996500us\n"
          "  release leader\n"
          "w2:\n"
          "  wait 1ms\n"
          "  acquire leader\n"
          "at end: expect 5.001s w2 asks leader\n"
          "at end: expect 5.001500s leader calls w2\n"
          "at end: expect 5.002500s w2 asks leader\n"
          "at end: expect 5.004500s leader grants w2 token 2\n"
          "at end: expect 5.005500s w2 acquires leader token 2\n");
}

TEST("a request that is sent again while its call is on the way brings no second asking: a job")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs 2 as batch\n"
          "  work 4996500us\n"
          "  for job in batch:\n"
          "    fail job\n"
          "w2:\n"
          "  wait 1ms\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at end: expect 5.001s w2 claims jobs\n"
          "at end: expect 5.001500s jobs calls w2\n"
          "at end: expect 5.002500s w2 claims jobs\n"
          "at end: expect 5.004500s jobs grants w2 token 2 of \"one\"\n"
          "at end: expect 5.005500s w2 completes \"one\" token 2\n"
          "at end: expect job \"two\" waiting\n");
}

TEST("a copy of a request that stood in line takes nothing when its worker has asked anew")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs 2 as batch\n"
          "  work 5s\n"
          "  for job in batch:\n"
          "    fail job\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at 500ms: duplicate w2 -> jobs after 10s\n"
          "at end: expect job \"one\" completed by w2\n"
          "at end: expect job \"two\" waiting\n"
          "at end: expect token job \"two\" = 1\n");
}

TEST("a call that arrives twice is heeded once")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs 2 as batch\n"
          "  work 5s\n"
          "  for job in batch:\n"
          "    fail job\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at 4s: duplicate jobs -> w2 after 6ms\n"
          "at end: expect 5.005s jobs calls w2\n"
          "at end: expect job \"one\" completed by w2\n"
          "at end: expect job \"two\" completed by w2\n"
          "at 5.200s: expect job \"two\" completed\n");
}

TEST("a job is claimed again after its lease, and nothing of the old attempt counts")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 31s\n"
          "  heartbeat job\n"
          "  on zombie: go on\n"
          "  fail job\n"
          "  on zombie: go on\n"
          "  complete job\n"
          "w2:\n"
          "  wait 30003ms\n"
          "  claim jobs as job\n"
          "  work 5s\n"
          "  complete job\n"
          "at end: expect 31.005s jobs refuses w1 zombie token 1 of \"one\"\n"
          "at end: expect w1 failed zombie\n"
          "at end: expect job \"one\" completed by w2\n");
}
