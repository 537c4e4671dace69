/* SPDX-License-Identifier: MIT
 *
 * protocol.h - protocol coverage: what the gates were asked in a set of runs, what they said, and which faults were
 * active then.
 *
 *     row     a gate, and one thing that it can say: lets through; refuses, by which conjunct alone or by several; is
 *             not there, where it would have let through, or would have refused
 *     column  a kind of fault (active.h), or none
 *     cell    in which runs, how often, and when first
 *
 * A conjunct is *seen deciding alone* when in some run its gate refused by it and by nothing else, and in some run let
 * through. Runs are played with SIM_ASIDES. Which lines of the scenario a run came to is told too: its steps, its
 * faults, what it expects and asks.
 */
#ifndef FENCEPOST_FUZZ_PROTOCOL_H
#define FENCEPOST_FUZZ_PROTOCOL_H

#include "fuzz/active.h"
#include "model/gate.h"
#include "scenarios/run.h"

enum said {
    SAID_YES,
    SAID_NO,          /* by one conjunct alone */
    SAID_NO_MANY,     /* by several at once */
    SAID_NOTHING,     /* the gate is not there, and would have let through */
    SAID_NOTHING_NO,  /* it would have refused, by one conjunct alone */
    SAID_NOTHING_MANY /* by several */
};

struct protocol_row {
    uint32_t gate;     /* enum gate */
    uint32_t said;     /* enum said */
    uint32_t conjunct; /* of SAID_NO and SAID_NOTHING_NO; else CONJUNCTS */
};

/* Rows of one gate stand together: yes, each no, several; then without the gate in the same order. Gates that are not
 * built have none; a gate of one conjunct has none of several. */
uint32_t protocol_rows(void);
struct protocol_row protocol_row(uint32_t row);
uint32_t protocol_first_row(enum gate gate); /* of a gate that is built */
/* The row of an asking. */
uint32_t protocol_row_of(enum gate gate, bool on, uint64_t fails);

#define COLUMN_ANY ACTIVE_KINDS /* whatever was active */

/* That a run came to a cell. */
struct protocol_seen {
    uint32_t run;
    uint16_t row, column;
    uint64_t times;
    ns first;
};

/* A line that a run could have come to. */
struct protocol_line {
    uint32_t run, line;
    uint64_t times; /* 0: it did not */
};

struct protocol {
    struct protocol_seen *seen; /* by run, row, column */
    uint32_t n_seen, seen_max;
    struct protocol_line *line; /* by run, line */
    uint32_t n_lines, lines_max;
    uint64_t askings;
};

/* Adds a run that was played, with SIM_ASIDES; runs are numbered from 0, in this order. False: no memory. */
bool protocol_add(struct protocol *p, const struct run *r, uint32_t run);
void protocol_free(struct protocol *p);

/* A cell over all runs. */
struct protocol_cell {
    uint32_t runs;
    uint32_t first_run; /* NONE32: none */
    uint64_t times;
    ns first; /* in that run */
};
struct protocol_cell protocol_cell(const struct protocol *p, uint32_t row, uint32_t column);

/* Why a conjunct decides alone in no run; NULL: it can. A test attacks each reason with schedules. */
const char *protocol_never(enum conjunct c);
bool protocol_alone(const struct protocol *p, enum conjunct c);

#endif
