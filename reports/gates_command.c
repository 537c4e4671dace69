/* SPDX-License-Identifier: MIT
 *
 * gates_command.c - `fencepost gates`: remove each gate in turn: what breaks, and how soon.
 */
#include "fuzz/gates.h"
#include "reports/looking.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TARGETS_MAX 1024

/* Over all cases of the command line, or of one of its folders. */
struct totals {
    uint32_t cases;
    uint32_t fell; /* of which something breaks whatever the gates */
    struct total {
        uint32_t asked, needed, enough, covered, unproved;
    } gate[GATES];
    uint32_t fallen[INVARIANTS + 1]; /* in so many cases each; the last: what `always` says */
};

struct tabled {
    const struct options *o;
    const char *path;
    const char *case_name;
    struct gates g;
    struct totals *totals;
};

static bool tick(void *context, const char *what)
{
    const struct tabled *k = context;
    looking_progress("%s, case %s: %s", k->path, k->case_name, what);
    return !looking_stopped();
}

/* --- words ------------------------------------------------------------------------------------------------ */

static bool breaks(const struct looked_at *l) { return l->what == LOOKED_FOUND || l->what == LOOKED_CALM; }

static const char *need_word(const struct gate_row *r)
{
    switch (r->alone.what) {
    case LOOKED_FOUND:
    case LOOKED_CALM: return "needed";
    case LOOKED_NOTHING: return r->covered != 0 ? "covered" : "not needed";
    case LOOKED_SAMPLES: return r->covered != 0 ? "covered" : "not seen";
    case LOOKED_IMPOSSIBLE: return "part of it";
    case LOOKED_NOT: break;
    }
    return "not asked";
}

static const char *only_word(const struct looked_at *l)
{
    switch (l->what) {
    case LOOKED_NOTHING: return "yes";
    case LOOKED_SAMPLES: return "not seen";
    case LOOKED_FOUND:
    case LOOKED_CALM: return "no";
    case LOOKED_IMPOSSIBLE:
    case LOOKED_NOT: break;
    }
    return "-";
}

static void add_covers(struct text *t, uint32_t bits)
{
    bool first = true;
    for (uint32_t g = 0; g < GATES; g++) {
        if (!(bits >> g & 1))
            continue;
        text_add(t, first ? "" : ", ");
        text_add(t, gate_table[g].name);
        first = false;
    }
    if (first)
        text_char(t, '-');
}

/* --- the table --------------------------------------------------------------------------------------------- */

/* ">2000": fewer than half of the seeds found it, or none, and exhaustive search did. */
static void add_found(struct text *t, const struct looked_at *l, uint32_t seeds)
{
    struct text cell = {0};
    text_add(&cell, 2 * l->missed >= seeds ? ">" : "");
    text_u64(&cell, l->median);
    text_pad(t, l->what == LOOKED_FOUND ? text_c(&cell) : l->what == LOOKED_CALM ? "0" : "-", -9);
    text_clear(&cell);
    text_u64(&cell, l->faults);
    text_pad(t, breaks(l) ? text_c(&cell) : "-", -8);
    text_add(t, l->what == LOOKED_FOUND && !l->minimal ? "?  " : "   ");
    text_done(t, &cell);
}

static void add_row(struct text *t, const struct gate_row *r, uint32_t seeds)
{
    text_add(t, "  ");
    text_pad(t, gate_table[r->gate].name, 18);
    text_style(t, breaks(&r->alone) ? STYLE_BAD : STYLE_PLAIN);
    text_pad(t, need_word(r), 11);
    text_style(t, STYLE_PLAIN);
    text_pad(t, breaks(&r->alone) ? r->alone.invariant : r->covered != 0 ? r->pair_breaks : "-", 20);
    add_found(t, &r->alone, seeds);
    text_pad(t, only_word(&r->only), 9);
    add_covers(t, r->covered);
    text_char(t, '\n');
}

static void add_table(struct text *t, const struct tabled *k)
{
    const struct gates *g = &k->g;
    text_shown(t, k->path);
    text_add(t, "  case ");
    text_shown(t, k->case_name);
    text_add(t, "\n  without           alone      breaks              schedules  faults   enough   covered by\n");
    for (uint32_t i = 0; i < g->n; i++)
        add_row(t, &g->row[i], k->o->look.seeds);
    text_add(t, g->stopped ? "  interrupted: what was not asked is not known; bound: " : "  bound: ");
    text_u64(t, k->o->look.schedules);
    text_add(t, " schedules, then all with at most ");
    text_count(t, g->faults, "fault", "faults");
    text_add(t, " of a menu of ");
    text_u64(t, g->offers);
    text_add(t, ", within ");
    text_duration(t, g->horizon);
    if (g->n_fallen > 0) {
        text_add(t, "\n  whatever the gates, and not looked for: ");
        for (uint32_t i = 0; i < g->n_fallen; i++) {
            text_add(t, i > 0 ? ", " : "");
            text_add(t, standing_name(g->fallen[i]));
        }
    }
    if (g->none.what != LOOKED_NOT) {
        text_add(t, "; without all of them ");
        text_add(t, breaks(&g->none) ? g->none.invariant : "nothing");
        text_add(t, " breaks");
    }
    text_char(t, '\n');
}

