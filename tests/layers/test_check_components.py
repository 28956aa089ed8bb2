#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Mistakes that check_components.py finds in small trees."""
import os
import sys
import tempfile
import unittest

import check_components

PAGE = """
| folder | components |
|---|---|
| `core/base/` | `report` (errors) |
| `core/` | `am`, `rma` (remote access, `see below`) |
"""
GOOD = {
    "core/base/report/error.hpp": "",
    "core/am/engine.hpp": '#include "core/base/report/error.hpp"\n',
    "core/rma/rma.cpp": '#include "core/am/engine.hpp"\n',
    "tools/part/part.cpp": '#include "core/rma/rma.hpp"\n',
}


class Components(unittest.TestCase):
    def mistakes(self, page=PAGE, files=()):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**GOOD, **dict(files)}.items():
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            return check_components.check(root, page)

    def test_a_good_table_passes(self):
        self.assertEqual(self.mistakes(), [])

    def test_no_table(self):
        self.assertEqual(len(self.mistakes("words alone")), 1)

    def test_a_folder_that_the_table_lacks(self):
        self.assertEqual(self.mistakes(files={"core/wait/bell.cpp": ""}), ["core: the table lacks wait"])

    def test_a_folder_that_is_not_there(self):
        self.assertEqual(self.mistakes(PAGE.replace("`am`", "`am`, `vis`")), ["core: there is no component vis"])

    def test_an_include_against_the_order(self):
        self.assertEqual(self.mistakes(files={"core/am/x/send.cpp": '#include "core/rma/rma.cpp"\n'}),
                         ["core: am comes before rma, but core/am/x/send.cpp includes core/rma/rma.cpp"])

    def test_a_row_of_its_own_is_no_component_of_its_parent(self):
        self.assertEqual(self.mistakes(PAGE.replace("| `core/base/` | `report` (errors) |\n", "")),
                         ["core: the table lacks base"])


if __name__ == "__main__":
    sys.exit(unittest.main())
