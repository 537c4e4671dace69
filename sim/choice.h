/* SPDX-License-Identifier: MIT
 *
 * choice.h - decision points inside the kernel. See choice.c.
 *
 * Callers ask s->points first: without deviations and SIM_POINTS nothing is counted.
 */
#ifndef FENCEPOST_SIM_CHOICE_H
#define FENCEPOST_SIM_CHOICE_H

#include "sim/world.h"

void choice_prepare(struct sim *s);
/* Forgets the labels of former runs, if many are known. No snapshot from before may be restored after it. */
void choice_forget(struct sim *s);

/* After a record: what deviations say happens when the handler has ended. */
void choice_after(struct sim *s, name_id actor, uint16_t verb, name_id object, uint32_t cause);
/* Before an act: faults are applied at once. */
void choice_before(struct sim *s, name_id actor, uint16_t verb, name_id object);
/* Which option (not: which fault) a deviation takes; 0: none does. */
uint32_t choice_resume(struct sim *s, uint16_t process);
uint32_t choice_delay(struct sim *s, uint16_t from, uint16_t to);

/* A message is sent. Calls strike() for each fault that a deviation names; returns the option. */
typedef void (*choice_strike_fn)(struct sim *s, uint32_t fault, void *context);
uint32_t choice_message(struct sim *s, uint16_t from, uint16_t to, name_id what, choice_strike_fn strike,
                        void *context);

#endif
