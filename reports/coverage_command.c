/* SPDX-License-Identifier: MIT
 *
 * coverage_command.c - `fencepost coverage`: what the scenarios have shown, and what not yet.
 *
 * A case that is not as expected counts as any other: what it came to, it came to. A file that is wrong ends it, before
 * anything is written: half a set would be told as a whole one.
 */
#include "reports/coverage.h"
#include "reports/covered_lines.h"
#include "reports/folder.h"

#include <stdlib.h>
#include <string.h>

/* --- the kinds -------------------------------------------------------------------------------------------- */

static bool add_protocol(struct covered *c, const struct run *r, uint32_t run)
{
    return protocol_add(&c->protocol, r, run);
}

/* The table wants each file once, with the link to its page. */
static void situate_file(struct covered *c, const struct covered_file *f)
{
    struct text page = {0};
    if (c->pages != NULL && f->page != NULL) {
        text_add(&page, c->pages);
        text_char(&page, '/');
        text_add(&page, f->page);
    }
    situation_table_file(c->situations, f->path, page.n > 0 ? text_c(&page) : NULL);
    c->situations->failed = c->situations->failed || page.failed;
    text_free(&page);
}

static bool add_situations(struct covered *c, const struct run *r, uint32_t run)
{
    (void)run;
    if (c->situations == NULL) {
        c->situations = malloc(sizeof *c->situations);
        if (c->situations == NULL)
            return false;
        situation_table_begin(c->situations);
    }
    while (c->situations->n_files < c->n_files && !c->situations->failed)
        situate_file(c, &c->file[c->situations->n_files]);
    situation_table_case(c->situations, r);
    return !c->situations->failed;
}

static bool situations_are_there(const struct covered *c) { return c->situations != NULL; }
static void page_situations(struct text *t, const struct covered *c) { situation_page(t, c->situations, "index.html"); }
static void data_situations(struct text *t, const struct covered *c) { situation_table_json(t, c->situations); }

/* In the order of the list of pages. */
static const struct coverage_kind coverage_kinds[] = {
    {"protocol.html", "Gates and what they said",
     "each gate, what it let through and refused, by which of its conditions, and under which faults", NULL,
     add_protocol, protocol_page, NULL},
    {"protocol.spec", NULL, NULL, NULL, NULL, NULL, protocol_spec},
    {"protocol.info", NULL, NULL, NULL, NULL, NULL, protocol_info},
    {"situations.html", "What was going on when each kind of fault struck",
     "each kind of fault, by what its victim was doing: which cases show it, and which none", situations_are_there,
     add_situations, page_situations, NULL},
    {"situations.json", NULL, NULL, situations_are_there, NULL, NULL, data_situations},
    {"covered-lines.html", "Which scenarios run this line", "the code, line by line", covered_lines_are_there, NULL,
     covered_lines_list, NULL},
};
#define KINDS (sizeof coverage_kinds / sizeof *coverage_kinds)

/* --- playing ---------------------------------------------------------------------------------------------- */

static bool grow(void **rows, uint32_t n, uint32_t *most, size_t size)
{
    if (n < *most)
        return true;
    uint32_t more = *most == 0 ? 64 : 2 * *most;
    void *bigger = realloc(*rows, more * size);
    if (bigger == NULL)
        return false;
    *rows = bigger;
    *most = more;
    return true;
}

static bool add_run(struct covered *c, const struct run *r)
{
    if (!grow((void **)&c->run, c->n_runs, &c->runs_max, sizeof *c->run))
        return false;
    struct covered_run *run = &c->run[c->n_runs];
    *run = (struct covered_run){c->n_files - 1, text_copied(r->c->name, strlen(r->c->name))};
    c->n_runs++;
    bool good = run->name != NULL;
    for (size_t i = 0; i < KINDS && good; i++)
        good = coverage_kinds[i].add == NULL || coverage_kinds[i].add(c, r, c->n_runs - 1);
    return good;
}

static int play_case(struct covered *c, const struct loaded *l, uint32_t i)
{
    const struct run_options options = {.plain = true, .more = SIM_ASIDES};
    int status = STATUS_GOOD;
    struct compiled *compiled = front_compile(l, i, 0, 0, &status);
    if (compiled == NULL)
        return status;
    struct run *r = run_case(compiled, &options);
    bool good = r != NULL && add_run(c, r);
    run_free(r);
    compiled_free(compiled);
    return good ? STATUS_GOOD : front_no_memory();
}

static int play_file(struct covered *c, struct folder_names *names, const char *root, const char *path,
                     const struct options *o)
{
    struct loaded l;
    int status = front_load(&l, path, o);
    if (status != STATUS_GOOD)
        return status;
    if (grow((void **)&c->file, c->n_files, &c->files_max, sizeof *c->file)) {
        struct covered_file *f = &c->file[c->n_files++];
        *f = (struct covered_file){.path = text_copied(path, strlen(path)), .page = folder_name(names, root, path)};
        f->bytes = text_copied(l.bytes, l.file.n);
        f->n = l.file.n;
        status = f->path == NULL || f->page == NULL || f->bytes == NULL ? front_no_memory() : STATUS_GOOD;
    } else {
        status = front_no_memory();
    }
    for (uint32_t i = 0; i < scenario_cases(l.scenario) && status == STATUS_GOOD; i++)
        status = play_case(c, &l, i);
    front_unload(&l);
    return status;
}

