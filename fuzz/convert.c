/* SPDX-License-Identifier: MIT
 *
 * convert.c - see convert.h.
 *
 *  1. Of a file's faults those become deviations that a trigger lets strike (`before`, `after`), and those of
 *     messages that are dated. Both count records or messages of some name in their own run. So the file is played,
 *     with somebody who looks on at each decision point and chooses nothing, and the point at which the count is
 *     reached is the one.
 *     What else is dated strikes at the last point before its time, where that does the same.
 *  2. An address is made of names, so the file's is the space's.
 *  3. Two faults are alike when they are of one kind and strike the same names; of those that are alike the nearest in
 *     magnitude is taken.
 */
#include "fuzz/convert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/found.h"

/* --- to a file --------------------------------------------------------------------------------- */

/* "violates no-stale-write by w1 and effect-once": all that makes the run's verdict. */
static void say_claim(const struct player *p, char *out, size_t size)
{
    const struct run *r = p->run;
    const char *before = "violates ";
    size_t n = (size_t)snprintf(out, size, "holds");
    uint32_t said = 0;
    for (uint32_t i = 0; i < r->n_violations && said < VIOLATIONS_MAX; i++) {
        const struct violation *v = &r->violation[i];
        if (!run_counts(r, i))
            continue;
        n = said == 0 ? 0 : n;
        n += (size_t)snprintf(out + n, n < size ? size - n : 0, "%s%s%s%s", before, invariant_table[v->invariant].name,
                              v->node == NONE16 ? "" : " by ", v->node == NONE16 ? "" : p->sp->names.text[v->node]);
        before = " and ";
        said++;
    }
}

static char *print(const struct scenario *s, uint32_t case_index, uint32_t without, struct player *p,
                   const struct found_lines *lines, size_t *length)
{
    char claim[VIOLATIONS_MAX * 320];
    say_claim(p, claim, sizeof claim);
    const char **line = calloc(lines->n + 1, sizeof *line);
    if (line == NULL)
        return NULL;
    for (uint32_t i = 0; i < lines->n; i++)
        line[i] = lines->line[i];
    struct finding f = {.without = without,
                        .claim = claim,
                        .lines = line,
                        .n_lines = lines->n,
                        .until = p->sp->horizon == p->sp->file_horizon ? 0 : p->sp->horizon};
    char *text = scenario_print_found(s, case_index, &f, length);
    free(line);
    return text;
}

/* Plays the bytes, and then what struck, by whole addresses. */
static bool play_bytes(struct player *p, const struct schedule *s, struct found_lines *lines)
{
    bool low = p->low_addresses;
    p->low_addresses = true;
    bool played = player_play(p, s);
    p->low_addresses = false;
    played = played && found_lines(p, &p->made, lines);
    p->low_addresses = low;
    return played;
}

char *convert_to_file(const struct scenario *s, uint32_t case_index, uint32_t without, struct player *p,
                      const uint8_t *data, size_t n, size_t *length, char *problem)
{
    const char *bad = input_problem(p->sp, data, n);
    struct schedule schedule;
    struct found_lines lines = {0};
    char *text = NULL;
    *length = 0;
    problem[0] = '\0';
    if (bad == NULL && !input_read(p->sp, data, n, &schedule))
        bad = "more than 64 records";
    if (bad == NULL && !play_bytes(p, &schedule, &lines))
        bad = "no memory";
    if (bad == NULL) {
        text = print(s, case_index, without, p, &lines, length);
        bad = text == NULL ? "no file says it, or no memory" : NULL;
    }
    found_free(&lines);
    if (bad != NULL)
        snprintf(problem, CONVERT_TEXT_MAX, "%s", bad);
    return text;
}

/* --- the run of a file ----------------------------------------------------------------------------- */

struct watch {
    struct run *run;
    struct passed *row;
    uint32_t n, max;
    bool failed;
};

