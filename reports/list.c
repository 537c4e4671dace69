/* SPDX-License-Identifier: MIT
 *
 * list.c - see list.h. Words that this version knows but does not have are shown as that.
 */
#include "reports/list.h"

#include "reports/front.h"
#include "reports/situations.h"

#include "scenarios/language/scenario.h"

#include <stdlib.h>
#include <string.h>

static bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* "gates" is "gate", and more of them. */
static bool is_plural_of(const char *many, const char *one)
{
    size_t n = strlen(one);
    return n > 0 && strlen(many) == n + 1 && memcmp(many, one, n) == 0 && many[n] == 's';
}

/* "gates" and "gate" mean the same group. */
static bool names_group(const char *word, enum word_group g)
{
    return same(word, word_group_name(g)) || is_plural_of(word_group_name(g), word);
}

static void group(struct text *t, enum word_group g)
{
    uint32_t n;
    size_t width = 0;
    const struct word *w = words_all(&n);
    text_style(t, STYLE_BOLD);
    text_add(t, word_group_name(g));
    text_style(t, STYLE_PLAIN);
    text_char(t, '\n');
    for (uint32_t i = 0; i < n; i++)
        if (w[i].group == (uint32_t)g && strlen(w[i].name) > width)
            width = strlen(w[i].name);
    for (uint32_t i = 0; i < n; i++) {
        if (w[i].group != (uint32_t)g)
            continue;
        text_add(t, "  ");
        text_pad(t, w[i].name, (int)width);
        text_add(t, "  ");
        text_add(t, w[i].sentence);
        text_add(t, w[i].built ? "\n" : " (not in this version yet)\n");
    }
}

static bool group_is_empty(enum word_group g)
{
    uint32_t n;
    const struct word *w = words_all(&n);
    for (uint32_t i = 0; i < n; i++)
        if (w[i].group == (uint32_t)g)
            return false;
    return true;
}

static void line(struct text *t, const char *label, const char *what)
{
    if (what == NULL || what[0] == '\0')
        return;
    text_add(t, "  ");
    text_pad(t, label, 12);
    text_add(t, what);
    text_char(t, '\n');
}

/* What a gate does, and what happens without it, are two lines; elsewhere they are one. */
static bool gate_lines(struct text *t, const char *name)
{
    for (int i = 0; i < GATES; i++) {
        if (!same(gate_table[i].name, name))
            continue;
        line(t, "what", gate_table[i].with);
        line(t, "without", gate_table[i].without);
        return true;
    }
    return false;
}

static bool invariant_lines(struct text *t, const char *name)
{
    for (int i = 0; i < INVARIANTS; i++) {
        if (!same(invariant_table[i].name, name))
            continue;
        line(t, "kind", invariant_kind_name[invariant_table[i].kind]);
        line(t, "holds when", invariant_table[i].holds_when);
        line(t, "but", invariant_table[i].not_promised);
        return true;
    }
    return false;
}

static void one(struct text *t, const struct word *w)
{
    text_style(t, STYLE_BOLD);
    text_add(t, w->name);
    text_style(t, STYLE_PLAIN);
    text_add(t, " (");
    text_add(t, word_group_name((enum word_group)w->group));
    text_add(t, w->built ? ")\n" : "), not in this version yet\n");
    line(t, "syntax", w->syntax);
    bool told = w->group == WORDS_GATES        ? gate_lines(t, w->name)
                : w->group == WORDS_INVARIANTS ? invariant_lines(t, w->name)
                                               : false;
    if (!told)
        line(t, "what", w->sentence);
    line(t, "example", w->example);
}

/* What --format takes: not words of the language. */
static void formats(struct text *t)
{
    text_style(t, STYLE_BOLD);
    text_add(t, "formats");
    text_style(t, STYLE_PLAIN);
    text_char(t, '\n');
    for (int i = 0; i < FORMATS; i++) {
        text_add(t, "  ");
        text_pad(t, format_table[i].name, 8);
        text_add(t, "  ");
        text_add(t, format_table[i].sentence);
        text_char(t, '\n');
    }
}

/* What searches look for by --reach: no words of the language either. */
static void situations(struct text *t)
{
    text_style(t, STYLE_BOLD);
    text_add(t, "situations");
    text_style(t, STYLE_PLAIN);
    text_char(t, '\n');
    for (uint32_t i = 0; i < SITUATION_CELLS; i++) {
        if (!situation_is(i))
            continue;
        text_add(t, "  ");
        text_pad(t, situation_name(i), 46);
        situation_words(t, i);
        text_add(t, situation_never(i) != NULL ? " (never: " : "");
        text_add(t, situation_never(i) != NULL ? situation_never(i) : "");
        text_add(t, situation_never(i) != NULL ? ")\n" : "\n");
    }
}

/* The nearest of all names of words and groups; NULL: none is near, or no memory to look. */
static const char *nearest(const char *word)
{
    uint32_t n, k = 0;
    const struct word *w = words_all(&n);
    const char **names = malloc((n + WORD_GROUPS + 2) * sizeof *names);
    if (names == NULL)
        return NULL;
    for (uint32_t i = 0; i < n; i++)
        names[k++] = w[i].name;
    for (int g = 0; g < WORD_GROUPS; g++)
        names[k++] = word_group_name((enum word_group)g);
    names[k++] = "formats";
    names[k++] = "situations";
    const char *near = nearest_word(word, strlen(word), names, k);
    free(names);
    return near;
}

/* Every word that has this name, by names(). */
static bool all_named(struct text *t, const char *word, bool (*names)(const char *word, const char *name))
{
    uint32_t n;
    bool found = false;
    const struct word *w = words_all(&n);
    for (uint32_t i = 0; i < n; i++) {
        if (!names(word, w[i].name))
            continue;
        if (found)
            text_char(t, '\n');
        one(t, &w[i]);
        found = true;
    }
    return found;
}

/* Whole groups come before single words, and a word before what it may be the plural of: `tables` is `table`, as long
 * as no group is called so. */
bool list_words(struct text *t, const char *word, const char **near)
{
    bool found = false;
    *near = NULL;
    for (int g = 0; g < WORD_GROUPS; g++) {
        if (group_is_empty((enum word_group)g) || (word != NULL && !names_group(word, (enum word_group)g)))
            continue;
        if (found)
            text_char(t, '\n');
        group(t, (enum word_group)g);
        found = true;
    }
    if (word == NULL || same(word, "formats") || same(word, "format")) {
        text_add(t, found ? "\n" : "");
        formats(t);
        found = true;
    }
    if (word != NULL && (same(word, "situations") || same(word, "situation"))) { /* hundreds: only to who asks */
        situations(t);
        found = true;
    }
    if (word == NULL || found)
        return true;
    found = all_named(t, word, same) || all_named(t, word, is_plural_of);
    if (!found)
        *near = nearest(word);
    return found;
}

int command_list(const struct options *o)
{
    struct text t = front_report(1);
    int status = STATUS_GOOD;
    const char *near;
    if (o->n_operands == 0)
        (void)list_words(&t, NULL, &near);
    for (uint32_t i = 0; i < o->n_operands; i++) {
        if (list_words(&t, o->operand[i], &near))
            continue;
        if (near != NULL)
            front_complain("no word '%s'; did you mean '%s'?", o->operand[i], near);
        else
            front_complain("no word '%s'; `fencepost list` shows all", o->operand[i]);
        status = STATUS_WRONG;
    }
    status = front_worse(status, front_put(&t));
    text_free(&t);
    return status;
}
