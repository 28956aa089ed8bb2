#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# count.sh COMPILER SOURCE INCLUDE-DIR... -- FLAG...: compiles SOURCE with -O2 and FLAGs and fails when a
# function, or its loop, is longer than its name allows (access.c) or calls anything. The .text section only: what the
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
    # A loop of one function: its last jump backwards ends it.
    function finish(    i, first) {
        if (name == "") return
        ++functions
        limit = match(name, /^[lbx][0-9]+_/) ? substr(name, 2, RLENGTH - 2) + 0 : name ~ /^p_/ ? 8 : 10
        if (name ~ /^l/) {
            if (loop_end == 0) { print name ": no loop"; failed = 1 }
            for (i = first = loop_end; i > 0 && at[i] != loop_start; --i) first = i - 1
            count = loop_end - first + 1
            for (i = first; i <= loop_end; ++i) if (reach[i]) calls = 1
        }
        printf "%-16s %2d of %2d%s\n", name, count, limit, calls ? "  CALLS, OR READS THE LIMITS" : ""
        if (count > limit || calls) failed = 1
    }
    /^[0-9a-f]+ <.*>:$/ {
        finish()
        name = substr($2, 2, length($2) - 3)
        count = calls = loop_end = 0
        split("", reach)
        next
    }
    /R_X86_64_.*memcpy/ && name ~ /^b/ { next }
    /R_X86_64_PLT32/ && name ~ /^b/ { calls = 1; next }
    # A jump to an out-of-line function is a call as well; not those that are written behind the loop.
    /R_X86_64_.*upcri_(put|get|add)_/ { if (name !~ /^l/) calls = 1; next }
    /R_X86_64_.*upcri_reach/ { reach[count] = 1; next }
    /^ +[0-9a-f]+:\t/ {
        if ($2 ~ /^R_X86_64/) next
        if ($2 ~ /^(nop|nopw|nopl|data16|cs|xchg)$/) next  # alignment between functions
        if ($2 ~ /^call/ && name !~ /^[bl]/) calls = 1
        ++count
        address = $1
        sub(/:/, "", address)
        at[count] = address
        if ($2 ~ /^j/ && $2 != "jmp" && length($3) <= length(address) &&
            (length($3) < length(address) || $3 < address)) {
            loop_end = count
            loop_start = $3
        }
    }
    END {
        finish()
        if (functions < 30) { print "only " functions " functions found"; failed = 1 }
        exit failed
    }'
