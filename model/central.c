/* SPDX-License-Identifier: MIT
 *
 * central.c - one lock server with a TTL and a counter.
 *
 *     ask -> sync -> free?  grant: token = counter + 1, the lease begins, the answer leaves: one event
 *                    taken? the client stands in line; at its turn it is called and asks anew
 *
 *  1. A token is new for every grant, also to the same client; the counter is on disk (monotonic-token).
 *  2. The lease is judged by this server's clock alone (one-clock), on the lease clock (safe-clock).
 *  3. A renewal or release names the token of the grant it means (release-token).
 *  4. At its turn a client keeps its place for one request timeout.
 *
 * Known weakness: the server says when a lease ends, and nobody tells the holder. What a holder does
 * between its last look at its clock and the arrival of its packet is beyond every lock: that is what
 * store-token is for. One server is also one point of failure.
 *
 * Sources: M. Kleppmann, "How to do distributed locking" (2016); the lock-delay is that of Chubby (OSDI 2006, 2.4) and
 * Consul.
 */
#include "model/line.h"

struct central {
    struct m *m;
    const struct lock_plan *plan;
    struct lock_state *l;
    struct line line;
    uint16_t lock, service, thread, process;
};

static struct central central_of(struct m *m, uint16_t service)
{
    struct central c;
    c.m = m;
    c.service = service;
    c.lock = m->p->services[service].lock;
    c.plan = &m->p->locks[c.lock];
    c.l = &m->locks[c.lock];
    c.line = line_of_lock(m, c.lock);
    c.thread = m->p->services[service].thread;
    c.process = service_process(m, service);
    return c;
}

static ns server_clock(const struct central *c, int clock)
{
    return thread_clock(c->m->s, c->thread, (enum clock_kind)clock);
}

bool same_identity(const struct m *m, uint16_t a, uint16_t b)
{
    uint16_t pa = client_process(m, a), pb = client_process(m, b);
    name_id ia = m->p->identity[pa], ib = m->p->identity[pb];
    return pa == pb || (ia != NONE16 && ib != NONE16 && m->p->sim->names->hash[ia] == m->p->sim->names->hash[ib]);
}

/* Whether the grant is the caller's own: the holder is a process, whichever of its threads speaks. */
static bool is_own(const struct central *c, const struct call *k)
{
    bool same_process = client_process(c->m, c->l->holder) == client_process(c->m, k->client);
    if (same_process && c->l->holder_start == k->start)
        return true;
    return !gate_on(c->m->p, GATE_FRESH_IDENTITY) && same_identity(c->m, c->l->holder, k->client);
}

static void note_identity(struct central *c, const struct call *k)
{
    gate_note_identity(c->m, k, c->l->holder, c->l->holder_start);
}

static uint32_t service_timer(struct central *c, enum timer_kind kind, int clock, ns deadline, unsigned flags)
{
    return timer_set(c->m->s, &(struct timer){.thread = c->thread,
                                              .clock = (uint8_t)clock,
                                              .flags = (uint8_t)flags,
                                              .kind = (uint16_t)kind,
                                              .subject = c->lock,
                                              .deadline = deadline});
}

void set_lapse(struct m *m, uint16_t service, uint32_t *slot, int64_t subject, int clock, ns deadline)
{
    if (*slot != NONE32)
        timer_cancel(m->s, *slot);
    *slot = timer_set(m->s, &(struct timer){.thread = m->p->services[service].thread,
                                            .clock = (uint8_t)clock,
                                            .flags = TIMER_OBSERVER,
                                            .kind = T_LAPSE,
                                            .subject = subject,
                                            .deadline = deadline});
}

/* --- the line --------------------------------------------------------------------------- */

static bool is_free(const struct central *c) { return c->l->holder == NONE16 && !c->l->delayed; }

static void call_next(struct central *c) { line_call(&c->line, is_free(c)); }

/* --- the lease ---------------------------------------------------------------------------- */

static void clear_holder(struct central *c, bool lapsed)
{
    timer_stop(c->m, &c->l->expiry_timer);
    if (!lapsed)
        timer_stop(c->m, &c->l->lapse_timer);
    c->l->lapse_timer = NONE32;
    c->l->holder = NONE16;
    c->l->token = 0;
}

