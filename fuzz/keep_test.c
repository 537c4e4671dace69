/* SPDX-License-Identifier: MIT */
#include "fuzz/keep.h"

#include "sim/test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCHEDULES 3000
#define CULPRITS_MAX 16

static const char text[] = "fencepost 1\n"
                           "scenario \"A holder writes\"\n"
                           "case unchecked without store-token violates no-stale-write\n"
                           "case checked holds\n"
                           "lock lease central ttl 10s\n"
                           "store file\n"
                           "node a b\n"
                           "a:\n  acquire lease\n  wait 1s\n  write file \"from a\"\n"
                           "b:\n  wait 11s\n  acquire lease\n  wait 1s\n  write file \"from b\"\n"
                           "before a writes file: pause a for 14s\n"
                           "may pause a b up to 20s\nmay drop\nmay delay up to 5s\nmay crash b up to 2s\n";

/* --- a world, a search in it, a folder ------------------------------------------------------------- */

struct world_of {
    struct scenario *scenario;
    struct space *space;
    struct keep_what what;
};

static struct world_of world_of(const char *case_name, const char *from)
{
    struct diags diags = {0};
    struct world_of w = {.scenario = scenario_parse(from, strlen(from), "test.fence", NULL, 0, &diags)};
    int32_t i = w.scenario == NULL ? -1 : scenario_case_find(w.scenario, case_name);
    if (i < 0 || space_new(w.scenario, (uint32_t)i, 0, 0, 0, &diags, &w.space) != SPACE_OK)
        test_failed(__FILE__, __LINE__, "%s", diags.n > 0 ? diags.row[0].text : "no space");
    w.what = (struct keep_what){.seed = 7, .arms = PORTFOLIO};
    CHECK(w.scenario != NULL && keep_scenario(w.scenario, NULL, 0, 0, 0, 0, &w.what.scenario));
    return w;
}

static void world_end(struct world_of *w)
{
    space_free(w->space);
    scenario_free(w->scenario);
}

static struct search *new_search(const struct world_of *w, uint32_t workers)
{
    const struct search_options o = {.seed = w->what.seed,
                                     .schedules = SCHEDULES,
                                     .arms = w->what.arms,
                                     .workers = workers,
                                     .wanted = player_verdict(w->space) | (UINT64_C(0xffffffff) & ~SIGNS_OF_NOTES),
                                     .first_swarm = w->what.first_swarm};
    struct search *s = search_new(w->space, &o);
    ASSERT(s != NULL);
    return s;
}

struct findings {
    uint32_t n;
    struct discovery row[CULPRITS_MAX];
};

/* A round of a search that keeps going. False: it is over. */
static bool play_round(struct search *s, struct findings *f)
{
    enum round_end end = search_round(s);
    CHECK(end == ROUND_MORE || end == ROUND_FOUND || end == ROUND_BUDGET);
    if (end == ROUND_FOUND && f->n < CULPRITS_MAX) {
        f->row[f->n++] = s->finding;
        CHECK(search_pass_over(s, s->finding.culprit));
    }
    return end == ROUND_MORE || end == ROUND_FOUND;
}

static char folder[] = "/tmp/fencepost-keep-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* An empty one, each time. */
static const char *new_folder(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/fencepost-keep-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    return folder;
}

static void end_folder(void)
{
    static const char *const names[] = {"lock",
                                        "search",
                                        "search.part",
                                        "checked.state",
                                        "unchecked.state",
                                        "checked.state.part",
                                        "unchecked.state.part",
                                        "notes.txt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)unlink(in_folder(names[i]));
    CHECK_EQ(rmdir(folder), 0);
}

static char *whole_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    char *bytes = malloc(1 << 22);
    ASSERT(f != NULL && bytes != NULL);
    *n = fread(bytes, 1, 1 << 22, f);
    (void)fclose(f);
    return bytes;
}

static void put_file(const char *path, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    ASSERT(f != NULL);
    CHECK_EQ(fwrite(bytes, 1, n, f), n);
    (void)fclose(f);
}

/* --- the same search, interrupted ---------------------------------------------------------------------- */

