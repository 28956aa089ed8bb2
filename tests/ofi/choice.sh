#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# choice.sh UPCRUN UPCR_INFO TRAFFIC: which of libfabric's providers a job uses, what it says where there is none, and that
# it looks up the addresses alone to which it sends.
set -u
upcrun=$1 info=$2 traffic=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export UPCR_PSHM=no UPCR_BACKTRACE=no
unset FI_PROVIDER

# expect STATUS REGEX COMMAND...: a job ends so, and says so.
expect() {
    local wanted=$1 text=$2
    shift 2
    "$@" >"$dir/out" 2>&1
    local status=$?
    [ $status = 0 ] && status=good || status=bad
    if [ $status != "$wanted" ] || ! grep -Eq "$text" "$dir/out"; then
        cat "$dir/out"
        echo "FAILED: $*: $status, expected $wanted with '$text'"
        exit 1
    fi
}

# A job of one process, with these variables.
one() { env UPCR_CONDUIT=ofi "$@" "$info" --network; }

expect good 'ofi: tcp(;ofi_rxm)?, domain lo,' one FI_PROVIDER=tcp
expect good 'ofi: tcp;ofi_rxm, domain lo,' one 'UPCR_OFI_PROVIDER=tcp;ofi_rxm'
expect good 'ofi: shm,' one FI_PROVIDER=shm
expect good 'ofi: udp;ofi_rxd, .*waiting threads nap' one 'UPCR_OFI_PROVIDER=udp;ofi_rxd'
expect good 'waiting threads nap' one FI_PROVIDER=tcp UPCR_OFI_SLEEP=no
expect good 'progress by the provider' one FI_PROVIDER=tcp UPCR_OFI_PROGRESS=provider
expect good 'progress by polling' one FI_PROVIDER=tcp UPCR_OFI_PROGRESS=manual
expect bad 'no provider that fits .*UPCR_OFI_PROGRESS=provider, FI_PROVIDER=shm' one FI_PROVIDER=shm UPCR_OFI_PROGRESS=provider
expect good 'tcp;ofi_rxm.*; atomic operations by the provider' one FI_PROVIDER=tcp UPCR_OFI_ATOMICS=yes
expect good 'tcp;ofi_rxm.*; atomic operations by the provider' one FI_PROVIDER=tcp UPCR_OFI_PROGRESS=provider
expect good 'puts and gets by the provider$' one FI_PROVIDER=tcp UPCR_OFI_PROGRESS=provider UPCR_OFI_ATOMICS=no
expect good 'tcp;ofi_rxm.*puts and gets by the provider$' one FI_PROVIDER=tcp
expect good 'udp;ofi_rxd.*puts and gets by the provider$' one FI_PROVIDER=udp
expect bad 'conduit ofi cannot be used: libfabric finds no provider that fits .*UPCR_OFI_PROVIDER=elan' one \
    UPCR_OFI_PROVIDER=elan
expect bad 'none of the providers .*has the domain .*UPCR_OFI_DOMAIN=nowhere7' one UPCR_OFI_DOMAIN=nowhere7
expect good 'domain lo,' one UPCR_OFI_DOMAIN=lo
expect bad 'UPCR_OFI_CREDITS=1: ' one UPCR_OFI_CREDITS=1

# One process by TCP, the other one through shared memory.
cat >"$dir/one_of_each" <<END
#!/bin/sh
mkdir "$dir/first" 2>/dev/null && exec env FI_PROVIDER=tcp "$info" --network
exec env FI_PROVIDER=shm "$info" --network
END
chmod +x "$dir/one_of_each"
expect bad "rank . uses libfabric's provider .*, but rank . .*UPCR_OFI_PROVIDER" \
    "$upcrun" --conduit ofi -n 2 --timeout 60 "$dir/one_of_each"

# The threads reach each other by shared memory; in barriers each process sends to some.
UPCR_PSHM=yes UPCR_LOG_LEVEL=ofi:info TRAFFIC=words TRAFFIC_SECONDS=1 \
    expect good 'addresses of [1-5] of 8 processes were used' "$upcrun" --conduit ofi -n 8 --timeout 60 "$traffic"
[ "$(grep -c 'addresses of [1-5] of 8 processes were used' "$dir/out")" = 8 ] || {
    cat "$dir/out"
    echo "FAILED: not all processes used the addresses of five at most"
    exit 1
}
UPCR_LOG_LEVEL=ofi:info expect good 'addresses of 0 of 1 processes were used' one FI_PROVIDER=tcp
