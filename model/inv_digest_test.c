/* SPDX-License-Identifier: MIT
 *
 * inv_digest_test.c - what of the invariants' memory counts as state: all that a judgement depends on, and no more.
 */
#include "model/job_world.h"
#include "sim/test.h"

static uint64_t digest(const struct world *w, ns now)
{
    struct hasher h = {0};
    invariants_digest_at(&w->j, now, NULL, &h);
    return h.h;
}

/* A worker waits for a job that was given and lapsed; `late` moves all of it, `more` the waiting alone. */
static void waiting(struct world *w, ns late, ns more)
{
    job_world_begins(w);
    fault(w, late, W1, V_CRASHES, value_ns(1 * S), NO);
    grants(w, late + 1 * S, INVOICE, W1, 1);
    lapses(w, late + 31 * S, INVOICE, W1, 1);
    asks(w, late + 40 * S - more, W1);
    waits(w, late + 40 * S - more, W2);
}

TEST("the invariants' memory is the same state whenever it happened, as far as a judgement can tell")
{
    static struct world w;
    waiting(&w, 0, 0);
    uint64_t at_50 = digest(&w, 50 * S), at_51 = digest(&w, 51 * S), at_200 = digest(&w, 200 * S);
    CHECK(at_50 != at_51 && at_51 != at_200);
    CHECK_EQ(at_200, digest(&w, 300 * S));
    waiting(&w, 1000 * S, 0);
    CHECK(digest(&w, 1050 * S) == at_50 && digest(&w, 1051 * S) == at_51);
    waiting(&w, 0, 1 * S);
    CHECK(digest(&w, 50 * S) != at_50);
    waiting(&w, 0, 0);
    w.j.m.jobs[0].final_record = w.j.m.askers[2].record = w.j.m.locks[1].record = 77; /* where violations point to */
    CHECK(digest(&w, 50 * S) == at_50);
}

TEST("the invariants' memory is another state after whatever a judgement depends on")
{
    static struct world w;
    waiting(&w, 0, 0);
    uint64_t before = digest(&w, 50 * S);
    queue_says(&w, 50 * S, V_CALLS, W2);
    CHECK(digest(&w, 50 * S) != before);
    waiting(&w, 0, 0);
    fails(&w, 50 * S, W1);
    CHECK(digest(&w, 50 * S) != before);
    waiting(&w, 0, 0);
    returns(&w, 31 * S, INVOICE, W1, 1, reaper, EXPIRED_WHY);
    CHECK(digest(&w, 50 * S) != before);
    waiting(&w, 0, 0);
    happens(&w, 50 * S, JOBS, V_ADDS, MAIL_QUOTED, FIELDS(NAME(W2)));
    CHECK(digest(&w, 50 * S) != before);
    waiting(&w, 0, 0);
    fault(&w, 2 * S, W2, V_CUTS, TEXT(WALL_TEXT), NO);
    CHECK(digest(&w, 50 * S) != before);
    waiting(&w, 0, 0);
    fault(&w, 2 * S, JOBS, V_CRASHES, NO, NO);
    CHECK(digest(&w, 50 * S) != before);
    waiting(&w, 0, 0);
    sets(&w, 50 * S, CELL_FIRST, INT(1), w1, 1, -1);
    CHECK(digest(&w, 50 * S) != before);
}

TEST("what was kept for somebody who was called counts as waited for from then on, for whoever waits")
{
    static struct world w;
    uint64_t later[2];
    for (int i = 0; i < 2; i++) {
        waiting(&w, 0, 0);
        queue_says(&w, (43 + i) * S, V_CALLS, W2);
        later[i] = digest(&w, 60 * S);
    }
    CHECK(later[0] != later[1]);
}

TEST("who has waited for just the stated time has not waited too long yet, and that is another state")
{
    static struct world w;
    waiting(&w, 0, 0); /* since 40s, with leases of 30s */
    CHECK(digest(&w, 100 * S) != digest(&w, 100 * S + 1));
    CHECK(digest(&w, 100 * S + 1) == digest(&w, 101 * S));
}
