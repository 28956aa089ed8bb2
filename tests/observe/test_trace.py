# SPDX-License-Identifier: BSD-3-Clause
"""upcrun --trace: the timeline of known.upc, with all its operations and with few; what a killed job leaves."""
import collections
import glob
import os
import signal
import subprocess
import tempfile
import unittest

from support import REPORT, UPCRUN, compile_upc, lines_of, processes_of, read_timeline, run

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
        self.assertEqual(other["events"], len(events))
        self.assertIn(f"{len(events)} events in ", done.stderr)
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
        self.assertEqual(collections.Counter(e["tid"] for e in events), {t: 10 for t in range(THREADS)})
        self.assertGreater(other["lost"], 180 * THREADS)
        self.assertIn(f"{other['lost']} earlier events are lost", done.stderr)
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
        self.assertGreaterEqual(sum(n for kind, n in alone.items() if kind.startswith("request_")), 150 * THREADS)
        self.assertLessEqual(set(alone), {f"{way}_{size}" for way in ("request", "reply") for size in ("short", "medium", "long")})
        _, both = self.trace_as("line,msg", UPCR_PSHM="no")
        self.assertEqual((both["put"], both["barrier"]), (100 * THREADS, 2 * THREADS))
        self.assertGreaterEqual(both["request_medium"], 100 * THREADS)
        _, default = self.trace_as("t.json", UPCR_PSHM="no")
        self.assertFalse([kind for kind in default if kind.startswith("re") and kind != "reduce"])

    def test_unknown_kind(self):
        done = subprocess.run([UPCRUN, "-n", "1", "--trace=" + self.folder + "/x", self.known], capture_output=True, text=True,
                              env={**os.environ, "UPCR_TRACE_KINDS": "barier"}, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("UPCR_TRACE_KINDS=barier: 'barier' is no kind of operation", done.stderr)
        done = subprocess.run([UPCRUN, "-n", "1", "--trace=lock,barier", self.known], capture_output=True, text=True,
                              check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("UPCR_TRACE=lock,barier: 'barier' is no kind of operation", done.stderr)

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
