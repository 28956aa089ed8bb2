# SPDX-License-Identifier: BSD-3-Clause
"""C that reaches UPC without upcr.h: bupc_extern.h and bupc_tentative.h."""
import os

from control import PROGRAMS, ControlCase, main, program, threads

SHAPES = [(1, 1, {}), (3, 1, {}), (4, 2, {}), (3, 1, {"UPCR_PSHM": "no"})]


class Extern(ControlCase):
    def test_right_use(self):
        for n, pthreads, env in SHAPES:
            with self.subTest(n=n, pthreads=pthreads, env=env):
                self.run_job(*threads(n, pthreads), program("extern_client"), env=env, out="extern works\n")

    def test_too_early(self):
        for how, name in [("too_early", "bupc_extern_mythread"), ("too_early_threads", "bupc_extern_threads")]:
            self.run_program(program("extern_client"), how, status=255,
                             err=f"UPC Runtime error: {name} called before UPC runtime initialized")

    def test_wrong_use(self):
        for how, part in [("free_unknown", "is not in any UPC thread's shared memory"),
                          ("free_wrong_thread", "belongs to UPC thread 0, not 1"),
                          ("mismatch", "barrier mismatch detected by thread ")]:
            self.run_job(*threads(2), program("extern_client"), how, status=255, err=part)

    def test_tentative(self):
        for n, pthreads, env in SHAPES:
            with self.subTest(n=n, pthreads=pthreads, env=env):
                self.run_job(*threads(n, pthreads), program("tentative"), env=env, out=f"with {n} threads\n")
        self.run_program(os.path.join(PROGRAMS, "control_tentative_without"), out="without\n")


main()
