#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# test.sh RDMA_VM [all]: what tools/rdma-vm promises, with a fake QEMU (beside this file), so that no kernel boots:
# exit statuses, guests that stay, owners that go, what hangs, and that nothing is left behind.
set -u
all=${2:-}
vm=$(realpath "$1")
parts=$(dirname "$vm")/rdma_vm
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
export RDMA_VM_CACHE=$work/cache PATH=$here:$PATH RDMA_VM_ACCEL=tcg RDMA_VM_REPORT_TIME=3
guests=$RDMA_VM_CACHE/guests
failed=0
fail() { echo "FAILED: $*"; failed=1; }
check() { # check WHAT WANTED GOT
    [ "$2" = "$3" ] || fail "$1: '$3' instead of '$2'"
}
until_true() { # until_true WHAT COMMAND...: within a minute
    local what=$1 tries=600
    shift
    until "$@"; do
        [ $((--tries)) -gt 0 ] || { fail "timed out: $what"; return 1; }
        sleep 0.1
    done
}
gone() { ! kill -0 "$1" 2>/dev/null; }
empty_session() { [ -z "$(ps -o pid= -s "$1")" ]; }
nothing_left() { [ -z "$(ls -A "$guests")" ]; }
vm() { timeout 100 "$vm" "$@"; }
# status_of ARGUMENT...: the exit status of rdma-vm; its output is in $work/output.
status_of() { vm "$@" >"$work/output" 2>&1; echo $?; }
trap 'for guest in "$guests"/*/; do [ ! -e "$guest/qemu_pid" ] || "$vm" --stop "$(basename "$guest")"; done
    rm -rf "$work"' EXIT

# A cache without a kernel: the fake QEMU needs none.
fill_cache() (
    cache=$RDMA_VM_CACHE device=$1 net= loss=0
    mkdir -p "$cache"
    . "$parts/kernel.sh"
    need() { :; }
    prepare_kernel() { mkdir "$kernel"; }
    prepare_siw() { : >"$kernel/siw.ko"; }
    prepare_initramfs() { : >"$initramfs"; }
    prepare_cache
)
fill_cache rxe
output=$("$vm" --prepare)
[ $? != 77 ] || { echo "$output"; exit 77; }

one_command() {
    local out
    out=$(cd /usr && VALUE="a b  'c'" vm -- bash -c 'echo "$VALUE $PWD"; echo bad >&2; exit 3' 2>"$work/err")
    check "the command's status" 3 $?
    check "the command's output" "a b  'c' /usr" "$out"
    check "the command's errors" bad "$(cat "$work/err")"
    check "long output" "$(seq 20000 | cksum)" "$(vm seq 20000 | cksum)"
    check "too late" 124 "$(status_of --timeout 1 sleep 1000)"
    check "a guest that dies" 125 "$(FAKE_QEMU=dies status_of true)"
    grep -q "kernel panic" "$work/output" || fail "the console's output is not passed on"
    check "a guest that never answers" 124 "$(FAKE_QEMU=stuck status_of --timeout 1 true)"
    check "a guest that does not end" 0 "$(FAKE_QEMU=unresponsive status_of --timeout 5 true)"
    check "no command" 125 "$(status_of)"
    check "an unknown option" 125 "$(status_of --nonsense true)"
    until_true "folders of single commands are removed" nothing_left
}

# The command's environment, which may have secrets, is removed.
killed() {
    local pid
    "$vm" bash -c "echo \$\$ >$work/runs; exec sleep 1000" & pid=$!
    until_true "the command runs" [ -s "$work/runs" ]
    kill -KILL $pid
    wait $pid 2>/dev/null
    until_true "QEMU ends with it" flock -n "$(echo "$guests"/*/alive)" true
    kill -KILL "$(cat "$work/runs")" # a real one would have ended with QEMU
    vm true
    nothing_left || fail "the folder of an rdma-vm that was killed is still there"
}

# Checking whether it exists must not disturb a guest that is being started.
many_starts() {
    local i asks rounds=3
    [ -z "$all" ] || rounds=12
    while true; do flock -sn "$guests/many/alive" true 2>/dev/null; done & asks=$!
    for ((i = 0; i < rounds; ++i)); do
        vm --start many || fail "start $i"
        vm --in many true || fail "command $i"
    done
    kill $asks
    wait $asks 2>/dev/null
    vm --stop many
    check "stop" 0 $?
    vm --stop many
    check "stop without a guest" 0 $?
}

commands_in_a_guest() {
    local pid one
    check "no guest" 125 "$(status_of --in stays true)"
    vm --start stays || fail "start"
    vm --in stays -- bash -c 'exit 5'
    check "status" 5 $?
    check "too late in it" 124 "$(status_of --in stays --timeout 1 sleep 1000)"
    vm --in stays -- bash -c "touch $work/a; until [ -e $work/b ]; do sleep 0.1; done" & one=$!
    vm --in stays -- bash -c "touch $work/b; until [ -e $work/a ]; do sleep 0.1; done" || fail "two at a time"
    wait $one || fail "two at a time"

    # A caller that gets SIGTERM or SIGKILL leaves nothing behind, neither on the host nor in the guest.
    for signal in TERM KILL; do
        rm -f "$work/pid"
        setsid "$vm" --in stays -- bash -c "echo \$\$ >$work/pid; exec sleep 1000" & pid=$!
        until_true "it runs" [ -s "$work/pid" ]
        kill -$signal $pid
        wait $pid 2>/dev/null
        check "the status after SIG$signal" "${signal/TERM/143}" "${?/137/KILL}"
        until_true "SIG$signal ends what waits" empty_session $pid
        until_true "SIG$signal ends the command" gone "$(cat "$work/pid")"
    done

    # A guest that dies, with a command in it and before.
    rm -f "$work/pid"
    "$vm" --in stays -- bash -c "echo \$\$ >$work/pid; exec sleep 1000" >"$work/output" 2>&1 & pid=$!
    until_true "it runs" [ -s "$work/pid" ]
    kill -KILL "$(cat "$guests/stays/fake_qemu")"
    wait $pid
    check "a guest that dies under a command" 125 $?
    kill -KILL "$(cat "$work/pid")"
    until_true "the folder is removed" nothing_left
    check "a guest that has died" 125 "$(status_of --in stays true)"
}

