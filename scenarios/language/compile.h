/* SPDX-License-Identifier: MIT
 *
 * compile.h - the compiler's own state: one scenario, one case, one plan in the making.
 *
 * The compiler reads a case's lines in three passes: parameters; what exists; the rest in the file's
 * order (programs, faults, expectations). It is also the checker: scenario_parse() compiles every case
 * and throws the plans away. A problem spoils the rest of its statement (`bad`), never more.
 *
 * parse.c      taking words, numbers, durations, names off a statement
 * symbols.c    what names stand for
 * declare.c    params, net, node, lock, store, group, limits
 * queue.c      queues and their jobs;  job_steps.c  what workers, reapers and operators do with them
 * table.c      tables, their columns and rows;  statement.c  the statements on them
 * layout.c     machines, processes, threads, services, clients: rules 1 to 4 of model/plan.h
 * expr.c       expressions, folded and checked
 * program.c    blocks, handlers and loops;  steps.c  the steps
 * top.c        the lines of a file in their order; net, limits
 * event.c      ACTOR VERB OBJECT;  fault.c  faults;  may.c  what could go wrong
 * expect.c     expectations and the verdict of the case;  ask.c  questions
 * elsewhere.c  what exists in other cases only
 * variant.c    a case with gates turned;  revise.c  a file with other faults
 * finish.c     capacities, and the plan from the lists
 *
 * fault_text.c and found.c go the other way: a fault of a plan as a line, a finding as a file.
 */
#ifndef FENCEPOST_LANGUAGE_COMPILE_H
#define FENCEPOST_LANGUAGE_COMPILE_H

#include "scenarios/language/bounds.h"
#include "scenarios/language/tree.h"

enum symbol_kind {
    SYM_NODE = 1,    /* declared with `node` */
    SYM_MACHINE = 2, /* a machine that `at`, or a service's own name, made */
    SYM_LOCK = 4,
    SYM_VOTER = 8,
    SYM_STORE = 16,
    SYM_THREAD = 32, /* a second thread or a keeper */
    SYM_GROUP = 64,
    SYM_PARAM = 128,
    SYM_NET = 256,
    SYM_QUEUE = 512,
    SYM_TABLE = 1024,
    SYM_MAIN = 2048 /* w1.main: the main thread where it alone is meant; what it does is told of w1 */
};
#define SYM_SERVICE (SYM_LOCK | SYM_VOTER | SYM_STORE | SYM_QUEUE | SYM_TABLE)
#define SYM_PLACE (SYM_NODE | SYM_MACHINE | SYM_SERVICE) /* has a machine */
#define SYM_ACTOR (SYM_PLACE | SYM_THREAD | SYM_NET)
#define SYM_STRUCK (SYM_PLACE | SYM_GROUP)

#define MAIN_THREAD "main"

struct symbol {
    name_id name;
    uint16_t kinds;           /* enum symbol_kind */
    uint16_t machine;         /* of the node of this name, NONE16 */
    uint16_t service_machine; /* of the service of this name, NONE16 */
    uint16_t program;         /* process of its program (or idle process), NONE16 */
    uint16_t service_process; /* process of the service of this name; a quorum: the first voter's */
    uint16_t thread;          /* SYM_THREAD, SYM_MAIN; a node: its main thread */
    uint16_t lock, store, queue, table;
    uint32_t line[2];   /* where it was declared, 0: nowhere; as a node or machine, as anything else */
    uint32_t first, n;  /* SYM_GROUP: its members, in group_members; n GROUP_OPEN: they are being read */
    struct token value; /* SYM_PARAM */
};

#define GROUP_OPEN UINT32_MAX

/* A program: one header line, which may stand for several nodes. */
struct program {
    uint32_t line; /* index */
    uint32_t code; /* first instruction */
    uint32_t vars;
    struct ids handlers;
    bool keeps;
    bool timeless; /* repeats without end or `stop` */
    struct place repeats;
};

/* A thread that runs a program. */
struct runner {
    uint32_t symbol; /* the node */
    uint32_t program;
    const char *thread; /* "checkin", or NULL: the main one */
    const struct token *at;
};

