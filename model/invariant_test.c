/* SPDX-License-Identifier: MIT
 *
 * invariant_test.c - each invariant sees what breaks it, and its nearest harmless twin leaves it alone.
 *
 * No model runs here: records are made by hand and handed to invariants_on_record(). Each built invariant has
 * one row in `stories`: a tale that breaks it and one that differs in a word and does not. What an invariant
 * says (when, who, where, because of what) and its edges are tests of their own.
 */
#include "model/judging.h"
#include "sim/test.h"

/* --- a small world: a central lock, a quorum lock, two stores, three clients -------------------- */

enum {
    LEADER,
    CHIEF,
    CHIEF_1,
    CHIEF_2,
    CHIEF_3,
    CHIEF_4,
    CHIEF_5,
    LEDGER,
    SEEN,
    LEDGER_X,
    LEDGER_Y,
    W1,
    W1_CHECKIN,
    W2,
    W3,
    CARD,
    MAIL,
    KEY_A,
    KEY_B,
    NAMES
};
enum {
    THREAD_LEADER,
    THREAD_CHIEF_1,
    THREAD_LEDGER = 6,
    THREAD_SEEN,
    THREAD_W1,
    THREAD_W1_CHECKIN,
    THREAD_W2,
    THREAD_W3,
    THREADS
};
enum { PROCESSES = 11, SERVICES = 8, CLIENTS = 4 };

static const char *const name_text[NAMES] = {"leader",      "chief",     "chief.1",    "chief.2", "chief.3",
                                             "chief.4",     "chief.5",   "ledger",     "seen",    "ledger/x",
                                             "ledger/y",    "w1",        "w1.checkin", "w2",      "w3",
                                             "charge card", "send mail", "order-1",    "order-2"};

static const struct thread_plan threads[THREADS] = {
    {.name = LEADER, .process = 0},     {.name = CHIEF_1, .process = 1}, {.name = CHIEF_2, .process = 2},
    {.name = CHIEF_3, .process = 3},    {.name = CHIEF_4, .process = 4}, {.name = CHIEF_5, .process = 5},
    {.name = LEDGER, .process = 6},     {.name = SEEN, .process = 7},    {.name = W1, .process = 8},
    {.name = W1_CHECKIN, .process = 8}, {.name = W2, .process = 9},      {.name = W3, .process = 10}};
static const struct process_plan processes[PROCESSES] = {{LEADER, 0, 0, 1},  {CHIEF_1, 1, 1, 1}, {CHIEF_2, 2, 2, 1},
                                                         {CHIEF_3, 3, 3, 1}, {CHIEF_4, 4, 4, 1}, {CHIEF_5, 5, 5, 1},
                                                         {LEDGER, 6, 6, 1},  {SEEN, 7, 7, 1},    {W1, 8, 8, 2},
                                                         {W2, 9, 10, 1},     {W3, 10, 11, 1}};
static const struct actor actors[THREADS] = {
    {ACTOR_CENTRAL, NONE16, 0, 0}, {ACTOR_VOTER, NONE16, 1, 0},  {ACTOR_VOTER, NONE16, 2, 0},
    {ACTOR_VOTER, NONE16, 3, 0},   {ACTOR_VOTER, NONE16, 4, 0},  {ACTOR_VOTER, NONE16, 5, 0},
    {ACTOR_STORE, NONE16, 6, 0},   {ACTOR_STORE, NONE16, 7, 0},  {ACTOR_CLIENT, 0, NONE16, 0},
    {ACTOR_CLIENT, 1, NONE16, 0},  {ACTOR_CLIENT, 2, NONE16, 0}, {ACTOR_CLIENT, 3, NONE16, 0}};
static const struct service_plan services[SERVICES] = {{.thread = 0, .lock = 0},
                                                       {.thread = 1, .lock = 1},
                                                       {.thread = 2, .lock = 1, .voter = 1},
                                                       {.thread = 3, .lock = 1, .voter = 2},
                                                       {.thread = 4, .lock = 1, .voter = 3},
                                                       {.thread = 5, .lock = 1, .voter = 4},
                                                       {.thread = 6},
                                                       {.thread = 7, .store = 1}};
static const struct client_plan clients[CLIENTS] = {
    {.thread = THREAD_W1}, {.thread = THREAD_W1_CHECKIN}, {.thread = THREAD_W2}, {.thread = THREAD_W3}};

#define MS NS_PER_MS
#define TTL (10 * S)
#define MARGIN (100 * MS)

static const struct lock_plan locks[2] = {
    {.name = LEADER, .kind = LOCK_CENTRAL, .service = 0, .ttl = TTL, .margin = MARGIN},
    {.name = CHIEF, .kind = LOCK_QUORUM, .service = 1, .voters = 5, .ttl = TTL, .margin = MARGIN}};
static const struct store_plan stores[2] = {
    {.name = LEDGER, .service = 6, .registers = 2, .guard = NONE16},
    {.name = SEEN, .service = 7, .first_register = 2, .registers = 1, .guard = NONE16}};
static const struct register_plan registers[3] = {
    {.name = LEDGER_X}, {.name = LEDGER_Y}, {.name = SEEN, .store = 1, .lone = 1}};

static const struct sim_plan sim = {
    .n_processes = PROCESSES, .n_threads = THREADS, .processes = processes, .threads = threads};
static const struct model_plan model = {.lease_clock = CLOCK_BOOTTIME,
                                        .n_services = SERVICES,
                                        .n_clients = CLIENTS,
                                        .n_locks = 2,
                                        .n_stores = 2,
                                        .n_registers = 3,
                                        .actor_of = actors,
                                        .services = services,
                                        .clients = clients,
                                        .locks = locks,
                                        .stores = stores,
                                        .registers = registers,
                                        .calls = 4,
                                        .effects = 4};

static void world_begins(struct world *w) { world_of(w, name_text, NAMES, &sim, &model); }

/* --- records by hand ---------------------------------------------------------------------------- */

static uint32_t grants(struct world *w, ns at, int who, uint16_t start, int64_t token)
{
    return happens(w, at, LEADER, V_GRANTS, who,
                   FIELDS(INT(token), INT(start), value_ns(TTL), value_ns(MARGIN), NO, NO, value_ns(0)));
}

static uint32_t lapses(struct world *w, ns at, int who, int64_t token)
{
    return happens(w, at, LEADER, V_LAPSES, who, FIELDS(INT(token), NO, NO));
}

/* `by` NOBODY: the holder itself. */
static uint32_t frees(struct world *w, ns at, int who, uint16_t start, int64_t token, int by, uint16_t by_start)
{
    return happens(w, at, LEADER, V_FREES, who, FIELDS(INT(token), NAME(by), INT(start), INT(by_start), NO));
}

static uint32_t extends(struct world *w, ns at, int who, uint16_t start, int64_t token, int by, uint16_t by_start)
{
    return happens(w, at, LEADER, V_EXTENDS, who,
                   FIELDS(INT(token), NAME(by), INT(start), INT(by_start), value_ns(TTL), NO));
}

static uint32_t forces(struct world *w, ns at, int service, int who, uint16_t start, int64_t token)
{
    struct value voter = service >= CHIEF_1 && service <= CHIEF_5 ? INT(service - CHIEF_1) : NO;
    return happens(w, at, service, V_FORCES, who, FIELDS(INT(token), INT(start), voter));
}

/* Voters count from 1 here, as their names do. */
#define BIT(voter) (INT64_C(1) << ((voter)-1))

static uint32_t votes(struct world *w, ns at, int voter, int who, uint16_t start, int64_t epoch)
{
    return happens(w, at, CHIEF_1 + voter - 1, V_VOTES, who, FIELDS(INT(epoch), INT(start), value_ns(TTL)));
}

static uint32_t elects(struct world *w, ns at, int who, uint16_t start, int64_t epoch, int64_t voters)
{
    return happens_as(w, at, CHIEF, 0, V_GRANTS, who,
                      FIELDS(INT(epoch), INT(start), value_ns(TTL), value_ns(MARGIN), INT(voters), INT(5), NO));
}

static uint32_t vote_lapses(struct world *w, ns at, int voter, int who, int64_t epoch)
{
    return happens(w, at, CHIEF_1 + voter - 1, V_LAPSES, who, FIELDS(INT(epoch), NO, INT(voter - 1)));
}

static uint32_t vote_freed(struct world *w, ns at, int voter, int who, int64_t epoch)
{
    return happens(w, at, CHIEF_1 + voter - 1, V_FREES, who, FIELDS(INT(epoch), NO, INT(1), INT(1), INT(voter - 1)));
}

