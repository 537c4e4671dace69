/* SPDX-License-Identifier: MIT
 *
 * fault_text_test.c - what is said of a fault is read back as that fault.
 */
#include <stdio.h>
#include <stdlib.h>

#include "scenarios/language/lexer.h"
#include "scenarios/language/reading.h"
#include "scenarios/library.h"
#include "scenarios/run.h"
#include "sim/test.h"

/* --- whether two plans are of the same faults ------------------------------------------------------------- */

static const char *name_in(const struct compiled *c, name_id name)
{
    return name == NONE16 ? "" : c->sim.names->text[name];
}

static bool same_ids(const struct compiled *a, struct ids x, const struct compiled *b, struct ids y)
{
    bool same = x.n == y.n;
    for (uint32_t i = 0; i < x.n && same; i++)
        same = a->sim.ids[x.first + i] == b->sim.ids[y.first + i];
    return same;
}

static bool same_fault(const struct compiled *a, const struct compiled *b, uint32_t i, bool texts)
{
    const struct fault_plan *f = &a->sim.faults[i], *g = &b->sim.faults[i];
    return f->kind == g->kind && f->holding == g->holding && f->losing == g->losing && f->both_ways == g->both_ways &&
           f->order == g->order && f->thread == g->thread && f->at == g->at && f->duration == g->duration &&
           f->amount == g->amount && f->ppb == g->ppb && f->ordinal == g->ordinal && same_ids(a, f->a, b, g->a) &&
           same_ids(a, f->b, b, g->b) &&
           (!texts || (f->kind != FAULT_CUT && f->kind != FAULT_PARTITION) ||
            strcmp(name_in(a, f->text), name_in(b, g->text)) == 0);
}

static bool same_trigger(const struct compiled *a, const struct compiled *b, uint32_t i)
{
    const struct trigger_plan *t = &a->sim.triggers[i], *u = &b->sim.triggers[i];
    return t->before == u->before && t->verb == u->verb && t->ordinal == u->ordinal && t->fault == u->fault &&
           strcmp(name_in(a, t->actor), name_in(b, u->actor)) == 0 &&
           strcmp(name_in(a, t->object), name_in(b, u->object)) == 0;
}

static bool same_faults(const struct compiled *a, const struct compiled *b, bool texts)
{
    bool same = a->sim.n_faults == b->sim.n_faults && a->sim.n_triggers == b->sim.n_triggers;
    for (uint32_t i = 0; i < a->sim.n_faults && same; i++)
        same = same_fault(a, b, i, texts);
    for (uint32_t i = 0; i < a->sim.n_triggers && same; i++)
        same = same_trigger(a, b, i);
    return same;
}

/* --- a file with its faults said anew ---------------------------------------------------------------------- */

struct page {
    char *text; /* malloc'd */
    size_t n, size;
};

static void page_add(struct page *p, const char *text, size_t n)
{
    if (p->n + n + 1 > p->size) {
        p->size = (p->n + n + 1) * 2;
        p->text = realloc(p->text, p->size);
    }
    memcpy(p->text + p->n, text, n);
    p->n += n;
    p->text[p->n] = '\0';
}

/* The fault that the line says, NONE32: none. */
static uint32_t fault_of(const struct compiled *c, uint32_t line)
{
    for (uint32_t i = 0; i < c->sim.n_faults; i++)
        if (c->sim.faults[i].line == line)
            return i;
    return NONE32;
}

/* "at 5s: heal", "before w1 writes ledger: pause w1 for 12s"; whether a line can say it. */
static bool say_line(const struct compiled *c, uint32_t fault, bool texts, char *out, size_t size)
{
    struct fault_plan f = c->sim.faults[fault];
    size_t n = 0;
    if (!texts)
        f.text = NONE16;
    for (uint32_t i = 0; i < c->sim.n_triggers; i++)
        if (c->sim.triggers[i].fault == fault)
            n = trigger_text(&c->sim, &c->sim.triggers[i], out, size);
    if (n == 0) {
        strcpy(out, "at ");
        duration_format(f.at, out + 3, size - 3);
        n = strlen(out);
    }
    CHECK(n + 2 < size);
    strcpy(out + n, ": ");
    size_t more = fault_text(&c->sim, &f, out + n + 2, size - n - 2);
    CHECK(more < size - n - 2);
    return more > 0;
}

