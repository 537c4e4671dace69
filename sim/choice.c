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
 *  2. Counters are bookkeeping. They are counted only when deviations were given or SIM_POINTS is
 *     on; restore a snapshot only under the same.
 *  3. An address occurs at most once in a run, so deviations_met counts each deviation once.
 */
#include "sim/choice.h"

#include "sim/fault.h"

uint64_t choice_address(uint64_t kind_hash, uint64_t actor_hash, uint64_t site_hash, uint64_t peer_hash,
                        uint32_t occurrence)
{
    uint64_t h = hash_step(kind_hash, actor_hash);
    h = hash_step(h, site_hash);
    h = hash_step(h, peer_hash);
    return hash_step(hash_step(h, occurrence), 0);
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

/* How often this label has occurred now, from 1; 0: no room (the run is over). */
static uint32_t count_label(struct sim *s, uint64_t hash)
{
    struct world *w = s->world;
    uint32_t *head = &s->heads[hash & (s->heads_n - 1)];
    for (uint32_t i = *head; i > 0; i = s->labels[i - 1].next)
        if (s->labels[i - 1].hash == hash)
            return ++s->labels[i - 1].count;
    if (w->labels_n >= s->plan->limits.labels) {
        world_full(s, FULL_LABELS);
        return 0;
    }
    s->labels[w->labels_n] = (struct label){hash, 1, *head};
    w->labels_n++;
    *head = w->labels_n;
    return 1;
}

struct point {
    enum choice_kind kind;
    uint32_t options;
    name_id actor;
    name_id peer;
    uint64_t site;     /* hash */
    struct value what; /* for the note */
};

static void note_point(struct sim *s, const struct point *p, uint32_t occurrence, uint64_t address)
{
    struct value fields[5] = {
        {p->kind, TAG_INT}, p->what, {occurrence, TAG_INT}, {p->options, TAG_INT}, {(int64_t)address, TAG_INT},
    };
    uint32_t cause = s->cause;
    sim_record(s, NONE16, p->actor, V_CHOICE, p->peer, fields, 5, 0);
    s->cause = cause;
}

/* Passes a point: counts it, notes it, and says its address; 0: no deviation is there. */
static uint64_t pass_point(struct sim *s, const struct point *p)
{
    uint64_t kind = s->kind_hash[p->kind], actor = name_hash(s, p->actor), peer = name_hash(s, p->peer);
    uint32_t occurrence = count_label(s, choice_address(kind, actor, p->site, peer, 0));
    if (occurrence == 0)
        return 0;
    uint64_t address = choice_address(kind, actor, p->site, peer, occurrence);
    if (s->options & SIM_POINTS)
        note_point(s, p, occurrence, address);
    return s->deviations_seen >> (address & 63) & 1 ? address : 0;
}

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
static uint32_t pass_option(struct sim *s, const struct point *p)
{
    uint64_t address = pass_point(s, p);
    uint32_t option = 0, i = 0;
    if (address == 0)
        return 0;
    for (const struct deviation *d = next_deviation(s, address, &i); d != NULL; d = next_deviation(s, address, &i))
        option = d->option;
    return option;
}

/* Passes a point where faults strike, and hands them to strike(). Returns the option. */
static uint32_t pass_faults(struct sim *s, const struct point *p, choice_strike_fn strike, void *context)
{
    uint64_t address = pass_point(s, p);
    uint32_t option = 0, i = 0;
    if (address == 0)
        return 0;
    for (const struct deviation *d = next_deviation(s, address, &i); d != NULL; d = next_deviation(s, address, &i)) {
        if (d->fault == NONE32)
            option = d->option;
        else
            strike(s, d->fault, context);
    }
    return option;
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
    struct point p = {CHOICE_AFTER, 1, actor, object, s->verbs[verb].hash, {verb, TAG_INT}};
    pass_faults(s, &p, strike_later, &cause);
}

void choice_before(struct sim *s, name_id actor, uint16_t verb, name_id object)
{
    struct point p = {CHOICE_BEFORE, 1, actor, object, s->verbs[verb].hash, {verb, TAG_INT}};
    uint32_t cause = s->cause;
    pass_faults(s, &p, strike_now, &cause);
    s->cause = cause;
}

uint32_t choice_resume(struct sim *s, uint16_t process)
{
    struct point p = {CHOICE_RESUME, 3, s->plan->processes[process].name, NONE16, 0, {0, TAG_NONE}};
    return pass_option(s, &p);
}

uint32_t choice_delay(struct sim *s, uint16_t from, uint16_t to)
{
    const struct process_plan *processes = s->plan->processes;
    struct point p = {CHOICE_DELAY, 2, processes[from].name, processes[to].name, 0, {0, TAG_NONE}};
    return pass_option(s, &p);
}

uint32_t choice_message(struct sim *s, uint16_t from, uint16_t to, name_id what, choice_strike_fn strike, void *context)
{
    const struct process_plan *processes = s->plan->processes;
    struct point p = {CHOICE_MESSAGE, 3, processes[from].name, processes[to].name, 0, {what, TAG_NAME}};
    return pass_faults(s, &p, strike, context);
}

uint32_t sim_deviations_inert(const struct sim *s)
{
    uint32_t met = s->world->deviations_met;
    return met < s->deviations_n ? s->deviations_n - met : 0;
}
