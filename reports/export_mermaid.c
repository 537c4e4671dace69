/* SPDX-License-Identifier: MIT
 *
 * export_mermaid.c - a sequence diagram for a README or an issue.
 *
 *  1. It has order and no scale: each line begins with its time. An arrow stands where the message arrives.
 *  2. At most MESSAGES_MAX messages: of a longer story a window round the first violation.
 *  3. Of partitions and cuts the first that closes something opens a rectangle, and the last that heals closes it.
 *  4. A lease activates its holder. What began before the window is active from its beginning.
 *  5. Letters that the syntax would take for its own become numbers (#59;).
 */
#include "reports/export.h"

#include "reports/line.h"

#include <string.h>

#define MESSAGES_MAX 40u
#define MESSAGES_BEFORE 30u /* of them, what comes before the centre or with it */

struct window {
    uint32_t first, end;         /* records: end is not in it */
    uint32_t from, to, messages; /* of the messages: those in it, from 1, and how many there are */
    uint32_t closed;             /* partitions and cuts that have not healed, up to here */
};

/* --- text ------------------------------------------------------------------------------------------------ */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* The bare word `end` would close a block. */
static bool is_end(const struct text *t, size_t i)
{
    bool word = i + 3 <= t->n && (t->bytes[i] == 'e' || t->bytes[i] == 'E') &&
                (t->bytes[i + 1] == 'n' || t->bytes[i + 1] == 'N') &&
                (t->bytes[i + 2] == 'd' || t->bytes[i + 2] == 'D');
    return word && (i == 0 || !is_letter(t->bytes[i - 1])) && (i + 3 == t->n || !is_letter(t->bytes[i + 3]));
}

/* Takes over a text, and adds it as the label of an arrow or a note. */
static void label(struct text *t, struct text *raw)
{
    static const char own[] = ";#<>&%\"`{}[]\\$";
    for (size_t i = 0; i < raw->n; i++) {
        char c = raw->bytes[i];
        if (strchr(own, c) == NULL && !is_end(raw, i)) {
            text_char(t, c);
            continue;
        }
        text_char(t, '#');
        text_u64(t, (unsigned char)c);
        text_char(t, ';');
    }
    text_done(t, raw);
}

/* "13.005s", and what the record says: its words without the actor's where that is the lane's own name. */
static void words(struct text *t, const struct exported *x, uint32_t i, uint32_t at)
{
    struct text raw = {0}, said = {0};
    const char *lane = export_lane_name(x, x->lane[i]);
    line_words(&said, x->sim, &x->record[i]);
    text_time(&raw, x->record[at].at);
    text_char(&raw, ' ');
    size_t skip = strlen(lane);
    bool own = !said.failed && said.n > skip && memcmp(said.bytes, lane, skip) == 0 && said.bytes[skip] == ' ';
    text_bytes(&raw, said.n > 0 ? said.bytes + (own ? skip + 1 : 0) : "", said.n - (own ? skip + 1 : 0));
    text_done(&raw, &said);
    label(t, &raw);
}

/* --- the window ------------------------------------------------------------------------------------------ */

static bool is_message(const struct exported *x, uint32_t i) { return export_sender(x, i) != NONE32; }

static uint32_t count_messages(const struct exported *x, uint32_t end)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < end; i++)
        n += is_message(x, i);
    return n;
}

/* Behind which record the n-th message is the last, from 1; 0: before all. */
static uint32_t behind_message(const struct exported *x, uint32_t n)
{
    uint32_t i = 0;
    for (uint32_t seen = 0; i < x->n && seen < n; i++)
        seen += is_message(x, i);
    return i;
}

static struct window find_window(const struct exported *x)
{
    uint32_t centre = export_centre(x), all = count_messages(x, x->n);
    struct window w = {0, x->n, 1, all, all, 0};
    if (all <= MESSAGES_MAX)
        return w;
    uint32_t before = centre == NONE32 ? 0 : count_messages(x, centre + 1);
    uint32_t skipped = before > MESSAGES_BEFORE ? before - MESSAGES_BEFORE : 0;
    if (skipped > all - MESSAGES_MAX)
        skipped = all - MESSAGES_MAX;
    w.first = behind_message(x, skipped);
    w.end = behind_message(x, skipped + MESSAGES_MAX);
    w.from = skipped + 1;
    w.to = skipped + MESSAGES_MAX;
    return w;
}

/* --- lines ----------------------------------------------------------------------------------------------- */

static bool is_service(const struct exported *x, uint32_t lane)
{
    return lane != export_net(x) && x->model->actor_of[x->sim->processes[lane].first_thread].kind != ACTOR_CLIENT;
}

static void arrow(struct text *t, const struct exported *x, uint32_t i)
{
    uint32_t sender = export_sender(x, i), from = x->lane[sender], to = x->lane[i];
    bool lost = x->record[i].verb == V_LOSES;
    if (lost) {
        struct value name = line_field(x->sim, &x->record[i], "to");
        to = x->process_of[name.v] == NONE16 ? to : x->process_of[name.v];
    }
    text_add(t, "  ");
    text_add(t, export_lane_name(x, from));
    text_add(t, lost ? (is_service(x, from) ? "--x" : "-x") : is_service(x, from) ? "-->>" : "->>");
    text_add(t, export_lane_name(x, to));
    text_add(t, ": ");
    if (!export_is_note(x, sender)) {
        words(t, x, sender, i);
    } else {
        struct text raw = {0};
        text_time(&raw, x->record[i].at);
        text_char(&raw, ' ');
        text_shown(&raw, export_what(x, i) == NULL ? "" : export_what(x, i));
        label(t, &raw);
    }
    text_char(t, '\n');
}

