/* SPDX-License-Identifier: MIT
 *
 * queue_test.c - queues, jobs, what workers do with them: the plan that comes out, and what is said of slips.
 */
#include <stdio.h>

#include "scenarios/language/compiling.h"
#include "scenarios/language/reading.h"
#include "scenarios/language/slips.h"
#include "sim/test.h"

/* Steps and lines go behind it. */
#define WORLD                                                                               \
    "fencepost 1\ncase a holds\ncase b without lease-covers-work holds\n"                   \
    "lock leader central ttl 10s\nstore ledger\nnode w1\n"                                  \
    "queue jobs lease 30s\n  job \"invoice-42\" \"b\"\n"                                    \
    "w1:\n  acquire leader\n  claim jobs as job\n  complete job\n  claim jobs 9 as batch\n" \
    "  for one in batch: fail one\n  write ledger 1\n"

static const char *step_said(const char *step) { return problem_behind(WORLD, step, 2); }
static const char *line_said(const char *line) { return problem_behind(WORLD, line, 0); }

/* --- what there is ------------------------------------------------------------------------------- */

TEST("a queue's options reach the plan in any order, its jobs in the file's order, the enqueued ones last")
{
    const struct compiled *c = plan_of("fencepost 1\ncase a holds\nparam extra = \"z\"\n"
                                       "queue mails at box margin 1s attempts 5 lease 1m\n  job \"m\"\n"
                                       "queue jobs lease 3s\n  job \"a\" \"b\"\n  job extra\n"
                                       "lock leader central ttl 10s\nstore seen\nnode w1 w2\n"
                                       "w1:\n  enqueue mails \"late\"\n  enqueue jobs \"say \\\"x\\\"\"\n"
                                       "  enqueue mails \"m\"\n  acquire leader\n  read seen\n"
                                       "w2: enqueue mails \"last\"\nat 1s: suspend box\n",
                                       0);
    static const char *const jobs[] = {"m", "late", "last", "a", "b", "z", "say \"x\""};
    if (c == NULL)
        return;
    const struct queue_plan *q = c->model.queues;
    CHECK_EQ(c->model.n_queues, 2);
    CHECK(q[0].lease == 60 * NS_PER_S && q[0].margin == NS_PER_S && q[0].attempts == 5 && q[0].renew == 20 * NS_PER_S);
    CHECK(q[1].lease == LEASE_LEAST && q[1].margin == 30 * NS_PER_MS && q[1].attempts == 0 && q[1].renew == NS_PER_S);
    CHECK(q[0].first_job == 0 && q[0].jobs == 3 && q[1].first_job == 3 && q[1].jobs == 4);
    CHECK_EQ(c->model.n_jobs, 7);
    for (uint32_t i = 0; i < 7; i++)
        CHECK_STR(name(c, c->model.jobs[i].name), jobs[i]);
    CHECK_STR(name(c, c->model.jobs[0].object), "\"m\"");
    CHECK_STR(name(c, c->model.jobs[6].object), "\"say \\\"x\\\"\"");
    CHECK(c->model.jobs[0].listed && !c->model.jobs[1].listed && c->model.jobs[5].listed && !c->model.jobs[6].listed);
    CHECK(c->model.jobs[2].queue == 0 && c->model.jobs[3].queue == 1);
    CHECK(c->model.code[0].job == 1 && c->model.code[0].queue == 0 && c->model.code[1].job == 6);
    CHECK_EQ(c->model.code[2].job, 0);
    CHECK_EQ(n_resources(&c->model), 8);
}

TEST("options stand below their declaration too, each for its cases, beside jobs and rows")
{
    static const char text[] =
        "fencepost 1\ncase a holds\ncase b without lease-covers-work holds\nqueue q\n  [a] lease 30s\n"
        "  [b] lease 2s\n    renew 1s\n  job \"x\"\n  [-lease-covers-work] attempts 3 margin 9ms\n  at box\n"
        "lock l central ttl 10s\n  [b] margin 1s\ntable t\n  row 1 n 2\n  at box\nstore s\n  [b] marks per key\n"
        "node w1\n  [b] drift 5ppm\nw1:\n  acquire l\n  reap q\n  read t/1\n  write s/k 1\n";
    for (uint32_t i = 0; i < 2; i++) {
        const struct compiled *c = plan_of(text, i);
        if (c == NULL)
            return;
        const struct queue_plan *q = c->model.queues;
        CHECK(q->lease == (i == 0 ? 30 : 2) * NS_PER_S && q->renew == (i == 0 ? 10 : 1) * NS_PER_S && q->jobs == 1);
        CHECK(q->attempts == (i == 0 ? 0 : 3) && q->margin == (i == 0 ? 300 : 9) * NS_PER_MS);
        CHECK_EQ(c->model.locks[0].margin, (i == 0 ? 100 : 1000) * NS_PER_MS);
        CHECK(c->model.stores[0].marks_per_key == i && c->sim.machines[0].ppb == 5000 * i);
        uint16_t of_queue = c->model.services[q->service].thread, at = c->sim.threads[of_queue].process;
        uint16_t of_table = c->model.services[c->model.tables[0].service].thread;
        CHECK_EQ(c->sim.processes[at].machine, c->sim.processes[c->sim.threads[of_table].process].machine);
    }
}

