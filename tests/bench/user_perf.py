# SPDX-License-Identifier: BSD-3-Clause
"""user_perf.py SOURCE UPCRUN UPCR_PERF: upcr_perf TEST[:SIZES]: tables and JSON for users: sizes, pairs, windows, both ways,
percentiles, message rates, jobs with several numbers of threads and over several conduits, and what is refused. No speed is
asserted."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PERF, UPCRUN, SOURCE = sys.argv.pop(), sys.argv.pop(), pathlib.Path(sys.argv.pop())
FAST = ("--seconds", "0.002")


class UserPerf(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with  # a cleanup ends it
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_job(self, threads, *words, status=0, env=None):
        done = subprocess.run([UPCRUN, "-n", str(threads), "--timeout", "100", PERF, *words, *FAST], capture_output=True, text=True,
                              check=False, cwd=self.folder, env={**os.environ, **(env or {})})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout if status == 0 else done.stderr

    def results(self, *words, threads=2, env=None):
        text = self.run_job(threads, *words, "--json", "out.json", env=env)
        with open(os.path.join(self.folder, "out.json"), encoding="utf-8") as file:
            return text, json.load(file)

    def test_head(self):
        text, data = self.results("put:8")
        for name in ("CPU", "cores", "caches", "kernel", "network", "MPI", "devices", "load before", "job"):
            self.assertRegex(text, rf"(?m)^# {name} +\S")
        self.assertLess(text.index("# CPU"), text.index("# Size"))
        self.assertLessEqual({"processor", "cores", "caches", "kernel", "mpi", "devices", "load_before"}, set(data["machine"]))
        machine = data["machine"]
        self.assertEqual("# WARNING" in text, machine["load_before"] > 0.5 * machine["cores"])

    def test_sizes(self):
        text, data = self.results("put:8..64,4K", "get:0,3")
        self.assertEqual([(r["name"], r["size"]) for r in data["results"]],
                         [("put", n) for n in (8, 16, 32, 64, 4096)] + [("get", 0), ("get", 3)])
        self.assertEqual(re.findall(r"(?m)^(\d+) ", text), ["8", "16", "32", "64", "4096", "0", "3"])
        _, data = self.results("put")
        self.assertEqual([r["size"] for r in data["results"]], [8 << i for i in range(20)])

    def test_percentiles(self):
        text, data = self.results("put:8", "atomic", "lock", "barrier", "broadcast:8")
        self.assertRegex(text, r"(?m)^# Size +Latency \(us\) +min +p50 +p90 +p99 +p99.9 +max$")
        self.assertEqual([r["name"] for r in data["results"]], ["put", "atomic", "lock", "barrier", "broadcast"])
        for r in data["results"]:
            order = [r[k] for k in ("min", "median", "p90", "p99", "p99.9", "max")]
            self.assertEqual(order, sorted(order))
            self.assertGreater(r["min"], 0)
            self.assertTrue(r["min"] <= r["average"] <= r["max"])
            self.assertGreaterEqual(r["operations"], 10)

    def test_windows_and_rates(self):
        text, data = self.results("put_bw:64", "get_bw:64", "--window", "1,16")
        self.assertRegex(text, r"(?m)^# Size +Bandwidth \(MB/s\) +Messages/s")
        self.assertEqual([(r["name"], r["window"]) for r in data["results"]],
                         [("put_bw", 1), ("put_bw", 16), ("get_bw", 1), ("get_bw", 16)])
        for r in data["results"]:
            self.assertEqual(r["unit"], "MB/s")
            self.assertAlmostEqual(r["median"] * 1e6, r["messages_per_second"] * 64, delta=1e-6 * r["median"] * 1e6)

    def test_pairs_and_both_ways(self):
        _, data = self.results("put_bw:8", "put:8", "barrier", "--pairs", "1,all", "--bidirectional", threads=4)
        self.assertEqual([(r["name"], r["pairs"]) for r in data["results"]],
                         [("put_bw", 1), ("put_bw", 2), ("put", 1), ("put", 2), ("barrier", 1)])
        self.assertTrue(all(r["bidirectional"] and r["threads"] == 4 for r in data["results"]))

    def test_options_first(self):
        _, data = self.results("--bidirectional", "--pairs", "1,2", "--window", "1,4", "put_bw:8", threads=4)
        self.assertEqual({(r["pairs"], r["window"]) for r in data["results"]}, {(1, 1), (1, 4), (2, 1), (2, 4)})

    def test_one_thread_and_messages(self):
        self.assertIn("1 UPC threads", self.results("put:8", "get_bw:8", threads=1)[0])
        _, data = self.results("put:8", "get_bw:4K", "atomic", env={"UPCR_PSHM": "no"})
        self.assertFalse(any(r["partner_mapped"] for r in data["results"]))

    def test_jobs_that_it_starts(self):
        """Numbers of threads, and conduits: without upcrun."""
        done = subprocess.run([PERF, "put:8", "barrier", "--threads", "2,3", "--conduits", "smp", "--json", "j.json", *FAST],
                              capture_output=True, text=True, check=False, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(re.findall(r"conduit (\w+), (\d) UPC threads", done.stdout), [("smp", "2"), ("smp", "3")])
        self.assertEqual(sorted(os.listdir(self.folder)), ["j.smp.2.json", "j.smp.3.json"])

    def test_report_reads_it(self):
        self.results("put:8..64", "put_bw:8..64")
        done = subprocess.run([SOURCE / "bench" / "report", "out.json", "--text"], capture_output=True, text=True, check=False,
                              cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Measured on: ", done.stdout)

    def test_page_says_what_was_chosen(self):
        """And has no columns of references, which there are none of."""
        self.results("put:8", "put_bw:8", "--pairs", "1,2", "--window", "1,4", "--bidirectional", threads=4)
        subprocess.run([SOURCE / "bench" / "report", "out.json", "--html", "page.html"], check=True, cwd=self.folder,
                       capture_output=True)
        page = pathlib.Path(self.folder, "page.html").read_text(encoding="utf-8")
        rows = [r for r in re.findall(r"<tr>(.*?)</tr>", page) if "<td" in r]
        self.assertEqual(sorted(re.match(r"<td>(.*?)</td>", r)[1] for r in rows), sorted(
            ["put, both ways", "put, 2 pairs, both ways"]
            + [f"put_bw,{pairs} window {window}, both ways" for pairs in ("", " 2 pairs,") for window in (1, 4)]))
        self.assertNotIn("its median", page)
        same = subprocess.run([SOURCE / "bench" / "report", "--compare", "out.json", "out.json"], check=True, cwd=self.folder,
                              capture_output=True, text=True).stdout
        self.assertIn("6 did not", same)

    def test_refused(self):
        for words, why in ((("put:9X",), "sizes are numbers with K, M or G"), (("put:64..8",), "sizes are numbers"),
                           (("put", "nothing"), "there is no test 'nothing'"),
                           (("puts:8",), "there is no test 'puts'"), (("put", "--pairs", "0"), "a number, or all"),
                           (("put", "--pairs", "2"), "enough for 1; start more")):
            self.assertIn(why, self.run_job(2, *words, status=2))
        self.assertIn("does not fit in the shared heap", self.run_job(2, "put:1G", status=2))


if __name__ == "__main__":
    unittest.main()
