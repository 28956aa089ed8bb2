#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# perf_ibv.sh UPCRUN UPCR_PERF_IBV GASNET_PERF_IBV IBV_RAW PYTHON CONDUIT: the rows beside verbs are measured where there is
# an RDMA port; where there is none their records have the reason, and the test is skipped (77); over conduit ibv there
# has to be one. No speed is asserted.
set -euo pipefail
upcrun=$1 perf=$2 gasnet_perf=$3 raw=$4 python=$5 conduit=$6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$raw" 512 >"$work/raw"
device=yes
if grep -q "^raw verbs: no " "$work/raw"; then device=no; fi
finish() {
    [ $device = no ] || { echo "all rows beside verbs can be read"; exit 0; }
    echo "SKIP: no RDMA device; the rows report that"
    exit 77
}
if [ "$conduit $device" = "ibv no" ]; then cat "$work/raw"; exit 1; fi
if [ $device = yes ]; then
    for word in "^device " "^write .* 512 bytes,  8 under way" "^read .* 8 bytes,  1 under way" "^round trip .* 512 bytes"; do
        grep -q "$word" "$work/raw"
    done
fi

export UPCR_PSHM=no
# measure PROGRAM ROW...
measure() {
    local program=$1 row wanted=()
    shift
    for row in "$@"; do wanted+=(-t "$row"); done
    "$upcrun" --conduit "$conduit" -n 2 --timeout 240 "$program" "${wanted[@]}" --triples 1 --burst-us 50 --json "$work/report" \
        >"$work/out"
    "$python" - "$work/report" $device "$conduit" "$@" <<'END'
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
    assert (r["reference"] == "verbs send") == ("_am_" in r["name"]), r
    assert r["median"] > 0 and r["spread"] >= 0 and r["reference_median"] > 0 and r["ratio"] > 0, r
    assert r["ratio_spread"] >= 0 and 0 <= r["kept"] <= r["triples"], r
END
    test "$(grep -c "not measured" "$work/out")" = "$([ "$device" = yes ] && echo 0 || echo $#)"
}
if [ "$conduit" = smp ]; then
    measure "$perf" ibv_put ibv_get ibv_memput_512 ibv_put_64k ibv_get_64k_seg
    measure "$gasnet_perf" ibv_am_short ibv_am_512 ibv_am_4k
elif [ -n "${PERF_ALL_ROWS:-}" ]; then
    measure "$perf" ibv_put ibv_get ibv_get_64k_seg
    measure "$gasnet_perf" ibv_am_short
else
    measure "$perf" ibv_put  # a row takes 10 s in a guest
fi

# Rows that are impossible in a job have the reason. Not in a guest, where jobs are slow to start.
[ "$conduit" = smp ] || finish
UPCR_PSHM=yes "$upcrun" -n 1 "$perf" -t ibv_put >"$work/out"
grep -q "ibv_put .*not measured: it takes two processes" "$work/out"
UPCR_PSHM=yes "$upcrun" -n 1 "$gasnet_perf" -t ibv_am_short >"$work/out"
grep -q "ibv_am_short .*not measured: it takes two processes" "$work/out"
finish
