/* SPDX-License-Identifier: MIT
 *
 * keeper.c - a thread of its own that renews a lease while its program works.
 *
 *     grant                 + renew          + 2 renew         ...          on the lease's clock
 *       |---- ttl/3 --------->| renews         | renews
 *                             |-- ttl/6 --> no answer: sends the same request again
 *
 *  1. The rhythm counts from the moment the lease was granted to the client.
 *  2. Only an explicit yes moves the deadline, and then to the request's first sending + ttl - margin.
 *  3. stop-on-loss: a refusal interrupts the program at once; so does the watchdog, a timer of the process (a pause of
 *     the keeper thread does not stop it) at the lease's end less the margin. Without the gate a refusal is
 *     logged, and on it goes.
 *  4. A quorum renewal needs a majority of votes; it is lost when so many refused that none is left.
 *  5. A job's renewal is its heartbeat; refused, it is `zombie`. Without lease-covers-work
 *     there are no beats, unless the queue says `renew`; the watchdog stays.
 */
#include "model/state.h"

static uint16_t keeper_of(const struct m *m, uint16_t client) { return m->p->clients[client].keeper; }

static uint32_t keeper_timer_set(struct m *m, uint16_t client, uint16_t resource, enum timer_kind kind, int clock,
                                 ns deadline)
{
    return timer_set(m->s, &(struct timer){.thread = client_thread(m, keeper_of(m, client)),
                                           .clock = (uint8_t)clock,
                                           .kind = (uint16_t)kind,
                                           .subject = resource,
                                           .deadline = deadline});
}

static void watchdog_set(struct m *m, uint16_t client, uint16_t resource)
{
    struct holding *g = holding_of(m, client, resource);
    timer_stop(m, &g->watchdog_timer);
    if (!gate_on(m->p, GATE_STOP_ON_LOSS))
        return;
    g->watchdog_timer = timer_set(m->s, &(struct timer){.thread = client_thread(m, client),
                                                        .clock = (uint8_t)m->p->lease_clock,
                                                        .kind = T_WATCHDOG,
                                                        .process_wide = 1,
                                                        .subject = resource,
                                                        .deadline = g->deadline});
}

void keeper_watch(struct m *m, uint16_t client, uint16_t resource)
{
    if (holding_of(m, client, resource)->keeps)
        watchdog_set(m, client, resource);
}

static void beat_set(struct m *m, uint16_t client, uint16_t resource)
{
    struct holding *g = holding_of(m, client, resource);
    if (rhythm_of(m->p, resource) == 0)
        return;
    g->beat_timer = keeper_timer_set(m, client, resource, T_BEAT, m->p->lease_clock, g->beat);
}

/* The next beat that lies ahead: beats missed in a pause are not made up for. */
static void next_beat(struct m *m, uint16_t client, uint16_t resource)
{
    struct holding *g = holding_of(m, client, resource);
    ns rhythm = rhythm_of(m->p, resource);
    ns late = client_clock(m, client, m->p->lease_clock) - g->beat;
    g->beat += rhythm;
    if (late >= rhythm)
        g->beat += late / rhythm * rhythm;
    beat_set(m, client, resource);
}

void keeper_begin(struct m *m, uint16_t client, uint16_t resource)
{
    struct holding *g = holding_of(m, client, resource);
    record(m, client_process(m, client), client_name(m, client), V_KEEPS, resource_name(m->p, resource), NULL, 0,
           client_instr(m, client)->line);
    if (g->keeps)
        return; /* kept already: the rhythm stays */
    g->keeps = 1;
    ns rhythm = rhythm_of(m->p, resource);
    g->beat += rhythm; /* client_acquired() left the moment of the grant there */
    ns late = client_clock(m, client, m->p->lease_clock) - g->beat;
    if (late > 0 && rhythm > 0)
        g->beat += (late / rhythm + 1) * rhythm;
    beat_set(m, client, resource);
    watchdog_set(m, client, resource);
}

void keeper_end(struct m *m, uint16_t client, uint16_t resource)
{
    struct holding *g = holding_of(m, client, resource);
    if (!g->keeps)
        return;
    timer_stop(m, &g->beat_timer);
    timer_stop(m, &g->watchdog_timer);
    timer_stop(m, &g->retry_timer);
    call_abandon_all(m, keeper_of(m, client), resource);
    g->keeps = g->renewing = 0;
}

/* --- renewing ------------------------------------------------------------------------------------ */

static void renewal_over(struct m *m, uint16_t client, uint16_t resource)
{
    struct holding *g = holding_of(m, client, resource);
    g->renewing = 0;
    timer_stop(m, &g->retry_timer);
    call_abandon_all(m, keeper_of(m, client), resource);
}

