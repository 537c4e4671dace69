/* SPDX-License-Identifier: MIT
 *
 * voter.c - one voter of a quorum lock. candidate.c is the other side.
 *
 *     ask for epoch e:   another's lease runs, or e is below the promise?  refuses, names its promise, changes nothing
 *                        else promises e, votes, syncs, answers; its lease for the candidate begins
 *
 *  1. One vote an epoch. The epoch stays promised when the vote was given back or has expired.
 *  2. Promise and vote are on disk before they are answered (durable-grant); a voter that lost its disk waits out
 *     the longest lease. The promise is what makes epochs grow over restarts (monotonic-token).
 *  3. A refusal changes nothing, so a live leader's renewals go on.
 *
 * Known weakness: a voter speaks for itself alone. That two of them agree, and that no third has been asked
 * meanwhile, is the candidate's arithmetic (strict-majority).
 *
 * Sources: HA controllers that canvass their peers; the delayed restart of Redlock for voters that lost their
 * memory.
 */
#include "model/state.h"

/* --- the voter ------------------------------------------------------------------------------ */

struct voter {
    struct m *m;
    const struct lock_plan *plan;
    struct voter_state *v;
    name_id name;
    uint16_t service, thread, process, index;
};

static struct voter voter_of(struct m *m, uint16_t service)
{
    struct voter w;
    w.m = m;
    w.plan = &m->p->locks[m->p->services[service].lock];
    w.v = &m->voters[service];
    w.name = service_name(m, service);
    w.service = service;
    w.thread = m->p->services[service].thread;
    w.process = service_process(m, service);
    w.index = m->p->services[service].voter;
    return w;
}

static ns voter_clock(const struct voter *w, int clock)
{
    return thread_clock(w->m->s, w->thread, (enum clock_kind)clock);
}

static uint32_t voter_timer_set(struct voter *w, enum timer_kind kind, int clock, ns deadline)
{
    return timer_set(
        w->m->s,
        &(struct timer){.thread = w->thread, .clock = (uint8_t)clock, .kind = (uint16_t)kind, .deadline = deadline});
}

/* Without fresh-identity a name is enough. */
static bool passes_for_holder(const struct voter *w, const struct call *k)
{
    return !gate_on(w->m->p, GATE_FRESH_IDENTITY) && same_identity(w->m, w->v->holder, k->client);
}

/* Whether the candidate has the vote: two threads of a process are two candidates. */
static bool has_vote(const struct voter *w, const struct call *k)
{
    return (w->v->holder == principal(w->m, k->client) && w->v->voted_start == k->start) || passes_for_holder(w, k);
}

/* Whether the vote is the caller's to touch: the holder is a process, whichever of its threads speaks. */
static bool is_own(const struct voter *w, const struct call *k)
{
    bool same_process = client_process(w->m, w->v->holder) == client_process(w->m, k->client);
    return (same_process && w->v->voted_start == k->start) || passes_for_holder(w, k);
}

static void note_identity(struct voter *w, const struct call *k)
{
    gate_note_identity(w->m, k, w->v->holder, w->v->voted_start);
}

static void note_clock(struct voter *w)
{
    gate_clock_judged(w->m, w->service, w->m->p->services[w->service].lock, w->v->until);
}

static bool lease_runs(const struct voter *w)
{
    return w->v->holder != NONE16 && !clock_passed(w->m->s, thread_machine(w->m->s, w->thread),
                                                   (enum clock_kind)judging_clock(w->m), w->v->until);
}

static void lease_begins(struct voter *w, const struct call *k)
{
    int clock = judging_clock(w->m);
    ns from = gate_on(w->m->p, GATE_ONE_CLOCK) ? voter_clock(w, clock) : k->arg[ARG_STAMP];
    gate_note_stamp(w->m, k, w->m->p->services[w->service].lock);
    gate_clock_gives(w->m, w->service, w->m->p->services[w->service].lock);
    ns promised = from + w->plan->ttl;
    w->v->until = promised + w->plan->service_margin;
    timer_stop(w->m, &w->v->expiry_timer);
    w->v->expiry_timer = voter_timer_set(w, T_EXPIRE, clock, w->v->until);
    set_lapse(w->m, w->service, &w->v->lapse_timer, lapse_subject(w->v->voted_epoch, w->v->holder), clock, promised);
}

