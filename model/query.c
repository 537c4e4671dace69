/* SPDX-License-Identifier: MIT
 *
 * query.c - what expectations may ask about a world between two events.
 */
#include "model/query.h"

#include "model/state.h"

struct value query_register(struct sim *s, uint16_t reg)
{
    struct m m = m_open(s);
    const struct register_state *r = &m.registers[reg];
    return r->exists ? (struct value){r->value, r->tag} : value_none();
}

struct value query_mark(struct sim *s, uint16_t store)
{
    struct m m = m_open(s);
    uint32_t issuers = n_issuers(m.p);
    const struct store_plan *plan = &m.p->stores[store];
    uint64_t mark = 0;
    for (uint32_t i = 0; i < issuers; i++)
        mark = m.marks[store * issuers + i] > mark ? m.marks[store * issuers + i] : mark;
    for (uint32_t i = 0; i < plan->registers * issuers && plan->marks_per_key; i++) {
        uint64_t key_mark = m.key_marks[plan->first_register * issuers + i];
        mark = key_mark > mark ? key_mark : mark;
    }
    return value_int(mark ? (int64_t)(mark - 1) : 0);
}

struct value query_token(struct sim *s, uint16_t resource)
{
    struct m m = m_open(s);
    if (is_lock(m.p, resource))
        return m.locks[resource].granted ? value_int(m.locks[resource].last_token) : value_none();
    if (is_job(m.p, resource)) {
        const struct job_state *job = &m.jobs[resource - m.p->n_locks];
        return job->granted ? value_int(job->last_token) : value_none();
    }
    const struct row_state *row = &m.rows[resource - m.p->n_locks - m.p->n_jobs];
    return row->granted ? value_int(row->token) : value_none();
}

struct value query_cell(struct sim *s, uint32_t cell)
{
    struct m m = m_open(s);
    return (struct value){m.cells[cell].v, m.cells[cell].tag};
}

bool query_job(struct sim *s, uint16_t job, enum job_phase phase, uint16_t process)
{
    struct m m = m_open(s);
    const struct job_state *j = &m.jobs[job];
    if (j->phase != phase)
        return false;
    if (process == NONE16)
        return true;
    if (phase == JOB_DONE)
        return j->finisher == process;
    return j->holder != NONE16 && client_process(&m, j->holder) == process;
}

/* --- who holds, by the service's word ------------------------------------------------------ */

static bool passed(const struct m *m, uint16_t service, ns deadline)
{
    return clock_passed(m->s, thread_machine(m->s, m->p->services[service].thread), (enum clock_kind)judging_clock(m),
                        deadline);
}

static bool central_holds(const struct m *m, uint16_t lock, uint16_t process)
{
    const struct lock_state *l = &m->locks[lock];
    return l->holder != NONE16 && client_process(m, l->holder) == process &&
           !passed(m, m->p->locks[lock].service, l->until);
}

/* The votes that a client's latest winning count rested on; 0: it does not lead. A lease ends when the first of
 * them has ended by that voter's clock, or was given back. */
static uint64_t leading_votes(const struct m *m, uint16_t lock, uint16_t client)
{
    const struct holding *g = holding_of(m, client, lock);
    if (!g->held)
        return 0;
    for (uint16_t i = 0; i < m->p->locks[lock].voters; i++) {
        uint16_t service = (uint16_t)(m->p->locks[lock].service + i);
        const struct voter_state *v = &m->voters[service];
        bool stands = v->holder == client && v->voted_epoch == g->token && !passed(m, service, v->until);
        if (g->rests_on >> i & 1 && !stands)
            return 0;
    }
    return g->rests_on;
}

static uint64_t process_votes(const struct m *m, uint16_t lock, uint16_t process)
{
    for (uint16_t i = 0; i < m->p->n_clients; i++) {
        uint64_t votes = m->p->clients[i].keeps_for == NONE16 && client_process(m, i) == process
                             ? leading_votes(m, lock, i)
                             : 0;
        if (votes)
            return votes;
    }
    return 0;
}

/* Running, by this process, and its lease not over. */
static bool job_holds(const struct m *m, uint32_t job, uint16_t process)
{
    const struct job_state *j = &m->jobs[job];
    return j->phase == JOB_RUNNING && j->holder != NONE16 && client_process(m, j->holder) == process &&
           !passed(m, m->p->queues[m->p->jobs[job].queue].service, j->until);
}

static bool row_holds(const struct m *m, uint32_t row, uint16_t process)
{
    const struct row_state *r = &m->rows[row];
    uint16_t service = m->p->tables[m->p->rows[row].table].service;
    return r->held && client_process(m, r->holder) == process &&
           !clock_passed(m->s, thread_machine(m->s, m->p->services[service].thread), CLOCK_WALL, r->promised);
}

bool query_holds(struct sim *s, uint16_t lock, uint16_t process)
{
    struct m m = m_open(s);
    if (is_job(m.p, lock))
        return job_holds(&m, lock - m.p->n_locks, process);
    if (is_row(m.p, lock))
        return row_holds(&m, lock - m.p->n_locks - m.p->n_jobs, process);
    if (m.p->locks[lock].kind == LOCK_QUORUM)
        return process_votes(&m, lock, process) != 0;
    return central_holds(&m, lock, process);
}

bool query_believes(struct sim *s, uint16_t lock, uint16_t process)
{
    struct m m = m_open(s);
    for (uint16_t i = 0; i < m.p->n_clients; i++)
        if (m.p->clients[i].keeps_for == NONE16 && client_process(&m, i) == process && holding_valid(&m, i, lock))
            return true;
    return false;
}

static bool listed(const uint16_t *procs, uint32_t n, uint16_t process)
{
    for (uint32_t i = 0; i < n; i++)
        if (procs[i] == process)
            return true;
    return false;
}

static bool votes_all_listed(const struct m *m, uint16_t lock, uint64_t votes, const uint16_t *procs, uint32_t n)
{
    for (uint16_t i = 0; i < m->p->locks[lock].voters; i++)
        if (votes >> i & 1 && !listed(procs, n, service_process(m, (uint16_t)(m->p->locks[lock].service + i))))
            return false;
    return votes != 0;
}

bool query_leader_among(struct sim *s, const uint16_t *procs, uint32_t n)
{
    struct m m = m_open(s);
    for (uint16_t lock = 0; lock < m.p->n_locks; lock++) {
        bool quorum = m.p->locks[lock].kind == LOCK_QUORUM;
        for (uint32_t i = 0; i < n; i++)
            if (quorum ? process_votes(&m, lock, procs[i]) != 0 : central_holds(&m, lock, procs[i]))
                return true;
        for (uint16_t i = 0; quorum && i < m.p->n_clients; i++)
            if (m.p->clients[i].keeps_for == NONE16 && votes_all_listed(&m, lock, leading_votes(&m, lock, i), procs, n))
                return true;
    }
    return false;
}

uint32_t query_effects(struct sim *s, name_id name)
{
    struct m m = m_open(s);
    uint32_t n = 0;
    for (uint32_t i = 0; i < m.p->effects && m.effects[i].name; i++)
        if (m.p->sim->names->hash[m.effects[i].name - 1] == m.p->sim->names->hash[name])
            n += m.effects[i].count;
    return n;
}

uint32_t query_violations(struct sim *s, const struct violation **out)
{
    struct m m = m_open(s);
    *out = m.inv.state->violations;
    return m.inv.state->n_violations;
}
