#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_hardening.py FILE...: checks each library, module and tool with readelf. All symbols are bound before main()
and their table is read-only then; stacks are guarded; and calls of the C library whose buffer's size is known are those
that check it. A FILE behind `--few` has no such call and is not asked for one."""
import re
import subprocess
import sys


def readelf(option, file):
    return subprocess.run(["readelf", "-W", option, file], capture_output=True, text=True, check=True).stdout


def missing(file, few):
    dynamic, segments, symbols = (readelf(option, file) for option in ("-d", "-l", "--dyn-syms"))
    undefined = set(re.findall(r" UND (\w+)", symbols))
    if not re.search(r"\(FLAGS\).*BIND_NOW|\(BIND_NOW\)", dynamic) or not re.search(r"\(FLAGS_1\).*\bNOW\b", dynamic):
        yield "BIND_NOW"
    if "GNU_RELRO" not in segments:
        yield "GNU_RELRO"
    if "__stack_chk_fail" not in undefined:
        yield "__stack_chk_fail"
    if not few and not any(re.fullmatch(r"__\w+_chk", name) for name in undefined):
        yield "any call of a *_chk function"


bad = 0
few = False
for file in sys.argv[1:]:
    if file == "--few":
        few = True
        continue
    lacks = list(missing(file, few))
    print(f"{file}: {'without ' + ', '.join(lacks) if lacks else 'ok'}")
    bad += bool(lacks)
sys.exit(bad != 0 or len(sys.argv) < 2)
