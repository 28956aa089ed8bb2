#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_documents.py PREFIX: what is installed to be read can be read.

- Every relative link of a document leads to something that is installed.
- Every command and the functions of UPC, Berkeley UPC and the runtime that users look up first have a manual page;
  each page is set by groff without a warning, and each link page leads to a page."""
import pathlib
import re
import subprocess
import sys

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
FUNCTIONS = """upc_alloc upc_all_alloc upc_lock upc_memget upc_memput upc_all_broadcast upc_all_exchange upc_all_fopen
upc_threadof upc_global_exit upc_atomic_relaxed upc_memput_nb bupc_sem_post bupc_memput_async bupc_ticks_now
upcr_notify upcr_wait upcr_put_shared upcr_get_pshared upcr_lock bupc_init bupc_init_reentrant upcr_local_to_shared
gasnet_put gasnet_AMRequestShort gasnet_coll_broadcast gasnett_ticks_now mupc_get _UPCRTS_init""".split()
failures = []


def check_links(documents):
    for document in documents:
        for target in LINK.findall(document.read_text(encoding="utf-8")):
            if "://" not in target and not (document.parent / target).exists():
                failures.append(f"{document}: no {target}")


def check_pages(man):
    for page in sorted(man.glob("man[13]/*")):
        text = page.read_text(encoding="utf-8")
        link = re.fullmatch(r"\.so (\S+)\n", text)
        if link:
            if not (man / link[1]).exists():
                failures.append(f"{page}: no {link[1]}")
            continue
        told = subprocess.run(["groff", "-man", "-ww", "-Kutf8", "-Tutf8", "-z", page], capture_output=True, text=True)
        if told.returncode or told.stderr:
            failures.append(f"{page}: {told.stderr[:500]}")


def main():
    prefix = pathlib.Path(sys.argv[1])
    documents = sorted(prefix.glob("share/doc/upcr/**/*.md"))
    if not documents:
        failures.append("no documents are installed")
    check_links(documents)
    man = prefix / "share/man"
    wanted = [f"man1/{path.name}.1" for path in sorted((prefix / "bin").iterdir())]
    wanted += [f"man3/{name}.3" for name in FUNCTIONS]
    failures.extend(f"no manual page {name}" for name in wanted if not (man / name).exists())
    check_pages(man)
    for failure in failures:
        print("FAILED:", failure)
    if not failures:
        print(f"ok: {len(documents)} documents, {len(list(man.glob('man[13]/*')))} manual pages")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
