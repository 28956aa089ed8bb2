# SPDX-License-Identifier: BSD-3-Clause
"""Jobs of the ofi conduit, over TCP, on several hosts. Runs inside with_hosts.sh, on its front host. No MPI takes part;
where there is none, ofi is also what jobs on several hosts use by themselves."""
import os
import re
import signal
import subprocess

from support import Case, UPCRUN, kill, main, processes_with, wait_for

AGENT = os.environ["HOSTS_AGENT"]
UPC_PROGRAM = os.environ["UPC_PROGRAM"]


def spmd(name):
    return os.path.join(os.environ["PROGRAMS"], "spmd_" + name)


def processes_on(host):
    """Of the host's network namespace."""
    return [int(p) for p in subprocess.run(["ip", "netns", "pids", host], check=True, capture_output=True).stdout.split()]


class Hosts(Case):
    launch_options = ["--conduit", "ofi", "--rsh", AGENT, "--timeout", "240"]
    settings = {"SPMD_EFFORT": "40"}

    def test_programs_on_two_hosts(self):
        """With UPCR_TEST_ALL every program of tests/spmd that any conduit runs."""
        for name in os.environ["SPMD_NAMES"].split():
            with self.subTest(name):
                self.run_job("-H", "h1:2,h2:2", "-n", "4", spmd(name))

    def test_three_hosts(self):
        for name in ["access", "bulk"]:
            with self.subTest(name):
                self.run_job("-H", "h1:1,h2:2,h3:1", "-n", "4", spmd(name))

    def test_several_threads_a_process(self):
        self.run_job("-H", "h1:1,h2:1", "-n", "4", "--pthreads", "2", spmd("access"))

    def test_a_process_that_is_killed(self):
        """The job ends, and the message names the rank, its host and the signal."""
        with self.start_job("-H", "h1:2,h2:2", "-n", "4", UPC_PROGRAM, "stay", "0", "0", "barrier") as job:
            job.wait_for_output("ready", 4)
            kill(next(p for p in processes_with(job.mark) if os.readlink(f"/proc/{p}/exe") == UPC_PROGRAM))
            self.assertEqual(job.wait(120), 128 + signal.SIGKILL, job.stderr())
            self.assertRegex(job.stderr(), r"UPC thread [0-3] \(.*host h[12]\) was killed by signal 9")
            wait_for("nothing left of the job", lambda: not processes_with(job.mark))

    def test_a_host_that_dies(self):
        """The agent and all processes on it, at once. The job ends, and the message names the host."""
        with self.start_job("-H", "h1:2,h2:2", "-n", "4", UPC_PROGRAM, "stay", "0", "0", "barrier") as job:
            job.wait_for_output("ready", 4)
            inside = processes_on("h2")
            dying = [p for p in processes_with(job.mark) if p in inside]
            self.assertGreaterEqual(len(dying), 3, dying)
            for signal_number in signal.SIGSTOP, signal.SIGKILL:  # none of them reports the death of another one
                for process in dying:
                    os.kill(process, signal_number)
            self.assertNotEqual(job.wait(120), 0, job.stderr())
            self.assertIn("h2", job.stderr())
            wait_for("nothing left of the job", lambda: not processes_with(job.mark))

    def path_without_mpi(self):
        folder = os.path.join(self.folder, "bin")
        os.mkdir(folder)
        for source in os.environ["PATH"].split(":"):
            for name in os.listdir(source) if os.path.isdir(source) else []:
                link = os.path.join(folder, name)
                if not re.match("mpi|orte|hydra|prun|prte", name) and not os.path.lexists(link):
                    os.symlink(os.path.join(source, name), link)
        return folder

    def test_hosts_without_mpi(self):
        """With mpirun the processes choose mpi, and without it ofi; nothing but the hosts is named."""
        words = [UPCRUN, "-H", "h1:1,h2:1", "--rsh", AGENT, "-n", "2", spmd("access")]
        log = {**self.settings, "UPCR_LOG_LEVEL": "conduit:info"}
        self.run_program(*words, env={**log, "PATH": self.path_without_mpi()},
                         err="ofi is chosen: the job is on several hosts, every process can use it, and not ibv: ")
        if os.environ["OPEN_MPI"] == "1":
            self.run_program(*words, env={**log, "OMPI_MCA_oob_tcp_if_include": "10.77.0.0/24"},
                             err="mpi is chosen: the job is on several hosts")


if __name__ == "__main__":
    main(together=True)
