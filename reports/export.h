/* SPDX-License-Identifier: MIT
 *
 * export.h - a run for other programs to read: what every format needs of a trace, and the formats.
 *
 * All of it is read from the trace and the plan. Everything is an integer, in the order of the records; no format
 * asks the machine, the locale or the time, so one run gives one text.
 *
 * A *lane* is a process, or, behind the last of them, the network: what a picture draws a line for.
 */
#ifndef FENCEPOST_REPORTS_EXPORT_H
#define FENCEPOST_REPORTS_EXPORT_H

#include "reports/front.h"

/* A grant, from its first record to the one that ends it by the service's word or by the clock that promised it,
 * whichever comes first. */
struct lease {
    int64_t token;
    uint32_t first;  /* record of the grant */
    uint32_t last;   /* record of its end; NONE32: it has not ended */
    name_id what;    /* lock, job or row */
    name_id holder;  /* node */
    uint32_t quorum; /* 1: its voters grant it, and its own name is nobody's */
};
_Static_assert(sizeof(struct lease) == 24, "struct lease has no padding");

struct exported {
    const struct outcome_file *f;
    const struct run *r;
    const struct sim_plan *sim;
    const struct model_plan *model;
    const struct record *record;
    uint32_t n;           /* records, notes too */
    uint32_t lanes;       /* processes, then the network */
    uint16_t *process_of; /* by name: the process that a thread, a process or a machine of that name means, or NONE16 */
    uint16_t *lane;       /* by record */
    uint8_t *sends;       /* by record: 1: a message that it sent arrived, or was lost */
    struct lease *lease;
    uint32_t n_leases;
};

/* Borrows file and run. False: no memory, and there is nothing to close. */
bool export_open(struct exported *x, const struct outcome_file *f, const struct run *r);
void export_close(struct exported *x);

const char *export_lane_name(const struct exported *x, uint32_t lane);
static inline uint32_t export_net(const struct exported *x) { return x->lanes - 1; }
bool export_is_note(const struct exported *x, uint32_t record);
/* Which record sent the message that this one receives or loses; NONE32: none that another process made (an answer
 * `unreachable` comes from nobody). */
uint32_t export_sender(const struct exported *x, uint32_t record);
/* What the message is called: "write". NULL: the record has none. */
const char *export_what(const struct exported *x, uint32_t record);
/* The lock, job or row of a record of a service; NONE16: none. */
name_id export_resource(const struct exported *x, const struct record *r);
/* What the run is about: the record of the first violation that makes the verdict, else of the first sign; NONE32. */
uint32_t export_centre(const struct exported *x);
bool export_is_broken(const struct exported *x, uint32_t record);
/* The names of what the record broke, " and " between them: "violates no-stale-write". Nothing where it broke none. */
void export_marks(struct text *t, const struct exported *x, uint32_t record);
/* The whole sentence of a violation as one line of plain text. */
void export_sentence(struct text *t, const struct exported *x, const struct violation *v);

/* The path as a reader elsewhere may see it: an absolute one is cut to its last part. */
const char *export_path(const char *path);

/* --- escapes: each takes over `raw`, a part built for t ------------------------------------------------ */

/* As it is, but for what turns the direction of writing or ends a line unseen: bytes as \xHH. */
void export_plain(struct text *t, struct text *raw);
/* JSON or EDN, whole: the same characters as \uXXXX, and `<`, so that it can stand in a script of a page. */
void export_json_safe(struct text *t, struct text *raw);

/* --- formats --------------------------------------------------------------------------------------------- */

/* Head, one object a record, summary; reports/trace.schema.json says what is in them. */
void export_jsonl(struct text *t, const struct exported *x, bool notes);
/* For ShiViz: a log with vector clocks. */
void export_shiviz(struct text *t, const struct exported *x, bool notes);
/* For ui.perfetto.dev and chrome://tracing: trace-event JSON. */
void export_perfetto(struct text *t, const struct exported *x);
/* For Jepsen, Knossos, Elle and the like: a history, one operation a line. */
void export_edn(struct text *t, const struct exported *x);
/* For a README or an issue. */
void export_mermaid(struct text *t, const struct exported *x);
/* For Graphviz. */
void export_dot(struct text *t, const struct exported *x);

#endif
