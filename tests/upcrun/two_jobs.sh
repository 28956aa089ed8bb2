#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Two jobs that run at the same time get different CPUs, also where they start at the same moment; one that finds
# no free CPU shares one. In namespaces of their own, where no other processes and claims are seen.
#   two_jobs.sh UPCRUN
set -eu
if [ "$1" != --inside ]; then
    [ "$(nproc)" -ge 2 ] || { echo "skipped: one CPU"; exit 77; }
    separate="unshare --user --map-root-user --net --pid --fork --kill-child=KILL --mount-proc"
    $separate true 2>/dev/null || { echo "skipped: no namespaces here"; exit 77; }
    exec $separate "$0" --inside "$@"
fi
upcrun=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
wait_for_go="while [ ! -e go ]; do sleep 0.05; done"

fail() { echo "FAIL: $*"; exit 1; }
# start NAME: a job that writes its CPUs to a file and waits.
start() {
    "$upcrun" -n 1 --bind core sh -c "grep Cpus_allowed_list /proc/self/status >$1.new; mv $1.new $1; $wait_for_go" &
}
await() {
    tries=0
    until [ -e "$1" ]; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || fail "no job has written $1"
        sleep 0.1
    done
}

# The CPUs of two jobs are those of this process, one each: with more than two CPUs the jobs use two of them.
for round in 1 2 3 4 5; do
    rm -f a b go
    start a
    [ $round -ne 1 ] || await a
    start b
    await a
    await b
    ! cmp -s a b || fail "round $round: both jobs have $(cat a)"
    if [ $round -eq 5 ]; then
        "$upcrun" -n "$(nproc)" --bind core -v true 2>err || fail "a third job: $(cat err)"
        [ "$(grep -c 'which another job uses too' err)" -eq 2 ] || fail "a third job: $(cat err)"
    fi
    : >go
    wait
done
# Their CPUs are free again.
"$upcrun" -n "$(nproc)" --bind core -v true 2>err
! grep 'another job' err || fail "claims are left"
# Processes of other launchers.
first=$(grep Cpus_allowed_list /proc/self/status | sed "s/.*[[:space:]]//; s/[-,].*//")
rm go
taskset -c "$first" sh -c ": >bound; $wait_for_go" &
await bound
"$upcrun" -n 1 --bind core grep Cpus_allowed_list /proc/self/status >c
[ "$(sed 's/.*[[:space:]]//' c)" != "$first" ] || fail "a process that is bound is not seen"
: >go
wait
