#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# names.sh CC NM COUNT OBJECT...: prototypes.h declares COUNT functions, and the objects refer to each of them and to
# each of its variables.
set -euo pipefail
export LC_ALL=C
cc=$1 nm=$2 count=$3
here=$(cd "$(dirname "$0")" && pwd)
# The system's headers that it includes have types only.
declarations=$("$cc" -E -P -x c "$here/prototypes.h" 2>&1 | tr '\n' ' ' |
    sed 's/typedef struct {[^}]*}/typedef/g; s/;/;\n/g' | grep -v typedef)
functions=$(grep -v extern <<<"$declarations" | sed -nE 's/^[^(]*[ *]([A-Za-z_][A-Za-z_0-9]*) *\(.*/\1/p' | sort -u)
variables=$(grep extern <<<"$declarations" | grep -oE '[A-Za-z_]+[0-9]*_?[A-Za-z_]+' | grep -E '^__upc_|THREAD' | sort -u)
number=$(wc -l <<<"$functions")
bad=0
if [ "$number" != "$count" ]; then
    echo "$number functions, not $count"
    bad=1
fi
used=$("$nm" --undefined-only "${@:4}" | awk '$1 == "U" {print $2}' | sort -u)
missing=$(printf '%s\n%s\n' "$functions" "$variables" | sort -u | comm -23 - <(printf '%s\n' "$used"))
if [ -n "$missing" ]; then
    echo "no program refers to:"
    echo "$missing"
    bad=1
fi
echo "$number functions, $(wc -l <<<"$variables") variables"
exit $bad
