# SPDX-License-Identifier: BSD-3-Clause
"""The part of bench/run about loops that upcc transforms: their speed (bench/loops/loops.upc), and what they cost to compile."""
import pathlib
import resource
import statistics
import subprocess
import tempfile

from .runner import NotMeasured, lines_of_json

# Beside the flags of bench/examples, for the same reason: a loop that crosses a cache line is slower.
OPTIMISED = ["-O3", "-falign-loops=64"]
PLAIN, COPIES = "plain C loop at -O3", "upc_memget and upc_memput"
EXAMPLES = ("gups", "heat", "matmul", "sort", "stream", "uts")


def speed(c):
    folder = tempfile.mkdtemp(prefix="upcr-loops-")
    program = pathlib.Path(folder) / "loops"
    try:
        c.call([c.program("upcc"), *OPTIMISED, c.source / "bench" / "loops" / "loops.upc", "-o", program])
        records = []
        for arguments, env, conduit, reference in (("mapped", {}, "smp", PLAIN), ("apart", {"UPCR_PSHM": "no"}, "mpi", COPIES)):
            try:
                _, out = c.call([c.program("upcrun"), "--conduit", conduit, "-n", 2, program, arguments], env)
                records += [{"size": 65536, "conduit": conduit, "ranks": 2, "reference": reference, **line}
                            for line in lines_of_json(out)]
            except NotMeasured as e:
                names = ("read", "write") if arguments == "apart" else ("triad_blocked", "triad_cyclic", "stencil")
                records += [{"name": f"loop_{n}{'_apart' if arguments == 'apart' else ''}", "size": 65536, "conduit": conduit,
                             "ranks": 2, "why_not": str(e)} for n in names]
        return [r if r.get("kept", 1) else {**r, "why_not": "its reference was never steady"} for r in records]
    finally:
        program.unlink(missing_ok=True)
        pathlib.Path(folder).rmdir()


def many_loops():
    """About 2,000 lines: 74 functions, in each two loops over shared arrays of six kinds, and two private ones."""
    kinds = ["upc_forall (i = 0; i < N * THREADS; i++; &a[i])\n        a[i] = b[i] + 3 * c[i];",
             "upc_forall (i = 0; i < n; i++; i)\n        ca[i] = cb[i] * s;",
             "for (i = 0; i < n; i++) {\n        s += p[i] * q[i];\n    }",
             "for (i = 1; i < n - 1; i++) {\n        double v = 0.25 * (p[i - 1] + p[i + 1] + q[i]);\n        p[i] = v;\n"
             "        s += v;\n    }",
             "for (i = 0; i < n; i++)\n        if (w[i] > n) count++;",
             "for (i = 0; i < n; i++) {\n        items[i].x = items[i].k * s;\n        items[i].k++;\n    }"]
    text = ["#include <stdio.h>\n#include <upc.h>\n#define N 1000\nshared [N] double a[N * THREADS], b[N * THREADS], "
            "c[N * THREADS];\nshared double ca[N * THREADS], cb[N * THREADS];\nshared [] int w[N];\n"
            "struct item { int k; double x; };\nshared [N] struct item items[N * THREADS];\n"]
    for k in range(74):
        text.append(f"""
double work{k}(int n, shared [] double *p, shared [] double *q, double *mine) {{
    int i, count = 0, hits[16] = {{0}};
    double s = {k}.5, largest = 0;
    for (i = 0; i < n; i++) {{
        if (mine[i] > largest)
            largest = mine[i];
        hits[(int)mine[i] & 15]++;
    }}
    {kinds[k % 6]}
    if (largest > 4) {{
        printf("%g of %d\\n", largest, n);
        count += hits[3];
    }}
    {kinds[(k // 6 + k + 1) % 6]}
    upc_barrier;
    for (i = 0; i < 16; i++)
        count += hits[i] * i;
    if (MYTHREAD == 0 && count > n)
        p[3 + {k}] = s;
    return s + count;
}}
""")
    return "".join(text)


def processor_time(c, command):
    """Seconds, of the command and what it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    if subprocess.run([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
        raise NotMeasured(f"{' '.join(map(str, command))} fails")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compilation(c):
    """upcc -c with --opt=2 by --opt=0, in turns."""
    rounds = 1 if c.quick else 5
    records = []
    with tempfile.TemporaryDirectory(prefix="upcr-loops-") as folder:
        many = pathlib.Path(folder) / "many.upc"
        many.write_text(many_loops())
        examples = [c.source / "docs" / "examples" / name / f"{name}.upc" for name in EXAMPLES]
        for name, sources in (("loop_compile_examples", examples), ("loop_compile_many", [many])):
            times = {0: [], 2: []}
            for _ in range(rounds):
                if times[2] and c.seconds_left() < 15:
                    break
                for level, found in times.items():
                    found.append(sum(processor_time(c, [c.program("upcc"), "-c", f"--opt={level}", source, "-o",
                                                        pathlib.Path(folder) / "out.o"]) for source in sources))
            ratios = sorted(two / zero for zero, two in zip(times[0], times[2]))
            records.append({"name": name, "size": 0, "conduit": "smp", "ranks": 1, "reference": "upcc -c --opt=0",
                            "median": statistics.median(times[2]), "reference_median": statistics.median(times[0]),
                            "ratio": statistics.median(ratios), "ratio_spread": ratios[-1] - ratios[0]})
    return records


def loops(c):
    return speed(c) + compilation(c)
