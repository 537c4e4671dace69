/* SPDX-License-Identifier: MIT
 *
 * diag.c - see diag.h.
 */
#include "scenarios/language/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/language/bounds.h"

static bool diag_known(const struct diags *d, struct place at)
{
    for (uint32_t i = 0; i < d->n; i++)
        if (d->row[i].line == at.line && d->row[i].column == at.column && at.line != 0)
            return true;
    return false;
}

/* The next row to fill, or NULL when ten are there. */
static struct diag *diag_row(struct diags *d, struct place at)
{
    if (diag_known(d, at))
        return NULL;
    d->total++;
    if (d->n == DIAGS_MAX)
        return NULL;
    struct diag *row = &d->row[d->n++];
    row->line = at.line;
    row->column = at.column;
    row->length = at.length;
    return row;
}

/* A text that was cut short ends in "..."; it never ends within a character of UTF-8. */
static void cut_text(char *text, size_t size)
{
    size_t n = size - 4;
    while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80)
        n--;
    memcpy(text + n, "...", 4);
}

__attribute__((format(printf, 2, 0))) static void row_say(struct diag *row, const char *format, va_list args)
{
    int n = vsnprintf(row->text, sizeof row->text, format, args);
    if (n >= (int)sizeof row->text)
        cut_text(row->text, sizeof row->text);
}

void diag_add(struct diags *d, struct place at, const char *format, ...)
{
    struct diag *row = diag_row(d, at);
    if (row == NULL)
        return;
    va_list args;
    va_start(args, format);
    row_say(row, format, args);
    va_end(args);
}

void diag_reword(struct diag *row, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    row_say(row, format, args);
    va_end(args);
}

/* Edit distance with neighbours swapped as one edit, or more than `most`. Words longer than a name's bound
 * are far from everything. */
static uint32_t edit_distance(const char *a, size_t n, const char *b, size_t m, uint32_t most)
{
    uint8_t row[3][NAME_BYTES_MAX + 1];
    if (n > NAME_BYTES_MAX || m > NAME_BYTES_MAX)
        return most + 1;
    for (size_t j = 0; j <= m; j++)
        row[0][j] = (uint8_t)j;
    for (size_t i = 1; i <= n; i++) {
        uint8_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (uint8_t)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned best = last[j - 1] + (a[i - 1] != b[j - 1] ? 1u : 0u);
            best = last[j] + 1u < best ? last[j] + 1u : best;
            best = now[j - 1] + 1u < best ? now[j - 1] + 1u : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1u < best)
                best = before[j - 2] + 1u;
            now[j] = (uint8_t)best;
        }
    }
    return row[n % 3][m];
}

const char *nearest_word(const char *word, size_t length, const char *const *words, uint32_t n)
{
    uint32_t most = length / 3 > 2 ? (uint32_t)(length / 3) : 2;
    if (length <= 2)
        most = length == 0 ? 0 : 1;
    const char *best = NULL;
    for (uint32_t i = 0; i < n; i++) {
        size_t m = strlen(words[i]);
        if ((m > length ? m - length : length - m) > most)
            continue;
        uint32_t distance = edit_distance(word, length, words[i], m, most);
        if (distance <= most && distance < m) {
            best = words[i];
            if (distance == 0)
                break;
            most = distance - 1;
        }
    }
    return best;
}

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text), n = strlen(more);
    if (used + n + 1 <= size)
        memcpy(text + used, more, n + 1);
}

static void list_words(char *text, size_t size, const char *const *words, uint32_t n)
{
    text[0] = '\0';
    for (uint32_t i = 0; i < n; i++) {
        if (strlen(text) + strlen(words[i]) + 8 > size) {
            append(text, size, " ...");
            return;
        }
        append(text, size, i == 0 ? "" : i + 1 == n ? " or " : ", ");
        append(text, size, words[i]);
    }
}

void diag_unknown(struct diags *d, struct place at, const char *what, const char *word, const char *const *words,
                  uint32_t n)
{
    char all[180];
    if (diags_full(d)) {
        diag_add(d, at, "unknown %s", what);
        return;
    }
    const char *near = nearest_word(word, strlen(word), words, n);
    if (near != NULL) {
        diag_add(d, at, "unknown %s '%.60s'; did you mean '%s'?", what, word, near);
    } else if (n == 0) {
        diag_add(d, at, "unknown %s '%.60s': there is none here", what, word);
    } else {
        list_words(all, sizeof all, words, n);
        diag_add(d, at, "unknown %s '%.30s'; expected %s", what, word, all);
    }
}

static bool diag_later(const struct diag *a, const struct diag *b)
{
    return a->line != b->line ? a->line > b->line : a->column > b->column;
}

void diag_sort(struct diags *d)
{
    for (uint32_t i = 1; i < d->n; i++) {
        struct diag moved = d->row[i];
        uint32_t j = i;
        for (; j > 0 && diag_later(&d->row[j - 1], &moved); j--)
            d->row[j] = d->row[j - 1];
        d->row[j] = moved;
    }
}
