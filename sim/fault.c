/* SPDX-License-Identifier: MIT
 *
 * fault.c - what each kind of fault does when it begins and when it ends.
 *
 *  1. A fault that strikes nothing (the crash of a crashed process) does nothing and emits nothing.
 *  2. One record for each process, machine or thread that is struck; its end's record has it as
 *     cause. Processes of one machine are one machine to a fault of machines. A main thread that is
 *     struck alone has a name of its own in them: what it does is told of its process's name.
 *  3. Closures are counted for each fault; `heal` ends all and takes their ends out of the queue.
 *  4. An inner pause that ends while another still holds its process emits nothing: nothing runs on.
 *  5. Faults that do the same from here on are kin: two states that differ in which of them is at work are one.
 *  6. Faults that records trigger wait in struck[], which is empty between two events.
 */
#include "sim/fault.h"

#include <string.h>

#include "sim/event.h"
#include "sim/net.h"
#include "sim/process.h"
#include "sim/timer.h"
#include "sim/trace.h"

bool ids_hold(const struct sim_plan *plan, struct ids ids, uint16_t id)
{
    for (uint32_t i = 0; i < ids.n; i++)
        if (plan->ids[ids.first + i] == id)
            return true;
    return false;
}

/* Processes, in whatever order they are listed. */
static uint64_t hash_processes(const struct sim *s, struct ids ids)
{
    uint64_t sum = ids.n;
    for (uint32_t i = 0; i < ids.n; i++)
        sum += hash_mix(1 + (uint64_t)AS(s, process, s->plan->ids[ids.first + i]));
    return sum;
}

/* Which machines stand together, whatever number their side has; those that see all stand apart. */
static uint64_t hash_sides(const struct sim *s, struct ids ids)
{
    const uint16_t *side = &s->plan->ids[ids.first];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ids.n; i++) {
        uint64_t members = 0;
        for (uint32_t k = 0; k < ids.n; k++)
            if (side[k] == side[i])
                members += hash_mix(1 + (uint64_t)AS(s, machine, k));
        sum += hash_step(hash_step(side[i] != 0, AS(s, machine, i)), members);
    }
    return sum;
}

uint64_t fault_kin_of(const struct sim *s, const struct fault_plan *f)
{
    uint64_t h = hash_step(f->kind, (uint64_t)(f->thread != NONE16) << 16 | (uint64_t)f->holding << 8 | f->both_ways);
    h = hash_step(h, (uint64_t)f->amount);
    switch (f->kind) {
    case FAULT_SLEW: return hash_step(h, (uint64_t)f->duration);
    case FAULT_PARTITION: return hash_step(h, hash_sides(s, f->a));
    case FAULT_CUT:
    case FAULT_DELAY:
    case FAULT_DROP:
    case FAULT_DUPLICATE:
    case FAULT_REORDER: return hash_step(hash_step(h, hash_processes(s, f->a)), hash_processes(s, f->b));
    default: return h;
    }
}

uint64_t sim_fault_kin(struct sim *s, uint32_t fault, const struct renaming *as)
{
    s->as = as;
    uint64_t kin = fault_kin_of(s, &s->plan->faults[fault]);
    s->as = NULL;
    return kin;
}

void sim_refault(struct sim *s, uint32_t fault)
{
    const struct fault_plan *f = &s->plan->faults[fault];
    s->steps_wall |= f->kind == FAULT_WALL_JUMP;
    s->clocks_change |= f->kind == FAULT_SUSPEND || f->kind == FAULT_WALL_JUMP || f->kind == FAULT_DRIFT ||
                        f->kind == FAULT_SLEW;
    s->fault_kin[fault] = fault_kin_of(s, f);
}

void fault_prepare(struct sim *s)
{
    for (uint32_t i = 0; i < s->plan->n_faults; i++)
        sim_refault(s, i);
}

bool sim_steps_wall(const struct sim *s) { return s->steps_wall; }

static void end_later(struct sim *s, uint32_t fault, uint16_t target)
{
    ns duration = s->plan->faults[fault].duration;
    if (duration != NS_NEVER)
        event_add(s, EVENT_END, target, fault, s->world->now + duration);
}

static void emit(struct sim *s, const struct fault_plan *f, uint16_t process, name_id actor, uint16_t verb,
                 struct value a, struct value b)
{
    struct value fields[2] = {a, b};
    sim_record(s, process, actor, verb, NONE16, fields, s->plan->verbs[verb].fields, f->line);
}

