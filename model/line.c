/* SPDX-License-Identifier: MIT
 *
 * line.c - see line.h.
 */
#include "model/line.h"

static struct line line_at(struct m *m, uint32_t row, uint16_t *n, name_id name, uint16_t service)
{
    struct line l;
    l.m = m;
    l.row = &m->line[row * m->p->n_clients];
    l.n = n;
    l.name = name;
    l.service = service;
    l.thread = m->p->services[service].thread;
    l.process = service_process(m, service);
    return l;
}

struct line line_of_lock(struct m *m, uint16_t lock)
{
    const struct lock_plan *plan = &m->p->locks[lock];
    return line_at(m, lock, &m->locks[lock].in_line, plan->name, plan->service);
}

struct line line_of_queue(struct m *m, uint16_t queue)
{
    const struct queue_plan *plan = &m->p->queues[queue];
    return line_at(m, m->p->n_locks + queue, &m->queues[queue].in_line, plan->name, plan->service);
}

static uint32_t place_of(const struct line *l, uint16_t client)
{
    uint32_t i = 0;
    while (i < *l->n && l->row[i].client != client)
        i++;
    return i;
}

/* A restarted client is another one (fresh-identity): the place of its former self is not its own. */
uint32_t line_index(const struct line *l, const struct call *k)
{
    uint32_t i = place_of(l, k->client);
    if (i == *l->n || l->row[i].start == k->start)
        return i;
    return gate_lets(l->m, GATE_FRESH_IDENTITY, by_call(k), conjunct_bit(C_SAME_START, true)) ? i : *l->n;
}

/* Who asks anew asks no more the old way: a copy of that request which still travels changes nothing. */
static void settle(const struct line *l, const struct place *place, const struct call *k)
{
    struct call *old = &l->m->calls[place->call];
    if (old != k && !old->waiting) /* else k is the older one, late: a crash made the service forget it */
        old->answer = ANS_REFUSED;
}

static void stand(const struct line *l, struct place *place, const struct call *k)
{
    place->call = (uint16_t)(k - l->m->calls);
    l->m->calls[place->call].flags |= CALL_STANDS;
}

static void stand_no_more(const struct line *l, const struct place *place)
{
    l->m->calls[place->call].flags &= (uint8_t)~CALL_STANDS;
}

static void leave(struct line *l, uint32_t i)
{
    stand_no_more(l, &l->row[i]);
    timer_stop(l->m, &l->row[i].timer);
    for (; i + 1 < *l->n; i++)
        l->row[i] = l->row[i + 1];
    --*l->n;
}

void line_leave(struct line *l, const struct call *k)
{
    uint32_t i = place_of(l, k->client);
    if (i == *l->n)
        return;
    settle(l, &l->row[i], k);
    leave(l, i);
}

void line_join(struct line *l, const struct call *k)
{
    uint32_t i = line_index(l, k);
    if (i < *l->n) {
        timer_stop(l->m, &l->row[i].timer); /* it came, and there was nothing left for it: it stays */
        settle(l, &l->row[i], k);
        if (k->waiting) {
            stand_no_more(l, &l->row[i]);
            stand(l, &l->row[i], k);
        }
        return;
    }
    line_leave(l, k);
    ASSERT(*l->n < l->m->p->n_clients);
    l->row[*l->n] = (struct place){k->client, k->start, NONE32, 0, 0};
    stand(l, &l->row[(*l->n)++], k);
    record(l->m, l->process, l->name, V_QUEUES, client_node(l->m, k->client), NULL, 0, k->line);
}

static void send_turn(const struct line *l, const struct place *place)
{
    struct message msg = {0};
    msg.from = l->thread;
    msg.to = client_thread(l->m, place->client);
    msg.conn = (uint16_t)(2 * (place->client * l->m->p->n_services + l->service) + 1);
    msg.kind = MSG_TURN;
    msg.call = place->call;
    msg.what = l->m->p->what_turn;
    msg.arg[0] = l->service;
    msg.arg[1] = place->start;
    sim_send(l->m->s, &msg);
}

static void call_one(struct line *l, struct place *place)
{
    record(l->m, l->process, l->name, V_CALLS, client_node(l->m, place->client), NULL, 0, 0);
    send_turn(l, place);
    ns now = thread_clock(l->m->s, l->thread, CLOCK_MONOTONIC);
    place->timer = timer_set(l->m->s, &(struct timer){.thread = l->thread,
                                                      .clock = CLOCK_MONOTONIC,
                                                      .kind = T_TURN,
                                                      .subject = place->client,
                                                      .deadline = now + REQUEST_TIMEOUT_NS});
}

void line_call(struct line *l, uint32_t n)
{
    for (uint32_t i = 0; i < n && i < *l->n; i++)
        if (l->row[i].timer == NONE32)
            call_one(l, &l->row[i]);
}

void line_turn_over(struct line *l, uint16_t client)
{
    uint32_t i = place_of(l, client);
    if (i == *l->n || l->row[i].timer == NONE32)
        return; /* a pause held the timer up while it came after all */
    l->row[i].timer = NONE32;
    leave(l, i);
}

bool line_call_again(struct line *l, const struct call *k)
{
    uint32_t i = line_index(l, k);
    if (i == *l->n || l->row[i].timer == NONE32)
        return false;
    send_turn(l, &l->row[i]);
    return true;
}

void line_forget(struct line *l)
{
    for (uint32_t i = 0; i < *l->n; i++)
        stand_no_more(l, &l->row[i]);
    *l->n = 0;
}
