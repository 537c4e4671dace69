/* SPDX-License-Identifier: MIT
 *
 * protocol_test.c - what the notes of gates say against what happened, and which conjuncts the library shows.
 */
#include "fuzz/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/small.h"
#include "scenarios/library.h"
#include "scenarios/played.h"
#include "sim/test.h"

static struct run *play_noted(const struct compiled *c, unsigned more)
{
    const struct run_options options = {.plain = true, .more = more};
    struct run *r = run_case(c, &options);
    CHECK(r != NULL);
    return r;
}

/* A text of one case, played with notes. */
static struct protocol covered_text(const char *text)
{
    struct protocol p = {0};
    struct played_case one = played(text, NULL, 0);
    if (one.compiled != NULL) {
        struct run *r = play_noted(one.compiled, SIM_ASIDES);
        CHECK(protocol_add(&p, r, 0));
        run_free(r);
    }
    played_free(&one);
    return p;
}

/* --- rows ------------------------------------------------------------------------------------------------- */

TEST("each row of the table is the row of what it says")
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < protocol_rows(); i++) {
        struct protocol_row row = protocol_row(i);
        uint64_t all = 0, fails = row.conjunct < CONJUNCTS ? conjunct_bit((enum conjunct)row.conjunct, true) : 0;
        for (uint32_t c = 0; c < CONJUNCTS; c++)
            all |= conjunct_bit((enum conjunct)c, conjunct_table[c].gate == row.gate);
        if (row.said == SAID_NO_MANY || row.said == SAID_NOTHING_MANY)
            fails = all;
        CHECK_EQ(protocol_row_of((enum gate)row.gate, row.said < SAID_NOTHING, fails), i);
        seen |= UINT32_C(1) << row.gate;
    }
    for (uint32_t gate = 0; gate < GATES; gate++)
        CHECK_EQ(seen >> gate & 1, gate_table[gate].built);
}

TEST("no two conjuncts of a gate have one name")
{
    for (uint32_t a = 0; a < CONJUNCTS; a++)
        for (uint32_t b = 0; b < a; b++)
            CHECK(conjunct_table[a].gate != conjunct_table[b].gate ||
                  strcmp(conjunct_table[a].name, conjunct_table[b].name) != 0);
}

/* --- asides change nothing -------------------------------------------------------------------------------- */

/* The record without what depends on how many stand before it. */
static bool same_record(const struct record *a, const struct record *b)
{
    return a->at == b->at && a->line == b->line && a->actor == b->actor && a->verb == b->verb &&
           a->object == b->object && a->start == b->start && memcmp(a->tag, b->tag, sizeof a->tag) == 0 &&
           memcmp(a->field, b->field, sizeof a->field) == 0;
}

static void compare_noted(const char *path, const struct scenario *s, uint32_t i, void *context)
{
    struct diags diags = {0};
    struct compiled *c = scenario_compile(s, i, 0, 0, &diags);
    struct run *plain = play_noted(c, 0), *noted = play_noted(c, SIM_ASIDES);
    uint32_t n, m, k = 0, *asides = context;
    const struct record *a = sim_trace(plain->sim, &n), *b = sim_trace(noted->sim, &m);
    bool same = plain->digest == noted->digest && plain->verdict == noted->verdict && plain->events == noted->events &&
                plain->records == noted->records && plain->n_violations == noted->n_violations &&
                sim_state_digest(plain->sim) == sim_state_digest(noted->sim);
    for (uint32_t j = 0; j < m; j++) {
        if (verb_table[b[j].verb].flags & VERB_ASIDE)
            *asides += 1;
        else if (k == n || !same_record(&a[k++], &b[j]))
            same = false;
    }
    if (!same || k != n)
        test_failed(path, 0, "case %s: another run with asides", scenario_case_name(s, i));
    run_free(plain);
    run_free(noted);
    compiled_free(c);
}

TEST("with asides every run of the library is the same, record by record")
{
    uint32_t asides = 0;
    visit_library(compare_noted, &asides);
    CHECK(asides > 1000);
}

/* --- the notes against the trace -------------------------------------------------------------------------- */

struct tallied {
    uint32_t stale, stale_noted, repeats, repeats_noted, zombies, zombies_noted;
};

static bool refuses_with(const struct run *r, const struct record *k, enum error e)
{
    return k->verb == V_REFUSES && k->field[0] == r->c->model.error_name[e];
}

static bool noted_no(const struct record *r, enum gate gate)
{
    return r->verb == V_GUARDS && r->field[GUARDS_GATE] == gate && r->field[GUARDS_ON] != 0 &&
           r->field[GUARDS_FAILS] != 0;
}

/* A queue that lost its jobs says no to whoever speaks of one: no gate is asked. */
static bool loses_everything(const struct run *r, const struct record *k)
{
    return k->verb == V_CRASHES && k->tag[1] == TAG_NAME && k->field[1] == r->c->sim.losing_name[LOSING_EVERYTHING];
}

