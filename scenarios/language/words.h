/* SPDX-License-Identifier: MIT
 *
 * words.h - the table of words: every word of the language, once.
 *
 * From these lists come the dispatch of the parser (the handler), what it suggests, `fencepost list`
 * and the reference. Verbs, gates, invariants and errors stand in model/words.h and join the table
 * in words.c. A word with handler NULL and built 0 is known, and refused as "not in this version yet".
 *
 * X(name, group, built, handler, syntax, sentence, example)
 */
#ifndef FENCEPOST_LANGUAGE_WORDS_H
#define FENCEPOST_LANGUAGE_WORDS_H

/* clang-format off */

/* The first word of a line of its own. */
#define TOP_WORDS(X)                                                                                                   \
    X("fencepost", WORDS_DECLARATIONS, 1, top_header, "fencepost VERSION",                                             \
      "line 1: the version of the language", "fencepost 1")                                                            \
    X("scenario", WORDS_DECLARATIONS, 1, top_header, "scenario \"TITLE\"",                                             \
      "the title; `source`, `lesson`, `decided-by` and `reach` stand indented below it",                               \
      "scenario \"A paused leader overwrites its successor\"")                                                         \
    X("case", WORDS_DECLARATIONS, 1, top_case,                                                                         \
      "case NAME [without GATE ...] [with OPTION VALUE ...] holds | violates INVARIANT [by NODE] [at T1..T2] "         \
      "[and ...] [until mended]",                                                                                      \
      "one row to run, and its verdict; `until mended`: it also does once none of these breaks and its expectations "  \
      "hold", "case fenced holds")                                                          \
    X("param", WORDS_DECLARATIONS, 1, top_param, "param NAME = VALUE",                                                 \
      "a number, duration or text to change with `--set NAME=VALUE`", "param ttl = 10s")                               \
    X("until", WORDS_DECLARATIONS, 1, top_until, "until TIME", "the horizon: a run ends there at the latest",          \
      "until 5m")                                                                                                      \
    X("limit", WORDS_DECLARATIONS, 1, top_limit, "limit NAME COUNT", "raises a capacity of the run",                   \
      "limit messages 500")                                                                                            \
    X("net", WORDS_DECLARATIONS, 1, top_net, "net [A -> B | A - B] delay D[..D] [datagram | stream]",                  \
      "how long messages travel: on every link, or on one", "net w1 -> ledger delay 80ms..120ms datagram")             \
    X("sync", WORDS_DECLARATIONS, 1, top_sync, "sync DURATION", "how long it takes to write to disk", "sync 5ms")      \
    X("node", WORDS_DECLARATIONS, 1, top_node, "node NAME... [wall +D] [drift +Nppm] [identity \"TEXT\"]",             \
      "machines with a program, or with none", "node w8 wall +3s drift +200ppm identity \"host-7\"")                   \
    X("lock", WORDS_DECLARATIONS, 1, top_lock,                                                                         \
      "lock NAME central | quorum voters N, ttl D [margin D] [service-margin D] [lock-delay D] [renew D] [at NODE]",   \
      "a lock service", "lock backup central ttl 10s")                                                                 \
    X("store", WORDS_DECLARATIONS, 1, top_store,                                                                       \
      "store NAME [at NODE] [marks per key] [forgets requests] [guarded by LOCK]",                                     \
      "registers NAME/KEY; NAME alone is one register", "store archive at w2")                                         \
    X("group", WORDS_DECLARATIONS, 1, top_group, "group NAME = NAME...", "one name for several",                       \
      "group east = w1 leader.1 leader.2")                                                                             \
    X("may", WORDS_MAY, 1, top_may, "may FAULT ...", "what a search may choose; `run` ignores it",                     \
      "may pause w1 w2 up to 30s")                                                                                     \
    X("at", WORDS_FAULTS, 1, top_at, "at TIME: FAULT, at TIME: expect ..., at end: expect ...",                        \
      "a fault or an expectation at a true time", "at 5s: pause w1 for 12s")                                           \
    X("before", WORDS_FAULTS, 1, top_before, "before ACTOR VERB [OBJECT] [#N]: FAULT",                                 \
      "a fault behind the actor's own checks and just before it acts", "before w1 writes ledger: pause w1 for 12s")    \
    X("after", WORDS_FAULTS, 1, top_after, "after ACTOR VERB [OBJECT] [#N]: FAULT | expect ...",                       \
      "a fault or an expectation just after the record", "after leader.1 votes w2: crash leader.1 for 2s")             \
    X("within", WORDS_EXPECTATIONS, 1, top_within, "within D: expect ...",                                             \
      "counted from the expectation above", "at 5s: expect w1 holds leader\nwithin 20s: expect w2 acquires leader")    \
    X("always", WORDS_EXPECTATIONS, 1, top_always, "always: expect EXPR",                                              \
      "an invariant of your own, asked after every event", "always: expect not ledger = 3")                            \
    X("ask", WORDS_EXPECTATIONS, 1, top_ask, "ask at TIME \"QUESTION\", below it \"CHOICE\" if EXPR ...",              \
      "a question for a class; the one choice that is true at the end is the answer",                                  \
      "ask at 5s \"What will it say at the end?\"\n  \"one\" if ledger = 1\n  \"another\" if not ledger = 1")          \
    X("protocol", WORDS_DECLARATIONS, 0, NULL, "protocol NAME", "a protocol to be used by other files", "")            \
    X("queue", WORDS_QUEUES, 1, top_queue,                                                                             \
      "queue NAME lease D [attempts N] [margin D] [renew D] [at NODE], below it job \"NAME\" ...",                     \
      "a queue of jobs, each leased to the worker that claims it; after N attempts a job is dead; `renew` only "       \
      "without lease-covers-work",                                                                                     \
      "queue mails lease 30s attempts 5\n  job \"mail-7\" \"mail-8\"")                                                 \
    X("job", WORDS_QUEUES, 1, top_job, "job \"NAME\" ...", "jobs of the queue above, waiting from the start",          \
      "queue mails lease 30s\n  job \"mail-7\"")                                                                       \
    X("table", WORDS_TABLES, 1, top_table, "table NAME [at NODE], below it as ..., row ...",                           \
      "rows and columns of your own, changed by statements that run on the server",                                    \
      "table tasks at w2\n  row 42 state \"ready\" epoch 0")

