#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# xrc.sh UPCRUN TRANSFERS: one queue pair for all processes of a host (UPCR_IBV_XRC), over emulated devices: when it is
# used, how many queue pairs there are, and what is reported when it cannot be used or fails.
# shellcheck source=tests/ibv/faults/common.sh
. "$(dirname "$0")/../faults/common.sh"
export UPCR_PSHM=yes UPCR_NODE_SIZE=2 UPCR_LOG_LEVEL=ibv:info UPCR_IBV_XRC=yes

# start N [NAME=VALUE...] [-- COMMAND...]: N processes, in which each transfers to and from each.
start() {
    local n=$1 settings=()
    shift
    while [ $# != 0 ] && [ "$1" != -- ]; do settings+=("$1"); shift; done
    shift
    env "${settings[@]}" "$UPCRUN" --conduit ibv -n "$n" --timeout 200 "${@:-$TRANSFERS}" 3
}
# queue_pairs N HOSTS: N processes had queue pairs to HOSTS hosts each, and in all as many that receive.
queue_pairs() {
    output_has_times "$1" "XRC: at most $2 queue pairs to hosts"
    local receive
    receive=$(sed -n 's/.*queue pairs to hosts, \([0-9]*\) that receive.*/\1/p' "$dir/out" | paste -sd+ | bc)
    [ "$receive" = $(($1 * $2)) ] || fail "$receive queue pairs receive, not $(($1 * $2))"
}
output_has_times() {
    [ "$(grep -cE -- "$2" "$dir/out")" = "$1" ] || fail "not $1 times in the output: $2"
}

# -- how many
ends_with 0 start 4
queue_pairs 4 1
ends_with 0 start 6
queue_pairs 6 2
ends_with 0 start 8 UPCR_NODE_SIZE=4 UPCR_IBV_CONNECT=all
queue_pairs 8 2 # a queue pair to the own host, too
ends_with 0 start 5 UPCR_NODE_SIZE=3 EMULATED_VERBS_LOSE_DATAGRAMS=3
queue_pairs 5 1
# Those of two ports, where the processes of a host are distributed over them.
ends_with 0 start 4 EMULATED_VERBS_LINK=infiniband
queue_pairs 4 1

# The completion queue grows with them; where the device has no longer ones, there are several.
ends_with 0 start 6 UPCR_NODE_SIZE=1 EMULATED_VERBS_LINK=infiniband
queue_pairs 6 5
output_has_times 6 'a completion queue grows from'
ends_with 0 start 6 UPCR_NODE_SIZE=1 EMULATED_VERBS_LINK=infiniband UPCR_IBV_SRQ_SIZE=16 EMULATED_VERBS_MAX_CQE=200
queue_pairs 6 5
output_lacks 'a completion queue grows from'
output_has 'completion queue 2 of emu0: 200 entries'

# -- when
unset UPCR_IBV_XRC
ends_with 0 start 6 UPCR_IBV_CONNECTIONS=3
queue_pairs 6 2
ends_with 0 start 6 UPCR_IBV_CONNECTIONS=4
output_has_times 6 'no XRC: each process may have a queue pair for each process of other hosts'
# As many hosts as processes, as with ranks that are dealt to hosts one by one: the device has queue pairs for one
# between two processes, not for two.
ends_with 0 start 8 UPCR_IBV_CONNECTIONS=3 UPCR_NODE_SIZE=1 EMULATED_VERBS_MAX_QP=80
output_has_times 8 'no XRC: rank 0 may need 7 queue pairs to hosts'
ends_with 0 start 6 UPCR_IBV_CONNECTIONS=3 UPCR_IBV_XRC=no
output_has_times 6 'no XRC: UPCR_IBV_XRC=no'
ends_with 0 start 6 UPCR_IBV_CONNECTIONS=3 UPCR_IBV_SRQ=no
output_has_times 6 'no XRC: rank 0 uses no shared receive queue'
ends_with 0 start 6 UPCR_IBV_CONNECTIONS=3 EMULATED_VERBS_XRC=no
output_has_times 6 'no XRC: rank 0 has a device without XRC'
# All processes decide alike.
# shellcheck disable=SC2016 # the processes expand it
one_without='[ "$UPCR_RANK" != 3 ] || export EMULATED_VERBS_XRC=no; exec "$0" "$@"'
ends_with 0 start 6 UPCR_IBV_CONNECTIONS=3 -- sh -c "$one_without" "$TRANSFERS"
output_has_times 6 'no XRC: rank 3 has a device without XRC'
ends_with bad start 6 UPCR_IBV_XRC=yes -- sh -c "$one_without" "$TRANSFERS"
output_has 'UPCR_IBV_XRC=yes, but rank 3 has a device without XRC'
ends_with bad start 4 UPCR_IBV_XRC=yes UPCR_IBV_SRQ=no
output_has 'UPCR_IBV_XRC=yes, but rank 0 uses no shared receive queue'

# -- failures
export UPCR_IBV_XRC=yes
ends_with bad start 4 EMULATED_VERBS_FAIL_CREATE_QP=3 # behind one that finds out limits, and that of datagrams
output_has 'no queue pair can be created for rank'
# Two for each process at the start, and four that send: none is left that receives.
ends_with bad start 4 EMULATED_VERBS_MAX_QP=8 UPCR_IBV_CONNECT=all UPCR_NODE_SIZE=1 UPCR_IBV_CONNECT_TIMEOUT=1
output_has 'cannot (create a receiving XRC queue pair|connect to rank)|no queue pair can be created'

# Rank 2 has made the queue pairs that receive for its host, or shares them with 3.
for victim in 2 3; do
    start_job 4
    kill -KILL "${processes[victim]}"
    job_ends
    output_has "rank $victim.* was killed by signal 9"
done
# Without the launcher the others find out by themselves, and wait for its word.
export UPCR_ALL_ERRORS=yes UPCR_IBV_TIMEOUT=1
start_job 4
launchers=($job $(pgrep -P $job -x upcrun))
kill -STOP "${launchers[@]}"
kill -KILL "${processes[2]}"
have_noticed() { grep -qE 'lost rank [23]: ' "$dir/err.${processes[0]}" "$dir/err.${processes[1]}"; }
until_true 50 have_noticed ||
    { fail "without upcrun the others have not noticed 50 seconds later"; what_processes_do; }
kill -CONT "${launchers[@]}"
job_ends
output_has "rank 2.* was killed by signal 9"
output_lacks 'error: .*failed on'
finish
