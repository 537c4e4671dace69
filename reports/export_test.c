/* SPDX-License-Identifier: MIT
 *
 * The formats word for word, where a person can check them; export_test.sh has the rules of their readers.
 */
#include "reports/export.h"
#include "reports/export_clock.h"
#include "reports/export_run.h"
#include "reports/line.h"
#include "reports/trace.h"
#include "scenarios/played.h"

#include "sim/test.h"

#include <stdio.h>
#include <stdlib.h>

/* A case of a text, in a format. The text that comes back is owned. */
static struct text exported(const char *scenario, const char *name, enum format format)
{
    struct played_case p = played(scenario, name, 0);
    struct text t = {0};
    if (p.run != NULL) {
        struct outcome_file f = {"a.fence", scenario, strlen(scenario), p.scenario, 8, false};
        trace_export(&t, &f, p.run, format, false);
    }
    played_free(&p);
    return t;
}

static void check_export(const char *scenario, const char *name, enum format format, const char *expected)
{
    struct text t = exported(scenario, name, format);
    CHECK_STR(text_c(&t), expected);
    text_free(&t);
}

static uint32_t count_of(struct text *t, const char *what)
{
    uint32_t n = 0;
    for (const char *at = strstr(text_c(t), what); at != NULL; at = strstr(at + 1, what))
        n++;
    return n;
}

static void holds_text(struct text *t, const char *what)
{
    if (strstr(text_c(t), what) == NULL)
        test_failed(__FILE__, __LINE__, "no %s in\n%s", what, text_c(t));
}

TEST("a history of Jepsen has an operation a client's step, and a line a fault")
{
    check_export(
        played_example, "fenced", FORMAT_EDN,
        "{:index 0, :time 0, :process 0, :type :invoke, :f :acquire, :on \"leader\", :value nil}\n"
        "{:index 1, :time 3000000, :process 0, :type :ok, :f :acquire, :on \"leader\", :value {:fence 1}}\n"
        "{:index 2, :time 1003000000, :process :nemesis, :type :info, :f :pauses, "
        ":value {:on \"w1\", :for 12000000000}}\n"
        "{:index 3, :time 11000000000, :process 1, :type :invoke, :f :acquire, :on \"leader\", :value nil}\n"
        "{:index 4, :time 11003000000, :process 1, :type :ok, :f :acquire, :on \"leader\", :value {:fence 2}}\n"
        "{:index 5, :time 11003000000, :process 1, :type :invoke, :f :write, :on \"ledger\", "
        ":value \"from w2\", :fence 2}\n"
        "{:index 6, :time 11006000000, :process 1, :type :ok, :f :write, :on \"ledger\", "
        ":value \"from w2\", :fence 2}\n"
        "{:index 7, :time 13003000000, :process :nemesis, :type :info, :f :resumes, :value {:on \"w1\"}}\n"
        "{:index 8, :time 13003000000, :process 0, :type :invoke, :f :write, :on \"ledger\", "
        ":value \"from w1\", :fence 1}\n"
        "{:index 9, :time 13006000000, :process 0, :type :fail, :f :write, :on \"ledger\", "
        ":value \"from w1\", :error :stale-token, :fence 1}\n");
}

TEST("an operation without an answer is :info, and its client goes on as a new process")
{
    struct text t = exported("fencepost 1\nscenario \"x\"\ncase a holds\nstore s\nnode w\n"
                             "w:\n  write s 1\n  on timeout: go on\n  write s 2\n"
                             "at 0s: drop s -> w\n",
                             "a", FORMAT_EDN);
    holds_text(&t, ":time 5000000000, :process 0, :type :info, :f :write, :on \"s\", :value 1, :error :timeout}\n");
    holds_text(&t, ":time 5000000000, :process 1, :type :invoke, :f :write, :on \"s\", :value 2}\n");
    holds_text(&t, ":process 1, :type :ok, :f :write, :on \"s\", :value 2}\n");
    text_free(&t);
}

TEST("a history of a queue has claims, heartbeats and completions, each with its attempt")
{
    struct text t = exported(
        "fencepost 1\nscenario \"x\"\ncase a holds\nqueue jobs lease 30s\n  job \"a\"\n  job \"b\"\n"
        "node w\nw:\n  claim jobs 2 as batch\n  for job in batch:\n    heartbeat job\n"
        "    complete job\n",
        "a", FORMAT_EDN);
    holds_text(&t, ":type :invoke, :f :claim, :on \"jobs\", :value nil}\n");
    holds_text(&t, ":type :ok, :f :claim, :on \"jobs\", :value [{:job \"a\", :fence 1} {:job \"b\", :fence 1}]}\n");
    holds_text(&t, ":type :ok, :f :heartbeat, :on \"a\", :value {:fence 1}}\n");
    holds_text(&t, ":type :ok, :f :complete, :on \"b\", :value {:fence 1}}\n");
    CHECK_EQ(count_of(&t, ":invoke"), 5);
    CHECK_EQ(count_of(&t, ":type :ok"), 5);
    text_free(&t);
}

