#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# entry_barrier.sh UPCRUN PROGRAM "THREADS..." [UPCRUN-OPTION...]: no thread waits for one that computes
# between notify and wait, and a name that differs is found without it. No thread of the runtime's helps.
set -uo pipefail
upcrun=$1 program=$2 counts=$3
shift 3
export UPCR_PROGRESS_THREAD=no UPCR_BACKTRACE=no
board=$(mktemp) || exit 2
trap 'rm -f "$board"' EXIT

for n in $counts; do
    : >"$board"
    output=$("$upcrun" -n "$n" "$@" --timeout 250 "$program" "$board" 2>&1)
    status=$?
    if [ $status -ne 0 ] || [ -n "$output" ]; then
        printf '%s\n' "$output"
        echo "FAILED: $n UPC threads, options '$*', UPCR_PSHM=${UPCR_PSHM:-}: status $status"
        exit 1
    fi
done

: >"$board"
output=$("$upcrun" -n "${counts##* }" "$@" --timeout 100 "$program" "$board" mismatch 2>&1)
if [ $? -eq 0 ] || ! grep -q 'thread 0 is in barrier 5, thread 1 in barrier 9' <<<"$output"; then
    printf '%s\n' "$output"
    echo "FAILED: no mismatch was found while the thread that differs computes"
    exit 1
fi
