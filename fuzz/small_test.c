/* SPDX-License-Identifier: MIT
 *
 * small_test.c - see small.h.
 */
#include "fuzz/small.h"

#include "fuzz/sample.h"
#include "scenarios/language/reading.h"
#include "sim/test.h"

#include <stdarg.h>
#include <stdio.h>

/* A text in the making. What its programs use is declared and nothing else: a name that is never used is an error. */
struct maker {
    uint64_t seed, drawn;
    char programs[SMALL_TEXT_MAX], *text;
    uint32_t nodes, names; /* variables are numbered through */
    bool lock, store, whole_store, queue, quorum, keeps[3];
    bool alike; /* all programs are the first, and what may strike one may strike all */
};

static uint32_t draw(struct maker *m, uint32_t n) { return sample_below(sample_hash(m->seed, m->drawn++), n); }
static bool one_in(struct maker *m, uint32_t n) { return draw(m, n) == 0; }

__attribute__((format(printf, 2, 3))) static void add(char *to, const char *format, ...)
{
    size_t n = strlen(to), size = SMALL_TEXT_MAX - n;
    va_list args;
    va_start(args, format);
    int more = vsnprintf(to + n, size, format, args);
    va_end(args);
    ASSERT(more >= 0 && (size_t)more < size);
}

#define STEP(m, ...) add((m)->programs, __VA_ARGS__)
#define LINE(m, ...) add((m)->text, __VA_ARGS__)
#define ONE_OF(m, list) (list)[draw((m), sizeof(list) / sizeof *(list))]

static const char *span(struct maker *m)
{
    static const char *const spans[] = {"500ms", "1s", "2s", "3s", "4s", "7s", "3001ms"};
    return ONE_OF(m, spans);
}

static const char *reg(struct maker *m)
{
    m->store = true;
    if (one_in(m, 3))
        return "ledger/x";
    m->whole_store = true;
    return "ledger";
}

/* --- programs ------------------------------------------------------------------------------------- */

static void say_failure(struct maker *m, const char *const *errors, uint32_t n)
{
    static const char *const then[] = {"go on", "go on", "stop", "wait 1s"};
    if (one_in(m, 3))
        STEP(m, "  on %s: %s\n", errors[draw(m, n)], ONE_OF(m, then));
}

static void say_write(struct maker *m, const char *behind)
{
    static const char *const values[] = {"1", "2", "me", "\"x\""};
    static const char *const errors[] = {"stale-token", "timeout", "lease-lost"};
    STEP(m, "  write %s %s%s\n", reg(m), ONE_OF(m, values), behind);
    say_failure(m, errors, 3);
}

static void say_update(struct maker *m)
{
    const char *r = reg(m);
    uint32_t x = m->names++;
    STEP(m, "  read %s as v%u\n", r, x);
    if (one_in(m, 2))
        STEP(m, "  require v%u != 2\n", x);
    else
        STEP(m, "  if v%u = none:\n    write %s 1\n  else:\n    write %s v%u%s\n", x, r, r, x,
             one_in(m, 2) ? " if unchanged" : "");
}

static void say_loose(struct maker *m)
{
    switch (draw(m, 7)) {
    case 0: say_write(m, one_in(m, 3) ? " token 1" : ""); break;
    case 1: say_update(m); break;
    case 2: STEP(m, "  effect \"mail\"%s\n", one_in(m, 2) ? " key \"k\"" : ""); break;
    case 3: STEP(m, "  delete %s\n", reg(m)); break;
    case 4:
        m->store = m->whole_store = true;
        STEP(m, "  write ledger 2 token 0\n  on stale-token: go on\n  ping ledger\n");
        break;
    case 5:
        STEP(m, "  let t%u = %s\n  wait %s\n  write ledger/t t%u\n", m->names, one_in(m, 2) ? "wall" : "monotonic",
             span(m), m->names);
        m->names++;
        m->store = true;
        break;
    default: STEP(m, "  wait %s\n", span(m));
    }
}

static void say_under_lock(struct maker *m)
{
    static const char *const errors[] = {"lease-lost", "timeout", "refused", "not-holder"};
    switch (draw(m, 7)) {
    case 0:
    case 1: STEP(m, "  work %s\n", span(m)); break;
    case 2: STEP(m, "  check leader\n"); break;
    case 3: say_update(m); return;
    case 4: STEP(m, "  write %s 1\n  fence ledger\n", reg(m)); break;
    default: say_write(m, ""); return;
    }
    say_failure(m, errors, 4);
}

static void say_lock(struct maker *m, uint32_t node)
{
    static const char *const ways[] = {"", "", "", " try", " within 4s"};
    static const char *const errors[] = {"refused", "timeout", "quorum-lost"};
    m->lock = true;
    STEP(m, "  acquire leader%s\n", ONE_OF(m, ways));
    say_failure(m, errors, 3);
    if (one_in(m, 3)) {
        STEP(m, "  keep leader\n");
        m->keeps[node] = true;
    }
    for (uint32_t n = 1 + draw(m, 3); n > 0; n--)
        say_under_lock(m);
    if (one_in(m, 2))
        STEP(m, "  release leader\n");
}

