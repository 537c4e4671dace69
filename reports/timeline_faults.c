/* SPDX-License-Identifier: MIT
 *
 * timeline_faults.c - what is stopped, down, slow or cut off, and when; and where clocks were changed.
 *
 * A pause, a suspension and a slowness end when their record said they would: inner ones that end while an outer
 * one still holds have no record of their own. Stretches that overlap are one bar. A crash ends the pauses of its
 * process, and neither the suspension of its machine nor its slowness.
 */
#include "reports/timeline_part.h"

#include <stdlib.h>

struct faults {
    struct timeline *t;
    const struct sim_plan *sim;
    uint32_t first; /* of our bars: behind those of the other parts */
};

/* When a fault that begins now is over, at the latest with the run. */
static ns end_of(const struct faults *k, const struct record *r)
{
    ns end = k->t->run->end_ns;
    struct value lasts = timeline_field(k->t, r, "for");
    return lasts.tag == TAG_NS && lasts.v < end - r->at ? r->at + lasts.v : end;
}

/* The latest bar like this one, if that reaches to where this one begins; NULL: there is none. */
static struct bar *goes_on(const struct faults *k, const struct bar *like)
{
    for (uint32_t i = k->t->n_bars; i-- > k->first;) {
        struct bar *b = &k->t->bars[i];
        if (b->kind == like->kind && b->lane == like->lane && b->of == like->of)
            return b->to >= like->from && b->value.v == like->value.v ? b : NULL;
    }
    return NULL;
}

static void stretch(struct faults *k, const struct record *r, uint32_t number, struct bar bar)
{
    ns to = end_of(k, r);
    bar.from = r->at;
    bar.a = number;
    bar.who = NONE16;
    struct bar *before = goes_on(k, &bar);
    if (before != NULL) {
        before->to = to > before->to ? to : before->to;
        before->b = 0;
        return;
    }
    uint32_t i = timeline_open(k->t, bar);
    if (i != NONE32)
        k->t->bars[i].to = to;
}

static void paused(struct faults *k, const struct record *r, uint32_t number)
{
    uint16_t lane = timeline_lane(k->t, r);
    if (lane == NONE16)
        return;
    name_id of = r->actor == k->t->lanes[lane].name ? NONE16 : r->actor;
    stretch(k, r, number, (struct bar){.of = of, .lane = lane, .kind = BAR_PAUSED});
}

/* A machine's name is also that of its node, as a rule: what is told of machines is by no process. */
static uint16_t machine_of(const struct faults *k, const struct record *r)
{
    for (uint16_t i = 0; i < k->sim->n_machines; i++)
        if (k->sim->machines[i].name == r->actor)
            return i;
    return NONE16;
}

static void suspended(struct faults *k, const struct record *r, uint32_t number)
{
    uint16_t machine = machine_of(k, r);
    for (uint16_t i = 0; i < k->t->n_lanes; i++)
        if (machine != NONE16 && k->t->lanes[i].machine == machine)
            stretch(k, r, number, (struct bar){.of = NONE16, .lane = i, .kind = BAR_SUSPENDED});
}

static void slowed(struct faults *k, const struct record *r, uint32_t number)
{
    uint16_t lane = timeline_lane(k->t, r);
    struct value by = timeline_field(k->t, r, "by");
    if (lane != NONE16)
        stretch(k, r, number, (struct bar){.value = by, .of = NONE16, .lane = lane, .kind = BAR_SLOW});
}

static void crashed(struct faults *k, const struct record *r, uint32_t number)
{
    uint16_t lane = timeline_lane(k->t, r);
    for (uint32_t i = k->first; i < k->t->n_bars; i++) {
        struct bar *b = &k->t->bars[i];
        if (b->kind == BAR_PAUSED && b->lane == lane && b->to > r->at) {
            b->to = r->at;
            b->b = number;
        }
    }
    if (lane != NONE16)
        stretch(k, r, number, (struct bar){.of = NONE16, .lane = lane, .kind = BAR_DOWN});
}

