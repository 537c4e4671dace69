/* SPDX-License-Identifier: MIT
 *
 * state.c - where everything of the models lies in the world, and what of it counts as state.
 *
 * The digest covers what the future or an invariant can depend on. Deadlines are fed as what is left
 * of them on their clock, calls in slot order but without slot numbers of their timers (the kernel
 * digests timers itself), and never a call slot that is free.
 */
#include "model/state.h"

#include <string.h>

struct room {
    uint8_t *base; /* NULL while measuring */
    size_t used;
};

static void *take(struct room *room, uint32_t n, uint32_t size)
{
    uint8_t *at = room->base ? room->base + room->used : NULL;
    room->used += ((size_t)n * size + 7) / 8 * 8;
    return at;
}

/* The most that goes with one call: a statement and its row, or an attempt for each job of a queue. */
static uint32_t values_carried(const struct model_plan *p)
{
    uint32_t most = p->captures_max + p->columns_max;
    for (uint32_t i = 0; i < p->n_queues; i++)
        most = p->queues[i].jobs > most ? p->queues[i].jobs : most;
    return most;
}

static ns longest_lease(const struct model_plan *p)
{
    ns longest = 0;
    for (uint32_t i = 0; i < p->n_locks; i++)
        longest = p->locks[i].ttl > longest ? p->locks[i].ttl : longest;
    for (uint32_t i = 0; i < p->n_queues; i++)
        longest = p->queues[i].lease > longest ? p->queues[i].lease : longest;
    return longest;
}

static ns last_until(const struct model_plan *p)
{
    ns last = 0;
    for (uint32_t i = 0; i < p->n_code; i++)
        if (p->code[i].op == OP_WAIT_UNTIL && p->code[i].duration > last)
            last = p->code[i].duration;
    return last;
}

struct m m_layout(struct sim *s, const struct model_plan *p, void *base, uint32_t *bytes)
{
    struct m m;
    struct room room = {base, 0};
    uint32_t issuers = n_issuers(p), resources = n_resources(p), carry = values_carried(p);
    m.s = s;
    m.p = p;
    m.resources = resources;
    m.carry = carry;
    m.asides = s != NULL && sim_makes(s, V_GUARDS);
    m.state = take(&room, 1, sizeof *m.state);
    m.locks = take(&room, p->n_locks, sizeof *m.locks);
    m.line = take(&room, (p->n_locks + p->n_queues) * p->n_clients, sizeof *m.line);
    m.owner_tokens = take(&room, p->token_mode == TOKEN_PER_OWNER ? p->n_locks * p->n_clients : 0,
                          sizeof *m.owner_tokens);
    m.voters = take(&room, p->n_services, sizeof *m.voters);
    m.queues = take(&room, p->n_queues, sizeof *m.queues);
    m.jobs = take(&room, p->n_jobs, sizeof *m.jobs);
    m.rows = take(&room, p->n_rows, sizeof *m.rows);
    m.cells = take(&room, p->n_cells, sizeof *m.cells);
    m.registers = take(&room, p->n_registers, sizeof *m.registers);
    m.marks = take(&room, p->n_stores * issuers, sizeof *m.marks);
    m.key_marks = take(&room, p->n_registers * issuers, sizeof *m.key_marks);
    m.effects = take(&room, p->effects, sizeof *m.effects);
    m.clients = take(&room, p->n_clients, sizeof *m.clients);
    m.vars = take(&room, p->n_vars, sizeof *m.vars);
    m.holdings = take(&room, p->n_clients * resources, sizeof *m.holdings);
    m.read_version = take(&room, p->n_clients * p->n_registers, sizeof *m.read_version);
    m.var_based = take(&room, p->n_vars * n_sources(p), sizeof *m.var_based);
    m.inv.state = m.state ? &m.state->inv : NULL;
    m.inv.locks = take(&room, resources, sizeof *m.inv.locks);
    m.inv.voters = take(&room, p->n_services, sizeof *m.inv.voters);
    m.inv.marks = take(&room, p->n_stores * issuers, sizeof *m.inv.marks);
    m.inv.registers = take(&room, n_sources(p), sizeof *m.inv.registers);
    m.inv.believers = take(&room, p->n_locks * p->n_clients, sizeof *m.inv.believers);
    m.inv.acts = take(&room, resources * p->n_clients, sizeof *m.inv.acts);
    m.inv.effects = take(&room, p->effects, sizeof *m.inv.effects);
    m.inv.jobs = take(&room, p->n_jobs + p->n_rows, sizeof *m.inv.jobs);
    m.inv.askers = take(&room, p->n_clients, sizeof *m.inv.askers);
    m.flights = m.kin = m.call_name = NULL;
    m.is_round = NULL;
    m.gaps = NULL;
    m.early = NULL;
    m.longest = longest_lease(p);
    m.last_until = last_until(p);
    m.calls_at = (uint32_t)room.used;
    m.calls = take(&room, p->calls, sizeof *m.calls);             /* those never used are in no snapshot, ... */
    m.carried = take(&room, p->calls * carry, sizeof *m.carried); /* ... nor is what goes with them, from the end on */
    if (bytes)
        *bytes = (uint32_t)room.used;
    return m;
}

