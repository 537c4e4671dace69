/* SPDX-License-Identifier: MIT
 *
 * found.c - a finding as a file of its own: the lines that one case keeps, and what was found.
 *
 * What is left out leaves names behind that nothing uses any more, which would be errors. So the file is written,
 * read, and written again without them, until it reads well; each round leaves something out, so there is an end.
 * Lines are written roughly: the last reading prints them in canonical form.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/language/compile.h"
#include "scenarios/language/print.h"

struct writer {
    const struct scenario *s;
    const struct finding *f;
    const struct compiled *c; /* the case with its gates turned */
    uint32_t case_index;
    uint32_t removed; /* gates */
    bool guards;      /* those by gates stay */
    struct arena arena;
    LIST(const char *) readers; /* lines that read columns: see read_column() */
    uint8_t *dropped;           /* by index of lines */
    uint8_t *gone;              /* by index of tokens */
    bool failed;                /* there is no such file */
    struct out out;
    uint32_t number;         /* of the line of `out` that comes next, from 1 */
    LIST(uint32_t) comes_of; /* by number - 1: the index of the file's line, NONE32: it is a new one */
    bool blank;              /* one is due before the next line */
};

/* --- which lines --------------------------------------------------------------------------------------- */

/* Where what is below the line ends: comments in front of the next line, at the depth of this one, are not below it. */
static uint32_t block_end(const struct scenario *s, uint32_t line)
{
    const struct line *lines = s->src.lines.row;
    uint32_t end = lines[line].end > line ? lines[line].end : line + 1;
    while (end > line + 1 && lines[end - 1].n == 0 && lines[end - 1].depth <= lines[line].depth)
        end--;
    return end;
}

static void drop(struct writer *g, uint32_t line)
{
    uint32_t end = block_end(g->s, line);
    for (uint32_t i = line; i < end; i++)
        g->dropped[i] = 1;
}

static void drop_number(struct writer *g, uint32_t number)
{
    for (uint32_t i = 0; i < g->s->src.lines.n; i++)
        if (g->s->src.lines.row[i].number == number)
            drop(g, i);
}

/* What is known of one pair of brackets for this case alone. */
enum guard { GUARD_TRUE, GUARD_FALSE, GUARD_OF_GATES };

/* *t: at '['; then behind ']'. */
static enum guard guard_read(const struct writer *g, const struct token **t)
{
    bool gates = false, own = false, holds = false, minus = false;
    for (++*t; (*t)->kind != T_CLOSE; ++*t) {
        if ((*t)->kind == T_WORD) {
            int64_t value = (*t)->value;
            own |= value > 0 && value - 1 == (int64_t)g->case_index;
            gates |= value < 0;
            holds |= value < 0 && (g->removed >> (-1 - value) & 1) == minus;
        }
        minus = (*t)->kind == T_MINUS;
    }
    ++*t;
    if (own || (holds && !g->guards))
        return GUARD_TRUE;
    return gates && g->guards ? GUARD_OF_GATES : GUARD_FALSE;
}

static bool guards_allow(const struct writer *g, const struct line *line)
{
    const struct token *t = line_token(g->s, line, 0);
    while (t->kind == T_OPEN)
        if (guard_read(g, &t) == GUARD_FALSE)
            return false;
    return true;
}

/* The index of the line `scenario ...`; NONE32: there is none. */
static uint32_t title_of(const struct scenario *s)
{
    for (uint32_t i = 0; i < s->src.lines.n; i++) {
        const struct line *line = &s->src.lines.row[i];
        if (line->n > 0 && line->depth == 0 && token_is(line_token(s, line, 0), "scenario"))
            return i;
    }
    return NONE32;
}

/* What a finding has no use for; the case's own line is written anew. */
static bool is_left_out(const struct writer *g, uint32_t index)
{
    const struct line *line = &g->s->src.lines.row[index];
    const struct token *t = line_start(g->s, line);
    uint32_t title = title_of(g->s);
    if (line->depth > 0)
        return (token_is(t, "decided-by") || token_is(t, "reach")) && title != NONE32 && index > title &&
               index < g->s->src.lines.row[title].end;
    if (t[1].kind == T_COLON || t[1].kind == T_COMMA || t[1].kind == T_DOT || t[1].kind == T_DOTS)
        return false; /* a program, whatever it is called */
    if (token_is(t, "case"))
        return g->s->cases.row[g->case_index].line != index;
    return token_is(t, "ask") || (line_expects(t) && !token_is(t, "always")) ||
           (token_is(t, "until") && g->f->until > 0);
}

