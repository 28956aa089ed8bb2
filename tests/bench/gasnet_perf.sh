#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# gasnet_perf.sh UPCRUN GASNET_PERF GASNET_PERF_PAR PYTHON: one short burst of every row with two nodes, and of active
# messages in other shapes of job; the rows are those of docs/reference/performance-rows.md, the report is JSON with complete
# records, and wrong use is refused.
set -euo pipefail
upcrun=$1 perf=$2 par=$3 python=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/check.py" <<'END'
import json, os, sys
nodes, threads = int(sys.argv[1]), int(sys.argv[2])
rows = [(w[0], int(w[1])) for w in (line.split() for line in open(sys.argv[3]))]
records, asked = json.load(open(sys.argv[4])), sys.argv[5:]
mapped = nodes == 1 or os.environ.get("UPCR_PSHM") != "no"

KIB = 1 << 10
want = set()
if threads == 1:
    want |= {(n, 8) for n in ("put_val", "get_val", "put_nb", "put_nbi", "get_nb_val")} | {("syncnbi", 0)}
    want |= {("put_bulk", 4 * KIB), ("put_bulk", KIB * KIB), ("get_bulk", KIB * KIB), ("putv_cut", 64)}
    want |= {(n, s) for s in (8, 64) for n in (
        "putv", "getv", "putv_one", "getv_one", "putv_few", "getv_few", "putv_mixed", "puti", "geti", "puti_one", "puts", "gets")}
if nodes > 1:  # Short: 4 bytes an argument
    want |= {("am_short", 4 * n) for n in (0, 1, 8, 14, 15, 16)} | {("am_short_flood", 0), ("am_short_flood", 56)}
    want |= {("am_medium", 512), ("am_medium", 4 * KIB), ("am_long", 512), ("am_long", 4 * KIB), ("am_long", 64 * KIB)}
if nodes == 2 and threads > 1:
    want.add(("am_short_crowd", 0))
if not mapped:  # a packet of that network may be smaller
    want.discard(("am_medium", 4 * KIB)), rows.count(("am_medium", 4 * KIB)) and rows.remove(("am_medium", 4 * KIB))
assert sorted(rows) == sorted(want), (sorted(set(rows) ^ want), len(rows))

measured = [(r["name"], r["size"]) for r in records]
names = {w.partition(":")[0] for w in asked}
assert len(measured) == len(set(measured)) and (names == {n for n, _ in measured} if asked else set(rows) <= set(measured)), measured
for r in records:
    assert r["conduit"] == "smp" and r["ranks"] == nodes and r["threads"] == nodes * threads and r["cpu"], r
    assert r["partner_mapped"] == mapped, r
    assert r["median"] > 0 and r["spread"] >= 0 and 0 <= r["kept"] <= r["triples"], r
    assert r["ratio"] > 0 and r["reference_median"] > 0 and r["ratio_spread"] >= 0, r
    name, reference = r["name"], r["reference"]
    if name == "am_short_crowd":
        assert reference == "one pair", r
    elif name.startswith("am_short"):
        assert reference in ("two lines", "futex"), r
    elif name == "am_medium":
        assert reference == "ping-pong with copies", r
    elif name == "am_long":
        assert reference == "ping-pong with one copy", r
    else:
        assert reference in ("a store", "a load", "memcpy", "plain loop"), r
END

# measure PROGRAM NODES THREADS [NAME[:BYTES]]...: without names all rows.
measure() {
    local program=$1 nodes=$2 threads=$3 row wanted=() options=()
    shift 3
    [ "$program" = "$perf" ] || options=(--threads "$threads")
    for row in "$@"; do wanted+=(-t "$row"); done
    "$upcrun" -n "$nodes" "$program" "${options[@]}" --list >"$work/list"
    "$upcrun" -n "$nodes" "$program" "${options[@]}" "${wanted[@]}" --triples 1 --burst-us 50 --json "$work/report" >"$work/out"
    "$python" "$work/check.py" "$nodes" "$threads" "$work/list" "$work/report" "$@"
}
measure "$perf" 2 1
measure "$perf" 1 1 put_val putv:8
measure "$perf" 3 1 am_short:64 am_long:4096
measure "$par" 2 2 am_short_crowd am_short:32 am_short_flood am_medium:512
measure "$par" 2 1 am_short:0
UPCR_PSHM=no measure "$perf" 2 1 put_val am_short:0 am_short_flood:56 am_medium:512 am_long:65536 putv_one:64

# One CPU for two nodes: what they wait for is handed over by the kernel.
taskset -c "$("$python" -c 'import os; print(min(os.sched_getaffinity(0)))')" \
    "$upcrun" -n 2 "$perf" -t am_short:0 --triples 1 --burst-us 50 --json "$work/report" >"$work/out"
"$python" -c 'import json, sys; r = json.load(open(sys.argv[1]))
assert [(x["name"], x["reference"]) for x in r] == [("am_short", "futex")], r' "$work/report"

refuses() {
    local text=$1
    shift
    if "$upcrun" -n 2 "$@" >"$work/out" 2>&1; then echo "accepted: $*"; exit 1; fi
    grep -q -- "$text" "$work/out" || { echo "no '$text' of: $*"; cat "$work/out"; exit 1; }
}
refuses "gasnet_perf: there is no test 'nonsense'" "$perf" -t nonsense
refuses "there is no test 'am_short_crowd'" "$perf" -t am_short_crowd
refuses "gasnet_perf_par: there is no test 'am_short:9'" "$par" -t am_short:9
refuses "--threads" "$perf" --threads 2
refuses "--threads" "$par" --threads 0
refuses "gasnet_perf: cannot write" "$perf" -t put_val --triples 1 --burst-us 50 --json "$work/no/such/dir"
echo "all reports can be read"
