/* SPDX-License-Identifier: MIT
 *
 * net.c - messages: sent, delayed, lost, repeated, held at closed links, bounced.
 *
 *     sim_send() -> faults on this message -> queued for its arrival -> net_arrives()
 *                                                 |-- link closed, dropping: lost
 *                                                 |-- link closed, holding: held until it opens
 *                                                 |-- nobody runs there: sent back, if it asks
 *                                                 '-- handled, or held while its thread stands
 *
 *  1. Only whether the link is closed at the instant of arrival counts. If any closure drops, the
 *     message is dropped. Nothing closes the way between processes of one machine.
 *  2. On a stream (a connection and a direction, on a link that is none of datagrams) messages
 *     arrive in the order they were sent in: none before the one sent before it, and at one
 *     instant by sequence, which is the order of sending. A message held at a link keeps its
 *     sequence, so it is in its place again when it travels on; what was on its way behind it is
 *     put back to the same instant.
 *  3. The copy of a duplicate, a reordered message and a bounce are outside the order (MARK_LOOSE).
 *  4. A message's cause is the record that sent it, or the one that told of a fault on it.
 */
#include "sim/net.h"

#include "sim/choice.h"
#include "sim/fault.h"
#include "sim/trace.h"

#define REORDER_NS (5 * NS_PER_S) /* a reordered message without a successor comes this late */

/* --- links ------------------------------------------------------------------------------ */

static uint32_t link_slot(uint32_t from, uint32_t to, uint32_t mask)
{
    return (from * UINT32_C(0x9E3779B1) ^ to * UINT32_C(0x85EBCA77)) >> 7 & mask;
}

void net_prepare(struct sim *s)
{
    for (uint32_t i = 0; i < s->plan->n_links; i++) {
        const struct link_plan *link = &s->plan->links[i];
        uint32_t slot = link_slot(link->from, link->to, s->links_mask);
        while (s->links[slot] > 0)
            slot = (slot + 1) & s->links_mask;
        s->links[slot] = i + 1;
    }
}

static const struct link_plan *find_link(const struct sim *s, uint16_t from, uint16_t to)
{
    uint32_t slot = link_slot(from, to, s->links_mask);
    while (s->links[slot] > 0) {
        const struct link_plan *link = &s->plan->links[s->links[slot] - 1];
        if (link->from == from && link->to == to)
            return link;
        slot = (slot + 1) & s->links_mask;
    }
    return &s->plan->link_default;
}

/* The ends of a message's way. */
struct way {
    uint16_t from, to; /* processes */
    uint16_t machine_from, machine_to;
    const struct link_plan *link;
};

static struct way way_of(const struct sim *s, const struct message *m)
{
    struct way way;
    way.from = process_of(s, m->from);
    way.to = process_of(s, m->to);
    way.machine_from = machine_of(s, way.from);
    way.machine_to = machine_of(s, way.to);
    bool plain = s->plan->n_links == 0 || way.machine_from == way.machine_to;
    way.link = plain ? &s->plan->link_default : find_link(s, way.machine_from, way.machine_to);
    return way;
}

bool plan_closes(const struct sim_plan *plan, const struct fault_plan *f, uint16_t from, uint16_t to)
{
    if (f->kind == FAULT_PARTITION) {
        const uint16_t *side = &plan->ids[f->a.first];
        uint16_t a = side[plan->processes[from].machine], b = side[plan->processes[to].machine];
        return a != 0 && b != 0 && a != b;
    }
    if (ids_hold(plan, f->a, from) && ids_hold(plan, f->b, to))
        return true;
    return f->both_ways && ids_hold(plan, f->b, from) && ids_hold(plan, f->a, to);
}

enum gate { GATE_OPEN, GATE_HOLDS, GATE_DROPS };

