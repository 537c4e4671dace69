/* SPDX-License-Identifier: MIT */
#include "fuzz/shard.h"

#include "sim/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "fuzz/keep.h"

#define SAMPLES 6400
#define SHARDS 64

#define TEXT                                                                \
    "fencepost 1\n"                                                         \
    "scenario \"A holder writes\"\n"                                        \
    "case unchecked without store-token violates no-stale-write\n"          \
    "case checked holds\n"                                                  \
    "lock lease central ttl 10s\n"                                          \
    "store file\n"                                                          \
    "node a b\n"                                                            \
    "a:\n  acquire lease\n  wait 1s\n  write file \"from a\"\n"             \
    "b:\n  wait 11s\n  acquire lease\n  wait 1s\n  write file \"from b\"\n" \
    "before a writes file: pause a for 14s\n"                               \
    "may pause a b up to 20s\nmay drop\nmay delay up to 5s\nmay crash b up to 2s\n"

static const char *text = TEXT;

static struct scenario *read_once; /* spaces need it for as long as they live */

static struct space *space_of(const char *case_name, uint64_t *scenario)
{
    struct diags diags = {0};
    if (read_once == NULL)
        read_once = scenario_parse(text, strlen(text), "test.fence", NULL, 0, &diags);
    struct scenario *s = read_once;
    struct space *sp = NULL;
    int32_t i = s == NULL ? -1 : scenario_case_find(s, case_name);
    CHECK(i >= 0 && space_new(s, (uint32_t)i, 0, 0, 0, &diags, &sp) == SPACE_OK);
    CHECK(s != NULL && keep_scenario(s, NULL, 0, 0, 0, 0, scenario));
    return sp;
}

/* The record of these samples, added to f. */
static void play(struct shards *f, struct space *sp, uint64_t scenario, struct shard_range range)
{
    uint64_t wanted = player_verdict(sp) | (UINT64_C(0xffffffff) & ~SIGNS_OF_NOTES);
    struct search_options o = {.seed = 11, .workers = 1, .wanted = wanted};
    struct shard r;
    enum round_end end;
    shard_options(range, &o);
    struct search *s = search_new(sp, &o);
    ASSERT(s != NULL);
    CHECK_EQ(shard_begin(&r, s, "A holder\nwrites 100%", scenario, SAMPLES), SHARD_OK);
    CHECK_EQ(shard_play(&r, s, NULL, &end), SHARD_OK);
    CHECK_EQ(end, ROUND_BUDGET);
    CHECK_EQ(s->played, range.to - range.from);
    CHECK_EQ(shards_add(f, &r), SHARD_OK);
    search_free(s);
}

/* Each through its text, as files would bring it. */
static struct shards read_back(const struct shards *f)
{
    struct lines out = {0};
    struct shards again;
    uint32_t line;
    shards_print(f, &out);
    CHECK_EQ(shards_read(out.bytes, out.n, &again, &line), SHARD_OK);
    lines_free(&out);
    return again;
}

static void check_text(const struct shards *f, const struct lines *wanted)
{
    struct lines out = {0};
    shards_print(f, &out);
    CHECK(out.n == wanted->n && memcmp(out.bytes, wanted->bytes, out.n) == 0);
    lines_free(&out);
}

/* In order, by step (odd), or from the last to the first. */
static void merge_in_turn(struct shards *shard, uint32_t first, uint32_t step, const struct lines *wanted)
{
    struct shards all = {0};
    for (uint32_t i = 0; i < SHARDS; i++)
        CHECK_EQ(shards_merge(&all, &shard[(first + i * step) % SHARDS]), SHARD_OK);
    CHECK_EQ(shards_merge(&all, &shard[3]), SHARD_OK); /* once more: nothing changes */
    CHECK_EQ(shards_merge(&all, &all), SHARD_OK);
    check_text(&all, wanted);
    shards_free(&all);
}

static void merge_as_tree(struct shards *shard, const struct lines *wanted)
{
    for (uint32_t half = SHARDS / 2; half > 0; half /= 2)
        for (uint32_t i = 0; i < half; i++)
            CHECK_EQ(shards_merge(&shard[i], &shard[i + half]), SHARD_OK);
    check_text(&shard[0], wanted);
}

static bool endless_expected;

