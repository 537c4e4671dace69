/* SPDX-License-Identifier: MIT
 *
 * timeline_messages.c - messages, from what tells of their end back to what sent them.
 *
 *     w1 writes ledger  <-cause-  net delays w1  <-cause-  ledger receives from w1
 *
 *  1. Each arrival, and each loss, is one message. Its cause, behind what the network tells of it, is the record that
 *     sent it; so a duplicate is two messages with one sender.
 *  2. A message that is held at a closed link is one message that arrives, is lost, or waits there still.
 *  3. A request that came back was lost where nobody runs: it is two messages, the second of them `unreachable`, which
 *     left one link's delay before it came.
 *  4. What was on its way when the run ended, and an answer to a process that is gone, no record tells of.
 */
#include "reports/timeline_part.h"

#include <stdlib.h>

struct messages {
    struct timeline *t;
    uint32_t *led_to; /* [record]: the first record that has it as its cause; 0: none */
    uint8_t *went_on; /* [record]: of `holds`, whether the message came any further */
};

static bool is_of_network(const struct messages *k, const struct record *r)
{
    return r->actor == k->t->run->c->sim.net_name &&
           (r->verb == V_DELAYS || r->verb == V_HOLDS || r->verb == V_DUPLICATES || r->verb == V_REORDERS);
}

/* The record that sent a message, behind what the network tells of it; 0: none. */
static uint32_t sender(const struct messages *k, uint32_t number)
{
    while (number > 0 && is_of_network(k, timeline_record(k->t, number))) {
        k->went_on[number - 1] = 1;
        number = timeline_record(k->t, number)->cause;
    }
    return number;
}

/* What it led to: the first record behind the notes of its arrival. */
static uint32_t outcome(const struct messages *k, uint32_t number)
{
    uint32_t next = number;
    for (int i = 0; i < 3 && next > 0; i++) {
        next = k->led_to[next - 1];
        if (next > 0 && !line_is_note(&k->t->run->c->sim, timeline_record(k->t, next)))
            return next;
    }
    return number;
}

static void add(struct messages *k, struct flight f)
{
    void *rows = k->t->flights;
    struct flight *one = timeline_grow(k->t, &rows, &k->t->n_flights, &k->t->flights_capacity, sizeof *one);
    k->t->flights = rows;
    if (one != NULL)
        *one = f;
}

static ns delay_between(const struct messages *k, uint16_t from, uint16_t to)
{
    const struct sim_plan *sim = &k->t->run->c->sim;
    uint16_t a = k->t->lanes[from].machine, b = k->t->lanes[to].machine;
    for (uint32_t i = 0; i < sim->n_links && a != b; i++)
        if (sim->links[i].from == a && sim->links[i].to == b)
            return sim->links[i].delay_min;
    return sim->link_default.delay_min;
}

static void add_bounced(struct messages *k, const struct record *r, uint32_t number, struct flight f,
                        name_id unreachable)
{
    struct flight back = f;
    ns turned = r->at - delay_between(k, f.from, f.to);
    back.what = unreachable;
    back.sent = turned < f.sent ? f.sent : turned;
    f.from = back.to;
    f.to = back.from;
    f.at = back.sent;
    f.fate = FATE_LOST;
    f.b = number;
    add(k, f);
    add(k, back);
}

/* A caller that hears from itself: a service's answer is caused by something at the service. */
static bool came_back(const struct messages *k, const struct flight *f)
{
    uint16_t kind = k->t->lanes[f->to].kind;
    bool caller = kind == LANE_CLIENT || kind == LANE_NODE;
    return caller && f->a > 0 && f->from != f->to && timeline_lane(k->t, timeline_record(k->t, f->a)) == f->to;
}

static void received(struct messages *k, const struct record *r, uint32_t number)
{
    struct value from = timeline_field(k->t, r, "from"), what = timeline_field(k->t, r, "what");
    struct flight f = {.at = r->at,
                       .b = outcome(k, number),
                       .from = timeline_place(k->t, (name_id)from.v)->lane,
                       .to = timeline_lane(k->t, r),
                       .what = (name_id)what.v,
                       .fate = FATE_ARRIVES};
    if (f.from == NONE16 || f.to == NONE16)
        return;
    f.a = sender(k, r->cause);
    f.sent = f.a > 0 ? timeline_record(k->t, f.a)->at : r->at - delay_between(k, f.from, f.to);
    f.sent = f.sent < 0 ? 0 : f.sent;
    const struct model_plan *p = &k->t->run->c->model;
    if (came_back(k, &f))
        add_bounced(k, r, number, f, p->error_name[ERR_UNREACHABLE]);
    else
        add(k, f);
}

/* Lost, or held at a link that it never crossed. */
static void stopped(struct messages *k, const struct record *r, uint32_t number, enum fate fate)
{
    struct value to = timeline_field(k->t, r, "to"), what = timeline_field(k->t, r, "what");
    struct flight f = {.at = r->at,
                       .b = number,
                       .from = timeline_place(k->t, r->object)->lane,
                       .to = timeline_place(k->t, to.tag == TAG_NAME ? (name_id)to.v : NONE16)->lane,
                       .what = (name_id)what.v,
                       .fate = (uint16_t)fate};
    if (f.from == NONE16 || f.to == NONE16)
        return;
    f.a = sender(k, r->cause);
    f.sent = f.a > 0 ? timeline_record(k->t, f.a)->at : r->at;
    add(k, f);
}

static void walk(struct messages *k)
{
    struct timeline *t = k->t;
    for (uint32_t i = 0; i < t->n_records; i++)
        if (t->records[i].cause > 0 && k->led_to[t->records[i].cause - 1] == 0)
            k->led_to[t->records[i].cause - 1] = i + 1;
    for (uint32_t i = 0; i < t->n_records && !t->failed; i++) {
        if (t->records[i].verb == V_RECEIVES)
            received(k, &t->records[i], i + 1);
        else if (t->records[i].verb == V_LOSES)
            stopped(k, &t->records[i], i + 1, FATE_LOST);
    }
    for (uint32_t i = 0; i < t->n_records && !t->failed; i++)
        if (t->records[i].verb == V_HOLDS && !k->went_on[i])
            stopped(k, &t->records[i], i + 1, FATE_HELD);
}

void timeline_messages(struct timeline *t)
{
    struct messages k = {t, calloc(t->n_records + 1, sizeof *k.led_to), calloc(t->n_records + 1, 1)};
    t->failed = t->failed || k.led_to == NULL || k.went_on == NULL;
    if (!t->failed)
        walk(&k);
    free(k.led_to);
    free(k.went_on);
}
