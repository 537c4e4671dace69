/* SPDX-License-Identifier: MIT
 *
 * world.c - the block: laid out once, copied out, copied back.
 *
 *  1. sim_new() makes one allocation for everything: struct sim, what is constant, the block, the
 *     trace and scratch. layout() runs twice, first to measure, then to say where each part is.
 *  2. Time 0 is itself a snapshot, taken when all is set up; sim_reset() restores it. So a reset
 *     costs what a restore of a young world costs and touches no memory that was not used.
 *  3. A section's entries beyond its used length mean nothing and are never read.
 */
#include "sim/world.h"

#include <stdlib.h>
#include <string.h>

#include "sim/choice.h"
#include "sim/event.h"
#include "sim/fault.h"
#include "sim/net.h"
#include "sim/process.h"
#include "sim/state.h"
#include "sim/trace.h"

void world_full(struct sim *s, enum full what)
{
    if (s->world->status != SIM_RAN)
        return;
    s->world->status = SIM_FULL;
    s->world->full = what;
}

/* --- layout ------------------------------------------------------------------------------ */

#define LINE UINT64_C(64) /* of the cache */

struct room {
    char *base; /* NULL while measuring; begins where a line does */
    uint64_t size;
};

static void *take(struct room *room, uint64_t n, size_t size)
{
    void *at = room->base == NULL ? NULL : room->base + room->size;
    room->size += (n * size + 7) / 8 * 8;
    return at;
}

/* The next part begins `past` bytes behind the beginning of a line of the cache. */
static void align(struct room *room, uint32_t past) { room->size += (past - room->size) % LINE; }

static void lay_out_fixed(struct sim *s, struct room *room)
{
    const struct sim_plan *plan = s->plan;
    uint64_t begin = room->size;
    s->world = take(room, 1, sizeof(struct world));
    s->machines = take(room, plan->n_machines, sizeof(struct machine));
    s->processes = take(room, plan->n_processes, sizeof(struct process));
    s->threads = take(room, plan->n_threads, sizeof(struct thread));
    s->conns = take(room, plan->n_conns, sizeof(struct conn));
    s->triggers = take(room, plan->n_triggers, sizeof(struct trigger));
    s->armed = take(room, s->armed_max, sizeof(struct armed));
    s->model_state = take(room, plan->model_bytes, 1);
    s->fixed = (size_t)(room->size - begin);
}

static void lay_out(struct sim *s, struct room *room)
{
    const struct sim_plan *plan = s->plan;
    uint64_t initial = (uint64_t)(plan->n_faults + plan->n_threads) * (sizeof(struct key) + sizeof(struct event));
    align(room, 0);
    lay_out_fixed(s, room);
    align(room, LINE - sizeof(struct key)); /* so that four siblings share a line */
    s->keys = take(room, (uint64_t)plan->limits.events + QUEUE_ROOM, sizeof(struct key));
    align(room, 0);
    s->events = take(room, plan->limits.events, sizeof(struct event));
    align(room, 0);
    s->messages = take(room, plan->limits.messages, sizeof(struct message));
    s->held = take(room, plan->limits.events, sizeof(struct key));
    s->closures = take(room, plan->n_faults, sizeof(struct closure));
    s->counts = take(room, s->labels_max, sizeof(uint32_t));
    s->heads = take(room, s->heads_n, sizeof(uint32_t));
    s->labels = take(room, s->labels_max, sizeof(struct label));
    s->fault_kin = take(room, plan->n_faults, sizeof(uint64_t));
    s->links = take(room, s->links_mask + 1, sizeof(uint32_t));
    s->verbs = take(room, plan->n_verbs, sizeof(struct verb_row));
    s->struck = take(room, s->struck_max, sizeof(struct struck));
    s->sorted = take(room, (uint64_t)plan->limits.events + QUEUE_ROOM, sizeof(struct key));
    s->model_scratch = take(room, s->scratch_bytes, 1);
    s->initial = take(room, s->fixed + initial, 1);
    s->trace = take(room, s->trace_max, sizeof(struct record));
}

static uint32_t power_of_two(uint32_t at_least)
{
    uint32_t n = 1;
    while (n < at_least)
        n *= 2;
    return n;
}

static void size_up(struct sim *s)
{
    const struct sim_plan *plan = s->plan;
    s->name_hash = plan->names->hash;
    s->thread_plans = plan->threads;
    uint32_t labels = plan->limits.labels;
    s->heads_n = power_of_two(labels > 32768 ? 4096 : labels / 8 + 16);
    s->labels_max = 2 * labels; /* so that a table forgotten when it is half full has room for any run */
    s->links_mask = power_of_two(2 * plan->n_links + 1) - 1;
    s->armed_max = 2 * plan->n_faults + 8;
    s->struck_max = plan->n_triggers + 64;
    if (s->model->scratch_bytes != NULL)
        s->scratch_bytes = s->model->scratch_bytes(s->model_plan);
    s->trace_max = s->options & SIM_KEEP_TRACE ? plan->limits.records : 1;
    if (s->options & SIM_SHORT_TRACE && s->trace_max > SHORT_TRACE)
        s->trace_max = SHORT_TRACE;
}

/* --- time 0 -------------------------------------------------------------------------------- */

static void begin_plan(struct sim *s)
{
    const struct sim_plan *plan = s->plan;
    state_forget(s);
    s->world->model_used = plan->model_bytes;
    for (uint32_t i = 0; i < plan->n_machines; i++) {
        const struct machine_plan *m = &plan->machines[i];
        machine_reset(&s->machines[i], name_hash(s, m->name), m->wall_offset, m->ppb);
    }
    for (uint32_t i = 0; i < plan->n_processes; i++) {
        s->processes[i].up = 1;
        s->processes[i].starts = 1;
    }
    trigger_prepare(s);
}

