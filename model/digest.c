/* SPDX-License-Identifier: MIT
 *
 * digest.c - the models' part of the state digest.
 *
 * What the future or an invariant can depend on, and nothing else:
 *
 *  1. Deadlines are fed as what is left of them on their own clock, once they are over as one same word; free calls,
 *     timer slots (the kernel digests timers), lines and record numbers are left out.
 *  2. A call is called by what is in it, not by its slot: which slot was free says nothing. Of calls with the same
 *     content the slots' order still tells them apart, so no two states that differ become one.
 *  3. A step's generation only tells its timers from those of steps long past: a timer is of this step, or of none.
 *     Numbers that are only compared (the order of grants, of jobs in their queue) enter as ranks.
 *  4. An ended program remembers nothing: where it ended, its variables and what it read are never looked at again.
 *  5. What is as it was at the start is fed under a tag where it is not: see sim.h, hash_tagged().
 *  6. A client and what is its own are fed under one number, which a renaming can change: see twins_own().
 */
#include "model/digest.h"

#include "model/line.h"

/* The models' tags: what, and which of them. Two numbers of one thing stand side by side. */
enum {
    FEED_VAR = 1,
    FEED_BASED,
    FEED_READ_VERSION,
    FEED_HOLDING,
    FEED_REGISTER,
    FEED_MARK,
    FEED_KEY_MARK,
    FEED_EFFECT,
    FEED_CLIENT,
    FEED_CALL,
    FEED_PROGRAM
};

static inline void feed(struct hasher *h, uint64_t what, uint64_t which, uint64_t word)
{
    hash_tagged(h, what << 32 | which, word);
}

/* Whether some fault of the plan could set this clock back. */
static inline bool set_back(const struct m *m, int clock) { return clock == CLOCK_WALL && sim_steps_wall(m->s); }

/* What is left until a deadline on a clock of a thread's machine; all that is over is alike, unless that clock can be
 * set back. */
static uint64_t left(const struct m *m, uint16_t thread, int clock, ns deadline)
{
    ns now = thread_clock(m->s, thread, (enum clock_kind)clock);
    if (deadline == NS_NEVER)
        return UINT64_MAX;
    return deadline <= now && !set_back(m, clock) ? 0 : (uint64_t)(deadline - now);
}

/* How long ago a client's clock read this; what is older than every lease is alike, with the same exception. */
static uint64_t age(const struct m *m, uint16_t client, ns then)
{
    ns ago = client_clock(m, client, m->p->lease_clock) - then;
    return ago > m->longest && !set_back(m, m->p->lease_clock) ? (uint64_t)m->longest : (uint64_t)ago;
}

static inline uint64_t both(uint32_t a, uint32_t b) { return (uint64_t)a << 32 | b; }
static inline void pair(struct hasher *h, uint32_t a, uint32_t b) { hash_word(h, both(a, b)); }

/* --- numbers of clients, which a renaming changes ------------------------------------------------------- */

static inline uint16_t as_client(const struct m *m, uint16_t client)
{
    const uint16_t *as = m->as == NULL ? NULL : m->as->model;
    return as == NULL || client == NONE16 ? client : as[client];
}

static inline uint16_t as_process(const struct m *m, uint16_t process)
{
    return m->as == NULL || process == NONE16 ? process : m->as->process[process];
}

static inline uint64_t as_value(const struct m *m, int64_t v, uint32_t tag)
{
    return m->as == NULL || tag != TAG_NAME ? (uint64_t)v : m->as->name[v];
}

/* Programs of clients that are taken for each other are the same, each with code of its own. */
static inline uint32_t as_code(const struct m *m, uint16_t client, uint32_t pc)
{
    return pc - m->p->clients[client].code + m->p->clients[as_client(m, client)].code;
}

/* --- calls ------------------------------------------------------------------------------------------- */

static bool is_stamped(const struct call *c)
{
    return c->kind == REQ_ASK || c->kind == REQ_VOTE || c->kind == REQ_RENEW || c->kind == REQ_CLAIM ||
           (c->kind >= REQ_HEARTBEAT && c->kind <= REQ_FAIL);
}

