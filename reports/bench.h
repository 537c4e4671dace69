/* SPDX-License-Identifier: MIT
 *
 * bench.h - `fencepost bench`: how fast this machine simulates, as ratios to floors measured in the same run.
 */
#ifndef FENCEPOST_REPORTS_BENCH_H
#define FENCEPOST_REPORTS_BENCH_H

#include "sim/base.h"

struct options;

/* What --workload takes. */
#define BENCH_WORKLOADS 3
extern const char *const bench_workload[BENCH_WORKLOADS];
/* One of them; complains of any other, with the nearest. */
int bench_take_workload(struct options *o, const char *value);

/* --- what is measured ------------------------------------------------------------------- */

/* Something that can be run again and again. run() returns how many operations it did: events, lines, copies. */
struct bench_arm {
    uint64_t (*run)(void *context);
    void *context;
};

/* The arms that need scenarios (bench_cluster.c). */
enum cluster_arm {
    CLUSTER_EVENTS, /* B2: events of the lease cluster, invariants and digest on */
    CLUSTER_COPY,   /* B4: snapshot and restore of its world */
    CLUSTER_MEMCPY, /* B4: the same bytes there and back */
    CLUSTER_SHORT,  /* B5: a scenario of about 60 events, from reset to verdict; one operation is one event */
    CLUSTER_RESET,  /* B5 */
    CLUSTER_LOAD,   /* B10: lines */
    CLUSTER_ARMS
};

/* The arms that search (bench_search.c). */
enum search_arm {
    SEARCH_SAMPLES,     /* B5.sampled: independent samples of a case of about 150 events; one operation is one event */
    SEARCH_STATES,      /* B7: visited states of an exhaustive search */
    SEARCH_STATE_FLOOR, /* B7: as many bytes out and back, their hash, and a floor event */
    SEARCH_ARMS
};

struct bench_search;
/* NULL: out of memory, or the built-in scenarios do not load, which is a bug. */
struct bench_search *bench_search_new(void);
void bench_search_free(struct bench_search *b);
struct bench_arm bench_search_arm(struct bench_search *b, enum search_arm arm);
uint64_t bench_search_states(const struct bench_search *b); /* B8: of the last exhaustive search */
uint64_t bench_search_bytes(const struct bench_search *b);  /* B8: all memory of its states */
uint64_t bench_search_calm_events(const struct bench_search *b);

/* The CPU time of this process, in nanoseconds (bench_clock.c). */
double bench_cpu_ns(void);
double bench_elapsed_ns(void); /* since some time in the past; goes on while nothing runs */

/* Zeroes that begin where a cache line does; the caller's to free. NULL: out of memory. */
void *bench_block(size_t size);

struct bench_cluster;

/* NULL: out of memory, or the built-in scenarios do not load, which is a bug. */
struct bench_cluster *bench_cluster_new(void);
void bench_cluster_free(struct bench_cluster *c);
struct bench_arm bench_cluster_arm(struct bench_cluster *c, enum cluster_arm arm);
size_t bench_cluster_used_bytes(const struct bench_cluster *c);   /* B4: of the three-node scenario, at its most */
size_t bench_cluster_copied_bytes(const struct bench_cluster *c); /* of the cluster, in mid-run */
uint64_t bench_cluster_short_events(const struct bench_cluster *c);

/* B3, for callgrind: the lease cluster `rounds` times with these sim options; false: not possible. */
bool bench_cluster_workload(unsigned options, uint64_t rounds);

#endif
