# SPDX-License-Identifier: BSD-3-Clause
"""Errors: one report a job, the others' as a count; on a terminal the cause in the first line, values, cure and process in
lines of their own, in colour where NO_COLOR is not set."""
import os
import pty
import re
import subprocess
import tempfile
import unittest

from support import UPCRUN, compile_upc, lines_of

THREADS = 4


class Errors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.program = compile_upc(cls.temporary.name, "failing.upc", "-g")
        cls.lines = lines_of("failing.upc")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def environment(self, env):
        names = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}
        return {**names, "TERM": "xterm", **env}

    def piped(self, *words, **env):
        done = subprocess.run([UPCRUN, "-n", str(THREADS), "--timeout", "100", self.program, *words], capture_output=True,
                              text=True, check=False, env=self.environment(env))
        self.assertNotEqual(done.returncode, 0)
        return done.stderr

    def on_terminal(self, *words, command=None, **env):
        """What upcrun writes to a terminal."""
        master, slave = pty.openpty()
        with subprocess.Popen(command or [UPCRUN, "-n", str(THREADS), "--timeout", "100", self.program, *words], stdin=slave,
                              stdout=slave, stderr=slave, env=self.environment(env)) as job:
            os.close(slave)
            text = b""
            try:
                while more := os.read(master, 4096):
                    text += more
            except OSError:  # the other end is closed
                pass
            job.wait()
        os.close(master)
        return text.decode().replace("\r\n", "\n")

    def test_one_report(self):
        for how, cause in ("crash", "SIGSEGV"), ("free", "upc_free: .* points to memory that is free"):
            with self.subTest(how):
                err = self.piped(how)
                self.assertEqual(len(re.findall(rf"(?m)^UPC Runtime error: {cause}", err)), 1, err)
                count = re.findall(r"(?m)\] ([0-9]+) other process(?:es report| reports) an error as well", err)
                self.assertLessEqual(len(count), 1, err)
                for number in map(int, count):  # a process that came too late is none
                    self.assertLess(number, THREADS)
        self.assertRegex(self.piped("crash"), rf"user_main.*failing.upc:{self.lines['crash']}")

    def test_all_reports(self):
        """Each process that fails before the job ends; a barrier makes them fail together."""
        for _ in range(20):
            err = self.piped("crash", UPCR_ALL_ERRORS="yes")
            self.assertNotIn("as well", err)
            if err.count("UPC Runtime error: SIGSEGV") > 1:
                return
        self.fail(err)

    def test_others_are_counted(self):
        for _ in range(20):
            err = self.piped("crash")
            if re.search(r"[1-3] other process", err):
                return
        self.fail(err)

    def test_pipe_has_one_line(self):
        err = self.piped("crash")
        self.assertRegex(err, r"(?m)^UPC Runtime error: SIGSEGV \(invalid memory access\) at address 0x0: nothing is mapped "
                              r"there \(UPC thread \d of 4, rank \d, .*pid \d+\)$")
        self.assertNotIn("\x1b", err)

    def test_terminal(self):
        """Through upcrun, whose standard error is the terminal."""
        self.assertRegex(self.on_terminal("crash"),
                         r"(?m)^\x1b\[1;31mUPC Runtime error: \x1b\[0m\x1b\[1mSIGSEGV \(invalid memory access\) at address 0x0"
                         r"\x1b\[0m\n  nothing is mapped there\n  in UPC thread \d of 4, rank \d, .*pid \d+\n")

    def test_terminal_without_colour(self):
        for env in {"NO_COLOR": "1"}, {"TERM": "dumb"}:
            text = self.on_terminal(UPC_SHARED_HEAP_SIZE="9999999GB", **env)
            self.assertNotIn("\x1b", text.split("was killed by")[0])
            self.assertRegex(text, r"(?m)^UPC Runtime error: .*\n  in .*pid \d+\n", text)

    def test_cure_has_a_line(self):
        text = self.on_terminal(UPCR_TRACE_KINDS="barier", UPCR_TRACE="t.json", NO_COLOR="1")
        self.assertRegex(text, r"(?m)^UPC Runtime error: UPCR_TRACE_KINDS=barier: 'barier' is no kind of operation\n"
                               r"  these are get, put, .*\n  in ", text)

    def test_mistakes_in_settings(self):
        """They have no backtrace: of the library, and of a conduit's module (a device that there is not; or no module)."""
        for setting in ({"UPCR_TRACE": "t.json", "UPCR_TRACE_KINDS": "barier"},
                        {"UPCR_CONDUIT": "ibv", "UPCR_IBV_PORTS": "no0:1"}):
            err = self.piped(**setting)
            self.assertRegex(err, r"(?m)^UPC Runtime error: ")
            self.assertNotRegex(err, r"\] #\d")

    def test_a_process_alone(self):
        text = self.on_terminal(command=[self.program, "crash"])
        self.assertRegex(text, r"UPC Runtime error: .*SIGSEGV.*\n  nothing is mapped there\n  in UPC thread 0 of 1")


if __name__ == "__main__":
    unittest.main()