static uint32_t vote_extended(struct world *w, ns at, int voter, int who, int64_t epoch)
{
    return happens(w, at, CHIEF_1 + voter - 1, V_EXTENDS, who,
                   FIELDS(INT(epoch), NO, INT(1), INT(1), value_ns(TTL), INT(voter - 1)));
}

static uint32_t renewed(struct world *w, ns at, int keeper, int64_t epoch, int64_t voters)
{
    return happens(w, at, keeper, V_RENEWED, CHIEF, FIELDS(INT(epoch), INT(voters)));
}

/* A write: token below 0: none; issuer NOBODY: `token EXPR` of no lock, an issuer of its own. */
struct write {
    ns at;
    int who; /* a thread */
    uint16_t start;
    int key; /* LEDGER_X, LEDGER_Y or SEEN */
    int64_t token;
    int issuer;
    uint32_t version;
    int64_t based; /* below 0: on nothing */
    uint16_t verb; /* 0: V_COMMITS */
};

static uint32_t commits(struct world *w, struct write x)
{
    bool lone = x.key == SEEN;
    return happens(w, x.at, lone ? SEEN : LEDGER, x.verb ? x.verb : V_COMMITS, x.who,
                   FIELDS(value_token(x.token), lone ? NO : NAME(x.key), x.verb == V_REMOVES ? NO : INT(7),
                          INT(x.version), value_token(x.based), NAME(x.issuer), INT(x.start)));
}

static uint32_t hears(struct world *w, ns at, int who, int key, uint32_t version)
{
    return happens(w, at, who, V_HEARS, key == SEEN ? SEEN : LEDGER, FIELDS(NAME(MAIL), NAME(key), INT(version)));
}

static uint32_t forgets(struct world *w, ns at, int key, uint32_t version)
{
    return happens(w, at, key == SEEN ? SEEN : LEDGER, V_FORGETS, key, FIELDS(INT(version)));
}

static uint32_t effects(struct world *w, ns at, int who, int name, struct value key)
{
    return happens(w, at, who, V_EFFECTS, NOBODY, FIELDS(value_text((name_id)name), key, NO));
}

static uint32_t believes(struct world *w, ns at, int who, uint16_t start, int lock)
{
    return happens_as(w, at, who, start, V_BELIEVES, lock, FIELDS(INT(1)));
}

static uint32_t doubts(struct world *w, ns at, int who, uint16_t start, int lock)
{
    return happens_as(w, at, who, start, V_DOUBTS, lock, FIELDS(INT(1)));
}

static uint32_t acts(struct world *w, ns at, int thread, int process, int lock, int64_t token)
{
    return happens(w, at, thread, V_ACTS, lock, FIELDS(INT(token), NAME(process)));
}

static uint32_t rests(struct world *w, ns at, int thread, int process, int lock, int64_t token)
{
    return happens(w, at, thread, V_RESTS, lock, FIELDS(INT(token), NAME(process)));
}

static uint32_t crashes(struct world *w, ns at, int process)
{
    return happens(w, at, process, V_CRASHES, NOBODY, FIELDS(NO, NO));
}

/* --- a tale that breaks each, and its twin ------------------------------------------------------ */

static void stale_write(struct world *w, int64_t second)
{
    commits(w, (struct write){1 * S, W2, 1, LEDGER_X, 2, LEADER, 1, -1, 0});
    commits(w, (struct write){2 * S, W1, 1, LEDGER_Y, second, LEADER, 1, -1, 0});
}
static void stale_write_breaks(struct world *w) { stale_write(w, 1); }
static void stale_write_twin(struct world *w) { stale_write(w, 2); }

static void lost_update(struct world *w, int64_t read)
{
    commits(w, (struct write){1 * S, W1, 1, LEDGER_X, -1, NOBODY, 1, -1, 0});
    commits(w, (struct write){2 * S, W2, 1, LEDGER_X, -1, NOBODY, 2, -1, 0});
    commits(w, (struct write){3 * S, W1, 1, LEDGER_X, -1, NOBODY, 3, read, 0});
}
static void lost_update_breaks(struct world *w) { lost_update(w, 1); }
static void lost_update_twin(struct world *w) { lost_update(w, 2); }

static void lost_ack(struct world *w, bool heard)
{
    commits(w, (struct write){1 * S, W1, 1, LEDGER_X, -1, NOBODY, 1, -1, 0});
    if (heard)
        hears(w, 2 * S, W1, LEDGER_X, 1);
    forgets(w, 3 * S, LEDGER_X, 1);
}
static void lost_ack_breaks(struct world *w) { lost_ack(w, true); }
static void lost_ack_twin(struct world *w) { lost_ack(w, false); }

static void effect(struct world *w, int second)
{
    effects(w, 1 * S, W1, CARD, value_text(KEY_A));
    effects(w, 2 * S, W2, CARD, value_text((name_id)second));
}
static void effect_breaks(struct world *w) { effect(w, KEY_A); }
static void effect_twin(struct world *w) { effect(w, KEY_B); }

static void single_grant(struct world *w, bool ended)
{
    grants(w, 1 * S, W1, 1, 1);
    if (ended)
        lapses(w, 11 * S, W1, 1);
    grants(w, 11 * S, W2, 1, 2);
}
static void single_grant_breaks(struct world *w) { single_grant(w, false); }
static void single_grant_twin(struct world *w) { single_grant(w, true); }

static void token_order(struct world *w, int64_t second)
{
    grants(w, 1 * S, W1, 1, 5);
    frees(w, 2 * S, W1, 1, 5, NOBODY, 1);
    grants(w, 3 * S, W2, 1, second);
}
static void token_order_breaks(struct world *w) { token_order(w, 4); }
static void token_order_twin(struct world *w) { token_order(w, 6); }

static void one_vote(struct world *w, int64_t epoch)
{
    votes(w, 1 * S, 1, W1, 1, 3);
    votes(w, 2 * S, 1, W2, 1, epoch);
}
static void one_vote_breaks(struct world *w) { one_vote(w, 3); }
static void one_vote_twin(struct world *w) { one_vote(w, 4); }

static void one_leader(struct world *w, int second)
{
    elects(w, 1 * S, W1, 1, 3, BIT(1) | BIT(2) | BIT(3));
    vote_lapses(w, 11 * S, 1, W1, 3);
    elects(w, 12 * S, second, second == W1 ? 1 : 1, second == W1 ? 4 : 3, BIT(3) | BIT(4) | BIT(5));
}
static void one_leader_breaks(struct world *w) { one_leader(w, W2); }
static void one_leader_twin(struct world *w) { one_leader(w, W1); }

static void early_regrant(struct world *w, ns again)
{
    grants(w, 1 * S, W1, 1, 1);
    lapses(w, 5 * S, W1, 1);
    grants(w, again, W2, 1, 2);
}
static void early_regrant_breaks(struct world *w) { early_regrant(w, 11 * S - MARGIN - 1); }
static void early_regrant_twin(struct world *w) { early_regrant(w, 11 * S - MARGIN); }

static void owner_releases(struct world *w, int by)
{
    grants(w, 1 * S, W2, 1, 2);
    frees(w, 2 * S, W2, 1, 2, by, 1);
}
static void owner_releases_breaks(struct world *w) { owner_releases(w, W1); }
static void owner_releases_twin(struct world *w) { owner_releases(w, NOBODY); }

static void owner_extends(struct world *w, int by)
{
    grants(w, 1 * S, W2, 1, 2);
    extends(w, 2 * S, W2, 1, 2, by, 1);
}
static void owner_extends_breaks(struct world *w) { owner_extends(w, W1); }
static void owner_extends_twin(struct world *w) { owner_extends(w, NOBODY); }

static void single_holder(struct world *w, bool doubted)
{
    believes(w, 1 * S, W1, 1, LEADER);
    if (doubted)
        doubts(w, 11 * S, W1, 1, LEADER);
    believes(w, 11 * S, W2, 1, LEADER);
}
static void single_holder_breaks(struct world *w) { single_holder(w, false); }
static void single_holder_twin(struct world *w) { single_holder(w, true); }

static void single_actor(struct world *w, bool rested)
{
    grants(w, 1 * S, W1, 1, 1);
    acts(w, 2 * S, W1, W1, LEADER, 1);
    lapses(w, 11 * S, W1, 1);
    if (rested)
        rests(w, 11 * S, W1, W1, LEADER, 1);
    grants(w, 12 * S, W2, 1, 2);
}
static void single_actor_breaks(struct world *w) { single_actor(w, false); }
static void single_actor_twin(struct world *w) { single_actor(w, true); }