static void say_job_step(struct maker *m, uint32_t job)
{
    switch (draw(m, 4)) {
    case 0:
        m->store = true;
        STEP(m, "  write ledger 1 for v%u\n", job);
        break;
    case 1: STEP(m, "  effect \"charge\" key v%u\n", job); break;
    case 2: STEP(m, "  heartbeat v%u\n", job); break;
    default: STEP(m, "  work %s for v%u\n", span(m), job);
    }
}

static void say_job(struct maker *m, uint32_t node)
{
    static const char *const ways[] = {"", "", " try", " within 4s"};
    static const char *const errors[] = {"zombie", "lease-lost", "timeout", "not-holder"};
    uint32_t job = m->names++;
    m->queue = true;
    STEP(m, "  claim jobs%s as v%u\n", ONE_OF(m, ways), job);
    if (one_in(m, 3)) {
        STEP(m, "  keep v%u\n", job);
        m->keeps[node] = true;
    }
    for (uint32_t n = draw(m, 3); n > 0; n--)
        say_job_step(m, job);
    if (one_in(m, 6))
        STEP(m, "  fail v%u\n", job);
    else
        STEP(m, "  complete v%u\n", job);
    say_failure(m, errors, 4);
}

static void say_operator(struct maker *m)
{
    switch (draw(m, 4)) {
    case 0:
        m->lock = true;
        STEP(m, "  force-release leader\n");
        break;
    case 1:
        m->queue = true;
        STEP(m, "  reap jobs\n");
        break;
    case 2:
        m->queue = true;
        STEP(m, "  enqueue jobs \"a\"\n  requeue job \"a\"\n");
        break;
    default: m->queue = true; STEP(m, "  enqueue jobs \"b\"\n");
    }
}

static void say_program(struct maker *m, uint32_t node, uint32_t taste)
{
    STEP(m, "w%u:\n", node + 1);
    if (node > 0 && !one_in(m, 3))
        STEP(m, "  wait %s\n", span(m));
    uint32_t kind = draw(m, 8);
    if (kind == 0)
        say_operator(m);
    else if (kind == 1)
        say_loose(m);
    if (taste == 1 || (taste == 2 && node == 1))
        say_job(m, node);
    else
        say_lock(m, node);
    if (one_in(m, 4))
        say_loose(m);
}

/* The first program again, for each other node. */
static void say_alike(struct maker *m, uint32_t taste)
{
    static char first[SMALL_TEXT_MAX];
    say_program(m, 0, taste);
    (void)snprintf(first, sizeof first, "%s", m->programs);
    for (uint32_t i = 1; i < m->nodes; i++) {
        STEP(m, "w%u:\n%s", i + 1, strchr(first, '\n') + 1);
        m->keeps[i] = m->keeps[0];
    }
}

/* --- the rest ----------------------------------------------------------------------------------------- */

static void say_case(struct maker *m)
{
    static const char *const lock[] = {"store-token",   "lease-check",   "stop-on-loss",    "durable-grant",
                                       "release-token", "drain-first",   "monotonic-token", "fresh-identity",
                                       "atomic-check",  "lasting-fence", "one-clock",       "strict-majority"};
    static const char *const job[] = {"heartbeat-token", "complete-token", "effect-key",    "atomic-claim",
                                      "lease-check",     "stop-on-loss",   "verdict-token", "lease-covers-work"};
    const char *without[3];
    uint32_t n = 0;
    for (uint32_t k = draw(m, 4); k > 0; k--) {
        const char *gate = m->queue && one_in(m, 2) ? ONE_OF(m, job) : ONE_OF(m, lock);
        bool twice = false;
        for (uint32_t i = 0; i < n; i++)
            twice = twice || strcmp(without[i], gate) == 0;
        if (!twice)
            without[n++] = gate;
    }
    LINE(m, "case a");
    bool wall = one_in(m, 6);
    for (uint32_t i = 0; i < n; i++)
        LINE(m, "%s%s", i == 0 ? " without " : " ", without[i]);
    if (wall)
        LINE(m, "%s%s", n == 0 ? " without safe-clock" : " safe-clock", one_in(m, 2) ? " with clock wall" : "");
    LINE(m, " holds\n");
}

static const char *service(struct maker *m)
{
    const char *names[3];
    uint32_t n = 0;
    if (m->lock)
        names[n++] = m->quorum ? "leader.1" : "leader";
    if (m->store)
        names[n++] = "ledger";
    if (m->queue)
        names[n++] = "jobs";
    ASSERT(n > 0);
    return names[draw(m, n)];
}

struct may {
    uint32_t kind;
    bool holding;
    const char *up_to, *at, *losing;
};

