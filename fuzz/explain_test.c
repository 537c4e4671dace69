/* SPDX-License-Identifier: MIT
 *
 * explain_test.c - the facts of explanations: of small stories, and of every case of the library.
 */
#include "fuzz/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/language/reading.h"
#include "scenarios/library.h"
#include "scenarios/played.h"
#include "sim/test.h"

/* --- an explanation of a text ------------------------------------------------------------------ */

struct told_why {
    struct scenario *scenario;
    struct explanation *x;
};

static struct told_why why_changed(const char *text, const char *case_name, const struct change *change)
{
    static struct diags diags;
    struct told_why w = {scenario_parse(text, strlen(text), "why.fence", NULL, 0, &diags), NULL};
    if (w.scenario != NULL) {
        int32_t i = case_name == NULL ? 0 : scenario_case_find(w.scenario, case_name);
        CHECK(i >= 0);
        w.x = explain_new(w.scenario, (uint32_t)i, change, &diags);
    }
    if (w.x == NULL)
        test_failed(__FILE__, __LINE__, "%u: %s", (unsigned)diags.row[0].line, diags.row[0].text);
    return w;
}

static struct told_why why(const char *text, const char *case_name)
{
    static const struct change none;
    return why_changed(text, case_name, &none);
}

static void why_free(struct told_why *w)
{
    explain_free(w->x);
    scenario_free(w->scenario);
}

static const struct tried *tried_at(const struct scanned *w, int64_t value)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (w->tried[i].value == value)
            return &w->tried[i];
    return NULL;
}

static const struct replayed *gate_of(const struct explanation *x, uint32_t gate)
{
    for (uint32_t i = 0; i < x->n_gates; i++)
        if (x->gate[i].gate == gate)
            return &x->gate[i].replay;
    return NULL;
}

static bool has_link(const struct explanation *x, uint16_t verb, enum link_why reason)
{
    uint32_t n;
    const struct record *records = sim_trace(x->run->sim, &n);
    for (uint32_t i = 0; i < x->n_links; i++)
        if (records[x->link[i].record - 1].verb == verb && x->link[i].why == (uint16_t)reason)
            return true;
    return false;
}

/* --- the paused leader -------------------------------------------------------------------------- */

TEST("the paused leader: one fault was needed, no shorter than 10.01s, at one moment, and one gate stops it")
{
    struct told_why w = why(played_example, "checked");
    const struct explanation *x = w.x;
    if (x != NULL) {
        CHECK(x->what == EXPLAINED_RULE && x->invariant == INV_NO_STALE_WRITE);
        CHECK(x->n_faults == 1 && x->fault[0].need == NEED_NEEDED && x->fault[0].line == 25 && x->fault[0].came);
        CHECK_EQ(x->fault[0].at, 1003 * NS_PER_MS);
        const struct scanned *length = &x->fault[0].window[WINDOW_LENGTH];
        const struct tried *ten = tried_at(length, 10 * NS_PER_S), *more = tried_at(length, 10010 * NS_PER_MS);
        const struct tried *ever = tried_at(length, NS_NEVER);
        CHECK(ten != NULL && ten->replay.end == REPLAY_HOLDS);
        CHECK(more != NULL && more->replay.end == REPLAY_SAME && more->replay.at == 11015 * NS_PER_MS);
        CHECK(ever != NULL && ever->replay.end == REPLAY_HOLDS);
        const struct scanned *moment = &x->fault[0].window[WINDOW_MOMENT];
        uint32_t breaking = 0;
        for (uint32_t i = 0; i < moment->n; i++)
            breaking += moment->tried[i].replay.end == REPLAY_SAME;
        CHECK(moment->n > 4 && breaking == 1 && moment->tried[moment->own].replay.end == REPLAY_SAME);
        CHECK(x->nearest.fault == 0 && x->nearest.of == WINDOW_LENGTH && &length->tried[x->nearest.tried] == ten);
        CHECK(x->no_return == 0 && x->calm.end == REPLAY_HOLDS);
        const struct replayed *token = gate_of(x, GATE_STORE_TOKEN);
        CHECK(x->n_gates == 1 && token != NULL && token->end == REPLAY_HOLDS && !token->same_trace);
    }
    why_free(&w);
}

TEST("the chain of the paused leader leads back to its pause, and has nothing of what came after")
{
    struct told_why w = why(played_example, "checked");
    const struct explanation *x = w.x;
    if (x != NULL) {
        uint32_t broke = x->run->violation[x->index].record;
        CHECK(has_link(x, V_COMMITS, LINK_BROKE) && has_link(x, V_COMMITS, LINK_CONFLICT));
        CHECK(has_link(x, V_PAUSES, LINK_CAUSE) && has_link(x, V_EXPIRES, LINK_STATE));
        CHECK_EQ(x->link[x->n_links - 1].record, broke);
        for (uint32_t i = 1; i < x->n_links; i++)
            CHECK(x->link[i - 1].record < x->link[i].record);
    }
    why_free(&w);
}

