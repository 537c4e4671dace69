/* SPDX-License-Identifier: MIT
 *
 * mutate.c - see mutate.h.
 */
#include "fuzz/mutate.h"

/* Over after a while, and somebody, or a message, is as late as that. */
#define LASTING_KINDS \
    (1u << FAULT_PAUSE | 1u << FAULT_SUSPEND | 1u << FAULT_CRASH | 1u << FAULT_CUT | 1u << FAULT_DELAY)

static struct mutate_add *add_at(struct mutation *m, uint32_t at, uint32_t fault)
{
    if (m->n == MUTATE_ADDS || m->base.n + m->n >= m->sp->at_most)
        return NULL;
    m->add[m->n] = (struct mutate_add){at, 0, fault, NONE32, false, false};
    return &m->add[m->n++];
}

static uint32_t count_kinds(uint32_t kinds)
{
    uint32_t n = 0;
    for (; kinds != 0; kinds &= kinds - 1)
        n++;
    return n;
}

/* At some point of the parent's run, or, half of those that need no message, from some time of the calm one on. Most
 * points stand in the few milliseconds in which messages go to and fro: a stop there is seldom one that comes while
 * somebody works, or waits. */
static void add_any(struct mutation *m, uint32_t passed, uint64_t h)
{
    uint32_t all = count_kinds(m->kinds), timed = count_kinds(m->kinds & ~MESSAGE_KINDS);
    bool by_time = m->sp->calm_end > 0 && sample_below(sample_hash(h, 2), 2 * all) < timed;
    struct mutate_add *add = add_at(m, by_time ? 0 : sample_below(h, passed > 0 ? passed : 1), NONE32);
    if (add != NULL && by_time)
        add->from = 1 + (ns)(sample_hash(h, 1) % (uint64_t)m->sp->calm_end);
}

static void add_meeting(struct mutation *m, uint32_t passed, uint64_t h)
{
    struct mutate_add *add = add_at(m, sample_below(h, passed > 0 ? passed : 1), NONE32);
    if (add != NULL)
        add->meets = true;
}

/* What must meet within a millisecond is put off alike, and about the same time: two that stop for as long, a message
 * that is late by as much as its reader. Two faults that are drawn each for itself hardly ever are that. */
static void add_twin(struct mutation *m, uint64_t h)
{
    struct step step = m->base.row[sample_below(h, m->base.n)];
    struct mutate_add *add = add_at(m, step.at + sample_below(sample_hash(h, 1), MUTATE_NEAR), NONE32);
    if (add != NULL)
        add->like = step.fault;
}

static void move_one(struct mutation *m, uint64_t h)
{
    uint32_t i = sample_below(h, m->base.n);
    struct step step = m->base.row[i];
    uint32_t by = 1 + sample_below(sample_hash(h, 1), MUTATE_MOVE);
    schedule_remove(&m->base, i);
    (void)add_at(m, sample_hash(h, 2) & 1 ? step.at + by : step.at > by ? step.at - by : 0, step.fault);
}

/* Another magnitude of the same family. */
static void change_one(struct mutation *m, uint64_t h)
{
    uint32_t i = sample_below(h, m->base.n);
    struct step step = m->base.row[i];
    if (step.fault >= m->sp->room)
        return;
    const struct family *f = &m->sp->families[offer_of(m->sp, step.fault)->family];
    schedule_remove(&m->base, i);
    (void)schedule_add(&m->base, step.address, m->sp->own + f->first + sample_below(sample_hash(h, 1), f->n), step.at);
}

static void splice(struct mutation *m, const struct schedule *other, uint64_t h)
{
    for (uint32_t i = 0; i < other->n && m->base.n + m->n < m->sp->at_most; i++)
        if (sample_hash(h, i) & 1)
            (void)schedule_add(&m->base, other->row[i].address, other->row[i].fault, other->row[i].at);
}

static uint32_t kinds_of(const struct space *sp, const struct schedule *s)
{
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < s->n; i++)
        kinds |= UINT32_C(1) << sp->faults[s->row[i].fault].kind;
    return kinds;
}

static uint32_t next_add(const struct mutation *m)
{
    uint32_t next = NONE32;
    for (uint32_t i = 0; i < m->n; i++)
        if (!m->add[i].done && m->add[i].at < next)
            next = m->add[i].at;
    return next;
}

