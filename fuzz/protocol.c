/* SPDX-License-Identifier: MIT
 *
 * protocol.c - see protocol.h.
 */
#include "fuzz/protocol.h"

#include <stdlib.h>
#include <string.h>

/* --- rows ------------------------------------------------------------------------------------------------- */

/* Follows from the table of conjuncts alone, and is worked out once. */
struct table {
    uint32_t n;
    uint32_t first[GATES + 1], conjunct[GATES + 1]; /* of each gate: its first row, its first conjunct */
    struct protocol_row row[2 * (CONJUNCTS + 2 * GATES)];
};

/* Of a gate with n conjuncts, with it or without: yes, n times no, several. */
static uint32_t rows_of_half(uint32_t n) { return n == 0 ? 0 : 1 + n + (n > 1); }

static void add_half(struct table *t, uint32_t gate, uint32_t without, uint32_t first, uint32_t n)
{
    if (n == 0)
        return;
    t->row[t->n++] = (struct protocol_row){gate, without + SAID_YES, CONJUNCTS};
    for (uint32_t i = 0; i < n; i++)
        t->row[t->n++] = (struct protocol_row){gate, without + SAID_NO, first + i};
    if (n > 1)
        t->row[t->n++] = (struct protocol_row){gate, without + SAID_NO_MANY, CONJUNCTS};
}

static void make_table(struct table *t)
{
    uint32_t first = 0;
    for (uint32_t gate = 0; gate < GATES; gate++) {
        uint32_t n = 0;
        while (first + n < CONJUNCTS && conjunct_table[first + n].gate == gate)
            n++;
        t->first[gate] = t->n;
        t->conjunct[gate] = first;
        add_half(t, gate, 0, first, n);
        add_half(t, gate, SAID_NOTHING, first, n);
        first += n;
    }
    t->first[GATES] = t->n;
    t->conjunct[GATES] = first;
    ASSERT(first == CONJUNCTS); /* the table of conjuncts is in the order of the gates */
}

static const struct table *rows(void)
{
    static struct table table;
    if (table.n == 0)
        make_table(&table);
    return &table;
}

uint32_t protocol_rows(void) { return rows()->n; }

struct protocol_row protocol_row(uint32_t row)
{
    ASSERT(row < rows()->n);
    return rows()->row[row];
}

uint32_t protocol_first_row(enum gate gate) { return rows()->first[gate]; }

uint32_t protocol_row_of(enum gate gate, bool on, uint64_t fails)
{
    uint32_t first = rows()->conjunct[gate], n = rows()->conjunct[gate + 1] - first, place = 0;
    ASSERT(n > 0 && (fails & ~(((UINT64_C(1) << n) - 1) << first)) == 0);
    for (uint32_t i = 0; i < n; i++)
        if (fails >> (first + i) & 1)
            place = place == 0 ? 1 + i : 1 + n;
    return rows()->first[gate] + (on ? 0 : rows_of_half(n)) + place;
}

/* --- what a run came to ----------------------------------------------------------------------------------- */

static bool grow(void **rows, uint32_t n, uint32_t *most, size_t size)
{
    if (n < *most)
        return true;
    uint32_t more = *most == 0 ? 1024 : 2 * *most;
    void *bigger = realloc(*rows, more * size);
    if (bigger == NULL)
        return false;
    *rows = bigger;
    *most = more;
    return true;
}

/* The tally of one run: a cell and a line a place, so that what is kept comes out sorted. */
struct counting {
    struct protocol *p;
    const struct run *r;
    struct active active;
    struct protocol_seen *cell; /* [row][column] */
    struct protocol_line *line; /* [line]; run: 1 where a line could be come to */
    uint32_t lines;
};

static void count_cell(struct counting *k, uint32_t row, uint32_t column, ns at)
{
    struct protocol_seen *cell = &k->cell[row * (COLUMN_ANY + 1) + column];
    if (cell->times++ == 0)
        cell->first = at;
}

static void count_asking(struct counting *k, const struct record *r)
{
    uint32_t row = protocol_row_of((enum gate)r->field[GUARDS_GATE], r->field[GUARDS_ON] != 0,
                                   (uint64_t)r->field[GUARDS_FAILS]);
    uint32_t faults = active_now(&k->active, r->at);
    k->p->askings++;
    for (uint32_t column = 0; column < ACTIVE_KINDS; column++)
        if (faults >> column & 1)
            count_cell(k, row, column, r->at);
    count_cell(k, row, COLUMN_ANY, r->at);
}

static void could_come(struct counting *k, uint32_t line)
{
    ASSERT(line < k->lines);
    k->line[line].run = line != 0;
}

static void came(struct counting *k, uint32_t line, uint64_t times)
{
    ASSERT(line < k->lines);
    k->line[line].times += times;
}

/* --- lines ------------------------------------------------------------------------------------------------ */

static uint32_t last_line(const struct compiled *c)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < c->model.n_code; i++)
        last = c->model.code[i].line > last ? c->model.code[i].line : last;
    for (uint32_t i = 0; i < c->sim.n_faults; i++)
        last = c->sim.faults[i].line > last ? c->sim.faults[i].line : last;
    for (uint32_t i = 0; i < c->n_expectations; i++)
        last = c->expectations[i].line > last ? c->expectations[i].line : last;
    for (uint32_t i = 0; i < c->n_asks; i++)
        last = c->asks[i].line > last ? c->asks[i].line : last;
    return last;
}

