/* SPDX-License-Identifier: MIT
 *
 * explain_gates.c - which gates would have stopped it, and which one it is that stops it.
 *
 * Of a case that broke, each gate that it lacks is put back alone; where none helps, pairs. Of one that did not break,
 * each gate that it has and that could matter in it is taken away alone, so that one sees what stands between this run
 * and harm; where none shows, pairs: each covers for the other. And the gate that the file names is asked in any case.
 */
#include <string.h>

#include "fuzz/explain_part.h"
#include "fuzz/gates.h"

static bool is_broken(const struct explanation *x) { return x->what == EXPLAINED_RULE || x->what == EXPLAINED_ALWAYS; }

/* As the question is, of gates to put back or to take away. */
static struct change turn(const struct explanation *x, uint32_t gates)
{
    return is_broken(x) ? change_gate(0, gates) : change_gate(gates, 0);
}

/* Whether a gate, or a pair, shows: it stops what broke; or what held breaks without it. */
static bool shows(const struct explanation *x, const struct replayed *r)
{
    return is_broken(x) ? r->end == REPLAY_HOLDS : replay_breaks(r);
}

static void ask_each(struct explaining *e, uint32_t gates)
{
    struct explanation *x = e->x;
    for (uint32_t g = 0; g < GATES; g++) {
        if (!(gates >> g & 1))
            continue;
        struct gate_fact *row = &x->gate[x->n_gates++];
        const struct change change = turn(x, UINT32_C(1) << g);
        row->gate = g;
        replay_change(e, &change, true, &row->replay);
        e->patient = row->replay.end == REPLAY_LONG && scenario_decided_by(x->scenario) == (int32_t)g;
        if (e->patient)
            replay_change(e, &change, true, &row->replay);
        e->patient = false;
    }
}

static bool any_shows(const struct explanation *x)
{
    for (uint32_t i = 0; i < x->n_gates; i++)
        if (shows(x, &x->gate[i].replay))
            return true;
    return false;
}

/* A gate without which the trace is the same can be one of a pair all the same: nobody came as far as asking it. */
static void ask_pairs(struct explaining *e)
{
    struct explanation *x = e->x;
    for (uint32_t i = 0; i < x->n_gates; i++)
        for (uint32_t k = i + 1; k < x->n_gates && x->n_pairs < GATES; k++) {
            struct gate_pair *pair = &x->pair[x->n_pairs];
            const struct change change = turn(x, UINT32_C(1) << x->gate[i].gate | UINT32_C(1) << x->gate[k].gate);
            *pair = (struct gate_pair){.a = x->gate[i].gate, .b = x->gate[k].gate};
            replay_change(e, &change, false, &pair->replay);
            x->n_pairs += shows(x, &pair->replay);
        }
}

/* Gates that change nothing alone, all away at once. */
static void ask_idle(struct explaining *e)
{
    struct explanation *x = e->x;
    struct replayed r;
    uint32_t idle = 0;
    for (uint32_t i = 0; i < x->n_gates; i++)
        if (x->gate[i].replay.same_trace)
            idle |= UINT32_C(1) << x->gate[i].gate;
    const struct change change = turn(x, idle);
    if ((idle & (idle - 1)) == 0)
        return;
    replay_change(e, &change, true, &r);
    if (r.same_trace)
        x->idle = r;
}

/* --- the file's own gate ---------------------------------------------------------------------------- */

static const struct gate_fact *find_gate(const struct explanation *x, uint32_t gate)
{
    for (uint32_t i = 0; i < x->n_gates; i++)
        if (x->gate[i].gate == gate)
            return &x->gate[i];
    return NULL;
}

/* A case that broke has the gate: what taking it away breaks besides. Or it lacks it, and putting it back does not
 * help: the case that holds and in which taking it away breaks the same. */
static void ask_decided(struct explaining *e, uint32_t gate)
{
    struct explanation *x = e->x;
    const struct change change = change_gate(UINT32_C(1) << gate, 0);
    x->decided_by = (int32_t)gate;
    if (!is_broken(x))
        return;
    const struct gate_fact *row = find_gate(x, gate);
    if (row == NULL)
        replay_change(e, &change, true, &x->decided);
    if (row == NULL || row->replay.end == REPLAY_HOLDS)
        return;
    for (uint32_t i = 0; i < scenario_cases(x->scenario) && x->decided_in == NONE32; i++) {
        struct replayed whole, r;
        const struct change none = {0};
        if (i == x->case_index)
            continue;
        replay_case(e, i, &none, &whole);
        if (whole.end != REPLAY_HOLDS)
            continue;
        replay_case(e, i, &change, &r);
        if (r.end != REPLAY_SAME)
            continue;
        x->decided_in = i;
        x->decided_there = r;
    }
}

/* The gates that a case lacks and that this version has. */
static uint32_t lacking(const struct compiled *c)
{
    uint32_t bits = 0;
    for (uint32_t g = 0; g < GATES; g++)
        if (gate_table[g].built && !gate_on(&c->model, (enum gate)g))
            bits |= UINT32_C(1) << g;
    return bits;
}

void explain_gates(struct explaining *e)
{
    struct explanation *x = e->x;
    if (x->what == EXPLAINED_EXPECTATION || x->what == EXPLAINED_END)
        return;
    ask_each(e, is_broken(x) ? lacking(x->c) : gates_of(x->c));
    if (!any_shows(x))
        ask_pairs(e);
    if (!is_broken(x))
        ask_idle(e);
    int32_t gate = scenario_decided_by(x->scenario);
    if (gate >= 0)
        ask_decided(e, (uint32_t)gate);
}
