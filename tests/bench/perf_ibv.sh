#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# perf_ibv.sh UPCRUN UPCR_PERF_IBV IBV_RAW PYTHON CONDUIT: the rows beside verbs can be read, and are measured where
# there is an RDMA port; where there is none they say so, and the test is skipped (77), but over the conduit ibv there
# has to be one. Nothing is said about how fast anything is.
set -euo pipefail
upcrun=$1 perf=$2 raw=$3 python=$4 conduit=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$raw" 512 >"$work/raw"
device=yes
if grep -q "^raw verbs: no " "$work/raw"; then device=no; fi
finish() {
    [ $device = no ] || { echo "all rows beside verbs can be read"; exit 0; }
    echo "SKIP: no RDMA device; that the rows say so has been seen"
    exit 77
}
if [ "$conduit $device" = "ibv no" ]; then cat "$work/raw"; exit 1; fi
if [ $device = yes ]; then
    for word in "^device " "^write .* 512 bytes,  8 under way" "^read .* 8 bytes,  1 under way" "^round trip .* 512 bytes"; do
        grep -q "$word" "$work/raw"
    done
fi

rows=(ibv_put ibv_get ibv_am_short ibv_memput_512 ibv_put_64k ibv_get_64k_seg)
[ "$conduit" = smp ] || rows=(ibv_put)  # a row takes 10 s in a guest
[ -z "${PERF_ALL_ROWS:-}" ] || rows=(ibv_put ibv_get ibv_am_short ibv_get_64k_seg)
wanted=()
for row in "${rows[@]}"; do wanted+=(-t "$row"); done
export UPCR_PSHM=no
"$upcrun" --conduit "$conduit" -n 2 --timeout 240 "$perf" "${wanted[@]}" --triples 1 --burst-us 50 --json "$work/report" >"$work/out"
"$python" - "$work/report" $device "$conduit" "${rows[@]}" <<'END'
import json, sys
device, conduit, rows = sys.argv[2] == "yes", sys.argv[3], sys.argv[4:]
records = json.load(open(sys.argv[1]))
assert [r["name"] for r in records] == rows, records
for r in records:
    assert r["conduit"] == conduit and r["ranks"] == 2 and r["size"] >= 8, r
    if not device:
        assert "median" not in r and "no RDMA device" in r["why_not"], r
        continue
    assert r["reference"] in ("verbs write", "verbs read", "verbs send") and "why_not" not in r, r
    assert r["median"] > 0 and r["spread"] >= 0 and r["reference_median"] > 0 and r["ratio"] > 0, r
    assert r["ratio_spread"] >= 0 and 0 <= r["kept"] <= r["triples"], r
END
test "$(grep -c "not measured" "$work/out")" = $([ $device = yes ] && echo 0 || echo ${#rows[@]})

# Rows that make no sense say so. Jobs are slow to start in a guest, so not there too.
[ "$conduit" = smp ] || finish
UPCR_PSHM=yes "$upcrun" -n 1 "$perf" -t ibv_put >"$work/out"
grep -q "ibv_put .*not measured: it takes two processes" "$work/out"
finish
