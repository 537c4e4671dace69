/* SPDX-License-Identifier: MIT
 *
 * models_test.c - what lock services, stores and clients do, each by a small scenario.
 *
 * See story.h. Times are those of design.md: a link takes 1 ms, a sync 1 ms, a request waits 5 s.
 */
#include "scenarios/story.h"

#include "sim/test.h"

#include <stdio.h>

/* --- the central lock --------------------------------------------------------------------------- */

TEST("the example of design.md 7 happens at exactly its times")
{
    story("case checked without store-token violates no-stale-write by w1 at 13.005s\n"
          "lock leader central ttl 10s\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 1s\n"
          "  write ledger \"from w1\"\n"
          "w2:\n"
          "  wait 11s\n"
          "  acquire leader\n"
          "  write ledger \"from w2\"\n"
          "before w1 writes ledger: pause w1 for 12s\n"
          "at end: expect 0.000s w1 asks leader\n"
          "at end: expect 0.002s leader grants w1 token 1\n"
          "at end: expect 0.003s w1 acquires leader token 1\n"
          "at end: expect 0.003s w1 works for 1s\n"
          "at end: expect 1.003s w1 pauses for 12s\n"
          "at end: expect 10.002s leader expires w1 token 1\n"
          "at end: expect 11.000s w2 asks leader\n"
          "at end: expect 11.002s leader grants w2 token 2\n"
          "at end: expect 11.003s w2 acquires leader token 2\n"
          "at end: expect 11.003s w2 writes ledger token 2 \"from w2\"\n"
          "at end: expect 11.005s ledger commits w2 token 2 \"from w2\"\n"
          "at end: expect 13.003s w1 resumes\n"
          "at end: expect 13.003s w1 writes ledger token 1 \"from w1\"\n"
          "at end: expect 13.005s ledger commits w1 token 1 \"from w1\"\n");
}

TEST("waiters stand in line in the order of their arrival, and each asks anew at its turn")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 5s\n"
          "  release leader\n"
          "w2:\n"
          "  wait 2s\n"
          "  acquire leader\n"
          "w3:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "  work 1s\n"
          "  release leader\n"
          "at end: expect 1.002s leader queues w3\n"
          "at end: expect 2.002s leader queues w2\n"
          "at end: expect 5.003s w1 releases leader token 1\n"
          "at end: expect 5.005s leader frees w1 token 1\n"
          "at end: expect 5.005s leader calls w3\n"
          "at end: expect 5.006s w3 asks leader\n"
          "at end: expect 5.008s leader grants w3 token 2\n"
          "at end: expect 5.009s w3 acquires leader token 2\n"
          "at end: expect 6.011s leader calls w2\n"
          "at end: expect 6.014s leader grants w2 token 3\n"
          "# the lease counts from the asking at the turn: 6.012 s\n"
          "at 15.911s: expect w2 believes leader\n"
          "at 15.912s: expect not w2 believes leader\n");
}

TEST("a called client keeps its place for one request timeout, then the next is called")
{
    story("case a holds\n"
          "lock leader central ttl 60s\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 5s\n"
          "  release leader\n"
          "w2:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "w3:\n"
          "  wait 2s\n"
          "  acquire leader\n"
          "at 4s: pause w2 for 20s\n"
          "at end: expect 5.005s leader calls w2\n"
          "at 10s: expect not leader calls w3\n"
          "at end: expect 10.005s leader calls w3\n"
          "at end: expect 10.008s leader grants w3 token 2\n"
          "# what called it is long over: it asks anew and stands in line again\n"
          "at end: expect 24.000s w2 asks leader\n"
          "at end: expect 24.002s leader queues w2\n"
          "at 60s: expect w3 holds leader\n"
          "at end: expect w2 acquires leader token 3\n");
}

TEST("a called client that comes in time gets the lock, and nobody who asks meanwhile is let by")
{
    story("case a holds\n"
          "lock leader central ttl 60s\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 5s\n"
          "  release leader\n"
          "w2:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "  release leader\n"
          "w3:\n"
          "  wait 6s\n"
          "  acquire leader\n"
          "at 4s: pause w2 for 3s\n"
          "at end: expect 5.005s leader calls w2\n"
          "at end: expect 6.002s leader queues w3\n"
          "at end: expect 7.000s w2 asks leader\n"
          "at end: expect 7.002s leader grants w2 token 2\n"
          "at end: expect leader grants w3 token 3\n");
}

TEST("a turn that was lost is said again when the waiter sends again")
{
    story("case a holds\n"
          "lock leader central ttl 60s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 5s\n"
          "  release leader\n"
          "w2:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "at 2s: drop leader -> w2\n"
          "at end: expect 5.005s leader calls w2\n"
          "at end: expect 6.000s w2 asks leader\n"
          "at end: expect 6.002s w2 asks leader\n"
          "at end: expect 6.004s leader grants w2 token 2\n"
          "at end: expect not leader calls w3\n"
          "node w3\n");
}

TEST("whoever waits sends again every 5 s, and stands in line once")
{
    story("case a holds\n"
          "lock leader central ttl 60s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 12s\n"
          "  release leader\n"
          "w2:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "at end: expect 1.000s w2 asks leader\n"
          "at end: expect 6.000s w2 asks leader\n"
          "at end: expect 11.000s w2 asks leader\n"
          "after leader queues w2: expect not w2 acquires leader\n"
          "at 11.5s: expect not leader calls w2\n"
          "at end: expect 12.008s leader grants w2 token 2\n"
          "at end: expect 12.005s leader calls w2\n");
}

TEST("whoever is answered `unreachable` asks again 5 s after its last sending; its lease counts from the first")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "  work 1s\n"
          "at 0.5s: crash leader for 12s\n"
          "at end: expect 1.000s w1 asks leader\n"
          "at end: expect 6.000s w1 asks leader\n"
          "at end: expect 11.000s w1 asks leader\n"
          "at end: expect 16.000s w1 asks leader\n"
          "at end: expect 16.002s leader grants w1 token 1\n"
          "at end: expect 16.003s w1 acquires leader\n"
          "at end: expect w1 failed lease-lost\n"
          "at end: expect not w1 works\n");
}

TEST("a grant whose answer was lost is answered again as the first time")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 1s\n"
          "at 0s: drop leader -> w1\n"
          "at end: expect 0.002s leader grants w1 token 1\n"
          "at end: expect 5.000s w1 asks leader\n"
          "at end: expect 5.002s w1 acquires leader token 1\n"
          "at end: expect token leader = 1\n"
          "at 9.899s: expect w1 believes leader\n"
          "at 9.9s: expect not w1 believes leader\n");
}

TEST("whoever stood in line at a service that crashed asks again and stands in line anew")
{
    story("case a holds\n"
          "lock leader central ttl 60s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 20s\n"
          "  release leader\n"
          "w2:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "at 3s: crash leader for 1s\n"
          "at end: expect 1.002s leader queues w2\n"
          "at end: expect 6.001s leader queues w2\n"
          "at end: expect 20.005s leader calls w2\n"
          "at end: expect leader grants w2 token 2\n");
}

TEST("try fails at once: refused where it is held, unreachable where nobody runs, timeout where nobody answers")
{
    story("case a holds\n"
          "lock leader central ttl 60s\n"
          "lock gone central ttl 60s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "w2:\n"
          "  wait 1s\n"
          "  acquire leader try\n"
          "  on refused: go on\n"
          "  acquire gone try\n"
          "  on unreachable: go on\n"
          "  wait until 3s\n"
          "  acquire leader try\n"
          "  on timeout: go on\n"
          "  wait until 10s\n"
          "at 0.5s: crash gone\n"
          "at 2s: cut w2 -> leader for 7s\n"
          "at end: expect 1.003s w2 failed refused\n"
          "at end: expect 1.005s w2 failed unreachable\n"
          "at end: expect 8.000s w2 failed timeout\n"
          "at end: expect not leader queues w2\n");
}

TEST("try takes a free lock")
{
    story("case a holds\n"
          "lock leader central ttl 60s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader try as first\n"
          "  let t = first.token\n"
          "  if t = 1:\n"
          "    stop\n"
          "  work 1s\n"
          "at end: expect w1 stops\n");
}

TEST("within ends after its time with timeout, also when it is asked again in between")
{
    story("case a holds\n"
          "lock leader central ttl 60s\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 20s\n"
          "  release leader\n"
          "w2:\n"
          "  wait 1s\n"
          "  acquire leader within 7s\n"
          "w3:\n"
          "  wait 2s\n"
          "  acquire leader within 3s\n"
          "  on timeout:\n"
          "    wait 1s\n"
          "    acquire leader within 60s\n"
          "at end: expect 6.000s w2 asks leader\n"
          "at end: expect 8.000s w2 failed timeout\n"
          "at end: expect 5.000s w3 failed timeout\n"
          "at end: expect 6.000s w3 asks leader\n"
          "at end: expect w3 acquires leader\n"
          "# the place of the one who gave up is kept for one request timeout\n"
          "at end: expect 20.005s leader calls w2\n");
}

TEST("within is on the node's monotonic clock")
{
    story("case a holds\n"
          "lock leader central ttl 60s\n"
          "node w1\n"
          "node w2 drift +250000ppm\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 20s\n"
          "w2:\n"
          "  wait until 1s\n"
          "  acquire leader within 10s\n"
          "at end: expect 9.000s w2 failed timeout\n");
}

TEST("a keeper renews every third of the lease from the moment of the grant, and the release names its token")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 7s\n"
          "  release leader\n"
          "at end: expect 0.003s w1 keeps leader\n"
          "at end: expect 3.003s w1.keeper renews leader token 1\n"
          "at end: expect 3.005s leader extends w1 token 1\n"
          "at end: expect 3.006s w1.keeper renewed leader token 1\n"
          "at end: expect 6.003s w1.keeper renews leader token 1\n"
          "at end: expect 7.003s w1 releases leader token 1\n"
          "at end: expect 7.005s leader frees w1 token 1\n"
          "at 10s: expect not w1 holds leader\n"
          "at end: expect not leader expires w1\n");
}

TEST("a keeper that began late renews at the next third, not at those it missed")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 4s\n"
          "  keep leader\n"
          "  work 3s\n"
          "at end: expect 6.003s w1.keeper renews leader token 1\n"
          "at 6s: expect not w1.keeper renews leader\n");
}

TEST("a renewal that is not answered in a sixth of the lease is sent again, and counts from its first sending")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 30s\n"
          "at 1s: drop w1 -> leader\n"
          "at 4.6s: cut w1 - leader\n"
          "at end: expect 3.003s w1.keeper renews leader\n"
          "at end: expect 4.503s w1.keeper renews leader\n"
          "at end: expect 4.505s leader extends w1 token 1\n"
          "at end: expect 4.506s w1.keeper renewed leader token 1\n"
          "at 11.912s: expect w1 believes leader\n"
          "at end: expect 11.913s w1 failed lease-lost\n"
          "at 14s: expect not w1 holds leader\n"
          "at end: expect 13.505s leader expires w1 token 1\n");
}

TEST("a renewal after the lease's end is refused, even if nobody asked since")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 30s\n"
          "at 1s: delay w1 -> leader by 8s\n"
          "at end: expect 9.002s leader expires w1 token 1\n"
          "at end: expect 11.005s leader refuses w1.keeper not-holder token 1\n"
          "at end: expect 8.910s w1 failed lease-lost\n");
}

