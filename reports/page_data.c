/* SPDX-License-Identifier: MIT
 *
 * page_data.c - one case of a page as JSON: integers and strings alone, keys in one order, times in nanoseconds of true
 * time, indices into the arrays of the same case, -1: none.
 *
 *     {"name":"checked","without":[..],"with":[..],"expects":"violates ..","verdict":"violates","asExpected":1,
 *      "said":[{"invariant","kind","role","text","at","event","other"}],"undecided":[".."],"misses":[".."],
 *      "error":"..","decided":"..","digest":"d1:..","end":13006000000,
 *      "window":[first,last,total],"overview":[n,..],                          only where not every record is shown
 *      "asks":[{"at","line","question","choices":[".."],"answer"}],
 *      "machines":[{"name","mono":[[t,value,ppb],..],"boot":[..],"wall":[..]}],
 *      "lanes":[{"name","kind","about","machine"}],
 *      "events":[[t,lane,"asks","w1 asks leader",cause,line,note,"w1"],..],
 *      "messages":[{"what","from","to","sent","at","fate","a","b"}],
 *      "bars":[{"lane","kind","of","who","token","from","to","text","a","b","lapsed","truth":[[from,to],..]}],
 *      "marks":[{"lane","at","kind","text","event"}]}
 *
 * A piece of a clock reads value + clock_advance(now - since, ppb) from t on; since stands behind ppb where it is not
 * t. `lapsed`, `truth` and `error` stand where they say something.
 */
#include "reports/line.h"
#include "reports/page.h"
#include "reports/verdict.h"

#include <string.h>

#define OVERVIEW 200 /* stretches of equal length */

struct data {
    struct text *t;
    const struct timeline *line;
    const struct window *w;
    const struct run *r;
    const struct sim_plan *sim;
    const struct model_plan *model;
};

/* --- small parts -------------------------------------------------------------------------------------- */

static void number(const struct data *d, const char *key, int64_t v)
{
    text_key(d->t, key);
    text_i64(d->t, v);
}

static void string(const struct data *d, const char *key, const char *s)
{
    text_key(d->t, key);
    text_json(d->t, s);
}

/* Takes over a sentence, and adds it quoted. */
static void sentence(const struct data *d, struct text *s)
{
    text_json_bytes(d->t, s->n == 0 ? "" : s->bytes, s->n);
    text_done(d->t, s);
}

static void named(const struct data *d, const char *key, name_id name)
{
    struct text shown = {0};
    if (name != NONE16)
        text_shown(&shown, line_name(d->sim, name));
    text_key(d->t, key);
    sentence(d, &shown);
}

static void open(const struct data *d, const char *key)
{
    text_key(d->t, key);
    text_char(d->t, '[');
}

static void close(const struct data *d) { text_char(d->t, ']'); }

static void element(struct text *t, const char *word)
{
    text_comma(t);
    text_json(t, word);
}

static int index_or_none(uint16_t i) { return i == NONE16 ? -1 : (int)i; }

/* --- the verdict ---------------------------------------------------------------------------------------- */

static void violation(const struct data *d, uint32_t i)
{
    static const char *const role[] = {"expected", "unexpected", "then", "warning"};
    const struct violation *v = &d->r->violation[i];
    struct text s = {0};
    verdict_sentence(&s, d->r, v);
    text_comma(d->t);
    text_char(d->t, '{');
    string(d, "invariant", invariant_table[v->invariant].name);
    string(d, "kind", invariant_kind_name[invariant_table[v->invariant].kind]);
    string(d, "role", role[d->r->role[i]]);
    text_key(d->t, "text");
    sentence(d, &s);
    number(d, "at", v->at);
    number(d, "event", window_index(d->w, v->record));
    number(d, "other", window_index(d->w, v->other));
    text_char(d->t, '}');
}

static void open_ends(const struct data *d, const struct outcome_file *f)
{
    open(d, "undecided");
    for (uint32_t i = 0; i < d->r->n_undecided; i++) {
        struct text s = {0};
        outcome_open(&s, d->r, &d->r->undecided[i]);
        text_comma(d->t);
        sentence(d, &s);
    }
    close(d);
    open(d, "misses");
    for (uint32_t i = 0; i < d->r->n_misses; i++) {
        struct text s = {0};
        if (!page_miss_counts(d->r, &d->r->misses[i]))
            continue;
        page_miss(&s, f, d->r, &d->r->misses[i]);
        text_comma(d->t);
        sentence(d, &s);
    }
    close(d);
}

