/* SPDX-License-Identifier: MIT
 *
 * inv_progress.c - progress, a sign: once faults end, a free lock is acquired and a waiting job claimed in time.
 *
 * The time counts while three things hold together: the lock is free, or the job claimable; somebody asks for it;
 * and no fault is under way, nor the service down. It is judged when the grant comes, too late, and at the end of a
 * run. A job that is claimable has also waited too long when others of its queue are given out again and again, and it
 * is not. Rows are left out: nobody asks a table and waits.
 */
#include "model/invariant.h"

static ns later(ns a, ns b) { return a > b ? a : b; }

static bool can_be_granted(const struct judge *j, uint32_t resource)
{
    bool lock = is_lock(j->p, resource);
    return judge_free(&j->m.locks[resource]) && (lock || judge_phase(j, (uint16_t)resource) == INV_OPEN);
}

/* A quorum is down when too few voters are left for a majority. */
static bool lock_is_down(const struct judge *j, const struct lock_plan *l)
{
    uint32_t down = 0;
    if (l->kind == LOCK_CENTRAL)
        return j->m.voters[l->service].down;
    for (uint32_t i = 0; i < l->voters; i++)
        down += j->m.voters[l->service + i].down;
    return 2 * (l->voters - down) <= l->voters;
}

/* The service that grants it; of a quorum the first voter. */
static uint16_t service_of(const struct model_plan *p, uint32_t resource)
{
    if (is_lock(p, resource))
        return p->locks[resource].service;
    if (is_job(p, resource))
        return p->queues[p->jobs[resource - p->n_locks].queue].service;
    return p->tables[p->rows[resource - p->n_locks - p->n_jobs].table].service;
}

bool judge_is_down(const struct judge *j, uint32_t resource)
{
    if (is_lock(j->p, resource))
        return lock_is_down(j, &j->p->locks[resource]);
    return j->m.voters[service_of(j->p, resource)].down;
}

ns judge_offered_until(const struct judge *j, uint32_t resource)
{
    ns called_at = j->m.voters[service_of(j->p, resource)].called_at;
    return called_at > 0 ? called_at + REQUEST_TIMEOUT_NS : 0;
}

/* Whether it makes sense to count at all, for whoever asks. */
static bool counts(const struct judge *j, uint32_t resource)
{
    return can_be_granted(j, resource) && !j->m.state->lasting && !j->m.state->closed && !judge_is_down(j, resource);
}

static ns stated_time(const struct judge *j) { return j->p->progress ? j->p->progress : 2 * judge_longest_lease(j); }

static bool too_late(const struct judge *j, uint32_t resource, const struct inv_asker *a, ns now)
{
    ns since = later(later(a->since, j->m.locks[resource].free_at), j->m.state->quiet_from);
    since = later(since, judge_offered_until(j, resource));
    return now - since > stated_time(j);
}

/* A worker is given a job of this queue: has another one waited too long for that? */
static void passed_over(struct judge *j, const struct record *r, uint32_t number, uint16_t given)
{
    const struct queue_plan *q = &j->p->queues[j->p->jobs[given - j->p->n_locks].queue];
    for (uint32_t i = 0; i < q->jobs; i++) {
        uint16_t job = job_resource(j->p, q->first_job + i);
        ns since = later(j->m.locks[job].free_at, j->m.state->quiet_from);
        if (job != given && counts(j, job) && r->at - since > stated_time(j))
            violated(j, INV_PROGRESS, r, number, j->m.locks[job].record, r->object, resource_name(j->p, job));
    }
}

/* The grant comes: has somebody, whoever now gets it, asked for it too long? */
void inv_progress(struct judge *j, const struct record *r, uint32_t number)
{
    uint16_t resource = judge_resource(j, r), what = judge_asked(j, resource);
    if (is_job(j->p, resource))
        passed_over(j, r, number, resource);
    if (what == 0 || !counts(j, resource))
        return;
    for (uint32_t i = 0; i < j->p->n_clients; i++) {
        const struct inv_asker *a = &j->m.askers[i];
        if (a->what == what && too_late(j, resource, a, r->at))
            violated(j, INV_PROGRESS, r, number, a->record, judge_client_node(j, i), judge_resource_name(j, r));
    }
}

/* --- the end of a run --------------------------------------------------------------------------- */

static void ends_asked(struct judge *j, uint32_t resource, uint32_t client, ns now, bool idle)
{
    const struct inv_asker *a = &j->m.askers[client];
    struct inv_lock *l = &j->m.locks[resource];
    if (idle || too_late(j, resource, a, now))
        violated_at_end(j, INV_PROGRESS, now, a->record, l->record, judge_client_node(j, client),
                        resource_name(j->p, resource));
    else
        l->unsaid = 1;
}

void inv_progress_at_end(struct judge *j, ns now, bool idle)
{
    for (uint32_t i = 0; i < j->p->n_locks + j->p->n_jobs; i++) {
        if (!counts(j, i))
            continue;
        for (uint32_t k = 0; k < j->p->n_clients; k++)
            if (j->m.askers[k].what == judge_asked(j, (uint16_t)i))
                ends_asked(j, i, k, now, idle);
    }
}