TEST("a renewal within the service's margin is taken, and after it refused")
{
    story("case a holds\n"
          "lock leader central ttl 9s service-margin 1s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 30s\n"
          "at 1s: delay w1 -> leader by 6.5s\n"
          "at end: expect 9.505s leader extends w1 token 1\n"
          "at end: expect not 9.002s leader expires w1\n"
          "at 19.5s: expect w1 holds leader\n"
          "at 20s: expect not w1 holds leader\n"
          "at end: expect 19.505s leader expires w1 token 1\n");
}

TEST("a release names its token: one that comes late frees nobody else's grant")
{
    story("case by-name without release-token violates owner-releases by w1 and single-grant\n"
          "case by-token holds\n"
          "lock leader central ttl 10s\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 1s\n"
          "  release leader\n"
          "w2:\n"
          "  wait 11s\n"
          "  acquire leader\n"
          "  work 5s\n"
          "w3:\n"
          "  wait 12s\n"
          "  acquire leader\n"
          "at 0.5s: delay w1 -> leader by 12s\n"
          "at end: expect 6.003s w1 failed timeout\n"
          "[by-token] at end: expect 13.005s leader refuses w1 not-holder token 1\n"
          "[by-token] at 15s: expect w2 holds leader\n"
          "[by-name] at end: expect 13.005s leader frees w2 token 2 by w1\n"
          "[by-name] at 15s: expect w3 holds leader\n");
}

TEST("a late renewal extends nobody else's grant")
{
    story("case by-name without release-token violates owner-extends by w1\n"
          "case by-token holds\n"
          "lock leader central ttl 9s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 8s\n"
          "w2:\n"
          "  wait 9.5s\n"
          "  acquire leader\n"
          "at 1s: delay w1 -> leader by 10s\n"
          "[by-name] at end: expect 13.005s leader extends w2 token 2 by w1\n"
          "[by-token] at end: expect 13.005s leader refuses w1.keeper not-holder token 1\n");
}

TEST("the lock-delay follows an expiry and no release, and is not kept without drain-first")
{
    story("case kept holds\n"
          "case not-kept without drain-first holds\n"
          "lock leader central ttl 10s lock-delay 5s\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 1s\n"
          "w2:\n"
          "  wait 2s\n"
          "  acquire leader\n"
          "  work 1s\n"
          "  release leader\n"
          "w3:\n"
          "  wait 3s\n"
          "  acquire leader\n"
          "at end: expect 10.002s leader expires w1 token 1\n"
          "[kept] at end: expect 15.002s leader calls w2\n"
          "[not-kept] at end: expect 10.002s leader calls w2\n"
          "[kept] at end: expect 15.005s leader grants w2 token 2\n"
          "[kept] at end: expect 16.008s leader frees w2 token 2\n"
          "[kept] at end: expect 16.008s leader calls w3\n"
          "[kept] at 15s: expect not w2 holds leader\n");
}

TEST("a lock-delay goes on over a restart of the service")
{
    story("case a holds\n"
          "lock leader central ttl 10s lock-delay 5s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "w2:\n"
          "  wait 2s\n"
          "  acquire leader\n"
          "at 11s: crash leader for 1s\n"
          "at end: expect not 12.002s leader grants w2\n"
          "at end: expect leader grants w2 token 2\n"
          "at 15s: expect not leader grants w2\n"
          "at end: expect 15.002s leader calls w2\n");
}

TEST("a service that restarts remembers its lease and its counter; without durable-grant it grants again")
{
    story("case durable holds\n"
          "case forgetful without durable-grant violates single-grant by w2\n"
          "lock leader central ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "w2:\n"
          "  wait 5s\n"
          "  acquire leader\n"
          "at 3s: crash leader for 1s\n"
          "[durable] at end: expect 10.002s leader expires w1 token 1\n"
          "[durable] at end: expect leader grants w2 token 2\n"
          "[durable] at 10s: expect not leader grants w2\n"
          "[forgetful] at end: expect 5.001s leader grants w2 token 2\n");
}

TEST("a lease that ended while its service was down expires as it comes back")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "at 3s: crash leader for 15s\n"
          "at 20s: expect not w1 holds leader\n"
          "at end: expect 18.000s leader expires w1 token 1\n");
}

TEST("without monotonic-token the counter is in memory, and a token comes twice")
{
    story("case kept holds\n"
          "case counted-anew without monotonic-token violates token-order by w2\n"
          "lock leader central ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  release leader\n"
          "w2:\n"
          "  wait 5s\n"
          "  acquire leader\n"
          "at 3s: crash leader for 1s\n"
          "[kept] at end: expect token leader = 2\n"
          "[counted-anew] at end: expect token leader = 1\n");
}

TEST("tokens by owner, and random ones, are unique and in no order")
{
    story("case by-owner without monotonic-token with token per-owner violates token-order by w2\n"
          "case at-random without monotonic-token with token random violates token-order\n"
          "lock leader central ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  repeat 6:\n"
          "    acquire leader\n"
          "    release leader\n"
          "w2:\n"
          "  wait 5s\n"
          "  acquire leader\n"
          "  release leader\n"
          "[by-owner] at 1s: expect token leader = 6\n"
          "[by-owner] at end: expect token leader = 1\n"
          "[at-random] at end: expect token leader > 0\n");
}

TEST("tokens by owner begin anew when the service loses everything")
{
    story("case by-owner without monotonic-token with token per-owner violates token-order\n"
          "lock leader central ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  release leader\n"
          "  wait 15s\n"
          "  acquire leader\n"
          "at 1s: crash leader for 1s losing everything\n"
          "at end: expect token leader = 1\n");
}

TEST("a service that lost everything waits out the longest lease, and counts anew")
{
    story("case a violates token-order by w2\n"
          "case forgetful without durable-grant violates single-grant and token-order\n"
          "lock leader central ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 30s\n"
          "w2:\n"
          "  wait 5s\n"
          "  acquire leader\n"
          "at 3s: crash leader for 1s losing everything\n"
          "[a] at end: expect w1 failed lease-lost\n"
          "[a] at end: expect 14.000s leader calls w2\n"
          "[a] at end: expect 14.003s leader grants w2 token 1\n"
          "[forgetful] at end: expect 5.001s leader grants w2 token 1\n");
}

TEST("what a service that lost everything answered is forgotten with it")
{
    story("case a violates token-order\n"
          "lock leader central ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "at 0s: drop leader -> w1\n"
          "at 1s: crash leader for 1s losing everything\n"
          "at end: expect 5.000s w1 asks leader\n"
          "at end: expect 12.000s leader calls w1\n"
          "at end: expect 12.003s leader grants w1 token 1\n");
}

TEST("without fresh-identity another of the same name is given the same grant")
{
    story("case same-name without fresh-identity violates single-grant by w2 and token-order\n"
          "case fresh holds\n"
          "lock leader central ttl 10s\n"
          "node w1 identity \"host-7\"\n"
          "node w2 identity \"host-7\"\n"
          "w1:\n"
          "  acquire leader\n"
          "w2:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "[same-name] at end: expect 1.002s leader grants w2 token 1\n"
          "[fresh] at end: expect 1.002s leader queues w2\n"
          "[fresh] at end: expect leader grants w2 token 2\n");
}

TEST("without fresh-identity a restarted worker passes for its former self")
{
    story("case same-name without fresh-identity violates single-grant by w1\n"
          "case fresh holds\n"
          "lock leader central ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 20s\n"
          "at 1s: crash w1 for 1s\n"
          "[same-name] at end: expect 2.002s leader grants w1 token 1\n"
          "[fresh] at end: expect 2.002s leader queues w1\n"
          "[fresh] at end: expect leader grants w1 token 2\n"
          "[fresh] at end: expect 10.002s leader expires w1 token 1\n");
}

TEST("without one-clock the writer's timestamp is judged by the reader's clock")
{
    story("case foreign without one-clock violates no-early-regrant by w2\n"
          "case own holds\n"
          "lock leader central ttl 10s\n"
          "node w1 wall -9s\n"
          "node w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 5s\n"
          "w2:\n"
          "  wait 3s\n"
          "  acquire leader\n"
          "[foreign] at end: expect 1.000s leader expires w1 token 1\n"
          "[foreign] at end: expect 3.002s leader grants w2 token 2\n"
          "[own] at end: expect 10.002s leader expires w1 token 1\n");
}

TEST("without safe-clock a suspended machine does not see its lease run out")
{
    story("case monotonic without safe-clock store-token violates no-stale-write\n"
          "case boottime holds\n"
          "lock leader central ttl 10s\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  wait 3s\n"
          "  write ledger \"late\"\n"
          "w2:\n"
          "  wait 12s\n"
          "  acquire leader\n"
          "  write ledger \"mine\"\n"
          "at 1s: suspend w1 for 20s\n"
          "[monotonic] at 21s: expect w1 believes leader\n"
          "[monotonic] at end: expect ledger = \"late\"\n"
          "[boottime] at 21s: expect not w1 believes leader\n"
          "[boottime] at end: expect w1 failed lease-lost\n"
          "[boottime] at end: expect ledger = \"mine\"\n");
}

TEST("with clock wall a step of the service's clock ends a lease")
{
    story("case wall without safe-clock with clock wall violates no-early-regrant by w2\n"
          "case boottime holds\n"
          "lock leader central ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "w2:\n"
          "  wait 5s\n"
          "  acquire leader\n"
          "at 3s: wall leader jumps +1h\n"
          "[wall] at end: expect 3.000s leader expires w1 token 1\n"
          "[wall] at end: expect 5.002s leader grants w2 token 2\n"
          "[boottime] at end: expect 10.002s leader expires w1 token 1\n");
}

TEST("with clock wall a step back of the holder's clock lets it believe for longer")
{
    story("case wall without safe-clock with clock wall violates single-holder\n"
          "case boottime holds and single-holder\n"
          "lock leader central ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 20s\n"
          "w2:\n"
          "  wait 11s\n"
          "  acquire leader\n"
          "at 3s: wall w1 jumps -1h\n"
          "[wall] at 15s: expect w1 believes leader\n"
          "[boottime] at 10s: expect not w1 believes leader\n");
}

TEST("an operator frees a lock without a token and breaks no invariant by it")
{
    story("case a holds\n"
          "lock leader central ttl 60s\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  acquire leader\n"
          "  wait 20s\n"
          "  release leader\n"
          "w2:\n"
          "  wait 2s\n"
          "  acquire leader\n"
          "w3:\n"
          "  wait 3s\n"
          "  force-release leader\n"
          "  force-release leader\n"
          "at end: expect 3.002s leader forces w1 token 1\n"
          "at end: expect 3.002s leader calls w2\n"
          "at end: expect 3.005s leader grants w2 token 2\n"
          "at end: expect 20.005s leader refuses w1 not-holder token 1\n"
          "at end: expect w1 failed not-holder\n");
}

TEST("an operator frees a lock that nobody holds")
{
    story("case a holds\n"
          "lock leader central ttl 60s\n"
          "node w1\n"
          "w1:\n"
          "  force-release leader\n"
          "  acquire leader\n"
          "at end: expect not leader forces w1\n"
          "at end: expect w1 acquires leader\n");
}

