#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# count.sh COMPILER SOURCE INCLUDE-DIR... -- FLAG...: compiles SOURCE with -O2 and FLAGs and fails when a
# function is longer than its name allows (access.c) or calls anything. The .text section only: what the
# compiler put into .text.unlikely is the cold path.
set -eu
compiler=$1 source=$2
shift 2
flags=()
while [ "$1" != -- ]; do
    flags+=("-I$1")
    shift
done
shift
object=$(mktemp --suffix=.o)
trap 'rm -f "$object"' EXIT
"$compiler" -std=gnu11 -O2 "${flags[@]}" "$@" -c "$source" -o "$object"

objdump -dr --no-show-raw-insn --section=.text "$object" | awk '
    function finish() {
        if (name == "") return
        ++functions
        limit = name ~ /^p_/ ? 8 : 10
        printf "%-16s %2d of %2d%s\n", name, count, limit, calls ? "  CALLS" : ""
        if (count > limit || calls) failed = 1
    }
    /^[0-9a-f]+ <.*>:$/ { finish(); name = substr($2, 2, length($2) - 3); count = calls = 0; next }
    /R_X86_64_.*upcri_(put|get)_/ { calls = 1; next }  # a jump to an out-of-line function is a call as well
    /^ +[0-9a-f]+:\t/ {
        if ($2 ~ /^R_X86_64/) next
        if ($2 ~ /^(nop|nopw|nopl|data16|cs|xchg)$/) next  # alignment between functions
        if ($2 ~ /^call/) calls = 1
        ++count
    }
    END {
        finish()
        if (functions < 30) { print "only " functions " functions found"; failed = 1 }
        exit failed
    }'
