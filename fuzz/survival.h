/* SPDX-License-Identifier: MIT
 *
 * survival.h - how many schedules a search needed, over many seeds, some of which found nothing.
 *
 * A seed that found nothing within the cap is *censored*: all that is known is that it needs more. Every seed has the
 * same cap, so the Kaplan-Meier estimate is the plain share of those that were still looking, and a median is known as
 * soon as more than half of the seeds found something. Intervals are of order statistics: they assume nothing of how
 * the numbers are spread. Whole numbers alone.
 */
#ifndef FENCEPOST_FUZZ_SURVIVAL_H
#define FENCEPOST_FUZZ_SURVIVAL_H

#include "sim/base.h"

#define SURVIVAL_MAX 51
#define SURVIVAL_CENSORED UINT64_MAX

struct survival {
    uint32_t n;                   /* seeds */
    uint64_t cap;                 /* schedules of each at most */
    uint64_t after[SURVIVAL_MAX]; /* schedules played when it was found, or SURVIVAL_CENSORED; in order of size */
};

void survival_begin(struct survival *s, uint64_t cap);
/* In its place. There is room. */
void survival_add(struct survival *s, uint64_t after);

uint32_t survival_found(const struct survival *s);
/* How many were still looking when so many schedules had been played. */
uint32_t survival_alive(const struct survival *s, uint64_t schedules);
/* The smallest number that at least so many per cent of the seeds needed no more than; SURVIVAL_CENSORED: above the
 * cap. At least one seed. */
uint64_t survival_quantile(const struct survival *s, uint32_t percent);
static inline uint64_t survival_median(const struct survival *s) { return survival_quantile(s, 50); }
/* The order statistics between which the median lies with a probability of at least 95 %; of five seeds or fewer there
 * is no such pair: the smallest and the largest. */
void survival_interval(const struct survival *s, uint64_t *low, uint64_t *high);

#endif
