# SPDX-License-Identifier: BSD-3-Clause
"""The parts of bench/run: each is one configuration of a job, with its time limit in seconds. Its function gets the
Context and returns records, or raises NotMeasured."""
import dataclasses
import os
import shutil
import typing

from . import compiling, jobs, loops, observing
from .runner import Context, NotMeasured, read_records

COLLECTIVES = ("broadcast", "reduce", "exchange", "gather_all")
MPI_ENV = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
           "OMPI_MCA_rmaps_base_oversubscribe": "1"}
# For more processes than cores: bound to cores, or without yielding, Open MPI takes seconds where microseconds suffice.
OVERSUBSCRIBED_MPI_ENV = {"OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_mpi_yield_when_idle": "1"}


@dataclasses.dataclass
class Part:
    name: str
    title: str
    budget: float  # seconds at most
    measure: typing.Callable[[Context], list]


def burst_options(c, triples):
    return ["--triples", 3 if c.quick else triples, *(["--burst-us", 500] if c.quick else [])]


def row_options(c, program, names, env=None, before=()):
    """-t NAME for those of the names that the program has; the others are missing rows, not errors."""
    try:
        _, text = c.call([*before, program, "--list"], env, seconds=10)
    except NotMeasured:
        return [w for n in names for w in ("-t", n)]
    there = {line.split()[0] for line in text.splitlines() if line.split()}
    have = [n for n in names if n in there]
    if not have:
        raise NotMeasured(f"{os.path.basename(program)} has no row {' or '.join(names)} there")
    return [w for n in have for w in ("-t", n)]


def perf(c, job, names=(), triples=25, program="upcr_perf", env=None, before=(), wrapper=()):
    """Records of upcr_perf, or of gasnet_perf, under upcrun with the arguments `job`. Each process is started by
    `wrapper`."""
    upcrun = [*before, c.program("upcrun"), *job]
    which = row_options(c, c.program(program), names, env, before=upcrun) if names else []
    file = c.json_file()
    c.call([*upcrun, *wrapper, c.program(program), *which, *burst_options(c, triples), "--json", file], env)
    return read_records(file)


def smp2(c):
    return perf(c, ["-n", 2], triples=25)


def gasnet2(c):
    """Calls of gasnet.h, among them active messages and copies of pieces that are not contiguous."""
    return perf(c, ["-n", 2], triples=25, program="gasnet_perf")


def neighbours_over_mpi(c):
    """Messages between processes of one host in a job whose network is MPI: they go as over smp."""
    return perf(c, ["--conduit", "mpi", "-n", 2], ["am_short", "am_medium"], program="gasnet_perf", env=MPI_ENV)


def both(first, second):
    """Records of two programs; if one cannot be measured, those of the other are kept."""
    def measure(c):
        records, reasons = [], []
        for program in (first, second):
            try:
                records += program(c)
            except NotMeasured as e:
                records += e.records
                reasons.append(str(e))
        if reasons:
            raise NotMeasured("; ".join(dict.fromkeys(reasons)), records)
        return records
    return measure


def on_one_core(names, program):
    def measure(c):
        if not shutil.which("taskset"):
            raise NotMeasured("there is no taskset (util-linux)")
        core = min(os.sched_getaffinity(0))
        return perf(c, ["-n", 2], names, program=program, before=["taskset", "-c", core])
    return measure


def pairs_on_cpus():
    """What starts a process of Open MPI's so that both processes of a pair, 0 and 1, 2 and 3, share a CPU. Otherwise the
    kernel sometimes puts both processes that copy on the same CPU, which doubles the time of MPI or of upcr."""
    if not shutil.which("taskset"):
        raise NotMeasured("there is no taskset (util-linux)")
    cpus = sorted(os.sched_getaffinity(0))
    pair = f"$((${{OMPI_COMM_WORLD_RANK:?}} / 2 % {len(cpus)}))"
    cpu = " ".join(f"{i}) cpu={n};;" for i, n in enumerate(cpus))
    return "/bin/sh", "-c", f'case {pair} in {cpu} esac; exec taskset -c "$cpu" "$@"', "sh"


