/* SPDX-License-Identifier: MIT
 *
 * abstract.c - roughly where a world stands: phases, beliefs, how tokens relate, who is struck by what.
 *
 *     client    which kind of step it is in, and how far
 *     its grant behind the latest, or the latest; believed by its own check; borne out by the service's word; how many
 *               thirds of the lease are left, by its own clock
 *     resource  free, given, given and over; whether anybody waits in line; whether it was tried before
 *     voters    how many votes run in the latest epoch; whether half of the voters answer nobody
 *     store     its mark against the latest grant; whether it was written
 *     acts      whether a request under way, to a service or at it, has a stale token; or was given up, or sent by one
 *               who is down since
 *     faults    how many processes stand still or are down; whether a link is closed
 *
 *  1. No time, no id: the same story later, or with larger tokens, passes the same states. Counts stop at two, but for
 *     what three faults and more have to bring about together, one by one: the votes of a quorum, the thirds of a
 *     lease.
 *  2. Clients whose programs have the same shape are one kind, and their states are added up, so two worlds that differ
 *     in which of them is where are one. So are the jobs of a queue, the rows of a table and the voters of a lock.
 *  3. COARSE has a few hundred to a few thousand states in a scenario; MEDIUM adds who is struck by what, the place in
 *     the program and what travels, FINE exact counts. What one of them tells apart, the finer ones do.
 *  4. A belief is read where the trace notes it, and the end of a promise where its observer stands.
 *  5. It is a guide, and no more: nothing that has to be right may rest on it.
 */
#include "model/abstract.h"

#include "model/state.h"

/* --- packing ------------------------------------------------------------------------------------ */

/* For hashes that are added up: each bit of the word matters to each of the result. */
static inline uint64_t mixed(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0xBF58476D1CE4E5B9);
    h = (h ^ h >> 31) * UINT64_C(0x94D049BB133111EB);
    return h ^ h >> 30;
}

static inline uint64_t at_most(uint64_t n, uint64_t most) { return n < most ? n : most; }

enum relation { REL_NONE, REL_BEHIND, REL_LATEST, REL_AHEAD /* tokens that are no counter */ };

static inline uint64_t relation(int64_t token, int64_t latest)
{
    return token < latest ? REL_BEHIND : token == latest ? REL_LATEST : REL_AHEAD;
}

/* What is asked of every world: where to look, and how closely. */
struct look {
    struct m *m;
    bool medium, fine;
};

/* The latest token that a resource was granted under; below 0: none. */
static inline int64_t latest_token(const struct m *m, uint32_t resource)
{
    if (is_lock(m->p, resource))
        return m->locks[resource].granted ? m->locks[resource].last_token : -1;
    if (is_job(m->p, resource)) {
        const struct job_state *job = &m->jobs[resource - m->p->n_locks];
        return job->granted ? job->last_token : -1;
    }
    const struct row_state *row = &m->rows[resource - m->p->n_locks - m->p->n_jobs];
    return row->granted ? row->token : -1;
}

/* --- programs ------------------------------------------------------------------------------------- */

enum phase {
    PHASE_BETWEEN,
    PHASE_ASKS,
    PHASE_CHECKS,
    PHASE_GIVES_BACK,
    PHASE_READS,
    PHASE_WRITES,
    PHASE_WORKS,
    PHASE_WAITS,
    PHASE_EFFECTS,
    PHASE_CLAIMS,
    PHASE_EXTENDS,
    PHASE_COMPLETES,
    PHASE_MANAGES,
    PHASE_STATES,
    PHASE_PINGS,
    PHASE_ENDED,
    PHASE_FAILED
};

