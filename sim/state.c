/* SPDX-License-Identifier: MIT
 *
 * state.c - a digest of all that the future can depend on, and of nothing else.
 *
 *  1. Every time is relative to now: two moments from which a run goes on in the same way have
 *     the same digest, wherever on the time line they lie.
 *  2. No slot, sequence number, cause, counter of labels, trace length or trace digest enters.
 *     Queued events enter in the order in which they will come, held ones in the order held.
 *  3. A clock's reading enters only if programs read clocks (plan->clocks_are_read); what is left
 *     of a deadline on it always does, and the fraction of a nanosecond that its reading hides.
 *  4. Programs that ask again and again are found out by Brent's method: one digest is remembered,
 *     for a span that doubles, so any cycle is met, with one word of memory.
 */
#include "sim/state.h"

static void hash_time(struct hasher *h, ns at, ns now)
{
    hash_word(h, at == NS_NEVER ? UINT64_MAX : at > now ? (uint64_t)(at - now) : 0);
}

static void hash_machines(const struct sim *s, struct hasher *h)
{
    for (uint32_t i = 0; i < s->plan->n_machines; i++) {
        const struct machine *m = &s->machines[i];
        hash_word(h, (uint64_t)m->drift_ppb);
        hash_word(h, (uint64_t)m->slew_ppb);
        hash_word(h, m->suspended);
        for (int kind = 0; kind < CLOCKS; kind++) {
            hash_word(h, machine_fraction(m, (enum clock_kind)kind, s->world->now));
            if (s->plan->clocks_are_read)
                hash_word(h, (uint64_t)(machine_read(m, (enum clock_kind)kind, s->world->now) - s->world->now));
        }
    }
}

static void hash_processes(const struct sim *s, struct hasher *h)
{
    for (uint32_t i = 0; i < s->plan->n_processes; i++) {
        const struct process *p = &s->processes[i];
        hash_word(h, (uint64_t)p->slow);
        hash_word(h, p->starts);
        hash_word(h, (uint64_t)p->paused << 16 | (uint64_t)p->up << 8 | p->order);
    }
    for (uint32_t i = 0; i < s->plan->n_threads; i++)
        hash_word(h, s->threads[i].paused);
    for (uint32_t i = 0; i < s->plan->n_conns; i++)
        for (int way = 0; way < 2; way++)
            hash_time(h, s->conns[i].last[way], s->world->now);
}

static void hash_faults(const struct sim *s, struct hasher *h)
{
    for (uint32_t i = 0; i < s->plan->n_triggers; i++)
        hash_word(h, s->triggers[i].remaining);
    uint64_t closures = 0; /* whichever stands first */
    for (uint32_t i = 0; i < s->world->closures_n; i++)
        closures += s->fault_kin[s->closures[i].fault] * (2 * (uint64_t)s->closures[i].times - 1);
    hash_word(h, closures);
    hash_word(h, s->world->armed_n);
    for (uint32_t i = 0; i < s->world->armed_n; i++) {
        hash_word(h, s->fault_kin[s->armed[i].fault]);
        hash_word(h, s->armed[i].remaining);
    }
}

static void hash_message(const struct message *m, struct hasher *h)
{
    hash_word(h, (uint64_t)m->from << 48 | (uint64_t)m->to << 32 | (uint64_t)m->conn << 16 | m->call);
    hash_word(h, (uint64_t)m->what << 48 | (uint64_t)m->tags << 32 | (uint64_t)m->kind << 16 | (uint64_t)m->flags << 8 |
                     m->wants_answer);
    for (int i = 0; i < MESSAGE_ARGS; i++)
        hash_word(h, (uint64_t)m->arg[i]);
}

/* What is left of a timer's deadline on its clock; the fault a reordered message waits for. */
static uint64_t time_left(const struct sim *s, const struct event *e, ns at)
{
    if (e->type != EVENT_TIMER)
        return e->marks & MARK_REORDERED ? s->fault_kin[e->deadline] : 0;
    if (e->clock == CLOCK_TRUE)
        return 0;
    if (e->clock == CLOCK_RUN) /* while it runs, its due time says it */
        return at == NS_NEVER ? (uint64_t)e->deadline : 0;
    const struct machine *m = &s->machines[machine_of(s, process_of(s, e->target))];
    return (uint64_t)(e->deadline - machine_read(m, (enum clock_kind)e->clock, s->world->now));
}

static void hash_event(const struct sim *s, const struct event *e, ns at, struct hasher *h)
{
    hash_word(h, (uint64_t)e->target << 48 | (uint64_t)e->kind << 32 | (uint64_t)e->type << 24 |
                     (uint64_t)e->flags << 16 | (uint64_t)e->marks << 8 | e->asked);
    hash_word(h, e->clock);
    hash_word(h, time_left(s, e, at));
    if (e->type == EVENT_MESSAGE)
        hash_message(&s->messages[e->subject], h);
    else if (e->type == EVENT_END)
        hash_word(h, s->fault_kin[e->subject]);
    else
        hash_word(h, (uint64_t)e->subject);
}

static void hash_events(struct sim *s, struct hasher *h)
{
    uint32_t n = s->world->queue_n;
    for (uint32_t i = 0; i < n; i++)
        s->sorted[i] = s->keys[i];
    queue_end(s->sorted, n);
    hash_word(h, n);
    while (n > 0) {
        struct key k = queue_pop(s->sorted, &n);
        hash_time(h, k.at, s->world->now);
        hash_word(h, key_class(k));
        hash_event(s, &s->events[key_slot(k)], k.at, h);
    }
    hash_word(h, s->world->held_n);
    for (uint32_t i = 0; i < s->world->held_n; i++)
        hash_event(s, &s->events[key_slot(s->held[i])], 0, h);
}

uint64_t sim_state_digest(struct sim *s)
{
    struct hasher h = {0};
    hash_machines(s, &h);
    hash_processes(s, &h);
    hash_faults(s, &h);
    hash_events(s, &h);
    if (s->model->digest != NULL)
        s->model->digest(s, &h);
    return h.h;
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
