#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# check_upcr_info.sh UPCR_INFO VERSION LAYOUT: what upcr_info prints.
info=$1 version=$2 layout=$3
fail() { echo "$*" >&2; exit 1; }
expect() { # expect TEXT PATTERN
  printf '%s\n' "$1" | grep -Eq -- "$2" || fail "no line '$2' in:
$1"
}

text=$("$info") || fail "upcr_info ended with $?"
expect "$text" "^upcr $version\$"
expect "$text" "^  UPC Runtime interface  specification 3\.[0-9]+\$"
expect "$text" "^  layout +$layout, (8|16) bytes\$"
expect "$text" "^  fields +phase [0-9]+ bits, thread [0-9]+ bits, address [0-9]+ bits\$"
expect "$text" "^  UPC threads +[0-9]+\$"
expect "$text" "^  smp +present +.*\(built in\)\$"
expect "$text" "^  mpi +(present|missing) "
expect "$text" "^  ibv +(present|missing) "
if [ ! -e /sys/class/infiniband ] && printf '%s\n' "$text" | grep -q "^  ibv *present"; then
  expect "$text" "^ +module present, no device: there is no RDMA device on "
fi
expect "$text" "^  CPUs for a job +[0-9]+\$"

# Without /proc (where the user may have name spaces of his own).
expect "$text" "^  memory for a job +[0-9.]+ [GM]iB free now"
if unshare -rm true 2> /dev/null; then
  text=$(unshare -rm sh -c 'mount -t tmpfs none /proc && exec "$0"' "$info")
  expect "$text" "^  memory for a job +unknown: /proc is not mounted\$"
fi

# A module that is not there: where it was looked for.
text=$(UPCR_MODULE_PATH=/nonexistent/a:/nonexistent/b "$info")
expect "$text" "^  ibv +missing .*\(not installed: no conduit_ibv\.so in /nonexistent/a, /nonexistent/b\)\$"

# The table: the environment's values, and what is wrong with them.
text=$(env -u UPCR_FREEZE UPC_SHARED_HEAP_SIZE=12Q GASNET_BACKTRACE=no "$info" -c) || fail "upcr_info -c ended with $?"
expect "$text" "^  UPC_SHARED_HEAP_SIZE = 12Q   \[set; default 64MB\]   \[WRONG: expected a number with K"
expect "$text" "^  UPCR_BACKTRACE = no   \[set; default yes\]\$"
expect "$text" "^  UPCR_FREEZE = no\$"

# The heap of a job of one UPC thread: the size that the environment asks for, less the runtime's two pages.
expect "$(UPC_SHARED_HEAP_SIZE=1MB "$info" --heap)" "^UPC thread 0: 1016 KiB; used .* 0 local .* 0 global objects; "

"$info" --markdown > /dev/null 2>&1 && fail "--markdown without -c is accepted"
text=$("$info" --nonsense 2>&1) && fail "an unknown option is accepted"
expect "$text" "^upcr_info: .*--nonsense"
[ "$("$info" --job abc 2>&1)" = "upcr_info: --job: 'abc' is not the number of a process; upcr_info --help lists the options" ] ||
  fail "--job abc is explained as: $("$info" --job abc 2>&1)"
for pid in 0 -1 1.5 99999999999 ''; do
  "$info" --job="$pid" > /dev/null 2>&1
  [ $? -eq 2 ] || fail "--job=$pid ended with $?"
done

# Output that cannot be written.
for option in '' --help --version -c; do
  text=$("$info" $option 2>&1 > /dev/full)
  [ $? -eq 74 ] || fail "upcr_info $option to a full device ended with $?"
  expect "$text" "^upcr_info: cannot write standard output(: No space left on device)?\$"
done

expect "$("$info" --version)" "^upcr_info $version\$"
exit 0
