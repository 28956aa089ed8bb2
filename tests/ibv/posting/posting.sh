#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# posting.sh UPCRUN POSTING COUNT_VERBS DEVICE: how many work requests, completions and doorbells puts take
# (docs/reference/ibv.md). DEVICE: rxe or siw, where a read of a few bytes completes writes.
set -euo pipefail
upcrun=$1 posting=$2 count_verbs=$3 device=$4
out=$(mktemp)
trap 'rm -f "$out"' EXIT
LD_PRELOAD=$count_verbs UPCR_PSHM=no "$upcrun" --conduit ibv -n 2 --timeout 200 "$posting" >"$out"
cat "$out"
# expect ROW COUNT OPERATOR LIMIT: LIMIT is an expression of awk in `n`, the operations.
expect() {
    awk -v row="$1" -v name="$2" '$1 == row { n = $3; for (i = 2; i < NF; i += 2) if ($i == name) { found = 1; good = $(i + 1) '"$3 ($4)"' } }
        END { if (!found || !good) exit 1 }' "$out" || { echo "FAILED: $1: $2 are not $3 $4, or no such row"; exit 1; }
}
at_most() { expect "$1" "$2" "<=" "$3"; }
at_least() { expect "$1" "$2" ">=" "$3"; }
# Each operation is a request of its own, and something completes: else nothing has been counted.
for row in blocking nonblocking list; do
    at_least $row requests n
    at_least $row completions 1
done
if [ "$device" = siw ]; then exit 0; fi # the data were right
at_most blocking requests "n + 8" # a message of the barrier, perhaps
at_most nonblocking completions "n / 4"
at_most nonblocking requests "n + n / 16"
at_most list calls "n / 8"
at_most list completions "n / 8"
