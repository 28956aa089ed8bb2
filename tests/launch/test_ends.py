# SPDX-License-Identifier: BSD-3-Clause
"""UPC programs under mpirun: all ends. Every process ends, the exit status is right, output is not lost."""
import os
import signal

from mpirun import LIBRARY, MPIRUN, PROGRAM, Job, Mpirun, by_signal, kill, main

WAITING = ("barrier", "lock", "spin", "compute")


def buffered_lines(n):
    return [f"buffered line of {i}" for i in range(n)]


class Ends(Mpirun):
    def test_status(self):
        self.mpirun(3, PROGRAM, "status", "1", "0")
        self.mpirun(3, PROGRAM, "status", "1", "3", status=3)

    def test_global_exit_wherever_the_others_are(self):
        for place in WAITING:
            with self.subTest(place=place):
                self.mpirun(3, PROGRAM, "global-exit", "2", "7", place, status=7)
        self.mpirun(3, PROGRAM, "global-exit", "0", "0", "spin", status=0)
        self.mpirun(2, PROGRAM, "exit", "1", "9", "lock", status=9)

    def test_all_processes_flush(self):
        for value in (0, 5):
            out, _ = self.mpirun(3, PROGRAM, "buffered", "1", str(value), status=value)
            self.assertEqual(sorted(out.split("\n"))[1:], buffered_lines(3))

    def test_several_threads_a_process(self):
        env = {"UPCR_PTHREADS": "2"}
        out, _ = self.mpirun(2, PROGRAM, "buffered", "3", "4", status=4, env=env)
        self.assertEqual(sorted(out.split("\n"))[1:], buffered_lines(4))

    def test_exits_without_leaving(self):
        # Hydra kills the others at once, and its status is that of any process.
        with Job(*MPIRUN, "-n", "3", PROGRAM, "_exit", "1", "5") as job:
            self.assertIn(job.wait(), [5] if LIBRARY == "openmpi" else [5, 9])

    def test_deaths(self):
        for place, number in (("spin", signal.SIGKILL), ("barrier", signal.SIGTERM)):
            with self.subTest(signal=number):
                self.mpirun(3, PROGRAM, "raise", "1", str(int(number)), place, status=by_signal(number))

    def test_daemon_of_the_launcher_is_killed(self):
        """No launcher is left to end the processes, and no process reads their output."""
        daemon = "hydra_pmi_proxy" if LIBRARY == "mpich" else "orterun"
        for conduit in "smp", "mpi":
            with self.subTest(conduit), Job(*MPIRUN, "-n", "3", PROGRAM, "stay", "0", "0", "barrier",
                                            env={"UPCR_CONDUIT": conduit}) as job:
                job.wait_for_output("ready", 3)
                for pid in job.launchers(daemon):
                    kill(pid)
                job.wait_until_gone()
                self.assertNotEqual(job.wait(), 0)

    def test_srun_is_named(self):
        """As started by `srun --mpi=pmi2`: PMI without Hydra's own variables."""
        if LIBRARY != "mpich":
            self.skipTest("Open MPI does not use PMI")
        errors = os.path.join(self.folder, "errors")
        srun = f'exec env -u HYDI_CONTROL_FD -u MPI_LOCALNRANKS SLURM_STEP_NUM_TASKS=2 "$@" 2>>{errors}'
        for words, name in (("sh", "-c", srun, "srun"), "slurmstepd"), (("sh", "-c", f'exec "$@" 2>{errors}', "sh"), "hydra_pmi_proxy"):
            with self.subTest(name), Job(*MPIRUN, "-n", "2", *words, PROGRAM, "stay", "0", "0", "barrier",
                                         env={"UPCR_CONDUIT": "mpi"}) as job:
                job.wait_for_output("ready", 2)
                for pid in job.launchers("hydra_pmi_proxy"):
                    kill(pid)
                job.wait_until_gone()
                with open(errors) as file:
                    self.assertIn(f"{name}, the launcher's process on this host, is gone", file.read())

    def test_descriptors_that_are_other_files_now(self):
        for which in "near", "event":
            with self.subTest(which):
                _, err = self.mpirun(2, PROGRAM, "reuse-end", "1", "0", "barrier", which, status=255,
                                     err="by which this process is notified of the job's end, is closed")
                self.assertIn("rank 1, pid ", err)

    def test_a_crash_names_the_thread(self):
        self.mpirun(3, PROGRAM, "crash", "1", status=by_signal(signal.SIGSEGV),
                    err="SIGSEGV (invalid memory access) at address 0x8: nothing is mapped there (UPC thread 1 of 3")

    def test_a_fatal_error(self):
        self.mpirun(3, PROGRAM, "misuse", "1", status=255, err="not to the start of an object")


class Shapes(Mpirun):
    def test_threads_are_distributed_to_the_launchers_processes(self):
        for env, threads in (({}, 2), ({"UPCR_PTHREADS": "3"}, 6), ({"UPCR_THREADS": "3"}, 3),
                             ({"UPCR_THREADS": "5", "UPCR_PTHREADS": "3"}, 5)):
            with self.subTest(env=env):
                out, _ = self.mpirun(2, PROGRAM, "buffered", "0", "0", env=env)
                self.assertEqual(sorted(out.split("\n"))[1:], buffered_lines(threads))

    def test_threads_that_do_not_fit(self):
        self.mpirun(2, PROGRAM, "status", "0", "0", env={"UPCR_THREADS": "1"}, status=255,
                    err="UPCR_THREADS=1 UPC threads cannot be distributed evenly to the 2 processes")
        self.mpirun(2, PROGRAM, "status", "0", "0", env={"UPCR_THREADS": "6", "UPCR_PTHREADS": "2"}, status=255,
                    err="needs 3 processes, but the launcher started 2")

    def test_one_process_without_a_launcher(self):
        self.mpirun(1, PROGRAM, "status", "0", "4", status=4)


main(together=True)
