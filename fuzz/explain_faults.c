/* SPDX-License-Identifier: MIT
 *
 * explain_faults.c - which faults were needed, and after which one it was too late.
 *
 * Each fault of the case is left out alone. Then they are left out from the last to the first, as long as it breaks:
 * the last that has to stay is the point of no return. At the end, when the rest has been asked, those without which it
 * breaks all the same are left out in pairs: where it holds without both, either is enough.
 */
#include <string.h>

#include "fuzz/explain_part.h"

/* --- when each came ------------------------------------------------------------------------------ */

/* The first record that the fault's own line made. */
static uint32_t find_record(const struct explanation *x, const struct fault_plan *f)
{
    uint32_t n;
    const struct record *records = sim_trace(x->run->sim, &n);
    for (uint32_t i = 0; i < n; i++)
        if (records[i].verb < V_RECEIVES && records[i].line == f->line)
            return i + 1;
    return 0;
}

static void find_coming(const struct explanation *x, struct fault_fact *row)
{
    const struct fault_plan *f = &x->c->sim.faults[row->fault];
    row->record = find_record(x, f);
    row->at = f->at;
    if (row->trigger != NONE32)
        row->came = sim_trigger_fired(x->run->sim, row->trigger, &row->at);
    else
        row->came = f->at <= x->run->end_ns;
}

static uint32_t trigger_of(const struct sim_plan *plan, uint32_t fault)
{
    for (uint32_t i = 0; i < plan->n_triggers; i++)
        if (plan->triggers[i].fault == fault)
            return i;
    return NONE32;
}

/* Those that came before those that did not, and then by time; else as in the file. */
static bool comes_before(const struct fault_fact *a, const struct fault_fact *b)
{
    if (a->came != b->came)
        return a->came;
    return a->came && a->at < b->at;
}

static void list_faults(struct explaining *e)
{
    struct explanation *x = e->x;
    const struct sim_plan *plan = &x->c->sim;
    x->fault = arena_alloc(&x->arena, (plan->n_faults + 1) * sizeof *x->fault);
    for (uint32_t i = 0; x->fault != NULL && i < plan->n_faults; i++) {
        struct fault_fact row = {.fault = i, .line = plan->faults[i].line, .trigger = trigger_of(plan, i)};
        find_coming(x, &row);
        uint32_t k = x->n_faults++;
        for (; k > 0 && comes_before(&row, &x->fault[k - 1]); k--)
            x->fault[k] = x->fault[k - 1];
        x->fault[k] = row;
    }
}

/* --- which were needed ---------------------------------------------------------------------------- */

/* What is asked of a re-run of a case that broke: whether that is over. */
static bool is_mended(const struct replayed *r) { return r->end == REPLAY_HOLDS || r->end == REPLAY_OTHER; }

static void leave_each_out(struct explaining *e)
{
    struct explanation *x = e->x;
    for (uint32_t i = 0; i < x->n_faults && i < EXPLAIN_FAULTS; i++) {
        struct fault_fact *row = &x->fault[i];
        const struct fault_fact *one[] = {row};
        const struct change without = change_without(e, one, 1);
        replay_change(e, &without, false, &row->without);
        if (row->without.end != REPLAY_UNASKED)
            row->need = is_mended(&row->without) ? NEED_NEEDED : NEED_NOT;
    }
}

/* What it breaks without, two at a time. */
void explain_pairs(struct explaining *e)
{
    struct explanation *x = e->x;
    uint32_t n = x->n_faults < EXPLAIN_PAIRED ? x->n_faults : EXPLAIN_PAIRED;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++) {
            struct fault_fact *a = &x->fault[i], *b = &x->fault[k];
            const struct fault_fact *both[] = {a, b};
            struct replayed r;
            if (a->need != NEED_NOT || b->need != NEED_NOT)
                continue;
            const struct change without = change_without(e, both, 2);
            replay_change(e, &without, false, &r);
            if (!is_mended(&r))
                continue;
            a->need = b->need = NEED_EITHER;
            a->other = k;
            b->other = i;
            a->without_both = b->without_both = r;
        }
}

/* --- the point of no return ------------------------------------------------------------------------- */

static void find_no_return(struct explaining *e)
{
    struct explanation *x = e->x;
    const struct fault_fact **rows = arena_alloc(&x->arena, (x->n_faults + 1) * sizeof *rows);
    for (uint32_t keep = x->n_faults; rows != NULL && keep-- > 1;) {
        struct replayed r;
        for (uint32_t i = keep; i < x->n_faults; i++)
            rows[i - keep] = &x->fault[i];
        const struct change without = change_without(e, rows, x->n_faults - keep);
        replay_change(e, &without, false, &r);
        if (r.end == REPLAY_UNASKED)
            return;
        if (r.end != REPLAY_SAME)
            break;
        x->only_until = r;
        x->no_return = keep - 1;
    }
    if (x->no_return == NONE32)
        x->no_return = x->n_faults - 1;
}

void explain_faults(struct explaining *e)
{
    struct explanation *x = e->x;
    list_faults(e);
    if (x->n_faults == 0 || (x->what != EXPLAINED_RULE && x->what != EXPLAINED_ALWAYS))
        return;
    leave_each_out(e);
    if (x->n_faults > EXPLAIN_FAULTS)
        return;
    const struct fault_fact **all = arena_alloc(&x->arena, x->n_faults * sizeof *all);
    for (uint32_t i = 0; all != NULL && i < x->n_faults; i++)
        all[i] = &x->fault[i];
    if (all == NULL)
        return;
    const struct change without = change_without(e, all, x->n_faults);
    replay_change(e, &without, false, &x->calm);
    if (x->calm.end != REPLAY_SAME)
        find_no_return(e);
}
