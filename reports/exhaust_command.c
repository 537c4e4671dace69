/* SPDX-License-Identifier: MIT
 *
 * exhaust_command.c - `fencepost exhaust`: every schedule with at most so many faults.
 */
#include "reports/finding.h"

#include <inttypes.h>
#include <stdlib.h>

#define TARGETS_MAX 1024

struct exhausted {
    struct target target;
    const struct options *o;
    struct explored x;
    ns begun;
    bool timed_out;
};

/* --- progress --------------------------------------------------------------------------------------------- */

static bool tick(void *context, uint32_t bound, uint32_t thousandths, uint64_t steps)
{
    struct exhausted *e = context;
    ns gone = looking_now() - e->begun;
    looking_progress("case %s: bound %" PRIu32 ", %" PRIu32 ".%" PRIu32 " %% of the calm run, %" PRIu64
                     " million events",
                     e->target.name, bound, thousandths / 10, thousandths % 10, steps / 1000000);
    e->timed_out = e->o->look.time > 0 && gone >= e->o->look.time;
    return !looking_stopped() && !e->timed_out;
}

/* --- the statement ----------------------------------------------------------------------------------------------- */

static void add_end(struct text *t, const struct exhausted *e)
{
    const struct explored *x = &e->x;
    switch (x->end) {
    case EXPLORE_COMPLETE:
        text_add(t, "complete: no schedule with at most ");
        text_count(t, x->bound, "fault", "faults");
        text_add(t, " breaks it");
        return;
    case EXPLORE_FOUND:
        finding_add_break(t, e->target.sp, x->culprit, x->at, finding_line(&e->target, x->culprit));
        text_add(t, ", with ");
        text_count(t, x->schedule.n, "fault", "faults");
        text_add(t, x->schedule.n > 0 ? ", and nothing with fewer does" : "");
        if (x->schedule.n > 0 && x->proved + 1 != x->schedule.n)
            text_add(t, ", but what ended at a capacity of the file, or with an error of it, shows nothing");
        return;
    case EXPLORE_STEPS: text_add(t, "not complete: --steps ended"); break;
    case EXPLORE_MEMORY: text_add(t, "not complete: --memory ended"); break;
    case EXPLORE_LIMITS:
        text_add(t, "not complete: ");
        text_count(t, x->broken_off, "schedule", "schedules");
        text_add(t, " ended at a capacity of the file (`limit` raises it), or with an error of it; no other breaks it");
        return;
    case EXPLORE_STOPPED:
    case EXPLORE_NO_MEMORY:
        text_add(t, e->timed_out ? "not complete: --time ended" : "not complete: interrupted");
        break;
    }
    text_add(t, " at bound ");
    text_u64(t, x->bound);
    if (x->proved != NONE32) {
        text_add(t, "; complete up to ");
        text_u64(t, x->proved);
    }
}

/* n^2 / 2^61, rounded up to a power of two: 2^-20 is one in a million. */
static void add_collisions(struct text *t, uint64_t states)
{
    int exponent = 0;
    while (exponent < 63 && UINT64_C(1) << exponent < states)
        exponent++;
    text_add(t, "; two states taken for one with a probability of at most 2^");
    text_i64(t, 2 * exponent < 61 ? 2 * exponent - 61 : 0);
}

static const char *twin_name(const struct exhausted *e, uint32_t i)
{
    const struct sim_plan *plan = &e->target.sp->c.sim;
    return plan->names->text[plan->processes[e->x.twins[i]].name];
}

/* "w1 and w2, w3 and w4 are alike: ..." */
static void add_twins(struct text *t, const struct exhausted *e)
{
    const struct explored *x = &e->x;
    for (uint32_t i = 0; i < x->n_twins; i++) {
        if (x->twins[i] == NONE16)
            continue;
        bool first = i == 0 || x->twins[i - 1] == NONE16;
        text_add(t, i == 0 ? "  " : first ? ", " : " and ");
        text_add(t, twin_name(e, i));
    }
    if (x->n_twins > 0)
        text_add(t, " are alike: of states that differ in which of them is where, one is followed\n");
}

