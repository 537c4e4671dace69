/* SPDX-License-Identifier: MIT
 *
 * story.h - for tests: small scenarios, played.
 *
 * A story is the text of a scenario without its first two lines. Every case of it is played: it must do what it says,
 * `expect` by `expect`, and the same again from a snapshot taken in mid-run.
 */
#ifndef FENCEPOST_SCENARIOS_STORY_H
#define FENCEPOST_SCENARIOS_STORY_H

#include "model/plan.h"

/* Plays every case; what is not as it says fails the running test. The text is borrowed, at most 16,000 bytes. */
void story(const char *text);

/* The first case ends as an error of the scenario: which, and at which line of the story, from 1. */
void story_fails(const char *text, enum model_failure code, uint32_t line);

#endif
