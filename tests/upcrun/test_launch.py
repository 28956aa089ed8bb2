# SPDX-License-Identifier: BSD-3-Clause
"""Jobs that mpirun starts, as far as they differ from others. The first argument names the MPI library."""
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

from support import MEMBER, UPCRUN, Case, children, executable, kill, main, processes_with, wait_for

LIBRARY = sys.argv.pop(1)
NAME, MPIRUN, LAUNCHER = {"openmpi": ("Open MPI", "mpirun.openmpi", "orterun"),
                         "mpich": ("MPICH", "mpiexec.hydra", "mpiexec.hydra")}[LIBRARY]
OTHER = {"openmpi": "MPICH", "mpich": "Open MPI"}[LIBRARY]
OTHERS_MPIRUN = {"openmpi": "mpiexec.hydra", "mpich": "mpirun.openmpi"}[LIBRARY]
PROGRAM = os.environ["MPI_PROGRAM_" + LIBRARY.upper()]


def permitted(*words):
    return subprocess.run(["unshare", *words, "true"], capture_output=True).returncode == 0


class Mpi(Case):
    launch_options = ["--conduit", "mpi"]
    settings = {"UPCR_MPI_LIBRARY": LIBRARY}

    def ready(self, n, *words, env=None):
        job = self.start_job("-n", str(n), *words, MEMBER, "wait", env=env)
        job.wait_for_output("ready", n)
        return job

    def agents(self, job):
        """The agents' pids."""
        def is_agent(pid):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as f:
                    return b"\0--agent\0" in f.read()
            except OSError:
                return False
        return [pid for pid in job.launchers("upcrun") if is_agent(pid)]


class Descriptors(Mpi):
    def test_a_process_closes_all_of_them(self):
        # The MPI library decides on its message and status; upcrun must end the job.
        with self.start_job("-n", "2", "--timeout", "60", os.environ["UPC_PROGRAM"], "close", "1",
                            env={"UPCR_PSHM": "no"}) as job:
            self.assertNotIn(job.wait(90), (0, 124), job.stderr())


class Environment(Mpi):
    def test_any_value_arrives(self):
        odd = {"ODD_PLAIN": "x", "ODD_EMPTY": "", "ODD_BLANKS": "  a  b ", "ODD_LINES": "one\ntwo\n", "ODD_TAB": "\t",
               "ODD_QUOTES": "'\"`$HOME`\\ #;,{}|&<>*?", "ODD_EQUALS": "a=b=c=", "ODD_WIDE": "grün ✓",
               "ODD_LONG": "y" * 100000, "UPCR_PSHM": "yes", "PMIX_MCA_odd": "z", "OMPI_MCA_odd": "w"}
        show = "import os; print(sorted((k, v) for k, v in os.environ.items() if 'ODD' in k.upper() or k == 'UPCR_PSHM'))"
        out, _ = self.run_job("-n", "3", sys.executable, "-c", show, env=odd)
        self.assertEqual(out.splitlines(), [str(sorted(odd.items()))] * 3)

    def test_arguments_arrive(self):
        odd = ["", " ", "a b", "-n", "--", "\n", "'", '"', "$HOME", "*", "\\", "ü"]
        out, _ = self.run_job("-n", "2", "--argv0", "my name", sys.executable, "-c", "import sys; print(sys.argv[1:])", *odd)
        self.assertEqual(out.splitlines(), [str(odd)] * 2)

    def test_folder_and_conduit(self):
        folder = os.path.join(self.folder, "a folder, really")
        os.mkdir(folder)
        out, _ = self.run_job("-n", "2", "sh", "-c", 'echo "$UPCR_CONDUIT $(pwd)"', cwd=folder)
        self.assertEqual(out, f"mpi {folder}\n" * 2)

    def test_nothing_of_an_outer_job(self):
        outer = {"OMPI_COMM_WORLD_RANK": "7", "OMPI_COMM_WORLD_SIZE": "9", "PMI_RANK": "7", "PMI_SIZE": "9",
                 "PMIX_RANK": "7", "PMIX_NAMESPACE": "x", "UPCR_JOB": "x", "UPCR_AGENT": "x"}
        self.run_job("-n", "2", MEMBER, "collectives", env=outer)

    def test_secret_is_on_no_command_line(self):
        with self.ready(2) as job:
            agents = self.agents(job)
            self.assertEqual(len(agents), 2)
            with open(f"/proc/{agents[0]}/environ", "rb") as f:
                secret = re.search(rb"UPCR_AGENT=1;[0-9a-f]{16};([0-9a-f]{32});", f.read()).group(1)
            checked = 0
            for pid in processes_with(job.mark):
                with open(f"/proc/{pid}/cmdline", "rb") as f:
                    self.assertNotIn(secret, f.read())
                checked += 1
            self.assertGreaterEqual(checked, 7)  # upcrun's two, mpirun, agents, members
            for pid in job.processes()[2]:  # and the program does not have it at all
                with open(f"/proc/{pid}/environ", "rb") as f:
                    self.assertNotIn(secret, f.read())
            job.process.terminate()
            job.wait(60)


