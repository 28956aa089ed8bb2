# SPDX-License-Identifier: BSD-3-Clause
"""test_killed.py CONDUIT...: the statistics of a job of killed.upc of which one process is killed: what every UPC thread had
done, and which one was killed. Conduits: smp, mpi.openmpi, mpi.mpich."""
import contextlib
import glob
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

from support import REPORT, UPCRUN, compile_upc, lines_of, run

CONDUITS = sys.argv[1:]
THREADS, VICTIM = 3, 1


def job_of(conduit):
    """Options of upcrun and environment."""
    if conduit == "smp":
        return [], {}
    return ["--conduit", "mpi"], {"UPCR_MPI_LIBRARY": conduit.split(".")[1], "UPCR_PSHM": "no"}


def descendants_of(parent):
    """In the order of their generations."""
    with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as file:
        children = [int(word) for word in file.read().split()]
    return children + [d for child in children for d in descendants_of(child)]


class Killed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = cls.temporary.name
        cls.program = compile_upc(cls.folder, "killed.upc", "--stats")
        cls.lines = lines_of("killed.upc")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def kill(self, conduit, file, everything=False, way="stats"):
        """The standard error of a job whose UPC thread 1 is killed; or every process of it, those of upcrun first."""
        options, variables = job_of(conduit)
        with subprocess.Popen([UPCRUN, "-n", str(THREADS), "--timeout", "100", f"--{way}={file}", *options, self.program],
                              env={**os.environ, **variables}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as job:
            processes = dict(map(int, job.stdout.readline().split()) for _ in range(THREADS))
            for process in [job.pid, *descendants_of(job.pid)] if everything else [processes[VICTIM]]:
                with contextlib.suppress(ProcessLookupError):  # some end with their parent
                    os.kill(process, signal.SIGKILL)
            _, text = job.communicate(timeout=60)
            if not everything:
                self.assertEqual(job.returncode, 128 + signal.SIGKILL, text)
        return text

    def check_counts(self, stats):
        self.assertFalse(stats["complete"])
        self.assertEqual((stats["program"], stats["threads_of_job"]), ("killed", THREADS))
        self.assertEqual([t["thread"] for t in stats["threads"]], list(range(THREADS)))
        for thread in stats["threads"]:
            me = thread["thread"]
            found = {(o["kind"], o["line"]): (o["count"], o.get("bytes", 0)) for o in thread["operations"]
                     if "line" in o and not o["kind"].startswith("re")}  # messages
            self.assertEqual(found, {("barrier", self.lines["first barrier"]): (1, 0),
                                     ("put", self.lines["put"]): (1000 + me, 4 * (1000 + me)),
                                     ("get", self.lines["get"]): (10, 40),
                                     ("memput", self.lines["memput"]): (7, 280),
                                     ("barrier", self.lines["second barrier"]): (1, 0)})
            there = {p["thread"]: p for p in thread["pairs"]}[(me + 1) % THREADS]
            self.assertEqual((there["writes"], there["written_bytes"]), (1007 + me, 4 * (1000 + me) + 280))

    def test_report(self):
        """upcrun makes the report of what the threads have left, and leaves nothing else."""
        for conduit in CONDUITS:
            with self.subTest(conduit=conduit):
                file = os.path.join(self.folder, "stats.json")
                text = self.kill(conduit, file)
                self.assertEqual(glob.glob(file + "*"), [file], text)
                with open(file, encoding="utf-8") as written:
                    stats = json.load(written)
                self.check_counts(stats)
                self.assertEqual([t["thread"] for t in stats["threads"] if t.get("killed")], [VICTIM])
                self.assertIn(f"UPC thread {VICTIM} was killed", text)
                self.assertIn("== upcr statistics: killed, 3 UPC threads, ", text)
                os.remove(file)

    def test_timeline(self):
        """upcrun says where the parts of the timeline are, and how they are joined: the command works as it stands."""
        for kinds in "", ":line":
            with self.subTest(kinds=kinds):
                file = os.path.join(self.folder, "timeline.json")
                text = self.kill("smp", file + kinds, way="trace")
                command = re.search(r"^upcr trace: what 3 UPC threads have recorded is in .*; `upcr_report (.*)` joins it$",
                                    text, re.MULTILINE)
                self.assertIsNotNone(command, text)
                subprocess.run(f"{REPORT} {command.group(1)}", shell=True, check=True, capture_output=True)
                with open(file, encoding="utf-8") as written:
                    puts = [e for e in json.load(written)["traceEvents"] if e["ph"] == "X" and e["name"] == "put"]
                self.assertEqual(len(puts), 3 * 1000 + 3)
                for part in glob.glob(file + "*"):
                    os.remove(part)

    def test_without_upcrun(self):
        """When all of upcrun is killed too, upcr_report makes it; a thread that had not made its file is no error."""
        file = os.path.join(self.folder, "left.json")
        self.kill("smp", file, everything=True)
        parts = sorted(glob.glob(file + ".part*"))
        self.assertEqual([os.path.basename(p) for p in parts], [f"left.json.part{t}" for t in range(THREADS)])
        unfinished = os.path.join(self.folder, "unfinished")
        with open(unfinished, "wb") as left:
            left.write(bytes(8192))
        done = run([REPORT, "-o", file, unfinished, *parts])
        self.assertEqual(done.stderr, f"upcr_report: {unfinished}: nothing was recorded in it; left out\n")
        self.assertIn("== upcr statistics: killed, 3 UPC threads, ", done.stdout)
        with open(file, encoding="utf-8") as written:
            self.check_counts(json.load(written))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