static void error(const struct data *d, const struct outcome_file *f)
{
    struct text s = {0};
    if (d->r->verdict != VERDICT_ERROR)
        return;
    outcome_error(&s, f, d->r);
    text_key(d->t, "error");
    sentence(d, &s);
}

static void verdict(const struct data *d, const struct outcome_file *f, const char *decided)
{
    struct text expects = {0};
    string(d, "name", d->r->c->name);
    open(d, "without");
    page_removed(d->r->c, false, element, d->t);
    close(d);
    open(d, "with");
    page_removed(d->r->c, true, element, d->t);
    close(d);
    page_expects(&expects, d->r->c);
    text_key(d->t, "expects");
    sentence(d, &expects);
    string(d, "verdict", verdict_name[d->r->verdict]);
    number(d, "asExpected", d->r->as_expected);
    open(d, "said");
    for (uint32_t i = 0; i < d->r->n_violations; i++)
        violation(d, i);
    close(d);
    open_ends(d, f);
    error(d, f);
    string(d, "decided", decided);
    text_key(d->t, "digest");
    text_char(d->t, '"');
    text_digest(d->t, d->r->digest);
    text_char(d->t, '"');
    number(d, "end", d->r->end_ns);
}

/* How much happened when, over the whole run. */
static void overview(const struct data *d)
{
    uint32_t count[OVERVIEW] = {0};
    ns step = d->r->end_ns / OVERVIEW + 1;
    for (uint32_t i = 0; i < d->line->n_records; i++)
        count[d->line->records[i].at / step]++;
    open(d, "overview");
    for (uint32_t i = 0; i < OVERVIEW; i++) {
        text_comma(d->t);
        text_u64(d->t, count[i]);
    }
    close(d);
}

static void window(const struct data *d)
{
    if (window_is_whole(d->w))
        return;
    open(d, "window");
    text_u64(d->t, d->w->first);
    text_char(d->t, ',');
    text_u64(d->t, d->w->last);
    text_char(d->t, ',');
    text_u64(d->t, d->w->total);
    close(d);
    overview(d);
}

/* --- questions -------------------------------------------------------------------------------------------- */

static void ask(const struct data *d, uint32_t i)
{
    const struct ask *a = &d->r->c->asks[i];
    uint32_t answer = d->r->asked ? run_answer(d->r, i) : NONE32;
    text_comma(d->t);
    text_char(d->t, '{');
    number(d, "at", a->at);
    number(d, "line", a->line);
    named(d, "question", a->question);
    open(d, "choices");
    for (uint32_t k = 0; k < a->n_choices; k++) {
        text_comma(d->t);
        text_json(d->t, line_name(d->sim, d->r->c->choices[a->first_choice + k].text));
    }
    close(d);
    number(d, "answer", answer == NONE32 ? -1 : (int64_t)(answer - a->first_choice));
    text_char(d->t, '}');
}

/* --- machines and lanes ------------------------------------------------------------------------------------- */

static void one_clock(const struct data *d, uint32_t machine, enum clock_kind kind, const char *key)
{
    const struct pieces *p = &d->line->clocks[machine * CLOCKS + (uint32_t)kind];
    open(d, key);
    for (uint32_t i = 0; i < p->n; i++) {
        const struct piece *one = &p->row[i];
        text_add(d->t, i > 0 ? ",[" : "[");
        text_i64(d->t, one->from);
        text_char(d->t, ',');
        text_i64(d->t, one->read);
        text_char(d->t, ',');
        text_i64(d->t, one->ppb);
        if (one->since != one->from) {
            text_char(d->t, ',');
            text_i64(d->t, one->since);
        }
        close(d);
    }
    close(d);
}

static void machine(const struct data *d, uint32_t i)
{
    text_comma(d->t);
    text_char(d->t, '{');
    named(d, "name", d->sim->machines[i].name);
    one_clock(d, i, CLOCK_MONOTONIC, "mono");
    one_clock(d, i, CLOCK_BOOTTIME, "boot");
    one_clock(d, i, CLOCK_WALL, "wall");
    text_char(d->t, '}');
}

/* "quorum of 5 voters, lease 10s" */
static void about_lock(struct text *t, const struct lock_plan *lock)
{
    text_add(t, lock->kind == LOCK_QUORUM ? "quorum of " : "central");
    if (lock->kind == LOCK_QUORUM)
        text_count(t, lock->voters, "voter", "voters");
    text_add(t, ", lease ");
    text_duration(t, lock->ttl);
}