static size_t prefix_length(const char *line, size_t n)
{
    size_t at = 0;
    while (at < n && line[at] == '[') {
        while (at < n && line[at] != ']')
            at++;
        at += at < n;
        while (at < n && line[at] == ' ')
            at++;
    }
    return at;
}

static bool say_anew(const struct scenario *s, const struct compiled *c, bool texts, struct page *out)
{
    size_t n = 0;
    const char *line = scenario_line(s, 1, &n);
    bool said = true;
    for (uint32_t number = 1; line[0] != '\0'; line = scenario_line(s, ++number, &n)) {
        uint32_t fault = fault_of(c, number);
        char text[4096];
        page_add(out, line, fault == NONE32 ? n : prefix_length(line, n));
        if (fault != NONE32 && (said &= say_line(c, fault, texts, text, sizeof text)))
            page_add(out, text, strlen(text));
        page_add(out, "\n", 1);
    }
    return said;
}

static uint64_t digest_of(const struct compiled *c)
{
    struct run_options options = {.plain = false};
    struct run *r = run_case(c, &options);
    uint64_t digest = r == NULL ? 0 : r->digest;
    CHECK(r != NULL);
    run_free(r);
    return digest;
}

static void check_again(const char *path, const struct scenario *s, const struct compiled *c, uint32_t i, bool texts)
{
    struct page page = {0};
    if (!say_anew(s, c, texts, &page))
        test_failed(path, 0, "case %s: a fault that no line says", c->name);
    struct diags d = {0};
    struct scenario *again = scenario_parse(page.text, page.n, path, NULL, 0, &d);
    if (again == NULL && strstr(d.row[0].text, "group") != NULL && !texts) {
        free(page.text); /* the group's members stand in its place */
        return;
    }
    struct compiled *b = again == NULL ? NULL : scenario_compile(again, i, 0, 0, &d);
    if (b == NULL)
        test_failed(path, (int)d.row[0].line, "case %s: %s", c->name, d.row[0].text);
    else if (!same_faults(c, b, texts))
        test_failed(path, 0, "case %s: other faults", c->name);
    else if (texts && digest_of(b) != digest_of(c))
        test_failed(path, 0, "case %s: another digest", c->name);
    compiled_free(b);
    scenario_free(again);
    free(page.text);
}

static void check_case(const char *path, const struct scenario *s, uint32_t i, void *context)
{
    struct diags d = {0};
    uint32_t *faults = context;
    struct compiled *c = scenario_compile(s, i, 0, 0, &d);
    CHECK(c != NULL);
    if (c != NULL && c->sim.n_faults > 0) {
        check_again(path, s, c, i, true);
        check_again(path, s, c, i, false);
        *faults += c->sim.n_faults;
    }
    compiled_free(c);
}

TEST("each fault of the library, said from its plan, is read back as it was and runs to the same digest")
{
    uint32_t faults = 0;
    visit_library(check_case, &faults);
    CHECK(faults > 150);
}

/* --- kinds ------------------------------------------------------------------------------------------------------ */

static struct scenario *read;
static struct compiled *made;

/* The plan of case 0 of the world with these lines behind it. Kept until the next call. */
static struct compiled *plan_with(const char *lines)
{
    compiled_free(made);
    scenario_free(read);
    read = reads(with_line(lines));
    made = compiles(read, 0);
    return made;
}

