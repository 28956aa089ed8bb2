#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh UPCC UPCRUN GENERATOR FIRST COUNT [UPCC OPTION...]: the programs of COUNT seeds from FIRST on, in one file,
# compiled by upcc with the options and run with 1, 2, 3 and 5 threads (with -T N: with N). The program checks
# itself and prints `done`. What fails is kept if UPCR_KEEP names a folder.
set -eu
upcc=$1 upcrun=$2 generator=$3 first=$4 count=$5
shift 5
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() {
    echo "FAILED: seeds $first to $((first + count - 1)), options: $options: $*"
    if [ -n "${UPCR_KEEP-}" ]; then
        cp "$dir/program.upc" "$UPCR_KEEP/$(basename "$generator" .py).$first.upc"
    fi
    exit 1
}
options=$*
python3 "$generator" "$first" "$count" >"$dir/program.upc"
"$upcc" "$@" -w "$dir/program.upc" -o "$dir/program" >"$dir/messages" 2>&1 || {
    head -n 40 "$dir/messages"
    fail "does not compile"
}
threads="1 2 3 5"
while [ $# -gt 0 ]; do
    if [ "$1" = -T ]; then threads=$2; fi
    shift
done
for n in $threads; do
    "$upcrun" -n "$n" --timeout 120 "$dir/program" >"$dir/out" 2>&1 || {
        tail -n 20 "$dir/out"
        fail "$n threads"
    }
    grep -qx "done" "$dir/out" || fail "$n threads print no 'done'"
done
