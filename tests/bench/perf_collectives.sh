#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# perf_collectives.sh UPCR_PERF_WITH_MPI MPIRUN PYTHON: started by mpirun with conduit smp, every collective has
# MPI's as its reference.
set -euo pipefail
perf=$1 mpirun=$2 python=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 UPCR_CONDUIT=smp
rows=(broadcast:8 scatter:1024 gather:8 gather_all:1024 exchange:8 reduce:1024 reduce_all:8 broadcast_allsync:1024)
wanted=()
for row in "${rows[@]}"; do wanted+=(-t "$row"); done
"$mpirun" -n 2 "$perf" "${wanted[@]}" --triples 1 --burst-us 50 --json "$work/report" >"$work/out"
"$python" - "$work/report" "${rows[@]}" <<'END'
import json, sys
MPI = {"broadcast": "MPI_Bcast", "scatter": "MPI_Scatter", "gather": "MPI_Gather", "gather_all": "MPI_Allgather",
       "exchange": "MPI_Alltoall", "reduce": "MPI_Reduce", "reduce_all": "MPI_Allreduce"}
records = json.load(open(sys.argv[1]))
assert sorted(f'{r["name"]}:{r["size"]}' for r in records) == sorted(sys.argv[2:]), records
for r in records:
    assert r["conduit"] == "smp" and r["ranks"] == 2, r
    assert r["reference"] == MPI[r["name"].removesuffix("_allsync")], r
    assert r["median"] > 0 and r["reference_median"] > 0 and r["ratio"] > 0, r
END
echo "all collectives beside MPI's can be read"
