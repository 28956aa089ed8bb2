#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# misuse.sh UPCRUN PROGRAM SOURCE: each case of misuse.c ends as it must, with the right message and the line
# of the call that is to blame.
set -u
upcrun=$1 program=$2 source=$3
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

# expect CASE STATUS PATTERN [UPCRUN-OPTION...]: STATUS is "error" or 0.
expect() {
    local name=$1 status=$2 pattern=$3 got line ok=yes
    shift 3
    "$upcrun" -n 2 "$@" --timeout 200 "$program" "$name" >"$output" 2>&1
    got=$?
    line=$(grep -n "HERE: $name \*/" "$source" | cut -d: -f1)
    if [ "$status" = error ]; then
        [ $got -eq 255 ] && grep -q 'UPC Runtime error' "$output" || ok=no
    else
        [ $got -eq "$status" ] || ok=no
    fi
    if [ -n "$pattern" ]; then
        grep -Eq -- "$pattern" "$output" || ok=no
    elif [ -s "$output" ]; then
        ok=no # silence was expected
    fi
    if [ -n "$line" ] && ! grep -Eq "misuse\.c:$line([^0-9]|\$)" "$output"; then ok=no; fi
    if [ $ok = no ]; then
        echo "FAILED: $name (status $got, expected $status; '$pattern'; line ${line:-none})"
        sed 's/^/    /' "$output"
        failures=$((failures + 1))
    fi
}

expect null_pointer error 'write to shared memory \(upcr_put_shared_val\): 8 bytes at <NULL>.*null'
expect no_thread error 'thread=5.*there is no UPC thread 5 \(THREADS is 2\)'
expect beyond error 'write to shared memory \(upcr_put_shared\): 4 bytes.*outside the segment of UPC thread 0'
expect runtime_page error ' upc_memget.*the runtime'
expect null_page error ' upc_memget.*access through a null pointer-to-shared'
expect before error 'upcr_get_shared_floatval.*outside the segment'
expect no_bytes error 'a register value has 1 to 8 bytes'
expect too_many_bytes error 'upcr_put_shared_val_strict\): 9 bytes.*a register value has 1 to 8 bytes'
expect misaligned error 'upcr_put_shared_doubleval.*misaligned'
expect private_null error ' upc_memput: the private address is null'
expect bulk_beyond error ' upc_memcpy.*outside the segment'
expect not_mine error 'affinity to UPC thread 1, the caller is UPC thread 0'
expect unrelated error 'cannot subtract <.*thread=0.*> from <.*thread=1'
expect twice error 'upcr_wait_syncnb: the operation upcr_get_nb_shared at .*was synchronised already'
expect twice_later error 'upcr_waitsync: the operation upcr_nb_memget at .*was synchronised already'
expect twice_value error 'upcr_wait_syncnb_valget: the operation upcr_get_nb_shared_val at .*synchronised already'
expect twice_async error 'bupc_waitsync_all: the operation bupc_memput_async at .*was synchronised already, by upcr_waitsync'
expect async_null error 'upcr_nbi_memcpy: 16 bytes at <NULL>.*null'
expect never 0 'warning: .*upcr_put_nb_shared at .*was never synchronised'
expect never_implicit 0 'warning: .*1 implicit non-blocking operations were never synchronised.*upcr_put_nbi_shared_val'
expect foreign error 'UPC thread 1 synchronises an operation that UPC thread 0 issued \(upcr_put_nb_shared at' --pthreads 2
expect foreign_process error 'not the handle of an operation of this UPC thread|synchronised long ago'
expect strict_two error 'upcr_put_nb_shared_val_strict while the strict operation upcr_put_nb_shared_val_strict at'
expect strict_relaxed error 'upcr_get_shared_val while the strict operation'
expect strict_over_nb error 'a strict access while 1 explicit and 0 implicit'
expect strict_over_nbi error 'a strict access while 0 explicit and 1 implicit'
expect strict_wrong_sync error 'is strict; use upcr_wait_syncnb_strict'
expect nested_region error 'regions do not nest'
expect sync_in_region error 'upcr_wait_syncnbi_puts inside an access region'
expect synci_in_region error 'bupc_waitsynci inside an access region'
expect region_without_begin error 'without upcr_begin_nbi_accessregion'
expect notify_twice error 'misordered call to barrier notify'
expect wait_first error 'misordered call to barrier wait'
expect try_first error 'misordered call to'
expect barrier_inside error 'misordered call to barrier'
expect distance_of_nobody error 'bupc_thread_distance: there is no UPC thread 7; threads are 0 to 1'
expect castable_nobody error 'bupc_thread_castable: there is no UPC thread 9'
expect added_too_far error 'upcr_add_psharedI'
expect not_shared error 'upcr_local_to_shared'
expect other_thread error 'upcr_put_shared_val called on a thread that is not a UPC thread'
expect fine 0 ''
exit $((failures != 0))
