# SPDX-License-Identifier: BSD-3-Clause
"""The part of bench/run about what upcc costs beside the C compiler: heat.upc checked beside cc -E of it, and compiled
beside the same computation in plain C. Processor time, so that other load disturbs little."""
import pathlib
import statistics
import tempfile

from .loops import processor_time

# upcc -c may take this many times what the C compiler takes for plain C, and a constant time (targets.json) more.
COMPILE_FACTOR = 1.3


def record(name, reference, pairs, factor):
    """From pairs of seconds: of upcc, and of the reference."""
    more = sorted(own - factor * other for own, other in pairs)
    return {"name": name, "size": 0, "conduit": "smp", "ranks": 1, "reference": reference,
            "median": statistics.median(own for own, _ in pairs),
            "reference_median": statistics.median(other for _, other in pairs),
            "difference": statistics.median(more), "difference_spread": more[3 * len(more) // 4] - more[len(more) // 4]}


def compiling(c):
    upcc, heat = c.program("upcc"), c.source / "docs" / "examples" / "heat"
    options = c.call([upcc, "--front-end"])[1].split()
    with tempfile.TemporaryDirectory(prefix="upcr-compiling-") as folder:
        out = pathlib.Path(folder) / "out"
        checks, compilations = [], []
        for _ in range(3 if c.quick else 15):
            if c.seconds_left() < 10 and checks:
                break
            checks.append((processor_time(c, [upcc, "-fsyntax-only", heat / "heat.upc"]),
                           processor_time(c, ["cc", "-E", "-x", "c", *options, heat / "heat.upc", "-o", out])))
            compilations.append((processor_time(c, [upcc, "-c", heat / "heat.upc", "-o", out]),
                                 processor_time(c, ["cc", "-O2", "-c", heat / "heat_pthreads.c", "-o", out])))
    return [record("upcc_check", "cc -E", checks, 1),
            record("upcc_compile", f"cc -O2 -c of the C, {COMPILE_FACTOR} times", compilations, COMPILE_FACTOR)]
