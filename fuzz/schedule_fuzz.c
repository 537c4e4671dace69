/* SPDX-License-Identifier: MIT
 *
 * schedule_fuzz.c - schedules of one scenario under libFuzzer: an input is a list of deviations (input.h), what guides
 * the fuzzer is which abstract states a run reaches, and a finding is a run that breaks an invariant.
 *
 *     FENCEPOST_SCENARIO  the file; not set: the scenario below, so that the target runs from any folder
 *     FENCEPOST_CASE      its case; not set: the first that says `holds`, or the first
 *     FENCEPOST_WITHOUT   gates that are taken away, separated by commas
 *     FENCEPOST_SEEDS     a folder: the first inputs of this case are written into it, and nothing is fuzzed
 *     FENCEPOST_EXECUTED  a file: every input that is played is written into it, its length first
 *     FENCEPOST_REPLAY    such a file: its inputs are played in a plain loop, and nothing is fuzzed
 *     FENCEPOST_GO_ON     a finding ends nothing: to measure what inputs cost
 *     FENCEPOST_BLIND     libFuzzer is not told of states: to measure what they are worth
 *     FENCEPOST_FORGETFUL nothing is remembered from one input to the next (feed.h)
 *
 * The simulator need not be instrumented: the states are told through an array of the section that libFuzzer adds to
 * its own counters. Each invariant has a function of its own to abort in, so that crashes are grouped by it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/corpus.h"
#include "fuzz/feed.h"
#include "fuzz/found.h"
#include "scenarios/files.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned seed);

static const char built_in[] = "fencepost 1\n"
                               "scenario \"Five voters, a store and two clients\"\n"
                               "  lesson \"A store that looks at tokens needs nobody's clock.\"\n"
                               "\n"
                               "case fenced holds\n"
                               "\n"
                               "lock leader quorum voters 5 ttl 10s\n"
                               "store ledger\n"
                               "node w1 w2\n"
                               "\n"
                               "w1, w2:\n"
                               "  repeat 2:\n"
                               "    acquire leader\n"
                               "    keep leader\n"
                               "    work 4s\n"
                               "    write ledger me\n"
                               "    release leader\n"
                               "    wait 1s\n"
                               "\n"
                               "may pause up to 30s\n"
                               "may crash\n"
                               "may partition\n"
                               "may delay up to 30s\n"
                               "may drop\n"
                               "may duplicate up to 30s\n";

/* --- states, as libFuzzer sees them ---------------------------------------------------------------- */

#if defined(__linux__)
#define EXTRA_COUNTERS __attribute__((used, section("__libfuzzer_extra_counters")))
#else
#define EXTRA_COUNTERS __attribute__((used))
#endif
EXTRA_COUNTERS static uint8_t reached[ABSTRACT_SLOTS];

static void mark(const uint16_t *slots, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        reached[slots[i]] = 1;
}

/* An array that is written and never read is a thing that compilers take away, and a search without it is blind. */
static void check_marks(void)
{
    static const uint16_t last[] = {ABSTRACT_SLOTS - 1};
    volatile const uint8_t *seen = reached;
    mark(last, 1);
    if (seen[ABSTRACT_SLOTS - 1] != 1) {
        fprintf(stderr, "schedule: states are marked, and the array stays as it was\n");
        exit(3);
    }
    reached[ABSTRACT_SLOTS - 1] = 0;
}

/* --- set-up ------------------------------------------------------------------------------------------- */

static struct scenario *scenario;
static struct space *space;
static struct feed *feed;
static FILE *executed;
static bool goes_on, blind;

static _Noreturn void give_up(const char *what, const char *more)
{
    fprintf(stderr, "schedule: %s%s%s\n", what, more[0] == '\0' ? "" : ": ", more);
    exit(3);
}

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value == NULL || value[0] == '\0' ? NULL : value;
}

