/* SPDX-License-Identifier: MIT
 *
 * inv_digest.c - what of the invariants' memory counts as state.
 *
 * Numbers of records do not: they only say where a violation points. True times count as what is left until then, or
 * how long ago they were, up to what a judgement can depend on. Rows that are looked up by what is in them are added up
 * in whatever order they stand.
 */
#include "model/invariant.h"

/* Tags of this memory, behind those of digest.c: what, and which of them. */
enum { FEED_SERVICE = 32, FEED_MARK, FEED_REGISTER, FEED_EFFECT, FEED_BELIEVER, FEED_ACT, FEED_ASKER };

static inline void feed(struct hasher *h, uint64_t what, uint64_t which, uint64_t word)
{
    hash_tagged(h, what << 32 | which, word);
}

static inline uint64_t both(uint32_t a, uint32_t b) { return (uint64_t)a << 32 | b; }
static inline void pair(struct hasher *h, uint32_t a, uint32_t b) { hash_word(h, both(a, b)); }

static inline name_id as_name(const struct renaming *as, name_id name) { return as == NULL ? name : as->name[name]; }

/* Nobody has start 0. */
static inline uint32_t who(const struct renaming *as, struct who w)
{
    return w.start == 0 ? 0 : (uint32_t)as_name(as, w.name) << 16 | w.start;
}

static inline uint64_t left(ns now, ns at) { return at > now ? (uint64_t)(at - now) : 0; }

/* What judgements ask of a resource's past. */
struct asks {
    bool tokens; /* a store's writes carry its tokens */
    bool votes;  /* a quorum decides */
    bool end;    /* a grant can be too early for it: no job's can */
};

static struct asks asks_of(const struct judge *j, uint32_t resource)
{
    const struct model_plan *p = j->p;
    bool quorum = resource < p->n_locks && p->locks[resource].kind == LOCK_QUORUM;
    return (struct asks){p->n_stores > 0 && !is_row(p, resource), quorum, !judge_is_job(j, (uint16_t)resource)};
}

/* The past grants, oldest first: what a later one is compared with. */
static void digest_past(const struct inv_lock *l, struct asks asks, const struct renaming *as, struct hasher *h)
{
    uint32_t first = l->grants < PAST_GRANTS ? 0 : l->next_past;
    for (uint32_t i = 0; i < l->grants && (asks.tokens || asks.votes); i++) {
        uint32_t row = (first + i) % PAST_GRANTS;
        hash_word(h, (uint64_t)l->past_token[row]);
        if (asks.votes)
            hash_word(h, l->past_votes[row]);
        if (asks.votes)
            hash_word(h, as_name(as, l->past_who[row].name));
    }
}

/* Nothing is asked of a lock before its first grant. Whether a regrant came too early is asked while the lease runs, or
 * after it lapsed. */
static void digest_lock(const struct inv_lock *l, struct asks asks, ns now, const struct renaming *as, struct hasher *h)
{
    hash_word(h, both(who(as, l->holder), (uint32_t)l->grants << 8 | l->ended));
    if (l->grants == 0)
        return;
    hash_word(h, (uint64_t)l->last_token);
    hash_word(h, (uint64_t)l->max_token << 1 | (l->max_record != 0));
    if (asks.end && l->ended <= INV_LAPSED)
        hash_word(h, left(now, l->ends_at - l->margin));
    if (asks.votes)
        hash_word(h, l->rests_on);
    digest_past(l, asks, as, h);
}

static void digest_voter(const struct inv_voter *v, ns ttl, ns now, const struct renaming *as, struct hasher *h)
{
    uint32_t rows = v->votes < PAST_GRANTS ? v->votes : PAST_GRANTS;
    hash_word(h, both(who(as, v->who), rows << 8 | v->ended));
    if (rows == 0)
        return;
    hash_word(h, left(now, v->voted_at + ttl));
    hash_word(h, (uint64_t)v->epoch);
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t row = (v->votes - rows + i) % PAST_GRANTS;
        hash_word(h, (uint64_t)v->past_epoch[row]);
        hash_word(h, who(as, v->past_who[row]));
    }
}

static void digest_locks(const struct judge *j, ns now, const struct renaming *as, struct hasher *h)
{
    const struct model_plan *p = j->p;
    for (uint32_t i = 0; i < n_resources(p); i++)
        digest_lock(&j->m.locks[i], asks_of(j, i), now, as, h);
    for (uint32_t i = 0; i < p->n_services; i++) {
        const struct inv_voter *v = &j->m.voters[i];
        ns offered = v->called_at + REQUEST_TIMEOUT_NS - now;
        if (v->down)
            feed(h, FEED_SERVICE, 2 * i, v->down);
        if (v->called_at > 0 && offered >= 0) /* what is over of it stands with who asks */
            feed(h, FEED_SERVICE, 2 * i + 1, (uint64_t)offered);
        if (p->actor_of[p->services[i].thread].kind == ACTOR_VOTER)
            digest_voter(v, p->locks[p->services[i].lock].ttl, now, as, h);
    }
}

