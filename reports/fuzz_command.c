/* SPDX-License-Identifier: MIT
 *
 * fuzz_command.c - `fencepost fuzz`: samples schedules until one breaks the case or the budget ends.
 */
#include "reports/looking.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/keep.h"
#include "fuzz/shard.h"

#define TARGETS_MAX 1024

/* One case being searched. */
struct looked {
    struct target target;
    struct search *search;
    const struct options *o;
    enum round_end end;
    bool timed_out;
    struct keep *keep;       /* of --state, NULL: none */
    struct discovery *found; /* by now; owned */
    uint32_t n_found;
    bool held; /* what is shrunk keeps its culprit: others of the case were found before */
    ns saved;  /* when the state was */
    bool cut;  /* the round under way, and what comes of it, is not kept */
};

#define SAVE_EVERY NS_PER_S

/* --- what was covered ------------------------------------------------------------------------------------ */

static void add_number(struct text *t, uint64_t v)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, v);
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            text_char(t, ',');
        text_char(t, digits[i]);
    }
}

static void add_arms(struct text *t, const struct search *s)
{
    bool first = true;
    for (int arm = 0; arm < ARMS; arm++) {
        if (s->played_by[arm] == 0)
            continue;
        text_add(t, first ? "  " : ", ");
        text_add(t, arm_name[arm]);
        text_char(t, ' ');
        add_number(t, s->played_by[arm]);
        if (arm == ARM_SINGLE) {
            text_add(t, " of ");
            add_number(t, s->n_singles);
        }
        first = false;
    }
    text_char(t, '\n');
}

/* Of situations that are looked for: which no run can reach, as is known. */
static void add_never(struct text *t, const struct options *o)
{
    for (uint32_t i = 0; i < SITUATION_CELLS; i++) {
        if (!situation_has(&o->look.reach, i) || situation_never(i) == NULL)
            continue;
        text_add(t, "  ");
        text_add(t, situation_name(i));
        text_add(t, " is never reached: ");
        text_add(t, situation_never(i));
        text_char(t, '\n');
    }
}

/* Only the independent arm speaks for what was not played. */
static void add_statement(struct text *t, const struct search *s)
{
    uint64_t n = s->played_by[ARM_SWARM];
    n = n > s->errors ? n - s->errors : 0; /* what came to no end shows nothing */
    if (n == 0 || s->found || s->n_known > 0) {
        text_add(t, n == 0 ? "  no independent samples: nothing is said of schedules that were not played\n" : "");
        return;
    }
    text_add(t, "  ");
    add_number(t, n);
    text_add(t, n == 1 ? " independent sample" : " independent samples");
    text_add(t, s->o.reach != NULL ? ", none reached it" : ", none broke it");
    if (n <= 3) { /* fewer than 3 in 3 */
        text_add(t, ": too few to say more\n");
        return;
    }
    text_add(t, ": with 95 % confidence fewer than 3 in ");
    add_number(t, n);
    text_add(t, " such do\n");
}

static void add_covered(struct text *t, const struct looked *k)
{
    const struct search *s = k->search;
    add_arms(t, s);
    if (s->o.arms & (1u << ARM_GUIDED | 1u << ARM_BRANCH)) {
        text_add(t, "  ");
        add_number(t, s->n_reached);
        text_add(t, " abstract states, the last new one after ");
        add_number(t, s->reached_at);
        text_add(t, s->reached_at == 1 ? " schedule\n" : " schedules\n");
    }
    text_add(t, "  menu: ");
    add_number(t, s->sp->n_offers);
    text_add(t, s->sp->said ? " faults, of its `may` lines" : " faults: everything but `losing everything`");
    text_add(t, "; within ");
    text_duration(t, s->sp->horizon);
    text_add(t, "; ties at one instant are not explored\n");
    if (s->errors > 0) {
        text_add(t, "  ");
        add_number(t, s->errors);
        text_add(t, " of them came to no end of their own\n");
    }
    add_statement(t, s);
    add_never(t, k->o);
}

