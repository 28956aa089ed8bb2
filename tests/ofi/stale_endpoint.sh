#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# stale_endpoint.sh UPCRUN LOST PROGRAM: libfabric's shm names the memory of an endpoint by the number of its process, and a
# process that is killed leaves it. A job starts although its processes have the numbers of such ones.
set -u
upcrun=$1 lost=$2 program=$3
dir=$(mktemp -d)
export UPCR_PSHM=no UPCR_BACKTRACE=no FI_PROVIDER=shm
clean() {
    [ ! -s "$dir/numbers" ] || sed 's|.*|/dev/shm/&:0:0|' "$dir/numbers" | xargs rm -f
    rm -rf "$dir"
}
trap clean EXIT

# The file of the process that `lost` kills.
killed=$("$upcrun" --conduit ofi -n 1 --timeout 60 "$lost" 2>&1 | sed -nE 's/.*pid ([0-9]+)\) was killed by signal 9.*/\1/p')
left=/dev/shm/$killed:0:0
[ -n "$killed" ] || { echo "FAILED: no process was killed"; exit 1; }
[ -s "$left" ] || { echo "this libfabric leaves no $left: nothing to test"; exit 77; }
mv "$left" "$dir/left"

# Each process finds a copy that has its own number in the name and, as word 1, in the header.
cat >"$dir/with_a_copy.py" <<'END'
import os, shutil, struct, sys
left, numbers, killed, program = sys.argv[1:]
mine = f"/dev/shm/{os.getpid()}:0:0"
shutil.copyfile(left, mine)
with open(numbers, "a") as file:
    file.write(f"{os.getpid()}\n")
with open(mine, "r+b") as file:
    assert struct.unpack("ii", file.read(8))[1] == int(killed), "the header has another form"
    file.seek(4)
    file.write(struct.pack("i", os.getpid()))
os.execv(program, [program])
END
UPCR_LOG_LEVEL=ofi:info "$upcrun" --conduit ofi -n 3 --timeout 60 python3 "$dir/with_a_copy.py" "$dir/left" "$dir/numbers" \
    "$killed" "$program" >"$dir/out" 2>&1
status=$?
cat "$dir/out"
[ $status = 0 ] || { echo "FAILED: status $status"; exit 1; }
[ "$(wc -l <"$dir/numbers")" = 3 ] || { echo "FAILED: not three processes"; exit 1; }
[ "$(grep -c 'the name of the endpoint was taken, it is fi_shm://upcr-' "$dir/out")" = 3 ] ||
    { echo "FAILED: not three processes have taken another name"; exit 1; }
