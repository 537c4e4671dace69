/* SPDX-License-Identifier: MIT
 *
 * expr_test.c - expressions: operators, tags, `none`, the limits of 64 bits, taint, depth.
 *
 * The world is the smallest in which every leaf means something: a lock, a store with two registers and
 * one client, which has three variables. Nothing runs; variables are set by hand.
 */
#include "model/naming.h"
#include "model/query.h"
#include "model/state.h"
#include "sim/test.h"

enum { LEADER, LEDGER, LEDGER_X, LEDGER_Y, W1, W1_AGAIN, OTHER, HOST, NAMES };
static const char *const name_text[NAMES] = {"leader", "ledger", "ledger/x", "ledger/y", "w1", "w1", "other", "host-7"};

#define OPS_MAX 128
enum { VARS = 3 };

struct small {
    uint64_t hash[NAMES];
    struct names names;
    name_id identity[3];
    struct expr_op ops[OPS_MAX];
    uint32_t n_ops;
    struct sim_plan sim_plan;
    struct model_plan plan;
    struct sim *sim;
    struct m m;
};

static const struct machine_plan machines[1] = {{.name = W1}};
static const struct process_plan processes[3] = {{LEADER, 0, 0, 1}, {LEDGER, 0, 1, 1}, {W1, 0, 2, 1}};
static const struct thread_plan threads[3] = {
    {.name = LEADER, .process = 0}, {.name = LEDGER, .process = 1}, {.name = W1, .process = 2, .starts = 1}};
static const struct actor actors[3] = {
    {ACTOR_CENTRAL, NONE16, 0, 0}, {ACTOR_STORE, NONE16, 1, 0}, {ACTOR_CLIENT, 0, NONE16, 0}};
static const struct service_plan services[2] = {{.thread = 0}, {.thread = 1}};
static const struct client_plan clients[1] = {{.thread = 2, .keeper = NONE16, .keeps_for = NONE16, .vars = VARS}};
static const struct lock_plan locks[1] = {
    {.name = LEADER, .kind = LOCK_CENTRAL, .ttl = 10 * NS_PER_S, .margin = 100 * NS_PER_MS}};
static const struct store_plan stores[1] = {{.name = LEDGER, .service = 1, .registers = 2, .guard = 0}};
static const struct register_plan registers[2] = {{.name = LEDGER_X}, {.name = LEDGER_Y}};
static const struct instr code[1] = {{.op = OP_END, .var = NONE16, .expr = NONE32}};

static void small_begins(struct small *w)
{
    memset(w, 0, sizeof *w);
    w->names = named(w->hash, name_text, NAMES);
    for (int i = 0; i < 3; i++)
        w->identity[i] = NONE16;
    w->sim_plan = (struct sim_plan){.names = &w->names,
                                    .verbs = verb_table,
                                    .n_verbs = VERBS,
                                    .n_machines = 1,
                                    .n_processes = 3,
                                    .n_threads = 3,
                                    .machines = machines,
                                    .processes = processes,
                                    .threads = threads,
                                    .net_name = OTHER,
                                    .losing_name = {NONE16, OTHER, OTHER},
                                    .n_conns = 4,
                                    .sync_ns = NS_PER_MS,
                                    .horizon = NS_NEVER,
                                    .limits = {64, 64, 64, 1, 1000},
                                    .link_default = {.delay_min = NS_PER_MS, .delay_max = NS_PER_MS}};
    w->plan = (struct model_plan){.sim = &w->sim_plan,
                                  .lease_clock = CLOCK_BOOTTIME,
                                  .n_services = 2,
                                  .n_clients = 1,
                                  .n_locks = 1,
                                  .n_stores = 1,
                                  .n_registers = 2,
                                  .actor_of = actors,
                                  .services = services,
                                  .clients = clients,
                                  .locks = locks,
                                  .stores = stores,
                                  .registers = registers,
                                  .identity = w->identity,
                                  .code = code,
                                  .n_code = 1,
                                  .exprs = w->ops,
                                  .n_exprs = OPS_MAX,
                                  .n_vars = VARS,
                                  .calls = 2,
                                  .effects = 2};
    w->sim_plan.model_bytes = model_bytes(&w->plan);
    w->sim = sim_new(&w->sim_plan, &fencepost_model, &w->plan, SIM_KEEP_TRACE);
    ASSERT(w->sim);
    w->m = m_open(w->sim);
}

