# SPDX-License-Identifier: BSD-3-Clause
"""Programs that use MPI and UPC: joined, and left as they were."""
from mpirun import MIXED, Mpirun, main

CONDUITS = ({}, {"UPCR_CONDUIT": "smp"}, {"UPCR_PSHM": "no"})


class Mixed(Mpirun):
    def check(self, n, *words, env=None, lines, **expected):
        out, err = self.mpirun(n, MIXED, *words, env=env, **expected)
        self.assertEqual(sorted(out.splitlines()), sorted(lines * n), err)

    def test_mpi_first(self):
        for env in CONDUITS:
            for n in (1, 2, 3):
                with self.subTest(env=env, n=n):
                    self.check(n, "join", env=env, lines=["done", "finalized"])

    def test_every_thread_level(self):
        for level in range(4):
            with self.subTest(level=level):
                self.check(2, "join", str(level), lines=["done", "finalized"])

    def test_hooks(self):
        self.check(2, "hooks", lines=["hook", "done", "finalized"])

    def test_mpi_after_upc(self):
        """Found initialised or not, whatever the way into the job: the program sees which."""
        out, err = self.mpirun(2, MIXED, "after", env={"UPCR_CONDUIT": "smp"})
        self.assertEqual(out.count("done"), 2, err)
        self.assertNotIn("FAILED", out)
        self.assertEqual(out.count("initialized 0") == 2, out.count("finalized") == 2, out)

    def test_finalized_too_early_for_mpi_but_not_for_upc(self):
        self.check(2, "early", env={"UPCR_CONDUIT": "smp"}, lines=["done", "finalized"])


main()
