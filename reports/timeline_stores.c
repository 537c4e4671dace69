/* SPDX-License-Identifier: MIT
 *
 * timeline_stores.c - what registers contain, and where a fence mark rises.
 *
 * A mark rises by `raises`, and by a write whose token is larger than any of its issuer that the store committed
 * before; with `marks per key`, before under that key. Of a table that says what its columns mean, those columns
 * are told by its attempts; any other column is a register.
 */
#include "reports/timeline_part.h"

#include <stdlib.h>
#include <string.h>

struct seen {
    int64_t token;
    uint32_t any;
    uint32_t spare;
};
_Static_assert(sizeof(struct seen) == 16, "struct seen has no padding");

struct stores {
    struct timeline *t;
    const struct model_plan *p;
    uint32_t *open;    /* [register or cell] */
    struct seen *seen; /* [(register or store) * names + issuer] */
};

static void value_ends(struct stores *k, uint32_t cell, uint32_t number)
{
    timeline_close(k->t, &k->open[cell], number);
}

static void value_begins(struct stores *k, uint32_t cell, const struct record *r, uint32_t number, name_id of)
{
    uint16_t lane = timeline_lane(k->t, r), who = r->verb == V_COMMITS ? timeline_place(k->t, r->object)->lane : NONE16;
    struct value v = timeline_field(k->t, r, ""), by = timeline_field(k->t, r, "by");
    if (by.tag == TAG_NAME)
        who = timeline_place(k->t, (name_id)by.v)->lane;
    value_ends(k, cell, number);
    k->open[cell] = timeline_open(k->t, (struct bar){.from = r->at,
                                                     .token = timeline_field(k->t, r, "token"),
                                                     .value = v,
                                                     .a = number,
                                                     .of = of,
                                                     .lane = lane,
                                                     .who = who,
                                                     .kind = BAR_VALUE});
}

/* The store that speaks; its lane says which. */
static const struct store_plan *store_of(const struct stores *k, const struct record *r)
{
    return &k->p->stores[k->t->lanes[timeline_lane(k->t, r)].index];
}

/* The register that a store's record is about: its key's, else the lone one. */
static uint32_t register_of(const struct stores *k, const struct record *r)
{
    struct value key = timeline_field(k->t, r, "key");
    uint32_t cell = key.tag == TAG_NAME ? timeline_place(k->t, (name_id)key.v)->cell : NONE16;
    return cell != NONE16 ? cell : store_of(k, r)->first_register;
}

/* What an issuer's tokens have come to, as the store, or one key of it, has seen. */
static struct seen *seen_of(const struct stores *k, uint32_t place, struct value issuer)
{
    const struct model_plan *p = k->p;
    uint32_t n = n_issuers(p);
    const struct place *at = timeline_place(k->t, issuer.tag == TAG_NAME ? (name_id)issuer.v : NONE16);
    uint32_t row = at->resource != NONE16 && at->resource < n - 1 ? at->resource : n - 1;
    return &k->seen[place * n + row];
}

static void mark(struct stores *k, const struct record *r, uint32_t number, uint32_t place)
{
    struct value token = timeline_field(k->t, r, "token"), issuer = timeline_field(k->t, r, "issuer");
    struct seen *seen = seen_of(k, place, issuer);
    if (token.tag != TAG_INT || (seen->any && token.v <= seen->token))
        return;
    seen->any = 1;
    seen->token = token.v;
    uint32_t bar = timeline_open(k->t, (struct bar){.from = r->at,
                                                    .token = token,
                                                    .a = number,
                                                    .of = issuer.tag == TAG_NONE ? NONE16 : (name_id)issuer.v,
                                                    .lane = timeline_lane(k->t, r),
                                                    .who = timeline_place(k->t, r->object)->lane,
                                                    .kind = BAR_MARK});
    timeline_close(k->t, &bar, number);
}

/* Where the mark stands that guards a register: the register's own row, or its store's behind all registers. */
static uint32_t mark_place(const struct stores *k, const struct store_plan *store, uint32_t reg)
{
    return store->marks_per_key ? reg : k->p->n_registers + (uint32_t)(store - k->p->stores);
}

static void committed(struct stores *k, const struct record *r, uint32_t number)
{
    const struct store_plan *store = store_of(k, r);
    uint32_t reg = register_of(k, r);
    if (r->verb == V_COMMITS)
        value_begins(k, reg, r, number, k->p->registers[reg].name);
    else
        value_ends(k, reg, number);
    mark(k, r, number, mark_place(k, store, reg));
    if (r->verb == V_REMOVES && !gate_on(k->p, GATE_LASTING_FENCE))
        memset(&k->seen[mark_place(k, store, reg) * n_issuers(k->p)], 0, n_issuers(k->p) * sizeof *k->seen);
}

