# SPDX-License-Identifier: BSD-3-Clause
"""Start-up: hooks and regions (checked by the programs), threads and processes, sizes, wrong settings."""
import os
import re

from control import DEBUG, ControlCase, main, program, threads

MB = 1 << 20
ENV, REQUIRE, WARN = 1, 2, 4  # UPCR_ATTACH_


class Start(ControlCase):
    def start(self, n, pthreads, *arguments, **more):
        return self.run_job(*threads(n, pthreads), program("start"), *map(str, arguments), **more)

    def check_threads(self, out, n, pthreads):
        nodes = -(-n // pthreads)
        want = [f"thread {i}/{n} node {i // pthreads}/{nodes} pthread {i % pthreads}" for i in range(n)]
        self.assertEqual([line for line in out.splitlines() if line.startswith("thread")], want)

    def got(self, out):
        return int(re.search(r"got (\d+)", out).group(1))

    def test_numbers_of_threads(self):
        for n, pthreads in [(1, 1), (2, 1), (3, 1), (5, 1), (16, 1), (2, 2), (5, 2), (16, 8)]:
            with self.subTest(n=n, pthreads=pthreads):
                out, _ = self.start(n, pthreads, 4 * MB, 0, 0)
                self.check_threads(out, n, pthreads)
                self.assertEqual(self.got(out), 4 * MB * min(n, pthreads))

    def test_without_bypass(self):
        for n, pthreads in [(3, 1), (4, 2)]:
            for env in {"UPCR_PSHM": "no"}, {"UPCR_NODE_SIZE": "2"}:
                out, _ = self.start(n, pthreads, 4 * MB, 0, 5000, env=env)
                self.check_threads(out, n, pthreads)

    def test_without_upcrun(self):
        start = [program("start"), str(MB), "0", "0"]
        for env, n, pthreads in [({}, 1, 1), ({"UPCR_THREADS": "3"}, 3, 1), ({"UPCR_PTHREADS": "3"}, 3, 3),
                                 ({"UPCR_THREADS": "3", "UPCR_PTHREADS": "2"}, 3, 2),
                                 ({"UPCR_THREADS": "1"}, 1, 1)]:
            with self.subTest(env):
                out, _ = self.run_program(*start, env=env)
                self.check_threads(out, n, pthreads)
        # The program's own choice of pthreads takes effect if the user makes none.
        out, _ = self.run_program(*start, "0", "4")
        self.check_threads(out, 4, 4)
        out, _ = self.run_program(*start, "0", "4", env={"UPCR_THREADS": "1"})
        self.check_threads(out, 1, 1)

    def test_wrong_numbers(self):
        for n, pthreads in [(4, 1), (4, 2)]:
            _, err = self.start(n, pthreads, 0, 0, 0, 3, status=255, err=None)
            self.one_error(err, "compiled for 3 UPC threads, but the job has 4; start it with upcrun -n 3")
        self.start(3, 1, 0, 0, 0, 3)
        start = [program("start"), str(MB), "0", "0"]
        for env, part in [({"UPCR_THREADS": "0"}, "UPCR_THREADS=0: expected a"),
                          ({"UPCR_THREADS": "-1"}, "UPCR_THREADS=-1: expected a"),
                          ({"UPCR_PTHREADS": "257"}, "UPCR_PTHREADS=257: expected a"),
                          ({"UPCR_PTHREADS": "two"}, "UPCR_PTHREADS=two: expected a")]:
            with self.subTest(env):
                self.run_program(*start, env=env, status=255, err=part)
        self.run_program(*start, "0", "300", status=255, err="300 UPC threads per process are requested, but 256")
        self.run_program(*start, "2", status=255, err="compiled for 2 UPC threads, but the job has 1")

    def test_sizes(self):
        for words, env, want in [
            ((0, 0, 0), {}, 64 * MB),
            ((0, ENV, 0), {}, 64 * MB),
            ((0, ENV, 0), {"UPC_SHARED_HEAP_SIZE": "8MB"}, 8 * MB),
            ((32 * MB, ENV, 0), {"UPC_SHARED_HEAP_SIZE": "8M"}, 8 * MB),
            ((32 * MB, ENV, 0), {"UPC_SHARED_HEAP_SIZE": "1048576B"}, MB),
            ((32 * MB, ENV, 0), {"UPC_SHARED_HEAP_SIZE": "1050000B"}, MB),  # whole pages
            ((32 * MB, ENV, 0), {"UPC_SHARED_HEAP_SIZE": "8"}, 8 * MB),  # megabytes
            ((32 * MB, ENV, 0), {"UPC_SHARED_HEAP_SIZE": "1GB"}, 1024 * MB),
            ((32 * MB, 0, 0), {"UPC_SHARED_HEAP_SIZE": "8MB"}, 32 * MB),  # not allowed to override
            ((32 * MB, ENV, 0), {"UPC_SHARED_HEAP_OFFSET": "256MB", "UPC_POLITE_SYNC": "1"}, 32 * MB),
        ]:
            with self.subTest(words, env=env):
                out, _ = self.start(2, 1, *words, env=env)
                self.assertEqual(self.got(out), want)

    def test_more_than_there_is(self):
        huge = {"UPC_SHARED_HEAP_SIZE": "900TB"}
        short = "900 TiB of shared memory is requested for each"
        out, _ = self.start(2, 1, 0, ENV, 0, env=huge)
        self.assertLess(self.got(out), 1 << 44)
        for flags, more in [(ENV | WARN, {}), (ENV, {"UPC_SIZE_WARN": "yes"})]:
            _, err = self.start(2, 1, 0, flags, 0, env={**huge, **more}, err="UPC Runtime warning: " + short)
            self.assertEqual(err.count("\n"), 1, err)
        self.start(2, 1, 0, ENV | WARN, 0, env={**huge, "UPC_SIZE_WARN": "no"})
        for flags, more in [(ENV | REQUIRE, {}), (ENV, {"UPC_REQUIRE_SHARED_SIZE": "yes"})]:
            _, err = self.start(2, 1, 0, flags, 0, env={**huge, **more}, status=255, err=None)
            self.one_error(err, short, "lower UPC_SHARED_HEAP_SIZE", "UPC_REQUIRE_SHARED_SIZE=no")
        self.start(2, 1, 0, ENV | REQUIRE, 0, env={**huge, "UPC_REQUIRE_SHARED_SIZE": "no"})
        self.start(2, 1, 0, ENV | WARN, 0, env={**huge, "UPC_WARN_FATAL": "yes"}, status=255,
                   err="the warning above ends the job")

    def test_size_that_reaches_one_process_only(self):
        """As where the environment comes to one host only: all have the largest, and agree why it is cut."""
        for pshm in "yes", "no":
            def one(size, flags, **more):
                env = {"UPCR_PSHM": pshm, "SIZE_OF_ONE": size, "ONE": os.path.join(self.folder, pshm + size + str(flags))}
                return self.start(3, 1, 4 * MB, ENV | flags, 0, env=env, **more)

            with self.subTest(pshm=pshm):
                self.assertEqual(self.got(one("8MB", 0)[0]), 8 * MB)
                self.assertEqual(self.got(one("1MB", 0)[0]), 4 * MB)
                one("900TB", WARN, err="UPC Runtime warning: 900 TiB of shared memory is requested for each")
                _, err = one("900TB", REQUIRE, status=255, err=None)
                self.one_error(err, "900 TiB of shared memory is requested for each", "lower UPC_SHARED_HEAP_SIZE")
                one("64B", 0, status=255, err="64 bytes of shared memory are requested for each UPC thread")

    def test_wrong_sizes(self):
        for env, part in [({"UPC_SHARED_HEAP_SIZE": "12Q"}, "UPC_SHARED_HEAP_SIZE=12Q: expected a number with K"),
                          ({"UPC_SHARED_HEAP_SIZE": "64B"}, "64 bytes of shared memory are requested for each UPC thread"),
                          ({"UPC_REQUIRE_SHARED_SIZE": "maybe"}, "UPC_REQUIRE_SHARED_SIZE=maybe: expected yes")]:
            with self.subTest(env):
                self.start(1, 1, 0, ENV, 0, env=env, status=255, err=part)
        if DEBUG:
            self.start(1, 1, 5 * MB + 1, 0, 0, status=255, err="not a multiple of UPCR_PAGESIZE")

    def test_static_data(self):
        for n, pthreads in [(3, 1), (4, 2)]:
            self.start(n, pthreads, 4 * MB, 0, 1)
            self.start(n, pthreads, 4 * MB, 0, 3 * MB)
        self.start(2, 1, 4 * MB, 0, 4 * MB, status=255, err="static shared data takes 4194304 bytes")

    def test_messages(self):
        for what, status, want in [
            ("err", 255, "UPC Runtime error: number 1 (UPC thread 1 of 2, rank 1"),
            ("errno", 255, "UPC Runtime error: number 2: No such file or directory (UPC thread 1"),
            ("gaserr", 255, "UPC Runtime error: number 3: error 10003: GASNET_ERR_BAD_ARG"),
            ("warn", 0, "UPC Runtime warning: number 4 (UPC thread 1 of 2, rank 1)\n"),
            ("sleepprintf", 0, "UPC thread 1: number 5\n"),
            ("early_err", 255, "UPC Runtime error: number 6 (pid "),
            ("checkmalloc", 255, "UPC Runtime error: no memory: malloc of 4611686018427387903 bytes failed"),
        ]:
            with self.subTest(what):
                self.run_job("-n", "2", program("messages"), what, status=status, err=want)
        _, err = self.run_job("-n", "3", program("messages"), "barprintf", err=None)
        lines = err.splitlines()
        self.assertEqual(len(lines), 6, err)
        for i in range(3):  # each process writes into a pipe of its own: only its own lines have an order
            mine = [line for line in lines if line.startswith(f"UPC thread {i}:")]
            self.assertEqual(mine, [f"UPC thread {i}: round 1", f"UPC thread {i}: round 2"])

    def test_progress_thread(self):
        for n, pthreads, env in [(3, 1, {}), (4, 2, {"UPCR_PSHM": "no"})]:
            out, _ = self.start(n, pthreads, 4 * MB, 0, 0, env={"UPCR_PROGRESS_THREAD": "yes", **env})
            self.check_threads(out, n, pthreads)

    def test_main_of_its_own(self):
        main_program = program("plain_main")
        for n in 1, 3:
            self.run_job("-n", str(n), main_program, "return_0", out="finalized once\n" * n)
        self.run_job("-n", "3", main_program, "return_4", status=4, out="")
        self.run_job("-n", "3", main_program, "bupc_exit", status=5, out="finalized once\n" * 3)
        self.run_job("-n", "4", "--pthreads", "2", main_program, "return_0", status=255,
                     err="bupc_init_reentrant()")


main()
