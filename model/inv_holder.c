/* SPDX-License-Identifier: MIT
 *
 * inv_holder.c - two signs: single-holder (what nodes believe) and single-actor (what they do).
 *
 * A sign is danger without harm. Both are read from notes: `believes` and `doubts` say what a node's own check
 * would answer at every true time, `acts` and `rests` what stands between the beginning and the end of a step.
 */
#include "model/invariant.h"

enum { N_TOKEN, N_PROCESS };

static struct inv_believer *believers_of(const struct judge *j, uint16_t lock)
{
    return &j->m.believers[(uint32_t)lock * j->p->n_clients];
}

static struct inv_believer *find_believer(const struct judge *j, uint16_t lock, struct who who)
{
    struct inv_believer *rows = believers_of(j, lock), *free_row = NULL;
    for (uint32_t i = 0; i < j->p->n_clients; i++) {
        if (rows[i].threads && same_who(rows[i].who, who))
            return &rows[i];
        if (!rows[i].threads && !free_row)
            free_row = &rows[i];
    }
    return free_row;
}

/* At no true time would two nodes' own checks both say "I hold it". Of locks only: a job may be believed in twice. */
void inv_single_holder(struct judge *j, const struct record *r, uint32_t number)
{
    uint16_t lock = judge_lock(j, r->object);
    if (!is_lock(j->p, lock))
        return;
    struct who who = {r->actor, r->start};
    struct inv_believer *mine = find_believer(j, lock, who);
    if (r->verb == V_DOUBTS) {
        if (mine && mine->threads)
            mine->threads--;
        return;
    }
    ASSERT(mine);
    for (uint32_t i = 0; i < j->p->n_clients; i++) {
        const struct inv_believer *other = &believers_of(j, lock)[i];
        if (other->threads && other->who.name != who.name)
            violated(j, INV_SINGLE_HOLDER, r, number, other->record, r->actor, r->object);
    }
    if (!mine->threads)
        *mine = (struct inv_believer){who, 0, number};
    mine->threads++;
}

static uint32_t act_rows(const struct judge *j) { return n_resources(j->p) * j->p->n_clients; }

static void act_ends(struct judge *j, name_id thread, uint16_t lock)
{
    for (uint32_t i = 0; i < act_rows(j); i++)
        if (j->m.acts[i].lock == lock + 1 && j->m.acts[i].thread == thread)
            j->m.acts[i].lock = 0;
}

static void acts_end_in(struct judge *j, name_id process)
{
    for (uint32_t i = 0; i < act_rows(j); i++)
        if (j->m.acts[i].process == process)
            j->m.acts[i].lock = 0;
}

static void act_begins(struct judge *j, const struct record *r, uint16_t lock, uint32_t number)
{
    const struct inv_lock *l = &j->m.locks[lock];
    name_id process = (name_id)r->field[N_PROCESS];
    bool own = l->holder.name == process && l->last_token == record_token(r, N_TOKEN);
    if (!judge_free(l) && !own)
        violated(j, INV_SINGLE_ACTOR, r, number, l->record, process, r->object);
    for (uint32_t i = 0; i < act_rows(j); i++) {
        struct inv_act *a = &j->m.acts[i];
        if (a->lock)
            continue;
        *a = (struct inv_act){record_token(r, N_TOKEN), r->actor, (uint16_t)(lock + 1), process, r->start, number, 0};
        return;
    }
    ASSERT(false && "a row for each thread and lock");
}

static void others_act(struct judge *j, const struct record *r, uint16_t lock, uint32_t number)
{
    for (uint32_t i = 0; i < act_rows(j); i++) {
        const struct inv_act *a = &j->m.acts[i];
        bool own = a->process == r->object && a->token == record_token(r, N_TOKEN);
        if (a->lock == lock + 1 && !own)
            violated(j, INV_SINGLE_ACTOR, r, number, a->record, a->process, judge_resource_name(j, r));
    }
}

/* No node acts under a grant while a later grant of that lock, or a later claim of that job, is current. Grants
 * without a token are told apart by their holders alone. */
void inv_single_actor(struct judge *j, const struct record *r, uint32_t number)
{
    if (r->verb == V_CRASHES) {
        acts_end_in(j, r->actor);
        return;
    }
    uint16_t lock = r->verb == V_GRANTS ? judge_resource(j, r) : judge_lock(j, r->object);
    ASSERT(lock != NONE16);
    if (r->verb == V_RESTS)
        act_ends(j, r->actor, lock);
    else if (r->verb == V_ACTS)
        act_begins(j, r, lock, number);
    else
        others_act(j, r, lock, number);
}
