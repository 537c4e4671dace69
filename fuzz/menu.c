/* SPDX-License-Identifier: MIT
 *
 * menu.c - what may be done to processes, machines, clocks and messages.
 */
#include <string.h>

#include "fuzz/menu.h"

/* --- one offer --------------------------------------------------------------------------------- */

struct ids menu_process(struct build *b, uint16_t process)
{
    const struct sim_plan *plan = &b->c->sim;
    uint32_t first = b->ids.n;
    for (uint16_t p = 0; p < plan->n_processes; p++)
        if (plan->processes[p].name == plan->processes[process].name)
            *LIST_ADD(b->arena, &b->ids) = p;
    return (struct ids){first, b->ids.n - first};
}

struct ids menu_one(struct build *b, uint16_t process)
{
    uint32_t first = b->ids.n;
    *LIST_ADD(b->arena, &b->ids) = process;
    return (struct ids){first, 1};
}

name_id menu_name(struct build *b, const char *text)
{
    uint32_t id = intern(b->arena, &b->names, text, strlen(text));
    if (id < NONE16)
        return (name_id)id;
    b->arena->failed = true;
    return NONE16;
}

struct fault_plan menu_blank(enum fault_kind kind)
{
    return (struct fault_plan){
        .kind = (uint8_t)kind, .thread = NONE16, .at = -1, .duration = NS_NEVER, .ordinal = 1, .text = NONE16};
}

static void add_offer(struct build *b, const struct fault_plan *f, uint8_t size, uint16_t victim, uint16_t peer)
{
    uint16_t machine = victim == NONE16 ? NONE16 : b->c->sim.processes[victim].machine;
    *LIST_ADD(b->arena, &b->faults) = *f;
    *LIST_ADD(b->arena, &b->offers) = (struct offer){
        .kind = f->kind,
        .at_message = MESSAGE_KINDS >> f->kind & 1,
        .size = size,
        .may = (uint8_t)(b->may_index < 255 ? b->may_index : 255),
        .family = b->family,
        .victim = victim,
        .machine = machine,
        .peer = peer,
    };
}

/* A family: one for each duration up to what the line says. last: one without an end, too. */
void menu_durations(struct build *b, struct fault_plan f, uint16_t victim, uint16_t peer, bool last)
{
    ns up_to = b->may == NULL || b->may->up_to == 0 ? NS_NEVER : b->may->up_to;
    uint8_t size = 0;
    ns longest = 0;
    for (uint32_t i = 0; i < b->n_stops && b->stop[i] <= up_to; i++) {
        f.duration = longest = b->stop[i];
        add_offer(b, &f, size++, victim, peer);
    }
    if (up_to != NS_NEVER && up_to - up_to / 10 > longest) {
        f.duration = up_to;
        add_offer(b, &f, size++, victim, peer);
    }
    if (last && up_to == NS_NEVER) {
        f.duration = NS_NEVER;
        add_offer(b, &f, size, victim, peer);
    }
    b->family++;
}

/* --- whom a line names --------------------------------------------------------------------------- */

static bool names(const struct build *b, struct ids ids, uint16_t id)
{
    for (uint32_t i = 0; i < ids.n; i++)
        if (b->c->sim.ids[ids.first + i] == id)
            return true;
    return false;
}

bool menu_may_process(const struct build *b, uint16_t process)
{
    return b->may == NULL || b->may->all || names(b, b->may->processes, process);
}

/* Some process of the machine is named; the first one stands for it. NONE16: none is. */
uint16_t menu_may_machine(const struct build *b, uint16_t machine)
{
    uint16_t first = NONE16;
    bool named = false;
    for (uint16_t p = 0; p < b->c->sim.n_processes; p++) {
        if (b->c->sim.processes[p].machine != machine)
            continue;
        first = first == NONE16 ? p : first;
        named = named || menu_may_process(b, p);
    }
    return named ? first : NONE16;
}

static enum actor_kind actor_kind(const struct build *b, uint16_t process)
{
    return (enum actor_kind)b->c->model.actor_of[b->c->sim.processes[process].first_thread].kind;
}

bool menu_is_client(const struct build *b, uint16_t process) { return actor_kind(b, process) == ACTOR_CLIENT; }

/* A node without a program has nothing to stop. */
bool menu_does_something(const struct build *b, uint16_t process) { return actor_kind(b, process) != ACTOR_IDLE; }

/* --- processes and machines ---------------------------------------------------------------------- */

static void menu_pause_threads(struct build *b, uint16_t process)
{
    const struct process_plan *p = &b->c->sim.processes[process];
    for (uint16_t k = 0; k < p->threads; k++) {
        uint16_t thread = (uint16_t)(p->first_thread + k);
        bool named = b->may == NULL || b->may->all ? p->threads > 1 : names(b, b->may->threads, thread);
        struct fault_plan f = menu_blank(FAULT_PAUSE);
        f.thread = thread;
        f.a = menu_one(b, process);
        if (named)
            menu_durations(b, f, process, NONE16, false);
    }
}