static void zombie_write(struct world *w, int64_t token)
{
    grants(w, 1 * S, W1, 1, 1);
    lapses(w, 11 * S, W1, 1);
    grants(w, 12 * S, W2, 1, 2);
    commits(w, (struct write){13 * S, W1, 1, LEDGER_X, token, LEADER, 1, -1, 0});
}
static void zombie_write_breaks(struct world *w) { zombie_write(w, 1); }
static void zombie_write_twin(struct world *w) { zombie_write(w, 2); }

/* Those of jobs, and progress, are told in tests of their own; linearizable is judged from a whole trace. */
static bool told_here(uint32_t i)
{
    static const bool elsewhere[INVARIANTS] = {
        [INV_OWNER_COMPLETES] = true, [INV_FINAL_STAYS_FINAL] = true, [INV_NO_LOST_JOB] = true,
        [INV_LINEARIZABLE] = true,    [INV_SINGLE_CLAIM] = true,      [INV_PROGRESS] = true,
    };
    return invariant_table[i].built && !elsewhere[i];
}

/* By enum: a new invariant without a row fails the test below. */
static const struct story {
    void (*breaks)(struct world *w);
    void (*twin)(struct world *w);
} stories[INVARIANTS] = {
    [INV_NO_STALE_WRITE] = {stale_write_breaks, stale_write_twin},
    [INV_NO_LOST_UPDATE] = {lost_update_breaks, lost_update_twin},
    [INV_NO_LOST_ACK] = {lost_ack_breaks, lost_ack_twin},
    [INV_EFFECT_ONCE] = {effect_breaks, effect_twin},
    [INV_SINGLE_GRANT] = {single_grant_breaks, single_grant_twin},
    [INV_TOKEN_ORDER] = {token_order_breaks, token_order_twin},
    [INV_ONE_VOTE] = {one_vote_breaks, one_vote_twin},
    [INV_ONE_LEADER_PER_TERM] = {one_leader_breaks, one_leader_twin},
    [INV_NO_EARLY_REGRANT] = {early_regrant_breaks, early_regrant_twin},
    [INV_OWNER_RELEASES] = {owner_releases_breaks, owner_releases_twin},
    [INV_OWNER_EXTENDS] = {owner_extends_breaks, owner_extends_twin},
    [INV_SINGLE_HOLDER] = {single_holder_breaks, single_holder_twin},
    [INV_SINGLE_ACTOR] = {single_actor_breaks, single_actor_twin},
    [INV_NO_ZOMBIE_WRITE] = {zombie_write_breaks, zombie_write_twin},
};

TEST("each invariant that is built has a tale that breaks it")
{
    static struct world w;
    for (uint32_t i = 0; i < INVARIANTS; i++) {
        CHECK_EQ(stories[i].breaks != NULL, told_here(i));
        if (!stories[i].breaks)
            continue;
        world_begins(&w);
        stories[i].breaks(&w);
        if (!broken(&w, (enum invariant)i))
            test_failed(__FILE__, __LINE__, "%s did not break", invariant_table[i].name);
    }
}

TEST("the harmless twin of each tale breaks nothing at all")
{
    static struct world w;
    for (uint32_t i = 0; i < INVARIANTS; i++) {
        if (!stories[i].twin)
            continue;
        world_begins(&w);
        stories[i].twin(&w);
        if (!breaks_nothing(&w))
            test_failed(__FILE__, __LINE__, "the twin of %s broke %s", invariant_table[i].name,
                        invariant_table[w.j.m.state->violations[0].invariant].name);
    }
}

TEST("each invariant is reported once a run, at its first violation")
{
    static struct world w;
    for (uint32_t i = 0; i < INVARIANTS; i++) {
        if (!stories[i].breaks)
            continue;
        world_begins(&w);
        stories[i].breaks(&w);
        struct violation first = *broken(&w, (enum invariant)i);
        stories[i].breaks(&w);
        stories[i].breaks(&w);
        uint32_t n = 0;
        for (uint32_t k = 0; k < w.j.m.state->n_violations; k++)
            n += w.j.m.state->violations[k].invariant == i;
        CHECK_EQ(n, 1);
        CHECK_EQ(broken(&w, (enum invariant)i)->record, first.record);
        CHECK_EQ(w.j.m.state->broken >> i & 1, 1);
    }
}

TEST("every invariant can break in one run, and each has its own row")
{
    static struct world w;
    world_begins(&w);
    uint32_t built = 0;
    for (uint32_t i = 0; i < INVARIANTS; i++) {
        built += told_here(i);
        if (stories[i].breaks)
            stories[i].breaks(&w);
    }
    CHECK_EQ(w.j.m.state->n_violations, built);
}

TEST("a record that no invariant asks for changes nothing")
{
    static struct world w, before;
    world_begins(&w);
    before = w;
    happens(&w, 1 * S, W1, V_WORKS, NOBODY, FIELDS(value_ns(1 * S)));
    happens(&w, 1 * S, W1, V_WRITES, LEDGER_X, FIELDS(INT(1), INT(7)));
    happens(&w, 1 * S, LEADER, V_REFUSES, W1, FIELDS(NAME(MAIL), NO, NO));
    CHECK(memcmp(w.memory, before.memory, sizeof w.memory) == 0);
}

/* --- no-stale-write ----------------------------------------------------------------------------- */

TEST("no-stale-write names the writer, the store, the commit and the one before it, on whichever key")
{
    static struct world w;
    world_begins(&w);
    uint32_t one = commits(&w, (struct write){1 * S, W2, 1, LEDGER_X, 2, LEADER, 1, -1, 0});
    uint32_t two = commits(&w, (struct write){2 * S, W1, 1, LEDGER_Y, 1, LEADER, 1, -1, 0});
    CHECK_BROKEN(&w, INV_NO_STALE_WRITE, 2 * S, W1, LEDGER, two, one);
}

TEST("no-stale-write points to the largest token, not to the latest commit")
{
    static struct world w;
    world_begins(&w);
    uint32_t largest = commits(&w, (struct write){1 * S, W2, 1, LEDGER_X, 5, LEADER, 1, -1, 0});
    commits(&w, (struct write){2 * S, W2, 1, LEDGER_X, 5, LEADER, 2, -1, 0});
    CHECK(breaks_nothing(&w));
    uint32_t stale = commits(&w, (struct write){3 * S, W1, 1, LEDGER_X, 4, LEADER, 3, -1, 0});
    CHECK_BROKEN(&w, INV_NO_STALE_WRITE, 3 * S, W1, LEDGER, stale, largest);
}

TEST("no-stale-write lets an equal token pass")
{
    static struct world w;
    world_begins(&w);
    stale_write(&w, 2);
    CHECK(breaks_nothing(&w));
    stale_write(&w, 1);
    CHECK(broken(&w, INV_NO_STALE_WRITE) != NULL);
}

TEST("no-stale-write counts token 0, which is a token and not its absence")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W1, 1, LEDGER_X, 0, LEADER, 1, -1, 0});
    commits(&w, (struct write){2 * S, W1, 1, LEDGER_X, 1, LEADER, 2, -1, 0});
    CHECK(breaks_nothing(&w));
    commits(&w, (struct write){3 * S, W1, 1, LEDGER_X, 0, LEADER, 3, -1, 0});
    CHECK(broken(&w, INV_NO_STALE_WRITE) != NULL);
}

TEST("no-stale-write never compares tokens of two issuers")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W1, 1, LEDGER_X, 9, LEADER, 1, -1, 0});
    commits(&w, (struct write){2 * S, W1, 1, LEDGER_X, 3, CHIEF, 2, -1, 0});
    commits(&w, (struct write){3 * S, W1, 1, LEDGER_X, 1, NOBODY, 3, -1, 0});
    CHECK(breaks_nothing(&w));
    commits(&w, (struct write){4 * S, W1, 1, LEDGER_X, 2, CHIEF, 4, -1, 0});
    CHECK(broken(&w, INV_NO_STALE_WRITE) != NULL);
}

TEST("no-stale-write never compares two stores")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W2, 1, LEDGER_X, 2, LEADER, 1, -1, 0});
    commits(&w, (struct write){2 * S, W1, 1, SEEN, 1, LEADER, 1, -1, 0});
    CHECK(breaks_nothing(&w));
}

TEST("no-stale-write judges `token EXPR` of no lock among its own")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W1, 1, SEEN, 34, NOBODY, 1, -1, 0});
    commits(&w, (struct write){2 * S, W2, 1, SEEN, 34, NOBODY, 2, -1, 0});
    CHECK(breaks_nothing(&w));
    uint32_t stale = commits(&w, (struct write){3 * S, W1, 1, SEEN, 33, NOBODY, 3, -1, 0});
    CHECK_BROKEN(&w, INV_NO_STALE_WRITE, 3 * S, W1, SEEN, stale, 1);
}

