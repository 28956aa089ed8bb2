#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check_paths.py ROOT [GENERATED...]: the documents of the tree ROOT name only what is there. GENERATED: folders of
files that the build generates, which count as files of the tree.

- A path in backquotes, from the root of the tree or a file's last components, exists; `*` and {a,b} are allowed, and
  a name in capitals stands for any. Shared objects are what the build makes, and are not looked for.
- A link to a file of the tree, and to a heading of a document, has its target.
- A list item that begins with a file in backquotes (`upcr/sync/lock.cpp`: `upcr_lock()`) names only what that file
  contains as an identifier: each further item in backquotes that ends with () or is a single identifier.
- docs/explanation/architecture.md has at most 2,500 words, README.md at most 120 lines."""
import itertools
import pathlib
import re
import sys

FOLDERS = ("bench", "conduits", "docs", "include", "share", "tests", "tools", "upcr")
MAX_WORDS = 2500
MAX_LINES = 120
STAYS = ("README", "CONTRIBUTING", "CHANGELOG")  # capitals that are a name
PATH = re.compile(r"[\w.*{},-]+(/[\w.*{},-]+)*/?")
FILE = re.compile(r"[\w-]+(/[\w-]+)*\.(cpp|hpp|py|cmake)")
ITEM = re.compile(r"\s*(?:\d+\.|-) `([\w./-]+\.\w+)`(.*)")
IDENTIFIER = re.compile(r"([A-Za-z_]\w*)(\(\))?")


def expanded(name):
    """The patterns that a name with braces and placeholders stands for."""
    name = re.sub(r"(?<=[/.])[A-Z]+(?=[/.]|$)", lambda word: word[0] if word[0] in STAYS else "*", name)
    parts = [part.split(",") for part in re.split(r"[{}]", name)]
    return ["".join(words) for words in itertools.product(*parts)]


class Tree:
    def __init__(self, root, generated=()):
        self.root = pathlib.Path(root)
        folders = [(self.root, self.root / folder) for folder in FOLDERS]
        folders += [(pathlib.Path(folder), pathlib.Path(folder)) for folder in generated]
        self.files = ["/" + str(path.relative_to(start)) for start, folder in folders
                      for path in folder.rglob("*") if path.is_file()]

    def documents(self):
        return sorted([*self.root.glob("*.md"), *(self.root / "docs").rglob("*.md")])

    def has_path(self, name):
        return all(any(self.root.glob(one.rstrip("/"))) for one in expanded(name))

    def has_file(self, name):
        return any(file.endswith("/" + name) for file in self.files)


def slug(heading):
    """The anchor that the usual hosts give to a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def headings(text):
    return {slug(line.lstrip("#")) for line in text.splitlines() if line.startswith("#")}


def check_names(tree, text):
    for name in re.findall(r"`([^`\n]+)`", text):
        if PATH.fullmatch(name) and "/" in name and name.split("/")[0] in FOLDERS:
            if not name.endswith((".so", "...")) and not tree.has_path(name) and not tree.has_file(name):
                yield f"`{name}` does not exist"
        elif FILE.fullmatch(name) and not tree.has_file(name):
            yield f"no file of the tree is called `{name}`"


def check_links(tree, document, text):
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        path = document.parent / name if name else document
        if not path.exists():
            yield f"the link to {target} has no target"
        elif anchor and path.suffix == ".md" and anchor not in headings(path.read_text()):
            yield f"{target}: there is no such heading"


def check_items(tree, text):
    """Yields what is wrong with the lines that say which functions a file has."""
    for line in text.splitlines():
        item = ITEM.match(line)
        if not item or not (tree.root / item[1]).is_file():  # what does not exist is check_names()'s
            continue
        code = (tree.root / item[1]).read_text()
        for word in re.findall(r"`([^`]+)`", item[2]):
            name = IDENTIFIER.fullmatch(word)
            if name and not re.search(rf"\b{name[1]}\b", code):
                yield f"{item[1]} has no {word}"


def check_length(document, text):
    words = len(text.split())
    if document.name == "architecture.md" and words > MAX_WORDS:
        yield f"{words} words; at most {MAX_WORDS} are allowed"
    lines = len(text.splitlines())
    if str(document) == "README.md" and lines > MAX_LINES:
        yield f"{lines} lines; at most {MAX_LINES} are allowed"


def check(root, *generated):
    tree = Tree(root, generated)
    for document in tree.documents():
        text = document.read_text()
        found = itertools.chain(check_names(tree, text), check_links(tree, document, text), check_items(tree, text),
                                check_length(document.relative_to(tree.root), text))
        for problem in dict.fromkeys(found):  # each once
            yield f"{document.relative_to(tree.root)}: {problem}"


if __name__ == "__main__":
    problems = list(check(*sys.argv[1:]))
    print("\n".join(problems))
    sys.exit(1 if problems else 0)
