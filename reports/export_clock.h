/* SPDX-License-Identifier: MIT
 *
 * export_clock.h - what the clocks of every machine read at each record, worked out from the trace: from the plan's
 * starting values, and the records of suspensions, jumps, drifts and slews.
 */
#ifndef FENCEPOST_REPORTS_EXPORT_CLOCK_H
#define FENCEPOST_REPORTS_EXPORT_CLOCK_H

#include "reports/export.h"
#include "sim/clock.h"

struct slew_end {
    ns at;
    int64_t ppb; /* what the rate loses then */
    uint32_t machine;
    uint32_t spare;
};
_Static_assert(sizeof(struct slew_end) == 24, "struct slew_end has no padding");

struct export_clocks {
    const struct exported *x;
    struct machine *machine;
    struct slew_end *slew; /* that run now, by their ends */
    uint32_t n_slews;
    uint32_t next; /* the first record that has not been taken in */
};

/* At 0 s. False: no memory, and there is nothing to close. */
bool export_clocks_open(struct export_clocks *c, const struct exported *x);
void export_clocks_close(struct export_clocks *c);
/* Takes in the records up to this one; it never goes back. */
void export_clocks_go(struct export_clocks *c, uint32_t record);
/* What a machine's clock reads now: at `at`, no earlier than the last record taken in, with no other behind it. */
ns export_clocks_read(struct export_clocks *c, uint32_t machine, enum clock_kind kind, ns at);

#endif
