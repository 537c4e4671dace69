/* SPDX-License-Identifier: MIT
 *
 * explore.c - see explore.h.
 *
 *  1. One level for each fault that is left: a level walks along its run, event by event. Before each event it keeps a
 *     snapshot; it plays the event calmly to see its points; then, for each point and offer, goes back, plays the event
 *     with that fault, and lets the next level walk on. At last it goes back and plays the event calmly for good. So
 *     there is one snapshot for each level, however long a run is.
 *  2. Several faults within one event: an alternative with a fault at point i has, in its turn, alternatives behind i.
 *  3. With no fault left, nothing can branch, and a state is looked up only now and then: after 1, 2, 3, 4, 6, 8, 12 ..
 *     events. What is not looked up costs a longer walk, never a wrong answer.
 *  4. Twins are sorted only where one fault is left at most. Of two at one event the menu says which strikes first, and
 *     with the names swapped it may say so the other way round.
 *  5. What is judged at a run's end is judged once for all that lead to a known state, by whoever was there first.
 *     Only who comes round to a state of its own has nobody before it: such a run goes on to its end.
 */
#include "fuzz/explore.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/alike.h"

#define EVENT_POINTS_MAX 256 /* of one event */
#define TICK_STEPS (UINT64_C(1) << 18)

struct level {
    void *copy;
    size_t size;
};

/* A state that the schedule under way has been in, and its subtree is not done. */
struct trod {
    uint64_t digest;
    ns at;
    uint32_t left;
    bool cut; /* the horizon cut something that follows: so it did before it */
};

struct explorer {
    struct space *sp;
    const struct explore_options *o;
    struct explored *out;
    struct run *run;
    struct visited visited;
    struct alike *twins; /* NULL: nodes are themselves */
    uint64_t twice;      /* states that are in visited under two digests */
    struct level level[EXPLORE_FAULTS_MAX + 1];
    uint32_t bound;
    bool over;
    /* of the schedule under way */
    struct trod *path;
    uint32_t path_n, path_max;
    struct schedule schedule; /* in the order in which they strike */
    /* of the event under way */
    uint32_t n_points;
    struct choice_point points[EVENT_POINTS_MAX];
    uint64_t next_tick;
};

static void stop(struct explorer *x, enum explore_end end)
{
    if (!x->over)
        x->out->end = end;
    x->over = true;
}

/* --- one event -------------------------------------------------------------------------------------- */

static uint32_t choose(void *context, const struct choice_point *p, uint32_t *faults)
{
    struct explorer *x = context;
    uint32_t n = 0;
    if (x->n_points == EVENT_POINTS_MAX)
        stop(x, EXPLORE_MEMORY);
    else
        x->points[x->n_points++] = *p;
    for (uint32_t i = 0; i < x->schedule.n && n < STRIKES_MAX; i++)
        if (x->schedule.row[i].address == p->address)
            faults[n++] = x->schedule.row[i].fault;
    return n;
}

/* Something that follows all of the path was not played. */
static void cut_path(struct explorer *x)
{
    for (uint32_t i = x->path_n; i > 0 && !x->path[i - 1].cut; i--) {
        struct trod *t = &x->path[i - 1];
        t->cut = true;
        if (!visited_cut(&x->visited, t->digest, t->left, t->at))
            stop(x, EXPLORE_MEMORY);
    }
}

/* What broke by now, if it is looked for. */
static bool broken(struct explorer *x, struct culprit *out, ns *at)
{
    const struct violation *v;
    uint32_t n = run_broken(x->run, &v);
    ASSERT(!(x->o->wanted & SIGNS_OF_NOTES & ~(uint64_t)x->sp->c.signs)); /* or nobody would tell: run_new_brief() */
    for (uint32_t i = 0; i < n; i++) {
        if (!(x->o->wanted >> v[i].invariant & 1))
            continue;
        *out = (struct culprit){v[i].invariant, v[i].node};
        *at = v[i].at;
        return true;
    }
    uint32_t first;
    if (x->o->wanted & ALWAYS_WANTED && x->sp->c.n_expectations > 0 && run_missed(x->run, &first) > 0) {
        *out = (struct culprit){INVARIANTS + first, NONE16};
        *at = sim_now(x->run->sim);
        return true;
    }
    return false;
}