static void begin_events(struct sim *s)
{
    for (uint32_t i = 0; i < s->plan->n_faults; i++)
        if (s->plan->faults[i].at >= 0)
            event_add(s, EVENT_FAULT, NONE16, i, s->plan->faults[i].at);
    for (uint32_t i = 0; i < s->plan->n_processes; i++)
        process_start_threads(s, (uint16_t)i);
    process_refresh(s);
}

struct sim *sim_new(const struct sim_plan *plan, const struct sim_model *model, const void *model_plan,
                    unsigned options)
{
    ASSERT(plan->limits.events > 0 && plan->limits.events <= SLOT_MAX);
    ASSERT(plan->model_bytes % 8 == 0);
    struct sim first = {.plan = plan, .model = model, .model_plan = model_plan, .options = options};
    size_up(&first);
    struct room room = {NULL, (sizeof(struct sim) + 7) / 8 * 8};
    lay_out(&first, &room);
    if (room.size > SIZE_MAX / 2)
        return NULL;
    char *block = calloc(1, (size_t)(room.size + LINE));
    if (block == NULL)
        return NULL;
    room = (struct room){block + (0 - (size_t)block) % LINE, (sizeof(struct sim) + 7) / 8 * 8};
    struct sim *s = (struct sim *)(void *)room.base;
    *s = first;
    s->block = block;
    lay_out(s, &room);
    trace_prepare(s);
    choice_prepare(s);
    fault_prepare(s);
    net_prepare(s);
    begin_plan(s);
    begin_events(s);
    if (model->prepare != NULL)
        model->prepare(s);
    sim_snapshot(s, s->initial, sim_snapshot_size(s));
    sim_reset(s, NULL, 0);
    return s;
}

void sim_free(struct sim *s) { free(s->block); }

/* --- snapshots --------------------------------------------------------------------------- */

/* The fixed part, without what the model has not used yet: the model's bytes are its last. */
static size_t fixed_used(const struct sim *s, uint32_t model_used)
{
    return s->fixed - s->plan->model_bytes + model_used;
}

static char *model_end(const struct sim *s) { return (char *)s->model_state + s->plan->model_bytes; }

size_t sim_snapshot_size(const struct sim *s)
{
    const struct world *w = s->world;
    size_t size = fixed_used(s, w->model_used) + w->model_tail + w->queue_n * sizeof(struct key) +
                  w->events_high * sizeof(struct event) + w->messages_high * sizeof(struct message) +
                  w->held_n * sizeof(struct key);
    return size + w->closures_n * sizeof(struct closure) + w->counts_n * sizeof(uint32_t);
}

static char *put(char *out, const void *from, size_t size)
{
    memcpy(out, from, size);
    return out + size;
}

size_t sim_snapshot(const struct sim *s, void *out, size_t size)
{
    const struct world *w = s->world;
    ASSERT(size >= sim_snapshot_size(s));
    char *at = put(out, w, fixed_used(s, w->model_used));
    if (w->model_tail > 0)
        at = put(at, model_end(s) - w->model_tail, w->model_tail);
    at = put(at, s->keys, w->queue_n * sizeof(struct key));
    at = put(at, s->events, w->events_high * sizeof(struct event));
    at = put(at, s->messages, w->messages_high * sizeof(struct message));
    if (w->held_n > 0)
        at = put(at, s->held, w->held_n * sizeof(struct key));
    if (w->closures_n > 0)
        at = put(at, s->closures, w->closures_n * sizeof(struct closure));
    if (w->counts_n > 0)
        at = put(at, s->counts, w->counts_n * sizeof(uint32_t));
    return (size_t)(at - (char *)out);
}

static const char *get(const char *in, void *to, size_t size)
{
    memcpy(to, in, size);
    return in + size;
}

void sim_restore(struct sim *s, const void *snapshot)
{
    struct world *w = s->world;
    uint32_t model_used;
    memcpy(&model_used, (const char *)snapshot + offsetof(struct world, model_used), sizeof model_used);
    const char *at = get(snapshot, w, fixed_used(s, model_used));
    if (w->model_tail > 0)
        at = get(at, model_end(s) - w->model_tail, w->model_tail);
    at = get(at, s->keys, w->queue_n * sizeof(struct key));
    at = get(at, s->events, w->events_high * sizeof(struct event));
    at = get(at, s->messages, w->messages_high * sizeof(struct message));
    if (w->held_n > 0)
        at = get(at, s->held, w->held_n * sizeof(struct key));
    if (w->closures_n > 0)
        at = get(at, s->closures, w->closures_n * sizeof(struct closure));
    if (w->counts_n > 0)
        get(at, s->counts, w->counts_n * sizeof(uint32_t));
    queue_end(s->keys, w->queue_n);
    s->cause = 0;
    s->struck_n = 0;
}

void sim_deviate(struct sim *s, const struct deviation *deviations, uint32_t n)
{
    s->deviations = deviations;
    s->deviations_n = n;
    s->deviations_seen = 0;
    for (uint32_t i = 0; i < n; i++)
        s->deviations_seen |= UINT64_C(1) << (deviations[i].address & 63);
    s->points = n > 0 || s->choose != NULL || (s->options & SIM_POINTS) != 0;
}

void sim_choose(struct sim *s, choose_fn choose, void *context)
{
    s->choose = choose;
    s->choose_context = context;
}

void sim_reset(struct sim *s, const struct deviation *deviations, uint32_t n)
{
    sim_restore(s, s->initial);
    choice_forget(s);
    sim_deviate(s, deviations, n);
}
