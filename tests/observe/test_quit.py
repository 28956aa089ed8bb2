# SPDX-License-Identifier: BSD-3-Clause
"""SIGQUIT prints what each UPC thread of the process does: one computes, the others wait for it."""
import os
import signal
import subprocess
import tempfile
import time
import unittest

from support import UPCRUN, compile_upc, lines_of, processes_of


class Quit(unittest.TestCase):
    def check(self, *options, threads=3):
        with tempfile.TemporaryDirectory() as folder:
            program = compile_upc(folder, "waiting.upc", "--pthreads", *options)
            with subprocess.Popen([UPCRUN, "-n", str(threads), "--pthreads", str(threads), "--timeout", "100", program],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as job:
                self.assertEqual(job.stdout.readline(), "running\n")
                for pid in processes_of(program):
                    os.kill(pid, signal.SIGQUIT)
                _, err = job.communicate(timeout=90)
            self.assertEqual(job.returncode, 128 + signal.SIGQUIT)
            return err

    def test_waits(self):
        err = self.check()
        self.assertIn("UPC thread 0 computes\n", err)
        for thread in (1, 2):
            self.assertRegex(err, rf"UPC thread {thread} waits for [0-9]+ ms: barrier")

    def test_many_threads(self):
        err = self.check(threads=200)
        self.assertEqual(err.count(" computes\n"), 1)
        for thread in range(1, 200):
            self.assertRegex(err, rf"UPC thread {thread} waits for [0-9]+ ms: barrier")

    def quit_job(self, threads, locks=False):
        """What a job prints when upcrun gets the signal."""
        with tempfile.TemporaryDirectory() as folder:
            program = compile_upc(folder, "waiting_locks.upc" if locks else "waiting.upc", "-g")
            with subprocess.Popen([UPCRUN, "-n", str(threads), "--timeout", "100", program],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as job:
                self.assertEqual(job.stdout.readline(), "running\n")
                time.sleep(1)  # for the others to wait
                job.send_signal(signal.SIGQUIT)
                _, err = job.communicate(timeout=90)
            self.assertEqual(job.returncode, 128 + signal.SIGQUIT, err)
            self.assertTrue(err.endswith("the job ends\n"), err)
            self.assertRegex(err, "^likely cause: a (cycle of locks|missed barrier): ")
            return err

    def test_all_processes_of_a_job(self):
        err = self.quit_job(5)
        self.assertRegex(err, r"UPC thread 0 computes")
        line = lines_of("waiting.upc")["barrier"]
        for thread in range(1, 5):
            self.assertRegex(err, rf"UPC thread {thread} waits for [0-9]+ ms: barrier, .*waiting.upc:{line}\n")
            self.assertRegex(err, rf"\[upcr {thread}/5\] #[0-9]+ user_main.*waiting.upc:{line} ")

    def test_locks_taken_in_different_orders(self):
        err = self.quit_job(2, locks=True)
        line = lines_of("waiting_locks.upc")["second"]
        for thread in range(2):
            self.assertRegex(err, rf"UPC thread {thread} waits for [0-9]+ ms: lock, behind UPC thread "
                                  rf"\({1 - thread}\), last UPC call at .*waiting_locks.upc:{line}\n")

    def test_stall_report(self):
        line = lines_of("waiting_locks.upc")["second"]
        for conduit in ["smp"] + os.environ["MPI"].split():
            with self.subTest(conduit), tempfile.TemporaryDirectory() as folder:
                program = compile_upc(folder, "waiting_locks.upc", "-g")
                with subprocess.Popen([UPCRUN, "-n", "2", "--conduit", conduit, "--stall-report", "1", "--timeout",
                                       "100", program], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                      text=True) as job:
                    report = [job.stderr.readline() for _ in range(3)]
                    job.terminate()
                    job.stderr.read()
                self.assertRegex(report[0], "^likely cause: a cycle of locks: ")
                for thread in range(2):
                    at = rf"at [^ ]*waiting_locks.upc:{line}"
                    self.assertRegex(report[0], rf"UPC thread {thread} waits for the lock at 0x[0-9a-f]+ of UPC thread "
                                                rf"[01] {at}, which UPC thread {1 - thread} holds")
                    self.assertRegex(report[1 + thread], rf"^UPC thread {thread} waits for the lock .*, behind UPC thread "
                                                         rf"{1 - thread}, last UPC call {at}, for [0-9.]+ s$")

    def test_stall_warning(self):
        """A job without upcrun has warnings of its threads."""
        with tempfile.TemporaryDirectory() as folder:
            program = compile_upc(folder, "waiting.upc", "-g", "--pthreads")
            with subprocess.Popen([program], env={**os.environ, "UPCR_STALL_WARN": "1", "UPC_WARN_FATAL": "yes",
                                                  "UPCR_THREADS": "2"},
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as job:
                self.assertRegex(job.stderr.readline(), "UPC thread 1 has been waiting for 1 s: barrier ")
                job.terminate()
                job.stderr.read()

    def test_lines(self):
        err = self.check("-g")
        line = lines_of("waiting.upc")["barrier"]
        self.assertRegex(err, rf"UPC thread 1 waits for [0-9]+ ms: barrier, last UPC call at .*waiting.upc:{line}\n")


if __name__ == "__main__":
    unittest.main()
