/* SPDX-License-Identifier: MIT
 *
 * convert_test.c - inputs as files and back, and folders of inputs.
 */
#include "fuzz/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz/corpus.h"
#include "fuzz/feed.h"
#include "scenarios/language/reading.h"
#include "sim/test.h"

static const char *const quorum = "fencepost 1\n"
                                  "scenario \"A store and its writers\"\n"
                                  "case fenced holds\n"
                                  "lock leader quorum voters 5 ttl 10s\n"
                                  "store ledger\n"
                                  "node w1 w2\n"
                                  "w1, w2:\n"
                                  "  acquire leader\n"
                                  "  keep leader\n"
                                  "  work 4s\n"
                                  "  write ledger me\n"
                                  "  release leader\n";

static const char *const central = "fencepost 1\n"
                                   "scenario \"A store and its writers\"\n"
                                   "case fenced holds\n"
                                   "case open without store-token violates no-stale-write\n"
                                   "lock leader central ttl 10s\n"
                                   "store ledger\n"
                                   "node w1 w2\n"
                                   "w1:\n"
                                   "  acquire leader\n"
                                   "  work 1s\n"
                                   "  write ledger \"from w1\"\n"
                                   "w2:\n"
                                   "  wait 11s\n"
                                   "  acquire leader\n"
                                   "  write ledger \"from w2\"\n";

static struct scenario *scenario;
static struct space *space;
static struct player *player;

static void begin(const char *world, const char *more, uint32_t without)
{
    char text[4096];
    struct diags d = {0};
    snprintf(text, sizeof text, "%s%s", world, more);
    scenario = reads(text);
    CHECK_EQ(space_new(scenario, 0, without, 0, 0, &d, &space), SPACE_OK);
    player = player_new(space, player_verdict(space));
}

static void end(void)
{
    player_free(player);
    space_free(space);
    scenario_free(scenario);
}

/* The fault lines of a text that says the whole file. */
static struct converted lines_of(const char *text, size_t n)
{
    struct diags d = {0};
    struct converted c = {.left_out = 99};
    struct scenario *s = scenario_parse(text, n, "found", NULL, 0, &d);
    struct compiled *file = s == NULL ? NULL : scenario_compile(s, 0, 0, 0, &d);
    if (file == NULL)
        test_failed(__FILE__, __LINE__, "%s in\n%s", d.row[0].text, text);
    else
        CHECK(convert_from_file(space, file, false, &c));
    compiled_free(file);
    scenario_free(s);
    return c;
}

static void check_there_and_back(const uint8_t *data, size_t n, uint32_t without)
{
    char problem[CONVERT_TEXT_MAX];
    uint8_t again[INPUT_MAX];
    size_t length = 0;
    char *text = convert_to_file(scenario, 0, without, player, data, n, &length, problem);
    if (text == NULL) {
        test_failed(__FILE__, __LINE__, "no file: %s", problem);
        return;
    }
    struct converted c = lines_of(text, length);
    CHECK_EQ(c.left_out, 0);
    CHECK_EQ(c.near, 0);
    size_t m = input_write(space, &c.schedule, again, sizeof again);
    if (m != n || memcmp(again, data, n) != 0)
        test_failed(__FILE__, __LINE__, "%u records, not %u, come back from\n%s", (unsigned)m / INPUT_RECORD,
                    (unsigned)n / INPUT_RECORD, text);
    free(text);
}

static void check_many(const char *world, const char *more, uint32_t without)
{
    uint8_t data[INPUT_MAX];
    size_t n = 0;
    begin(world, more, without);
    struct feed *f = feed_new(space, true);
    for (uint32_t seed = 0; seed < 120; seed++) {
        size_t made = feed_mutate(f, data, n, 8 * INPUT_RECORD, seed);
        if (made > 0 && feed_input(f, data, made) == FED_RUN) {
            /* What did not fit may have been what others waited for. */
            made = input_write(space, &feed_player(f)->made, data, sizeof data);
            check_there_and_back(data, made, without);
        }
        n = made;
    }
    feed_free(f);
    end();
}

TEST("an input is a file, and the file's lines are that input again, byte for byte")
{
    check_many(quorum, "", 0);
    check_many(central, "", UINT32_C(1) << GATE_STORE_TOKEN);
    check_many(central, "may pause up to 20s\nmay delay w1 - ledger\nmay reorder\nmay drop w1 -> leader\n", 0);
    check_many(quorum, "may crash losing unsynced\nmay cut holding\nmay partition\nmay step wall\nmay drift\n", 0);
}

