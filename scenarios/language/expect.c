/* SPDX-License-Identifier: MIT
 *
 * expect.c - what must be true: expectations, and the verdict of the case.
 *
 * Behind `expect` stands an expression, a count of effects, `no leader among ...`, or a line of the
 * printed trace. The line is told from an expression by its second word, which is a verb.
 */
#include <string.h>

#include "scenarios/language/compile.h"

/* --- a line of the trace -------------------------------------------------------------------------------- */

static bool field_hidden(const char *name) { return name[0] == '.'; }

/* Whether the token can be a value: a literal, or a name that a record may show. */
static bool at_value(const struct compile *c)
{
    return c->t->kind != T_WORD || at_word(c, "true") || at_word(c, "false") || name_known(c, c->t->text) != NONE16;
}

/* The next field that may stand here, from j on: by its name, or, for one without a name, by a value. */
static uint32_t find_field(const struct compile *c, const struct verb *verb, uint32_t j)
{
    for (uint32_t k = j; k < verb->fields; k++)
        if (!field_hidden(verb->field_name[k]) && verb->field_name[k][0] != '\0' && at_word(c, verb->field_name[k]))
            return k;
    for (uint32_t k = j; k < verb->fields; k++)
        if (verb->field_name[k][0] == '\0' && at_value(c))
            return k;
    return NONE32;
}

static void field_unknown(struct compile *c, const struct verb *verb, uint32_t from)
{
    const char *words[RECORD_FIELDS];
    uint32_t n = 0;
    for (uint32_t k = from; k < verb->fields; k++)
        if (!field_hidden(verb->field_name[k]) && verb->field_name[k][0] != '\0')
            words[n++] = verb->field_name[k];
    if (c->t->kind == T_WORD && n > 0)
        complain_unknown(c, c->t, "detail", words, n);
    else
        complain_expected(c, n > 0 ? "a detail, in the order of the trace" : "the end of the line");
}

/* A bare name: of a node, thread, service, register, row, message, error ... */
static struct value take_name_value(struct compile *c)
{
    char text[NAME_BYTES_MAX * 4];
    const struct token *at = c->t;
    if (take_word(c, "none"))
        return (struct value){0, TAG_NONE};
    if (take_word(c, "true"))
        return (struct value){1, TAG_BOOL};
    if (take_word(c, "false"))
        return (struct value){0, TAG_BOOL};
    take_path_text(c, text, sizeof text);
    if (!c->bad && c->t->kind == T_SLASH && table_at(c, at) != NONE16) {
        c->t = at;
        return (struct value){take_row_name(c, false), TAG_NAME};
    }
    if (!c->bad && c->t->kind == T_SLASH) {
        c->t = at;
        uint16_t reg = take_register(c);
        return (struct value){c->bad || reg >= c->registers.n ? 0 : c->registers.row[reg].name, TAG_NAME};
    }
    name_id name = name_known(c, text);
    if (name == NONE16 && !c->bad)
        symbol_unknown(c, at, text, SYM_ACTOR, "name");
    if (!c->bad)
        name_used(c, text);
    return (struct value){name, TAG_NAME};
}

static struct value take_field_value(struct compile *c)
{
    if (c->t->kind == T_PLUS || c->t->kind == T_MINUS) {
        const struct token *sign = c->t;
        if (sign[1].kind == T_NUMBER && sign->glued) {
            c->t += 2;
            return (struct value){sign->kind == T_MINUS ? -sign[1].value : sign[1].value, TAG_INT};
        }
        return (struct value){take_signed_duration(c), TAG_NS};
    }
    const struct token *literal = peek_literal(c);
    if (literal == NULL && c->t->kind == T_WORD)
        return take_name_value(c);
    if (literal == NULL) {
        complain_expected(c, "a value");
        return (struct value){0, TAG_NONE};
    }
    c->t++;
    if (literal->kind == T_STRING)
        return (struct value){name_of(c, literal->text), TAG_TEXT};
    return (struct value){literal->value, literal->kind == T_DURATION ? TAG_NS : TAG_INT};
}