/* A stamp is a wall time that a service counts from on its own wall clock, without one-clock; else nobody reads it. */
static uint64_t stamp_of(const struct m *m, const struct call *c)
{
    if (gate_on(m->p, GATE_ONE_CLOCK))
        return 0;
    uint16_t machine = thread_machine(m->s, m->p->services[c->service].thread);
    return (uint64_t)(c->arg[ARG_STAMP] - clock_now(m->s, machine, CLOCK_WALL));
}

static bool carries(const struct call *c)
{
    return c->kind == REQ_CLAIM || c->kind == REQ_REAP || (c->kind >= REQ_UPDATE && c->kind <= REQ_GET);
}

static bool is_of_table(const struct call *c) { return c->kind >= REQ_UPDATE && c->kind <= REQ_GET; }

static uint64_t argument(const struct m *m, const struct call *c, uint32_t k)
{
    if (k == ARG_STAMP && is_stamped(c))
        return stamp_of(m, c);
    if (k == ARG_INSTR && is_of_table(c))
        return as_code(m, c->client, (uint32_t)c->arg[k]);
    if (k == ARG_SPEAKS && is_of_table(c) && c->arg[k] >= 0)
        return as_client(m, (uint16_t)c->arg[k]);
    return k == ARG_VALUE ? as_value(m, c->arg[k], c->tag) : (uint64_t)c->arg[k];
}

static uint64_t digest_call(const struct m *m, uint32_t i)
{
    const struct call *c = &m->calls[i];
    struct hasher h = {0, 0};
    hash_word(&h,
              (uint64_t)as_client(m, c->client) << 48 | (uint64_t)c->service << 32 | (uint64_t)c->reg << 16 | c->about);
    hash_word(&h, (uint64_t)c->kind << 56 | (uint64_t)c->waiting << 48 | (uint64_t)c->serving << 40 |
                      (uint64_t)c->answer << 32 | (uint64_t)c->flags << 24 | (uint64_t)c->tag << 16 | c->start);
    hash_word(&h, c->waiting ? age(m, c->client, c->first_sent) : 0);
    for (uint32_t k = 0; k < 4; k++)
        hash_word(&h, argument(m, c, k));
    for (uint32_t k = 0; k < 4 && c->answer != ANS_NONE; k++)
        hash_word(&h,
                  k == REPLY_VALUE ? as_value(m, c->reply[k], (uint32_t)c->reply[REPLY_TAG]) : (uint64_t)c->reply[k]);
    for (uint32_t k = 0; k < m->carry && carries(c); k++) {
        const struct cell_value *carried = &captured(m, i)[k];
        hash_word(&h, as_value(m, carried->v, carried->tag));
        hash_word(&h, both(carried->version, carried->tag));
    }
    return hash_mix(h.h);
}

/* How many calls in slots before have the same content. */
static uint64_t twins_before(const struct m *m, uint32_t call)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < call; i++)
        n += m->call_name[i] == m->call_name[call];
    return n;
}

/* From the last on, so that those before one are still called by their content alone. */
void digest_calls(struct m *m, struct hasher *h)
{
    uint32_t used = m->state->calls_used;
    calls_look(m);
    for (uint32_t i = 0; i < used; i++)
        m->call_name[i] = call_is_free(m, i) ? 0 : digest_call(m, i);
    for (uint32_t i = used; i > 0; i--) {
        uint64_t *name = &m->call_name[i - 1];
        uint64_t twins = *name ? twins_before(m, i - 1) : 0;
        if (twins)
            *name = hash_mix(*name ^ twins);
        if (*name)
            feed(h, FEED_CALL, 0, *name);
    }
}

static uint64_t call_name(const struct m *m, uint16_t call) { return call == NONE16 ? NONE16 : m->call_name[call]; }

uint64_t digest_call_name(const struct m *m, uint16_t call) { return call_name(m, call); }

