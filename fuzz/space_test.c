/* SPDX-License-Identifier: MIT
 *
 * space_test.c - what is on the menu, where it may strike, and how long a searched run is.
 */
#include "fuzz/space.h"

#include "sim/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "fuzz/menu.h"
#include "fuzz/searched.h"
#include "scenarios/language/lexer.h"
#include "scenarios/language/reading.h"
#include "scenarios/played.h"

/* --- for these and the other tests of searches ----------------------------------------- */

const char searched_writers[] = "fencepost 1\n"
                                "scenario \"Two writers\"\n"
                                "case fenced holds\n"
                                "case open without store-token holds\n"
                                "lock leader central ttl 10s\n"
                                "store ledger\n"
                                "node w1 w2\n"
                                "w1:\n  acquire leader\n  work 1s\n  write ledger \"from w1\"\n"
                                "w2:\n  wait 11s\n  acquire leader\n  write ledger \"from w2\"\n";

const char searched_quorum[] = "fencepost 1\n"
                               "scenario \"A quorum\"\n"
                               "case safe holds\n"
                               "case unsafe without strict-majority holds\n"
                               "lock leader quorum voters 3 ttl 6s\n"
                               "store ledger\n"
                               "node a b\n"
                               "a:\n  acquire leader\n  keep leader\n  work 3s\n  write ledger 1\n  release leader\n"
                               "b:\n  wait 2s\n  acquire leader within 20s\n  write ledger 2\n";

const char searched_jobs[] = "fencepost 1\n"
                             "scenario \"Jobs\"\n"
                             "case safe holds\n"
                             "case unsafe without complete-token heartbeat-token holds\n"
                             "queue jobs lease 9s\n"
                             "  job \"a\"\n  job \"b\"\n"
                             "node w1 w2\n"
                             "w1, w2:\n  repeat 2:\n    claim jobs within 15s as job\n    work 2s\n    complete job\n";

struct searched searched(const char *text, const char *case_name)
{
    struct diags d = {0};
    struct searched s = {.scenario = scenario_parse(text, strlen(text), "test.fence", NULL, 0, &d)};
    int32_t i = s.scenario == NULL ? -1 : case_name == NULL ? 0 : scenario_case_find(s.scenario, case_name);
    if (i < 0 || space_new(s.scenario, (uint32_t)i, 0, 0, 0, &d, &s.space) != SPACE_OK)
        test_failed(__FILE__, __LINE__, "%s in\n%s", d.n > 0 ? d.row[0].text : "no space", text);
    ASSERT(s.space != NULL);
    s.player = player_new(s.space, player_verdict(s.space));
    ASSERT(s.player != NULL);
    return s;
}

void searched_free(struct searched *s)
{
    player_free(s->player);
    space_free(s->space);
    scenario_free(s->scenario);
}

const char *two_texts(const char *a, const char *b)
{
    static char text[4][8192];
    static uint32_t turn;
    size_t n = strlen(a), more = strlen(b);
    char *out = text[turn++ % 4];
    ASSERT(n + more < sizeof text[0]);
    memcpy(out, a, n);
    memcpy(out + n, b, more + 1);
    return out;
}

struct came_of came_of(struct player *p)
{
    const struct run *r = p->run;
    return (struct came_of){sim_state_digest(r->sim),
                            r->events,
                            p->n_passed,
                            r->end_ns,
                            p->found,
                            p->found ? p->culprit : (struct culprit){0, 0}};
}

void check_same(struct came_of a, struct came_of b, const char *file, int line)
{
    if (a.state != b.state || a.events != b.events || a.passed != b.passed || a.end != b.end || a.found != b.found ||
        !same_culprit(a.culprit, b.culprit))
        test_failed(file, line,
                    "two runs differ: state %" PRIx64 " and %" PRIx64 ", %" PRIu64 " and %" PRIu64 " events, %" PRIu64
                    " and %" PRIu64 " points, found %d and %d",
                    a.state, b.state, a.events, b.events, a.passed, b.passed, a.found, b.found);
}

/* --- a menu as text ---------------------------------------------------------------------------------- */

