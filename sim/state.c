/* SPDX-License-Identifier: MIT
 *
 * state.c - a digest of all that the future can depend on, and of nothing else.
 *
 *  1. Every time is relative to now: two moments from which a run goes on in the same way have
 *     the same digest, wherever on the time line they lie.
 *  2. No slot, sequence number, cause, counter of labels, trace length or trace digest enters.
 *     Queued events enter in the order in which they will come, held ones in the order held.
 *  3. A clock's reading enters only if programs read that clock (plan->clocks_are_read), and then as it is: what a
 *     program keeps of it is absolute. What is left of a deadline on a clock always does, and the fraction of a
 *     nanosecond that its reading hides; by how much it is over does only where the clock can be set back.
 *  4. What is as it is in a calm run, a machine whose clocks run right, a stream on which nothing travels, is not fed:
 *     the digest is asked at every state of a search.
 *  5. Under a renaming all that stands under a number of a node stands under another: see struct renaming.
 *  6. Programs that ask again and again are found out by Brent's method: one digest is remembered,
 *     for a span that doubles, so any cycle is met, with one word of memory. A deviation is no part of any
 *     state: what was asked in vain before one struck may be answered after it.
 */
#include "sim/state.h"

#include "sim/fault.h"

/* The kernel's tags: what, and which of them. */
enum { FEED_MACHINE = 1, FEED_READING, FEED_PROCESS, FEED_THREAD, FEED_CONN, FEED_TRIGGER, FEED_CLOSURES, FEED_ARMED };

static inline void feed(struct hasher *h, uint64_t what, uint64_t which, uint64_t word)
{
    hash_tagged(h, what << 40 | which, word);
}

static inline uint64_t fault_kin(const struct sim *s, uint32_t fault)
{
    return s->as == NULL ? s->fault_kin[fault] : fault_kin_of(s, &s->plan->faults[fault]);
}

static inline uint64_t time_until(ns at, ns now) { return at > now ? (uint64_t)(at - now) : 0; }

static void hash_machines(const struct sim *s, struct hasher *h)
{
    for (uint32_t i = 0; i < s->plan->n_machines; i++) {
        const struct machine *m = &s->machines[i];
        uint32_t as = AS(s, machine, i);
        if (m->drift_ppb | m->slew_ppb | m->suspended) {
            feed(h, FEED_MACHINE, 8 * as, (uint64_t)m->drift_ppb);
            feed(h, FEED_MACHINE, 8 * as + 1, (uint64_t)m->slew_ppb);
            feed(h, FEED_MACHINE, 8 * as + 2, m->suspended);
            for (uint32_t kind = 0; kind < CLOCKS; kind++)
                feed(h, FEED_MACHINE, 8 * as + 3 + kind, machine_fraction(m, (enum clock_kind)kind, s->world->now));
        }
        for (uint32_t kind = 0; s->plan->clocks_are_read >> kind; kind++)
            if (s->plan->clocks_are_read >> kind & 1)
                feed(h, FEED_READING, 4 * as + kind, (uint64_t)machine_read(m, (enum clock_kind)kind, s->world->now));
    }
}

static void hash_processes(const struct sim *s, struct hasher *h)
{
    for (uint32_t i = 0; i < s->plan->n_processes; i++) {
        const struct process *p = &s->processes[i];
        uint32_t as = AS(s, process, i);
        if (p->slow == 0 && p->starts == 1 && p->paused == 0 && p->up == 1 && p->order == RESUME_MERGED)
            continue;
        feed(h, FEED_PROCESS, 2 * as, (uint64_t)p->slow);
        feed(h, FEED_PROCESS, 2 * as + 1,
             (uint64_t)p->starts << 32 | (uint64_t)p->paused << 16 | (uint64_t)p->up << 8 | p->order);
    }
    for (uint32_t i = 0; i < s->plan->n_threads; i++)
        if (s->threads[i].paused)
            feed(h, FEED_THREAD, AS(s, thread, i), s->threads[i].paused);
    for (uint32_t i = 0; i < s->plan->n_conns; i++)
        for (uint32_t way = 0; way < 2; way++)
            if (s->conns[i].last[way] > s->world->now)
                feed(h, FEED_CONN, 2 * (uint64_t)AS(s, conn, i) + way,
                     time_until(s->conns[i].last[way], s->world->now));
}

