/* SPDX-License-Identifier: MIT
 *
 * abstract_test.c - what abstract states tell apart, and what they do not.
 */
#include "model/abstract.h"

#include <stdio.h>
#include <string.h>

#include "model/state.h"
#include "scenarios/told.h"
#include "sim/test.h"

/* The abstract state of a text's first case at some time; 0: the text has errors. */
static uint64_t state_of(const char *text, ns at, enum abstract_level level)
{
    struct told t = tell(text);
    uint64_t h = 0;
    if (t.s) {
        run_to(t.s, at);
        h = abstract_state(t.s, level);
    }
    told_free(&t);
    return h;
}

#define CLUSTER                     \
    "case a holds\n"                \
    "lock leader central ttl 10s\n" \
    "store ledger\n"                \
    "node w1 w2\n"

#define ALIKE                     \
    CLUSTER "w1, w2:\n"           \
            "  acquire leader\n"  \
            "  keep leader\n"     \
            "  work 20s\n"        \
            "  write ledger me\n" \
            "  release leader\n"

TEST("two worlds that differ only in which of two nodes is where have one abstract state")
{
    static const ns at[] = {500 * NS_PER_MS, 5 * NS_PER_S, 12 * NS_PER_S, 40 * NS_PER_S};
    for (unsigned level = ABSTRACT_COARSE; level <= ABSTRACT_FINE; level++)
        for (int i = 0; i < 4; i++) {
            uint64_t one = state_of(ALIKE "before w1 asks leader: pause w1 for 3s\n", at[i], level);
            uint64_t two = state_of(ALIKE "before w2 asks leader: pause w2 for 3s\n", at[i], level);
            CHECK(one == two);
            CHECK(state_of(ALIKE "before w2 asks leader: crash w2\n", at[i], level) != two);
        }
}

TEST("the same story, later, passes through the same abstract states")
{
    static const char rest[] = "  acquire leader\n  work 2s\n  write ledger me\n  release leader\n"
                               "before w1 writes ledger: pause w1 for 12s\n";
    char early[1024], late[1024];
    snprintf(early, sizeof early, CLUSTER "w1, w2:\n  wait until 1s\n%s", rest);
    snprintf(late, sizeof late, CLUSTER "w1, w2:\n  wait until 61.3s\n%s", rest);
    struct told a = tell(early), b = tell(late);
    uint32_t events = 0;
    while (a.s && b.s && sim_step(a.s, -1) == SIM_RAN && sim_step(b.s, -1) == SIM_RAN) {
        events++;
        for (unsigned level = ABSTRACT_COARSE; level <= ABSTRACT_FINE; level++)
            CHECK(abstract_state(a.s, level) == abstract_state(b.s, level));
    }
    CHECK(events > 30);
    told_free(&a);
    told_free(&b);
}

TEST("an abstract state tells who is struck by what, and whether the network is whole")
{
    static const char *const fault[] = {
        "",
        "at 4s: pause w1 for 2s\n",
        "at 4s: suspend w1 for 2s\n",
        "at 4s: crash w1 for 2s\n",
        "at 4s: slow leader by 1s for 2s\n",
        "at 4s: clock w1 drifts +100ppm\n",
        "at 4s: wall w1 jumps +2s\n",
        "at 4s: pause leader for 2s\n",
        "at 4s: crash leader for 2s\n",
        "at 4s: pause ledger for 2s\n",
        "at 4s: partition w1 | ledger for 2s\n",
    };
    enum { FAULTS_TOLD = sizeof fault / sizeof *fault };
    uint64_t state[FAULTS_TOLD], calm = state_of(ALIKE, 5 * NS_PER_S, ABSTRACT_COARSE);
    for (int i = 0; i < FAULTS_TOLD; i++) {
        char text[1024];
        snprintf(text, sizeof text, ALIKE "%s", fault[i]);
        state[i] = state_of(text, 5 * NS_PER_S, ABSTRACT_MEDIUM);
        bool works = strstr(fault[i], "slow") || strstr(fault[i], "clock") || strstr(fault[i], "wall");
        CHECK((state_of(text, 5 * NS_PER_S, ABSTRACT_COARSE) != calm) == (i > 0 && !works));
        for (int k = 0; k < i; k++)
            if (state[k] == state[i])
                test_failed(__FILE__, __LINE__, "\"%s\" leads to the same state as \"%s\"", fault[i], fault[k]);
    }
    /* w1 sends a renewal into the partition: one message waits there */
    static const char wall[] = ALIKE "at 2s: partition w1 | leader for 8s%s\n";
    char dropped[1024], held[1024];
    snprintf(dropped, sizeof dropped, wall, "");
    snprintf(held, sizeof held, wall, " holding");
    CHECK(state_of(dropped, 5 * NS_PER_S, ABSTRACT_MEDIUM) != state_of(held, 5 * NS_PER_S, ABSTRACT_MEDIUM));
}

