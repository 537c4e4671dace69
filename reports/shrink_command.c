/* SPDX-License-Identifier: MIT
 *
 * shrink_command.c - `fencepost shrink`: the smallest scenario that still breaks, from a file that breaks, from an
 * input of the fuzz target, or from a record of shards. And the forms of a finding, one into the other.
 */
#include "fuzz/convert.h"
#include "fuzz/input.h"
#include "fuzz/shard.h"
#include "reports/finding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct shrinking {
    const struct options *o; /* &own */
    struct options own;      /* with the signs that the file's case names */
    struct loaded l;
    uint32_t case_index;
    struct target target;
    struct player *player;
    struct schedule schedule;
    struct culprit culprit;
    uint32_t left_out; /* a line of the file whose fault is none of the schedule; 0: all are */
    const char *why;   /* it is none */
    char *bytes;       /* of the second operand; NULL: there is none */
    size_t n;
    struct shards records; /* what it is, if it is that */
};

static void close_all(struct shrinking *k)
{
    player_free(k->player);
    target_close(&k->target);
    front_unload(&k->l);
    shards_free(&k->records);
    free(k->bytes);
}

/* --- what is to be shrunk ------------------------------------------------------------------------------------ */

/* The second operand. */
static int read_input(struct shrinking *k)
{
    const char *path = k->o->operand[1];
    uint32_t line = 0;
    int error;
    enum file_problem problem = file_read(path, &k->bytes, &k->n, &error);
    if (problem != FILE_OK)
        return front_complain_file(path, problem, error);
    enum shard_result result = shards_read(k->bytes, k->n, &k->records, &line);
    if (result == SHARD_FOREIGN) /* an input, then */
        return STATUS_GOOD;
    if (result != SHARD_OK)
        return looking_complain_shard(path, line, result);
    if (k->records.n < 2 || k->o->n_cases > 0)
        return STATUS_GOOD;
    front_complain("%s: records of %" PRIu32 " cases: say by --case which", path, k->records.n);
    return STATUS_WRONG;
}

/* Of --case, or of the record, or the only one, or the only one that says `violates`. */
static int find_case(struct shrinking *k)
{
    const struct scenario *s = k->l.scenario;
    const char *name = k->o->n_cases > 0 ? k->o->case_name[0] : k->records.n == 1 ? k->records.row[0].case_name : NULL;
    uint32_t n = scenario_cases(s), violates = 0;
    int32_t found = name != NULL ? scenario_case_find(s, name) : n == 1 ? 0 : -1;
    for (uint32_t i = 0; name == NULL && n > 1 && i < n; i++) {
        int status = STATUS_GOOD;
        struct compiled *c = front_compile(&k->l, i, 0, 0, &status);
        if (c == NULL)
            return status;
        if (c->violates && violates++ == 0)
            found = (int32_t)i;
        compiled_free(c);
    }
    if (found < 0 || violates > 1)
        return front_unknown_case(s, k->l.file.path, name);
    k->case_index = (uint32_t)found;
    return STATUS_GOOD;
}

/* Whether the schedule breaks something that is looked for: what, and by whom. False also without memory. */
static bool finds_break(struct shrinking *k, uint64_t wanted)
{
    k->player->wanted = wanted;
    if (!player_play(k->player, &k->schedule) || !k->player->found)
        return false;
    k->culprit = k->player->culprit;
    k->schedule = k->player->made;
    return true;
}

static int complain_whole(const struct shrinking *k)
{
    const char *named = k->o->look.find != 0 ? " of what --find names" : "";
    if (k->left_out > 0)
        front_complain("%s: case %s breaks nothing%s without the fault of line %" PRIu32 ", which no search has: %s",
                       k->l.file.path, k->target.name, named, k->left_out, k->why);
    else
        front_complain("%s: case %s breaks nothing%s: there is nothing to shrink", k->l.file.path, k->target.name,
                       named);
    return STATUS_WRONG;
}

/* The file's own fault lines become the schedule of a space without them; strip: all, or all but those with a date.
 * *breaks: as they do in the file. */
