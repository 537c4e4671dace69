/* SPDX-License-Identifier: MIT
 *
 * inv_progress_test.c - who asks for what is free gets it in time, or is told of.
 */
#include "model/job_world.h"
#include "sim/test.h"

static uint32_t leads(struct world *w, ns at, int who, int64_t token)
{
    return happens(w, at, LEADER, V_GRANTS, who, FIELDS(INT(token), INT(1), value_ns(TTL), NO, NO, NO, NO));
}
static uint32_t lead_lapses(struct world *w, ns at, int who, int64_t token)
{
    return happens(w, at, LEADER, V_LAPSES, who, FIELDS(INT(token), NO, NO));
}

TEST("progress names who asked for a free lock longer than twice the longest lease, to the nanosecond")
{
    static struct world w;
    for (int late = 0; late < 2; late++) {
        only_invoice(&w);
        uint32_t ask = asks(&w, 1 * S, W1_CHECKIN);
        asks(&w, 9 * S, W1_CHECKIN); /* the same asking */
        uint32_t grant = leads(&w, 61 * S + late, W1, 1);
        if (late)
            CHECK_BROKEN(&w, INV_PROGRESS, 61 * S + 1, W1, LEADER, grant, ask);
        CHECK_EQ(breaks_nothing(&w), !late);
    }
}

TEST("progress counts only while the lock is free, somebody asks, and no fault is under way")
{
    static struct world w;
    only_invoice(&w);
    asks(&w, 0, W2);
    leads(&w, 0, W1, 1);
    lead_lapses(&w, 500 * S, W1, 1);
    leads(&w, 560 * S, W2, 2); /* free for no longer than that */
    CHECK(breaks_nothing(&w));
    happens(&w, 560 * S, W2, V_ACQUIRES, LEADER, FIELDS(INT(2)));
    lead_lapses(&w, 600 * S, W2, 2);
    asks(&w, 700 * S, W1); /* it had been free, but nobody asked */
    leads(&w, 760 * S, W1, 3);
    CHECK(breaks_nothing(&w));
    lead_lapses(&w, 800 * S, W1, 3);
    asks(&w, 800 * S, W2);
    fault(&w, 801 * S, W2, V_SUSPENDS, value_ns(50 * S), NO);
    leads(&w, 911 * S, W2, 4);
    CHECK(breaks_nothing(&w));
    lead_lapses(&w, 920 * S, W2, 4);
    asks(&w, 920 * S, W1);
    leads(&w, 980 * S + 1, W1, 5);
    CHECK(breaks_only(&w, INV_PROGRESS));
}

TEST("progress: who fails, stops or crashes asks no more, and the case may say within what time")
{
    static struct world w;
    only_invoice(&w);
    w.model.progress = 2 * S;
    asks(&w, 1 * S, W2);
    fails(&w, 2 * S, W2);
    asks(&w, 2 * S, W1);
    happens(&w, 3 * S, W1, V_STOPS, NOBODY, NULL, 0);
    asks(&w, 3 * S, W1_CHECKIN);
    fault(&w, 3 * S, W1, V_CRASHES, value_ns(1 * S), NO);
    asks(&w, 5 * S, W1);
    leads(&w, 7 * S, W1, 1);
    CHECK(breaks_nothing(&w));
    lead_lapses(&w, 17 * S, W1, 1);
    leads(&w, 19 * S + 1, W1, 2);
    CHECK(breaks_only(&w, INV_PROGRESS));
}

TEST("progress says nothing while a fault without an end lasts, or the service is down")
{
    static const uint16_t lasting[] = {V_PAUSES, V_SUSPENDS, V_SLOWS, V_PARTITIONS, V_CUTS};
    static struct world w;
    for (uint32_t i = 0; i < 5; i++) {
        only_invoice(&w);
        bool link = i >= 3;
        fault(&w, 1 * S, W2, lasting[i], link ? TEXT(WALL_TEXT) : i == 2 ? value_ns(S) : NO, NO);
        asks(&w, 2 * S, W1);
        invariants_end(&w.j, 900 * S, true);
        CHECK(broken(&w, INV_PROGRESS) == NULL);
    }
    only_invoice(&w);
    fault(&w, 1 * S, LEADER, V_CRASHES, NO, NO);
    asks(&w, 2 * S, W1);
    leads(&w, 900 * S, W1, 1); /* what a service says that is down is not judged */
    CHECK(breaks_nothing(&w));
}

TEST("progress counts again when what was closed has healed, or the service has started again")
{
    static struct world w;
    for (int crash = 0; crash < 2; crash++) {
        only_invoice(&w);
        asks(&w, 1 * S, W1);
        if (crash) {
            fault(&w, 2 * S, LEADER, V_CRASHES, NO, NO);
            fault(&w, 100 * S, LEADER, V_RESTARTS, NO, NO);
        } else {
            fault(&w, 2 * S, W2, V_CUTS, TEXT(WALL_TEXT), NO);
            fault(&w, 50 * S, W2, V_HEALS, TEXT(CHARGE), NO); /* another one */
            fault(&w, 100 * S, W2, V_HEALS, TEXT(WALL_TEXT), NO);
        }
        leads(&w, 160 * S + 1, W1, 1);
        CHECK(breaks_only(&w, INV_PROGRESS));
        CHECK_EQ(broken(&w, INV_PROGRESS)->at, 160 * S + 1);
    }
}

TEST("progress: a waiting job is claimed in time by a worker that claims")
{
    static struct world w;
    for (int late = 0; late < 2; late++) {
        only_invoice(&w);
        grants(&w, 1 * S, INVOICE, W1, 1);
        uint32_t claim = claims(&w, 2 * S, W2);
        lapses(&w, 31 * S, INVOICE, W1, 1);
        uint32_t grant = grants(&w, 91 * S + late, INVOICE, W2, 2);
        if (late)
            CHECK_BROKEN(&w, INV_PROGRESS, 91 * S + 1, W2, INVOICE_QUOTED, grant, claim);
        CHECK_EQ(breaks_nothing(&w), !late);
    }
}

TEST("progress at the end: who still asks for what is free has waited too long, or might have at the horizon")
{
    static struct world w;
    struct undecided u;
    only_invoice(&w);
    uint32_t ask = asks(&w, 1 * S, W1);
    invariants_end(&w.j, 61 * S + 1, false);
    CHECK_BROKEN(&w, INV_PROGRESS, 61 * S + 1, W1, LEADER, ask, 0);
    only_invoice(&w);
    grants(&w, 0, INVOICE, W2, 1);
    ends(&w, 1, V_FINISHES, INVOICE, W2, 1, (struct doer){W2, 1, 1});
    asks(&w, 1 * S, W1);
    claims(&w, 1 * S, W2); /* no job is left */
    invariants_end(&w.j, 61 * S, false);
    CHECK(breaks_nothing(&w));
    CHECK_EQ(undecided(&w, &u), 1);
    CHECK(u.invariant == INV_PROGRESS && u.resource == LEADER && u.why == WHY_HORIZON);
    only_invoice(&w);
    claims(&w, 1 * S, W2);
    invariants_end(&w.j, 2 * S, true);
    CHECK(broken(&w, INV_PROGRESS) != NULL && broken(&w, INV_NO_LOST_JOB) != NULL);
}
