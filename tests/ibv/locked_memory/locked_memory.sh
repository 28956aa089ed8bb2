#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# locked_memory.sh UPCRUN PROGRAM: in a guest, as an ordinary user whose processes may lock little memory.
# Private memory that stays registered must not take what connections need (locked_memory.c).
set -eu
upcrun=$1 program=$2
chmod a+rw /dev/infiniband/*
ulimit -l $((36 << 10))
export UPCR_PSHM=no UPC_SHARED_HEAP_SIZE=4MB UPCR_IBV_SRQ=no
user() { setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs -- "$@"; }
# There is enough for both.
user "$upcrun" --conduit ibv -n 3 --timeout 280 "$program"
# Receive buffers of 9 MB for each peer: registered memory must be released when the second one connects.
UPCR_IBV_RECEIVES=1024 user "$upcrun" --conduit ibv -n 3 --timeout 280 "$program"
