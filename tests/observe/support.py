# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of this folder share: compiling, running, the lines of a source, the rules of a timeline."""
import json
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
UPCC, UPCRUN, REPORT = os.environ["UPCC"], os.environ["UPCRUN"], os.environ["REPORT_UNDER_TEST"]
INFO = os.environ["INFO"]


def source(name):
    return os.path.join(HERE, name)


def lines_of(name):
    """The numbers of the lines with a comment "line: NAME"."""
    with open(source(name), encoding="utf-8") as text:
        found = [(m.group(1), number) for number, line in enumerate(text, 1)
                 if (m := re.search(r"/\* line: ([a-z_ ]+) \*/", line))]
    return dict(found)


def compile_upc(folder, name, *options):
    program = os.path.join(folder, os.path.splitext(name)[0])
    subprocess.run([UPCC, *options, "-o", program, source(name)], check=True)
    return program


def run(words, env=None):
    done = subprocess.run(words, env={**os.environ, **(env or {})}, capture_output=True, text=True, check=False,
                          timeout=200)
    if done.returncode != 0:
        raise AssertionError(f"{words}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def processes_of(program):
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.path.samefile(f"/proc/{pid}/exe", program):
                found.append(int(pid))
        except OSError:  # ended meanwhile, or a thread of the kernel
            pass
    return sorted(found)


# The Trace Event Format's rules for the phases that a timeline has: members of an event beside ph, pid, tid and name
# with their types, and optional ones.
NUMBER = (int, float)
PHASES = {
    "X": ({"cat": str, "ts": NUMBER, "dur": NUMBER, "args": dict}, {}),  # complete: begins at ts, lasts dur (microseconds)
    "i": ({"cat": str, "ts": NUMBER, "s": str, "args": dict}, {}),        # instant; s "t": of the thread
    "M": ({"args": dict}, {}),                                            # metadata
    "C": ({"ts": NUMBER, "args": dict}, {"cat": str, "id": NUMBER}),      # counter: a number for each series
    "s": ({"cat": str, "ts": NUMBER, "id": NUMBER}, {}),                  # flow: start
    "f": ({"cat": str, "ts": NUMBER, "id": NUMBER}, {"bp": str}),         # and end; bp "e": of the span around it
}
METADATA = {"process_name": "name", "thread_name": "name", "thread_sort_index": "sort_index"}


def check_event(test, event):
    test.assertIn(event["ph"], PHASES, event)
    needed, optional = PHASES[event["ph"]]
    needed = {"ph": str, "pid": int, "tid": int, "name": str, **needed}
    for member, kind in needed.items():
        test.assertIsInstance(event.get(member), kind, event)
    test.assertLessEqual(set(event), set(needed) | set(optional), event)
    if event["ph"] == "M":
        test.assertIn(METADATA[event["name"]], event["args"], event)
    else:
        test.assertGreaterEqual(event["ts"], 0)
    if event["ph"] == "C":
        test.assertTrue(event["args"] and all(isinstance(v, NUMBER) and v >= 0 for v in event["args"].values()), event)
    if event["ph"] == "X":
        test.assertGreaterEqual(event["dur"], 0)


def check_nesting(test, spans):
    """Spans of a thread are one inside of the other, or apart."""
    open_ends = []
    for start, minus in sorted((s["ts"], -s["dur"]) for s in spans):
        end = start - minus
        while open_ends and open_ends[-1] <= start + 0.002:  # times are rounded to nanoseconds
            open_ends.pop()
        if open_ends:
            test.assertLessEqual(end, open_ends[-1] + 0.002)
        open_ends.append(end)


def check_flows(test, events, spans):
    """Each flow has one start and one end, with the same name and category, each at a span of its thread."""
    ends = {}
    for event in events:
        if event["ph"] in "sf":
            test.assertNotIn((event["id"], event["ph"]), ends, event)
            ends[event["id"], event["ph"]] = event
            test.assertTrue(any(s["ts"] - 0.002 <= event["ts"] <= s["ts"] + s["dur"] + 0.002
                                for s in spans[event["pid"], event["tid"]] if s["cat"] == "message"), event)
    for number, phase in ends:
        other = ends.get((number, "f" if phase == "s" else "s"))
        test.assertIsNotNone(other, number)
        test.assertEqual([other[m] for m in ("name", "cat")], [ends[number, phase][m] for m in ("name", "cat")])


class Timeline:
    """A timeline's file, which is checked against the format: an object with traceEvents, or an array."""

    def __init__(self, test, file):
        with open(file, encoding="utf-8") as text:
            whole = json.load(text)
        self.events = whole if isinstance(whole, list) else whole["traceEvents"]
        self.other = {} if isinstance(whole, list) else whole["otherData"]
        spans = {}
        for event in self.events:
            check_event(test, event)
            if event["ph"] == "X":
                spans.setdefault((event["pid"], event["tid"]), []).append(event)
        named = {(e["pid"], e["tid"]) for e in self.events if e["name"] == "thread_name"}
        test.assertLessEqual(set(spans), named)
        for of_thread in spans.values():
            check_nesting(test, of_thread)
        check_flows(test, self.events, spans)

    def phase(self, phase):
        return [e for e in self.events if e["ph"] == phase]

    def flows(self):
        """Pairs of a start and an end."""
        ends = {e["id"]: e for e in self.phase("f")}
        return [(s, ends[s["id"]]) for s in self.phase("s")]

    def counter(self, name, series):
        """The values of a counter, in the order of their times."""
        found = sorted((e["ts"], i, e["args"][series]) for i, e in enumerate(self.phase("C"))
                       if e["name"] == name and series in e["args"])
        return [value for _, _, value in found]


def read_timeline(test, file):
    """The spans of a timeline, and what its file says of it."""
    timeline = Timeline(test, file)
    return timeline.phase("X"), timeline.other
