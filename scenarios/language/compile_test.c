/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "scenarios/language/compiling.h"
#include "scenarios/language/reading.h"
#include "sim/test.h"

#define HEAD "fencepost 1\ncase a holds\nlock leader central ttl 10s\nstore ledger\nnode w1\n"

TEST("the example compiles to the plan that its words say")
{
    const struct compiled *c = plan_of(reading_example, 1);
    if (c == NULL)
        return;
    CHECK_STR(c->name, "checked");
    CHECK_EQ(c->line, 7);
    CHECK(c->violates);
    CHECK_EQ(c->n_expected, 1);
    CHECK_EQ(c->expected[0].invariant, INV_NO_STALE_WRITE);
    CHECK_EQ(c->expected[0].by, NONE16);
    CHECK_EQ(c->expected[0].from, -1);
    CHECK_EQ(c->model.removed, 1u << GATE_STORE_TOKEN);
    CHECK_EQ(c->model.lease_clock, CLOCK_BOOTTIME);
    check_ops(c, OPS(OP_ACQUIRE, OP_WORK, OP_WRITE, OP_END, OP_WAIT, OP_ACQUIRE, OP_WRITE, OP_END));
    CHECK_EQ(c->model.code[1].duration, NS_PER_S);
    CHECK_EQ(c->model.code[2].line, 17);
    const struct lock_plan *lock = &c->model.locks[0];
    CHECK_EQ(lock->ttl, 10 * NS_PER_S);
    CHECK_EQ(lock->margin, NS_PER_S / 10);
    CHECK_EQ(lock->renew, INT64_C(3333333333));
    CHECK_EQ(c->model.stores[0].guard, 0);
    CHECK_EQ(c->sim.n_triggers, 1);
    CHECK_EQ(c->trigger_line[0], 25);
    CHECK(c->sim.triggers[0].before && c->sim.triggers[0].verb == V_WRITES);
    CHECK_STR(name(c, c->sim.triggers[0].actor), "w1");
    CHECK_STR(name(c, c->sim.triggers[0].object), "ledger");
    const struct fault_plan *f = &c->sim.faults[0];
    CHECK(f->kind == FAULT_PAUSE && f->at == -1 && f->duration == 12 * NS_PER_S && f->a.n == 1);
    CHECK_EQ(c->n_expectations, 2);
    CHECK_EQ(c->expectations[0].time, 13 * NS_PER_S);
    CHECK_EQ(c->expectations[1].when, EXPECT_END);
    CHECK(c->sim.model_bytes > 0 && c->sim.model_bytes % 8 == 0);
}

TEST("threads, clients and services keep the order that the plan promises")
{
    const struct compiled *c = plan_of("fencepost 1\ncase a holds\nstore seen at witness\n"
                                       "lock chief quorum voters 3 ttl 9s\nlock plain central ttl 1s at w1\n"
                                       "w1.second:\n  acquire plain\n  keep plain\n"
                                       "w1:\n  acquire chief\n  keep chief\n  write seen/a 1\n"
                                       "node w1 w2\nat 1s: pause w2\n",
                                       0);
    static const char *const threads[] = {
        "w1", "w1.second", "w1.keeper", "w1.second.keeper", "w2", "chief.1", "chief.2", "chief.3", "plain", "seen"};
    static const uint16_t kinds[] = {ACTOR_CLIENT, ACTOR_CLIENT, ACTOR_CLIENT, ACTOR_CLIENT,  ACTOR_IDLE,
                                     ACTOR_VOTER,  ACTOR_VOTER,  ACTOR_VOTER,  ACTOR_CENTRAL, ACTOR_STORE};
    if (c == NULL)
        return;
    CHECK_EQ(c->sim.n_threads, 10);
    for (uint32_t i = 0; i < 10 && i < c->sim.n_threads; i++) {
        CHECK_STR(name(c, c->sim.threads[i].name), threads[i]);
        CHECK_EQ(c->model.actor_of[i].kind, kinds[i]);
        CHECK_EQ(c->sim.threads[i].starts, i < 2);
        CHECK_STR(name(c, c->sim.threads[i].alone), i == 0 ? "w1.main" : threads[i]);
    }
    CHECK_EQ(c->model.n_clients, 4);
    CHECK(c->model.clients[0].keeper == 2 && c->model.clients[1].keeper == 3);
    CHECK(c->model.clients[2].keeps_for == 0 && c->model.clients[3].keeps_for == 1);
    CHECK_EQ(c->model.locks[0].service, 0);
    CHECK_EQ(c->model.locks[0].voters, 3);
    CHECK_EQ(c->model.services[2].voter, 2);
    CHECK_EQ(c->model.stores[0].service, 4);
    CHECK_EQ(c->model.stores[0].guard, NONE16); /* two locks: none is implied */
    CHECK_EQ(c->sim.n_conns, 2 * 4 * 5);
    uint16_t plain = c->sim.threads[8].process, w1 = c->sim.threads[0].process;
    CHECK_EQ(c->sim.processes[plain].machine, c->sim.processes[w1].machine);
    CHECK_STR(name(c, c->sim.machines[c->sim.processes[c->sim.threads[9].process].machine].name), "witness");
    CHECK_EQ(c->sim.n_machines, 6);
}