/* --- JSON ---------------------------------------------------------------------------------------------------- */

static const char *const looked_word[] = {"not asked", "found", "calm", "nothing", "unexhausted", "impossible"};

static void json_looked(struct text *t, const char *key, const struct looked_at *l)
{
    text_key(t, key);
    text_char(t, '{');
    text_key(t, "result");
    text_json(t, looked_word[l->what]);
    text_key(t, "invariant");
    text_json(t, breaks(l) ? l->invariant : NULL);
    if (l->what == LOOKED_FOUND && l->median > 0) {
        text_key(t, "schedules_median");
        text_u64(t, l->median);
        text_key(t, "seeds_missed");
        text_u64(t, l->missed);
        text_key(t, "faults");
        text_u64(t, l->faults);
        text_key(t, "minimal");
        text_add(t, l->minimal ? "true" : "false");
        text_key(t, "scenario");
        text_json(t, l->text);
    }
    text_char(t, '}');
}

static void json_table(struct text *t, const struct tabled *k)
{
    const struct gates *g = &k->g;
    text_char(t, '{');
    text_key(t, "file");
    text_json(t, k->path);
    text_key(t, "case");
    text_json(t, k->case_name);
    text_key(t, "end");
    text_json(t, g->stopped ? "interrupted" : "complete");
    text_key(t, "schedules");
    text_u64(t, k->o->look.schedules);
    text_key(t, "faults");
    text_u64(t, g->faults);
    text_key(t, "menu");
    text_u64(t, g->offers);
    text_key(t, "horizon_ns");
    text_i64(t, g->horizon);
    text_key(t, "whatever_the_gates");
    text_char(t, '[');
    for (uint32_t i = 0; i < g->n_fallen; i++) {
        text_comma(t);
        text_json(t, standing_name(g->fallen[i]));
    }
    text_char(t, ']');
    json_looked(t, "with_none", &g->none);
    text_key(t, "gates");
    text_char(t, '[');
    for (uint32_t i = 0; i < g->n; i++) {
        text_comma(t);
        text_char(t, '{');
        text_key(t, "gate");
        text_json(t, gate_table[g->row[i].gate].name);
        text_key(t, "verdict");
        text_json(t, need_word(&g->row[i]));
        json_looked(t, "without", &g->row[i].alone);
        json_looked(t, "only", &g->row[i].only);
        text_key(t, "covered_by");
        text_char(t, '[');
        for (uint32_t c = 0; c < GATES; c++)
            if (g->row[i].covered >> c & 1) {
                text_comma(t);
                text_json(t, gate_table[c].name);
            }
        text_add(t, "]}");
    }
    text_add(t, "]}\n");
}

/* --- all cases -------------------------------------------------------------------------------------------------- */

static void count(struct totals *all, const struct gates *g)
{
    all->cases++;
    all->fell += g->n_fallen > 0;
    for (uint32_t i = 0; i < g->n_fallen; i++)
        all->fallen[g->fallen[i]]++;
    for (uint32_t i = 0; i < g->n; i++) {
        struct total *t = &all->gate[g->row[i].gate];
        t->asked++;
        t->needed += breaks(&g->row[i].alone);
        t->covered += !breaks(&g->row[i].alone) && g->row[i].covered != 0;
        t->enough += g->row[i].only.what == LOOKED_NOTHING;
        t->unproved += g->row[i].alone.what == LOOKED_SAMPLES;
    }
}

static void pad_number(struct text *t, uint32_t v)
{
    struct text cell = {0};
    text_u64(&cell, v);
    text_pad(t, text_c(&cell), -9);
    text_done(t, &cell);
}

static void add_totals(struct totals *all, const struct totals *more)
{
    all->cases += more->cases;
    all->fell += more->fell;
    for (uint32_t g = 0; g < GATES; g++) {
        struct total *t = &all->gate[g];
        const struct total *m = &more->gate[g];
        t->asked += m->asked;
        t->needed += m->needed;
        t->enough += m->enough;
        t->covered += m->covered;
        t->unproved += m->unproved;
    }
    for (uint32_t i = 0; i <= INVARIANTS; i++)
        all->fallen[i] += more->fallen[i];
}

static void add_fallen(struct text *t, const struct totals *all)
{
    const char *between = ": ";
    if (all->fell == 0)
        return;
    text_add(t, "  whatever the gates, in ");
    text_count(t, all->fell, "case", "cases");
    for (uint32_t i = 0; i <= INVARIANTS; i++) {
        if (all->fallen[i] == 0)
            continue;
        text_add(t, between);
        text_add(t, standing_name(i));
        text_char(t, ' ');
        text_u64(t, all->fallen[i]);
        between = ", ";
    }
    text_char(t, '\n');
}

