/* SPDX-License-Identifier: MIT
 *
 * may_test.c - what a search may choose, as the case's plan has it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "scenarios/language/reading.h"
#include "scenarios/language/slips.h"
#include "sim/test.h"

static struct scenario *read;
static struct compiled *made;

/* The plan of case 0 of the world with these lines behind it. Kept until the next call. */
static const struct compiled *plan_with(const char *lines)
{
    compiled_free(made);
    scenario_free(read);
    read = reads(with_line(lines));
    made = compiles(read, 0);
    return made;
}

static const char *id_name(const struct compiled *c, uint16_t id, bool threads)
{
    name_id name = threads ? c->sim.threads[id].alone : c->sim.processes[id].name;
    const char *text = threads && name == NONE16 ? c->sim.names->text[c->sim.threads[id].name]
                                                 : c->sim.names->text[name];
    return text;
}

/* "w1 leader.1"; kept until the next but one call. */
static const char *list(const struct compiled *c, struct ids ids, bool threads)
{
    static char text[2][256];
    static unsigned turn;
    char *out = text[++turn % 2];
    size_t n = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < ids.n && n < sizeof text[0]; i++)
        n += (size_t)snprintf(out + n, sizeof text[0] - n, "%s%s", i == 0 ? "" : " ",
                              id_name(c, c->sim.ids[ids.first + i], threads));
    return out;
}

struct allowed {
    const char *line;
    enum fault_kind kind;
    bool all;
    const char *whom, *threads, *to;
    ns up_to;
};

static const struct allowed rows[] = {
    {"may pause", FAULT_PAUSE, true, "", "", "", 0},
    {"may pause up to 1ns", FAULT_PAUSE, true, "", "", "", 1},
    {"may pause w1 w2 w1.keeper up to 30s", FAULT_PAUSE, false, "w1 w2", "w1.keeper", "", 30 * NS_PER_S},
    {"may pause w1.keeper w1.main w1.keeper", FAULT_PAUSE, false, "", "w1.keeper w1.main", "", 0},
    {"may pause leader.1", FAULT_PAUSE, false, "leader.1", "", "", 0},
    {"may suspend", FAULT_SUSPEND, true, "", "", "", 0},
    {"may suspend w1 ledger up to 1h", FAULT_SUSPEND, false, "w1 ledger", "", "", 3600 * NS_PER_S},
    {"may crash", FAULT_CRASH, true, "", "", "", 0},
    {"may crash leader.*", FAULT_CRASH, false, "leader.1 leader.2 leader.3", "", "", 0},
    {"may crash leader w1 leader.2 up to 5s", FAULT_CRASH, false, "leader.1 leader.2 leader.3 w1", "", "",
     5 * NS_PER_S},
    {"may crash w1..w2", FAULT_CRASH, false, "w1 w2", "", "", 0},
    {"group east = w1 leader.1\nmay crash east", FAULT_CRASH, false, "w1 leader.1", "", "", 0},
    {"may partition", FAULT_PARTITION, true, "", "", "", 0},
    {"may partition w1 leader.2 up to 9s", FAULT_PARTITION, false, "w1 leader.2", "", "", 9 * NS_PER_S},
    {"may cut", FAULT_CUT, true, "", "", "", 0},
    {"may cut w1 w2 -> ledger up to 3s", FAULT_CUT, false, "w1 w2", "", "ledger", 3 * NS_PER_S},
    {"may delay up to 20s", FAULT_DELAY, true, "", "", "", 20 * NS_PER_S},
    {"may delay w1 -> leader", FAULT_DELAY, false, "w1", "", "leader.1 leader.2 leader.3", 0},
    {"may reorder", FAULT_REORDER, true, "", "", "", 0},
    {"may reorder w1 -> ledger", FAULT_REORDER, false, "w1", "", "ledger", 0},
    {"may drop", FAULT_DROP, true, "", "", "", 0},
    {"may drop ledger -> w2", FAULT_DROP, false, "ledger", "", "w2", 0},
    {"may duplicate", FAULT_DUPLICATE, true, "", "", "", 0},
    {"may duplicate w1 -> ledger up to 3s", FAULT_DUPLICATE, false, "w1", "", "ledger", 3 * NS_PER_S},
    {"may slow", FAULT_SLOW, true, "", "", "", 0},
    {"may slow ledger leader.3 up to 5s", FAULT_SLOW, false, "ledger leader.3", "", "", 5 * NS_PER_S},
    {"may step wall up to 1h", FAULT_WALL_JUMP, true, "", "", "", 3600 * NS_PER_S},
    {"may step wall w1", FAULT_WALL_JUMP, false, "w1", "", "", 0},
    {"may drift", FAULT_DRIFT, true, "", "", "", 0},
    {"may drift w1 ledger", FAULT_DRIFT, false, "w1 ledger", "", "", 0},
};