TEST("a handler's code ends behind its step; a program's own in resume")
{
    const struct compiled *c = plan_of(
        "fencepost 1\ncase a holds\nlock leader central ttl 10s\nnode w1\nw1:\n  on lease-lost:\n    stop\n"
        "  acquire leader\n  on timeout: go on\n  on refused:\n    work 1s\n"
        "  work 2s\n",
        0);
    if (c == NULL)
        return;
    check_ops(c, OPS(OP_ACQUIRE, OP_JUMP, OP_JUMP, OP_WORK, OP_JUMP, OP_WORK, OP_END, OP_STOP, OP_RESUME));
    const struct instr *code = c->model.code;
    CHECK_EQ(code[0].handlers.n, 2);
    const struct handler *h = &c->model.handlers[code[0].handlers.first];
    CHECK(h[0].error == ERR_TIMEOUT && h[0].code == 2);
    CHECK(h[1].error == ERR_REFUSED && h[1].code == 3);
    CHECK(code[1].jump == 5 && code[2].jump == 5 && code[4].jump == 5);
    CHECK_EQ(c->model.clients[0].handlers.n, 1);
    CHECK_EQ(c->model.handlers[c->model.clients[0].handlers.first].code, 7);
    CHECK_EQ(code[5].handlers.n, 0);
}

TEST("if, else and repeat jump where their lines end")
{
    const struct compiled *c = plan_of("fencepost 1\ncase a holds\nuntil 5m\nstore ledger\nnode w1\n"
                                       "w1:\n  read ledger as x\n  if x = 3:\n    stop\n  else:\n    work 1s\n"
                                       "  repeat 2:\n    work 2s\n  repeat every 2s:\n    work 3s\n",
                                       0);
    if (c == NULL)
        return;
    check_ops(c, OPS(OP_READ, OP_UNLESS, OP_STOP, OP_JUMP, OP_WORK, OP_LOOP_INIT, OP_LOOP_NEXT, OP_WORK, OP_JUMP,
                     OP_EVERY_INIT, OP_WORK, OP_EVERY_NEXT, OP_END));
    const struct instr *code = c->model.code;
    CHECK_EQ(code[1].jump, 4);
    CHECK_EQ(code[3].jump, 5);
    CHECK_EQ(code[6].jump, 9);
    CHECK_EQ(code[8].jump, 6);
    CHECK_EQ(code[11].jump, 10);
    CHECK_EQ(code[11].duration, 2 * NS_PER_S);
    CHECK_EQ(c->model.clients[0].vars, 3);
    CHECK_EQ(c->sim.horizon, 300 * NS_PER_S);
}