static void small_ends(struct small *w) { sim_free(w->sim); }

/* --- writing expressions ------------------------------------------------------------------------ */

static void op(struct small *w, enum expr_code code_, uint32_t arg, struct value v)
{
    ASSERT(w->n_ops < OPS_MAX);
    w->ops[w->n_ops++] = (struct expr_op){(uint16_t)code_, (uint16_t)arg, (uint32_t)v.tag, v.v};
}

static void constant(struct small *w, struct value v) { op(w, EX_CONST, 0, v); }
static void leaf(struct small *w, enum expr_code c, uint32_t arg) { op(w, c, arg, value_none()); }

struct answer_of {
    bool ok;
    enum model_failure failure;
    struct value v;
    uint32_t based[2]; /* of each register: version + 1, 0: none */
};

/* Ends the expression and evaluates it; the next one starts anew. */
static struct answer_of answer(struct small *w)
{
    struct answer_of a = {0};
    leaf(w, EX_END, 0);
    a.ok = expr_run(&w->m, 0, 0, &a.v, &a.failure);
    for (uint16_t i = 0; i < 2; i++)
        a.based[i] = expr_based(&w->m, 0, 0, i);
    w->n_ops = 0;
    return a;
}

static struct answer_of of_two(struct small *w, struct value a, enum expr_code c, struct value b)
{
    constant(w, a);
    constant(w, b);
    leaf(w, c, 0);
    return answer(w);
}

static struct answer_of of_one(struct small *w, enum expr_code c, struct value a)
{
    constant(w, a);
    leaf(w, c, 0);
    return answer(w);
}

static struct value boolean(bool yes) { return (struct value){yes, TAG_BOOL}; }

/* 1: true, 0: false, -1: an error. */
static int truth(struct answer_of a)
{
    if (!a.ok)
        return -1;
    CHECK_EQ(a.v.tag, TAG_BOOL);
    return a.v.v != 0;
}

#define CHECK_VALUE(a, tag_, v_)     \
    do {                             \
        struct answer_of got_ = (a); \
        CHECK(got_.ok);              \
        CHECK_EQ(got_.v.tag, tag_);  \
        CHECK_EQ(got_.v.v, v_);      \
    } while (0)
#define CHECK_FAILS(a, failure_)          \
    do {                                  \
        struct answer_of got_ = (a);      \
        CHECK(!got_.ok);                  \
        CHECK_EQ(got_.failure, failure_); \
    } while (0)

/* --- comparisons -------------------------------------------------------------------------------- */

TEST("comparisons of numbers, and of durations, say what they say below, at and above")
{
    static const struct {
        enum expr_code c;
        int below, at, above;
    } row[] = {{EX_EQ, 0, 1, 0}, {EX_NE, 1, 0, 1}, {EX_LT, 1, 0, 0},
               {EX_LE, 1, 1, 0}, {EX_GT, 0, 0, 1}, {EX_GE, 0, 1, 1}};
    static struct small w;
    small_begins(&w);
    for (uint32_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        CHECK_EQ(truth(of_two(&w, value_int(4), row[i].c, value_int(5))), row[i].below);
        CHECK_EQ(truth(of_two(&w, value_int(5), row[i].c, value_int(5))), row[i].at);
        CHECK_EQ(truth(of_two(&w, value_int(6), row[i].c, value_int(5))), row[i].above);
        CHECK_EQ(truth(of_two(&w, value_ns(-1), row[i].c, value_ns(0))), row[i].below);
        CHECK_EQ(truth(of_two(&w, value_ns(0), row[i].c, value_ns(0))), row[i].at);
        CHECK_EQ(truth(of_two(&w, value_ns(1), row[i].c, value_ns(0))), row[i].above);
        CHECK_EQ(truth(of_two(&w, value_int(INT64_MIN), row[i].c, value_int(INT64_MAX))), row[i].below);
        CHECK_EQ(truth(of_two(&w, value_int(INT64_MAX), row[i].c, value_int(INT64_MIN))), row[i].above);
    }
    small_ends(&w);
}