static void add_exhausted(struct text *t, const struct exhausted *e)
{
    const struct explored *x = &e->x;
    text_add(t, "case ");
    text_shown(t, e->target.name);
    text_add(t, ": ");
    add_end(t, e);
    text_add(t, "\n  ");
    text_count(t, x->schedules, "schedule", "schedules");
    text_add(t, e->o->look.enumerate ? "" : " followed to an end or to a known state, ");
    if (!e->o->look.enumerate)
        text_count(t, x->states, "state", "states");
    text_add(t, ", ");
    text_count(t, x->steps, "event", "events");
    if (e->o->look.enumerate) {
        text_add(t, "; ");
        text_count(t, x->whole, "event", "events");
        text_add(t, " if each is played from its start");
    }
    text_add(t, "\n  menu: ");
    text_u64(t, e->target.sp->n_offers);
    text_add(t, e->target.sp->said ? " faults, of its `may` lines" : " faults: everything but `losing everything`");
    text_add(t, "; within ");
    text_duration(t, e->target.sp->horizon);
    text_add(t, "; ties at one instant are not explored; linearizable is not judged");
    if (!e->o->look.enumerate)
        add_collisions(t, x->states);
    text_char(t, '\n');
    add_twins(t, e);
    if (x->capped > 0) {
        text_add(t, "  ");
        text_count(t, x->capped, "schedule was", "schedules were");
        text_add(t, " still going on at the horizon or the event limit\n");
    }
}

/* "alike":[["w1","w2"],["w3","w4"]] */
static void json_twins(struct text *t, const struct exhausted *e)
{
    const struct explored *x = &e->x;
    text_key(t, "alike");
    text_add(t, x->n_twins > 0 ? "[[" : "[");
    for (uint32_t i = 0; i < x->n_twins; i++) {
        if (x->twins[i] == NONE16) {
            text_add(t, "],[");
            continue;
        }
        text_add(t, i > 0 && x->twins[i - 1] != NONE16 ? "," : "");
        text_json(t, twin_name(e, i));
    }
    text_add(t, x->n_twins > 0 ? "]]" : "]");
}

static void json_exhausted(struct text *t, const struct exhausted *e)
{
    static const char *const ends[] = {"complete", "found", "steps", "memory", "interrupted", "memory", "limits"};
    const struct explored *x = &e->x;
    text_char(t, '{');
    text_key(t, "file");
    text_json(t, e->target.l->file.path);
    text_key(t, "case");
    text_json(t, e->target.name);
    text_key(t, "end");
    text_json(t, x->end == EXPLORE_STOPPED && e->timed_out ? "out of time" : ends[x->end]);
    text_key(t, "complete");
    text_add(t, x->end == EXPLORE_COMPLETE ? "true" : "false");
    text_key_u64(t, "bound", x->bound);
    text_key_u64(t, "schedules", x->schedules);
    text_key_u64(t, "states", x->states);
    text_key_u64(t, "events", x->steps);
    if (e->o->look.enumerate)
        text_key_u64(t, "events_from_start", x->whole);
    text_key_u64(t, "bytes", x->bytes);
    text_key_u64(t, "menu", e->target.sp->n_offers);
    text_key_u64(t, "horizon_ns", (uint64_t)e->target.sp->horizon);
    text_key_u64(t, "capped", x->capped);
    json_twins(t, e);
    text_key(t, "invariant");
    text_json(t, x->found ? culprit_name(e->target.sp, x->culprit) : NULL);
    text_key_u64(t, "faults", x->found ? x->schedule.n : 0);
}

/* --- one case ---------------------------------------------------------------------------------------------------- */

static void add_statement(struct text *t, const struct exhausted *e)
{
    if (e->o->format == FORMAT_JSON)
        json_exhausted(t, e);
    else
        add_exhausted(t, e);
}

