#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""callsites.py COMPILER INCLUDE_DIR BUILD_INCLUDE_DIR: in debug builds every call that can fail records its file and
line (upcr/callsites.h). A function can fail if it is in the library, or if its debug form calls the library. Such a
function is named in include/calls.txt, from which that header is generated, or below with the reason."""
import re
import subprocess
import sys

EXEMPT = {
    "called before there are UPC threads, which record positions": """bupc_init bupc_init_reentrant bupc_getenv upcr_getenv
        upcr_startup_init upcr_startup_attach upcr_startup_spawn upcr_mynode upcr_nodes""",
    "fails only on threads that record no position": "upcr_mythread",
    "generated code records its position itself": """upcr_startup_shalloc upcr_startup_pshalloc
        upcr_startup_initarray upcr_startup_initparray""",
    "translated files declare it again": "_upcrt_memput_nb upcrt_gcd",
    "ends the program": "bupc_exit upcr_global_exit",
    "cannot fail": """_upcr_atomic_isfast _bupc_dump_shared _bupc_inverse_cast upcr_affinitysize upc_affinitysize
        upcr_cast bupc_cast bupc_castable upcr_thread_info upcr_isvalid_shared upcr_isvalid_pshared upcr_isequal_shared_local
        upcr_isequal_pshared_local upcr_heap_info bupc_ticks_now bupc_ticks_to_us bupc_ticks_to_ns
        bupc_tick_granularityus bupc_tick_overheadus bupc_trace_setmask bupc_trace_getmask bupc_stats_setmask
        bupc_stats_getmask bupc_trace_settracelocal bupc_trace_gettracelocal""",
}
API = re.compile(r"_?(upcr|bupc|upc|upcrt|pupc)_")
FUNCTION = re.compile(r"""\b([A-Za-z_]\w*)\s*\((?:[^()]|\([^()]*\))*\)\s*
                          (?:__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)\s*)*([;{])""", re.VERBOSE)


def body(text, brace):
    depth = 0
    for i in range(brace, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return text[brace:i]
    return text[brace:]


def functions(text):
    """name -> its body, or None if the header only declares it."""
    found = {}
    for match in FUNCTION.finditer(text):
        if match.group(2) == "{":
            found[match.group(1)] = body(text, match.end() - 1)
        else:
            found.setdefault(match.group(1), None)
    return found


def calls_library(name, found, seen=()):
    if name in seen or name not in found:
        return False
    if found[name] is None:
        return bool(API.match(name) or name.startswith("upcri_"))
    return any(calls_library(called, found, (*seen, name))
               for called in re.findall(r"\b([A-Za-z_]\w*)\s*\(", found[name]))


def main():
    compiler, *dirs = sys.argv[1:]
    command = [compiler, "-x", "c", "-DUPCR_DEBUG=1", *["-I" + d for d in dirs]]

    def preprocess(text, *options):
        return subprocess.run(command + [*options, "-E", "-P", "-"], input=text, text=True, check=True,
                              stdout=subprocess.PIPE).stdout

    text = preprocess("#include <upcr.h>\n", "-DUPCR_NO_CALLSITES=1")
    text = re.sub(r'"(\\.|[^"\\])*"', '""', text)
    found = functions(text)
    can_fail = {name for name in found if API.match(name) and calls_library(name, found)}
    macros = preprocess("#include <upcr.h>\n", "-dM")
    covered = set(re.findall(r"#define (\w+)\(.*?\) UPCRI_AT\(", macros))
    exempt = {name for names in EXEMPT.values() for name in names.split()}
    wrong = [f"{name} can fail, and include/calls.txt does not name it" for name in can_fail - covered - exempt]
    wrong += [f"{name} is exempt here, but include/calls.txt names it" for name in covered & exempt]
    wrong += [f"{name} is declared by no header" for name in (covered | exempt) - set(found)]
    if len(can_fail) < 120:
        wrong.append(f"only {len(can_fail)} functions found")
    print("\n".join(sorted(wrong) + [f"{len(can_fail)} functions that can fail, {len(wrong)} wrong"]))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
