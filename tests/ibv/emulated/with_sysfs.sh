#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# with_sysfs.sh COMMAND...: COMMAND where /sys/class/infiniband describes the emulated devices as devices of a PCI bus, of
# 100 Gbit/s, so that upcr takes them for hardware: in a mount namespace of its own. Skipped (77) where namespaces are not
# allowed.
set -eu
unshare -rm true 2>/dev/null || {
    echo "SKIP: no user and mount namespaces here (unshare -rm)"
    exit 77
}
class=$EMULATED_VERBS_DIR/class
mkdir -p "$class/net"
for ((n = 0; n < ${EMULATED_VERBS_DEVICES:-1}; ++n)); do
    device=$class/infiniband/emu$n
    mkdir -p "$device/device"
    cat /sys/devices/system/cpu/online >"$device/device/local_cpulist"
    printf 'ffffffff\n' >"$device/device/local_cpus"
    for ((port = 1; port <= ${EMULATED_VERBS_PORTS:-1}; ++port)); do
        mkdir -p "$device/ports/$port/gid_attrs/ndevs"
        echo '100 Gb/sec (4X EDR)' >"$device/ports/$port/rate"
        echo "net$n" >"$device/ports/$port/gid_attrs/ndevs/0"
    done
done
export class
# shellcheck disable=SC2016
exec unshare -rm bash -c 'mount --rbind /sys/class/net "$class/net" && mount --rbind "$class" /sys/class && exec "$@"' _ "$@"
