#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""test_code_blocks.py [PAGE...]: what the fenced blocks of the documents show is so. The build is in the environment:
SOURCE, BUILD, LIBDIR (CMAKE_INSTALL_LIBDIR) and CC, CXX.

- ```sh: each command ends with status 0.
- ```console: commands begin with `$ `, what is typed into them with `(gdb) `; all other lines are lines of their output,
  but for numbers and sizes, and folders. Lines of sources (prog.upc:7) are as shown.
- ```c: stands in a program of docs/examples or docs/tutorial, which other tests run, or is compiled.
- ```cpp, ```cmake: is compiled, configured. ```text: is output of a command, or a drawing.

code_blocks/rules.py has what a page needs before, and a rule for each command and block that is not just run. A block of
another language, one for which there must be a rule and is none, and a rule that nothing needs, are errors."""
import collections
import concurrent.futures
import fnmatch
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

FIXTURES = pathlib.Path(__file__).resolve().parent / "code_blocks"
sys.path.insert(0, str(FIXTURES))
from rules import NEEDS, RULES, SETUP  # noqa: E402

SOURCE, BUILD = pathlib.Path(os.environ["SOURCE"]), pathlib.Path(os.environ["BUILD"])
LAUNCHER = r"(?:\S*/)?(?:upcrun|mupcrun|gasnetrun_\w+) "
SECONDS = 100  # of a command; ten times the longest
VARYING = re.compile(r"""(?P<place>\w+\.upc:\d+(:\d+)?)             # a line of a source
    | (?P<folder>(?:[\w.-]*/)+(?=[\w-]+\.(?:so|cpp)\b))
    | (?P<number>0x[0-9a-f]+|\b[0-9a-f]*\d[0-9a-f.,]*(\ (ns|us|ms|s|B|[kM]B|MiB|bytes)\b)?)
    | (?P<host>\bhost\ n1\b) | (?P<bar>(?<!\S)\#+(?!\S)) | (?P<cut>\.\.\.) | (?P<space>\s+)""", re.VERBOSE)
VARIANTS = {"folder": r"\S*/", "host": r"host \S+", "number": r"[0-9a-fx.,]+( ([num]?s|[kM]?i?B|bytes))?", "bar": "#*", "cut": ".*",
            "space": r"[\s#]*"}

Block = collections.namedtuple("Block", "page line language text")


def blocks(page):
    """The fenced blocks of a page, without the indentation of a list."""
    begin = None
    for number, line in enumerate((SOURCE / page).read_text().splitlines(), 1):
        fence = re.match(r"( *)(?:```|~~~)(.*)", line)
        if fence and begin is None:
            begin, indentation, language, lines = number, len(fence[1]), fence[2].strip(), []
        elif fence:
            yield Block(page, begin, language, "".join(lines))
            begin = None
        elif begin is not None:
            lines.append(line[indentation:] + "\n")


def conversations(block):
    """(command, what is typed into it, lines that it prints) of a block of commands."""
    if block.language == "sh":
        for command in re.sub(r"\\\n\s*", "", block.text).splitlines():
            if command and not command.startswith("#"):
                yield command, "", []
        return
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, *rest = part.splitlines()
        typed = [line[len("(gdb) "):] for line in rest if line.startswith("(gdb) ")]
        yield command, "\n".join(typed), [line for line in rest if not line.startswith("(gdb) ")]


def varied(line):
    """A pattern for the lines that this one stands for."""
    found, end = "", 0
    for part in VARYING.finditer(line):
        found += re.escape(line[end:part.start()]) + VARIANTS.get(part.lastgroup, re.escape(part[0]))
        end = part.end()
    return found + re.escape(line[end:])


def make_prefix(folder):
    """What looks like the folder in which upcr is installed."""
    lib = folder / os.environ["LIBDIR"]
    (lib / "pkgconfig").mkdir(parents=True)
    for file in (BUILD / "lib").iterdir():
        (lib / file.name).symlink_to(file)
    for file in [*BUILD.glob("*.pc"), *(BUILD / "conduits/api/gasnet").rglob("*.pc")]:
        shutil.copy(file, lib / "pkgconfig")
    for tree in SOURCE / "include", BUILD / "include":
        subprocess.run(["cp", "-rs", f"{tree}/.", folder / "include"], check=True)
    (folder / "share").symlink_to(SOURCE / "share")
    return folder


class Checker:
    def __init__(self, work):
        self.work = work
        prefix = make_prefix(work / "prefix")
        self.environment = {n: v for n, v in os.environ.items() if not n.startswith(("UPC", "GASNET", "MUPC"))}
        self.environment |= {
            "PATH": f"{BUILD}/bin:{os.environ['PATH']}", "PREFIX": str(prefix), "HOME": str(work), "LC_ALL": "C",
            "PKG_CONFIG_PATH": f"{prefix}/{os.environ['LIBDIR']}/pkgconfig", "FIXTURES": str(FIXTURES), "LIBRARY_PATH": ".",
            # What a user who is not root, on a host with as many cores as ranks, does not need.
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
        information = subprocess.run(["upcr_info"], capture_output=True, text=True, check=True, env=self.environment).stdout
        self.conduits = set(re.findall(r"^ +(\w+) +present", information, flags=re.MULTILINE))
        programs = [f for kind in ("*.c", "*.h", "*.upc") for f in (SOURCE / "docs").rglob(kind)]
        self.programs = [file.read_text() for file in programs]
        self.used, self.counts, self.problems = set(), collections.Counter(), []

    def rule(self, page, text):
        """(how, what) of the first rule for a command, or for a block by its first line."""
        for number, (pages, beginning, how, what) in enumerate(RULES):
            if page == pages or pages == "*":
                if fnmatch.fnmatchcase(text, beginning):
                    self.used.add(number)
                    return how, what
        return "run", text

    def missing(self, command):
        """What this machine or build lacks for a command, or None."""
        for program, conduit in NEEDS.items():
            if re.search(rf"\b{program}\b", command):
                if conduit not in self.conduits or not shutil.which(program):
                    return program
        for name in re.findall(r"(?:--conduit |UPCR_CONDUIT=|gasnetrun_)(\w+)", command):
            if name not in self.conduits:
                return f"conduit {name}"
        for program in re.findall(r"\b\w+_perf\w*|\bupcr_scale\b", command):  # not in each build
            if not (BUILD / "bin" / program).exists():
                return program
        return None

    def run(self, folder, command, typed="", variables={}):
        command = command.replace("/usr/local/", "$PREFIX/")
        process = subprocess.Popen(["bash", "-c", command], cwd=folder, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, env={**self.environment, **variables}, start_new_session=True)
        end = threading.Timer(SECONDS, lambda: os.killpg(process.pid, signal.SIGKILL))
        end.start()
        output, _ = process.communicate(typed.replace("/usr/local", str(self.work / "prefix")))
        end.cancel()
        return process.returncode, output if process.returncode >= 0 else f"{output}\nkilled, perhaps after {SECONDS} s"

    def fail(self, block, what, output=""):
        self.problems.append(f"{block.page}:{block.line}: {what}\n{output[-3000:]}")

    def compare(self, block, shown, command, output):
        for line in shown:
            if line.strip() and not re.search(varied(line.strip()), output):
                self.fail(block, f"no line of `{command}` is like: {line}", output)
                return

    def check_command(self, block, folder, command, typed, shown, last):
        """Returns the status of the command; last: that of the one before."""
        how, what = self.rule(block.page, command)
        if how == "as":
            command = what.replace("{}", re.sub(r"\s+#.*", "", command))
        lacks = how in ("run", "as", "dry") and self.missing(command)
        if lacks:
            how, what = "not run", f"there is no {lacks} here"
        if how == "not run":
            print(f"not run: {block.page}: {command}: {what}")
            self.counts["commands not run"] += 1
            return 0
        if how == "options":
            program = next(word for word in command.split() if "=" not in word)
            found = self.run(folder, f"{program} --help")[1]
            unknown = [o for o in re.findall(r"(?<=\s)--?[a-z][\w-]*", re.sub(r"\s(#|-- ).*", "", command))
                       if not re.search(rf"{o}(?![\w-])", found)]
            if unknown:
                self.fail(block, f"{program} --help does not know {' '.join(unknown)}", found)
            self.counts["commands whose options are checked"] += 1
            return 0
        variables = {}
        if how == "dry":  # from the launcher on, which starts nothing
            variables = {"UPCRUN_FLAGS": "--dry-run", "UPCR_THREADS": "2"}
            command = re.sub(rf"^salloc\b.*?(?={LAUNCHER})", "", command)
        status, output = self.run(folder, f"(exit {last}); {command}", typed, variables)
        self.counts[f"commands {'started dry' if how == 'dry' else 'run'}"] += 1
        if "there is no option" in output or (status != 0 and block.language == "sh"):
            self.fail(block, f"status {status}: {command}", output)
        self.compare(block, shown, command, output)
        return status

    def check_text(self, block, folder):
        """A block that is no commands: by its rule."""
        if block.language == "c" and any(block.text in program for program in self.programs):
            self.counts["blocks quoted from programs"] += 1
            return
        how, what = self.rule(block.page, block.text.splitlines()[0])
        if how == "not run":
            self.counts[f"{block.language} blocks not checked"] += 1
            print(f"not checked: {block.page}:{block.line}: {what}")
        elif how != "as":
            self.fail(block, "no rule of code_blocks/rules.py says how this is checked")
        elif self.missing(what):
            self.counts[f"{block.language} blocks not checked"] += 1
            print(f"not checked: {block.page}:{block.line}: there is no {self.missing(what)} here")
        else:
            (folder / "block").write_text(block.text)
            status, output = self.run(folder, what)
            self.counts[f"{block.language} blocks checked"] += 1
            if block.language == "text":
                self.compare(block, block.text.splitlines(), what, output)
            elif status != 0:
                self.fail(block, f"status {status}: {what}", output)

    def check_page(self, page):
        found = list(blocks(page))
        folder = self.work / page.replace("/", "_")
        folder.mkdir()
        status, output = self.run(folder, f"set -e\n{SETUP.get(page, '')}")
        if status != 0:
            self.problems.append(f"{page}: what its commands need cannot be made\n{output}")
            return 0
        for block in found:
            status = 0
            if block.language in ("sh", "console"):
                for command, typed, shown in conversations(block):
                    status = self.check_command(block, folder, command, typed, shown, status)
            elif block.language in ("c", "upc", "cpp", "cmake", "text"):
                self.check_text(block, folder)
            else:
                self.fail(block, f"a block of the language '{block.language}' cannot be checked")
        return len(found)


def main():
    pages = sys.argv[1:] or [str(p.relative_to(SOURCE)) for p in [*SOURCE.glob("*.md"), *(SOURCE / "docs").rglob("*.md")]]
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(2) as pool:
        checker = Checker(pathlib.Path(work))
        pages.sort(key=lambda page: page not in SETUP)  # the long ones first
        count = sum(pool.map(checker.check_page, pages))
    if not sys.argv[1:]:
        for number in set(range(len(RULES))) - checker.used:
            checker.problems.append(f"code_blocks/rules.py: nothing needs the rule {RULES[number]}")
    print(*(f"FAILED: {problem}" for problem in checker.problems), sep="\n")
    print(f"{count} blocks;", ", ".join(f"{number} {what}" for what, number in sorted(checker.counts.items())))
    sys.exit(1 if checker.problems or count == 0 else 0)


main()
