/* SPDX-License-Identifier: MIT */
#include "reports/line.h"
#include "reports/page.h"
#include "reports/timeline.h"
#include "scenarios/files.h"
#include "scenarios/played.h"
#include "sim/test.h"

#include <stdio.h>
#include <stdlib.h>

/* --- the whole library ------------------------------------------------------------------------------------- */

static const char *where; /* what is being looked at, for complaints */

static void wrong(const struct timeline *t, const char *what, uint32_t i)
{
    test_failed(__FILE__, __LINE__, "%s, case %s: %s (%u)", where, t->run->c->name, what, (unsigned)i);
}

static bool is_record(const struct timeline *t, uint32_t number, ns at)
{
    return number == 0 || (number <= t->n_records && t->records[number - 1].at == at);
}

static void check_bars(const struct timeline *t)
{
    for (uint32_t i = 0; i < t->n_bars; i++) {
        const struct bar *b = &t->bars[i];
        if (b->from > b->to || b->from < 0 || b->to > t->run->end_ns)
            wrong(t, "a bar ends before it begins, or behind the run", i);
        if (!is_record(t, b->a, b->from) || (b->b > 0 && !is_record(t, b->b, b->to)))
            wrong(t, "a bar begins or ends by a record of another time", i);
        if (i > 0 && (b[-1].lane > b->lane || (b[-1].lane == b->lane && b[-1].from > b->from)))
            wrong(t, "bars stand out of order", i);
        for (uint32_t k = 0; k < b->n_truth; k++)
            if (t->truths[b->truth + k].from < b->from || t->truths[b->truth + k].to > b->to)
                wrong(t, "a truth outside its belief", i);
    }
}

/* One service never says two things of one resource at once; a quorum's voters may, each its own. */
static void check_words(const struct timeline *t)
{
    for (uint32_t i = 0; i < t->n_bars; i++)
        for (uint32_t k = i + 1; k < t->n_bars && t->bars[k].lane == t->bars[i].lane; k++) {
            const struct bar *a = &t->bars[i], *b = &t->bars[k];
            bool two = a->kind == BAR_HOLDS && t->lanes[a->lane].process == NONE16 && a->who != b->who;
            if (b->from >= a->to || a->of != b->of || a->kind > BAR_DEAD || b->kind > BAR_DEAD || two)
                continue;
            wrong(t, "two words about one resource at once", i);
            return;
        }
}

static void check_flights(const struct timeline *t)
{
    for (uint32_t i = 0; i < t->n_flights; i++) {
        const struct flight *f = &t->flights[i];
        if (f->sent > f->at || f->from >= t->n_lanes || f->to >= t->n_lanes || f->a > t->n_records || f->b == 0)
            wrong(t, "a message that cannot be", i);
    }
}

static void check_clocks(const struct timeline *t)
{
    for (uint16_t m = 0; m < t->run->c->sim.n_machines; m++)
        for (int kind = 0; kind < CLOCKS; kind++)
            if (timeline_clock(t, m, (enum clock_kind)kind, t->run->end_ns) !=
                clock_now(t->run->sim, m, (enum clock_kind)kind))
                wrong(t, "a clock that reads something else at the end", m);
}

/* Whether a resource is this lane's at the end, by its bars. */
static bool owns(const struct timeline *t, uint16_t resource, uint16_t lane)
{
    name_id of = resource_name(&t->run->c->model, resource);
    for (uint32_t i = 0; i < t->n_bars; i++) {
        const struct bar *b = &t->bars[i];
        if ((b->kind == BAR_HOLDS || b->kind == BAR_ATTEMPT) && b->of == of && b->who == lane && b->b == 0 &&
            !b->lapsed)
            return true;
    }
    return false;
}

static bool believes(const struct timeline *t, uint16_t resource, uint16_t lane)
{
    name_id of = resource_name(&t->run->c->model, resource);
    for (uint32_t i = 0; i < t->n_bars; i++) {
        const struct bar *b = &t->bars[i];
        if (b->kind == BAR_BELIEVES && b->of == of && b->lane == lane && b->b == 0)
            return true;
    }
    return false;
}

/* What the services and the clients themselves say at the end. */
static void check_end(const struct timeline *t)
{
    const struct model_plan *p = &t->run->c->model;
    for (uint16_t r = 0; r < n_resources(p); r++) {
        for (uint16_t i = 0; i < t->n_lanes; i++) {
            if (t->lanes[i].kind != LANE_CLIENT)
                continue;
            bool holds = query_holds(t->run->sim, r, t->lanes[i].process);
            if (holds != owns(t, r, i))
                wrong(t, holds ? "a holder without a bar" : "a bar without its holder", r);
            if (!is_row(p, r) && query_believes(t->run->sim, r, t->lanes[i].process) != believes(t, r, i))
                wrong(t, "a belief that is another at the end", r);
        }
    }
}

