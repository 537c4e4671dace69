/* SPDX-License-Identifier: MIT
 *
 * survival.c - see survival.h.
 */
#include "fuzz/survival.h"

void survival_begin(struct survival *s, uint64_t cap)
{
    s->n = 0;
    s->cap = cap;
}

void survival_add(struct survival *s, uint64_t after)
{
    ASSERT(s->n < SURVIVAL_MAX);
    uint32_t i = s->n++;
    for (; i > 0 && s->after[i - 1] > after; i--)
        s->after[i] = s->after[i - 1];
    s->after[i] = after;
}

uint32_t survival_found(const struct survival *s) { return s->n - survival_alive(s, SURVIVAL_CENSORED - 1); }

uint32_t survival_alive(const struct survival *s, uint64_t schedules)
{
    uint32_t alive = 0;
    for (uint32_t i = 0; i < s->n; i++)
        alive += s->after[i] > schedules;
    return alive;
}

uint64_t survival_quantile(const struct survival *s, uint32_t percent)
{
    ASSERT(s->n > 0 && percent <= 100);
    uint32_t rank = (s->n * percent + 99) / 100;
    return s->after[rank > 0 ? rank - 1 : 0];
}

/* The largest r for which fewer than r of n coins show heads with a probability of at most 1 in 40. */
static uint32_t rank_low(uint32_t n)
{
    uint64_t choose = 1, below = 0, whole = UINT64_C(1) << n;
    uint32_t r = 0;
    while (r < n && 40 * (below + choose) <= whole) {
        below += choose;
        choose = choose * (n - r) / (r + 1);
        r++;
    }
    return r;
}

void survival_interval(const struct survival *s, uint64_t *low, uint64_t *high)
{
    ASSERT(s->n > 0);
    uint32_t r = rank_low(s->n);
    *low = s->after[r > 0 ? r - 1 : 0];
    *high = s->after[r > 0 ? s->n - r : s->n - 1];
}
