/* SPDX-License-Identifier: MIT
 *
 * explain_faults.c - which faults it took, within what each still breaks it, and the nearest run that passes.
 *
 * "Necessary in this run" is all that a re-run shows; no word here says more.
 */
#include <string.h>

#include "reports/explain_part.h"
#include "reports/line.h"

#define HOLES_TOLD 3 /* of one window */
#define WHOLE 2      /* needed faults: of more, one window each is told */

/* --- parts of sentences --------------------------------------------------------------------------- */

static bool breaks_it(const struct tried *t) { return t->replay.end == REPLAY_SAME; }

/* Line 25, `before w1 writes ledger: pause w1 for 12s` */
static void add_line(struct text *t, const struct telling *k, const struct fault_fact *row, const char *word)
{
    size_t n;
    const char *line = scenario_line(k->x->scenario, row->line, &n);
    const char *base = NULL;
    for (uint32_t i = 0; i < k->x->base.n; i++)
        if (k->x->base.revision[i].line == row->line)
            base = k->x->base.revision[i].fault;
    while (n > 0 && line[0] == '[') { /* the brackets say which cases have it: this one does */
        const char *close = memchr(line, ']', n);
        size_t skip = close == NULL ? n : (size_t)(close - line) + 1;
        line += skip;
        n -= skip;
        while (n > 0 && line[0] == ' ') {
            line++;
            n--;
        }
    }
    text_add(t, word);
    text_u64(t, row->line);
    text_add(t, " (");
    if (base != NULL)
        text_shown(t, base);
    else
        text_bytes(t, line, n);
    text_char(t, ')');
}

/* A value of a window: 12s, 500ppm, "without end"; of a moment, what it waits for. */
static void add_value(struct text *t, const struct scanned *w, enum window_of of, uint32_t i)
{
    const struct tried *one = &w->tried[i];
    if (of == WINDOW_MOMENT) {
        const char *line = one->replay.change.revision[0].fault, *colon = strstr(line, ": ");
        text_bytes(t, line, colon == NULL ? strlen(line) : (size_t)(colon - line));
        text_add(t, " (");
        text_time(t, one->value);
        text_char(t, ')');
    } else if (of == WINDOW_RATE) {
        text_i64(t, one->value / 1000);
        if (one->value % 1000 != 0) {
            text_char(t, '.');
            text_i64(t, one->value % 1000 / 100);
            text_i64(t, one->value % 100 / 10);
            text_i64(t, one->value % 10);
        }
        text_add(t, "ppm");
    } else if (of == WINDOW_MESSAGE) {
        text_char(t, '#');
        text_i64(t, one->value);
    } else if (one->value == NS_NEVER) {
        text_add(t, "without end");
    } else {
        text_duration(t, one->value);
    }
}

/* --- windows -------------------------------------------------------------------------------------------- */

static const struct {
    const char *what, *only, *first, *last;
} window_words[WINDOWS] = {[WINDOW_LENGTH] = {"lengths", "the only one", "the shortest", "the longest"},
                           [WINDOW_AMOUNT] = {"sizes", "the only one", "the least", "the most"},
                           [WINDOW_RATE] = {"rates", "the only one", "the least", "the most"},
                           [WINDOW_TIME] = {"times", "the only one", "the earliest", "the latest"},
                           [WINDOW_MOMENT] = {"moments", "the only one", "the earliest", "the latest"},
                           [WINDOW_MESSAGE] = {"messages", "the only one", "the first", "the last"}};

/* "10s: nothing breaks"; "10.010s is the shortest that breaks it, at 11.015s". The file's own value has no command. */
static void tell_try(struct telling *k, const struct scanned *w, enum window_of of, uint32_t i, const char *place)
{
    const struct replayed *r = &w->tried[i].replay;
    struct told *row = i == w->own ? telling_add(k, TOLD_FAULTS, TOLD_TRY)
                                   : telling_add_replay(k, TOLD_FAULTS, TOLD_TRY, r, k->x->case_index);
    if (row == NULL)
        return;
    add_value(&row->words, w, of, i);
    if (r->end != REPLAY_SAME) {
        text_add(&row->words, ": ");
        told_outcome(&row->words, k->x, r);
    } else {
        bool edge = i == 0 || i == w->n - 1; /* beyond it nothing was tried */
        edge = edge && place != window_words[of].only;
        text_add(&row->words, i == w->own ? ", as in the file, is " : " is ");
        text_add(&row->words, place);
        text_add(&row->words, edge ? " that was tried, and breaks it, at " : " that breaks it, at ");
        text_time(&row->words, r->at);
    }
    text_char(&row->words, '.');
}

static uint32_t first_breaking(const struct scanned *w)
{
    uint32_t i = 0;
    while (i < w->n && !breaks_it(&w->tried[i]))
        i++;
    return i;
}

static uint32_t last_breaking(const struct scanned *w)
{
    uint32_t i = w->n;
    while (i > 0 && !breaks_it(&w->tried[i - 1]))
        i--;
    return i - 1;
}

