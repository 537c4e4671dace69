/* SPDX-License-Identifier: MIT
 *
 * gates.h - which gates a case needs, which are enough, and which another one covers: by search.
 *
 * Of a case each gate that it has and that could matter in it is taken away alone. If a schedule breaks the case then,
 * the gate is *needed*. Gates that are not are taken away in pairs: if a pair breaks it, each covers for the other. At
 * last all are taken away, and each is put back alone: if nothing breaks the case then, that gate alone is *enough*.
 *
 * What falls with every gate in place (standing.h) is named, and counts for none of this: no gate decides it.
 *
 * "Nothing breaks it" means: not within the bound, which is so many schedules of a portfolio and every schedule with at
 * most so many faults, if that could be completed. Never more.
 */
#ifndef FENCEPOST_FUZZ_GATES_H
#define FENCEPOST_FUZZ_GATES_H

#include "fuzz/shrink.h"
#include "fuzz/standing.h"
#include "fuzz/survival.h"

struct gates_options {
    uint64_t schedules; /* of each search */
    uint32_t faults;    /* of each exhaustive search */
    uint64_t steps;     /* events of each exhaustive search; of a pair's, so many / GATES_PAIR */
    uint64_t memory;
    uint64_t seed;
    uint32_t seeds; /* how many searches the median is of, 1 to GATES_SEEDS */
    uint32_t workers;
    uint32_t signs;                                /* bits INV_x that count besides */
    bool pairs;                                    /* else each alone, no more */
    bool (*tick)(void *context, const char *what); /* between two searches; false: stop */
    void *context;
};
#define GATES_SEEDS 51
#define GATES_PAIR 8

/* What a search came to. */
enum looked_for {
    LOOKED_NOT,       /* it was not asked */
    LOOKED_FOUND,     /* a schedule breaks it */
    LOOKED_CALM,      /* it breaks without any fault */
    LOOKED_NOTHING,   /* none of the samples does, and none with at most `faults` faults */
    LOOKED_SAMPLES,   /* none of the samples does; the exhaustive search was not completed */
    LOOKED_IMPOSSIBLE /* without that gate the case does not compile */
};

struct looked_at {
    enum looked_for what;
    struct culprit culprit;
    const char *invariant;
    uint64_t median;          /* of schedules to find, over the seeds; those that did not find it count as the budget */
    uint32_t missed;          /* seeds that did not */
    struct survival survival; /* of the same; without a seed where no sample was looked for */
    uint32_t faults;          /* of the shrunk schedule */
    bool minimal;             /* with a certificate */
    char *text;               /* the shrunk file, malloc'd; NULL: none */
    size_t length;
};

struct gate_row {
    uint32_t gate;           /* enum gate */
    struct looked_at alone;  /* without it */
    struct looked_at only;   /* without all others */
    uint32_t covered;        /* bits of gates: with one of these away as well, its absence shows */
    const char *pair_breaks; /* what the first such pair breaks */
};

struct gates {
    uint32_t n;
    struct gate_row row[GATES];
    struct looked_at none; /* all of them away */
    uint32_t n_fallen;     /* what breaks with every gate in place, and is not looked for: see standing.h */
    uint32_t fallen[INVARIANTS + 1];
    uint32_t offers;
    uint32_t faults; /* of a schedule at most: of the options, or of the file's `at most` */
    ns horizon;
    bool stopped; /* by tick(): what was not asked by then is LOOKED_NOT */
};

/* The gates, as bits, that a case has and that could matter in it. */
uint32_t gates_of(const struct compiled *c);

/* False: no memory. gates_free() in any case. */
bool gates_look(const struct scenario *s, uint32_t case_index, const struct gates_options *o, struct gates *out);
void gates_free(struct gates *g);

#endif
