#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# perf_ofi.sh UPCRUN UPCR_PERF_OFI PYTHON: the rows beside plain libfabric are measured over TCP, and say why where they
# cannot be. No speed is asserted.
set -euo pipefail
upcrun=$1 perf=$2 python=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset UPCR_OFI_PROVIDER UPCR_OFI_DOMAIN
export FI_PROVIDER=tcp

rows=(ofi_put ofi_fetch_add ofi_memput_512 ofi_put_64k ofi_get_64k)
for row in "${rows[@]}"; do wanted+=(-t "$row"); done
UPCR_PSHM=no "$upcrun" --conduit ofi -n 2 --timeout 240 "$perf" "${wanted[@]}" --triples 1 --burst-us 50 --json "$work/report" \
    >"$work/out"
"$python" - "$work/report" "${rows[@]}" <<'END'
import json, sys
records = json.load(open(sys.argv[1]))
assert [r["name"] for r in records] == sys.argv[2:], records
for r in records:
    assert r["conduit"] == "ofi" and r["ranks"] == 2 and r["size"] >= 8 and "why_not" not in r, r
    assert r["reference"] == ("libfabric one way" if "64k" in r["name"] else "libfabric round trip"), r
    assert r["median"] > 0 and r["reference_median"] > 0 and r["ratio"] > 0 and 0 <= r["kept"] <= r["triples"], r
END

# why PATTERN COMMAND...: the row is there, with the reason.
why() {
    local pattern=$1
    shift
    "$@" -t ofi_put >"$work/out" && grep -q "ofi_put .*not measured: .*$pattern" "$work/out" ||
        { cat "$work/out"; echo "FAILED: no '$pattern'"; exit 1; }
}
why "it takes two processes" env UPCR_PSHM=no "$upcrun" --conduit ofi -n 1 "$perf"
why "memory is mapped" "$upcrun" --conduit ofi -n 2 "$perf"
why "libfabric has no shm" env UPCR_PSHM=no FI_PROVIDER=shm UPCR_OFI_PROVIDER=shm "$upcrun" --conduit ofi -n 2 "$perf"
