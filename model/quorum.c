/* SPDX-License-Identifier: MIT
 *
 * quorum.c - clients canvass N configured voters; the epoch is the token (protocols.md P11).
 *
 *     candidate: epoch = largest seen + 1 -> asks every voter, waits a tenth of the lease
 *     voter:     another's lease runs, or the epoch is below its promise?  refuses, names its promise, changes nothing
 *                else promises the epoch, votes, syncs, answers; its lease for the candidate begins
 *     candidate: 2 * votes > N configured?  wins: the lease counts from before the first ask was sent
 *                else gives back the votes it got and tries again a tenth later, plus a hundredth of the lease for
 *                each candidate declared before it
 *
 *  1. Votes count once for each distinct known voter, for the epoch of the canvass (strict-majority).
 *  2. Promise and vote are on disk before they are answered (durable-grant); a voter that lost its disk waits out
 *     the longest lease. The promise is what makes epochs grow over restarts (monotonic-token).
 *  3. A renewal needs a majority too, and moves the deadline to its own sending + ttl - margin.
 *
 * Known weakness: a majority elects one leader an epoch, no more. The deposed leader learns of it by its clock
 * or by a refusal; until then there are two who believe. Only the store can tell their writes apart.
 *
 * Sources: the HA controllers of protocols.md P11; Corosync votequorum(5) for the count over configured votes;
 * the delayed restart of Redlock for voters that lost their memory.
 */
#include "model/state.h"

/* --- the voter ------------------------------------------------------------------------------ */

struct voter {
    struct m *m;
    const struct lock_plan *plan;
    struct voter_state *v;
    name_id name;
    uint16_t service, thread, process, index;
};

static struct voter voter_of(struct m *m, uint16_t service)
{
    struct voter w;
    w.m = m;
    w.plan = &m->p->locks[m->p->services[service].lock];
    w.v = &m->voters[service];
    w.name = service_name(m, service);
    w.service = service;
    w.thread = m->p->services[service].thread;
    w.process = service_process(m, service);
    w.index = m->p->services[service].voter;
    return w;
}

static int judging_clock(const struct m *m) { return gate_on(m->p, GATE_ONE_CLOCK) ? m->p->lease_clock : CLOCK_WALL; }

static ns voter_clock(const struct voter *w, int clock)
{
    return clock_now(w->m->s, thread_machine(w->m->s, w->thread), (enum clock_kind)clock);
}

static uint32_t voter_timer_set(struct voter *w, enum timer_kind kind, int clock, ns deadline)
{
    return timer_set(w->m->s, &(struct timer){.thread = w->thread, .clock = (uint8_t)clock, .kind = (uint16_t)kind,
                                              .deadline = deadline});
}

static void stop_timer(struct voter *w, uint32_t *slot)
{
    if (*slot != NONE32)
        timer_cancel(w->m->s, *slot);
    *slot = NONE32;
}

static bool is_own(const struct voter *w, const struct call *k)
{
    if (w->v->holder == principal(w->m, k->client) && w->v->voted_start == k->start)
        return true;
    return !gate_on(w->m->p, GATE_FRESH_IDENTITY) && same_identity(w->m, w->v->holder, k->client);
}

static bool lease_runs(const struct voter *w)
{
    return w->v->holder != NONE16 && !clock_passed(w->m->s, thread_machine(w->m->s, w->thread),
                                                   (enum clock_kind)judging_clock(w->m), w->v->until);
}

static void lease_begins(struct voter *w, const struct call *k)
{
    int clock = judging_clock(w->m);
    ns from = gate_on(w->m->p, GATE_ONE_CLOCK) ? voter_clock(w, clock) : k->arg[ARG_STAMP];
    ns promised = from + w->plan->ttl;
    w->v->until = promised + w->plan->service_margin;
    stop_timer(w, &w->v->expiry_timer);
    w->v->expiry_timer = voter_timer_set(w, T_EXPIRE, clock, w->v->until);
    set_lapse(w->m, w->service, &w->v->lapse_timer, w->v->voted_epoch, w->v->holder, clock, promised);
}

static void refuse(struct voter *w, uint16_t call, enum error e)
{
    struct call *k = &w->m->calls[call];
    struct value f[3] = {value_name(w->m->p->error_name[e]), value_none(), value_int(w->v->promised)};
    if (k->kind != REQ_VOTE)
        f[1] = value_int(k->arg[ARG_TOKEN]);
    record(w->m, w->process, w->name, V_REFUSES, client_name(w->m, k->client), f, 3, k->line);
    k->reply[REPLY_ERROR] = e;
    k->reply[REPLY_EPOCH] = w->v->promised;
    call_answer(w->m, call, ANS_REFUSED);
}

