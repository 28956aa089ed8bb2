#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# perf.sh UPCRUN UPCR_PERF PYTHON: one short burst of everything, in several shapes of job; the report is
# JSON with every test that --list names, and wrong use is refused.
set -euo pipefail
upcrun=$1 perf=$2 python=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for job in "-n 2" "-n 3" "-n 1" "-n 2 --pthreads 2" "-n 4 --pthreads 2"; do
    # shellcheck disable=SC2086  # options, on purpose
    "$upcrun" $job "$perf" --list >"$work/list"
    # shellcheck disable=SC2086
    "$upcrun" $job "$perf" --triples 1 --burst-us 50 --json "$work/report" >"$work/out"
    "$python" - "$work/list" "$work/report" "$job" <<'END'
import json, sys
names = [line.split()[0] for line in open(sys.argv[1])]
report = json.load(open(sys.argv[2]))
job = sys.argv[3].split()
assert report["threads"] == int(job[1]), report
assert [r["name"] for r in report["results"]] == names, (names, report)
assert {"put", "get", "put_nbi", "strided", "indexed", "vector", "barrier", "broadcast", "gather_all", "exchange",
        "reduce_all", "reduce_all_64k", "lock"} <= set(names), names
assert ("am_short" in names) == (report["processes"] > 1), (job, names)
assert ("lock_all" in names) == (report["threads"] > 1), (job, names)
for r in report["results"]:
    assert r["median"] > 0 and r["spread"] >= 0 and r["size"] >= 0 and r["ranks"] == report["processes"], r
    assert "reference" not in r or (r["ratio"] > 0 and r["reference_median"] > 0), r
END
done

"$upcrun" -n 2 "$perf" -t put -t lock --triples 1 --burst-us 50 --json "$work/report" >"$work/out"
"$python" -c 'import json, sys; r = json.load(open(sys.argv[1])); assert {x["name"] for x in r["results"]} == {"put", "lock"}, r' "$work/report"
if "$upcrun" -n 2 "$perf" -t nonsense 2>"$work/out"; then echo "an unknown test was accepted"; exit 1; fi
grep -q "no test 'nonsense'" "$work/out"
if "$upcrun" -n 2 "$perf" --triples 1 --burst-us 50 -t put --json "$work/no/such/dir" 2>"$work/out" >/dev/null; then
    echo "an unwritable report was accepted"; exit 1
fi
grep -q "cannot write" "$work/out"
echo "all reports can be read"
