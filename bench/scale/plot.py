#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plots what upcr_scale has written: plot.py FILE.json OUT.svg

Four panels over the number of ranks: modelled time, packets of the busiest rank, bytes of all ranks, and
memory of one rank's part of the runtime."""
import json
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("plots need matplotlib (python3-matplotlib)")

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "upcr"  # equal records give equal files
matplotlib.rcParams["svg.fonttype"] = "none"
import matplotlib.pyplot as plt  # noqa: E402 (after the settings above)

OPS = ["barrier", "broadcast", "reduce", "lock", "connect"]


def per_rank(record):
    """The cost of a lock is shown for one acquisition."""
    return record["ranks"] if record["op"] == "lock" else 1


def panel(axes, title, unit, records, figure):
    for op in OPS:
        points = sorted((r["ranks"], figure(r)) for r in records if r["op"] == op)
        points = [(n, y) for n, y in points if y is not None]
        if points:
            axes.plot(*zip(*points), marker="o", markersize=3, label=op)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_title(title)
    axes.set_ylabel(unit)
    axes.set_xlabel("ranks")
    axes.grid(True, which="major", alpha=0.3)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        records = json.load(file)
    figure, axes = plt.subplots(2, 2, figsize=(11, 8), constrained_layout=True)
    network = records[0]["network"] if records else ""
    figure.suptitle(f"upcr_scale, network model {network} (lock: for each rank that gets it)")
    panel(axes[0][0], "modelled time", "microseconds", records, lambda r: r["time"] * 1e6 / per_rank(r))
    panel(axes[0][1], "packets sent by the busiest rank", "packets", records,
          lambda r: r["messages"] / r["ranks"] if r["op"] == "lock" else r["most_messages"])
    panel(axes[1][0], "bytes of all packets, for each rank", "bytes", records, lambda r: r["bytes"] / r["ranks"])
    memory = axes[1][1]
    for part, label in (("tables", "tables of all ranks"), ("heap", "heap"), ("shared", "shared memory touched")):
        points = sorted((r["ranks"], r["memory"][part]) for r in records if r["op"] == "barrier")
        if points:
            memory.plot(*zip(*points), marker="o", markersize=3, label=label)
    memory.set_xscale("log", base=2)
    memory.set_yscale("log")
    memory.set_title("memory of a rank after a barrier")
    memory.set_ylabel("bytes")
    memory.set_xlabel("ranks")
    memory.grid(True, which="major", alpha=0.3)
    memory.legend(fontsize=8)
    axes[0][0].legend(fontsize=8)
    figure.savefig(sys.argv[2], metadata={"Date": None} if sys.argv[2].endswith(".svg") else None)


if __name__ == "__main__":
    main()