TEST("of a case that holds each gate is taken away: one shows, and those that nobody asked are known as such")
{
    struct told_why w = why(played_example, "fenced");
    const struct explanation *x = w.x;
    if (x != NULL) {
        const struct replayed *token = gate_of(x, GATE_STORE_TOKEN), *atomic = gate_of(x, GATE_ATOMIC_CHECK);
        const struct replayed *clock = gate_of(x, GATE_SAFE_CLOCK);
        CHECK(x->what == EXPLAINED_HOLDS && x->fault[0].need == NEED_UNASKED);
        CHECK(token != NULL && token->invariant == INV_NO_STALE_WRITE && replay_breaks(token));
        CHECK(atomic != NULL && atomic->end == REPLAY_HOLDS && !atomic->same_trace);
        CHECK(clock != NULL && clock->end == REPLAY_HOLDS && clock->same_trace);
        CHECK(x->idle.same_trace && x->idle.change.without >> GATE_SAFE_CLOCK & 1);
        CHECK(has_link(x, V_REFUSES, LINK_BROKE) && has_link(x, V_PAUSES, LINK_CAUSE));
    }
    why_free(&w);
}

/* --- faults ----------------------------------------------------------------------------------------- */

#define WORLD                                                                                                      \
    "fencepost 1\nscenario \"x\"\ncase a without store-token lease-check violates no-stale-write\n"                \
    "lock leader central ttl 10s\nstore ledger\nnode w1 w2\nw1:\n  acquire leader\n  write ledger 1\nw2:\n  wait " \
    "11s\n"                                                                                                        \
    "  acquire leader\n  write ledger 2\n"

TEST("of two faults either of which is enough, each alone is not necessary, and both are named")
{
    struct told_why w = why(WORLD "before w1 writes ledger: pause w1 for 20s\nat 0s: delay w1 -> ledger by 20s\n",
                            NULL);
    const struct explanation *x = w.x;
    if (x != NULL) {
        CHECK_EQ(x->n_faults, 2);
        CHECK(x->fault[0].need == NEED_EITHER && x->fault[1].need == NEED_EITHER);
        CHECK(x->fault[0].other == 1 && x->fault[1].other == 0 && x->fault[0].without_both.end == REPLAY_HOLDS);
    }
    why_free(&w);
}

TEST("the point of no return is the last fault that has to stay, when all later ones are taken away")
{
    struct told_why w = why(WORLD "before w1 writes ledger: pause w1 for 20s\nat 5s: suspend w2 for 1s\n"
                                  "at 7s: crash w2 for 1s\n",
                            NULL);
    const struct explanation *x = w.x;
    if (x != NULL) {
        CHECK_EQ(x->no_return, 0);
        CHECK(x->only_until.end == REPLAY_SAME && x->only_until.change.n == 2);
        CHECK(x->fault[0].need == NEED_NEEDED && x->fault[1].need == NEED_NOT && x->fault[2].need == NEED_NOT);
    }
    why_free(&w);
}

TEST("what breaks without any fault has no point of no return, and none of its faults was needed")
{
    struct told_why w = why("fencepost 1\ncase a without store-token violates no-stale-write\nstore s\nnode w1 w2\n"
                            "w1:\n  write s 1 token 2\n  write s 1 token 1\nw2: work 1s\nat 1ms: pause w2 for 1s\n",
                            NULL);
    if (w.x != NULL)
        CHECK(w.x->calm.end == REPLAY_SAME && w.x->no_return == NONE32 && w.x->fault[0].need == NEED_NOT);
    why_free(&w);
}

TEST("lines are what is varied: the trace of the file's own value is the run's")
{
    struct told_why w = why(WORLD "before w1 writes ledger: pause w1 for 20s\n", NULL);
    const struct explanation *x = w.x;
    for (uint32_t of = 0; x != NULL && of < WINDOWS; of++) {
        const struct scanned *window = &x->fault[0].window[of];
        if (window->n == 0)
            continue;
        CHECK(window->own < window->n);
        const struct replayed *own = &window->tried[window->own].replay;
        CHECK(own->end == REPLAY_SAME && own->at == x->run->violation[x->index].at);
        CHECK_STR(own->change.revision[0].fault, "before w1 writes ledger: pause w1 for 20s");
    }
    why_free(&w);
}

