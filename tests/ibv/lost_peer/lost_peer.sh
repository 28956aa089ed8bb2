#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# lost_peer.sh UPCRUN PROGRAM: a process is killed while all processes communicate. Those whose transfers fail for that
# print nothing: the cause is reported once, by the launcher, although it is slow: a busy machine, or the end of a large
# process, takes longer than the connections that are closed first. PROGRAM communicates for a long while.
set -u
upcrun=$1 program=$2
export UPCR_PSHM=no UPCR_BACKTRACE=no UPCR_LOG_LEVEL=ibv:info SPMD_EFFORT=1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() {
    echo "FAILED: $*"
    cat "$dir/out"
    exit 1
}

"$upcrun" --conduit ibv -n 3 --timeout 200 "$program" >"$dir/out" 2>&1 &
job=$!
until [ "$(grep -c 'connected with' "$dir/out")" -ge 6 ]; do # each of three with both others
    kill -0 $job 2>/dev/null || fail "the job ended before a process was killed"
    sleep 0.1
done
by=librdmacm
[ "${UPCR_IBV_CONNECT_BY:-}" != ud ] || by=datagrams
grep -q "connections are made by $by" "$dir/out" || fail "connections are not made by $by"
victims=($(pgrep -x "$(basename "$program")"))
launcher=$(pgrep -P $job -x upcrun)
kill -STOP "$launcher" || fail "there is no launcher"
kill -KILL "${victims[1]:-none}" || fail "the job has ended already"
sleep 5
kill -CONT "$launcher"
wait $job && fail "the job has not failed"
[ "$(grep -c 'was killed by signal 9' "$dir/out")" = 1 ] || fail "the launcher has not reported once which process was killed"
! grep -E 'error: .*(failed on|was closed by the peer|accepts no work|does not take|refused)' "$dir/out" || fail "other processes report errors of their own"
grep 'was killed by' "$dir/out"