static void note_begin(struct text *t, const struct exported *x, uint32_t lane)
{
    text_add(t, "  Note over ");
    text_add(t, export_lane_name(x, lane));
    text_add(t, ": ");
}

static void note(struct text *t, const struct exported *x, uint32_t i)
{
    note_begin(t, x, x->lane[i]);
    words(t, x, i, i);
    text_char(t, '\n');
}

static void broken(struct text *t, const struct exported *x, uint32_t i)
{
    struct text raw = {0};
    text_time(&raw, x->record[i].at);
    text_char(&raw, ' ');
    export_marks(&raw, x, i);
    note_begin(t, x, x->lane[i]);
    label(t, &raw);
    text_char(t, '\n');
}

static void activation(struct text *t, const struct exported *x, const struct lease *l, const char *word)
{
    if (x->process_of[l->holder] == NONE16)
        return;
    text_add(t, "  ");
    text_add(t, word);
    text_char(t, ' ');
    text_add(t, export_lane_name(x, x->process_of[l->holder]));
    text_char(t, '\n');
}

/* Leases that begin or end at a record of the window. Only what was activated is deactivated. */
static void activations(struct text *t, const struct exported *x, uint32_t i)
{
    for (uint32_t k = 0; k < x->n_leases && x->lease[k].first <= i; k++) {
        if (x->lease[k].first == i)
            activation(t, x, &x->lease[k], "activate");
        if (x->lease[k].last == i)
            activation(t, x, &x->lease[k], "deactivate");
    }
}

/* Rule 3. */
static void closures(struct text *t, struct window *w, uint16_t verb)
{
    if (verb == V_PARTITIONS || verb == V_CUTS) {
        if (w->closed++ == 0)
            text_add(t, "  rect rgba(122, 79, 163, 0.1)\n");
    } else if (verb == V_HEALS && w->closed > 0 && --w->closed == 0) {
        text_add(t, "  end\n");
    }
}

/* A message is told by its arrow; so is the record that sent it, unless it broke something. */
static void tell(struct text *t, const struct exported *x, struct window *w, uint32_t i)
{
    uint16_t verb = x->record[i].verb;
    bool opens = verb == V_PARTITIONS || verb == V_CUTS;
    if (opens)
        closures(t, w, verb);
    if (is_message(x, i))
        arrow(t, x, i);
    else if (!export_is_note(x, i) && !x->sends[i])
        note(t, x, i);
    if (!opens)
        closures(t, w, verb);
    if (export_is_broken(x, i))
        broken(t, x, i);
    activations(t, x, i);
}

static void participants(struct text *t, const struct exported *x)
{
    for (uint32_t lane = 0; lane < x->lanes; lane++) {
        bool seen = lane != export_net(x);
        for (uint32_t i = 0; i < x->n && !seen; i++)
            seen = x->lane[i] == lane;
        if (!seen)
            continue;
        text_add(t, "  participant ");
        text_add(t, export_lane_name(x, lane));
        text_char(t, '\n');
    }
}

static void window_note(struct text *t, const struct exported *x, const struct window *w)
{
    struct text raw = {0};
    text_add(&raw, "messages ");
    text_u64(&raw, w->from);
    text_add(&raw, " to ");
    text_u64(&raw, w->to);
    text_add(&raw, " of ");
    text_u64(&raw, w->messages);
    note_begin(t, x, 0);
    label(t, &raw);
    text_char(t, '\n');
}

/* What holds already where the window begins. */
static void begin_window(struct text *t, const struct exported *x, struct window *w)
{
    for (uint32_t i = 0; i < w->first; i++) {
        uint16_t verb = x->record[i].verb;
        w->closed += verb == V_PARTITIONS || verb == V_CUTS;
        w->closed -= verb == V_HEALS && w->closed > 0;
    }
    if (w->closed > 0)
        text_add(t, "  rect rgba(122, 79, 163, 0.1)\n");
    for (uint32_t k = 0; k < x->n_leases; k++)
        if (x->lease[k].first < w->first && x->lease[k].last >= w->first)
            activation(t, x, &x->lease[k], "activate");
}

void export_mermaid(struct text *t, const struct exported *x)
{
    struct window w = find_window(x);
    struct text raw = {0}, title = {0};
    text_add(&raw, "sequenceDiagram\n");
    text_shown(&title, scenario_title(x->f->scenario));
    text_add(&title, ", case ");
    text_shown(&title, x->r->c->name);
    text_add(&raw, "  title ");
    label(&raw, &title);
    text_char(&raw, '\n');
    participants(&raw, x);
    if (w.from > 1 || w.to < w.messages)
        window_note(&raw, x, &w);
    begin_window(&raw, x, &w);
    for (uint32_t i = w.first; i < w.end; i++)
        tell(&raw, x, &w, i);
    if (w.closed > 0)
        text_add(&raw, "  end\n");
    export_plain(t, &raw);
}