static void about_queue(struct text *t, const struct queue_plan *queue)
{
    text_add(t, "lease ");
    text_duration(t, queue->lease);
    if (queue->attempts == 0)
        return;
    text_add(t, ", ");
    text_count(t, queue->attempts, "attempt", "attempts");
}

/* A node's clocks, where they are not like true time, and the name it goes by. */
static void about_machine(const struct data *d, struct text *t, const struct lane *lane)
{
    const struct machine_plan *m = &d->sim->machines[lane->machine];
    name_id identity = d->model->identity[lane->process];
    if (m->wall_offset != 0) {
        text_add(t, m->wall_offset > 0 ? "wall +" : "wall ");
        text_duration(t, m->wall_offset);
    }
    if (m->ppb != 0) {
        text_add(t, t->n > 0 ? ", " : "");
        text_add(t, m->ppb > 0 ? "drift +" : "drift ");
        text_i64(t, m->ppb % 1000 == 0 ? m->ppb / 1000 : m->ppb);
        text_add(t, m->ppb % 1000 == 0 ? "ppm" : "ppb");
    }
    if (identity != NONE16) {
        text_add(t, t->n > 0 ? ", " : "");
        text_add(t, "identity ");
        text_quoted(t, line_name(d->sim, identity));
    }
}

static void about(const struct data *d, struct text *t, const struct lane *lane)
{
    switch ((enum lane_kind)lane->kind) {
    case LANE_LOCK: about_lock(t, &d->model->locks[lane->index]); break;
    case LANE_VOTER:
        text_add(t, "voter of ");
        text_shown(t, line_name(d->sim, d->model->locks[lane->index].name));
        break;
    case LANE_QUEUE: about_queue(t, &d->model->queues[lane->index]); break;
    case LANE_STORE: text_add(t, d->model->stores[lane->index].marks_per_key ? "marks per key" : ""); break;
    case LANE_TABLE: {
        static const char *const as[] = {"", "as lock", "as queue"};
        text_add(t, as[d->model->tables[lane->index].kind]);
        break;
    }
    case LANE_CLIENT:
    case LANE_NODE:
    case LANE_KINDS: about_machine(d, t, lane); return;
    }
    if (lane->machine == NONE16 || d->sim->machines[lane->machine].name == lane->name)
        return;
    text_add(t, t->n > 0 ? ", at " : "at ");
    text_shown(t, line_name(d->sim, d->sim->machines[lane->machine].name));
}

static void lane(const struct data *d, const struct lane *one)
{
    struct text words = {0};
    text_comma(d->t);
    text_char(d->t, '{');
    named(d, "name", one->name);
    string(d, "kind", lane_kind_name[one->kind]);
    about(d, &words, one);
    text_key(d->t, "about");
    sentence(d, &words);
    number(d, "machine", index_or_none(one->machine));
    text_char(d->t, '}');
}

/* --- events, messages, bars, marks ------------------------------------------------------------------------------ */

static void event(const struct data *d, uint32_t which)
{
    const struct record *r = &d->line->records[which - 1];
    struct text words = {0}, actor = {0};
    line_words(&words, d->sim, r);
    text_shown(&actor, line_name(d->sim, r->actor));
    text_comma(d->t);
    text_char(d->t, '[');
    text_i64(d->t, r->at);
    text_char(d->t, ',');
    text_i64(d->t, index_or_none(timeline_lane(d->line, r)));
    text_char(d->t, ',');
    text_json(d->t, d->sim->verbs[r->verb].name);
    text_char(d->t, ',');
    sentence(d, &words);
    text_char(d->t, ',');
    text_i64(d->t, window_index(d->w, r->cause));
    text_char(d->t, ',');
    text_u64(d->t, r->line);
    text_add(d->t, line_is_note(d->sim, r) ? ",1," : ",0,");
    sentence(d, &actor);
    text_char(d->t, ']');
}

static void message(const struct data *d, const struct flight *f)
{
    int32_t a = window_index(d->w, f->a), b = window_index(d->w, f->b);
    if (a < 0 && b < 0 && !window_is_whole(d->w))
        return;
    text_comma(d->t);
    text_char(d->t, '{');
    named(d, "what", f->what);
    number(d, "from", f->from);
    number(d, "to", f->to);
    number(d, "sent", f->sent);
    number(d, "at", f->at);
    string(d, "fate", fate_name[f->fate]);
    number(d, "a", a);
    number(d, "b", b);
    text_char(d->t, '}');
}

