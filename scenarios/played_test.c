/* SPDX-License-Identifier: MIT */
#include "scenarios/played.h"

#include "sim/test.h"

#include <string.h>

const char played_example[] = "fencepost 1\n"
                              "scenario \"A paused leader overwrites its successor\"\n"
                              "  source \"M. Kleppmann, How to do distributed locking, 2016\"\n"
                              "  lesson \"A lock that expires cannot stop a write that is already on its way.\"\n"
                              "\n"
                              "case advisory   without store-token lease-check   violates no-stale-write\n"
                              "case checked    without store-token               violates no-stale-write\n"
                              "case fenced                                       holds\n"
                              "\n"
                              "lock  leader central ttl 10s\n"
                              "store ledger\n"
                              "node  w1 w2\n"
                              "\n"
                              "w1:\n"
                              "  acquire leader\n"
                              "  work 1s\n"
                              "  write ledger \"from w1\"\n"
                              "\n"
                              "w2:\n"
                              "  wait 11s\n"
                              "  acquire leader\n"
                              "  write ledger \"from w2\"\n"
                              "\n"
                              "# stop-the-world GC: its clocks run on\n"
                              "before w1 writes ledger: pause w1 for 12s\n"
                              "\n"
                              "at 13s: expect w2 holds leader\n"
                              "[advisory checked] at end: expect ledger = \"from w1\"\n"
                              "[fenced]           at end: expect ledger = \"from w2\"\n"
                              "[fenced]           at end: expect w1 failed stale-token\n";

static void complain(const struct diags *d)
{
    for (uint32_t i = 0; i < d->n; i++)
        test_failed(__FILE__, __LINE__, "%u:%u: %s", (unsigned)d->row[i].line, (unsigned)d->row[i].column,
                    d->row[i].text);
    if (d->n == 0)
        test_failed(__FILE__, __LINE__, "no scenario, and no reason");
}

struct played_case played(const char *text, const char *case_name, uint32_t without)
{
    struct played_case p;
    memset(&p, 0, sizeof p);
    p.scenario = scenario_parse(text, strlen(text), "test.fence", NULL, 0, &p.diags);
    if (p.scenario == NULL) {
        complain(&p.diags);
        return p;
    }
    int32_t i = case_name == NULL ? 0 : scenario_case_find(p.scenario, case_name);
    CHECK(i >= 0);
    p.compiled = scenario_compile(p.scenario, i < 0 ? 0 : (uint32_t)i, without, 0, &p.diags);
    if (p.compiled == NULL) {
        complain(&p.diags);
        return p;
    }
    const struct run_options options = {.plain = without == 0};
    p.run = run_case(p.compiled, &options);
    CHECK(p.run != NULL);
    return p;
}

void played_free(struct played_case *p)
{
    run_free(p->run);
    if (p->compiled != NULL)
        compiled_free(p->compiled);
    if (p->scenario != NULL)
        scenario_free(p->scenario);
    memset(p, 0, sizeof *p);
}

bool played_well(const char *text)
{
    struct played_case p = played(text, NULL, 0);
    bool well = p.run != NULL && p.run->as_expected;
    played_free(&p);
    return well;
}

uint32_t played_misses(const char *text, struct miss *first)
{
    struct played_case p = played(text, NULL, 0);
    uint32_t n = p.run == NULL ? NONE32 : p.run->n_misses;
    if (first != NULL && p.run != NULL && n > 0)
        *first = p.run->misses[0];
    played_free(&p);
    return n;
}
