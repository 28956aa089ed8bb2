#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# lost.sh UPCRUN PROGRAM: a process is killed while the others write to it, over each provider. The job ends at once, and
# the reason is reported once, with the rank.
set -u
upcrun=$1 program=$2
export UPCR_PSHM=no UPCR_BACKTRACE=no
for provider in tcp udp shm; do
    output=$(FI_PROVIDER=$provider "$upcrun" --conduit ofi -n 3 --timeout 60 "$program" 2>&1)
    status=$?
    printf '%s\n' "$output"
    [ $status = 137 ] || { echo "FAILED: over $provider the job ended with status $status"; exit 1; }
    [ "$(grep -c 'error:' <<<"$output")" = 1 ] || { echo "FAILED: over $provider not one error"; exit 1; }
    grep -q 'error: UPC thread 2 (rank 2, pid [0-9]*) was killed by signal 9' <<<"$output" ||
        { echo "FAILED: over $provider the error does not name the process"; exit 1; }
done