/* A fault of this kind is over by this record: the bar that ends here, on every lane of the machine. */
static void over(struct faults *k, const struct record *r, uint32_t number, enum bar_kind kind, name_id of)
{
    uint16_t lane = timeline_lane(k->t, r);
    for (uint32_t i = k->first; i < k->t->n_bars; i++) {
        struct bar *b = &k->t->bars[i];
        bool here = b->lane == lane ||
                    (kind == BAR_SUSPENDED && b->lane != NONE16 && k->t->lanes[b->lane].machine == machine_of(k, r));
        if (b->kind == kind && here && b->of == of && b->to == r->at)
            b->b = number;
    }
}

static void resumed(struct faults *k, const struct record *r, uint32_t number)
{
    uint16_t lane = timeline_lane(k->t, r);
    if (r->start == 0)
        over(k, r, number, BAR_SUSPENDED, NONE16);
    else if (lane != NONE16)
        over(k, r, number, BAR_PAUSED, r->actor == k->t->lanes[lane].name ? NONE16 : r->actor);
}

/* --- links -------------------------------------------------------------------------------------------------- */

static void closed(struct faults *k, const struct record *r, uint32_t number)
{
    enum bar_kind kind = r->verb == V_CUTS ? BAR_CUT : BAR_PARTITION;
    struct value groups = timeline_field(k->t, r, "");
    name_id of = groups.tag == TAG_NONE ? NONE16 : (name_id)groups.v;
    for (uint32_t i = k->first; i < k->t->n_bars; i++) /* the same closure, counted once more */
        if (k->t->bars[i].kind == kind && k->t->bars[i].of == of && k->t->bars[i].b == 0)
            return;
    (void)timeline_open(
        k->t, (struct bar){.from = r->at, .a = number, .of = of, .lane = NONE16, .who = NONE16, .kind = (uint8_t)kind});
}

static void healed(struct faults *k, const struct record *r, uint32_t number)
{
    struct value groups = timeline_field(k->t, r, "");
    for (uint32_t i = k->first; i < k->t->n_bars; i++) {
        struct bar *b = &k->t->bars[i];
        bool closure = b->kind == BAR_PARTITION || b->kind == BAR_CUT;
        if (closure && b->b == 0 && groups.tag != TAG_NONE && b->of == (name_id)groups.v) {
            b->to = r->at;
            b->b = number;
        }
    }
}

/* --- clocks --------------------------------------------------------------------------------------------------- */

static void marked(struct faults *k, const struct record *r, uint32_t number)
{
    uint16_t machine = machine_of(k, r), lane = timeline_lane(k->t, r);
    if (machine == NONE16 || lane == NONE16)
        return;
    void *rows = k->t->marks;
    struct mark *m = timeline_grow(k->t, &rows, &k->t->n_marks, &k->t->marks_capacity, sizeof *m);
    k->t->marks = rows;
    if (m != NULL)
        *m = (struct mark){number, lane, machine};
}

static void take(struct faults *k, const struct record *r, uint32_t number)
{
    switch (r->verb) {
    case V_PAUSES: paused(k, r, number); break;
    case V_SUSPENDS: suspended(k, r, number); break;
    case V_RESUMES: resumed(k, r, number); break;
    case V_CRASHES: crashed(k, r, number); break;
    case V_RESTARTS: over(k, r, number, BAR_DOWN, NONE16); break;
    case V_SLOWS: slowed(k, r, number); break;
    case V_RECOVERS: over(k, r, number, BAR_SLOW, NONE16); break;
    case V_PARTITIONS:
    case V_CUTS: closed(k, r, number); break;
    case V_HEALS: healed(k, r, number); break;
    case V_JUMPS:
    case V_DRIFTS:
    case V_SLEWS: marked(k, r, number); break;
    default: break;
    }
}

void timeline_faults(struct timeline *t)
{
    struct faults k = {t, &t->run->c->sim, t->n_bars};
    for (uint32_t i = 0; i < t->n_records && !t->failed; i++)
        take(&k, &t->records[i], i + 1);
}
