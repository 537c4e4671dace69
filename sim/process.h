/* SPDX-License-Identifier: MIT
 *
 * process.h - machines, processes and threads stop and run on. See process.c.
 */
#ifndef FENCEPOST_SIM_PROCESS_H
#define FENCEPOST_SIM_PROCESS_H

#include "sim/event.h"

/* Works out who runs, and what that means for timers. To be called after every change. */
void process_refresh(struct sim *s);

/* Each returns whether it struck, or the one struck runs now. They emit no record. */
bool process_pause(struct sim *s, uint16_t process);
bool process_unpause(struct sim *s, uint16_t process);
bool thread_pause(struct sim *s, uint16_t thread);
bool thread_unpause(struct sim *s, uint16_t thread);
void process_suspend(struct sim *s, uint16_t machine);
bool process_unsuspend(struct sim *s, uint16_t machine);
bool process_crash(struct sim *s, uint16_t process);
void process_restart(struct sim *s, uint16_t process);

/* A thread's first step is queued, if it has one. */
void process_start_threads(struct sim *s, uint16_t process);
/* It runs on: its resume order is chosen and what is held for it will be released. */
void process_release(struct sim *s, uint16_t process);

#endif
