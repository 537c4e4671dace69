/* SPDX-License-Identifier: MIT
 *
 * fault_text.c - a fault, and what it waits for, as a line of the language says them.
 *
 * The plan has no lines: names are found from the ids that a fault strikes, so that a fault which a search made up
 * reads like one that a person wrote. What stands here is read back as the same fault:
 *
 *  1. A name strikes every process that has it (a node's program and the service of the node's name; what a
 *     quorum is called, its voters). Where a fault strikes some of them and not all, no line says that.
 *  2. A machine goes by its name, or by that of something on it, where its own means a quorum's voters.
 *  3. What a closed link is called stands in the trace: if the fault knows it (`text`), it is said just so.
 */
#include <stdio.h>
#include <string.h>

#include "scenarios/language/compile.h"

/* The text so far: n bytes, of which those that fit stand in out. */
struct said {
    const struct sim_plan *plan;
    char *out;
    size_t size, n;
    bool unsayable;
};

static void say(struct said *s, const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length && s->n + i + 1 < s->size; i++) {
        s->out[s->n + i] = text[i];
        s->out[s->n + i + 1] = '\0';
    }
    s->n += length;
}

static void say_name(struct said *s, name_id name)
{
    ASSERT(name < s->plan->names->n);
    say(s, s->plan->names->text[name]);
}

static void say_duration(struct said *s, const char *before, ns duration)
{
    char text[48];
    duration_format(duration, text, sizeof text);
    say(s, before);
    say(s, text);
}

static void say_signed(struct said *s, ns amount)
{
    say_duration(s, amount < 0 ? "-" : "+", amount < 0 ? -amount : amount);
}

/* +500ppm, -0.25ppm */
static void say_rate(struct said *s, int64_t ppb)
{
    char text[32];
    long long size = ppb < 0 ? -ppb : ppb;
    int n = snprintf(text, sizeof text, "%s%lld", ppb < 0 ? "-" : "+", size / 1000);
    if (size % 1000 != 0)
        n += snprintf(text + n, sizeof text - (size_t)n, ".%03lld", size % 1000);
    while (size % 1000 != 0 && text[n - 1] == '0')
        text[--n] = '\0';
    say(s, text);
    say(s, "ppm");
}

static void say_number(struct said *s, uint32_t ordinal)
{
    char text[16];
    if (ordinal <= 1)
        return;
    snprintf(text, sizeof text, " #%u", ordinal);
    say(s, text);
}

static void say_for(struct said *s, ns duration)
{
    if (duration != NS_NEVER)
        say_duration(s, " for ", duration);
}

/* --- whom ------------------------------------------------------------------------------------------------ */

static const char *process_text(const struct sim_plan *plan, uint32_t process)
{
    ASSERT(process < plan->n_processes);
    return plan->names->text[plan->processes[process].name];
}

/* Whether the voter's name is `name`, a dot and a number: no other process has a dot in its name. */
static bool is_voter_of(const char *voter, const char *name)
{
    size_t n = strlen(name);
    return strncmp(voter, name, n) == 0 && voter[n] == '.';
}

static bool names_quorum(const struct sim_plan *plan, const char *name)
{
    for (uint32_t p = 0; p < plan->n_processes; p++)
        if (is_voter_of(process_text(plan, p), name))
            return true;
    return false;
}

static bool list_has(const struct sim_plan *plan, struct ids ids, uint32_t n, uint32_t process)
{
    for (uint32_t i = 0; i < n; i++)
        if (plan->ids[ids.first + i] == process)
            return true;
    return false;
}

/* Whether the list holds all that the name of this process strikes. */
static bool all_of_name(const struct sim_plan *plan, struct ids ids, uint32_t process)
{
    const char *name = process_text(plan, process);
    for (uint32_t p = 0; p < plan->n_processes; p++) {
        bool struck = plan->processes[p].name == plan->processes[process].name ||
                      is_voter_of(process_text(plan, p), name);
        if (struck && !list_has(plan, ids, ids.n, p))
            return false;
    }
    return true;
}

static bool said_already(const struct sim_plan *plan, struct ids ids, uint32_t n, name_id name)
{
    for (uint32_t i = 0; i < n; i++)
        if (plan->processes[plan->ids[ids.first + i]].name == name)
            return true;
    return false;
}

