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
 */
#include "model/state.h"

static uint16_t keeper_of(const struct m *m, uint16_t client) { return m->p->clients[client].keeper; }

static uint32_t keeper_timer_set(struct m *m, uint16_t client, uint16_t lock, enum timer_kind kind, int clock,
                                 ns deadline)
{
    return timer_set(m->s, &(struct timer){.thread = client_thread(m, keeper_of(m, client)),
                                           .clock = (uint8_t)clock,
                                           .kind = (uint16_t)kind,
                                           .subject = lock,
                                           .deadline = deadline});
}

static void watchdog_set(struct m *m, uint16_t client, uint16_t lock)
{
    struct holding *g = holding_of(m, client, lock);
    timer_stop(m, &g->watchdog_timer);
    if (!gate_on(m->p, GATE_STOP_ON_LOSS))
        return;
    g->watchdog_timer = timer_set(m->s, &(struct timer){.thread = client_thread(m, client),
                                                        .clock = (uint8_t)m->p->lease_clock,
                                                        .kind = T_WATCHDOG,
                                                        .process_wide = 1,
                                                        .subject = lock,
                                                        .deadline = g->deadline});
}

static void beat_set(struct m *m, uint16_t client, uint16_t lock)
{
    struct holding *g = holding_of(m, client, lock);
    g->beat_timer = keeper_timer_set(m, client, lock, T_BEAT, m->p->lease_clock, g->beat);
}

/* The next beat that lies ahead: beats missed in a pause are not made up for. */
static void next_beat(struct m *m, uint16_t client, uint16_t lock)
{
    struct holding *g = holding_of(m, client, lock);
    ns rhythm = m->p->locks[lock].renew;
    ns late = client_clock(m, client, m->p->lease_clock) - g->beat;
    g->beat += rhythm;
    if (late >= rhythm)
        g->beat += late / rhythm * rhythm;
    beat_set(m, client, lock);
}

void keeper_begin(struct m *m, uint16_t client, uint16_t lock)
{
    struct holding *g = holding_of(m, client, lock);
    record(m, client_process(m, client), client_name(m, client), V_KEEPS, m->p->locks[lock].name, NULL, 0,
           client_instr(m, client)->line);
    if (g->keeps)
        return; /* kept already: the rhythm stays */
    g->keeps = 1;
    g->beat += m->p->locks[lock].renew; /* client_acquired() left the moment of the grant there */
    ns late = client_clock(m, client, m->p->lease_clock) - g->beat;
    if (late > 0)
        g->beat += (late / m->p->locks[lock].renew + 1) * m->p->locks[lock].renew;
    beat_set(m, client, lock);
    watchdog_set(m, client, lock);
}

void keeper_end(struct m *m, uint16_t client, uint16_t lock)
{
    struct holding *g = holding_of(m, client, lock);
    if (!g->keeps)
        return;
    timer_stop(m, &g->beat_timer);
    timer_stop(m, &g->watchdog_timer);
    timer_stop(m, &g->retry_timer);
    call_abandon_all(m, keeper_of(m, client), lock);
    g->keeps = g->renewing = 0;
}

/* --- renewing ------------------------------------------------------------------------------------ */

static void renewal_over(struct m *m, uint16_t client, uint16_t lock)
{
    struct holding *g = holding_of(m, client, lock);
    g->renewing = 0;
    timer_stop(m, &g->retry_timer);
    call_abandon_all(m, keeper_of(m, client), lock);
}

static uint16_t voters_of(const struct m *m, uint16_t lock)
{
    return m->p->locks[lock].kind == LOCK_QUORUM ? m->p->locks[lock].voters : 1;
}

/* The call of this renewal to one service, NONE16: none yet. */
static uint16_t renewal_call(const struct m *m, uint16_t keeper, uint16_t service)
{
    for (uint16_t i = 0; i < m->state->calls_used; i++) {
        const struct call *c = &m->calls[i];
        if (c->waiting && c->client == keeper && c->service == service)
            return i;
    }
    return NONE16;
}

static bool may_renew(struct m *m, uint16_t client, uint16_t lock, uint16_t voter)
{
    uint16_t keeper = keeper_of(m, client);
    name_id object = service_name(m, (uint16_t)(m->p->locks[lock].service + voter));
    return sim_before(m->s, client_thread(m, keeper), client_name(m, keeper), V_RENEWS, object);
}

static bool has_answered(const struct holding *g, uint16_t voter) { return (g->votes | g->refusals) >> voter & 1; }

/* Sends to one voter (the one service of a central lock), and goes on to the next in an event of its own. */
static void renew_step(struct m *m, uint16_t client, uint16_t lock)
{
    struct holding *g = holding_of(m, client, lock);
    uint16_t keeper = keeper_of(m, client);
    uint16_t service = (uint16_t)(m->p->locks[lock].service + g->voter);
    name_id object = service_name(m, service);
    if (!has_answered(g, g->voter)) {
        uint16_t call = renewal_call(m, keeper, service);
        if (call == NONE16)
            call = call_new(m, keeper, service, REQ_RENEW, 0);
        if (call == NONE16)
            return;
        m->calls[call].arg[ARG_TOKEN] = g->token;
        m->calls[call].arg[ARG_STAMP] = client_clock(m, client, CLOCK_WALL);
        struct value f = value_int(g->token);
        record(m, client_process(m, client), client_name(m, keeper), V_RENEWS, object, &f, 1, 0);
        call_send(m, call);
    }
    if (++g->voter < voters_of(m, lock))
        sim_soon(m->s, client_thread(m, keeper), T_KEEP_STEP, lock, 0);
}

