/* SPDX-License-Identifier: MIT
 *
 * trace.c - records, and the trace digest d1.
 *
 * A record goes to the kept trace, into the digest, to the model's invariants, to the triggers
 * and to the decision points, in this order.
 *
 *  1. The digest covers, of every record that is not a note: the hash of the names of verb, actor
 *     and object, true time, which start, and of each field that the verb has the hash of its
 *     tag's name and its value; for a text or name the hash of it. Never an id, an enum's value,
 *     a cause or a line: so it outlives a reordering of any table.
 *  2. The words of one record are spread and summed by odd factors, which the processor does side
 *     by side; one dependent step folds the sum in. So the digest costs next to nothing.
 *  3. Without SIM_NOTES a note has no index: causes pass over it. Causes are in no digest, so
 *     options change no digest. A note that nobody keeps and nobody hears is not made at all, nor is an aside without
 *     SIM_ASIDES.
 */
#include "sim/trace.h"

#include <string.h>

#include "sim/choice.h"
#include "sim/fault.h"

/* The place-th word of a record. A shift first: a product's low bits know nothing of high ones. */
static inline uint64_t spread(uint64_t word, uint64_t factor) { return (word ^ word >> 32) * factor; }

static uint32_t uses_of(const struct sim *s, uint16_t verb)
{
    uint8_t flags = s->plan->verbs[verb].flags;
    bool note = flags & VERB_NOTE;
    uint32_t uses = note ? USE_NOTE : 0;
    if (flags & VERB_ASIDE && !(s->options & SIM_ASIDES))
        return USE_NOTE;
    if (!note || s->options & SIM_NOTES)
        uses |= USE_LISTED;
    if (!note && s->options & SIM_DIGEST)
        uses |= USE_FOLDED;
    if (s->model->recorded != NULL && (s->model->hears == NULL || s->model->hears(s->model_plan, verb)))
        uses |= USE_HEARD;
    if (!note && flags & VERB_AFTER)
        uses |= USE_POINT;
    return uses;
}

void trace_prepare(struct sim *s)
{
    static const char *const tag_name[TAGS] = {"none", "int", "ns", "text", "name", "bool"};
    static const uint64_t factor[RECORD_FIELDS] = {
        UINT64_C(0x9FB21C651E98DF25), UINT64_C(0xC2B2AE3D27D4EB4F), UINT64_C(0x165667B19E3779F9),
        UINT64_C(0xD6E8FEB86659FD93), UINT64_C(0xA0761D6478BD642F), UINT64_C(0xE7037ED1A0B428DB),
        UINT64_C(0x8CB92BA72F3D8DD7), UINT64_C(0x9E6C63D0876A9A47),
    };
    for (int field = 0; field < RECORD_FIELDS; field++)
        for (int tag = 0; tag < TAGS; tag++)
            s->tag_word[field][tag] = spread(hash_text(tag_name[tag]), factor[field]);
    for (uint32_t v = 0; v < s->plan->n_verbs; v++) {
        uint64_t hash = hash_text(s->plan->verbs[v].name);
        s->verbs[v].hash = hash;
        s->verbs[v].word = spread(hash, UINT64_C(0xBF58476D1CE4E5B9));
        s->verbs[v].uses = uses_of(s, (uint16_t)v);
        s->verbs[v].fields = s->plan->verbs[v].fields;
        s->verbs[v].fixed = (uint16_t)(s->verbs[v].fields - s->plan->verbs[v].flags / VERB_TAIL);
    }
}

static inline uint64_t fold(const struct sim *s, uint64_t digest, const struct record *r)
{
    static const uint64_t factor[RECORD_FIELDS] = {
        UINT64_C(0x8EBC6AF09C88C6E3), UINT64_C(0x589965CC75374CC3), UINT64_C(0x1D8E4E27C47D124F),
        UINT64_C(0xEB44ACCAB455D165), UINT64_C(0x27D4EB2F165667C5), UINT64_C(0x94D049BB133111EB),
        UINT64_C(0xAEF17502108EF2D9), UINT64_C(0xD1B54A32D192ED03),
    };
    const struct verb_row *v = &s->verbs[r->verb];
    uint64_t sum = v->word + spread(name_hash(s, r->actor), UINT64_C(0x85EBCA77C2B2AE63)) +
                   spread(name_hash(s, r->object), UINT64_C(0xFF51AFD7ED558CCD)) +
                   spread((uint64_t)r->at, UINT64_C(0xC4CEB9FE1A85EC53)) +
                   spread(r->start, UINT64_C(0x2545F4914F6CDD1D));
    for (uint32_t i = 0; i < v->fields; i++) {
        uint8_t tag = r->tag[i];
        if (tag == TAG_NONE && i >= v->fixed)
            continue;
        bool text = tag == TAG_TEXT || tag == TAG_NAME;
        uint64_t value = text ? name_hash(s, (name_id)r->field[i]) : (uint64_t)r->field[i];
        sum += s->tag_word[i][tag] + spread(value, factor[i]);
    }
    return hash_step(digest, sum);
}