static bool may_vote(const struct voter *w, const struct call *k)
{
    int64_t epoch = k->arg[ARG_TOKEN];
    bool repeated = w->v->voted_epoch == epoch && w->v->voted == k->client && w->v->voted_start == k->start;
    if (w->v->quarantined)
        return false;
    if (lease_runs(w) && !is_own(w, k))
        return false;
    if (epoch == w->v->promised)
        return w->v->voted_epoch != epoch || repeated;
    return epoch > w->v->promised;
}

static void serve_vote(struct voter *w, uint16_t call)
{
    struct call *k = &w->m->calls[call];
    name_id node = client_node(w->m, k->client);
    if (!may_vote(w, k)) {
        refuse(w, call, ERR_REFUSED);
        return;
    }
    if (!sim_before(w->m->s, w->thread, w->name, V_VOTES, node))
        return;
    w->v->promised = w->v->voted_epoch = k->arg[ARG_TOKEN];
    w->v->voted = w->v->holder = k->client;
    w->v->voted_start = k->start;
    struct value f[3] = {value_int(w->v->promised), value_int(k->start), value_ns(w->plan->ttl)};
    record(w->m, w->process, w->name, V_VOTES, node, f, 3, k->line);
    lease_begins(w, k);
    k->reply[REPLY_TOKEN] = k->arg[ARG_TOKEN];
    call_answer(w->m, call, ANS_VOTE);
}

static bool may_touch(const struct voter *w, const struct call *k)
{
    if (!lease_runs(w))
        return false;
    if (!gate_on(w->m->p, GATE_RELEASE_TOKEN))
        return true;
    return is_own(w, k) && w->v->voted_epoch == k->arg[ARG_TOKEN];
}

static struct value by_whom(const struct voter *w, const struct call *k)
{
    bool own = client_process(w->m, w->v->holder) == client_process(w->m, k->client) && w->v->voted_start == k->start;
    return own ? value_none() : value_name(client_node(w->m, k->client));
}

static void serve_renew(struct voter *w, uint16_t call)
{
    struct call *k = &w->m->calls[call];
    if (!may_touch(w, k)) {
        refuse(w, call, ERR_NOT_HOLDER);
        return;
    }
    name_id node = client_node(w->m, w->v->holder);
    if (!sim_before(w->m->s, w->thread, w->name, V_EXTENDS, node))
        return;
    struct value f[6] = {value_int(w->v->voted_epoch), by_whom(w, k),          value_int(w->v->voted_start),
                         value_int(k->start),          value_ns(w->plan->ttl), value_int(w->index)};
    record(w->m, w->process, w->name, V_EXTENDS, node, f, 6, k->line);
    lease_begins(w, k);
    call_answer(w->m, call, ANS_OK);
}

/* The epoch stays promised: a vote that was given back cannot be given to another in the same epoch. */
static void vote_ends(struct voter *w, bool lapsed)
{
    stop_timer(w, &w->v->expiry_timer);
    if (!lapsed)
        stop_timer(w, &w->v->lapse_timer);
    w->v->lapse_timer = NONE32;
    w->v->holder = NONE16;
}

static void serve_release(struct voter *w, uint16_t call)
{
    struct call *k = &w->m->calls[call];
    if (!may_touch(w, k)) {
        refuse(w, call, ERR_NOT_HOLDER);
        return;
    }
    name_id node = client_node(w->m, w->v->holder);
    if (!sim_before(w->m->s, w->thread, w->name, V_FREES, node))
        return;
    struct value f[5] = {value_int(w->v->voted_epoch), by_whom(w, k), value_int(w->v->voted_start),
                         value_int(k->start), value_int(w->index)};
    record(w->m, w->process, w->name, V_FREES, node, f, 5, k->line);
    vote_ends(w, false);
    call_answer(w->m, call, ANS_OK);
}

static void serve_force(struct voter *w, uint16_t call)
{
    struct call *k = &w->m->calls[call];
    if (lease_runs(w)) {
        struct value f[3] = {value_int(w->v->voted_epoch), value_int(w->v->voted_start), value_int(w->index)};
        record(w->m, w->process, w->name, V_FORCES, client_node(w->m, w->v->holder), f, 3, k->line);
        vote_ends(w, false);
    }
    call_answer(w->m, call, ANS_OK);
}

