#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# one_object.sh OUT KEPT IN...: links IN, objects, into OUT, in which only the names of the file KEPT, patterns, stay
# global. LD, NM and OBJCOPY name the programs, OBJCOPY_OPTIONS options of the last. See UpcrStatic.cmake.
set -eu
out=$1 kept=$2
shift 2
"$LD" -r --strip-debug --force-group-allocation -o "$out" "$@"
# Unique symbols (variables of inline functions of the C++ library) cannot be made local by objcopy: they get names of
# this object's own.
stem=$(basename "$out" .o)
"$NM" "$out" | awk -v stem="$stem" '$2 == "u" { print $3, (index($3, "upcr_static.") == 1 ? "" : "upcr_static." stem ".") $3 }' >"$out.unique"
# shellcheck disable=SC2086
"$OBJCOPY" --localize-hidden --wildcard --keep-global-symbols="$kept" --redefine-syms="$out.unique" $OBJCOPY_OPTIONS "$out"
