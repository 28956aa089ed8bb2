# SPDX-License-Identifier: BSD-3-Clause
"""Which targets compile a file, and which tests concern it."""
import json
import os
import re
import subprocess

from dev import compile_db, repository

TESTS = os.path.join(repository.ROOT, "tests")
# What tests run besides the program that is tested.
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
    """The tests that ctest knows: name and command line each."""
    run = subprocess.run(["ctest", "--test-dir", compile_db.BUILD, "--show-only=json-v1"], capture_output=True,
                         text=True)
    if run.returncode != 0:
        return []
    tests = json.loads(run.stdout)["tests"]
    # ctest does not say the command of a program that is not built.
    unbuilt = configured_commands() if any("command" not in test for test in tests) else {}
    return [(test["name"], test.get("command") or unbuilt.get(test["name"], [])) for test in tests]


class Plan:
    """targets: for ninja, relative to the build folder; tests: names for ctest; covered: files that these concern."""

    def __init__(self, files):
        self.files, self.targets, self.tests, self.covered = files, set(), set(), set()
        self.entries = compile_db.entries()
        self.known = ctests()
        self.programs = {}  # the path of a test program -> the file that it is wanted for
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
        """A test's source stands for its program; what tests include, for all programs that do."""
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
        """Sources of unit tests that are called as the file is, and of those that include its header: by themselves,
        or where none does, by way of as few other headers as there are."""
        stem = os.path.splitext(os.path.basename(path))[0]
        subject = path if path.endswith((".hpp", ".h")) else os.path.splitext(path)[0] + ".hpp"
        sources = [source for source in sorted({entry["file"] for entry in self.entries})
                   if source.startswith(TESTS + os.sep) and source.endswith("_test.cpp") and os.path.isfile(source)]
        distance = {source: compile_db.include_distance(source, subject) for source in sources}
        nearest = min(filter(None, distance.values()), default=None)
        return [source for source in sources if os.path.basename(source) == f"{stem}_test.cpp"
                or (nearest and distance[source] == nearest)]

    def output(self, entry):
        return os.path.relpath(os.path.join(entry["directory"], entry["output"]), compile_db.BUILD)

    def name_tests(self):
        """Fills in the tests: by program, and by the scripts on their command lines. Called again after a build,
        because programs of GoogleTest are asked for their tests then."""
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
