/* SPDX-License-Identifier: MIT
 *
 * keep.c - see keep.h.
 *
 *  1. The lock is a record lock: the system takes it back when the process dies, however it does.
 *  2. Of a search is written what rounds change. What search_new() works out from the space is worked out again, and
 *     copies of runs are made again when a branch wants one: search.c sees to it that nothing hangs on them.
 *  3. What is read goes into a struct of its own, and into the search when all of it was good.
 */
#include "fuzz/keep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/found.h"
#include "fuzz/lines.h"
#include "scenarios/files.h"

#define FOLDER_WORD "fencepost-searches"
#define STATE_WORD "fencepost-search"

const char *keep_result_text(enum keep_result result)
{
    switch (result) {
    case KEEP_NONE: return "nothing is kept there";
    case KEEP_NO_MEMORY: return "out of memory";
    case KEEP_FAILED: return "the machine failed";
    case KEEP_IN_USE: return "somebody searches there";
    case KEEP_NO_FOLDER: return "is no folder";
    case KEEP_FOREIGN: return "the folder holds other things";
    case KEEP_DAMAGED: return "damaged";
    case KEEP_OTHER_VERSION: return "kept by another version";
    case KEEP_OTHER_SCENARIO: return "kept of another scenario, or with other settings";
    case KEEP_OTHER_SEED: return "kept with another seed";
    case KEEP_OTHER_ARMS: return "kept with other arms";
    case KEEP_OTHER_INVARIANTS: return "kept of a search for other violations";
    case KEEP_OTHER_SAMPLES: return "kept of a search that began at another sample";
    case KEEP_OK: break;
    }
    return "good";
}

bool keep_scenario(const struct scenario *s, const struct setting *settings, uint32_t n_settings, uint32_t without,
                   uint32_t put_back, uint32_t signs, uint64_t *out)
{
    size_t n;
    char *text = scenario_print(s, &n);
    if (text == NULL)
        return false;
    uint64_t h = hash_step(hash_bytes(text, n), n_settings);
    free(text);
    for (uint32_t i = 0; i < n_settings; i++)
        h = hash_step(hash_step(h, hash_text(settings[i].name)), hash_text(settings[i].value));
    *out = hash_step(hash_step(hash_step(h, without), put_back), signs);
    return true;
}

/* --- files of the folder ------------------------------------------------------------------------- */

/* k->path is FOLDER/A.B from now on; b NULL: FOLDER/A. False: no memory. */
static bool set_path(struct keep *k, const char *a, const char *b)
{
    size_t size = strlen(k->folder) + strlen(a) + (b == NULL ? 0 : strlen(b)) + 3;
    free(k->path);
    k->path = malloc(size);
    if (k->path != NULL)
        (void)snprintf(k->path, size, "%s/%s%s%s", k->folder, a, b == NULL ? "" : ".", b == NULL ? "" : b);
    return k->path != NULL;
}

static enum keep_result failed(struct keep *k, int error)
{
    k->error = error;
    return error == 0 ? KEEP_OK : error == ENOMEM ? KEEP_NO_MEMORY : KEEP_FAILED;
}

/* Reads k->path. */
static enum keep_result read_path(struct keep *k, char **bytes, size_t *n)
{
    switch (file_read(k->path, bytes, n, &k->error)) {
    case FILE_OK: return KEEP_OK;
    case FILE_NO_MEMORY: return KEEP_NO_MEMORY;
    case FILE_TOO_LARGE: return KEEP_DAMAGED;
    case FILE_MISSING: return KEEP_NONE;
    case FILE_UNREADABLE:
    case FILE_NONE: break;
    }
    return KEEP_FAILED;
}

/* What both files begin with: which world, and what is searched in it. */
static void say_what(struct lines *l, const char *word, const struct keep_what *what)
{
    lines_word(l, word);
    lines_u64(l, KEEP_VERSION);
    lines_line(l);
    lines_word(l, "scenario");
    lines_hash(l, what->scenario);
    lines_line(l);
    lines_word(l, "seed");
    lines_u64(l, what->seed);
    lines_line(l);
    lines_word(l, "arms");
    lines_u64(l, what->arms);
    lines_line(l);
    lines_word(l, "first-swarm");
    lines_u64(l, what->first_swarm);
    lines_line(l);
}