static uint32_t look_on(void *context, const struct choice_point *p, uint32_t *faults)
{
    struct watch *w = context;
    (void)faults;
    if (w->n == w->max) {
        uint32_t max = w->max == 0 ? 256 : 2 * w->max;
        struct passed *grown = realloc(w->row, max * sizeof *grown);
        w->failed = w->failed || grown == NULL;
        if (grown == NULL)
            return 0;
        w->row = grown;
        w->max = max;
    }
    w->row[w->n++] = (struct passed){*p, 0, sim_now(w->run->sim)};
    return 0;
}

static bool watch_run(struct watch *w, const struct compiled *file)
{
    const struct run_options options = {.choose = look_on, .context = w};
    w->run = run_new_brief(file);
    bool played = w->run != NULL && run_play(w->run, &options) && !w->failed;
    run_free(w->run);
    w->run = NULL;
    return played;
}

/* --- names -------------------------------------------------------------------------------------------- */

/* Two plans, of the file and of the space. */
struct pair {
    struct space *sp;
    const struct sim_plan *file, *plan;
    bool exact;
};

static bool same_name(const struct pair *k, name_id file, name_id plan)
{
    if (file == NONE16 || plan == NONE16)
        return file == plan;
    return strcmp(k->file->names->text[file], k->plan->names->text[plan]) == 0;
}

static name_id id_name(const struct sim_plan *plan, uint16_t process, bool machine)
{
    return machine ? plan->machines[plan->processes[process].machine].name : plan->processes[process].name;
}

static bool list_names(const struct sim_plan *plan, struct ids ids, bool machines, const char *name)
{
    for (uint32_t i = 0; i < ids.n; i++)
        if (strcmp(plan->names->text[id_name(plan, plan->ids[ids.first + i], machines)], name) == 0)
            return true;
    return false;
}

static bool all_named(const struct sim_plan *a, struct ids x, const struct sim_plan *b, struct ids y, bool machines)
{
    for (uint32_t i = 0; i < x.n; i++)
        if (!list_names(b, y, machines, a->names->text[id_name(a, a->ids[x.first + i], machines)]))
            return false;
    return true;
}

static bool same_list(const struct pair *k, struct ids file, struct ids plan, bool machines)
{
    return all_named(k->file, file, k->plan, plan, machines) && all_named(k->plan, plan, k->file, file, machines);
}

static uint32_t find_machine(const struct sim_plan *plan, const char *name)
{
    for (uint32_t m = 0; m < plan->n_machines; m++)
        if (strcmp(plan->names->text[plan->machines[m].name], name) == 0)
            return m;
    return NONE32;
}

/* Sides may have other numbers; whoever is together is together, and who sees all sees all. Machines that the file left
 * out, for nothing runs there, are on any side. */
static bool same_sides(const struct pair *k, struct ids file, struct ids plan)
{
    uint32_t other[64];
    const uint16_t *x = &k->file->ids[file.first], *y = &k->plan->ids[plan.first];
    if (file.n > 64)
        return false;
    for (uint32_t m = 0; m < file.n; m++) {
        other[m] = find_machine(k->plan, k->file->names->text[k->file->machines[m].name]);
        if (other[m] == NONE32 || other[m] >= plan.n || (x[m] == 0) != (y[other[m]] == 0))
            return false;
        for (uint32_t i = 0; i < m; i++)
            if ((x[i] == x[m]) != (y[other[i]] == y[other[m]]))
                return false;
    }
    return true;
}

/* The process of the space: of its name, and in the same place among those that have it. NONE16: none. */
static uint16_t find_process(const struct pair *k, uint16_t process)
{
    uint32_t rank = 0;
    name_id name = k->file->processes[process].name;
    for (uint16_t p = 0; p < process; p++)
        rank += k->file->processes[p].name == name;
    for (uint16_t p = 0; p < k->plan->n_processes; p++)
        if (same_name(k, name, k->plan->processes[p].name) && rank-- == 0)
            return p;
    return NONE16;
}

/* --- faults --------------------------------------------------------------------------------------------- */

static bool is_message_fault(const struct fault_plan *f)
{
    return f->kind == FAULT_DELAY || f->kind == FAULT_DROP || f->kind == FAULT_DUPLICATE || f->kind == FAULT_REORDER;
}

