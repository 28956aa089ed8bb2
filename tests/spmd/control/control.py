# SPDX-License-Identifier: BSD-3-Clause
"""Shared by the tests of this folder, on top of tests/upcrun/support.py."""
import os

from support import Case, main  # noqa: F401  (main: for the tests)

PROGRAMS = os.environ["PROGRAMS"]
VARIANT = os.environ["VARIANT"]
DEBUG = VARIANT == "_debug"


def program(name):
    return os.path.join(PROGRAMS, f"control_{name}{VARIANT}")


def threads(n, pthreads=1):
    """upcrun's arguments for n UPC threads, `pthreads` per process."""
    return ["-n", str(n)] + (["--pthreads", str(pthreads)] if pthreads > 1 else [])


class ControlCase(Case):
    def folders(self, count):
        made = [os.path.join(self.folder, str(i)) for i in range(count)]
        for path in made:
            os.mkdir(path)
        return made

    def one_error(self, stderr, *parts):
        """One error message, the runtime's, which holds these parts."""
        lines = [line for line in stderr.splitlines() if line.startswith("UPC Runtime error: ")]
        self.assertEqual(len(lines), 1, stderr)
        for part in parts:
            self.assertIn(part, lines[0])