TEST("a thread that asks for a lock that it holds waits for its own lease to end")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  acquire leader as second\n"
          "  if second.token = 2:\n"
          "    stop\n"
          "at end: expect 0.005s leader queues w1\n"
          "at end: expect 10.002s leader calls w1\n"
          "at end: expect leader grants w1 token 2\n"
          "at end: expect w1 stops\n");
}

TEST("a second thread of the holder waits like anybody, and acts for the first's grant by `for`")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 5s\n"
          "  release leader\n"
          "w1.checkin:\n"
          "  wait 1s\n"
          "  write ledger \"for main\" for leader\n"
          "  acquire leader\n"
          "  write ledger \"mine\" for leader\n"
          "at end: expect ledger commits w1.checkin token 1 \"for main\"\n"
          "at end: expect ledger commits w1.checkin token 2 \"mine\"\n"
          "at end: expect 5.008s leader grants w1 token 2\n");
}

TEST("a crash takes what the program knew, and its lease runs on")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  read ledger as x\n"
          "  if x = none:\n"
          "    acquire leader\n"
          "    write ledger 1\n"
          "    keep leader\n"
          "    work 60s\n"
          "  work 1s\n"
          "  write ledger x + 1\n"
          "at 2s: crash w1 for 1s\n"
          "at 1.9s: expect w1 believes leader\n"
          "at 2s: expect not w1 believes leader\n"
          "at 5s: expect w1 holds leader\n"
          "at end: expect ledger = 1\n"
          "at end: expect w1 failed stale-token\n");
}

TEST("a check asks the client's own clock, and without lease-check nothing is asked")
{
    story("case checked holds\n"
          "case advisory without lease-check holds\n"
          "lock leader central ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  check leader\n"
          "  wait 12s\n"
          "  check leader\n"
          "at end: expect 0.003s w1 checks leader\n"
          "[checked] at end: expect w1 failed lease-lost\n"
          "[advisory] at end: expect not w1 failed lease-lost\n"
          "[advisory] at 12s: expect w1 believes leader\n");
}

TEST("a check of a lock that was never acquired says no")
{
    story("case checked holds\n"
          "lock leader central ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  check leader\n"
          "w2:\n"
          "  acquire leader\n"
          "at end: expect w1 failed lease-lost\n");
}

TEST("after a release nothing is believed, and what acted for the grant says no")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  release leader\n"
          "  on not-holder: go on\n"
          "  work 1s\n"
          "  work 1s for leader\n"
          "at end: expect 1.006s w1 failed lease-lost\n"
          "at 0.004s: expect not w1 believes leader\n");
}

TEST("the holder is the process: another of its threads may release its lock, a later start may not")
{
    story("case a holds\n"
          "lock one central ttl 10s\n"
          "lock many quorum voters 3 ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire one\n"
          "  acquire many\n"
          "w1.other:\n"
          "  wait 1s\n"
          "  release one\n"
          "  release many\n"
          "at end: expect 1.002s one frees w1 token 1\n"
          "at end: expect many.2 frees w1 token 1\n");
    story("case a holds\n"
          "lock one central ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire one\n"
          "w1.other:\n"
          "  wait 1s\n"
          "  release one\n"
          "at 500ms: crash w1 for 100ms\n"
          "at end: expect not one frees w1\n");
}

TEST("a release after the lease's end is not the holder's any more")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  wait 11s\n"
          "  release leader\n"
          "at end: expect 11.005s leader refuses w1 not-holder token 1\n"
          "at end: expect 11.006s w1 failed not-holder\n");
}

TEST("a service that slept through a lease's end sees it before it serves")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "w2:\n"
          "  wait 9.998s\n"
          "  acquire leader try\n"
          "at 9.9995s: pause leader for 5s\n"
          "at end: expect 14.9995s leader expires w1 token 1\n"
          "at end: expect 14.9995s leader grants w2 token 2\n");
}

TEST("a renewal that a service slept over is refused if the lease has ended meanwhile")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 20s\n"
          "at 1s: delay w1 -> leader by 5.9970s\n"
          "at 9.0015s: pause leader for 2s\n"
          "at end: expect 11.0015s leader expires w1 token 1\n"
          "at end: expect 11.0015s leader refuses w1.keeper not-holder token 1\n"
          "at end: expect not leader extends w1\n");
}

TEST("without lease-check a thread believes until it is told otherwise, and a new grant is a new belief")
{
    story("case a without lease-check holds\n"
          "lock leader central ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  acquire leader\n"
          "  release leader\n"
          "at 9s: expect w1 believes leader\n"
          "at 10.004s: expect w1 believes leader\n"
          "at end: expect w1 acquires leader token 2\n"
          "at end: expect not w1 believes leader\n");
}

TEST("no leader among: who holds a central lock leads")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "w2:\n"
          "  wait 12s\n"
          "at 1s: expect not no leader among w1\n"
          "at 1s: expect no leader among w2\n"
          "at 11s: expect no leader among w1 w2\n");
}

TEST("a service that is asked while a called client is awaited puts the others in line, once")
{
    story("case a holds\n"
          "lock leader central ttl 60s\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 5s\n"
          "  release leader\n"
          "w2:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "w3:\n"
          "  wait 5.5s\n"
          "  acquire leader\n"
          "at 2s: crash w2\n"
          "at end: expect 5.005s leader calls w2\n"
          "at end: expect 5.502s leader queues w3\n"
          "at end: expect 10.005s leader calls w3\n"
          "at end: expect leader grants w3 token 2\n");
}

TEST("a write carries the token of the lock acquired last and not ended")
{
    story("case a holds\n"
          "lock one central ttl 60s\n"
          "lock two central ttl 60s\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  acquire one\n"
          "  acquire two\n"
          "  release two\n"
          "  acquire two\n"
          "  write ledger \"two\"\n"
          "  write ledger \"one\" for one\n"
          "  release two\n"
          "  write ledger \"one again\"\n"
          "at end: expect ledger commits w1 token 2 \"two\"\n"
          "at end: expect ledger commits w1 token 1 \"one\"\n"
          "at end: expect ledger commits w1 token 1 \"one again\"\n");
}

TEST("a step acts for all that its thread holds, and for one alone where it says so")
{
    story("case a holds\n"
          "lock one central ttl 5s\n"
          "lock two central ttl 60s\n"
          "node w1\n"
          "w1:\n"
          "  acquire one\n"
          "  acquire two\n"
          "  wait 6s\n"
          "  work 1s for two\n"
          "  work 1s\n"
          "at end: expect 6.006s w1 works for 1s\n"
          "at end: expect 7.006s w1 failed lease-lost\n");
}

TEST("a slow service answers late, and the lease counts from the grant")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "at 0s: slow leader by 2s for 1s\n"
          "at 12s: expect w1 holds leader\n"
          "at 12.002s: expect not w1 holds leader\n"
          "at end: expect 2.002s leader grants w1 token 1\n"
          "at end: expect 12.002s leader expires w1 token 1\n");
}

TEST("a clock that runs fast makes its holder stop early, one that runs slow late")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "node w1 drift +100000ppm\n"
          "w1:\n"
          "  acquire leader\n"
          "at 8.9s: expect w1 believes leader\n"
          "at 9s: expect not w1 believes leader\n"
          "at 10s: expect w1 holds leader\n");
}

TEST("what is in the world when a run is cut off counts as its state")
{
    story("case a holds\n"
          "case amnesia violates no-lost-ack\n"
          "until 9s\n"
          "lock leader central ttl 30s lock-delay 5s\n"
          "lock gone central ttl 1s lock-delay 20s\n"
          "lock chief quorum voters 3 ttl 30s\n"
          "store ledger\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  acquire chief\n"
          "  keep chief\n"
          "  write ledger \"x\"\n"
          "  read ledger as x\n"
          "  effect \"charge card\" key x\n"
          "  work 60s\n"
          "w2:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "w3:\n"
          "  acquire gone\n"
          "  wait 5s\n"
          "  acquire chief\n"
          "at 2s: crash chief.3 for 1s losing everything\n"
          "[amnesia] at 2s: crash ledger for 1s losing everything\n"
          "at 8s: expect w1 holds leader\n"
          "at 8s: expect w1 holds chief\n");
}

/* --- drain-first -------------------------------------------------------------------------------- */

TEST("drain-first holds a release back until the node's other threads have ended their step, and fails their next")
{
    story("case drained holds and single-actor\n"
          "case at-once without drain-first violates single-actor by w1\n"
          "lock leader central ttl 30s\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 2s\n"
          "  release leader\n"
          "w1.checkin:\n"
          "  wait 1s\n"
          "  work 5s for leader\n"
          "  write ledger \"late\" for leader\n"
          "w2:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "[drained] at end: expect 6.000s w1 releases leader token 1\n"
          "[at-once] at end: expect 2.003s w1 releases leader token 1\n"
          "[drained] at end: expect 6.000s w1.checkin failed lease-lost\n"
          "[drained] at end: expect ledger = none\n"
          "at end: expect w1.checkin failed lease-lost\n");
}

TEST("a release that waits fails what other threads begin meanwhile, also where nobody asks the clock")
{
    story("case a without lease-check holds\n"
          "lock leader central ttl 30s\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 2s\n"
          "  release leader\n"
          "w1.checkin:\n"
          "  wait 1s\n"
          "  work 5s for leader\n"
          "  work 1s for leader\n"
          "w1.third:\n"
          "  wait 3s\n"
          "  write ledger \"late\" for leader\n"
          "at end: expect 3.000s w1.third failed lease-lost\n"
          "at end: expect 6.000s w1 releases leader token 1\n"
          "at end: expect 6.000s w1.checkin failed lease-lost\n"
          "at end: expect ledger = none\n");
}

TEST("a release waits for every thread that acts for the lock, and for none that acts for another")
{
    story("case a holds\n"
          "lock leader central ttl 30s\n"
          "lock other central ttl 30s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  acquire other\n"
          "  work 2s\n"
          "  release leader\n"
          "w1.one:\n"
          "  wait 1s\n"
          "  work 3s for leader\n"
          "w1.two:\n"
          "  wait 1s\n"
          "  work 5s for leader\n"
          "w1.three:\n"
          "  wait 1s\n"
          "  work 9s for other\n"
          "at end: expect 6.000s w1 releases leader token 1\n");
}

TEST("a release that waits for a thread that crashes has crashed with it")
{
    story("case a holds and single-actor\n"
          "lock leader central ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 2s\n"
          "  release leader\n"
          "w1.checkin:\n"
          "  wait 1s\n"
          "  work 60s for leader\n"
          "w2:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "at 3s: crash w1\n"
          "at end: expect not w1 releases leader\n"
          "at end: expect 10.002s leader expires w1\n");
}

/* --- stop-on-loss ------------------------------------------------------------------------------- */

TEST("a refused renewal stops the program at once; without stop-on-loss it is logged, and on it goes")
{
    story("case stopped holds\n"
          "case logged without stop-on-loss holds\n"
          "lock leader central ttl 9s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 30s\n"
          "w2:\n"
          "  wait 1s\n"
          "  force-release leader\n"
          "at end: expect 3.005s leader refuses w1.keeper not-holder token 1\n"
          "at end: expect 3.006s w1.keeper failed not-holder\n"
          "[stopped] at end: expect 3.006s w1 failed lease-lost\n"
          "[logged] at 30s: expect not w1 failed lease-lost\n"
          "[logged] at end: expect 6.006s w1.keeper failed not-holder\n");
}

