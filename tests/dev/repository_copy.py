# SPDX-License-Identifier: BSD-3-Clause
"""A repository of its own with the tools that contributors run, in a temporary folder."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CONFIGURATIONS = (".clang-format", ".clang-format-ignore", ".clang-tidy", ".flake8", ".shellcheckrc", ".gitignore")


def need(*programs):
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        print(f"SKIP: {', '.join(missing)} not found; tools/setup --dev installs what is needed")
        sys.exit(77)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="upcr-dev-")
        self.addCleanup(folder.cleanup)
        self.root = os.path.realpath(folder.name)
        shutil.copytree(os.path.join(SOURCE, "tools", "dev"), os.path.join(self.root, "tools", "dev"),
                        ignore=shutil.ignore_patterns("__pycache__"))
        for tool in ("lint", "check"):
            shutil.copy(os.path.join(SOURCE, "tools", tool), os.path.join(self.root, "tools", tool))
        for name in CONFIGURATIONS:
            shutil.copy(os.path.join(SOURCE, name), self.root)

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return name

    def read(self, name):
        with open(os.path.join(self.root, name)) as file:
            return file.read()

    def run_in_root(self, *words, status=0):
        """What the command prints; it must end with this status."""
        environment = {name: value for name, value in os.environ.items()
                       if name != "UPCR_BUILD_DIR" and not name.startswith("GIT_")}
        run = subprocess.run(words, cwd=self.root, env=environment, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=240)
        self.assertEqual(run.returncode, status, f"{' '.join(words)}:\n{run.stdout}")
        return run.stdout
