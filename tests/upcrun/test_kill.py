# SPDX-License-Identifier: BSD-3-Clause
"""Signals and SIGKILL, to upcrun as well: the whole job ends and nothing is left."""
import ctypes
import os
import pty
import re
import select
import signal
import subprocess
import uuid

from support import MARK, MEMBER, UPCRUN, Case, kill, main, processes_with, wait_for


HANDLES = """trap 'echo first' USR1; trap 'echo second; exit 0' USR2; echo ready; while :; do sleep 0.05; done"""
COUNTS = """trap 'exit 0' USR1; while :; do echo tick $UPCR_RANK; sleep 0.05; done"""


def state(pid):
    """T: stopped; nothing: the process has ended."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            return f.read().rsplit(")", 1)[1].split()[0]
    except OSError:
        return ""


class Signals(Case):
    def test_to_upcrun(self):
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            with self.start_job("-n", "4", MEMBER, "wait") as job:
                job.wait_for_output("ready", 4)
                job.process.send_signal(number)
                self.assertEqual(job.wait(20), -number)
                self.assertIn(f"upcrun: signal {int(number)} (", job.stderr())
                self.assertEqual(processes_with(job.mark), [])

    def test_passed_on(self):
        """SIGUSR1 and SIGUSR2 reach the programs, which may handle them; batch systems send them before a time limit."""
        with self.start_job("-n", "3", "sh", "-c", HANDLES) as job:
            job.wait_for_output("ready", 3)
            job.process.send_signal(signal.SIGUSR1)
            job.wait_for_output("first", 3)
            job.process.send_signal(signal.SIGUSR2)
            self.assertEqual(job.wait(20), 0, job.stderr())
            self.assertEqual(job.stdout().count("second"), 3)
        for number in signal.SIGUSR1, signal.SIGUSR2:
            with self.start_job("-n", "2", MEMBER, "wait") as job:
                job.wait_for_output("ready", 2)
                job.process.send_signal(number)
                self.assertEqual(job.wait(20), -number)
                self.assertRegex(job.stderr(), rf"was killed by signal {int(number)} \({number.name}")

    def test_stopped_and_continued(self):
        with self.start_job("-n", "2", "sh", "-c", COUNTS) as job:
            for rank in "01":  # one that has not executed its program yet would be stopped as upcrun's child
                job.wait_for_output(f"tick {rank}", 1)
            job.process.send_signal(signal.SIGTSTP)
            pid, status = os.waitpid(job.process.pid, os.WUNTRACED)
            self.assertTrue(pid == job.process.pid and os.WIFSTOPPED(status), status)
            programs = job.processes()[2]
            wait_for("stopped programs", lambda: [state(p) for p in programs].count("T") == 2)
            job.process.send_signal(signal.SIGCONT)
            count = job.stdout().count("tick")
            job.wait_for_output("tick", count + 4)
            job.process.send_signal(signal.SIGUSR1)
            self.assertEqual(job.wait(20), 0, job.stderr())

    def test_control_c(self):
        # The terminal sends it to the whole process group.
        with self.start_job("-n", "4", MEMBER, "wait", start_new_session=True) as job:
            job.wait_for_output("ready", 4)
            os.killpg(job.process.pid, signal.SIGINT)
            self.assertEqual(job.wait(20), -signal.SIGINT)
            self.assertEqual(job.stderr(), "upcrun: signal 2 (Interrupt); the job ends\n")
            self.assertEqual(processes_with(job.mark), [])

    def test_to_upcrun_before_any_process_has_joined(self):
        with self.start_job("-n", "4", "sh", "-c", "trap '' TERM; echo ready; sleep 1000; sleep 1000") as job:
            job.wait_for_output("ready", 4)
            job.process.terminate()
            self.assertEqual(job.wait(20), -signal.SIGTERM)
            self.assertEqual(processes_with(job.mark), [])

    def test_ignored_hangup_stays_ignored(self):
        with self.start_job("-n", "2", "sh", "-c", "echo ready; read x", stdin=subprocess.PIPE,
                 preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as job:
            job.wait_for_output("ready", 2)
            job.process.send_signal(signal.SIGHUP)
            job.process.stdin.write(b"go on\n")
            job.process.stdin.close()
            self.assertEqual(job.wait(), 1)  # of the rank that found no input
            self.assertEqual(job.stderr(), "")

    def test_programs_get_usual_signals(self):
        show = ["sh", "-c", "grep -E 'Sig(Blk|Ign)' /proc/self/status"]
        plain = subprocess.run(show, capture_output=True, text=True, check=True).stdout
        self.run_job("-n", "1", *show, out=plain)

    def test_buffered_output_appears(self):
        with self.start_job("-n", "3", MEMBER, "unflushed") as job:
            job.wait_for_output("ready", 3)
            job.process.terminate()
            self.assertEqual(job.wait(20), -signal.SIGTERM)
            self.assertEqual(sorted(job.stdout().split("\n")).count("unflushed"), 3)


class Terminal(Case):
    """upcrun in the foreground of a terminal of its own."""

    def start(self, *program):
        mark = uuid.uuid4().hex
        pid, terminal = pty.fork()
        if pid == 0:
            os.execvpe(UPCRUN, [UPCRUN, "-n", "3", *program], {**os.environ, MARK: mark})
        return pid, terminal, mark

    def read_until(self, terminal, text, count):
        seen = ""
        while seen.count(text) < count:
            self.assertTrue(select.select([terminal], [], [], 60)[0], f"only: {seen!r}")
            seen += os.read(terminal, 4096).decode()
        return seen

    def finish(self, pid, terminal, mark):
        wait_for("nothing left of the job", lambda: not [p for p in processes_with(mark) if p != pid])
        status = os.waitpid(pid, 0)[1]
        os.close(terminal)
        return status

    def test_input(self):
        pid, terminal, mark = self.start("sh", "-c", "if read x; then echo got $x; fi")
        os.write(terminal, b"some words\n")
        self.read_until(terminal, "got some words", 1)
        self.assertEqual(self.finish(pid, terminal, mark), 0)

    def test_control_c(self):
        pid, terminal, mark = self.start(MEMBER, "wait")
        self.read_until(terminal, "ready", 3)
        os.write(terminal, b"\x03")
        seen = self.read_until(terminal, "the job ends", 1)
        self.assertIn("upcrun: signal 2 (Interrupt)", re.sub("\x1b\\[[0-9;]*m", "", seen))  # it is in colour
        status = self.finish(pid, terminal, mark)
        self.assertTrue(os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGINT, status)

    def test_terminal_is_closed(self):
        pid, terminal, mark = self.start(MEMBER, "wait")
        self.read_until(terminal, "ready", 3)
        os.close(terminal)  # sends SIGHUP
        wait_for("nothing left of the job", lambda: not [p for p in processes_with(mark) if p != pid])
        self.assertNotEqual(os.waitpid(pid, 0)[1], 0)


class Kill(Case):
    def ready(self, *program, n=4):
        job = self.start_job("-n", str(n), *program)
        job.wait_for_output("ready", n)
        return job

    def test_worker(self):
        with self.ready(MEMBER, "wait") as job:
            _, _, workers = job.processes()
            self.assertEqual(len(workers), 4)
            os.kill(workers[2], signal.SIGKILL)
            self.assertEqual(job.wait(20), 137)
            self.assertRegex(job.stderr(), rf"pid {workers[2]}(, host [^)]+)?\) was killed by signal 9 \(Killed\)")
            self.assertEqual(processes_with(job.mark), [])

    def test_several_workers(self):
        with self.ready(MEMBER, "wait") as job:
            for pid in job.processes()[2][1:]:
                kill(pid)  # unless upcrun has ended it already
            self.assertEqual(job.wait(20), 137)
            self.assertEqual(job.stderr().count("\n"), 1)  # only the first one is reported

    def test_stopped_worker(self):
        with self.ready(MEMBER, "wait") as job:
            workers = job.processes()[2]
            os.kill(workers[1], signal.SIGSTOP)
            os.kill(workers[2], signal.SIGKILL)
            self.assertEqual(job.wait(20), 137)
            self.assertEqual(processes_with(job.mark), [])

    def kill_upcrun(self, *program, which, n=4):
        with self.ready(*program, n=n) as job:
            guard, launcher, _ = job.processes()
            for pid in {"guard": [guard], "launcher": [launcher], "both": [guard, launcher]}[which]:
                os.kill(pid, signal.SIGKILL)
            job.wait_until_gone()
            return job.wait(), job.stderr()

    def test_upcrun(self):
        for which in "guard", "launcher", "both":
            with self.subTest(which):
                status, err = self.kill_upcrun(MEMBER, "wait", which=which)
                self.assertEqual(status, 137 if which == "launcher" else -9)
                if which == "launcher":
                    self.assertIn("was killed by signal 9 (Killed)", err)

    def test_upcrun_of_ordinary_programs(self):
        script = self.script("#!/bin/sh\ntrap '' TERM HUP INT\n(trap '' TERM HUP INT; sleep 1000; sleep 1000) &\n"
                             "echo ready\nsleep 1000\nsleep 1000\n")
        for which in "guard", "launcher":
            with self.subTest(which):
                self.kill_upcrun(script, which=which)

    def test_upcrun_of_wrapped_programs(self):
        script = self.script(f"#!/bin/sh\n{MEMBER} wait\n")
        for which in "guard", "launcher", "both":
            with self.subTest(which):
                self.kill_upcrun(script, which=which)

    def test_upcrun_while_a_flush_would_block(self):
        for which in "guard", "launcher", "both":
            with self.subTest(which):
                self.kill_upcrun(MEMBER, "hold-stdio", which=which)

    def test_files_are_flushed_when_upcrun_dies(self):
        path = os.path.join(self.folder, "file")
        for which in "guard", "launcher", "both":
            with self.subTest(which):
                self.kill_upcrun(MEMBER, "file", "0", "0", path, which=which, n=1)
                with open(path) as f:
                    self.assertEqual(f.read(), "not flushed\n")


class Unkillable(Case):
    """A process that the kernel does not end, because its tracer stops it just before its exit."""
    PTRACE_CONT, PTRACE_SEIZE, PTRACE_O_TRACEEXIT = 7, 0x4206, 1 << 6

    def ptrace(self, request, pid, data):
        call = ctypes.CDLL(None, use_errno=True).ptrace
        call.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
        call.restype = ctypes.c_long
        if call(request, pid, None, data) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def hold(self, pid):
        try:
            self.ptrace(self.PTRACE_SEIZE, pid, self.PTRACE_O_TRACEEXIT)
        except PermissionError as error:
            self.skipTest(f"no process may be traced here: {error}")

    def release(self, pid):
        os.waitpid(pid, 0)  # the stop
        self.ptrace(self.PTRACE_CONT, pid, None)
        os.waitpid(pid, 0)

    def check(self, job, held, status):
        self.assertEqual(job.wait(60), status)
        self.assertRegex(job.stderr(), rf"(?m)^upcrun: (host \S+: )?pid {held} \(upcrun_member\), state t "
                         r"\(stopped by a debugger\)(, in [\w.]+)?, was killed, but the kernel has not ended it")
        self.assertEqual(processes_with(job.mark), [held])

    def test_is_reported_and_left(self):
        with self.start_job("-n", "2", MEMBER, "wait") as ends, self.start_job("-n", "2", MEMBER, "wait") as dies:
            held = {}
            for job in ends, dies:
                job.wait_for_output("ready", 2)
                guard, launcher, (worker, held[job]) = job.processes()
                self.hold(held[job])
                os.kill(worker if job is ends else launcher, signal.SIGKILL)
            try:
                self.check(ends, held[ends], 137)
                self.check(dies, held[dies], 137)
            finally:
                for pid in held.values():
                    self.release(pid)


if __name__ == "__main__":
    main()
