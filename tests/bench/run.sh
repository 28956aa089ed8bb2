#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh SOURCE BUILD: bench/run on an existing build: two short parts are measured and stored; programs that were not
# built are reported as not measured, in the table and in the status; wrong options are refused.
set -euo pipefail
run=$1/bench/run build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$1"; cat "$work/out"; exit 1; }

"$run" --quick --build "$build" --json-dir "$work/r" --only memory --only onecore >"$work/out" || fail "status $?"
# Above half a process a core beside it nothing is judged, which the last lines say.
verdicts="met|missed"
if grep -q "^not judged: the load was " "$work/out"; then verdicts="not judged"; fi
grep -Eq "^resident set .*rss_processes \(memory\) .* ($verdicts) " "$work/out" || fail "no line of memory"
grep -Eq "^barrier, 2 processes on one core .*<= 0.60 x +($verdicts|not measured) " "$work/out" || fail "no line of a barrier"
# Beside other tests a reference may not be steady.
if grep " not measured  " "$work/out" | grep -v "never steady"; then fail "something was not measured"; fi
python3 - "$work/r/results.json" <<'END'
import json, sys
run = json.load(open(sys.argv[1]))
assert [p["name"] for p in run["parts"]] == ["onecore", "memory"], run["parts"]
names = {(r["part"], r["name"]) for r in run["results"]}
assert {("onecore", "barrier"), ("onecore", "am_short"), ("memory", "rss_pthreads")} <= names, names
assert all(r["kib"] > 500 for r in run["results"] if r["part"] == "memory"), run["results"]
assert run["machine"]["cores"] >= 1 and run["quick"], run
END
mkdir "$work/empty"
status=0
"$run" --quick --build "$work/empty" --json-dir "$work/r" --only hello >"$work/out" 2>"$work/err" || status=$?
[ $status = 1 ] || fail "status $status of a build without programs"
grep -Eq "^start and end of hello.* not measured .*upcr_start_end was not built" "$work/out" || fail "no reason"
for wrong in "--nonsense" "--only nonsense" "--only"; do
    status=0
    # shellcheck disable=SC2086  # several words, on purpose
    "$run" --build "$build" --json-dir "$work/r" $wrong >"$work/out" 2>&1 || status=$?
    [ $status = 2 ] || fail "status $status of $wrong"
done
echo "measured, stored and judged"
