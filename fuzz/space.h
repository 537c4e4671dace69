/* SPDX-License-Identifier: MIT
 *
 * space.h - what a search may choose in one case: a menu of faults, behind the plan's own.
 *
 * The menu is made of what the case's `may` lines allow, or of everything (but `losing everything`) where it has none,
 * in magnitudes taken from the scenario's own constants: a third of a lease, just under it, just over it, twice it,
 * longer than the whole calm run. An *offer* is one fault of the menu. Faults of processes, machines and links strike
 * before and after what the trace says; faults of messages strike the one message at whose point they stand.
 *
 * A schedule is a set of deviations, each an offer at the address of a decision point; see player.h. The same case with
 * the same gates has the same menu in the same order, everywhere.
 */
#ifndef FENCEPOST_FUZZ_SPACE_H
#define FENCEPOST_FUZZ_SPACE_H

#include "scenarios/language/arena.h"
#include "scenarios/run.h"

#define SCHEDULE_MAX 64 /* deviations of a schedule */
#define OFFERS_MAX 4096
#define MESSAGE_KINDS (1u << FAULT_DELAY | 1u << FAULT_DROP | 1u << FAULT_DUPLICATE | 1u << FAULT_REORDER)
#define OWN_ROOM 64 /* faults that a shrinker may make up beside the menu */

struct offer {
    uint8_t kind;       /* enum fault_kind */
    uint8_t at_message; /* 1: strikes messages */
    uint8_t size;       /* place among the offers of its family, from 0: the mildest */
    uint8_t may;        /* messages: 1 + the `may` line that allows it, which says which links; 0: any */
    uint16_t family;    /* offers that differ in magnitude alone */
    uint16_t victim;    /* process struck; of a machine, one of it; of a link, its sender; a partition: NONE16 */
    uint16_t machine;   /* its machine, or NONE16 */
    uint16_t peer;      /* of a link: the receiver's process; else NONE16 */
};

struct space {
    struct compiled *whole;    /* as compiled; owned */
    struct compiled c;         /* the same with the menu, and of the expectations only `always`: what a search plays */
    struct fault_plan *faults; /* of c.sim, to be written from `room` on */
    uint32_t own;              /* faults of the file: the first so many */
    uint32_t n_offers;         /* offer i is fault own + i */
    uint32_t room;             /* the first of OWN_ROOM faults behind them */
    struct offer *offers;      /* n_offers, then OWN_ROOM */
    uint16_t *ids;             /* of c.sim, to be written from ids_used to ids_room */
    uint32_t ids_used, ids_room;
    uint32_t n_families; /* in use; a family's offers stand together */
    struct family {
        uint32_t first, n; /* offers */
        uint8_t kind, at_message;
        uint16_t victim, peer;
    } * families;
    uint32_t kinds;       /* bits of enum fault_kind on the menu */
    uint16_t *process_of; /* by name: the process that a thread or process of this name is or belongs to, or NONE16 */
    uint32_t at_most;     /* deviations of one schedule: what `at most N faults` says, else SCHEDULE_MAX */
    bool said;            /* there are `may` lines */
    ns calm_end;          /* when the calm run ends */
    ns horizon;           /* when a searched run ends at the latest; NS_NEVER never stands here */
    bool own_steps;       /* the event limit of a searched run is the search's, not the file's */
    ns file_horizon;      /* what the file says, or NS_NEVER */
    uint64_t calm_steps;
    uint64_t key; /* hash of the plan's menu and of the case: two spaces with one key have the same schedules */
    struct arena arena;
    struct names names;
};

enum space_problem {
    SPACE_OK,
    SPACE_NO_MEMORY,
    SPACE_PROBLEM,  /* it does not compile: diags */
    SPACE_NOTHING,  /* nothing may go wrong, or nothing that does has a point to do it at */
    SPACE_TOO_MUCH, /* more than OFFERS_MAX */
    SPACE_ENDLESS   /* the calm run comes to no end of its own */
};

/* without, put_back: bits GATE_x, as scenario_compile() takes them. signs: bits INV_x that count as if the case named
 * them. On SPACE_OK *out is to be freed. */
enum space_problem space_new(const struct scenario *s, uint32_t case_index, uint32_t without, uint32_t put_back,
                             uint32_t signs, struct diags *diags, struct space **out);
void space_free(struct space *sp);

/* Whether offer i may strike at this point at all. */
bool space_offers(const struct space *sp, const struct choice_point *p, uint32_t i);

/* About as long as a request, its answer, and what either leads to. */
static inline ns plan_exchange(const struct sim_plan *plan) { return 5 * plan->link_default.delay_min + NS_PER_MS; }

static inline const struct offer *offer_of(const struct space *sp, uint32_t fault)
{
    return &sp->offers[fault - sp->own];
}

/* A fault beside the menu: a copy of one with other magnitudes. The place is one of OWN_ROOM: shrinkers take them from
 * the first, whoever brings in what a file says from the last. Returns its index. */
uint32_t space_own(struct space *sp, uint32_t place, uint32_t like, const struct fault_plan *f);
/* The same for a fault that is like none of the menu. Its ids are those of a list that space_ids() kept. */
uint32_t space_own_new(struct space *sp, uint32_t place, const struct fault_plan *f);
/* Keeps a list of processes, or of sides. n 0: there is no room for it. */
struct ids space_ids(struct space *sp, const uint16_t *list, uint32_t n);

#endif