static void vote_expires(struct voter *w)
{
    struct value f[2] = {value_int(w->v->voted_epoch), value_int(w->v->voted_start)};
    record(w->m, w->process, w->name, V_EXPIRES, client_node(w->m, w->v->holder), f, 2, 0);
    vote_ends(w, true);
    if (w->plan->lock_delay > 0 && gate_on(w->m->p, GATE_DRAIN_FIRST)) {
        w->v->quarantined = 1;
        w->v->quarantine_until = voter_clock(w, w->m->p->lease_clock) + w->plan->lock_delay;
        voter_timer_set(w, T_DELAY, w->m->p->lease_clock, w->v->quarantine_until);
    }
}

void voter_serve(struct m *m, uint16_t call)
{
    struct call *k = &m->calls[call];
    struct voter w = voter_of(m, k->service);
    if (w.v->holder != NONE16 && !lease_runs(&w))
        vote_expires(&w);
    switch (k->kind) {
    case REQ_VOTE: serve_vote(&w, call); break;
    case REQ_RENEW: serve_renew(&w, call); break;
    case REQ_RELEASE: serve_release(&w, call); break;
    default: ASSERT(k->kind == REQ_FORCE); serve_force(&w, call); break;
    }
}

void voter_timer(struct m *m, const struct timer *t)
{
    struct voter w = voter_of(m, m->p->actor_of[t->thread].service);
    if (t->kind == T_DELAY) {
        w.v->quarantined = 0; /* also the lock-delay */
        return;
    }
    ASSERT(t->kind == T_EXPIRE);
    w.v->expiry_timer = NONE32;
    if (sim_before(m->s, w.thread, w.name, V_EXPIRES, client_node(m, w.v->holder)))
        vote_expires(&w);
}

void voter_crashed(struct m *m, uint16_t service, enum losing losing)
{
    struct voter w = voter_of(m, service);
    bool durable = gate_on(m->p, GATE_DURABLE_GRANT) && losing != LOSING_EVERYTHING;
    w.v->expiry_timer = NONE32;
    if (!durable) {
        w.v->holder = w.v->voted = NONE16;
        w.v->voted_epoch = 0;
        w.v->lapse_timer = NONE32;
    }
    if (!gate_on(m->p, GATE_MONOTONIC_TOKEN) || losing == LOSING_EVERYTHING)
        w.v->promised = 0;
    if (losing == LOSING_EVERYTHING && gate_on(m->p, GATE_DURABLE_GRANT)) {
        w.v->quarantined = 1; /* from its restart: see voter_restarted() */
        w.v->quarantine_until = -1;
    }
    call_forget_served(m, service, !durable);
}

void voter_restarted(struct m *m, uint16_t service)
{
    struct voter w = voter_of(m, service);
    if (w.v->holder != NONE16)
        w.v->expiry_timer = voter_timer_set(&w, T_EXPIRE, judging_clock(m), w.v->until);
    if (!w.v->quarantined)
        return;
    if (w.v->quarantine_until < 0)
        w.v->quarantine_until = voter_clock(&w, m->p->lease_clock) + w.plan->ttl + w.plan->service_margin;
    voter_timer_set(&w, T_DELAY, m->p->lease_clock, w.v->quarantine_until);
}

/* --- the candidate ---------------------------------------------------------------------------- */