static void raised(struct stores *k, const struct record *r, uint32_t number)
{
    const struct store_plan *store = store_of(k, r);
    mark(k, r, number, mark_place(k, store, store->first_register));
}

/* A crash that loses everything takes the marks with the values. */
static void forgot(struct stores *k, const struct record *r, uint32_t number)
{
    uint32_t cell = timeline_place(k->t, r->object)->cell;
    if (cell == NONE16)
        return;
    value_ends(k, cell, number);
    if (cell >= k->p->n_registers)
        return;
    const struct store_plan *store = &k->p->stores[k->p->registers[cell].store];
    memset(&k->seen[mark_place(k, store, cell) * n_issuers(k->p)], 0, n_issuers(k->p) * sizeof *k->seen);
}

/* Whether a column is told by attempts and phases. */
static bool has_meaning(const struct table_plan *t, uint32_t column)
{
    return column == t->owner || column == t->token || column == t->until || column == t->state;
}

/* The table whose cell this is, if the cell is a register to us; NULL: it is not. */
static const struct table_plan *plain_cell(const struct model_plan *p, uint32_t cell)
{
    for (uint32_t i = 0; i < p->n_tables; i++) {
        const struct table_plan *t = &p->tables[i];
        uint32_t at = cell - t->first_cell;
        if (cell >= t->first_cell && at < (uint32_t)t->rows * t->columns)
            return has_meaning(t, at % t->columns) ? NULL : t;
    }
    return NULL;
}

static void set(struct stores *k, const struct record *r, uint32_t number)
{
    uint32_t cell = timeline_place(k->t, r->object)->cell;
    if (cell != NONE16 && cell >= k->p->n_registers && plain_cell(k->p, cell - k->p->n_registers) != NULL)
        value_begins(k, cell, r, number, r->object);
}

/* The cells of a row that is deleted. */
static void erased(struct stores *k, const struct record *r, uint32_t number)
{
    uint16_t resource = timeline_resource(k->t, r);
    if (resource == NONE16 || !is_row(k->p, resource))
        return;
    uint32_t row = timeline_row(k->p, resource);
    const struct table_plan *t = &k->p->tables[k->p->rows[row].table];
    uint32_t first = k->p->n_registers + t->first_cell + (row - t->first_row) * t->columns;
    for (uint32_t i = 0; i < t->columns; i++)
        value_ends(k, first + i, number);
}

static void take(struct stores *k, const struct record *r, uint32_t number)
{
    switch (r->verb) {
    case V_COMMITS:
    case V_REMOVES: committed(k, r, number); break;
    case V_RAISES: raised(k, r, number); break;
    case V_FORGETS: forgot(k, r, number); break;
    case V_SETS: set(k, r, number); break;
    case V_ERASES: erased(k, r, number); break;
    default: break;
    }
}

static void row_at_start(struct stores *k, uint32_t row)
{
    const struct model_plan *p = k->p;
    const struct table_plan *t = &p->tables[p->rows[row].table];
    for (uint32_t i = 0; p->rows[row].listed && i < t->columns; i++) {
        uint32_t cell = t->first_cell + (row - t->first_row) * t->columns + i;
        if (!has_meaning(t, i))
            k->open[p->n_registers + cell] = timeline_open(k->t,
                                                           (struct bar){.value = {p->cells[cell].v, p->cells[cell].tag},
                                                                        .of = p->cells[cell].name,
                                                                        .lane = timeline_place(k->t, t->name)->lane,
                                                                        .who = NONE16,
                                                                        .kind = BAR_VALUE});
    }
}

void timeline_stores(struct timeline *t)
{
    struct stores k = {t, &t->run->c->model, NULL, NULL};
    size_t cells = (size_t)k.p->n_registers + k.p->n_cells;
    k.open = malloc((cells + 1) * sizeof *k.open);
    k.seen = calloc(((size_t)k.p->n_registers + k.p->n_stores + 1) * n_issuers(k.p), sizeof *k.seen);
    t->failed = t->failed || k.open == NULL || k.seen == NULL;
    if (!t->failed)
        memset(k.open, 0xff, (cells + 1) * sizeof *k.open); /* NONE32 in each */
    for (uint32_t i = 0; i < k.p->n_rows && !t->failed; i++)
        row_at_start(&k, i);
    for (uint32_t i = 0; i < t->n_records && !t->failed; i++)
        take(&k, &t->records[i], i + 1);
    free(k.open);
    free(k.seen);
}
