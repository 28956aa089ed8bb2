# SPDX-License-Identifier: BSD-3-Clause
"""Jobs on two hosts without mpirun (tests/hosts/with_hosts.sh runs this): an agent on each host, brought there by
what stands for ssh; who gets which ranks, what goes to and fro, how jobs end, and what is said when a host cannot
be reached. The programs use the bootstrap alone: the conduit, ibv, is named and never loaded."""
import os
import re
import signal
import socket
import subprocess

from support import DEADLINE, MEMBER, UPCRUN, Case, kill, main, processes_with, wait_for

AGENT = os.environ["HOSTS_AGENT"]
CONDUIT = ["--conduit", "ibv"]
LINE = re.compile(r"(\d+) (\d+) 1;([0-9a-f]{16});([0-9a-f]{32});(\d+);(.*)\n")  # what an agent reads


class TwoHosts(Case):
    launch_options = CONDUIT
    settings = {"UPCRUN_RSH": AGENT}

    def ready(self, hosts="h1:2,h2:2", *options):
        job = self.start_job("-H", hosts, *options, "-n", "4", MEMBER, "wait")
        job.wait_for_output("ready", 4)
        return job

    def test_signals_for_the_programs(self):
        script = """trap 'echo first' USR1; trap 'echo second; exit 0' USR2; echo ready; while :; do sleep 0.05; done"""
        with self.start_job("-H", "h1:2,h2:2", "-n", "4", "sh", "-c", script) as job:
            job.wait_for_output("ready", 4)
            job.process.send_signal(signal.SIGUSR1)
            job.wait_for_output("first", 4)
            job.process.send_signal(signal.SIGTSTP)
            _, status = os.waitpid(job.process.pid, os.WUNTRACED)
            self.assertTrue(os.WIFSTOPPED(status), status)
            job.process.send_signal(signal.SIGCONT)
            job.process.send_signal(signal.SIGUSR2)
            self.assertEqual(job.wait(20), 0, job.stderr())
            self.assertEqual(job.stdout().count("second"), 4)

    def rsh(self, before="", run=f'exec {AGENT} "$@"'):
        """A command in the place of ssh that first runs a script and records its arguments."""
        path = os.path.join(self.folder, "calls")
        return self.script(f'#!/bin/sh\necho "$@" >> {path}\n{before}\n{run}\n'), path


