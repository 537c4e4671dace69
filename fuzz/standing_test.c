/* SPDX-License-Identifier: MIT
 *
 * standing_test.c - what falls whatever the gates, and what a gate is blamed for.
 */
#include "fuzz/standing.h"

#include "sim/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "fuzz/gates.h"
#include "fuzz/searched.h"
#include "scenarios/library.h"

/* A mail that nobody gave a key: whoever takes the job over sends it again. What the queue itself promises stands. */
static const char mailer[] = "fencepost 1\n"
                             "scenario \"A mail without a key\"\n"
                             "case safe holds\n"
                             "case signed holds and single-actor\n"
                             "queue jobs lease 9s\n  job \"a\"\n"
                             "node w1 w2\n"
                             "w1:\n  claim jobs as job\n  effect \"mail\"\n  work 2s\n  complete job\n"
                             "w2:\n  wait 1s\n  claim jobs within 20s as job\n  effect \"mail\"\n  complete job\n";
static const char pause_may[] = "may pause w1 up to 20s\n";
static const char always[] = "may pause w1 up to 20s\nalways: expect not job \"a\" completed by w2\n";

static const struct standing_options few = {
    .seed = 1, .schedules = 300, .faults = 1, .steps = 4000000, .memory = UINT64_C(1) << 26, .workers = 1};

static bool fell(const struct standing *st, uint32_t what)
{
    for (uint32_t i = 0; i < st->n; i++)
        if (st->fallen[i] == what)
            return true;
    return false;
}

TEST("what falls with every gate in place is found by samples, and by exhaustive search alone; the rest still stands")
{
    struct searched s = searched(two_texts(mailer, pause_may), "safe");
    for (int samples = 0; samples < 2; samples++) {
        struct standing_options o = few;
        o.schedules = samples ? 300 : 0;
        struct standing st;
        CHECK(standing_look(s.space, &o, &st));
        CHECK_EQ(st.n, 1);
        CHECK(fell(&st, INV_EFFECT_ONCE) && st.complete);
        CHECK_EQ(standing_wanted(&st, s.space), player_verdict(s.space) & ~(UINT64_C(1) << INV_EFFECT_ONCE));
        standing_free(&st);
    }
    searched_free(&s);
}

TEST("all that one schedule breaks falls: what comes second is seen when the first is not looked for")
{
    struct searched s = searched(two_texts(mailer, pause_may), "signed");
    struct standing_options o = few;
    o.schedules = 0;
    struct standing st;
    CHECK(standing_look(s.space, &o, &st));
    CHECK_EQ(st.n, 2);
    CHECK(fell(&st, INV_EFFECT_ONCE) && fell(&st, INV_SINGLE_ACTOR));
    standing_free(&st);
    searched_free(&s);
}

TEST("an `always` line falls as an invariant does")
{
    struct searched s = searched(two_texts(mailer, always), "safe");
    struct standing st;
    CHECK(standing_look(s.space, &few, &st));
    CHECK(fell(&st, INVARIANTS) && !(standing_wanted(&st, s.space) & ALWAYS_WANTED));
    CHECK_STR(standing_name(INVARIANTS), "always");
    standing_free(&st);
    searched_free(&s);
}

TEST("without faults to look for nothing falls")
{
    struct searched s = searched(two_texts(mailer, pause_may), "safe");
    struct standing_options o = few;
    o.schedules = o.faults = 0;
    struct standing st;
    CHECK(standing_look(s.space, &o, &st));
    CHECK_EQ(st.n, 0);
    CHECK_EQ(standing_wanted(&st, s.space), player_verdict(s.space));
    standing_free(&st);
    searched_free(&s);
}

/* The first schedule that breaks this with a gate away, in *sp. */
static struct schedule found_without(const struct searched *s, enum gate gate, uint32_t what, struct space **sp)
{
    struct diags diags = {0};
    struct schedule found = {.n = 0};
    CHECK_EQ(space_new(s->scenario, 0, UINT32_C(1) << gate, 0, 0, &diags, sp), SPACE_OK);
    const struct search_options o = {
        .seed = 1, .schedules = 2000, .arms = PORTFOLIO, .workers = 1, .wanted = UINT64_C(1) << what};
    struct search *x = search_new(*sp, &o);
    enum round_end end = ROUND_MORE;
    while (end == ROUND_MORE)
        end = search_round(x);
    CHECK_EQ(end, ROUND_FOUND);
    found = x->finding.schedule;
    search_free(x);
    return found;
}

