#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# exits.sh UPCRUN PROGRAM: however a job ends, its status and its message are right, and no process is left behind.
set -u
upcrun=$1 program=$2 options=
mark="exits-mark-$$-$RANDOM"
failed=0

# expect STATUS SCENARIO CODE [PATTERN [ABSENT]]: of a job of 3 nodes.
expect() {
    local output status
    output=$(timeout 120 "$upcrun" -n 3 $options "$program" "$2" "$3" "$mark" 2>&1)
    status=$?
    if ! [[ $status =~ ^($1)$ ]]; then
        echo "FAILED: $2: status $status instead of $1: $output"; failed=1
    elif [ $# -gt 3 ] && ! grep -qE -- "$4" <<<"$output"; then
        echo "FAILED: $2: no '$4' in: $output"; failed=1
    elif [ $# -gt 4 ] && grep -qE -- "$5" <<<"$output"; then
        echo "FAILED: $2: '$5' in: $output"; failed=1
    elif [ $# -eq 3 ] && [ -n "$output" ]; then
        echo "FAILED: $2: output: $output"; failed=1
    fi
    if grep -zqsx -- "$mark" /proc/[0-9]*/cmdline 2>/dev/null; then
        # The shell's own command line does not hold the mark by itself.
        sleep 1
        if grep -lzsx -- "$mark" /proc/[0-9]*/cmdline 2>/dev/null | grep -q .; then
            echo "FAILED: $2: a process is left"; failed=1
        fi
    fi
}

expect 11 all 11 'buffered line of 2'
expect 0 all 0 'buffered line of 2'
expect '3[012]' codes 30
for mode in return exit early_all early_one one one_spin return_one return_spin exit_one loopback handler_all \
    handler_one handler_many; do
    expect 23 $mode 23
done
expect 44 int 44 '^\*\*\* Caught a signal: SIGINT\(2\) on node 2/3$'
expect 1 term 5 '^\*\*\* Caught a signal: SIGTERM\(15\) on node 2/3$'
expect 1 quit 5
expect 45 quit_seen 45 'node 0 caught SIGQUIT'
expect 134 abort 0 '^\*\*\* Caught a fatal signal: SIGABRT\(6\) on node 2/3$'
expect 139 segv 0 '^\*\*\* Caught a fatal signal: SIGSEGV\(11\) on node 2/3$'
expect 135 bus 0 '^\*\*\* Caught a fatal signal: SIGBUS\(7\) on node 2/3$'
expect 136 fpe 0 '^\*\*\* Caught a fatal signal: SIGFPE\(8\) on node 2/3$'
expect 134 fatal 0 '^\*\*\* FATAL ERROR: .*handler 254.*\(node 2/3'
expect 6 _exit 6 'node 2 .*gasnet_exit\(\)'
if [[ $program == *par* ]]; then
    for mode in thread_all thread_barrier thread_spin thread_poll thread_send thread_block; do
        expect 57 $mode 57
    done
fi
export GASNET_NO_CATCH_SIGNAL=SEGV,TERM
expect 139 segv 0 'killed by signal 11'
expect 143 term 0 'killed by signal 15'
unset GASNET_NO_CATCH_SIGNAL
# Signal handlers acquire no lock that the thread may hold.
for round in 1 2 3 4 5 6; do
    expect 1 getenv_int 0 '^\*\*\* Caught a signal: SIGINT\(2\) on node 2/3$'
done
expect 139 getenv_segv 0 '^\*\*\* Caught a fatal signal: SIGSEGV\(11\) on node 2/3$'
GASNET_BACKTRACE=yes expect 139 getenv_segv 0 '#[0-9]+ .*main'
GASNET_BACKTRACE=yes GASNET_BACKTRACE_NODES=0-1 expect 134 abort 0 'SIGABRT' '#[0-9]+ '
GASNET_BACKTRACE=yes GASNET_BACKTRACE_NODES=0,2 expect 134 abort 0 '#[0-9]+ '
# How long other nodes may run on: only after code 0.
GASNET_EXITTIMEOUT=60 expect 0 late 0 'buffered line of 2'
GASNET_EXITTIMEOUT_MIN=60 expect 0 late 0 'buffered line of 2'
GASNET_EXITTIMEOUT=0.1 expect 0 one_spin 0
expect 0 one_spin 0
export GASNET_EXITTIMEOUT=1000
expect 23 one_spin 23
expect 23 late_failure 23
expect 139 segv 0 'SIGSEGV'
options='--timeout 1'
expect 124 one_spin 0 'has not ended within 1 s'
options=
unset GASNET_EXITTIMEOUT
GASNET_FS_SYNC=0 expect 23 return 23
GASNET_FS_SYNC=no expect 23 return 23
GASNET_FS_SYNC=1 expect 23 return 23 'sync was called'
GASNET_BACKTRACE=yes expect 134 abort 0 '#[0-9]+ .*crash|#[0-9]+ .*main'
exit $failed
