/* SPDX-License-Identifier: MIT
 *
 * invariant.c - which invariant looks at which record, and what a violation notes.
 *
 * For each record those that judge run first and those that remember run after them, so that every
 * judgement is made against what was true before the record. Harm is judged before what is only a broken promise.
 */
#include "model/invariant.h"

#include <string.h>

/* --- what names stand for ------------------------------------------------------------------- */

static void first_wins(uint16_t *field, uint32_t index)
{
    ASSERT(index < NONE16);
    if (*field == NONE16)
        *field = (uint16_t)index;
}

static void name_threads(const struct model_plan *p, struct judge_name *names)
{
    for (uint16_t i = 0; i < p->n_services; i++) {
        uint16_t thread = p->services[i].thread;
        if (p->actor_of[thread].kind != ACTOR_VOTER)
            continue;
        first_wins(&names[p->sim->threads[thread].name].voter, i);
        first_wins(&names[p->sim->threads[thread].name].lock, p->services[i].lock);
    }
    for (uint32_t i = 0; i < p->n_clients; i++)
        first_wins(&names[p->sim->threads[p->clients[i].thread].name].client, i);
    for (uint32_t i = 0; i < p->sim->n_threads; i++)
        first_wins(&names[p->sim->threads[i].name].process, p->sim->processes[p->sim->threads[i].process].name);
}

static void name_jobs(const struct model_plan *p, struct judge_name *names)
{
    for (uint32_t i = 0; i < p->n_queues; i++)
        first_wins(&names[p->queues[i].name].queue, i);
    for (uint32_t i = 0; i < p->n_jobs; i++) {
        first_wins(&names[p->jobs[i].object].lock, job_resource(p, i));
        first_wins(&names[p->jobs[i].name].job, job_resource(p, i));
    }
}

/* The rows of a plain table are nothing that can be granted. */
static void name_rows(const struct model_plan *p, struct judge_name *names)
{
    for (uint32_t i = 0; i < p->n_tables; i++)
        first_wins(&names[p->tables[i].name].table, i);
    for (uint32_t i = 0; i < p->n_rows; i++)
        if (p->tables[p->rows[i].table].kind != TABLE_PLAIN)
            first_wins(&names[p->rows[i].name].lock, row_resource(p, i));
    for (uint32_t i = 0; i < p->n_cells; i++)
        first_wins(&names[p->cells[i].name].reg, p->n_registers + i);
}

void judge_prepare(const struct model_plan *p, struct judge_name *names)
{
    memset(names, 0xff, p->sim->names->n * sizeof *names); /* NONE16 in each field */
    for (uint16_t i = 0; i < p->n_locks; i++)
        first_wins(&names[p->locks[i].name].lock, i);
    for (uint16_t i = 0; i < p->n_stores; i++)
        first_wins(&names[p->stores[i].name].store, i);
    for (uint16_t i = 0; i < p->n_registers; i++)
        first_wins(&names[p->registers[i].name].reg, i);
    name_jobs(p, names);
    name_rows(p, names);
    name_threads(p, names); /* behind the locks: a lock's name is not a voter's */
}

/* --- what a record is about ----------------------------------------------------------------- */

const uint8_t judge_of_field[VERBS] = {
    [V_GRANTS] = 8, [V_EXTENDS] = 8, [V_EXPIRES] = 4, [V_FREES] = 7,        [V_FINISHES] = 6, [V_RETURNS] = 7,
    [V_LAPSES] = 4, [V_REFUSES] = 5, [V_ERASES] = 1,  [V_DEAD_LETTERS] = 6, [V_REWRITES] = 6,
};

uint16_t judge_named(const struct judge *j, const struct record *r, uint32_t field)
{
    const struct judge_name *name = &j->names[r->field[field]];
    return r->tag[field] == TAG_TEXT ? name->job : name->lock;
}

name_id judge_resource_name(const struct judge *j, const struct record *r)
{
    uint16_t resource = judge_resource(j, r);
    ASSERT(resource != NONE16);
    return is_lock(j->p, resource) ? r->actor : resource_name(j->p, resource);
}

struct who judge_doer(const struct judge *j, const struct record *r)
{
    name_id name = record_has(r, T_BY) ? (name_id)r->field[T_BY] : r->object;
    name_id process = name == NONE16 ? NONE16 : judge_process(j, name);
    return (struct who){process == NONE16 ? name : process, (uint16_t)r->field[T_BY_START]};
}

static const struct table_plan *table_of(const struct model_plan *p, uint32_t row)
{
    return &p->tables[p->rows[row].table];
}

bool judge_is_job(const struct judge *j, uint16_t resource)
{
    if (!is_row(j->p, resource))
        return is_job(j->p, resource);
    return table_of(j->p, resource - j->p->n_locks - j->p->n_jobs)->kind == TABLE_QUEUE;
}

