/* SPDX-License-Identifier: MIT
 *
 * queue.c - a job queue: claim, heartbeat, complete, fail, and a reaper.
 *
 *     waiting ---- claim: token n + 1, a lease ----> running(n + 1) ---- complete ----> done
 *        ^                                              |   |  |
 *        +---------- fail, reap, requeue ---------------+   |  +-- attempts used up --> dead
 *                         heartbeat: the lease anew <-------+
 *
 *  1. A claim chooses a job, raises its token and counts the attempt in one event, after its sync (atomic-claim). The
 *     job that came first is claimed first; one that was put back keeps its place.
 *  2. An expired job can be claimed again at once. Until then its lease can still be extended, and the job completed,
 *     by whoever has its token: nothing but a claim, a verdict or an operator ends an attempt. (Azure
 *     lets an expired lease be renewed in the same way.)
 *  3. A heartbeat, a completion, a failure name the attempt that they are about (heartbeat-token, complete-token), and
 *     are `zombie` where that is not the running one.
 *  4. A token never goes down: not by a crash, not by an operator, not by a second enqueueing (monotonic-token).
 *  5. A reaper looks, and then judges each attempt that it saw, by request; the verdict counts if that attempt still
 *     runs and is still expired when it lands (verdict-token).
 *  6. A job whose attempts are used up is dead when it would be claimed or put back: given up on record.
 *
 * Known weakness: the queue guards its own rows and no more. What a zombie does elsewhere, an effect or a write to a
 * store, is beyond it: effect-key and store-token are for that.
 *
 * Sources: PostgreSQL's FOR UPDATE SKIP LOCKED and SQLite's UPDATE .. RETURNING as queues; BullMQ's and Temporal's
 * fencing by attempt; SQS's maxReceiveCount for the dead letter.
 */
#include "model/line.h"

#include <string.h>

struct queue {
    struct m *m;
    const struct queue_plan *plan;
    struct line line;
    uint16_t queue, service, thread, process;
};

static struct queue queue_of(struct m *m, uint16_t service)
{
    struct queue q;
    q.m = m;
    q.service = service;
    q.queue = m->p->services[service].queue;
    q.plan = &m->p->queues[q.queue];
    q.line = line_of_queue(m, q.queue);
    q.thread = m->p->services[service].thread;
    q.process = service_process(m, service);
    return q;
}

static ns server_clock(const struct queue *q, int clock)
{
    return thread_clock(q->m->s, q->thread, (enum clock_kind)clock);
}

/* Jobs by their place in this queue, from 0. */
static struct job_state *job_at(const struct queue *q, uint32_t i) { return &q->m->jobs[q->plan->first_job + i]; }
static uint32_t job_of(const struct queue *q, const struct call *k)
{
    ASSERT(is_job(q->m->p, k->about));
    return k->about - q->m->p->n_locks - q->plan->first_job;
}
static struct value job_name(const struct queue *q, uint32_t i)
{
    return value_text(q->m->p->jobs[q->plan->first_job + i].name);
}

static uint32_t timer_at(struct queue *q, enum timer_kind kind, int clock, ns deadline, int64_t subject)
{
    return timer_set(q->m->s, &(struct timer){.thread = q->thread,
                                              .clock = (uint8_t)clock,
                                              .kind = (uint16_t)kind,
                                              .subject = subject,
                                              .deadline = deadline});
}

static void enter(struct queue *q, struct job_state *job)
{
    job->phase = JOB_WAITING;
    job->order = q->m->queues[q->queue].next_order++;
}

void jobs_ready(struct m *m)
{
    for (uint32_t i = 0; i < m->p->n_jobs; i++) {
        struct job_state *job = &m->jobs[i];
        job->expiry_timer = job->lapse_timer = NONE32;
        job->holder = job->finisher = NONE16;
        if (!m->p->jobs[i].listed)
            continue;
        job->phase = JOB_WAITING;
        job->order = m->queues[m->p->jobs[i].queue].next_order++;
    }
}

/* --- who did what, for the records ------------------------------------------------------------- */

