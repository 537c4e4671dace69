/* SPDX-License-Identifier: MIT
 *
 * sample.h - drawing deviations: the independent arm of a search, and two baselines.
 *
 * What is drawn at a point is a hash of (seed, address): it does not depend on what was drawn elsewhere, so taking one
 * deviation away leaves the others where they are. PCT draws by how many points went by; it is a baseline.
 *
 *     swarm    each run has its own kinds of faults (each with probability 1/2) and its own rate, so that kinds do not
 *              mask each other: A. Groce et al., Swarm Testing, ISSTA 2012
 *     uniform  every option of every point alike, the calm one among them
 *     pct      d places among the points of the calm run, and a fault at each, d from 1 to 3: after S. Burckhardt et
 *              al., A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs, ASPLOS 2010
 */
#ifndef FENCEPOST_FUZZ_SAMPLE_H
#define FENCEPOST_FUZZ_SAMPLE_H

#include "fuzz/player.h"

enum sampler { SAMPLE_SWARM, SAMPLE_UNIFORM, SAMPLE_PCT };

struct sample {
    const struct space *sp;
    enum sampler how;
    uint64_t seed;
    uint64_t rate;               /* of 2^32: how often a point is struck */
    uint32_t kinds;              /* bits of enum fault_kind */
    uint32_t left;               /* how many more */
    uint32_t n_places, place[4]; /* pct */
};

/* points: those of the calm run. The draw function is sample_draw, its context the sample. */
struct sample sample_begin(const struct space *sp, enum sampler how, uint64_t seed, uint32_t points);
/* Of 2^32: how often a point is struck, where so many halves of a fault are expected at so many points. At most every
 * other. */
uint64_t sample_rate(uint64_t halves, uint64_t points);
uint32_t sample_draw(void *context, const struct sim *sim, const struct choice_point *p, uint32_t at);

/* One fault that may strike at this point, drawn from h: of these kinds; half of the time one that concerns who acts
 * there. NONE32: none may. */
uint32_t sample_fault(const struct space *sp, const struct choice_point *p, uint32_t kinds, uint64_t h);

/* Whether faults of this family may strike at the point, and are of these kinds. */
bool sample_fits(const struct space *sp, const struct family *f, const struct choice_point *p, uint32_t kinds);
/* Whether a fault of this family concerns the point: it strikes who acts there, or whom it is done to. */
bool sample_concerns(const struct space *sp, const struct family *f, const struct choice_point *p);

/* A well-mixed hash of two words. */
uint64_t sample_hash(uint64_t a, uint64_t b);
/* A number below n, from a hash. */
static inline uint32_t sample_below(uint64_t h, uint32_t n) { return (uint32_t)((h >> 32) * n >> 32); }

#endif
