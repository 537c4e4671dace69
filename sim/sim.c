/* SPDX-License-Identifier: MIT
 *
 * sim.c - one event after another.
 *
 *     sim_step():  next key -> may the run go on? -> pop -> hold it, or handle it
 *                     -> put it aside if sim_before() said no -> faults it triggered
 *
 *  1. An event's slot is free again before its handler runs, so a model may set a timer in it.
 *  2. A run is alive while something queued keeps it so. When nothing but retries is left, each
 *     retry asks whether the run was in this very state before.
 *  3. A status other than SIM_RAN, SIM_IDLE, SIM_EMPTY, SIM_HORIZON and SIM_STEPS is final.
 */
#include "sim/sim.h"

#include "sim/event.h"
#include "sim/fault.h"
#include "sim/net.h"
#include "sim/process.h"
#include "sim/state.h"
#include "sim/trace.h"

/* --- handlers ------------------------------------------------------------------------------ */

static void begin_handler(struct sim *s, const struct event *e)
{
    s->current = *e;
    s->cause = e->cause;
    s->before_calls = 0;
    s->interrupted = false;
    s->in_handler = true;
}

/* The event comes again when its thread runs on; never, if its process crashed. */
COLD static void hold_interrupted(struct sim *s, struct key key)
{
    struct event *e = &s->current;
    if (!s->processes[process_of(s, e->target)].up)
        return;
    uint32_t slot = event_new(s);
    if (slot == NONE32)
        return;
    if (e->type == EVENT_MESSAGE) {
        uint32_t message = message_new(s);
        if (message == NONE32)
            return;
        s->messages[message] = s->message;
        e->subject = message;
    }
    e->marks |= MARK_INTERRUPTED | MARK_ARRIVED;
    e->asked = (uint8_t)(s->before_calls < 255 ? s->before_calls : 255);
    s->events[slot] = *e;
    event_hold(s, slot, key);
}

static void end_handler(struct sim *s, struct key key)
{
    s->in_handler = false;
    if (s->interrupted)
        hold_interrupted(s, key);
}

COLD static void note_receipt(struct sim *s, const struct message *m)
{
    const struct thread_plan *threads = s->plan->threads;
    struct value call = {m->call, TAG_INT};
    if (m->call == NONE16)
        call = (struct value){0, TAG_NONE};
    struct value fields[3] = {value_name(threads[m->from].name), value_name(m->what), call};
    sim_record(s, threads[m->to].process, threads[m->to].name, V_RECEIVES, NONE16, fields, 3, 0);
}

static inline void run_message(struct sim *s, uint32_t slot, struct key key)
{
    const struct event *e = &s->events[slot];
    if (!net_is_plain(s, e) && !net_arrives(s, slot, key))
        return;
    uint32_t message = (uint32_t)e->subject;
    begin_handler(s, e);
    s->message = s->messages[message];
    message_free(s, message);
    event_free(s, slot);
    if (s->verbs[V_RECEIVES].uses != USE_NOTE && s->current.asked == 0)
        note_receipt(s, &s->message);
    s->model->deliver(s, &s->message);
    end_handler(s, key);
}

static inline void run_timer(struct sim *s, uint32_t slot, struct key key)
{
    const struct event *e = &s->events[slot];
    if (!s->threads[e->target].runs && !event_may_run(s, e)) {
        event_hold(s, slot, key);
        return;
    }
    begin_handler(s, e);
    struct timer t = {
        .thread = e->target,
        .clock = e->clock,
        .flags = e->flags,
        .kind = e->kind,
        .process_wide = (e->marks & MARK_WIDE) != 0,
        .subject = e->subject,
        .deadline = e->deadline,
    };
    event_free(s, slot);
    s->model->timer(s, slot, &t);
    end_handler(s, key);
}

COLD static void run_start(struct sim *s, uint32_t slot, struct key key)
{
    if (!event_may_run(s, &s->events[slot])) {
        event_hold(s, slot, key);
        return;
    }
    begin_handler(s, &s->events[slot]);
    event_free(s, slot);
    s->model->start(s, s->current.target);
    end_handler(s, key);
}

/* --- the kernel's own events ---------------------------------------------------------------- */

COLD static void run_fault(struct sim *s, uint32_t slot)
{
    uint32_t fault = (uint32_t)s->events[slot].subject;
    event_free(s, slot);
    fault_apply(s, fault, 0);
}

COLD static void run_end(struct sim *s, uint32_t slot, struct key key)
{
    struct event *e = &s->events[slot];
    uint32_t fault = (uint32_t)e->subject;
    uint16_t target = e->target;
    if (s->plan->faults[fault].kind == FAULT_CRASH && !event_may_run(s, e)) {
        event_hold(s, slot, key); /* nothing starts on a suspended machine */
        return;
    }
    s->cause = e->cause;
    event_free(s, slot);
    fault_end(s, fault, target);
}

COLD static void run_release(struct sim *s, uint32_t slot)
{
    ASSERT(s->events[slot].type == EVENT_RELEASE);
    uint32_t cause = s->events[slot].cause;
    event_free(s, slot);
    event_release(s, cause);
}

