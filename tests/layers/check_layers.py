#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_layers.py SOURCE TABLE: the folders of SOURCE include each other as TABLE (layers.txt) allows, without cycles,
and none has more source files than its limit. Every folder with a source file is checked."""
import collections
import fnmatch
import os
import re
import sys

SOURCES = (".c", ".cpp", ".h", ".hpp", ".S", ".s")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.M)


class Table:
    def __init__(self, path):
        self.allowed, self.whole, self.limits, self.limit = {}, [], {}, None
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                words = line.split("#")[0].split()
                if not words:
                    continue
                if words[0].endswith(":"):
                    self.allowed[words[0][:-1]] = words[1:]
                elif words[0] == "whole" and len(words) == 2:
                    self.whole.append(words[1])
                elif words[0] == "limit" and len(words) == 2:
                    self.limit = int(words[1])
                elif words[0] == "limit" and len(words) == 3:
                    self.limits[words[2]] = int(words[1])
                else:
                    sys.exit(f"{path}:{number}: cannot be read: {line.strip()}")
        if self.limit is None:
            sys.exit(f"{path}: there is no line 'limit N'")

    def layer_of(self, folder):
        """The pattern that applies to the folder, and the folder that it matches: ("conduits/net/*", "conduits/net/NAME")."""
        for head in self_and_parents(folder):
            for pattern in self.allowed:
                if matches(head, pattern):
                    return pattern, head
        return None, None

    def unit_of(self, folder):
        return next((h for h in self_and_parents(folder) for w in self.whole if matches(h, w)), folder)

    def limit_of(self, folder):
        return next((n for pattern, n in self.limits.items() if matches(folder, pattern)), self.limit)

    def permits(self, one, other):
        (pattern, here), (_, there) = self.layer_of(one), self.layer_of(other)
        return here == there or any(matches(there, p) for p in self.allowed[pattern]) or any(
            matches(h, p) for p in self.allowed[pattern] for h in self_and_parents(there))


def self_and_parents(folder):
    """The folder and its parents, the longest path first."""
    while folder:
        yield folder
        folder = os.path.dirname(folder)


def matches(folder, pattern):
    return folder.count("/") == pattern.count("/") and fnmatch.fnmatchcase(folder, pattern)


def source_files(source):
    for here, folders, names in os.walk(source):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "build")))
        for name in sorted(names):
            if name.endswith(SOURCES):
                yield os.path.relpath(os.path.join(here, name), source)


def read_includes(source, files):
    """{(folder, folder): [(file, file)]} between different folders."""
    known, edges = set(files), collections.defaultdict(list)
    for file in files:
        with open(os.path.join(source, file), encoding="utf-8", errors="replace") as text:
            found = INCLUDE.findall(text.read())
        for quote, name in found:
            here = os.path.dirname(file)
            ways = [name, os.path.join("include", name)]
            if quote == '"':
                ways.insert(0, os.path.join(here, name))
            target = next((w for w in map(os.path.normpath, ways) if w in known), None)
            if target and os.path.dirname(target) != here:
                edges[here, os.path.dirname(target)].append((file, target))
    return edges


def find_cycles(edges):
    """Cycles: the strongly connected components of more than one folder, by Tarjan's algorithm."""
    after = collections.defaultdict(set)
    for one, other in edges:
        after[one].add(other)
    number, low, stack, cycles = {}, {}, [], []

    def visit(v):
        number[v] = low[v] = len(number)
        stack.append(v)
        for w in sorted(after.get(v, ())):
            if w not in number:
                visit(w)
            if w in stack:
                low[v] = min(low[v], low[w])
        if low[v] == number[v]:
            at = stack.index(v)
            group, stack[at:] = stack[at:], []
            if len(group) > 1:
                cycles.append(sorted(group))

    for v in sorted(after):
        if v not in number:
            visit(v)
    return cycles


def at_depth(folder, depth):
    """The folder, or its parent of so many parts: ("conduits/core/am", 2) is conduits/core."""
    return "/".join(folder.split("/")[:depth])


def cycle_mistakes(edges, table):
    """Cycles of folders, at the smallest depth that has any. At each depth a folder counts as one with all below it: where
    A includes B/part and B includes A, A and B are a cycle although the three folders have none."""
    deepest = max((folder.count("/") + 1 for edge in edges for folder in edge), default=0)
    for depth in range(1, deepest + 1):
        units = collections.defaultdict(list)
        for edge, where in edges.items():
            one, other = (at_depth(table.unit_of(folder), depth) for folder in edge)
            if one != other:
                units[one, other] += where
        mistakes = []
        for cycle in find_cycles(units):
            mistakes.append("a cycle of folders: " + ", ".join(cycle))
            for (one, other), where in sorted(units.items()):
                if one in cycle and other in cycle:
                    mistakes += [f"  {file} includes {target}" for file, target in where]
        if mistakes:
            return mistakes
    return []


def check(source, table):
    mistakes = []
    files = list(source_files(source))
    if not files:
        return [f"{source} has no sources"]
    size = collections.Counter(map(os.path.dirname, files))
    known = []
    for folder in sorted(size):
        if table.layer_of(folder)[0] is None:
            mistakes.append(f"{folder or 'the root'} has sources and matches no pattern of the table")
        else:
            known.append(folder)
        if size[folder] > table.limit_of(folder):
            mistakes.append(f"{folder} has {size[folder]} source files; at most {table.limit_of(folder)}: divide it")
    edges = {e: f for e, f in read_includes(source, files).items() if e[0] in known and e[1] in known}
    for (one, other), where in sorted(edges.items()):
        if not table.permits(one, other):
            mistakes += [f"{file} includes {target}: {one} may not include {other}" for file, target in where]
    return mistakes + cycle_mistakes(edges, table)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    mistakes = check(sys.argv[1], Table(sys.argv[2]))
    for mistake in mistakes:
        print(mistake)
    if not mistakes:
        print("all folders are as the table says")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
