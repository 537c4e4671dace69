/* SPDX-License-Identifier: MIT
 *
 * line.h - one record of a trace as one line in the scenario's words.
 *
 *          13.005s  ledger commits w1 token 1 "from w1"
 *
 * ACTOR VERB OBJECT, then the fields that are not hidden and not empty, each behind its name. Such
 * a line, with or without its time and its details, can stand after `expect`; a note, which cannot, is
 * in brackets.
 */
#ifndef FENCEPOST_REPORTS_LINE_H
#define FENCEPOST_REPORTS_LINE_H

#include "reports/text.h"
#include "scenarios/run.h"

#define LINE_TIME_WIDTH 12u /* the least for a time, which is aligned right; the actor stands two blanks behind it */

const char *line_name(const struct sim_plan *plan, name_id name);
/* `none`, 7, 12s, "text", a-name, true. */
void line_value(struct text *t, const struct sim_plan *plan, struct value v);
/* ACTOR VERB OBJECT details */
void line_words(struct text *t, const struct sim_plan *plan, const struct record *r);
/* The width that a time needs, if it is more than `width`: begin with LINE_TIME_WIDTH. */
size_t line_wider(size_t width, ns at);
void line_time(struct text *t, ns at, size_t width);
/* The whole line with its time, without a newline. */
void line_record(struct text *t, const struct sim_plan *plan, const struct record *r, size_t width);
/* A name as a JSON string; a job's is its text, without the quotes that the trace prints. NONE16: null. */
void line_json_name(struct text *t, const struct model_plan *p, name_id name);
bool line_is_note(const struct sim_plan *plan, const struct record *r);
/* The value of a field by its name, hidden or not ("token", "version"); TAG_NONE if the verb has none. */
struct value line_field(const struct sim_plan *plan, const struct record *r, const char *name);
/* {"at_ns":13005000000,"actor":"ledger","verb":"commits","object":"w1","token":1,...,"cause":31,"line":17} */
void line_json(struct text *t, const struct model_plan *p, const struct record *r, uint32_t index);

#endif