TEST("the watchdog stops the program at the lease's end less the margin, to the nanosecond")
{
    story("case stopped holds\n"
          "case on-it-goes without stop-on-loss holds\n"
          "lock leader central ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 20s\n"
          "at 1s: cut w1 -> leader\n"
          "[stopped] at end: expect 8.910s w1 failed lease-lost\n"
          "[on-it-goes] at 20s: expect not w1 failed lease-lost\n");
}

TEST("the watchdog is a timer of the process: a pause of the keeper thread does not stop it")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 30s\n"
          "at 1s: pause w1.keeper for 30s\n"
          "at end: expect 8.910s w1 failed lease-lost\n"
          "at end: expect not w1.keeper renews leader\n");
}

TEST("a pause of the process makes its watchdog late")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 30s\n"
          "at 5s: pause w1 for 7s\n"
          "at end: expect 12.000s w1 failed lease-lost\n"
          "at 12s: expect not w1 believes leader\n");
}

TEST("without keep there is no watchdog")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 30s\n"
          "at end: expect not w1 failed lease-lost\n");
}

TEST("watchdog and keeper end when the release is sent")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 1s\n"
          "  release leader\n"
          "  on timeout: go on\n"
          "  work 30s\n"
          "at 0.5s: cut w1 -> leader\n"
          "at end: expect not w1.keeper renews leader\n"
          "at end: expect w1 failed timeout\n"
          "at end: expect not w1 failed lease-lost\n");
}

TEST("a loss interrupts a call under way, and its late answer is dropped")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  on lease-lost:\n"
          "    wait 5s\n"
          "    stop\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  wait 8s\n"
          "  write ledger \"slow\"\n"
          "  write ledger \"never\"\n"
          "at 1s: cut w1 - leader\n"
          "at 7s: slow ledger by 3s for 3s\n"
          "at end: expect 8.003s w1 writes ledger token 1 \"slow\"\n"
          "at end: expect 8.910s w1 failed lease-lost\n"
          "at end: expect 13.910s w1 stops\n"
          "at end: expect ledger = \"slow\"\n");
}

TEST("a loss during a call ends the step: the effect stays and the answer is dropped")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  wait 7s\n"
          "  write ledger \"slow\"\n"
          "  on lease-lost:\n"
          "    wait 2s\n"
          "    read ledger as x\n"
          "    if x = \"slow\":\n"
          "      stop\n"
          "at 1s: cut w1 - leader\n"
          "at 6s: slow ledger by 3s for 3s\n"
          "at end: expect 8.910s w1 failed lease-lost\n"
          "at end: expect 10.005s ledger commits w1 token 1 \"slow\"\n"
          "at end: expect w1 stops\n");
}

TEST("a loss interrupts a wait, and an acquire of another lock")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "lock other central ttl 60s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  acquire other\n"
          "  on lease-lost:\n"
          "    stop\n"
          "w2:\n"
          "  acquire other\n"
          "  wait 30s\n"
          "at 1s: cut w1 - leader\n"
          "at end: expect 8.910s w1 failed lease-lost\n"
          "at end: expect w1 stops\n");
}

TEST("a loss in a pause strikes as the thread goes on, behind the one act that the pause interrupted")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  repeat 100:\n"
          "    wait 100ms\n"
          "    write ledger \"beat\"\n"
          "at 1s: cut w1 - leader\n"
          "before w1 writes ledger #20: pause w1 for 30s\n"
          "at 5s: expect ledger = \"beat\"\n"
          "at end: expect 32.060s w1 writes ledger\n"
          "at end: expect 32.060s w1 failed lease-lost\n"
          "at end: expect 32.062s ledger commits w1\n"
          "at 40s: expect not 32.163s w1 writes ledger\n");
}

TEST("a keeper whose renewal is refused after its program has ended says nothing")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 4s\n"
          "at 1s: delay w1 -> leader by 10s\n"
          "at end: expect 3.003s w1.keeper renews leader\n"
          "at 20s: expect not w1 holds leader\n"
          "at end: expect not 4.503s w1.keeper renews leader\n"
          "at end: expect not w1 failed lease-lost\n");
}

TEST("a lock that is kept already keeps its rhythm")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 4s\n"
          "  keep leader\n"
          "  work 4s\n"
          "  release leader\n"
          "at end: expect 3.006s w1.keeper renewed leader token 1\n"
          "at end: expect 6.006s w1.keeper renewed leader token 1\n");
}

TEST("a loss between two steps skips no branch")
{
    story("case a without lease-check holds\n"
          "lock leader central ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  on lease-lost: go on\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  wait until 11.913s\n"
          "  if me = \"nobody\":\n"
          "    effect \"wrong\"\n"
          "  effect \"right\"\n"
          "at 4s: cut w1 - leader\n"
          "at end: expect 11.913s w1 failed lease-lost\n"
          "at end: expect effect \"wrong\" 0 times\n"
          "at end: expect effect \"right\" once\n");
}

TEST("a loss between two rounds of `repeat every` leaves the next round to come")
{
    story("case a without lease-check holds\n"
          "until 30s\n"
          "lock leader central ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  on lease-lost: go on\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  repeat every 4s:\n"
          "    effect \"beat\"\n"
          "at 1s: cut w1 - leader\n"
          "at 29s: expect effect \"beat\" 8 times\n"
          "at end: expect 8.910s w1 failed lease-lost\n");
}

TEST("a lock that is acquired anew is kept anew")
{
    story("case a holds\n"
          "lock leader central ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 4s\n"
          "  acquire leader\n"
          "  on lease-lost:\n"
          "    acquire leader\n"
          "    keep leader\n"
          "    work 4s\n"
          "    release leader\n"
          "at end: expect 3.006s w1.keeper renewed leader token 1\n"
          "at 12s: expect w1 holds leader\n");
}

/* --- the quorum --------------------------------------------------------------------------------- */

TEST("a candidate asks every voter itself and wins with a strict majority")
{
    story("case a holds\n"
          "lock leader quorum voters 5 ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader as first\n"
          "  if first.token = 1:\n"
          "    work 1s\n"
          "  release leader\n"
          "w2:\n"
          "  wait 5s\n"
          "  acquire leader\n"
          "at end: expect 0.000s w1 asks leader.1 epoch 1\n"
          "at end: expect 0.000s w1 asks leader.5 epoch 1\n"
          "at end: expect 0.002s leader.5 votes w1 epoch 1\n"
          "at end: expect 0.003s leader grants w1 token 1\n"
          "at end: expect 0.003s w1 acquires leader token 1\n"
          "at 1s: expect w1 holds leader\n"
          "at end: expect 1.003s w1 releases leader token 1\n"
          "at end: expect 1.005s leader.1 frees w1 token 1\n"
          "at end: expect 1.005s leader.5 frees w1 token 1\n"
          "at 2s: expect not w1 holds leader\n"
          "# it has seen no epoch: the refusals of its first canvass name one\n"
          "at end: expect leader grants w2 token 2\n"
          "at end: expect 5.002s leader.1 refuses w2 refused epoch 1\n");
}

TEST("an even split elects nobody; with 2 * acks >= voters it elects two")
{
    story("case strict holds\n"
          "case half without strict-majority violates one-leader-per-term and one-vote and single-grant\n"
          "lock leader quorum voters 4 ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader within 5s\n"
          "w2:\n"
          "  acquire leader within 5s\n"
          "at 0s: partition w1 leader.1 leader.2 | w2 leader.3 leader.4\n"
          "[strict] at end: expect w1 failed quorum-lost\n"
          "[strict] at end: expect w2 failed quorum-lost\n"
          "[strict] at 2s: expect no leader among w1 w2\n"
          "[half] at 1s: expect w1 holds leader\n"
          "[half] at 1s: expect w2 holds leader\n"
          "[half] at 1s: expect not no leader among leader.1 leader.2\n"
          "[half] at 1s: expect no leader among leader.1 leader.3\n");
}

TEST("counted by the voters it can reach, one voter is a majority of one")
{
    story("case reachable without strict-majority with count reachable violates one-leader-per-term and one-vote and "
          "single-grant\n"
          "case strict holds\n"
          "lock leader quorum voters 5 ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader within 3s\n"
          "w2:\n"
          "  acquire leader within 3s\n"
          "at 0s: partition w1 leader.1 | w2 leader.2 leader.3 leader.4 leader.5\n"
          "[reachable] at end: expect 1.000s leader grants w1 token 1\n"
          "[strict] at end: expect w1 failed quorum-lost\n"
          "[strict] at end: expect 0.003s leader grants w2 token 1\n");
}

TEST(
    "who did not win gives its votes back and tries again a tenth later, plus a hundredth for each candidate before it")
{
    story("case a holds\n"
          "lock leader quorum voters 5 ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader within 9s\n"
          "w2:\n"
          "  wait 0s\n"
          "  acquire leader within 9s\n"
          "at 0s: cut w1 - leader.1\n"
          "at 0s: cut w1 - leader.2\n"
          "at 0s: cut w1 - leader.3\n"
          "at 0s: cut w2 - leader.3\n"
          "at 0s: cut w2 - leader.4\n"
          "at 0s: cut w2 - leader.5\n"
          "at end: expect 0.002s leader.4 votes w1 epoch 1\n"
          "at end: expect 1.000s w1 releases leader.4 token 1\n"
          "at end: expect 1.000s w1 releases leader.5 token 1\n"
          "at end: expect 1.002s leader.4 frees w1 token 1\n"
          "at end: expect not w1 releases leader.1\n"
          "at end: expect 2.000s w1 asks leader.1 epoch 2\n"
          "at end: expect 4.000s w1 asks leader.1 epoch 3\n"
          "at end: expect 1.000s w2 releases leader.1 token 1\n"
          "at end: expect 2.100s w2 asks leader.1 epoch 2\n"
          "at end: expect 4.200s w2 asks leader.1 epoch 3\n"
          "at end: expect 9.000s w1 failed quorum-lost\n");
}

TEST("a voter refuses while another's lease runs, names its promise and changes nothing")
{
    story("case a holds\n"
          "lock leader quorum voters 3 ttl 9s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 20s\n"
          "  release leader\n"
          "w2:\n"
          "  wait 5s\n"
          "  acquire leader\n"
          "at end: expect 5.000s w2 asks leader.1 epoch 1\n"
          "at end: expect 5.002s leader.1 refuses w2 refused epoch 1\n"
          "at end: expect 6.890s w2 asks leader.1 epoch 2\n"
          "at end: expect 6.892s leader.1 refuses w2 refused epoch 1\n"
          "# the live leader's renewals go on\n"
          "at end: expect 9.006s w1.keeper renewed leader token 1\n"
          "at end: expect not w1 failed lease-lost\n"
          "at end: expect w2 acquires leader\n");
}

TEST("an epoch stays promised when the vote was given back, also over a restart")
{
    story("case kept holds\n"
          "case forgotten without monotonic-token violates one-vote by w2\n"
          "lock leader quorum voters 3 ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader within 4s\n"
          "w2:\n"
          "  wait 6s\n"
          "  acquire leader within 1s\n"
          "at 0s: cut w1 - leader.2\n"
          "at 0s: cut w1 - leader.3\n"
          "at 5s: crash leader.1 for 500ms\n"
          "at end: expect 2.002s leader.1 votes w1 epoch 2\n"
          "[kept] at end: expect 6.002s leader.1 refuses w2 refused epoch 2\n"
          "[forgotten] at end: expect 6.002s leader.1 votes w2 epoch 1\n"
          "at end: expect 6.003s w2 acquires leader token 1\n");
}