static void check_shards(const char *case_name)
{
    struct shards whole = {0}, shard[SHARDS] = {{0}};
    struct lines wanted = {0};
    uint64_t scenario;
    struct space *sp = space_of(case_name, &scenario);
    play(&whole, sp, scenario, (struct shard_range){0, SAMPLES});
    shards_print(&whole, &wanted);
    CHECK_EQ(whole.row[0].played.n, 1);
    CHECK_EQ(shard_set_size(&whole.row[0].played), SAMPLES);
    CHECK(whole.row[0].n_findings > 0);
    CHECK((whole.row[0].endless.n > 0) == endless_expected);
    for (uint32_t i = 0; i < SHARDS; i++) {
        struct shards one = {0};
        play(&one, sp, scenario, shard_samples(i + 1, SHARDS, SAMPLES));
        shard[i] = read_back(&one);
        shards_free(&one);
    }
    merge_in_turn(shard, 0, 1, &wanted);
    merge_in_turn(shard, SHARDS - 1, SHARDS - 1, &wanted);
    merge_in_turn(shard, 5, 27, &wanted);
    merge_as_tree(shard, &wanted);
    for (uint32_t i = 0; i < SHARDS; i++)
        shards_free(&shard[i]);
    shards_free(&whole);
    lines_free(&wanted);
    space_free(sp);
}

TEST("64 shards merged in order, backwards, across and as a tree are the bytes of the samples played by one process")
{
    check_shards("checked");
    check_shards("unchecked");
}

TEST("samples that come to no end are counted once each, wherever a finding cuts a round")
{
    struct scenario *before = read_once;
    text = TEXT "limit events 40\n";
    read_once = NULL;
    endless_expected = true;
    check_shards("checked");
    endless_expected = false;
    scenario_free(read_once);
    read_once = before;
    text = TEXT;
}

TEST("shards that overlap count once what both played, and the earliest sample of a culprit stays")
{
    uint64_t scenario;
    struct space *sp = space_of("checked", &scenario);
    struct shards a = {0}, b = {0}, whole = {0};
    struct lines wanted = {0};
    play(&a, sp, scenario, (struct shard_range){300, 900});
    play(&b, sp, scenario, (struct shard_range){0, 500});
    play(&whole, sp, scenario, (struct shard_range){0, 900});
    shards_print(&whole, &wanted);
    struct shards both = read_back(&a), other = read_back(&b);
    CHECK_EQ(shards_merge(&both, &b), SHARD_OK);
    CHECK_EQ(shards_merge(&other, &a), SHARD_OK);
    check_text(&both, &wanted);
    check_text(&other, &wanted);
    shards_free(&a);
    shards_free(&b);
    shards_free(&whole);
    shards_free(&both);
    shards_free(&other);
    lines_free(&wanted);
    space_free(sp);
}

TEST("shards without samples are read and merged, and change nothing")
{
    uint64_t scenario;
    struct space *sp = space_of("checked", &scenario);
    struct shards some = {0}, none = {0};
    struct lines wanted = {0};
    play(&some, sp, scenario, (struct shard_range){0, 100});
    play(&none, sp, scenario, (struct shard_range){50, 50});
    shards_print(&some, &wanted);
    struct shards read = read_back(&none);
    CHECK_EQ(read.row[0].played.n, 0);
    CHECK_EQ(shards_merge(&read, &some), SHARD_OK);
    check_text(&read, &wanted);
    shards_free(&read);
    shards_free(&some);
    shards_free(&none);
    lines_free(&wanted);
    space_free(sp);
}

TEST("several cases are one file, sorted, whatever came first")
{
    uint64_t scenario;
    struct space *a = space_of("checked", &scenario), *b = space_of("unchecked", &scenario);
    struct shards f = {0}, g = {0};
    struct lines wanted = {0};
    play(&f, a, scenario, (struct shard_range){0, 50});
    play(&f, b, scenario, (struct shard_range){0, 50});
    play(&g, b, scenario, (struct shard_range){0, 50});
    play(&g, a, scenario, (struct shard_range){0, 50});
    CHECK_EQ(f.n, 2);
    CHECK_STR(f.row[0].case_name, "checked");
    CHECK_STR(f.row[0].title, "A holder%0Awrites 100%25");
    shards_print(&f, &wanted);
    check_text(&g, &wanted);
    struct shards read = read_back(&f);
    CHECK_EQ(read.n, 2);
    check_text(&read, &wanted);
    shards_free(&read);
    shards_free(&f);
    shards_free(&g);
    lines_free(&wanted);
    space_free(a);
    space_free(b);
}

