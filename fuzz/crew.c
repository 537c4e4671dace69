/* SPDX-License-Identifier: MIT
 *
 * crew.c - see crew.h.
 */
#include "fuzz/crew.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/worker.h"

#define CREW_LEAST 256 /* schedules of a round that are worth starting processes for */
#define CREW_MOST 256

/* --- what is told of one schedule: a head, its steps, its slots and events --------------------------------- */

struct head {
    uint32_t task, found, invariant, node;
    int64_t at;
    uint32_t n_passed, n_steps, n_slots, whole;
};

/* Of one that is told for its end alone, no slots. */
static void tell(struct bytes *b, const struct search *s, uint32_t task)
{
    const struct player *p = s->player;
    bool news = search_is_news(s);
    uint32_t n_slots = news ? p->n_slots : 0;
    if (!news && p->whole)
        return;
    struct head h = {.task = task,
                     .found = p->found,
                     .invariant = p->culprit.invariant,
                     .node = p->culprit.node,
                     .at = p->found_at,
                     .n_passed = p->n_passed,
                     .n_steps = p->made.n,
                     .n_slots = n_slots,
                     .whole = p->whole};
    bytes_add(b, &h, sizeof h);
    bytes_add(b, p->made.row, p->made.n * sizeof p->made.row[0]);
    bytes_add(b, p->slot_event, n_slots * sizeof *p->slot_event);
    bytes_add(b, p->slots, n_slots * sizeof *p->slots);
}

/* --- one process's share ------------------------------------------------------------------------------------- */

/* The last of what a process tells. */
struct total {
    uint64_t steps;
    uint32_t no_memory, spare;
};

static struct total play_share(struct search *s, const struct task *tasks, uint32_t n, uint32_t from, uint32_t by,
                               struct bytes *out)
{
    struct total total = {0};
    uint64_t before = s->player->steps_played;
    for (uint32_t i = from; i < n; i += by) {
        if (!search_play_task(s, &tasks[i]) || out->failed) {
            total.no_memory = 1;
            break;
        }
        if (s->o.played != NULL)
            s->o.played(s->o.context, s->player);
        tell(out, s, i);
    }
    total.steps = s->player->steps_played - before;
    total.no_memory |= out->failed;
    return total;
}

/* --- taking in -------------------------------------------------------------------------------------------------- */

struct place {
    uint32_t task;
    const unsigned char *at;
};

static int by_task(const void *x, const void *y)
{
    const struct place *a = x, *b = y;
    return a->task < b->task ? -1 : a->task > b->task;
}

static size_t size_of(const struct head *h)
{
    return sizeof *h + h->n_steps * sizeof(struct step) + h->n_slots * (sizeof(uint32_t) + sizeof(uint16_t));
}

/* The bytes lie as they came: they are copied to where they are aligned. */
static bool take_one(const unsigned char *at, bool (*take)(void *, const struct outcome *), void *context)
{
    static uint32_t events[ABSTRACT_SLOTS];
    static uint16_t slots[ABSTRACT_SLOTS];
    struct schedule schedule;
    struct head h;
    memcpy(&h, at, sizeof h);
    at += sizeof h;
    ASSERT(h.n_steps <= SCHEDULE_MAX && h.n_slots <= ABSTRACT_SLOTS);
    schedule.n = h.n_steps;
    memcpy(schedule.row, at, h.n_steps * sizeof schedule.row[0]);
    at += h.n_steps * sizeof schedule.row[0];
    memcpy(events, at, h.n_slots * sizeof events[0]);
    at += h.n_slots * sizeof events[0];
    memcpy(slots, at, h.n_slots * sizeof slots[0]);
    struct outcome o = {.task = h.task,
                        .whole = h.whole != 0,
                        .found = h.found != 0,
                        .culprit = {h.invariant, (name_id)h.node},
                        .at = h.at,
                        .schedule = &schedule,
                        .n_passed = h.n_passed,
                        .n_slots = h.n_slots,
                        .slots = slots,
                        .events = events};
    return take(context, &o);
}