uint32_t model_bytes(const struct model_plan *p)
{
    uint32_t bytes;
    m_layout(NULL, p, NULL, &bytes);
    return bytes;
}

/* The world is zero at first; here is what must not be. */
static void make_ready(struct m *m)
{
    for (uint32_t i = 0; i < m->p->n_locks; i++) {
        struct lock_state *l = &m->locks[i];
        l->holder = NONE16;
        l->expiry_timer = l->delay_timer = l->lapse_timer = NONE32;
    }
    for (uint32_t i = 0; i < m->p->n_services; i++) {
        struct voter_state *v = &m->voters[i];
        v->voted = v->holder = NONE16;
        v->expiry_timer = v->lapse_timer = NONE32;
    }
    for (uint32_t i = 0; i < m->p->n_clients; i++) {
        struct client_state *c = &m->clients[i];
        c->stage = STAGE_ENDED;
        c->call = NONE16;
        c->timer = c->within_timer = NONE32;
    }
    for (uint32_t i = 0; i < m->p->n_clients * n_resources(m->p); i++) {
        struct holding *g = &m->holdings[i];
        g->belief_timer = g->beat_timer = g->watchdog_timer = g->retry_timer = NONE32;
    }
    jobs_ready(m);
    rows_ready(m);
}

void m_prepare(struct sim *s)
{
    *m_of(s) = m_layout(s, sim_model_plan(s), sim_model_state(s), NULL);
    make_ready(m_of(s));
    sim_model_use(s, m_of(s)->calls_at, 0);
}

struct m m_open(struct sim *s) { return *m_of(s); }

name_id resource_name(const struct model_plan *p, uint32_t resource)
{
    ASSERT(resource < n_resources(p));
    if (is_lock(p, resource))
        return p->locks[resource].name;
    if (is_job(p, resource))
        return p->jobs[resource - p->n_locks].object;
    return p->rows[resource - p->n_locks - p->n_jobs].name;
}

const char *model_failure_text(enum model_failure f)
{
    switch (f) {
    case FAIL_OVERFLOW: return "arithmetic overflow: the result does not fit into 64 bits";
    case FAIL_TYPE: return "an operator meets values that it does not take";
    case FAIL_COUNT: return "`repeat` needs a number that is not negative";
    case FAIL_DURATION: return "a duration that is not negative is needed";
    case FAIL_TOKEN: return "a token is a number that is not negative";
    case FAIL_KEY: return "the key of an effect is none: a claim or a read has left it empty";
    case FAIL_CALLS: return "more calls under way than the case has room for";
    case FAIL_EFFECTS: return "more different effects than the case has room for";
    }
    return "unknown failure";
}
