/* SPDX-License-Identifier: MIT
 *
 * reference.c - the words of the language, group by group, as Markdown: what each is written like, what it
 * means, and an example. Words of later versions are left out.
 */
#include "scenarios/language/reference.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/language/scenario.h"

struct page {
    char *text; /* NULL while it is only measured */
    size_t n;
};

static void page_bytes(struct page *p, const char *text, size_t n)
{
    if (p->text != NULL)
        memcpy(p->text + p->n, text, n);
    p->n += n;
}

static void page_text(struct page *p, const char *text) { page_bytes(p, text, strlen(text)); }

/* Every bar in a table's cell is escaped. */
static void page_cell(struct page *p, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '|')
            page_text(p, "\\");
        page_bytes(p, text, 1);
    }
}

static void page_row(struct page *p, const struct word *w)
{
    page_text(p, "| `");
    page_cell(p, w->syntax);
    page_text(p, "` | ");
    page_cell(p, w->sentence);
    page_text(p, " |\n");
}

static void page_examples(struct page *p, const struct word *words, uint32_t n, uint32_t group)
{
    page_text(p, "\n```\n");
    for (uint32_t i = 0; i < n; i++) {
        if (words[i].group != group || !words[i].built)
            continue;
        page_text(p, words[i].example);
        page_text(p, "\n");
    }
    page_text(p, "```\n");
}

static void page_group(struct page *p, uint32_t group)
{
    uint32_t n, built = 0;
    const struct word *words = words_all(&n);
    for (uint32_t i = 0; i < n; i++)
        built += words[i].group == group && words[i].built;
    if (built == 0)
        return;
    page_text(p, "\n### ");
    page_text(p, word_group_name((enum word_group)group));
    page_text(p, "\n\n| word | what it means |\n|---|---|\n");
    for (uint32_t i = 0; i < n; i++)
        if (words[i].group == group && words[i].built)
            page_row(p, &words[i]);
    page_examples(p, words, n, group);
}

static void page_all(struct page *p)
{
    static const enum word_group order[] = {WORDS_DECLARATIONS, WORDS_LOCKS,        WORDS_STORES, WORDS_QUEUES,
                                            WORDS_TABLES,       WORDS_STEPS,        WORDS_ERRORS, WORDS_FAULTS,
                                            WORDS_MAY,          WORDS_EXPECTATIONS, WORDS_VERBS,  WORDS_GATES,
                                            WORDS_INVARIANTS,   WORDS_DEFAULTS,     WORDS_LIMITS};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        page_group(p, order[i]);
}

char *words_reference(size_t *length)
{
    struct page p = {NULL, 0};
    page_all(&p);
    *length = p.n;
    p.text = malloc(p.n + 1);
    if (p.text == NULL)
        return NULL;
    p.n = 0;
    page_all(&p);
    p.text[p.n] = '\0';
    return p.text;
}