static void expire(struct central *c)
{
    struct value f[2] = {value_int(c->l->token), value_int(c->l->holder_start)};
    record(c->m, c->process, c->plan->name, V_EXPIRES, client_node(c->m, c->l->holder), f, 2, 0);
    struct asked_by by = by_service(c->service, c->l->holder);
    clear_holder(c, true);
    if (!gate_lets(c->m, GATE_DRAIN_FIRST, by, conjunct_bit(C_NO_DELAY, c->plan->lock_delay > 0))) {
        c->l->delayed = 1;
        c->l->delay_until = server_clock(c, c->m->p->lease_clock) + c->plan->lock_delay;
        c->l->delay_timer = service_timer(c, T_DELAY, c->m->p->lease_clock, c->l->delay_until, 0);
    }
    call_next(c);
}

/* Where the caller's clock came along (without one-clock), the lease ends by that reading. */
static void lease_begins(struct central *c, const struct call *k)
{
    int clock = judging_clock(c->m);
    ns from = gate_on(c->m->p, GATE_ONE_CLOCK) ? server_clock(c, clock) : k->arg[ARG_STAMP];
    gate_note_stamp(c->m, k, c->lock);
    gate_clock_gives(c->m, c->service, c->lock);
    ns promised = from + c->plan->ttl;
    c->l->until = promised + c->plan->service_margin;
    timer_stop(c->m, &c->l->expiry_timer);
    c->l->expiry_timer = service_timer(c, T_EXPIRE, clock, c->l->until, 0);
    set_lapse(c->m, c->service, &c->l->lapse_timer, lapse_subject(c->l->token, c->l->holder), clock, promised);
}

static bool lease_over(const struct central *c)
{
    return clock_passed(c->m->s, thread_machine(c->m->s, c->thread), (enum clock_kind)judging_clock(c->m), c->l->until);
}

/* --- tokens ---------------------------------------------------------------------------------- */

/* A random value is a unique identity without an order (Redis SET NX PX, the DynamoDB lock client): a hash of the
 * lock's name and a count, so that a run stays a pure function. */
static int64_t next_token(struct central *c, uint16_t client)
{
    const struct model_plan *p = c->m->p;
    c->l->issued++;
    if (p->token_mode == TOKEN_PER_OWNER)
        return ++c->m->owner_tokens[c->lock * p->n_clients + client];
    if (p->token_mode == TOKEN_RANDOM)
        return (int64_t)(hash_step(p->sim->names->hash[c->plan->name], c->l->issued) >> 34) + 1;
    return ++c->l->counter;
}

/* With the gate the next token is one more than the counter: it is asked where the counter could be lost. */
static void note_token(struct central *c, const struct call *k)
{
    bool falls = c->l->granted && c->l->token <= c->l->last_token;
    if (!gate_on(c->m->p, GATE_MONOTONIC_TOKEN))
        gate_note(c->m, GATE_MONOTONIC_TOKEN, by_call(k), conjunct_bit(C_COUNT_KEPT, falls));
}

/* --- requests ---------------------------------------------------------------------------------- */

static void refuse(struct central *c, uint16_t call, enum error e)
{
    struct call *k = &c->m->calls[call];
    bool names_token = k->kind == REQ_RENEW || k->kind == REQ_RELEASE;
    struct value f[2] = {value_name(c->m->p->error_name[e]),
                         names_token ? value_token(k->arg[ARG_TOKEN]) : value_none()};
    record(c->m, c->process, c->plan->name, V_REFUSES, client_name(c->m, k->client), f, 2, k->line);
    k->reply[REPLY_ERROR] = e;
    call_answer(c->m, call, ANS_REFUSED);
}

static void grant(struct central *c, uint16_t call, bool again)
{
    struct call *k = &c->m->calls[call];
    struct lock_state *l = c->l;
    name_id node = client_node(c->m, k->client);
    if (!sim_before(c->m->s, c->thread, c->plan->name, V_GRANTS, node))
        return;
    line_leave(&c->line, k);
    if (!again) {
        l->token = next_token(c, k->client);
        note_token(c, k);
    }
    l->holder = k->client;
    l->holder_start = k->start;
    l->last_token = l->token;
    l->granted = 1;
    struct value f[7] = {value_int(l->token),          value_int(k->start), value_ns(c->plan->ttl),
                         value_ns(c->plan->margin),    value_none(),        value_none(),
                         value_ns(c->plan->lock_delay)};
    record(c->m, c->process, c->plan->name, V_GRANTS, node, f, 7, k->line);
    lease_begins(c, k);
    k->reply[REPLY_TOKEN] = l->token;
    call_answer(c->m, call, ANS_GRANT);
}

