/* SPDX-License-Identifier: MIT
 *
 * search.c - see search.h: what a round plays, and what is taken in of what it found.
 *
 *  1. plan_round() fills tasks: which arm, which seed, which parents. It alone picks, in one process, in order.
 *  2. play_task() plays one, here or in a forked process (crew.c); it reads the search and changes nothing in it.
 *  3. take_outcome() takes in, in the order of the tasks.
 *
 * Abstract states: each has one owner, the schedule that reached it with the fewest deviations. Guided picks among five
 * states that were reached the one that was least picked and least passed by schedules that brought something new, and
 * branch the least branched of four; so what is rare is looked at more often than what is common (C. Lemieux and K.
 * Sen, FairFuzz, ASE 2018, go by the rare branches of a program).
 */
#include "fuzz/search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/crew.h"
#include "fuzz/mutate.h"

const char *const arm_name[ARMS] = {"single", "swarm", "guided", "branch", "uniform", "pct"};

#define ROUND_LEAST 16
#define ROUND_MOST 3072
#define ROUND_EVENTS (UINT64_C(1) << 22) /* events of one round, about: a third of a second */
#define BRANCH_EVENTS 40
#define BRANCH_FAULTS 8
#define EARLY 600 /* schedules */
#define COPIES_BYTES_MAX ((size_t)64 << 20)

/* --- abstract states -------------------------------------------------------------------------------------- */

static bool improves(const struct search *s, const struct schedule *schedule, uint32_t slot)
{
    uint32_t owner = s->cells[slot].entry;
    return owner == 0 || s->entries[owner - 1].schedule.n > schedule->n;
}

static bool grow_entries(struct search *s)
{
    uint32_t room = s->entries_max == 0 ? 64 : 2 * s->entries_max;
    struct entry *grown = realloc(s->entries, room * sizeof *grown);
    if (grown == NULL)
        return false;
    s->entries = grown;
    s->entries_max = room;
    return true;
}

/* In the first place that is free: behind all others only if each of them owns a state. So there are never more than
 * there are states, whatever is found. */
static uint32_t new_entry(struct search *s, const struct schedule *schedule, uint32_t n_passed)
{
    uint32_t i = s->no_free_below;
    while (i < s->n_entries && s->entries[i].owns > 0)
        i++;
    s->no_free_below = i;
    ASSERT(i <= ABSTRACT_SLOTS);
    if (i == s->entries_max && !grow_entries(s))
        return 0;
    s->entries[i] = (struct entry){.schedule = *schedule, .n_passed = n_passed};
    s->n_entries += i == s->n_entries;
    return i + 1;
}

static void disown(struct search *s, uint32_t entry)
{
    ASSERT(s->entries[entry].owns > 0);
    s->entries[entry].owns--;
    if (s->entries[entry].owns == 0 && entry < s->no_free_below)
        s->no_free_below = entry;
}

static void drop_copy(struct search *s, struct cell *c)
{
    s->copies -= c->copy == NULL ? 0 : c->copy_size;
    free(c->copy);
    c->copy = NULL;
}

static void own_slot(struct search *s, uint32_t entry, uint32_t slot, uint32_t event)
{
    struct cell *c = &s->cells[slot];
    if (c->entry == 0) {
        s->reached[s->n_reached++] = (uint16_t)slot;
        s->reached_at = s->played;
    } else {
        disown(s, c->entry - 1);
    }
    drop_copy(s, c);
    s->entries[entry - 1].owns++;
    c->entry = entry;
    c->event = event;
}

static bool take_entry(struct search *s, const struct schedule *schedule, uint32_t n_passed, const uint16_t *slots,
                       const uint32_t *events, uint32_t n_slots)
{
    uint32_t entry = 0;
    for (uint32_t i = 0; i < n_slots; i++) {
        if (!improves(s, schedule, slots[i]))
            continue;
        if (entry == 0) {
            entry = new_entry(s, schedule, n_passed);
            if (entry == 0)
                return false;
        }
        own_slot(s, entry, slots[i], events[i]);
    }
    return true;
}

/* --- life -------------------------------------------------------------------------------------------- */

