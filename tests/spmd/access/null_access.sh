#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# null_access.sh UPCRUN PROGRAM "CASES" [UPCRUN-OPTION...]: each case of null_access.c, at each of the threads, ends
# the job with a report that names a null pointer-to-shared, the thread and an offset: by SIGSEGV where the memory
# is mapped, by the owner's refusal where not. At thread 9, which does not exist, the report says so.
set -u
upcrun=$1 program=$2 cases=$3
shift 3
output=$(mktemp)
trap 'rm -f "$output"' EXIT
[ "$cases" = all ] && cases="put_value get_value put get strict memput memget memset_ copy_from copy_to copy_small
    nonblocking strided atomic"
ulimit -c 0
failures=0
for name in $cases; do
    for thread in 0 1 9; do
        report="access through a null pointer-to-shared, at offset 0x[0-9a-f]+ of the shared memory of UPC thread $thread,"
        [ $thread = 9 ] && report="UPC thread 9, which does not exist \(THREADS is 2\)"
        "$upcrun" -n 2 "$@" --timeout 100 "$program" "$name" $thread >"$output" 2>&1
        status=$?
        if { [ $status -eq 139 ] || [ $status -eq 255 ]; } &&
            grep -q '^UPC Runtime error: ' "$output" &&
            grep -Eq "$report" "$output"; then
            continue
        fi
        echo "FAILED: $name at thread $thread (status $status)"
        sed 's/^/    /' "$output"
        failures=$((failures + 1))
    done
done
exit $((failures != 0))
