#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# quality.sh UPCRUN TRANSFERS PROGRAM: partition, service level, traffic class and relaxed ordering (docs/reference/ibv.md)
# reach every queue pair, datagram and region. PROGRAM prints nothing.
# shellcheck source=tests/ibv/faults/common.sh
. "$(dirname "$0")/../faults/common.sh"
program=$3
start() { # start NAME=VALUE... : what it says is in $dir/out. The ports are those of a new fabric.
    EMULATED_VERBS_DIR=$(mktemp -d "$dir/fabric.XXXXXX") env SPMD_EFFORT=16 UPCR_IBV_CONNECT_TIMEOUT=5 EMULATED_VERBS_LOG=regions,paths "$@" \
        "$UPCRUN" --conduit ibv -n 3 --timeout 100 "$program"
}
# all LINES WITH: there are lines of this kind, and each has that.
all() {
    grep -q -- "$1" "$dir/out" || fail "no line with: $1"
    ! grep -- "$1" "$dir/out" | grep -qvE -- "$2" || fail "of the lines with '$1' one is not: $2"
}
infiniband=EMULATED_VERBS_LINK=infiniband

# Service levels: of InfiniBand, of XRC, of RoCE with its traffic class.
ends_with 0 start $infiniband UPCR_IBV_SERVICE_LEVEL=5 UPCR_IBV_XRC=no
all 'queue pair' 'service level 5,'
all 'datagrams' 'service level 5,'
ends_with 0 start $infiniband UPCR_IBV_SERVICE_LEVEL=9 UPCR_IBV_XRC=yes UPCR_NODE_SIZE=1
all 'queue pair' 'service level 9,'
all 'datagrams' 'service level 9,'
ends_with 0 start UPCR_IBV_SERVICE_LEVEL=3 UPCR_IBV_TRAFFIC_CLASS=104
all 'queue pair' 'service level 3, traffic class 104$'
all 'datagrams' 'service level 3, traffic class 104$'
ends_with 0 start
all 'queue pair' 'partition 0xffff, service level 0, traffic class 0$'
all 'datagrams' 'service level 0, traffic class 0$'

# Partitions: the one that is asked for, whatever its highest bit; the first of which the port is a full member.
keys=EMULATED_VERBS_PKEYS=0x7fff,0x8001,0x0002,0x8003
for pkey in 0x8003 0x3; do
    ends_with 0 start $infiniband $keys UPCR_IBV_PKEY=$pkey
    all 'queue pair' 'partition 0x8003,'
done
ends_with 0 start $infiniband $keys
all 'queue pair' 'partition 0x8001,'
ends_with bad start $infiniband $keys UPCR_IBV_PKEY=0x8004
output_has 'error: port emu0:1 is not a member of partition 0x8004 \(UPCR_IBV_PKEY; '
# Limited members do not hear each other.
ends_with bad start $infiniband $keys UPCR_IBV_PKEY=0x8002
output_has 'error: .*UPCR_IBV_CONNECT_TIMEOUT'

# Relaxed ordering: not of memory that others write, unless all may have it. Each of the three processes has one region
# for datagrams, which does without.
strict_ones() { [ "$(grep -c 'bytes: local-write$' "$dir/out")" = "$1" ] || fail "not $1 regions without relaxed ordering"; }
ends_with 0 start
all 'remote-write' 'local-write remote-read remote-write remote-atomic$'
output_has 'bytes: local-write relaxed-ordering$'
strict_ones 3
ends_with 0 start UPCR_IBV_RELAXED_ORDERING=all
all 'remote-write' 'remote-write remote-atomic relaxed-ordering$'
strict_ones 3
ends_with 0 start UPCR_IBV_RELAXED_ORDERING=no
all 'remote-write' 'remote-write remote-atomic$'
output_has "region of .* bytes: local-write$"
output_lacks 'relaxed-ordering'
finish
