#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# examples.sh BENCH_EXAMPLES BUILD_DIR PYTHON: one row of bench/examples, and its record.
bench=$1 build=$2 python=$3
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
"$python" "$bench" --build "$build" --triples 1 --rows sort_shared_incache --json "$folder/records" || exit 1
"$python" - "$folder/records" <<'CHECK'
import json, sys
rows = {row["name"]: row for row in json.load(open(sys.argv[1]))}
row = rows["example_sort_shared_incache"]
assert row["conduit"] == "smp" and row["ranks"] == 2 and row["size"] > 0 and row["unit"] == "keys/s", row
assert row["reference"] == "pthreads" and row["reference_median"] > 0 and row["median"] > 0 and row["spread"] >= 0, row
assert 0 <= row["kept"] <= row["triples"] and 1 <= row["triples"] <= 2, row
assert row["kept"] >= 1 or row["triples"] == 2, row
assert row["triples"] > 1 or abs(row["ratio"] - row["median"] / row["reference_median"]) < 1e-9, row
CHECK