/* An answer carries what its call was replied. */
uint64_t digest_argument(const struct m *m, const struct message *msg, int i)
{
    bool value = msg->kind == MSG_ANSWER && i == REPLY_VALUE;
    return value ? as_value(m, msg->arg[i], (uint32_t)msg->arg[REPLY_TAG]) : (uint64_t)msg->arg[i];
}

uint64_t digest_subject(const struct m *m, const struct timer *t)
{
    uint16_t client = m->p->actor_of[t->thread].client;
    switch (t->kind) {
    case T_STEP:
    case T_WORK:
    case T_WAIT:
    case T_CANVASS:
    case T_RETRY: return t->subject == m->clients[client].generation;
    case T_CALL:
    case T_SERVE: return call_name(m, (uint16_t)t->subject);
    case T_BEAT: {
        const struct holding *g = holding_of(m, m->p->clients[client].keeps_for, (uint16_t)t->subject);
        return (uint64_t)t->subject << 1 | (t->deadline == g->beat);
    }
    case T_TURN: return as_client(m, (uint16_t)t->subject);
    case T_LAPSE:
        if (m->as == NULL || m->p->actor_of[t->thread].kind == ACTOR_TABLE)
            return (uint64_t)t->subject;
        return ((uint64_t)t->subject & ~UINT64_C(0xffff)) | as_client(m, (uint16_t)(t->subject & 0xffff));
    default: return (uint64_t)t->subject;
    }
}

/* --- services ---------------------------------------------------------------------------------------- */

static void digest_line(const struct m *m, const struct line *l, struct hasher *h)
{
    for (uint32_t i = 0; i < *l->n; i++) {
        const struct place *place = &l->row[i];
        hash_word(h, (uint64_t)as_client(m, place->client) << 48 | (uint64_t)place->start << 32 |
                         (place->timer != NONE32));
        hash_word(h, call_name(m, place->call));
    }
}

static void digest_voters(const struct m *m, uint32_t first, uint32_t n, int clock, struct hasher *h)
{
    for (uint32_t i = first; i < first + n; i++) {
        const struct voter_state *v = &m->voters[i];
        hash_word(h, (uint64_t)v->promised);
        hash_word(h, (uint64_t)v->voted_epoch);
        hash_word(h, (uint64_t)as_client(m, v->voted) << 48 | (uint64_t)v->voted_start << 32 |
                         (uint64_t)as_client(m, v->holder) << 16 | v->quarantined);
        if (v->holder != NONE16)
            hash_word(h, left(m, m->p->services[i].thread, clock, v->until));
        if (v->quarantined)
            hash_word(h, left(m, m->p->services[i].thread, m->p->lease_clock, v->quarantine_until));
    }
}

static void digest_locks(struct m *m, struct hasher *h)
{
    const struct model_plan *p = m->p;
    int clock = judging_clock(m);
    for (uint32_t i = 0; i < p->n_locks; i++) {
        const struct lock_state *l = &m->locks[i];
        uint16_t thread = p->services[p->locks[i].service].thread;
        hash_word(h, (uint64_t)l->last_token << 1 | l->granted);
        if (p->locks[i].kind == LOCK_QUORUM) {
            digest_voters(m, p->locks[i].service, p->locks[i].voters, clock, h);
            continue;
        }
        hash_word(h, (uint64_t)l->counter);
        hash_word(h, (uint64_t)as_client(m, l->holder) << 48 | (uint64_t)l->holder_start << 32 |
                         (uint64_t)l->delayed << 16 | l->in_line);
        if (l->holder != NONE16) {
            hash_word(h, (uint64_t)l->token);
            hash_word(h, left(m, thread, clock, l->until));
        }
        if (l->delayed)
            hash_word(h, left(m, thread, p->lease_clock, l->delay_until));
        if (l->in_line) {
            struct line line = line_of_lock(m, (uint16_t)i);
            digest_line(m, &line, h);
        }
        if (p->token_mode != TOKEN_COUNTER)
            hash_word(h, l->issued);
        for (uint32_t k = 0; k < p->n_clients && p->token_mode == TOKEN_PER_OWNER; k++)
            hash_word(h, (uint64_t)m->owner_tokens[i * p->n_clients + k]);
    }
}