/* How often what breaks it stops to, from one value that was tried to the next. */
static uint32_t ends_of(const struct scanned *w)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i + 1 < w->n; i++)
        n += w->tried[i].replay.end == REPLAY_SAME && w->tried[i + 1].replay.end != REPLAY_SAME;
    return n;
}

TEST("a window can have holes, and they are in it")
{
    size_t n;
    char *text = read_file("scenarios/faults/x22-late-ack-of-a-restored-message.fence", &n);
    CHECK(text != NULL);
    struct told_why w = text == NULL ? (struct told_why){0} : why(text, "one-tag");
    if (w.x != NULL) {
        const struct scanned *length = NULL;
        for (uint32_t i = 0; i < w.x->n_faults; i++)
            if (w.x->fault[i].line == 40)
                length = &w.x->fault[i].window[WINDOW_LENGTH];
        CHECK(length != NULL && length->n > 20 && ends_of(length) == 1);
        if (length != NULL && length->n > 0) /* for ever breaks it again */
            CHECK(length->tried[length->n - 1].value == NS_NEVER &&
                  length->tried[length->n - 1].replay.end == REPLAY_SAME);
    }
    why_free(&w);
    free(text);
}

/* --- the command line's change ---------------------------------------------------------------------- */

TEST("a changed case is explained as it is changed, and what is varied is the changed line")
{
    static const struct revision line = {25, "before w1 writes ledger: pause w1 for 30s"};
    static const struct change change = {.without = UINT32_C(1) << GATE_STORE_TOKEN, .n = 1, .revision = &line};
    struct told_why w = why_changed(played_example, "fenced", &change);
    const struct explanation *x = w.x;
    if (x != NULL) {
        const struct replayed *token = gate_of(x, GATE_STORE_TOKEN);
        CHECK(x->what == EXPLAINED_RULE && x->invariant == INV_NO_STALE_WRITE);
        CHECK_EQ(x->fault[0].window[WINDOW_LENGTH].tried[x->fault[0].window[WINDOW_LENGTH].own].value, 30 * NS_PER_S);
        CHECK(token != NULL && token->end == REPLAY_HOLDS);
    }
    why_free(&w);
}

/* --- what is explained ---------------------------------------------------------------------------------- */

TEST("an `always` line that was false is explained as a rule is; an expectation alone is not asked of re-runs")
{
    struct told_why w = why(WORLD "always: expect not ledger = 2\n", NULL);
    if (w.x != NULL) {
        CHECK(w.x->what == EXPLAINED_ALWAYS && w.x->invariant == INVARIANTS);
        CHECK(has_link(w.x, V_COMMITS, LINK_BROKE) && w.x->n_gates == 2);
    }
    why_free(&w);
    w = why(WORLD "at end: expect ledger = 3\n", NULL);
    if (w.x != NULL) {
        CHECK(w.x->what == EXPLAINED_EXPECTATION && w.x->n_gates == 0);
        CHECK(has_link(w.x, V_COMMITS, LINK_BROKE));
    }
    why_free(&w);
}

TEST("a run at its limit is explained as that, and a re-run that goes on and on is not followed to its end")
{
    struct told_why w = why("fencepost 1\ncase a holds\nlock leader central ttl 10s\nnode w1\nlimit events 500\n"
                            "until 10h\nw1:\n  acquire leader\n  repeat every 1ms: check leader\nat 2h: heal\n",
                            NULL);
    CHECK(w.x != NULL && w.x->what == EXPLAINED_END && w.x->run->end == END_STEPS);
    why_free(&w);
    w = why("fencepost 1\ncase a holds\nlock leader central ttl 10s\nnode w1\nuntil 10h\nw1:\n  acquire leader\n"
            "  on lease-lost: stop\n  repeat every 1ms: check leader\nat 2h: heal\n",
            NULL);
    if (w.x != NULL) {
        const struct replayed *check = gate_of(w.x, GATE_LEASE_CHECK);
        CHECK(w.x->what == EXPLAINED_HOLDS && check != NULL && check->end == REPLAY_LONG);
    }
    why_free(&w);
}

/* --- limits ------------------------------------------------------------------------------------------------ */

static struct told_why many_faults(uint32_t n)
{
    static char text[8192];
    size_t at = (size_t)snprintf(text, sizeof text, "%s", WORLD "before w1 writes ledger: pause w1 for 20s\n");
    for (uint32_t i = 1; i < n; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "at %us: slow ledger by 1ms for 1ms\n", (unsigned)i % 9);
    return why(text, NULL);
}