TEST("a vote is on disk before it is answered; without durable-grant a voter forgets and votes again")
{
    story("case durable holds\n"
          "case forgetful without durable-grant violates one-vote and single-grant\n"
          "lock leader quorum voters 3 ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "w2:\n"
          "  wait 5s\n"
          "  acquire leader within 3s\n"
          "at 3s: crash leader.1 leader.2 for 1s\n"
          "[durable] at end: expect 5.002s leader.1 refuses w2 refused epoch 1\n"
          "[durable] at end: expect w2 failed quorum-lost\n"
          "[forgetful] at end: expect leader.1 votes w2\n"
          "[forgetful] at end: expect w2 acquires leader\n");
}

TEST("a voter that lost everything waits out the longest lease before it votes again")
{
    story("case a holds\n"
          "lock leader quorum voters 3 ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 12s\n"
          "w2:\n"
          "  wait 5s\n"
          "  acquire leader within 20s\n"
          "at 3s: crash leader.1 for 1s losing everything\n"
          "at end: expect 5.002s leader.1 refuses w2 refused epoch 0\n"
          "at 14s: expect not leader.1 votes w2\n"
          "at end: expect w2 acquires leader\n");
}

TEST("a quarantine begun is not shortened by a second crash")
{
    story("case a holds\n"
          "lock leader quorum voters 1 ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  wait 5s\n"
          "  acquire leader within 30s\n"
          "at 1s: crash leader.1 for 1s losing everything\n"
          "at 3s: crash leader.1 for 1s\n"
          "at 11.9s: expect not leader.1 votes w1\n"
          "at end: expect leader.1 votes w1\n");
}

TEST("a renewal needs a majority, and no more")
{
    story("case a holds\n"
          "lock leader quorum voters 5 ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 20s\n"
          "at 1s: cut w1 - leader.1\n"
          "at 1s: cut w1 - leader.2\n"
          "at end: expect 3.006s w1.keeper renewed leader token 1\n"
          "at end: expect 18.006s w1.keeper renewed leader token 1\n"
          "at end: expect 9.002s leader.1 expires w1 token 1\n"
          "at 20s: expect w1 holds leader\n"
          "at end: expect not w1 failed lease-lost\n");
}

TEST("without a majority the renewal is sent again, and the watchdog ends the work")
{
    story("case a holds\n"
          "lock leader quorum voters 5 ttl 9s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 20s\n"
          "at 1s: cut w1 - leader.1\n"
          "at 1s: cut w1 - leader.2\n"
          "at 1s: cut w1 - leader.3\n"
          "at end: expect 3.003s w1.keeper renews leader.1 token 1\n"
          "at end: expect 4.503s w1.keeper renews leader.1 token 1\n"
          "at end: expect not 4.503s w1.keeper renews leader.4\n"
          "at end: expect not w1.keeper renewed leader\n"
          "at end: expect 8.910s w1 failed lease-lost\n");
}

TEST("so many refusals that no majority is left stop the program at once")
{
    story("case stopped holds\n"
          "case logged without stop-on-loss holds\n"
          "lock leader quorum voters 5 ttl 9s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 5s\n"
          "w2:\n"
          "  wait 1s\n"
          "  force-release leader\n"
          "at end: expect 1.002s leader.5 forces w1 token 1\n"
          "at end: expect 3.005s leader.3 refuses w1.keeper not-holder token 1 epoch 1\n"
          "[stopped] at end: expect 3.006s w1.keeper failed not-holder\n"
          "[stopped] at end: expect 3.006s w1 failed lease-lost\n"
          "[logged] at end: expect not w1 failed lease-lost\n"
          "at 2s: expect not w1 holds leader\n");
}

TEST("a vote that comes after the canvass is given back")
{
    story("case a holds\n"
          "lock leader quorum voters 3 ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader within 1.5s\n"
          "  on quorum-lost: go on\n"
          "  wait 5s\n"
          "at 0s: cut w1 - leader.3\n"
          "at 0s: delay leader.2 -> w1 by 3s\n"
          "at end: expect 0.002s leader.2 votes w1 epoch 1\n"
          "at end: expect 1.000s w1 releases leader.1 token 1\n"
          "at end: expect not 1.000s w1 releases leader.2\n"
          "at end: expect 1.500s w1 failed quorum-lost\n"
          "at end: expect 3.003s w1 releases leader.2 token 1\n"
          "at end: expect 3.005s leader.2 frees w1 token 1\n");
}

TEST("a copy of a vote that counts gives nothing back")
{
    story("case a holds\n"
          "lock leader quorum voters 3 ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 1s\n"
          "at 0s: cut w1 - leader.3\n"
          "at 0s: duplicate leader.1 -> w1 after 10ms\n"
          "at 0s: delay leader.2 -> w1 by 500ms\n"
          "at end: expect not w1 releases leader.1\n"
          "at end: expect 0.503s leader grants w1 token 1\n");
}

TEST("a vote that comes after the election was won counts as given and is kept")
{
    story("case a holds\n"
          "lock leader quorum voters 3 ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 1s\n"
          "at 0s: delay leader.3 -> w1 by 500ms\n"
          "at end: expect 0.003s leader grants w1 token 1\n"
          "at end: expect not w1 releases leader.3\n");
}

TEST("within ends a canvass with quorum-lost and gives back what it got")
{
    story("case a holds\n"
          "lock leader quorum voters 3 ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader within 500ms\n"
          "at 0s: cut w1 - leader.2\n"
          "at 0s: cut w1 - leader.3\n"
          "at end: expect 0.500s w1 failed quorum-lost\n"
          "at end: expect 0.500s w1 releases leader.1 token 1\n"
          "at end: expect 0.502s leader.1 frees w1 token 1\n");
}

TEST("try canvasses once")
{
    story("case a holds\n"
          "lock leader quorum voters 3 ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader try\n"
          "at 0s: cut w1 - leader.2\n"
          "at 0s: cut w1 - leader.3\n"
          "at end: expect 1.000s w1 failed quorum-lost\n"
          "at end: expect not 2.000s w1 asks leader.1\n");
}

TEST("voters that nobody runs are neither votes nor refusals")
{
    story("case a holds\n"
          "lock leader quorum voters 3 ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 10s\n"
          "at 0.5s: crash leader.2\n"
          "at end: expect 1.003s leader grants w1 token 1\n"
          "at end: expect w1.keeper renewed leader\n");
}

TEST("a voter that slept through a lease's end sees it before it serves")
{
    story("case a holds\n"
          "lock leader quorum voters 1 ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "w2:\n"
          "  wait 7.898s\n"
          "  acquire leader\n"
          "at 9.9995s: pause leader.1 for 1s\n"
          "at end: expect 9.998s w2 asks leader.1 epoch 2\n"
          "at end: expect 10.9995s leader.1 expires w1 token 1\n"
          "at end: expect 10.9995s leader.1 votes w2 epoch 2\n");
}

TEST("no leader among: votes that all come from the voters named, or the node itself")
{
    story("case a holds\n"
          "lock leader quorum voters 3 ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  wait 12s\n"
          "w2:\n"
          "  wait 1s\n"
          "at 0s: cut w1 - leader.3\n"
          "at 1s: expect not no leader among w1\n"
          "at 1s: expect not no leader among leader.1 leader.2\n"
          "at 1s: expect no leader among leader.1 leader.3 w2\n"
          "at 11s: expect no leader among w1 w2 leader.1 leader.2 leader.3\n");
}

TEST("a restarted candidate asks with the epoch it knows, and is refused while its former self's lease runs")
{
    story("case fresh holds\n"
          "case same-name without fresh-identity violates single-grant\n"
          "lock leader quorum voters 3 ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 20s\n"
          "at 1s: crash w1 for 1s\n"
          "[fresh] at end: expect 2.002s leader.1 refuses w1 refused epoch 1\n"
          "[fresh] at end: expect w1 acquires leader\n"
          "[same-name] at 6s: expect w1 believes leader\n");
}

TEST("without one-clock a voter judges by the candidate's timestamp")
{
    story("case foreign without one-clock violates no-early-regrant\n"
          "case own holds\n"
          "lock leader quorum voters 3 ttl 10s\n"
          "node w1 wall -9s\n"
          "node w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 5s\n"
          "w2:\n"
          "  wait 3s\n"
          "  acquire leader\n"
          "[foreign] at end: expect 1.000s leader.1 expires w1 token 1\n"
          "[foreign] at end: expect w2 acquires leader\n"
          "[own] at end: expect 10.002s leader.1 expires w1 token 1\n");
}

TEST("a late release by the epoch gives nobody else's vote back")
{
    story("case by-name without release-token violates owner-releases by w1\n"
          "case by-token holds\n"
          "lock leader quorum voters 1 ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 1s\n"
          "  release leader\n"
          "w2:\n"
          "  wait 8.9s\n"
          "  acquire leader\n"
          "  work 5s\n"
          "at 0.5s: delay w1 -> leader.1 by 12s\n"
          "[by-token] at end: expect leader.1 refuses w1 not-holder\n"
          "[by-name] at end: expect 13.005s leader.1 frees w2 token 2 by w1\n");
}

TEST("a quorum's lease that rests on an early vote ends with it, and a leader elected then is no violation")
{
    story("case a holds\n"
          "lock leader quorum voters 5 ttl 10s\n"
          "net w1 -> leader.3 delay 900ms\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "w2:\n"
          "  wait 7.910s\n"
          "  acquire leader\n"
          "at 0s: cut w1 -> leader.4\n"
          "at 0s: cut w1 -> leader.5\n"
          "at end: expect 0.901s leader.3 votes w1 epoch 1\n"
          "at end: expect 0.902s leader grants w1 token 1\n"
          "at end: expect 10.002s leader.1 expires w1 token 1\n"
          "at end: expect 10.013s leader grants w2 token 2\n");
}

TEST("an operator who takes votes back between the voting and the counting has freed the lock")
{
    story("case a holds\n"
          "lock leader quorum voters 3 ttl 10s\n"
          "node w1 w2 w3\n"
          "w1:\n"
          "  acquire leader\n"
          "w2:\n"
          "  wait 500us\n"
          "  force-release leader\n"
          "w3:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "at end: expect 0.0025s leader.1 forces w1 token 1\n"
          "at end: expect 0.003s leader grants w1 token 1\n"
          "at end: expect 3.103s leader grants w3 token 2\n");
}

TEST("a holder that canvasses anew and gives that vote back has given back the one its lease rested on")
{
    story("case a holds\n"
          "lock leader quorum voters 1 ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  wait 2s\n"
          "  acquire leader try\n"
          "  on quorum-lost: go on\n"
          "  wait 20s\n"
          "w2:\n"
          "  wait 5s\n"
          "  acquire leader\n"
          "at 1s: delay leader.1 -> w1 by 2s\n"
          "at end: expect 2.005s leader.1 votes w1 epoch 2\n"
          "at end: expect 3.003s w1 failed quorum-lost\n"
          "at end: expect 4.008s leader.1 frees w1 token 2\n"
          "at end: expect w2 acquires leader token 3\n");
}

