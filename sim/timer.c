/* SPDX-License-Identifier: MIT
 *
 * timer.c - timers: deadlines on a named clock, kept right when that clock changes.
 *
 *  1. An event's deadline is what the model gave; when it is due in true time is only in its key,
 *     and is worked out anew whenever a clock, or what runs, changes.
 *  2. A CLOCK_RUN timer of a thread that stands still is due NS_NEVER, and its deadline is the
 *     running time that is left.
 *  3. A timer on a monotonic clock that stands still is due NS_NEVER unless it is due now.
 */
#include "sim/timer.h"

static ns due_running(struct sim *s, struct event *e, ns at)
{
    ns now = s->world->now;
    bool runs = event_may_run(s, e);
    if (runs && at == NS_NEVER)
        return e->deadline > NS_MAX - now ? NS_NEVER : now + e->deadline;
    if (runs || at == NS_NEVER)
        return at;
    e->deadline = at - now;
    return NS_NEVER;
}

static ns timer_due(struct sim *s, struct event *e, ns at)
{
    if (e->type != EVENT_TIMER || e->clock == CLOCK_TRUE)
        return at;
    if (e->clock == CLOCK_RUN)
        return due_running(s, e, at);
    const struct machine *m = &s->machines[machine_of(s, process_of(s, e->target))];
    ns due = machine_due(m, (enum clock_kind)e->clock, e->deadline, s->world->now);
    return due > s->world->now ? due : s->world->now;
}

void timer_rekey(struct sim *s) { event_rekey(s, timer_due); }

/* Of a timer that is new. */
static ns first_due(const struct sim *s, const struct timer *t)
{
    ns now = s->world->now;
    if (t->clock == CLOCK_TRUE)
        return t->deadline > now ? t->deadline : now;
    if (t->clock < CLOCK_TRUE) {
        const struct machine *m = &s->machines[machine_of(s, process_of(s, t->thread))];
        return machine_due(m, (enum clock_kind)t->clock, t->deadline, now);
    }
    bool runs = event_thread_runs(s, t->thread, t->flags, t->process_wide);
    return !runs || t->deadline > NS_MAX - now ? NS_NEVER : now + t->deadline;
}

static inline enum event_keep timer_keep(unsigned flags)
{
    if (flags & TIMER_RETRY)
        return KEEP_RETRY;
    return flags & TIMER_KEEPS ? KEEP_RUN : KEEP_NOT;
}

static inline void write_event(struct sim *s, struct event *e, const struct timer *t)
{
    *e = (struct event){
        .subject = t->subject,
        .deadline = t->deadline,
        .cause = s->cause,
        .target = t->thread,
        .kind = t->kind,
        .type = EVENT_TIMER,
        .flags = t->flags,
        .clock = t->clock,
        .keep = (uint8_t)timer_keep(t->flags),
        .marks = t->process_wide ? MARK_WIDE : 0,
    };
}

uint32_t timer_set(struct sim *s, const struct timer *t)
{
    ASSERT(t->thread < s->plan->n_threads);
    ASSERT(t->clock <= CLOCK_RUN);
    ASSERT(t->clock != CLOCK_RUN || t->deadline >= 0);
    ASSERT(t->flags & TIMER_OBSERVER || s->processes[process_of(s, t->thread)].up);
    uint32_t slot = event_new(s);
    if (slot == NONE32)
        return NONE32;
    write_event(s, &s->events[slot], t);
    event_push(s, slot, first_due(s, t), t->flags & TIMER_OBSERVER ? CLASS_BACKLOG : CLASS_TIMER);
    return slot;
}

void timer_cancel(struct sim *s, uint32_t slot)
{
    ASSERT(slot < s->world->events_high);
    ASSERT(s->events[slot].type == EVENT_TIMER);
    event_remove(s, slot);
}

uint32_t sim_soon(struct sim *s, uint16_t thread, uint16_t kind, int64_t subject, unsigned flags)
{
    struct timer t = {
        .thread = thread,
        .clock = CLOCK_TRUE,
        .flags = (uint8_t)flags,
        .kind = kind,
        .subject = subject,
        .deadline = s->world->now,
    };
    ASSERT(thread < s->plan->n_threads);
    ASSERT(!(flags & TIMER_OBSERVER));
    ASSERT(s->processes[process_of(s, thread)].up);
    uint32_t slot = event_new(s);
    if (slot == NONE32)
        return NONE32;
    write_event(s, &s->events[slot], &t);
    event_push(s, slot, t.deadline, CLASS_TIMER);
    return slot;
}
