#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# link_down.sh UPCRUN TRANSFERS: the link goes down in the middle of transfers, and stays down.
# shellcheck source=tests/ibv/faults/common.sh
. "$(dirname "$0")/common.sh"
# What was to be sent while the link was down may leave rxe's queue pair of the connection manager broken for good: the
# device is made anew.
clean_up() {
    ip link set dummy0 up
    rdma link delete "$device"
    make_device
}

start_job 3
ip link set dummy0 down
job_ends
says "warning: port ${device}:1 is down: no link"
# Whoever notices first: the watch of the port, a transfer that the device refuses, which may be before the kernel says
# that the port is down, or a peer of who has noticed.
says "error: port ${device}:1 has been down for [0-9.]+ seconds while|error: .* rank [0-9] .*(its port has lost its link|port ${device}:1 of this process (is|has been) down)"
grep -h 'error:\|warning:' "$dir/out"
finish