TEST("services stand in the order locks, queues, stores, tables")
{
    const struct compiled *c = plan_of("fencepost 1\ncase a holds\ntable rows\n  row 1 x 1\nstore seen\n"
                                       "queue jobs lease 3s\nlock leader central ttl 10s\nnode w1\n"
                                       "w1:\n  read rows/1\n  read seen\n  reap jobs\n  acquire leader\n  ping jobs\n",
                                       0);
    static const uint16_t kinds[] = {ACTOR_CLIENT, ACTOR_CENTRAL, ACTOR_QUEUE, ACTOR_STORE, ACTOR_TABLE};
    if (c == NULL)
        return;
    CHECK_EQ(c->model.n_services, 4);
    for (uint32_t i = 0; i < 5; i++)
        CHECK_EQ(c->model.actor_of[i].kind, kinds[i]);
    const struct service_plan *s = c->model.services;
    CHECK(s[0].lock == 0 && s[0].queue == NONE16 && s[0].table == NONE16 && s[0].store == NONE16 &&
          s[0].voter == NONE16);
    CHECK(s[1].queue == 0 && s[1].lock == NONE16 && s[1].table == NONE16);
    CHECK(s[2].store == 0 && s[2].queue == NONE16);
    CHECK(s[3].table == 0 && s[3].store == NONE16);
    CHECK(c->model.queues[0].service == 1 && c->model.tables[0].service == 3);
    CHECK_STR(name(c, c->sim.processes[c->model.code[4].process].name), "jobs");
}

TEST("without lease-covers-work a lease may be short, and beats come only where `renew` says so")
{
    static const char text[] = "fencepost 1\ncase a without lease-covers-work holds\nqueue q lease 1s\n"
                               "queue p lease 1s renew 200ms\nnode w1\nw1:\n  reap q\n  reap p\n";
    const struct compiled *c = plan_of(text, 0);
    CHECK(c != NULL && c->model.queues[0].renew == 0 && c->model.queues[1].renew == 200 * NS_PER_MS);
    struct diags d;
    struct compiled *back = scenario_compile(planned.scenario, 0, 0, 1u << GATE_LEASE_COVERS_WORK, &d);
    CHECK(back == NULL && d.total == 2);
    compiled_free(back);
}