/* Nothing was found. */
static int put_statement(const struct exhausted *e)
{
    struct text t = front_report(1);
    add_statement(&t, e);
    text_add(&t, e->o->format == FORMAT_JSON ? "}\n" : "");
    int status = looking_tell(e->o, &t);
    text_free(&t);
    return status;
}

static void add_how(struct text *t, const struct exhausted *e)
{
    text_add(t, "found by: fencepost exhaust ");
    text_shell(t, e->target.l->file.path);
    text_add(t, " --case ");
    text_add(t, e->target.name);
    looking_add_options(t, e->o);
    text_add(t, " --faults ");
    text_u64(t, e->o->look.faults);
}

/* What was found is minimal in number by the search itself: it is made milder and rounder, and told as the file has
 * it. */
static int put_found(struct exhausted *e)
{
    const struct shrink_options so = finding_shrinks(e->o);
    struct player *p = player_new(e->target.sp, e->target.wanted);
    struct shrunk *z = malloc(sizeof *z);
    struct text how = {0}, said = front_report(e->o->format == FORMAT_JSON ? 1 : 2);
    int status = STATUS_FAILED;
    add_how(&how, e);
    if (p == NULL || z == NULL || !shrink(p, &e->x.schedule, e->x.culprit, &so, z)) {
        status = front_no_memory();
    } else {
        looking_progress_end();
        e->x.culprit = z->culprit;
        e->x.at = z->at;
        add_statement(&said, e);
        const struct finding_told f = {
            .target = &e->target, .o = e->o, .player = p, .z = z, .so = &so, .how = text_c(&how)};
        status = front_worse(status, finding_put(&f, &said));
    }
    text_free(&said);
    text_free(&how);
    free(z);
    player_free(p);
    return status;
}

static int exhaust_case(struct loaded *l, uint32_t i, const struct options *o)
{
    struct exhausted *e = calloc(1, sizeof *e);
    if (e == NULL)
        return front_no_memory();
    *e = (struct exhausted){.o = o, .begun = looking_now()};
    int status = target_open(&e->target, l, i, o);
    if (status == STATUS_GOOD) {
        const struct explore_options eo = {.faults = o->look.faults,
                                           .wanted = e->target.wanted,
                                           .memory = o->look.memory,
                                           .steps = o->look.steps,
                                           .plain = o->look.enumerate,
                                           .tick = tick,
                                           .context = e};
        explore(e->target.sp, &eo, &e->x);
        looking_progress_end();
        status = e->x.end == EXPLORE_NO_MEMORY ? front_no_memory() : e->x.found ? put_found(e) : put_statement(e);
        if (status == STATUS_GOOD && e->x.end != EXPLORE_COMPLETE)
            status = STATUS_UNDONE;
    }
    target_close(&e->target);
    free(e);
    return status;
}

int command_exhaust(const struct options *o)
{
    struct loaded l;
    bool which[TARGETS_MAX];
    int worst = STATUS_GOOD;
    if (o->n_operands != 1) {
        front_complain("exhaust takes one file, and here are %" PRIu32, o->n_operands);
        return STATUS_WRONG;
    }
    int status = looking_check_output(o);
    if (status == STATUS_GOOD)
        status = front_load(&l, o->operand[0], o);
    if (status != STATUS_GOOD)
        return status;
    looking_listen();
    status = target_cases(&l, o, which, TARGETS_MAX);
    for (uint32_t i = 0; i < TARGETS_MAX && status == STATUS_GOOD && !looking_stopped(); i++) {
        status = which[i] ? exhaust_case(&l, i, o) : STATUS_GOOD;
        worst = front_worse(worst, status);
        status = status == STATUS_UNDONE || looking_goes_on(o, status) ? STATUS_GOOD : status;
    }
    worst = front_worse(worst, looking_tell_all());
    front_unload(&l);
    looking_die();
    return front_worse(worst, status);
}