class Shares(TwoHosts):
    def hosts_of(self, *options, n=5):
        out, _ = self.run_job(*options, "-n", str(n), "--label", "hostname")
        return " ".join(re.sub(r"\[(.*)\] (.*)", r"\1:\2", line) for line in sorted(out.splitlines()))

    def test_blocks(self):
        self.assertEqual(self.hosts_of("-H", "h1,h2"), "0:h1 1:h1 2:h1 3:h2 4:h2")
        self.assertEqual(self.hosts_of("-H", "h2:1,h1:4"), "0:h2 1:h1 2:h1 3:h1 4:h1")
        self.assertEqual(self.hosts_of("-H", "h1,h2", "--pthreads", "2"), "0-1:h1 2-3:h1 4:h2")

    def test_hostfile(self):
        path = os.path.join(self.folder, "hosts")
        with open(path, "w") as f:
            f.write("# two\nh2 slots=2\n\nh1 slots=3\n")
        self.assertEqual(self.hosts_of("--hostfile", path), "0:h2 1:h2 2:h1 3:h1 4:h1")

    def test_too_few_slots(self):
        self.run_job("-H", "h1,h2:2", "-n", "5", "true", status=2, err="5 processes, but the hosts have 3 slots")

    def test_this_host_needs_no_ssh(self):
        rsh, calls = self.rsh()
        for name in ("localhost", "front", "10.77.0.254"):
            self.assertEqual(self.hosts_of("-H", f"h1:1,{name}:2", "--rsh", rsh, n=3), "0:h1 1:front 2:front")
        with open(calls) as f:
            self.assertEqual([line.split()[0] for line in f], ["h1"] * 3)
        # All hosts are this one: a job like any other on one host.
        _, err = self.run_job("-H", "localhost", "--rsh", "false", "-v", "-n", "2", MEMBER, "collectives", err=None)
        self.assertNotIn("listening", err)

    def test_one_command_for_each_host(self):
        rsh, calls = self.rsh()
        self.run_job("-H", "h1:3,h2:2", "--rsh", rsh, "-n", "5", MEMBER, "collectives")
        with open(calls) as f:
            self.assertEqual(sorted(f.read().splitlines()), [f"h{i} {UPCRUN} --agent -" for i in (1, 2)])

    def test_the_command_from_the_environment(self):
        self.run_program(UPCRUN, *CONDUIT, "-H", "h1,h2", "-n", "2", MEMBER, "collectives", env={"UPCRUN_RSH": AGENT})
        self.run_program(UPCRUN, *CONDUIT, "-n", "2", MEMBER, "collectives", env={"UPCRUN_RSH": "false"})

    def test_many_hosts(self):
        """More hosts than remote shells run at the same time. All names are one host, which is reported."""
        hosts = ",".join(f"n{i}" for i in range(40))
        _, err = self.run_job("-H", hosts, "--rsh", self.rsh(run=f'shift; exec {AGENT} h1 "$@"')[0], "-n", "40",
                              MEMBER, "collectives", err=None)
        self.assertEqual(len(re.findall(r"upcrun: n\d+ and n\d+ are the same host \(h1\)", err)), 39, err)

    def test_cpus(self):
        """The processes of each host are bound to its CPUs. The hosts of this test have the same."""
        _, err = self.run_job("-H", "h1:1,h2:2", "-v", "-n", "3", "--bind", "none", "true", err=None)
        self.assertEqual(len(re.findall(r"rank \d: pid \d+, host h\d, UPC thread \d, not bound", err)), 3)
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("one CPU")
        _, err = self.run_job("-H", "h1:1,h2:2", "-v", "-n", "3", "--bind", "core", "true", err=None)
        cpus = dict(re.findall(r"rank (\d): .*, CPU (\d+)", err))
        self.assertEqual(sorted(cpus), ["0", "1", "2"])
        self.assertNotEqual(cpus["1"], cpus["2"])


class Traffic(TwoHosts):
    def test_collectives(self):
        self.run_job("-H", "h1:2,h2:3", "-n", "5", MEMBER, "collectives")

    def test_shape(self):
        out, _ = self.run_job("-H", "h1:1,h2:2", "-n", "5", "--pthreads", "2", MEMBER, "shape")
        self.assertEqual(sorted(out.splitlines()),
                         [f"rank {r} of 3: threads {2 - r // 2} of 5 from {2 * r}, launcher 1, given 1 1"
                          for r in range(3)])

    def test_input(self):
        text = b"".join(b"line %d\n" % i for i in range(100_000))
        self.run_job("-H", "h1:2,h2", "-n", "3", "cat", input=text, out=text.decode())

    def test_much_output(self):
        """More output than may be in flight, from processes that share an agent."""
        out, _ = self.run_job("-H", "h1,h2", "-n", "4", "--label", "sh", "-c", "seq 200000")
        lines = [f"{i}" for i in range(1, 200_001)]
        of = {str(rank): [] for rank in range(4)}
        for line in out.splitlines():
            of[line[1]].append(line[4:])
        for rank in of:
            self.assertEqual(of[rank], lines)

    def test_streams(self):
        out, err = self.run_job("-H", "h1,h2", "-n", "4", MEMBER, "streams", err=None)
        self.assertEqual((out.count("out"), err.count("err")), (80, 80))

    def test_environment_and_folder(self):
        folder = os.path.join(self.folder, "a b")
        os.mkdir(folder)
        with open(os.path.join(folder, "show"), "w") as f:
            f.write('#!/bin/sh\necho "$VALUE|$PWD|$0|$1|$UPCR_CONDUIT|$UPC_SHARED_HEAP_SIZE|$UPCR_AGENT"\n')
        os.chmod(f.name, 0o755)
        out, _ = self.run_job("-H", "h1,h2", "-n", "2", "--shared-heap", "12MB", "./show", "x  'y",
                              env={"VALUE": "a 'b' \"c\" $d"}, cwd=folder)
        self.assertEqual(out.splitlines(), [f"a 'b' \"c\" $d|{folder}|./show|x  'y|ibv|12MB|"] * 2)