TEST("a candidate that was paused in its canvass wins nothing by votes that it reads after the tenth")
{
    story("case paused holds\n"
          "case suspended holds\n"
          "lock leader quorum voters 3 ttl 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader within 20s\n"
          "  on quorum-lost: go on\n"
          "w2:\n"
          "  wait 10s\n"
          "  acquire leader\n"
          "  work 20s\n"
          "[paused] at 0.0025s: pause w1 for 15s\n"
          "[suspended] at 0.0025s: suspend w1 for 15s\n"
          "at 19s: expect w2 holds leader\n"
          "at 19s: expect not leader grants w1\n");
}

TEST("a holder that canvasses anew counts votes for that canvass alone, not the answers to its keeper")
{
    story("case a holds\n"
          "lock leader quorum voters 3 ttl 3s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  wait 1001ms\n"
          "  acquire leader within 10s\n"
          "  on lease-lost: stop\n"
          "at 1s: drop w1 -> leader.2 #2\n"
          "at 1s: drop w1 -> leader.3 #2\n"
          "at end: expect 1.006s leader.1 votes w1 epoch 2\n"
          "at end: expect not 1.007s leader grants w1 token 2\n");
}

TEST("an answer that comes when a client is about to ask again is taken, and nothing goes on twice")
{
    story("case a holds\n"
          "lock leader central ttl 300ms\n"
          "node w1\n"
          "w1:\n"
          "  repeat 2:\n"
          "    acquire leader\n"
          "after w1 resumes: timers first\n"
          "before leader grants w1 #1: pause w1 for 6002ms\n"
          "at 61s: heal\n"
          "at end: expect w1 acquires leader token 2\n"
          "at end: expect not w1 acquires leader token 3\n");
}

TEST("a candidate that can never win ends the run")
{
    story("case a holds\n"
          "lock leader quorum voters 3 ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "at 0s: cut w1 - leader.2\n"
          "at 0s: cut w1 - leader.3\n"
          "at end: expect not w1 acquires leader\n");
}

/* --- stores, effects, pings --------------------------------------------------------------------- */

TEST("a stale token is refused, an equal one is taken")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  on stale-token: go on\n"
          "  write ledger 1 token 5\n"
          "  write ledger 2 token 5\n"
          "  write ledger 3 token 4\n"
          "  write ledger 4 token 6\n"
          "at end: expect 0.002s ledger commits w1 token 5 1\n"
          "at end: expect ledger commits w1 token 5 2\n"
          "at end: expect 0.008s ledger refuses w1 stale-token token 4\n"
          "at end: expect ledger commits w1 token 6 4\n"
          "at end: expect ledger.token = 6\n"
          "at end: expect ledger = 4\n");
}

TEST("token 0 is a token")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  write ledger 1 token 0\n"
          "  write ledger 2\n"
          "at end: expect w1 failed stale-token\n"
          "at end: expect ledger.token = 0\n");
}

TEST("a write without a token passes only where no token was ever seen")
{
    story("case a holds\n"
          "case ungated without store-token holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  write ledger 1\n"
          "  write ledger 2\n"
          "  write ledger 3 token 1\n"
          "  write ledger 4\n"
          "at end: expect ledger commits w1 2\n"
          "[a] at end: expect w1 failed stale-token\n"
          "[a] at end: expect ledger = 3\n"
          "[ungated] at end: expect ledger = 4\n");
}

TEST("an explicit token of none is no token")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  read ledger as x\n"
          "  write ledger 1 token x\n"
          "  write ledger 2 token x.token\n"
          "at end: expect ledger = 2\n"
          "at end: expect ledger.token = 0\n");
}

TEST("tokens of two issuers are never compared")
{
    story("case a holds\n"
          "lock one central ttl 60s\n"
          "lock two central ttl 60s\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  repeat 5:\n"
          "    acquire one\n"
          "    release one\n"
          "  acquire one\n"
          "  write ledger \"one\"\n"
          "w2:\n"
          "  acquire two\n"
          "  wait 1s\n"
          "  write ledger \"two\"\n"
          "at end: expect ledger commits w1 token 6 \"one\"\n"
          "at end: expect ledger commits w2 token 1 \"two\"\n"
          "at end: expect ledger = \"two\"\n");
}

TEST("token EXPR speaks for the lock that guards the store")
{
    story("case a holds\n"
          "lock one central ttl 60s\n"
          "lock two central ttl 60s\n"
          "store ledger guarded by two\n"
          "store open guarded by one\n"
          "node w1\n"
          "w1:\n"
          "  on stale-token: go on\n"
          "  acquire two\n"
          "  release two\n"
          "  acquire two\n"
          "  release two\n"
          "  acquire two\n"
          "  write ledger \"three\"\n"
          "  write ledger \"guard\" token 2\n"
          "  write open \"one\" token 1\n"
          "  write open \"two\"\n"
          "at end: expect ledger refuses w1 stale-token token 2\n"
          "at end: expect open commits w1 token 1 \"one\"\n"
          "at end: expect open commits w1 token 3 \"two\"\n"
          "at end: expect open.token = 3\n");
}

TEST("with atomic-check the store asks as it commits; without it the world moves on in between")
{
    story("case atomic holds\n"
          "case early without atomic-check violates no-stale-write by w1\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  wait until 1.5s\n"
          "  write ledger \"old\" token 1\n"
          "w2:\n"
          "  wait until 3s\n"
          "  write ledger \"new\" token 2\n"
          "at 1s: slow ledger by 3s for 1s\n"
          "at end: expect 3.002s ledger commits w2 token 2 \"new\"\n"
          "[atomic] at end: expect 4.502s ledger refuses w1 stale-token token 1\n"
          "[early] at end: expect 4.502s ledger commits w1 token 1 \"old\"\n");
}

TEST("without atomic-check what is stale at its arrival is refused at once")
{
    story("case early without atomic-check holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  write ledger 1 token 2\n"
          "  write ledger 2 token 1\n"
          "at end: expect 0.004s ledger refuses w1 stale-token token 1\n");
}

TEST("a write if unchanged conflicts with whoever wrote since this thread read")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  on conflict: go on\n"
          "  write ledger/x 0 if unchanged\n"
          "  read ledger/x as x\n"
          "  wait 2s\n"
          "  write ledger/x x + 1 if unchanged\n"
          "  read ledger/x as x\n"
          "  write ledger/x x + 1 if unchanged\n"
          "  delete ledger/x\n"
          "w2:\n"
          "  wait 1s\n"
          "  write ledger/x 10\n"
          "  write ledger/y 1 if unchanged\n"
          "at end: expect ledger commits w1 key ledger/x 0\n"
          "at end: expect w1 failed conflict\n"
          "at end: expect ledger commits w1 key ledger/x 11\n"
          "at end: expect ledger/x = none\n"
          "at end: expect ledger/y = 1\n");
}

TEST("a blind read-modify-write loses an update")
{
    story("case a violates no-lost-update by w1\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  read ledger as x\n"
          "  if x = none:\n"
          "    let x = 0\n"
          "  wait 2s\n"
          "  write ledger 1\n"
          "  read ledger as y\n"
          "  wait 2s\n"
          "  write ledger y + 1\n"
          "w2:\n"
          "  wait 3s\n"
          "  write ledger 7\n"
          "at end: expect ledger = 2\n");
}

TEST("a value that was made from two reads is still based on the register that it is written to")
{
    story("case a violates no-lost-update by w1\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  write ledger/x 1\n"
          "  write ledger/y 1\n"
          "  read ledger/y as y\n"
          "  read ledger/x as x\n"
          "  let sum = y + x\n"
          "  wait 2s\n"
          "  write ledger/x sum\n"
          "w2:\n"
          "  wait 1s\n"
          "  write ledger/x 7\n"
          "at end: expect ledger/x = 2\n");
}

TEST("deleting a key keeps the mark; without lasting-fence the mark goes with it")
{
    story("case lasting holds\n"
          "case gone without lasting-fence violates no-stale-write\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  write ledger/x 1 token 5\n"
          "  delete ledger/x token 5\n"
          "  write ledger/y 2 token 4\n"
          "at end: expect ledger removes w1 token 5 key ledger/x\n"
          "at end: expect ledger/x = none\n"
          "[lasting] at end: expect w1 failed stale-token\n"
          "[gone] at end: expect ledger/y = 2\n");
}

TEST("without lasting-fence and with marks per key only that key's mark goes")
{
    story("case gone without lasting-fence holds\n"
          "store ledger marks per key\n"
          "node w1\n"
          "w1:\n"
          "  write ledger/x 1 token 5\n"
          "  write ledger/y 1 token 5\n"
          "  delete ledger/x token 5\n"
          "  write ledger/y 2 token 4\n"
          "at end: expect w1 failed stale-token\n");
}

TEST("a mark for each key lets a stale write by at another key")
{
    story("case trap violates no-stale-write by w1\n"
          "store ledger marks per key\n"
          "node w1\n"
          "w1:\n"
          "  on stale-token: go on\n"
          "  write ledger/x 1 token 5\n"
          "  write ledger/x 2 token 4\n"
          "  write ledger/y 3 token 4\n"
          "at end: expect ledger/x = 1\n"
          "at end: expect ledger/y = 3\n"
          "at end: expect ledger.token = 5\n");
}

TEST("a fence raises every key's mark")
{
    story("case a holds\n"
          "store ledger marks per key\n"
          "node w1\n"
          "w1:\n"
          "  fence ledger token 5\n"
          "  write ledger/x 1 token 4\n"
          "  on stale-token: go on\n"
          "  write ledger/y 1 token 4\n"
          "at end: expect 0.002s ledger raises w1 token 5\n"
          "at end: expect ledger/x = none\n"
          "at end: expect w1 failed stale-token\n");
}

TEST("a fence with this thread's token shuts the earlier holder out, and a stale fence is refused")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  wait 1s\n"
          "  write ledger \"from w1\"\n"
          "w2:\n"
          "  wait 11s\n"
          "  acquire leader\n"
          "  fence ledger\n"
          "  fence ledger token 1\n"
          "before w1 writes ledger: pause w1 for 12s\n"
          "at end: expect ledger raises w2 token 2\n"
          "at end: expect w1 failed stale-token\n"
          "at end: expect w2 failed stale-token\n"
          "at end: expect ledger = none\n");
}

TEST("a store that lost everything has lost values and marks, and an acknowledged write with them")
{
    story("case a violates no-lost-ack by w1 and no-stale-write\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  write ledger/x 1 token 5\n"
          "  write ledger/y 1 token 5\n"
          "  delete ledger/y token 5\n"
          "  wait 5s\n"
          "  write ledger/y 2 token 4\n"
          "at 2s: crash ledger for 1s losing everything\n"
          "at end: expect 2.000s ledger forgets ledger/x\n"
          "at end: expect not ledger forgets ledger/y\n"
          "at end: expect ledger/x = none\n"
          "at end: expect ledger/y = 2\n");
}

TEST("an acknowledgement on its way does not save a write that the store then loses")
{
    story("case a violates no-lost-ack\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  write ledger 1\n"
          "at 0s: delay ledger -> w1 by 2s\n"
          "at 1s: crash ledger for 1s losing everything\n"
          "at end: expect ledger = none\n");
}

