#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# hardware.sh UPCRUN PROGRAM UPCR_INFO: emulated devices that look like hardware (with_sysfs.sh) are described so, and
# PROGRAM, which prints nothing, runs with them.
set -u
upcrun=$1 program=$2 info=$3
out=$(mktemp)
trap 'rm -f "$out"' EXIT
fail() { echo "FAILED: $*"; cat "$out"; exit 1; }

UPCR_CONDUIT=ibv "$info" --network >"$out" 2>&1 || fail "upcr_info"
grep -qE 'emu0:1 RoCE, active, 100 Gbit/s, net0, 10\.78\.1\.1$' "$out" || fail "no description of the port"
! grep -q 'in software' "$out" || fail "the device is taken for one in software"
"$upcrun" --conduit ibv -n 3 --timeout 60 "$program" >"$out" 2>&1 || fail "the job"
