/* SPDX-License-Identifier: MIT
 *
 * player.c - see player.h.
 */
#include "fuzz/player.h"

#include <stdlib.h>
#include <string.h>

#define POINTS_MAX (UINT32_C(1) << 20) /* that are kept of one run */

/* --- schedules ------------------------------------------------------------------------------------ */

static bool before(const struct step *a, uint64_t address, uint32_t fault)
{
    return a->address < address || (a->address == address && a->fault < fault);
}

bool schedule_add(struct schedule *s, uint64_t address, uint32_t fault, uint32_t at)
{
    uint32_t i = s->n;
    if (s->n == SCHEDULE_MAX || schedule_has(s, address, fault))
        return false;
    for (; i > 0 && !before(&s->row[i - 1], address, fault); i--)
        s->row[i] = s->row[i - 1];
    s->row[i] = (struct step){address, fault, at};
    s->n++;
    return true;
}

void schedule_remove(struct schedule *s, uint32_t i)
{
    ASSERT(i < s->n);
    s->n--;
    memmove(&s->row[i], &s->row[i + 1], (s->n - i) * sizeof s->row[0]);
}

bool schedule_has(const struct schedule *s, uint64_t address, uint32_t fault)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->row[i].address == address && s->row[i].fault == fault)
            return true;
    return false;
}

bool schedule_equal(const struct schedule *a, const struct schedule *b)
{
    for (uint32_t i = 0; i < a->n && a->n == b->n; i++)
        if (a->row[i].address != b->row[i].address || a->row[i].fault != b->row[i].fault)
            return false;
    return a->n == b->n;
}

uint64_t schedule_hash(const struct schedule *s)
{
    uint64_t h = s->n;
    for (uint32_t i = 0; i < s->n; i++)
        h = hash_step(hash_step(h, s->row[i].address), s->row[i].fault);
    return h;
}

/* --- at a point -------------------------------------------------------------------------------------- */

/* Room for one more point; false: there is none. */
COLD static bool grow_points(struct player *p)
{
    uint32_t room = p->points_max == 0 ? 256 : 2 * p->points_max;
    struct passed *grown = room > POINTS_MAX ? NULL : realloc(p->points, room * sizeof *grown);
    if (grown == NULL) {
        p->failed = true;
        return false;
    }
    p->points = grown;
    p->points_max = room;
    return true;
}

static void note_point(struct player *p, const struct choice_point *point)
{
    struct sim *s = p->run->sim;
    if (p->n_points < p->points_max || grow_points(p))
        p->points[p->n_points++] = (struct passed){*point, (uint32_t)sim_steps(s) - 1, sim_now(s)};
}

/* What the schedule does at this point. */
COLD static uint32_t strike(const struct player *p, const struct choice_point *point, uint32_t *faults)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->schedule->n && n < STRIKES_MAX; i++)
        if (p->schedule->row[i].address == point->address)
            faults[n++] = p->schedule->row[i].fault;
    return n;
}

/* The same for a schedule out of bytes, which may say what the case does not allow. */
COLD static uint32_t strike_allowed(const struct player *p, const struct choice_point *point, uint32_t *faults)
{
    uint32_t n = 0, low = (uint32_t)point->address;
    for (uint32_t i = 0; i < p->schedule->n && n < STRIKES_MAX; i++) {
        const struct step *step = &p->schedule->row[i];
        if ((uint32_t)step->address == low && p->struck + n < p->sp->at_most &&
            space_offers(p->sp, point, step->fault - p->sp->own))
            faults[n++] = step->fault;
    }
    return n;
}

/* Into `made`. What it has no room for, because so much was drawn before, does not strike: it alone plays the run. */
static uint32_t put_struck(struct player *p, const struct choice_point *point, uint32_t *faults, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (schedule_add(&p->made, point->address, faults[i], p->n_passed))
            faults[kept++] = faults[i];
    p->struck += kept;
    return kept;
}

/* In the order of the menu, as whoever plays `made` has them. */
static void put_drawn(uint32_t *faults, uint32_t n, uint32_t drawn)
{
    for (; n > 0 && faults[n - 1] > drawn; n--)
        faults[n] = faults[n - 1];
    faults[n] = drawn;
}

/* Something strikes: the first n of faults[] by the schedule, and what was drawn besides. Returns how many do. */
COLD static uint32_t put(struct player *p, const struct choice_point *point, uint32_t *faults, uint32_t n,
                         uint32_t drawn)
{
    n = put_struck(p, point, faults, n);
    if (drawn != NONE32 && schedule_add(&p->made, point->address, drawn, p->n_passed))
        put_drawn(faults, n++, drawn);
    return n;
}

