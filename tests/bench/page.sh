#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# page.sh SOURCE: the page of a report is one file with the table, the plots and every record; plots as files of their
# own. Skipped (77) where there is no matplotlib.
set -euo pipefail
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/results.json" <<'END'
{"machine": {"processor": "Model <9>", "cores": 2, "load_before": 1.5}, "parts": [{"name": "smp2"}, {"name": "onecore", "why_not": "<no taskset>"}], "results": [
 {"name": "put", "size": 4096, "conduit": "smp", "ranks": 2, "part": "smp2", "median": 1e-6, "spread": 1e-8, "ratio": 0.5,
  "ratio_spread": 0.01, "reference": "memcpy", "reference_median": 2e-6},
 {"name": "put", "size": 65536, "conduit": "smp", "ranks": 2, "part": "smp2", "median": 8e-6, "spread": 1e-8, "ratio": 1.234,
  "ratio_spread": 0.01, "reference": "memcpy", "reference_median": 6.5e-6},
 {"name": "example_x_local_l2", "size": 8, "conduit": "smp", "ranks": 2, "part": "examples", "unit": "MB/s", "median": 12.5,
  "spread": 1, "ratio": 0.99, "reference": "pthreads", "reference_median": 12.6},
 {"name": "ibv_put", "size": 8, "conduit": "smp", "ranks": 2, "part": "smp2", "why_not": "no RDMA device"}]}
END
if ! "$source/bench/report" "$work/results.json" --html "$work/page.html" --svg "$work/svg" --png "$work/png" \
    >"$work/out" 2>"$work/err"; then
    if grep -q "plots need matplotlib" "$work/err"; then echo "SKIP: $(cat "$work/err")"; exit 77; fi
    cat "$work/err"
    exit 1
fi
has() { grep -qF -- "$1" "$work/page.html" || { echo "the page has no '$1'"; exit 1; }; }
has ">1.234 +- 0.005</td>"
has "&lt;no taskset&gt;"
has "not measured: no RDMA device"
has "12.5 MB/s"
has "lines whose part was not in this run</summary>"
has "<dt>CPU</dt><dd>Model &lt;9&gt;</dd>"
has "The load was 1.5 on 2 cores before the run, more than 0.5 a core: figures are shown, but not judged."
if grep -q "class=met\|class=missed" "$work/page.html"; then echo "figures of a busy machine are judged"; exit 1; fi
test "$(grep -c "<svg" "$work/page.html")" = 2
if grep -nE "<(link|img)|<script[^>]|src=|href=\"(http|[^#])" "$work/page.html"; then echo "the page needs other files"; exit 1; fi
sed 's/"load_before": 1.5/"load_before": 0.9/' "$work/results.json" >"$work/idle.json"
"$source/bench/report" "$work/idle.json" --html "$work/page.html" >"$work/out"
has "<td class=missed>missed</td>"
has "<td class=met>met</td>"
if grep -q "class=warning" "$work/page.html"; then echo "a warning of an idle machine"; exit 1; fi
for plot in latency bandwidth; do
    grep -q "<svg" "$work/svg/puts-and-gets-$plot.svg"
    test "$(head -c 4 "$work/png/puts-and-gets-$plot.png" | tail -c 3)" = PNG
done
echo "the page is whole"
