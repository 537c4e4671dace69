/* SPDX-License-Identifier: MIT
 *
 * shard.c - see shard.h.
 *
 * A record has no count that is not the size of a set: counts of shards that overlap could not be put together.
 */
#include "fuzz/shard.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/found.h"
#include "fuzz/keep.h"
#include "fuzz/shard_part.h"

const char *shard_result_text(enum shard_result result)
{
    switch (result) {
    case SHARD_NO_MEMORY: return "out of memory";
    case SHARD_DAMAGED: return "damaged";
    case SHARD_FOREIGN: return "no record of a shard";
    case SHARD_OTHER_VERSION: return "written by another version";
    case SHARD_OTHER_SCENARIO: return "of another scenario, or with other settings";
    case SHARD_OTHER_MENU: return "of another menu of faults";
    case SHARD_OTHER_INVARIANTS: return "of a search for other violations";
    case SHARD_OTHER_SEED: return "of another seed";
    case SHARD_OTHER_SAMPLES: return "of another number of samples";
    case SHARD_OK: break;
    }
    return "good";
}

/* --- sets of sample numbers ---------------------------------------------------------------------------- */

uint64_t shard_set_size(const struct shard_set *set)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < set->n; i++)
        size += set->row[i].to - set->row[i].from;
    return size;
}

/* Behind all that it has, or touching or overlapping the last of it. False: no memory. */
bool shard_set_append(struct shard_set *set, struct shard_range range)
{
    struct shard_range *last = set->n > 0 ? &set->row[set->n - 1] : NULL;
    if (range.from == range.to)
        return true;
    if (last != NULL && range.from <= last->to) {
        last->to = last->to > range.to ? last->to : range.to;
        return true;
    }
    if (set->n == set->max) {
        uint32_t room = set->max == 0 ? 8 : 2 * set->max;
        struct shard_range *grown = realloc(set->row, room * sizeof *grown);
        if (grown == NULL)
            return false;
        set->row = grown;
        set->max = room;
    }
    set->row[set->n++] = range;
    return true;
}

/* False: no memory, and *out is empty. */
static bool set_union(const struct shard_set *a, const struct shard_set *b, struct shard_set *out)
{
    bool good = true;
    *out = (struct shard_set){0};
    for (uint32_t i = 0, k = 0; good && (i < a->n || k < b->n);) {
        bool first = k == b->n || (i < a->n && a->row[i].from <= b->row[k].from);
        good = shard_set_append(out, first ? a->row[i++] : b->row[k++]);
    }
    if (!good) {
        free(out->row);
        *out = (struct shard_set){0};
    }
    return good;
}

bool shard_set_holds(const struct shard_set *set, struct shard_range range)
{
    for (uint32_t i = 0; i < set->n; i++)
        if (set->row[i].from <= range.from && range.to <= set->row[i].to)
            return true;
    return false;
}

/* --- life --------------------------------------------------------------------------------------------------- */

void shard_finding_free(struct shard_finding *f)
{
    free(f->invariant);
    free(f->node);
    free(f->lines);
    *f = (struct shard_finding){0};
}

void shard_free(struct shard *r)
{
    for (uint32_t i = 0; i < r->n_findings; i++)
        shard_finding_free(&r->findings[i]);
    free(r->title);
    free(r->case_name);
    free(r->played.row);
    free(r->endless.row);
    free(r->findings);
    *r = (struct shard){0};
}

void shards_free(struct shards *f)
{
    for (uint32_t i = 0; i < f->n; i++)
        shard_free(&f->row[i]);
    free(f->row);
    *f = (struct shards){0};
}

/* NUL-terminated; NULL: no memory. */
char *shard_copy(const char *bytes, size_t n)
{
    char *c = malloc(n + 1);
    if (c == NULL)
        return NULL;
    memcpy(c, bytes, n);
    c[n] = '\0';
    return c;
}

static char *copy_text(const char *text) { return shard_copy(text, strlen(text)); }