class Libraries(Mpi):
    def test_a_program_that_uses_mpi(self):
        # The library is what the program is linked with.
        out, err = self.run_job("-n", "3", "-v", PROGRAM, env={"UPCR_MPI_LIBRARY": "auto"}, err=None)
        self.assertEqual(sorted(out.splitlines()), [f"rank {i} of 3, sum 3" for i in range(3)])
        self.assertIn(f"/{MPIRUN} ({NAME}; the program is linked with {NAME})", err)

    def test_mpi_abort(self):
        self.run_job("-n", "2", PROGRAM, "abort", "1", "5", status=5, err=f"upcrun: {MPIRUN} ended with status 5")

    def test_wrong_library(self):
        there = shutil.which(OTHERS_MPIRUN)
        if there is None:
            self.skipTest(f"no {OTHERS_MPIRUN} here")
        self.run_job("-n", "2", PROGRAM, env={"UPCR_MPI_LIBRARY": "", "UPCR_MPIRUN": there}, status=2,
                     err=f"belongs to {OTHER}, the program is linked with {NAME}; name the mpirun of the same library")
        other = {"openmpi": "mpich", "mpich": "openmpi"}[LIBRARY]
        self.run_job("-n", "2", PROGRAM, env={"UPCR_MPI_LIBRARY": other}, status=2,
                     err=f"UPCR_MPI_LIBRARY asks for {OTHER}, but '{PROGRAM}' is linked with {NAME}")

    def test_mpirun_by_name(self):
        self.run_job("-n", "2", MEMBER, "collectives", env={"UPCR_MPIRUN": MPIRUN})
        if os.path.islink("/bin") and os.path.exists(f"/bin/{MPIRUN}"):
            self.run_job("-n", "2", MEMBER, "collectives", env={"UPCR_MPIRUN": f"/bin/{MPIRUN}"})
        self.run_job("-n", "2", "true", env={"UPCR_MPIRUN": "/bin/true"}, status=2,
                     err="UPCR_MPIRUN=/bin/true: `--version` names neither Open MPI nor MPICH's hydra")
        self.run_job("-n", "2", "/bin/true", env={"PATH": "/nowhere", "UPCR_MPI_LIBRARY": ""}, status=127,
                     err="and there is none in PATH; install Open MPI or MPICH")
        self.run_job("-n", "2", "-H", "h1,h2", "/bin/true", env={"PATH": "/nowhere", "UPCR_MPI_LIBRARY": "auto"}, status=127,
                     err="`upcrun --conduit ibv` starts them by ssh, without mpirun")
        self.run_job("-n", "2", "/bin/true", env={"PATH": "/nowhere"}, status=127, err=f"no mpirun of {NAME} in PATH")

    def fake_mpirun(self, line):
        """A script in the place of mpirun; its last two arguments are the agent's command."""
        return self.script(f'#!/bin/bash\n[ "$1" = --version ] && exec {MPIRUN} --version\n'
                           f'agent=("${{@: -2}}")\n{line}\n')

    def test_first_in_path(self):
        # A private installation, which `module load` puts before the system's in PATH.
        folder = os.path.join(os.path.dirname(self.fake_mpirun("")), "first in path")
        os.mkdir(folder)
        os.rename(self.fake_mpirun(f'exec {MPIRUN} "$@"'), os.path.join(folder, "mpirun"))
        path = folder + ":" + os.environ["PATH"]
        _, err = self.run_job("-n", "2", "-v", PROGRAM, env={"PATH": path, "UPCR_MPI_LIBRARY": "auto"}, err=None)
        self.assertIn(f"by {folder}/mpirun ({NAME}", err)

    def test_mpirun_that_starts_nothing(self):
        slow = {"UPCRUN_START_TIMEOUT": "2"}
        _, err = self.run_job("-n", "2", MEMBER, "wait", env={**slow, "UPCR_MPIRUN": self.fake_mpirun("exec sleep 1000")},
                              status=1, err="not answered within 2 s of mpirun's start")
        self.assertIn("upcrun: host localhost has", err)
        # One process of two is missing; also where a batch system names the hosts.
        one = self.fake_mpirun('PMI_RANK=0 PMI_SIZE=2 "${agent[@]}" & exec sleep 1000')
        _, err = self.run_job("-n", "2", MEMBER, "wait", env={**slow, "UPCR_MPIRUN": one}, status=1,
                              err="not answered within 2 s of the last answer of another process")
        self.assertIn("upcrun: host localhost (1 of 2 processes) has", err)
        self.run_job("-n", "2", MEMBER, "wait", env={**slow, "UPCR_MPIRUN": one, "SLURM_JOB_ID": "7"}, status=1,
                     err="upcrun: 1 of 2 processes have not answered within 2 s")

    def test_program_that_is_not_mpirun(self):
        self.run_job("-n", "2", "true", env={"UPCR_MPIRUN": self.fake_mpirun('exec "${agent[@]}"')}, status=1,
                     err="its rank is unknown (OMPI_COMM_WORLD_RANK, PMI_RANK")
        self.run_job("-n", "2", "true", status=1, err="it was started as one of 1 processes, not of 2",
                     env={"UPCR_MPIRUN": self.fake_mpirun('PMI_RANK=0 PMI_SIZE=1 exec "${agent[@]}"')})
        self.run_job("-n", "2", "true", env={"UPCR_MPIRUN": self.fake_mpirun("echo no luck; exit 7")}, status=7,
                     err="ended with status 7 while 2 of 2 processes were not started; it said:\nno luck\n")
        self.run_job("-n", "2", MEMBER, "wait", status=1, err="1 of 2 processes were not started", env={
            "UPCR_MPIRUN": self.fake_mpirun('PMI_RANK=0 PMI_SIZE=2 "${agent[@]}" & sleep 1; exit 0')})