/* Indented below `scenario`. */
#define HEADER_WORDS(X)                                                                                                \
    X("source", WORDS_DECLARATIONS, 1, header_source, "source \"TEXT\"", "where the story comes from",                 \
      "source \"M. Kleppmann, How to do distributed locking, 2016\"")                                                  \
    X("lesson", WORDS_DECLARATIONS, 1, header_lesson, "lesson \"TEXT\"", "what to learn from it",                      \
      "lesson \"A lock that expires cannot stop a write that is already on its way.\"")                                \
    X("decided-by", WORDS_DECLARATIONS, 1, header_decided_by, "decided-by GATE",                                       \
      "the gate whose absence decides the story; `run` checks it", "decided-by store-token")                           \
    X("reach", WORDS_DECLARATIONS, 1, header_reach, "reach FAULT PLACE \"TEXT\"",                                      \
      "of a lesson: a situation to look for, and what it is in words",                                                 \
      "reach pause between-check-and-act \"w1 stops behind its own check.\"")

/* The first word of a line of a program. */
#define STEP_WORDS(X)                                                                                                  \
    X("acquire", WORDS_STEPS, 1, step_acquire, "acquire LOCK [try | within D] [as NAME]",                              \
      "blocks until granted; `try` fails at once; `as first` gives first.token", "acquire leader within 5s as first")  \
    X("keep", WORDS_STEPS, 1, step_lock, "keep LOCK | JOB", "renews in the background, on thread NODE.keeper",         \
      "keep leader")                                                                                                   \
    X("check", WORDS_STEPS, 1, step_lock, "check LOCK | JOB", "the client's own belief, by its own clock",             \
      "check leader")                                                                                                  \
    X("read", WORDS_STEPS, 1, step_read, "read STORE[/KEY] | TABLE/KEY [as NAME]",                                     \
      "asks a store for a register, or a table for a row, whose columns are then NAME.COLUMN", "read ledger/x as y")   \
    X("write", WORDS_STEPS, 1, step_write, "write STORE[/KEY] EXPR [if unchanged] [token EXPR] [for LOCK | JOB]",      \
      "writes a register, with the token of the lock acquired last unless the step says otherwise",                    \
      "write ledger/x x + 1 if unchanged")                                                                             \
    X("delete", WORDS_STEPS, 1, step_delete,                                                                           \
      "delete STORE[/KEY] [token EXPR] [for LOCK | JOB], delete TABLE/KEY [where EXPR]",                               \
      "deletes a register, or a row", "delete ledger/x")                                                               \
    X("fence", WORDS_STEPS, 1, step_fence, "fence STORE [token EXPR] [for LOCK | JOB]",                                \
      "raises the store's mark to this thread's token, and waits for the answer", "fence ledger")                      \
    X("require", WORDS_STEPS, 1, step_require, "require EXPR",                                                         \
      "reads what it names, then checks on the client; no is `refused`", "require ledger.token < 5")                   \
    X("effect", WORDS_STEPS, 1, step_effect, "effect \"NAME\" [key EXPR] [for LOCK | JOB]",                            \
      "something outside that cannot be undone", "effect \"charge card\" key \"order-7\"")                             \
    X("ping", WORDS_STEPS, 1, step_ping, "ping NAME [within D]", "asks whether a node or service answers",             \
      "ping ledger within 3s")                                                                                         \
    X("work", WORDS_STEPS, 1, step_work, "work D [for LOCK | JOB]", "busy: a pause can fall inside it", "work 2s")     \
    X("wait", WORDS_STEPS, 1, step_wait, "wait D | wait until TIME",                                                   \
      "idle, on the node's monotonic clock; `wait until` is true time", "wait 10s")                                    \
    X("release", WORDS_STEPS, 1, step_lock, "release LOCK", "gives the lock back", "release leader")                   \
    X("force-release", WORDS_STEPS, 1, step_lock, "force-release LOCK", "an operator's word: no token is asked",       \
      "force-release leader")                                                                                          \
    X("let", WORDS_STEPS, 1, step_let, "let NAME = EXPR",                                                              \
      "names a value; `wall`, `monotonic`, `boottime` read this node's clocks now", "let t = wall")                    \
    X("repeat", WORDS_STEPS, 1, step_repeat, "repeat EXPR: | repeat every D:",                                         \
      "runs the lines below so many times, or in a rhythm", "repeat 3:\n  work 1s")                                    \
    X("if", WORDS_STEPS, 1, step_if, "if EXPR: ... else:", "runs the lines below if it is true",                       \
      "if x = 3:\n  stop\nelse:\n  work 1s")                                                                           \
    X("else", WORDS_STEPS, 1, step_else, "else:", "the other half of `if`", "if x != none:\n  work 1s\nelse:\n  stop") \
    X("on", WORDS_STEPS, 1, step_on, "on ERROR: STEPS, on ERROR: go on",                                               \
      "what to do when the step above fails; first in a program it serves every step",                                 \
      "ping w2 within 1s\non timeout:\n  wait 1s")                                                                     \
    X("stop", WORDS_STEPS, 1, step_stop, "stop", "ends the program", "stop")                                           \
    X("promote", WORDS_STEPS, 0, NULL, "promote REPLICA", "makes a replica the primary", "")                           \
    X("demote", WORDS_STEPS, 0, NULL, "demote REPLICA", "makes a primary a replica", "")                               \
    X("claim", WORDS_QUEUES, 1, step_claim, "claim QUEUE [N] [try | within D] [as NAME]",                              \
      "waits for a job; with N for a batch of up to N under one lease; `job` is its name, `job.token` the attempt",    \
      "claim jobs within 5s as mine\ncomplete mine")                                                                   \
    X("heartbeat", WORDS_QUEUES, 1, step_job, "heartbeat JOB", "extends the lease of a job, once; `keep` goes on",     \
      "claim jobs as mine\nheartbeat mine")                                                                            \
    X("complete", WORDS_QUEUES, 1, step_job, "complete JOB", "the job is done", "claim jobs as mine\ncomplete mine")   \
    X("fail", WORDS_QUEUES, 1, step_job, "fail JOB", "gives the job up: it is put back, or dead after its attempts",   \
      "claim jobs as mine\nfail mine")                                                                                 \
    X("enqueue", WORDS_QUEUES, 1, step_enqueue, "enqueue QUEUE \"NAME\"", "adds a job; a known name changes nothing",  \
      "enqueue jobs \"mail-9\"")                                                                                       \
    X("reap", WORDS_QUEUES, 1, step_reap, "reap QUEUE",                                                                \
      "looks for jobs whose lease is over, then asks for each to be put back", "reap jobs")                            \
    X("requeue", WORDS_QUEUES, 1, step_requeue, "requeue job \"NAME\"",                                                \
      "an operator's word: the job is put back, no token is asked", "requeue job \"invoice-42\"")                      \
    X("for", WORDS_QUEUES, 1, step_for, "for JOB in BATCH:", "runs the lines below for each job of a batch",           \
      "claim jobs 10 as batch\nfor mine in batch:\n  work 1s\n  complete mine")                                        \
    X("update", WORDS_TABLES, 1, step_update,                                                                          \
      "update TABLE/KEY | first TABLE | ROW set COLUMN EXPR ... [where EXPR] [as NAME]",                               \
      "changes a row in one step, if `where` is true of it; no is `refused`; `first`: the first row of which it is; "  \
      "ROW: a variable",                                                                                               \
      "update lease/a set owner me epoch epoch + 1 until now + 30s\n  where owner = none or until < now as mine\n"     \
      "update lease/a set owner none\n  where owner = me\n  [complete-token] and epoch = mine.epoch")                  \
    X("insert", WORDS_TABLES, 1, step_insert, "insert TABLE/KEY COLUMN EXPR ...",                                      \
      "adds a row; `refused` if it is there already", "insert lease/b owner me epoch 1")

