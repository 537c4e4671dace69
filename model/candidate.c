/* SPDX-License-Identifier: MIT
 *
 * candidate.c - clients canvass N configured voters; the epoch is the token.
 *
 *     epoch = largest seen + 1 -> asks every voter, waits a tenth of the lease
 *     2 * votes > N configured?  wins: the lease counts from before the first ask was sent
 *     else gives back the votes it got and tries again a tenth later, plus a hundredth of the lease for each
 *     candidate declared before it
 *
 *  1. Votes count once for each distinct known voter, for the epoch of the canvass (strict-majority), and only while
 *     the tenth and the lease that they would begin last: a pause can put their reading off.
 *  2. A vote that does not count is given back, also one that comes when the canvass is long over.
 *  3. A candidate that reaches too few voters to win, now and for ever, goes on asking but keeps no run alive.
 *
 * Known weakness: a majority elects one leader an epoch, no more. The deposed leader learns of it by its clock
 * or by a refusal; until then there are two who believe. Only the store can tell their writes apart.
 *
 * Sources: Corosync votequorum(5) for the count over configured votes.
 */
#include "model/state.h"

static unsigned count(uint64_t bits)
{
    unsigned n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

/* What strict-majority has against a count. */
static uint64_t count_fails(const struct m *m, uint16_t lock, uint64_t votes)
{
    unsigned n = m->p->locks[lock].voters, agree = 2 * count(votes);
    return conjunct_bit(C_HALF, agree < n) | conjunct_bit(C_MORE_THAN_HALF, agree == n);
}

static void note_count(struct m *m, uint16_t client, uint16_t lock, uint64_t fails)
{
    gate_note(m, GATE_STRICT_MAJORITY, by_client(client, lock), fails);
}

void quorum_note(struct m *m, uint16_t client, uint16_t lock, uint64_t votes)
{
    note_count(m, client, lock, count_fails(m, lock, votes));
}

bool quorum_wins(const struct m *m, uint16_t lock, uint64_t votes, uint64_t refusals, bool at_end)
{
    unsigned n = m->p->locks[lock].voters;
    if (gate_on(m->p, GATE_STRICT_MAJORITY))
        return count_fails(m, lock, votes) == 0;
    if (m->p->count_mode == COUNT_REACHABLE)
        return at_end && votes && 2 * count(votes) > count(votes | refusals);
    return 2 * count(votes) >= n;
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
        g->canvass_votes = g->canvass_refusals = 0;
        g->canvass_sent = client_clock(m, client, m->p->lease_clock);
        gate_clock_sends(m, client);
        g->canvass_end = client_clock(m, client, CLOCK_MONOTONIC) + m->p->locks[k->lock].ttl / 10;
        client_timer_set(m, client, T_CANVASS, CLOCK_MONOTONIC, g->canvass_end, TIMER_KEEPS);
    }
    uint16_t call = call_new(m, client, service, REQ_VOTE, k->line);
    if (call == NONE16)
        return false;
    m->calls[call].arg[ARG_TOKEN] = g->epoch;
    m->calls[call].arg[ARG_STAMP] = client_clock(m, client, CLOCK_WALL);
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
    struct value f[7] = {value_int(g->epoch),
                         value_int(start),
                         value_ns(plan->ttl),
                         value_ns(plan->margin),
                         value_int((int64_t)g->canvass_votes),
                         value_int(plan->voters),
                         value_none()};
    record(m, NONE16, plan->name, V_GRANTS, node, f, 7, k->line);
    l->last_token = g->epoch;
    l->granted = 1;
    g->canvassing = 0;
    call_abandon_all(m, client, k->lock);
    client_acquired(m, client, k->lock, g->epoch, g->canvass_sent, g->canvass_votes);
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
    votes_give_back(m, client, k->lock, g->canvass_votes, g->epoch);
    if (g->held && g->canvass_votes & g->rests_on)
        holding_lose(m, client, k->lock); /* a voter has one vote: its old lease rested on it */
    if (k->mode == ACQUIRE_TRY) {
        client_fail(m, client, ERR_QUORUM_LOST);
        return;
    }
    c->stage = STAGE_RETRY;
    ns later = plan->ttl / 10 + plan->ttl / 100 * candidates_before(m, client, k->lock);
    bool keeps = k->mode == ACQUIRE_WITHIN || !hopeless(m, client, k->lock);
    client_timer_set(m, client, T_RETRY, CLOCK_MONOTONIC, client_clock(m, client, CLOCK_MONOTONIC) + later,
                     keeps ? TIMER_KEEPS : 0);
}

