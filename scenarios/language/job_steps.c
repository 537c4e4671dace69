/* SPDX-License-Identifier: MIT
 *
 * job_steps.c - the steps of workers, reapers and operators of a queue, one function a word.
 *
 * A worker speaks of a job by the variable that its claim set: the value is the job's name, and the
 * attempt goes with it.
 */
#include "scenarios/language/compile.h"

/* claim QUEUE [N] [try | within D] [as NAME] */
/* What a claim is given to that names no variable: a job, or a batch and the jobs behind it. */
static uint16_t hidden_jobs(struct compile *c, uint16_t queue, uint16_t count)
{
    uint16_t var = hidden_variable(c);
    for (uint32_t n = count > 0 && queue != NONE16 ? c->queues.row[queue].jobs : 0; n > 0; n--)
        hidden_variable(c);
    return var;
}

void step_claim(struct compile *c)
{
    static const char *const words[] = {"try", "within", "as"};
    struct instr i = instr_none(OP_CLAIM);
    c->t++;
    i.queue = take_queue(c);
    if (!c->bad && peek_literal(c) != NULL)
        i.count = (uint16_t)take_count(c, 1, BATCH_MAX, "a number of jobs");
    while (!c->bad && c->t->kind != T_END)
        if (!take_waiting(c, &i))
            no_option(c, words, 3);
    if (i.var == NONE16)
        i.var = hidden_jobs(c, i.queue, i.count);
    emit_instr(c, i);
}

/* heartbeat, complete, fail: a job that a variable holds. */
void step_job(struct compile *c)
{
    static const struct {
        const char *word;
        enum op op;
    } ops[] = {{"heartbeat", OP_HEARTBEAT}, {"complete", OP_COMPLETE}, {"fail", OP_FAIL}};
    struct instr i = instr_none(OP_FAIL);
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++)
        if (at_word(c, ops[k].word))
            i.op = (uint8_t)ops[k].op;
    c->t++;
    i.job_var = take_held(c, 1u << TYPE_JOB, "a job");
    if (!c->bad && i.job_var == NONE16)
        complain_no_variable(c);
    emit_instr(c, i);
}

/* enqueue QUEUE "NAME" */
void step_enqueue(struct compile *c)
{
    struct instr i = instr_none(OP_ENQUEUE);
    c->t++;
    i.queue = take_queue(c);
    const struct token *at = c->t;
    i.job = take_job(c);
    if (!c->bad && c->jobs.row[i.job].queue != i.queue)
        complain_other_queue(c, at, i.job);
    emit_instr(c, i);
}

void step_reap(struct compile *c)
{
    struct instr i = instr_none(OP_REAP);
    c->t++;
    i.queue = take_queue(c);
    emit_instr(c, i);
}

/* requeue job "NAME" */
void step_requeue(struct compile *c)
{
    struct instr i = instr_none(OP_REQUEUE);
    c->t++;
    need_word(c, "job");
    i.job = take_job(c);
    if (!c->bad)
        i.queue = c->jobs.row[i.job].queue;
    emit_instr(c, i);
}