static uint32_t rank_of(const struct space *sp, const struct passed *point, uint32_t offer)
{
    const struct offer *o = &sp->offers[offer];
    const struct family *f = &sp->families[o->family];
    bool near = o->at_message || sample_concerns(sp, f, &point->p);
    uint32_t smaller = f->n - 1 - o->size < 255 ? f->n - 1u - o->size : 255;
    return (near ? 0 : UINT32_C(1) << 16) + (point->p.kind == CHOICE_AFTER ? UINT32_C(1) << 12 : 0) + smaller;
}

static int by_rank(const void *x, const void *y)
{
    const struct single *a = x, *b = y;
    return a->rank != b->rank ? (a->rank < b->rank ? -1 : 1) : 0;
}

/* What strikes after one of an event's records strikes when the event is over: after whichever. */
static bool same_end(const struct passed *points, uint32_t i)
{
    for (uint32_t k = i; points[i].p.kind == CHOICE_AFTER && k > 0 && points[k - 1].event == points[i].event; k--)
        if (points[k - 1].p.kind == CHOICE_AFTER)
            return true;
    return false;
}

/* Stable whatever qsort does: the place among equals is part of the rank. */
static void number_singles(struct single *rows, uint32_t n)
{
    uint32_t count[1 << 9] = {0}, at = 0;
    for (uint32_t i = 0; i < n; i++)
        count[(rows[i].rank >> 16 & 1) << 8 | (rows[i].rank >> 12 & 1) << 7 | (rows[i].rank & 127)]++;
    for (uint32_t k = 0; k < 1 << 9; k++) {
        uint32_t here = count[k];
        count[k] = at;
        at += here;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = (rows[i].rank >> 16 & 1) << 8 | (rows[i].rank >> 12 & 1) << 7 | (rows[i].rank & 127);
        rows[i].rank = count[k]++;
    }
    qsort(rows, n, sizeof *rows, by_rank);
}

static bool list_singles(struct search *s)
{
    const struct player *p = s->player;
    size_t most = (size_t)p->n_points * s->sp->n_offers;
    s->singles = malloc((most > 0 ? most : 1) * sizeof *s->singles);
    for (uint32_t i = 0; s->singles != NULL && i < p->n_points; i++)
        for (uint32_t k = 0; k < s->sp->n_offers && !same_end(p->points, i); k++)
            if (space_offers(s->sp, &p->points[i].p, k))
                s->singles[s->n_singles++] = (struct single){p->points[i].p.address, s->sp->own + k,
                                                             rank_of(s->sp, &p->points[i], k)};
    if (s->singles == NULL)
        return false;
    number_singles(s->singles, s->n_singles);
    return true;
}

static bool play_calm(struct search *s)
{
    struct player *p = s->player;
    p->note_points = p->note_states = true;
    bool played = player_play(p, NULL);
    p->note_points = false;
    s->calm_points = p->n_passed;
    return played && (!(s->o.arms & 1u << ARM_SINGLE) || list_singles(s)) &&
           take_entry(s, &p->made, p->n_passed, p->slots, p->slot_event, p->n_slots);
}

struct search *search_new(struct space *sp, const struct search_options *o)
{
    struct search *s = calloc(1, sizeof *s);
    if (s == NULL)
        return NULL;
    s->sp = sp;
    s->o = *o;
    s->next[ARM_SWARM] = o->first_swarm;
    s->player = o->reach != NULL ? player_new_reaching(sp, o->reach) : player_new(sp, o->wanted);
    s->cells = calloc(ABSTRACT_SLOTS, sizeof *s->cells);
    s->reached = calloc(ABSTRACT_SLOTS, sizeof *s->reached);
    if (s->player != NULL && s->cells != NULL && s->reached != NULL && play_calm(s))
        return s;
    search_free(s);
    return NULL;
}

void search_free(struct search *s)
{
    if (s == NULL)
        return;
    player_free(s->player);
    for (uint32_t i = 0; s->cells != NULL && i < ABSTRACT_SLOTS; i++)
        free(s->cells[i].copy);
    free(s->cells);
    free(s->reached);
    free(s->entries);
    free(s->singles);
    free(s->endless);
    free(s->known);
    free(s);
}

