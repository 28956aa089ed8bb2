#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# inst.sh UPCC UPCRUN EXAMPLES_DIR: upcc --inst without a tool, with one in an archive, and without --inst.
upcc=$1 upcrun=$2 sources=$3
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" && cp "$sources"/gasp/*.c . || exit 1
failed=0
fail() { echo "FAILED: $*"; cat out; failed=1; }
"$upcc" --inst gasp.c -o alone >out 2>&1 || fail "no tool: does not link"
"$upcrun" -n 1 --timeout 100 ./alone >out 2>&1
[ $? -eq 255 ] && grep -q 'compiled with --inst, but no GASP tool is linked: nothing defines gasp_init' out ||
  fail "no tool: no such message"
"$upcc" --inst -c tool.c -o tool.o >out 2>&1 && ar rc libtool.a tool.o &&
  "$upcc" --inst gasp.c -L. -ltool -o archive >out 2>&1 || fail "archive: does not link"
"$upcrun" -n 2 --timeout 100 ./archive >out 2>&1 || fail "archive: does not run"
grep -q '^thread 1 line 14: 40 bytes, 10 times$' out || fail "archive: no events"
"$upcc" gasp.c tool.c -o plain >out 2>&1 || fail "without --inst: does not link"
"$upcrun" -n 2 --timeout 100 ./plain >out 2>&1 || fail "without --inst: does not run"
[ "$(cat out)" = "done" ] || fail "without --inst: events"
"$upcc" --inst-toolname=x gasp.c >out 2>&1 && fail "--inst-toolname is accepted"
grep -q 'upcc has --inst, --inst-functions and --inst-local' out || fail "--inst-toolname: no reason"
exit $failed