static const char *end_word(const struct looked *k)
{
    return looking_stopped()                                ? "interrupted"
           : k->timed_out                                   ? "out of time"
           : k->n_found > 0                                 ? "searched on"
           : k->end == ROUND_DONE || k->end == ROUND_BUDGET ? "nothing found"
                                                            : "stopped";
}

static void add_findings(struct text *t, const struct looked *k)
{
    if (k->n_found == 0)
        return;
    text_add(t, "; ");
    text_count(t, k->n_found, "finding", "findings");
    text_add(t, " in ");
    text_shown(t, k->o->look.state);
    for (uint32_t i = 0; i < k->n_found; i++) {
        text_add(t, i == 0 ? ": " : ", ");
        text_add(t, culprit_name(k->search->sp, k->found[i].culprit));
        looking_add_whom(t, k->search->sp, k->found[i].culprit);
    }
}

static void add_nothing(struct text *t, const struct looked *k)
{
    text_add(t, "case ");
    text_shown(t, k->target.name);
    text_add(t, ": ");
    text_add(t, end_word(k));
    text_add(t, " in ");
    add_number(t, k->search->played);
    text_add(t, k->search->played == 1 ? " schedule" : " schedules");
    add_findings(t, k);
    text_char(t, '\n');
    add_covered(t, k);
}

/* --- JSON --------------------------------------------------------------------------------------------------- */

static void key_text(struct text *t, const char *key, const char *v)
{
    text_key(t, key);
    text_json(t, v);
}

static void json_begin(struct text *t, const struct looked *k)
{
    const struct search *s = k->search;
    text_char(t, '{');
    key_text(t, "file", k->target.l->file.path);
    key_text(t, "case", k->target.name);
    key_text(t, "end", s->found || k->n_found > 0 ? "found" : end_word(k));
    text_key_u64(t, "findings", k->n_found > 0 ? k->n_found : s->found);
    text_key_u64(t, "seed", s->o.seed);
    text_key_u64(t, "schedules", s->played);
    text_key(t, "arms");
    text_char(t, '{');
    for (int arm = 0; arm < ARMS; arm++)
        if (s->played_by[arm] > 0)
            text_key_u64(t, arm_name[arm], s->played_by[arm]);
    text_char(t, '}');
    text_key_u64(t, "singles", s->n_singles);
    text_key_u64(t, "abstract_states", s->n_reached);
    text_key_u64(t, "menu", s->sp->n_offers);
    text_key_u64(t, "horizon_ns", (uint64_t)s->sp->horizon);
    text_key_u64(t, "events", s->steps);
    text_key_u64(t, "without_end", s->errors);
    text_key_u64(t, "own_faults", k->target.own_faults);
}

static void json_found(struct text *t, const struct looked *k, const struct shrunk *z, const struct found_lines *lines,
                       const char *text)
{
    const struct search *s = k->search;
    text_key(t, "finding");
    text_char(t, '{');
    key_text(t, is_reached(z->culprit) ? "situation" : "invariant", culprit_name(s->sp, z->culprit));
    key_text(t, "by", z->culprit.node == NONE16 ? NULL : s->sp->c.sim.names->text[z->culprit.node]);
    text_key_u64(t, "at_ns", (uint64_t)z->at);
    text_key_u64(t, "after", s->finding.after);
    key_text(t, "arm", arm_name[s->finding.arm]);
    text_key_u64(t, "found_with", z->from);
    text_key(t, "faults");
    text_char(t, '[');
    for (uint32_t i = 0; i < lines->n; i++) {
        text_comma(t);
        text_json(t, lines->line[i]);
    }
    text_char(t, ']');
    text_key(t, "minimal");
    text_add(t, z->certificate <= CERTIFIED_TRIVIALLY ? "true" : "false");
    text_key(t, "proved");
    if (z->proved == NONE32)
        text_add(t, "null");
    else
        text_u64(t, z->proved);
    text_key_u64(t, "replays", z->replays);
    text_key_u64(t, "states", z->last.states);
    key_text(t, "scenario", text);
    text_char(t, '}');
}

/* --- one case ------------------------------------------------------------------------------------------------- */