def more_processes(n):
    return lambda c: perf(c, ["-n", n], ["barrier"], triples=15)


def crowd(c):
    """Several client threads in each node, which the program starts itself."""
    file = c.json_file()
    c.call([c.program("upcrun"), "-n", 2, c.program("gasnet_perf_par"), "--threads", 2, "-t", "am_short_crowd",
            *burst_options(c, 25), "--json", file])
    return read_records(file)


def threads2x2(c):
    return perf(c, ["-n", 4, "--pthreads", 2], ["barrier", "put", "get"])


def collectives(library, ranks):
    """Both upcr's and MPI's in the same processes: mpirun starts them, and upcr's conduit is smp."""
    def measure(c):
        mpirun = shutil.which(f"mpirun.{library}")
        if not mpirun:
            raise NotMeasured(f"there is no mpirun.{library}")
        job = [mpirun, *(["-bind-to", "core"] if library == "mpich" and ranks == 2 else []), "-n", ranks]
        env = dict(MPI_ENV, UPCR_CONDUIT="smp", **(OVERSUBSCRIBED_MPI_ENV if ranks > 2 else {}))
        program = c.program(f"upcr_perf_{library}")
        which = row_options(c, program, COLLECTIVES, env, before=job)
        file = c.json_file()
        c.call([*job, program, *which, *burst_options(c, 25), "--json", file], env)
        return read_records(file)
    return measure


def beside_mpi(library, ranks):
    names = ["mpi_put", "mpi_get", "mpi_put_64k", "mpi_put_1m", "mpi_put_4m", "mpi_get_64k", "mpi_get_1m"]

    def rows(program, which):
        def measure(c):
            env = dict(MPI_ENV, UPCR_PSHM="no", **(OVERSUBSCRIBED_MPI_ENV if ranks > 2 else {}))
            pinned = library == "openmpi" and len(os.sched_getaffinity(0)) < ranks  # MPICH waits without yielding
            return perf(c, ["--conduit", "mpi", "-n", ranks], which, triples=9, program=f"{program}_{library}",
                        env=dict(env, UPCR_MPI_LIBRARY=library), wrapper=pairs_on_cpus() if pinned else ())
        return measure
    return both(rows("upcr_perf", names), rows("gasnet_perf", ["mpi_am_short"]))


def scattered_beside_mpi(library):
    """Non-contiguous copies over conduit mpi, beside a client that packs, sends and unpacks."""
    names = ["mpi_strided_put", "mpi_strided_get", "mpi_indexed_put", "mpi_indexed_get", "mpi_indexed_lists",
             "mpi_vector_put", "mpi_vector_get", "mpi_vector_put_one", "mpi_vector_get_one",
             *(f"mpi_{name}_addressed" for name in ("indexed_put", "indexed_get", "indexed_lists", "vector_put",
                                                    "vector_get", "vector_get_one"))]

    def measure(c):
        env = dict(MPI_ENV, UPCR_PSHM="no")
        return perf(c, ["--conduit", "mpi", "-n", 2], names, triples=9, program=f"upcr_perf_{library}", env=env)
    return measure


def beside_verbs(ranks, names, name="upcr_perf_ibv"):
    """In a guest with a software device: this machine's own, where it has one, is for `upcrun --conduit ibv`."""
    def measure(c):
        program, upcrun = c.program(name), c.program("upcrun")
        file = c.json_file()
        which = [w for n in names for w in ("-t", n)]
        job = [upcrun, "--conduit", "ibv", "-n", ranks, "--timeout", int(c.seconds_left())]
        status, out = c.call([c.source / "tools" / "rdma-vm", "--rw", c.out, "--", "env", "UPCR_PSHM=no", *job, program, *which,
                              "--triples", 1 if c.quick else 5, "--burst-us", 200 if c.quick else 3000, "--json", file],
                             may_fail=True)
        if status == 77:
            skipped = [l for l in (out + (c.out / f"{c.part}.log").read_text()).splitlines() if l.startswith("SKIP")]
            raise NotMeasured(skipped[-1] if skipped else "no guest can run here")
        if status != 0 or not file.exists():
            raise NotMeasured(f"the guest's job ended with status {status}; {c.part}.log has its output")
        return read_records(file)
    return measure


