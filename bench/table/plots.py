# SPDX-License-Identifier: BSD-3-Clause
"""Latency and bandwidth by size: one figure for each theme and kind, drawn by matplotlib. Solid lines are upcr's, dashed
lines of the same colour the references of the same run."""
import collections
import io
import re

from .records import chosen, family, is_rate, measured

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
                label = family(r["name"]) + chosen(r) + (f" ({r['part']})" if r.get("part") else f" ({r['conduit']} x {r['ranks']})")
                lines[theme][label].setdefault(r["size"], r)
                break
    return {t: {l: [rows[s] for s in sorted(rows)] for l, rows in found.items() if len(rows) > 1}
            for t, found in lines.items() if any(len(rows) > 1 for rows in found.values())}


# Colours that can be told apart and read on white and on black (at least 3:1 on both).
COLOURS = ("#3b82d9", "#d5692b", "#2f9c62", "#c2558f", "#8673d3", "#a3821a", "#2a9aa6", "#cf5050", "#6f8f2f", "#9a6a4a")
# Stands for the colour of the page's text, which is another one in the dark.
TEXT = "#010203"


def draw(axes, label, rows, value):
    """Each point with the interquartile range of its times."""
    sizes = [r["size"] for r in rows]
    middle = [value(r["size"], r["median"]) for r in rows]
    ends = [sorted(value(r["size"], max(r["median"] + sign * r.get("spread", 0) / 2, r["median"] / 10)) for sign in (-1, 1))
            for r in rows]
    bars = [[abs(m - e[0]) for m, e in zip(middle, ends)], [abs(e[1] - m) for m, e in zip(middle, ends)]]
    line, _, _ = axes.errorbar(sizes, middle, yerr=bars, marker="o", markersize=3.5, linewidth=1.6, elinewidth=1, capsize=2.5,
                               label=label)
    beside = [r for r in rows if r.get("reference_median")]
    if beside:
        axes.plot([r["size"] for r in beside], [value(r["size"], r["reference_median"]) for r in beside],
                  linestyle="--", linewidth=1, color=line.get_color())


def figures(records):
    """(file name, title, matplotlib figure) of each plot."""
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "upcr"  # the same figures, the same file
    for setting in ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color", "grid.color"):
        matplotlib.rcParams[setting] = TEXT
    matplotlib.rcParams["axes.prop_cycle"] = matplotlib.cycler(color=COLOURS)
    from matplotlib.figure import Figure

    kinds = (("latency", "time of one operation [us]", lambda size, t: t * 1e6),
             ("bandwidth", "bandwidth [GB/s]", lambda size, t: size / t / 1e9))
    for theme, lines in series(records).items():
        for kind, axis, value in kinds:
            if kind == "bandwidth" and theme in NO_BANDWIDTH:
                continue
            figure = Figure(figsize=(7.5, 5), layout="tight", facecolor="white")
            axes = figure.subplots()
            for label, rows in sorted(lines.items()):
                draw(axes, label, rows, value)
            axes.set_xscale("log", base=2)
            axes.set_yscale("log")
            axes.set_xlabel("bytes")
            axes.set_ylabel(axis)
            axes.set_title(f"{theme}: {kind} (dashed: the reference)", fontsize=11)
            axes.grid(True, which="major", alpha=0.25)
            axes.legend(fontsize=8, ncols=2, framealpha=0, loc="upper left", bbox_to_anchor=(0, -0.14))
            yield re.sub(r"\W+", "-", f"{theme} {kind}".lower()), f"{theme}: {kind}", figure


def svg(figure):
    """The picture as an element for a page: without the XML head and a background, in the page's colour of text."""
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None}, transparent=True)
    text = out.getvalue()
    return text[text.index("<svg"):].replace(TEXT, "currentColor")