/* "It breaks with 34 of the 45 lengths that were tried, from 1s to 2m and without end:" */
static void tell_window_sentence(struct telling *k, const struct fault_fact *f, enum window_of of)
{
    const struct scanned *w = &f->window[of];
    struct told *row = telling_add(k, TOLD_FAULTS, TOLD_SENTENCE);
    uint32_t breaking = 0, holes = 0;
    for (uint32_t i = first_breaking(w); i < last_breaking(w); i++)
        holes += breaks_it(&w->tried[i]) && !breaks_it(&w->tried[i + 1]);
    for (uint32_t i = 0; i < w->n; i++)
        breaking += breaks_it(&w->tried[i]);
    if (row == NULL)
        return;
    text_add(&row->words, of == WINDOW_TIME || of == WINDOW_MOMENT ? "It breaks at " : "It breaks with ");
    text_add(&row->words, breaking == w->n ? "each" : "");
    if (breaking < w->n)
        text_u64(&row->words, breaking);
    text_add(&row->words, " of the ");
    text_u64(&row->words, w->n);
    text_char(&row->words, ' ');
    text_add(&row->words, window_words[of].what);
    if (of == WINDOW_MOMENT) {
        text_add(&row->words, " of ");
        text_shown(&row->words, line_name(&k->x->c->sim, k->x->c->sim.triggers[f->trigger].actor));
        text_add(&row->words, " that were tried");
    } else {
        bool endless = w->tried[w->n - 1].value == NS_NEVER;
        text_add(&row->words, " that were tried, from ");
        add_value(&row->words, w, of, 0);
        text_add(&row->words, " to ");
        add_value(&row->words, w, of, w->n - (endless ? 2 : 1));
        text_add(&row->words, endless ? " and without end" : "");
    }
    if (holes > 0) {
        text_add(&row->words, ", with ");
        text_count(&row->words, holes, "hole", "holes");
    }
    text_add(&row->words, breaking == w->n ? "." : ":");
}

/* Where it breaks, stops breaking, breaks again. */
static void tell_holes(struct telling *k, const struct scanned *w, enum window_of of)
{
    uint32_t last = last_breaking(w), told = 0;
    for (uint32_t i = first_breaking(w); i < last && told < HOLES_TOLD; i++) {
        if (breaks_it(&w->tried[i + 1]))
            continue;
        uint32_t end = i + 1;
        while (!breaks_it(&w->tried[end + 1]))
            end++;
        tell_try(k, w, of, i + 1, "");
        if (end > i + 1)
            tell_try(k, w, of, end, "");
        i = end;
        told++;
    }
}

static void tell_window(struct telling *k, const struct fault_fact *f, enum window_of of)
{
    const struct scanned *w = &f->window[of];
    uint32_t first = first_breaking(w), last = last_breaking(w);
    tell_window_sentence(k, f, of);
    if (first > 0)
        tell_try(k, w, of, first - 1, "");
    tell_try(k, w, of, first, first == last ? window_words[of].only : window_words[of].first);
    tell_holes(k, w, of);
    if (last != first)
        tell_try(k, w, of, last, window_words[of].last);
    if (last + 1 < w->n)
        tell_try(k, w, of, last + 1, "");
}

/* --- which were needed -------------------------------------------------------------------------------- */

static void add_need(struct text *t, const struct telling *k, const struct fault_fact *row)
{
    switch ((enum need)row->need) {
    case NEED_NEEDED:
        text_add(t, ": necessary in this run. Without it ");
        told_outcome(t, k->x, &row->without);
        break;
    case NEED_NOT:
        text_add(t, ": not necessary. Without it ");
        told_outcome(t, k->x, &row->without);
        break;
    case NEED_EITHER:
        text_add(t, ": this or line ");
        text_u64(t, k->x->fault[row->other].line);
        text_add(t, ", either is enough. Without both ");
        told_outcome(t, k->x, &row->without_both);
        break;
    case NEED_UNASKED:
        text_add(t, !row->came                      ? ": it never came"
                    : k->x->what == EXPLAINED_HOLDS ? ": it came, and nothing broke"
                                                    : ": it came");
        break;
    }
    text_char(t, '.');
}

static uint32_t count_needed(const struct explanation *x)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n_faults; i++)
        n += x->fault[i].need == NEED_NEEDED;
    return n;
}

static void tell_fault(struct telling *k, const struct fault_fact *row)
{
    const struct replayed *r = row->need == NEED_EITHER ? &row->without_both : &row->without;
    struct told *told = row->need == NEED_UNASKED
                            ? telling_add(k, TOLD_FAULTS, TOLD_SENTENCE)
                            : telling_add_replay(k, TOLD_FAULTS, TOLD_SENTENCE, r, k->x->case_index);
    if (told == NULL)
        return;
    add_line(&told->words, k, row, "Line ");
    add_need(&told->words, k, row);
    uint32_t windows = 0;
    for (uint32_t of = 0; of < WINDOWS; of++) {
        bool any = row->window[of].n > 1;
        if (any && windows++ < (count_needed(k->x) > WHOLE ? 1 : WINDOWS))
            tell_window(k, row, (enum window_of)of);
    }
}

