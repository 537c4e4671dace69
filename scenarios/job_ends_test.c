/* SPDX-License-Identifier: MIT
 *
 * job_ends_test.c - how an attempt goes on and ends: keepers, attempts used up, reapers, operators, enqueueing anew.
 * See story.h; times are those of design.md.
 */
#include "scenarios/story.h"

#include "sim/test.h"

/* --- keepers ----------------------------------------------------------------------------------------- */

TEST("a keeper beats every third of the lease, from when the job came to its worker")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  work 65s\n"
          "  complete job\n"
          "at end: expect 0.003s w1 keeps \"one\"\n"
          "at end: expect 10.003s w1.keeper heartbeats \"one\" token 1\n"
          "at end: expect 10.005s jobs extends w1 token 1 of \"one\"\n"
          "at end: expect 10.006s w1.keeper renewed \"one\" token 1\n"
          "at end: expect 60.003s w1.keeper heartbeats \"one\" token 1\n"
          "at end: expect 65.005s jobs finishes w1 token 1 of \"one\"\n"
          "at end: expect not jobs expires w1\n");
}

TEST("a beat without an answer is sent again after a sixth of the lease, and is the same one")
{
    story("case a holds\n"
          "queue jobs lease 12s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  work 20s\n"
          "  complete job\n"
          "at 1s: drop w1 -> jobs\n"
          "at end: expect 4.003s w1.keeper heartbeats \"one\" token 1\n"
          "at end: expect 6.003s w1.keeper heartbeats \"one\" token 1\n"
          "at end: expect 6.005s jobs extends w1 token 1 of \"one\"\n"
          "at end: expect 8.003s w1.keeper heartbeats \"one\" token 1\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("a refused beat interrupts the work with zombie, and without stop-on-loss is logged")
{
    story("case a                      holds\n"
          "case b without stop-on-loss holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 op\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  work 65s\n"
          "op:\n"
          "  wait 9s\n"
          "  requeue job \"one\"\n"
          "at end: expect 10.005s jobs refuses w1.keeper zombie token 1 of \"one\"\n"
          "at end: expect 10.006s w1.keeper failed zombie\n"
          "[a] at end: expect 10.006s w1 failed zombie\n"
          "[b] at end: expect not w1 failed zombie\n"
          "[b] at end: expect 20.003s w1.keeper heartbeats \"one\" token 1\n"
          "[a] at end: expect not w1.keeper heartbeats \"one\" token 2\n");
}

TEST("a handler of the program serves the zombie that a keeper brings")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 op\n"
          "w1:\n"
          "  on zombie:\n"
          "    claim jobs as job\n"
          "    complete job\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  work 65s\n"
          "op:\n"
          "  wait 9s\n"
          "  requeue job \"one\"\n"
          "at end: expect 10.006s w1 failed zombie\n"
          "at end: expect 10.008s jobs grants w1 token 2 of \"one\"\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("the watchdog stops the work at the lease's end less the margin, without stop-on-loss nothing does")
{
    story("case a                                  holds\n"
          "case b without stop-on-loss lease-check holds\n"
          "queue jobs lease 30s margin 1s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  work 65s\n"
          "at 1s: cut w1 -> jobs\n"
          "[a] at end: expect 29.000s w1 failed lease-lost\n"
          "[b] at end: expect not w1 failed lease-lost\n"
          "[b] at end: expect 30.002s jobs expires w1 token 1 of \"one\"\n");
}

TEST("a pause of the keeper thread does not stop the watchdog, a pause of the process makes it late")
{
    story("case thread holds\n"
          "case process holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  work 65s\n"
          "[thread]  at 1s: pause w1.keeper for 50s\n"
          "[process] at 1s: pause w1 for 50s\n"
          "[thread]  at end: expect 29.700s w1 failed lease-lost\n"
          "[process] at end: expect 51.000s w1 failed lease-lost\n");
}

TEST("a heartbeat of one's own moves the watchdog too")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  work 20s\n"
          "  heartbeat job\n"
          "  work 40s\n"
          "at 1s: pause w1.keeper for 70s\n"
          "at end: expect 20.005s jobs extends w1 token 1 of \"one\"\n"
          "at end: expect 49.703s w1 failed lease-lost\n");
}

TEST("the keeper ends when the completion is sent")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  work 29s\n"
          "  complete job\n"
          "  on timeout: go on\n"
          "  work 30s\n"
          "at 25s: drop w1 -> jobs\n"
          "at end: expect 20.003s w1.keeper heartbeats \"one\" token 1\n"
          "at 60s: expect not w1.keeper heartbeats \"one\" token 2\n"
          "at end: expect 34.003s w1 failed timeout\n"
          "at end: expect 50.005s jobs expires w1 token 1 of \"one\"\n");
}

