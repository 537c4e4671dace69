/* SPDX-License-Identifier: MIT
 *
 * trace.c - see trace.h.
 */
#include "reports/trace.h"

#include "reports/export.h"
#include "reports/line.h"
#include "reports/verdict.h"

#include <string.h>

static void head(struct text *t, const struct outcome_file *f, const struct run *r)
{
    text_add(t, "scenario ");
    text_quoted(t, scenario_title(f->scenario));
    text_add(t, "\ncase ");
    text_add(t, r->c->name);
    text_add(t, "\n\n");
}

/* The marks of what the record broke; a sign that the case does not name is a sign, not a violation. */
static void marks(struct text *t, const struct run *r, uint32_t record, size_t indent)
{
    static const char *const word[] = {"^ violates ", "^ violates ", "^ and then violates ", "^ sign "};
    for (uint32_t i = 0; i < r->n_violations; i++) {
        const struct violation *v = &r->violation[i];
        if (v->record != record)
            continue;
        text_repeat(t, ' ', indent);
        text_style(t, r->role[i] == ROLE_WARNING ? STYLE_DIM : STYLE_BAD);
        text_add(t, word[r->role[i]]);
        text_add(t, invariant_table[v->invariant].name);
        text_add(t, ": ");
        verdict_sentence(t, r, v);
        text_style(t, STYLE_PLAIN);
        text_char(t, '\n');
    }
}

static bool is_broken(const struct run *r, uint32_t record)
{
    for (uint32_t i = 0; i < r->n_violations; i++)
        if (r->violation[i].record == record)
            return true;
    return false;
}

/* The verdict, with the names of what was broken by it, and what stays undecided. */
static void foot(struct text *t, const struct outcome_file *f, const struct run *r)
{
    text_add(t, "\nverdict ");
    text_add(t, verdict_name[r->verdict]);
    const char *before = " ";
    for (uint32_t i = 0; r->verdict == VERDICT_VIOLATES && i < r->n_violations; i++) {
        if (r->role[i] == ROLE_WARNING)
            continue;
        text_add(t, before);
        text_add(t, invariant_table[r->violation[i].invariant].name);
        before = " and ";
    }
    if (r->verdict == VERDICT_ERROR) {
        text_add(t, ": ");
        outcome_error(t, f, r);
        text_char(t, '\n');
        outcome_error_line(t, f, r, 4);
    } else {
        text_char(t, '\n');
    }
    for (uint32_t i = 0; i < r->n_undecided; i++) {
        text_add(t, "undecided ");
        outcome_open(t, r, &r->undecided[i]);
        text_char(t, '\n');
    }
    text_add(t, "digest ");
    text_digest(t, r->digest);
    text_char(t, '\n');
}

static bool is_shown(const struct run *r, const struct record *records, uint32_t i, bool notes)
{
    return notes || !line_is_note(&r->c->sim, &records[i]) || is_broken(r, i + 1);
}

void trace_text(struct text *t, const struct outcome_file *f, const struct run *r, bool notes)
{
    uint32_t n;
    const struct record *records = sim_trace(r->sim, &n);
    size_t width = LINE_TIME_WIDTH;
    for (uint32_t i = 0; i < n; i++)
        if (is_shown(r, records, i, notes))
            width = line_wider(width, records[i].at);
    head(t, f, r);
    for (uint32_t i = 0; i < n; i++) {
        if (!is_shown(r, records, i, notes))
            continue;
        line_record(t, &r->c->sim, &records[i], width);
        text_char(t, '\n');
        marks(t, r, i + 1, width + 2);
    }
    foot(t, f, r);
}

void trace_export(struct text *t, const struct outcome_file *f, const struct run *r, enum format format, bool notes)
{
    struct exported x;
    if (!export_open(&x, f, r)) {
        t->failed = true;
        return;
    }
    switch (format) {
    case FORMAT_JSON: export_jsonl(t, &x, notes); break;
    case FORMAT_JSONL: export_jsonl(t, &x, true); break;
    case FORMAT_SHIVIZ: export_shiviz(t, &x, notes); break;
    case FORMAT_PERFETTO: export_perfetto(t, &x); break;
    case FORMAT_EDN: export_edn(t, &x); break;
    case FORMAT_MERMAID: export_mermaid(t, &x); break;
    default: ASSERT(format == FORMAT_DOT); export_dot(t, &x);
    }
    export_close(&x);
}

/* --- decision points --------------------------------------------------------------------------- */

static int64_t point_field(const struct run *r, const struct record *one, const char *name)
{
    return line_field(&r->c->sim, one, name).v;
}

static void point(struct text *t, const struct run *r, const struct record *one)
{
    const struct sim_plan *plan = &r->c->sim;
    int64_t kind = point_field(r, one, "kind"), what = point_field(r, one, "what");
    const char *actor = line_name(plan, one->actor);
    const char *peer = one->object == NONE16 ? NULL : line_name(plan, one->object);
    if (kind == CHOICE_BEFORE || kind == CHOICE_AFTER) {
        ASSERT(what >= 0 && (uint32_t)what < plan->n_verbs);
        text_add(t, kind == CHOICE_BEFORE ? "before " : "after ");
        text_shown(t, actor);
        text_char(t, ' ');
        text_add(t, plan->verbs[what].name);
        text_add(t, peer == NULL ? "" : " ");
        text_shown(t, peer == NULL ? "" : peer);
    } else if (kind == CHOICE_RESUME) {
        text_shown(t, actor);
        text_add(t, " resumes");
    } else {
        text_add(t, kind == CHOICE_DELAY ? "delay " : "");
        text_shown(t, actor);
        text_add(t, " -> ");
        text_shown(t, peer == NULL ? "" : peer);
    }
    text_add(t, " #");
    text_i64(t, point_field(r, one, "#"));
}

void trace_points(struct text *t, const struct outcome_file *f, const struct run *r)
{
    uint32_t n, count = 0;
    const struct record *records = sim_trace(r->sim, &n);
    size_t width = LINE_TIME_WIDTH;
    for (uint32_t i = 0; i < n; i++)
        if (records[i].verb == V_CHOICE)
            width = line_wider(width, records[i].at);
    head(t, f, r);
    for (uint32_t i = 0; i < n; i++) {
        if (records[i].verb != V_CHOICE)
            continue;
        count++;
        line_time(t, records[i].at, width);
        text_add(t, "  ");
        point(t, r, &records[i]);
        text_char(t, '\n');
    }
    text_char(t, '\n');
    text_count(t, count, "decision point", "decision points");
    text_char(t, '\n');
}
