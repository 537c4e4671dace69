/* SPDX-License-Identifier: MIT
 *
 * scenario.h - a scenario file: read, checked, printed back, and compiled for one case.
 *
 * Text -> scenario_parse() -> struct scenario (the checked syntax tree, which remembers lines and
 * columns) -> scenario_print() for the canonical form, scenario_compile() for the plan of a case.
 * No file is opened here and nothing is printed: problems are collected in struct diags.
 * Allocation happens at load time only, in an arena that scenario_free() or compiled_free() frees; when
 * memory runs out the functions return NULL and diags->no_memory is set.
 */
#ifndef FENCEPOST_SCENARIO_H
#define FENCEPOST_SCENARIO_H

#include "model/plan.h"
#include "sim/sim.h"

/* --- problems -------------------------------------------------------------------------- */

#define DIAGS_MAX 10

struct diag {
    uint32_t line, column; /* from 1; column counts bytes; 0: the file as a whole */
    uint32_t length;       /* of the word under the caret */
    char text[240];        /* "unknown word 'puase'; expected 'pause', 'crash' ...; did you mean 'pause'?" */
};

struct diags {
    uint32_t n;     /* kept; the first ten */
    uint32_t total; /* found */
    bool no_memory;
    struct diag row[DIAGS_MAX];
};

/* --- what a case is expected to do ------------------------------------------------------- */

#define VIOLATIONS_MAX 8

struct expected_violation {
    uint32_t invariant; /* enum invariant */
    name_id by;         /* NONE16: whoever */
    ns from, to;        /* from = -1: whenever */
};

enum expect_when { EXPECT_AT, EXPECT_END, EXPECT_AFTER, EXPECT_WITHIN, EXPECT_ALWAYS };
enum expect_what {
    EXPECT_EXPR,      /* expr is true */
    EXPECT_EVENT,     /* such a record has happened (WITHIN: happens in the window) */
    EXPECT_NO_LEADER, /* `no leader among A B`: ids = processes */
    EXPECT_EFFECT     /* effect `text` happened `count` times */
};

/* A record pattern: a line of the printed trace, with or without its details. */
struct pattern {
    ns at;                 /* -1: whenever (a pasted line may begin with its time) */
    name_id actor, object; /* object NONE16: none named (any) */
    uint16_t verb;
    uint16_t n_fields;
    uint8_t which[RECORD_FIELDS]; /* field index in the verb table */
    uint8_t tag[RECORD_FIELDS];
    int64_t value[RECORD_FIELDS];
};

struct expectation {
    uint32_t when, what; /* enum expect_when, expect_what */
    ns time;             /* AT: at; WITHIN: the window's length */
    uint32_t trigger;    /* AFTER: index into sim_plan.triggers */
    uint32_t anchor;     /* WITHIN: index of the expectation it counts from, NONE32: from 0s */
    uint32_t negated;
    uint32_t expr;
    struct pattern pattern;
    struct ids ids; /* into sim_plan.ids */
    uint32_t count; /* EXPECT_EFFECT */
    name_id text;
    uint32_t line;
};

/* --- questions for a class ------------------------------------------------------------------ */

/* `"CHOICE" if EXPR`, or `if effect "NAME" N times`: the answer, if it alone is true when the run is over. */
struct ask_choice {
    name_id text;
    name_id effect; /* NONE16: it is an expression */
    uint32_t expr;
    uint32_t count; /* of the effect */
    uint32_t line;
};

struct ask {
    ns at; /* when a class is asked; it keeps no run alive */
    name_id question;
    uint32_t line;
    uint32_t first_choice, n_choices; /* into compiled.choices; two or more, unless gates were turned */
};

/* --- what could go wrong -------------------------------------------------------------------- */

/* A `may` line that the case keeps. Searches choose among what these allow; a plain run ignores them. */
struct may_plan {
    uint8_t kind;      /* enum fault_kind: `step wall` is FAULT_WALL_JUMP, `drift` FAULT_DRIFT */
    uint8_t losing;    /* FAULT_CRASH: enum losing, what it may lose beyond what is volatile */
    uint8_t holding;   /* FAULT_PARTITION, FAULT_CUT: closed links keep messages; else they drop them */
    uint8_t both_ways; /* links named as A - B */
    uint8_t all;       /* no name stands there: everything of its kind; processes, threads and to are empty */
    uint8_t spare[3];
    struct ids processes; /* into sim_plan.ids: whom it may strike (suspension, clocks: their machines; partition: who
                             may be cut off; links: senders) */
    struct ids threads;   /* FAULT_PAUSE: these threads, each alone */
    struct ids to;        /* links: receivers */
    ns up_to;             /* `up to D`: the longest duration, delay or step; 0: not said */
    int64_t up_to_ppb;    /* FAULT_DRIFT; 0: not said */
    uint32_t line;
    uint32_t spare2;
};

