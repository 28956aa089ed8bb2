# SPDX-License-Identifier: BSD-3-Clause
"""What a thread reports while another one ends the process decides the status, whichever end it is."""
import time

from control import ControlCase, main, program
from support import Job

ERRORS = {"crash": (139, "SIGSEGV (invalid memory access) at address 0x10"), "error": (255, "the last error")}
ENDS = ["return", "upcr_exit", "exit", "global", "atexit"]
SHAPES = [["-n", "1"], ["-n", "2"], ["-n", "2", "--pthreads", "2"]]
RACES = 20
PATIENCE = 120  # seconds until one error is reported


class LastError(ControlCase):
    def test_ends(self):
        for error, (status, said) in ERRORS.items():
            for end in ENDS:
                for shape in SHAPES:
                    with self.subTest(error=error, end=end, shape=shape):
                        self.run_job(*shape, program("last_error"), error, end, status=status, err=said)

    def test_in_another_process(self):
        for error, (status, said) in ERRORS.items():
            self.run_job("-n", "2", program("last_error"), error, "elsewhere", status=status, err=said)

    def test_without_upcrun(self):
        for error, (status, said) in ERRORS.items():
            for end in ENDS:
                with self.subTest(error=error, end=end):
                    with Job(program("last_error"), error, end) as job:
                        self.assertEqual(job.wait(), -11 if status == 139 else status, job.stderr())
                        job.wait_until_gone()  # another process passes on what was said
                        self.assertIn(said, job.stderr())

    def test_no_error(self):
        for end in ENDS:
            self.run_job("-n", "2", program("last_error"), "none", end)

    def test_races(self):
        # Reported with its status, or not at all; but not never.
        for end in "return", "global", "atexit":
            with self.subTest(end=end):
                reported, rounds, until = 0, 0, time.monotonic() + PATIENCE
                while rounds < RACES or reported == 0:
                    if reported == 0:
                        self.assertLess(time.monotonic(), until, f"0 of {rounds} errors were reported")
                    with Job(program("last_error"), "crash", end, "race") as job:
                        status = job.wait()
                        said = "SIGSEGV" in job.stderr()
                        self.assertEqual(status, -11 if said else 0, job.stderr())
                        reported += said
                    rounds += 1


main()