/* The attempt that a record is about, and who touches it. */
struct touch {
    name_id node; /* of the attempt's worker, or whoever touches a job without one */
    struct value token, by, start, by_start, by_token; /* by: none where the worker itself does it */
};

static struct touch touch_of(const struct queue *q, const struct job_state *job, const struct call *k)
{
    const struct m *m = q->m;
    bool ran = job->holder != NONE16;
    bool names = k->kind == REQ_HEARTBEAT || k->kind == REQ_COMPLETE || k->kind == REQ_FAIL;
    bool own = ran && names && client_process(m, job->holder) == client_process(m, k->client) &&
               job->holder_start == k->start && job->last_token == k->arg[ARG_TOKEN];
    struct touch t;
    t.node = client_node(m, ran ? job->holder : k->client);
    t.token = job->granted ? value_int(job->last_token) : value_none();
    t.by = own ? value_none() : value_name(client_node(m, k->client));
    t.start = ran ? value_int(job->holder_start) : value_none();
    t.by_start = value_int(k->start);
    t.by_token = names ? value_int(k->arg[ARG_TOKEN]) : value_none();
    return t;
}

static void record_end(struct queue *q, uint32_t i, uint16_t verb, const struct touch *t, uint32_t line)
{
    struct value f[6] = {t->token, t->by, t->start, t->by_start, t->by_token, job_name(q, i)};
    record(q->m, q->process, q->plan->name, verb, t->node, f, 6, line);
}

static void refuse(struct queue *q, uint16_t call, enum error e)
{
    struct call *k = &q->m->calls[call];
    bool about_job = k->about != NONE16, names = about_job && k->kind != REQ_REQUEUE;
    struct value f[5] = {value_name(q->m->p->error_name[e]), names ? value_token(k->arg[ARG_TOKEN]) : value_none(),
                         value_none(), value_none(), about_job ? job_name(q, job_of(q, k)) : value_none()};
    record(q->m, q->process, q->plan->name, V_REFUSES, client_name(q->m, k->client), f, 5, k->line);
    k->reply[REPLY_ERROR] = e;
    call_answer(q->m, call, ANS_REFUSED);
}

/* --- leases --------------------------------------------------------------------------------------- */

static bool lease_over(const struct queue *q, const struct job_state *job)
{
    return clock_passed(q->m->s, thread_machine(q->m->s, q->thread), (enum clock_kind)judging_clock(q->m), job->until);
}

static void lease_begins(struct queue *q, uint32_t i, const struct call *k)
{
    struct job_state *job = job_at(q, i);
    int clock = judging_clock(q->m);
    ns from = gate_on(q->m->p, GATE_ONE_CLOCK) ? server_clock(q, clock) : k->arg[ARG_STAMP];
    uint16_t resource = job_resource(q->m->p, q->plan->first_job + i);
    gate_note_stamp(q->m, k, resource);
    gate_clock_gives(q->m, q->service, resource);
    job->until = from + q->plan->lease;
    job->expired = 0;
    timer_stop(q->m, &job->expiry_timer);
    job->expiry_timer = timer_at(q, T_EXPIRE, clock, job->until, i);
    set_lapse(q->m, q->service, &job->lapse_timer, lapse_of_job(job->last_token, i, job->holder), clock, job->until);
}

/* The attempt is over: nothing is left to expire. */
static void attempt_ends(struct queue *q, struct job_state *job)
{
    timer_stop(q->m, &job->expiry_timer);
    timer_stop(q->m, &job->lapse_timer);
    job->expired = 0;
}

static bool claimable(const struct queue *q, uint32_t i)
{
    const struct job_state *job = job_at(q, i);
    return job->phase == JOB_WAITING || (job->phase == JOB_RUNNING && job->expired);
}

static uint32_t how_many_claimable(const struct queue *q)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < q->plan->jobs; i++)
        n += claimable(q, i);
    return n;
}

static void call_next(struct queue *q) { line_call(&q->line, how_many_claimable(q)); }