TEST("slips in queues are told where they stand")
{
#define SHORT                                                                                               \
    "a job's lease is at least 3s: beats come every third of it, and two may be lost; only a case without " \
    "lease-covers-work may have less"
    static const struct slip slips[] = {
        {"queue", "1:6: expected the name of the queue, found the end of the line"},
        {"queue q", "1:8: a queue needs a lease: expected 'lease' and a duration, as in lease 30s"},
        {"queue q leas 3s", "1:9: unknown option of a queue 'leas'; did you mean 'lease'?"},
        {"queue q lease 2999ms", "1:15: " SHORT},
        {"queue q lease 3s", "1:7: queue 'q' is never used"},
        {"[b] queue q lease 1ms\n[b] at 5s: pause q", ""},
        {"queue q lease 3s margin 3s", "1:25: the margin has to be shorter than the lease"},
        {"queue q lease 3s renew 1s", "1:18: 'renew' is for cases without lease-covers-work: with that gate beats "
                                      "come every third of the lease"},
        {"queue q lease 3s attempts 0", "1:27: expected a number of attempts from 1 to 65535"},
        {"queue q lease 3s attempts 65535\nat 5s: pause q", ""},
        {"queue q lease 3s attempts 65536", "1:27: expected a number of attempts from 1 to 65535"},
        {"queue q lease 3s lease 4s", "1:18: 'lease' stands here twice"},
        {"queue q lease 3s at none", "1:21: 'none' is a word of the language: a node needs another name"},
        {"queue jobs lease 3s", "1:7: 'jobs' is declared already, as a queue on line 7"},
        {"node jobs\nat 5s: pause jobs", ""},
        {"queue q lease 3s\n  jbo \"x\"", "2:3: unknown word below a queue 'jbo'; did you mean 'job'?"},
        {"queue q lease 3s\n  job", "2:6: expected a text in double quotes, found the end of the line"},
        {"queue q lease 3s\n  job \"b\"",
         "2:7: the job \"b\" is one of queue 'jobs': another queue's has another name"},
        {"queue q lease 3s\n  job \"x\" \"x\"", "2:11: there is a job \"x\" already"},
        {"queue q lease 3s\n  [a] job \"x\"\n  [b] job \"x\"\nat 5s: crash q", ""},
        {"queue q lease 3s\n  job \"\"", "2:7: a job needs a name, as in job \"invoice-42\""},
        {"queue q lease 3s\n  \"x\"", "2:3: expected a job below its queue, as in job \"invoice-42\", found a text"},
        {"job \"x\"", "1:1: a job stands indented below its queue"},
        {"queue q lease 3s job \"x\"", "1:18: a job stands below its queue, on a line of its own"},
        {"queue q lease 3s\n  attempts 3 job \"x\"", "2:14: a job stands below its queue, on a line of its own"},
        {"queue q\n  job \"x\"\n  attempts 3",
         "1:8: a queue needs a lease: expected 'lease' and a duration, as in lease 30s"},
        {"queue q\n  lease 2999ms\n  job \"x\"", "2:9: " SHORT},
        {"queue q lease 3s attempts 3\n  attempts 4", "2:3: 'attempts' stands here twice"},
        {"queue q\n  lease 3s\n  margin 3s", "3:10: the margin has to be shorter than the lease"},
        {"queue q lease 3s\n  atempts 3", "2:3: unknown word below a queue 'atempts'; did you mean 'attempts'?"},
    };
#undef SHORT
    CHECK_SLIPS(slips, line_said);
}

TEST("locks, jobs and rows are 64 together, queues and tables 64 each")
{
    static char text[16384];
    for (int more = 0; more < 2; more++) {
        size_t n = (size_t)snprintf(text, sizeof text, "queue q lease 3s\n  job");
        for (int i = 0; i < 30; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, " \"j%d\"", i);
        n += (size_t)snprintf(text + n, sizeof text - n, "\ntable t\n");
        for (int i = 0; i < 30; i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "  row %d x 1\n", i);
        snprintf(text + n, sizeof text - n, "w1.two:\n  reap q\n  insert t/more x 2\n%s",
                 more ? "  enqueue q \"more\"\n" : "");
        CHECK_STR(line_said(text),
                  more ? "37:13: a scenario has at most 64 locks, jobs and rows of tables together" : "");
    }
    for (int kind = 0; kind < 2; kind++)
        for (int more = 0; more < 2; more++) {
            size_t n = 0, made = kind == 0 ? 63 : 64;
            for (size_t i = 0; i < made + (size_t)more; i++)
                n += (size_t)snprintf(text + n, sizeof text - n, kind == 0 ? "queue q%zu lease 3s\n" : "table q%zu\n",
                                      i);
            n += (size_t)snprintf(text + n, sizeof text - n, "at 5s: crash");
            for (size_t i = 0; i < made + (size_t)more; i++)
                n += (size_t)snprintf(text + n, sizeof text - n, " q%zu", i);
            const char *said = kind == 0 ? "64:7: a scenario has at most 64 queues"
                                         : "65:7: a scenario has at most 64 tables";
            CHECK_STR(line_said(text), more ? said : "");
        }
}

/* --- steps ----------------------------------------------------------------------------------------- */

