# SPDX-License-Identifier: BSD-3-Clause
"""Regions and moments that a program marks by pupc_event_*: in statistics and in a timeline."""
import collections
import json
import os
import tempfile
import unittest

from support import UPCRUN, compile_upc, run

THREADS = 4
COUNTS = {"outer": THREADS, "inner": 3 * THREADS, "moment": 4 * THREADS}


class Regions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            program = compile_upc(folder, "regions.upc", "--stats")
            stats, trace = os.path.join(folder, "stats.json"), os.path.join(folder, "trace.json")
            run([UPCRUN, "-n", str(THREADS), "--timeout", "100", f"--stats={stats}", f"--trace={trace}", program])
            with open(stats, encoding="utf-8") as file:
                cls.stats = json.load(file)
            with open(trace, encoding="utf-8") as file:
                cls.spans = [e for e in json.load(file)["traceEvents"] if e["ph"] == "X"]

    def test_statistics(self):
        found = {line["file"]: line["count"] for line in self.stats["lines"] if line["kind"] == "user"}
        self.assertEqual(found, COUNTS)

    def test_timeline(self):
        regions = [e for e in self.spans if e["cat"] == "region"]
        self.assertEqual(collections.Counter(e["name"] for e in regions), COUNTS)
        for thread in range(THREADS):
            mine = {name: [e for e in regions if e["tid"] == thread and e["name"] == name] for name in COUNTS}
            outer = mine["outer"][0]
            begin, end = outer["ts"], outer["ts"] + outer["dur"]
            for e in mine["inner"] + mine["moment"][:3]:
                self.assertLessEqual(begin, e["ts"])
                self.assertLessEqual(e["ts"], end)
            self.assertGreaterEqual(mine["moment"][3]["ts"], end)
            # A put is in each inner region, and none is between the moments.
            puts = [e for e in self.spans if e["tid"] == thread and e["name"] == "put"]
            self.assertEqual(len(puts), 3)
            for put, inner in zip(puts, mine["inner"]):
                self.assertLessEqual(inner["ts"], put["ts"])
                self.assertLessEqual(put["ts"], inner["ts"] + inner["dur"])


if __name__ == "__main__":
    unittest.main()
