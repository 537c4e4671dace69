/* SPDX-License-Identifier: MIT
 *
 * crew_test.c - how many processes play does not matter, and one that dies is noticed.
 */
#include "fuzz/crew.h"

#include "sim/test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/searched.h"

static struct search *search_of(const struct searched *s, uint32_t workers, uint64_t schedules, unsigned arms)
{
    const struct search_options o = {.seed = 3,
                                     .schedules = schedules,
                                     .arms = arms,
                                     .workers = workers,
                                     .wanted = player_verdict(s->space),
                                     .note_all = true};
    struct search *x = search_new(s->space, &o);
    ASSERT(x != NULL);
    return x;
}

/* --- however many there are ---------------------------------------------------------------------- */

/* Through all findings, to the budget's end: the search's hash after each round. */
static uint64_t play_through(const struct searched *s, uint32_t workers, unsigned arms, uint32_t *found)
{
    struct search *x = search_of(s, workers, 900, arms);
    uint64_t h = 0;
    *found = 0;
    for (;;) {
        enum round_end end = search_round(x);
        h = sample_hash(h, searched_hash(x));
        for (uint32_t i = 0; i < x->n_endless; i++)
            h = sample_hash(h, x->endless[i]);
        if (end == ROUND_FOUND) {
            *found += 1;
            CHECK(search_pass_over(x, x->finding.culprit));
        } else if (end != ROUND_MORE) {
            CHECK(end == ROUND_BUDGET || end == ROUND_DONE);
            break;
        }
    }
    search_free(x);
    return h;
}

TEST("one, two, three or seven processes: the same counters, entries, states and findings, round by round")
{
    static const struct {
        const char *text, *name;
        unsigned arms;
    } rows[] = {{searched_jobs, "unsafe", PORTFOLIO},
                {searched_writers, "open", PORTFOLIO},
                {searched_quorum, "safe", 1u << ARM_SWARM},
                {searched_writers, "fenced", 1u << ARM_GUIDED | 1u << ARM_BRANCH}};
    static const uint32_t workers[] = {2, 3, 7};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct searched s = searched(rows[i].text, rows[i].name);
        uint32_t found, again;
        uint64_t alone = play_through(&s, 1, rows[i].arms, &found);
        CHECK(i > 0 || found > 0);
        for (size_t w = i == 0 ? 0 : 1; w < (i == 0 ? 3u : 2u); w++) { /* all three, and three */
            CHECK(play_through(&s, workers[w], rows[i].arms, &again) == alone);
            CHECK_EQ(again, found);
        }
        searched_free(&s);
    }
}

/* What a round brings is taken in order, and nothing behind what take() refused. */
struct taken {
    uint32_t n, last, refuse;
};

static bool take(void *context, const struct outcome *o)
{
    struct taken *t = context;
    CHECK(t->n == 0 || o->task > t->last);
    CHECK(o->schedule->n <= SCHEDULE_MAX && o->n_slots <= ABSTRACT_SLOTS);
    t->last = o->task;
    return ++t->n != t->refuse;
}

TEST("outcomes are taken in the order of their tasks, until one is refused")
{
    struct searched s = searched(searched_writers, NULL);
    enum { TASKS = 300 };
    static struct task tasks[TASKS];
    for (uint32_t i = 0; i < TASKS; i++)
        tasks[i] = (struct task){.arm = ARM_SWARM, .number = i, .seed = sample_hash(1, i)};
    for (uint32_t workers = 1; workers <= 4; workers += 3) {
        struct search *x = search_of(&s, workers, TASKS, 1u << ARM_SWARM);
        struct taken all = {0}, some = {.refuse = 5};
        CHECK_EQ(crew_play(x, tasks, TASKS, take, &all), CREW_GOOD);
        CHECK(all.n > 5 && all.n <= TASKS);
        CHECK_EQ(crew_play(x, tasks, TASKS, take, &some), CREW_GOOD);
        CHECK_EQ(some.n, 5);
        struct taken none = {0};
        CHECK_EQ(crew_play(x, tasks, 0, take, &none), CREW_GOOD);
        CHECK_EQ(none.n, 0);
        search_free(x);
    }
    searched_free(&s);
}

/* --- one that dies ------------------------------------------------------------------------------------ */

static pid_t who_searches;
static assert_hook_fn hook_before;

/* In a process of the crew: dies as one that was killed. */
static void die_there(const char *expression, const char *file, int line)
{
    if (getpid() != who_searches)
        (void)raise(SIGKILL);
    hook_before(expression, file, line);
}

static bool no_children(void)
{
    int status;
    return waitpid(-1, &status, WNOHANG) < 0 && errno == ECHILD;
}

/* Rounds that one process plays, until the next is one for several. */
static void play_first_rounds(struct search *x)
{
    while (x->played < 3000)
        CHECK_EQ(search_round(x), ROUND_MORE);
}

TEST("a process of the crew that dies breaks the round, whatever it had told; none is left behind")
{
    struct searched s = searched(two_texts(searched_writers, "may pause w1 w2 up to 20s\n"), NULL);
    for (uint32_t workers = 2; workers <= 3; workers++) {
        struct search *x = search_of(&s, workers, 100000, 1u << ARM_SWARM);
        play_first_rounds(x);
        uint64_t played = x->played;
        uint32_t first = s.space->families[1].first;
        s.space->families[1].first = UINT32_C(1) << 20; /* no fault of the plan: an assertion fires where it strikes */
        who_searches = getpid();
        hook_before = assert_hook;
        assert_hook = die_there;
        CHECK_EQ(search_round(x), ROUND_BROKEN);
        assert_hook = hook_before;
        s.space->families[1].first = first;
        CHECK_EQ(x->error, 0);
        CHECK_EQ(x->played, played);
        CHECK(no_children());
        search_free(x);
    }
    searched_free(&s);
}

TEST("where not all processes can be started the round is broken, and errno is kept")
{
    struct searched s = searched(two_texts(searched_writers, "may pause w1 w2 up to 20s\n"), NULL);
    struct rlimit before, few;
    int next = dup(0);
    CHECK(next >= 0 && close(next) == 0 && getrlimit(RLIMIT_NOFILE, &before) == 0);
    for (rlim_t room = 0; room <= 4; room++) {
        struct search *x = search_of(&s, 7, 100000, 1u << ARM_SWARM);
        play_first_rounds(x);
        few = (struct rlimit){(rlim_t)next + room, before.rlim_max};
        CHECK_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
        enum round_end end = search_round(x);
        CHECK_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
        CHECK_EQ(end, ROUND_BROKEN);
        CHECK_EQ(x->error, EMFILE);
        CHECK(no_children());
        int again = dup(0);
        CHECK_EQ(again, next); /* no pipe is left open */
        CHECK_EQ(close(again), 0);
        search_free(x);
    }
    searched_free(&s);
}