/* The first word of a fault. */
#define FAULT_WORDS(X)                                                                                                 \
    X("pause", WORDS_FAULTS, 1, fault_pause, "pause NAME... [for D]",                                                  \
      "processes, or one thread (`w1.keeper`, `w1.main`), stop; the clocks run on",                                    \
      "at 5s: pause w1 for 12s\nat 9s: pause w1.main for 2s")                                                          \
    X("suspend", WORDS_FAULTS, 1, fault_suspend, "suspend NAME... [for D]",                                            \
      "machines stop, their monotonic clocks too", "at 5s: suspend w1 for 30m")                                        \
    X("crash", WORDS_FAULTS, 1, fault_crash, "crash NAME... [for D] [losing unsynced | everything]",                   \
      "processes end; volatile state is gone", "at 5s: crash leader.1 for 2s losing unsynced")                         \
    X("partition", WORDS_FAULTS, 1, fault_partition, "partition NAME... | NAME... [| ...] [for D] [holding]",          \
      "the groups cannot reach each other; others see all", "at 5s: partition w1 leader.1 | w2 leader.2 for 30s")      \
    X("cut", WORDS_FAULTS, 1, fault_cut, "cut A -> B | A - B [for D] [holding]", "a link closes, one way or both",     \
      "at 5s: cut w1 -> ledger for 5s holding")                                                                        \
    X("heal", WORDS_FAULTS, 1, fault_heal, "heal", "every partition and cut ends", "at 5s: heal")                      \
    X("delay", WORDS_FAULTS, 1, fault_message, "delay A -> B [#N] by D", "the next message is late",                   \
      "at 5s: delay w1 -> ledger by 14s")                                                                              \
    X("drop", WORDS_FAULTS, 1, fault_message, "drop A -> B [#N]", "the next message is lost",                          \
      "at 5s: drop w1 -> ledger #2")                                                                                   \
    X("duplicate", WORDS_FAULTS, 1, fault_message, "duplicate A -> B [#N] after D",                                    \
      "the next message arrives twice", "at 5s: duplicate w1 -> ledger after 3s")                                      \
    X("reorder", WORDS_FAULTS, 1, fault_message, "reorder A -> B [#N]", "the next message lets its successor pass",    \
      "at 5s: reorder w1 -> ledger")                                                                                   \
    X("wall", WORDS_FAULTS, 1, fault_wall, "wall NAME... jumps -D", "a wall clock is stepped",                         \
      "at 5s: wall w1 jumps -1h")                                                                                      \
    X("clock", WORDS_FAULTS, 1, fault_clock, "clock NAME... drifts +Nppm | slews +D over D",                           \
      "all clocks of a machine change their rate", "at 5s: clock w1 slews +2s over 10m")                               \
    X("slow", WORDS_FAULTS, 1, fault_slow, "slow SERVICE... by D [for D]", "a service answers late",                   \
      "at 5s: slow ledger by 3s for 10s")                                                                              \
    X("timers", WORDS_FAULTS, 1, fault_order, "after NAME resumes: timers first",                                      \
      "overdue timers run before what arrived in the meantime", "after w1 resumes: timers first")                      \
    X("messages", WORDS_FAULTS, 1, fault_order, "after NAME resumes: messages first",                                  \
      "what arrived runs before overdue timers", "after w1 resumes: messages first")