TEST("a log for ShiViz begins with the expression that reads it, and carries clocks by messages alone")
{
    struct text t = exported(played_example, "checked", FORMAT_SHIVIZ);
    const char *head = "(?<host>\\S+) (?<t>\\d+) (?<clock>{.*})\\n(?<event>.*)\n\n"
                       "w1 0 {\"w1\":1}\nw1 asks leader\n"
                       "leader 1000000 {\"w1\":1,\"leader\":1}\nleader receives from w1 what ask\n";
    CHECK_EQ(strncmp(text_c(&t), head, strlen(head)), 0);
    /* w2 has heard of w1 through the leader; w1, when it resumes, has not heard of w2 */
    holds_text(&t, "w2 11003000000 {\"w1\":1,\"w2\":2,\"leader\":5}\n");
    holds_text(&t, "w1 13003000000 {\"w1\":6,\"leader\":2}\nw1 resumes\n");
    holds_text(&t, "ledger commits w1 token 1 \"from w1\" (violates no-stale-write and sign no-zombie-write)\n");
    text_free(&t);
}

TEST("a trace for Perfetto has microseconds with three places, pauses, arrows, leases and the violation")
{
    struct text t = exported(played_example, "checked", FORMAT_PERFETTO);
    holds_text(&t, "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1003000.000,\"dur\":12000000.000,\"cat\":\"stop\","
                   "\"name\":\"w1 pauses for 12s\"}");
    holds_text(&t, "\"ts\":2000.000,\"cat\":\"lease\",\"id\":\"0x1\",\"name\":\"leader token 1 of w1\"");
    holds_text(&t, "\"s\":\"g\",\"cat\":\"violation\",\"name\":\"VIOLATION no-stale-write\"");
    CHECK_EQ(count_of(&t, "\"flow_out\":true"), 8);
    CHECK_EQ(count_of(&t, "\"flow_in\":true"), 8);
    CHECK_EQ(count_of(&t, "\"ph\":\"b\""), count_of(&t, "\"ph\":\"e\""));
    text_free(&t);
}

TEST("stops that overlap are cut, so that the slices of a lane nest")
{
    struct text t = exported("fencepost 1\nscenario \"x\"\ncase a holds\nnode w\nw:\n  work 30s\n"
                             "at 1s: pause w for 10s\nat 5s: suspend w for 10s\n",
                             "a", FORMAT_PERFETTO);
    holds_text(&t, "\"ts\":1000000.000,\"dur\":10000000.000");
    holds_text(&t, "\"ts\":5000000.000,\"dur\":6000000.000");
    holds_text(&t, "\"ts\":11000000.000,\"dur\":4000000.000");
    text_free(&t);
}

TEST("a sequence diagram has arrows, notes, the lease as an activation, and nothing that its syntax takes for its own")
{
    struct text t = exported("fencepost 1\nscenario \"end; # 50 %\"\ncase a holds\nlock l central ttl 10s\nnode w\n"
                             "w:\n  acquire l\n  release l\nat 5s: cut w -> l for 1s\n",
                             "a", FORMAT_MERMAID);
    CHECK_STR(text_c(&t), "sequenceDiagram\n"
                          "  title #101;nd#59; #35; 50 #37;, case a\n"
                          "  participant w\n  participant l\n  participant net\n"
                          "  w->>l: 0.001s asks l\n"
                          "  activate w\n"
                          "  l-->>w: 0.003s grants w token 1\n"
                          "  Note over w: 0.003s acquires l token 1\n"
                          "  w->>l: 0.004s releases l token 1\n"
                          "  deactivate w\n"
                          "  l-->>w: 0.006s frees w token 1\n"
                          "  rect rgba(122, 79, 163, 0.1)\n"
                          "  Note over net: 5.000s cuts #34;w -#62; l#34; for 1s\n"
                          "  Note over net: 6.000s heals #34;w -#62; l#34;\n"
                          "  end\n");
    text_free(&t);
}

static const char long_story[] = "fencepost 1\nscenario \"x\"\ncase a without store-token violates no-stale-write\n"
                                 "lock l central ttl 10s\nstore s\nnode v w\n"
                                 "v:\n  acquire l\n  repeat 30:\n    write s 1\n  write s 2\n"
                                 "w:\n  wait 20s\n  acquire l\n  write s 3\n"
                                 "after v acquires l: clock v drifts -500000ppm\n"
                                 "before v writes s #31: pause v for 30s\n";

