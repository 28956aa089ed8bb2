# SPDX-License-Identifier: BSD-3-Clause
"""Common parts of the tests of this folder: one library's mpirun, around the tools of tests/upcrun."""
import os
import sys

sys.path.insert(0, os.environ["SUPPORT"])
from support import Case, Job, kill, main  # noqa: E402

LIBRARY = os.environ["LIBRARY"]
NAME = {"openmpi": "Open MPI", "mpich": "MPICH"}[LIBRARY]
OTHER = {"openmpi": "MPICH", "mpich": "Open MPI"}[LIBRARY]
MPIRUN = [os.environ["MPIRUN"]]
if LIBRARY == "openmpi":
    MPIRUN += ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
PROGRAM = os.environ["UPC_PROGRAM"]
MEMBER = os.environ["MEMBER"]
MIXED = os.environ["MIXED"]
OTHER_MIXED = os.environ.get("OTHER_MIXED")
MODULES = os.environ["MODULES"]

# A job of mpirun that runs the tests must not look as if it had started the programs.
for _name in list(os.environ):
    if _name.startswith(("OMPI_", "PMI_", "PMIX_", "HYDI_", "SLURM_")):
        del os.environ[_name]


def by_signal(number):
    """mpirun's exit status when a process dies of this signal."""
    return 128 + number if LIBRARY == "openmpi" else number


class Mpirun(Case):
    def mpirun(self, n, *words, err=None, **expected):
        """Runs mpirun -n N with these arguments; mpirun's own output on stderr is not checked."""
        return self.run_program(*MPIRUN, "-n", str(n), *words, err=err, **expected)


__all__ = ["Job", "LIBRARY", "MPIRUN", "NAME", "OTHER", "PROGRAM", "MEMBER", "MIXED", "OTHER_MIXED", "MODULES",
           "Mpirun", "by_signal", "kill", "main"]
