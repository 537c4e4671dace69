/* SPDX-License-Identifier: MIT
 *
 * export_clock.c - see export_clock.h.
 *
 * The readings are exact: the same arithmetic does the same steps at the same times. Two things have no record. The
 * end of a slew falls where its beginning says. The end of a suspension inside another changes nothing, so that the
 * record `resumes` ends them all.
 */
#include "reports/export_clock.h"

#include "reports/line.h"

#include <stdlib.h>
#include <string.h>

bool export_clocks_open(struct export_clocks *c, const struct exported *x)
{
    const struct sim_plan *sim = x->sim;
    uint32_t slews = 0;
    for (uint32_t i = 0; i < x->n; i++)
        slews += x->record[i].verb == V_SLEWS;
    *c = (struct export_clocks){x, calloc(sim->n_machines + 1, sizeof *c->machine), calloc(slews + 1, sizeof *c->slew),
                                0, 0};
    if (c->machine == NULL || c->slew == NULL) {
        export_clocks_close(c);
        return false;
    }
    for (uint32_t i = 0; i < sim->n_machines; i++)
        machine_reset(&c->machine[i], sim->names->hash[sim->machines[i].name], sim->machines[i].wall_offset,
                      sim->machines[i].ppb);
    return true;
}

void export_clocks_close(struct export_clocks *c)
{
    free(c->machine);
    free(c->slew);
    memset(c, 0, sizeof *c);
}

static void add_slew(struct export_clocks *c, uint32_t machine, ns at, int64_t ppb)
{
    uint32_t i = c->n_slews++;
    for (; i > 0 && c->slew[i - 1].at > at; i--)
        c->slew[i] = c->slew[i - 1];
    c->slew[i] = (struct slew_end){at, ppb, machine, 0};
}

/* Slews that have ended by now. */
static void end_slews(struct export_clocks *c, ns now)
{
    uint32_t n = 0;
    for (; n < c->n_slews && c->slew[n].at <= now; n++) {
        struct machine *m = &c->machine[c->slew[n].machine];
        machine_set_rate(m, m->drift_ppb, m->slew_ppb - c->slew[n].ppb, c->slew[n].at);
    }
    c->n_slews -= n;
    memmove(c->slew, c->slew + n, c->n_slews * sizeof *c->slew);
}

static ns field(const struct exported *x, const struct record *r, const char *name, ns none)
{
    struct value v = line_field(x->sim, r, name);
    return v.tag == TAG_NONE ? none : v.v;
}

static void begin_slew(struct export_clocks *c, uint32_t machine, const struct record *r)
{
    struct machine *m = &c->machine[machine];
    ns over = field(c->x, r, "over", NS_NEVER);
    int64_t ppb = clock_slew_ppb(field(c->x, r, "by", 0), over);
    machine_set_rate(m, m->drift_ppb, m->slew_ppb + ppb, r->at);
    if (over != NS_NEVER)
        add_slew(c, machine, r->at + over, ppb);
}

static void take_in(struct export_clocks *c, uint32_t machine, const struct record *r)
{
    struct machine *m = &c->machine[machine];
    switch (r->verb) {
    case V_SUSPENDS: machine_suspend(m, r->at); break;
    case V_RESUMES:
        while (m->suspended > 0)
            machine_resume(m, r->at);
        break;
    case V_JUMPS: machine_step_wall(m, field(c->x, r, "by", 0)); break;
    case V_DRIFTS:
        machine_set_rate(m, field(c->x, r, "ppm", 0) * 1000 + field(c->x, r, "ppb", 0), m->slew_ppb, r->at);
        break;
    case V_SLEWS: begin_slew(c, machine, r); break;
    default: break;
    }
}

void export_clocks_go(struct export_clocks *c, uint32_t record)
{
    ASSERT(record < c->x->n);
    for (; c->next <= record; c->next++) {
        const struct record *r = &c->x->record[c->next];
        end_slews(c, r->at);
        if (r->verb >= V_RECEIVES || r->start != 0) /* of a process, which has no clock: a pause that ends */
            continue;
        for (uint32_t i = 0; i < c->x->sim->n_machines; i++)
            if (c->x->sim->machines[i].name == r->actor)
                take_in(c, i, r);
    }
}

ns export_clocks_read(struct export_clocks *c, uint32_t machine, enum clock_kind kind, ns at)
{
    ASSERT(machine < c->x->sim->n_machines);
    end_slews(c, at);
    return machine_read(&c->machine[machine], kind, at);
}