static size_t offer_text(const struct space *sp, uint32_t i, char *out, size_t size)
{
    const struct fault_plan *f = &sp->faults[sp->own + i];
    char amount[48];
    duration_format(f->amount < 0 ? -f->amount : f->amount, amount, sizeof amount);
    switch ((enum fault_kind)f->kind) {
    case FAULT_DELAY: return (size_t)snprintf(out, size, "delay by %s", amount);
    case FAULT_DUPLICATE: return (size_t)snprintf(out, size, "duplicate after %s", amount);
    case FAULT_DROP: return (size_t)snprintf(out, size, "drop");
    case FAULT_REORDER: return (size_t)snprintf(out, size, "reorder");
    default: return fault_text(&sp->c.sim, f, out, size);
    }
}

/* All offers of a kind, or all (FAULTS), one a line. Kept until the next call. */
static const char *menu_of(const struct space *sp, enum fault_kind kind)
{
    static char out[65536];
    size_t n = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < sp->n_offers; i++) {
        char line[1024];
        if (kind != FAULTS && sp->offers[i].kind != kind)
            continue;
        CHECK(offer_text(sp, i, line, sizeof line) > 0);
        n += (size_t)snprintf(out + n, sizeof out - n, "%s\n", line);
        ASSERT(n < sizeof out);
    }
    return out;
}

/* The menu of the two writers with these lines. */
static void check_menu(const char *world, const char *lines, const char *menu)
{
    struct searched s = searched(two_texts(world, lines), NULL);
    CHECK_STR(menu_of(s.space, FAULTS), menu);
    searched_free(&s);
}

static bool on_menu(const struct space *sp, const char *line)
{
    const char *all = menu_of(sp, FAULTS), *at = strstr(all, line);
    size_t n = strlen(line);
    while (at != NULL && (at[n] != '\n' || (at > all && at[-1] != '\n')))
        at = strstr(at + 1, line);
    return at != NULL;
}

static enum space_problem problem_of(const char *text, uint32_t case_index)
{
    struct diags d = {0};
    struct space *sp;
    struct scenario *s = reads(text);
    enum space_problem problem = space_new(s, case_index, 0, 0, 0, &d, &sp);
    CHECK((sp != NULL) == (problem == SPACE_OK));
    space_free(sp);
    scenario_free(s);
    return problem;
}

/* --- how long ---------------------------------------------------------------------------------- */

TEST("a duration that a person would not say is rounded up to two digits that count")
{
    CHECK_EQ(round_up(0), 0);
    CHECK_EQ(round_up(1), 1);
    CHECK_EQ(round_up(99), 99);
    CHECK_EQ(round_up(100), 100);
    CHECK_EQ(round_up(101), 110);
    CHECK_EQ(round_up(999), 1000);
    CHECK_EQ(round_up(10800 * NS_PER_MS), 11 * NS_PER_S);
    CHECK_EQ(round_up(11970 * NS_PER_MS), 12 * NS_PER_S);
    CHECK_EQ(round_up(12 * NS_PER_S), 12 * NS_PER_S);
    CHECK_EQ(round_up(3 * NS_PER_S + 1), 3100 * NS_PER_MS);
}

TEST("durations are kept ascending, none within a tenth of another, no more than there is room for")
{
    ns list[4];
    uint32_t n = 0;
    add_duration(list, &n, 4, 0);
    add_duration(list, &n, 4, -1);
    add_duration(list, &n, 4, DURATION_LONGEST + 1);
    CHECK_EQ(n, 0);
    add_duration(list, &n, 4, 1000);
    add_duration(list, &n, 4, 1000);
    add_duration(list, &n, 4, 1100);
    add_duration(list, &n, 4, 900);
    CHECK_EQ(n, 1);
    add_duration(list, &n, 4, 1101);
    add_duration(list, &n, 4, 800);
    CHECK(n == 3 && list[0] == 800 && list[1] == 1000 && list[2] == 1101);
    add_duration(list, &n, 4, DURATION_LONGEST);
    add_duration(list, &n, 4, 5000);
    CHECK(n == 4 && list[3] == DURATION_LONGEST);
}

TEST("who stops, stops for a third of a lease, just less than it, just more, twice, and for what programs work")
{
    check_menu(searched_writers, "may pause w1\n",
               "pause w1 for 1.2s\n"  /* it works 1s */
               "pause w1 for 3.4s\n"  /* a third of 10s */
               "pause w1 for 9s\n"    /* just less */
               "pause w1 for 12s\n"   /* just more */
               "pause w1 for 14s\n"   /* w2 waits 11s */
               "pause w1 for 20s\n"); /* twice; and longer than the calm run */
}