static void menu_pause(struct build *b)
{
    for (uint16_t p = 0; p < b->c->sim.n_processes; p++) {
        struct fault_plan f = menu_blank(FAULT_PAUSE);
        if (!menu_does_something(b, p))
            continue;
        f.a = menu_process(b, p);
        if (menu_may_process(b, p))
            menu_durations(b, f, p, NONE16, false);
        menu_pause_threads(b, p);
    }
}

static void menu_suspend(struct build *b)
{
    for (uint16_t m = 0; m < b->c->sim.n_machines; m++) {
        uint16_t process = menu_may_machine(b, m);
        struct fault_plan f = menu_blank(FAULT_SUSPEND);
        if (process == NONE16)
            continue;
        f.a = menu_one(b, process);
        menu_durations(b, f, process, NONE16, false);
    }
}

/* A crash that the process comes back from at once, as a supervisor makes it; and for as long as others. */
static void menu_crash_of(struct build *b, uint16_t process, enum losing losing)
{
    struct fault_plan f = menu_blank(FAULT_CRASH);
    f.a = menu_process(b, process);
    f.losing = (uint8_t)losing;
    f.duration = b->lease[0] / 5 < NS_PER_S ? round_up(b->lease[0] / 5) : NS_PER_S;
    if (b->may == NULL || b->may->up_to == 0 || b->may->up_to > f.duration)
        add_offer(b, &f, 0, process, NONE16);
    menu_durations(b, f, process, NONE16, true);
}

static void menu_crash(struct build *b)
{
    enum losing worst = b->may == NULL ? LOSING_UNSYNCED : (enum losing)b->may->losing;
    for (uint16_t p = 0; p < b->c->sim.n_processes; p++) {
        if (!menu_does_something(b, p) || !menu_may_process(b, p))
            continue;
        menu_crash_of(b, p, LOSING_VOLATILE);
        if (!menu_is_client(b, p) && worst != LOSING_VOLATILE)
            menu_crash_of(b, p, worst);
    }
}

static void menu_slow(struct build *b)
{
    ns amounts[4];
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n_leases; i++)
        add_duration(amounts, &n, 4, round_up(b->lease[i] + b->lease[i] / 5));
    add_duration(amounts, &n, 4, round_up(b->lease[0] / 2));
    for (uint16_t p = 0; p < b->c->sim.n_processes; p++) {
        if (menu_is_client(b, p) || !menu_does_something(b, p) || !menu_may_process(b, p))
            continue;
        ns up_to = b->may == NULL || b->may->up_to == 0 ? NS_NEVER : b->may->up_to;
        for (uint32_t i = 0; i < n; i++) {
            struct fault_plan f = menu_blank(FAULT_SLOW);
            f.a = menu_process(b, p);
            f.amount = amounts[i] < up_to ? amounts[i] : up_to;
            f.duration = b->stop[b->n_stops - 1];
            add_offer(b, &f, (uint8_t)i, p, NONE16);
            if (f.amount == up_to)
                break;
        }
        b->family++;
    }
}

/* --- messages ------------------------------------------------------------------------------------------ */

static void menu_amounts(struct build *b, enum fault_kind kind)
{
    ns up_to = b->may == NULL || b->may->up_to == 0 ? NS_NEVER : b->may->up_to;
    struct fault_plan f = menu_blank(kind);
    ns amounts[DURATIONS_MAX + 1];
    uint32_t n = 0;
    add_duration(amounts, &n, DURATIONS_MAX, round_up(plan_exchange(&b->c->sim)));
    for (uint32_t i = 0; i < b->n_stops; i++)
        add_duration(amounts, &n, DURATIONS_MAX, b->stop[i]);
    uint8_t size = 0;
    ns largest = 0;
    for (uint32_t i = 0; i < n && amounts[i] <= up_to; i++) {
        f.amount = largest = amounts[i];
        add_offer(b, &f, size++, NONE16, NONE16);
    }
    if (up_to != NS_NEVER && up_to - up_to / 10 > largest) {
        f.amount = up_to;
        add_offer(b, &f, size, NONE16, NONE16);
    }
    b->family++;
}

static void menu_delay(struct build *b) { menu_amounts(b, FAULT_DELAY); }

static void menu_duplicate(struct build *b) { menu_amounts(b, FAULT_DUPLICATE); }

static void menu_single(struct build *b, enum fault_kind kind)
{
    struct fault_plan f = menu_blank(kind);
    add_offer(b, &f, 0, NONE16, NONE16);
    b->family++;
}

static void menu_drop(struct build *b) { menu_single(b, FAULT_DROP); }

static void menu_reorder(struct build *b) { menu_single(b, FAULT_REORDER); }

/* --- clocks --------------------------------------------------------------------------------------------- */

#define MAGNITUDES_MAX (DURATIONS_MAX + 2)

