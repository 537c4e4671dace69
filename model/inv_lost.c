/* SPDX-License-Identifier: MIT
 *
 * inv_lost.c - no-lost-job: every job is finished or given up on record.
 *
 * One is lost when, twice the longest lease after the last fault and after its own lease, a worker has asked and got
 * none. A worker has asked a queue that put it in line while it asked, or refused its `try`; whoever stands in line
 * when the time has come has asked too, and so has, once nothing more can come and no fault goes on without an end, a
 * worker that its queue never answers. It has asked a table when an update that would have been a grant of that row
 * found no row to change. At the end of a run a job that nobody asked for late enough is undecided.
 */
#include "model/invariant.h"

enum {
    E_ERROR,
    E_TOKEN,
    E_EPOCH,
    E_CLAIM
}; /* V_REFUSES. E_CLAIM, of a table: the lease of what would have been a grant */

static bool is_open(const struct judge *j, uint32_t resource)
{
    return judge_is_job(j, (uint16_t)resource) && judge_phase(j, (uint16_t)resource) == INV_OPEN &&
           !judge_job(j, (uint16_t)resource)->lost;
}

/* From when on asking in vain means that it is lost. NS_NEVER: its lease runs, or it has none that could end. */
static ns lost_from(const struct judge *j, uint32_t resource)
{
    const struct inv_lock *l = &j->m.locks[resource];
    ns quiet = j->m.state->quiet_from;
    if (!judge_free(l))
        return NS_NEVER;
    return (l->free_at > quiet ? l->free_at : quiet) + 2 * judge_longest_lease(j);
}

static void nobody_got(struct judge *j, const struct record *r, uint32_t number, uint32_t resource, name_id node)
{
    if (!is_open(j, resource) || r->at < lost_from(j, resource))
        return;
    if (is_job(j->p, resource) && r->at <= judge_offered_until(j, resource))
        return; /* it is kept for another, who may have gone */
    judge_job(j, (uint16_t)resource)->lost = 1;
    violated(j, INV_NO_LOST_JOB, r, number, j->m.locks[resource].record, node, resource_name(j->p, resource));
}

/* A late copy of a request puts in line who has given up since, and is called in vain. */
static bool asks_still(const struct judge *j, uint16_t what, name_id node)
{
    for (uint32_t i = 0; i < j->p->n_clients; i++)
        if (j->m.askers[i].what == what && judge_client_node(j, i) == node)
            return true;
    return false;
}

static void asked_queue(struct judge *j, const struct record *r, uint32_t number, uint16_t queue)
{
    const struct queue_plan *q = &j->p->queues[queue];
    name_id process = judge_process(j, r->object); /* it queues a node, and refuses a thread */
    if (q->jobs == 0)
        return;
    if (r->verb == V_QUEUES && !asks_still(j, judge_asked(j, (uint16_t)job_resource(j->p, q->first_job)), r->object))
        return;
    for (uint32_t i = q->first_job; i < (uint32_t)q->first_job + q->jobs; i++)
        nobody_got(j, r, number, job_resource(j->p, i), process == NONE16 ? r->object : process);
}

/* Of one row, or of none in particular: then any would have done. */
static void asked_table(struct judge *j, const struct record *r, uint32_t number, uint16_t table)
{
    const struct table_plan *t = &j->p->tables[table];
    uint16_t named = judge_resource(j, r);
    for (uint32_t i = t->first_row; i < (uint32_t)t->first_row + t->rows; i++)
        if (named == NONE16 || named == row_resource(j->p, i))
            nobody_got(j, r, number, row_resource(j->p, i), judge_process(j, r->object));
}

static bool refuses_a_job(const struct judge *j, const struct record *r)
{
    return r->field[E_ERROR] == j->p->error_name[ERR_REFUSED] && judge_resource(j, r) == NONE16;
}

/* A service tells a worker that there is none. */
void inv_no_lost_job(struct judge *j, const struct record *r, uint32_t number)
{
    const struct judge_name *service = &j->names[r->actor];
    if (service->queue != NONE16 && (r->verb == V_QUEUES || refuses_a_job(j, r)))
        asked_queue(j, r, number, service->queue);
    if (service->table == NONE16 || r->verb != V_REFUSES || !record_has(r, E_CLAIM))
        return;
    judge_lease_seen(j, r->tag[E_CLAIM] == TAG_NS ? r->field[E_CLAIM] : 0);
    asked_table(j, r, number, service->table);
}

/* --- the end of a run --------------------------------------------------------------------------- */

/* A fault without an end is at work: there is no time after the last one, in which an answer would be due. */
static bool goes_on(const struct judge *j) { return j->m.state->lasting || j->m.state->closed; }

/* Who has asked for a job and got none: whoever stands in line; and, once nothing comes any more, whoever was never
 * answered. NONE32: nobody. */
static uint32_t asker_for(const struct judge *j, uint32_t resource, bool idle)
{
    uint16_t what = judge_asked(j, (uint16_t)resource);
    bool unanswered = idle && !goes_on(j);
    for (uint32_t i = 0; i < j->p->n_clients; i++)
        if (what && j->m.askers[i].what == what && (unanswered || j->m.askers[i].in_line))
            return i;
    return NONE32;
}

static uint8_t why_undecided(const struct judge *j, uint32_t resource, bool come, bool idle)
{
    if (judge_is_down(j, resource))
        return WHY_DOWN;
    if (idle && goes_on(j))
        return WHY_FAULT;
    if (asker_for(j, resource, idle) == NONE32)
        return WHY_NOBODY_ASKED;
    return come || !idle ? WHY_HORIZON : WHY_KEPT;
}

static void ends_open(struct judge *j, uint32_t resource, ns now, bool idle)
{
    struct inv_job *job = judge_job(j, (uint16_t)resource);
    bool kept = !judge_free(&j->m.locks[resource]), come = !kept && (idle || lost_from(j, resource) <= now);
    uint32_t client = judge_is_down(j, resource) ? NONE32 : asker_for(j, resource, idle);
    if (!come || client == NONE32) {
        job->undecided = 1 + why_undecided(j, resource, come, idle);
        return;
    }
    job->lost = 1;
    violated_at_end(j, INV_NO_LOST_JOB, now, j->m.askers[client].record, j->m.locks[resource].record,
                    judge_client_node(j, client), resource_name(j->p, resource));
}

/* idle: the time comes, since nothing else does. */
void inv_no_lost_job_at_end(struct judge *j, ns now, bool idle)
{
    for (uint32_t i = j->p->n_locks; i < n_resources(j->p); i++)
        if (is_open(j, i))
            ends_open(j, i, now, idle);
}
