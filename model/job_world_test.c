/* SPDX-License-Identifier: MIT
 *
 * job_world_test.c - the plan behind job_world.h, and what the invariants take from it before anything happens.
 */
#include "model/job_world.h"

#include "sim/test.h"

static const char *const name_text[NAMES] = {
    [LEADER] = "leader",
    [JOBS] = "jobs",
    [TASKS] = "tasks",
    [LATCH] = "latch",
    [PLAIN] = "plain",
    [INVOICE] = "invoice-42",
    [INVOICE_QUOTED] = "\"invoice-42\"",
    [W1] = "w1",
    [W1_QUOTED] = "\"w1\"",
    [MAIL] = "mail-9",
    [MAIL_QUOTED] = "\"mail-9\"",
    [W1_CHECKIN] = "w1.checkin",
    [W2] = "w2",
    [REAPER] = "r",
    [TASK_42] = "tasks/42",
    [TASK_43] = "tasks/43",
    [TASK_44] = "tasks/44",
    [LATCH_A] = "latch/a",
    [PLAIN_P] = "plain/p",
    [CELL_FIRST] = "tasks/42.owner",
    "tasks/42.token",
    "tasks/42.until",
    "tasks/42.state",
    "tasks/43.owner",
    "tasks/43.token",
    "tasks/43.until",
    "tasks/43.state",
    "tasks/44.owner",
    "tasks/44.token",
    "tasks/44.until",
    "tasks/44.state",
    "latch/a.owner",
    "latch/a.until",
    "plain/p.n",
    [WORD_READY] = "ready",
    [WORD_DONE] = "done",
    [WORD_DEAD] = "dead",
    [FAILED_WHY] = "failed",
    [EXPIRED_WHY] = "expired",
    [OPERATOR_WHY] = "operator",
    [ENQUEUED_WHY] = "enqueued",
    [REFUSED] = "refused",
    [CHARGE] = "charge card",
    [KEY_42] = "42",
    [LEDGER] = "ledger",
    [WALL_TEXT] = "w1 - jobs",
};

static const struct thread_plan threads[THREADS] = {{.name = LEADER, .process = 0}, {.name = JOBS, .process = 1},
                                                    {.name = TASKS, .process = 2},  {.name = LATCH, .process = 3},
                                                    {.name = PLAIN, .process = 4},  {.name = LEDGER, .process = 5},
                                                    {.name = W1, .process = 6},     {.name = W1_CHECKIN, .process = 6},
                                                    {.name = W2, .process = 7},     {.name = REAPER, .process = 8}};
static const struct process_plan processes[PROCESSES] = {{LEADER, 0, 0, 1}, {JOBS, 1, 1, 1},  {TASKS, 2, 2, 1},
                                                         {LATCH, 3, 3, 1},  {PLAIN, 4, 4, 1}, {LEDGER, 5, 5, 1},
                                                         {W1, 6, 6, 2},     {W2, 7, 8, 1},    {REAPER, 8, 9, 1}};
static const struct actor actors[THREADS] = {{ACTOR_CENTRAL, NONE16, 0, 0}, {ACTOR_QUEUE, NONE16, 1, 0},
                                             {ACTOR_TABLE, NONE16, 2, 0},   {ACTOR_TABLE, NONE16, 3, 0},
                                             {ACTOR_TABLE, NONE16, 4, 0},   {ACTOR_STORE, NONE16, 5, 0},
                                             {ACTOR_CLIENT, 0, NONE16, 0},  {ACTOR_CLIENT, 1, NONE16, 0},
                                             {ACTOR_CLIENT, 2, NONE16, 0},  {ACTOR_CLIENT, 3, NONE16, 0}};
static const struct service_plan services[SERVICES] = {
    {.thread = 0}, {.thread = 1}, {.thread = 2}, {.thread = 3, .table = 1}, {.thread = 4, .table = 2}, {.thread = 5}};
static const struct client_plan clients[CLIENTS] = {
    {.thread = T_W1}, {.thread = T_CHECKIN}, {.thread = T_W2}, {.thread = T_REAPER}};

static const struct lock_plan locks[1] = {{.name = LEADER, .kind = LOCK_CENTRAL, .service = 0, .ttl = TTL}};
static const struct queue_plan queues[1] = {{.name = JOBS, .service = 1, .first_job = 0, .jobs = 3, .lease = LEASE}};
static const struct job_plan jobs[3] = {
    {INVOICE, INVOICE_QUOTED, 0, 1}, {W1, W1_QUOTED, 0, 1}, {MAIL, MAIL_QUOTED, 0, 0}};
static const struct table_plan tables[3] = {{.name = TASKS,
                                             .service = 2,
                                             .kind = TABLE_QUEUE,
                                             .columns = COLUMNS,
                                             .rows = 3,
                                             .owner = OWNER,
                                             .token = TOKEN,
                                             .until = UNTIL,
                                             .state = STATE,
                                             .done = {0, 2}},
                                            {.name = LATCH,
                                             .service = 3,
                                             .kind = TABLE_LOCK,
                                             .first_column = 4,
                                             .columns = 2,
                                             .first_row = 3,
                                             .rows = 1,
                                             .owner = 0,
                                             .token = NONE16,
                                             .until = 1,
                                             .state = NONE16,
                                             .first_cell = 12},
                                            {.name = PLAIN,
                                             .service = 4,
                                             .kind = TABLE_PLAIN,
                                             .first_column = 6,
                                             .columns = 1,
                                             .first_row = 4,
                                             .rows = 1,
                                             .owner = NONE16,
                                             .token = NONE16,
                                             .until = NONE16,
                                             .state = NONE16,
                                             .first_cell = 14}};