TEST("a shard is i/n, counted from 1, of at most 65536")
{
    static const struct {
        const char *text;
        bool good;
    } rows[] = {
        {"1/1", true},    {"3/64", true},    {"64/64", true},       {"65/64", false},        {"0/64", false},
        {"1/0", false},   {"1/65536", true}, {"65536/65536", true}, {"1/65537", false},      {"65537/65536", false},
        {"", false},      {"3", false},      {"3/", false},         {"/3", false},           {"03/64", false},
        {"3/64 ", false}, {"-1/3", false},   {"3/64x", false},      {"1/4294967297", false}, {"4294967297/64", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t a, n;
        if (shard_parse(rows[i].text, &a, &n) != rows[i].good)
            test_failed(__FILE__, __LINE__, "%s", rows[i].text);
    }
}

TEST("the shards of any number of samples are all of them, one behind the other")
{
    static const uint64_t samples[] = {0, 1, 63, 64, 65, 6400, 1000003, UINT64_MAX};
    static const uint32_t shards[] = {1, 2, 64, 65536};
    for (size_t k = 0; k < 8; k++)
        for (size_t j = 0; j < 4; j++) {
            uint64_t at = 0, least = samples[k] / shards[j];
            for (uint32_t i = 1; i <= shards[j]; i++) {
                struct shard_range r = shard_samples(i, shards[j], samples[k]);
                CHECK(r.from == at && r.to >= r.from && r.to - r.from - least <= 1);
                at = r.to;
            }
            CHECK(at == samples[k]);
        }
}

/* --- what is refused ----------------------------------------------------------------------------------- */

static struct lines small_file(void)
{
    uint64_t scenario;
    struct space *sp = space_of("checked", &scenario);
    struct shards f = {0};
    struct lines out = {0};
    play(&f, sp, scenario, (struct shard_range){100, 400});
    CHECK(f.row[0].n_findings > 0);
    shards_print(&f, &out);
    shards_free(&f);
    space_free(sp);
    return out;
}

TEST("a record that was cut short or changed anywhere is not read")
{
    struct lines file = small_file();
    struct shards f;
    uint32_t line, n_lines = 0;
    for (size_t i = 0; i < file.n; i++)
        n_lines += file.bytes[i] == '\n';
    CHECK_EQ(shards_read(file.bytes, file.n, &f, &line), SHARD_OK);
    CHECK_EQ(line, n_lines);
    shards_free(&f);
    for (size_t n = 0; n < file.n; n++)
        CHECK_EQ(shards_read(file.bytes, n, &f, &line), n < 15 ? SHARD_FOREIGN : SHARD_DAMAGED);
    CHECK_EQ(line, n_lines);
    for (size_t i = 0; i < file.n; i++) {
        file.bytes[i] ^= 1;
        enum shard_result result = shards_read(file.bytes, file.n, &f, &line);
        CHECK(result == SHARD_DAMAGED || (i < 16 && result == SHARD_FOREIGN) ||
              (i == 16 && result == SHARD_OTHER_VERSION));
        CHECK(f.n == 0 && line > 0 && line <= n_lines + 1);
        file.bytes[i] ^= 1;
    }
    lines_free(&file);
}

/* The record with one line replaced (NULL: left out), its sum right again. */
static enum shard_result read_with(const struct lines *file, const char *word, const char *instead, uint32_t *line)
{
    struct lines out = {0};
    struct shards f;
    bool done = false;
    for (const char *at = file->bytes, *end = file->bytes + file->n; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        bool this_one = !done && strncmp(at, word, strlen(word)) == 0;
        if (this_one && instead != NULL)
            lines_rest(&out, instead);
        else if (!this_one && strncmp(at, "end ", 4) != 0)
            lines_bytes(&out, at, (size_t)(newline - at));
        if (strncmp(at, "end ", 4) == 0)
            lines_end(&out);
        else if (!this_one || instead != NULL)
            lines_line(&out);
        done = done || this_one;
        at = newline + 1;
    }
    CHECK(done);
    enum shard_result result = shards_read(out.bytes, out.n, &f, line);
    shards_free(&f);
    lines_free(&out);
    return result;
}

TEST("a record that says what cannot be is not read, and the line is named")
{
    static const struct {
        const char *word, *instead;
        enum shard_result result;
        uint32_t line;
    } rows[] = {{"fencepost-shard", "fencepost-shard 2", SHARD_OTHER_VERSION, 1},
                {"fencepost-shard", "fencepost 1", SHARD_FOREIGN, 1},
                {"title", NULL, SHARD_DAMAGED, 2},
                {"case", NULL, SHARD_DAMAGED, 3},
                {"scenario", "scenario 12", SHARD_DAMAGED, 4},
                {"key", "key 0123456789ABCDEF", SHARD_DAMAGED, 5},
                {"seed", "seed 011", SHARD_DAMAGED, 7},
                {"seed", "seed 18446744073709551616", SHARD_DAMAGED, 7},
                {"seed", "seed 18446744073709551615", SHARD_OK, 0},
                {"seed", "seed 1 1", SHARD_DAMAGED, 7},
                {"samples", "samples 399", SHARD_DAMAGED, 9},
                {"samples", "samples 400", SHARD_OK, 0},
                {"range", "range 100 100", SHARD_DAMAGED, 9},
                {"range", "range 400 100", SHARD_DAMAGED, 9},
                {"range", "range 100 250\nrange 250 400", SHARD_DAMAGED, 10},
                {"range", "range 100 400\nendless 399 401", SHARD_DAMAGED, 10},
                {"range", "range 0 1", SHARD_DAMAGED, 42},
                {"range", NULL, SHARD_DAMAGED, 41},
                {"states", "states 0", SHARD_DAMAGED, 10},
                {"states", NULL, SHARD_DAMAGED, 41},
                {"finding", "finding no-stale-write a 200", SHARD_DAMAGED, 42},
                {"finding", "finding no-stale-write a 200 1 0123456789abcdef:4096:1", SHARD_DAMAGED, 42},
                {"finding", "finding no-stale-write a 99 1", SHARD_DAMAGED, 42},
                {"finding", "finding a a 100 1\nfinding a a 100 1", SHARD_DAMAGED, 43},
                {"finding", "finding b a 100 1\nfinding a a 100 1", SHARD_DAMAGED, 43},
                {"line", "lines", SHARD_DAMAGED, 43}};
    struct lines file = small_file();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t line = 0;
        enum shard_result result = read_with(&file, rows[i].word, rows[i].instead, &line);
        if (result != rows[i].result || (result != SHARD_OK && line != rows[i].line))
            test_failed(__FILE__, __LINE__, "%s: %s, line %u", rows[i].instead == NULL ? rows[i].word : rows[i].instead,
                        shard_result_text(result), (unsigned)line);
    }
    lines_free(&file);
}

