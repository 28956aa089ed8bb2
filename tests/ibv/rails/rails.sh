#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# rails.sh UPCRUN RAILS PROGRAMS MODULES CASE...: processes with two ports, each in a subnet of its own, distribute their
# large transfers (docs/reference/ibv.md). PROGRAMS: the folder of the other programs; MODULES: of modules for RAILS. Of two processes the first connection goes
# by the second port, and so the rail by the first one.
set -u
rails=$2 programs=$3 modules=$4
cases=("${@:5}")
# shellcheck source=tests/ibv/faults/common.sh
. "$(dirname "$0")/../faults/common.sh"
TRANSFERS=$programs/ibv_transfers
clean_up() {
    delete_second_device
    [ -n "$emulated" ] || ip addr replace 10.77.0.1/24 dev dummy0
}
make_second_device

# How rank 0 makes sure that its rails are there: only rxe counts packets.
first=(--first) counters=()
if [ "$kind" = rxe ]; then
    first=() counters=(/sys/class/infiniband/rxe{0,1}/ports/1/hw_counters/sent_pkts)
fi
export "UPCR_IBV_PORTS=${kind}0:1,${kind}1:1" UPCR_LOG_LEVEL=ibv:info
# start PROCESSES ENVIRONMENT... -- ARGUMENTS OF RAILS
start() {
    local n=$1 settings=()
    shift
    while [ "$1" != -- ]; do settings+=("$1"); shift; done
    shift
    env UPCR_MODULE_PATH="$modules" "${settings[@]}" "$UPCRUN" --conduit ibv -n "$n" --timeout 200 "$rails" "$@"
}
agree() { output_has "all $1 ranks agree"; }
# Both ports of rank 0 have carried parts of its transfers with rank 1, as many bytes each.
both_ports_carry() {
    output_has "rail to rank 1 .*, by port ${kind}0:1"
    output_has "rail of rank 0 .*, by port ${kind}0:1"
    local port
    for port in 0 1; do output_has "large transfers with rank 1: [1-9][0-9]* parts of [1-9][0-9]* bytes by port ${kind}$port:1"; done
}