TEST("a comparison with none is false, except `= none` and `!= none`")
{
    static struct small w;
    small_begins(&w);
    static const enum expr_code order[] = {EX_LT, EX_LE, EX_GT, EX_GE};
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(truth(of_two(&w, value_none(), order[i], value_int(5))), 0);
        CHECK_EQ(truth(of_two(&w, value_int(5), order[i], value_none())), 0);
        CHECK_EQ(truth(of_two(&w, value_none(), order[i], value_none())), 0);
        CHECK_EQ(truth(of_two(&w, value_text(W1), order[i], value_none())), 0);
    }
    CHECK_EQ(truth(of_two(&w, value_none(), EX_EQ, value_none())), 1);
    CHECK_EQ(truth(of_two(&w, value_none(), EX_NE, value_none())), 0);
    CHECK_EQ(truth(of_two(&w, value_int(0), EX_EQ, value_none())), 0);
    CHECK_EQ(truth(of_two(&w, value_none(), EX_EQ, value_int(0))), 0);
    CHECK_EQ(truth(of_two(&w, value_int(0), EX_NE, value_none())), 1);
    CHECK_EQ(truth(of_two(&w, value_none(), EX_NE, value_text(W1))), 1);
    small_ends(&w);
}

TEST("the same text is the same value, in quotes or as a name, whatever its number")
{
    static struct small w;
    small_begins(&w);
    CHECK_EQ(truth(of_two(&w, value_text(W1), EX_EQ, value_name(W1))), 1);
    CHECK_EQ(truth(of_two(&w, value_text(W1), EX_EQ, value_text(W1_AGAIN))), 1);
    CHECK_EQ(truth(of_two(&w, value_name(W1_AGAIN), EX_NE, value_text(W1))), 0);
    CHECK_EQ(truth(of_two(&w, value_text(W1), EX_EQ, value_text(OTHER))), 0);
    CHECK_EQ(truth(of_two(&w, value_text(W1), EX_NE, value_name(OTHER))), 1);
    small_ends(&w);
}

TEST("values of two kinds are never equal")
{
    static struct small w;
    small_begins(&w);
    struct value kind[] = {value_int(1), value_ns(1), boolean(true), value_text(1)};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            CHECK_EQ(truth(of_two(&w, kind[i], EX_EQ, kind[k])), i == k);
            CHECK_EQ(truth(of_two(&w, kind[i], EX_NE, kind[k])), i != k);
        }
    small_ends(&w);
}

TEST("only two numbers or two durations have an order")
{
    static struct small w;
    small_begins(&w);
    CHECK_FAILS(of_two(&w, value_int(1), EX_LT, value_ns(1)), FAIL_TYPE);
    CHECK_FAILS(of_two(&w, value_ns(1), EX_GE, value_int(1)), FAIL_TYPE);
    CHECK_FAILS(of_two(&w, value_text(W1), EX_LT, value_text(OTHER)), FAIL_TYPE);
    CHECK_FAILS(of_two(&w, value_name(W1), EX_GT, value_name(W1)), FAIL_TYPE);
    CHECK_FAILS(of_two(&w, boolean(true), EX_LE, boolean(true)), FAIL_TYPE);
    small_ends(&w);
}

/* --- and, or, not ------------------------------------------------------------------------------- */

TEST("and, or, not are those of logic")
{
    static struct small w;
    small_begins(&w);
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2; b++) {
            CHECK_EQ(truth(of_two(&w, boolean(a), EX_AND, boolean(b))), a && b);
            CHECK_EQ(truth(of_two(&w, boolean(a), EX_OR, boolean(b))), a || b);
        }
        CHECK_EQ(truth(of_one(&w, EX_NOT, boolean(a))), !a);
    }
    small_ends(&w);
}