static void tally_case(const char *path, const struct scenario *s, uint32_t i, void *context)
{
    struct tallied *k = context;
    struct diags diags = {0};
    struct compiled *c = scenario_compile(s, i, 0, 0, &diags);
    struct run *r = play_noted(c, SIM_ASIDES);
    uint32_t n;
    const struct record *record = sim_trace(r->sim, &n);
    name_id empty = NONE16;
    (void)path;
    for (uint32_t j = 0; j < n; j++) {
        k->stale += refuses_with(r, &record[j], ERR_STALE_TOKEN);
        k->stale_noted += noted_no(&record[j], GATE_STORE_TOKEN);
        k->repeats += record[j].verb == V_REPEATS;
        k->repeats_noted += noted_no(&record[j], GATE_EFFECT_KEY);
        empty = loses_everything(r, &record[j]) ? record[j].actor : empty;
        k->zombies += refuses_with(r, &record[j], ERR_ZOMBIE) && record[j].actor != empty;
        k->zombies_noted += noted_no(&record[j], GATE_HEARTBEAT_TOKEN) || noted_no(&record[j], GATE_COMPLETE_TOKEN);
    }
    run_free(r);
    compiled_free(c);
}

TEST("what a gate is noted to refuse is what the trace says was refused, over the library")
{
    struct tallied k = {0};
    visit_library(tally_case, &k);
    CHECK(k.stale > 0 && k.repeats > 0 && k.zombies > 0);
    CHECK_EQ(k.stale_noted, k.stale);
    CHECK_EQ(k.repeats_noted, k.repeats);
    CHECK_EQ(k.zombies_noted, k.zombies);
}

/* --- which conjuncts the library shows -------------------------------------------------------------------- */

struct library_coverage {
    struct protocol p;
    uint32_t runs;
};

static void cover_case(const char *path, const struct scenario *s, uint32_t i, void *context)
{
    struct library_coverage *k = context;
    struct diags diags = {0};
    struct compiled *c = scenario_compile(s, i, 0, 0, &diags);
    struct run *r = play_noted(c, SIM_ASIDES);
    (void)path;
    CHECK(protocol_add(&k->p, r, k->runs++));
    run_free(r);
    compiled_free(c);
}

TEST("every conjunct of every gate is seen deciding alone in the library, but for those with a reason")
{
    struct library_coverage k = {0};
    visit_library(cover_case, &k);
    for (uint32_t c = 0; c < CONJUNCTS; c++) {
        bool can = protocol_never((enum conjunct)c) == NULL;
        if (protocol_alone(&k.p, (enum conjunct)c) != can)
            test_failed(__FILE__, __LINE__, "%s of %s: %s", conjunct_table[c].name,
                        gate_table[conjunct_table[c].gate].name,
                        can ? "decides alone nowhere" : "decides, against its reason");
    }
    protocol_free(&k.p);
}

/* --- what cannot be --------------------------------------------------------------------------------------- */

/* Whether a queue with this lease compiles; the gate is there, or not. */
static bool reads_with_lease(const char *lease, bool gate)
{
    char text[512];
    struct diags diags = {0};
    (void)snprintf(text, sizeof text,
                   "fencepost 1\nscenario \"x\"\ncase a%s holds\nqueue jobs lease %s\n  job \"j\"\nnode w\nw:\n"
                   "  claim jobs as job\n  complete job\n",
                   gate ? "" : " without lease-covers-work", lease);
    struct scenario *s = scenario_parse(text, strlen(text), "x.fence", NULL, 0, &diags);
    struct compiled *c = s == NULL ? NULL : scenario_compile(s, 0, 0, 0, &diags);
    bool reads = c != NULL && diags.n == 0;
    compiled_free(c);
    scenario_free(s);
    return reads;
}

TEST("with lease-covers-work no scenario with a lease below 3 s can be played")
{
    static const char *const shorter[] = {"1ns", "1ms", "2s", "2.999999999s"}, *const good[] = {"3s", "3.000000001s",
                                                                                                "1h"};
    for (int i = 0; i < 4; i++) {
        CHECK(!reads_with_lease(shorter[i], true));
        CHECK(reads_with_lease(shorter[i], false));
    }
    for (int i = 0; i < 3; i++)
        CHECK(reads_with_lease(good[i], true));
}

/* Random programs, gates taken away at random: what has a reason never to decide alone does not. */
TEST("what cannot decide alone does not in small random scenarios")
{
    uint32_t askings = 0;
    for (uint64_t seed = 1; seed <= TEST_FEWER(400); seed++) {
        char text[SMALL_TEXT_MAX];
        struct diags diags = {0};
        small_text(seed, text);
        struct scenario *s = scenario_parse(text, strlen(text), "small.fence", NULL, 0, &diags);
        struct compiled *c = s == NULL ? NULL : scenario_compile(s, 0, 0, 0, &diags);
        struct protocol p = {0};
        CHECK(c != NULL);
        struct run *r = c == NULL ? NULL : play_noted(c, SIM_ASIDES);
        if (r != NULL && r->end != END_FULL)
            CHECK(protocol_add(&p, r, 0));
        for (uint32_t k = 0; k < CONJUNCTS; k++)
            if (protocol_never((enum conjunct)k) != NULL)
                CHECK(!protocol_alone(&p, (enum conjunct)k));
        askings += (uint32_t)p.askings;
        protocol_free(&p);
        run_free(r);
        compiled_free(c);
        scenario_free(s);
    }
    CHECK(askings > 100);
}

