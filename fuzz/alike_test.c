/* SPDX-License-Identifier: MIT
 *
 * alike_test.c - nodes that are alike: who is, who is not, and that what counts as one state has one future.
 */
#include "fuzz/alike.h"

#include <stdio.h>
#include <stdlib.h>

#include "fuzz/sample.h"
#include "fuzz/small.h"
#include "scenarios/language/reading.h"
#include "sim/test.h"

/* --- one state, one future ------------------------------------------------------------------------------ */

#define SEEN 8192
#define RUNS 24
#define FUTURE 150 /* events */

/* A state that was met: its digests, and a copy of the run there. */
struct met {
    uint64_t sorted, plain;
    void *copy;
};

struct meeting {
    struct space *sp;
    struct alike *twins;
    struct run *run, *one, *other;
    uint64_t seed;
    struct met *seen;  /* by sorted digest */
    uint32_t compared; /* pairs of states that differ in who is where */
    uint32_t parted;   /* and have different futures */
};

/* Now and then one of the offers, by a hash of the point. */
static uint32_t choose(void *context, const struct choice_point *p, uint32_t *faults)
{
    struct meeting *x = context;
    uint64_t h = sample_hash(x->seed, p->address);
    uint32_t offer = sample_below(sample_hash(h, 1), x->sp->n_offers);
    if (h % 8 != 0 || !space_offers(x->sp, p, offer))
        return 0;
    faults[0] = x->sp->own + offer;
    return 1;
}

static uint64_t broken(const struct run *r)
{
    const struct violation *v;
    uint64_t bits = 0;
    for (uint32_t n = run_broken(r, &v); n > 0; n--)
        bits |= UINT64_C(1) << v[n - 1].invariant;
    return bits;
}

/* Both go on calmly, and stay one state. What ends a run that asks in vain depends on how long it did. */
static bool stay_together(struct meeting *x, const void *copy)
{
    const struct run_options calm = {.plain = false};
    uint64_t before = broken(x->run);
    run_begin(x->one, &calm);
    run_begin(x->other, &calm);
    run_copy(x->run, x->seen[SEEN].copy);
    run_back(x->one, x->seen[SEEN].copy);
    run_back(x->other, copy);
    if (broken(x->other) != before)
        return false;
    for (uint32_t i = 0; i < FUTURE; i++) {
        bool more = run_step(x->one), as_well = run_step(x->other);
        if (!more || !as_well)
            return broken(x->one) == broken(x->other);
        bool tied, tied_as_well;
        if (alike_digest(x->twins, x->one->sim, &tied) != alike_digest(x->twins, x->other->sim, &tied_as_well))
            return tied && tied_as_well;
    }
    return true;
}

static void meet(struct meeting *x)
{
    uint64_t sorted = alike_digest(x->twins, x->run->sim, NULL), plain = sim_state_digest(x->run->sim);
    struct met *m = &x->seen[sorted % SEEN];
    size_t size = run_copy_size(x->run);
    if (m->copy == NULL) {
        *m = (struct met){sorted, plain, malloc(size)};
        run_copy(x->run, m->copy);
    } else if (m->sorted == sorted && m->plain != plain) {
        x->seen[SEEN].copy = realloc(x->seen[SEEN].copy, size);
        x->compared++;
        x->parted += !stay_together(x, m->copy);
    }
}

static void meet_in(struct space *sp, uint64_t seed, uint32_t *compared, uint32_t *parted)
{
    struct meeting x = {.sp = sp, .run = run_new_brief(&sp->c), .one = run_new_brief(&sp->c)};
    x.other = run_new_brief(&sp->c);
    x.twins = alike_new(sp, x.run->sim);
    x.seen = calloc(SEEN + 1, sizeof *x.seen);
    /* Which of two timers comes first that a clock made fall due at one instant is no part of a state: no ties are. */
    const uint32_t clocks = 1u << FAULT_SUSPEND | 1u << FAULT_WALL_JUMP | 1u << FAULT_DRIFT | 1u << FAULT_SLEW;
    for (uint32_t i = 0; i < RUNS && !(sp->kinds & clocks) && alike_groups(x.twins) > 0; i++) {
        const struct run_options options = {.choose = choose, .context = &x};
        x.seed = sample_hash(seed, i);
        run_begin(x.run, &options);
        while (run_step(x.run))
            meet(&x);
    }
    *compared += x.compared;
    *parted += x.parted;
    for (uint32_t i = 0; i <= SEEN; i++)
        free(x.seen[i].copy);
    free(x.seen);
    alike_free(x.twins);
    run_free(x.run);
    run_free(x.one);
    run_free(x.other);
}