TEST("a keeper ends with its program: an abandoned job expires")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  work 15s\n"
          "at 41s: expect not w1 holds job \"one\"\n"
          "at end: expect 40.005s jobs expires w1 token 1 of \"one\"\n");
}

TEST("a new attempt on the same job ends the keeping of the one before")
{
    story("case a without lease-check holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 op\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  wait 2s\n"
          "  claim jobs as job\n"
          "  work 30s\n"
          "  complete job\n"
          "op:\n"
          "  wait 1s\n"
          "  requeue job \"one\"\n"
          "at end: expect 2.005s jobs grants w1 token 2 of \"one\"\n"
          "at end: expect not w1.keeper heartbeats \"one\"\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("a worker keeps several jobs of a batch, each with its token")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs 2 as batch\n"
          "  for job in batch:\n"
          "    keep job\n"
          "  work 35s\n"
          "  for job in batch:\n"
          "    complete job\n"
          "at end: expect 10.003s w1.keeper heartbeats \"one\" token 1\n"
          "at end: expect 10.003s w1.keeper heartbeats \"two\" token 1\n"
          "at end: expect job \"one\" completed by w1\n"
          "at end: expect job \"two\" completed by w1\n");
}

TEST("without lease-covers-work there are no beats, and a lease may be short; the watchdog stays")
{
    story("case a without lease-covers-work             holds\n"
          "case b without lease-covers-work lease-check holds\n"
          "queue jobs lease 2s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  work 5s\n"
          "  complete job\n"
          "at end: expect not w1.keeper heartbeats \"one\"\n"
          "at end: expect 1.980s w1 failed lease-lost\n"
          "at 3s: expect not w1 holds job \"one\"\n");
}

TEST("without lease-covers-work beats come as the queue says by `renew`")
{
    story("case a without lease-covers-work holds\n"
          "queue jobs lease 2s renew 500ms\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  keep job\n"
          "  work 5s\n"
          "  complete job\n"
          "at end: expect 0.503s w1.keeper heartbeats \"one\" token 1\n"
          "at end: expect 1.003s w1.keeper heartbeats \"one\" token 1\n"
          "at end: expect job \"one\" completed by w1\n");
}

/* --- attempts ---------------------------------------------------------------------------------------- */

TEST("a job is dead when its last attempt fails, and not before")
{
    story("case below holds\n"
          "case at    holds\n"
          "queue jobs lease 30s attempts 2\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  fail job\n"
          "  [at] claim jobs as job\n"
          "  [at] fail job\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs try as job\n"
          "  on refused: stop\n"
          "  complete job\n"
          "[below] at end: expect 0.005s jobs returns w1 token 1 why failed of \"one\"\n"
          "[at]    at end: expect 0.011s jobs dead-letters w1 token 2 of \"one\"\n"
          "[at]    at end: expect job \"one\" dead\n"
          "[at]    at end: expect w2 stops\n"
          "[below] at end: expect job \"one\" completed by w2\n");
}

TEST("a job that has no attempt left is given up at the claim that finds it expired")
{
    story("case a holds\n"
          "queue jobs lease 30s attempts 1\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs\n"
          "w2:\n"
          "  wait 31s\n"
          "  claim jobs try\n"
          "at end: expect 30.002s jobs expires w1 token 1 of \"one\"\n"
          "at end: expect 31.002s jobs dead-letters w1 token 1 of \"one\"\n"
          "at end: expect 31.002s jobs refuses w2 refused\n"
          "at end: expect job \"one\" dead\n");
}

TEST("a waiting worker is called for an expired job without attempts, gives it up, and waits on")
{
    story("case a holds\n"
          "queue jobs lease 30s attempts 1\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "w3:\n"
          "  wait 40s\n"
          "  enqueue jobs \"two\"\n"
          "node w3\n"
          "at end: expect 30.002s jobs calls w2\n"
          "at end: expect 30.005s jobs dead-letters w1 token 1 of \"one\"\n"
          "at end: expect 40.002s jobs calls w2\n"
          "at end: expect 40.005s jobs grants w2 token 1 of \"two\"\n"
          "at end: expect job \"two\" completed by w2\n");
}

