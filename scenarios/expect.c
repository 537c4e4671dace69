/* SPDX-License-Identifier: MIT
 *
 * expect.c - see expect.h. One row an expectation; a row waits for its time, is open while its
 * window lasts, and ends kept, failed or idle (never to be judged in this run).
 */
#include "scenarios/expect.h"

#include <string.h>

enum row_state { ROW_WAITS, ROW_OPEN, ROW_KEPT, ROW_FAILED, ROW_IDLE };

struct row {
    uint32_t state;  /* enum row_state */
    uint32_t match;  /* 1 + index of the record that matched, 0: none so far */
    uint32_t next;   /* `within`: the next record to look at. A trigger: records of it so far */
    uint32_t behind; /* what counts from here counts from this record on */
    ns time;         /* its time, once it is judged: what `within` counts from */
    ns from, to;     /* `within`, open: the window */
};

struct jury {
    uint32_t n, misses;
    uint32_t scanned; /* records looked at */
    uint32_t always;  /* how many rows say `always` */
    ns until;
    /* n rows, then n misses */
};

static struct row *rows_of(struct jury *j) { return (struct row *)(void *)(j + 1); }

static struct miss *misses_of(struct jury *j) { return (struct miss *)(void *)(rows_of(j) + j->n); }

size_t jury_size(const struct compiled *c)
{
    return sizeof(struct jury) + c->n_expectations * (sizeof(struct row) + sizeof(struct miss));
}

/* --- records ---------------------------------------------------------------------------- */

static bool names_match(const struct record *r, name_id actor, uint16_t verb, name_id object)
{
    return r->verb == verb && r->actor == actor && (object == NONE16 || r->object == object);
}

static bool pattern_matches(const struct pattern *p, const struct record *r)
{
    if (!names_match(r, p->actor, p->verb, p->object) || (p->at >= 0 && p->at != r->at))
        return false;
    for (uint16_t i = 0; i < p->n_fields; i++) {
        ASSERT(p->which[i] < RECORD_FIELDS);
        if (r->tag[p->which[i]] != p->tag[i] || r->field[p->which[i]] != p->value[i])
            return false;
    }
    return true;
}

/* A note is what a pattern means only if it says so. */
static bool is_meant(const struct sim_plan *plan, const struct pattern *p, const struct record *r)
{
    return r->verb == p->verb || !(plan->verbs[r->verb].flags & VERB_NOTE);
}

/* How alike a record and a pattern are: what a reader would have meant comes out on top. */
static unsigned likeness(const struct pattern *p, const struct record *r)
{
    unsigned points = 0;
    if (r->verb == p->verb)
        points += 4;
    if (r->actor == p->actor)
        points += 3;
    if (p->object != NONE16 && r->object == p->object)
        points += 2;
    return points;
}

/* The record that comes nearest to a pattern, the last of the best: 1 + index; 0: none. */
static uint32_t nearest_record(const struct pattern *p, struct sim *s)
{
    uint32_t n, best = 0;
    unsigned most = 4; /* at least two of the three agree */
    const struct record *r = sim_trace(s, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (!is_meant(sim_plan(s), p, &r[i]))
            continue;
        unsigned points = likeness(p, &r[i]);
        if (points > most || (points == most && best > 0)) {
            most = points;
            best = i + 1;
        }
    }
    return best;
}

/* Looks at the records that came since the last time, for every row that asks whether an event has
 * happened by some time, and for every trigger. */
static void scan(struct jury *j, const struct compiled *c, struct sim *s)
{
    uint32_t n;
    const struct record *r = sim_trace(s, &n);
    struct row *row = rows_of(j);
    for (uint32_t k = j->scanned; k < n; k++) {
        for (uint32_t i = 0; i < j->n; i++) {
            const struct expectation *e = &c->expectations[i];
            if (e->when == EXPECT_WITHIN)
                continue;
            if (e->what == EXPECT_EVENT && row[i].match == 0 && pattern_matches(&e->pattern, &r[k]))
                row[i].match = k + 1;
            if (e->when == EXPECT_AFTER && row[i].state == ROW_WAITS) {
                const struct trigger_plan *t = &c->sim.triggers[e->trigger];
                if (names_match(&r[k], t->actor, t->verb, t->object) && ++row[i].next == t->ordinal)
                    row[i].behind = k + 1;
            }
        }
    }
    j->scanned = n;
}

/* --- misses ------------------------------------------------------------------------------- */

