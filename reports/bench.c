/* SPDX-License-Identifier: MIT
 *
 * bench.c - `fencepost bench`.
 *
 * Absolute times say nothing on a machine that others use too. So every arm is run in turn, round after round,
 * with the floor that it is compared to in the same round; a figure is the median over the rounds of the
 * ratio within a round. Time is this process's own CPU time.
 *
 * Floating-point numbers, and in bench_clock.c a clock of the machine, stand here alone; no run sees them.
 */
#include "reports/bench.h"

#include "reports/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/bench_floor.h"
#include "sim/bench_phold.h"

#define ROUNDS 11

enum arm {
    FLOOR_16,
    FLOOR_1000,
    PHOLD_16,
    PHOLD_1000,
    PHOLD_10000,
    KERNEL_COPY,
    KERNEL_MEMCPY,
    FIRST_CLUSTER,
    FIRST_SEARCH = FIRST_CLUSTER + (int)CLUSTER_ARMS,
    ARMS = FIRST_SEARCH + (int)SEARCH_ARMS
};

/* A row of the report: an arm over another, times `scale`, which must not exceed `target`. */
static const struct row {
    const char *id;
    uint8_t arm, floor;
    uint16_t target_hundredths;
    const char *what;
} rows[] = {
    {"B1", PHOLD_16, FLOOR_16, 180, "kernel, PHOLD at 16 nodes: an event over the floor event"},
    {"B1.1000", PHOLD_1000, FLOOR_1000, 180, "the same at 1000 nodes"},
    {"B2", FIRST_CLUSTER + (int)CLUSTER_EVENTS, FLOOR_16, 400,
     "lease cluster, invariants and digest on: an event over the floor event"},
    {"B4", FIRST_CLUSTER + (int)CLUSTER_COPY, FIRST_CLUSTER + (int)CLUSTER_MEMCPY, 120,
     "snapshot and restore over memcpy there and back, lease cluster"},
    {"B4.kernel", KERNEL_COPY, KERNEL_MEMCPY, 120, "the same, kernel alone at 16 nodes"},
    {"B5", FIRST_CLUSTER + (int)CLUSTER_SHORT, FLOOR_16, 600,
     "a scenario of about 60 events, reset to verdict: an event over the floor event"},
    {"B5.reset", FIRST_CLUSTER + (int)CLUSTER_RESET, FLOOR_16, 1500, "its reset over one floor event"},
    {"B5.sampled", FIRST_SEARCH + (int)SEARCH_SAMPLES, FLOOR_16, 600,
     "a sampled schedule of about 150 events, drawn, played and judged: an event over the floor event"},
    {"B7", FIRST_SEARCH + (int)SEARCH_STATES, FIRST_SEARCH + (int)SEARCH_STATE_FLOOR, 250,
     "exhaust: a visited state over its bytes out and back, their hash, and a floor event"},
    {"B9", PHOLD_10000, PHOLD_16, 400, "kernel at 10,000 nodes and 100,000 pending over 16 nodes"},
    {"B10", FIRST_CLUSTER + (int)CLUSTER_LOAD, FLOOR_16, 10000, "loading 1,000 lines: a line over the floor event"},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

#define USED_BYTES_TARGET 8192
#define STATE_BYTES_TARGET 24

struct bench {
    struct bench_arm arm[ARMS];
    double ns_each[ARMS][ROUNDS];
    struct floor floors[2];
    struct phold *phold[3];
    struct sim *sim[3];
    void *out, *in; /* KERNEL_COPY, KERNEL_MEMCPY */
    size_t room;    /* of each */
    size_t copied;  /* in the last snapshot */
    struct bench_cluster *cluster;
    struct bench_search *search;
};

/* --- arms of the kernel ------------------------------------------------------------------- */

static volatile uint64_t sink; /* what is computed is used */

static uint64_t run_floor(void *context)
{
    enum { EVENTS = 400000 };
    sink = sink + floor_run(context, EVENTS);
    return EVENTS;
}

static uint64_t run_phold(void *context)
{
    enum { EVENTS = 300000 };
    struct sim *s = context;
    for (uint32_t i = 0; i < EVENTS; i++)
        if (sim_step(s, -1) != SIM_RAN) {
            fprintf(stderr, "fencepost: bench: the kernel's workload stopped\n");
            exit(3);
        }
    return EVENTS;
}

enum { COPIES = 40000 };

static uint64_t copy_there_and_back(void *context)
{
    struct bench *b = context;
    for (uint32_t i = 0; i < COPIES; i++) {
        b->copied = sim_snapshot(b->sim[0], b->out, b->room);
        sim_restore(b->sim[0], b->out);
    }
    return COPIES;
}

/* Memory that the compiler cannot see through. */
static void barrier(void) { __asm__ volatile("" ::: "memory"); }

static uint64_t run_memcpy(void *context)
{
    struct bench *b = context;
    for (uint32_t i = 0; i < COPIES; i++) {
        memcpy(b->out, b->in, b->copied);
        barrier();
        memcpy(b->in, b->out, b->copied);
        barrier();
    }
    return COPIES;
}

/* --- setting up ----------------------------------------------------------------------------- */

static bool add_floor(struct bench *b, uint32_t i, enum arm arm, uint64_t pending)
{
    struct floor_key *heap = malloc((size_t)pending * sizeof *heap);
    if (!heap)
        return false;
    floor_start(&b->floors[i], heap, pending);
    b->arm[arm] = (struct bench_arm){run_floor, &b->floors[i]};
    return true;
}

static bool add_phold(struct bench *b, uint32_t i, enum arm arm, uint32_t nodes, uint32_t pending_each)
{
    b->phold[i] = malloc(sizeof *b->phold[i]);
    if (!b->phold[i])
        return false;
    phold_plan(b->phold[i], nodes, pending_each);
    b->sim[i] = sim_new(&b->phold[i]->plan, &b->phold[i]->model, b->phold[i], SIM_DIGEST);
    if (!b->sim[i])
        return false;
    sim_reset(b->sim[i], NULL, 0);
    b->arm[arm] = (struct bench_arm){run_phold, b->sim[i]};
    run_phold(b->sim[i]); /* past the start, when all nodes begin at once */
    return true;
}

void *bench_block(size_t size)
{
    size_t lines = size / 64 + 1;
    void *block = aligned_alloc(64, 64 * lines);
    if (block)
        memset(block, 0, 64 * lines);
    return block;
}

static bool add_copies(struct bench *b)
{
    b->room = sim_snapshot_size(b->sim[0]);
    b->room += b->room / 4; /* it may grow a little while the kernel's arm runs on */
    b->out = bench_block(b->room);
    b->in = bench_block(b->room);
    b->arm[KERNEL_COPY] = (struct bench_arm){copy_there_and_back, b};
    b->arm[KERNEL_MEMCPY] = (struct bench_arm){run_memcpy, b};
    return b->out && b->in;
}

static bool add_all(struct bench *b)
{
    if (!add_floor(b, 0, FLOOR_16, 16) || !add_floor(b, 1, FLOOR_1000, 1000))
        return false;
    if (!add_phold(b, 0, PHOLD_16, 16, 1) || !add_phold(b, 1, PHOLD_1000, 1000, 1) ||
        !add_phold(b, 2, PHOLD_10000, PHOLD_NODES_MAX, 10))
        return false;
    b->cluster = bench_cluster_new();
    b->search = bench_search_new();
    if (!b->cluster || !b->search || !add_copies(b))
        return false;
    for (uint32_t i = 0; i < SEARCH_ARMS; i++)
        b->arm[FIRST_SEARCH + i] = bench_search_arm(b->search, (enum search_arm)i);
    for (uint32_t i = 0; i < CLUSTER_ARMS; i++)
        b->arm[FIRST_CLUSTER + i] = bench_cluster_arm(b->cluster, (enum cluster_arm)i);
    return true;
}

static void free_all(struct bench *b)
{
    for (uint32_t i = 0; i < 2; i++)
        free(b->floors[i].heap);
    for (uint32_t i = 0; i < 3; i++) {
        if (b->sim[i])
            sim_free(b->sim[i]);
        free(b->phold[i]);
    }
    free(b->out);
    free(b->in);
    if (b->cluster)
        bench_cluster_free(b->cluster);
    if (b->search)
        bench_search_free(b->search);
}

/* --- measuring ------------------------------------------------------------------------------ */

static void measure(struct bench *b)
{
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t i = 0; i < ARMS; i++) {
            double start = bench_cpu_ns();
            uint64_t operations = b->arm[i].run(b->arm[i].context);
            b->ns_each[i][round] = (bench_cpu_ns() - start) / (double)operations;
        }
}

