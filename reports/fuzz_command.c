/* SPDX-License-Identifier: MIT
 *
 * fuzz_command.c - `fencepost fuzz`: samples schedules until one breaks the case or the budget ends.
 */
#include "reports/fuzz_part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TARGETS_MAX 1024

/* --- what was found ------------------------------------------------------------------------------------------- */

static void add_how(struct text *t, const struct looked *k, const struct discovery *d)
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
    text_u64(t, d->after);
    text_add(t, ", ");
    text_add(t, arm_name[d->arm]);
    text_add(t, ")");
}

struct shrink_options fuzz_shrinks(const struct looked *k)
{
    struct shrink_options so = finding_shrinks(k->o);
    so.held = k->held;
    return so;
}

struct finding_told fuzz_finding(const struct looked *k, const struct discovery *d, const struct shrunk *z,
                                 const struct shrink_options *so, struct text *how)
{
    add_how(how, k, d);
    return (struct finding_told){
        .target = &k->target, .o = k->o, .player = k->search->player, .z = z, .so = so, .by = d, .how = text_c(how)};
}

bool fuzz_shrink(struct looked *k, const struct discovery *d, struct shrunk *z)
{
    const struct shrink_options so = fuzz_shrinks(k);
    bool good = shrink(k->search->player, &d->schedule, d->culprit, &so, z);
    looking_progress_end();
    return good;
}

/* The search's own finding. */
static int put_found(struct looked *k)
{
    const struct discovery *d = &k->search->finding;
    const struct shrink_options so = fuzz_shrinks(k);
    bool json = k->o->format == FORMAT_JSON;
    struct text how = {0}, said = front_report(json ? 1 : 2);
    struct shrunk *z = malloc(sizeof *z);
    int status = STATUS_FAILED;
    if (z == NULL || !fuzz_shrink(k, d, z)) {
        status = front_no_memory();
    } else {
        const struct finding_told f = fuzz_finding(k, d, z, &so, &how);
        if (json)
            fuzz_add_object(&said, k);
        status = front_worse(status, finding_put(&f, &said));
    }
    free(z);
    text_free(&how);
    text_free(&said);
    return status;
}

/* --- what breaks by itself -------------------------------------------------------------------------------------- */

/* The calm run breaks it: found, with no fault at all. */
static int put_calm(const struct looked *k, struct culprit c)
{
    struct text t = front_report(1);
    fuzz_add_object(&t, k);
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

int fuzz_complain_calm(const struct looked *k, struct culprit c)
{
    if (k->o->format == FORMAT_JSON)
        return put_calm(k, c);
    return front_worse(STATUS_FAILED, say_calm(k, c, "there is nothing to look for; `fencepost run` shows it"));
}

bool fuzz_calm_breaks(struct looked *k, struct culprit *c)
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

/* --- one case ------------------------------------------------------------------------------------------------- */

int fuzz_complain_round(const struct looked *k)
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

/* Until something is found, or with --keep-going to the end. */
static int play_rounds(struct looked *k)
{
    ns begun = looking_now();
    int status = k->n_found > 0 ? STATUS_FAILED : STATUS_GOOD;
    k->end = ROUND_MORE;
    while (status < STATUS_WRONG && !looking_stopped() && !k->timed_out) {
        if (search_cuts_round(k->search)) {
            status = front_worse(status, fuzz_state_save(k));
            k->cut = true;
        }
        k->end = search_round(k->search);
        show_progress(k, begun);
        k->timed_out = k->o->look.time > 0 && looking_now() - begun >= k->o->look.time;
        if (k->end == ROUND_FOUND && k->o->look.keep_going)
            status = front_worse(status, fuzz_state_note(k));
        else if (k->end != ROUND_MORE)
            break;
        else
            status = front_worse(status, fuzz_state_save_sometimes(k));
    }
    looking_progress_end();
    return status;
}

/* With a finding that is in the folder. */
static int end_found(const struct looked *k, int status)
{
    return k->o->format == FORMAT_JSON ? front_worse(status, fuzz_put_nothing(k)) : status;
}

static int end_search(struct looked *k, int status)
{
    if (k->end == ROUND_NO_MEMORY || k->end == ROUND_BROKEN)
        return fuzz_complain_round(k);
    if (k->end == ROUND_FOUND && !k->o->look.keep_going && k->keep == NULL)
        return put_found(k);
    if (k->end == ROUND_FOUND && !k->o->look.keep_going)
        return end_found(k, front_worse(fuzz_state_note(k), STATUS_FAILED));
    return front_worse(front_worse(status, fuzz_state_save(k)), fuzz_put_nothing(k));
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
    if (status == STATUS_GOOD && fuzz_calm_breaks(&k, &c)) {
        status = fuzz_complain_calm(&k, c);
    } else if (status == STATUS_GOOD) {
        status = fuzz_state_take_up(&k);
        if (status == STATUS_FAILED && !o->look.keep_going)
            status = end_found(&k, status);
        else if (status <= STATUS_FAILED)
            status = end_search(&k, play_rounds(&k));
    }
    free(k.found);
    search_free(k.search);
    target_close(&k.target);
    return status;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

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

static int look_into_all(struct loaded *l, const struct options *o)
{
    bool which[TARGETS_MAX];
    struct keep keep = {.lock = -1};
    struct shards shards = {0};
    int status = target_cases(l, o, which, TARGETS_MAX), worst = STATUS_GOOD;
    if (status == STATUS_GOOD && o->look.state != NULL)
        status = fuzz_state_open(l, o, &keep);
    for (uint32_t i = 0; i < TARGETS_MAX && status == STATUS_GOOD && !looking_stopped(); i++) {
        if (!which[i])
            continue;
        status = o->look.shards > 0 ? fuzz_shard_case(l, i, o, &shards)
                                    : look_into(l, i, o, o->look.state != NULL ? &keep : NULL);
        worst = front_worse(worst, status);
        status = looking_goes_on(o, status) ? STATUS_GOOD : status;
    }
    if (worst < STATUS_WRONG && o->look.shards > 0 && looking_stopped())
        front_complain("interrupted: a shard is whole, or no record of it is written");
    else if (worst < STATUS_WRONG && o->look.shards > 0)
        worst = front_worse(worst, fuzz_shards_put(o, &shards));
    shards_free(&shards);
    if (o->look.state != NULL)
        keep_close(&keep);
    return front_worse(worst, status);
}

int command_fuzz(const struct options *o)
{
    struct loaded l;
    if (o->look.merge)
        return fuzz_merge(o);
    int status = check_options(o);
    status = status == STATUS_GOOD ? looking_check_output(o) : status;
    if (status != STATUS_GOOD)
        return status;
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