static void say_processes(struct said *s, struct ids ids)
{
    s->unsayable |= ids.n == 0;
    for (uint32_t i = 0; i < ids.n; i++) {
        uint16_t process = s->plan->ids[ids.first + i];
        name_id name = s->plan->processes[process].name;
        if (said_already(s->plan, ids, i, name))
            continue;
        s->unsayable |= !all_of_name(s->plan, ids, process);
        say(s, i == 0 ? "" : " ");
        say_name(s, name);
    }
}

/* Of all that have its name, the service comes last. */
static bool is_service(const struct sim_plan *plan, uint16_t process)
{
    for (uint32_t p = process + 1u; p < plan->n_processes; p++)
        if (plan->processes[p].name == plan->processes[process].name)
            return false;
    return !plan->threads[plan->processes[process].first_thread].starts &&
           !names_quorum(plan, process_text(plan, process));
}

/* `slow` means services alone. */
static void say_services(struct said *s, struct ids ids)
{
    s->unsayable |= ids.n == 0;
    for (uint32_t i = 0; i < ids.n; i++) {
        uint16_t process = s->plan->ids[ids.first + i];
        s->unsayable |= !is_service(s->plan, process);
        say(s, i == 0 ? "" : " ");
        say_name(s, s->plan->processes[process].name);
    }
}

static uint32_t machine_named(const struct sim_plan *plan, name_id name)
{
    for (uint32_t m = 0; m < plan->n_machines; m++)
        if (plan->machines[m].name == name)
            return m;
    return NONE32;
}

/* What else is on the machine and means it: not the name of another machine, nor of a quorum. */
static name_id tenant_of(const struct sim_plan *plan, uint16_t machine)
{
    for (uint32_t p = 0; p < plan->n_processes; p++) {
        name_id name = plan->processes[p].name;
        if (plan->processes[p].machine == machine && machine_named(plan, name) == NONE32 &&
            !names_quorum(plan, plan->names->text[name]))
            return name;
    }
    return NONE16;
}

static void say_machine(struct said *s, uint16_t machine)
{
    ASSERT(machine < s->plan->n_machines);
    name_id name = s->plan->machines[machine].name;
    if (names_quorum(s->plan, s->plan->names->text[name]))
        name = tenant_of(s->plan, machine);
    s->unsayable |= name == NONE16;
    if (name != NONE16)
        say_name(s, name);
}

static bool machine_said(const struct sim_plan *plan, struct ids ids, uint32_t n, uint16_t machine)
{
    for (uint32_t i = 0; i < n; i++)
        if (plan->processes[plan->ids[ids.first + i]].machine == machine)
            return true;
    return false;
}

/* Processes that stand for their machines. */
static void say_machines(struct said *s, struct ids ids)
{
    s->unsayable |= ids.n == 0;
    for (uint32_t i = 0; i < ids.n; i++) {
        uint16_t machine = s->plan->processes[s->plan->ids[ids.first + i]].machine;
        if (machine_said(s->plan, ids, i, machine))
            continue;
        say(s, i == 0 ? "" : " ");
        say_machine(s, machine);
    }
}

/* --- links ------------------------------------------------------------------------------------------------- */

static void say_link(struct said *s, const struct fault_plan *f)
{
    say_processes(s, f->a);
    say(s, f->both_ways ? " - " : " -> ");
    say_processes(s, f->b);
}

/* The machines on one side, behind a bar if it is not the first; whether there are any. */
static bool say_side(struct said *s, struct ids sides, uint32_t side, bool first)
{
    bool any = false;
    for (uint32_t m = 0; m < sides.n; m++) {
        if (s->plan->ids[sides.first + m] != side)
            continue;
        say(s, any ? " " : first ? "" : " | ");
        say_machine(s, (uint16_t)m);
        any = true;
    }
    return any;
}

static void say_sides(struct said *s, struct ids sides)
{
    uint32_t said = 0, most = 0;
    for (uint32_t m = 0; m < sides.n; m++)
        if (most < s->plan->ids[sides.first + m])
            most = s->plan->ids[sides.first + m];
    for (uint32_t side = 1; side <= most; side++)
        said += say_side(s, sides, side, said == 0);
    s->unsayable |= said < 2;
}

static void say_closure(struct said *s, const struct fault_plan *f)
{
    bool cut = f->kind == FAULT_CUT;
    say(s, cut ? "cut " : "partition ");
    if (f->text != NONE16)
        say_name(s, f->text);
    else if (cut)
        say_link(s, f);
    else
        say_sides(s, f->a);
    say_for(s, f->duration);
    say(s, f->holding ? " holding" : "");
}