static enum crew_end take_all(struct bytes *told, uint32_t n_told, bool (*take)(void *, const struct outcome *),
                              void *context)
{
    struct place *places = NULL;
    uint32_t n = 0, room = 0;
    for (uint32_t i = 0; i < n_told; i++) {
        for (size_t at = 0; at < told[i].n;) {
            struct head h;
            memcpy(&h, told[i].row + at, sizeof h);
            if (n == room) {
                room = room == 0 ? 256 : 2 * room;
                struct place *grown = realloc(places, room * sizeof *grown);
                if (grown == NULL) {
                    free(places);
                    return CREW_NO_MEMORY;
                }
                places = grown;
            }
            places[n++] = (struct place){h.task, told[i].row + at};
            at += size_of(&h);
        }
    }
    if (n > 0)
        qsort(places, n, sizeof *places, by_task);
    for (uint32_t i = 0; i < n && take_one(places[i].at, take, context); i++) {
    }
    free(places);
    return CREW_GOOD;
}

/* --- processes ---------------------------------------------------------------------------------------------------- */

_Noreturn static void be_worker(struct search *s, const struct task *tasks, uint32_t n, uint32_t number,
                                const struct worker *w)
{
    struct bytes out = {0};
    struct total total = play_share(s, tasks, n, number, s->o.workers, &out);
    bool good = worker_tell(w, out.row, out.n) && worker_tell(w, &total, sizeof total);
    _exit(good ? 0 : 1);
}

static bool start(struct search *s, const struct task *tasks, uint32_t n, struct worker *workers, uint32_t number)
{
    struct worker *w = &workers[number];
    if (!worker_fork(w))
        return false;
    if (w->pid == 0)
        be_worker(s, tasks, n, number, w);
    return true;
}

/* True: it told all, and ended well. Takes the total off the end. */
static bool hear(struct search *s, const struct worker *w, struct bytes *told, bool *no_memory)
{
    struct total total;
    while (worker_hear(w, told)) {
    }
    int status = worker_end(w);
    if (told->failed || !WIFEXITED(status) || WEXITSTATUS(status) != 0 || told->n < sizeof total)
        return false;
    told->n -= sizeof total;
    memcpy(&total, told->row + told->n, sizeof total);
    s->steps += total.steps;
    *no_memory |= total.no_memory != 0;
    return true;
}

static enum crew_end play_apart(struct search *s, const struct task *tasks, uint32_t n, uint32_t workers,
                                struct bytes *told)
{
    struct worker worker[CREW_MOST];
    uint32_t started = 0;
    bool good = true, no_memory = false;
    while (started < workers && start(s, tasks, n, worker, started))
        started++;
    s->error = started < workers ? errno : 0;
    for (uint32_t w = 0; w < started; w++)
        good = hear(s, &worker[w], &told[w], &no_memory) && good;
    return no_memory ? CREW_NO_MEMORY : good && started == workers ? CREW_GOOD : CREW_BROKEN;
}

static enum crew_end play_here(struct search *s, const struct task *tasks, uint32_t n, struct bytes *told)
{
    struct total total = play_share(s, tasks, n, 0, 1, told);
    s->steps += total.steps;
    return total.no_memory ? CREW_NO_MEMORY : CREW_GOOD;
}

enum crew_end crew_play(struct search *s, const struct task *tasks, uint32_t n,
                        bool (*take)(void *context, const struct outcome *o), void *context)
{
    struct bytes told[CREW_MOST] = {{0}};
    ASSERT(s->o.workers > 0 && s->o.workers <= CREW_MOST);
    ASSERT(s->o.played == NULL || s->o.workers == 1);
    uint32_t workers = n >= CREW_LEAST ? s->o.workers : 1;
    enum crew_end end = workers > 1 ? play_apart(s, tasks, n, workers, told) : play_here(s, tasks, n, told);
    if (end == CREW_GOOD)
        end = take_all(told, workers, take, context);
    for (uint32_t w = 0; w < workers; w++)
        free(told[w].row);
    return end;
}
