# SPDX-License-Identifier: BSD-3-Clause
"""traced.py UPCRUN PROGRAM REPORT: GASNET_STATSFILE and GASNET_TRACEFILE of a program whose traffic is known (traced.c), and what
upcr_report makes of them."""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

UPCRUN, PROGRAM, REPORT = sys.argv[1:4]
NODES = 2

# Of each node: the letter, how often, and the bytes of all together.
EXPECTED = {
    "PUT": ("P", 10 + 1, 5 * 8 + 5 * 16 + 2), "GET": ("G", 5, 5 * 32), "PUT_NB": ("P", 3, 3 * 64),
    "GET_NBI": ("G", 2, 8), "MEMSET": ("P", 1, 100), "BARRIER_NOTIFY": ("B", 2, None), "BARRIER_WAIT": ("B", 2, None),
    "AMREQUEST_SHORT": ("A", 4, None), "AMREQUEST_MEDIUM": ("A", 6, 60), "AMREPLY_SHORT": ("A", 10, None),
    "AM_SHORT_HANDLER": ("A", 14, None), "AM_MEDIUM_HANDLER": ("A", 6, 60),
}
LINE = re.compile(r"^(\d+)\([0-9a-f]+\) [0-9]+\.[0-9]{9}> \((.)\) (\w+)(.*)$")


def read(text):
    """[(node, letter, name, rest)] of the lines, which all have this form."""
    found = []
    for line in text.splitlines():
        match = LINE.match(line)
        if match is None:
            raise AssertionError(f"no line of a trace: {line}")
        found.append((int(match[1]), *match.group(2, 3, 4)))
    return found


