#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# crowd.sh UPCRUN PROGRAM: the cases of crowd.c, as 128 processes on one CPU. Accesses that no object has are
# errors: of the access itself where it is the program's most likely mistake, else of the job, at its end.
set -u
upcrun=$1 program=$2
output=$(mktemp)
trap 'rm -f "$output"' EXIT
cpus=$(taskset -cp $$) # as "... list: 2-5,8"
cpus=${cpus##* }
cpu=${cpus%%[-,]*}
ulimit -c 0
failures=0

# check CASE STATUS [TEXT]
check() {
    UPC_SHARED_HEAP_SIZE=1MB taskset -c "$cpu" "$upcrun" -n 128 --timeout 200 "$program" "$1" >"$output" 2>&1
    status=$?
    [ $status -eq "$2" ] && [ -n "${3-}" ] && grep -Fq -- "$3" "$output" && return
    [ $status -eq "$2" ] && [ -z "${3-}" ] && return
    echo "FAILED: $1 (status $status)"
    sed 's/^/    /' "$output"
    failures=$((failures + 1))
}
null="access through a null pointer-to-shared, at offset 0x0 of the shared memory of UPC thread"
check right 0
check null 139 "$null 0,"
check own_null 139 "$null 3,"
check own_end 139 "past the end of the shared memory of UPC thread 3"
check stray 255 "a thread has written outside the shared memory of UPC thread 5, at offset 0x100064"
exit $((failures != 0))