TEST("a completion of the last attempt after its lease still counts")
{
    story("case a without lease-check holds\n"
          "queue jobs lease 30s attempts 1\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 40s\n"
          "  complete job\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("a fault can strike before a job is given up at a claim")
{
    story("case a holds\n"
          "queue jobs lease 30s attempts 1\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs\n"
          "w2:\n"
          "  wait 31s\n"
          "  claim jobs try\n"
          "before jobs dead-letters w1: pause jobs for 1s\n"
          "at end: expect 32.002s jobs dead-letters w1 token 1 of \"one\"\n"
          "at end: expect job \"one\" dead\n");
}

TEST("an operator's word makes a dead job anew, and its attempts count anew")
{
    story("case a holds\n"
          "queue jobs lease 30s attempts 1\n"
          "  job \"one\"\n"
          "node w1 op w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  fail job\n"
          "op:\n"
          "  wait 1s\n"
          "  requeue job \"one\"\n"
          "w2:\n"
          "  wait 2s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at end: expect 0.005s jobs dead-letters w1 token 1 of \"one\"\n"
          "at end: expect 1.002s jobs returns w1 token 1 by op why operator of \"one\"\n"
          "at end: expect 2.002s jobs grants w2 token 2 of \"one\"\n"
          "at end: expect job \"one\" completed by w2\n");
}

/* --- reapers, operators, enqueuers ------------------------------------------------------------------- */

TEST("a reaper puts back each expired job, two requests a job")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "  job \"three\"\n"
          "node w1 r\n"
          "w1:\n"
          "  claim jobs 2\n"
          "r:\n"
          "  wait 31s\n"
          "  reap jobs\n"
          "at end: expect 31.000s r reaps jobs\n"
          "at end: expect 31.001s jobs lists r 2\n"
          "at end: expect 31.002s r judges \"one\" token 1\n"
          "at end: expect 31.004s jobs returns w1 token 1 by r why expired of \"one\"\n"
          "at end: expect 31.005s r judges \"two\" token 1\n"
          "at end: expect 31.007s jobs returns w1 token 1 by r why expired of \"two\"\n"
          "at end: expect job \"one\" waiting\n"
          "at end: expect not r judges \"three\"\n");
}

TEST("a reaper that finds nothing judges nothing")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 r\n"
          "w1:\n"
          "  claim jobs\n"
          "r:\n"
          "  wait 1s\n"
          "  reap jobs\n"
          "  enqueue jobs \"two\"\n"
          "at end: expect 1.001s jobs lists r 0\n"
          "at end: expect not r judges \"one\"\n"
          "at end: expect job \"two\" waiting\n");
}

TEST("a verdict is judged again when it lands: a heartbeat came before it")
{
    story("case a holds\n"
          "case b without verdict-token violates owner-completes by r\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 r\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 31s\n"
          "  heartbeat job\n"
          "  work 1s\n"
          "r:\n"
          "  wait 30990ms\n"
          "  reap jobs\n"
          "before r judges \"one\": pause r for 1s\n"
          "at end: expect 31.005s jobs extends w1 token 1 of \"one\"\n"
          "[a] at end: expect 31.994s jobs refuses r refused token 1 of \"one\"\n"
          "[a] at end: expect job \"one\" running by w1\n"
          "[b] at end: expect 31.994s jobs returns w1 token 1 by r why expired of \"one\"\n"
          "[b] at end: expect job \"one\" waiting\n");
}

TEST("a verdict is judged again when it lands: another claim came before it")
{
    story("case a holds\n"
          "case b without verdict-token violates owner-completes by r\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 r w2\n"
          "w1:\n"
          "  claim jobs\n"
          "r:\n"
          "  wait 30990ms\n"
          "  reap jobs\n"
          "w2:\n"
          "  wait 31s\n"
          "  claim jobs as job\n"
          "  work 5s\n"
          "  complete job\n"
          "  on zombie: go on\n"
          "before r judges \"one\": pause r for 1s\n"
          "[a] at end: expect 31.994s jobs refuses r refused token 1 of \"one\"\n"
          "[a] at end: expect job \"one\" completed by w2\n"
          "[b] at end: expect 31.994s jobs returns w2 token 2 by r why expired of \"one\"\n"
          "[b] at end: expect w2 failed zombie\n");
}

TEST("a verdict is judged again when it lands: the completion came before it")
{
    story("case a without lease-check holds\n"
          "case b without lease-check verdict-token violates final-stays-final by r\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 r\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 31s\n"
          "  complete job\n"
          "r:\n"
          "  wait 30990ms\n"
          "  reap jobs\n"
          "before r judges \"one\": pause r for 1s\n"
          "[a] at end: expect job \"one\" completed by w1\n"
          "[b] at end: expect 31.994s jobs returns w1 token 1 by r why expired of \"one\"\n"
          "[b] at end: expect job \"one\" waiting\n");
}

TEST("a worker whose expired job was put back is a zombie")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 r\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 32s\n"
          "  heartbeat job\n"
          "r:\n"
          "  wait 31s\n"
          "  reap jobs\n"
          "at end: expect 32.005s jobs refuses w1 zombie token 1 of \"one\"\n"
          "at end: expect w1 failed zombie\n");
}