TEST("states that differ in nothing but which twin is where have one future")
{
    static char text[SMALL_TEXT_MAX];
    uint32_t compared = 0, spaces = 0;
    for (uint64_t seed = 0; seed < TEST_FEWER(600); seed++) {
        struct diags d = {0};
        struct space *sp;
        uint32_t parted = 0;
        small_text(seed, text);
        struct scenario *s = reads(text);
        if (s != NULL && space_new(s, 0, 0, 0, small_signs(seed), &d, &sp) == SPACE_OK) {
            meet_in(sp, seed, &compared, &parted);
            spaces++;
            if (parted > 0)
                test_failed(__FILE__, __LINE__, "seed %" PRIu64 ": %u states that are one have two futures in\n%s",
                            seed, parted, text);
            space_free(sp);
        }
        scenario_free(s);
    }
    CHECK(compared > spaces / 4);
}

/* --- who is alike ------------------------------------------------------------------------------------------ */

#define TWO                        \
    "lock leader central ttl 9s\n" \
    "store ledger\n"               \
    "node w1\n"                    \
    "node w2\n"
#define PROGRAM "  acquire leader\n  keep leader\n  work 1s\n  write ledger me\n  on timeout: go on\n  release leader\n"

/* "w1 w2, w3 w4": the groups of a text without its first two lines. */
static const char *groups_of(const char *text)
{
    static char out[256], whole[SMALL_TEXT_MAX];
    struct diags d = {0};
    struct space *sp;
    (void)snprintf(whole, sizeof whole, "fencepost 1\nscenario \"Alike\"\ncase a holds\n%s", text);
    out[0] = '\0';
    struct scenario *s = reads(whole);
    if (s == NULL || space_new(s, 0, 0, 0, 0, &d, &sp) != SPACE_OK) {
        test_failed(__FILE__, __LINE__, "no space in\n%s", whole);
        scenario_free(s);
        return out;
    }
    struct run *r = run_new_brief(&sp->c);
    struct alike *t = alike_new(sp, r->sim);
    for (uint32_t g = 0; g < alike_groups(t); g++)
        for (uint32_t i = 0; i < alike_group(t, g).n; i++) {
            const char *name = sp->c.sim.names->text[sp->c.sim.processes[alike_group(t, g).process[i]].name];
            size_t n = strlen(out);
            (void)snprintf(out + n, sizeof out - n, "%s%s", i > 0 ? " " : g > 0 ? ", " : "", name);
        }
    alike_free(t);
    run_free(r);
    space_free(sp);
    scenario_free(s);
    return out;
}

TEST("nodes with one program are alike, and what may strike one may strike the other")
{
    CHECK_STR(groups_of(TWO "w1:\n" PROGRAM "w2:\n" PROGRAM), "w1 w2");
    CHECK_STR(groups_of(TWO "w1, w2:\n" PROGRAM), "w1 w2");
    CHECK_STR(groups_of(TWO "w1, w2:\n" PROGRAM "may pause w1 up to 5s\nmay pause w2 up to 5s\n"), "w1 w2");
    CHECK_STR(groups_of(TWO "w1, w2:\n" PROGRAM "may drop w1 -> ledger\nmay drop w2 -> ledger\n"), "w1 w2");
    CHECK_STR(groups_of(TWO "w1, w2:\n" PROGRAM "may partition w1 w2 up to 5s\n"), "w1 w2");
    CHECK_STR(groups_of(TWO "w1, w2:\n" PROGRAM "at 3s: pause leader for 2s\n"), "w1 w2");
    CHECK_STR(groups_of(TWO "w1, w2:\n" PROGRAM "always: expect not ledger = 7\n"), "w1 w2");
    CHECK_STR(groups_of(TWO "node w3\nnode w4\nnode w5\nw1, w3, w5:\n" PROGRAM "w2, w4:\n  acquire leader try\n"),
              "w1 w3 w5, w2 w4");
}