static void tell_no_return(struct telling *k)
{
    const struct explanation *x = k->x;
    if (x->no_return == NONE32)
        return;
    const struct fault_fact *row = &x->fault[x->no_return];
    bool last = x->only_until.end == REPLAY_UNASKED;
    struct told *told = last ? telling_add(k, TOLD_FAULTS, TOLD_SENTENCE)
                             : telling_add_replay(k, TOLD_FAULTS, TOLD_SENTENCE, &x->only_until, x->case_index);
    if (told == NULL)
        return;
    text_add(&told->words, "The point of no return is ");
    text_add(&told->words, x->n_faults == 1 ? "that fault" : "line ");
    if (x->n_faults > 1)
        text_u64(&told->words, row->line);
    text_add(&told->words, ", at ");
    text_time(&told->words, row->at);
    if (last) {
        text_add(&told->words, ": nothing else had to go wrong after it, and without it ");
        told_outcome(&told->words, x, &row->without);
        text_char(&told->words, '.');
        return;
    }
    text_add(&told->words, ": without any fault after it, ");
    told_outcome(&told->words, x, &x->only_until);
    text_char(&told->words, '.');
}

void tell_faults(struct telling *k)
{
    const struct explanation *x = k->x;
    if (x->n_faults == 0) {
        struct told *row = telling_add(k, TOLD_FAULTS, TOLD_SENTENCE);
        if (row != NULL)
            text_add(&row->words, "None: nothing goes wrong in this case but what its programs do.");
        return;
    }
    for (uint32_t i = 0; i < x->n_faults; i++)
        tell_fault(k, &x->fault[i]);
    if (x->calm.end == REPLAY_SAME && x->n_faults > 1) {
        struct told *row = telling_add_replay(k, TOLD_FAULTS, TOLD_SENTENCE, &x->calm, x->case_index);
        if (row != NULL) {
            text_add(&row->words, "Without any of them ");
            told_outcome(&row->words, x, &x->calm);
            text_add(&row->words, ": it takes no fault.");
        }
    }
    tell_no_return(k);
}

/* --- the nearest ------------------------------------------------------------------------------------------ */

/* "were 2s shorter", "came 3s sooner", "ended after 5s", "fell before w1 works (0.003s)" */
static void add_difference(struct text *t, const struct explanation *x, const struct fault_fact *row)
{
    static const char *const more[] = {"longer", "larger", "", "later"}, *const less[] = {"shorter", "smaller", "",
                                                                                          "sooner"};
    enum window_of of = (enum window_of)x->nearest.of;
    const struct scanned *w = &row->window[of];
    uint8_t kind = x->c->sim.faults[row->fault].kind;
    int64_t own = w->tried[w->own].value, value = w->tried[x->nearest.tried].value;
    if (of == WINDOW_MESSAGE) {
        text_add(t, "struck message ");
        add_value(t, w, of, x->nearest.tried);
        return;
    }
    if (of == WINDOW_MOMENT || of == WINDOW_RATE || own == NS_NEVER || value == NS_NEVER) {
        text_add(t, of == WINDOW_MOMENT                        ? "fell "
                    : of == WINDOW_LENGTH && value != NS_NEVER ? "ended after "
                                                               : "were ");
        add_value(t, w, of, x->nearest.tried);
        return;
    }
    uint32_t words = kind == FAULT_DELAY       ? (uint32_t)WINDOW_LENGTH
                     : kind == FAULT_DUPLICATE ? (uint32_t)WINDOW_TIME
                                               : (uint32_t)of;
    text_add(t, words == WINDOW_TIME ? "came " : "were ");
    text_duration(t, value > own ? value - own : own - value);
    text_char(t, ' ');
    text_add(t, value > own ? more[words] : less[words]);
}

void tell_nearest(struct telling *k)
{
    const struct explanation *x = k->x;
    if (x->nearest.fault == NONE32)
        return;
    const struct fault_fact *row = &x->fault[x->nearest.fault];
    const struct tried *one = &row->window[x->nearest.of].tried[x->nearest.tried];
    struct told *told = telling_add_replay(k, TOLD_NEAREST, TOLD_SENTENCE, &one->replay, x->case_index);
    if (told == NULL)
        return;
    text_add(&told->words, "If ");
    told_fault(&told->words, x, row);
    text_add(&told->words, " (line ");
    text_u64(&told->words, row->line);
    text_add(&told->words, ") ");
    add_difference(&told->words, x, row);
    text_add(&told->words, ", ");
    told_outcome(&told->words, x, &one->replay);
    text_char(&told->words, '.');
}
