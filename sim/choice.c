/* SPDX-License-Identifier: MIT
 *
 * choice.c - decision points: where a run may deviate from the calm one.
 *
 * A point's address is a hash of what kind it is, of names, and of which time it occurs:
 *
 *     kind     actor             site    peer               struck by
 *     before   the actor         verb    object             faults, at once
 *     after    the actor         verb    object             faults, when the handler has ended
 *     message  sending process   -       receiving process  an option, or a fault on this message
 *     resume   resumed process   -       -                  enum resume_order
 *     delay    sending process   -       receiving process  0 lower end, 1 upper end
 *
 *  1. No index and no clock stands in an address, so taking one deviation away leaves the others
 *     where they were, unless it changes how often their very label occurs.
 *  2. Counters are bookkeeping. They are counted only when deviations were given, somebody chooses, or
 *     SIM_POINTS is on; restore a snapshot only under the same. What a label is called stands outside the
 *     world and outlives a run: its number differs with what ran before, and no run can tell.
 *  3. An address occurs at most once in a run, so deviations_met counts each deviation once.
 */
#include "sim/choice.h"

#include <string.h>

#include "sim/fault.h"
#include "sim/state.h"

static inline uint64_t label_hash(uint64_t kind_hash, uint64_t actor_hash, uint64_t site_hash, uint64_t peer_hash)
{
    return hash_step(hash_step(hash_step(kind_hash, actor_hash), site_hash), peer_hash);
}

static inline uint64_t occurrence_hash(uint64_t label, uint32_t occurrence)
{
    return hash_step(hash_step(label, occurrence), 0);
}

uint64_t choice_address(uint64_t kind_hash, uint64_t actor_hash, uint64_t site_hash, uint64_t peer_hash,
                        uint32_t occurrence)
{
    return occurrence_hash(label_hash(kind_hash, actor_hash, site_hash, peer_hash), occurrence);
}

uint64_t choice_kind_hash(enum choice_kind kind)
{
    static const char *const name[CHOICES] = {"before", "after", "message", "resume", "delay"};
    ASSERT(kind < CHOICES);
    return hash_text(name[kind]);
}

void choice_prepare(struct sim *s)
{
    for (int kind = 0; kind < CHOICES; kind++)
        s->kind_hash[kind] = choice_kind_hash((enum choice_kind)kind);
}

/* --- labels -------------------------------------------------------------------------------- */

void choice_forget(struct sim *s)
{
    if (s->labels_known <= s->labels_max / 2)
        return;
    memset(s->heads, 0, s->heads_n * sizeof *s->heads);
    memset(s->near, 0, sizeof s->near);
    s->labels_known = 0;
    s->forgettings++;
}

uint32_t sim_forgettings(const struct sim *s) { return s->forgettings; }

/* What a point is called, by ids: an id means one name in all runs of a plan. */
static inline uint64_t point_key(const struct choice_point *d)
{
    uint64_t what = d->kind == CHOICE_MESSAGE ? 0 : d->what; /* a message's is no part of its label */
    return UINT64_C(1) << 63 | (uint64_t)d->kind << 48 | what << 32 | (uint64_t)d->actor << 16 | d->peer;
}

/* The index of a label; labels_max: there is no room for another. */
static uint32_t find_label(struct sim *s, uint64_t hash)
{
    uint32_t *head = &s->heads[hash & (s->heads_n - 1)];
    for (uint32_t i = *head; i > 0; i = s->labels[i - 1].next)
        if (s->labels[i - 1].hash == hash)
            return i - 1;
    if (s->labels_known >= s->labels_max)
        return s->labels_max;
    s->labels[s->labels_known] = (struct label){hash, *head, 0};
    *head = s->labels_known + 1;
    return s->labels_known++;
}

/* A label occurs for the first time in this run. Returns 1; 0: there is no room for it (the run is over). */
APART static uint32_t count_first(struct sim *s, uint32_t i)
{
    struct world *w = s->world;
    if (i >= s->labels_max || w->labels_n >= s->plan->limits.labels) {
        world_full(s, FULL_LABELS);
        return 0;
    }
    while (w->counts_n <= i)
        s->counts[w->counts_n++] = 0;
    w->labels_n++;
    return ++s->counts[i];
}

/* How often a label has occurred now, from 1; 0: the run is over. */
static inline uint32_t count_label(struct sim *s, uint32_t i)
{
    if (i >= s->world->counts_n || s->counts[i] == 0)
        return count_first(s, i);
    return ++s->counts[i];
}

/* --- points -------------------------------------------------------------------------------- */

/* Its site is a verb. */
static inline bool is_at_verb(const struct choice_point *d)
{
    return d->kind == CHOICE_BEFORE || d->kind == CHOICE_AFTER;
}

COLD static void note_point(struct sim *s, const struct choice_point *d)
{
    static const uint8_t options[CHOICES] = {
        [CHOICE_BEFORE] = 1, [CHOICE_AFTER] = 1, [CHOICE_MESSAGE] = 3, [CHOICE_RESUME] = 3, [CHOICE_DELAY] = 2};
    struct value what = {0, TAG_NONE};
    if (is_at_verb(d))
        what = (struct value){d->what, TAG_INT};
    else if (d->kind == CHOICE_MESSAGE)
        what = (struct value){d->what, TAG_NAME};
    struct value fields[5] = {
        {d->kind, TAG_INT}, what, {d->occurrence, TAG_INT}, {options[d->kind], TAG_INT}, {(int64_t)d->address, TAG_INT},
    };
    uint32_t cause = s->cause;
    sim_record(s, NONE16, d->actor, V_CHOICE, d->peer, fields, 5, 0);
    s->cause = cause;
}

