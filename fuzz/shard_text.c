/* SPDX-License-Identifier: MIT
 *
 * shard_text.c - records of shards as text; see shard.h.
 *
 * What is read is what could have been written, or it is not read: sets in order, findings in order and of samples that
 * were played, so that records that were read merge as those that were played do.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz/shard_part.h"

#define SHARD_WORD "fencepost-shard"
#define STATES_LINES 32
#define STATES_DIGITS (ABSTRACT_SLOTS / 4 / STATES_LINES)
_Static_assert(STATES_DIGITS == 64, "as shard.h says");

/* --- writing ---------------------------------------------------------------------------------------------------- */

static void say_text(struct lines *out, const char *word, const char *text)
{
    lines_word(out, word);
    lines_rest(out, text);
    lines_line(out);
}

static void say_hash(struct lines *out, const char *word, uint64_t v)
{
    lines_word(out, word);
    lines_hash(out, v);
    lines_line(out);
}

static void say_u64(struct lines *out, const char *word, uint64_t v)
{
    lines_word(out, word);
    lines_u64(out, v);
    lines_line(out);
}

static void say_set(struct lines *out, const char *word, const struct shard_set *set)
{
    for (uint32_t i = 0; i < set->n; i++) {
        lines_word(out, word);
        lines_u64(out, set->row[i].from);
        lines_u64(out, set->row[i].to);
        lines_line(out);
    }
}

static void say_states(struct lines *out, const uint8_t *reached)
{
    char row[STATES_DIGITS + 1] = "";
    for (uint32_t line = 0; line < STATES_LINES; line++) {
        for (uint32_t i = 0; i < STATES_DIGITS; i++) {
            uint32_t digit = line * STATES_DIGITS + i;
            row[i] = "0123456789abcdef"[reached[digit / 2] >> 4 * (digit & 1) & 15];
        }
        say_text(out, "states", row);
    }
}

static void say_finding(struct lines *out, const struct shard_finding *f)
{
    lines_word(out, "finding");
    lines_word(out, f->invariant);
    lines_word(out, f->node);
    lines_u64(out, f->sample);
    lines_u64(out, (uint64_t)f->at);
    lines_schedule(out, 0, &f->schedule);
    for (const char *line = f->lines; *line != '\0'; line = strchr(line, '\n') + 1) {
        lines_word(out, "line");
        lines_bytes(out, line, (size_t)(strchr(line, '\n') - line));
        lines_line(out);
    }
}