static uint32_t cases_seen;

static void check_case(const struct scenario *s, uint32_t i)
{
    struct diags diags = {0};
    struct timeline t;
    struct compiled *c = scenario_compile(s, i, 0, 0, &diags);
    struct run *r = c == NULL ? NULL : run_case(c, NULL);
    CHECK(r != NULL);
    if (r != NULL) {
        timeline_make(&t, r);
        CHECK(!t.failed);
        check_bars(&t);
        if (t.n_bars < 2000)
            check_words(&t);
        check_flights(&t);
        check_clocks(&t);
        check_end(&t);
        timeline_free(&t);
        cases_seen++;
    }
    run_free(r);
    compiled_free(c);
}

TEST("every run of the library has a timeline that agrees with itself, with the clocks and with whoever holds at the "
     "end")
{
    struct files files = {0};
    cases_seen = 0;
    CHECK_EQ(files_add(&files, "scenarios"), FILE_OK);
    for (size_t i = 0; i < files.n; i++) {
        char *bytes = NULL;
        size_t n = 0;
        int error = 0;
        struct diags diags = {0};
        where = files.path[i];
        CHECK_EQ(file_read(files.path[i], &bytes, &n, &error), FILE_OK);
        struct scenario *s = scenario_parse(bytes, n, files.path[i], NULL, 0, &diags);
        CHECK(s != NULL);
        for (uint32_t k = 0; s != NULL && k < scenario_cases(s); k++)
            check_case(s, k);
        scenario_free(s);
        free(bytes);
    }
    files_free(&files);
    CHECK(cases_seen > 60);
}

/* --- small stories ----------------------------------------------------------------------------------------------- */

static char told[8192];
static size_t told_n;

static void tell(const struct text *t)
{
    ASSERT(told_n + t->n < sizeof told);
    memcpy(told + told_n, t->n > 0 ? t->bytes : "", t->n);
    told_n += t->n;
    told[told_n] = '\0';
}

static void span_words(struct text *t, ns from, ns to)
{
    text_time(t, from);
    text_add(t, "..");
    text_time(t, to);
    text_char(t, ' ');
}

/* "0.002s..10.002s w1 holds leader, token 1", with its truths behind it where it is not all true. */
static void tell_bar(const struct timeline *t, const struct bar *b)
{
    struct text line = {0};
    span_words(&line, b->from, b->to);
    page_bar(&line, t, b);
    bool whole = b->n_truth == 1 && t->truths[b->truth].from == b->from && t->truths[b->truth].to == b->to;
    if (b->kind == BAR_BELIEVES && !whole) {
        text_add(&line, " - true: ");
        for (uint32_t i = 0; i < b->n_truth; i++)
            span_words(&line, t->truths[b->truth + i].from, t->truths[b->truth + i].to);
    }
    text_add(&line, "\n");
    tell(&line);
    text_free(&line);
}

static void tell_bars(const struct timeline *t, uint32_t kinds)
{
    for (uint32_t i = 0; i < t->n_bars; i++)
        if (kinds >> t->bars[i].kind & 1)
            tell_bar(t, &t->bars[i]);
}

static void tell_flights(const struct timeline *t)
{
    const struct sim_plan *sim = &t->run->c->sim;
    for (uint32_t i = 0; i < t->n_flights; i++) {
        const struct flight *f = &t->flights[i];
        struct text line = {0};
        span_words(&line, f->sent, f->at);
        const char *const words[] = {line_name(sim, t->lanes[f->from].name),
                                     " -> ",
                                     line_name(sim, t->lanes[f->to].name),
                                     " ",
                                     line_name(sim, f->what),
                                     " ",
                                     fate_name[f->fate],
                                     "\n"};
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            text_add(&line, words[k]);
        tell(&line);
        text_free(&line);
    }
}

static struct played_case story;
static struct timeline timeline;

/* Plays a story, without the two lines above it. */
static void begin(const char *text, const char *case_name)
{
    static char whole[8192];
    int n = snprintf(whole, sizeof whole, "fencepost 1\nscenario \"a story\"\n%s", text);
    ASSERT(n > 0 && (size_t)n < sizeof whole);
    story = played(whole, case_name, 0);
    told_n = 0;
    told[0] = '\0';
    ASSERT(story.run != NULL);
    timeline_make(&timeline, story.run);
    CHECK(!timeline.failed);
}