static void read_scenario(void)
{
    const char *path = setting("FENCEPOST_SCENARIO");
    struct diags diags = {0};
    char *text = NULL;
    size_t n = 0;
    int error = 0;
    enum file_problem problem = path == NULL ? FILE_OK : file_read(path, &text, &n, &error);
    if (problem != FILE_OK)
        give_up(path, file_problem_text(problem, error));
    scenario = path == NULL ? scenario_parse(built_in, sizeof built_in - 1, "built-in", NULL, 0, &diags)
                            : scenario_parse(text, n, path, NULL, 0, &diags);
    free(text);
    if (scenario == NULL)
        give_up(path == NULL ? "built-in" : path, diags.n > 0 ? diags.row[0].text : "no memory");
}

static bool says_holds(uint32_t i)
{
    struct diags diags = {0};
    struct compiled *c = scenario_compile(scenario, i, 0, 0, &diags);
    bool holds = c != NULL && !c->violates;
    compiled_free(c);
    return holds;
}

static uint32_t find_case(void)
{
    const char *name = setting("FENCEPOST_CASE");
    int32_t named = name == NULL ? -1 : scenario_case_find(scenario, name);
    if (name != NULL && named < 0)
        give_up("no such case", name);
    for (uint32_t i = 0; name == NULL && i < scenario_cases(scenario); i++)
        if (says_holds(i))
            return i;
    return named < 0 ? 0 : (uint32_t)named;
}

static uint32_t find_gates(void)
{
    const char *names = setting("FENCEPOST_WITHOUT");
    uint32_t bits = 0;
    while (names != NULL && *names != '\0') {
        size_t n = strcspn(names, ",");
        uint32_t gate = 0;
        while (gate < GATES && (strlen(gate_table[gate].name) != n || strncmp(gate_table[gate].name, names, n) != 0))
            gate++;
        if (gate == GATES)
            give_up("no such gate in", names);
        bits |= UINT32_C(1) << gate;
        names += n + (names[n] == ',');
    }
    return bits;
}

static const char *const problem_text[] = {
    [SPACE_OK] = "",
    [SPACE_NO_MEMORY] = "no memory",
    [SPACE_PROBLEM] = "the case does not compile",
    [SPACE_NOTHING] = "nothing may go wrong",
    [SPACE_TOO_MUCH] = "too much may go wrong: name less in `may` lines",
    [SPACE_ENDLESS] = "the calm run comes to no end",
};

static void play_calm(void)
{
    if (feed_input(feed, NULL, 0) != FED_RUN)
        give_up("no memory", "");
    if (feed_player(feed)->found)
        give_up("nothing needs to go wrong: the calm run breaks", culprit_name(space, feed_player(feed)->culprit));
}

static void set_up(void)
{
    struct diags diags = {0};
    read_scenario();
    enum space_problem problem = space_new(scenario, find_case(), find_gates(), 0, 0, &diags, &space);
    if (problem != SPACE_OK)
        give_up(problem_text[problem], diags.n > 0 ? diags.row[0].text : "");
    feed = feed_new(space, setting("FENCEPOST_FORGETFUL") == NULL);
    if (feed == NULL)
        give_up("no memory", "");
    check_marks();
    play_calm();
    fprintf(stderr, "schedule: case %s, %u offers, %u events, space %016llx, %u states in an array of %zu bytes\n",
            space->c.name, space->n_offers, (unsigned)space->calm_steps, (unsigned long long)space->key,
            feed_player(feed)->n_slots, sizeof reached);
}

/* --- a plain loop, to compare with -------------------------------------------------------------------- */

static void write_executed(const uint8_t *data, size_t n)
{
    uint8_t head[2] = {(uint8_t)n, (uint8_t)(n >> 8)};
    if (fwrite(head, 1, 2, executed) != 2 || fwrite(data, 1, n, executed) != n)
        give_up("cannot write what is executed", "");
}

