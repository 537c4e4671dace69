/* SPDX-License-Identifier: MIT
 *
 * process.c - the ways to stop, which differ (design.md 3).
 *
 *     pause a process   all its threads stand; clocks and network run on
 *     pause a thread    it alone stands
 *     suspend           the machine's processes stand, and its monotonic clock
 *     crash             the process and all its events are gone; so are pauses of it
 *
 *  1. Pauses and suspensions are counted, so overlapping ones nest: one runs again when the last
 *     of its own, its process's and its machine's has ended.
 *  2. `runs` of processes and threads follows from the counts and is never changed otherwise.
 *  3. What stopped threads miss is held (event.c). When one runs on, a release of fault class is
 *     queued for the same instant: faults that the resume triggers come before it.
 *  4. A message that has arrived at a process is in its socket buffer and dies with it; one that
 *     travels does not. A suspended machine answers nobody, not even for a crashed process.
 */
#include "sim/process.h"

#include "sim/choice.h"
#include "sim/timer.h"

void process_refresh(struct sim *s)
{
    for (uint32_t p = 0; p < s->plan->n_processes; p++) {
        struct process *process = &s->processes[p];
        const struct machine *machine = &s->machines[s->plan->processes[p].machine];
        process->runs = process->up && process->paused == 0 && machine->suspended == 0;
    }
    for (uint32_t t = 0; t < s->plan->n_threads; t++)
        s->threads[t].runs = s->processes[s->plan->threads[t].process].runs && s->threads[t].paused == 0;
    timer_rekey(s);
}

bool process_pause(struct sim *s, uint16_t process)
{
    if (!s->processes[process].up)
        return false;
    s->processes[process].paused++;
    process_refresh(s);
    return true;
}

bool process_unpause(struct sim *s, uint16_t process)
{
    ASSERT(s->processes[process].paused > 0);
    s->processes[process].paused--;
    process_refresh(s);
    return s->processes[process].runs;
}

bool thread_pause(struct sim *s, uint16_t thread)
{
    if (!s->processes[process_of(s, thread)].up)
        return false;
    s->threads[thread].paused++;
    process_refresh(s);
    return true;
}

bool thread_unpause(struct sim *s, uint16_t thread)
{
    ASSERT(s->threads[thread].paused > 0);
    s->threads[thread].paused--;
    process_refresh(s);
    return s->threads[thread].runs;
}

void process_suspend(struct sim *s, uint16_t machine)
{
    machine_suspend(&s->machines[machine], s->world->now);
    process_refresh(s);
}

bool process_unsuspend(struct sim *s, uint16_t machine)
{
    machine_resume(&s->machines[machine], s->world->now);
    process_refresh(s);
    return s->machines[machine].suspended == 0;
}

static bool ends_pause_of(const struct sim *s, const struct event *e, uint32_t process)
{
    const struct fault_plan *f = &s->plan->faults[e->subject];
    if (f->kind != FAULT_PAUSE)
        return false;
    return (f->thread == NONE16 ? e->target : process_of(s, e->target)) == process;
}

static bool gone_with(const struct sim *s, const struct event *e, uint32_t process)
{
    if (e->type == EVENT_END)
        return ends_pause_of(s, e, process);
    if (e->type == EVENT_MESSAGE)
        return e->marks & MARK_ARRIVED && process_of(s, e->target) == process;
    if (e->type == EVENT_TIMER || e->type == EVENT_START)
        return !(e->flags & TIMER_OBSERVER) && process_of(s, e->target) == process;
    return false;
}

bool process_crash(struct sim *s, uint16_t process)
{
    const struct process_plan *plan = &s->plan->processes[process];
    struct process *p = &s->processes[process];
    if (!p->up)
        return false;
    p->up = 0;
    p->paused = 0;
    p->order = RESUME_MERGED;
    for (uint32_t t = 0; t < plan->threads; t++)
        s->threads[plan->first_thread + t].paused = 0;
    event_filter(s, gone_with, process);
    process_refresh(s);
    return true;
}

void process_start_threads(struct sim *s, uint16_t process)
{
    const struct process_plan *plan = &s->plan->processes[process];
    for (uint16_t i = 0; i < plan->threads; i++) {
        uint16_t thread = (uint16_t)(plan->first_thread + i);
        if (s->plan->threads[thread].starts)
            event_add(s, EVENT_START, thread, 0, s->world->now);
    }
}

void process_restart(struct sim *s, uint16_t process)
{
    struct process *p = &s->processes[process];
    ASSERT(!p->up);
    p->up = 1;
    p->starts++;
    process_refresh(s);
}

void process_release(struct sim *s, uint16_t process)
{
    if (s->points && s->processes[process].runs) {
        uint32_t order = choice_resume(s, process);
        if (order > RESUME_MERGED && order <= RESUME_MESSAGES_FIRST)
            s->processes[process].order = (uint8_t)order;
    }
    event_add(s, EVENT_RELEASE, NONE16, 0, s->world->now);
}

uint16_t sim_start_count(const struct sim *s, uint16_t process)
{
    uint32_t starts = s->processes[process].starts;
    return starts < NONE16 ? (uint16_t)starts : NONE16;
}

bool sim_process_up(const struct sim *s, uint16_t process) { return s->processes[process].up; }

bool sim_thread_runs(const struct sim *s, uint16_t thread) { return s->threads[thread].runs; }

/* What a machine's clocks are, against what they were at the start. */
static uint32_t clocks_condition(const struct sim *s, uint16_t machine)
{
    const struct clock *now = s->machines[machine].clock;
    const struct clock *first = ((const struct machine *)world_at_start(s, &s->machines[machine]))->clock;
    bool slept = now[CLOCK_MONOTONIC].since != now[CLOCK_BOOTTIME].since ||
                 now[CLOCK_MONOTONIC].read != now[CLOCK_BOOTTIME].read;
    bool stepped = now[CLOCK_WALL].read - now[CLOCK_BOOTTIME].read !=
                   first[CLOCK_WALL].read - first[CLOCK_BOOTTIME].read;
    bool drifts = s->machines[machine].ppb != s->plan->machines[machine].ppb;
    return (drifts ? CONDITION_DRIFTS : 0) | (slept || stepped ? CONDITION_STEPPED : 0);
}

uint32_t sim_condition(const struct sim *s, uint16_t thread)
{
    uint16_t process = process_of(s, thread);
    const struct process *p = &s->processes[process];
    if (!s->clocks_change && s->threads[thread].runs && p->slow == 0)
        return 0;
    const struct machine *m = &s->machines[machine_of(s, process)];
    uint32_t clocks = s->clocks_change ? clocks_condition(s, machine_of(s, process)) : 0;
    if (s->threads[thread].runs && p->slow == 0)
        return clocks;
    return clocks | (p->up ? 0 : CONDITION_DOWN) | (p->paused + s->threads[thread].paused ? CONDITION_PAUSED : 0) |
           (m->suspended ? CONDITION_SUSPENDED : 0) | (p->slow ? CONDITION_SLOW : 0);
}

uint32_t sim_standing(const struct sim *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->plan->n_processes; i++)
        n += !s->threads[s->plan->processes[i].first_thread].runs;
    return n;
}

ns sim_slowness(const struct sim *s, uint16_t process) { return s->processes[process].slow; }