static const char *const lines[] = {
    "at 5s: pause w1",
    "at 5s: pause w1 for 12s",
    "at 5s: pause w1 w2 for 1ns",
    "at 5s: pause w1.keeper for 1.000000001s",
    "at 5s: pause w1.main",
    "at 5s: pause leader.1 ledger w2 for 2h1m0.5s",
    "at 5s: suspend w1 leader.3 for 30m",
    "at 5s: crash w1",
    "at 5s: crash w1 for 2s losing unsynced",
    "at 5s: crash leader.1 leader.2 losing everything",
    "at 5s: partition w1 leader.1 | w2 for 6s holding",
    "at 5s: partition w1 | w2 | leader.1 ledger",
    "at 5s: cut w1 w2 -> ledger",
    "at 5s: cut w1 - ledger leader.2 for 5s holding",
    "at 5s: heal",
    "at 5s: delay w1 -> ledger #3 by 14s",
    "at 5s: delay w1 -> leader.1 leader.2 by 0s",
    "at 5s: drop w1 -> ledger #2",
    "at 5s: drop ledger -> w1",
    "at 5s: duplicate w1 -> ledger after 3s",
    "at 5s: reorder w1 -> ledger",
    "at 5s: wall w1 jumps -1h",
    "at 5s: wall w1 w2 jumps +1ns",
    "at 5s: clock w1 drifts +500ppm",
    "at 5s: clock w1 drifts -0.25ppm",
    "at 5s: clock w1 drifts +0.001ppm",
    "at 5s: clock w1 slews -2s over 10m",
    "at 5s: slow ledger by 3s",
    "at 5s: slow ledger leader.2 by 3s for 10s",
    "after w1 resumes: timers first",
    "after w1.main resumes #2: messages first",
    "before w1 writes ledger: heal",
    "before w1 writes ledger/x #2: heal",
    "after ledger commits w1 #1000000000: heal",
    "after w1 failed stale-token: heal",
    "after w1.keeper renews leader: heal",
    "after net loses w1: heal",
};

TEST("each kind of fault is said as the language says it")
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[256] = "";
        struct compiled *c = plan_with(lines[i]);
        for (int texts = 0; c != NULL && texts < 2; texts++) {
            CHECK(say_line(c, 0, texts == 1, text, sizeof text));
            CHECK_STR(text, lines[i]);
        }
    }
}

TEST("a quorum, a group and a range are said by those that they stand for")
{
    char text[256];
    struct compiled *c = plan_with("group east = w1 leader.2\nat 5s: crash leader east for 1s\nat 6s: suspend w1..w2\n"
                                   "at 7s: partition east | w2");
    if (c == NULL)
        return;
    fault_text(&c->sim, &c->sim.faults[0], text, sizeof text);
    CHECK_STR(text, "crash leader.1 leader.2 leader.3 w1 for 1s");
    fault_text(&c->sim, &c->sim.faults[1], text, sizeof text);
    CHECK_STR(text, "suspend w1 w2");
    struct fault_plan made_up = c->sim.faults[2];
    fault_text(&c->sim, &made_up, text, sizeof text);
    CHECK_STR(text, "partition east | w2"); /* as it stands in the trace */
    made_up.text = NONE16;
    fault_text(&c->sim, &made_up, text, sizeof text);
    CHECK_STR(text, "partition w1 leader.2 | w2");
}

TEST("a job is said in its quotes, a row and a register by their keys")
{
    static const char head[] = "fencepost 1\ncase a holds\nqueue q lease 9s\n  job \"invoice \\\"42\\\"\"\n"
                               "table t\n  row 42 state 1\nnode w1\nw1:\n  claim q as job\n  complete job\n"
                               "  update t/42 set state 2\n";
    static const char *const said[] = {"before w1 completes \"invoice \\\"42\\\"\": heal",
                                       "after q grants w1 #2: heal"};
    for (size_t i = 0; i < 2; i++) {
        char file[512], text[256] = "";
        snprintf(file, sizeof file, "%s%s\n", head, said[i]);
        struct scenario *s = reads(file);
        struct compiled *c = compiles(s, 0);
        CHECK(c != NULL && say_line(c, 0, true, text, sizeof text));
        CHECK_STR(text, said[i]);
        compiled_free(c);
        scenario_free(s);
    }
}

/* --- what no line says ------------------------------------------------------------------------------------------- */

static const char shared[] =
    "node db\ndb: wait 1s\nstore db\nat 1s: pause db\nat 2s: slow db by 1s\nat 3s: suspend db\n"
    "at 4s: cut w1 -> db\nat 5s: pause db.main\nat 6s: partition w1 | w2";

