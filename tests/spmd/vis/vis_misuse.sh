#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# vis_misuse.sh UPCRUN PROGRAM SOURCE: each case of vis_misuse.c ends the job with the right message and the
# line of the call that is to blame.
set -u
upcrun=$1 program=$2 source=$3
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0 cases=0

# run_case CASE STATUS: runs it, and fails if its exit status is another one.
run_case() {
    cases=$((cases + 1))
    "$upcrun" -n 2 --timeout 200 "$program" "$1" >"$output" 2>&1
    local got=$?
    [ $got -eq "$2" ] || fail "$1: status $got, not $2"
}
fail() {
    echo "FAILED: $*"
    sed 's/^/    /' "$output"
    failures=$((failures + 1))
}
# refuse CASE PATTERN
refuse() {
    local line
    line=$(grep -n "HERE: $1 \*/" "$source" | cut -d: -f1)
    run_case "$1" 255
    grep -q 'UPC Runtime error' "$output" && grep -Eq -- "$2" "$output" || fail "$1: not '$2'"
    grep -Eq "vis_misuse\.c:$line([^0-9]|\$)" "$output" || fail "$1: line ${line:-none} is not named"
}

refuse vlist_totals 'bupc_memput_vlist: the totals differ: 20 bytes in 2 entries of dstlist, 16 bytes in 1 entries of srclist'
refuse vlist_totals_async 'bupc_memget_vlist_async: the totals differ: 0 bytes in 0 entries of dstlist, 8 bytes in 1'
refuse vlist_null_shared 'bupc_memput_vlist: dstlist\[1\]: 8 bytes at <NULL>.*null'
refuse vlist_null_private 'bupc_memget_vlist: dstlist\[2\]: the private address is null \(8 bytes\)'
refuse vlist_no_list 'bupc_memput_vlist: dstlist is null, but dstcount is 1'
refuse vlist_beyond 'bupc_memcpy_vlist: srclist\[1\]: 4 bytes at .*outside the segment of UPC thread 1'
refuse vlist_no_thread 'bupc_memput_vlist: dstlist\[0\]: .*there is no UPC thread 5 \(THREADS is 2\)'
refuse vlist_overlap 'bupc_memput_vlist: dstlist\[1\] \(8 bytes\) overlaps dstlist\[2\] \(8 bytes\)'
refuse vlist_overlap_source 'bupc_memcpy_vlist: dstlist\[1\] \(8 bytes\) overlaps srclist\[1\] \(12 bytes\)'
refuse vlist_overlap_own 'bupc_memput_vlist: dstlist\[0\] \(16 bytes\) overlaps srclist\[0\] \(16 bytes\)'
refuse ilist_totals 'bupc_memput_ilist: the totals differ: 2 \* 8 = 16 bytes of destination, 1 \* 24 = 24 bytes of source'
refuse ilist_no_length "bupc_memput_ilist: the destination's length is 0 \(2 entries\)"
refuse ilist_no_length_source "bupc_memget_ilist: the source's length is 0 \(1 entries\)"
refuse ilist_null 'bupc_memcpy_ilist_async: srclist\[1\]: 8 bytes at <NULL>'
refuse ilist_null_private 'bupc_memput_ilist: srclist\[1\]: the private address is null \(8 bytes\)'
refuse ilist_beyond 'bupc_memget_ilist: srclist\[1\]: 8 bytes at .*outside the segment of UPC thread 1'
refuse ilist_overlap 'bupc_memget_ilist: dstlist\[1\] \(8 bytes\) overlaps dstlist\[2\]'
refuse ilist_huge 'bupc_memget_ilist: 2 \* [0-9]+ or 2 \* [0-9]+ bytes are more than any memory'
refuse fstrided_totals 'bupc_memput_fstrided: the totals differ: 10 \* 8 = 80 bytes of destination, 4 \* 16 = 64 bytes of source'
refuse fstrided_stride 'bupc_memput_fstrided: dstchunkstride is 7, less than dstchunklen, which is 8 \(10 chunks\)'
refuse fstrided_stride_source 'bupc_memget_fstrided: srcchunkstride is 15, less than srcchunklen, which is 16'
refuse fstrided_null 'bupc_memcpy_fstrided: dstaddr: 80 bytes at <NULL>'
refuse fstrided_beyond 'bupc_memget_fstrided: srcaddr: [0-9]+ bytes at .*outside the segment of UPC thread 1'
refuse fstrided_half_empty 'bupc_memput_fstrided: the totals differ: 10 \* 8 = 80 bytes of destination, 0 \* 16 = 0 bytes'
refuse strided_stride 'bupc_memput_strided: dststrides\[1\] is 100, less than count\[1\] \* dststrides\[0\] = 3 \* 40 = 120'
refuse strided_row 'bupc_memput_strided: srcstrides\[0\] is 31, less than count\[0\], which is 32'
refuse strided_no_count 'bupc_memput_strided: count is null; it must have 2 entries'
refuse strided_no_strides 'bupc_memput_strided: srcstrides is null; it must have 1 entries'
refuse strided_beyond 'bupc_memget_strided: srcaddr: [0-9]+ bytes at .*outside the segment of UPC thread 1'
refuse strided_huge 'bupc_memget_strided: dststrides\[0\] \* count\[1\] = 8 \* [0-9]+ bytes are more than any memory'
refuse strided_overlap 'bupc_memcpy_strided: piece 3 of the destination \(8 bytes\) overlaps piece 1 of the source \(8 bytes\)'
refuse strided2d_stride 'bupc_memput_strided2d: dststrides\[0\] is 15, less than .*16'
refuse strided3d_stride 'bupc_memget_strided3d_async: srcstrides\[1\] is 63, less than .*64'
refuse transpose_meets 'bupc_memput_transpose: dststrides\[2\] is 16, .*32 bytes'
refuse transpose_zero 'bupc_memput_transpose: dststrides\[1\] is 0, '
refuse transpose_before 'bupc_memget_transpose: srcaddr: the section begins [0-9]+ bytes before the pointer'
refuse transpose_beyond 'bupc_memput_transpose: dstaddr: [0-9]+ bytes at .*outside the segment of UPC thread 1'

run_case never 0
grep -Eq 'warning: .*bupc_memput_strided2d_async at .*was never synchronised' "$output" || fail never
run_case fine 0
[ ! -s "$output" ] || fail "fine: something is said"
# Every case is run.
[ $cases -eq "$(grep -c '^    CASE(' "$source")" ] || fail "$cases cases were run, $source has others"
exit $((failures != 0))
