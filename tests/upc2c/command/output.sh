#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# output.sh UPC2C: where upc2c writes C, and that it writes none for what has errors.
set -eu
upc2c=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "output.sh: $*" >&2
    exit 1
}

cat >"$folder/good.i" <<'EOF'
# 1 "good.upc"
int f(void) { return 7; }
EOF
printf '# 1 "bad.upc"\nshared int *p;\nint *f(void) { return p; }\n' >"$folder/bad.i"

"$upc2c" -o "$folder/good.c" "$folder/good.i" >"$folder/stdout" || fail "a good file is refused"
[ -s "$folder/stdout" ] && fail "-o writes to standard output as well"
head -n 1 "$folder/good.c" | grep -q '^/\* written by upc2c' || fail "no first line by which upcc knows the output"
grep -q '^#line 1 "good.upc"$' "$folder/good.c" || fail "no #line of the source"
"$upc2c" "$folder/good.i" | cmp - "$folder/good.c" || fail "standard output differs"
"$upc2c" -o - - <"$folder/good.i" >"$folder/stdout" || fail "standard input"
grep -q 'return 7;' "$folder/stdout" || fail "-o - writes no C"
"$upc2c" -o "$folder/none.c" -fsyntax-only "$folder/good.i" || fail "-fsyntax-only"
[ ! -e "$folder/none.c" ] || fail "-fsyntax-only writes C"
"$upc2c" -o "$folder/bad.c" "$folder/bad.i" 2>"$folder/messages" && fail "errors and status 0"
[ ! -e "$folder/bad.c" ] || fail "C for a file with errors"
status=0
"$upc2c" -o "$folder/no/such.c" "$folder/good.i" 2>"$folder/messages" || status=$?
[ "$status" = 2 ] || fail "status $status where OUT cannot be written"
grep -q 'such.c: ' "$folder/messages" || fail "the message has no file: $(cat "$folder/messages")"
