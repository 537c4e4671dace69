/* SPDX-License-Identifier: MIT
 *
 * menu.h - a menu in the making: for space.c, menu.c, menu_links.c and magnitude.c alone.
 */
#ifndef FENCEPOST_FUZZ_MENU_H
#define FENCEPOST_FUZZ_MENU_H

#include "fuzz/space.h"
#include "scenarios/language/arena.h"

#define DURATIONS_MAX 8
#define DURATION_LONGEST (NS_MAX / 4)

struct build {
    struct space *sp;
    struct arena *arena;
    const struct compiled *c;
    LIST(struct fault_plan) faults;
    LIST(struct offer) offers;
    LIST(uint16_t) ids;
    struct interner names;
    ns lease[8]; /* distinct, ascending */
    uint32_t n_leases;
    ns stop[DURATIONS_MAX]; /* how long machines stop and links close, ascending */
    uint32_t n_stops;
    const struct may_plan *may; /* the line that is being worked out; NULL: there are none, everything may */
    uint32_t may_index;         /* 1 + its number */
    uint16_t family;
};

/* --- magnitude.c ----------------------------------------------------------------------------- */

ns round_up(ns d); /* to two digits that count: 3.33s becomes 3.4s, 11.97s becomes 12s */
/* Adds a duration unless one within a tenth of it is there, or there are `most`. Keeps them ascending. */
void add_duration(ns *list, uint32_t *n, uint32_t most, ns d);
void collect_durations(struct build *b);

/* --- menu.c ---------------------------------------------------------------------------------- */

void menu_make(struct build *b);
struct fault_plan menu_blank(enum fault_kind kind);
/* The process, and others of its name: a fault on a name strikes all of them. */
struct ids menu_process(struct build *b, uint16_t process);
struct ids menu_one(struct build *b, uint16_t process);
name_id menu_name(struct build *b, const char *text);
/* A family: one for each duration up to what the line says; last: one without an end, too. */
void menu_durations(struct build *b, struct fault_plan f, uint16_t victim, uint16_t peer, bool last);
/* Whom the line names; a machine by the first of its processes, NONE16: none of them is named. */
bool menu_may_process(const struct build *b, uint16_t process);
uint16_t menu_may_machine(const struct build *b, uint16_t machine);
bool menu_is_client(const struct build *b, uint16_t process);
/* A node without a program has nothing to stop. */
bool menu_does_something(const struct build *b, uint16_t process);

/* --- menu_links.c ---------------------------------------------------------------------------- */

void menu_cut(struct build *b);
void menu_partition(struct build *b);

#endif