/* Effects are looked up by what they are: which happened first does not matter. */
static void digest_stores(struct m *m, struct hasher *h)
{
    const struct model_plan *p = m->p;
    uint32_t issuers = n_issuers(p);
    for (uint32_t i = 0; i < p->n_registers; i++) {
        const struct register_state *r = &m->registers[i];
        if (r->version == 0)
            continue;
        feed(h, FEED_REGISTER, 2 * i, as_value(m, r->value, r->tag));
        feed(h, FEED_REGISTER, 2 * i + 1, both(r->version, (uint32_t)r->tag << 16 | r->exists));
    }
    for (uint32_t i = 0; i < p->n_stores * issuers; i++)
        if (m->marks[i])
            feed(h, FEED_MARK, i, m->marks[i]);
    for (uint32_t i = 0; i < p->n_registers * issuers; i++)
        if (m->key_marks[i])
            feed(h, FEED_KEY_MARK, i, m->key_marks[i]);
    for (uint32_t i = 0; i < p->effects && m->effects[i].name; i++) {
        const struct effect_state *e = &m->effects[i];
        feed(h, FEED_EFFECT, 0,
             hash_mix(as_value(m, e->key, e->tag)) ^ ((uint64_t)e->name << 48 | (uint64_t)e->tag << 32 | e->count));
    }
}

/* How many jobs of its queue came before. */
static uint32_t job_rank(const struct m *m, const struct queue_plan *q, const struct job_state *job)
{
    uint32_t rank = 0;
    for (uint32_t i = q->first_job; i < (uint32_t)q->first_job + q->jobs; i++)
        rank += m->jobs[i].order < job->order;
    return rank;
}

static void digest_jobs(struct m *m, struct hasher *h)
{
    const struct model_plan *p = m->p;
    for (uint16_t i = 0; i < p->n_queues; i++) {
        struct line line = line_of_queue(m, i);
        hash_word(h, *line.n);
        digest_line(m, &line, h);
    }
    for (uint32_t i = 0; i < p->n_jobs; i++) {
        const struct job_state *job = &m->jobs[i];
        const struct queue_plan *q = &p->queues[p->jobs[i].queue];
        hash_word(h, (uint64_t)job->token);
        hash_word(h, (uint64_t)job->last_token);
        pair(h, job_rank(m, q, job), (uint32_t)job->phase << 16 | (uint32_t)job->expired << 8 | job->granted);
        pair(h, (uint32_t)as_client(m, job->holder) << 16 | job->holder_start,
             (uint32_t)job->attempts << 16 | as_process(m, job->finisher));
        if (job->phase == JOB_RUNNING)
            hash_word(h, left(m, p->services[q->service].thread, judging_clock(m), job->until));
    }
}

static void digest_tables(struct m *m, struct hasher *h)
{
    const struct model_plan *p = m->p;
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const struct row_state *row = &m->rows[i];
        uint16_t thread = p->services[p->tables[p->rows[i].table].service].thread;
        hash_word(h, (uint64_t)row->token);
        pair(h, (uint32_t)as_client(m, row->holder) << 16 | row->holder_start,
             (uint32_t)row->exists << 16 | (uint32_t)row->held << 8 | row->granted);
        hash_word(h, row->holder != NONE16 ? left(m, thread, CLOCK_WALL, row->promised) : 0);
    }
    for (uint32_t i = 0; i < p->n_cells; i++) {
        hash_word(h, as_value(m, m->cells[i].v, m->cells[i].tag));
        pair(h, m->cells[i].version, m->cells[i].tag);
    }
}

/* --- clients ------------------------------------------------------------------------------------------ */

/* How many grants of its process came before: that is all that their order is asked for. */
static uint32_t holding_rank(const struct m *m, uint16_t client, const struct holding *g)
{
    uint32_t rank = 0;
    for (uint16_t i = 0; i < m->p->n_clients; i++) {
        if (client_process(m, i) != client_process(m, client))
            continue;
        for (uint32_t k = 0; k < m->resources; k++) {
            const struct holding *other = holding_of(m, i, (uint16_t)k);
            rank += (other->ever | other->held) && other->order < g->order;
        }
    }
    return rank;
}

