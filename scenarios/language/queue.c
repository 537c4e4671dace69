/* SPDX-License-Identifier: MIT
 *
 * queue.c - job queues: their lines, and the jobs that are there or may come.
 *
 *     queue NAME lease D [attempts N] [margin D] [renew D] [at NODE]
 *       job "NAME" ...
 *       attempts N                 an option may stand below too, as it may below every declaration
 *
 * A job's name is unique in a case, over all queues. One that only some program enqueues is a job of the
 * case too, absent at first: the programs are looked through for those before any of them is compiled, so
 * that the numbers of jobs are settled when the first expression names one.
 */
#include <string.h>

#include "scenarios/language/compile.h"

/* --- jobs ------------------------------------------------------------------------------------------- */

uint16_t job_find(const struct compile *c, name_id text)
{
    for (uint32_t i = 0; i < c->jobs.n; i++)
        if (c->jobs.row[i].name == text)
            return (uint16_t)i;
    return NONE16;
}

/* The name as the trace shows it, and as it is written: in double quotes. */
static const char *quoted(struct compile *c, const char *text)
{
    struct token t = {.kind = T_STRING, .text = text};
    return tokens_text(c->arena, &t, &t + 1);
}

static void job_add(struct compile *c, const struct token *at, uint16_t queue, const char *text, uint16_t listed)
{
    if (text[0] == '\0')
        complain(c, at, "a job needs a name, as in job \"invoice-42\"");
    if (!resource_fits(c, at))
        return;
    *LIST_ADD(c->arena, &c->jobs) = (struct job_plan){
        .name = name_of(c, text), .object = name_of(c, quoted(c, text)), .queue = queue, .listed = listed};
}

void complain_other_queue(struct compile *c, const struct token *at, uint16_t job)
{
    const struct queue_plan *queue = &c->queues.row[c->jobs.row[job].queue];
    complain(c, at, "the job %.60s is one of queue '%.40s': another queue's has another name",
             name_text(c, c->jobs.row[job].object), name_text(c, queue->name));
}

/* `enqueue QUEUE "NAME"`: what is wrong with it is told when the step is compiled. */
void step_finds_job(struct compile *c, const struct token *step)
{
    uint32_t index = token_is(step, "enqueue") && step[1].kind == T_WORD ? symbol_find(c, step[1].text) : NONE32;
    if (index == NONE32 || !(symbol_at(c, index)->kinds & SYM_QUEUE))
        return;
    c->t = step + 2;
    c->bad = false;
    const struct token *text = peek_literal(c);
    if (text != NULL && text->kind == T_STRING && text->text[0] != '\0' &&
        job_find(c, name_of(c, text->text)) == NONE16)
        job_add(c, step + 2, symbol_at(c, index)->queue, text->text, 0);
}

/* By queue, each in the order in which they came. */
void sort_jobs(struct compile *c)
{
    uint32_t n = 0;
    struct job_plan *sorted = arena_alloc(c->arena, (c->jobs.n + 1) * sizeof *sorted);
    if (sorted == NULL)
        return;
    for (uint16_t q = 0; q < c->queues.n; q++) {
        struct queue_plan *queue = &c->queues.row[q];
        queue->first_job = (uint16_t)n;
        for (uint32_t i = 0; i < c->jobs.n; i++)
            if (c->jobs.row[i].queue == q)
                sorted[n++] = c->jobs.row[i];
        queue->jobs = (uint16_t)(n - queue->first_job);
    }
    ASSERT(n == c->jobs.n);
    if (n > 0)
        memcpy(c->jobs.row, sorted, n * sizeof *sorted);
}

/* --- the line ----------------------------------------------------------------------------------------- */

struct queue_line {
    struct queue_plan *queue;
    const struct token *at, *lease, *margin, *renew;
    uint32_t seen;
    uint16_t number;
    bool bad; /* some option is */
};

/* "job" is none of them, but stands where they do, and is listed where none is known. */
static const char *const queue_words[] = {"lease", "attempts", "margin", "renew", "at", "job"};
#define QUEUE_OPTIONS 5

static void queue_option(struct compile *c, struct queue_line *l)
{
    struct queue_plan *queue = l->queue;
    const struct token *word = c->t;
    option_once(c, queue_words, QUEUE_OPTIONS, &l->seen);
    if (take_word(c, "lease")) {
        l->lease = c->t;
        queue->lease = take_duration(c, 1);
    } else if (take_word(c, "attempts")) {
        queue->attempts = (uint16_t)take_count(c, 1, ATTEMPTS_MAX, "a number of attempts");
    } else if (take_word(c, "margin")) {
        l->margin = c->t;
        queue->margin = take_duration(c, 0);
    } else if (take_word(c, "renew")) {
        l->renew = word;
        queue->renew = take_duration(c, 1);
    } else if (take_word(c, "at")) {
        l->at = skip_path(c);
    } else if (at_word(c, "job")) {
        complain(c, c->t, "a job stands below its queue, on a line of its own");
    } else if (c->t->kind == T_WORD) {
        complain_unknown(c, c->t, "option of a queue", queue_words, QUEUE_OPTIONS);
    } else {
        complain_expected(c, "an option of the queue");
    }
}

