/* SPDX-License-Identifier: MIT
 *
 * grade_command.c - `fencepost run --grade`: who has mended which lesson.
 *
 * Each folder that is named is what one person handed in, and all the lessons are asked for: what is not in it is
 * missing. Files that are named are one hand-in of these lessons alone. A lesson is known by its title, or, where
 * somebody changed that, by the name of its file.
 *
 *     ann: 8 of 10 lessons mended
 *       01-a-lock-that-stops-nobody   mended
 *       02-seventy-nine-seconds       not mended: no-lost-update: rs-b wrote wal at 90.002s ...
 */
#include "reports/grade.h"
#include "reports/lessons.h"

#include <stdlib.h>
#include <string.h>

/* One lesson of a hand-in. */
struct row {
    const char *path; /* borrowed; NULL: nothing was handed in */
    struct graded g;
};

struct sheet {
    const char *name; /* the folder; NULL: files that were named */
    struct files files;
    struct row *row;       /* one a lesson */
    struct text others;    /* files that are no lesson, as a list for people */
    struct text strangers; /* the same for programs */
    uint32_t n_others;
    uint32_t asked, mended;
};

struct course {
    const struct options *o;
    struct scenario **given; /* one a lesson */
    struct text out;
    uint32_t asked, mended; /* of all */
    uint32_t hand_ins;
    bool told; /* the score of the only hand-in stands at its top */
};

/* --- the lessons as they were handed out ------------------------------------------------------------------------ */

static int read_lessons(struct course *course)
{
    static struct diags diags;
    course->given = calloc(lessons_n, sizeof(struct scenario *));
    if (course->given == NULL)
        return front_no_memory();
    for (uint32_t i = 0; i < lessons_n; i++) {
        course->given[i] = scenario_parse(lessons[i].text, lessons[i].n, lessons[i].name, NULL, 0, &diags);
        ASSERT(course->given[i] != NULL || diags.no_memory);
        if (course->given[i] == NULL)
            return front_no_memory();
        ASSERT(scenario_to_mend(course->given[i]) >= 0);
    }
    return STATUS_GOOD;
}

static void free_lessons(struct course *course)
{
    for (uint32_t i = 0; course->given != NULL && i < lessons_n; i++)
        scenario_free(course->given[i]);
    free(course->given);
}

/* Whether the file is called like the lesson, wherever it lies. */
static bool is_called(const char *path, const char *name)
{
    static const char scenario[] = ".fence";
    const char *last = strrchr(path, '/');
    size_t n = strlen(name);
    path = last == NULL ? path : last + 1;
    return strncmp(path, name, n) == 0 && (strcmp(path + n, scenario) == 0 || path[n] == '\0');
}

/* Which lesson it is; s NULL: it could not be read. NONE32: none. */
static uint32_t lesson_of(const struct course *course, const char *path, const struct scenario *s)
{
    for (uint32_t i = 0; s != NULL && i < lessons_n; i++)
        if (strcmp(scenario_title(s), scenario_title(course->given[i])) == 0)
            return i;
    for (uint32_t i = 0; i < lessons_n; i++)
        if (is_called(path, lessons[i].name))
            return i;
    return NONE32;
}

/* --- one file ------------------------------------------------------------------------------------ */

static void add_stranger(struct sheet *sheet, const char *path)
{
    text_add(&sheet->others, sheet->n_others > 0 ? ", " : "");
    text_shown(&sheet->others, path);
    text_comma(&sheet->strangers);
    text_json(&sheet->strangers, path);
    sheet->n_others++;
}

/* A second file of the same lesson: nobody knows which one is meant. */
static void add_again(struct row *row, const char *path)
{
    text_clear(&row->g.why);
    row->g.grade = GRADE_TWICE;
    row->g.ran = false;
    text_shown(&row->g.why, row->path);
    text_add(&row->g.why, " and ");
    text_shown(&row->g.why, path);
}

static int grade_file(const struct course *course, struct sheet *sheet, const char *path)
{
    struct loaded l;
    int status = front_load(&l, path, course->o);
    bool reads = status == STATUS_GOOD;
    uint32_t i = lesson_of(course, path, reads ? l.scenario : NULL);
    if (status == STATUS_BROKEN)
        return status;
    if (i == NONE32) {
        add_stranger(sheet, path);
    } else if (sheet->row[i].path != NULL) {
        add_again(&sheet->row[i], path);
    } else {
        sheet->row[i].path = path;
        sheet->row[i].g.grade = GRADE_WRONG;
        if (reads)
            status = grade_lesson(&sheet->row[i].g, course->given[i], &l);
    }
    if (reads)
        front_unload(&l);
    return status;
}

