/* SPDX-License-Identifier: MIT
 *
 * found.c - see found.h.
 *
 *  1. A deviation before or after what the trace says becomes a trigger with the same names and ordinal; where the
 *     record names no object the trigger counts every object, so it is counted anew in this run.
 *  2. A deviation at a message becomes a fault of time 0 that counts the messages of that link: the same count.
 */
#include "fuzz/found.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMESAKES_MAX 4 /* processes of one name: a program and a service */
#define NAME_ROOM 128   /* " by " and a name */
#define IDLE_MAX 256    /* lines that a found file leaves out */

static const struct passed *find_point(const struct player *p, uint64_t address)
{
    for (uint32_t i = 0; i < p->n_points; i++)
        if (p->points[i].p.address == address)
            return &p->points[i];
    return NULL;
}

/* How often this came by then, whatever its object. */
static uint32_t count_any(const struct player *p, const struct passed *point)
{
    uint32_t n = 0;
    for (const struct passed *q = p->points; q <= point; q++)
        n += q->p.kind == point->p.kind && q->p.actor == point->p.actor && q->p.what == point->p.what;
    return n;
}

/* All processes of the name of this one, to *ids from n on. Returns how many there are then. */
static uint32_t add_namesakes(const struct sim_plan *plan, uint16_t process, uint16_t *ids, uint32_t n)
{
    for (uint16_t i = 0; i < plan->n_processes && n < 2 * NAMESAKES_MAX; i++)
        if (plan->processes[i].name == plan->processes[process].name)
            ids[n++] = i;
    return n;
}

/* A link's ends are names, and so is its count: a node's program and its service of the same name are one. */
static void say_message(const struct player *p, const struct passed *point, uint32_t fault, char *out)
{
    struct sim_plan plan = p->sp->c.sim;
    struct fault_plan f = plan.faults[fault];
    uint16_t ends[2 * NAMESAKES_MAX];
    uint32_t from = add_namesakes(&plan, point->p.from, ends, 0);
    uint32_t both = add_namesakes(&plan, point->p.to, ends, from);
    int n = snprintf(out, FOUND_LINE_MAX, "at 0s: ");
    plan.ids = ends;
    f.a = (struct ids){0, from};
    f.b = (struct ids){from, both - from};
    f.ordinal = point->p.occurrence;
    fault_text(&plan, &f, out + n, FOUND_LINE_MAX - (size_t)n);
}

static void say_step(const struct player *p, const struct passed *point, uint32_t fault, char *out)
{
    const struct sim_plan *plan = &p->sp->c.sim;
    bool any = point->p.peer == NONE16;
    struct trigger_plan t = {.before = point->p.kind == CHOICE_BEFORE,
                             .verb = point->p.what,
                             .actor = point->p.actor,
                             .object = point->p.peer,
                             .ordinal = any ? count_any(p, point) : point->p.occurrence,
                             .fault = fault};
    if (point->p.kind == CHOICE_MESSAGE) {
        say_message(p, point, fault, out);
        return;
    }
    size_t n = trigger_text(plan, &t, out, FOUND_LINE_MAX);
    if (n < FOUND_LINE_MAX - 3) {
        memcpy(out + n, ": ", 3);
        fault_text(plan, &plan->faults[fault], out + n + 2, FOUND_LINE_MAX - n - 2);
    }
}

/* In the order of the points, and at one point in the order of the faults. */
static void sort_steps(struct schedule *s)
{
    for (uint32_t i = 1; i < s->n; i++) {
        struct step one = s->row[i];
        uint32_t k = i;
        for (; k > 0 && (s->row[k - 1].at > one.at || (s->row[k - 1].at == one.at && s->row[k - 1].fault > one.fault));
             k--)
            s->row[k] = s->row[k - 1];
        s->row[k] = one;
    }
}

/* A run that came to no end of its own, by its event limit or another, ends in its file right after what it broke: a
 * file whose run is an error breaks nothing. 0: it came to one. */
static ns ends_early(const struct player *p)
{
    ns until = (p->found_at / NS_PER_S + 1) * NS_PER_S;
    if (p->whole || !p->found)
        return 0;
    return until < p->run->end_ns ? until : p->found_at;
}

/* early: of such a run, what struck before its file ends. */
static bool lines_until(struct player *p, const struct schedule *s, bool early, struct found_lines *out)
{
    memset(out, 0, sizeof *out);
    bool points = p->note_points;
    p->note_points = true;
    bool played = player_play(p, s);
    p->note_points = points;
    out->line = calloc(p->made.n + 1, sizeof *out->line);
    if (!played || out->line == NULL)
        return false;
    struct schedule made = p->made;
    ns until = early ? ends_early(p) : 0;
    sort_steps(&made);
    for (uint32_t i = 0; i < made.n; i++) {
        const struct passed *point = find_point(p, made.row[i].address);
        if (until != 0 && point->at > until)
            continue;
        say_step(p, point, made.row[i].fault, out->line[out->n++]);
        out->made.row[out->made.n++] = made.row[i];
    }
    out->inert = s->n - made.n;
    return true;
}

bool found_lines(struct player *p, const struct schedule *s, struct found_lines *out)
{
    return lines_until(p, s, false, out);
}

void found_free(struct found_lines *f)
{
    free(f->line);
    memset(f, 0, sizeof *f);
}

const char *culprit_name(const struct space *sp, struct culprit c)
{
    (void)sp;
    return is_reached(c)              ? situation_name(c.invariant - REACHED)
           : c.invariant < INVARIANTS ? invariant_table[c.invariant].name
                                      : "always";
}

