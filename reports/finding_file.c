/* SPDX-License-Identifier: MIT
 *
 * finding_file.c - the scenario file of a finding: see finding.h.
 */
#include "reports/finding.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/convert.h"
#include "fuzz/parts.h"

char *finding_file(const struct telling *f, uint32_t without, size_t *length, int *status)
{
    const struct target *target = f->target;
    const struct shrunk *z = f->z;
    struct text what = {0}, proof = {0};
    bool good;
    finding_add_break(&what, target->sp, z->culprit, z->at, false);
    finding_add_certificate(&proof, target, z);
    const char *notes[] = {text_c(&what), text_c(&proof), f->how};
    const struct found_file file = {.without = without, .notes = notes, .n_notes = f->how != NULL ? 3 : 2};
    char *text = found_text(target->scenario, target->case_index, f->player, &z->schedule, z->culprit, &file, length,
                            &good);
    text_free(&what);
    text_free(&proof);
    if (text == NULL) {
        *status = front_no_memory();
    } else if (!good) {
        front_complain("case %s: what was found, written as a file, does not do the same: this is a bug of fencepost",
                       target->name);
        *status = STATUS_BROKEN;
    }
    return text;
}

/* The smaller file's space, player and schedule. False: it is no smaller after all. */
static bool shrink_fewer(struct target *t, struct loaded *l, const struct options *o, const struct shrink_options *so,
                         uint64_t invariant, struct shrunk *z, struct player **p)
{
    struct options how = *o;
    struct diags diags = {0};
    struct converted from;
    how.look.rediscover = o->look.rediscover > 0 ? o->look.rediscover : 1 + STRIP_ALL;
    how.n_cases = 0;
    how.without = 0;
    struct compiled *c = scenario_compile(l->scenario, 0, 0, 0, &diags);
    bool good = c != NULL && target_open(t, l, 0, &how) == STATUS_GOOD;
    good = good && convert_from_file(t->sp, c, true, &from) && from.left_out == 0;
    *p = good ? player_new(t->sp, invariant) : NULL; /* behind what was brought in */
    good = *p != NULL && player_play(*p, &from.schedule) && (*p)->found;
    good = good && shrink(*p, &(*p)->made, (*p)->culprit, so, z);
    if (c != NULL)
        compiled_free(c);
    return good;
}

/* The file without what it breaks without. NULL: it needs all of it. */
static char *leave_out(const struct telling *f, size_t *length)
{
    const struct target *target = f->target;
    const struct shrunk *z = f->z;
    const struct found_file plain = {.without = f->o->without};
    const struct parts_break what = {z->culprit.invariant,
                                     z->culprit.node == NONE16 ? NULL : target->sp->c.sim.names->text[z->culprit.node]};
    struct loaded l = {.file = target->l->file};
    struct target fewer = {0};
    struct shrunk *smaller = malloc(sizeof *smaller);
    struct telling of_fewer = {.target = &fewer, .o = f->o, .z = smaller, .so = f->so, .by = f->by, .how = f->how};
    struct diags diags = {0};
    uint32_t left_out;
    int status = STATUS_GOOD;
    size_t n;
    bool good;
    char *out = NULL, *text = found_text(target->scenario, target->case_index, f->player, &z->schedule, z->culprit,
                                         &plain, &n, &good);
    l.bytes = text == NULL ? NULL : parts_leave_out(text, n, &what, &n, &left_out);
    free(text);
    l.scenario = l.bytes == NULL ? NULL : scenario_parse(l.bytes, n, l.file.path, NULL, 0, &diags);
    l.file.scenario = l.scenario;
    if (smaller != NULL && l.scenario != NULL &&
        shrink_fewer(&fewer, &l, f->o, f->so, UINT64_C(1) << what.invariant, smaller, &of_fewer.player) &&
        smaller->schedule.n <= z->schedule.n && smaller->certificate <= z->certificate)
        out = finding_file(&of_fewer, 0, length, &status);
    if (status != STATUS_GOOD) {
        free(out);
        out = NULL;
    }
    player_free(of_fewer.player);
    target_close(&fewer);
    front_unload(&l);
    free(smaller);
    return out;
}

char *finding_smallest(const struct telling *f, size_t *length, int *status)
{
    char *text = finding_file(f, f->o->without, length, status), *fewer;
    size_t fewer_length;
    if (text == NULL || f->z->culprit.invariant >= INVARIANTS || *status == STATUS_BROKEN)
        return text;
    fewer = leave_out(f, &fewer_length);
    if (fewer == NULL)
        return text;
    free(text);
    *length = fewer_length;
    return fewer;
}
