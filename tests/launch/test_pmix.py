# SPDX-License-Identifier: BSD-3-Clause
"""The PMIx bootstrap under mpirun's own server, with a program that links no MPI."""
import os
import subprocess

from mpirun import MEMBER, MODULES, Mpirun, main

ENV = {"UPCR_MODULE_PATH": MODULES}


class Pmix(Mpirun):
    def member(self, n, *words, **expected):
        return self.mpirun(n, MEMBER, *words, env=ENV, **expected)

    def test_the_program_links_no_mpi(self):
        libraries = subprocess.run(["ldd", MEMBER], capture_output=True, check=True, text=True).stdout
        self.assertNotIn("libmpi", libraries)
        self.assertNotIn("libpmix", libraries)

    def test_joined_by_pmix(self):
        """Only this module is there, so nothing else can have done it."""
        os.symlink(os.path.join(MODULES, "bootstrap_pmix.so"), os.path.join(self.folder, "bootstrap_pmix.so"))
        out, _ = self.mpirun(3, MEMBER, "shape", env={"UPCR_MODULE_PATH": self.folder})
        self.assertEqual(sorted(out.splitlines()),
                         [f"rank {r} of 3: threads 1 of 3 from {r}, launcher 1, given 0 0" for r in range(3)])

    def test_collectives(self):
        for n in (2, 3, 5):
            self.member(n, "collectives")

    def test_global_exit(self):
        for value in (0, 7):
            out, _ = self.member(3, "buffered", "1", str(value), status=value)
            self.assertEqual(sorted(out.splitlines()), [f"buffered line of {r}" for r in range(3)])

    def test_the_others_hooks_run(self):
        out, _ = self.member(3, "hook", "1", status=5)
        self.assertEqual(out.count("hook 5"), 2)

    def test_a_flush_that_blocks(self):
        self.member(3, "locked-stdio", "1", "4", status=4)

    def test_ends(self):
        self.member(3, "abort", "1", "9", status=9)
        self.member(3, "_exit", "1", "5", status=5)
        self.member(3, "signal", "1", "9", status=137)

    def test_a_forked_child_is_not_a_member(self):
        self.member(3, "fork", "1")


main(together=True)