/* With %HH for what would end a line, or, in a word, the word. */
static char *escaped(const char *text, bool word)
{
    char *out = malloc(3 * strlen(text) + 1);
    size_t n = 0;
    for (; out != NULL && *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        bool plain = c > 32 && c != 127 && c != '%';
        if (plain || (c == ' ' && !word)) {
            out[n++] = (char)c;
        } else {
            out[n++] = '%';
            out[n++] = "0123456789ABCDEF"[c >> 4];
            out[n++] = "0123456789ABCDEF"[c & 15];
        }
    }
    if (out != NULL)
        out[n] = '\0';
    return out;
}

/* --- which samples -------------------------------------------------------------------------------------------- */

/* Digits up to `stop`; 0: something else, or too large. */
static uint32_t digits(const char **at, char stop)
{
    uint32_t v = 0;
    if (**at == '0')
        return 0;
    for (; **at >= '0' && **at <= '9' && v <= SHARDS_MAX; (*at)++)
        v = v * 10 + (uint32_t)(**at - '0');
    return **at == stop && v <= SHARDS_MAX ? v : 0;
}

bool shard_parse(const char *text, uint32_t *i, uint32_t *n)
{
    *i = digits(&text, '/');
    *n = *i == 0 ? 0 : (text++, digits(&text, '\0'));
    return *i > 0 && *i <= *n;
}

/* i * samples / n, rounded down, without a product that overflows. */
static uint64_t part(uint32_t i, uint32_t n, uint64_t samples) { return i * (samples / n) + i * (samples % n) / n; }

struct shard_range shard_samples(uint32_t i, uint32_t n, uint64_t samples)
{
    ASSERT(i > 0 && i <= n && n <= SHARDS_MAX);
    return (struct shard_range){part(i - 1, n, samples), part(i, n, samples)};
}

void shard_options(struct shard_range range, struct search_options *o)
{
    o->arms = 1u << ARM_SWARM;
    o->schedules = range.to - range.from;
    o->first_swarm = range.from;
    o->note_all = true;
}

/* --- making a record ------------------------------------------------------------------------------------------ */

enum shard_result shard_begin(struct shard *r, const struct search *s, const char *title, uint64_t scenario,
                              uint64_t samples)
{
    ASSERT(s->o.arms == 1u << ARM_SWARM && s->o.note_all);
    *r = (struct shard){.scenario = scenario,
                        .key = s->sp->key,
                        .wanted = s->o.wanted,
                        .seed = s->o.seed,
                        .samples = samples,
                        .title = escaped(title, false),
                        .case_name = escaped(s->sp->c.name, false)};
    if (r->title != NULL && r->case_name != NULL)
        return SHARD_OK;
    shard_free(r);
    return SHARD_NO_MEMORY;
}

int shard_by_culprit(const struct shard_finding *a, const struct shard_finding *b)
{
    int order = strcmp(a->invariant, b->invariant);
    return order != 0 ? order : strcmp(a->node, b->node);
}

static int by_step(const struct step *a, const struct step *b)
{
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->fault != b->fault)
        return a->fault < b->fault ? -1 : 1;
    return a->at == b->at ? 0 : a->at < b->at ? -1 : 1;
}

/* Whether a is kept rather than b, of one culprit. One sample finds one thing; the rest of the order is for files that
 * contradict each other, so that it does not matter which comes first. */
static int by_sample(const struct shard_finding *a, const struct shard_finding *b)
{
    if (a->sample != b->sample)
        return a->sample < b->sample ? -1 : 1;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->schedule.n != b->schedule.n)
        return a->schedule.n < b->schedule.n ? -1 : 1;
    int order = 0;
    for (uint32_t i = 0; i < a->schedule.n && order == 0; i++)
        order = by_step(&a->schedule.row[i], &b->schedule.row[i]);
    return order != 0 ? order : strcmp(a->lines, b->lines);
}

static bool finding_room(struct shard *r)
{
    if (r->n_findings < r->findings_max)
        return true;
    uint32_t room = r->findings_max == 0 ? 8 : 2 * r->findings_max;
    struct shard_finding *grown = realloc(r->findings, room * sizeof *grown);
    if (grown == NULL)
        return false;
    r->findings = grown;
    r->findings_max = room;
    return true;
}