static void expire(struct queue *q, uint32_t i)
{
    struct job_state *job = job_at(q, i);
    struct value f[4] = {value_int(job->last_token), value_int(job->holder_start), value_none(), job_name(q, i)};
    record(q->m, q->process, q->plan->name, V_EXPIRES, client_node(q->m, job->holder), f, 4, 0);
    timer_stop(q->m, &job->expiry_timer);
    job->expired = 1;
}

static void note_clock(struct queue *q, uint32_t i)
{
    gate_clock_judged(q->m, q->service, job_resource(q->m->p, q->plan->first_job + i), job_at(q, i)->until);
}

/* What the clock says counts, also before the timer of the same instant has fired. */
static void expire_all(struct queue *q)
{
    for (uint32_t i = 0; i < q->plan->jobs; i++) {
        struct job_state *job = job_at(q, i);
        if (job->phase != JOB_RUNNING || job->expired)
            continue;
        if (q->m->asides)
            note_clock(q, i);
        if (lease_over(q, job))
            expire(q, i);
    }
}

static bool attempts_used_up(const struct queue *q, const struct job_state *job)
{
    return q->plan->attempts > 0 && job->attempts >= q->plan->attempts;
}

static void bury(struct queue *q, uint32_t i, const struct touch *t, uint32_t line)
{
    struct job_state *job = job_at(q, i);
    record_end(q, i, V_DEAD_LETTERS, t, line);
    attempt_ends(q, job);
    job->phase = JOB_DEAD;
}

/* --- claim ------------------------------------------------------------------------------------------ */

static bool can_be_given(const struct queue *q, uint32_t i)
{
    return claimable(q, i) && !attempts_used_up(q, job_at(q, i));
}

/* The job that came first, of those that can be given and are not taken yet; NONE32: there is none. */
static uint32_t first_claimable(const struct queue *q, uint64_t taken)
{
    uint32_t first = NONE32;
    for (uint32_t i = 0; i < q->plan->jobs; i++)
        if (can_be_given(q, i) && !(taken >> i & 1) &&
            (first == NONE32 || job_at(q, i)->order < job_at(q, first)->order))
            first = i;
    return first;
}

/* What a claim would get now: a bit a job. One is left for each that stands before it in line. */
static uint64_t look_up(const struct queue *q, const struct call *k)
{
    uint64_t found = 0;
    int64_t most = -(int64_t)line_index(&q->line, k);
    for (uint32_t i = 0; i < q->plan->jobs; i++)
        most += can_be_given(q, i);
    for (int64_t n = 0; n < k->arg[ARG_COUNT] && n < most; n++)
        found |= UINT64_C(1) << first_claimable(q, found);
    return found;
}

/* An expired job that has no attempt left is nobody's to claim: it is given up here. False: a fault struck before
 * that. */
static bool bury_used_up(struct queue *q, const struct call *k)
{
    for (uint32_t i = 0; i < q->plan->jobs; i++) {
        const struct job_state *job = job_at(q, i);
        if (!claimable(q, i) || !attempts_used_up(q, job))
            continue;
        struct touch t = touch_of(q, job, k);
        t.by = t.by_start = value_none(); /* the queue itself says so */
        if (!sim_before(q->m->s, q->thread, q->plan->name, V_DEAD_LETTERS, t.node))
            return false;
        bury(q, i, &t, k->line);
    }
    return true;
}

static void give(struct queue *q, uint32_t i, struct call *k, bool again)
{
    struct job_state *job = job_at(q, i);
    if (!again) {
        job->token++;
        job->attempts++;
    }
    attempt_ends(q, job);
    job->last_token = job->token;
    job->phase = JOB_RUNNING;
    job->granted = 1;
    job->holder = k->client;
    job->holder_start = k->start;
    job->finisher = NONE16;
    struct value f[8] = {value_int(job->token),
                         value_int(k->start),
                         value_ns(q->plan->lease),
                         value_ns(q->plan->margin),
                         value_none(),
                         value_none(),
                         value_none(),
                         job_name(q, i)};
    record(q->m, q->process, q->plan->name, V_GRANTS, client_node(q->m, k->client), f, 8, k->line);
    lease_begins(q, i, k);
}