class Ends(Mpi):
    def test_mpirun_does_not_end(self):
        hangs = self.script(f'#!/bin/bash\n{MPIRUN} "$@"\n[ "$1" = --version ] || exec sleep 1000\n')
        self.run_job("-n", "2", MEMBER, "collectives", env={"UPCR_MPIRUN": hangs},
                     err="upcrun: all processes have ended, but mpirun has not within 10 s after them; it gets SIGTERM")

    def test_kill_mpirun(self):
        with self.ready(3) as job:
            for pid in job.launchers(LAUNCHER):
                kill(pid)
            self.assertEqual(job.wait(60), 137)
            self.assertIn(f"upcrun: {MPIRUN} was killed by signal 9 (Killed) while 3 of 3 processes had not ended",
                          job.stderr())
            job.wait_until_gone()

    def test_kill_an_agent(self):
        with self.ready(3) as job:
            kill(self.agents(job)[1])
            # mpirun's own status, if it ends before upcrun stops waiting for that
            self.assertIn(job.wait(60), ({"openmpi": 137, "mpich": 9}[LIBRARY], 1))
            self.assertRegex(job.stderr(), r"UPC thread \d \(rank \d, pid \d+, host \S+\) (is gone|cannot be reached)")
            job.wait_until_gone()

    def test_kill_the_daemon_of_a_host(self):
        daemon = {"openmpi": "orterun", "mpich": "hydra_pmi_proxy"}[LIBRARY]  # that of mpirun's own host
        with self.ready(2) as job:
            for pid in job.launchers(daemon):
                kill(pid)
            self.assertNotEqual(job.wait(60), 0)
            self.assertNotEqual(job.stderr(), "")
            job.wait_until_gone()

    def test_mpirun_gets_a_signal(self):
        with self.ready(2) as job:
            for pid in job.launchers(LAUNCHER):
                os.kill(pid, signal.SIGTERM)
            self.assertNotEqual(job.wait(60), 0)
            self.assertNotEqual(job.stderr(), "")
            job.wait_until_gone()

    def test_agents_get_a_signal(self):
        """Open MPI's mpirun hands SIGUSR1 on, as batch systems do before a time limit."""
        with self.ready(2) as job:
            for pid in self.agents(job):
                os.kill(pid, signal.SIGUSR1)
            self.assertNotEqual(job.wait(60), 0)
            self.assertIn("was told to end by signal 10 (SIGUSR1, User defined signal 1), from mpirun or from outside",
                          job.stderr())
            job.wait_until_gone()

    def test_both_of_upcrun(self):
        with self.ready(3) as job:
            for pid in job.processes()[:2]:
                kill(pid)
            job.wait_until_gone()

    def test_timeout(self):
        _, err = self.run_job("-n", "2", "--timeout", "2", MEMBER, "late", "1", status=124, err="within 2 s")
        self.assertRegex(err, r"UPC thread 1 \(rank 1, pid \d+, host \S+\) is running")

    def test_cannot_run(self):
        self.run_job("-n", "2", self.script("#!/no/such/interpreter\n"), status=127,
                     err="cannot run the program: No such file or directory (the interpreter that it names is missing)")