TEST("no-stale-write counts deletes on both sides")
{
    static struct world w;
    world_begins(&w);
    uint32_t one = commits(&w, (struct write){1 * S, W2, 1, LEDGER_X, 2, LEADER, 1, -1, V_REMOVES});
    uint32_t two = commits(&w, (struct write){2 * S, W1, 1, LEDGER_X, 1, LEADER, 2, -1, V_REMOVES});
    CHECK_BROKEN(&w, INV_NO_STALE_WRITE, 2 * S, W1, LEDGER, two, one);
}

TEST("no-stale-write says nothing of a write without a token")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W2, 1, LEDGER_X, 2, LEADER, 1, -1, 0});
    commits(&w, (struct write){2 * S, W1, 1, LEDGER_X, -1, NOBODY, 2, -1, 0});
    CHECK(breaks_nothing(&w));
}

TEST("no-stale-write remembers what a store forgot")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W2, 1, LEDGER_X, 2, LEADER, 1, -1, 0});
    forgets(&w, 2 * S, LEDGER_X, 1);
    commits(&w, (struct write){3 * S, W1, 1, LEDGER_X, 1, LEADER, 2, -1, 0});
    CHECK(broken(&w, INV_NO_STALE_WRITE) != NULL);
}

TEST("no-stale-write holds up to the largest token that there is")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W2, 1, SEEN, INT64_MAX - 1, NOBODY, 1, -1, 0});
    commits(&w, (struct write){2 * S, W1, 1, SEEN, INT64_MAX - 2, NOBODY, 2, -1, 0});
    CHECK(broken(&w, INV_NO_STALE_WRITE) != NULL);
}

/* --- no-lost-update ----------------------------------------------------------------------------- */

TEST("no-lost-update names the writer, the store, its commit and the one that it overwrote")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W1, 1, LEDGER_X, -1, NOBODY, 1, -1, 0});
    uint32_t lost = commits(&w, (struct write){2 * S, W2, 1, LEDGER_X, -1, NOBODY, 2, -1, 0});
    uint32_t by = commits(&w, (struct write){3 * S, W1, 1, LEDGER_X, -1, NOBODY, 3, 1, 0});
    CHECK_BROKEN(&w, INV_NO_LOST_UPDATE, 3 * S, W1, LEDGER, by, lost);
}

TEST("no-lost-update lets a blind write overwrite anything")
{
    static struct world w;
    world_begins(&w);
    lost_update(&w, -1);
    CHECK(breaks_nothing(&w));
}

TEST("no-lost-update lets a process overwrite what it wrote itself since it read")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W2, 1, LEDGER_X, -1, NOBODY, 1, -1, 0});
    commits(&w, (struct write){2 * S, W1, 1, LEDGER_X, -1, NOBODY, 2, 1, 0});
    commits(&w, (struct write){3 * S, W1, 1, LEDGER_X, -1, NOBODY, 3, 1, 0});
    commits(&w, (struct write){4 * S, W1_CHECKIN, 1, LEDGER_X, -1, NOBODY, 4, 1, 0}); /* another thread of it */
    CHECK(breaks_nothing(&w));
}

TEST("no-lost-update holds a restarted process for another")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W1, 1, LEDGER_X, -1, NOBODY, 1, -1, 0});
    commits(&w, (struct write){2 * S, W1, 2, LEDGER_X, -1, NOBODY, 2, 0, 0});
    CHECK(broken(&w, INV_NO_LOST_UPDATE) != NULL);
}

TEST("no-lost-update counts a delete as a write that can be lost")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W1, 1, LEDGER_X, -1, NOBODY, 1, -1, 0});
    uint32_t lost = commits(&w, (struct write){2 * S, W2, 1, LEDGER_X, -1, NOBODY, 2, -1, V_REMOVES});
    uint32_t by = commits(&w, (struct write){3 * S, W1, 1, LEDGER_X, -1, NOBODY, 3, 1, 0});
    CHECK_BROKEN(&w, INV_NO_LOST_UPDATE, 3 * S, W1, LEDGER, by, lost);
}

TEST("no-lost-update judges each register by itself")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W2, 1, LEDGER_Y, -1, NOBODY, 1, -1, 0});
    commits(&w, (struct write){2 * S, W2, 1, SEEN, -1, NOBODY, 1, -1, 0});
    commits(&w, (struct write){3 * S, W1, 1, LEDGER_X, -1, NOBODY, 1, 0, 0});
    CHECK(breaks_nothing(&w));
    commits(&w, (struct write){4 * S, W1, 1, SEEN, -1, NOBODY, 2, 0, 0});
    CHECK(broken(&w, INV_NO_LOST_UPDATE) != NULL);
}

TEST("no-lost-update finds another's write behind one's own")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W1, 1, LEDGER_X, -1, NOBODY, 1, -1, 0});
    uint32_t lost = commits(&w, (struct write){2 * S, W2, 1, LEDGER_X, -1, NOBODY, 2, -1, 0});
    commits(&w, (struct write){3 * S, W1, 1, LEDGER_X, -1, NOBODY, 3, 2, 0});
    CHECK(breaks_nothing(&w));
    uint32_t by = commits(&w, (struct write){4 * S, W1, 1, LEDGER_X, -1, NOBODY, 4, 1, 0});
    CHECK_BROKEN(&w, INV_NO_LOST_UPDATE, 4 * S, W1, LEDGER, by, lost);
}

/* --- no-lost-ack -------------------------------------------------------------------------------- */

TEST("no-lost-ack names the writer, the store, the loss and the acknowledgement")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W1_CHECKIN, 1, SEEN, -1, NOBODY, 1, -1, 0});
    uint32_t heard = hears(&w, 2 * S, W1_CHECKIN, SEEN, 1);
    uint32_t lost = forgets(&w, 3 * S, SEEN, 1);
    CHECK_BROKEN(&w, INV_NO_LOST_ACK, 3 * S, W1, SEEN, lost, heard);
}

TEST("no-lost-ack says nothing of an acknowledged write that was overwritten before it was lost")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W1, 1, LEDGER_X, -1, NOBODY, 1, -1, 0});
    hears(&w, 2 * S, W1, LEDGER_X, 1);
    commits(&w, (struct write){3 * S, W2, 1, LEDGER_X, -1, NOBODY, 2, -1, 0});
    forgets(&w, 4 * S, LEDGER_X, 2);
    CHECK(breaks_nothing(&w));
}

TEST("no-lost-ack does not mistake one register's acknowledgement for another's")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W1, 1, LEDGER_X, -1, NOBODY, 1, -1, 0});
    commits(&w, (struct write){1 * S, W1, 1, LEDGER_Y, -1, NOBODY, 1, -1, 0});
    hears(&w, 2 * S, W1, LEDGER_X, 1);
    forgets(&w, 3 * S, LEDGER_Y, 1);
    CHECK(breaks_nothing(&w));
}

TEST("no-lost-ack is not led astray by an old answer that comes late, nor by answers that are no writes")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W1, 1, LEDGER_X, -1, NOBODY, 1, -1, 0});
    commits(&w, (struct write){2 * S, W2, 1, LEDGER_X, -1, NOBODY, 2, -1, 0});
    uint32_t heard = hears(&w, 3 * S, W2, LEDGER_X, 2);
    hears(&w, 4 * S, W1, LEDGER_X, 1);
    happens(&w, 4 * S, W1, V_HEARS, LEDGER, FIELDS(NAME(MAIL), NO, NO));
    uint32_t lost = forgets(&w, 5 * S, LEDGER_X, 2);
    CHECK_BROKEN(&w, INV_NO_LOST_ACK, 5 * S, W2, LEDGER, lost, heard);
}

TEST("no-lost-ack breaks too when the acknowledgement was on its way as the store lost the write")
{
    static struct world w;
    world_begins(&w);
    commits(&w, (struct write){1 * S, W1, 1, LEDGER_X, -1, NOBODY, 1, -1, 0});
    uint32_t lost = forgets(&w, 2 * S, LEDGER_X, 1);
    uint32_t heard = hears(&w, 3 * S, W1, LEDGER_X, 1);
    CHECK_BROKEN(&w, INV_NO_LOST_ACK, 3 * S, W1, LEDGER, heard, lost);
}

/* --- effect-once -------------------------------------------------------------------------------- */

TEST("effect-once names the thread, the effect and both times, also between two nodes")
{
    static struct world w;
    world_begins(&w);
    uint32_t one = effects(&w, 1 * S, W1, CARD, value_text(KEY_A));
    uint32_t two = effects(&w, 2 * S, W2, CARD, value_text(KEY_A));
    CHECK_BROKEN(&w, INV_EFFECT_ONCE, 2 * S, W2, CARD, two, one);
}

