#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# limits.sh UPCRUN TRANSFERS PROGRAM: devices that have not enough of something: jobs end with the reason and the cure, or
# do without where that is possible. PROGRAM prints nothing. Two devices (EMULATED_VERBS_DEVICES).
# shellcheck source=tests/ibv/faults/common.sh
. "$(dirname "$0")/../faults/common.sh"
program=$3
start() { # start PROCESSES NAME=VALUE... : what it says is in $dir/out
    local n=$1
    shift
    env UPCR_LOG_LEVEL=ibv:info SPMD_EFFORT=64 "$@" "$UPCRUN" --conduit ibv -n "$n" --timeout 60 "$program"
}

# Each of four processes wants one for datagrams and one for each of three peers.
ends_with bad start 4 EMULATED_VERBS_MAX_QP=6 UPCR_IBV_PORTS=emu0:1
output_has 'error: device emu0: no queue pair can be created for rank [0-3] .*Cannot allocate memory; it has 6 in all, for all processes'

ends_with bad start 2 EMULATED_VERBS_MAX_CQE=16
output_has 'a completion queue of emu[01] holds 16 entries, and [0-9]+ are needed; set a lower UPCR_IBV_RECEIVES'
ends_with bad start 2 EMULATED_VERBS_LOCKABLE=100000
output_has 'error: cannot register .* with emu[01]'

# Little of everything that can be little.
ends_with 0 start 3 EMULATED_VERBS_MAX_SGE=1 EMULATED_VERBS_MAX_INLINE=0 EMULATED_VERBS_MAX_READS=1 EMULATED_VERBS_MAX_CQE=200 \
    EMULATED_VERBS_MAX_SRQ_WR=4 EMULATED_VERBS_MAX_MESSAGE=8192 EMULATED_VERBS_MTU=256
finish
