# SPDX-License-Identifier: BSD-3-Clause
"""The command line, wrong use, finding the program, starting without upcrun."""
import os
import subprocess

from support import MEMBER, UPCRUN, Case, main


class CommandLine(Case):
    def test_wrong_use(self):
        for words, part in [
            (["-n", "0", "true"], "-n is '0': expected a number from 1 to"),
            (["-n", "-3", "true"], "-n is '-3': expected a number"),
            (["-n", "4x", "true"], "-n is '4x': expected a number"),
            (["-n", "1048577", "true"], "the most that this build's pointers-to-shared can name"),
            (["-n", "99999999999999999999", "true"], "expected a number from 1 to"),
            (["-n", "2"], "the program to run is missing"),
            ([], "the program to run is missing"),
            (["true"], "the number of UPC threads is missing"),
            (["-n", "2", "--pthreads", "0", "true"], "--pthreads is '0': expected a number from 1 to 256"),
            (["-n", "2", "--pthreads", "257", "true"], "--pthreads is '257'"),
            (["-n", "2", "--timeout", "0", "true"], "--timeout is '0'"),
            (["-n", "2", "--timeout", "soon", "true"], "--timeout is 'soon'"),
            (["-n", "2", "--bind", "all", "true"], "--bind is 'all': expected none, core, numa or socket"),
            (["-n", "2", "--map-by", "all", "true"], "--map-by is 'all': expected core, hwthread, numa or socket"),
            (["-n", "2", "--map-by", "node", "true"], "-N gives hosts equal shares"),
            (["-n", "2", "--map-by", "ppr:2:node", "true"], "--per-host is the number of UPC threads of each host"),
            (["-n", "2", "--map-by", "numa", "--bind", "none", "true"], "contradict each other"),
            (["-n", "1000", "--bind", "core", "true"], "--bind core: not enough CPUs"),
            (["-n", "2", "--shared-heap", "12Q", "true"], "--shared-heap is '12Q': expected a number with K"),
            (["-n", "2", "--frobnicate", "true"], "--frobnicate"),
        ]:
            with self.subTest(words):
                _, err = self.run_job(*words, status=2, out="", err=part)
                self.assertTrue(err.startswith("upcrun: "), err)
                self.assertEqual(err.count("\n"), 1, err)

    def test_empty_values(self):
        self.run_job("-n", "", "true", status=2, err="-n is empty: expected N")
        for option in "-H", "--hostfile", "--rsh", "--conduit", "--shared-heap", "--timeout", "--bind":
            with self.subTest(option):
                self.run_program(UPCRUN, "-n", "2", option, "", "true", status=2, err=f"{option} is empty: expected ")
        self.run_job("-n", "1", "printf", "[%s]", "", out="[]")  # an option of the program, not of upcrun

    def test_malformed_hostfiles(self):
        """A directory, files without end and endless text are refused; a pipe is as good as a file."""
        for path, part in [
            (self.folder, f"--hostfile {self.folder}: is a directory; name a file with lines"),
            ("/dev/zero", "--hostfile /dev/zero: is not a text file"),
            ("/dev/urandom", "--hostfile /dev/urandom: is not a text file"),
            ("/dev/null", "--hostfile /dev/null: names no host"),
            ("/proc/self/mem", "--hostfile /proc/self/mem: cannot be read: Input/output error"),
        ]:
            with self.subTest(path):
                words = UPCRUN, "-n", "2", "--conduit", "mpi", "--hostfile", path, "true"
                _, err = self.run_program(*words, status=2, err=part)
                self.assertEqual(err.count("\n"), 1, err)
        shell = ["bash", "-c", 'exec "$0" -n 2 --conduit ibv --hostfile <("${@:2}") $1']
        self.run_program(*shell, UPCRUN, "true", "yes", "localhost", status=2, err="has more than 64 MiB")
        self.run_program(*shell, UPCRUN, "true", "echo", "localhost slots=2")

    def test_names_with_newlines(self):
        """Names with control characters work like others, and messages about them have one line."""
        folder = os.path.join(self.folder, "a\nb\tc")
        os.mkdir(folder)
        shown = folder.replace("\n", "\\n").replace("\t", "\\t")
        program, script = os.path.join(folder, "prog\nram"), os.path.join(folder, "script")
        os.symlink("/bin/true", program)
        with open(script, "w") as f:
            f.write("#!/no/such/interpreter\n")
        os.chmod(script, 0o755)
        self.run_job("-n", "2", program, cwd=folder)
        for words, status, part in [
            (["-n", "2", folder + "/none"], 127, f"cannot run '{shown}/none': No such file"),
            (["-n", "2", script], 127, f"cannot run '{shown}/script': No such file or directory (the interpreter"),
            (["-n", "2", "--conduit", "mpi", "--hostfile", folder, "true"], 2, f"--hostfile {shown}: is a directory"),
            (["-n", "2", "--conduit", "ibv", "-H", "a\nb", "true"], 2, r"'a\nb' is not a host name"),
            (["-n", "2\n3", "true"], 2, r"-n is '2\n3'"),
        ]:
            with self.subTest(words):
                _, err = self.run_program(UPCRUN, *words, status=status, err=part)
                self.assertEqual(err.count("\n"), 1, err)

    def test_wrong_environment(self):
        self.run_job("true", status=2, err="UPCR_THREADS is 'many'", env={"UPCR_THREADS": "many"})
        self.run_job("-n", "2", "true", status=2, err="UPCR_PTHREADS is '0'", env={"UPCR_PTHREADS": "0"})
        self.run_job("-n", "2", "true", status=2, err="UPCRUN_START_TIMEOUT is '2.5': expected a number from 1 to",
                     env={"UPCRUN_START_TIMEOUT": "2.5"})  # the library accepts whole numbers only

    def test_arguments_after_the_program(self):
        self.run_job("-n", "1", "echo", "-n", "4", "--label", "-v", out="4 --label -v")
        self.run_job("-n", "1", "--", "echo", "--", "-x", out="-- -x\n")
        self.run_job("-np", "1", "echo", "-np", out="-np\n")
        self.run_job("-n2", "echo", "a b", "", "c", out="a b  c\n" * 2)
        self.run_job("echo", "two", out="two\n" * 2, env={"UPCR_THREADS": "2"})

    def test_help(self):
        out, _ = self.run_job("--help")
        for word in ["-n", "--pthreads", "--conduit", "--shared-heap", "--timeout", "--label", "--bind"]:
            self.assertIn(word, out)

    def test_program_not_there(self):
        self.run_job("-n", "2", "./nothing", status=127, err="upcrun: cannot run './nothing': No such file")
        self.run_job("-n", "2", "no-such-thing", status=127,
                     err="upcrun: 'no-such-thing' is neither in the current folder nor in PATH")
        self.run_job("-n", "2", self.folder, status=126, err="Is a directory")
        here = self.script("#!/bin/sh\n")
        self.run_job("-n", "2", os.path.basename(here), cwd=self.folder)
        os.chmod(here, 0o644)
        self.run_job("-n", "2", here, status=126, err="Permission denied (is it executable? chmod +x)")
        self.run_job("-n", "2", self.script("#!/no/such/interpreter\n"), status=127, err="interpreter")

    def test_settings_reach_the_program(self):
        self.run_program(UPCRUN, "-n", "1", "--conduit", "smp", "--shared-heap", "12MB", "sh", "-c",
                     "echo $UPCR_CONDUIT $UPC_SHARED_HEAP_SIZE", out="smp 12MB\n")

    def test_verbose(self):
        _, err = self.run_job("-n", "3", "-v", "--pthreads", "2", MEMBER, "collectives", err=None)
        for part in ["3 UPC threads in 2 processes", "rank 0: pid", "UPC threads 0-1", "UPC thread 2",
                     "has joined", "ends with status 0"]:
            self.assertIn(part, err)

    def test_silent(self):
        self.run_job("-n", "2", MEMBER, "collectives", out="", err="")

    def test_binding(self):
        allowed = sorted(os.sched_getaffinity(0))
        show = ["sh", "-c", "grep Cpus_allowed_list /proc/self/status"]
        if len(allowed) >= 2:
            out, _ = self.run_job("-n", "2", *show)
            cpus = {int(line.split()[1]) for line in out.splitlines()}
            self.assertEqual(len(cpus), 2, out)
            self.assertLessEqual(cpus, set(allowed))
        whole = subprocess.run(show, capture_output=True, text=True, check=True).stdout
        for words in [["-n", "2", "--bind", "none"], ["-n", str(len(allowed) + 1)], ["-n", "1"]]:
            out, _ = self.run_job(*words, *show)
            self.assertEqual(set(out.splitlines(True)), {whole})


