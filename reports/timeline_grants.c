/* SPDX-License-Identifier: MIT
 *
 * timeline_grants.c - what services say: who holds a lock, whose vote a voter has given, who runs a job, which jobs
 * wait, are done or were given up.
 *
 *  1. One bar at a time of each resource says whose it is. It ends by the service's word alone: a lease that is over
 *     by its promise is still the holder's until the service sees it.
 *  2. A job's attempt goes on, lapsed, behind its lease's end: a late heartbeat may revive it, and what ends it
 *     is said.
 *  3. A quorum's word is made of votes: whoever it elected has the lock until the first of the votes has ended that
 *     the latest count rested on, whatever other voters say: so two may have it at once. A vote that the same
 *     candidate gets in a later epoch stands in for the one before.
 *  4. A table as queue says by its column `state` what its rows were at the start.
 */
#include "reports/timeline_part.h"

#include <stdlib.h>

/* Of one resource. Bars by index, NONE32: none is open. */
struct owned {
    uint32_t bar;   /* holds, attempt */
    uint32_t half;  /* where that is lapsed: the bar up to its lease's end, a closed one */
    uint32_t phase; /* waiting, done, dead */
    uint32_t spare;
};
_Static_assert(sizeof(struct owned) == 16, "struct owned has no padding");

/* Of one quorum and one candidate. */
struct leader {
    uint64_t votes;    /* what its latest count rested on */
    int64_t token;     /* of its latest grant */
    uint32_t bar;      /* holds */
    uint32_t released; /* that grant was given back, wholly or in part */
};
_Static_assert(sizeof(struct leader) == 24, "struct leader has no padding");

struct grants {
    struct timeline *t;
    const struct model_plan *p;
    struct owned *owned;    /* [resource] */
    struct leader *leaders; /* [lock * lanes + lane] */
    uint32_t *vote;         /* [lane]: a voter's open vote */
};

static uint16_t lane_of(const struct grants *g, name_id name) { return timeline_place(g->t, name)->lane; }

/* The lane of the service that speaks for a resource. */
static uint16_t home_of(const struct grants *g, uint16_t resource)
{
    const struct model_plan *p = g->p;
    if (is_lock(p, resource))
        return lane_of(g, p->locks[resource].name);
    if (is_job(p, resource))
        return lane_of(g, p->queues[p->jobs[resource - p->n_locks].queue].name);
    return lane_of(g, p->tables[p->rows[timeline_row(p, resource)].table].name);
}

/* --- attempts and holds ------------------------------------------------------------------------------ */

static struct bar bar_of(const struct grants *g, uint16_t resource, uint32_t number, uint16_t who, struct value token)
{
    return (struct bar){.from = timeline_record(g->t, number)->at,
                        .token = token,
                        .a = number,
                        .of = resource_name(g->p, resource),
                        .lane = home_of(g, resource),
                        .who = who,
                        .kind = is_lock(g->p, resource) ? BAR_HOLDS : BAR_ATTEMPT};
}

static void begin(struct grants *g, uint16_t resource, uint32_t number, uint16_t who, struct value token, bool lapsed)
{
    struct bar bar = bar_of(g, resource, number, who, token);
    bar.lapsed = lapsed;
    timeline_close(g->t, &g->owned[resource].bar, number);
    g->owned[resource].bar = timeline_open(g->t, bar);
}

static void phase(struct grants *g, uint16_t resource, uint32_t number, enum bar_kind kind, uint16_t who)
{
    struct owned *o = &g->owned[resource];
    if (o->phase != NONE32)
        timeline_close(g->t, &o->phase, number);
    o->phase = timeline_open(g->t, (struct bar){.from = number == 0 ? 0 : timeline_record(g->t, number)->at,
                                                .a = number,
                                                .of = resource_name(g->p, resource),
                                                .lane = home_of(g, resource),
                                                .who = who,
                                                .kind = (uint8_t)kind});
}

/* Whoever ended an attempt: `by`, else the node whose it was. */
static uint16_t doer(const struct grants *g, const struct record *r)
{
    struct value by = timeline_field(g->t, r, "by");
    return lane_of(g, by.tag == TAG_NAME ? (name_id)by.v : r->object);
}

static void granted(struct grants *g, uint16_t resource, const struct record *r, uint32_t number)
{
    timeline_close(g->t, &g->owned[resource].phase, number);
    begin(g, resource, number, lane_of(g, r->object), timeline_field(g->t, r, "token"), false);
}

/* An extension revives a lapsed attempt, and, where nothing looks, makes a job run that nobody runs. */
static void extended(struct grants *g, uint16_t resource, const struct record *r, uint32_t number)
{
    struct owned *o = &g->owned[resource];
    bool runs = o->bar != NONE32 && !g->t->bars[o->bar].lapsed;
    if (runs || is_lock(g->p, resource))
        return;
    timeline_close(g->t, &o->phase, number);
    begin(g, resource, number, lane_of(g, r->object), timeline_field(g->t, r, "token"), false);
}

