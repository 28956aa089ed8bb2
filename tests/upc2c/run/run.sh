#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh UPCC UPCRUN "THREADS..." SOURCE... [-- UPCC OPTION...]: a program that checks itself, compiled by upcc and run
# with each number of threads. It must exit with 0 and print a line `done`, and upcc must print nothing.
set -eu
upcc=$1 upcrun=$2 threads=$3
shift 3
sources=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    sources+=("$1")
    shift
done
[ $# -eq 0 ] || shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() {
    echo "FAILED: $*"
    tail -n 40 "$dir/output"
    exit 1
}
"$upcc" -w "$@" "${sources[@]}" -lm -o "$dir/program" >"$dir/output" 2>&1 || fail "does not compile: upcc -w $* ${sources[*]}"
[ ! -s "$dir/output" ] || fail "upcc -w $* prints"
for n in $threads; do
    "$upcrun" -n "$n" --timeout 240 "$dir/program" >"$dir/output" 2>&1 || fail "$n threads, upcc $*"
    grep -qx 'done' "$dir/output" || fail "$n threads, upcc $*: no 'done'"
done
