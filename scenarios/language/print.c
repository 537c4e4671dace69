/* SPDX-License-Identifier: MIT
 *
 * print.c - the canonical form: the file's own lines, in their order, evenly spaced.
 *
 * Two spaces a depth; one space between words, none around '.', '/' and '..'; durations in their
 * simplest form; one blank line at most; comments kept. It walks tokens and knows no word, so there is
 * nothing in the language that it could forget.
 */
#include "scenarios/language/print.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/language/compile.h"

void out_bytes(struct out *o, const char *text, size_t n)
{
    if (o->failed)
        return;
    if (o->n + n + 1 > o->size) {
        size_t size = (o->n + n + 1) * 2;
        char *grown = realloc(o->text, size);
        if (grown == NULL) {
            o->failed = true;
            return;
        }
        o->text = grown;
        o->size = size;
    }
    memcpy(o->text + o->n, text, n);
    o->n += n;
    o->text[o->n] = '\0';
}

void out_text(struct out *o, const char *text) { out_bytes(o, text, strlen(text)); }

static void out_string(struct out *o, const char *text)
{
    out_text(o, "\"");
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            out_text(o, "\\");
        out_bytes(o, text, 1);
    }
    out_text(o, "\"");
}

void out_token(struct out *o, const struct token *t)
{
    char duration[48];
    if (t->kind == T_STRING) {
        out_string(o, t->text);
    } else if (t->kind == T_DURATION) {
        duration_format(t->value, duration, sizeof duration);
        out_text(o, duration);
    } else {
        out_text(o, t->text);
    }
}

static bool glues_left(uint8_t kind)
{
    return kind == T_COLON || kind == T_COMMA || kind == T_DOT || kind == T_DOTS || kind == T_SLASH ||
           kind == T_CLOSE || kind == T_RPAREN || kind == T_END;
}

static bool glues_right(uint8_t kind)
{
    return kind == T_DOT || kind == T_DOTS || kind == T_SLASH || kind == T_OPEN || kind == T_LPAREN;
}

static bool is_sign(const struct token *t) { return (t->kind == T_MINUS || t->kind == T_PLUS) && t->glued; }

void out_tokens(struct out *o, const struct token *from, const struct token *to)
{
    for (const struct token *t = from; t < to; t++) {
        out_token(o, t);
        if (t + 1 < to && !glues_right(t->kind) && !glues_left(t[1].kind) && !is_sign(t))
            out_text(o, " ");
    }
}

const char *tokens_text(struct arena *a, const struct token *from, const struct token *to)
{
    struct out o = {0};
    out_tokens(&o, from, to);
    const char *text = arena_text(a, o.text == NULL ? "" : o.text, o.n);
    a->failed |= o.failed;
    free(o.text);
    return text;
}

static void out_line(struct out *o, const struct scenario *s, const struct line *line)
{
    if (line->blank_before)
        out_text(o, "\n");
    for (uint32_t i = 0; i < line->depth; i++)
        out_text(o, "  ");
    const struct token *first = line_token(s, line, 0);
    if (line->n > 0)
        out_tokens(o, first, first + line->n);
    if (line->n > 0 && line->comment != NULL)
        out_text(o, "  ");
    if (line->comment != NULL)
        out_text(o, line->comment);
    out_text(o, "\n");
}

char *scenario_print(const struct scenario *s, size_t *length)
{
    struct out o = {0};
    out_bytes(&o, "", 0);
    for (uint32_t i = 0; i < s->src.lines.n; i++)
        out_line(&o, s, &s->src.lines.row[i]);
    *length = o.n;
    if (!o.failed)
        return o.text;
    free(o.text);
    return NULL;
}
