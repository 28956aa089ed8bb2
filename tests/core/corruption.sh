#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# corruption.sh UPCRUN PROGRAM CONDUIT SAMPLE...: flips bits of packets (corruption.cpp). A sample is SCENARIO:BIT:WHAT.
# With UPCR_CHECKSUM=yes each one has to be an error that names both ranks, and no wrong data may be seen. Without it:
#   WHAT = wrong      the program gets wrong data, and no process reports it
#   WHAT = any        an error of another kind, or an accident: not run
# The first lines test that nothing is reported of packets that were not changed.
set -u
upcrun=$1 program=$2 conduit=$3
shift 3
# Without a window over the segments of MPI: there a put is no packet of upcr's.
export UPCR_PSHM=no UPCR_BACKTRACE=no UPCR_MPI_RMA=no
failed=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT

# run CHECKSUM SCENARIO BIT: output and status.
run() {
    UPCR_CHECKSUM=$1 "$upcrun" --conduit "$conduit" -n 2 --timeout 100 "$program" "$2" "$3" >"$out" 2>&1
    status=$?
}
complain() {
    echo "FAILED: $1"
    sed 's/^/  /' "$out"
    failed=1
}

run yes none 0
[ "$status" = 0 ] && ! grep -q corrupted "$out" || complain "an untouched job, with checksums: status $status"

for sample in "$@"; do
    IFS=: read -r scenario bit what <<<"$sample"
    from=0 to=1
    [ "$scenario" = reply ] && from=1 to=0
    run yes "$scenario" "$bit"
    report="error: a corrupted packet arrived from rank $from at rank $to by "
    if [ "$status" != 255 ] || ! grep -q "$report" "$out"; then
        complain "$scenario, bit $bit, with checksums: status $status, not reported"
    elif grep -q "wrong data" "$out"; then
        complain "$scenario, bit $bit, with checksums: reported, but wrong data was used before"
    fi
    [ "$what" = wrong ] || continue
    run no "$scenario" "$bit"
    [ "$status" = 0 ] && grep -q "^wrong data" "$out" && ! grep -q error "$out" ||
        complain "$scenario, bit $bit, without checksums: status $status, wrong data was expected"
done
[ "$failed" = 0 ] && echo "each of $# flips was reported"
exit "$failed"