TEST("and, or, not take nothing but true and false")
{
    static struct small w;
    small_begins(&w);
    struct value no_truth[] = {value_int(1), value_none(), value_ns(0), value_text(W1)};
    for (int i = 0; i < 4; i++) {
        CHECK_FAILS(of_two(&w, no_truth[i], EX_AND, boolean(true)), FAIL_TYPE);
        CHECK_FAILS(of_two(&w, boolean(false), EX_AND, no_truth[i]), FAIL_TYPE);
        CHECK_FAILS(of_two(&w, boolean(true), EX_OR, no_truth[i]), FAIL_TYPE);
        CHECK_FAILS(of_one(&w, EX_NOT, no_truth[i]), FAIL_TYPE);
    }
    small_ends(&w);
}

/* --- arithmetic --------------------------------------------------------------------------------- */

TEST("+ and - keep the kind of their operands")
{
    static struct small w;
    small_begins(&w);
    CHECK_VALUE(of_two(&w, value_int(2), EX_ADD, value_int(3)), TAG_INT, 5);
    CHECK_VALUE(of_two(&w, value_int(2), EX_SUB, value_int(3)), TAG_INT, -1);
    CHECK_VALUE(of_two(&w, value_ns(2), EX_ADD, value_ns(3)), TAG_NS, 5);
    CHECK_VALUE(of_two(&w, value_ns(2), EX_SUB, value_ns(3)), TAG_NS, -1);
    CHECK_VALUE(of_one(&w, EX_NEG, value_int(3)), TAG_INT, -3);
    CHECK_VALUE(of_one(&w, EX_NEG, value_ns(-3)), TAG_NS, 3);
    small_ends(&w);
}

TEST("+ and - take two numbers or two durations")
{
    static struct small w;
    small_begins(&w);
    CHECK_FAILS(of_two(&w, value_int(1), EX_ADD, value_ns(1)), FAIL_TYPE);
    CHECK_FAILS(of_two(&w, value_ns(1), EX_SUB, value_int(1)), FAIL_TYPE);
    CHECK_FAILS(of_two(&w, value_none(), EX_ADD, value_int(1)), FAIL_TYPE);
    CHECK_FAILS(of_two(&w, value_int(1), EX_ADD, value_none()), FAIL_TYPE);
    CHECK_FAILS(of_two(&w, value_text(W1), EX_ADD, value_text(W1)), FAIL_TYPE);
    CHECK_FAILS(of_two(&w, boolean(true), EX_SUB, boolean(true)), FAIL_TYPE);
    CHECK_FAILS(of_one(&w, EX_NEG, value_none()), FAIL_TYPE);
    CHECK_FAILS(of_one(&w, EX_NEG, boolean(true)), FAIL_TYPE);
    CHECK_FAILS(of_one(&w, EX_NEG, value_text(W1)), FAIL_TYPE);
    small_ends(&w);
}

/* The limit itself is a value; one beyond it is an error. */
static const struct {
    int64_t a;
    enum expr_code c;
    int64_t b;
    bool fits;
    int64_t result;
} limit[] = {
    {INT64_MAX - 1, EX_ADD, 1, true, INT64_MAX},
    {INT64_MAX, EX_ADD, 0, true, INT64_MAX},
    {INT64_MAX, EX_ADD, 1, false, 0},
    {1, EX_ADD, INT64_MAX, false, 0},
    {0, EX_ADD, INT64_MAX, true, INT64_MAX},
    {INT64_MAX, EX_ADD, INT64_MAX, false, 0},
    {INT64_MIN + 1, EX_ADD, -1, true, INT64_MIN},
    {INT64_MIN, EX_ADD, 0, true, INT64_MIN},
    {INT64_MIN, EX_ADD, -1, false, 0},
    {-1, EX_ADD, INT64_MIN, false, 0},
    {0, EX_ADD, INT64_MIN, true, INT64_MIN},
    {INT64_MIN, EX_ADD, INT64_MIN, false, 0},
    {INT64_MAX, EX_ADD, INT64_MIN, true, -1},
    {INT64_MIN + 1, EX_SUB, 1, true, INT64_MIN},
    {INT64_MIN, EX_SUB, 0, true, INT64_MIN},
    {INT64_MIN, EX_SUB, 1, false, 0},
    {INT64_MAX - 1, EX_SUB, -1, true, INT64_MAX},
    {INT64_MAX, EX_SUB, -1, false, 0},
    {-1, EX_SUB, INT64_MAX, true, INT64_MIN},
    {-2, EX_SUB, INT64_MAX, false, 0},
    {-1, EX_SUB, INT64_MIN, true, INT64_MAX},
    {0, EX_SUB, INT64_MIN, false, 0},
    {INT64_MIN, EX_SUB, INT64_MIN, true, 0},
    {INT64_MAX, EX_SUB, INT64_MAX, true, 0},
};