/* At a point that the schedule may name, that is to be kept, or that may lie before the copy. */
APART static uint32_t choose_closely(struct player *p, const struct choice_point *point, uint32_t *faults)
{
    uint32_t n = 0, drawn = NONE32;
    bool before_it = p->from_event > 0 && sim_steps(p->run->sim) <= p->from_event;
    if (p->note_points)
        note_point(p, point);
    if (p->mask >> (point->address & 63) & 1 && (before_it || p->from_event == 0))
        n = p->low_addresses ? strike_allowed(p, point, faults) : strike(p, point, faults);
    if (p->draw != NULL && !before_it && n < STRIKES_MAX)
        drawn = p->draw(p->draw_context, p->run->sim, point, p->n_passed);
    if (n > 0 || drawn != NONE32)
        n = put(p, point, faults, n, drawn);
    p->n_passed++;
    return n;
}

static uint32_t choose(void *context, const struct choice_point *point, uint32_t *faults)
{
    struct player *p = context;
    if (p->mask >> (point->address & 63) & 1 || p->note_points || p->from_event > 0)
        return choose_closely(p, point, faults);
    uint32_t drawn = p->draw == NULL ? NONE32 : p->draw(p->draw_context, p->run->sim, point, p->n_passed);
    uint32_t n = drawn == NONE32 ? 0 : put(p, point, faults, 0, drawn);
    p->n_passed++;
    return n;
}

/* A copy is a head, the trace so far, and the run: what is judged by the whole trace is judged at the end, and the run
 * that is played in between writes over it. */
struct kept_head {
    uint32_t records, spare;
};

static void keep_copy(struct player *p)
{
    struct kept_head head = {0};
    const struct record *trace = sim_trace(p->run->sim, &head.records);
    size_t traced = head.records * sizeof *trace;
    p->kept_size = sizeof head + traced + run_copy_size(p->run);
    p->kept = malloc(p->kept_size);
    p->kept_passed = p->n_passed;
    if (p->kept == NULL)
        return;
    char *at = p->kept;
    memcpy(at, &head, sizeof head);
    memcpy(at + sizeof head, trace, traced);
    run_copy(p->run, at + sizeof head + traced);
}

static bool play_copy(struct player *p, const char *copy, const struct run_options *options)
{
    struct kept_head head;
    memcpy(&head, copy, sizeof head);
    const struct record *trace = (const void *)(copy + sizeof head);
    sim_trace_back(p->run->sim, trace, head.records);
    return run_play_copy(p->run, trace + head.records, options);
}

static void after_event(void *context, struct sim *s)
{
    struct player *p = context;
    if (p->keep_at > 0 && sim_steps(s) == p->keep_at)
        keep_copy(p);
    if (!p->note_states || sim_steps(s) <= p->from_event)
        return;
    uint32_t slot = (uint32_t)abstract_state(s, p->level) & (ABSTRACT_SLOTS - 1);
    if (p->slot_seen[slot])
        return;
    p->slot_seen[slot] = 1;
    p->slot_event[p->n_slots] = (uint32_t)sim_steps(s);
    p->slots[p->n_slots++] = (uint16_t)slot;
}

/* --- what broke ----------------------------------------------------------------------------------------- */

uint64_t player_verdict(const struct space *sp)
{
    uint64_t wanted = ALWAYS_WANTED;
    for (uint32_t i = 0; i < INVARIANTS; i++)
        if (invariant_table[i].kind != INV_SIGN || sp->c.signs >> i & 1)
            wanted |= UINT64_C(1) << i;
    return wanted;
}

bool culprit_among(const struct culprit *list, uint32_t n, struct culprit c)
{
    for (uint32_t i = 0; i < n; i++)
        if (same_culprit(list[i], c))
            return true;
    return false;
}

static bool is_news(const struct player *p, struct culprit c) { return !culprit_among(p->known, p->n_known, c); }

