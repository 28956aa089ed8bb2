#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# count.sh UPCC UPCRUN SOURCE WRITTEN OPTIMISED: where threads do not map each other's memory, the program does WRITTEN
# gets as it is written, and OPTIMISED with --opt=2.
set -eu
upcc=$1 upcrun=$2 source=$3 written=$4 optimised=$5
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() {
    echo "FAILED: $*"
    cat "$dir/out" 2>/dev/null || true
    exit 1
}
gets() {
    "$upcc" -O2 --opt="$1" "$source" -o "$dir/program"
    UPCR_PSHM=no "$upcrun" -n 2 --timeout 60 --stats="$dir/stats.json" "$dir/program" >"$dir/out" 2>&1 || fail "--opt=$1"
    grep -qx 'done' "$dir/out" || fail "--opt=$1: no 'done'"
    python3 -c 'import json, sys
print(sum(kind["count"] for kind in json.load(open(sys.argv[1]))["kinds"] if kind["kind"] == "get"))' "$dir/stats.json"
}
general=$(gets 0)
together=$(gets 2)
[ "$general" = "$written" ] || fail "--opt=0: $general gets"
[ "$together" = "$optimised" ] || fail "--opt=2: $together gets"
