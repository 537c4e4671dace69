/* SPDX-License-Identifier: MIT
 *
 * export_shiviz.c - a log for ShiViz: the expression that reads it, an empty line (it is one run), then two lines an
 * event, of which the first has the host, true time and the vector clock.
 *
 *  1. A host is a lane. Each event that is logged adds one to its host's own entry, which begins at 1.
 *  2. Only messages carry clocks: what arrives has seen what its sender had logged up to the sending. A message that
 *     is lost, and every fault, is an event of its own host alone.
 *  3. Arrivals are logged, though they are notes: they are where an arrow ends.
 */
#include "reports/export.h"

#include "reports/line.h"

#include <stdlib.h>
#include <string.h>

struct vectors {
    uint32_t *entry; /* of each event, one a lane; the first `lanes` of them are of no event, and 0 */
    uint32_t *last;  /* by record: the last event of its lane so far, from 1; 0: none */
    uint32_t *now;   /* by lane: its last event */
    uint32_t n;      /* events */
};

static bool is_logged(const struct exported *x, uint32_t i, bool notes)
{
    return notes || !export_is_note(x, i) || x->record[i].verb == V_RECEIVES || export_is_broken(x, i);
}

static void merge(uint32_t *entry, const uint32_t *other, uint32_t lanes)
{
    for (uint32_t i = 0; i < lanes; i++)
        entry[i] = entry[i] < other[i] ? other[i] : entry[i];
}

/* The vector of the next event, which is record i. */
static const uint32_t *tick(struct vectors *v, const struct exported *x, uint32_t i)
{
    uint32_t lane = x->lane[i], lanes = x->lanes;
    uint32_t *entry = v->entry + (size_t)++v->n * lanes;
    memcpy(entry, v->entry + (size_t)v->now[lane] * lanes, lanes * sizeof *entry);
    uint32_t sender = x->record[i].verb == V_RECEIVES ? export_sender(x, i) : NONE32;
    if (sender != NONE32)
        merge(entry, v->entry + (size_t)v->last[sender] * lanes, lanes);
    entry[lane]++;
    v->now[lane] = v->n;
    return entry;
}

static void event(struct text *t, const struct exported *x, uint32_t i, const uint32_t *entry)
{
    text_add(t, export_lane_name(x, x->lane[i]));
    text_char(t, ' ');
    text_i64(t, x->record[i].at);
    text_add(t, " {");
    for (uint32_t lane = 0; lane < x->lanes; lane++) {
        if (entry[lane] == 0)
            continue;
        text_key(t, export_lane_name(x, lane));
        text_u64(t, entry[lane]);
    }
    text_add(t, "}\n");
    line_words(t, x->sim, &x->record[i]);
    text_add(t, export_is_broken(x, i) ? " (" : "");
    export_marks(t, x, i);
    text_add(t, export_is_broken(x, i) ? ")\n" : "\n");
}

static bool open_vectors(struct vectors *v, const struct exported *x, bool notes)
{
    size_t events = 1;
    for (uint32_t i = 0; i < x->n; i++)
        events += is_logged(x, i, notes);
    *v = (struct vectors){calloc(events, x->lanes * sizeof *v->entry), calloc((size_t)x->n + 1, sizeof *v->last),
                          calloc(x->lanes, sizeof *v->now), 0};
    return v->entry != NULL && v->last != NULL && v->now != NULL;
}

void export_shiviz(struct text *t, const struct exported *x, bool notes)
{
    struct vectors v;
    struct text raw = {0};
    raw.failed = !open_vectors(&v, x, notes);
    text_add(&raw, "(?<host>\\S+) (?<t>\\d+) (?<clock>{.*})\\n(?<event>.*)\n\n");
    for (uint32_t i = 0; i < x->n && !raw.failed; i++) {
        if (is_logged(x, i, notes))
            event(&raw, x, i, tick(&v, x, i));
        v.last[i] = v.now[x->lane[i]];
    }
    free(v.entry);
    free(v.last);
    free(v.now);
    export_plain(t, &raw);
}
