/* SPDX-License-Identifier: MIT
 *
 * bench_cluster.c - the workloads of `fencepost bench` that are scenarios: a lease cluster that runs for a
 * while, a short story from its reset to its verdict, and a long file to load.
 *
 * The scenarios stand here as text, so that a figure does not change with the library. They are loaded as any
 * other; a run is the kernel's loop and then the question which invariant broke.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/query.h"
#include "reports/bench.h"
#include "scenarios/language/scenario.h"

/* Five voters, a store, two clients that renew: about ten thousand events. */
static const char cluster_text[] = "fencepost 1\n"
                                   "scenario \"A lease cluster at work\"\n"
                                   "  source \"fencepost bench\"\n"
                                   "  lesson \"What a renewal costs.\"\n"
                                   "\n"
                                   "case calm holds\n"
                                   "\n"
                                   "lock leader quorum voters 5 ttl 9s\n"
                                   "store ledger\n"
                                   "node w1 w2\n"
                                   "until 20m\n"
                                   "\n"
                                   "w1, w2:\n"
                                   "  repeat 1000:\n"
                                   "    acquire leader\n"
                                   "    keep leader\n"
                                   "    repeat 10:\n"
                                   "      work 1s\n"
                                   "      write ledger me\n"
                                   "    release leader\n"
                                   "    wait 1s\n";

/* The story of the first seed, with a lease kept and some more work: about sixty events on three machines. */
static const char short_text[] = "fencepost 1\n"
                                 "scenario \"A paused leader overwrites its successor\"\n"
                                 "  source \"fencepost bench\"\n"
                                 "  lesson \"A lock that expires cannot stop a write.\"\n"
                                 "\n"
                                 "case checked without store-token violates no-stale-write\n"
                                 "\n"
                                 "node w1 w2 server\n"
                                 "lock leader central ttl 10s at server\n"
                                 "store ledger at server\n"
                                 "\n"
                                 "w1:\n"
                                 "  acquire leader\n"
                                 "  write ledger \"first\"\n"
                                 "  work 1s\n"
                                 "  read ledger as x\n"
                                 "  write ledger x\n"
                                 "\n"
                                 "w2:\n"
                                 "  wait 11s\n"
                                 "  acquire leader\n"
                                 "  repeat 2:\n"
                                 "    work 100ms\n"
                                 "    write ledger \"from w2\"\n"
                                 "\n"
                                 "before w1 writes ledger #2: pause w1 for 12s\n";

#define LONG_LINES 1000

struct loaded {
    struct scenario *scenario;
    struct compiled *compiled;
    struct sim *sim;
};

struct bench_cluster {
    struct loaded cluster, brief, copied;
    uint8_t *out, *in;
    size_t bytes;      /* of the copied world, in mid-run */
    size_t used_bytes; /* of the short scenario, at its most */
    uint64_t short_events;
    char *long_text;
    size_t long_length;
};

static volatile uint64_t sink;

/* --- loading -------------------------------------------------------------------------------- */

static bool load(struct loaded *l, const char *text, size_t length, unsigned options)
{
    struct diags diags = {0};
    l->scenario = scenario_parse(text, length, "bench", NULL, 0, &diags);
    l->compiled = l->scenario ? scenario_compile(l->scenario, 0, 0, 0, &diags) : NULL;
    if (!l->compiled) {
        for (uint32_t i = 0; i < diags.n; i++)
            fprintf(stderr, "fencepost: bench: line %u: %s\n", (unsigned)diags.row[i].line, diags.row[i].text);
        return false;
    }
    l->sim = sim_new(&l->compiled->sim, &fencepost_model, &l->compiled->model, options);
    return l->sim != NULL;
}

static void unload(struct loaded *l)
{
    if (l->sim)
        sim_free(l->sim);
    if (l->compiled)
        compiled_free(l->compiled);
    if (l->scenario)
        scenario_free(l->scenario);
}

/* From reset to verdict. */
static uint64_t run_once(struct sim *s)
{
    const struct violation *violations;
    sim_reset(s, NULL, 0);
    while (sim_step(s, -1) == SIM_RAN)
        ;
    sink = sink + query_violations(s, &violations) + sim_trace_digest(s);
    return sim_steps(s);
}

/* --- arms ----------------------------------------------------------------------------------- */

static uint64_t run_cluster(void *context)
{
    struct bench_cluster *c = context;
    uint64_t events = 0;
    while (events < 100000)
        events += run_once(c->cluster.sim);
    return events;
}

static uint64_t run_short(void *context)
{
    struct bench_cluster *c = context;
    uint64_t events = 0;
    while (events < 100000)
        events += run_once(c->brief.sim);
    return events;
}

/* The reset alone; that of a world that has been run through is in run_short. */
static uint64_t run_reset(void *context)
{
    enum { RESETS = 20000 };
    struct bench_cluster *c = context;
    for (uint32_t i = 0; i < RESETS; i++)
        sim_reset(c->brief.sim, NULL, 0);
    return RESETS;
}

enum { COPIES = 20000 };

static uint64_t run_copy(void *context)
{
    struct bench_cluster *c = context;
    for (uint32_t i = 0; i < COPIES; i++) {
        sim_snapshot(c->copied.sim, c->out, c->bytes);
        sim_restore(c->copied.sim, c->out);
    }
    return COPIES;
}

static void barrier(void) { __asm__ volatile("" ::: "memory"); }