bool search_calm_breaks(struct search *s, struct culprit *out)
{
    if (!player_play(s->player, NULL) || !s->player->found)
        return false;
    *out = s->player->culprit;
    return true;
}

bool search_pass_over(struct search *s, struct culprit c)
{
    struct culprit *grown = realloc(s->known, (s->n_known + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    s->known = grown;
    s->known[s->n_known++] = c;
    return true;
}

void search_want(struct search *s, uint64_t wanted) { s->o.wanted = s->player->wanted = wanted; }

/* --- planning a round ---------------------------------------------------------------------------------------- */

static uint32_t pick_cell(const struct search *s, uint64_t h, uint32_t tries, bool branch)
{
    uint32_t best = NONE32, least = 0;
    for (uint32_t i = 0; i < tries; i++) {
        uint32_t slot = s->reached[sample_below(sample_hash(h, i), s->n_reached)];
        const struct cell *c = &s->cells[slot];
        uint32_t used = branch ? c->branched : c->used + c->passed;
        if (best == NONE32 || used < least) {
            best = slot;
            least = used;
        }
    }
    return best;
}

/* The copy of the run in that state, made once. Without room there is none: whoever wants it plays from the start. */
static void make_copy(struct search *s, uint32_t slot)
{
    struct cell *c = &s->cells[slot];
    struct player *p = s->player;
    if (c->copy != NULL && c->forgettings == sim_forgettings(p->run->sim))
        return;
    drop_copy(s, c);
    if (s->copies > COPIES_BYTES_MAX || c->event == 0)
        return;
    p->keep_at = c->event;
    bool states = p->note_states;
    p->note_states = false;
    (void)player_play(p, &s->entries[c->entry - 1].schedule);
    p->note_states = states;
    p->keep_at = 0;
    c->copy = p->kept;
    c->copy_passed = p->kept_passed;
    c->forgettings = sim_forgettings(p->run->sim);
    c->copy_size = p->kept_size;
    s->copies += p->kept != NULL ? p->kept_size : 0;
    p->kept = NULL;
}

static void plan_task(struct search *s, struct task *t, enum arm arm)
{
    uint64_t number = s->next[arm]++;
    *t = (struct task){.arm = arm, .seed = sample_hash(sample_hash(s->o.seed, 100 + arm), number), .number = number};
    if (arm == ARM_GUIDED) {
        t->slot = pick_cell(s, sample_hash(t->seed, 1), 5, false);
        t->other = s->reached[sample_below(sample_hash(t->seed, 2), s->n_reached)];
        s->cells[t->slot].used++;
    }
    if (arm == ARM_BRANCH) {
        t->slot = pick_cell(s, sample_hash(t->seed, 1), 4, true);
        s->cells[t->slot].branched++;
        make_copy(s, t->slot);
    }
}

static bool arm_has(const struct search *s, enum arm arm)
{
    if ((arm == ARM_GUIDED || arm == ARM_BRANCH) && s->n_reached == 0)
        return false; /* not even the calm run has an event */
    return s->o.arms >> arm & 1 && (arm != ARM_SINGLE || s->next[ARM_SINGLE] < s->n_singles);
}

/* Samples and guided each turn; single deviations and branches, which find least for what they cost, share one, and a
 * branch has little to go by at first. */
static bool has_turn(const struct search *s, enum arm arm, uint32_t turn)
{
    bool early = s->played < EARLY;
    switch (arm) {
    case ARM_SINGLE: return turn % 2 == 0;
    case ARM_BRANCH: return turn % (early ? 4 : 2) == 1;
    default: return true;
    }
}

/* By what was played so far alone: a budget cuts the last round, and changes none before it. */
static uint32_t whole_round(const struct search *s)
{
    uint64_t size = s->played / 8 < ROUND_MOST ? s->played / 8 : ROUND_MOST;
    uint64_t most = ROUND_EVENTS / (s->sp->calm_steps + 1);
    size = size < most ? size : most;
    return (uint32_t)(size < ROUND_LEAST ? ROUND_LEAST : size);
}

bool search_cuts_round(const struct search *s) { return s->o.schedules - s->played < whole_round(s); }

static uint32_t round_size(const struct search *s)
{
    uint32_t size = whole_round(s);
    uint64_t left = s->o.schedules - s->played;
    return size < left ? size : (uint32_t)left;
}

static uint32_t plan_round(struct search *s, struct task *tasks)
{
    uint32_t size = round_size(s), n = 0, turn = 0;
    for (uint32_t idle = 0; idle < 4 && n < size; turn++) {
        uint32_t before = n;
        for (int arm = 0; arm < ARMS && n < size; arm++)
            if (arm_has(s, (enum arm)arm) && has_turn(s, (enum arm)arm, turn))
                plan_task(s, &tasks[n++], (enum arm)arm);
        idle = n > before ? 0 : idle + 1;
    }
    return n;
}

/* --- one schedule ------------------------------------------------------------------------------------------------- */

/* Draws in the events that follow a branch, as many as what struck before it leaves. */
struct window {
    struct sample sample;
    const struct player *player;
    bool begun;
    uint64_t until; /* events */
};

static uint32_t window_draw(void *context, const struct sim *s, const struct choice_point *p, uint32_t at)
{
    struct window *w = context;
    uint32_t struck = w->player->made.n;
    if (!w->begun)
        w->sample.left -= struck < w->sample.left ? struck : w->sample.left;
    w->begun = true;
    return sim_steps(s) <= w->until ? sample_draw(&w->sample, s, p, at) : NONE32;
}

static bool play_drawn(struct player *p, draw_fn draw, void *context, const struct schedule *schedule)
{
    p->draw = draw;
    p->draw_context = context;
    bool played = player_play(p, schedule);
    p->draw = NULL;
    return played;
}

static void cut_prefix(const struct schedule *whole, uint32_t passed, struct schedule *prefix)
{
    prefix->n = 0;
    for (uint32_t i = 0; i < whole->n; i++)
        if (whole->row[i].at < passed)
            (void)schedule_add(prefix, whole->row[i].address, whole->row[i].fault, whole->row[i].at);
}

/* Faults in its next events: eight are expected. With one or two it took four times as many schedules. */
static struct window open_window(struct search *s, const struct task *t, uint64_t from)
{
    uint64_t span = s->sp->calm_steps > BRANCH_EVENTS ? BRANCH_EVENTS : s->sp->calm_steps;
    uint64_t points = s->calm_points * span / (s->sp->calm_steps + 1) + 1;
    struct window w = {sample_begin(s->sp, SAMPLE_SWARM, t->seed, s->calm_points), s->player, false, from + span};
    w.sample.kinds = s->sp->kinds;
    w.sample.rate = sample_rate(2 * BRANCH_FAULTS, points);
    return w;
}

/* With a copy or from the start: it comes to the same, so nothing hangs on which copies there are. */
static bool play_branch(struct search *s, const struct task *t)
{
    struct player *p = s->player;
    const struct cell *c = &s->cells[t->slot];
    const struct entry *e = &s->entries[c->entry - 1];
    struct window w = open_window(s, t, c->event);
    struct schedule prefix;
    p->draw = window_draw;
    p->draw_context = &w;
    p->from_event = c->event;
    bool played;
    if (c->copy == NULL || c->forgettings != sim_forgettings(p->run->sim)) {
        played = player_play(p, &e->schedule);
    } else {
        cut_prefix(&e->schedule, c->copy_passed, &prefix);
        played = player_play_on(p, c->copy, c->copy_passed, &prefix);
    }
    p->from_event = 0;
    p->draw = NULL;
    return played;
}

static bool play_guided(struct search *s, const struct task *t)
{
    const struct entry *parent = &s->entries[s->cells[t->slot].entry - 1];
    const struct entry *other = &s->entries[s->cells[t->other].entry - 1];
    struct mutation m;
    mutate(s->sp, &parent->schedule, parent->n_passed, &other->schedule, t->seed, &m);
    return play_drawn(s->player, mutate_draw, &m, &m.base);
}

static bool play_sample(struct search *s, const struct task *t, enum sampler how)
{
    struct sample sample = sample_begin(s->sp, how, t->seed, s->calm_points);
    return play_drawn(s->player, sample_draw, &sample, NULL);
}

static bool play_single(struct search *s, const struct task *t)
{
    struct schedule one = {.n = 0};
    const struct single *single = &s->singles[t->number];
    (void)schedule_add(&one, single->address, single->fault, 0);
    return player_play(s->player, &one);
}

static bool play_task(struct search *s, const struct task *t)
{
    s->player->note_states = s->o.note_all || s->o.arms & (1u << ARM_GUIDED | 1u << ARM_BRANCH);
    switch ((enum arm)t->arm) {
    case ARM_SINGLE: return play_single(s, t);
    case ARM_SWARM: return play_sample(s, t, SAMPLE_SWARM);
    case ARM_UNIFORM: return play_sample(s, t, SAMPLE_UNIFORM);
    case ARM_PCT: return play_sample(s, t, SAMPLE_PCT);
    case ARM_GUIDED: return play_guided(s, t);
    case ARM_BRANCH:
    case ARMS: break;
    }
    return play_branch(s, t);
}

/* One that was found before does not hide another in the same run. */
bool search_play_task(struct search *s, const struct task *t)
{
    s->player->known = s->known;
    s->player->n_known = s->n_known;
    bool played = play_task(s, t);
    s->player->n_known = 0;
    return played;
}

bool search_is_news(const struct search *s)
{
    const struct player *p = s->player;
    if (p->found)
        return true;
    for (uint32_t i = 0; i < p->n_slots; i++)
        if (improves(s, &p->made, p->slots[i]))
            return true;
    return false;
}

/* --- taking in ---------------------------------------------------------------------------------------------------- */

struct taking {
    struct search *s;
    const struct task *tasks;
    uint64_t before;
    bool no_memory;
};

static bool note_endless(struct search *s, uint64_t number)
{
    if (s->n_endless == s->endless_max) {
        uint32_t room = s->endless_max == 0 ? 64 : 2 * s->endless_max;
        uint64_t *grown = realloc(s->endless, room * sizeof *grown);
        if (grown == NULL)
            return false;
        s->endless = grown;
        s->endless_max = room;
    }
    s->endless[s->n_endless++] = number;
    return true;
}

/* False: this was what is looked for; nothing behind it counts. */
static bool take_outcome(void *context, const struct outcome *o)
{
    struct taking *t = context;
    struct search *s = t->s;
    enum arm arm = (enum arm)t->tasks[o->task].arm;
    s->played = t->before + o->task + 1;
    s->errors += !o->whole;
    t->no_memory |= !o->whole && arm == ARM_SWARM && s->o.note_all && !note_endless(s, t->tasks[o->task].number);
    for (uint32_t i = 0; i < o->n_slots; i++)
        s->cells[o->slots[i]].passed++;
    t->no_memory |= !take_entry(s, o->schedule, o->n_passed, o->slots, o->events, o->n_slots);
    if (!o->found || culprit_among(s->known, s->n_known, o->culprit)) /* known since this round was begun */
        return true;
    s->found = true;
    s->finding = (struct discovery){*o->schedule, o->culprit, o->at, s->played, arm, t->tasks[o->task].number};
    return false;
}

/* Counts what was played of each arm: all of the round, or up to the finding. */
static void count_round(struct search *s, const struct task *tasks, uint32_t n, uint64_t before)
{
    uint32_t upto = s->found ? (uint32_t)(s->played - before) : n;
    s->played = before + upto;
    for (uint32_t i = 0; i < upto; i++)
        s->played_by[tasks[i].arm]++;
    for (uint32_t i = upto; i < n; i++) /* to be played in another round */
        s->next[tasks[i].arm]--;
    s->round++;
}

enum round_end search_round(struct search *s)
{
    static struct task tasks[ROUND_MOST];
    s->found = false;
    if (s->played >= s->o.schedules)
        return ROUND_BUDGET;
    uint32_t n = plan_round(s, tasks);
    if (n == 0)
        return ROUND_DONE;
    struct taking taking = {s, tasks, s->played, false};
    enum crew_end end = crew_play(s, tasks, n, take_outcome, &taking);
    if (end != CREW_GOOD || taking.no_memory)
        return end == CREW_BROKEN ? ROUND_BROKEN : ROUND_NO_MEMORY;
    count_round(s, tasks, n, taking.before);
    return s->found ? ROUND_FOUND : ROUND_MORE;
}