static int from_lines(struct shrinking *k, const struct compiled *c, enum strip_may strip, bool *breaks)
{
    struct converted from;
    struct options o = *k->o;
    uint64_t wanted = 0;
    player_free(k->player);
    k->player = NULL;
    target_close(&k->target);
    o.look.rediscover = 1 + strip;
    int status = target_open(&k->target, &k->l, k->case_index, &o);
    if (status == STATUS_GOOD && !convert_from_file(k->target.sp, c, true, &from))
        status = front_no_memory();
    if (status != STATUS_GOOD)
        return status;
    k->player = player_new(k->target.sp, k->target.wanted); /* behind what was brought in */
    if (k->player == NULL)
        return front_no_memory();
    k->schedule = from.schedule;
    k->left_out = from.line;
    k->why = from.why;
    for (uint32_t i = 0; i < c->n_expected && k->o->look.find == 0; i++)
        wanted |= UINT64_C(1) << c->expected[i].invariant;
    *breaks = finds_break(k, k->target.wanted | wanted);
    return STATUS_GOOD;
}

static int from_file(struct shrinking *k)
{
    int status = STATUS_GOOD;
    bool breaks = false;
    struct compiled *c = front_compile(&k->l, k->case_index, 0, 0, &status);
    if (c == NULL)
        return status;
    for (uint32_t i = 0; i < c->n_expected && k->o->look.find == 0; i++)
        if (invariant_table[c->expected[i].invariant].kind == INV_SIGN)
            k->own.look.signs |= UINT32_C(1) << c->expected[i].invariant;
    status = from_lines(k, c, STRIP_KINDS, &breaks);
    if (status == STATUS_GOOD && !breaks) /* times matter: those that a person chose stay */
        status = from_lines(k, c, STRIP_LOOSE, &breaks);
    if (status == STATUS_GOOD && !breaks)
        status = complain_whole(k);
    compiled_free(c);
    return status;
}

/* An input of the fuzz target: the scenario that it was made for stands before it. */
static int from_input(struct shrinking *k)
{
    const uint8_t *bytes = (const uint8_t *)k->bytes;
    const char *wrong = input_problem(k->target.sp, bytes, k->n);
    if (wrong != NULL) {
        front_complain("%s: %s", k->o->operand[1], wrong);
        return STATUS_WRONG;
    }
    (void)input_read(k->target.sp, bytes, k->n, &k->schedule);
    k->player->low_addresses = true;
    int status = finds_break(k, k->target.wanted) ? STATUS_GOOD : complain_whole(k);
    k->player->low_addresses = false;
    return status;
}

/* What a record names: bit INV_x, or ALWAYS_WANTED. */
static uint64_t bit_named(const char *invariant)
{
    for (int i = 0; i < INVARIANTS; i++)
        if (strcmp(invariant_table[i].name, invariant) == 0)
            return UINT64_C(1) << i;
    return ALWAYS_WANTED;
}

/* The first finding of this case that breaks what is looked for. */
static int from_record(struct shrinking *k)
{
    const struct shard *r = NULL;
    for (uint32_t i = 0; i < k->records.n && r == NULL; i++)
        if (k->records.row[i].key == k->target.sp->key)
            r = &k->records.row[i];
    if (r == NULL) {
        front_complain("%s: a record of another case, or of other options than these", k->o->operand[1]);
        return STATUS_WRONG;
    }
    for (uint32_t i = 0; i < r->n_findings; i++) {
        k->schedule = r->findings[i].schedule;
        for (uint32_t f = 0; f < k->schedule.n; f++)
            k->schedule.row[f].fault += k->target.sp->own;
        uint64_t wanted = k->target.wanted & bit_named(r->findings[i].invariant);
        if (wanted != 0 && finds_break(k, wanted))
            return STATUS_GOOD;
    }
    return complain_whole(k);
}

static int from_second(struct shrinking *k)
{
    int status = target_open(&k->target, &k->l, k->case_index, k->o);
    if (status != STATUS_GOOD)
        return status;
    k->player = player_new(k->target.sp, k->target.wanted);
    if (k->player == NULL)
        return front_no_memory();
    return k->records.n > 0 ? from_record(k) : from_input(k);
}

/* --- the result ------------------------------------------------------------------------------------------------- */

/* A record names a place on the menu: a fault that the menu does not have just so cannot be said, and an input without
 * it would be another run. Complains of each. */