/* A lock is free; a job's attempt goes on behind its lease's end. The service's own word is the better witness of an
 * end than the promise: where both come at once, it is named. */
static void lapsed(struct grants *g, uint16_t resource, const struct record *r, uint32_t number)
{
    struct owned *o = &g->owned[resource];
    struct value token = timeline_field(g->t, r, "token");
    if (o->bar == NONE32)
        return;
    struct bar *bar = &g->t->bars[o->bar];
    if (bar->who != lane_of(g, r->object) || bar->token.v != token.v)
        return;
    if (bar->lapsed && bar->from == r->at && r->verb == V_EXPIRES) {
        bar->a = g->t->bars[o->half].b = number;
    } else if (!bar->lapsed) {
        o->half = o->bar;
        begin(g, resource, number, bar->who, bar->token, true);
    }
}

static void expired(struct grants *g, uint16_t resource, const struct record *r, uint32_t number)
{
    if (is_job(g->p, resource) || is_queue_row(g->p, resource))
        lapsed(g, resource, r, number);
    else
        timeline_close(g->t, &g->owned[resource].bar, number);
}

/* --- votes ---------------------------------------------------------------------------------------------- */

static uint16_t voter_bit(const struct grants *g, uint16_t lane)
{
    const struct compiled *c = g->t->run->c;
    const struct actor *a = &c->model.actor_of[c->sim.processes[g->t->lanes[lane].process].first_thread];
    return c->model.services[a->service].voter;
}

static struct leader *leader_of(const struct grants *g, uint16_t lock, uint16_t lane)
{
    ASSERT(lane < g->t->n_lanes);
    return &g->leaders[(uint32_t)lock * g->t->n_lanes + lane];
}

/* A vote for `who` is over: so is what rested on it. */
static void vote_over(struct grants *g, uint16_t lane, uint16_t who, uint32_t number)
{
    struct leader *l = leader_of(g, g->t->lanes[lane].index, who);
    if (l->votes >> voter_bit(g, lane) & 1)
        timeline_close(g->t, &l->bar, number);
}

static void end_vote(struct grants *g, uint16_t lane, uint32_t number)
{
    if (g->vote[lane] == NONE32)
        return;
    uint16_t who = g->t->bars[g->vote[lane]].who;
    timeline_close(g->t, &g->vote[lane], number);
    vote_over(g, lane, who, number);
}

static void voted(struct grants *g, uint16_t lane, const struct record *r, uint32_t number)
{
    uint16_t who = lane_of(g, r->object);
    if (g->vote[lane] != NONE32 && g->t->bars[g->vote[lane]].who == who)
        timeline_close(g->t, &g->vote[lane], number);
    else
        end_vote(g, lane, number);
    struct value epoch = timeline_field(g->t, r, r->verb == V_VOTES ? "epoch" : "token");
    g->vote[lane] = timeline_open(g->t, (struct bar){.from = r->at,
                                                     .token = epoch,
                                                     .a = number,
                                                     .of = g->p->locks[g->t->lanes[lane].index].name,
                                                     .lane = lane,
                                                     .who = who,
                                                     .kind = BAR_VOTES});
}

/* Whether every vote of the count is still given to whoever counted it. */
static bool votes_stand(const struct grants *g, uint16_t lock, uint64_t votes, uint16_t who)
{
    for (uint16_t lane = 0; lane < g->t->n_lanes; lane++) {
        const struct lane *l = &g->t->lanes[lane];
        if (l->kind != LANE_VOTER || l->index != lock || !(votes >> voter_bit(g, lane) & 1))
            continue;
        if (g->vote[lane] == NONE32 || g->t->bars[g->vote[lane]].who != who)
            return false;
    }
    return true;
}

static void leads(struct grants *g, uint16_t lock, uint16_t who, uint32_t number, struct value token, uint64_t votes)
{
    struct leader *l = leader_of(g, lock, who);
    l->votes = votes;
    l->token = token.v;
    if (l->bar == NONE32 && votes_stand(g, lock, votes, who))
        l->bar = timeline_open(g->t, bar_of(g, lock, number, who, token));
}

static void elected(struct grants *g, uint16_t lock, const struct record *r, uint32_t number)
{
    uint16_t who = lane_of(g, r->object);
    struct leader *l = leader_of(g, lock, who);
    timeline_close(g->t, &l->bar, number);
    l->released = 0;
    leads(g, lock, who, number, timeline_field(g->t, r, "token"), (uint64_t)timeline_field(g->t, r, "voters").v);
}

