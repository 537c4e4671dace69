/* SPDX-License-Identifier: MIT
 *
 * inv_end.c - what invariants say when the run is over, and what they could not decide.
 *
 * query_end() and query_undecided() stand here, and not with the other questions, since they ask the judge and no
 * model; state.h is wanted for where he sits, and for nothing else.
 */
#include "model/invariant.h"
#include "model/query.h"
#include "model/state.h"

void invariants_end(struct judge *j, ns now, bool idle)
{
    if (j->m.state->over)
        return;
    j->m.state->over = 1;
    inv_no_lost_job_at_end(j, now, idle);
    inv_progress_at_end(j, now, idle);
}

struct list {
    struct undecided *out;
    uint32_t n, most;
};

static void add(struct list *list, enum invariant i, name_id resource, enum undecided_why why)
{
    if (list->n < list->most)
        list->out[list->n] = (struct undecided){i, resource, (uint16_t)why};
    list->n++;
}

uint32_t invariants_undecided(const struct judge *j, struct undecided *out, uint32_t most)
{
    struct list list = {out, 0, most};
    for (uint32_t i = j->p->n_locks; i < n_resources(j->p); i++) {
        uint32_t why = judge_job(j, (uint16_t)i)->undecided;
        if (why)
            add(&list, INV_NO_LOST_JOB, resource_name(j->p, i), (enum undecided_why)(why - 1));
    }
    for (uint32_t i = 0; i < n_resources(j->p); i++)
        if (j->m.locks[i].unsaid)
            add(&list, INV_PROGRESS, resource_name(j->p, i), WHY_HORIZON);
    return list.n;
}

void query_end(struct sim *s, bool idle) { invariants_end(&scratch_of(s)->judge, sim_now(s), idle); }

uint32_t query_undecided(struct sim *s, struct undecided *out, uint32_t most)
{
    return invariants_undecided(&scratch_of(s)->judge, out, most);
}
