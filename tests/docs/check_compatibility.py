# SPDX-License-Identifier: BSD-3-Clause
"""check_compatibility.py LIST DOCUMENT UPCRUN UPCR_INFO: each option and variable of Berkeley UPC in the list has a row in
docs/reference/compatibility.md, and nothing else has; upcrun takes its options, and upcr_info knows the variables.

With UPCRUN, each option of upcrun is given in a dry run, which must not find it unknown.
"""
import os
import re
import subprocess
import sys

SECTIONS = {"upcc": "upcc", "upcrun": "upcrun", "gasnetrun_smp, gasnetrun_mpi, gasnetrun_ibv, mupcrun": "gasnetrun",
            "Variables and files": "variable"}


def rows(path):
    """(section, entry) of each row's first column."""
    found, section = set(), None
    with open(path) as f:
        for line in f:
            if line.startswith("## "):
                section = SECTIONS[line[3:].strip()]
            match = re.match(r"\| (`.*?) \| (.+) \|$", line)
            if section and match:
                assert match[2].strip(), line
                for entry in re.findall(r"`([^`]+)`", match[1]):
                    found.add(("file" if entry.startswith("~") else section, entry))
    return found


def command(upcrun, name, entry):
    """A dry run with this option."""
    option = re.sub(r"\[(.*)\]", r"\1", entry)
    option = re.sub(r"=N$", "=1", option)
    words = [re.sub(r"^(N)$", "1", w) for w in option.split()]
    values = {"NAME": "smp", "SIZE": "8MB", "FILE": os.devnull, "NAMES": "A,B", "MASK": "X"}
    words = [values.get(w, w) for w in words]
    words = [w.replace("=NAME", "=ssh") for w in words]
    program = upcrun if name == "upcrun" else os.path.join(os.path.dirname(upcrun), "gasnetrun_smp")
    count = [] if words[0] == "-n" else ["-n", "1"]
    return [program, *words, *count, "-t", "/bin/true"]


def main():
    listed_path, document, upcrun, upcr_info = sys.argv[1:]
    with open(listed_path) as f:
        listed = {tuple(line.rstrip("\n").split(" ", 1)) for line in f if line.strip() and not line.startswith("#")}
    errors = [f"no row: {' '.join(e)}" for e in sorted(listed - rows(document))]
    errors += [f"not in the list: {' '.join(e)}" for e in sorted(rows(document) - listed)]
    environment = {n: v for n, v in os.environ.items() if not n.startswith(("UPC", "GASNET"))}
    for name, entry in sorted(listed):
        if name not in ("upcrun", "gasnetrun"):
            continue
        run = subprocess.run(command(upcrun, name, entry), capture_output=True, text=True, env=environment)
        if run.returncode != 0 or "there is no option" in run.stderr:
            errors.append(f"{name} {entry}: status {run.returncode}: {run.stderr}")
    known = subprocess.run([upcr_info, "-c", "--markdown"], capture_output=True, text=True, check=True).stdout
    for name, entry in sorted(listed):
        if name == "variable" and f"`{entry}`" not in known and entry not in ("UPCC_FLAGS", "UPCRUN_FLAGS"):
            errors.append(f"upcr_info -c does not know {entry}")
    print("\n".join(errors) or f"{len(listed)} options and variables")
    return 1 if errors else 0


sys.exit(main())