static void say_message(struct said *s, const char *word, const struct fault_plan *f, const char *amount)
{
    s->unsayable |= f->both_ways;
    say(s, word);
    say_link(s, f);
    say_number(s, f->ordinal);
    if (amount != NULL)
        say_duration(s, amount, f->amount);
}

/* --- one kind each ------------------------------------------------------------------------------------------- */

static void say_pause(struct said *s, const struct fault_plan *f)
{
    say(s, "pause ");
    if (f->thread == NONE16) {
        say_processes(s, f->a);
    } else {
        const struct thread_plan *t = &s->plan->threads[f->thread];
        s->unsayable |= t->alone == s->plan->processes[t->process].name; /* a service's, or of no program */
        say_name(s, t->alone);
    }
    say_for(s, f->duration);
}

static void say_crash(struct said *s, const struct fault_plan *f)
{
    say(s, "crash ");
    say_processes(s, f->a);
    say_for(s, f->duration);
    if (f->losing != LOSING_VOLATILE)
        say(s, f->losing == LOSING_UNSYNCED ? " losing unsynced" : " losing everything");
}

static void say_wall(struct said *s, const struct fault_plan *f)
{
    say(s, "wall ");
    say_machines(s, f->a);
    say(s, " jumps ");
    say_signed(s, f->amount);
}

static void say_drift(struct said *s, const struct fault_plan *f)
{
    say(s, "clock ");
    say_machines(s, f->a);
    say(s, " drifts ");
    say_rate(s, f->ppb);
}

static void say_slew(struct said *s, const struct fault_plan *f)
{
    say(s, "clock ");
    say_machines(s, f->a);
    say(s, " slews ");
    say_signed(s, f->amount);
    say_duration(s, " over ", f->duration);
}

static void say_suspend(struct said *s, const struct fault_plan *f)
{
    say(s, "suspend ");
    say_machines(s, f->a);
    say_for(s, f->duration);
}

static void say_slow(struct said *s, const struct fault_plan *f)
{
    say(s, "slow ");
    say_services(s, f->a);
    say_duration(s, " by ", f->amount);
    say_for(s, f->duration);
}

static void say_order(struct said *s, const struct fault_plan *f)
{
    s->unsayable |= f->order == RESUME_MERGED;
    say(s, f->order == RESUME_TIMERS_FIRST ? "timers first" : "messages first");
}

static void say_fault(struct said *s, const struct fault_plan *f)
{
    ASSERT(f->kind < FAULTS);
    switch ((enum fault_kind)f->kind) {
    case FAULT_PAUSE: say_pause(s, f); break;
    case FAULT_SUSPEND: say_suspend(s, f); break;
    case FAULT_CRASH: say_crash(s, f); break;
    case FAULT_PARTITION:
    case FAULT_CUT: say_closure(s, f); break;
    case FAULT_HEAL: say(s, "heal"); break;
    case FAULT_DELAY: say_message(s, "delay ", f, " by "); break;
    case FAULT_DROP: say_message(s, "drop ", f, NULL); break;
    case FAULT_DUPLICATE: say_message(s, "duplicate ", f, " after "); break;
    case FAULT_REORDER: say_message(s, "reorder ", f, NULL); break;
    case FAULT_WALL_JUMP: say_wall(s, f); break;
    case FAULT_DRIFT: say_drift(s, f); break;
    case FAULT_SLEW: say_slew(s, f); break;
    case FAULT_SLOW: say_slow(s, f); break;
    case FAULTS:
    case FAULT_RESUME_ORDER: say_order(s, f); break;
    }
}

size_t fault_text(const struct sim_plan *plan, const struct fault_plan *f, char *out, size_t size)
{
    struct said s = {.plan = plan, .out = out, .size = size};
    if (size > 0)
        out[0] = '\0';
    say_fault(&s, f);
    if (!s.unsayable)
        return s.n;
    if (size > 0)
        out[0] = '\0';
    return 0;
}

size_t trigger_text(const struct sim_plan *plan, const struct trigger_plan *t, char *out, size_t size)
{
    struct said s = {.plan = plan, .out = out, .size = size};
    ASSERT(t->verb < plan->n_verbs);
    if (size > 0)
        out[0] = '\0';
    say(&s, t->before ? "before " : "after ");
    say_name(&s, t->actor);
    say(&s, " ");
    say(&s, plan->verbs[t->verb].name);
    if (t->object != NONE16) {
        say(&s, " ");
        say_name(&s, t->object);
    }
    say_number(&s, t->ordinal);
    return s.n;
}