def beside_libfabric(c):
    """Over TCP, on the loopback interface."""
    names = ["ofi_put", "ofi_get", "ofi_fetch_add", "ofi_memput_64", "ofi_memput_512", "ofi_memput_4k", "ofi_put_64k",
             "ofi_get_64k", "ofi_put_1m", "ofi_get_1m", "ofi_put_4m", "ofi_get_4m"]
    return perf(c, ["--conduit", "ofi", "-n", 2], names, triples=9, program="upcr_perf_ofi",
                env={"UPCR_PSHM": "no", "FI_PROVIDER": "tcp"})


# In the order in which they run: the most important come first, since the last ones get the time that is left.
PARTS = (
    Part("smp2", "two processes on two cores", 130, smp2),
    Part("gasnet2", "calls of gasnet.h, two processes", 90, gasnet2),
    Part("gasnet2_over_mpi", "messages of two neighbours, conduit mpi", 30, neighbours_over_mpi),
    Part("onecore", "two processes on one core", 20,
         both(on_one_core(["barrier"], "upcr_perf"), on_one_core(["am_short"], "gasnet_perf"))),
    Part("smp4", "four processes", 20, more_processes(4)),
    Part("smp16", "sixteen processes", 30, more_processes(16)),
    Part("crowd2x2", "two processes of two pthreads", 35, both(threads2x2, crowd)),
    Part("hello", "start and end of a job", 15, jobs.hello),
    Part("many", "start and end of a job of many processes", 60, jobs.many_processes),
    Part("memory", "memory of a process", 10, jobs.memory),
    Part("volume", "largest heap, most threads", 90, jobs.volume),
    Part("coll2_openmpi", "collectives beside Open MPI's, 2", 40, collectives("openmpi", 2)),
    Part("coll2_mpich", "collectives beside MPICH's, 2", 40, collectives("mpich", 2)),
    Part("coll4_openmpi", "collectives beside Open MPI's, 4", 60, collectives("openmpi", 4)),
    Part("mpi2_openmpi", "conduit mpi over Open MPI, 2 processes", 40, beside_mpi("openmpi", 2)),
    Part("mpi2_mpich", "conduit mpi over MPICH, 2 processes", 40, beside_mpi("mpich", 2)),
    Part("scattered2_openmpi", "non-contiguous copies over Open MPI, 2 processes", 40, scattered_beside_mpi("openmpi")),
    Part("scattered2_mpich", "non-contiguous copies over MPICH, 2 processes", 40, scattered_beside_mpi("mpich")),
    Part("mpi4_openmpi", "conduit mpi over Open MPI, 4 processes", 50, beside_mpi("openmpi", 4)),
    Part("mpi4_mpich", "conduit mpi over MPICH, 4 processes", 50, beside_mpi("mpich", 4)),
    Part("ofi2", "conduit ofi over TCP, 2 processes", 40, beside_libfabric),
    Part("loops", "loops that upcc transforms", 60, loops.loops),
    Part("compiling", "upcc beside the C compiler", 30, compiling.compiling),
    Part("observing", "statistics and traces", 40, observing.observing),
    Part("examples", "programs beside the same in plain C", 225, jobs.examples),
    Part("scale", "simulated ranks", 100, jobs.scale),
    Part("ibv2", "conduit ibv in a guest, 2 processes", 150,
         beside_verbs(2, ["ibv_put", "ibv_get", "ibv_put_64k_seg", "ibv_get_64k_seg"])),
    Part("ibv2_am", "active messages over conduit ibv in a guest, 2 processes", 120,
         beside_verbs(2, ["ibv_am_short", "ibv_am_512", "ibv_am_4k"], "gasnet_perf_ibv")),
    Part("ibv4", "conduit ibv in a guest, 4 processes", 120, beside_verbs(4, ["ibv_put", "ibv_get"])),
    Part("micro", "single calls in one thread", 30, jobs.micro),
)
