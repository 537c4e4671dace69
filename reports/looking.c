/* SPDX-License-Identifier: MIT
 *
 * looking.c - see looking.h.
 */
#include "reports/looking.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/shard.h"
#include "reports/bench.h"

/* --- options ---------------------------------------------------------------------------------------------- */

struct looking looking_defaults(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return (struct looking){.schedules = 100000,
                            .seed = 1,
                            .jobs = cores < 1    ? 1
                                    : cores > 64 ? 64
                                                 : (uint32_t)cores,
                            .arms = PORTFOLIO,
                            .faults = 2,
                            .seeds = 30,
                            .memory = UINT64_C(1) << 30};
}

/* Digits and nothing else. */
static bool read_digits(const char *s, const char *end, uint64_t *out)
{
    uint64_t v = 0;
    if (s == end)
        return false;
    for (; s < end; s++) {
        if (*s < '0' || *s > '9' || v > (UINT64_MAX - 9) / 10)
            return false;
        v = v * 10 + (uint64_t)(*s - '0');
    }
    *out = v;
    return true;
}

int looking_take_number(const char *option, const char *value, uint64_t least, uint64_t most, uint64_t *out)
{
    if (read_digits(value, value + strlen(value), out) && *out >= least && *out <= most)
        return STATUS_GOOD;
    front_complain("%s takes a number from %" PRIu64 " to %" PRIu64 ", not '%s'", option, least, most, value);
    return STATUS_WRONG;
}

static const struct {
    const char *unit;
    ns size;
} units[] = {{"ms", NS_PER_MS}, {"s", NS_PER_S}, {"m", 60 * NS_PER_S}, {"h", 3600 * NS_PER_S}};

int looking_take_time(const char *option, const char *value, ns *out)
{
    size_t digits = strspn(value, "0123456789");
    uint64_t v;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(value + digits, units[i].unit) != 0 || !read_digits(value, value + digits, &v))
            continue;
        if (v > 0 && v <= (uint64_t)(NS_MAX / units[i].size)) {
            *out = (ns)v * units[i].size;
            return STATUS_GOOD;
        }
    }
    front_complain("%s takes a duration from 1ms, like 90s or 5m, not '%s'", option, value);
    return STATUS_WRONG;
}

int looking_take_bytes(const char *option, const char *value, uint64_t *out)
{
    size_t digits = strspn(value, "0123456789");
    uint64_t v;
    uint32_t shift = strcmp(value + digits, "K") == 0   ? 10
                     : strcmp(value + digits, "M") == 0 ? 20
                     : strcmp(value + digits, "G") == 0 ? 30
                                                        : 64;
    if (shift < 64 && read_digits(value, value + digits, &v) && v > 0 && v <= UINT64_C(1) << 40 >> shift &&
        v << shift >= UINT64_C(1) << 18) {
        *out = v << shift;
        return STATUS_GOOD;
    }
    front_complain("%s takes a size from 256K to 1024G, like 512M, not '%s'", option, value);
    return STATUS_WRONG;
}