/* The longest that is on the menu of a case whose calm run is so long. */
static ns longest_stop(uint32_t lease, uint32_t wait, ns *calm_end)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "fencepost 1\nscenario \"x\"\ncase a holds\nlock l central ttl %us\nnode w\n"
                   "w:\n  acquire l\n  release l\n  wait %us\n  wait %us\n  wait %us\nmay pause w\n",
                   lease, wait, wait, wait);
    struct searched s = searched(text, NULL);
    ns longest = s.space->faults[s.space->own + s.space->n_offers - 1].duration;
    *calm_end = s.space->calm_end;
    searched_free(&s);
    return longest;
}

TEST("one stop on the menu is longer than the whole calm run, however long that is")
{
    for (uint32_t lease = 1; lease <= 40; lease += 3)
        for (uint32_t wait = 1; wait < 40; wait += 2) {
            ns calm, longest = longest_stop(lease, wait, &calm);
            CHECK(longest > calm);
        }
}

TEST("a calm run of months has a menu and a horizon")
{
    ns calm, longest = longest_stop(10, 3000000, &calm);
    CHECK(calm > 9000000 * NS_PER_S);
    CHECK(longest > 0 && longest <= DURATION_LONGEST);
}

TEST("`up to` is the longest: at, below and above what the menu would have")
{
    check_menu(searched_writers, "may pause w1 up to 12s\n",
               "pause w1 for 1.2s\npause w1 for 3.4s\npause w1 for 9s\npause w1 for 12s\n");
    check_menu(searched_writers, "may pause w1 up to 11999ms\n",
               "pause w1 for 1.2s\npause w1 for 3.4s\npause w1 for 9s\npause w1 for 11.999s\n");
    check_menu(searched_writers, "may pause w1 up to 12001ms\n",
               "pause w1 for 1.2s\npause w1 for 3.4s\npause w1 for 9s\npause w1 for 12s\n");
    check_menu(searched_writers, "may pause w1 up to 1ms\n", "pause w1 for 1ms\n");
    check_menu(searched_writers, "may pause w1 up to 1ns\n", "pause w1 for 1ns\n");
    check_menu(searched_writers, "may delay up to 6ms\n", "delay by 6ms\n");
    check_menu(searched_writers, "may delay up to 5ms\n", "delay by 5ms\n");
    check_menu(searched_writers, "may duplicate up to 7ms\n", "duplicate after 6ms\nduplicate after 7ms\n");
    check_menu(searched_writers, "may crash w1 up to 1s\n", "crash w1 for 1s\n");
    check_menu(searched_writers, "may slow ledger up to 5s\n", "slow ledger by 5s for 20s\n");
    check_menu(searched_writers, "may slow ledger up to 6s\n",
               "slow ledger by 5s for 20s\nslow ledger by 6s for 20s\n");
    check_menu(searched_writers, "may slow ledger up to 3s\n", "slow ledger by 3s for 20s\n");
    check_menu(searched_writers, "may step wall w1 up to 2s\n",
               "wall w1 jumps +1.2s\nwall w1 jumps +2s\nwall w1 jumps -1.2s\nwall w1 jumps -2s\n");
}

/* --- whom ---------------------------------------------------------------------------------- */

#define UP_TO "up to 1ms" /* one offer for each that is struck */

TEST("a pause strikes processes, threads alone, groups, and never a node without a program")
{
    check_menu(searched_writers, "may pause " UP_TO "\n",
               "pause w1 for 1ms\npause w2 for 1ms\npause leader for 1ms\npause ledger for 1ms\n");
    check_menu(searched_writers, "node idle\n[open] idle:\n  work 1s\nmay pause " UP_TO "\n",
               "pause w1 for 1ms\npause w2 for 1ms\npause leader for 1ms\npause ledger for 1ms\n");
    check_menu(searched_writers, "group all = w2 ledger\nmay pause all " UP_TO "\n",
               "pause w2 for 1ms\npause ledger for 1ms\n");
    check_menu(searched_writers, "w1.other:\n  work 1s\nmay pause w1.other " UP_TO "\n", "pause w1.other for 1ms\n");
    check_menu(searched_writers, "w1.other:\n  work 1s\nmay pause w1 w1.other " UP_TO "\n",
               "pause w1 for 1ms\npause w1.other for 1ms\n");
    check_menu(searched_quorum, "may pause a b " UP_TO "\n", "pause a for 1ms\npause b for 1ms\n");
    check_menu(searched_quorum, "may pause leader.2 " UP_TO "\n", "pause leader.2 for 1ms\n");
    check_menu(searched_quorum, "may pause leader.* " UP_TO "\n",
               "pause leader.1 for 1ms\npause leader.2 for 1ms\npause leader.3 for 1ms\n");
}

