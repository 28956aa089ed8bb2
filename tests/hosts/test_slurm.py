# SPDX-License-Identifier: BSD-3-Clause
"""upcrun in allocations of a real Slurm of two hosts (with_slurm.sh)."""
import collections
import os
import signal
import subprocess
import time

from support import Case, UPCRUN, main, processes_with, wait_for

PROGRAM = os.environ["UPC_PROGRAM"]
WHERE = ["sh", "-c", 'echo "$UPCR_RANK $UPCR_LOCAL_RANK $UPCR_SIZE $(hostname)"']


class Slurm(Case):
    def allocated(self, options, *words, **more):
        """Runs upcrun in an allocation of its own, on a host that is no part of it."""
        return self.run_program("salloc", "--quiet", *options, UPCRUN, *words, **more)

    def places(self, options, *words):
        """Host -> ranks, as upcrun in this allocation has started them."""
        out, _ = self.allocated(options, *words, *WHERE)
        found = collections.defaultdict(list)
        for line in sorted(out.splitlines(), key=lambda text: int(text.split()[0])):
            rank, local, size, host = line.split()
            self.assertEqual(int(local), len(found[host]))
            self.assertEqual(int(size), len(out.splitlines()))
            found[host].append(int(rank))
        return found

    def test_by_srun(self):
        ibv = ["--conduit", "ibv"]
        self.assertEqual(self.places(["-N", "2", "-n", "5"], *ibv), {"h1": [0, 1, 2, 3], "h2": [4]})
        self.assertEqual(self.places(["-N", "2", "--ntasks-per-node=2"], *ibv), {"h1": [0, 1], "h2": [2, 3]})
        self.assertEqual(self.places(["-N", "2"], *ibv, "-n", "2", "-c", "1"), {"h1": [0], "h2": [1]})
        self.assertEqual(self.places(["-N", "2", "-n", "4"], *ibv, "-N", "1"), {"h1": [0, 1, 2, 3]})
        self.assertEqual(self.places(["-N", "1", "-w", "h2", "-n", "2"], *ibv), {"h2": [0, 1]})
        _, err = self.allocated(["-N", "2", "-n", "2"], "-v", *ibv, "true", err=None)
        self.assertIn("'s job ", err)
        self.assertIn(", by srun", err)

    def test_by_mpirun(self):
        for library in "openmpi", "mpich":
            with self.subTest(library):
                os.environ["UPCR_MPI_LIBRARY"] = library
                try:
                    found = self.places(["-N", "2", "--ntasks-per-node=2"])
                    self.assertEqual({host: len(ranks) for host, ranks in found.items()}, {"h1": 2, "h2": 2})
                    out, _ = self.allocated(["-N", "2", "-n", "2", "--ntasks-per-node=1"], PROGRAM, "global-exit", "1", "9",
                                            status=9, err=None)
                    self.assertEqual(out.count("ready"), 2)
                finally:
                    del os.environ["UPCR_MPI_LIBRARY"]

    def test_batch_script(self):
        """sbatch: upcrun is on the first host of the allocation, which needs no srun."""
        path = os.path.join(self.folder, "out")
        script = self.script(f"#!/bin/sh\nexec {UPCRUN} -v --conduit ibv {WHERE[0]} -c '{WHERE[2]}'\n")
        subprocess.run(["sbatch", "--quiet", "--wait", "-N", "2", "--ntasks-per-node=1", "-o", path, script], check=True)
        with open(path) as f:
            text = f.read()
        self.assertIn("0 0 2 h1\n", text)
        self.assertIn("1 0 2 h2\n", text)
        self.assertEqual(text.count("upcrun: runs "), 2)
        self.assertEqual(text.count("/srun --jobid="), 1)

    def test_joined_by_srun(self):
        """The program joins srun's step itself; a thread that only one job of four has gives the status."""
        offered = subprocess.run(["srun", "--mpi=list"], check=True, text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT).stdout.split()
        self.assertIn("pmi2", offered)
        for interface in {"pmix", "pmi2"} & set(offered):  # a Slurm may be built without PMIx
            with self.subTest(interface):
                self.run_program("srun", "-N", "2", "-n", "4", f"--mpi={interface}", PROGRAM, "status", "3", "5", status=5,
                                 err="Exited with exit code 5")
        self.run_program("srun", "-N", "2", "-n", "4", "--mpi=none", PROGRAM, "status", "3", "5", status=255,
                         err="each of them is alone: they cannot find each other; srun offers no PMIx here; "
                             "use `srun --mpi=pmix`")

    def test_status(self):
        for conduit in ["--conduit", "ibv"], []:
            with self.subTest(conduit):
                self.allocated(["-N", "2", "-n", "2", "--ntasks-per-node=1"], *conduit, "sh", "-c", "exit 7", status=7)

    def test_login_host(self):
        out, _ = self.allocated(["-N", "2", "-n", "2"], "--conduit", "smp", *WHERE, err="which is not one of Slurm's job")
        self.assertEqual(out.count("front"), 2)

    def test_cancelled(self):
        """scancel ends the processes on all hosts; nothing is left."""
        words = ["salloc", "--quiet", "-N", "2", "-n", "2", "--ntasks-per-node=1", UPCRUN, "--conduit", "ibv", "sh", "-c",
                 "echo ready; sleep 1000"]
        mark = str(time.monotonic_ns())
        with open(os.path.join(self.folder, "out"), "w+") as out:
            process = subprocess.Popen(words, env={**os.environ, "JOB_MARK": mark, "SALLOC_KILL_CMD": "TERM"}, stdout=out,
                                       stderr=subprocess.DEVNULL)
            wait_for("two processes", lambda: os.pread(out.fileno(), 100, 0).count(b"ready") == 2, 60)
            jobs = subprocess.run(["squeue", "--noheader", "--format=%i", "--states=running"], capture_output=True, text=True,
                                  check=True).stdout.split()
            subprocess.run(["scancel", "--quiet", *jobs], check=True)
            wait_for("the end of the processes", lambda: not processes_with(mark), 60)
            process.send_signal(signal.SIGKILL)
            process.wait()


if __name__ == "__main__":
    main()