static void note_broken(struct explorer *x, struct culprit c, ns at)
{
    struct explored *out = x->out;
    out->broke |= c.invariant < INVARIANTS ? UINT64_C(1) << c.invariant : ALWAYS_WANTED;
    if (out->found)
        return;
    out->found = true;
    out->culprit = c;
    out->at = at;
    out->schedule.n = 0;
    for (uint32_t i = 0; i < x->schedule.n; i++)
        (void)schedule_add(&out->schedule, x->schedule.row[i].address, x->schedule.row[i].fault, i);
    if (!x->o->go_on)
        stop(x, EXPLORE_FOUND);
}

static void end_schedule(struct explorer *x)
{
    x->out->schedules++;
    x->out->per_bound[x->schedule.n]++;
    x->out->whole += sim_steps(x->run->sim);
}

/* The run is over: what only its end shows. */
static void finish(struct explorer *x)
{
    struct culprit c;
    ns at;
    end_schedule(x);
    bool own = x->run->end == END_STEPS && x->sp->own_steps; /* the search's own bound, as the horizon is */
    if (own || x->run->end == END_HORIZON)
        x->out->capped++;
    else if (x->run->end != END_IDLE)
        x->out->broken_off++;
    if (x->run->end == END_STEPS || x->run->end == END_HORIZON)
        cut_path(x);
    if (x->run->end == END_IDLE || x->run->end == END_HORIZON) {
        query_end(x->run->sim, x->run->end == END_IDLE);
        if (broken(x, &c, &at))
            note_broken(x, c, at);
    }
}

enum stepped { STEP_ON, STEP_OVER };

static void count_step(struct explorer *x)
{
    struct explored *out = x->out;
    out->steps++;
    if (x->o->steps > 0 && out->steps >= x->o->steps)
        stop(x, EXPLORE_STEPS);
    if (out->steps < x->next_tick)
        return;
    x->next_tick = out->steps + TICK_STEPS;
    uint64_t calm = x->sp->calm_steps + 1, at = sim_steps(x->run->sim);
    uint32_t thousandths = (uint32_t)(at < calm ? at * 1000 / calm : 999);
    if (x->o->tick != NULL && !x->o->tick(x->o->context, x->bound, thousandths, out->steps))
        stop(x, EXPLORE_STOPPED);
}

/* What broke is not found if the run fails at that very instant: see player.h. */
static bool fails_at_once(struct explorer *x)
{
    uint32_t n_points = x->n_points;
    ns now = sim_now(x->run->sim);
    bool more = true;
    while (more && sim_next_at(x->run->sim) <= now)
        more = run_step(x->run);
    x->n_points = n_points;
    return !more && (x->run->end == END_FAILED || x->run->end == END_FULL);
}

/* Plays one event. STEP_OVER: the run is over, by its end or because something broke; that has been noted. */
static enum stepped play_event(struct explorer *x)
{
    struct culprit c;
    ns at;
    x->n_points = 0;
    bool more = run_step(x->run);
    count_step(x);
    if (broken(x, &c, &at)) {
        end_schedule(x);
        if (!fails_at_once(x))
            note_broken(x, c, at);
        return STEP_OVER;
    }
    if (!more)
        finish(x);
    return more ? STEP_ON : STEP_OVER;
}

/* --- states -------------------------------------------------------------------------------------------- */

static void tread(struct explorer *x, uint64_t digest, uint32_t left)
{
    if (x->path_n == x->path_max) {
        uint32_t room = x->path_max == 0 ? 256 : 2 * x->path_max;
        struct trod *grown = realloc(x->path, room * sizeof *grown);
        if (grown == NULL) {
            stop(x, EXPLORE_NO_MEMORY);
            return;
        }
        x->path = grown;
        x->path_max = room;
    }
    x->path[x->path_n++] = (struct trod){digest, sim_now(x->run->sim), left, false};
}

static bool trod_since(const struct explorer *x, uint32_t from, uint64_t digest)
{
    for (uint32_t i = from; i < x->path_n; i++)
        if (x->path[i].digest == digest)
            return true;
    return false;
}

static void play_out(struct explorer *x)
{
    while (!x->over && play_event(x) == STEP_ON)
        ;
}

static bool has_twins(const struct explorer *x) { return x->twins != NULL && alike_groups(x->twins) > 0; }

/* See 4. */
static uint64_t digest_of(struct explorer *x, uint32_t left)
{
    return has_twins(x) && left <= 1 ? alike_digest(x->twins, x->run->sim, NULL) : sim_state_digest(x->run->sim);
}

/* A state that is gone into with more faults left is gone into with one, too. plain: its digest, with nodes themselves;
 * row: it has a row of its own since now. */
