/* SPDX-License-Identifier: MIT
 *
 * fault.h - faults begin, end, and are triggered. See fault.c and trigger.c.
 */
#ifndef FENCEPOST_SIM_FAULT_H
#define FENCEPOST_SIM_FAULT_H

#include "sim/world.h"

/* Applies a fault now. cause: the record that led to it, 0 for a dated one. */
void fault_apply(struct sim *s, uint32_t fault, uint32_t cause);
/* Applies it when the handler that runs now has ended, before any other event. */
void fault_later(struct sim *s, uint32_t fault, uint32_t cause);
void fault_apply_later_ones(struct sim *s);
/* The event of an end: target is what it struck. */
void fault_end(struct sim *s, uint32_t fault, uint16_t target);

/* Works out what faults have in common, for the state digest. */
void fault_prepare(struct sim *s);
/* A hash of what lasts of a fault, under the renaming of the digest under way: alike for faults that do the same. */
uint64_t fault_kin_of(const struct sim *s, const struct fault_plan *f);

/* The number that a machine, process, thread or connection is fed under: an entry of the renaming, if there is one. */
#define AS(s, what, i) ((s)->as == NULL ? (uint16_t)(i) : (s)->as->what[i])

bool ids_hold(const struct sim_plan *plan, struct ids ids, uint16_t id);

void trigger_prepare(struct sim *s);
void trigger_after(struct sim *s, name_id actor, uint16_t verb, name_id object, uint32_t cause);

/* False for most records: no trigger waits for their verb or actor. */
static inline bool trigger_waits(const struct sim *s, bool before, name_id actor, uint16_t verb)
{
    return s->world->waiting[before] > 0 && s->trigger_verbs[before] >> (verb & 63) & 1 &&
           s->trigger_actors[before] >> (actor & 63) & 1;
}

#endif