static void say_may_of(struct maker *m, const struct may *may, uint32_t w)
{
    const char *up_to = may->up_to, *at = may->at;
    switch (may->kind) {
    case 0:
    case 1: LINE(m, "may pause w%u up to %s\n", w, up_to); break;
    case 2: LINE(m, "may pause w%u%s up to %s\n", w, m->keeps[w - 1] ? ".keeper" : "", up_to); break;
    case 3: LINE(m, "may suspend w%u up to %s\n", w, up_to); break;
    case 4: LINE(m, "may crash w%u up to %s\n", w, up_to); break;
    case 5: LINE(m, "may crash %s%s up to %s\n", at, may->losing, up_to); break;
    case 6: LINE(m, "may cut w%u - %s up to %s%s\n", w, at, up_to, may->holding ? " holding" : ""); break;
    case 7: LINE(m, "may delay w%u -> %s up to %s\n", w, at, up_to); break;
    case 8: LINE(m, "may drop w%u - %s\n", w, at); break;
    case 9: LINE(m, "may duplicate w%u -> %s up to %s\n", w, at, up_to); break;
    case 10: LINE(m, "may reorder w%u - %s\n", w, at); break;
    case 11: LINE(m, "may step wall w%u up to %s\n", w, up_to); break;
    default: LINE(m, "may slow %s up to %s\n", at, up_to);
    }
}

static void say_may(struct maker *m)
{
    static const char *const losing[] = {"", "", " losing everything"};
    uint32_t w = 1 + draw(m, m->nodes);
    struct may may = {.up_to = span(m), .at = service(m), .kind = draw(m, 13)};
    may.losing = ONE_OF(m, losing);
    may.holding = one_in(m, 2);
    for (uint32_t i = 1; i <= m->nodes; i++)
        if (m->alike ? i == 1 || (may.kind != 5 && may.kind != 12) : i == w)
            say_may_of(m, &may, i);
}

static void say_own(struct maker *m)
{
    uint32_t w = 1 + draw(m, m->nodes);
    switch (draw(m, 4)) {
    case 0: LINE(m, "at %s: pause w%u for %s\n", span(m), w, span(m)); break;
    case 1: LINE(m, "at %s: crash %s for %s\n", span(m), service(m), span(m)); break;
    case 2: LINE(m, "at 0s: delay w%u -> %s by %s\n", w, service(m), span(m)); break;
    default: LINE(m, "at %s: clock w%u drifts +200000ppm\n", span(m), w);
    }
}

static void say_world(struct maker *m)
{
    static const char *const ttl[] = {"3s", "3s", "4s", "6s"};
    if (m->lock && m->quorum)
        LINE(m, "lock leader quorum voters 3 ttl %s\n", ONE_OF(m, ttl));
    else if (m->lock)
        LINE(m, "lock leader central ttl %s%s\n", ONE_OF(m, ttl), one_in(m, 5) ? " lock-delay 2s" : "");
    if (m->store)
        LINE(m, "store ledger%s\n", one_in(m, 8) ? " forgets requests" : "");
    if (m->queue)
        LINE(m, "queue jobs lease %s%s\n  job \"a\"\n", ONE_OF(m, ttl), one_in(m, 4) ? " attempts 2" : "");
    for (uint32_t i = 0; i < m->nodes; i++)
        LINE(m, "node w%u\n", i + 1);
    if (one_in(m, 4))
        LINE(m, "until %s\n", one_in(m, 2) ? "6s" : "12s");
}

void small_text(uint64_t seed, char out[SMALL_TEXT_MAX])
{
    struct maker m = {.seed = seed, .text = out};
    uint32_t taste = draw(&m, 4);
    out[0] = '\0';
    m.nodes = 1 + draw(&m, 3);
    m.quorum = one_in(&m, 4);
    m.alike = m.nodes > 1 && one_in(&m, 3);
    if (m.alike)
        say_alike(&m, taste);
    for (uint32_t i = 0; i < m.nodes && !m.alike; i++)
        say_program(&m, i, taste);
    LINE(&m, "fencepost 1\nscenario \"Small\"\n");
    say_case(&m);
    say_world(&m);
    LINE(&m, "%s", m.programs);
    for (uint32_t k = 1 + draw(&m, 2); k > 0; k--)
        say_may(&m);
    if (one_in(&m, 5))
        say_own(&m);
    if (m.whole_store && one_in(&m, 8))
        LINE(&m, "always: expect not ledger = 2\n");
}

uint32_t small_signs(uint64_t seed) { return sample_hash(seed, 1000) % 3 == 0 ? 0 : (uint32_t)sample_hash(seed, 1001); }

bool small_finds(struct player *p, uint64_t seed, uint32_t points)
{
    struct sample sample = sample_begin(p->sp, SAMPLE_SWARM, seed, points);
    p->draw = sample_draw;
    p->draw_context = &sample;
    bool played = player_play(p, NULL);
    p->draw = NULL;
    return played && p->found;
}

TEST("a small scenario is the same text for the same seed, and reads")
{
    static char text[SMALL_TEXT_MAX], again[SMALL_TEXT_MAX];
    for (uint64_t seed = 0; seed < 300; seed++) {
        small_text(seed, text);
        small_text(seed, again);
        CHECK_STR(again, text);
        struct scenario *s = reads(text);
        if (s == NULL)
            printf("%s", text);
        else
            compiled_free(compiles(s, 0));
        scenario_free(s);
    }
}
