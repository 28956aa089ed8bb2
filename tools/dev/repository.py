# SPDX-License-Identifier: BSD-3-Clause
"""The repository's files, the changed ones among them, and the language of each."""
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

C, CPP, SHELL, PYTHON, OTHER = "C", "C++", "shell", "Python", "other"
EXTENSIONS = {".c": C, ".h": C, ".cpp": CPP, ".hpp": CPP, ".sh": SHELL, ".py": PYTHON}


def git(*arguments):
    """The lines that git prints; none when it fails (no such commit, no repository)."""
    run = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)
    return [line for line in run.stdout.splitlines() if line] if run.returncode == 0 else []


def existing(names):
    """Absolute paths of the regular files among names relative to the root; symbolic links are left out."""
    paths = [os.path.join(ROOT, name) for name in dict.fromkeys(names)]
    return [path for path in paths if os.path.isfile(path) and not os.path.islink(path)]


def every_file():
    return existing(git("ls-files", "--cached", "--others", "--exclude-standard"))


def staged_files():
    return existing(git("diff", "--cached", "--name-only", "--diff-filter=d"))


def changed_files():
    """Files that differ from the commit that this branch left the upstream branch at (else from the last commit)."""
    base = "HEAD"
    for upstream in ("@{upstream}", "origin/HEAD", "origin/main"):
        common = git("merge-base", "HEAD", upstream)
        if common:
            base = common[0]
            break
    return existing(git("diff", "--name-only", "--diff-filter=d", base)
                    + git("ls-files", "--others", "--exclude-standard"))


def shown(path):
    """The path for messages: relative to the root for files of the repository."""
    return os.path.relpath(path, ROOT) if path.startswith(ROOT + os.sep) else path


def read(path):
    with open(path, "rb") as file:
        return file.read()


def language(path):
    """By the file name's extension; without one, by the interpreter in the first line."""
    known = EXTENSIONS.get(os.path.splitext(path)[1])
    if known:
        return known
    with open(path, "rb") as file:
        first = file.readline(200)
    if not first.startswith(b"#!"):
        return OTHER
    if b"python" in first:
        return PYTHON
    return SHELL if any(first.rstrip().endswith(shell) for shell in (b"bash", b"/sh", b"dash")) else OTHER
