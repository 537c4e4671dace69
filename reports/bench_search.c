/* SPDX-License-Identifier: MIT
 *
 * bench_search.c - the workloads of `fencepost bench` that search: sampled schedules, and every schedule of a small
 * case by its states, beside the floor of a state.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/explore.h"
#include "fuzz/sample.h"
#include "reports/bench.h"
#include "sim/bench_floor.h"

/* Two clients that keep a lease and write, on three machines: about 150 events. */
static const char sampled_text[] = "fencepost 1\n"
                                   "scenario \"Two leaders in turn\"\n"
                                   "  source \"fencepost bench\"\n"
                                   "  lesson \"What a schedule costs.\"\n"
                                   "\n"
                                   "case fenced holds\n"
                                   "\n"
                                   "node w1 w2 server\n"
                                   "lock leader central ttl 9s at server\n"
                                   "store ledger at server\n"
                                   "\n"
                                   "w1, w2:\n"
                                   "  acquire leader\n"
                                   "  keep leader\n"
                                   "  repeat 5:\n"
                                   "    work 1s\n"
                                   "    write ledger me\n"
                                   "  release leader\n"
                                   "\n"
                                   "may pause\n"
                                   "may crash\n"
                                   "may drop\n"
                                   "may delay\n";

/* Smaller, to be exhausted: every schedule with at most two pauses. */
static const char exhausted_text[] = "fencepost 1\n"
                                     "scenario \"A paused leader is fenced\"\n"
                                     "  source \"fencepost bench\"\n"
                                     "  lesson \"What a state costs.\"\n"
                                     "\n"
                                     "case fenced holds\n"
                                     "\n"
                                     "node w1 w2 server\n"
                                     "lock leader central ttl 10s at server\n"
                                     "store ledger at server\n"
                                     "\n"
                                     "w1:\n"
                                     "  acquire leader\n"
                                     "  work 1s\n"
                                     "  write ledger \"from w1\"\n"
                                     "\n"
                                     "w2:\n"
                                     "  wait 11s\n"
                                     "  acquire leader\n"
                                     "  write ledger \"from w2\"\n"
                                     "\n"
                                     "may pause\n";

struct searched {
    struct scenario *scenario;
    struct space *space;
    struct player *player;
};

struct bench_search {
    struct searched sampled, exhausted;
    uint64_t seed;   /* of the next sample */
    uint64_t states; /* of the last exhaustive search */
    uint64_t bytes;  /* and of its memory */
    uint8_t *out, *in;
    size_t used; /* bytes of the exhausted case's world, in mid-run */
    struct floor floor;
    struct floor_key heap[16];
};

static volatile uint64_t sink;

/* --- loading -------------------------------------------------------------------------------- */

static bool load(struct searched *l, const char *text, size_t length)
{
    struct diags diags = {0};
    l->scenario = scenario_parse(text, length, "bench", NULL, 0, &diags);
    if (l->scenario == NULL || space_new(l->scenario, 0, 0, 0, 0, &diags, &l->space) != SPACE_OK)
        return false;
    l->player = player_new(l->space, player_verdict(l->space));
    return l->player != NULL && player_play(l->player, NULL);
}

static void unload(struct searched *l)
{
    player_free(l->player);
    space_free(l->space);
    if (l->scenario)
        scenario_free(l->scenario);
}

/* The world of the exhausted case in mid-run. */
static bool copy_world(struct bench_search *b)
{
    struct run *r = b->exhausted.player->run;
    const struct run_options options = {.plain = false};
    run_begin(r, &options);
    for (uint64_t i = 0; i < b->exhausted.space->calm_steps / 2; i++)
        (void)run_step(r);
    b->used = run_copy_size(r);
    b->out = bench_block(b->used);
    b->in = bench_block(b->used);
    if (!b->out || !b->in)
        return false;
    run_copy(r, b->in);
    return true;
}

/* --- arms ----------------------------------------------------------------------------------- */

static uint64_t run_samples(void *context)
{
    struct bench_search *b = context;
    struct player *p = b->sampled.player;
    uint64_t before = p->steps_played;
    while (p->steps_played - before < 100000) {
        struct sample sample = sample_begin(b->sampled.space, SAMPLE_SWARM, b->seed++, 150);
        p->draw = sample_draw;
        p->draw_context = &sample;
        if (!player_play(p, NULL))
            exit(3);
    }
    sink = sink + p->found;
    return p->steps_played - before;
}

static uint64_t run_states(void *context)
{
    struct bench_search *b = context;
    const struct explore_options o = {
        .faults = 2, .wanted = player_verdict(b->exhausted.space), .memory = UINT64_C(1) << 30};
    static struct explored x;
    explore(b->exhausted.space, &o, &x);
    b->states = x.states;
    b->bytes = x.bytes;
    return x.states;
}

/* In four lanes, as fast as a hash by words gets without vectors. */
static uint64_t hash_block(const uint8_t *from, size_t n)
{
    uint64_t h[4] = {1, 2, 3, 4}, word[4];
    for (size_t i = 0; i + sizeof word <= n; i += sizeof word) {
        memcpy(word, from + i, sizeof word);
        for (int k = 0; k < 4; k++) {
            h[k] = (h[k] ^ word[k]) * UINT64_C(0x9E3779B97F4A7C15);
            h[k] ^= h[k] >> 32;
        }
    }
    return h[0] ^ h[1] << 1 ^ h[2] << 2 ^ h[3] << 3;
}

static void barrier(void) { __asm__ volatile("" ::: "memory"); }

/* The floors of a state: its bytes out and back, their hash, and one floor event. */
static uint64_t run_state_floor(void *context)
{
    enum { STATES = 100000 };
    struct bench_search *b = context;
    for (uint32_t i = 0; i < STATES; i++) {
        memcpy(b->out, b->in, b->used);
        barrier();
        memcpy(b->in, b->out, b->used);
        barrier();
        sink = sink + hash_block(b->out, b->used) + floor_run(&b->floor, 1);
    }
    return STATES;
}

/* --- setting up ----------------------------------------------------------------------------- */

struct bench_search *bench_search_new(void)
{
    struct bench_search *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    floor_start(&b->floor, b->heap, 16);
    if (load(&b->sampled, sampled_text, sizeof sampled_text - 1) &&
        load(&b->exhausted, exhausted_text, sizeof exhausted_text - 1) && copy_world(b))
        return b;
    bench_search_free(b);
    return NULL;
}

void bench_search_free(struct bench_search *b)
{
    unload(&b->sampled);
    unload(&b->exhausted);
    free(b->out);
    free(b->in);
    free(b);
}

struct bench_arm bench_search_arm(struct bench_search *b, enum search_arm arm)
{
    static uint64_t (*const runs[SEARCH_ARMS])(void *) = {
        [SEARCH_SAMPLES] = run_samples, [SEARCH_STATES] = run_states, [SEARCH_STATE_FLOOR] = run_state_floor};
    ASSERT(arm < SEARCH_ARMS);
    return (struct bench_arm){runs[arm], b};
}

uint64_t bench_search_states(const struct bench_search *b) { return b->states; }
uint64_t bench_search_bytes(const struct bench_search *b) { return b->bytes; }
uint64_t bench_search_calm_events(const struct bench_search *b) { return b->sampled.space->calm_steps; }
