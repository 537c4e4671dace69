/* SPDX-License-Identifier: MIT
 *
 * explain_windows.c - within what each needed fault still breaks it: how long, how late, when.
 *
 * By scanning, never by bisection: what breaks need not hang together. First a grid of round values, from nothing to
 * twice what the file says, or over the time up to the violation; then, wherever two neighbours come out differently,
 * the round values between them, and once more. What lies between two values that were tried is not said to be
 * anything.
 *
 * A fault that waits for an event is moved to the other events of the same actor, each before and after: those that
 * the run has without the fault, for up to the moment of the fault the two are one.
 */
#include <string.h>

#include "fuzz/explain_part.h"

#define GRID 24       /* values of the grid, at most */
#define TRIED_MAX 160 /* values of one window */
#define EDGES_MAX 4   /* edges of one window that are looked at closely, at once */
#define BETWEEN 12    /* values between two neighbours, at most */
#define LEVELS 2      /* how often: each divides a step by ten, or nearly */
#define MOMENTS_MAX 32
#define MESSAGES_AROUND 6       /* before and behind the one that a fault strikes */
#define PPB_MOST (NS_PER_S / 2) /* of a drift, as the language takes it */

/* One window in the making. */
struct scan {
    struct explaining *e;
    struct fault_fact *row;
    enum window_of of;
    struct fault_plan fault; /* to be changed */
    const struct trigger_plan *trigger;
    struct scanned *w;
};

/* --- one value --------------------------------------------------------------------------------- */

static void set_value(struct scan *s, int64_t value)
{
    struct fault_plan *f = &s->fault;
    switch (s->of) {
    case WINDOW_LENGTH: f->duration = value; break;
    case WINDOW_AMOUNT: f->amount = f->amount < 0 ? -value : value; break;
    case WINDOW_RATE: f->ppb = f->ppb < 0 ? -value : value; break;
    case WINDOW_MESSAGE: f->ordinal = (uint32_t)value; break;
    default: f->at = value;
    }
}

/* Tries it, unless it was tried, and puts it in its place. */
static void try_value(struct scan *s, int64_t value)
{
    struct scanned *w = s->w;
    uint32_t i = 0;
    while (i < w->n && w->tried[i].value < value)
        i++;
    if (w->n == TRIED_MAX || (i < w->n && w->tried[i].value == value))
        return;
    set_value(s, value);
    const char *line = explain_line(s->e, &s->fault, s->trigger);
    if (line == NULL)
        return;
    struct tried one = {.value = value};
    const struct change change = change_line(s->e, s->row->line, line);
    replay_change(s->e, &change, false, &one.replay);
    if (one.replay.end == REPLAY_UNASKED || one.replay.end == REPLAY_IMPOSSIBLE)
        return;
    memmove(&w->tried[i + 1], &w->tried[i], (w->n - i) * sizeof *w->tried);
    w->tried[i] = one;
    w->n++;
}

/* --- a window of values ------------------------------------------------------------------------- */

static bool breaks_it(const struct tried *t) { return t->replay.end == REPLAY_SAME; }

/* The smallest of 1, 2, 5, 10, 20 ... of which at most n reach as far. */
static int64_t step_of(int64_t reach, int64_t n)
{
    int64_t step = 1;
    for (int k = 1; reach / step > n && step < NS_MAX; k++)
        step = k % 3 == 2 ? step / 2 * 5 : step * 2;
    return step;
}

/* The round values between two. */
static void look_between(struct scan *s, int64_t from, int64_t to)
{
    int64_t step = step_of(to - from, BETWEEN);
    for (int64_t v = from - from % step + step; v < to; v += step)
        try_value(s, v);
}

/* Between neighbours that come out differently. Below the first value stands that there is no fault, which breaks
 * nothing. */
static void look_closely(struct scan *s)
{
    int64_t edge[EDGES_MAX][2];
    uint32_t n = 0;
    const struct scanned *w = s->w;
    for (uint32_t i = 0; i < w->n && n < EDGES_MAX; i++) {
        bool below = i == 0 ? s->of == WINDOW_TIME && breaks_it(&w->tried[i]) : breaks_it(&w->tried[i - 1]);
        if (below == breaks_it(&w->tried[i]) || w->tried[i].value == NS_NEVER)
            continue;
        edge[n][0] = i == 0 ? 0 : w->tried[i - 1].value;
        edge[n++][1] = w->tried[i].value;
    }
    for (uint32_t i = 0; i < n; i++)
        look_between(s, edge[i][0], edge[i][1]);
}

/* What stands in the file is one of the values, and it breaks: else there is no window to speak of. */
static void find_own(struct scanned *w, int64_t own)
{
    uint32_t i = 0;
    while (i < w->n && w->tried[i].value != own)
        i++;
    w->own = i;
    if (i == w->n || !breaks_it(&w->tried[i]))
        w->n = 0;
}

