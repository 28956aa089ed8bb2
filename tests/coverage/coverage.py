#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""coverage.py SOURCE BUILD COMPILER UPCC LIBRARY PAGE: for every name in names.txt the header that declares it, the
library's symbol behind it, and tests that use it and are run. Writes PAGE (docs/reference/coverage.md); a name
without a header or a test fails.

How the tests' calls are found: each C and C++ source below tests/ goes through the preprocessor with the real
headers, except that the names of the inventory are no macros: macros of the tests, pasted names and lists that
headers provide are expanded, the names stay. What is then in files of tests/ is searched, in code only: no comment,
no string, no declaration. tests/headers/names.txt, which is compiled but not run, counts for types and constants
only, as do scripts. Where a name stands for a symbol of the library, the object of one of these tests must take that
symbol from elsewhere, as nm shows: then the call is compiled, not only written."""
import concurrent.futures
import functools
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

WORD = re.compile(r"[A-Za-z_]\w*")
HEADERS = ["upcr.h", "upcr_proxy.h", "bupc_extern.h", "bupc_tentative.h", "upcr/gmem_heap.h", "upcr/gmem_lock.h",
           "upcr/gmem.h", "upcr/gmem_barrier.h", "upcr/gccupc.h", "upcr/linkaddr.h", "mupc.h"]


def fail(problems):
    sys.stdout.write("".join(p + "\n" for p in problems))
    sys.exit(1)


class Name:
    def __init__(self, kind, name, upc_headers):
        self.kind, self.name, self.upc_headers = kind, name, upc_headers
        self.header = self.symbol = None
        self.tests = []


def expand(pattern):
    """a{b,c}d -> abd acd"""
    parts = [part[1:-1].split(",") if part.startswith("{") else [part] for part in re.split(r"(\{[^}]*\})", pattern)]
    return ["".join(choice) for choice in itertools.product(*parts)]


def read_names(path):
    """[(title, [Name...])]; a group whose count is wrong is fatal."""
    groups, problems = [], []
    with open(path) as f:
        for line in f:
            words = line.split("#")[0].split()
            if not words:
                continue
            if words[0] == "group":
                title, count = re.match(r"group (.*): (\d+)$", line.strip()).groups()
                groups.append((title, int(count), []))
                headers = []
            elif words[0] == "in":
                headers = words[1:]
            elif words[0] in ("call", "value", "type", "absent"):
                groups[-1][2].extend(Name(words[0], n, headers) for w in words[1:] for n in expand(w))
            else:
                problems.append(f"names.txt: '{line.strip()}'?")
    for title, count, names in groups:
        if len({n.name for n in names}) != count:
            problems.append(f"names.txt: {title}: {len({n.name for n in names})} names, not {count}")
    if problems:
        fail(problems)
    return [(title, names) for title, _, names in groups]


class Tools:
    def __init__(self, source, build, compiler, upcc, library):
        self.source, self.build, self.compiler, self.library = source, build, compiler, library
        self.includes = ["-I" + os.path.join(d, "include") for d in (source, build)]
        self.front_end = subprocess.run([upcc, "--front-end"], text=True, check=True,
                                        stdout=subprocess.PIPE).stdout.splitlines()

    def preprocess(self, text, *options, language="c"):
        command = [self.compiler, "-E", "-x", language, *self.includes, *options, "-"]
        return subprocess.run(command, input=text, text=True, check=True, stdout=subprocess.PIPE).stdout

    def symbols(self, files, *options):
        out = subprocess.run(["nm", "-P", *options, *files], text=True, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL).stdout
        return [line.split() for line in out.splitlines() if line and not line.endswith(":")]


def pieces(preprocessed):
    """(file, text) as the line markers tell."""
    file = ""
    for line in preprocessed.splitlines():
        marker = line.startswith("# ") and re.match(r'# \d+ "(.*?)"', line)
        if marker:
            file = marker.group(1)
        else:
            yield file, line


def without_strings(text):
    return re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'', '""', text)


def header_words(tools, headers, prefix, *options):
    """word -> the first header that has it; macro -> its text; functions that headers define"""
    text = tools.preprocess("".join(f"#include <{h}>\n" for h in headers), "-dD", *options)
    found, macros, code = {}, {}, []
    for file, line in pieces(text):
        if prefix not in file:
            continue
        relative = file[file.index(prefix) + len(prefix):]
        define = re.match(r"#define (\w+)(\([^)]*\))?\s*(.*)", line)
        if define:
            found.setdefault(define.group(1), relative)
            macros[define.group(1)] = define.group(3)
        elif not line.startswith("#"):
            code.append(without_strings(line))
            for word in WORD.findall(code[-1]):
                found.setdefault(word, relative)
    in_line = re.findall(r"(\w+)\s*\((?:[^(){};]|\((?:[^(){};]|\([^(){};]*\))*\))*\)\s*\{", "\n".join(code))
    return found, macros, set(in_line)


def symbol_behind(name, macros, exported):
    """The library's symbol that a use of the name comes to, through macros of the headers; None: in line."""
    seen = set()
    pending = [name]
    while pending:
        word = pending.pop(0)
        if word in seen:
            continue
        seen.add(word)
        if word in exported:
            return word
        body = macros.get(word, "")
        if WORD.fullmatch(body):  # an alias
            pending.append(body)
    return None


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def files_below(folder, *endings):
    for here, _, files in sorted(os.walk(folder)):
        for file in sorted(files):
            if file.endswith(endings):
                yield os.path.join(here, file)


