/* SPDX-License-Identifier: MIT
 *
 * completion.h - `fencepost completion SHELL`: a script by which a shell completes a command line.
 *
 * A script has two parts. What differs with the commands, options and words is written from the front door's tables, by
 * one file a shell: completion_bash.c and its fellows. What does not is a script of its own, completion.bash and its
 * fellows, which the build put into the program. Nothing of it runs the program; names of cases come from the files.
 */
#ifndef FENCEPOST_REPORTS_COMPLETION_H
#define FENCEPOST_REPORTS_COMPLETION_H

#include "reports/placeholder.h"
#include "reports/text.h"

#define SHELLS 3
extern const char *const completion_shell[SHELLS];

/* Whole scripts. */
void completion_bash(struct text *t, const struct tables *tables);
void completion_zsh(struct text *t, const struct tables *tables);
void completion_fish(struct text *t, const struct tables *tables);

/* --- what the three share ------------------------------------------------------------------------ */

/* Says who wrote it. */
void completion_head(struct text *t, const struct tables *tables, const char *shell);
/* The name that a list has in a script: "gate", or "format_run" where each command has one of its own. */
void completion_key(struct text *t, const struct placeholder *p, const struct command *c);
/* put() for each list that some command takes words of, once; first for "command", the commands themselves. */
void completion_lists(struct text *t, const struct tables *tables,
                      void (*put)(struct text *t, const char *key, const struct word_list *words));
/* In single quotes, for bash and zsh. */
void completion_quote(struct text *t, const char *string);

#endif
