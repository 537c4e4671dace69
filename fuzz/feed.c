/* SPDX-License-Identifier: MIT
 *
 * feed.c - see feed.h.
 *
 *  1. What counts is the run of the bytes, played from them. A child's run, which is played from its parent's whole
 *     addresses and drawn on the way, is taken for it only where the two cannot differ: each of its addresses is the
 *     only one of the run with that low half, and where two faults strike at one point, where those that are drawn come
 *     last and those of bytes come in the order of the menu, the drawn one is the last in both.
 *  2. The places of memory for parents are found by hash, and the bytes are compared: a wrong one is never taken.
 */
#include "fuzz/feed.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/mutate.h"

#define PARENTS 1024    /* remembered; a power of two */
#define PASSED_MAX 8192 /* points of a run whose addresses are compared; a longer one is played again */
#define CROSS_ONE_IN 4  /* libFuzzer crosses as often as it mutates: most of those are declined */

struct parent {
    uint32_t n; /* bytes; NONE32: nothing stands here */
    uint32_t n_passed;
    struct schedule made;
    uint8_t data[INPUT_MAX];
};

struct feed {
    struct space *sp;
    bool remember;
    struct player *player; /* of the last input, or of the last child */
    struct player *parents_player;
    bool last_good; /* the player's run is that of these bytes */
    size_t last_n;
    uint8_t last[INPUT_MAX];
    struct parent *parents; /* PARENTS */
    struct mutation mutation;
    uint32_t *passed; /* PASSED_MAX; low halves of the addresses that the child's run passes */
    uint32_t n_passed;
    uint64_t played, spared;
};

/* --- life ------------------------------------------------------------------------------------ */

struct feed *feed_new(struct space *sp, bool remember)
{
    struct feed *f = calloc(1, sizeof *f);
    if (f == NULL)
        return NULL;
    f->sp = sp;
    f->remember = remember;
    f->player = player_new(sp, player_verdict(sp));
    f->parents_player = player_new(sp, 0);
    f->parents = calloc(PARENTS, sizeof *f->parents);
    f->passed = calloc(PASSED_MAX, sizeof *f->passed);
    if (f->player == NULL || f->parents_player == NULL || f->parents == NULL || f->passed == NULL) {
        feed_free(f);
        return NULL;
    }
    for (uint32_t i = 0; i < PARENTS; i++)
        f->parents[i].n = NONE32;
    f->player->note_states = true;
    f->parents_player->low_addresses = true;
    return f;
}

void feed_free(struct feed *f)
{
    if (f == NULL)
        return;
    player_free(f->player);
    player_free(f->parents_player);
    free(f->parents);
    free(f->passed);
    free(f);
}

struct player *feed_player(struct feed *f) { return f->player; }

uint64_t feed_played(const struct feed *f) { return f->played; }

uint64_t feed_spared(const struct feed *f) { return f->spared; }

/* --- playing bytes --------------------------------------------------------------------------------- */

static bool is_last(const struct feed *f, const uint8_t *data, size_t n)
{
    return f->remember && f->last_good && n == f->last_n && (n == 0 || memcmp(data, f->last, n) == 0);
}

static void set_last(struct feed *f, const uint8_t *data, size_t n, bool good)
{
    ASSERT(n <= INPUT_MAX);
    f->last_good = good;
    f->last_n = n;
    if (n > 0)
        memcpy(f->last, data, n);
}

static bool play(struct feed *f, struct player *p, const struct schedule *s)
{
    f->played++;
    return player_play(p, s);
}

enum fed feed_input(struct feed *f, const uint8_t *data, size_t n)
{
    struct schedule s;
    if (n > INPUT_MAX || !input_read(f->sp, data, n, &s) || (s.n == 0 && n > 0))
        return FED_IDLE;
    if (is_last(f, data, n)) {
        f->spared++;
    } else {
        f->player->low_addresses = true;
        f->player->draw = NULL;
        bool played = play(f, f->player, &s);
        set_last(f, data, n, played);
        if (!played)
            return FED_BROKEN;
    }
    return f->player->made.n == 0 && n > 0 ? FED_IDLE : FED_RUN;
}

/* --- parents ------------------------------------------------------------------------------------------ */

static bool parent_is(const struct parent *p, const uint8_t *data, size_t n)
{
    return p->n == n && (n == 0 || memcmp(p->data, data, n) == 0);
}

