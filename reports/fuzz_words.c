/* SPDX-License-Identifier: MIT
 *
 * fuzz_words.c - what `fencepost fuzz` says of a search: what was covered, and what follows from it.
 */
#include "reports/fuzz_part.h"

/* --- what was covered ------------------------------------------------------------------------------------ */

static void add_arms(struct text *t, const struct search *s)
{
    bool first = true;
    for (int arm = 0; arm < ARMS; arm++) {
        if (s->played_by[arm] == 0)
            continue;
        text_add(t, first ? "  " : ", ");
        text_add(t, arm_name[arm]);
        text_char(t, ' ');
        text_grouped(t, s->played_by[arm]);
        if (arm == ARM_SINGLE) {
            text_add(t, " of ");
            text_grouped(t, s->n_singles);
        }
        first = false;
    }
    text_char(t, '\n');
}

/* Of situations that are looked for: which no run can reach, as is known. */
static void add_never(struct text *t, const struct options *o)
{
    for (uint32_t i = 0; i < SITUATION_CELLS; i++) {
        if (!situation_has(&o->look.reach, i) || situation_never(i) == NULL)
            continue;
        text_add(t, "  ");
        text_add(t, situation_name(i));
        text_add(t, " is never reached: ");
        text_add(t, situation_never(i));
        text_char(t, '\n');
    }
}

/* Only the independent arm speaks for what was not played. */
static void add_statement(struct text *t, const struct search *s)
{
    uint64_t n = s->played_by[ARM_SWARM];
    n = n > s->errors ? n - s->errors : 0; /* what came to no end shows nothing */
    if (n == 0 || s->found || s->n_known > 0) {
        text_add(t, n == 0 ? "  no independent samples: nothing is said of schedules that were not played\n" : "");
        return;
    }
    text_add(t, "  ");
    text_grouped(t, n);
    text_add(t, n == 1 ? " independent sample" : " independent samples");
    text_add(t, s->o.reach != NULL ? ", none reached it" : ", none broke it");
    if (n <= 3) { /* fewer than 3 in 3 */
        text_add(t, ": too few to say more\n");
        return;
    }
    text_add(t, ": with 95 % confidence fewer than 3 in ");
    text_grouped(t, n);
    text_add(t, " such do\n");
}

static void add_covered(struct text *t, const struct looked *k)
{
    const struct search *s = k->search;
    add_arms(t, s);
    if (s->o.arms & (1u << ARM_GUIDED | 1u << ARM_BRANCH)) {
        text_add(t, "  ");
        text_grouped(t, s->n_reached);
        text_add(t, " abstract states, the last new one after ");
        text_grouped(t, s->reached_at);
        text_add(t, s->reached_at == 1 ? " schedule\n" : " schedules\n");
    }
    text_add(t, "  menu: ");
    text_grouped(t, s->sp->n_offers);
    text_add(t, s->sp->said ? " faults, of its `may` lines" : " faults: everything but `losing everything`");
    text_add(t, "; within ");
    text_duration(t, s->sp->horizon);
    text_add(t, "; ties at one instant are not explored\n");
    if (s->errors > 0) {
        text_add(t, "  ");
        text_grouped(t, s->errors);
        text_add(t, " of them came to no end of their own\n");
    }
    add_statement(t, s);
    add_never(t, k->o);
}

static const char *end_word(const struct looked *k)
{
    return looking_stopped()                                ? "interrupted"
           : k->timed_out                                   ? "out of time"
           : k->n_found > 0                                 ? "searched on"
           : k->end == ROUND_DONE || k->end == ROUND_BUDGET ? "nothing found"
                                                            : "stopped";
}

static void add_findings(struct text *t, const struct looked *k)
{
    if (k->n_found == 0)
        return;
    text_add(t, "; ");
    text_count(t, k->n_found, "finding", "findings");
    text_add(t, " in ");
    text_shown(t, k->o->look.state);
    for (uint32_t i = 0; i < k->n_found; i++) {
        text_add(t, i == 0 ? ": " : ", ");
        text_add(t, culprit_name(k->search->sp, k->found[i].culprit));
        finding_add_whom(t, k->search->sp, k->found[i].culprit);
    }
}

static void add_nothing(struct text *t, const struct looked *k)
{
    text_add(t, "case ");
    text_shown(t, k->target.name);
    text_add(t, ": ");
    text_add(t, end_word(k));
    text_add(t, " in ");
    text_grouped(t, k->search->played);
    text_add(t, k->search->played == 1 ? " schedule" : " schedules");
    add_findings(t, k);
    text_char(t, '\n');
    add_covered(t, k);
}

/* --- JSON --------------------------------------------------------------------------------------------------- */

void fuzz_add_object(struct text *t, const struct looked *k)
{
    const struct search *s = k->search;
    text_char(t, '{');
    text_key_text(t, "file", k->target.l->file.path);
    text_key_text(t, "case", k->target.name);
    text_key_text(t, "end", s->found || k->n_found > 0 ? "found" : end_word(k));
    text_key_u64(t, "findings", k->n_found > 0 ? k->n_found : s->found);
    text_key_u64(t, "seed", s->o.seed);
    text_key_u64(t, "schedules", s->played);
    text_key(t, "arms");
    text_char(t, '{');
    for (int arm = 0; arm < ARMS; arm++)
        if (s->played_by[arm] > 0)
            text_key_u64(t, arm_name[arm], s->played_by[arm]);
    text_char(t, '}');
    text_key_u64(t, "singles", s->n_singles);
    text_key_u64(t, "abstract_states", s->n_reached);
    text_key_u64(t, "menu", s->sp->n_offers);
    text_key_u64(t, "horizon_ns", (uint64_t)s->sp->horizon);
    text_key_u64(t, "events", s->steps);
    text_key_u64(t, "without_end", s->errors);
    text_key_u64(t, "own_faults", k->target.own_faults);
}

int fuzz_put_nothing(const struct looked *k)
{
    struct text t = front_report(1);
    if (k->o->format == FORMAT_JSON) {
        fuzz_add_object(&t, k);
        text_add(&t, "}\n");
    } else {
        add_nothing(&t, k);
    }
    int status = looking_tell(k->o, &t);
    text_free(&t);
    return status;
}
