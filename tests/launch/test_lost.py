# SPDX-License-Identifier: BSD-3-Clause
"""Processes of a launcher that cannot find each other, or whose MPI libraries differ: an error with the cause."""
import os
import signal
import socket
import time

from mpirun import LIBRARY, MIXED, MODULES, NAME, OTHER, OTHER_MIXED, PROGRAM, Job, Mpirun, main

MESSAGE = "the job was started as 4 processes (SLURM_STEP_NUM_TASKS=4), but each of them is alone"


class Lost(Mpirun):
    def test_srun_without_pmix(self):
        env = {"SLURM_PROCID": "0", "SLURM_NTASKS": "4", "SLURM_STEP_NUM_TASKS": "4"}
        for conduit in ({}, {"UPCR_CONDUIT": "mpi"}, {"UPCR_CONDUIT": "smp"}):
            _, err = self.run_program(PROGRAM, "status", "0", "0", status=255, err=MESSAGE, env={**env, **conduit})
            self.assertIn("srun --mpi=pmix", err)

    def test_only_the_first_process_reports(self):
        env = {"SLURM_PROCID": "3", "SLURM_NTASKS": "4", "SLURM_STEP_NUM_TASKS": "4"}
        self.run_program(PROGRAM, "status", "0", "0", status=255, env=env)

    def test_all_freeze(self):
        """The process that reports waits for a debugger, so the others may not end: the launcher would kill it."""
        env = {"SLURM_NTASKS": "4", "SLURM_STEP_NUM_TASKS": "4", "UPCR_FREEZE_ON_ERROR": "yes"}
        with Job(PROGRAM, "status", "0", "0", env={**env, "SLURM_PROCID": "0"}) as first, \
                Job(PROGRAM, "status", "0", "0", env={**env, "SLURM_PROCID": "3"}) as other:
            for job in first, other:
                job.wait_for_error(f"frozen by UPCR_FREEZE_ON_ERROR on host {socket.gethostname()}: attach with "
                                   f"'gdb -p {job.process.pid}'", 1)
            time.sleep(3)  # longer than the others wait for the one that reports
            self.assertIsNone(first.process.poll())
            self.assertIsNone(other.process.poll())
            for job in first, other:
                job.process.send_signal(signal.SIGCONT)
                self.assertEqual(job.wait(60), 255)
            self.assertIn(MESSAGE, first.stderr())
            self.assertNotIn(MESSAGE, other.stderr())

    def test_mpi_that_is_alone(self):
        """The program has initialised MPI, which knows nothing of the launcher."""
        env = {"SLURM_PROCID": "0", "SLURM_NTASKS": "4", "SLURM_STEP_NUM_TASKS": "4"}
        self.run_program(MIXED, "join", status=255, err=MESSAGE, env=env)

    def test_more_threads_than_one_process_has(self):
        env = {"UPCR_CONDUIT": "mpi", "UPCR_THREADS": "2"}
        self.mpirun(1, MIXED, "join", status=255, env=env,
                    err="UPCR_THREADS=2, but the program has initialised MPI and is alone in it; start it with")
        if LIBRARY == "mpich":  # a single process of Open MPI starts mpirun for itself
            self.mpirun(1, PROGRAM, "status", "0", "0", status=255, env=env,
                        err="UPCR_THREADS=2, but the launcher started one process; start it with")

    def test_the_other_librarys_mpirun(self):
        if OTHER_MIXED is None:
            self.skipTest(f"{OTHER} is not here")
        for mode in "join", "after":  # MPI is initialised before UPC joins, or would be alone after it has joined by PMIx
            with self.subTest(mode):
                self.mpirun(2, OTHER_MIXED, mode, status=255,
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

    def test_only_the_others_module_is_built(self):
        """The mpirun is there, and upcr was built without its library."""
        other = "mpich" if LIBRARY == "openmpi" else "openmpi"
        module = f"conduit_mpi_{other}.so"
        if not os.path.exists(os.path.join(MODULES, module)):
            self.skipTest(f"{OTHER} is not here")
        os.symlink(os.path.join(MODULES, module), os.path.join(self.folder, module))
        _, err = self.mpirun(2, PROGRAM, "status", "0", "0", status=255, err=f"no conduit_mpi_{LIBRARY}.so in {self.folder}",
                             env={"UPCR_MODULE_PATH": self.folder, "UPCR_CONDUIT": "mpi"})
        package = {"openmpi": "libopenmpi-dev", "mpich": "libmpich-dev"}[LIBRARY]
        self.assertIn(f"built without {NAME}: install {NAME} for developers (Debian: {package}) and build upcr again", err)
        for part in "-DCMAKE_PREFIX_PATH=", "PKG_CONFIG_PATH=", f"start the job with {OTHER}'s mpirun (mpirun.{other}":
            self.assertIn(part, err)

    def test_mpich_under_srun_with_pmix(self):
        """srun's PMIx is that of Open MPI's mpirun here, whose own variables are gone."""
        if LIBRARY != "openmpi" or not os.path.exists(os.path.join(MODULES, "conduit_mpi_mpich.so")):
            self.skipTest("it takes Open MPI's mpirun and MPICH's module")
        srun = ('SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=$OMPI_COMM_WORLD_RANK exec env -u OMPI_COMM_WORLD_RANK '
                '-u OMPI_COMM_WORLD_SIZE UPCR_CONDUIT=mpi UPCR_MPI_LIBRARY=mpich "$@"')
        self.mpirun(2, "sh", "-c", srun, "srun", PROGRAM, "status", "0", "0", status=255, err="`srun --mpi=pmi2`")
        # The program has initialised MPICH by itself.
        if OTHER_MIXED is not None:
            self.mpirun(2, "sh", "-c", srun, "srun", OTHER_MIXED, "join", status=255, err="`srun --mpi=pmi2`")

    def test_no_modules(self):
        self.mpirun(2, PROGRAM, "status", "0", "0", status=255, env={"UPCR_MODULE_PATH": self.folder},
                    err=f"not installed: no conduit_mpi_{LIBRARY}.so in {self.folder}")


main(together=True)