TEST("of two processes of one name no line strikes one, but `slow`, which means the service, and a thread alone")
{
    static const char *const said[] = {"pause db",     "slow db by 1s", "suspend db",
                                       "cut w1 -> db", "pause db.main", "partition w1 | w2"};
    char text[64];
    struct compiled *c = plan_with(shared);
    for (uint32_t i = 0; c != NULL && i < 6; i++) {
        struct fault_plan f = c->sim.faults[i];
        f.text = NONE16;
        CHECK_EQ(fault_text(&c->sim, &f, text, sizeof text), strlen(said[i]));
        CHECK_STR(text, said[i]);
    }
    if (c == NULL)
        return;
    struct fault_plan f = c->sim.faults[0], cut = c->sim.faults[3], both = c->sim.faults[0];
    for (uint32_t k = 0; k < 2; k++) {
        f.a = (struct ids){c->sim.faults[0].a.first + k, 1};
        CHECK(fault_text(&c->sim, &f, text, sizeof text) == 0 && text[0] == '\0');
        cut.b = (struct ids){c->sim.faults[3].b.first + k, 1};
        cut.text = NONE16;
        CHECK(fault_text(&c->sim, &cut, text, sizeof text) == 0);
    }
    both.kind = FAULT_SLOW; /* a program is not slow */
    both.amount = 1;
    CHECK_EQ(fault_text(&c->sim, &both, text, sizeof text), 0);
}

TEST("a machine that is called like a quorum goes by what is on it")
{
    static const char text[] = "fencepost 1\ncase a holds\nlock l quorum voters 3 ttl 9s\nnode l w1\n"
                               "l, w1: acquire l\nstore s at l\nat 1s: suspend s\nat 2s: partition s | w1\n"
                               "at 3s: pause l\n";
    struct scenario *s = reads(text);
    struct compiled *c = compiles(s, 0);
    char said[64];
    if (c != NULL) {
        struct fault_plan f = c->sim.faults[1], program = c->sim.faults[2];
        fault_text(&c->sim, &c->sim.faults[0], said, sizeof said);
        CHECK_STR(said, "suspend s");
        f.text = NONE16;
        fault_text(&c->sim, &f, said, sizeof said);
        CHECK_STR(said, "partition s | w1");
        CHECK_EQ(program.a.n, 4);
        CHECK(fault_text(&c->sim, &program, said, sizeof said) > 0);
        program.a.n = 1; /* the program without the voters, who have its name too */
        CHECK_EQ(fault_text(&c->sim, &program, said, sizeof said), 0);
    }
    compiled_free(c);
    scenario_free(s);
}

TEST("what strikes nobody, and a partition of one side, is no line")
{
    char text[64];
    struct compiled *c = plan_with(shared);
    if (c == NULL)
        return;
    static const enum fault_kind kinds[] = {FAULT_PAUSE, FAULT_SUSPEND, FAULT_CRASH,
                                            FAULT_SLOW,  FAULT_CUT,     FAULT_PARTITION};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct fault_plan f = {.kind = (uint8_t)kinds[i], .thread = NONE16, .text = NONE16, .duration = NS_NEVER};
        CHECK_EQ(fault_text(&c->sim, &f, text, sizeof text), 0);
    }
    struct fault_plan merged = {.kind = FAULT_RESUME_ORDER, .thread = NONE16, .order = RESUME_MERGED};
    CHECK_EQ(fault_text(&c->sim, &merged, text, sizeof text), 0);
    struct fault_plan delay = c->sim.faults[3];
    delay.kind = FAULT_DROP;
    delay.both_ways = 1;
    CHECK_EQ(fault_text(&c->sim, &delay, text, sizeof text), 0);
}

TEST("what does not fit is cut off, and its length told, at, below and above the room there is")
{
    static const char whole[] = "pause w1 for 12s", waits[] = "before w1 writes ledger #2";
    struct compiled *c = plan_with("before w1 writes ledger #2: pause w1 for 12s");
    for (size_t size = 0; c != NULL && size < sizeof whole + 2; size++) {
        char text[32];
        memset(text, 'x', sizeof text);
        CHECK_EQ(fault_text(&c->sim, c->sim.faults, text, size), sizeof whole - 1);
        CHECK(text[size] == 'x');
        if (size > 0)
            CHECK(strlen(text) == (size < sizeof whole ? size - 1 : sizeof whole - 1) &&
                  strncmp(text, whole, strlen(text)) == 0);
    }
    for (size_t size = 0; c != NULL && size < sizeof waits + 2; size++) {
        char text[32];
        memset(text, 'x', sizeof text);
        CHECK_EQ(trigger_text(&c->sim, c->sim.triggers, text, size), sizeof waits - 1);
        CHECK(text[size] == 'x');
    }
}
