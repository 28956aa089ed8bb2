# SPDX-License-Identifier: BSD-3-Clause
"""Agents that are started as a tree (UPCRUN_FANOUT), on ten hosts (tests/hosts/with_hosts.sh runs this): upcrun
starts agents on two of them at most, these on two others each, and so on, so that the last ones are three levels
away. What a job does, and what is said when it fails, does not depend on the tree."""
import os
import re
import signal
import subprocess

from support import DEADLINE, MEMBER, Case, executable, kill, main, processes_with, wait_for

AGENT = os.environ["HOSTS_AGENT"]
HOSTS = [f"h{i}" for i in range(1, 8)]
ALL = ",".join(HOSTS)


class Tree(Case):
    launch_options = ["--conduit", "ibv"]
    settings = {"UPCRUN_RSH": AGENT, "UPCRUN_FANOUT": "2"}

    def ready(self, *options, n=14, hosts=ALL):
        job = self.start_job("-H", hosts, *options, "-n", str(n), MEMBER, "wait")
        job.wait_for_output("ready", n)
        return job

    @staticmethod
    def commands(job):
        """By pid, the command lines of the job's agents and relays."""
        found = {}
        for pid in job.launchers("upcrun"):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as f:
                    if f.read().split(b"\0")[1:2] == [b"--agent"]:
                        found[pid] = os.readlink(f"/proc/{pid}/ns/net")
            except OSError:
                pass
        return found

    def agents(self, job):
        """(the pids of relays, of agents) of the job. A relay has agents or remote shells below it, but no program."""
        mine = self.commands(job)
        programs = [pid for pid in job.processes()[2] if executable(pid) == os.path.basename(MEMBER)]
        agents = [pid for pid in mine if any(self.parent(p) == pid for p in programs)]
        return [pid for pid in mine if pid not in agents], agents

    @staticmethod
    def parent(pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
                return int(f.read().rpartition(")")[2].split()[1])
        except OSError:
            return 0


class Works(Tree):
    def test_shares(self):
        """Ranks are dealt to hosts as without a tree."""
        out, _ = self.run_job("-H", ALL, "-n", "10", "--label", "hostname")
        shown = sorted((int(r), h) for r, h in re.findall(r"\[(\d+)\] (h\d)", out))
        self.assertEqual(shown, list(enumerate(h for i, h in enumerate(HOSTS) for _ in range(2 if i < 3 else 1))))

    def test_collectives(self):
        self.run_job("-H", ALL, "-n", "9", MEMBER, "collectives")

    def test_one_copy_for_each_host(self):
        """256 processes: those of a host have mapped one file, read-only, and hosts have different ones."""
        out, _ = self.run_job("-H", ALL, "-n", "256", "--label", "--bind", "none", MEMBER, "tables")
        tables = re.findall(r"\[(\d+)\] table (\d+) (\S+)", out)
        self.assertEqual(len(tables), 256, out[:1000])
        self.assertEqual({access for _, _, access in tables}, {"r--s"})
        files = {}
        for rank, inode, _ in tables:
            files.setdefault(inode, []).append(int(rank))
        shares = [37] * 4 + [36] * 3
        first = [sum(shares[:i]) for i in range(7)]
        self.assertEqual(sorted(sorted(ranks) for ranks in files.values()),
                         [list(range(f, f + n)) for f, n in zip(first, shares)])

    def test_depth(self):
        """upcrun is the parent's parent's ... of agents three levels away, and starts two remote shells."""
        calls = os.path.join(self.folder, "calls")
        rsh = self.script(f'#!/bin/sh\necho "$(hostname) starts $1" >> {calls}\nexec {AGENT} "$@"\n')
        self.run_job("-H", ALL, "--rsh", rsh, "-n", "7", MEMBER, "tables", out=None)
        with open(calls, encoding="utf-8") as f:
            self.assertEqual(sorted(f.read().splitlines()),
                             ["front starts h1", "front starts h4", "h1 starts h2", "h1 starts h3", "h4 starts h5",
                              "h4 starts h6", "h6 starts h7"])

    def test_input_and_output(self):
        text = b"".join(b"line %d\n" % i for i in range(20_000))
        self.run_job("-H", ALL, "-n", "7", "cat", input=text, out=text.decode())
        out, _ = self.run_job("-H", ALL, "-n", "7", "--label", "sh", "-c", "seq 5000; seq 1000 >&2", err=None)
        for rank in range(7):
            self.assertEqual([line[4:] for line in out.splitlines() if line[1] == str(rank)],
                             [str(i) for i in range(1, 5001)])

    def test_signals(self):
        script = "trap 'echo first' USR1; trap 'echo second; exit 0' USR2; echo ready; while :; do sleep 0.05; done"
        with self.start_job("-H", ALL, "-n", "7", "sh", "-c", script) as job:
            job.wait_for_output("ready", 7)
            job.process.send_signal(signal.SIGUSR1)
            job.wait_for_output("first", 7)
            job.process.send_signal(signal.SIGUSR2)
            self.assertEqual(job.wait(DEADLINE), 0, job.stderr())
            self.assertEqual(job.stdout().count("second"), 7)

    def test_same_host_under_two_names(self):
        one = self.script(f'#!/bin/sh\nshift\nexec {AGENT} h1 "$@"\n')
        _, err = self.run_job("-H", "a,b,c,d,e", "--rsh", one, "-n", "5", MEMBER, "collectives", err=None)
        self.assertEqual(len(re.findall(r"upcrun: \w and \w are the same host \(h1\)", err)), 4, err)


class Ends(Tree):
    def test_statuses(self):
        self.run_job("-H", ALL, "-n", "7", MEMBER, "status", "0", "7", status=16)
        out, _ = self.run_job("-H", ALL, "-n", "7", MEMBER, "buffered", "6", "6", status=6)
        self.assertEqual(sorted(out.splitlines()), [f"buffered line of {i}" for i in range(7)])

    def test_killed_there(self):
        for rank in (3, 6):
            self.run_job("-H", ALL, "-n", "7", MEMBER, "signal", str(rank), "9", status=137,
                         err=f"UPC thread {rank} (rank {rank}, pid ")

    def test_mistake_there(self):
        self.run_job("-H", ALL, "-n", "14", MEMBER, "wrong-collective", "13", status=1,
                     err="takes part in another collective than the others")

    def test_lost_peer_that_is_alive_there(self):
        self.run_job("-H", ALL, "-n", "7", MEMBER, "peer-lost", "6")

    def test_slow_report_of_an_error_there(self):
        _, err = self.run_job("-H", ALL, "-n", "7", MEMBER, "slow-error", "6", "3", status=255, err="the last error")
        self.assertIn("all of it\n", err)

    def test_timeout(self):
        """The message says who waits, and for what, three levels away."""
        _, err = self.run_job("-H", ALL, "-n", "14", "--timeout", "3", MEMBER, "late", "13", status=124, err="--timeout")
        self.assertIn("rank 12, pid ", err)
        waits = re.findall(r"rank (\d+), pid \d+, host h\d\) waits for the others in start-up step 2", err)
        self.assertEqual(sorted(map(int, waits)), list(range(13)), err)
        self.assertRegex(err, r"rank 13, pid \d+, host h7\) is running")

    def test_interrupt(self):
        with self.ready() as job:
            os.kill(job.process.pid, signal.SIGINT)
            self.assertEqual(job.wait(DEADLINE), -signal.SIGINT)
            job.wait_until_gone()

    def test_agent_killed(self):
        """Of each host; the message names the host of the processes that are gone."""
        with self.ready() as job:
            _, agents = self.agents(job)
            self.assertEqual(len(agents), 7)
            kill(agents[-1])
            self.assertIn(job.wait(DEADLINE), (125, 137))
            self.assertRegex(job.stderr(), r"host h\d: .* (ended with status 137|was killed by signal 9 \(Killed\)) while 2 of 2 "
                             r"processes had not ended; UPC thread \d+ \(rank \d+, pid \d+, host h\d\) is gone")
            job.wait_until_gone()

    def test_relay_killed(self):
        for which in (0, -1):
            with self.ready() as job:
                relays, _ = self.agents(job)
                self.assertEqual(len(relays), 3)
                kill(sorted(relays)[which])
                self.assertIn(job.wait(DEADLINE), (125, 137))
                self.assertRegex(job.stderr(), r"host h\d")
                job.wait_until_gone()

    def test_upcrun_killed(self):
        for who in ((0,), (1,), (0, 1)):
            with self.ready() as job:
                launchers = job.processes()
                for i in who:
                    kill(launchers[i])
                job.wait_until_gone()

    def test_host_cut_off(self):
        """The wire of the last host of a chain, which has no relay, and of the one before, which has. No other test uses
        these hosts."""
        apart = self.script(f'#!/bin/sh\nexec 3<&0; {AGENT} "$@" <&3 & exec sleep 1000\n')
        for host, ranks in ((10, "3"), (9, "2|3")):
            with self.start_job("-H", "h1,h8,h9,h10", "--rsh", apart, "-n", "4", MEMBER, "wait",
                                env={"UPCRUN_FANOUT": "1"}) as job:
                job.wait_for_output("ready", 4)
                subprocess.run(["ip", "link", "set", f"port{host}", "down"], check=True)
                try:
                    self.assertEqual(job.wait(120), 125, job.stderr())
                    self.assertRegex(job.stderr(), rf"\(rank ({ranks}), pid \d+, host h\d+\) cannot be reached any more")
                    wait_for("nothing left on any host", lambda: not processes_with(job.mark), 120)
                finally:
                    subprocess.run(["ip", "link", "set", f"port{host}", "up"], check=True)


class Unreachable(Tree):
    def rsh(self, before):
        return self.script(f'#!/bin/sh\n{before}\nexec {AGENT} "$@"\n')

    def test_host_that_refuses(self):
        """The remote shell of a relay fails: the message names the host, who wanted to reach it, and the cure."""
        rsh = self.rsh("test $1 = h7 && { echo Permission denied. >&2; exit 255; }")
        _, err = self.run_job("-H", ALL, "--rsh", rsh, "-n", "14", MEMBER, "wait", status=255, err="host h7: ")
        self.assertIn("ended with status 255 on host h6", err)
        self.assertIn("UPCRUN_FANOUT", err)
        self.assertIn("it said:\nPermission denied.\n", err)

    def test_no_answer(self):
        rsh = self.rsh("test $1 = h7 && exec sleep 1000")
        _, err = self.run_job("-H", ALL, "--rsh", rsh, "-n", "14", MEMBER, "wait", status=1,
                              err="host h7 has not answered within 3 s", env={"UPCRUN_START_TIMEOUT": "3"})
        self.assertIn("on host h6", err)
        self.assertNotIn("host h5", err)

    def test_program_that_is_missing(self):
        self.run_job("-H", ALL, "-n", "7", "/nowhere/program", status=127, err="/nowhere/program")

    def test_wrong_fanout(self):
        self.run_job("-H", ALL, "-n", "7", "true", status=2, err="UPCRUN_FANOUT=none", env={"UPCRUN_FANOUT": "none"})


if __name__ == "__main__":
    main(together=True)