class Tests:
    """The sources of tests, what is in them, and the objects that CMake makes of them."""

    def __init__(self, tools, names):
        self.tools = tools
        self.root = os.path.join(tools.source, "tests")
        # Not this folder's own, and not those of other interfaces, some of whose names are the same.
        others = tuple(os.path.join(self.root, folder, "") for folder in ("coverage", "gasnet", "gupc/contract"))
        counted = [f for f in files_below(self.root, ".c", ".cpp", ".sh", ".py") if not f.startswith(others)]
        self.sources = [f for f in counted if f.endswith((".c", ".cpp"))]
        self.scripts = [f for f in counted if f.endswith((".sh", ".py"))] + [os.path.join(self.root, "headers/names.txt")]
        self.inventory = {n.name for n in names}
        self.objects = {}
        for entry in json.loads(read(os.path.join(tools.build, "compile_commands.json"))):
            found = re.search(r" -o (\S+)", entry["command"])
            self.objects.setdefault(entry["file"], []).append(os.path.join(entry["directory"], found.group(1)))
        self.words = {}  # word -> sources that have it
        self.read_sources(names)
        self.read_scripts()

    def is_run(self, path):
        """CMake builds it, or a script beside it or above has its name."""
        if path in self.objects:
            return True
        folder = os.path.dirname(path)
        stem = os.path.basename(path)
        while folder != self.root:
            if any(stem in read(script) for script in files_below(folder, ".sh", ".py", ".cmake", "CMakeLists.txt")):
                return True
            folder = os.path.dirname(folder)
        return False

    def conditions(self):
        """Words in #if: such a macro must stay what it is."""
        lines = itertools.chain(*(re.findall(r"^\s*#\s*(?:el)?if(.*)", read(p), re.MULTILINE)
                                  for p in files_below(self.root, ".c", ".cpp", ".h", ".hpp")))
        return set(WORD.findall(" ".join(lines)))

    def read_sources(self, names):
        keep = self.conditions()
        with tempfile.TemporaryDirectory() as folder:
            prelude = os.path.join(folder, "prelude.h")
            with open(prelude, "w") as f:
                f.write("#define BUPC_USE_UPC_NAMESPACE 1\n")  # such names are aliases of those that stay
                f.write("".join(f"#include <{h}>\n" for h in HEADERS))
                f.write("".join(f"#undef {n.name}\n" for n in names if n.kind == "call" or n.name not in keep))
            jobs = [(p, debug) for p in self.sources if self.is_run(p) for debug in (0, 1)]
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                for path, words in pool.map(lambda job: (job[0], self.words_of(*job, prelude)), jobs):
                    for word in words:
                        self.words.setdefault(word, set()).add(path)

    def words_of(self, path, debug, prelude):
        text = read(path)
        cxx = path.endswith(".cpp")
        if not self.names_any(path) or debug and "UPCR_DEBUG" not in text:
            return set()
        command = [self.tools.compiler, "-E", "-x", "c++" if cxx else "c", "-std=c++20" if cxx else "-std=gnu11",
                   *self.tools.includes, "-I" + self.tools.source, "-D_GNU_SOURCE=1", f"-DUPCR_DEBUG={debug}",
                   "-include", prelude, path]
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if done.returncode != 0:  # a fixture with headers of another machine
            return words_in(without_comments(text))
        return words_in("\n".join(line for file, line in pieces(done.stdout) if self.is_test(file)))

    @functools.lru_cache(maxsize=None)
    def names_any(self, path):
        """A name of the inventory is in the file, or in one of tests/ that it includes (spmd.h and the like)."""
        text = read(path)
        if self.inventory & set(WORD.findall(text)):
            return True
        near = (os.path.join(folder, file) for file in re.findall(r'^\s*#\s*include\s+"(.*?)"', text, re.MULTILINE)
                for folder in (os.path.dirname(path), self.tools.source))
        return any(self.names_any(file) for file in map(os.path.normpath, near)
                   if self.is_test(file) and os.path.exists(file))

    @functools.lru_cache(maxsize=None)
    def is_test(self, file):
        return os.path.abspath(file).startswith(self.root)

    def read_scripts(self):
        """For types and constants: what is in scripts, in lists, and in conditions of sources."""
        self.weak = {}
        for path in self.scripts:
            for word in WORD.findall(re.sub(r"(^|\s)#(?!(if|include|define)).*", "", read(path))):
                self.weak.setdefault(word, set()).add(path)
        for path in self.sources:
            if self.is_run(path):
                for word in words_in(without_comments(read(path))):
                    self.weak.setdefault(word, set()).add(path)

    def of(self, name):
        found = set(self.words.get(name.name, ()))
        if name.kind != "call":
            found |= self.weak.get(name.name, set())
        return sorted(found)

    def undefined(self):
        """source -> symbols that its objects take from elsewhere"""
        result = {}
        for source, objects in self.objects.items():
            if source.startswith(self.root):
                present = [o for o in objects if os.path.exists(o)]
                result[source] = {s[0] for s in self.tools.symbols(present) if s[1] in "UwvCV"} if present else None
        return result


