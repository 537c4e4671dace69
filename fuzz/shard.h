/* SPDX-License-Identifier: MIT
 *
 * shard.h - the independent samples of a search, divided among machines, and what came of them put together again.
 *
 * A search of N samples is the swarm arm alone over samples 0 to N - 1 of a seed. Shard i of n, counted from 1, plays
 * those from (i - 1) * N / n on up to i * N / n; where n exceeds N some play none. It does not stop at a finding: of
 * each culprit it keeps the sample with the lowest number.
 *
 * A record says what was played of one case and what came of it. Records are sets: merging is their union, so they can
 * be merged in any order, in any grouping and more than once, and shards that overlap count what both played once. The
 * text of a record is canonical: equal records have equal bytes, and all shards merged have those of one process that
 * played all samples.
 *
 *     fencepost-shard 1
 *     title TEXT               as the scenario has it; a byte that would not be seen is %HH, as in names
 *     case NAME
 *     scenario HASH            keep_scenario()
 *     key HASH                 the menu's, space.h
 *     wanted HASH              the violations that are looked for, player.h
 *     seed NUMBER
 *     samples N
 *     range FROM TO            samples played, TO not; in order, none touching the next
 *     endless FROM TO          samples that came to no end of their own, likewise
 *     states DIGITS            64 digits of 256 abstract states, 32 lines; state 0 is the lowest bit of the first digit
 *     finding INVARIANT NODE SAMPLE NS ADDRESS:OFFER:AT ...      sorted; NODE - where it is nobody's
 *     line TEXT                its fault lines, in the order in which they strike
 *     end HASH                 of all bytes of the record before
 *
 * A file is one record or several of one scenario, sorted by case.
 */
#ifndef FENCEPOST_FUZZ_SHARD_H
#define FENCEPOST_FUZZ_SHARD_H

#include "fuzz/lines.h"
#include "fuzz/search.h"

#define SHARD_VERSION 1 /* raised when the text changes, or what a sample does */
#define SHARDS_MAX 65536

struct shard_range {
    uint64_t from, to; /* to not */
};

/* Sample numbers: disjoint, sorted, none touching the next. */
struct shard_set {
    struct shard_range *row; /* owned */
    uint32_t n, max;
};
uint64_t shard_set_size(const struct shard_set *set); /* how many numbers */

struct shard_finding {
    char *invariant; /* as culprit_name() has it, `always:LINE` for a line of the file; owned */
    char *node;      /* "-": nobody's; owned */
    uint64_t sample; /* the lowest that found it */
    ns at;
    struct schedule schedule; /* its faults are offers: fault 0 is the menu's first */
    char *lines;              /* fault lines, each ended by a newline; owned */
};

struct shard {
    char *title, *case_name; /* as in the text; owned */
    uint64_t scenario, key, wanted, seed, samples;
    struct shard_set played, endless;
    uint8_t reached[ABSTRACT_SLOTS / 8]; /* abstract states, state 0 in the lowest bit of the first byte */
    uint32_t n_findings, findings_max;
    struct shard_finding *findings; /* by invariant and node; owned */
};

/* Of one scenario, sorted by case. Zero at first. */
struct shards {
    uint32_t n, max;
    struct shard *row; /* owned */
};
void shard_free(struct shard *r);
void shards_free(struct shards *f);

enum shard_result {
    SHARD_OK,
    SHARD_NO_MEMORY,
    SHARD_DAMAGED,          /* in this line stands something else than should, or the record is not what was written */
    SHARD_FOREIGN,          /* no file of shards */
    SHARD_OTHER_VERSION,    /* written by a Fencepost whose files or runs are others */
    SHARD_OTHER_SCENARIO,   /* another scenario, settings or gates */
    SHARD_OTHER_MENU,       /* another menu of faults: another case of this name */
    SHARD_OTHER_INVARIANTS, /* other violations were looked for */
    SHARD_OTHER_SEED,
    SHARD_OTHER_SAMPLES /* another N */
};
const char *shard_result_text(enum shard_result result); /* "another seed" */

/* "3/64": shard 3 of 64, counted from 1. False: not that form, 0, i > n, or n > SHARDS_MAX. */
bool shard_parse(const char *text, uint32_t *i, uint32_t *n);
/* The samples of shard i of n, 1 <= i <= n <= SHARDS_MAX; none: from == to. */
struct shard_range shard_samples(uint32_t i, uint32_t n, uint64_t samples);
/* What a search that plays these and nothing else is given: arms, schedules, first_swarm, note_all. */
void shard_options(struct shard_range range, struct search_options *o);

/* --- making a record ---------------------------------------------------------------------------- */

/* An empty record of this search, which has shard_options(). scenario: keep_scenario(). samples: N. */
enum shard_result shard_begin(struct shard *r, const struct search *s, const char *title, uint64_t scenario,
                              uint64_t samples);
/* Behind ROUND_FOUND, and for each discovery of a kept state: takes it in, and has the search pass over its culprit.
 * Plays it for its lines. */
enum shard_result shard_found(struct shard *r, struct search *s, const struct discovery *d);
/* Takes in what was played, its errors and states. */
enum shard_result shard_end(struct shard *r, const struct search *s);
/* The three together: all rounds of a search from where it stands, or until stopped() between two of them; NULL: never.
 * *end: ROUND_BUDGET when all samples were played, else why not; the record then has those that were. */
enum shard_result shard_play(struct shard *r, struct search *s, bool (*stopped)(void), enum round_end *end);

/* --- files ------------------------------------------------------------------------------------------ */

/* Puts a record in its place, and takes it over (*r is empty then). Of a case that is there already: merges. What does
 * not fit leaves f as it was, *r too. */
enum shard_result shards_add(struct shards *f, struct shard *r);
/* The union of both, in `into`. Anything but SHARD_OK: records of `from` may have been taken in or not, each whole. */
enum shard_result shards_merge(struct shards *into, const struct shards *from);
/* The text, behind what out has. out->failed: no memory. */
void shards_print(const struct shards *f, struct lines *out);
/* Reads a text into f, which is empty at first and after anything but SHARD_OK. *line: where it is not as it should be,
 * from 1. */
enum shard_result shards_read(const char *bytes, size_t n, struct shards *f, uint32_t *line);

/* What may be said of the samples that a record has, as a sentence; as snprintf, returns its length:
 * "6400 independent schedules, none broke it: with 95 % confidence fewer than 3 in 6400 do". Counts those that came to
 * an end alone. */
size_t shard_statement(const struct shard *r, char *out, size_t size);

#endif
