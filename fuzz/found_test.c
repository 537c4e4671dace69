/* SPDX-License-Identifier: MIT
 *
 * found_test.c - a finding is a file: it reads, and what it says breaks, breaks.
 */
#include "fuzz/explore.h"
#include "fuzz/found.h"
#include "fuzz/small.h"
#include "fuzz/strip.h"
#include "scenarios/language/reading.h"
#include "scenarios/library.h"
#include "scenarios/story.h"
#include "sim/test.h"

#include <stdio.h>
#include <stdlib.h>

static struct scenario *scenario;
static struct space *space;
static struct player *player;
static uint32_t calm_points;
static bool is_small; /* a world of this file, whose runs are short */

/* False: nothing can be searched. The scenario is the caller's. */
static bool begin_with(struct scenario *s, uint32_t signs)
{
    struct diags d = {0};
    scenario = s;
    player = NULL;
    is_small = false;
    if (s == NULL || space_new(s, 0, 0, 0, signs, &d, &space) != SPACE_OK)
        return false;
    player = player_new(space, player_verdict(space));
    CHECK(player_play(player, NULL));
    calm_points = player->n_passed;
    return true;
}

static void end(void)
{
    player_free(player);
    space_free(space);
    player = NULL;
    space = NULL;
}

static void begin(const char *world, const char *more)
{
    static char text[SMALL_TEXT_MAX];
    snprintf(text, sizeof text, "fencepost 1\nscenario \"One\"\n%s%s", world, more);
    scenario = reads(text);
    CHECK(begin_with(scenario, 0));
    ASSERT(player != NULL);
    is_small = true;
}

static void end_all(void)
{
    end();
    scenario_free(scenario);
}

/* --- the same run ----------------------------------------------------------------------------------- */

static uint32_t choose(void *context, const struct choice_point *p, uint32_t *faults)
{
    const struct schedule *s = context;
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n && n < STRIKES_MAX; i++)
        if (s->row[i].address == p->address)
            faults[n++] = s->row[i].fault;
    return n;
}

/* The trace digest of a run when all events up to a time have run; *end: when it came to its end. */
static uint64_t digest_at(struct run *r, const struct run_options *options, ns at, ns *end)
{
    run_begin(r, options);
    while (sim_next_at(r->sim) <= at && run_step(r))
        ;
    CHECK(r->end != END_FULL);
    *end = sim_now(r->sim);
    return sim_trace_digest(r->sim);
}

static struct compiled *compiles_text(const char *text)
{
    struct diags d = {0};
    struct scenario *s = scenario_parse(text, strlen(text), "found", NULL, 0, &d);
    struct compiled *c = s == NULL ? NULL : scenario_compile(s, 0, 0, 0, &d);
    if (c == NULL)
        test_failed(__FILE__, __LINE__, "%u: %s in\n%s", d.row[0].line, d.row[0].text, text);
    scenario_free(s);
    return c;
}

/* The file of a text has the events of the schedule, up to the end of either: a caller whose retries are in vain may
 * ask more often in one of them. */
static bool same_run(struct schedule *s, const char *text)
{
    const struct run_options options = {.choose = choose, .context = s};
    struct compiled *c = compiles_text(text);
    ns ends[2];
    if (c == NULL)
        return false;
    unsigned more = is_small ? SIM_SHORT_TRACE : 0;
    struct run *found = run_new(&space->c, more), *written = run_new(c, more);
    ASSERT(found != NULL && written != NULL);
    (void)digest_at(found, &options, NS_NEVER - 1, &ends[0]);
    (void)digest_at(written, NULL, NS_NEVER - 1, &ends[1]);
    ns at = ends[0] < ends[1] ? ends[0] : ends[1];
    bool same = digest_at(found, &options, at, &ends[0]) == digest_at(written, NULL, at, &ends[1]);
    run_free(found);
    run_free(written);
    compiled_free(c);
    return same;
}

/* The file of what the player has just played; it must do what it says, by the same events. To be freed. */
static char *write_made(const char *where)
{
    struct schedule s = player->made;
    struct culprit c = player->culprit;
    const struct found_file f = {.n_notes = 0};
    size_t length = 0;
    bool good = false;
    char *text = found_text(scenario, 0, player, &s, c, &f, &length, &good);
    if (text == NULL || !good)
        test_failed(__FILE__, __LINE__, "%s: %s by %s with %u faults does not come again:\n%s", where,
                    culprit_name(space, c), c.node == NONE16 ? "-" : space->names.text[c.node], s.n,
                    text == NULL ? "no file" : text);
    CHECK(text == NULL || strlen(text) == length);
    if (text != NULL && player->whole && !same_run(&s, text))
        test_failed(__FILE__, __LINE__, "%s: another run:\n%s", where, text);
    return text;
}