TEST("what a schedule breaks without a gate falls only if it breaks that with the gate, too; then it is looked for no "
     "more")
{
    struct searched s = searched(two_texts(mailer, pause_may), "safe");
    struct standing_options o = few;
    o.schedules = o.faults = 0;
    struct standing st;
    CHECK(standing_look(s.space, &o, &st));
    static const uint32_t what[] = {INV_OWNER_COMPLETES, INV_EFFECT_ONCE};
    for (int falls = 0; falls < 2; falls++) {
        struct space *sp;
        struct schedule found = found_without(&s, GATE_COMPLETE_TOKEN, what[falls], &sp);
        CHECK_EQ(standing_falls(&st, sp, &found, (struct culprit){what[falls], NONE16}), falls == 1);
        CHECK_EQ(st.n, (uint32_t)falls);
        space_free(sp);
    }
    CHECK(fell(&st, INV_EFFECT_ONCE));
    standing_free(&st);
    searched_free(&s);
}

/* --- as a table -------------------------------------------------------------------------------------------- */

static struct gates table_of(const struct searched *s, uint64_t schedules, uint32_t faults)
{
    const struct gates_options o = {.schedules = schedules,
                                    .faults = faults,
                                    .steps = 4000000,
                                    .memory = UINT64_C(1) << 26,
                                    .seed = 1,
                                    .seeds = 1,
                                    .workers = 1};
    struct gates g;
    CHECK(gates_look(s->scenario, 0, &o, &g));
    return g;
}

static const struct gate_row *row_of(const struct gates *g, enum gate gate)
{
    for (uint32_t i = 0; i < g->n; i++)
        if (g->row[i].gate == gate)
            return &g->row[i];
    return NULL;
}

TEST("a case of which something falls has its table: gates are asked for the rest, each by what it alone upholds")
{
    struct searched s = searched(two_texts(mailer, pause_may), "safe");
    struct gates g = table_of(&s, 300, 1);
    CHECK_EQ(g.n_fallen, 1);
    CHECK_EQ(g.fallen[0], INV_EFFECT_ONCE);
    const struct gate_row *by_token = row_of(&g, GATE_COMPLETE_TOKEN), *alone = row_of(&g, GATE_SAFE_CLOCK);
    CHECK(by_token != NULL && by_token->alone.what == LOOKED_FOUND);
    CHECK_STR(by_token->alone.invariant, "owner-completes");
    CHECK(alone != NULL && alone->alone.what == LOOKED_NOTHING);
    gates_free(&g);
    searched_free(&s);
}

TEST("what only a search without a gate finds, and falls with it, is taken out of the whole table")
{
    struct searched s = searched(two_texts(mailer, pause_may), "safe");
    struct gates g = table_of(&s, 2, 0); /* two schedules with every gate; more than a dozen times two without one */
    for (uint32_t i = 0; i < g.n; i++)
        CHECK(g.row[i].alone.what != LOOKED_FOUND || g.row[i].alone.culprit.invariant != INV_EFFECT_ONCE);
    gates_free(&g);
    searched_free(&s);
}

TEST("a sink's key is a gate of what has a key")
{
    static const char keyed[] = "fencepost 1\nscenario \"A key\"\ncase safe holds\nqueue jobs lease 9s\n  job \"a\"\n"
                                "node w\nw:\n  claim jobs as job\n  effect \"mail\" key job\n  complete job\n";
    struct searched with = searched(keyed, "safe"), without = searched(two_texts(mailer, pause_may), "safe");
    CHECK(gates_of(with.space->whole) >> GATE_EFFECT_KEY & 1);
    CHECK(!(gates_of(without.space->whole) >> GATE_EFFECT_KEY & 1));
    searched_free(&with);
    searched_free(&without);
}

/* --- the library -------------------------------------------------------------------------------------------- */

static void check_finished(const char *path, const struct scenario *scenario, uint32_t i, void *context)
{
    uint32_t *cases = context;
    struct diags diags = {0};
    struct space *sp = NULL;
    if (space_new(scenario, i, 0, 0, 0, &diags, &sp) != SPACE_OK)
        return;
    if (!sp->whole->violates && sp->whole->model.n_tables > 0 && sp->whole->model.removed == 0) {
        const struct search_options o = {.seed = 1,
                                         .schedules = 300,
                                         .arms = PORTFOLIO,
                                         .workers = 1,
                                         .wanted = UINT64_C(1) << INV_FINAL_STAYS_FINAL};
        struct search *s = search_new(sp, &o);
        enum round_end end = ROUND_MORE;
        while (end == ROUND_MORE)
            end = search_round(s);
        if (end == ROUND_FOUND)
            test_failed(path, 0, "case %s: a job that is done is taken up again", scenario_case_name(scenario, i));
        search_free(s);
        ++*cases;
    }
    space_free(sp);
}

TEST("no statement of the library takes up a job that is done, in any case that holds and has every gate")
{
    uint32_t cases = 0;
    visit_library(check_finished, &cases);
    CHECK(cases >= 12);
}
