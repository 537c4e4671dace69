/* SPDX-License-Identifier: MIT
 *
 * timeline_clocks.c - what the clocks of each machine read, in pieces of one rate.
 *
 * The machines of sim/clock.h are played again, from what the plan says of 0s and from the records that change a
 * clock: jumps, drifts, slews, suspends. What a record foretells (a slew's end, a resumption) comes at its time.
 * A piece remembers since when its rate counts: what is rounded down is rounded once, as in the run.
 */
#include "reports/timeline_part.h"

#include "sim/clock.h"

#include <stdlib.h>

/* One thing that happens to a machine's clocks. */
struct change {
    ns at;
    int64_t amount; /* JUMP: by; DRIFT: ppb; SLEW: ppb more */
    uint32_t machine;
    uint32_t kind; /* enum change_kind */
};
_Static_assert(sizeof(struct change) == 24, "struct change has no padding");
enum change_kind { JUMP, DRIFT, SLEW, SUSPEND, RESUME };

struct changes {
    struct timeline *t;
    struct change *row;
    uint32_t n, capacity;
};

static void add(struct changes *c, ns at, enum change_kind kind, uint32_t machine, int64_t amount)
{
    void *rows = c->row;
    struct change *one = timeline_grow(c->t, &rows, &c->n, &c->capacity, sizeof *one);
    c->row = rows;
    if (one == NULL)
        return;
    uint32_t i = c->n - 1; /* sorted by time; what is equal stays in the order in which it was told */
    for (; i > 0 && c->row[i - 1].at > at; i--)
        c->row[i] = c->row[i - 1];
    c->row[i] = (struct change){at, amount, machine, kind};
}

static uint32_t machine_of(const struct timeline *t, name_id name)
{
    const struct sim_plan *sim = &t->run->c->sim;
    uint32_t i = 0;
    while (i < sim->n_machines && sim->machines[i].name != name)
        i++;
    return i;
}

static ns later(ns at, struct value by) { return by.tag != TAG_NS || by.v > NS_MAX - at ? NS_NEVER : at + by.v; }

static void slews(struct changes *c, const struct record *r, uint32_t machine)
{
    struct value by = timeline_field(c->t, r, "by"), over = timeline_field(c->t, r, "over");
    int64_t ppb = clock_slew_ppb(by.v, over.tag == TAG_NS ? over.v : NS_NEVER);
    add(c, r->at, SLEW, machine, ppb);
    add(c, later(r->at, over), SLEW, machine, -ppb);
}

static void suspends(struct changes *c, const struct record *r, uint32_t machine)
{
    add(c, r->at, SUSPEND, machine, 0);
    add(c, later(r->at, timeline_field(c->t, r, "for")), RESUME, machine, 0);
}

static void drifts(struct changes *c, const struct record *r, uint32_t machine)
{
    struct value ppm = timeline_field(c->t, r, "ppm"), ppb = timeline_field(c->t, r, "ppb");
    add(c, r->at, DRIFT, machine, ppm.tag == TAG_NONE ? ppb.v : ppm.v * 1000);
}

static void take(struct changes *c, const struct record *r)
{
    if (r->verb != V_JUMPS && r->verb != V_DRIFTS && r->verb != V_SLEWS && r->verb != V_SUSPENDS)
        return;
    uint32_t machine = machine_of(c->t, r->actor);
    if (machine == c->t->run->c->sim.n_machines)
        return;
    switch (r->verb) {
    case V_JUMPS: add(c, r->at, JUMP, machine, timeline_field(c->t, r, "by").v); break;
    case V_DRIFTS: drifts(c, r, machine); break;
    case V_SLEWS: slews(c, r, machine); break;
    default: suspends(c, r, machine); break;
    }
}

static void change(struct machine *m, const struct change *c)
{
    switch ((enum change_kind)c->kind) {
    case JUMP: machine_step_wall(m, c->amount); break;
    case DRIFT: machine_set_rate(m, c->amount, m->slew_ppb, c->at); break;
    case SLEW: machine_set_rate(m, m->drift_ppb, m->slew_ppb + c->amount, c->at); break;
    case SUSPEND: machine_suspend(m, c->at); break;
    case RESUME: machine_resume(m, c->at); break;
    }
}

/* What a clock is from now on; of two pieces from one instant the later stands. */
static void cut(struct timeline *t, struct pieces *p, const struct machine *m, enum clock_kind kind, ns now)
{
    bool stands = kind == CLOCK_MONOTONIC && m->suspended > 0;
    const struct clock *c = &m->clock[kind];
    struct piece piece = {now, stands ? now : c->since, c->read, stands ? TIMELINE_STANDS : m->ppb};
    const struct piece *last = p->n == 0 ? NULL : &p->row[p->n - 1];
    if (last != NULL && last->since == piece.since && last->read == piece.read && last->ppb == piece.ppb)
        return;
    if (last != NULL && last->from == now)
        p->n--;
    void *rows = p->row;
    struct piece *one = timeline_grow(t, &rows, &p->n, &p->capacity, sizeof *one);
    p->row = rows;
    if (one != NULL)
        *one = piece;
}

static void cut_all(struct timeline *t, uint32_t machine, const struct machine *m, ns now)
{
    for (int kind = 0; kind < CLOCKS; kind++)
        cut(t, &t->clocks[machine * CLOCKS + (uint32_t)kind], m, (enum clock_kind)kind, now);
}

static void play(struct timeline *t, const struct changes *c, struct machine *machines)
{
    const struct sim_plan *sim = &t->run->c->sim;
    for (uint32_t i = 0; i < sim->n_machines; i++) {
        const struct machine_plan *p = &sim->machines[i];
        machine_reset(&machines[i], sim->names->hash[p->name], p->wall_offset, p->ppb);
        cut_all(t, i, &machines[i], 0);
    }
    for (uint32_t i = 0; i < c->n && !t->failed && c->row[i].at <= t->run->end_ns; i++) {
        struct machine *m = &machines[c->row[i].machine];
        change(m, &c->row[i]);
        cut_all(t, c->row[i].machine, m, c->row[i].at);
    }
}

void timeline_clocks(struct timeline *t)
{
    const struct sim_plan *sim = &t->run->c->sim;
    struct changes c = {t, NULL, 0, 0};
    struct machine *machines = calloc(sim->n_machines + 1, sizeof *machines);
    t->clocks = calloc((sim->n_machines + 1) * CLOCKS, sizeof *t->clocks);
    t->failed = t->failed || machines == NULL || t->clocks == NULL;
    for (uint32_t i = 0; i < t->n_records && !t->failed; i++)
        take(&c, &t->records[i]);
    if (!t->failed)
        play(t, &c, machines);
    free(machines);
    free(c.row);
}

ns timeline_clock(const struct timeline *t, uint16_t machine, enum clock_kind clock, ns at)
{
    const struct pieces *p = &t->clocks[machine * CLOCKS + (uint32_t)clock];
    uint32_t i = p->n;
    ASSERT(i > 0);
    while (i > 1 && p->row[i - 1].from > at)
        i--;
    const struct piece *piece = &p->row[i - 1];
    return piece->ppb == TIMELINE_STANDS ? piece->read : piece->read + clock_advance(at - piece->since, piece->ppb);
}