static void end(void)
{
    timeline_free(&timeline);
    played_free(&story);
}

#define KIND(k) (UINT32_C(1) << (k))

static const char paused_leader[] = "case advisory without store-token lease-check violates no-stale-write\n"
                                    "lock leader central ttl 10s\nstore ledger\nnode w1 w2\n"
                                    "w1:\n  acquire leader\n  work 1s\n  write ledger \"from w1\"\n"
                                    "w2:\n  wait 11s\n  acquire leader\n  write ledger \"from w2\"\n"
                                    "before w1 writes ledger: pause w1 for 12s\n";

TEST("a belief is true while the service says the same, and the rest of its bar outlived the truth")
{
    begin(paused_leader, NULL);
    tell_bars(&timeline, KIND(BAR_HOLDS) | KIND(BAR_BELIEVES) | KIND(BAR_PAUSED) | KIND(BAR_VALUE) | KIND(BAR_MARK));
    CHECK_STR(told, "0.002s..10.002s w1 holds leader, token 1\n"
                    "11.002s..13.006s w2 holds leader, token 2\n"
                    "0.003s..13.006s w1 believes that it holds leader, token 1 - true: 0.003s..10.002s \n"
                    "1.003s..13.003s w1 is paused\n"
                    "11.003s..13.006s w2 believes that it holds leader, token 2\n"
                    "11.005s..11.005s the mark of leader rises to 2\n"
                    "11.005s..13.005s \"from w2\"\n"
                    "13.005s..13.006s \"from w1\"\n");
    end();
}

TEST("what a client does has its bars: it waits, works, acts")
{
    begin(paused_leader, NULL);
    tell_bars(&timeline, KIND(BAR_WAITS) | KIND(BAR_WORKS) | KIND(BAR_ACTS));
    CHECK_STR(told, "0.000s..0.003s w1 waits for leader\n"
                    "0.003s..1.003s w1 acts under leader, token 1\n"
                    "0.003s..1.003s w1 works for 1s\n"
                    "1.003s..13.006s w1 acts under leader, token 1\n"
                    "11.000s..11.003s w2 waits for leader\n"
                    "11.003s..11.006s w2 acts under leader, token 2\n");
    end();
}

TEST("a quorum's lock is held until the first vote that it rests on has ended, and has a lane of its own")
{
    begin("case a holds\nlock leader quorum voters 3 ttl 10s\nnode w1\nw1:\n  acquire leader\n  work 2s\n  release "
          "leader\n  wait 1s\nat 1s: crash leader.3\n",
          NULL);
    tell_bars(&timeline, KIND(BAR_HOLDS) | KIND(BAR_VOTES));
    CHECK_STR(told, "0.003s..2.005s w1 holds leader, token 1\n"
                    "0.002s..2.005s leader.1 votes for w1, epoch 1\n"
                    "0.002s..2.005s leader.2 votes for w1, epoch 1\n"
                    "0.002s..3.003s leader.3 votes for w1, epoch 1\n");
    CHECK_EQ(timeline.lanes[0].kind, LANE_LOCK);
    CHECK_EQ(timeline.lanes[0].process, NONE16);
    CHECK_EQ(timeline.lanes[1].kind, LANE_VOTER);
    CHECK_EQ(timeline.lanes[4].kind, LANE_CLIENT);
    end();
}

TEST("two whom a quorum elected have its lock at once, for as long as their voters say")
{
    begin("case a without strict-majority violates single-grant\nlock leader quorum voters 4 ttl 10s\nnode w1 w2\n"
          "w1:\n  acquire leader\n  work 2s\n  release leader\nw2:\n  wait 700ms\n  acquire leader\n  work 2s\n"
          "at 0s: partition w1 leader.1 leader.2 | w2 leader.3 leader.4\nuntil 5s\n",
          NULL);
    tell_bars(&timeline, KIND(BAR_HOLDS) | KIND(BAR_BELIEVES));
    CHECK_STR(told, "0.003s..2.005s w1 holds leader, token 1\n"
                    "0.703s..2.703s w2 holds leader, token 1\n"
                    "0.003s..2.003s w1 believes that it holds leader, token 1\n"
                    "0.703s..2.703s w2 believes that it holds leader, token 1\n");
    end();
}