static void refuse(struct voter *w, uint16_t call, enum error e)
{
    struct call *k = &w->m->calls[call];
    struct value f[3] = {value_name(w->m->p->error_name[e]), value_none(), value_int(w->v->promised)};
    if (k->kind != REQ_VOTE)
        f[1] = value_int(k->arg[ARG_TOKEN]);
    record(w->m, w->process, w->name, V_REFUSES, client_name(w->m, k->client), f, 3, k->line);
    k->reply[REPLY_ERROR] = e;
    k->reply[REPLY_EPOCH] = w->v->promised;
    call_answer(w->m, call, ANS_REFUSED);
}

static bool may_vote(const struct voter *w, const struct call *k)
{
    int64_t epoch = k->arg[ARG_TOKEN];
    bool repeated = w->v->voted_epoch == epoch && w->v->voted == k->client && w->v->voted_start == k->start;
    if (w->v->quarantined)
        return false;
    if (lease_runs(w) && !has_vote(w, k))
        return false;
    if (epoch == w->v->promised)
        return w->v->voted_epoch != epoch || repeated;
    return epoch > w->v->promised;
}

static void serve_vote(struct voter *w, uint16_t call)
{
    struct call *k = &w->m->calls[call];
    name_id node = client_node(w->m, k->client);
    if (w->m->asides && lease_runs(w))
        note_identity(w, k);
    if (!may_vote(w, k)) {
        refuse(w, call, ERR_REFUSED);
        return;
    }
    if (!sim_before(w->m->s, w->thread, w->name, V_VOTES, node))
        return;
    w->v->promised = w->v->voted_epoch = k->arg[ARG_TOKEN];
    w->v->voted = w->v->holder = k->client;
    w->v->voted_start = k->start;
    struct value f[3] = {value_int(w->v->promised), value_int(k->start), value_ns(w->plan->ttl)};
    record(w->m, w->process, w->name, V_VOTES, node, f, 3, k->line);
    lease_begins(w, k);
    k->reply[REPLY_TOKEN] = k->arg[ARG_TOKEN];
    call_answer(w->m, call, ANS_VOTE);
}

static bool may_touch(struct voter *w, const struct call *k)
{
    if (!lease_runs(w))
        return false;
    note_identity(w, k);
    return gate_lets(w->m, GATE_RELEASE_TOKEN, by_call(k),
                     conjunct_bit(C_CALLER_HOLDS, !is_own(w, k)) |
                         conjunct_bit(C_GRANT_NAMED, w->v->voted_epoch != k->arg[ARG_TOKEN]));
}

static struct value by_whom(const struct voter *w, const struct call *k)
{
    bool own = client_process(w->m, w->v->holder) == client_process(w->m, k->client) && w->v->voted_start == k->start;
    return own ? value_none() : value_name(client_node(w->m, k->client));
}

static void serve_renew(struct voter *w, uint16_t call)
{
    struct call *k = &w->m->calls[call];
    if (!may_touch(w, k)) {
        refuse(w, call, ERR_NOT_HOLDER);
        return;
    }
    name_id node = client_node(w->m, w->v->holder);
    if (!sim_before(w->m->s, w->thread, w->name, V_EXTENDS, node))
        return;
    struct value f[6] = {value_int(w->v->voted_epoch), by_whom(w, k),          value_int(w->v->voted_start),
                         value_int(k->start),          value_ns(w->plan->ttl), value_int(w->index)};
    record(w->m, w->process, w->name, V_EXTENDS, node, f, 6, k->line);
    lease_begins(w, k);
    call_answer(w->m, call, ANS_OK);
}

/* The epoch stays promised: a vote that was given back cannot be given to another in the same epoch. */
static void vote_ends(struct voter *w, bool lapsed)
{
    timer_stop(w->m, &w->v->expiry_timer);
    if (!lapsed)
        timer_stop(w->m, &w->v->lapse_timer);
    w->v->lapse_timer = NONE32;
    w->v->holder = NONE16;
}

static void serve_release(struct voter *w, uint16_t call)
{
    struct call *k = &w->m->calls[call];
    if (!may_touch(w, k)) {
        refuse(w, call, ERR_NOT_HOLDER);
        return;
    }
    name_id node = client_node(w->m, w->v->holder);
    if (!sim_before(w->m->s, w->thread, w->name, V_FREES, node))
        return;
    struct value f[5] = {value_int(w->v->voted_epoch), by_whom(w, k), value_int(w->v->voted_start), value_int(k->start),
                         value_int(w->index)};
    record(w->m, w->process, w->name, V_FREES, node, f, 5, k->line);
    vote_ends(w, false);
    call_answer(w->m, call, ANS_OK);
}