ends_of_guests() {
    local owner
    sleep 1000 & owner=$!
    vm --start owned --owner $owner
    local qemu
    qemu=$(cat "$guests/owned/fake_qemu")
    kill $owner
    wait $owner 2>/dev/null
    until_true "it ends with its owner" gone "$qemu"
    until_true "its folder too" nothing_left

    vm --start kept
    qemu=$(cat "$guests/kept/fake_qemu")
    kill -KILL "$(ps -o ppid= -p "$qemu")"
    until_true "it ends with its keeper" gone "$qemu"
    vm --stop kept

    FAKE_QEMU=unresponsive vm --start unresponsive
    qemu=$(cat "$guests/unresponsive/fake_qemu")
    vm --stop unresponsive
    until_true "--stop ends a guest that does not listen" gone "$qemu" # its supervisor notices it after a while

    check "a guest that does not come up" 125 "$(FAKE_QEMU=silent status_of --start silent --timeout 1)"
    grep -q "did not come up in 1 s" "$work/output" || fail "there is no message that it did not come up"
    until_true "nothing is left of it" nothing_left
}

# A guest whose clock is wrong is restarted, three times at most; its command runs once.
wrong_clock() {
    local wrong news wrongs=4
    [ -z "$all" ] || wrongs="0 1 2 3 4"
    export FAKE_QEMU=fast FAKE_QEMU_FAST=$work/fast
    for wrong in $wrongs; do
        news=$((wrong > 3 ? 3 : wrong))
        seq $wrong >"$FAKE_QEMU_FAST"
        rm -f "$work/runs"
        check "a command, $wrong wrong clocks" 6 "$(status_of bash -c "echo >>$work/runs; exit 6")"
        check "new starts for $wrong wrong clocks" $news "$(grep -c "restarting the guest" "$work/output")"
        check "the command runs once" 1 "$(wc -l <"$work/runs")"
        check "a clock that stays wrong is reported" $((wrong > 3)) "$(grep -c "still wrong after" "$work/output")"

        seq $wrong >"$FAKE_QEMU_FAST"
        check "--start, $wrong wrong clocks" 0 "$(status_of --start clock)"
        check "new starts of a guest that stays" $news "$(grep -c "restarting the guest" "$work/output")"
        check "a command in it" 0 "$(status_of --in clock true)"
        vm --stop clock
    done
    check "a right clock" 0 "$(FAKE_QEMU=exact status_of true)"
    check "nothing is reported about it" "" "$(cat "$work/output")"
    unset FAKE_QEMU FAKE_QEMU_FAST
    until_true "nothing is left of them" nothing_left
}

# Guests on a wire: it is there as long as one of them is.
wires() {
    local wire=$RDMA_VM_CACHE/wires/w switch
    for arguments in "--net w" "--net w,0" "--net w,9" "--net ../w,1" "--net w,1 --links 5" "--loss 5" "--net w,1 --loss 101" "--net w,1 --loss x"; do
        # shellcheck disable=SC2086  # several words
        check "$arguments" 125 "$(status_of $arguments true)"
    done
    vm --start one --net w,1 || fail "start"
    vm --start two --net w,2 --loss 2.5 || fail "start"
    cp "$guests/two/control/settings" "$work/settings"
    "$here/wire.py" "$wire" || fail "frames"
    switch=$(stat -c %i "$wire/0")
    vm --stop one
    vm --start one --net w,1 || fail "start"
    vm --stop two
    check "a new guest on a wire that is there" 0 "$(status_of --net w,3 test -e "$wire/ready")"
    check "there is one switch" "$switch" "$(stat -c %i "$wire/0")"
    grep -q "loss=2.5 " "$work/settings" || fail "--loss does not get to the guest"
    vm --stop one
    until_true "the wire ends with its last guest" [ ! -e "$wire" ]
    check "a wire for one command" 0 "$(status_of --net w,1 test -e "$wire/ready")"
    until_true "it ends with it" [ ! -e "$wire" ]
}

# Where no guest can be had the start is skipped, with the reason, and so are commands for that guest.
no_qemu() {
    local PATH=$work/bin
    check "without QEMU" 77 "$(status_of true)"
    grep -q "SKIP: .*qemu-system-x86_64" "$work/output" || fail "no reason: $(cat "$work/output")"
    check "--start without QEMU" 77 "$(status_of --start none)"
    check "--in without QEMU" 77 "$(status_of --in none true)"
    grep -q "SKIP: .*qemu-system-x86_64" "$work/output" || fail "no reason: $(cat "$work/output")"
    check "--stop without QEMU" 77 "$(status_of --stop none)"
    grep -q "SKIP: .*qemu-system-x86_64" "$work/output" || fail "no reason: $(cat "$work/output")"
    check "a second --stop" 0 "$(status_of --stop none)"
    nothing_left || fail "left without QEMU: $(ls -A "$guests")"
}
mkdir "$work/bin"
ln -s /usr/bin/* "$work/bin/"
rm -f "$work/bin/qemu-system-x86_64"

for part in one_command killed many_starts commands_in_a_guest ends_of_guests wrong_clock wires no_qemu; do
    $part
    echo "$part: done"
done
exit $failed
