/* SPDX-License-Identifier: MIT
 *
 * situations.c - see situations.h: what is counted, and the table as text and as JSON.
 *
 * A cell belongs to the first case that reached it, in the order in which the scenarios were named; so the same files
 * give the same bytes. What can never be reached is left out of every count.
 */
#include "reports/situations.h"

#include <stdlib.h>
#include <string.h>

void situation_table_begin(struct situation_table *t)
{
    memset(t, 0, sizeof *t);
    for (uint32_t i = 0; i < SITUATION_CELLS; i++)
        t->row[i].file = NONE32;
}

void situation_table_free(struct situation_table *t)
{
    for (uint32_t i = 0; i < SITUATION_CELLS; i++)
        free(t->row[i].case_name);
    for (uint32_t i = 0; i < t->n_files; i++) {
        free(t->file[i].path);
        free(t->file[i].page);
    }
    free(t->file);
    situation_table_begin(t);
}

static char *copy_of(struct situation_table *t, const char *string)
{
    char *copy = string == NULL ? NULL : text_copied(string, strlen(string));
    t->failed = t->failed || (copy == NULL && string != NULL);
    return copy;
}

void situation_table_file(struct situation_table *t, const char *path, const char *page)
{
    if (t->n_files == t->files_max) {
        uint32_t room = t->files_max == 0 ? 64 : 2 * t->files_max;
        struct situation_file *grown = realloc(t->file, room * sizeof *grown);
        if (grown == NULL) {
            t->failed = true;
            return;
        }
        t->file = grown;
        t->files_max = room;
    }
    t->file[t->n_files].path = copy_of(t, path);
    t->file[t->n_files++].page = copy_of(t, page);
}

static void take(struct situation_table *t, const struct run *r, const struct reached *one)
{
    struct situation_row *row = &t->row[one->cell];
    row->cases++;
    if (row->file != NONE32)
        return;
    row->case_name = copy_of(t, r->c->name);
    row->file = t->n_files - 1;
    row->at = one->at;
}

void situation_table_case(struct situation_table *t, const struct run *r)
{
    struct situation_reader *reader = t->n_files == 0 ? NULL : situation_reader_new(r->c);
    uint32_t n = 0;
    if (reader == NULL) {
        t->failed = true;
        return;
    }
    const struct reached *reached = situations_of_run(reader, r, &n);
    for (uint32_t i = 0; i < n; i++)
        take(t, r, &reached[i]);
    t->cases++;
    situation_reader_free(reader);
}

/* --- counts ------------------------------------------------------------------------------------------------ */

static enum situation_side side_of(uint32_t cell)
{
    return (enum situation_side)situation_phase_table[situation_phase_of(cell)].side;
}

struct situation_count situation_table_count(const struct situation_table *t, enum situation_side side)
{
    struct situation_count n = {0, 0, 0};
    for (uint32_t i = 0; i < SITUATION_CELLS; i++) {
        bool never = situation_never(i) != NULL;
        if (!situation_is(i) || side_of(i) != side)
            continue;
        n.never += never;
        n.reachable += !never;
        n.reached += !never && t->row[i].cases > 0;
    }
    return n;
}

struct situation_count situation_table_total(const struct situation_table *t)
{
    struct situation_count all = {0, 0, 0};
    for (int side = 0; side < SIDES; side++) {
        struct situation_count n = situation_table_count(t, (enum situation_side)side);
        all.reachable += n.reachable;
        all.reached += n.reached;
        all.never += n.never;
    }
    return all;
}

uint32_t situation_table_contradiction(const struct situation_table *t)
{
    for (uint32_t i = 0; i < SITUATION_CELLS; i++)
        if (t->row[i].cases > 0 && (!situation_is(i) || situation_never(i) != NULL))
            return i;
    return NONE32;
}

/* --- words --------------------------------------------------------------------------------------------------- */

void situation_words(struct text *t, uint32_t cell)
{
    text_add(t, situation_kind_table[situation_kind_of(cell)].words);
    text_add(t, side_of(cell) == SIDE_MESSAGE ? ": " : ", ");
    text_add(t, situation_phase_table[situation_phase_of(cell)].words);
}

