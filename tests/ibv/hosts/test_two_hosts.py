# SPDX-License-Identifier: BSD-3-Clause
"""A job on two hosts with a wire between them: started by ssh, over real verbs (with_two_hosts.sh runs this, on the
machine under the guests; upcrun runs on the first of them). The error names the
process that is killed or cut off, and nothing is left."""
import json
import os
import re
import subprocess
import tempfile
import unittest

from support import MEMBER, UPCRUN, Job, wait_for

RDMA_VM, DEVICE, HOST_1, HOST_2 = (os.environ[name] for name in ("RDMA_VM", "DEVICE", "HOST_1", "HOST_2"))
UPC_PROGRAM, TRANSFERS = os.environ["UPC_PROGRAM"], os.environ["TRANSFERS"]
CONDUIT_IS_BUILT = os.environ["CONDUIT_IS_BUILT"] == "yes"
EVERYTHING = bool(os.environ.get("EVERYTHING"))
DEADLINE = 50  # seconds: ten times what the end of a job may take
EACH = 2 if EVERYTHING else 1  # processes of a host
LAST = 2 * EACH - 1

# Ends with 0 as soon as a packet of RoCE version 2 (UDP port 4791) with this traffic class has come in on eth0.
WATCH_TRAFFIC_CLASS = """
import socket, sys
wire = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800))
wire.bind(("eth0", 0))
print("watching", flush=True)
while True:
    packet = wire.recv(2048)
    header = 4 * (packet[0] & 15)
    if packet[9] == 17 and packet[header + 2:header + 4] == (4791).to_bytes(2, "big") and packet[1] == int(sys.argv[1]):
        break
"""


def inside(guest, *words, timeout=150):
    return [RDMA_VM, "--in", guest, "--timeout", str(timeout), "--cached", "--", *words]


def on_host(guest, *words):
    """What the words print there."""
    return subprocess.run(inside(guest, *words), check=True, capture_output=True, text=True).stdout


def left(guest):
    """What a job has left there: programs and agents."""
    text = on_host(guest, "sh", "-c", "readlink /proc/[0-9]*/exe || :")
    return [path for path in text.split("\n") if path in (UPCRUN, UPC_PROGRAM, MEMBER) or "/spmd_" in path]


class TwoHosts(unittest.TestCase):
    def start(self, *words, each=EACH, options=(), env=None):
        return Job(*inside(HOST_1, UPCRUN, "--conduit", "ibv", "-n", str(2 * each), "-H",
                           f"rdma-vm-1:{each},rdma-vm-2:{each}", "--timeout", "120", *options, *words),
                   env={"UPCR_PSHM": "no", "UPCR_IBV_PORTS": DEVICE + "0", **(env or {})})

    def run_on_both(self, *words, status=0, **more):
        with self.start(*words, **more) as job:
            self.assertEqual(job.wait(200), status, job.stderr())
            return job.stdout(), job.stderr()

    def wait_until_nothing_is_left(self):
        for guest in (HOST_1, HOST_2):
            wait_for(f"nothing left on {guest}", lambda: not left(guest), DEADLINE)


class Start(TwoHosts):
    def test_the_start_alone(self):
        self.run_on_both(MEMBER, "collectives")
        _, err = self.run_on_both(MEMBER, "signal", str(LAST), "9", status=137)
        self.assertRegex(err, rf"\(rank {LAST}, pid \d+, host rdma-vm-2\) was killed by signal 9")

    @unittest.skipUnless(EVERYTHING, "with UPCR_TEST_ALL")
    def test_hosts_that_ssh_cannot_reach(self):
        for host, said in (("rdma-vm-8", "No route to host"), ("nowhere.invalid", "Could not resolve hostname")):
            _, err = self.run_on_both(MEMBER, "wait", status=255, options=("-H", f"rdma-vm-1:{EACH},{host}:{EACH}"))
            self.assertRegex(err, f"host {host}: it cannot be reached; .*; it said:\n.*{said}")
        # The server's key is another one, and our key is not accepted.
        home = "/run/upcr-test"
        for spoil, restore, said in (
                ("sed -i s/rdma-vm-2/-/ {0}/known_hosts", "sed -i s/^-/rdma-vm-2/ {0}/known_hosts", "Host key verification failed"),
                ("mv {0}/user {0}/hidden", "mv {0}/hidden {0}/user", "Permission denied")):
            folder = on_host(HOST_1, "sed", "-n", "s|^IdentityFile \\(.*\\)/user$|\\1|p", f"{home}/.ssh/config").strip()
            on_host(HOST_1, "sh", "-c", spoil.format(folder))
            _, err = self.run_on_both(MEMBER, "wait", status=255)
            on_host(HOST_1, "sh", "-c", restore.format(folder))
            self.assertIn(said, err)


