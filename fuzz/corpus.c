/* SPDX-License-Identifier: MIT
 *
 * corpus.c - see corpus.h.
 */
#include "fuzz/corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/convert.h"
#include "fuzz/sample.h"

#define PATH_BYTES 4096
#define HEAD "fencepost corpus 1\nspace "
#define HEAD_BYTES 64

/* --- the file that says of what --------------------------------------------------------------------- */

/* False: the path is too long. */
static bool path_of(const char *folder, const char *name, char *out)
{
    int n = snprintf(out, PATH_BYTES, "%s/%s", folder, name);
    return n > 0 && n < PATH_BYTES;
}

static bool write_file(const char *folder, const char *name, const void *bytes, size_t n)
{
    char path[PATH_BYTES];
    FILE *f = path_of(folder, name, path) ? fopen(path, "wb") : NULL;
    if (f == NULL)
        return false;
    bool good = n == 0 || fwrite(bytes, 1, n, f) == n;
    return fclose(f) == 0 && good;
}

static int say_head(const struct space *sp, char *out)
{
    return snprintf(out, HEAD_BYTES, HEAD "%016llx\n", (unsigned long long)sp->key);
}

bool corpus_begin(const struct space *sp, const char *folder)
{
    char text[HEAD_BYTES];
    int n = say_head(sp, text);
    (void)mkdir(folder, 0777); /* if it is there, all is well; if it cannot be made, writing fails */
    return write_file(folder, CORPUS_FILE, text, (size_t)n);
}

bool corpus_check(const struct space *sp, const char *folder, char *problem)
{
    char path[PATH_BYTES], text[HEAD_BYTES + 1], want[HEAD_BYTES];
    FILE *f = path_of(folder, CORPUS_FILE, path) ? fopen(path, "rb") : NULL;
    size_t n = f == NULL ? 0 : fread(text, 1, HEAD_BYTES, f);
    if (f != NULL)
        fclose(f);
    text[n] = '\0';
    (void)say_head(sp, want);
    problem[0] = '\0';
    if (f == NULL)
        snprintf(problem, CORPUS_TEXT_MAX,
                 "no file " CORPUS_FILE " stands there: it says of which case the inputs are");
    else if (strncmp(text, HEAD, sizeof HEAD - 1) != 0)
        snprintf(problem, CORPUS_TEXT_MAX,
                 CORPUS_FILE " is not of this version: its first line is not `fencepost corpus 1`");
    else if (strcmp(text, want) != 0)
        snprintf(problem, CORPUS_TEXT_MAX,
                 "the inputs are of another case, or of one with other faults or gates: space %.16s, not %.16s",
                 text + sizeof HEAD - 1, want + sizeof HEAD - 1);
    return problem[0] == '\0';
}

/* --- first inputs -------------------------------------------------------------------------------------- */

static bool write_input(const struct space *sp, const char *folder, const char *name, const struct schedule *s)
{
    uint8_t bytes[INPUT_MAX];
    return write_file(folder, name, bytes, input_write(sp, s, bytes, sizeof bytes));
}

/* A point of the calm run where the family may strike, drawn by its number: one that concerns it, if there is one. */
static const struct choice_point *point_for(const struct player *p, uint32_t family)
{
    const struct family *f = &p->sp->families[family];
    const struct choice_point *best = NULL;
    uint64_t best_rank = 0;
    for (uint32_t i = 0; i < p->n_points; i++) {
        const struct choice_point *q = &p->points[i].p;
        if (!space_offers(p->sp, q, f->first))
            continue;
        uint64_t rank = sample_hash(family, q->address) >> 1 | (uint64_t)sample_concerns(p->sp, f, q) << 63;
        if (best == NULL || rank > best_rank) {
            best = q;
            best_rank = rank;
        }
    }
    return best;
}

static bool write_single(const struct player *p, const char *folder, uint32_t family, bool grave)
{
    const struct family *f = &p->sp->families[family];
    const struct choice_point *point = point_for(p, family);
    struct schedule s = {.n = 0};
    char name[64];
    if (point == NULL || (grave && f->n < 2))
        return true;
    snprintf(name, sizeof name, "single-%04u-%s", family, grave ? "grave" : "mild");
    (void)schedule_add(&s, point->address, p->sp->own + f->first + (grave ? f->n - 1 : 0), 0);
    return write_input(p->sp, folder, name, &s);
}

static bool write_singles(struct player *p, const char *folder)
{
    p->note_points = true;
    bool good = player_play(p, NULL);
    for (uint32_t i = 0; good && i < p->sp->n_families; i++)
        good = write_single(p, folder, i, false) && write_single(p, folder, i, true);
    return good;
}

bool corpus_seeds(struct space *sp, const struct compiled *like, const char *folder)
{
    struct converted c = {.schedule = {.n = 0}};
    struct player *p = player_new(sp, 0);
    bool good = p != NULL && corpus_begin(sp, folder) && write_file(folder, "calm", "", 0) && write_singles(p, folder);
    if (good && like != NULL)
        good = convert_from_file(sp, like, false, &c);
    if (good && c.schedule.n > 0)
        good = write_input(sp, folder, "like-lines", &c.schedule);
    player_free(p);
    return good;
}