static void stand_in_line(struct central *c, uint16_t call)
{
    struct call *k = &c->m->calls[call];
    if (k->flags & CALL_TRY) {
        refuse(c, call, ERR_REFUSED);
        return;
    }
    line_join(&c->line, k);
    call_answer(c->m, call, ANS_QUEUED);
    call_next(c); /* free, and only its former self was called */
}

static void serve_ask(struct central *c, uint16_t call)
{
    struct call *k = &c->m->calls[call];
    bool held = c->l->holder != NONE16;
    note_identity(c, k);
    if (held && !gate_on(c->m->p, GATE_FRESH_IDENTITY) && is_own(c, k)) {
        grant(c, call, true);
        return;
    }
    if (is_free(c) && line_index(&c->line, k) == 0)
        grant(c, call, false);
    else
        stand_in_line(c, call);
}

/* An ask that stands in line is sent again. If its place is gone it goes to the end of the line, and is called from
 * there: a grant to this request would be old when it comes, since its lease counts from the first sending. */
void central_again(struct m *m, uint16_t call)
{
    struct call *k = &m->calls[call];
    struct central c = central_of(m, k->service);
    if (line_call_again(&c.line, k))
        return;
    if (line_index(&c.line, k) == c.l->in_line)
        line_join(&c.line, k);
    call_answer_again(m, call);
    call_next(&c);
}

/* A renewal after the lease's end is refused, also when nobody has asked since. */
static bool may_touch(struct central *c, const struct call *k)
{
    if (c->l->holder == NONE16)
        return false;
    note_identity(c, k);
    return gate_lets(c->m, GATE_RELEASE_TOKEN, by_call(k),
                     conjunct_bit(C_CALLER_HOLDS, !is_own(c, k)) |
                         conjunct_bit(C_GRANT_NAMED, c->l->token != k->arg[ARG_TOKEN]));
}

/* `by` is printed where somebody touches another's grant. */
static struct value by_whom(const struct central *c, const struct call *k)
{
    bool own = client_process(c->m, c->l->holder) == client_process(c->m, k->client) && c->l->holder_start == k->start;
    return own ? value_none() : value_name(client_node(c->m, k->client));
}

static void serve_renew(struct central *c, uint16_t call)
{
    struct call *k = &c->m->calls[call];
    if (!may_touch(c, k)) {
        refuse(c, call, ERR_NOT_HOLDER);
        return;
    }
    name_id node = client_node(c->m, c->l->holder);
    if (!sim_before(c->m->s, c->thread, c->plan->name, V_EXTENDS, node))
        return;
    struct value f[6] = {value_int(c->l->token), by_whom(c, k),          value_int(c->l->holder_start),
                         value_int(k->start),    value_ns(c->plan->ttl), value_none()};
    record(c->m, c->process, c->plan->name, V_EXTENDS, node, f, 6, k->line);
    lease_begins(c, k);
    call_answer(c->m, call, ANS_OK);
}

static void serve_release(struct central *c, uint16_t call)
{
    struct call *k = &c->m->calls[call];
    if (!may_touch(c, k)) {
        refuse(c, call, ERR_NOT_HOLDER);
        return;
    }
    name_id node = client_node(c->m, c->l->holder);
    if (!sim_before(c->m->s, c->thread, c->plan->name, V_FREES, node))
        return;
    struct value f[5] = {value_int(c->l->token), by_whom(c, k), value_int(c->l->holder_start), value_int(k->start),
                         value_none()};
    record(c->m, c->process, c->plan->name, V_FREES, node, f, 5, k->line);
    clear_holder(c, false);
    call_answer(c->m, call, ANS_OK);
    call_next(c);
}

static void serve_force(struct central *c, uint16_t call)
{
    struct call *k = &c->m->calls[call];
    if (c->l->holder != NONE16) {
        struct value f[2] = {value_int(c->l->token), value_int(c->l->holder_start)};
        record(c->m, c->process, c->plan->name, V_FORCES, client_node(c->m, c->l->holder), f, 2, k->line);
        clear_holder(c, false);
    }
    call_answer(c->m, call, ANS_OK);
    call_next(c);
}