class Secret(TwoHosts):
    def test_on_no_command_line(self):
        """The secret is not in any environment that ps can show either: it is passed through standard input."""
        lines_file = os.path.join(self.folder, "lines")
        rsh, _ = self.rsh(before=f'read -r line; echo "$line" >> {lines_file}', run=f'echo "$line" | {AGENT} "$@"')
        job = self.start_job("-H", "h1:2,h2:2", "--rsh", rsh, "-n", "4", MEMBER, "wait")
        with job:
            job.wait_for_output("ready", 4)
            with open(lines_file) as f:
                lines = sorted(LINE.fullmatch(line).groups() for line in f)
            self.assertEqual([line[:2] for line in lines], [("0", "2"), ("2", "2")])
            self.assertEqual(len({line[2:] for line in lines}), 1)
            greeting, secret = (text.encode() for text in lines[0][2:4])
            for pid in processes_with(job.mark):
                for what in ("cmdline", "environ"):
                    with open(f"/proc/{pid}/{what}", "rb") as f:
                        shown = f.read()
                    self.assertNotIn(secret, shown)
                    self.assertNotIn(greeting, shown)
            os.kill(job.process.pid, signal.SIGTERM)
            job.wait()

    def test_unauthenticated_clients(self):
        """A client without the secret is rejected, and the job goes on, before its agents have connected and after."""
        gate = os.path.join(self.folder, "gate")
        os.mkfifo(gate)
        rsh, _ = self.rsh(before=f'test $1 = h1 || cat {gate}')
        with self.start_job("-H", "h1:1,h2:1", "--rsh", rsh, "-v", "-n", "2", MEMBER, "wait") as job:
            job.wait_for_error("listening on port", 1)
            port = int(re.search(r"listening on port (\d+)", job.stderr())[1])
            self.disturb(job, port)
            with open(gate, "w"):
                pass
            job.wait_for_output("ready", 2)
            self.disturb(job, port)
            os.kill(job.process.pid, signal.SIGTERM)
            self.assertEqual(job.wait(), -signal.SIGTERM, job.stderr())

    def disturb(self, job, port):
        before = job.stderr().count("refused a connection")
        said = [b"GET / HTTP/1.1\r\n\r\n", os.urandom(600), b"", None]
        open_ones = []
        for words in said:
            client = socket.create_connection(("10.77.0.254", port))
            open_ones.append(client)
            if words:
                client.sendall(words)
            if words is not None:
                client.shutdown(socket.SHUT_WR)
        job.wait_for_error("refused a connection", before + len(said))
        for client in open_ones:
            client.close()