/* Behind `may`. */
#define MAY_WORDS(X)                                                                                                   \
    X("pause", WORDS_MAY, 1, may_pause, "may pause [NAME...] [up to D]", "processes or threads may stop",              \
      "may pause w1 w2 w1.keeper up to 30s")                                                                           \
    X("suspend", WORDS_MAY, 1, may_suspend, "may suspend [NAME...] [up to D]", "machines may be suspended",            \
      "may suspend w1 up to 1h")                                                                                       \
    X("crash", WORDS_MAY, 1, may_crash, "may crash [NAME...] [up to D] [losing unsynced | everything]",                \
      "processes may crash", "may crash leader.*")                                                                     \
    X("partition", WORDS_MAY, 1, may_partition, "may partition [NAME...] [up to D] [holding]",                         \
      "the network may split", "may partition")                                                                        \
    X("cut", WORDS_MAY, 1, may_cut, "may cut [A -> B | A - B] [up to D] [holding]", "links may close", "may cut")      \
    X("delay", WORDS_MAY, 1, may_delay, "may delay [A -> B | A - B] [up to D]", "messages may be late",                \
      "may delay up to 20s")                                                                                           \
    X("reorder", WORDS_MAY, 1, may_reorder, "may reorder [A -> B | A - B]", "messages may overtake", "may reorder")    \
    X("drop", WORDS_MAY, 1, may_drop, "may drop [A -> B | A - B]", "messages may be lost", "may drop")                 \
    X("duplicate", WORDS_MAY, 1, may_duplicate, "may duplicate [A -> B | A - B] [up to D]",                            \
      "messages may arrive twice", "may duplicate")                                                                    \
    X("slow", WORDS_MAY, 1, may_slow, "may slow [SERVICE...] [up to D]", "services may answer late",                   \
      "may slow ledger up to 5s")                                                                                      \
    X("step", WORDS_MAY, 1, may_step, "may step wall [NAME...] [up to D]", "wall clocks may be stepped",               \
      "may step wall up to 1h")                                                                                        \
    X("drift", WORDS_MAY, 1, may_drift, "may drift [NAME...] [up to Nppm]", "clocks may run fast or slow",             \
      "may drift up to 500ppm")

