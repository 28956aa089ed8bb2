# SPDX-License-Identifier: BSD-3-Clause
"""Standard streams: whole lines, order, labels, input, readers that are slow or close the pipe."""
import os
import re
import resource
import subprocess
import sys
import time

from support import MEMBER, SANITIZED, UPCRUN, Case, main


class Lines(Case):
    def test_long_lines_never_mix(self):
        # Each process writes lines of its own letter, 1 MB in pieces, on both streams.
        program = self.script(f"""#!{sys.executable}
import os, sys
letter = sys.argv[1][int(os.environ["UPCR_JOB"].split("rank=")[1].split(",")[0])]
for _ in range(3):
    for fd in 1, 2:
        for piece in (letter * 300000, letter * 700000 + "\\n"):
            data = piece.encode()
            while data:
                data = data[os.write(fd, data):]
""")
        for together in False, True:
            with self.subTest(together=together):
                with self.start_job("-n", "4", program, "abcd",
                         stderr=subprocess.STDOUT if together else None) as job:
                    self.assertEqual(job.wait(), 0)
                    lines = job.stdout().splitlines()
                    lines += [] if together else job.stderr().splitlines()
                self.assertEqual(len(lines), 4 * 3 * 2)
                self.assertEqual({len(line) for line in lines}, {1000000})
                self.assertTrue(all(line == line[0] * len(line) for line in lines))

    def test_order_of_a_process(self):
        # With both streams in one file the order of writing is kept exactly.
        with self.start_job("-n", "4", "sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do echo $$ o$i; echo $$ e$i >&2; done",
                 stderr=subprocess.STDOUT) as job:
            self.assertEqual(job.wait(), 0)
            lines = [line.split() for line in job.stdout().splitlines()]
        expected = [letter + str(i) for i in range(1, 10) for letter in "oe"]
        pids = {pid for pid, _ in lines}
        self.assertEqual(len(pids), 4)
        for pid in pids:
            self.assertEqual([word for p, word in lines if p == pid], expected)

    def test_order_through_stdio(self):
        # A member of a job writes stdout by lines, so its stderr does not overtake it.
        with self.start_job("-n", "2", MEMBER, "streams", stderr=subprocess.STDOUT) as job:
            self.assertEqual(job.wait(), 0)
            lines = job.stdout().splitlines()
        for rank in "01":
            self.assertEqual([x for x in lines if x.startswith(rank)],
                             [f"{rank} {what} {i}" for i in range(20) for what in ("out", "err")])

    def test_last_line_without_end(self):
        self.run_job("-n", "1", "printf", "abc", out="abc")
        self.run_job("-n", "1", "printf", "a\nbc", out="a\nbc")
        self.run_job("-n", "3", "printf", "abc", out="abc\nabc\nabc")
        self.run_job("-n", "2", "printf", "", out="")

    def test_one_process_is_not_buffered_by_lines(self):
        # A question without a newline reaches the user before the answer is read.
        with self.start_job("-n", "1", "sh", "-c", "printf 'name? '; read x; echo hello $x",
                 stdin=subprocess.PIPE) as job:
            job.wait_for_output("name? ", 1)
            job.process.stdin.write(b"you\n")
            job.process.stdin.close()
            self.assertEqual(job.wait(), 0)
            self.assertEqual(job.stdout(), "name? hello you\n")

    def test_label(self):
        out, err = self.run_job("-n", "3", "--label", "sh", "-c", "echo out; printf tail; echo err >&2", err=None)
        self.assertEqual(sorted(re.split(r"\n", out)),
                         sorted([f"[{i}] {w}" for i in range(3) for w in ("out", "tail")]))
        self.assertEqual(sorted(err.splitlines()), [f"[{i}] err" for i in range(3)])
        out, _ = self.run_job("-n", "5", "--pthreads", "2", "--label", "echo", "x")
        self.assertEqual(sorted(out.splitlines()), ["[0-1] x", "[2-3] x", "[4] x"])

    def test_binary_output(self):
        self.run_job("-n", "1", "sh", "-c", r"printf 'a\000b\377\n' | od -An -c", out="   a  \\0   b 377  \\n\n")
        with self.start_job("-n", "1", "sh", "-c", r"printf 'a\000\377b'") as job:
            self.assertEqual(job.wait(), 0)
            job.out.seek(0)
            self.assertEqual(job.out.read(), b"a\0\xffb")