static bool is_quorum(const struct m *m, uint16_t resource)
{
    return is_lock(m->p, resource) && m->p->locks[resource].kind == LOCK_QUORUM;
}

static uint16_t voters_of(const struct m *m, uint16_t resource)
{
    return is_quorum(m, resource) ? m->p->locks[resource].voters : 1;
}

/* The one service that decides, or a voter of the quorum. */
static uint16_t renewer(const struct m *m, uint16_t resource, uint16_t voter)
{
    return is_lock(m->p, resource) ? (uint16_t)(m->p->locks[resource].service + voter)
                                   : queue_of_job(m->p, resource)->service;
}

/* The call of this renewal to one service, NONE16: none yet. */
static uint16_t renewal_call(const struct m *m, uint16_t keeper, uint16_t service, uint16_t resource)
{
    for (uint16_t i = 0; i < m->state->calls_used; i++) {
        const struct call *c = &m->calls[i];
        if (c->waiting && c->client == keeper && c->service == service && c->about == resource)
            return i;
    }
    return NONE16;
}

/* A renewal names the service that it goes to, a heartbeat the job. */
static uint16_t renewal_verb(const struct m *m, uint16_t resource)
{
    return is_lock(m->p, resource) ? V_RENEWS : V_HEARTBEATS;
}

static name_id renewal_object(const struct m *m, uint16_t resource, uint16_t voter)
{
    return is_lock(m->p, resource) ? service_name(m, renewer(m, resource, voter)) : resource_name(m->p, resource);
}

static bool may_renew(struct m *m, uint16_t client, uint16_t resource, uint16_t voter)
{
    uint16_t keeper = keeper_of(m, client);
    return sim_before(m->s, client_thread(m, keeper), client_name(m, keeper), renewal_verb(m, resource),
                      renewal_object(m, resource, voter));
}

static bool has_answered(const struct holding *g, uint16_t voter) { return (g->votes | g->refusals) >> voter & 1; }

/* Sends to one voter (the one service of a central resource), and goes on to the next in an event of its own. */
static void renew_step(struct m *m, uint16_t client, uint16_t resource)
{
    struct holding *g = holding_of(m, client, resource);
    uint16_t keeper = keeper_of(m, client);
    uint16_t service = renewer(m, resource, g->voter);
    if (!has_answered(g, g->voter)) {
        uint16_t call = renewal_call(m, keeper, service, resource);
        if (call == NONE16)
            call = call_new(m, keeper, service, is_lock(m->p, resource) ? REQ_RENEW : REQ_HEARTBEAT, 0);
        if (call == NONE16)
            return;
        m->calls[call].about = resource;
        m->calls[call].arg[ARG_TOKEN] = g->token;
        m->calls[call].arg[ARG_STAMP] = client_clock(m, client, CLOCK_WALL);
        struct value f = value_int(g->token);
        record(m, client_process(m, client), client_name(m, keeper), renewal_verb(m, resource),
               renewal_object(m, resource, g->voter), &f, 1, 0);
        call_send(m, call);
    }
    if (++g->voter < voters_of(m, resource))
        sim_soon(m->s, client_thread(m, keeper), T_KEEP_STEP, resource, 0);
}

static void renew_send(struct m *m, uint16_t client, uint16_t resource)
{
    struct holding *g = holding_of(m, client, resource);
    g->voter = 0;
    ns patience = lease_of(m->p, resource) / 6;
    if (patience > REQUEST_TIMEOUT_NS)
        patience = REQUEST_TIMEOUT_NS;
    timer_stop(m, &g->retry_timer);
    g->retry_timer = keeper_timer_set(m, client, resource, T_KEEP_RETRY, CLOCK_MONOTONIC,
                                      client_clock(m, client, CLOCK_MONOTONIC) + patience);
    renew_step(m, client, resource);
}

/* An overdue beat sends at its place among what is overdue: in its own event, not in one that comes after it. */
static void beat(struct m *m, uint16_t client, uint16_t resource, ns due)
{
    struct holding *g = holding_of(m, client, resource);
    if (!g->keeps || due != g->beat)
        return; /* a pause held it up while the keeping ended */
    g->beat_timer = NONE32;
    if (!g->renewing && !may_renew(m, client, resource, 0))
        return;
    next_beat(m, client, resource);
    if (g->renewing)
        return; /* the one before is still being sent again */
    g->renewing = 1;
    g->votes = g->refusals = 0;
    g->sent = client_clock(m, client, m->p->lease_clock);
    gate_clock_sends(m, keeper_of(m, client));
    renew_send(m, client, resource);
}