static void check_same(const struct search *a, const struct findings *fa, const struct search *b,
                       const struct findings *fb)
{
    CHECK_EQ(a->round, b->round);
    CHECK_EQ(a->played, b->played);
    CHECK_EQ(a->steps, b->steps);
    CHECK_EQ(a->errors, b->errors);
    CHECK_EQ(a->reached_at, b->reached_at);
    CHECK(memcmp(a->played_by, b->played_by, sizeof a->played_by) == 0);
    CHECK(memcmp(a->next, b->next, sizeof a->next) == 0);
    CHECK_EQ(a->n_known, b->n_known);
    CHECK_EQ(a->n_reached, b->n_reached);
    CHECK(memcmp(a->reached, b->reached, a->n_reached * sizeof *a->reached) == 0);
    CHECK_EQ(a->n_entries, b->n_entries);
    for (uint32_t i = 0; i < a->n_entries && a->n_entries == b->n_entries; i++)
        CHECK(schedule_equal(&a->entries[i].schedule, &b->entries[i].schedule) &&
              a->entries[i].n_passed == b->entries[i].n_passed && a->entries[i].owns == b->entries[i].owns);
    for (uint32_t i = 0; i < ABSTRACT_SLOTS; i++)
        CHECK(a->cells[i].entry == b->cells[i].entry && a->cells[i].event == b->cells[i].event &&
              a->cells[i].used == b->cells[i].used && a->cells[i].passed == b->cells[i].passed &&
              a->cells[i].branched == b->cells[i].branched);
    CHECK_EQ(fa->n, fb->n);
    for (uint32_t i = 0; i < fa->n && i < fb->n; i++)
        CHECK(schedule_equal(&fa->row[i].schedule, &fb->row[i].schedule) && fa->row[i].after == fb->row[i].after &&
              fa->row[i].arm == fb->row[i].arm && fa->row[i].number == fb->row[i].number &&
              fa->row[i].at == fb->row[i].at && same_culprit(fa->row[i].culprit, fb->row[i].culprit));
}

/* What was kept, in a new search. */
static struct search *resume(struct keep *k, const struct world_of *w, uint32_t workers, struct findings *f)
{
    struct search *s = new_search(w, workers);
    struct discovery *found;
    uint32_t n;
    CHECK_EQ(keep_load(k, s, &found, &n), KEEP_OK);
    CHECK(n <= CULPRITS_MAX);
    f->n = n;
    if (n > 0)
        memcpy(f->row, found, n * sizeof *found);
    free(found);
    return s;
}

static struct search *undisturbed(const struct world_of *w, struct findings *f)
{
    struct search *s = new_search(w, 1);
    f->n = 0;
    while (play_round(s, f)) {
    }
    return s;
}

static void interrupt_each(const struct world_of *w, uint32_t workers, uint32_t every, const struct search *whole,
                           const struct findings *wanted)
{
    struct keep k;
    struct findings f = {0};
    CHECK_EQ(keep_open(&k, new_folder(), &w->what), KEEP_OK);
    struct search *s = new_search(w, workers);
    for (uint32_t i = 1; play_round(s, &f); i++) {
        if (i % every != 0)
            continue;
        CHECK_EQ(keep_save(&k, s, f.row, f.n), KEEP_OK);
        search_free(s);
        s = resume(&k, w, workers, &f);
    }
    check_same(whole, wanted, s, &f);
    search_free(s);
    keep_close(&k);
    end_folder();
}

TEST("a search that is interrupted between any two rounds ends as one that is not, with one process or two")
{
    static const char *const cases[] = {"checked", "unchecked"};
    for (int c = 0; c < 2; c++) {
        struct world_of w = world_of(cases[c], text);
        struct findings f;
        struct search *whole = undisturbed(&w, &f);
        CHECK_EQ(whole->played, SCHEDULES);
        CHECK(f.n > 0 && whole->n_entries > 1 && whole->played_by[ARM_BRANCH] > 0);
        interrupt_each(&w, 1, 1, whole, &f);
        interrupt_each(&w, 1, 3, whole, &f);
        interrupt_each(&w, 2, 2, whole, &f);
        search_free(whole);
        world_end(&w);
    }
}

TEST("a search that has no room for a copy of any run finds and counts what others do")
{
    struct world_of w = world_of("checked", text);
    struct findings wanted, f = {0};
    struct search *whole = undisturbed(&w, &wanted), *s = new_search(&w, 1);
    CHECK(whole->copies > 0);
    s->copies = SIZE_MAX / 2;
    while (play_round(s, &f)) {
    }
    CHECK_EQ(s->copies, SIZE_MAX / 2);
    check_same(whole, &wanted, s, &f);
    search_free(s);
    search_free(whole);
    world_end(&w);
}

