#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# reduce_misuse.sh UPCRUN PROGRAM DEBUG_PROGRAM SOURCE: each case of reduce_misuse.c ends as it must, with the
# right message and, in the debug library, the line of the call that is to blame.
set -u
upcrun=$1 release=$2 debug=$3 source=$4
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

# expect PROGRAM CASE PATTERN: an error with these words; no pattern: success, in silence.
expect() {
    local program=$1 name=$2 pattern=${3-} got line ok=yes
    "$upcrun" -n 2 --timeout 200 "$program" "$name" >"$output" 2>&1
    got=$?
    if [ -n "$pattern" ]; then
        [ $got -eq 255 ] && grep -Eq -- "UPC Runtime error: $pattern" "$output" || ok=no
    else
        [ $got -eq 0 ] && [ ! -s "$output" ] || ok=no
    fi
    line=$(grep -n "HERE: $name \*/" "$source" | cut -d: -f1)
    if [ "$program" = "$debug" ] && [ -n "$line" ]; then
        grep -Eq "reduce_misuse\.c:$line([^0-9]|\$)" "$output" || ok=no
    fi
    if [ $ok = no ]; then
        echo "FAILED: $name of $program (status $got; '$pattern'; line ${line:-none})"
        sed 's/^/    /' "$output"
        failures=$((failures + 1))
    fi
}

expect "$debug" other_nelems 'upc_all_reduceI: argument nelems is [89] .* on UPC thread [01], but [89] .* on thread [01]'
expect "$debug" other_op 'upc_all_reduce_allD: argument op is'
expect "$debug" other_blk_size 'upc_all_prefix_reduceL: argument blk_size is'
expect "$debug" other_dst 'upc_all_reduceI: argument dst \(thread\) is'
expect "$debug" other_function 'UPC thread [01] calls upc_all_reduceU?I where thread [01] calls upc_all_reduceU?I'
expect "$debug" bitwise_float 'upc_all_reduceF: UPC_AND on a floating-point type'
expect "$debug" bitwise_long_double 'upc_all_prefix_reduceLD: UPC_XOR on a floating-point type'
expect "$debug" no_such_op 'upc_all_reduceI: op is 0x3, which is none'
expect "$debug" null_func 'upc_all_reduceI: func is null with UPC_FUNC'
expect "$debug" null_on_one 'upc_all_reduceI: func is null with UPC_FUNC'
expect "$debug" phase_beyond 'upc_all_reduceI: src .*has phase 3, but blk_size is 2'
expect "$debug" phase_indefinite 'upc_all_reduceI: src .* has phase 3 on UPC thread [01], but blk_size is 0'
expect "$debug" prefix_thread 'upc_all_prefix_reduceI: dst .*thread=1.* and src .*thread=0.* differ on UPC thread'
expect "$debug" prefix_phase 'upc_all_prefix_reduceI: dst .*phase=1.* and src .*phase=0.* differ'
expect "$debug" prefix_overlap 'upc_all_prefix_reduceI: dst .* overlaps the 9 elements of 4 bytes of src'
expect "$debug" reduce_overlap 'upc_all_reduceI: dst .* overlaps the 8 elements of 4 bytes of src .* on UPC thread 1'
expect "$debug" all_affinity 'upc_all_reduce_allI: dst .* has affinity to thread 1.*must have affinity to thread 0'
expect "$debug" null_dst 'upc_all_reduceI: 4 bytes at <NULL>'
expect "$debug" too_many 'upc_all_reduceI: .*outside the segment of UPC thread'
expect "$debug" misaligned 'upc_all_reduceL: src .* is not aligned for elements of 8 bytes on UPC thread'
expect "$debug" two_flags 'upc_all_reduceI: flags 0x6 of UPC thread [01]; they must be one of UPC_IN_ALLSYNC'
expect "$debug" in_barrier 'upc_all_reduceI called by UPC thread [01] between upcr_notify and upcr_wait'
expect "$debug" missing 'UPC thread 0 is in upc_all_reduceI, but thread 1 has ended its program without it'
expect "$debug" sort_no_size 'upc_all_sort: elem_size is 0 on UPC thread'
expect "$debug" sort_no_func 'upc_all_sort: func is null on UPC thread'
expect "$debug" sort_other 'upc_all_sort: argument blk_size is'
expect "$debug" allv_root 'bupc_allv_broadcast: root is 2 on UPC thread [01]; there are threads 0 to 1'
expect "$debug" allv_other_root 'bupc_allv_reduce: argument root is'
expect "$debug" allv_permutation 'bupc_allv_permute: tothread is 1 on UPC thread 1 and on an earlier one'
expect "$debug" allv_op 'bupc_allv_reduce_all: op is UPC_OR .*no operation on values of type D'
expect "$debug" allv_func 'bupc_allv_prefix_reduce: op is UPC_FUNC'
expect "$debug" allv_sizes 'bupc_allv_gather_all: argument sizeof\(TYPE\) is'
expect "$debug" fine

expect "$release" bitwise_float 'upc_all_reduceF: UPC_AND on a floating-point type'
expect "$release" no_such_op 'upc_all_reduceI: op is 0x3, which is none'
expect "$release" null_func 'upc_all_reduceI: func is null with UPC_FUNC'
expect "$release" phase_beyond 'upc_all_reduceI: src has phase 3, but blk_size is 2'
expect "$release" prefix_thread 'upc_all_prefix_reduceI: dst .*thread=1.* and src .*thread=0.* differ on UPC thread'
expect "$release" prefix_phase 'upc_all_prefix_reduceI: dst .*phase=1.* and src .*phase=0.* differ on UPC thread'
expect "$release" sort_no_size 'upc_all_sort: elem_size is 0'
expect "$release" sort_no_func 'upc_all_sort: func is null'
expect "$release" allv_root 'bupc_allv_broadcast: root is 2'
expect "$release" allv_op 'bupc_allv_reduce_all: op is UPC_OR'
expect "$release" fine
exit $((failures != 0))