class Shape(Case):
    """The numbers of threads and processes, by option, environment and the executable's own setting."""

    def shape(self, *words, env=None):
        out, _ = self.run_program(*words, MEMBER, "shape", env=env)
        return sorted(out.splitlines())

    def test_launched(self):
        whole = ["rank 0 of 3: threads 2 of 5 from 0, launcher 1, given 1 1",
                 "rank 1 of 3: threads 2 of 5 from 2, launcher 1, given 1 1",
                 "rank 2 of 3: threads 1 of 5 from 4, launcher 1, given 1 1"]
        self.assertEqual(self.shape(UPCRUN, "-n", "5", "--pthreads", "2"), whole)
        self.assertEqual(self.shape(UPCRUN, "-n", "5", env={"UPCR_PTHREADS": "2"}), whole)
        self.assertEqual(self.shape(UPCRUN, "-n", "2", "--pthreads", "8"),
                         ["rank 0 of 1: threads 2 of 2 from 0, launcher 1, given 1 1"])

    def test_alone(self):
        self.assertEqual(self.shape(), ["rank 0 of 1: threads 1 of 1 from 0, launcher 0, given 0 0"])
        self.assertEqual(self.shape(env={"UPCR_THREADS": "1"}),
                         ["rank 0 of 1: threads 1 of 1 from 0, launcher 0, given 1 0"])
        self.assertEqual(self.shape(env={"UPCR_PTHREADS": "3"}),
                         ["rank 0 of 1: threads 3 of 3 from 0, launcher 0, given 0 1"])

    def test_ident_string(self):
        copy = os.path.join(self.folder, "program")
        with open(MEMBER, "rb") as source, open(copy, "wb") as target:
            target.write(source.read() + b"\0$UPCRDefaultPthreads: nonsense $\0$UPCRDefaultPthreads: 2 $\0")
        os.chmod(copy, 0o755)
        out, _ = self.run_job("-n", "4", copy, "shape")
        self.assertEqual(len(out.splitlines()), 2)
        out, _ = self.run_job("-n", "4", "--pthreads", "1", copy, "shape")
        self.assertEqual(len(out.splitlines()), 4)
        script = self.script(f"#!/bin/sh\n# $UPCRDefaultPthreads: 2 $\nexec {MEMBER} shape\n")
        out, _ = self.run_job("-n", "4", script)  # not ELF: has no such string
        self.assertEqual(len(out.splitlines()), 4)