/* What the gate lease-covers-work is for. */
static void check_beats(struct compile *c, struct queue_plan *queue, const struct queue_line *l)
{
    if (c->removed >> GATE_LEASE_COVERS_WORK & 1)
        return;
    if (!c->bad && queue->lease < LEASE_LEAST)
        complain(c, l->lease,
                 "a job's lease is at least 3s: beats come every third of it, and two may be lost; only a case "
                 "without lease-covers-work may have less");
    if (l->renew != NULL && !c->is_variant)
        complain(c, l->renew,
                 "'renew' is for cases without lease-covers-work: with that gate beats come every third of the lease");
    queue->renew = queue->lease / 3;
}

static void check_queue(struct compile *c, struct queue_plan *queue, const struct queue_line *l)
{
    if (l->lease == NULL)
        complain(c, c->t, "a queue needs a lease: expected 'lease' and a duration, as in lease 30s");
    check_beats(c, queue, l);
    if (l->margin == NULL)
        queue->margin = queue->lease / 100;
    else if (!c->bad && queue->margin >= queue->lease)
        complain(c, l->margin, "the margin has to be shorter than the lease");
}

/* job "NAME" ... */
static void queue_jobs(struct compile *c, uint16_t queue)
{
    c->t++;
    do {
        const struct token *at = c->t;
        const char *text = c->bad ? "" : take_text(c);
        uint16_t known = c->bad ? NONE16 : job_find(c, name_of(c, text));
        if (known != NONE16 && c->jobs.row[known].queue != queue)
            complain_other_queue(c, at, known);
        else if (known != NONE16)
            complain(c, at, "there is a job %.60s already", name_text(c, c->jobs.row[known].object));
        else if (!c->bad)
            job_add(c, at, queue, text, 1);
    } while (!c->bad && c->t->kind != T_END);
}

static bool line_has_option(const struct compile *c)
{
    for (uint32_t i = 0; i < QUEUE_OPTIONS; i++)
        if (at_word(c, queue_words[i]))
            return true;
    return false;
}

/* The options are read before the jobs, wherever they stand. */
static void option_line(struct compile *c, void *above)
{
    struct queue_line *l = above;
    if (!line_has_option(c))
        return;
    while (!c->bad && c->t->kind != T_END)
        queue_option(c, l);
    l->bad = l->bad || c->bad;
}

static void job_line(struct compile *c, void *above)
{
    const struct queue_line *l = above;
    if (at_word(c, "job"))
        queue_jobs(c, l->number);
    else if (c->t->kind != T_WORD)
        complain_expected(c, "a job below its queue, as in job \"invoice-42\"");
    else if (!line_has_option(c))
        complain_unknown(c, c->t, "word below a queue", queue_words, QUEUE_OPTIONS + 1);
}

/* Of the first line, then of those below; what is missing is told at the end of the first. */
static void queue_options(struct compile *c, const struct line *line, struct queue_line *l)
{
    while (!c->bad && c->t->kind != T_END)
        queue_option(c, l);
    const struct token *end = c->t;
    l->bad = c->bad;
    statements_below(c, line, option_line, l);
    c->line = line;
    c->t = end;
    c->bad = l->bad;
    check_queue(c, l->queue, l);
}

void declare_queue(struct compile *c)
{
    const struct line *line = c->line;
    c->t = line_start(c->s, line) + 1; /* of this line alone */
    const struct token *name = take_name(c, "the name of the queue");
    if (!c->bad && c->queues.n >= QUEUES_MAX)
        complain(c, name, "a scenario has at most %u queues", QUEUES_MAX);
    uint32_t index = c->bad ? NONE32 : symbol_declare(c, name, name->text, SYM_QUEUE, "queue");
    if (index == NONE32)
        return;
    struct queue_line l = {.number = (uint16_t)c->queues.n};
    l.queue = LIST_ADD(c->arena, &c->queues);
    *l.queue = (struct queue_plan){.name = symbol_at(c, index)->name, .service = NONE16, .lease = LEASE_LEAST};
    symbol_at(c, index)->queue = l.number;
    queue_options(c, line, &l);
    place_service(c, index, l.at);
    statements_below(c, line, job_line, &l);
}

/* --- naming them ---------------------------------------------------------------------------------------- */

uint16_t take_queue(struct compile *c)
{
    uint32_t index = take_path(c, SYM_QUEUE, "queue");
    return index == NONE32 ? NONE16 : symbol_at(c, index)->queue;
}

static void complain_no_job(struct compile *c, const struct token *at, const char *object)
{
    complain_thing_elsewhere(c, at, object);
    uint32_t n = diags_full(c->diags) ? 0 : c->jobs.n;
    const char **words = arena_alloc(c->arena, (n + 1) * sizeof *words);
    for (uint32_t i = 0; words != NULL && i < n; i++)
        words[i] = name_text(c, c->jobs.row[i].name);
    if (!c->bad && words != NULL)
        diag_unknown(c->diags, token_place(at), "job", at->text, words, n);
    c->bad = true;
}

uint16_t take_job(struct compile *c)
{
    const struct token *at = c->t;
    if (!c->bad && peek_literal(c) == NULL)
        complain_expected(c, "the name of a job in double quotes, as in \"invoice-42\"");
    const char *text = take_text(c);
    uint16_t job = c->bad ? NONE16 : job_find(c, name_of(c, text));
    if (c->bad || job != NONE16)
        return job;
    const char *object = quoted(c, text);
    if (!c->in_expectation || !thing_elsewhere(c, object))
        complain_no_job(c, at, object);
    return NONE16;
}