/* --- a hand-in, told ----------------------------------------------------------------------------- */

static bool is_asked(const struct sheet *sheet, uint32_t i)
{
    return sheet->name != NULL || sheet->row[i].path != NULL;
}

static int name_width(void)
{
    size_t width = 0;
    for (uint32_t i = 0; i < lessons_n; i++)
        width = strlen(lessons[i].name) > width ? strlen(lessons[i].name) : width;
    return (int)width;
}

static void tell_row(struct course *course, const struct sheet *sheet, uint32_t i)
{
    struct text *t = &course->out;
    const struct row *row = &sheet->row[i];
    text_add(t, "  ");
    text_pad(t, lessons[i].name, name_width());
    text_add(t, "  ");
    text_style(t, row->g.grade == GRADE_MENDED ? STYLE_GOOD : STYLE_BAD);
    text_add(t, grade_name[row->g.grade]);
    text_style(t, STYLE_PLAIN);
    text_add(t, row->g.why.n > 0 ? ": " : "");
    text_bytes(t, row->g.why.n > 0 ? row->g.why.bytes : "", row->g.why.n);
    text_char(t, '\n');
    if (row->g.grade != GRADE_NOT_MENDED)
        return;
    text_add(t, "    again: ");
    text_shell(t, course->o->program);
    text_add(t, " run --case ");
    text_shell(t, scenario_case_name(course->given[i], (uint32_t)scenario_to_mend(course->given[i])));
    text_add(t, row->path[0] == '-' ? " -- " : " ");
    text_shell(t, row->path);
    text_char(t, '\n');
}

/* "8 of 10 lessons mended" */
static void tell_score(struct text *t, uint32_t mended, uint32_t asked)
{
    text_u64(t, mended);
    text_add(t, " of ");
    text_count(t, asked, "lesson", "lessons");
    text_add(t, " mended\n");
}

static void tell_sheet(struct course *course, struct sheet *sheet)
{
    struct text *t = &course->out;
    if (sheet->name != NULL) {
        text_style(t, STYLE_BOLD);
        text_shown(t, sheet->name);
        text_style(t, STYLE_PLAIN);
        text_add(t, ": ");
        tell_score(t, sheet->mended, sheet->asked);
    }
    for (uint32_t i = 0; i < lessons_n; i++)
        if (is_asked(sheet, i) && !(course->o->quiet && sheet->row[i].g.grade == GRADE_MENDED))
            tell_row(course, sheet, i);
    if (sheet->n_others > 0) {
        text_add(t, sheet->n_others == 1 ? "  no lesson: " : "  no lessons: ");
        text_bytes(t, sheet->others.bytes, sheet->others.n);
        text_char(t, '\n');
    }
}

static void row_json(struct course *course, struct sheet *sheet, uint32_t i)
{
    struct text *t = &course->out;
    struct row *row = &sheet->row[i];
    text_comma(t);
    text_char(t, '{');
    text_key(t, "lesson");
    text_json(t, lessons[i].name);
    text_key(t, "file");
    text_json(t, row->path);
    text_key(t, "grade");
    text_json(t, grade_name[row->g.grade]);
    text_key(t, "mended");
    text_add(t, row->g.grade == GRADE_MENDED ? "true" : "false");
    text_key(t, "why");
    if (row->g.why.n > 0)
        text_json_bytes(t, row->g.why.bytes, row->g.why.n);
    else
        text_add(t, "null");
    text_key(t, "digest");
    if (row->g.ran) {
        text_char(t, '"');
        text_digest(t, row->g.digest);
        text_char(t, '"');
    } else {
        text_add(t, "null");
    }
    text_char(t, '}');
}

static void sheet_json(struct course *course, struct sheet *sheet, bool good)
{
    struct text *t = &course->out;
    text_add(t, "{\"v\":1,\"handed_in\":");
    text_json(t, sheet->name);
    text_key(t, "lessons");
    text_char(t, '[');
    for (uint32_t i = 0; i < lessons_n; i++)
        if (is_asked(sheet, i))
            row_json(course, sheet, i);
    text_char(t, ']');
    text_key(t, "no_lessons");
    text_char(t, '[');
    text_bytes(t, sheet->n_others > 0 ? sheet->strangers.bytes : "", sheet->strangers.n);
    text_char(t, ']');
    text_key(t, "mended");
    text_u64(t, sheet->mended);
    text_key(t, "of");
    text_u64(t, sheet->asked);
    text_key(t, "good");
    text_add(t, good ? "true}\n" : "false}\n");
}

