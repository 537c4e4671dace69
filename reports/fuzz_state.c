/* SPDX-License-Identifier: MIT
 *
 * fuzz_state.c - a search that is kept in the folder of --state: killed at any moment, it goes on from there.
 */
#include "reports/fuzz_part.h"

#include <stdlib.h>
#include <string.h>

#define SAVE_EVERY NS_PER_S

/* Ends the note of a file that was being made when a signal came: who goes on from the folder makes it anew. */
static const char cut_short[] = "; interrupted before it was as small as it gets";

static int complain_keep(const struct looked *k, enum keep_result result)
{
    const struct keep *keep = k->keep;
    const char *path = keep->path != NULL ? keep->path : k->o->look.state;
    if (result == KEEP_NO_MEMORY)
        return front_no_memory();
    if (result == KEEP_FAILED) {
        front_complain("%s: %s", path, strerror(keep->error));
        return STATUS_BROKEN;
    }
    front_complain("%s: %s", path, keep_result_text(result));
    return STATUS_WRONG;
}

int fuzz_state_save(struct looked *k)
{
    if (k->keep == NULL || k->cut)
        return STATUS_GOOD;
    enum keep_result result = keep_save(k->keep, k->search, k->found, k->n_found);
    k->saved = looking_now();
    return result == KEEP_OK ? STATUS_GOOD : complain_keep(k, result);
}

int fuzz_state_save_sometimes(struct looked *k)
{
    return looking_now() - k->saved >= SAVE_EVERY ? fuzz_state_save(k) : STATUS_GOOD;
}

/* finding_make(), and a note if a signal came by then: what is whole already is made anew for nothing. */
static int make(struct finding_told *f, struct text *how, struct finding_made *made)
{
    int status = finding_make(f, made);
    if (looking_stopped() && status == STATUS_GOOD) {
        finding_unmake(made);
        text_add(how, cut_short);
        f->how = text_c(how);
        status = finding_make(f, made);
    }
    looking_progress_end();
    return status;
}

/* Into the folder: the i-th of what was found, which is the search's own finding. */
static int put_kept(struct looked *k, uint32_t i, const struct shrunk *z)
{
    const struct shrink_options so = fuzz_shrinks(k);
    struct text how = {0}, said = front_report(2);
    struct finding_told f = fuzz_finding(k, &k->found[i], z, &so, &how);
    struct finding_made made;
    int status = front_worse(STATUS_FAILED, make(&f, &how, &made));
    enum keep_result result = made.text == NULL ? KEEP_OK
                                                : keep_finding(k->keep, k->search, k->found, i, made.text, made.length);
    if (result != KEEP_OK) {
        status = front_worse(status, complain_keep(k, result));
    } else if (made.text != NULL) {
        finding_add_words(&said, &made.of);
        text_add(&said, "  ");
        text_shown(&said, k->keep->path);
        text_char(&said, '\n');
        (void)front_put_complaint(&said);
    }
    finding_unmake(&made);
    text_free(&said);
    text_free(&how);
    return status;
}

static int keep_found(struct looked *k, uint32_t i)
{
    struct shrunk *z = malloc(sizeof *z);
    k->held = i > 0; /* else the smallest of all is what each comes to */
    int status = z != NULL && fuzz_shrink(k, &k->found[i], z) ? put_kept(k, i, z) : front_no_memory();
    free(z);
    return status;
}

int fuzz_state_note(struct looked *k)
{
    struct discovery *grown = realloc(k->found, (k->n_found + 1) * sizeof *grown);
    if (grown == NULL)
        return front_no_memory();
    k->found = grown;
    k->found[k->n_found++] = k->search->finding;
    int status = keep_found(k, k->n_found - 1);
    if (status == STATUS_FAILED && !search_pass_over(k->search, k->search->finding.culprit))
        status = front_no_memory();
    return front_worse(status, fuzz_state_save(k));
}

static bool says_cut_short(const char *bytes, size_t n)
{
    char *text = text_copied(bytes, n);
    bool says = text == NULL || strstr(text, cut_short) != NULL;
    free(text);
    return says;
}

/* False: something cut it short, or it cannot be read. */
static bool is_whole(const char *path)
{
    struct diags diags = {0};
    char *bytes = NULL;
    size_t n = 0;
    int error;
    struct scenario *s = NULL;
    if (file_read(path, &bytes, &n, &error) == FILE_OK)
        s = scenario_parse(bytes, n, path, NULL, 0, &diags);
    bool good = s != NULL && !says_cut_short(bytes, n);
    scenario_free(s);
    free(bytes);
    return good;
}

/* The state has each finding as it was found: a file that somebody took away, or that is not whole, is written again,
 * for the search's statement says that it is there. STATUS_FAILED: one was. */
static int write_missing(struct looked *k)
{
    const struct discovery finding = k->search->finding;
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < k->n_found && status <= STATUS_FAILED && !looking_stopped(); i++) {
        enum keep_result result = keep_has_finding(k->keep, k->search, k->found, i);
        k->search->finding = k->found[i];
        if (result == KEEP_NONE || (result == KEEP_OK && !is_whole(k->keep->path)))
            status = front_worse(status, keep_found(k, i));
        else if (result != KEEP_OK)
            status = complain_keep(k, result);
    }
    k->search->finding = finding;
    return status;
}

int fuzz_state_take_up(struct looked *k)
{
    if (k->keep == NULL)
        return STATUS_GOOD;
    enum keep_result result = keep_load(k->keep, k->search, &k->found, &k->n_found);
    if (result == KEEP_NONE)
        return fuzz_state_save(k);
    if (result != KEEP_OK)
        return complain_keep(k, result);
    return keep_known(k->search, k->found, k->n_found) ? write_missing(k) : front_no_memory();
}

int fuzz_state_open(struct loaded *l, const struct options *o, struct keep *keep)
{
    struct looked k = {.o = o, .keep = keep};
    struct keep_what what = {.seed = o->look.seed, .arms = o->look.arms};
    if (!keep_scenario(l->scenario, o->setting, o->n_settings, o->without, 0, target_signs(o), &what.scenario))
        return front_no_memory();
    for (uint32_t i = 0; i < SITUATION_SET_WORDS && o->look.reaches; i++) /* another search of it is kept elsewhere */
        what.scenario = hash_step(what.scenario, o->look.reach.word[i]);
    enum keep_result result = keep_open(keep, o->look.state, &what);
    return result == KEEP_OK ? STATUS_GOOD : complain_keep(&k, result);
}
