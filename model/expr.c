/* SPDX-License-Identifier: MIT
 *
 * expr.c - expressions: postfix ops over 64-bit values with a tag.
 *
 * A comparison with `none` is false except `= none` and `!= none`. `+` and `-` take two numbers, two
 * durations, or a duration and a number of nanoseconds is refused; what overflows is an error of the scenario.
 *
 * A variable remembers, for each register, the version of the read that its value was made from, so that a write can
 * say what it was based on (no-lost-update). Of several reads the oldest counts.
 */
#include "model/state.h"

static bool is_number(struct value v) { return v.tag == TAG_INT || v.tag == TAG_NS; }
static bool is_word(struct value v) { return v.tag == TAG_TEXT || v.tag == TAG_NAME; }

/* The same text is the same value, whether it was written in quotes or is a name. */
static bool same_text(const struct names *names, int64_t a, int64_t b)
{
    return a == b || names->hash[a] == names->hash[b];
}

bool value_equal(const struct names *names, struct value a, struct value b)
{
    if (a.tag == TAG_NONE || b.tag == TAG_NONE)
        return a.tag == b.tag;
    if (is_word(a) && is_word(b))
        return same_text(names, a.v, b.v);
    return a.tag == b.tag && a.v == b.v;
}

static bool compare(const struct names *names, uint16_t code, struct value a, struct value b, struct value *out,
                    enum model_failure *failure)
{
    bool none = a.tag == TAG_NONE || b.tag == TAG_NONE;
    bool yes;
    if (code == EX_EQ || code == EX_NE) {
        yes = value_equal(names, a, b) == (code == EX_EQ);
    } else if (none) {
        yes = false;
    } else if (!is_number(a) || a.tag != b.tag) {
        *failure = FAIL_TYPE;
        return false;
    } else {
        yes = code == EX_LT ? a.v < b.v : code == EX_LE ? a.v <= b.v : code == EX_GT ? a.v > b.v : a.v >= b.v;
    }
    *out = (struct value){yes, TAG_BOOL};
    return true;
}

static bool arithmetic(uint16_t code, struct value a, struct value b, struct value *out, enum model_failure *failure)
{
    bool over;
    if (!is_number(a) || a.tag != b.tag) {
        *failure = FAIL_TYPE;
        return false;
    }
    out->tag = a.tag;
    if (code == EX_ADD)
        over = b.v > 0 ? a.v > INT64_MAX - b.v : a.v < INT64_MIN - b.v;
    else
        over = b.v < 0 ? a.v > INT64_MAX + b.v : a.v < INT64_MIN + b.v;
    if (over) {
        *failure = FAIL_OVERFLOW;
        return false;
    }
    out->v = code == EX_ADD ? a.v + b.v : a.v - b.v;
    return true;
}

static bool binary(const struct names *names, uint16_t code, struct value a, struct value b, struct value *out,
                   enum model_failure *failure)
{
    if (code == EX_ADD || code == EX_SUB)
        return arithmetic(code, a, b, out, failure);
    if (code == EX_AND || code == EX_OR) {
        if (a.tag != TAG_BOOL || b.tag != TAG_BOOL) {
            *failure = FAIL_TYPE;
            return false;
        }
        *out = (struct value){code == EX_AND ? a.v && b.v : a.v || b.v, TAG_BOOL};
        return true;
    }
    return compare(names, code, a, b, out, failure);
}

static bool unary(uint16_t code, struct value *v, enum model_failure *failure)
{
    if (code == EX_NOT && v->tag == TAG_BOOL) {
        v->v = !v->v;
        return true;
    }
    if (code == EX_NEG && is_number(*v)) {
        if (v->v == INT64_MIN) {
            *failure = FAIL_OVERFLOW;
            return false;
        }
        v->v = -v->v;
        return true;
    }
    *failure = FAIL_TYPE;
    return false;
}

static struct value variable(const struct m *m, uint16_t client, const struct expr_op *op)
{
    const struct var_state *var = &m->vars[m->p->clients[client].first_var + op->arg];
    if (op->code == EX_VAR_TOKEN)
        return value_token(var->token);
    if (op->code == EX_VAR_VERSION)
        return value_int(var->version);
    return (struct value){var->v, var->tag};
}

static struct value me(const struct m *m, uint16_t client)
{
    uint16_t process = client_process(m, client);
    name_id identity = m->p->identity[process];
    return identity != NONE16 ? value_text(identity) : value_name(process_name(m, process));
}