static void give_all(struct queue *q, uint16_t call, uint64_t jobs, bool again)
{
    struct call *k = &q->m->calls[call];
    if (!sim_before(q->m->s, q->thread, q->plan->name, V_GRANTS, client_node(q->m, k->client)))
        return;
    line_leave(&q->line, k);
    for (uint32_t i = 0; i < q->plan->jobs; i++) {
        if (!(jobs >> i & 1))
            continue;
        gate_note(q->m, GATE_LEASE_COVERS_WORK, by_call(k), conjunct_bit(C_LEASE_LONG, q->plan->lease < LEASE_LEAST));
        give(q, i, k, again);
        carried_attempts(q->m, call)[i].v = job_at(q, i)->token;
    }
    k->reply[REPLY_JOBS] = (int64_t)jobs;
    call_answer(q->m, call, ANS_GRANT);
}

/* Without fresh-identity a restarted worker passes for its former self, and gets what that one had. */
static uint64_t own_already(const struct queue *q, const struct call *k)
{
    uint64_t own = 0;
    for (uint32_t i = 0; i < q->plan->jobs && !gate_on(q->m->p, GATE_FRESH_IDENTITY); i++) {
        const struct job_state *job = job_at(q, i);
        bool other = job->holder != NONE16 && (job->holder != k->client || job->holder_start != k->start);
        if (job->phase == JOB_RUNNING && other && same_identity(q->m, job->holder, k->client))
            own |= UINT64_C(1) << i;
    }
    return own;
}

/* Who had jobs that the claimer would pass for, had it not been born anew. */
static void note_identities(struct queue *q, const struct call *k)
{
    for (uint32_t i = 0; i < q->plan->jobs && q->m->asides; i++) {
        const struct job_state *job = job_at(q, i);
        if (job->phase == JOB_RUNNING)
            gate_note_identity(q->m, k, job->holder, job->holder_start);
    }
}

/* A claim that found jobs when it came: are they still there? */
static void note_atomic_claim(struct queue *q, const struct call *k)
{
    uint64_t found = q->m->early[k - q->m->calls].jobs, there = 0;
    if (!q->m->asides || found == 0)
        return;
    for (uint32_t i = 0; i < q->plan->jobs; i++)
        there |= (uint64_t)can_be_given(q, i) << i;
    gate_note(q->m, GATE_ATOMIC_CLAIM, by_call(k), conjunct_bit(C_STILL_FREE, (found & ~there) != 0));
}

static void serve_claim(struct queue *q, uint16_t call)
{
    struct call *k = &q->m->calls[call];
    note_identities(q, k);
    note_atomic_claim(q, k);
    uint64_t own = own_already(q, k);
    uint64_t found = gate_on(q->m->p, GATE_ATOMIC_CLAIM) ? look_up(q, k) : (uint64_t)k->arg[ARG_JOB];
    if (own || found) {
        give_all(q, call, own ? own : found, own != 0);
        return;
    }
    if (!bury_used_up(q, k))
        return;
    if (k->flags & CALL_TRY) {
        refuse(q, call, ERR_REFUSED);
        return;
    }
    line_join(&q->line, k);
    call_answer(q->m, call, ANS_QUEUED);
}

/* --- what a worker says of its job ------------------------------------------------------------------- */

/* Whether a request names the attempt that runs; without its gate it is asked for the job alone. */
static bool may_touch(struct queue *q, const struct job_state *job, const struct call *k, enum gate gate)
{
    bool beat = gate == GATE_HEARTBEAT_TOKEN;
    if (job->phase == JOB_ABSENT)
        return false;
    return gate_lets(q->m, gate, by_call(k),
                     conjunct_bit(beat ? C_BEAT_RUNNING : C_END_RUNNING, job->phase != JOB_RUNNING) |
                         conjunct_bit(beat ? C_BEAT_CURRENT : C_END_CURRENT, job->token != k->arg[ARG_TOKEN]));
}