static double median(double *x)
{
    for (uint32_t i = 1; i < ROUNDS; i++)
        for (uint32_t j = i; j > 0 && x[j] < x[j - 1]; j--) {
            double t = x[j];
            x[j] = x[j - 1];
            x[j - 1] = t;
        }
    return x[ROUNDS / 2];
}

static double ratio(const struct bench *b, const struct row *r)
{
    double of_round[ROUNDS];
    for (uint32_t i = 0; i < ROUNDS; i++)
        of_round[i] = b->ns_each[r->arm][i] / b->ns_each[r->floor][i];
    return median(of_round);
}

static double cost(const struct bench *b, enum arm arm)
{
    double of_round[ROUNDS];
    memcpy(of_round, b->ns_each[arm], sizeof of_round);
    return median(of_round);
}

/* --- reporting ------------------------------------------------------------------------------ */

static const char *verdict(bool ok) { return ok ? "ok" : "over"; }

static void print_text(const struct bench *b)
{
    size_t used = bench_cluster_used_bytes(b->cluster);
    printf("%-10s %8s %8s        %s\n", "", "ratio", "target", "what");
    for (uint32_t i = 0; i < ROWS; i++) {
        const struct row *r = &rows[i];
        double x = ratio(b, r), target = r->target_hundredths / 100.0;
        printf("%-10s %8.2f %8.2f  %-4s  %s\n", r->id, x, target, verdict(x <= target), r->what);
    }
    printf("%-10s %8u %8u  %-4s  used bytes of a three-node scenario\n", "B4.bytes", (unsigned)used, USED_BYTES_TARGET,
           verdict(used <= USED_BYTES_TARGET));
    uint64_t states = bench_search_states(b->search);
    double each = (double)bench_search_bytes(b->search) / (double)states;
    printf("%-10s %8.1f %8u  %-4s  exhaust: bytes a visited state, all memory over %u states\n", "B8", each,
           STATE_BYTES_TARGET, verdict(each <= STATE_BYTES_TARGET), (unsigned)states);
    printf("B3: make bench-instructions counts it; B6: make bench-fuzz\n");
    printf("floor event: %.1f ns at 16 pending, %.1f at 1000; kernel event %.1f, %.1f, at 10,000 nodes %.1f; "
           "cluster event %.1f; short scenario %u events\n",
           cost(b, FLOOR_16), cost(b, FLOOR_1000), cost(b, PHOLD_16), cost(b, PHOLD_1000), cost(b, PHOLD_10000),
           cost(b, FIRST_CLUSTER + (int)CLUSTER_EVENTS), (unsigned)bench_cluster_short_events(b->cluster));
    printf("cluster: %u bytes, snapshot and restore %.0f ns, memcpy %.0f; kernel: %u bytes, %.0f and %.0f\n",
           (unsigned)bench_cluster_copied_bytes(b->cluster), cost(b, FIRST_CLUSTER + (int)CLUSTER_COPY),
           cost(b, FIRST_CLUSTER + (int)CLUSTER_MEMCPY), (unsigned)b->copied, cost(b, KERNEL_COPY),
           cost(b, KERNEL_MEMCPY));
}