static void hash_faults(const struct sim *s, struct hasher *h)
{
    for (uint32_t i = 0; i < s->plan->n_triggers; i++)
        if (s->triggers[i].remaining)
            feed(h, FEED_TRIGGER, i, s->triggers[i].remaining);
    uint64_t closures = 0; /* whichever stands first */
    for (uint32_t i = 0; i < s->world->closures_n; i++)
        closures += fault_kin(s, s->closures[i].fault) * (2 * (uint64_t)s->closures[i].times - 1);
    if (closures)
        feed(h, FEED_CLOSURES, 0, closures);
    for (uint32_t i = 0; i < s->world->armed_n; i++) {
        feed(h, FEED_ARMED, 2 * i, fault_kin(s, s->armed[i].fault));
        feed(h, FEED_ARMED, 2 * i + 1, s->armed[i].remaining);
    }
}

/* --- events ---------------------------------------------------------------------------------------- */

static inline void hash_message(struct sim *s, const struct message *m, struct hasher *h)
{
    uint64_t call = m->call, any = 0;
    for (int i = 0; i < MESSAGE_ARGS; i++)
        any |= (uint64_t)m->arg[i];
    if (m->call != NONE16 && s->model->call_name != NULL)
        call = s->model->call_name(s, m->call);
    uint16_t conn = m->conn == NONE16 ? NONE16 : AS(s, conn, m->conn);
    hash_word(h, (uint64_t)AS(s, thread, m->from) << 48 | (uint64_t)AS(s, thread, m->to) << 32 | (uint64_t)conn << 16 |
                     m->what);
    hash_word(h, (uint64_t)m->tags << 48 | (uint64_t)m->kind << 32 | (uint64_t)m->flags << 16 |
                     (uint64_t)m->wants_answer << 8 | (any != 0));
    hash_word(h, call);
    bool renamed = s->as != NULL && s->model->argument != NULL;
    for (int i = 0; i < MESSAGE_ARGS && any; i++)
        hash_word(h, renamed ? s->model->argument(s, m, i) : (uint64_t)m->arg[i]);
}

/* What is left of a timer's deadline on its clock. One that is over stays so, unless that clock is set back. */
static inline uint64_t time_left(const struct sim *s, const struct event *e, ns at)
{
    if (e->clock == CLOCK_TRUE)
        return 0;
    if (e->clock == CLOCK_RUN) /* while it runs, its due time says it */
        return at == NS_NEVER ? (uint64_t)e->deadline : 0;
    const struct machine *m = &s->machines[machine_of(s, process_of(s, e->target))];
    const struct clock *c = &m->clock[e->clock];
    bool plain = m->ppb == 0 && m->suspended == 0;
    ns read = plain ? c->read + (s->world->now - c->since) : machine_read(m, (enum clock_kind)e->clock, s->world->now);
    return e->deadline > read || (e->clock == CLOCK_WALL && s->steps_wall) ? (uint64_t)(e->deadline - read) : 0;
}

static inline uint64_t subject_of(struct sim *s, const struct event *e)
{
    if (s->model->subject == NULL)
        return (uint64_t)e->subject;
    struct timer t = {
        .thread = e->target,
        .clock = e->clock,
        .flags = e->flags,
        .kind = e->kind,
        .process_wide = (e->marks & MARK_WIDE) != 0,
        .subject = e->subject,
        .deadline = e->deadline,
    };
    return s->model->subject(s, &t);
}

static uint16_t target_of(const struct sim *s, const struct event *e)
{
    if (s->as == NULL || e->target == NONE16)
        return e->target;
    if (e->type != EVENT_END)
        return s->as->thread[e->target];
    const struct fault_plan *f = &s->plan->faults[e->subject];
    switch (f->kind) {
    case FAULT_PAUSE: return f->thread != NONE16 ? s->as->thread[e->target] : s->as->process[e->target];
    case FAULT_SUSPEND:
    case FAULT_SLEW: return s->as->machine[e->target];
    default: return s->as->process[e->target];
    }
}