enum value_type {
    TYPE_ANY,
    TYPE_NONE,
    TYPE_INT,
    TYPE_NS,
    TYPE_TEXT,
    TYPE_BOOL,
    TYPE_GRANT, /* from here on no values: what a variable can hold besides */
    TYPE_JOB,
    TYPE_BATCH,
    TYPE_ROW
};

struct variable {
    const char *name; /* "": hidden */
    uint8_t type;     /* enum value_type */
    uint8_t reads;    /* a read set it: .token and .version may stand behind it */
    uint8_t set;      /* a line that was compiled before, or one of the loop around, sets it */
    uint8_t spare;
    uint16_t sets;  /* how many lines set it */
    uint16_t table; /* TYPE_ROW: whose; TYPE_BATCH: which queue. Those of its columns, or jobs, follow it */
};

/* What a line makes of a variable. */
struct variable_kind {
    enum value_type type;
    bool reads;
    uint16_t table;
};

/* A table's column in the making. */
struct column {
    name_id name;
    uint16_t table;
    uint8_t type; /* enum value_type of what it holds besides none; TYPE_ANY: not known */
};

/* What a cell holds at the start. */
struct cell_start {
    name_id row;
    uint16_t column;
    struct word_value value;
};

struct hidden_read {
    uint16_t reg, var;
};

/* `ACTOR VERB [OBJECT] [#N]` of a trigger; actor: its symbol. */
struct event {
    struct trigger_plan plan;
    uint32_t actor;
};

/* The lines of a block that are still to come: indices. */
struct block {
    uint32_t at, end;
};

/* Of a question: its time has to come in one of its cases. */
struct ask_time {
    struct place place;
    ns until; /* the latest horizon */
    bool comes;
};

/* What scenario_parse() remembers over all cases. */
struct checks {
    struct arena *arena;
    struct interner names;
    LIST(uint8_t) used;          /* by number in names */
    LIST(struct place) declared; /* by number; line 0: never */
    LIST(const char *) what;     /* "node", "lock" ... */
    uint8_t *seen;               /* by line: some case kept it */
    LIST(struct ask_time) ask_times;
    struct compile **others; /* by case: see elsewhere.c */
};

struct compile {
    const struct scenario *s;
    uint32_t case_index, removed;
    struct diags *diags;
    struct checks *checks; /* NULL: compile only */
    struct arena *arena;
    struct compiled *out;

    const struct token *t;   /* the statement's next token */
    const struct line *line; /* of the statement */
    bool bad;                /* the statement has been complained of */
    bool broken;             /* what exists cannot be laid out: nothing more is read of this case */
    bool is_other;           /* only what exists is asked of this one: see elsewhere.c */
    bool is_variant;         /* gates are turned: see variant.c */
    struct compile **others; /* where there are no checks */

    struct interner names;
    LIST(uint32_t) symbol_of; /* by name: 1 + index of symbols */
    LIST(struct symbol) symbols;
    LIST(uint32_t) group_members; /* symbols */
    LIST(struct program) programs;
    LIST(struct runner) runners;
    LIST(uint32_t) program_of; /* by client */

    LIST(struct machine_plan) machines;
    LIST(struct process_plan) processes;
    LIST(struct thread_plan) threads;
    LIST(name_id) identity_of; /* by machine: what `identity` says */
    LIST(name_id) identity;    /* by process */
    LIST(struct actor) actors;
    LIST(struct service_plan) services;
    LIST(struct client_plan) clients;
    LIST(struct lock_plan) locks;
    LIST(uint8_t) acquired; /* by lock: some program acquires it */
    LIST(struct store_plan) stores;
    LIST(struct queue_plan) queues;
    LIST(struct job_plan) jobs; /* sorted by queue when the programs have been looked through */
    LIST(struct table_plan) tables;
    LIST(struct column) columns; /* these two by table, likewise */
    LIST(struct row_plan) rows;
    LIST(struct cell_start) cell_starts;
    LIST(struct column_plan) column_plans;
    LIST(struct cell_plan) cells;
    LIST(struct word_value) words;
    LIST(struct statement_plan) statements;
    LIST(struct set_plan) sets;
    LIST(uint32_t) captures;
    LIST(struct register_plan) registers;
    LIST(uint32_t) register_of; /* by name: 1 + index of registers */
    LIST(struct link_plan) links;
    LIST(struct fault_plan) faults;
    LIST(struct trigger_plan) triggers;
    LIST(uint32_t) trigger_lines;
    LIST(uint16_t) ids;
    LIST(uint32_t) marks; /* by process: see ids_add_process() */
    LIST(uint32_t) thread_marks;
    LIST(uint16_t) process_on; /* by machine: the first of its processes */
    LIST(struct instr) code;
    LIST(struct expr_op) exprs;
    LIST(struct handler) handlers;
    LIST(struct expectation) expectations;
    LIST(struct may_plan) mays;
    LIST(uint32_t) inert; /* lines; see variant.c */
    LIST(struct ask) asks;
    LIST(struct place) ask_places; /* of their times */
    LIST(struct ask_choice) choices;
    struct link_plan link_default;
    bool has_net, has_sync;
    ns sync_ns, until;
    uint64_t limit[8]; /* enum limit_kind; 0: not said */