static void take_fields(struct compile *c, struct pattern *p)
{
    const struct verb *verb = &verb_table[p->verb];
    for (uint32_t j = 0; !c->bad && c->t->kind != T_END && c->t->kind != T_RPAREN;) {
        uint32_t k = find_field(c, verb, j);
        if (k == NONE32 || p->n_fields == RECORD_FIELDS) {
            field_unknown(c, verb, j);
            return;
        }
        if (verb->field_name[k][0] != '\0')
            c->t++;
        struct value v = take_field_value(c);
        p->which[p->n_fields] = (uint8_t)k;
        p->tag[p->n_fields] = (uint8_t)v.tag;
        p->value[p->n_fields++] = v.v;
        j = k + 1;
    }
}

/* Whether the word at c->t begins a detail of this verb, rather than its object. */
static bool at_field_name(const struct compile *c, const struct verb *verb)
{
    for (uint32_t k = 0; k < verb->fields; k++)
        if (!field_hidden(verb->field_name[k]) && verb->field_name[k][0] != '\0' && at_word(c, verb->field_name[k]))
            return true;
    return false;
}

static void take_pattern(struct compile *c, struct expectation *e)
{
    struct pattern *p = &e->pattern;
    uint32_t symbol;
    e->what = EXPECT_EVENT;
    p->at = c->t->kind == T_DURATION ? take_duration(c, 0) : -1;
    p->object = NONE16;
    bool note = p->at >= 0 && take_symbol(c, T_LPAREN);
    const struct token *subject = c->t;
    p->actor = take_subject(c, &symbol);
    c->in_notes = p->at >= 0;
    uint32_t verb = c->bad ? NONE32 : take_verb(c);
    c->in_notes = false;
    check_subject(c, subject, symbol, verb);
    if (c->bad)
        return;
    p->verb = (uint16_t)verb;
    bool value = at_word(c, "true") || at_word(c, "false") || at_word(c, "none");
    if (object_is_next(c, verb) && !value && !at_field_name(c, &verb_table[verb]))
        p->object = take_object(c, verb);
    take_fields(c, p);
    if (note)
        need_symbol(c, T_RPAREN);
}

/* --- the other forms --------------------------------------------------------------------------------------- */

#define EFFECTS_NAMED 64 /* of which the nearest is looked for */

/* The step `effect` that stands in a line, whichever cases keep it; NULL: another line. */
static const struct token *effect_step(const struct compile *c, const struct line *line)
{
    const struct token *t = &c->s->src.tokens.row[line->first], *end = t + line->n;
    while (t < end && t->kind == T_OPEN) {
        while (t < end && t->kind != T_CLOSE)
            t++;
        t += t < end;
    }
    return end - t >= 2 && t->kind == T_WORD && strcmp(t->text, "effect") == 0 ? t + 1 : NULL;
}

/* No step of the file, in no case, has an effect of this name: it would be counted as never done. */
static void check_effect(struct compile *c, const struct token *at, const char *name)
{
    const char *names[EFFECTS_NAMED];
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->s->src.lines.n; i++) {
        const struct token *step = effect_step(c, &c->s->src.lines.row[i]);
        if (step == NULL)
            continue;
        if (step->kind != T_STRING || strcmp(step->text, name) == 0)
            return; /* a param's may be any */
        if (n < EFFECTS_NAMED)
            names[n++] = step->text;
    }
    const char *near = nearest_word(name, strlen(name), names, n);
    if (near != NULL)
        complain(c, at, "no step has the effect \"%.60s\"; did you mean \"%.60s\"?", name, near);
    else
        complain(c, at, "no step has the effect \"%.60s\"", name);
}

uint32_t take_effects(struct compile *c, name_id *effect)
{
    need_word(c, "effect");
    const struct token *at = c->t;
    const char *name = take_text(c);
    *effect = name_of(c, name);
    if (take_word(c, "once")) {
        check_effect(c, at, name);
        return 1;
    }
    if (!c->bad && peek_literal(c) == NULL) {
        complain_expected(c, "'once', or a number and 'times'");
        return 0;
    }
    uint32_t count = (uint32_t)take_count(c, 0, COUNT_MAX, "a number of times");
    need_word(c, "times");
    if (!c->bad)
        check_effect(c, at, name);
    return count;
}

