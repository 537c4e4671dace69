/* SPDX-License-Identifier: MIT
 *
 * inv_job.c - invariants about how a job, or a row of a table `as queue`, ends: owner-completes, final-stays-final;
 * and what single-claim, no-lost-job and progress must know of that.
 *
 * An *attempt* begins with a grant. It has ended when its worker finished or failed the job, or when somebody put it
 * back; its lease may lapse before or after that. A job is *final* when it was finished or given up on record. An
 * operator's word (`why operator`) makes it anew and is nobody's violation; so does a row that was deleted when it was
 * final and is inserted again. A queue that adds a job which it had finished has forgotten it: that stays final.
 */
#include "model/invariant.h"

enum { J_TOKEN, J_BY, J_START, J_BY_START, J_BY_TOKEN, J_WHY }; /* the last of V_RETURNS */

static bool has(const struct record *r, int field) { return record_has(r, field); }

/* NONE16: the row of a table that says nothing of jobs, or a lock. */
static uint16_t job_of(const struct judge *j, const struct record *r)
{
    uint16_t resource = judge_resource(j, r);
    return resource != NONE16 && judge_is_job(j, resource) ? resource : NONE16;
}

static bool by_operator(const struct judge *j, const struct record *r)
{
    return r->verb == V_RETURNS && has(r, J_WHY) && r->field[J_WHY] == j->p->why_operator;
}

uint32_t judge_last_word(const struct judge *j, uint16_t resource)
{
    bool put_back = !is_lock(j->p, resource) && j->m.locks[resource].ended == INV_RELEASED;
    uint32_t end = put_back ? judge_job(j, resource)->end_record : 0;
    return end ? end : j->m.locks[resource].record;
}

/* --- owner-completes ---------------------------------------------------------------------------- */

/* A claim that finds the attempts used up gives the job up: it speaks for no attempt. */
static bool at_a_claim(const struct record *r)
{
    return r->verb == V_DEAD_LETTERS && !has(r, J_BY) && !has(r, J_BY_TOKEN);
}

static bool by_owner(const struct judge *j, const struct inv_lock *l, const struct record *r)
{
    return l->record && same_who(judge_doer(j, r), l->holder) && record_token(r, J_BY_TOKEN) == l->last_token;
}

static bool may_end(const struct judge *j, uint16_t job, const struct record *r)
{
    const struct inv_lock *l = &j->m.locks[job];
    bool stands = l->ended != INV_RELEASED; /* neither failed nor put back */
    if (r->verb == V_FINISHES)
        return stands && by_owner(j, l, r);
    if (!l->record || judge_job(j, job)->lapsed) /* nobody's lease runs */
        return true;
    return at_a_claim(r) ? l->ended != INV_RUNNING : stands && by_owner(j, l, r);
}

/* A job is completed, failed, or put back before its lease ran out, only by the worker and attempt the queue last gave
 * it to, and while that attempt has neither failed nor been put back. */
void inv_owner_completes(struct judge *j, const struct record *r, uint32_t number)
{
    uint16_t job = job_of(j, r);
    ASSERT(job != NONE16);
    if (!by_operator(j, r) && !may_end(j, job, r))
        violated(j, INV_OWNER_COMPLETES, r, number, judge_last_word(j, job), judge_doer(j, r).name,
                 judge_resource_name(j, r));
}

/* --- final-stays-final -------------------------------------------------------------------------- */

/* A finished job is never written again. */
void inv_final_stays_final(struct judge *j, const struct record *r, uint32_t number)
{
    uint16_t job = job_of(j, r);
    if (job == NONE16 || judge_phase(j, job) != INV_FINAL || by_operator(j, r))
        return;
    name_id node = r->verb == V_GRANTS ? r->object : judge_doer(j, r).name;
    violated(j, INV_FINAL_STAYS_FINAL, r, number, judge_job(j, job)->final_record, node, judge_resource_name(j, r));
}

/* --- remembering -------------------------------------------------------------------------------- */

