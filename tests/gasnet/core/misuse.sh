#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# misuse.sh UPCRUN PROGRAM SOURCE: every case that the source's first comment lists ends the job with its message;
# the program without a case succeeds.
set -u
upcrun=$1 program=$2 source=$3
failed=0 count=0
while IFS= read -r line; do
    name=${line%%:*} pattern=${line#*: }
    output=$(timeout 120 "$upcrun" -n 2 "$program" "$name" 2>&1)
    status=$?
    count=$((count + 1))
    if [ $status -ne 134 ] || ! grep -qE -- "^\*\*\* FATAL ERROR: .*$pattern" <<<"$output"; then
        echo "FAILED: $name: status $status, expected '$pattern': $output"
        failed=1
    fi
done < <(sed -n 's/^ \* \([a-z_]*: .*\)$/\1/p' "$source")
[ $count -eq 41 ] || { echo "FAILED: $count cases"; failed=1; }
output=$(timeout 120 "$upcrun" -n 2 "$program" none 2>&1) && [ -z "$output" ] || { echo "FAILED: no misuse: $output"; failed=1; }
exit $failed