static uint64_t holding_flags(const struct holding *g)
{
    return (uint64_t)g->held << 7 | (uint64_t)g->lost << 6 | (uint64_t)g->believed << 5 | (uint64_t)g->keeps << 4 |
           (uint64_t)g->draining << 3 | (uint64_t)g->renewing << 2 | (uint64_t)g->canvassing << 1 | g->ever;
}

static void digest_renewal(const struct m *m, uint16_t client, const struct holding *g, struct hasher *h)
{
    hash_word(h, age(m, client, g->sent));
    hash_word(h, g->votes);
    hash_word(h, g->refusals);
    hash_word(h, g->voter);
}

static void digest_canvass(const struct m *m, uint16_t client, const struct holding *g, struct hasher *h)
{
    hash_word(h, age(m, client, g->canvass_sent));
    hash_word(h, left(m, client_thread(m, client), CLOCK_MONOTONIC, g->canvass_end));
    hash_word(h, g->canvass_votes);
    hash_word(h, g->canvass_refusals);
}

/* Beats keep their rhythm: of one that is late, or of a grant that nobody keeps yet, only its place in the rhythm
 * counts. A keeper that begins just when the first would be due sends it at once. */
static uint64_t beat_phase(const struct m *m, uint16_t client, uint32_t resource, const struct holding *g)
{
    ns rhythm = rhythm_of(m->p, resource), late = client_clock(m, client, m->p->lease_clock) - g->beat;
    if (rhythm == 0 || set_back(m, m->p->lease_clock))
        return rhythm == 0 ? 0 : (uint64_t)late;
    if (g->keeps)
        return late < 0 ? (uint64_t)late : (uint64_t)(late % rhythm);
    return (uint64_t)(late <= rhythm ? late : rhythm + 1 + (late - rhythm - 1) % rhythm);
}

/* The epoch of a lock is that of the canvass under way. */
static uint64_t digest_holding(const struct m *m, uint16_t client, uint32_t resource, const struct holding *g)
{
    struct hasher h = {0, 0};
    uint16_t thread = client_thread(m, client);
    int clock = m->p->lease_clock;
    bool lock = is_lock(m->p, resource);
    hash_word(&h, (uint64_t)g->token);
    hash_word(&h, holding_flags(g) << 32 | (g->ever | g->held ? holding_rank(m, client, g) : 0));
    hash_word(&h, (uint64_t)(lock ? g->epoch_seen : g->epoch));
    if (lock && g->canvassing)
        hash_word(&h, (uint64_t)g->epoch);
    if (g->held) {
        hash_word(&h, left(m, thread, clock, g->deadline));
        hash_word(&h, g->rests_on);
    }
    if ((g->held | g->keeps) && m->p->clients[client].keeper != NONE16 && !is_row(m->p, resource))
        hash_word(&h, beat_phase(m, client, resource, g));
    if (g->renewing)
        digest_renewal(m, client, g, &h);
    if (g->canvassing)
        digest_canvass(m, client, g, &h);
    return hash_mix(h.h);
}

static void digest_holdings(const struct m *m, uint16_t client, struct hasher *h)
{
    const struct holding *g = holding_of(m, client, 0);
    for (uint32_t i = 0; i < m->resources; i++, g++)
        if (holding_flags(g) || (is_lock(m->p, i) ? g->epoch_seen : g->epoch))
            feed(h, FEED_HOLDING, i, digest_holding(m, client, i, g));
}

void digest_prepare(const struct model_plan *p, uint8_t *is_round)
{
    for (uint32_t i = 0; i < p->n_clients; i++) {
        const struct client_plan *plan = &p->clients[i];
        uint32_t end = plan->keeps_for == NONE16 ? program_end(p, i) : plan->code;
        for (uint32_t k = plan->code; k < end; k++)
            if (p->code[k].op == OP_EVERY_INIT)
                is_round[plan->first_var + p->code[k].var] = 1;
    }
}

