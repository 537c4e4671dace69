/* SPDX-License-Identifier: MIT
 *
 * line.c - see line.h.
 */
#include "reports/line.h"

#include <string.h>

const char *line_name(const struct sim_plan *plan, name_id name)
{
    ASSERT(name < plan->names->n);
    return plan->names->text[name];
}

void line_value(struct text *t, const struct sim_plan *plan, struct value v)
{
    switch (v.tag) {
    case TAG_INT: text_i64(t, v.v); break;
    case TAG_NS: text_duration(t, v.v); break;
    case TAG_TEXT: text_quoted(t, line_name(plan, (name_id)v.v)); break;
    case TAG_NAME: text_shown(t, line_name(plan, (name_id)v.v)); break;
    case TAG_BOOL: text_add(t, v.v != 0 ? "true" : "false"); break;
    default: text_add(t, "none");
    }
}

bool line_is_note(const struct sim_plan *plan, const struct record *r)
{
    return plan->verbs[r->verb].flags & VERB_NOTE;
}

static struct value field_of(const struct record *r, unsigned i)
{
    ASSERT(i < RECORD_FIELDS);
    struct value v = {r->field[i], r->tag[i]};
    return v;
}

/* Names are bare, a job's too: it has its quotes already. What an effect is called is a text. */
static void object(struct text *t, const struct sim_plan *plan, const struct record *r)
{
    const char *name = line_name(plan, r->object);
    if (r->verb == V_EFFECTS || r->verb == V_REPEATS)
        text_quoted(t, name);
    else
        text_shown(t, name);
}

void line_words(struct text *t, const struct sim_plan *plan, const struct record *r)
{
    ASSERT(r->verb < plan->n_verbs);
    const struct verb *verb = &plan->verbs[r->verb];
    text_shown(t, line_name(plan, r->actor));
    text_char(t, ' ');
    text_add(t, verb->name);
    if (r->object != NONE16) {
        text_char(t, ' ');
        object(t, plan, r);
    }
    for (unsigned i = 0; i < verb->fields; i++) {
        bool column = r->verb == V_SETS && i == 0; /* set to none: that is what it says */
        if ((r->tag[i] == TAG_NONE && !column) || verb->field_name[i][0] == '.')
            continue;
        if (verb->field_name[i][0] != '\0') {
            text_char(t, ' ');
            text_add(t, verb->field_name[i]);
        }
        text_char(t, ' ');
        line_value(t, plan, field_of(r, i));
    }
}

size_t line_wider(size_t width, ns at)
{
    size_t digits = 1, places = at % NS_PER_MS == 0 ? 3 : at % NS_PER_US == 0 ? 6 : 9;
    for (ns s = at / NS_PER_S; s > 9 || s < -9; s /= 10)
        digits++;
    size_t need = (at < 0) + digits + 1 + places + 1;
    return need > width ? need : width;
}

void line_time(struct text *t, ns at, size_t width)
{
    size_t need = line_wider(0, at);
    text_repeat(t, ' ', need < width ? width - need : 0);
    text_time(t, at);
}

void line_record(struct text *t, const struct sim_plan *plan, const struct record *r, size_t width)
{
    bool note = line_is_note(plan, r);
    line_time(t, r->at, width);
    text_add(t, note ? "  (" : "  ");
    line_words(t, plan, r);
    if (note)
        text_char(t, ')');
}

struct value line_field(const struct sim_plan *plan, const struct record *r, const char *name)
{
    return record_field(plan, r, name);
}

/* A key for JSON: the field's name, without the dot of a hidden one; the nameless one is "value"; a
 * duration says its unit. */
static void json_field(struct text *t, const struct sim_plan *plan, const char *name, struct value v)
{
    text_char(t, ',');
    text_char(t, '"');
    text_add(t, name[0] == '\0' ? "value" : name[0] == '.' ? name + 1 : name);
    text_add(t, v.tag == TAG_NS ? "_ns\":" : "\":");
    if (v.tag == TAG_TEXT || v.tag == TAG_NAME)
        text_json(t, line_name(plan, (name_id)v.v));
    else if (v.tag == TAG_BOOL)
        text_add(t, v.v != 0 ? "true" : "false");
    else
        text_i64(t, v.v);
}

void line_json_name(struct text *t, const struct model_plan *p, name_id name)
{
    for (uint32_t i = 0; i < p->n_jobs; i++)
        if (p->jobs[i].object == name)
            name = p->jobs[i].name;
    text_json(t, name == NONE16 ? NULL : line_name(p->sim, name));
}

void line_json(struct text *t, const struct model_plan *p, const struct record *r, uint32_t index)
{
    const struct sim_plan *plan = p->sim;
    const struct verb *verb = &plan->verbs[r->verb];
    text_add(t, "{\"record\":");
    text_u64(t, index);
    text_add(t, ",\"at_ns\":");
    text_i64(t, r->at);
    text_add(t, ",\"actor\":");
    text_json(t, line_name(plan, r->actor));
    text_add(t, ",\"verb\":");
    text_json(t, verb->name);
    text_add(t, ",\"object\":");
    line_json_name(t, p, r->object);
    text_add(t, ",\"start\":");
    text_u64(t, r->start);
    text_add(t, ",\"fields\":{");
    size_t open = t->n;
    for (unsigned i = 0; i < verb->fields; i++)
        if (r->tag[i] != TAG_NONE)
            json_field(t, plan, verb->field_name[i], field_of(r, i));
    if (t->n > open && !t->failed) { /* the first comma goes */
        memmove(t->bytes + open, t->bytes + open + 1, t->n - open - 1);
        t->n--;
    }
    text_add(t, "},\"note\":");
    text_add(t, line_is_note(plan, r) ? "true" : "false");
    text_add(t, ",\"cause\":");
    if (r->cause == 0)
        text_add(t, "null");
    else
        text_u64(t, r->cause - 1);
    text_add(t, ",\"line\":");
    text_u64(t, r->line);
    text_char(t, '}');
}