@unittest.skipUnless(CONDUIT_IS_BUILT, "the conduit ibv is not built")
class Programs(TwoHosts):
    """Two processes on each host."""

    def lost(self):
        """How many packets of the RDMA devices have been sent and not received."""
        count = "cat /sys/class/infiniband/rxe0/ports/1/hw_counters/{sent,rcvd}_pkts"
        sent, received = zip(*(map(int, on_host(host, "bash", "-c", count).split()) for host in (HOST_1, HOST_2)))
        return sum(sent) - sum(received)

    def test_programs(self):
        names = ["access", "bulk", "nb", "atomicity", "coll_move", "heap_stress"] if EVERYTHING else ["access"]
        before = self.lost() if DEVICE == "rxe" else 0
        for name in names:
            with self.subTest(name):
                self.run_on_both(os.path.join(os.environ["PROGRAMS"], "spmd_" + name), each=2,
                                 env={"SPMD_EFFORT": "64"})
        if DEVICE == "rxe":
            wait_for("no packet has got lost", lambda: self.lost() == before, DEADLINE)

    def check_rails(self, **env):
        out, err = self.run_on_both(os.environ["RAILS"], "300000", "4", each=2, env={
            "UPCR_IBV_PORTS": f"{DEVICE}0,{DEVICE}1", "UPCR_MODULE_PATH": os.environ["MODULES"],
            "UPCR_LOG_LEVEL": "ibv:info", **env})
        self.assertIn("all 4 ranks agree", out)
        for rank, peer in ((0, 2), (0, 3), (3, 0)):
            for port in range(2):
                self.assertRegex(err, rf"upcr {rank}/4 .*large transfers with rank {peer}: "
                                      rf"\d+ parts of \d+ bytes by port {DEVICE}{port}:1")

    @unittest.skipUnless(EVERYTHING, "with UPCR_TEST_ALL")
    def test_large_transfers_by_both_links(self):
        """What goes by the second link is late, and messages by the first one wait for it."""
        for host in (HOST_1, HOST_2):
            on_host(host, "tc", "qdisc", "replace", "dev", "eth1", "root", "netem", "delay", "20ms", "limit", "10000")
        try:
            self.check_rails()
            if DEVICE == "rxe":
                self.check_rails(UPCR_IBV_CONNECT_BY="ud")
        finally:
            for host in (HOST_1, HOST_2):
                on_host(host, "tc", "qdisc", "del", "dev", "eth1", "root")

    def check_datagrams(self, *words, **env):
        env = {"UPCR_IBV_CONNECT_BY": "ud", "UPCR_LOG_LEVEL": "ibv:info", **env}
        _, err = self.run_on_both(*words, each=2, env=env)
        self.assertRegex(err, r"connected with rank 3 on rdma-vm-2 \(10\.78\.0\.2\)")
        self.assertNotIn("made by librdmacm", err)

    @unittest.skipUnless(EVERYTHING and DEVICE == "rxe", "with UPCR_TEST_ALL; iWARP has no datagrams")
    def test_connections_by_datagrams(self):
        self.check_datagrams(os.path.join(os.environ["PROGRAMS"], "spmd_access"), SPMD_EFFORT="64")

    @unittest.skipUnless(EVERYTHING and DEVICE == "rxe", "with UPCR_TEST_ALL; iWARP has no datagrams")
    def test_lost_datagrams(self):
        """A tenth of what the second host sends gets lost."""
        on_host(HOST_2, "tc", "qdisc", "replace", "dev", "eth0", "root", "netem", "loss", "10%")
        try:
            for _ in range(3):
                self.check_datagrams(UPC_PROGRAM, "status", UPCR_IBV_CONNECT="all", UPCR_IBV_TIMEOUT="3")
        finally:
            on_host(HOST_2, "tc", "qdisc", "del", "dev", "eth0", "root")

    @unittest.skipUnless(EVERYTHING and DEVICE == "rxe", "with UPCR_TEST_ALL; iWARP goes over TCP")
    def test_the_traffic_class(self):
        with subprocess.Popen(inside(HOST_2, "python3", "-c", WATCH_TRAFFIC_CLASS, "104"), stdout=subprocess.PIPE,
                              text=True) as watch:
            self.assertEqual(watch.stdout.readline(), "watching\n")
            self.run_on_both(UPC_PROGRAM, "status", env={"UPCR_IBV_TRAFFIC_CLASS": "104"})
            self.assertEqual(watch.wait(DEADLINE), 0)

    @unittest.skipUnless(EVERYTHING, "with UPCR_TEST_ALL")
    def test_an_example(self):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "heat")
            subprocess.run([os.environ["UPCC"], "-o", program, os.environ["EXAMPLE"]], check=True)
            out, _ = self.run_on_both(program, each=2)
        self.assertIn("equal to the sequential solution", out)

    @unittest.skipUnless(EVERYTHING, "with UPCR_TEST_ALL")
    def test_a_timeline(self):
        """The hosts' clocks began when they booted. On the timeline no thread leaves a barrier before all have entered
        it, and no message arrives before it is sent, to within some delays of messages between emulated processors."""
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "known")
            subprocess.run([os.environ["UPCC"], "--stats", "-o", program, os.environ["TRACED"]], check=True)
            self.run_on_both(program, options=("--trace=/run/timeline.json:line,msg",), each=1)
        events = json.loads(on_host(HOST_1, "cat", "/run/timeline.json"))["traceEvents"]
        barriers = [e for e in events if e["name"] == "barrier"]
        self.assertEqual(sorted(e["tid"] for e in barriers), [0, 0, 1, 1])
        uptimes = [float(on_host(host, "cut", "-d ", "-f1", "/proc/uptime")) for host in (HOST_1, HOST_2)]
        if abs(uptimes[0] - uptimes[1]) < 0.1:
            self.skipTest("the clocks of the guests happen to agree, so nothing shows whether they are aligned")
        for first, second in zip(*([e for e in barriers if e["tid"] == thread] for thread in (0, 1))):
            self.assertEqual(first["args"]["line"], second["args"]["line"])
            overlap = min(e["ts"] + e["dur"] for e in (first, second)) - max(first["ts"], second["ts"])
            self.assertGreater(overlap, -50_000, f"up for {uptimes} s")
        ends = {e["id"]: e for e in events if e["ph"] == "f"}
        arrows = [(e, ends[e["id"]]) for e in events if e["ph"] == "s"]
        self.assertEqual({(a["tid"], b["tid"]) for a, b in arrows if a["tid"] != b["tid"]}, {(0, 1), (1, 0)})
        self.assertGreater(min(b["ts"] - a["ts"] for a, b in arrows), -50_000, f"up for {uptimes} s")

    @unittest.skipUnless(EVERYTHING, "with UPCR_TEST_ALL")
    def test_shared_memory_on_each_host(self):
        self.run_on_both(os.path.join(os.environ["PROGRAMS"], "spmd_small"), each=2, env={"UPCR_PSHM": "yes", "SPMD_EFFORT": "16"})