/* No states, no libFuzzer, no mutation: read, play, judge, the next. */
static void replay(const char *path)
{
    struct player *p = player_new(space, player_verdict(space));
    uint8_t head[2], data[INPUT_MAX];
    struct schedule s;
    unsigned long long n = 0, found = 0;
    FILE *f = fopen(path, "rb");
    if (f == NULL || p == NULL)
        give_up("cannot replay", path);
    p->low_addresses = true;
    while (fread(head, 1, 2, f) == 2) {
        size_t size = (size_t)head[0] | (size_t)head[1] << 8;
        if (size > sizeof data || fread(data, 1, size, f) != size || !input_read(space, data, size, &s))
            give_up("this is no list of inputs", path);
        if (!player_play(p, &s))
            give_up("no memory", "");
        found += p->found;
        n++;
    }
    fclose(f);
    printf("replayed %llu schedules, %llu events, %llu findings\n", n, (unsigned long long)p->steps_played, found);
    player_free(p);
}

static void do_instead(void)
{
    const char *seeds = setting("FENCEPOST_SEEDS"), *list = setting("FENCEPOST_REPLAY");
    if (seeds != NULL && !corpus_seeds(space, NULL, seeds))
        give_up("cannot write first inputs into", seeds);
    if (list != NULL)
        replay(list);
    if (seeds != NULL || list != NULL)
        exit(0);
    goes_on = setting("FENCEPOST_GO_ON") != NULL;
    blind = setting("FENCEPOST_BLIND") != NULL;
    const char *path = setting("FENCEPOST_EXECUTED");
    executed = path == NULL ? NULL : fopen(path, "wb");
    if (path != NULL && executed == NULL)
        give_up("cannot write", path);
}

/* --- a finding -------------------------------------------------------------------------------------------- */

/* As lines that may be pasted into the scenario. */
static void write_finding(struct player *p)
{
    struct found_lines lines;
    struct schedule s = p->made;
    uint32_t node = p->culprit.node;
    fprintf(stderr, "finding: case %s violates %s%s%s\n", space->c.name, culprit_name(space, p->culprit),
            node == NONE16 ? "" : " by ", node == NONE16 ? "" : space->names.text[node]);
    p->low_addresses = false;
    p->draw = NULL;
    if (!found_lines(p, &s, &lines))
        give_up("no memory", "");
    for (uint32_t i = 0; i < lines.n; i++)
        fprintf(stderr, "%s\n", lines.line[i]);
    found_free(&lines);
}

#define X(id, ...)                                         \
    __attribute__((noinline)) static void broke_##id(void) \
    {                                                      \
        fprintf(stderr, "%s\n", invariant_table[id].name); \
        abort();                                           \
    }
INVARIANT_TABLE(X)
#undef X

__attribute__((noinline)) static void broke_always(void)
{
    fprintf(stderr, "an `always` line\n");
    abort();
}

static void report(struct player *p)
{
    static void (*const broke[INVARIANTS])(void) = {
#define X(id, ...) broke_##id,
        INVARIANT_TABLE(X)
#undef X
    };
    uint32_t invariant = p->culprit.invariant;
    write_finding(p);
    if (invariant < INVARIANTS)
        broke[invariant]();
    else
        broke_always();
}

/* --- what libFuzzer calls ------------------------------------------------------------------------------------ */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    set_up();
    do_instead();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (feed == NULL)
        set_up(); /* a driver that does not initialize */
    enum fed fed = feed_input(feed, data, size);
    if (fed == FED_BROKEN)
        give_up("no memory", "");
    if (executed != NULL && size <= INPUT_MAX)
        write_executed(data, size);
    if (fed == FED_IDLE)
        return -1;
    struct player *p = feed_player(feed);
    if (!blind)
        mark(p->slots, p->n_slots);
    if (p->found && !goes_on)
        report(p);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return feed_mutate(feed, data, size, max_size, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned seed)
{
    return feed_cross(feed, data1, size1, data2, size2, out, max_out_size, seed);
}
