#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# numa.sh RDMA_VM UPCRUN PROGRAM: in a guest with two NUMA nodes of two processors each (tools/rdma-vm), the places that
# upcrun -v prints are those of the kernel, and the memory that threads touch is on their nodes (PROGRAM is
# spmd_first_touch, which checks it, and prints nothing).
set -u
if [ "$1" != inside ]; then
    exec "$1" --device none --numa 2 --smp 4 --mem 2048 --timeout 240 -- "$(realpath "$0")" inside "$2" "$3"
fi
upcrun=$2 program=$3 failed=0
fail() { echo "FAILED: $*"; failed=1; }

# check OPTIONS PLACE...: of each rank, as in "CPU 0 (socket 0, NUMA node 0, core 0)", without sockets and cores.
check() {
    local options=$1 out place rank=0
    shift
    # shellcheck disable=SC2086  # several options
    out=$("$upcrun" $options -v --timeout 120 "$program" 2>&1) || fail "upcrun $options: $out"
    for place; do
        grep -Eq "^upcrun: rank $rank: .*, ${place}[,)]" <<<"$out" || fail "upcrun $options: rank $rank is not on $place: $out"
        rank=$((rank + 1))
    done
}

nodes=$(cat /sys/devices/system/node/online /sys/devices/system/node/node[01]/cpulist | tr '\n' ' ')
[ "$nodes" = "0-1 0-1 2-3 " ] || fail "nodes and their processors: $nodes"
check "-n 4" "CPU 0 .*NUMA node 0" "CPU 1 .*NUMA node 0" "CPU 2 .*NUMA node 1" "CPU 3 .*NUMA node 1"
check "-n 4 --map-by numa" "CPU 0 .*NUMA node 0" "CPU 2 .*NUMA node 1" "CPU 1 .*NUMA node 0" "CPU 3 .*NUMA node 1"
check "-n 2 --bind numa" "CPU 0 1 .*NUMA node 0" "CPU 2 3 .*NUMA node 1"
check "-n 4 --pthreads 2" "CPU 0 1 .*NUMA node 0" "CPU 2 3 .*NUMA node 1"
exit $failed
