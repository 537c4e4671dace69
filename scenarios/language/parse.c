/* SPDX-License-Identifier: MIT
 *
 * parse.c - taking words, numbers, durations and texts off a statement.
 *
 * A take_ function moves on when it finds what it wants, and complains and stays when it does not.
 * Once a statement is bad nothing more is said about it; whoever loops asks for c->bad.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/language/compile.h"

/* --- complaints -------------------------------------------------------------------------------- */

void complain(struct compile *c, const struct token *at, const char *format, ...)
{
    char text[sizeof((struct diag *)0)->text];
    if (c->bad)
        return;
    c->bad = true;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    diag_add(c->diags, token_place(at), "%s", text);
}

static void token_describe(const struct token *t, char *out, size_t size)
{
    if (t->kind == T_END)
        snprintf(out, size, "the end of the line");
    else if (t->kind == T_STRING)
        snprintf(out, size, "a text");
    else
        snprintf(out, size, "'%.40s'", t->text);
}

void complain_expected(struct compile *c, const char *what)
{
    char found[64];
    token_describe(c->t, found, sizeof found);
    complain(c, c->t, "expected %s, found %s", what, found);
}

void complain_unknown(struct compile *c, const struct token *at, const char *what, const char *const *words, uint32_t n)
{
    if (c->bad)
        return;
    c->bad = true;
    diag_unknown(c->diags, token_place(at), what, at->text, words, n);
}

/* --- statements -------------------------------------------------------------------------------- */

bool line_seen(struct compile *c, const struct line *line)
{
    if (line->n == 0 || line->bad || !line_kept(c->s, line, c->case_index, c->removed))
        return false;
    if (c->checks != NULL)
        c->checks->seen[line - c->s->src.lines.row] = 1;
    return true;
}

bool line_is_block(const struct compile *c, const struct line *line)
{
    return line_token(c->s, line, line->n - 1)->kind == T_COLON;
}

/* The line's tokens and those of the kept lines below it, as one statement. */
static const struct token *join_lines(struct compile *c, const struct line *line, const struct token *start)
{
    LIST(struct token) joined = {0};
    for (const struct token *t = start; t->kind != T_END; t++)
        *LIST_ADD(c->arena, &joined) = *t;
    const struct token *end = line_token(c->s, line, line->n);
    const struct line *lines = c->s->src.lines.row;
    for (uint32_t i = (uint32_t)(line - lines) + 1; i < line->end;) {
        if (!line_seen(c, &lines[i])) {
            i = lines[i].n == 0 ? i + 1 : lines[i].end;
            continue;
        }
        for (const struct token *t = line_start(c->s, &lines[i]); t->kind != T_END; t++)
            *LIST_ADD(c->arena, &joined) = *t;
        end = line_token(c->s, &lines[i], lines[i].n);
        i++;
    }
    *LIST_ADD(c->arena, &joined) = *end;
    return c->arena->failed ? end : joined.row;
}

const struct token *statement_tokens(struct compile *c, const struct line *line)
{
    const struct token *start = line_start(c->s, line);
    uint32_t index = (uint32_t)(line - c->s->src.lines.row);
    return line->end > index + 1 && !line_is_block(c, line) ? join_lines(c, line, start) : start;
}

void statement_begin(struct compile *c, const struct line *line)
{
    c->line = line;
    c->bad = false;
    c->t = statement_tokens(c, line);
}

void statements_below(struct compile *c, const struct line *line, line_take take, void *above)
{
    const struct line *lines = c->s->src.lines.row;
    for (uint32_t i = (uint32_t)(line - lines) + 1; i < line->end; i = lines[i].n == 0 ? i + 1 : lines[i].end) {
        if (!line_seen(c, &lines[i]))
            continue;
        statement_begin(c, &lines[i]);
        take(c, above);
    }
}

/* A step begins its statement, or stands behind a ':'. The header of a program is none. */
static void visit_line(struct compile *c, const struct line *line, step_visit visit, void *context)
{
    const struct token *start = statement_tokens(c, line);
    for (const struct token *t = start; t->kind != T_END; t++)
        if (t->kind == T_WORD && (t == start ? !line_is_program(c, line) : t[-1].kind == T_COLON))
            visit(c, t, context);
}

void visit_steps(struct compile *c, uint32_t from, uint32_t to, step_visit visit, void *context)
{
    const struct line *lines = c->s->src.lines.row;
    for (uint32_t i = from; i < to;) {
        bool kept = lines[i].n > 0 && line_kept(c->s, &lines[i], c->case_index, c->removed);
        if (kept)
            visit_line(c, &lines[i], visit, context);
        i = lines[i].n == 0 || (kept && line_is_block(c, &lines[i])) ? i + 1 : lines[i].end;
    }
}

/* `"TEXT" if` where a line begins: it was meant for a question. */
static bool complain_of_choice(struct compile *c)
{
    if (c->t->kind != T_STRING || !token_is(&c->t[1], "if"))
        return false;
    complain(c, c->t, "a choice stands indented below its question, as in ask at 5s \"Which?\"");
    return true;
}

void statement_end(struct compile *c)
{
    if (c->bad || c->t->kind == T_END || (c->t->line != c->line->number && complain_of_choice(c)))
        return;
    complain_expected(c, "the end of the line");
}

