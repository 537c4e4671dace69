/* SPDX-License-Identifier: MIT
 *
 * explain.h - an explanation as sentences: for the text, for JSON and for the page.
 *
 * The facts are fuzz/explain.h's. What is said stands in parts, each a list of lines in the order in which they are
 * read. A line that says what another run would have come to holds that re-run, from which its command is made: the
 * words and the command cannot say different things.
 */
#ifndef FENCEPOST_REPORTS_EXPLAIN_H
#define FENCEPOST_REPORTS_EXPLAIN_H

#include "fuzz/explain.h"
#include "reports/front.h"

/* X(ID, name in JSON, heading). In the order in which they are read. */
#define TOLD_PARTS_TABLE(X)                                   \
    X(TOLD_RULE, "rule", "What broke")                        \
    X(TOLD_CHAIN, "chain", "How it came to that")             \
    X(TOLD_BELIEFS, "beliefs", "Who believed what")           \
    X(TOLD_FAULTS, "faults", "Which faults it took")          \
    X(TOLD_NEAREST, "nearest", "The nearest run that passes") \
    X(TOLD_GATES, "gates", "Which gates would have stopped it")

enum told_part {
#define X(id, ...) id,
    TOLD_PARTS_TABLE(X)
#undef X
        TOLD_PARTS
};
extern const char *const told_part_name[TOLD_PARTS];

enum told_kind {
    TOLD_SENTENCE, /* a whole sentence */
    TOLD_EVENT,    /* a line of the trace: record */
    TOLD_TRY       /* below a sentence: one value that was tried, and what came of it */
};

struct told {
    uint16_t part, kind;
    uint32_t record;               /* TOLD_EVENT: 1 + index into the trace */
    const struct replayed *replay; /* the run that shows it; NULL: the run itself does */
    uint32_t case_index;           /* of that run */
    struct text words;             /* TOLD_EVENT: what stands behind the line of the trace */
    struct text command;           /* empty: none */
};

struct telling {
    const struct explanation *x;
    const struct outcome_file *file;
    const struct options *o; /* of the command line: --set, and the change that is explained */
    const char *program;     /* as commands call it */
    uint32_t n, capacity;
    struct told *row;
    bool failed; /* out of memory: it is not whole */
};

/* All that there is to say. telling_free() in any case. */
void telling_make(struct telling *k, const struct explanation *x, const struct outcome_file *file,
                  const struct options *o, const char *program);
void telling_free(struct telling *k);
/* The heading of a part: of a case that holds it is another. */
const char *telling_heading(const struct telling *k, enum told_part part);

/* As text, as one object, and as a section of a page, of whose cases it is the number-th. */
void explain_text(struct text *t, const struct telling *k);
void explain_json(struct text *t, const struct telling *k);
void explain_page(struct text *t, const struct telling *k, uint32_t number);

#endif
