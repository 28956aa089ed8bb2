#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# port_down.sh UPCRUN IBV_CONNECT NETDEV: a port that goes down and comes up again is reported in two lines; one that
# stays down ends the job. Run as root where NETDEV carries the only device; or NETDEV is an emulated one (../emulated).
set -euo pipefail
upcrun=$1 connect=$2 netdev=$3
dir=$(mktemp -d)
set_link() {
    if [ -n "${EMULATED_FABRIC:-}" ]; then "$EMULATED_FABRIC" port "$netdev" 1 "$1"; else ip link set "$netdev" "$1"; fi
}
trap 'set_link up; rm -rf "$dir"' EXIT
failed=0

until_output() { # until_output PATTERN: until the running job has printed it
    until grep -q "$1" "$dir/out"; do
        kill -0 $job 2>/dev/null || grep -q "$1" "$dir/out" || { echo "missing in the output: $1"; cat "$dir/out"; exit 1; }
        sleep 0.1
    done
}
start() {
    : >"$dir/out" # here, not when the job begins: the lines of the job before would count
    UPCR_LOG_LEVEL=ibv:info UPCR_BACKTRACE=no "$upcrun" --conduit smp -n 2 --timeout 100 "$connect" 1 wait "$dir/go" \
        >"$dir/out" 2>&1 &
    job=$!
    # Of both: a process that finds the port down at its start ends with another error.
    until [ "$(grep -c 'listening at\|datagrams at' "$dir/out")" -ge 2 ]; do
        kill -0 $job 2>/dev/null || { echo "the job has ended at its start"; cat "$dir/out"; exit 1; }
        sleep 0.1
    done
}

export UPCR_IBV_PORT_DOWN=600
start
set_link down
until_output 'warning: port .* is down: no link'
set_link up
until_output 'warning: port .* is up again after'
: >"$dir/go"
wait $job || { echo "the job ended with status $?"; cat "$dir/out"; failed=1; }
grep -q 'all 2 processes are connected' "$dir/out" || failed=1
grep 'port .* is' "$dir/out"

rm "$dir/go"
export UPCR_IBV_PORT_DOWN=1
start
set_link down
wait $job && { echo "the job has not ended"; failed=1; }
grep 'error: port .* has been down for .* while messages or transfers were in progress' "$dir/out" || { cat "$dir/out"; failed=1; }
exit $failed