static void add_how(struct text *t, const struct looked *k)
{
    const struct search *s = k->search;
    text_add(t, "found by: fencepost fuzz ");
    text_shell(t, k->target.l->file.path);
    text_add(t, " --case ");
    text_add(t, k->target.name);
    looking_add_options(t, k->o);
    text_add(t, " --seed ");
    text_u64(t, s->o.seed);
    text_add(t, " (schedule ");
    text_u64(t, s->finding.after);
    text_add(t, ", ");
    text_add(t, arm_name[s->finding.arm]);
    text_add(t, ")");
}

static bool tick(void *context, uint32_t bound, uint32_t thousandths, uint64_t steps)
{
    (void)context;
    (void)steps;
    looking_progress("proving that it is minimal: bound %" PRIu32 ", %" PRIu32 ".%" PRIu32 " %%", bound,
                     thousandths / 10, thousandths % 10);
    return !looking_stopped();
}

static void say_found(const struct looked *k, const struct shrunk *z)
{
    struct text t = front_report(2);
    text_add(&t, "case ");
    text_shown(&t, k->target.name);
    text_add(&t, ": ");
    looking_add_break(&t, k->search->sp, z->culprit, z->at);
    text_add(&t, ", found after ");
    add_number(&t, k->search->finding.after);
    text_add(&t, k->search->finding.after == 1 ? " schedule (" : " schedules (");
    text_add(&t, arm_name[k->search->finding.arm]);
    text_add(&t, "), with ");
    text_count(&t, z->from, "fault", "faults");
    if (z->schedule.n < z->from) {
        text_add(&t, ", shrunk to ");
        text_u64(&t, z->schedule.n);
    }
    text_add(&t, "\n  ");
    looking_add_certificate(&t, &k->target, z);
    text_char(&t, '\n');
    (void)front_put_complaint(&t);
    text_free(&t);
}

static struct shrink_options how_to_shrink(const struct looked *k)
{
    return (struct shrink_options){.replays = SHRINK_REPLAYS,
                                   .steps = k->o->look.steps,
                                   .memory = k->o->look.memory,
                                   .tick = tick,
                                   .held = k->held};
}

static char *file_of(struct looked *k, const struct shrunk *z, size_t *length, int *status)
{
    const struct shrink_options so = how_to_shrink(k);
    struct text how = {0};
    add_how(&how, k);
    char *text = looking_smallest(&k->target, k->o, k->search->player, z, &so, text_c(&how), length, status);
    looking_progress_end();
    text_free(&how);
    return text;
}

static int put_found(struct looked *k, const struct shrunk *z)
{
    struct search *s = k->search;
    size_t length;
    int status = STATUS_FAILED;
    char *text = file_of(k, z, &length, &status);
    if (text == NULL)
        return status;
    if (k->o->format == FORMAT_JSON) {
        struct text t = front_report(1);
        struct found_lines lines;
        if (!found_lines(s->player, &z->schedule, &lines))
            status = front_worse(status, front_no_memory());
        json_begin(&t, k);
        json_found(&t, k, z, &lines, text);
        text_add(&t, "}\n");
        status = front_worse(status, front_put(&t));
        found_free(&lines);
        text_free(&t);
    } else {
        looking_tell_aside(k->o);
        say_found(k, z);
    }
    if (k->o->format != FORMAT_JSON || k->o->output != NULL)
        status = front_worse(status, looking_put(k->o, text, length));
    free(text);
    return status;
}

#define FIND_AGAIN 10             /* other findings that are looked at, where the first is not proved to be minimal */
#define FIND_AGAIN_SCHEDULES 5000 /* at most, of each */