static void renew_send(struct m *m, uint16_t client, uint16_t lock)
{
    struct holding *g = holding_of(m, client, lock);
    g->voter = 0;
    timer_stop(m, &g->retry_timer);
    g->retry_timer = keeper_timer_set(
        m, client, lock, T_KEEP_RETRY, CLOCK_MONOTONIC,
        client_clock(m, client, CLOCK_MONOTONIC) +
            (m->p->locks[lock].ttl / 6 < REQUEST_TIMEOUT_NS ? m->p->locks[lock].ttl / 6 : REQUEST_TIMEOUT_NS));
    renew_step(m, client, lock);
}

/* An overdue beat sends at its place among what is overdue: in its own event, not in one that comes after it. */
static void beat(struct m *m, uint16_t client, uint16_t lock, ns due)
{
    struct holding *g = holding_of(m, client, lock);
    if (!g->keeps || due != g->beat)
        return; /* a pause held it up while the keeping ended */
    g->beat_timer = NONE32;
    if (!g->renewing && !may_renew(m, client, lock, 0))
        return;
    next_beat(m, client, lock);
    if (g->renewing)
        return; /* the one before is still being sent again */
    g->renewing = 1;
    g->votes = g->refusals = 0;
    g->sent = client_clock(m, client, m->p->lease_clock);
    renew_send(m, client, lock);
}

void keeper_timer(struct m *m, uint16_t keeper, const struct timer *t)
{
    uint16_t client = m->p->clients[keeper].keeps_for;
    uint16_t lock = (uint16_t)t->subject;
    struct holding *g = holding_of(m, client, lock);
    if (t->kind == T_KEEP_STEP) {
        if (g->renewing && g->voter < voters_of(m, lock) &&
            (has_answered(g, g->voter) || may_renew(m, client, lock, g->voter)))
            renew_step(m, client, lock);
    } else if (t->kind == T_BEAT) {
        beat(m, client, lock, t->deadline);
    } else {
        ASSERT(t->kind == T_KEEP_RETRY);
        g->retry_timer = NONE32;
        if (g->renewing && (has_answered(g, 0) || may_renew(m, client, lock, 0)))
            renew_send(m, client, lock);
    }
}

static void renewed(struct m *m, uint16_t client, uint16_t lock)
{
    struct holding *g = holding_of(m, client, lock);
    uint16_t keeper = keeper_of(m, client);
    bool quorum = m->p->locks[lock].kind == LOCK_QUORUM;
    struct value f[2] = {value_int(g->token), quorum ? value_int((int64_t)g->votes) : value_none()};
    uint64_t votes = g->votes;
    record(m, client_process(m, client), client_name(m, keeper), V_RENEWED, m->p->locks[lock].name, f, 2, 0);
    renewal_over(m, client, lock);
    holding_renewed(m, client, lock, g->sent, votes);
    watchdog_set(m, client, lock);
}

static void log_failure(struct m *m, uint16_t keeper, int64_t error)
{
    record(m, client_process(m, keeper), client_name(m, keeper), V_FAILED, m->p->error_name[error], NULL, 0, 0);
}

void keeper_lost(struct m *m, uint16_t client, uint16_t lock)
{
    keeper_end(m, client, lock);
    holding_lose(m, client, lock);
    client_interrupt(m, client, ERR_LEASE_LOST);
}

static void refused(struct m *m, uint16_t client, uint16_t lock, int64_t error)
{
    struct holding *g = holding_of(m, client, lock);
    uint16_t keeper = keeper_of(m, client);
    bool hopeless = m->p->locks[lock].kind == LOCK_CENTRAL ||
                    !quorum_wins(m, lock, ~g->refusals & ((UINT64_C(1) << (voters_of(m, lock) - 1) << 1) - 1), 0, true);
    if (!hopeless)
        return;
    renewal_over(m, client, lock);
    log_failure(m, keeper, error);
    if (gate_on(m->p, GATE_STOP_ON_LOSS))
        keeper_lost(m, client, lock);
}

void keeper_answer(struct m *m, uint16_t keeper, uint16_t call, const struct message *msg)
{
    struct call *c = &m->calls[call];
    uint16_t client = m->p->clients[keeper].keeps_for;
    uint16_t lock = m->p->services[c->service].lock;
    struct holding *g = holding_of(m, client, lock);
    uint64_t bit = UINT64_C(1) << (m->p->locks[lock].kind == LOCK_QUORUM ? m->p->services[c->service].voter : 0);
    if (!c->waiting || !g->renewing || msg->flags & MESSAGE_BOUNCE)
        return; /* too late, or nobody there: the request is sent again */
    call_abandon(m, call);
    if (msg->tags == ANS_REFUSED) {
        g->refusals |= bit;
        refused(m, client, lock, msg->arg[REPLY_ERROR]);
        return;
    }
    g->votes |= bit;
    bool enough = m->p->locks[lock].kind == LOCK_CENTRAL || quorum_wins(m, lock, g->votes, g->refusals, true);
    if (enough)
        renewed(m, client, lock);
}
