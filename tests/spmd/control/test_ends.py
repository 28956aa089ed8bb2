# SPDX-License-Identifier: BSD-3-Clause
"""Every end of a program: the job's status, its messages, and that all buffered output is written."""
import os
import shutil
import subprocess
import tempfile

from control import ControlCase, main, program, threads
from support import UPCRUN, Job

N = 4
LINES = sorted(f"thread {i}\n" for i in range(N))


class Ends(ControlCase):
    def end(self, how, status, pthreads, err="", lost=(), stdin=subprocess.DEVNULL):
        """`lost`: threads whose files need not be complete, having died with their process."""
        files = tempfile.mkdtemp(dir=self.folder)
        words = [*threads(N, pthreads), program("ends"), how, files]
        with self.subTest(how, pthreads=pthreads):
            got, out, said = self.run_to_end(words, stdin)
            self.assertIn(got, status if isinstance(status, tuple) else (status,), said)
            rest = [line for line in out.splitlines(True) if not line.startswith("thread ")]
            self.assertEqual(sorted(set(out.splitlines(True)) - set(rest)), LINES)
            for i in set(range(N)) - set(lost):
                with open(os.path.join(files, str(i))) as file:
                    self.assertEqual(file.read(), f"file of {i}\n", said)
            if err == "":
                self.assertEqual(said, "")
            else:
                self.assertIn(err, said)
                self.assertTrue(said.startswith("UPC Runtime error: "), said)
        shutil.rmtree(files)
        return rest, said

    def run_to_end(self, words, stdin):
        with Job(UPCRUN, *words, stdin=stdin) as job:
            return job.wait(), job.stdout(), job.stderr()

    def both(self, *arguments, **more):
        for pthreads in 1, 2:
            result = self.end(*arguments, pthreads=pthreads, **more)
        return result

    def test_orderly(self):
        self.both("return", 0)
        self.both("return_3", 3)
        self.both("upcr_exit", 0)
        self.both("upcr_exit_5", 5)
        self.both("bupc_exit", 6)
        self.both("upcri_do_exit", 0)

    def test_plain_exit(self):
        self.both("exit_0", 0)
        self.both("exit_mixed", 8)
        self.both("exit_7", 7)
        rest, _ = self.both("atexit", 0)
        self.assertEqual(rest, ["atexit\n"])

    def test_pthread_exit(self):
        self.both("pthread_exit", 0)
        self.both("pthread_exit_some", 4)
        self.both("pthread_cancel", 0)
        rest, _ = self.both("pthread_exit_helper", 0)
        self.assertEqual(rest, N * ["later\n"])
        rest, _ = self.both("pthread_exit_handlers", 0)
        self.assertEqual(rest, N * ["handler\n"])
        rest, _ = self.both("pthread_exit_atexit", 0)
        self.assertEqual(rest, ["atexit\n"])
        self.both("pthread_exit_notified", 255, err="ended between upcr_notify(7) and upcr_wait()")
        self.both("pthread_exit_in_barrier", 255, err="thread 2 has ended its program while thread 0 waits in barrier 7")

    def test_pthread_exit_of_main_after_bupc_init(self):
        for how in "pthread_exit", "pthread_exit_some", "pthread_exit_atexit":
            self.end("embed_" + how, 4 if how.endswith("some") else 0, 1)
        rest, _ = self.end("embed_pthread_exit_helper", 0, 1)
        self.assertEqual(rest, N * ["later\n"])

    def test_pthread_exit_of_a_forked_child(self):
        files = tempfile.mkdtemp(dir=self.folder)
        self.run_job(*threads(N), program("ends"), "pthread_exit_fork", files,
                     env={"ASAN_OPTIONS": "detect_leaks=0"})

    def test_global_exit(self):
        self.both("global", 9)
        self.both("global_0", 0)
        self.both("global_all", (10, 11, 12, 13))
        self.both("global_pthread", 21)

    def test_a_stream_is_locked(self):
        # The line of the thread that reads stays where it is when its process cannot be flushed in time.
        for pthreads in 1, 2:
            lost = range(pthreads)
            self.end("global_while_reading", 12, pthreads, lost=lost, stdin=subprocess.PIPE)
        self.end("error_while_reading", 255, 2, err="reading", lost=[0, 1], stdin=subprocess.PIPE)

    def test_a_stream_is_locked_without_upcrun(self):
        for how, status in [("global_while_reading", 12), ("error_while_reading", 255)]:
            files = tempfile.mkdtemp(dir=self.folder)
            with Job(program("ends"), how, files, stdin=subprocess.PIPE, env={"UPCR_PTHREADS": "3"}) as job:
                self.assertEqual(job.wait(), status, job.stderr())

    def test_output_that_cannot_be_written(self):
        words = "UPC Runtime error: cannot write standard output: No space left on device"
        ends = [(how, 74) for how in ("return", "upcr_exit", "exit_0", "global_0", "pthread_exit_atexit")]
        for how, status in ends + [("upcr_exit_5", 5), ("embed_return", 74)]:
            with self.subTest(how), open("/dev/full", "w") as full:
                files = tempfile.mkdtemp(dir=self.folder)
                self.run_program(program("ends"), how, files, stdout=full, status=status, err=words)
                with open(os.path.join(files, "0")) as file:  # left open, on a healthy disk
                    self.assertEqual(file.read(), "file of 0\n")
        self.run_job("-n", "2", "sh", "-c", 'exec "$0" return "$1" >/dev/full', program("ends"), self.folder, status=74,
                     err=words)

    def test_errors(self):
        _, said = self.both("error", 255, err="the program's own trouble 42")
        self.one_error(said, "UPC thread 1 of 4", "rank 0")

    def test_signals(self):
        for pthreads in 1, 2:
            lost = range(2) if pthreads == 2 else [1]
            _, said = self.end("segv", 128 + 11, pthreads, err="SIGSEGV", lost=lost)
            self.assertIn("at address 0x10", said)
            self.assertIn("UPC thread 1 of 4", said)
            self.end("abort", 128 + 6, pthreads, err="SIGABRT", lost=lost)
            self.end("kill", 128 + 9, pthreads, err="signal 9", lost=lost)

    def test_children_of_the_program(self):
        # They inherit the buffers, and empty them: lines may come twice.
        for pthreads in 1, 2:
            files = tempfile.mkdtemp(dir=self.folder)
            self.run_job(*threads(N, pthreads), program("ends"), "fork", files,
                         env={"ASAN_OPTIONS": "detect_leaks=0"})  # in the children, beside other threads

    def test_barriers_at_the_end(self):
        self.both("notified", 255, err="ended between upcr_notify(7) and upcr_wait()")
        for how in "in_barrier", "in_split_barrier":
            _, said = self.both(how, 255, err="thread 2 has ended its program while thread 0 waits in barrier 7")
            self.one_error(said, "UPC thread 0 of 4")


main()
