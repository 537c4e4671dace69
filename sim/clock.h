/* SPDX-License-Identifier: MIT
 *
 * clock.h - the arithmetic of clocks, and the three clocks of a machine. See clock.c.
 */
#ifndef FENCEPOST_SIM_CLOCK_H
#define FENCEPOST_SIM_CLOCK_H

#include "sim/sim.h"

#define PPB_MAX INT64_C(500000000)
#define CLOCK_REACH (INT64_C(1) << 58) /* readings stay within this, on either side of 0 */

/* What a clock of R = 10^9 + ppb nanoseconds a second advances in d >= 0 of true time. */
ns clock_advance(ns d, int64_t ppb);
/* After how much true time it has advanced x: the first nanosecond at which it has. NS_NEVER: beyond reach. */
ns clock_delay(ns x, int64_t ppb);
/* The rate that gains `by` over `over` > 0, in ppb, rounded toward zero. */
int64_t clock_slew_ppb(ns by, ns over);

struct clock {
    ns since; /* true time of the last rebase */
    ns read;  /* what it read then */
};

struct machine {
    struct clock clock[CLOCKS];
    int64_t drift_ppb;  /* set at the start and by drift */
    int64_t slew_ppb;   /* sum of the slews that run now */
    int64_t ppb;        /* the rate: both, within PPB_MAX */
    uint32_t suspended; /* suspensions that have not ended; monotonic stands still */
    uint32_t spare;
};
_Static_assert(sizeof(struct machine) == 80, "struct machine has no padding");

void machine_reset(struct machine *m, uint64_t name_hash, ns wall_offset, int64_t ppb);
/* What a clock reads. The second is for machines whose clocks do not all run as true time does. */
ns machine_read_odd(const struct machine *m, enum clock_kind kind, ns now);
static inline ns machine_read(const struct machine *m, enum clock_kind kind, ns now)
{
    ASSERT(kind < CLOCKS);
    if (m->ppb != 0 || m->suspended > 0)
        return machine_read_odd(m, kind, now);
    return m->clock[kind].read + (now - m->clock[kind].since);
}
/* When the clock will have reached the deadline if nothing changes: now at the earliest. */
ns machine_due(const struct machine *m, enum clock_kind kind, ns deadline, ns now);
/* The fraction of a nanosecond that rounding down hides, in 10^-9 ns: part of the state. */
uint64_t machine_fraction(const struct machine *m, enum clock_kind kind, ns now);

void machine_set_rate(struct machine *m, int64_t drift_ppb, int64_t slew_ppb, ns now);
void machine_step_wall(struct machine *m, ns by);
void machine_suspend(struct machine *m, ns now);
void machine_resume(struct machine *m, ns now);

#endif
