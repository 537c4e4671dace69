#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pages_check.py FOLDER: opens every page below FOLDER from file:// in one headless chromium, and says what is wrong.

  1. No error on the console, no exception, and no request but for the page itself.
  2. The page says data-drawn, unless it has no script, and its table has a row for every event, in each of its cases.
  3. A page has at most 400 KB.

Ends with "N pages, N wrong". Where there is no chromium it says that it is skipped. Not for CI: `make pages-test`.
The browser is spoken to through a pipe (--remote-debugging-pipe): messages of JSON that end in NUL, and no port.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

MOST_BYTES = 400_000

# For each case: switches to it by its link, and counts the rows of the table.
COUNT = """(async () => {
  const data = document.getElementById("run"), counts = [];
  if (!data) return {drawn: document.documentElement.dataset.drawn, scripts: document.scripts.length, counts};
  for (const c of JSON.parse(data.textContent).cases) {
    const come = new Promise(done => addEventListener("hashchange", done, {once: true}));
    location.hash = "case=" + encodeURIComponent(c.name) + "&visit=" + counts.length;
    await come;
    await new Promise(done => setTimeout(done));
    counts.push([c.name, c.events.length, document.querySelectorAll("tr[data-event]").length]);
  }
  return {drawn: document.documentElement.dataset.drawn, scripts: document.scripts.length, counts};
})()"""


class Browser:
    """One chromium, one tab."""

    def __init__(self, program, home):
        to_read, self.out = os.pipe()
        self.into, to_write = os.pipe()

        def ends():  # the browser reads commands from 3 and answers on 4
            a, b = os.dup(to_read), os.dup(to_write)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe",
             "--user-data-dir=" + home, "about:blank"],
            close_fds=False, preexec_fn=ends, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.rest, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def message(self):
        while b"\0" not in self.rest:
            more = os.read(self.into, 1 << 20)
            if not more:
                raise RuntimeError("the browser is gone")
            self.rest += more
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def call(self, method, **params):
        self.number += 1
        command = {"id": self.number, "method": method, "params": params}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.out, json.dumps(command).encode() + b"\0")
        while True:
            m = self.message()
            if m.get("id") == self.number:
                if "error" in m:
                    raise RuntimeError(method + ": " + m["error"]["message"])
                return m["result"]
            self.events.append(m)

    def go(self, url):
        """Loads a page, and waits until that very load is done."""
        loader = self.call("Page.navigate", url=url)["loaderId"]

        def done(e):
            p = e.get("params", {})
            return e["method"] == "Page.lifecycleEvent" and p["name"] == "load" and p["loaderId"] == loader

        while not any(map(done, self.events)):
            m = self.message()
            if "method" in m:
                self.events.append(m)

    def open(self, url):
        """Returns what COUNT says of a page, and all that happened meanwhile."""
        self.go("about:blank")
        self.events = []
        self.go(url)
        found = self.call("Runtime.evaluate", expression=COUNT, awaitPromise=True, returnByValue=True)
        return found["result"].get("value") or {}, self.events

    def close(self):
        self.process.terminate()
        self.process.wait()


def complaints(events, url):
    for e in events:
        p = e.get("params", {})
        if e["method"] == "Runtime.exceptionThrown":
            yield "exception: " + p["exceptionDetails"].get("exception", {}).get("description", "?")
        elif e["method"] == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
            yield "console: " + " ".join(str(a.get("value", "?")) for a in p["args"])
        elif e["method"] == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
            yield "log: " + p["entry"]["text"]
        elif e["method"] == "Network.requestWillBeSent":
            asked = p["request"]["url"].split("#")[0]
            if asked != url and not asked.startswith("data:"):
                yield "request: " + asked


def check(browser, path):
    url = "file://" + urllib.parse.quote(os.path.abspath(path))
    found, events = browser.open(url)
    wrong = list(complaints(events, url))
    if found.get("drawn") is None and found.get("scripts") != 0:
        wrong.append("it does not say that it is drawn")
    for name, events_of, rows in found.get("counts", []):
        if events_of != rows:
            wrong.append(f"case {name}: {rows} rows for {events_of} events")
    if os.path.getsize(path) > MOST_BYTES:
        wrong.append(f"{os.path.getsize(path)} bytes")
    return wrong, int(found.get("drawn") or 0)


def main():
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        print("skipped: there is no chromium here")
        return 0
    pages = sorted(os.path.join(d, f) for d, _, names in os.walk(sys.argv[1]) for f in names if f.endswith(".html"))
    bad, slowest = 0, (0, "")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        browser = Browser(program, home)
        for path in pages:
            wrong, drawn = check(browser, path)
            bad += bool(wrong)
            slowest = max(slowest, (drawn, path))
            for w in wrong:
                print(f"{path}: {w}")
        browser.close()
    print(f"drawn in at most {slowest[0]} ms: {slowest[1]}")
    print(f"{len(pages)} pages, {bad} wrong")
    return 1 if bad or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
