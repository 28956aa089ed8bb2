# SPDX-License-Identifier: BSD-3-Clause
"""Command lines, variables and files of scripts for Berkeley UPC's upcrun and GASNet's gasnetrun_*."""
import os
import shutil

from support import MEMBER, UPCRUN, Case, main

SHOW = ["sh", "-c", 'echo "$0 $*"', "program"]


class Scripts(Case):
    def setUp(self):
        super().setUp()
        os.environ["HOME"] = self.folder  # no ~/.upcrunrc of the tester's

    def rc(self, text, name=".upcrunrc"):
        path = os.path.join(self.folder, name)
        with open(path, "w") as f:
            f.write(text)
        return path

    def shows(self, variable, *words, **more):
        """What `variable` is in the processes of a job of one thread."""
        out, _ = self.run_job(*words, "-n", "1", "sh", "-c", f'echo "${variable}"', **more)
        return out.strip()

    def test_spellings_of_numbers(self):
        for words in (["-n", "2"], ["-n=2"], ["-n2"], ["-np", "2"], ["-np=2"], ["-n", "7", "-n", "2"],
                      ["-q", "-n", "2"], ["-quiet", "-n=2", "-norc"], ["-c", "2", "-N", "1", "-n", "2"],
                      ["-c2", "-N1", "-n2"], ["-encode", "-n", "2"], ["-E", "A,B", "-n", "2"],
                      ["-localhost", "-n", "2"], ["-network", "smp", "-n", "2"], ["-network=smp", "-n", "2"],
                      ["-shared-heap-max", "1GB", "-n", "2"], ["-cpus-per-node=4", "-n", "2"]):
            with self.subTest(words):
                self.run_job(*words, *SHOW, "a b", out="program a b\n" * 2)

    def test_threads_of_a_process(self):
        for words, processes in [(["-p", "2"], 2), (["-p2"], 2), (["-pthreads=2"], 2), (["-pthreads", "4"], 1)]:
            with self.subTest(words):
                self.run_job(*words, "-n", "4", "echo", "x", out="x\n" * processes)
        self.run_job("-n", "4", "echo", "x", out="x\n" * 2, env={"UPC_PTHREADS_PER_PROC": "2"})
        self.run_job("-n", "4", "echo", "x", status=2, err="UPC_PTHREADS_PER_PROC is '0'", env={"UPC_PTHREADS_PER_PROC": "0"})
        out, _ = self.run_program(MEMBER, "shape", env={"UPC_PTHREADS_PER_PROC": "3"})
        self.assertEqual(out, "rank 0 of 1: threads 3 of 3 from 0, launcher 0, given 0 1\n")

    def test_settings_of_the_job(self):
        self.assertEqual(self.shows("UPC_SHARED_HEAP_SIZE", "-shared-heap", "512MB"), "512MB")
        self.assertEqual(self.shows("UPC_SHARED_HEAP_SIZE", "-shared-heap=512"), "512")
        self.assertEqual(self.shows("UPCR_BACKTRACE", "-backtrace"), "yes")
        self.assertEqual(self.shows("UPCR_BACKTRACE", "-nobacktrace"), "no")
        self.assertEqual(self.shows("UPCR_FREEZE", "-freeze"), "yes")
        self.assertEqual(self.shows("UPCR_FREEZE$UPCR_FREEZE_THREAD", "-freeze=3"), "yes3")
        self.assertEqual(self.shows("UPC_REQUIRE_SHARED_SIZE", "-require-size"), "yes")
        self.assertEqual(self.shows("UPCR_CONDUIT", "-network=smp"), "smp")
        self.assertEqual(self.shows("UPCR_STATS", "-stats"), "yes")
        self.assertEqual(self.shows("UPCR_TRACE", "-trace"), "trace.json")
        self.assertEqual(self.shows("UPCR_TRACE", "-tracefile", "f"), "f")
        self.assertEqual(self.shows("UPCR_STATS", "-statsfile", "f"), "f")
        for heap in "12Q", "67108864":
            self.run_program(UPCRUN, "-n", "1", "-shared-heap=" + heap, "true", status=2, err=f"--shared-heap is '{heap}'")

    def test_frozen_thread(self):
        """-freeze=N: the process of this UPC thread waits for a debugger, and the others do not."""
        words = "-freeze=3", "-n", "4", "-p", "2", os.environ["UPC_PROGRAM"], "stay", "0", "0", "barrier"
        with self.start_job(*words) as job:
            job.wait_for_error("frozen by UPCR_FREEZE", 1)
            self.assertIn("[upcr 1/2] frozen by UPCR_FREEZE", job.stderr())
            self.assertEqual(job.stderr().count("frozen by"), 1)
            job.process.terminate()
            job.wait()

    def test_ranks_for_wrapper_scripts(self):
        script = 'echo "$UPCR_RANK $UPCR_LOCAL_RANK $UPCR_SIZE"'
        for how in [], ["--conduit", "ibv", "-H", "localhost"]:
            with self.subTest(how):
                out, _ = self.run_job(*how, "-n", "5", "-p", "2", "sh", "-c", script)
                self.assertEqual(sorted(out.splitlines()), ["0 0 3", "1 1 3", "2 2 3"])
        self.run_job("-n", "1", os.environ["UPC_PROGRAM"], "exit", "0", "0", err="")  # the program knows these variables

    def test_variables(self):
        """Of Berkeley UPC and GASNet: known, resembling one that is known, unknown, and without effect."""
        program = ["-n", "1", os.environ["UPC_PROGRAM"], "exit", "0", "0"]
        for name in "UPC_QUIET", "GASNET_SPAWNFN", "UPC_NODES_OF_MINE", "GASNETX", "GASNET_BARRIER":
            with self.subTest(name):
                self.run_job(*program, env={name: "1", "UPC_NODES": ""}, err="")
        for name, part in [("UPC_SHARED_HEAP_SZIE", "did you mean UPC_SHARED_HEAP_SIZE?"),
                           ("UPC_FREEZE", "did you mean UPCR_FREEZE?"),
                           ("GASNET_FREEZ", "did you mean GASNET_FREEZE?"),
                           ("GASNET_TRACEFILE", "GASNET_TRACEFILE is of GASNet clients; without effect in programs of UPC")]:
            with self.subTest(name):
                _, err = self.run_job(*program, env={name: "1"}, err=part)
                self.assertEqual(err.count("\n"), 1)

    def test_networks(self):
        for network, part in [("udp", "-network udp: upcr has no conduit udp: it has smp, mpi, ibv and ofi; --conduit ofi"),
                              ("ucx", "--conduit ibv is for InfiniBand"), ("elan", "; --conduit mpi uses it through the MPI library")] + [
                                  (network, "; --conduit ofi uses it through libfabric, --conduit mpi through the MPI library")
                                  for network in ("psm", "psm2", "aries")]:
            with self.subTest(network):
                self.run_job("-network", network, "-n", "2", "true", status=2, err=part)

    def test_what_has_no_effect_is_said(self):
        for words in (["-tracemask", "G"], ["-statsmask", "G"]):
            with self.subTest(words):
                _, err = self.run_job(*words, "-n", "1", "echo", "x", out="x\n", err=words[0] + " has no effect: upcr")
                self.assertEqual(err.count("\n"), 1)
        self.run_job("-abort", "-n", "1", "true", err="UPCR_FREEZE_ON_ERROR=yes")

    def test_misspelt_variables_of_upcrun(self):
        _, err = self.run_job("-n", "1", "echo", "x", env={"UPCRUN_FLGS": "-n 2"}, out="x\n",
                              err="upcrun: unknown UPCRUN_FLGS, did you mean UPCRUN_FLAGS?")
        self.assertEqual(err.count("\n"), 1)
        self.run_job("-n", "1", "echo", "x", env={"UPCRUN_OF_MINE": "1", "UPCRUN_RSH": "ssh"}, out="x\n", err="")

    def test_unknown_options(self):
        for word, part in [("-frezze", "did you mean -freeze?"), ("--pthread", "did you mean --pthreads?"),
                           ("-shared-haep", "did you mean --shared-heap?"), ("--lable", "did you mean --label?"),
                           ("-xyz", "there is no option -xyz; `upcrun --help`")]:
            with self.subTest(word):
                self.run_job(word, "-n", "2", "true", status=2, err=part)
        self.run_job("--label=yes", "-n", "2", "true", status=2, err="--label has no value, but 'yes' is given")
        self.run_job("-n", status=2, err="-n: its value is missing")

    def test_versions(self):
        for word in "--version", "-version", "-V":
            out, _ = self.run_job(word)
            self.assertRegex(out, r"^upcrun \(upcr\) [0-9.]+\n$")
        for word in "-help", "-h", "-?":
            self.assertIn("Usage: upcrun -n N", self.run_job(word)[0])

    def test_flags_of_environment_and_file(self):
        self.run_job("echo", "x", out="x\n" * 3, env={"UPCRUN_FLAGS": "-n 3 -q"})
        self.run_job("-n", "2", "echo", "x", out="x\n" * 2, env={"UPCRUN_FLAGS": "-n 3"})
        self.run_job("-n", "1", "true", status=2, err="--shared-heap is '2 0'", env={"UPCRUN_FLAGS": "'-shared-heap'  \"2 0\""})
        self.run_job("-n", "1", "true", status=2, err="UPCRUN_FLAGS: 'prog' is not an option", env={"UPCRUN_FLAGS": "-q prog"})
        self.run_job("-n", "1", "true", status=2, err="UPCRUN_FLAGS: there is no option -yy", env={"UPCRUN_FLAGS": "-yy"})
        path = self.rc("# mine\nnodes = a b\ndefault_options = -n 3 -q   # three\n")
        self.run_job("echo", "x", out="x\n" * 3)
        self.run_job("echo", "x", out="x\n" * 4, env={"UPCRUN_FLAGS": "-n 4"})
        self.run_job("-norc", "echo", "x", status=2, err="the number of UPC threads is missing")
        other = self.rc("default_options=-n=5\n", "other")
        self.run_job("-conf", other, "echo", "x", out="x\n" * 5)
        for words in ["-conf=" + path + "x"], ["-n", "1", "--rc", path + "x"], ["-n", "1", "-conf", os.path.dirname(path)]:
            self.run_job(*words, "echo", "x", status=2, err="the file cannot be read")
        self.run_job("-q", "--rc", other, "echo", "x", out="x\n" * 5)
        self.run_job("-n", "1", "-norc", "echo", "--rc", "/no/such", out="--rc /no/such\n", env={"UPCRUN_FLAGS": "-q"})
        self.rc("default_options = -network=udp\n")
        self.run_job("-n", "1", "true", status=2, err=f"{path}: -network udp: upcr has no conduit udp")

    def test_hosts_of_environment(self):
        hosts = self.rc("n1 slots=3\nn2\n", "nodes")
        ibv = ["-n", "4", "-t", "--rsh", "ssh", "-conduit", "ibv", "hostname"]
        for env, words, wanted in [
            ({"UPC_NODES": "n1 n2"}, [], ["n1", "n2"]),
            ({"UPC_NODES": "n1, n2,n3"}, ["-N", "2"], ["n1", "n2"]),
            ({"UPC_NODES": "n1,n2"}, ["-c", "4"], ["n1"]),
            ({"UPC_NODEFILE": hosts}, [], ["n1", "n2"]),
            ({"UPC_NODES": "n1 n2"}, ["-H", "n9"], ["n9"]),
        ]:
            with self.subTest(env, words=words):
                out, _ = self.run_job(*words, *ibv, env=env)
                lines = [line for line in out.splitlines() if "--agent -" in line]
                self.assertEqual([line.split()[-4] for line in lines], wanted)
        self.run_job("-c", "1", *ibv, env={"UPC_NODES": "n1 n2"}, status=2, err="4 processes, but the hosts have 2 slots")
        self.run_job(*ibv, env={"UPC_NODES": "n1 -x"}, status=2, err="UPC_NODES n1,-x: ")
        self.run_job(*ibv, env={"UPC_NODEFILE": "/nowhere"}, status=2, err="UPC_NODEFILE /nowhere: cannot be read: No such file")
        self.run_job("-hostfile", "/nowhere", *ibv, status=2, err="--hostfile /nowhere: cannot be read: No such file")
        self.run_job("-N", "2", "-n", "2", "echo", "x", out="x\n" * 2, err="-N 2 has no effect: no hosts are named")
        out, _ = self.run_job("-n", "2", "-t", "-network", "smp", "hostname", env={"UPC_NODES": "n1 n2"})
        self.assertNotIn("n1", out)
        out, _ = self.run_job("-localhost", *ibv, env={"UPC_NODES": "n1 n2"})
        self.assertNotIn("n1", out)
        self.run_job("-localhost", "-H", "n1", *ibv, status=2, err="--localhost and -H or --hostfile contradict")

    def test_dry_run(self):
        for word in "-t", "-show", "--dry-run":
            out, err = self.run_job(word, "-n", "3", "-p", "2", "--shared-heap", "8MB", "sh", "-c", "touch never",
                                    cwd=self.folder)
            self.assertEqual(out.count("UPC_SHARED_HEAP_SIZE=8MB "), 2)
            self.assertIn("sh -c 'touch never'  # rank 0, UPC threads 0-1", out)
            self.assertIn("# rank 1, UPC thread 2", out)
            self.assertFalse(os.path.exists(os.path.join(self.folder, "never")))

    def test_folder(self):
        hosts = self.rc("localhost\n", "hosts")
        os.mkdir(os.path.join(self.folder, "inner"))
        shutil.copy("/bin/pwd", os.path.join(self.folder, "inner", "my-pwd"))
        for words in (["-wdir", "inner", "my-pwd"], ["--wdir=inner", "./my-pwd"],
                      ["--conduit", "ibv", "--hostfile", "hosts", "-wdir", "inner", "my-pwd"]):
            with self.subTest(words):
                self.run_job("-n", "1", *words, cwd=self.folder, out=os.path.join(self.folder, "inner") + "\n")
        self.assertTrue(os.path.exists(hosts))
        self.run_job("-n", "1", "-wdir", "/no/folder", "pwd", status=2, err="--wdir /no/folder: No such file")

    def test_program_of_the_current_folder(self):
        for name in "only-here", "echo":  # before PATH, as with mpirun
            path = os.path.join(self.folder, name)
            with open(path, "w") as f:
                f.write("#!/bin/sh\necho here\n")
            os.chmod(path, 0o755)
            self.run_job("-n", "1", name, cwd=self.folder, out="here\n")
        os.chmod(path, 0o644)
        self.run_job("-n", "1", "echo", "PATH", cwd=self.folder, out="PATH\n")

    def test_program_with_fixed_threads(self):
        def program(text):
            path = os.path.join(self.folder, "fixed")
            with open(MEMBER, "rb") as source, open(path, "wb") as target:
                target.write(source.read() + b"\0" + text)
            os.chmod(path, 0o755)
            return path

        for text in b"$UPCRStaticThreads: 3 $\0", b"$GCCUPCConfig: (a.upc) staticthreads=3 process$\0":
            out, _ = self.run_job(program(text), "shape")
            self.assertEqual(len(out.splitlines()), 3)
            self.assertIn("rank 0 of 3: threads 1 of 3 from 0", out)
            out, _ = self.run_job("-n", "2", program(text), "shape")  # the program says what is wrong with it
            self.assertEqual(len(out.splitlines()), 2)
            out, _ = self.run_job("-i", program(text))
            self.assertIn("UPC threads: 3, fixed when it was compiled", out)
        for text in b"$UPCRStaticThreads: 0 $\0", b"$GCCUPCConfig: (a.upc) dynamicthreads process$\0":
            self.run_job(program(text), status=2, err="the number of UPC threads is missing")

    def test_several_programs(self):
        self.run_job("-n", "1", "echo", "a", ":", "-n", "2", "echo", status=2, err="a job of UPC has one program")
        self.run_job("-n", "1", "--", "echo", "a", ":", "b", out="a : b\n")
        self.run_job("-n", "1", "echo", "a", ":", out="a :\n")

    def test_gasnetrun(self):
        gasnetrun = os.path.join(os.path.dirname(UPCRUN), "gasnetrun_smp")
        self.run_program(gasnetrun, "-n", "2", "-c", "1", "-k", "-E", "A", "-spawner=ssh", "echo", "x", out="x\n" * 2)
        self.run_program(gasnetrun, "true", status=2, err="gasnetrun_smp: the number of nodes is missing; use `gasnetrun_smp")
        self.run_program(gasnetrun, "-n", "2", "-x", "true", status=2, err="`gasnetrun_smp --help` lists")
        self.run_program(gasnetrun, "-n", "2", "-spwaner=ssh", "true", status=2, err="did you mean -spawner?")
        out, _ = self.run_program(gasnetrun, "--help")
        self.assertIn("Usage: gasnetrun_smp -n N", out)
        self.assertIn("number of nodes", out)
        self.assertNotIn("UPC", out.replace("UPCR", ""))
        ibv = os.path.join(os.path.dirname(UPCRUN), "gasnetrun_ibv")
        env = {"GASNET_SSH_SERVERS": "n1 n2", "GASNET_SSH_CMD": "rsh", "GASNET_SSH_OPTIONS": "-l me"}
        out, _ = self.run_program(ibv, "-n", "2", "-t", "hostname", env=env)
        self.assertIn("/bin/sh -c 'exec rsh -l me \"$@\"' rsh n1 ", out)

    def test_mupcrun(self):
        mupcrun = os.path.join(os.path.dirname(UPCRUN), "mupcrun")
        self.run_program(mupcrun, "-n", "2", "-c", "1", "-k", "-E", "A", "-spawner=ssh", "echo", "x", out="x\n" * 2)
        self.run_program(mupcrun, "-n", "2", "-N", "1", "-t", "echo", "x", err=None)
        self.run_program(mupcrun, "-n", "2", "-x", "true", status=2, err="`mupcrun --help` lists")
        out, _ = self.run_program(mupcrun, "--help")
        self.assertIn("Runs a program of MuPC on N UPC threads", out)
        self.assertIn("Usage: mupcrun -n N", out)
        for word in "GASNet", "GASNET_PAR", "nodes", "--pthreads":
            self.assertNotIn(word, out)

    def test_own_name(self):
        """What a job says begins with the name by which the launcher was called."""
        for name in "gasnetrun_smp", "mupcrun":
            command = os.path.join(os.path.dirname(UPCRUN), name)
            _, err = self.run_program(command, "-v", "-n", "2", "sh", "-c", "kill -9 $$", status=137, err=None)
            self.assertIn(f"{name}: ", err)
            self.assertNotIn("upcrun: ", err.replace("mupcrun: ", ""))


if __name__ == "__main__":
    main()
