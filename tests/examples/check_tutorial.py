#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_tutorial.py PAGE PROGRAMS_DIR: each block of C in the tutorial stands, line for line, in the program that the text
before it names, and each program is named."""
import pathlib
import re
import sys

tutorial, folder = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
failed, quoted, program = 0, 0, None
named = set()
for part in re.split(r"(```c\n.*?```\n?)", tutorial, flags=re.DOTALL):
    if not part.startswith("```c\n"):
        for name in re.findall(r"`docs/tutorial/(\w+\.upc)`", part):
            program = name
            named.add(name)
        continue
    text = part[len("```c\n"):part.rindex("```")]
    quoted += 1
    if program is None or text not in (folder / program).read_text():
        print(f"FAILED: not in {program}:\n{text}")
        failed += 1
missing = {p.name for p in folder.glob("*.upc")} - named
if missing:
    print("FAILED: not in the tutorial:", *sorted(missing))
print(f"{quoted} quotations of {len(named)} programs")
sys.exit(failed != 0 or bool(missing) or quoted < len(named))
