/* SPDX-License-Identifier: MIT
 *
 * sample.c - see sample.h.
 */
#include "fuzz/sample.h"

#define ONE (UINT64_C(1) << 32)

/* SplitMix64's (G. Steele et al., Fast Splittable Pseudorandom Number Generators, OOPSLA 2014). */
static uint64_t mix(uint64_t h)
{
    h = (h ^ h >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    h = (h ^ h >> 27) * UINT64_C(0x94D049BB133111EB);
    return h ^ h >> 31;
}

/* Draws are hashes of hashes: one that mixes less makes some of them never meet. */
uint64_t sample_hash(uint64_t a, uint64_t b)
{
    const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15);
    return mix(mix(a + golden) + (b + 1) * golden);
}

/* --- which fault ---------------------------------------------------------------------------------- */

bool sample_concerns(const struct space *sp, const struct family *f, const struct choice_point *p)
{
    uint16_t actor = p->actor == NONE16 ? NONE16 : sp->process_of[p->actor];
    uint16_t peer = p->peer == NONE16 ? NONE16 : sp->process_of[p->peer];
    if (f->victim == NONE16)
        return f->kind == FAULT_PARTITION;
    return f->victim == actor || f->victim == peer || (f->peer != NONE16 && (f->peer == actor || f->peer == peer));
}

bool sample_fits(const struct space *sp, const struct family *f, const struct choice_point *p, uint32_t kinds)
{
    return kinds >> f->kind & 1 && f->at_message == (p->kind == CHOICE_MESSAGE) &&
           (!f->at_message || space_offers(sp, p, f->first));
}

/* The pick-th kind on the menu of this point; kinds that it does not have are passed over. */
static uint32_t pick_kind(const struct space *sp, const struct choice_point *p, uint32_t kinds, uint64_t h)
{
    uint32_t there = 0, n = 0;
    for (uint32_t f = 0; f < sp->n_families; f++)
        if (sample_fits(sp, &sp->families[f], p, kinds))
            there |= UINT32_C(1) << sp->families[f].kind;
    for (uint32_t left = there; left != 0; left &= left - 1)
        n++;
    for (uint32_t pick = n == 0 ? 0 : sample_below(h, n); pick > 0; pick--)
        there &= there - 1;
    return there & (0 - there); /* the lowest that is left */
}

static uint32_t count_fitting(const struct space *sp, const struct choice_point *p, uint32_t kind, bool near)
{
    uint32_t n = 0;
    for (uint32_t f = 0; f < sp->n_families; f++)
        n += sample_fits(sp, &sp->families[f], p, kind) && (!near || sample_concerns(sp, &sp->families[f], p));
    return n;
}

uint32_t sample_fault(const struct space *sp, const struct choice_point *p, uint32_t kinds, uint64_t h)
{
    uint32_t kind = pick_kind(sp, p, kinds, h);
    if (kind == 0)
        return NONE32;
    h = sample_hash(h, 1);
    bool near = h & 1;
    uint32_t n = count_fitting(sp, p, kind, near);
    if (n == 0) {
        near = false;
        n = count_fitting(sp, p, kind, near);
    }
    uint32_t pick = sample_below(h, n);
    for (uint32_t f = 0; f < sp->n_families; f++) {
        const struct family *family = &sp->families[f];
        if (!sample_fits(sp, family, p, kind) || (near && !sample_concerns(sp, family, p)) || pick-- > 0)
            continue;
        return sp->own + family->first + sample_below(sample_hash(h, 2), family->n);
    }
    ASSERT(n == 0);
    return NONE32;
}

/* --- samplers ----------------------------------------------------------------------------------------- */

uint64_t sample_rate(uint64_t halves, uint64_t points)
{
    uint64_t rate = ONE * halves / 2 / (points > 0 ? points : 1);
    return rate < ONE / 2 ? rate : ONE / 2;
}

/* Faults that a run expects: 1, 1.5, 2, 3, 4, 6, 8, 12, spread over the points of the calm run. */
static uint64_t swarm_rate(uint64_t h, uint32_t points)
{
    static const uint8_t halves[] = {2, 3, 4, 6, 8, 12, 16, 24};
    return sample_rate(halves[sample_below(h, 8)], points);
}

static uint32_t swarm_kinds(const struct space *sp, uint64_t h)
{
    uint32_t kinds = sp->kinds & (uint32_t)(h >> 8);
    return kinds != 0 ? kinds : sp->kinds;
}

struct sample sample_begin(const struct space *sp, enum sampler how, uint64_t seed, uint32_t points)
{
    struct sample s = {.sp = sp, .how = how, .seed = sample_hash(seed, 3), .kinds = sp->kinds, .left = sp->at_most};
    uint64_t h = sample_hash(seed, 4);
    switch (how) {
    case SAMPLE_SWARM:
        s.kinds = swarm_kinds(sp, h);
        s.rate = swarm_rate(sample_hash(h, 5), points);
        break;
    case SAMPLE_UNIFORM: break;
    case SAMPLE_PCT:
        s.n_places = 1 + sample_below(h, 3);
        for (uint32_t i = 0; i < s.n_places; i++)
            s.place[i] = sample_below(sample_hash(h, 6 + i), points > 0 ? points : 1);
        break;
    }
    return s;
}

static uint32_t draw_uniform(const struct sample *s, const struct choice_point *p, uint64_t h)
{
    const struct space *sp = s->sp;
    uint32_t n = 0;
    for (uint32_t i = 0; i < sp->n_offers; i++)
        n += space_offers(sp, p, i);
    uint32_t pick = sample_below(h, n + 1);
    for (uint32_t i = 0; i < sp->n_offers && pick < n; i++)
        if (space_offers(sp, p, i) && pick-- == 0)
            return sp->own + i;
    return NONE32;
}

static uint32_t draw_pct(const struct sample *s, const struct choice_point *p, uint32_t at, uint64_t h)
{
    for (uint32_t i = 0; i < s->n_places; i++)
        if (s->place[i] == at)
            return sample_fault(s->sp, p, s->kinds, h);
    return NONE32;
}

/* Where something may strike: of a swarm's points, the few that its rate picks. */
COLD static uint32_t draw(const struct sample *s, const struct choice_point *p, uint32_t at, uint64_t h)
{
    switch (s->how) {
    case SAMPLE_UNIFORM: return draw_uniform(s, p, h);
    case SAMPLE_PCT: return draw_pct(s, p, at, sample_hash(h, 7));
    case SAMPLE_SWARM: break;
    }
    return sample_fault(s->sp, p, s->kinds, sample_hash(h, 7));
}

uint32_t sample_draw(void *context, const struct sim *sim, const struct choice_point *p, uint32_t at)
{
    struct sample *s = context;
    (void)sim;
    if (s->left == 0)
        return NONE32;
    uint64_t h = mix(s->seed + p->address); /* an address is a hash already */
    if (s->how == SAMPLE_SWARM && h >> 32 >= s->rate)
        return NONE32;
    uint32_t fault = draw(s, p, at, h);
    s->left -= fault != NONE32;
    return fault;
}
