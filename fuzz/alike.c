/* SPDX-License-Identifier: MIT
 *
 * alike.c - see alike.h.
 *
 *  1. A group is grown from its first member: whoever can be swapped with it. Swaps with one of them make every order.
 *  2. A fault of the file strikes at its own time or trigger: swapped, it must be itself. A fault of the menu may
 *     become another of the menu, but each must become one: the menus are compared as sorted hashes.
 *  3. Which messages an offer may strike is said by `may` lines: what may strike a message from one process to another
 *     must be what may strike it when both have changed places.
 *  4. A renaming is written anew for each state, and undone after it: between two digests every map is the identity.
 */
#include "fuzz/alike.h"

#include <stdlib.h>

#include "model/twins.h"

struct alike {
    const struct model_plan *p;
    uint32_t n_groups;
    struct span {
        uint32_t first, n; /* of members[] */
    } * groups;
    uint16_t *members; /* processes, group after group */
    uint16_t *sorted;  /* the same, each group by what is its members' own */
    uint64_t *own;     /* by process: see twins_own() */
    /* Maps of the renaming, by index, and by name. */
    uint16_t *machine, *process, *thread, *conn, *name, *client;
    uint16_t *client_first, *name_first; /* all of a group count as its first */
    struct renaming as, to_first;
};

struct menu {
    const struct space *sp;
    struct sim *s;
    uint64_t *plain, *swapped; /* hashes of the offers */
};

/* --- faults ----------------------------------------------------------------------------------------------- */

static uint64_t hash_victims(const struct sim_plan *plan, const struct fault_plan *f, const struct renaming *as)
{
    uint64_t sum = 0;
    if (f->kind == FAULT_PARTITION)
        return 0; /* its sides are kin */
    for (uint32_t i = 0; i < f->a.n; i++) {
        uint16_t process = plan->ids[f->a.first + i];
        sum += hash_mix(1 + (uint64_t)(as == NULL ? process : as->process[process]));
    }
    return sum;
}

/* All that it does, under a renaming. What it is called says nothing. */
static uint64_t hash_fault(const struct menu *m, uint32_t fault, const struct renaming *as)
{
    const struct sim_plan *plan = &m->sp->c.sim;
    const struct fault_plan *f = &plan->faults[fault];
    uint64_t h = hash_step(sim_fault_kin(m->s, fault, as), hash_victims(plan, f, as));
    uint16_t thread = f->thread == NONE16 || as == NULL ? f->thread : as->thread[f->thread];
    h = hash_step(h, (uint64_t)thread << 48 | (uint64_t)f->losing << 40 | (uint64_t)f->holding << 32 |
                         (uint64_t)f->both_ways << 24 | (uint64_t)f->order << 16);
    h = hash_step(hash_step(h, (uint64_t)f->at), (uint64_t)f->duration);
    return hash_step(hash_step(h, (uint64_t)f->ppb), f->ordinal);
}

