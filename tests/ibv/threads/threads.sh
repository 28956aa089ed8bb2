#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# threads.sh UPCRUN PROGRAM PATHS PROCESSES PTHREADS: runs PROGRAM, which prints nothing, in PROCESSES processes of
# PTHREADS threads each. Each process has to have PATHS send paths: with fewer, or more, other peers share one.
set -u
upcrun=$1 program=$2 paths=$3 processes=$4 pthreads=$5
out=$(mktemp)
trap 'rm -f "$out"' EXIT
fail() { echo "FAILED: $*"; cat "$out"; exit 1; }

UPCR_LOG_LEVEL=ibv:info "$upcrun" --conduit ibv -n $((processes * pthreads)) --pthreads "$pthreads" --timeout 280 \
    "$program" >"$out" 2>&1 || fail "status $?"
! grep -vE "^\[upcr [0-9]+/[0-9]+ ibv info\] " "$out" | grep . || fail "output"
found=$(grep -c "\] send paths: $paths, to $((processes - 1)) processes" "$out")
[ "$found" = "$processes" ] || fail "$found of $processes processes have $paths send paths"