/* A comment that stands right above a line goes with it. */
static void drop_comments(struct writer *g)
{
    const struct line *lines = g->s->src.lines.row;
    for (uint32_t i = g->s->src.lines.n; i-- > 1;)
        if (lines[i - 1].n == 0 && !lines[i].blank_before && g->dropped[i])
            g->dropped[i - 1] = 1;
}

static void choose_lines(struct writer *g)
{
    const struct line *lines = g->s->src.lines.row;
    for (uint32_t i = 0; i < g->s->src.lines.n; i++)
        if (lines[i].n > 0 && (!guards_allow(g, &lines[i]) || is_left_out(g, i)))
            drop(g, i);
    for (uint32_t i = 0; i < g->f->n_dropped; i++)
        drop_number(g, g->f->dropped[i]);
}

/* Lines beside programs that a turned gate made inert do nothing; a step that it spoiled is not to be said. */
static void drop_inert(struct writer *g)
{
    for (uint32_t k = 0; k < g->c->n_inert; k++)
        for (uint32_t i = 0; i < g->s->src.lines.n; i++) {
            const struct line *line = &g->s->src.lines.row[i];
            if (line->number != g->c->inert[k])
                continue;
            g->failed |= line->depth > 0 || !is_top_word(line_start(g->s, line)->text);
            drop(g, i);
        }
}

/* --- writing --------------------------------------------------------------------------------------------- */

/* The end of a line, which came of this one of the file. */
static void end_line(struct writer *g, uint32_t index)
{
    out_text(&g->out, "\n");
    *LIST_ADD(&g->arena, &g->comes_of) = index;
    g->number++;
}

static void begin_line(struct writer *g, uint32_t depth)
{
    if (g->blank && g->number > 1)
        end_line(g, NONE32);
    g->blank = false;
    for (uint32_t i = 0; i < depth; i++)
        out_text(&g->out, "  ");
}

static void write_new(struct writer *g, const char *start, const char *rest)
{
    begin_line(g, 0);
    out_text(&g->out, start);
    out_text(&g->out, rest);
    end_line(g, NONE32);
}

static void write_guard(struct writer *g, const struct token *t)
{
    const char *before = "[";
    bool minus = false;
    for (t++; t->kind != T_CLOSE; t++) {
        if (t->kind == T_WORD && t->value < 0) {
            out_text(&g->out, before);
            out_text(&g->out, minus ? "-" : "");
            out_text(&g->out, t->text);
            before = " ";
        }
        minus = t->kind == T_MINUS;
    }
    out_text(&g->out, "] ");
}

static void write_guards(struct writer *g, const struct line *line)
{
    const struct token *t = line_token(g->s, line, 0);
    while (t->kind == T_OPEN) {
        const struct token *open = t;
        if (guard_read(g, &t) == GUARD_OF_GATES)
            write_guard(g, open);
    }
}

static void write_tokens(struct writer *g, const struct line *line)
{
    LIST(struct token) kept = {0};
    for (const struct token *t = line_start(g->s, line); t->kind != T_END; t++)
        if (!g->gone[t - g->s->src.tokens.row])
            *LIST_ADD(&g->arena, &kept) = *t;
    if (!g->arena.failed && kept.n > 0)
        out_tokens(&g->out, kept.row, kept.row + kept.n);
}

static const struct token *setting_of(const struct scenario *s, const char *name)
{
    const struct token *found = NULL;
    for (uint32_t i = 0; i < s->setting_values.n; i++)
        if (strcmp(s->settings[i].name, name) == 0)
            found = &s->setting_values.row[i];
    return found;
}

/* `param NAME = VALUE`, with the value that was set. */
static bool write_param(struct writer *g, const struct line *line)
{
    const struct token *t = line_start(g->s, line);
    const struct token *set = line->depth == 0 && token_is(t, "param") ? setting_of(g->s, t[1].text) : NULL;
    if (set == NULL || t[2].kind != T_EQ)
        return false;
    struct token value = *set;
    out_tokens(&g->out, t, t + 3);
    out_text(&g->out, value.value < 0 ? " -" : " ");
    value.value = value.value < 0 ? -value.value : value.value;
    out_token(&g->out, &value);
    return true;
}

