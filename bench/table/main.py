# SPDX-License-Identifier: BSD-3-Clause
"""bench/run after the build: runs the parts one after another, each within its time limit, prints the table, and writes
JSON and the page. Called by bench/run only."""
import argparse
import json
import pathlib
import subprocess
import sys
import time

from . import machine, verdicts
from . import parts as all_parts
from .runner import SKIPPED_BY_QUICK, Context, NotMeasured

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent


def parse():
    names = [p.name for p in all_parts.PARTS]
    parser = argparse.ArgumentParser(prog="bench/run", description="Measures everything, each part within its time limit.")
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--json-dir", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", action="append", choices=names, metavar="PART")
    parser.add_argument("--seconds", type=float, default=900, help="time limit of all parts together")
    return parser.parse_args()


def measure(part, c, ends):
    """The part's entry in results.json, and its records."""
    started = time.monotonic()
    c.part, c.files, c.ends = part.name, 0, min(started + part.budget, ends)
    (c.out / f"{part.name}.log").unlink(missing_ok=True)
    about = {"name": part.name, "title": part.title}
    records = []
    try:
        records = part.measure(c)
    except NotMeasured as e:
        about["why_not"], records = str(e), e.records
    except (OSError, ValueError, KeyError) as e:
        about["why_not"] = f"its output cannot be read: {e!r}"
    about["seconds"] = round(time.monotonic() - started, 1)
    for r in records:
        r["part"] = part.name
    print(f"{part.name:14} {about['seconds']:6.1f} s  {len(records):3} rows  {about.get('why_not', part.title)}", flush=True)
    return about, records


def main():
    o = parse()
    started = time.monotonic()
    out = o.json_dir or o.build / "results"
    out.mkdir(parents=True, exist_ok=True)
    c = Context(build=o.build.resolve(), source=SOURCE, out=out.resolve(), quick=o.quick)
    run = {"machine": machine.facts(), "quick": o.quick, "when": time.strftime("%Y-%m-%d %H:%M:%S %z"), "parts": [], "results": []}
    for part in all_parts.PARTS:
        if o.only and part.name not in o.only:
            continue
        about, records = measure(part, c, started + o.seconds)
        run["parts"].append(about)
        run["results"] += records
        (out / "results.json").write_text(json.dumps(run, indent=1) + "\n")  # after each part, in case of an interruption
    why_not_judged = machine.too_busy(run["machine"])
    lines = verdicts.table(verdicts.load_targets(), run["results"], run["parts"], why_not_judged)
    if o.only:
        lines = [l for l in lines if l.part in o.only]
    print()
    print(verdicts.as_text(lines))
    if why_not_judged:
        print(f"\nnot judged: {why_not_judged}")
    print(f"\n{verdicts.counts(lines)}; {time.monotonic() - started:.0f} s; {out / 'results.json'}")
    page = subprocess.run([SOURCE / "bench" / "report", out / "results.json", "--html", out / "report.html"], check=False)
    if page.returncode != 0:
        print("bench/run: no page was made", file=sys.stderr)
    expected = (SKIPPED_BY_QUICK, verdicts.UNSTEADY) if o.quick else (SKIPPED_BY_QUICK,)  # few short bursts are often not steady
    unmeasured = [l for l in lines if l.verdict == verdicts.NOT_MEASURED and l.note not in expected]
    sys.exit(1 if unmeasured else 0)


if __name__ == "__main__":
    main()
