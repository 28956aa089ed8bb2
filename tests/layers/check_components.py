#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_components.py SOURCE PAGE: PAGE (architecture.md) has a row for a folder with its components, "| `upcr/` | `state`,
`pointer` ... |": all folders in it that have sources and no row of their own, each including only those before it."""
import os
import re
import sys

import check_layers

ROW = re.compile(r"^\| `([\w/]+)/` \| (.*) \|$", re.M)


def rows(page):
    """{folder: [component]}"""
    return {folder: re.findall(r"`(\w+)`", cells) for folder, cells in ROW.findall(page)}


def component_of(folder, row):
    """The name of the component of the row that has this folder: "am" of conduits/core/am/x; None outside of the row."""
    return folder[len(row) + 1:].split("/")[0] if folder.startswith(row + "/") else None


def check(source, page):
    table = rows(page)
    if not table:
        return ["the page has no table of components"]
    files = list(check_layers.source_files(source))
    folders, edges = set(map(os.path.dirname, files)), check_layers.read_includes(source, files)
    mistakes = []
    for row, named in table.items():
        there = {component_of(folder, row) for folder in folders} - {None}
        there = {name for name in there if f"{row}/{name}" not in table}
        mistakes += [f"{row}: there is no component {name}" for name in named if name not in there]
        mistakes += [f"{row}: the table lacks {name}" for name in sorted(there.difference(named))]
        for (one, other), where in sorted(edges.items()):
            here, target = component_of(one, row), component_of(other, row)
            if here in named and target in named and named.index(target) > named.index(here):
                mistakes += [f"{row}: {here} comes before {target}, but {f} includes {t}" for f, t in where]
    return mistakes


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[2], encoding="utf-8") as file:
        mistakes = check(sys.argv[1], file.read())
    for mistake in mistakes:
        print(mistake)
    if not mistakes:
        print("the table names all components, in the order of their includes")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
