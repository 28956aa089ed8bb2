#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# hang.sh RDMA_VM GUEST: a guest in which all processes hang, also those that end commands and report: before the command
# is given up, the console shows where each of them is. In a guest of its own.
set -u
vm=$1 guest=$2
dir=$(mktemp -d)
export RDMA_VM_REPORT_TIME=3
trap '"$vm" --stop "$guest"; rm -rf "$dir"' EXIT
fail() { echo "FAILED: $*"; cat "$dir/out"; exit 1; }

"$vm" --start "$guest" --device none --mem 512 --smp 1 --owner $$ >"$dir/out" 2>&1
case $? in
    0) ;;
    77) cat "$dir/out"; exit 77 ;;
    *) fail "no guest" ;;
esac
"$vm" --in "$guest" --timeout 3 --cached -- bash -c 'kill -STOP -1; exec sleep 424242' >"$dir/out" 2>&1
status=$?
[ $status = 124 ] || fail "status $status"
grep -q 'the guest has not ended the command' "$dir/out" || fail "the guest has ended it"
grep -Eq 'process [0-9]+, sleep: S, system call [0-9]+, waits in .*nanosleep.*: .*nanosleep' "$dir/out" ||
    fail "where the command is, is not shown"
grep -Eq 'process [0-9]+, bash: T, .*do_signal_stop' "$dir/out" || fail "what was stopped is not shown"
cat "$dir/out"