void mutate_times(const struct space *sp, const struct schedule *parent, uint32_t passed, const struct schedule *other,
                  uint64_t seed, uint32_t changes, struct mutation *m)
{
    uint64_t h = sample_hash(seed, 11);
    ASSERT(changes <= MUTATE_MOST);
    m->sp = sp;
    m->seed = sample_hash(seed, 12);
    m->base = *parent;
    m->kinds = parent->n > 0 && sample_hash(seed, 13) & 1 ? kinds_of(sp, parent) : sp->kinds;
    m->n = 0;
    for (uint32_t i = 0; i < changes; i++) {
        h = sample_hash(h, 20 + i);
        uint32_t pick = sample_below(sample_hash(h, 1), 100);
        uint64_t draw = sample_hash(h, 2);
        if (pick < 15 && m->kinds & LASTING_KINDS)
            add_meeting(m, passed, draw);
        else if (pick < 30 && m->base.n > 0)
            add_twin(m, draw);
        else if (pick < 65 || m->base.n == 0)
            add_any(m, passed, draw);
        else if (pick < 75)
            schedule_remove(&m->base, sample_below(draw, m->base.n));
        else if (pick < 85)
            move_one(m, draw);
        else if (pick < 92 || other == NULL)
            change_one(m, draw);
        else
            splice(m, other, draw);
    }
    m->next = next_add(m);
}

void mutate(const struct space *sp, const struct schedule *parent, uint32_t passed, const struct schedule *other,
            uint64_t seed, struct mutation *m)
{
    uint64_t h = sample_hash(seed, 11);
    uint32_t changes = MUTATE_LEAST;
    while (changes < MUTATE_MOST && h >> changes & 1)
        changes++;
    mutate_times(sp, parent, passed, other, seed, changes, m);
}

static ns magnitude(const struct fault_plan *f)
{
    return f->amount == 0 ? f->duration : f->amount < 0 ? -f->amount : f->amount;
}

/* The offer of the fault's family that is as long as another fault, if there is. */
static uint32_t as_long(const struct space *sp, uint32_t fault, uint32_t like)
{
    const struct family *f = &sp->families[offer_of(sp, fault)->family];
    for (uint32_t i = 0; i < f->n; i++)
        if (magnitude(&sp->faults[sp->own + f->first + i]) == magnitude(&sp->faults[like]))
            return sp->own + f->first + i;
    return fault;
}

/* Whether a fault that begins now and lasts so long is over about when another is, or when a message comes. */
static bool meets(const struct space *sp, const struct sim *s, ns lasts)
{
    const ns near = plan_exchange(&sp->c.sim);
    if (lasts <= 2 * near || lasts == NS_NEVER)
        return false;
    ns over = sim_now(s) + lasts;
    return sim_due_between(s, over - near, over + near);
}

/* One that meets something, of a family that concerns whoever acts here. Half of the time none, so that what could meet
 * later has its turn. */
static uint32_t draw_meeting(const struct mutation *m, const struct sim *s, const struct choice_point *p, uint64_t h)
{
    uint32_t drawn = NONE32, n = 0;
    for (uint32_t f = 0; h & 1 && f < m->sp->n_families; f++) {
        const struct family *family = &m->sp->families[f];
        if (!sample_fits(m->sp, family, p, m->sp->kinds & LASTING_KINDS) ||
            !(family->at_message || sample_concerns(m->sp, family, p)))
            continue;
        for (uint32_t i = 0; i < family->n; i++) {
            uint32_t fault = m->sp->own + family->first + i;
            if (!meets(m->sp, s, magnitude(&m->sp->faults[fault])))
                continue;
            n++;
            if (sample_below(sample_hash(h, n), n) == 0)
                drawn = fault;
        }
    }
    return drawn;
}

static uint32_t draw_any(const struct mutation *m, const struct mutate_add *add, const struct choice_point *p)
{
    uint32_t fault = sample_fault(m->sp, p, m->kinds, sample_hash(m->seed, p->address));
    return fault == NONE32 || add->like == NONE32 ? fault : as_long(m->sp, fault, add->like);
}

uint32_t mutate_draw(void *context, const struct sim *s, const struct choice_point *p, uint32_t at)
{
    struct mutation *m = context;
    if (at < m->next)
        return NONE32;
    for (uint32_t i = 0; i < m->n; i++) {
        struct mutate_add *add = &m->add[i];
        if (add->done || at < add->at)
            continue;
        uint32_t fault = add->fault;
        if (add->from > 0 && (p->kind == CHOICE_MESSAGE || sim_now(s) < add->from))
            continue;
        if (add->meets)
            fault = draw_meeting(m, s, p, sample_hash(m->seed + i, p->address));
        else if (fault == NONE32)
            fault = draw_any(m, add, p);
        else if (fault >= m->sp->room || !space_offers(m->sp, p, fault - m->sp->own))
            fault = NONE32;
        if (fault == NONE32)
            continue;
        add->done = true;
        m->next = next_add(m);
        return fault;
    }
    return NONE32;
}