static const uint8_t phase_of_op[OPS] = {
    [OP_ACQUIRE] = PHASE_ASKS,       [OP_CHECK] = PHASE_CHECKS,
    [OP_RELEASE] = PHASE_GIVES_BACK, [OP_FORCE_RELEASE] = PHASE_GIVES_BACK,
    [OP_READ] = PHASE_READS,         [OP_WRITE] = PHASE_WRITES,
    [OP_DELETE] = PHASE_WRITES,      [OP_FENCE] = PHASE_WRITES,
    [OP_REQUIRE] = PHASE_CHECKS,     [OP_WORK] = PHASE_WORKS,
    [OP_WAIT] = PHASE_WAITS,         [OP_WAIT_UNTIL] = PHASE_WAITS,
    [OP_EFFECT] = PHASE_EFFECTS,     [OP_CLAIM] = PHASE_CLAIMS,
    [OP_HEARTBEAT] = PHASE_EXTENDS,  [OP_COMPLETE] = PHASE_COMPLETES,
    [OP_FAIL] = PHASE_COMPLETES,     [OP_ENQUEUE] = PHASE_MANAGES,
    [OP_REAP] = PHASE_MANAGES,       [OP_REQUEUE] = PHASE_MANAGES,
    [OP_UPDATE] = PHASE_STATES,      [OP_INSERT] = PHASE_STATES,
    [OP_ERASE] = PHASE_STATES,       [OP_GET] = PHASE_READS,
    [OP_PING] = PHASE_PINGS,         [OP_EVERY_NEXT] = PHASE_WAITS,
    [OP_STOP] = PHASE_ENDED,         [OP_END] = PHASE_ENDED,
};

static uint64_t hash_shape(uint64_t h, const struct instr *k, uint32_t at)
{
    h = hash_step(h, (uint64_t)k->op << 40 | (uint64_t)k->mode << 32 | (uint64_t)k->flags << 16 | k->lock);
    h = hash_step(h, (uint64_t)k->for_lock << 48 | (uint64_t)k->reg << 32 | (uint64_t)k->store << 16 | k->var);
    h = hash_step(h, (uint64_t)k->queue << 48 | (uint64_t)k->job << 32 | (uint64_t)k->job_var << 16 | k->for_var);
    h = hash_step(h, (uint64_t)k->table << 48 | (uint64_t)k->row << 32 | (uint64_t)k->text << 16 | k->count);
    return hash_step(h, k->jump == NONE32 ? 0 : k->jump - at);
}

/* The shape of a program: all of its steps, but not what it computes, nor how long it takes. */
static uint64_t kin_of(const struct model_plan *p, uint32_t client)
{
    uint64_t h = 1;
    uint32_t first = p->clients[client].code, end = program_end(p, client);
    for (uint32_t i = first; i < end; i++)
        h = hash_shape(h, &p->code[i], i);
    return h;
}

void abstract_prepare(const struct model_plan *p, uint64_t *kin)
{
    for (uint32_t i = 0; i < p->n_clients; i++)
        kin[i] = p->clients[i].keeps_for == NONE16 ? kin_of(p, i) : 0;
}

/* How far a step is: before its check, checked and about to act, acting. Of those that check nothing only the last. */
static inline uint64_t stage_of(uint64_t phase, const struct client_state *c)
{
    bool asked = phase == PHASE_WORKS || phase == PHASE_WRITES || phase == PHASE_EFFECTS || phase == PHASE_COMPLETES;
    return c->stage >= STAGE_WAIT ? 2 : asked ? c->stage : 0;
}

/* Of steps that are no more than a moment, nothing but the moment is told. */
static inline uint64_t phase_of(const struct instr *k, const struct client_state *c, bool down)
{
    uint64_t phase = phase_of_op[k->op];
    if (down)
        return PHASE_ENDED;
    if (c->stage == STAGE_ENDED)
        return phase == PHASE_ENDED ? PHASE_ENDED : PHASE_FAILED;
    return phase == PHASE_BETWEEN || phase == PHASE_ENDED ? phase : phase | stage_of(phase, c) << 5;
}

/* --- grants --------------------------------------------------------------------------------------- */

static bool votes_stand(const struct m *m, uint16_t client, uint32_t lock, const struct holding *g)
{
    for (uint16_t i = 0; i < m->p->locks[lock].voters; i++) {
        const struct voter_state *v = &m->voters[m->p->locks[lock].service + i];
        if (g->rests_on >> i & 1 && (v->holder != client || v->voted_epoch != g->token || v->lapse_timer == NONE32))
            return false;
    }
    return true;
}

/* The service's word: it counts this grant as given, and what was promised is not over. */
static inline bool borne_out(const struct m *m, uint16_t client, uint32_t resource, const struct holding *g)
{
    const struct model_plan *p = m->p;
    if (is_lock(p, resource)) {
        const struct lock_state *l = &m->locks[resource];
        if (p->locks[resource].kind == LOCK_QUORUM)
            return votes_stand(m, client, resource, g);
        return l->holder == client && l->token == g->token && l->lapse_timer != NONE32;
    }
    if (is_job(p, resource)) {
        const struct job_state *job = &m->jobs[resource - p->n_locks];
        return job->phase == JOB_RUNNING && job->holder == client && job->token == g->token &&
               job->lapse_timer != NONE32;
    }
    const struct row_state *row = &m->rows[resource - p->n_locks - p->n_jobs];
    return row->held && row->holder == client && row->token == g->token && row->lapse_timer != NONE32;
}

