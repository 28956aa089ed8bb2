#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# killed.sh UPCRUN TRANSFERS: a process is killed in the middle of transfers. In the first job upcrun ends the others.
# In the second one upcrun is stopped: each of them finds out by itself, and waits for it to end them.
# shellcheck source=tests/ibv/faults/common.sh
. "$(dirname "$0")/common.sh"

start_job 3
kill -KILL "${processes[1]}"
job_ends
output_has 'rank 1'

export UPCR_ALL_ERRORS=yes
start_job 3
launchers=($job $(pgrep -P $job -x upcrun))
[ ${#launchers[@]} = 2 ] || fail "upcrun is expected to be two processes, one of which takes care of the other"
kill -STOP "${launchers[@]}"
kill -KILL "${processes[1]}"
both_have() {
    grep -qE "$pattern" "$dir/err.${processes[0]}" && grep -qE "$pattern" "$dir/err.${processes[2]}"
}
pattern='error: .*rank 1 .*(its process has ended|failed on)'
until_true 50 both_have ||
    { fail "without upcrun the others have not noticed 50 seconds later"; what_processes_do; }
kill -CONT "${launchers[@]}"
job_ends
grep -h 'error:' "$dir/out"
finish