    LIST(struct variable) vars; /* of the program being compiled */
    uint32_t hidden_vars;
    struct program *program;
    struct block *block;
    LIST(struct hidden_read) hidden_reads; /* of the `require` being compiled */
    bool in_expectation;                   /* registers and locks may stand in expressions */
    bool in_require;                       /* registers may, and are read first */
    bool in_let;                           /* clocks may */
    bool in_statement;                     /* columns of statement_table may; what is the client's is captured */
    bool has_row;                          /* and there is a row, whose columns have values */
    uint16_t statement_table;
    LIST(struct expr_op) leaves; /* of the statement being compiled: what its client gives it */
    bool in_notes;               /* what only `trace --notes` prints may */
    bool has_above;              /* an expectation stands above */
    uint8_t above;               /* the `when` of the last one */
    uint32_t parentheses, stack; /* of the expression being compiled */
    bool has_at_most;
    uint32_t at_most;
    struct may_plan may;     /* in the making */
    struct fault_plan fault; /* likewise */
    const struct event *fault_event;
};

enum limit_kind {
    LIMIT_EVENTS,
    LIMIT_PENDING,
    LIMIT_MESSAGES,
    LIMIT_RECORDS,
    LIMIT_LABELS,
    LIMIT_CALLS,
    LIMIT_EFFECTS,
    LIMITS
};

typedef void (*word_handler)(struct compile *c);
struct dispatch {
    const char *name;
    uint32_t built;
    word_handler run;
};

/* --- parse.c ---------------------------------------------------------------------------------- */