/* --- a compiled case ---------------------------------------------------------------------- */

struct compiled {
    struct sim_plan sim;
    struct model_plan model;
    const char *name; /* of the case */
    uint32_t line;
    bool violates; /* the case says so; else `holds` */
    bool to_mend;  /* ... `until mended`: it may hold as well */
    uint32_t n_expected;
    struct expected_violation expected[VIOLATIONS_MAX];
    uint32_t signs; /* bit INV_x: signs the case names (`holds and single-actor`, `violates single-actor`) */
    uint32_t n_expectations;
    const struct expectation *expectations; /* in file order */
    uint32_t n_asks, n_choices;
    const struct ask *asks; /* in file order */
    const struct ask_choice *choices;
    /* trigger i of sim.triggers came from this line; it must fire in at least one case that it applies to */
    const uint32_t *trigger_line;
    /* lines that name what a turned gate took away: they do nothing, or, a step, fail with `refused` */
    uint32_t n_inert;
    const uint32_t *inert;
    uint32_t n_mays;
    const struct may_plan *mays; /* in file order */
    uint32_t at_most;            /* `at most N faults`; NONE32: not said */
    void *arena;
};

/* --- a scenario ------------------------------------------------------------------------------ */

struct setting { /* --set NAME=VALUE */
    const char *name;
    const char *value; /* in the language's own syntax: 5s, 3, "text" */
};

struct scenario;

/* text need not end in NUL. file is used in messages only. NULL when there are problems (diags->n > 0) or no memory. */
struct scenario *scenario_parse(const char *text, size_t length, const char *file, const struct setting *settings,
                                uint32_t n_settings, struct diags *diags);
void scenario_free(struct scenario *s);

const char *scenario_title(const struct scenario *s);
const char *scenario_source(const struct scenario *s); /* NULL: none */
const char *scenario_lesson(const struct scenario *s);
int32_t scenario_decided_by(const struct scenario *s);      /* enum gate, or -1 */
const char *scenario_reach(const struct scenario *s);       /* the situation `KIND:PLACE` of `reach`, NULL: none */
const char *scenario_reach_words(const struct scenario *s); /* and what it is; NULL: none */
bool scenario_asks(const struct scenario *s);               /* whether it asks something, in whichever case */
uint32_t scenario_cases(const struct scenario *s);
const char *scenario_case_name(const struct scenario *s, uint32_t i);
int32_t scenario_case_find(const struct scenario *s, const char *name);             /* -1: none */
const char *scenario_line(const struct scenario *s, uint32_t line, size_t *length); /* the source line, from 1 */

/* --- a lesson: a file with a case `until mended` ------------------------------------------------- */

int32_t scenario_to_mend(const struct scenario *s); /* that case, or -1 */
/* The number of the one line to change: the line that the case alone keeps, but for what is asked and expected; where
 * there is none, the line of the case. 0: nothing is to be mended. */
uint32_t scenario_change(const struct scenario *s);

/* Whether a line, by its number, tells of the world: no case, no question, no expectation, and of the header the source
 * alone. A student sees these lines before the rest. Comments and empty lines do. */
bool scenario_line_tells(const struct scenario *s, uint32_t number);

/* Compares a lesson with what somebody made of it. Spaces and comments do not count, nor does the line to change; but
 * that has to stay where it is, and the case what it is called. */
struct lesson_difference {
    bool changed; /* the line to change is another */
    uint32_t given,
        handed_in; /* numbers of the first other lines that differ; 0: a file has no such line. Both 0: none */
};
struct lesson_difference lesson_compare(const struct scenario *given, const struct scenario *handed_in);

/* --- compiling --------------------------------------------------------------------------------- */

/* The plan of case i, without these gates too (bits GATE_x; `--without`). put_back: gates that the case removes but
 * that this compilation keeps (for `decided-by`). Problems that only a case shows (a quorum of no voters after --set,
 * a capacity ...) go to diags. */
struct compiled *scenario_compile(const struct scenario *s, uint32_t i, uint32_t without, uint32_t put_back,
                                  struct diags *diags);
void compiled_free(struct compiled *c);

