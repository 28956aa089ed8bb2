# SPDX-License-Identifier: BSD-3-Clause
"""Jobs on two hosts that mpirun starts by itself: the conduit chosen by the hosts, ranks dealt to them in turn, ends.
Runs inside with_hosts.sh; LIBRARY says whose mpirun."""
import os

from support import Case, main

AGENT = os.environ["HOSTS_AGENT"]
LIBRARY = os.environ["LIBRARY"]
PROGRAMS = os.environ["PROGRAMS"]
UPC_PROGRAM = os.environ["UPC_PROGRAM"]
OPENMPI = ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "plm_rsh_agent", AGENT]
MPICH = ["-launcher", "rsh", "-launcher-exec", AGENT]
WAY = {
    "openmpi": {"blocks": [*OPENMPI, "-H", "h1:2,h2:2"], "turns": [*OPENMPI, "-H", "h1:2,h2:2", "--map-by", "node"]},
    "mpich": {"blocks": [*MPICH, "-hosts", "h1:2,h2:2"], "turns": [*MPICH, "-hosts", "h1,h2", "-ppn", "1"]},
}[LIBRARY]
# These hosts are namespaces with common memory, which UCX would use.
ENVIRONMENT = {"openmpi": {}, "mpich": {"UCX_TLS": "tcp,self"}}[LIBRARY]


class Direct(Case):
    def mpirun(self, way, program, *words, status=0, n=4):
        """Without a named conduit."""
        return self.run_program(os.environ["MPIRUN"], *WAY[way], "-n", str(n), os.path.join(PROGRAMS, program), *words,
                                status=status, err=None, env=ENVIRONMENT)

    def test_blocks(self):
        for program in ("spmd_small", "gasnet_start_seq"):
            with self.subTest(program):
                self.mpirun("blocks", program)

    def test_turns(self):
        for program in ("spmd_small", "spmd_access", "gasnet_start_seq"):
            with self.subTest(program):
                self.mpirun("turns", program)

    def test_all_processes_flush(self):
        """Whichever host ends the job."""
        for who in (0, 3):
            out, _ = self.mpirun("blocks", UPC_PROGRAM, "buffered", str(who), "7", status=7)
            self.assertEqual(sorted(out.splitlines()), [f"buffered line of {i}" for i in range(4)])

    def test_gasnet_exits(self):
        out, err = self.mpirun("turns", "gasnet_exits_seq", "all", "0", n=3)
        self.assertEqual(out.count("buffered line"), 3, err)
        self.mpirun("blocks", "gasnet_exits_seq", "one_spin", "5", status=5, n=3)


main(together=True)
