# SPDX-License-Identifier: MIT
#
# export_test.py COMMAND FILE...: every format of `fencepost trace`, of every case of these scenarios, against what its
# readers check; the reports of `run` too. Only Python's own library. Prints what is wrong; the status is 1 then.
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

command, files = sys.argv[1], sys.argv[2:]
here = os.path.dirname(os.path.abspath(__file__))
schema = json.load(open(os.path.join(here, "trace.schema.json"), encoding="utf-8"))
problems = []
checks = 0
about = ""


def check(good, what):
    global checks
    checks += 1
    if not good and len(problems) < 20:
        problems.append("%s: %s" % (about, what))
    return good


def run(*words):
    return subprocess.run([command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def trace(path, case, form, *more):
    global about
    about = "%s %s %s" % (path, case, form)
    done = run("trace", "--format", form, "--case", case, *more, path)
    again = run("trace", "--format", form, "--case", case, *more, path)
    check(done.returncode in (0, 1, 2) and done.stdout != b"", "status %d" % done.returncode)
    check(done.stdout == again.stdout, "two runs, two texts")
    text = done.stdout.decode("utf-8")
    hidden = re.search("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", text)
    check(hidden is None, "an unseen character")
    return text


def exact(text):
    """JSON without floats, and without a key that comes twice."""

    def pairs(items):
        check(len(items) == len({key for key, value in items}), "a key comes twice")
        return dict(items)

    return json.loads(text, object_pairs_hook=pairs)


# --- jsonl, by the subset of JSON Schema that trace.schema.json uses ----------------------------------------

KINDS = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}


def valid(value, rule, place):
    """Why the value does not fit the rule, or ""."""
    if "$ref" in rule:
        rule = schema["$defs"][rule["$ref"].split("/")[-1]]
    if "const" in rule and value != rule["const"]:
        return "%s is %r" % (place, value)
    if "enum" in rule and value not in rule["enum"]:
        return "%s is %r" % (place, value)
    kinds = rule.get("type", [])
    if kinds and not any(KINDS[k](value) for k in ([kinds] if isinstance(kinds, str) else kinds)):
        return "%s is %r" % (place, value)
    if "minimum" in rule and isinstance(value, int) and value < rule["minimum"]:
        return "%s is %r" % (place, value)
    for item in value if isinstance(value, list) and "items" in rule else []:
        why = valid(item, rule["items"], place + "[]")
        if why:
            return why
    if not isinstance(value, dict):
        return ""
    for key in rule.get("required", []):
        if key not in value:
            return "%s has no %s" % (place, key)
    for key, item in value.items():
        inner = rule.get("properties", {}).get(key, rule.get("additionalProperties"))
        if inner is None:
            return "%s.%s is not in the schema" % (place, key)
        why = valid(item, inner, place + "." + key)
        if why:
            return why
    return ""


def check_jsonl(text):
    lines = [exact(line) for line in text.splitlines()]
    kinds = ["head"] + ["record"] * (len(lines) - 2) + ["summary"]
    for line, kind in zip(lines, kinds):
        why = valid(line, {"$ref": "#/$defs/" + kind}, kind)
        check(why == "", why)
        fits = [k for k in ("head", "record", "summary") if valid(line, {"$ref": "#/$defs/" + k}, k) == ""]
        check(fits == [kind], "a line fits %s" % fits)
    head, records, last = lines[0], lines[1:-1], lines[-1]
    check([r["record"] for r in records] == list(range(len(records))), "a record is missing")
    check(len(records) == last["records"], "the count of records")
    check(all(r["cause"] is None or r["cause"] < r["record"] for r in records), "a cause comes later")
    check(all(a["at_ns"] <= b["at_ns"] for a, b in zip(records, records[1:])), "time goes back")
    check(all(r["node"] is None or r["node"] in head["lanes"] for r in records), "a node that has no lane")
    check([v["invariant"] for v in last["violations"]] == [b["invariant"] for b in last["broken"]], "what broke")
    for violation, broken in zip(last["violations"], last["broken"]):
        check(violation["at_ns"] == records[broken["record"]]["at_ns"], "the record of a violation")
    return records


# --- ShiViz: its own checks, and the vectors that the records imply --------------------------------------------


def check_shiviz(text, records):
    pattern, delimiter, log = text.split("\n", 2)
    check(delimiter == "", "a delimiter")
    pattern = pattern.replace("(?<", "(?P<").replace("{.*}", r"\{.*\}").replace("\\n", "\n")
    matches = list(re.finditer(pattern, log))
    check("".join(m.group(0) + "\n" for m in matches) == log, "lines that the expression does not read")
    own, clocks = {}, {}
    for m in matches:
        host, clock = m.group("host"), exact(m.group("clock"))
        check(clock.get(host) == own.get(host, 0) + 1, "%s does not tick by one" % host)
        own[host] = clock.get(host)
        clocks[host, own[host]] = clock
    for m in matches:
        host, clock = m.group("host"), exact(m.group("clock"))
        check(all(other in own and 1 <= n <= own[other] for other, n in clock.items()), "a host without events")
        implied = dict(clocks.get((host, clock[host] - 1), {}))
        for other, n in clock.items():
            if other != host and n > implied.get(other, 0):
                for name, seen in clocks[other, n].items():
                    implied[name] = max(implied.get(name, 0), seen)
        implied[host] = clock[host]
        check(implied == clock, "the vector of %s %d" % (host, clock[host]))
    arrivals = [r for r in records if r["verb"] == "receives"]
    check(sum(" receives " in m.group("event") for m in matches) >= len(arrivals), "an arrival is missing")


# --- Perfetto -------------------------------------------------------------------------------------------------


def nanoseconds(text):
    whole, part = text.split(".")
    check(len(part) == 3, "a time without three places")
    return int(whole) * 1000 + int(part)


def check_perfetto(text, records):
    events = json.loads(text, parse_float=nanoseconds)["traceEvents"]
    rest = [e for e in events if e["ph"] != "M"]
    check([e["ph"] for e in events[: len(events) - len(rest)]] == ["M"] * (len(events) - len(rest)), "M comes first")
    check(all(a["ts"] <= b["ts"] for a, b in zip(rest, rest[1:])), "ts goes back")
    open_slices, pairs, out, into = {}, {}, {}, {}
    for e in rest:
        if e["ph"] == "X":
            stack = open_slices.setdefault(e["tid"], [])
            while stack and stack[-1] <= e["ts"]:
                stack.pop()
            check(not stack or e["ts"] + e["dur"] <= stack[-1], "slices that do not nest: %s" % e["name"])
            stack.append(e["ts"] + e["dur"])
            check(("bind_id" in e) == ("flow_out" in e) ^ ("flow_in" in e), "an arrow's end")
            if "bind_id" in e:
                (out if "flow_out" in e else into).setdefault(e["bind_id"], []).append(e["ts"])
        elif e["ph"] in "be":
            key = e["cat"], e["id"], e["name"]
            check(pairs.get(key) == (None if e["ph"] == "b" else "b"), "b and e of %s" % (key,))
            pairs[key] = e["ph"]
        else:
            check(e["ph"] in "iC", "phase " + e["ph"])
    check(all(last == "e" for last in pairs.values()), "a b without its e")
    check(out.keys() == into.keys(), "arrows with one end")
    check(all(len(out[k]) == len(into[k]) == 1 and out[k][0] <= into[k][0] for k in out), "arrows that go back")
    grants = sum(r["verb"] == "grants" for r in records)
    check(sum(e["ph"] == "b" and e["cat"] == "lease" for e in rest) == grants, "a lease for each grant")


# --- EDN: as much of it as a history has ----------------------------------------------------------------------

TOKEN = re.compile(r'\s*,*\s*([{}\[\]]|"(?:[^"\\]|\\.)*"|:[^\s,{}\[\]]+|-?\d+|nil|true|false)')


def edn(line):
    """Reads one form, without recursion: a stack of lists, closed into maps and vectors."""
    stack, at = [[]], 0
    while at < len(line):
        m = TOKEN.match(line, at)
        if not check(m is not None, "no EDN: " + line):
            return {}
        at, word = m.end(), m.group(1)
        if word in "{[":
            stack.append([])
        elif word in "}]":
            items = stack.pop()
            stack[-1].append(dict(zip(items[::2], items[1::2])) if word == "}" else items)
        else:
            stack[-1].append(json.loads(word) if word[0] == '"' else word if word[0] == ":" else
                             {"nil": None, "true": True, "false": False}.get(word, word) if word[0] in "ntf" else int(word))
    check(len(stack) == 1 and len(stack[0]) == 1, "not one form a line")
    return stack[0][0]


def check_edn(text):
    ops = [edn(line) for line in text.splitlines()]
    check([op[":index"] for op in ops] == list(range(len(ops))), "indices are not dense")
    check(all(a[":time"] <= b[":time"] for a, b in zip(ops, ops[1:])), "time goes back")
    under_way, dead = {}, set()
    for op in ops:
        process, kind = op[":process"], op[":type"]
        if process == ":nemesis":
            check(kind == ":info", "the nemesis says " + kind)
        elif kind == ":invoke":
            check(process not in under_way and process not in dead, "process %s has an operation" % process)
            under_way[process] = op
        else:
            first = under_way.pop(process, {})
            check(first.get(":f") == op[":f"] and first.get(":on") == op[":on"], "what ends was not invoked")
            check(kind in (":ok", ":fail", ":info"), kind)
            if kind == ":info":
                dead.add(process)
    check(under_way == {}, "an operation that does not end")
    return ops


# --- Mermaid and DOT: shape; their own readers say more --------------------------------------------------------


def check_mermaid(text):
    lines = text.splitlines()
    check(lines[0] == "sequenceDiagram", "the first line")
    names = {line.split()[1] for line in lines if line.startswith("  participant ")}
    arrow = re.compile(r"  ([\w.-]+?)(?:-->>|->>|--x|-x)([\w.-]+): (.*)")
    depth = arrows = 0
    active = dict.fromkeys(names, 0)
    for line in lines[1:]:
        m = arrow.fullmatch(line)
        said = m.group(3) if m else line.split(": ", 1)[-1]
        if m:
            arrows += 1
            check(m.group(1) in names and m.group(2) in names, "an arrow of nobody: " + line)
        if m or line.startswith("  Note over ") or line.startswith("  title "):
            check(re.search(r"(?i)(?<![a-z])end(?![a-z])|[<>%]|;", re.sub(r"#\d+;", "", said)) is None, line)
            check("#" not in re.sub(r"#\d+;", "", said), line)
        depth += line.startswith("  rect ")
        depth -= line == "  end"
        if line.startswith(("  activate ", "  deactivate ")):
            active[line.split()[1]] += 1 if line.startswith("  activate") else -1
        check(depth in (0, 1) and min(active.values()) >= 0, "blocks or activations do not match")
    check(depth == 0, "a block without its end")
    check(arrows <= 40, "%d arrows" % arrows)


def check_dot(text):
    check(text.startswith("digraph trace {\n") and text.endswith("}\n"), "the frame")
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
    check('"' not in bare.replace('""', ""), "an open string")
    nodes = set(re.findall(r"^ +(e\d+|lane\d+) \[", bare, re.M))
    edges = re.findall(r"^  (\w+) -> (\w+) \[", bare, re.M)
    check(all(a in nodes and b in nodes for a, b in edges), "an edge of nobody")
    check(sum(n[0] == "e" for n in nodes) <= 40, "too many events")


# --- reports of run ---------------------------------------------------------------------------------------------


def check_reports(paths):
    global about
    about = "tap"
    plain, tap, junit = run("run", *paths), run("run", "--format", "tap", *paths), run("run", "--format", "junit", *paths)
    check(plain.returncode == tap.returncode == junit.returncode, "another status")
    lines = tap.stdout.decode("utf-8").splitlines()
    check(lines[0] == "TAP version 13" and re.fullmatch(r"1\.\.\d+", lines[1]), "the first lines")
    points = [re.match(r"(not ok|ok) (\d+) - (.*)", line) for line in lines[2:]]
    points = [m for m in points if m]
    check([int(m.group(2)) for m in points] == list(range(1, int(lines[1][3:]) + 1)), "the plan")
    check(all("#" not in m.group(3).replace("\\#", "") for m in points), "a directive")
    bad = sum(m.group(1) == "not ok" for m in points)
    check(lines.count("  ---") == lines.count("  ...") == bad, "a block for each failure")
    about = "junit"
    suites = xml.fromstring(junit.stdout.decode("utf-8"))
    cases = list(suites.iter("testcase"))
    check(len(cases) == len(points) == int(suites.get("tests")), "the count of cases")
    for name, element in (("failures", "failure"), ("errors", "error")):
        check(int(suites.get(name)) == len(list(suites.iter(element))), name)
        check(sum(int(s.get(name)) for s in suites) == int(suites.get(name)), name + " of the suites")
    check(all(len(c) <= 1 and c.get("time") == "0" for c in cases), "one failure a case")
    check(sum(len(c) for c in cases) == bad, "TAP and JUnit differ")


def cases_of(path):
    answer = run("run", "--json", path).stdout.decode("utf-8")
    return [c["case"] for c in exact(answer)["cases"]] if answer else []


for path in files:
    for case in cases_of(path):
        records = check_jsonl(trace(path, case, "jsonl"))
        check_shiviz(trace(path, case, "shiviz"), records)
        check_shiviz(trace(path, case, "shiviz", "--notes"), records)
        check_perfetto(trace(path, case, "perfetto"), records)
        check_edn(trace(path, case, "edn"))
        check_mermaid(trace(path, case, "mermaid"))
        check_dot(trace(path, case, "dot"))
check_reports(files)

for problem in problems:
    print("FAIL  " + problem)
print("%d checks, %s" % (checks, "all good" if not problems else "some failed"))
sys.exit(1 if problems or checks == 0 else 0)
