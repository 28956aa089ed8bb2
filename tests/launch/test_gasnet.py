# SPDX-License-Identifier: BSD-3-Clause
"""GASNet programs under mpirun: gasnet_exit by all nodes, which leaves mpirun's job in order, or by one of them."""
import os

from mpirun import LIBRARY, Mpirun, main

EXITS = os.environ["EXITS"]
BY_NETWORK = {"UPCR_CONDUIT": "mpi", "UPCR_PSHM": "no"}
SHARED = {"UPCR_CONDUIT": "smp"}


class Gasnet(Mpirun):
    def exits(self, n, scenario, code, env, status, words=0):
        with self.subTest(scenario=scenario, code=code, env=env):
            out, err = self.mpirun(n, EXITS, scenario, str(code), env=env, status=status)
            self.assertEqual(sorted(line for line in out.splitlines() if line.startswith("buffered")),
                             [f"buffered line of {r}" for r in range(words)], err)
            if LIBRARY == "openmpi" and status == 0:
                self.assertNotIn("exiting improperly", err)

    def test_all(self):
        self.exits(3, "all", 0, BY_NETWORK, 0, words=3)
        self.exits(3, "all", 5, SHARED, 5, words=3)

    def test_one(self):
        """The others poll, or compute; a code that is not 0 does not wait for them."""
        self.exits(2, "one", 5, BY_NETWORK, 5)
        self.exits(2, "one_spin", 0, {**SHARED, "GASNET_EXITTIMEOUT": "0.3"}, 0)

    def test_a_node_alone(self):
        self.exits(1, "all", 0, BY_NETWORK, 0, words=1)


main(together=True)
