/* SPDX-License-Identifier: MIT
 *
 * protocol_info.c - protocol coverage as a tracefile of lcov, over a source that nobody compiles.
 *
 *     protocol.spec   a line a row: what a gate can say, in words; the kinds of fault in their order, once at the top
 *     FN, FNDA        the gates: how often each was asked
 *     DA              how often that was said
 *     BRDA            under which kind of fault, numbered in that order (lcov before 2.0 takes no names)
 *
 * A record a scenario (TN). Behind it stand the lines of the scenario itself: those that its cases came to. What reads
 * tracefiles reads this: genhtml, and the services that show coverage.
 */
#include "reports/coverage.h"

#include <stdlib.h>

#define SPEC_HEAD 3 /* lines before the first gate */

/* Each gate has a line of its own before its rows. */
static uint32_t line_of_gate(uint32_t gate)
{
    uint32_t before = 0;
    for (uint32_t g = 0; g < gate; g++)
        before += gate_table[g].built != 0;
    return SPEC_HEAD + 1 + protocol_first_row((enum gate)gate) + before;
}

static uint32_t line_of_row(uint32_t row)
{
    uint32_t gate = protocol_row(row).gate;
    return line_of_gate(gate) + 1 + row - protocol_first_row((enum gate)gate);
}

void protocol_spec(struct text *t, const struct covered *c)
{
    (void)c;
    text_add(
        t,
        "# What the gates can say. The branches of each line are the faults that were active then, in this order:\n# ");
    for (uint32_t column = 0; column < ACTIVE_KINDS; column++) {
        text_add(t, column > 0 ? ", " : "");
        text_add(t, active_name[column]);
    }
    text_add(t, "\n\n");
    uint32_t gate = GATES;
    for (uint32_t i = 0; i < protocol_rows(); i++) {
        struct protocol_row row = protocol_row(i);
        if (row.gate != gate) {
            gate = row.gate;
            text_add(t, gate_table[gate].name);
            text_add(t, ": ");
            text_add(t, gate_table[gate].with);
            text_char(t, '\n');
        }
        text_add(t, "  ");
        protocol_said(t, &row);
        text_char(t, '\n');
    }
}

/* --- the tracefile ------------------------------------------------------------------------------------------- */

/* A test's name: letters, digits and '_'. */
void covered_test(struct text *t, const char *path)
{
    for (const char *s = path; *s != '\0'; s++) {
        bool good = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9');
        text_char(t, good ? *s : '_');
    }
}

static void entry(struct text *t, const char *key, uint64_t a, uint64_t b)
{
    text_add(t, key);
    text_u64(t, a);
    text_char(t, ',');
    text_u64(t, b);
    text_char(t, '\n');
}

static void total(struct text *t, const char *found, uint64_t n, const char *hit, uint64_t m)
{
    text_add(t, found);
    text_u64(t, n);
    text_char(t, '\n');
    text_add(t, hit);
    text_u64(t, m);
    text_char(t, '\n');
}

/* How often the cases of one scenario came to each cell. NULL: no memory. */
static uint64_t *counts_of(const struct covered *c, uint32_t file)
{
    uint64_t *count = calloc((size_t)protocol_rows() * (COLUMN_ANY + 1), sizeof *count);
    for (uint32_t i = 0; count != NULL && i < c->protocol.n_seen; i++) {
        const struct protocol_seen *seen = &c->protocol.seen[i];
        if (c->run[seen->run].file == file)
            count[seen->row * (COLUMN_ANY + 1) + seen->column] += seen->times;
    }
    return count;
}

static uint64_t times_in(const uint64_t *count, uint32_t row, uint32_t column)
{
    return count[row * (COLUMN_ANY + 1) + column];
}

static uint64_t askings(const uint64_t *count, uint32_t gate)
{
    uint64_t times = 0;
    for (uint32_t i = 0; i < protocol_rows(); i++)
        times += protocol_row(i).gate == gate ? times_in(count, i, COLUMN_ANY) : 0;
    return times;
}

static void put_functions(struct text *t, const uint64_t *count)
{
    uint32_t found = 0, hit = 0;
    for (uint32_t gate = 0; gate < GATES; gate++) {
        if (!gate_table[gate].built)
            continue;
        text_add(t, "FN:");
        text_u64(t, line_of_gate(gate));
        text_char(t, ',');
        text_add(t, gate_table[gate].name);
        text_char(t, '\n');
        found++;
    }
    for (uint32_t gate = 0; gate < GATES; gate++) {
        if (!gate_table[gate].built)
            continue;
        uint64_t times = askings(count, gate);
        text_add(t, "FNDA:");
        text_u64(t, times);
        text_char(t, ',');
        text_add(t, gate_table[gate].name);
        text_char(t, '\n');
        hit += times > 0;
    }
    total(t, "FNF:", found, "FNH:", hit);
}

static void put_branches(struct text *t, const uint64_t *count)
{
    uint32_t hit = 0;
    for (uint32_t row = 0; row < protocol_rows(); row++) {
        bool said = times_in(count, row, COLUMN_ANY) > 0;
        for (uint32_t column = 0; column < ACTIVE_KINDS; column++) {
            uint64_t times = said ? times_in(count, row, column) : 0;
            text_add(t, "BRDA:");
            text_u64(t, line_of_row(row));
            text_add(t, ",0,");
            text_u64(t, column);
            text_char(t, ',');
            if (said)
                text_u64(t, times);
            else
                text_char(t, '-');
            text_char(t, '\n');
            hit += times > 0;
        }
    }
    total(t, "BRF:", (uint64_t)protocol_rows() * ACTIVE_KINDS, "BRH:", hit);
}

static void put_gates(struct text *t, const struct covered *c, const uint64_t *count)
{
    uint32_t hit = 0;
    text_add(t, "SF:");
    text_add(t, c->folder);
    text_add(t, "/protocol.spec\n");
    put_functions(t, count);
    put_branches(t, count);
    for (uint32_t row = 0; row < protocol_rows(); row++) {
        uint64_t times = times_in(count, row, COLUMN_ANY);
        entry(t, "DA:", line_of_row(row), times);
        hit += times > 0;
    }
    total(t, "LF:", protocol_rows(), "LH:", hit);
    text_add(t, "end_of_record\n");
}

static void put_scenario(struct text *t, const struct covered_file *f)
{
    uint32_t found = 0, hit = 0;
    text_add(t, "SF:");
    text_add(t, f->path);
    text_char(t, '\n');
    for (uint32_t line = 1; line <= f->lines; line++) {
        if (f->times[line] == LINE_IS_NONE)
            continue;
        entry(t, "DA:", line, f->times[line]);
        found++;
        hit += f->times[line] > 0;
    }
    total(t, "LF:", found, "LH:", hit);
    text_add(t, "end_of_record\n");
}

void protocol_info(struct text *t, const struct covered *c)
{
    for (uint32_t file = 0; file < c->n_files; file++) {
        text_add(t, "TN:");
        covered_test(t, c->file[file].path);
        text_char(t, '\n');
        uint64_t *count = counts_of(c, file);
        if (count != NULL)
            put_gates(t, c, count);
        t->failed = t->failed || count == NULL;
        free(count);
        put_scenario(t, &c->file[file]);
    }
}