TEST("effect-once compares name, key and the kind of the key")
{
    static struct world w;
    world_begins(&w);
    effects(&w, 1 * S, W1, CARD, value_text(KEY_A));
    effects(&w, 2 * S, W1, MAIL, value_text(KEY_A));
    effects(&w, 3 * S, W1, CARD, INT(KEY_A));
    effects(&w, 4 * S, W1, CARD, INT(KEY_A + 1));
    CHECK(breaks_nothing(&w));
    effects(&w, 5 * S, W1, CARD, INT(KEY_A + 1));
    CHECK(broken(&w, INV_EFFECT_ONCE) != NULL);
}

TEST("effect-once does not compare effects that have neither key nor job")
{
    static struct world w;
    world_begins(&w);
    effects(&w, 1 * S, W1, CARD, NO);
    effects(&w, 2 * S, W1, CARD, NO);
    CHECK(breaks_nothing(&w));
}

TEST("effect-once remembers as many effects as the plan has room for")
{
    static struct world w;
    world_begins(&w);
    for (int64_t key = 1; key <= 5; key++) /* the model ends the run at the fifth */
        effects(&w, key * S, W1, CARD, INT(key));
    CHECK(breaks_nothing(&w));
    effects(&w, 9 * S, W1, CARD, INT(4));
    CHECK(broken(&w, INV_EFFECT_ONCE) != NULL);
}

/* --- single-grant ------------------------------------------------------------------------------- */

TEST("single-grant names whoever got the second grant, the lock and both grants")
{
    static struct world w;
    world_begins(&w);
    uint32_t one = grants(&w, 1 * S, W1, 1, 1);
    uint32_t two = grants(&w, 2 * S, W2, 1, 2);
    CHECK_BROKEN(&w, INV_SINGLE_GRANT, 2 * S, W2, LEADER, two, one);
    CHECK_EQ(w.j.m.state->n_violations, 1);
}

TEST("single-grant lets the same process have it again")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    grants(&w, 2 * S, W1, 1, 2);
    CHECK(breaks_nothing(&w));
}

TEST("single-grant holds a restarted process for another")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    grants(&w, 2 * S, W1, 2, 2);
    CHECK(broken(&w, INV_SINGLE_GRANT) != NULL);
}

TEST("single-grant knows a release by the holder and an operator's, but not a stranger's")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    frees(&w, 2 * S, W1, 1, 1, NOBODY, 1);
    grants(&w, 3 * S, W2, 1, 2);
    forces(&w, 4 * S, LEADER, W2, 1, 2);
    grants(&w, 5 * S, W3, 1, 3);
    CHECK(breaks_nothing(&w));
    frees(&w, 6 * S, W3, 1, 3, W2, 1);
    grants(&w, 7 * S, W1, 1, 4);
    CHECK(broken(&w, INV_SINGLE_GRANT) != NULL);
}

TEST("single-grant asks the promised end, whether or not the service remembers the lease")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    crashes(&w, 2 * S, LEADER);
    happens_as(&w, 3 * S, LEADER, 2, V_RESTARTS, NOBODY, FIELDS(NO));
    grants(&w, 4 * S, W2, 1, 2);
    CHECK(broken(&w, INV_SINGLE_GRANT) != NULL);
}

TEST("single-grant is not ended by the lapse of an earlier grant of the same node")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    grants(&w, 5 * S, W1, 1, 2);
    lapses(&w, 11 * S, W1, 1);
    grants(&w, 12 * S, W2, 1, 3);
    CHECK(broken(&w, INV_SINGLE_GRANT) != NULL);
}

TEST("single-grant: an extension after the promised end makes the lease run on")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    lapses(&w, 11 * S, W1, 1);
    extends(&w, 11 * S + 50 * MS, W1, 1, 1, NOBODY, 1); /* within the service's margin */
    grants(&w, 12 * S, W2, 1, 2);
    CHECK(broken(&w, INV_SINGLE_GRANT) != NULL);
}

TEST("single-grant judges each lock by itself")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    elects(&w, 2 * S, W2, 1, 1, BIT(1) | BIT(2) | BIT(3));
    CHECK(breaks_nothing(&w));
}

TEST("a quorum's lease ends with the first of the votes that it rests on")
{
    static struct world w;
    world_begins(&w);
    elects(&w, 1 * S, W1, 1, 1, BIT(1) | BIT(2) | BIT(3));
    vote_lapses(&w, 11 * S, 2, W1, 1);
    elects(&w, 12 * S, W2, 1, 2, BIT(2) | BIT(4) | BIT(5));
    CHECK(breaks_nothing(&w));
}

TEST("a quorum's lease does not end with a vote that it does not rest on")
{
    static struct world w;
    world_begins(&w);
    elects(&w, 1 * S, W1, 1, 1, BIT(1) | BIT(2) | BIT(3));
    vote_lapses(&w, 11 * S, 4, W1, 1);
    vote_freed(&w, 11 * S, 5, W1, 1);
    elects(&w, 12 * S, W2, 1, 2, BIT(3) | BIT(4) | BIT(5));
    CHECK(broken(&w, INV_SINGLE_GRANT) != NULL);
}

TEST("a quorum's lease ends with a vote that is given back")
{
    static struct world w;
    world_begins(&w);
    elects(&w, 1 * S, W1, 1, 1, BIT(1) | BIT(2) | BIT(3));
    vote_freed(&w, 2 * S, 3, W1, 1);
    elects(&w, 3 * S, W2, 1, 2, BIT(3) | BIT(4) | BIT(5));
    CHECK(breaks_nothing(&w));
}

TEST("a quorum's lease rests on its latest winning count: a renewal puts others in its place")
{
    static struct world w;
    world_begins(&w);
    elects(&w, 1 * S, W1, 1, 1, BIT(1) | BIT(2) | BIT(3));
    vote_extended(&w, 4 * S, 3, W1, 1);
    vote_extended(&w, 4 * S, 4, W1, 1);
    vote_extended(&w, 4 * S, 5, W1, 1);
    renewed(&w, 4 * S, W1, 1, BIT(3) | BIT(4) | BIT(5));
    vote_lapses(&w, 11 * S, 1, W1, 1); /* no longer asked */
    elects(&w, 12 * S, W2, 1, 2, BIT(1) | BIT(2) | BIT(3));
    CHECK(broken(&w, INV_SINGLE_GRANT) != NULL);
}

TEST("a quorum's lease runs again when a renewal wins without the vote that had ended")
{
    static struct world w;
    world_begins(&w);
    elects(&w, 1 * S, W1, 1, 1, BIT(1) | BIT(2) | BIT(3));
    vote_lapses(&w, 9 * S, 1, W1, 1); /* a fast clock */
    vote_extended(&w, 9 * S + 1 * MS, 2, W1, 1);
    vote_extended(&w, 9 * S + 1 * MS, 3, W1, 1);
    vote_extended(&w, 9 * S + 1 * MS, 4, W1, 1);
    renewed(&w, 9 * S + 2 * MS, W1, 1, BIT(2) | BIT(3) | BIT(4));
    elects(&w, 12 * S, W2, 1, 2, BIT(1) | BIT(4) | BIT(5));
    CHECK(broken(&w, INV_SINGLE_GRANT) != NULL);
}

TEST("an operator who takes back a vote that the lease does not rest on has not ended it")
{
    static struct world w;
    world_begins(&w);
    elects(&w, 1 * S, W1, 1, 1, BIT(1) | BIT(2) | BIT(3));
    forces(&w, 2 * S, CHIEF_5, W2, 1, 1);
    elects(&w, 3 * S, W2, 1, 2, BIT(3) | BIT(4) | BIT(5));
    CHECK(broken(&w, INV_SINGLE_GRANT) != NULL);
}

TEST("a quorum's lease is over at its birth when a vote had ended before it was counted")
{
    static struct world w;
    for (int how = 0; how < 3; how++) {
        world_begins(&w);
        for (int voter = 1; voter <= 3; voter++)
            votes(&w, 1 * S, voter, W1, 1, 1);
        if (how == 0)
            forces(&w, 2 * S, CHIEF_2, W1, 1, 1);
        else if (how == 1)
            vote_freed(&w, 2 * S, 2, W1, 1);
        else
            vote_lapses(&w, 11 * S, 2, W1, 1);
        elects(&w, 11 * S + 1 * MS, W1, 1, 1, BIT(1) | BIT(2) | BIT(3));
        elects(&w, 11 * S + 2 * MS, W2, 1, 2, BIT(2) | BIT(4) | BIT(5));
        CHECK(breaks_nothing(&w));
    }
}