TEST("what workers, reapers and operators do compiles to instructions with their jobs and queues")
{
    const struct compiled *c = plan_of(
        "fencepost 1\ncase a holds\nqueue other lease 3s\nqueue jobs lease 30s\n  job \"j\"\nstore ledger\nnode w1\n"
        "w1:\n  claim jobs within 5s as job\n  keep job\n  heartbeat job\n  check job\n  work 2s for job\n"
        "  write ledger job for job\n  delete ledger/x for job\n  fence ledger for job\n"
        "  effect \"e\" key job for job\n  let t = job.token\n  complete job\n  fail job\n  claim other try\n"
        "  claim jobs 64\n  enqueue jobs \"k\"\n  reap other\n  requeue job \"k\"\n"
        "  require ledger.token < t\n",
        0);
    if (c == NULL)
        return;
    const struct instr *k = c->model.code;
    check_ops(c, OPS(OP_CLAIM, OP_KEEP, OP_HEARTBEAT, OP_CHECK, OP_WORK, OP_WRITE, OP_DELETE, OP_FENCE, OP_EFFECT,
                     OP_LET, OP_COMPLETE, OP_FAIL, OP_CLAIM, OP_CLAIM, OP_ENQUEUE, OP_REAP, OP_REQUEUE, OP_READ,
                     OP_REQUIRE, OP_END));
    CHECK(k[0].queue == 1 && k[0].mode == ACQUIRE_WITHIN && k[0].duration == 5 * NS_PER_S && k[0].count == 0);
    CHECK_EQ(k[0].var, 0);
    for (uint32_t i = 1; i < 4; i++)
        CHECK(k[i].job_var == 0 && k[i].lock == NONE16);
    for (uint32_t i = 4; i < 9; i++)
        CHECK(k[i].for_var == 0 && k[i].for_lock == NONE16 && k[i].job_var == NONE16);
    CHECK_EQ(c->model.exprs[k[5].expr].code, EX_VAR);
    CHECK_EQ(c->model.exprs[k[8].expr].code, EX_VAR);
    CHECK(c->model.exprs[k[9].expr].code == EX_VAR_TOKEN && c->model.exprs[k[9].expr].arg == 0);
    CHECK(k[10].job_var == 0 && k[11].job_var == 0);
    CHECK(k[12].queue == 0 && k[12].mode == ACQUIRE_TRY && k[12].var != NONE16 && k[12].count == 0);
    CHECK(k[13].count == 64 && k[13].var != NONE16);
    CHECK(k[14].queue == 1 && k[14].job == 1 && k[15].queue == 0);
    CHECK(k[16].job == 1 && k[16].queue == 1);
    CHECK(k[1].statement == NONE32 && k[1].table == NONE16 && k[1].row == NONE16 && k[1].for_var == NONE16);
    CHECK_EQ(c->model.clients[0].keeper, 1);
    CHECK_STR(name(c, c->sim.threads[c->model.clients[1].thread].name), "w1.keeper");
}

TEST("for takes the jobs of a batch one by one, and jumps behind its lines when there is none left")
{
    const struct compiled *c = plan_of("fencepost 1\ncase a holds\nparam n = 3\nqueue jobs lease 30s\nnode w1\nw1:\n"
                                       "  claim jobs n as batch\n  for job in batch:\n    work 1s\n    complete job\n"
                                       "    on zombie: go on\n  for job in batch: heartbeat job\n  stop\n",
                                       0);
    if (c == NULL)
        return;
    const struct instr *k = c->model.code;
    check_ops(c, OPS(OP_CLAIM, OP_FOR_INIT, OP_FOR_NEXT, OP_WORK, OP_COMPLETE, OP_JUMP, OP_JUMP, OP_JUMP, OP_FOR_INIT,
                     OP_FOR_NEXT, OP_HEARTBEAT, OP_JUMP, OP_STOP, OP_END));
    CHECK_EQ(k[0].count, 3);
    CHECK(k[1].job_var == k[0].var && k[1].var != k[0].var);
    CHECK(k[2].var == k[1].var && k[2].job_var == k[4].job_var && k[2].jump == 8);
    CHECK_EQ(k[7].jump, 2);
    CHECK(k[9].jump == 12 && k[11].jump == 9);
    CHECK(k[9].job_var == k[2].job_var && k[9].var != k[2].var);
    CHECK_EQ(c->model.handlers[k[4].handlers.first].error, ERR_ZOMBIE);
}

