/* SPDX-License-Identifier: MIT
 *
 * growth.c - see growth.h. How often a state was passed is told up to twice: more is of no interest.
 */
#include "fuzz/growth.h"

#include <stdlib.h>

struct growing {
    struct growth *out;
    uint8_t *times; /* by slot: 0, 1, 2 schedules or more */
    uint64_t next;  /* the next point is after so many schedules */
};

/* 1 2 5 10 20 50 .. */
static uint64_t rung_above(uint64_t n)
{
    uint64_t ten = 1;
    while (n >= 10 * ten && ten < UINT64_C(1) << 56)
        ten *= 10;
    return n < 2 * ten ? 2 * ten : n < 5 * ten ? 5 * ten : 10 * ten;
}

static void put_point(struct growth *g)
{
    if (g->n == GROWTH_POINTS || (g->n > 0 && g->point[g->n - 1].schedules == g->schedules))
        return;
    g->point[g->n++] = (struct growth_point){g->schedules, g->states, g->once};
}

static void played(void *context, const struct player *p)
{
    struct growing *k = context;
    struct growth *g = k->out;
    g->schedules++;
    for (uint32_t i = 0; i < p->n_slots; i++) {
        uint8_t *times = &k->times[p->slots[i]];
        g->states += *times == 0;
        g->once += *times == 0;
        g->once -= *times == 1;
        g->last_new = *times == 0 ? g->schedules : g->last_new;
        *times = *times == 0 ? 1 : 2;
    }
    if (g->schedules < k->next)
        return;
    put_point(g);
    k->next = rung_above(g->schedules);
}

bool growth_measure(struct space *sp, unsigned arms, uint64_t seed, uint64_t schedules,
                    bool (*tick)(void *context, uint64_t played), void *context, struct growth *out)
{
    struct growing k = {out, calloc(ABSTRACT_SLOTS, 1), 1};
    const struct search_options o = {.seed = seed,
                                     .schedules = schedules,
                                     .arms = arms,
                                     .workers = 1,
                                     .played = played,
                                     .context = &k,
                                     .note_all = true};
    *out = (struct growth){.schedules = 0};
    struct search *s = k.times == NULL ? NULL : search_new(sp, &o);
    enum round_end end = s == NULL ? ROUND_NO_MEMORY : ROUND_MORE;
    while (end == ROUND_MORE && (tick == NULL || tick(context, out->schedules)))
        end = search_round(s);
    put_point(out);
    search_free(s);
    free(k.times);
    return end != ROUND_NO_MEMORY;
}

uint64_t growth_unseen(const struct growth *g)
{
    return g->schedules == 0 ? 0 : ((uint64_t)g->once * 1000000 + g->schedules - 1) / g->schedules;
}
