/* SPDX-License-Identifier: MIT
 *
 * alike.h - nodes that nothing in a space tells apart: one digest for all states that differ in nothing but which of
 * them is where.
 *
 * They are twins to the model (model/twins.h); what their file lets strike strikes them alike; whatever the menu offers
 * for one it offers for the other; and no `always` line names them. (Symmetry reduction by sorting, after C. N. Ip and
 * D. L. Dill, "Better Verification Through Symmetry", 1996.)
 */
#ifndef FENCEPOST_FUZZ_ALIKE_H
#define FENCEPOST_FUZZ_ALIKE_H

#include "fuzz/space.h"

struct alike;

/* Of a space, and a sim of its plan. NULL: no memory. To be freed before the space. */
struct alike *alike_new(const struct space *sp, struct sim *s);
void alike_free(struct alike *x);

uint32_t alike_groups(const struct alike *x);
/* The nodes of a group, as processes in the order of the plan: at least two. */
struct alike_group {
    uint32_t n;
    const uint16_t *process;
};
struct alike_group alike_group(const struct alike *x, uint32_t group);

/* The digest of the state under the renaming that sorts the nodes of each group by what is their own. Two states with
 * one digest differ in nothing but which of them is where. Of such two it is the same, unless two nodes have the same
 * of their own and differ in who speaks of them: then each may have its own digest, and a search goes into both. tied:
 * whether some nodes have the same; may be NULL. Without groups, sim_state_digest(). */
uint64_t alike_digest(struct alike *x, struct sim *s, bool *tied);

#endif