class WithoutUpcrun(Case):
    """UPCR_THREADS=N in the environment of a program that is started by hand."""

    def test_becomes_a_job(self):
        out, _ = self.run_program(MEMBER, "shape", env={"UPCR_THREADS": "2"})
        self.assertEqual(sorted(out.splitlines()), ["rank 0 of 2: threads 1 of 2 from 0, launcher 1, given 1 1",
                                                    "rank 1 of 2: threads 1 of 2 from 1, launcher 1, given 1 1"])
        out, _ = self.run_program(MEMBER, "shape", env={"UPCR_THREADS": "3", "UPCR_PTHREADS": "2"})
        self.assertEqual(len(out.splitlines()), 2)
        self.run_program(MEMBER, "status", "0", "1", status=12, env={"UPCR_THREADS": "3"})

    def test_keeps_its_name_and_arguments(self):
        self.run_program("my name", "name", "-n", "x", out="my name\n" * 2, executable=MEMBER,
                         env={"UPCR_THREADS": "2"})

    def test_wrong_number(self):
        for text in ["0", "-1", "2x", "1000000000"]:
            self.run_program(MEMBER, "shape", status=255, env={"UPCR_THREADS": text},
                             err=f"UPCR_THREADS={text}: expected a number from 1 to")

    def test_finds_upcrun(self):
        away = os.path.join(self.folder, "program")
        os.symlink(MEMBER, away)  # upcrun is found beside the file that the link leads to
        self.run_program(away, "shape", env={"UPCR_THREADS": "2"})
        os.unlink(away)
        with open(MEMBER, "rb") as source, open(away, "wb") as target:
            target.write(source.read())
        os.chmod(away, 0o755)
        nowhere = {"UPCR_THREADS": "2", "PATH": "/nowhere"}
        _, err = self.run_program(away, "shape", status=255, env=nowhere, err="needs upcrun")
        self.assertIn("set UPCRUN", err)
        self.run_program(away, "shape", env={**nowhere, "UPCRUN": UPCRUN})
        self.run_program(away, "shape", env={**nowhere, "PATH": f"/nowhere:{os.path.dirname(UPCRUN)}"})
        self.run_program(away, "shape", status=255, env={**nowhere, "UPCRUN": "/no/upcrun"},
                         err="UPCRUN=/no/upcrun: not an executable file")

    def test_no_endless_loop(self):
        other = self.script('#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n')
        self.run_program(MEMBER, "shape", status=255, env={"UPCR_THREADS": "2", "UPCRUN": other},
                         err="started this program without making it part of a job")

    def test_forged_variable(self):
        for text in ["x", "fork:fd=3,rank=2,size=2,threads=2,pthreads=1,id=a",
                     "fork:fd=3,rank=0,size=2,threads=5,pthreads=1,id=a"]:
            self.run_program(MEMBER, "shape", status=255, env={"UPCR_JOB": text}, err="UPCR_JOB=")
        self.run_program(MEMBER, "shape", status=255, err="cannot reach upcrun: descriptor 0",
                         env={"UPCR_JOB": "fork:fd=0,rank=0,size=1,threads=1,pthreads=1,id=a"})

    def test_children_of_the_program_are_not_members(self):
        # A process that joins removes the internal variable, so a second program is a job of its own.
        out, _ = self.run_job("-n", "2", MEMBER, "system", "0", "0", f"{MEMBER} shape")
        self.assertIn("rank 0 of 1: threads 1 of 1 from 0, launcher 0", out)


if __name__ == "__main__":
    main()