/* An expectation that waits for an event is come to when that has come; any other, when the run came to its end. */
static void count_expectations(struct counting *k)
{
    const struct compiled *c = k->r->c;
    bool whole = k->r->end == END_IDLE || k->r->end == END_HORIZON;
    for (uint32_t i = 0; i < c->n_expectations; i++) {
        const struct expectation *e = &c->expectations[i];
        bool waits = e->when == EXPECT_AFTER;
        could_come(k, e->line);
        came(k, e->line, waits ? sim_trigger_fired(k->r->sim, e->trigger, NULL) : whole);
    }
    for (uint32_t i = 0; i < c->n_asks; i++) {
        could_come(k, c->asks[i].line);
        came(k, c->asks[i].line, k->r->asked);
    }
}

/* A fault is come to when its time or its event has come, whether it found anything to strike or not. */
static void count_faults(struct counting *k)
{
    const struct compiled *c = k->r->c;
    for (uint32_t i = 0; i < c->sim.n_faults; i++) {
        const struct fault_plan *f = &c->sim.faults[i];
        could_come(k, f->line);
        came(k, f->line, f->at >= 0 && f->at <= k->r->end_ns);
    }
    for (uint32_t i = 0; i < c->sim.n_triggers; i++) {
        uint32_t fault = c->sim.triggers[i].fault;
        if (fault != NONE32)
            came(k, c->sim.faults[fault].line, sim_trigger_fired(k->r->sim, i, NULL));
    }
}

static void count_run(struct counting *k)
{
    uint32_t n;
    const struct compiled *c = k->r->c;
    const struct record *r = sim_trace(k->r->sim, &n);
    active_begin(&k->active, &c->model);
    for (uint32_t i = 0; i < c->model.n_code; i++)
        if (c->model.code[i].op != OP_END)
            could_come(k, c->model.code[i].line);
    for (uint32_t i = 0; i < n; i++) {
        active_record(&k->active, &r[i]);
        if (r[i].verb == V_GUARDS)
            count_asking(k, &r[i]);
        else if (r[i].verb == V_TAKES)
            came(k, r[i].line, 1);
    }
    count_faults(k);
    count_expectations(k);
}

/* --- what is kept ----------------------------------------------------------------------------------------- */

static bool keep_cells(struct counting *k, uint32_t run)
{
    struct protocol *p = k->p;
    for (uint32_t i = 0; i < protocol_rows() * (COLUMN_ANY + 1); i++) {
        if (k->cell[i].times == 0)
            continue;
        if (!grow((void **)&p->seen, p->n_seen, &p->seen_max, sizeof *p->seen))
            return false;
        struct protocol_seen *seen = &p->seen[p->n_seen++];
        *seen = k->cell[i];
        seen->run = run;
        seen->row = (uint16_t)(i / (COLUMN_ANY + 1));
        seen->column = (uint16_t)(i % (COLUMN_ANY + 1));
    }
    return true;
}

static bool keep_lines(struct counting *k, uint32_t run)
{
    struct protocol *p = k->p;
    for (uint32_t i = 1; i < k->lines; i++) {
        if (k->line[i].run == 0)
            continue;
        if (!grow((void **)&p->line, p->n_lines, &p->lines_max, sizeof *p->line))
            return false;
        p->line[p->n_lines++] = (struct protocol_line){run, i, k->line[i].times};
    }
    return true;
}

bool protocol_add(struct protocol *p, const struct run *r, uint32_t run)
{
    struct counting *k = calloc(1, sizeof *k);
    bool good = k != NULL;
    if (good) {
        k->p = p;
        k->r = r;
        k->lines = last_line(r->c) + 1;
        k->cell = calloc(protocol_rows() * (COLUMN_ANY + 1), sizeof *k->cell);
        k->line = calloc(k->lines, sizeof *k->line);
        good = k->cell != NULL && k->line != NULL;
    }
    if (good) {
        count_run(k);
        good = keep_cells(k, run) && keep_lines(k, run);
    }
    if (k != NULL) {
        free(k->cell);
        free(k->line);
    }
    free(k);
    return good;
}

void protocol_free(struct protocol *p)
{
    free(p->seen);
    free(p->line);
    *p = (struct protocol){0};
}

/* --- what is asked of it ---------------------------------------------------------------------------------- */

struct protocol_cell protocol_cell(const struct protocol *p, uint32_t row, uint32_t column)
{
    struct protocol_cell cell = {0, NONE32, 0, 0};
    for (uint32_t i = 0; i < p->n_seen; i++) {
        const struct protocol_seen *seen = &p->seen[i];
        if (seen->row != row || seen->column != column)
            continue;
        if (cell.runs++ == 0) {
            cell.first_run = seen->run;
            cell.first = seen->first;
        }
        cell.times += seen->times;
    }
    return cell;
}

const char *protocol_never(enum conjunct c)
{
    return c == C_LEASE_LONG ? "with the gate a scenario with a shorter lease is an error: there is no run of it"
                             : NULL;
}

bool protocol_alone(const struct protocol *p, enum conjunct c)
{
    enum gate gate = (enum gate)conjunct_table[c].gate;
    return protocol_cell(p, protocol_row_of(gate, true, 0), COLUMN_ANY).runs > 0 &&
           protocol_cell(p, protocol_row_of(gate, true, conjunct_bit(c, true)), COLUMN_ANY).runs > 0;
}
