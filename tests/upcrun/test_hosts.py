# SPDX-License-Identifier: BSD-3-Clause
"""Jobs on two hosts with a network between them (tests/hosts/with_hosts.sh runs this): how they end, whichever process
is killed, on either host. The first argument names the MPI library."""
import os
import shutil
import sys

from support import MEMBER, UPCRUN, Case, kill, main

LIBRARY = sys.argv.pop(1)
MPIRUN = {"openmpi": "mpirun.openmpi", "mpich": "mpiexec.hydra"}[LIBRARY]
AGENT = os.environ["HOSTS_AGENT"]


class TwoHosts(Case):
    launch_options = ["--conduit", "mpi", "-H", "h1,h2", "--rsh", AGENT]
    settings = {"UPCR_MPI_LIBRARY": LIBRARY, "OMPI_MCA_oob_tcp_if_include": "10.77.0.0/24"}

    def ready(self):
        job = self.start_job("-n", "4", MEMBER, "wait")
        job.wait_for_output("ready", 4)
        return job

    def test_collectives(self):
        self.run_job("-n", "5", MEMBER, "collectives")
        out, _ = self.run_job("-n", "5", "--label", "--pthreads", "2", "hostname")
        self.assertEqual(sorted(out.splitlines()), ["[0-1] h1", "[2-3] h1", "[4] h2"])

    def test_default_conduit(self):
        """mpirun starts the processes, and on several hosts these choose the conduit."""
        show = ["-n", "2", "sh", "-c", 'echo "<$UPCR_CONDUIT>"']
        self.run_program(UPCRUN, "--rsh", AGENT, "-H", "h1,h2", *show, env=self.settings, out="<>\n" * 2)
        self.run_program(UPCRUN, "-H", "localhost", *show, env=self.settings, out="<mpi>\n" * 2)

    def test_global_exit(self):
        out, _ = self.run_job("-n", "4", MEMBER, "buffered", "3", "6", status=6)
        self.assertEqual(sorted(out.splitlines()), [f"buffered line of {i}" for i in range(4)])

    def test_killed_there(self):
        self.run_job("-n", "4", MEMBER, "signal", "3", "9", status=137, err="host h2) was killed by signal 9 (Killed)")

    def test_kill_upcrun(self):
        with self.ready() as job:
            for pid in job.processes()[:2]:
                kill(pid)
            job.wait_until_gone()

    def test_kill_mpirun(self):
        with self.ready() as job:
            for pid in job.launchers("orterun") + job.launchers("mpiexec.hydra"):
                kill(pid)
            self.assertEqual(job.wait(60), 137)
            job.wait_until_gone()

    def no_answer(self, rsh, *hosts):
        """The job ends with a message that names these hosts and contains the launcher's output."""
        _, err = self.run_program(UPCRUN, "--conduit", "mpi", "-H", "h1,h2", "--rsh", rsh, "-n", "4", MEMBER, "wait",
                                  env={**self.settings, "UPCRUN_START_TIMEOUT": "3"}, status=None,
                                  err="not answered within 3 s of ")
        named = f"host {hosts[0]} has" if len(hosts) == 1 else f"hosts {', '.join(hosts)} have"
        self.assertIn(f"upcrun: {named} not answered within 3 s", err)
        self.assertIn("UPCRUN_START_TIMEOUT", err)

    def test_start_that_fails(self):
        """The remote shell starts nothing and exits with status 0, for every host or for one of them."""
        self.no_answer("/bin/true", "h1", "h2")
        self.no_answer(self.script(f'#!/bin/sh\ncase " $* " in *" h2 "*) exit 0;; esac\nexec {AGENT} "$@"\n'), "h2")

    def test_daemon_that_dies(self):
        """The daemon is killed before it has started anything; the remote shell does not report that."""
        dies = self.script(f'#!/bin/sh\ncase " $* " in *" h2 "*) setsid {AGENT} "$@" & kill -9 $!; exit 0;; esac\n'
                           f'exec {AGENT} "$@"\n')
        self.no_answer(dies, "h2")

    def test_start_that_hangs(self):
        self.no_answer(self.script(f'#!/bin/sh\ncase " $* " in *" h1 "*) exec sleep 1000;; esac\nexec {AGENT} "$@"\n'),
                       "h1")

    def test_input(self):
        self.run_job("-n", "3", "cat", input=b"for thread 0\n", out="for thread 0\n")


if __name__ == "__main__":
    if shutil.which(MPIRUN) is None:
        print(f"SKIP: no {MPIRUN} here")
        sys.exit(77)
    main(together=True)
