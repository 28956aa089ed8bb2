# SPDX-License-Identifier: BSD-3-Clause
"""The part of bench/run about the cost of statistics and traces: bench/observe/traffic.upc compiled without them, and with
upcc --stats while it counts, in turns. Local accesses by what they take longer, messages by the ratio."""
import pathlib
import statistics
import tempfile

from .runner import lines_of_json

PLAIN = "the same without --stats"


def measured(c, program, env):
    """{name: seconds} of one job."""
    _, out = c.call([c.program("upcrun"), "-n", 2, program], {"UPCR_PSHM": "no", **env})
    return {line["name"]: line["ns"] * 1e-9 for line in lines_of_json(out)}


def spread(values):
    values = sorted(values)
    return values[3 * len(values) // 4] - values[len(values) // 4]


def record(name, pairs, figure, value):
    """`pairs`: of seconds, observed and plain, one after the other."""
    found = [value(observed, plain) for observed, plain in pairs]
    return {"name": name, "size": 8, "conduit": "smp", "ranks": 2, "reference": PLAIN,
            "median": statistics.median(o for o, _ in pairs), "spread": spread([o for o, _ in pairs]),
            "reference_median": statistics.median(p for _, p in pairs),
            figure: statistics.median(found), f"{figure}_spread": spread(found)}


def observing(c):
    source = c.source / "bench" / "observe" / "traffic.upc"
    with tempfile.TemporaryDirectory(prefix="upcr-observing-") as folder:
        plain, counted = pathlib.Path(folder) / "plain", pathlib.Path(folder) / "counted"
        c.call([c.program("upcc"), "-O2", "--opt=0", "-o", plain, source])
        c.call([c.program("upcc"), "-O2", "--stats", "-o", counted, source])
        trace = {"UPCR_TRACE": str(pathlib.Path(folder) / "trace.json"), "UPCR_TRACE_EVENTS": "10000"}
        rounds = {"counting": [], "recording": []}
        for _ in range(2 if c.quick else 11):
            if rounds["counting"] and c.seconds_left() < 8:
                break
            beside = measured(c, plain, {})
            rounds["counting"].append((measured(c, counted, {"UPCR_STATS": str(pathlib.Path(folder) / "s.json")}), beside))
            beside = measured(c, plain, {})
            rounds["recording"].append((measured(c, counted, trace), beside))
    records = []
    for way, found in rounds.items():
        for name in found[0][0]:
            pairs = [(observed[name], plain[name]) for observed, plain in found]
            local = name.startswith("local")
            records.append(record(f"{way}_{name}", pairs, "difference" if local else "ratio",
                                  (lambda o, p: o - p) if local else (lambda o, p: o / p)))
    return records