/* own: what the file says; reach: how far the grid goes; most: the largest value that there can be. */
static void scan_values(struct scan *s, int64_t own, int64_t reach, int64_t most)
{
    s->w->tried = arena_alloc(&s->e->x->arena, TRIED_MAX * sizeof *s->w->tried);
    if (s->w->tried == NULL)
        return;
    try_value(s, own);
    int64_t step = step_of(reach, GRID);
    for (int64_t v = s->of == WINDOW_TIME ? 0 : step; v <= reach && v <= most; v += step)
        try_value(s, v);
    if (s->of != WINDOW_TIME && own <= most / 10) {
        try_value(s, 5 * own);
        try_value(s, 10 * own);
    }
    if (s->of == WINDOW_LENGTH)
        try_value(s, NS_NEVER);
    for (int i = 0; i < LEVELS; i++)
        look_closely(s);
    find_own(s->w, own);
}

/* The messages before and behind the one that it strikes. */
static void scan_messages(struct scan *s)
{
    int64_t own = s->fault.ordinal, from = own > MESSAGES_AROUND ? own - MESSAGES_AROUND : 1;
    s->w->tried = arena_alloc(&s->e->x->arena, (2 * MESSAGES_AROUND + 1) * sizeof *s->w->tried);
    for (int64_t v = from; v <= own + MESSAGES_AROUND && s->w->tried != NULL; v++)
        try_value(s, v);
    find_own(s->w, own);
}

/* --- a window of moments ------------------------------------------------------------------------- */

static int64_t point_field(const struct sim_plan *plan, const struct record *r, const char *name)
{
    return record_field(plan, r, name).v;
}

/* Whether the trigger waits for points of this label. */
static bool is_label(const struct trigger_plan *t, const struct trigger_plan *point)
{
    return t->before == point->before && t->verb == point->verb && t->actor == point->actor &&
           (t->object == NONE16 || t->object == point->object);
}

struct moment {
    struct trigger_plan trigger;
    ns at;
};

/* The points of the trigger's actor up to the violation, in a run without the fault; *own: that of the trigger. */
static uint32_t list_moments(const struct scan *s, const struct replay_open *open, struct moment *out, uint32_t most,
                             ns until, uint32_t *own)
{
    const struct sim_plan *plan = &open->c->sim;
    uint32_t records, n = 0, came = 0;
    const struct record *r = sim_trace(open->run->sim, &records);
    *own = NONE32;
    for (; records-- > 0 && n < most && r->at <= until; r++) {
        int64_t kind = r->verb == V_CHOICE ? point_field(plan, r, "kind") : CHOICES;
        if ((kind != CHOICE_BEFORE && kind != CHOICE_AFTER) || r->actor != s->trigger->actor)
            continue;
        struct trigger_plan t = {.before = kind == CHOICE_BEFORE,
                                 .verb = (uint16_t)point_field(plan, r, "what"),
                                 .actor = r->actor,
                                 .object = r->object,
                                 .ordinal = (uint32_t)point_field(plan, r, "#"),
                                 .fault = NONE32};
        if (r->object == NONE16 || !(plan->verbs[t.verb].flags & (t.before ? VERB_BEFORE : VERB_AFTER)))
            t.object = NONE16;
        came += is_label(s->trigger, &t);
        if (is_label(s->trigger, &t) && came == s->trigger->ordinal && *own == NONE32) {
            *own = n;
            t = *s->trigger;
        }
        out[n++] = (struct moment){t, r->at};
    }
    return n;
}

static void try_moment(struct scan *s, const struct moment *m)
{
    struct tried *one = &s->w->tried[s->w->n];
    const char *line = explain_line(s->e, &s->fault, &m->trigger);
    if (line == NULL)
        return;
    const struct change change = change_line(s->e, s->row->line, line);
    *one = (struct tried){.value = m->at};
    replay_change(s->e, &change, false, &one->replay);
    s->w->n += one->replay.end != REPLAY_UNASKED && one->replay.end != REPLAY_IMPOSSIBLE;
}

static void scan_moments(struct scan *s, ns until)
{
    struct replay_open open;
    uint32_t most = 4096, n = 0, own = NONE32;
    struct moment *all = arena_alloc(&s->e->x->arena, most * sizeof *all);
    s->w->tried = arena_alloc(&s->e->x->arena, MOMENTS_MAX * sizeof *s->w->tried);
    if (all == NULL || s->w->tried == NULL)
        return;
    if (replay_open(s->e, &s->row->without.change, SIM_POINTS, &open))
        n = list_moments(s, &open, all, most, until, &own);
    replay_close(&open);
    if (own == NONE32)
        return;
    uint32_t from = own > MOMENTS_MAX / 2 ? own - MOMENTS_MAX / 2 : 0;
    for (uint32_t i = from; i < n && i < from + MOMENTS_MAX; i++) {
        if (i == own)
            s->w->own = s->w->n;
        try_moment(s, &all[i]);
    }
    if (s->w->n == 0 || s->w->own >= s->w->n || !breaks_it(&s->w->tried[s->w->own]))
        s->w->n = 0;
}

