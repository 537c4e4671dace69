/* SPDX-License-Identifier: MIT
 *
 * explain_gates.c - which gates would have stopped it and which would not; of a case that holds, which gate it rests
 * on. A gate that changes nothing is named as such.
 */
#include "reports/explain_part.h"

static bool is_broken(const struct explanation *x) { return x->what == EXPLAINED_RULE || x->what == EXPLAINED_ALWAYS; }

static struct told *add(struct telling *k, const struct replayed *r)
{
    return telling_add_replay(k, TOLD_GATES, TOLD_SENTENCE, r, k->x->case_index);
}

/* --- a case that broke ---------------------------------------------------------------------------- */

static void tell_put_back(struct telling *k, const struct gate_fact *g)
{
    const struct explanation *x = k->x;
    struct told *row = add(k, &g->replay);
    if (row == NULL)
        return;
    struct text *t = &row->words;
    text_add(t, gate_table[g->gate].name);
    switch ((enum replay_end)g->replay.end) {
    case REPLAY_HOLDS:
        text_add(t, " would have stopped it: ");
        text_add(t, gate_table[g->gate].with);
        break;
    case REPLAY_OTHER:
        text_add(t, " would have stopped this, but then ");
        told_outcome(t, x, &g->replay);
        break;
    case REPLAY_SAME:
        text_add(t, g->replay.same_trace ? " would have changed nothing: not one event is different"
                                         : " would not have stopped it: ");
        if (!g->replay.same_trace)
            told_outcome(t, x, &g->replay);
        break;
    default: text_add(t, " put back alone: "); told_outcome(t, x, &g->replay);
    }
    text_char(t, '.');
}

static void tell_pair(struct telling *k, const struct gate_pair *p)
{
    struct told *row = add(k, &p->replay);
    if (row == NULL)
        return;
    struct text *t = &row->words;
    text_add(t, is_broken(k->x) ? "Only together would they have stopped it: " : "Each covers for the other: without ");
    text_add(t, gate_table[p->a].name);
    text_add(t, " and ");
    text_add(t, gate_table[p->b].name);
    if (!is_broken(k->x)) {
        text_add(t, ", ");
        told_outcome(t, k->x, &p->replay);
    }
    text_char(t, '.');
}

/* What the file says decides its story, and does not by being put back here. */
static void tell_decided(struct telling *k)
{
    const struct explanation *x = k->x;
    bool there = x->decided_in != NONE32;
    const struct replayed *r = there ? &x->decided_there : &x->decided;
    if (x->decided_by < 0 || r->end == REPLAY_UNASKED)
        return;
    struct told *row = telling_add_replay(k, TOLD_GATES, TOLD_SENTENCE, r, there ? x->decided_in : x->case_index);
    if (row == NULL)
        return;
    struct text *t = &row->words;
    text_add(t, "The file says that ");
    text_add(t, gate_table[x->decided_by].name);
    if (there) {
        text_add(t, " decides its story: in case ");
        text_shown(t, scenario_case_name(x->scenario, x->decided_in));
        text_add(t, ", which holds, taking that away breaks the same: ");
        told_outcome(t, x, r);
    } else if (r->same_trace) {
        text_add(t, " decides its story. This case has it, and that did not stop this; without it, not one event is "
                    "different");
    } else {
        text_add(t, " decides its story. This case has it, and that did not stop this; without it as well, ");
        told_outcome(t, x, r);
    }
    text_char(t, '.');
}

static void tell_broken(struct telling *k)
{
    const struct explanation *x = k->x;
    for (int helps = 1; helps >= 0; helps--)
        for (uint32_t i = 0; i < x->n_gates; i++)
            if ((x->gate[i].replay.end == REPLAY_HOLDS) == (helps == 1))
                tell_put_back(k, &x->gate[i]);
    for (uint32_t i = 0; i < x->n_pairs; i++)
        tell_pair(k, &x->pair[i]);
    if (x->n_gates == 0) {
        struct told *row = telling_add(k, TOLD_GATES, TOLD_SENTENCE);
        if (row != NULL)
            text_add(&row->words, "None: this case has every gate, and none of them is for this.");
    }
    tell_decided(k);
}

/* --- a case that holds ------------------------------------------------------------------------------ */

static void tell_taken(struct telling *k, const struct gate_fact *g)
{
    if (g->replay.same_trace && k->x->idle.end != REPLAY_UNASKED)
        return;
    struct told *row = add(k, &g->replay);
    if (row == NULL)
        return;
    text_add(&row->words, replay_breaks(&g->replay) ? "It rests on " : "Not on ");
    text_add(&row->words, gate_table[g->gate].name);
    text_add(&row->words, ": without it ");
    if (g->replay.same_trace)
        text_add(&row->words, "not one event is different");
    else
        told_outcome(&row->words, k->x, &g->replay);
    text_char(&row->words, '.');
}

static void tell_idle(struct telling *k)
{
    const struct explanation *x = k->x;
    uint32_t left = 0;
    if (x->idle.end == REPLAY_UNASKED)
        return;
    struct told *row = add(k, &x->idle);
    if (row == NULL)
        return;
    for (uint32_t i = 0; i < x->n_gates; i++)
        left += x->gate[i].replay.same_trace;
    text_add(&row->words, "Nobody came to ask ");
    for (uint32_t i = 0; i < x->n_gates; i++) {
        if (!x->gate[i].replay.same_trace)
            continue;
        text_add(&row->words, gate_table[x->gate[i].gate].name);
        text_add(&row->words, --left > 1 ? ", " : left == 1 ? " and " : "");
    }
    text_add(&row->words, ": without all of them together, not one event is different.");
}

static void tell_held(struct telling *k)
{
    const struct explanation *x = k->x;
    for (int breaks = 1; breaks >= 0; breaks--)
        for (uint32_t i = 0; i < x->n_gates; i++)
            if (replay_breaks(&x->gate[i].replay) == (breaks == 1))
                tell_taken(k, &x->gate[i]);
    for (uint32_t i = 0; i < x->n_pairs; i++)
        tell_pair(k, &x->pair[i]);
    tell_idle(k);
}

/* A re-run judges rules alone: it cannot say whether an expectation would have been met. */
static void tell_unasked(struct telling *k)
{
    struct told *row = telling_add(k, TOLD_GATES, TOLD_SENTENCE);
    if (row != NULL)
        text_add(&row->words, "Not asked: a re-run judges the rules, and none of them broke here.");
}

void tell_gates(struct telling *k)
{
    if (is_broken(k->x))
        tell_broken(k);
    else if (k->x->what == EXPLAINED_HOLDS)
        tell_held(k);
    else
        tell_unasked(k);
}
