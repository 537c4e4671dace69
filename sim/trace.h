/* SPDX-License-Identifier: MIT
 *
 * trace.h - what the kernel needs of trace.c; models use sim_record() of sim.h.
 */
#ifndef FENCEPOST_SIM_TRACE_H
#define FENCEPOST_SIM_TRACE_H

#include "sim/world.h"

/* Works out the constants of the digest: hashes of verbs and of kinds of values. */
void trace_prepare(struct sim *s);

/* One record folded into a digest. */
uint64_t trace_fold(const struct sim *s, uint64_t digest, const struct record *r);

static inline struct value value_name(name_id name)
{
    return name == NONE16 ? (struct value){0, TAG_NONE} : (struct value){name, TAG_NAME};
}

static inline struct value value_ns(ns v)
{
    return v == NS_NEVER ? (struct value){0, TAG_NONE} : (struct value){v, TAG_NS};
}

#endif