static void menu_step(struct build *b)
{
    ns up_to = b->may == NULL || b->may->up_to == 0 ? NS_NEVER : b->may->up_to;
    ns sizes[MAGNITUDES_MAX];
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n_stops; i++)
        add_duration(sizes, &n, MAGNITUDES_MAX, b->stop[i]);
    add_duration(sizes, &n, MAGNITUDES_MAX, 3600 * NS_PER_S);
    if (up_to != NS_NEVER)
        add_duration(sizes, &n, MAGNITUDES_MAX, up_to);
    for (uint16_t m = 0; m < b->c->sim.n_machines; m++) {
        uint16_t process = menu_may_machine(b, m);
        for (int sign = 1; process != NONE16 && sign >= -1; sign -= 2) {
            uint8_t size = 0;
            for (uint32_t i = 0; i < n && sizes[i] <= up_to; i++) {
                struct fault_plan f = menu_blank(FAULT_WALL_JUMP);
                f.a = menu_one(b, process);
                f.amount = sign * sizes[i];
                add_offer(b, &f, size++, process, NONE16);
            }
            b->family++;
        }
    }
}

/* NTP slews by at most 500 ppm: what no line mentions drifts no faster. */
static void menu_drift(struct build *b)
{
    bool said = b->may != NULL && b->may->up_to_ppb > 0;
    for (uint16_t m = 0; m < b->c->sim.n_machines; m++) {
        uint16_t process = menu_may_machine(b, m);
        for (int sign = 1; process != NONE16 && sign >= -1; sign -= 2) {
            int64_t most = said ? b->may->up_to_ppb : 500000;
            for (uint8_t i = 0; i < (said ? 3 : 1); i++) {
                struct fault_plan f = menu_blank(FAULT_DRIFT);
                f.a = menu_one(b, process);
                f.ppb = sign * (said ? most / (3 - i) / 1000 * 1000 : most);
                if (f.ppb != 0)
                    add_offer(b, &f, i, process, NONE16);
            }
            b->family++;
        }
    }
}

/* --- all of it --------------------------------------------------------------------------------------------- */

static const struct {
    enum fault_kind kind;
    void (*run)(struct build *b);
} menu[] = {
    {FAULT_PAUSE, menu_pause},     {FAULT_SUSPEND, menu_suspend},     {FAULT_CRASH, menu_crash},
    {FAULT_SLOW, menu_slow},       {FAULT_PARTITION, menu_partition}, {FAULT_CUT, menu_cut},
    {FAULT_DELAY, menu_delay},     {FAULT_DROP, menu_drop},           {FAULT_DUPLICATE, menu_duplicate},
    {FAULT_REORDER, menu_reorder}, {FAULT_WALL_JUMP, menu_step},      {FAULT_DRIFT, menu_drift},
};
#define MENU (sizeof menu / sizeof *menu)

/* Two lines may offer the same: it is offered once. What no line of the language says is not offered. */
static bool same_fault(const struct build *b, const struct fault_plan *x, const struct fault_plan *y)
{
    return x->kind == y->kind && x->thread == y->thread && x->losing == y->losing && x->holding == y->holding &&
           x->both_ways == y->both_ways && x->duration == y->duration && x->amount == y->amount && x->ppb == y->ppb &&
           x->text == y->text && x->a.n == y->a.n && x->a.n > 0 &&
           memcmp(&b->ids.row[x->a.first], &b->ids.row[y->a.first], x->a.n * sizeof(uint16_t)) == 0;
}

static bool can_be_said(const struct build *b, uint32_t i)
{
    struct sim_plan plan = b->c->sim;
    char out[8];
    struct names names = {b->names.text.n, b->names.text.row, b->names.hash.row};
    plan.ids = b->ids.row;
    plan.names = &names;
    return b->offers.row[i].at_message || fault_text(&plan, &b->faults.row[b->sp->own + i], out, sizeof out) > 0;
}

static void drop_twins(struct build *b)
{
    uint32_t own = b->sp->own, kept = 0;
    for (uint32_t i = 0; i < b->offers.n; i++) {
        bool twin = false;
        for (uint32_t k = 0; k < kept && !twin; k++)
            twin = b->offers.row[k].kind == b->offers.row[i].kind &&
                   same_fault(b, &b->faults.row[own + k], &b->faults.row[own + i]);
        if (twin || !can_be_said(b, i))
            continue;
        b->faults.row[own + kept] = b->faults.row[own + i];
        b->offers.row[kept++] = b->offers.row[i];
    }
    b->offers.n = kept;
    b->faults.n = own + kept;
}

void menu_make(struct build *b)
{
    for (size_t i = 0; i < MENU && b->c->n_mays == 0; i++)
        menu[i].run(b);
    for (uint32_t k = 0; k < b->c->n_mays; k++) {
        b->may = &b->c->mays[k];
        b->may_index = k + 1;
        for (size_t i = 0; i < MENU; i++)
            if (menu[i].kind == b->may->kind)
                menu[i].run(b);
    }
    drop_twins(b);
}
