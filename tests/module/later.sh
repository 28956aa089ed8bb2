#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# later.sh UPCRUN PROGRAM LIBRARY_DIR: a program that was linked when there was no mpi conduit reports what is missing,
# and runs over it, unchanged, when the module has been installed.
set -euo pipefail
upcrun=$1 program=$2 libraries=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset UPCR_MODULE_PATH
export LD_LIBRARY_PATH=$work UPCR_PSHM=no

cp -L "$libraries/libupcr.so.0" "$work"
before=$(sha256sum <"$program")
if "$upcrun" --conduit mpi -n 2 --timeout 120 "$program" >"$work/out" 2>&1; then
    echo "FAILED: the job ran without the module"; exit 1
fi
grep -q "conduit 'mpi'.*not installed: no conduit_mpi_[a-z]*.so in $work/upcr" "$work/out" ||
    { echo "FAILED: the error does not say what is missing"; cat "$work/out"; exit 1; }

mkdir "$work/upcr"
cp -r "$libraries/upcr/upcr" "$work/upcr"
"$upcrun" --conduit mpi -n 2 --timeout 120 "$program" >"$work/out" 2>&1 && [ ! -s "$work/out" ] ||
    { echo "FAILED: the job does not run with the module"; cat "$work/out"; exit 1; }
# The copied library was used, and the network.
UPCR_LOG_LEVEL=network:info "$upcrun" -v --conduit mpi -n 2 --timeout 120 "$program" >"$work/out" 2>&1
grep -q "mpi: " "$work/out" || { echo "FAILED: the job did not use MPI"; cat "$work/out"; exit 1; }
[ "$before" = "$(sha256sum <"$program")" ]
echo "the program runs over a module that was installed later"
