/* SPDX-License-Identifier: MIT
 *
 * state.h - the state digest (sim_state_digest() of sim.h), and runs that go round in circles.
 */
#ifndef FENCEPOST_SIM_STATE_H
#define FENCEPOST_SIM_STATE_H

#include "sim/world.h"

/* Asked before each retry when nothing but retries is left. True: the run was in this very state before. */
bool state_repeats(struct sim *s);
/* A new run begins, or a deviation struck: no state was seen before. */
void state_forget(struct sim *s);

#endif