/* The version before anything else: of another one not even the sum need be where ours is. */
static enum keep_result check_version(struct reading *r, const char *word)
{
    const char *bytes = r->at;
    reading_line(r, word);
    uint64_t version = reading_u64(r, UINT64_MAX);
    reading_line_over(r);
    if (!r->bad && version != KEEP_VERSION)
        return KEEP_OTHER_VERSION;
    return r->bad || !reading_sealed(bytes, (size_t)(r->end - bytes)) ? KEEP_DAMAGED : KEEP_OK;
}

static enum keep_result check_what(struct reading *r, const struct keep_what *what)
{
    reading_line(r, "scenario");
    bool scenario = reading_hash(r) == what->scenario;
    reading_line_over(r);
    reading_line(r, "seed");
    bool seed = reading_u64(r, UINT64_MAX) == what->seed;
    reading_line_over(r);
    reading_line(r, "arms");
    bool arms = reading_u64(r, UINT32_MAX) == what->arms;
    reading_line_over(r);
    reading_line(r, "first-swarm");
    bool first = reading_u64(r, UINT64_MAX) == what->first_swarm;
    reading_line_over(r);
    return r->bad      ? KEEP_DAMAGED
           : !scenario ? KEEP_OTHER_SCENARIO
           : !seed     ? KEEP_OTHER_SEED
           : !arms     ? KEEP_OTHER_ARMS
           : !first    ? KEEP_OTHER_SAMPLES
                       : KEEP_OK;
}

/* --- the folder ------------------------------------------------------------------------------------ */

/* A lock, or a file that a write was killed in, is no state yet; nor is it anybody else's. */
static bool may_be_ours(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "lock") == 0 ||
           strcmp(name, "search.part") == 0;
}

/* Whether it holds nothing but what a search leaves that was killed before it began. */
static enum keep_result check_empty(struct keep *k)
{
    DIR *d = opendir(k->folder);
    if (d == NULL)
        return failed(k, errno);
    enum keep_result result = KEEP_OK;
    const struct dirent *entry;
    while (result == KEEP_OK && (entry = readdir(d)) != NULL)
        if (!may_be_ours(entry->d_name))
            result = KEEP_FOREIGN;
    (void)closedir(d);
    return result;
}

static enum keep_result check_folder(struct keep *k, bool *fresh)
{
    char *bytes;
    size_t n;
    if (!set_path(k, "search", NULL))
        return KEEP_NO_MEMORY;
    enum keep_result result = read_path(k, &bytes, &n);
    *fresh = result == KEEP_NONE;
    if (*fresh)
        return check_empty(k);
    if (result != KEEP_OK)
        return result;
    struct reading r = reading_begin(bytes, n);
    result = reading_next_is(&r, FOLDER_WORD) ? check_version(&r, FOLDER_WORD) : KEEP_FOREIGN;
    if (result == KEEP_OK)
        result = check_what(&r, &k->what);
    free(bytes);
    return result;
}

static enum keep_result take_lock(struct keep *k)
{
    if (!set_path(k, "lock", NULL))
        return KEEP_NO_MEMORY;
    k->lock = open(k->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (k->lock < 0)
        return failed(k, errno);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(k->lock, F_SETLK, &whole) == 0)
        return KEEP_OK;
    return errno == EACCES || errno == EAGAIN ? KEEP_IN_USE : failed(k, errno);
}

