#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# rdma_vm.sh RDMA_VM NAME DEVICE: what tools/rdma-vm promises of a guest that stays.
set -u
vm=$1 name=$2 device=$3
failed=0
fail() { echo "FAILED: $*"; failed=1; }
inside() { "$vm" --in "$name" --cached --timeout 120 "$@"; }
check() { # check WHAT WANTED GOT
    [ "$2" = "$3" ] || fail "$1: '$3' instead of '$2'"
}

inside -- true
[ $? != 77 ] || exit 77

# Output, errors, status; the caller's environment and directory.
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd /usr && VALUE="a b  'c'" inside -- bash -c 'echo "$VALUE $PWD"; echo bad >&2; exit 3' >"$work/out" 2>"$work/err"
check status 3 $?
check output "a b  'c' /usr" "$(cat "$work/out")"
check errors bad "$(cat "$work/err")"
check "much output" "$(seq 50000 | cksum)" "$(inside -- seq 50000 | cksum)"

# Two at the same time: each waits for the other.
meet() { inside -- bash -c "touch /tmp/$1; until [ -e /tmp/$2 ]; do sleep 0.1; done; rm /tmp/$2"; }
meet one two &
meet two one || fail "two commands do not run at the same time"
wait $! || fail "two commands do not run at the same time"

# What takes too long, and what its caller no longer waits for, ends.
"$vm" --in "$name" --timeout 1 -- sleep 1234 2>/dev/null
check "status of a late command" 124 $?
"$vm" --in "$name" -- bash -c 'echo; sleep 4321' >"$work/started" &
until [ -s "$work/started" ]; do sleep 0.1; done
kill -KILL $!
wait $! 2>/dev/null
inside -- bash -c 'until ! pgrep -f "^sleep (1234|4321)"; do sleep 0.2; done' >/dev/null ||
    fail "commands go on that nobody waits for"

# The device, for everybody; a kernel that copies words whole.
inside -- setpriv --reuid 1000 --regid 1000 --clear-groups bash -c 'for f in /dev/infiniband/{rdma_cm,uverbs0}; do
    [ -r $f ] && [ -w $f ] || exit 1; done' || fail "an ordinary user may not open the device"
inside -- grep -q "ACTIVE" "/sys/class/infiniband/${device}0/ports/1/state" || fail "the port is not active"
inside -- grep -Eqw 'rep_good|erms' /proc/cpuinfo && fail "the kernel copies memory with rep movs"
exit $failed