class Readers(Case):
    FLOOD = ["sh", "-c", "seq 1 200000"]

    def test_slow_reader_loses_nothing(self):
        with self.start_job("-n", "2", *self.FLOOD, stdout=subprocess.PIPE) as job:
            time.sleep(0.5)  # all pipes are full now
            data = job.process.stdout.read()
            job.process.stdout.close()
            self.assertEqual(job.wait(), 0)
            self.assertEqual(job.stderr(), "")
        self.assertEqual(sorted(map(int, data.split())), sorted(list(range(1, 200001)) * 2))

    def test_reader_leaves(self):
        with self.start_job("-n", "2", "sh", "-c", "while echo y; do :; done", stdout=subprocess.PIPE) as job:
            job.process.stdout.readline()
            job.process.stdout.close()
            self.assertEqual(job.wait(), 141)
            self.assertEqual(job.stderr(), "")

    def test_interrupt_while_the_reader_sleeps(self):
        with self.start_job("-n", "2", *self.FLOOD, stdout=subprocess.PIPE) as job:
            time.sleep(0.5)
            job.process.terminate()
            self.assertEqual(job.wait(20), -15)
            job.process.stdout.close()

    def test_crash_while_the_reader_sleeps(self):
        with self.start_job("-n", "2", "sh", "-c", "seq 1 100000; kill -9 $$", stdout=subprocess.PIPE) as job:
            time.sleep(0.5)
            data = job.process.stdout.read()
            self.assertEqual(job.wait(), 137)
            self.assertIn(b"100000\n", data)
            job.process.stdout.close()

    def test_reason_comes_after_the_output(self):
        for n in "1", "3":
            with self.start_job("-n", n, "sh", "-c", "echo before; printf unfinished; kill -9 $$; sleep 1000",
                     stderr=subprocess.STDOUT) as job:
                self.assertEqual(job.wait(), 137)
                lines = job.stdout().splitlines()
            reason = [i for i, line in enumerate(lines) if line.startswith("upcrun: process")]
            self.assertEqual(len(reason), 1, lines)
            self.assertIn("before", lines[:reason[0]])

    def test_closed_streams(self):
        for closed in "<&-", ">&-", "2>&-", "<&- >&- 2>&-":
            with self.subTest(closed):
                self.run_program("sh", "-c", f'exec {UPCRUN} -n 2 {MEMBER} collectives {closed}')


class Input(Case):
    def test_reaches_thread_0_only(self):
        self.run_job("-n", "4", "cat", input=b"for thread 0\n", out="for thread 0\n")
        out, _ = self.run_job("-n", "3", "readlink", "/proc/self/fd/0", input=b"")
        self.assertEqual(sorted(out.splitlines())[:2], ["/dev/null"] * 2)
        self.assertNotEqual(sorted(out.splitlines())[2], "/dev/null")

    def test_much(self):
        data = os.urandom(1 << 20).hex().encode()
        self.run_job("-n", "2", "wc", "-c", input=data, err="", out=None)
        out, _ = self.run_job("-n", "2", "wc", "-c", input=data)
        self.assertEqual(sorted(map(int, out.split())), [0, len(data)])


class Descriptors(Case):
    def test_programs_inherit_no_descriptors(self):
        out, _ = self.run_job("-n", "3", "sh", "-c", "exec ls -m /proc/self/fd")
        self.assertEqual(set(out.splitlines()), {"0, 1, 2, 3, 30"})  # 3: the folder

    def test_children_of_members_inherit_no_descriptors(self):
        out, _ = self.run_job("-n", "2", MEMBER, "system", "0", "0", "exec ls -m /proc/self/fd")
        self.assertEqual(out, "0, 1, 2, 3\n")

    def test_few_descriptors(self):
        def soft():
            resource.setrlimit(resource.RLIMIT_NOFILE, (20, 4096))

        def hard():
            resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))

        def just_enough():
            resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))

        self.run_job("-n", "16", MEMBER, "collectives", preexec_fn=soft)
        self.run_job("-n", "2", "sh", "-c", "ulimit -n", out="20\n" * 2, preexec_fn=soft)
        self.run_job("-n", "1", MEMBER, "collectives", preexec_fn=hard)
        self.run_job("-n", "4", MEMBER, "collectives", preexec_fn=just_enough)
        self.run_job("-n", "16", MEMBER, "collectives", status=1, preexec_fn=hard,
                     err="16 processes need 80 open files in upcrun, the hard limit is 20; raise it")


