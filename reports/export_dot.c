/* SPDX-License-Identifier: MIT
 *
 * export_dot.c - a space-time graph for Graphviz: a heavy chain a lane, and an edge a message, which moves no node.
 *
 * Beyond some tens of events nobody can read it. Of a longer story only what led to the first violation is drawn: the
 * causes of its record, and of the earlier one that it conflicts with. Where none broke, it is the beginning.
 */
#include "reports/export.h"

#include "reports/line.h"

#include <stdlib.h>
#include <string.h>

#define EVENTS_MAX 40u

/* As the inside of a double-quoted string; takes over raw. */
static void quoted(struct text *t, struct text *raw)
{
    text_char(t, '"');
    for (size_t i = 0; i < raw->n; i++) {
        if (raw->bytes[i] == '"' || raw->bytes[i] == '\\')
            text_char(t, '\\');
        if (raw->bytes[i] == '\n')
            text_char(t, '\\');
        text_char(t, raw->bytes[i] == '\n' ? 'n' : raw->bytes[i]);
    }
    text_char(t, '"');
    text_done(t, raw);
}

/* --- what is drawn ----------------------------------------------------------------------------------------- */

static void draw_past(const struct exported *x, uint8_t *drawn, uint32_t record)
{
    for (uint32_t i = record + 1; i > 0; i = x->record[i - 1].cause)
        drawn[i - 1] = !export_is_note(x, i - 1) || i - 1 == record;
}

static uint32_t count(const struct exported *x, const uint8_t *drawn)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n; i++)
        n += drawn[i];
    return n;
}

/* The later ones are kept where something broke, else the earlier. */
static void keep_some(const struct exported *x, uint8_t *drawn, bool later)
{
    uint32_t n = count(x, drawn), kept = 0;
    for (uint32_t i = 0; i < x->n; i++) {
        if (!drawn[i])
            continue;
        bool keep = later ? n - kept <= EVENTS_MAX : kept < EVENTS_MAX;
        kept++;
        drawn[i] = keep;
    }
}

static void find_drawn(const struct exported *x, uint8_t *drawn)
{
    uint32_t centre = export_centre(x);
    for (uint32_t i = 0; i < x->n; i++)
        drawn[i] = !export_is_note(x, i) || export_is_broken(x, i);
    if (count(x, drawn) <= EVENTS_MAX)
        return;
    if (centre != NONE32) {
        memset(drawn, 0, x->n);
        for (uint32_t k = 0; k < x->r->n_violations; k++) {
            const struct violation *v = &x->r->violation[k];
            if (v->record - 1 != centre)
                continue;
            draw_past(x, drawn, centre);
            if (v->other > 0)
                draw_past(x, drawn, v->other - 1);
        }
    }
    keep_some(x, drawn, centre != NONE32);
}

/* --- nodes and edges --------------------------------------------------------------------------------------- */

static void node_name(struct text *t, uint32_t i)
{
    text_char(t, 'e');
    text_u64(t, i);
}

static void node(struct text *t, const struct exported *x, uint32_t i)
{
    struct text raw = {0};
    text_add(t, "    ");
    node_name(t, i);
    text_add(t, " [label=");
    text_time(&raw, x->record[i].at);
    text_char(&raw, '\n');
    line_words(&raw, x->sim, &x->record[i]);
    if (export_is_broken(x, i)) {
        text_char(&raw, '\n');
        export_marks(&raw, x, i);
    }
    quoted(t, &raw);
    text_add(t, export_is_broken(x, i) ? ", color=red, penwidth=2];\n" : "];\n");
}

/* The chain of a lane, with its name at the beginning. */
static void lane_chain(struct text *t, const struct exported *x, const uint8_t *drawn, uint32_t lane)
{
    struct text name = {0};
    uint32_t last = NONE32;
    text_add(t, "  lane");
    text_u64(t, lane);
    text_add(t, " [shape=plaintext, label=");
    text_add(&name, export_lane_name(x, lane));
    quoted(t, &name);
    text_add(t, "];\n");
    for (uint32_t i = 0; i < x->n; i++) {
        if (!drawn[i] || x->lane[i] != lane)
            continue;
        node(t, x, i);
        text_add(t, last == NONE32 ? "  lane" : "  ");
        if (last == NONE32)
            text_u64(t, lane);
        else
            node_name(t, last);
        text_add(t, " -> ");
        node_name(t, i);
        text_add(t, " [weight=100, penwidth=2, arrowhead=none];\n");
        last = i;
    }
}

static bool lane_is_drawn(const struct exported *x, const uint8_t *drawn, uint32_t lane)
{
    for (uint32_t i = 0; i < x->n; i++)
        if (drawn[i] && x->lane[i] == lane)
            return true;
    return false;
}

/* The message that led to a drawn event: its arrival, at the event or among the causes that are not drawn; NONE32. */
static uint32_t arrival_of(const struct exported *x, const uint8_t *drawn, uint32_t event)
{
    for (uint32_t i = event + 1; i > 0 && (i - 1 == event || !drawn[i - 1]); i = x->record[i - 1].cause)
        if (export_sender(x, i - 1) != NONE32)
            return i - 1;
    return NONE32;
}

/* Where the record that sent it is in the picture. */
static void message(struct text *t, const struct exported *x, const uint8_t *drawn, uint32_t event)
{
    uint32_t arrival = arrival_of(x, drawn, event), sender = arrival == NONE32 ? NONE32 : export_sender(x, arrival);
    struct text what = {0};
    if (sender == NONE32 || !drawn[sender])
        return;
    text_add(t, "  ");
    node_name(t, sender);
    text_add(t, " -> ");
    node_name(t, event);
    text_add(t, " [constraint=false, label=");
    text_shown(&what, export_what(x, arrival) == NULL ? "" : export_what(x, arrival));
    quoted(t, &what);
    text_add(t, x->record[arrival].verb == V_LOSES ? ", style=dashed];\n" : "];\n");
}

void export_dot(struct text *t, const struct exported *x)
{
    uint8_t *drawn = calloc((size_t)x->n + 1, 1);
    struct text raw = {0}, title = {0};
    if (drawn == NULL) {
        t->failed = true;
        return;
    }
    find_drawn(x, drawn);
    text_add(&raw, "digraph trace {\n  rankdir=LR;\n  node [shape=box, fontsize=10];\n  edge [fontsize=9];\n  label=");
    text_shown(&title, scenario_title(x->f->scenario));
    text_add(&title, ", case ");
    text_shown(&title, x->r->c->name);
    quoted(&raw, &title);
    text_add(&raw, ";\n");
    for (uint32_t lane = 0; lane < x->lanes; lane++)
        if (lane_is_drawn(x, drawn, lane))
            lane_chain(&raw, x, drawn, lane);
    for (uint32_t i = 0; i < x->n; i++)
        if (drawn[i])
            message(&raw, x, drawn, i);
    text_add(&raw, "}\n");
    free(drawn);
    export_plain(t, &raw);
}