TEST("a quorum's lease is not over at its birth because of a vote in an earlier epoch")
{
    static struct world w;
    world_begins(&w);
    votes(&w, 1 * S, 2, W1, 1, 1);
    vote_freed(&w, 2 * S, 2, W1, 1);
    for (int voter = 1; voter <= 3; voter++)
        votes(&w, 3 * S, voter, W1, 1, 2);
    elects(&w, 3 * S, W1, 1, 2, BIT(1) | BIT(2) | BIT(3));
    elects(&w, 4 * S, W2, 1, 3, BIT(3) | BIT(4) | BIT(5));
    CHECK(broken(&w, INV_SINGLE_GRANT) != NULL);
}

TEST("a quorum's lease ends when a voter's later vote for the same candidate ends: a voter has one vote")
{
    static struct world w;
    for (int how = 0; how < 2; how++) {
        world_begins(&w);
        votes(&w, 1 * S, 1, W1, 1, 1);
        elects(&w, 1 * S, W1, 1, 1, BIT(1) | BIT(2) | BIT(3));
        votes(&w, 2 * S, 1, W1, 1, 2);
        if (how == 0)
            vote_freed(&w, 3 * S, 1, W1, 2);
        else
            vote_lapses(&w, 12 * S, 1, W1, 2);
        elects(&w, 13 * S, W2, 1, 3, BIT(1) | BIT(4) | BIT(5));
        CHECK(breaks_nothing(&w));
    }
}

TEST("an operator who takes back a vote that the lease rests on has ended it")
{
    static struct world w;
    world_begins(&w);
    elects(&w, 1 * S, W1, 1, 1, BIT(1) | BIT(2) | BIT(3));
    forces(&w, 2 * S, CHIEF_3, W1, 1, 1);
    elects(&w, 3 * S, W2, 1, 2, BIT(3) | BIT(4) | BIT(5));
    CHECK(breaks_nothing(&w));
}

/* --- token-order -------------------------------------------------------------------------------- */

TEST("token-order names whoever got the token, the lock and the grant with the largest one")
{
    static struct world w;
    world_begins(&w);
    uint32_t one = grants(&w, 1 * S, W1, 1, 5);
    frees(&w, 2 * S, W1, 1, 5, NOBODY, 1);
    uint32_t two = grants(&w, 3 * S, W2, 1, 4);
    CHECK_BROKEN(&w, INV_TOKEN_ORDER, 3 * S, W2, LEADER, two, one);
}

TEST("token-order is strict: an equal token breaks it, also across a restart of the service")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    lapses(&w, 11 * S, W1, 1);
    crashes(&w, 12 * S, LEADER);
    grants(&w, 13 * S, W2, 1, 1);
    CHECK(broken(&w, INV_TOKEN_ORDER) != NULL);
}

TEST("token-order asks also for a grant to the same process")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    frees(&w, 2 * S, W1, 1, 1, NOBODY, 1);
    grants(&w, 3 * S, W1, 1, 1);
    CHECK(broken(&w, INV_TOKEN_ORDER) != NULL);
}

TEST("token-order lets a first token be anything, and never compares two locks")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 0);
    elects(&w, 2 * S, W1, 1, 7, BIT(1) | BIT(2) | BIT(3));
    frees(&w, 3 * S, W1, 1, 0, NOBODY, 1);
    grants(&w, 4 * S, W2, 1, 1);
    CHECK(breaks_nothing(&w));
}

/* --- one-vote, one-leader-per-term -------------------------------------------------------------- */

TEST("one-vote names the second candidate, the voter and both votes")
{
    static struct world w;
    world_begins(&w);
    uint32_t one = votes(&w, 1 * S, 4, W1, 1, 3);
    uint32_t two = votes(&w, 2 * S, 4, W2, 1, 3);
    CHECK_BROKEN(&w, INV_ONE_VOTE, 2 * S, W2, CHIEF_4, two, one);
}

TEST("one-vote lets a voter say the same again, and two voters differ")
{
    static struct world w;
    world_begins(&w);
    votes(&w, 1 * S, 1, W1, 1, 3);
    votes(&w, 2 * S, 1, W1, 1, 3);
    votes(&w, 3 * S, 2, W2, 1, 3);
    CHECK(breaks_nothing(&w));
}

TEST("one-vote holds a restarted candidate for another")
{
    static struct world w;
    world_begins(&w);
    votes(&w, 1 * S, 1, W1, 1, 3);
    votes(&w, 2 * S, 1, W1, 2, 3);
    CHECK(broken(&w, INV_ONE_VOTE) != NULL);
}

TEST("one-vote remembers epochs behind the latest")
{
    static struct world w;
    world_begins(&w);
    uint32_t one = votes(&w, 1 * S, 1, W1, 1, 1);
    votes(&w, 2 * S, 1, W1, 1, 2);
    votes(&w, 3 * S, 1, W1, 1, 3);
    votes(&w, 4 * S, 1, W1, 1, 4);
    uint32_t two = votes(&w, 5 * S, 1, W2, 1, 1);
    CHECK_BROKEN(&w, INV_ONE_VOTE, 5 * S, W2, CHIEF_1, two, one);
}

TEST("one-vote: two winning quorums share a voter")
{
    static struct world w;
    world_begins(&w);
    uint32_t one = elects(&w, 1 * S, W1, 1, 1, BIT(1) | BIT(2) | BIT(3));
    vote_lapses(&w, 11 * S, 1, W1, 1);
    elects(&w, 12 * S, W2, 1, 2, BIT(3) | BIT(4) | BIT(5));
    CHECK(breaks_nothing(&w));
    world_begins(&w);
    elects(&w, 1 * S, W1, 1, 1, BIT(1) | BIT(2));
    vote_lapses(&w, 11 * S, 1, W1, 1);
    uint32_t two = elects(&w, 12 * S, W2, 1, 2, BIT(4) | BIT(5));
    CHECK_BROKEN(&w, INV_ONE_VOTE, 12 * S, W2, CHIEF, two, one);
}

TEST("one-vote: any two winning quorums share a voter, not only one and the next")
{
    static struct world w;
    world_begins(&w);
    uint32_t one = elects(&w, 1 * S, W1, 1, 1, BIT(1) | BIT(2));
    vote_lapses(&w, 11 * S, 1, W1, 1);
    elects(&w, 12 * S, W2, 1, 2, BIT(2) | BIT(3));
    vote_lapses(&w, 22 * S, 2, W2, 2);
    CHECK(breaks_nothing(&w));
    uint32_t three = elects(&w, 23 * S, W3, 1, 3, BIT(3) | BIT(4));
    CHECK_BROKEN(&w, INV_ONE_VOTE, 23 * S, W3, CHIEF, three, one);
}

TEST("one-leader-per-term names the second leader, the lock and both elections")
{
    static struct world w;
    world_begins(&w);
    uint32_t one = elects(&w, 1 * S, W1, 1, 3, BIT(1) | BIT(2) | BIT(3));
    vote_lapses(&w, 11 * S, 1, W1, 3);
    uint32_t two = elects(&w, 12 * S, W2, 1, 3, BIT(3) | BIT(4) | BIT(5));
    CHECK_BROKEN(&w, INV_ONE_LEADER_PER_TERM, 12 * S, W2, CHIEF, two, one);
}

TEST("one-leader-per-term speaks of nodes: one node twice in an epoch is one node")
{
    static struct world w;
    world_begins(&w);
    elects(&w, 1 * S, W1, 1, 3, BIT(1) | BIT(2) | BIT(3));
    vote_lapses(&w, 11 * S, 1, W1, 3);
    elects(&w, 12 * S, W1, 2, 3, BIT(3) | BIT(4) | BIT(5));
    CHECK(broken(&w, INV_ONE_LEADER_PER_TERM) == NULL);
}

TEST("one-leader-per-term remembers elections behind the latest, and speaks of quorums alone")
{
    static struct world w;
    world_begins(&w);
    elects(&w, 1 * S, W1, 1, 3, BIT(1) | BIT(2) | BIT(3));
    for (int64_t epoch = 4; epoch <= 6; epoch++) {
        vote_lapses(&w, 11 * S * (epoch - 3), 1, W1, epoch - 1);
        elects(&w, 11 * S * (epoch - 3) + 1, W1, 1, epoch, BIT(1) | BIT(2) | BIT(3));
    }
    vote_lapses(&w, 60 * S, 1, W1, 6);
    CHECK(breaks_nothing(&w));
    elects(&w, 61 * S, W2, 1, 3, BIT(1) | BIT(2) | BIT(3));
    CHECK(broken(&w, INV_ONE_LEADER_PER_TERM) != NULL);
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 3);
    lapses(&w, 11 * S, W1, 3);
    grants(&w, 12 * S, W2, 1, 3);
    CHECK(broken(&w, INV_ONE_LEADER_PER_TERM) == NULL);
}

