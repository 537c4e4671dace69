/* SPDX-License-Identifier: MIT
 *
 * timeline_clients.c - what clients believe and do, and which part of a belief is true.
 *
 *  1. `believes`, `doubts`, `acts` and `rests` are notes of the trace; each begins or ends a bar of one thread and one
 *     resource.
 *  2. A thread works until its next record that is not about its being stopped; it waits from its first asking until
 *     it has what it asked for, or failed.
 *  3. A row has no belief: its client has it from `acquires` until the answer has come that it gave the row up, or it
 *     acquires it anew, or its program is over.
 *  4. A belief is true, and an act is rightful, while a service's bar says the same: this lane, this resource, this
 *     token, not lapsed.
 */
#include "reports/timeline_part.h"

#include <stdlib.h>
#include <string.h>

struct clients {
    struct timeline *t;
    const struct model_plan *p;
    uint32_t *works, *waits;         /* [client]: open bars, NONE32: none */
    uint32_t *believes, *acts, *has; /* [client * resources + resource] */
    uint32_t resources;
};

static struct bar bar_of(const struct clients *k, const struct record *r, uint32_t number, enum bar_kind kind,
                         name_id of)
{
    uint16_t lane = timeline_lane(k->t, r);
    return (struct bar){.from = r->at, .a = number, .of = of, .lane = lane, .who = lane, .kind = (uint8_t)kind};
}

/* The row of a thread and the resource that its record names; NULL: it names none. */
static uint32_t *cell(const struct clients *k, uint32_t *table, const struct record *r)
{
    uint16_t client = timeline_place(k->t, r->actor)->client, resource = timeline_place(k->t, r->object)->resource;
    return client == NONE16 || resource == NONE16 ? NULL : &table[client * k->resources + resource];
}

/* A thread begins to believe, or to act; under another token it is another bar. */
static void begin(struct clients *k, uint32_t *table, const struct record *r, uint32_t number, enum bar_kind kind)
{
    uint32_t *open = cell(k, table, r);
    struct value token = timeline_field(k->t, r, "token");
    if (open == NULL || (*open != NONE32 && k->t->bars[*open].token.v == token.v && kind != BAR_HAS))
        return;
    timeline_close(k->t, open, number);
    struct bar bar = bar_of(k, r, number, kind, resource_name(k->p, timeline_place(k->t, r->object)->resource));
    bar.token = token;
    *open = timeline_open(k->t, bar);
}

static void end(struct clients *k, uint32_t *table, const struct record *r, uint32_t number)
{
    uint32_t *open = cell(k, table, r);
    if (open != NULL)
        timeline_close(k->t, open, number);
}

/* --- waiting and working ---------------------------------------------------------------------------------- */

static void waits(struct clients *k, uint16_t client, const struct record *r, uint32_t number)
{
    uint16_t resource = timeline_place(k->t, r->object)->resource;
    if (k->waits[client] != NONE32)
        return;
    name_id of = r->verb == V_CLAIMS || resource == NONE16 ? r->object : resource_name(k->p, resource);
    k->waits[client] = timeline_open(k->t, bar_of(k, r, number, BAR_WAITS, of));
}

static void works(struct clients *k, uint16_t client, const struct record *r, uint32_t number)
{
    struct bar bar = bar_of(k, r, number, BAR_WORKS, NONE16);
    bar.value = timeline_field(k->t, r, "for");
    k->works[client] = timeline_open(k->t, bar);
}

/* Whether a thread that works does not work any more, now that it has this record. */
static bool stops_work(uint16_t verb)
{
    switch (verb) {
    case V_PAUSES:
    case V_RESUMES:
    case V_BELIEVES:
    case V_DOUBTS:
    case V_RECEIVES:
    case V_HEARS:
    case V_CHOICE: return false;
    default: return true;
    }
}

static void of_thread(struct clients *k, uint16_t client, const struct record *r, uint32_t number)
{
    if (stops_work(r->verb))
        timeline_close(k->t, &k->works[client], number);
    if (r->verb == V_ASKS || r->verb == V_CLAIMS)
        waits(k, client, r, number);
    else if (r->verb == V_WORKS)
        works(k, client, r, number);
    else if (r->verb == V_ACQUIRES || r->verb == V_FAILED || r->verb == V_STOPS || r->verb == V_ENDS)
        timeline_close(k->t, &k->waits[client], number);
}

/* --- rows ------------------------------------------------------------------------------------------------- */

static bool gives_up(uint16_t verb)
{
    return verb == V_FINISHES || verb == V_RETURNS || verb == V_FREES || verb == V_REWRITES || verb == V_ERASES;
}

/* What a table did to a row for the caller who hears of it now; NONE16: nothing that gives it up. */
static uint16_t given_up(const struct clients *k, const struct record *r)
{
    uint32_t cause = r->cause > 0 ? timeline_record(k->t, r->cause)->cause : 0; /* behind `receives` */
    while (cause > 0 && timeline_record(k->t, cause)->verb == V_SETS)
        cause = timeline_record(k->t, cause)->cause;
    if (cause == 0 || !gives_up(timeline_record(k->t, cause)->verb))
        return NONE16;
    uint16_t resource = timeline_resource(k->t, timeline_record(k->t, cause));
    return resource != NONE16 && is_row(k->p, resource) ? resource : NONE16;
}

static void hears(struct clients *k, uint16_t client, const struct record *r, uint32_t number)
{
    uint16_t row = given_up(k, r);
    if (row != NONE16)
        timeline_close(k->t, &k->has[client * k->resources + row], number);
}

static void acquires(struct clients *k, const struct record *r, uint32_t number)
{
    uint16_t resource = timeline_place(k->t, r->object)->resource;
    if (resource != NONE16 && is_row(k->p, resource))
        begin(k, k->has, r, number, BAR_HAS);
}