static void print_json(const struct bench *b)
{
    printf("{\"v\":1,\"ratios\":{");
    for (uint32_t i = 0; i < ROWS; i++)
        printf("%s\"%s\":%.2f", i ? "," : "", rows[i].id, ratio(b, &rows[i]));
    printf("},\"targets\":{");
    for (uint32_t i = 0; i < ROWS; i++)
        printf("%s\"%s\":%.2f", i ? "," : "", rows[i].id, rows[i].target_hundredths / 100.0);
    printf("},\"used_bytes\":%u,\"floor_ns\":%.1f}\n", (unsigned)bench_cluster_used_bytes(b->cluster),
           cost(b, FLOOR_16));
}

/* --- the command ---------------------------------------------------------------------------- */

const char *const bench_workload[BENCH_WORKLOADS] = {"bare", "digest", "kept"};
static const unsigned workload_options[BENCH_WORKLOADS] = {0, SIM_DIGEST, SIM_DIGEST | SIM_KEEP_TRACE};

int bench_take_workload(struct options *o, const char *value)
{
    for (uint32_t i = 0; i < BENCH_WORKLOADS; i++)
        if (strcmp(value, bench_workload[i]) == 0) {
            o->workload = bench_workload[i];
            return STATUS_GOOD;
        }
    const char *near = nearest_word(value, strlen(value), bench_workload, BENCH_WORKLOADS);
    front_complain("no workload '%s'; there is bare, digest and kept%s%s%s", value,
                   near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
    return STATUS_WRONG;
}

static int no_workload(void)
{
    front_complain("bench: out of memory, or a workload of it does not load");
    return STATUS_BROKEN;
}

static int run_workload(const char *name, uint32_t rounds)
{
    uint32_t i = 0;
    while (bench_workload[i] != name)
        i++;
    return bench_cluster_workload(workload_options[i], rounds) ? STATUS_GOOD : no_workload();
}

static int measure_all(bool json)
{
    static struct bench b;
    memset(&b, 0, sizeof b);
    if (!add_all(&b)) {
        free_all(&b);
        return no_workload();
    }
    measure(&b);
    if (json)
        print_json(&b);
    else
        print_text(&b);
    free_all(&b);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return STATUS_GOOD;
    front_complain("bench: the output cannot be written");
    return STATUS_BROKEN;
}

int command_bench(const struct options *o)
{
    if (o->n_operands > 0) {
        front_complain("bench takes no file: '%s'", o->operand[0]);
        return STATUS_WRONG;
    }
    return o->workload != NULL ? run_workload(o->workload, o->rounds) : measure_all(o->format == FORMAT_JSON);
}
