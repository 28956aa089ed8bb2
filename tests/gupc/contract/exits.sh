#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# exits.sh UPCRUN PROGRAM: each kind of exit of a program (exits.c), with its status.
set -u
export UPCR_BACKTRACE=no
bad=0
for expected in exit:21 exitg:22 return:23 global:24 globalg:25; do
    output=$(timeout 60 "$1" -n 2 "$2" "${expected%:*}" 2>&1)
    status=$?
    if [ "$status" != "${expected#*:}" ] || [ "$output" != $'main\nmain' ]; then
        echo "$expected: status $status: $output"
        bad=1
    fi
done
output=$(timeout 60 "$1" -n 2 "$2" fatal 2>&1)
status=$?
if [ "$status" = 0 ] || ! grep -q 'error: what the program says' <<<"$output"; then
    echo "fatal: status $status: $output"
    bad=1
fi
exit $bad
