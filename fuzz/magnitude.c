/* SPDX-License-Identifier: MIT
 *
 * magnitude.c - how long a fault lasts: from the scenario's own constants.
 *
 * Leases first, for what is about them breaks just under and just over them; then what programs work and wait;
 * then a duration that is longer than the whole calm run.
 */
#include <string.h>

#include "fuzz/menu.h"

ns round_up(ns d)
{
    ns unit = 1;
    while (d / unit >= 1000)
        unit *= 10;
    return d / unit >= 100 ? (d + unit * 10 - 1) / (unit * 10) * (unit * 10) : (d + unit - 1) / unit * unit;
}

/* The next on the ladder of durations that people say: 1 2 5 10 20 30 s, 1 2 5 10 20 30 min, 1 2 5 h ... */
static ns say_longer(ns than)
{
    static const int64_t steps[] = {1, 2, 5, 10, 20, 30};
    ns unit = NS_PER_MS;
    while (unit * 1000 <= than && unit < NS_PER_S)
        unit = NS_PER_S;
    for (; unit <= 3600 * NS_PER_S; unit = unit < NS_PER_S ? NS_PER_S : unit * 60)
        for (int i = 0; i < 6; i++)
            if (unit * steps[i] > than)
                return unit * steps[i];
    return than + 24 * 3600 * NS_PER_S;
}

void add_duration(ns *list, uint32_t *n, uint32_t most, ns d)
{
    uint32_t i = 0;
    if (d <= 0 || d > DURATION_LONGEST || *n == most)
        return;
    for (uint32_t k = 0; k < *n; k++)
        if (list[k] / 10 >= (list[k] > d ? list[k] - d : d - list[k]))
            return;
    while (i < *n && list[i] < d)
        i++;
    memmove(&list[i + 1], &list[i], (*n - i) * sizeof *list);
    list[i] = d;
    *n += 1;
}

static void add_lease(struct build *b, ns lease) { add_duration(b->lease, &b->n_leases, 8, lease); }

/* Durations that stand in statements on tables are leases: `until now + 30s`. */
static void collect_row_leases(struct build *b)
{
    const struct model_plan *p = &b->c->model;
    for (uint32_t i = 0; p->n_tables > 0 && i < p->n_exprs; i++)
        if (p->exprs[i].code == EX_CONST && p->exprs[i].tag == TAG_NS && p->exprs[i].imm >= NS_PER_MS)
            add_lease(b, p->exprs[i].imm);
}

static void collect_leases(struct build *b)
{
    const struct model_plan *p = &b->c->model;
    for (uint32_t i = 0; i < p->n_locks; i++)
        add_lease(b, p->locks[i].ttl);
    for (uint32_t i = 0; i < p->n_queues; i++)
        add_lease(b, p->queues[i].lease);
    collect_row_leases(b);
    if (b->n_leases == 0)
        add_lease(b, REQUEST_TIMEOUT_NS);
}

/* What programs work and wait: whoever stops for longer lets that go by. */
static void collect_steps(struct build *b)
{
    const struct model_plan *p = &b->c->model;
    for (uint32_t i = 0; i < p->n_code; i++) {
        const struct instr *k = &p->code[i];
        if ((k->op == OP_WORK || k->op == OP_WAIT) && k->expr == NONE32)
            add_duration(b->stop, &b->n_stops, DURATIONS_MAX - 1, round_up(k->duration + k->duration / 5));
    }
}

/* Whatever is near it, and not as long as the calm run, gives way. */
static void add_longest(struct build *b)
{
    ns longest = say_longer(b->sp->calm_end);
    add_duration(b->stop, &b->n_stops, DURATIONS_MAX, longest);
    while (longest <= DURATION_LONGEST && b->stop[b->n_stops - 1] <= b->sp->calm_end) {
        b->n_stops--;
        add_duration(b->stop, &b->n_stops, DURATIONS_MAX, longest);
    }
}

void collect_durations(struct build *b)
{
    collect_leases(b);
    for (uint32_t i = 0; i < b->n_leases; i++)
        add_duration(b->stop, &b->n_stops, DURATIONS_MAX - 1, round_up(b->lease[i] + b->lease[i] / 5));
    for (uint32_t i = 0; i < b->n_leases; i++) {
        add_duration(b->stop, &b->n_stops, DURATIONS_MAX - 1, b->lease[i] - b->lease[i] / 10);
        add_duration(b->stop, &b->n_stops, DURATIONS_MAX - 1, 2 * b->lease[i]);
    }
    for (uint32_t i = 0; i < b->n_leases; i++) /* the rhythm of renewals */
        add_duration(b->stop, &b->n_stops, DURATIONS_MAX - 1, round_up(b->lease[i] / 3));
    collect_steps(b);
    add_longest(b);
}