int looking_take_arm(const char *value, unsigned *arms)
{
    for (int i = 0; i < ARMS; i++)
        if (strcmp(value, arm_name[i]) == 0) {
            *arms = 1u << i;
            return STATUS_GOOD;
        }
    if (strcmp(value, "portfolio") == 0) {
        *arms = PORTFOLIO;
        return STATUS_GOOD;
    }
    const char *names[ARMS + 1] = {"portfolio"};
    for (int i = 0; i < ARMS; i++)
        names[i + 1] = arm_name[i];
    const char *near = nearest_word(value, strlen(value), names, ARMS + 1);
    front_complain("no strategy '%s'; there is portfolio, single, swarm, guided, branch, uniform and pct%s%s%s", value,
                   near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
    return STATUS_WRONG;
}

#define BIT(invariant) (UINT64_C(1) << (invariant))

int looking_take_find(const char *value, uint64_t *find)
{
    const char *names[INVARIANTS + 1] = {"split-brain"};
    if (strcmp(value, "split-brain") == 0) {
        *find |= BIT(INV_SINGLE_GRANT) | BIT(INV_ONE_LEADER_PER_TERM) | BIT(INV_SINGLE_PRIMARY) |
                 BIT(INV_SINGLE_HOLDER) | BIT(INV_SINGLE_ACTOR);
        return STATUS_GOOD;
    }
    for (int i = 0; i < INVARIANTS; i++) {
        names[i + 1] = invariant_table[i].name;
        if (strcmp(value, names[i + 1]) == 0) {
            *find |= BIT(i);
            return STATUS_GOOD;
        }
    }
    const char *near = nearest_word(value, strlen(value), names, INVARIANTS + 1);
    if (near != NULL)
        front_complain("no invariant '%s'; did you mean '%s'?", value, near);
    else
        front_complain("no invariant '%s'; `fencepost list invariants` shows them, and split-brain means five of them",
                       value);
    return STATUS_WRONG;
}

static void reach_never(struct situation_set *reach)
{
    for (uint32_t i = 0; i < SITUATION_CELLS; i++)
        if (situation_is(i) && situation_never(i) != NULL)
            situation_add(reach, i);
}

int looking_take_reach(const char *value, struct looking *look)
{
    const char *names[SITUATION_CELLS];
    uint32_t n = 0, cell = situation_find(value);
    look->reaches = true;
    if (strcmp(value, "never") == 0) {
        reach_never(&look->reach);
        return STATUS_GOOD;
    }
    if (cell != NONE32) {
        situation_add(&look->reach, cell);
        return STATUS_GOOD;
    }
    for (uint32_t i = 0; i < SITUATION_CELLS; i++)
        if (situation_is(i))
            names[n++] = situation_name(i);
    const char *near = nearest_word(value, strlen(value), names, n);
    if (near != NULL)
        front_complain("no situation '%s'; did you mean '%s'?", value, near);
    else
        front_complain("no situation '%s', which is FAULT:DOING, like pause:holding; `fencepost list situations` shows "
                       "all",
                       value);
    return STATUS_WRONG;
}

int looking_take_shard(const char *value, uint32_t *shard, uint32_t *shards)
{
    if (shard_parse(value, shard, shards))
        return STATUS_GOOD;
    front_complain("--shard takes I/N with I from 1 to N and N up to %d, like 3/64, not '%s'", SHARDS_MAX, value);
    return STATUS_WRONG;
}

const char *const rediscover_name[REDISCOVERIES] = {[STRIP_KINDS] = "kinds", [STRIP_ALL] = "all"};

int looking_take_rediscover(const char *value, uint32_t *out)
{
    for (uint32_t i = 0; i < REDISCOVERIES; i++)
        if (strcmp(value, rediscover_name[i]) == 0) {
            *out = 1 + i;
            return STATUS_GOOD;
        }
    front_complain("--rediscover takes 'kinds' or 'all', not '%s'", value);
    return STATUS_WRONG;
}

/* --- time and interruption ---------------------------------------------------------------------------------- */

static volatile sig_atomic_t signalled;

static void note_signal(int number) { signalled = number; }

void looking_listen(void)
{
    struct sigaction a, before;
    memset(&a, 0, sizeof a);
    a.sa_handler = note_signal;
    (void)sigaction(SIGINT, &a, NULL);
    (void)sigaction(SIGTERM, &a, NULL);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup */
        (void)sigaction(SIGHUP, &a, NULL);
}

bool looking_stopped(void) { return signalled != 0; }

void looking_die(void)
{
    int number = signalled;
    if (number == 0)
        return;
    (void)fflush(stdout);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

ns looking_now(void) { return (ns)bench_elapsed_ns(); }

static bool progress_shown;

void looking_progress(const char *format, ...)
{
    static ns last;
    ns now = looking_now();
    if (!isatty(2) || (progress_shown && now - last < 100 * NS_PER_MS))
        return;
    va_list args;
    va_start(args, format);
    (void)fputs("\r\033[K", stderr);
    (void)vfprintf(stderr, format, args);
    (void)fflush(stderr);
    va_end(args);
    last = now;
    progress_shown = true;
}

void looking_progress_end(void)
{
    if (progress_shown)
        (void)fputs("\r\033[K", stderr);
    progress_shown = false;
}

/* --- one case to search --------------------------------------------------------------------------------------- */

static int complain_space(const struct target *t, enum space_problem problem, const struct diags *diags)
{
    const char *path = t->l->file.path;
    switch (problem) {
    case SPACE_OK: return STATUS_GOOD;
    case SPACE_NO_MEMORY: return front_no_memory();
    case SPACE_PROBLEM: return front_complain_diags(t->l, path, diags);
    case SPACE_NOTHING:
        front_complain("%s: case %s: nothing may go wrong: its `may` lines allow no fault that would do anything", path,
                       t->name);
        break;
    case SPACE_TOO_MUCH:
        front_complain("%s: case %s: more than %d faults could happen; `may` lines say which matter", path, t->name,
                       OFFERS_MAX);
        break;
    case SPACE_ENDLESS:
        front_complain("%s: case %s: without any fault it comes to no end of its own: `fencepost run` says why", path,
                       t->name);
        break;
    }
    return STATUS_WRONG;
}

uint32_t target_signs(const struct options *o)
{
    uint32_t signs = o->look.signs;
    for (uint32_t i = 0; i < INVARIANTS; i++)
        if (o->look.find >> i & 1 && invariant_table[i].kind == INV_SIGN)
            signs |= UINT32_C(1) << i;
    return signs;
}

int target_open(struct target *t, struct loaded *l, uint32_t case_index, const struct options *o)
{
    static struct diags diags;
    memset(&diags, 0, sizeof diags);
    *t = (struct target){
        .l = l, .scenario = l->scenario, .case_index = case_index, .name = scenario_case_name(l->scenario, case_index)};
    if (o->look.rediscover > 0) {
        t->stripped = strip_faults(l->scenario, case_index, (enum strip_may)(o->look.rediscover - 1), &t->own_faults,
                                   &diags);
        if (t->stripped == NULL)
            return front_complain_diags(l, l->file.path, &diags);
        t->scenario = t->stripped;
        t->case_index = 0;
    }
    enum space_problem problem = space_new(t->scenario, t->case_index, o->without, 0, target_signs(o), &diags, &t->sp);
    if (problem != SPACE_OK)
        return complain_space(t, problem, &diags);
    t->wanted = o->look.reaches ? 0 : o->look.find != 0 ? o->look.find : player_verdict(t->sp);
    return STATUS_GOOD;
}

void target_close(struct target *t)
{
    space_free(t->sp);
    if (t->stripped != NULL)
        scenario_free(t->stripped);
    memset(t, 0, sizeof *t);
}

static int says_holds(const struct loaded *l, uint32_t i, bool *holds)
{
    int status = STATUS_GOOD;
    struct compiled *c = front_compile(l, i, 0, 0, &status);
    *holds = c != NULL && !c->violates;
    if (c != NULL)
        compiled_free(c);
    return status;
}

bool target_any_holds(const struct loaded *l, const struct options *o)
{
    bool holds = o->n_cases > 0;
    for (uint32_t i = 0; i < scenario_cases(l->scenario) && !holds; i++)
        if (says_holds(l, i, &holds) != STATUS_GOOD)
            return true; /* whoever asks for the cases will say why */
    return holds;
}

int target_cases(const struct loaded *l, const struct options *o, bool *which, uint32_t n)
{
    uint32_t cases = scenario_cases(l->scenario);
    bool any = false;
    memset(which, 0, n * sizeof *which);
    if (o->n_cases > 0) {
        int32_t i = scenario_case_find(l->scenario, o->case_name[0]);
        if (i < 0)
            return front_unknown_case(l->scenario, l->file.path, o->case_name[0]);
        which[i] = true;
        return STATUS_GOOD;
    }
    for (uint32_t i = 0; i < cases && i < n; i++) {
        int status = o->look.reaches ? STATUS_GOOD : says_holds(l, i, &which[i]);
        which[i] = which[i] || o->look.reaches;
        if (status != STATUS_GOOD)
            return status;
        any = any || which[i];
    }
    if (any)
        return STATUS_GOOD;
    front_complain("%s: no case says `holds`, and a search looks for what breaks one; --case NAME takes another",
                   l->file.path);
    return STATUS_WRONG;
}

bool looking_goes_on(const struct options *o, int status)
{
    return status == STATUS_FAILED &&
           (o->look.keep_going || o->look.shards > 0 || (o->format == FORMAT_JSON && o->output == NULL));
}

void looking_add_options(struct text *t, const struct options *o)
{
    for (uint32_t i = 0; i < o->n_settings; i++) {
        text_add(t, " --set ");
        text_shell(t, o->setting[i].name);
        text_char(t, '=');
        text_shell(t, o->setting[i].value);
    }
    for (uint32_t g = 0; g < GATES; g++)
        if (o->without >> g & 1) {
            text_add(t, " --without ");
            text_add(t, gate_table[g].name);
        }
    for (uint32_t i = 0; i < INVARIANTS; i++)
        if (o->look.find >> i & 1) {
            text_add(t, " --find ");
            text_add(t, invariant_table[i].name);
        }
    for (uint32_t i = 0; i < SITUATION_CELLS; i++)
        if (situation_has(&o->look.reach, i)) {
            text_add(t, " --reach ");
            text_add(t, situation_name(i));
        }
    if (o->look.rediscover > 0) {
        text_add(t, " --rediscover ");
        text_add(t, rediscover_name[o->look.rediscover - 1]);
    }
    for (int i = 0; i < ARMS; i++)
        if (o->look.arms == 1u << i) {
            text_add(t, " --strategy ");
            text_add(t, arm_name[i]);
        }
}

/* --- records of shards ---------------------------------------------------------------------------- */

int looking_complain_shard(const char *path, uint32_t line, enum shard_result result)
{
    if (result == SHARD_NO_MEMORY)
        return front_no_memory();
    if (result == SHARD_DAMAGED)
        front_complain("%s:%" PRIu32 ": %s", path, line, shard_result_text(result));
    else
        front_complain("%s: %s", path, shard_result_text(result));
    return STATUS_WRONG;
}