TEST("a voter that keeps its votes in memory gives them up in a crash")
{
    begin("case a without durable-grant holds\nlock leader quorum voters 3 ttl 10s\nnode w1\nw1:\n  acquire leader\n  "
          "work 2s\nat 1s: crash leader.2 for 1s\n",
          NULL);
    tell_bars(&timeline, KIND(BAR_HOLDS) | KIND(BAR_VOTES) | KIND(BAR_DOWN));
    CHECK_STR(told, "0.002s..1.000s w1 holds leader, token 1\n"
                    "0.001s..2.002s leader.1 votes for w1, epoch 1\n"
                    "0.001s..1.000s leader.2 votes for w1, epoch 1\n"
                    "1.000s..2.000s leader.2 is down\n"
                    "0.001s..2.002s leader.3 votes for w1, epoch 1\n");
    end();
}

static const char late_heartbeat[] = "case a holds\nqueue jobs lease 30s\n  job \"invoice-42\"\nnode w1\nw1:\n"
                                     "  claim jobs as job\n  work 1s\n  heartbeat job\n  work 1s\n  complete job\n"
                                     "before w1 heartbeats \"invoice-42\": pause w1 for 31s\n";

TEST("an attempt lapses at its lease's end, is revived by a late heartbeat, and the job is done")
{
    begin(late_heartbeat, NULL);
    tell_bars(&timeline, KIND(BAR_ATTEMPT) | KIND(BAR_WAITING) | KIND(BAR_DONE));
    CHECK_STR(told, "0.000s..0.002s \"invoice-42\" can be claimed\n"
                    "0.002s..30.002s w1 runs \"invoice-42\", token 1\n"
                    "30.002s..32.005s w1 runs \"invoice-42\", token 1; its lease is over\n"
                    "32.005s..33.008s w1 runs \"invoice-42\", token 1\n"
                    "33.008s..33.009s \"invoice-42\" is done, by w1\n");
    end();
}

TEST("the halves of a lapsed attempt meet in the service's own word")
{
    begin(late_heartbeat, NULL);
    for (uint32_t i = 0; i < timeline.n_bars; i++) {
        const struct bar *b = &timeline.bars[i];
        if (b->kind == BAR_ATTEMPT && b->lapsed)
            CHECK_EQ(timeline.records[b->a - 1].verb, V_EXPIRES);
        if (b->kind == BAR_ATTEMPT && b->from == 2 * NS_PER_MS)
            CHECK_EQ(timeline.records[b->b - 1].verb, V_EXPIRES);
    }
    end();
}

TEST("a row of a table as queue has attempts, and a client has it until it has given it up")
{
    begin("case a holds\ntable jobs at db\n  as queue owner owner token epoch until until running state = \"running\" "
          "done "
          "state = \"done\"\n  row 42  state \"ready\" owner none epoch 0 until 0s result none\n"
          "node w1\nw1:\n  update jobs/42 set state \"running\" owner me epoch epoch + 1 until now + 5s as job\n  work "
          "6s\n"
          "  update jobs/42 set state \"done\" result \"by w1\" where epoch = job.epoch\n",
          NULL);
    tell_bars(&timeline, KIND(BAR_ATTEMPT) | KIND(BAR_WAITING) | KIND(BAR_DONE) | KIND(BAR_HAS) | KIND(BAR_VALUE));
    CHECK_STR(told, "0.003s..6.006s w1 has jobs/42, token 1\n"
                    "0.000s..0.002s jobs/42 can be claimed\n"
                    "0.000s..6.005s none\n"
                    "0.002s..5.002s w1 runs jobs/42, token 1\n"
                    "5.002s..6.005s w1 runs jobs/42, token 1; its lease is over\n"
                    "6.005s..6.006s jobs/42 is done, by w1\n"
                    "6.005s..6.006s \"by w1\"\n");
    end();
}

TEST("pauses of a thread, of a process and suspensions are bars of their own, and overlapping ones are one")
{
    begin("case a holds\nnode w1 w2\nw1:\n  wait 20s\nw1.other:\n  wait 1s\nw2:\n  wait 20s\nat 1s: pause w1 for 4s\n"
          "at 3s: pause w1 for 4s\nat 2s: pause w1.other for 3s\nat 10s: suspend w1 for 5s\n",
          NULL);
    tell_bars(&timeline, KIND(BAR_PAUSED) | KIND(BAR_SUSPENDED));
    CHECK_STR(told, "1.000s..7.000s w1 is paused\n"
                    "2.000s..5.000s w1.other is paused\n"
                    "10.000s..15.000s w1's machine is suspended\n");
    end();
}

TEST("a crash ends the pause of its process, not the suspension of its machine")
{
    begin("case a holds\nnode w1 w2\nw1:\n  wait 5s\nw2:\n  wait 20s\nat 1s: pause w1 for 10s\nat 2s: suspend w1 for "
          "10s\n"
          "at 3s: crash w1 for 2s\n",
          NULL);
    tell_bars(&timeline, KIND(BAR_PAUSED) | KIND(BAR_SUSPENDED) | KIND(BAR_DOWN));
    CHECK_STR(told, "1.000s..3.000s w1 is paused\n"
                    "2.000s..12.000s w1's machine is suspended\n"
                    "3.000s..5.000s w1 is down\n");
    end();
}