TEST("each word behind `may` says what may happen, to whom, and for how long")
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct allowed *row = &rows[i];
        const struct compiled *c = plan_with(row->line);
        if (c == NULL || c->n_mays != 1) {
            test_failed(__FILE__, __LINE__, "%s: %u lines", row->line, c == NULL ? 0 : c->n_mays);
            continue;
        }
        const struct may_plan *m = &c->mays[0];
        CHECK(m->kind == row->kind && m->all == row->all && m->up_to == row->up_to);
        CHECK(m->losing == LOSING_VOLATILE && !m->holding && !m->both_ways && m->up_to_ppb == 0);
        CHECK_STR(list(c, m->processes, false), row->whom);
        CHECK_STR(list(c, m->threads, true), row->threads);
        CHECK_STR(list(c, m->to, false), row->to);
    }
}

TEST("what may be lost, kept, closed both ways or drift is said behind the names")
{
    const struct compiled *c = plan_with("may crash losing unsynced\nmay crash w1 losing everything up to 2s\n"
                                         "may crash w1 up to 2s losing everything\nmay partition holding up to 2s\n"
                                         "may cut w1 - ledger up to 2s holding\nmay cut w1 -> ledger\n"
                                         "may drift up to 500ppm\nmay drop w1 - ledger");
    if (c == NULL)
        return;
    const struct may_plan *m = c->mays;
    CHECK_EQ(c->n_mays, 8);
    CHECK(m[0].losing == LOSING_UNSYNCED && m[0].all && m[0].line == 15);
    CHECK(m[1].losing == LOSING_EVERYTHING && m[1].up_to == 2 * NS_PER_S);
    CHECK(m[2].losing == LOSING_EVERYTHING && m[2].up_to == 2 * NS_PER_S);
    CHECK(m[3].holding && m[3].up_to == 2 * NS_PER_S);
    CHECK(m[4].holding && m[4].both_ways && m[4].up_to == 2 * NS_PER_S);
    CHECK(!m[5].holding && !m[5].both_ways);
    CHECK(m[6].up_to_ppb == 500000);
    CHECK(m[7].both_ways && m[7].line == 22);
}

TEST("a node's name allows what it would strike: its program, and the service of its name")
{
    const struct compiled *c = plan_with("node db\ndb: wait 1s\nstore db\nw1.more: write db 1\nmay pause db\n"
                                         "may slow db\nmay suspend db\nmay pause w1.*");
    if (c == NULL)
        return;
    CHECK_EQ(c->mays[0].processes.n, 2);
    CHECK_EQ(c->mays[1].processes.n, 1);
    CHECK_EQ(c->mays[2].processes.n, 1);
    CHECK_STR(list(c, c->mays[3].threads, true), "w1.more w1.keeper w1.main");
}

TEST("a case has the `may` lines that it keeps, and no word of how many faults unless the file says it")
{
    static const char text[] = "fencepost 1\ncase a holds\ncase b without lease-check holds\nnode w1 w2\n"
                               "w1, w2: wait 1s\n[a] may pause w1\n[b] may pause w2\n[lease-check] may drop\n"
                               "[a] at most 3 faults\n[-lease-check] may cut\nat 1s: pause w1 for 1s\n";
    struct scenario *s = reads(text);
    struct compiled *a = compiles(s, 0), *b = compiles(s, 1);
    if (a != NULL && b != NULL) {
        CHECK(a->n_mays == 2 && a->mays[0].line == 6 && a->mays[1].line == 8 && a->at_most == 3);
        CHECK(b->n_mays == 2 && b->mays[0].line == 7 && b->mays[1].line == 10 && b->at_most == NONE32);
        CHECK(a->sim.n_faults == 1);
    }
    compiled_free(a);
    compiled_free(b);
    scenario_free(s);
}