TEST("the file says what breaks, and breaks it")
{
    char problem[CONVERT_TEXT_MAX];
    size_t length = 0;
    begin(central, "may pause w1 up to 20s\n", UINT32_C(1) << GATE_STORE_TOKEN);
    struct converted c;
    struct scenario *s = reads("fencepost 1\n"
                               "scenario \"Another\"\n"
                               "case open without store-token violates no-stale-write\n"
                               "lock leader central ttl 10s\n"
                               "store ledger\n"
                               "node w1 w2\n"
                               "w1:\n"
                               "  acquire leader\n"
                               "  work 1s\n"
                               "  write ledger \"from w1\"\n"
                               "w2:\n"
                               "  wait 11s\n"
                               "  acquire leader\n"
                               "  write ledger \"from w2\"\n"
                               "before w1 writes ledger: pause w1 for 13s\n"
                               "at 40s: pause w2 for 1s\n");
    struct compiled *file = compiles(s, 0);
    CHECK(convert_from_file(space, file, false, &c));
    CHECK_EQ(c.schedule.n, 1);
    CHECK_EQ(c.near, 1);     /* the menu has 12s */
    CHECK_EQ(c.left_out, 1); /* w2 may not be paused */
    uint8_t data[INPUT_MAX];
    size_t n = input_write(space, &c.schedule, data, sizeof data);
    char *text = convert_to_file(scenario, 0, UINT32_C(1) << GATE_STORE_TOKEN, player, data, n, &length, problem);
    CHECK(text != NULL && strstr(text, "case fenced without store-token violates no-stale-write by w1\n") != NULL);
    CHECK(text != NULL && strstr(text, "\nbefore w1 writes ledger: pause w1 for 12s\n") != NULL);
    struct scenario *found = scenario_parse(text, length, "found", NULL, 0, &(struct diags){0});
    struct compiled *plan = compiles(found, 0);
    struct run *r = run_case(plan, NULL);
    CHECK(r != NULL && r->as_expected && r->verdict == VERDICT_VIOLATES);
    run_free(r);
    compiled_free(plan);
    scenario_free(found);
    free(text);
    compiled_free(file);
    scenario_free(s);
    end();
}

TEST("lines that the case has itself are no deviations of it")
{
    begin(central, "before w1 writes ledger: pause w1 for 12s\nmay pause w1 up to 20s\n", 0);
    struct compiled *file = compiles(scenario, 0);
    struct converted c;
    CHECK(convert_from_file(space, file, false, &c));
    CHECK_EQ(c.schedule.n, 0);
    CHECK_EQ(c.left_out, 0);
    compiled_free(file);
    end();
}

TEST("bytes that are no input are refused with a reason")
{
    char problem[CONVERT_TEXT_MAX];
    uint8_t data[INPUT_RECORD + 3] = {0};
    size_t length = 0;
    begin(central, "may pause w1\n", 0);
    CHECK(convert_to_file(scenario, 0, 0, player, data, sizeof data, &length, problem) == NULL);
    CHECK(strstr(problem, "not whole") != NULL);
    end();
}

/* --- folders ------------------------------------------------------------------------------------- */

static bool has(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, R_OK) == 0;
}

static void sweep(const char *folder)
{
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    CHECK_EQ(system(command), 0);
}

TEST("first inputs stand in a folder that says of which case they are, and no other case takes them")
{
    char folder[] = "/tmp/fencepost-corpus-XXXXXX", problem[CORPUS_TEXT_MAX];
    CHECK(mkdtemp(folder) != NULL);
    begin(central, "may pause w1 up to 20s\nmay drop w1 -> ledger\n", 0);
    CHECK(!corpus_check(space, folder, problem));
    CHECK(strstr(problem, "no file FENCEPOST") != NULL);
    CHECK(corpus_seeds(space, NULL, folder));
    CHECK(has(folder, "calm") && has(folder, "single-0000-mild") && has(folder, "single-0000-grave"));
    CHECK(has(folder, "single-0001-mild") && !has(folder, "single-0001-grave") && !has(folder, "like-lines"));
    CHECK(corpus_check(space, folder, problem));
    CHECK_STR(problem, "");
    end();
    begin(central, "may pause w1 up to 19s\n", 0);
    CHECK(!corpus_check(space, folder, problem));
    CHECK(strstr(problem, "another case") != NULL);
    end();
    sweep(folder);
}

TEST("a folder of another version is refused")
{
    char folder[] = "/tmp/fencepost-corpus-XXXXXX", path[512], problem[CORPUS_TEXT_MAX];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/" CORPUS_FILE, folder);
    FILE *f = fopen(path, "w");
    CHECK(f != NULL && fputs("fencepost corpus 2\nspace 0\n", f) >= 0 && fclose(f) == 0);
    begin(central, "may pause w1 up to 20s\n", 0);
    CHECK(!corpus_check(space, folder, problem));
    CHECK(strstr(problem, "version") != NULL);
    end();
    sweep(folder);
}

TEST("the lines of a file that shows the failure are one of the first inputs")
{
    char folder[] = "/tmp/fencepost-corpus-XXXXXX";
    CHECK(mkdtemp(folder) != NULL);
    begin(central, "may pause w1 up to 20s\n", 0);
    char text[2048];
    snprintf(text, sizeof text, "%sbefore w1 writes ledger: pause w1 for 12s\n", central);
    struct scenario *s = reads(text);
    struct compiled *file = compiles(s, 0);
    CHECK(corpus_seeds(space, file, folder));
    CHECK(has(folder, "like-lines"));
    compiled_free(file);
    scenario_free(s);
    end();
    sweep(folder);
}