@unittest.skipUnless(CONDUIT_IS_BUILT, "the conduit ibv is not built")
class Ends(TwoHosts):
    def test_a_killed_peer(self):
        with self.start(UPC_PROGRAM, "stay", options=("-v",)) as job:
            job.wait_for_output("ready", 2 * EACH)
            pid = re.search(rf"rank {LAST}: pid (\d+), host rdma-vm-2", job.stderr())[1]
            on_host(HOST_2, "kill", "-9", pid)
            self.assertEqual(job.wait(DEADLINE), 137)
            self.assertIn(f"(rank {LAST}, pid {pid}, host rdma-vm-2) was killed by signal 9", job.stderr())
        self.wait_until_nothing_is_left()

    @unittest.skipUnless(EVERYTHING, "with UPCR_TEST_ALL")
    def test_a_killed_upcrun(self):
        with self.start(UPC_PROGRAM, "stay") as job:
            job.wait_for_output("ready", 2 * EACH)
            on_host(HOST_1, "sh", "-c", f"for p in /proc/[0-9]*; do test $(readlink $p/exe) != {UPCRUN} || kill -9 ${{p#/proc/}}; done")
            job.wait(DEADLINE)
        self.wait_until_nothing_is_left()

    def cut(self, job, link=0):
        """A wire, until the job has ended: what upcrun says."""
        on_host(HOST_2, "ip", "link", "set", f"eth{link}", "down")
        try:
            self.assertNotEqual(job.wait(DEADLINE), 0)
        finally:
            # A new device: the kernel's old one may make no connections any more after this.
            on_host(HOST_2, "sh", "-c", f"ip link set eth{link} up; rdma link delete {DEVICE}{link}; "
                                        f"rdma link add {DEVICE}{link} type {DEVICE} netdev eth{link}")
        self.wait_until_nothing_is_left()
        return job.stderr()

    @unittest.skipUnless(EVERYTHING, "with UPCR_TEST_ALL")
    def test_the_network_is_cut(self):
        """No message passes through it: the connection to the agent shows its end."""
        with self.start(UPC_PROGRAM, "stay") as job:
            job.wait_for_output("ready", 2 * EACH)
            self.assertRegex(self.cut(job), r"\(rank [123], pid \d+, host rdma-vm-2\) cannot be reached any more|rank [0-3]")

    def start_transfers(self):
        """Transfers without end on the second link; the first one is the agents'."""
        job = self.start(TRANSFERS, "0", env={"UPCR_IBV_PORTS": DEVICE + "1", "UPCR_IBV_TIMEOUT": "2"})
        job.wait_for_output("is under way", 2 * EACH)
        return job

    def test_transfers_when_the_network_is_cut(self):
        """They fail, and name their peer."""
        with self.start_transfers() as job:
            self.assertRegex(self.cut(job, link=1), rf"rank \d+ on rdma-vm-[12] \(10\.78\.1\.[12]\)|port {DEVICE}1:1 .*down")

    @unittest.skipUnless(DEVICE == "rxe", "TCP, over which iWARP goes, resends for many minutes")
    def test_transfers_that_are_lost_silently(self):
        """The second host sends to an address that no host has; all its links are up."""
        with self.start_transfers() as job:
            on_host(HOST_2, "ip", "neigh", "replace", "10.78.1.1", "lladdr", "52:54:00:00:00:99", "nud", "permanent",
                    "dev", "eth1")
            try:
                self.assertNotEqual(job.wait(DEADLINE), 0)
            finally:
                on_host(HOST_2, "ip", "neigh", "del", "10.78.1.1", "dev", "eth1")
            self.assertRegex(job.stderr(), r"rank \d+ on rdma-vm-[12] \(10\.78\.1\.[12]\) failed on rxe1: "
                             r"transport retry counter exceeded .*UPCR_IBV_TIMEOUT=2\b")
        self.wait_until_nothing_is_left()


def load_tests(loader, tests, pattern):
    """The cuts last: the guests' network has been away then."""
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in (Start, Programs, Ends))


if __name__ == "__main__":
    unittest.main(verbosity=2)
