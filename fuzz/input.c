/* SPDX-License-Identifier: MIT
 *
 * input.c - see input.h.
 */
#include "fuzz/input.h"

#include <string.h>

static uint32_t read_number(const uint8_t *data, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint32_t)data[i] << 8 * i;
    return value;
}

static void write_number(uint8_t *out, unsigned bytes, uint32_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        out[i] = (uint8_t)(value >> 8 * i);
}

bool input_read(const struct space *sp, const uint8_t *data, size_t n, struct schedule *out)
{
    out->n = 0;
    if (n / INPUT_RECORD > SCHEDULE_MAX)
        return false;
    for (; n >= INPUT_RECORD; n -= INPUT_RECORD, data += INPUT_RECORD) {
        uint32_t offer = read_number(data + 4, 2);
        if (offer < sp->n_offers)
            (void)schedule_add(out, read_number(data, 4), sp->own + offer, 0);
    }
    return true;
}

size_t input_write(const struct space *sp, const struct schedule *s, uint8_t *out, size_t size)
{
    size_t n = 0;
    for (uint32_t i = 0; i < s->n && n + INPUT_RECORD <= size; i++) {
        const struct step *step = &s->row[i];
        ASSERT(step->fault >= sp->own);
        if (step->fault >= sp->room)
            continue;
        write_number(out + n, 4, (uint32_t)step->address);
        write_number(out + n + 4, 2, step->fault - sp->own);
        write_number(out + n + 6, 2, 0);
        n += INPUT_RECORD;
    }
    return n;
}

const char *input_problem(const struct space *sp, const uint8_t *data, size_t n)
{
    if (n % INPUT_RECORD != 0)
        return "the last record is not whole: an input is records of 8 bytes";
    if (n > INPUT_MAX)
        return "more than 64 records";
    for (; n > 0; n -= INPUT_RECORD, data += INPUT_RECORD) {
        if (read_number(data + 4, 2) >= sp->n_offers)
            return "a record names an offer that the menu of this case does not have";
        if (read_number(data + 6, 2) != 0)
            return "the last two bytes of a record are not zero: this is no input of this version";
    }
    return NULL;
}
