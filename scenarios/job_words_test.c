/* SPDX-License-Identifier: MIT
 *
 * job_words_test.c - what a worker says of its job: heartbeats, completions, failures; in time, late, lost and
 * repeated, with their gates and without. See story.h; times are those of design.md.
 */
#include "scenarios/story.h"

#include "sim/test.h"

/* --- heartbeats, completions, failures --------------------------------------------------------------- */

TEST("a heartbeat extends the lease from its first sending for the worker, from its serving for the queue")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 10s\n"
          "  heartbeat job\n"
          "  work 1s\n"
          "at end: expect 10.003s w1 heartbeats \"one\" token 1\n"
          "at end: expect 10.005s jobs extends w1 token 1 of \"one\"\n"
          "at end: expect 10.006s w1 renewed \"one\" token 1\n"
          "at 41s: expect not w1 holds job \"one\"\n"
          "at end: expect 40.005s jobs expires w1 token 1 of \"one\"\n"
          "at end: expect 40.005s (jobs lapses w1 token 1 of \"one\")\n"
          "at 39.702s: expect w1 believes job \"one\"\n"
          "at 39.703s: expect not w1 believes job \"one\"\n"
          "at 40s: expect w1 holds job \"one\"\n");
}

TEST("a heartbeat after the lease's end extends it if nobody was given the job since")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 40s\n"
          "  heartbeat job\n"
          "  work 10s\n"
          "  complete job\n"
          "w2:\n"
          "  wait 41s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at end: expect 30.002s jobs expires w1 token 1 of \"one\"\n"
          "at end: expect 40.005s jobs extends w1 token 1 of \"one\"\n"
          "at end: expect 41.002s jobs queues w2\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("a completion after the lease's end counts if nobody was given the job since")
{
    story("case a without lease-check holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 40s\n"
          "  complete job\n"
          "at end: expect 30.002s jobs expires w1 token 1 of \"one\"\n"
          "at end: expect 40.005s jobs finishes w1 token 1 of \"one\"\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("a failure after the lease's end puts the job back if nobody was given it since")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 40s\n"
          "  fail job\n"
          "w2:\n"
          "  wait 41s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at end: expect 40.005s jobs returns w1 token 1 why failed of \"one\"\n"
          "at end: expect 41.002s jobs grants w2 token 2 of \"one\"\n");
}

TEST("lease-check is asked before a completion, and says lease-lost on the worker's own clock")
{
    story("case checked                 holds\n"
          "case blind without lease-check holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 29800ms\n"
          "  complete job\n"
          "[checked] at end: expect 29.803s w1 failed lease-lost\n"
          "[checked] at end: expect job \"one\" running by w1\n"
          "[blind]   at end: expect 29.803s w1 completes \"one\" token 1\n"
          "[blind]   at end: expect job \"one\" completed by w1\n");
}

TEST("`check job` asks the worker's own clock")
{
    story("case checked holds\n"
          "case blind without lease-check holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  check job\n"
          "  wait 29800ms\n"
          "  check job\n"
          "at end: expect 0.003s w1 checks \"one\"\n"
          "[checked] at end: expect 29.803s w1 failed lease-lost\n"
          "[blind]   at end: expect 29.803s w1 checks \"one\"\n");
}

TEST("a margin is taken off the worker's side alone")
{
    story("case a holds\n"
          "queue jobs lease 30s margin 10s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 19s\n"
          "  check job\n"
          "  wait 1s\n"
          "  check job\n"
          "at end: expect 19.003s w1 checks \"one\"\n"
          "at 31s: expect not w1 holds job \"one\"\n"
          "at end: expect 20.003s w1 failed lease-lost\n"
          "at end: expect 30.002s jobs expires w1 token 1 of \"one\"\n");
}

TEST("a zombie's completion is refused, and nothing changes")
{
    story("case a without lease-check holds\n"
          "case b without lease-check complete-token violates owner-completes by w1 at 31.005s and final-stays-final\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 31s\n"
          "  complete job\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  work 10s\n"
          "  complete job\n"
          "[a] at end: expect 31.005s jobs refuses w1 zombie token 1 of \"one\"\n"
          "[a] at end: expect 31.006s w1 failed zombie\n"
          "[a] at end: expect job \"one\" completed by w2\n"
          "[b] at end: expect 31.005s jobs finishes w2 token 2 by w1 of \"one\"\n"
          "[b] at end: expect 40.008s jobs finishes w2 token 2 of \"one\"\n");
}

TEST("without complete-token a zombie's failure puts back what another works on")
{
    story("case a without lease-check holds\n"
          "case b without lease-check complete-token violates owner-completes by w1 and final-stays-final\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 31s\n"
          "  fail job\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  work 10s\n"
          "  complete job\n"
          "w3:\n"
          "  wait 35s\n"
          "  claim jobs try as job\n"
          "  on refused: stop\n"
          "  complete job\n"
          "[a] at end: expect 31.005s jobs refuses w1 zombie token 1 of \"one\"\n"
          "[a] at end: expect w3 stops\n"
          "[b] at end: expect 31.005s jobs returns w2 token 2 by w1 why failed of \"one\"\n"
          "[b] at end: expect 35.002s jobs grants w3 token 3 of \"one\"\n");
}

