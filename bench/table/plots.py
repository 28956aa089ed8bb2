# SPDX-License-Identifier: BSD-3-Clause
"""Latency and bandwidth by size: one figure for each theme and kind, drawn by matplotlib. Solid lines are upcr's, dashed
lines of the same colour the references of the same run."""
import collections
import io
import re

from .records import family, is_rate, measured

THEMES = (
    ("Puts and gets", r"(put|get)(_nb|_nbi|_flood)?"),
    ("Scattered copies, by element", r"(strided|indexed|vector).*"),
    ("Short messages, by arguments", r"am_short.*"),
    ("Medium and Long messages, round trips", r"am_.*"),
    ("Collectives, bytes of or for each thread", r"broadcast|reduce|reduce_all|exchange|gather_all|scatter|gather"),
    ("Beside MPI", r"mpi_.*"),
    ("Beside verbs", r"ibv_.*"),
)
# Their size is not the bytes of an operation, but those of an element of 64 KiB, or of a message's arguments.
NO_BANDWIDTH = ("Scattered copies, by element", "Short messages, by arguments")


def series(records):
    """{theme: {label: records by size}} of everything that was measured at two sizes or more."""
    lines = collections.defaultdict(lambda: collections.defaultdict(dict))
    for r in records:
        if not measured(r) or is_rate(r) or r.get("size", 0) <= 0 or not r.get("median"):
            continue
        for theme, pattern in THEMES:
            if re.fullmatch(pattern, family(r["name"])):
                label = family(r["name"]) + (f" ({r['part']})" if r.get("part") else f" ({r['conduit']} x {r['ranks']})")
                lines[theme][label].setdefault(r["size"], r)
                break
    return {t: {l: [rows[s] for s in sorted(rows)] for l, rows in found.items() if len(rows) > 1}
            for t, found in lines.items() if any(len(rows) > 1 for rows in found.values())}


def draw(axes, label, rows, value):
    sizes = [r["size"] for r in rows]
    line, = axes.plot(sizes, [value(r["size"], r["median"]) for r in rows], marker="o", markersize=3, label=label)
    beside = [r for r in rows if r.get("reference_median")]
    if beside:
        axes.plot([r["size"] for r in beside], [value(r["size"], r["reference_median"]) for r in beside],
                  linestyle="--", linewidth=1, color=line.get_color())


def figures(records):
    """(file name, title, matplotlib figure) of each plot."""
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "upcr"  # the same figures, the same file
    from matplotlib.figure import Figure

    kinds = (("latency", "time of one operation [us]", lambda size, t: t * 1e6),
             ("bandwidth", "bandwidth [GB/s]", lambda size, t: size / t / 1e9))
    for theme, lines in series(records).items():
        for kind, axis, value in kinds:
            if kind == "bandwidth" and theme in NO_BANDWIDTH:
                continue
            figure = Figure(figsize=(7.5, 4.6), layout="tight")
            axes = figure.subplots()
            for label, rows in sorted(lines.items()):
                draw(axes, label, rows, value)
            axes.set_xscale("log", base=2)
            axes.set_yscale("log")
            axes.set_xlabel("bytes")
            axes.set_ylabel(axis)
            axes.set_title(f"{theme}: {kind} (dashed: the reference)", fontsize=10)
            axes.grid(True, which="major", alpha=0.3)
            axes.legend(fontsize=6.5, ncols=2)
            yield re.sub(r"\W+", "-", f"{theme} {kind}".lower()), f"{theme}: {kind}", figure


def svg(figure):
    """The picture as an element for a page: without the XML head."""
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    text = out.getvalue()
    return text[text.index("<svg"):]
