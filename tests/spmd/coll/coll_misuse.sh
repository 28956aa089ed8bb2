#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# coll_misuse.sh UPCRUN PROGRAM SOURCE: each case of coll_misuse.c ends as it must, with the function, the
# argument and the thread, and where one call is to blame, its line.
set -u
upcrun=$1 program=$2 source=$3
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

# expect CASE PATTERN: an error. expect_end CASE PATTERN: status 0, and the pattern or nothing.
expect() {
    local got line ok=yes
    "$upcrun" -n 2 --timeout 200 "$program" "$1" >"$output" 2>&1
    got=$?
    line=$(grep -n "HERE: $1 \*/" "$source" | cut -d: -f1)
    [ $got -eq 255 ] && grep -q 'UPC Runtime error' "$output" && grep -Eq -- "$2" "$output" || ok=no
    [ -z "$line" ] || grep -Eq "coll_misuse\.c:$line([^0-9]|\$)" "$output" || ok=no
    [ $ok = yes ] || failed "$1 (status $got; '$2'; line ${line:-none})"
}
expect_end() {
    local got ok=yes
    "$upcrun" -n 2 --timeout 200 "$program" "$1" >"$output" 2>&1
    got=$?
    [ $got -eq 0 ] || ok=no
    if [ -n "$2" ]; then grep -Eq -- "$2" "$output" || ok=no; elif [ -s "$output" ]; then ok=no; fi
    [ $ok = yes ] || failed "$1 (status $got; '$2')"
}
failed() {
    echo "FAILED: $1"
    sed 's/^/    /' "$output"
    failures=$((failures + 1))
}

thread='(on|of) UPC thread [01]'
expect no_bytes "upc_all_broadcast: argument nbytes is 0 $thread"
expect two_ins "upc_all_scatter: flags 0x26 $thread.*one of UPC_IN_ALLSYNC"
expect no_flag "upc_all_gather: flags 0x40 $thread"
expect after_notify 'upc_all_exchange called by UPC thread [01] between upcr_notify and upcr_wait'
expect broadcast_dst "upc_all_broadcast: argument dst $thread is <.*thread=1.*must have affinity to thread 0"
expect scatter_dst "upc_all_scatter: argument dst $thread .*thread=1"
expect gather_src "upc_all_gather: argument src $thread .*thread=1"
expect gather_all_src "upc_all_gather_all: argument src $thread .*thread=1"
expect gather_all_dst "upc_all_gather_all: argument dst $thread .*thread=1"
expect exchange_src "upc_all_exchange: argument src $thread .*thread=1"
expect permute_dst "upc_all_permute: argument dst $thread .*thread=1"
expect permute_perm "upc_all_permute: argument perm $thread .*thread=1"
expect null_src 'upc_all_broadcast: 8 bytes at <NULL>.*null'
expect beyond 'upc_all_scatter.*outside the segment of UPC thread 0'
expect overlap "upc_all_broadcast: arguments dst and src $thread overlap: 8 bytes"
expect overlap_all "upc_all_exchange: arguments dst and src $thread overlap: 16 bytes"
expect same_target 'upc_all_permute: argument perm is no permutation: perm\[[01]\] and perm\[[01]\] are both 1'
expect no_target 'upc_all_permute: argument perm: perm\[[01]\] is 2; it must be the number of one of the 2 threads'
expect bytes_differ 'upc_all_broadcast: argument nbytes is .* on UPC thread [01], but .* on thread [01]'
expect flags_differ 'upc_all_gather_all: argument flags is .* on UPC thread [01], but .* on thread [01]'
expect src_differs 'upc_all_broadcast: argument thread of src is . \(.*\) on UPC thread [01], but'
expect calls_differ 'UPC thread [01] calls upc_all_(gather|scatter) where thread [01] calls upc_all_(scatter|gather)'
expect barrier_instead 'barrier mismatch detected .*: thread 0 is in a collective call, thread 1 in an anonymous barrier'
expect ended 'UPC thread 0 is in upc_all_broadcast, but thread 1 has ended its program without it'
expect ended_mysync 'UPC thread 0 is in upc_all_broadcast, but thread 1 has ended its program without it'
expect foreign_src 'bupc_team_broadcast: argument src of UPC thread [01] has affinity to thread [01], which is not in'
expect no_team 'bupc_team_split: argument team of UPC thread [01] is 0x1000, which is no team'
expect waited_twice 'bupc_coll_wait: 0x[0-9a-f]+ is not the handle of a collective that UPC thread [01]'
expect_end never_waited 'warning: UPC thread [01] ends without bupc_coll_wait\(\) for a bupc_team_exchange'
expect_end fine ''
exit $((failures != 0))
