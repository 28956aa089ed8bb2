# SPDX-License-Identifier: BSD-3-Clause
"""upcr_info --job and upcrun --stall-report for clients of GASNet: what each node waits for, and the likely cause."""
import os
import re
import subprocess
import tempfile
import time
import unittest

from support import INFO, UPCRUN


class Gasnet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # pylint: disable-next=consider-using-with  # tearDownClass() ends it
        cls.folder = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def start(self, how, nodes, *words, **env):
        file = os.path.join(self.folder.name, self.id())
        return subprocess.Popen([UPCRUN, "-n", str(nodes), "--timeout", "60", *words, os.environ["CLIENT"], how, file],
                                env={**os.environ, **env}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def ask_until(self, pid, pattern):
        for _ in range(100):
            asked = subprocess.run([INFO, "--job", str(pid)], capture_output=True, text=True, check=False, timeout=60)
            if asked.returncode == 0 and re.search(pattern, asked.stdout):
                return asked.stdout
            time.sleep(0.1)
        self.fail(f"{asked.stdout}{asked.stderr}: no {pattern}")

    def test_asked(self):
        with self.start("missed", 3) as job:
            try:
                report = self.ask_until(job.pid, r"(?m)^likely cause: a missed barrier: nodes 1 and 2 wait in barrier 2 "
                                        r"\(gasnet_barrier 7\); node 0 has not come to it: node 0 computes$")
                self.assertRegex(report, r"(?m)^node 0 computes$")
                self.assertRegex(report, r"(?m)^nodes 1 and 2 wait in barrier 2 \(gasnet_barrier 7\), for [0-9.]+ s$")
                self.assertIsNone(job.poll())
            finally:
                job.terminate()
            self.assertNotIn("likely cause", job.stderr.read())

    def test_no_answer(self):
        with self.start("no answer", 2, UPCR_PSHM="no") as job:
            try:
                self.ask_until(job.pid, "(?m)^likely cause: a message that nobody answers: node 0 waits for .*, but the process "
                               r"of node 1 does not poll: node 1 computes; call gasnet_AMPoll\(\)")
            finally:
                job.terminate()

    def test_blocked(self):
        with self.start("blocked", 2) as job:
            try:
                report = self.ask_until(job.pid, r"(?m)^node 0 waits for a condition \(GASNET_BLOCKUNTIL\), for [0-9.]+ s$")
                self.assertNotIn("computes", report)
            finally:
                job.terminate()
            job.stderr.read()

    def test_stall(self):
        """Nobody asks: the job reports a wait of more than a second."""
        with self.start("missed", 3, "--stall-report", "1") as job:
            first = job.stderr.readline()
            job.terminate()
            rest = job.stderr.read()
        self.assertRegex(first, "^likely cause: ", rest)
        self.assertRegex(rest, "(?m)^node 0 computes")


if __name__ == "__main__":
    unittest.main()