class Traced(unittest.TestCase):
    def run_job(self, folder, **variables):
        words = {name: value.replace("DIR", folder) for name, value in variables.items()}
        done = subprocess.run([UPCRUN, "-n", str(NODES), "--timeout", "200", PROGRAM], env={**os.environ, **words},
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def read_file(self, folder, name):
        with open(os.path.join(folder, name), encoding="utf-8") as text:
            return read(text.read())

    def check_counts(self, lines, node):
        found = {name: (letter, rest) for n, letter, name, rest in lines if n == node and letter not in "IS"}
        self.assertEqual(set(found), set(EXPECTED))
        for name, (letter, count, total) in EXPECTED.items():
            self.assertEqual(found[name][0], letter, name)
            self.assertEqual(int(found[name][1].split()[0]), count, name)
            sizes = re.search(r"avg/min/max/total sz = (\d+)/(\d+)/(\d+)/(\d+) ", found[name][1])
            self.assertEqual(int(sizes[4]) if sizes else None, total, name)
        self.assertIn("= 11/2/16/122 ", found["PUT"][1])

    def test_statistics_of_each_node(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_job(folder, GASNET_STATSFILE="DIR/stats-%%.txt")
            for node in range(NODES):
                lines = self.read_file(folder, f"stats-{node}.txt")
                self.assertEqual({line[0] for line in lines}, {node})
                self.check_counts(lines, node)

    def test_shared_file_and_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "stats"), "w", encoding="utf-8") as old:
                old.write("of an earlier job\n")
            self.run_job(folder, GASNET_STATSFILE="DIR/stats", GASNET_TRACEFILE="DIR/trace-%")
            for node in range(NODES):
                self.check_counts(self.read_file(folder, "stats"), node)
                events = self.read_file(folder, f"trace-{node}")
                for name, (letter, count, _) in EXPECTED.items():
                    here = [e for e in events if e[2] in (name, name + "_LOCAL")]
                    self.assertEqual(([e[1] for e in here]), [letter] * count, name)
                next_node = (node + 1) % NODES
                self.assertEqual(sum(f"node={next_node} sz=32 " in e[3] for e in events if e[2] == "GET"), 5)
                self.assertEqual([e[2] for e in events if "sz=2 " in e[3]], ["PUT_LOCAL"])

    def report(self, folder, *files):
        out = os.path.join(folder, "out")
        subprocess.run([REPORT, "-o", out, *(os.path.join(folder, file) for file in files)], check=True, capture_output=True)
        with open(out, encoding="utf-8") as text:
            return text.read()

    def check_timeline(self, timeline):
        """A span for each operation, inside of the job's time; an arrow from each message to its handler, which it reaches
        later."""
        events = timeline["traceEvents"]
        for node in range(NODES):
            spans = collections.Counter(e["name"].removesuffix("_LOCAL") for e in events if e["ph"] == "X" and e["pid"] == node)
            self.assertEqual({name: spans[name] for name in EXPECTED}, {name: e[1] for name, e in EXPECTED.items()})
        self.assertEqual({e["args"]["name"] for e in events if e["name"] == "process_name"},
                         {f"node {node} on {os.uname().nodename}" for node in range(NODES)})
        spans = [e for e in events if e["ph"] == "X"]
        self.assertTrue(all(0 <= e["ts"] < 200e6 and 0 < e["dur"] < 200e6 for e in spans))
        gets = [e for e in spans if e["name"] == "GET"]
        self.assertEqual({(e["pid"], e["args"]["node"], e["args"]["bytes"]) for e in gets}, {(0, 1, 32), (1, 0, 32)})
        # No node leaves the first barrier before all have come to it.
        comes = sorted(e["ts"] for e in spans if e["name"] == "BARRIER_NOTIFY")
        leaves = sorted(e["ts"] + e["dur"] for e in spans if e["name"] == "BARRIER_WAIT")
        self.assertLess(comes[NODES - 1], leaves[0])
        starts, ends = ({e["id"]: e for e in events if e["ph"] == phase} for phase in "sf")
        self.assertEqual(len(starts), NODES * (4 + 6 + 10))
        self.assertEqual(set(starts), set(ends))
        for number, start in starts.items():
            end = ends[number]
            self.assertEqual(end["pid"], (start["pid"] + 1) % NODES)
            self.assertLess(start["ts"], end["ts"])
            for one, names in ((start, ("AMREQUEST_", "AMREPLY_")), (end, ("AM_",))):
                self.assertTrue([e for e in spans if (e["pid"], e["tid"]) == (one["pid"], one["tid"])
                                 and e["ts"] <= one["ts"] <= e["ts"] + e["dur"] and e["name"].startswith(names)])

    def test_timeline(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_job(folder, GASNET_TRACEFILE="DIR/trace-%")
            timeline = json.loads(self.report(folder, "trace-0", "trace-1"))
            self.check_timeline(timeline)
            self.assertEqual((timeline["otherData"]["format"], timeline["otherData"]["flows"]), ("upcr-trace 1", NODES * 20))

    def run_to_its_death(self, folder, *words, trace="trace-%"):
        """The last node does not end in order, and so the job fails."""
        done = subprocess.run([UPCRUN, "-n", str(NODES), "--timeout", "200", PROGRAM, *words], capture_output=True, check=False,
                              env={**os.environ, "GASNET_TRACEFILE": f"{folder}/{trace}", "GASNET_STATSFILE": f"{folder}/stats-%"},
                              text=True)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr

    def check_what_is_left(self, folder, puts, trace=f"trace-{NODES - 1}"):
        """All that the node had done until then, in whole lines; as many more puts as one of `puts`, of 4 bytes."""
        events = [e for e in self.read_file(folder, trace) if e[0] == NODES - 1]
        names = collections.Counter(e[2] for e in events)
        self.assertEqual((names["GET"], names["AMREQUEST_MEDIUM"], names["BARRIER_WAIT"]), (5, 6, 1))
        self.assertIn(names["PUT"] - 10, puts)
        self.assertEqual(sum("sz=4 " in e[3] and e[2] == "PUT" for e in events), names["PUT"] - 10)
        lines = {e[2]: e[3] for e in self.read_file(folder, f"stats-{NODES - 1}")}
        counted = {name: int(lines[name].split()[0]) for name in ("PUT", "GET", "AMREQUEST_MEDIUM", "BARRIER_WAIT")}
        self.assertIn(counted.pop("PUT") - 11, puts)
        self.assertEqual(counted, {"GET": 5, "AMREQUEST_MEDIUM": 6, "BARRIER_WAIT": 1})
        self.assertNotIn("end", lines)

    def test_crash(self):
        for way in "crash", "abort", "exit":
            with tempfile.TemporaryDirectory() as folder:
                err = self.run_to_its_death(folder, way)
                self.assertEqual("SIGSEGV" in err, way == "crash")
                self.check_what_is_left(folder, (0,))

    def test_kill(self):
        """kill -9 of a node; the other's files are whole, and a report can be made of them."""
        for puts in 0, 20, 5000:
            with tempfile.TemporaryDirectory() as folder:
                self.run_to_its_death(folder, "kill", str(puts))
                self.check_what_is_left(folder, (puts,))
                for file in "trace-0", "stats-0":
                    names = [e[2] for e in self.read_file(folder, file)]
                    self.assertEqual((names[0], names[-1]), ("node", "end"))
                self.assertIn('"complete":false', self.report(folder, "stats-0", "stats-1"))
                json.loads(self.report(folder, "trace-0", "trace-1"))

    def test_kill_at_any_moment(self):
        """Also while the node writes: it has done what it has counted, and perhaps one more."""
        for ms in range(2, 80, 6):
            for trace in "trace-%", "trace":
                with tempfile.TemporaryDirectory() as folder:
                    self.run_to_its_death(folder, "stream", f"{folder}/count", str(ms), trace=trace)
                    with open(f"{folder}/count", "rb") as file:
                        count = int.from_bytes(file.read(), sys.byteorder)
                    self.check_what_is_left(folder, (count, count + 1), trace.replace("%", str(NODES - 1)))

    def test_timeline_of_one_file(self):
        """All nodes write into it; with accesses alone there are no arrows."""
        with tempfile.TemporaryDirectory() as folder:
            self.run_job(folder, GASNET_TRACEFILE="DIR/trace", GASNET_TRACEMASK="GP")
            timeline = json.loads(self.report(folder, "trace"))
            names = {e["name"] for e in timeline["traceEvents"] if e["ph"] == "X"}
            self.assertEqual(names, {n for n, e in EXPECTED.items() if e[0] in "GP"} | {"PUT_LOCAL"})
            self.assertEqual(timeline["otherData"]["flows"], 0)

    def test_lines_stay_whole(self):
        """In a file that nodes share, of which each writes more than a block."""
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(3):
                self.run_job(folder, GASNET_TRACEFILE="DIR/trace", GASNET_STATSFILE="DIR/trace")
                self.read_file(folder, "trace")
                timeline = json.loads(self.report(folder, "trace"))
                self.check_timeline(timeline)

    def refused(self, folder, *files):
        done = subprocess.run([REPORT, "-o", os.path.join(folder, "out"), *(os.path.join(folder, file) for file in files)],
                              check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done)
        return done.stderr

    def test_damaged_and_mixed_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for job in "ab":
                self.run_job(folder, GASNET_TRACEFILE=f"DIR/{job}-trace-%", GASNET_STATSFILE=f"DIR/{job}-stats-%")
            for kind in "trace", "stats":
                self.assertIn("node 0 has started more than once: the files are of several jobs",
                              self.refused(folder, f"a-{kind}-0", f"b-{kind}-0"))
            self.assertIn("is a folder", self.refused(folder, "."))
            with open(os.path.join(folder, "a-stats-0"), "rb") as file:
                whole = file.read()
            for end in range(150, len(whole), 7):
                with open(os.path.join(folder, "cut"), "wb") as file:
                    file.write(whole[:end])
                self.assertIn('"complete":false', self.report(folder, "cut"))
            with open(os.path.join(folder, "odd"), "w", encoding="utf-8") as file:
                file.write("a line that was cut off\n0(1) 0.000000001> (P) PUT: node=nan sz=inf time=-1 us\n"
                           "0(1) 0.000000002> (P) PUT: node=4294967295 sz=1e300 time=1e300 us\n")
            json.loads(self.report(folder, "odd"))

    def test_page_of_traces(self):
        """With sizes and pairs."""
        with tempfile.TemporaryDirectory() as folder:
            self.run_job(folder, GASNET_TRACEFILE="DIR/trace-%")
            out = os.path.join(folder, "out.html")
            subprocess.run([REPORT, "-o", out, *(os.path.join(folder, f"trace-{i}") for i in range(NODES))], check=True,
                           capture_output=True)
            with open(out, encoding="utf-8") as page:
                run = json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', page.read(), re.DOTALL)[1])
            self.assertTrue(run["complete"])
            kinds = {o["kind"]: o for o in run["kinds"]}
            for name, (_, count, size) in EXPECTED.items():
                kind = kinds[name.lower()]
                self.assertEqual((kind["count"], kind.get("bytes", 0)), (count * NODES, (size or 0) * NODES), name)
            self.assertEqual(kinds["put"]["sizes"], {"2": NODES, "8": 5 * NODES, "16": 5 * NODES})
            for thread in run["threads"]:
                me, there = thread["thread"], (thread["thread"] + 1) % NODES
                pairs = {p["thread"]: p for p in thread["pairs"]}
                self.assertEqual({k: pairs[me].get(k) for k in ("reads", "writes", "written_bytes")},
                                 {"reads": None, "writes": 1, "written_bytes": 2})
                other = {k["kind"]: (k.get("reads", 0) + k.get("writes", 0) + k.get("count", 0),
                                     k.get("read_bytes", 0) + k.get("written_bytes", 0) + k.get("bytes", 0))
                         for k in pairs[there]["kinds"]}
                self.assertEqual(other, {"get": (5, 160), "get_nbi": (2, 8), "put": (10, 120), "put_nb": (3, 192),
                                         "memset": (1, 100), "amrequest_short": (4, 0), "amrequest_medium": (6, 60),
                                         "amreply_short": (10, 0)})

    def test_page(self):
        with tempfile.TemporaryDirectory() as folder:
            self.run_job(folder, GASNET_STATSFILE="DIR/stats-%")
            page = self.report(folder, "stats-0", "stats-1")
            run = json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)[1])
            self.assertEqual((run["format"], run["threads_of_job"], run["complete"]), ("upcr-stats 1", NODES, True))
            self.assertEqual(run["program"], os.path.basename(PROGRAM))
            for operations, times in [(run["kinds"], NODES), *((t["operations"], 1) for t in run["threads"])]:
                kinds = {o["kind"]: o for o in operations}
                for name, (_, count, size) in EXPECTED.items():
                    kind = kinds[name.lower()]
                    self.assertEqual((kind["count"], kind.get("bytes", 0)), (count * times, (size or 0) * times), name)
                    self.assertGreater(kind["ns"], 0)
            self.assertEqual([t["host"] for t in run["threads"]], [os.uname().nodename] * NODES)

    def test_masks_and_nodes(self):
        with tempfile.TemporaryDirectory() as folder:
            err = self.run_job(folder, GASNET_STATSFILE="-", GASNET_STATSMASK="gB", GASNET_STATSNODES="1",
                               GASNET_TRACEFILE="DIR/trace", GASNET_TRACEMASK="P", GASNET_TRACELOCAL="no")
            lines = [line for line in err.splitlines() if LINE.match(line)]
            self.assertEqual({(line[0], line[2]) for line in read("\n".join(lines))},
                             {(1, name) for name in ("GET", "GET_NBI", "BARRIER_NOTIFY", "BARRIER_WAIT")})
            events = self.read_file(folder, "trace")
            self.assertEqual({(e[1], e[2]) for e in events}, {("P", "PUT"), ("P", "PUT_NB"), ("P", "MEMSET")})
            self.assertEqual(len(events), NODES * (10 + 3 + 1))

    def test_nothing_unasked(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.run_job(folder, GASNET_STATSMASK="G", GASNET_TRACEMASK="A"), "")

    def test_file_that_cannot_be_written(self):
        with tempfile.TemporaryDirectory() as folder:
            err = self.run_job(folder, GASNET_TRACEFILE="DIR/none/trace")
            self.assertIn("WARNING: GASNET_TRACEFILE=", err)

    def test_full_disk(self):
        """One warning of each node."""
        with tempfile.TemporaryDirectory() as folder:
            for variable in "GASNET_TRACEFILE", "GASNET_STATSFILE":
                err = self.run_job(folder, **{variable: "/dev/full"})
                self.assertEqual(err.count(f"WARNING: {variable}: cannot write /dev/full: No space left on device; lines are lost"),
                                 NODES, err)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
