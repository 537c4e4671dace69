/* SPDX-License-Identifier: MIT
 *
 * problem.c - see problem.h. A source line may be ten megabytes long and hold any bytes: at most
 * SHOWN of it around the column are printed, what is no character, or a control character, as '?'.
 */
#include "reports/problem.h"

#include <string.h>

#define SHOWN 100u

const char *problem_source_line(const char *source, size_t n, uint32_t line, size_t *length)
{
    const char *end = source + n;
    for (uint32_t i = 1; i < line && source < end; i++) {
        const char *newline = memchr(source, '\n', (size_t)(end - source));
        source = newline == NULL ? end : newline + 1;
    }
    if (line == 0 || source >= end)
        return NULL;
    const char *newline = memchr(source, '\n', (size_t)(end - source));
    *length = (size_t)((newline == NULL ? end : newline) - source);
    return source;
}

static void shown_bytes(struct text *t, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t length = text_character(bytes + i, n - i);
        for (size_t k = 0; k < length; k++)
            text_char(t, bytes[i + k]);
        if (length == 0)
            text_char(t, bytes[i] == '\t' ? ' ' : '?');
        i += length > 0 ? length : 1;
    }
}

/* How many columns the bytes take: those that continue a character take none. */
static size_t columns(const char *bytes, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += ((unsigned char)bytes[i] & 0xc0) != 0x80;
    return count;
}

void problem_show(struct text *t, const char *line, size_t line_length, uint32_t column, uint32_t length, size_t indent)
{
    size_t before = column > 0 ? column - 1 : 0;
    if (before > line_length)
        before = line_length;
    size_t from = before > SHOWN / 2 && line_length > SHOWN ? before - SHOWN / 2 : 0;
    size_t n = line_length - from > SHOWN ? SHOWN : line_length - from;
    text_repeat(t, ' ', indent);
    text_add(t, from > 0 ? "... " : "");
    shown_bytes(t, line + from, n);
    text_add(t, from + n < line_length ? " ...\n" : "\n");
    if (length == 0)
        return;
    size_t under = length;
    if (under > from + n - before)
        under = from + n - before;
    size_t wide = columns(line + before, under);
    text_repeat(t, ' ', indent + (from > 0 ? 4 : 0) + columns(line + from, before - from));
    text_style(t, STYLE_BAD);
    text_char(t, '^');
    text_repeat(t, '~', wide > 1 ? wide - 1 : 0);
    text_style(t, STYLE_PLAIN);
    text_char(t, '\n');
}

static void head(struct text *t, const char *file, uint32_t line, uint32_t column, const char *what)
{
    text_style(t, STYLE_BOLD);
    text_shown(t, file);
    if (line > 0) {
        text_char(t, ':');
        text_u64(t, line);
    }
    if (line > 0 && column > 0) {
        text_char(t, ':');
        text_u64(t, column);
    }
    text_add(t, ": ");
    text_style(t, STYLE_PLAIN);
    text_style(t, STYLE_BAD);
    text_add(t, "error: ");
    text_style(t, STYLE_PLAIN);
    text_shown(t, what);
    text_char(t, '\n');
}

static void show(struct text *t, const char *source, size_t n, uint32_t line, uint32_t column, uint32_t length)
{
    size_t line_length;
    const char *text = source == NULL ? NULL : problem_source_line(source, n, line, &line_length);
    if (text != NULL)
        problem_show(t, text, line_length, column, length, 4);
}

void problem_list(struct text *t, const char *file, const char *source, size_t n, const struct diags *diags)
{
    for (uint32_t i = 0; i < diags->n; i++) {
        const struct diag *d = &diags->row[i];
        head(t, file, d->line, d->column, d->text);
        show(t, source, n, d->line, d->column, d->column == 0 ? 0 : d->length == 0 ? 1 : d->length);
    }
    if (diags->total > diags->n) {
        text_shown(t, file);
        text_add(t, ": and ");
        text_u64(t, diags->total - diags->n);
        text_add(t, " more\n");
    }
}

void problem_show_word(struct text *t, const char *source, size_t n, uint32_t line, size_t indent)
{
    size_t length, from = 0;
    const char *text = source == NULL ? NULL : problem_source_line(source, n, line, &length);
    if (text == NULL)
        return;
    while (from < length && text[from] == ' ')
        from++;
    size_t to = from;
    while (to < length && text[to] != ' ' && text[to] != '\r')
        to++;
    problem_show(t, text, length, (uint32_t)from + 1, (uint32_t)(to - from), indent);
}

void problem_line(struct text *t, const char *file, const char *source, size_t n, uint32_t line, const char *what)
{
    head(t, file, line, 0, what);
    problem_show_word(t, source, n, line, 4);
}