static const struct value nothing = {0, TAG_NONE};

/* --- processes and threads ----------------------------------------------------------- */

static void pause_thread(struct sim *s, uint32_t fault)
{
    const struct fault_plan *f = &s->plan->faults[fault];
    if (!thread_pause(s, f->thread))
        return;
    emit(s, f, process_of(s, f->thread), s->plan->threads[f->thread].alone, V_PAUSES, value_ns(f->duration), nothing);
    end_later(s, fault, f->thread);
}

static void pause_process(struct sim *s, uint32_t fault, uint16_t process)
{
    const struct fault_plan *f = &s->plan->faults[fault];
    if (!process_pause(s, process))
        return;
    emit(s, f, process, s->plan->processes[process].name, V_PAUSES, value_ns(f->duration), nothing);
    end_later(s, fault, process);
}

static void end_pause(struct sim *s, const struct fault_plan *f, uint16_t target)
{
    bool alone = f->thread != NONE16;
    uint16_t process = alone ? process_of(s, target) : target;
    if (alone ? !thread_unpause(s, target) : !process_unpause(s, target))
        return;
    name_id name = alone ? s->plan->threads[target].alone : s->plan->processes[process].name;
    emit(s, f, process, name, V_RESUMES, nothing, nothing);
    process_release(s, process);
}

static void crash(struct sim *s, uint32_t fault, uint16_t process)
{
    const struct fault_plan *f = &s->plan->faults[fault];
    if (!process_crash(s, process))
        return;
    emit(s, f, process, s->plan->processes[process].name, V_CRASHES, value_ns(f->duration),
         value_name(s->plan->losing_name[f->losing]));
    end_later(s, fault, process);
    if (s->model->crashed != NULL)
        s->model->crashed(s, process, (enum losing)f->losing);
}

static void end_crash(struct sim *s, const struct fault_plan *f, uint16_t process)
{
    process_restart(s, process);
    emit(s, f, process, s->plan->processes[process].name, V_RESTARTS, nothing, nothing);
    if (s->model->restarted != NULL)
        s->model->restarted(s, process);
    process_start_threads(s, process);
}

static void slow(struct sim *s, uint32_t fault, uint16_t process)
{
    const struct fault_plan *f = &s->plan->faults[fault];
    s->processes[process].slow += f->amount;
    emit(s, f, process, s->plan->processes[process].name, V_SLOWS, value_ns(f->amount), value_ns(f->duration));
    end_later(s, fault, process);
}

static void end_slow(struct sim *s, const struct fault_plan *f, uint16_t process)
{
    s->processes[process].slow -= f->amount;
    if (s->processes[process].slow == 0)
        emit(s, f, process, s->plan->processes[process].name, V_RECOVERS, nothing, nothing);
}

static void set_order(struct sim *s, uint32_t fault, uint16_t process)
{
    s->processes[process].order = s->plan->faults[fault].order;
}

/* --- machines --------------------------------------------------------------------------- */

static void suspend(struct sim *s, uint32_t fault, uint16_t machine)
{
    const struct fault_plan *f = &s->plan->faults[fault];
    process_suspend(s, machine);
    emit(s, f, NONE16, s->plan->machines[machine].name, V_SUSPENDS, value_ns(f->duration), nothing);
    end_later(s, fault, machine);
}

static void end_suspend(struct sim *s, const struct fault_plan *f, uint16_t machine)
{
    if (!process_unsuspend(s, machine))
        return;
    emit(s, f, NONE16, s->plan->machines[machine].name, V_RESUMES, nothing, nothing);
    for (uint32_t p = 0; p < s->plan->n_processes; p++)
        if (s->plan->processes[p].machine == machine)
            process_release(s, (uint16_t)p);
}

static void jump(struct sim *s, uint32_t fault, uint16_t machine)
{
    const struct fault_plan *f = &s->plan->faults[fault];
    machine_step_wall(&s->machines[machine], f->amount);
    timer_rekey(s);
    emit(s, f, NONE16, s->plan->machines[machine].name, V_JUMPS, value_ns(f->amount), nothing);
}

