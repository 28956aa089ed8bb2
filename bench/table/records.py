# SPDX-License-Identifier: BSD-3-Clause
"""Records: the measurements of the programs of bench/, one dictionary for each row. bench/run and bench/report read
them here.

A file is a list of records, or a run of bench/run: {"parts": [...], "results": [...]}. A record has name, size, conduit,
ranks and either median, spread, ratio, ratio_spread, reference, reference_median, or why_not. Times are in seconds;
records with a unit ("MB/s") are rates, where more is better. bench/run adds the part it comes from.
"""
import json
import re


def load(path):
    """(records, parts) of a file; parts is empty where the file is not a run of bench/run."""
    with open(path) as file:
        data = json.load(file)
    if isinstance(data, list):
        return data, []
    results = data.get("results")
    if not isinstance(results, list):
        raise ValueError(f"{path}: neither a list of records nor an object with \"results\"")
    return results, data.get("parts", [])


def machines(path):
    """The machines of a file: that of a run, or the models that records name. Dictionaries (machine.py)."""
    with open(path) as file:
        data = json.load(file)
    if isinstance(data, list):
        return [{"processor": cpu} for cpu in sorted({r["cpu"] for r in data if r.get("cpu")})]
    machine = data.get("machine", {})
    return [machine] if machine.get("processor") else []


def machine_text(machine):
    """"MODEL, 2 cores"."""
    return machine["processor"] + (f", {machine['cores']} cores" if "cores" in machine else "")


def measured(record):
    return "why_not" not in record


def is_rate(record):
    return "unit" in record


def key(record):
    """The fields by which two records are the same row."""
    return (*(record.get(k, "") for k in ("part", "name", "size", "conduit", "ranks", "reference")), chosen(record))


def chosen(record):
    """What the user of upcr_perf has chosen for this row: ", 2 pairs, window 64, both ways"."""
    pairs = record.get("pairs", 1)
    return ((f", {pairs} pairs" if pairs > 1 else "") + (f", window {record['window']}" if "window" in record else "")
            + (", both ways" if record.get("bidirectional") else ""))


def family(name):
    """The name without its size: mpi_put of mpi_put_64k."""
    return re.sub(r"_\d+[km]?(?=_|$)", "", name)


def seconds(value):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if abs(value) >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def size_text(size):
    for unit, scale in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= scale and size % scale == 0:
            return f"{size // scale} {unit}"
    return f"{size} B"