bool judge_is_done(const struct model_plan *p, const struct table_plan *t, struct value v)
{
    for (uint32_t i = 0; i < t->done.n; i++) {
        const struct word_value *w = &p->words[t->done.first + i];
        if (value_equal(p->sim->names, (struct value){w->v, w->tag}, v))
            return true;
    }
    return false;
}

static bool row_begins_done(const struct model_plan *p, uint32_t row)
{
    const struct table_plan *t = table_of(p, row);
    if (t->state == NONE16)
        return false;
    const struct cell_plan *c = &p->cells[t->first_cell + (row - t->first_row) * t->columns + t->state];
    return judge_is_done(p, t, (struct value){c->v, c->tag});
}

enum inv_phase judge_phase(const struct judge *j, uint16_t resource)
{
    const struct model_plan *p = j->p;
    const struct inv_job *job = judge_job(j, resource);
    if (job->phase != INV_PLANNED)
        return (enum inv_phase)job->phase;
    if (is_job(p, resource))
        return p->jobs[resource - p->n_locks].listed ? INV_OPEN : INV_ABSENT;
    uint32_t row = resource - p->n_locks - p->n_jobs;
    if (!p->rows[row].listed)
        return INV_ABSENT;
    return row_begins_done(p, row) ? INV_FINAL : INV_OPEN;
}

uint16_t judge_asked(const struct judge *j, uint16_t resource)
{
    if (is_lock(j->p, resource))
        return (uint16_t)(1 + resource);
    if (is_job(j->p, resource))
        return (uint16_t)(1 + j->p->n_locks + j->p->jobs[resource - j->p->n_locks].queue);
    return 0;
}

name_id judge_client_node(const struct judge *j, uint32_t client)
{
    const struct sim_plan *sim = j->p->sim;
    return sim->processes[sim->threads[j->p->clients[client].thread].process].name;
}

void judge_lease_seen(struct judge *j, ns lease)
{
    if (lease > j->m.state->longest)
        j->m.state->longest = lease;
}

ns judge_longest_lease(const struct judge *j)
{
    ns longest = j->m.state->longest;
    for (uint32_t i = 0; i < j->p->n_locks; i++)
        longest = j->p->locks[i].ttl > longest ? j->p->locks[i].ttl : longest;
    for (uint32_t i = 0; i < j->p->n_queues; i++)
        longest = j->p->queues[i].lease > longest ? j->p->queues[i].lease : longest;
    return longest;
}

/* --- what a violation notes ------------------------------------------------------------------ */

void violated(struct judge *j, enum invariant i, const struct record *r, uint32_t number, uint32_t other, name_id node,
              name_id resource)
{
    struct invariant_state *state = j->m.state;
    if (state->broken >> i & 1)
        return;
    state->broken |= UINT64_C(1) << i;
    ASSERT(state->n_violations < INVARIANTS);
    struct violation *v = &state->violations[state->n_violations++];
    v->at = r->at;
    v->invariant = i;
    v->record = number;
    v->other = other;
    v->node = node;
    v->resource = resource;
}

void violated_at_end(struct judge *j, enum invariant i, ns now, uint32_t one, uint32_t another, name_id node,
                     name_id resource)
{
    struct record end = {.at = now};
    violated(j, i, &end, one > another ? one : another, one > another ? another : one, node, resource);
}

/* --- who hears what ---------------------------------------------------------------------------- */

static bool judges(const struct model_plan *p, enum invariant i) { return !(p->unjudged >> i & 1); }

/* What concerns jobs alone stays out of a lock's way. */
static bool of_lock(const struct judge *j, const struct record *r) { return is_lock(j->p, judge_resource(j, r)); }

static void on_grant(struct judge *j, const struct record *r, uint32_t number)
{
    bool lock = of_lock(j, r);
    if (!lock)
        inv_final_stays_final(j, r, number);
    inv_token_order(j, r, number);
    inv_single_grant(j, r, number);
    inv_no_early_regrant(j, r, number);
    inv_one_vote(j, r, number);
    inv_one_leader_per_term(j, r, number);
    inv_progress(j, r, number);
    inv_remember_lock(j, r, number);
    if (!lock) {
        inv_remember_job(j, r, number);
        inv_remember_asking(j, r, number);
    }
    if (judges(j->p, INV_SINGLE_ACTOR))
        inv_single_actor(j, r, number);
}

static void on_commit(struct judge *j, const struct record *r, uint32_t number)
{
    inv_no_stale_write(j, r, number);
    inv_no_lost_update(j, r, number);
    inv_no_zombie_write(j, r, number);
    inv_remember_store(j, r, number);
}

static void on_set(struct judge *j, const struct record *r, uint32_t number)
{
    inv_no_lost_update(j, r, number);
    inv_remember_update(j, r, number);
    inv_remember_job(j, r, number);
}