TEST("records of another scenario, menu, seed or number of samples do not merge, each by its own name")
{
    uint64_t scenario;
    struct space *sp = space_of("checked", &scenario);
    struct shards a = {0}, b = {0};
    play(&a, sp, scenario, (struct shard_range){0, 50});
    play(&b, sp, scenario, (struct shard_range){50, 100});
    struct shard *r = &b.row[0];
    r->scenario++;
    CHECK_EQ(shards_merge(&a, &b), SHARD_OTHER_SCENARIO);
    r->scenario--;
    r->key++;
    CHECK_EQ(shards_merge(&a, &b), SHARD_OTHER_MENU);
    r->key--;
    r->wanted++;
    CHECK_EQ(shards_merge(&a, &b), SHARD_OTHER_INVARIANTS);
    r->wanted--;
    r->seed++;
    CHECK_EQ(shards_merge(&a, &b), SHARD_OTHER_SEED);
    r->seed--;
    r->samples++;
    CHECK_EQ(shards_merge(&a, &b), SHARD_OTHER_SAMPLES);
    r->samples--;
    CHECK_EQ(shard_set_size(&a.row[0].played), 50);
    CHECK_EQ(shards_merge(&a, &b), SHARD_OK);
    CHECK_EQ(shard_set_size(&a.row[0].played), 100);
    shards_free(&a);
    shards_free(&b);
    space_free(sp);
}

/* --- what may be said ------------------------------------------------------------------------------------ */

TEST("what a record says rests on the samples that came to an end")
{
    struct shard_range all = {0, 6400}, some = {7, 9}, four = {0, 4}, three = {0, 3};
    struct shard r = {.played = {&all, 1, 1}};
    char out[256];
    CHECK_EQ(shard_statement(&r, out, sizeof out), strlen(out));
    CHECK_STR(out, "6400 independent schedules, none broke it: with 95 % confidence fewer than 3 in 6400 do");
    r.endless = (struct shard_set){&some, 1, 1};
    (void)shard_statement(&r, out, sizeof out);
    CHECK_STR(out, "6398 independent schedules (and 2 that came to no end), none broke it: with 95 % confidence fewer "
                   "than 3 in 6398 do");
    r.n_findings = 1;
    (void)shard_statement(&r, out, sizeof out);
    CHECK_STR(out, "6398 independent schedules (and 2 that came to no end): it breaks");
    r = (struct shard){.played = {&four, 1, 1}};
    (void)shard_statement(&r, out, sizeof out);
    CHECK_STR(out, "4 independent schedules, none broke it: with 95 % confidence fewer than 3 in 4 do");
    r = (struct shard){.played = {&three, 1, 1}};
    (void)shard_statement(&r, out, sizeof out);
    CHECK_STR(out, "3 independent schedules, none broke it: too few to say more");
}
