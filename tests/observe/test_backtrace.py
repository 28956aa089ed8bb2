# SPDX-License-Identifier: BSD-3-Clause
"""Backtraces of UPC programs: lines of the source, of inlined functions too, down to the program's main."""
import os
import subprocess
import tempfile
import unittest

from support import UPCRUN, compile_upc, lines_of


class Backtrace(unittest.TestCase):
    def frames(self, *arguments, env=None, options=("-g", "-O2")):
        """What the lines of the backtrace say, from "#0" on, and all of stderr."""
        with tempfile.TemporaryDirectory() as folder:
            program = compile_upc(folder, "crashing.upc", *options)
            done = subprocess.run([UPCRUN, "-n", "2", "--timeout", "100", program, *arguments], capture_output=True,
                                  text=True, check=False, env={**os.environ, **(env or {})})
        self.assertNotEqual(done.returncode, 0)
        return [line.partition("] ")[2] for line in done.stderr.splitlines() if "] #" in line], done.stderr

    def test_crash_in_an_inlined_function(self):
        lines = lines_of("crashing.upc")
        frames, err = self.frames()
        self.assertEqual(len(frames), 3, err)
        self.assertRegex(frames[0], rf"^#0 read_value at .*crashing.upc:{lines['read']} \(inlined\)$")
        self.assertRegex(frames[1], rf"^#1 value_of at .*crashing.upc:{lines['call']} \(inlined\)$")
        self.assertRegex(frames[2], rf"^#2 user_main\+0x[0-9a-f]+ at .*crashing.upc:{lines['main']} \(.*crashing 0x")

    def test_small_program(self):
        """Its debug information names one file."""
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "small.upc"), "w", encoding="utf-8") as source:
                source.write("#include <upc.h>\nint main(void) {\n    upc_barrier;\n    *(volatile int *)8 = MYTHREAD;\n}\n")
            for options in ["-g"], ["-g1", "-O2"], ["-g", "-O2"]:
                subprocess.run([os.environ["UPCC"], *options, "-o", "small", "small.upc"], check=True, cwd=folder)
                done = subprocess.run([UPCRUN, "-n", "2", "--timeout", "100", "./small"], capture_output=True, text=True,
                                      check=False, cwd=folder)
                self.assertRegex(done.stderr, r"(?m)#0 user_main\+0x[0-9a-f]+ at (\S*/)?small.upc:4 \(")

    def test_error_of_the_runtime(self):
        frames, err = self.frames("missing")
        self.assertIn("barrier mismatch", err)
        self.assertRegex(frames[-1], rf"user_main\+0x[0-9a-f]+ at .*crashing.upc:{lines_of('crashing.upc')['barrier']} ")
        self.assertTrue(any("upcr_barrier" in frame or "upcr_wait" in frame for frame in frames), err)

    def test_frames_of_the_runtime_are_folded(self):
        frames, err = self.frames("missing")
        self.assertRegex(frames[0], r"^#0 (to #[0-9]+ )?inside the runtime \(UPCR_BACKTRACE_RUNTIME=yes shows them\)$", err)
        self.assertRegex(frames[1], r"^#[0-9]+ upcr_(barrier|wait)\+0x")
        self.assertNotIn("upcr/barrier", "\n".join(frames[2:]))
        whole, err = self.frames("missing", env={"UPCR_BACKTRACE_RUNTIME": "yes"})
        self.assertIn("check_barrier", whole[0], err)
        self.assertGreater(len(whole), len(frames))

    def test_frames_of_the_runtime_are_folded_in_a_crash(self):
        copied, messages = {"UPCR_PSHM": "no"}, ("-O2",)
        frames, err = self.frames("copy", env=copied, options=messages)
        self.assertIn("SIGSEGV", err)
        self.assertRegex(frames[0], r"^#0 (to #[0-9]+ )?inside the runtime \(UPCR_BACKTRACE_RUNTIME=yes shows them\)$", err)
        self.assertRegex(frames[1], r"^#[0-9]+ upcri?(_|::)\w+\+0x", err)  # what the program called, or called last
        self.assertRegex(frames[2], r"^#[0-9]+ user_main", err)
        self.assertEqual(len(frames), 3, err)
        whole, err = self.frames("copy", env={**copied, "UPCR_BACKTRACE_RUNTIME": "yes"}, options=messages)
        self.assertGreater(len(whole), len(frames), err)

    def test_frames_of_an_inlined_access_are_folded(self):
        """Only the access and the program's line are left, compiled for --stats or not."""
        line = lines_of("crashing.upc")["shared"]
        for options in ["-O2", "-Wc,-g"], ["-O2", "-Wc,-g", "--stats"]:
            frames, err = self.frames("shared", options=options)
            self.assertIn("null pointer-to-shared", err)
            self.assertRegex(frames[0], r"^#0 (to #[0-9]+ )?inside the runtime \(UPCR_BACKTRACE_RUNTIME=yes shows them\)$", err)
            self.assertRegex(frames[1], r"^#[0-9]+ upcr_get_\w+ at .* \(inlined\)$", err)
            self.assertRegex(frames[2], rf"^#[0-9]+ user_main\+0x[0-9a-f]+ at .*crashing.upc:{line} ", err)
            self.assertEqual(len(frames), 3, err)
            whole, err = self.frames("shared", options=options, env={"UPCR_BACKTRACE_RUNTIME": "yes"})
            self.assertTrue(any("upcri_" in frame for frame in whole), err)

    def test_call_of_nothing(self):
        """No frame says where it was called; none of the runtime's own is taken for that."""
        frames, err = self.frames("call")
        self.assertIn("SIGSEGV", err)
        self.assertNotIn("inside the runtime", err)

    def test_mistake_in_a_variable(self):
        for variable, value in ("UPC_SHARED_HEAP_SIZE", "12Q"), ("UPCR_CONDUIT", "none"):
            with self.subTest(variable):
                frames, err = self.frames(env={variable: value})
                self.assertIn(value, err)
                self.assertEqual(frames, [], err)


if __name__ == "__main__":
    unittest.main()