TEST("+ and - reach the limits of 64 bits, and not a step beyond")
{
    static struct small w;
    small_begins(&w);
    for (uint32_t i = 0; i < sizeof limit / sizeof limit[0]; i++) {
        struct answer_of numbers = of_two(&w, value_int(limit[i].a), limit[i].c, value_int(limit[i].b));
        struct answer_of durations = of_two(&w, value_ns(limit[i].a), limit[i].c, value_ns(limit[i].b));
        CHECK_EQ(numbers.ok, limit[i].fits);
        CHECK_EQ(durations.ok, limit[i].fits);
        if (limit[i].fits) {
            CHECK_EQ(numbers.v.v, limit[i].result);
            CHECK_EQ(durations.v.v, limit[i].result);
        } else {
            CHECK_EQ(numbers.failure, FAIL_OVERFLOW);
            CHECK_EQ(durations.failure, FAIL_OVERFLOW);
        }
    }
    small_ends(&w);
}

TEST("the smallest number has no negative")
{
    static struct small w;
    small_begins(&w);
    CHECK_VALUE(of_one(&w, EX_NEG, value_int(INT64_MAX)), TAG_INT, -INT64_MAX);
    CHECK_VALUE(of_one(&w, EX_NEG, value_int(-INT64_MAX)), TAG_INT, INT64_MAX);
    CHECK_FAILS(of_one(&w, EX_NEG, value_int(INT64_MIN)), FAIL_OVERFLOW);
    CHECK_FAILS(of_one(&w, EX_NEG, value_ns(INT64_MIN)), FAIL_OVERFLOW);
    small_ends(&w);
}

TEST("every failure has a text of its own")
{
    for (int i = FAIL_OVERFLOW; i <= FAIL_EFFECTS; i++) {
        CHECK(strlen(model_failure_text((enum model_failure)i)) > 10);
        for (int k = FAIL_OVERFLOW; k < i; k++)
            CHECK(strcmp(model_failure_text((enum model_failure)i), model_failure_text((enum model_failure)k)) != 0);
    }
    CHECK_STR(model_failure_text((enum model_failure)0), "unknown failure");
}

/* --- leaves ------------------------------------------------------------------------------------- */

TEST("a variable gives its value, its token and its version")
{
    static struct small w;
    small_begins(&w);
    w.m.vars[1] = (struct var_state){.v = 7, .token = 34, .version = 5, .tag = TAG_NS};
    leaf(&w, EX_VAR, 1);
    CHECK_VALUE(answer(&w), TAG_NS, 7);
    leaf(&w, EX_VAR_TOKEN, 1);
    CHECK_VALUE(answer(&w), TAG_INT, 34);
    leaf(&w, EX_VAR_VERSION, 1);
    CHECK_VALUE(answer(&w), TAG_INT, 5);
    w.m.vars[1].token = -1;
    leaf(&w, EX_VAR_TOKEN, 1);
    CHECK_VALUE(answer(&w), TAG_NONE, -1);
    leaf(&w, EX_VAR, 2); /* never set */
    CHECK_VALUE(answer(&w), TAG_NONE, 0);
    small_ends(&w);
}

TEST("`me` is the node's identity: its name, or what the scenario gave it")
{
    static struct small w;
    small_begins(&w);
    leaf(&w, EX_ME, 0);
    CHECK_VALUE(answer(&w), TAG_NAME, W1);
    w.identity[2] = HOST;
    leaf(&w, EX_ME, 0);
    CHECK_VALUE(answer(&w), TAG_TEXT, HOST);
    small_ends(&w);
}