case_rdmacm() {
    ends_with 0 start 2 UPCR_IBV_CONNECT_BY=rdmacm -- "${first[@]}" 300000 20 "${counters[@]}"
    agree 2
    both_ports_carry
    grep -h 'large transfers\|each port' "$dir/out"
}
case_datagrams() {
    ends_with 0 start 2 UPCR_IBV_CONNECT_BY=ud -- "${first[@]}" 300000 20 "${counters[@]}"
    agree 2
    output_has 'connections are made by datagrams'
    both_ports_carry
}
# Two connections of each process: that with the peer, and its rail.
case_two_connections() {
    ends_with 0 start 2 UPCR_IBV_CONNECTIONS=2 -- "${first[@]}" 300000 10 "${counters[@]}"
    agree 2
    both_ports_carry
    output_lacks 'is closed until it is needed again'
}
# Rank 0 has a connection and a rail when the connection with rank 2 is added: the rail is the first to be closed.
case_closed() {
    ends_with 0 start 3 UPCR_IBV_CONNECTIONS=2 -- "${first[@]}" --quiet 300000 6 "${counters[@]}"
    agree 3
    output_has "rail to rank 1 .*, by port ${kind}"
    output_has "the rail to rank 1 by port ${kind}.* is closed until it is needed again"
}
# Ranks 1 and 2 keep one connection, and close that with rank 0 while it is quiet: rank 0 closes its rails first. All
# are made again.
case_peer_closes() {
    ends_with 0 env UPCR_MODULE_PATH="$modules" "$UPCRUN" --conduit ibv -n 3 --timeout 200 sh -c \
        'UPCR_IBV_CONNECTIONS=$((UPCR_RANK == 0 ? 8 : 1)) exec "$@"' _ "$rails" "${first[@]}" --quiet 300000 12 "${counters[@]}"
    agree 3
    output_has '0/3 .*the rail to rank 1 by port .* is closed until it is needed again'
    output_has '0/3 .*the connection with rank 1 is closed until it is needed again'
    [ "$(grep -c '0/3 .* rail to rank 1 ' "$dir/out")" -gt 1 ] || fail "no rail to rank 1 was made again"
}
# Fewer connections than peers: there is no room for rails.
case_one_connection() {
    ends_with 0 start 3 UPCR_IBV_CONNECTIONS=1 -- 300000 6
    agree 3
}
case_no() {
    ends_with 0 start 2 UPCR_IBV_STRIPE=no -- 300000 6
    agree 2
    output_lacks 'rail (to|of)|large transfers with'
    ends_with bad start 2 UPCR_IBV_STRIPE=sometimes -- 300000 6
    output_has 'UPCR_IBV_STRIPE=sometimes: expected a size, as 64KB, or no'
}
# Longer than the largest message of the device: cut into pieces, each of which is distributed.
case_long() {
    ends_with 0 start 2 -- "${first[@]}" 17000000 1 "${counters[@]}"
    agree 2
    both_ports_carry
}
# What is smaller is not distributed, and makes no rails.
case_small() {
    ends_with 0 start 2 UPCR_IBV_STRIPE=400000 -- 300000 6
    agree 2
    output_lacks 'rail (to|of)|large transfers with'
}
# A device with too few completion queues for rails: connections, which are made first, have them all.
case_no_completions() {
    ends_with 0 start 4 UPCR_IBV_CONNECT=all "LD_PRELOAD=$modules/../libibv_few_completions.so" -- 300000 6
    agree 4
    output_has 'no rail to rank [0-3] .*: a completion queue of [0-9]+ entries cannot be created: .*; large transfers go on without it'
}
# Nothing leads to the rail's port any more: one connection does it.
case_no_route() {
    ends_with 0 start 2 UPCR_IBV_CONNECT_BY=rdmacm -- --alone 'ip addr del 10.77.0.1/24 dev dummy0' 300000 6
    agree 2
    output_has "no rail to rank 1 .* by port ${kind}0:1: .*; large transfers go on without it"
    output_lacks 'large transfers with'
    ip addr replace 10.77.0.1/24 dev dummy0
}
# Of an emulated device: the queue pairs before are those to try out two devices, for datagrams on two ports, and for the
# connection.
case_no_queue_pair() {
    ends_with 0 start 2 EMULATED_VERBS_FAIL_CREATE_QP=6 -- "${first[@]}" 300000 6
    agree 2
    output_has "no rail to rank 1 .* no queue pair can be created: .*; large transfers go on without it"
    output_lacks '0/2 .*large transfers with'
}
# Programs, with parts of few pages: quiet puts, sections, several threads, few work requests.
case_programs() {
    local program
    for program in nb bulk vis; do
        ends_with 0 env UPCR_IBV_STRIPE=1KB SPMD_EFFORT=64 "$UPCRUN" --conduit ibv -n 4 --pthreads 2 \
            --timeout 250 "$programs/spmd_$program"
        [ $program = nb ] || output_has 'large transfers with'
    done
    ends_with 0 env UPCR_IBV_STRIPE=1KB UPCR_IBV_SEND_DEPTH=2 UPCR_IBV_CONNECTIONS=2 SPMD_EFFORT=64 \
        "$UPCRUN" --conduit ibv -n 3 --timeout 250 "$programs/spmd_nb"
}
rails_are_there() { [ "$(cat "$dir"/err.* | grep -c ' rail to rank')" -ge "$1" ]; }
# The port of the rails has no link any more, that of the connection has.
case_link_down() {
    start_job 2
    until_true 100 rails_are_there 2 || fail "there are no rails"
    set_link down
    job_ends
    output_has "warning: port ${kind}0:1 is down: no link"
    output_has "error: port ${kind}0:1 has been down for [0-9.]+ seconds while|error: .* rank [0-9] .*(its port has lost its link|port ${kind}0:1 of this process (is|has been) down)"
    renew_device
}
case_killed() {
    start_job 3
    until_true 100 rails_are_there 4 || fail "there are no rails"
    kill -KILL "${processes[1]}"
    job_ends
    output_has 'rank 1'
}
for one in "${cases[@]}"; do
    echo "case $one"
    "case_$one"
done
finish
