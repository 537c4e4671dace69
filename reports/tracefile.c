/* SPDX-License-Identifier: MIT
 *
 * tracefile.c - see tracefile.h. Two passes: the first counts the tests, so that sets have their size.
 */
#include "reports/tracefile.h"

#include "reports/text.h"

#include <stdlib.h>
#include <string.h>

/* --- lines of the file --------------------------------------------------------------------------------------- */

struct reading {
    struct tracefile *f;
    const char *at, *end;
    uint32_t number;  /* of the line */
    const char *line; /* not NUL-terminated */
    size_t n;
    uint32_t test, source; /* what the lines are about; NONE32: none yet */
    bool open;             /* a record has begun, and not ended */
    const char **expected;
};

static bool next_line(struct reading *r)
{
    if (r->at == r->end)
        return false;
    const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->line = r->at;
    r->n = (size_t)((newline == NULL ? r->end : newline) - r->at);
    r->at = newline == NULL ? r->end : newline + 1;
    r->number++;
    return true;
}

/* What stands behind a key; NULL: it is another line. */
static const char *value(const struct reading *r, const char *key, size_t *n)
{
    size_t length = strlen(key);
    if (r->n < length || memcmp(r->line, key, length) != 0)
        return NULL;
    *n = r->n - length;
    return r->line + length;
}

/* A number at *at, which moves on behind it. False: there is none, or it is too large. */
static bool number(const char **at, const char *end, uint64_t most, uint64_t *out)
{
    const char *from = *at;
    *out = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; (*at)++) {
        *out = *out * 10 + (uint64_t)(**at - '0');
        if (*out > most)
            return false;
    }
    return *at > from;
}

/* --- names ------------------------------------------------------------------------------------------------------- */

static bool is_name(const char *name, const char *bytes, size_t n)
{
    return strlen(name) == n && memcmp(name, bytes, n) == 0;
}

/* The test of this name, a new one where none has it; NONE32: no memory. Tests come in order, so the last is the likely
 * one. */
static uint32_t test_named(struct tracefile *f, const char *name, size_t n)
{
    for (uint32_t i = f->n_tests; i > 0; i--)
        if (is_name(f->test[i - 1], name, n))
            return i - 1;
    if (f->n_tests == f->tests_max) {
        uint32_t more = f->tests_max == 0 ? 64 : 2 * f->tests_max;
        char **test = realloc(f->test, more * sizeof *test);
        if (test == NULL)
            return NONE32;
        f->test = test;
        f->tests_max = more;
    }
    f->test[f->n_tests] = text_copied(name, n);
    return f->test[f->n_tests] == NULL ? NONE32 : f->n_tests++;
}

static uint32_t source_named(struct tracefile *f, const char *path, size_t n)
{
    for (uint32_t i = 0; i < f->n_sources; i++)
        if (is_name(f->source[i].path, path, n))
            return i;
    if (f->n_sources == f->sources_max) {
        uint32_t more = f->sources_max == 0 ? 64 : 2 * f->sources_max;
        struct tracefile_source *source = realloc(f->source, more * sizeof *source);
        if (source == NULL)
            return NONE32;
        f->source = source;
        f->sources_max = more;
    }
    f->source[f->n_sources] = (struct tracefile_source){.path = text_copied(path, n)};
    return f->source[f->n_sources].path == NULL ? NONE32 : f->n_sources++;
}

/* --- sets -------------------------------------------------------------------------------------------------------- */

static bool make_room(const struct tracefile *f, struct tracefile_source *s, uint32_t line)
{
    if (line < s->room)
        return true;
    uint32_t room = s->room == 0 ? 256 : s->room;
    while (room <= line)
        room *= 2;
    uint64_t *tests = realloc(s->tests, (size_t)room * f->words * sizeof *tests);
    s->tests = tests != NULL ? tests : s->tests;
    uint8_t *has_code = realloc(s->has_code, room);
    s->has_code = has_code != NULL ? has_code : s->has_code;
    if (tests == NULL || has_code == NULL)
        return false;
    memset(tests + (size_t)s->room * f->words, 0, (size_t)(room - s->room) * f->words * sizeof *tests);
    memset(has_code + s->room, 0, room - s->room);
    s->room = room;
    return true;
}

static uint32_t read_count(struct reading *r, const char *at, size_t n)
{
    const char *end = at + n;
    uint64_t line, times;
    *r->expected = "DA:LINE,COUNT, behind TN and SF";
    if (r->test == NONE32 || r->source == NONE32 || !number(&at, end, TRACEFILE_LINE_MAX, &line) || line == 0 ||
        at == end || *at++ != ',' || !number(&at, end, UINT64_MAX / 20, &times))
        return r->number;
    struct tracefile_source *s = &r->f->source[r->source];
    if (!make_room(r->f, s, (uint32_t)line))
        return NONE32;
    s->has_code[line] = 1;
    s->lines = line > s->lines ? (uint32_t)line : s->lines;
    if (times > 0)
        s->tests[line * r->f->words + r->test / 64] |= UINT64_C(1) << r->test % 64;
    return 0;
}

static uint32_t read_line(struct reading *r, bool counting)
{
    size_t n;
    const char *at = value(r, "TN:", &n);
    if (at != NULL) {
        r->test = test_named(r->f, at, n);
        return r->test == NONE32 ? NONE32 : 0;
    }
    at = value(r, "SF:", &n);
    r->open = (r->open || at != NULL) && value(r, "end_of_record", &n) == NULL;
    if (at != NULL && !counting) {
        r->source = source_named(r->f, at, n);
        return r->source == NONE32 ? NONE32 : 0;
    }
    at = value(r, "DA:", &n);
    return at != NULL && !counting ? read_count(r, at, n) : 0;
}

uint32_t tracefile_read(struct tracefile *f, const char *bytes, size_t n, const char **expected)
{
    *expected = "";
    for (int pass = 0; pass < 2; pass++) {
        struct reading r = {
            .f = f, .at = bytes, .end = bytes + n, .test = NONE32, .source = NONE32, .expected = expected};
        while (next_line(&r)) {
            uint32_t wrong = read_line(&r, pass == 0);
            if (wrong != 0)
                return wrong;
        }
        if (pass > 0 && r.open) { /* a part would be told as the whole */
            *expected = "end_of_record behind the last line";
            return r.number;
        }
        f->words = f->n_tests / 64 + 1;
    }
    return 0;
}

void tracefile_free(struct tracefile *f)
{
    for (uint32_t i = 0; i < f->n_sources; i++) {
        free(f->source[i].path);
        free(f->source[i].tests);
        free(f->source[i].has_code);
    }
    for (uint32_t i = 0; i < f->n_tests; i++)
        free(f->test[i]);
    free(f->source);
    free(f->test);
    *f = (struct tracefile){0};
}

bool tracefile_runs(const struct tracefile *f, uint32_t source, uint32_t line, uint32_t test)
{
    ASSERT(source < f->n_sources && line <= f->source[source].lines && test < f->n_tests);
    return f->source[source].tests[line * f->words + test / 64] >> test % 64 & 1;
}

uint32_t tracefile_count(const struct tracefile *f, uint32_t source, uint32_t line)
{
    uint32_t n = 0;
    for (uint32_t test = 0; test < f->n_tests; test++)
        n += tracefile_runs(f, source, line, test);
    return n;
}