TEST("a clock in an expression is the node's own, read now")
{
    static struct small w;
    small_begins(&w);
    ns start = 100 * NS_PER_S + (ns)(hash_text("w1") % (uint64_t)(900 * NS_PER_S));
    leaf(&w, EX_CLOCK, CLOCK_MONOTONIC);
    CHECK_VALUE(answer(&w), TAG_NS, start);
    leaf(&w, EX_CLOCK, CLOCK_BOOTTIME);
    CHECK_VALUE(answer(&w), TAG_NS, start);
    leaf(&w, EX_CLOCK, CLOCK_WALL);
    CHECK_VALUE(answer(&w), TAG_NS, 12 * 3600 * NS_PER_S);
    small_ends(&w);
}

TEST("what expectations ask: register, mark, last token, who holds, who believes")
{
    static struct small w;
    small_begins(&w);
    leaf(&w, EX_REGISTER, 1);
    CHECK_VALUE(answer(&w), TAG_NONE, 0);
    leaf(&w, EX_MARK, 0);
    CHECK_VALUE(answer(&w), TAG_INT, 0);
    leaf(&w, EX_LOCK_TOKEN, 0);
    CHECK_VALUE(answer(&w), TAG_NONE, 0);
    op(&w, EX_HOLDS, 0, value_int(2));
    CHECK_EQ(truth(answer(&w)), 0);
    op(&w, EX_BELIEVES, 0, value_int(2));
    CHECK_EQ(truth(answer(&w)), 0);
    w.m.registers[1] = (struct register_state){42, 1, TAG_INT, 1};
    w.m.marks[0] = 1 + 3; /* of leader */
    w.m.marks[1] = 1 + 8; /* of `token EXPR` */
    w.m.locks[0].last_token = 3;
    w.m.locks[0].granted = 1;
    leaf(&w, EX_REGISTER, 1);
    CHECK_VALUE(answer(&w), TAG_INT, 42);
    leaf(&w, EX_MARK, 0);
    CHECK_VALUE(answer(&w), TAG_INT, 8);
    leaf(&w, EX_LOCK_TOKEN, 0);
    CHECK_VALUE(answer(&w), TAG_INT, 3);
    small_ends(&w);
}

TEST("an expectation's expression is evaluated without a client, and says how it failed")
{
    static struct small w;
    struct value v;
    enum model_failure failure;
    small_begins(&w);
    leaf(&w, EX_REGISTER, 0);
    constant(&w, value_none());
    leaf(&w, EX_EQ, 0);
    leaf(&w, EX_END, 0);
    CHECK(expr_eval(w.sim, NONE16, 0, &v, &failure));
    CHECK_EQ(v.v, 1);
    constant(&w, value_int(INT64_MAX)); /* a second expression behind the first */
    constant(&w, value_int(1));
    leaf(&w, EX_ADD, 0);
    leaf(&w, EX_END, 0);
    CHECK(!expr_eval(w.sim, NONE16, 4, &v, &failure));
    CHECK_EQ(failure, FAIL_OVERFLOW);
    small_ends(&w);
}

TEST("a client's expression that fails ends the run as an error of its line")
{
    static struct small w;
    struct value v;
    small_begins(&w);
    constant(&w, value_int(INT64_MAX));
    constant(&w, value_int(1));
    leaf(&w, EX_ADD, 0);
    leaf(&w, EX_END, 0);
    CHECK(!expr_value(&w.m, 0, 0, 17, &v));
    CHECK_EQ(sim_fail_code(w.sim), FAIL_OVERFLOW);
    CHECK_EQ(sim_fail_line(w.sim), 17);
    CHECK_EQ(sim_step(w.sim, -1), SIM_FAILED);
    small_ends(&w);
}

/* --- what a value was made from ----------------------------------------------------------------- */

static void vars_were_read(struct small *w)
{
    w->m.vars[0] = (struct var_state){.v = 1, .token = -1, .version = 3, .tag = TAG_INT};
    w->m.vars[1] = (struct var_state){.v = 2, .token = -1, .version = 5, .tag = TAG_INT};
    w->m.vars[2] = (struct var_state){.v = 3, .token = 4, .version = 9, .tag = TAG_INT};
    w->m.var_based[0 * 2 + 0] = 4;
    w->m.var_based[1 * 2 + 0] = 6;
    w->m.var_based[2 * 2 + 1] = 10;
}