/* Words inside lines: X(name, group, built, syntax, sentence, example) */
#define INNER_WORDS(X)                                                                                                 \
    X("central", WORDS_LOCKS, 1, "lock NAME central ttl D", "one server, a lease and a counter",                       \
      "lock backup central ttl 10s margin 100ms lock-delay 15s renew 3s at w2")                                        \
    X("quorum", WORDS_LOCKS, 1, "lock NAME quorum voters N ttl D",                                                     \
      "voters NAME.1 to NAME.N, which candidates ask themselves; the epoch is the token",                              \
      "lock chief quorum voters 5 ttl 10s service-margin 200ms")                                                       \
    X("single", WORDS_STORES, 1, "store NAME", "one server", "store archive")                                          \
    X("marks per key", WORDS_STORES, 1, "store NAME marks per key", "a fence mark for each key: a trap",               \
      "store archive marks per key")                                                                                   \
    X("forgets requests", WORDS_STORES, 1, "store NAME forgets requests",                                              \
      "a repeated request is done again", "store archive forgets requests")                                            \
    X("guarded by", WORDS_STORES, 1, "store NAME guarded by LOCK",                                                     \
      "the lock that `token EXPR` speaks for; implied where there is one lock", "store archive guarded by leader")     \
    X("as queue", WORDS_TABLES, 1,                                                                                     \
      "as queue owner COL [token COL] [until COL] [running COL = VALUE [or VALUE ...]] done COL = VALUE [or ...]",     \
      "below a table: what its columns mean, so that every invariant of jobs applies to its rows",                     \
      "table tasks\n  as queue owner owner token epoch until ends running state = \"busy\" done state = \"done\"\n"    \
      "  row 42 state \"ready\" owner none epoch 0 ends 0s")                                                           \
    X("as lock", WORDS_TABLES, 1, "as lock owner COL [token COL] [until COL]",                                         \
      "the same for the invariants of locks", "table leases\n  as lock owner holder\n  row a holder none")             \
    X("row", WORDS_TABLES, 1, "row KEY COLUMN VALUE ...",                                                              \
      "below a table: a row that is there from the start; a column that it leaves out is none",                        \
      "table tasks\n  row 42 state \"ready\" epoch 0")                                                                 \
    X("now", WORDS_TABLES, 1, "update ... until now + D", "in a statement: the server's wall clock",                   \
      "table tasks\n  row 42 until 0s\nw2.two:\n  update tasks/42 set until now + 30s\n    where until < now")         \
    X("replicas", WORDS_STORES, 0, "store NAME replicas N async | sync | quorum", "a replicated store", "")            \
    X("expect", WORDS_EXPECTATIONS, 1, "expect [not] ...", "what must be true then",                                   \
      "at end: expect ledger/x = 3")                                                                                   \
    X("holds", WORDS_EXPECTATIONS, 1, "expect NODE holds LOCK | job \"NAME\" | TABLE/KEY", "by the service's word",    \
      "at 13s: expect w2 holds leader")                                                                                \
    X("believes", WORDS_EXPECTATIONS, 1, "expect NODE believes LOCK | job \"NAME\"", "by the node's own check",        \
      "at 13s: expect not w2 believes leader")                                                                         \
    X("token", WORDS_EXPECTATIONS, 1, "expect token LOCK | job \"NAME\" | TABLE/KEY = N", "the token granted last",    \
      "at end: expect token leader = 34")                                                                              \
    X("job", WORDS_EXPECTATIONS, 1,                                                                                    \
      "expect job \"NAME\" absent | waiting | running [by NODE] | completed [by NODE] | dead",                         \
      "what the queue says of it", "at end: expect job \"invoice-42\" waiting")                                        \
    X("TABLE/KEY.COLUMN", WORDS_EXPECTATIONS, 1, "expect TABLE/KEY.COLUMN = VALUE", "a cell; none without its row",    \
      "at end: expect lease/a.epoch = 1")                                                                              \
    X("STORE.token", WORDS_EXPECTATIONS, 1, "expect STORE.token = N", "the store's fence mark",                        \
      "at end: expect ledger.token <= 2")                                                                              \
    X("effect", WORDS_EXPECTATIONS, 1, "expect effect \"NAME\" once | N times",                                        \
      "how often it has happened; some step of the file has it", "at end: expect effect \"charge card\" once")         \
    X("no leader among", WORDS_EXPECTATIONS, 1, "expect no leader among NAME...",                                      \
      "none of these nodes holds a lock, and no holder's votes all come from these voters",                            \
      "at 5s: expect no leader among leader.2 leader.3")                                                               \
    X("ACTOR VERB", WORDS_EXPECTATIONS, 1, "expect [TIME] ACTOR VERB [OBJECT] [DETAILS]",                              \
      "a line of the printed trace, with or without its details", "at end: expect w1 failed stale-token")              \
    X("at most", WORDS_MAY, 1, "at most N faults", "how many a search may choose", "at most 3 faults")                 \
    X("events", WORDS_LIMITS, 1, "limit events N", "events that a run may process; 1000000", "limit events 2000000")   \
    X("pending", WORDS_LIMITS, 1, "limit pending N", "events that wait at one time", "limit pending 500")              \
    X("messages", WORDS_LIMITS, 1, "limit messages N", "messages in flight at one time", "limit messages 500")         \
    X("records", WORDS_LIMITS, 1, "limit records N", "lines of the trace that are kept; 1000000",                      \
      "limit records 100000")                                                                                          \
    X("labels", WORDS_LIMITS, 1, "limit labels N", "different decision points", "limit labels 5000")                   \
    X("calls", WORDS_LIMITS, 1, "limit calls N", "calls under way at one time", "limit calls 200")                     \
    X("effects", WORDS_LIMITS, 1, "limit effects N", "different effects; 32", "limit effects 64")                      \
    X("link", WORDS_DEFAULTS, 1, "net delay D", "1 ms each way, stream", "net delay 1ms")                              \
    X("disk", WORDS_DEFAULTS, 1, "sync D", "1 ms", "sync 1ms")                                                         \
    X("request timeout", WORDS_DEFAULTS, 1, "ping NAME within D",                                                      \
      "5 s (for `keep` a sixth of the lease, if less), sent once; only `acquire`, `claim` and `keep` send again",      \
      "ping w2 within 5s")                                                                                             \
    X("renewal", WORDS_DEFAULTS, 1, "lock NAME ... renew D", "every third of the lease",                               \
      "lock backup central ttl 9s renew 3s")                                                                           \
    X("margin", WORDS_DEFAULTS, 1, "lock NAME ... margin D", "the client's: 1 % of the lease",                         \
      "lock backup central ttl 10s margin 100ms")                                                                      \
    X("service-margin", WORDS_DEFAULTS, 1, "lock NAME ... service-margin D", "the service's: 0",                       \
      "lock backup central ttl 10s service-margin 0s")                                                                 \
    X("lock-delay", WORDS_DEFAULTS, 1, "lock NAME ... lock-delay D", "0; it follows an expiry, not a release",         \
      "lock backup central ttl 10s lock-delay 0s")                                                                     \
    X("lease clock", WORDS_DEFAULTS, 1, "with clock monotonic | wall",                                                 \
      "boottime; without safe-clock monotonic, or `with clock wall`",                                                  \
      "case drifting without safe-clock with clock wall holds")                                                        \
    X("job lease", WORDS_DEFAULTS, 1, "queue NAME lease D",                                                            \
      "has no default: write it; beats every third of it, a margin of 1 %; an expired job can be claimed at once",     \
      "queue mails lease 30s margin 300ms")                                                                            \
    X("attempts", WORDS_DEFAULTS, 1, "queue NAME ... attempts N", "no end", "queue mails lease 30s attempts 5")        \
    X("progress", WORDS_DEFAULTS, 1, "with progress D",                                                                \
      "`progress` has to show within twice the longest lease after the last fault",                                    \
      "case slow with progress 5m holds and progress")                                                                 \
    X("token mode", WORDS_DEFAULTS, 1, "with token per-owner | random",                                                \
      "a counter on disk; without monotonic-token in memory, or these other mistakes",                                 \
      "case dice without monotonic-token with token random holds")                                                     \
    X("count mode", WORDS_DEFAULTS, 1, "with count reachable",                                                         \
      "all configured voters; without strict-majority half of them, or half of those reachable",                       \
      "case half without strict-majority with count reachable holds")

/* clang-format on */

#endif