static void drift(struct sim *s, uint32_t fault, uint16_t machine)
{
    const struct fault_plan *f = &s->plan->faults[fault];
    struct machine *m = &s->machines[machine];
    machine_set_rate(m, f->ppb, m->slew_ppb, s->world->now);
    timer_rekey(s);
    bool whole = f->ppb % 1000 == 0; /* as the language says it */
    emit(s, f, NONE16, s->plan->machines[machine].name, V_DRIFTS,
         whole ? (struct value){f->ppb / 1000, TAG_INT} : nothing, whole ? nothing : (struct value){f->ppb, TAG_INT});
}

static void turn_slew(struct sim *s, uint16_t machine, int64_t ppb)
{
    struct machine *m = &s->machines[machine];
    machine_set_rate(m, m->drift_ppb, m->slew_ppb + ppb, s->world->now);
    timer_rekey(s);
}

static void slew(struct sim *s, uint32_t fault, uint16_t machine)
{
    const struct fault_plan *f = &s->plan->faults[fault];
    turn_slew(s, machine, clock_slew_ppb(f->amount, f->duration));
    emit(s, f, NONE16, s->plan->machines[machine].name, V_SLEWS, value_ns(f->amount), value_ns(f->duration));
    end_later(s, fault, machine);
}

/* --- links ---------------------------------------------------------------------------- */

/* Where the closure of this fault stands, or would. */
static uint32_t closure_at(const struct sim *s, uint32_t fault)
{
    uint32_t i = 0;
    while (i < s->world->closures_n && s->closures[i].fault < fault)
        i++;
    return i;
}

/* What a closure is called: one that a search made up has no words of its own. */
static struct value text_of(const struct sim *s, const struct fault_plan *f)
{
    return (struct value){f->text == NONE16 ? s->plan->net_name : f->text, TAG_TEXT};
}

static void close_links(struct sim *s, uint32_t fault)
{
    const struct fault_plan *f = &s->plan->faults[fault];
    struct world *w = s->world;
    ASSERT(f->kind == FAULT_CUT || f->a.n == s->plan->n_machines);
    uint32_t at = closure_at(s, fault);
    if (at == w->closures_n || s->closures[at].fault != fault) {
        ASSERT(w->closures_n < s->plan->n_faults);
        memmove(&s->closures[at + 1], &s->closures[at], (w->closures_n - at) * sizeof *s->closures);
        s->closures[at] = (struct closure){fault, 0};
        w->closures_n++;
    }
    s->closures[at].times++;
    w->closed++;
    emit(s, f, NONE16, s->plan->net_name, f->kind == FAULT_CUT ? V_CUTS : V_PARTITIONS, text_of(s, f),
         value_ns(f->duration));
    end_later(s, fault, NONE16);
}

static bool closed_in_words(const struct sim *s, name_id text)
{
    for (uint32_t i = 0; i < s->world->closures_n; i++)
        if (s->plan->faults[s->closures[i].fault].text == text)
            return true;
    return false;
}

/* It heals when the last that closed it in these words has ended. */
static void open_links(struct sim *s, uint32_t at)
{
    struct world *w = s->world;
    const struct fault_plan *f = &s->plan->faults[s->closures[at].fault];
    w->closed -= s->closures[at].times;
    w->closures_n--;
    memmove(&s->closures[at], &s->closures[at + 1], (w->closures_n - at) * sizeof *s->closures);
    if (!closed_in_words(s, f->text))
        emit(s, f, NONE16, s->plan->net_name, V_HEALS, text_of(s, f), nothing);
}

static void end_close(struct sim *s, uint32_t fault)
{
    uint32_t at = closure_at(s, fault);
    ASSERT(at < s->world->closures_n && s->closures[at].fault == fault);
    if (s->closures[at].times > 1) {
        s->closures[at].times--;
        s->world->closed--;
        return;
    }
    open_links(s, at);
    net_opened(s);
}

static bool ends_closure(const struct sim *s, const struct event *e, uint32_t who)
{
    (void)who;
    if (e->type != EVENT_END)
        return false;
    uint8_t kind = s->plan->faults[e->subject].kind;
    return kind == FAULT_PARTITION || kind == FAULT_CUT;
}

static void heal(struct sim *s, uint32_t cause)
{
    if (s->world->closed == 0)
        return;
    event_filter(s, ends_closure, 0);
    while (s->world->closures_n > 0) {
        s->cause = cause;
        open_links(s, 0);
    }
    net_opened(s);
}

