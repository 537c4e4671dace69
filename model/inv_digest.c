/* SPDX-License-Identifier: MIT
 *
 * inv_digest.c - what of the invariants' memory counts as state.
 *
 * Numbers of records do not: they only say where a violation points. True times count as what is left until then, or
 * how long ago they were, up to what a judgement can depend on.
 */
#include "model/invariant.h"

static void pair(struct hasher *h, uint32_t a, uint32_t b) { hash_word(h, (uint64_t)a << 32 | b); }
static void who(struct hasher *h, struct who w) { pair(h, w.name, w.start); }

static uint64_t left(ns now, ns at) { return at > now ? (uint64_t)(at - now) : 0; }

static void digest_lock(const struct inv_lock *l, ns now, struct hasher *h)
{
    hash_word(h, (uint64_t)l->last_token);
    hash_word(h, (uint64_t)l->max_token);
    hash_word(h, left(now, l->ends_at));
    hash_word(h, l->rests_on);
    who(h, l->holder);
    pair(h, (uint32_t)l->grants << 8 | l->next_past, l->ended);
    for (int i = 0; i < PAST_GRANTS; i++) {
        hash_word(h, (uint64_t)l->past_token[i]);
        hash_word(h, l->past_votes[i]);
        who(h, l->past_who[i]);
    }
}

static void digest_voter(const struct inv_voter *v, ns ttl, ns now, struct hasher *h)
{
    hash_word(h, left(now, v->voted_at + ttl));
    hash_word(h, (uint64_t)v->epoch);
    who(h, v->who);
    pair(h, v->votes % PAST_GRANTS, v->ended);
    for (int i = 0; i < PAST_GRANTS; i++) {
        hash_word(h, (uint64_t)v->past_epoch[i]);
        who(h, v->past_who[i]);
    }
}

static void digest_locks(const struct judge *j, ns now, struct hasher *h)
{
    const struct model_plan *p = j->p;
    for (uint32_t i = 0; i < n_resources(p); i++)
        digest_lock(&j->m.locks[i], now, h);
    for (uint32_t i = 0; i < p->n_services; i++) {
        ns offered = j->m.voters[i].called_at + REQUEST_TIMEOUT_NS - now;
        hash_word(h, j->m.voters[i].down);
        hash_word(h, j->m.voters[i].called_at > 0 && offered > 0 ? (uint64_t)offered : 0);
        if (p->actor_of[p->services[i].thread].kind == ACTOR_VOTER)
            digest_voter(&j->m.voters[i], p->locks[p->services[i].lock].ttl, now, h);
    }
}

static void digest_stores(const struct judge *j, struct hasher *h)
{
    const struct model_plan *p = j->p;
    for (uint32_t i = 0; i < p->n_stores * n_issuers(p); i++)
        hash_word(h, j->m.marks[i].token);
    for (uint32_t i = 0; i < p->n_registers + p->n_cells; i++) {
        const struct inv_register *r = &j->m.registers[i];
        pair(h, r->version, r->other_version);
        pair(h, r->acked_version, r->lost_version);
        who(h, r->who);
    }
    for (uint32_t i = 0; i < p->effects && j->m.effects[i].tag; i++) {
        hash_word(h, (uint64_t)j->m.effects[i].key);
        pair(h, j->m.effects[i].name, j->m.effects[i].tag);
    }
}

static void digest_holders(const struct judge *j, struct hasher *h)
{
    const struct model_plan *p = j->p;
    for (uint32_t i = 0; i < p->n_locks * p->n_clients; i++) {
        const struct inv_believer *b = &j->m.believers[i];
        if (b->threads)
            pair(h, (uint32_t)b->who.name << 16 | b->who.start, b->threads);
    }
    for (uint32_t i = 0; i < n_resources(p) * p->n_clients; i++) {
        const struct inv_act *a = &j->m.acts[i];
        if (a->lock) {
            hash_word(h, (uint64_t)a->token);
            pair(h, (uint32_t)a->thread << 16 | a->lock, (uint32_t)a->process << 16 | a->start);
        }
    }
}

/* How long something has gone on since the last fault, as far as a judgement can tell it from longer. */
static uint64_t lasted(const struct judge *j, ns since, ns now)
{
    ns from = since > j->m.state->quiet_from ? since : j->m.state->quiet_from;
    ns most = 2 * judge_longest_lease(j), age = now - from;
    most = j->p->progress > most ? j->p->progress : most;
    return (uint64_t)(age < most ? age : most); /* below zero while a fault is still to end */
}

/* Who waits, and for how long; a lock that is not free has yet to become so. */
static void digest_asker(const struct judge *j, const struct inv_asker *a, ns now, struct hasher *h)
{
    pair(h, a->what, a->in_line);
    if (a->what == 0 || a->what > j->p->n_locks) {
        hash_word(h, a->what ? lasted(j, a->since, now) : 0);
        return;
    }
    const struct inv_lock *l = &j->m.locks[a->what - 1];
    hash_word(h, judge_free(l) ? lasted(j, a->since > l->free_at ? a->since : l->free_at, now) : 0);
}

/* What no-lost-job and progress wait for. */
static void digest_waits(const struct judge *j, ns now, struct hasher *h)
{
    const struct model_plan *p = j->p;
    hash_word(h, left(now, j->m.state->quiet_from));
    hash_word(h, (uint64_t)j->m.state->longest);
    pair(h, j->m.state->closed, j->m.state->lasting);
    for (uint32_t i = 0; i < p->n_clients; i++)
        digest_asker(j, &j->m.askers[i], now, h);
    for (uint32_t i = 0; i < p->n_jobs + p->n_rows; i++) {
        const struct inv_job *job = &j->m.jobs[i];
        const struct inv_lock *l = &j->m.locks[p->n_locks + i];
        pair(h, (uint32_t)job->phase << 8 | job->lapsed, job->lost);
        hash_word(h, judge_free(l) ? lasted(j, l->free_at, now) : 0);
    }
}

void invariants_digest_at(const struct judge *j, ns now, struct hasher *h)
{
    hash_word(h, j->m.state->broken);
    digest_locks(j, now, h);
    digest_stores(j, h);
    digest_holders(j, h);
    digest_waits(j, now, h);
}

void invariants_digest(const struct judge *j, struct hasher *h) { invariants_digest_at(j, sim_now(j->s), h); }
