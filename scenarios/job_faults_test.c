/* SPDX-License-Identifier: MIT
 *
 * job_faults_test.c - crashes and clocks of a queue, and what is done elsewhere for a job: writes, effects, batches.
 * See story.h; times are those of design.md.
 */
#include "scenarios/story.h"

#include "sim/test.h"

/* --- crashes of the queue ---------------------------------------------------------------------------- */

TEST("a queue that crashes before its sync has granted nothing, and the claim is sent again")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at 1500us: crash jobs for 1s\n"
          "at end: expect not w1 acquires \"one\" token 2\n"
          "at end: expect 5.002s jobs grants w1 token 1 of \"one\"\n"
          "at end: expect job \"one\" completed by w1\n");
}

TEST("a queue that crashes after its sync has granted: with durable-grant it knows, without it forgets")
{
    story("case a                       holds\n"
          "case b without durable-grant violates single-claim by w2\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 10s\n"
          "  complete job\n"
          "  on zombie: go on\n"
          "w2:\n"
          "  wait 5s\n"
          "  claim jobs as job\n"
          "  work 1s\n"
          "  complete job\n"
          "  on zombie: go on\n"
          "at 1s: crash jobs for 1s\n"
          "[a] at end: expect 5.002s jobs queues w2\n"
          "[a] at end: expect job \"one\" completed by w1\n"
          "[b] at end: expect 5.001s jobs grants w2 token 2 of \"one\"\n"
          "[b] at end: expect w1 failed zombie\n"
          "[b] at end: expect job \"one\" completed by w2\n");
}

TEST("without durable-grant a request needs no sync, but for an enqueueing")
{
    story("case a without durable-grant holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  heartbeat job\n"
          "  complete job\n"
          "  enqueue jobs \"two\"\n"
          "at end: expect 0.001s jobs grants w1 token 1 of \"one\"\n"
          "at end: expect 0.003s jobs extends w1 token 1 of \"one\"\n"
          "at end: expect 0.005s jobs finishes w1 token 1 of \"one\"\n"
          "at end: expect 0.008s jobs adds \"two\" by w1\n");
}

TEST("without durable-grant a crash takes a completion too")
{
    story("case a                       holds\n"
          "case b without durable-grant violates final-stays-final\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "w2:\n"
          "  wait 5s\n"
          "  claim jobs try as job\n"
          "  on refused: stop\n"
          "  complete job\n"
          "at 1s: crash jobs for 1s\n"
          "[a] at end: expect w2 stops\n"
          "[b] at end: expect 5.001s jobs grants w2 token 2 of \"one\"\n");
}

TEST("without monotonic-token a crash resets the tokens of jobs")
{
    story("case a without monotonic-token violates token-order by w2\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  fail job\n"
          "w2:\n"
          "  wait 5s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at 1s: crash jobs for 1s\n"
          "at end: expect 5.002s jobs grants w2 token 1 of \"one\"\n");
}

TEST("a lease that ends while the queue is down expires at its return")
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
          "at 29s: crash jobs for 5s\n"
          "at end: expect 34.000s jobs expires w1 token 1 of \"one\"\n"
          "at end: expect 30.002s (jobs lapses w1 token 1 of \"one\")\n"
          "at end: expect 40.002s jobs grants w2 token 2 of \"one\"\n");
}

TEST("a lease that runs on over a crash expires when it is over")
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
          "at 9s: crash jobs for 5s\n"
          "at end: expect 30.002s jobs expires w1 token 1 of \"one\"\n"
          "at end: expect 40.002s jobs grants w2 token 2 of \"one\"\n");
}

TEST("a crash loses the line: its waiters stand in it again when they ask again")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 20s\n"
          "  fail job\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "w3:\n"
          "  wait 500ms\n"
          "  claim jobs as job\n"
          "  complete job\n"
          "at 1.1s: crash jobs for 3s\n"
          "at end: expect 0.502s jobs queues w3\n"
          "at end: expect 1.002s jobs queues w2\n"
          "at end: expect 5.501s jobs queues w3\n"
          "at end: expect 6.001s jobs queues w2\n"
          "at end: expect 20.008s jobs grants w3 token 2 of \"one\"\n");
}

TEST("`losing everything` takes the jobs, their tokens and what was answered")
{
    story("case a holds\n"
          "case b violates token-order\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  fail job\n"
          "w2:\n"
          "  wait 5s\n"
          "  claim jobs try\n"
          "  on refused: go on\n"
          "  [b] enqueue jobs \"one\"\n"
          "  [b] claim jobs\n"
          "at 1s: crash jobs for 1s losing everything\n"
          "at end: expect 5.002s jobs refuses w2 refused\n"
          "at 4s: expect job \"one\" absent\n"
          "[a] at end: expect job \"one\" absent\n"
          "[b] at end: expect jobs adds \"one\" by w2\n"
          "[b] at end: expect jobs grants w2 token 1 of \"one\"\n");
}