TEST("a value made from a read says which register, and which version was seen")
{
    static struct small w;
    small_begins(&w);
    vars_were_read(&w);
    leaf(&w, EX_VAR, 1);
    constant(&w, value_int(1));
    leaf(&w, EX_ADD, 0);
    struct answer_of a = answer(&w);
    CHECK_EQ(a.based[0], 6);
    CHECK_EQ(a.based[1], 0);
    small_ends(&w);
}

TEST("a value made from nothing that was read is not based on anything")
{
    static struct small w;
    small_begins(&w);
    w.m.vars[0] = (struct var_state){.v = 1, .token = -1, .tag = TAG_INT};
    leaf(&w, EX_VAR, 0);
    constant(&w, value_int(1));
    leaf(&w, EX_ADD, 0);
    CHECK_EQ(answer(&w).based[0], 0);
    small_ends(&w);
}

TEST("of two reads of one register the older counts, in either order")
{
    static struct small w;
    small_begins(&w);
    vars_were_read(&w);
    for (uint32_t i = 0; i < 2; i++) {
        leaf(&w, EX_VAR, i);
        leaf(&w, EX_VAR, 1 - i);
        leaf(&w, EX_ADD, 0);
        CHECK_EQ(answer(&w).based[0], 4);
    }
    small_ends(&w);
}

TEST("a value made from reads of two registers is based on both")
{
    static struct small w;
    small_begins(&w);
    vars_were_read(&w);
    leaf(&w, EX_VAR, 2);
    leaf(&w, EX_VAR, 1);
    leaf(&w, EX_ADD, 0);
    struct answer_of a = answer(&w);
    CHECK_EQ(a.based[0], 6);
    CHECK_EQ(a.based[1], 10);
    small_ends(&w);
}

TEST("a negative, a comparison and a read's token or version are made from the read as well")
{
    static struct small w;
    small_begins(&w);
    vars_were_read(&w);
    leaf(&w, EX_VAR, 0);
    leaf(&w, EX_NEG, 0);
    CHECK_EQ(answer(&w).based[0], 4);
    leaf(&w, EX_VAR, 0);
    constant(&w, value_int(1));
    leaf(&w, EX_EQ, 0);
    CHECK_EQ(answer(&w).based[0], 4);
    leaf(&w, EX_VAR_VERSION, 0);
    CHECK_EQ(answer(&w).based[0], 4);
    leaf(&w, EX_VAR_TOKEN, 2);
    CHECK_EQ(answer(&w).based[1], 10);
    small_ends(&w);
}

/* --- depth -------------------------------------------------------------------------------------- */

static void sum_of(struct small *w, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        constant(w, value_int(1));
    for (uint32_t i = 1; i < n; i++)
        leaf(w, EX_ADD, 0);
}

static void evaluate(void *small) { (void)answer(small); }

TEST("a stack holds EXPR_STACK values, one below too, and one more is a bug of whoever compiled it")
{
    static struct small w;
    small_begins(&w);
    sum_of(&w, EXPR_STACK - 1);
    CHECK_VALUE(answer(&w), TAG_INT, EXPR_STACK - 1);
    sum_of(&w, EXPR_STACK + 1);
    CHECK(test_asserts(evaluate, &w, NULL));
    w.n_ops = 0;
    sum_of(&w, EXPR_STACK);
    CHECK_VALUE(answer(&w), TAG_INT, EXPR_STACK);
    small_ends(&w);
}

TEST("an operator without operands, and a value left over, are bugs of whoever compiled it")
{
    static struct small w;
    small_begins(&w);
    leaf(&w, EX_NEG, 0);
    CHECK(test_asserts(evaluate, &w, NULL));
    w.n_ops = 0;
    constant(&w, value_int(1));
    leaf(&w, EX_ADD, 0);
    CHECK(test_asserts(evaluate, &w, NULL));
    w.n_ops = 0;
    constant(&w, value_int(1));
    constant(&w, value_int(1));
    CHECK(test_asserts(evaluate, &w, NULL));
    w.n_ops = 0;
    CHECK(test_asserts(evaluate, &w, NULL)); /* nothing at all */
    small_ends(&w);
}
