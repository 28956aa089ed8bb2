# SPDX-License-Identifier: BSD-3-Clause
"""What a run was measured on: CPU, cores, caches, memory, kernel, MPI, devices, load."""
import os
import pathlib
import platform
import re
import shutil
import subprocess

# Above this load a core other programs take part of the time, and figures are not judged.
MAX_LOAD = 0.5
CPU0 = pathlib.Path("/sys/devices/system/cpu/cpu0/cache")


def first_line(*command):
    """Of a command's output; empty without such a command."""
    if not shutil.which(command[0]):
        return ""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout.strip().splitlines() or [""])[0].strip()


def processor():
    with open("/proc/cpuinfo") as file:
        found = re.search(r"(?m)^model name\s*: (.*)$", file.read())
    return found.group(1).strip() if found else platform.machine()


def caches():
    """"L1d 32K, L2 1024K, L3 33792K (shared by 2)", of the first CPU."""
    found = []
    for index in sorted(CPU0.glob("index*")):
        level, kind, size, shared = (read(index / name) for name in ("level", "type", "size", "shared_cpu_list"))
        if kind == "Instruction" or not size:
            continue
        name = f"L{level}" + ("d" if kind == "Data" else "")
        others = sum(int(b or a) - int(a) + 1 for a, b in re.findall(r"(\d+)(?:-(\d+))?", shared))
        found.append(f"{name} {size}" + (f" (shared by {others})" if others > 1 else ""))
    return ", ".join(found)


def read(path):
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def devices():
    """RDMA devices with their drivers, and network interfaces with a driver."""
    rdma = sorted(d.name for d in pathlib.Path("/sys/class/infiniband").glob("*"))
    nets = sorted(f"{d.name} ({(d / 'device/driver').resolve().name})" for d in pathlib.Path("/sys/class/net").glob("*")
                  if (d / "device/driver").exists())
    return ", ".join([*(f"RDMA {d}" for d in rdma), *nets]) or "none"


def mpi():
    found = [first_line("mpirun", "--version"), first_line("mpichversion")]
    return ", ".join(re.sub(r"\s+", " ", f) for f in found if f) or "none"


def facts():
    memory = re.search(r"MemTotal:\s+(\d+) kB", pathlib.Path("/proc/meminfo").read_text())
    return {"processor": processor(), "cores": len(os.sched_getaffinity(0)), "caches": caches(),
            "memory": f"{int(memory.group(1)) / (1 << 20):.1f} GiB" if memory else "", "kernel": platform.release(),
            "mpi": mpi(), "devices": devices(), "load_before": os.getloadavg()[0]}


def too_busy(machine):
    """Why the figures of such a machine are not judged; None where they are."""
    load, cores = machine.get("load_before"), machine.get("cores")
    if not load or not cores or load / cores <= MAX_LOAD:
        return None
    return f"the load was {load:.1f} on {cores} cores before the run, more than {MAX_LOAD} a core"


def rows(machine):
    """(name, value) for the head of a page."""
    names = (("processor", "CPU"), ("cores", "cores"), ("caches", "caches"), ("memory", "memory"), ("kernel", "kernel"),
             ("mpi", "MPI"), ("devices", "devices"), ("load_before", "load before"))
    return [(name, f"{machine[key]:.2f}" if key == "load_before" else str(machine[key]))
            for key, name in names if machine.get(key) not in (None, "")]
