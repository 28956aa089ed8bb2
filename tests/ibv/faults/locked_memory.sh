#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# locked_memory.sh UPCRUN TRANSFERS: an ordinary user with the usual limit of locked memory gets an error that names the
# cure; with a sufficient limit jobs run.
# shellcheck source=tests/ibv/faults/common.sh
. "$(dirname "$0")/common.sh"

user() { # user KIB COMMAND...
    local kib=$1
    shift
    setpriv --reuid 1000 --regid 1000 --clear-groups bash -c 'ulimit -l "$0" && exec "$@"' "$kib" "$@"
}
ends_with bad user 64 "$UPCRUN" --conduit ibv -n 2 --timeout 100 "$TRANSFERS" 1
output_has "error: cannot register .* of [0-9.]+ [KM]iB with $device: .*\(ulimit -l\) is 64 KiB.*: raise it \(ulimit -l unlimited;"
grep -h -m1 'error:' "$dir/out"

# Enough for the buffers, but not for the heap.
ends_with bad user 16384 "$UPCRUN" --conduit ibv --shared-heap 64MB -n 2 --timeout 100 "$TRANSFERS" 1
output_has "error: cannot register a shared segment of .*\(ulimit -l\) is 16 MiB.*: raise it .*, or lower UPC_SHARED_HEAP_SIZE"

ends_with 0 user 65536 "$UPCRUN" --conduit ibv --shared-heap 8MB -n 2 --timeout 100 "$TRANSFERS" 3
output_has 'thread 1 is done'
finish
