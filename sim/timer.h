/* SPDX-License-Identifier: MIT
 *
 * timer.h - what the kernel needs of timer.c; models use timer_set() and timer_cancel() of sim.h.
 */
#ifndef FENCEPOST_SIM_TIMER_H
#define FENCEPOST_SIM_TIMER_H

#include "sim/event.h"

/* To be called when a clock was changed or something began or ceased to run. */
void timer_rekey(struct sim *s);

#endif
