/* SPDX-License-Identifier: MIT
 *
 * completion_zsh.c - the tables as functions of zsh: the arguments of a command, for _arguments, and lists of words
 * with what they mean. completion.zsh calls them.
 */
#include "reports/completion.h"
#include "reports/embedded.h"

#include <string.h>

/* With a backslash before each of `special`, and before each backslash. */
static void put_escaped(struct text *t, const char *string, const char *special)
{
    for (; *string != '\0'; string++) {
        if (*string == '\\' || strchr(special, *string) != NULL)
            text_char(t, '\\');
        text_char(t, *string);
    }
}

/* ":GATE:_fencepost_gate" */
static void put_value(struct text *t, const char *placeholder, const struct placeholder *p, const struct command *c)
{
    text_char(t, ':');
    put_escaped(t, placeholder, ":");
    text_char(t, ':');
    switch (p->kind) {
    case TAKES_ANY: text_char(t, ' '); break; /* says what it is, and offers nothing */
    case TAKES_FILE: text_add(t, "_files"); break;
    case TAKES_FOLDER: text_add(t, "_files -/"); break;
    case TAKES_WORDS:
    case TAKES_CASE:
    case TAKES_PARAM:
    case TAKES_SCENARIO:
        text_add(t, "_fencepost_");
        completion_key(t, p, c);
        break;
    }
}

/* One of two spellings. An option that takes a value can be given again, and the value can stand in the same word. */
static void put_option(struct text *t, const struct option_word *w, const struct command *c, bool is_short)
{
    struct text spec = {0};
    const char letter[] = {'-', w->letter, '\0'};
    if (w->value != NULL) {
        text_char(&spec, '*');
    } else if (w->letter != 0) {
        text_char(&spec, '(');
        text_add(&spec, letter);
        text_char(&spec, ' ');
        text_add(&spec, w->name);
        text_char(&spec, ')');
    }
    text_add(&spec, is_short ? letter : w->name);
    text_add(&spec, w->value == NULL ? "" : is_short ? "+" : "=");
    text_char(&spec, '[');
    put_escaped(&spec, w->sentence, "]");
    text_char(&spec, ']');
    if (w->value != NULL)
        put_value(&spec, w->value, placeholder_of_option(w), c);
    text_add(t, " \\\n        ");
    completion_quote(t, text_c(&spec));
    text_done(t, &spec);
}

static void put_command(struct text *t, const struct tables *tables, const struct command *c)
{
    const struct placeholder *operands = placeholder_of_operands(c);
    text_add(t, "\n_fencepost_on_");
    text_add(t, c->name);
    text_add(t, "() {\n    _arguments -S :");
    for (uint32_t i = 0; i < tables->n_options; i++) {
        const struct option_word *w = &tables->option[i];
        if (!(w->on & c->bit))
            continue;
        if (w->letter != 0)
            put_option(t, w, c, true);
        put_option(t, w, c, false);
    }
    if (operands != NULL) {
        struct text spec = {0};
        text_char(&spec, '*');
        put_value(&spec, c->operands, operands, c);
        text_add(t, " \\\n        ");
        completion_quote(t, text_c(&spec));
        text_done(t, &spec);
    }
    text_add(t, "\n}\n");
}

static void put_words(struct text *t, const char *key, const struct word_list *words)
{
    text_add(t, "\n_fencepost_");
    text_add(t, key);
    text_add(t, "() {\n    local -a found=(");
    for (uint32_t i = 0; i < words->n; i++) {
        struct text row = {0};
        put_escaped(&row, words->word[i].name, ":");
        text_add(&row, words->word[i].sentence[0] != '\0' ? ":" : "");
        put_escaped(&row, words->word[i].sentence, "");
        text_add(t, "\n        ");
        completion_quote(t, text_c(&row));
        text_done(t, &row);
    }
    text_add(t, "\n    )\n    _describe ");
    text_add(t, key);
    text_add(t, " found\n}\n");
}

/* The file is itself the function that zsh calls: its last line is what runs, the first time too. */
void completion_zsh(struct text *t, const struct tables *tables)
{
    text_add(t, "#compdef fencepost\n");
    completion_head(t, tables, "zsh");
    for (uint32_t i = 0; i < tables->n_commands; i++)
        put_command(t, tables, &tables->command[i]);
    completion_lists(t, tables, put_words);
    text_bytes(t, (const char *)embedded_completion_zsh, embedded_completion_zsh_n);
}
