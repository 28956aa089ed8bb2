#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# limit.sh RDMA_VM GUEST: a command that does not end in time is ended in the guest, with all that it has started, also in
# sessions of their own; before, the guest says what still ran, and where.
set -u
vm=$1 guest=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAILED: $*"; cat "$dir/out"; exit 1; }

"$vm" --in "$guest" --timeout 4 --cached -- bash -c 'echo started; setsid sleep 123456 & exec sleep 654321' >"$dir/out" 2>&1
status=$?
[ $status != 77 ] || { cat "$dir/out"; exit 77; }
[ $status = 124 ] || fail "status $status"
grep -q '^started' "$dir/out" || fail "its output is not there"
for what in 123456 654321; do
    grep -A 2 "process [0-9]*: sleep $what" "$dir/out" | grep -q 'thread [0-9]*, sleep: .*nanosleep' ||
        fail "sleep $what and its stack are not reported"
done
"$vm" --in "$guest" --timeout 60 --cached -- bash -c '! pgrep -fx "sleep (123456|654321)"' ||
    fail "it still runs"
cat "$dir/out"