/* --- the table -------------------------------------------------------------------------- */

typedef void (*strike_fn)(struct sim *s, uint32_t fault, uint16_t target);

static void strike_processes(struct sim *s, uint32_t fault, uint32_t cause, strike_fn strike)
{
    struct ids ids = s->plan->faults[fault].a;
    for (uint32_t i = 0; i < ids.n; i++) {
        s->cause = cause;
        strike(s, fault, s->plan->ids[ids.first + i]);
    }
}

static bool machine_struck_before(const struct sim *s, struct ids ids, uint32_t n, uint16_t machine)
{
    for (uint32_t i = 0; i < n; i++)
        if (machine_of(s, s->plan->ids[ids.first + i]) == machine)
            return true;
    return false;
}

static void strike_machines(struct sim *s, uint32_t fault, uint32_t cause, strike_fn strike)
{
    struct ids ids = s->plan->faults[fault].a;
    for (uint32_t i = 0; i < ids.n; i++) {
        uint16_t machine = machine_of(s, s->plan->ids[ids.first + i]);
        s->cause = cause;
        if (!machine_struck_before(s, ids, i, machine))
            strike(s, fault, machine);
    }
}

void fault_apply(struct sim *s, uint32_t fault, uint32_t cause)
{
    ASSERT(fault < s->plan->n_faults);
    const struct fault_plan *f = &s->plan->faults[fault];
    ASSERT(f->kind < FAULTS);
    s->cause = cause;
    switch ((enum fault_kind)f->kind) {
    case FAULT_PAUSE:
        if (f->thread != NONE16)
            pause_thread(s, fault);
        else
            strike_processes(s, fault, cause, pause_process);
        break;
    case FAULT_SUSPEND: strike_machines(s, fault, cause, suspend); break;
    case FAULT_CRASH: strike_processes(s, fault, cause, crash); break;
    case FAULT_PARTITION:
    case FAULT_CUT: close_links(s, fault); break;
    case FAULT_HEAL: heal(s, cause); break;
    case FAULT_DELAY:
    case FAULT_DROP:
    case FAULT_DUPLICATE:
    case FAULT_REORDER: net_arm(s, fault); break;
    case FAULT_WALL_JUMP: strike_machines(s, fault, cause, jump); break;
    case FAULT_DRIFT: strike_machines(s, fault, cause, drift); break;
    case FAULT_SLEW: strike_machines(s, fault, cause, slew); break;
    case FAULT_SLOW: strike_processes(s, fault, cause, slow); break;
    case FAULTS:
    case FAULT_RESUME_ORDER: strike_processes(s, fault, cause, set_order); break;
    }
}

void fault_end(struct sim *s, uint32_t fault, uint16_t target)
{
    const struct fault_plan *f = &s->plan->faults[fault];
    switch (f->kind) {
    case FAULT_PAUSE: end_pause(s, f, target); break;
    case FAULT_SUSPEND: end_suspend(s, f, target); break;
    case FAULT_CRASH: end_crash(s, f, target); break;
    case FAULT_PARTITION:
    case FAULT_CUT: end_close(s, fault); break;
    case FAULT_SLEW: turn_slew(s, target, -clock_slew_ppb(f->amount, f->duration)); break;
    default:
        ASSERT(f->kind == FAULT_SLOW);
        end_slow(s, f, target);
        break;
    }
}

/* --- faults that wait for the handler's end ----------------------------------------------- */

void fault_later(struct sim *s, uint32_t fault, uint32_t cause)
{
    if (s->struck_n >= s->struck_max) {
        world_full(s, FULL_STRUCK);
        return;
    }
    s->struck[s->struck_n] = (struct struck){fault, cause};
    s->struck_n++;
}

void fault_apply_later_ones(struct sim *s)
{
    for (uint32_t i = 0; i < s->struck_n; i++) /* applying one may add more */
        fault_apply(s, s->struck[i].fault, s->struck[i].cause);
    s->struck_n = 0;
}

bool sim_faults_outstanding(const struct sim *s)
{
    for (uint32_t i = 0; i < s->world->queue_n; i++) {
        const struct event *e = &s->events[key_slot(s->keys[i])];
        if (s->keys[i].at != NS_NEVER && (e->type == EVENT_FAULT || e->type == EVENT_END))
            return true;
    }
    return false;
}
