# SPDX-License-Identifier: BSD-3-Clause
"""Runs one command of a part within the part's time limit; NotMeasured has the reason of a failure."""
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import time


SKIPPED_BY_QUICK = "left out by --quick"


class NotMeasured(Exception):
    """The reason becomes the note of the table's lines. `records`: measurements made before the failure."""

    def __init__(self, why, records=()):
        super().__init__(why)
        self.records = list(records)


@dataclasses.dataclass
class Context:
    build: pathlib.Path  # folder with bin/
    source: pathlib.Path
    out: pathlib.Path  # for JSON and logs of this run
    quick: bool
    part: str = ""
    ends: float = 0  # of the part, time.monotonic()
    files: int = 0

    def program(self, name):
        path = self.build / "bin" / name
        if not os.access(path, os.X_OK):
            raise NotMeasured(f"{name} was not built (its libraries are missing, or it is not there yet)")
        return str(path)

    def json_file(self):
        self.files += 1
        path = self.out / f"{self.part}{'' if self.files == 1 else self.files}.json"
        path.unlink(missing_ok=True)
        return path

    def seconds_left(self):
        return self.ends - time.monotonic()

    def call(self, command, env=None, may_fail=False, seconds=None):
        """(status, standard output). All output of the command is in PART.log."""
        arguments = [str(c) for c in command]
        log = self.out / f"{self.part}.log"
        if self.seconds_left() < 1:
            raise NotMeasured("the time of its part was over before it began")
        with open(log, "a") as err:
            err.write("$ " + " ".join([f"{k}={v}" for k, v in (env or {}).items()] + arguments) + "\n")
            err.flush()
            mark = err.tell()
            process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=err, text=True,
                                       env=dict(os.environ, **(env or {})), start_new_session=True)
            try:
                out, _ = process.communicate(timeout=min(seconds or self.seconds_left(), self.seconds_left()))
            except subprocess.TimeoutExpired:
                self.stop(process)
                raise NotMeasured("it took longer than its part's time") from None
            except KeyboardInterrupt:
                self.stop(process)
                raise
            err.write(out)
        if process.returncode != 0 and not may_fail:
            with open(log) as log_file:
                log_file.seek(mark)
                lines = [l.strip() for l in log_file.read().splitlines() if l.strip()]
            raise NotMeasured(f"{arguments[0].rsplit('/', 1)[-1]} ended with status {process.returncode}: "
                              f"{lines[0][:200] if lines else 'it wrote nothing to stderr'}")
        return process.returncode, out

    @staticmethod
    def stop(process):
        """SIGTERM first, on which upcrun and mpirun end their processes on all hosts; then SIGKILL."""
        for sign in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, sign)
                process.communicate(timeout=10)
                return
            except subprocess.TimeoutExpired:
                continue
            except ProcessLookupError:
                process.communicate()
                return


def read_records(path):
    with open(path) as file:
        return json.load(file)


def lines_of_json(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]
