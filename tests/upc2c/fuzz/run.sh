#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh UPCC UPCRUN GENERATOR FIRST COUNT "LEVEL..." [UPCC OPTION...]: the programs of COUNT seeds from FIRST on, in
# one file, compiled by upcc with the options and each --opt=LEVEL and run with 1, 2, 3 and 5 threads (with -T N: with
# N). The level `plain` is level 0 without the C compiler's optimisation; `apart` is the program of the level before it
# where threads do not map each other's memory. The model of the programs is compiled once. Each program checks itself
# and prints `done`. What fails is kept if UPCR_KEEP names a folder.
set -eu
upcc=$1 upcrun=$2 generator=$3 first=$4 count=$5 levels=$6
shift 6
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
options=$*
level=
fail() {
    echo "FAILED: seeds $first to $((first + count - 1)), options: $options, level $level: $*"
    if [ -n "${UPCR_KEEP-}" ]; then
        cp "$dir/program.upc" "$UPCR_KEEP/$(basename "$generator" .py).$first.upc"
        [ ! -f "$dir/model.c" ] || cp "$dir/model.c" "$UPCR_KEEP/$(basename "$generator" .py).$first.model.c"
    fi
    exit 1
}
threads="1 2 3 5"
arguments=("$@")
while [ $# -gt 0 ]; do
    if [ "$1" = -T ]; then threads=$2; fi
    shift
done
python3 "$generator" "$first" "$count" "$dir"
model=()
if [ -f "$dir/model.c" ]; then
    "${UPCC_CC:-cc}" -O0 -w -fwrapv -c "$dir/model.c" -o "$dir/model.o"
    model=("$dir/model.o")
fi
for level in $levels; do
    opt=("--opt=$level")
    [ "$level" != plain ] || opt=(-O0 --opt=0)
    if [ "$level" = apart ]; then
        export UPCR_PSHM=no
    elif ! "$upcc" "${arguments[@]}" "${opt[@]}" -w "$dir/program.upc" "${model[@]}" -o "$dir/program" \
        >"$dir/messages" 2>&1; then
        head -n 40 "$dir/messages"
        fail "does not compile"
    fi
    for n in $threads; do
        "$upcrun" -n "$n" --timeout 120 "$dir/program" >"$dir/out" 2>&1 || {
            tail -n 20 "$dir/out"
            fail "$n threads"
        }
        grep -qx "done" "$dir/out" || fail "$n threads print no 'done'"
    done
done