static void write_gates(struct writer *g)
{
    const char *before = " without ";
    for (uint32_t gate = 0; gate < GATES; gate++) {
        if (!(g->removed >> gate & 1))
            continue;
        out_text(&g->out, before);
        out_text(&g->out, gate_table[gate].name);
        before = " ";
    }
}

static void write_options(struct writer *g, const struct case_row *row)
{
    const char *option = "", *value = "", *before = " with ";
    for (uint32_t i = 0; case_option(row, g->removed, i, &option, &value); i++) {
        out_text(&g->out, before);
        out_text(&g->out, option);
        out_text(&g->out, " ");
        out_text(&g->out, value);
        before = " ";
    }
    if (row->progress == 0)
        return;
    struct token progress = {.kind = T_DURATION, .value = row->progress};
    out_text(&g->out, before);
    out_text(&g->out, "progress ");
    out_token(&g->out, &progress);
}

static void write_until(struct writer *g)
{
    struct token until = {.kind = T_DURATION, .value = g->f->until};
    if (g->f->until <= 0)
        return;
    g->blank = true;
    begin_line(g, 0);
    out_text(&g->out, "until ");
    out_token(&g->out, &until);
    end_line(g, NONE32);
    g->blank = true;
}

static void write_case(struct writer *g)
{
    const struct case_row *row = &g->s->cases.row[g->case_index];
    out_text(&g->out, "case ");
    out_text(&g->out, row->name);
    write_gates(g);
    write_options(g, row);
    out_text(&g->out, " ");
    out_text(&g->out, g->f->claim);
}

static void write_line(struct writer *g, uint32_t index)
{
    const struct line *line = &g->s->src.lines.row[index];
    bool is_case = g->s->cases.row[g->case_index].line == index;
    begin_line(g, line->depth);
    if (is_case) {
        write_case(g);
    } else if (line->n > 0) {
        write_guards(g, line);
        if (!write_param(g, line))
            write_tokens(g, line);
    }
    if (line->comment != NULL) {
        out_text(&g->out, line->n > 0 ? "  " : "");
        out_text(&g->out, line->comment);
    }
    end_line(g, index);
    if (is_case)
        write_until(g);
}

static void write_notes(struct writer *g)
{
    g->blank |= g->f->n_notes > 0;
    for (uint32_t i = 0; i < g->f->n_notes; i++)
        write_new(g, g->f->notes[i][0] == '\0' ? "#" : "# ", g->f->notes[i]);
    g->blank |= g->f->n_notes > 0;
}

static void write_block(struct writer *g, const char *const *lines, uint32_t n)
{
    g->blank |= n > 0;
    for (uint32_t i = 0; i < n; i++)
        write_new(g, lines[i], "");
}

/* Behind which line the notes stand: the last below the title, or the version. */
static uint32_t notes_place(const struct scenario *s)
{
    uint32_t title = title_of(s);
    return title == NONE32 ? 0 : block_end(s, title) - 1;
}

static void write_all(struct writer *g)
{
    uint32_t notes = notes_place(g->s);
    drop_comments(g);
    g->out.n = 0;
    g->number = 1;
    g->comes_of.n = 0;
    g->blank = false;
    for (uint32_t i = 0; i < g->s->src.lines.n; i++) {
        g->blank |= g->s->src.lines.row[i].blank_before != 0;
        if (!g->dropped[i] && !line_notes_finding(g->s, i))
            write_line(g, i);
        if (i == notes)
            write_notes(g);
    }
    write_block(g, g->readers.row, g->readers.n);
    write_block(g, g->f->lines, g->f->n_lines);
}

/* --- what nothing uses any more ----------------------------------------------------------------------------- */

static void take_out(struct writer *g, const struct token *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        g->gone[from + i - g->s->src.tokens.row] = 1;
}

/* One of several names on the line goes alone. */
static void leave_node(struct writer *g, uint32_t index, const char *name)
{
    const struct token *t = line_start(g->s, &g->s->src.lines.row[index]) + 1, *at = NULL;
    uint32_t others = 0;
    for (; t->kind == T_WORD && !token_is(t, "wall") && !token_is(t, "drift") && !token_is(t, "identity"); t++) {
        bool here = strcmp(t->text, name) == 0;
        at = here ? t : at;
        others += !here && !g->gone[t - g->s->src.tokens.row];
        g->failed |= t[1].kind == T_DOTS; /* w1..w9 stays whole */
    }
    if (at == NULL)
        g->failed = true;
    else if (others > 0)
        take_out(g, at, 1);
    else
        drop(g, index);
}