TEST("`losing everything` leaves a job that nobody can finish")
{
    story("case a violates no-lost-job\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 2s\n"
          "  complete job\n"
          "  on zombie: go on\n"
          "w2:\n"
          "  wait 200s\n"
          "  claim jobs try\n"
          "at 1s: crash jobs for 500ms losing everything\n"
          "at end: expect 2.005s jobs refuses w1 zombie token 1 of \"one\"\n");
}

TEST("a heartbeat in flight over a crash of the queue is lost and unknown")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 1s\n"
          "  heartbeat job\n"
          "  on timeout: go on\n"
          "  heartbeat job\n"
          "  complete job\n"
          "at 1004500us: crash jobs for 1s\n"
          "at end: expect 6.003s w1 failed timeout\n"
          "at end: expect 6.005s jobs extends w1 token 1 of \"one\"\n"
          "at end: expect job \"one\" completed by w1\n");
}

/* --- clocks ------------------------------------------------------------------------------------------ */

TEST("one clock judges a lease: without it the worker's wall is compared with the queue's")
{
    story("case a                   holds\n"
          "case b without one-clock violates single-actor\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 wall -20s\n"
          "node w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 20s\n"
          "  complete job\n"
          "  on zombie: go on\n"
          "w2:\n"
          "  wait 11s\n"
          "  claim jobs as job\n"
          "  work 1s\n"
          "  complete job\n"
          "[a] at end: expect 11.002s jobs queues w2\n"
          "[b] at end: expect 10.000s jobs expires w1 token 1 of \"one\"\n"
          "[b] at end: expect 11.002s jobs grants w2 token 2 of \"one\"\n"
          "[b] at end: expect w1 failed zombie\n");
}

TEST("without safe-clock a suspended worker's clock stops, and its check is wrong")
{
    story("case a                    holds\n"
          "case b without safe-clock holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 1s\n"
          "  check job\n"
          "at 500ms: suspend w1 for 1h\n"
          "[a] at end: expect w1 failed lease-lost\n"
          "[b] at end: expect w1 checks \"one\"\n");
}

TEST("`with clock wall` the queue's wall measures leases, and jumps end them")
{
    story("case a                 holds\n"
          "case b without safe-clock with clock wall holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 12s\n"
          "  check job\n"
          "at 5s: wall jobs jumps +1m\n"
          "[b] at end: expect 5.000s jobs expires w1 token 1 of \"one\"\n"
          "[a] at end: expect not jobs expires w1\n");
}

/* --- work, writes and effects for a job -------------------------------------------------------------- */

TEST("a write carries the token of the job that its thread was given last, and a fenced store knows the job as an "
     "issuer")
{
    story("case a                     holds\n"
          "case c without lease-check             holds\n"
          "case d without lease-check store-token violates no-stale-write by w1\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "store ledger\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  wait 31s\n"
          "  write ledger \"from w1\" for job\n"
          "w2:\n"
          "  wait 30010ms\n"
          "  claim jobs as job\n"
          "  write ledger \"from w2\"\n"
          "  complete job\n"
          "[c d] before w1 writes ledger: pause w1 for 1s\n"
          "w3:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  write ledger \"from w3\"\n"
          "  complete job\n"
          "[a] at end: expect w1 failed lease-lost\n"
          "[c] at end: expect w1 failed stale-token\n"
          "at end: expect 1.003s w3 writes ledger token 1 \"from w3\"\n"
          "at end: expect 30.013s w2 writes ledger token 2 \"from w2\"\n");
}

TEST("`for job` says for which one of several a step is")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as first\n"
          "  fail first\n"
          "  claim jobs as first\n"
          "  claim jobs as second\n"
          "  write ledger \"latest\"\n"
          "  write ledger \"first\" for first\n"
          "  write ledger \"second\" token second.token\n"
          "  work 1s for first\n"
          "  effect \"mail\" for first\n"
          "  complete second\n"
          "  write ledger \"left\"\n"
          "at end: expect w1 writes ledger token 1 \"latest\"\n"
          "at end: expect w1 writes ledger token 2 \"first\"\n"
          "at end: expect w1 writes ledger token 1 \"second\"\n"
          "at end: expect w1 works for 1s\n"
          "at end: expect w1 effects \"mail\" job \"one\"\n"
          "at end: expect w1 writes ledger token 2 \"left\"\n");
}