/* "violates no-stale-write by w1"; a broken sign is named as one. What breaks besides is named too: the file's case
 * must do what it says. */
static size_t say_claim(const struct run *r, const struct space *sp, struct culprit c, ns until, char *out, size_t size)
{
    size_t n = 0;
    const char *before = "violates";
    if (c.invariant >= INVARIANTS && !is_reached(c))
        return (size_t)snprintf(out, size, "holds");
    if (!is_reached(c)) {
        n += (size_t)snprintf(out, size, "violates %s", invariant_table[c.invariant].name);
        before = " and";
    }
    if (c.node != NONE16)
        n += (size_t)snprintf(out + n, size - n, " by %s", sp->c.sim.names->text[c.node]);
    for (uint32_t i = 0; i < r->n_violations; i++) {
        uint32_t k = r->violation[i].invariant;
        bool sign = invariant_table[k].kind == INV_SIGN && !(sp->whole->signs >> k & 1);
        bool comes = until == 0 || r->violation[i].at <= until;
        if (k == c.invariant || sign || !comes)
            continue;
        n += (size_t)snprintf(out + n, size - n, "%s %s", before, invariant_table[k].name);
        before = " and";
    }
    return n > 0 ? n : (size_t)snprintf(out, size, "holds");
}

/* What its name says is reached there as well. *no_memory: nobody could look. */
static bool reaches(const struct compiled *c, const struct run *r, uint32_t cell, bool *no_memory)
{
    uint32_t n = 0;
    struct situation_reader *reader = situation_reader_new(c);
    *no_memory = reader == NULL;
    const struct reached *reached = reader == NULL ? NULL : situations_of_run(reader, r, &n);
    bool found = false;
    for (uint32_t i = 0; i < n; i++)
        found = found || reached[i].cell == cell;
    situation_reader_free(reader);
    return found;
}

/* The file does what it says: it reads, and its case breaks what was found. *no_memory: it could not be asked. */
static bool check_file(const char *text, size_t length, struct space *sp, struct culprit c, bool *no_memory)
{
    struct diags diags = {0};
    struct scenario *s = scenario_parse(text, length, "found", NULL, 0, &diags);
    struct compiled *compiled = s == NULL ? NULL : scenario_compile(s, 0, 0, 0, &diags);
    struct run *r = compiled == NULL ? NULL : run_case(compiled, NULL);
    bool good = false;
    *no_memory = diags.no_memory || (compiled != NULL && r == NULL);
    for (uint32_t i = 0; r != NULL && c.invariant < INVARIANTS && r->as_expected && i < r->n_violations; i++)
        good = good || (r->violation[i].invariant == c.invariant &&
                        (c.node == NONE16 ||
                         strcmp(compiled->sim.names->text[r->violation[i].node], sp->c.sim.names->text[c.node]) == 0));
    if (is_reached(c))
        good = r != NULL && (r->as_expected || r->n_misses > 0) &&
               reaches(compiled, r, c.invariant - REACHED, no_memory);
    else
        good = good || (r != NULL && c.invariant >= INVARIANTS && r->n_misses > 0);
    run_free(r);
    if (compiled != NULL)
        compiled_free(compiled);
    if (s != NULL)
        scenario_free(s);
    return good;
}

/* Lines that wait for what does not come in this run: a file in which nothing comes of them is refused. */
static uint32_t list_idle(const struct player *p, const struct found_file *f, uint32_t *lines)
{
    const struct sim_plan *plan = &p->sp->c.sim;
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n_dropped && n < IDLE_MAX; i++)
        lines[n++] = f->dropped[i];
    for (uint32_t i = 0; i < plan->n_triggers && n < IDLE_MAX; i++)
        if (!sim_trigger_fired(p->run->sim, i, NULL))
            lines[n++] = plan->faults[plan->triggers[i].fault].line;
    return n;
}

char *found_text(const struct scenario *s, uint32_t case_index, struct player *p, const struct schedule *schedule,
                 struct culprit culprit, const struct found_file *f, size_t *length, bool *good)
{
    char claim[64 + INVARIANTS * 32 + NAME_ROOM];
    struct found_lines lines;
    *good = false;
    if (!lines_until(p, schedule, true, &lines)) {
        found_free(&lines);
        return NULL;
    }
    const char *rows[SCHEDULE_MAX];
    for (uint32_t i = 0; i < lines.n; i++)
        rows[i] = lines.line[i];
    ns early = ends_early(p);
    say_claim(p->run, p->sp, culprit, early, claim, sizeof claim);
    bool capped = p->run->end == END_HORIZON && p->sp->horizon < p->sp->file_horizon;
    uint32_t dropped[IDLE_MAX], n_dropped = list_idle(p, f, dropped);
    struct finding finding = {.without = f->without,
                              .put_back = f->put_back,
                              .claim = claim,
                              .lines = rows,
                              .n_lines = lines.n,
                              .notes = f->notes,
                              .n_notes = f->n_notes,
                              .dropped = dropped,
                              .n_dropped = n_dropped,
                              .until = early > 0      ? early
                                       : f->until > 0 ? f->until
                                       : capped       ? p->sp->horizon
                                                      : 0};
    char *text = scenario_print_found(s, case_index, &finding, length);
    bool no_memory = false;
    *good = text != NULL && check_file(text, *length, p->sp, culprit, &no_memory);
    found_free(&lines);
    if (no_memory) {
        free(text);
        text = NULL;
    }
    return text;
}