void complain(struct compile *c, const struct token *at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* "expected WHAT, found 'x'" */
void complain_expected(struct compile *c, const char *what);
void complain_unknown(struct compile *c, const struct token *at, const char *what, const char *const *words,
                      uint32_t n);

bool line_seen(struct compile *c, const struct line *line);       /* kept? and notes it for the checks */
void statement_begin(struct compile *c, const struct line *line); /* c->t: its tokens, continuation lines included */
/* Calls back for each kept line below, begun as a statement of its own. above: what is known of what stands above. */
typedef void (*line_take)(struct compile *c, void *above);
void statements_below(struct compile *c, const struct line *line, line_take take, void *above);
void statement_end(struct compile *c); /* nothing may be left */
bool line_is_block(const struct compile *c, const struct line *line);
/* The tokens of the line, and of its continuation lines, without a word on it. */
const struct token *statement_tokens(struct compile *c, const struct line *line);
/* Calls back with the first word of each step of the lines from..to that the case keeps. */
typedef void (*step_visit)(struct compile *c, const struct token *step, void *context);
void visit_steps(struct compile *c, uint32_t from, uint32_t to, step_visit visit, void *context);
/* Runs the handler of the word at c->t, which stays there. */
void dispatch_word(struct compile *c, const struct dispatch *rows, uint32_t n, const char *what);

bool at_word(const struct compile *c, const char *word);
bool take_word(struct compile *c, const char *word);
void need_word(struct compile *c, const char *word);
bool take_symbol(struct compile *c, enum token_kind kind);
void need_symbol(struct compile *c, enum token_kind kind);
const struct token *take_name(struct compile *c, const char *what); /* a token, T_END when there is none */
const char *take_text(struct compile *c);
/* expect.c: effect "NAME" once, or N times; the number. */
uint32_t take_effects(struct compile *c, name_id *effect);
int64_t take_count(struct compile *c, int64_t least, int64_t most, const char *what);
ns take_duration(struct compile *c, ns least);
ns take_signed_duration(struct compile *c);
int64_t take_ppb(struct compile *c);
void take_range(struct compile *c, ns *from, ns *to);
/* The literal at c->t, or the param of that name. NULL: neither. */
const struct token *peek_literal(struct compile *c);

/* --- symbols.c -------------------------------------------------------------------------------- */

name_id name_of(struct compile *c, const char *text);
name_id name_known(const struct compile *c, const char *text); /* NONE16: nowhere interned */
const char *name_text(const struct compile *c, name_id name);
uint32_t symbol_find(const struct compile *c, const char *text); /* NONE32 */
struct symbol *symbol_at(struct compile *c, uint32_t index);
/* Declares a name; a second role for one that has another is allowed only for a node and a service. */
uint32_t symbol_declare(struct compile *c, const struct token *at, const char *text, uint16_t kind, const char *what);
uint32_t symbol_make(struct compile *c, const char *text);
void name_used(struct compile *c, const char *text);
void name_declared(struct compile *c, const struct token *at, const char *text, const char *what);
/* A name with dots: w1, leader.1, w1.checkin.keeper. Returns the symbol, NONE32 and a problem if there is none of
 * these kinds. what: "node", "lock" ... */
uint32_t take_path(struct compile *c, uint16_t kinds, const char *what);
const char *take_path_text(struct compile *c, char *buffer, size_t size);
void symbol_unknown(struct compile *c, const struct token *at, const char *text, uint16_t kinds, const char *what);
/* "'x' is declared already, as a lock on line 5", of a name that was to be of this kind. */
void complain_declared(struct compile *c, const struct token *at, uint32_t symbol, uint16_t kind);
/* NAME... with ranges, groups and leader.*; calls back once for each symbol. */
typedef void (*symbol_visit)(struct compile *c, uint32_t symbol, void *context);
void take_paths(struct compile *c, uint16_t kinds, const char *what, symbol_visit visit, void *context);
/* `w1` or `w1..w9`: calls back with each text. */
typedef void (*text_visit)(struct compile *c, const struct token *at, const char *text, void *context);
void take_names(struct compile *c, text_visit visit, void *context);
bool word_reserved(const char *text);

/* --- elsewhere.c ------------------------------------------------------------------------------ */

/* Whether another case has a symbol of this name, of one of these kinds. */
bool symbol_elsewhere(struct compile *c, const char *text, uint16_t kinds);
/* "'x' exists only in case one", if that is so; the second: of a register, row or job. */
void complain_elsewhere(struct compile *c, const struct token *at, const char *text, uint16_t kinds);
void complain_thing_elsewhere(struct compile *c, const struct token *at, const char *text);
/* Whether some case that keeps the line has the thing: a register that a program touches, a row, a job (in quotes). */
bool thing_elsewhere(struct compile *c, const char *text);

/* --- scenario.c ------------------------------------------------------------------------------- */

void compile_what_exists(struct compile *c);
/* As scenario_parse(), but names that nothing uses are no problem: they stand in `unused`. */
struct scenario *scenario_read_loosely(const char *text, size_t length, struct diags *diags);

/* --- declare.c -------------------------------------------------------------------------------- */

void declare_params(struct compile *c);
void declare_all(struct compile *c);
void check_settings(struct scenario *s, struct diags *d);
uint16_t machine_get(struct compile *c, uint32_t symbol); /* of the node of this name, made if there is none */
uint16_t symbol_machine(struct compile *c, uint32_t symbol);

/* `at NAME`, where the path at `at` stands, or a machine of the service's own. */
void place_service(struct compile *c, uint32_t service, const struct token *at);
const struct token *skip_path(struct compile *c); /* passes over a path: where it stood */
/* Complains if the option at c->t, one of these n <= 32 words, stood here before; seen: bit i for words[i]. */
void option_once(struct compile *c, const char *const *words, uint32_t n, uint32_t *seen);
/* One more lock, job or row: complains if there are too many. */
bool resource_fits(struct compile *c, const struct token *at);

/* --- queue.c ---------------------------------------------------------------------------------- */

void declare_queue(struct compile *c);
void step_finds_job(struct compile *c, const struct token *step); /* `enqueue`: a job of its own, if none is listed */
void sort_jobs(struct compile *c);
uint16_t take_queue(struct compile *c);
/* The job whose name stands at c->t, in double quotes; NONE16 and a problem if there is none. In an expectation NONE16
 * without one: another case has it. */
uint16_t take_job(struct compile *c);
uint16_t job_find(const struct compile *c, name_id text);
void complain_other_queue(struct compile *c, const struct token *at, uint16_t job);

/* --- table.c, statement.c --------------------------------------------------------------------- */

void declare_table(struct compile *c);
void step_finds_row(struct compile *c, const struct token *step); /* `update`, `insert`: their columns and rows */
void sort_rows(struct compile *c);
/* The table whose name stands at t; NONE16: it is none of a table. */
uint16_t table_at(struct compile *c, const struct token *t);
uint32_t column_find(const struct compile *c, uint16_t table, const char *text); /* within the table; NONE32 */
struct column *column_at(struct compile *c, uint16_t table, uint32_t column);
/* TABLE/KEY; as take_job(). */
uint16_t take_row(struct compile *c);
/* .COLUMN behind a row or its variable: which of the table's columns; NONE32 and a problem if it has none such. */
uint32_t take_column(struct compile *c, uint16_t table);
/* The plan's cell; row: of the plan, column: of the row's table. */
uint32_t cell_of(const struct compile *c, uint16_t row, uint32_t column);
void column_used(struct compile *c, uint16_t table, uint32_t column);
/* What goes into a column: complains if it holds something else; what is not known yet is now. */
void column_holds(struct compile *c, const struct token *at, uint16_t table, uint32_t column, uint8_t type);
bool statement_on_row(struct compile *c, const struct token *step, uint16_t *table); /* of `update`, `read` */

/* --- layout.c --------------------------------------------------------------------------------- */

void layout_programs(struct compile *c); /* finds the program headers */
void layout_all(struct compile *c);
bool line_is_program(const struct compile *c, const struct line *line);
/* Whether the word stands as a step in the kept lines of this block, or behind one of their colons. */
bool block_says(struct compile *c, const struct line *line, const char *word);
uint16_t voter_process(const struct compile *c, const struct lock_plan *lock, uint32_t voter);

/* --- expr.c ----------------------------------------------------------------------------------- */

struct expr {
    uint32_t first; /* NONE32: none */
    uint8_t type;   /* enum value_type */
    bool constant;
    int64_t value; /* a constant's */
};
struct expr take_expr(struct compile *c);
bool holds_is_next(struct compile *c); /* NODE holds|believes LOCK, job "NAME" or row */
uint32_t variable_find(const struct compile *c, const char *name);
void variable_used(struct compile *c, uint32_t variable);
uint16_t take_register(struct compile *c);
uint16_t register_get(struct compile *c, uint16_t store, const char *key); /* key NULL: the lone one */

/* --- program.c, steps.c ------------------------------------------------------------------------- */

void compile_programs(struct compile *c);
void step_repeat(struct compile *c);
void step_if(struct compile *c);
void step_else(struct compile *c);
void step_on(struct compile *c);
void step_for(struct compile *c);
struct instr instr_none(enum op op);
struct instr *emit(struct compile *c, enum op op);
void emit_instr(struct compile *c, struct instr i); /* with the line of the statement */
uint16_t hidden_variable(struct compile *c);
void compile_step(struct compile *c);                              /* the step at c->t, to the end of its line */
void variables_set(struct compile *c, uint32_t from, uint32_t to); /* those that these kept lines set have a value */
uint16_t take_variable(struct compile *c);                         /* the one that the line sets */
/* The variable at c->t, which has to hold one of these types (bits) and have a value; NONE16: there is none of its
 * name, and nothing is taken. what: "a job" ... */
uint16_t take_held(struct compile *c, uint32_t types, const char *what);
void complain_no_variable(struct compile *c);                            /* at c->t should stand one that holds a job */
void no_option(struct compile *c, const char *const *words, uint32_t n); /* one of these words, or the end */
/* `try`, `within D`, `as NAME`; false: none of them is next. */
bool take_waiting(struct compile *c, struct instr *i);
void step_claim(struct compile *c);
void step_job(struct compile *c);
void step_enqueue(struct compile *c);
void step_reap(struct compile *c);
void step_requeue(struct compile *c);
void step_update(struct compile *c);
void step_insert(struct compile *c);
void step_get(struct compile *c);
bool row_variable_is_next(const struct compile *c); /* a variable that holds a row */
void step_erase(struct compile *c);

/* --- top.c, event.c, fault.c, expect.c, ask.c ------------------------------------------------------- */

void compile_case_line(struct compile *c);
bool is_top_word(const char *text);
bool is_header_word(const char *text); /* of a line that tree.c reads, whatever follows */
void compile_top(struct compile *c);   /* net, limits, faults, expectations, may: file order */

void take_event(struct compile *c, bool before, struct event *out);
name_id take_actor(struct compile *c, uint32_t *symbol);
/* Whoever stands before a verb: an actor, or a main thread alone, of which only some verbs tell. */
name_id take_subject(struct compile *c, uint32_t *symbol);
void check_subject(struct compile *c, const struct token *at, uint32_t symbol, uint32_t verb);
uint32_t take_verb(struct compile *c);
name_id take_object(struct compile *c, uint32_t verb);
bool object_is_next(const struct compile *c, uint32_t verb);
name_id take_row_name(struct compile *c, bool cell); /* TABLE/KEY, or TABLE/KEY.COLUMN */
bool is_fault_word(const char *text);
void compile_fault(struct compile *c, ns at, const struct event *event); /* one of the two: at >= 0, or an event */
void compile_expectation(struct compile *c, enum expect_when when, ns time, const struct event *event);
void compile_may(struct compile *c);
void compile_ask(struct compile *c);
void note_ask_times(struct compile *c); /* when all lines of the case are known */
void check_ask_times(const struct checks *checks, struct diags *d);
void compile_at_most(struct compile *c); /* `most N faults`, behind `at` */
/* Adds to the list that begins there in c->ids what is not in it yet. */
void ids_add_process(struct compile *c, uint32_t first, uint16_t process);
void ids_add_thread(struct compile *c, uint32_t first, uint16_t thread);
void ids_fit(struct compile *c); /* complains if the lists are too long already */
/* The processes a name stands for; first_id: a uint32_t, where the list in c->ids begins. */
void visit_processes(struct compile *c, uint32_t symbol, void *first_id);
/* NAME..., as lists of processes: theirs; one that stands for each of their machines; those of services alone. */
struct ids take_processes(struct compile *c, const char *what);
struct ids take_machines(struct compile *c);
struct ids take_services(struct compile *c);
void take_losing(struct compile *c, uint8_t *losing); /* `losing X`, if nothing is lost so far; enum losing */
/* A -> B, and A - B where that is allowed. */
struct link_ends {
    struct ids from, to;
    bool both_ways;
};
struct link_ends take_link(struct compile *c, bool both_allowed);

/* --- variant.c ---------------------------------------------------------------------------------------- */

/* Runs the handler of a line, or of a step that is no block. In a variant what does not read is inert, or fails. */
void take_line(struct compile *c, word_handler take);
void take_step(struct compile *c, word_handler take);
/* Says in each problem which gates of case i were turned; removed: those that are off. */
void explain_variant(const struct scenario *s, uint32_t i, uint32_t removed, struct diags *diags);

/* --- revise.c ----------------------------------------------------------------------------------------- */

/* Problems in revised lines are told with the words of the command line. */
void explain_revisions(const struct scenario *s, struct diags *diags);

/* --- print.c ------------------------------------------------------------------------------------------ */

/* Tokens from..to in canonical form, in the arena. */
const char *tokens_text(struct arena *a, const struct token *from, const struct token *to);

/* --- finish.c ---------------------------------------------------------------------------------------- */

void finish_plan(struct compile *c);

#endif