/* Counts, tells, and gives the status. A stranger among files that were named is no lesson that anybody mended. */
static int end_sheet(struct course *course, struct sheet *sheet)
{
    for (uint32_t i = 0; i < lessons_n; i++) {
        struct row *row = &sheet->row[i];
        row->g.grade = row->path == NULL ? GRADE_MISSING : row->g.grade;
        sheet->asked += is_asked(sheet, i);
        sheet->mended += row->g.grade == GRADE_MENDED;
        course->out.failed = course->out.failed || row->g.why.failed;
    }
    bool good = sheet->mended == sheet->asked && (sheet->name != NULL || sheet->n_others == 0);
    course->out.failed = course->out.failed || sheet->others.failed || sheet->strangers.failed;
    course->asked += sheet->asked;
    course->mended += sheet->mended;
    course->told = ++course->hand_ins == 1 && sheet->name != NULL;
    if (course->o->format == FORMAT_JSON)
        sheet_json(course, sheet, good);
    else
        tell_sheet(course, sheet);
    return good ? STATUS_GOOD : STATUS_FAILED;
}

static void free_sheet(struct sheet *sheet)
{
    for (uint32_t i = 0; sheet->row != NULL && i < lessons_n; i++)
        text_free(&sheet->row[i].g.why);
    free(sheet->row);
    text_free(&sheet->others);
    text_free(&sheet->strangers);
    files_free(&sheet->files);
}

/* name NULL: the files were named. */
static int grade_sheet(struct course *course, struct sheet *sheet)
{
    int status = STATUS_GOOD;
    sheet->row = calloc(lessons_n, sizeof *sheet->row);
    if (sheet->row == NULL)
        return front_no_memory();
    for (size_t i = 0; i < sheet->files.n && status < STATUS_BROKEN; i++)
        status = front_worse(status, grade_file(course, sheet, sheet->files.path[i]));
    return status < STATUS_BROKEN ? front_worse(status, end_sheet(course, sheet)) : status;
}

/* --- all of them --------------------------------------------------------------------------------- */

/* A folder is a hand-in of its own; files that follow one another are one together. Returns the next operand. */
static uint32_t next_hand_in(const struct options *o, uint32_t i, struct sheet *sheet, int *status)
{
    for (; i < o->n_operands; i++) {
        struct files found = {0};
        enum file_problem problem = files_add(&found, o->operand[i]);
        bool is_file = problem == FILE_OK && found.n == 1 && strcmp(found.path[0], o->operand[i]) == 0;
        files_free(&found);
        if (problem == FILE_OK && !is_file && sheet->files.n > 0)
            return i;
        if (problem == FILE_OK)
            problem = files_add(&sheet->files, o->operand[i]);
        if (problem != FILE_OK)
            *status = front_worse(*status, front_complain_file(o->operand[i], problem, sheet->files.error));
        if (problem == FILE_OK && !is_file) {
            sheet->name = o->operand[i];
            return i + 1;
        }
    }
    return i;
}

static int grade_all(struct course *course)
{
    int status = STATUS_GOOD;
    for (uint32_t i = 0; i < course->o->n_operands && status < STATUS_BROKEN;) {
        struct sheet sheet = {0};
        i = next_hand_in(course->o, i, &sheet, &status);
        if (sheet.files.n > 0 && status < STATUS_BROKEN)
            status = front_worse(status, grade_sheet(course, &sheet));
        free_sheet(&sheet);
    }
    return status;
}

/* What makes another run of it, or no run at all. */
static int check_options(const struct options *o)
{
    const char *other = o->n_settings > 0         ? "--set"
                        : o->without != 0         ? "--without"
                        : o->n_cases > 0          ? "--case"
                        : o->dry                  ? "--dry"
                        : o->points               ? "--points"
                        : o->format > FORMAT_JSON ? "another format than text and json"
                                                  : NULL;
    if (other == NULL)
        return STATUS_GOOD;
    front_complain("--grade judges a file as it stands, and takes no %s", other);
    return STATUS_WRONG;
}

int command_grade(const struct options *o)
{
    struct course course = {.o = o, .out = front_report(1)};
    int status = check_options(o);
    if (status == STATUS_GOOD)
        status = read_lessons(&course);
    if (status == STATUS_GOOD)
        status = grade_all(&course);
    if (status < STATUS_BROKEN && o->format == FORMAT_TEXT && course.hand_ins > 0 && !course.told)
        tell_score(&course.out, course.mended, course.asked);
    if (status < STATUS_BROKEN)
        status = front_worse(status, front_put(&course.out));
    text_free(&course.out);
    free_lessons(&course);
    return status;
}
