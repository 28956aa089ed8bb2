#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_seeds.py CTEST BUILD SOURCE: every section of the founding documents (tests/seeds/sections.txt) has a row in
docs/reference/seeds/NUMBER-*.md that names files that exist and tests that exist and passed in this run.

A row is `| section | what | where | shown by |`: files as `path/from/the/root`, tests as `ctest.name`, several with
commas. In a row without anything to implement `where` is - and `shown by` is the reason.

The results are read from the log that ctest writes as tests end (CMakeLists.txt makes this test the last one). Status
1: something is wrong. 77, a skip: nothing is wrong, but tests that are named did not run here."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

SKIP = 77
HEAD = ["section", "what", "where", "shown by"]
QUOTED = re.compile(r"`([^`]+)`")


def read_sections(path):
    """{seed: {section: (title, whether it may do without file and test)}}"""
    seeds = {}
    with open(path) as file:
        for line in file:
            line = line.split("#")[0].rstrip()
            if line.startswith("seed "):
                sections = seeds.setdefault(line.split()[1], {})
            elif line:
                section, title, *nothing = line.split("  ")
                assert section not in sections, f"{path}: section {section} twice"
                assert nothing in ([], ["-"]), f"{path}: {line}"
                sections[section] = title, nothing == ["-"]
    return seeds


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def read_rows(text):
    """The rows of the tables with the head HEAD, in order: (section, what, where, shown by)."""
    rows, ours = [], False
    for line in text.splitlines():
        if not line.startswith("|"):
            ours = False
        elif cells(line) == HEAD:
            ours = True
        elif ours and not set(line) <= set("|- "):
            rows.append(cells(line))
    return rows


def read_log(text, returns_skip):
    """{test: "passed" | "failed" | "skipped" | "not run"} of ctest's log; `returns_skip`: tests that skip by their exit
    status, which the log does not tell from a pass; such a test says SKIP in a line of its own."""
    states = {}
    heads = list(re.finditer(r"^(\d+/\d+) Testing: (\S+)\n\1 Test: \2\nCommand: (.*)\n", text, re.M))
    for i, head in enumerate(heads):
        name, command = head.group(2), head.group(3)
        body = text[head.end():heads[i + 1].start() if i + 1 < len(heads) else len(text)]
        output, _, result = body.rpartition("\n<end of output>\n")
        result = result.rpartition(f'\n"{name}" end time:')[0]
        if not result:
            continue  # its end is not written yet
        if command.strip() in ("", '""'):
            state = "not run"
        elif "Skip regular expression found" in result:
            state = "skipped"
        elif "\nTest Passed." in result or "Required regular expression found" in result:
            state = "skipped" if name in returns_skip and re.search(r"^SKIP", output, re.M) else "passed"
        else:
            state = "failed"
        states[name] = state
    return states


def newest_log(build):
    """The text of this run's log; while ctest runs it has another name."""
    folder = os.path.join(build, "Testing", "Temporary")
    for pattern in "LastTest*.log.tmp", "LastTest*.log":
        logs = sorted(glob.glob(os.path.join(folder, pattern)), key=os.path.getmtime)
        if logs:
            with open(logs[-1], errors="replace") as file:
                return file.read()
    return ""


def list_tests(ctest, build):
    """({every test}, {those that skip by exit status}). Asked from another folder: ctest writes over the log of the
    folder that it is called in."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "CTestTestfile.cmake"), "w") as file:
            file.write(f'subdirs("{build}")\n')
        got = subprocess.run([ctest, "--show-only=json-v1"], cwd=folder, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, check=True).stdout
    tests = json.loads(got)["tests"]
    returns_skip = {t["name"] for t in tests
                    if any(p["name"] == "SKIP_RETURN_CODE" for p in t.get("properties", []))}
    return {t["name"] for t in tests}, returns_skip


def is_file_of(root, name):
    """A file or, with a slash at its end, a folder of the tree, by its path from the root."""
    path = os.path.join(root, name)
    inside = os.path.realpath(path).startswith(os.path.realpath(root) + os.sep)
    return inside and (os.path.isdir(path) if name.endswith("/") else os.path.isfile(path))


def check_page(seed, sections, text, root):
    """(problems, {test: [sections that cite it]}) of one document's page."""
    problems, cited, seen = [], {}, set()
    for row in read_rows(text):
        where_from = f"seed {seed}, section {row[0]}"
        if row[0] in seen:
            problems.append(f"{where_from}: two rows")
        seen.add(row[0])
        if len(row) != len(HEAD):
            problems.append(f"{where_from}: {len(row)} cells instead of {len(HEAD)}")
            continue
        section, what, where, shown = row
        if section not in sections:
            problems.append(f"{where_from}: there is no such section (sections.txt)")
        files, tests = QUOTED.findall(where), QUOTED.findall(shown)
        if not what:
            problems.append(f"{where_from}: nothing says what it is")
        if where == "-":
            if section in sections and not sections[section][1]:
                problems.append(f"{where_from}: it has something to implement (sections.txt), so it needs file and test")
            if tests or not shown or shown == "-":
                problems.append(f"{where_from}: no file, so a word must say why, and no test can show it")
            continue
        if not files:
            problems.append(f"{where_from}: no file")
        if not tests:
            problems.append(f"{where_from}: no test")
        for file in files:
            if not is_file_of(root, file):
                problems.append(f"{where_from}: there is no file {file}")
        for test in tests:
            cited.setdefault(test, []).append(section)
    for section, (title, _) in sections.items():
        if section not in seen:
            problems.append(f"seed {seed}, section {section} ({title}): no row")
    return problems, cited


def check_tests(seed, cited, known, states):
    """(problems, skips) for the tests that a page cites."""
    problems, skips = [], []
    for test, sections in cited.items():
        line = f"seed {seed}, section {', '.join(sections)}: {test}"
        state = states.get(test)
        if test not in known:
            problems.append(f"{line} does not exist")
        elif state == "failed":
            problems.append(f"{line} failed")
        elif state == "not run":
            problems.append(f"{line} could not be run")
        elif state == "skipped":
            skips.append(f"{line} was skipped")
        elif state is None:
            skips.append(f"{line} was not part of this run")
    return problems, skips


def check(root, seeds, pages, known, states):
    """All of it; `pages` is {seed: text}."""
    problems, skips = [], []
    for seed, sections in seeds.items():
        if seed not in pages:
            problems.append(f"seed {seed}: there is no docs/reference/seeds/{seed}-*.md")
            continue
        of_page, cited = check_page(seed, sections, pages[seed], root)
        of_tests, of_run = check_tests(seed, cited, known, states)
        problems += of_page + of_tests
        skips += of_run
    return problems, skips


def read_pages(root, seeds):
    pages = {}
    for seed in seeds:
        for path in glob.glob(os.path.join(root, "docs", "reference", "seeds", seed + "-*.md")):
            with open(path) as file:
                pages[seed] = pages.get(seed, "") + file.read()
    return pages


def report(problems, skips):
    for line in problems:
        print("FAILED:", line)
    for line in skips:
        print("SKIP:", line)
    return 1 if problems else SKIP if skips else 0


def main():
    ctest, build, root = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3]
    seeds = read_sections(os.path.join(root, "tests", "seeds", "sections.txt"))
    known, returns_skip = list_tests(ctest, build)
    states = read_log(newest_log(build), returns_skip)
    status = report(*check(root, seeds, read_pages(root, seeds), known, states))
    if status == 0:
        print(f"{sum(map(len, seeds.values()))} sections of {len(seeds)} documents: files and tests are there, and passed")
    return status


if __name__ == "__main__":
    sys.exit(main())