TEST("nodes are not alike that their programs, clocks, links or identities tell apart")
{
    CHECK_STR(groups_of(TWO "w1:\n" PROGRAM "w2:\n  acquire leader\n  write ledger me\n"), "");
    CHECK_STR(groups_of(TWO "w1:\n" PROGRAM "w2:\n" PROGRAM "  wait 1s\n"), "");
    CHECK_STR(
        groups_of(
            TWO
            "w1:\n  acquire leader\n  write ledger 1\n  work 1s\nw2:\n  acquire leader\n  write ledger 1\n  work 2s\n"),
        "");
    CHECK_STR(groups_of(TWO "w1:\n  acquire leader\n  write ledger 1\nw2:\n  acquire leader\n  write ledger 2\n"), "");
    CHECK_STR(
        groups_of(TWO
                  "w1:\n  acquire leader\n  keep leader\n  write ledger 1\nw2:\n  acquire leader\n  write ledger 1\n"),
        "");
    CHECK_STR(groups_of(TWO "net w1 - leader delay 5ms\nw1, w2:\n" PROGRAM), "");
    CHECK_STR(groups_of("lock leader central ttl 9s\nstore ledger\nnode w1\nnode w2 drift +100ppm\nw1, w2:\n" PROGRAM),
              "");
    CHECK_STR(groups_of("lock leader central ttl 9s\nstore ledger\nnode w1\nnode w2 identity \"x\"\nw1, w2:\n" PROGRAM),
              "");
    CHECK_STR(groups_of("lock leader central ttl 9s\nnode w1\nnode w2\nstore ledger at w1\nw1, w2:\n" PROGRAM), "");
}

TEST("nodes are not alike that a fault, a trigger, a `may` line, an expectation or another program names")
{
    CHECK_STR(groups_of(TWO "w1, w2:\n" PROGRAM "at 3s: pause w1 for 2s\n"), "");
    CHECK_STR(groups_of(TWO "w1, w2:\n" PROGRAM "before w1 writes ledger: pause leader for 2s\n"), "");
    CHECK_STR(groups_of(TWO "w1, w2:\n" PROGRAM "may pause w1 up to 5s\n"), "");
    CHECK_STR(groups_of(TWO "w1, w2:\n" PROGRAM "may pause w1 up to 5s\nmay pause w2 up to 6s\n"), "");
    CHECK_STR(groups_of(TWO "w1, w2:\n" PROGRAM "may drop w1 -> ledger\n"), "");
    CHECK_STR(groups_of(TWO "w1, w2:\n" PROGRAM "always: expect not w1 holds leader\n"), "");
    CHECK_STR(groups_of(TWO "w1, w2:\n" PROGRAM "always: expect not ledger = \"w1\"\n"), "");
    CHECK_STR(groups_of(TWO "node w3\nw1, w2:\n" PROGRAM "w3:\n  ping w1\n"), "");
    CHECK_STR(groups_of(TWO "node w3\nw1, w2:\n" PROGRAM "w3:\n  write ledger \"w2\"\n"), "");
}

TEST("candidates of a quorum are alike only if they try once: each that asks again waits for those before it")
{
    static const char voters[] = "lock leader quorum voters 3 ttl 9s\nnode w1\nnode w2\n";
    char text[512];
    (void)snprintf(text, sizeof text, "%sw1, w2:\n  acquire leader\n  work 1s\n", voters);
    CHECK_STR(groups_of(text), "");
    (void)snprintf(text, sizeof text, "%sw1, w2:\n  acquire leader try\n  work 1s\n", voters);
    CHECK_STR(groups_of(text), "w1 w2");
}