static enum gate gate_of(const struct sim *s, const struct way *way)
{
    enum gate gate = GATE_OPEN;
    if (s->world->closed == 0 || way->machine_from == way->machine_to)
        return gate;
    for (uint32_t i = 0; i < s->world->closures_n && gate != GATE_DROPS; i++) {
        const struct fault_plan *f = &s->plan->faults[s->closures[i].fault];
        if (plan_closes(s->plan, f, way->from, way->to))
            gate = f->holding ? GATE_HOLDS : GATE_DROPS;
    }
    return gate;
}

/* --- records of the network ---------------------------------------------------------------- */

/* Tells what befell a message, led to by `cause`. Returns the record as a cause; the handler's own is kept. */
static uint32_t tell(struct sim *s, const struct way *way, const struct message *m, uint16_t verb, uint32_t cause,
                     ns how_long, uint32_t line)
{
    const struct process_plan *processes = s->plan->processes;
    struct value fields[3] = {value_name(processes[way->to].name), value_name(m->what), value_ns(how_long)};
    uint32_t kept = s->cause;
    s->cause = cause;
    uint32_t told = sim_record(s, NONE16, s->plan->net_name, verb, processes[way->from].name, fields,
                               s->plan->verbs[verb].fields, line);
    s->cause = kept;
    return told;
}

/* --- faults on messages -------------------------------------------------------------------- */

/* What will become of one message. */
struct fate {
    const struct message *message;
    const struct way *way;
    ns late;
    ns copy_after;
    uint32_t reorder; /* the fault's index, or NONE32 */
    uint32_t cause;
    uint32_t lost_line;
    bool lost;
    bool twice;
};

void net_arm(struct sim *s, uint32_t fault)
{
    struct world *w = s->world;
    if (w->armed_n >= s->armed_max) {
        world_full(s, FULL_ARMED);
        return;
    }
    uint32_t ordinal = s->plan->faults[fault].ordinal;
    s->armed[w->armed_n] = (struct armed){fault, ordinal > 0 ? ordinal : 1};
    w->armed_n++;
}

static void fate_delay(struct sim *s, struct fate *fate, ns by, uint32_t line)
{
    fate->late = by > NS_MAX - fate->late ? NS_MAX : fate->late + by;
    fate->cause = tell(s, fate->way, fate->message, V_DELAYS, fate->cause, by, line);
}

static void fate_duplicate(struct sim *s, struct fate *fate, ns after, uint32_t line)
{
    fate->twice = true;
    fate->copy_after = after;
    fate->cause = tell(s, fate->way, fate->message, V_DUPLICATES, fate->cause, after, line);
}

static void fate_reorder(struct sim *s, struct fate *fate, uint32_t fault, uint32_t line)
{
    fate->reorder = fault;
    fate->cause = tell(s, fate->way, fate->message, V_REORDERS, fate->cause, 0, line);
}

static void fate_lose(struct fate *fate, uint32_t line)
{
    fate->lost = true;
    fate->lost_line = line;
}

static void fate_strike(struct sim *s, uint32_t fault, void *context)
{
    struct fate *fate = context;
    const struct fault_plan *f = &s->plan->faults[fault];
    switch (f->kind) {
    case FAULT_DELAY: fate_delay(s, fate, f->amount, f->line); break;
    case FAULT_DROP: fate_lose(fate, f->line); break;
    case FAULT_DUPLICATE: fate_duplicate(s, fate, f->amount, f->line); break;
    case FAULT_REORDER: fate_reorder(s, fate, fault, f->line); break;
    default: fault_later(s, fault, fate->cause); break;
    }
}

/* Each armed fault counts the messages of its links. */
static void strike_armed(struct sim *s, struct fate *fate)
{
    struct world *w = s->world;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->armed_n; i++) {
        struct armed armed = s->armed[i];
        const struct fault_plan *f = &s->plan->faults[armed.fault];
        if (ids_hold(s->plan, f->a, fate->way->from) && ids_hold(s->plan, f->b, fate->way->to))
            armed.remaining--;
        if (armed.remaining == 0) {
            fate_strike(s, armed.fault, fate);
        } else {
            s->armed[kept] = armed;
            kept++;
        }
    }
    w->armed_n = kept;
}

