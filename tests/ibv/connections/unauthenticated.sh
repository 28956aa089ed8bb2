#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# unauthenticated.sh UPCRUN IBV_CONNECT IBV_UNAUTHENTICATED: a process that is not of the job requests connections; each
# request is rejected and reported, and the job goes on. Run where there is a device.
set -euo pipefail
upcrun=$1 connect=$2 unauthenticated=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
UPCR_LOG_LEVEL=ibv:info "$upcrun" --conduit smp -n 3 --timeout 150 "$connect" 1 wait "$dir/go" >"$dir/out" 2>&1 &
job=$!
# "... listening at 10.77.0.1:4711 of port rxe0:1"
where=
while [ -z "$where" ]; do
    kill -0 $job 2>/dev/null || { echo "the job has ended:"; cat "$dir/out"; exit 1; }
    where=$(sed -n 's/.*listening at \([0-9.]*\):\([0-9]*\) of.*/\1 \2/p' "$dir/out" | head -1)
    sleep 0.1
done
failed=0
# shellcheck disable=SC2086
"$unauthenticated" $where || failed=1
: >"$dir/go"
wait $job || { echo "the job ended with status $?"; failed=1; }
grep 'rejected\|all .* connected' "$dir/out" || true
# InfiniBand pads private data with zeros, so there no handshake is another protocol; iWARP passes it unchanged.
for why in "\(uses another protocol than upcr\|sent no handshake\)" "does not know this job's secret"; do
    grep -q "warning: a process at .* rejected: it $why" "$dir/out" || { echo "no warning: $why"; failed=1; }
done
warnings=$(grep -c 'warning: a process at .* was rejected' "$dir/out") || true
[ "$warnings" = 4 ] || { echo "$warnings warnings for 4 requests"; failed=1; }
grep -q 'all 3 processes are connected' "$dir/out" || { echo "the job did not go on:"; cat "$dir/out"; failed=1; }
exit $failed
