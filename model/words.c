/* SPDX-License-Identifier: MIT
 *
 * words.c - the tables of words.h, made from its lists.
 */
#include "model/words.h"

/* A NULL ends each list of field names, so that a verb without fields has a row too. */
#define FIELDS(n, ...) \
    n, { __VA_ARGS__ }
#define X(id, name, sentence, flags, ...) {name, sentence, (uint8_t)(flags), FIELDS(__VA_ARGS__, NULL)},
const struct verb verb_table[VERBS] = {SIM_VERB_TABLE(X) MODEL_VERB_TABLE(X)};
#undef X

#define X(id, name, built, with, without) {name, with, without, built},
const struct gate_word gate_table[GATES] = {GATE_TABLE(X)};
#undef X

#define X(id, name, kind, built, holds_when, not_promised) {name, holds_when, not_promised, kind, built},
const struct invariant_word invariant_table[INVARIANTS] = {INVARIANT_TABLE(X)};
#undef X

const char *const invariant_kind_name[3] = {"harm", "protocol", "sign"};

#define X(id, name, sentence) {name, sentence},
const struct error_word error_table[ERRORS] = {ERROR_TABLE(X)};
#undef X
