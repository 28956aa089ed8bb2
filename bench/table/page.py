# SPDX-License-Identifier: BSD-3-Clause
"""One HTML page without further files: the table of targets, the plots, every record."""
import html

from . import plots, verdicts
from .records import is_rate, measured, seconds, size_text

STYLE = """
body { font: 14px/1.4 sans-serif; margin: 2em; max-width: 110em; color: #222 }
table { border-collapse: collapse; margin: 1em 0 } td, th { border: 1px solid #ccc; padding: 2px 8px; text-align: left }
th { background: #eee } td.number { text-align: right; white-space: nowrap }
.met { background: #d8f0d8 } .missed { background: #f8d8d0 } .not { background: #eee; color: #666 }
figure { display: inline-block; margin: 0 1em 1em 0 } svg { max-width: 100%; height: auto }
"""


def row(cells, tag="td", classes=()):
    marks = list(classes) + [""] * (len(cells) - len(classes))
    return "<tr>" + "".join(
        f"<{tag}{f' class={c}' if c else ''}>{html.escape(str(x))}</{tag}>" for x, c in zip(cells, marks)) + "</tr>"


def target_table(lines):
    out = ["<table>", row(("what", "row", "figure", "reference", "target", "verdict", "notes"), "th")]
    for l in lines:
        mark = l.verdict.split()[0]
        out.append(row((l.what, f"{l.name} ({l.part})", l.figure, l.reference, l.target, l.verdict, l.note),
                       classes=("", "", "number", "", "number", mark)))
    return "\n".join([*out, "</table>"])


def record_row(r):
    head = (r.get("part", ""), r["name"], size_text(r.get("size", 0)), r.get("conduit", ""), r.get("ranks", ""))
    if not measured(r):
        return row((*head, f"not measured: {r['why_not']}"))
    show = (lambda v: f"{v:.4g} {r['unit']}") if is_rate(r) else seconds
    ratio = f"{r['ratio']:.3f} +- {r.get('ratio_spread', 0) / 2:.3f}" if "ratio" in r else ""
    beside = show(r["reference_median"]) if "reference_median" in r else ""
    median = show(r["median"]) if "median" in r else ", ".join(
        f"{k} {v}" for k, v in r.items() if k in ("kib", "fraction", "right", "note"))
    return row((*head, median, show(r.get("spread", 0)) if "median" in r else "", ratio, r.get("reference", ""), beside))


def record_table(records):
    head = ("part", "row", "size", "conduit", "ranks", "median", "spread", "ratio", "reference", "its median")
    return "\n".join(["<table>", row(head, "th"), *map(record_row, records), "</table>"])


def page(title, records, parts, about, pictures):
    lines = verdicts.table(verdicts.load_targets(), records, parts) if parts else []
    out = ["<!DOCTYPE html>", "<html lang=en><head><meta charset=utf-8>", f"<title>{html.escape(title)}</title>",
           f"<style>{STYLE}</style></head><body>", f"<h1>{html.escape(title)}</h1>"]
    out += [f"<p>{html.escape(a)}</p>" for a in about]
    if lines:
        out += ["<h2>Targets</h2>", f"<p>{verdicts.counts(lines)}</p>", target_table(lines)]
    out += ["<h2>Latency and bandwidth by size</h2>"]
    out += [f"<figure>{plots.svg(figure)}</figure>" for _, _, figure in pictures] or ["<p>Nothing at two sizes.</p>"]
    out += ["<h2>Every figure</h2>", record_table(records), "</body></html>"]
    return "\n".join(out) + "\n"