/* A variable that holds when the next round of `repeat every` begins counts on monotonic. */
static uint64_t var_value(const struct m *m, uint16_t client, uint32_t var)
{
    ns v = m->vars[var].v;
    return m->is_round[var] ? (uint64_t)(v - client_clock(m, client, CLOCK_MONOTONIC))
                            : as_value(m, v, m->vars[var].tag);
}

static void digest_vars(const struct m *m, uint16_t client, struct hasher *h)
{
    const struct client_plan *plan = &m->p->clients[client];
    uint32_t sources = n_sources(m->p), first = plan->first_var;
    const uint32_t *based = &m->var_based[first * sources], *read = &m->read_version[client * m->p->n_registers];
    for (uint32_t i = 0; i < plan->vars; i++) {
        const struct var_state *v = &m->vars[first + i];
        if (v->v == 0 && v->token == 0 && v->version == 0 && v->tag == TAG_NONE && v->resource == 0)
            continue;
        feed(h, FEED_VAR, 4 * i, var_value(m, client, first + i));
        feed(h, FEED_VAR, 4 * i + 1, (uint64_t)v->token);
        feed(h, FEED_VAR, 4 * i + 2, both(v->version, (uint32_t)v->resource << 16 | v->tag));
    }
    for (uint32_t i = 0; i < plan->vars * sources; i++)
        if (based[i])
            feed(h, FEED_BASED, i, based[i]);
    for (uint32_t i = 0; i < m->p->n_registers; i++)
        if (read[i])
            feed(h, FEED_READ_VERSION, i, read[i]);
}

static void digest_program(const struct m *m, uint16_t client, struct hasher *h)
{
    const struct client_state *c = &m->clients[client];
    hash_word(h, both(as_code(m, client, c->pc), c->in_handler ? as_code(m, client, c->resume_pc) : 0));
    hash_word(h, call_name(m, c->call));
    hash_word(h, (uint64_t)c->stage << 56 | (uint64_t)c->in_handler << 48 | (uint64_t)c->acting << 40 |
                     (uint64_t)(c->voter & 0xff) << 32 | (uint64_t)c->last_job << 16 |
                     (c->acting ? (uint64_t)as_client(m, c->acting_owner) : 0));
    if (c->acting)
        feed(h, FEED_CLIENT, 0, c->acting_on);
    if (c->todo)
        feed(h, FEED_CLIENT, 1, c->todo);
    digest_vars(m, client, h);
}

/* All that is a client's own. A keeper has nothing but its program's grants. */
static uint64_t digest_client(const struct m *m, uint16_t client)
{
    struct hasher own = {0, 0};
    if (m->p->clients[client].keeps_for != NONE16)
        return 0;
    if (m->clients[client].stage == STAGE_ENDED)
        hash_word(&own, STAGE_ENDED);
    else
        digest_program(m, client, &own);
    digest_holdings(m, client, &own);
    return hash_mix(own.h);
}

static void digest_clients(const struct m *m, struct hasher *h)
{
    for (uint16_t i = 0; i < m->p->n_clients; i++)
        feed(h, FEED_PROGRAM, as_client(m, i), digest_client(m, i));
}

uint64_t digest_process(const struct m *m, uint16_t process)
{
    struct hasher h = {0, 0};
    for (uint16_t i = 0; i < m->p->n_clients; i++)
        if (client_process(m, i) == process)
            hash_word(&h, digest_client(m, i));
    return h.h;
}

/* What its parts are fed by follows from the plan. */
void model_digest(struct m *m, struct hasher *h)
{
    struct judge j = {m->s, m->p, m->inv, NULL};         /* no record is judged */
    hash_word(h, left(m, 0, CLOCK_TRUE, m->last_until)); /* until then, `wait until` tells when it is */
    digest_calls(m, h);
    digest_locks(m, h);
    digest_stores(m, h);
    digest_jobs(m, h);
    digest_tables(m, h);
    digest_clients(m, h);
    invariants_digest(&j, m->as, h);
}
