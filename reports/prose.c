/* SPDX-License-Identifier: MIT
 *
 * prose.c - see prose.h.
 */
#include "reports/prose.h"

#include "reports/html.h"

#include <string.h>

/* The line that begins at *at, which moves on behind it. */
static const char *next_line(const char *words, size_t size, size_t *at, size_t *n)
{
    const char *line = words + *at;
    const char *end = memchr(line, '\n', size - *at);
    *n = end == NULL ? size - *at : (size_t)(end - line);
    *at += *n + (end != NULL);
    *n -= *n > 0 && line[*n - 1] == '\r';
    return line;
}

static bool begins(const char *line, size_t n, const char *with)
{
    return n >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

/* Where the same mark comes again before the end; n: nowhere, or at once. */
static size_t closing(const char *s, size_t n, size_t i)
{
    const char *end = memchr(s + i + 1, s[i], n - i - 1);
    return end == NULL || end == s + i + 1 ? n : (size_t)(end - s);
}

/* One paragraph, its lines already joined. A mark without a second one is a character like others. */
static void put_words(struct text *t, const char *s, size_t n)
{
    size_t from = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] != '`' && s[i] != '*')
            continue;
        size_t end = closing(s, n, i);
        if (end == n)
            continue;
        html_bytes(t, s + from, i - from);
        text_add(t, s[i] == '`' ? "<code>" : "<em>");
        html_bytes(t, s + i + 1, end - i - 1);
        text_add(t, s[i] == '`' ? "</code>" : "</em>");
        i = end;
        from = end + 1;
    }
    html_bytes(t, s + from, n - from);
}

static void end_paragraph(struct text *t, struct text *paragraph)
{
    if (paragraph->n > 0) {
        text_add(t, "<p>");
        put_words(t, paragraph->bytes, paragraph->n);
        text_add(t, "</p>\n");
    }
    t->failed = t->failed || paragraph->failed;
    text_clear(paragraph);
}

void prose_add(struct text *t, const char *words, size_t n, const char *heading)
{
    struct text paragraph = {0};
    bool on = heading == NULL;
    for (size_t at = 0, length; at < n;) {
        const char *line = next_line(words, n, &at, &length);
        bool section = begins(line, length, "## ");
        if (section || length == 0 || begins(line, length, "# "))
            end_paragraph(t, &paragraph);
        else if (on) {
            text_add(&paragraph, paragraph.n > 0 ? " " : "");
            text_bytes(&paragraph, line, length);
        }
        if (section)
            on = heading != NULL && length == strlen(heading) + 3 && memcmp(line + 3, heading, length - 3) == 0;
    }
    end_paragraph(t, &paragraph);
    text_done(t, &paragraph);
}