TEST("operators bind as the language says, and constants are folded")
{
    const struct compiled *c = plan_of("fencepost 1\ncase a holds\nstore ledger\nnode w1\nw1:\n  read ledger as x\n"
                                       "  if not x = 1 + 2 and x < 5 or x - 1 - 1 != none:\n    work 1s + 500ms\n"
                                       "  write ledger -(x + 1) - -3\n",
                                       0);
    if (c == NULL)
        return;
    check_expr(c, c->model.code[1].expr,
               CODES(EX_VAR, EX_CONST, EX_EQ, EX_NOT, EX_VAR, EX_CONST, EX_LT, EX_AND, EX_VAR, EX_CONST, EX_SUB,
                     EX_CONST, EX_SUB, EX_CONST, EX_NE, EX_OR));
    CHECK_EQ(c->model.exprs[c->model.code[1].expr + 1].imm, 3);
    CHECK_EQ(c->model.code[2].duration, 1500 * NS_PER_MS);
    CHECK_EQ(c->model.code[2].expr, NONE32);
    check_expr(c, c->model.code[3].expr, CODES(EX_VAR, EX_CONST, EX_ADD, EX_NEG, EX_CONST, EX_SUB));
}

static int64_t folded(const char *expr)
{
    char text[256];
    snprintf(text, sizeof text, "fencepost 1\ncase a holds\nstore s\nnode w1\nw1:\n  write s %s\n", expr);
    const struct compiled *c = plan_of(text, 0);
    uint32_t first = c == NULL ? NONE32 : c->model.code[0].expr;
    if (c == NULL || c->model.exprs[first].code != EX_CONST || c->model.exprs[first + 1].code != EX_END)
        return -999;
    return c->model.exprs[first].imm;
}

TEST("constants are worked out when the file is read, up to the last number there is")
{
    CHECK_EQ(folded("1 + 2 - 5"), -2);
    CHECK_EQ(folded("-(2 + 3)"), -5);
    CHECK_EQ(folded("9223372036854775806 + 1"), INT64_MAX);
    CHECK_EQ(folded("-9223372036854775807 - 1"), INT64_MIN);
    CHECK_EQ(folded("0 - 9223372036854775807 - 1 + 1"), -INT64_MAX);
    CHECK_EQ(folded("1m - 1s"), 59 * NS_PER_S);
    CHECK_EQ(folded("1 = 1"), 1);
    CHECK_EQ(folded("1 != 1"), 0);
    CHECK_EQ(folded("1 < 2"), 1);
    CHECK_EQ(folded("2 <= 1"), 0);
    CHECK_EQ(folded("2 > 1 and 1 >= 1"), 1);
    CHECK_EQ(folded("1 = 2 or not 1 = 2"), 1);
    CHECK_EQ(folded("1 = none"), -999); /* left to the run */
}

TEST("require reads what it names first, each register once")
{
    const struct compiled *c = plan_of(
        HEAD "w1:\n  acquire leader as first\n"
             "  require ledger.token < first.token + 1 and ledger/x = 3 and ledger/x.token > 0\n"
             "  write ledger/y 1\n",
        0);
    if (c == NULL)
        return;
    check_ops(c, OPS(OP_ACQUIRE, OP_READ, OP_READ, OP_REQUIRE, OP_WRITE, OP_END));
    CHECK_STR(name(c, c->model.registers[c->model.code[1].reg].name), "ledger");
    CHECK_STR(name(c, c->model.registers[c->model.code[2].reg].name), "ledger/x");
    CHECK(c->model.registers[c->model.code[1].reg].lone);
    CHECK_EQ(c->model.code[1].jump, 4); /* behind the whole step */
    check_expr(c, c->model.code[3].expr,
               CODES(EX_VAR_TOKEN, EX_VAR_TOKEN, EX_CONST, EX_ADD, EX_LT, EX_VAR, EX_CONST, EX_EQ, EX_AND, EX_VAR_TOKEN,
                     EX_CONST, EX_GT, EX_AND));
    CHECK_EQ(c->model.stores[0].registers, 3);
}

TEST("the registers of a store are consecutive, in whatever order they are used")
{
    const struct compiled *c = plan_of("fencepost 1\ncase a holds\nstore a\nstore b\nnode w1\nw1:\n  write b/x 1\n"
                                       "  write a/x 1\n  write b/y 1\n  write a 1\nat end: expect b/y = 1\n",
                                       0);
    static const char *const names[] = {"a/x", "a", "b/x", "b/y"};
    if (c == NULL)
        return;
    for (uint32_t i = 0; i < 4; i++)
        CHECK_STR(name(c, c->model.registers[i].name), names[i]);
    CHECK_EQ(c->model.stores[1].first_register, 2);
    CHECK_EQ(c->model.code[0].reg, 2);
    CHECK_EQ(c->model.code[2].reg, 3);
    CHECK_EQ(c->model.exprs[c->expectations[0].expr].arg, 3);
}

