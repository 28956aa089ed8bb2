#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""test_check_layers.py TABLE: what check_layers.py finds in small trees, by the real table."""
import os
import sys
import tempfile
import unittest

import check_layers

GOOD = {
    "include/upcr.h": '#include "upcr/types.h"\n',
    "include/upcr/types.h": "#include <stdint.h>\n#include <upcr.h>\n",
    "conduits/core/base/report.hpp": "",
    "conduits/core/am/engine.hpp": '#include "conduits/core/base/report.hpp"\n',
    "conduits/net/near/near.cpp": '#include "conduits/core/am/engine.hpp"\n',
    "conduits/net/known.cpp": '#include "conduits/net/near/near.hpp"\n',
    "conduits/net/near/near.hpp": "",
    "upcr/heap/heap.cpp": '#include "conduits/core/am/engine.hpp"\n  #  include "heap.hpp"\n',
    "upcr/heap/heap.hpp": "",
    "tests/unit/heap_test.cpp": '#include "upcr/heap/heap.hpp"\n',
}


class Layers(unittest.TestCase):
    def mistakes(self, **changes):
        """Of the good tree with some files changed: names have __ for / and _dot_ for the dot."""
        files = dict(GOOD)
        for name, text in changes.items():
            files[name.replace("__", "/").replace("_dot_", ".")] = text
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            return check_layers.check(root, check_layers.Table(TABLE))

    def assert_found(self, mistakes, *words):
        self.assertTrue(any(all(w in m for w in words) for m in mistakes), f"{words} in {mistakes}")

    def test_a_good_tree_passes(self):
        self.assertEqual(self.mistakes(), [])

    def test_no_tree_at_all_fails(self):
        with tempfile.TemporaryDirectory() as root:
            self.assertEqual(len(check_layers.check(root, check_layers.Table(TABLE))), 1)

    def test_a_cycle_between_two_folders(self):
        found = self.mistakes(upcr__heap__heap_dot_hpp='#include "upcr/sync/lock.hpp"\n',
                              upcr__sync__lock_dot_hpp='#include "upcr/heap/heap.hpp"\n')
        self.assert_found(found, "cycle", "upcr/heap", "upcr/sync")
        self.assert_found(found, "upcr/sync/lock.hpp includes upcr/heap/heap.hpp")

    def test_a_cycle_by_way_of_a_third(self):
        found = self.mistakes(conduits__core__am__engine_dot_hpp='#include "conduits/core/rma/rma.hpp"\n',
                              conduits__core__rma__rma_dot_hpp='#include "conduits/core/wait/wait.hpp"\n',
                              conduits__core__wait__wait_dot_hpp='#include "../am/engine.hpp"\n')
        self.assert_found(found, "cycle", "conduits/core/am, conduits/core/rma, conduits/core/wait")

    def test_a_folder_and_one_in_it(self):
        found = self.mistakes(upcr__coll__call__call_dot_hpp='#include "upcr/coll/coll.hpp"\n',
                              upcr__coll__coll_dot_hpp='#include "upcr/coll/call/call.hpp"\n')
        self.assert_found(found, "cycle", "upcr/coll, upcr/coll/call")

    def test_a_cycle_by_way_of_a_folder_below(self):
        found = self.mistakes(conduits__core__am__engine_dot_hpp='#include "conduits/core/wait/wait.hpp"\n',
                              conduits__core__wait__wait_dot_hpp="",
                              conduits__core__wait__bell__bell_dot_hpp='#include "conduits/core/am/engine.hpp"\n')
        self.assert_found(found, "cycle", "conduits/core/am, conduits/core/wait")
        self.assert_found(found, "conduits/core/wait/bell/bell.hpp includes conduits/core/am/engine.hpp")

    def test_a_cycle_of_whole_trees(self):
        found = self.mistakes(tests__tool__a_dot_cpp='#include "bench/tool/b.hpp"\n', bench__tool__b_dot_hpp="",
                              bench__other__c_dot_cpp='#include "tests/other/d.hpp"\n', tests__other__d_dot_hpp="")
        self.assert_found(found, "cycle", "bench, tests")

    def test_one_way_is_no_cycle(self):
        self.assertEqual(self.mistakes(upcr__sync__lock_dot_hpp='#include "upcr/heap/heap.hpp"\n'), [])

    def test_a_conduit_of_tomorrow_is_checked(self):
        mine = {"conduits__net__tomorrow__a_dot_cpp": '#include "conduits/core/am/engine.hpp"\n'}
        self.assertEqual(self.mistakes(**mine), [])
        mine["conduits__net__tomorrow__a_dot_cpp"] = '#include "conduits/net/near/near.hpp"\n'
        self.assert_found(self.mistakes(**mine), "conduits/net/tomorrow may not include conduits/net/near")
        mine["conduits__net__tomorrow__a_dot_cpp"] = '#include "upcr/heap/heap.hpp"\n'
        self.assert_found(self.mistakes(**mine), "conduits/net/tomorrow may not include upcr/heap")
        mine["conduits__net__tomorrow__a_dot_cpp"] = '#include <upcr.h>\n'
        self.assert_found(self.mistakes(**mine), "conduits/net/tomorrow may not include include")

    def test_folders_of_one_conduit_include_each_other(self):
        self.assertEqual(self.mistakes(conduits__net__near__wire__wire_dot_hpp="",
                                       conduits__net__near__ring__ring_dot_hpp='#include "conduits/net/near/wire/wire.hpp"\n'),
                         [])

    def test_core_includes_nothing_above_it(self):
        for target, folder in [("conduits/net/near/near.hpp", "conduits/net/near"), ("upcr/heap/heap.hpp", "upcr/heap")]:
            found = self.mistakes(conduits__core__am__a_dot_cpp=f'#include "{target}"\n')
            self.assert_found(found, f"conduits/core/am may not include {folder}")
        found = self.mistakes(conduits__core__base__a_dot_cpp='#include "conduits/core/am/engine.hpp"\n')
        self.assert_found(found, "conduits/core/base may not include conduits/core/am")

    def test_archives_use_the_interface_alone(self):
        found = self.mistakes(upcr__mupc__a_dot_cpp='#include "upcr/heap/heap.hpp"\n')
        self.assert_found(found, "upcr/mupc may not include upcr/heap")

    def test_a_front_end_includes_downwards(self):
        mine = {"tools__upc2c__parse__a_dot_cpp": '#include "tools/upc2c/ast/node.hpp"\n', "tools__upc2c__ast__node_dot_hpp": ""}
        self.assertEqual(self.mistakes(**mine), [])
        found = self.mistakes(tools__upc2c__ast__a_dot_cpp='#include "tools/upc2c/parse/parser.hpp"\n',
                              tools__upc2c__parse__parser_dot_hpp="")
        self.assert_found(found, "tools/upc2c/ast may not include tools/upc2c/parse")

    def test_a_folder_that_nobody_has_listed(self):
        self.assert_found(self.mistakes(extras__a_dot_c=""), "extras", "no pattern")

    def test_a_folder_with_too_many_files(self):
        many = {f"upcr__heap__part{i}_dot_cpp": "" for i in range(18)}
        self.assertEqual(self.mistakes(**many), [])
        many["upcr__heap__one_more_dot_hpp"] = ""
        self.assert_found(self.mistakes(**many), "upcr/heap has 21 source files", "at most 20")


if __name__ == "__main__":
    TABLE = sys.argv.pop(1)
    unittest.main()