COLD static void run_rare(struct sim *s, uint32_t slot, struct key key)
{
    switch ((enum event_type)s->events[slot].type) {
    case EVENT_START: run_start(s, slot, key); break;
    case EVENT_FAULT: run_fault(s, slot); break;
    case EVENT_END: run_end(s, slot, key); break;
    case EVENT_FREE:
    case EVENT_TIMER:
    case EVENT_MESSAGE:
    case EVENT_RELEASE: run_release(s, slot); break;
    }
}

static inline void run_event(struct sim *s, struct key key)
{
    uint32_t slot = key_slot(key);
    uint8_t type = s->events[slot].type;
    if (type == EVENT_TIMER)
        run_timer(s, slot, key);
    else if (type == EVENT_MESSAGE)
        run_message(s, slot, key);
    else
        run_rare(s, slot, key);
}

/* --- the loop --------------------------------------------------------------------------------- */

/* Retries go round in circles: the next event is one, and the run was in this very state before. */
static bool retries_in_vain(struct sim *s, struct key next)
{
    struct world *w = s->world;
    if (s->events[key_slot(next)].keep != KEEP_RETRY)
        return false;
    ns now = w->now;
    w->now = next.at;
    bool repeats = state_repeats(s);
    w->now = now;
    return repeats;
}

/* Nothing that surely keeps the run alive is queued. SIM_RAN: all the same something may come of what is. */
COLD static enum sim_status nothing_keeps(struct sim *s, ns until)
{
    struct world *w = s->world;
    if (w->queue_n == 0 || s->keys[0].at == NS_NEVER)
        return SIM_EMPTY;
    if (s->keys[0].at <= until)
        return SIM_RAN;
    return w->pending[KEEP_RETRY] == 0 || retries_in_vain(s, s->keys[0]) ? SIM_IDLE : SIM_RAN;
}

enum sim_status sim_step(struct sim *s, ns until)
{
    struct world *w = s->world;
    if (w->status != SIM_RAN)
        return (enum sim_status)w->status;
    if (w->pending[KEEP_RUN] == 0) {
        enum sim_status status = nothing_keeps(s, until);
        if (status != SIM_RAN)
            return status;
    }
    ns at = s->keys[0].at;
    if (at > s->plan->horizon) {
        w->now = s->plan->horizon;
        return SIM_HORIZON;
    }
    if (w->steps >= s->plan->limits.steps)
        return SIM_STEPS;
    w->steps++;
    w->now = at;
    run_event(s, event_take(s));
    if (s->struck_n > 0)
        fault_apply_later_ones(s);
    event_close(s);
    return (enum sim_status)w->status;
}

ns sim_next_at(const struct sim *s) { return s->world->queue_n == 0 ? NS_NEVER : s->keys[0].at; }

/* --- how it ended ----------------------------------------------------------------------------- */

const char *sim_full_name(const struct sim *s)
{
    static const char *const name[] = {"events", "messages", "records", "labels", "faults", "faults"};
    return s->world->status == SIM_FULL ? name[s->world->full] : "";
}

uint64_t sim_full_limit(const struct sim *s)
{
    const struct sim_limits *limits = &s->plan->limits;
    switch ((enum full)s->world->full) {
    case FULL_EVENTS: return limits->events;
    case FULL_MESSAGES: return limits->messages;
    case FULL_RECORDS: return s->trace_max;
    case FULL_LABELS: return limits->labels;
    case FULL_ARMED: return s->armed_max;
    case FULL_STRUCK: return s->struck_max;
    }
    return 0;
}

void sim_fail(struct sim *s, int32_t code, uint32_t line)
{
    struct world *w = s->world;
    if (w->status != SIM_RAN)
        return;
    w->status = SIM_FAILED;
    w->fail_code = code;
    w->fail_line = line;
}

int32_t sim_fail_code(const struct sim *s) { return s->world->fail_code; }

uint32_t sim_fail_line(const struct sim *s) { return s->world->fail_line; }

/* --- what models ask ---------------------------------------------------------------------------- */

ns sim_now(const struct sim *s) { return s->world->now; }

uint64_t sim_steps(const struct sim *s) { return s->world->steps; }

const struct sim_plan *sim_plan(const struct sim *s) { return s->plan; }

const void *sim_model_plan(const struct sim *s) { return s->model_plan; }

void *sim_model_state(struct sim *s) { return s->model_state; }

void sim_model_use(struct sim *s, uint32_t first, uint32_t last)
{
    ASSERT(first <= s->plan->model_bytes);
    ASSERT(last <= s->plan->model_bytes - first);
    s->world->model_used = first;
    s->world->model_tail = last;
}

void *sim_model_scratch(struct sim *s) { return s->model_scratch; }

uint16_t thread_machine(const struct sim *s, uint16_t thread) { return machine_of(s, process_of(s, thread)); }

ns clock_now(const struct sim *s, uint16_t machine, enum clock_kind clock)
{
    if (clock >= CLOCK_TRUE)
        return s->world->now;
    return machine_read(&s->machines[machine], clock, s->world->now);
}

ns thread_clock(const struct sim *s, uint16_t thread, enum clock_kind clock)
{
    return clock_now(s, machine_of(s, process_of(s, thread)), clock);
}

bool clock_passed(const struct sim *s, uint16_t machine, enum clock_kind clock, ns deadline)
{
    return clock_now(s, machine, clock) >= deadline;
}
