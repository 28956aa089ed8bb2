# SPDX-License-Identifier: BSD-3-Clause
"""bupc_trace_printf and the masks that a program sets: what a timeline has of them, and what they cost without one."""
import collections
import json
import os
import sys
import tempfile
import unittest

from support import UPCRUN, check_event, compile_upc, run, source

THREADS = 4

OPTIONS = {"processes": [], "pthreads": ["--pthreads=2"]}
WAY = sys.argv.pop()


def line_of(text):
    """The number of the line of marks.upc that has it first."""
    with open(source("marks.upc"), encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if text in line)


def line_at(event):
    return int(event["args"]["line"].rsplit(":", 1)[1])


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
            run([*job, f"--trace={trace}", program, "many"])
            with open(trace, encoding="utf-8") as file:
                cls.many = json.load(file)["traceEvents"]
            statistics = os.path.join(folder, "stats.json")
            cls.counted = run([*job, "--stats", program])
            cls.both = run([*job, f"--stats={statistics}", f"--trace={trace}", program])
            with open(statistics, encoding="utf-8") as file:
                cls.statistics = json.load(file)
            cls.plain = run([*job, compile_upc(folder, "marks.upc", *OPTIONS[WAY])]).stdout

    def test_format(self):
        for event in self.events:
            check_event(self, event)

    def test_texts(self):
        expected = [*((f'step {i} of "all"', "step %d") for i in (1, 2, 3)), ("x" * 511, '(("%s", text'),
                    ("barriers and messages", "barriers and messages"), ("end", '"end"'), ("", '((""))'),
                    ("lone \ufffd byte", "lone"), ("\u00e9" * 255 + "\ufffd", '(("%s", text'), ("inner", "inner"),
                    ("outer 7", "outer"), ("again GPVXSBLWNIAH", "again %s"), ("and again", "and again")]
        for thread in range(THREADS):
            marks = [e for e in self.events if e["ph"] == "i" and e["tid"] == thread]
            self.assertEqual([e["name"] for e in marks], [text for text, _ in expected])
            self.assertEqual({e["s"] for e in marks}, {"t"})
            for event, (text, where) in zip(marks, expected):
                if where != '(("%s", text':
                    self.assertEqual(line_at(event), line_of(where), text)

    def test_last_texts_are_kept(self):
        for thread in range(THREADS):
            marks = [e["name"] for e in self.many if e["ph"] == "i" and e["tid"] == thread]
            self.assertEqual(len(marks), 2000)
            kept = [text for text in marks if not text.startswith("(the text is lost")]
            self.assertGreater(len(kept), 128 * 1024 // 520)
            self.assertEqual(kept, [f"{i} {i:0500}" for i in range(2000 - len(kept), 2000)])

    def test_arguments(self):
        """They are evaluated where the message is recorded alone."""
        for output, count in ((self.traced, 3), (self.plain, 0), (self.counted.stdout, 0), (self.both.stdout, 3)):
            self.assertEqual(output, f"evaluated {count}\n" * THREADS)

    def test_statistics(self):
        """Marks are in timelines alone."""
        self.assertNotRegex(self.both.stderr, r"\bmark ")
        self.assertNotIn("mark", {o["kind"] for o in self.statistics["kinds"] + self.statistics["lines"]})

    def test_masks(self):
        """How often the lines of access() are in the timeline: 1 all, 2 barriers, 3 puts to others, 4 nothing, 5 all."""
        for thread in range(THREADS):
            found = collections.Counter((e["name"], line_at(e)) for e in self.events
                                        if e["ph"] == "X" and e["tid"] == thread and "line" in e["args"])
            self.assertEqual(found["put", line_of("words[MYTHREAD] = value")], 2)
            self.assertEqual(found["put", line_of("words[(MYTHREAD + 1) % THREADS] = value")], 3)
            self.assertEqual(found["barrier", line_of("    upc_barrier;")], 3)
            self.assertEqual([found["memcpy", line_of("upc_memcpy(&words[MYTHREAD], &words[(MYTHREAD") + i] for i in range(3)],
                             [1, 1, 0])

    def test_mask_of_the_job(self):
        """A program's mask chooses among the kinds that --trace records."""
        self.assertEqual({e["name"] for e in self.barriers if e["ph"] == "X"}, {"barrier"})
        self.assertFalse([e for e in self.barriers if e["ph"] == "i"])


if __name__ == "__main__":
    unittest.main()