TEST("steps carry their options")
{
    const struct compiled *c = plan_of(
        HEAD "w1:\n  acquire leader within 5s as f\n  acquire leader try\n"
             "  write ledger/x 1 if unchanged for leader\n  write ledger/x 1 token 5\n"
             "  delete ledger/x\n  fence ledger token f.token\n  effect \"e\" key me\n"
             "  ping ledger within 3s\n  ping leader\n  wait until 11s\n  work 1s for leader\n"
             "  let t = wall\n  work t - t\n  force-release leader\n  stop\n",
        0);
    if (c == NULL)
        return;
    const struct instr *k = c->model.code;
    CHECK(k[0].mode == ACQUIRE_WITHIN && k[0].duration == 5 * NS_PER_S && k[0].var == 0);
    CHECK(k[1].mode == ACQUIRE_TRY && k[1].var == NONE16);
    CHECK(k[2].flags == WRITE_IF_UNCHANGED && k[2].for_lock == 0 && k[2].token_expr == NONE32);
    CHECK(k[3].flags == WRITE_TOKEN_EXPR && c->model.exprs[k[3].token_expr].imm == 5);
    CHECK(k[4].op == OP_DELETE && k[5].op == OP_FENCE && k[5].store == 0);
    CHECK(c->model.exprs[k[6].expr].code == EX_ME);
    CHECK_STR(name(c, k[6].text), "e");
    CHECK(k[7].duration == 3 * NS_PER_S && k[8].duration == REQUEST_TIMEOUT_NS);
    CHECK_STR(name(c, c->sim.processes[k[8].process].name), "leader");
    CHECK(k[9].op == OP_WAIT_UNTIL && k[9].duration == 11 * NS_PER_S);
    CHECK_EQ(k[10].for_lock, 0);
    CHECK(k[12].expr != NONE32 && k[13].op == OP_FORCE_RELEASE && k[14].op == OP_STOP);
}

TEST("options of locks, stores and nodes reach the plan, in any order of declaration")
{
    const struct compiled *c = plan_of(
        "fencepost 1\ncase a without safe-clock strict-majority monotonic-token with clock wall token random count "
        "reachable holds and single-actor\n"
        "store s marks per key forgets requests guarded by l at w1\n"
        "lock l quorum voters 5 lock-delay 15s renew 1s service-margin 2s margin 3s ttl 10s\n"
        "node w1 wall -3s drift +0.5ppm identity \"host-7\"\nsync 5ms\nnet delay 2ms..3ms\n"
        "net w1 - l.1 l.2 delay 7ms datagram\nlimit messages 500\nlimit events 2000\n"
        "w1:\n  acquire l\n  write s/k 1\n",
        0);
    if (c == NULL)
        return;
    const struct lock_plan *l = &c->model.locks[0];
    CHECK(l->kind == LOCK_QUORUM && l->voters == 5 && l->ttl == 10 * NS_PER_S && l->renew == NS_PER_S);
    CHECK(l->margin == 3 * NS_PER_S && l->service_margin == 2 * NS_PER_S && l->lock_delay == 15 * NS_PER_S);
    CHECK(c->model.stores[0].marks_per_key && c->model.stores[0].forgets && c->model.stores[0].guard == 0);
    CHECK(c->sim.machines[0].wall_offset == -3 * NS_PER_S && c->sim.machines[0].ppb == 500);
    CHECK_STR(name(c, c->model.identity[0]), "host-7");
    CHECK(c->model.identity[1] == NONE16);
    CHECK(c->sim.sync_ns == 5 * NS_PER_MS && c->sim.link_default.delay_max == 3 * NS_PER_MS);
    CHECK_EQ(c->sim.n_links, 4);
    CHECK(c->sim.links[0].datagram && c->sim.links[0].delay_min == 7 * NS_PER_MS);
    CHECK(c->sim.limits.messages == 500 && c->sim.limits.steps == 2000);
    CHECK(c->model.lease_clock == CLOCK_WALL && c->model.token_mode == TOKEN_RANDOM);
    CHECK(c->model.count_mode == COUNT_REACHABLE);
    CHECK_EQ(c->signs, 1u << INV_SINGLE_ACTOR);
}