static void serve_force(struct voter *w, uint16_t call)
{
    struct call *k = &w->m->calls[call];
    if (lease_runs(w)) {
        struct value f[3] = {value_int(w->v->voted_epoch), value_int(w->v->voted_start), value_int(w->index)};
        record(w->m, w->process, w->name, V_FORCES, client_node(w->m, w->v->holder), f, 3, k->line);
        vote_ends(w, false);
    }
    call_answer(w->m, call, ANS_OK);
}

static void vote_expires(struct voter *w)
{
    struct value f[2] = {value_int(w->v->voted_epoch), value_int(w->v->voted_start)};
    record(w->m, w->process, w->name, V_EXPIRES, client_node(w->m, w->v->holder), f, 2, 0);
    struct asked_by by = by_service(w->service, w->v->holder);
    vote_ends(w, true);
    if (!gate_lets(w->m, GATE_DRAIN_FIRST, by, conjunct_bit(C_NO_DELAY, w->plan->lock_delay > 0))) {
        w->v->quarantined = 1;
        w->v->quarantine_until = voter_clock(w, w->m->p->lease_clock) + w->plan->lock_delay;
        voter_timer_set(w, T_DELAY, w->m->p->lease_clock, w->v->quarantine_until);
    }
}

void voter_serve(struct m *m, uint16_t call)
{
    struct call *k = &m->calls[call];
    struct voter w = voter_of(m, k->service);
    if (m->asides && w.v->holder != NONE16)
        note_clock(&w);
    if (w.v->holder != NONE16 && !lease_runs(&w))
        vote_expires(&w);
    switch (k->kind) {
    case REQ_VOTE: serve_vote(&w, call); break;
    case REQ_RENEW: serve_renew(&w, call); break;
    case REQ_RELEASE: serve_release(&w, call); break;
    default:
        ASSERT(k->kind == REQ_FORCE);
        serve_force(&w, call);
        break;
    }
}

void voter_timer(struct m *m, const struct timer *t)
{
    struct voter w = voter_of(m, m->p->actor_of[t->thread].service);
    if (t->kind == T_DELAY) {
        w.v->quarantined = 0; /* also the lock-delay */
        return;
    }
    ASSERT(t->kind == T_EXPIRE);
    w.v->expiry_timer = NONE32;
    if (!sim_before(m->s, w.thread, w.name, V_EXPIRES, client_node(m, w.v->holder)))
        return;
    note_clock(&w);
    vote_expires(&w);
}

/* A vote binds until its lease is over, an epoch for good. Past the loss of a disk no gate can keep an epoch. */
static void note_crash(struct voter *w, enum losing losing)
{
    bool everything = losing == LOSING_EVERYTHING, runs = lease_runs(w);
    struct asked_by by = by_service(w->service, w->v->holder);
    gate_note(w->m, GATE_DURABLE_GRANT, by,
              conjunct_bit(C_WAITED_OUT, everything && runs) | conjunct_bit(C_ON_DISK, !everything && runs));
    if (!everything)
        gate_note(w->m, GATE_MONOTONIC_TOKEN, by, conjunct_bit(C_COUNT_KEPT, w->v->promised > 0));
}

void voter_crashed(struct m *m, uint16_t service, enum losing losing)
{
    struct voter w = voter_of(m, service);
    bool durable = gate_on(m->p, GATE_DURABLE_GRANT) && losing != LOSING_EVERYTHING;
    w.v->expiry_timer = NONE32;
    note_crash(&w, losing);
    if (!durable) {
        w.v->holder = w.v->voted = NONE16;
        w.v->voted_epoch = 0;
        w.v->lapse_timer = NONE32;
    }
    if (!gate_on(m->p, GATE_MONOTONIC_TOKEN) || losing == LOSING_EVERYTHING)
        w.v->promised = 0;
    if (losing == LOSING_EVERYTHING && gate_on(m->p, GATE_DURABLE_GRANT)) {
        w.v->quarantined = 1; /* from its restart: see voter_restarted() */
        w.v->quarantine_until = -1;
    }
    call_forget_served(m, service, !durable);
}

void voter_restarted(struct m *m, uint16_t service)
{
    struct voter w = voter_of(m, service);
    if (w.v->holder != NONE16)
        w.v->expiry_timer = voter_timer_set(&w, T_EXPIRE, judging_clock(m), w.v->until);
    if (!w.v->quarantined)
        return;
    if (w.v->quarantine_until < 0)
        w.v->quarantine_until = voter_clock(&w, m->p->lease_clock) + w.plan->ttl + w.plan->service_margin;
    voter_timer_set(&w, T_DELAY, m->p->lease_clock, w.v->quarantine_until);
}