/* The first wanted violation of the run. */
static bool judge_broken(struct player *p)
{
    const struct run *r = p->run;
    ASSERT(!(p->wanted & SIGNS_OF_NOTES & ~(uint64_t)p->sp->c.signs)); /* or nobody would tell: run_new_brief() */
    for (uint32_t i = 0; i < r->n_violations; i++) {
        p->culprit = (struct culprit){r->violation[i].invariant, r->violation[i].node};
        p->found_at = r->violation[i].at;
        if (p->wanted >> r->violation[i].invariant & 1 && is_news(p, p->culprit))
            return true;
    }
    for (uint32_t i = 0; p->wanted & ALWAYS_WANTED && i < r->n_misses; i++) {
        p->culprit = (struct culprit){INVARIANTS + r->misses[i].expectation, NONE16};
        p->found_at = r->misses[i].at;
        if (is_news(p, p->culprit))
            return true;
    }
    return false;
}

/* The first wanted situation of the run. */
static bool judge_reached(struct player *p)
{
    uint32_t n;
    const struct reached *reached = situations_of_run(p->reader, p->run, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (!situation_has(&p->reach, reached[i].cell))
            continue;
        p->culprit = (struct culprit){REACHED + reached[i].cell, NONE16};
        p->found_at = reached[i].at;
        if (is_news(p, p->culprit))
            return true;
    }
    return false;
}

/* --- life ------------------------------------------------------------------------------------------------ */

/* Situations are read from the trace and its notes, which a brief run has not. */
static struct player *new_player(struct space *sp, uint64_t wanted, const struct situation_set *reach)
{
    struct player *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->sp = sp;
    p->wanted = wanted;
    p->run = reach == NULL ? run_new_brief(&sp->c) : run_new(&sp->c, 0);
    if (reach != NULL) {
        p->reach = *reach;
        p->reader = situation_reader_new(&sp->c);
    }
    p->slots = calloc(ABSTRACT_SLOTS, sizeof *p->slots);
    p->slot_event = calloc(ABSTRACT_SLOTS, sizeof *p->slot_event);
    p->slot_seen = calloc(ABSTRACT_SLOTS, 1);
    bool reads = reach == NULL || p->reader != NULL;
    if (p->run != NULL && reads && p->slots != NULL && p->slot_event != NULL && p->slot_seen != NULL)
        return p;
    player_free(p);
    return NULL;
}

struct player *player_new(struct space *sp, uint64_t wanted) { return new_player(sp, wanted, NULL); }

struct player *player_new_reaching(struct space *sp, const struct situation_set *reach)
{
    return new_player(sp, 0, reach);
}

void player_free(struct player *p)
{
    if (p == NULL)
        return;
    run_free(p->run);
    situation_reader_free(p->reader);
    free(p->points);
    free(p->kept);
    free(p->slots);
    free(p->slot_event);
    free(p->slot_seen);
    free(p);
}

static void begin(struct player *p, const struct schedule *schedule)
{
    for (uint32_t i = 0; i < p->n_slots; i++)
        p->slot_seen[p->slots[i]] = 0;
    p->n_slots = p->n_points = p->n_passed = p->struck = 0;
    p->made.n = 0;
    p->found = p->failed = false;
    p->schedule = schedule;
    p->mask = 0;
    for (uint32_t i = 0; i < schedule->n; i++)
        p->mask |= UINT64_C(1) << (schedule->row[i].address & 63);
}

static bool judge(struct player *p, bool played)
{
    p->steps_played += p->run->events - p->from_event;
    if (!played || p->failed)
        return false;
    p->whole = p->run->verdict != VERDICT_ERROR;
    bool fails = p->run->end == END_FAILED || p->run->end == END_FULL;
    p->found = (p->reader != NULL ? judge_reached(p) : judge_broken(p)) && !(fails && p->found_at >= p->run->end_ns);
    return true;
}

static bool listens(const struct player *p) { return p->note_states || p->keep_at > 0; }

bool player_play_on(struct player *p, const void *copy, uint32_t n_passed, const struct schedule *prefix)
{
    static const struct schedule nothing = {.n = 0};
    const struct run_options options = {.choose = choose, .after = listens(p) ? after_event : NULL, .context = p};
    begin(p, &nothing);
    p->made = *prefix;
    p->struck = prefix->n;
    p->n_passed = n_passed;
    return judge(p, play_copy(p, copy, &options));
}

bool player_play(struct player *p, const struct schedule *schedule)
{
    struct schedule copy = {.n = 0};
    const struct run_options options = {.choose = choose, .after = listens(p) ? after_event : NULL, .context = p};
    if (schedule == &p->made) {
        copy = *schedule;
        schedule = &copy;
    }
    begin(p, schedule == NULL ? &copy : schedule);
    bool played = run_play(p->run, &options);
    return judge(p, played);
}