TEST("tokens of two jobs are never compared")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as first\n"
          "  fail first\n"
          "  claim jobs as first\n"
          "  claim jobs as second\n"
          "  write ledger \"one\" token first.token\n"
          "  write ledger \"two\" token second.token\n"
          "at end: expect ledger commits w1 token 2 \"one\"\n"
          "at end: expect ledger commits w1 token 1 \"two\"\n");
}

TEST("`work for job` asks about that job alone")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs\n"
          "  wait 20s\n"
          "  claim jobs as second\n"
          "  wait 10s\n"
          "  work 1s for second\n"
          "  work 1s\n"
          "at end: expect 30.006s w1 works for 1s\n"
          "at end: expect 31.006s w1 failed lease-lost\n");
}

TEST("the rounds of `for` act for their own job, and its token is the thread's latest")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  fail job\n"
          "  claim jobs 10 as batch\n"
          "  for job in batch:\n"
          "    write ledger job\n"
          "    effect \"mail\"\n"
          "    complete job\n"
          "at end: expect w1 writes ledger token 2 \"one\"\n"
          "at end: expect w1 writes ledger token 1 \"two\"\n"
          "at end: expect w1 effects \"mail\" job \"one\"\n"
          "at end: expect w1 effects \"mail\" job \"two\"\n"
          "at end: expect job \"two\" completed by w1\n");
}

TEST("a batch of more than there are takes what there is, a batch of one is a batch")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "  job \"three\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs 1 as batch\n"
          "  for job in batch:\n"
          "    complete job\n"
          "  claim jobs 10 as batch\n"
          "  for job in batch:\n"
          "    complete job\n"
          "  claim jobs 10 try as batch\n"
          "  on refused: stop\n"
          "  for job in batch:\n"
          "    complete job\n"
          "at end: expect 0.000s w1 claims jobs 1\n"
          "at end: expect 0.008s jobs grants w1 token 1 of \"two\"\n"
          "at end: expect 0.008s jobs grants w1 token 1 of \"three\"\n"
          "at end: expect job \"three\" completed by w1\n"
          "at end: expect w1 stops\n");
}

TEST("a batch that was refused is empty")
{
    story("case a holds\n"
          "queue jobs lease 30s\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs 10 try as batch\n"
          "  on refused: go on\n"
          "  for job in batch:\n"
          "    complete job\n"
          "  enqueue jobs \"one\"\n"
          "at end: expect job \"one\" waiting\n");
}

TEST("an effect of a job happens once with its key, and twice without")
{
    story("case keyed                       holds\n"
          "case sink without effect-key     violates effect-once\n"
          "case bare                        violates effect-once\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  [keyed sink] effect \"charge card\" key job\n"
          "  [bare] effect \"charge card\"\n"
          "  fail job\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs as job\n"
          "  [keyed sink] effect \"charge card\" key job\n"
          "  [bare] effect \"charge card\"\n"
          "  complete job\n"
          "[keyed] at end: expect effect \"charge card\" once\n"
          "[keyed] at end: expect w2 repeats \"charge card\"\n"
          "[bare sink] at end: expect not effect \"charge card\" once\n");
}

TEST("an effect for a job that is not the thread's last is that job's")
{
    story("case a violates effect-once\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "  job \"two\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs 2 as batch\n"
          "  for job in batch:\n"
          "    fail job\n"
          "w2:\n"
          "  wait 1s\n"
          "  claim jobs as first\n"
          "  claim jobs as second\n"
          "  effect \"mail\" for first\n"
          "  effect \"mail\" for second\n"
          "  effect \"mail\" for first\n"
          "at end: expect w2 effects \"mail\" job \"one\"\n");
}

TEST("single-actor is broken by whoever works on after its job was given away")
{
    story("case a without lease-check violates single-actor by w1\n"
          "queue jobs lease 30s\n"
          "  job \"one\"\n"
          "node w1 w2\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 35s\n"
          "  complete job\n"
          "  on zombie: go on\n"
          "w2:\n"
          "  wait 31s\n"
          "  claim jobs as job\n"
          "  work 1s\n"
          "  complete job\n"
          "at end: expect 31.002s jobs grants w2 token 2 of \"one\"\n");
}

TEST("a poison job that crashes each worker is given up when its attempts are used up")
{
    story("case a holds\n"
          "queue jobs lease 30s attempts 3\n"
          "  job \"one\"\n"
          "node w1\n"
          "w1:\n"
          "  claim jobs as job\n"
          "  work 1s\n"
          "  complete job\n"
          "before w1 completes \"one\": crash w1 for 1s\n"
          "before w1 completes \"one\" #2: crash w1 for 1s\n"
          "before w1 completes \"one\" #3: crash w1 for 1s\n"
          "at end: expect 60.008s jobs grants w1 token 3 of \"one\"\n"
          "at end: expect job \"one\" dead\n");
}