/* A renewal counts anew: it may rest on other votes than the election did. */
static void recounted(struct grants *g, const struct record *r, uint32_t number)
{
    struct value voters = timeline_field(g->t, r, "voters"), token = timeline_field(g->t, r, "token");
    uint16_t lock = timeline_place(g->t, r->object)->resource, who = timeline_lane(g->t, r);
    if (voters.tag == TAG_NONE || lock == NONE16 || !is_lock(g->p, lock))
        return;
    const struct leader *l = leader_of(g, lock, who);
    if (l->token == token.v && !l->released)
        leads(g, lock, who, number, token, (uint64_t)voters.v);
}

static bool is_voter(const struct grants *g, const struct record *r)
{
    uint16_t lane = timeline_lane(g->t, r);
    return lane != NONE16 && g->t->lanes[lane].kind == LANE_VOTER;
}

static void of_voter(struct grants *g, const struct record *r, uint32_t number)
{
    uint16_t lane = timeline_lane(g->t, r);
    switch (r->verb) {
    case V_VOTES: voted(g, lane, r, number); break;
    case V_EXTENDS:
        if (g->vote[lane] == NONE32)
            voted(g, lane, r, number);
        break;
    case V_FREES:
    case V_FORCES:
        leader_of(g, g->t->lanes[lane].index, lane_of(g, r->object))->released = 1;
        end_vote(g, lane, number);
        break;
    case V_EXPIRES: end_vote(g, lane, number); break;
    default: break;
    }
}

/* --- crashes of a service that keeps its word in memory ------------------------------------------------------ */

static void queue_forgets(struct grants *g, uint16_t queue, const struct record *r, uint32_t number)
{
    struct value losing = timeline_field(g->t, r, "losing");
    bool everything = losing.tag == TAG_NAME && (name_id)losing.v == g->t->run->c->sim.losing_name[LOSING_EVERYTHING];
    const struct queue_plan *q = &g->p->queues[queue];
    for (uint32_t i = 0; i < q->jobs; i++) {
        uint16_t resource = job_resource(g->p, q->first_job + i);
        struct owned *o = &g->owned[resource];
        bool known = o->bar != NONE32 || o->phase != NONE32;
        timeline_close(g->t, &o->bar, number);
        timeline_close(g->t, &o->phase, number);
        if (known && !everything)
            phase(g, resource, number, BAR_WAITING, NONE16);
    }
}

static void crashed(struct grants *g, const struct record *r, uint32_t number)
{
    uint16_t lane = timeline_lane(g->t, r);
    if (lane == NONE16 || !timeline_forgets(g->t, r))
        return;
    const struct lane *l = &g->t->lanes[lane];
    if (l->kind == LANE_VOTER)
        end_vote(g, lane, number);
    else if (l->kind == LANE_LOCK)
        timeline_close(g->t, &g->owned[l->index].bar, number);
    else if (l->kind == LANE_QUEUE)
        queue_forgets(g, l->index, r, number);
}

/* --- jobs and rows ------------------------------------------------------------------------------------------- */

static bool is_jobs(const struct grants *g, uint16_t resource)
{
    return is_job(g->p, resource) || is_queue_row(g->p, resource);
}

static void ended(struct grants *g, uint16_t resource, const struct record *r, uint32_t number)
{
    timeline_close(g->t, &g->owned[resource].bar, number);
    if (!is_jobs(g, resource))
        return;
    if (r->verb == V_RETURNS || r->verb == V_FREES)
        phase(g, resource, number, BAR_WAITING, NONE16);
    else
        phase(g, resource, number, r->verb == V_DEAD_LETTERS ? BAR_DEAD : BAR_DONE, doer(g, r));
}

static bool is_among(const struct grants *g, struct ids words, struct value v)
{
    const struct names *names = g->p->sim->names;
    for (uint32_t i = 0; i < words.n; i++) {
        const struct word_value *w = &g->p->words[words.first + i];
        if (value_equal(names, (struct value){w->v, w->tag}, v))
            return true;
    }
    return false;
}

/* What a row of a table as queue is by the value of its state: done, running (by nobody known), or waiting. */
static void by_state(struct grants *g, uint16_t resource, uint32_t number, struct value state)
{
    const struct table_plan *table = &g->p->tables[g->p->rows[timeline_row(g->p, resource)].table];
    if (is_among(g, table->done, state))
        phase(g, resource, number, BAR_DONE, NONE16);
    else if (!is_among(g, table->running, state))
        phase(g, resource, number, BAR_WAITING, NONE16);
}

static void row_at_start(struct grants *g, uint32_t row)
{
    const struct row_plan *r = &g->p->rows[row];
    const struct table_plan *table = &g->p->tables[r->table];
    if (table->kind != TABLE_QUEUE || table->state == NONE16 || !r->listed)
        return;
    const struct cell_plan *cell =
        &g->p->cells[table->first_cell + (row - table->first_row) * table->columns + table->state];
    by_state(g, row_resource(g->p, row), 0, (struct value){cell->v, cell->tag});
}

