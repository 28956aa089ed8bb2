#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""prototypes.py COMPILER INCLUDE_DIR BUILD_INCLUDE_DIR: every function that a header of upcr_preinclude/ declares
to a UPC front end is one that translated code finds in upcr.h, with these types: declared again in C, after
UPC's pointers have become the runtime's, it must be no contradiction. Each such header is read alone and twice.

Some parameters are pointers to structures that each translated file has for itself: the runtime takes any
(const void *), so these functions are only looked for."""
import os
import re
import subprocess
import sys

LOOSE = re.compile(r"bupc_mem\w+_[vi]list|bupc_all_f(open|(read|write)_list)|bupc_all_sort")
PHASELESS = r"(?:upc_atomicdomain_t|upc_file_t|bupc_sem_t)"


def c_of(declaration):
    """As translators write it."""
    text = re.sub(r"\b%s\s*\*" % PHASELESS, "upcr_pshared_ptr_t ", declaration)
    text = re.sub(r"\bupc_lock_t\s*\*", "upcr_shared_ptr_t ", text)
    text = re.sub(r"\bshared\s+(?:const\s+)?int\s*\*", "upcr_pshared_ptr_t ", text)
    text = re.sub(r"\b(?:const\s+)?shared\s+(?:const\s+)?(?:void|char)\s*\*", "upcr_shared_ptr_t ", text)
    return re.sub(r"\brestrict\b", "", text)


def main():
    compiler, include, build = sys.argv[1:]
    folder = os.path.join(include, "upcr_preinclude")
    front_end = ["-I" + folder, "-D__BERKELEY_UPC_FIRST_PREPROCESS__=1", "-D__UPC__=1"]

    def run(text, *options):
        done = subprocess.run([compiler, "-x", "c", "-std=gnu99", *options, "-"], input=text, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.stdout, done.stderr if done.returncode != 0 else ""

    failures, count = [], 0
    for header in sorted(os.listdir(folder)):
        text, error = run(f"#include <{header}>\n" * 2, *front_end, "-E", "-P")
        declared = re.findall(r"\bextern\s+([^;{}]*?\b(_?b?p?upc\w*)\s*\([^;{}]*\))\s*;", text)
        source = ["#include <upcr.h>"]
        for declaration, name in declared:
            count += 1
            if LOOSE.match(name):
                source.append(f"const void *look_for_{name}(void) {{ return (const void *){name}; }}")
            else:
                source.append(f"const void *look_for_{name}(void) {{ return (const void *){name}; }}\n"
                              f"extern {c_of(declaration)};")  # behind: it must be there already
        if not error:
            error = run("\n".join(source) + "\n", "-I" + include, "-I" + build, "-DUPCR_NO_CALLSITES",
                        "-Wimplicit-function-declaration", "-Werror", "-fsyntax-only")[1]
        if error:
            failures.append(f"FAILED: {header}\n{error}")
        for mode in (["-E"], ["-Dshared=", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-fsyntax-only"]):
            error = run(f"#include <{header}>\n" * 2 + "extern int used;\n", *front_end, *mode)[1]
            if error and header != "bupc_collectivev.h":  # which has code in UPC
                failures.append(f"FAILED: {header} alone\n{error}")

    # The names that bupc_extensions.h gives to programs that define BUPC_USE_UPC_NAMESPACE, on both sides.
    def namespace(header, *options):
        with_it, without = (set(re.findall(r"#define (upc_\w+)", run(f"#include <{header}>\n", *options, *more, "-E",
                                                                     "-dM")[0]))
                            for more in (["-DBUPC_USE_UPC_NAMESPACE"], []))
        return with_it - without

    front, runtime = namespace("bupc_extensions.h", *front_end), namespace("upcr.h", "-I" + include, "-I" + build)
    if front != runtime or len(front) < 60:
        failures.append(f"FAILED: BUPC_USE_UPC_NAMESPACE: {sorted(front ^ runtime)} of {len(front)}")
    print("\n".join(failures + [f"{count} functions for front ends, {len(failures)} headers failed"]))
    return bool(failures) or count < 60


if __name__ == "__main__":
    sys.exit(main())
