#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The table of clauses is complete: check_clauses.py FOLDER

Every program of FOLDER/clauses and every file of FOLDER/errors stands in FOLDER/clauses.txt, every name there is one of
them, and every clause has both, or says that it has no constraints.
"""

import pathlib
import sys

# The numbered clauses of UPC 1.3 that say what a translator does, and the libraries that programs call.
CLAUSES = """5.1.2.1 5.1.2.2 5.1.2.3 6.2 6.3.1 6.3.2 6.3.3 6.4.1.1 6.4.1.2 6.4.1.3 6.4.1.4 6.4.2 6.4.3 6.4.4 6.5.1 6.5.1.1
6.5.2 6.5.2.1 6.6.1 6.6.2 6.7.1 6.7.2 7.2.1 7.2.2 7.2.3 7.2.4 7.2.5 7.3 7.4 7.5 upc_io.h upc_castable.h upc_atomic.h
upc_nb.h""".split()


def names_of(folder, depth):
    """Names without suffix of the programs below a folder; a folder of clauses/ with several files is one program."""
    found = set()
    for path in folder.rglob("*.upc"):
        parts = path.relative_to(folder).parts
        found.add("/".join(parts[:depth]).removesuffix(".upc"))
    return found


def main():
    folder = pathlib.Path(sys.argv[1])
    problems = []
    columns = {"clauses": (names_of(folder / "clauses", 1), set()), "errors": (names_of(folder / "errors", 2), set())}
    clauses = set()
    for number, line in enumerate((folder / "clauses.txt").read_text().splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("|")]
        if len(fields) != 4:
            problems.append(f"line {number}: {len(fields)} columns, not 4")
            continue
        clauses.add(fields[0])
        for (kind, (existing, used)), text in zip(columns.items(), fields[2:], strict=True):
            for name in text.split():
                if name == "-" and kind == "errors":
                    continue
                if name not in existing:
                    problems.append(f"line {number}: there is no {kind}/{name}")
                used.add(name)
    problems += [f"clause {clause} has no line" for clause in CLAUSES if clause not in clauses]
    for kind, (existing, used) in columns.items():
        if not existing:
            problems.append(f"{folder / kind} has no programs")
        problems += [f"{kind}/{name} stands in no line" for name in sorted(existing - used)]
    for problem in problems:
        print(problem)
    sys.exit(bool(problems))


main()
