#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# names_misuse.sh UPCRUN PROGRAM PROGRAM_2012: each case of names_misuse.c ends the job with its message.
set -u
upcrun=$1
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

# expect PROGRAM CASE PATTERN
expect() {
    local got
    "$upcrun" -n 2 --timeout 100 "$1" "$2" >"$output" 2>&1
    got=$?
    [ $got -eq 255 ] && grep -Eq -- "UPC Runtime error: $3" "$output" && return
    echo "FAILED: $2 (status $got; '$3')"
    sed 's/^/    /' "$output"
    failures=$((failures + 1))
}

null='Invalid access via null shared pointer'
thread='Thread number in shared address is out of range: thread 2, but THREADS is 2'
address='Virtual address in shared address is out of range'
for case in null_get null_put null_copy null_set null_nb null_broadcast null_perm null_reduce null_sort null_atomic; do
    expect "$2" $case "$null"
done
expect "$2" null_local 'Invalid access via null local pointer: upc_memput of 4 bytes'
expect "$2" null_domain 'upc_atomic_strict: the domain is null'
expect "$2" no_compare '.*all_sort: func is null'
for case in thread thread_nb thread_gather; do expect "$2" $case "$thread"; done
for case in address end; do expect "$2" $case "$address"; done
expect "$2" position "$null.*heat\.upc:42"
expect "$2" flags_other 'upc_all_scatter: the flags 0x5: .*gupc-1\.3.*upcc --encoding gupc-2012'
expect "$2" operator '.*all_reduceL: op is 0xb, which is none of the operations'
expect "$3" flags 'upc_all_scatter: the flags 0x28: .*gupc-2012.*upcc --encoding gupc-1\.3'
expect "$3" operator 'upc_all_reduceL: the operator 0xb: .*gupc-2012.*upcc --encoding gupc-1\.3'
expect "$2" bytes_differ 'upc_coll_err: nbytes is 0x2 on thread 1, but 0x1 on thread 0'
expect "$2" calls_differ 'upc_coll_err: upc_coll_op is 0x9 on thread 1, but 0x1 on thread 0'
expect "$2" pointers_differ 'upc_coll_err: the address of dst is 0x.* on thread 1, but 0x.* on thread 0'
exit $((failures != 0))