static struct miss *miss_new(struct jury *j, struct sim *s, uint32_t i, enum miss_why why, ns at)
{
    ASSERT(j->misses < j->n);
    struct miss *m = &misses_of(j)[j->misses++];
    memset(m, 0, sizeof *m);
    m->expectation = i;
    m->why = why;
    m->at = at;
    m->from = -1;
    m->process = NONE32;
    (void)sim_trace(s, &m->records);
    rows_of(j)[i].state = ROW_FAILED;
    return m;
}

/* A job's phase, and whose it is, as EX_JOB has them in its imm. */
static struct value job_now(struct sim *s, uint16_t job)
{
    int64_t phase = JOB_ABSENT;
    while (phase < JOB_DEAD && !query_job(s, job, (enum job_phase)phase, NONE16))
        phase++;
    for (uint16_t i = 0; phase >= JOB_RUNNING && i < sim_plan(s)->n_processes; i++)
        if (query_job(s, job, (enum job_phase)phase, i))
            return (struct value){(1 + (int64_t)i) << 8 | phase, TAG_INT};
    return (struct value){phase, TAG_INT};
}

/* What one leaf of an expression is now; false: the op is no leaf that an observer can read. */
static bool leaf_value(struct sim *s, const struct expr_op *op, struct value *out)
{
    struct value v = {0, TAG_BOOL};
    switch (op->code) {
    case EX_REGISTER: v = query_register(s, op->arg); break;
    case EX_MARK: v = query_mark(s, op->arg); break;
    case EX_LOCK_TOKEN: v = query_token(s, op->arg); break;
    case EX_CELL: v = query_cell(s, op->arg); break;
    case EX_JOB: v = job_now(s, op->arg); break;
    case EX_HOLDS: v.v = query_holds(s, op->arg, (uint16_t)op->imm); break;
    case EX_BELIEVES: v.v = query_believes(s, op->arg, (uint16_t)op->imm); break;
    default: return false;
    }
    *out = v;
    return true;
}

/* Whatever two leaves ask about one job, what it is now answers both. */
static bool same_leaf(const struct expr_op *a, const struct expr_op *b)
{
    return a->code == b->code && a->arg == b->arg && (a->imm == b->imm || a->code == EX_JOB);
}

uint32_t expect_found(const struct compiled *c, struct sim *s, uint32_t first, struct found *found, uint32_t n)
{
    const struct expr_op *ops = c->model.exprs;
    for (uint32_t k = first; ops[k].code != EX_END && n < FOUND_MAX; k++) {
        bool known = false;
        for (uint32_t i = 0; i < n; i++)
            known = known || same_leaf(&ops[found[i].op], &ops[k]);
        struct value v;
        if (known || !leaf_value(s, &ops[k], &v))
            continue;
        found[n++] = (struct found){k, 0, v};
    }
    return n;
}

static void miss_leader(struct miss *m, const struct compiled *c, struct sim *s, const struct expectation *e)
{
    for (uint32_t i = 0; i < e->ids.n && m->process == NONE32; i++) {
        uint16_t one = c->sim.ids[e->ids.first + i];
        if (query_leader_among(s, &one, 1))
            m->process = one;
    }
}

/* The last that was seen of an effect, done or dropped as a repetition: 1 + index; 0: nothing. */
static uint32_t last_of_effect(struct sim *s, name_id name)
{
    uint32_t n;
    const struct record *r = sim_trace(s, &n);
    const uint64_t *hash = sim_plan(s)->names->hash;
    while (n > 0) {
        const struct record *one = &r[n - 1];
        if ((one->verb == V_EFFECTS || one->verb == V_REPEATS) && hash[one->field[0]] == hash[name])
            break;
        n--;
    }
    return n;
}

/* A state was not as expected. */
static void miss_state(struct jury *j, const struct compiled *c, struct sim *s, uint32_t i, ns at,
                       const enum model_failure *failure)
{
    const struct expectation *e = &c->expectations[i];
    enum miss_why why = failure != NULL               ? MISS_ERROR
                        : e->what == EXPECT_NO_LEADER ? MISS_LEADER
                        : e->what == EXPECT_EFFECT    ? MISS_EFFECT
                                                      : MISS_FALSE;
    struct miss *m = miss_new(j, s, i, why, at);
    if (failure != NULL)
        m->failure = *failure;
    if (e->what == EXPECT_NO_LEADER)
        miss_leader(m, c, s, e);
    if (e->what == EXPECT_EFFECT) {
        m->count = query_effects(s, e->text);
        m->near = last_of_effect(s, e->text);
    }
    if (e->what == EXPECT_EXPR)
        m->n_found = expect_found(c, s, e->expr, m->found, 0);
}

/* --- judging ------------------------------------------------------------------------------- */

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_FAILED };