/* of: a folder; NULL: the whole command line. */
static int put_totals(const struct totals *all, const char *of)
{
    struct text t = front_report(1);
    if (of != NULL)
        text_shown(&t, of);
    text_add(&t, of != NULL ? ": " : "all ");
    text_count(&t, all->cases, "case", "cases");
    text_add(&t, "\n  gate               in cases   needed  covered   enough  not exhausted\n");
    for (uint32_t g = 0; g < GATES; g++) {
        const struct total *row = &all->gate[g];
        if (row->asked == 0)
            continue;
        text_add(&t, "  ");
        text_pad(&t, gate_table[g].name, 18);
        pad_number(&t, row->asked);
        pad_number(&t, row->needed);
        pad_number(&t, row->covered);
        pad_number(&t, row->enough);
        pad_number(&t, row->unproved);
        text_char(&t, '\n');
    }
    add_fallen(&t, all);
    int status = front_put(&t);
    text_free(&t);
    return status;
}

/* --- folders ------------------------------------------------------------------------------------------------- */

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path);
}

static bool same_folder(const char *a, const char *b)
{
    size_t n = folder_length(a);
    return n == folder_length(b) && memcmp(a, b, n) == 0;
}

static int put_folder(const struct totals *of, const char *path)
{
    char *folder = malloc(folder_length(path) + 2);
    if (folder == NULL)
        return front_no_memory();
    memcpy(folder, path, folder_length(path));
    folder[folder_length(path)] = '\0';
    int status = put_totals(of, folder[0] == '\0' ? "." : folder);
    free(folder);
    return status;
}

/* --- one case ---------------------------------------------------------------------------------------------------- */

static int put_table(const struct tabled *k)
{
    struct text t = front_report(1);
    if (k->o->format == FORMAT_JSON)
        json_table(&t, k);
    else
        add_table(&t, k);
    int status = front_put(&t);
    text_free(&t);
    return status;
}

static int table_case(const struct loaded *l, uint32_t i, const struct options *o, struct totals *totals)
{
    struct tabled *k = calloc(1, sizeof *k);
    if (k == NULL)
        return front_no_memory();
    *k = (struct tabled){
        .o = o, .path = l->file.path, .case_name = scenario_case_name(l->scenario, i), .totals = totals};
    const struct gates_options go = {.schedules = o->look.schedules,
                                     .faults = o->look.faults,
                                     .steps = o->look.steps,
                                     .memory = o->look.memory,
                                     .seed = o->look.seed,
                                     .seeds = o->look.seeds,
                                     .workers = o->look.jobs,
                                     .signs = target_signs(o),
                                     .pairs = true,
                                     .tick = tick,
                                     .context = k};
    bool good = gates_look(l->scenario, i, &go, &k->g);
    looking_progress_end();
    int status = good ? put_table(k) : front_no_memory();
    if (good)
        count(totals, &k->g);
    gates_free(&k->g);
    free(k);
    return status;
}

static int table_file(const char *path, bool alone, const struct options *o, struct totals *totals)
{
    struct loaded l;
    bool which[TARGETS_MAX];
    int status = front_load(&l, path, o), worst = STATUS_GOOD;
    if (status != STATUS_GOOD)
        return status;
    if (alone || target_any_holds(&l, o))
        status = target_cases(&l, o, which, TARGETS_MAX);
    else
        memset(which, 0, sizeof which);
    for (uint32_t i = 0; i < TARGETS_MAX && status == STATUS_GOOD && !looking_stopped(); i++)
        if (which[i])
            worst = front_worse(worst, table_case(&l, i, o, totals));
    front_unload(&l);
    return front_worse(worst, status);
}

/* Files come in the order of their names, so a folder's stand together. Its totals follow them, unless it is all there
 * is. */
static int table_files(const struct files *files, const struct options *o)
{
    struct totals *all = calloc(2, sizeof *all), *folder = all + 1;
    int status = all == NULL ? front_no_memory() : STATUS_GOOD;
    size_t first = 0;
    bool text = o->format != FORMAT_JSON;
    for (size_t i = 0; i < files->n && status < STATUS_WRONG && !looking_stopped(); i++) {
        status = front_worse(status, table_file(files->path[i], files->n == 1, o, folder));
        bool last = i + 1 == files->n || !same_folder(files->path[i], files->path[i + 1]);
        if (!last)
            continue;
        bool only = first == 0 && i + 1 == files->n;
        if (status < STATUS_WRONG && folder->cases > 1 && text && !only)
            status = front_worse(status, put_folder(folder, files->path[i]));
        add_totals(all, folder);
        memset(folder, 0, sizeof *folder);
        first = i + 1;
    }
    if (status < STATUS_WRONG && all->cases > 1 && text)
        status = front_worse(status, put_totals(all, NULL));
    free(all);
    return status;
}

int command_gates(const struct options *o)
{
    struct files files = {0};
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < o->n_operands && status == STATUS_GOOD; i++) {
        enum file_problem problem = files_add(&files, o->operand[i]);
        if (problem != FILE_OK)
            status = front_complain_file(o->operand[i], problem, files.error);
    }
    looking_listen();
    if (status < STATUS_WRONG)
        status = front_worse(status, table_files(&files, o));
    files_free(&files);
    looking_die();
    return status;
}