static void add_count(struct text *t, struct situation_count n)
{
    text_u64(t, n.reached);
    text_add(t, " of ");
    text_u64(t, n.reachable);
    text_add(t, " situations reached");
}

static void add_cell(struct text *out, const struct situation_table *t, uint32_t cell)
{
    const struct situation_row *row = &t->row[cell];
    text_add(out, "  ");
    text_pad(out, situation_name(cell), 44);
    if (row->cases == 0) {
        text_add(out, situation_never(cell) != NULL ? "  never: " : "  -");
        text_add(out, situation_never(cell) != NULL ? situation_never(cell) : "");
    } else {
        text_add(out, "  ");
        text_u64(out, row->cases);
        text_add(out, "  ");
        text_shown(out, t->file[row->file].path);
        text_char(out, ':');
        text_shown(out, row->case_name == NULL ? "" : row->case_name);
        text_char(out, ' ');
        text_time(out, row->at);
    }
    text_char(out, '\n');
}

void situation_table_text(struct text *out, const struct situation_table *t)
{
    for (int side = 0; side < SIDES; side++) {
        text_style(out, STYLE_BOLD);
        text_add(out, situation_side_name[side]);
        text_style(out, STYLE_PLAIN);
        text_add(out, ": ");
        add_count(out, situation_table_count(t, (enum situation_side)side));
        text_char(out, '\n');
        for (uint32_t i = 0; i < SITUATION_CELLS; i++)
            if (situation_is(i) && side_of(i) == (enum situation_side)side)
                add_cell(out, t, i);
    }
    text_count(out, t->n_files, "scenario", "scenarios");
    text_add(out, ", ");
    text_count(out, t->cases, "case", "cases");
    text_add(out, ": ");
    add_count(out, situation_table_total(t));
    text_char(out, '\n');
    out->failed = out->failed || t->failed;
}

/* --- JSON ----------------------------------------------------------------------------------------------------- */

static void json_count(struct text *out, struct situation_count n)
{
    text_key(out, "reachable");
    text_u64(out, n.reachable);
    text_key(out, "reached");
    text_u64(out, n.reached);
    text_key(out, "never");
    text_u64(out, n.never);
}

static void json_first(struct text *out, const struct situation_table *t, const struct situation_row *row)
{
    text_key(out, "first");
    if (row->cases == 0) {
        text_add(out, "null");
        return;
    }
    text_char(out, '{');
    text_key(out, "file");
    text_json(out, t->file[row->file].path);
    text_key(out, "case");
    text_json(out, row->case_name);
    text_key(out, "at_ns");
    text_u64(out, (uint64_t)row->at);
    text_char(out, '}');
}

static void json_cell(struct text *out, const struct situation_table *t, uint32_t cell)
{
    struct text words = {0};
    situation_words(&words, cell);
    text_comma(out);
    text_char(out, '{');
    text_key(out, "cell");
    text_json(out, situation_name(cell));
    text_key(out, "words");
    text_json(out, text_c(&words));
    text_key(out, "victims");
    text_json(out, situation_side_name[side_of(cell)]);
    text_key(out, "cases");
    text_u64(out, t->row[cell].cases);
    json_first(out, t, &t->row[cell]);
    text_key(out, "never");
    text_json(out, situation_never(cell));
    text_char(out, '}');
    text_done(out, &words);
}

void situation_table_json(struct text *out, const struct situation_table *t)
{
    text_char(out, '{');
    text_key(out, "scenarios");
    text_u64(out, t->n_files);
    text_key(out, "cases");
    text_u64(out, t->cases);
    json_count(out, situation_table_total(t));
    text_key(out, "cells");
    text_char(out, '[');
    for (uint32_t i = 0; i < SITUATION_CELLS; i++)
        if (situation_is(i))
            json_cell(out, t, i);
    text_add(out, "]}\n");
    out->failed = out->failed || t->failed;
}