/* By job alone, a heartbeat sets the lease of whatever row it finds: a job that was put back runs again. */
static void serve_heartbeat(struct queue *q, uint16_t call)
{
    struct call *k = &q->m->calls[call];
    uint32_t i = job_of(q, k);
    struct job_state *job = job_at(q, i);
    struct touch t = touch_of(q, job, k);
    if (!may_touch(q, job, k, GATE_HEARTBEAT_TOKEN)) {
        refuse(q, call, ERR_ZOMBIE);
        return;
    }
    if (!sim_before(q->m->s, q->thread, q->plan->name, V_EXTENDS, t.node))
        return;
    struct value f[8] = {t.token,      t.by,       t.start,       t.by_start, value_ns(q->plan->lease),
                         value_none(), t.by_token, job_name(q, i)};
    record(q->m, q->process, q->plan->name, V_EXTENDS, t.node, f, 8, k->line);
    if (job->phase == JOB_WAITING) {
        job->phase = JOB_RUNNING;
        if (job->holder == NONE16) { /* forgotten by a crash */
            job->holder = k->client;
            job->holder_start = k->start;
        }
    }
    if (job->phase == JOB_RUNNING)
        lease_begins(q, i, k);
    call_answer(q->m, call, ANS_OK);
}

static void serve_complete(struct queue *q, uint16_t call)
{
    struct call *k = &q->m->calls[call];
    uint32_t i = job_of(q, k);
    struct job_state *job = job_at(q, i);
    struct touch t = touch_of(q, job, k);
    if (!may_touch(q, job, k, GATE_COMPLETE_TOKEN)) {
        refuse(q, call, ERR_ZOMBIE);
        return;
    }
    if (!sim_before(q->m->s, q->thread, q->plan->name, V_FINISHES, t.node))
        return;
    record_end(q, i, V_FINISHES, &t, k->line);
    attempt_ends(q, job);
    job->phase = JOB_DONE;
    job->finisher = client_process(q->m, k->client);
    call_answer(q->m, call, ANS_OK);
}

/* Puts a job back, or gives it up; false: a fault struck before it. */
static bool put_back(struct queue *q, uint32_t i, const struct call *k, name_id why, bool may_die)
{
    struct job_state *job = job_at(q, i);
    struct touch t = touch_of(q, job, k);
    bool dies = may_die && attempts_used_up(q, job);
    if (!sim_before(q->m->s, q->thread, q->plan->name, dies ? V_DEAD_LETTERS : V_RETURNS, t.node))
        return false;
    if (dies) {
        bury(q, i, &t, k->line);
        return true;
    }
    struct value f[7] = {t.token, t.by, t.start, t.by_start, t.by_token, value_name(why), job_name(q, i)};
    record(q->m, q->process, q->plan->name, V_RETURNS, t.node, f, 7, k->line);
    attempt_ends(q, job);
    job->phase = JOB_WAITING;
    return true;
}

static void serve_fail(struct queue *q, uint16_t call)
{
    struct call *k = &q->m->calls[call];
    uint32_t i = job_of(q, k);
    if (!may_touch(q, job_at(q, i), k, GATE_COMPLETE_TOKEN)) {
        refuse(q, call, ERR_ZOMBIE);
        return;
    }
    if (!put_back(q, i, k, q->m->p->why_failed, true))
        return;
    call_answer(q->m, call, ANS_OK);
    call_next(q);
}

/* --- who adds, reaps and puts back --------------------------------------------------------------------- */

/* A known name changes nothing. Without monotonic-token it is an upsert: the row is as new, its token too (J6). */
static void serve_enqueue(struct queue *q, uint16_t call)
{
    struct call *k = &q->m->calls[call];
    uint32_t i = job_of(q, k);
    struct job_state *job = job_at(q, i);
    gate_note(q->m, GATE_MONOTONIC_TOKEN, by_call(k), conjunct_bit(C_COUNT_KEPT, job->token > 0));
    if (job->phase == JOB_ABSENT) {
        struct value f = value_name(client_node(q->m, k->client));
        record(q->m, q->process, q->plan->name, V_ADDS, q->m->p->jobs[q->plan->first_job + i].object, &f, 1, k->line);
        enter(q, job);
    } else if (!gate_on(q->m->p, GATE_MONOTONIC_TOKEN)) {
        if (!put_back(q, i, k, q->m->p->why_enqueued, false))
            return;
        job->token = 0;
        job->attempts = 0;
    }
    call_answer(q->m, call, ANS_OK);
    call_next(q);
}

