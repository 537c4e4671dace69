/* SPDX-License-Identifier: MIT
 *
 * step_row.c - what a program does with the rows of a table: update, insert, delete, read.
 *
 *  1. A statement takes along what the client has now: its variables and its name, not what they will be when it
 *     lands.
 *  2. A thread speaks for the grant that it was given last on that row, or, having none, for the latest that its
 *     process was given.
 */
#include "model/client.h"

static uint16_t statement_verb(const struct instr *k)
{
    return k->op == OP_UPDATE ? V_UPDATES : k->op == OP_INSERT ? V_INSERTS : k->op == OP_ERASE ? V_DELETES : V_READS;
}

static enum request statement_request(const struct instr *k)
{
    return k->op == OP_UPDATE ? REQ_UPDATE : k->op == OP_INSERT ? REQ_INSERT : k->op == OP_ERASE ? REQ_ERASE : REQ_GET;
}

/* The row that the step names, by itself or by a variable. NONE16: `first`, whichever matches. */
static uint16_t statement_row(const struct m *m, uint16_t client, const struct instr *k)
{
    uint16_t resource = k->job_var == NONE16 ? NONE16 : client_holds(m, client, k->job_var);
    return resource == NONE16 ? k->row : (uint16_t)(resource - m->p->n_locks - m->p->n_jobs);
}

static name_id statement_object(const struct m *m, const struct instr *k, uint16_t row)
{
    return row == NONE16 ? m->p->tables[k->table].name : m->p->rows[row].name;
}

/* The oldest read that what is captured for a set column was made from, as far as that column is concerned. */
static uint32_t set_based(const struct m *m, uint16_t client, const struct statement_plan *statement, uint32_t expr,
                          uint32_t source)
{
    uint32_t oldest = 0;
    for (const struct expr_op *op = &m->p->exprs[expr]; op->code != EX_END; op++) {
        uint32_t based = op->code == EX_CAPTURE
                             ? expr_based(m, client, m->p->captures[statement->captures.first + op->arg], source)
                             : 0;
        if (based && (!oldest || based < oldest))
            oldest = based;
    }
    return oldest;
}

void note_based(struct m *m, uint16_t client, const struct instr *k, uint16_t call, uint32_t of)
{
    const struct statement_plan *statement = &m->p->statements[k->statement];
    const struct table_plan *table = &m->p->tables[k->table];
    struct cell_value *row = carried_row(m, call);
    for (uint32_t i = 0; i < table->columns; i++)
        row[i].version = 0;
    for (uint32_t i = 0; i < statement->sets.n && of != NONE16; i++) {
        const struct set_plan *set = &m->p->sets[statement->sets.first + i];
        uint32_t cell = table->first_cell + (of - table->first_row) * table->columns + set->column;
        row[set->column].version = set_based(m, client, statement, set->expr, m->p->n_registers + cell);
    }
}

static bool capture(struct m *m, uint16_t client, const struct instr *k, uint16_t call)
{
    const struct statement_plan *statement = &m->p->statements[k->statement];
    for (uint32_t i = 0; i < statement->captures.n; i++) {
        struct value v;
        if (!expr_value(m, client, m->p->captures[statement->captures.first + i], k->line, &v))
            return false;
        captured(m, call)[i] = (struct cell_value){v.v, 0, (uint16_t)v.tag, 0};
    }
    note_based(m, client, k, call, m->calls[call].reg);
    return true;
}

void act_statement(struct m *m, uint16_t client, const struct instr *k)
{
    uint16_t row = statement_row(m, client, k);
    name_id object = statement_object(m, k, row);
    if (k->job_var != NONE16 && row == NONE16) {
        client_fail(m, client, ERR_NOT_HOLDER); /* a statement that was refused left the variable empty */
        return;
    }
    if (!client_before(m, client, statement_verb(k), object))
        return;
    uint16_t call = client_call(m, client, m->p->tables[k->table].service, statement_request(k));
    if (call == NONE16)
        return;
    struct call *c = &m->calls[call];
    c->reg = row;
    if (k->op != OP_GET && !capture(m, client, k, call))
        return;
    c->arg[ARG_INSTR] = (int64_t)m->clients[client].pc;
    c->arg[ARG_SPEAKS] = -1;
    if (row != NONE16) {
        c->about = row_resource(m->p, row);
        uint16_t speaker = holding_owner(m, client, c->about);
        c->arg[ARG_SPEAKS] = speaker == NONE16 ? -1 : speaker;
        c->arg[ARG_TOKEN] = speaker == NONE16 ? -1 : holding_of(m, speaker, c->about)->epoch;
    }
    struct value none = value_none();
    client_send(m, client, statement_verb(k), object, &none, k->op == OP_ERASE ? 1 : 0, REQUEST_TIMEOUT_NS);
}

/* The row, and behind it its columns, as the statement left them. */
static void take_row(struct m *m, uint16_t client, const struct instr *k, uint16_t call, uint32_t row, int64_t token)
{
    const struct table_plan *table = &m->p->tables[k->table];
    uint32_t cell = m->p->n_registers + table->first_cell + (row - table->first_row) * (uint32_t)table->columns;
    uint16_t resource = row_resource(m->p, row);
    client_set(m, client, k->var,
               (struct var_state){
                   .v = m->p->rows[row].key, .token = token, .tag = TAG_TEXT, .resource = (uint16_t)(resource + 1)});
    for (uint16_t i = 0; i < table->columns; i++) {
        const struct cell_value *c = &carried_row(m, call)[i];
        uint16_t var = (uint16_t)(k->var + 1 + i);
        client_set(m, client, var, (struct var_state){.v = c->v, .token = -1, .version = c->version, .tag = c->tag});
        client_based(m, client, var)[cell + i] = c->version + 1;
    }
}

/* What the statement did to the grant of its row, as this thread sees it from now on. */
static void take_change(struct m *m, uint16_t client, const struct call *c, uint32_t row, const struct message *msg)
{
    enum change change = (enum change)msg->arg[REPLY_CHANGE];
    uint16_t resource = row_resource(m->p, row);
    struct holding *g = holding_of(m, client, resource);
    if (change == CHANGE_GRANT)
        grant_arrived(m, client, resource, msg->arg[REPLY_GRANT], c->first_sent, 0);
    else if (change == CHANGE_END || change == CHANGE_FINISH)
        g->held = 0;
}

void statement_answered(struct m *m, uint16_t client, uint16_t call, const struct message *msg)
{
    const struct instr *k = client_instr(m, client);
    const struct call *c = &m->calls[call];
    uint32_t row = (uint32_t)msg->arg[REPLY_ROW];
    if (msg->tags == ANS_REFUSED) {
        client_fail(m, client, (enum error)msg->arg[REPLY_ERROR]);
        return;
    }
    struct value none = value_none();
    if (k->op == OP_GET)
        client_record(m, client, V_GETS, m->p->rows[row].name, &none, 1);
    else
        take_change(m, client, c, row, msg);
    if (k->var != NONE16)
        take_row(m, client, k, call, row, k->op == OP_GET ? -1 : msg->arg[REPLY_GRANT]);
    client_next(m, client);
}