TEST("what was committed survives a crash")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  write ledger 1 token 5\n"
          "  wait 5s\n"
          "  write ledger 2 token 4\n"
          "at 2s: crash ledger for 1s\n"
          "at end: expect w1 failed stale-token\n"
          "at end: expect ledger = 1\n");
}

TEST("a repeated request is answered as the first was and changes nothing")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  write ledger 1\n"
          "  wait 5s\n"
          "at 0s: duplicate w1 -> ledger after 2s\n"
          "at end: expect 0.002s ledger commits w1 1\n"
          "at end: expect not 2.002s ledger commits w1\n"
          "at end: expect not 2.003s ledger commits w1\n");
}

TEST("a repeated request that comes while the first is being served changes nothing either")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  write ledger 1\n"
          "  wait 5s\n"
          "at 0s: slow ledger by 3s for 10s\n"
          "at 0s: duplicate w1 -> ledger after 1s\n"
          "at end: expect 3.002s ledger commits w1 1\n"
          "at end: expect not 4.002s ledger commits w1\n");
}

TEST("a store that forgets requests does a repeated one again")
{
    story("case a holds\n"
          "store ledger forgets requests\n"
          "node w1 w2\n"
          "w1:\n"
          "  write ledger 1\n"
          "w2:\n"
          "  wait 1s\n"
          "  write ledger 2\n"
          "at 0s: duplicate w1 -> ledger after 3s\n"
          "at end: expect 3.002s ledger commits w1 1\n"
          "at end: expect ledger = 1\n");
}

TEST("a write whose answer is lost is unknown: it fails with timeout, and its effect stays")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  write ledger 1\n"
          "at 0s: drop ledger -> w1\n"
          "at end: expect 5.000s w1 failed timeout\n"
          "at end: expect ledger = 1\n");
}

TEST("an answer that comes after the timeout is dropped")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  read ledger as x\n"
          "  on timeout:\n"
          "    work 3s\n"
          "    if x = none:\n"
          "      stop\n"
          "  work 1s\n"
          "at 0s: delay ledger -> w1 by 6s\n"
          "at end: expect 5.000s w1 failed timeout\n"
          "at end: expect not w1 gets ledger\n");
}

TEST("a request to a crashed process is answered unreachable after a round trip")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  wait 1s\n"
          "  write ledger 1\n"
          "at 0.5s: crash ledger\n"
          "at end: expect 1.002s w1 failed unreachable\n");
}

TEST("reads answer at once, with value, version and mark")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  write ledger 7 token 3\n"
          "  read ledger as x\n"
          "  if x = 7 and x.token = 3:\n"
          "    stop\n"
          "at end: expect 0.004s ledger answers w1 7\n"
          "at end: expect 0.005s w1 gets ledger 7\n"
          "at end: expect w1 stops\n");
}

TEST("require reads what it names and fails refused")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  on refused: go on\n"
          "  require ledger.token < 5\n"
          "  write ledger 1 token 5\n"
          "  require ledger.token < 5\n"
          "  require ledger = 1\n"
          "at end: expect w1 failed refused\n"
          "at end: expect 0.002s w1 requires\n");
}

TEST("an effect with a key happens once; without effect-key it happens again")
{
    story("case keyed holds\n"
          "case again without effect-key violates effect-once by w2\n"
          "node w1 w2\n"
          "w1:\n"
          "  effect \"charge card\" key \"order-7\"\n"
          "  effect \"charge card\" key \"order-8\"\n"
          "  effect \"send mail\"\n"
          "w2:\n"
          "  wait 1s\n"
          "  effect \"charge card\" key \"order-7\"\n"
          "  effect \"send mail\"\n"
          "[keyed] at end: expect effect \"charge card\" 2 times\n"
          "[keyed] at end: expect w2 repeats key \"order-7\"\n"
          "[again] at end: expect effect \"charge card\" 3 times\n"
          "at end: expect effect \"send mail\" 2 times\n");
}

TEST("a node that runs no program answers a ping; a crashed one does not, and a cut one says nothing")
{
    story("case a holds\n"
          "node w1 w2 w3\n"
          "store ledger\n"
          "w1:\n"
          "  ping w2\n"
          "  ping ledger\n"
          "  ping w3 within 1s\n"
          "  on unreachable: go on\n"
          "  wait until 2s\n"
          "  ping w2 within 1s\n"
          "at 0s: crash w3\n"
          "at 1.5s: cut w1 -> w2\n"
          "at end: expect 0.002s w1 pings ledger\n"
          "at end: expect 0.006s w1 failed unreachable\n"
          "at end: expect 3.000s w1 failed timeout\n");
}

/* --- programs ----------------------------------------------------------------------------------- */

TEST("a step's own handler runs, and the program goes on behind it")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  write ledger 1 token 5\n"
          "  write ledger 2 token 4\n"
          "  on stale-token:\n"
          "    wait 1s\n"
          "    write ledger 3 token 5\n"
          "  write ledger/x 4\n"
          "  on conflict: go on\n"
          "  on stale-token: go on\n"
          "  stop\n"
          "at end: expect ledger = 3\n"
          "at end: expect w1 stops\n");
}

TEST("a program-wide handler serves every step without its own, and goes on with the next")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  on stale-token:\n"
          "    effect \"seen\"\n"
          "  write ledger 1 token 5\n"
          "  write ledger 2 token 4\n"
          "  write ledger 3 token 4\n"
          "  on stale-token:\n"
          "    effect \"own\"\n"
          "  write ledger 4 token 6\n"
          "at end: expect effect \"seen\" once\n"
          "at end: expect effect \"own\" once\n"
          "at end: expect ledger = 4\n");
}

TEST("an error in a program-wide handler is not handled by it")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  on stale-token:\n"
          "    write ledger 9 token 1\n"
          "  write ledger 1 token 5\n"
          "  write ledger 2 token 4\n"
          "  effect \"never\"\n"
          "at end: expect w1 failed stale-token\n"
          "at end: expect effect \"never\" 0 times\n");
}

TEST("a handler for another error does not help")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  write ledger 1 token 5\n"
          "  write ledger 2 token 4\n"
          "  on conflict:\n"
          "    effect \"never\"\n"
          "  effect \"never\"\n"
          "at end: expect effect \"never\" 0 times\n");
}

TEST("loops, branches and waits")
{
    story("case a holds\n"
          "until 10s\n"
          "node w1 w2\n"
          "w1:\n"
          "  let n = 0\n"
          "  repeat 3:\n"
          "    let n = n + 1\n"
          "    if n = 2:\n"
          "      effect \"two\"\n"
          "    else:\n"
          "      effect \"other\"\n"
          "  repeat 0:\n"
          "    effect \"never\"\n"
          "  wait until 2s\n"
          "  effect \"at two\"\n"
          "  wait until 1s\n"
          "  work 0s\n"
          "w2:\n"
          "  repeat every 3s:\n"
          "    effect \"beat\"\n"
          "    work 1s\n"
          "at 9.5s: expect effect \"beat\" 4 times\n"
          "at end: expect effect \"two\" once\n"
          "at end: expect effect \"other\" 2 times\n"
          "at end: expect effect \"never\" 0 times\n"
          "at end: expect w1 works\n");
}

TEST("rounds of `repeat every` that a pause missed are not made up for")
{
    story("case a holds\n"
          "until 20s\n"
          "node w1\n"
          "w1:\n"
          "  repeat every 3s:\n"
          "    effect \"beat\"\n"
          "at 4s: pause w1 for 10s\n"
          "at 19s: expect effect \"beat\" 5 times\n"
          "at end: expect 14.000s w1 effects \"beat\"\n"
          "at end: expect 15.000s w1 effects \"beat\"\n"
          "at end: expect effect \"beat\" 5 times\n");
}

TEST("work counts running time, wait goes on through a pause")
{
    story("case a holds\n"
          "node w1 w2\n"
          "w1:\n"
          "  work 2s\n"
          "  stop\n"
          "w2:\n"
          "  wait 2s\n"
          "  stop\n"
          "at 1s: pause w1 w2 for 5s\n"
          "at end: expect 7.000s w1 stops\n"
          "at end: expect 6.000s w2 stops\n");
}

TEST("a caller who asks for ever for what cannot come ends the run")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "at 0.5s: crash leader\n"
          "at end: expect not w1 acquires leader\n");
}

TEST("a thread that was given the lock as it gave up does not believe it")
{
    story("case a holds\n"
          "lock leader central ttl 30s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader within 2s\n"
          "  on timeout: go on\n"
          "  wait 5s\n"
          "at 0s: delay leader -> w1 by 3s\n"
          "at 4s: expect not w1 believes leader\n"
          "at 4s: expect w1 holds leader\n");
}

/* --- faults before an act ----------------------------------------------------------------------- */

TEST("faults before what a service does: it is done when the service runs on")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  write ledger/x 1\n"
          "  delete ledger/x\n"
          "  fence ledger\n"
          "  keep leader\n"
          "  work 4s\n"
          "  release leader\n"
          "w2:\n"
          "  wait 11s\n"
          "  acquire leader\n"
          "before leader grants w1: pause leader for 1s\n"
          "before ledger commits w1: pause ledger for 1s\n"
          "before ledger removes w1: pause ledger for 1s\n"
          "before ledger raises w1: pause ledger for 1s\n"
          "before leader extends w1: pause leader for 100ms\n"
          "before leader frees w1: pause leader for 100ms\n"
          "before leader expires w2: pause leader for 1s\n"
          "at end: expect 1.002s leader grants w1 token 1\n"
          "at end: expect 2.005s ledger commits w1\n"
          "at end: expect 3.008s ledger removes w1\n"
          "at end: expect 4.011s ledger raises w1\n"
          "at end: expect leader extends w1\n"
          "at end: expect leader frees w1\n"
          "at 25s: expect not w2 holds leader\n"
          "at end: expect leader expires w2\n");
}

TEST("faults before what a voter does")
{
    story("case a holds\n"
          "lock leader quorum voters 1 ttl 10s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  work 4s\n"
          "  release leader\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "before leader.1 votes w1: pause leader.1 for 100ms\n"
          "before leader grants w1: pause w1 for 100ms\n"
          "before leader.1 extends w1: pause leader.1 for 100ms\n"
          "before leader.1 frees w1: pause leader.1 for 100ms\n"
          "before leader.1 expires w1: pause leader.1 for 100ms\n"
          "at 30s: expect not w1 holds leader\n"
          "at end: expect 0.102s leader.1 votes w1\n"
          "at end: expect 0.203s leader grants w1 token 1\n"
          "at end: expect leader.1 extends w1\n"
          "at end: expect leader.1 frees w1\n"
          "at end: expect leader.1 expires w1\n");
}