static void take_effect(struct compile *c, struct expectation *e)
{
    e->what = EXPECT_EFFECT;
    e->count = take_effects(c, &e->text);
}

static void visit_leader(struct compile *c, uint32_t symbol, void *first_id)
{
    const struct symbol *s = symbol_at(c, symbol);
    if (s->kinds & (SYM_STORE | SYM_QUEUE | SYM_TABLE))
        complain(c, c->t - 1, "a %s is no leader and has no vote",
                 s->kinds & SYM_STORE   ? "store"
                 : s->kinds & SYM_QUEUE ? "queue"
                                        : "table");
    else
        visit_processes(c, symbol, first_id);
}

static void take_no_leader(struct compile *c, struct expectation *e)
{
    c->t++;
    e->what = EXPECT_NO_LEADER;
    need_word(c, "leader");
    need_word(c, "among");
    uint32_t first = c->ids.n;
    take_paths(c, SYM_NODE | SYM_VOTER | SYM_LOCK, "node or voter", visit_leader, &first);
    e->ids = (struct ids){first, c->ids.n - first};
}

/* Behind a path: a word that is no operator is a verb. */
static bool pattern_is_next(struct compile *c)
{
    const struct token *t = c->t;
    if (t->kind == T_DURATION && (t[1].kind == T_WORD || t[1].kind == T_LPAREN))
        return true;
    if (t->kind != T_WORD || token_is(t, "not") || token_is(t, "token") || token_is(t, "none") || holds_is_next(c))
        return false;
    while (t[1].kind == T_DOT && t[2].kind == T_WORD)
        t += 2;
    return t[1].kind == T_WORD && !token_is(&t[1], "and") && !token_is(&t[1], "or");
}

static void take_condition(struct compile *c, struct expectation *e)
{
    const struct token *at = c->t;
    struct expr x = take_expr(c);
    e->what = EXPECT_EXPR;
    e->expr = x.first;
    if (!c->bad && x.type != TYPE_BOOL)
        complain(c, at, "expected a comparison, or a line of the trace");
}

static void take_what(struct compile *c, struct expectation *e)
{
    if (c->t->kind == T_END)
        complain_expected(c, "what must be true");
    else if (at_word(c, "effect"))
        take_effect(c, e);
    else if (at_word(c, "no"))
        take_no_leader(c, e);
    else if (at_word(c, "job") && c->t[1].kind == T_STRING)
        take_condition(c, e);
    else if (at_word(c, "job") && c->t[1].kind == T_WORD && symbol_find(c, "job") == NONE32)
        complain(c, &c->t[1], "a job's name stands in double quotes, as in job \"%.60s\"", c->t[1].text);
    else if (pattern_is_next(c))
        take_pattern(c, e);
    else
        take_condition(c, e);
}

/* `after EVENT: expect`: a trigger that only notes the time. */
static uint32_t note_trigger(struct compile *c, const struct event *event)
{
    if (event == NULL)
        return NONE32;
    *LIST_ADD(c->arena, &c->triggers) = event->plan;
    *LIST_ADD(c->arena, &c->trigger_lines) = c->line->number;
    return c->triggers.n - 1;
}

/* `within` counts from the time of the expectation above it. */
static void check_above(struct compile *c)
{
    const struct token *at = line_start(c->s, c->line);
    static const char counts[] = "'within' counts from the expectation above it";
    if (!c->has_above)
        complain(c, at, "%s, and in case %.40s this one stands first", counts, c->out->name);
    else if (c->above == EXPECT_END)
        complain(c, at, "%s, and this one stands below 'at end', when nothing more can come", counts);
    else if (c->above == EXPECT_ALWAYS)
        complain(c, at, "%s, and this one stands below 'always', which has no time", counts);
}

