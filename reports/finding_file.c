/* SPDX-License-Identifier: MIT
 *
 * finding_file.c - the scenario file of a finding: see finding.h.
 */
#include "reports/finding.h"

#include <stdlib.h>

#include "fuzz/convert.h"
#include "fuzz/parts.h"

/* Its case, without what it breaks without. */
struct fewer {
    struct loaded l;
    struct target target;
    struct player *player;
    struct shrunk z;
};

/* malloc'd. NULL: *status says why. */
static char *write_file(const struct finding_told *f, uint32_t without, size_t *length, int *status)
{
    const struct target *target = f->target;
    const struct shrunk *z = f->z;
    struct text what = {0}, proof = {0};
    char *text = NULL;
    bool good;
    finding_add_break(&what, target->sp, z->culprit, z->at, 0);
    finding_add_certificate(&proof, target, z);
    const char *notes[] = {text_c(&what), text_c(&proof), f->how};
    const struct found_file file = {.without = without, .notes = notes, .n_notes = f->how != NULL ? 3 : 2};
    if (!what.failed && !proof.failed)
        text = found_text(target->scenario, target->case_index, f->player, &z->schedule, z->culprit, &file, length,
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

/* --- fewer programs and jobs ----------------------------------------------------------------------------------- */

/* The file as it stands, parsed again with all taken out that it breaks without. False: it needs all of it. */
static bool leave_out(const struct finding_told *f, struct loaded *l)
{
    const struct culprit c = f->z->culprit;
    const struct target *target = f->target;
    const struct found_file plain = {.without = f->o->without};
    const struct parts_break what = {c.invariant, c.node == NONE16 ? NULL : target->sp->c.sim.names->text[c.node]};
    struct diags diags = {0};
    uint32_t left_out;
    size_t n;
    bool good;
    char *text = found_text(target->scenario, target->case_index, f->player, &f->z->schedule, c, &plain, &n, &good);
    l->file = target->l->file;
    l->bytes = text == NULL ? NULL : parts_leave_out(text, n, &what, &n, &left_out);
    free(text);
    l->scenario = l->bytes == NULL ? NULL : scenario_parse(l->bytes, n, l->file.path, NULL, 0, &diags);
    l->file.scenario = l->scenario;
    return l->scenario != NULL;
}

/* False: it is no smaller after all. */
static bool shrink_fewer(struct fewer *w, const struct finding_told *f)
{
    const uint32_t invariant = f->z->culprit.invariant;
    struct options how = *f->o;
    struct diags diags = {0};
    struct converted from;
    how.look.rediscover = f->o->look.rediscover > 0 ? f->o->look.rediscover : 1 + STRIP_ALL;
    how.n_cases = 0;
    how.without = 0;
    if (invariant_table[invariant].kind == INV_SIGN) /* the file says `violates`, and not which signs are looked for */
        how.look.signs |= UINT32_C(1) << invariant;
    struct compiled *c = scenario_compile(w->l.scenario, 0, 0, 0, &diags);
    bool good = c != NULL && target_open(&w->target, &w->l, 0, &how) == STATUS_GOOD;
    good = good && convert_from_file(w->target.sp, c, true, &from) && from.left_out == 0;
    w->player = good ? player_new(w->target.sp, UINT64_C(1) << invariant) : NULL; /* behind what was brought in */
    good = w->player != NULL && player_play(w->player, &from.schedule) && w->player->found;
    good = good && shrink(w->player, &w->player->made, w->player->culprit, f->so, &w->z);
    w->z.from = f->z->from;
    if (c != NULL)
        compiled_free(c);
    return good && w->z.schedule.n <= f->z->schedule.n && w->z.certificate <= f->z->certificate;
}

static void fewer_free(struct fewer *w)
{
    if (w == NULL)
        return;
    player_free(w->player);
    target_close(&w->target);
    front_unload(&w->l);
    free(w);
}

/* In place of the file of all of it. Returns STATUS_GOOD also where there is none. */
static int take_fewer(struct finding_made *m)
{
    struct fewer *w = calloc(1, sizeof *w);
    struct finding_told of = m->of;
    int status = STATUS_GOOD;
    size_t length;
    char *text = NULL;
    if (w != NULL && leave_out(&m->of, &w->l) && shrink_fewer(w, &m->of)) {
        of.target = &w->target;
        of.player = w->player;
        of.z = &w->z;
        text = write_file(&of, 0, &length, &status);
    }
    if (text == NULL || status != STATUS_GOOD) {
        free(text);
        fewer_free(w);
        return status;
    }
    free(m->text);
    *m = (struct finding_made){.text = text, .length = length, .of = of, .fewer = w};
    return STATUS_GOOD;
}

/* --- the file -------------------------------------------------------------------------------------------------- */

int finding_make(const struct finding_told *f, struct finding_made *out)
{
    int status = STATUS_GOOD;
    *out = (struct finding_made){.of = *f};
    out->text = write_file(f, f->o->without, &out->length, &status);
    if (status == STATUS_GOOD && !f->so->as_is && f->z->culprit.invariant < INVARIANTS)
        status = take_fewer(out);
    return status;
}

void finding_unmake(struct finding_made *m)
{
    free(m->text);
    fewer_free(m->fewer);
}
