/* SPDX-License-Identifier: MIT
 *
 * client.h - between client.c, which runs programs, and the step_*.c files, which know one kind of step each.
 *
 * An `act_` function runs a step at its stage ACT: it asks sim_before() before it has changed anything, and then goes
 * on, fails, or waits for a call or a timer. `k` is the instruction under way.
 */
#ifndef FENCEPOST_MODEL_CLIENT_H
#define FENCEPOST_MODEL_CLIENT_H

#include "model/state.h"

/* client.c */
uint32_t client_record(struct m *m, uint16_t client, uint16_t verb, name_id object, const struct value *f, uint32_t n);
bool client_before(struct m *m, uint16_t client, uint16_t verb, name_id object);
void client_go_to(struct m *m, uint16_t client, uint32_t pc);
void client_end(struct m *m, uint16_t client); /* the program is over */
void client_broken(struct m *m, uint16_t client, enum model_failure f);
/* A call of this step: the step waits for it. NONE16: no room, which was noted. */
uint16_t client_call(struct m *m, uint16_t client, uint16_t service, enum request kind);
void client_call_timer(struct m *m, uint16_t client, uint16_t call, ns after, unsigned flags);
/* Sends the call of this step, with its record. */
void client_send(struct m *m, uint16_t client, uint16_t verb, name_id object, const struct value *f, uint32_t n,
                 ns timeout);
/* The job or row that a variable holds; NONE16: none. */
uint16_t client_holds(const struct m *m, uint16_t client, uint16_t var);
/* What `for LOCK`, `for job` of a step names; NONE16: it has no `for`, or the variable is empty. */
uint16_t client_for(const struct m *m, uint16_t client, const struct instr *k);

/* step_ask.c: what acquire and claim share */
bool asks(const struct instr *k);
void ask_within(struct m *m, uint16_t client, const struct instr *k); /* begins `within`, once a step */
void act_ask(struct m *m, uint16_t client, const struct instr *k);    /* sends the ask, or sends it again */
void ask_turn(struct m *m, uint16_t client, const struct instr *k);   /* called: asks anew */
uint16_t ask_service(const struct m *m, const struct instr *k);

/* step_lock.c */
void act_acquire(struct m *m, uint16_t client, const struct instr *k);
void act_keep(struct m *m, uint16_t client, const struct instr *k);
void act_check(struct m *m, uint16_t client, const struct instr *k);
void act_release(struct m *m, uint16_t client, const struct instr *k);
void act_force_release(struct m *m, uint16_t client, const struct instr *k);
/* The grant has reached the client: its record, its holding. */
void grant_arrived(struct m *m, uint16_t client, uint16_t resource, int64_t token, ns first_sent, uint64_t rests_on);

/* step_store.c */
void act_write(struct m *m, uint16_t client, const struct instr *k);
void act_fence(struct m *m, uint16_t client, const struct instr *k);
void act_read(struct m *m, uint16_t client, const struct instr *k);
void read_answered(struct m *m, uint16_t client, const struct message *msg);

/* step_job.c */
void act_claim(struct m *m, uint16_t client, const struct instr *k);
void act_about_job(struct m *m, uint16_t client, const struct instr *k); /* heartbeat, complete, fail */
void act_name_job(struct m *m, uint16_t client, const struct instr *k);  /* enqueue, requeue */
void act_reap(struct m *m, uint16_t client, const struct instr *k);
void act_for_init(struct m *m, uint16_t client, const struct instr *k);
void act_for_next(struct m *m, uint16_t client, const struct instr *k);
void claim_answered(struct m *m, uint16_t client, ns first_sent, const struct message *msg);
/* An answer to heartbeat, complete, fail, reap, enqueue, requeue; false: the step is not over, or has failed. */
bool job_answered(struct m *m, uint16_t client, uint16_t call, const struct message *msg);

/* step_row.c */
void act_statement(struct m *m, uint16_t client, const struct instr *k); /* update, insert, delete and read of a row */
void statement_answered(struct m *m, uint16_t client, uint16_t call, const struct message *msg);

/* step_flow.c */
void act_work(struct m *m, uint16_t client, const struct instr *k);
void act_wait(struct m *m, uint16_t client, const struct instr *k);
void act_effect(struct m *m, uint16_t client, const struct instr *k);
void act_ping(struct m *m, uint16_t client, const struct instr *k);
void act_require(struct m *m, uint16_t client, const struct instr *k);
void act_let(struct m *m, uint16_t client, const struct instr *k);
void act_unless(struct m *m, uint16_t client, const struct instr *k);
void act_loop_init(struct m *m, uint16_t client, const struct instr *k);
void act_loop_next(struct m *m, uint16_t client, const struct instr *k);
void act_every_init(struct m *m, uint16_t client, const struct instr *k);
void act_every_next(struct m *m, uint16_t client, const struct instr *k);
void act_resume(struct m *m, uint16_t client);
void act_stop(struct m *m, uint16_t client);
struct var_state *client_variable(struct m *m, uint16_t client, uint16_t var);
uint32_t *client_based(struct m *m, uint16_t client, uint16_t var); /* [n_sources] */
/* A new value that was made from no read. */
void client_set(struct m *m, uint16_t client, uint16_t var, struct var_state value);

#endif