/* Another fault in a line of the file that holds one, for the cases of that line: --fault LINE=FAULT. */
struct revision {
    uint32_t line;
    const char *fault; /* with its time or event, `at 5s: pause w1 for 2s`; or REVISION_NONE */
};
#define REVISION_NONE "none"

/* The same scenario with these faults instead, to be freed; s and the revisions outlive it, and what is compiled from
 * it. What does not read as a fault goes to diags, and NULL; what is wrong with the words of one is found when a case
 * is compiled, or by scenario_check(). */
struct scenario *scenario_revised(const struct scenario *s, const struct revision *revisions, uint32_t n,
                                  struct diags *diags);
/* Whether every case compiles as it stands. */
bool scenario_check(const struct scenario *s, struct diags *diags);

/* The canonical form. Returns a malloc'd text (NUL-terminated, *length without it), NULL: no memory. */
char *scenario_print(const struct scenario *s, size_t *length);

/* --- a finding as a file ----------------------------------------------------------------------- */

struct finding {
    uint32_t without;         /* bits GATE_x removed beyond what the case removes */
    uint32_t put_back;        /* bits of gates that the case removes but the finding keeps */
    const char *claim;        /* what the case line says: "violates no-stale-write by w1", "holds" */
    const char *const *lines; /* whole fault lines to add, in order: "before w1 writes ledger: pause w1 for 12s" */
    uint32_t n_lines;
    const char *const *notes; /* comment lines without '#', put below the header's title block */
    uint32_t n_notes;
    const uint32_t *dropped; /* numbers of lines of the file that are left out, with what is indented below them */
    uint32_t n_dropped;
    ns until; /* another horizon; 0: the file's own */
};

/* A file of that one case, in canonical form and malloc'd (NUL-terminated, *length without it): what the case keeps,
 * and what was found. Of what the file expects only `always:` stays, of questions none; names that nothing is left to
 * use are left out, params have the values of the settings. Its run is that of the case with the same gates and faults,
 * of which no dated expectation is waited for. Guards by gates stay, so that `gates` and `--without` find in it what
 * they find in the file, unless it cannot be read with them: then they are resolved. Notes that a search wrote into the
 * file are left out, for they are of another finding; a person's comments stay. NULL: no memory; or no file says
 * it, for a line to be added does not read, or a step names what a turned gate took away. */
char *scenario_print_found(const struct scenario *s, uint32_t case_index, const struct finding *f, size_t *length);

/* --- single lines ------------------------------------------------------------------------------- */

/* What a fault does, as a line of the language says it: `pause w1 for 12s`, `cut w1 -> ledger for 5s holding`. Returns
 * the length, which may exceed size (as snprintf does); 0: no line says that (one of two processes of a name, a side of
 * a partition without anybody). ids, thread and what else the kind uses say what is struck; of `text` only a
 * partition's or cut's counts, for the trace has it: whoever changes whom one of these strikes sets text to NONE16. */
size_t fault_text(const struct sim_plan *plan, const struct fault_plan *f, char *out, size_t size);
/* `before w1 writes ledger #2`; `#1` is left out. Names as the printed trace has them. */
size_t trigger_text(const struct sim_plan *plan, const struct trigger_plan *t, char *out, size_t size);

/* The nearest of n words by edit distance (at most 2, or a third of the length), NULL if none is near. */
const char *nearest_word(const char *word, size_t length, const char *const *words, uint32_t n);

/* --- the table of words, for `fencepost list` and the reference ------------------------------- */

enum word_group {
    WORDS_LOCKS,
    WORDS_STORES,
    WORDS_QUEUES,
    WORDS_TABLES,
    WORDS_STEPS,
    WORDS_FAULTS,
    WORDS_GATES,
    WORDS_INVARIANTS,
    WORDS_ERRORS,
    WORDS_VERBS,
    WORDS_DEFAULTS,
    WORDS_LIMITS,
    WORDS_DECLARATIONS,
    WORDS_EXPECTATIONS,
    WORDS_MAY,
    WORD_GROUPS
};
struct word {
    const char *name;
    uint32_t group;     /* enum word_group */
    uint32_t built;     /* 0: known, refused as "not in this version yet" */
    const char *syntax; /* "pause NAME... [for DURATION]" */
    const char *sentence;
    const char *example; /* a line that a test parses in a small scenario */
};
const struct word *words_all(uint32_t *n);
const char *word_group_name(enum word_group g); /* "locks", "faults" ... */

#endif