static void strike_chosen(struct sim *s, struct fate *fate)
{
    const struct way *way = fate->way;
    uint32_t option = choice_message(s, way->from, way->to, fate->message->what, fate_strike, fate);
    if (option == 1)
        fate_lose(fate, 0);
    if (option == 2)
        fate_duplicate(s, fate, way->link->delay_min, 0);
}

/* --- sending ------------------------------------------------------------------------------- */

static bool in_stream(const struct message *m, const struct link_plan *link)
{
    return m->conn != NONE16 && !link->datagram;
}

/* Queues a message; cause as given. Returns its event's slot, or NONE32. */
static inline uint32_t queue_message(struct sim *s, const struct message *m, uint32_t cause, ns at, uint8_t marks)
{
    uint32_t message = message_new(s);
    uint32_t slot = message == NONE32 ? NONE32 : event_new(s);
    if (slot == NONE32)
        return NONE32;
    s->messages[message] = *m;
    s->messages[message].cause = cause;
    struct event *e = &s->events[slot];
    e->subject = message;
    e->deadline = 0;
    e->cause = cause;
    e->target = m->to;
    e->kind = 0;
    e->type = EVENT_MESSAGE;
    e->flags = 0;
    e->clock = 0;
    e->keep = KEEP_RUN;
    e->marks = marks;
    e->asked = 0;
    event_push(s, slot, at, CLASS_MESSAGE);
    return slot;
}

/* A message on this way is the successor that a reordered one waits for. */
static bool succeeds(const struct sim *s, const struct event *e, const struct way *way)
{
    if (e->type != EVENT_MESSAGE || !(e->marks & MARK_REORDERED))
        return false;
    const struct message *m = &s->messages[e->subject];
    if (process_of(s, m->from) == way->from && process_of(s, m->to) == way->to)
        return true;
    const struct fault_plan *f = &s->plan->faults[e->deadline];
    return ids_hold(s->plan, f->a, way->from) && ids_hold(s->plan, f->b, way->to);
}

/* Where the first of the reordered messages that waited for this one is queued; NONE32: there is none. */
static uint32_t first_waiting(const struct sim *s, const struct way *way)
{
    uint32_t first = NONE32;
    for (uint32_t i = 0; i < s->world->queue_n; i++)
        if (succeeds(s, &s->events[key_slot(s->keys[i])], way) &&
            (first == NONE32 || key_less(s->keys[i], s->keys[first])))
            first = i;
    return first;
}

/* They come right behind it, in the order they were sent in. */
static void follow(struct sim *s, const struct way *way, ns at)
{
    struct world *w = s->world;
    event_close(s);
    for (uint32_t i = first_waiting(s, way); i != NONE32; i = first_waiting(s, way)) {
        uint32_t slot = key_slot(s->keys[i]);
        struct event *e = &s->events[slot];
        w->pending[e->keep] -= s->keys[i].at != NS_NEVER;
        queue_remove(s->keys, &w->queue_n, i);
        e->marks = (uint8_t)(e->marks & ~MARK_REORDERED);
        w->reordered--;
        event_push(s, slot, at, CLASS_MESSAGE);
    }
}

void sim_conn_break(struct sim *s, uint16_t conn)
{
    ASSERT(conn < s->plan->n_conns);
    s->conns[conn].last[0] = s->conns[conn].last[1] = 0;
}

static ns stream_arrival(struct sim *s, const struct message *m, ns at)
{
    ASSERT(m->conn < s->plan->n_conns);
    ns *last = &s->conns[m->conn].last[m->from > m->to];
    if (*last < at)
        *last = at;
    return *last;
}

static ns link_delay(struct sim *s, const struct way *way)
{
    const struct link_plan *link = way->link;
    if (s->points && link->delay_min < link->delay_max && choice_delay(s, way->from, way->to) > 0)
        return link->delay_max;
    return link->delay_min;
}