/* Which kind of resource: a lock, a job of some queue, a row of some table. */
static inline uint64_t kind_of(const struct model_plan *p, uint32_t resource)
{
    if (is_lock(p, resource))
        return resource;
    if (is_job(p, resource))
        return 0x100 | (uint64_t)p->jobs[resource - p->n_locks].queue;
    return 0x200 | (uint64_t)p->rows[resource - p->n_locks - p->n_jobs].table;
}

/* How many thirds of its lease are left, by its own clock: 0 to 3. A step on the way to losing it. */
static inline uint64_t thirds_left(const struct m *m, uint16_t client, uint32_t resource, const struct holding *g)
{
    ns lease = is_row(m->p, resource) ? 0 : lease_of(m->p, resource);
    ns left = g->deadline - client_clock(m, client, m->p->lease_clock);
    return lease <= 0 || left <= 0 ? 0 : left > lease ? 3 : (uint64_t)(left / (lease / 3 + 1)) + 1;
}

static inline uint64_t look_at_holding(const struct look *l, uint16_t client, uint32_t resource,
                                       const struct holding *g)
{
    uint64_t word = kind_of(l->m->p, resource) << 32 | 1;
    if (g->held)
        word |= relation(g->token, latest_token(l->m, resource)) << 1 | (uint64_t)g->believed << 3 |
                (uint64_t)borne_out(l->m, client, resource, g) << 4;
    if (g->held && g->believed)
        word |= thirds_left(l->m, client, resource, g) << 5;
    if (l->medium)
        word |= (uint64_t)g->renewing << 13 | (uint64_t)g->canvassing << 14 | (uint64_t)g->keeps << 7 |
                (uint64_t)g->lost << 8 | (uint64_t)g->draining << 9 | (uint64_t)g->held << 10;
    if (l->fine)
        word |= (uint64_t)(g->rests_on != 0) << 11 | (uint64_t)g->ever << 12;
    return mixed(0, word);
}

/* --- clients -------------------------------------------------------------------------------------- */

/* How far the service is with a client's call. */
static inline uint64_t look_at_call(const struct m *m, const struct client_state *c)
{
    if (c->call == NONE16)
        return 0;
    const struct call *call = &m->calls[c->call];
    return 1 + (uint64_t)(call->serving != 0) + 2 * (uint64_t)(call->answer != ANS_NONE);
}

static inline uint64_t look_at_client(const struct look *l, uint16_t client)
{
    struct m *m = l->m;
    const struct client_state *c = &m->clients[client];
    const struct client_plan *plan = &m->p->clients[client];
    const struct instr *k = &m->p->code[c->pc];
    uint32_t condition = l->medium ? sim_condition(m->s, plan->thread) : 0;
    bool down = l->medium ? condition & CONDITION_DOWN : !sim_process_up(m->s, client_process(m, client));
    uint64_t grants = 0, word = phase_of(k, c, down);
    if (l->medium)
        word |= (uint64_t)condition << 48 | look_at_call(m, c) << 16 | (uint64_t)c->in_handler << 20 |
                (uint64_t)(sim_start_count(m->s, client_process(m, client)) > 1) << 21 |
                (uint64_t)(c->stage == STAGE_ENDED ? 0 : c->pc - plan->code) << 32;
    if (l->fine)
        word |= (uint64_t)c->acting << 22 | (uint64_t)(c->last_job != 0) << 23;
    const struct holding *g = holding_of(m, client, 0);
    for (uint32_t i = 0; i < m->resources; i++, g++)
        if (g->held | g->renewing | g->canvassing)
            grants += look_at_holding(l, client, i, g);
    return mixed(mixed(m->kin[client], word), grants);
}

static inline uint64_t look_at_clients(const struct look *l)
{
    uint64_t sum = 0;
    for (uint16_t i = 0; i < l->m->p->n_clients; i++)
        if (l->m->p->clients[i].keeps_for == NONE16)
            sum += look_at_client(l, i);
    return sum;
}

/* --- locks, jobs, rows ------------------------------------------------------------------------------ */

