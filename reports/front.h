/* SPDX-License-Identifier: MIT
 *
 * front.h - what the commands share: options as they were read, output and complaints, a scenario in
 * memory, and the exit status.
 *
 * Results go to standard output, complaints to standard error. A report is built whole before any of it
 * is written. A function that returns a status has complained itself.
 */
#ifndef FENCEPOST_REPORTS_FRONT_H
#define FENCEPOST_REPORTS_FRONT_H

#include "reports/outcome.h"
#include "reports/text.h"
#include "scenarios/files.h"
#include "scenarios/replay.h"
#include "scenarios/situations.h"

/* The exit status. When several hold, the largest is returned. */
enum status {
    STATUS_GOOD = 0,   /* as expected; two runs are the same */
    STATUS_FAILED = 1, /* a case is not as it says, two runs differ, a run hit its event limit */
    STATUS_WRONG = 2,  /* the command line or a scenario is wrong */
    STATUS_BROKEN = 3, /* the machine failed: output cannot be written, no memory */
    STATUS_UNDONE = 4  /* an exhaustive search ended before it was complete */
};

static inline int front_worse(int a, int b) { return a > b ? a : b; }
int front_status_of(const struct run *r);

struct options;

/* What the searches are told. */
struct looking {
    uint64_t schedules; /* fuzz: at most, for each case */
    ns time;            /* fuzz, exhaust: at most; 0: no limit */
    uint64_t seed;
    uint32_t jobs;
    uint32_t shard, shards; /* shard from 1; 0: none */
    bool merge, keep_going, enumerate;
    bool as_is, to_input; /* shrink */
    uint32_t seeds;       /* gates: that the median is of */
    const char *state;    /* folder, NULL: none */
    unsigned arms;        /* bits of enum arm */
    uint64_t find;        /* bits INV_x; 0: what makes the verdict */
    uint32_t signs;       /* bits INV_x of signs that count besides */
    bool reaches;         /* looks for situations: */
    struct situation_set reach;
    uint32_t rediscover; /* 0: no; 1 + enum strip_may */
    uint32_t faults;     /* exhaust, gates: the bound */
    uint64_t memory;     /* exhaust: bytes for the states */
    uint64_t steps;      /* exhaust, shrink: events, 0: no limit */
    /* The first option given, but --merge and --output, which alone need no search; NULL: none is */
    const char *searches_by;
};

/* Another page for a list of pages: `--see LINK=WORDS`. */
struct see_also {
    const char *link, *words;
};
#define SEE_ALSO_MAX 16
#define WORDS_PAGES_MAX 16 /* of --words */

#define SETTINGS_MAX 64
#define REVISIONS_MAX 256 /* of --fault */
#define CASES_MAX 2       /* of --case: diff takes two */

enum format {
    FORMAT_TEXT,
    FORMAT_JSON,
    FORMAT_FENCE, /* run: the canonical form */
    FORMAT_TAP,
    FORMAT_JUNIT,
    FORMAT_JSONL, /* trace, from here on */
    FORMAT_SHIVIZ,
    FORMAT_PERFETTO,
    FORMAT_EDN,
    FORMAT_MERMAID,
    FORMAT_DOT,
    FORMATS
};

enum { FORMAT_OF_RUN = 1, FORMAT_OF_TRACE = 2 }; /* and the bits of these commands in the front door's tables */

struct format_word {
    const char *name;
    const char *sentence;
    uint64_t of; /* FORMAT_OF_x: which commands have it */
};
extern const struct format_word format_table[FORMATS];

/* A value of --format for a command of this name; complains of an unknown one, with the nearest word. */
int front_take_format(struct options *o, const char *command, unsigned of, const char *value);

struct tables;

struct options {
    const char *program;
    const struct tables *tables; /* the front door's: what there is to be written down */
    bool quiet, dry, points, notes, help;
    bool grade; /* run: what was handed in for the lessons */
    enum format format;
    uint32_t without;  /* bits GATE_x */
    uint32_t put_back; /* the same, of --with */
    uint32_t n_settings, n_revisions, n_cases, n_operands;
    struct setting setting[SETTINGS_MAX];
    struct revision revision[REVISIONS_MAX];
    const char *case_name[CASES_MAX];
    const char **operand;
    const char *output;   /* of --output: the folder of a report, the file of a finding; NULL: not given */
    const char *workload; /* bench: of bench_workload[]; NULL: none, measure */
    uint32_t rounds;      /* of the workload */
    /* Links to the folder with the pages of a report (coverage, growth), a tracefile, links to other pages; NULL, 0:
     * none */
    const char *pages, *code;
    struct see_also link[SEE_ALSO_MAX]; /* report, too */
    uint32_t n_links;
    const char *words[WORDS_PAGES_MAX]; /* report: files that become pages */
    uint32_t n_words;
    struct looking look;
};

/* The commands. They return an exit status. */
int command_run(const struct options *o);
int command_grade(const struct options *o); /* run --grade */
int command_trace(const struct options *o);
int command_diff(const struct options *o);
int command_list(const struct options *o);
int command_report(const struct options *o);
int command_fuzz(const struct options *o);
int command_exhaust(const struct options *o);
int command_shrink(const struct options *o);
int command_gates(const struct options *o);
int command_explain(const struct options *o);
int command_bench(const struct options *o);
int command_completion(const struct options *o);
int command_manual(const struct options *o);
int command_coverage(const struct options *o);
int command_growth(const struct options *o);
int command_situations(const struct options *o);

/* --- output and complaints ------------------------------------------------------------------ */

/* "fencepost: ..." on standard error. */
void front_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
int front_no_memory(void);               /* complains, and returns the status */
struct text front_report(int fd);        /* an empty buffer, coloured if fd is a terminal that wants it */
int front_put(struct text *t);           /* writes a report out and empties it */
int front_put_complaint(struct text *t); /* the same to standard error */

/* --- a scenario in memory ----------------------------------------------------------------------- */

struct loaded {
    struct outcome_file file;
    char *bytes;
    struct scenario *scenario; /* with the faults of --fault */
    struct scenario *written;  /* what it was made from; NULL: it is what was read */
    struct text *why;          /* borrowed: gets what is complained of too; NULL: it is not kept */
};

/* Reads and checks a file. On success l is to be unloaded. */
int front_load(struct loaded *l, const char *path, const struct options *o);
/* The same; what is complained of, now and later, also stands in *why. */
int front_load_kept(struct loaded *l, const char *path, const struct options *o, struct text *why);
void front_unload(struct loaded *l);
/* The plan of a case, without these gates and with those put back. NULL: *status says why. */
struct compiled *front_compile(const struct loaded *l, uint32_t i, uint32_t without, uint32_t put_back, int *status);
/* Whether the command line changes what a case runs: then its expectations are not judged. */
static inline bool front_changes(const struct options *o)
{
    return o->without != 0 || o->put_back != 0 || o->n_revisions > 0;
}
/* The options of a run as words for a shell, each with a blank behind it: --set, --without, --with, --fault. */
void front_add_options(struct text *t, const struct options *o);
/* A whole command, for a shell: PROGRAM VERB OPTIONS --case NAME PATH. case_name NULL: without it. */
void front_add_command(struct text *t, const char *program, const char *verb, const struct options *o,
                       const char *case_name, const char *path);
int front_complain_diags(const struct loaded *l, const char *path, const struct diags *diags);
int front_complain_file(const char *path, enum file_problem problem, int error);
/* No such case; name NULL: which one is meant? */
int front_unknown_case(const struct scenario *s, const char *path, const char *name);

#endif
