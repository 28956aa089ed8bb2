#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# pthread_exit_ibv.sh UPCRUN PROGRAM: UPC threads that end by pthread_exit(), over ibv (PROGRAM: ends.c). The status is
# the job's, and every thread's line and file are whole.
set -u
upcrun=$1 program=$2
export UPCR_PSHM=no
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() {
    echo "FAILED: $*"
    cat "$dir/out" "$dir/err"
    exit 1
}

# check HOW STATUS PTHREADS
check() {
    rm -f "$dir"/[0-3]
    "$upcrun" --conduit ibv -n 4 --pthreads "$3" --timeout 100 "$program" "$1" "$dir" >"$dir/out" 2>"$dir/err"
    local got=$?
    [ $got = "$2" ] || fail "$1, $3 threads a process: status $got, expected $2"
    [ "$(sort "$dir/out")" = "$(printf 'thread %d\n' 0 1 2 3)" ] || fail "$1, $3 threads a process: lines are missing"
    for i in 0 1 2 3; do
        [ "$(cat "$dir/$i")" = "file of $i" ] || fail "$1, $3 threads a process: the file of thread $i is not whole"
    done
}

check pthread_exit_some 4 1
[ ! -s "$dir/err" ] || fail "words on stderr"
check pthread_exit 0 2
[ ! -s "$dir/err" ] || fail "words on stderr"
check pthread_exit_in_barrier 255 2
grep -q 'thread 2 has ended its program while thread 0 waits in barrier 7' "$dir/err" || fail "another error"