void compile_expectation(struct compile *c, enum expect_when when, ns time, const struct event *event)
{
    struct expectation e = {.when = when,
                            .time = time,
                            .trigger = NONE32,
                            .anchor = NONE32,
                            .expr = NONE32,
                            .text = NONE16,
                            .line = c->line->number};
    e.pattern.actor = e.pattern.object = NONE16;
    e.pattern.at = -1;
    need_word(c, "expect");
    const struct token *at = c->t;
    if (when == EXPECT_WITHIN)
        check_above(c);
    c->has_above = true;
    c->above = (uint8_t)when;
    e.negated = take_word(c, "not");
    c->in_expectation = true;
    if (!c->bad)
        take_what(c, &e);
    c->in_expectation = false;
    statement_end(c);
    if (when == EXPECT_ALWAYS && e.what != EXPECT_EXPR)
        complain(c, at, "behind 'always: expect' stands a comparison, asked after every event");
    if (c->bad)
        return;
    e.trigger = note_trigger(c, event);
    if (when == EXPECT_WITHIN && c->expectations.n > 0)
        e.anchor = c->expectations.n - 1;
    *LIST_ADD(c->arena, &c->expectations) = e;
}

/* --- the verdict of the case ---------------------------------------------------------------------------------- */

static uint32_t take_invariant(struct compile *c, bool sign)
{
    const char *words[INVARIANTS];
    const struct token *at = c->t;
    uint32_t n = 0;
    for (uint32_t i = 0; i < INVARIANTS; i++) {
        const struct invariant_word *w = &invariant_table[i];
        if (take_word(c, w->name)) {
            if (!w->built)
                complain(c, at, "'%s' is not in this version yet", w->name);
            else if (sign && w->kind != INV_SIGN)
                complain(c, at, "'%s' has to hold in every case that 'holds': only signs are named here", w->name);
            return i;
        }
        if (w->built && (!sign || w->kind == INV_SIGN))
            words[n++] = w->name;
    }
    if (c->t->kind == T_WORD)
        complain_unknown(c, c->t, sign ? "sign" : "invariant", words, n);
    else
        complain_expected(c, sign ? "the name of a sign" : "the name of an invariant");
    return 0;
}

static void take_violation(struct compile *c)
{
    struct expected_violation v = {.by = NONE16, .from = -1, .to = -1};
    const struct token *at = c->t;
    uint32_t symbol;
    v.invariant = take_invariant(c, false);
    for (uint32_t i = 0; i < c->out->n_expected; i++)
        if (c->out->expected[i].invariant == v.invariant)
            complain(c, at, "'%s' stands here twice", at->text);
    if (take_word(c, "by"))
        v.by = take_actor(c, &symbol);
    if (take_word(c, "at"))
        take_range(c, &v.from, &v.to);
    if (!c->bad && c->out->n_expected == VIOLATIONS_MAX)
        complain(c, at, "a case names at most %d invariants", VIOLATIONS_MAX);
    if (c->bad)
        return;
    c->out->expected[c->out->n_expected++] = v;
    if (invariant_table[v.invariant].kind == INV_SIGN)
        c->out->signs |= UINT32_C(1) << v.invariant;
}

static void take_sign(struct compile *c)
{
    const struct token *at = c->t;
    uint32_t sign = take_invariant(c, true);
    if (c->out->signs >> sign & 1)
        complain(c, at, "'%s' stands here twice", at->text);
    c->out->signs |= UINT32_C(1) << sign;
}

void compile_case_line(struct compile *c)
{
    const struct case_row *row = &c->s->cases.row[c->case_index];
    if (c->s->src.lines.row[row->line].bad)
        return;
    statement_begin(c, &c->s->src.lines.row[row->line]);
    c->t = &c->s->src.tokens.row[row->result];
    c->out->violates = take_word(c, "violates");
    if (c->out->violates)
        take_violation(c);
    else
        need_word(c, "holds");
    while (take_word(c, "and"))
        c->out->violates ? take_violation(c) : take_sign(c);
    c->out->to_mend = c->out->violates && take_word(c, "until");
    if (c->out->to_mend)
        need_word(c, "mended");
    statement_end(c);
}
