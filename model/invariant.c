/* SPDX-License-Identifier: MIT
 *
 * invariant.c - which invariant looks at which record, and what a violation notes.
 *
 * For each record those that judge run first and those that remember run after them, so that every
 * judgement is made against what was true before the record.
 */
#include "model/invariant.h"

static void first_wins(uint16_t *field, uint16_t index)
{
    if (*field == NONE16)
        *field = index;
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
    for (uint32_t i = 0; i < p->sim->n_threads; i++)
        first_wins(&names[p->sim->threads[i].name].process, p->sim->processes[p->sim->threads[i].process].name);
}

void judge_prepare(const struct model_plan *p, struct judge_name *names)
{
    for (uint32_t i = 0; i < p->sim->names->n; i++)
        names[i] = (struct judge_name){NONE16, NONE16, NONE16, NONE16, NONE16};
    for (uint16_t i = 0; i < p->n_locks; i++)
        first_wins(&names[p->locks[i].name].lock, i);
    for (uint16_t i = 0; i < p->n_stores; i++)
        first_wins(&names[p->stores[i].name].store, i);
    for (uint16_t i = 0; i < p->n_registers; i++)
        first_wins(&names[p->registers[i].name].reg, i);
    name_threads(p, names); /* behind the locks: a lock's name is not a voter's */
}

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

static void on_grant(struct judge *j, const struct record *r, uint32_t number)
{
    inv_token_order(j, r, number);
    inv_single_grant(j, r, number);
    inv_no_early_regrant(j, r, number);
    inv_one_vote(j, r, number);
    inv_one_leader_per_term(j, r, number);
    inv_remember_lock(j, r, number);
    inv_single_actor(j, r, number);
}

static void on_commit(struct judge *j, const struct record *r, uint32_t number)
{
    inv_no_stale_write(j, r, number);
    inv_no_lost_update(j, r, number);
    inv_no_zombie_write(j, r, number);
    inv_remember_store(j, r, number);
}

static void on_vote(struct judge *j, const struct record *r, uint32_t number)
{
    inv_one_vote(j, r, number);
    inv_remember_lock(j, r, number);
}

static void on_extension(struct judge *j, const struct record *r, uint32_t number)
{
    inv_owner_extends(j, r, number);
    inv_remember_lock(j, r, number);
}

static void on_release(struct judge *j, const struct record *r, uint32_t number)
{
    inv_owner_releases(j, r, number);
    inv_remember_lock(j, r, number);
}

/* Most verbs concern nobody: the kernel asks once, and keeps their records to itself. */
static void (*const on_verb[VERBS])(struct judge *, const struct record *, uint32_t) = {
    [V_GRANTS] = on_grant,
    [V_VOTES] = on_vote,
    [V_EXTENDS] = on_extension,
    [V_FREES] = on_release,
    [V_RENEWED] = inv_remember_lock,
    [V_FORCES] = inv_remember_lock,
    [V_LAPSES] = inv_remember_lock,
    [V_COMMITS] = on_commit,
    [V_REMOVES] = on_commit,
    [V_HEARS] = inv_no_lost_ack,
    [V_FORGETS] = inv_no_lost_ack,
    [V_EFFECTS] = inv_effect_once,
    [V_BELIEVES] = inv_single_holder,
    [V_DOUBTS] = inv_single_holder,
    [V_ACTS] = inv_single_actor,
    [V_RESTS] = inv_single_actor,
    [V_CRASHES] = inv_single_actor,
};

bool invariants_hear(uint16_t verb) { return verb < VERBS && on_verb[verb] != NULL; }

void invariants_on_record(struct judge *j, const struct record *r, uint32_t number)
{
    if (invariants_hear(r->verb))
        on_verb[r->verb](j, r, number);
}

/* --- the digest of what they remember ------------------------------------------------------- */

static void pair(struct hasher *h, uint32_t a, uint32_t b) { hash_word(h, (uint64_t)a << 32 | b); }
static void who(struct hasher *h, struct who w) { pair(h, w.name, w.start); }

/* True times count only as what is left until then, or how long ago they were, up to a lease. */
static uint64_t left(const struct judge *j, ns at) { return at > sim_now(j->s) ? (uint64_t)(at - sim_now(j->s)) : 0; }

static void digest_lock(const struct judge *j, const struct inv_lock *l, struct hasher *h)
{
    hash_word(h, (uint64_t)l->last_token);
    hash_word(h, (uint64_t)l->max_token);
    hash_word(h, left(j, l->ends_at));
    hash_word(h, l->rests_on);
    who(h, l->holder);
    pair(h, (uint32_t)l->grants << 8 | l->next_past, l->ended);
    for (int i = 0; i < PAST_GRANTS; i++) {
        hash_word(h, (uint64_t)l->past_token[i]);
        hash_word(h, l->past_votes[i]);
        who(h, l->past_who[i]);
    }
}

static void digest_voter(const struct judge *j, const struct inv_voter *v, ns ttl, struct hasher *h)
{
    hash_word(h, left(j, v->voted_at + ttl));
    hash_word(h, (uint64_t)v->epoch);
    who(h, v->who);
    pair(h, v->votes % PAST_GRANTS, v->ended);
    for (int i = 0; i < PAST_GRANTS; i++) {
        hash_word(h, (uint64_t)v->past_epoch[i]);
        who(h, v->past_who[i]);
    }
}

void invariants_digest(const struct judge *j, struct hasher *h)
{
    const struct model_plan *p = j->p;
    hash_word(h, j->m.state->broken);
    for (uint32_t i = 0; i < p->n_locks; i++)
        digest_lock(j, &j->m.locks[i], h);
    for (uint32_t i = 0; i < p->n_services; i++)
        if (p->actor_of[p->services[i].thread].kind == ACTOR_VOTER)
            digest_voter(j, &j->m.voters[i], p->locks[p->services[i].lock].ttl, h);
    for (uint32_t i = 0; i < p->n_stores * (p->n_locks + 1); i++)
        hash_word(h, j->m.marks[i].token);
    for (uint32_t i = 0; i < p->n_registers; i++) {
        const struct inv_register *r = &j->m.registers[i];
        pair(h, r->version, r->other_version);
        pair(h, r->acked_version, r->lost_version);
        who(h, r->who);
    }
    for (uint32_t i = 0; i < p->n_locks * p->n_clients; i++) {
        const struct inv_believer *b = &j->m.believers[i];
        const struct inv_act *a = &j->m.acts[i];
        if (b->threads)
            pair(h, (uint32_t)b->who.name << 16 | b->who.start, b->threads);
        if (a->lock) {
            hash_word(h, (uint64_t)a->token);
            pair(h, (uint32_t)a->thread << 16 | a->lock, (uint32_t)a->process << 16 | a->start);
        }
    }
    for (uint32_t i = 0; i < p->effects && j->m.effects[i].tag; i++) {
        hash_word(h, (uint64_t)j->m.effects[i].key);
        pair(h, j->m.effects[i].name, j->m.effects[i].tag);
    }
}
