/* SPDX-License-Identifier: MIT
 *
 * completion.c - see completion.h.
 */
#include "reports/completion.h"

#include "reports/front.h"

#include "scenarios/language/scenario.h"

#include <string.h>

const char *const completion_shell[SHELLS] = {"bash", "zsh", "fish"};
static void (*const script_of[SHELLS])(struct text *, const struct tables *) = {completion_bash, completion_zsh,
                                                                                completion_fish};

void completion_head(struct text *t, const struct tables *tables, const char *shell)
{
    text_add(t, "# fencepost ");
    text_add(t, tables->version);
    text_add(t, ", completion for ");
    text_add(t, shell);
    text_add(t, ": written by `fencepost completion ");
    text_add(t, shell);
    text_add(t, "`, from its tables.\n");
}

void completion_key(struct text *t, const struct placeholder *p, const struct command *c)
{
    text_add(t, p->key);
    text_add(t, p->by_command ? "_" : "");
    text_add(t, p->by_command ? c->name : "");
}

static void put_list(struct text *t, const struct placeholder *p, const struct command *c,
                     void (*put)(struct text *t, const char *key, const struct word_list *words))
{
    struct word_list words;
    struct text key = {0};
    placeholder_words(p, c->bit, &words);
    completion_key(&key, p, c);
    put(t, text_c(&key), &words);
    text_done(t, &key);
}

void completion_lists(struct text *t, const struct tables *tables,
                      void (*put)(struct text *t, const char *key, const struct word_list *words))
{
    struct word_list names = {.n = 0};
    for (uint32_t i = 0; i < tables->n_commands; i++)
        word_list_add(&names, tables->command[i].name, tables->command[i].sentence);
    word_list_add(&names, "help", "what a command does, with its options");
    put(t, "command", &names);
    for (uint32_t p = 0; p < PLACEHOLDERS; p++) {
        bool done = placeholder_table[p].kind != TAKES_WORDS;
        for (uint32_t i = 0; i < tables->n_commands && !done; i++) {
            if (!placeholder_is_used(&placeholder_table[p], tables, &tables->command[i]))
                continue;
            put_list(t, &placeholder_table[p], &tables->command[i], put);
            done = !placeholder_table[p].by_command;
        }
    }
}

void completion_quote(struct text *t, const char *string)
{
    text_char(t, '\'');
    for (; *string != '\0'; string++)
        if (*string == '\'')
            text_add(t, "'\\''");
        else
            text_char(t, *string);
    text_char(t, '\'');
}

int command_completion(const struct options *o)
{
    const char *shell = o->operand[0];
    if (o->n_operands > 1) {
        front_complain("completion takes one shell, not '%s' too", o->operand[1]);
        return STATUS_WRONG;
    }
    for (int i = 0; i < SHELLS; i++) {
        if (strcmp(shell, completion_shell[i]) != 0)
            continue;
        struct text t = front_report(1);
        script_of[i](&t, o->tables);
        int status = front_put(&t);
        text_free(&t);
        return status;
    }
    const char *near = nearest_word(shell, strlen(shell), completion_shell, SHELLS);
    front_complain("no completion for '%s'; there is bash, zsh and fish%s%s%s", shell,
                   near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
    return STATUS_WRONG;
}