TEST("of a case with more faults than are left out one by one, the first are asked, and no point of no return")
{
    for (uint32_t n = EXPLAIN_FAULTS - 1; n <= EXPLAIN_FAULTS + 1; n++) {
        struct told_why w = many_faults(n);
        if (w.x != NULL) {
            uint32_t asked = 0;
            for (uint32_t i = 0; i < w.x->n_faults; i++)
                asked += w.x->fault[i].need != NEED_UNASKED;
            CHECK_EQ(asked, n < EXPLAIN_FAULTS ? n : EXPLAIN_FAULTS);
            CHECK(w.x->replays <= EXPLAIN_REPLAYS);
            CHECK_EQ(w.x->no_return != NONE32 || w.x->replays == EXPLAIN_REPLAYS, n <= EXPLAIN_FAULTS);
        }
        why_free(&w);
    }
}

TEST("whichever allocation fails, there is an explanation whole or none")
{
    if (!test_counts_allocations()) {
        test_skip("allocations cannot be made to fail in this build");
        return;
    }
    static struct diags diags;
    static const struct change none;
    struct scenario *s = scenario_parse(played_example, strlen(played_example), "x", NULL, 0, &diags);
    bool whole = false;
    for (int64_t nth = 1; s != NULL && !whole && nth < 20000; nth += nth < 60 ? 1 : 37) {
        int64_t before = test_allocations();
        test_fail_allocation(nth);
        struct explanation *x = explain_new(s, 1, &none, &diags);
        test_fail_allocation(0);
        whole = test_allocations() - before < nth;
        CHECK(x != NULL ? whole : diags.no_memory);
        explain_free(x);
    }
    CHECK(whole);
    scenario_free(s);
}

/* --- the library -------------------------------------------------------------------------------------------- */

struct tour {
    uint32_t broken, held, decided, replays;
};

static bool in_chain(const struct explanation *x, uint32_t record)
{
    for (uint32_t i = 0; i < x->n_links; i++)
        if (x->link[i].record == record)
            return true;
    return false;
}

/* The gate of `decided-by` is one of those that were put back, or is asked for itself. */
static bool names_gate(const struct explanation *x, uint32_t gate)
{
    return gate_of(x, gate) != NULL || (x->decided_by == (int32_t)gate && x->decided.end != REPLAY_UNASKED);
}

static void check_broken(const char *path, const struct scenario *s, const struct explanation *x)
{
    int32_t gate = scenario_decided_by(s);
    bool helps = false;
    if (gate >= 0 && !names_gate(x, (uint32_t)gate))
        test_failed(path, 0, "case %s: nothing is said of %s", x->c->name, gate_table[gate].name);
    for (uint32_t i = 0; i < x->n_gates; i++)
        helps |= x->gate[i].replay.end == REPLAY_HOLDS;
    if (gate >= 0 && gate_of(x, (uint32_t)gate) != NULL && gate_of(x, (uint32_t)gate)->end != REPLAY_HOLDS && !helps &&
        x->n_pairs == 0 && x->decided_in == NONE32)
        test_failed(path, 0, "case %s: %s decides, and nothing shows it", x->c->name, gate_table[gate].name);
    for (uint32_t i = 0; i < x->n_faults; i++) {
        const struct fault_fact *f = &x->fault[i];
        if (f->need == NEED_NEEDED && f->record != 0 && !in_chain(x, f->record))
            test_failed(path, (int)f->line, "case %s: a needed fault is not in the chain", x->c->name);
        if (f->need == NEED_NEEDED && !f->came)
            test_failed(path, (int)f->line, "case %s: a fault that never came was needed", x->c->name);
    }
}

static void explain_case(const char *path, const struct scenario *s, uint32_t i, void *context)
{
    static struct diags diags;
    static const struct change none;
    struct tour *tour = context;
    struct explanation *x = explain_new(s, i, &none, &diags);
    if (x == NULL) {
        test_failed(path, (int)diags.row[0].line, "%s", diags.row[0].text);
        return;
    }
    CHECK(x->replays <= EXPLAIN_REPLAYS);
    tour->replays = x->replays > tour->replays ? x->replays : tour->replays;
    tour->decided += scenario_decided_by(s) >= 0;
    if (x->what == EXPLAINED_RULE)
        check_broken(path, s, x);
    else if (x->what != EXPLAINED_HOLDS)
        test_failed(path, 0, "case %s: no rule broke, and it does not hold", x->c->name);
    tour->broken += x->what == EXPLAINED_RULE;
    tour->held += x->what == EXPLAINED_HOLDS;
    explain_free(x);
}

TEST("every case of the library is explained: the gate that decides it, and each needed fault in the chain")
{
    struct tour tour = {0};
    visit_library(explain_case, &tour);
    CHECK(tour.broken > 120 && tour.held > 120 && tour.decided > 200);
    CHECK(tour.replays < 300);
}