void central_serve(struct m *m, uint16_t call)
{
    struct call *k = &m->calls[call];
    struct central c = central_of(m, k->service);
    if (m->asides && c.l->holder != NONE16)
        gate_clock_judged(m, c.service, c.lock, c.l->until);
    if (c.l->holder != NONE16 && lease_over(&c))
        expire(&c);
    switch (k->kind) {
    case REQ_ASK: serve_ask(&c, call); break;
    case REQ_RENEW: serve_renew(&c, call); break;
    case REQ_RELEASE: serve_release(&c, call); break;
    default:
        ASSERT(k->kind == REQ_FORCE);
        serve_force(&c, call);
        break;
    }
}

/* --- time, crashes -------------------------------------------------------------------------------- */

void central_timer(struct m *m, const struct timer *t)
{
    struct central c = central_of(m, m->p->actor_of[t->thread].service);
    switch (t->kind) {
    case T_EXPIRE:
        c.l->expiry_timer = NONE32;
        if (!sim_before(m->s, c.thread, c.plan->name, V_EXPIRES, client_node(m, c.l->holder)))
            return;
        gate_clock_judged(m, c.service, c.lock, c.l->until);
        expire(&c);
        break;
    case T_TURN:
        line_turn_over(&c.line, (uint16_t)t->subject);
        call_next(&c);
        break;
    default:
        ASSERT(t->kind == T_DELAY);
        c.l->delay_timer = NONE32;
        c.l->delayed = 0;
        call_next(&c);
        break;
    }
}

/* What stands against forgetting. Past the loss of a disk a count cannot be kept, by no gate. */
static void note_crash(struct central *c, enum losing losing)
{
    bool everything = losing == LOSING_EVERYTHING, held = c->l->holder != NONE16;
    struct asked_by by = by_service(c->service, c->l->holder);
    gate_note(c->m, GATE_DURABLE_GRANT, by,
              conjunct_bit(C_WAITED_OUT, everything && held) | conjunct_bit(C_ON_DISK, !everything && held));
    if (!everything)
        gate_note(c->m, GATE_MONOTONIC_TOKEN, by, conjunct_bit(C_COUNT_KEPT, c->l->issued > 0));
}

/* The line and the call are connections: gone. Timers of the process are gone too; the lapse, which is the
 * trace's and not the server's, goes on. */
void central_crashed(struct m *m, uint16_t service, enum losing losing)
{
    struct central c = central_of(m, service);
    bool durable = gate_on(m->p, GATE_DURABLE_GRANT) && losing != LOSING_EVERYTHING;
    c.l->expiry_timer = c.l->delay_timer = NONE32;
    line_forget(&c.line);
    note_crash(&c, losing);
    if (!durable) {
        c.l->holder = NONE16;
        c.l->token = 0;
        c.l->delayed = 0;
        c.l->lapse_timer = NONE32;
    }
    if (!gate_on(m->p, GATE_MONOTONIC_TOKEN) || losing == LOSING_EVERYTHING) {
        c.l->counter = 0;
        if (m->p->token_mode == TOKEN_PER_OWNER)
            for (uint32_t i = 0; i < m->p->n_clients; i++)
                m->owner_tokens[c.lock * m->p->n_clients + i] = 0;
    }
    if (losing == LOSING_EVERYTHING && gate_on(m->p, GATE_DURABLE_GRANT)) {
        c.l->delayed = 1; /* waits out the longest lease, from its restart: see central_restarted() */
        c.l->delay_until = -1;
    }
    call_forget_served(m, service, !durable);
}

void central_restarted(struct m *m, uint16_t service)
{
    struct central c = central_of(m, service);
    if (c.l->holder != NONE16)
        c.l->expiry_timer = service_timer(&c, T_EXPIRE, judging_clock(m), c.l->until, 0);
    if (!c.l->delayed)
        return;
    if (c.l->delay_until < 0)
        c.l->delay_until = server_clock(&c, m->p->lease_clock) + c.plan->ttl + c.plan->service_margin;
    c.l->delay_timer = service_timer(&c, T_DELAY, m->p->lease_clock, c.l->delay_until, 0);
}
