/* SPDX-License-Identifier: MIT
 *
 * twins.c - see twins.h. Two programs are compared step by step, each place of a jump by how far it is from the
 * program's beginning.
 */
#include "model/twins.h"

#include "model/digest.h"

/* --- who is alike --------------------------------------------------------------------------------------- */

struct pair {
    const struct model_plan *p;
    uint16_t a, b; /* processes */
};

static const struct process_plan *process_of(const struct pair *x, uint16_t process)
{
    return &x->p->sim->processes[process];
}

/* A node that hosts nothing but its program. */
static bool is_plain(const struct model_plan *p, uint16_t process)
{
    const struct process_plan *of = &p->sim->processes[process];
    for (uint16_t i = 0; i < p->sim->n_processes; i++)
        if (i != process && p->sim->processes[i].machine == of->machine)
            return false;
    for (uint16_t i = 0; i < of->threads; i++)
        if (p->actor_of[of->first_thread + i].kind != ACTOR_CLIENT)
            return false;
    return true;
}

/* A stream's two ways are told apart by which thread comes first: see struct conn of sim/world.h. */
static bool same_side(const struct pair *x, uint16_t a, uint16_t b)
{
    for (uint32_t i = 0; i < x->p->n_services; i++)
        if ((x->p->services[i].thread < a) != (x->p->services[i].thread < b))
            return false;
    return true;
}

static bool same_threads(const struct pair *x)
{
    const struct process_plan *a = process_of(x, x->a), *b = process_of(x, x->b);
    const struct thread_plan *threads = x->p->sim->threads;
    if (a->threads != b->threads)
        return false;
    for (uint16_t i = 0; i < a->threads; i++) {
        uint16_t one = (uint16_t)(a->first_thread + i), other = (uint16_t)(b->first_thread + i);
        bool alone = threads[one].alone != threads[one].name;
        if (threads[one].starts != threads[other].starts || !same_side(x, one, other) ||
            alone != (threads[other].alone != threads[other].name))
            return false;
    }
    return true;
}

static bool same_machines(const struct pair *x)
{
    const struct machine_plan *a = &x->p->sim->machines[process_of(x, x->a)->machine];
    const struct machine_plan *b = &x->p->sim->machines[process_of(x, x->b)->machine];
    return a->wall_offset == b->wall_offset && a->ppb == b->ppb && x->p->identity[x->a] == x->p->identity[x->b];
}

static uint16_t swapped(uint16_t id, uint16_t a, uint16_t b) { return id == a ? b : id == b ? a : id; }

static const struct link_plan *link_between(const struct sim_plan *p, uint16_t from, uint16_t to)
{
    for (uint32_t i = 0; i < p->n_links; i++)
        if (p->links[i].from == from && p->links[i].to == to)
            return &p->links[i];
    return &p->link_default;
}

static bool same_links(const struct pair *x)
{
    const struct sim_plan *p = x->p->sim;
    uint16_t a = process_of(x, x->a)->machine, b = process_of(x, x->b)->machine;
    for (uint32_t i = 0; i < p->n_links; i++) {
        const struct link_plan *one = &p->links[i];
        const struct link_plan *other = link_between(p, swapped(one->from, a, b), swapped(one->to, a, b));
        if (one->datagram != other->datagram || one->delay_min != other->delay_min ||
            one->delay_max != other->delay_max)
            return false;
    }
    return true;
}

/* --- programs ------------------------------------------------------------------------------------------- */

static bool same_expr(const struct model_plan *p, uint32_t a, uint32_t b)
{
    if (a == b || a == NONE32 || b == NONE32)
        return a == b;
    for (;; a++, b++) {
        const struct expr_op *one = &p->exprs[a], *other = &p->exprs[b];
        if (one->code != other->code || one->arg != other->arg || one->tag != other->tag || one->imm != other->imm)
            return false;
        if (one->code == EX_END)
            return true;
    }
}

static bool same_statement(const struct model_plan *p, uint32_t a, uint32_t b)
{
    if (a == b || a == NONE32 || b == NONE32)
        return a == b;
    const struct statement_plan *one = &p->statements[a], *other = &p->statements[b];
    if (!same_expr(p, one->where, other->where) || one->sets.n != other->sets.n || one->captures.n != other->captures.n)
        return false;
    for (uint32_t i = 0; i < one->sets.n; i++) {
        const struct set_plan *set = &p->sets[one->sets.first + i], *as = &p->sets[other->sets.first + i];
        if (set->column != as->column || !same_expr(p, set->expr, as->expr))
            return false;
    }
    for (uint32_t i = 0; i < one->captures.n; i++)
        if (!same_expr(p, p->captures[one->captures.first + i], p->captures[other->captures.first + i]))
            return false;
    return true;
}

/* How far a place in a program is from its beginning. */
static uint32_t within(uint32_t place, uint32_t code) { return place == NONE32 ? NONE32 : place - code; }

static bool same_handlers(const struct model_plan *p, struct ids a, uint32_t code_a, struct ids b, uint32_t code_b)
{
    if (a.n != b.n)
        return false;
    for (uint32_t i = 0; i < a.n; i++) {
        const struct handler *one = &p->handlers[a.first + i], *other = &p->handlers[b.first + i];
        if (one->error != other->error || within(one->code, code_a) != within(other->code, code_b))
            return false;
    }
    return true;
}

/* What does not differ with the place of a program. */
static bool same_words(const struct instr *a, const struct instr *b)
{
    return a->op == b->op && a->mode == b->mode && a->flags == b->flags && a->lock == b->lock &&
           a->for_lock == b->for_lock && a->reg == b->reg && a->store == b->store && a->var == b->var &&
           a->text == b->text && a->queue == b->queue && a->job == b->job && a->job_var == b->job_var &&
           a->for_var == b->for_var && a->table == b->table && a->row == b->row && a->count == b->count &&
           a->duration == b->duration;
}

