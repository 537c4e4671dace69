/* SPDX-License-Identifier: MIT
 *
 * completion_fish.c - the tables as lines of fish: a `complete` for each command, option and kind of operand, and lists
 * of words with what they mean. completion.fish has the functions that they ask.
 */
#include "reports/completion.h"
#include "reports/embedded.h"

/* fish knows two escapes in single quotes. */
static void put_quoted(struct text *t, const char *string)
{
    text_char(t, '\'');
    for (; *string != '\0'; string++) {
        if (*string == '\'' || *string == '\\')
            text_char(t, '\\');
        text_char(t, *string);
    }
    text_char(t, '\'');
}

static void put_on(struct text *t, const struct command *c)
{
    text_add(t, "complete -c fencepost -n '__fencepost_on ");
    text_add(t, c->name);
    text_char(t, '\'');
}

static void put_call(struct text *t, const struct placeholder *p, const struct command *c)
{
    text_add(t, " -a '(__fencepost_");
    completion_key(t, p, c);
    text_add(t, ")'");
}

static void put_option(struct text *t, const struct option_word *w, const struct command *c)
{
    put_on(t, c);
    if (w->letter != 0) {
        text_add(t, " -s ");
        text_char(t, w->letter);
    }
    text_add(t, " -l ");
    text_add(t, w->name + 2); /* without its dashes */
    if (w->value != NULL) {
        const struct placeholder *p = placeholder_of_option(w);
        switch (p->kind) {
        case TAKES_ANY: text_add(t, " -x"); break;
        case TAKES_FILE: text_add(t, " -r -F"); break;
        case TAKES_FOLDER: text_add(t, " -x -a '(__fish_complete_directories)'"); break;
        case TAKES_WORDS:
        case TAKES_CASE:
        case TAKES_PARAM:
        case TAKES_SCENARIO:
            text_add(t, " -x");
            put_call(t, p, c);
            break;
        }
    }
    text_add(t, " -d ");
    put_quoted(t, w->sentence);
    text_char(t, '\n');
}

static void put_operands(struct text *t, const struct placeholder *p, const struct command *c)
{
    put_on(t, c);
    if (p->kind == TAKES_FOLDER)
        text_add(t, " -a '(__fish_complete_directories)'");
    else
        put_call(t, p, c);
    text_char(t, '\n');
}

static void put_command(struct text *t, const struct tables *tables, const struct command *c)
{
    const struct placeholder *operands = placeholder_of_operands(c);
    text_char(t, '\n');
    for (uint32_t i = 0; i < tables->n_options; i++)
        if (tables->option[i].on & c->bit)
            put_option(t, &tables->option[i], c);
    if (operands != NULL && operands->kind != TAKES_ANY)
        put_operands(t, operands, c);
}

static void put_words(struct text *t, const char *key, const struct word_list *words)
{
    text_add(t, "\nfunction __fencepost_");
    text_add(t, key);
    text_add(t, "\n    printf '%s\\t%s\\n'");
    for (uint32_t i = 0; i < words->n; i++) {
        text_add(t, " \\\n        ");
        put_quoted(t, words->word[i].name);
        text_char(t, ' ');
        put_quoted(t, words->word[i].sentence);
    }
    text_add(t, "\nend\n");
}

void completion_fish(struct text *t, const struct tables *tables)
{
    completion_head(t, tables, "fish");
    text_bytes(t, (const char *)embedded_completion_fish, embedded_completion_fish_n);
    for (uint32_t i = 0; i < tables->n_commands; i++)
        put_command(t, tables, &tables->command[i]);
    completion_lists(t, tables, put_words);
}