TEST("everything that a pause may strike: each thread of a program that has several, too")
{
    struct searched s = searched(searched_quorum, NULL);
    CHECK(on_menu(s.space, "pause a for 7.2s"));
    CHECK(on_menu(s.space, "pause a.keeper for 7.2s"));
    CHECK(on_menu(s.space, "pause b for 7.2s"));
    CHECK(!on_menu(s.space, "pause b.keeper for 7.2s"));
    CHECK(on_menu(s.space, "pause leader.3 for 7.2s"));
    searched_free(&s);
}

TEST("a crash comes back at once, later or never, and loses what the line says")
{
    check_menu(searched_writers, "may crash w1 up to 3s\n", "crash w1 for 1s\ncrash w1 for 1.2s\ncrash w1 for 3s\n");
    check_menu(searched_writers, "may crash w1 ledger up to 1s\n", "crash w1 for 1s\ncrash ledger for 1s\n");
    check_menu(searched_writers, "may crash w1 ledger losing unsynced up to 1s\n",
               "crash w1 for 1s\ncrash ledger for 1s\ncrash ledger for 1s losing unsynced\n");
    check_menu(searched_writers, "may crash ledger losing everything up to 1s\n",
               "crash ledger for 1s\ncrash ledger for 1s losing everything\n");
    struct searched s = searched(two_texts(searched_writers, "may crash w1\n"), NULL);
    CHECK(on_menu(s.space, "crash w1"));
    CHECK(on_menu(s.space, "crash w1 for 20s"));
    searched_free(&s);
}

TEST("without `may` lines everything may happen but `losing everything`")
{
    struct searched s = searched(searched_writers, NULL);
    const char *all = menu_of(s.space, FAULTS);
    CHECK(strstr(all, "losing unsynced") != NULL);
    CHECK(strstr(all, "losing everything") == NULL);
    CHECK(!s.space->said);
    CHECK_EQ(s.space->at_most, SCHEDULE_MAX);
    static const enum fault_kind kinds[] = {FAULT_PAUSE,   FAULT_SUSPEND, FAULT_CRASH,     FAULT_PARTITION,
                                            FAULT_CUT,     FAULT_DELAY,   FAULT_DROP,      FAULT_DUPLICATE,
                                            FAULT_REORDER, FAULT_SLOW,    FAULT_WALL_JUMP, FAULT_DRIFT};
    uint32_t bits = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        bits |= UINT32_C(1) << kinds[i];
    CHECK_EQ(s.space->kinds, bits);
    CHECK_STR(menu_of(s.space, FAULT_DRIFT), "clock w1 drifts +500ppm\nclock w1 drifts -500ppm\n"
                                             "clock w2 drifts +500ppm\nclock w2 drifts -500ppm\n"
                                             "clock leader drifts +500ppm\nclock leader drifts -500ppm\n"
                                             "clock ledger drifts +500ppm\nclock ledger drifts -500ppm\n");
    searched_free(&s);
}

TEST("slow strikes services, suspend and clocks machines, by the name of whatever is on them")
{
    check_menu(searched_writers, "may slow " UP_TO "\n", "slow leader by 1ms for 20s\nslow ledger by 1ms for 20s\n");
    check_menu(searched_writers, "may suspend w2 ledger " UP_TO "\n", "suspend w2 for 1ms\nsuspend ledger for 1ms\n");
    check_menu(searched_writers, "may drift w1 up to 300ppm\n",
               "clock w1 drifts +100ppm\nclock w1 drifts +150ppm\nclock w1 drifts +300ppm\n"
               "clock w1 drifts -100ppm\nclock w1 drifts -150ppm\nclock w1 drifts -300ppm\n");
    check_menu(searched_writers, "may drift w1 up to 1ppm\n", "clock w1 drifts +1ppm\nclock w1 drifts -1ppm\n");
    check_menu(searched_writers, "may step wall w2 " UP_TO "\n", "wall w2 jumps +1ms\nwall w2 jumps -1ms\n");
    check_menu(searched_writers, "store other at w1\nmay suspend other " UP_TO "\n", "suspend w1 for 1ms\n");
}

/* --- links ---------------------------------------------------------------------------------- */

