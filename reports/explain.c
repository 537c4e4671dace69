/* SPDX-License-Identifier: MIT
 *
 * explain.c - see explain.h: the list of lines, the commands, and the words that all parts use.
 */
#include "reports/explain.h"

#include <stdlib.h>
#include <string.h>

#include "reports/explain_part.h"
#include "reports/line.h"

const char *const told_part_name[TOLD_PARTS] = {
#define X(id, name, heading) name,
    TOLD_PARTS_TABLE(X)
#undef X
};

const char *telling_heading(const struct telling *k, enum told_part part)
{
    static const char *const heading[TOLD_PARTS] = {
#define X(id, name, heading) heading,
        TOLD_PARTS_TABLE(X)
#undef X
    };
    static const char *const of_others[TOLD_PARTS] = {[TOLD_RULE] = "What came of it",
                                                      [TOLD_FAULTS] = "What it went through",
                                                      [TOLD_GATES] = "Which gates it rests on"};
    bool broke = k->x->what == EXPLAINED_RULE || k->x->what == EXPLAINED_ALWAYS;
    if (k->x->what == EXPLAINED_HOLDS && part == TOLD_CHAIN)
        return "How far it came";
    return broke || of_others[part] == NULL ? heading[part] : of_others[part];
}

/* --- lines ------------------------------------------------------------------------------------- */

struct told *telling_add(struct telling *k, enum told_part part, enum told_kind kind)
{
    if (k->n == k->capacity) {
        uint32_t capacity = k->capacity == 0 ? 32 : 2 * k->capacity;
        struct told *grown = realloc(k->row, capacity * sizeof *grown);
        if (grown == NULL) {
            k->failed = true;
            return NULL;
        }
        k->row = grown;
        k->capacity = capacity;
    }
    struct told *row = &k->row[k->n++];
    *row = (struct told){.part = (uint16_t)part, .kind = (uint16_t)kind, .case_index = k->x->case_index};
    return row;
}

/* The command line's change and another: the second counts. */
static void add_change(struct options *o, const struct change *c)
{
    o->without = (o->without & ~c->put_back) | c->without;
    o->put_back = (o->put_back & ~c->without) | c->put_back;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t at = 0;
        while (at < o->n_revisions && o->revision[at].line != c->revision[i].line)
            at++;
        if (at == REVISIONS_MAX)
            return;
        o->revision[at] = c->revision[i];
        o->n_revisions += at == o->n_revisions;
    }
}

static void add_command(struct text *t, const struct telling *k, const struct change *change, uint32_t case_index)
{
    struct options *o = malloc(sizeof *o);
    if (o == NULL) {
        t->failed = true;
        return;
    }
    *o = *k->o;
    add_change(o, change);
    front_add_command(t, k->program, "run", o, scenario_case_name(k->x->scenario, case_index), k->file->path);
    free(o);
}

struct told *telling_add_replay(struct telling *k, enum told_part part, enum told_kind kind, const struct replayed *r,
                                uint32_t case_index)
{
    struct told *row = telling_add(k, part, kind);
    if (row == NULL)
        return NULL;
    row->replay = r;
    row->case_index = case_index;
    add_command(&row->command, k, &r->change, case_index);
    return row;
}

/* --- words ---------------------------------------------------------------------------------------- */

void told_invariant(struct text *t, const struct explanation *x, uint32_t invariant)
{
    if (invariant < INVARIANTS) {
        text_add(t, invariant_table[invariant].name);
        return;
    }
    text_add(t, "the `always` of line ");
    text_u64(t, x->c->expectations[invariant - INVARIANTS].line);
}

void told_outcome(struct text *t, const struct explanation *x, const struct replayed *r)
{
    switch (r->end) {
    case REPLAY_HOLDS: text_add(t, "nothing breaks"); return;
    case REPLAY_NO_END: text_add(t, "the run comes to no end of its own"); return;
    case REPLAY_LONG: text_add(t, "the run goes on and on; it was not followed to its end"); return;
    case REPLAY_IMPOSSIBLE: text_add(t, "the case cannot run so"); return;
    case REPLAY_UNASKED: text_add(t, "not asked"); return;
    default: break;
    }
    told_invariant(t, x, r->invariant);
    text_add(t, " breaks at ");
    text_time(t, r->at);
    if (r->node == NULL)
        return;
    text_add(t, ", by ");
    text_shown(t, r->node);
}

/* What a fault is called in a sentence, and whether whom it strikes stands behind `of`. */
static const struct {
    const char *noun;
    bool of;
} fault_noun[FAULTS] = {[FAULT_PAUSE] = {"pause", true},
                        [FAULT_SUSPEND] = {"suspension", true},
                        [FAULT_CRASH] = {"crash", true},
                        [FAULT_PARTITION] = {"partition", false},
                        [FAULT_CUT] = {"cut", true},
                        [FAULT_HEAL] = {"healing", false},
                        [FAULT_DELAY] = {"delay", true},
                        [FAULT_DROP] = {"loss", true},
                        [FAULT_DUPLICATE] = {"duplicate", true},
                        [FAULT_REORDER] = {"reordering", true},
                        [FAULT_WALL_JUMP] = {"step of the wall clock", true},
                        [FAULT_DRIFT] = {"drift", true},
                        [FAULT_SLEW] = {"slew", true},
                        [FAULT_SLOW] = {"slowness", true},
                        [FAULT_RESUME_ORDER] = {"order at the resume", false}};

void told_fault(struct text *t, const struct explanation *x, const struct fault_fact *row)
{
    const struct fault_plan *f = &x->c->sim.faults[row->fault];
    text_add(t, "the ");
    text_add(t, fault_noun[f->kind].noun);
    if (!fault_noun[f->kind].of || f->text == NONE16)
        return;
    text_add(t, " of ");
    text_shown(t, line_name(&x->c->sim, f->text));
}

/* --- all of it ------------------------------------------------------------------------------------- */

void telling_make(struct telling *k, const struct explanation *x, const struct outcome_file *file,
                  const struct options *o, const char *program)
{
    *k = (struct telling){.x = x, .file = file, .o = o, .program = program};
    tell_rule(k);
    tell_chain(k);
    tell_beliefs(k);
    tell_faults(k);
    tell_nearest(k);
    tell_gates(k);
    for (uint32_t i = 0; i < k->n; i++)
        k->failed |= k->row[i].words.failed || k->row[i].command.failed;
}

void telling_free(struct telling *k)
{
    for (uint32_t i = 0; i < k->n; i++) {
        text_free(&k->row[i].words);
        text_free(&k->row[i].command);
    }
    free(k->row);
    memset(k, 0, sizeof *k);
}