/* Searches, keeping each round, and kills itself in the middle of one. */
static void search_and_die(const struct world_of *w)
{
    struct keep k;
    struct findings f = {0};
    if (keep_open(&k, folder, &w->what) != KEEP_OK)
        _exit(1);
    struct search *s = new_search(w, 1);
    for (int i = 0; i < 5 && play_round(s, &f); i++)
        if (i != 3 && keep_save(&k, s, f.row, f.n) != KEEP_OK)
            _exit(2);
    (void)play_round(s, &f);
    (void)kill(getpid(), SIGKILL);
    _exit(3);
}

TEST("a search whose process is killed goes on, and ends as one that was not disturbed")
{
    struct world_of w = world_of("checked", text);
    struct findings wanted, f;
    struct search *whole = undisturbed(&w, &wanted);
    int status = 0;
    (void)new_folder();
    pid_t pid = fork();
    if (pid == 0)
        search_and_die(&w);
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    struct keep k;
    CHECK_EQ(keep_open(&k, folder, &w.what), KEEP_OK);
    struct search *s = resume(&k, &w, 1, &f);
    CHECK(s->round > 0 && s->round < whole->round);
    while (play_round(s, &f)) {
    }
    check_same(whole, &wanted, s, &f);
    search_free(s);
    search_free(whole);
    keep_close(&k);
    end_folder();
    world_end(&w);
}

/* --- what is refused -------------------------------------------------------------------------------------- */

TEST("two processes do not search in one folder; when the first is dead, the second may")
{
    struct world_of w = world_of("checked", text);
    struct keep k;
    int said[2], status;
    char byte;
    (void)new_folder();
    CHECK_EQ(pipe(said), 0);
    pid_t pid = fork();
    if (pid == 0) {
        bool good = keep_open(&k, folder, &w.what) == KEEP_OK && write(said[1], "x", 1) == 1;
        while (good)
            (void)pause();
        _exit(1);
    }
    CHECK_EQ(read(said[0], &byte, 1), 1);
    CHECK_EQ(keep_open(&k, folder, &w.what), KEEP_IN_USE);
    CHECK_STR(keep_result_text(KEEP_IN_USE), "somebody searches there");
    keep_close(&k);
    (void)kill(pid, SIGKILL);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(keep_open(&k, folder, &w.what), KEEP_OK);
    keep_close(&k);
    (void)close(said[0]);
    (void)close(said[1]);
    end_folder();
    world_end(&w);
}

static enum keep_result open_as(const struct keep_what *what)
{
    struct keep k;
    enum keep_result result = keep_open(&k, folder, what);
    keep_close(&k);
    return result;
}

TEST("a folder of another scenario, seed, arms, sample or version is refused, each by its own name")
{
    struct world_of w = world_of("checked", text);
    struct keep_what other = w.what;
    size_t n;
    (void)new_folder();
    CHECK_EQ(open_as(&w.what), KEEP_OK);
    CHECK_EQ(open_as(&w.what), KEEP_OK);
    other.scenario++;
    CHECK_EQ(open_as(&other), KEEP_OTHER_SCENARIO);
    other = w.what;
    other.seed++;
    CHECK_EQ(open_as(&other), KEEP_OTHER_SEED);
    other = w.what;
    other.arms = 1u << ARM_SWARM;
    CHECK_EQ(open_as(&other), KEEP_OTHER_ARMS);
    other = w.what;
    other.first_swarm = 1;
    CHECK_EQ(open_as(&other), KEEP_OTHER_SAMPLES);
    char *bytes = whole_file(in_folder("search"), &n);
    put_file(in_folder("search"), bytes, n - 1);
    CHECK_EQ(open_as(&w.what), KEEP_DAMAGED);
    put_file(in_folder("search"), "fencepost-searches 1\nanything\n", 30);
    CHECK_EQ(open_as(&w.what), KEEP_OTHER_VERSION);
    put_file(in_folder("search"), "my search\n", 10);
    CHECK_EQ(open_as(&w.what), KEEP_FOREIGN);
    free(bytes);
    end_folder();
    world_end(&w);
}