/* Another finding of the same invariant, made smaller as far as it goes. False: none, or no memory. */
static bool find_again(struct looked *k, uint64_t seed, uint32_t invariant, struct shrunk *z)
{
    const struct shrink_options so = {.replays = SHRINK_REPLAYS, .rough = true};
    struct search_options o = k->search->o;
    o.seed = seed;
    o.schedules = FIND_AGAIN_SCHEDULES;
    ASSERT(invariant < REACHED); /* of a situation, nothing with more than two faults is looked for again */
    o.wanted = invariant < INVARIANTS ? UINT64_C(1) << invariant : ALWAYS_WANTED;
    struct search *s = search_new(k->target.sp, &o);
    enum round_end end = s == NULL ? ROUND_NO_MEMORY : ROUND_MORE;
    while (end == ROUND_MORE && !looking_stopped())
        end = search_round(s);
    bool found = end == ROUND_FOUND && shrink(s->player, &s->finding.schedule, s->finding.culprit, &so, z);
    search_free(s);
    return found;
}

/* The smallest of several, proved again. d: the first of them. */
static bool smallest_of_several(struct looked *k, const struct discovery *d, struct shrunk *z)
{
    const struct shrink_options so = how_to_shrink(k);
    struct schedule best = {.n = z->schedule.n};
    struct culprit culprit = z->culprit;
    struct shrunk *other = malloc(sizeof *other);
    bool better = false;
    for (uint32_t i = 1; other != NULL && i <= FIND_AGAIN && best.n > 2 && !looking_stopped(); i++) {
        looking_progress("case %s: other findings, %" PRIu32 " of %d", k->target.name, i, FIND_AGAIN);
        if (!find_again(k, k->search->o.seed + i, culprit.invariant, other) || other->schedule.n >= best.n)
            continue;
        best = other->schedule;
        culprit = other->culprit;
        better = true;
    }
    free(other);
    uint32_t from = z->from; /* faults that were made up for the first are no more: it is shrunk anew */
    bool good = shrink(k->search->player, better ? &best : &d->schedule, better ? culprit : d->culprit, &so, z);
    z->from = from;
    return good;
}

static bool shrink_found(struct looked *k, const struct discovery *d, struct shrunk *z)
{
    const struct shrink_options so = how_to_shrink(k);
    bool good = shrink(k->search->player, &d->schedule, d->culprit, &so, z);
    if (good && !so.held && z->schedule.n > 2 && z->certificate != CERTIFIED &&
        z->certificate != UNCERTIFIED_JUDGED_LATE)
        good = smallest_of_several(k, d, z);
    looking_progress_end();
    return good;
}

static int shrink_and_put(struct looked *k)
{
    struct shrunk *z = malloc(sizeof *z);
    if (z == NULL)
        return front_no_memory();
    int status = shrink_found(k, &k->search->finding, z) ? put_found(k, z) : front_no_memory();
    free(z);
    return status;
}

static int put_nothing(const struct looked *k)
{
    struct text t = front_report(1);
    if (k->o->format == FORMAT_JSON) {
        json_begin(&t, k);
        text_add(&t, "}\n");
    } else {
        add_nothing(&t, k);
    }
    int status = looking_tell(k->o, &t);
    text_free(&t);
    return status;
}

/* The calm run breaks it: found, with no fault at all. */
static int put_calm(const struct looked *k, struct culprit c)
{
    struct text t = front_report(1);
    json_begin(&t, k);
    text_key(&t, "calm");
    text_json(&t, culprit_name(k->search->sp, c));
    text_add(&t, "}\n");
    int status = front_worse(STATUS_FAILED, front_put(&t));
    text_free(&t);
    return status;
}

/* "fencepost: FILE: case CASE breaks INVARIANT without any fault of a search: " and what follows. */
static int say_calm(const struct looked *k, struct culprit c, const char *so)
{
    struct text t = front_report(2);
    text_add(&t, "fencepost: ");
    text_shown(&t, k->target.l->file.path);
    text_add(&t, ": case ");
    text_shown(&t, k->target.name);
    text_add(&t, is_reached(c) ? " reaches " : " breaks ");
    text_add(&t, culprit_name(k->search->sp, c));
    text_add(&t, " without any fault of a search: ");
    text_add(&t, so);
    text_char(&t, '\n');
    int status = front_put_complaint(&t);
    text_free(&t);
    return status;
}