/* Takes it over, into its place. False: no memory, and it is freed. */
bool shard_put_finding(struct shard *r, struct shard_finding *f)
{
    uint32_t i = 0;
    while (i < r->n_findings && shard_by_culprit(&r->findings[i], f) < 0)
        i++;
    bool there = i < r->n_findings && shard_by_culprit(&r->findings[i], f) == 0;
    bool room = there || finding_room(r);
    if (!room || (there && by_sample(&r->findings[i], f) <= 0)) {
        shard_finding_free(f);
        return room;
    }
    if (there)
        shard_finding_free(&r->findings[i]);
    else
        memmove(&r->findings[i + 1], &r->findings[i], (r->n_findings++ - i) * sizeof *f);
    r->findings[i] = *f;
    return true;
}

static char *invariant_of(const struct space *sp, struct culprit c)
{
    char name[96];
    if (c.invariant < INVARIANTS)
        return copy_text(culprit_name(sp, c));
    (void)snprintf(name, sizeof name, "%s:%u", culprit_name(sp, c),
                   (unsigned)sp->c.expectations[c.invariant - INVARIANTS].line);
    return copy_text(name);
}

static char *lines_of(struct player *p, const struct schedule *schedule)
{
    struct found_lines found;
    struct lines text = {0};
    bool good = found_lines(p, schedule, &found);
    for (uint32_t i = 0; good && i < found.n; i++) {
        lines_word(&text, found.line[i]);
        lines_line(&text);
    }
    char *out = good && !text.failed ? shard_copy(text.n > 0 ? text.bytes : "", text.n) : NULL;
    found_free(&found);
    lines_free(&text);
    return out;
}

enum shard_result shard_found(struct shard *r, struct search *s, const struct discovery *d)
{
    const struct space *sp = s->sp;
    struct shard_finding f = {.sample = d->number, .at = d->at, .schedule = d->schedule};
    for (uint32_t i = 0; i < f.schedule.n; i++)
        f.schedule.row[i].fault -= sp->own;
    f.invariant = invariant_of(sp, d->culprit);
    f.node = d->culprit.node == NONE16 ? copy_text("-") : escaped(sp->c.sim.names->text[d->culprit.node], true);
    f.lines = lines_of(s->player, &d->schedule);
    if (f.invariant != NULL && f.node != NULL && f.lines != NULL)
        return shard_put_finding(r, &f) && keep_known(s, d, 1) ? SHARD_OK : SHARD_NO_MEMORY;
    shard_finding_free(&f);
    return SHARD_NO_MEMORY;
}

enum shard_result shard_end(struct shard *r, const struct search *s)
{
    uint64_t from = s->o.first_swarm;
    bool good = shard_set_append(&r->played, (struct shard_range){from, from + s->played});
    for (uint32_t i = 0; good && i < s->n_endless; i++)
        good = shard_set_append(&r->endless, (struct shard_range){s->endless[i], s->endless[i] + 1});
    for (uint32_t i = 0; i < s->n_reached; i++)
        r->reached[s->reached[i] / 8] |= (uint8_t)(1u << s->reached[i] % 8);
    return good ? SHARD_OK : SHARD_NO_MEMORY;
}

enum shard_result shard_play(struct shard *r, struct search *s, bool (*stopped)(void), enum round_end *end)
{
    do {
        *end = search_round(s);
        if (*end == ROUND_FOUND && shard_found(r, s, &s->finding) != SHARD_OK)
            return SHARD_NO_MEMORY;
    } while ((*end == ROUND_MORE || *end == ROUND_FOUND) && (stopped == NULL || !stopped()));
    return shard_end(r, s);
}

/* --- merging --------------------------------------------------------------------------------------------------- */

/* Whether two records are parts of the same search: of one scenario at least, and of one case if it is the same. */
static enum shard_result fit(const struct shard *a, const struct shard *b)
{
    if (a->scenario != b->scenario || strcmp(a->title, b->title) != 0)
        return SHARD_OTHER_SCENARIO;
    if (a->seed != b->seed)
        return SHARD_OTHER_SEED;
    if (a->samples != b->samples)
        return SHARD_OTHER_SAMPLES;
    if (strcmp(a->case_name, b->case_name) != 0)
        return SHARD_OK;
    if (a->key != b->key)
        return SHARD_OTHER_MENU;
    return a->wanted == b->wanted ? SHARD_OK : SHARD_OTHER_INVARIANTS;
}

