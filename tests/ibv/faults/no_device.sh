#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# no_device.sh UPCRUN TRANSFERS UPCR_INFO: no device, a port without a link, devices that the user may not open: jobs and
# upcr_info report each, with a list of what was found.
# shellcheck source=tests/ibv/faults/common.sh
. "$(dirname "$0")/common.sh"
info=$3
clean_up() {
    ip link set dummy0 up
    [ -e "/sys/class/infiniband/$device" ] || make_device
    chmod 666 /dev/infiniband/uverbs* /dev/infiniband/rdma_cm
}
start() { "$@" "$UPCRUN" --conduit ibv -n 2 --timeout 100 "$TRANSFERS" 1; }
ask() { env UPCR_CONDUIT=ibv "$@" "$info" --network; }

# Nothing is wrong.
ends_with 0 ask
output_has "^  $device:1 .* in software, active, .*dummy0, 10\.77\.0\.1"
output_has "^  $device: messages of [0-9]+ [MG]iB, .* sends and .* completions"
cat "$dir/out"

ip link set dummy0 down
ends_with bad start
output_has "no RDMA port of .* can be used"
output_has "$device:1 .* in software, down.*no link: ip link set .* up"
ends_with bad ask
output_has "$device:1 .* in software, down"
ip link set dummy0 up

chmod 600 /dev/infiniband/uverbs*
ends_with bad start setpriv --reuid 1000 --regid 1000 --clear-groups
output_has "$device: no permission to open /dev/infiniband/uverbs[0-9]+: chmod a\+rw"
chmod 666 /dev/infiniband/uverbs*
chmod 600 /dev/infiniband/rdma_cm
ends_with bad start env UPCR_IBV_CONNECT_BY=rdmacm setpriv --reuid 1000 --regid 1000 --clear-groups
output_has "no permission to open /dev/infiniband/rdma_cm, .*: chmod a\+rw"
output_has "$device:1 .* in software, active"
chmod 666 /dev/infiniband/rdma_cm

rdma link delete "$device"
ends_with bad start
output_has "there is no RDMA device on .*: its driver is not loaded"
ends_with bad ask
output_has "there is no RDMA device on"
finish
