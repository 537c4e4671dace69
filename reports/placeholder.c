/* SPDX-License-Identifier: MIT
 *
 * placeholder.c - see placeholder.h.
 */
#include "reports/placeholder.h"

#include "reports/bench.h"
#include "reports/completion.h"
#include "reports/front.h"
#include "reports/looking.h"

#include "scenarios/language/scenario.h"

#include <string.h>

/* A name that is there already stays as it is: `store` is a declaration and a word of what may happen. */
void word_list_add(struct word_list *to, const char *name, const char *sentence)
{
    for (uint32_t i = 0; i < to->n; i++)
        if (strcmp(to->word[i].name, name) == 0)
            return;
    ASSERT(to->n < WORD_LIST_MAX);
    to->word[to->n++] = (struct word_meaning){name, sentence};
}

static void add_gates(struct word_list *to, unsigned bit)
{
    (void)bit;
    for (int i = 0; i < GATES; i++)
        if (gate_table[i].built)
            word_list_add(to, gate_table[i].name, gate_table[i].with);
}

static void add_invariants(struct word_list *to, unsigned bit)
{
    (void)bit;
    for (int i = 0; i < INVARIANTS; i++)
        if (invariant_table[i].built)
            word_list_add(to, invariant_table[i].name, invariant_table[i].holds_when);
    word_list_add(to, "split-brain", "five of these: never two holders, leaders, primaries or actors");
}

static void add_formats(struct word_list *to, unsigned bit)
{
    for (int i = 0; i < FORMATS; i++)
        if (format_table[i].of & bit)
            word_list_add(to, format_table[i].name, format_table[i].sentence);
}

static void add_strategies(struct word_list *to, unsigned bit)
{
    (void)bit;
    word_list_add(to, "portfolio", "");
    for (int i = 0; i < ARMS; i++)
        word_list_add(to, arm_name[i], "");
}

static void add_rediscoveries(struct word_list *to, unsigned bit)
{
    (void)bit;
    for (int i = 0; i < REDISCOVERIES; i++)
        word_list_add(to, rediscover_name[i], "");
}

static void add_workloads(struct word_list *to, unsigned bit)
{
    (void)bit;
    for (int i = 0; i < BENCH_WORKLOADS; i++)
        word_list_add(to, bench_workload[i], "");
}

static void add_shells(struct word_list *to, unsigned bit)
{
    (void)bit;
    for (int i = 0; i < SHELLS; i++)
        word_list_add(to, completion_shell[i], "");
}

/* Groups first, as `fencepost list` takes a word for a group before anything else. A name of several words would want
 * quotes, and stands in its group's list. */
static void add_listed(struct word_list *to, unsigned bit)
{
    uint32_t n;
    const struct word *w = words_all(&n);
    (void)bit;
    for (int g = 0; g < WORD_GROUPS; g++)
        word_list_add(to, word_group_name((enum word_group)g), "all of them");
    word_list_add(to, "formats", "all of them");
    for (uint32_t i = 0; i < n; i++)
        if (strchr(w[i].name, ' ') == NULL)
            word_list_add(to, w[i].name, w[i].sentence);
}

const struct placeholder placeholder_table[PLACEHOLDERS] = {
    {"GATE", "gate", TAKES_WORDS, false, false, add_gates},
    {"INVARIANT", "invariant", TAKES_WORDS, false, false, add_invariants},
    {"FORMAT", "format", TAKES_WORDS, false, true, add_formats},
    {"ARM", "strategy", TAKES_WORDS, false, false, add_strategies},
    {"HOW", "rediscovery", TAKES_WORDS, false, false, add_rediscoveries},
    {"WHAT", "workload", TAKES_WORDS, false, false, add_workloads},
    {"NAME", "case", TAKES_CASE, false, false, NULL},
    {"NAME=VALUE", "param", TAKES_PARAM, false, false, NULL},
    {"FILE", "file", TAKES_FILE, false, false, NULL},
    {"DIR", "folder", TAKES_FOLDER, false, false, NULL},
    {"FILE", "scenario", TAKES_SCENARIO, true, false, NULL},
    {"A", "scenario", TAKES_SCENARIO, true, false, NULL},
    {"WORD", "listed", TAKES_WORDS, true, false, add_listed},
    {"SHELL", "shell", TAKES_WORDS, true, false, add_shells},
    {"LIBRARY", "folder", TAKES_FOLDER, true, false, NULL},
};

static const struct placeholder anything = {"", "any", TAKES_ANY, false, false, NULL};

static const struct placeholder *placeholder_find(const char *placeholder, size_t length, bool of_operands)
{
    for (uint32_t i = 0; i < PLACEHOLDERS; i++)
        if (placeholder_table[i].of_operands == of_operands && strlen(placeholder_table[i].word) == length &&
            memcmp(placeholder_table[i].word, placeholder, length) == 0)
            return &placeholder_table[i];
    return &anything;
}

const struct placeholder *placeholder_of_option(const struct option_word *w)
{
    ASSERT(w->value != NULL);
    return placeholder_find(w->value, strlen(w->value), false);
}

/* "FILE [INPUT]" is FILE; so is "-o DIR FILE...", whose folder is an option's. */
const struct placeholder *placeholder_of_operands(const struct command *c)
{
    const char *at = c->operands + (c->operands[0] == '[');
    if (at[0] == '-')
        at = strrchr(at, ' ') + 1;
    size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    return length == 0 ? NULL : placeholder_find(at, length, true);
}

bool placeholder_is_used(const struct placeholder *p, const struct tables *tables, const struct command *c)
{
    if (placeholder_of_operands(c) == p)
        return true;
    for (uint32_t i = 0; i < tables->n_options; i++) {
        const struct option_word *w = &tables->option[i];
        if ((w->on & c->bit) && w->value != NULL && placeholder_of_option(w) == p)
            return true;
    }
    return false;
}

void placeholder_words(const struct placeholder *p, unsigned bit, struct word_list *out)
{
    ASSERT(p->kind == TAKES_WORDS);
    out->n = 0;
    p->fill(out, bit);
}
