# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154  # variables of tools/rdma-vm
# Part of tools/rdma-vm: wires that guests share (--net WIRE,ID). Each has a folder, $cache/wires/WIRE:
#
#   0, 1, ...   sockets of the switch, one for each link (tools/rdma_vm/switch); `ready` once they can be connected to
#   users       each QEMU on the wire holds a shared lock of it; the switch ends when there is no lock
#   alive       the switch holds a lock of it
#   log         the output of the switch
#
# A switch process rather than QEMU's own sockets from guest to guest: those join two guests only, the one that connects
# must come second, and neither survives a new start of the other. QEMU's multicast socket joins any number of them, but
# is a datagram socket that loses what does not fit in its buffer, a third of the frames under load.

wire_links=4 # of a guest, at most

# join_wire: sets wire_folder and the descriptor `on_wire`; the wire exists as long as a process has it open.
join_wire() {
    local lock
    wire_folder=$cache/wires/${net%,*}
    mkdir -p "$cache/wires" || die "cannot create $cache/wires"
    exec {lock}>"$cache/wires/lock"
    flock "$lock"
    mkdir -p "$wire_folder" && exec {on_wire}>"$wire_folder/users" && flock -s "$on_wire" || die "cannot write to $wire_folder"
    is_alive "$wire_folder" || start_switch "$lock"
    exec {lock}>&-
}

start_switch() { # start_switch LOCK
    local switch_lock tries=600
    rm -f "$wire_folder/ready" "$wire_folder"/[0-9]*
    exec {switch_lock}>"$wire_folder/alive"
    flock "$switch_lock"
    ( # without locks of other files
        for fd in "$1" "$on_wire" "$never" "$alive"; do exec {fd}>&-; done
        exec setsid "$parts/switch" "$wire_folder" $wire_links
    ) </dev/null >"$wire_folder/log" 2>&1 &
    exec {switch_lock}>&-
    until [ -e "$wire_folder/ready" ]; do
        if [ $((tries--)) = 0 ] || ! kill -0 $! 2>/dev/null; then
            die "there is no switch for wire ${net%,*}: $(cat "$wire_folder/log")"
        fi
        pause 0.1
    done
}
