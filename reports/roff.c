/* SPDX-License-Identifier: MIT
 *
 * roff.c - see roff.h.
 */
#include "reports/roff.h"

#include <string.h>

#define LINE_MAX_COLUMNS 76 /* escapes count: mandoc warns of lines over 80 bytes */

static void put_character(struct text *t, char c)
{
    switch (c) {
    case '\\': text_add(t, "\\e"); break;
    case '-': text_add(t, "\\-"); break;
    case '\'': text_add(t, "\\(aq"); break;
    case '`': text_add(t, "\\(ga"); break;
    case '"': text_add(t, "\\(dq"); break;
    case '~': text_add(t, "\\(ti"); break;
    case '^': text_add(t, "\\(ha"); break;
    case '\n':
    case '\r': text_add(t, "\\ "); break; /* the next line of a name would be a macro's */
    default: text_char(t, c); break;
    }
}

/* At the beginning of a line a dot would make it a macro. */
static void put_guard(struct text *t, const char *string)
{
    bool begins = t->n == 0 || t->bytes[t->n - 1] == '\n';
    if (begins && string[0] == '.')
        text_add(t, "\\&");
}

void roff_text(struct text *t, const char *string)
{
    put_guard(t, string);
    for (; *string != '\0'; string++)
        put_character(t, *string);
}

void roff_macro(struct text *t, const char *macro, const char *string)
{
    text_char(t, '.');
    text_add(t, macro);
    if (string[0] != '\0')
        text_char(t, ' ');
    roff_text(t, string);
    text_char(t, '\n');
}

/* A word of prose into *word; a backquote turns bold on or off. */
static void take_word(struct text *word, const char *at, size_t n, bool *bold)
{
    for (size_t i = 0; i < n; i++) {
        if (at[i] != '`') {
            put_character(word, at[i]);
            continue;
        }
        text_add(word, *bold ? "\\fP" : "\\fB");
        *bold = !*bold;
    }
}

static void put_prose(struct text *t, const char *string, const char *behind)
{
    bool bold = false, ended = false; /* the last word ended a sentence */
    size_t column = 0;
    for (string += strspn(string, " \n"); *string != '\0'; string += strspn(string, " \n")) {
        struct text word = {0};
        size_t n = strcspn(string, " \n");
        take_word(&word, string, n, &bold);
        if (string[n] == '\0')
            text_add(&word, behind);
        if (column > 0 && (ended || column + 1 + word.n > LINE_MAX_COLUMNS)) {
            text_char(t, '\n');
            column = 0;
        }
        if (column > 0)
            text_char(t, ' ');
        else
            put_guard(t, string);
        column += word.n + (column > 0);
        text_add(t, text_c(&word));
        text_done(t, &word);
        ended = string[n - 1] == '.' && !(n >= 3 && memcmp(string + n - 3, "...", 3) == 0);
        string += n;
    }
    text_char(t, '\n');
}

void roff_prose(struct text *t, const char *string) { put_prose(t, string, ""); }

void roff_sentence(struct text *t, const char *string)
{
    char first[] = {string[0], '\0'};
    struct text whole = {0};
    if (first[0] >= 'a' && first[0] <= 'z')
        first[0] = (char)(first[0] - 'a' + 'A');
    text_add(&whole, first);
    text_add(&whole, string + 1);
    put_prose(t, text_c(&whole), ".");
    text_done(t, &whole);
}

void roff_literal_begin(struct text *t) { text_add(t, ".Bd -literal -offset indent\n"); }

void roff_literal(struct text *t, const char *line)
{
    roff_text(t, line);
    text_char(t, '\n');
}

void roff_literal_end(struct text *t) { text_add(t, ".Ed\n"); }