static int complain_calm(const struct looked *k, struct culprit c)
{
    if (k->o->format == FORMAT_JSON)
        return put_calm(k, c);
    return front_worse(STATUS_FAILED, say_calm(k, c, "there is nothing to look for; `fencepost run` shows it"));
}

/* Of several that --find names, one that breaks without any fault is told, and the others are looked for. */
static bool calm_breaks(struct looked *k, struct culprit *c)
{
    while (search_calm_breaks(k->search, c)) {
        uint64_t others = c->invariant < INVARIANTS ? k->target.wanted & ~(UINT64_C(1) << c->invariant) : 0;
        if (k->o->look.find == 0 || others == 0)
            return true;
        (void)say_calm(k, *c, "it is not looked for");
        k->target.wanted = others;
        search_want(k->search, others);
    }
    return false;
}

static int complain_round(const struct looked *k)
{
    if (k->end == ROUND_NO_MEMORY)
        return front_no_memory();
    front_complain("case %s: a process of the search could not be started, or died: %s; -j 1 does without",
                   k->target.name, k->search->error != 0 ? strerror(k->search->error) : "it ended early");
    return STATUS_BROKEN;
}

static void show_progress(const struct looked *k, ns begun)
{
    const struct search *s = k->search;
    ns gone = looking_now() - begun;
    looking_progress("case %s: %" PRIu64 " of %" PRIu64 " schedules, %" PRIu32 " abstract states, %" PRIu64 " a second",
                     k->target.name, s->played, s->o.schedules, s->n_reached,
                     s->played * 1000 / (uint64_t)(gone / NS_PER_MS + 1));
}

/* --- the folder of --state --------------------------------------------------------------------------------- */

static int complain_keep(const struct looked *k, enum keep_result result)
{
    const struct keep *keep = k->keep;
    const char *path = keep->path != NULL ? keep->path : k->o->look.state;
    if (result == KEEP_NO_MEMORY)
        return front_no_memory();
    if (result == KEEP_FAILED) {
        front_complain("%s: %s", path, strerror(keep->error));
        return STATUS_BROKEN;
    }
    front_complain("%s: %s", path, keep_result_text(result));
    return STATUS_WRONG;
}

/* A round that the budget cuts is not kept: what goes on with a larger one plays it whole. */
static int save(struct looked *k)
{
    if (k->keep == NULL || k->cut)
        return STATUS_GOOD;
    enum keep_result result = keep_save(k->keep, k->search, k->found, k->n_found);
    k->saved = looking_now();
    return result == KEEP_OK ? STATUS_GOOD : complain_keep(k, result);
}

/* Into the folder: the i-th of what was found, which is the search's own finding. */
static int put_kept(struct looked *k, uint32_t i, const struct shrunk *z)
{
    size_t length;
    int status = STATUS_FAILED;
    char *text = file_of(k, z, &length, &status);
    if (text == NULL)
        return status;
    enum keep_result result = keep_finding(k->keep, k->search, k->found, i, text, length);
    if (result != KEEP_OK)
        status = front_worse(status, complain_keep(k, result));
    else
        say_found(k, z);
    if (result == KEEP_OK)
        (void)fprintf(stderr, "  %s\n", k->keep->path);
    free(text);
    return status;
}

static int keep_found(struct looked *k, uint32_t i)
{
    struct shrunk *z = malloc(sizeof *z);
    k->held = i > 0; /* else the smallest of all is what each comes to */
    int status = z != NULL && shrink_found(k, &k->found[i], z) ? put_kept(k, i, z) : front_no_memory();
    free(z);
    return status;
}

/* Found, among others: into the folder, and on. */
static int note_found(struct looked *k)
{
    struct discovery *grown = realloc(k->found, (k->n_found + 1) * sizeof *grown);
    if (grown == NULL)
        return front_no_memory();
    k->found = grown;
    k->found[k->n_found++] = k->search->finding;
    int status = keep_found(k, k->n_found - 1);
    if (status == STATUS_FAILED && !search_pass_over(k->search, k->search->finding.culprit))
        status = front_no_memory();
    return front_worse(status, save(k));
}

