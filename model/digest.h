/* SPDX-License-Identifier: MIT
 *
 * digest.h - the models' part of the state digest.
 */
#ifndef FENCEPOST_MODEL_DIGEST_H
#define FENCEPOST_MODEL_DIGEST_H

#include "model/state.h"

void model_digest(struct m *m, struct hasher *h);

#endif