void dispatch_word(struct compile *c, const struct dispatch *rows, uint32_t n, const char *what)
{
    const char *words[64];
    uint32_t known = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!token_is(c->t, rows[i].name))
            continue;
        if (!rows[i].built)
            complain(c, c->t, "'%s' is not in this version yet", rows[i].name);
        else
            rows[i].run(c);
        return;
    }
    for (uint32_t i = 0; i < n && known < 64; i++)
        if (rows[i].built)
            words[known++] = rows[i].name;
    if (c->t->kind == T_WORD)
        complain_unknown(c, c->t, what, words, known);
    else if (!complain_of_choice(c))
        complain_expected(c, what);
}

/* --- words --------------------------------------------------------------------------------------- */

bool at_word(const struct compile *c, const char *word) { return !c->bad && token_is(c->t, word); }

bool take_word(struct compile *c, const char *word)
{
    if (!at_word(c, word))
        return false;
    c->t++;
    return true;
}

void need_word(struct compile *c, const char *word)
{
    char what[80];
    if (take_word(c, word) || c->bad)
        return;
    snprintf(what, sizeof what, "'%s'", word);
    const char *near = nearest_word(c->t->text, strlen(c->t->text), &word, 1);
    if (c->t->kind == T_WORD && near != NULL)
        complain(c, c->t, "unknown word '%.40s'; did you mean '%s'?", c->t->text, word);
    else
        complain_expected(c, what);
}

bool take_symbol(struct compile *c, enum token_kind kind)
{
    if (c->bad || c->t->kind != kind)
        return false;
    c->t++;
    return true;
}

void need_symbol(struct compile *c, enum token_kind kind)
{
    char what[8];
    if (take_symbol(c, kind) || c->bad)
        return;
    snprintf(what, sizeof what, "'%s'", token_symbol(kind));
    complain_expected(c, what);
}

const struct token *take_name(struct compile *c, const char *what)
{
    if (!c->bad && c->t->kind == T_WORD)
        return c->t++;
    complain_expected(c, what);
    return line_token(c->s, c->line, c->line->n);
}

/* --- literals ------------------------------------------------------------------------------------ */

const struct token *peek_literal(struct compile *c)
{
    uint8_t kind = c->t->kind;
    if (kind == T_NUMBER || kind == T_DURATION || kind == T_PPM || kind == T_STRING)
        return c->t;
    if (kind != T_WORD)
        return NULL;
    uint32_t index = symbol_find(c, c->t->text);
    if (index == NONE32 || !(symbol_at(c, index)->kinds & SYM_PARAM))
        return NULL;
    name_used(c, c->t->text);
    return &symbol_at(c, index)->value;
}

/* The literal of that kind at c->t, behind which c->t then stands; NULL and a problem. */
static const struct token *take_literal(struct compile *c, enum token_kind kind, const char *what)
{
    const struct token *t = c->bad ? NULL : peek_literal(c);
    if (t != NULL && t->kind == kind) {
        c->t++;
        return t;
    }
    if (!c->bad && c->t->kind == T_WORD && c->t->text[0] >= '0' && c->t->text[0] <= '9')
        complain(c, c->t, "expected %s, found '%.40s'; the units are h m s ms us ns", what, c->t->text);
    else
        complain_expected(c, what);
    return NULL;
}

const char *take_text(struct compile *c)
{
    const struct token *t = take_literal(c, T_STRING, "a text in double quotes");
    return t == NULL ? "" : t->text;
}

int64_t take_count(struct compile *c, int64_t least, int64_t most, const char *what)
{
    const struct token *at = c->t, *t = take_literal(c, T_NUMBER, what);
    if (t == NULL)
        return least;
    if (t->value < least || t->value > most)
        complain(c, at, "expected %s from %lld to %lld", what, (long long)least, (long long)most);
    return t->value;
}

ns take_duration(struct compile *c, ns least)
{
    const struct token *at = c->t, *t = take_literal(c, T_DURATION, "a duration, as in 10s");
    if (t == NULL)
        return least;
    if (t->value < least)
        complain(c, at, least > 0 ? "this has to be longer than 0s" : "this cannot be less than 0s");
    return t->value;
}

/* The sign that stands right before the next literal: 1 or -1. */
static int64_t take_sign(struct compile *c)
{
    if (c->bad || (c->t->kind != T_MINUS && c->t->kind != T_PLUS))
        return 1;
    if (!c->t->glued) {
        complain(c, c->t, "the sign stands right before its number, as in %s3s", c->t->text);
        return 1;
    }
    return c->t++->kind == T_MINUS ? -1 : 1;
}

ns take_signed_duration(struct compile *c)
{
    int64_t sign = take_sign(c);
    const struct token *t = take_literal(c, T_DURATION, "a duration, as in +3s or -1h");
    return t == NULL ? 0 : sign * t->value;
}

int64_t take_ppb(struct compile *c)
{
    int64_t sign = take_sign(c);
    const struct token *t = take_literal(c, T_PPM, "a rate, as in +200ppm");
    return t == NULL ? 0 : sign * t->value;
}

void take_range(struct compile *c, ns *from, ns *to)
{
    const struct token *at = c->t;
    *from = *to = take_duration(c, 0);
    if (take_symbol(c, T_DOTS))
        *to = take_duration(c, 0);
    if (!c->bad && *to < *from)
        complain(c, at, "this range ends before it begins");
}
