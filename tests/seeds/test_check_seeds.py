#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""test_check_seeds.py CTEST CHECKER: what check_seeds.py must notice, with logs made up and, so that the format is
ctest's own, with a run of ctest over tests that end in every way."""
import os
import subprocess
import sys
import tempfile
import unittest

CTEST, CHECKER = sys.argv[1:3]
sys.path.insert(0, os.path.dirname(CHECKER))
import check_seeds  # noqa: E402

SECTIONS = {"900": {"1": ("reasons", True), "2": ("what is done", False), "2.1": ("how", False)}}
PAGE = """# A document

| section | in the text | meant |
|---|---|---|
| 7 | another table | is not read |

| section | what | where | shown by |
|---|---|---|---|
| 1 | reasons | - | introduction |
| 2 | what is done | `a.c` | `good.one` |
| 2.1 | how | `a.c`, `sub/b.c` | `good.one`, `good.two` |
"""
KNOWN = {"good.one", "good.two", "bad", "quiet"}


def entry(number, name, result="Test Passed.", output="", command='"/bin/x"'):
    """One test's part of a log; `result` None: it is still running."""
    text = (f"{number}/4 Testing: {name}\n{number}/4 Test: {name}\nCommand: {command}\nDirectory: /d\n"
            f'"{name}" start time: Nov 21 21:21 UTC\nOutput:\n{"-" * 58}\n{output}')
    if result is not None:
        text += (f'\n<end of output>\nTest time =   0.00 sec\n{"-" * 58}\n{result}\n"{name}" end time: Nov 21 21:21 UTC\n'
                 f'"{name}" time elapsed: 00:00:00\n{"-" * 58}\n\n')
    return text


def log(*entries):
    return "Start testing: Nov 21 21:21 UTC\n" + "-" * 58 + "\n" + "".join(entries)


GOOD = entry(1, "good.one") + entry(2, "good.two", "Test Pass Reason:\nRequired regular expression found. Regex=[x]")