/* --- no-early-regrant --------------------------------------------------------------------------- */

TEST("no-early-regrant names whoever got it too early, the lock and both grants, to the nanosecond")
{
    static struct world w;
    world_begins(&w);
    early_regrant(&w, 11 * S - MARGIN);
    CHECK(breaks_nothing(&w));
    world_begins(&w);
    early_regrant(&w, 11 * S - MARGIN - 1);
    CHECK_BROKEN(&w, INV_NO_EARLY_REGRANT, 11 * S - MARGIN - 1, W2, LEADER, 3, 1);
    CHECK_EQ(w.j.m.state->n_violations, 1); /* the granting clock said it was over: no single-grant */
}

TEST("no-early-regrant says nothing after a release, to the same process, or where the granting clock runs on")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    frees(&w, 2 * S, W1, 1, 1, NOBODY, 1);
    grants(&w, 3 * S, W2, 1, 2);
    lapses(&w, 4 * S, W2, 2);
    grants(&w, 5 * S, W2, 1, 3);
    CHECK(breaks_nothing(&w));
    grants(&w, 6 * S, W3, 1, 4);
    CHECK(broken(&w, INV_NO_EARLY_REGRANT) == NULL);
    CHECK(broken(&w, INV_SINGLE_GRANT) != NULL);
}

TEST("no-early-regrant counts from the latest extension")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    extends(&w, 5 * S, W1, 1, 1, NOBODY, 1);
    lapses(&w, 12 * S, W1, 1);
    grants(&w, 13 * S, W2, 1, 2);
    CHECK(broken(&w, INV_NO_EARLY_REGRANT) != NULL);
}

TEST("no-early-regrant: an extension of another grant moves no end")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    extends(&w, 5 * S, W1, 1, 7, NOBODY, 1);
    lapses(&w, 11 * S, W1, 1);
    grants(&w, 11 * S, W2, 1, 2);
    CHECK(breaks_nothing(&w));
}

TEST("no-early-regrant: a quorum's lease is over with the first of its votes, and no earlier")
{
    static struct world w;
    world_begins(&w);
    for (int voter = 1; voter <= 3; voter++)
        votes(&w, voter * S, voter, W1, 1, 1);
    elects(&w, 3 * S, W1, 1, 1, BIT(1) | BIT(2) | BIT(3));
    vote_lapses(&w, 11 * S, 1, W1, 1);
    elects(&w, 11 * S, W2, 1, 2, BIT(1) | BIT(4) | BIT(5));
    CHECK(breaks_nothing(&w));
    world_begins(&w);
    for (int voter = 1; voter <= 3; voter++)
        votes(&w, voter * S, voter, W1, 1, 1);
    elects(&w, 3 * S, W1, 1, 1, BIT(1) | BIT(2) | BIT(3));
    vote_lapses(&w, 9 * S, 1, W1, 1);
    elects(&w, 11 * S - MARGIN - 1, W2, 1, 2, BIT(1) | BIT(4) | BIT(5));
    CHECK(broken(&w, INV_NO_EARLY_REGRANT) != NULL);
}

TEST("no-early-regrant: votes for the next one do not make the lease before longer")
{
    static struct world w;
    world_begins(&w);
    votes(&w, 2 * MS, 1, W1, 1, 1);
    votes(&w, 2 * MS, 2, W1, 1, 1);
    votes(&w, 900 * MS, 3, W1, 1, 1);
    elects(&w, 901 * MS, W1, 1, 1, BIT(1) | BIT(2) | BIT(3));
    vote_lapses(&w, 10 * S + 2 * MS, 1, W1, 1);
    vote_lapses(&w, 10 * S + 2 * MS, 2, W1, 1);
    votes(&w, 10 * S + 12 * MS, 1, W2, 1, 2);
    votes(&w, 10 * S + 12 * MS, 2, W2, 1, 2);
    votes(&w, 10 * S + 12 * MS, 4, W2, 1, 2);
    elects(&w, 10 * S + 13 * MS, W2, 1, 2, BIT(1) | BIT(2) | BIT(4));
    CHECK(breaks_nothing(&w));
}

TEST("no-early-regrant: a quorum's renewal counts from its voters' extensions")
{
    static struct world w;
    world_begins(&w);
    for (int voter = 1; voter <= 3; voter++)
        votes(&w, 1 * S, voter, W1, 1, 1);
    elects(&w, 1 * S, W1, 1, 1, BIT(1) | BIT(2) | BIT(3));
    for (int voter = 1; voter <= 3; voter++)
        vote_extended(&w, 4 * S, voter, W1, 1);
    renewed(&w, 4 * S, W1, 1, BIT(1) | BIT(2) | BIT(3));
    renewed(&w, 4 * S, W1, 7, BIT(4)); /* of another epoch: not this lease's */
    vote_lapses(&w, 12 * S, 1, W1, 1);
    elects(&w, 13 * S, W2, 1, 2, BIT(1) | BIT(4) | BIT(5));
    CHECK(broken(&w, INV_NO_EARLY_REGRANT) != NULL);
}

/* --- owner-releases, owner-extends -------------------------------------------------------------- */

TEST("owner-releases names the releaser, the service, the freeing and the grant")
{
    static struct world w;
    world_begins(&w);
    uint32_t one = grants(&w, 1 * S, W2, 1, 2);
    uint32_t two = frees(&w, 2 * S, W2, 1, 2, W1, 1);
    CHECK_BROKEN(&w, INV_OWNER_RELEASES, 2 * S, W1, LEADER, two, one);
}

TEST("owner-releases: an operator breaks nothing, a former self does")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    forces(&w, 2 * S, LEADER, W1, 1, 1);
    grants(&w, 3 * S, W1, 2, 2);
    CHECK(breaks_nothing(&w));
    frees(&w, 4 * S, W1, 2, 2, W1, 1);
    CHECK(broken(&w, INV_OWNER_RELEASES) != NULL);
}

TEST("owner-extends names the stranger, the service, the extension and the grant")
{
    static struct world w;
    world_begins(&w);
    uint32_t one = grants(&w, 1 * S, W2, 1, 2);
    uint32_t two = extends(&w, 2 * S, W2, 1, 2, W1, 1);
    CHECK_BROKEN(&w, INV_OWNER_EXTENDS, 2 * S, W1, LEADER, two, one);
    world_begins(&w);
    grants(&w, 1 * S, W1, 2, 2);
    extends(&w, 2 * S, W1, 2, 2, W1, 1);
    CHECK(broken(&w, INV_OWNER_EXTENDS) != NULL);
}

TEST("owner-releases and owner-extends hold for a voter's own candidate")
{
    static struct world w;
    world_begins(&w);
    elects(&w, 1 * S, W1, 1, 1, BIT(1) | BIT(2) | BIT(3));
    vote_extended(&w, 2 * S, 1, W1, 1);
    vote_freed(&w, 3 * S, 1, W1, 1);
    CHECK(breaks_nothing(&w));
}

/* --- single-holder, single-actor, no-zombie-write ----------------------------------------------- */

TEST("single-holder names the second believer, the lock and both beliefs")
{
    static struct world w;
    world_begins(&w);
    uint32_t one = believes(&w, 1 * S, W1, 1, LEADER);
    uint32_t two = believes(&w, 2 * S, W2, 1, LEADER);
    CHECK_BROKEN(&w, INV_SINGLE_HOLDER, 2 * S, W2, LEADER, two, one);
}

TEST("single-holder lets two threads, and two starts, of one node believe")
{
    static struct world w;
    world_begins(&w);
    believes(&w, 1 * S, W1, 1, LEADER);
    believes(&w, 2 * S, W1, 1, LEADER);
    believes(&w, 3 * S, W1, 2, LEADER);
    CHECK(breaks_nothing(&w));
    doubts(&w, 4 * S, W1, 1, LEADER); /* one thread of it still does */
    doubts(&w, 5 * S, W1, 2, LEADER);
    believes(&w, 6 * S, W2, 1, LEADER);
    CHECK(broken(&w, INV_SINGLE_HOLDER) != NULL);
}

TEST("single-holder lets two nodes believe in two locks, and a doubt without a belief pass")
{
    static struct world w;
    world_begins(&w);
    doubts(&w, 1 * S, W3, 1, LEADER);
    believes(&w, 1 * S, W1, 1, LEADER);
    believes(&w, 2 * S, W2, 1, CHIEF);
    doubts(&w, 3 * S, W1, 1, LEADER);
    believes(&w, 3 * S, W2, 1, LEADER);
    CHECK(breaks_nothing(&w));
}

