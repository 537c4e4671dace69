/* SPDX-License-Identifier: MIT
 *
 * search.h - looking for a schedule that breaks a case: a portfolio of arms, in rounds.
 *
 *     single   every deviation alone, the likeliest first
 *     swarm    independent samples (sample.h): the only arm that statistical statements may rest on
 *     guided   sparse lists that reached a new abstract state, mutated
 *     branch   from the snapshot of a rarely used abstract state, with faults in its next events
 *     uniform, pct   baselines
 *
 * A round's schedules are all worked out before it begins, from what the rounds before it found; what they find is
 * taken in at its end, in their order. So a search is a pure function of (space, seed, arms, budget), whatever the
 * number of processes, and can stop and go on between two rounds.
 */
#ifndef FENCEPOST_FUZZ_SEARCH_H
#define FENCEPOST_FUZZ_SEARCH_H

#include "fuzz/sample.h"

enum arm { ARM_SINGLE, ARM_SWARM, ARM_GUIDED, ARM_BRANCH, ARM_UNIFORM, ARM_PCT, ARMS };
extern const char *const arm_name[ARMS];
#define PORTFOLIO (1u << ARM_SINGLE | 1u << ARM_SWARM | 1u << ARM_GUIDED | 1u << ARM_BRANCH)

struct search_options {
    uint64_t seed;
    uint64_t schedules;                /* the most that are played */
    unsigned arms;                     /* bits of enum arm */
    uint32_t workers;                  /* processes; 1: none but this one */
    uint64_t wanted;                   /* which violations are looked for, see player.h */
    const struct situation_set *reach; /* or which situations; NULL: violations */
    uint64_t first_swarm;              /* number of the first swarm sample: a shard's own range */
    /* Shown each schedule that was played, in their order; of a search by one process alone. NULL: nobody looks. */
    void (*played)(void *context, const struct player *p);
    void *context;
    bool note_all; /* for a shard: abstract states even where no arm goes by them; which samples have no end */
};

struct discovery {
    struct schedule schedule; /* as it was found */
    struct culprit culprit;
    ns at;
    uint64_t after; /* schedules played when it was found, itself included */
    uint32_t arm;
    uint64_t number; /* of its arm: of a swarm sample, its own among all that this seed has */
};

/* A schedule that reached an abstract state first, or with the fewest deviations. */
struct entry {
    struct schedule schedule;
    uint32_t n_passed; /* points of its run */
    uint32_t owns;     /* slots; 0: its place is free */
};

/* An abstract state that was reached. */
struct cell {
    uint32_t entry;    /* 1 + who owns it; 0: never reached */
    uint32_t event;    /* how many events had run in its schedule when it was reached */
    uint32_t used;     /* how often it was picked, by guided */
    uint32_t passed;   /* how many schedules that brought something new came through it */
    uint32_t branched; /* and by branch */
    void *copy;        /* of the run there, or NULL: not made, or no room */
    size_t copy_size;
    uint32_t copy_passed;
    uint32_t forgettings;
};

enum round_end { ROUND_MORE, ROUND_FOUND, ROUND_BUDGET, ROUND_DONE, ROUND_NO_MEMORY, ROUND_BROKEN };

struct single {
    uint64_t address;
    uint32_t fault;
    uint32_t rank; /* the smaller the sooner */
};

struct search {
    struct space *sp;
    struct search_options o;
    struct player *player;
    uint64_t round; /* how many are over */
    uint64_t played;
    uint64_t played_by[ARMS];
    uint64_t next[ARMS]; /* number of the next schedule of each arm */
    uint64_t steps;      /* events of all runs of rounds, as player.h counts them, so that costs can be told */
    uint64_t errors;     /* of those played: how many came to no end of their own */
    uint64_t *endless;   /* with note_all: the numbers of swarm samples among these errors, in their order */
    uint32_t n_endless, endless_max;
    uint32_t calm_points;
    struct single *singles; /* in the order of rank */
    uint32_t n_singles;
    struct entry *entries;
    uint32_t n_entries, entries_max; /* never more than ABSTRACT_SLOTS + 1 */
    uint32_t no_free_below;          /* no entry's place before this one is free */
    struct cell *cells;              /* ABSTRACT_SLOTS */
    uint16_t *reached;               /* slots in the order in which they were reached */
    uint32_t n_reached;
    uint64_t reached_at; /* schedules played when the last one was */
    size_t copies;       /* bytes */
    bool found;
    struct discovery finding;
    struct culprit *known; /* with keep-going: what was found before, and is passed over */
    uint32_t n_known;
    int error; /* ROUND_BROKEN: errno */
};

/* Plays the calm run. NULL: no memory. The space outlives it. */
struct search *search_new(struct space *sp, const struct search_options *o);
void search_free(struct search *s);

/* The calm run itself breaks what is looked for: nothing needs to be searched. In *out. */
bool search_calm_breaks(struct search *s, struct culprit *out);

/* Plays the next round. ROUND_FOUND: s->finding; another call goes on with the schedule behind it: none is left
 * out, and none counts twice (it is found again, later, unless it is passed over). ROUND_DONE: no arm has anything left
 * (singles alone). ROUND_BROKEN: a process could not be started or died. */
enum round_end search_round(struct search *s);

/* Whether the budget ends within the next round. A search that is to go on with a larger one is kept before it: with
 * the larger budget from the start that round would have been whole. */
bool search_cuts_round(const struct search *s);

/* Passes over this culprit from now on. False: no memory. */
bool search_pass_over(struct search *s, struct culprit c);
/* Looks for these violations from now on. */
void search_want(struct search *s, uint64_t wanted);

#endif