static int play_operand(struct covered *c, struct folder_names *names, const char *operand, const struct options *o)
{
    struct files files = {0};
    enum file_problem problem = files_add(&files, operand);
    int status = problem == FILE_OK ? STATUS_GOOD : front_complain_file(operand, problem, files.error);
    for (size_t i = 0; i < files.n && status == STATUS_GOOD; i++)
        status = play_file(c, names, operand, files.path[i], o);
    files_free(&files);
    return status;
}

/* --- lines of the scenarios ------------------------------------------------------------------------------- */

/* The cases of a file together: what one came to, is come to. */
static bool add_lines(struct covered *c)
{
    const struct protocol *p = &c->protocol;
    for (uint32_t i = 0; i < p->n_lines; i++) {
        struct covered_file *f = &c->file[c->run[p->line[i].run].file];
        f->lines = p->line[i].line > f->lines ? p->line[i].line : f->lines;
    }
    for (uint32_t i = 0; i < c->n_files; i++) {
        c->file[i].times = malloc((c->file[i].lines + 1) * sizeof *c->file[i].times);
        for (uint32_t line = 0; c->file[i].times != NULL && line <= c->file[i].lines; line++)
            c->file[i].times[line] = LINE_IS_NONE;
        if (c->file[i].times == NULL)
            return false;
    }
    for (uint32_t i = 0; i < p->n_lines; i++) {
        uint64_t *times = &c->file[c->run[p->line[i].run].file].times[p->line[i].line];
        *times = (*times == LINE_IS_NONE ? 0 : *times) + p->line[i].times;
    }
    return true;
}

/* --- writing ---------------------------------------------------------------------------------------------- */

int coverage_write(const char *folder, const char *name, struct text *t)
{
    int error = folder_write(folder, name, t);
    if (error == 0)
        return STATUS_GOOD;
    if (t->failed)
        return front_no_memory();
    front_complain("cannot write %s/%s: %s", folder, name, strerror(error));
    return STATUS_BROKEN;
}

static int write_kind(const struct covered *c, const struct coverage_kind *kind)
{
    struct text t = {0};
    if (kind->is_there != NULL && !kind->is_there(c))
        return STATUS_GOOD;
    (kind->page != NULL ? kind->page : kind->data)(&t, c);
    int status = coverage_write(c->folder, kind->name, &t);
    text_free(&t);
    return status;
}

static int write_all(const struct covered *c)
{
    int status = STATUS_GOOD;
    for (size_t i = 0; i < KINDS && status == STATUS_GOOD; i++)
        status = write_kind(c, &coverage_kinds[i]);
    if (status == STATUS_GOOD)
        status = covered_lines_write(c, c->folder);
    if (status != STATUS_GOOD)
        return status;
    struct text t = {0};
    coverage_index(&t, c, coverage_kinds, KINDS);
    status = coverage_write(c->folder, "index.html", &t);
    text_free(&t);
    return status;
}

static void put_summaries(struct text *t, const struct covered *c)
{
    protocol_summary(t, c);
    if (c->situations == NULL)
        return;
    situation_summary(t, c->situations);
    text_char(t, '\n');
}

static int put_summary(const struct covered *c, const struct options *o)
{
    struct text t = front_report(1);
    if (o->format == FORMAT_JSON)
        protocol_json(&t, c);
    else
        put_summaries(&t, c);
    int status = front_put(&t);
    text_free(&t);
    return status;
}

/* --- all of it -------------------------------------------------------------------------------------------- */

static void covered_free(struct covered *c)
{
    for (uint32_t i = 0; i < c->n_runs; i++)
        free(c->run[i].name);
    for (uint32_t i = 0; i < c->n_files; i++) {
        free(c->file[i].path);
        free(c->file[i].bytes);
        free(c->file[i].times);
    }
    free(c->run);
    free(c->file);
    protocol_free(&c->protocol);
    if (c->situations != NULL)
        situation_table_free(c->situations);
    free(c->situations);
    tracefile_free(&c->code);
}

int command_coverage(const struct options *o)
{
    struct covered c = {.folder = o->output, .pages = o->pages, .n_links = o->n_links};
    struct folder_names names = {0};
    if (o->output != NULL && o->output[0] == '\0') {
        front_complain("coverage takes a folder to write to: fencepost coverage -o DIR FILE...");
        return STATUS_WRONG;
    }
    if (o->output == NULL && (o->pages != NULL || o->code != NULL || o->n_links > 0)) {
        front_complain(
            "--pages, --code and --see are for the pages, and those go to a folder: fencepost coverage -o DIR "
            "FILE...");
        return STATUS_WRONG;
    }
    memcpy(c.link, o->link, sizeof c.link);
    int status = folder_take(&names, "index.html") ? STATUS_GOOD : front_no_memory();
    if (status == STATUS_GOOD && o->code != NULL)
        status = covered_lines_load(&c.code, o->code);
    for (uint32_t i = 0; i < o->n_operands && status == STATUS_GOOD; i++)
        status = play_operand(&c, &names, o->operand[i], o);
    if (status == STATUS_GOOD && !add_lines(&c))
        status = front_no_memory();
    if (status == STATUS_GOOD && c.folder != NULL)
        status = write_all(&c);
    if (status == STATUS_GOOD)
        status = put_summary(&c, o);
    covered_free(&c);
    folder_names_free(&names);
    return status;
}
