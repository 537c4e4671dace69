/* SPDX-License-Identifier: MIT
 *
 * export_jsonl.c - the trace as JSON Lines, which every other reader can be fed from.
 *
 *  1. The first line is the head ("v"), the last the summary ("verdict"), every other a record ("record").
 *  2. What is added later are new keys; "v" changes when an old one goes or means something else.
 *  3. "cause" counts records with the notes, whether these are printed or not.
 *  4. 64-bit digests are strings. A wall clock that jumped by years may read more than 2^53 ns.
 */
#include "reports/export_clock.h"

#include "reports/line.h"

#include <string.h>

static void head(struct text *t, const struct exported *x)
{
    text_add(t, "{\"v\":1,\"file\":");
    text_json(t, export_path(x->f->path));
    text_key(t, "scenario");
    text_json(t, scenario_title(x->f->scenario));
    text_key(t, "case");
    text_json(t, x->r->c->name);
    text_key(t, "tool");
    text_json(t, "fencepost");
    text_key(t, "unit");
    text_json(t, "ns");
    text_key(t, "removed");
    text_char(t, '[');
    for (int g = 0; g < GATES; g++) {
        if (gate_on(x->model, (enum gate)g))
            continue;
        text_comma(t);
        text_json(t, gate_table[g].name);
    }
    text_char(t, ']');
    text_key(t, "lanes");
    text_char(t, '[');
    for (uint32_t i = 0; i < x->lanes; i++) {
        text_add(t, i > 0 ? "," : "");
        text_json(t, export_lane_name(x, i));
    }
    text_add(t, "]}\n");
}

/* Takes the bracket off that closes the object, for more keys. */
static void reopen(struct text *t)
{
    if (t->failed)
        return;
    ASSERT(t->n > 0 && t->bytes[t->n - 1] == '}');
    t->n--;
}

static void clocks(struct text *t, struct export_clocks *c, uint32_t machine, ns at)
{
    static const char *const key[CLOCKS] = {"mono_ns", "boot_ns", "wall_ns"};
    for (int kind = 0; kind < CLOCKS; kind++) {
        text_key(t, key[kind]);
        text_i64(t, export_clocks_read(c, machine, (enum clock_kind)kind, at));
    }
}

static void record(struct text *t, struct export_clocks *c, uint32_t i)
{
    const struct exported *x = c->x;
    uint16_t process = x->process_of[x->record[i].actor];
    line_json(t, x->model, &x->record[i], i);
    reopen(t);
    text_key(t, "node");
    text_json(t, process == NONE16 ? NULL : export_lane_name(x, process));
    if (process != NONE16)
        clocks(t, c, x->sim->processes[process].machine, x->record[i].at);
    text_add(t, "}\n");
}

/* Which records broke what, in the order of "violations". */
static void broken(struct text *t, const struct exported *x)
{
    static const char *const as[] = {"expected", "unexpected", "and then", "sign"};
    text_key(t, "broken");
    text_char(t, '[');
    for (uint32_t i = 0; i < x->r->n_violations; i++) {
        const struct violation *v = &x->r->violation[i];
        text_add(t, i > 0 ? ",{" : "{");
        text_key(t, "invariant");
        text_json(t, invariant_table[v->invariant].name);
        text_key(t, "record");
        text_u64(t, v->record - 1);
        text_key(t, "other");
        if (v->other > 0)
            text_u64(t, v->other - 1);
        else
            text_add(t, "null");
        text_key(t, "as");
        text_json(t, as[x->r->role[i]]);
        text_char(t, '}');
    }
    text_char(t, ']');
}

static void summary(struct text *t, const struct exported *x)
{
    static const char *const end[] = {"idle", "horizon", "events", "full", "failed"};
    outcome_case_json(t, x->f, x->r);
    reopen(t);
    broken(t, x);
    text_key(t, "end");
    text_json(t, end[x->r->end]);
    text_key(t, "records");
    text_u64(t, x->n);
    text_add(t, "}\n");
}

void export_jsonl(struct text *t, const struct exported *x, bool notes)
{
    struct export_clocks c;
    struct text raw = {0};
    if (!export_clocks_open(&c, x)) {
        t->failed = true;
        return;
    }
    head(&raw, x);
    for (uint32_t i = 0; i < x->n; i++) {
        export_clocks_go(&c, i);
        if (notes || !export_is_note(x, i) || export_is_broken(x, i))
            record(&raw, &c, i);
    }
    summary(&raw, x);
    export_clocks_close(&c);
    export_json_safe(t, &raw);
}
