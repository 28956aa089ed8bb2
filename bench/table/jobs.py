# SPDX-License-Identifier: BSD-3-Clause
"""The parts of bench/run that are not upcr_perf: start, end and memory of jobs (bench/job), micro, examples, scale."""
import json

from .runner import SKIPPED_BY_QUICK, NotMeasured, lines_of_json, read_records

EXAMPLES = ("stream", "heat", "sort", "gups", "uts")
EXAMPLE_SECONDS = 8  # at least, for each program and its arguments: there are 15
MIN_FREE = 2 << 30  # with less, a heap of 90 % leaves too little for other programs


def hello(c):
    _, out = c.call([c.program("upcr_start_end"), "--rounds", 15 if c.quick else 100, c.program("upcrun"), "-n", 2,
                     c.program("upcr_hello")])
    record = {"name": "hello", "size": 0, "conduit": "smp", "ranks": 2, "reference": "/bin/true, twice", **json.loads(out)}
    return [record]


def many_processes(c):
    """A hello of many processes, a heap of 1 MiB each: what grows with their number, and with its square."""
    records = []
    for n in (64,) if c.quick else (256, 512, 1024):
        _, out = c.call([c.program("upcr_start_end"), "--rounds", 1, c.program("upcrun"), "-n", n, c.program("upcr_hello")],
                        {"UPC_SHARED_HEAP_SIZE": "1MB"})
        records.append({"name": f"hello_{n}", "size": 0, "conduit": "smp", "ranks": n, "reference": "/bin/true, twice",
                        **json.loads(out)})
    return records


def memory(c):
    """The largest resident set of the processes, and that of a C program that does nothing."""
    def largest(job):
        return max(lines_of_json(c.call([*job])[1]), key=lambda line: line["rss"])
    upcrun, program = c.program("upcrun"), c.program("upcr_footprint")
    plain = largest([c.program("plain_footprint")])
    records = []
    for name, arguments in (("rss_processes", []), ("rss_pthreads", ["--pthreads", 4])):
        line = largest([upcrun, "-n", 4, *arguments, program])
        note = (f"{line['anon']} KiB its own, {line['file']} of programs and libraries, {line['shmem']} shared with "
                f"neighbours; {line['pss']} when shared pages are divided; a plain C program has {plain['rss']}")
        records.append({"name": name, "size": 64 << 20, "conduit": "smp", "ranks": 1 if arguments else 4, "kib": line["rss"],
                        "note": note})
    return records


def available():
    with open("/proc/meminfo") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return 0


def largest_heap(c):
    """Requests more memory than there is, so that the runtime uses all that it can get; every page is written and read."""
    if c.quick:
        return {"why_not": SKIPPED_BY_QUICK}
    free = available()
    if free < MIN_FREE:
        return {"why_not": f"only {free >> 20} MiB of memory are free"}
    env = {"UPC_SHARED_HEAP_SIZE": f"{free >> 20}MB", "UPC_SIZE_WARN": "no", "UPC_REQUIRE_SHARED_SIZE": "no"}
    status, out = c.call([c.program("upcrun"), "-n", 2, c.program("upcr_volume"), 0], env, may_fail=True)
    lines = lines_of_json(out)
    if status != 0 or not lines:
        return {"fraction": 0.0, "note": f"the job ended with status {status}"}
    return {"fraction": lines[0]["bytes"] / free, "note": f"{lines[0]['bytes'] >> 20} of {free >> 20} MiB, 2 processes"}


def threads(c, arguments):
    """How many of 256 threads read what their neighbours wrote."""
    env = {"UPC_SHARED_HEAP_SIZE": "1MB"}
    status, out = c.call([c.program("upcrun"), "-n", 256, *arguments, c.program("upcr_volume"), 65536], env, may_fail=True)
    lines = lines_of_json(out)
    return {"right": lines[0]["right"] if lines and status == 0 else 0, "note": "" if status == 0 else f"status {status}"}


def volume(c):
    head = {"size": 0, "conduit": "smp"}
    return [{"name": "largest_heap", "ranks": 2, **head, **largest_heap(c)},
            {"name": "threads_as_pthreads", "ranks": 1, **head, **threads(c, ["--pthreads", 256])},
            {"name": "threads_as_processes", "ranks": 256, **head, **threads(c, [])}]


def micro(c):
    """Google Benchmark's own report; no targets."""
    file = c.json_file().with_suffix(".benchmark.json")
    c.call([c.program("upcr_micro"), f"--benchmark_min_time={0.005 if c.quick else 0.05}", f"--benchmark_out={file}",
            "--benchmark_out_format=json"])
    with open(file) as report:
        found = json.load(report)["benchmarks"]
    return [{"name": "micro_" + b["name"].replace("/", "_"), "size": 0, "conduit": "smp", "ranks": 1,
             "median": b["real_time"] * 1e-9, "spread": 0} for b in found if b.get("time_unit") == "ns"]


def examples(c):
    """One program after another, so that a time limit does not lose the earlier ones. On a slow machine one triple of a
    row's programs takes longer than EXAMPLE_SECONDS, and where it is steady there is no other."""
    program = c.source / "bench" / "examples"
    if not program.is_file():
        raise NotMeasured("bench/examples is not there")
    records = []
    for name in EXAMPLES:
        file = c.json_file()
        try:
            c.call([program, "--build", c.build, "--json", file, "--quick",
                    "--seconds", 0 if c.quick else EXAMPLE_SECONDS, "--rows", f"example_{name}"])
            records += read_records(file)
        except NotMeasured as e:
            records += [{"name": f"example_{name}_{kind}", "size": 0, "conduit": "smp", "ranks": 2, "why_not": f"{name}: {e}"}
                        for kind in ("shared_incache", "shared_outofcache", "local_incache", "mpi_fine")]
    return records


def scale(c):
    """The figures are in the simulation's file; the table shows whether all of them grow as their algorithms promise."""
    file = c.json_file()
    most = 256 if c.quick else 65536
    status, out = c.call([c.program("upcr_scale"), "--ranks", f"2..{most}", "--json", file, "--check"], may_fail=True)
    if status not in (0, 1) or not file.exists():
        raise NotMeasured(f"upcr_scale ended with status {status}; scale.log has its output")
    grown = [line for line in out.splitlines() if " yes: " in line or " NO: " in line]
    bad = [line.split(" NO:")[0].strip() for line in grown if " NO: " in line]
    if not grown:
        raise NotMeasured("upcr_scale printed nothing about growth")
    note = f"{len(grown) - len(bad)} of {len(grown)} figures, to {most} ranks" + (f"; not: {', '.join(bad)}" if bad else "")
    return [{"name": "scale_growth", "size": 0, "conduit": "modelled", "ranks": most, "right": 0 if status else 1,
             "note": note}]