class Ends(TwoHosts):
    def test_statuses(self):
        self.run_job("-H", "h1,h2", "-n", "4", MEMBER, "status", "0", "4", status=13)
        out, _ = self.run_job("-H", "h1,h2", "-n", "4", MEMBER, "buffered", "3", "6", status=6)
        self.assertEqual(sorted(out.splitlines()), [f"buffered line of {i}" for i in range(4)])

    def test_killed_there(self):
        for rank in (2, 3):
            self.run_job("-H", "h1,h2", "-n", "4", MEMBER, "signal", str(rank), "9", status=137,
                         err=f"UPC thread {rank} (rank {rank}, pid ")

    def test_lost_peer_that_is_alive_there(self):
        self.run_job("-H", "h1,h2", "-n", "4", MEMBER, "peer-lost", "3")

    def test_slow_report_of_an_error_there(self):
        # The agents of both hosts stay until it is over.
        for hosts in "h1,h2", "h1:2,h2:2":
            _, err = self.run_job("-H", hosts, "-n", "4", MEMBER, "slow-error", "3", "3", status=255, err="the last error")
            self.assertIn("all of it\n", err)

    def test_exits_without_leaving_there(self):
        self.run_job("-H", "h1,h2", "-n", "4", MEMBER, "_exit", "3", "0", status=1, err="(rank 3, pid ")

    def test_program_that_is_missing_there(self):
        rsh, _ = self.rsh(run=f'h=$1; shift; test $h = h1 || rm {self.folder}/program; exec {AGENT} $h "$@"')
        program = os.path.join(self.folder, "program")
        os.symlink("/bin/true", program)
        self.run_job("-H", "h1,h2", "-n", "2", "--rsh", rsh, program, status=127, err="No such file or directory")

    def test_timeout(self):
        _, err = self.run_job("-H", "h1,h2", "-n", "2", "--timeout", "1", MEMBER, "late", status=124, err="--timeout")
        self.assertIn("host h2) waits for the others in start-up step 2", err)

    def test_interrupt(self):
        with self.ready() as job:
            os.kill(job.process.pid, signal.SIGINT)
            self.assertEqual(job.wait(), -signal.SIGINT)

    def test_agent_killed(self):
        with self.ready() as job:
            kill(max(p for p in job.launchers("upcrun") if self.is_agent(p)))
            self.assertEqual(job.wait(DEADLINE), 137)
            self.assertRegex(job.stderr(), r"host h[12]: agent.sh (ended with status 137|was killed by signal 9 \(Killed\)) while "
                             r"2 of 2 processes had not ended; UPC thread \d \(rank \d, pid \d+, host h[12]\) is gone")
            job.wait_until_gone()

    @staticmethod
    def is_agent(pid):
        with open(f"/proc/{pid}/cmdline", "rb") as f:
            return f.read().split(b"\0")[1:2] == [b"--agent"]

    # As with ssh, the remote shell and the agent are different processes.
    APART = f'exec 3<&0; {AGENT} "$@" <&3 & exec sleep 1000'

    def test_ssh_killed(self):
        with self.ready("h1:2,h2:2", "--rsh", self.rsh(run=self.APART)[0]) as job:
            kill(job.launchers("sleep")[0])
            self.assertEqual(job.wait(DEADLINE), 137)
            self.assertRegex(job.stderr(), r"host h\d: script\d was killed by signal 9 \(Killed\) while 2 of 2 processes had not ended")
            job.wait_until_gone()

    def test_upcrun_killed(self):
        for who in ((0,), (1,), (0, 1)):
            with self.ready("h1:2,localhost:1,h2:1") as job:
                launchers = job.processes()
                for i in who:
                    kill(launchers[i])
                job.wait_until_gone()

    def test_ssh_says_that_the_host_is_lost(self):
        """ssh exits with status 255 after the agent has connected and worked."""
        gone = os.path.join(self.folder, "gone")
        ssh = self.rsh(run=f'while case $1 in -*) ;; *) false;; esac; do case $1 in -[op]) shift;; esac; shift; done\n'
                           f'exec 3<&0; {AGENT} "$@" <&3 & until [ -e {gone} ]; do sleep 0.1; done; exit 255')[0]
        os.rename(ssh, os.path.join(self.folder, "ssh"))
        with self.ready("h1:2,h2:2", "--rsh", os.path.join(self.folder, "ssh")) as job:
            open(gone, "w").close()
            self.assertEqual(job.wait(DEADLINE), 125)
            self.assertRegex(job.stderr(), r"host h\d: ssh ended with status 255 while 2 of 2 processes had not ended")
            job.wait_until_gone()

    def test_network_cut(self):
        """No side closes the connection: TCP has to notice, on both sides."""
        with self.ready("h1:2,h3:2", "--rsh", self.rsh(run=self.APART)[0]) as job:
            subprocess.run(["ip", "link", "set", "port3", "down"], check=True)
            self.assertEqual(job.wait(120), 125)
            self.assertRegex(job.stderr(), r"\(rank [23], pid \d+, host h3\) cannot be reached any more")
            wait_for("nothing left on any host", lambda: not processes_with(job.mark), 120)


