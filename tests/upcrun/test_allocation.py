# SPDX-License-Identifier: BSD-3-Clause
"""Jobs in allocations of batch systems, whose commands are scripts here that run the agent on this host."""
import os
import socket

from support import UPCRUN, Case, main

THIS = socket.gethostname()
SYSTEMS = ("SLURM_", "PBS_", "LSB_", "PE_", "JOB_ID")


class Allocations(Case):
    def setUp(self):
        super().setUp()
        for name in [n for n in os.environ if n.startswith(SYSTEMS)]:
            del os.environ[name]
        os.environ["HOME"] = self.folder

    def command(self, name, options, after=""):
        """A command of a batch system, in a folder that becomes the first of PATH: `options` words, host, command."""
        path = os.path.join(self.folder, name)
        with open(path, "w") as f:
            f.write(f'#!/bin/sh\necho "{name} $*" >>{self.folder}/log\nshift {options}\nshift\nexec "$@" {after}\n')
        os.chmod(path, 0o755)
        return {"PATH": self.folder + ":" + os.environ["PATH"]}

    def log(self):
        with open(os.path.join(self.folder, "log")) as f:
            return f.read().splitlines()

    def file(self, text):
        path = os.path.join(self.folder, "hosts")
        with open(path, "w") as f:
            f.write(text)
        return path

    def slurm(self, **more):
        return {"SLURM_JOB_ID": "12", "SLURM_JOB_NODELIST": "far[1-2]", "SLURM_TASKS_PER_NODE": "2(x2)",
                "SLURM_NTASKS": "4", **more}

    def test_started_by_the_batch_system(self):
        pbs = self.file("far1 2 q x\nfar2 2 q x\n")
        for name, options, env, command in [
            ("srun", 7, self.slurm(), "srun --jobid=12 --nodes=1 --ntasks=1 --overlap --cpu-bind=none --mpi=none --nodelist far1 "),
            ("blaunch", 0, {"LSB_JOBID": "1", "LSB_MCPU_HOSTS": "far1 2 far2 2"}, "blaunch far1 "),
            ("qrsh", 1, {"JOB_ID": "1", "PE_HOSTFILE": pbs}, "qrsh -inherit far1 "),
        ]:
            with self.subTest(name):
                env = {**env, **self.command(name, options)}
                out, err = self.run_job("-v", "--conduit", "ibv", "sh", "-c", "echo $UPCR_RANK", env=env, err=None)
                self.assertEqual(sorted(out.split()), ["0", "1", "2", "3"])
                self.assertIn(f"'s job {env.get('SLURM_JOB_ID', '1')}), by {name}", err)
                self.assertEqual(len(self.log()), 2)
                self.assertTrue(any(line.startswith(command) for line in self.log()), self.log())
                self.assertTrue(all(line.endswith("/upcrun --agent -") for line in self.log()))
                os.unlink(os.path.join(self.folder, "log"))

    def test_without_input(self):
        """The commands of PBS pass on no standard input: the agent reads a file, which is the user's alone and goes."""
        pbs = {"PBS_JOBID": "3.server", "PBS_NODEFILE": self.file("far1\nfar1\nfar2\nfar2\n")}
        for name, options, command in [("pbsdsh", 1, "pbsdsh -h far1 "), ("pbs_tmrsh", 0, "pbs_tmrsh far1 ")]:
            with self.subTest(name):
                env = {**pbs, **self.command(name, options, "</dev/null")}
                script = os.path.join(self.folder, name)
                with open(script) as f:
                    text = f.read()
                with open(script, "w") as f:
                    f.write(text.replace("shift", f"ls -l $(eval echo \\$$#) >>{self.folder}/files\nshift", 1))
                out, err = self.run_job("-v", "--conduit", "ibv", "sh", "-c", "echo $UPCR_RANK", env=env, err=None)
                self.assertEqual(sorted(out.split()), ["0", "1", "2", "3"])
                self.assertIn(f"PBS's job 3.server), by {name}", err)
                with open(os.path.join(self.folder, "files")) as f:
                    files = f.read().splitlines()
                self.assertEqual([line.split()[0] for line in files], ["-rw-------"] * 2)
                self.assertEqual(len({line.split()[-1] for line in files}), 2)
                self.assertTrue(any(line.startswith(command) for line in self.log()), self.log())
                self.assertTrue(all("/upcrun --agent /" in line for line in self.log()), self.log())
                self.assertFalse([n for n in os.listdir(self.folder) if n.startswith(".upcrun")])
                os.unlink(os.path.join(self.folder, "log"))
                os.unlink(os.path.join(self.folder, "files"))

    def test_tree_without_input(self):
        """Relays start agents by the same commands; the one on a relay's own host needs none."""
        pbs = {"PBS_JOBID": "3", "PBS_NODEFILE": self.file("".join(f"far{i}\n" for i in range(5))), "UPCRUN_FANOUT": "2",
               **self.command("pbs_tmrsh", 0, "</dev/null")}
        out, _ = self.run_job("--conduit", "ibv", "sh", "-c", "echo $UPCR_RANK", env=pbs, err=None)
        self.assertEqual(sorted(out.split()), ["0", "1", "2", "3", "4"])
        self.assertEqual(len(self.log()), 2 + 3)  # two relays, and the hosts that they reach
        self.assertFalse([n for n in os.listdir(self.folder) if n.startswith(".upcrun")])

    def test_file_of_another_kind(self):
        """It is no agent's, and stays."""
        path = self.file("not an agent's line\n")
        self.run_program(UPCRUN, "--agent", path, status=2, err="cannot read upcrun's address")
        self.assertTrue(os.path.exists(path))

    def test_commands_without_input(self):
        pbs = {"PBS_JOBID": "3", "PBS_NODEFILE": self.file("far1\nfar1\nfar2\nfar2\n"), **self.command("pbs_tmrsh", 0)}
        self.assertIn("--agent '~/.upcrun-XXXXXX'", self.lines("--conduit", "ibv", env=pbs)[0])
        self.assertFalse([n for n in os.listdir(self.folder) if n.startswith(".upcrun")])

    def test_line_that_cannot_be_written(self):
        pbs = {"PBS_JOBID": "3", "PBS_NODEFILE": self.file("far1\nfar1\nfar2\nfar2\n"), "HOME": "/no/folder"}
        self.run_job("--conduit", "ibv", "true", env={**pbs, **self.command("pbs_tmrsh", 0)}, status=1,
                     err="cannot write /no/folder/.upcrun-")

    def test_number_of_processes(self):
        env = {**self.slurm(), **self.command("srun", 7)}
        for words, count in [([], 4), (["-n", "3"], 3), (["-n", "6"], 6), (["-p", "2"], 4)]:
            with self.subTest(words):
                out, _ = self.run_job(*words, "--conduit", "ibv", "sh", "-c", "echo x", env=env, err=None)
                self.assertEqual(out.count("x"), count)
        without = {**self.slurm(), **self.command("srun", 7), "SLURM_NTASKS": ""}
        self.run_job("--conduit", "ibv", "true", env=without, status=2, err="the number of UPC threads is missing")

    def lines(self, *words, env):
        return self.run_job("-t", *words, "hostname", env=env)[0].splitlines()

    def test_what_is_chosen(self):
        """Which conduit, and how: by the allocation's hosts and the options."""
        with_srun = self.command("srun", 7)
        here = self.slurm(SLURM_JOB_NODELIST=f"{THIS},far1")
        mpirun = self.lines(env={**self.slurm(), **with_srun})[0]
        self.assertIn("mpirun", mpirun)
        self.assertNotIn("--host", mpirun)  # Open MPI asks Slurm
        self.assertNotIn("mpirun", self.lines("-n", "2", env={**here, **with_srun})[0])  # fits on this host
        self.assertIn("mpirun", self.lines("-n", "3", env={**here, **with_srun})[0])
        self.assertEqual(len(self.lines("--localhost", env={**self.slurm(), **with_srun})), 4)
        ibv = ["--conduit", "ibv"]
        bare = os.path.join(self.folder, "bare")
        os.mkdir(bare)
        for name in "ssh", "hostname":
            os.symlink("/bin/true", os.path.join(bare, name))
        self.assertIn("ssh", self.lines(*ibv, env=self.slurm(PATH=bare))[0])  # there is no srun
        self.assertIn("exec my-rsh", self.lines(*ibv, "--rsh", "my-rsh", env={**self.slurm(), **with_srun})[0])
        self.assertIn("ssh", self.lines(*ibv, "-H", "other", env={**self.slurm(), **with_srun})[0])
        self.assertIn("--nodelist far2 ", self.lines(*ibv, "-H", "far2.cluster", env={**self.slurm(), **with_srun})[0]
                      .replace("far2.cluster", "far2"))

    def test_hosts_that_mpirun_does_not_know(self):
        pbs = {"PBS_JOBID": "3", "PBS_NODEFILE": self.file("far1\nfar1\nfar2\nfar2\n")}
        self.assertIn("--host far1:2,far2:2", self.lines(env={**pbs, "UPCR_MPI_LIBRARY": "openmpi"})[0])
        lsf = {"LSB_JOBID": "1", "LSB_MCPU_HOSTS": "far1 2 far2 2", **self.command("blaunch", 0)}
        first = self.lines(env={**lsf, "UPCR_MPI_LIBRARY": "openmpi"})[0]
        self.assertIn("--host far1:2,far2:2", first)
        self.assertIn("--mca plm_rsh_agent blaunch", first)

    def test_login_host(self):
        """A job that stays on a host outside of its allocation."""
        self.run_job("--conduit", "smp", "true", env=self.slurm(),
                     err="all 4 processes run on this host, which is not one of Slurm's job 12 (far1, ...)")
        self.run_job("--conduit", "smp", "--localhost", "true", env=self.slurm(), err="")
        self.run_job("--conduit", "smp", "true", env=self.slurm(SLURM_JOB_NODELIST=f"{THIS}.cluster,far"), err="")

    def test_what_cannot_be_read(self):
        self.run_job("true", env={"PBS_JOBID": "1", "PBS_NODEFILE": "/no/file"}, status=2, err="PBS_NODEFILE=/no/file cannot be read")
        self.run_job("true", env=self.slurm(SLURM_JOB_NODELIST="n[1"), status=2, err="is not what the batch system writes")
        self.run_program(UPCRUN, "-n", "1", "true", env={"SLURM_JOB_ID": "7"})


if __name__ == "__main__":
    main()
