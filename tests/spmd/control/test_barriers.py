# SPDX-License-Identifier: BSD-3-Clause
"""Barriers: right use over all shapes of jobs (checked by the program), wrong use named by value and thread."""
import shutil

from control import DEBUG, ControlCase, main, program, threads


class Barriers(ControlCase):
    def test_right_use(self):
        for n, pthreads, env in [(1, 1, {}), (2, 1, {}), (3, 1, {}), (5, 1, {}), (4, 2, {}), (4, 4, {}),
                                 (16, 1, {}), (16, 8, {}), (3, 1, {"UPCR_PSHM": "no"}),
                                 (4, 2, {"UPCR_PSHM": "no"})]:
            with self.subTest(n=n, pthreads=pthreads, env=env):
                folders = self.folders(3)
                self.run_job(*threads(n, pthreads), program("barriers"), "right", *folders, env=env)
                for folder in folders:
                    shutil.rmtree(folder)

    def wrong(self, how, *parts, n=3, pthreads=1, env={}):
        with self.subTest(how, pthreads=pthreads, env=env):
            _, err = self.run_job(*threads(n, pthreads), program("barriers"), how, status=255, err=None, env=env)
            for part in parts:
                self.assertIn(part, err)
            if DEBUG:
                self.assertIn("at barriers.upc:7", err)
        return err

    def test_mismatch(self):
        for n, pthreads, env in [(3, 1, {}), (4, 2, {}), (3, 1, {"UPCR_PSHM": "no"})]:
            for how, part in [("mismatch", "thread 0 is in barrier 30, thread 1 in barrier 40"),
                              ("mismatch_unnamed", "thread 0 is in an unnamed barrier, thread 1 in an anonymous")]:
                err = self.wrong(how, "barrier mismatch detected by thread 0: " + part, n=n, pthreads=pthreads,
                                 env=env)
                self.one_error(err)
        self.wrong("mismatch_own", "barrier mismatch detected by thread ", "it notified barrier 30",
                   "waits for barrier 31")

    def test_mismatch_as_a_warning(self):
        for n, pthreads in [(3, 1), (4, 2)]:
            self.run_job(*threads(n, pthreads), program("barriers"), "mismatch", err=None, env={
                "UPC_BARRIER_MISMATCH_WARNS": "yes"})
            _, err = self.run_job(*threads(n, pthreads), program("barriers"), "mismatch",
                                  env={"UPC_BARRIER_MISMATCH_WARNS": "yes"}, err="UPC Runtime warning: barrier")
            self.assertEqual(err.count("\n"), 1, err)

    def test_collective_without_thread_0(self):
        for n, pthreads, env in [(2, 1, {}), (4, 2, {}), (3, 1, {"UPCR_PSHM": "no"})]:
            with self.subTest(n=n, pthreads=pthreads, env=env):
                _, err = self.run_job(*threads(n, pthreads), program("barriers"), "lonely", status=255, err=None,
                                      env=env)
                self.assertIn("UPC thread 1 is in a collective call", err)
                self.assertIn("thread 0 has ended its program", err)

    def test_misorder(self):
        self.wrong("wait_first", "misordered call to barrier wait")
        self.wrong("try_first", "misordered call to barrier try_wait")
        self.wrong("notify_twice", "misordered call to barrier notify: barrier 1 ")
        self.wrong("barrier_inside", "misordered call to barrier: barrier 1 ", pthreads=3)


main()