static enum keep_result write_folder(struct keep *k)
{
    struct lines l = {0};
    if (!set_path(k, "search", NULL))
        return KEEP_NO_MEMORY;
    say_what(&l, FOLDER_WORD, &k->what);
    lines_end(&l);
    enum keep_result result = failed(k, lines_write(k->path, &l));
    lines_free(&l);
    return result;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* What it holds is looked at before the lock is made, so that nothing is made among foreign files; and once more behind
 * it, for meanwhile somebody else may have begun there and ended. */
enum keep_result keep_open(struct keep *k, const char *folder, const struct keep_what *what)
{
    bool fresh;
    *k = (struct keep){.what = *what, .lock = -1};
    k->folder = malloc(strlen(folder) + 1);
    if (k->folder == NULL)
        return KEEP_NO_MEMORY;
    memcpy(k->folder, folder, strlen(folder) + 1);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return errno == ENOTDIR ? KEEP_NO_FOLDER : failed(k, errno);
    if (!is_folder(folder))
        return KEEP_NO_FOLDER;
    enum keep_result result = check_folder(k, &fresh);
    if (result == KEEP_OK)
        result = take_lock(k);
    if (result == KEEP_OK)
        result = check_folder(k, &fresh);
    return result == KEEP_OK && fresh ? write_folder(k) : result;
}

void keep_close(struct keep *k)
{
    if (k->lock >= 0)
        (void)close(k->lock);
    free(k->folder);
    free(k->path);
    *k = (struct keep){.lock = -1};
}

/* --- writing a search -------------------------------------------------------------------------------- */

static void say_u64(struct lines *l, const char *word, uint64_t v)
{
    lines_word(l, word);
    lines_u64(l, v);
    lines_line(l);
}

static void say_each(struct lines *l, const char *word, const uint64_t *row)
{
    lines_word(l, word);
    for (int arm = 0; arm < ARMS; arm++)
        lines_u64(l, row[arm]);
    lines_line(l);
}

/* The head that a search has beside its counts: the menu, the case, and what is looked for. */
static void say_case(struct lines *l, const struct search *s)
{
    lines_word(l, "key");
    lines_hash(l, s->sp->key);
    lines_line(l);
    lines_word(l, "case");
    lines_rest(l, s->sp->c.name);
    lines_line(l);
    lines_word(l, "wanted");
    lines_hash(l, s->o.wanted);
    lines_u64(l, s->o.note_all);
    lines_u64(l, s->player->level);
    lines_line(l);
}

static void say_counts(struct lines *l, const struct search *s)
{
    say_u64(l, "round", s->round);
    say_u64(l, "played", s->played);
    say_each(l, "played-by", s->played_by);
    say_each(l, "next", s->next);
    say_u64(l, "steps", s->steps);
    say_u64(l, "errors", s->errors);
    say_u64(l, "reached-at", s->reached_at);
}

static void say_entries(struct lines *l, const struct search *s)
{
    for (uint32_t i = 0; i < s->n_entries; i++) {
        lines_word(l, "entry");
        lines_u64(l, s->entries[i].n_passed);
        lines_schedule(l, s->sp->own, &s->entries[i].schedule);
    }
}

static void say_cells(struct lines *l, const struct search *s)
{
    for (uint32_t i = 0; i < s->n_reached; i++) {
        const struct cell *c = &s->cells[s->reached[i]];
        lines_word(l, "cell");
        lines_u64(l, s->reached[i]);
        lines_u64(l, c->entry - 1);
        lines_u64(l, c->event);
        lines_u64(l, c->used);
        lines_u64(l, c->passed);
        lines_u64(l, c->branched);
        lines_line(l);
    }
}

static void say_culprit(struct lines *l, const char *word, struct culprit c)
{
    lines_word(l, word);
    lines_u64(l, c.invariant);
    lines_u64(l, c.node);
}

static void say_found(struct lines *l, const struct search *s, const struct discovery *d)
{
    say_culprit(l, "found", d->culprit);
    lines_u64(l, (uint64_t)d->at);
    lines_u64(l, d->after);
    lines_u64(l, d->arm);
    lines_u64(l, d->number);
    lines_schedule(l, s->sp->own, &d->schedule);
}

enum keep_result keep_save(struct keep *k, const struct search *s, const struct discovery *found, uint32_t n_found)
{
    struct lines l = {0};
    if (!set_path(k, s->sp->c.name, "state"))
        return KEEP_NO_MEMORY;
    say_what(&l, STATE_WORD, &k->what);
    say_case(&l, s);
    say_counts(&l, s);
    say_entries(&l, s);
    say_cells(&l, s);
    for (uint32_t i = 0; i < s->n_endless; i++)
        say_u64(&l, "endless", s->endless[i]);
    for (uint32_t i = 0; i < s->n_known; i++) {
        say_culprit(&l, "known", s->known[i]);
        lines_line(&l);
    }
    for (uint32_t i = 0; i < n_found; i++)
        say_found(&l, s, &found[i]);
    lines_end(&l);
    enum keep_result result = failed(k, lines_write(k->path, &l));
    lines_free(&l);
    return result;
}

/* --- reading a search ----------------------------------------------------------------------------------- */

/* What a state says, before a search has it. */
struct kept {
    const struct search *s;
    uint64_t round, played, steps, errors, reached_at, played_by[ARMS], next[ARMS];
    struct entry *entries;
    struct cell *cells; /* ABSTRACT_SLOTS */
    uint16_t *reached;  /* ABSTRACT_SLOTS */
    uint64_t *endless;
    struct culprit *known;
    struct discovery *found;
    uint32_t n_entries, n_reached, n_endless, n_known, n_found;
    uint32_t entries_max, endless_max, known_max, found_max;
    bool no_memory;
};

static void kept_free(struct kept *t)
{
    free(t->entries);
    free(t->cells);
    free(t->reached);
    free(t->endless);
    free(t->known);
    free(t->found);
}

static uint64_t read_one(struct reading *r, const char *word)
{
    reading_line(r, word);
    uint64_t v = reading_u64(r, UINT64_MAX);
    reading_line_over(r);
    return v;
}

static void read_each(struct reading *r, const char *word, uint64_t *row)
{
    reading_line(r, word);
    for (int arm = 0; arm < ARMS; arm++)
        row[arm] = reading_u64(r, UINT64_MAX);
    reading_line_over(r);
}

static enum keep_result check_case(struct reading *r, const struct search *s)
{
    reading_line(r, "key");
    bool same = reading_hash(r) == s->sp->key;
    reading_line_over(r);
    reading_line(r, "case");
    size_t n;
    const char *name = reading_rest(r, &n);
    same = same && n == strlen(s->sp->c.name) && memcmp(name, s->sp->c.name, n) == 0;
    reading_line(r, "wanted");
    bool wanted = reading_hash(r) == s->o.wanted;
    wanted = reading_u64(r, 1) == s->o.note_all && wanted;
    wanted = reading_u64(r, ABSTRACT_FINE) == s->player->level && wanted;
    reading_line_over(r);
    return r->bad ? KEEP_DAMAGED : !same ? KEEP_OTHER_SCENARIO : !wanted ? KEEP_OTHER_INVARIANTS : KEEP_OK;
}

static void read_counts(struct reading *r, struct kept *t)
{
    t->round = read_one(r, "round");
    t->played = read_one(r, "played");
    read_each(r, "played-by", t->played_by);
    read_each(r, "next", t->next);
    t->steps = read_one(r, "steps");
    t->errors = read_one(r, "errors");
    t->reached_at = read_one(r, "reached-at");
}

/* Room for one more row of so many bytes; NULL: no memory. */
static void *grown(struct kept *t, void *row, uint32_t n, uint32_t *max, size_t size)
{
    if (n < *max)
        return row;
    uint32_t room = *max == 0 ? 64 : 2 * *max;
    void *more = realloc(row, room * size);
    t->no_memory |= more == NULL;
    if (more != NULL)
        *max = room;
    return more;
}

static void read_entries(struct reading *r, struct kept *t)
{
    while (reading_next_is(r, "entry") && !t->no_memory) {
        struct entry *more = grown(t, t->entries, t->n_entries, &t->entries_max, sizeof *more);
        if (more == NULL)
            return;
        t->entries = more;
        struct entry *e = &more[t->n_entries];
        reading_line(r, "entry");
        *e = (struct entry){.n_passed = (uint32_t)reading_u64(r, UINT32_MAX)};
        reading_schedule(r, t->s->sp->own, t->s->sp->n_offers, &e->schedule);
        r->bad |= t->n_entries > ABSTRACT_SLOTS;
        t->n_entries += !r->bad;
    }
}

static void read_cells(struct reading *r, struct kept *t)
{
    while (reading_next_is(r, "cell") && t->n_entries > 0) {
        reading_line(r, "cell");
        uint16_t slot = (uint16_t)reading_u64(r, ABSTRACT_SLOTS - 1);
        uint32_t entry = (uint32_t)reading_u64(r, t->n_entries - 1);
        struct cell *c = &t->cells[slot];
        r->bad |= c->entry != 0;
        if (r->bad)
            return;
        c->entry = 1 + entry;
        c->event = (uint32_t)reading_u64(r, UINT32_MAX);
        c->used = (uint32_t)reading_u64(r, UINT32_MAX);
        c->passed = (uint32_t)reading_u64(r, UINT32_MAX);
        c->branched = (uint32_t)reading_u64(r, UINT32_MAX);
        reading_line_over(r);
        t->entries[entry].owns++;
        t->reached[t->n_reached++] = slot;
    }
}

static void read_endless(struct reading *r, struct kept *t)
{
    while (reading_next_is(r, "endless") && !t->no_memory) {
        uint64_t *more = grown(t, t->endless, t->n_endless, &t->endless_max, sizeof *more);
        if (more == NULL)
            return;
        t->endless = more;
        more[t->n_endless] = read_one(r, "endless");
        t->n_endless += !r->bad;
    }
}

static struct culprit read_culprit(struct reading *r, const struct space *sp)
{
    struct culprit c = {.invariant = (uint32_t)reading_u64(r, REACHED + SITUATION_CELLS - 1)};
    c.node = (name_id)reading_u64(r, NONE16);
    bool broken = c.invariant < INVARIANTS + sp->c.n_expectations;
    r->bad |= !broken && !(is_reached(c) && situation_is(c.invariant - REACHED));
    r->bad |= c.node != NONE16 && c.node >= sp->c.sim.names->n;
    return c;
}

static void read_known(struct reading *r, struct kept *t)
{
    while (reading_next_is(r, "known") && !t->no_memory) {
        struct culprit *more = grown(t, t->known, t->n_known, &t->known_max, sizeof *more);
        if (more == NULL)
            return;
        t->known = more;
        reading_line(r, "known");
        more[t->n_known] = read_culprit(r, t->s->sp);
        reading_line_over(r);
        t->n_known += !r->bad;
    }
}

static void read_found(struct reading *r, struct kept *t)
{
    while (reading_next_is(r, "found") && !t->no_memory) {
        struct discovery *more = grown(t, t->found, t->n_found, &t->found_max, sizeof *more);
        if (more == NULL)
            return;
        t->found = more;
        struct discovery *d = &more[t->n_found];
        reading_line(r, "found");
        *d = (struct discovery){.culprit = read_culprit(r, t->s->sp)};
        d->at = (ns)reading_u64(r, (uint64_t)NS_MAX);
        d->after = reading_u64(r, UINT64_MAX);
        d->arm = (uint32_t)reading_u64(r, ARMS - 1);
        d->number = reading_u64(r, UINT64_MAX);
        reading_schedule(r, t->s->sp->own, t->s->sp->n_offers, &d->schedule);
        t->n_found += !r->bad;
    }
}

/* No pick looks for a state where none was reached. */
static bool makes_sense(const struct kept *t) { return t->n_entries > 0 && t->n_reached > 0; }

static enum keep_result read_state(const struct keep *k, const char *bytes, size_t n, struct kept *t)
{
    struct reading r = reading_begin(bytes, n);
    enum keep_result result = check_version(&r, STATE_WORD);
    if (result != KEEP_OK)
        return result;
    result = check_what(&r, &k->what);
    if (result == KEEP_OK)
        result = check_case(&r, t->s);
    if (result != KEEP_OK)
        return result;
    read_counts(&r, t);
    read_entries(&r, t);
    read_cells(&r, t);
    read_endless(&r, t);
    read_known(&r, t);
    read_found(&r, t);
    if (t->no_memory)
        return KEEP_NO_MEMORY;
    reading_end(&r, bytes);
    r.bad |= r.line_end + 1 != r.end || !makes_sense(t);
    return r.bad ? KEEP_DAMAGED : KEEP_OK;
}

/* The search takes over all that was read, and gives up what it had. */
static void put_state(struct search *s, struct kept *t)
{
    for (uint32_t i = 0; i < ABSTRACT_SLOTS; i++)
        free(s->cells[i].copy);
    struct kept old = {
        .entries = s->entries, .cells = s->cells, .reached = s->reached, .endless = s->endless, .known = s->known};
    s->round = t->round;
    s->played = t->played;
    s->steps = t->steps;
    s->errors = t->errors;
    s->reached_at = t->reached_at;
    memcpy(s->played_by, t->played_by, sizeof s->played_by);
    memcpy(s->next, t->next, sizeof s->next);
    s->entries = t->entries;
    s->n_entries = t->n_entries;
    s->entries_max = t->entries_max;
    s->no_free_below = 0;
    s->cells = t->cells;
    s->reached = t->reached;
    s->n_reached = t->n_reached;
    s->copies = 0;
    s->endless = t->endless;
    s->n_endless = t->n_endless;
    s->endless_max = t->endless_max;
    s->known = t->known;
    s->n_known = t->n_known;
    kept_free(&old);
}

enum keep_result keep_load(struct keep *k, struct search *s, struct discovery **found, uint32_t *n_found)
{
    struct kept t = {.s = s};
    char *bytes;
    size_t n;
    *found = NULL;
    *n_found = 0;
    if (!set_path(k, s->sp->c.name, "state"))
        return KEEP_NO_MEMORY;
    enum keep_result result = read_path(k, &bytes, &n);
    if (result != KEEP_OK)
        return result;
    t.cells = calloc(ABSTRACT_SLOTS, sizeof *t.cells);
    t.reached = calloc(ABSTRACT_SLOTS, sizeof *t.reached);
    result = t.cells == NULL || t.reached == NULL ? KEEP_NO_MEMORY : read_state(k, bytes, n, &t);
    free(bytes);
    if (result != KEEP_OK) {
        kept_free(&t);
        return result;
    }
    put_state(s, &t);
    *found = t.found;
    *n_found = t.n_found;
    return KEEP_OK;
}

/* --- findings ----------------------------------------------------------------------------------------------- */

bool keep_known(struct search *s, const struct discovery *found, uint32_t n_found)
{
    for (uint32_t i = 0; i < n_found; i++) {
        bool known = culprit_among(s->known, s->n_known, found[i].culprit);
        if (!known && !search_pass_over(s, found[i].culprit))
            return false;
    }
    return true;
}

/* How many culprits of this list up to i break what found[i] does: `always` lines have one name together. */
static uint32_t place_of(const struct space *sp, const struct discovery *found, uint32_t i)
{
    uint32_t place = 1;
    const char *name = culprit_name(sp, found[i].culprit);
    for (uint32_t k = 0; k < i; k++)
        place += !same_culprit(found[k].culprit, found[i].culprit) &&
                 strcmp(culprit_name(sp, found[k].culprit), name) == 0;
    return place;
}

/* k->path is the file of found[i] from now on. False: no memory. */
static bool set_finding_path(struct keep *k, const struct search *s, const struct discovery *found, uint32_t i)
{
    char file[96];
    uint32_t place = place_of(s->sp, found, i);
    const char *name = culprit_name(s->sp, found[i].culprit);
    if (place == 1)
        (void)snprintf(file, sizeof file, "%.64s.fence", name);
    else
        (void)snprintf(file, sizeof file, "%.64s-%u.fence", name, (unsigned)place);
    for (char *c = strchr(file, ':'); c != NULL; c = strchr(c, ':')) /* a situation's, which no file should have */
        *c = '-';
    return set_path(k, s->sp->c.name, file);
}

enum keep_result keep_finding(struct keep *k, const struct search *s, const struct discovery *found, uint32_t i,
                              const char *text, size_t n)
{
    if (!set_finding_path(k, s, found, i))
        return KEEP_NO_MEMORY;
    return failed(k, lines_write_bytes(k->path, text, n));
}

enum keep_result keep_has_finding(struct keep *k, const struct search *s, const struct discovery *found, uint32_t i)
{
    struct stat st;
    if (!set_finding_path(k, s, found, i))
        return KEEP_NO_MEMORY;
    if (stat(k->path, &st) == 0)
        return KEEP_OK;
    return errno == ENOENT ? KEEP_NONE : failed(k, errno);
}
