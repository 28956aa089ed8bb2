# SPDX-License-Identifier: BSD-3-Clause
"""How jobs end: statuses, bad ends, scripts between upcrun and the program, time limits."""
import resource
import subprocess

from support import MEMBER, SANITIZED, UPCRUN, Case, main


class Status(Case):
    def test_collectives(self):
        for n in 1, 2, 3, 5, 16:
            self.run_job("-n", str(n), MEMBER, "collectives", out="")
        self.run_job("-n", "5", "--pthreads", "2", MEMBER, "collectives", out="")

    def test_of_a_job(self):
        self.run_job("-n", "3", MEMBER, "status", "0", "0", status=12)  # the largest of 0, 11, 12
        self.run_job("-n", "3", MEMBER, "status", "0", "2", status=11)
        self.run_job("-n", "1", MEMBER, "status", "0", "0", status=0)

    def test_of_ordinary_programs(self):
        rank = "r=${UPCR_JOB#*rank=}; r=${r%%,*}; "
        self.run_job("-n", "3", "true")
        self.run_job("-n", "3", "sh", "-c", rank + "exit $((r + 2))", status=4)
        self.run_job("-n", "3", "sh", "-c", rank + "[ $r = 1 ] && kill -9 $$; sleep 100", status=137,
                     err="upcrun: process 1 (pid ")

    def test_global_exit(self):
        for rank in "0", "2":
            self.run_job("-n", "3", MEMBER, "global-exit", rank, "7", status=7)
        self.run_job("-n", "3", MEMBER, "global-exit", "1", "0", status=0)
        self.run_job("-n", "3", MEMBER, "global-exit", "1", "-1", status=255)
        self.run_job("-n", "1", MEMBER, "global-exit", "0", "3", status=3)

    def test_abort_explains_nothing(self):
        self.run_job("-n", "3", MEMBER, "abort", "1", "8", status=8)

    def test_slow_report_of_an_error(self):
        # Another process has ended the job with 0 meanwhile; processes without an error have one second.
        _, err = self.run_job("-n", "3", MEMBER, "slow-error", "1", "3", status=255, err="the last error")
        self.assertIn("all of it\n", err)

    def test_report_without_end(self):
        _, err = self.run_job("-n", "2", MEMBER, "slow-error", "0", "1000", status=255, err="the last error")
        self.assertNotIn("all of it", err)

    def test_all_processes_flush(self):
        out, _ = self.run_job("-n", "4", MEMBER, "buffered", "2", "3", status=3)
        self.assertEqual(sorted(out.splitlines()), [f"buffered line of {i}" for i in range(4)])

    def test_hook_of_the_others(self):
        self.run_job("-n", "3", MEMBER, "hook", "1", status=5, out="hook 5\n" * 2)

    def test_flush_that_blocks(self):
        self.run_job("-n", "3", MEMBER, "locked-stdio", "1", "4", status=4)

    def test_flush_while_input_is_awaited(self):
        # A read holds stdin's lock; stdout must be flushed all the same.
        self.run_job("-n", "2", MEMBER, "reading", "1", "6", status=6, out="before the answer\n",
                     stdin=subprocess.PIPE)

    def test_lost_peer_that_is_alive(self):
        self.run_job("-n", "3", MEMBER, "peer-lost", "1")

    def test_forked_child_is_not_a_member(self):
        self.run_job("-n", "2", MEMBER, "fork", "1")


class BadEnds(Case):
    def end(self, *action, status, err, n="3"):
        _, stderr = self.run_job("-n", n, MEMBER, *action, status=status, err=err)
        return stderr

    def test_killed(self):
        for number, words in (9, "signal 9 (Killed)"), (15, "signal 15"), (24, "signal 24 (CPU time limit exceeded)"), \
                (10, "signal 10 (SIGUSR1, User"), (12, "signal 12 (SIGUSR2, User"):
            err = self.end("signal", "2", str(number), status=128 + number, err="was killed by " + words)
            self.assertRegex(err, r"^UPC Runtime error: UPC thread 2 \(rank 2, pid \d+(, host [^)]+)?\) was killed by signal")

    def test_killed_with_pthreads(self):
        _, err = self.run_job("-n", "5", "--pthreads", "2", MEMBER, "signal", "1", "9", status=137, err=None)
        self.assertRegex(err, r"^UPC Runtime error: the process of UPC threads 2-3 \(rank 1, pid \d+(, host [^)]+)?\) was killed by")
        _, err = self.run_job("-n", "5", "--pthreads", "2", MEMBER, "signal", "2", "9", status=137, err=None)
        self.assertRegex(err, r"^UPC Runtime error: UPC thread 4 \(rank 2, pid \d+(, host [^)]+)?\) was killed by signal 9")

    def test_exits_without_leaving(self):
        self.end("_exit", "1", "9", status=9, err="UPC thread 1 (rank 1, pid ")
        self.end("_exit", "1", "0", status=1, err="ended with status 0 in the middle of the job")
        self.end("exec", "1", status=1, err="ended with status 0 in the middle of the job")
        self.end("_exit", "0", "4", status=4, err="in the middle of the job", n="1")

    def test_closes_its_descriptor(self):
        if not SANITIZED:  # their reports need descriptors, too
            err = self.end("close", "1", status=255, err="upcrun (descriptor 30)")
            # The message comes from the thread that notices first.
            self.assertRegex(err, r"cannot (write 16 bytes to|read from) upcrun \(descriptor 30\): Bad file descriptor")
        self.end("exec-sleep", "1", status=1, err="has left the job without ending")

    def test_does_not_join(self):
        script = self.script(f'#!/bin/sh\ncase $UPCR_JOB in *rank=1,*) exit $1;; esac\nexec {MEMBER} wait\n')
        _, err = self.run_job("-n", "3", script, "0", status=1, err="UPC thread 1 (rank 1, pid ")
        self.assertIn("ended with status 0 without joining the job, which", err)
        self.run_job("-n", "3", script, "6", status=6, err="ended with status 6 without joining")

    def test_different_collectives(self):
        self.end("wrong-collective", "1", status=1, err="takes part in another collective than the others")


