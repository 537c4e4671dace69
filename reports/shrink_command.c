/* SPDX-License-Identifier: MIT
 *
 * shrink_command.c - `fencepost shrink`: the smallest scenario that still breaks, from a file that breaks, or from an
 * input of the fuzz target. And the two forms of a finding, one into the other.
 */
#include "fuzz/convert.h"
#include "fuzz/input.h"
#include "reports/looking.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct shrinking {
    const struct options *o;
    struct loaded l;
    uint32_t case_index;
    struct target target;
    struct player *player;
    struct schedule schedule;
    struct culprit culprit;
};

static void close_all(struct shrinking *k)
{
    player_free(k->player);
    target_close(&k->target);
    front_unload(&k->l);
}

static bool tick(void *context, uint32_t bound, uint32_t thousandths, uint64_t steps)
{
    (void)context;
    (void)steps;
    looking_progress("proving that it is minimal: bound %" PRIu32 ", %" PRIu32 ".%" PRIu32 " %%", bound,
                     thousandths / 10, thousandths % 10);
    return !looking_stopped();
}

/* --- what is to be shrunk ------------------------------------------------------------------------------------ */

/* Of --case, or the only one, or the only one that says `violates`. */
static int find_case(struct shrinking *k)
{
    const struct scenario *s = k->l.scenario;
    const char *name = k->o->n_cases > 0 ? k->o->case_name[0] : NULL;
    uint32_t n = scenario_cases(s), violates = 0;
    int32_t found = name != NULL ? scenario_case_find(s, name) : n == 1 ? 0 : -1;
    for (uint32_t i = 0; name == NULL && n > 1 && i < n; i++) {
        int status = STATUS_GOOD;
        struct compiled *c = front_compile(&k->l, i, 0, &status);
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

/* The schedule breaks something that is looked for: what, and by whom. */
static int find_break(struct shrinking *k, uint64_t wanted)
{
    k->player->wanted = wanted;
    if (!player_play(k->player, &k->schedule))
        return front_no_memory();
    if (!k->player->found) {
        front_complain(
            "%s: case %s: with its faults as those of a search it breaks nothing%s: there is nothing to shrink",
            k->l.file.path, k->target.name, k->o->look.find != 0 ? " of what --find names" : "");
        return STATUS_WRONG;
    }
    k->culprit = k->player->culprit;
    k->schedule = k->player->made;
    return STATUS_GOOD;
}

/* The file's own fault lines become the schedule of a space without them. */
static int from_file(struct shrinking *k)
{
    struct converted from;
    struct options o = *k->o;
    int status = STATUS_GOOD;
    o.look.rediscover = 1 + STRIP_KINDS;
    struct compiled *c = front_compile(&k->l, k->case_index, 0, &status);
    if (c == NULL)
        return status;
    status = target_open(&k->target, &k->l, k->case_index, &o);
    k->player = status == STATUS_GOOD ? player_new(k->target.sp, k->target.wanted) : NULL;
    if (status == STATUS_GOOD && (k->player == NULL || !convert_from_file(k->target.sp, c, &from)))
        status = front_no_memory();
    if (status == STATUS_GOOD) {
        k->schedule = from.schedule;
        uint64_t wanted = k->target.wanted;
        for (uint32_t i = 0; i < c->n_expected; i++)
            wanted |= UINT64_C(1) << c->expected[i].invariant;
        if (from.left_out > 0)
            front_complain("%s:%" PRIu32 ": %s; it is left out", k->l.file.path, from.line, from.why);
        status = find_break(k, wanted);
    }
    compiled_free(c);
    return status;
}

/* An input of the fuzz target: the scenario that it was made for stands before it. */
static int from_input(struct shrinking *k, const char *path)
{
    char *bytes;
    size_t n;
    int error, status = target_open(&k->target, &k->l, k->case_index, k->o);
    if (status != STATUS_GOOD)
        return status;
    enum file_problem problem = file_read(path, &bytes, &n, &error);
    if (problem != FILE_OK)
        return front_complain_file(path, problem, error);
    const char *wrong = input_problem(k->target.sp, (const uint8_t *)bytes, n);
    k->player = player_new(k->target.sp, k->target.wanted);
    if (wrong != NULL) {
        front_complain("%s: %s", path, wrong);
        status = STATUS_WRONG;
    } else if (k->player == NULL) {
        status = front_no_memory();
    } else {
        (void)input_read(k->target.sp, (const uint8_t *)bytes, n, &k->schedule);
        k->player->low_addresses = true;
        status = find_break(k, k->target.wanted);
        k->player->low_addresses = false;
    }
    free(bytes);
    return status;
}

/* --- the result ------------------------------------------------------------------------------------------------- */

static void say(const struct shrinking *k, const struct shrunk *z)
{
    struct text t = front_report(2);
    text_add(&t, "case ");
    text_shown(&t, k->target.name);
    text_add(&t, ": ");
    looking_add_break(&t, k->target.sp, z->culprit, z->at);
    text_add(&t, ", with ");
    text_count(&t, z->from, "fault", "faults");
    if (z->schedule.n < z->from) {
        text_add(&t, ", shrunk to ");
        text_u64(&t, z->schedule.n);
    }
    text_add(&t, "\n  ");
    looking_add_certificate(&t, &k->target, z);
    text_char(&t, '\n');
    (void)front_put_complaint(&t);
    text_free(&t);
}

static int put_input(const struct shrinking *k, const struct schedule *s)
{
    uint8_t bytes[INPUT_MAX];
    size_t n = input_write(k->target.sp, s, bytes, sizeof bytes);
    if (n < s->n * INPUT_RECORD)
        front_complain("%" PRIu64 " of %" PRIu32 " faults are not on the menu, and stand in no input",
                       (uint64_t)(s->n - n / INPUT_RECORD), s->n);
    return looking_put(k->o, (const char *)bytes, n);
}

static int put_shrunk(struct shrinking *k)
{
    const bool keep = k->o->look.as_is;
    const struct shrink_options so = {.replays = keep ? 0 : SHRINK_REPLAYS,
                                      .steps = k->o->look.steps,
                                      .memory = k->o->look.memory,
                                      .tick = tick,
                                      .as_is = keep};
    struct shrunk *z = malloc(sizeof *z);
    size_t length;
    if (z == NULL || !shrink(k->player, &k->schedule, k->culprit, &so, z)) {
        free(z);
        return front_no_memory();
    }
    looking_progress_end();
    int status = STATUS_GOOD;
    if (k->o->look.to_input) {
        status = put_input(k, &z->schedule);
    } else {
        char *text = looking_file(&k->target, k->player, z, NULL, k->o->without, &length, &status);
        if (text != NULL) {
            say(k, z);
            status = front_worse(status, looking_put(k->o, text, length));
        }
        free(text);
    }
    free(z);
    return status;
}

int command_shrink(const struct options *o)
{
    struct shrinking *k = calloc(1, sizeof *k);
    if (k == NULL)
        return front_no_memory();
    k->o = o;
    int status = STATUS_GOOD;
    if (o->n_operands > 2) {
        front_complain("shrink takes a file, or a file and an input of the fuzz target, and here are %" PRIu32,
                       o->n_operands);
        status = STATUS_WRONG;
    }
    if (status == STATUS_GOOD)
        status = front_load(&k->l, o->operand[0], o);
    if (status == STATUS_GOOD)
        status = find_case(k);
    looking_listen();
    if (status == STATUS_GOOD)
        status = o->n_operands == 2 ? from_input(k, o->operand[1]) : from_file(k);
    if (status == STATUS_GOOD)
        status = put_shrunk(k);
    close_all(k);
    free(k);
    looking_die();
    return status;
}
