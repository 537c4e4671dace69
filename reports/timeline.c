/* SPDX-License-Identifier: MIT
 *
 * timeline.c - see timeline.h. Lanes and names here; each kind of thing in a file of its own:
 *
 *     timeline_grants.c    holds, votes, attempt, waiting, done, dead
 *     timeline_clients.c   believes and its truth, has, acts, works, waits
 *     timeline_stores.c    value, mark
 *     timeline_faults.c    paused, suspended, down, slow, partition, cut, and marks
 *     timeline_clocks.c    what the clocks read
 *     timeline_messages.c  messages
 */
#include "reports/timeline_part.h"

#include <stdlib.h>
#include <string.h>

#define X(id, name) name,
const char *const lane_kind_name[LANE_KINDS] = {LANE_KINDS_TABLE(X)};
const char *const bar_kind_name[BAR_KINDS] = {BAR_KINDS_TABLE(X)};
#undef X
const char *const fate_name[3] = {"arrives", "lost", "held"};

/* --- memory ------------------------------------------------------------------------------------------ */

void *timeline_grow(struct timeline *t, void **rows, uint32_t *n, uint32_t *capacity, size_t size)
{
    if (t->failed)
        return NULL;
    if (*n == *capacity) {
        uint32_t more = *capacity == 0 ? 64 : 2 * *capacity;
        void *grown = realloc(*rows, more * size);
        if (grown == NULL) {
            t->failed = true;
            return NULL;
        }
        *rows = grown;
        *capacity = more;
    }
    *n += 1;
    return (char *)*rows + (*n - 1) * size;
}

void timeline_free(struct timeline *t)
{
    uint32_t clocks = t->clocks == NULL ? 0 : t->run->c->sim.n_machines * CLOCKS;
    for (uint32_t i = 0; i < clocks; i++)
        free(t->clocks[i].row);
    free(t->clocks);
    free(t->lanes);
    free(t->bars);
    free(t->truths);
    free(t->flights);
    free(t->marks);
    free(t->places);
    memset(t, 0, sizeof *t);
}

/* --- bars --------------------------------------------------------------------------------------------- */

uint32_t timeline_open(struct timeline *t, struct bar bar)
{
    void *rows = t->bars;
    struct bar *b = timeline_grow(t, &rows, &t->n_bars, &t->bars_capacity, sizeof *b);
    t->bars = rows;
    if (b == NULL)
        return NONE32;
    bar.to = t->run->end_ns;
    *b = bar;
    return t->n_bars - 1;
}

void timeline_close(struct timeline *t, uint32_t *open, uint32_t number)
{
    if (*open == NONE32)
        return;
    t->bars[*open].to = timeline_record(t, number)->at;
    t->bars[*open].b = number;
    *open = NONE32;
}

/* --- lanes ----------------------------------------------------------------------------------------------- */

static const struct actor *actor_of(const struct timeline *t, uint32_t process)
{
    const struct compiled *c = t->run->c;
    return &c->model.actor_of[c->sim.processes[process].first_thread];
}

static enum lane_kind kind_of(const struct timeline *t, uint32_t process)
{
    switch ((enum actor_kind)actor_of(t, process)->kind) {
    case ACTOR_CENTRAL: return LANE_LOCK;
    case ACTOR_VOTER: return LANE_VOTER;
    case ACTOR_QUEUE: return LANE_QUEUE;
    case ACTOR_STORE: return LANE_STORE;
    case ACTOR_TABLE: return LANE_TABLE;
    case ACTOR_CLIENT: return LANE_CLIENT;
    case ACTOR_IDLE: break;
    }
    return LANE_NODE;
}

/* Which lock, queue, store or table a process is. */
static uint16_t index_of(const struct timeline *t, uint32_t process)
{
    const struct actor *a = actor_of(t, process);
    if (a->service == NONE16)
        return NONE16;
    const struct service_plan *s = &t->run->c->model.services[a->service];
    return a->kind == ACTOR_STORE   ? s->store
           : a->kind == ACTOR_QUEUE ? s->queue
           : a->kind == ACTOR_TABLE ? s->table
                                    : s->lock;
}

static void add_process(struct timeline *t, uint32_t process)
{
    const struct process_plan *p = &t->run->c->sim.processes[process];
    t->lanes[t->n_lanes++] = (struct lane){.name = p->name,
                                           .kind = (uint16_t)kind_of(t, process),
                                           .process = (uint16_t)process,
                                           .machine = p->machine,
                                           .index = index_of(t, process)};
}

static void add_quorums(struct timeline *t)
{
    const struct model_plan *p = &t->run->c->model;
    for (uint16_t i = 0; i < p->n_locks; i++)
        if (p->locks[i].kind == LOCK_QUORUM)
            t->lanes[t->n_lanes++] = (struct lane){
                .name = p->locks[i].name, .kind = LANE_LOCK, .process = NONE16, .machine = NONE16, .index = i};
}

/* By kind, and within a kind in the order of the file; clients and nodes are one group. */
static void make_lanes(struct timeline *t)
{
    const struct compiled *c = t->run->c;
    t->lanes = calloc(c->sim.n_processes + c->model.n_locks + 1, sizeof *t->lanes);
    t->failed = t->failed || t->lanes == NULL;
    for (int kind = 0; !t->failed && kind < LANE_KINDS; kind++) {
        for (uint32_t i = 0; i < c->sim.n_processes; i++) {
            int of = (int)kind_of(t, i);
            if ((of == LANE_NODE ? LANE_CLIENT : of) == kind)
                add_process(t, i);
        }
        if (kind == LANE_LOCK)
            add_quorums(t);
    }
}

