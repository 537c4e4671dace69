/* SPDX-License-Identifier: MIT
 *
 * menu_links.c - how links may close.
 *
 * Cuts: between a program and a service, both ways and one way. Partitions: each machine alone; with up to
 * MACHINES_SPLIT machines every split in two; with more, each candidate of a quorum with half of its voters, and with
 * one voter more: the first ones, for voters are alike.
 */
#include <stdio.h>

#include "fuzz/menu.h"

#define MACHINES_SPLIT 5
#define TEXT_MAX 1024 /* bytes of both sides */

static const char *process_name(const struct build *b, uint16_t process)
{
    const struct sim_plan *plan = &b->c->sim;
    return plan->names->text[plan->processes[process].name];
}

/* Programs talk to services, and services to nobody but those who asked. */
static bool they_talk(const struct build *b, uint16_t from, uint16_t to)
{
    const struct process_plan *p = b->c->sim.processes;
    return p[from].machine != p[to].machine && menu_is_client(b, from) != menu_is_client(b, to) &&
           menu_does_something(b, from) && menu_does_something(b, to);
}

static bool may_link(const struct may_plan *may, const uint16_t *ids, uint16_t from, uint16_t to)
{
    bool there = false, here = false;
    for (uint32_t i = 0; i < may->processes.n; i++) {
        here |= ids[may->processes.first + i] == from;
        there |= ids[may->processes.first + i] == to;
    }
    bool forth = false, back = false;
    for (uint32_t i = 0; i < may->to.n; i++) {
        forth |= ids[may->to.first + i] == to;
        back |= ids[may->to.first + i] == from;
    }
    return may->all || (here && forth) || (may->both_ways && there && back);
}

static void menu_cut_of(struct build *b, uint16_t from, uint16_t to, bool both_ways, bool holding)
{
    char text[TEXT_MAX];
    struct fault_plan f = menu_blank(FAULT_CUT);
    f.a = menu_process(b, from);
    f.b = menu_process(b, to);
    f.both_ways = both_ways;
    f.holding = holding;
    (void)snprintf(text, sizeof text, "%s %s %s", process_name(b, from), both_ways ? "-" : "->", process_name(b, to));
    f.text = menu_name(b, text);
    menu_durations(b, f, from, to, true);
}

static void menu_cut_ways(struct build *b, uint16_t from, uint16_t to, bool holding)
{
    const uint16_t *ids = b->c->sim.ids;
    bool forth = b->may == NULL || may_link(b->may, ids, from, to);
    bool back = b->may == NULL || may_link(b->may, ids, to, from);
    if (forth && back)
        menu_cut_of(b, from, to, true, holding);
    if (forth)
        menu_cut_of(b, from, to, false, holding);
    if (back)
        menu_cut_of(b, to, from, false, holding);
}

void menu_cut(struct build *b)
{
    uint16_t n = (uint16_t)b->c->sim.n_processes;
    for (uint16_t from = 0; from < n; from++)
        for (uint16_t to = 0; to < n; to++) {
            if (!menu_is_client(b, from) || !they_talk(b, from, to))
                continue;
            if (b->may == NULL || !b->may->holding)
                menu_cut_ways(b, from, to, false);
            if (b->may == NULL || b->may->holding)
                menu_cut_ways(b, from, to, true);
        }
}

/* sides: one a machine, 1 or 2. The text names both sides' machines. */
static void menu_split(struct build *b, const uint16_t *sides, bool holding)
{
    const struct sim_plan *plan = &b->c->sim;
    struct fault_plan f = menu_blank(FAULT_PARTITION);
    char text[TEXT_MAX];
    size_t n = 0;
    uint32_t first = b->ids.n;
    for (uint16_t side = 1; side <= 2; side++) {
        for (uint16_t m = 0; m < plan->n_machines; m++)
            if (sides[m] == side && n < sizeof text - 1)
                n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n == 0 || text[n - 1] == ' ' ? "" : " ",
                                      plan->names->text[plan->machines[m].name]);
        if (side == 1 && n < sizeof text - 4)
            n += (size_t)snprintf(text + n, sizeof text - n, " | ");
    }
    if (n >= sizeof text - 1)
        return; /* a line that nobody would read */
    for (uint16_t m = 0; m < plan->n_machines; m++)
        *LIST_ADD(b->arena, &b->ids) = sides[m];
    f.a = (struct ids){first, b->ids.n - first};
    f.holding = holding;
    f.text = menu_name(b, text);
    menu_durations(b, f, NONE16, NONE16, true);
}