static void serve_reap(struct queue *q, uint16_t call)
{
    struct call *k = &q->m->calls[call];
    uint64_t found = 0;
    int64_t n = 0;
    for (uint32_t i = 0; i < q->plan->jobs; i++) {
        const struct job_state *job = job_at(q, i);
        if (job->phase != JOB_RUNNING || !job->expired)
            continue;
        found |= UINT64_C(1) << i;
        n++;
        carried_attempts(q->m, call)[i].v = job->last_token; /* the attempt that it saw */
    }
    struct value f = value_int(n);
    record(q->m, q->process, q->plan->name, V_LISTS, client_name(q->m, k->client), &f, 1, k->line);
    k->reply[REPLY_JOBS] = (int64_t)found;
    call_answer(q->m, call, ANS_VALUE);
}

/* The verdict is judged again when it lands: is that attempt still the one, and still over its time? Only of that one
 * can be said whether it is. */
static uint64_t verdict_fails(const struct job_state *job, const struct call *k)
{
    bool runs = job->phase == JOB_RUNNING, current = job->last_token == k->arg[ARG_TOKEN];
    return conjunct_bit(C_VERDICT_RUNNING, !runs) | conjunct_bit(C_VERDICT_CURRENT, !current) |
           conjunct_bit(C_VERDICT_EXPIRED, runs && current && !job->expired);
}

/* By job alone a verdict puts back whatever it finds. */
static void serve_verdict(struct queue *q, uint16_t call)
{
    struct call *k = &q->m->calls[call];
    uint32_t i = job_of(q, k);
    const struct job_state *job = job_at(q, i);
    if (job->phase == JOB_ABSENT || !gate_lets(q->m, GATE_VERDICT_TOKEN, by_call(k), verdict_fails(job, k))) {
        refuse(q, call, ERR_REFUSED);
        return;
    }
    if (!put_back(q, i, k, q->m->p->why_expired, true))
        return;
    call_answer(q->m, call, ANS_OK);
    call_next(q);
}

/* An operator's word: no token is asked, and the attempts count anew. */
static void serve_requeue(struct queue *q, uint16_t call)
{
    struct call *k = &q->m->calls[call];
    uint32_t i = job_of(q, k);
    struct job_state *job = job_at(q, i);
    if (job->phase == JOB_ABSENT) {
        refuse(q, call, ERR_REFUSED);
        return;
    }
    if (!put_back(q, i, k, q->m->p->why_operator, false))
        return;
    job->attempts = 0;
    call_answer(q->m, call, ANS_OK);
    call_next(q);
}

/* --- requests -------------------------------------------------------------------------------------------- */

void queue_arrived(struct m *m, uint16_t call, bool sync)
{
    struct call *k = &m->calls[call];
    struct queue q = queue_of(m, k->service);
    if (k->kind == REQ_CLAIM && !gate_on(m->p, GATE_ATOMIC_CLAIM)) {
        expire_all(&q);
        k->arg[ARG_JOB] = (int64_t)look_up(&q, k);
    }
    if (m->asides)
        m->early[call].jobs = k->kind == REQ_CLAIM ? look_up(&q, k) : 0;
    call_serve_later(m, call, sync);
}

/* As central.c's: who lost its place is called anew, and its lease counts from then. */
void queue_again(struct m *m, uint16_t call)
{
    struct call *k = &m->calls[call];
    struct queue q = queue_of(m, k->service);
    if (line_call_again(&q.line, k))
        return;
    if (line_index(&q.line, k) == *q.line.n)
        line_join(&q.line, k);
    call_answer_again(m, call);
    call_next(&q);
}