static void remember_final(struct judge *j, uint16_t job, uint32_t number)
{
    struct inv_job *row = judge_job(j, job);
    row->phase = INV_FINAL;
    row->final_record = number;
}

static void remember_end(struct judge *j, uint16_t job, const struct record *r, enum inv_end end)
{
    j->m.locks[job].ended = (uint8_t)end;
    j->m.locks[job].free_at = r->at;
}

static void remember_return(struct judge *j, uint16_t job, const struct record *r, uint32_t number)
{
    judge_job(j, job)->end_record = number;
    if (by_operator(j, r) && judge_phase(j, job) == INV_FINAL)
        judge_job(j, job)->phase = INV_OPEN;
    remember_end(j, job, r, INV_RELEASED);
}

/* Only now is its attempt over where nothing had ended it: a lease that a stranger may still cut short. */
static void remember_lapse(struct judge *j, uint16_t job, const struct record *r)
{
    const struct inv_lock *l = &j->m.locks[job];
    if (l->record && l->holder.name == r->object && l->last_token == record_token(r, J_TOKEN))
        judge_job(j, job)->lapsed = 1;
}

static void remember_added(struct judge *j, const struct record *r)
{
    uint16_t job = judge_lock(j, r->object);
    if (job == NONE16 || !judge_is_job(j, job) || judge_phase(j, job) != INV_ABSENT)
        return;
    *judge_job(j, job) = (struct inv_job){.phase = INV_OPEN, .lapsed = judge_job(j, job)->lapsed};
    if (judge_free(&j->m.locks[job]))
        j->m.locks[job].free_at = r->at;
}

/* The row whose state this cell says; NONE16: none's, or of a table that is no queue. */
static uint16_t row_of_state(const struct judge *j, uint32_t cell, const struct table_plan **table)
{
    for (uint32_t i = 0; i < j->p->n_tables; i++) {
        const struct table_plan *t = &j->p->tables[i];
        uint32_t at = cell - t->first_cell;
        if (cell < t->first_cell || at >= (uint32_t)t->rows * t->columns)
            continue;
        *table = t;
        return t->kind == TABLE_QUEUE && at % t->columns == t->state
                   ? row_resource(j->p, t->first_row + at / t->columns)
                   : NONE16;
    }
    return NONE16;
}

/* A row may be inserted as a finished one: no record but that of its column says so. */
static void remember_state(struct judge *j, const struct record *r, uint32_t number)
{
    const struct table_plan *t = NULL;
    uint16_t job = row_of_state(j, judge_register(j, r->object) - j->p->n_registers, &t);
    if (job != NONE16 && judge_phase(j, job) == INV_OPEN &&
        judge_is_done(j->p, t, (struct value){r->field[0], r->tag[0]}))
        remember_final(j, job, number);
}

/* An unfinished job that is deleted stays what it is: one that nobody can finish. */
static void remember_erased(struct judge *j, uint16_t job)
{
    if (judge_phase(j, job) == INV_FINAL)
        judge_job(j, job)->phase = INV_ABSENT;
}

static void remember(struct judge *j, uint16_t job, const struct record *r, uint32_t number)
{
    switch (r->verb) {
    case V_GRANTS: judge_job(j, job)->lapsed = 0; break;
    case V_EXTENDS:
        if (j->m.locks[job].ended <= INV_LAPSED)
            judge_job(j, job)->lapsed = 0;
        break;
    case V_RETURNS: remember_return(j, job, r, number); break;
    case V_LAPSES: remember_lapse(j, job, r); break;
    case V_ERASES: remember_erased(j, job); break;
    default:
        ASSERT(r->verb == V_FINISHES || r->verb == V_DEAD_LETTERS);
        remember_final(j, job, number);
        remember_end(j, job, r, INV_FINISHED);
        break;
    }
}

void inv_remember_job(struct judge *j, const struct record *r, uint32_t number)
{
    if (r->verb == V_ADDS) {
        remember_added(j, r);
    } else if (r->verb == V_SETS) {
        remember_state(j, r, number);
    } else {
        uint16_t job = job_of(j, r);
        if (job != NONE16)
            remember(j, job, r, number);
    }
}