TEST("a main thread is struck alone under a name of its own")
{
    const struct compiled *c = plan_of(with_line("at 1s: pause w1.main for 2s\nafter w1.main resumes: messages first\n"
                                                 "may pause w1.main up to 3s\nat end: expect w1.main pauses for 2s"),
                                       0);
    if (c == NULL)
        return;
    const struct fault_plan *f = c->sim.faults;
    CHECK(f[0].kind == FAULT_PAUSE && f[0].a.n == 1 && f[0].thread == c->model.clients[0].thread);
    CHECK_STR(name(c, c->sim.threads[f[0].thread].name), "w1");
    CHECK_STR(name(c, c->sim.threads[f[0].thread].alone), "w1.main");
    CHECK(f[1].kind == FAULT_RESUME_ORDER && f[1].order == RESUME_MESSAGES_FIRST && f[1].a.n == 1);
    CHECK(c->sim.triggers[0].actor == c->sim.threads[f[0].thread].alone);
    CHECK(c->expectations[0].pattern.actor == c->sim.triggers[0].actor);
}

TEST("faults strike whom their names stand for")
{
    const struct compiled *c = plan_of(
        "fencepost 1\ncase a holds\nlock l quorum voters 3 ttl 10s\nstore w1\nstore seen at box\nnode w1 w2\n"
        "group east = w1 l.1\n"
        "w1:\n  acquire l\n  keep l\n  write w1 1\n  write seen 1\nw2:\n  acquire l\n"
        "at 1s: pause w1 for 2s\nat 2s: crash l for 1s losing everything\nat 3s: pause w1.keeper\n"
        "at 4s: suspend box east\nat 5s: partition east | w2 l.2 for 30s holding\nat 6s: cut w1 - w2\n"
        "at 7s: delay w2 -> l.1 #3 by 14s\nafter w1 resumes: timers first\nat 8s: clock w2 slews -2s over 10m\n"
        "at 9s: slow seen by 3s for 10s\nat 10s: clock w2 drifts -500ppm\nat 11s: heal\n",
        0);
    if (c == NULL)
        return;
    const struct fault_plan *f = c->sim.faults;
    CHECK(f[0].kind == FAULT_PAUSE && f[0].a.n == 2 && f[0].thread == NONE16); /* the program and the store w1 */
    CHECK(f[1].kind == FAULT_CRASH && f[1].a.n == 3 && f[1].losing == LOSING_EVERYTHING);
    CHECK(f[2].thread != NONE16 && f[2].duration == NS_NEVER);
    CHECK_STR(name(c, c->sim.threads[f[2].thread].name), "w1.keeper");
    CHECK(f[3].kind == FAULT_SUSPEND && f[3].a.n == 3);
    CHECK(f[4].kind == FAULT_PARTITION && f[4].a.n == c->sim.n_machines && f[4].holding);
    CHECK_STR(name(c, f[4].text), "east | w2 l.2");
    static const uint16_t sides[] = {1, 2, 1, 2, 0, 0}; /* w1 w2 l.1 l.2 l.3 box */
    for (uint32_t i = 0; i < 6; i++)
        CHECK_EQ(c->sim.ids[f[4].a.first + i], sides[i]);
    CHECK(f[5].kind == FAULT_CUT && f[5].both_ways && f[5].a.n == 2 && f[5].b.n == 1);
    CHECK_STR(name(c, f[5].text), "w1 - w2");
    CHECK(f[6].kind == FAULT_DELAY && f[6].ordinal == 3 && f[6].amount == 14 * NS_PER_S);
    CHECK(f[7].kind == FAULT_RESUME_ORDER && f[7].order == RESUME_TIMERS_FIRST && f[7].at == -1);
    CHECK_EQ(c->sim.triggers[0].fault, 7);
    CHECK(f[8].kind == FAULT_SLEW && f[8].amount == -2 * NS_PER_S && f[8].duration == 600 * NS_PER_S);
    CHECK(f[9].kind == FAULT_SLOW && f[9].amount == 3 * NS_PER_S && f[9].duration == 10 * NS_PER_S);
    CHECK(f[10].kind == FAULT_DRIFT && f[10].ppb == -500000);
    CHECK_EQ(f[11].kind, FAULT_HEAL);
}