TEST("settings and gates make another scenario to be kept, and so does another text")
{
    struct world_of w = world_of("checked", text);
    const struct setting five = {"ttl", "5s"}, six = {"ttl", "6s"};
    uint64_t key[5];
    CHECK(keep_scenario(w.scenario, &five, 1, 0, 0, 0, &key[0]));
    CHECK(keep_scenario(w.scenario, &six, 1, 0, 0, 0, &key[1]));
    CHECK(keep_scenario(w.scenario, NULL, 0, 1, 0, 0, &key[2]));
    CHECK(keep_scenario(w.scenario, NULL, 0, 0, 1, 0, &key[3]));
    CHECK(keep_scenario(w.scenario, NULL, 0, 0, 0, 1, &key[4]));
    for (int i = 0; i < 5; i++) {
        CHECK(key[i] != w.what.scenario);
        for (int k = 0; k < i; k++)
            CHECK(key[i] != key[k]);
    }
    world_end(&w);
}

TEST("a folder of other things is refused, and nothing is written into it; what is no folder is, too")
{
    struct world_of w = world_of("checked", text);
    (void)new_folder();
    put_file(in_folder("notes.txt"), "mine", 4);
    CHECK_EQ(open_as(&w.what), KEEP_FOREIGN);
    CHECK(access(in_folder("lock"), F_OK) != 0 && access(in_folder("search"), F_OK) != 0);
    struct keep k;
    CHECK_EQ(keep_open(&k, in_folder("notes.txt"), &w.what), KEEP_NO_FOLDER);
    keep_close(&k);
    CHECK_EQ(keep_open(&k, in_folder("notes.txt/kept"), &w.what), KEEP_NO_FOLDER);
    keep_close(&k);
    CHECK_EQ(keep_open(&k, in_folder("not/there"), &w.what), KEEP_FAILED);
    CHECK_EQ(k.error, ENOENT);
    keep_close(&k);
    (void)unlink(in_folder("notes.txt"));
    put_file(in_folder("search.part"), "fence", 5); /* killed while it began */
    CHECK_EQ(open_as(&w.what), KEEP_OK);
    end_folder();
    world_end(&w);
}

/* Some rounds of a search, kept; then another search of other options looks at it. */
static enum keep_result load_with(struct keep *k, const struct world_of *w, uint64_t wanted)
{
    const struct search_options o = {.seed = 7, .schedules = 100, .arms = PORTFOLIO, .workers = 1, .wanted = wanted};
    struct search *s = search_new(w->space, &o);
    struct discovery *found;
    uint32_t n;
    ASSERT(s != NULL);
    uint32_t entries = s->n_entries;
    enum keep_result result = keep_load(k, s, &found, &n);
    if (result != KEEP_OK)
        CHECK(found == NULL && n == 0 && s->n_entries == entries && s->round == 0 && s->played == 0);
    free(found);
    search_free(s);
    return result;
}

static void keep_some(struct keep *k, const struct world_of *w, uint32_t rounds)
{
    struct search *s = new_search(w, 1);
    struct findings f = {0};
    for (uint32_t i = 0; i < rounds; i++)
        CHECK(play_round(s, &f));
    CHECK_EQ(keep_save(k, s, f.row, f.n), KEEP_OK);
    search_free(s);
}

TEST("a state that was cut short, changed anywhere, or is of another case or search is not gone on from")
{
    struct world_of w = world_of("checked", text), other = world_of("unchecked", text);
    uint64_t wanted = player_verdict(w.space) | (UINT64_C(0xffffffff) & ~SIGNS_OF_NOTES);
    struct keep k;
    size_t n;
    CHECK_EQ(keep_open(&k, new_folder(), &w.what), KEEP_OK);
    CHECK_EQ(load_with(&k, &w, wanted), KEEP_NONE);
    keep_some(&k, &w, 2);
    CHECK_EQ(load_with(&k, &w, wanted), KEEP_OK);
    CHECK_EQ(load_with(&k, &w, 1), KEEP_OTHER_INVARIANTS);
    char *bytes = whole_file(in_folder("checked.state"), &n);
    put_file(in_folder("unchecked.state"), bytes, n);
    CHECK_EQ(load_with(&k, &other, wanted), KEEP_OTHER_SCENARIO);
    for (size_t cut = 0; cut < n; cut += 1 + n / 64) {
        put_file(in_folder("checked.state"), bytes, cut);
        CHECK_EQ(load_with(&k, &w, wanted), KEEP_DAMAGED);
    }
    for (size_t at = 18; at < n; at += 1 + n / 64) {
        bytes[at] ^= 1;
        put_file(in_folder("checked.state"), bytes, n);
        enum keep_result result = load_with(&k, &w, wanted);
        CHECK(result == KEEP_DAMAGED || (at == 18 && result == KEEP_OTHER_VERSION));
        bytes[at] ^= 1;
    }
    put_file(in_folder("checked.state"), "fencepost-search 1\n", 19);
    CHECK_EQ(load_with(&k, &w, wanted), KEEP_OTHER_VERSION);
    free(bytes);
    keep_close(&k);
    end_folder();
    world_end(&other);
    world_end(&w);
}

