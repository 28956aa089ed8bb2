#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# perf.sh UPCRUN UPCR_PERF PYTHON: one short burst of every row with two processes, and of some in other shapes of
# job; the rows are those of docs/reference/performance-rows.md, the report is JSON with complete records, and wrong use is
# refused.
set -euo pipefail
upcrun=$1 perf=$2 python=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/check.py" <<'END'
import json, os, sys
job, listed, records = sys.argv[1].split(), sys.argv[2], json.load(open(sys.argv[3]))
threads, pthreads, all_rows = int(job[1]), int(job[3]) if len(job) > 2 else 1, len(sys.argv) == 4
pair, mapped = threads > 1, threads == 1 or os.environ["UPCR_PSHM"] == "yes"
processes = threads // pthreads

KIB, MIB = 1 << 10, 1 << 20
want = {(n, 8) for n in ("put", "get", "put_masked", "get_masked", "put_nbi", "put_nb", "get_nb", "put_flood", "fetch_add")}
want |= {(n, s) for n in ("put", "get") for s in (64, 512, 4 * KIB, 64 * KIB, MIB, 4 * MIB, 16 * MIB, 64 * MIB)}
want |= {(n, 8) for n in ("add_shared", "add_pshared1")}
want |= {(n, s) for n in ("strided", "indexed", "vector", "vector_lists", "vector_get", "vector_gather",
                               "indexed_lists", "vector_mixed") for s in (8, 64)}
want |= {("lock", 0), ("barrier", 0)}
want |= {(n, s) for n in ("broadcast", "scatter", "gather", "gather_all", "exchange", "reduce", "reduce_all")
         for s in (8, KIB, 64 * KIB, MIB)}
if pair:
    want |= {("fetch_add_remote", 8), ("lock_remote", 0), ("lock_handover", 0), ("lock_all", 0)}
rows = [(w[0], int(w[1])) for w in (line.split() for line in open(listed))]
assert want <= set(rows), (job, want - set(rows))
assert not any("am_" in n for n, _ in rows), (job, rows)  # gasnet_perf's
measured = [(r["name"], r["size"]) for r in records]
asked = [w.partition(":") for w in sys.argv[4:]]
assert measured == (rows if all_rows else [r for r in rows if any(
    r[0] == n and (not s or r[1] == int(s)) for n, _, s in asked)]), (job, measured)

REFERENCES = {"put": "stores", "get": "loads", "put_masked": "stores", "get_masked": "loads", "put_nbi": "stores", "put_nb": "stores", "get_nb": "loads",
              "put_flood": "stores"}
for r in records:
    assert r["conduit"] == "smp" and r["ranks"] == processes and r["threads"] == threads, r
    assert r["partner_mapped"] == (mapped or processes == 1), r
    assert r["cpu"], r
    if "why_not" in r:
        assert "median" not in r and r["why_not"], r
        continue
    assert r["median"] > 0 and r["spread"] >= 0 and 0 <= r["kept"] <= r["triples"], r
    if "reference" in r:
        assert r["ratio"] > 0 and r["reference_median"] > 0 and r["ratio_spread"] >= 0, r
    else:
        assert not pair and r["name"] not in ("put", "get", "strided", "lock", "fetch_add"), r
    # Which reference it is depends on where the partner's memory is.
    if r["name"] in REFERENCES and r["size"] == 8:
        assert r["reference"] in ([REFERENCES[r["name"]]] if mapped or processes == 1 else ["two lines", "futex"]), r
    if r["name"].startswith("lock_h"):
        assert r["reference"] in ("one hop", "futex, one way"), r
END

# measure JOB [NAME[:BYTES]]...: without names all rows.
measure() {
    local job=$1 row wanted=()
    shift
    for row in "$@"; do wanted+=(-t "$row"); done
    # shellcheck disable=SC2086  # options, on purpose
    "$upcrun" $job "$perf" --list >"$work/list"
    # shellcheck disable=SC2086
    "$upcrun" $job "$perf" "${wanted[@]}" --triples 1 --burst-us 50 --json "$work/report" >"$work/out"
    "$python" "$work/check.py" "$job" "$work/list" "$work/report" "$@"
}
measure "-n 2"
some=(put:8 put:4096 put:16777216 get:8 add_shared put_flood strided:8 barrier lock fetch_add broadcast:8 reduce:1024)
pairs=(lock_handover lock_remote)
measure "-n 1" "${some[@]}"
measure "-n 3" "${some[@]}" "${pairs[@]}"
measure "-n 2 --pthreads 2" "${some[@]}" "${pairs[@]}"
measure "-n 4 --pthreads 2" "${some[@]}" "${pairs[@]}"

# One CPU for two processes: what they wait for is handed over by the kernel.
taskset -c "$("$python" -c 'import os; print(min(os.sched_getaffinity(0)))')" \
    "$upcrun" -n 2 "$perf" -t barrier --triples 1 --burst-us 50 --json "$work/report" >"$work/out"
"$python" -c 'import json, sys; r = json.load(open(sys.argv[1]))
assert [(x["name"], x["reference"]) for x in r] == [("barrier", "futex")], r' "$work/report"

# Copies that do not fit into the heap have the reason and the cure.
UPC_SHARED_HEAP_SIZE=32MB "$upcrun" -n 2 "$perf" -t put:67108864 --triples 1 --burst-us 50 >"$work/out"
grep -q "put *67108864 B not measured: .*UPC_SHARED_HEAP_SIZE=88MB" "$work/out"

if "$upcrun" -n 2 "$perf" -t nonsense 2>"$work/out"; then echo "an unknown test was accepted"; exit 1; fi
grep -q "no test 'nonsense'" "$work/out"
if "$upcrun" -n 2 "$perf" -t put:9 2>"$work/out"; then echo "an unknown size was accepted"; exit 1; fi
grep -q "no test 'put:9'" "$work/out"
if "$upcrun" -n 2 "$perf" --triples 1 --burst-us 50 -t put:8 --json "$work/no/such/dir" 2>"$work/out" >/dev/null; then
    echo "an unwritable report was accepted"; exit 1
fi
grep -q "cannot write" "$work/out"
echo "all reports can be read"
