/* SPDX-License-Identifier: MIT
 *
 * digest.h - the models' part of the state digest.
 */
#ifndef FENCEPOST_MODEL_DIGEST_H
#define FENCEPOST_MODEL_DIGEST_H

#include "model/state.h"

void digest_prepare(const struct model_plan *p, uint8_t *is_round); /* by variable: see struct m */
void model_digest(struct m *m, struct hasher *h);
/* What the kernel feeds instead of a call slot, a timer's subject, a message's argument; after model_digest(). */
uint64_t digest_call_name(const struct m *m, uint16_t call);
uint64_t digest_subject(const struct m *m, const struct timer *t);
uint64_t digest_argument(const struct m *m, const struct message *msg, int i);

/* All that the clients of a process have of their own: two that differ in it are not in the same place. */
uint64_t digest_process(const struct m *m, uint16_t process);
void digest_calls(struct m *m, struct hasher *h); /* names calls anew; part of model_digest() */

#endif