static void tread_sorted(struct explorer *x, uint64_t plain, bool row)
{
    uint64_t digest = alike_digest(x->twins, x->run->sim, NULL);
    x->twice += row && digest != plain;
    switch (visited_add(&x->visited, digest, 1, sim_now(x->run->sim))) {
    case SEEN_NEW: tread(x, digest, 1); break;
    case SEEN_BEFORE_CUT:
    case SEEN_BEFORE: break;
    case SEEN_NO_ROOM: stop(x, EXPLORE_MEMORY); break;
    }
}

/* True: this state was gone into with as many faults left. from: where in the path the walk under way began. */
static bool known(struct explorer *x, uint32_t left, uint32_t from)
{
    if (x->o->plain)
        return false;
    uint64_t digest = digest_of(x, left), rows = x->visited.n;
    switch (visited_add(&x->visited, digest, left, sim_now(x->run->sim))) {
    case SEEN_NEW:
        tread(x, digest, left);
        if (has_twins(x) && left > 1)
            tread_sorted(x, digest, x->visited.n > rows);
        return false;
    case SEEN_BEFORE_CUT: cut_path(x); break;
    case SEEN_BEFORE: break;
    case SEEN_NO_ROOM: stop(x, EXPLORE_MEMORY); return true;
    }
    if (trod_since(x, from, digest)) {
        play_out(x);
        return true;
    }
    end_schedule(x);
    return true;
}

static bool keep(struct explorer *x, struct level *l)
{
    size_t size = run_copy_size(x->run);
    if (size > l->size) {
        void *grown = realloc(l->copy, 2 * size);
        if (grown == NULL) {
            stop(x, EXPLORE_NO_MEMORY);
            return false;
        }
        l->copy = grown;
        l->size = 2 * size;
    }
    run_copy(x->run, l->copy);
    return true;
}

/* --- alternatives ------------------------------------------------------------------------------------------ */

/* With nothing left to choose: to the end. */
static void walk_out(struct explorer *x, uint32_t from)
{
    uint64_t since = 0, look = 1;
    while (!x->over && play_event(x) == STEP_ON) {
        since++;
        if (since < look)
            continue;
        look = look < 4 ? look + 1 : look + look / 2;
        if (known(x, 0, from))
            return;
    }
}

static void walk(struct explorer *x, uint32_t left, uint32_t from);

/* The points of an event, as one of its ways of going showed them. */
struct points {
    uint32_t n;
    struct choice_point row[EVENT_POINTS_MAX];
};

/* Where in an event to go on trying: behind what is there. */
struct place {
    uint32_t point, offer;
    bool struck; /* a fault of the schedule strikes after a record of this event: the last such, */
    uint32_t struck_point, struck_offer;
};

/* What strikes after some record of an event strikes when it is over, in the order of the records: at a second record
 * it does what it does at the first, unless it is to come behind another that stands behind it on the menu. */
static bool worth_trying(const struct explorer *x, const struct points *points, const struct place *place, uint32_t i,
                         uint32_t offer)
{
    uint32_t before = i;
    if (x->o->offers != NULL && !(x->o->offers[offer / 64] >> offer % 64 & 1))
        return false;
    if (!space_offers(x->sp, &points->row[i], offer))
        return false;
    if (x->o->plain || points->row[i].kind != CHOICE_AFTER || (place->struck && place->struck_point == i))
        return true;
    while (before > 0 && points->row[before - 1].kind != CHOICE_AFTER)
        before--;
    return before == 0 || (place->struck && place->struck_point == before - 1 && offer <= place->struck_offer);
}

static struct place place_behind(const struct place *place, const struct points *points, uint32_t i, uint32_t offer)
{
    struct place next = *place;
    next.point = i;
    next.offer = offer + 1;
    if (points->row[i].kind == CHOICE_AFTER) {
        next.struck = true;
        next.struck_point = i;
        next.struck_offer = offer;
    }
    return next;
}

/* The world stands before an event, and l->copy is it. The schedule has faults in that event up to a place; tries one
 * more behind. */