TEST("a cut closes what the line's arrow says, one way or both")
{
    check_menu(searched_writers, "may cut w1 -> ledger " UP_TO "\n", "cut w1 -> ledger for 1ms\n");
    check_menu(searched_writers, "may cut ledger -> w1 " UP_TO "\n", "cut ledger -> w1 for 1ms\n");
    check_menu(searched_writers, "may cut w1 - ledger " UP_TO "\n",
               "cut w1 - ledger for 1ms\ncut w1 -> ledger for 1ms\ncut ledger -> w1 for 1ms\n");
    check_menu(searched_writers, "may cut w1 - ledger " UP_TO " holding\n",
               "cut w1 - ledger for 1ms holding\ncut w1 -> ledger for 1ms holding\ncut ledger -> w1 for 1ms holding\n");
    check_menu(searched_writers, "group g = w1 w2\nmay cut g -> ledger " UP_TO "\n",
               "cut w1 -> ledger for 1ms\ncut w2 -> ledger for 1ms\n");
    struct searched s = searched(two_texts(searched_writers, "may cut w1 -> ledger\n"), NULL);
    CHECK(on_menu(s.space, "cut w1 -> ledger"));
    searched_free(&s);
}

TEST("programs are cut off from services and from nothing else")
{
    struct searched s = searched(two_texts(searched_writers, "may cut " UP_TO "\n"), NULL);
    const char *all = menu_of(s.space, FAULTS);
    CHECK_EQ(s.space->n_offers, 2 * 2 * 3);
    CHECK(strstr(all, "w1 - w2") == NULL && strstr(all, "leader - ledger") == NULL);
    searched_free(&s);
}

/* Whether the point is a message from one to the other. */
static bool is_sent(const struct space *sp, const struct choice_point *p, const char *from, const char *to)
{
    return p->kind == CHOICE_MESSAGE && strcmp(sp->names.text[p->actor], from) == 0 &&
           strcmp(sp->names.text[p->peer], to) == 0;
}

TEST("messages are struck on the line's links alone, in its direction, and never within a machine")
{
    struct searched s = searched(two_texts(searched_writers, "store near at w1\nw1.near:\n  write near 1\n"
                                                             "may drop w1 -> ledger\nmay reorder w1 - ledger\n"
                                                             "may delay " UP_TO "\n"),
                                 NULL);
    const struct space *sp = s.space;
    uint32_t forth = 0, back = 0, within = 0, others = 0;
    s.player->note_points = true;
    CHECK(player_play(s.player, NULL));
    CHECK_STR(menu_of(sp, FAULTS), "drop\nreorder\ndelay by 1ms\n");
    for (uint32_t i = 0; i < s.player->n_points; i++) {
        const struct choice_point *p = &s.player->points[i].p;
        bool to_ledger = is_sent(sp, p, "w1", "ledger"), to_w1 = is_sent(sp, p, "ledger", "w1");
        bool near = is_sent(sp, p, "w1", "near") || is_sent(sp, p, "near", "w1");
        CHECK_EQ(space_offers(sp, p, 0), to_ledger);
        CHECK_EQ(space_offers(sp, p, 1), to_ledger || to_w1);
        CHECK_EQ(space_offers(sp, p, 2), p->kind == CHOICE_MESSAGE && !near);
        forth += to_ledger;
        back += to_w1;
        within += near;
        others += p->kind == CHOICE_MESSAGE && !to_ledger && !to_w1 && !near;
    }
    CHECK(forth == 1 && back == 1 && within == 2 && others > 0);
    searched_free(&s);
}

/* n machines with a program, a lock's and a store's. */
static const char *machines(uint32_t n)
{
    static char text[1024];
    (void)snprintf(text, sizeof text,
                   "fencepost 1\nscenario \"x\"\ncase a holds\nlock l central ttl 10s\nnode w1..w%u\nw1..w%u:\n"
                   "  acquire l\n  release l\nmay partition " UP_TO "\n",
                   n, n);
    return text;
}

TEST("up to five machines are split in every way, more only one from the others")
{
    for (uint32_t n = 2; n <= 8; n++) {
        struct searched s = searched(machines(n - 1), NULL);
        CHECK_EQ(s.space->n_offers, n <= 5 ? (1u << (n - 1)) - 1 : n);
        searched_free(&s);
    }
}

TEST("a partition cuts off one machine, and where it holds, messages are kept")
{
    check_menu(searched_writers, "may partition w1 " UP_TO "\n", "partition w1 | w2 leader ledger for 1ms\n");
    check_menu(searched_writers, "may partition w1 ledger holding " UP_TO "\n",
               "partition w1 | w2 leader ledger for 1ms holding\npartition w1 w2 leader | ledger for 1ms holding\n");
    struct searched s = searched(two_texts(searched_writers, "may partition w1\n"), NULL);
    CHECK(on_menu(s.space, "partition w1 | w2 leader ledger"));
    searched_free(&s);
}

