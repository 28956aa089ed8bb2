#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# exported.sh NM LIBRARY LIST LAYOUT: the exports of the library are those of LIST: lines "NAME VERSION", sorted; with a
# third word, packed or struct, in libraries of that layout alone. UPDATE=1 writes a list.
set -euo pipefail
export LC_ALL=C
nm=$1 library=$2 list=$3 layout=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$nm" -D --defined-only "$library" | awk '$2 != "A" { sub(/@+/, " ", $3); print $3 }' | sort >"$work/now"
[ -s "$work/now" ] || { echo "FAILED: $library exports nothing"; exit 1; }
if [ "${UPDATE:-}" = 1 ]; then
    sed '/^upcri_pointers_packed_p/s/$/ packed/' "$work/now" >"$list"
    exit 0
fi
awk -v layout="$layout" 'NF < 3 || $3 == layout { print NF == 1 ? $1 : $1 " " $2 }' "$list" | sort >"$work/listed"
appeared=$(comm -23 "$work/now" "$work/listed") vanished=$(comm -13 "$work/now" "$work/listed")
say() { sed "s/^/  $1: /" <<<"$2" | c++filt; }
[ -z "$appeared$vanished" ] && { echo "$(wc -l <"$work/now") symbols"; exit 0; }
echo "FAILED: $(basename "$library") does not export what $list lists:"
[ -z "$appeared" ] || say appeared "$appeared"
[ -z "$vanished" ] || say vanished "$vanished"
echo "If this is meant, add or remove these lines there: UPDATE=1 $0 $nm $library $list $layout"
exit 1