class Unreachable(TwoHosts):
    def refused(self, status, err, *options, hosts="h1,h2", env=None):
        return self.run_job("-H", hosts, *options, "-n", "4", MEMBER, "wait", status=status, err=err, env=env)

    def test_no_upcrun_there(self):
        self.refused(127, "there is no '/nowhere/upcrun' on it", env={"UPCRUN_AGENT": "/nowhere/upcrun"})
        self.refused(126, "'/etc/passwd' on it cannot be run", env={"UPCRUN_AGENT": "/etc/passwd"})

    def test_path_of_upcrun_there(self):
        place = os.path.join(self.folder, "it's there")
        os.symlink(UPCRUN, place)
        self.run_job("-H", "h1,h2", "-n", "4", MEMBER, "collectives", env={"UPCRUN_AGENT": place})

    def test_output_of_ssh(self):
        ssh = self.script("#!/bin/sh\necho Host key verification failed. >&2\nexit 255\n")
        os.rename(ssh, os.path.join(self.folder, "ssh"))
        _, err = self.run_program(UPCRUN, *CONDUIT, "-H", "h1,h2", "-n", "2", MEMBER, "wait", status=255,
                                  err="`ssh -o BatchMode=yes h", env={"PATH": self.folder + ":" + os.environ["PATH"]})
        self.assertRegex(err, r"host h\d: it cannot be reached; .* \(ssh ended with status 255\); it said:\n"
                              r"Host key verification failed\.\n$")

    def test_options_of_ssh(self):
        """ssh gets options that forbid questions and shared connections, also where the user has given ssh with options."""
        rsh, calls = self.rsh(run=f'while case $1 in -*) ;; *) false;; esac; do case $1 in -[op]) shift;; esac; shift; '
                                  f'done; exec {AGENT} "$@"')
        ssh = os.path.join(self.folder, "ssh")
        os.rename(rsh, ssh)
        path = {"PATH": self.folder + ":" + os.environ["PATH"], "UPCRUN_RSH": ""}
        for options, start in (((), "-x "), (("--rsh", "ssh -p 2222"), "-p 2222 -x "), (("--rsh", ssh), "-x ")):
            self.run_job("-H", "h1,localhost", *options, "-n", "2", MEMBER, "collectives", env=path)
            with open(calls) as f:
                said = f.read().splitlines()[-1]
            self.assertTrue(said.startswith(start), said)
            for option in ("BatchMode=yes", "ControlMaster=no", "ControlPath=none"):
                self.assertIn(f"-o {option} ", said)
        # Status 255 means an error of ssh's here, too.
        with open(ssh, "w") as f:
            f.write("#!/bin/sh\nexit 255\n")
        self.refused(255, "`ssh -p 2222 -o BatchMode=yes h", "--rsh", "ssh -p 2222", env=path)

    def test_no_ssh_here(self):
        self.run_program(UPCRUN, *CONDUIT, "-H", "h1,h2", "-n", "2", MEMBER, "wait", status=127,
                         err="there is no ssh in PATH", env={"PATH": self.folder})
        self.refused(127, "or 'rsh' cannot be found here", "--rsh", "/nowhere/rsh -x")

    def test_no_answer(self):
        rsh, _ = self.rsh(before="test $1 = h1 || exec sleep 1000")
        _, err = self.refused(1, "host h2 has not answered within 3 s", "--rsh", rsh, env={"UPCRUN_START_TIMEOUT": "3"})
        self.assertNotIn("host h1", err)

    def test_no_connection_back(self):
        self.refused(1, "cannot reach upcrun (127.0.0.1:", env={"UPCR_LAUNCH_IFACE": "lo"})

    def test_another_version(self):
        """Another version of upcrun on one host: it understands the line, connects and is rejected."""
        old = self.script("""#!/usr/bin/env python3
import socket, struct, sys, time
_, _, rest = sys.stdin.readline().split()
_, greeting, secret, port, address = rest.strip().split(";")[:5]
def send(word, text):
    link.sendall(struct.pack("<IiII", word, 0, len(text), 0) + text.encode())
link = socket.create_connection((address, int(port)))
send(100, greeting[:8])
link.recv(1000)
send(2, f"upcr;2;{secret};0;-1;1;h1")
time.sleep(1000)
""")
        self.refused(1, "it is an upcrun of another version (2, here 5); install the same version on every host",
                     env={"UPCRUN_AGENT": old})

    def test_conduits_of_one_host(self):
        self.run_program(UPCRUN, "--conduit", "smp", "-n", "2", "-H", "h1,h2", "true", status=2,
                         err="-H is for conduits that reach other hosts; use --conduit ibv, ofi or mpi")


if __name__ == "__main__":
    main(together=True)
