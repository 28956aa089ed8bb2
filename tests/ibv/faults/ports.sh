#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# ports.sh UPCRUN TRANSFERS: two devices in two subnets; UPCR_IBV_PORTS chooses.
# shellcheck source=tests/ibv/faults/common.sh
. "$(dirname "$0")/common.sh"
clean_up() { delete_second_device; }
make_second_device

start() { "$@" UPCR_LOG_LEVEL=ibv:info "$UPCRUN" --conduit ibv -n 3 --timeout 150 "$TRANSFERS" 3; }

# Both: what passes through each is counted by its completions.
ends_with 0 start env "UPCR_IBV_PORTS=${kind}0:1,${kind}1:1"
for port in "${kind}0:1" "${kind}1:1"; do output_has "listening at 10\.77\.[01]\.1:[0-9]* of port $port"; done
output_has 'thread 2 is done'
ends_with 0 start env "UPCR_IBV_PORTS=${kind}1"
output_has "of port ${kind}1:1"
output_lacks "of port ${kind}0:1"
ends_with bad start env "UPCR_IBV_PORTS=${kind}7:1"
output_has "${kind}7"
output_has "${kind}0:1 .*10\.77\.0\.1"
output_has "${kind}1:1 .*10\.77\.1\.1"
cat "$dir/out"
finish
