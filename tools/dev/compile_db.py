# SPDX-License-Identifier: BSD-3-Clause
"""The build's compile_commands.json in a form for clang's tools, and the include graph."""
import functools
import json
import os
import re
import shlex

from dev import repository

BUILD = os.environ.get("UPCR_BUILD_DIR") or os.path.join(repository.ROOT, "build")
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def entries():
    """cmake's compile_commands.json with absolute paths; empty where nothing is configured."""
    try:
        with open(os.path.join(BUILD, "compile_commands.json")) as file:
            commands = json.load(file)
    except FileNotFoundError:
        return []
    for entry in commands:
        words = shlex.split(entry["command"])
        entry["words"] = words
        entry["file"] = os.path.normpath(os.path.join(entry["directory"], entry["file"]))
        entry["output"] = words[words.index("-o") + 1] if "-o" in words else ""
    return commands


def for_clang(words):
    """A command of gcc's without options that clang does not accept: the precompiled header is in gcc's format."""
    kept, skip = [], False
    for position, word in enumerate(words):
        following = words[position + 1] if position + 1 < len(words) else ""
        if skip:
            skip = False
        elif word == "-include" and "cmake_pch" in following:
            skip = True
        elif word not in ("-Winvalid-pch", "-fno-sanitize-recover=all") and not word.endswith("/ccache"):
            kept.append(word)
    return kept


def write_for_clang(path):
    """One command a file (files are compiled for the release and the debug library), to `path`."""
    database = {}
    for entry in entries():
        database.setdefault(entry["file"], {"directory": entry["directory"], "file": entry["file"],
                                            "arguments": for_clang(entry["words"])})
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w") as file:
        json.dump(list(database.values()), file, indent=1)
    os.replace(path + ".new", path)
    return database


@functools.lru_cache(maxsize=None)
def direct_includes(path):
    """The repository's files that a file names in #include "...": beside it, from the root or from include/."""
    found = []
    for name in INCLUDE.findall(repository.read(path)):
        for folder in (os.path.dirname(path), repository.ROOT, os.path.join(repository.ROOT, "include"),
                       os.path.join(BUILD, "include")):
            candidate = os.path.normpath(os.path.join(folder, name.decode(errors="replace")))
            if os.path.isfile(candidate):
                found.append(candidate)
                break
    return tuple(found)


@functools.lru_cache(maxsize=None)
def all_includes(path):
    """The file and everything of the repository that it includes, in any depth, sorted."""
    seen, waiting = {path}, [path]
    while waiting:
        for name in direct_includes(waiting.pop()):
            if name not in seen:
                seen.add(name)
                waiting.append(name)
    return tuple(sorted(seen))


def include_distance(path, header):
    """1: the file includes the header; 2: a header that it includes does; and so on. None: it does not."""
    seen, level, distance = {path}, [path], 1
    while level:
        following = [name for file in level for name in direct_includes(file)]
        if header in following:
            return distance
        level = [name for name in dict.fromkeys(following) if name not in seen]
        seen.update(level)
        distance += 1
    return None