/* Is the state as expected now, `not` counted in? */
static enum answer ask(const struct compiled *c, struct sim *s, const struct expectation *e,
                       enum model_failure *failure)
{
    bool yes = false;
    struct value v;
    switch (e->what) {
    case EXPECT_EXPR:
        if (!expr_eval(s, NONE16, e->expr, &v, failure))
            return ANSWER_FAILED;
        if (v.tag != TAG_BOOL) {
            *failure = FAIL_TYPE;
            return ANSWER_FAILED;
        }
        yes = v.v != 0;
        break;
    case EXPECT_NO_LEADER: yes = !query_leader_among(s, c->sim.ids + e->ids.first, e->ids.n); break;
    case EXPECT_EFFECT: yes = query_effects(s, e->text) == e->count; break;
    default: ASSERT(e->what == EXPECT_EXPR);
    }
    return yes != (e->negated != 0) ? ANSWER_YES : ANSWER_NO;
}

/* Judges what stands at one time: `at`, `after`, `at end`. */
static void judge_now(struct jury *j, const struct compiled *c, struct sim *s, uint32_t i, ns at)
{
    const struct expectation *e = &c->expectations[i];
    struct row *row = &rows_of(j)[i];
    row->time = at;
    row->state = ROW_KEPT;
    if (e->what == EXPECT_EVENT) {
        bool came = row->match > 0;
        if (came == (e->negated != 0)) {
            struct miss *m = miss_new(j, s, i, came ? MISS_EVENT : MISS_NO_EVENT, at);
            m->near = came ? row->match : nearest_record(&e->pattern, s);
        }
        return;
    }
    enum model_failure failure = FAIL_TYPE;
    enum answer answer = ask(c, s, e, &failure);
    if (answer != ANSWER_YES)
        miss_state(j, c, s, i, at, answer == ANSWER_FAILED ? &failure : NULL);
}

/* Opens a window when the line that it counts from has its time. */
static void open_window(struct jury *j, const struct expectation *e, struct row *row)
{
    ns from = 0;
    uint32_t behind = 0;
    if (e->anchor != NONE32) {
        const struct row *anchor = &rows_of(j)[e->anchor];
        ASSERT(anchor < row);
        if (anchor->state == ROW_WAITS || anchor->state == ROW_OPEN)
            return;
        /* A line that failed at its own time still has that time; a window that failed has none. */
        if (anchor->state == ROW_IDLE || (anchor->state == ROW_FAILED && anchor->time < 0)) {
            row->state = ROW_IDLE;
            return;
        }
        from = anchor->time;
        behind = anchor->behind;
    }
    row->state = ROW_OPEN;
    row->from = from;
    row->to = e->time > NS_MAX - from ? NS_MAX : from + e->time;
    row->next = behind;
}

/* The first record of the window that matches: 1 + index, 0: none yet. */
static uint32_t look_in_window(struct sim *s, const struct expectation *e, struct row *row)
{
    uint32_t n;
    const struct record *r = sim_trace(s, &n);
    for (; row->next < n; row->next++) {
        const struct record *one = &r[row->next];
        if (one->at > row->to)
            break;
        /* With no record to count from, the window begins behind the instant of its anchor. */
        bool inside = one->at > row->from || row->behind > 0 || e->anchor == NONE32;
        if (inside && pattern_matches(&e->pattern, one))
            return ++row->next;
    }
    return 0;
}

static void close_window(struct row *row, ns time, uint32_t behind)
{
    row->state = ROW_KEPT;
    row->time = time;
    row->behind = behind;
}

static void window_event(struct jury *j, const struct compiled *c, struct sim *s, uint32_t i, ns next)
{
    const struct expectation *e = &c->expectations[i];
    struct row *row = &rows_of(j)[i];
    uint32_t n, match = look_in_window(s, e, row);
    const struct record *r = sim_trace(s, &n);
    if (match > 0 && !e->negated) {
        close_window(row, r[match - 1].at, match);
    } else if (match > 0) {
        struct miss *m = miss_new(j, s, i, MISS_EVENT, r[match - 1].at);
        m->near = match;
        m->from = row->from;
    } else if (row->to < next && e->negated) {
        close_window(row, row->to, 0);
    } else if (row->to < next) {
        struct miss *m = miss_new(j, s, i, MISS_NO_EVENT, row->to);
        m->near = nearest_record(&e->pattern, s);
        m->from = row->from;
    }
}

