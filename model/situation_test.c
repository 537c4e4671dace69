/* SPDX-License-Identifier: MIT
 *
 * situation_test.c - the cells and their names. What a trace reaches is told in scenarios/situations_test.c.
 */
#include "model/situation.h"

#include "sim/test.h"

static void check_names(const struct situation_word *w, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        CHECK(w[i].words[0] != '\0');
        CHECK(strspn(w[i].name, "abcdefghijklmnopqrstuvwxyz-") == strlen(w[i].name));
        for (uint32_t k = 0; k < i; k++)
            CHECK(strcmp(w[i].name, w[k].name) != 0);
    }
}

TEST("kinds and phases of situations have names of their own, of small letters and hyphens")
{
    check_names(situation_kind_table, SITUATION_KINDS);
    check_names(situation_phase_table, SITUATION_PHASES);
}

TEST("every kind and every phase is in a cell that a run can reach")
{
    for (uint32_t kind = 0; kind < SITUATION_KINDS; kind++) {
        uint32_t n = 0;
        for (uint32_t phase = 0; phase < SITUATION_PHASES; phase++) {
            uint32_t cell = situation_cell((enum situation_kind)kind, (enum situation_phase)phase);
            n += situation_is(cell) && situation_never(cell) == NULL;
        }
        CHECK(n > 0);
    }
    for (uint32_t phase = 0; phase < SITUATION_PHASES; phase++) {
        uint32_t n = 0;
        for (uint32_t kind = 0; kind < SITUATION_KINDS; kind++) {
            uint32_t cell = situation_cell((enum situation_kind)kind, (enum situation_phase)phase);
            n += situation_is(cell) && situation_never(cell) == NULL;
        }
        CHECK(n > 0);
    }
}

TEST("a cell is its kind and its phase, and what a kind cannot strike is none")
{
    for (uint32_t cell = 0; cell < SITUATION_CELLS; cell++) {
        CHECK_EQ(situation_cell(situation_kind_of(cell), situation_phase_of(cell)), cell);
        uint64_t side = situation_phase_table[situation_phase_of(cell)].side;
        CHECK_EQ(situation_is(cell), situation_kind_table[situation_kind_of(cell)].side >> side & 1);
    }
    CHECK(situation_is(situation_cell(STRUCK_PAUSE, DOING_CHECKED)));
    CHECK(!situation_is(situation_cell(STRUCK_PAUSE, IS_WRITE)));
    CHECK(!situation_is(situation_cell(STRUCK_DROP, AT_REST)));
    CHECK(!situation_is(SITUATION_CELLS));
}
