/* SPDX-License-Identifier: MIT
 *
 * abstract.h - roughly where a world stands: what a search that wants to see something new looks at. See abstract.c.
 */
#ifndef FENCEPOST_MODEL_ABSTRACT_H
#define FENCEPOST_MODEL_ABSTRACT_H

#include "sim/sim.h"

#define ABSTRACT_SLOTS 8192 /* a power of two: of the table that a search keeps */

enum abstract_level { ABSTRACT_COARSE, ABSTRACT_MEDIUM, ABSTRACT_FINE };

/* The abstract state of a world between two events, hashed. Changes nothing. */
uint64_t abstract_state(struct sim *s, enum abstract_level level);

/* By client: a hash of the shape of its program, alike for those that run the same. For prepare(). */
struct model_plan;
void abstract_prepare(const struct model_plan *p, uint64_t *kin);

#endif
