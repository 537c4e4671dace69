/* SPDX-License-Identifier: MIT
 *
 * finding.c - see finding.h: the words, and JSON. finding_file.c has the file.
 */
#include "reports/finding.h"

#include <inttypes.h>

/* --- how it is shrunk ---------------------------------------------------------------------------------------- */

static bool tick(void *context, uint32_t bound, uint32_t thousandths, uint64_t steps)
{
    (void)context;
    (void)steps;
    looking_progress("proving that it is minimal: bound %" PRIu32 ", %" PRIu32 ".%" PRIu32 " %%", bound,
                     thousandths / 10, thousandths % 10);
    return !looking_stopped();
}

struct shrink_options finding_shrinks(const struct options *o)
{
    return (struct shrink_options){
        .replays = SHRINK_REPLAYS, .steps = o->look.steps, .memory = o->look.memory, .tick = tick};
}

/* --- words ------------------------------------------------------------------------------------------------------ */

void finding_add_whom(struct text *t, const struct space *sp, struct culprit c)
{
    if (c.node == NONE16)
        return;
    text_add(t, " by ");
    text_shown(t, sp->c.sim.names->text[c.node]);
}

uint32_t finding_line(const struct target *target, struct culprit c)
{
    const struct scenario *whole = target->l->scenario;
    struct diags diags = {0};
    if (c.invariant < INVARIANTS || is_reached(c))
        return 0;
    struct compiled *k = scenario_compile(whole, (uint32_t)scenario_case_find(whole, target->name), 0, 0, &diags);
    uint32_t line = k == NULL ? 0 : k->expectations[c.invariant - INVARIANTS].line;
    if (k != NULL)
        compiled_free(k);
    return line;
}

void finding_add_break(struct text *t, const struct space *sp, struct culprit c, ns at, uint32_t line)
{
    if (is_reached(c)) {
        text_add(t, culprit_name(sp, c));
        text_add(t, " is reached");
    } else if (c.invariant >= INVARIANTS) {
        text_add(t, line > 0 ? "what line " : "what it");
        if (line > 0)
            text_u64(t, line);
        text_add(t, " says of always is false");
    } else {
        text_add(t, invariant_table[c.invariant].name);
        text_add(t, " is broken");
    }
    finding_add_whom(t, sp, c);
    text_add(t, " at ");
    text_time(t, at);
}

static void add_bounds(struct text *t, const struct target *target)
{
    text_count(t, target->sp->n_offers, "fault on the menu", "faults on the menu");
    text_add(t, ", within ");
    text_duration(t, target->sp->horizon);
}

void finding_add_certificate(struct text *t, const struct target *target, const struct shrunk *z)
{
    /* Those that the file has itself are no part of a schedule: they strike whatever is left out. */
    const char *beside = target->sp->own > 0 ? " beside the file's own" : "";
    if (z->certificate == CERTIFIED_TRIVIALLY) {
        text_add(t, "minimal: it needs no fault");
        text_add(t, target->sp->own > 0 ? beside : " at all");
        return;
    }
    bool reached = is_reached(z->culprit);
    if (z->certificate == CERTIFIED) {
        text_add(t, z->schedule.n == 1 ? "minimal: without a fault" : "minimal: nothing with fewer faults");
        text_add(t, beside);
        text_add(t, z->schedule.n == 1 ? " it " : " ");
        text_add(t, reached              ? z->schedule.n == 1 ? "is not reached" : "reaches it"
                    : z->schedule.n == 1 ? "holds"
                                         : "breaks it");
        text_add(t, " (exhaustive: ");
        if (reached)
            text_count(t, z->last.schedules, "schedule", "schedules");
        else
            text_count(t, z->last.states, "state", "states");
        text_add(t, ", ");
        add_bounds(t, target);
        text_add(t, ")");
        return;
    }
    static const char *const why[] = {
        [UNCERTIFIED_STEPS] = "too many schedules; --steps gives more time",
        [UNCERTIFIED_MEMORY] = "too many states; --memory gives more room",
        [UNCERTIFIED_JUDGED_LATE] = "linearizable needs the whole trace, which exhaustive search does not keep",
        [UNCERTIFIED_FIXED] = "it has more faults than an exhaustive search goes to",
        [UNCERTIFIED_LIMITS] = "some schedules end at a capacity, or with an error of the scenario",
        [UNCERTIFIED_ANOTHER] = "with fewer faults somebody else breaks it",
        [UNCERTIFIED_STOPPED] = "interrupted",
        [UNCERTIFIED_AS_IS] = "it is as it was given",
    };
    text_add(t, "no certificate that it is minimal: ");
    text_add(t, reached && z->certificate == UNCERTIFIED_JUDGED_LATE
                    ? "situations are read from whole traces, which exhaustive search does not keep"
                    : why[z->certificate]);
    if (z->proved != NONE32) {
        text_add(t, "; at least ");
        text_count(t, z->proved + 1, "fault is", "faults are");
        text_add(t, " needed");
    }
}