class Files(Mpi):
    """The files that mpirun keeps while it runs are gone after any end that leaves it time to remove them."""

    def setUp(self):
        super().setUp()
        self.session = os.path.join(self.folder, "session")
        os.mkdir(self.session)
        # Open MPI's mpirun has its files in TMPDIR. Files of MPICH's there would be found as well.
        self.place = {"TMPDIR": self.session, "OMPI_MCA_orte_tmpdir_base": self.session}

    def slow_mpirun(self, before="", pause="sleep 2"):
        """An mpirun with a file that it removes some time after its processes have ended."""
        return self.fake_mpirun(f'{before}\ntouch {self.session}/file; {MPIRUN} "$@" & trap "" TERM; wait; wait\n'
                              f'{pause}; rm {self.session}/file')

    fake_mpirun = Libraries.fake_mpirun

    def test_what_mpirun_left_behind(self):
        """A background process of mpirun's gets the grace period of other background processes, not that of mpirun."""
        left = self.fake_mpirun(f'(trap "" TERM; while kill -0 $$; do sleep 0.1; done; sleep 4; touch {self.session}/late) '
                              f'> {self.session}/said 2>&1 &\nexec {MPIRUN} "$@"')
        self.run_job("-n", "2", MEMBER, "collectives", env={**self.place, "UPCR_MPIRUN": left}, err=None)
        self.assertIn("said", os.listdir(self.session))
        self.assertNotIn("late", os.listdir(self.session))

    def monitor(self, job):
        """The pid of the monitor: upcrun's process between the launcher and mpirun."""
        launcher = job.processes()[1]
        found = [p for p in children(launcher) if executable(p) == "upcrun"]
        self.assertEqual(len(found), 1)
        return found[0]

    def test_launcher_killed(self):
        for mpirun in MPIRUN, self.slow_mpirun():
            with self.ready(2, env={**self.place, "UPCR_MPIRUN": mpirun}) as job:
                if mpirun != MPIRUN or LIBRARY == "openmpi":
                    self.assertNotEqual(os.listdir(self.session), [])
                kill(job.processes()[1])
                self.assertEqual(job.wait(60), 137)
                job.wait_until_gone()
                self.assertEqual(os.listdir(self.session), [])

    def test_only_mpirun_has_a_grace_period(self):
        """Only mpirun and its monitor get a longer grace period, not a process with the monitor's name. Here mpirun waits
        for such a process, and must be able to exit before its own grace period is over."""
        other = os.path.join(self.folder, "upcrun-monitor")
        shutil.copy(shutil.which("sleep"), other)
        pid = os.path.join(self.folder, "orphan")
        orphan = f'(trap "" TERM; {other} 1000 < /dev/null > /dev/null 2>&1 & echo $! > {pid})'
        pause = f'while kill -0 $(cat {pid}) 2> /dev/null; do sleep 0.05; done'
        for which in self.monitor, lambda job: job.processes()[1]:
            with self.ready(2, env={**self.place, "UPCR_MPIRUN": self.slow_mpirun(orphan, pause)}) as job:
                self.assertEqual(len(job.launchers("upcrun-monitor")), 1)
                kill(which(job))
                job.wait_until_gone()
                self.assertEqual(os.listdir(self.session), [])
                self.assertEqual(job.wait(60), 137)

    def test_guard_killed_after_the_launcher(self):
        """The monitor gets a signal for each of its two parents that die, and mpirun its full grace period nevertheless."""
        received = os.path.join(self.session, "received")
        mpirun = self.fake_mpirun(f'{MPIRUN} "$@" & trap "touch {received}" TERM; wait; wait; sleep 1')
        with self.ready(2, env={**self.place, "UPCR_MPIRUN": mpirun}) as job:
            guard, launcher, _ = job.processes()
            monitor = self.monitor(job)
            start = time.monotonic()
            kill(launcher)
            wait_for("the monitor's adoption", lambda: monitor in children(guard) or job.process.poll() is not None)
            time.sleep(0.1)  # the monitor has received the first signal
            kill(guard)
            job.wait_until_gone()
            if time.monotonic() - start < 3:  # else the grace period may be over
                self.assertFalse(os.path.exists(received), "mpirun got SIGTERM at once")

    def test_guard_killed(self):
        with self.ready(2, env={**self.place, "UPCR_MPIRUN": self.slow_mpirun()}) as job:
            kill(job.processes()[0])
            job.wait_until_gone()
            self.assertEqual(os.listdir(self.session), [])

    def test_monitor_killed(self):
        with self.ready(2, env=self.place) as job:
            monitor = self.monitor(job)
            kill(monitor)
            self.assertEqual(job.wait(60), 137)
            self.assertIn(f"upcrun's monitor of {MPIRUN} (pid {monitor}) was killed by signal 9 (Killed)",
                          job.stderr())
            job.wait_until_gone()
            self.assertEqual(os.listdir(self.session), [])


