/* SPDX-License-Identifier: MIT
 *
 * digest_test.c - what of services, stores and programs counts as state: all that a future depends on, and no more.
 */
#include "model/digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/told.h"
#include "sim/test.h"

static uint64_t digest_of(const char *text, ns at)
{
    struct told t = tell(text);
    uint64_t digest = 0;
    if (t.s) {
        run_to(t.s, at);
        digest = sim_state_digest(t.s);
    }
    told_free(&t);
    return digest;
}

#define STATE_CHANGES(field, by)                \
    do {                                        \
        uint64_t before_ = sim_state_digest(s); \
        (field) += (by);                        \
        CHECK(sim_state_digest(s) != before_);  \
        (field) -= (by);                        \
        CHECK(sim_state_digest(s) == before_);  \
    } while (0)

#define STATE_KEEPS(field, by)                  \
    do {                                        \
        uint64_t before_ = sim_state_digest(s); \
        (field) += (by);                        \
        CHECK(sim_state_digest(s) == before_);  \
        (field) -= (by);                        \
    } while (0)

#define STORES               \
    "case a holds\n"         \
    "store one\nstore two\n" \
    "node w1 w2\n"

TEST("two orders of independent events lead to one state")
{
    static const char first[] = STORES "w1:\n  wait 1s\n  write one 1\n  work 9s\n"
                                       "w2:\n  wait 2s\n  write two 2\n  work 20s\n";
    static const char second[] = STORES "w1:\n  wait 2s\n  write one 1\n  work 8s\n"
                                        "w2:\n  wait 1s\n  write two 2\n  work 21s\n";
    CHECK(digest_of(first, 1500 * NS_PER_MS) != digest_of(second, 1500 * NS_PER_MS));
    CHECK(digest_of(first, 5 * NS_PER_S) == digest_of(second, 5 * NS_PER_S));
}

/* Of w3's call, which is over by 900 ms, only the slot is left that it had. */
static const char slots[] = "case a holds\nstore one\nstore two\nnode w1 w2 w3 w4\n"
                            "w1:\n  wait 500ms\n  write one 1\n"
                            "w2:\n  wait 900ms\n  write two 2\n"
                            "w3:\n  %s\n  wait until 10s\n"
                            "at 0s: slow one two by 3s\n"
                            "at 0s: pause w4 for 700ms\n";

TEST("which slots calls have does not matter to the state; calls of the same content are two all the same")
{
    char with[1024], without[1024];
    snprintf(with, sizeof with, slots, "ping w4");
    snprintf(without, sizeof without, slots, "wait 1ms");
    struct told t = tell(with), u = tell(without);
    struct sim *s = t.s;
    if (s && u.s) {
        struct m *m = m_of(s);
        run_to(s, 1 * NS_PER_S);
        run_to(u.s, 1 * NS_PER_S);
        uint16_t a = m->clients[0].call, b = m->clients[1].call;
        CHECK(a == 1 && b == 0 && m_of(u.s)->clients[0].call == 0 && m_of(u.s)->clients[1].call == 1);
        CHECK(sim_state_digest(s) == sim_state_digest(u.s));
        STATE_CHANGES(m->calls[a].arg[ARG_VALUE], 1);
        STATE_CHANGES(m->calls[a].serving, 1);
        STATE_CHANGES(m->calls[a].start, 1);
        STATE_KEEPS(m->calls[a].line, 1);
        m->calls[b] = m->calls[a];
        uint64_t before = sim_state_digest(s);
        m->clients[1].call = a;
        CHECK(sim_state_digest(s) != before);
    }
    told_free(&t);
    told_free(&u);
}

static const char waiting[] = "case a holds\n"
                              "lock leader central ttl 10s\n"
                              "store ledger\n"
                              "node w1 w2\n"
                              "w1:\n  acquire leader\n  keep leader\n  read ledger as x\n  work 60s\n  write ledger x\n"
                              "w2:\n  acquire leader within 1s\n"
                              "  on timeout: acquire leader\n";

TEST("generations, the order of grants and stamps that nobody reads are no state; whether a timer is stale is")
{
    struct told t = tell(waiting);
    struct sim *s = t.s;
    if (s) {
        struct m *m = m_of(s);
        run_to(s, 4 * NS_PER_S); /* 1 is the keeper of 0 */
        CHECK(m->clients[2].call != NONE16);
        STATE_KEEPS(m->calls[m->clients[2].call].arg[ARG_STAMP], 1);
        STATE_CHANGES(m->calls[m->clients[2].call].first_sent, -1);
        STATE_CHANGES(m->clients[0].generation, 1); /* its work is no longer this step's */
        STATE_KEEPS(m->clients[2].generation, 1);   /* it waits for an answer, and no timer of a step's */
        STATE_KEEPS(holding_of(m, 0, 0)->order, 1);
        STATE_KEEPS(m->state->next_order, 1);
        STATE_CHANGES(holding_of(m, 0, 0)->token, 1);
        STATE_CHANGES(holding_of(m, 0, 0)->deadline, 1);
        STATE_CHANGES(holding_of(m, 0, 0)->lost, 1);
        STATE_CHANGES(holding_of(m, 0, 0)->beat, 1);
        STATE_KEEPS(holding_of(m, 0, 0)->votes, 1); /* no renewal is under way */
        STATE_CHANGES(m->clients[0].acting_owner, 1);
        STATE_CHANGES(m->vars[m->p->clients[0].first_var].token, 1);
        STATE_CHANGES(m->read_version[0], 1);
        STATE_CHANGES(m->locks[0].token, 1);
        STATE_CHANGES(m->locks[0].counter, 1);
        STATE_CHANGES(m->locks[0].until, 1);
        STATE_CHANGES(m->marks[0], 1);
        STATE_CHANGES(m->registers[0].version, 1);
    }
    told_free(&t);
}

