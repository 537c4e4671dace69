/* SPDX-License-Identifier: MIT
 *
 * looking.h - what the commands that search share: their options' values, interruption and time, the case that is
 * searched, and where what they find and say goes. What is said of a finding: finding.h.
 */
#ifndef FENCEPOST_REPORTS_LOOKING_H
#define FENCEPOST_REPORTS_LOOKING_H

#include "fuzz/found.h"
#include "fuzz/search.h"
#include "fuzz/shard.h"
#include "fuzz/shrink.h"
#include "fuzz/strip.h"
#include "reports/front.h"

#define PROOF_STEPS (UINT64_C(20) * 1000000) /* events of a proof that a finding is minimal, unless --steps says */

struct looking looking_defaults(void);

/* Values of options; they complain themselves and return a status. */
int looking_take_number(const char *option, const char *value, uint64_t least, uint64_t most, uint64_t *out);
int looking_take_time(const char *option, const char *value, ns *out);        /* 90s, 5m */
int looking_take_bytes(const char *option, const char *value, uint64_t *out); /* 512M, 2G */
int looking_take_arm(const char *value, unsigned *arms);
int looking_take_find(const char *value, uint64_t *find);        /* an invariant, or split-brain; adds to *find */
int looking_take_reach(const char *value, struct looking *look); /* a situation, or `never`; adds to look->reach */
int looking_take_shard(const char *value, uint32_t *shard, uint32_t *shards);
int looking_take_rediscover(const char *value, uint32_t *out);
#define REDISCOVERIES 2
extern const char *const rediscover_name[REDISCOVERIES]; /* STRIP_KINDS and STRIP_ALL, as --rediscover takes them */

/* --- time and interruption ------------------------------------------------------------------- */

/* Notes SIGINT, SIGTERM and, unless it is ignored, SIGHUP from now on, instead of dying of them. */
void looking_listen(void);
bool looking_stopped(void);
/* Dies of the signal that was noted, as whoever sent it expects; to be called when all is said. */
void looking_die(void);
ns looking_now(void); /* of the machine that runs this, for `--time` and progress alone */

/* A line on a terminal that says how far it is; nothing anywhere else. */
void looking_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void looking_progress_end(void);

/* --- one case to search ----------------------------------------------------------------------- */

struct target {
    struct loaded *l;
    const struct scenario *scenario; /* the file's, or the stripped one */
    struct scenario *stripped;       /* owned; NULL: nothing was stripped */
    uint32_t case_index;             /* in it */
    const char *name;                /* of the case */
    struct space *sp;
    uint64_t wanted;
    uint32_t own_faults; /* of the file, before they were stripped */
};

/* Bits INV_x of the signs among what is to be found. */
uint32_t target_signs(const struct options *o);
/* The space of a case; complains itself. t is to be closed in any case. */
int target_open(struct target *t, struct loaded *l, uint32_t case_index, const struct options *o);
void target_close(struct target *t);
/* The cases that a search of this file looks at: of --case; else all that say `holds`, or, where situations are looked
 * for, all. Bits in which[]. */
int target_cases(const struct loaded *l, const struct options *o, bool *which, uint32_t n);
/* On to the next case behind one that is broken: where that is not the one file that there is room for. */
bool looking_goes_on(const struct options *o, int status);

/* Whether target_cases() has any to name. */
bool target_any_holds(const struct loaded *l, const struct options *o);

/* --- records of shards ---------------------------------------------------------------------------- */

/* Anything but SHARD_OK. line: of a record that is damaged; others have none. */
int looking_complain_shard(const char *path, uint32_t line, enum shard_result result);

/* What of the command line a search depends on: --set, --without, --find, --rediscover, --strategy. */
void looking_add_options(struct text *t, const struct options *o);

/* --- where it goes -------------------------------------------------------------------------------- */

/* Words about a case in which nothing was found. They wait, for standard output is a scenario as soon as one is found:
 * looking_tell_aside(), before anything is said of it, has them go to standard error; looking_tell_all(), at the end,
 * to standard output. JSON, and words beside an --output, do not wait. */
int looking_tell(const struct options *o, struct text *t);
void looking_tell_aside(const struct options *o);
int looking_tell_all(void);
/* Complains of an --output that could not be written, before anything is searched. */
int looking_check_output(const struct options *o);
/* To standard output, or whole or not at all to the file of -o; if that fails, to standard output, unless JSON has it
 * already. */
int looking_put(const struct options *o, const char *text, size_t length);

#endif
