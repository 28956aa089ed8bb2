# SPDX-License-Identifier: BSD-3-Clause
"""Joins records with targets.json: one line of the table for each name of each target, with a verdict.

A target for several sizes has several records in its line, which shows the worst of them. The line is met when all of
them meet the target, and missed as soon as one misses. Where none misses, but one was not measured (a part that did
not run, a record with why_not, a size without a record, references that were never steady), the line says so.
"""
import dataclasses
import json
import pathlib
import re

from . import machine
from .records import measured, seconds, size_text

TARGETS = pathlib.Path(__file__).resolve().parent.parent / "targets.json"
MPI = ("openmpi", "mpich")

MET, MISSED, NOT_MEASURED = "met", "missed", "not measured"
NOT_JUDGED = "not judged"  # measured beside other load
UNSTEADY = "its reference was never steady"
NO_PART = ("not part of this run", "not in these files")


@dataclasses.dataclass
class Line:
    what: str
    name: str
    part: str
    figure: str  # as text, with its unit
    reference: str
    target: str
    verdict: str
    note: str = ""


def load_targets(path=TARGETS):
    with open(path) as file:
        targets = json.load(file)["targets"]
    for t in targets:
        if ("at_most" in t) == ("at_least" in t):
            raise ValueError(f"{path}: '{t['what']}' needs either at_most or at_least")
        if ("names" in t) == ("pattern" in t):
            raise ValueError(f"{path}: '{t['what']}' needs either names or a pattern")
    return targets


def value_of(record, target):
    """The number that the target bounds; None where the record has none."""
    kind = target["value"]
    if kind == "speed":
        return 1 / record["ratio"] if record.get("ratio") else None
    return record.get(kind)


def spread_of(record, target):
    """Half of the interquartile range of that number, where it is known."""
    spread = record.get("ratio_spread", 0) / 2
    if target["value"] == "speed" and spread:
        return spread / record["ratio"] ** 2
    return record.get("difference_spread", 0) / 2 if target["value"] == "difference" else spread


def number(value, target, beside=None):
    """With its unit; `beside`: with as many digits as that one."""
    unit = target.get("unit")
    if unit == "ms":
        return f"{value * 1e3:.1f} ms"
    if unit == "ns":
        return f"{value * 1e9:.1f} ns"
    if unit == "MiB":
        return f"{value / 1024:.1f} MiB"
    if target["value"] == "right":
        return str(value)
    digits = 2 if (beside or value) >= 0.1 or value == 0 else 4
    return f"{value:.{digits}f}" + (" x" if target["value"] in ("ratio", "speed") else "")


def meets(value, target):
    return value <= target["at_most"] if "at_most" in target else value >= target["at_least"]


def target_text(target):
    if "at_most" in target:
        return "<= " + number(target["at_most"], target)
    return ">= " + number(target["at_least"], target)


def matches(record, target, name, part):
    if record.get("part", part) != part:
        return False
    if name is not None and record["name"] != name:
        return False
    if name is None and not re.fullmatch(target["pattern"], record["name"]):
        return False
    return "sizes" not in target or record.get("size", 0) in target["sizes"]


def why_no_record(part, parts):
    """The reason that there is no record of a part."""
    for p in parts:
        if p["name"] == part:
            return p.get("why_not") or "its program has no such row"
    return NO_PART[0] if parts else NO_PART[1]


def why_not(record, target):
    """The reason that this record gives no figure for the target; None where it does."""
    if not measured(record):
        return record["why_not"]
    if value_of(record, target) is None:
        return "without a reference"
    if record.get("kept") == 0:
        return UNSTEADY
    if "beside" in target and not re.fullmatch(target["beside"], record.get("reference", "")):
        return f"here its reference is {record.get('reference', 'absent')}"
    return None


def judge(target, name, part, records, parts):
    found = [r for r in records if matches(r, target, name, part)]
    line = Line(target["what"], name or target.get("row", target["pattern"]), part, "", target["reference"],
                target_text(target), NOT_MEASURED)
    figures = [(value_of(r, target), r) for r in found if why_not(r, target) is None]
    absent = [why for why in (why_not(r, target) for r in found) if why is not None]
    absent += [f"no {size_text(size)}" for size in sorted(set(target.get("sizes", ())) - {r.get("size", 0) for r in found})
               if found]
    if not figures:
        line.note = absent[0] if absent else why_no_record(part, parts)
        return line
    pick = max if "at_most" in target else min
    worst, record = pick(figures, key=lambda f: f[0])
    failed = [r for v, r in figures if not meets(v, target)]
    line.verdict = MISSED if failed else NOT_MEASURED if absent else MET
    line.figure = number(worst, target)
    spread = spread_of(record, target)
    notes = []
    if spread:
        line.figure += f" +- {number(spread, target, worst).removesuffix(' x')}"
    if len(figures) > 1:
        which = record["name"] if name is None else size_text(record.get("size", 0))
        notes.append(f"the worst of {len(figures)}, {which}" + (f"; {len(failed)} miss" if failed else ""))
    if spread and meets(worst - spread, target) != meets(worst + spread, target):
        notes.append("within the spread")
    if absent:
        notes.append(f"{len(absent)} more not measured: {absent[0]}")
    if record.get("median") and "difference" not in record and "unit" not in record:
        notes.append(seconds(record["median"]))
    if record.get("note"):
        notes.append(record["note"])
    line.note = "; ".join(notes)
    return line


def busy(machines):
    """Why the figures of these machines are not judged; None where they are."""
    return next((why for why in map(machine.too_busy, machines) if why), None)


def table(targets, records, parts, why_not_judged=None):
    """The lines; with a reason no verdict but that something was not measured."""
    lines = judged(targets, records, parts)
    for line in lines if why_not_judged else []:
        if line.verdict in (MET, MISSED):
            line.verdict = NOT_JUDGED
    return lines


def judged(targets, records, parts):
    lines = []
    for t in targets:
        places = [t["part"].format(mpi=m) for m in MPI] if "{mpi}" in t["part"] else [t["part"]]
        for part in places:
            lines += [judge(t, name, part, records, parts) for name in t.get("names", [None])]
    return lines


def counts(lines):
    """"12 met, 3 missed, 2 not measured", or how many are not judged."""
    found = [(sum(l.verdict == v for l in lines), v) for v in (MET, MISSED, NOT_JUDGED, NOT_MEASURED)]
    return ", ".join(f"{n} {v}" for n, v in found if n or (v != NOT_JUDGED and not found[2][0]))


def as_text(lines):
    rows = [("what", "row", "figure", "target", "verdict", "reference; notes")]
    for l in lines:
        rest = "; ".join(x for x in (l.reference, l.note) if x)
        rows.append((l.what, f"{l.name} ({l.part})", l.figure, l.target, l.verdict, rest))
    widths = [max(len(r[i]) for r in rows) for i in range(5)]
    return "\n".join("  ".join([*(c.ljust(w) for c, w in zip(r, widths)), r[5]]).rstrip() for r in rows)


def as_markdown(lines):
    out = ["| what | row | figure | reference | target | verdict |", "|---|---|---|---|---|---|"]
    for l in lines:
        verdict = l.verdict + (f": {l.note}" if l.verdict == NOT_MEASURED else "")
        figure = l.figure + (f" ({l.note})" if l.figure and l.note else "")
        cells = (l.what, f"`{l.name}` ({l.part})", figure, l.reference, l.target, verdict)
        out.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    return "\n".join(out)