def words_in(code):
    """Words of C, without strings and declarations that are given again."""
    return set(WORD.findall(re.sub(r"\bextern\b(?!\s*\"\")[^;{]*;", ";", without_strings(code))))


def front_end_words(tools, header):
    try:
        return header_words(tools, [header], "/include/", *tools.front_end)[0]
    except subprocess.CalledProcessError:
        return {}  # all that should be there is missing


def examine(tools, groups):
    names = [n for _, group in groups for n in group]
    exported = {s[0] for s in tools.symbols([tools.library], "-D", "--defined-only")}
    headers, macros, in_line = header_words(tools, HEADERS, "/include/")
    front = {}
    tests = Tests(tools, names)
    undefined = tests.undefined()
    problems = []
    for n in names:
        for h in n.upc_headers:
            if h not in front and h != "predefined":
                front[h] = front_end_words(tools, h)
        declared_to_front_end = [h for h in n.upc_headers if h == "predefined" or n.name in front[h]]
        if n.upc_headers and not declared_to_front_end:
            problems.append(f"{n.name}: not in {' or '.join(n.upc_headers)}, as a UPC front end reads it")
        n.header = headers.get(n.name) or (declared_to_front_end[0] if declared_to_front_end else None)
        n.symbol = symbol_behind(n.name, macros, exported)
        n.tests = [os.path.relpath(t, tools.source) for t in tests.of(n)]
        if n.kind == "absent":
            if n.header is not None:
                problems.append(f"{n.name}: {n.header} has it")
            n.header = "must not be defined"
        if n.header is None:
            problems.append(f"{n.name}: no header has it")
        if not n.tests:
            does = {"call": "calls it", "value": "checks it", "type": "has it", "absent": "looks for it"}[n.kind]
            problems.append(f"{n.name}: no test {does}")
        elif n.kind == "call" and n.symbol and n.symbol not in in_line:
            compiled = [undefined[t] for t in tests.of(n) if undefined.get(t) is not None]
            if compiled and not any(n.symbol in symbols for symbols in compiled):
                problems.append(f"{n.name}: {', '.join(n.tests)} has it, but the object does not take {n.symbol}")
    return problems


def page(groups):
    names = {n.name for _, group in groups for n in group}
    out = ["# Coverage\n\nGenerated by `ninja -C build coverage-md` from `tests/coverage/names.txt`, the headers, the",
           " library's symbols and the tests; do not edit. Every name of the interface, the header that declares it",
           " (in `include/`), the symbol of the library behind it (\"-\": in line, a macro, a type), and the tests",
           f" whose code uses it; two at most are named. {len(names)} names.\n"]
    for title, group in groups:
        out.append(f"\n## {title.replace('<', '`<').replace('>', '>`')}\n\n| name | header | symbol | tests |\n|---|---|---|---|\n")
        for n in group:
            shown = ", ".join(f"[{os.path.basename(t)}](../../{t})" for t in n.tests[:2])  # two are enough
            symbol = f"`{n.symbol}`" if n.symbol and n.symbol != n.name else "the name" if n.symbol else "-"
            out.append(f"| `{n.name}` | {n.header} | {symbol} | {shown} |\n")
    return "".join(out)


def main():
    *arguments, output = sys.argv[1:]
    tools = Tools(*arguments)
    groups = read_names(os.path.join(tools.source, "tests/coverage/names.txt"))
    problems = examine(tools, groups)
    with open(output, "w", encoding="utf-8") as f:
        f.write(page(groups))
    if problems:
        fail(problems + [f"{len(problems)} problems"])


if __name__ == "__main__":
    main()