/* --- each fault --------------------------------------------------------------------------------------- */

static ns broke_at(const struct explanation *x)
{
    return x->what == EXPLAINED_RULE ? x->run->violation[x->index].at : x->run->misses[x->index].at;
}

/* How far the grid goes for something that lasts or lies so long; without an end: up to the violation. */
static int64_t reach_of(const struct explanation *x, const struct fault_fact *row, int64_t own)
{
    if (own != NS_NEVER)
        return own <= NS_MAX / 2 ? 2 * own : NS_MAX;
    ns left = broke_at(x) - row->at;
    return left > NS_PER_S ? 2 * left : 2 * NS_PER_S;
}

static int64_t size_of(int64_t signed_value) { return signed_value < 0 ? -signed_value : signed_value; }

static void scan(struct explaining *e, struct fault_fact *row, enum window_of of)
{
    struct explanation *x = e->x;
    const struct sim_plan *plan = &x->c->sim;
    struct scan s = {e, row, of, plan->faults[row->fault], NULL, &row->window[of]};
    if (row->trigger != NONE32)
        s.trigger = &plan->triggers[row->trigger];
    int64_t length = s.fault.duration, amount = size_of(s.fault.amount), rate = size_of(s.fault.ppb);
    switch (of) {
    case WINDOW_LENGTH: scan_values(&s, length, reach_of(x, row, length), NS_MAX); break;
    case WINDOW_AMOUNT:
        scan_values(&s, amount, reach_of(x, row, amount), s.fault.kind == FAULT_SLEW ? length / 2 : NS_MAX);
        break;
    case WINDOW_RATE: scan_values(&s, rate, 2 * rate, PPB_MOST); break;
    case WINDOW_TIME: scan_values(&s, s.fault.at, broke_at(x), NS_MAX); break;
    case WINDOW_MESSAGE: scan_messages(&s); break;
    default: scan_moments(&s, broke_at(x));
    }
}

static void scan_fault(struct explaining *e, struct fault_fact *row)
{
    enum fault_kind kind = (enum fault_kind)e->x->c->sim.faults[row->fault].kind;
    bool message = kind == FAULT_DELAY || kind == FAULT_DROP || kind == FAULT_DUPLICATE || kind == FAULT_REORDER;
    switch (kind) {
    case FAULT_PAUSE:
    case FAULT_SUSPEND:
    case FAULT_CRASH:
    case FAULT_PARTITION:
    case FAULT_CUT: scan(e, row, WINDOW_LENGTH); break;
    case FAULT_SLOW:
        scan(e, row, WINDOW_AMOUNT);
        scan(e, row, WINDOW_LENGTH);
        break;
    case FAULT_DELAY:
    case FAULT_DUPLICATE:
    case FAULT_WALL_JUMP:
    case FAULT_SLEW: scan(e, row, WINDOW_AMOUNT); break;
    case FAULT_DRIFT: scan(e, row, WINDOW_RATE); break;
    default: break;
    }
    if (row->trigger != NONE32 && kind != FAULT_RESUME_ORDER)
        scan(e, row, WINDOW_MOMENT);
    else if (row->trigger == NONE32 && (!message || row->at > 0))
        scan(e, row, WINDOW_TIME);
    if (message && row->trigger == NONE32)
        scan(e, row, WINDOW_MESSAGE);
}

/* --- the nearest that passes ---------------------------------------------------------------------------- */

/* Times and lengths are compared with each other; a moment, a message or a rate counts where there is no time. */
static int64_t distance(const struct scanned *w, enum window_of of, uint32_t i)
{
    int64_t own = w->tried[w->own].value, value = w->tried[i].value;
    if (own == NS_NEVER || value == NS_NEVER)
        return of == WINDOW_LENGTH ? NS_MAX : NS_NEVER;
    if (of == WINDOW_MOMENT || of == WINDOW_RATE || of == WINDOW_MESSAGE)
        return NS_MAX / 2 + (i > w->own ? i - w->own : w->own - i);
    return value > own ? value - own : own - value;
}

static void find_nearest(struct explanation *x)
{
    int64_t best = NS_NEVER;
    for (uint32_t f = 0; f < x->n_faults; f++)
        for (uint32_t of = 0; of < WINDOWS; of++) {
            const struct scanned *w = &x->fault[f].window[of];
            for (uint32_t i = 0; i < w->n; i++) {
                if (w->tried[i].replay.end != REPLAY_HOLDS || distance(w, (enum window_of)of, i) >= best)
                    continue;
                best = distance(w, (enum window_of)of, i);
                x->nearest = (struct nearest){f, of, i};
            }
        }
}

void explain_windows(struct explaining *e)
{
    struct explanation *x = e->x;
    for (uint32_t i = 0; i < x->n_faults; i++)
        if (x->fault[i].need == NEED_NEEDED)
            scan_fault(e, &x->fault[i]);
    find_nearest(x);
}