class Unauthenticated(Mpi):
    def test_are_rejected(self):
        with self.ready(2, "-v") as job:
            port = int(re.search(r"listening on port (\d+)", job.stderr()).group(1))
            address = ("127.0.0.1", port)

            def frame(word, payload):
                return struct.pack("=IiII", word, 1, len(payload), 0) + payload

            def connected():
                s = socket.create_connection(address)
                s.settimeout(60)
                return s

            idle = [connected() for _ in range(100)]  # more than upcrun keeps
            for words in (b"GET / HTTP/1.0\r\n\r\n", b"\0" * 1000, frame(2, b"nonsense"),
                          struct.pack("=IiII", 2, 1, 1 << 30, 0),  # announces a gigabyte
                          frame(100, b"00000000"), frame(2, b"upcr;2;" + b"0" * 32 + b";0;2;1;here")):
                with self.subTest(words[:40]):
                    s = connected()
                    s.sendall(words)
                    try:
                        self.assertEqual(s.recv(1), b"")
                    except ConnectionResetError:
                        pass
                    s.close()
            job.wait_for_error("too many connections that do not authenticate", 1)
            job.wait_for_error("it is no part of a job", 5)
            for s in idle:
                s.close()
            self.assertEqual(len(job.processes()[2]), 2)  # the job continues
            job.process.terminate()
            self.assertEqual(job.wait(60), -signal.SIGTERM)

    def test_many_before_the_agents_connect(self):
        """Many connections, kept open or not, with data or without, that begin before the agents connect."""
        flood = self.script(f"""#!{sys.executable}
import os, resource, socket, sys, time
port, parent = int(sys.argv[1]), os.getppid()
resource.setrlimit(resource.RLIMIT_NOFILE, (1000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
kept, n = [], 0
while os.getppid() == parent:
    try:
        kept.append(socket.create_connection(("127.0.0.1", port)))
        if n % 4 == 0: kept[-1].send(b"x")
        if n % 4 == 1: kept.pop().close()
        n += 1
        if n == 500: print("started", flush=True)
    except OSError:
        pass
    if len(kept) > 900: kept = kept[500:]
""")
        late = self.script(f'''#!/bin/bash
[ "$1" = --version ] && exec {MPIRUN} --version
port=${{UPCR_AGENT#1;*;*;}} port=${{port%%;*}}
{flood} $port > {self.folder}/flood & other=$!
until grep -q started {self.folder}/flood; do sleep 0.1; done
{MPIRUN} "$@"; status=$?
kill $other
exit $status
''')
        self.run_job("-n", "3", MEMBER, "collectives", env={"UPCR_MPIRUN": late})


