/* SPDX-License-Identifier: MIT
 *
 * words.c - the table of words as `fencepost list` and the reference see it.
 */
#include "scenarios/language/words.h"

#include "scenarios/language/scenario.h"

#define ROW(name, group, built, handler, syntax, sentence, example) {name, group, built, syntax, sentence, example},
#define INNER(name, group, built, syntax, sentence, example) {name, group, built, syntax, sentence, example},
#define GATE(id, name, built, with, without) \
    {name,                                   \
     WORDS_GATES,                            \
     built,                                  \
     "case NAME without " name " ...",       \
     with "; without it: " without,          \
     "case other without " name " holds"},
#define INVARIANT(id, name, kind, built, holds_when, not_promised) \
    {name,                                                         \
     WORDS_INVARIANTS,                                             \
     built,                                                        \
     "case NAME ... violates " name,                               \
     holds_when "; not promised: " not_promised,                   \
     "case other violates " name},
#define ERROR(id, name, sentence) \
    {name, WORDS_ERRORS, 1, "on " name ": STEPS", sentence, "at end: expect not w1 failed " name},
/* `w1 holds leader` is a state, not a line of the trace: so the network's verb is shown with its own actor. */
#define VERB(id, name, sentence, flags, ...)                                                             \
    {name,                                                                                               \
     WORDS_VERBS,                                                                                        \
     ((flags)&VERB_NOTE) ? 0 : 1,                                                                        \
     ((flags)&VERB_BEFORE) ? "before | after ACTOR " name " [OBJECT]" : "after ACTOR " name " [OBJECT]", \
     sentence,                                                                                           \
     (int)(id) == (int)V_HOLDS ? "at end: expect not net " name : "at end: expect not w1 " name},

static const struct word words[] = {TOP_WORDS(ROW) HEADER_WORDS(ROW) STEP_WORDS(ROW) FAULT_WORDS(ROW) MAY_WORDS(ROW)
                                        INNER_WORDS(INNER) GATE_TABLE(GATE) INVARIANT_TABLE(INVARIANT)
                                            ERROR_TABLE(ERROR) SIM_VERB_TABLE(VERB) MODEL_VERB_TABLE(VERB)};

const struct word *words_all(uint32_t *n)
{
    *n = sizeof words / sizeof *words;
    return words;
}

const char *word_group_name(enum word_group g)
{
    static const char *const names[WORD_GROUPS] = {[WORDS_LOCKS] = "locks",
                                                   [WORDS_STORES] = "stores",
                                                   [WORDS_QUEUES] = "queues",
                                                   [WORDS_TABLES] = "tables",
                                                   [WORDS_STEPS] = "steps",
                                                   [WORDS_FAULTS] = "faults",
                                                   [WORDS_GATES] = "gates",
                                                   [WORDS_INVARIANTS] = "invariants",
                                                   [WORDS_ERRORS] = "errors",
                                                   [WORDS_VERBS] = "verbs",
                                                   [WORDS_DEFAULTS] = "defaults",
                                                   [WORDS_LIMITS] = "limits",
                                                   [WORDS_DECLARATIONS] = "declarations",
                                                   [WORDS_EXPECTATIONS] = "expectations",
                                                   [WORDS_MAY] = "may"};
    ASSERT(g < WORD_GROUPS);
    return names[g];
}
