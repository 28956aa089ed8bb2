# SPDX-License-Identifier: BSD-3-Clause
"""Programs with more privileges than their user: no variable may choose the code that they load or run. A setuid copy
that belongs to another user is such a program."""
import os
import shutil
import subprocess
import sys
import tempfile

from support import MEMBER, UPCRUN, Case, main

UPC_PROGRAM = os.environ["UPC_PROGRAM"]
NOBODY = 65534


def is_secure(printenv):
    """The dynamic linker removes variables like this one from the environment of such a program (ld.so(8))."""
    out = subprocess.run([printenv, "LD_LIBRARY_PATH"], capture_output=True, env={"LD_LIBRARY_PATH": "/nowhere"}).stdout
    return out == b""


class Secure(Case):
    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o777)  # what runs may be another user's
        self.marker = os.path.join(self.folder, "marker")
        self.evil = self.script(f"#!/bin/sh\necho ran >> {self.marker}\nexit 3\n")

    def privileged(self, program, name="program"):
        path = os.path.join(self.folder, name)
        shutil.copy(program, path)
        os.chown(path, NOBODY, NOBODY)
        os.chmod(path, 0o4755)
        return path

    def refuses(self, *words, env, err=None):
        """Without privileges it runs what the variable names; with them it does not."""
        _, said = self.run_program(*words, status=None, err=None, env=env)
        self.assertTrue(os.path.exists(self.marker), said)
        os.unlink(self.marker)
        path = self.privileged(words[0])
        _, said = self.run_program(path, *words[1:], status=None, err=err, env=env)
        self.assertFalse(os.path.exists(self.marker), said)
        return said

    def test_upcrun(self):
        ibv = ["--conduit", "ibv", "-H", "elsewhere", "-n", "1", "/bin/true"]
        nowhere = {"PATH": "/nowhere"}
        self.refuses(UPCRUN, "--conduit", "mpi", "-n", "1", "/bin/true", env={**nowhere, "UPCR_MPIRUN": self.evil})
        self.refuses(UPCRUN, *ibv, env={**nowhere, "UPCRUN_RSH": self.evil})
        ssh = os.path.join(self.folder, "ssh")
        shutil.copy(self.evil, ssh)
        self.refuses(UPCRUN, *ibv, env={"PATH": self.folder})
        self.refuses(UPCRUN, "--upcr-remote-shell", "elsewhere", "true", env={**nowhere, "UPCR_REMOTE_SHELL": self.evil})
        # The agent's path on another host, which does not exist.
        self.run_program(self.privileged(UPCRUN), "--conduit", "ibv", "-H", "elsewhere", "--rsh", "false", "-n", "1", "-v",
                         "/bin/true", status=None, env={"UPCRUN_AGENT": "/evil/upcrun"}, err="elsewhere ")
        _, err = self.run_program(self.privileged(UPCRUN), "--conduit", "ibv", "-H", "elsewhere", "--rsh", "false", "-n",
                                  "1", "-v", "/bin/true", status=None, err=None, env={"UPCRUN_AGENT": "/evil/upcrun"})
        self.assertNotIn("/evil/upcrun", err)

    def test_program_that_starts_upcrun(self):
        self.refuses(MEMBER, "shape", env={"UPCR_THREADS": "2", "UPCRUN": self.evil, "PATH": "/nowhere"})
        shutil.copy(self.evil, os.path.join(self.folder, "upcrun"))
        copy = os.path.join(self.folder, "copy")  # beside which no upcrun is
        shutil.copy(MEMBER, copy)
        self.refuses(copy, "shape", env={"UPCR_THREADS": "2", "PATH": self.folder})

    def test_name_leads_to_no_code(self):
        """The folder of a program is not taken from argv[0]."""
        for folder in "bin", "lib":
            os.mkdir(os.path.join(self.folder, folder))
        shutil.copy(self.evil, os.path.join(self.folder, "bin", "upcrun"))
        name = os.path.join(self.folder, "lib", "program")
        open(name, "w").close()
        away = os.path.join(self.folder, "away")
        shutil.copy(MEMBER, away)
        self.run_program(name, "shape", executable=away, status=255, err="needs upcrun", env={"UPCR_THREADS": "2", "PATH": "/nowhere"})
        self.assertFalse(os.path.exists(self.marker))

    def test_modules(self):
        env = {"UPCR_MODULE_PATH": self.folder, "UPCR_CONDUIT": "elsewhere"}
        self.run_program(UPC_PROGRAM, "status", "0", "0", status=255, env=env, err=f"conduit_elsewhere.so in {self.folder}")
        _, err = self.run_program(self.privileged(UPC_PROGRAM), "status", "0", "0", status=255, env=env,
                                  err="UPCR_MODULE_PATH is ignored: the program has privileges")
        self.assertNotIn(f"in {self.folder}", err)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        copy = os.path.join(folder, "printenv")
        shutil.copy(shutil.which("printenv"), copy)
        try:
            os.chown(copy, NOBODY, NOBODY)
            os.chmod(copy, 0o4755)
        except PermissionError:
            print("SKIP: only root can make a program of another user's")
            sys.exit(77)
        if not is_secure(copy):
            print("SKIP: setuid programs get no privileges here (mounted nosuid?)")
            sys.exit(77)
    main()