static const struct expectation *expected(const char *what) { return last_expectation(plan_of(with_line(what), 0)); }

TEST("a line of the printed trace stands behind expect, with all of its details or some")
{
    const struct expectation *e = expected(
        "at end: expect 13.005s  ledger commits w1 token 1 key ledger/x \"from w1\"");
    if (e == NULL)
        return;
    CHECK_EQ(e->what, EXPECT_EVENT);
    CHECK_EQ(e->pattern.at, 13005 * NS_PER_MS);
    CHECK_STR(name(planned.compiled, e->pattern.actor), "ledger");
    CHECK_EQ(e->pattern.verb, V_COMMITS);
    CHECK_STR(name(planned.compiled, e->pattern.object), "w1");
    CHECK_EQ(e->pattern.n_fields, 3);
    CHECK(e->pattern.which[0] == 0 && e->pattern.tag[0] == TAG_INT && e->pattern.value[0] == 1);
    CHECK(e->pattern.which[1] == 1 && e->pattern.tag[1] == TAG_NAME);
    CHECK(e->pattern.which[2] == 2 && e->pattern.tag[2] == TAG_TEXT);
    e = expected("at end: expect not ledger commits w1 12");
    CHECK(e != NULL && e->negated && e->pattern.n_fields == 1 && e->pattern.which[0] == 2);
    e = expected("at 1s: expect w1 effects \"charge card\" key \"k\"");
    CHECK(e != NULL && e->pattern.object == NONE16 && e->pattern.n_fields == 2 && e->pattern.tag[0] == TAG_TEXT);
    e = expected("at 1s: expect net cuts \"w1 -> ledger\" for 5s");
    CHECK(e != NULL && e->pattern.n_fields == 2 && e->pattern.tag[1] == TAG_NS);
    e = expected("at 1s: expect w1 jumps by -1h");
    CHECK(e != NULL && e->pattern.n_fields == 1 && e->pattern.value[0] == -3600 * NS_PER_S);
    e = expected("at 1s: expect leader.1 crashes for 2s losing unsynced");
    CHECK(e != NULL && e->pattern.n_fields == 2 && e->pattern.tag[1] == TAG_NAME);
    e = expected("at 1s: expect w1 requires true");
    CHECK(e != NULL && e->pattern.n_fields == 1 && e->pattern.tag[0] == TAG_BOOL && e->pattern.value[0] == 1);
    e = expected("at 1s: expect leader.1 refuses w2 refused epoch 3");
    CHECK(e != NULL && e->pattern.n_fields == 2 && e->pattern.which[1] == 2);
}