static bool same_step(const struct pair *x, const struct instr *a, uint32_t code_a, const struct instr *b,
                      uint32_t code_b)
{
    const struct model_plan *p = x->p;
    if (!same_words(a, b) || within(a->jump, code_a) != within(b->jump, code_b) ||
        swapped(a->process, x->a, x->b) != b->process)
        return false;
    if (!same_expr(p, a->expr, b->expr) || !same_expr(p, a->token_expr, b->token_expr) ||
        !same_handlers(p, a->handlers, code_a, b->handlers, code_b))
        return false;
    if (!same_statement(p, a->statement, b->statement))
        return false;
    return a->op != OP_ACQUIRE || a->mode == ACQUIRE_TRY || p->locks[a->lock].kind != LOCK_QUORUM;
}

static bool same_program(const struct pair *x, uint16_t a, uint16_t b)
{
    const struct model_plan *p = x->p;
    const struct client_plan *one = &p->clients[a], *other = &p->clients[b];
    if (one->vars != other->vars || (one->keeper == NONE16) != (other->keeper == NONE16) ||
        (one->keeps_for == NONE16) != (other->keeps_for == NONE16))
        return false;
    if (one->keeps_for != NONE16)
        return true;
    uint32_t n = program_end(p, a) - one->code;
    if (program_end(p, b) - other->code != n ||
        !same_handlers(p, one->handlers, one->code, other->handlers, other->code))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (!same_step(x, &p->code[one->code + i], one->code, &p->code[other->code + i], other->code))
            return false;
    return true;
}

static bool same_programs(const struct pair *x)
{
    for (uint16_t i = 0; i < process_of(x, x->a)->threads; i++)
        if (!same_program(x, twins_client(x->p, x->a, i), twins_client(x->p, x->b, i)))
            return false;
    return true;
}

/* --- who names them --------------------------------------------------------------------------------------- */

/* A name and a text that read alike are equal to a program. */
static bool names_one(const struct pair *x, int64_t v, uint64_t tag)
{
    const uint64_t *hash = x->p->sim->names->hash;
    return (tag == TAG_NAME || tag == TAG_TEXT) &&
           (hash[v] == hash[process_of(x, x->a)->name] || hash[v] == hash[process_of(x, x->b)->name]);
}

static bool is_one(const struct pair *x, int64_t process) { return process == x->a || process == x->b; }

static bool op_names_one(const struct pair *x, const struct expr_op *op)
{
    switch (op->code) {
    case EX_CONST: return names_one(x, op->imm, op->tag);
    case EX_HOLDS:
    case EX_BELIEVES: return is_one(x, op->imm);
    case EX_JOB: return op->imm >> 8 > 0 && is_one(x, (op->imm >> 8) - 1);
    default: return false;
    }
}

static bool expr_names_one(const struct pair *x, uint32_t expr)
{
    const struct expr_op *op = &x->p->exprs[expr == NONE32 ? 0 : expr];
    while (expr != NONE32 && op->code != EX_END && !op_names_one(x, op))
        op++;
    return expr != NONE32 && op->code != EX_END;
}

static bool statement_names_one(const struct pair *x, uint32_t statement)
{
    const struct model_plan *p = x->p;
    const struct statement_plan *of = &p->statements[statement];
    bool named = expr_names_one(x, of->where);
    for (uint32_t i = 0; i < of->sets.n; i++)
        named = named || expr_names_one(x, p->sets[of->sets.first + i].expr);
    for (uint32_t i = 0; i < of->captures.n; i++)
        named = named || expr_names_one(x, p->captures[of->captures.first + i]);
    return named;
}

static bool program_names_one(const struct pair *x, uint32_t client)
{
    const struct model_plan *p = x->p;
    const struct client_plan *c = &p->clients[client];
    bool own = is_one(x, p->sim->threads[c->thread].process);
    uint32_t end = c->keeps_for == NONE16 ? program_end(p, client) : c->code;
    for (uint32_t i = c->code; i < end; i++) {
        const struct instr *k = &p->code[i];
        if (expr_names_one(x, k->expr) || expr_names_one(x, k->token_expr) || (!own && is_one(x, k->process)) ||
            (k->statement != NONE32 && statement_names_one(x, k->statement)))
            return true;
    }
    return false;
}

static bool are_named(const struct pair *x)
{
    const struct model_plan *p = x->p;
    bool named = false;
    for (uint32_t i = 0; i < p->n_cells; i++)
        named = named || names_one(x, p->cells[i].v, p->cells[i].tag);
    for (uint32_t i = 0; i < p->n_clients; i++)
        named = named || program_names_one(x, i);
    return named;
}

bool twins_named(const struct model_plan *p, uint32_t expr, uint16_t a, uint16_t b)
{
    const struct pair x = {p, a, b};
    return expr_names_one(&x, expr);
}

bool twins_alike(const struct model_plan *p, uint16_t a, uint16_t b)
{
    const struct pair x = {p, a, b};
    return p->token_mode == TOKEN_COUNTER && is_plain(p, a) && is_plain(p, b) && same_threads(&x) &&
           same_machines(&x) && same_links(&x) && same_programs(&x) && !are_named(&x);
}

/* --- what is their own ----------------------------------------------------------------------------------------- */

void twins_own(struct sim *s, const struct renaming *as, const uint16_t *process, uint32_t n, uint64_t *own)
{
    struct m *m = m_of(s);
    struct hasher calls = {0, 0};
    m->as = as;
    digest_calls(m, &calls);
    for (uint32_t i = 0; i < n; i++)
        own[process[i]] = digest_process(m, process[i]);
    m->as = NULL;
}
