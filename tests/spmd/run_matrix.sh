#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run_matrix.sh UPCRUN PROGRAM "THREADS..." [UPCRUN-OPTION...]: runs PROGRAM with each number of UPC threads
# and stops at the first that fails. Output of successful runs is an error too: the runtime is silent. An
# option N stands for that number.
set -u
upcrun=$1 program=$2 counts=$3
shift 3
for n in $counts; do
    options=()
    for option in "$@"; do
        [ "$option" = N ] && option=$n
        options+=("$option")
    done
    output=$("$upcrun" -n "$n" "${options[@]}" --timeout 280 "$program" 2>&1)
    status=$?
    if [ $status -ne 0 ] || [ -n "$output" ]; then
        printf '%s\n' "$output"
        echo "FAILED: $n UPC threads, options '$*', UPCR_PSHM=${UPCR_PSHM:-}: status $status"
        exit 1
    fi
done
