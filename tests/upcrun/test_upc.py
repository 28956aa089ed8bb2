# SPDX-License-Identifier: BSD-3-Clause
"""Whole UPC programs under upcrun: how jobs end while other threads wait in the runtime."""
import os
import re
import resource
import shutil
import signal
import tempfile

from support import SANITIZED, UPCRUN, Case, Job, main, processes_with

PROGRAM = os.environ["UPC_PROGRAM"]
# MPI libraries whose module has been built; through their mpirun upcrun starts agents.
MODULES = os.path.join(os.path.dirname(UPCRUN), "..", "lib", "upcr")
MPI = [name for name in ("openmpi", "mpich")
       if shutil.which("mpirun." + name) and os.path.exists(os.path.join(MODULES, f"conduit_mpi_{name}.so"))]
SHAPES = [["-n", "4"], ["-n", "4", "--pthreads", "2"], ["-n", "16"]]
# Where the others wait: everywhere in a small job, in a barrier in the other shapes.
WAITING = [(SHAPES[0], place) for place in ("barrier", "lock", "spin", "compute")]
WAITING += [(shape, "barrier") for shape in SHAPES[1:]]


class Ends(Case):
    def each(self, *action, check=None, **expected):
        for shape, place in WAITING:
            with self.subTest(shape=shape, place=place):
                _, err = self.run_job(*shape, PROGRAM, *action, place, **expected)
                if check:
                    self.assertRegex(err, check)

    def test_status(self):
        for shape in SHAPES:
            self.run_job(*shape, PROGRAM, "status", "1", "0")
            self.run_job(*shape, PROGRAM, "status", "1", "5", status=5)

    def test_errors_of_the_start_are_reported_once(self):
        """Each process reports invalid settings; an error of the program is reported by its process."""
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (60_000 * 1024,) * 2)
        cases = [({"UPCR_CONDUIT": "elsewhere"}, None, "no conduit_elsewhere.so"),
                 ({"UPC_SHARED_HEAP_SIZE": "1K"}, None, "65536 is the minimum")]
        if not SANITIZED:
            cases.append(({}, limit, "ulimit -v"))
        for env, preexec, part in cases:
            for shape in SHAPES[1:]:
                with self.subTest(part=part, shape=shape):
                    _, err = self.run_job(*shape, PROGRAM, "status", "0", "0", status=255, env=env, preexec_fn=preexec,
                                          err=part)
                    self.assertEqual(err.count("UPC Runtime error"), 1, err)
                    self.assertEqual(err.count(part), 1, err)

    def test_global_exit(self):
        self.each("global-exit", "3", "7", status=7)
        self.each("exit", "3", "9", status=9)

    def test_all_processes_flush(self):
        for shape in SHAPES:
            out, _ = self.run_job(*shape, PROGRAM, "buffered", "1", "3", status=3)
            self.assertEqual(sorted(out.splitlines()), sorted(f"buffered line of {i}" for i in range(int(shape[1]))))

    def test_exits_without_leaving(self):
        self.each("_exit", "2", "3", status=3, err="ended with status 3 in the middle of the job",
                  check=r"UPC threads? 2(-3)? \(rank ")

    def test_killed(self):
        self.each("raise", "1", "9", status=137, err="was killed by signal 9 (Killed)",
                  check=r"^UPC Runtime error: (UPC thread 1|the process of UPC threads 0-1) "
                        r"\(rank [01], pid \d+(, host [^)]+)?\) was killed")

    def test_crash(self):
        if SANITIZED:
            self.skipTest("the sanitizer reports in its own way")
        # Its own report is the only one.
        self.each("crash", "1", "0", status=139, err="SIGSEGV",
                  check=r"\A(?!(.|\n)*was killed)UPC Runtime error: SIGSEGV .*UPC thread 1 of \d+, rank [01]")

    def test_crash_whose_report_is_elsewhere(self):
        if SANITIZED:
            self.skipTest("the sanitizer reports in its own way")
        killed = r"\AUPC Runtime error: UPC thread 1 \(rank 1, .*was killed by signal 11"
        for way in "silent", "mute":
            _, err = self.run_job("-n", "4", PROGRAM, way, "1", "0", status=139, err=None)
            self.assertRegex(err, killed)
        with tempfile.TemporaryDirectory() as folder:
            _, err = self.run_job("-n", "4", "--output", folder, PROGRAM, "crash", "1", "0", status=139, err=None)
            self.assertRegex(err, killed)
            reports = "".join(open(os.path.join(folder, name), encoding="utf-8").read() for name in os.listdir(folder))
            self.assertRegex(reports, r"UPC Runtime error: SIGSEGV .*UPC thread 1 of 4, rank 1")

    def test_closed_descriptors(self):
        if not SANITIZED:  # sanitizers need descriptors for their reports
            self.run_job("-n", "2", "--timeout", "60", PROGRAM, "close", "1", status=255,
                         err="from upcrun (descriptor 30): Bad file descriptor")

    def test_descriptors_that_are_other_files_now(self):
        self.run_job("-n", "2", "--timeout", "60", PROGRAM, "reuse", "1", "30", status=255,
                     err="cannot read from upcrun (descriptor 30): Socket operation on non-socket")
        self.run_job("-n", "2", "--timeout", "60", PROGRAM, "reuse", "1", "30", "barrier", "socket", status=255,
                     err="cannot read from upcrun: descriptor 30 is another file's")

    def test_file_size_limit(self):
        def limit(mb):
            return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (mb << 20, mb << 20))

        # The shared memory is a file, too.
        self.run_job("-n", "2", PROGRAM, "status", "1", "0", preexec_fn=limit(8), status=255,
                     err="(check ulimit -f); lower UPC_SHARED_HEAP_SIZE: File too large")
        self.run_job("-n", "1", PROGRAM, "big-file", "0", "300", preexec_fn=limit(200), status=128 + signal.SIGXFSZ,
                     err="UPC Runtime error: SIGXFSZ (a file would grow beyond the limit of 'ulimit -f')")

    def test_fatal_error(self):
        _, err = self.run_job("-n", "4", PROGRAM, "misuse", "1", "0", status=255, err="UPC Runtime error: ")
        self.assertIn("UPC thread 1 of 4", err)
        self.assertNotIn("in the middle of the job", err)  # it has reported the error itself

    def test_temporary_file(self):
        """A file opened with UPC_DELETE_ON_CLOSE is gone after any end."""
        file = os.path.join(self.folder, "to delete")
        env = {"DELETE_ON_CLOSE": file}
        if MPI:
            env["UPCR_MPI_LIBRARY"] = MPI[0]
        ends = [("close", 0), ("status", 0), ("status", 5), ("global-exit", 7), ("exit", 9), ("_exit", 3),
                ("raise", 137), ("misuse", 255)]
        jobs = [["-n", "3"], ["-n", "4", "--pthreads", "2"]] + [["-n", "3", "--conduit", "mpi"] for _ in MPI[:1]]
        for words in jobs:
            for action, status in ends if "--conduit" not in words else ends[2:7:2]:
                with self.subTest(words=words, action=action, status=status):
                    value = str(9 if action == "raise" else status)
                    err = None if action in ("_exit", "raise", "misuse") else ""
                    with Job(UPCRUN, *words, PROGRAM, action, "1", value, env=env) as job:
                        self.assertEqual(job.wait(), status, job.stderr())
                        if err == "":
                            self.assertEqual(job.stderr(), "")
                    self.assertFalse(os.path.exists(file))

    def test_temporary_file_of_a_job_that_is_ended(self):
        file = os.path.join(self.folder, "to delete")
        with Job(UPCRUN, "-n", "3", PROGRAM, "wait", "1", "0", "compute", env={"DELETE_ON_CLOSE": file}) as job:
            job.wait_for_output("ready", 3)
            self.assertTrue(os.path.exists(file))
            job.process.send_signal(signal.SIGTERM)
            job.wait()
        self.assertFalse(os.path.exists(file))

    def test_another_file_of_that_name_stays(self):
        file = os.path.join(self.folder, "to delete")
        with Job(UPCRUN, "-n", "3", PROGRAM, "replace", "1", "4", env={"DELETE_ON_CLOSE": file}) as job:
            self.assertEqual(job.wait(), 4)
        self.assertTrue(os.path.exists(file))

    def test_by_environment(self):
        env = {"UPCR_THREADS": "4"}
        self.run_program(PROGRAM, "status", "1", "5", status=5, env=env)
        self.run_program(PROGRAM, "status", "1", "5", status=5, env={**env, "UPCR_PTHREADS": "2"})
        self.run_program(PROGRAM, "status", "1", "5", status=5, env={"UPCR_PTHREADS": "2"})
        self.run_program(PROGRAM, "raise", "3", "9", status=137, env=env, err="UPC thread 3 (rank 3, pid ")

    def test_timeout(self):
        _, err = self.run_job("-n", "3", "--timeout", "1", PROGRAM, "stay", "1", status=124, err="--timeout")
        self.assertEqual(len(re.findall(r"UPC thread \d \(rank \d, pid \d+(, host [^)]+)?\) is running", err)), 3)


class Kill(Case):
    def each(self, act):
        for shape, place in WAITING:
            with self.subTest(shape=shape, place=place):
                with self.start_job(*shape, PROGRAM, "stay", "0", "0", place) as job:
                    job.wait_for_output("ready", int(shape[1]))
                    act(job)

    def kill(self, job, pids):
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        job.wait_until_gone()

    def test_worker(self):
        def act(job):
            worker = job.processes()[2][1]
            self.kill(job, [worker])
            self.assertEqual(job.wait(60), 137)
            self.assertRegex(job.stderr(), rf"pid {worker}(, host [^)]+)?\) was killed by signal 9 \(Killed\)")

        self.each(act)

    def test_interrupt(self):
        def act(job):
            job.process.send_signal(signal.SIGINT)
            self.assertEqual(job.wait(60), -signal.SIGINT)
            self.assertEqual(processes_with(job.mark), [])

        self.each(act)

    def test_guard(self):
        self.each(lambda job: self.kill(job, job.processes()[:1]))

    def test_launcher(self):
        self.each(lambda job: self.kill(job, job.processes()[1:2]))

    def test_both(self):
        self.each(lambda job: self.kill(job, job.processes()[:2]))


if __name__ == "__main__":
    main()
