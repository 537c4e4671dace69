/* SPDX-License-Identifier: MIT
 *
 * explain.c - see explain.h. What is explained, and in which order the facts are gathered.
 *
 * Of several rules that broke the one that the case names first is explained: that is what its author means. Of those
 * that no case names, the one that broke first: a consequence does not explain its cause.
 */
#include "fuzz/explain.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/explain_part.h"

/* --- what is explained ------------------------------------------------------------------------- */

/* Where the case's line names it; behind all others where it does not. */
static uint32_t place_on_case_line(const struct compiled *c, uint32_t invariant)
{
    for (uint32_t i = 0; i < c->n_expected; i++)
        if (c->expected[i].invariant == invariant)
            return i;
    return c->n_expected;
}

static bool comes_first(const struct run *r, const struct violation *a, const struct violation *b)
{
    uint32_t named = place_on_case_line(r->c, a->invariant), other = place_on_case_line(r->c, b->invariant);
    return named != other ? named < other : a->record < b->record;
}

static bool choose_rule(struct explanation *x)
{
    const struct run *r = x->run;
    bool found = false;
    for (uint32_t i = 0; i < r->n_violations; i++) {
        if (!run_counts(r, i) || (found && !comes_first(r, &r->violation[i], &r->violation[x->index])))
            continue;
        found = true;
        x->index = i;
        x->invariant = r->violation[i].invariant;
    }
    return found;
}

/* The first miss of an `always` line, or of any. */
static bool choose_miss(struct explanation *x, bool always)
{
    const struct run *r = x->run;
    bool found = false;
    for (uint32_t i = 0; i < r->n_misses; i++) {
        const struct miss *m = &r->misses[i];
        bool is_always = r->c->expectations[m->expectation].when == EXPECT_ALWAYS;
        if (is_always != always || (!is_always && !r->plain) || (found && r->misses[x->index].at <= m->at))
            continue;
        found = true;
        x->index = i;
        x->invariant = is_always ? INVARIANTS + m->expectation : NONE32;
    }
    return found;
}

static void choose(struct explanation *x)
{
    x->invariant = NONE32;
    if (choose_rule(x))
        x->what = EXPLAINED_RULE;
    else if (choose_miss(x, true))
        x->what = EXPLAINED_ALWAYS;
    else if (x->run->verdict == VERDICT_ERROR)
        x->what = EXPLAINED_END;
    else if (choose_miss(x, false))
        x->what = EXPLAINED_EXPECTATION;
    else
        x->what = EXPLAINED_HOLDS;
}

/* --- life ------------------------------------------------------------------------------------------ */

static bool play(struct explaining *e, const struct scenario *s, struct diags *diags)
{
    struct explanation *x = e->x;
    const struct run_options options = {.plain = x->base.without == 0 && x->base.put_back == 0 && x->base.n == 0};
    x->c = scenario_compile(s, x->case_index, x->base.without, x->base.put_back, diags);
    if (x->c == NULL)
        return false;
    x->run = run_case(x->c, &options);
    e->no_memory = x->run == NULL;
    return !e->no_memory;
}

static struct explanation *give_up(struct explaining *e, struct diags *diags)
{
    diags->no_memory |= e->no_memory || e->x->arena.failed;
    explain_free(e->x);
    return NULL;
}

struct explanation *explain_new(const struct scenario *s, uint32_t case_index, const struct change *change,
                                struct diags *diags)
{
    struct explaining e = {.x = calloc(1, sizeof *e.x)};
    *diags = (struct diags){0};
    if (e.x == NULL) {
        diags->no_memory = true;
        return NULL;
    }
    e.x->scenario = s;
    e.x->case_index = case_index;
    e.x->base = *change;
    e.x->decided_by = -1;
    e.x->decided_in = e.x->no_return = e.x->nearest.fault = NONE32;
    if (change->n > 0)
        s = e.x->revised = scenario_revised(s, change->revision, change->n, diags);
    if (s == NULL || !play(&e, s, diags))
        return give_up(&e, diags);
    choose(e.x);
    explain_faults(&e);
    explain_gates(&e);
    explain_windows(&e);
    explain_pairs(&e);
    explain_chain(&e);
    return e.no_memory || e.x->arena.failed ? give_up(&e, diags) : e.x;
}

void explain_free(struct explanation *x)
{
    if (x == NULL)
        return;
    run_free(x->run);
    compiled_free(x->c);
    scenario_free(x->revised);
    arena_free(&x->arena);
    free(x);
}
