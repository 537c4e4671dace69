/* SPDX-License-Identifier: MIT
 *
 * event.c - where events are: free, queued, held, or in the hands of a handler.
 *
 *  1. A slot is in the queue once, among the held once, or free. Free slots are given out again
 *     before new ones, so a run uses as many as were ever pending at one time.
 *  2. pending[] counts the queued events that will come (due before NS_NEVER) by what they mean
 *     for the end of the run. Held events keep no run alive.
 *  3. The held list stands in the order of the pops: by due and arrival time. Messages held at
 *     links (MARK_AT_LINK) stand there too; net.c sends them on.
 *  4. While an event is handled the front of the queue may be a hole: see event_close().
 */
#include "sim/event.h"

void event_add(struct sim *s, enum event_type type, uint16_t target, int64_t subject, ns at)
{
    uint32_t slot = event_new(s);
    if (slot == NONE32)
        return;
    s->events[slot] = (struct event){
        .subject = subject,
        .cause = s->cause,
        .target = target,
        .type = (uint8_t)type,
        .keep = KEEP_RUN,
    };
    event_push(s, slot, at, type == EVENT_START ? CLASS_TIMER : CLASS_FAULT);
}

void event_hold(struct sim *s, uint32_t slot, struct key key)
{
    struct world *w = s->world;
    ASSERT(w->held_n < s->plan->limits.events);
    s->held[w->held_n] = (struct key){key.at, (key.order & ~(uint64_t)SLOT_MAX) | slot};
    w->held_n++;
}

/* The front may be the hole of the event that is handled: it is due no more. */
bool sim_due_between(const struct sim *s, ns from, ns to)
{
    for (uint32_t i = s->hole; i < s->world->queue_n; i++) {
        const struct key *k = &s->keys[i];
        uint8_t type = s->events[key_slot(*k)].type;
        if (k->at >= from && k->at <= to && (type == EVENT_END || type == EVENT_MESSAGE))
            return true;
    }
    return false;
}

static bool machine_awake(const struct sim *s, uint16_t process)
{
    return s->machines[machine_of(s, process)].suspended == 0;
}

bool event_may_run(const struct sim *s, const struct event *e)
{
    if (e->type == EVENT_END) /* a crashed process starts again */
        return machine_awake(s, e->target);
    uint16_t process = process_of(s, e->target);
    if (e->type == EVENT_MESSAGE && !s->processes[process].up)
        return machine_awake(s, process); /* to bounce */
    return event_thread_runs(s, e->target, e->flags, e->marks & MARK_WIDE);
}

/* The pass of event_release() in which the event goes; 3: not now. */
static uint32_t release_rank(const struct sim *s, const struct event *e)
{
    if (e->marks & MARK_AT_LINK || !event_may_run(s, e))
        return 3;
    if (e->marks & MARK_INTERRUPTED || e->type == EVENT_END)
        return 0;
    uint8_t order = s->processes[process_of(s, e->target)].order;
    bool message = e->type == EVENT_MESSAGE;
    bool late = (order == RESUME_TIMERS_FIRST && message) || (order == RESUME_MESSAGES_FIRST && !message);
    return late ? 2 : 1;
}

static void forget_orders(struct sim *s)
{
    for (uint32_t p = 0; p < s->plan->n_processes; p++)
        if (s->processes[p].runs)
            s->processes[p].order = RESUME_MERGED;
}

void event_release(struct sim *s, uint32_t cause)
{
    struct world *w = s->world;
    for (uint32_t pass = 0; pass < 3; pass++)
        for (uint32_t i = 0; i < w->held_n; i++) {
            uint32_t slot = key_slot(s->held[i]);
            if (release_rank(s, &s->events[slot]) != pass)
                continue;
            if (s->events[slot].marks & MARK_INTERRUPTED)
                s->events[slot].cause = cause; /* it goes on because its process does */
            event_push(s, slot, w->now, CLASS_BACKLOG);
        }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->held_n; i++)
        if (release_rank(s, &s->events[key_slot(s->held[i])]) == 3) {
            s->held[kept] = s->held[i];
            kept++;
        }
    w->held_n = kept;
    forget_orders(s);
}

static void free_event(struct sim *s, uint32_t slot)
{
    if (s->events[slot].type == EVENT_MESSAGE)
        message_free(s, (uint32_t)s->events[slot].subject);
    event_free(s, slot);
}

void event_remove(struct sim *s, uint32_t slot)
{
    struct world *w = s->world;
    event_close(s);
    uint32_t i = queue_find(s->keys, w->queue_n, slot);
    if (i != NONE32) {
        if (s->keys[i].at != NS_NEVER)
            w->pending[s->events[slot].keep]--;
        queue_remove(s->keys, &w->queue_n, i);
    } else {
        i = queue_find(s->held, w->held_n, slot);
        ASSERT(i != NONE32);
        w->held_n--;
        for (; i < w->held_n; i++)
            s->held[i] = s->held[i + 1];
    }
    free_event(s, slot);
}

static uint32_t filter_keys(struct sim *s, struct key *keys, uint32_t n, event_gone_fn gone, uint32_t who)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t slot = key_slot(keys[i]);
        if (gone(s, &s->events[slot], who)) {
            free_event(s, slot);
        } else {
            keys[kept] = keys[i];
            kept++;
        }
    }
    return kept;
}

static ns same_due(struct sim *s, struct event *e, ns at)
{
    (void)s;
    (void)e;
    return at;
}

void event_filter(struct sim *s, event_gone_fn gone, uint32_t who)
{
    struct world *w = s->world;
    event_close(s);
    w->held_n = filter_keys(s, s->held, w->held_n, gone, who);
    w->queue_n = filter_keys(s, s->keys, w->queue_n, gone, who);
    event_rekey(s, same_due);
}

void event_rekey(struct sim *s, event_due_fn due)
{
    struct world *w = s->world;
    event_close(s);
    for (int keep = 0; keep < KEEPS; keep++)
        w->pending[keep] = 0;
    for (uint32_t i = 0; i < w->queue_n; i++) {
        struct event *e = &s->events[key_slot(s->keys[i])];
        ns at = due(s, e, s->keys[i].at);
        ASSERT(at >= w->now);
        s->keys[i].at = at > NS_MAX ? NS_NEVER : at;
        if (s->keys[i].at != NS_NEVER)
            w->pending[e->keep]++;
    }
    queue_order(s->keys, w->queue_n);
}