static ns later(ns at, ns by) { return by > NS_MAX - at ? NS_MAX : at + by; }

/* A message that some fault may strike. */
APART static void send_struck(struct sim *s, const struct message *m, const struct way *way)
{
    struct fate fate = {.message = m, .way = way, .reorder = NONE32, .cause = s->cause};
    if (s->world->armed_n > 0)
        strike_armed(s, &fate);
    if (s->points)
        strike_chosen(s, &fate);
    ns at = later(s->world->now, link_delay(s, way));
    if (fate.lost) {
        tell(s, way, m, V_LOSES, fate.cause, NS_NEVER, fate.lost_line);
        return;
    }
    at = later(at, fate.late);
    if (fate.reorder != NONE32) {
        uint32_t slot = queue_message(s, m, fate.cause, later(s->world->now, REORDER_NS), MARK_LOOSE | MARK_REORDERED);
        if (slot == NONE32)
            return;
        s->events[slot].deadline = fate.reorder;
        s->world->reordered++;
    } else {
        if (in_stream(m, way->link))
            at = stream_arrival(s, m, at);
        queue_message(s, m, fate.cause, at, 0);
        if (s->world->reordered > 0)
            follow(s, way, at);
    }
    if (fate.twice) {
        struct message copy = *m;
        copy.flags |= MESSAGE_DUPLICATE;
        queue_message(s, &copy, fate.cause, later(at, fate.copy_after), MARK_LOOSE);
    }
}

void sim_send(struct sim *s, const struct message *m)
{
    ASSERT(m->from < s->plan->n_threads);
    ASSERT(m->to < s->plan->n_threads);
    const struct link_plan *link = &s->plan->link_default;
    uint32_t struck = s->world->armed_n | s->world->reordered | s->points;
    if (s->plan->n_links | struck) {
        struct way way = way_of(s, m);
        if (struck) {
            send_struck(s, m, &way);
            return;
        }
        link = way.link;
    }
    ns at = later(s->world->now, link->delay_min);
    if (in_stream(m, link))
        at = stream_arrival(s, m, at);
    queue_message(s, m, s->cause, at, 0);
}

/* --- arriving ---------------------------------------------------------------------------- */

static uint32_t *held_on_stream(struct sim *s, const struct event *e, const struct way *way)
{
    const struct message *m = &s->messages[e->subject];
    if (e->marks & MARK_LOOSE || !in_stream(m, way->link))
        return NULL;
    return &s->conns[m->conn].held[m->from > m->to];
}

static void lose(struct sim *s, uint32_t slot, const struct way *way)
{
    uint32_t message = (uint32_t)s->events[slot].subject;
    tell(s, way, &s->messages[message], V_LOSES, s->messages[message].cause, NS_NEVER, 0);
    message_free(s, message);
    event_free(s, slot);
}

static void hold(struct sim *s, uint32_t slot, const struct way *way, struct key key)
{
    struct event *e = &s->events[slot];
    struct message *m = &s->messages[e->subject];
    m->cause = tell(s, way, m, V_HOLDS, m->cause, NS_NEVER, 0);
    e->cause = m->cause;
    e->marks |= MARK_AT_LINK;
    uint32_t *held = held_on_stream(s, e, way);
    if (held != NULL)
        *held += 1;
    event_hold(s, slot, key);
}

/* Nobody runs there: a request comes back, anything else is lost. */
static void bounce(struct sim *s, uint32_t slot)
{
    struct event *e = &s->events[slot];
    struct message *m = &s->messages[e->subject];
    if (!m->wants_answer) {
        message_free(s, (uint32_t)e->subject);
        event_free(s, slot);
        return;
    }
    uint16_t from = m->from;
    m->from = m->to;
    m->to = from;
    m->flags |= MESSAGE_BOUNCE;
    m->wants_answer = 0;
    e->target = m->to;
    e->marks = MARK_LOOSE;
    e->asked = 0;
    event_push(s, slot, later(s->world->now, way_of(s, m).link->delay_min), CLASS_MESSAGE);
}

