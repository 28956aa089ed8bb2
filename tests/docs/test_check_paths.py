#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The check of the documents' paths on trees that are made up: what it finds, and what it lets pass."""
import pathlib
import tempfile
import unittest

import check_paths


class CheckPaths(unittest.TestCase):
    def problems(self, text, document="docs/page.md"):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, content in {"upcr/sync/lock.cpp": "void upcr_lock() {}\n", "tests/symbols/libupcr.txt": "",
                                  "docs/other.md": "# A heading, here\n", document: text}.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content)
            return [problem.split(": ", 1)[1] for problem in check_paths.check(root)]

    def test_what_exists_passes(self):
        self.assertEqual(self.problems(
            "`upcr/sync/lock.cpp`, `upcr/sync/`, `sync/lock.cpp`, `lock.cpp`, `upcr/{sync,sync}/*.cpp`,\n"
            "`tests/symbols/LIBRARY.txt`, `upcr/LIBRARY/conduit_NAME.so`, `a/b`, `x.c`,\n"
            "[page](other.md#a-heading-here), [elsewhere](https://example.org/x)\n"
            "1. `upcr/sync/lock.cpp`: `upcr_lock()` takes `2 * n` bytes.\n"), [])

    def test_a_missing_path(self):
        self.assertEqual(self.problems("`upcr/sync/loc.cpp`"), ["`upcr/sync/loc.cpp` does not exist"])
        self.assertEqual(self.problems("`upcr/{sync,sink}/lock.cpp`"),
                         ["`upcr/{sync,sink}/lock.cpp` does not exist"])

    def test_a_missing_file_name(self):
        self.assertEqual(self.problems("`locks.cpp`"), ["no file of the tree is called `locks.cpp`"])

    def test_a_generated_file(self):
        with tempfile.TemporaryDirectory() as folder:
            root, built = pathlib.Path(folder) / "root", pathlib.Path(folder) / "built"
            for path, text in (root / "docs/page.md", "`upcr/made.h`, `upcr/absent.h`"), (built / "upcr/made.h", ""):
                path.parent.mkdir(parents=True)
                path.write_text(text)
            self.assertEqual(list(check_paths.check(root, built)), ["docs/page.md: `upcr/absent.h` does not exist"])

    def test_a_link_without_target(self):
        self.assertEqual(self.problems("[page](another.md)"), ["the link to another.md has no target"])
        self.assertEqual(self.problems("[page](other.md#heading)"), ["other.md#heading: there is no such heading"])

    def test_a_function_that_the_file_has_not(self):
        for mark in ("1.", "-", "   -"):
            self.assertEqual(self.problems(f"{mark} `upcr/sync/lock.cpp`: `upcr_lock()`, then `upcr_loc()`."),
                             ["upcr/sync/lock.cpp has no upcr_loc()"])

    def test_the_length_of_the_architecture(self):
        self.assertEqual(self.problems("word " * 2500, "docs/architecture.md"), [])
        self.assertEqual(self.problems("word " * 2501, "docs/architecture.md"),
                         ["2501 words; at most 2500 are allowed"])

    def test_the_length_of_the_readme(self):
        self.assertEqual(self.problems("line\n" * 120, "README.md"), [])
        self.assertEqual(self.problems("line\n" * 121, "README.md"), ["121 lines; at most 120 are allowed"])
        self.assertEqual(self.problems("line\n" * 121, "docs/README.md"), [])


if __name__ == "__main__":
    unittest.main()
