/* SPDX-License-Identifier: MIT
 *
 * situation.c - the tables of situation.h, made from their lists, and which cells no run can reach.
 */
#include "model/situation.h"

#define X(id, name, words, side) {name, words, side},
const struct situation_word situation_kind_table[SITUATION_KINDS] = {SITUATION_KIND_TABLE(X)};
const struct situation_word situation_phase_table[SITUATION_PHASES] = {SITUATION_PHASE_TABLE(X)};
#undef X

const char *const situation_side_name[SIDES] = {"programs", "services", "messages", "clocks"};

static uint32_t side_of(uint32_t cell) { return (uint32_t)situation_phase_table[situation_phase_of(cell)].side; }

bool situation_is(uint32_t cell)
{
    return cell < SITUATION_CELLS && situation_kind_table[situation_kind_of(cell)].side >> side_of(cell) & 1;
}

/* Where another thread of the program can go on to some effect while one stands still: a keeper keeps a grant, or its
 * program works on although the keeper stands. A keeper ends when its grant is given back. */
static bool other_thread_matters(enum situation_phase phase)
{
    switch (phase) {
    case DOING_HOLDING:
    case DOING_WORKING:
    case DOING_CHECKED:
    case DOING_WRITING:
    case DOING_RENEWING:
    case DOING_LATE:
    case DOING_HAS_JOB:
    case DOING_JOB:
    case DOING_EFFECT_DONE:
    case DOING_HEARTBEATING: return true;
    default: return false;
    }
}

const char *situation_never(uint32_t cell)
{
    enum situation_kind kind = situation_kind_of(cell);
    enum situation_phase phase = situation_phase_of(cell);
    bool program = side_of(cell) == SIDE_PROGRAM;
    if (kind == STRUCK_THREAD && !program)
        return "a service has one thread: to pause it is to pause the process";
    if (kind == STRUCK_THREAD && !other_thread_matters(phase))
        return "no other thread goes on with what this one holds: it counts as a pause of the program";
    if (kind == STRUCK_WIPE && program)
        return "a program has nothing on disk: it is a crash like any other";
    if (kind == STRUCK_SLOW && program)
        return "only a service answers";
    if (phase == ON_ANOTHER && kind != STRUCK_JUMP_AHEAD && kind != STRUCK_JUMP_BACK)
        return "a rate is that of all three clocks of a machine";
    return NULL;
}
