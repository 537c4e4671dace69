/* SPDX-License-Identifier: MIT
 *
 * reach_test.c - looking for a situation: it is found, made small, certified and written; what no run can reach is not.
 */
#include "fuzz/found.h"
#include "fuzz/searched.h"
#include "fuzz/shrink.h"
#include "sim/test.h"

#include <stdlib.h>
#include <string.h>

static struct situation_set only(const char *name)
{
    struct situation_set set = {{0}};
    CHECK(situation_find(name) != NONE32);
    situation_add(&set, situation_find(name));
    return set;
}

static struct search *look(struct space *sp, const struct situation_set *reach, uint64_t schedules, uint32_t workers)
{
    const struct search_options o = {
        .seed = 1, .schedules = schedules, .arms = PORTFOLIO, .workers = workers, .reach = reach};
    struct search *s = search_new(sp, &o);
    enum round_end end = s == NULL ? ROUND_NO_MEMORY : ROUND_MORE;
    while (end == ROUND_MORE)
        end = search_round(s);
    CHECK(end == ROUND_FOUND || end == ROUND_BUDGET);
    return s;
}

static uint32_t place_of(const struct searched *x, const char *case_name)
{
    return case_name == NULL ? 0 : (uint32_t)scenario_case_find(x->scenario, case_name);
}

/* What is found of it, made small, reaches it, and so does its file. */
static void check_reaches(const char *text, const char *case_name, const char *name, uint32_t faults)
{
    struct searched x = searched(text, case_name);
    struct situation_set reach = only(name);
    struct search *s = look(x.space, &reach, 20000, 1);
    struct shrunk *z = malloc(sizeof *z);
    const struct shrink_options o = {.replays = SHRINK_REPLAYS};
    CHECK(s->found);
    CHECK_STR(culprit_name(x.space, s->finding.culprit), name);
    if (s->found && shrink(s->player, &s->finding.schedule, s->finding.culprit, &o, z)) {
        struct found_file file = {.n_notes = 0};
        size_t length;
        bool good;
        CHECK_EQ(z->schedule.n, faults);
        CHECK_EQ(z->certificate, CERTIFIED);
        CHECK_EQ(z->proved, faults - 1);
        CHECK(z->last.schedules > 0);
        char *file_text = found_text(x.scenario, place_of(&x, case_name), s->player, &z->schedule, z->culprit, &file,
                                     &length, &good);
        CHECK(file_text != NULL && good);
        free(file_text);
    }
    free(z);
    search_free(s);
    searched_free(&x);
}

TEST("a situation that one fault reaches is found, shrunk to it, certified against the calm run, and written")
{
    check_reaches(searched_writers, "fenced", "pause:between-check-and-act", 1);
    check_reaches(searched_writers, "fenced", "crash:committing", 1);
    check_reaches(searched_writers, "fenced", "drop:written", 1);
    check_reaches(searched_quorum, NULL, "duplicate:vote", 1);
    check_reaches(searched_jobs, NULL, "suspend:working-on-a-job", 1);
}

TEST("one that takes two faults is certified by playing each alone")
{
    /* nobody is past the end of its lease before something has made it late */
    check_reaches(searched_writers, "fenced", "crash:past-its-lease", 2);
}

TEST("the search for a situation is the same with one process and with two")
{
    struct searched x = searched(searched_writers, "fenced");
    struct situation_set reach = only("drop:refusal");
    struct search *one = look(x.space, &reach, 3000, 1), *two = look(x.space, &reach, 3000, 2);
    CHECK_EQ(searched_hash(one), searched_hash(two));
    search_free(one);
    search_free(two);
    searched_free(&x);
}

TEST("a calm run that reaches it is told, and what the file does without a fault reaches nothing")
{
    struct searched x = searched(two_texts(searched_writers, "at 1s: pause w1 for 1ms\n"), "fenced");
    struct situation_set reach = only("pause:working"), other = only("crash:working");
    struct search *s = look(x.space, &reach, 0, 1);
    struct culprit c = {0, NONE16};
    CHECK(search_calm_breaks(s, &c));
    CHECK(is_reached(c));
    CHECK_STR(culprit_name(x.space, c), "pause:working");
    search_free(s);
    s = look(x.space, &other, 0, 1);
    CHECK(!search_calm_breaks(s, &c));
    search_free(s);
    searched_free(&x);
}

/* make coverage-attack does it with more schedules, on more scenarios. */
static void attack(const char *text, const char *case_name)
{
    struct searched x = searched(text, case_name);
    struct situation_set never = {{0}};
    for (uint32_t i = 0; i < SITUATION_CELLS; i++)
        if (situation_is(i) && situation_never(i) != NULL)
            situation_add(&never, i);
    struct search *s = look(x.space, &never, TEST_FEWER(2000), 1);
    if (s->found)
        test_failed(__FILE__, __LINE__, "%s is reached", culprit_name(x.space, s->finding.culprit));
    search_free(s);
    searched_free(&x);
}

TEST("no search reaches what no run can reach")
{
    static const char all[] = "may pause\nmay suspend\nmay crash w1 losing everything\nmay crash\nmay slow\nmay drift\n"
                              "may step wall\n";
    attack(two_texts(searched_writers, all), "fenced");
    attack(searched_quorum, NULL);
    attack(searched_jobs, NULL);
}
