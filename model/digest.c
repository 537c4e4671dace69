/* SPDX-License-Identifier: MIT
 *
 * digest.c - the models' part of the state digest.
 *
 * What the future or an invariant can depend on, and nothing else. Deadlines are fed as what is left of
 * them on their own clock, once they are over as one same word; free calls, timer slots (the kernel
 * digests timers), lines and record numbers are left out.
 */
#include "model/digest.h"

#include "model/line.h"

/* What is left until a deadline on a clock of a thread's machine; all that is over is alike. */
static uint64_t left(const struct m *m, uint16_t thread, int clock, ns deadline)
{
    ns now = clock_now(m->s, thread_machine(m->s, thread), (enum clock_kind)clock);
    return deadline <= now ? 0 : (uint64_t)(deadline - now);
}

/* How long ago a client's clock read this; what is older than every lease is alike. */
static uint64_t age(const struct m *m, uint16_t client, ns then)
{
    ns oldest = 0;
    ns now = client_clock(m, client, m->p->lease_clock);
    for (uint32_t i = 0; i < m->p->n_locks; i++)
        oldest = m->p->locks[i].ttl > oldest ? m->p->locks[i].ttl : oldest;
    for (uint32_t i = 0; i < m->p->n_queues; i++)
        oldest = m->p->queues[i].lease > oldest ? m->p->queues[i].lease : oldest;
    return now - then > oldest ? (uint64_t)oldest : (uint64_t)(now - then);
}

static void pair(struct hasher *h, uint32_t a, uint32_t b) { hash_word(h, (uint64_t)a << 32 | b); }

static void digest_calls(struct m *m, struct hasher *h)
{
    calls_look(m);
    for (uint32_t i = 0; i < m->state->calls_used; i++) {
        const struct call *c = &m->calls[i];
        if (call_is_free(m, i))
            continue;
        pair(h, c->client, c->service);
        pair(h, (uint32_t)c->kind << 24 | (uint32_t)c->waiting << 16 | (uint32_t)c->serving << 8 | c->answer,
             (uint32_t)c->reg << 16 | c->about);
        pair(h, (uint32_t)c->flags << 8 | c->tag, c->start);
        hash_word(h, age(m, c->client, c->first_sent));
        for (int k = 0; k < 4; k++) {
            hash_word(h, (uint64_t)c->arg[k]);
            hash_word(h, c->answer != ANS_NONE ? (uint64_t)c->reply[k] : 0);
        }
        for (uint32_t k = 0; k < m->carry; k++) {
            const struct cell_value *carried = &captured(m, i)[k];
            hash_word(h, (uint64_t)carried->v);
            pair(h, carried->version, carried->tag);
        }
    }
}

static void digest_locks(struct m *m, struct hasher *h)
{
    const struct model_plan *p = m->p;
    int clock = judging_clock(m);
    for (uint32_t i = 0; i < p->n_locks; i++) {
        const struct lock_state *l = &m->locks[i];
        uint16_t thread = p->services[p->locks[i].service].thread;
        hash_word(h, (uint64_t)l->counter);
        hash_word(h, (uint64_t)l->last_token);
        pair(h, l->holder, l->holder_start);
        if (l->holder != NONE16) {
            hash_word(h, (uint64_t)l->token);
            hash_word(h, left(m, thread, clock, l->until));
        }
        pair(h, l->issued, (uint32_t)l->delayed << 16 | l->granted);
        if (l->delayed)
            hash_word(h, left(m, thread, p->lease_clock, l->delay_until));
        struct line line = line_of_lock(m, (uint16_t)i);
        line_digest(&line, h);
        if (p->token_mode == TOKEN_PER_OWNER)
            for (uint32_t k = 0; k < p->n_clients; k++)
                hash_word(h, (uint64_t)m->owner_tokens[i * p->n_clients + k]);
    }
    for (uint32_t i = 0; i < p->n_services; i++) {
        const struct voter_state *v = &m->voters[i];
        if (p->actor_of[p->services[i].thread].kind != ACTOR_VOTER)
            continue;
        hash_word(h, (uint64_t)v->promised);
        hash_word(h, (uint64_t)v->voted_epoch);
        pair(h, v->voted, v->voted_start);
        pair(h, v->holder, v->quarantined);
        if (v->holder != NONE16)
            hash_word(h, left(m, p->services[i].thread, clock, v->until));
        if (v->quarantined)
            hash_word(h, left(m, p->services[i].thread, p->lease_clock, v->quarantine_until));
    }
}

static void digest_stores(struct m *m, struct hasher *h)
{
    const struct model_plan *p = m->p;
    uint32_t issuers = n_issuers(p);
    for (uint32_t i = 0; i < p->n_registers; i++) {
        const struct register_state *r = &m->registers[i];
        hash_word(h, (uint64_t)r->value);
        pair(h, r->version, (uint32_t)r->tag << 16 | r->exists);
    }
    for (uint32_t i = 0; i < p->n_stores * issuers; i++)
        hash_word(h, m->marks[i]);
    for (uint32_t i = 0; i < p->n_registers * issuers; i++)
        hash_word(h, m->key_marks[i]);
    for (uint32_t i = 0; i < p->effects; i++) {
        const struct effect_state *e = &m->effects[i];
        if (!e->name)
            break;
        hash_word(h, (uint64_t)e->key);
        pair(h, (uint32_t)e->name << 16 | e->tag, e->count);
    }
}