static bool copy_finding(const struct shard_finding *from, struct shard_finding *out)
{
    *out = *from;
    out->invariant = copy_text(from->invariant);
    out->node = copy_text(from->node);
    out->lines = copy_text(from->lines);
    if (out->invariant != NULL && out->node != NULL && out->lines != NULL)
        return true;
    shard_finding_free(out);
    return false;
}

static bool put_findings(struct shard *out, const struct shard *from)
{
    struct shard_finding f;
    for (uint32_t i = 0; i < from->n_findings; i++)
        if (!copy_finding(&from->findings[i], &f) || !shard_put_finding(out, &f))
            return false;
    return true;
}

/* The union in a record of its own. False: no memory, and *out is empty. */
static bool unite(const struct shard *a, const struct shard *b, struct shard *out)
{
    *out = (struct shard){.scenario = a->scenario,
                          .key = a->key,
                          .wanted = a->wanted,
                          .seed = a->seed,
                          .samples = a->samples,
                          .title = copy_text(a->title),
                          .case_name = copy_text(a->case_name)};
    for (size_t i = 0; i < sizeof out->reached; i++)
        out->reached[i] = a->reached[i] | b->reached[i];
    if (out->title != NULL && out->case_name != NULL && set_union(&a->played, &b->played, &out->played) &&
        set_union(&a->endless, &b->endless, &out->endless) && put_findings(out, a) && put_findings(out, b))
        return true;
    shard_free(out);
    return false;
}

static bool shard_room(struct shards *f)
{
    if (f->n < f->max)
        return true;
    uint32_t room = f->max == 0 ? 4 : 2 * f->max;
    struct shard *grown = realloc(f->row, room * sizeof *grown);
    if (grown == NULL)
        return false;
    f->row = grown;
    f->max = room;
    return true;
}

enum shard_result shards_add(struct shards *f, struct shard *r)
{
    uint32_t i = 0;
    while (i < f->n && strcmp(f->row[i].case_name, r->case_name) < 0)
        i++;
    bool there = i < f->n && strcmp(f->row[i].case_name, r->case_name) == 0;
    enum shard_result result = f->n == 0 ? SHARD_OK : fit(&f->row[there ? i : 0], r);
    struct shard both;
    if (result != SHARD_OK)
        return result;
    if (there ? !unite(&f->row[i], r, &both) : !shard_room(f))
        return SHARD_NO_MEMORY;
    if (there) {
        shard_free(&f->row[i]);
        shard_free(r);
        f->row[i] = both;
        return SHARD_OK;
    }
    memmove(&f->row[i + 1], &f->row[i], (f->n++ - i) * sizeof *f->row);
    f->row[i] = *r;
    *r = (struct shard){0};
    return SHARD_OK;
}

enum shard_result shards_merge(struct shards *into, const struct shards *from)
{
    enum shard_result result = SHARD_OK;
    for (uint32_t i = 0; i < from->n && result == SHARD_OK; i++) {
        struct shard one;
        if (!unite(&from->row[i], &from->row[i], &one))
            return SHARD_NO_MEMORY;
        result = shards_add(into, &one);
        shard_free(&one);
    }
    return result;
}

/* --- what may be said --------------------------------------------------------------------------------------------- */

/* The rule of three: 1 - 0.05^(1/n) is less than 3 / n for every n. Of n up to 3 that says nothing. */
size_t shard_statement(const struct shard *r, char *out, size_t size)
{
    uint64_t played = shard_set_size(&r->played), endless = shard_set_size(&r->endless), n = played - endless;
    char beside[64] = "";
    if (endless > 0)
        (void)snprintf(beside, sizeof beside, " (and %" PRIu64 " that came to no end)", endless);
    const char *many = n == 1 ? "" : "s";
    int length;
    if (r->n_findings > 0)
        length = snprintf(out, size, "%" PRIu64 " independent schedule%s%s: it breaks", n, many, beside);
    else if (n <= 3)
        length = snprintf(out, size, "%" PRIu64 " independent schedule%s%s, none broke it: too few to say more", n,
                          many, beside);
    else
        length = snprintf(out, size,
                          "%" PRIu64 " independent schedules%s, none broke it: with 95 %% confidence fewer than 3 in "
                          "%" PRIu64 " do",
                          n, beside, n);
    return length < 0 ? 0 : (size_t)length;
}
