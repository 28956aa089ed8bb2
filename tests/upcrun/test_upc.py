# SPDX-License-Identifier: BSD-3-Clause
"""Whole UPC programs under upcrun: ends and deaths while the other threads wait in the runtime."""
import os
import re
import signal

from support import SANITIZED, UPCRUN, Case, Job, main, processes_with

PROGRAM = os.environ["UPC_PROGRAM"]
SHAPES = [["-n", "4"], ["-n", "4", "--pthreads", "2"], ["-n", "16"]]
PLACES = ["barrier", "lock", "spin", "compute"]


class Ends(Case):
    def each(self, *action, **expected):
        for shape in SHAPES:
            for place in PLACES if shape == SHAPES[0] else PLACES[:1]:
                with self.subTest(shape=shape, place=place):
                    yield self.run_job(*shape, PROGRAM, *action, place, **expected)

    def test_status(self):
        for shape in SHAPES:
            self.run_job(*shape, PROGRAM, "status", "1", "0")
            self.run_job(*shape, PROGRAM, "status", "1", "5", status=5)

    def test_global_exit(self):
        for _ in self.each("global-exit", "3", "7", status=7):
            pass
        for _ in self.each("exit", "3", "9", status=9):
            pass

    def test_everybody_flushes(self):
        for shape in SHAPES:
            out, _ = self.run_job(*shape, PROGRAM, "buffered", "1", "3", status=3)
            self.assertEqual(sorted(out.splitlines()), sorted(f"last words of {i}" for i in range(int(shape[1]))))

    def test_leaves_silently(self):
        for _, err in self.each("_exit", "2", "3", status=3, err="ended with status 3 in the middle of the job"):
            self.assertRegex(err, r"UPC threads? 2(-3)? \(rank ")

    def test_killed(self):
        for _, err in self.each("raise", "1", "9", status=137, err="was killed by signal 9 (Killed)"):
            self.assertRegex(err, r"^UPC Runtime error: UPC threads? (1|0-1) \(rank [01], pid \d+\) was killed")

    def test_crash(self):
        if SANITIZED:
            self.skipTest("the sanitizer reports in its own way")
        for _, err in self.each("crash", "1", "0", status=139, err="SIGSEGV"):
            self.assertRegex(err, r"UPC threads? (1|0-1) \(rank [01], pid \d+\) was killed by signal 11 \(Seg")

    def test_fatal_error(self):
        _, err = self.run_job("-n", "4", PROGRAM, "misuse", "1", "0", status=255, err="UPC Runtime error: ")
        self.assertIn("UPC thread 1 of 4", err)
        self.assertNotIn("in the middle of the job", err)  # it has explained itself

    def test_by_environment(self):
        env = {"UPCR_THREADS": "4"}
        self.run_program(PROGRAM, "status", "1", "5", status=5, env=env)
        self.run_program(PROGRAM, "status", "1", "5", status=5, env={**env, "UPCR_PTHREADS": "2"})
        self.run_program(PROGRAM, "status", "1", "5", status=5, env={"UPCR_PTHREADS": "2"})
        self.run_program(PROGRAM, "raise", "3", "9", status=137, env=env, err="UPC thread 3 (rank 3, pid ")

    def test_timeout(self):
        _, err = self.run_job("-n", "3", "--timeout", "1", PROGRAM, "stay", "1", status=124, err="--timeout")
        self.assertEqual(len(re.findall(r"UPC thread \d \(rank \d, pid \d+\) is running", err)), 3)


class Kill(Case):
    def each(self):
        for shape in SHAPES:
            for place in PLACES if shape == SHAPES[0] else PLACES[:1]:
                with self.subTest(shape=shape, place=place):
                    with Job(UPCRUN, *shape, PROGRAM, "stay", "0", "0", place) as job:
                        job.wait_for_output("ready", int(shape[1]))
                        yield job

    def test_worker(self):
        for job in self.each():
            worker = job.processes()[2][1]
            os.kill(worker, signal.SIGKILL)
            self.assertEqual(job.wait(60), 137)
            self.assertIn(f"pid {worker}) was killed by signal 9 (Killed)", job.stderr())
            self.assertEqual(processes_with(job.mark), [])

    def test_interrupt(self):
        for job in self.each():
            job.process.send_signal(signal.SIGINT)
            self.assertEqual(job.wait(60), -signal.SIGINT)
            self.assertEqual(processes_with(job.mark), [])

    def test_guard(self):
        for job in self.each():
            os.kill(job.processes()[0], signal.SIGKILL)
            job.wait_until_gone()

    def test_launcher(self):
        for job in self.each():
            os.kill(job.processes()[1], signal.SIGKILL)
            job.wait_until_gone()

    def test_both(self):
        for job in self.each():
            for pid in job.processes()[:2]:
                os.kill(pid, signal.SIGKILL)
            job.wait_until_gone()


if __name__ == "__main__":
    main()