TEST("a note can be pasted with its parentheses, and is told apart from a condition in parentheses")
{
    static const struct {
        const char *line;
        uint16_t verb, fields;
    } rows[] = {
        {"at 13s: expect 9.006s  (w2 believes leader token 2)", V_BELIEVES, 1},
        {"at 13s: expect not      9.900s  (w1 doubts leader token 1)", V_DOUBTS, 1},
        {"at 13s: expect 9.9s (leader.1 lapses w1 token 1)", V_LAPSES, 1},
        {"at 13s: expect 9.9s (w1 acts leader token 1)", V_ACTS, 1},
        {"at 13s: expect 9.9s (w1 rests leader)", V_RESTS, 0},
        {"at 13s: expect 9.9s (w1 hears leader.1 grant)", V_HEARS, 1},
        {"at 13s: expect 9.9s (leader.1 receives from w1 what ask)", V_RECEIVES, 2},
        {"at 13s: expect 9.9s (w1 ends)", V_ENDS, 0},
        {"at 13s: expect 9.9s w1 ends", V_ENDS, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct expectation *e = expected(rows[i].line);
        CHECK(e != NULL && e->what == EXPECT_EVENT && e->pattern.verb == rows[i].verb && e->pattern.at >= 0);
        CHECK(e != NULL && e->pattern.n_fields == rows[i].fields);
    }
    const struct expectation *e = expected("at 13s: expect (w2 believes leader) and (ledger = 1)");
    CHECK(e != NULL && e->what == EXPECT_EXPR);
    CHECK_STR(line_problem("at 1s: expect 1s (w1 ends"), "1:26: expected ')', found the end of the line");
    CHECK_STR(line_problem("at 1s: expect 1s w1 ends)"), "1:25: expected the end of the line, found ')'");
    CHECK_STR(line_problem("at 1s: expect w1 ends"), "1:18: unknown verb 'ends'; did you mean 'reads'?");
}

TEST("every other form of expectation compiles")
{
    const struct expectation *e = expected("at 13s: expect w2 holds leader");
    CHECK(e != NULL && e->what == EXPECT_EXPR && planned.compiled->model.exprs[e->expr].code == EX_HOLDS);
    e = expected("at 13s: expect not w2 believes leader and ledger = 1");
    CHECK(e != NULL && e->negated && e->what == EXPECT_EXPR);
    e = expected("at end: expect token leader = 34");
    CHECK(e != NULL && planned.compiled->model.exprs[e->expr].code == EX_LOCK_TOKEN);
    e = expected("at end: expect ledger = w1");
    CHECK(e != NULL && planned.compiled->model.exprs[e->expr + 1].tag == TAG_NAME);
    e = expected("at end: expect ledger.token <= 5");
    CHECK(e != NULL && planned.compiled->model.exprs[e->expr].code == EX_MARK);
    e = expected("at end: expect effect \"charge card\" once");
    CHECK(e != NULL && e->what == EXPECT_EFFECT && e->count == 1);
    e = expected("at end: expect effect \"charge card\" 2 times");
    CHECK(e != NULL && e->count == 2);
    e = expected("at 3s: expect no leader among leader.1 leader.2 w1");
    CHECK(e != NULL && e->what == EXPECT_NO_LEADER && e->ids.n == 3);
    e = expected("always: expect not ledger = 7");
    CHECK(e != NULL && e->when == EXPECT_ALWAYS);
    e = expected("after ledger commits w2 #2: expect ledger = 1\nwithin 20s: expect w2 acquires leader");
    CHECK(e != NULL && e->when == EXPECT_WITHIN && e->anchor == 0 && e->time == 20 * NS_PER_S);
    CHECK(planned.compiled != NULL && planned.compiled->expectations[0].trigger == 0 &&
          planned.compiled->sim.triggers[0].ordinal == 2);
    CHECK(planned.compiled != NULL && planned.compiled->sim.triggers[0].fault == NONE32);
}

/* --- cases, gates, params ----------------------------------------------------------------------------- */

static const char gated[] = "fencepost 1\n"
                            "scenario \"t\"\n"
                            "  decided-by store-token\n"
                            "case bad without store-token violates no-stale-write by w1 at 1s..2s and single-actor\n"
                            "case good holds\n"
                            "store ledger\n"
                            "node w1\n"
                            "param ttl = 10s\n"
                            "w1:\n"
                            "  [bad] work 1s\n"
                            "  [store-token] work 2s\n"
                            "  [-store-token] work 3s\n"
                            "  [good] repeat 2:\n"
                            "    work 4s\n"
                            "  wait ttl\n"
                            "  write ledger 1\n"
                            "    [store-token] token 5\n";

static int64_t seconds_of(const struct compiled *c, uint32_t i)
{
    return i < c->model.n_code ? c->model.code[i].duration / NS_PER_S : -1;
}

TEST("a line stands for the cases and gates in its brackets, a statement's rest too")
{
    const struct compiled *c = plan_of(gated, 0);
    if (c == NULL)
        return;
    check_ops(c, OPS(OP_WORK, OP_WORK, OP_WAIT, OP_WRITE, OP_END));
    CHECK(seconds_of(c, 0) == 1 && seconds_of(c, 1) == 3);
    CHECK_EQ(c->model.code[3].token_expr, NONE32);
    CHECK_EQ(c->n_expected, 2);
    CHECK_STR(name(c, c->expected[0].by), "w1");
    CHECK(c->expected[0].from == NS_PER_S && c->expected[0].to == 2 * NS_PER_S);
    CHECK_EQ(c->signs, 1u << INV_SINGLE_ACTOR);
    c = plan_of(gated, 1);
    if (c == NULL)
        return;
    check_ops(c, OPS(OP_WORK, OP_LOOP_INIT, OP_LOOP_NEXT, OP_WORK, OP_JUMP, OP_WAIT, OP_WRITE, OP_END));
    CHECK(c->model.code[6].token_expr != NONE32);
    CHECK_EQ(scenario_decided_by(planned.scenario), GATE_STORE_TOKEN);
}

TEST("a gate can be removed, and put back, when a case is compiled")
{
    struct scenario *s = reads(gated);
    struct diags d;
    struct compiled *c = s == NULL ? NULL : scenario_compile(s, 1, 1u << GATE_STORE_TOKEN, 0, &d);
    CHECK(c != NULL && c->model.removed == 1u << GATE_STORE_TOKEN && seconds_of(c, 0) == 3);
    compiled_free(c);
    c = s == NULL ? NULL : scenario_compile(s, 0, 0, 1u << GATE_STORE_TOKEN, &d);
    CHECK(c != NULL && c->model.removed == 0 && seconds_of(c, 1) == 2);
    compiled_free(c);
    scenario_free(s);
}

TEST("--set changes a param, and says what is wrong with what it was given")
{
    struct diags d;
    struct setting set = {"ttl", "5s"};
    struct scenario *s = scenario_parse(gated, strlen(gated), "t", &set, 1, &d);
    struct compiled *c = s == NULL ? NULL : scenario_compile(s, 0, 0, 0, &d);
    CHECK(c != NULL && seconds_of(c, 2) == 5);
    compiled_free(c);
    scenario_free(s);
    static const struct {
        struct setting set;
        const char *said;
    } wrong[] = {{{"tll", "5s"}, "unknown param 'tll'; did you mean 'ttl'?"},
                 {{"ttl", "5"}, "--set ttl=5: expected a duration, as in 10s"},
                 {{"ttl", "5s 6s"}, "--set ttl=5s 6s: expected a duration, as in 10s"},
                 {{"ttl", ""}, "--set ttl=: expected a duration, as in 10s"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(scenario_parse(gated, strlen(gated), "t", &wrong[i].set, 1, &d) == NULL);
        CHECK_EQ(d.row[0].line, 0);
        CHECK_STR(d.row[0].text, wrong[i].said);
    }
}

TEST("what a case shows only after --set is a problem of that case")
{
    static const char text[] = "fencepost 1\ncase a holds\nparam n = 3\nlock l quorum voters n ttl 10s\nnode w1\n"
                               "w1:\n  acquire l\n";
    struct diags d;
    struct setting set = {"n", "0"};
    CHECK(scenario_parse(text, sizeof text - 1, "t", &set, 1, &d) == NULL);
    CHECK_STR(d.row[0].text, "a quorum of no voters grants nothing: expected 1 to 64");
    CHECK_EQ(d.row[0].line, 4);
    scenario_free(reads(text));
}

TEST("the header is what the file says")
{
    struct scenario *s = reads(reading_example);
    if (s == NULL)
        return;
    CHECK_STR(scenario_title(s), "A paused leader overwrites its successor");
    CHECK_STR(scenario_source(s), "M. Kleppmann, How to do distributed locking, 2016");
    CHECK(scenario_lesson(s) != NULL);
    CHECK_EQ(scenario_decided_by(s), -1);
    CHECK_EQ(scenario_cases(s), 3);
    CHECK_EQ(scenario_case_find(s, "fenced"), 2);
    CHECK_EQ(scenario_case_find(s, "fences"), -1);
    size_t n;
    const char *line = scenario_line(s, 11, &n);
    CHECK(n == 12 && memcmp(line, "store ledger", 12) == 0);
    scenario_line(s, 99, &n);
    CHECK_EQ(n, 0);
    scenario_free(s);
}