TEST("in a variant a `may` that names what is not there is inert")
{
    struct scenario *s = reads("fencepost 1\ncase a holds\n[lease-check] node w2\n[lease-check] w2: wait 1s\n"
                               "node w1\nw1: wait 1s\nmay pause w1 w2\nmay pause w1.main w2\nmay crash w1\n"
                               "at most 2 faults\n");
    struct diags d;
    struct compiled *c = s == NULL ? NULL : scenario_compile(s, 0, UINT32_C(1) << GATE_LEASE_CHECK, 0, &d);
    CHECK(c != NULL && c->n_mays == 1);
    if (c != NULL && c->n_mays == 1) {
        CHECK(c->mays[0].kind == FAULT_CRASH && c->at_most == 2);
        CHECK_STR(list(c, c->mays[0].processes, false), "w1");
    }
    compiled_free(c);
    scenario_free(s);
}

TEST("a scenario allows one to 64 faults at a time, and says so once")
{
    static const struct slip slips[] = {
        {"at most 0 faults", "1:9: expected a number of faults from 1 to 64"},
        {"at most 1 fault", ""},
        {"at most 64 faults", ""},
        {"at most 65 faults", "1:9: expected a number of faults from 1 to 64"},
        {"at most 3s faults", "1:9: expected a number of faults, found '3s'"},
        {"at most 3 fautls", "1:11: unknown word 'fautls'; did you mean 'faults'?"},
        {"at most 3", "1:10: expected 'faults', found the end of the line"},
        {"at most 3 faults more", "1:18: expected the end of the line, found 'more'"},
        {"at most 3 faults\nat most 3 faults", "2:4: 'at most' stands in this case twice"},
        {"param n = 65\nat most n faults", "2:9: expected a number of faults from 1 to 64"},
    };
    CHECK_SLIPS(slips, line_problem);
    const struct compiled *c = plan_with("param n = 64\nat most n faults");
    CHECK(c != NULL && c->at_most == 64);
}

TEST("slips behind `may` are told where they stand")
{
    static const struct slip slips[] = {
        {"may pause w3", "1:11: unknown node, thread or service 'w3'; did you mean 'w1'?"},
        {"may pause w1.kepeer", "1:11: unknown node, thread or service 'w1.kepeer'; did you mean 'w1.keeper'?"},
        {"may pause w2.keeper", "1:11: unknown node, thread or service 'w2.keeper'; did you mean 'w1.keeper'?"},
        {"may pause up to", "1:16: expected a duration, as in 10s, found the end of the line"},
        {"may pause up to 0s", "1:17: this has to be longer than 0s"},
        {"may pause up 5s", "1:14: expected 'to', found '5s'"},
        {"may pause w1 up to 5s up to 6s", "1:23: expected the end of the line, found 'up'"},
        {"may crash w1.keeper",
         "1:11: unknown node or service 'w1.keeper'; expected w1, w2, leader, leader.1, leader.2, leader.3 or ledger"},
        {"may crash losing all", "1:18: unknown loss 'all'; expected unsynced or everything"},
        {"may slow w1", "1:10: unknown service 'w1'; expected leader, leader.1, leader.2, leader.3 or ledger"},
        {"may slow leger", "1:10: unknown service 'leger'; did you mean 'ledger'?"},
        {"may cut w1", "1:11: expected '->' or '-', found the end of the line"},
        {"may cut w1 -ledger", "1:12: the '-' of a link stands between spaces"},
        {"may drop up to 5s", "1:10: expected the end of the line, found 'up'"},
        {"may reorder holding", "1:13: expected the end of the line, found 'holding'"},
        {"may step w1", "1:10: expected 'wall', found 'w1'"},
        {"may drift up to 0ppm", "1:17: this has to be more than 0ppm: a clock may then be off by as much either way"},
        {"may drift up to -5ppm", "1:17: this has to be more than 0ppm: a clock may then be off by as much either way"},
        {"may drift up to 1ppm", ""},
        {"may heal", "1:5: unknown fault that may happen 'heal'; expected pause, suspend, crash, partition, cut, "
                     "delay, reorder, drop, duplicate, slow, step or drift"},
        {"store seen at box\nmay pause box",
         "2:11: nothing but services of other names runs on 'box': name one, as in 'seen', or suspend it"},
    };
    CHECK_SLIPS(slips, line_problem);
}