static bool strikes_machines(const struct fault_plan *f)
{
    return f->kind == FAULT_SUSPEND || f->kind == FAULT_WALL_JUMP || f->kind == FAULT_DRIFT || f->kind == FAULT_SLEW;
}

static bool same_thread(const struct pair *k, uint16_t file, uint16_t plan)
{
    if (file == NONE16 || plan == NONE16)
        return file == plan;
    return same_name(k, k->file->threads[file].alone, k->plan->threads[plan].alone);
}

/* Whom they strike, and how, but for how long or how much. */
static bool alike(const struct pair *k, const struct fault_plan *file, const struct fault_plan *offer)
{
    if (file->kind != offer->kind || file->losing != offer->losing)
        return false;
    if (is_message_fault(file))
        return true; /* where it stands says which */
    if (file->holding != offer->holding || !same_thread(k, file->thread, offer->thread))
        return false;
    if (file->kind == FAULT_PARTITION)
        return same_sides(k, file->a, offer->a);
    if (!same_list(k, file->a, offer->a, strikes_machines(file)) || (file->amount < 0) != (offer->amount < 0) ||
        (file->ppb < 0) != (offer->ppb < 0))
        return false;
    return file->kind != FAULT_CUT || (file->both_ways == offer->both_ways && same_list(k, file->b, offer->b, false));
}

/* How far apart two magnitudes are; for ever is far from everything else. */
static uint64_t apart(int64_t a, int64_t b)
{
    a = a > NS_MAX ? 2 * NS_MAX : a;
    b = b > NS_MAX ? 2 * NS_MAX : b;
    return (uint64_t)(a < b ? b - a : a - b);
}

/* The offer that is most like it, of those that may strike at this point. NONE32: none is. *distance: from it. */
static uint32_t nearest_offer(const struct pair *k, const struct fault_plan *f, const struct choice_point *p,
                              uint64_t *distance)
{
    uint32_t best = NONE32;
    *distance = UINT64_MAX;
    for (uint32_t i = 0; i < k->sp->n_offers; i++) {
        const struct fault_plan *offer = &k->sp->faults[k->sp->own + i];
        if (!alike(k, f, offer) || !space_offers(k->sp, p, i))
            continue;
        uint64_t d = apart(f->duration, offer->duration) + apart(f->amount, offer->amount) + apart(f->ppb, offer->ppb);
        if (d < *distance) {
            best = k->sp->own + i;
            *distance = d;
        }
    }
    return best;
}

/* --- where they strike ------------------------------------------------------------------------------------- */

/* The ordinal-th point that the trigger counts. */
static const struct passed *trigger_point(const struct watch *w, const struct trigger_plan *t)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        const struct choice_point *p = &w->row[i].p;
        bool counts = p->kind == (t->before ? CHOICE_BEFORE : CHOICE_AFTER) && p->actor == t->actor &&
                      p->what == t->verb && (t->object == NONE16 || p->peer == t->object);
        if (counts && ++n == t->ordinal)
            return &w->row[i];
    }
    return NULL;
}

static bool has_process(const struct sim_plan *plan, struct ids ids, uint16_t process)
{
    for (uint32_t i = 0; i < ids.n; i++)
        if (plan->ids[ids.first + i] == process)
            return true;
    return false;
}

/* The message that it strikes: counted from its time on, or from the point of its trigger. */
static const struct passed *message_point(const struct watch *w, const struct sim_plan *plan,
                                          const struct fault_plan *f, const struct passed *trigger)
{
    uint32_t n = 0;
    for (uint32_t i = trigger == NULL ? 0 : (uint32_t)(trigger - w->row) + 1; i < w->n; i++) {
        const struct passed *q = &w->row[i];
        bool counts = q->p.kind == CHOICE_MESSAGE && q->at >= f->at && has_process(plan, f->a, q->p.from) &&
                      has_process(plan, f->b, q->p.to);
        if (counts && ++n == f->ordinal)
            return q;
    }
    return NULL;
}

