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

/* Over all cases of the command line. */
struct totals {
    uint32_t cases;
    struct total {
        uint32_t asked, needed, enough, covered, unproved;
    } gate[GATES];
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

static void add_found(struct text *t, const struct looked_at *l)
{
    struct text cell = {0};
    text_u64(&cell, l->median);
    text_pad(t, l->what == LOOKED_FOUND ? text_c(&cell) : l->what == LOOKED_CALM ? "0" : "-", -9);
    text_clear(&cell);
    text_u64(&cell, l->faults);
    text_pad(t, breaks(l) ? text_c(&cell) : "-", -8);
    text_add(t, l->what == LOOKED_FOUND && !l->minimal ? "?  " : "   ");
    text_done(t, &cell);
}

static void add_row(struct text *t, const struct gate_row *r)
{
    text_add(t, "  ");
    text_pad(t, gate_table[r->gate].name, 18);
    text_style(t, breaks(&r->alone) ? STYLE_BAD : STYLE_PLAIN);
    text_pad(t, need_word(r), 11);
    text_style(t, STYLE_PLAIN);
    text_pad(t, breaks(&r->alone) ? r->alone.invariant : r->covered != 0 ? r->pair_breaks : "-", 20);
    add_found(t, &r->alone);
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
        add_row(t, &g->row[i]);
    text_add(t, "  bound: ");
    text_u64(t, k->o->look.schedules);
    text_add(t, " schedules, then all with at most ");
    text_count(t, k->o->look.faults, "fault", "faults");
    text_add(t, " of a menu of ");
    text_u64(t, g->offers);
    text_add(t, ", within ");
    text_duration(t, g->horizon);
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
    text_key(t, "schedules");
    text_u64(t, k->o->look.schedules);
    text_key(t, "faults");
    text_u64(t, k->o->look.faults);
    text_key(t, "menu");
    text_u64(t, g->offers);
    text_key(t, "horizon_ns");
    text_i64(t, g->horizon);
    json_looked(t, "with_all", &g->all);
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

static int put_totals(const struct totals *all)
{
    struct text t = front_report(1);
    text_add(&t, "all ");
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
    int status = front_put(&t);
    text_free(&t);
    return status;
}

/* --- one case ---------------------------------------------------------------------------------------------------- */

static int put_table(const struct tabled *k)
{
    struct text t = front_report(1);
    if (breaks(&k->g.all)) {
        front_complain("%s: case %s breaks %s with all of its gates: no gate decides it; `fencepost fuzz` shows how",
                       k->path, k->case_name, k->g.all.invariant);
        return STATUS_FAILED;
    }
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
    if (good && !breaks(&k->g.all))
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

int command_gates(const struct options *o)
{
    struct files files = {0};
    struct totals *totals = calloc(1, sizeof *totals);
    int status = totals == NULL ? front_no_memory() : STATUS_GOOD;
    for (uint32_t i = 0; i < o->n_operands && status == STATUS_GOOD; i++) {
        enum file_problem problem = files_add(&files, o->operand[i]);
        if (problem != FILE_OK)
            status = front_complain_file(o->operand[i], problem, files.error);
    }
    looking_listen();
    for (size_t i = 0; i < files.n && status < STATUS_WRONG && !looking_stopped(); i++)
        status = front_worse(status, table_file(files.path[i], files.n == 1, o, totals));
    if (status < STATUS_WRONG && totals->cases > 1 && o->format != FORMAT_JSON)
        status = front_worse(status, put_totals(totals));
    files_free(&files);
    free(totals);
    looking_die();
    return status;
}
