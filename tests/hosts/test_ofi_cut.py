# SPDX-License-Identifier: BSD-3-Clause
"""The network of the ofi conduit is cut: frames vanish (the switch's port passes none), or the interface goes down. It is
a second network of the hosts, eth1, so that upcrun still reaches all of them by the first. Runs inside with_hosts.sh; two
hosts of their own for each job, several jobs at the same time."""
import os
import signal
import subprocess
import sys
import time
import unittest

from support import Job, UPCRUN, main, processes_with, wait_for

AGENT = os.environ["HOSTS_AGENT"]
TRAFFIC = os.environ["TRAFFIC_PROGRAM"]
TIMEOUT = 4  # seconds, of UPCR_OFI_TIMEOUT
DEADLINE = 120  # a loaded machine


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def make_data_network(hosts):
    ip("link", "add", "name", "data", "type", "bridge")
    ip("link", "set", "data", "up")
    for i in range(1, hosts + 1):
        ip("link", "add", "name", f"data{i}", "type", "veth", "peer", "name", "eth1", "netns", f"h{i}")
        ip("link", "set", f"data{i}", "master", "data", "up")
        ip("-n", f"h{i}", "address", "add", f"10.78.0.{i}/24", "dev", "eth1")
        ip("-n", f"h{i}", "link", "set", "eth1", "up")


def frames(port, passes):
    """Whether the switch's port forwards frames; the hosts see their cable connected all the time."""
    subprocess.run(["bridge", "link", "set", "dev", port, "state", "3" if passes else "0"], check=True)


class Cut(unittest.TestCase):
    def start(self, kind, hosts, **env):
        words = [UPCRUN, "--conduit", "ofi", "--rsh", AGENT, "--timeout", "240", "-H", f"{hosts}:1".replace(",", ":1,"),
                 "-n", "2", TRAFFIC]
        return Job(*words, env={"TRAFFIC": kind, "UPCR_OFI_TIMEOUT": str(TIMEOUT), "UPCR_BACKTRACE": "no",
                               "UPCR_OFI_DOMAIN": "eth1", **env})

    def ends_and_names(self, job, *hosts):
        """With an error that says which host does not answer. Each of the two may be the one that reports."""
        status = job.wait(DEADLINE)
        self.assertNotEqual(status, 0)
        names = "|".join(hosts)
        self.assertRegex(job.stderr(), rf"rank [01] \(host ({names}), .*failed over libfabric's .*host \1 has not answered "
                         rf"for {TIMEOUT} s: it has gone, or the network to it is cut")
        wait_for("nothing left of the job", lambda: not processes_with(job.mark), DEADLINE)

    def vanishing_frames(self, kind, other, **env):
        with self.start(kind, f"h{other - 1},h{other}", **env) as job:
            job.wait_for_output("ready", 1)
            frames(f"data{other}", False)
            self.ends_and_names(job, f"h{other - 1}", f"h{other}")

    def test_words(self):
        self.vanishing_frames("words", 2)

    def test_blocks(self):
        self.vanishing_frames("blocks", 4)

    def test_barriers(self):
        self.vanishing_frames("barriers", 6)

    def test_udp(self):
        self.vanishing_frames("words", 8, UPCR_OFI_PROVIDER="udp;ofi_rxd")

    def test_interface_goes_down(self):
        """The kernel may tell libfabric, which reports in its own words then."""
        with self.start("words", "h9,h10") as job:
            job.wait_for_output("ready", 1)
            ip("-n", "h10", "link", "set", "eth1", "down")
            self.assertNotEqual(job.wait(DEADLINE), 0)
            self.assertRegex(job.stderr(), r"rank [01] \(host h(9|10), .*failed over libfabric's ")

    def test_short_interruption(self):
        """Of half the time: the job goes on."""
        with self.start("words", "h11,h12", TRAFFIC_SECONDS="6", UPCR_OFI_TIMEOUT="20") as job:
            job.wait_for_output("ready", 1)
            frames("data12", False)
            time.sleep(2)
            frames("data12", True)
            self.assertEqual(job.wait(DEADLINE), 0, job.stderr())
            self.assertEqual(job.stderr(), "")

    def test_stopped_process(self):
        """It does not answer, but its host does: a debugger may hold it for as long as it likes."""
        with self.start("words", "h13,h14", TRAFFIC_SECONDS="4") as job:
            job.wait_for_output("ready", 1)
            process = next(p for p in processes_with(job.mark) if os.readlink(f"/proc/{p}/exe") == TRAFFIC)
            os.kill(process, signal.SIGSTOP)
            time.sleep(3 * TIMEOUT)
            os.kill(process, signal.SIGCONT)
            self.assertEqual(job.wait(DEADLINE), 0, job.stderr())
            self.assertEqual(job.stderr(), "")


if __name__ == "__main__":
    if subprocess.run(["which", "bridge"], stdout=subprocess.DEVNULL).returncode != 0:
        print("SKIP: there is no command `bridge` (iproute2)")
        sys.exit(77)
    make_data_network(14)
    main(together=True)