void shards_print(const struct shards *f, struct lines *out)
{
    for (uint32_t i = 0; i < f->n; i++) {
        const struct shard *r = &f->row[i];
        say_u64(out, SHARD_WORD, SHARD_VERSION);
        say_text(out, "title", r->title);
        say_text(out, "case", r->case_name);
        say_hash(out, "scenario", r->scenario);
        say_hash(out, "key", r->key);
        say_hash(out, "wanted", r->wanted);
        say_u64(out, "seed", r->seed);
        say_u64(out, "samples", r->samples);
        say_set(out, "range", &r->played);
        say_set(out, "endless", &r->endless);
        say_states(out, r->reached);
        for (uint32_t k = 0; k < r->n_findings; k++)
            say_finding(out, &r->findings[k]);
        lines_end(out);
    }
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

struct loading {
    struct reading r;
    bool no_memory;
};

/* NULL: bad, or no memory. */
static char *take_copy(struct loading *l, const char *bytes, size_t n)
{
    l->r.bad |= memchr(bytes, '\0', n) != NULL;
    char *out = l->r.bad ? NULL : shard_copy(bytes, n);
    l->no_memory |= out == NULL && !l->r.bad;
    return out;
}

static char *load_text(struct loading *l, const char *word)
{
    size_t n;
    reading_line(&l->r, word);
    const char *rest = reading_rest(&l->r, &n);
    return take_copy(l, rest, n);
}

static char *load_word(struct loading *l)
{
    size_t n;
    const char *word = reading_word(&l->r, &n);
    return take_copy(l, word, n);
}

static uint64_t load_hash(struct loading *l, const char *word)
{
    reading_line(&l->r, word);
    uint64_t v = reading_hash(&l->r);
    reading_line_over(&l->r);
    return v;
}

static uint64_t load_u64(struct loading *l, const char *word)
{
    reading_line(&l->r, word);
    uint64_t v = reading_u64(&l->r, UINT64_MAX);
    reading_line_over(&l->r);
    return v;
}

/* Every range behind the one before it and touching it not, within `most` and, where that is not NULL, `within`. */
static void load_set(struct loading *l, const char *word, uint64_t most, const struct shard_set *within,
                     struct shard_set *out)
{
    while (reading_next_is(&l->r, word) && !l->no_memory) {
        reading_line(&l->r, word);
        struct shard_range range = {reading_u64(&l->r, most), 0};
        range.to = reading_u64(&l->r, most);
        reading_line_over(&l->r);
        l->r.bad |= range.from >= range.to || (out->n > 0 && range.from <= out->row[out->n - 1].to);
        l->r.bad |= within != NULL && !shard_set_holds(within, range);
        l->no_memory |= !l->r.bad && !shard_set_append(out, range);
    }
}

static void load_states(struct loading *l, uint8_t *reached)
{
    for (uint32_t line = 0; line < STATES_LINES && !l->r.bad; line++) {
        size_t n;
        reading_line(&l->r, "states");
        const char *row = reading_rest(&l->r, &n);
        l->r.bad |= n != STATES_DIGITS;
        for (uint32_t i = 0; i < STATES_DIGITS && !l->r.bad; i++) {
            const char *all = "0123456789abcdef", *place = memchr(all, row[i], 16);
            uint32_t digit = line * STATES_DIGITS + i;
            l->r.bad |= place == NULL;
            if (place != NULL)
                reached[digit / 2] |= (uint8_t)((place - all) << 4 * (digit & 1));
        }
    }
}

static char *load_lines(struct loading *l)
{
    struct lines text = {0};
    while (reading_next_is(&l->r, "line")) {
        size_t n;
        reading_line(&l->r, "line");
        const char *rest = reading_rest(&l->r, &n);
        lines_bytes(&text, rest, n);
        lines_line(&text);
    }
    char *out = text.failed ? NULL : take_copy(l, text.n > 0 ? text.bytes : "", text.n);
    l->no_memory |= text.failed;
    lines_free(&text);
    return out;
}

static void load_findings(struct loading *l, struct shard *r)
{
    while (reading_next_is(&l->r, "finding") && !l->no_memory) {
        struct shard_finding f = {0};
        reading_line(&l->r, "finding");
        f.invariant = load_word(l);
        f.node = load_word(l);
        f.sample = reading_u64(&l->r, UINT64_MAX - 1);
        f.at = (ns)reading_u64(&l->r, (uint64_t)NS_MAX);
        reading_schedule(&l->r, 0, OFFERS_MAX, &f.schedule);
        l->r.bad |= !shard_set_holds(&r->played, (struct shard_range){f.sample, f.sample + 1});
        l->r.bad |= !l->r.bad && !l->no_memory && r->n_findings > 0 &&
                    shard_by_culprit(&r->findings[r->n_findings - 1], &f) >= 0;
        f.lines = load_lines(l);
        if (l->r.bad || l->no_memory)
            shard_finding_free(&f);
        else
            l->no_memory |= !shard_put_finding(r, &f);
    }
}

static void load_record(struct loading *l, struct shard *r)
{
    r->title = load_text(l, "title");
    r->case_name = load_text(l, "case");
    r->scenario = load_hash(l, "scenario");
    r->key = load_hash(l, "key");
    r->wanted = load_hash(l, "wanted");
    r->seed = load_u64(l, "seed");
    r->samples = load_u64(l, "samples");
    load_set(l, "range", r->samples, NULL, &r->played);
    load_set(l, "endless", r->samples, &r->played, &r->endless);
    load_states(l, r->reached);
    load_findings(l, r);
}

/* One record, behind those of f. */
static enum shard_result load_one(struct loading *l, struct shards *f)
{
    struct shard r = {0};
    const char *from = reading_next(&l->r);
    uint64_t version = load_u64(l, SHARD_WORD);
    if (!l->r.bad && version != SHARD_VERSION)
        return SHARD_OTHER_VERSION;
    load_record(l, &r);
    if (!l->no_memory)
        reading_end(&l->r, from);
    bool bad = l->r.bad || l->no_memory;
    l->r.bad |= !bad && f->n > 0 && strcmp(f->row[f->n - 1].case_name, r.case_name) >= 0;
    enum shard_result result = l->no_memory ? SHARD_NO_MEMORY : l->r.bad ? SHARD_DAMAGED : shards_add(f, &r);
    shard_free(&r);
    return result;
}

enum shard_result shards_read(const char *bytes, size_t n, struct shards *f, uint32_t *line)
{
    struct loading l = {.r = reading_begin(bytes, n)};
    *f = (struct shards){0};
    enum shard_result result = reading_next_is(&l.r, SHARD_WORD) ? SHARD_OK : SHARD_FOREIGN;
    while (result == SHARD_OK && reading_next(&l.r) < l.r.end)
        result = load_one(&l, f);
    *line = l.r.line > 0 ? l.r.line : 1;
    if (result != SHARD_OK)
        shards_free(f);
    return result;
}