/* --- the library ----------------------------------------------------------------------------------- */

struct tour {
    uint32_t every, samples, most; /* each so many files; samples of each; findings of each */
    uint32_t files, cases, found, bad;
    const char *last;
    bool take;
};

static void write_findings(const char *path, struct scenario *s, struct tour *tour)
{
    char where[256];
    uint32_t found = 0;
    if (!begin_with(s, 0))
        return;
    for (uint64_t seed = 0; seed < tour->samples && found < tour->most; seed++) {
        if (!small_finds(player, seed, calm_points))
            continue;
        snprintf(where, sizeof where, "%s, sample %u", path, (unsigned)seed);
        char *text = write_made(where);
        found++;
        tour->bad += text == NULL;
        free(text);
    }
    tour->cases += found > 0;
    tour->found += found;
    end();
}

static void visit(const char *path, const struct scenario *s, uint32_t i, void *context)
{
    struct tour *tour = context;
    if (tour->last == NULL || strcmp(tour->last, path) != 0)
        tour->take = tour->files++ % tour->every == 0;
    tour->last = path;
    for (int how = 0; tour->take && how < 2; how++) {
        struct diags d = {0};
        uint32_t faults = 0;
        struct scenario *stripped = strip_faults(s, i, how == 0 ? STRIP_KINDS : STRIP_ALL, &faults, &d);
        if (stripped == NULL)
            test_failed(path, (int)d.row[0].line, "stripped: %s", d.row[0].text);
        write_findings(path, stripped, tour);
        scenario_free(stripped);
    }
}

TEST("whatever is found in the library's cases, its file reads and breaks the same")
{
    const char *more = getenv("FENCEPOST_FOUND"); /* "EVERY SAMPLES MOST": more of it */
    struct tour tour = {.every = TEST_SLOW ? 21 : 7, .samples = 60, .most = 4};
    if (more != NULL)
        CHECK_EQ(sscanf(more, "%u %u %u", &tour.every, &tour.samples, &tour.most), 3);
    visit_library(visit, &tour);
    if (more != NULL)
        printf("%u files, %u searches that found, %u findings\n", tour.files, tour.cases, tour.found);
    CHECK(tour.found > (TEST_SLOW ? 15 : 50));
}

/* --- line by line ---------------------------------------------------------------------------------- */

static bool says(const struct found_lines *lines, const char *line)
{
    for (uint32_t i = 0; i < lines->n; i++)
        if (strcmp(lines->line[i], line) == 0)
            return true;
    return false;
}

/* Every offer at every point of the calm run is a line, and the file with that line is the same run. Each of `lines`
 * is one of them. */