/* --- cells and lines -------------------------------------------------------------------------------------- */

#define LATE                                                   \
    "fencepost 1\nscenario \"x\"\ncase a holds\n"              \
    "lock leader central ttl 10s\nstore s\nnode w1 w2\n"       \
    "w1:\n  acquire leader\n  write s 1\n  on refused: stop\n" \
    "w2:\n  wait 11s\n  acquire leader\n  write s 2\n"         \
    "before w1 writes s: pause w1 for 12s\nat 5s: expect s = none\n"

TEST("a cell says in which run and when first, and under which fault")
{
    struct protocol p = covered_text(LATE);
    uint32_t no = protocol_row_of(GATE_STORE_TOKEN, true, conjunct_bit(C_TOKEN_LATEST, true));
    struct protocol_cell any = protocol_cell(&p, no, COLUMN_ANY), pause = protocol_cell(&p, no, ACTIVE_PAUSE);
    CHECK_EQ(any.runs, 1);
    CHECK_EQ(any.times, 1);
    CHECK_EQ(any.first, 12005 * NS_PER_MS);
    CHECK_EQ(pause.first, any.first);
    CHECK_EQ(protocol_cell(&p, no, ACTIVE_NONE).runs, 0);
    CHECK_EQ(protocol_cell(&p, no, ACTIVE_CRASH).runs, 0);
    protocol_free(&p);
}

static uint64_t times_of(const struct protocol *p, uint32_t line)
{
    for (uint32_t i = 0; i < p->n_lines; i++)
        if (p->line[i].line == line)
            return p->line[i].times;
    return UINT64_MAX;
}

TEST("a line is come to when its step is taken, its fault has struck, its time has come")
{
    struct protocol p = covered_text(LATE);
    CHECK_EQ(times_of(&p, 4), UINT64_MAX); /* a declaration */
    CHECK_EQ(times_of(&p, 8), 1);
    CHECK_EQ(times_of(&p, 10), 0); /* `on refused: stop`, and it was not refused */
    CHECK(times_of(&p, 12) > 0);
    CHECK_EQ(times_of(&p, 15), 1);
    CHECK_EQ(times_of(&p, 16), 1);
    protocol_free(&p);
}

/* --- active faults ---------------------------------------------------------------------------------------- */

static struct record fault_record(ns at, uint16_t verb, int64_t first, ns second)
{
    struct record r = {.at = at, .verb = verb};
    bool links = verb == V_CUTS || verb == V_PARTITIONS || verb == V_HEALS;
    r.tag[0] = links ? TAG_TEXT : TAG_NS;
    r.field[0] = first;
    r.tag[1] = second == NS_NEVER ? TAG_NONE : TAG_NS;
    r.field[1] = second;
    return r;
}

static struct active active_with(ns lease)
{
    const struct lock_plan lock = {.ttl = lease};
    const struct model_plan plan = {.n_locks = 1, .locks = &lock};
    struct active a;
    active_begin(&a, &plan);
    return a;
}

TEST("a fault is active to its end and for one lease more")
{
    struct active a = active_with(10);
    struct record r = fault_record(100, V_PAUSES, 50, NS_NEVER);
    CHECK_EQ(active_now(&a, 99), 1u << ACTIVE_NONE);
    active_record(&a, &r);
    CHECK_EQ(active_now(&a, 100), 1u << ACTIVE_PAUSE);
    CHECK_EQ(active_now(&a, 160), 1u << ACTIVE_PAUSE);
    CHECK_EQ(active_now(&a, 161), 1u << ACTIVE_NONE);
}

TEST("a cut is active until it is healed, a wall clock that was set for good")
{
    struct active a = active_with(10);
    struct record cut = fault_record(100, V_CUTS, 7, NS_NEVER), other = fault_record(100, V_PARTITIONS, 8, 5);
    struct record heals = fault_record(200, V_HEALS, 7, NS_NEVER), jumps = fault_record(300, V_JUMPS, -5, NS_NEVER);
    active_record(&a, &cut);
    active_record(&a, &other);
    CHECK_EQ(active_now(&a, 115), 1u << ACTIVE_CUT | 1u << ACTIVE_PARTITION);
    CHECK_EQ(active_now(&a, 116), 1u << ACTIVE_CUT);
    active_record(&a, &heals);
    CHECK_EQ(active_now(&a, 210), 1u << ACTIVE_CUT);
    CHECK_EQ(active_now(&a, 211), 1u << ACTIVE_NONE);
    active_record(&a, &jumps);
    CHECK_EQ(active_now(&a, NS_MAX), 1u << ACTIVE_JUMP);
}