class Scripts(Case):
    def wrapper(self, line, shell="sh"):
        return self.script(f"#!/usr/bin/env {shell}\n{line}\n")

    def test_around_the_program(self):
        for line in f'exec {MEMBER} "$@"', f'{MEMBER} "$@"', f'{MEMBER} "$@"; s=$?; :; exit $s':
            with self.subTest(line):
                script = self.wrapper(line)
                self.run_job("-n", "3", script, "collectives")
                self.run_job("-n", "3", script, "status", "0", "1", status=12)
                self.run_job("-n", "3", script, "global-exit", "1", "7", status=7)
                self.run_job("-n", "3", script, "signal", "1", "9", status=137, err="was killed by signal 9 (Killed)")
                self.run_job("-n", "3", script, "_exit", "1", "3", status=3, err="ended with status 3 in the middle")

    def test_that_hides_the_status(self):
        script = self.wrapper(f'{MEMBER} "$@"; exit 0')
        self.run_job("-n", "2", script, "signal", "1", "9", status=1, err="UPC thread 1 (rank 1, pid ")

    def test_that_continues_after_the_program(self):
        script = self.wrapper(f'{MEMBER} "$@"; sleep 1000')
        self.run_job("-n", "2", script, "signal", "1", "9", status=1,
                     err="died, and the script that started it gave no reason")
        self.run_job("-n", "2", script, "global-exit", "1", "5", status=5)

    def test_that_ignores_signals(self):
        script = self.wrapper(f'trap "" TERM INT; {MEMBER} "$@"; sleep 1000; sleep 1000')
        self.run_job("-n", "2", script, "global-exit", "1", "5", status=5, err=None)

    def test_that_exits_first(self):
        self.run_job("-n", "2", self.wrapper(f'{MEMBER} collectives & sleep 0.2; exit 0'), err=None)

    def test_two_programs(self):
        self.run_job("-n", "3", self.wrapper(f"{MEMBER} collectives && {MEMBER} collectives"))

    def test_that_closes_descriptors(self):
        self.run_job("-n", "2", self.wrapper(f'exec 30>&-; exec {MEMBER} collectives', "bash"), status=255,
                     err="cannot reach upcrun: descriptor 30 is closed")

    def test_background_processes_are_ended(self):
        self.run_job("-n", "2", self.wrapper("sleep 1000 & (setsid sleep 1000 &) ; exit 0"))
        self.run_job("-n", "2", self.wrapper('trap "" TERM; (trap "" TERM HUP; sleep 1000; sleep 1000) & exit 3'),
                     status=3)

    def test_job_in_a_job(self):
        out, _ = self.run_job("-n", "2", UPCRUN, "-n", "2", MEMBER, "shape")
        self.assertEqual(len(out.splitlines()), 4)


class SmallStack(Case):
    """ulimit -s 64: upcrun and the library must work with a small stack."""

    def test_job(self):
        if SANITIZED:
            self.skipTest("sanitizers need a larger stack")
        limit = dict(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (64 * 1024, 64 * 1024)))
        self.run_job("-n", "3", MEMBER, "collectives", **limit)
        text = b"".join(b"line %d\n" % i for i in range(20_000))
        self.run_job("-n", "2", "cat", input=text, out=text.decode(), **limit)
        out, _ = self.run_job("-n", "2", MEMBER, "buffered", "1", "3", status=3, **limit)
        self.assertEqual(sorted(out.splitlines()), [f"buffered line of {i}" for i in range(2)])


class Timeout(Case):
    def test_not_reached(self):
        self.run_job("-n", "2", "--timeout", "60", MEMBER, "collectives")

    def test_reports_the_state_of_all(self):
        _, err = self.run_job("-n", "3", "--timeout", "1", MEMBER, "late", "1", status=124,
                              err="upcrun: --timeout: the job has not ended within 1 s")
        self.assertRegex(err, r"UPC thread 0 \(rank 0, pid \d+(, host [^)]+)?\) waits for the others in start-up step 2")
        self.assertRegex(err, r"UPC thread 1 \(rank 1, pid \d+(, host [^)]+)?\) is running")
        _, err = self.run_job("-n", "2", "--timeout", "0.5", "sleep", "1000", status=124, err="within 0.5 s")
        self.assertRegex(err, r"process 1 \(pid \d+(, host [^)]+)?\) has not joined the job")


if __name__ == "__main__":
    main()