static void digest_stores(const struct judge *j, const struct renaming *as, struct hasher *h)
{
    const struct model_plan *p = j->p;
    for (uint32_t i = 0; i < p->n_stores * n_issuers(p); i++)
        if (j->m.marks[i].token)
            feed(h, FEED_MARK, i, j->m.marks[i].token);
    for (uint32_t i = 0; i < p->n_registers + p->n_cells; i++) {
        const struct inv_register *r = &j->m.registers[i];
        if ((r->version | r->acked_version | r->lost_version) == 0)
            continue;
        feed(h, FEED_REGISTER, 4 * i, both(r->version, r->other_version));
        feed(h, FEED_REGISTER, 4 * i + 1, both(r->acked_version, r->lost_version));
        feed(h, FEED_REGISTER, 4 * i + 2, who(as, r->who));
    }
    for (uint32_t i = 0; i < p->effects && j->m.effects[i].tag; i++) {
        const struct inv_effect *e = &j->m.effects[i];
        uint64_t key = e->tag == TAG_NAME ? as_name(as, (name_id)e->key) : (uint64_t)e->key;
        feed(h, FEED_EFFECT, 0, hash_mix(key) ^ both(e->name, e->tag));
    }
}

static void digest_holders(const struct judge *j, const struct renaming *as, struct hasher *h)
{
    const struct model_plan *p = j->p;
    for (uint32_t i = 0; i < p->n_locks * p->n_clients; i++) {
        const struct inv_believer *b = &j->m.believers[i];
        if (b->threads)
            feed(h, FEED_BELIEVER, i / p->n_clients, both(who(as, b->who), b->threads));
    }
    for (uint32_t i = 0; i < n_resources(p) * p->n_clients; i++) {
        const struct inv_act *a = &j->m.acts[i];
        if (a->lock)
            feed(h, FEED_ACT, 0,
                 hash_mix((uint64_t)a->token) ^
                     ((uint64_t)as_name(as, a->thread) << 32 | (uint64_t)a->lock << 16 | as_name(as, a->process)));
    }
}

/* From when on a judgement counts, and how far. */
struct span {
    ns now, quiet, most;
};

static ns later(ns a, ns b) { return a > b ? a : b; }

/* How long something has gone on since the last fault, as far as a judgement can tell it from longer: what has lasted
 * for just so long is not too late at this very instant. */
static uint64_t lasted(struct span span, ns since)
{
    ns age = span.now - later(since, span.quiet);
    return (uint64_t)(age <= span.most ? age : span.most + 1); /* below zero while a fault is still to end */
}

/* Until when what a service called somebody for is kept: nobody else waits in vain before. */
static ns offered_until(const struct judge *j, uint16_t service)
{
    ns called_at = j->m.voters[service].called_at;
    return called_at > 0 ? called_at + REQUEST_TIMEOUT_NS : 0;
}

/* Who waits, and for how long; a lock that is not free has yet to become so. */
static void digest_asker(const struct judge *j, uint32_t client, uint32_t fed_as, struct span span, struct hasher *h)
{
    const struct inv_asker *a = &j->m.askers[client];
    if (a->what == 0)
        return;
    feed(h, FEED_ASKER, 2 * fed_as, both(a->what, a->in_line));
    uint32_t i = a->what - 1u; /* a lock, or behind them a queue */
    if (i >= j->p->n_locks) {
        feed(h, FEED_ASKER, 2 * fed_as + 1,
             lasted(span, later(a->since, offered_until(j, j->p->queues[i - j->p->n_locks].service))));
        return;
    }
    const struct inv_lock *l = &j->m.locks[i];
    if (judge_free(l))
        feed(h, FEED_ASKER, 2 * fed_as + 1,
             lasted(span, later(later(a->since, l->free_at), offered_until(j, j->p->locks[i].service))));
}

/* Since when a job could be claimed. Of a finished one nobody asks; but where retries in vain end a run rests on it. */
static void digest_job(const struct judge *j, uint32_t i, struct span span, struct hasher *h)
{
    const struct inv_job *job = &j->m.jobs[i];
    uint32_t resource = j->p->n_locks + i;
    const struct inv_lock *l = &j->m.locks[resource];
    hash_word(h, both(job->phase, (uint32_t)job->lapsed << 8 | job->lost));
    if (judge_free(l))
        hash_word(h, lasted(span, l->free_at));
}

/* What no-lost-job and progress wait for. */
static void digest_waits(const struct judge *j, ns now, const struct renaming *as, struct hasher *h)
{
    const struct invariant_state *state = j->m.state;
    ns stated = j->p->progress, longest = 2 * judge_longest_lease(j);
    struct span span = {now, state->quiet_from, stated > longest ? stated : longest};
    hash_word(h, left(now, state->quiet_from));
    hash_word(h, (uint64_t)state->longest);
    pair(h, state->closed, state->lasting);
    for (uint32_t i = 0; i < j->p->n_clients; i++)
        digest_asker(j, i, as == NULL ? i : ((const uint16_t *)as->model)[i], span, h);
    for (uint32_t i = 0; i < j->p->n_jobs + j->p->n_rows; i++)
        digest_job(j, i, span, h);
}

void invariants_digest_at(const struct judge *j, ns now, const struct renaming *as, struct hasher *h)
{
    hash_word(h, j->m.state->broken);
    digest_locks(j, now, as, h);
    digest_stores(j, as, h);
    digest_holders(j, as, h);
    digest_waits(j, now, as, h);
}

void invariants_digest(const struct judge *j, const struct renaming *as, struct hasher *h)
{
    invariants_digest_at(j, sim_now(j->s), as, h);
}