void queue_serve(struct m *m, uint16_t call)
{
    struct queue q = queue_of(m, m->calls[call].service);
    expire_all(&q);
    switch (m->calls[call].kind) {
    case REQ_CLAIM: serve_claim(&q, call); break;
    case REQ_HEARTBEAT: serve_heartbeat(&q, call); break;
    case REQ_COMPLETE: serve_complete(&q, call); break;
    case REQ_FAIL: serve_fail(&q, call); break;
    case REQ_ENQUEUE: serve_enqueue(&q, call); break;
    case REQ_REAP: serve_reap(&q, call); break;
    case REQ_VERDICT: serve_verdict(&q, call); break;
    default:
        ASSERT(m->calls[call].kind == REQ_REQUEUE);
        serve_requeue(&q, call);
        break;
    }
    if (!sim_interrupted(m->s))
        call_next(&q); /* what expired just now is another's to claim */
}

/* --- time, crashes ------------------------------------------------------------------------------------------ */

void queue_timer(struct m *m, const struct timer *t)
{
    struct queue q = queue_of(m, m->p->actor_of[t->thread].service);
    if (t->kind == T_TURN) {
        line_turn_over(&q.line, (uint16_t)t->subject);
    } else {
        ASSERT(t->kind == T_EXPIRE);
        uint32_t i = (uint32_t)t->subject;
        struct job_state *job = job_at(&q, i);
        job->expiry_timer = NONE32;
        if (!sim_before(m->s, q.thread, q.plan->name, V_EXPIRES, client_node(m, job->holder)))
            return;
        if (job->phase == JOB_RUNNING && !job->expired && lease_over(&q, job)) {
            note_clock(&q, i);
            expire(&q, i);
        }
    }
    call_next(&q);
}

/* A claim or an end that was answered must not be forgotten. A queue that lost its disk has no jobs, and nothing to
 * wait out. */
static void note_crash(struct queue *q, const struct job_state *job, enum losing losing)
{
    bool given = job->phase == JOB_RUNNING, promised = given || job->phase == JOB_DONE || job->phase == JOB_DEAD;
    struct asked_by by = by_service(q->service, job->holder);
    if (losing == LOSING_EVERYTHING)
        return;
    gate_note(q->m, GATE_DURABLE_GRANT, by, conjunct_bit(C_ON_DISK, promised));
    gate_note(q->m, GATE_MONOTONIC_TOKEN, by, conjunct_bit(C_COUNT_KEPT, job->token > 0));
}

/* What a claim, a beat or a completion changed is on disk (durable-grant), and so is the job itself. */
static void job_crashed(struct queue *q, uint32_t i, enum losing losing)
{
    struct job_state *job = job_at(q, i);
    bool durable = gate_on(q->m->p, GATE_DURABLE_GRANT) && losing != LOSING_EVERYTHING;
    job->expiry_timer = NONE32;
    note_crash(q, job, losing);
    if (!durable) {
        if (job->phase != JOB_ABSENT)
            job->phase = losing == LOSING_EVERYTHING ? JOB_ABSENT : JOB_WAITING;
        job->holder = job->finisher = NONE16;
        job->attempts = 0;
        job->expired = 0;
        job->lapse_timer = NONE32; /* the trace's, which goes on */
    }
    if (!gate_on(q->m->p, GATE_MONOTONIC_TOKEN) || losing == LOSING_EVERYTHING)
        job->token = 0;
}

void queue_crashed(struct m *m, uint16_t service, enum losing losing)
{
    struct queue q = queue_of(m, service);
    bool durable = gate_on(m->p, GATE_DURABLE_GRANT) && losing != LOSING_EVERYTHING;
    line_forget(&q.line);
    for (uint32_t i = 0; i < q.plan->jobs; i++)
        job_crashed(&q, i, losing);
    call_forget_served(m, service, !durable);
}

void queue_restarted(struct m *m, uint16_t service)
{
    struct queue q = queue_of(m, service);
    for (uint32_t i = 0; i < q.plan->jobs; i++) {
        struct job_state *job = job_at(&q, i);
        if (job->phase == JOB_RUNNING && !job->expired)
            job->expiry_timer = timer_at(&q, T_EXPIRE, judging_clock(m), job->until, i);
    }
}
