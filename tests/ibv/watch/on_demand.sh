#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# on_demand.sh UPCRUN PROGRAM: over emulated devices, PROGRAM (spmd/access/private_memory.c) where devices page private
# memory on demand: its data are right whatever happens to its addresses, and it did stay registered. The devices
# refuse what the mapping at the addresses does not allow.
set -eu
upcrun=$1 program=$2 processes=2
export UPCR_PSHM=no UPCR_IBV_WATCH=on-demand UPCR_LOG_LEVEL=ibv:info
# has LINE [NAME=VALUE...]: a job with these settings succeeds, and each process logs LINE for each of its devices.
has() {
    local line=$1
    shift
    if ! log=$(env "$@" "$upcrun" --conduit ibv -n $processes --timeout 140 "$program" 2>&1); then
        printf '%s\nFAILED: the program (%s)\n' "$log" "$*"
        exit 1
    fi
    also "$line"
}
also() {
    if [ "$(grep -c "$1" <<<"$log")" -ne $processes ]; then
        printf '%s\nFAILED: not in the log of each process: %s\n' "$log" "$1"
        exit 1
    fi
}
has 'private memory that is registered is paged by emu0 on demand' EMULATED_VERBS_ON_DEMAND=yes
also 'private memory: [1-9][0-9]* transfers found it registered,.* 0 entries became stale'
# With queue pairs for hosts.
has 'private memory: [1-9][0-9]* transfers found it registered' EMULATED_VERBS_ON_DEMAND=yes UPCR_IBV_XRC=yes
# Without it nothing is kept that nobody watches.
has 'is registered for each transfer anew, .*emu0 does not page on demand' EMULATED_VERBS_ON_DEMAND=no
also 'private memory: 0 transfers found it registered'