/* The last point by that time where something other than a message can be struck, or the first of all. */
static const struct passed *dated_point(const struct watch *w, ns at)
{
    const struct passed *last = NULL;
    for (uint32_t i = 0; i < w->n; i++) {
        const struct passed *q = &w->row[i];
        if (q->p.kind == CHOICE_MESSAGE)
            continue;
        if (last == NULL || q->at <= at)
            last = q;
    }
    return last;
}

static void leave_out(struct converted *out, uint32_t line, const char *why)
{
    out->left_out++;
    if (out->why != NULL)
        return;
    out->why = why;
    out->line = line;
}

/* The processes of the space with these names. False: it lacks one, or there is no room. */
static bool bring_ids(const struct pair *k, struct ids file, struct ids *out)
{
    uint16_t list[64];
    if (file.n > 64)
        return false;
    for (uint32_t i = 0; i < file.n; i++) {
        list[i] = find_process(k, k->file->ids[file.first + i]);
        if (list[i] == NONE16)
            return false;
    }
    *out = space_ids(k->sp, list, file.n);
    return out->n == file.n;
}

/* Sides by machine of the space; whom the file does not have sees all. */
static bool bring_sides(const struct pair *k, struct ids file, struct ids *out)
{
    uint16_t list[64] = {0};
    if (k->plan->n_machines > 64)
        return false;
    for (uint32_t m = 0; m < file.n; m++) {
        uint32_t to = find_machine(k->plan, k->file->names->text[k->file->machines[m].name]);
        if (to != NONE32)
            list[to] = k->file->ids[file.first + m];
    }
    *out = space_ids(k->sp, list, k->plan->n_machines);
    return out->n == k->plan->n_machines;
}

/* A fault that the menu does not have, brought in beside it as the file says it. NONE32: it cannot be. */
static uint32_t bring(const struct pair *k, const struct fault_plan *f, uint32_t nearest, uint32_t n)
{
    if (n >= OWN_ROOM / 2)
        return NONE32;
    struct fault_plan own = nearest != NONE32 ? k->sp->faults[nearest] : *f;
    own.duration = f->duration;
    own.amount = f->amount;
    own.ppb = f->ppb;
    if (nearest != NONE32)
        return space_own(k->sp, OWN_ROOM - 1 - n, nearest, &own);
    own.at = -1;
    own.text = NONE16;
    bool sides = f->kind == FAULT_PARTITION;
    if (f->thread != NONE16 || f->kind == FAULT_HEAL || f->kind == FAULT_RESUME_ORDER || is_message_fault(f))
        return NONE32;
    if (!(sides ? bring_sides(k, f->a, &own.a) : bring_ids(k, f->a, &own.a)) || !bring_ids(k, f->b, &own.b))
        return NONE32;
    return space_own_new(k->sp, OWN_ROOM - 1 - n, &own);
}

static void convert(const struct pair *k, const struct fault_plan *f, const struct passed *q, struct converted *out)
{
    if (q == NULL) {
        leave_out(out, f->line, "what it waits for does not come");
        return;
    }
    struct choice_point p = q->p;
    p.from = p.from == NONE16 ? NONE16 : find_process(k, p.from);
    p.to = p.to == NONE16 ? NONE16 : find_process(k, p.to);
    bool known = p.kind != CHOICE_MESSAGE || (p.from != NONE16 && p.to != NONE16);
    uint64_t distance = 0;
    uint32_t fault = known ? nearest_offer(k, f, &p, &distance) : NONE32;
    if (known && k->exact && (fault == NONE32 || distance > 0)) {
        fault = bring(k, f, fault, out->brought);
        out->brought += fault != NONE32;
        distance = 0;
    }
    if (fault == NONE32)
        leave_out(out, f->line, "the menu of this case has no such fault there");
    else if (!schedule_add(&out->schedule, p.address, fault, (uint32_t)out->schedule.n))
        leave_out(out, f->line, "there is one like it, or there are too many");
    else
        out->near += distance > 0;
}

/* --- what the space's case has itself ------------------------------------------------------------------------- */

#define LINE_MAX_BYTES 2048