/* A point that was not passed for a while: its label is found by its names. */
COLD static void find_near(struct sim *s, const struct choice_point *d, uint64_t key, struct near_label *near)
{
    uint64_t site = is_at_verb(d) ? s->verbs[d->what].hash : 0;
    near->hash = label_hash(s->kind_hash[d->kind], name_hash(s, d->actor), site, name_hash(s, d->peer));
    near->label = find_label(s, near->hash);
    near->key = near->label < s->labels_max ? key : 0;
}

/* Passes a point: counts it, which gives it its address, and notes it. False: the run is over. */
static inline bool pass_point(struct sim *s, struct choice_point *d)
{
    uint64_t key = point_key(d);
    struct near_label *near = &s->near[(key * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - NEAR_BITS)];
    if (near->key != key)
        find_near(s, d, key, near);
    d->occurrence = count_label(s, near->label);
    d->address = occurrence_hash(near->hash, d->occurrence);
    if (d->occurrence == 0)
        return false;
    if (s->options & SIM_POINTS)
        note_point(s, d);
    return true;
}

static inline bool deviates(const struct sim *s, uint64_t address) { return s->deviations_seen >> (address & 63) & 1; }

/* The next deviation at this address, from *i on; NULL: none. */
static const struct deviation *next_deviation(struct sim *s, uint64_t address, uint32_t *i)
{
    while (*i < s->deviations_n) {
        const struct deviation *d = &s->deviations[*i];
        *i += 1;
        if (d->address == address) {
            s->world->deviations_met++;
            return d;
        }
    }
    return NULL;
}

/* The option that the last deviation at this point takes. */
static uint32_t pass_option(struct sim *s, struct choice_point *p)
{
    uint32_t option = 0, i = 0;
    if (!pass_point(s, p) || !deviates(s, p->address))
        return 0;
    uint64_t address = p->address;
    for (const struct deviation *d = next_deviation(s, address, &i); d != NULL; d = next_deviation(s, address, &i))
        option = d->option;
    return option;
}

/* Hands what deviations say at this point to strike(). Returns the option. */
COLD static uint32_t strike_deviations(struct sim *s, uint64_t address, choice_strike_fn strike, void *context)
{
    uint32_t option = 0, i = 0;
    for (const struct deviation *d = next_deviation(s, address, &i); d != NULL; d = next_deviation(s, address, &i)) {
        if (d->fault == NONE32)
            option = d->option;
        else
            strike(s, d->fault, context);
        state_forget(s);
    }
    return option;
}

/* Passes a point where faults strike, and hands them to strike(). Returns the option. */
static uint32_t pass_faults(struct sim *s, struct choice_point *p, choice_strike_fn strike, void *context)
{
    uint32_t option = 0, faults[STRIKES_MAX];
    if (!pass_point(s, p))
        return 0;
    if (deviates(s, p->address))
        option = strike_deviations(s, p->address, strike, context);
    if (s->choose == NULL)
        return option;
    uint32_t n = s->choose(s->choose_context, p, faults);
    ASSERT(n <= STRIKES_MAX);
    if (n > 0)
        state_forget(s);
    for (uint32_t i = 0; i < n; i++)
        strike(s, faults[i], context);
    return option;
}

static struct choice_point point_of(enum choice_kind kind, name_id actor, name_id peer, uint16_t what)
{
    return (struct choice_point){0, 0, (uint16_t)kind, what, actor, peer, NONE16, NONE16};
}

/* to NONE16: nobody. */
static struct choice_point way_point(const struct sim *s, enum choice_kind kind, uint16_t from, uint16_t to,
                                     name_id what)
{
    const struct process_plan *processes = s->plan->processes;
    name_id peer = to == NONE16 ? NONE16 : processes[to].name;
    return (struct choice_point){0, 0, (uint16_t)kind, what, processes[from].name, peer, from, to};
}

static void strike_later(struct sim *s, uint32_t fault, void *context)
{
    fault_later(s, fault, *(const uint32_t *)context);
}

static void strike_now(struct sim *s, uint32_t fault, void *context)
{
    fault_apply(s, fault, *(const uint32_t *)context);
}

void choice_after(struct sim *s, name_id actor, uint16_t verb, name_id object, uint32_t cause)
{
    struct choice_point p = point_of(CHOICE_AFTER, actor, object, verb);
    pass_faults(s, &p, strike_later, &cause);
}

void choice_before(struct sim *s, name_id actor, uint16_t verb, name_id object)
{
    struct choice_point p = point_of(CHOICE_BEFORE, actor, object, verb);
    uint32_t cause = s->cause;
    pass_faults(s, &p, strike_now, &cause);
    s->cause = cause;
}

uint32_t choice_resume(struct sim *s, uint16_t process)
{
    struct choice_point p = way_point(s, CHOICE_RESUME, process, NONE16, NONE16);
    return pass_option(s, &p);
}

uint32_t choice_delay(struct sim *s, uint16_t from, uint16_t to)
{
    struct choice_point p = way_point(s, CHOICE_DELAY, from, to, NONE16);
    return pass_option(s, &p);
}

uint32_t choice_message(struct sim *s, uint16_t from, uint16_t to, name_id what, choice_strike_fn strike, void *context)
{
    struct choice_point p = way_point(s, CHOICE_MESSAGE, from, to, what);
    return pass_faults(s, &p, strike, context);
}

uint32_t sim_deviations_inert(const struct sim *s)
{
    uint32_t met = s->world->deviations_met;
    return met < s->deviations_n ? s->deviations_n - met : 0;
}