TEST("closed links are bars of the network, and end where they heal")
{
    begin("case a holds\nstore s\nnode w1\nw1:\n  wait 30s\nat 1s: partition w1 | s for 5s\nat 10s: cut w1 -> s\n"
          "at 12s: heal\nat 20s: slow s by 1s for 3s\n",
          NULL);
    tell_bars(&timeline, KIND(BAR_PARTITION) | KIND(BAR_CUT) | KIND(BAR_SLOW));
    CHECK_STR(told, "20.000s..23.000s s answers 1s late\n"
                    "1.000s..6.000s w1 | s\n"
                    "10.000s..12.000s w1 -> s\n");
    end();
}

TEST("a message arrives, is lost, is held and then arrives, and comes twice when it is doubled")
{
    begin(
        "case a holds\nstore s\nnode w1\nw1:\n  on timeout: go on\n  write s 1\n  write s 2\n  write s 3\n  write s 4\n"
        "at 0s: drop w1 -> s #2\nbefore w1 writes s #3: cut w1 -> s for 2s holding\n"
        "before w1 writes s #4: duplicate w1 -> s after 1s\n",
        NULL);
    tell_flights(&timeline);
    CHECK_STR(told, "0.000s..0.001s w1 -> s write arrives\n"
                    "0.002s..0.003s s -> w1 written arrives\n"
                    "0.003s..0.003s w1 -> s write lost\n"
                    "5.003s..7.004s w1 -> s write arrives\n"
                    "7.005s..7.006s s -> w1 written arrives\n"
                    "7.006s..7.007s w1 -> s write arrives\n"
                    "7.008s..7.009s s -> w1 written arrives\n"
                    "7.006s..8.007s w1 -> s write arrives\n"
                    "8.007s..8.008s s -> w1 written arrives\n");
    end();
}

TEST("a request that nobody takes is lost there, and comes back; one behind a link that stays closed is held")
{
    begin("case a holds\nstore s\nstore t\nnode w1\nw1:\n  on unreachable: go on\n  on timeout: go on\n  write s 1\n"
          "  write t 1\nat 0s: crash s\nat 0s: cut w1 -> t holding\n",
          NULL);
    tell_flights(&timeline);
    CHECK_STR(told, "0.000s..0.001s w1 -> s write lost\n"
                    "0.001s..0.002s s -> w1 unreachable arrives\n"
                    "0.002s..0.003s w1 -> t write held\n");
    end();
}

TEST("clocks that drift, jump, slew and are suspended read at every instant what they read in the run")
{
    begin("case a holds\nnode w1\nnode w2 wall +3s drift +333ppm\nw1:\n  wait 20s\nw2:\n  wait 20s\n"
          "at 1.000000007s: clock w1 drifts +77ppm\nat 2.000000003s: wall w1 jumps -1h\nat 3s: suspend w1 for 2.5s\n"
          "at 4s: clock w1 slews +2s over 10s\nat 15.123456789s: wall w2 jumps 5m\n",
          NULL);
    struct sim *s = story.run->sim;
    sim_reset(s, NULL, 0);
    uint32_t steps = 0;
    while (sim_step(s, -1) == SIM_RAN)
        for (uint16_t m = 0; m < 2; m++, steps++)
            for (int kind = 0; kind < CLOCKS; kind++)
                CHECK_EQ(timeline_clock(&timeline, m, (enum clock_kind)kind, sim_now(s)),
                         clock_now(s, m, (enum clock_kind)kind));
    CHECK(steps > 20);
    CHECK_EQ(timeline.n_marks, 4);
    end();
}

/* --- memory ---------------------------------------------------------------------------------------------------- */

TEST("whichever allocation fails, a timeline says that it is not whole")
{
    if (!test_counts_allocations()) {
        test_skip("allocations cannot be made to fail in this build");
        return;
    }
    begin(paused_leader, NULL);
    int64_t nth = 1;
    bool whole = false;
    for (; !whole && nth < 1000; nth++) {
        struct timeline t;
        int64_t before = test_allocations();
        test_fail_allocation(nth);
        timeline_make(&t, story.run);
        test_fail_allocation(0);
        whole = test_allocations() - before < nth;
        CHECK(t.failed == !whole);
        timeline_free(&t);
    }
    CHECK(nth > 10 && nth < 1000);
    end();
}
