/* SPDX-License-Identifier: MIT
 *
 * judging.h - for the tests of the invariants: records are made by hand and judged one by one; no model runs.
 *
 * Who takes part is a plan of the test's own, over the names of an enum: each test file has its small world, and
 * says in its own words what happens there.
 */
#ifndef FENCEPOST_MODEL_JUDGING_H
#define FENCEPOST_MODEL_JUDGING_H

#include <string.h>

#include "model/invariant.h"
#include "model/naming.h"
#include "model/state.h"

enum { JUDGED_NAMES_MAX = 64 };

struct world {
    uint64_t hash[JUDGED_NAMES_MAX];
    struct names names;
    struct sim_plan sim; /* the test's, with these names and the verbs */
    struct model_plan model;
    struct judge_name rows[JUDGED_NAMES_MAX];
    struct judge j;
    uint32_t n; /* records so far */
    uint64_t memory[4096];
};

/* A world of this plan, in which nothing has happened yet. What the plans point to has to outlive it; `sim` may leave
 * out names and verbs, `model` its sim. */
static inline void world_of(struct world *w, const char *const *text, uint32_t names, const struct sim_plan *sim,
                            const struct model_plan *model)
{
    ASSERT(names <= JUDGED_NAMES_MAX);
    memset(w, 0, sizeof *w);
    w->names = named(w->hash, text, names);
    w->sim = *sim;
    w->sim.names = &w->names;
    w->sim.verbs = verb_table;
    w->sim.n_verbs = VERBS;
    w->model = *model;
    w->model.sim = &w->sim;
    ASSERT(model_bytes(&w->model) <= sizeof w->memory);
    judge_prepare(&w->model, w->rows);
    w->j = (struct judge){NULL, &w->model, m_layout(NULL, &w->model, w->memory, NULL).inv, w->rows};
}

/* --- records by hand ---------------------------------------------------------------------------- */

#define S NS_PER_S

enum { NOBODY = NONE16 };

#define NO value_none()
#define INT(v) value_int(v)
#define NAME(v) value_name((name_id)(v))
#define TEXT(v) value_text((name_id)(v))
#define FIELDS(...) \
    ((const struct value[]){__VA_ARGS__}), sizeof((const struct value[]){__VA_ARGS__}) / sizeof(struct value)

/* A record of this verb, with n fields, by this start of the actor's process; it is judged at once. Returns 1 + its
 * index. */
static inline uint32_t happens_as(struct world *w, ns at, int actor, uint16_t start, uint16_t verb, int object,
                                  const struct value *f, uint32_t n)
{
    struct record r = {.at = at, .actor = (name_id)actor, .verb = verb, .object = (name_id)object, .start = start};
    for (uint32_t i = 0; i < n; i++) {
        r.tag[i] = (uint8_t)f[i].tag;
        r.field[i] = f[i].v;
    }
    w->n++;
    invariants_on_record(&w->j, &r, w->n);
    return w->n;
}

/* By its first start. */
static inline uint32_t happens(struct world *w, ns at, int actor, uint16_t verb, int object, const struct value *f,
                               uint32_t n)
{
    return happens_as(w, at, actor, 1, verb, object, f, n);
}

/* --- what they broke ---------------------------------------------------------------------------- */

/* NULL: the invariant holds so far. */
static inline const struct violation *broken(const struct world *w, enum invariant i)
{
    const struct invariant_state *state = w->j.m.state;
    for (uint32_t k = 0; k < state->n_violations; k++)
        if (state->violations[k].invariant == i)
            return &state->violations[k];
    return NULL;
}

static inline bool breaks_nothing(const struct world *w) { return w->j.m.state->n_violations == 0; }
static inline bool breaks_only(const struct world *w, enum invariant i)
{
    return w->j.m.state->n_violations == 1 && broken(w, i) != NULL;
}

/* When, who, what, at which record, because of which (0: of none). Checks as sim/test.h does, which a test includes. */
#define CHECK_BROKEN(w, i, at_, node_, resource_, record_, other_)                \
    do {                                                                          \
        const struct violation *v_ = broken(w, i);                                \
        CHECK(v_ != NULL);                                                        \
        if (v_) {                                                                 \
            CHECK_EQ(v_->at, at_);                                                \
            CHECK_STR((w)->names.text[v_->node], (w)->names.text[node_]);         \
            CHECK_STR((w)->names.text[v_->resource], (w)->names.text[resource_]); \
            CHECK_EQ(v_->record, record_);                                        \
            CHECK_EQ(v_->other, other_);                                          \
        }                                                                         \
    } while (0)

#endif
