/* SPDX-License-Identifier: MIT
 *
 * gate_clock.c - safe-clock, observed: what the clocks that a lease is not measured on would say of it.
 *
 *     boottime    ------|=========== lease ===========|------>
 *     monotonic   ------|====.....(suspended).....====|=======|   it would last longer
 *     wall        ------|====|   (set forth)                      it would be over
 *
 *  1. How far monotonic and wall are from boottime is remembered from the moment that a lease counts from. By as much
 *     as that has changed when the lease is asked about, the clock in question would tell another time.
 *  2. It matters where one of them says "over" and boottime does not, or the other way round. With the gate both are
 *     looked at; without it the one that the lease is measured on.
 *  3. All of it lies beside the world, and only where asides are made: nothing in a run depends on it. Of a keeper that
 *     has several renewals under way at once, the one sent last counts.
 */
#include "model/state.h"

static struct clock_gap gap_now(const struct m *m, uint16_t thread)
{
    uint16_t machine = thread_machine(m->s, thread);
    ns boottime = clock_now(m->s, machine, CLOCK_BOOTTIME);
    return (struct clock_gap){clock_now(m->s, machine, CLOCK_MONOTONIC) - boottime,
                              clock_now(m->s, machine, CLOCK_WALL) - boottime};
}

/* In this order: of each client's last sending, of what a client has, of what a service gave, of what a voter gave. */
static struct clock_gap *gap_sent(const struct m *m, uint16_t client) { return &m->gaps[client]; }

static struct clock_gap *gap_got(const struct m *m, uint16_t client, uint32_t resource)
{
    return &m->gaps[m->p->n_clients + client * m->resources + resource];
}

static struct clock_gap *gap_given(const struct m *m, uint16_t service, uint32_t resource)
{
    bool voter = m->p->actor_of[m->p->services[service].thread].kind == ACTOR_VOTER;
    uint32_t first = m->p->n_clients * (1 + m->resources);
    return &m->gaps[first + (voter ? m->resources + service : resource)];
}

void gate_clock_sends(struct m *m, uint16_t client)
{
    if (m->asides)
        *gap_sent(m, client) = gap_now(m, client_thread(m, client));
}

void gate_clock_got(struct m *m, uint16_t client, uint16_t asker, uint16_t resource)
{
    if (m->asides)
        *gap_got(m, client, resource) = *gap_sent(m, asker);
}

void gate_clock_gives(struct m *m, uint16_t service, uint32_t resource)
{
    if (m->asides)
        *gap_given(m, service, resource) = gap_now(m, m->p->services[service].thread);
}

/* `left` by the clock that the lease is measured on, and what the others make of it. */
static uint64_t other_words(const struct m *m, const struct clock_gap *then, struct clock_gap now, ns left)
{
    ns stood = now.monotonic - then->monotonic, stepped = now.wall - then->wall;
    bool on = gate_on(m->p, GATE_SAFE_CLOCK), by_wall = m->p->lease_clock == CLOCK_WALL;
    ns boottime = on ? left : left + (by_wall ? stepped : stood);
    bool over = boottime <= 0;
    bool monotonic_errs = (boottime - stood <= 0) != over, wall_errs = (boottime - stepped <= 0) != over;
    return conjunct_bit(C_NEVER_STOOD, monotonic_errs && (on || !by_wall)) |
           conjunct_bit(C_NEVER_STEPPED, wall_errs && (on || by_wall));
}

void gate_clock_asked(struct m *m, uint16_t client, uint16_t owner, uint16_t resource)
{
    const struct holding *g = holding_of(m, owner, resource);
    if (!m->asides || !gate_on(m->p, GATE_LEASE_CHECK) || !g->held || g->lost)
        return;
    ns left = g->deadline - client_clock(m, owner, m->p->lease_clock);
    gate_note(m, GATE_SAFE_CLOCK, by_client(client, resource),
              other_words(m, gap_got(m, owner, resource), gap_now(m, client_thread(m, owner)), left));
}

void gate_clock_judged(struct m *m, uint16_t service, uint32_t resource, ns until)
{
    if (!m->asides || !gate_on(m->p, GATE_ONE_CLOCK)) /* without one-clock, services read wall times of others */
        return;
    uint16_t thread = m->p->services[service].thread;
    ns left = until - thread_clock(m->s, thread, (enum clock_kind)judging_clock(m));
    gate_note(m, GATE_SAFE_CLOCK, by_service(service, NONE16),
              other_words(m, gap_given(m, service, resource), gap_now(m, thread), left));
}