/* `as x` goes, and the whole of `let x = ...`. */
static void leave_variable(struct writer *g, uint32_t index, const char *name)
{
    const struct token *start = line_start(g->s, &g->s->src.lines.row[index]), *t = start;
    while (t->kind != T_END && !(token_is(t, "as") && token_is(&t[1], name)))
        t++;
    if (t->kind != T_END)
        take_out(g, t, 2);
    else if (token_is(start, "let") && token_is(&start[1], name))
        drop(g, index);
    else
        g->failed = true;
}

/* A column that only expectations read: what it is set to stands in the trace, so it stays, and a line that is always
 * true reads it. */
static void read_column(struct writer *g, const struct unused *u)
{
    const struct model_plan *m = &g->c->model;
    const struct names *names = g->c->sim.names;
    char line[4 * NAME_BYTES_MAX + 256];
    for (uint32_t t = 0; t < m->n_tables; t++) {
        if (strcmp(names->text[m->tables[t].name], u->of) != 0 || m->tables[t].rows == 0)
            continue;
        const char *row = names->text[m->rows[m->tables[t].first_row].name];
        int n = snprintf(line, sizeof line, "always: expect %s.%s = none or %s.%s != none", row, u->name, row, u->name);
        if (n > 0 && (size_t)n < sizeof line) {
            *LIST_ADD(&g->arena, &g->readers) = arena_text(&g->arena, line, (size_t)n);
            return;
        }
    }
    g->failed = true;
}

static void leave_out(struct writer *g, const struct unused *u)
{
    uint32_t number = u->place.line;
    bool column = strcmp(u->what, "column") == 0;
    uint32_t index = number == 0 || number > g->comes_of.n ? NONE32 : g->comes_of.row[number - 1];
    if (column)
        read_column(g, u);
    else if (index == NONE32)
        g->failed = true;
    else if (strcmp(u->what, "node") == 0)
        leave_node(g, index, u->name);
    else if (strcmp(u->what, "variable") == 0)
        leave_variable(g, index, u->name);
    else
        drop(g, index);
}

/* --- rounds ----------------------------------------------------------------------------------------------------- */

/* What was written, read; NULL: it does not read. */
static struct scenario *read_back(struct writer *g)
{
    struct diags d;
    write_all(g);
    if (g->out.failed || g->arena.failed)
        return NULL;
    return scenario_read_loosely(g->out.text, g->out.n, &d);
}

/* The file as it reads without a problem; NULL: there is none. No round leaves out less than one token. */
static struct scenario *settle(struct writer *g)
{
    for (uint32_t round = 0; round <= g->s->src.tokens.n; round++) {
        struct scenario *s = read_back(g);
        if (s == NULL || s->unused.n == 0)
            return s;
        for (uint32_t i = 0; i < s->unused.n && !g->failed; i++)
            leave_out(g, &s->unused.row[i]);
        scenario_free(s);
        if (g->failed)
            return NULL;
    }
    return NULL;
}

static char *print_found(struct writer *g, size_t *length)
{
    g->dropped = arena_alloc(&g->arena, g->s->src.lines.n + 1);
    g->gone = arena_alloc(&g->arena, g->s->src.tokens.n + 1);
    if (g->dropped == NULL || g->gone == NULL)
        return NULL;
    choose_lines(g);
    drop_inert(g);
    struct scenario *s = g->failed ? NULL : settle(g);
    char *text = s == NULL ? NULL : scenario_print(s, length);
    scenario_free(s);
    return text;
}

char *scenario_print_found(const struct scenario *s, uint32_t case_index, const struct finding *f, size_t *length)
{
    ASSERT(case_index < s->cases.n);
    struct diags d;
    struct compiled *c = scenario_compile(s, case_index, f->without, f->put_back, &d);
    char *text = NULL;
    *length = 0;
    for (int guards = 1; guards >= 0 && c != NULL && text == NULL; guards--) {
        struct writer g = {
            .s = s, .f = f, .c = c, .case_index = case_index, .removed = c->model.removed, .guards = guards};
        text = print_found(&g, length);
        free(g.out.text);
        arena_free(&g.arena);
    }
    compiled_free(c);
    return text;
}
