#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# kill_rounds.sh ROUNDS PROGRAM [ARGUMENTS...]: in each round a random process of a job of four (upcrun's two
# included) is killed with -9 at a random moment, and nothing of the job may be left afterwards. PROGRAM must
# print "ready" on each of four UPC threads and then go on for ever. UPCRUN_UNDER_TEST names upcrun.
set -u
: "${UPCRUN_UNDER_TEST:?}"
exec 2>/dev/null  # the shell's messages about killed children
rounds=${1:?usage: kill_rounds.sh ROUNDS PROGRAM [ARGUMENTS...]}
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# pids of the live processes that carry the mark
marked() { grep -lz "^JOB_MARK=$1\$" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3; }

fail() {
    echo "round $round: $1"
    sed 's/^/    /' "$log"
    for pid in $(marked "$mark"); do
        echo "    left: $pid $(tr '\0' ' ' <"/proc/$pid/cmdline")"
        kill -9 "$pid"
    done
    exit 1
}

for ((round = 1; round <= rounds; ++round)); do
    mark=$(cat /proc/sys/kernel/random/uuid)
    JOB_MARK=$mark "$UPCRUN_UNDER_TEST" -n 4 "$@" >"$log" 2>&1 &
    job=$!
    if ((RANDOM % 4)); then  # usually a job that runs, sometimes one that starts
        for ((i = 0; i < 3000; ++i)); do
            [ "$(grep -c ready "$log")" = 4 ] && break
            sleep 0.01
        done
        [ "$i" -lt 3000 ] || fail "the job has not started"
    else
        sleep "0.0$((RANDOM % 10))"
    fi
    pids=()
    for ((i = 0; i < 3000 && ${#pids[@]} == 0; ++i)); do mapfile -t pids < <(marked "$mark"); done
    [ ${#pids[@]} -gt 0 ] || fail "no process found"
    victim=${pids[RANDOM % ${#pids[@]}]}
    kill -9 "$victim" 2>/dev/null
    for ((i = 0; i < 2000; ++i)); do  # 20 s, ten times what the end may take
        [ -z "$(marked "$mark")" ] && break
        sleep 0.01
    done
    [ "$i" -lt 2000 ] || fail "20 s after pid $victim was killed the job is not gone"
    wait "$job" 2>/dev/null
    status=$?
    [ "$status" -ne 0 ] || fail "pid $victim was killed, and the status is 0"
done
echo "$rounds rounds, nothing left behind"