TEST("of a long story a sequence diagram shows forty messages round the violation, a graph what led to it")
{
    struct text t = exported(long_story, "a", FORMAT_MERMAID);
    holds_text(&t, ": messages 29 to 68 of 68\n");
    CHECK_EQ(count_of(&t, ">>"), 40);
    holds_text(&t, "violates no-stale-write");
    text_free(&t);
    t = exported(long_story, "a", FORMAT_DOT);
    holds_text(&t, "\\nviolates no-stale-write");
    CHECK(count_of(&t, "    e") <= 40);
    text_free(&t);
}

TEST("a graph has a chain a lane and an edge a message, which moves no node")
{
    check_export("fencepost 1\nscenario \"a \\\"b\\\" \\\\\"\ncase a holds\nstore s\nnode w\nw:\n  write s \"x\"\n",
                 "a", FORMAT_DOT,
                 "digraph trace {\n  rankdir=LR;\n  node [shape=box, fontsize=10];\n  edge [fontsize=9];\n"
                 "  label=\"a \\\"b\\\" \\\\, case a\";\n"
                 "  lane0 [shape=plaintext, label=\"w\"];\n"
                 "    e0 [label=\"0.000s\\nw writes s \\\"x\\\"\"];\n"
                 "  lane0 -> e0 [weight=100, penwidth=2, arrowhead=none];\n"
                 "  lane1 [shape=plaintext, label=\"s\"];\n"
                 "    e2 [label=\"0.002s\\ns commits w \\\"x\\\"\"];\n"
                 "  lane1 -> e2 [weight=100, penwidth=2, arrowhead=none];\n"
                 "  e0 -> e2 [constraint=false, label=\"write\"];\n"
                 "}\n");
}

TEST("JSON Lines have a head, each record with its node's clocks, and the records that broke what")
{
    struct text t = exported(played_example, "checked", FORMAT_JSONL);
    holds_text(&t, "\"tool\":\"fencepost\",\"unit\":\"ns\",\"removed\":[\"store-token\"],"
                   "\"lanes\":[\"w1\",\"w2\",\"leader\",\"ledger\",\"net\"]}\n");
    holds_text(&t, "{\"invariant\":\"no-stale-write\",\"record\":33,\"other\":25,\"as\":\"expected\"}");
    holds_text(&t, "\"node\":\"w1\",\"mono_ns\":");
    holds_text(&t, "\"end\":\"idle\",\"records\":38}\n");
    CHECK_EQ(count_of(&t, "{\"record\":"), 38);
    text_free(&t);
    t = exported(played_example, "checked", FORMAT_JSON);
    CHECK_EQ(count_of(&t, "\"note\":true"), 0);
    text_free(&t);
}

/* Everything that a clock can meet: two that drift, one that slews twice over, jumps, nested suspensions. */
static const char odd_clocks[] =
    "fencepost 1\nscenario \"x\"\ncase a holds\nnode v drift +123ppm\nnode w wall +3s\nnode x\n"
    "v:\n  work 20s\n  work 20s\nw:\n  work 40s\nx:\n  work 40s\n"
    "at 1.000000007s: clock v drifts -77ppm\nat 2s: clock w slews +2s over 7.333s\n"
    "at 4.100s: clock w slews -1s over 9s\nat 5s: wall w jumps -1h\n"
    "at 6s: suspend x for 4s\nat 7s: suspend x for 9s\nat 8s: pause x for 3s\n"
    "at 9.999999999s: clock x drifts +500000ppm\nuntil %d.000000%03ds\n";

static void check_clocks(struct played_case *p, const char *text)
{
    struct outcome_file f = {"a.fence", text, strlen(text), p->scenario, 1, false};
    struct exported x;
    struct export_clocks c;
    CHECK(export_open(&x, &f, p->run));
    CHECK(export_clocks_open(&c, &x));
    if (x.n > 0)
        export_clocks_go(&c, x.n - 1);
    for (uint16_t m = 0; m < x.sim->n_machines; m++)
        for (int kind = 0; kind < CLOCKS; kind++)
            CHECK_EQ(export_clocks_read(&c, m, (enum clock_kind)kind, p->run->end_ns),
                     clock_now(p->run->sim, m, (enum clock_kind)kind));
    export_clocks_close(&c);
    export_close(&x);
}