class Unwritable(Case):
    """Output that cannot be written is an error with its cause and status 74; a closed pipe is none (Readers)."""
    WORDS = "upcrun: cannot write standard output: "

    def test_full_device(self):
        with open("/dev/full", "w") as full:
            self.run_job("-n", "2", MEMBER, "streams", stdout=full, status=74, err=self.WORDS + "No space left on device\n")
            self.run_job("-n", "2", MEMBER, "streams", stderr=full, status=74, err=None)
            self.run_job("-n", "2", MEMBER, "streams", stdout=full, stderr=full, status=74, err=None)
            self.run_job("-n", "2", "true", stdout=full)  # no output, so no error

    def test_standard_error_alone_does_not_end_the_job(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8))

        work = "echo lost >&2; sleep 1; echo also lost >&2; echo done; exit "
        with open("/dev/full", "w") as full:
            self.run_job("-n", "2", "sh", "-c", work + "0", out="done\ndone\n", stderr=full, status=74, err=None)
            self.run_job("-n", "2", "sh", "-c", work + "3", out="done\ndone\n", stderr=full, status=3, err=None)
            # Then standard output fails too, which ends the job as always. It is another device, so the streams are not merged.
            with open(os.path.join(self.folder, "out"), "w") as out:
                self.run_job("-n", "2", "sh", "-c", "echo lost >&2; sleep 1; echo 1234567890; exec sleep 1000", stdout=out,
                             stderr=full, status=74, err=None, preexec_fn=limit)

    def test_help_and_version(self):
        for option in "--help", "--version":
            with self.subTest(option), open("/dev/full", "w") as full:
                self.run_job(option, stdout=full, status=74, err="upcrun: cannot write standard output")

    def test_the_job_ends(self):
        with open("/dev/full", "w") as full:
            self.run_job("-n", "2", "sh", "-c", "echo text; exec sleep 1000", stdout=full, status=74,
                         err=self.WORDS + "No space left on device\n")

    def test_a_failure_of_the_program_takes_precedence(self):
        with open("/dev/full", "w") as full:
            self.run_job("-n", "1", "sh", "-c", "exit 3", stdout=full, status=3)

    def test_file_size_limit(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

        with open(os.path.join(self.folder, "out"), "w") as out:
            self.run_job("-n", "2", "sh", "-c", "while :; do echo 123456789012345; done", stdout=out, status=74,
                         err=self.WORDS + "File too large\n", preexec_fn=limit)
            self.assertEqual(os.fstat(out.fileno()).st_size, 8192)

    def test_error_that_comes_when_the_file_is_closed(self):  # as on a network file system
        if SANITIZED:
            self.skipTest("a sanitizer wants to be the first library")
        self.run_job("-n", "2", "echo", "text", status=74, err=self.WORDS + "Disk quota exceeded\n",
                     out="text\ntext\n", env={"LD_PRELOAD": os.environ["CLOSE_FAILS"]})
        with open(os.path.join(self.folder, "both"), "w+") as both:  # stderr is still open
            self.run_job("-n", "2", "echo", "text", stdout=both, stderr=both, status=74, err=None,
                         env={"LD_PRELOAD": os.environ["CLOSE_FAILS"]})
            both.seek(0)
            self.assertEqual(both.read(), "text\ntext\n" + self.WORDS + "Disk quota exceeded\n")


class Files(Case):
    """--output DIR: a file for each process."""

    def test_a_file_for_each_process(self):
        script = 'echo out $UPCR_RANK; echo error $UPCR_RANK >&2; printf tail'
        for how in [], ["--conduit", "ibv", "-H", "localhost"]:
            with self.subTest(how):
                folder = os.path.join(self.folder, f"new{len(how)}", "inner")
                self.run_job(*how, "-n", "11", "--label", "--output", folder, "sh", "-c", script, out="", err="")
                self.assertEqual(sorted(os.listdir(folder)), [f"rank.{rank:02}" for rank in range(11)])
                for rank in range(11):
                    with open(os.path.join(folder, f"rank.{rank:02}")) as f:
                        self.assertEqual(f.read(), f"out {rank}\nerror {rank}\ntail")
                self.run_job(*how, "-n", "11", "--output", folder, "true")  # files of an earlier job are replaced
                self.assertEqual(os.path.getsize(os.path.join(folder, "rank.00")), 0)

    def test_messages_of_upcrun_stay(self):
        words = "--output", self.folder, "sh", "-c", "kill -9 $$"
        self.run_job("-n", "2", *words, status=137, out="", err="signal 9")

    def test_files_that_cannot_be_written(self):
        os.symlink("/dev/full", os.path.join(self.folder, "rank.1"))
        words = "-n", "2", "--output", self.folder, "echo", "x"
        self.run_job(*words, status=74, err=f"upcrun: cannot write {self.folder}/rank.1: No space left on device")
        os.unlink(os.path.join(self.folder, "rank.1"))
        os.mkdir(os.path.join(self.folder, "rank.1"))
        self.run_job(*words, status=74, err=f"upcrun: cannot write {self.folder}/rank.1: Is a directory")
        self.run_job("-n", "1", "--output", "/dev/null/x", "true", status=2, err="--output /dev/null/x: Not a directory")


if __name__ == "__main__":
    main()
