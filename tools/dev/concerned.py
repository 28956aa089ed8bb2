# SPDX-License-Identifier: BSD-3-Clause
"""Which targets compile a file, and which tests concern it."""
import json
import os
import re
import subprocess

from dev import compile_db, repository

TESTS = os.path.join(repository.ROOT, "tests")
# Programs that tests run besides the tested one.
HELPERS = ("upcrun", "upcc", "upcr_info", "mupcc")


ADD_TEST = re.compile(r'^add_test\((?:\[=*\[)?([^\s\]]+)(?:\]=*\])? (.*)\)$', re.MULTILINE)


def configured_commands():
    """The command lines of tests as cmake wrote them."""
    commands = {}
    for folder, _, names in os.walk(compile_db.BUILD):
        if "CTestTestfile.cmake" in names:
            text = repository.read(os.path.join(folder, "CTestTestfile.cmake")).decode()
            commands.update((name, re.findall(r'"((?:[^"\\]|\\.)*)"', words)) for name, words in ADD_TEST.findall(text))
    return commands


def ctests():
    """Name and command line of each test that ctest knows."""
    run = subprocess.run(["ctest", "--test-dir", compile_db.BUILD, "--show-only=json-v1"], capture_output=True,
                         text=True)
    if run.returncode != 0:
        return []
    tests = json.loads(run.stdout)["tests"]
    # ctest leaves out the command of a program that is not built.
    unbuilt = configured_commands() if any("command" not in test for test in tests) else {}
    return [(test["name"], test.get("command") or unbuilt.get(test["name"], [])) for test in tests]


class Plan:
    """targets: for ninja, relative to the build folder; tests: names for ctest; covered: the files that have a test."""

    def __init__(self, files):
        self.files, self.targets, self.tests, self.covered = files, set(), set(), set()
        self.entries = compile_db.entries()
        self.known = []  # name and command line of each test
        self.programs = {}  # the name of a test program -> the files that it tests
        for path in files:
            self.add(path)
        self.name_tests()

    def add(self, path):
        for entry in self.entries:
            if entry["file"] == path:
                self.targets.add(self.output(entry))
        if path.startswith(TESTS + os.sep):
            self.add_test_file(path)
        else:
            for source in self.unit_tests_of(path):
                self.add_program(source, path)
            if path.endswith(".hpp"):
                self.add_own_source(path)

    def add_own_source(self, header):
        """A header is compiled by the source beside it that has its name."""
        own = os.path.splitext(header)[0] + ".cpp"
        self.targets.update(self.output(entry) for entry in self.entries if entry["file"] == own)

    def add_test_file(self, path):
        """Adds the programs that a test's source is compiled into, or a file that tests include."""
        for entry in self.entries:
            if os.path.isfile(entry["file"]) and path in compile_db.all_includes(entry["file"]):
                self.targets.add(self.output(entry))
                self.add_program(entry["file"], path)

    def add_program(self, source, path):
        for entry in self.entries:
            folder = re.match(r"(?:(.*)/)?CMakeFiles/([^/]+)\.dir/", entry["output"])
            if entry["file"] == source and folder:
                self.programs.setdefault(folder.group(2), set()).add(path)

    def unit_tests_of(self, path):
        """Sources of the unit tests that have the file's name or include its header: directly, or where none does, by
        way of as few other headers as possible."""
        stem = os.path.splitext(os.path.basename(path))[0]
        subject = path if path.endswith((".hpp", ".h")) else os.path.splitext(path)[0] + ".hpp"
        sources = [source for source in sorted({entry["file"] for entry in self.entries})
                   if source.startswith(TESTS + os.sep) and source.endswith("_test.cpp") and os.path.isfile(source)]
        distance = {source: compile_db.include_distance(source, subject) for source in sources}
        nearest = min(filter(None, distance.values()), default=None)
        found = [source for source in sources if os.path.basename(source) == f"{stem}_test.cpp"
                 or (nearest and distance[source] == nearest)]
        # Parts that are only used through others: the tests of the folder that mirrors theirs.
        mirror = os.path.join(TESTS, os.path.relpath(os.path.dirname(path), os.path.join(repository.ROOT, "tools")))
        return found or [source for source in sources if os.path.dirname(source) == mirror]

    def output(self, entry):
        return os.path.relpath(os.path.join(entry["directory"], entry["output"]), compile_db.BUILD)

    def name_tests(self):
        """Adds the tests of the programs, and those with the files on their command lines. To be called again after a
        build, which is when the tests of GoogleTest's programs become known."""
        self.known = ctests()
        for name, command in self.known:
            words = {os.path.normpath(word) for word in command if os.sep in word}
            programs = {os.path.basename(word) for word in words} & set(self.programs)
            scripts = words & set(self.files)
            for program in programs:
                self.covered |= self.programs[program]
            self.covered |= scripts
            if programs or scripts:
                self.tests.add(name)
                self.targets.update(helper for helper in HELPERS
                                    if any(os.path.basename(word) == helper for word in words))
        for program, paths in self.programs.items():
            if f"{program}_NOT_BUILT" in dict(self.known):
                self.covered |= paths
            if any(program == os.path.basename(word) for _, command in self.known for word in command) \
                    or f"{program}_NOT_BUILT" in dict(self.known):
                self.targets.add(program)

    def expression(self):
        """A regular expression for ctest -R that matches these tests and no other."""
        return "^(" + "|".join(re.escape(name) for name in sorted(self.tests)) + ")$"