/* "before w1 writes ledger: pause w1 for 12s", "at 0.5s: ..." */
static void say_fault(const struct sim_plan *plan, const struct trigger_plan *t, const struct fault_plan *f, char *out)
{
    size_t n = t == NULL ? (size_t)snprintf(out, LINE_MAX_BYTES, "at %lld", (long long)f->at)
                         : trigger_text(plan, t, out, LINE_MAX_BYTES / 2);
    if (n < LINE_MAX_BYTES / 2)
        fault_text(plan, f, out + n, LINE_MAX_BYTES - n);
}

/* Whether line i of the file, by its text, is one that the case has: as often in both up to there. */
static const struct trigger_plan *trigger_of(const struct sim_plan *plan, uint32_t fault)
{
    for (uint32_t i = 0; i < plan->n_triggers; i++)
        if (plan->triggers[i].fault == fault)
            return &plan->triggers[i];
    return NULL;
}

static uint32_t count_lines(const struct sim_plan *plan, uint32_t n_faults, const char *line)
{
    char other[LINE_MAX_BYTES];
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_faults; i++) {
        say_fault(plan, trigger_of(plan, i), &plan->faults[i], other);
        n += strcmp(line, other) == 0;
    }
    return n;
}

static bool case_has(const struct pair *k, uint32_t i)
{
    char line[LINE_MAX_BYTES];
    say_fault(k->file, trigger_of(k->file, i), &k->file->faults[i], line);
    return count_lines(k->file, i, line) < count_lines(k->plan, k->sp->own, line);
}

/* Until when a closed link without an end is closed: the next `heal` with a date. */
static ns healed_at(const struct sim_plan *plan, ns after)
{
    ns at = NS_NEVER;
    for (uint32_t i = 0; i < plan->n_faults; i++)
        if (plan->faults[i].kind == FAULT_HEAL && plan->faults[i].at > after && plan->faults[i].at < at)
            at = plan->faults[i].at;
    return at;
}

/* A fault at some time strikes at the point before it, and lasts as much longer: it ends when it did. */
static void convert_dated(const struct pair *k, const struct watch *w, const struct fault_plan *f,
                          struct converted *out)
{
    const struct passed *q = dated_point(w, f->at);
    struct fault_plan longer = *f;
    bool closes = f->kind == FAULT_PARTITION || f->kind == FAULT_CUT;
    if (closes && f->duration == NS_NEVER && healed_at(k->file, f->at) != NS_NEVER)
        longer.duration = healed_at(k->file, f->at) - f->at;
    if (q != NULL && longer.duration != NS_NEVER && q->at <= f->at)
        longer.duration += f->at - q->at;
    convert(k, &longer, q, out);
}

/* A message behind what a trigger waits for. */
static void convert_behind(const struct pair *k, const struct watch *w, const struct fault_plan *f,
                           const struct trigger_plan *t, struct converted *out)
{
    const struct passed *q = trigger_point(w, t);
    convert(k, f, q == NULL ? NULL : message_point(w, k->file, f, q), out);
}

bool convert_from_file(struct space *sp, const struct compiled *file, bool exact, struct converted *out)
{
    const struct pair k = {sp, &file->sim, &sp->c.sim, exact};
    struct watch w = {0};
    memset(out, 0, sizeof *out);
    bool played = watch_run(&w, file);
    for (uint32_t i = 0; played && i < file->sim.n_faults; i++) {
        const struct fault_plan *f = &file->sim.faults[i];
        const struct trigger_plan *t = trigger_of(&file->sim, i);
        if (case_has(&k, i) || (f->kind == FAULT_HEAL && t == NULL))
            continue; /* a dated heal is the end of what it heals */
        if (t != NULL && !is_message_fault(f))
            convert(&k, f, trigger_point(&w, t), out);
        else if (t == NULL && is_message_fault(f))
            convert(&k, f, message_point(&w, &file->sim, f, NULL), out);
        else if (t == NULL)
            convert_dated(&k, &w, f, out);
        else
            convert_behind(&k, &w, f, t, out);
    }
    free(w.row);
    return played;
}