static unsigned count(uint64_t bits)
{
    unsigned n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

bool quorum_wins(const struct m *m, uint16_t lock, uint64_t votes, uint64_t refusals, bool at_end)
{
    unsigned n = m->p->locks[lock].voters;
    if (gate_on(m->p, GATE_STRICT_MAJORITY))
        return 2 * count(votes) > n;
    if (m->p->count_mode == COUNT_REACHABLE)
        return at_end && votes && 2 * count(votes) > count(votes | refusals);
    return 2 * count(votes) >= n;
}

static ns candidate_clock(const struct m *m, uint16_t client, int clock)
{
    return clock_now(m->s, thread_machine(m->s, client_thread(m, client)), (enum clock_kind)clock);
}

/* Candidates of this lock that were declared before: a step aside for each keeps retries apart. */
static uint32_t candidates_before(const struct m *m, uint16_t client, uint16_t lock)
{
    uint32_t n = 0;
    for (uint16_t i = 0; i < client; i++) {
        const struct client_plan *c = &m->p->clients[i];
        if (c->keeps_for != NONE16)
            continue;
        for (const struct instr *k = &m->p->code[c->code]; k->op != OP_END; k++)
            if (k->op == OP_ACQUIRE && k->lock == lock) {
                n++;
                break;
            }
    }
    return n;
}

static bool canvass_ask(struct m *m, uint16_t client, const struct instr *k, struct holding *g)
{
    struct client_state *c = &m->clients[client];
    uint16_t service = (uint16_t)(m->p->locks[k->lock].service + c->voter);
    uint16_t thread = client_thread(m, client);
    if (!sim_before(m->s, thread, client_name(m, client), V_ASKS, service_name(m, service)))
        return false;
    if (c->voter == 0) {
        g->canvassing = 1;
        g->epoch = g->epoch_seen + 1;
        g->epoch_seen = g->epoch;
        g->votes = g->refusals = 0;
        g->sent = candidate_clock(m, client, m->p->lease_clock);
        g->canvass_end = candidate_clock(m, client, CLOCK_MONOTONIC) + m->p->locks[k->lock].ttl / 10;
        client_timer_set(m, client, T_CANVASS, CLOCK_MONOTONIC, g->canvass_end, TIMER_KEEPS);
    }
    uint16_t call = call_new(m, client, service, REQ_VOTE, k->line);
    if (call == NONE16)
        return false;
    m->calls[call].arg[ARG_TOKEN] = g->epoch;
    m->calls[call].arg[ARG_STAMP] = candidate_clock(m, client, CLOCK_WALL);
    struct value f = value_int(g->epoch);
    record(m, client_process(m, client), client_name(m, client), V_ASKS, service_name(m, service), &f, 1, k->line);
    call_send(m, call);
    c->voter++;
    return true;
}

/* One voter an event, so that a fault can strike between two of them. */
void canvass_begin(struct m *m, uint16_t client)
{
    const struct instr *k = client_instr(m, client);
    struct client_state *c = &m->clients[client];
    if (!canvass_ask(m, client, k, holding_of(m, client, k->lock)))
        return;
    if (c->voter < m->p->locks[k->lock].voters)
        client_soon(m, client);
    else
        c->stage = STAGE_WAIT;
}

void votes_give_back(struct m *m, uint16_t client, uint16_t lock, uint64_t voters, int64_t epoch)
{
    const struct lock_plan *plan = &m->p->locks[lock];
    for (uint16_t i = 0; i < plan->voters; i++) {
        if (!(voters >> i & 1))
            continue;
        uint16_t service = (uint16_t)(plan->service + i);
        uint16_t call = call_new(m, client, service, REQ_RELEASE, 0);
        if (call == NONE16)
            return;
        m->calls[call].arg[ARG_TOKEN] = epoch;
        struct value f = value_int(epoch);
        record(m, client_process(m, client), client_name(m, client), V_RELEASES, service_name(m, service), &f, 1, 0);
        call_send(m, call);
        m->calls[call].waiting = 0; /* nobody waits for the answer */
    }
}

static void canvass_won(struct m *m, uint16_t client, const struct instr *k, struct holding *g)
{
    const struct lock_plan *plan = &m->p->locks[k->lock];
    struct lock_state *l = &m->locks[k->lock];
    name_id node = client_node(m, client);
    uint16_t start = sim_start_count(m->s, client_process(m, client));
    struct value f[7] = {value_int(g->epoch),       value_int(start),         value_ns(plan->ttl), value_ns(plan->margin),
                         value_int((int64_t)g->votes), value_int(plan->voters), value_none()};
    record(m, NONE16, plan->name, V_GRANTS, node, f, 7, k->line);
    l->last_token = g->epoch;
    l->granted = 1;
    l->token = g->epoch;
    l->holder = client;
    g->canvassing = 0;
    m->clients[client].generation++; /* it may still be asking the others */
    call_abandon_all(m, client, k->lock);
    client_acquired(m, client, k->lock, g->epoch, g->sent, g->votes, g->epoch);
}

/* Whether this candidate waits for what cannot come: not even all the voters that it reaches would make it win, and
 * nothing is outstanding that could change whom it reaches. It goes on asking, but no longer keeps the run alive. */
static bool hopeless(const struct m *m, uint16_t client, uint16_t lock)
{
    static const uint16_t verbs[] = {V_ASKS, V_VOTES, V_REFUSES, V_RELEASES, V_FREES, V_EXPIRES};
    const struct lock_plan *plan = &m->p->locks[lock];
    uint64_t reached = 0;
    for (uint16_t i = 0; i < plan->voters; i++) {
        uint16_t thread = m->p->services[plan->service + i].thread;
        if (sim_reaches(m->s, client_thread(m, client), thread))
            reached |= UINT64_C(1) << i;
    }
    for (unsigned i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (sim_waits_for(m->s, verbs[i]))
            return false;
    return !quorum_wins(m, lock, reached, 0, true) && !sim_faults_outstanding(m->s);
}

static void canvass_lost(struct m *m, uint16_t client, const struct instr *k, struct holding *g)
{
    const struct lock_plan *plan = &m->p->locks[k->lock];
    struct client_state *c = &m->clients[client];
    g->canvassing = 0;
    call_abandon_all(m, client, k->lock);
    votes_give_back(m, client, k->lock, g->votes, g->epoch);
    if (g->held && g->votes & g->rests_on)
        holding_lose(m, client, k->lock); /* a voter has one vote: its old lease rested on it */
    if (k->mode == ACQUIRE_TRY) {
        client_fail(m, client, ERR_QUORUM_LOST);
        return;
    }
    c->stage = STAGE_PAUSED_RETRY;
    ns later = plan->ttl / 10 + plan->ttl / 100 * candidates_before(m, client, k->lock);
    bool keeps = k->mode == ACQUIRE_WITHIN || !hopeless(m, client, k->lock);
    client_timer_set(m, client, T_RETRY, CLOCK_MONOTONIC, candidate_clock(m, client, CLOCK_MONOTONIC) + later,
                     keeps ? TIMER_KEEPS : 0);
}

void canvass_over(struct m *m, uint16_t client)
{
    const struct instr *k = client_instr(m, client);
    struct holding *g = holding_of(m, client, k->lock);
    if (quorum_wins(m, k->lock, g->votes, g->refusals, true)) {
        canvass_won(m, client, k, g);
    } else {
        m->clients[client].generation++; /* it may still be asking: a pause held it up */
        canvass_lost(m, client, k, g);
    }
}

/* A vote for a canvass that is over is given back; so is one that comes after the step was given up. */
static void late_vote(struct m *m, uint16_t client, const struct call *c, const struct message *msg)
{
    uint16_t lock = m->p->services[c->service].lock;
    const struct holding *g = holding_of(m, client, lock);
    bool counts = g->held && !g->lost && g->token == msg->arg[REPLY_TOKEN];
    if (msg->tags == ANS_VOTE && !counts)
        votes_give_back(m, client, lock, UINT64_C(1) << m->p->services[c->service].voter, msg->arg[REPLY_TOKEN]);
}

/* A pause can put the reading of an answer off: what is read after the tenth, or after the lease that it would begin
 * is over (a suspend stops the monotonic clock), does not count. */
static bool too_late(const struct m *m, uint16_t client, uint16_t lock, const struct holding *g)
{
    const struct lock_plan *plan = &m->p->locks[lock];
    uint16_t machine = thread_machine(m->s, client_thread(m, client));
    return clock_passed(m->s, machine, CLOCK_MONOTONIC, g->canvass_end) ||
           clock_passed(m->s, machine, (enum clock_kind)m->p->lease_clock, g->sent + plan->ttl - plan->margin);
}

bool canvass_answer(struct m *m, uint16_t client, uint16_t call, const struct message *msg)
{
    struct call *c = &m->calls[call];
    const struct instr *k = client_instr(m, client);
    uint16_t lock = m->p->services[c->service].lock;
    struct holding *g = holding_of(m, client, lock);
    uint64_t bit = UINT64_C(1) << m->p->services[c->service].voter;
    if (msg->flags & MESSAGE_BOUNCE)
        return false;
    if (msg->tags == ANS_REFUSED && msg->arg[REPLY_EPOCH] > g->epoch_seen)
        g->epoch_seen = msg->arg[REPLY_EPOCH];
    if (!c->waiting || !g->canvassing || c->arg[ARG_TOKEN] != g->epoch || too_late(m, client, lock, g)) {
        late_vote(m, client, c, msg);
        return false;
    }
    uint64_t votes = msg->tags == ANS_VOTE ? g->votes | bit : g->votes;
    bool wins = quorum_wins(m, lock, votes, g->refusals, false);
    if (wins && !sim_before(m->s, client_thread(m, client), m->p->locks[lock].name, V_GRANTS, client_node(m, client)))
        return false;
    call_abandon(m, call);
    g->votes = votes;
    if (msg->tags == ANS_REFUSED)
        g->refusals |= bit;
    if (wins)
        canvass_won(m, client, k, g);
    return wins;
}
