/* SPDX-License-Identifier: MIT
 *
 * lesson.c - a file to be mended by changing one line, and what somebody made of it.
 *
 *     case happened without store-token violates no-stale-write
 *     case yours    without store-token violates no-stale-write until mended
 *
 * A file has one such case, and one line to change for it: the one that stands for that case alone, as in `[yours] ping
 * wal`, or, where none does, the case's own. What is asked and expected of the case alone is no line to change: it says
 * what is true once the case is mended.
 *
 * So whoever grades a file need not guess what was meant: every other line is to be as it was given. Lines are compared
 * by their tokens, in order. An added line, or one that is missing, shows as the first line that differs.
 */
#include "scenarios/language/tree.h"

bool line_expects(const struct token *t)
{
    for (; t->kind != T_END; t++)
        if (t->kind == T_COLON && token_is(&t[1], "expect"))
            return true;
    return false;
}

/* --- the line to change ---------------------------------------------------------------------------------------- */

/* [NAME] and nothing else in brackets. */
static bool stands_for_it_alone(const struct scenario *s, const struct line *line)
{
    const struct token *t = line_token(s, line, 0);
    return line->n > 3 && t[0].kind == T_OPEN && t[1].kind == T_WORD && t[1].value == 1 + (int64_t)s->to_mend &&
           t[2].kind == T_CLOSE && t[3].kind != T_OPEN;
}

/* A question, one of its choices, or an expectation. */
static bool is_of_the_class(const struct token *t)
{
    return t->kind == T_STRING || token_is(t, "ask") || line_expects(t);
}

static void find_change(struct scenario *s, struct diags *d)
{
    const struct line *lines = s->src.lines.row;
    s->change = s->cases.row[s->to_mend].line;
    for (uint32_t i = 0; i < s->src.lines.n; i++) {
        if (lines[i].n == 0 || lines[i].bad || !stands_for_it_alone(s, &lines[i]))
            continue;
        const struct token *t = line_start(s, &lines[i]);
        if (is_of_the_class(t))
            continue;
        if (s->change != s->cases.row[s->to_mend].line)
            diag_add(d, token_place(line_token(s, &lines[i], 0)),
                     "one line stands for '%.60s' alone, the one to change, and that is line %u",
                     s->cases.row[s->to_mend].name, lines[s->change].number);
        else
            s->change = i;
    }
}

void tree_read_lesson(struct scenario *s, struct diags *d)
{
    for (uint32_t i = 0; i < s->cases.n; i++) {
        if (!s->cases.row[i].to_mend)
            continue;
        if (s->to_mend >= 0)
            diag_add(d, token_place(line_token(s, &s->src.lines.row[s->cases.row[i].line], 0)),
                     "one case of a file is to be mended, and that is '%.60s'", s->cases.row[s->to_mend].name);
        else
            s->to_mend = (int32_t)i;
    }
    if (s->to_mend >= 0)
        find_change(s, d);
}

uint32_t scenario_change(const struct scenario *s) { return s->to_mend < 0 ? 0 : s->src.lines.row[s->change].number; }

/* --- what a student sees first ------------------------------------------------------------------------------------ */

/* Whether a line of this depth hides it, and what stands below it. */
static bool hides(const struct scenario *s, const struct line *line)
{
    const struct token *t = line_start(s, line);
    if (line->depth == 0)
        return token_is(t, "case") || token_is(t, "ask") || line_expects(t);
    return token_is(t, "lesson") || token_is(t, "decided-by") || token_is(t, "reach");
}

bool scenario_line_tells(const struct scenario *s, uint32_t number)
{
    const struct line *lines = s->src.lines.row, *top = NULL;
    for (uint32_t i = 0; i < s->src.lines.n && lines[i].number <= number; i++) {
        if (lines[i].n > 0 && lines[i].depth == 0)
            top = &lines[i];
        if (lines[i].number != number || lines[i].n == 0)
            continue;
        bool in_title = top != NULL && token_is(line_token(s, top, 0), "scenario");
        return !(top != NULL && hides(s, top)) && !(in_title && hides(s, &lines[i]));
    }
    return true;
}

/* --- what somebody made of it ------------------------------------------------------------------------------------ */

/* The next line with tokens, from index i. */
static uint32_t next_line(const struct scenario *s, uint32_t i)
{
    while (i < s->src.lines.n && s->src.lines.row[i].n == 0)
        i++;
    return i;
}

/* A sign that is glued to what it stands before says something else: `1 -1` is two values. */
static bool same_token(const struct token *a, const struct token *b)
{
    bool sign = a->kind == T_MINUS || a->kind == T_PLUS;
    return a->kind == b->kind && strcmp(a->text, b->text) == 0 && (!sign || a->glued == b->glued);
}

/* The first n tokens of two lines. */
static bool same_tokens(const struct token *a, const struct token *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!same_token(&a[i], &b[i]))
            return false;
    return true;
}

static bool same_line(const struct scenario *given, const struct line *a, const struct scenario *other,
                      const struct line *b)
{
    return a->depth == b->depth && a->n == b->n && same_tokens(line_token(given, a, 0), line_token(other, b, 0), a->n);
}

/* Whether the line may stand in the place of the line to change: at its depth, and a case keeps its name. What stands
 * in brackets before it may change, too: that reaches other cases, and their runs tell it. */
static bool may_replace(const struct scenario *given, const struct line *a, const struct scenario *other,
                        const struct line *b)
{
    uint32_t n = given->change == given->cases.row[given->to_mend].line ? 2 : 0;
    return a->depth == b->depth && b->n > n && same_tokens(line_token(given, a, 0), line_token(other, b, 0), n);
}

struct lesson_difference lesson_compare(const struct scenario *given, const struct scenario *handed_in)
{
    struct lesson_difference out = {false, 0, 0};
    ASSERT(given->to_mend >= 0);
    uint32_t i = 0, k = 0;
    for (;; i++, k++) {
        i = next_line(given, i);
        k = next_line(handed_in, k);
        const struct line *a = i < given->src.lines.n ? &given->src.lines.row[i] : NULL;
        const struct line *b = k < handed_in->src.lines.n ? &handed_in->src.lines.row[k] : NULL;
        if (a == NULL && b == NULL)
            return out;
        bool same = a != NULL && b != NULL && same_line(given, a, handed_in, b);
        if (!same && i == given->change && b != NULL && may_replace(given, a, handed_in, b)) {
            out.changed = true;
        } else if (!same) {
            out.given = a == NULL ? 0 : a->number;
            out.handed_in = b == NULL ? 0 : b->number;
            return out;
        }
    }
}