/* --- the end of programs ------------------------------------------------------------------------------------ */

static void has_no_more(struct clients *k, uint16_t client, uint32_t number)
{
    for (uint32_t i = 0; i < k->resources; i++)
        timeline_close(k->t, &k->has[client * k->resources + i], number);
}

/* What a crash leaves open; that the node believes no more, a note says. */
static void crashed(struct clients *k, const struct record *r, uint32_t number)
{
    uint16_t process = timeline_place(k->t, r->actor)->process;
    for (uint16_t i = 0; i < k->p->n_clients; i++) {
        if (k->p->sim->threads[k->p->clients[i].thread].process != process)
            continue;
        timeline_close(k->t, &k->works[i], number);
        timeline_close(k->t, &k->waits[i], number);
        has_no_more(k, i, number);
        for (uint32_t j = 0; j < k->resources; j++)
            timeline_close(k->t, &k->acts[i * k->resources + j], number);
    }
}

static void take(struct clients *k, const struct record *r, uint32_t number)
{
    uint16_t client = timeline_place(k->t, r->actor)->client;
    if (r->verb == V_CRASHES) {
        crashed(k, r, number);
        return;
    }
    if (client == NONE16)
        return;
    of_thread(k, client, r, number);
    switch (r->verb) {
    case V_BELIEVES: begin(k, k->believes, r, number, BAR_BELIEVES); break;
    case V_DOUBTS: end(k, k->believes, r, number); break;
    case V_ACTS: begin(k, k->acts, r, number, BAR_ACTS); break;
    case V_RESTS: end(k, k->acts, r, number); break;
    case V_ACQUIRES: acquires(k, r, number); break;
    case V_HEARS: hears(k, client, r, number); break;
    case V_STOPS:
    case V_ENDS: has_no_more(k, client, number); break;
    default: break;
    }
}

void timeline_clients(struct timeline *t)
{
    struct clients k = {.t = t, .p = &t->run->c->model, .resources = n_resources(&t->run->c->model)};
    size_t clients = k.p->n_clients, cells = clients * k.resources;
    size_t size = (2 * clients + 3 * cells + 1) * sizeof(uint32_t);
    uint32_t *open = malloc(size);
    if (open == NULL) {
        t->failed = true;
        return;
    }
    memset(open, 0xff, size); /* NONE32 in each */
    k.works = open;
    k.waits = open + clients;
    k.believes = open + 2 * clients;
    k.acts = k.believes + cells;
    k.has = k.acts + cells;
    for (uint32_t i = 0; i < t->n_records && !t->failed; i++)
        take(&k, &t->records[i], i + 1);
    free(open);
}

/* --- truth ---------------------------------------------------------------------------------------------------- */

/* The services' bars of one resource, in the order in which they began. */
struct chains {
    uint32_t *next;    /* [bar] */
    uint32_t *granted; /* [resource]: the first, NONE32: none */
};

static bool is_word(const struct bar *b) { return (b->kind == BAR_HOLDS || b->kind == BAR_ATTEMPT) && !b->lapsed; }

static bool claims(const struct bar *b) { return b->kind == BAR_BELIEVES || b->kind == BAR_HAS || b->kind == BAR_ACTS; }

/* Each chain from its end backwards. A service's bars of one resource follow each other and do not overlap. */
static void chain(const struct timeline *t, const struct chains *c)
{
    for (uint32_t i = t->n_bars; i-- > 0;) {
        if (!is_word(&t->bars[i]))
            continue;
        uint32_t *first = &c->granted[timeline_place(t, t->bars[i].of)->resource];
        c->next[i] = *first;
        *first = i;
    }
}

static void add_truth(struct timeline *t, struct bar *belief, const struct bar *word)
{
    ns from = word->from > belief->from ? word->from : belief->from;
    ns to = word->to < belief->to ? word->to : belief->to;
    bool same = word->who == belief->lane && word->token.v == belief->token.v;
    if (!same || from >= to)
        return;
    if (belief->n_truth > 0 && t->truths[t->n_truths - 1].to == from) { /* it goes on */
        t->truths[t->n_truths - 1].to = to;
        return;
    }
    void *rows = t->truths;
    struct span *span = timeline_grow(t, &rows, &t->n_truths, &t->truths_capacity, sizeof *span);
    t->truths = rows;
    if (span == NULL)
        return;
    *span = (struct span){from, to};
    belief->n_truth++;
}

/* Beliefs are met in the order in which they began, so what ended before one begins is of no use to a later one. */
static void find_truth(struct timeline *t, const struct chains *c, struct bar *belief)
{
    uint32_t *first = &c->granted[timeline_place(t, belief->of)->resource];
    while (*first != NONE32 && t->bars[*first].to <= belief->from)
        *first = c->next[*first];
    belief->truth = t->n_truths;
    for (uint32_t i = *first; i != NONE32 && t->bars[i].from < belief->to && !t->failed; i = c->next[i])
        add_truth(t, belief, &t->bars[i]);
}

void timeline_truths(struct timeline *t)
{
    uint32_t resources = n_resources(&t->run->c->model);
    struct chains c = {malloc((t->n_bars + 1) * sizeof *c.next), malloc((resources + 1) * sizeof *c.granted)};
    t->failed = t->failed || c.next == NULL || c.granted == NULL;
    if (!t->failed) {
        memset(c.granted, 0xff, (resources + 1) * sizeof *c.granted); /* NONE32 in each */
        chain(t, &c);
    }
    for (uint32_t i = 0; i < t->n_bars && !t->failed; i++)
        if (claims(&t->bars[i]))
            find_truth(t, &c, &t->bars[i]);
    free(c.next);
    free(c.granted);
}