/* False: something cut it short, or it cannot be read. */
static bool is_scenario(const char *path)
{
    struct diags diags = {0};
    char *bytes = NULL;
    size_t n = 0;
    int error;
    struct scenario *s = NULL;
    if (file_read(path, &bytes, &n, &error) == FILE_OK)
        s = scenario_parse(bytes, n, path, NULL, 0, &diags);
    bool good = s != NULL;
    scenario_free(s);
    free(bytes);
    return good;
}

/* The state has each finding as it was found: a file that somebody took away, or that is no scenario, is written again,
 * for the search's statement says that it is there. */
static int write_missing(struct looked *k)
{
    const struct discovery finding = k->search->finding;
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < k->n_found && status <= STATUS_FAILED && !looking_stopped(); i++) {
        enum keep_result result = keep_has_finding(k->keep, k->search, k->found, i);
        k->search->finding = k->found[i];
        if (result == KEEP_NONE || (result == KEEP_OK && !is_scenario(k->keep->path)))
            status = keep_found(k, i);
        else if (result != KEEP_OK)
            status = complain_keep(k, result);
    }
    k->search->finding = finding;
    return status <= STATUS_FAILED ? STATUS_GOOD : status;
}

static int take_up(struct looked *k)
{
    if (k->keep == NULL)
        return STATUS_GOOD;
    enum keep_result result = keep_load(k->keep, k->search, &k->found, &k->n_found);
    if (result == KEEP_NONE)
        return save(k);
    if (result != KEEP_OK)
        return complain_keep(k, result);
    return keep_known(k->search, k->found, k->n_found) ? write_missing(k) : front_no_memory();
}

/* --- one case ------------------------------------------------------------------------------------------------- */

/* Until something is found, or with --keep-going to the end. */
static int play_rounds(struct looked *k)
{
    ns begun = looking_now();
    int status = k->n_found > 0 ? STATUS_FAILED : STATUS_GOOD;
    k->end = ROUND_MORE;
    while (status < STATUS_WRONG && !looking_stopped() && !k->timed_out) {
        if (search_cuts_round(k->search)) {
            status = front_worse(status, save(k));
            k->cut = true;
        }
        k->end = search_round(k->search);
        show_progress(k, begun);
        k->timed_out = k->o->look.time > 0 && looking_now() - begun >= k->o->look.time;
        if (k->end == ROUND_FOUND && k->o->look.keep_going)
            status = front_worse(status, note_found(k));
        else if (k->end != ROUND_MORE)
            break;
        else if (looking_now() - k->saved >= SAVE_EVERY)
            status = front_worse(status, save(k));
    }
    looking_progress_end();
    return status;
}

static int end_search(struct looked *k, int status)
{
    if (k->end == ROUND_NO_MEMORY || k->end == ROUND_BROKEN)
        return complain_round(k);
    if (k->end == ROUND_FOUND && !k->o->look.keep_going)
        return k->keep == NULL ? shrink_and_put(k) : front_worse(note_found(k), STATUS_FAILED);
    return front_worse(front_worse(status, save(k)), put_nothing(k));
}

static int open_search(struct looked *k)
{
    const struct search_options so = {.seed = k->o->look.seed,
                                      .schedules = k->o->look.schedules,
                                      .arms = k->o->look.arms,
                                      .workers = k->o->look.jobs,
                                      .wanted = k->target.wanted,
                                      .reach = k->o->look.reaches ? &k->o->look.reach : NULL};
    k->search = search_new(k->target.sp, &so);
    return k->search == NULL ? front_no_memory() : STATUS_GOOD;
}

static int look_into(struct loaded *l, uint32_t i, const struct options *o, struct keep *keep)
{
    struct looked k = {.o = o, .keep = keep};
    struct culprit c;
    int status = target_open(&k.target, l, i, o);
    if (status == STATUS_GOOD)
        status = open_search(&k);
    if (status == STATUS_GOOD && calm_breaks(&k, &c)) {
        status = complain_calm(&k, c);
    } else if (status == STATUS_GOOD) {
        status = take_up(&k);
        if (status == STATUS_GOOD)
            status = end_search(&k, play_rounds(&k));
    }
    free(k.found);
    search_free(k.search);
    target_close(&k.target);
    return status;
}

