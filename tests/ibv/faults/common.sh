# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Read by the scripts beside it, which run as root in a guest with one RDMA device: DEVICE0 on the network device
# dummy0. UPCRUN and TRANSFERS are their first arguments. Some of them run over emulated devices, too
# (../emulated): there all devices that are needed exist.
set -u
export UPCRUN=$1 TRANSFERS=$2 UPCR_PSHM=no UPCR_BACKTRACE=no
device=$(basename "$(echo /sys/class/infiniband/*0)")
emulated=${EMULATED_FABRIC:-}
[ -z "$emulated" ] || device=emu0
kind=${device%0}
dir=$(mktemp -d)
chmod 755 "$dir"
failed=0
job=
make_device() {
    [ -z "$emulated" ] || return 0
    rdma link add "$device" type "$kind" netdev dummy0
    chmod 666 /dev/infiniband/uverbs*
}
# A second one, on dummy1: 10.77.1.1.
make_second_device() {
    [ -z "$emulated" ] || return 0
    ip link add dummy1 type dummy
    ip link set dummy1 mtu "$(cat /sys/class/net/dummy0/mtu)"
    ip addr add 10.77.1.1/24 dev dummy1
    ip link set dummy1 up
    rdma link add "${kind}1" type "$kind" netdev dummy1
    chmod 666 /dev/infiniband/uverbs*
}
delete_second_device() {
    [ -z "$emulated" ] || return 0
    rdma link delete "${kind}1"
    ip link delete dummy1
}
# set_link down|up: of the first device.
set_link() {
    if [ -n "$emulated" ]; then "$emulated" port "$device" 1 "$1"; else ip link set dummy0 "$1"; fi
}
# What was sent while the link was down may leave rxe broken for good: so the device is created again.
renew_device() {
    set_link up
    [ -n "$emulated" ] || rdma link delete "$device"
    make_device
}
clean_up() { :; } # redefined by scripts that change the machine
trap 'clean_up; rm -rf "$dir"' EXIT

fail() { echo "FAILED: $*"; cat "$dir/out"; failed=1; }
output_has() { grep -qE -- "$1" "$dir/out" || fail "missing in the output: $1"; }
output_lacks() { ! grep -qE -- "$1" "$dir/out" || fail "in the output: $1"; }

# ends_with STATUS COMMAND...: its output is in $dir/out. STATUS "bad" stands for any but 0, and for no time-out.
ends_with() {
    local want=$1 status=0
    shift
    "$@" >"$dir/out" 2>&1 || status=$?
    [ "$want" = $status ] || { [ "$want" = bad ] && [ $status != 0 ] && [ $status != 124 ]; } ||
        fail "status $status of $*"
}
until_true() { # until_true SECONDS COMMAND...
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.1
    done
}

all_under_way() { [ "$(grep -c 'is under way' "$dir/out")" = "$1" ]; }
# start_job N: transfers without end by N processes; sets job (upcrun's id) and processes (by rank). The stderr of each
# process is in a file of its own, so that it does not pass upcrun; job_ends() adds it to $dir/out.
start_job() {
    local rank
    : >"$dir/out" # here, not when the job begins: the lines of the job before would count
    "$UPCRUN" --conduit ibv -n "$1" --timeout 200 sh -c 'exec "$TRANSFERS" 0 2>"$0/err.$$"' "$dir" >"$dir/out" 2>&1 &
    job=$!
    until_true 180 all_under_way "$1" || { fail "the job does not start"; exit 1; }
    processes=()
    for ((rank = 0; rank < $1; ++rank)); do
        processes+=("$(sed -n "s/^thread $rank is under way, process //p" "$dir/out")")
    done
}
# A zombie has ended, too.
gone() {
    local p
    for p; do grep -qs '^State:[[:space:]]*[^ZX]' "/proc/$p/status" && return 1; done
    return 0
}
# what_processes_do: for a job that hangs: each one's last messages and, where there is gdb, its threads' stacks.
what_processes_do() {
    local p
    for p in "${processes[@]}"; do
        echo "-- process $p: $(sed -n 's/^State:[[:space:]]*//p' "/proc/$p/status" 2>/dev/null)"
        tail -5 "$dir/err.$p"
        gdb -p "$p" -batch -ex 'thread apply all bt 16' 2>/dev/null | grep -E '^(#|Thread)'
    done
}
# job_ends: the job fails on all ranks within 50 seconds, ten times what it should take.
job_ends() {
    local status=0
    until_true 50 gone "${processes[@]}" $job || { fail "the job has not ended 50 seconds later"; what_processes_do; }
    wait $job || status=$?
    cat "$dir"/err.* >>"$dir/out"
    rm "$dir"/err.*
    [ $status != 0 ] && [ $status != 124 ] || fail "the job ended with status $status"
}
finish() {
    [ $failed = 0 ] && echo "passed"
    exit $failed
}