class MadeUp(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        os.mkdir(os.path.join(self.folder.name, "sub"))
        for name in "a.c", "sub/b.c":
            open(os.path.join(self.folder.name, name), "w").close()

    def check(self, text=None, page=PAGE, known=KNOWN, returns_skip=(), pages=None):
        states = check_seeds.read_log(log(GOOD) if text is None else text, returns_skip)
        return check_seeds.check(self.folder.name, SECTIONS, {"900": page} if pages is None else pages, known, states)

    def expect(self, problems, skips, **what):
        got = self.check(**what)
        self.assertEqual([len(got[0]), len(got[1])], [len(problems), len(skips)], got)
        for lines, wanted in zip(got, (problems, skips)):
            for line, part in zip(lines, wanted):
                self.assertIn(part, line)

    def test_all_is_well(self):
        self.expect([], [])

    def test_a_cited_test_failed(self):
        for result in "Test Failed.", "Test Fail Reason:\nError regular expression found in output. Regex=[x]":
            with self.subTest(result):
                self.expect(["section 2.1: good.two failed"], [], text=log(GOOD, entry(3, "good.two", result)))

    def test_a_cited_test_is_missing(self):
        self.expect(["section 2, 2.1: good.one does not exist"], [], known=KNOWN - {"good.one"})

    def test_a_cited_test_was_skipped(self):
        skipped = "Test Pass Reason:\nSkip regular expression found in output. Regex=[SKIP:]"
        self.expect([], ["section 2.1: good.two was skipped"], text=log(GOOD, entry(3, "good.two", skipped)))

    def test_a_cited_test_was_skipped_by_its_status(self):
        text = log(GOOD, entry(3, "good.two", output="some words\nSKIP: there is none here"))
        self.expect([], ["section 2.1: good.two was skipped"], text=text, returns_skip={"good.two"})
        self.expect([], [], text=text)  # only a word of its output
        self.expect([], [], text=log(GOOD), returns_skip={"good.two"})

    def test_a_cited_test_was_not_run(self):
        one = entry(1, "good.one")
        self.expect([], ["section 2.1: good.two was not part of this run"], text=log(one))
        self.expect([], ["section 2.1: good.two was not part of this run"], text=log(one, entry(2, "good.two", None)))
        self.expect([], ["good.one was not part", "good.two was not part"], text="")

    def test_a_cited_test_could_not_be_run(self):
        text = log(entry(1, "good.one"), entry(2, "good.two", command='""'))
        self.expect(["section 2.1: good.two could not be run"], [], text=text)

    def test_output_that_looks_like_a_log(self):
        text = log(entry(1, "good.one"), entry(2, "good.two", "Test Failed.", output="Test Passed.\n<end of output>\nx"))
        self.expect(["section 2.1: good.two failed"], [], text=text)
        text = log(entry(1, "good.one"), entry(2, "good.two", output="Test Failed.\n\"good.two\" end time: now\n"))
        self.expect([], [], text=text)

    def test_a_section_is_missing(self):
        self.expect(["section 2.1 (how): no row"], [], page=PAGE[:PAGE.index("| 2.1 |")])
        self.expect(["there is no docs/reference/seeds/900-*.md"], [], pages={})

    def test_a_section_that_loses_its_test(self):
        page = PAGE.replace("| 2 | what is done | `a.c` | `good.one` |", "| 2 | what is done | - | really |")
        self.expect(["section 2: it has something to implement"], [], page=page)

    def test_a_file_that_is_none_of_the_tree(self):
        for name in "sub", "..", "../", "/etc/passwd", "a.c/", "b.c":
            with self.subTest(name):
                self.expect([f"there is no file {name}"], [], page=PAGE.replace("`sub/b.c`", f"`{name}`"))
        self.expect([], [], page=PAGE.replace("`sub/b.c`", "`sub/`"))

    def test_a_section_that_there_is_not(self):
        self.expect(["section 3: there is no such section"], [], page=PAGE + "| 3 | more | `a.c` | `good.one` |\n")
        self.expect(["section 2: two rows"], [], page=PAGE + "| 2 | again | `a.c` | `good.one` |\n")

    def test_a_file_is_missing(self):
        self.expect(["section 2.1: there is no file sub/c.c"], [], page=PAGE.replace("sub/b.c", "sub/c.c"))

    def test_rows_that_say_too_little(self):
        for old, new, what in [("| `a.c` | `good.one` |", "| `a.c` | later |", "section 2: no test"),
                               ("| `a.c` | `good.one` |", "| later | `good.one` |", "section 2: no file"),
                               ("| - | introduction |", "| - | - |", "section 1: no file, so a word"),
                               ("| - | introduction |", "| - | `good.one` |", "section 1: no file, so a word"),
                               ("| 1 | reasons |", "| 1 | |", "section 1: nothing says"),
                               ("| - | introduction |", "| - |", "section 1: 3 cells")]:
            with self.subTest(new):
                self.expect([what], [], page=PAGE.replace(old, new))

    def test_the_status_says_it(self):
        for problems, skips, status in [([], [], 0), ([], ["s"], 77), (["p"], [], 1), (["p"], ["s"], 1)]:
            out = subprocess.run([sys.executable, "-c", f"import sys; sys.path.insert(0, {os.path.dirname(CHECKER)!r}); "
                                  f"import check_seeds; sys.exit(check_seeds.report({problems}, {skips}))"],
                                 stdout=subprocess.PIPE, text=True, check=False)
            self.assertEqual(out.returncode, status)
            self.assertEqual(out.stdout, "FAILED: p\n" * len(problems) + "SKIP: s\n" * len(skips))


# Tests that end in every way, as CMake writes them for ctest; {table} is the checker over the folder src.
RUN = """
add_test(good.one "/bin/sh" "-c" "echo x")
add_test(good.two "/bin/sh" "-c" "echo found")
set_tests_properties(good.two PROPERTIES PASS_REGULAR_EXPRESSION "found")
add_test(bad "/bin/false")
add_test(slow "/bin/sleep" "100")
set_tests_properties(slow PROPERTIES TIMEOUT 1)
add_test(said "/bin/sh" "-c" "echo SKIP: no")
set_tests_properties(said PROPERTIES SKIP_REGULAR_EXPRESSION "SKIP:")
add_test(left "/bin/sh" "-c" "echo SKIP: no; exit 77")
set_tests_properties(left PROPERTIES SKIP_RETURN_CODE 77)
add_test(nowhere "/no/such/program")
add_test(off "/bin/true")
set_tests_properties(off PROPERTIES DISABLED TRUE)
add_test(needs "/bin/true")
set_tests_properties(needs PROPERTIES FIXTURES_REQUIRED f)
add_test(setup "/bin/false")
set_tests_properties(setup PROPERTIES FIXTURES_SETUP f)
add_test(seeds.table {table})
set_tests_properties(seeds.table PROPERTIES SKIP_RETURN_CODE 77
  DEPENDS "good.one;good.two;bad;slow;said;left;nowhere;off;needs")
"""


class ByCtest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        for name in "src/docs/reference/seeds", "src/tests/seeds", "build":
            os.makedirs(os.path.join(self.folder.name, name))
        self.write("src/a.c", "")
        words = [sys.executable, CHECKER, CTEST, self.at("build"), self.at("src")]
        self.write("build/CTestTestfile.cmake", RUN.format(table=" ".join(f'"{w}"' for w in words)))

    def at(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.at(name), "w") as file:
            file.write(text)

    def run_citing(self, *tests, only=()):
        """The table's end and words after a run in which a section cites each of these."""
        self.write("src/tests/seeds/sections.txt", "seed 900 a document\n" + "".join(f"{i}  x\n" for i, _ in enumerate(tests)))
        self.write("src/docs/reference/seeds/900-x.md", "| section | what | where | shown by |\n|---|---|---|---|\n" +
                   "".join(f"| {i} | x | `a.c` | `{test}` |\n" for i, test in enumerate(tests)))
        done = subprocess.run([CTEST, "--verbose", "--parallel", "2", *only], cwd=self.at("build"), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).stdout
        end = [line for line in done.splitlines() if " seeds.table ..." in line][0]
        words = [line.split(": ", 1)[1] for line in done.splitlines() if "FAILED: seed" in line or "SKIP: seed" in line]
        return end, words

    def test_every_end(self):
        end, words = self.run_citing("good.one", "good.two", "bad", "slow", "said", "left", "nowhere", "off", "needs", "none")
        self.assertIn("***Failed", end)
        self.assertEqual(words, ["FAILED: seed 900, section 2: bad failed",
                                 "FAILED: seed 900, section 3: slow failed",
                                 "FAILED: seed 900, section 6: nowhere could not be run",
                                 "FAILED: seed 900, section 7: off could not be run",
                                 "FAILED: seed 900, section 8: needs could not be run",
                                 "FAILED: seed 900, section 9: none does not exist",
                                 "SKIP: seed 900, section 4: said was skipped",
                                 "SKIP: seed 900, section 5: left was skipped"])

    def test_all_passed(self):
        end, words = self.run_citing("good.one", "good.two", only=["-R", "good|table"])
        self.assertIn("Passed", end)
        self.assertEqual(words, [])

    def test_part_of_them(self):
        self.run_citing("good.one", "good.two", only=["-R", "good|table"])  # what an earlier run says does not count
        end, words = self.run_citing("good.one", "good.two", only=["-R", "good.one|table"])
        self.assertIn("***Skipped", end)
        self.assertEqual(words, ["SKIP: seed 900, section 1: good.two was not part of this run"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