TEST("more machines than five: each candidate of a quorum stands with half of the voters, or with one more")
{
    char text[1024];
    (void)snprintf(text, sizeof text, "%s", searched_quorum);
    memcpy(strstr(text, "voters 3"), "voters 5", 8);
    struct searched s = searched(two_texts(text, "may partition " UP_TO "\n"), NULL);
    CHECK(on_menu(s.space, "partition a leader.1 leader.2 | b leader.3 leader.4 leader.5 ledger for 1ms"));
    CHECK(on_menu(s.space, "partition a leader.1 leader.2 leader.3 | b leader.4 leader.5 ledger for 1ms"));
    CHECK(on_menu(s.space, "partition a leader.3 leader.4 leader.5 ledger | b leader.1 leader.2 for 1ms"));
    CHECK(on_menu(s.space, "partition a leader.4 leader.5 ledger | b leader.1 leader.2 leader.3 for 1ms"));
    CHECK_EQ(s.space->n_offers, 8 + 4);
    searched_free(&s);
}

/* --- what is no space ---------------------------------------------------------------------------------- */

TEST("where nothing may go wrong there is no space")
{
    CHECK_EQ(problem_of(two_texts(searched_writers, "may slow ledger up to 1ms\n"), 0), SPACE_OK);
    CHECK_EQ(problem_of(two_texts(searched_writers, "node idle\nmay pause idle\n"), 0), SPACE_NOTHING);
    CHECK_EQ(problem_of(two_texts(searched_writers, "node idle\nmay cut idle -> ledger\n"), 0), SPACE_NOTHING);
    CHECK_EQ(problem_of(two_texts(searched_writers, "[open] may pause w1\n"), 1), SPACE_OK);
}

TEST("a calm run that comes to no end of its own is no space")
{
    static const char text[] = "fencepost 1\nscenario \"x\"\ncase a holds\nnode w\nw:\n  repeat 1000:\n    work 1ms\n";
    CHECK_EQ(problem_of(two_texts(text, "limit events 900\n"), 0), SPACE_ENDLESS);
    CHECK_EQ(problem_of(two_texts(text, "limit events 10000\n"), 0), SPACE_OK);
}

static const char *many_nodes(uint32_t nodes, const char *lines)
{
    static char text[1024];
    (void)snprintf(text, sizeof text,
                   "fencepost 1\nscenario \"x\"\ncase a holds\nstore s\nnode w1..w%u\n"
                   "w1..w%u:\n  work 1s\n  write s 1\n%s",
                   nodes, nodes, lines);
    return text;
}

TEST("more faults than OFFERS_MAX are too much; a `may` line makes them fewer")
{
    CHECK_EQ(problem_of(many_nodes(45, ""), 0), SPACE_TOO_MUCH);
    CHECK_EQ(problem_of(many_nodes(45, "may pause\n"), 0), SPACE_OK);
    CHECK_EQ(problem_of(many_nodes(2, ""), 0), SPACE_OK);
}

/* --- the whole of it ---------------------------------------------------------------------------------- */

static const char *const worlds[] = {searched_writers, searched_quorum, searched_jobs};
#define WORLDS (sizeof worlds / sizeof *worlds)

TEST("no fault is offered twice, also where two lines offer it, and a family's offers stand together")
{
    for (size_t w = 0; w < WORLDS; w++) {
        struct searched s = searched(worlds[w], NULL);
        const struct space *sp = s.space;
        char(*lines)[256] = malloc(sp->n_offers * sizeof *lines);
        ASSERT(lines != NULL);
        for (uint32_t i = 0; i < sp->n_offers; i++) {
            CHECK(offer_text(sp, i, lines[i], sizeof lines[i]) > 0);
            for (uint32_t k = 0; k < i; k++)
                if (strcmp(lines[i], lines[k]) == 0)
                    test_failed(__FILE__, __LINE__, "twice: %s", lines[i]);
        }
        uint32_t at = 0;
        for (uint32_t f = 0; f < sp->n_families; f++) {
            CHECK_EQ(sp->families[f].first, at);
            CHECK(sp->families[f].n > 0);
            for (uint32_t i = 0; i < sp->families[f].n; i++)
                CHECK(sp->offers[at + i].family == f && sp->offers[at + i].kind == sp->families[f].kind);
            at += sp->families[f].n;
        }
        CHECK_EQ(at, sp->n_offers);
        free(lines);
        searched_free(&s);
    }
    check_menu(searched_writers, "may pause w1 " UP_TO "\nmay pause w1 w2 " UP_TO "\n",
               "pause w1 for 1ms\npause w2 for 1ms\n");
    check_menu(searched_writers, "may cut w1 -> ledger " UP_TO "\nmay cut w1 - ledger " UP_TO "\n",
               "cut w1 -> ledger for 1ms\ncut w1 - ledger for 1ms\ncut ledger -> w1 for 1ms\n");
}