static bool seen_before(uint64_t *seen, uint32_t *n, uint32_t most, uint64_t bits)
{
    for (uint32_t i = 0; i < *n; i++)
        if (seen[i] == bits)
            return true;
    if (*n < most)
        seen[(*n)++] = bits;
    return false;
}

/* Machines by bits; machine 0 is always on side 1, so that each split comes once. */
static void menu_split_bits(struct build *b, uint64_t bits, bool holding, uint64_t *seen, uint32_t *n_seen)
{
    uint16_t sides[64];
    uint32_t machines = b->c->sim.n_machines;
    uint64_t all = machines >= 64 ? UINT64_MAX : (UINT64_C(1) << machines) - 1;
    if (bits & 1)
        bits = ~bits & all;
    if (bits == 0 || seen_before(seen, n_seen, 512, bits << 1 | holding))
        return;
    for (uint32_t m = 0; m < machines; m++)
        sides[m] = bits >> m & 1 ? 2 : 1;
    menu_split(b, sides, holding);
}

/* The machines of a candidate and of the first `voters` voters of its lock. */
static uint64_t side_of(const struct build *b, uint16_t client, const struct lock_plan *lock, uint32_t voters)
{
    const struct sim_plan *plan = &b->c->sim;
    uint64_t bits = UINT64_C(1) << plan->processes[client].machine;
    for (uint32_t v = 0; v < voters; v++) {
        uint16_t thread = b->c->model.services[lock->service + v].thread;
        bits |= UINT64_C(1) << plan->processes[plan->threads[thread].process].machine;
    }
    return bits;
}

static void menu_quorum_splits(struct build *b, bool holding, uint64_t *seen, uint32_t *n)
{
    const struct model_plan *p = &b->c->model;
    for (uint32_t l = 0; l < p->n_locks; l++)
        for (uint16_t c = 0; p->locks[l].kind == LOCK_QUORUM && c < b->c->sim.n_processes; c++) {
            uint32_t half = p->locks[l].voters / 2u;
            if (!menu_is_client(b, c))
                continue;
            menu_split_bits(b, side_of(b, c, &p->locks[l], half), holding, seen, n);
            menu_split_bits(b, side_of(b, c, &p->locks[l], half + 1), holding, seen, n);
        }
}

static void menu_splits(struct build *b, bool holding)
{
    uint64_t seen[512];
    uint32_t n = 0, machines = b->c->sim.n_machines;
    for (uint16_t m = 0; m < machines && m < 64; m++)
        if (menu_may_machine(b, m) != NONE16)
            menu_split_bits(b, UINT64_C(1) << m, holding, seen, &n);
    if (b->may != NULL && !b->may->all)
        return;
    for (uint64_t bits = 2; machines <= MACHINES_SPLIT && bits < UINT64_C(1) << machines; bits += 2)
        menu_split_bits(b, bits, holding, seen, &n);
    if (machines > MACHINES_SPLIT && machines <= 64)
        menu_quorum_splits(b, holding, seen, &n);
}

void menu_partition(struct build *b)
{
    if (b->c->sim.n_machines < 2 || b->c->sim.n_machines > 64)
        return;
    if (b->may == NULL || !b->may->holding)
        menu_splits(b, false);
    if (b->may == NULL || b->may->holding)
        menu_splits(b, true);
}