TEST("slips in the steps of workers are told where they stand")
{
    static const struct slip slips[] = {
        {"claim", "1:6: expected the name of a queue, found the end of the line"},
        {"claim ledger", "1:7: unknown queue 'ledger'; expected jobs"},
        {"claim jobs as", "1:14: expected the name of a variable, found the end of the line"},
        {"claim jobs 0 as z", "1:12: expected a number of jobs from 1 to 64"},
        {"claim jobs 65 as z", "1:12: expected a number of jobs from 1 to 64"},
        {"claim jobs try within 5s", "1:16: 'try' and 'within' exclude each other"},
        {"claim jobs as job as one", "1:19: 'as' stands here twice"},
        {"claim jobs tyr", "1:12: unknown word here 'tyr'; did you mean 'try'?"},
        {"claim jobs as z", "1:15: variable 'z' is never used"},
        {"claim jobs 5 as job", "1:17: 'job' is a job here and a batch there: use two names"},
        {"heartbeat", "1:10: expected a variable that holds a job, as in claim jobs as job, found the end of the line"},
        {"heartbeat jb", "1:11: unknown job 'jb'; did you mean 'job'?"},
        {"heartbeat z\nclaim jobs as z", "1:11: variable 'z' has no value yet here"},
        {"complete batch", "1:10: 'batch' is a batch: take its jobs one by one, as in for job in batch:"},
        {"keep batch", "1:6: 'batch' is a batch: take its jobs one by one, as in for job in batch:"},
        {"fail job now", "1:10: expected the end of the line, found 'now'"},
        {"check nothing", "1:7: unknown lock 'nothing'; expected leader"},
        {"work 1s for batch", "1:13: 'batch' is a batch: take its jobs one by one, as in for job in batch:"},
        {"write ledger batch", "1:14: 'batch' is a batch: take its jobs one by one, as in for job in batch:"},
        {"write ledger batch.token", "1:14: 'batch' is a batch: take its jobs one by one, as in for job in batch:"},
        {"write ledger job", ""},
        {"write ledger job + 1", "1:18: '+' cannot stand between a text and a number"},
        {"write ledger job.tokn", "1:18: unknown field 'tokn'; did you mean 'token'?"},
        {"write ledger 1 for job token 5", "1:24: 'token' and 'for' exclude each other: both say whose token it is"},
        {"let job = 5", "1:5: 'job' is a job here and a value there: use two names"},
        {"for z in jobs:\n  work 1s", "1:10: expected a batch, as in claim jobs 10 as batch, found 'jobs'"},
        {"for z in job:\n  work 1s", "1:10: 'job' is a job, not a batch"},
        {"for z in batch", "1:15: expected ':', found the end of the line"},
        {"for z in batch:", "1:16: expected steps, on this line or indented below it"},
        {"for z of batch:\n  work 1s", "1:7: expected 'in', found 'of'"},
        {"for 5 in batch:\n  work 1s", "1:5: expected the name of a variable, found '5'"},
        {"repeat 2: for z in batch: complete z", "1:11: 'for' stands on a line of its own"},
        {"enqueue jobs", "1:13: expected the name of a job in double quotes, as in \"invoice-42\", found the end of "
                         "the line"},
        {"enqueue jobs mail", "1:14: expected the name of a job in double quotes, as in \"invoice-42\", found 'mail'"},
        {"enqueue jobs \"mail-9\"", ""},
        {"enqueue jobs \"b\" \"c\"", "1:18: expected the end of the line, found a text"},
        {"reap jbos", "1:6: unknown queue 'jbos'; did you mean 'jobs'?"},
        {"requeue \"b\"", "1:9: expected 'job', found a text"},
        {"requeue job \"bb\"", "1:13: unknown job 'bb'; expected invoice-42 or b"},
        {"claim jobs\non zombie: go on\non refused: go on", ""},
    };
    CHECK_SLIPS(slips, step_said);
    CHECK_STR(line_said("queue q lease 3s\nw1.two:\n  enqueue q \"b\""),
              "3:13: the job \"b\" is one of queue 'jobs': another queue's has another name");
    CHECK_STR(problem("fencepost 1\ncase a holds\nqueue q lease 3s\nnode w1\nw1:\n  claim q as job\n  keep jb\n"),
              "7:8: unknown job 'jb'; did you mean 'job'?");
}

TEST("the words of queues stay free as names wherever they were")
{
    static const char text[] = "fencepost 1\ncase a holds\nqueue queue lease 3s\n  job \"job\"\ntable table\n"
                               "  row row set 1 first 2\nnode job claim fail\n"
                               "job:\n  claim queue as reap\n  complete reap\n  update table/row set set set + first\n"
                               "claim, fail:\n  read table/row as insert\n  work 1s for insert\n"
                               "after job completes \"job\": heal\nat end: expect claim reads table/row\n";
    CHECK_STR(problem(text), "");
}

/* --- expectations and triggers ------------------------------------------------------------------------ */

/* With the world's two cases: the last expectation of case a. */
static const struct expectation *expected(const char *what) { return last_expectation(plan_behind(WORLD, what)); }