TEST("each fault of the menu is a line that reads back as that fault")
{
    for (size_t w = 0; w < WORLDS; w++) {
        struct searched s = searched(worlds[w], NULL);
        for (uint32_t i = 0; i < s.space->n_offers; i++) {
            const struct fault_plan *f = &s.space->faults[s.space->own + i];
            char line[1100], again[1024];
            if (s.space->offers[i].at_message)
                continue;
            memcpy(line, "at 1s: ", 7);
            size_t n = fault_text(&s.space->c.sim, f, line + 7, 1024);
            CHECK(n > 0 && n < 1024);
            memcpy(line + 7 + n, "\n", 2);
            struct scenario *with = reads(two_texts(worlds[w], line));
            struct compiled *c = with == NULL ? NULL : compiles(with, 0);
            if (c != NULL && c->sim.n_faults == 1) {
                CHECK(fault_text(&c->sim, &c->sim.faults[0], again, sizeof again) > 0);
                line[7 + n] = '\0';
                CHECK_STR(again, line + 7);
            } else {
                test_failed(__FILE__, __LINE__, "does not read: %s", line);
            }
            compiled_free(c);
            scenario_free(with);
        }
        searched_free(&s);
    }
}

TEST("the same case has the same key twice; another menu, another gate or another case has another")
{
    struct searched a = searched(two_texts(searched_writers, "may pause w1\n"), NULL);
    struct searched b = searched(two_texts(searched_writers, "may pause w1\n"), NULL);
    struct searched other[] = {
        searched(two_texts(searched_writers, "may pause w2\n"), NULL),
        searched(two_texts(searched_writers, "may pause w1 w2\n"), NULL),
        searched(two_texts(searched_writers, "may pause w1 up to 12s\n"), NULL),
        searched(two_texts(searched_writers, "may crash w1\n"), NULL),
        searched(two_texts(searched_writers, "may pause w1\n"), "open"),
        searched(two_texts(searched_writers, "may cut w1 -> ledger\n"), NULL),
        searched(two_texts(searched_writers, "may cut w2 -> ledger\n"), NULL),
        searched(two_texts(searched_writers, "may cut ledger -> w2\n"), NULL),
        searched(two_texts(searched_writers, "may cut ledger -> w2 holding\n"), NULL),
        searched(two_texts(searched_writers, "may drop w1 -> ledger\n"), NULL),
        searched(two_texts(searched_writers, "may drop w2 -> ledger\n"), NULL),
        searched(two_texts(searched_writers, "may drop w2 - ledger\n"), NULL),
        searched(two_texts(searched_writers, "may drift w1\n"), NULL),
        searched(two_texts(searched_writers, "may step wall w1\n"), NULL),
        searched(two_texts(searched_writers, "may pause w1\nat most 2 faults\n"), NULL),
        searched(two_texts(searched_writers, "may pause w1\nat most 3 faults\n"), NULL),
    };
    enum { N = sizeof other / sizeof *other };
    CHECK_EQ(a.space->key, b.space->key);
    for (int i = 0; i < N; i++) {
        CHECK(other[i].space->key != a.space->key);
        for (int k = 0; k < i; k++)
            if (other[i].space->key == other[k].space->key)
                test_failed(__FILE__, __LINE__, "spaces %d and %d have one key", k, i);
    }
    for (int i = 0; i < N; i++)
        searched_free(&other[i]);
    searched_free(&a);
    searched_free(&b);
}

