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


def read_timeline(test, file):
    """The events of a timeline, which is checked against the Trace Event Format: an object with traceEvents, or an
    array; each event has a phase, a process and a thread; complete events (X) have a name, a time and a duration in
    microseconds, metadata (M) their argument; events of a thread are one inside of the other, or apart."""
    with open(file, encoding="utf-8") as text:
        whole = json.load(text)
    events = whole if isinstance(whole, list) else whole["traceEvents"]
    stacks = {}
    names = {}
    for event in events:
        test.assertIsInstance(event["pid"], int, event)
        test.assertIsInstance(event["tid"], int, event)
        test.assertIsInstance(event["name"], str, event)
        test.assertIn(event["ph"], ("X", "M"), event)
        if event["ph"] == "M":
            argument = "sort_index" if event["name"].endswith("sort_index") else "name"
            test.assertIn(event["name"], ("process_name", "thread_name", "thread_sort_index"))
            names[event["pid"], event["tid"], event["name"]] = event["args"][argument]
            continue
        test.assertIsInstance(event["args"], dict)
        test.assertGreaterEqual(event["ts"], 0)
        test.assertGreaterEqual(event["dur"], 0)
        stacks.setdefault((event["pid"], event["tid"]), []).append((event["ts"], -event["dur"]))
    for thread, spans in stacks.items():
        test.assertIn((*thread, "thread_name"), names)
        open_ends = []
        for start, minus in sorted(spans):
            end = start - minus
            while open_ends and open_ends[-1] <= start + 0.002:  # times are rounded to nanoseconds
                open_ends.pop()
            if open_ends:
                test.assertLessEqual(end, open_ends[-1] + 0.002, thread)
            open_ends.append(end)
    return [e for e in events if e["ph"] == "X"], whole.get("otherData", {})