/* --- names ----------------------------------------------------------------------------------------------- */

static void place_lanes(struct timeline *t)
{
    const struct sim_plan *sim = &t->run->c->sim;
    for (uint16_t i = 0; i < t->n_lanes; i++) {
        const struct lane *lane = &t->lanes[i];
        t->places[lane->name].lane = i;
        t->places[lane->name].process = lane->process;
        if (lane->kind <= LANE_VOTER)
            t->places[lane->name].resource = lane->index;
        for (uint32_t k = 0; lane->process != NONE16 && k < sim->processes[lane->process].threads; k++) {
            const struct thread_plan *thread = &sim->threads[sim->processes[lane->process].first_thread + k];
            t->places[thread->name].lane = t->places[thread->alone].lane = i;
            t->places[thread->name].process = t->places[thread->alone].process = lane->process;
        }
    }
}

static void place_clients(struct timeline *t)
{
    const struct compiled *c = t->run->c;
    for (uint16_t i = 0; i < c->model.n_clients; i++)
        t->places[c->sim.threads[c->model.clients[i].thread].name].client = i;
}

static void place_resources(struct timeline *t)
{
    const struct model_plan *p = &t->run->c->model;
    for (uint16_t i = 0; i < p->n_jobs; i++) {
        t->places[p->jobs[i].object].resource = job_resource(p, i);
        t->places[p->jobs[i].name].job = job_resource(p, i);
    }
    for (uint16_t i = 0; i < p->n_rows; i++)
        t->places[p->rows[i].name].resource = row_resource(p, i);
    for (uint16_t i = 0; i < p->n_registers; i++)
        t->places[p->registers[i].name].cell = i;
    for (uint32_t i = 0; i < p->n_cells && p->n_registers + i < NONE16; i++)
        t->places[p->cells[i].name].cell = (uint16_t)(p->n_registers + i);
}

/* A machine whose name is no process's own speaks through its first process. */
static void place_machines(struct timeline *t)
{
    const struct sim_plan *sim = &t->run->c->sim;
    for (uint16_t i = 0; i < t->n_lanes; i++) {
        if (t->lanes[i].machine == NONE16)
            continue;
        struct place *p = &t->places[sim->machines[t->lanes[i].machine].name];
        if (p->lane == NONE16)
            p->lane = i;
    }
}

static void make_places(struct timeline *t)
{
    uint32_t n = t->run->c->sim.names->n;
    t->places = malloc((n + 1) * sizeof *t->places);
    t->failed = t->failed || t->places == NULL;
    if (t->failed)
        return;
    memset(t->places, 0xff, (n + 1) * sizeof *t->places); /* NONE16 in each field */
    place_lanes(t);
    place_clients(t);
    place_resources(t);
    place_machines(t);
}

uint16_t timeline_lane(const struct timeline *t, const struct record *r) { return timeline_place(t, r->actor)->lane; }

uint16_t timeline_resource(const struct timeline *t, const struct record *r)
{
    struct value of = timeline_field(t, r, "of");
    if (of.tag == TAG_TEXT)
        return t->places[of.v].job;
    return timeline_place(t, of.tag == TAG_NAME ? (name_id)of.v : r->actor)->resource;
}

bool timeline_forgets(const struct timeline *t, const struct record *crash)
{
    struct value losing = timeline_field(t, crash, "losing");
    bool everything = losing.tag == TAG_NAME && (name_id)losing.v == t->run->c->sim.losing_name[LOSING_EVERYTHING];
    return everything || !gate_on(&t->run->c->model, GATE_DURABLE_GRANT);
}

/* --- all of it -------------------------------------------------------------------------------------------- */

static bool bar_before(const struct bar *a, const struct bar *b)
{
    if (a->lane != b->lane)
        return a->lane < b->lane;
    if (a->from != b->from)
        return a->from < b->from;
    if (a->to != b->to)
        return a->to < b->to;
    return a->kind < b->kind;
}

/* A merge from runs of one upwards: stable, so that what is equal stays in the order in which it was found. */
static void sort_bars(struct timeline *t)
{
    uint32_t n = t->n_bars;
    struct bar *from = t->bars, *to = malloc((n + 1) * sizeof *to);
    if (to == NULL) {
        t->failed = true;
        return;
    }
    for (uint32_t width = 1; width < n; width *= 2) {
        for (uint32_t low = 0; low < n; low += 2 * width) {
            uint32_t middle = n - low < width ? n : low + width, high = n - low < 2 * width ? n : low + 2 * width;
            uint32_t i = low, k = middle;
            for (uint32_t out = low; out < high; out++)
                to[out] = k >= high || (i < middle && !bar_before(&from[k], &from[i])) ? from[i++] : from[k++];
        }
        struct bar *swap = from;
        from = to;
        to = swap;
    }
    t->bars = from;
    t->bars_capacity = n;
    free(to);
}

void timeline_make(struct timeline *t, const struct run *r)
{
    memset(t, 0, sizeof *t);
    t->run = r;
    t->records = sim_trace(r->sim, &t->n_records);
    make_lanes(t);
    make_places(t);
    static void (*const parts[])(struct timeline *) = {timeline_grants,  timeline_clients, timeline_truths,
                                                       timeline_stores,  timeline_faults,  timeline_clocks,
                                                       timeline_messages};
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !t->failed; i++)
        parts[i](t);
    if (!t->failed)
        sort_bars(t);
}