/* at: when it is due; a held one was before now. */
static void hash_event(struct sim *s, const struct event *e, ns at, uint64_t class, struct hasher *h)
{
    uint64_t due = at == NS_NEVER ? (UINT64_C(1) << 56) - 1 : time_until(at, s->world->now);
    hash_word(h, (uint64_t)target_of(s, e) << 48 | (uint64_t)e->kind << 32 | (uint64_t)e->type << 24 |
                     (uint64_t)e->flags << 16 | (uint64_t)e->marks << 8 | e->asked);
    hash_word(h, due | class << 56 | (uint64_t)e->clock << 59);
    switch (e->type) {
    case EVENT_TIMER:
        hash_word(h, time_left(s, e, at));
        hash_word(h, subject_of(s, e));
        break;
    case EVENT_MESSAGE:
        hash_word(h, e->marks & MARK_REORDERED ? fault_kin(s, (uint32_t)e->deadline) : 0);
        hash_message(s, &s->messages[e->subject], h);
        break;
    case EVENT_END: hash_word(h, fault_kin(s, (uint32_t)e->subject)); break;
    default: hash_word(h, (uint64_t)e->subject); break;
    }
}

/* In the order in which they will come: a heap is nearly that, and mostly short. */
static void sort_keys(struct key *sorted, const struct key *keys, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct key k = keys[i];
        uint32_t at = i;
        for (; at > 0 && key_less(k, sorted[at - 1]); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = k;
    }
}

#define FEW 64

/* A long one is emptied as a heap. */
static void hash_many(struct sim *s, uint32_t n, struct hasher *h)
{
    for (uint32_t i = 0; i < n; i++)
        s->sorted[i] = s->keys[i];
    queue_end(s->sorted, n);
    while (n > 0) {
        struct key k = queue_pop(s->sorted, &n);
        hash_event(s, &s->events[key_slot(k)], k.at, key_class(k), h);
    }
}

static void hash_events(struct sim *s, struct hasher *h)
{
    uint32_t n = s->world->queue_n;
    hash_word(h, (uint64_t)n << 32 | s->world->held_n);
    if (n > FEW) {
        hash_many(s, n, h);
    } else {
        sort_keys(s->sorted, s->keys, n);
        for (uint32_t i = 0; i < n; i++)
            hash_event(s, &s->events[key_slot(s->sorted[i])], s->sorted[i].at, key_class(s->sorted[i]), h);
    }
    for (uint32_t i = 0; i < s->world->held_n; i++)
        hash_event(s, &s->events[key_slot(s->held[i])], 0, 0, h);
}

static uint64_t digest(struct sim *s)
{
    struct hasher h = {0, 0};
    hash_machines(s, &h);
    hash_processes(s, &h);
    hash_faults(s, &h);
    if (s->model->digest != NULL)
        s->model->digest(s, &h);
    hash_events(s, &h);
    return hash_mix(h.h);
}

uint64_t sim_state_digest(struct sim *s) { return digest(s); }

uint64_t sim_state_digest_as(struct sim *s, const struct renaming *as)
{
    s->as = as;
    uint64_t h = digest(s);
    s->as = NULL;
    return h;
}

const struct renaming *sim_renaming(const struct sim *s) { return s->as; }

void state_forget(struct sim *s)
{
    s->world->seen_state = 0;
    s->world->seen_left = s->world->seen_span = 1;
}

bool state_repeats(struct sim *s)
{
    struct world *w = s->world;
    uint64_t digest = sim_state_digest(s);
    if (digest == w->seen_state)
        return true;
    w->seen_left--;
    if (w->seen_left == 0) {
        w->seen_state = digest;
        w->seen_span *= 2;
        w->seen_left = w->seen_span;
    }
    return false;
}