static int by_value(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

static bool same_faults(const struct menu *m, const struct renaming *swap)
{
    const struct space *sp = m->sp;
    for (uint32_t i = 0; i < sp->own; i++)
        if (hash_fault(m, i, NULL) != hash_fault(m, i, swap))
            return false;
    for (uint32_t i = 0; i < sp->n_offers; i++) {
        m->plain[i] = hash_fault(m, sp->own + i, NULL);
        m->swapped[i] = hash_fault(m, sp->own + i, swap);
    }
    qsort(m->plain, sp->n_offers, sizeof *m->plain, by_value);
    qsort(m->swapped, sp->n_offers, sizeof *m->swapped, by_value);
    for (uint32_t i = 0; i < sp->n_offers; i++)
        if (m->plain[i] != m->swapped[i])
            return false;
    return true;
}

/* What may strike a message from one process to another. */
static uint64_t struck_by(const struct menu *m, uint16_t from, uint16_t to, const struct renaming *as)
{
    const struct space *sp = m->sp;
    const struct choice_point p = {.kind = CHOICE_MESSAGE, .from = from, .to = to};
    uint64_t sum = 0;
    for (uint32_t i = 0; i < sp->n_offers; i++)
        if (space_offers(sp, &p, i))
            sum += hash_mix(hash_fault(m, sp->own + i, as));
    return sum;
}

static bool same_messages(const struct menu *m, const struct renaming *swap)
{
    uint16_t n = (uint16_t)m->sp->c.sim.n_processes;
    for (uint16_t from = 0; from < n; from++)
        for (uint16_t to = 0; to < n; to++)
            if (struck_by(m, from, to, swap) != struck_by(m, swap->process[from], swap->process[to], NULL))
                return false;
    return true;
}

/* --- who waits for what --------------------------------------------------------------------------------------- */

static bool moves(const struct renaming *swap, name_id name) { return name != NONE16 && swap->name[name] != name; }

static bool same_triggers(const struct sim_plan *plan, const struct renaming *swap)
{
    for (uint32_t i = 0; i < plan->n_triggers; i++)
        if (moves(swap, plan->triggers[i].actor) || moves(swap, plan->triggers[i].object))
            return false;
    return true;
}

/* An `always` line that is no expression speaks of events, of nodes by name: whatever it says, they are no twins. */
static bool same_expectations(const struct compiled *c, uint16_t a, uint16_t b)
{
    for (uint32_t i = 0; i < c->n_expectations; i++)
        if (c->expectations[i].what != EXPECT_EXPR || twins_named(&c->model, c->expectations[i].expr, a, b))
            return false;
    return true;
}

static bool may_swap(const struct menu *menu, uint16_t a, uint16_t b, const struct renaming *swap)
{
    const struct compiled *c = &menu->sp->c;
    return same_triggers(&c->sim, swap) && same_expectations(c, a, b) && same_faults(menu, swap) &&
           same_messages(menu, swap);
}

/* --- groups -------------------------------------------------------------------------------------------------- */

/* Counts what is `from` as `to`. */
static void rename_process(struct alike *x, uint16_t from, uint16_t to)
{
    const struct sim_plan *sim = x->p->sim;
    const struct process_plan *a = &sim->processes[from], *b = &sim->processes[to];
    x->process[from] = to;
    x->machine[a->machine] = b->machine;
    x->name[sim->machines[a->machine].name] = sim->machines[b->machine].name;
    for (uint16_t i = 0; i < a->threads; i++) {
        uint16_t one = (uint16_t)(a->first_thread + i), other = (uint16_t)(b->first_thread + i);
        uint16_t client = twins_client(x->p, from, i), as = twins_client(x->p, to, i);
        uint32_t conns = 2 * x->p->n_services; /* of a client: see model/plan.h */
        x->thread[one] = other;
        x->name[sim->threads[one].name] = sim->threads[other].name;
        x->name[sim->threads[one].alone] = sim->threads[other].alone;
        x->client[client] = as;
        for (uint32_t k = 0; k < conns; k++)
            x->conn[client * conns + k] = (uint16_t)(as * conns + k);
    }
    x->name[a->name] = b->name;
}

static bool are_alike(struct alike *x, const struct menu *menu, uint16_t a, uint16_t b)
{
    if (!twins_alike(x->p, a, b))
        return false;
    rename_process(x, a, b);
    rename_process(x, b, a);
    bool alike = may_swap(menu, a, b, &x->as);
    rename_process(x, a, a);
    rename_process(x, b, b);
    return alike;
}

static bool is_member(const struct alike *x, uint32_t n, uint16_t process)
{
    for (uint32_t i = 0; i < n; i++)
        if (x->members[i] == process)
            return true;
    return false;
}

static void find_groups(struct alike *x, const struct menu *menu)
{
    uint16_t processes = (uint16_t)x->p->sim->n_processes;
    uint32_t n = 0; /* members of all groups so far */
    for (uint16_t a = 0; a < processes; a++) {
        struct span group = {n, 1};
        if (is_member(x, n, a))
            continue;
        x->members[n] = a;
        for (uint16_t b = (uint16_t)(a + 1); b < processes; b++)
            if (!is_member(x, n, b) && are_alike(x, menu, a, b))
                x->members[n + group.n++] = b;
        if (group.n == 1)
            continue;
        x->groups[x->n_groups++] = group;
        n += group.n;
    }
}

static void count_as_first(struct alike *x, struct span group)
{
    const struct process_plan *processes = x->p->sim->processes;
    uint16_t first = x->members[group.first];
    for (uint32_t i = 0; i < group.n; i++) {
        uint16_t process = x->members[group.first + i];
        x->name_first[processes[process].name] = processes[first].name;
        for (uint16_t k = 0; k < processes[first].threads; k++)
            x->client_first[twins_client(x->p, process, k)] = twins_client(x->p, first, k);
    }
}

/* --- its life --------------------------------------------------------------------------------------------------- */

static uint16_t *identity(uint32_t n)
{
    uint16_t *map = malloc((n + 1) * sizeof *map);
    for (uint32_t i = 0; map != NULL && i < n; i++)
        map[i] = (uint16_t)i;
    return map;
}

/* False: no memory. */
static bool make_maps(struct alike *x)
{
    const struct sim_plan *sim = x->p->sim;
    x->groups = calloc(sim->n_processes + 1, sizeof *x->groups);
    x->own = calloc(sim->n_processes + 1, sizeof *x->own);
    x->members = identity(sim->n_processes);
    x->sorted = identity(sim->n_processes);
    x->machine = identity(sim->n_machines);
    x->process = identity(sim->n_processes);
    x->thread = identity(sim->n_threads);
    x->conn = identity(sim->n_conns);
    x->name = identity(sim->names->n);
    x->client = identity(x->p->n_clients);
    x->client_first = identity(x->p->n_clients);
    x->name_first = identity(sim->names->n);
    x->as = (struct renaming){x->machine, x->process, x->thread, x->conn, x->name, x->client};
    x->to_first = (struct renaming){x->machine, x->process, x->thread, x->conn, x->name_first, x->client_first};
    return x->groups != NULL && x->own != NULL && x->members != NULL && x->sorted != NULL && x->machine != NULL &&
           x->process != NULL && x->thread != NULL && x->conn != NULL && x->name != NULL && x->client != NULL &&
           x->client_first != NULL && x->name_first != NULL;
}

struct alike *alike_new(const struct space *sp, struct sim *s)
{
    struct menu menu = {sp, s, malloc((sp->n_offers + 1) * sizeof *menu.plain),
                        malloc((sp->n_offers + 1) * sizeof *menu.swapped)};
    struct alike *x = calloc(1, sizeof *x);
    if (x != NULL)
        x->p = &sp->c.model;
    if (x == NULL || menu.plain == NULL || menu.swapped == NULL || !make_maps(x)) {
        alike_free(x);
        x = NULL;
    }
    if (x != NULL)
        find_groups(x, &menu);
    for (uint32_t g = 0; x != NULL && g < x->n_groups; g++)
        count_as_first(x, x->groups[g]);
    free(menu.plain);
    free(menu.swapped);
    return x;
}

void alike_free(struct alike *x)
{
    if (x == NULL)
        return;
    free(x->groups);
    free(x->own);
    free(x->members);
    free(x->sorted);
    free(x->machine);
    free(x->process);
    free(x->thread);
    free(x->conn);
    free(x->name);
    free(x->client);
    free(x->client_first);
    free(x->name_first);
    free(x);
}

uint32_t alike_groups(const struct alike *x) { return x->n_groups; }

struct alike_group alike_group(const struct alike *x, uint32_t group)
{
    ASSERT(group < x->n_groups);
    return (struct alike_group){x->groups[group].n, &x->members[x->groups[group].first]};
}

/* --- digests ------------------------------------------------------------------------------------------------------ */

/* By insertion: groups are small, and mostly in order. True: something moved. */
static bool sort_group(struct alike *x, struct span group)
{
    uint16_t *row = &x->sorted[group.first];
    bool moved = false;
    for (uint32_t i = 0; i < group.n; i++) {
        uint16_t process = x->members[group.first + i];
        uint32_t at = i;
        for (; at > 0 && x->own[row[at - 1]] > x->own[process]; at--)
            row[at] = row[at - 1];
        row[at] = process;
        moved |= at < i;
    }
    return moved;
}

static bool has_tie(const struct alike *x, struct span group)
{
    const uint16_t *row = &x->sorted[group.first];
    for (uint32_t i = 1; i < group.n; i++)
        if (x->own[row[i - 1]] == x->own[row[i]])
            return true;
    return false;
}

/* The first of a group, as sorted, counts as its first in the plan, and so on. */
static uint64_t digest_sorted(struct alike *x, struct sim *s, uint32_t members)
{
    for (uint32_t i = 0; i < members; i++)
        rename_process(x, x->sorted[i], x->members[i]);
    uint64_t digest = sim_state_digest_as(s, &x->as);
    for (uint32_t i = 0; i < members; i++)
        rename_process(x, x->members[i], x->members[i]);
    return digest;
}

uint64_t alike_digest(struct alike *x, struct sim *s, bool *tied)
{
    uint32_t members = 0;
    bool moved = false, tie = false;
    for (uint32_t g = 0; g < x->n_groups; g++)
        members += x->groups[g].n;
    if (members > 0)
        twins_own(s, &x->to_first, x->members, members, x->own);
    for (uint32_t g = 0; g < x->n_groups; g++) {
        moved |= sort_group(x, x->groups[g]);
        tie |= has_tie(x, x->groups[g]);
    }
    if (tied != NULL)
        *tied = tie;
    return moved ? digest_sorted(x, s, members) : sim_state_digest(s);
}
