# SPDX-License-Identifier: BSD-3-Clause
"""Jobs of the mpi conduit on several hosts. Runs inside with_hosts.sh, on its front host; LIBRARY says whose
MPI. Host h3 is left to the job that loses its network, which takes as long as TCP needs to give up and runs
beside the others."""
import os
import re
import subprocess
import unittest

from support import Case, Job, UPCRUN, kill, main, processes_with, wait_for

AGENT = os.environ["HOSTS_AGENT"]
LIBRARY = os.environ["LIBRARY"]
UPC_PROGRAM = os.environ["UPC_PROGRAM"]
ENVIRONMENT = {"UPCR_MPI_LIBRARY": LIBRARY, "SPMD_EFFORT": "40"}
if LIBRARY == "mpich":
    ENVIRONMENT["UCX_TLS"] = "tcp,self"  # hosts that are namespaces have memory in common, which it would use
DEADLINE = 120  # seconds: a loaded machine


def words(hosts, *program, n=4, options=()):
    return [UPCRUN, "--conduit", "mpi", "-n", str(n), "-H", hosts, "--rsh", AGENT, "--timeout", "240",
            *options, *program]


def spmd(name):
    return os.path.join(os.environ["PROGRAMS"], "spmd_" + name)


def host_of(pid):
    return os.readlink(f"/proc/{pid}/ns/net")


def on_host(host, pids):
    here = subprocess.run(["ip", "netns", "exec", host, "readlink", "/proc/self/ns/net"], check=True,
                          capture_output=True, text=True).stdout.strip()
    return [p for p in pids if host_of(p) == here]


def ranks_of(job):
    """The processes of the program itself."""
    found = []
    for pid in processes_with(job.mark):
        try:
            if os.readlink(f"/proc/{pid}/exe") == UPC_PROGRAM:
                found.append(pid)
        except OSError:
            pass
    return found


