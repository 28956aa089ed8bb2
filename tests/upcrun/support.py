# SPDX-License-Identifier: BSD-3-Clause
"""Shared by the tests of this folder: running upcrun, finding the processes of a job, checking for leaks.

Every job carries a mark of its own in the environment, which all its processes inherit, so that whatever is
left of it can be found. Programs come from the environment: UPCRUN_UNDER_TEST and MEMBER.
"""
import concurrent.futures
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

UPCRUN = os.environ["UPCRUN_UNDER_TEST"]
MEMBER = os.environ["MEMBER"]
SANITIZED = bool(os.environ.get("SANITIZED"))
DEADLINE = 20  # seconds: ten times what the job may take to end
MARK = "JOB_MARK"


def processes_with(mark):
    """pids of the live processes (zombies aside) that carry the mark."""
    needle = f"{MARK}={mark}".encode()
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as f:
                if needle in f.read().split(b"\0"):
                    found.append(int(name))
        except OSError:
            pass
    return found


def wait_for(what, condition, seconds=DEADLINE):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.01)


def kill(pid):
    """Sends SIGKILL, unless the process has ended by itself since it was listed."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Job:
    """upcrun and the processes that it starts. As a context it fails the test at exit if a process is left."""

    def __init__(self, *words, env=None, stdin=subprocess.DEVNULL, stdout=None, stderr=None, **popen):
        self.mark = uuid.uuid4().hex
        self.out = tempfile.TemporaryFile()
        self.err = tempfile.TemporaryFile()
        environment = dict(os.environ)
        for name in [n for n in environment if n.startswith(("UPCR_", "UPC_", "UPCRUN"))]:
            del environment[name]
        environment.update(env or {})
        environment[MARK] = self.mark
        self.process = subprocess.Popen(words, env=environment, stdin=stdin, stdout=stdout or self.out,
                                        stderr=stderr or self.err, **popen)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        left = processes_with(self.mark)
        if kind is not None:
            sys.stderr.write(f"--- stdout\n{self.stdout()}--- stderr\n{self.stderr()}---\n")
        if self.process.poll() is None or left:
            try:
                if kind is None:
                    wait_for("the job's end", lambda: not processes_with(self.mark), 1)
            finally:
                for pid in processes_with(self.mark):
                    kill(pid)
        self.process.wait()
        for pipe in self.process.stdin, self.process.stdout:
            if pipe is not None:
                pipe.close()
        self.out.close()
        self.err.close()

    @staticmethod
    def _text(file):
        # The job writes at the file's position, which must therefore not be changed.
        return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode(errors="replace")

    def stdout(self):
        return self._text(self.out)

    def stderr(self):
        return self._text(self.err)

    def wait(self, seconds=60):
        return self.process.wait(seconds)

    def wait_for_output(self, text, count):
        wait_for(f"{count} x {text!r}", lambda: self.stdout().count(text) >= count, 60)

    def wait_for_error(self, text, count):
        wait_for(f"{count} x {text!r}", lambda: self.stderr().count(text) >= count, 60)

    def processes(self):
        """(guard, launcher, the program's processes)"""
        guard = self.process.pid
        launcher = children(guard)[0]
        return guard, launcher, [p for p in processes_with(self.mark) if executable(p) not in LAUNCHERS]

    def launchers(self, name):
        """The processes of this name that start the program, or wait for it."""
        return [p for p in processes_with(self.mark) if executable(p) == name]

    def wait_until_gone(self):
        wait_for("nothing left of the job", lambda: not processes_with(self.mark))


LAUNCHERS = {"upcrun", "orterun", "orted", "mpiexec.hydra", "hydra_pmi_proxy"}


def executable(pid):
    """The name of the file that the process runs."""
    try:
        return os.path.basename(os.readlink(f"/proc/{pid}/exe"))
    except OSError:
        return ""


def children(pid):
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat") as f:
                if int(f.read().rsplit(")", 1)[1].split()[1]) == pid:
                    found.append(int(name))
        except OSError:
            pass
    return found


class Case(unittest.TestCase):
    """Runs whole jobs; checks their status and output, and that nothing is left."""

    maxDiff = 2000
    launch_options = []  # arguments of upcrun in each job: how the processes are started
    settings = {}  # environment variables of each job

    def run_job(self, *words, status=0, out=None, err="", input=None, env=None, **popen):
        """Runs upcrun with these arguments. `out`: the whole stdout. `err`: a part of stderr; None: any; "": empty. `status`: None: any."""
        return self.run_program(UPCRUN, *self.launch_options, *words, status=status, out=out, err=err, input=input,
                                env={**self.settings, **(env or {})}, **popen)

    def start_job(self, *words, env=None, **popen):
        """Starts upcrun likewise without waiting for it. Returns a Job."""
        return Job(UPCRUN, *self.launch_options, *words, env={**self.settings, **(env or {})}, **popen)

    def run_program(self, *words, status=0, out=None, err="", input=None, env=None, **popen):
        with tempfile.TemporaryFile() as source:
            if input is not None:
                source.write(input)
                source.seek(0)
                popen["stdin"] = source
            with Job(*words, env=env, **popen) as job:
                got = job.wait()
                stdout, stderr = job.stdout(), job.stderr()
                if status is not None:
                    self.assertEqual(got, status, stderr)
                if out is not None:
                    self.assertEqual(stdout, out)
                if err == "":
                    self.assertEqual(stderr, "")
                elif err is not None:
                    self.assertIn(err, stderr)
        return stdout, stderr

    def script(self, text):
        """An executable script with this text."""
        path = os.path.join(self.folder, f"script{len(os.listdir(self.folder))}")
        with open(path, "w") as f:
            f.write(text)
        os.chmod(path, 0o755)
        return path

    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = self._folder.name
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def tearDown(self):
        self._folder.cleanup()


MAX_PARALLEL = 3  # jobs of mpirun spend most of their time waiting for each other


def each_of(suite):
    """The tests in suites of suites."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from each_of(test)
        else:
            yield test


def run_together(tests):
    """Runs these tests, several at the same time; prints results in order. Returns whether none has failed."""
    def run(test):
        result = unittest.TestResult()
        start = time.monotonic()
        test.run(result)
        return test, result, time.monotonic() - start

    good = True
    with concurrent.futures.ThreadPoolExecutor(MAX_PARALLEL) as pool:
        for test, result, seconds in pool.map(run, tests):
            skipped = "; ".join(why for _, why in result.skipped)
            verdict = f"SKIP: {skipped}" if skipped else "ok" if result.wasSuccessful() else "FAILED"
            print(f"{test.id()} ... {verdict} ({seconds:.1f} s)")
            for which, trace in result.failures + result.errors:
                print(f"{'-' * 70}\n{which}\n{trace}")
            good = good and result.wasSuccessful()
    return good


def main(together=False):
    if not together:
        unittest.main(verbosity=2)
    sys.exit(not run_together(each_of(unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"]))))
