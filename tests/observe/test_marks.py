# SPDX-License-Identifier: BSD-3-Clause
"""bupc_trace_printf and the masks that a program sets: what a timeline has of them, and what they cost without one."""
import collections
import json
import os
import sys
import tempfile
import unittest

from support import UPCRUN, check_event, compile_upc, run

THREADS = 4
LINE = {"own": 10, "other": 11, "barrier": 12}  # of access() in marks.upc
OPTIONS = {"processes": [], "pthreads": ["--pthreads=2"]}
WAY = sys.argv.pop()


class Marks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            program = compile_upc(folder, "marks.upc", "--stats", *OPTIONS[WAY])
            trace = os.path.join(folder, "trace.json")
            job = [UPCRUN, "-n", str(THREADS), "--timeout", "100"]
            cls.traced = run([*job, f"--trace={trace}", program]).stdout
            with open(trace, encoding="utf-8") as file:
                cls.events = json.load(file)["traceEvents"]
            run([*job, f"--trace={trace}:barrier", program])
            with open(trace, encoding="utf-8") as file:
                cls.barriers = json.load(file)["traceEvents"]
            cls.counted = run([*job, "--stats", program])
            cls.plain = run([*job, compile_upc(folder, "marks.upc", *OPTIONS[WAY])]).stdout

    def test_format(self):
        for event in self.events:
            check_event(self, event)

    def test_texts(self):
        for thread in range(THREADS):
            marks = [e for e in self.events if e["ph"] == "i" and e["tid"] == thread]
            self.assertEqual([e["name"] for e in marks],
                             [f'step {i} of "all"' for i in (1, 2, 3)] +
                             ["x" * 511, "barriers and messages", "end"])
            self.assertEqual({e["s"] for e in marks}, {"t"})
            self.assertEqual([int(e["args"]["line"].rsplit(":", 1)[1]) for e in marks], [25, 25, 25, 29, 32, 40])

    def test_arguments(self):
        """They are evaluated where the message is recorded alone."""
        for output, count in ((self.traced, 3), (self.plain, 0), (self.counted.stdout, 0)):
            self.assertEqual(output, f"evaluated {count}\n" * THREADS)
        self.assertNotRegex(self.counted.stderr, r"\bmark ")

    def test_masks(self):
        """How often each line of access() is in the timeline: 1 all, 2 barriers, 3 puts to others, 4 nothing, 5 all."""
        for thread in range(THREADS):
            found = collections.Counter((e["name"], int(e["args"]["line"].rsplit(":", 1)[1])) for e in self.events
                                        if e["ph"] == "X" and e["tid"] == thread and "line" in e["args"])
            self.assertEqual(found["put", LINE["own"]], 2)
            self.assertEqual(found["put", LINE["other"]], 3)
            self.assertEqual(found["barrier", LINE["barrier"]], 3)

    def test_mask_of_the_job(self):
        """A program's mask chooses among the kinds that --trace records."""
        self.assertEqual({e["name"] for e in self.barriers if e["ph"] == "X"}, {"barrier"})
        self.assertFalse([e for e in self.barriers if e["ph"] == "i"])


if __name__ == "__main__":
    unittest.main()