TEST("`at most` is the most of one schedule: 1, 63, and 64, which is the most there is")
{
    static const struct {
        const char *line;
        uint32_t most;
    } rows[] = {{"at most 1 fault\n", 1},
                {"at most 63 faults\n", 63},
                {"at most 64 faults\n", 64},

                {"", 64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct searched s = searched(two_texts(searched_writers, rows[i].line), NULL);
        CHECK_EQ(s.space->at_most, rows[i].most);
        searched_free(&s);
    }
}

/* --- playing it ---------------------------------------------------------------------------------- */

TEST("the file's own faults strike as in a plain run: the same digest, the same violations")
{
    struct diags d = {0};
    struct scenario *s = reads(played_example);
    for (uint32_t i = 0; s != NULL && i < 3; i++) {
        struct space *sp;
        CHECK_EQ(space_new(s, i, 0, 0, 0, &d, &sp), SPACE_OK);
        struct run *plain = run_case(sp->whole, NULL), *searched = run_case(&sp->c, NULL);
        CHECK(plain != NULL && searched != NULL && sp->own == 1);
        CHECK_EQ(plain->digest, searched->digest);
        CHECK_EQ(plain->events, searched->events);
        CHECK_EQ(plain->end_ns, sp->calm_end);
        CHECK_EQ(plain->n_violations, searched->n_violations);
        struct player *p = player_new(sp, player_verdict(sp));
        CHECK(p != NULL && player_play(p, NULL));
        CHECK_EQ(p->found, i < 2);
        CHECK_EQ(p->run->events, plain->events);
        player_free(p);
        run_free(plain);
        run_free(searched);
        space_free(sp);
    }
    scenario_free(s);
}

TEST("of what a file expects, `always` lines alone are judged")
{
    struct searched s = searched(two_texts(searched_writers,
                                           "at 1s: expect ledger = 7\nalways: expect not ledger = \"from w2\"\n"
                                           "at end: expect ledger = 7\nafter w1 works: expect ledger = 7\n"),
                                 NULL);
    CHECK_EQ(s.space->c.n_expectations, 1);
    CHECK(player_play(s.player, NULL));
    CHECK(s.player->found);
    CHECK_EQ(s.player->culprit.invariant, INVARIANTS);
    s.player->wanted &= ~ALWAYS_WANTED;
    CHECK(player_play(s.player, NULL));
    CHECK(!s.player->found);
    searched_free(&s);
}

TEST("a searched run ends at a finite horizon, and the file's own where that is sooner")
{
    struct searched s = searched(searched_writers, NULL);
    ns longest = 20 * NS_PER_S;
    CHECK_EQ(s.space->file_horizon, NS_NEVER);
    CHECK(s.space->horizon >= 2 * s.space->calm_end + 4 * longest);
    CHECK(s.space->horizon <= 3 * s.space->calm_end + 5 * longest);
    CHECK_EQ(s.space->c.sim.horizon, s.space->horizon);
    searched_free(&s);
    struct searched until = searched(two_texts(searched_writers, "until 30s\n"), NULL);
    CHECK_EQ(until.space->horizon, 30 * NS_PER_S);
    CHECK_EQ(until.space->file_horizon, 30 * NS_PER_S);
    searched_free(&until);
}

/* The last of the menu at each point that is no message's. */
static uint32_t draw_last(void *context, const struct sim *sim, const struct choice_point *p, uint32_t at)
{
    (void)sim;
    const struct space *sp = context;
    (void)at;
    return p->kind == CHOICE_MESSAGE ? NONE32 : sp->own + sp->n_offers - 1;
}

TEST("a run that faults put off again and again is cut off at the horizon, which is an end of its own")
{
    struct searched s = searched(two_texts(searched_writers, "may crash w1 up to 20s\n"), NULL);
    s.player->draw = draw_last;
    s.player->draw_context = s.space;
    CHECK(player_play(s.player, NULL));
    CHECK_EQ(s.player->run->end, END_HORIZON);
    CHECK_EQ(s.player->run->end_ns, s.space->horizon);
    CHECK(s.player->whole);
    searched_free(&s);
}

TEST("signs that a search looks for count as if the case named them")
{
    struct diags d = {0};
    struct scenario *s = reads(searched_writers);
    struct space *sp;
    CHECK_EQ(space_new(s, 0, 0, 0, UINT32_C(1) << INV_SINGLE_ACTOR, &d, &sp), SPACE_OK);
    CHECK(player_verdict(sp) >> INV_SINGLE_ACTOR & 1);
    space_free(sp);
    CHECK_EQ(space_new(s, 0, 0, 0, 0, &d, &sp), SPACE_OK);
    CHECK(!(player_verdict(sp) >> INV_SINGLE_ACTOR & 1));
    space_free(sp);
    scenario_free(s);
}
