/* SPDX-License-Identifier: MIT
 *
 * situations.c - see situations.h: the trace of a run, record by record, before the watch of model/situation_watch.c.
 */
#include "scenarios/situations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- names ----------------------------------------------------------------------------------------- */

#define SITUATION_NAME 64

/* Made at the first asking, and never changed. */
const char *situation_name(uint32_t cell)
{
    static char name[SITUATION_CELLS][SITUATION_NAME];
    ASSERT(situation_is(cell));
    if (name[cell][0] == '\0')
        (void)snprintf(name[cell], SITUATION_NAME, "%s:%s", situation_kind_table[situation_kind_of(cell)].name,
                       situation_phase_table[situation_phase_of(cell)].name);
    return name[cell];
}

uint32_t situation_find(const char *name)
{
    for (uint32_t i = 0; i < SITUATION_CELLS; i++)
        if (situation_is(i) && strcmp(situation_name(i), name) == 0)
            return i;
    return NONE32;
}

/* --- reading --------------------------------------------------------------------------------------- */

struct situation_reader {
    const struct model_plan *p;
    void *memory;
    struct situation_set seen;
    uint32_t n;
    struct reached row[SITUATION_CELLS];
};

struct situation_reader *situation_reader_new(const struct compiled *c)
{
    struct situation_reader *k = calloc(1, sizeof *k);
    if (k == NULL)
        return NULL;
    k->p = &c->model;
    k->memory = malloc(situations_bytes(k->p));
    if (k->memory != NULL)
        return k;
    free(k);
    return NULL;
}

void situation_reader_free(struct situation_reader *k)
{
    if (k == NULL)
        return;
    free(k->memory);
    free(k);
}

/* Those of `now` that were not seen before. */
static void note_new(struct situation_reader *k, const struct situation_set *now, ns at, uint32_t number)
{
    for (uint32_t i = 0; i < SITUATION_SET_WORDS; i++) {
        uint64_t fresh = now->word[i] & ~k->seen.word[i];
        for (uint32_t b = 0; b < 64 && fresh >> b != 0; b++)
            if (fresh >> b & 1)
                k->row[k->n++] = (struct reached){at, i * 64 + b, number};
        k->seen.word[i] |= fresh;
    }
}

const struct reached *situations_of_run(struct situation_reader *k, const struct run *r, uint32_t *n)
{
    uint32_t records;
    const struct record *trace = sim_trace(r->sim, &records);
    struct situations *w = situations_begin(k->p, k->memory);
    memset(&k->seen, 0, sizeof k->seen);
    k->n = 0;
    for (uint32_t i = 0; i < records; i++) {
        struct situation_set now = {{0}};
        situations_take(w, &trace[i], i + 1, &now);
        note_new(k, &now, trace[i].at, i + 1);
    }
    *n = k->n;
    return k->row;
}