/* What only a statement on its server may ask. */
static bool push_on_server(const struct m *m, const struct expr_scope *scope, const struct expr_op *op,
                           struct value *out)
{
    if (scope == NULL)
        return false;
    if (op->code == EX_COLUMN) {
        const struct cell_state *cell = &m->cells[scope->first_cell + op->arg];
        *out = (struct value){cell->v, cell->tag};
    } else if (op->code == EX_NOW) {
        *out = value_ns(thread_clock(m->s, scope->thread, CLOCK_WALL));
    } else if (op->code == EX_CAPTURE) {
        const struct cell_value *c = &captured(m, scope->call)[op->arg];
        *out = (struct value){c->v, c->tag};
    } else {
        return false;
    }
    return true;
}

static bool push(struct m *m, uint16_t client, const struct expr_op *op, struct value *out)
{
    *out = value_none();
    switch (op->code) {
    case EX_CONST: *out = (struct value){op->imm, op->tag}; return true;
    case EX_VAR:
    case EX_VAR_TOKEN:
    case EX_VAR_VERSION: *out = variable(m, client, op); return true;
    case EX_ME: *out = me(m, client); return true;
    case EX_CLOCK: *out = value_ns(thread_clock(m->s, client_thread(m, client), (enum clock_kind)op->arg)); return true;
    case EX_REGISTER: *out = query_register(m->s, op->arg); return true;
    case EX_MARK: *out = query_mark(m->s, op->arg); return true;
    case EX_LOCK_TOKEN: *out = query_token(m->s, op->arg); return true;
    case EX_CELL: *out = query_cell(m->s, op->arg); return true;
    case EX_JOB:
        *out = (struct value){query_job(m->s, op->arg, (enum job_phase)(op->imm & 0xff),
                                        op->imm >> 8 ? (uint16_t)((op->imm >> 8) - 1) : NONE16),
                              TAG_BOOL};
        return true;
    case EX_HOLDS: *out = (struct value){query_holds(m->s, op->arg, (uint16_t)op->imm), TAG_BOOL}; return true;
    case EX_BELIEVES: *out = (struct value){query_believes(m->s, op->arg, (uint16_t)op->imm), TAG_BOOL}; return true;
    default: return false;
    }
}

static bool run(struct m *m, uint16_t client, const struct expr_scope *scope, uint32_t first_op, struct value *out,
                enum model_failure *failure)
{
    struct value stack[EXPR_STACK];
    uint32_t n = 0;
    const struct names *names = m->p->sim->names;
    for (const struct expr_op *op = &m->p->exprs[first_op]; op->code != EX_END; op++) {
        struct value pushed;
        if (push(m, client, op, &pushed) || push_on_server(m, scope, op, &pushed)) {
            ASSERT(n < EXPR_STACK);
            stack[n++] = pushed;
        } else if (op->code == EX_NEG || op->code == EX_NOT) {
            ASSERT(n >= 1);
            if (!unary(op->code, &stack[n - 1], failure))
                return false;
        } else {
            ASSERT(n >= 2);
            n--;
            if (!binary(names, op->code, stack[n - 1], stack[n], &stack[n - 1], failure))
                return false;
        }
    }
    ASSERT(n == 1);
    *out = stack[0];
    return true;
}

bool expr_run(struct m *m, uint16_t client, uint32_t first_op, struct value *out, enum model_failure *failure)
{
    return run(m, client, NULL, first_op, out, failure);
}

bool expr_on_server(struct m *m, const struct expr_scope *scope, uint32_t first_op, struct value *out,
                    enum model_failure *failure)
{
    return run(m, NONE16, scope, first_op, out, failure);
}

bool expr_value(struct m *m, uint16_t client, uint32_t expr, uint32_t line, struct value *out)
{
    enum model_failure failure;
    if (expr_run(m, client, expr, out, &failure))
        return true;
    sim_fail(m->s, (int32_t)failure, line);
    return false;
}

uint32_t expr_based(const struct m *m, uint16_t client, uint32_t expr, uint32_t source)
{
    uint32_t oldest = 0;
    for (const struct expr_op *op = &m->p->exprs[expr]; op->code != EX_END; op++) {
        if (op->code != EX_VAR && op->code != EX_VAR_TOKEN && op->code != EX_VAR_VERSION)
            continue;
        uint32_t var = m->p->clients[client].first_var + op->arg;
        uint32_t based = m->var_based[var * n_sources(m->p) + source];
        if (based && (!oldest || based < oldest))
            oldest = based;
    }
    return oldest;
}

bool expr_eval(struct sim *s, uint16_t client, uint32_t first_op, struct value *out, enum model_failure *failure)
{
    struct m m = m_open(s);
    return expr_run(&m, client, first_op, out, failure);
}
