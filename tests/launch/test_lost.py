# SPDX-License-Identifier: BSD-3-Clause
"""Processes of a launcher that cannot find each other, or whose MPI libraries differ: an error that says why."""
import os
import sys

from mpirun import LIBRARY, MIXED, NAME, OTHER, OTHER_MIXED, PROGRAM, Mpirun, main

SAYS = "the job was started as 4 processes (SLURM_STEP_NUM_TASKS=4), but each of them is alone"


class Lost(Mpirun):
    def test_srun_without_pmix(self):
        env = {"SLURM_PROCID": "0", "SLURM_NTASKS": "4", "SLURM_STEP_NUM_TASKS": "4"}
        for conduit in ({}, {"UPCR_CONDUIT": "mpi"}, {"UPCR_CONDUIT": "smp"}):
            _, err = self.run_program(PROGRAM, "status", "0", "0", status=255, err=SAYS, env={**env, **conduit})
            self.assertIn("srun --mpi=pmix", err)

    def test_only_the_first_process_speaks(self):
        env = {"SLURM_PROCID": "3", "SLURM_NTASKS": "4", "SLURM_STEP_NUM_TASKS": "4"}
        self.run_program(PROGRAM, "status", "0", "0", status=255, env=env)

    def test_mpi_that_is_alone(self):
        """The program has initialised MPI, which knows nothing of the launcher."""
        env = {"SLURM_PROCID": "0", "SLURM_NTASKS": "4", "SLURM_STEP_NUM_TASKS": "4"}
        self.run_program(MIXED, "join", status=255, err=SAYS, env=env)

    def test_more_threads_than_one_process_has(self):
        env = {"UPCR_CONDUIT": "mpi", "UPCR_THREADS": "2"}
        self.mpirun(1, MIXED, "join", status=255, env=env,
                    err="UPCR_THREADS=2, but the program has initialised MPI and is alone in it; start it with")
        if LIBRARY == "mpich":  # Open MPI's processes that are alone start themselves again
            self.mpirun(1, PROGRAM, "status", "0", "0", status=255, env=env,
                        err="UPCR_THREADS=2, but the launcher started one process; start it with")

    def test_the_other_librarys_mpirun(self):
        if OTHER_MIXED is None:
            self.skipTest(f"{OTHER} is not here")
        self.mpirun(2, OTHER_MIXED, "join", status=255,
                    err=f"the program is linked with {OTHER}, but {NAME}'s mpirun started it")

    def test_a_library_that_is_not_the_launchers(self):
        other = "mpich" if LIBRARY == "openmpi" else "openmpi"
        self.mpirun(2, PROGRAM, "status", "0", "0", status=255,
                    env={"UPCR_CONDUIT": "mpi", "UPCR_MPI_LIBRARY": other},
                    err=f"UPCR_MPI_LIBRARY asks for {OTHER}, but {NAME}'s mpirun started the program")

    def test_a_library_that_is_not_the_programs(self):
        other = "mpich" if LIBRARY == "openmpi" else "openmpi"
        self.run_program(MIXED, "join", status=255, env={"UPCR_MPI_LIBRARY": other, "UPCR_CONDUIT": "mpi"},
                         err=f"UPCR_MPI_LIBRARY asks for {OTHER}, but the program is linked with {NAME}")

    def test_no_modules(self):
        self.mpirun(2, PROGRAM, "status", "0", "0", status=255, env={"UPCR_MODULE_PATH": self.folder},
                    err=f"not installed: no conduit_mpi_{LIBRARY}.so in {self.folder}")


main(together=True)