static uint64_t run_memcpy(void *context)
{
    struct bench_cluster *c = context;
    for (uint32_t i = 0; i < COPIES; i++) {
        memcpy(c->out, c->in, c->bytes);
        barrier();
        memcpy(c->in, c->out, c->bytes);
        barrier();
    }
    return COPIES;
}

static uint64_t run_load(void *context)
{
    enum { LOADS = 20 };
    struct bench_cluster *c = context;
    for (uint32_t i = 0; i < LOADS; i++) {
        struct loaded l = {0};
        struct diags diags = {0};
        l.scenario = scenario_parse(c->long_text, c->long_length, "bench", NULL, 0, &diags);
        l.compiled = l.scenario ? scenario_compile(l.scenario, 0, 0, 0, &diags) : NULL;
        sink = sink + (l.compiled != NULL);
        unload(&l);
    }
    return (uint64_t)LOADS * LONG_LINES;
}

/* --- setting up ----------------------------------------------------------------------------- */

/* A thousand lines: fifty nodes, each with a program of its own and a fault. */
static char *make_long(size_t *length)
{
    enum { ROOM = 64 * LONG_LINES };
    char *text = malloc(ROOM);
    size_t n = 0;
    uint32_t lines = 0;
    if (!text)
        return NULL;
#define PUT(...) (n += (size_t)snprintf(text + n, ROOM - n, __VA_ARGS__), lines++)
    PUT("fencepost 1\n");
    PUT("scenario \"A long file\"\n");
    PUT("case calm holds\n");
    PUT("lock leader central ttl 10s\n");
    PUT("store ledger\n");
    PUT("node w1..w50\n");
    for (unsigned i = 1; i <= 50; i++) {
        PUT("w%u:\n", i);
        PUT("  wait %us\n", i);
        PUT("  acquire leader\n");
        PUT("  keep leader\n");
        for (unsigned j = 0; j < 3; j++) {
            PUT("  work %u00ms\n", j + 1);
            PUT("  write ledger \"value %u of w%u\"\n", j, i);
            PUT("  read ledger as x%u\n", j);
            PUT("  if x%u = none:\n", j);
            PUT("    wait 1ms\n");
        }
        PUT("  release leader\n");
        PUT("after w%u acquires leader: pause w%u for 1s\n", i, i);
    }
    for (unsigned i = 0; lines < LONG_LINES; i++)
        PUT("at %us: pause w%u for 1ms\n", i + 1, i % 50 + 1);
#undef PUT
    *length = n;
    return text;
}

static void measure_short(struct bench_cluster *c)
{
    struct sim *s = c->brief.sim;
    sim_reset(s, NULL, 0);
    do {
        size_t size = sim_snapshot_size(s);
        c->used_bytes = size > c->used_bytes ? size : c->used_bytes;
    } while (sim_step(s, -1) == SIM_RAN);
    c->short_events = sim_steps(s);
}

static bool make_copies(struct bench_cluster *c)
{
    uint64_t half = run_once(c->copied.sim) / 2;
    sim_reset(c->copied.sim, NULL, 0);
    while (sim_steps(c->copied.sim) < half)
        sim_step(c->copied.sim, -1);
    c->bytes = sim_snapshot_size(c->copied.sim);
    c->out = bench_block(c->bytes);
    c->in = bench_block(c->bytes);
    return c->out && c->in;
}

struct bench_cluster *bench_cluster_new(void)
{
    struct bench_cluster *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->long_text = make_long(&c->long_length);
    if (c->long_text && load(&c->cluster, cluster_text, sizeof cluster_text - 1, SIM_DIGEST) &&
        load(&c->copied, cluster_text, sizeof cluster_text - 1, SIM_DIGEST) &&
        load(&c->brief, short_text, sizeof short_text - 1, SIM_DIGEST) && make_copies(c)) {
        struct loaded l = {0};
        measure_short(c);
        bool loads = load(&l, c->long_text, c->long_length, 0);
        unload(&l);
        if (loads)
            return c;
    }
    bench_cluster_free(c);
    return NULL;
}

void bench_cluster_free(struct bench_cluster *c)
{
    unload(&c->cluster);
    unload(&c->copied);
    unload(&c->brief);
    free(c->out);
    free(c->in);
    free(c->long_text);
    free(c);
}

struct bench_arm bench_cluster_arm(struct bench_cluster *c, enum cluster_arm arm)
{
    static uint64_t (*const runs[CLUSTER_ARMS])(void *) = {
        [CLUSTER_EVENTS] = run_cluster, [CLUSTER_COPY] = run_copy,   [CLUSTER_MEMCPY] = run_memcpy,
        [CLUSTER_SHORT] = run_short,    [CLUSTER_RESET] = run_reset, [CLUSTER_LOAD] = run_load,
    };
    ASSERT(arm < CLUSTER_ARMS);
    return (struct bench_arm){runs[arm], c};
}

size_t bench_cluster_used_bytes(const struct bench_cluster *c) { return c->used_bytes; }
size_t bench_cluster_copied_bytes(const struct bench_cluster *c) { return c->bytes; }
uint64_t bench_cluster_short_events(const struct bench_cluster *c) { return c->short_events; }

bool bench_cluster_workload(unsigned options, uint64_t rounds)
{
    struct loaded l = {0};
    bool ok = load(&l, cluster_text, sizeof cluster_text - 1, options);
    for (uint64_t i = 0; ok && i < rounds; i++)
        run_once(l.sim);
    unload(&l);
    return ok;
}
