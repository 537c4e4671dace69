/* SPDX-License-Identifier: MIT
 *
 * strip.c - see strip.h. Of a fault its kind is kept, what a crash loses, whether a closed link holds, and how fast a
 * clock drifts: what the magnitudes of a menu do not cover.
 */
#include "fuzz/strip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAY_MAX 32 /* each kind has one line, or one for each way in which it can be worse */
#define LINE_BYTES 64

struct stripping {
    uint32_t *dropped; /* room for as many as there are faults */
    uint32_t n_dropped;
    char line[MAY_MAX][LINE_BYTES];
    uint32_t n_lines;
    int64_t drift_ppb; /* the fastest */
};

static void drop_line(struct stripping *z, uint32_t line)
{
    for (uint32_t i = 0; i < z->n_dropped; i++)
        if (z->dropped[i] == line)
            return;
    z->dropped[z->n_dropped++] = line;
}

static void add_line(struct stripping *z, const char *text)
{
    for (uint32_t i = 0; i < z->n_lines; i++)
        if (strcmp(z->line[i], text) == 0)
            return;
    ASSERT(z->n_lines < MAY_MAX);
    (void)snprintf(z->line[z->n_lines++], LINE_BYTES, "%s", text);
}

static void allow(struct stripping *z, const struct fault_plan *f)
{
    static const char *const losing[] = {"", " losing unsynced", " losing everything"};
    char text[LINE_BYTES];
    const char *holding = f->holding ? " holding" : "";
    int64_t ppb = f->ppb < 0 ? -f->ppb : f->ppb;
    switch ((enum fault_kind)f->kind) {
    case FAULT_PAUSE: add_line(z, "may pause"); return;
    case FAULT_SUSPEND: add_line(z, "may suspend"); return;
    case FAULT_CRASH: (void)snprintf(text, sizeof text, "may crash%s", losing[f->losing]); break;
    case FAULT_PARTITION: (void)snprintf(text, sizeof text, "may partition%s", holding); break;
    case FAULT_CUT: (void)snprintf(text, sizeof text, "may cut%s", holding); break;
    case FAULT_DELAY: add_line(z, "may delay"); return;
    case FAULT_DROP: add_line(z, "may drop"); return;
    case FAULT_DUPLICATE: add_line(z, "may duplicate"); return;
    case FAULT_REORDER: add_line(z, "may reorder"); return;
    case FAULT_WALL_JUMP: add_line(z, "may step wall"); return;
    case FAULT_DRIFT: z->drift_ppb = ppb > z->drift_ppb ? ppb : z->drift_ppb; return;
    case FAULT_SLOW: add_line(z, "may slow"); return;
    case FAULT_HEAL:
    case FAULT_SLEW:
    case FAULT_RESUME_ORDER:
    case FAULTS: return; /* what no `may` line says: a slew is a slow drift, heals end what has an end of its own */
    }
    add_line(z, text);
}

/* In whole millionths, and 0 is none: that ends a drift. */
static void allow_drift(struct stripping *z)
{
    char text[LINE_BYTES];
    if (z->drift_ppb == 0)
        return;
    (void)snprintf(text, sizeof text, "may drift up to %lldppm", (long long)((z->drift_ppb + 999) / 1000));
    add_line(z, text);
}

/* It has a date, and strikes no message. */
static bool has_time(const struct fault_plan *f)
{
    bool message = f->kind == FAULT_DELAY || f->kind == FAULT_DROP || f->kind == FAULT_DUPLICATE ||
                   f->kind == FAULT_REORDER;
    return f->at >= 0 && !message;
}

static void strip(struct stripping *z, const struct compiled *c, enum strip_may may)
{
    bool kinds = may != STRIP_ALL && c->n_mays == 0;
    for (uint32_t i = 0; i < c->sim.n_faults; i++) {
        if (may == STRIP_LOOSE && has_time(&c->sim.faults[i]))
            continue;
        drop_line(z, c->sim.faults[i].line);
        if (kinds)
            allow(z, &c->sim.faults[i]);
    }
    allow_drift(z);
}

static struct scenario *read_stripped(const struct scenario *s, uint32_t case_index, const struct stripping *z,
                                      struct diags *diags)
{
    const char *lines[MAY_MAX];
    size_t length;
    for (uint32_t i = 0; i < z->n_lines; i++)
        lines[i] = z->line[i];
    const struct finding found = {
        .claim = "holds", .lines = lines, .n_lines = z->n_lines, .dropped = z->dropped, .n_dropped = z->n_dropped};
    char *text = scenario_print_found(s, case_index, &found, &length);
    if (text == NULL) {
        diags->no_memory = true;
        return NULL;
    }
    struct scenario *stripped = scenario_parse(text, length, "stripped", NULL, 0, diags);
    free(text);
    return stripped;
}

struct scenario *strip_faults(const struct scenario *s, uint32_t case_index, enum strip_may may, uint32_t *faults,
                              struct diags *diags)
{
    struct compiled *c = scenario_compile(s, case_index, 0, 0, diags);
    struct stripping *z = calloc(1, sizeof *z);
    struct scenario *stripped = NULL;
    if (c != NULL && z != NULL)
        z->dropped = calloc(c->sim.n_faults + 1, sizeof *z->dropped);
    if (z == NULL || (c != NULL && z->dropped == NULL)) {
        diags->no_memory = true;
    } else if (c != NULL) {
        strip(z, c, may);
        *faults = z->n_dropped;
        stripped = read_stripped(s, case_index, z, diags);
    }
    if (c != NULL)
        compiled_free(c);
    if (z != NULL)
        free(z->dropped);
    free(z);
    return stripped;
}