void keeper_timer(struct m *m, uint16_t keeper, const struct timer *t)
{
    uint16_t client = m->p->clients[keeper].keeps_for;
    uint16_t resource = (uint16_t)t->subject;
    struct holding *g = holding_of(m, client, resource);
    if (t->kind == T_KEEP_STEP) {
        if (g->renewing && g->voter < voters_of(m, resource) &&
            (has_answered(g, g->voter) || may_renew(m, client, resource, g->voter)))
            renew_step(m, client, resource);
    } else if (t->kind == T_BEAT) {
        beat(m, client, resource, t->deadline);
    } else {
        ASSERT(t->kind == T_KEEP_RETRY);
        g->retry_timer = NONE32;
        if (g->renewing && (has_answered(g, 0) || may_renew(m, client, resource, 0)))
            renew_send(m, client, resource);
    }
}

static void renewed(struct m *m, uint16_t client, uint16_t resource)
{
    struct holding *g = holding_of(m, client, resource);
    uint16_t keeper = keeper_of(m, client);
    bool quorum = is_quorum(m, resource);
    struct value f[2] = {value_int(g->token), quorum ? value_int((int64_t)g->votes) : value_none()};
    uint64_t votes = g->votes;
    record(m, client_process(m, client), client_name(m, keeper), V_RENEWED, resource_name(m->p, resource), f, 2, 0);
    renewal_over(m, client, resource);
    gate_clock_got(m, client, keeper, resource);
    gate_note(m, GATE_STOP_ON_LOSS, by_client(keeper, resource), 0);
    holding_renewed(m, client, resource, g->sent, votes);
    watchdog_set(m, client, resource);
}

static void log_failure(struct m *m, uint16_t keeper, int64_t error)
{
    record(m, client_process(m, keeper), client_name(m, keeper), V_FAILED, m->p->error_name[error], NULL, 0, 0);
}

/* stop-on-loss: interrupts the program. */
static void lost(struct m *m, uint16_t client, uint16_t resource, enum error e)
{
    keeper_end(m, client, resource);
    holding_lose(m, client, resource);
    client_interrupt(m, client, e);
}

void keeper_too_late(struct m *m, uint16_t client, uint16_t resource)
{
    holding_of(m, client, resource)->watchdog_timer = NONE32;
    gate_note(m, GATE_STOP_ON_LOSS, by_client(client, resource), conjunct_bit(C_RENEWED_IN_TIME, true));
    lost(m, client, resource, ERR_LEASE_LOST);
}

static void refused(struct m *m, uint16_t client, uint16_t resource, int64_t error)
{
    struct holding *g = holding_of(m, client, resource);
    uint16_t keeper = keeper_of(m, client);
    bool hopeless = !is_quorum(m, resource) ||
                    !quorum_wins(m, resource, ~g->refusals & ((UINT64_C(1) << (voters_of(m, resource) - 1) << 1) - 1),
                                 0, true);
    if (!hopeless)
        return;
    renewal_over(m, client, resource);
    log_failure(m, keeper, error);
    enum conjunct which = is_quorum(m, resource) ? C_MAJORITY_LEFT : C_ACCEPTED;
    if (!gate_lets(m, GATE_STOP_ON_LOSS, by_client(keeper, resource), conjunct_bit(which, true)))
        lost(m, client, resource, error == ERR_ZOMBIE ? ERR_ZOMBIE : ERR_LEASE_LOST);
}

void keeper_answer(struct m *m, uint16_t keeper, uint16_t call, const struct message *msg)
{
    struct call *c = &m->calls[call];
    uint16_t client = m->p->clients[keeper].keeps_for;
    uint16_t resource = c->about;
    struct holding *g = holding_of(m, client, resource);
    uint64_t bit = UINT64_C(1) << (is_quorum(m, resource) ? m->p->services[c->service].voter : 0);
    if (!c->waiting || !g->renewing || msg->flags & MESSAGE_BOUNCE)
        return; /* too late, or nobody there: the request is sent again */
    call_abandon(m, call);
    if (msg->tags == ANS_REFUSED) {
        g->refusals |= bit;
        refused(m, client, resource, msg->arg[REPLY_ERROR]);
        return;
    }
    g->votes |= bit;
    bool enough = !is_quorum(m, resource) || quorum_wins(m, resource, g->votes, g->refusals, true);
    if (enough && is_quorum(m, resource))
        quorum_note(m, keeper, resource, g->votes);
    if (enough)
        renewed(m, client, resource);
}
