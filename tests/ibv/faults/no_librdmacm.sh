#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# no_librdmacm.sh UPCRUN TRANSFERS UPCR_INFO: where librdmacm cannot be used, and where a port has no IPv4 address,
# connections are made by datagrams. On rxe.
# shellcheck source=tests/ibv/faults/common.sh
. "$(dirname "$0")/common.sh"
clean_up() {
    [ ! -e /dev/infiniband/hidden ] || mv /dev/infiniband/hidden /dev/infiniband/rdma_cm
    ip addr replace "$address" dev dummy0
}
address=$(ip -o -4 addr show dummy0 | sed 's/.*inet \([^ ]*\).*/\1/')
start() { env UPCR_LOG_LEVEL=ibv:info "$@" "$UPCRUN" --conduit ibv -n 3 --timeout 150 "$TRANSFERS" 3; }

ends_with 0 start
output_has 'connections are made by librdmacm'

mv /dev/infiniband/rdma_cm /dev/infiniband/hidden
ends_with 0 start
output_has 'connections are made by datagrams'
output_has "connected with rank 2 on .* \(${address%/*}\), (active|passive), by port ${device}:1"
output_has 'thread 2 is done'
ends_with bad start UPCR_IBV_CONNECT_BY=rdmacm
output_has 'cannot open /dev/infiniband/rdma_cm, which makes connections'

ip addr del "$address" dev dummy0
ends_with 0 start
output_has "connected with rank 2 on .* \(fe80:.*\), (active|passive), by port ${device}:1"
output_has 'thread 2 is done'
finish