void finding_add_words(struct text *t, const struct finding_told *f)
{
    const struct shrunk *z = f->z;
    text_add(t, "case ");
    text_shown(t, f->target->name);
    text_add(t, ": ");
    finding_add_break(t, f->target->sp, z->culprit, z->at, finding_line(f->target, z->culprit));
    if (f->by != NULL) {
        text_add(t, ", found after ");
        text_grouped(t, f->by->after);
        text_add(t, f->by->after == 1 ? " schedule (" : " schedules (");
        text_add(t, arm_name[f->by->arm]);
        text_char(t, ')');
    }
    text_add(t, ", with ");
    text_count(t, z->from, "fault", "faults");
    if (z->schedule.n < z->from) {
        text_add(t, ", shrunk to ");
        text_u64(t, z->schedule.n);
    }
    text_add(t, "\n  ");
    finding_add_certificate(t, f->target, z);
    text_char(t, '\n');
}

/* --- JSON ------------------------------------------------------------------------------------------------------- */

static void add_lines(struct text *t, const struct found_lines *lines)
{
    text_key(t, "faults");
    text_char(t, '[');
    for (uint32_t i = 0; i < lines->n; i++) {
        text_comma(t);
        text_json(t, lines->line[i]);
    }
    text_char(t, ']');
}

/* "finding":{...}; text: its scenario file. Returns a status. */
static int add_json(struct text *t, const struct finding_told *f, const char *text)
{
    const struct space *sp = f->target->sp;
    const struct shrunk *z = f->z;
    struct found_lines lines;
    bool good = found_lines(f->player, &z->schedule, &lines);
    text_key(t, "finding");
    text_char(t, '{');
    text_key_text(t, is_reached(z->culprit) ? "situation" : "invariant", culprit_name(sp, z->culprit));
    if (finding_line(f->target, z->culprit) > 0)
        text_key_u64(t, "line", finding_line(f->target, z->culprit));
    text_key_text(t, "by", z->culprit.node == NONE16 ? NULL : sp->c.sim.names->text[z->culprit.node]);
    text_key_u64(t, "at_ns", (uint64_t)z->at);
    if (f->by != NULL) {
        text_key_u64(t, "after", f->by->after);
        text_key_text(t, "arm", arm_name[f->by->arm]);
    }
    text_key_u64(t, "found_with", z->from);
    add_lines(t, &lines);
    text_key_bool(t, "minimal", z->certificate <= CERTIFIED_TRIVIALLY);
    text_key(t, "proved");
    if (z->proved == NONE32)
        text_add(t, "null");
    else
        text_u64(t, z->proved);
    text_key_u64(t, "replays", z->replays);
    text_key_u64(t, "states", z->last.states);
    text_key_text(t, "scenario", text);
    text_char(t, '}');
    found_free(&lines);
    return good ? STATUS_GOOD : front_no_memory();
}

/* --- out it goes ------------------------------------------------------------------------------------------------- */

int finding_put(const struct finding_told *f, struct text *said)
{
    bool json = f->o->format == FORMAT_JSON;
    struct finding_made made;
    int status = finding_make(f, &made);
    looking_progress_end();
    if (!json) {
        if (said->n == 0)
            finding_add_words(said, &made.of);
        looking_tell_aside(f->o);
        (void)front_put_complaint(said);
    } else if (made.text != NULL) {
        status = front_worse(status, add_json(said, &made.of, made.text));
        text_add(said, "}\n");
        status = front_worse(status, front_put(said));
    }
    if (made.text != NULL && (!json || f->o->output != NULL))
        status = front_worse(status, looking_put(f->o, made.text, made.length));
    finding_unmake(&made);
    return status;
}