TEST("faults before what a client does: the check was made, and is not made again")
{
    story("case a holds\n"
          "lock leader central ttl 60s\n"
          "lock chief quorum voters 1 ttl 60s\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  keep leader\n"
          "  check leader\n"
          "  read ledger as x\n"
          "  write ledger x\n"
          "  delete ledger\n"
          "  fence ledger\n"
          "  require ledger = none\n"
          "  effect \"once\"\n"
          "  ping w2\n"
          "  work 1s\n"
          "  work 20s\n"
          "  release leader\n"
          "  force-release leader\n"
          "  acquire chief\n"
          "  release chief\n"
          "  force-release chief\n"
          "  stop\n"
          "before w1 asks leader: pause w1 for 1s\n"
          "before w1.keeper renews leader: pause w1.keeper for 1s\n"
          "before w1 checks leader: pause w1 for 1s\n"
          "before w1 reads ledger: pause w1 for 1s\n"
          "before w1 writes ledger: pause w1 for 1s\n"
          "before w1 deletes ledger: pause w1 for 1s\n"
          "before w1 fences ledger: pause w1 for 1s\n"
          "before w1 requires: pause w1 for 1s\n"
          "before w1 effects: pause w1 for 1s\n"
          "before w1 pings w2: pause w1 for 1s\n"
          "before w1 works: pause w1 for 1s\n"
          "before w1 releases leader: pause w1 for 1s\n"
          "before w1 force-releases leader: pause w1 for 1s\n"
          "before w1 asks chief.1: pause w1 for 1s\n"
          "before w1 releases chief: pause w1 for 1s\n"
          "before w1 force-releases chief: pause w1 for 1s\n"
          "at end: expect 1.000s w1 asks leader\n"
          "at end: expect 2.003s w1 checks leader\n"
          "at end: expect effect \"once\" once\n"
          "at end: expect w1 stops\n");
}

TEST("a crash before a service acts takes the act with it")
{
    story("case a holds\n"
          "lock leader central ttl 10s\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader\n"
          "  write ledger 1\n"
          "before leader grants w1: crash leader for 1s\n"
          "before ledger commits w1: crash ledger for 1s\n"
          "at end: expect 5.000s w1 asks leader\n"
          "at end: expect 5.002s leader grants w1 token 1\n"
          "at end: expect w1 failed timeout\n"
          "at end: expect ledger = none\n");
}

TEST("a turn that meets a client in a pause before its asking is answered when it runs on")
{
    story("case a holds\n"
          "lock leader central ttl 60s\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 5s\n"
          "  release leader\n"
          "w2:\n"
          "  wait 1s\n"
          "  acquire leader\n"
          "before w2 asks leader #2: pause w2 for 2s\n"
          "at end: expect 7.006s w2 asks leader\n"
          "at end: expect 7.008s leader grants w2 token 2\n");
}

/* --- errors of the scenario --------------------------------------------------------------------- */

TEST("arithmetic that overflows is an error of its line")
{
    story_fails("case a holds\n"
                "node w1\n"
                "w1:\n"
                "  let x = 9223372036854775807\n"
                "  let y = 1\n"
                "  let z = x + y\n"
                "  effect \"never\" key z\n",
                FAIL_OVERFLOW, 6);
}

TEST("an overflow is an error wherever an expression stands")
{
    static const char *const step[] = {"  write ledger x + y\n",       "  write ledger 1 token x + y\n",
                                       "  fence ledger token x + y\n", "  effect \"e\" key x + y\n",
                                       "  repeat x + y:\n    stop\n",  "  if x + y = 1:\n    stop\n",
                                       "  require x + y = 1\n"};
    for (uint32_t i = 0; i < sizeof step / sizeof step[0]; i++) {
        char story_text[512];
        (void)snprintf(story_text, sizeof story_text,
                       "case a holds\n"
                       "store ledger\n"
                       "node w1\n"
                       "w1:\n"
                       "  write ledger 0\n"
                       "  let x = 9223372036854775807\n"
                       "  let y = 1\n"
                       "%s",
                       step[i]);
        story_fails(story_text, FAIL_OVERFLOW, 8);
    }
    story_fails("case a holds\n"
                "node w1\n"
                "w1:\n"
                "  let t = boottime\n"
                "  let x = 9223372036854775807\n"
                "  let y = x - 1 + 2\n"
                "  work t\n"
                "  effect \"never\" key y\n",
                FAIL_OVERFLOW, 6);
}

TEST("a duration that was computed is worked and waited like any other")
{
    story("case a holds\n"
          "node w1\n"
          "w1:\n"
          "  let t = 1s + 500ms\n"
          "  work t\n"
          "  wait t + t\n"
          "  stop\n"
          "at end: expect 4.500s w1 stops\n");
}

TEST("a condition that is neither true nor false is an error")
{
    story_fails("case a holds\n"
                "store ledger\n"
                "node w1\n"
                "w1:\n"
                "  write ledger 1\n"
                "  read ledger as x\n"
                "  if x:\n"
                "    stop\n",
                FAIL_TYPE, 7);
}

TEST("`repeat` of no count, or of one below zero, is an error")
{
    story_fails("case a holds\n"
                "store ledger\n"
                "node w1\n"
                "w1:\n"
                "  read ledger as x\n"
                "  repeat x:\n"
                "    stop\n",
                FAIL_COUNT, 6);
    story_fails("case a holds\n"
                "node w1\n"
                "w1:\n"
                "  let x = 0 - 1\n"
                "  repeat x:\n"
                "    stop\n",
                FAIL_COUNT, 5);
}

TEST("a duration below zero, or none, is an error")
{
    story_fails("case a holds\n"
                "node w1\n"
                "w1:\n"
                "  let x = 1s - 2s\n"
                "  work x\n",
                FAIL_DURATION, 5);
    story_fails("case a holds\n"
                "store ledger\n"
                "node w1\n"
                "w1:\n"
                "  read ledger as x\n"
                "  wait x\n",
                FAIL_DURATION, 6);
}

TEST("a token below zero, or one that is no number, is an error")
{
    story_fails("case a holds\n"
                "store ledger\n"
                "node w1\n"
                "w1:\n"
                "  let x = 0 - 1\n"
                "  write ledger 1 token x\n",
                FAIL_TOKEN, 6);
    story_fails("case a holds\n"
                "store ledger\n"
                "node w1\n"
                "w1:\n"
                "  write ledger \"a\"\n"
                "  read ledger as x\n"
                "  fence ledger token x\n",
                FAIL_TOKEN, 7);
}

TEST("a lock that was never held can be neither kept, released nor acted for: not-holder, which a program can handle")
{
    story("case a without lease-check holds\n"
          "case b holds\n"
          "lock leader central ttl 10s\n"
          "store ledger\n"
          "node w1 w2 w3 w4\n"
          "w1:\n"
          "  acquire leader\n"
          "  wait 5s\n"
          "w2:\n"
          "  wait 1s\n"
          "  acquire leader try\n"
          "  on refused: go on\n"
          "  keep leader\n"
          "  on not-holder: go on\n"
          "  release leader\n"
          "  on not-holder:\n"
          "    write ledger \"told\"\n"
          "w3:\n"
          "  wait 2s\n"
          "  if me = \"w9\":\n"
          "    acquire leader\n"
          "  write ledger 1 for leader\n"
          "w4:\n"
          "  if me = \"w9\":\n"
          "    acquire leader\n"
          "  work 1s for leader\n"
          "at end: expect ledger = \"told\"\n"
          "[a] at end: expect w3 failed not-holder\n"
          "[a] at end: expect w4 works\n"
          "[b] at end: expect w3 failed lease-lost\n"
          "[b] at end: expect w4 failed lease-lost\n");
}

TEST("a pause before the very first packet begins the program once, and `within` once")
{
    story("case a holds\n"
          "case b holds\n"
          "lock leader central ttl 2s\n"
          "node w1\n"
          "w1:\n"
          "  acquire leader within 3s\n"
          "[a] before w1 asks leader: pause w1 for 1ms\n"
          "[b] before w1 asks leader: pause w1 for 4s\n"
          "[a] at end: expect w1 acquires leader\n"
          "[a] at end: expect not w1 failed timeout\n"
          "[b] at end: expect 4.000s w1 failed timeout\n"
          "[b] at 20s: expect not 7.000s w1 failed timeout\n");
}

TEST("more calls or effects than the case has room for are an error that says so")
{
    story_fails("case a holds\n"
                "limit calls 1\n"
                "store ledger\n"
                "node w1 w2\n"
                "w1:\n"
                "  write ledger 1\n"
                "w2:\n"
                "  write ledger 1\n",
                FAIL_CALLS, 8);
    story_fails("case a holds\n"
                "limit effects 1\n"
                "node w1\n"
                "w1:\n"
                "  effect \"one\"\n"
                "  effect \"two\"\n",
                FAIL_EFFECTS, 6);
}

static size_t put(char *to, size_t n, const char *what)
{
    memcpy(to + n, what, strlen(what) + 1);
    return n + strlen(what);
}

TEST("whatever step needs a call says so when there is no room for it")
{
    static const char *const step[] = {
        "  acquire leader\n", "  read ledger\n",          "  fence ledger\n",  "  delete ledger\n",
        "  ping w1\n",        "  force-release leader\n", "  acquire chief\n", "  force-release chief\n"};
    for (uint32_t i = 0; i < sizeof step / sizeof step[0]; i++) {
        char story_text[512];
        (void)snprintf(story_text, sizeof story_text,
                       "case a holds\n"
                       "limit calls 1\n"
                       "lock leader central ttl 10s\n"
                       "lock chief quorum voters 1 ttl 10s\n"
                       "store ledger\n"
                       "node w1 w2\n"
                       "w1:\n"
                       "  acquire leader\n"
                       "  acquire chief\n"
                       "  write ledger 1\n"
                       "  wait 1s\n"
                       "  write ledger 2\n"
                       "w2:\n"
                       "  wait until 1.010s\n"
                       "%s",
                       step[i]);
        story_fails(story_text, FAIL_CALLS, 15);
    }
}

TEST("an expression of as many values as an expression may have is evaluated")
{
    char story_text[1024];
    size_t n = put(story_text, 0,
                   "case a holds\n"
                   "node w1\n"
                   "w1:\n"
                   "  let t = monotonic\n"
                   "  let u = wall\n"
                   "  if ");
    for (int i = 0; i < 15; i++) /* two values stand below each parenthesis, and two in the last */
        n = put(story_text, n, "t = u or t = u and (");
    n = put(story_text, n, "t = u");
    for (int i = 0; i < 15; i++)
        n = put(story_text, n, ")");
    put(story_text, n,
        ":\n"
        "    stop\n"
        "  effect \"else\"\n"
        "at end: expect effect \"else\" once\n");
    story(story_text);
}

TEST("the largest number is a token like any other")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  write ledger 1 token 9223372036854775807\n"
          "  write ledger 2 token 9223372036854775807\n"
          "  write ledger 3 token 9223372036854775806\n"
          "at end: expect ledger = 2\n"
          "at end: expect w1 failed stale-token\n"
          "at end: expect ledger.token = 9223372036854775807\n");
}

TEST("a renewal that is heard of when its voters have voted for another extends nothing")
{
    story("case fenced holds\n"
          "until 2m\n"
          "lock leader quorum voters 5 ttl 10s\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1, w2:\n"
          "  repeat 2:\n"
          "    acquire leader\n"
          "    keep leader\n"
          "    work 4s\n"
          "    write ledger me\n"
          "    release leader\n"
          "    wait 1s\n"
          "after w2 asks leader.4: partition w1 leader.4 leader.5 ledger | w2 leader.1 leader.2 leader.3 for 20s\n"
          "after w2.keeper renews leader.3: pause w2 for 20s\n"
          "before leader.3 votes w1: crash w1 for 5s\n"
          "at end: expect w2.keeper renewed leader token 1\n");
}
