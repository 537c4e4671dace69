/* SPDX-License-Identifier: MIT
 *
 * trigger.c - `before` and `after`: faults that wait for a record.
 *
 *  1. A trigger waits for the ordinal-th record (or sim_before()) of its actor, verb and object
 *     and fires once. What is left of the ordinal is state; when it fired is what the runner asks.
 *  2. `after` faults are applied when the handler has ended; `before` faults inside sim_before(),
 *     so the one who is about to act may be stopped, or gone, when it returns.
 *  3. A handler that sim_before() stopped is run again from its start. The calls it had made by
 *     then (event.asked) are answered by true, count for no trigger and are no decision points.
 */
#include "sim/choice.h"
#include "sim/event.h"
#include "sim/fault.h"

void trigger_prepare(struct sim *s)
{
    for (uint32_t i = 0; i < s->plan->n_triggers; i++) {
        const struct trigger_plan *t = &s->plan->triggers[i];
        ASSERT(t->ordinal > 0);
        s->triggers[i].remaining = t->ordinal;
        s->trigger_verbs[t->before != 0] |= UINT64_C(1) << (t->verb & 63);
        s->trigger_actors[t->before != 0] |= UINT64_C(1) << (t->actor & 63);
        s->world->waiting[t->before != 0]++;
    }
}

/* Counts one occurrence; true if the trigger fires now. */
static bool trigger_count(struct sim *s, uint32_t i)
{
    struct trigger *t = &s->triggers[i];
    t->remaining--;
    if (t->remaining > 0)
        return false;
    t->at = s->world->now;
    s->world->waiting[s->plan->triggers[i].before != 0]--;
    s->world->fired++;
    return s->plan->triggers[i].fault != NONE32;
}

static bool waits_for(const struct sim *s, uint32_t i, bool before, name_id actor, uint16_t verb, name_id object)
{
    const struct trigger_plan *t = &s->plan->triggers[i];
    return s->triggers[i].remaining > 0 && (t->before != 0) == before && t->verb == verb && t->actor == actor &&
           (t->object == NONE16 || t->object == object);
}

void trigger_after(struct sim *s, name_id actor, uint16_t verb, name_id object, uint32_t cause)
{
    for (uint32_t i = 0; i < s->plan->n_triggers; i++)
        if (waits_for(s, i, false, actor, verb, object) && trigger_count(s, i))
            fault_later(s, s->plan->triggers[i].fault, cause);
}

static void trigger_before(struct sim *s, name_id actor, uint16_t verb, name_id object)
{
    if (!trigger_waits(s, true, actor, verb))
        return;
    uint32_t cause = s->cause;
    for (uint32_t i = 0; i < s->plan->n_triggers; i++)
        if (waits_for(s, i, true, actor, verb, object) && trigger_count(s, i))
            fault_apply(s, s->plan->triggers[i].fault, cause);
    s->cause = cause;
}

bool sim_before(struct sim *s, uint16_t thread, name_id actor, uint16_t verb, name_id object)
{
    ASSERT(s->in_handler);
    ASSERT(thread == s->current.target);
    s->before_calls++;
    if (s->before_calls <= s->current.asked)
        return true;
    trigger_before(s, actor, verb, object);
    if (s->points)
        choice_before(s, actor, verb, object);
    if (event_thread_runs(s, s->current.target, s->current.flags, s->current.marks & MARK_WIDE))
        return true;
    s->interrupted = true;
    return false;
}

bool sim_waits_for(const struct sim *s, uint16_t verb)
{
    for (uint32_t i = 0; i < s->plan->n_triggers; i++)
        if (s->triggers[i].remaining > 0 && s->plan->triggers[i].verb == verb)
            return true;
    return false;
}

bool sim_interrupted(const struct sim *s) { return s->interrupted; }

bool sim_trigger_fired(const struct sim *s, uint32_t trigger, ns *at)
{
    ASSERT(trigger < s->plan->n_triggers);
    if (s->triggers[trigger].remaining > 0)
        return false;
    if (at != NULL)
        *at = s->triggers[trigger].at;
    return true;
}

uint32_t sim_triggers_fired(const struct sim *s) { return s->world->fired; }