static void try_behind(struct explorer *x, struct level *l, uint32_t left, const struct points *points,
                       const struct place *place)
{
    struct points *again = malloc(sizeof *again);
    if (again == NULL) {
        stop(x, EXPLORE_NO_MEMORY);
        return;
    }
    for (uint32_t i = place->point; i < points->n; i++) {
        for (uint32_t k = i == place->point ? place->offer : 0; k < x->sp->n_offers && !x->over; k++) {
            if (!worth_trying(x, points, place, i, k))
                continue;
            x->schedule.row[x->schedule.n++] = (struct step){points->row[i].address, x->sp->own + k, 0};
            run_back(x->run, l->copy);
            uint32_t path_n = x->path_n;
            if (play_event(x) == STEP_ON && !x->over) {
                again->n = x->n_points;
                memcpy(again->row, x->points, x->n_points * sizeof again->row[0]);
                if (!known(x, left - 1, path_n))
                    walk(x, left - 1, path_n);
                x->path_n = path_n;
                if (left > 1 && !x->over) {
                    struct place next = place_behind(place, points, i, k);
                    try_behind(x, l, left - 1, again, &next);
                }
            }
            x->schedule.n--;
        }
    }
    free(again);
}

/* Walks along a run with so many faults left, and off it at each of its points. from: its beginning in the path. */
static void walk(struct explorer *x, uint32_t left, uint32_t from)
{
    struct level *l = &x->level[left];
    if (left == 0) {
        walk_out(x, from);
        return;
    }
    struct points *points = malloc(sizeof *points);
    if (points == NULL)
        stop(x, EXPLORE_NO_MEMORY);
    while (!x->over && keep(x, l)) {
        bool more = play_event(x) == STEP_ON;
        points->n = x->n_points;
        memcpy(points->row, x->points, x->n_points * sizeof points->row[0]);
        if (points->n > 0 && !x->over) {
            try_behind(x, l, left, points, &(struct place){0});
            if (!more || x->over)
                break;
            run_back(x->run, l->copy);
            x->n_points = 0;
            (void)run_step(x->run);
        }
        if (!more || known(x, left, from))
            break;
    }
    free(points);
}

/* --- nodes that are alike ------------------------------------------------------------------------------------ */

static void note_twins(struct explored *out, const struct alike *t)
{
    for (uint32_t g = 0; g < alike_groups(t); g++) {
        struct alike_group group = alike_group(t, g);
        if (out->n_twins + 1 + group.n > EXPLORE_TWINS_MAX)
            return;
        if (g > 0)
            out->twins[out->n_twins++] = NONE16;
        for (uint32_t i = 0; i < group.n; i++)
            out->twins[out->n_twins++] = group.process[i];
    }
}

/* False: no memory. */
static bool find_twins(struct explorer *x)
{
    if (x->o->plain || x->o->no_twins || x->o->offers != NULL)
        return true;
    x->twins = alike_new(x->sp, x->run->sim);
    if (x->twins != NULL)
        note_twins(x->out, x->twins);
    return x->twins != NULL;
}

/* --- bound after bound --------------------------------------------------------------------------------------- */

void explore(struct space *sp, const struct explore_options *o, struct explored *out)
{
    struct explorer *x = calloc(1, sizeof *x);
    memset(out, 0, sizeof *out);
    out->end = EXPLORE_NO_MEMORY;
    out->proved = NONE32;
    if (x == NULL)
        return;
    *x = (struct explorer){.sp = sp, .o = o, .out = out, .next_tick = TICK_STEPS};
    x->run = run_new_brief(&sp->c);
    bool good = x->run != NULL && visited_begin(&x->visited, o->memory) && find_twins(x);
    if (good)
        out->end = EXPLORE_COMPLETE;
    ASSERT(o->faults <= EXPLORE_FAULTS_MAX);
    uint32_t most = o->faults < sp->at_most ? o->faults : sp->at_most;
    for (uint32_t bound = 0; good && bound <= most && !x->over; bound++) {
        const struct run_options options = {.choose = choose, .context = x};
        out->bound = x->bound = bound;
        x->schedule.n = x->path_n = 0;
        memset(out->per_bound, 0, sizeof out->per_bound);
        run_begin(x->run, &options);
        walk(x, bound, 0);
        if (out->found)
            stop(x, EXPLORE_FOUND);
        else if (!x->over && out->broken_off == 0) /* what was broken off may break it further on */
            out->proved = bound < most ? bound : o->faults;
    }
    if (good && out->end == EXPLORE_COMPLETE && out->broken_off > 0)
        out->end = EXPLORE_LIMITS;
    out->states = x->visited.n - x->twice;
    out->bytes = visited_bytes(&x->visited);
    visited_end(&x->visited);
    alike_free(x->twins);
    free(x->path);
    for (uint32_t i = 0; i <= EXPLORE_FAULTS_MAX; i++)
        free(x->level[i].copy);
    run_free(x->run);
    free(x);
}