static int check_menu(const struct shrinking *k, const struct schedule *s)
{
    const struct space *sp = k->target.sp;
    struct found_lines lines;
    int status = STATUS_GOOD;
    if (k->o->look.as_is && k->left_out > 0) {
        front_complain("%s:%" PRIu32 ": no input says this fault: %s", k->l.file.path, k->left_out, k->why);
        status = STATUS_WRONG;
    }
    if (!found_lines(k->player, s, &lines)) {
        found_free(&lines);
        return front_no_memory();
    }
    for (uint32_t i = 0; i < lines.n; i++) {
        if (lines.made.row[i].fault < sp->room)
            continue;
        front_complain("%s: case %s: no input says '%s': the menu of this case has no such fault", k->l.file.path,
                       k->target.name, lines.line[i]);
        status = STATUS_WRONG;
    }
    found_free(&lines);
    return status;
}

static int put_input(const struct shrinking *k, const struct schedule *s)
{
    uint8_t bytes[INPUT_MAX];
    int status = check_menu(k, s);
    if (status != STATUS_GOOD)
        return status;
    return looking_put(k->o, (const char *)bytes, input_write(k->target.sp, s, bytes, sizeof bytes));
}

/* Again while the last proof came upon something smaller: what the result says of its proof is then what shrinking it
 * once more would say, and the file is the same. False: no memory. */
static bool shrink_settled(struct shrinking *k, const struct shrink_options *so, struct shrunk *z)
{
    bool good = shrink(k->player, &k->schedule, k->culprit, so, z);
    uint32_t from = z->from;
    while (good && z->last.found && z->certificate == CERTIFIED && !looking_stopped()) {
        const struct schedule smaller = z->schedule;
        good = shrink(k->player, &smaller, z->culprit, so, z);
    }
    z->from = from;
    return good;
}

static int put_file(const struct shrinking *k, const struct shrunk *z, const struct shrink_options *so)
{
    const struct finding_told f = {.target = &k->target, .o = k->o, .player = k->player, .z = z, .so = so};
    bool json = k->o->format == FORMAT_JSON;
    struct text t = front_report(json ? 1 : 2);
    if (json) {
        text_char(&t, '{');
        text_key_text(&t, "file", k->l.file.path);
        text_key_text(&t, "case", k->target.name);
    }
    int status = finding_put(&f, &t);
    text_free(&t);
    return status;
}

static int put_shrunk(struct shrinking *k)
{
    struct shrink_options so = finding_shrinks(k->o);
    struct shrunk *z = malloc(sizeof *z);
    so.as_is = k->o->look.as_is;
    so.replays = so.as_is ? 0 : so.replays;
    if (z == NULL || !shrink_settled(k, &so, z)) {
        free(z);
        return front_no_memory();
    }
    looking_progress_end();
    int status = k->o->look.to_input ? put_input(k, &z->schedule) : put_file(k, z, &so);
    free(z);
    return status;
}

int command_shrink(const struct options *o)
{
    struct shrinking *k = calloc(1, sizeof *k);
    if (k == NULL)
        return front_no_memory();
    k->own = *o;
    k->o = &k->own;
    int status = STATUS_GOOD;
    if (o->n_operands > 2) {
        front_complain("shrink takes a file, or a file and an input of the fuzz target or a record, "
                       "and here are %" PRIu32,
                       o->n_operands);
        status = STATUS_WRONG;
    } else if (o->n_operands < 2 && o->look.rediscover > 0) {
        front_complain("--rediscover says where an input or a record is from, and here is none");
        status = STATUS_WRONG;
    } else if (o->look.to_input && o->format == FORMAT_JSON) {
        front_complain("--to-input writes an input of the fuzz target: it takes no --json");
        status = STATUS_WRONG;
    }
    if (status == STATUS_GOOD)
        status = looking_check_output(o);
    if (status == STATUS_GOOD)
        status = front_load(&k->l, o->operand[0], o);
    if (status == STATUS_GOOD && o->n_operands == 2)
        status = read_input(k);
    if (status == STATUS_GOOD)
        status = find_case(k);
    looking_listen();
    if (status == STATUS_GOOD)
        status = o->n_operands == 2 ? from_second(k) : from_file(k);
    if (status == STATUS_GOOD)
        status = put_shrunk(k);
    close_all(k);
    free(k);
    looking_die();
    return status;
}