TEST("a job's state, holder and token are values of an expectation")
{
    const struct expr_op *op = first_op(expected("at end: expect job \"invoice-42\" completed by w1"));
    CHECK(op->code == EX_JOB && op->arg == 0 && op->imm == (1 << 8 | JOB_DONE));
    op = first_op(expected("at end: expect job \"b\" running by w1"));
    CHECK(op->code == EX_JOB && op->arg == 1 && op->imm == (1 << 8 | JOB_RUNNING));
    op = first_op(expected("at end: expect not job \"b\" running"));
    CHECK(op->code == EX_JOB && op->imm == JOB_RUNNING);
    op = first_op(expected("at end: expect job \"b\" waiting and not job \"b\" dead"));
    CHECK(op[0].imm == JOB_WAITING && op[1].code == EX_JOB && op[1].imm == JOB_DEAD && op[2].code == EX_NOT);
    op = first_op(expected("always: expect not job \"b\" absent"));
    CHECK(op->imm == JOB_ABSENT);
    op = first_op(expected("at end: expect w1 holds job \"b\""));
    CHECK(op->code == EX_HOLDS && op->arg == 2 && op->imm == 0);
    op = first_op(expected("at end: expect not w1 believes job \"b\""));
    CHECK(op->code == EX_BELIEVES && op->arg == 2);
    op = first_op(expected("at end: expect token job \"invoice-42\" = 2"));
    CHECK(op->code == EX_LOCK_TOKEN && op->arg == 1);
    op = first_op(expected("ask at 5s \"?\"\n  \"yes\" if job \"b\" dead\n  \"no\" if not job \"b\" dead\n"
                           "at end: expect job \"b\" dead"));
    CHECK(op->code == EX_JOB && planned.compiled->n_choices == 2);
}

TEST("every line that a trace prints of jobs can stand behind expect")
{
    static const struct traced lines[] = {
        {"w1 claims jobs", V_CLAIMS, 0, "jobs"},
        {"w1 claims jobs 10", V_CLAIMS, 1, "jobs"},
        {"jobs grants w1 token 1 of \"invoice-42\"", V_GRANTS, 2, "w1"},
        {"w1 acquires \"invoice-42\" token 1", V_ACQUIRES, 1, "\"invoice-42\""},
        {"w1 acquires \"invoice-42\"", V_ACQUIRES, 0, "\"invoice-42\""},
        {"jobs queues w1", V_QUEUES, 0, "w1"},
        {"jobs calls w1", V_CALLS, 0, "w1"},
        {"w1 keeps \"b\"", V_KEEPS, 0, "\"b\""},
        {"w1 checks \"b\"", V_CHECKS, 0, "\"b\""},
        {"w1 heartbeats \"b\" token 1", V_HEARTBEATS, 1, "\"b\""},
        {"w1 renewed \"b\" token 1", V_RENEWED, 1, "\"b\""},
        {"jobs extends w1 token 1 by w1 of \"b\"", V_EXTENDS, 3, "w1"},
        {"w1 completes \"b\" token 1", V_COMPLETES, 1, "\"b\""},
        {"jobs finishes w1 token 1 of \"b\"", V_FINISHES, 2, "w1"},
        {"w1 fails \"b\" token 1", V_FAILS, 1, "\"b\""},
        {"jobs returns w1 token 1 why failed of \"b\"", V_RETURNS, 3, "w1"},
        {"jobs returns w1 token 1 by w1 why expired of \"b\"", V_RETURNS, 4, "w1"},
        {"jobs returns w1 token 1 by w1 why operator", V_RETURNS, 3, "w1"},
        {"jobs returns w1 token 1 why enqueued", V_RETURNS, 2, "w1"},
        {"jobs dead-letters w1 token 1 of \"b\"", V_DEAD_LETTERS, 2, "w1"},
        {"jobs expires w1 token 1 of \"b\"", V_EXPIRES, 2, "w1"},
        {"jobs rewrites w1 token 1 by w1 of \"b\"", V_REWRITES, 3, "w1"},
        {"w1 reaps jobs", V_REAPS, 0, "jobs"},
        {"jobs lists w1 1", V_LISTS, 1, "w1"},
        {"w1 judges \"b\" token 1", V_JUDGES, 1, "\"b\""},
        {"w1 requeues \"b\"", V_REQUEUES, 0, "\"b\""},
        {"w1 enqueues \"b\"", V_ENQUEUES, 0, "\"b\""},
        {"jobs adds \"b\" by w1", V_ADDS, 1, "\"b\""},
        {"jobs refuses w1 zombie token 1 of \"b\"", V_REFUSES, 3, "w1"},
        {"w1 works for 35s", V_WORKS, 1, NULL},
        {"w1 failed zombie", V_FAILED, 0, "zombie"},
        {"w1 claims", V_CLAIMS, 0, NULL},
        {"w1 completes", V_COMPLETES, 0, NULL},
    };
    CHECK_TRACED(WORLD, lines);
    const struct expectation *e = expected("at end: expect 13s (jobs lapses w1 token 1 of \"b\")");
    CHECK(e != NULL && e->pattern.verb == V_LAPSES && e->pattern.tag[1] == TAG_TEXT);
    CHECK(e != NULL && strcmp(name(planned.compiled, (name_id)e->pattern.value[1]), "b") == 0);
    e = expected("at end: expect 13s (w1 believes \"b\" token 1)");
    CHECK(e != NULL && e->pattern.verb == V_BELIEVES && e->pattern.n_fields == 1);
    e = expected("at end: expect 13s (jobs receives from w1 what claim)");
    CHECK(e != NULL && e->pattern.verb == V_RECEIVES && e->pattern.n_fields == 2);
}

