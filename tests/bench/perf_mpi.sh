#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# perf_mpi.sh UPCRUN UPCR_PERF_WITH_MPI MPIRUN MPI_RAW PYTHON GASNET_PERF_WITH_MPI: the rows beside MPI have complete records, and the
# program with MPI alone runs.
set -euo pipefail
upcrun=$1 perf=$2 mpirun=$3 raw=$4 python=$5 gasnet_perf=$6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
# measure PROGRAM PROCESSES ROW...
measure() {
    local program=$1 processes=$2 row wanted=()
    shift 2
    for row in "$@"; do wanted+=(-t "$row"); done
    "$upcrun" --conduit mpi -n "$processes" --timeout 240 "$program" "${wanted[@]}" --triples 1 --burst-us 50 \
        --json "$work/report" >"$work/out"
    "$python" - "$work/report" "$processes" "$@" <<'END'
import json, sys
records, processes = json.load(open(sys.argv[1])), int(sys.argv[2])
assert [r["name"] for r in records] == sys.argv[3:], records
for r in records:
    assert r["conduit"] == "mpi" and r["ranks"] == processes and r["reference"].startswith("MPI_Send"), r
    assert r["median"] > 0 and r["spread"] >= 0 and r["reference_median"] > 0 and r["ratio"] > 0 and r["size"] >= 8, r
END
}
measure "$gasnet_perf" 2 mpi_am_short
measure "$perf" 2 mpi_put mpi_get mpi_put_64k mpi_get_64k mpi_put_1m mpi_get_1m mpi_put_4m mpi_get_4m
# Non-contiguous copies: each row in three sizes.
scattered=(mpi_strided_put mpi_strided_get mpi_indexed_put mpi_indexed_get mpi_indexed_lists
    mpi_vector_put mpi_vector_get mpi_vector_put_one mpi_vector_get_one
    mpi_{indexed_put,indexed_get,indexed_lists,vector_put,vector_get,vector_get_one}_addressed)
wanted=()
for row in "${scattered[@]}"; do wanted+=(-t "$row"); done
"$upcrun" --conduit mpi -n 2 --timeout 240 "$perf" "${wanted[@]}" --triples 1 --burst-us 50 --json "$work/report" >"$work/out"
"$python" - "$work/report" "${scattered[@]}" <<'END'
import json, sys
records = json.load(open(sys.argv[1]))
assert sorted((r["name"], r["size"]) for r in records) == sorted((n, s) for n in sys.argv[2:] for s in (8, 64, 1024)), records
for r in records:
    assert r["conduit"] == "mpi" and r["ranks"] == 2 and r["reference"] == (
        "the same with addresses" if r["name"].endswith("_addressed") else "pack, MPI_Send, unpack"), r
    assert r["median"] > 0 and r["reference_median"] > 0 and r["ratio"] > 0, r
END
# Two pairs at once. MPICH does not yield: four of its processes on two CPUs take minutes.
if [[ $perf == *openmpi* ]]; then
    OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1 measure "$perf" 4 mpi_put
fi

"$mpirun" -n 2 "$raw" >"$work/out"
for word in "round trip" "65536 bytes" "1048576 bytes" "4194304 bytes"; do grep -q "$word" "$work/out"; done
echo "all rows beside MPI can be read"
