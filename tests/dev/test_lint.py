# SPDX-License-Identifier: BSD-3-Clause
"""tools/lint reports a bad file of each language, and prints nothing about good ones."""
import json
import os
import shutil
import unittest

from repository_copy import Case, need

BAD = {
    "a/layout.cpp": "int  spaced( int   x ){return x ;}\n",
    "a/layout.h": "int *declared( void ) ;\n",
    "a/words.sh": '#!/bin/bash\nfor word in $*; do echo "$word"; done\n',
    "a/unused.py": "import os\n",
}
GOOD = {
    "b/layout.cpp": "int spaced(int x) { return x; }\n",
    "b/layout.h": "int *declared(void);\n",
    "b/words.sh": '#!/bin/bash\nfor word in "$@"; do echo "$word"; done\n',
    "b/used.py": "import os\n\nprint(os.name)\n",
    "b/fixtures/emitted.c": "int  spaced( int   x ){return x ;}\n",
}
NAMES = """class lower_class {{
 public:
  int value() const {{ return {member}; }}

 private:
  int {member} = 0;
}};
constexpr int {constant} = 3;
int {function}() {{ return {constant} + lower_class().value(); }}
"""


class Lint(Case):
    def setUp(self):
        super().setUp()
        self.run_in_root("git", "init", "-q", ".")
        for name, text in GOOD.items():
            self.write(name, text)

    def test_good_files(self):
        self.assertRegex(self.run_in_root("tools/lint", "--no-tidy"), r"^tools/lint: \d+ files in \d+ s: clean\n$")

    def test_each_bad_file_is_named(self):
        for name, text in BAD.items():
            self.write(name, text)
            for words in (["tools/lint", "--no-tidy"], ["tools/lint", "--no-tidy", name]):
                out = self.run_in_root(*words, status=1)
                self.assertIn(f"{name}:", out)
            for good in GOOD:
                self.assertNotIn(good, out)
            os.remove(os.path.join(self.root, name))
        self.run_in_root("tools/lint", "--no-tidy")

    def test_what_was_clean_is_looked_at_again_when_it_changes(self):
        self.run_in_root("tools/lint", "--no-tidy")
        self.write("b/layout.cpp", BAD["a/layout.cpp"])
        self.assertIn("b/layout.cpp:", self.run_in_root("tools/lint", "--no-tidy", status=1))

    def test_fix(self):
        self.write("a/layout.cpp", "int* spaced( int   *x ){return x ;}\n")
        self.write("a/layout.c", "int* spaced( int   *x ){if(x)\nx++;return x ;}\n")
        self.run_in_root("tools/lint", "--no-tidy", "--fix")
        self.assertEqual(self.read("a/layout.cpp"), "int* spaced(int* x) { return x; }\n")
        self.assertEqual(self.read("a/layout.c"),
                         "int *spaced(int *x) {\n    if (x) x++;\n    return x;\n}\n")
        self.assertEqual(self.read("b/fixtures/emitted.c"), GOOD["b/fixtures/emitted.c"])

    def test_hook(self):
        """A commit of a bad file is refused; one of good files passes while a bad one lies beside them."""
        hook = os.path.join(self.root, ".git", "hooks", "pre-commit")
        shutil.copy(os.path.join(self.root, "tools", "dev", "hooks", "pre-commit"), hook)
        commit = ["git", "-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "-q", "-m", "b"]
        self.write("a/unused.py", BAD["a/unused.py"])
        self.run_in_root("git", "add", "a")
        self.assertIn("a/unused.py:", self.run_in_root(*commit, status=1))
        self.run_in_root("git", "rm", "-q", "--cached", "a/unused.py")
        self.run_in_root("git", "add", "b/used.py", "b/words.sh")
        self.run_in_root(*commit)

    def test_clang_tidy(self):
        """Names that are not in the style, through a command line that gcc's precompiled header is in."""
        for name, words in (("good", {"member": "value_", "constant": "kThree", "function": "six"}),
                            ("bad", {"member": "myValue", "constant": "three", "function": "getSix"})):
            text = NAMES.format(**words)
            self.write(f"{name}.cpp", text.replace("lower_class", "Upper") if name == "good" else text)
        commands = [{"directory": self.root, "file": f"{self.root}/{name}.cpp",
                     "command": f"/usr/bin/g++ -std=gnu++20 -Winvalid-pch -include {self.root}/cmake_pch.hxx "
                                f"-o {name}.o -c {self.root}/{name}.cpp"} for name in ("good", "bad")]
        self.write("build/compile_commands.json", json.dumps(commands))
        self.run_in_root("tools/lint", "good.cpp")
        out = self.run_in_root("tools/lint", "bad.cpp", status=1)
        for word in ("lower_class", "myValue", "three", "getSix"):
            self.assertRegex(out, rf"bad\.cpp:\d+:\d+: error: invalid case style for .* '{word}'")

    def test_outside_a_repository(self):
        """Nothing to look at is not the same as nothing found."""
        shutil.rmtree(os.path.join(self.root, ".git"))
        self.assertIn("git knows no files here", self.run_in_root("tools/lint", status=1))

    def test_no_such_file(self):
        self.assertIn("tools/lint: nowhere.cpp is no file", self.run_in_root("tools/lint", "nowhere.cpp", status=1))


if __name__ == "__main__":
    need("git", "clang-format", "clang-tidy", "shellcheck", "flake8")
    unittest.main(verbosity=2)