TEST("a trigger names a job in double quotes, a queue without")
{
    const struct expectation *e = expected("before w1 completes \"invoice-42\" #2: pause jobs for 1s\n"
                                           "after jobs grants w1: crash jobs\nat end: expect ledger = none");
    (void)e;
    CHECK(planned.compiled != NULL && planned.compiled->sim.n_triggers == 2);
    if (planned.compiled == NULL)
        return;
    const struct trigger_plan *t = planned.compiled->sim.triggers;
    CHECK_STR(name(planned.compiled, t[0].object), "\"invoice-42\"");
    CHECK(t[0].before && t[0].verb == V_COMPLETES && t[0].ordinal == 2);
    CHECK_STR(name(planned.compiled, t[1].actor), "jobs");
    CHECK(planned.compiled->sim.faults[0].a.n == 1 && planned.compiled->sim.faults[1].kind == FAULT_CRASH);
}

TEST("slips in expectations and triggers about jobs are told where they stand")
{
    static const struct slip slips[] = {
        {"at end: expect job \"c\" completed", "1:20: unknown job 'c'; expected invoice-42 or b"},
        {"at end: expect job \"b\"", "1:23: expected the state of the job, as in completed, found the end of the line"},
        {"at end: expect job \"b\" compelted", "1:24: unknown state of a job 'compelted'; did you mean 'completed'?"},
        {"at end: expect job \"b\" completed by ledger", "1:37: unknown node 'ledger'; expected w1"},
        {"at end: expect job \"b\" waiting by w1", "1:32: 'by' stands behind 'completed' and 'running'"},
        {"at end: expect job b completed", "1:20: a job's name stands in double quotes, as in job \"b\""},
        {"at end: expect w1 holds job \"c\"", "1:29: unknown job 'c'; expected invoice-42 or b"},
        {"at end: expect no leader among jobs", "1:32: unknown node or voter 'jobs'; expected w1 or leader"},
        {"node jobs\nat end: expect no leader among jobs", "2:32: a queue is no leader and has no vote"},
        {"before w1 completes invoice-42: heal", "1:21: a job stands here, in double quotes, as in completes "
                                                 "\"invoice-42\""},
        {"before w1 completes \"invoice-43\": heal", "1:21: unknown job 'invoice-43'; did you mean 'invoice-42'?"},
        {"after w1 claims job: heal", "1:17: unknown node, thread or service 'job'; did you mean 'jobs'?"},
        {"before w1 acquires \"b\": heal", "1:11: nothing can come before 'acquires'; say 'after'"},
        {"at end: expect jobs returns w1 why failde",
         "1:36: unknown name 'failde'; expected net, w1, leader, ledger or "
         "jobs"},
        {"at 5s: slow jobs by 3s\nmay crash jobs\nnet w1 -> jobs delay 5ms\ngroup g = jobs w1\nat 6s: partition g | "
         "leader",
         ""},
    };
    CHECK_SLIPS(slips, line_said);
}

