# SPDX-License-Identifier: BSD-3-Clause
"""Jobs that hang, each in its way: the report names the cause, here and over MPI."""
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest

from support import INFO, UPCRUN, compile_upc, lines_of, processes_of

LINES = lines_of("hanging.upc")
CONDUITS = ["smp"] + os.environ["MPI"].split()


def at(name):
    return f"at [^ ]*hanging.upc:{LINES[name]}"


class Causes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # pylint: disable-next=consider-using-with  # tearDownClass() ends it
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = compile_upc(cls.folder.name, "hanging.upc", "--stats")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def start(self, how, threads, conduit, env=None, words=()):
        """The release library, where mistakes hang that the debug library finds, knows lines when it counts."""
        file = os.path.join(self.folder.name, f"{self.id()}.{conduit}")
        return subprocess.Popen([UPCRUN, "-n", str(threads), "--conduit", conduit, *words, "--timeout", "120",
                                 self.program, how, file], env={**os.environ, "UPCR_STATS": "yes", **(env or {})},
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def check(self, how, threads, cause, **options):
        """Asks until all threads have come to where they hang."""
        for conduit in CONDUITS:
            with self.subTest(conduit), self.start(how, threads, conduit, **options) as job:
                try:
                    self.ask_until(job.pid, f"(?m)^likely cause: {cause}")
                finally:
                    job.terminate()

    def test_stall_report(self):
        """Nobody asks: the job itself reports a wait of more than a second, on its standard error."""
        for conduit in CONDUITS:
            with self.subTest(conduit), self.start("missed", 3, conduit, words=("--stall-report", "1")) as job:
                first = job.stderr.readline()
                job.terminate()
                rest = job.stderr.read()
                self.assertRegex(first, "^likely cause: ", rest)
                self.assertRegex(rest, "(?m)^UPC thread 0 computes")

    def test_holder_has_left(self):
        self.check("holder left", 2, rf"UPC thread 1 waits for the lock at 0x[0-9a-f]+ of UPC thread 0 {at('left lock')}, "
                   r"whose holder, UPC thread 0, has left the program")

    def test_holder_in_barrier(self):
        self.check("holder in barrier", 3,
                   rf"UPC threads 1 and 2 wait for the lock at .* {at('lock before barrier')}, whose holder, UPC thread 0, "
                   rf"waits in barrier 3 \(upc_barrier 7\) {at('barrier with lock')} and has not called upc_unlock")

    def test_holder_computes(self):
        self.check("holder computes", 2, rf"UPC thread 1 waits for .* {at('computing lock')}, whose holder, UPC thread 0, "
                   "computes")

    def test_left(self):
        self.check("left", 3, r"UPC thread 0 has left the program \(returned from main or called exit\), but UPC thread 1 "
                   rf"waits in barrier 2 {at('left barrier')}")

    def test_missed_barrier(self):
        self.check("missed", 3, rf"a missed barrier: UPC thread 1 waits in barrier 2 {at('one')}, UPC thread 2 waits in "
                   rf"barrier 2 {at('other')}; UPC thread 0 has not come to it: UPC thread 0 computes")

    def test_different_collectives(self):
        self.check("collectives", 2, rf"different collectives: UPC thread 0 calls upc_all_broadcast {at('broadcast')} as "
                   rf"collective call [0-9]+, UPC thread 1 calls upc_all_reduceI {at('reduce')}", env={"UPCR_PSHM": "no"})

    def test_different_roots(self):
        self.check("roots", 2, r"different arguments of upc_all_broadcast \(collective call [0-9]+\): the root's thread is 0 "
                   rf"on UPC thread 0 {at('roots')}, but 1 on UPC thread 1 {at('roots')}", env={"UPCR_PSHM": "no"})

    def test_collective_and_barrier(self):
        self.check("collective and barrier", 2, "a missed barrier or collective: UPC thread 0 waits in upc_all_broadcast "
                   rf"\(collective call [0-9]+\) {at('alone')}, but UPC thread 1 waits in barrier 2 {at('with nobody')}",
                   env={"UPCR_PSHM": "no"})

    def test_missed_collective(self):
        self.check("missed collective", 2, r"a missed collective: UPC thread 1 waits in upc_all_broadcast \(collective call "
                   rf"[0-9]+\) {at('missed')}; UPC thread 0 has not come to it: UPC thread 0 computes")

    def test_no_answer(self):
        self.check("no answer", 2, rf"a message that nobody answers: UPC thread 0 waits for a get .*{at('get')}, but the "
                   "process of UPC thread 1 does not poll: UPC thread 1 computes",
                   env={"UPCR_PSHM": "no"})

    def test_stopped_process(self):
        with self.start("left", 3, "smp") as job:
            try:
                self.ask_until(job.pid, "UPC thread 0 has left")
                pids = processes_of(self.program)
                os.kill(pids[-1], signal.SIGSTOP)
                self.ask_until(job.pid, rf"likely cause: .*pid {pids[-1]}.* does not answer: it is stopped")
            finally:
                job.terminate()

    # upcr_info --job

    def ask_until(self, pid, pattern):
        for _ in range(300):
            asked = subprocess.run([INFO, "--job", str(pid)], capture_output=True, text=True, check=False, timeout=60)
            if asked.returncode == 0 and re.search(pattern, asked.stdout):
                return asked.stdout
            time.sleep(0.1)
        self.fail(f"{asked.stdout}{asked.stderr}: no {pattern}")

    def test_running_job_is_asked(self):
        """By the pid of upcrun and of each process; the job goes on, and its own standard error stays empty."""
        for conduit in CONDUITS:
            with self.subTest(conduit), self.start("missed", 3, conduit) as job:
                try:
                    report = self.ask_until(job.pid, "(?m)^likely cause: a missed barrier")
                    self.assertRegex(report, r"(?m)^UPC thread 0 computes")
                    self.assertRegex(report, rf"(?m)^UPC thread 2 waits in barrier 2, last UPC call {at('other')}, for ")
                    pids = processes_of(self.program)
                    self.assertEqual(len(pids), 3)
                    for pid in pids:
                        self.ask_until(pid, "likely cause: a missed barrier")
                    self.assertIsNone(job.poll())
                    self.assertEqual(processes_of(self.program), pids)
                finally:
                    job.terminate()
                self.assertNotIn("likely cause", job.stderr.read())

    def test_no_job(self):
        for pid, cause in (("1", "neither upcrun nor started by an upcrun"), ("4194305", "there is no process 4194305")):
            asked = subprocess.run([INFO, "--job", pid], capture_output=True, text=True, check=False)
            self.assertEqual(asked.returncode, 1)
            self.assertIn(cause, asked.stderr)


if __name__ == "__main__":
    unittest.main()