static void check_every_line(const char *world, const char *more, const char *const *lines, uint32_t n)
{
    static char text[SMALL_TEXT_MAX];
    uint32_t seen[8] = {0};
    begin(world, more);
    struct player *calm = player_new(space, 0);
    calm->note_points = true;
    CHECK(player_play(calm, NULL));
    for (uint32_t i = 0; i < calm->n_points; i++)
        for (uint32_t k = 0; k < space->n_offers; k++) {
            struct schedule s = {.n = 0};
            struct found_lines found;
            if (!space_offers(space, &calm->points[i].p, k))
                continue;
            (void)schedule_add(&s, calm->points[i].p.address, space->own + k, 0);
            CHECK(found_lines(player, &s, &found));
            CHECK(found.n == 1 && found.inert == 0);
            snprintf(text, sizeof text, "fencepost 1\nscenario \"One\"\n%s%s\n", world, found.line[0]);
            if (!same_run(&s, text))
                test_failed(__FILE__, __LINE__, "another run: %s", found.line[0]);
            for (uint32_t l = 0; l < n; l++)
                seen[l] += says(&found, lines[l]);
            found_free(&found);
        }
    for (uint32_t l = 0; l < n; l++)
        if (seen[l] != 1)
            test_failed(__FILE__, __LINE__, "%u times: %s", seen[l], lines[l]);
    player_free(calm);
    end_all();
}
#define CHECK_EVERY_LINE(world, more, ...)                                \
    check_every_line((world), (more), (const char *const[]){__VA_ARGS__}, \
                     sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static const char *const locked = "case a holds\n"
                                  "lock leader central ttl 10s\n"
                                  "store ledger\n"
                                  "node w1 w2\n"
                                  "w1, w2:\n"
                                  "  acquire leader\n"
                                  "  keep leader\n"
                                  "  work 1s\n"
                                  "  write ledger 1\n"
                                  "  work 4s\n"
                                  "  write ledger 2\n"
                                  "  release leader\n";

/* Writes the file of a schedule with the nth allocation failing; true when none failed. */
static bool write_without(const struct schedule *s, struct culprit c, int64_t nth)
{
    const struct found_file f = {.n_notes = 0};
    size_t length = 0;
    bool good = false;
    test_fail_allocation(nth);
    int64_t before = test_allocations();
    char *text = found_text(scenario, 0, player, s, c, &f, &length, &good);
    bool whole = test_allocations() - before < nth;
    test_fail_allocation(0);
    CHECK(good == (text != NULL));
    CHECK(!whole || good);
    free(text);
    return whole;
}

TEST("a file that no memory was left to write or to try is none; it is not said to do something else")
{
    if (!test_counts_allocations()) {
        test_skip("allocations are not counted in this build");
        return;
    }
    begin("case a without store-token lease-check holds\n"
          "lock leader central ttl 10s\n"
          "store ledger\n"
          "node w1 w2\n"
          "w1:\n"
          "  acquire leader\n"
          "  write ledger 1\n"
          "w2:\n"
          "  wait 11s\n"
          "  acquire leader\n"
          "  write ledger 2\n",
          "may pause w1 up to 20s\n");
    uint64_t seed = 0;
    while (seed < 1000 && !small_finds(player, seed, calm_points))
        seed++;
    CHECK(seed < 1000);
    struct schedule s = player->made;
    struct culprit c = player->culprit;
    int64_t nth = 1;
    while (nth < 10000 && !write_without(&s, c, nth))
        nth++;
    CHECK(nth > 10 && nth < 10000);
    end_all();
}

TEST("a fault on a message is a line that counts the messages of its link")
{
    CHECK_EVERY_LINE(locked, "may delay w1 -> ledger up to 2s\nmay drop leader - w2\nmay reorder w1 -> leader\n",
                     "at 0s: delay w1 -> ledger by 2s", "at 0s: delay w1 -> ledger #2 by 2s",
                     "at 0s: drop leader -> w2 #3", "at 0s: drop w2 -> leader");
    CHECK_EVERY_LINE(locked, "may duplicate w1 - ledger up to 2s\n", "at 0s: duplicate ledger -> w1 #2 after 2s");
}

TEST("a fault before or after what happened is a line with its names and its number, object or none, thread or main")
{
    CHECK_EVERY_LINE(locked, "may pause w1 up to 2s\nmay crash leader up to 2s\n",
                     "before w1 writes ledger #2: pause w1 for 2s", "before w1 works: pause w1 for 2s",
                     "before w1 works #2: pause w1 for 2s", "after leader grants w2: crash leader for 2s",
                     "after w1.keeper renewed leader: pause w1 for 2s");
    CHECK_EVERY_LINE(locked, "may pause w1.keeper up to 2s\nmay pause w1.main up to 2s\n",
                     "before w1.keeper renews leader: pause w1.keeper for 2s",
                     "after w1 acquires leader: pause w1.main for 2s");
}

TEST("whatever closes links, stops machines or sets clocks is a line")
{
    CHECK_EVERY_LINE(locked, "may cut w1 - leader up to 2s\nmay cut w1 - ledger up to 2s holding\n",
                     "before w1 asks leader: cut w1 - leader for 2s", "before w1 asks leader: cut w1 -> leader for 2s",
                     "before w1 asks leader: cut ledger -> w1 for 2s holding");
    CHECK_EVERY_LINE(locked, "may partition up to 2s\nmay suspend w2 up to 2s\nmay slow ledger up to 2s\n",
                     "before w1 asks leader: partition w1 | w2 leader ledger for 2s",
                     "before w1 asks leader: suspend w2 for 2s", "before w1 asks leader: slow ledger by 2s for 20s");
    CHECK_EVERY_LINE(locked,
                     "may step wall w1 up to 2s\nmay drift w1 up to 300ppm\nmay crash losing everything up to 2s\n",
                     "before w1 asks leader: wall w1 jumps -2s", "before w1 asks leader: clock w1 drifts +300ppm",
                     "before w1 asks leader: crash ledger for 2s losing everything");
}

TEST("job names with quotes and blanks, and names that stand for a node and its service, are said")
{
    CHECK_EVERY_LINE("case a holds\n"
                     "queue jobs lease 10s\n"
                     "  job \"the \\\"big\\\" one\" \"b\"\n"
                     "node w1 w2\n"
                     "w1, w2:\n"
                     "  claim jobs as job\n"
                     "  work 1s for job\n"
                     "  complete job\n",
                     "may pause w1 up to 2s\nmay crash jobs up to 2s\n",
                     "before w1 completes \"the \\\"big\\\" one\": pause w1 for 2s",
                     "before jobs grants w2: crash jobs for 2s");
    CHECK_EVERY_LINE("case a holds\n"
                     "lock leader central ttl 10s\n"
                     "store w2\n"
                     "node w1 w2\n"
                     "w1:\n"
                     "  acquire leader\n"
                     "  write w2/x 1\n"
                     "w2:\n"
                     "  wait 1s\n"
                     "  acquire leader\n"
                     "  write w2/x 2\n",
                     "may pause w2 up to 2s\nmay crash w2 up to 2s\nmay drop w1 - w2\nmay drop w2 - leader\nmay cut w1 "
                     "- w2 up to 2s\n",
                     "before w1 asks leader: crash w2 for 2s");
}

TEST("a link that was closed twice in the same words heals once, when the last of them ends")
{
    story("case a holds\n"
          "store ledger\n"
          "node w1\n"
          "w1:\n"
          "  wait 20s\n"
          "  write ledger 1\n"
          "at 1s: cut w1 - ledger for 10s\n"
          "at 5s: cut w1 - ledger for 2s\n"
          "at 6s: cut w1 -> ledger for 2s\n"
          "at 7s: expect not net heals \"w1 - ledger\"\n"
          "at 8s: expect net heals \"w1 -> ledger\"\n"
          "at 10s: expect not net heals \"w1 - ledger\"\n"
          "at 11s: expect net heals \"w1 - ledger\"\n"
          "at end: expect ledger = 1\n");
}

TEST("what breaks at the very instant at which the run fails is not found; before it, it is")
{
    static const char *const works[] = {"1s", "1002ms", "2s"};
    for (int i = 0; i < 3; i++) {
        static char text[1024];
        snprintf(text, sizeof text,
                 "case a holds and no-zombie-write\n"
                 "lock leader central ttl 10s\n"
                 "store ledger\n"
                 "node w1 w2\n"
                 "w1:\n"
                 "  acquire leader\n"
                 "  write ledger 100\n"
                 "w2:\n"
                 "  wait 11s\n"
                 "  acquire leader\n"
                 "  read ledger as x\n"
                 "  work %s\n"
                 "  write ledger x + 10\n",
                 works[i]);
        begin(text, "may pause w1 up to 12s\n");
        struct explore_options o = {.faults = 1, .wanted = player_verdict(space), .memory = 1 << 24};
        struct explored x;
        explore(space, &o, &x);
        CHECK_EQ(x.found, i > 0);
        for (uint64_t seed = 0; seed < 50; seed++)
            if (small_finds(player, seed, calm_points))
                free(write_made("failing"));
        CHECK(player_play(player, &x.schedule));
        CHECK_EQ(player->found, x.found);
        if (player->found)
            free(write_made("failing"));
        end_all();
    }
}

/* --- runs without an end ------------------------------------------------------------------------------- */

TEST("the file of a run that reached its event limit ends right after what broke, with the faults up to there")
{
    begin("case a without store-token lease-check holds\n"
          "lock leader central ttl 10s\n"
          "store ledger\n"
          "node w1 w2\n"
          "until 5m\n"
          "w1:\n"
          "  acquire leader\n"
          "  work 1s\n"
          "  write ledger 1\n"
          "  repeat 60:\n"
          "    wait 1s\n"
          "    write ledger/x 1\n"
          "w2:\n"
          "  wait 11s\n"
          "  acquire leader\n"
          "  write ledger 2\n",
          "may pause w1 up to 12s\nmay pause w2 up to 1s\n");
    space->c.sim.limits.steps = 150;
    uint32_t found = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        if (!small_finds(player, seed, calm_points))
            continue;
        CHECK(!player->whole);
        char *text = write_made("limited");
        CHECK(text != NULL && strstr(text, "\nuntil 5m") == NULL);
        free(text);
        found++;
    }
    CHECK(found > 5);
    end_all();
}