uint64_t trace_fold(const struct sim *s, uint64_t digest, const struct record *r) { return fold(s, digest, r); }

/* Where the next record is written; NULL: the run is over. */
static inline struct record *next_record(struct sim *s, bool listed)
{
    if (!listed)
        return &s->unlisted;
    if (!(s->options & SIM_KEEP_TRACE))
        return &s->trace[0];
    if (s->world->trace_n < s->trace_max)
        return &s->trace[s->world->trace_n];
    world_full(s, FULL_RECORDS);
    return NULL;
}

static inline uint16_t start_of(const struct sim *s, uint16_t process)
{
    if (process == NONE16)
        return 0;
    uint32_t starts = s->processes[process].starts;
    return starts < NONE16 ? (uint16_t)starts : NONE16;
}

static inline void fill_fields(struct record *r, const struct value *fields, uint32_t n)
{
    memset(r->tag, TAG_NONE, sizeof r->tag);
    memset(r->field, 0, sizeof r->field);
    for (uint32_t i = 0; i < n; i++) {
        r->tag[i] = (uint8_t)fields[i].tag;
        r->field[i] = fields[i].v;
    }
}

/* The record is written: into the digest, to the invariants, to whoever waits for it. */
static inline void show(struct sim *s, const struct record *r, uint32_t uses, uint32_t index, uint32_t cause)
{
    if (uses & USE_FOLDED)
        s->world->digest = fold(s, s->world->digest, r);
    if (uses & USE_HEARD)
        s->model->recorded(s, r, index);
    if (uses & USE_NOTE)
        return;
    if (trigger_waits(s, false, r->actor, r->verb))
        trigger_after(s, r->actor, r->verb, r->object, cause);
    if (s->points && uses & USE_POINT && r->actor != s->plan->net_name)
        choice_after(s, r->actor, r->verb, r->object, cause);
}

uint32_t sim_record(struct sim *s, uint16_t process, name_id actor, uint16_t verb, name_id object,
                    const struct value *fields, uint32_t n_fields, uint32_t line)
{
    struct world *w = s->world;
    ASSERT(verb < s->plan->n_verbs);
    uint32_t uses = s->verbs[verb].uses;
    ASSERT(n_fields <= s->verbs[verb].fields);
    if (uses == USE_NOTE) /* nobody sees it */
        return s->cause;
    struct record *r = next_record(s, uses & USE_LISTED);
    if (r == NULL)
        return 0;
    r->at = w->now;
    r->cause = s->cause;
    r->line = line;
    r->actor = actor;
    r->verb = verb;
    r->object = object;
    r->start = start_of(s, process);
    fill_fields(r, fields, n_fields);

    uint32_t index = w->trace_n;
    w->records += !(uses & USE_NOTE);
    if (uses & USE_LISTED) {
        w->trace_n++;
        s->cause = index + 1;
    }
    uint32_t cause = s->cause;
    show(s, r, uses, index, cause);
    return cause;
}

bool sim_makes(const struct sim *s, uint16_t verb) { return s->verbs[verb].uses != USE_NOTE; }

struct value record_field(const struct sim_plan *plan, const struct record *r, const char *name)
{
    const struct verb *verb = &plan->verbs[r->verb];
    for (unsigned i = 0; i < verb->fields; i++) {
        const char *field = verb->field_name[i];
        if (strcmp(field[0] == '.' ? field + 1 : field, name) == 0)
            return (struct value){r->field[i], r->tag[i]};
    }
    return (struct value){0, TAG_NONE};
}

uint32_t sim_cause(const struct sim *s) { return s->cause; }

void sim_set_cause(struct sim *s, uint32_t cause) { s->cause = cause; }

const struct record *sim_trace(const struct sim *s, uint32_t *n)
{
    uint32_t all = s->world->trace_n;
    *n = s->options & SIM_KEEP_TRACE || all == 0 ? all : 1;
    return s->trace;
}

void sim_trace_back(struct sim *s, const struct record *trace, uint32_t n)
{
    ASSERT(s->options & SIM_KEEP_TRACE || n <= 1);
    ASSERT(n <= s->trace_max);
    memcpy(s->trace, trace, n * sizeof *trace);
}

uint64_t sim_records(const struct sim *s) { return s->world->records; }

uint64_t sim_trace_digest(const struct sim *s) { return s->world->digest; }