/* COARSE counts those that do not answer, whoever they are. */
static inline uint64_t condition_of(const struct look *l, uint32_t service)
{
    return l->medium ? sim_condition(l->m->s, l->m->p->services[service].thread) : 0;
}

static inline uint64_t line_length(const struct look *l, uint64_t in_line)
{
    return at_most(in_line, l->medium ? 15 : 1);
}

static uint64_t look_at_voters(const struct look *l, uint32_t lock)
{
    const struct m *m = l->m;
    const struct lock_plan *plan = &m->p->locks[lock];
    const struct voter_state *v = &m->voters[plan->service];
    uint64_t votes = 0, current = 0, down = 0, struck = 0;
    int64_t latest = 0;
    for (uint32_t i = 0; i < plan->voters; i++, v++) {
        bool runs = v->holder != NONE16 && v->lapse_timer != NONE32;
        if (v->voted_epoch > latest) {
            latest = v->voted_epoch;
            current = 0;
        }
        votes += runs;
        current += runs && v->voted_epoch == latest;
        uint64_t condition = v->quarantined ? CONDITION_DOWN : condition_of(l, plan->service + i);
        down += condition & CONDITION_DOWN;
        struck += condition != 0 && !(condition & CONDITION_DOWN);
    }
    if (l->medium)
        return current | (votes - current) << 8 | down << 16 | struck << 24;
    return current | (uint64_t)(2 * (down + struck) >= plan->voters) << 16;
}

static inline uint64_t look_at_lock(const struct look *l, uint32_t lock)
{
    const struct lock_state *state = &l->m->locks[lock];
    uint64_t word = state->granted;
    if (l->m->p->locks[lock].kind == LOCK_QUORUM)
        return word | look_at_voters(l, lock) << 8;
    if (state->holder != NONE16)
        word |= state->lapse_timer != NONE32 ? 2 : 4;
    word |= (uint64_t)state->delayed << 3 | line_length(l, state->in_line) << 4;
    return word | condition_of(l, l->m->p->locks[lock].service) << 8;
}

static uint64_t look_at_jobs(const struct look *l, uint32_t queue)
{
    const struct m *m = l->m;
    const struct queue_plan *plan = &m->p->queues[queue];
    uint64_t sum = line_length(l, m->queues[queue].in_line) | condition_of(l, plan->service) << 8;
    for (uint32_t i = plan->first_job; i < (uint32_t)plan->first_job + plan->jobs; i++) {
        const struct job_state *job = &m->jobs[i];
        uint64_t word = job->phase | (uint64_t)(job->phase == JOB_RUNNING && job->expired) << 3 |
                        (uint64_t)(job->phase == JOB_RUNNING && job->lapse_timer == NONE32) << 4;
        sum += mixed(1, word | at_most(job->attempts, l->fine ? 15 : l->medium ? 2 : 1) << 8);
    }
    return sum;
}

static uint64_t look_at_rows(const struct look *l, uint32_t table)
{
    const struct m *m = l->m;
    const struct table_plan *plan = &m->p->tables[table];
    uint64_t sum = condition_of(l, plan->service) << 8;
    for (uint32_t i = 0; i < plan->rows; i++) {
        const struct row_state *row = &m->rows[plan->first_row + i];
        uint64_t word = row->exists | (uint64_t)row->held << 1 | (uint64_t)row->granted << 2 |
                        (uint64_t)(row->held && row->lapse_timer == NONE32) << 3 |
                        (uint64_t)m->inv.jobs[m->p->n_jobs + plan->first_row + i].phase << 4;
        for (uint32_t k = 0; k < plan->columns; k++)
            word += at_most(m->cells[plan->first_cell + i * plan->columns + k].version, l->fine     ? 15
                                                                                        : l->medium ? 2
                                                                                                    : 1)
                    << 8;
        sum += mixed(2, word);
    }
    return sum;
}

/* --- stores ----------------------------------------------------------------------------------------- */

