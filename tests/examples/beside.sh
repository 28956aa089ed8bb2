#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# beside.sh WORK_DIR NAME VERSION UPCRUN CC LAUNCHER [ARGUMENT]...
# WORK_DIR has NAME as run.sh built it and NAME_VERSION.c, the same algorithm in plain C. Passes when both end with
# status 0 at two threads, print a line of JSON for each variant that they measure, and have the same last line, "done: "
# and their result (MPICH's launcher may add an empty line). LAUNCHER starts the plain program; empty: the program
# starts threads itself.
work=$1 name=$2 version=$3 upcrun=$4 cc=$5 launcher=$6
shift 6
cd "$work" || exit 2
fail() { echo "FAILED: $*"; cat "$folder/plain.out" "$folder/plain.err" "$folder/upc.out"; exit 1; }
folder=$(mktemp -d "$work/plain.XXXXXX") || exit 2
trap 'rm -rf "$folder"' EXIT
"$cc" -O3 -pthread -Wall -Werror "${name}_$version.c" -o "$folder/plain" -lm || exit 1
"$upcrun" --timeout 240 -n 2 "./$name-release" "$@" >"$folder/upc.out" 2>&1 || fail "$name: status $?"
$launcher "$folder/plain" "$@" >"$folder/plain.out" 2>"$folder/plain.err" </dev/null || fail "${name}_$version: status $?"
grep -q '^{"example": "'"$name"'", "version": ".*"rate": [0-9].*}$' "$folder/plain.out" || fail "no line of JSON"
grep -q '^{"example": "'"$name"'", "version": ".*"rate": [0-9].*}$' "$folder/upc.out" || fail "no line of JSON"
last() { grep -v '^$' "$1" | tail -n 1; }
answer=$(last "$folder/plain.out")
case $answer in "done: "*) ;; *) fail "${name}_$version says: $answer" ;; esac
[ "$answer" = "$(last "$folder/upc.out")" ] || fail "different answers"
echo "$name and ${name}_$version: $answer"