class Hosts(Mpi):
    def test_wrong_use(self):
        file = os.path.join(self.folder, "hosts")
        with open(file, "w") as f:
            f.write("# comment\n\na slots=2\nb slots=two\n")
        for words, part in [
            (["-H", "a,b:2"], "5 processes, but the hosts have 3 slots"),
            (["-H", "a,,b"], "-H a,,b: '' is not a host name"),
            (["-H", "a:0"], "'0' is not a number of processes"),
            (["-H", "a;b"], "is not a host name"),
            (["-H", "-x"], "is not a host name"),
            (["-H", "[fd00::1]:2,a:3"], "host 'fd00::1' is an IPv6 address"),
            (["-H", "a", "--hostfile", file], "both name the hosts"),
            (["--hostfile", file], f"{file}:4: 'two' is not a number of processes"),
            (["--hostfile", file + "x"], "cannot be read"),
        ]:
            with self.subTest(words):
                self.run_job("-n", "5", *words, "true", status=2, err=part)
        self.run_job("-n", "2", "true", env={"UPCR_LAUNCH_IFACE": "nonsense0"}, status=2, err="no interface or address 'nonsense0'")
        self.run_program(UPCRUN, "-n", "2", "--conduit", "smp", "-H", "a", "true", status=2,
                         err="-H is for conduits that reach other hosts")

    def test_no_loopback(self):
        if not permitted("-n"):
            self.skipTest("namespaces are not permitted here")
        self.run_program("unshare", "-n", UPCRUN, *self.launch_options, "-n", "2", "true", env=self.settings, status=1,
                         err="this host has no loopback interface with 127.0.0.1")

    def test_localhost(self):
        self.run_program(UPCRUN, "-n", "2", "-H", "localhost", MEMBER, "collectives", env=self.settings)
        self.run_job("-n", "3", "-H", "localhost", MEMBER, "collectives")
        self.run_job("-n", "3", "-H", "localhost:2,localhost", MEMBER, "collectives")
        self.run_job("-n", "2", MEMBER, "collectives", env={"UPCR_LAUNCH_IFACE": "lo"})

    def enter(self, more="", *options):
        """A remote shell to hosts that are this host by other names, which also runs `more`. As with ssh, no variables are
        passed on, except the mark by which the job's processes are found."""
        if not permitted("-u", *options):
            self.skipTest("namespaces are not permitted here")
        return self.script('#!/bin/sh\nwhile case $1 in -*) true;; *) false;; esac; do shift; done\nhost=$1; shift\n'
                           f'exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root JOB_MARK="$JOB_MARK" '
                           f'unshare -u {" ".join(options)} /bin/sh -c "hostname $host; {more} $*"\n')

    SHOW = ["sh", "-c", "r=${UPCR_JOB#*rank=}; echo $(hostname) ${r%%,*}"]

    def test_ranks_are_distributed_in_blocks(self):
        rsh = self.enter()
        file = os.path.join(self.folder, "hosts")
        with open(file, "w") as f:
            f.write("h1 slots=1  # one\n\n   h2 slots=3\nh3\n")
        for hosts, expected in [(["-H", "h1,h2"], "h1 0,h1 1,h1 2,h2 3,h2 4"),
                                (["-H", "h2:1,h1:4"], "h1 1,h1 2,h1 3,h1 4,h2 0"),
                                (["--hostfile", file], "h1 0,h2 1,h2 2,h2 3,h3 4")]:
            with self.subTest(hosts):
                out, _ = self.run_job("-n", "5", *hosts, "--rsh", rsh, *self.SHOW)
                self.assertEqual(sorted(out.splitlines()), expected.split(","))

    def test_gasnetrun(self):
        rsh = self.enter()
        gasnetrun = os.path.join(os.path.dirname(UPCRUN), "gasnetrun_mpi")
        out, _ = self.run_program(gasnetrun, "-n", "4", "-N", "2", "-E", "PATH,HOME", "-H", "h1:9,h2:9,h3:9", "--rsh", rsh,
                                  *self.SHOW, env=self.settings)
        self.assertEqual(sorted(out.splitlines()), ["h1 0", "h1 1", "h2 2", "h2 3"])

    def test_program_is_not_on_a_host(self):
        folder = os.path.join(self.folder, "programs")
        os.mkdir(folder)
        program = shutil.copy(shutil.which("true"), folder)
        hide = f"case \\$(hostname) in h2) mount -t tmpfs none {folder};; esac;"
        rsh = self.enter(hide, "-m")
        self.run_job("-n", "2", "-H", "h1,h2", "--rsh", rsh, program, status=127, cwd="/",
                     err=f"rank 1 on host h2: cannot run '{program}': No such file or directory")

    def test_host_is_not_reached(self):
        no = self.script("#!/bin/sh\necho cannot go there >&2\nexit 255\n")
        _, err = self.run_job("-n", "2", "-H", "h1,h2", "--rsh", no, "true", err="cannot go there",
                              status=1 if LIBRARY == "mpich" else None)  # Open MPI's mpirun has many
        if LIBRARY == "mpich":
            self.assertRegex(err, r"upcrun: host h[12]: it cannot be reached: .* ended with status 255; it said:")
        else:
            self.assertRegex(err, f"upcrun: {MPIRUN} ended with status [1-9].* 2 of 2 processes were not started; it said:")

    def test_upcrun_on_the_own_host(self):
        """Variables for mpirun's remote shell must not reach a job inside the job."""
        rsh = self.enter()
        inner = f'env | grep -E "^UPCR_(AGENT|REACH)|LAUNCHER_EXTRA"; {UPCRUN} -n 1 echo inner'
        out, _ = self.run_job("-n", "2", "-H", f"{socket.gethostname()},h2", "--rsh", rsh, "sh", "-c", inner,
                              env={"HYDRA_LAUNCHER_EXTRA_ARGS": "-q"})
        self.assertEqual(sorted(out.splitlines()), ["HYDRA_LAUNCHER_EXTRA_ARGS=-q"] * 2 + ["inner"] * 2)

    def test_variable_that_does_not_arrive(self):
        without = self.script(f'#!/bin/sh\n[ "$1" = --version ] && exec {MPIRUN} --version\nunset UPCR_AGENT\n'
                              f'exec {MPIRUN} "$@"\n')
        self.run_job("-n", "1", "true", env={"UPCR_MPIRUN": without}, status=None,
                     err="that variable has not arrived on host " + socket.gethostname())

    def test_remote_shell_with_a_colon(self):
        if LIBRARY != "openmpi":
            self.skipTest("a matter of Open MPI's")
        self.run_job("-n", "2", "-H", "h1,h2", "--rsh", "/a:b", "true", status=2, err="--rsh '/a:b' has a colon")

    def test_remote_shell_with_arguments(self):
        out, _ = self.run_job("-n", "2", "-H", "h1,h2", "--rsh", f"{self.enter()} -x -y", *self.SHOW)
        self.assertEqual(sorted(out.splitlines()), ["h1 0", "h2 1"])


if __name__ == "__main__":
    if shutil.which(MPIRUN) is None or not PROGRAM:
        print(f"SKIP: no {NAME} here")
        sys.exit(77)
    main(together=True)