/* A finished job that is written again may leave its state. */
static void state_set(struct grants *g, const struct record *r, uint32_t number)
{
    const struct model_plan *p = g->p;
    uint32_t cell = timeline_place(g->t, r->object)->cell;
    if (cell == NONE16 || cell < p->n_registers)
        return;
    cell -= p->n_registers;
    for (uint32_t i = 0; i < p->n_tables; i++) {
        const struct table_plan *table = &p->tables[i];
        uint32_t at = cell - table->first_cell;
        if (cell < table->first_cell || at >= (uint32_t)table->rows * table->columns ||
            at % table->columns != table->state)
            continue;
        struct owned *o = &g->owned[row_resource(p, table->first_row + at / table->columns)];
        struct value state = timeline_field(g->t, r, "");
        bool was_done = o->phase != NONE32 && g->t->bars[o->phase].kind == BAR_DONE;
        if (was_done && !is_among(g, table->done, state)) {
            timeline_close(g->t, &o->phase, number);
            by_state(g, row_resource(p, table->first_row + at / table->columns), number, state);
        }
    }
}

static void added(struct grants *g, uint16_t resource, uint32_t number)
{
    if (resource != NONE16 && is_jobs(g, resource))
        phase(g, resource, number, BAR_WAITING, NONE16);
}

static void erased(struct grants *g, uint16_t resource, uint32_t number)
{
    timeline_close(g->t, &g->owned[resource].bar, number);
    timeline_close(g->t, &g->owned[resource].phase, number);
}

/* --- the walk ------------------------------------------------------------------------------------------------- */

static void of_resource(struct grants *g, const struct record *r, uint32_t number)
{
    uint16_t resource = timeline_resource(g->t, r);
    if (resource == NONE16)
        return;
    bool quorum = is_lock(g->p, resource) && g->p->locks[resource].kind == LOCK_QUORUM;
    switch (r->verb) {
    case V_GRANTS: (quorum ? elected : granted)(g, resource, r, number); break;
    case V_EXTENDS: extended(g, resource, r, number); break;
    case V_EXPIRES: expired(g, resource, r, number); break;
    case V_LAPSES:
        if (!is_lock(g->p, resource))
            lapsed(g, resource, r, number);
        break;
    case V_FORCES: timeline_close(g->t, &g->owned[resource].bar, number); break;
    case V_ERASES: erased(g, resource, number); break;
    default: ended(g, resource, r, number); break;
    }
}

static void take(struct grants *g, const struct record *r, uint32_t number)
{
    switch (r->verb) {
    case V_GRANTS:
    case V_EXTENDS:
    case V_EXPIRES:
    case V_LAPSES:
    case V_FREES:
    case V_FORCES:
    case V_VOTES:
    case V_FINISHES:
    case V_RETURNS:
    case V_DEAD_LETTERS:
    case V_REWRITES:
    case V_ERASES: (is_voter(g, r) ? of_voter : of_resource)(g, r, number); break;
    case V_RENEWED: recounted(g, r, number); break;
    case V_CRASHES: crashed(g, r, number); break;
    case V_ADDS: added(g, timeline_place(g->t, r->object)->resource, number); break;
    case V_SETS: state_set(g, r, number); break;
    default: break;
    }
}

static void at_start(struct grants *g)
{
    for (uint32_t i = 0; i < n_resources(g->p); i++)
        g->owned[i].bar = g->owned[i].phase = NONE32;
    for (uint32_t i = 0; i < g->t->n_lanes; i++)
        g->vote[i] = NONE32;
    for (uint32_t i = 0; i < g->p->n_locks * g->t->n_lanes; i++)
        g->leaders[i].bar = NONE32;
    for (uint32_t i = 0; i < g->p->n_jobs; i++)
        if (g->p->jobs[i].listed)
            phase(g, job_resource(g->p, i), 0, BAR_WAITING, NONE16);
    for (uint32_t i = 0; i < g->p->n_rows; i++)
        row_at_start(g, i);
}

void timeline_grants(struct timeline *t)
{
    struct grants g = {.t = t, .p = &t->run->c->model};
    g.owned = calloc(n_resources(g.p) + 1, sizeof *g.owned);
    g.leaders = calloc((size_t)g.p->n_locks * t->n_lanes + 1, sizeof *g.leaders);
    g.vote = calloc(t->n_lanes + 1, sizeof *g.vote);
    t->failed = t->failed || g.owned == NULL || g.leaders == NULL || g.vote == NULL;
    if (!t->failed)
        at_start(&g);
    for (uint32_t i = 0; i < t->n_records && !t->failed; i++)
        take(&g, &t->records[i], i + 1);
    free(g.owned);
    free(g.leaders);
    free(g.vote);
}
