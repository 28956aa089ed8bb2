# SPDX-License-Identifier: BSD-3-Clause
"""tools/check builds what a file needs, runs its tests and no others, and fails when they do."""
import unittest

from repository_copy import Case, need

PROJECT = """cmake_minimum_required(VERSION 3.22)
project(small CXX)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
include_directories(${PROJECT_SOURCE_DIR})
enable_testing()
add_library(parts OBJECT src/half.cpp src/twice.cpp src/alone.cpp)
foreach(name half twice)
  add_executable(unit_${name} tests/unit/${name}_test.cpp)
  target_link_libraries(unit_${name} PRIVATE parts)
  add_test(NAME unit.${name} COMMAND unit_${name})
endforeach()
add_test(NAME script.says COMMAND ${PROJECT_SOURCE_DIR}/tests/says.sh)
"""


class Check(Case):
    def setUp(self):
        super().setUp()
        self.write("CMakeLists.txt", PROJECT)
        for name, value in (("half", "x / 2"), ("twice", "x * 2")):
            self.write(f"src/{name}.hpp", f"#pragma once\nint {name}(int x);\n")
            self.write(f"src/{name}.cpp", f'#include "src/{name}.hpp"\n\nint {name}(int x) {{ return {value}; }}\n')
        self.write("tests/unit/half_test.cpp", '#include "src/half.hpp"\n\nint main() { return half(8) == 4 ? 0 : 1; }\n')
        self.write("tests/unit/twice_test.cpp",
                   '#include "src/twice.hpp"\n\nint main() { return twice(8) == 16 ? 0 : 1; }\n')
        self.write("src/alone.cpp", "int alone() { return 1; }\n")
        self.write("tests/says.sh", "#!/bin/sh\nexit 0\n")
        self.run_in_root("chmod", "+x", "tests/says.sh")
        self.run_in_root("cmake", "-S", ".", "-B", "build", "-G", "Ninja")

    def test_a_product_file(self):
        out = self.run_in_root("tools/check", "--no-lint", "src/half.cpp")
        self.assertRegex(out, r"(?m)^\$ ninja .*unit_half")
        self.assertIn("100% tests passed, 0 tests failed out of 1", out)
        self.assertIn("unit.half", out)
        self.assertNotIn("twice", out.replace("twice.cpp.o", ""))  # an object of the same library is linked

    def test_a_fault_is_found(self):
        self.write("src/half.cpp", '#include "src/half.hpp"\n\nint half(int x) { return x / 3; }\n')
        out = self.run_in_root("tools/check", "--no-lint", "src/half.cpp", status=1)
        self.assertRegex(out, r"unit\.half \(Failed\)")
        self.run_in_root("tools/check", "--no-lint", "src/twice.cpp")

    def test_what_does_not_compile(self):
        self.write("src/half.cpp", "int half(int x) { return y; }\n")
        self.assertIn("half.cpp:1", self.run_in_root("tools/check", "--no-lint", "src/half.cpp", status=1))

    def test_a_header_and_a_test(self):
        for name in ("src/half.hpp", "tests/unit/half_test.cpp"):
            self.assertIn("0 tests failed out of 1", self.run_in_root("tools/check", "--no-lint", name))

    def test_a_header_that_only_other_headers_include(self):
        self.write("src/common.hpp", "#pragma once\n")
        self.write("src/half.hpp", '#pragma once\n#include "src/common.hpp"\nint half(int x);\n')
        out = self.run_in_root("tools/check", "--no-lint", "src/common.hpp")
        self.assertIn("unit.half", out)
        self.assertNotIn("unit.twice", out)

    def test_a_script(self):
        self.assertIn("script.says", self.run_in_root("tools/check", "--no-lint", "tests/says.sh"))
        self.write("tests/says.sh", "#!/bin/sh\nexit 1\n")
        self.assertRegex(self.run_in_root("tools/check", "--no-lint", "tests/says.sh", status=1),
                         r"script\.says \(Failed\)")

    def test_code_without_a_test(self):
        out = self.run_in_root("tools/check", "--no-lint", "src/alone.cpp", status=1)
        self.assertIn("no test is known to concern src/alone.cpp", out)

    def test_dry_run(self):
        out = self.run_in_root("tools/check", "--no-lint", "-n", "src/half.cpp")
        self.assertRegex(out, r"(?m)^\$ ctest .*unit")
        self.assertNotIn("tests passed", out)


if __name__ == "__main__":
    need("cmake", "ninja", "c++")
    unittest.main(verbosity=2)
