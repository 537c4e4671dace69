/* SPDX-License-Identifier: MIT
 *
 * explain_json.c - an explanation as one JSON object, on one line.
 *
 *     {"v":1,"file":..,"scenario":..,"case":..,"verdict":..,"as_expected":..,
 *      "explains":"rule","invariant":"no-stale-write","at_ns":..,"digest":..,"replays":62,
 *      "chain":[{"record":2,"why":"cause","told":true}, ..],           record: its index, as `trace --json` counts
 *      "faults":[{"line":25,"came":true,"at_ns":..,"need":"needed","other_line":null,
 *                 "windows":[{"of":"length","own":12000000000,"tried":[[10000000000,"holds"], ..]}]}],
 *      "gates":[{"gate":"store-token","outcome":"holds","same_trace":false}, ..],
 *      "no_return_line":25,
 *      "lines":[{"part":"faults","text":..,"record":null,"outcome":"holds","invariant":null,"case":..,"command":..}]}
 *
 * A value of a window is in nanoseconds, of a rate in parts in 10^9; null: without end. Outcomes: "holds", "same" (the
 * invariant that is explained breaks), "other", "no end", "long"
 * (not followed to its end), "impossible", "unasked".
 */
#include "reports/explain.h"

#include "reports/line.h"

static const char *const outcome_word[] = {"unasked", "holds", "same", "other", "no end", "long", "impossible"};
static const char *const explains_word[] = {"rule", "always", "expectation", "end", "nothing"};
static const char *const why_word[] = {"broke", "conflict", "cause", "state", "absence"};
static const char *const need_word[] = {"unasked", "needed", "not needed", "either"};
static const char *const window_word[] = {"length", "amount", "rate", "time", "moment", "message"};

static void key_number(struct text *t, const char *key, int64_t v)
{
    text_key(t, key);
    text_i64(t, v);
}

/* NONE32: null. */
static void key_line(struct text *t, const char *key, uint32_t line)
{
    text_key(t, key);
    if (line == NONE32)
        text_add(t, "null");
    else
        text_u64(t, line);
}

static void key_invariant(struct text *t, const struct explanation *x, uint32_t invariant)
{
    text_key(t, "invariant");
    if (invariant < INVARIANTS) {
        text_json(t, invariant_table[invariant].name);
    } else if (invariant == NONE32) {
        text_add(t, "null");
    } else {
        struct text always = {0};
        text_add(&always, "always ");
        text_u64(&always, x->c->expectations[invariant - INVARIANTS].line);
        text_json_bytes(t, always.n == 0 ? "" : always.bytes, always.n);
        text_done(t, &always);
    }
}

static void add_chain(struct text *t, const struct explanation *x)
{
    text_key(t, "chain");
    text_char(t, '[');
    for (uint32_t i = 0; i < x->n_links; i++) {
        text_comma(t);
        text_char(t, '{');
        key_number(t, "record", x->link[i].record - 1);
        text_key_text(t, "why", why_word[x->link[i].why]);
        text_key_bool(t, "told", x->link[i].told);
        text_char(t, '}');
    }
    text_char(t, ']');
}

static void add_window(struct text *t, const struct scanned *w, uint32_t of)
{
    text_comma(t);
    text_char(t, '{');
    text_key_text(t, "of", window_word[of]);
    text_key(t, "own");
    text_u64(t, w->own);
    text_key(t, "tried");
    text_char(t, '[');
    for (uint32_t i = 0; i < w->n; i++) {
        text_comma(t);
        text_char(t, '[');
        if (w->tried[i].value == NS_NEVER)
            text_add(t, "null");
        else
            text_i64(t, w->tried[i].value);
        text_add(t, ",");
        text_json(t, outcome_word[w->tried[i].replay.end]);
        text_char(t, ']');
    }
    text_add(t, "]}");
}

