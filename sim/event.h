/* SPDX-License-Identifier: MIT
 *
 * event.h - events in their arena, in the queue, or held. See event.c.
 */
#ifndef FENCEPOST_SIM_EVENT_H
#define FENCEPOST_SIM_EVENT_H

#include "sim/world.h"

/* --- what every event needs: here, for speed ------------------------------------------------- */

/* A slot for an event, its content undefined. NONE32: the run is over (SIM_FULL). */
static inline uint32_t event_new(struct sim *s)
{
    struct world *w = s->world;
    if (w->events_free > 0) {
        uint32_t slot = w->events_free - 1;
        w->events_free = (uint32_t)s->events[slot].subject;
        return slot;
    }
    if (w->events_high >= s->plan->limits.events) {
        world_full(s, FULL_EVENTS);
        return NONE32;
    }
    return w->events_high++;
}

static inline void event_free(struct sim *s, uint32_t slot)
{
    struct event *e = &s->events[slot];
    e->type = EVENT_FREE;
    e->subject = s->world->events_free;
    s->world->events_free = slot + 1;
}

/* A message slot; NONE32: the run is over. */
static inline uint32_t message_new(struct sim *s)
{
    struct world *w = s->world;
    if (w->messages_free > 0) {
        uint32_t slot = w->messages_free - 1;
        w->messages_free = (uint32_t)s->messages[slot].arg[0];
        return slot;
    }
    if (w->messages_high >= s->plan->limits.messages) {
        world_full(s, FULL_MESSAGES);
        return NONE32;
    }
    return w->messages_high++;
}

static inline void message_free(struct sim *s, uint32_t slot)
{
    struct message *m = &s->messages[slot];
    m->from = NONE16; /* free: sim_flights() passes over it */
    m->arg[0] = s->world->messages_free;
    s->world->messages_free = slot + 1;
}

/* The event that is being handled has left a hole at the front of the queue, for the next one that is queued:
 * most events lead to one other, and this spares half of the sifting. Whoever looks at the keys closes it first. */
static inline void event_close(struct sim *s)
{
    if (!s->hole)
        return;
    s->hole = false;
    queue_pop(s->keys, &s->world->queue_n);
}

/* Queues an event with the order of a key it had before. */
static inline void event_push_key(struct sim *s, uint32_t slot, ns at, uint64_t order)
{
    struct world *w = s->world;
    struct key k = {at > NS_MAX ? NS_NEVER : at, order};
    if (k.at != NS_NEVER)
        w->pending[s->events[slot].keep]++;
    if (s->hole) {
        s->hole = false;
        queue_replace(s->keys, w->queue_n, k);
    } else {
        queue_push(s->keys, &w->queue_n, k);
    }
}

/* Queues it behind all others of this time and class. */
static inline void event_push(struct sim *s, uint32_t slot, ns at, enum event_class class)
{
    struct world *w = s->world;
    ASSERT(at >= w->now);
    event_push_key(s, slot, at, key_order(class, w->sequence, slot));
    w->sequence++;
}

/* The next event, which there is: its key leaves a hole. */
static inline struct key event_take(struct sim *s)
{
    struct key k = s->keys[0];
    ASSERT(!s->hole);
    s->hole = true;
    s->world->pending[s->events[key_slot(k)].keep]--;
    return k;
}

/* --- what fewer need ------------------------------------------------------------------------- */

/* A kernel's event without a message: a fault, an end, a start, a release. */
void event_add(struct sim *s, enum event_type type, uint16_t target, int64_t subject, ns at);

/* Whether nothing stops a thread for what is to run there: an observer is never stopped, and a pause of the thread
 * alone does not stop what is process-wide. */
static inline bool event_thread_runs(const struct sim *s, uint16_t thread, unsigned flags, bool process_wide)
{
    if (flags & TIMER_OBSERVER)
        return true;
    return process_wide ? s->processes[process_of(s, thread)].runs : s->threads[thread].runs;
}

/* Puts an event that was popped aside; key says when it was due. */
void event_hold(struct sim *s, uint32_t slot, struct key key);
/* True if nothing stops the thread that the event is for. */
bool event_may_run(const struct sim *s, const struct event *e);
/* Queues what is held and may run, each process's in its resume order. */
void event_release(struct sim *s, uint32_t cause);

/* Takes an event out of the queue or the held ones and frees it. */
void event_remove(struct sim *s, uint32_t slot);
/* The same for all that gone() says. */
typedef bool (*event_gone_fn)(const struct sim *s, const struct event *e, uint32_t who);
void event_filter(struct sim *s, event_gone_fn gone, uint32_t who);

/* Works out anew when each queued event is due. */
typedef ns (*event_due_fn)(struct sim *s, struct event *e, ns at);
void event_rekey(struct sim *s, event_due_fn due);

#endif