/* What the bytes do, and how many points their run passes. NULL: they are none, or no memory. */
static const struct parent *find_parent(struct feed *f, const uint8_t *data, size_t n)
{
    struct schedule s;
    if (n > INPUT_MAX || !input_read(f->sp, data, n, &s))
        return NULL;
    struct parent *p = &f->parents[sample_hash(hash_bytes(data, n), 1) & (PARENTS - 1)];
    if (f->remember && parent_is(p, data, n))
        return p;
    const struct player *player = is_last(f, data, n) ? f->player : f->parents_player;
    p->n = NONE32;
    if (player == f->parents_player && !play(f, f->parents_player, &s))
        return NULL;
    p->n = (uint32_t)n;
    p->n_passed = player->n_passed;
    p->made = player->made;
    if (n > 0)
        memcpy(p->data, data, n);
    return p;
}

/* --- children ------------------------------------------------------------------------------------------- */

static uint32_t draw(void *context, const struct sim *s, const struct choice_point *p, uint32_t at)
{
    struct feed *f = context;
    if (f->n_passed < PASSED_MAX)
        f->passed[f->n_passed] = (uint32_t)p->address;
    f->n_passed++;
    return mutate_draw(&f->mutation, s, p, at);
}

static uint32_t count_passed(const struct feed *f, uint64_t address)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->n_passed; i++)
        n += f->passed[i] == (uint32_t)address;
    return n;
}

/* Drawn, and so struck behind one of the base that comes after it in the menu. */
static bool struck_early(const struct feed *f, uint32_t i)
{
    const struct step *row = f->player->made.row;
    return i + 1 < f->player->made.n && row[i].address == row[i + 1].address &&
           !schedule_has(&f->mutation.base, row[i].address, row[i].fault);
}

/* Rule 1. */
static bool same_from_bytes(const struct feed *f)
{
    const struct schedule *made = &f->player->made;
    if (f->n_passed != f->player->n_passed || f->n_passed > PASSED_MAX || made->n > f->sp->at_most)
        return false;
    for (uint32_t i = 0; i < made->n; i++)
        if (count_passed(f, made->row[i].address) != 1 || struck_early(f, i))
            return false;
    return true;
}

/* Plays f->mutation and writes down what struck. */
static size_t play_child(struct feed *f, uint8_t *out, size_t max)
{
    f->player->low_addresses = false;
    f->player->draw = draw;
    f->player->draw_context = f;
    f->n_passed = 0;
    f->last_good = false;
    if (!play(f, f->player, &f->mutation.base) || f->player->made.n == 0)
        return 0;
    size_t n = input_write(f->sp, &f->player->made, out, max);
    bool whole = n == (size_t)f->player->made.n * INPUT_RECORD;
    set_last(f, out, n, whole && same_from_bytes(f));
    return n;
}

size_t feed_mutate(struct feed *f, uint8_t *data, size_t n, size_t max, uint32_t seed)
{
    const struct parent *p = find_parent(f, data, n);
    if (p == NULL)
        return 0;
    mutate(f->sp, &p->made, p->n_passed, NULL, seed, &f->mutation);
    if (f->mutation.n == 0 && schedule_equal(&f->mutation.base, &p->made))
        return 0;
    return play_child(f, data, max);
}

/* Some of the other's deviations beside those of the first, where there is room; without any of the first's half of the
 * time. */
static void cross(const struct space *sp, const struct schedule *a, const struct schedule *b, uint64_t h,
                  struct mutation *m)
{
    m->sp = sp;
    m->n = 0;
    m->base.n = 0;
    for (uint32_t i = 0; i < a->n; i++)
        if (h & 1 || sample_hash(h, i) & 1)
            (void)schedule_add(&m->base, a->row[i].address, a->row[i].fault, a->row[i].at);
    for (uint32_t i = 0; i < b->n && m->base.n < sp->at_most; i++)
        if (sample_hash(h, SCHEDULE_MAX + i) & 1)
            (void)schedule_add(&m->base, b->row[i].address, b->row[i].fault, b->row[i].at);
}

size_t feed_cross(struct feed *f, const uint8_t *a, size_t a_n, const uint8_t *b, size_t b_n, uint8_t *out, size_t max,
                  uint32_t seed)
{
    uint64_t h = sample_hash(seed, 31);
    if (sample_below(h, CROSS_ONE_IN) != 0)
        return 0;
    const struct parent *p = find_parent(f, a, a_n);
    if (p == NULL)
        return 0;
    struct schedule first = p->made; /* the other may need its place */
    p = find_parent(f, b, b_n);
    if (p == NULL)
        return 0;
    cross(f->sp, &first, &p->made, sample_hash(h, 1), &f->mutation);
    if (schedule_equal(&f->mutation.base, &first) || schedule_equal(&f->mutation.base, &p->made))
        return 0;
    return play_child(f, out, max);
}
