# SPDX-License-Identifier: BSD-3-Clause
"""Programs that UPC programs start: jobs of their own, though they inherit the launcher's variables."""
import os

from mpirun import MIXED, Mpirun, main

OUTER = os.environ["OUTER"]
UPCRUN = os.environ["UPCRUN_UNDER_TEST"]
MPI = {"UPCR_CONDUIT": "mpi"}
# Whatever the outer job's network is; a setting of the inner job counts.
LOGS = "UPCR_LOG_LEVEL=conduit:info "


class Inner(Mpirun):
    def check(self, command, inner, conduits=({}, MPI), under_upcrun=True):
        """Both threads of a job run `command`, and print these lines by it; the jobs are whole afterwards."""
        expected = sorted(["outer 0 of 2: 2", "outer 1 of 2: 1"] + 2 * inner)
        for env in conduits:
            with self.subTest(env=env):
                out, err = self.mpirun(2, OUTER, command, env=env)
                self.assertEqual(sorted(out.splitlines()), expected, err)
        if not under_upcrun:
            return
        with self.subTest(under="upcrun"):
            out, err = self.run_job("--conduit", "mpi", "-n", "2", OUTER, command, err=None,
                                    env={"UPCR_MPIRUN": os.environ["MPIRUN"]})
            self.assertEqual(sorted(out.splitlines()), expected, err)

    def test_alone(self):
        self.check(OUTER, ["inner 0 of 1: 1"])

    def test_by_a_program_in_between(self):
        self.check(f"{OUTER} {OUTER}", ["inner 0 of 1: 1", "outer 0 of 1: 1"], conduits=[MPI])

    def test_shared_memory_by_default(self):
        """The conduit of a job is no choice for the programs that it starts."""
        self.check(f"{LOGS}{OUTER} 2>&1 | sed 's/.* mpi is loaded .*/network/'", ["inner 0 of 1: 1"], conduits=[MPI])
        self.check(f"{LOGS}UPCR_CONDUIT=mpi {OUTER} 2>&1 | sed 's/.* mpi is loaded .*/network/'",
                   ["network", "inner 0 of 1: 1"], conduits=[{}], under_upcrun=False)

    def test_a_job_of_upcruns(self):
        lines = ["inner 0 of 2: 2", "inner 1 of 2: 1"]
        self.check(f"{UPCRUN} -n 2 {OUTER}", lines)
        self.check(f"UPCR_THREADS=2 UPCRUN={UPCRUN} {OUTER}", lines, conduits=[MPI])

    def test_with_mpi_of_its_own(self):
        """MPI is initialised after UPC, and does not meet the outer job's launcher."""
        self.check(f"{MIXED} after", ["initialized 0", "done", "finalized"])


main(together=True)