static void add_faults(struct text *t, const struct explanation *x)
{
    text_key(t, "faults");
    text_char(t, '[');
    for (uint32_t i = 0; i < x->n_faults; i++) {
        const struct fault_fact *f = &x->fault[i];
        text_comma(t);
        text_char(t, '{');
        key_line(t, "line", f->line);
        text_key_bool(t, "came", f->came);
        text_key(t, "at_ns");
        if (f->came)
            text_i64(t, f->at);
        else
            text_add(t, "null");
        text_key_text(t, "need", need_word[f->need]);
        key_line(t, "other_line", f->need == NEED_EITHER ? x->fault[f->other].line : NONE32);
        text_key(t, "windows");
        text_char(t, '[');
        for (uint32_t of = 0; of < WINDOWS; of++)
            if (f->window[of].n > 0)
                add_window(t, &f->window[of], of);
        text_add(t, "]}");
    }
    text_char(t, ']');
}

static void add_gates(struct text *t, const struct explanation *x)
{
    text_key(t, "gates");
    text_char(t, '[');
    for (uint32_t i = 0; i < x->n_gates; i++) {
        text_comma(t);
        text_char(t, '{');
        text_key_text(t, "gate", gate_table[x->gate[i].gate].name);
        text_key_text(t, "outcome", outcome_word[x->gate[i].replay.end]);
        text_key_bool(t, "same_trace", x->gate[i].replay.same_trace);
        text_char(t, '}');
    }
    text_char(t, ']');
}

static void add_line(struct text *t, const struct telling *k, const struct told *row)
{
    uint32_t n;
    const struct explanation *x = k->x;
    const struct record *records = sim_trace(x->run->sim, &n);
    struct text words = {0};
    const struct text *said = row->kind == TOLD_EVENT ? &words : &row->words;
    if (row->kind == TOLD_EVENT)
        line_words(&words, &x->c->sim, &records[row->record - 1]);
    text_comma(t);
    text_char(t, '{');
    text_key_text(t, "part", told_part_name[row->part]);
    text_key(t, "text");
    text_json_bytes(t, said->n == 0 ? "" : said->bytes, said->n);
    if (row->kind == TOLD_EVENT) {
        key_number(t, "record", row->record - 1);
        key_number(t, "at_ns", records[row->record - 1].at);
    }
    if (row->replay != NULL) {
        text_key_text(t, "outcome", outcome_word[row->replay->end]);
        key_invariant(t, x, replay_breaks(row->replay) ? row->replay->invariant : NONE32);
        text_key_text(t, "case", scenario_case_name(x->scenario, row->case_index));
        text_key(t, "command");
        text_json_bytes(t, row->command.n == 0 ? "" : row->command.bytes, row->command.n);
    }
    text_char(t, '}');
    text_done(t, &words);
}

void explain_json(struct text *t, const struct telling *k)
{
    const struct explanation *x = k->x;
    text_char(t, '{');
    key_number(t, "v", 1);
    text_key_text(t, "file", k->file->path);
    text_key_text(t, "scenario", scenario_title(x->scenario));
    text_key_text(t, "case", x->c->name);
    text_key_text(t, "verdict", verdict_name[x->run->verdict]);
    text_key_bool(t, "as_expected", x->run->as_expected);
    text_key_text(t, "explains", explains_word[x->what]);
    key_invariant(t, x, x->invariant);
    if (x->what == EXPLAINED_RULE)
        key_number(t, "at_ns", x->run->violation[x->index].at);
    key_number(t, "replays", x->replays);
    add_chain(t, x);
    add_faults(t, x);
    add_gates(t, x);
    key_line(t, "no_return_line", x->no_return == NONE32 ? NONE32 : x->fault[x->no_return].line);
    text_key(t, "lines");
    text_char(t, '[');
    for (uint32_t i = 0; i < k->n; i++)
        add_line(t, k, &k->row[i]);
    text_add(t, "]}\n");
    t->failed = t->failed || k->failed;
}