bool net_arrives(struct sim *s, uint32_t slot, struct key key)
{
    struct event *e = &s->events[slot];
    if (e->marks & MARK_REORDERED) { /* no successor came */
        e->marks = MARK_LOOSE;
        s->world->reordered--;
    }
    if (!(e->marks & MARK_ARRIVED) && s->world->closed > 0) {
        struct way way = way_of(s, &s->messages[e->subject]);
        enum gate gate = gate_of(s, &way);
        if (gate == GATE_DROPS)
            lose(s, slot, &way);
        if (gate == GATE_HOLDS)
            hold(s, slot, &way, key);
        if (gate != GATE_OPEN)
            return false;
    }
    if (s->threads[e->target].runs)
        return true;
    e->marks |= MARK_ARRIVED;
    if (!s->processes[process_of(s, e->target)].up && event_may_run(s, e))
        bounce(s, slot);
    else
        event_hold(s, slot, key);
    return false;
}

/* --- links open -------------------------------------------------------------------------- */

/* What is on its way behind messages that waited is put back to where those arrive. */
static ns behind_held(struct sim *s, struct event *e, ns at)
{
    if (e->type != EVENT_MESSAGE || e->marks & (MARK_LOOSE | MARK_ARRIVED))
        return at;
    struct way way = way_of(s, &s->messages[e->subject]);
    const uint32_t *held = held_on_stream(s, e, &way);
    if (held == NULL || *held == 0 || gate_of(s, &way) != GATE_OPEN)
        return at;
    ns sent_on = later(s->world->now, way.link->delay_min);
    return at < sent_on ? sent_on : at;
}

static bool send_on(struct sim *s, struct key key)
{
    uint32_t slot = key_slot(key);
    struct event *e = &s->events[slot];
    if (!(e->marks & MARK_AT_LINK))
        return false;
    const struct message *m = &s->messages[e->subject];
    struct way way = way_of(s, m);
    if (gate_of(s, &way) != GATE_OPEN)
        return false;
    ns at = later(s->world->now, way.link->delay_min);
    e->marks = (uint8_t)(e->marks & ~MARK_AT_LINK);
    uint32_t *held = held_on_stream(s, e, &way);
    if (held != NULL) {
        *held -= 1;
        stream_arrival(s, m, at);
    }
    event_push_key(s, slot, at, key.order);
    return true;
}

void net_opened(struct sim *s)
{
    struct world *w = s->world;
    event_rekey(s, behind_held);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->held_n; i++)
        if (!send_on(s, s->held[i])) {
            s->held[kept] = s->held[i];
            kept++;
        }
    w->held_n = kept;
}

bool sim_reaches(const struct sim *s, uint16_t from, uint16_t to)
{
    struct message there = {.from = from, .to = to}, back = {.from = to, .to = from};
    struct way out = way_of(s, &there), home = way_of(s, &back);
    return s->threads[to].runs && gate_of(s, &out) == GATE_OPEN && gate_of(s, &home) == GATE_OPEN;
}

uint32_t sim_closures(const struct sim *s) { return s->world->closed; }

uint32_t sim_held(const struct sim *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; s->world->closed > 0 && i < s->world->held_n; i++)
        n += (s->events[key_slot(s->held[i])].marks & MARK_AT_LINK) != 0;
    return n;
}

bool sim_flies(const struct sim *s, uint16_t call)
{
    for (uint32_t i = 0; i < s->world->messages_high; i++)
        if (s->messages[i].call == call && s->messages[i].from != NONE16)
            return true;
    return false;
}

void sim_flights(const struct sim *s, uint64_t *bits, uint32_t n)
{
    for (uint32_t i = 0; i < s->world->messages_high; i++)
        if (s->messages[i].from != NONE16 && s->messages[i].call < n)
            bits[s->messages[i].call / 64] |= UINT64_C(1) << s->messages[i].call % 64;
}