TEST("single-actor names whoever still acts, the lock, the later grant and the beginning of the act")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    uint32_t act = acts(&w, 2 * S, W1_CHECKIN, W1, LEADER, 1);
    lapses(&w, 11 * S, W1, 1);
    uint32_t later = grants(&w, 12 * S, W2, 1, 2);
    CHECK_BROKEN(&w, INV_SINGLE_ACTOR, 12 * S, W1, LEADER, later, act);
}

TEST("single-actor breaks too when the act begins under a later grant of another")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    lapses(&w, 11 * S, W1, 1);
    uint32_t later = grants(&w, 12 * S, W2, 1, 2);
    uint32_t act = acts(&w, 13 * S, W1, W1, LEADER, 1);
    CHECK_BROKEN(&w, INV_SINGLE_ACTOR, 13 * S, W1, LEADER, act, later);
}

TEST("single-actor: an act under an expired grant is no danger while nobody else was given the lock")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    lapses(&w, 11 * S, W1, 1);
    acts(&w, 12 * S, W1, W1, LEADER, 1);
    CHECK(breaks_nothing(&w));
}

TEST("single-actor: a later grant that is over is not current")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    frees(&w, 2 * S, W1, 1, 1, NOBODY, 1);
    grants(&w, 3 * S, W2, 1, 2);
    frees(&w, 4 * S, W2, 1, 2, NOBODY, 1);
    acts(&w, 5 * S, W1, W1, LEADER, 1);
    CHECK(breaks_nothing(&w));
}

TEST("single-actor: the holder acts under its own grant, on its own lock, and under another lock's")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    elects(&w, 1 * S, W2, 1, 1, BIT(1) | BIT(2) | BIT(3));
    acts(&w, 2 * S, W1, W1, LEADER, 1);
    acts(&w, 2 * S, W2, W2, CHIEF, 1);
    rests(&w, 3 * S, W1, W1, CHIEF, 1); /* not that lock: it still acts for leader */
    lapses(&w, 11 * S, W1, 1);
    CHECK(breaks_nothing(&w));
    grants(&w, 12 * S, W3, 1, 2);
    CHECK(broken(&w, INV_SINGLE_ACTOR) != NULL);
}

TEST("single-actor: a crash ends the acts of that process, and of no other")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    acts(&w, 2 * S, W1, W1, LEADER, 1);
    acts(&w, 2 * S, W1_CHECKIN, W1, LEADER, 1);
    crashes(&w, 3 * S, W1);
    lapses(&w, 11 * S, W1, 1);
    grants(&w, 12 * S, W2, 1, 2);
    CHECK(breaks_nothing(&w));
    acts(&w, 13 * S, W2, W2, LEADER, 2);
    crashes(&w, 14 * S, W1);
    lapses(&w, 22 * S, W2, 2);
    grants(&w, 23 * S, W3, 1, 3);
    CHECK(broken(&w, INV_SINGLE_ACTOR) != NULL);
}

TEST("single-actor has a row for each thread and lock")
{
    static struct world w;
    static const int thread[CLIENTS] = {W1, W1_CHECKIN, W2, W3}, process[CLIENTS] = {W1, W1, W2, W3};
    world_begins(&w);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < CLIENTS; i++) {
            acts(&w, 1 * S, thread[i], process[i], LEADER, 1);
            acts(&w, 1 * S, thread[i], process[i], CHIEF, 1);
        }
        for (int i = 0; i < CLIENTS; i++) {
            rests(&w, 1 * S, thread[i], process[i], LEADER, 1);
            rests(&w, 1 * S, thread[i], process[i], CHIEF, 1);
        }
    }
    CHECK(breaks_nothing(&w));
}

TEST("no-zombie-write names the writer, the store, its commit and the newer grant")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 1);
    lapses(&w, 11 * S, W1, 1);
    uint32_t newer = grants(&w, 12 * S, W2, 1, 2);
    uint32_t write = commits(&w, (struct write){13 * S, W1, 1, LEDGER_X, 1, LEADER, 1, -1, 0});
    CHECK_BROKEN(&w, INV_NO_ZOMBIE_WRITE, 13 * S, W1, LEDGER, write, newer);
    CHECK(broken(&w, INV_NO_STALE_WRITE) == NULL); /* the store had not seen the newer token */
}

TEST("no-zombie-write asks about deletes too, and only about tokens of a lock")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 8);
    commits(&w, (struct write){2 * S, W2, 1, LEDGER_X, 7, NOBODY, 1, -1, 0});
    commits(&w, (struct write){2 * S, W2, 1, LEDGER_X, 7, CHIEF, 2, -1, 0});
    commits(&w, (struct write){3 * S, W2, 1, LEDGER_X, -1, NOBODY, 3, -1, 0});
    CHECK(breaks_nothing(&w));
    commits(&w, (struct write){4 * S, W2, 1, LEDGER_X, 7, LEADER, 4, -1, V_REMOVES});
    CHECK(broken(&w, INV_NO_ZOMBIE_WRITE) != NULL);
}

TEST("no-zombie-write: the token granted last is no zombie's, however large one before it was")
{
    static struct world w;
    world_begins(&w);
    grants(&w, 1 * S, W1, 1, 9);
    frees(&w, 2 * S, W1, 1, 9, NOBODY, 1);
    grants(&w, 3 * S, W2, 1, 5); /* tokens in no order: token-order has said so */
    commits(&w, (struct write){4 * S, W2, 1, LEDGER_X, 5, LEADER, 1, -1, 0});
    CHECK(broken(&w, INV_NO_ZOMBIE_WRITE) == NULL);
}

/* --- names -------------------------------------------------------------------------------------- */

TEST("a name is a lock, a voter, a store, a register, or nothing of these")
{
    static struct world w;
    world_begins(&w);
    CHECK_EQ(judge_lock(&w.j, LEADER), 0);
    CHECK_EQ(judge_lock(&w.j, CHIEF), 1);
    CHECK_EQ(judge_lock(&w.j, CHIEF_4), 1);
    CHECK_EQ(judge_lock(&w.j, W1), NONE16);
    CHECK_EQ(judge_voter(&w.j, CHIEF_1), 1);
    CHECK_EQ(judge_voter(&w.j, CHIEF_5), 5);
    CHECK_EQ(judge_voter(&w.j, LEADER), NONE16);
    CHECK_EQ(judge_store(&w.j, SEEN), 1);
    CHECK_EQ(judge_store(&w.j, LEDGER_X), NONE16);
    CHECK_EQ(judge_register(&w.j, LEDGER_Y), 1);
    CHECK_EQ(judge_register(&w.j, SEEN), 2);
    CHECK_EQ(judge_register(&w.j, LEDGER), NONE16);
}

static void unknown_lock_grants(void *context)
{
    happens(context, 1 * S, W1, V_GRANTS, W2, FIELDS(INT(1), INT(1), value_ns(TTL), value_ns(MARGIN), NO, NO, NO));
}

static void unknown_store_commits(void *context)
{
    happens(context, 1 * S, W1, V_COMMITS, W2, FIELDS(INT(1), NAME(LEDGER_X), INT(1), INT(1), NO, NO, INT(1)));
}

static void too_many_act(void *context)
{
    for (int i = 0; i < 2 * CLIENTS + 1; i++)
        acts(context, 1 * S, W1, W1, LEADER, 1);
}

TEST("a record of what does not exist is a bug, and so are more acts than threads and locks")
{
    static struct world w;
    world_begins(&w);
    CHECK(test_asserts(unknown_lock_grants, &w, NULL));
    CHECK(test_asserts(unknown_store_commits, &w, NULL));
    CHECK(test_asserts(too_many_act, &w, NULL));
}

TEST("an invariant's words are whole: a name, what holds, what is not promised, a kind")
{
    for (uint32_t i = 0; i < INVARIANTS; i++) {
        const struct invariant_word *word = &invariant_table[i];
        CHECK(strlen(word->name) > 0 && strlen(word->holds_when) > 0 && strlen(word->not_promised) > 0);
        CHECK(word->kind <= INV_SIGN);
        for (uint32_t k = 0; k < i; k++)
            CHECK(strcmp(word->name, invariant_table[k].name) != 0);
    }
    CHECK_STR(invariant_kind_name[INV_HARM], "harm");
    CHECK_STR(invariant_kind_name[INV_PROTOCOL], "protocol");
    CHECK_STR(invariant_kind_name[INV_SIGN], "sign");
}
