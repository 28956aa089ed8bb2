#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# link_down.sh UPCRUN TRANSFERS: the link goes down in the middle of transfers, and stays down.
# shellcheck source=tests/ibv/faults/common.sh
. "$(dirname "$0")/common.sh"
clean_up() { renew_device; }

start_job 3
set_link down
job_ends
output_has "warning: port ${device}:1 is down: no link"
# Any of three may notice it first: the watch of the port; a transfer that the device refuses, perhaps before the kernel reports the
# port; or the peer of a process that has ended for this.
output_has "error: port ${device}:1 has been down for [0-9.]+ seconds while|error: .* rank [0-9] .*(its port has lost its link|port ${device}:1 of this process (is|has been) down)"
grep -h 'error:\|warning:' "$dir/out"
finish
