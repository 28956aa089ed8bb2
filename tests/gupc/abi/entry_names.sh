#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# entry_names.sh NM ARCHIVE LIST: the archive defines every function of the list, and the list has as many
# as it says.
set -euo pipefail
export LC_ALL=C
defined=$("$1" --defined-only "$2" | awk '$2 == "T" {print $3}' | sort)
bad=0 title='' expected=0 names=()

close_group() {
    [ -n "$title" ] || return 0
    local different wrong
    different=$(printf '%s\n' "${names[@]}" | sort -u | wc -l)
    if [ "$different" -ne "$expected" ]; then echo "$title: $different names, not $expected"; bad=1; fi
    wrong=$(printf '%s\n' "${names[@]}" | sort | comm -23 - <(printf '%s\n' "$defined"))
    if [ -n "$wrong" ]; then echo "$title: not in the archive:"; echo "$wrong"; bad=1; fi
    echo "$title: $different"
}

while read -r line; do
    case $line in
        '' | '#'*) ;;
        group*)
            close_group
            title=${line#group } expected=${title##*: } title=${title%: *} names=() ;;
        *) eval "names+=($line)" ;; # only for the braces
    esac
done <"$3"
close_group
[ -n "$title" ] || { echo "no group in $3"; exit 1; }
exit $bad
