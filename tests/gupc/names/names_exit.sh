#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# names_exit.sh UPCRUN PROGRAM PROGRAM_OF_PTHREADS [OPTION...]: upc_global_exit from any thread: the status is
# the caller's, and every process runs its handlers once and flushes its files. OPTION: of upcrun.
set -u
upcrun=$1 program=$2 pthreads=$3
shift 3
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0

# expect STATUS THREADS STEP UPCRUN_OPTION... -- PROGRAM ARGUMENT...: the handlers of threads 0, STEP, 2 STEP, ...
expect() {
    local status=$1 threads=$2 step=$3 got ok=yes t
    shift 3
    "$upcrun" --timeout 60 "$@" >"$output" 2>&1
    got=$?
    [ $got -eq "$status" ] || ok=no
    for ((t = 0; t < threads; ++t)); do
        [ "$(grep -c "^words of thread $t\$" "$output")" -eq 1 ] || ok=no
        local handlers=0
        if ((t % step == 0)); then handlers=1; fi
        [ "$(grep -c "^handler of thread $t\$" "$output")" -eq $handlers ] || ok=no
    done
    if [ $ok = no ]; then
        echo "FAILED: $* (status $got, not $status)"
        sed 's/^/    /' "$output"
        failures=$((failures + 1))
    fi
}

if [ $# -gt 0 ]; then # one start takes long
    expect 7 3 1 "$@" -n 3 "$program" plain 2
    exit $((failures != 0))
fi
expect 7 4 1 -n 4 "$program" plain 0
expect 7 4 1 -n 4 "$program" plain 3
expect 7 2 1 -n 2 "$program" g_form 1
expect 7 3 1 -n 3 "$program" plain 0 1 2
expect 7 1 1 -n 1 "$program" plain 0
expect 9 2 1 -n 2 "$program" nested 1
expect 7 3 1 -n 3 "$program" stuck 1
expect 7 3 1 -n 3 "$program" exit 1
expect 7 4 2 -n 4 --pthreads 2 "$pthreads" plain 3
expect 7 4 2 -n 4 --pthreads 2 "$pthreads" plain 1
expect 7 4 4 -n 4 --pthreads 4 "$pthreads" plain 2
expect 7 4 2 -n 4 --pthreads 2 "$pthreads" slow 0 1 2 3
exit $((failures != 0))
