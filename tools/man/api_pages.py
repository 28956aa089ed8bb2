#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Manual pages (section 3) from the texts of the public headers.

api_pages.py [--beside FOLDER] VERSION OUT HEADER...

A page for each header that declares public functions: its opening comment is the description, and every other comment
describes the declarations that follow it. A link page for each function leads there. Declarations that only the
library's own headers need (upcri_, UPCRI_, gasneti_) are left out. Names with pages in FOLDER get none, nor
do those of UPC itself then.
"""
import argparse
import os
import re

PUBLIC = re.compile(r"\b((?:upcr|bupc|upc|gasp|mupc|gasnett?|_UPCRTS)_\w+)\s*\(")
MACRO = re.compile(r"#\s*define\s+((?:upcr|bupc|upc|UPCR|BUPC|UPC|gasnett?|GASNETT?)_\w+)"
                   r"(\([^)]*\)| (?:upcr|bupc|upc)_\w+$)?", re.M)


def blocks(text):
    """Pairs of a comment at the beginning of a line and the code after it, up to the next one."""
    parts = re.split(r"^(/\*.*?\*/)[ \t]*$", text, flags=re.S | re.M)
    yield "", parts[0]
    for comment, code in zip(parts[1::2], parts[2::2]):
        yield comment, code


def prose(comment):
    lines = comment.strip()[2:-2].split("\n")
    lines = [re.sub(r"^ \* ?", "", line).rstrip() for line in lines]
    return "\n".join(lines).strip("\n *")


def without_bodies(code):
    """Functions that are defined in a header, with `;` in place of their bodies."""
    out, depth, start = [], 0, 0
    for at, char in enumerate(code):
        if char == "{":
            before = code[start:at].rstrip()
            if depth == 0 and before.endswith(")"):
                out.append(before + ";")
                start = None
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0 and start is None:
                start = at + 1
    if start is not None:
        out.append(code[start:])
    return "".join(out)


def declarations(code):
    """The public ones, as a program sees them."""
    code = re.sub(r"/\*.*?\*/", "", code, flags=re.S)
    macros = [m.group(0) for m in MACRO.finditer(code)]
    code = re.sub(r"^\s*#(?:[^\n\\]|\\\n|\\.)*$", "", code, flags=re.M)
    code = re.sub(r"^(UPCRI_(BEGIN|END)_C|GASNETT?I_(BEGIN|END)_EXTERNC)$", "", code, flags=re.M)
    found = []
    for declaration in re.split(r";", without_bodies(code)):
        declaration = re.sub(r"\s+", " ", declaration).strip()
        if not PUBLIC.search(declaration) or re.match(r"^(return|(UPCRI|GASNETT?I)_[A-Z_]+\()", declaration):
            continue
        declaration = re.sub(r"\b(UPCRI_\w+|GASNETT?I_\w+|static|inline|extern)\b(\([^()]*\))? ?", "", declaration)
        declaration = re.sub(r" ?__attribute__ ?\(\(.*?\)\)", "", declaration).strip()
        declaration = re.sub(r"\b__(?=[a-z]\w*[,)])", "", declaration)  # reserved names of parameters
        if declaration + ";" not in found:  # in line in some builds
            found.append(declaration + ";")
    return found, macros


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def paragraphs(text):
    """Running text is filled; what is indented keeps its lines."""
    out = []
    for paragraph in re.split(r"\n[ \t]*\n", text):
        lines = paragraph.split("\n")
        running = []
        fixed = []
        for line in lines:
            if re.match(r"^ {2,}\S", line) or fixed:
                fixed.append(line)
            else:
                running.append(line)
        out.append(".PP")
        if running:
            out.append(roff("\n".join(running)))
        if fixed:
            out += [".PP", ".nf", roff("\n".join(fixed)), ".fi"]
    return out


def beginning(text):
    """The first sentence, or the first part of a long one that says something."""
    sentence = re.split(r"(?<=[^.])\. ", text)[0]
    if len(sentence) <= 120:
        return sentence
    ends = [m.start() for m in re.finditer(r"[:;,] | \(", sentence) if m.start() >= 20]
    return sentence[:ends[0]] if ends else sentence


def page(header, name, version):
    with open(header, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"^/\* SPDX[^\n]*\*/\n", "", text)
    opening, body, names = "", [], []
    for comment, code in blocks(text):
        if re.match(r"/\* *----", comment):
            body.append(".SS " + roff(prose(comment).strip("- ")))
            comment = ""
        found, macros = declarations(code)
        if not opening and comment:
            opening = prose(comment)
            comment = ""
        if not found and not macros:
            continue
        for declaration in found:
            names += [n for n in PUBLIC.findall(declaration)[:1] if n not in names]
        names += [m.group(1) for m in map(MACRO.match, macros) if m.group(2) and m.group(1) not in names]
        body += [".PP", ".nf", *["\\fB" + roff(line) + "\\fR" for line in found + macros], ".fi"]
        if comment:
            body += [".RS"] + paragraphs(prose(comment)) + [".RE"]
    if not names:
        return None, []
    title, _, rest = opening.partition("\n\n")
    summary = re.sub(r"\s+", " ", title).strip().rstrip(".")
    if len(summary) > 120:
        summary = beginning(summary)
        rest = opening
    out = [f'.TH "{name}" 3 "" "upcr {version}" "UPC runtime"', ".SH NAME",
           f"{roff(name)} \\- {roff(summary)}", ".SH SYNOPSIS", ".nf", "#include <" + include_of(header) + ">", ".fi",
           ".SH DESCRIPTION"]
    out += paragraphs(rest or opening) + [".SH FUNCTIONS"] + body
    out += [".SH SEE ALSO", ".BR upcc (1),", ".BR upcrun (1)"]
    return "\n".join(out) + "\n", names


def include_of(header):
    folder, name = os.path.split(header)
    by_folder = {"upcr": "upcr.h", "gasnet": "gasnet.h", "tools": "gasnet_tools.h"}
    return by_folder.get(os.path.basename(folder), name)


def name_of(header):
    folder, base = os.path.split(header)
    prefix = {"upcr": "upcr_", "gasnet": "gasnet_", "tools": "gasnett_"}.get(os.path.basename(folder))
    return base if prefix is None else prefix + base[:-2]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--beside")
    for argument in ("version", "out"):
        parser.add_argument(argument)
    parser.add_argument("headers", nargs="+")
    options = parser.parse_args()
    version, out = options.version, options.out
    known = set(os.listdir(options.beside)) if options.beside else set()
    os.makedirs(out, exist_ok=True)
    for header in options.headers:
        name = name_of(header)
        text, names = page(header, name, version)
        if text is None:
            continue
        with open(os.path.join(out, name + ".3"), "w", encoding="utf-8") as file:
            file.write(text)
        for other in names:
            path = os.path.join(out, other + ".3")
            if options.beside and other.startswith("upc_"):
                continue
            if other != name and other + ".3" not in known and not os.path.exists(path):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(f".so man3/{name}.3\n")


if __name__ == "__main__":
    main()