class Hosts(Case):
    def on_hosts(self, hosts, *program, env=None, **more):
        with Job(*words(hosts, *program, **more), env={**ENVIRONMENT, **(env or {})}) as job:
            self.assertEqual(job.wait(DEADLINE), 0, job.stderr())
            self.assertEqual(job.stderr(), "")

    # All features work between hosts; those that are slow there have tests of their own.
    PROGRAMS = {
        "openmpi": ["access", "bulk", "nb", "coll_move", "static_data", "semaphores", "io", "small"],
        "mpich": ["access", "vis", "heap_stress", "coll_teams", "small", "io_calls"],
    }

    def test_programs_on_two_hosts(self):
        for name in self.PROGRAMS[LIBRARY]:
            with self.subTest(name):
                self.on_hosts("h1:2,h2:2", spmd(name))

    def test_several_threads_a_process(self):
        self.on_hosts("h1:1,h2:1", spmd("access"), options=["--pthreads", "2"])

    def test_everything_by_the_network(self):
        self.on_hosts("h1:2,h2:1", spmd("access"), n=3, env={"UPCR_PSHM": "no"})

    def test_progress_thread(self):
        self.on_hosts("h1:2,h2:1", spmd("bulk"), n=3, env={"UPCR_PROGRESS_THREAD": "yes"})

    def groups(self, hosts, n, env=None):
        """{rank: (machine, host, window)}, each as "first to last", from the log."""
        _, err = self.run_program(*words(hosts, spmd("access"), n=n), err=None,
                                  env={**ENVIRONMENT, "UPCR_LOG_LEVEL": "hosts:info", **(env or {})})
        line = re.compile(r"\[upcr (\d+)/\d+ hosts info\] machine: ranks (\d+ to \d+) of \d+; host: (\d+ to \d+); "
                          r"memory shared with (\d+ to \d+)")
        return {int(m[1]): (m[2], m[3], m[4]) for m in line.finditer(err)}

    def test_numbering(self):
        """Which ranks share hosts and memory. (`small` checks that distances and castability follow from it.)"""
        a, b = "0 to 1", "2 to 4"
        self.assertEqual(self.groups("h1:2,h2:3", 5), {r: (a,) * 3 if r < 2 else (b,) * 3 for r in range(5)})

    def test_pretended_borders_inside_real_ones(self):
        got = self.groups("h1:1,h2:3", 4, {"UPCR_NODE_SIZE": "2"})
        self.assertEqual(got[0], ("0 to 0",) * 3)
        self.assertEqual(got[2], ("1 to 3", "1 to 2", "1 to 2"))
        self.assertEqual(got[3], ("1 to 3", "3 to 3", "3 to 3"))

    def stay(self, hosts):
        job = Job(*words(hosts, UPC_PROGRAM, "stay", "0", "0", "barrier"), env=ENVIRONMENT)
        return job

    def test_errors_of_the_start_are_reported_once(self):
        """Each process of each host finds them."""
        part = "65536 is the minimum"
        for options in [], ["--pthreads", "2"]:
            with self.subTest(options=options):
                _, err = self.run_program(*words("h1:2,h2:2", UPC_PROGRAM, "status", "0", "0", options=options), status=255,
                                          err=part, env={**ENVIRONMENT, "UPC_SHARED_HEAP_SIZE": "1K"})
                self.assertEqual(err.count("UPC Runtime error"), 1, err)
                self.assertEqual(err.count(part), 1, err)

    def test_temporary_file(self):
        """A file opened with UPC_DELETE_ON_CLOSE is gone after any end: the agent on UPC thread 0's host removes it."""
        file = os.path.join(self.folder, "to delete")
        env = {**ENVIRONMENT, "DELETE_ON_CLOSE": file}
        for rank in "0", "3":
            for action, status in ("status", 5), ("global-exit", 7), ("_exit", 3), ("raise", 137):
                with self.subTest(action=action, rank=rank):
                    value = "9" if action == "raise" else str(status)
                    self.run_program(*words("h1:2,h2:2", UPC_PROGRAM, action, rank, value), status=status, err=None, env=env)
                    self.assertFalse(os.path.exists(file))
        with Job(*words("h1:2,h2:2", UPC_PROGRAM, "wait", "1", "0", "compute"), env=env) as job:
            job.wait_for_output("ready", 4)
            self.assertTrue(os.path.exists(file))
            kill(on_host("h2", ranks_of(job))[0])
            self.assertEqual(job.wait(DEADLINE), 128 + 9)
            self.assertFalse(os.path.exists(file))

    def test_rank_killed_on_the_second_host(self):
        with self.stay("h1:2,h2:2") as job:
            job.wait_for_output("ready", 4)
            kill(on_host("h2", ranks_of(job))[0])
            self.assertEqual(job.wait(DEADLINE), 128 + 9)
            self.assertRegex(job.stderr(), r"\(rank [23], pid \d+, host h2\) was killed by signal 9")
            job.wait_until_gone()

    def test_launcher_killed(self):
        with self.stay("h1:2,h2:2") as job:
            job.wait_for_output("ready", 4)
            guard, launcher, _ = job.processes()
            kill(launcher)
            kill(guard)
            job.wait(DEADLINE)
            wait_for("nothing left on any host", lambda: not processes_with(job.mark), DEADLINE)

    def test_network_cut(self):
        """h3's job was started first, in setUpClass."""
        with self.cut_job as job:
            status = job.wait(DEADLINE)
            self.assertEqual(status, 125)
            self.assertRegex(job.stderr(), r"\(rank 1, pid \d+, host h3\) cannot be reached any more")
            job.wait_until_gone()

    @classmethod
    def setUpClass(cls):
        cls.cut_job = Job(*words("h1:1,h3:1", UPC_PROGRAM, "stay", "0", "0", "barrier", n=2), env=ENVIRONMENT)
        cls.cut_job.wait_for_output("ready", 2)
        subprocess.run(["ip", "link", "set", "port3", "down"], check=True)


def load_tests(loader, tests, pattern):
    """The test with the cut network comes last, because by then TCP has given up."""
    names = loader.getTestCaseNames(Hosts)
    names.sort(key=lambda n: n == "test_network_cut")
    return unittest.TestSuite(Hosts(n) for n in names)


main()