#define TELLS_APART(level, field, by)                  \
    do {                                               \
        uint64_t before_ = abstract_state(s, level);   \
        (field) = (__typeof__(field))((field) + (by)); \
        CHECK(abstract_state(s, level) != before_);    \
        (field) = (__typeof__(field))((field) - (by)); \
        CHECK(abstract_state(s, level) == before_);    \
    } while (0)

#define TELLS_NOT(field, by)                                 \
    do {                                                     \
        uint64_t before_ = abstract_state(s, ABSTRACT_FINE); \
        (field) = (__typeof__(field))((field) + (by));       \
        CHECK(abstract_state(s, ABSTRACT_FINE) == before_);  \
        (field) = (__typeof__(field))((field) - (by));       \
    } while (0)

static void check_lock_and_client(struct sim *s)
{
    struct m *m = m_of(s);
    uint16_t holder = m->locks[0].holder;
    CHECK(holder != NONE16);
    struct holding *g = holding_of(m, holder, 0);
    CHECK(g->held && g->believed);
    TELLS_APART(ABSTRACT_COARSE, g->token, -1);
    TELLS_APART(ABSTRACT_COARSE, g->believed, -1);
    TELLS_APART(ABSTRACT_COARSE, g->held, -1);
    TELLS_APART(ABSTRACT_COARSE, g->deadline, -4 * NS_PER_S); /* a third of the lease */
    TELLS_APART(ABSTRACT_MEDIUM, g->renewing, 1);
    TELLS_APART(ABSTRACT_MEDIUM, g->lost, 1);
    TELLS_APART(ABSTRACT_MEDIUM, g->draining, 1);
    TELLS_APART(ABSTRACT_COARSE, m->locks[0].token, 1); /* the service's word */
    TELLS_APART(ABSTRACT_MEDIUM, m->locks[0].in_line, 1);
    TELLS_APART(ABSTRACT_COARSE, m->locks[0].in_line, -1);
    TELLS_APART(ABSTRACT_COARSE, m->locks[0].delayed, 1);
    TELLS_APART(ABSTRACT_COARSE, m->clients[holder].pc, 1);
    TELLS_APART(ABSTRACT_COARSE, m->clients[holder].stage, -1);
    uint32_t lapse = m->locks[0].lapse_timer;
    TELLS_APART(ABSTRACT_COARSE, m->locks[0].lapse_timer, NONE32 - lapse);
    TELLS_NOT(g->deadline, 1);
    TELLS_NOT(m->locks[0].until, 1);
    TELLS_NOT(m->locks[0].counter, 1);
    TELLS_NOT(m->clients[holder].generation, 1);
}

TEST("an abstract state tells phases, beliefs, and how tokens relate to the latest grant")
{
    struct told t = tell(ALIKE);
    struct sim *s = t.s;
    if (s) {
        struct m *m = m_of(s);
        run_to(s, 5 * NS_PER_S);
        check_lock_and_client(s);
        TELLS_APART(ABSTRACT_COARSE, m->marks[0], (uint64_t)m->locks[0].last_token + 1);
        TELLS_APART(ABSTRACT_COARSE, m->marks[0], (uint64_t)m->locks[0].last_token);
        TELLS_APART(ABSTRACT_COARSE, m->registers[0].exists, 1);
        TELLS_APART(ABSTRACT_COARSE, m->registers[0].version, 1);
        TELLS_NOT(m->registers[0].value, 1);
        run_to(s, 20 * NS_PER_S + 4 * NS_PER_MS); /* a write is on its way */
        struct call *call = &m->calls[m->clients[0].call == NONE16 ? 0 : m->clients[0].call];
        CHECK_EQ(call->kind, REQ_WRITE);
        TELLS_APART(ABSTRACT_COARSE, call->arg[ARG_TOKEN], -1);
        TELLS_APART(ABSTRACT_COARSE, call->waiting, -1); /* nobody will know what became of it */
        call->waiting = 0;
        TELLS_APART(ABSTRACT_COARSE, call->serving, -1); /* the store is at it */
        call->waiting = 1;
        TELLS_APART(ABSTRACT_MEDIUM, call->answer, 1);
    }
    told_free(&t);
}

