/* SPDX-License-Identifier: MIT
 *
 * scenario.c - the door to the language: see scenario.h.
 *
 * Reading a file compiles each of its cases once, for the checks; what a name or a line is worth is
 * decided over all of them.
 */
#include "scenarios/language/scenario.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/language/compile.h"

/* --- one case --------------------------------------------------------------------------------------- */

/* Names that records use whatever a scenario says: known before any line is read. */
static void intern_fixed(struct compile *c)
{
    static const char *const words[] = {
        "net",    "unsynced", "everything", "none",   "ask",     "grant",    "turn",      "queued",   "refusal",
        "renew",  "extended", "release",    "freed",  "read",    "value",    "write",     "written",  "delete",
        "fence",  "ping",     "pong",       "vote",   "claim",   "job",      "heartbeat", "complete", "finished",
        "fail",   "returned", "enqueue",    "added",  "reap",    "list",     "verdict",   "requeue",  "update",
        "insert", "changed",  "row",        "failed", "expired", "operator", "enqueued"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        name_of(c, words[i]);
    for (uint32_t e = 0; e < ERRORS; e++)
        name_of(c, error_table[e].name);
    uint32_t net = symbol_make(c, "net");
    if (net != NONE32)
        symbol_at(c, net)->kinds = SYM_NET;
}

void compile_what_exists(struct compile *c)
{
    c->sync_ns = NS_PER_MS;
    c->link_default = (struct link_plan){.delay_min = NS_PER_MS, .delay_max = NS_PER_MS};
    intern_fixed(c);
    declare_params(c);
    declare_all(c);
    if (c->broken || c->arena->failed)
        return;
    layout_programs(c);
    layout_all(c);
    compile_programs(c);
}

static void compile_all(struct compile *c)
{
    compile_what_exists(c);
    if (c->broken || c->arena->failed)
        return;
    compile_top(c);
    compile_case_line(c);
    finish_plan(c);
}

static struct compiled *compile_case(const struct scenario *s, uint32_t i, uint32_t removed, struct checks *checks,
                                     struct diags *diags)
{
    struct arena *arena = calloc(1, sizeof *arena);
    struct compile *c = arena == NULL ? NULL : arena_alloc(arena, sizeof *c);
    struct compiled *out = c == NULL ? NULL : arena_alloc(arena, sizeof *out);
    if (out == NULL) {
        if (arena != NULL)
            arena_free(arena);
        free(arena);
        diags->no_memory = true;
        return NULL;
    }
    const struct case_row *row = &s->cases.row[i];
    *out = (struct compiled){.name = row->name, .line = s->src.lines.row[row->line].number, .arena = arena};
    c->s = s;
    c->case_index = i;
    c->removed = removed;
    c->diags = diags;
    c->checks = checks;
    c->is_variant = checks == NULL && removed != row->removed;
    c->arena = arena;
    c->out = out;
    compile_all(c);
    if (!arena->failed && diags->total == 0)
        return out;
    diags->no_memory |= arena->failed;
    compiled_free(out);
    return NULL;
}

struct compiled *scenario_compile(const struct scenario *s, uint32_t i, uint32_t without, uint32_t put_back,
                                  struct diags *diags)
{
    ASSERT(i < s->cases.n);
    *diags = (struct diags){0};
    uint32_t removed = (s->cases.row[i].removed & ~put_back) | without;
    struct compiled *out = compile_case(s, i, removed, NULL, diags);
    explain_variant(s, i, removed, diags);
    explain_revisions(s, diags);
    diag_sort(diags);
    return out;
}

void compiled_free(struct compiled *c)
{
    if (c == NULL)
        return;
    struct arena *arena = c->arena;
    arena_free(arena);
    free(arena);
}

/* --- all cases ------------------------------------------------------------------------------------------ */

static void check_case(const struct scenario *s, uint32_t i, uint32_t removed, struct checks *checks, struct diags *d)
{
    struct compiled *out = compile_case(s, i, removed, checks, d);
    compiled_free(out);
}

/* A line that no case keeps may be one for `--without`: it is checked with its gates turned. */
static void check_turned(const struct scenario *s, struct checks *checks, struct diags *d)
{
    uint32_t gates = 0;
    for (uint32_t i = 0; i < s->src.lines.n; i++) {
        const struct line *line = &s->src.lines.row[i];
        if (line->n == 0 || checks->seen[i])
            continue;
        for (const struct token *t = line_token(s, line, 0); t < line_start(s, line); t++)
            for (uint32_t g = 0; g < GATES; g++)
                if (token_is(t, gate_table[g].name))
                    gates |= UINT32_C(1) << g;
    }
    for (uint32_t g = 0; g < GATES && d->total == 0; g++)
        if (gates >> g & 1)
            check_case(s, 0, s->cases.row[0].removed ^ (UINT32_C(1) << g), checks, d);
}

static void check_unused(struct scenario *s, const struct checks *checks, struct diags *d)
{
    for (uint32_t i = 0; i < checks->used.n; i++) {
        if (checks->declared.row[i].line == 0 || checks->used.row[i])
            continue;
        const char *text = checks->names.text.row[i], *colon = strchr(text, ':');
        struct unused unused = {checks->declared.row[i], checks->what.row[i], colon == NULL ? text : colon + 1,
                                arena_text(&s->arena, text, colon == NULL ? 0 : (size_t)(colon - text))};
        if (s->lists_unused)
            *LIST_ADD(&s->arena, &s->unused) = unused;
        else
            diag_add(d, unused.place, "%s '%.60s' is never used", unused.what, unused.name);
    }
}

static void check_all(struct scenario *s, struct diags *d)
{
    struct checks checks = {.arena = &s->arena};
    checks.seen = arena_alloc(&s->arena, s->src.lines.n + 1);
    if (checks.seen == NULL)
        return;
    /* Past the tenth problem the next case would only find, and count, the same again. */
    for (uint32_t i = 0; i < s->cases.n && !d->no_memory && d->total <= DIAGS_MAX; i++)
        check_case(s, i, s->cases.row[i].removed, &checks, d);
    if (d->total == 0 && !d->no_memory)
        check_turned(s, &checks, d);
    if (d->total == 0 && !d->no_memory)
        check_ask_times(&checks, d);
    if (d->total == 0 && !d->no_memory)
        check_unused(s, &checks, d);
}

/* --- the door ---------------------------------------------------------------------------------------------- */

static void read_all(struct scenario *s, const char *text, size_t length, struct diags *d)
{
    source_read(&s->src, &s->arena, text, length, d);
    if (s->arena.failed || (d->total > 0 && s->src.lines.n == 0))
        return;
    tree_read_header(s, d);
    tree_read_lesson(s, d);
    check_settings(s, d);
    if (s->cases.n > 0 && !s->arena.failed)
        check_all(s, d);
}

static void copy_settings(struct scenario *s, const struct setting *settings, uint32_t n)
{
    struct setting *copy = arena_alloc(&s->arena, (n + 1) * sizeof *copy);
    for (uint32_t i = 0; copy != NULL && i < n; i++) {
        copy[i].name = arena_text(&s->arena, settings[i].name, strlen(settings[i].name));
        copy[i].value = arena_text(&s->arena, settings[i].value, strlen(settings[i].value));
    }
    s->settings = copy;
    s->n_settings = copy == NULL ? 0 : n;
}

static struct scenario *scenario_read(const char *text, size_t length, const char *file, const struct setting *settings,
                                      uint32_t n_settings, bool lists_unused, struct diags *diags)
{
    *diags = (struct diags){0};
    struct scenario *s = calloc(1, sizeof *s);
    if (s == NULL) {
        diags->no_memory = true;
        return NULL;
    }
    s->file = arena_text(&s->arena, file, strlen(file));
    s->decided_by = -1;
    s->to_mend = -1;
    s->change = NONE32;
    s->lists_unused = lists_unused;
    copy_settings(s, settings, n_settings);
    read_all(s, text, length, diags);
    diags->no_memory |= s->arena.failed;
    diag_sort(diags);
    if (diags->total == 0 && !diags->no_memory)
        return s;
    scenario_free(s);
    return NULL;
}

struct scenario *scenario_parse(const char *text, size_t length, const char *file, const struct setting *settings,
                                uint32_t n_settings, struct diags *diags)
{
    return scenario_read(text, length, file, settings, n_settings, false, diags);
}

struct scenario *scenario_read_loosely(const char *text, size_t length, struct diags *diags)
{
    return scenario_read(text, length, "", NULL, 0, true, diags);
}

void scenario_free(struct scenario *s)
{
    if (s == NULL)
        return;
    arena_free(&s->arena);
    free(s);
}

const char *scenario_title(const struct scenario *s) { return s->title == NULL ? "" : s->title; }
const char *scenario_source(const struct scenario *s) { return s->cites; }
const char *scenario_lesson(const struct scenario *s) { return s->lesson; }
int32_t scenario_decided_by(const struct scenario *s) { return s->decided_by; }

const char *scenario_reach(const struct scenario *s) { return s->reach_cell; }
const char *scenario_reach_words(const struct scenario *s) { return s->reach_words; }
int32_t scenario_to_mend(const struct scenario *s) { return s->to_mend; }

bool scenario_asks(const struct scenario *s)
{
    for (uint32_t i = 0; i < s->src.lines.n; i++) {
        const struct line *line = &s->src.lines.row[i];
        const struct token *t = line->n > 0 && line->depth == 0 ? line_start(s, line) : NULL;
        if (t != NULL && token_is(t, "ask") && token_is(&t[1], "at"))
            return true;
    }
    return false;
}

uint32_t scenario_cases(const struct scenario *s) { return s->cases.n; }

const char *scenario_case_name(const struct scenario *s, uint32_t i)
{
    ASSERT(i < s->cases.n);
    return s->cases.row[i].name;
}

int32_t scenario_case_find(const struct scenario *s, const char *name)
{
    for (uint32_t i = 0; i < s->cases.n; i++)
        if (strcmp(s->cases.row[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}

const char *scenario_line(const struct scenario *s, uint32_t line, size_t *length)
{
    *length = 0;
    if (line == 0 || line > s->src.starts.n)
        return "";
    uint32_t from = s->src.starts.row[line - 1];
    size_t end = line < s->src.starts.n ? s->src.starts.row[line] : s->src.length;
    while (end > from && (s->src.text[end - 1] == '\n' || s->src.text[end - 1] == '\r'))
        end--;
    *length = end - from;
    return s->src.text + from;
}
