#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""front_end.py COMPILER UPCC LIST: every name of LIST (front_end.txt, which describes its lines) is what a UPC
front end gets from that header with the options of upcc --front-end. The C compiler stands for the front end: with
`shared` as another qualifier of types, UPC's declarations are C, and a second declaration with other types is an
error. As C of 1989 and of 1999, since front ends are no younger."""
import re
import subprocess
import sys


def entries(path):
    """(header, words of a line), with `each` carried out."""
    header, pairs = None, [("", "", "", "")]
    for line in open(path):
        line = line.rstrip()
        if not line or line.startswith("#"):
            continue
        kind, _, rest = line.partition(" ")
        if kind == "header":
            header = rest
        elif kind == "each":
            names, values = rest.split(": ")
            first, second = names.split()
            pairs = [(first, *value.split("=")[:1], second, value.split("=")[1]) for value in values.split()]
            # A type's blank is written _; names that end in _t have none.
            pairs = [(a, x, b, y if y.endswith("_t") else y.replace("_", " ")) for a, x, b, y in pairs]
        elif kind == "end":
            pairs = [("", "", "", "")]
        else:
            for first, x, second, y in pairs:
                text = rest
                if first:
                    text = text.replace("$" + first, x).replace("$" + second, y)
                yield header, kind, text


def check_of(kind, text, number):
    """C that is an error unless the entry is right; what it is declared by must have been there before."""
    if kind == "function":
        name = re.search(r"(\w+)\s*\(", text).group(1)
        return f"extern void look_{number}(void); void look_{number}(void) {{ (void)&{name}; }}\nextern {text};"
    if kind == "value":
        name, value = text.split(" ", 1)
        return f"extern char value_{number}[({name}) == ({value}) ? 1 : -1];"
    if kind == "type":
        return f"extern {text} *type_{number};"
    if kind == "bytes":
        name, size = text.rsplit(" ", 1)
        return f"extern char bytes_{number}[sizeof({name}) == {size} ? 1 : -1];"
    if kind == "member":
        where, member_type = text.split(": ")
        owner, member = where.rsplit(" ", 1)
        return (f"extern void member_{number}({owner} *p); typedef {member_type} member_type_{number};\n"
                f"void member_{number}({owner} *p) {{ member_type_{number} *q = &p->{member}; (void)q; }}")
    if kind == "becomes":  # see becomes()
        return ""
    if kind == "macro":
        return f"#ifndef {text}\n#error {text} is not defined\n#endif"
    raise SystemExit(f"{kind} {text}?")


def becomes(compiler, options, header, text):
    name, value = text.split()
    done = subprocess.run([compiler, *options, "-x", "c", "-E", "-P", "-"], input=f"#include <{header}>\nIT IS {name}\n",
                          text=True, stdout=subprocess.PIPE)
    return [] if f"IT IS {value}\n" in done.stdout else [f"FAILED: {header}: {name} does not become {value}"]


def main():
    compiler, upcc, path = sys.argv[1:]
    options = subprocess.run([upcc, "--front-end"], check=True, text=True, stdout=subprocess.PIPE).stdout.split()
    headers = {}
    for number, (header, kind, text) in enumerate(entries(path)):
        headers.setdefault(header, []).append((kind, text, check_of(kind, text, number)))
    failures, count = [], 0
    for header, checks in headers.items():
        count += len(checks)
        for text in [text for kind, text, _ in checks if kind == "becomes"]:
            failures += becomes(compiler, options, header, text)
        for standard in (["-std=gnu89", "-Drestrict="], ["-std=c99"]):
            source = f"#include <{header}>\n#include <{header}>\n"
            for kind, text, check in checks:
                name = f"{header}: {kind} {text}".replace('"', "'")
                source += "".join(f'#line 1 "{name}"\n{line}\n' for line in check.split("\n"))
            command = [compiler, *options, *standard, "-Dshared=volatile", "-x", "c", "-fsyntax-only",
                       "-Werror=incompatible-pointer-types", "-Werror=discarded-qualifiers", "-Wno-unknown-pragmas", "-"]
            done = subprocess.run(command, input=source, text=True, stderr=subprocess.PIPE)
            if done.returncode != 0:
                errors = [line for line in done.stderr.splitlines() if "error" in line]
                failures.append(f"FAILED: {header} with {standard[0]}\n" + "\n".join(errors or [done.stderr]))
    print("\n".join(failures + [f"{count} names for front ends in {len(headers)} headers, {len(failures)} failures"]))
    return bool(failures) or count < 500


if __name__ == "__main__":
    sys.exit(main())
