/* SPDX-License-Identifier: MIT
 *
 * completion_bash.c - the tables as functions of bash: what a command takes, and lists of words. completion.bash calls
 * them.
 */
#include "reports/completion.h"
#include "reports/embedded.h"

/* "-o | --output) value=folder ;;" */
static void put_value(struct text *t, const struct option_word *w, const struct command *c)
{
    text_add(t, "        ");
    if (w->letter != 0) {
        text_char(t, '-');
        text_char(t, w->letter);
        text_add(t, " | ");
    }
    text_add(t, w->name);
    text_add(t, ") value=");
    completion_key(t, placeholder_of_option(w), c);
    text_add(t, " ;;\n");
}

static void put_command(struct text *t, const struct tables *tables, const struct command *c)
{
    const struct placeholder *operands = placeholder_of_operands(c);
    text_add(t, "    ");
    text_add(t, c->name);
    text_add(t, ")\n        options='");
    for (uint32_t i = 0, n = 0; i < tables->n_options; i++) {
        if (!(tables->option[i].on & c->bit))
            continue;
        text_add(t, n++ > 0 ? " " : "");
        text_add(t, tables->option[i].name);
    }
    text_add(t, "'\n");
    if (operands != NULL) {
        text_add(t, "        operands=");
        completion_key(t, operands, c);
        text_char(t, '\n');
    }
    text_add(t, "        case $2 in\n");
    for (uint32_t i = 0; i < tables->n_options; i++)
        if ((tables->option[i].on & c->bit) && tables->option[i].value != NULL)
            put_value(t, &tables->option[i], c);
    text_add(t, "        esac\n        ;;\n");
}

static void put_words(struct text *t, const char *key, const struct word_list *words)
{
    text_add(t, "    ");
    text_add(t, key);
    text_add(t, ") printf '%s\\n'");
    for (uint32_t i = 0; i < words->n; i++) {
        text_char(t, ' ');
        text_add(t, words->word[i].name);
    }
    text_add(t, " ;;\n");
}

void completion_bash(struct text *t, const struct tables *tables)
{
    completion_head(t, tables, "bash");
    text_add(t, "\n# What command $1 takes, and, as $value, what its option $2 takes.\n_fencepost_on()\n{\n"
                "    case $1 in\n");
    for (uint32_t i = 0; i < tables->n_commands; i++)
        put_command(t, tables, &tables->command[i]);
    text_add(t, "    esac\n}\n\n# The words of list $1, one a line.\n_fencepost_words()\n{\n    case $1 in\n");
    completion_lists(t, tables, put_words);
    text_add(t, "    esac\n}\n");
    text_bytes(t, (const char *)embedded_completion_bash, embedded_completion_bash_n);
}