static void digest_jobs(struct m *m, struct hasher *h)
{
    const struct model_plan *p = m->p;
    for (uint16_t i = 0; i < p->n_queues; i++) {
        struct line line = line_of_queue(m, i);
        line_digest(&line, h);
    }
    for (uint32_t i = 0; i < p->n_jobs; i++) {
        const struct job_state *job = &m->jobs[i];
        uint16_t thread = p->services[p->queues[p->jobs[i].queue].service].thread;
        hash_word(h, (uint64_t)job->token);
        hash_word(h, (uint64_t)job->last_token);
        pair(h, job->order, (uint32_t)job->phase << 16 | (uint32_t)job->expired << 8 | job->granted);
        pair(h, (uint32_t)job->holder << 16 | job->holder_start, (uint32_t)job->attempts << 16 | job->finisher);
        hash_word(h, job->phase == JOB_RUNNING ? left(m, thread, judging_clock(m), job->until) : 0);
    }
}

static void digest_tables(struct m *m, struct hasher *h)
{
    const struct model_plan *p = m->p;
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const struct row_state *row = &m->rows[i];
        uint16_t thread = p->services[p->tables[p->rows[i].table].service].thread;
        hash_word(h, (uint64_t)row->token);
        pair(h, (uint32_t)row->holder << 16 | row->holder_start,
             (uint32_t)row->exists << 16 | (uint32_t)row->held << 8 | row->granted);
        hash_word(h, row->holder != NONE16 ? left(m, thread, CLOCK_WALL, row->promised) : 0);
    }
    for (uint32_t i = 0; i < p->n_cells; i++) {
        hash_word(h, (uint64_t)m->cells[i].v);
        pair(h, m->cells[i].version, m->cells[i].tag);
    }
}

static void digest_holding(const struct m *m, uint16_t client, const struct holding *g, struct hasher *h)
{
    uint16_t thread = client_thread(m, client);
    int clock = m->p->lease_clock;
    hash_word(h, (uint64_t)g->token);
    hash_word(h, (uint64_t)g->epoch_seen);
    hash_word(h, (uint64_t)g->epoch);
    hash_word(h, g->held ? left(m, thread, clock, g->deadline) : 0);
    hash_word(h, g->keeps ? left(m, thread, clock, g->beat) : 0);
    hash_word(h, g->renewing ? age(m, client, g->sent) : 0);
    hash_word(h, g->canvassing ? age(m, client, g->canvass_sent) : 0);
    hash_word(h, g->canvassing ? left(m, thread, CLOCK_MONOTONIC, g->canvass_end) : 0);
    hash_word(h, g->votes);
    hash_word(h, g->refusals);
    hash_word(h, g->canvass_votes);
    hash_word(h, g->canvass_refusals);
    hash_word(h, g->rests_on);
    pair(h, (uint32_t)g->held << 24 | (uint32_t)g->lost << 16 | (uint32_t)g->believed << 8 | g->keeps,
         (uint32_t)g->draining << 24 | (uint32_t)g->renewing << 16 | (uint32_t)g->canvassing << 8 | g->ever);
    pair(h, g->voter, g->order);
}

static void digest_clients(struct m *m, struct hasher *h)
{
    const struct model_plan *p = m->p;
    for (uint16_t i = 0; i < p->n_clients; i++) {
        const struct client_state *c = &m->clients[i];
        pair(h, c->pc, c->resume_pc);
        pair(h, c->generation, c->call);
        pair(h, (uint32_t)c->stage << 24 | (uint32_t)c->in_handler << 16 | c->acting, c->voter);
        hash_word(h, c->acting_on);
        hash_word(h, c->todo);
        pair(h, c->last_job, 0);
        for (uint16_t k = 0; k < m->resources; k++)
            digest_holding(m, i, holding_of(m, i, k), h);
        for (uint32_t k = 0; k < p->n_registers; k++)
            hash_word(h, m->read_version[i * p->n_registers + k]);
    }
    for (uint32_t i = 0; i < p->n_vars; i++) {
        const struct var_state *v = &m->vars[i];
        hash_word(h, (uint64_t)v->v);
        hash_word(h, (uint64_t)v->token);
        pair(h, v->version, (uint32_t)v->resource << 16 | v->tag);
    }
    for (uint32_t i = 0; i < p->n_vars * n_sources(p); i++)
        hash_word(h, m->var_based[i]);
}

void model_digest(struct m *m, struct hasher *h)
{
    struct judge j = {m->s, m->p, m->inv, NULL}; /* no record is judged */
    digest_calls(m, h);
    digest_locks(m, h);
    digest_stores(m, h);
    digest_jobs(m, h);
    digest_tables(m, h);
    digest_clients(m, h);
    invariants_digest(&j, h);
}
