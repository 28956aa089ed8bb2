#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# plot.sh UPCR_SCALE PLOT: a plot has the records' operations; equal records give equal files. Skipped (77) where
# there is no matplotlib.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$1" --ranks 2..32 --json "$dir/a.json" >/dev/null
for copy in 1 2; do
  if ! "$2" "$dir/a.json" "$dir/$copy.svg" 2>"$dir/err"; then
    if grep -q "plots need matplotlib" "$dir/err"; then echo "SKIP: $(cat "$dir/err")"; exit 77; fi
    cat "$dir/err"
    exit 1
  fi
done
cmp "$dir/1.svg" "$dir/2.svg"
for word in barrier broadcast reduce lock connect "modelled time" "tables of all ranks"; do
  grep -q "$word" "$dir/1.svg" || { echo "the plot has no '$word'"; exit 1; }
done
