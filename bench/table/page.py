# SPDX-License-Identifier: BSD-3-Clause
"""One HTML page without further files: the machine, the table of targets, the plots, every record."""
import html

from . import machine, plots, verdicts
from .records import chosen, is_rate, measured, seconds, size_text

# Plots are drawn in the page's text colour (plots.TEXT), so they need no second set for the dark.
STYLE = """
:root { color-scheme: light dark; --line: #8885; --head: #8882; --met: #1d8a4a; --missed: #c8402e; --dim: #777 }
body { font: 14px/1.45 system-ui, sans-serif; margin: 1.2em auto; padding: 0 1em; max-width: 96em }
h1 { font-size: 1.4em } h2 { font-size: 1.15em; margin-top: 2em }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1em 1em; margin: 1em 0 } dt { color: var(--dim) } dd { margin: 0 }
.warning { border-left: 4px solid #d08a00; background: #d08a0022; padding: .6em 1em; margin: 1em 0 }
.scroll { overflow: auto; max-height: 85vh; margin: 1em 0; border: 1px solid var(--line); border-radius: 4px }
table { border-collapse: separate; border-spacing: 0; min-width: 100% }
td, th { border-bottom: 1px solid var(--line); padding: .2em .7em; text-align: left; vertical-align: top }
th { position: sticky; top: 0; background: Canvas; box-shadow: inset 0 -1px var(--line), inset 0 99px var(--head);
  cursor: pointer; white-space: nowrap }
th[data-order]::after { content: " \\2193" } th[data-order="-1"]::after { content: " \\2191" }
td.number { text-align: right; white-space: nowrap } td.wide { min-width: 14em }
.met { color: var(--met) } .missed { color: var(--missed); font-weight: 600 } .not { color: var(--dim) }
.met, .missed, .not:not(.wide) { white-space: nowrap }
.plots { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1em }
@media (max-width: 50em) { .plots { grid-template-columns: minmax(0, 1fr) } }
figure { margin: 0 } svg { width: 100%; height: auto }
summary { cursor: pointer; margin: 1em 0 }
"""

# A click on a heading sorts by the column, a second one the other way; numbers by data-v.
SCRIPT = """
for (const head of document.querySelectorAll('thead th')) head.onclick = () => {
  const order = head.dataset.order === '1' ? -1 : 1, column = head.cellIndex, body = head.closest('table').tBodies[0];
  for (const th of head.parentNode.children) delete th.dataset.order;
  head.dataset.order = order;
  const value = row => { const c = row.cells[column]; return !c ? '' : 'v' in c.dataset ? Number(c.dataset.v) : c.textContent; };
  const compare = (x, y) => typeof x === 'number' && typeof y === 'number' ? x - y
    : typeof x === 'number' ? -1 : typeof y === 'number' ? 1 : x.localeCompare(y, 'en', {numeric: true});
  body.append(...[...body.rows].sort((a, b) => order * compare(value(a), value(b))));
};
"""


def cell(content, mark="", value=None, tag="td"):
    attributes = (f" class={mark}" if mark else "") + (f' data-v="{value:.9g}"' if value is not None else "")
    return f"<{tag}{attributes}>{html.escape(str(content))}</{tag}>"


def table(head, rows):
    top = "".join(cell(h, tag="th") for h in head)
    body = "\n".join(f"<tr>{''.join(r)}</tr>" for r in rows)
    return f'<div class=scroll><table><thead><tr>{top}</tr></thead><tbody>\n{body}\n</tbody></table></div>'


def leading_number(text):
    try:
        return float(text.split(" ")[0])
    except (ValueError, IndexError):
        return None


def target_row(l):
    return (cell(l.what, "wide"), cell(f"{l.name} ({l.part})"), cell(l.figure, "number", leading_number(l.figure)),
            cell(l.reference, "wide"), cell(l.target, "number", leading_number(l.target.removeprefix("<= ").removeprefix(">= "))),
            cell(l.verdict, l.verdict.split()[0]), cell(l.note, "wide"))


def target_tables(lines):
    """What was not part of the run is behind a line that says how much that is."""
    head = ("what", "row", "figure", "reference", "target", "verdict", "notes")
    shown = [l for l in lines if l.note not in verdicts.NO_PART]
    hidden = [l for l in lines if l.note in verdicts.NO_PART]
    out = [table(head, map(target_row, shown))] if shown else []
    if hidden:
        out.append(f"<details><summary>{len(hidden)} lines whose part was not in this run</summary>"
                   f"{table(head, map(target_row, hidden))}</details>")
    return out


def record_row(r):
    head = [cell(r.get("part", "")), cell(r["name"] + chosen(r)), cell(size_text(r.get("size", 0)), "number", r.get("size", 0)),
            cell(r.get("conduit", "")), cell(r.get("ranks", ""), "number")]
    if not measured(r):
        return [*head, cell(f"not measured: {r['why_not']}", '"not wide"'), *[cell("")] * 4]
    show = (lambda v: f"{v:.4g} {r['unit']}") if is_rate(r) else seconds
    ratio = f"{r['ratio']:.3f} +- {r.get('ratio_spread', 0) / 2:.3f}" if "ratio" in r else ""
    beside = show(r["reference_median"]) if "reference_median" in r else ""
    median = show(r["median"]) if "median" in r else ", ".join(
        f"{k} {v}" for k, v in r.items() if k in ("kib", "fraction", "right", "note"))
    return [*head, cell(median, "number", r.get("median")),
            cell(show(r.get("spread", 0)) if "median" in r else "", "number", r.get("spread")),
            cell(ratio, "number", r.get("ratio")), cell(r.get("reference", "")), cell(beside, "number", r.get("reference_median"))]


def record_table(records):
    head = ("part", "row", "size", "conduit", "ranks", "median", "spread", "ratio", "reference", "its median")
    rows = list(map(record_row, records))
    used = [i for i in range(len(head)) if any(not row[i].endswith("></td>") for row in rows)]
    return table([head[i] for i in used], ([row[i] for i in used] for row in rows))


def head_of(machines):
    out = []
    for of in machines:
        out.append("<dl>" + "".join(f"<dt>{html.escape(n)}</dt><dd>{html.escape(v)}</dd>" for n, v in machine.rows(of)) + "</dl>")
        busy = machine.too_busy(of)
        if busy:
            out.append(f"<p class=warning>{html.escape(busy[0].upper() + busy[1:])}: figures are shown, but not judged.</p>")
    return out


def page(title, records, parts, about, pictures, machines=()):
    lines = verdicts.table(verdicts.load_targets(), records, parts, verdicts.busy(machines)) if parts else []
    out = ["<!DOCTYPE html>", "<html lang=en><head><meta charset=utf-8>",
           '<meta name="viewport" content="width=device-width, initial-scale=1">', f"<title>{html.escape(title)}</title>",
           f"<style>{STYLE}</style></head><body>", f"<h1>{html.escape(title)}</h1>", *head_of(machines)]
    out += [f"<p>{html.escape(a)}</p>" for a in about]
    if lines:
        out += ["<h2>Targets</h2>", f"<p>{verdicts.counts(lines)}</p>", *target_tables(lines)]
    if pictures:
        out += ["<h2>Latency and bandwidth by size</h2>", "<div class=plots>",
                *(f"<figure>{plots.svg(figure)}</figure>" for _, _, figure in pictures), "</div>"]
    out += ["<h2>Every figure</h2>", record_table(records), f"<script>{SCRIPT}</script></body></html>"]
    return "\n".join(out) + "\n"
