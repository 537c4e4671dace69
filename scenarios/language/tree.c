/* SPDX-License-Identifier: MIT
 *
 * tree.c - the header of a scenario, its cases, and which lines a case keeps.
 */
#include "scenarios/language/tree.h"

#include <string.h>

#include "scenarios/language/bounds.h"
#include "scenarios/situations.h"

const struct token *line_start(const struct scenario *s, const struct line *line)
{
    const struct token *t = line_token(s, line, 0);
    while (t->kind == T_OPEN) {
        while (t->kind != T_CLOSE && t->kind != T_END)
            t++;
        if (t->kind == T_CLOSE)
            t++;
    }
    return t;
}

static int32_t gate_find(const char *name)
{
    for (int32_t g = 0; g < GATES; g++)
        if (strcmp(gate_table[g].name, name) == 0)
            return g;
    return -1;
}

static int32_t case_find(const struct scenario *s, const char *name)
{
    for (uint32_t i = 0; i < s->cases.n; i++)
        if (strcmp(s->cases.row[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}

/* --- prefixes ------------------------------------------------------------------------------ */

/* One name within brackets, behind its '-' if it has one. A case of the file's own comes before a gate of the same
 * name: so a gate that a later version adds changes no old file. */
static bool prefix_holds(const struct token *t, bool minus, uint32_t case_index, uint32_t removed)
{
    if (t->value > 0)
        return t->value - 1 == (int64_t)case_index;
    return t->value < 0 && (removed >> (-1 - t->value) & 1) == minus;
}

bool line_kept(const struct scenario *s, const struct line *line, uint32_t case_index, uint32_t removed)
{
    const struct token *t = line_token(s, line, 0);
    while (t->kind == T_OPEN) {
        bool any = false, minus = false;
        for (t++; t->kind != T_CLOSE && t->kind != T_END; t++) {
            if (t->kind == T_WORD)
                any |= prefix_holds(t, minus, case_index, removed);
            minus = t->kind == T_MINUS;
        }
        if (!any)
            return false;
        t += t->kind == T_CLOSE;
    }
    return true;
}

static void prefix_unknown(struct scenario *s, const struct token *t, struct diags *d)
{
    const char *words[CASES_MAX + GATES];
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->cases.n; i++)
        words[n++] = s->cases.row[i].name;
    for (uint32_t g = 0; g < GATES; g++)
        if (gate_table[g].built)
            words[n++] = gate_table[g].name;
    diag_unknown(d, token_place(t), "case or gate", t->text, words, n);
}

/* The token's value becomes 1 + the case, or -1 - the gate. */
static void check_prefix_name(struct scenario *s, struct token *t, bool minus, struct diags *d)
{
    int32_t gate = gate_find(t->text), named = case_find(s, t->text);
    t->value = named >= 0 && !minus ? 1 + named : gate >= 0 ? -1 - gate : 0;
    if (named >= 0 && !minus)
        return;
    if (gate >= 0 && !gate_table[gate].built)
        diag_add(d, token_place(t), "'%s' is not in this version yet", t->text);
    else if (named >= 0 && gate < 0)
        diag_add(d, token_place(t), "a minus stands before gates only; '%.60s' is a case", t->text);
    else if (gate < 0)
        prefix_unknown(s, t, d);
}

/* [a b] [-gate]: returns false and complains if the brackets are not right. */
static bool check_prefix(struct scenario *s, struct line *line, struct diags *d)
{
    uint32_t before = d->total;
    struct token *t = &s->src.tokens.row[line->first];
    while (t->kind == T_OPEN && d->total == before) {
        const struct token *open = t++;
        for (; t->kind == T_WORD || (t->kind == T_MINUS && t[1].kind == T_WORD); t++) {
            bool minus = t->kind == T_MINUS;
            t += minus;
            check_prefix_name(s, t, minus, d);
        }
        if (t->kind != T_CLOSE)
            diag_add(d, token_place(t), "expected the name of a case or gate, or ]");
        else if (t == open + 1)
            diag_add(d, token_place(open), "[] names no case");
        else
            t++;
    }
    return d->total == before;
}

/* --- cases ----------------------------------------------------------------------------------- */

struct option_row {
    const char *option, *value;
    enum gate gate;
    uint16_t clock, token_mode, count_mode;
};
static const struct option_row options[] = {
    {"clock", "monotonic", GATE_SAFE_CLOCK, CLOCK_MONOTONIC, NONE16, NONE16},
    {"clock", "wall", GATE_SAFE_CLOCK, CLOCK_WALL, NONE16, NONE16},
    {"token", "per-owner", GATE_MONOTONIC_TOKEN, NONE16, TOKEN_PER_OWNER, NONE16},
    {"token", "random", GATE_MONOTONIC_TOKEN, NONE16, TOKEN_RANDOM, NONE16},
    {"count", "reachable", GATE_STRICT_MAJORITY, NONE16, NONE16, COUNT_REACHABLE},
};
#define OPTIONS (sizeof options / sizeof *options)

static void option_unknown(const struct token *option, const struct token *value, struct diags *d)
{
    const char *words[OPTIONS + 1];
    uint32_t n = 0;
    bool known = false;
    for (size_t i = 0; i < OPTIONS; i++)
        known |= strcmp(options[i].option, option->text) == 0;
    for (size_t i = 0; i < OPTIONS; i++)
        if (known && strcmp(options[i].option, option->text) == 0)
            words[n++] = options[i].value;
        else if (!known && (n == 0 || strcmp(words[n - 1], options[i].option) != 0))
            words[n++] = options[i].option;
    if (!known)
        words[n++] = "progress";
    if (!known)
        diag_unknown(d, token_place(option), "option", option->text, words, n);
    else
        diag_unknown(d, token_place(value), "value", value->text, words, n);
}

static bool option_chosen(const struct option_row *o, const struct case_row *row)
{
    return (o->clock != NONE16 && o->clock == row->clock) ||
           (o->token_mode != NONE16 && o->token_mode == row->token_mode) ||
           (o->count_mode != NONE16 && o->count_mode == row->count_mode);
}

bool case_option(const struct case_row *row, uint32_t removed, uint32_t i, const char **option, const char **value)
{
    for (size_t k = 0; k < OPTIONS; k++) {
        if (!(removed >> options[k].gate & 1) || !option_chosen(&options[k], row) || i-- > 0)
            continue;
        *option = options[k].option;
        *value = options[k].value;
        return true;
    }
    return false;
}

/* progress D: within which time it must show. */
static const struct token *read_progress(struct case_row *row, const struct token *value, struct diags *d)
{
    if (value->kind != T_DURATION || value->value == 0)
        diag_add(d, token_place(value), "expected a duration longer than 0s, as in with progress 1m");
    else if (row->progress != 0)
        diag_add(d, token_place(value - 1), "'progress' stands here twice");
    row->progress = value->value;
    return value->kind == T_END ? value : value + 1;
}

static const struct token *read_option(struct case_row *row, const struct token *t, struct diags *d)
{
    const struct token *value = t->kind == T_END ? t : t + 1;
    if (token_is(t, "progress"))
        return read_progress(row, value, d);
    for (size_t i = 0; i < OPTIONS; i++) {
        const struct option_row *o = &options[i];
        if (!token_is(t, o->option) || !token_is(value, o->value))
            continue;
        if (!(row->removed >> o->gate & 1))
            diag_add(d, token_place(t), "'with %s %s' is a way to be without %s: say 'without %s' first", o->option,
                     o->value, gate_table[o->gate].name, gate_table[o->gate].name);
        row->clock = o->clock != NONE16 ? o->clock : row->clock;
        row->token_mode = o->token_mode != NONE16 ? o->token_mode : row->token_mode;
        row->count_mode = o->count_mode != NONE16 ? o->count_mode : row->count_mode;
        return value + 1;
    }
    option_unknown(t, value, d);
    return t;
}

static bool case_clause_ends(const struct token *t)
{
    return t->kind == T_END || token_is(t, "without") || token_is(t, "with") || token_is(t, "holds") ||
           token_is(t, "violates");
}

static void gate_unknown(const struct token *t, struct diags *d)
{
    const char *words[GATES];
    uint32_t n = 0;
    for (uint32_t g = 0; g < GATES; g++)
        if (gate_table[g].built)
            words[n++] = gate_table[g].name;
    diag_unknown(d, token_place(t), "gate", t->text, words, n);
}

/* -1 and a problem, if the token names no gate that is built. */
static int32_t read_gate(const struct token *t, struct diags *d)
{
    int32_t gate = gate_find(t->text);
    if (gate >= 0 && !gate_table[gate].built) {
        diag_add(d, token_place(t), "'%s' is not in this version yet", t->text);
        return -1;
    }
    if (gate < 0)
        gate_unknown(t, d);
    return gate;
}

static const struct token *read_gates(struct case_row *row, const struct token *t, struct diags *d)
{
    if (case_clause_ends(t))
        diag_add(d, token_place(t), "expected the name of a gate behind 'without'");
    for (; !case_clause_ends(t); t++) {
        int32_t gate = read_gate(t, d);
        if (gate >= 0 && (row->removed >> gate & 1))
            diag_add(d, token_place(t), "'%s' stands here twice", t->text);
        if (gate >= 0)
            row->removed |= UINT32_C(1) << gate;
    }
    return t;
}

static const struct token *read_clauses(struct case_row *row, const struct token *t, struct diags *d)
{
    uint32_t before = d->total;
    while ((token_is(t, "without") || token_is(t, "with")) && d->total == before) {
        bool with = token_is(t, "with");
        t = with ? read_option(row, t + 1, d) : read_gates(row, t + 1, d);
        while (with && !case_clause_ends(t) && d->total == before)
            t = read_option(row, t, d);
    }
    return t;
}

static void check_case_name(struct scenario *s, const struct token *t, struct diags *d)
{
    if (t->kind != T_WORD || t->text[0] == '\0')
        diag_add(d, token_place(t), "expected the name of the case");
    else if (case_find(s, t->text) >= 0)
        diag_add(d, token_place(t), "there is a case '%.60s' already", t->text);
}

static void read_case(struct scenario *s, struct line *line, struct diags *d)
{
    uint32_t before = d->total;
    const struct token *t = line_token(s, line, 1);
    check_case_name(s, t, d);
    if (d->total == before && s->cases.n == CASES_MAX)
        diag_add(d, token_place(t), "a scenario has at most %u cases", CASES_MAX);
    if (d->total == before) {
        struct case_row *row = LIST_ADD(&s->arena, &s->cases);
        *row = (struct case_row){.name = t->text,
                                 .line = (uint32_t)(line - s->src.lines.row),
                                 .clock = NONE16,
                                 .token_mode = NONE16,
                                 .count_mode = NONE16};
        t = read_clauses(row, t + 1, d);
        row->result = (uint32_t)(t - s->src.tokens.row);
        const struct token *last = line_token(s, line, line->n - 1);
        row->to_mend = token_is(t, "violates") && token_is(last, "mended") && token_is(last - 1, "until");
        static const char *const words[] = {"without", "with", "holds", "violates"};
        if (d->total == before && t->kind == T_END)
            diag_add(d, token_place(t), "expected 'holds' or 'violates'");
        else if (d->total == before && !token_is(t, "holds") && !token_is(t, "violates"))
            diag_unknown(d, token_place(t), "word", t->text, words, 4);
    }
    line->bad = d->total != before;
}

/* --- the header -------------------------------------------------------------------------------- */

static const char *read_text(const struct token *t, const char *old, struct diags *d)
{
    if (old != NULL)
        diag_add(d, token_place(t), "'%s' stands in the file twice", t->text);
    else if (t[1].kind != T_STRING)
        diag_add(d, token_place(&t[1]), "expected a text in double quotes");
    else if (t[2].kind != T_END)
        diag_add(d, token_place(&t[2]), "expected the end of the line");
    else
        return t[1].text;
    return old == NULL ? "" : old;
}

static void read_decided_by(struct scenario *s, const struct token *t, struct diags *d)
{
    if (s->decided_by >= 0)
        diag_add(d, token_place(t), "'decided-by' stands in the file twice");
    else if (t[1].kind != T_WORD)
        diag_add(d, token_place(&t[1]), "expected the name of a gate");
    else if (t[2].kind != T_END)
        diag_add(d, token_place(&t[2]), "expected the end of the line");
    else
        s->decided_by = read_gate(&t[1], d);
}

static void situation_unknown(const struct token *t, const char *cell, struct diags *d)
{
    const char *names[SITUATION_CELLS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < SITUATION_CELLS; i++)
        if (situation_is(i))
            names[n++] = situation_name(i);
    const char *near = nearest_word(cell, strlen(cell), names, n);
    if (near != NULL)
        diag_add(d, token_place(t), "no situation '%s'; did you mean '%s'?", cell, near);
    else
        diag_add(d, token_place(t), "no situation '%s'; `fencepost list situations` shows all", cell);
}

/* reach KIND PLACE "WORDS": the cell is called KIND:PLACE. */
static void read_reach(struct scenario *s, const struct token *t, struct diags *d)
{
    if (s->reach_cell != NULL) {
        diag_add(d, token_place(t), "'reach' stands in the file twice");
    } else if (t[1].kind != T_WORD || t[2].kind != T_WORD) {
        diag_add(d, token_place(t[1].kind != T_WORD ? &t[1] : &t[2]),
                 "expected a situation, as in reach pause between-check-and-act \"It stops behind its own check.\"");
    } else if (t[3].kind != T_STRING || t[4].kind != T_END) {
        diag_add(d, token_place(t[3].kind != T_STRING ? &t[3] : &t[4]),
                 t[3].kind != T_STRING ? "expected a text in double quotes" : "expected the end of the line");
    } else {
        size_t kind = strlen(t[1].text), place = strlen(t[2].text);
        char *cell = arena_alloc(&s->arena, kind + place + 2);
        if (cell == NULL)
            return;
        memcpy(cell, t[1].text, kind);
        cell[kind] = ':';
        memcpy(cell + kind + 1, t[2].text, place + 1);
        if (situation_find(cell) == NONE32) {
            situation_unknown(&t[1], cell, d);
            return;
        }
        s->reach_cell = cell;
        s->reach_words = t[3].text;
    }
}

static void read_title_line(struct scenario *s, const struct token *t, struct diags *d)
{
    static const char *const words[] = {"source", "lesson", "decided-by", "reach"};
    if (t->kind == T_OPEN)
        diag_add(d, token_place(t), "the lines below 'scenario' are the same in every case");
    else if (token_is(t, "source"))
        s->cites = read_text(t, s->cites, d);
    else if (token_is(t, "lesson"))
        s->lesson = read_text(t, s->lesson, d);
    else if (token_is(t, "decided-by"))
        read_decided_by(s, t, d);
    else if (token_is(t, "reach"))
        read_reach(s, t, d);
    else
        diag_unknown(d, token_place(t), "word below 'scenario'", t->text, words, 4);
}

static void read_scenario(struct scenario *s, const struct line *line, struct diags *d)
{
    s->title = read_text(line_token(s, line, 0), s->title, d);
    uint32_t from = (uint32_t)(line - s->src.lines.row) + 1;
    for (uint32_t i = from; i < line->end; i++)
        if (s->src.lines.row[i].n > 0 && !s->src.lines.row[i].bad)
            read_title_line(s, line_token(s, &s->src.lines.row[i], 0), d);
}

static void read_version(struct scenario *s, struct diags *d)
{
    const struct line *line = s->src.lines.n > 0 ? &s->src.lines.row[0] : NULL;
    struct place top = {1, 1, 1};
    if (line == NULL || line->number != 1 || line->n == 0 || !token_is(line_token(s, line, 0), "fencepost")) {
        diag_add(d, top, "line 1 names the language's version: expected 'fencepost %d'", LANGUAGE_VERSION);
        return;
    }
    const struct token *t = line_token(s, line, 1);
    if (t->kind != T_NUMBER || t->value < 1)
        diag_add(d, token_place(t), "expected the version, as in 'fencepost %d'", LANGUAGE_VERSION);
    else if (t->value > LANGUAGE_VERSION)
        diag_add(d, token_place(t),
                 "this file is for version %lld of the language; this program knows versions up to %d",
                 (long long)t->value, LANGUAGE_VERSION);
    else if (t[1].kind != T_END)
        diag_add(d, token_place(&t[1]), "expected the end of the line");
}

static void read_cases(struct scenario *s, struct diags *d)
{
    for (uint32_t i = 0; i < s->src.lines.n; i++) {
        struct line *line = &s->src.lines.row[i];
        if (line->n > 0 && !line->bad && line->depth == 0 && token_is(line_token(s, line, 0), "case"))
            read_case(s, line, d);
    }
    if (s->cases.n == 0 && d->total == 0)
        diag_add(d, (struct place){1, 1, 1}, "a scenario has at least one case, as in 'case plain holds'");
}

/* What stands at the left margin and belongs to every case. */
static void read_margin(struct scenario *s, struct line *line, uint32_t index, struct diags *d)
{
    const struct token *t = line_token(s, line, 0);
    const struct token *word = line_start(s, line);
    if (t != word && (token_is(word, "case") || token_is(word, "scenario") || token_is(word, "fencepost")))
        diag_add(d, token_place(t), "no [...] stands before '%s'", word->text);
    else if (token_is(t, "scenario"))
        read_scenario(s, line, d);
    else if (token_is(t, "fencepost") && index > 0)
        diag_add(d, token_place(t), "'fencepost' stands on line 1 only");
}

void tree_read_header(struct scenario *s, struct diags *d)
{
    read_version(s, d);
    if (d->total > 0)
        return;
    read_cases(s, d);
    for (uint32_t i = 0; i < s->src.lines.n; i++) {
        struct line *line = &s->src.lines.row[i];
        if (line->n == 0 || line->bad)
            continue;
        line->bad = !check_prefix(s, line, d);
        if (line->depth == 0 && !line->bad)
            read_margin(s, line, i, d);
    }
}