TEST("a job that only another case enqueues is absent, and is told with that case where nothing else can be meant")
{
    static const char head[] = "fencepost 1\ncase one holds\ncase two holds\nqueue q lease 3s\nnode w1\nw1:\n"
                               "  reap q\n  [one] enqueue q \"x\"\n  [two] work 1s\n";
    static const char *const lines[] = {"at end: expect job \"x\" waiting", "always: expect not w1 holds job \"x\"",
                                        "at end: expect token job \"x\" = none", "after w1 enqueues \"x\": heal"};
    char text[600];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(text, sizeof text, "%s%s\n", head, lines[i]);
        CHECK_STR(problem(text), "");
    }
    snprintf(text, sizeof text, "%sat end: expect job \"x\" absent\n", head);
    const struct compiled *c = plan_of(text, 1);
    CHECK(c != NULL && c->model.n_jobs == 0 && c->n_expectations == 1);
    if (c != NULL && c->n_expectations == 1) {
        const struct expr_op *op = &c->model.exprs[c->expectations[0].expr];
        CHECK(op->code == EX_CONST && op->tag == TAG_BOOL && op->imm == 1);
    }
    snprintf(text, sizeof text, "%s  [two] requeue job \"x\"\n", head);
    CHECK_STR(problem(text), "10:21: '\"x\"' exists only in case one");
    snprintf(text, sizeof text, "%s[two] at end: expect job \"x\" waiting\n", head);
    CHECK_STR(problem(text), "10:26: '\"x\"' exists only in case one");
}

TEST("a job or row below the other of two lines of one name is told with that line")
{
    CHECK_STR(problem("fencepost 1\ncase one holds\ncase two holds\n[one] queue q lease 3s\n[two] queue q lease 4s\n"
                      "  job \"x\"\nnode w1\nw1:\n  requeue job \"x\"\n"),
              "9:15: '\"x\"' exists only in case two: its line belongs to the queue just above it, on line 5");
    CHECK_STR(problem("fencepost 1\ncase one holds\ncase two holds\n[one] table t\n  row 1 n 2\n[two] table t at box\n"
                      "node w1\nw1:\n  read t/1\n"),
              "9:8: 't/1' exists only in case one: its line belongs to the table just above it, on line 4");
}

/* --- cases ---------------------------------------------------------------------------------------------- */

TEST("`with progress D` says within which time progress must show")
{
    const struct compiled *c = plan_of("fencepost 1\ncase a with progress 1m holds and progress\n"
                                       "case b without safe-clock with clock wall progress 5s violates progress\n"
                                       "queue q lease 3s\nnode w1\nw1: reap q\n",
                                       0);
    CHECK(c != NULL && c->model.progress == 60 * NS_PER_S && c->signs == 1u << INV_PROGRESS);
    struct compiled *b = compiles(planned.scenario, 1);
    CHECK(b != NULL && b->model.progress == 5 * NS_PER_S && b->model.lease_clock == CLOCK_WALL);
    compiled_free(b);
    static const struct slip slips[] = {
        {"case c with progress holds", "1:22: expected a duration longer than 0s, as in with progress 1m"},
        {"case c with progress 0s holds", "1:22: expected a duration longer than 0s, as in with progress 1m"},
        {"case c with progress", "1:21: expected a duration longer than 0s, as in with progress 1m"},
        {"case c with progress 5s progress 6s holds", "1:25: 'progress' stands here twice"},
        {"case c with progres 5s holds", "1:13: unknown option 'progres'; did you mean 'progress'?"},
        {"case c without atomic-claim verdict-token violates single-claim and no-lost-job", ""},
        {"case c holds and progress and no-zombie-write", ""},
    };
    CHECK_SLIPS(slips, line_said);
}

TEST("a file of queues prints as a fixed point")
{
    static const char text[] =
        "fencepost 1\ncase a without lease-covers-work  holds\nqueue  jobs lease 30.0s\n      [ a ]attempts   3\n      "
        "  renew 1000ms\n"
        "      job \"a \\\"b\\\"\"   \"c\"  # two\n   [a]  job \"d\"\nnode w1\nw1:\n"
        "     claim jobs 10   as batch\n     for job  in batch :\n          work 2000ms for job\n"
        "     requeue  job \"c\"\nat end : expect  job \"c\"  running by w1\n"
        "before w1 requeues  \"c\" #2:heal\n";
    static const char canonical[] =
        "fencepost 1\ncase a without lease-covers-work holds\nqueue jobs lease 30s\n  [a] attempts 3\n    renew 1s\n"
        "  job \"a \\\"b\\\"\" \"c\"  # two\n  [a] job \"d\"\nnode w1\nw1:\n"
        "  claim jobs 10 as batch\n  for job in batch:\n    work 2s for job\n"
        "  requeue job \"c\"\nat end: expect job \"c\" running by w1\n"
        "before w1 requeues \"c\" #2: heal\n";
    check_prints(text, canonical);
}