TEST("a refused verdict is no failure: the reaper goes on to the next")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1 r w2\n"
          "w1:\n"
          "  claim jobs 2\n"
          "r:\n"
          "  wait 30990ms\n"
          "  reap jobs\n"
          "  wait 1s\n"
          "w2:\n"
          "  wait 31s\n"
          "  claim jobs as job\n"
          "  work 5s\n"
          "  complete job\n"
          "before r judges \"one\": pause r for 1s\n"
          "at end: expect 31.994s jobs refuses r refused token 1 of \"one\"\n"
          "at end: expect 31.997s jobs returns w1 token 1 by r why expired of \"two\"\n"
          "at end: expect not r failed refused\n");
}

TEST("a reaper gives up a job whose attempts are used up")
{
    story("case a holds\n"
          "queue jobs lease 30s attempts 1\n"
          "  job \"one\"\n"
          "node w1 r\n"
          "w1:\n"
          "  claim jobs\n"
          "r:\n"
          "  wait 31s\n"
          "  reap jobs\n"
          "at end: expect 31.004s jobs dead-letters w1 token 1 by r of \"one\"\n"
          "at end: expect job \"one\" dead\n");
}

TEST("a reaper whose requests get no answer times out, and its next round is a new look")
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
          "  on timeout: go on\n"
          "  reap jobs\n"
          "before r judges \"one\": cut jobs -> r for 1s\n"
          "at end: expect 31.004s jobs returns w1 token 1 by r why expired of \"one\"\n"
          "at end: expect 36.002s r failed timeout\n"
          "at end: expect 36.003s jobs lists r 0\n");
}

TEST("a job that was put back lets waiting workers be called")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 op w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 10s\n"
          "  complete job\n"
          "  on zombie: go on\n"
          "op:\n"
          "  wait 2s\n"
          "  requeue job \"one\"\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at end: expect 2.002s jobs returns w1 token 1 by op why operator of \"one\"\n"
          "at end: expect 2.002s jobs calls w2\n"
          "at end: expect 2.005s jobs grants w2 token 2 of \"one\"\n"
          "at end: expect w1 failed zombie\n"
          "at end: expect job \"one\" completed by w2\n");
}

TEST("an operator can put a finished job back, one that is not there is refused")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 op\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "  wait 5s\n"
          "  enqueue jobs \"two\"\n"
          "op:\n"
          "  wait 1s\n"
          "  requeue job \"one\"\n"
          "  requeue job \"two\"\n"
          "at end: expect 1.002s jobs returns w1 token 1 by op why operator of \"one\"\n"
          "at end: expect job \"one\" waiting\n"
          "at end: expect 1.005s jobs refuses op refused of \"two\"\n"
          "at end: expect op failed refused\n");
}

TEST("a known name changes nothing, whatever became of the job")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 1s\n"
          "  complete job\n"
          "w2:\n"
          "  wait 500ms\n"
          "  enqueue jobs \"one\"\n"
          "  wait 1s\n"
          "  enqueue jobs \"one\"\n"
          "  enqueue jobs \"two\"\n"
          "  enqueue jobs \"two\"\n"
          "at end: expect 0.500s w2 enqueues \"one\"\n"
          "at end: expect not jobs adds \"one\"\n"
          "at end: expect job \"one\" completed by w1\n"
          "at end: expect job \"two\" waiting\n"
          "at end: expect token job \"one\" = 1\n");
}

TEST("without monotonic-token a second enqueueing makes the row as new, token and state")
{
    story("case a without monotonic-token violates owner-completes by w2 and final-stays-final by w2 and token-order "
          "by w3\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "w2:\n"
          "  wait 1s\n"
          "  enqueue jobs \"one\"\n"
          "w3:\n"
          "  wait 2s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at end: expect 1.002s jobs returns w1 token 1 by w2 why enqueued of \"one\"\n"
          "at end: expect 2.002s jobs grants w3 token 1 of \"one\"\n");
}

TEST("without monotonic-token a zombie's token is the job's again")
{
    story("case a without monotonic-token violates owner-completes\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 3s\n"
          "  complete job\n"
          "w2:\n"
          "  wait 1s\n"
          "  enqueue jobs \"one\"\n"
          "w3:\n"
          "  wait 2s\n"
          "  claim jobs as job\n"
          "  work 5s\n"
          "  complete job\n"
          "  on zombie: go on\n"
          "at end: expect 1.002s jobs returns w1 token 1 by w2 why enqueued of \"one\"\n"
          "at end: expect 3.005s jobs finishes w3 token 1 by w1 of \"one\"\n"
          "at end: expect w3 failed zombie\n");
}
