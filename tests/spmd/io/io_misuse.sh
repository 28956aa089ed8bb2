#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# io_misuse.sh UPCRUN PROGRAM DEBUG-PROGRAM: each case of io_misuse.c ends as it must, with the right message.
set -u
upcrun=$1 release=$2 debug=$3
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failures=0

# expect PROGRAM CASE STATUS PATTERN: STATUS is "error" or 0; no pattern: silence.
expect() {
    local program=$1 name=$2 status=$3 pattern=$4 got ok=yes
    rm -f one two third gone
    "$upcrun" -n 2 --timeout 200 "$program" "$name" >output 2>&1
    got=$?
    if [ "$status" = error ]; then
        [ $got -eq 255 ] && grep -q 'UPC Runtime error' output || ok=no
    else
        [ $got -eq "$status" ] || ok=no
    fi
    if [ -n "$pattern" ]; then grep -Eq -- "$pattern" output || ok=no; elif [ -s output ]; then ok=no; fi
    if [ $ok = no ]; then
        echo "FAILED: $name (status $got, expected $status; '$pattern')"
        sed 's/^/    /' output
        failures=$((failures + 1))
    fi
}

where='.*io_misuse\.c:[0-9]+'
expect "$debug" fine 0 ''
expect "$release" fine 0 ''
expect "$debug" flags_differ error "upc_all_fopen: 'flags' must be the same on all threads, but it is 20 .* on UPC thread 0 and 532 .*thread 1$where"
expect "$debug" files_differ error "upc_all_fsync: 'fd' must be the same"
expect "$debug" calls_differ error 'UPC thread 0 is in upc_all_fget_size while UPC thread 1 is in upc_all_fsync'
expect "$debug" nmemb_differs error "upc_all_fread_shared: 'nmemb' .* 5 .* 6 "
expect "$debug" sync_differs error "upc_all_fread_local: 'sync_mode' must"
expect "$debug" size_differs error "upc_all_fset_size: 'size' .* 5 .* 6 "
expect "$debug" seek_differs error "upc_all_fseek: 'offset' .* 5 .* 6 "
expect "$debug" beyond error "upc_all_fwrite_shared: 1099511627776 bytes.*outside the segment$where"
expect "$debug" null_buffer error 'upc_all_fwrite_shared: 8 bytes at <NULL>'
expect "$debug" phase error 'upc_all_fwrite_shared: the phase of the buffer is 5, which is not a position in blocks of 4'
expect "$release" second error "upc_all_fread_local_async: an asynchronous operation is outstanding on the file 'one' already"
expect "$release" async_bad_handle error 'upc_all_fwrite_local_async: the handle is not of an open file'
expect "$release" in_barrier error 'upc_all_fsync called between upcr_notify and upcr_wait'
for program in "$release" "$debug"; do
    expect "$program" left_open 0 ''
    [ "$(cat one)" = abcabc ] || { echo "FAILED: what was being written is not in the file"; failures=1; }
    [ ! -e gone ] || { echo "FAILED: UPC_DELETE_ON_CLOSE at the end of the program"; failures=1; }
done
exit $((failures != 0))
