# SPDX-License-Identifier: BSD-3-Clause
"""Programs that use MPI and UPC: joined, and left as they were."""
import os

from mpirun import MIXED, Mpirun, main

MPI = {"UPCR_CONDUIT": "mpi"}
CONDUITS = ({}, MPI, {**MPI, "UPCR_PSHM": "no"})


class Mixed(Mpirun):
    def check(self, n, *words, env=None, lines, **expected):
        out, err = self.mpirun(n, MIXED, *words, env=env, **expected)
        self.assertEqual(sorted(out.splitlines()), sorted(lines * n), err)

    def test_mpi_first(self):
        for env in CONDUITS:
            for n in (1, 2, 3):
                with self.subTest(env=env, n=n):
                    self.check(n, "join", env=env, lines=["done", "finalized"])

    def test_pthread_exit_in_main(self):
        for env in CONDUITS:
            with self.subTest(env=env):
                self.check(2, "threads", env=env, lines=["done", "finalized"])

    def test_every_thread_level(self):
        for level in range(4):
            with self.subTest(level=level):
                self.check(2, "join", str(level), env=MPI, lines=["done", "finalized"])

    def test_an_insufficient_level(self):
        _, err = self.mpirun(2, MIXED, "join", "1", env={**MPI, "UPCR_PROGRESS_THREAD": "yes"}, status=255,
                             err="several threads of this process use the network")
        self.assertIn("needs MPI_THREAD_MULTIPLE; initialise MPI by MPI_Init_thread() with that level", err)
        self.check(2, "join", "3", env={**MPI, "UPCR_PROGRESS_THREAD": "yes"}, lines=["done", "finalized"])

    def test_hooks(self):
        for env in CONDUITS:
            self.check(2, "hooks", env=env, lines=["hook", "done", "finalized"])

    def test_mpi_after_upc(self):
        """Found initialised or not, whatever the method of joining the job: the program sees which."""
        out, err = self.mpirun(2, MIXED, "after", env={"UPCR_CONDUIT": "smp"})
        self.assertEqual(out.count("done"), 2, err)
        self.assertNotIn("FAILED", out)
        self.assertEqual(out.count("initialized 0") == 2, out.count("finalized") == 2, out)

    def test_mpi_that_the_conduit_has_initialised(self):
        self.check(2, "after", env=MPI, lines=["initialized 1", "done"])

    def test_finalized_before_upc_ends(self):
        """Nothing to UPC over shared memory."""
        self.check(2, "early", env={"UPCR_CONDUIT": "smp"}, lines=["done", "finalized"])
        self.mpirun(2, MIXED, "early", env=MPI, status=255,
                    err="MPI_Finalize was called while UPC or GASNet still uses MPI (conduit mpi)")

    def test_under_upcrun(self):
        out, err = self.run_job("--conduit", "mpi", "-n", "2", MIXED, "join", err=None,
                                env={"UPCR_MPIRUN": os.environ["MPIRUN"]})
        self.assertEqual(sorted(out.splitlines()), ["done", "done", "finalized", "finalized"], err)

    def test_mpi_of_its_own_beside_shared_memory(self):
        """upcrun starts no MPI job: a process that initialises MPI is alone in it."""
        out, err = self.run_job("--conduit", "smp", "-n", "1", MIXED, "after", err=None)
        self.assertEqual(out.splitlines(), ["initialized 0", "done", "finalized"], err)


main(together=True)
