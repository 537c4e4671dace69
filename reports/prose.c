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

/* Where the same mark, of so many characters, comes again before the end; n: nowhere, or at once. */
static size_t closing(const char *s, size_t n, size_t i, size_t mark)
{
    for (size_t end = i + mark; end + mark <= n; end++)
        if (memcmp(s + end, s + i, mark) == 0)
            return end == i + mark ? n : end;
    return n;
}

static void put_tag(struct text *t, const char *before, const char *name)
{
    text_add(t, before);
    text_add(t, name);
    text_char(t, '>');
}

static void put_element(struct text *t, const char *name, const char *s, size_t n)
{
    put_tag(t, "<", name);
    html_bytes(t, s, n);
    put_tag(t, "</", name);
}

/* Words that are stressed can hold code. */
static void put_stressed(struct text *t, const char *name, const char *s, size_t n)
{
    size_t from = 0;
    put_tag(t, "<", name);
    for (size_t i = 0; i < n; i++) {
        size_t end = s[i] == '`' ? closing(s, n, i, 1) : n;
        if (end == n)
            continue;
        html_bytes(t, s + from, i - from);
        put_element(t, "code", s + i + 1, end - i - 1);
        i = end;
        from = end + 1;
    }
    html_bytes(t, s + from, n - from);
    put_tag(t, "</", name);
}

/* One paragraph, its lines already joined. A mark without a second one is a character like others. */
static void put_words(struct text *t, const char *s, size_t n)
{
    size_t from = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] != '`' && s[i] != '*')
            continue;
        size_t mark = s[i] == '*' && i + 1 < n && s[i + 1] == '*' ? 2 : 1;
        size_t end = closing(s, n, i, mark);
        if (end == n) {
            i += mark - 1;
            continue;
        }
        html_bytes(t, s + from, i - from);
        if (s[i] == '`')
            put_element(t, "code", s + i + mark, end - i - mark);
        else
            put_stressed(t, mark == 2 ? "strong" : "em", s + i + mark, end - i - mark);
        i = end + mark - 1;
        from = end + mark;
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

/* --- a page of words ----------------------------------------------------------------------------------------- */

enum block { BLOCK_NONE, BLOCK_WORDS, BLOCK_ITEM, BLOCK_CODE, BLOCK_TABLE };

struct blocks {
    struct text *t;
    enum block block;  /* that is open */
    struct text words; /* of its paragraph or item so far */
    uint32_t rows;     /* of its table */
    uint32_t empty;    /* lines of its code that wait for another: behind the last one they are none of it */
};

/* What an open paragraph or item has gathered. */
static void end_words(struct blocks *b)
{
    static const char *const name[] = {[BLOCK_WORDS] = "p", [BLOCK_ITEM] = "li", [BLOCK_TABLE] = NULL};
    if (name[b->block] != NULL) {
        put_tag(b->t, "<", name[b->block]);
        put_words(b->t, b->words.n > 0 ? b->words.bytes : "", b->words.n);
        put_tag(b->t, "</", name[b->block]);
        text_char(b->t, '\n');
    }
    b->t->failed = b->t->failed || b->words.failed;
    text_clear(&b->words);
}

static void end_block(struct blocks *b)
{
    static const char *const end[] = {"", "", "</ul>\n", "</pre>\n", "</tbody></table></div>\n"};
    end_words(b);
    text_add(b->t, end[b->block]);
    b->block = BLOCK_NONE;
    b->empty = 0;
}

static void begin_block(struct blocks *b, enum block block, const char *html)
{
    if (b->block == block)
        return;
    end_block(b);
    text_add(b->t, html);
    b->block = block;
    b->rows = 0;
}

static void add_words(struct blocks *b, const char *line, size_t n)
{
    while (n > 0 && *line == ' ') {
        line++;
        n--;
    }
    text_add(&b->words, b->words.n > 0 ? " " : "");
    text_bytes(&b->words, line, n);
}

static bool is_rule(const char *line, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (line[i] != '|' && line[i] != '-' && line[i] != ':' && line[i] != ' ')
            return false;
    return true;
}

/* "| a | b |": the first row of a table is its head. */
static void add_row(struct blocks *b, const char *line, size_t n)
{
    const char *cell = b->rows == 0 ? "th" : "td";
    begin_block(b, BLOCK_TABLE, "<div class=\"wide\"><table><thead>\n");
    if (is_rule(line, n))
        return;
    text_add(b->t, "<tr>");
    for (size_t from = 1; from < n;) {
        const char *bar = memchr(line + from, '|', n - from);
        size_t end = bar == NULL ? n : (size_t)(bar - line), first = from, last = end;
        while (first < last && line[first] == ' ')
            first++;
        while (last > first && line[last - 1] == ' ')
            last--;
        put_tag(b->t, "<", cell);
        put_words(b->t, line + first, last - first);
        put_tag(b->t, "</", cell);
        from = end + 1;
    }
    text_add(b->t, b->rows++ == 0 ? "</tr></thead><tbody>\n" : "</tr>\n");
}

static void add_heading(struct blocks *b, const char *line, size_t n)
{
    static const char *const name[] = {"h1", "h2", "h3", "h4"};
    size_t level = 0;
    end_block(b);
    while (level < n && line[level] == '#')
        level++;
    size_t words = level;
    while (words < n && line[words] == ' ')
        words++;
    put_element(b->t, name[level > 4 ? 3 : level - 1], line + words, n - words);
    text_char(b->t, '\n');
}

/* A line of code, without the four spaces before it; n: without them. */
static void add_code(struct blocks *b, const char *line, size_t n)
{
    begin_block(b, BLOCK_CODE, "<pre>");
    for (; b->empty > 0; b->empty--)
        text_char(b->t, '\n');
    html_bytes(b->t, line, n);
    text_char(b->t, '\n');
}

static void add_item(struct blocks *b, const char *line, size_t n)
{
    if (b->block == BLOCK_ITEM)
        end_words(b);
    begin_block(b, BLOCK_ITEM, "<ul>\n");
    add_words(b, line, n);
}

static void add_line(struct blocks *b, const char *line, size_t n)
{
    static const char fold[] = "<details><summary>", folded[] = "</summary>", unfold[] = "</details>";
    size_t head = sizeof fold - 1, tail = sizeof folded - 1;
    if (n == 0 && b->block == BLOCK_CODE) {
        b->empty++;
    } else if (n == 0) {
        end_block(b);
    } else if (begins(line, n, "#")) {
        add_heading(b, line, n);
    } else if (begins(line, n, fold) && n >= head + tail) {
        end_block(b);
        text_add(b->t, fold);
        html_bytes(b->t, line + head, n - head - tail);
        text_add(b->t, "</summary>\n");
    } else if (begins(line, n, unfold)) {
        end_block(b);
        text_add(b->t, "</details>\n");
    } else if (begins(line, n, "    ")) {
        add_code(b, line + 4, n - 4);
    } else if (begins(line, n, "|")) {
        add_row(b, line, n);
    } else if (begins(line, n, "* ") || begins(line, n, "- ")) {
        add_item(b, line + 2, n - 2);
    } else {
        if (b->block != BLOCK_ITEM)
            begin_block(b, BLOCK_WORDS, "");
        add_words(b, line, n);
    }
}

void prose_page(struct text *t, const char *words, size_t n)
{
    struct blocks b = {.t = t};
    for (size_t at = 0, length; at < n;) {
        const char *line = next_line(words, n, &at, &length);
        add_line(&b, line, length);
    }
    end_block(&b);
    text_done(t, &b.words);
}
