/* SPDX-License-Identifier: MIT
 *
 * window.c - see window.h.
 */
#include "reports/window.h"

#include <stdlib.h>
#include <string.h>

/* The first violation that counts; a sign is better than nothing. NULL: nothing broke. */
static const struct violation *centre(const struct run *r)
{
    const struct violation *best = NULL;
    for (uint32_t i = 0; i < r->n_violations; i++) {
        const struct violation *v = &r->violation[i];
        bool sign = r->role[i] == ROLE_WARNING;
        if (best == NULL || (!sign && r->role[best - r->violation] == ROLE_WARNING))
            best = v;
    }
    return best;
}

/* Shows a record, by its number, if there is room: true when it is shown. */
static bool show(struct window *w, uint32_t number, uint32_t *room)
{
    if (w->shown[number - 1] > 0)
        return true;
    if (*room == 0)
        return false;
    *room -= 1;
    w->shown[number - 1] = 1;
    return true;
}

/* A record and what led to it, back to where nothing did. */
static void show_causes(struct window *w, const struct record *records, uint32_t number, uint32_t *room)
{
    while (number > 0 && show(w, number, room))
        number = records[number - 1].cause;
}

static void show_stretch(struct window *w, uint32_t at, uint32_t size)
{
    uint32_t before = size / 4 * 3;
    w->first = at > before ? at - before : 0;
    if (w->first + size > w->total)
        w->first = w->total - size;
    w->last = w->first + size - 1;
    for (uint32_t i = w->first; i <= w->last; i++)
        w->shown[i] = 1;
}

/* The stretch grows by a record, at its beginning or its end, if that is not shown yet and there is room. */
static void grow(struct window *w, bool back, uint32_t *room)
{
    if (back ? w->first == 0 : w->last + 1 == w->total)
        return;
    uint32_t next = back ? w->first - 1 : w->last + 1;
    if (!show(w, next + 1, room))
        return;
    w->first = back ? next : w->first;
    w->last = back ? w->last : next;
}

/* What the others left goes to the stretch, three parts of four before it. */
static void fill(struct window *w, uint32_t room)
{
    uint32_t width = 0;
    while (room > 0 && width != w->last - w->first) {
        width = w->last - w->first;
        for (int i = 0; i < 4; i++)
            grow(w, i < 3, &room);
    }
}

/* Where nothing broke, what kept it whole: the first refusal or failure. 1 + its index; 0: there is none. */
static uint32_t first_no(const struct record *records, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (records[i].verb == V_REFUSES || records[i].verb == V_FAILED)
            return i + 1;
    return 0;
}

static void choose(struct window *w, const struct run *r, const struct record *records, uint32_t most)
{
    const struct violation *v = centre(r);
    uint32_t part = most / 8, number = v != NULL ? v->record : first_no(records, w->total);
    show_stretch(w, number == 0 ? 0 : number - 1, number == 0 ? most : most - 3 * part);
    if (number == 0)
        return;
    uint32_t causes = part, others = part, rest = part;
    show_causes(w, records, number, &causes);
    show_causes(w, records, v != NULL ? v->other : 0, &others);
    for (uint32_t i = 0; i < r->n_violations; i++) {
        (void)show(w, r->violation[i].record, &rest);
        if (r->violation[i].other > 0)
            (void)show(w, r->violation[i].other, &rest);
    }
    fill(w, causes + others + rest);
}

/* Counts those that are shown, and gives each its place. */
static void number(struct window *w)
{
    for (uint32_t i = 0; i < w->total; i++)
        w->n += w->shown[i];
    w->number = malloc((w->n + 1) * sizeof *w->number);
    if (w->number == NULL) {
        w->failed = true;
        return;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->total; i++) {
        if (w->shown[i] == 0)
            continue;
        w->number[n++] = i + 1;
        w->shown[i] = n;
    }
}

void window_make(struct window *w, const struct run *r, uint32_t most)
{
    ASSERT(most >= WINDOW_LEAST);
    memset(w, 0, sizeof *w);
    const struct record *records = sim_trace(r->sim, &w->total);
    w->shown = calloc(w->total + 1, sizeof *w->shown);
    w->failed = w->shown == NULL;
    if (w->failed)
        return;
    if (w->total <= most) {
        w->last = w->total > 0 ? w->total - 1 : 0;
        for (uint32_t i = 0; i < w->total; i++)
            w->shown[i] = 1;
    } else {
        choose(w, r, records, most);
    }
    number(w);
    ASSERT(w->failed || w->n <= most);
}

void window_free(struct window *w)
{
    free(w->number);
    free(w->shown);
    memset(w, 0, sizeof *w);
}