static void truth(const struct data *d, const struct bar *b)
{
    open(d, "truth");
    for (uint32_t i = 0; i < b->n_truth; i++) {
        const struct span *s = &d->line->truths[b->truth + i];
        text_add(d->t, i > 0 ? ",[" : "[");
        text_i64(d->t, s->from);
        text_char(d->t, ',');
        text_i64(d->t, s->to);
        close(d);
    }
    close(d);
}

/* Of a run that is shown in part: what begins or ends in it, and what was so all the while. */
static bool bar_is_shown(const struct data *d, const struct bar *b)
{
    if (window_is_whole(d->w) || window_index(d->w, b->a) >= 0 || window_index(d->w, b->b) >= 0)
        return true;
    return b->from <= d->line->records[d->w->first].at && b->to >= d->line->records[d->w->last].at;
}

static void bar(const struct data *d, const struct bar *b)
{
    struct text words = {0}, token = {0};
    bool network = b->lane == NONE16;
    if (!bar_is_shown(d, b))
        return;
    page_bar(&words, d->line, b);
    if (b->token.tag != TAG_NONE)
        line_value(&token, d->sim, b->token);
    text_comma(d->t);
    text_char(d->t, '{');
    number(d, "lane", index_or_none(b->lane));
    string(d, "kind", bar_kind_name[b->kind]);
    named(d, "of", network ? NONE16 : b->of);
    number(d, "who", index_or_none(b->who));
    text_key(d->t, "token");
    sentence(d, &token);
    number(d, "from", b->from);
    number(d, "to", b->to);
    text_key(d->t, "text");
    sentence(d, &words);
    number(d, "a", window_index(d->w, b->a));
    number(d, "b", window_index(d->w, b->b));
    if (b->lapsed)
        number(d, "lapsed", 1);
    if (b->kind == BAR_BELIEVES || b->kind == BAR_HAS || b->kind == BAR_ACTS)
        truth(d, b);
    text_char(d->t, '}');
}

static void mark(const struct data *d, const struct mark *m)
{
    static const char *const kind[] = {"jump", "drift", "slew"};
    const struct record *r = &d->line->records[m->record - 1];
    struct text words = {0};
    line_words(&words, d->sim, r);
    text_comma(d->t);
    text_char(d->t, '{');
    number(d, "lane", m->lane);
    number(d, "at", r->at);
    string(d, "kind", kind[r->verb == V_JUMPS ? 0 : r->verb == V_DRIFTS ? 1 : 2]);
    text_key(d->t, "text");
    sentence(d, &words);
    number(d, "event", window_index(d->w, m->record));
    text_char(d->t, '}');
}

static void machines_and_lanes(const struct data *d)
{
    open(d, "machines");
    for (uint32_t i = 0; i < d->sim->n_machines; i++)
        machine(d, i);
    close(d);
    open(d, "lanes");
    for (uint32_t i = 0; i < d->line->n_lanes; i++)
        lane(d, &d->line->lanes[i]);
    close(d);
}

static void what_happened(const struct data *d)
{
    open(d, "events");
    for (uint32_t i = 0; i < d->w->n; i++)
        event(d, d->w->number[i]);
    close(d);
    open(d, "messages");
    for (uint32_t i = 0; i < d->line->n_flights; i++)
        message(d, &d->line->flights[i]);
    close(d);
    open(d, "bars");
    for (uint32_t i = 0; i < d->line->n_bars; i++)
        bar(d, &d->line->bars[i]);
    close(d);
    open(d, "marks");
    for (uint32_t i = 0; i < d->line->n_marks; i++)
        mark(d, &d->line->marks[i]);
    close(d);
}

void page_data_case(struct text *t, const struct outcome_file *f, const struct timeline *line, const struct window *w,
                    const char *decided)
{
    const struct run *r = line->run;
    const struct data d = {t, line, w, r, &r->c->sim, &r->c->model};
    text_comma(t);
    text_char(t, '{');
    verdict(&d, f, decided);
    window(&d);
    open(&d, "asks");
    for (uint32_t i = 0; i < r->c->n_asks; i++)
        ask(&d, i);
    close(&d);
    machines_and_lanes(&d);
    what_happened(&d);
    text_char(t, '}');
}
