#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# hooks.sh UPCRUN PROGRAM: in a guest, PROGRAM (spmd/access/private_memory.c) where changes of memory are noticed by
# hooks: its data are right, and memory did stay registered.
set -eu
upcrun=$1 program=$2 processes=2
export UPCR_PSHM=no UPCR_IBV_WATCH=hooks UPCR_LOG_LEVEL=ibv:info
if ! log=$("$upcrun" --conduit ibv -n $processes --timeout 280 "$program" 2>&1); then
    printf '%s\nFAILED: the program\n' "$log"
    exit 1
fi
for line in 'private memory that is registered is watched by hooks' \
    'private memory: [1-9][0-9]* transfers found it registered,.*[1-9][0-9]* entries became stale'; do
    if [ "$(grep -c "$line" <<<"$log")" -ne $processes ]; then
        printf '%s\nFAILED: not in the log of each process: %s\n' "$log" "$line"
        exit 1
    fi
done
