# SPDX-License-Identifier: BSD-3-Clause
"""The checkers of single files: clang-format, shellcheck, flake8."""
import concurrent.futures
import fnmatch
import os
import shutil
import subprocess

from dev import clean_cache, repository

C_STYLE = os.path.join(repository.ROOT, "tools", "dev", "c.clang-format")
ROOT_STYLE = os.path.join(repository.ROOT, ".clang-format")
WORKERS = os.cpu_count() or 1
BATCH = 40
PASSES = 3


def find_clang_tool(name, version):
    """Layout and checks differ between releases of clang, so all developers use the same one."""
    for candidate in (f"{name}-{version}", name):
        path = shutil.which(candidate)
        if path and f"version {version}." in subprocess.run([path, "--version"], capture_output=True,
                                                            text=True).stdout:
            return path
    return None


def style_of(path):
    """The nearest .clang-format, but c.clang-format for C files to which the root's would apply."""
    folder = os.path.dirname(path)
    while folder.startswith(repository.ROOT + os.sep):
        if os.path.exists(os.path.join(folder, ".clang-format")):
            return os.path.join(folder, ".clang-format")
        folder = os.path.dirname(folder)
    return C_STYLE if repository.language(path) == repository.C else ROOT_STYLE


def keeps_its_layout(path):
    """True for the files that .clang-format-ignore names; * matches in one folder and ** in any depth."""
    name = repository.shown(path)
    for line in repository.read(os.path.join(repository.ROOT, ".clang-format-ignore")).decode().splitlines():
        if line and not line.startswith("#"):
            same_depth = "**" in line or line.count("/") == name.count("/")
            if same_depth and fnmatch.fnmatchcase(name, line.replace("**", "*")):
                return True
    return False


def sourced(path):
    """The files that a shell script may source, on which shellcheck's verdict depends."""
    if repository.language(path) != repository.SHELL:
        return []
    folder = os.path.dirname(path)
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".sh")]


class Linter:
    """A command with files as arguments, whose status is not 0 when it finds a fault in one of them."""

    def __init__(self, name, languages, command, configuration=()):
        self.name, self.languages, self.command = name, languages, command
        self.settings = b"".join(repository.read(path) for path in configuration if os.path.exists(path))

    def entry(self, path):
        """The key of this file's clean verdict in the cache."""
        return clean_cache.key(self.name, *self.command, self.settings, path, repository.read(path),
                               *map(repository.read, sourced(path)))

    def check(self, paths):
        """Messages about these files; files that are known to be clean are not checked."""
        unknown = [path for path in paths if not clean_cache.is_clean(self.entry(path))]
        batches = [unknown[start:start + BATCH] for start in range(0, len(unknown), BATCH)]
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            return [text for text in pool.map(self.check_batch, batches) if text]

    def check_batch(self, paths):
        text = self.run(paths)
        if text is None:
            for path in paths:
                clean_cache.remember(self.entry(path))
        elif len(paths) > 1:  # the other files of the batch may be clean
            return "".join(filter(None, (self.check_batch([path]) for path in paths)))
        return text

    def run(self, paths):
        run = subprocess.run([*self.command, *map(repository.shown, paths)], cwd=repository.ROOT, text=True,
                             capture_output=True)
        return None if run.returncode == 0 else (run.stdout + run.stderr) or f"{self.name}: exit {run.returncode}\n"


class Layout(Linter):
    """clang-format, in the style of each file."""

    def __init__(self, program):
        super().__init__("clang-format", (repository.C, repository.CPP), [program, "--dry-run", "--Werror"])

    def entry(self, path):
        return clean_cache.key(super().entry(path), repository.read(style_of(path)))

    def check(self, paths):
        return super().check([path for path in paths if not keeps_its_layout(path)])

    def by_style(self, paths):
        groups = {}
        for path in paths:
            groups.setdefault(style_of(path), []).append(path)
        return groups.items()

    def run(self, paths):
        failed = []
        for style, group in self.by_style(paths):
            run = subprocess.run([*self.command, f"--style=file:{style}", *group], capture_output=True, text=True)
            if run.returncode != 0:
                failed += [run.stderr] if len(group) > 1 else [self.summary(group[0], run.stderr)]
        return "".join(failed) or None

    def summary(self, path, errors):
        lines = [line.split(":")[1] for line in errors.splitlines() if "[-Wclang-format-violations]" in line]
        where = ", ".join(list(dict.fromkeys(lines))[:8])
        return (f"{repository.shown(path)}: layout differs from clang-format's at line {where}; "
                f"`tools/lint --fix {repository.shown(path)}` changes it\n")

    def fix(self, paths):
        """Some files (with comments after code that it has moved) need several passes of clang-format."""
        for _ in range(PASSES):
            for style, group in self.by_style(path for path in paths if not keeps_its_layout(path)):
                for start in range(0, len(group), BATCH):
                    subprocess.run([self.command[0], "-i", f"--style=file:{style}", *group[start:start + BATCH]],
                                   check=True)


def all_linters():
    """The linters, and a line for each one whose program is missing."""
    root = repository.ROOT
    found, missing = [], []
    clang_format = find_clang_tool("clang-format", 14)
    if clang_format:
        found.append(Layout(clang_format))
    else:
        missing.append("clang-format 14")
    for program, arguments, language, settings in (
            ("shellcheck", ["-x", "-S", "warning", "-f", "gcc"], repository.SHELL, ".shellcheckrc"),
            ("flake8", [], repository.PYTHON, ".flake8")):
        path = shutil.which(program)
        if path:
            found.append(Linter(program, (language,), [path, *arguments], [os.path.join(root, settings)]))
        else:
            missing.append(program)
    return found, missing