static void on_vote(struct judge *j, const struct record *r, uint32_t number)
{
    inv_one_vote(j, r, number);
    inv_remember_lock(j, r, number);
}

static void on_extension(struct judge *j, const struct record *r, uint32_t number)
{
    bool lock = of_lock(j, r);
    if (!lock)
        inv_final_stays_final(j, r, number);
    inv_owner_extends(j, r, number);
    if (!lock)
        inv_remember_job(j, r, number); /* before the end of its lease moves */
    inv_remember_lock(j, r, number);
}

static void on_release(struct judge *j, const struct record *r, uint32_t number)
{
    inv_owner_releases(j, r, number);
    inv_remember_lock(j, r, number);
}

static void on_job_end(struct judge *j, const struct record *r, uint32_t number)
{
    inv_owner_completes(j, r, number);
    inv_final_stays_final(j, r, number);
    inv_remember_job(j, r, number);
}

static void on_lapse(struct judge *j, const struct record *r, uint32_t number)
{
    if (!of_lock(j, r))
        inv_remember_job(j, r, number);
    inv_remember_lock(j, r, number);
}

static void on_no_job(struct judge *j, const struct record *r, uint32_t number)
{
    inv_remember_asking(j, r, number);
    inv_no_lost_job(j, r, number);
}

static void on_crash(struct judge *j, const struct record *r, uint32_t number)
{
    inv_single_actor(j, r, number);
    inv_remember_asking(j, r, number);
    inv_remember_fault(j, r, number);
}

static void on_restart(struct judge *j, const struct record *r, uint32_t number)
{
    inv_remember_asking(j, r, number);
    inv_remember_fault(j, r, number);
}

/* Most verbs concern nobody: the kernel asks once, and keeps their records to itself. */
static void (*const on_verb[VERBS])(struct judge *, const struct record *, uint32_t) = {
    [V_GRANTS] = on_grant,
    [V_VOTES] = on_vote,
    [V_EXTENDS] = on_extension,
    [V_FREES] = on_release,
    [V_RENEWED] = inv_remember_lock,
    [V_FORCES] = inv_remember_lock,
    [V_LAPSES] = on_lapse,
    [V_COMMITS] = on_commit,
    [V_REMOVES] = on_commit,
    [V_HEARS] = inv_no_lost_ack,
    [V_FORGETS] = inv_no_lost_ack,
    [V_EFFECTS] = inv_effect_once,
    [V_BELIEVES] = inv_single_holder,
    [V_DOUBTS] = inv_single_holder,
    [V_ACTS] = inv_single_actor,
    [V_RESTS] = inv_single_actor,
    [V_FINISHES] = on_job_end,
    [V_RETURNS] = on_job_end,
    [V_DEAD_LETTERS] = on_job_end,
    [V_REWRITES] = inv_final_stays_final,
    [V_ADDS] = inv_remember_job,
    [V_ERASES] = inv_remember_job,
    [V_SETS] = on_set,
    [V_QUEUES] = on_no_job,
    [V_REFUSES] = inv_no_lost_job,
    [V_ASKS] = inv_remember_asking,
    [V_CLAIMS] = inv_remember_asking,
    [V_CALLS] = inv_remember_asking,
    [V_ACQUIRES] = inv_remember_asking,
    [V_FAILED] = inv_remember_asking,
    [V_STOPS] = inv_remember_asking,
    [V_ENDS] = inv_remember_asking,
    [V_CRASHES] = on_crash,
    [V_RESTARTS] = on_restart,
    [V_PAUSES] = inv_remember_fault,
    [V_RESUMES] = inv_remember_fault,
    [V_SUSPENDS] = inv_remember_fault,
    [V_PARTITIONS] = inv_remember_fault,
    [V_CUTS] = inv_remember_fault,
    [V_HEALS] = inv_remember_fault,
    [V_LOSES] = inv_remember_fault,
    [V_HOLDS] = inv_remember_fault,
    [V_DELAYS] = inv_remember_fault,
    [V_DUPLICATES] = inv_remember_fault,
    [V_REORDERS] = inv_remember_fault,
    [V_SLOWS] = inv_remember_fault,
    [V_RECOVERS] = inv_remember_fault,
    [V_JUMPS] = inv_remember_fault,
    [V_DRIFTS] = inv_remember_fault,
    [V_SLEWS] = inv_remember_fault,
};

bool invariants_hear(const void *plan, uint16_t verb)
{
    if (verb == V_BELIEVES || verb == V_DOUBTS)
        return judges(plan, INV_SINGLE_HOLDER);
    if (verb == V_ACTS || verb == V_RESTS)
        return judges(plan, INV_SINGLE_ACTOR);
    return verb < VERBS && on_verb[verb] != NULL;
}

void invariants_on_record(struct judge *j, const struct record *r, uint32_t number)
{
    if (r->verb < VERBS && on_verb[r->verb] != NULL)
        on_verb[r->verb](j, r, number);
}
