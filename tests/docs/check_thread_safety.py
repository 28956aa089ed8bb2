#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_thread_safety.py CC PAGE INCLUDE_DIR...: the page names every call that the headers declare, and none
that they do not. Braces on the page stand for every combination: a_{b,c} is a_b and a_c."""
import re
import subprocess
import sys

CALL = re.compile(r"\b((?:upcr|bupc|upc|pupc|gccupc|gasnet|upcrt|_upcrt|_upcr|_bupc)_[A-Za-z0-9_]+)\s*\(")
# Functions of the library, used by generated code, that have no such prefix; and those that are macros.
EXTRA = """_upcr_all_atomicdomain_alloc _upcr_all_atomicdomain_free _upcr_atomic_relaxed _upcr_atomic_strict
    _upcr_atomic_isfast upcri_do_exit upcri_init_heaps upcri_init_cache upcri_mypthread upcri_srcpos upcri_checkmalloc
    upcri_linkergenerated_tld_init upcri_rand upcri_srand upcri_dump_shared upcri_print_shared
    upcri_print_pshared upcri_err upcri_errno upcri_gaserr upcri_early_err upcri_warn upcri_sleepprintf
    upcri_barprintf""".split()
MACROS = """UPCR_BEGIN_FUNCTION UPCR_EXIT_FUNCTION UPCR_SET_SRCPOS UPCR_TLD_ADDR bupc_trace_printf
    bupc_allv_broadcast bupc_allv_scatter bupc_allv_gather bupc_allv_gather_all bupc_allv_permute
    bupc_allv_reduce bupc_allv_reduce_all bupc_allv_prefix_reduce""".split()
OTHERS = {"exit", "main"}


def expand(word):
    found = re.search(r"\{([^{}]*)\}", word)
    if not found:
        return [word]
    return [name for middle in found.group(1).split(",")
            for name in expand(word[:found.start()] + middle + word[found.end():])]


def declared(compiler, folders):
    source = "".join(f"#include <{h}>\n" for h in ("upcr.h", "bupc_extern.h", "upcr/gccupc.h", "upcr/linkaddr.h"))
    command = [compiler, "-E", "-P", "-xc", *[f"-I{folder}" for folder in folders], "-"]
    text = subprocess.run(command, input=source, text=True, check=True, stdout=subprocess.PIPE).stdout
    missing = [name for name in EXTRA if not re.search(rf"\b{name}\s*\(", text)]
    if missing:
        sys.exit(f"the headers do not declare {' '.join(missing)}")
    macros = subprocess.run([*command[:1], "-dM", *command[1:]], input=source, text=True, check=True,
                            stdout=subprocess.PIPE).stdout
    macros = {name for name in MACROS if re.search(rf"#define {name}\(", macros)}
    macros |= {"_upcrt_forall_start", "upcr_isequal_pshared_shared"}
    return set(CALL.findall(text)) | set(EXTRA) | macros


def main():
    compiler, page, *folders = sys.argv[1:]
    rows = [line.split("|")[1] for line in open(page) if line.startswith("| `")]
    named = {name for row in rows for word in re.findall(r"`([^`]+)`", row) for name in expand(word)} - OTHERS
    wanted = declared(compiler, folders)
    for names, what in [(wanted - named, "declared, not on the page"), (named - wanted, "on the page, not declared")]:
        if names:
            print(f"{what}: {' '.join(sorted(names))}")
    sys.exit(1 if named != wanted else 0)


main()