TEST("the clocks worked out from a trace read to the nanosecond what the machines read")
{
    for (int second = 1; second < 20; second++) {
        char text[1024];
        (void)snprintf(text, sizeof text, odd_clocks, second, second * 37 % 1000);
        struct played_case p = played(text, "a", 0);
        if (p.run != NULL) {
            CHECK_EQ(p.run->end, END_HORIZON);
            check_clocks(&p, text);
        }
        played_free(&p);
    }
}

TEST("every format of the example is the same text twice")
{
    for (int format = FORMAT_JSON; format < FORMATS; format++) {
        if (!(format_table[format].of & FORMAT_OF_TRACE))
            continue;
        struct text a = exported(played_example, "advisory", (enum format)format);
        struct text b = exported(played_example, "advisory", (enum format)format);
        CHECK(a.n > 0 && !a.failed);
        CHECK_STR(text_c(&a), text_c(&b));
        text_free(&a);
        text_free(&b);
    }
}

TEST("what turns the direction of writing is escaped, and so is what would end a script")
{
    struct text raw = {0}, t = {0};
    text_add(&raw, "a\xe2\x80\xae"
                   "b\xd8\x9c"
                   "c\xe2\x81\xa6\xe2\x80\xa8\xe2\x80\x93</script>");
    export_json_safe(&t, &raw);
    CHECK_STR(text_c(&t), "a\\u202eb\\u061cc\\u2066\\u2028\xe2\x80\x93\\u003c/script>");
    text_free(&t);
    text_add(&raw, "a\xe2\x80\xae"
                   "b\xd8\x9c"
                   "c\xe2\x80\x93<");
    export_plain(&t, &raw);
    CHECK_STR(text_c(&t), "a\\xe2\\x80\\xaeb\\xd8\\x9cc\xe2\x80\x93<");
    text_free(&t);
}

TEST("an absolute path is cut to its last part")
{
    CHECK_STR(export_path("/home/somebody/a.fence"), "a.fence");
    CHECK_STR(export_path("scenarios/a.fence"), "scenarios/a.fence");
    CHECK_STR(export_path("/"), "/");
    CHECK_STR(export_path(""), "");
}

static struct text points(enum format format)
{
    const struct test_point good = {"a.fence", "calm", STATUS_GOOD, "", "", ""};
    const struct test_point bad = {"a #1.fence", "x", STATUS_FAILED, "not \"so\"", "  one\n\nt<w>o & \x02\n",
                                   "again #"};
    const struct test_point wrong = {"b.fence", NULL, STATUS_WRONG, "no", "no", "run b.fence"};
    struct test_points p = {.format = format};
    struct text t = {0};
    test_points_add(&p, &good);
    test_points_add(&p, &bad);
    test_points_end_file(&p, "a.fence");
    test_points_add(&p, &wrong);
    test_points_end_file(&p, "b.fence");
    test_points_put(&t, &p);
    return t;
}

TEST("TAP says how many, then each point, and below a failure what, why and how to see it again")
{
    struct text t = points(FORMAT_TAP);
    CHECK_STR(text_c(&t), "TAP version 13\n1..3\nok 1 - a.fence calm\nnot ok 2 - a \\#1.fence x\n  ---\n"
                          "  message: \"not \\\"so\\\"\"\n  severity: \"fail\"\n  again: \"again #\"\n"
                          "  detail: |2\n      one\n\n    t<w>o & \x02\n  ...\n"
                          "not ok 3 - b.fence\n  ---\n  message: \"no\"\n  severity: \"error\"\n"
                          "  again: \"run b.fence\"\n  detail: |2\n    no\n  ...\n");
    text_free(&t);
}

TEST("JUnit XML counts suites and cases, one failure or error a case, no time")
{
    struct text t = points(FORMAT_JUNIT);
    CHECK_STR(text_c(&t),
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<testsuites tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"0\" time=\"0\">\n"
              "  <testsuite name=\"a.fence\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\" time=\"0\">\n"
              "    <testcase classname=\"a.fence\" name=\"calm\" time=\"0\"/>\n"
              "    <testcase classname=\"a #1.fence\" name=\"x\" time=\"0\">\n"
              "      <failure message=\"not &quot;so&quot;\" type=\"failure\">  one\n\nt&lt;w&gt;o &amp; ?\n"
              "again: again #\n</failure>\n    </testcase>\n  </testsuite>\n"
              "  <testsuite name=\"b.fence\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0\">\n"
              "    <testcase classname=\"b.fence\" name=\"the file as a whole\" time=\"0\">\n"
              "      <error message=\"no\" type=\"error\">noagain: run b.fence\n</error>\n    </testcase>\n"
              "  </testsuite>\n</testsuites>\n");
    text_free(&t);
}
