/* SPDX-License-Identifier: MIT
 *
 * shrink.h - from a schedule that breaks an invariant to the smallest that breaks the same one by the same culprit.
 *
 * Passes, until none helps (search.md C6): what strikes after the violation; halves, then single deviations; pairs; one
 * moved by up to SHRINK_MOVE points, or to the first time that its label comes, while another goes; milder kinds and
 * smaller magnitudes; rounder ones.
 *
 * No single step may lead from three faults to the two that would do. So parts of the menu are exhausted (explore.h),
 * short enough for it: the faults that are left over, then the greatest of each family. They find, and prove nothing.
 *
 * Then every smaller bound of the whole menu is exhausted (of a situation, which is read from whole traces, bounds 0
 * and 1, by playing every such schedule): either something smaller appears, and is taken, by whomever it breaks; or the
 * result carries a certificate: nothing with fewer deviations from this menu within this horizon breaks that invariant.
 *
 * Three faults or more without a certificate may still be more than are needed. Then it is begun again: from all that
 * was found, with other orders in which faults are taken away; and from the result, by mutants of it (mutate.h) that
 * are made smaller in turn. What comes of that is shrunk and proved like any other, until it comes to no fewer.
 */
#ifndef FENCEPOST_FUZZ_SHRINK_H
#define FENCEPOST_FUZZ_SHRINK_H

#include "fuzz/explore.h"

#define SHRINK_MOVE 12
#define SHRINK_REPLAYS 5000

enum certificate {
    CERTIFIED,
    CERTIFIED_TRIVIALLY, /* nothing at all is needed: the calm run breaks it */
    UNCERTIFIED_STEPS,   /* the budget ended */
    UNCERTIFIED_MEMORY,
    UNCERTIFIED_JUDGED_LATE, /* linearizable and, past one fault, situations are not judged by exhaustive search */
    UNCERTIFIED_FIXED,       /* more deviations than a bound can be */
    UNCERTIFIED_LIMITS,      /* schedules ended at a capacity of the file, or with an error of it */
    UNCERTIFIED_ANOTHER,     /* held to its culprit: with fewer, somebody else breaks it */
    UNCERTIFIED_STOPPED,
    UNCERTIFIED_AS_IS /* nobody asked for one */
};

struct shrink_options {
    uint64_t replays; /* at most, of the passes; without a certificate, as many again each time that they go on */
    uint64_t steps;   /* events at most, of the certificate; of each part of the menu, and each time that it is begun
                       * again, as many again */
    uint64_t memory;  /* bytes, of the certificate */
    bool (*tick)(void *context, uint32_t bound, uint32_t thousandths, uint64_t steps); /* see explore.h */
    void *context;
    bool held;  /* to its culprit: nothing smaller by which somebody else breaks it is taken */
    bool as_is; /* leaves it as it is, and proves nothing */
    bool rough; /* only the passes that make it smaller: no faults are made up, and nothing is proved */
};

struct shrunk {
    struct schedule schedule;
    struct culprit culprit;
    ns at;            /* of the violation */
    uint32_t from;    /* deviations before */
    uint64_t replays; /* of the passes, and of what was begun again */
    enum certificate certificate;
    uint32_t proved;      /* no schedule of so many deviations or fewer breaks it; NONE32: nothing is proved */
    struct explored last; /* the search that the certificate rests on */
};

/* The player's wanted is restored. schedule must break culprit. False: no memory. Faults made up on the way are in the
 * space's own room: the result is good until the space shrinks another. */
bool shrink(struct player *p, const struct schedule *schedule, struct culprit culprit, const struct shrink_options *o,
            struct shrunk *out);

/* Whether a person would say this duration: on the ladder 1 2 5 10 20 30 (s, min) 1 2 5 h, or whole seconds or, below
 * ten seconds, tenths. */
bool shrink_is_round(ns d);

#endif