/* --- a full disk, no memory -------------------------------------------------------------------------------- */

TEST("where a state cannot be written, the one before it stays, and nothing half of it")
{
    struct world_of w = world_of("checked", text);
    struct keep k;
    struct rlimit before, small = {256, 256};
    struct findings f = {0};
    CHECK_EQ(keep_open(&k, new_folder(), &w.what), KEEP_OK);
    keep_some(&k, &w, 2);
    struct search *s = new_search(&w, 1);
    for (int i = 0; i < 4; i++)
        CHECK(play_round(s, &f));
    (void)signal(SIGXFSZ, SIG_IGN);
    CHECK_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    enum keep_result result = keep_save(&k, s, f.row, f.n);
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, SIG_DFL);
    CHECK_EQ(result, KEEP_FAILED);
    CHECK_EQ(k.error, EFBIG);
    CHECK(access(in_folder("checked.state.part"), F_OK) != 0);
    search_free(s);
    s = resume(&k, &w, 1, &f);
    CHECK_EQ(s->round, 2);
    search_free(s);
    keep_close(&k);
    end_folder();
    world_end(&w);
}

TEST("without memory a state is not written, and not half read")
{
    struct world_of w = world_of("checked", text);
    struct keep k;
    if (!test_counts_allocations()) {
        test_skip("allocations are not counted in this build");
        world_end(&w);
        return;
    }
    CHECK_EQ(keep_open(&k, new_folder(), &w.what), KEEP_OK);
    keep_some(&k, &w, 3);
    enum keep_result saved = KEEP_NO_MEMORY, loaded = KEEP_NO_MEMORY;
    for (int64_t nth = 1; nth < 64 && (saved != KEEP_OK || loaded != KEEP_OK); nth++) {
        struct search *s = new_search(&w, 1);
        struct discovery *found;
        uint32_t n;
        test_fail_allocation(nth);
        loaded = keep_load(&k, s, &found, &n);
        test_fail_allocation(0);
        CHECK(loaded == KEEP_OK || (loaded == KEEP_NO_MEMORY && s->round == 0 && found == NULL));
        test_fail_allocation(nth);
        saved = keep_save(&k, s, NULL, 0);
        test_fail_allocation(0);
        CHECK(saved == KEEP_OK || saved == KEEP_NO_MEMORY);
        if (loaded != KEEP_OK)
            keep_some(&k, &w, 3);
        free(found);
        search_free(s);
    }
    CHECK(saved == KEEP_OK && loaded == KEEP_OK);
    keep_close(&k);
    end_folder();
    world_end(&w);
}

/* --- findings --------------------------------------------------------------------------------------------------- */

TEST("a finding's file is named by its case and invariant, and one more by the same invariant has a number")
{
    struct world_of w = world_of("checked", text);
    struct discovery found[3] = {{.culprit = {0, 1}}, {.culprit = {1, 1}}, {.culprit = {0, 2}}};
    struct search *s = new_search(&w, 1);
    struct keep k;
    char name[128];
    size_t n;
    CHECK_EQ(keep_open(&k, new_folder(), &w.what), KEEP_OK);
    for (uint32_t i = 0; i < 6; i++) {
        const char *invariant = invariant_table[found[i % 3].culprit.invariant].name;
        (void)snprintf(name, sizeof name, "%s/checked.%s%s.fence", folder, invariant, i % 3 == 2 ? "-2" : "");
        CHECK_EQ(keep_has_finding(&k, s, found, i % 3), i < 3 ? KEEP_NONE : KEEP_OK);
        CHECK_EQ(keep_finding(&k, s, found, i % 3, "fencepost 1\n", 12), KEEP_OK);
        CHECK_STR(k.path, name);
        char *bytes = whole_file(name, &n);
        CHECK(n == 12 && memcmp(bytes, "fencepost 1\n", 12) == 0);
        free(bytes);
        if (i >= 3)
            (void)unlink(name);
    }
    CHECK(keep_known(s, found, 3) && keep_known(s, found, 3));
    CHECK_EQ(s->n_known, 3);
    search_free(s);
    keep_close(&k);
    end_folder();
    world_end(&w);
}