TEST("a finished job is finished again without complete-token alone")
{
    story("case a holds\n"
          "case b without lease-check complete-token violates final-stays-final\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "  complete job\n"
          "  on zombie: go on\n"
          "  on lease-lost: go on\n"
          "[a] at end: expect w1 failed lease-lost\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("a completion whose answer was lost can be sent again, and is a zombie's")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "  on timeout: go on\n"
          "  complete job\n"
          "at 3ms: drop jobs -> w1\n"
          "at end: expect 0.005s jobs finishes w1 token 1 of \"one\"\n"
          "at end: expect 5.003s w1 failed timeout\n"
          "at end: expect 5.005s jobs refuses w1 zombie token 1 of \"one\"\n"
          "at end: expect 5.006s w1 failed zombie\n");
}

TEST("a completion that was lost can be sent again, and counts")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "  on timeout: go on\n"
          "  complete job\n"
          "at 3ms: drop w1 -> jobs\n"
          "at end: expect 5.003s w1 failed timeout\n"
          "at end: expect 5.005s jobs finishes w1 token 1 of \"one\"\n");
}

TEST("a late answer is dropped and the request's effect stays")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "  on timeout: go on\n"
          "  work 10s\n"
          "at 3ms: delay jobs -> w1 by 7s\n"
          "at end: expect 5.003s w1 failed timeout\n"
          "at end: expect not w1 failed zombie\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("a completion that is delivered twice is answered as the first was")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at 3ms: duplicate w1 -> jobs after 10s\n"
          "w2:\n"
          "  wait 11s\n"
          "  ping jobs\n"
          "at end: expect not jobs refuses w1\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("a failure that is delivered twice puts the job back once")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  fail job\n"
          "at 3ms: duplicate w1 -> jobs after 10s\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  work 20s\n"
          "  complete job\n"
          "at end: expect job \"one\" completed by w2\n"
          "at end: expect not jobs returns w2\n");
}

TEST("a heartbeat names its attempt: a zombie's is refused")
{
    story("case a holds\n"
          "case b without heartbeat-token violates owner-extends by w1 at 31.005s\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 31s\n"
          "  heartbeat job\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs\n"
          "  work 1s\n"
          "at 62s: expect job \"one\" running\n"
          "[a] at end: expect 31.005s jobs refuses w1 zombie token 1 of \"one\"\n"
          "[a] at end: expect w1 failed zombie\n"
          "[b] at end: expect 31.005s jobs extends w2 token 2 by w1 of \"one\"\n"
          "[b] at end: expect 61.005s jobs expires w2 token 2 of \"one\"\n"
          "[a] at end: expect 60.005s jobs expires w2 token 2 of \"one\"\n");
}

TEST("without heartbeat-token a heartbeat makes a job run again that was put back")
{
    story("case a holds\n"
          "case b without heartbeat-token violates owner-extends\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 op w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 2s\n"
          "  heartbeat job\n"
          "op:\n"
          "  wait 1s\n"
          "  requeue job \"one\"\n"
          "w2:\n"
          "  wait 3s\n"
          "  claim jobs try as job\n"
          "  on refused: stop\n"
          "  complete job\n"
          "at end: expect 1.002s jobs returns w1 token 1 by op why operator of \"one\"\n"
          "[a] at end: expect 2.005s jobs refuses w1 zombie token 1 of \"one\"\n"
          "[a] at end: expect job \"one\" completed by w2\n"
          "[b] at end: expect 2.005s jobs extends w1 token 1 of \"one\"\n"
          "[b] at end: expect w2 stops\n"
          "[b] at 5s: expect job \"one\" running by w1\n");
}

TEST("without heartbeat-token a heartbeat of a finished job changes nothing")
{
    story("case a without heartbeat-token violates final-stays-final at 0.008s\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "  heartbeat job\n"
          "at end: expect job \"one\" completed by w1\n"
          "at 31s: expect not jobs expires w1\n");
}

TEST("a job variable that a failed claim left empty is nobody's job")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs try as job\n"
          "  on refused: go on\n"
          "  heartbeat job\n"
          "  on not-holder: go on\n"
          "  keep job\n"
          "  on not-holder: go on\n"
          "  fail job\n"
          "  on not-holder: go on\n"
          "  check job\n"
          "  on not-holder: go on\n"
          "  complete job\n"
          "  on not-holder: go on\n"
          "  work 1s for job\n"
          "  on not-holder: go on\n"
          "  enqueue jobs \"one\"\n"
          "at end: expect job \"one\" waiting\n"
          "at end: expect not w1 failed zombie\n");
}

TEST("a refused heartbeat is a loss: what follows is lease-lost")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 op\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 2s\n"
          "  heartbeat job\n"
          "  on zombie: go on\n"
          "  work 1s\n"
          "op:\n"
          "  wait 1s\n"
          "  requeue job \"one\"\n"
          "at end: expect 2.006s w1 failed zombie\n"
          "at end: expect 2.006s w1 failed lease-lost\n");
}

TEST("heartbeat, complete and fail of a queue that is down are unreachable")
{
    story("case a without lease-check holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 1s\n"
          "  heartbeat job\n"
          "  on unreachable: go on\n"
          "  complete job\n"
          "  on unreachable: go on\n"
          "  fail job\n"
          "  on unreachable: go on\n"
          "  wait 3s\n"
          "  complete job\n"
          "at 500ms: crash jobs for 2s\n"
          "at end: expect job \"one\" completed by w1\n"
          "at end: expect 1.005s w1 failed unreachable\n"
          "at end: expect 1.007s w1 failed unreachable\n"
          "at end: expect 1.009s w1 failed unreachable\n");
}
