#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# library_misuse.sh UPCRUN RELEASE DEBUG SOURCE: each case of library_misuse.c ends as the source says.
set -u
upcrun=$1 release=$2 debug=$3 source=$4
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0 cases=0

# expect PROGRAM NAME PATTERN LINE: LINE is empty where the message has no position.
expect() {
    local program=$1 name=$2 pattern=$3 line=$4 ok=yes got
    "$upcrun" -n 2 --timeout 200 "$program" "$name" >"$output" 2>&1
    got=$?
    [ $got -eq 255 ] && grep 'UPC Runtime error' "$output" | grep -Eq -- "$pattern" || ok=no
    if [ -n "$line" ] && ! grep -Eq "library_misuse\.c:$line([^0-9]|\$)" "$output"; then ok=no; fi
    [ $ok = yes ] && return
    echo "FAILED: $(basename "$program") $name (status $got, expected 255; '$pattern'; line ${line:-none})"
    sed 's/^/    /' "$output"
    failures=$((failures + 1))
}

while read -r name where pattern; do
    line=$(grep -n "HERE: $name \*/" "$source" | cut -d: -f1)
    expect "$debug" "$name" "$pattern" "$line"
    if [ "$where" = both: ]; then expect "$release" "$name" "$pattern" ''; fi
    cases=$((cases + 1))
done < <(sed -n 's,^/\* expect \(.*\) \*/$,\1,p' "$source")
[ $cases -eq "$(grep -c '^    CASE(' "$source")" ] || { echo "FAILED: $cases expectations"; exit 1; }
exit $((failures != 0))