/* --- shards ----------------------------------------------------------------------------------------------------- */

static int say_shards(const struct shards *all)
{
    struct text t = front_report(2);
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < all->n; i++) {
        char statement[256];
        (void)shard_statement(&all->row[i], statement, sizeof statement);
        text_add(&t, "case ");
        text_shown(&t, all->row[i].case_name);
        text_add(&t, ": ");
        text_add(&t, statement);
        text_char(&t, '\n');
        status = all->row[i].n_findings > 0 ? STATUS_FAILED : status;
    }
    if (status == STATUS_FAILED)
        text_add(&t, "  as a scenario: fencepost shrink FILE RECORD\n");
    status = front_worse(status, front_put_complaint(&t));
    text_free(&t);
    return status;
}

static int put_shards(const struct options *o, const struct shards *all)
{
    struct lines out = {0};
    shards_print(all, &out);
    int status = out.failed ? front_no_memory() : looking_put(o, out.bytes, out.n);
    free(out.bytes);
    return front_worse(status, say_shards(all));
}

static int shard_case(struct loaded *l, uint32_t i, const struct options *o, struct shards *all)
{
    struct looked k = {.o = o};
    struct shard r = {0};
    struct culprit c;
    uint64_t scenario;
    int status = target_open(&k.target, l, i, o);
    struct search_options so = {.seed = o->look.seed, .workers = o->look.jobs, .wanted = k.target.wanted};
    shard_options(shard_samples(o->look.shard, o->look.shards, o->look.schedules), &so);
    if (status == STATUS_GOOD) {
        k.search = search_new(k.target.sp, &so);
        status = k.search == NULL ? front_no_memory() : STATUS_GOOD;
    }
    if (status == STATUS_GOOD && calm_breaks(&k, &c)) {
        status = complain_calm(&k, c);
    } else if (status == STATUS_GOOD) {
        enum shard_result result = SHARD_NO_MEMORY;
        if (keep_scenario(k.target.scenario, o->setting, o->n_settings, o->without, 0, target_signs(o), &scenario))
            result = shard_begin(&r, k.search, scenario_title(k.target.scenario), scenario, o->look.schedules);
        if (result == SHARD_OK)
            result = shard_play(&r, k.search, looking_stopped, &k.end);
        if (result == SHARD_OK)
            result = shards_add(all, &r);
        status = result != SHARD_OK                                  ? looking_complain_shard(l->file.path, 0, result)
                 : k.end == ROUND_NO_MEMORY || k.end == ROUND_BROKEN ? complain_round(&k)
                                                                     : STATUS_GOOD;
    }
    shard_free(&r);
    search_free(k.search);
    target_close(&k.target);
    return status;
}

static int merge_file(const char *path, struct shards *all)
{
    struct shards one = {0};
    char *bytes;
    size_t n;
    uint32_t line = 0;
    int error;
    enum file_problem problem = file_read(path, &bytes, &n, &error);
    if (problem != FILE_OK)
        return front_complain_file(path, problem, error);
    enum shard_result result = shards_read(bytes, n, &one, &line);
    result = result == SHARD_OK ? shards_merge(all, &one) : result;
    int status = result == SHARD_OK ? STATUS_GOOD : looking_complain_shard(path, line, result);
    shards_free(&one);
    free(bytes);
    return status;
}

static int merge_all(const struct options *o)
{
    struct shards all = {0};
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < o->n_operands && status == STATUS_GOOD; i++)
        status = merge_file(o->operand[i], &all);
    if (status == STATUS_GOOD)
        status = put_shards(o, &all);
    shards_free(&all);
    return status;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

/* Of --merge: what says how to search, or what of, has no meaning there. */
static int check_merge(const struct options *o)
{
    if (o->format == FORMAT_JSON)
        front_complain("--merge writes a record: it takes no --json");
    else if (o->look.searches_by != NULL)
        front_complain("--merge takes records, and nothing is searched: it takes no %s", o->look.searches_by);
    else
        return STATUS_GOOD;
    return STATUS_WRONG;
}