TEST("a beat that is late keeps its place in the rhythm, and no more")
{
    struct told t = tell(waiting);
    struct sim *s = t.s;
    if (s) {
        struct holding *g = holding_of(m_of(s), 0, 0);
        ns rhythm = m_of(s)->p->locks[0].renew;
        run_to(s, 2 * NS_PER_S);
        g->beat -= 2 * rhythm;
        CHECK(g->keeps);
        STATE_KEEPS(g->beat, -rhythm);
        STATE_CHANGES(g->beat, -1);
    }
    told_free(&t);
}

TEST("an ended program remembers nothing")
{
    struct told t = tell("case a holds\nstore ledger\nnode w1 w2\n"
                         "w1:\n  read ledger as x\n  write ledger x\n"
                         "w2:\n  work 20s\n");
    struct sim *s = t.s;
    if (s) {
        struct m *m = m_of(s);
        run_to(s, 10 * NS_PER_S);
        CHECK(m->clients[0].stage == STAGE_ENDED && m->clients[1].stage != STAGE_ENDED);
        STATE_KEEPS(m->clients[0].pc, 1);
        STATE_KEEPS(m->vars[0].v, 1);
        STATE_KEEPS(m->read_version[0], 1);
        STATE_CHANGES(m->clients[1].pc, 1);
    }
    told_free(&t);
}

TEST("jobs count in the order in which they came, whatever numbers that order has")
{
    struct told t = tell("case a holds\nqueue jobs lease 30s\n  job \"one\" \"two\"\nnode w1\n"
                         "w1:\n  claim jobs as job\n  work 20s\n  complete job\n");
    struct sim *s = t.s;
    if (s) {
        struct m *m = m_of(s);
        run_to(s, 10 * NS_PER_S);
        STATE_KEEPS(m->jobs[1].order, 5);
        STATE_CHANGES(m->jobs[0].order, 5);
        STATE_CHANGES(m->jobs[0].token, 1);
        STATE_CHANGES(m->jobs[0].until, 1);
        STATE_CHANGES(m->jobs[0].attempts, 1);
        STATE_CHANGES(m->jobs[1].phase, 2);
    }
    told_free(&t);
}

TEST("the hour is state where a server asks its clock, and until the last `wait until`; else it is none")
{
    static const char later[] =
        "case a holds\nstore ledger\nnode w1\nw1:\n  wait until %s\n  write ledger 1\n  work 9s\n";
    char text[2][256];
    snprintf(text[0], sizeof text[0], later, "10s");
    snprintf(text[1], sizeof text[1], later, "70s");
    CHECK(digest_of(text[0], 1 * NS_PER_S) != digest_of(text[1], 1 * NS_PER_S));
    CHECK(digest_of(text[0], 15 * NS_PER_S) == digest_of(text[1], 75 * NS_PER_S));
    static const char table[] = "case a holds\n"
                                "table jobs\n"
                                "  row 1 state \"queued\" until 0s\n"
                                "node w1\n"
                                "w1:\n"
                                "  wait %s\n"
                                "  update jobs/1 set state \"running\" where until < now\n"
                                "  work 9s\n";
    snprintf(text[0], sizeof text[0], table, "10s");
    snprintf(text[1], sizeof text[1], table, "70s");
    CHECK(digest_of(text[0], 15 * NS_PER_S) != digest_of(text[1], 75 * NS_PER_S));
}

TEST("a world restored from a snapshot has the same digest, whatever ran in between")
{
    struct told t = tell(waiting);
    static char snapshot[1 << 16];
    while (t.s && sim_step(t.s, -1) == SIM_RAN && sim_now(t.s) < 20 * NS_PER_S) {
        uint64_t before = sim_state_digest(t.s);
        CHECK(sim_snapshot(t.s, snapshot, sizeof snapshot) > 0);
        for (int i = 0; i < 5; i++)
            sim_step(t.s, -1);
        sim_restore(t.s, snapshot);
        CHECK(sim_state_digest(t.s) == before);
    }
    told_free(&t);
}