TEST("an abstract state tells what has become of jobs, whichever of a queue's they are")
{
    struct told t = tell("case a holds\n"
                         "queue jobs lease 30s\n"
                         "  job \"one\" \"two\"\n"
                         "node w1\n"
                         "w1:\n"
                         "  claim jobs as job\n"
                         "  work 1s\n"
                         "  complete job\n");
    struct sim *s = t.s;
    if (s) {
        struct m *m = m_of(s);
        run_to(s, 500 * NS_PER_MS);
        CHECK(m->jobs[0].phase == JOB_RUNNING && m->jobs[1].phase == JOB_WAITING);
        TELLS_APART(ABSTRACT_COARSE, m->jobs[1].phase, 2);
        TELLS_APART(ABSTRACT_COARSE, m->jobs[0].expired, 1);
        TELLS_APART(ABSTRACT_COARSE, m->jobs[1].attempts, 1);
        TELLS_APART(ABSTRACT_COARSE, m->queues[0].in_line, 1);
        TELLS_APART(ABSTRACT_COARSE, m->jobs[0].token, 1);
        TELLS_NOT(m->jobs[0].until, 1);
        TELLS_NOT(m->jobs[1].order, 1);
    }
    told_free(&t);
}

#define QUORUM                              \
    "case a holds\n"                        \
    "lock leader quorum voters 3 ttl 10s\n" \
    "node w1 w2\n"                          \
    "w1, w2:\n"                             \
    "  acquire leader\n"                    \
    "  keep leader\n"                       \
    "  work 5s\n"                           \
    "  release leader\n"

TEST("an abstract state counts the voters of the latest epoch and those that are down, whichever they are")
{
    ns at = 3 * NS_PER_S;
    uint64_t calm = state_of(QUORUM, at, ABSTRACT_COARSE);
    uint64_t one = state_of(QUORUM "at 2s: crash leader.1\n", at, ABSTRACT_COARSE);
    uint64_t three = state_of(QUORUM "at 2s: crash leader.3\n", at, ABSTRACT_COARSE);
    CHECK(calm != one && one == three);
    CHECK(state_of(QUORUM "at 2s: crash leader.1 leader.2\n", at, ABSTRACT_COARSE) != one);
    static const char paused[] = QUORUM "at 2s: pause leader.1 for 9s\n";
    CHECK(state_of(paused, at, ABSTRACT_COARSE) == one); /* it answers nobody */
    CHECK(state_of(paused, at, ABSTRACT_MEDIUM) != state_of(QUORUM "at 2s: crash leader.1\n", at, ABSTRACT_MEDIUM));
    struct told t = tell(QUORUM);
    struct sim *s = t.s;
    if (s) {
        struct m *m = m_of(s);
        run_to(s, at);
        CHECK(m->voters[1].holder != NONE16);
        uint16_t away = (uint16_t)(NONE16 - m->voters[1].holder);
        TELLS_APART(ABSTRACT_COARSE, m->voters[1].voted_epoch, -1);
        TELLS_APART(ABSTRACT_COARSE, m->voters[1].holder, away);
        TELLS_APART(ABSTRACT_MEDIUM, m->voters[1].quarantined, 1);
        TELLS_NOT(m->voters[1].until, 1);
        TELLS_NOT(m->voters[1].promised, 1);
    }
    told_free(&t);
}

TEST("asking for the abstract state changes nothing, and finer levels tell no less apart")
{
    struct told t = tell(ALIKE "before w1 writes ledger: pause w1 for 30s\n");
    uint64_t golden = 0, seen[3][256];
    uint32_t n[3] = {0, 0, 0};
    while (t.s && sim_step(t.s, -1) == SIM_RAN) {
        uint64_t before = sim_state_digest(t.s);
        for (unsigned level = ABSTRACT_COARSE; level <= ABSTRACT_FINE; level++) {
            uint64_t state = abstract_state(t.s, level);
            CHECK(state == abstract_state(t.s, level));
            uint32_t i = 0;
            while (i < n[level] && seen[level][i] != state)
                i++;
            if (i == n[level] && i < 256)
                seen[level][n[level]++] = state;
            golden = hash_step(golden, state);
        }
        CHECK(sim_state_digest(t.s) == before);
    }
    CHECK(n[0] > 20 && n[0] <= n[1] && n[1] <= n[2]);
    CHECK(golden == UINT64_C(0xfbaf38a5cfb34626)); /* the same with every compiler and word size */
    told_free(&t);
}
