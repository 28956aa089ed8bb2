#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh UPCRUN PROGRAM "NODES...": runs PROGRAM with each number of nodes and stops at the first that fails. Output
# of successful runs is an error too.
set -u
upcrun=$1 program=$2 counts=$3
for n in $counts; do
    output=$("$upcrun" -n "$n" --timeout 280 "$program" 2>&1)
    status=$?
    if [ $status -ne 0 ] || [ -n "$output" ]; then
        printf '%s\n' "$output"
        echo "FAILED: $n nodes, UPCR_PSHM=${UPCR_PSHM:-}: status $status"
        exit 1
    fi
done
