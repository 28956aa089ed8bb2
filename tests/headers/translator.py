#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""translator.py COMPILER INCLUDE_DIR BUILD_INCLUDE_DIR LIST: every name of LIST (translator.txt, which describes its
lines mean) compiles as translated C has it, with and without the checks of the debug library."""
import re
import subprocess
import sys

EXACT = ["-std=gnu99", "-fgnu89-inline", "-D__BERKELEY_UPC_SECOND_PREPROCESS__=1", "-DUPCRI_CC=\"cc\"", "-fsyntax-only",
         "-Werror=incompatible-pointer-types", "-Werror=implicit-function-declaration", "-Werror=implicit-int"]


def parse(prototype):
    """result, name, parameter types (None: it is no function)"""
    match = re.match(r"(.*?)\b(\w+)\((.*)\)$", prototype)
    if not match:
        result, name = prototype.rsplit(" ", 1)
        return result, name, None
    result, name, parameters = match.groups()
    return result.strip(), name, [] if parameters in ("", "void") else [p.strip() for p in parameters.split(",")]


def declared(kind, result, name, parameters):
    """The function as a function: its address, another declaration."""
    if kind != "function":
        return []
    lower = name.lower().replace("psharedi", "psharedI")
    types = ", ".join(parameters) or "void"
    return [f"static {result} (*address_{n}[])({types}) = {{ &{n} }};" for n in (name, lower)] + \
           [f"extern {result} {lower}({types});"]


def called(number, result, name, parameters):
    variables = "".join(f" {t} v{i};" for i, t in enumerate(parameters or []))
    values = ", ".join(f"v{i}" for i in range(len(parameters or [])))
    call = name if parameters is None else f"{name} ({values})"
    same = "" if result == "void" else \
        f" {{ char right_type[__builtin_types_compatible_p(__typeof__({call}), {result}) ? 1 : -1]; (void)right_type; }}"
    return [f"extern void call_{number}(void); void call_{number}(void) {{{variables}{same} {call}; }}"]


def main():
    compiler, include, build, path = sys.argv[1:]
    failures, count, source = [], 0, {True: [], False: []}
    for number, line in enumerate(open(path), 1):
        kind, _, rest = line.strip().partition(" ")
        if kind in ("", "#"):
            continue
        count += 1
        if kind in ("integer", "real"):
            name, size, *sign = rest.split()
            checks = [f"extern char size_{number}[sizeof({name}) == {size} ? 1 : -1];"]
            if sign:
                checks.append(f"extern char sign_{number}[(({name})-1 < 0) == {int(sign[0] == 'signed')} ? 1 : -1];")
            exact = []
        else:
            prototype = parse(rest)
            checks, exact = called(number, *prototype), declared(kind, *prototype)
        place = '#line 1 "' + line.strip().replace('"', "'") + '"\n'
        source[False] += [place + check for check in checks]
        source[True] += [place + check for check in checks + exact]
    # In the debug library calls are macros of these names, but where a file declares functions again.
    for functions, options in ((True, []), (False, ["-DUPCR_DEBUG=1"]), (True, ["-DUPCR_DEBUG=1", "-DUPCR_NO_CALLSITES"])):
        text = '#include "upcr.h"\n#include "whirl2c.h"\n#include "upcr_proxy.h"\n' + "\n".join(source[functions])
        done = subprocess.run([compiler, *EXACT, *options, "-I" + include, "-I" + build, "-x", "c", "-"],
                              input=text + "\n", text=True, stderr=subprocess.PIPE)
        if done.returncode != 0:
            errors = [error for error in done.stderr.splitlines() if "error" in error]
            failures.append(f"FAILED with {options}\n" + "\n".join(errors or [done.stderr]))
    print("\n".join(failures + [f"{count} names of translated C, {len(failures)} failures"]))
    return bool(failures) or count < 220


if __name__ == "__main__":
    sys.exit(main())
