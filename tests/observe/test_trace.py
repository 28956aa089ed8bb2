# SPDX-License-Identifier: BSD-3-Clause
"""upcrun --trace: the timeline of known.upc, with all its operations and with few; what a killed job leaves."""
import collections
import glob
import json
import os
import re
import signal
import subprocess
import tempfile
import unittest

from chromium import BROWSER, Chromium
from support import REPORT, UPCRUN, Timeline, compile_upc, lines_of, processes_of, read_timeline, run, source

THREADS = 4


class Trace(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = cls.temporary.name
        cls.known = compile_upc(cls.folder, "known.upc", "--stats")
        cls.lines = lines_of("known.upc")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def trace(self, **env):
        file = os.path.join(self.folder, "trace.json")
        done = run([UPCRUN, "-n", str(THREADS), "--timeout", "100", f"--trace={file}", self.known], env)
        self.assertEqual(glob.glob(file + ".part*"), [])
        return (done, *read_timeline(self, file))

    def test_operations(self):
        done, events, other = self.trace()
        self.assertEqual(other["lost"], 0)
        self.assertGreaterEqual(other["events"], len(events))  # and counters
        self.assertIn(f"{other['events']} events in ", done.stderr)
        for thread in range(THREADS):
            mine = [e for e in events if e["tid"] == thread]
            kinds = collections.Counter(e["name"] for e in mine)
            self.assertEqual({k: kinds[k] for k in ("put", "get", "atomic", "memput", "barrier", "lock", "unlock")},
                             {"put": 100, "get": 60, "atomic": 20, "memput": 2, "barrier": 2, "lock": 5, "unlock": 5})
            puts = [e["args"] for e in mine if e["name"] == "put"]
            place = f"known.upc:{self.lines['put']}"
            self.assertTrue(all(p["line"].endswith(place) and p["bytes"] == 4 for p in puts), puts[0])
            self.assertTrue(all(p["memory of thread"] == (thread + 1) % THREADS for p in puts))

    def check_barrier(self, events):
        """No thread leaves a barrier before all have entered it, on the timeline too."""
        spans = [e for e in events if e["name"] == "barrier"
                 and e["args"]["line"].endswith(f":{self.lines['second barrier']}")]
        self.assertEqual(len(spans), THREADS)
        return min(e["ts"] + e["dur"] for e in spans) - max(e["ts"] for e in spans)

    def test_clocks(self):
        self.assertGreater(self.check_barrier(self.trace()[1]), -1)

    def test_clocks_of_hosts(self):
        """Processes that are treated as hosts of their own, whose clocks are compared by messages."""
        _, events, _ = self.trace(UPCR_NODE_SIZE="2")
        self.assertGreater(self.check_barrier(events), -5000)

    def test_bounded(self):
        done, events, other = self.trace(UPCR_TRACE_EVENTS="10")
        self.assertEqual(other["events"], 10 * THREADS)
        self.assertGreater(other["lost"], 180 * THREADS)
        self.assertIn(f"{other['lost']} earlier events are lost", done.stderr)
        # The cure is one, and no more than it takes: the events of a thread, all of which have about as many.
        number = int(re.search(r"UPCR_TRACE_EVENTS=(\d+) keeps all", done.stderr)[1])
        self.assertLess(number, (other["events"] + other["lost"]) // 2)
        _, _, whole = self.trace(UPCR_TRACE_EVENTS=str(number))
        self.assertEqual((whole["events"], whole["lost"]), (other["events"] + other["lost"], 0))
        self.assertTrue(any(e["name"] == "broadcast" for e in events))  # the last ones are kept

    def test_kinds(self):
        _, events, _ = self.trace(UPCR_TRACE_KINDS="barrier,memput")
        self.assertEqual(collections.Counter(e["name"] for e in events), {"barrier": 2 * THREADS, "memput": 2 * THREADS})

    def trace_as(self, value, **env):
        """Runs with --trace=VALUE in an empty folder; the names of the events, and the file that they are in."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([UPCRUN, "-n", str(THREADS), "--timeout", "100", f"--trace={value}", self.known], cwd=folder,
                           env={**os.environ, **env}, capture_output=True, check=True, timeout=200)
            (file,) = os.listdir(folder)
            events, _ = read_timeline(self, os.path.join(folder, file))
            return file, collections.Counter(e["name"] for e in events)

    def test_option_chooses_kinds(self):
        self.assertEqual(self.trace_as("barrier,memput"), ("trace.json", {"barrier": 2 * THREADS, "memput": 2 * THREADS}))
        self.assertEqual(self.trace_as("t.json:lock", UPCR_TRACE_KINDS="get"), ("t.json", {"lock": 5 * THREADS}))
        self.assertEqual(self.trace_as("t.json", UPCR_TRACE_KINDS="lock"), ("t.json", {"lock": 5 * THREADS}))

    def test_messages(self):
        _, alone = self.trace_as("msg", UPCR_PSHM="no")
        sent = {way: sum(n for kind, n in alone.items() if kind.startswith(way) and kind != way + "_handler")
                for way in ("request", "reply")}
        self.assertGreaterEqual(sent["request"], 150 * THREADS)
        self.assertLessEqual(set(alone), {f"{way}_{what}" for way in ("request", "reply")
                                          for what in ("short", "medium", "long", "handler")})
        _, both = self.trace_as("line,msg", UPCR_PSHM="no")
        self.assertEqual((both["put"], both["barrier"]), (100 * THREADS, 2 * THREADS))
        self.assertGreaterEqual(both["request_medium"], 100 * THREADS)
        _, default = self.trace_as("t.json", UPCR_PSHM="no")
        self.assertFalse([kind for kind in default if kind.startswith("re") and kind != "reduce"])

    def timeline(self, kinds, program=None, threads=THREADS, options=(), **env):
        file = os.path.join(self.folder, "timeline.json")
        run([UPCRUN, "-n", str(threads), *options, "--timeout", "100", f"--trace={file}:{kinds}", program or self.known], env)
        return Timeline(self, file), file

    def check_flows(self, timeline, puts):
        """Each message that a thread sends leads to its handler: a put's request to the process whose memory it writes,
        and the handler's reply back. Of each thread to its right neighbour there are at least `puts`. What arrives when
        its receiver has ended its program has no arrow."""
        flows = timeline.flows()
        self.assertEqual(timeline.other["flows"], len(flows))
        between = collections.Counter((s["tid"], f["tid"]) for s, f in flows)
        for thread in range(THREADS):
            there = (thread + 1) % THREADS
            self.assertGreaterEqual(between[thread, there], puts)
            self.assertGreaterEqual(between[there, thread], puts)
        spans = timeline.phase("X")
        sent = sum(e["name"].rsplit("_", 1)[-1] in ("short", "medium", "long") for e in spans)
        self.assertLessEqual(len(flows), sent)
        self.assertGreaterEqual(len(flows), sent - 2 * THREADS)
        place = f"known.upc:{self.lines['put']}"
        # Handlers that run during a put have its line, too, and what they reply starts when they do.
        puts_of = {(e["tid"], e["ts"]): e for e in spans
                   if e["name"].startswith("request_") and e["name"] != "request_handler" and
                   e["args"].get("line", "").endswith(place)}
        led = collections.Counter((s["tid"], f["tid"]) for s, f in flows if (s["tid"], s["ts"]) in puts_of)
        self.assertEqual(led, {(t, (t + 1) % THREADS): 100 for t in range(THREADS)})
        return flows

    def test_flows(self):
        timeline, _ = self.timeline("msg", UPCR_PSHM="no")
        for start, end in self.check_flows(timeline, 150):
            self.assertLessEqual(start["ts"], end["ts"])  # one host, one clock

    def test_messages_of_an_access(self):
        """Its request and the handler of the reply are within its span, which ends at the reply or behind it."""
        timeline, _ = self.timeline("line,msg", UPCR_PSHM="no")
        spans = timeline.phase("X")
        place = f"known.upc:{self.lines['put']}"
        for thread in range(THREADS):
            mine = sorted((e for e in spans if e["tid"] == thread and e["args"].get("line", "").endswith(place)),
                          key=lambda e: e["ts"])
            puts = [e for e in mine if e["name"] == "put"]
            self.assertEqual(len(puts), 100)
            for put, following in zip(puts, [*puts[1:], {"ts": float("inf")}]):
                end = round(put["ts"] + put["dur"], 3)
                self.assertLessEqual(end, following["ts"])
                parts = [e for e in mine if put["ts"] <= e["ts"] < following["ts"]]
                requests = [e for e in parts if e["name"].startswith("request_") and e["name"] != "request_handler"]
                replies = [e for e in parts if e["name"] == "reply_handler"]
                self.assertEqual((len(requests), len(replies)), (1, 1))
                self.assertLessEqual(requests[0]["ts"], replies[0]["ts"])
                self.assertLess(put["ts"], replies[0]["ts"])
                self.assertLessEqual(replies[0]["ts"], end)

    def test_flows_between_hosts(self):
        """Processes that are treated as hosts of their own; clocks agree better than messages take there."""
        timeline, _ = self.timeline("msg", UPCR_NODE_SIZE="1")
        flows = self.check_flows(timeline, 150)
        early = [start["ts"] - end["ts"] for start, end in flows if start["ts"] > end["ts"]]
        self.assertLess(max(early, default=0), 5000)

    def test_sixteen_threads(self):
        """As processes with two pthreads each, several of which send at once."""
        folder = os.path.join(self.folder, "pthreads")
        os.mkdir(folder)
        pthreads = compile_upc(folder, "known.upc", "--stats", "--pthreads")
        timeline, _ = self.timeline("line,msg", pthreads, 16, ("--pthreads", "2"), UPCR_PSHM="no")
        spans = timeline.phase("X")
        self.assertEqual({e["tid"] for e in spans}, set(range(16)))
        self.assertEqual({(e["pid"], e["tid"]) for e in spans}, {(t // 2, t) for t in range(16)})
        for thread in range(16):
            kinds = collections.Counter(e["name"] for e in spans if e["tid"] == thread)
            self.assertEqual((kinds["put"], kinds["barrier"], kinds["lock"]), (100, 2, 5))
        self.assertGreater(timeline.other["flows"], 16 * 75)  # the other half goes to the process's own memory

    def test_counters(self):
        """In flight: what a thread puts and gets, then nothing. The heap: 1000 bytes more, in granules, and back."""
        timeline, _ = self.timeline("line,counter", UPCR_PSHM="no")
        for thread in range(THREADS):
            flight = timeline.counter(f"bytes in flight of UPC thread {thread}", "bytes")
            self.assertEqual(flight[-1], 0)
            self.assertEqual(max(flight), 200)                 # upc_memput(..., 200)
            self.assertEqual(flight.count(80), 1)              # the non-blocking one
            self.assertGreaterEqual(flight.count(4), 150)      # puts and gets of an int
            heap = timeline.counter(f"heap of UPC thread {thread}", "local")
            grown = [after - before for before, after in zip(heap, heap[1:])]
            self.assertTrue(any(1000 <= change < 1200 for change in grown), heap)
            self.assertTrue(any(-1200 < change <= -1000 for change in grown), heap)
        mapped, _ = self.timeline("counter")  # where nothing is in flight, and no span is asked for
        self.assertEqual(mapped.phase("X"), [])
        self.assertEqual({e["name"] for e in mapped.phase("C")}, {f"heap of UPC thread {t}" for t in range(THREADS)})

    @unittest.skipIf(BROWSER is None, "there is no chromium here")
    def test_in_a_browser(self):
        """The file of everything, drawn by a page in a browser."""
        timeline, file = self.timeline("all", UPCR_PSHM="no")
        with open(file, encoding="utf-8") as text, Chromium() as browser:
            browser.open("file://" + source("timeline_page.html"), "window.load")
            drawn = browser.evaluate(f"load({json.dumps(text.read())})")
        self.assertEqual(drawn["rows"], [f"UPC thread {t}" for t in range(THREADS)])
        self.assertEqual(drawn["spans"], len(timeline.phase("X")))
        self.assertEqual(drawn["arrows"], timeline.other["flows"])
        self.assertEqual(drawn["unbound"], 0)
        self.assertEqual(drawn["counters"], 2 * THREADS + 1)  # in flight, the own heap, the global one where thread 0 is
        self.assertGreaterEqual(drawn["depth"], 3)  # an operation, a handler in it, the reply in that
        self.assertGreater(drawn["width"], 0)

    def test_unknown_kind(self):
        done = subprocess.run([UPCRUN, "-n", "1", "--trace=" + self.folder + "/x", self.known], capture_output=True, text=True,
                              env={**os.environ, "UPCR_TRACE_KINDS": "barier"}, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("UPCR_TRACE_KINDS=barier: 'barier' is no kind of operation", done.stderr)
        for value in "lock,barier", "trace.json:barier":
            done = subprocess.run([UPCRUN, "-n", "1", "--trace=" + value, self.known], capture_output=True, text=True,
                                  check=False, cwd=self.folder)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"UPCR_TRACE={value}: 'barier' is no kind of operation", done.stderr)

    def test_killed(self):
        endless, file = compile_upc(self.folder, "endless.upc", "--stats"), os.path.join(self.folder, "killed.json")
        with subprocess.Popen([UPCRUN, "-n", "2", "--timeout", "100", f"--trace={file}", endless],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as job:
            self.assertEqual(job.stdout.readline(), "running\n")
            programs = processes_of(endless)
            os.kill(programs[-1], signal.SIGKILL)
            self.assertEqual(job.wait(timeout=60), 128 + signal.SIGKILL)
            self.assertEqual(len(programs), 2)
        parts = sorted(glob.glob(file + ".part*"))
        self.assertEqual([os.path.basename(p) for p in parts], ["killed.json.part0", "killed.json.part1"])
        done = run([REPORT, "-o", file, *parts])
        events, _ = read_timeline(self, file)
        self.assertIn(f"{len(events)} events in ", done.stdout)
        for thread in range(2):
            self.assertGreaterEqual(sum(e["tid"] == thread for e in events), 1000)


if __name__ == "__main__":
    unittest.main()
