# SPDX-License-Identifier: BSD-3-Clause
"""clang-tidy over the C++ sources that the build compiles, within a time limit."""
import concurrent.futures
import os
import re
import subprocess
import time

from dev import clean_cache, compile_db, linters, repository

CONFIGURATION = os.path.join(repository.ROOT, ".clang-tidy")
DATABASE = os.path.join(compile_db.BUILD, "lint", "compile_commands.json")
# Counts of suppressed warnings: nothing that a reader needs.
NOISE = re.compile(r"^(\d+ warnings? (and \d+ errors? )?generated\.|Suppressed .*|Use -header-filter.*)\n",
                   re.MULTILINE)


def sources_of(paths, database):
    """The sources to check for these files: the files themselves, and for a header one source that includes it: its own
    (NAME.cpp beside NAME.hpp) if there is one, else the one with the fewest other includes. The database may name sources
    that have been removed since the last build."""
    chosen = {}
    sources = [file for file in database if os.path.isfile(file) and repository.language(file) == repository.CPP
               and file.startswith(repository.ROOT + os.sep) and not file.startswith(compile_db.BUILD + os.sep)]
    for path in paths:
        if path in database:
            if repository.language(path) == repository.CPP:
                chosen[path] = None
        elif path.endswith(".hpp"):
            including = [file for file in sources if path in compile_db.all_includes(file)]
            own = os.path.splitext(path)[0] + ".cpp"
            if own in including:
                chosen[own] = None
            elif including:
                chosen[min(including, key=lambda file: len(compile_db.all_includes(file)))] = None
    return list(chosen)


class Tidy:
    def __init__(self):
        self.program = linters.find_clang_tool("clang-tidy", 14)

    def check(self, paths, seconds):
        """Messages, and the number of sources that there was no time for."""
        if not any(path.endswith((".cpp", ".hpp")) for path in paths):
            return [], 0
        database = compile_db.write_for_clang(DATABASE)
        if not database:
            return [f"clang-tidy: {repository.shown(compile_db.BUILD)}/compile_commands.json is missing: "
                    "configure first (cmake --preset default)\n"], 0
        deadline = time.monotonic() + seconds if seconds else None
        left = []

        def look(path):
            if clean_cache.is_clean(self.entry(path, database)):
                return ""
            if deadline and time.monotonic() > deadline:
                left.append(path)
                return ""
            return self.run(path, self.entry(path, database))

        with concurrent.futures.ThreadPoolExecutor(linters.WORKERS) as pool:
            texts = list(pool.map(look, sources_of(paths, database)))
        return unrepeated(texts), len(left)

    def entry(self, path, database):
        return clean_cache.key("clang-tidy 14", repository.read(CONFIGURATION), path, *database[path]["arguments"],
                               *map(repository.read, compile_db.all_includes(path)))

    def run(self, path, entry):
        run = subprocess.run([self.program, "--quiet", "-p", os.path.dirname(DATABASE), path],
                             capture_output=True, text=True)
        text = NOISE.sub("", run.stdout + run.stderr).replace(repository.ROOT + os.sep, "")
        if run.returncode == 0 and "warning:" not in text:
            clean_cache.remember(entry)
            return ""
        return text or f"{repository.shown(path)}: clang-tidy ended with status {run.returncode}\n"


def unrepeated(texts):
    """A finding in a header is reported by every source that includes it: once is enough."""
    seen, kept = set(), []
    for text in texts:
        for finding in re.split(r"(?m)^(?=\S+:\d+:\d+: (?:warning|error):)", text):
            if finding.strip() and finding not in seen:
                seen.add(finding)
                kept.append(finding)
    return kept