static void window_state(struct jury *j, const struct compiled *c, struct sim *s, uint32_t i, ns next)
{
    const struct expectation *e = &c->expectations[i];
    struct row *row = &rows_of(j)[i];
    enum model_failure failure = FAIL_TYPE;
    enum answer answer = sim_now(s) <= row->to ? ask(c, s, e, &failure) : ANSWER_NO;
    if (answer == ANSWER_YES) {
        close_window(row, sim_now(s) > row->from ? sim_now(s) : row->from, 0);
    } else if (answer == ANSWER_FAILED || row->to < next) {
        miss_state(j, c, s, i, row->to, answer == ANSWER_FAILED ? &failure : NULL);
        misses_of(j)[j->misses - 1].from = row->from;
    }
}

static void judge_window(struct jury *j, const struct compiled *c, struct sim *s, uint32_t i, ns next)
{
    const struct expectation *e = &c->expectations[i];
    struct row *row = &rows_of(j)[i];
    if (row->state == ROW_WAITS) {
        open_window(j, e, row);
        row->behind = row->next;
    }
    if (row->state != ROW_OPEN)
        return;
    if (e->what == EXPECT_EVENT)
        window_event(j, c, s, i, next);
    else
        window_state(j, c, s, i, next);
}

/* Up to when the run must go on: the latest time that is known to come. */
static void find_until(struct jury *j, const struct compiled *c)
{
    const struct row *row = rows_of(j);
    j->until = -1;
    for (uint32_t i = 0; i < j->n; i++) {
        ns to = -1;
        if (c->expectations[i].when == EXPECT_AT && row[i].state == ROW_WAITS)
            to = c->expectations[i].time;
        if (row[i].state == ROW_OPEN)
            to = row[i].to;
        if (to > j->until)
            j->until = to;
    }
}

void jury_reset(struct jury *j, const struct compiled *c)
{
    memset(j, 0, jury_size(c));
    j->n = c->n_expectations;
    for (uint32_t i = 0; i < j->n; i++) {
        rows_of(j)[i].time = -1;
        j->always += c->expectations[i].when == EXPECT_ALWAYS;
    }
    find_until(j, c);
}

void jury_event(struct jury *j, const struct compiled *c, struct sim *s)
{
    if (j->always == 0)
        return;
    for (uint32_t i = 0; i < j->n; i++) {
        const struct expectation *e = &c->expectations[i];
        if (e->when != EXPECT_ALWAYS || rows_of(j)[i].state != ROW_WAITS)
            continue;
        enum model_failure failure = FAIL_TYPE;
        enum answer answer = ask(c, s, e, &failure);
        if (answer != ANSWER_YES)
            miss_state(j, c, s, i, sim_now(s), answer == ANSWER_FAILED ? &failure : NULL);
    }
}

void jury_instant(struct jury *j, const struct compiled *c, struct sim *s, ns next)
{
    if (j->n == 0)
        return;
    scan(j, c, s);
    for (uint32_t i = 0; i < j->n; i++) {
        const struct expectation *e = &c->expectations[i];
        struct row *row = &rows_of(j)[i];
        ns fired;
        if (e->when == EXPECT_WITHIN)
            judge_window(j, c, s, i, next);
        else if (row->state != ROW_WAITS)
            continue;
        else if (e->when == EXPECT_AT && e->time < next)
            judge_now(j, c, s, i, e->time);
        else if (e->when == EXPECT_AFTER && sim_trigger_fired(s, e->trigger, &fired))
            judge_now(j, c, s, i, fired);
    }
    find_until(j, c);
}

ns jury_until(const struct jury *j) { return j->until; }

/* In file order: they were found in the order of their times. Few, so insertion does. */
static void sort_misses(struct jury *j)
{
    struct miss *m = misses_of(j);
    for (uint32_t i = 1; i < j->misses; i++) {
        struct miss one = m[i];
        uint32_t k = i;
        for (; k > 0 && m[k - 1].expectation > one.expectation; k--)
            m[k] = m[k - 1];
        m[k] = one;
    }
}

void jury_end(struct jury *j, const struct compiled *c, struct sim *s, bool whole)
{
    scan(j, c, s);
    for (uint32_t i = 0; whole && i < j->n; i++) {
        const struct expectation *e = &c->expectations[i];
        struct row *row = &rows_of(j)[i];
        if (e->when == EXPECT_END)
            judge_now(j, c, s, i, sim_now(s));
        else if (e->when == EXPECT_AT && row->state == ROW_WAITS)
            (void)miss_new(j, s, i, MISS_NEVER_CAME, sim_now(s));
        else if (e->when == EXPECT_WITHIN)
            judge_window(j, c, s, i, NS_NEVER);
    }
    sort_misses(j);
}

uint32_t jury_misses(const struct jury *j, const struct miss **out)
{
    *out = (const struct miss *)(const void *)((const struct row *)(const void *)(j + 1) + j->n);
    return j->misses;
}