static int check_options(const struct options *o)
{
    const struct looking *look = &o->look;
    const char *wrong = NULL;
    if (o->n_operands != 1)
        wrong = "fuzz takes one file; --merge takes several records";
    else if (look->reaches && look->find != 0)
        wrong = "--find looks for what breaks, --reach for what happens: one of them";
    else if (look->reaches && look->shards > 0)
        wrong = "a shard keeps what breaks: it takes no --reach";
    else if (look->shards > 0 && look->state != NULL)
        wrong = "--shard is kept by its record, not by --state";
    else if (look->shards > 0 && o->format == FORMAT_JSON)
        wrong = "a shard is written as a record: it takes no --json";
    else if (look->shards > 0 && look->arms != PORTFOLIO && look->arms != 1u << ARM_SWARM)
        wrong = "a shard is of independent samples, which are swarm's: it takes no other --strategy";
    else if (look->shards > 0 && look->time > 0)
        wrong = "a shard is a range of samples, whole: it takes no --time";
    else if (look->keep_going && look->state == NULL)
        wrong = "--keep-going writes what it finds to the folder of --state";
    else if (look->state != NULL && o->output != NULL)
        wrong = "with --state what is found goes to its folder, not to --output";
    if (wrong != NULL)
        front_complain("%s", wrong);
    return wrong == NULL ? STATUS_GOOD : STATUS_WRONG;
}

/* The folder of --state, opened. */
static int open_state(struct loaded *l, const struct options *o, struct keep *keep)
{
    struct looked k = {.o = o, .keep = keep};
    struct keep_what what = {.seed = o->look.seed, .arms = o->look.arms};
    if (!keep_scenario(l->scenario, o->setting, o->n_settings, o->without, 0, target_signs(o), &what.scenario))
        return front_no_memory();
    for (uint32_t i = 0; i < SITUATION_SET_WORDS && o->look.reaches; i++) /* another search of it is kept elsewhere */
        what.scenario = hash_step(what.scenario, o->look.reach.word[i]);
    enum keep_result result = keep_open(keep, o->look.state, &what);
    return result == KEEP_OK ? STATUS_GOOD : complain_keep(&k, result);
}

static int look_into_all(struct loaded *l, const struct options *o)
{
    bool which[TARGETS_MAX];
    struct keep keep = {.lock = -1};
    struct shards shards = {0};
    int status = target_cases(l, o, which, TARGETS_MAX), worst = STATUS_GOOD;
    if (status == STATUS_GOOD && o->look.state != NULL)
        status = open_state(l, o, &keep);
    for (uint32_t i = 0; i < TARGETS_MAX && status == STATUS_GOOD && !looking_stopped(); i++) {
        if (!which[i])
            continue;
        status = o->look.shards > 0 ? shard_case(l, i, o, &shards)
                                    : look_into(l, i, o, o->look.state != NULL ? &keep : NULL);
        worst = front_worse(worst, status);
        status = looking_goes_on(o, status) ? STATUS_GOOD : status;
    }
    if (worst < STATUS_WRONG && o->look.shards > 0 && looking_stopped())
        front_complain("interrupted: a shard is whole, or no record of it is written");
    else if (worst < STATUS_WRONG && o->look.shards > 0)
        worst = front_worse(worst, put_shards(o, &shards));
    shards_free(&shards);
    if (o->look.state != NULL)
        keep_close(&keep);
    return front_worse(worst, status);
}

int command_fuzz(const struct options *o)
{
    struct loaded l;
    int status = o->look.merge ? check_merge(o) : check_options(o);
    status = status == STATUS_GOOD ? looking_check_output(o) : status;
    if (status != STATUS_GOOD)
        return status;
    if (o->look.merge)
        return merge_all(o);
    status = front_load(&l, o->operand[0], o);
    if (status != STATUS_GOOD)
        return status;
    looking_listen();
    status = look_into_all(&l, o);
    status = front_worse(status, looking_tell_all());
    front_unload(&l);
    looking_die();
    return status;
}