void canvass_over(struct m *m, uint16_t client)
{
    const struct instr *k = client_instr(m, client);
    struct holding *g = holding_of(m, client, k->lock);
    quorum_note(m, client, k->lock, g->canvass_votes);
    if (quorum_wins(m, k->lock, g->canvass_votes, g->canvass_refusals, true)) {
        canvass_won(m, client, k, g);
    } else {
        m->clients[client].generation++; /* it may still be asking: a pause held it up */
        canvass_lost(m, client, k, g);
    }
}

/* A pause can put the reading of an answer off: what is read after the tenth, or after the lease that it would begin
 * is over (a suspend stops the monotonic clock), does not count. */
static bool too_late(const struct m *m, uint16_t client, uint16_t lock, const struct holding *g)
{
    const struct lock_plan *plan = &m->p->locks[lock];
    uint16_t machine = thread_machine(m->s, client_thread(m, client));
    return clock_passed(m->s, machine, CLOCK_MONOTONIC, g->canvass_end) ||
           clock_passed(m->s, machine, (enum clock_kind)m->p->lease_clock, g->canvass_sent + plan->ttl - plan->margin);
}

/* A vote for a canvass that is over is given back; so is one that comes after the step was given up. A copy of one that
 * counts is nothing: it must not give back what the count rests on. */
static void late_vote(struct m *m, uint16_t client, const struct call *c, const struct message *msg)
{
    uint16_t lock = m->p->services[c->service].lock;
    const struct holding *g = holding_of(m, client, lock);
    uint64_t bit = UINT64_C(1) << m->p->services[c->service].voter;
    bool rests = g->held && !g->lost && g->token == msg->arg[REPLY_TOKEN];
    bool again = g->canvassing && g->epoch == msg->arg[REPLY_TOKEN] && g->canvass_votes & bit;
    if (msg->tags != ANS_VOTE || rests)
        return;
    note_count(m, client, lock, conjunct_bit(C_THIS_EPOCH, !again) | conjunct_bit(C_COUNTED_ONCE, again));
    if (!again)
        votes_give_back(m, client, lock, bit, msg->arg[REPLY_TOKEN]);
}

void canvass_answer(struct m *m, uint16_t client, uint16_t call, const struct message *msg)
{
    struct call *c = &m->calls[call];
    const struct instr *k = client_instr(m, client);
    uint16_t lock = m->p->services[c->service].lock;
    struct holding *g = holding_of(m, client, lock);
    uint64_t bit = UINT64_C(1) << m->p->services[c->service].voter;
    if (msg->flags & MESSAGE_BOUNCE)
        return;
    if (msg->tags == ANS_REFUSED && msg->arg[REPLY_EPOCH] > g->epoch_seen)
        g->epoch_seen = msg->arg[REPLY_EPOCH];
    if (!c->waiting || !g->canvassing || c->arg[ARG_TOKEN] != g->epoch || too_late(m, client, lock, g)) {
        late_vote(m, client, c, msg);
        return;
    }
    uint64_t votes = msg->tags == ANS_VOTE ? g->canvass_votes | bit : g->canvass_votes;
    bool wins = quorum_wins(m, lock, votes, g->canvass_refusals, false);
    if (wins && !sim_before(m->s, client_thread(m, client), m->p->locks[lock].name, V_GRANTS, client_node(m, client)))
        return;
    call_abandon(m, call);
    g->canvass_votes = votes;
    if (msg->tags == ANS_REFUSED)
        g->canvass_refusals |= bit;
    if (wins)
        quorum_note(m, client, lock, votes);
    if (wins)
        canvass_won(m, client, k, g);
}