static inline uint64_t look_at_store(const struct look *l, uint32_t store)
{
    const struct m *m = l->m;
    const struct store_plan *plan = &m->p->stores[store];
    uint32_t issuers = n_issuers(m->p);
    uint64_t word = condition_of(l, plan->service), sum = 0;
    for (uint32_t i = 0; i + 1 < issuers; i++) {
        uint64_t mark = m->marks[store * issuers + i];
        if (mark)
            sum += mixed(3, kind_of(m->p, i) << 8 | relation((int64_t)mark - 1, latest_token(m, i)));
    }
    for (uint32_t i = plan->first_register; i < (uint32_t)plan->first_register + plan->registers; i++) {
        const struct register_state *r = &m->registers[i];
        sum += mixed(4, (l->fine ? i : 0) << 8 | r->exists |
                            at_most(r->version, l->fine     ? 15
                                                : l->medium ? 2
                                                            : 1)
                                << 1);
        for (uint32_t k = 0; l->fine && k < issuers; k++)
            sum += mixed(5, i << 16 | k << 8 | (m->key_marks[i * issuers + k] != 0));
    }
    return mixed(word, sum);
}

/* --- what travels ------------------------------------------------------------------------------------- */

/* Requests that act: with a token, in the name of a grant. */
static inline bool acts(const struct m *m, const struct call *c)
{
    const uint32_t tokenless = 1u << REQ_ASK | 1u << REQ_CLAIM | 1u << REQ_VOTE;
    return c->answer == ANS_NONE && !(tokenless >> c->kind & 1) && c->about < m->resources && c->service != NONE16;
}

/* Of an act: whether its token is below the latest of its resource, and whether whoever sent it has given it up, or
 * went down. */
enum adrift { STALE = 1, GIVEN_UP = 2 };

static inline uint64_t adrift(const struct m *m, const struct call *c)
{
    return (c->arg[ARG_TOKEN] < latest_token(m, c->about) ? STALE : 0) | (c->waiting ? 0 : GIVEN_UP);
}

/* What the acts that are on their way are, and those at a service. */
static inline uint64_t acts_adrift(const struct m *m)
{
    uint64_t travelling = 0, served = 0;
    bool looked = false;
    const uint32_t n = m->state->calls_used;
    for (uint32_t i = 0; i < n; i++) {
        const struct call *c = &m->calls[i];
        uint64_t how = acts(m, c) ? adrift(m, c) : 0;
        if (how != 0 && c->serving) {
            served |= how;
        } else if (how != 0) {
            if (!looked)
                calls_look(m);
            looked = true;
            travelling |= m->flights[i / 64] >> i % 64 & 1 ? how : 0;
        }
    }
    return travelling | served << 2;
}

/* Which kinds of calls are under way, and how far. */
static uint64_t look_at_calls(const struct look *l)
{
    const struct m *m = l->m;
    uint64_t asked = 0, answered = 0, n = 0;
    calls_look(m);
    for (uint32_t i = 0; i < m->state->calls_used; i++) {
        const struct call *c = &m->calls[i];
        bool travels = m->flights[i / 64] >> i % 64 & 1;
        if (c->answer == ANS_NONE)
            asked |= (uint64_t)(travels || c->serving) << c->kind;
        else
            answered |= (uint64_t)travels << c->kind;
        n += travels;
    }
    return mixed(mixed(asked, answered), l->fine ? at_most(n, 15) : 0);
}

/* --- all of it ------------------------------------------------------------------------------------------ */

uint64_t abstract_state(struct sim *s, enum abstract_level level)
{
    struct m *m = m_of(s);
    const struct model_plan *p = m->p;
    const struct look l = {m, level >= ABSTRACT_MEDIUM, level >= ABSTRACT_FINE};
    uint32_t closures = sim_closures(s), held = sim_held(s);
    uint64_t h = hash_step(level, look_at_clients(&l));
    for (uint32_t i = 0; i < p->n_locks; i++)
        h = hash_step(h, look_at_lock(&l, i));
    for (uint32_t i = 0; i < p->n_queues; i++)
        h = hash_step(h, look_at_jobs(&l, i));
    for (uint32_t i = 0; i < p->n_tables; i++)
        h = hash_step(h, look_at_rows(&l, i));
    for (uint32_t i = 0; i < p->n_stores; i++)
        h = hash_step(h, look_at_store(&l, i));
    h = hash_step(h, at_most(sim_standing(s), l.medium ? 15 : 2));
    h = hash_step(h, at_most(closures, l.fine     ? 15
                                       : l.medium ? 2
                                                  : 1) |
                         (l.medium ? at_most(held, l.fine ? 15 : 1) : 0) << 4 | acts_adrift(m) << 8);
    if (l.medium)
        h = hash_step(h, look_at_calls(&l));
    return mixed(h, 0);
}
