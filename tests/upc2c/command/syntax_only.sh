#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# syntax_only.sh UPC2C: exit statuses, messages and options of upc2c -fsyntax-only.
set -eu
upc2c=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "syntax_only.sh: $*" >&2
    exit 1
}
# expect STATUS PATTERN ARGUMENT...
expect() {
    want=$1 pattern=$2
    shift 2
    status=0
    "$upc2c" "$@" 2>"$folder/messages" || status=$?
    [ "$status" = "$want" ] || fail "upc2c $* exits with $status: $(cat "$folder/messages")"
    grep -q -- "$pattern" "$folder/messages" || fail "upc2c $*: no '$pattern' in: $(cat "$folder/messages")"
}

cat >"$folder/good.i" <<'EOF'
# 1 "good.upc"
shared [4] int a[4 * THREADS];
int main(void) { upc_barrier; return a[1]; }
EOF
cat >"$folder/bad.i" <<'EOF'
# 7 "bad.upc"
shared [4] int *p;
int *f(void) { return p; }
void g(void) { upc_notify; upc_notify; }
EOF
"$upc2c" -fsyntax-only "$folder/good.i" 2>"$folder/messages" || fail "a good file is refused"
[ -s "$folder/messages" ] && fail "messages for a good file"
expect 1 '^bad.upc:8:23: error: .*\[D-CNV-LOCAL\]' -fsyntax-only "$folder/bad.i"
grep -q '^bad.upc:9:28: warning: .*\[-Wupc-barrier-order\]' "$folder/messages" || fail "no warning"
expect 1 'error: .*D-BAR-ORDER' -fsyntax-only -Werror=upc-barrier-order "$folder/bad.i"
expect 1 '"id": "D-CNV-LOCAL"' -fsyntax-only -fdiagnostics-format=json "$folder/bad.i"
expect 1 'D-CNV-LOCAL' -fsyntax-only -w "$folder/bad.i"
grep -q warning "$folder/messages" && fail "-w prints warnings"
expect 1 'too many errors' -fsyntax-only -Werror -fmax-errors=1 "$folder/bad.i"
expect 2 'no-such' -fsyntax-only "$folder/no-such.i"
expect 2 'unknown option' --no-such-option "$folder/good.i"
expect 2 'a number is expected' -fsyntax-only -fupc-threads=x "$folder/good.i"
expect 2 'usage' -fsyntax-only
"$upc2c" -fsyntax-only - <"$folder/good.i" || fail "standard input"
"$upc2c" --dump-tree "$folder/good.i" | grep -q '(barrier ())' || fail "--dump-tree"
