/* SPDX-License-Identifier: MIT
 *
 * bench_phold.h - PHOLD, the workload that simulators are compared by, as a model of the kernel: n nodes, a
 * constant number of events pending, each of which leads to one other at a node drawn at random.
 *
 * An event is a message or a timer, in turn: a message arrives, its thread emits a record, draws a time and sets
 * a timer; the timer fires, draws a peer and sends. Each makes two draws, as the floor event does. Faults are
 * possible: one is planned for the last moment of time, and one waits for a record that never comes.
 */
#ifndef FENCEPOST_SIM_BENCH_PHOLD_H
#define FENCEPOST_SIM_BENCH_PHOLD_H

#include "sim/sim.h"

#define PHOLD_NODES_MAX 10000

/* Everything that a plan points into; about a megabyte, the caller's, and it must outlive the sim. */
struct phold {
    struct sim_plan plan;
    struct sim_model model;
    uint32_t pending_each; /* events that a node starts with */
    uint32_t nodes;
    struct names names;
    struct link_plan links[1];
    struct machine_plan machines[PHOLD_NODES_MAX];
    struct process_plan processes[PHOLD_NODES_MAX];
    struct thread_plan threads[PHOLD_NODES_MAX];
    struct fault_plan faults[2];
    struct trigger_plan triggers[1];
    uint16_t ids[2];
    char text[PHOLD_NODES_MAX + 2][8];
    const char *text_of[PHOLD_NODES_MAX + 2];
    uint64_t hash_of[PHOLD_NODES_MAX + 2];
};

void phold_plan(struct phold *p, uint32_t nodes, uint32_t pending_each);

#endif
