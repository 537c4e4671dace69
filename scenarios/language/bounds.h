/* SPDX-License-Identifier: MIT
 *
 * bounds.h - what a scenario file may not exceed. Each is named in the message that refuses it.
 */
#ifndef FENCEPOST_LANGUAGE_BOUNDS_H
#define FENCEPOST_LANGUAGE_BOUNDS_H

#define LANGUAGE_VERSION 1

#define FILE_BYTES_MAX (1u << 20)
#define LINES_MAX 20000u
#define LINE_BYTES_MAX 4096u
#define DEPTH_MAX 32u       /* of indented blocks */
#define PARENTHESES_MAX 16u /* inside one another */
#define NAME_BYTES_MAX 64u  /* of one name */
#define CASES_MAX 64u
#define NODES_MAX 1000u
#define LOCKS_MAX 64u /* a bit each in what a thread acts for */
#define QUEUES_MAX 64u
#define TABLES_MAX 64u
#define COLUMNS_MAX 64u  /* of one table: so cells are 64 * 64 at the most */
#define CAPTURES_MAX 64u /* values that one statement takes from its client */
#define BATCH_MAX 64u    /* jobs of one claim */
#define ATTEMPTS_MAX 65535
#define VOTERS_MAX 64u
#define VARIABLES_MAX 1000u          /* of one program */
#define STATE_VARIABLES_MAX 1000000u /* of all threads together, with those that loops need */
#define IDS_MAX 4000000u             /* names in all faults together */
#define NAMES_MAX 60000u             /* of everything that can stand in a trace */
#define THREADS_MAX 4000u
#define CONNECTIONS_MAX 60000u
#define LINKS_MAX 2000u /* `net A -> B` lines, by pair */
#define FAULTS_MAX 10000u
#define ASKS_MAX 64u         /* of one case */
#define CHOICES_MAX 26u      /* of one question */
#define COUNT_MAX 1000000000 /* of a plain count: an ordinal, a limit */
#define PENDING_MAX 65000u   /* pending events and messages, unless `limit` says more */

#endif
