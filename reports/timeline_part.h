/* SPDX-License-Identifier: MIT
 *
 * timeline_part.h - between the parts of timeline.c: each derives one kind of thing in one walk over the records.
 */
#ifndef FENCEPOST_REPORTS_TIMELINE_PART_H
#define FENCEPOST_REPORTS_TIMELINE_PART_H

#include "reports/line.h"
#include "reports/timeline.h"

/* The parts. Each may set t->failed. */
void timeline_grants(struct timeline *t);   /* what services say of locks, jobs and rows */
void timeline_clients(struct timeline *t);  /* what clients believe and do */
void timeline_truths(struct timeline *t);   /* which part of a belief is true: behind both */
void timeline_stores(struct timeline *t);   /* values and fence marks */
void timeline_faults(struct timeline *t);   /* stops, closed links, marks on clocks */
void timeline_clocks(struct timeline *t);   /* what clocks read */
void timeline_messages(struct timeline *t); /* what was sent to whom, and what became of it */

/* --- bars ------------------------------------------------------------------------------------------ */

/* One more element of an array that grows; NULL: no memory, and t->failed is set. */
void *timeline_grow(struct timeline *t, void **rows, uint32_t *n, uint32_t *capacity, size_t size);
/* Adds a bar that is open until the run's end; returns its index, or NONE32. */
uint32_t timeline_open(struct timeline *t, struct bar bar);
/* Closes the bar *open, if there is one, by the record with this number, and forgets it. */
void timeline_close(struct timeline *t, uint32_t *open, uint32_t number);

static inline const struct record *timeline_record(const struct timeline *t, uint32_t number)
{
    ASSERT(number > 0 && number <= t->n_records);
    return &t->records[number - 1];
}

static inline struct value timeline_field(const struct timeline *t, const struct record *r, const char *name)
{
    return line_field(&t->run->c->sim, r, name);
}

static inline const struct place *timeline_place(const struct timeline *t, name_id name)
{
    static const struct place nowhere = {NONE16, NONE16, NONE16, NONE16, NONE16, NONE16};
    return name == NONE16 ? &nowhere : &t->places[name];
}

/* The resource that a service's record is about: by its `of`, or its own lock; NONE16: none. */
uint16_t timeline_resource(const struct timeline *t, const struct record *r);
/* The index of a resource's row in the plan; it is a row. */
static inline uint32_t timeline_row(const struct model_plan *p, uint16_t resource)
{
    return resource - p->n_locks - p->n_jobs;
}
/* Whether a crash told by this record takes what a service has not synced: grants, votes, claims. */
bool timeline_forgets(const struct timeline *t, const struct record *crash);

#endif
