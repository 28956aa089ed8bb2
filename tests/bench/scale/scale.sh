#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# upcr_scale: results are right, records can be read and are the same each time, the barrier sends as many
# packets as its algorithm says, growth is as expected, and a linear broadcast is an error.
set -euo pipefail
scale=$1 python=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

"$scale" --ranks 2..64 --check --json "$dir/a.json" >"$dir/a.txt"
"$scale" --ranks 2..64 --json "$dir/b.json" >/dev/null
cmp "$dir/a.json" "$dir/b.json" || { echo "two runs differ"; exit 1; }
"$scale" --ranks 16..1024 --op barrier --op broadcast --op reduce --op lock --check --json "$dir/c.json" >"$dir/c.txt"
grep -q "all results are right" "$dir/c.txt"
grep -q "barrier .*logarithmic yes:" "$dir/c.txt"
grep -q "broadcast .*logarithmic yes:" "$dir/c.txt"
"$scale" --ranks 5000 --op barrier --json "$dir/d.json" >/dev/null
# Receive windows do not depend on the size of the job (left out where conduit ibv is not built).
if "$scale" --help | grep -q '[{,]window[,}]'; then
    "$scale" --ranks 512..65536 --op window --check --json "$dir/e.json" >"$dir/e.txt"
    grep -q "window .*constant *yes:" "$dir/e.txt"
    [ "$(grep -c '"requests": 32' "$dir/e.json")" = 8 ]
fi

"$python" - "$dir" <<'EOF'
import json, sys
def load(name):
    with open(f"{sys.argv[1]}/{name}.json") as file:
        return json.load(file)
records = load("a") + load("c") + load("d")
for r in records:
    assert set(r) >= {"op", "ranks", "messages", "bytes", "memory_per_rank", "time"}, r
    assert r["right"] and r["messages"] > 0 and r["bytes"] > 0 and r["memory_per_rank"] > 0 and r["time"] > 0, r
def sent(n):
    """Packets of a rank: as few rounds as 64 allows, the smallest radix that does with them, and in each round
    one packet to each of radix - 1 others, less where there are no more."""
    rounds = 0
    while 64 ** rounds < n:
        rounds += 1
    radix = 1
    while radix ** rounds < n:
        radix += 1
    return sum(min(radix - 1, (n - 1) // radix ** i) for i in range(rounds))
barriers = [r for r in records if r["op"] == "barrier"]
assert {r["ranks"] for r in barriers} >= {2, 64, 1024, 5000}
for r in barriers:
    assert r["most_messages"] == sent(r["ranks"]) and r["messages"] == r["ranks"] * sent(r["ranks"]), r
for r in records:
    if r["op"] in ("broadcast", "reduce"):  # one message and its reply for each but the root
        assert r["messages"] == 2 * (r["ranks"] - 1), r
    if r["op"] == "connect":  # no more than the algorithms' partners
        assert r["connections"] <= 2 * sent(r["ranks"]) + 3 * 16, r
    if r["op"] == "startup":
        # Of a table of `each` bytes a rank, upcrun or a relay gets each contribution once and sends the whole to
        # 33 places at most, and a relay gets it once; each message has 32 bytes of headers. An agent has 16
        # processes. Four tables. In two levels all hosts are reached up to 32 of them, then in up to three.
        n, hosts = r["ranks"], -(-r["ranks"] // 16)
        each = r["memory_per_rank"] * min(n, 16) / n
        assert r["hosts"] == hosts and r["levels"] == (1 if hosts <= 32 else 2 if hosts <= 1024 else 3), r
        assert r["most_bytes"] <= 36 * n * each + 4 * 68 * 32 and r["most_messages"] <= 4 * 68, r
        assert r["messages"] <= 4 * 2 * (n + 5 * hosts), r
EOF

# What a start costs grows with the number of ranks; without a tree, with its square.
"$scale" --ranks 512..65536 --op startup --check >"$dir/start.txt"
grep -q "startup .*bytes at the busiest place .*linear *yes:" "$dir/start.txt"
if "$scale" --ranks 512..32768 --op startup --fanout 100000 --check >"$dir/star.txt"; then
  echo "a star passes for a tree:"
  cat "$dir/star.txt"
  exit 1
fi
grep -q "startup .*bytes at the busiest place .*linear *NO:" "$dir/star.txt"

# The mutant: all ranks read from the root.
if UPCR_COLL_BROADCAST=flat "$scale" --ranks 16..1024 --op broadcast --check >"$dir/flat.txt"; then
  echo "a linear broadcast passes for logarithmic:"
  cat "$dir/flat.txt"
  exit 1
fi
grep -q "broadcast .*logarithmic NO:" "$dir/flat.txt"
