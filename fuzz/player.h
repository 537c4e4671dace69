/* SPDX-License-Identifier: MIT
 *
 * player.h - schedules, and how one is played.
 *
 * A schedule is a set of deviations: (address of a decision point, fault). It is kept sorted by address and fault, so
 * equal sets are equal arrays; at one point faults strike in the order of the menu. What it does depends on nothing
 * else. A deviation whose point did not occur is inert: played without it, the run is the same.
 *
 * While it plays a schedule a player can draw more deviations, by a function of each point; what was drawn and struck
 * is written into `made`, which alone plays the same run again.
 */
#ifndef FENCEPOST_FUZZ_PLAYER_H
#define FENCEPOST_FUZZ_PLAYER_H

#include "fuzz/space.h"
#include "model/abstract.h"
#include "scenarios/situations.h"

struct schedule {
    uint32_t n;
    struct step {
        uint64_t address;
        uint32_t fault; /* index into the space's faults */
        uint32_t at;    /* how many points the run had passed when it struck; means nothing to what is played */
    } row[SCHEDULE_MAX];
};

/* In its place; false: it is there already, or there is no room. */
bool schedule_add(struct schedule *s, uint64_t address, uint32_t fault, uint32_t at);
void schedule_remove(struct schedule *s, uint32_t i);
bool schedule_has(const struct schedule *s, uint64_t address, uint32_t fault);
bool schedule_equal(const struct schedule *a, const struct schedule *b);
uint64_t schedule_hash(const struct schedule *s);

/* --- what broke ---------------------------------------------------------------------------------- */

/* An invariant and whose message, grant ... broke it; or an `always` line; or a situation, which is found where it is
 * reached. */
struct culprit {
    uint32_t invariant; /* enum invariant; INVARIANTS + i: expectation i of the space's case; REACHED + i: cell i */
    name_id node;
};
static inline bool same_culprit(struct culprit a, struct culprit b)
{
    return a.invariant == b.invariant && a.node == b.node;
}
bool culprit_among(const struct culprit *list, uint32_t n, struct culprit c);

#define REACHED (UINT32_C(1) << 24)
static inline bool is_reached(struct culprit c) { return c.invariant >= REACHED; }

/* Which violations a search looks for: bits INV_x, and ALWAYS_WANTED for `always` lines. */
#define ALWAYS_WANTED (UINT64_C(1) << 63)

/* --- playing ---------------------------------------------------------------------------------------- */

/* Called at each point, after what the schedule does there: says which fault strikes besides; NONE32: none. s is the
 * run as it stands, to be asked; `at` counts the points of it so far, from 0. */
typedef uint32_t (*draw_fn)(void *context, const struct sim *s, const struct choice_point *p, uint32_t at);

/* One point that a run passed. */
struct passed {
    struct choice_point p;
    uint32_t event; /* how many events had run before the one in which it stands */
    ns at;
};

struct player {
    struct space *sp;
    struct run *run;
    /* what to do: set before play */
    uint64_t wanted;             /* which violations count as found, */
    const struct culprit *known; /* but for these; the caller's */
    uint32_t n_known;
    struct situation_set reach; /* and which situations, of a player that reads them */
    draw_fn draw;               /* NULL: nothing besides the schedule */
    void *draw_context;
    /* the schedule is read from bytes (input.h): its addresses have their low 32 bits alone, and what may not strike at
     * a point, or would be one too many, does not. `made` has whole addresses */
    bool low_addresses;
    bool note_points; /* keep points[] */
    bool note_states; /* mark slots[] */
    enum abstract_level level;
    /* what came of it */
    bool found;             /* the first wanted violation, unless it comes as the run fails: no file can show it */
    struct culprit culprit; /* the first of them */
    ns found_at;
    bool whole;            /* the run came to its own end, or its horizon */
    uint32_t n_passed;     /* points of the run */
    uint32_t struck;       /* deviations that met their point */
    struct schedule made;  /* what struck: the schedule without what was inert, and what was drawn */
    struct passed *points; /* with note_points: the first n_points */
    uint32_t n_points, points_max;
    uint16_t *slots; /* with note_states: abstract states in the order of their first time, and when */
    uint32_t n_slots;
    uint32_t *slot_event; /* how many events had run at that time */
    uint8_t *slot_seen;
    uint64_t steps_played; /* events of all runs so far, each from where it went on from a copy, or as if it did */
    /* with keep_at > 0: a copy of the run when so many events have run, in `kept` */
    uint32_t keep_at;
    void *kept; /* malloc'd; whoever takes it sets NULL */
    size_t kept_size;
    uint32_t kept_passed; /* points that it had passed */
    /* with from_event > 0: plays as if on from a copy that was kept then. Before, nothing is drawn and no state noted;
     * from then on the schedule does nothing */
    uint32_t from_event;
    /* within one run */
    struct situation_reader *reader; /* NULL: no situation is looked for */
    const struct schedule *schedule;
    uint64_t mask;
    bool failed; /* no memory */
};

/* NULL: no memory. The space outlives it. wanted: see above. */
struct player *player_new(struct space *sp, uint64_t wanted);
/* The same, which looks for situations and nothing else. */
struct player *player_new_reaching(struct space *sp, const struct situation_set *reach);
void player_free(struct player *p);

/* Plays it from the start. False: no memory. schedule NULL: the calm run. It may be &p->made. */
bool player_play(struct player *p, const struct schedule *schedule);

/* Plays on from a copy: passed points were n_passed, and what struck by then is `prefix`. from_event says when it was
 * kept. */
bool player_play_on(struct player *p, const void *copy, uint32_t n_passed, const struct schedule *prefix);

/* What a search of this space looks for unless told otherwise: all that makes the verdict of the case. */
uint64_t player_verdict(const struct space *sp);

#endif