static const struct row_plan rows[5] = {
    {TASK_42, KEY_42, 0, 1}, {TASK_43, 0, 0, 1}, {TASK_44, 0, 0, 0}, {LATCH_A, 0, 1, 1}, {PLAIN_P, 0, 2, 1}};
static const struct word_value words[2] = {{WORD_DONE, TAG_TEXT}, {WORD_DEAD, TAG_TEXT}};
static const struct store_plan stores[1] = {{.name = LEDGER, .service = 5, .registers = 1, .guard = NONE16}};
static const struct register_plan registers[1] = {{.name = LEDGER, .lone = 1}};

/* The state of the first two rows; the other cells are none at the start. */
static const struct cell_plan cells[CELLS] = {
    {.name = CELL_FIRST + 0},  {.name = CELL_FIRST + 1},
    {.name = CELL_FIRST + 2},  {.name = CELL_FIRST + 3, .tag = TAG_TEXT, .v = WORD_READY},
    {.name = CELL_FIRST + 4},  {.name = CELL_FIRST + 5},
    {.name = CELL_FIRST + 6},  {.name = CELL_FIRST + 7, .tag = TAG_TEXT, .v = WORD_DONE},
    {.name = CELL_FIRST + 8},  {.name = CELL_FIRST + 9},
    {.name = CELL_FIRST + 10}, {.name = CELL_FIRST + 11},
    {.name = CELL_FIRST + 12}, {.name = CELL_FIRST + 13},
    {.name = CELL_FIRST + 14}};

static const struct sim_plan sim = {
    .n_processes = PROCESSES, .n_threads = THREADS, .processes = processes, .threads = threads};
static const struct model_plan model = {.lease_clock = CLOCK_BOOTTIME,
                                        .n_services = SERVICES,
                                        .n_clients = CLIENTS,
                                        .n_locks = 1,
                                        .n_stores = 1,
                                        .n_registers = 1,
                                        .n_queues = 1,
                                        .n_jobs = 3,
                                        .n_tables = 3,
                                        .n_columns = 7,
                                        .n_rows = 5,
                                        .n_cells = CELLS,
                                        .columns_max = COLUMNS,
                                        .actor_of = actors,
                                        .services = services,
                                        .clients = clients,
                                        .locks = locks,
                                        .stores = stores,
                                        .registers = registers,
                                        .queues = queues,
                                        .jobs = jobs,
                                        .tables = tables,
                                        .rows = rows,
                                        .cells = cells,
                                        .words = words,
                                        .calls = 4,
                                        .effects = 4,
                                        .why_failed = FAILED_WHY,
                                        .why_expired = EXPIRED_WHY,
                                        .why_operator = OPERATOR_WHY,
                                        .why_enqueued = ENQUEUED_WHY,
                                        .error_name = {[ERR_REFUSED] = REFUSED}};

void job_world_begins(struct world *w) { world_of(w, name_text, NAMES, &sim, &model); }

TEST("a job's text is no node's name, and a row of a plain table can be granted to nobody")
{
    static struct world w;
    job_world_begins(&w);
    CHECK_EQ(w.rows[W1].job, 2);
    CHECK_EQ(w.rows[W1].lock, NONE16);
    CHECK_EQ(judge_lock(&w.j, W1_QUOTED), 2);
    CHECK_EQ(judge_lock(&w.j, INVOICE), NONE16);
    CHECK_EQ(judge_lock(&w.j, TASK_42), 4);
    CHECK_EQ(judge_lock(&w.j, LATCH_A), 7);
    CHECK_EQ(judge_lock(&w.j, PLAIN_P), NONE16);
    CHECK_EQ(judge_register(&w.j, CELL_PLAIN), 15);
    CHECK_EQ(w.rows[JOBS].queue, 0);
    CHECK_EQ(w.rows[LATCH].table, 1);
    CHECK_EQ(w.rows[W2].client, 2);
    CHECK(judge_is_job(&w.j, 1) && judge_is_job(&w.j, 4) && !judge_is_job(&w.j, 7) && !judge_is_job(&w.j, 8));
}

TEST("a job is there from the start if it is listed, and finished if its row says so")
{
    static struct world w;
    job_world_begins(&w);
    CHECK_EQ(judge_phase(&w.j, 1), INV_OPEN);
    CHECK_EQ(judge_phase(&w.j, 3), INV_ABSENT);
    CHECK_EQ(judge_phase(&w.j, 4), INV_OPEN);
    CHECK_EQ(judge_phase(&w.j, 5), INV_FINAL);
    CHECK_EQ(judge_phase(&w.j, 6), INV_ABSENT);
}

TEST("a case without jobs has no memory for them: a word a client more, and little else")
{
    static struct world w;
    job_world_begins(&w);
    uint32_t with = model_bytes(&w.model);
    w.model.n_jobs = 0;
    CHECK(model_bytes(&w.model) < with);
    CHECK_EQ(sizeof(struct inv_asker), 16);
}
