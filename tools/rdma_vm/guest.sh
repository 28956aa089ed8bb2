# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154  # variables of tools/rdma-vm
# Part of tools/rdma-vm: running guests. Each has a folder, $cache/guests/NAME:
#
#   requests         a pipe to the guest: lines `run ID [cached]`, `report`, `kill ID`, `stop` (tools/rdma_vm/agent reads
#                  them)
#   control/       shared by both sides. `agent` and `settings` for the guest; `up` when it is up, and before that `clock`,
#                  `clock.1` and `clock.2` (clock_is_wrong has what is in them); for each command a folder ID with
#                  `command`, `caller` (the process that waits for it), `limit` (seconds), and from the guest `out`,
#                  `err`, `rc`, `late` (the time limit was exceeded)
#   alive          locked as long as the guest's supervisor or its QEMU lives
#   console, qemu  the output of the guest's kernel and of QEMU
# The supervisor is the process that has started QEMU and waits for it; QEMU dies with it. It ends the guest when the
# owner is gone, and commands whose caller is gone. An idle guest ends itself after a time limit. The supervisor removes
# the folder.

exec {never}<> <(:) # a pipe without a writer
pause() { read -rt "$1" -u "$never" _; true; }

guest_folder() { echo "$cache/guests/$1"; }
skipped_file() { echo "$cache/guests/$1.skipped"; } # the reason for which there is no guest of that name
is_alive() { # is_alive DIR: processes that check at the same time do not see each other
    local status
    flock -sn "$1/alive" true 2>/dev/null
    status=$?
    [ $status = 1 ] # 0: the lock was free, others: there is no such folder
}
# lock_guest DIR: marks the guest as alive for as long as a process has $alive open. Waits for a process that checks it
# at the same moment.
lock_guest() {
    exec {alive}>"$1/alive"
    flock -w 10 "$alive" || die "there is a guest $(basename "$1") already"
}
# with_guests_lock COMMAND...: runs the command, which removes the folder of a guest, under a lock. Without it a supervisor
# that has just found its folder could remove the folder of a new guest of the same name.
with_guests_lock() {
    local lock
    exec {lock}>"$cache/guests.lock"
    flock "$lock"
    "$@" {lock}>&-
    exec {lock}>&-
}
send_request() { # send_request DIR WORD...: never blocks, whatever the guest does
    local dir=$1
    shift
    echo "$*" 1<>"$dir/requests"
}

# make_guest NAME: makes the folder of a new guest and prints it.
make_guest() {
    local dir
    dir=$(guest_folder "$1")
    rm -rf "$dir"
    { mkdir -p "$dir/control" && mkfifo "$dir/requests"; } || die "cannot write to $dir"
    cp "$parts/agent" "$dir/control/agent"
    {
        echo "device=$device links=$links id=${net##*,} loss=$loss idle=$idle verbose=$verbose"
        echo "stays=$([ "$verb" = once ] && echo no || echo yes)"
        echo "rw=(${rw[*]@Q})"
    } >"$dir/control/settings"
    echo "$dir"
}

# launch DIR ACCEL: QEMU, as a child; sets qemu_pid. QEMU inherits the locks of lock_guest and join_wire, nothing
# else.
launch() {
    local dir=$1 on_wire=
    [ -z "$net" ] || join_wire
    qemu_command "$dir" "$2"
    exec {requests}<>"$dir/requests" # what is written before QEMU reads stays
    (
        [ -z "$net" ] || cd "$wire_folder" || exit # the sockets' paths are relative to it
        exec setpriv --pdeathsig KILL "${qemu[@]}" {never}>&- {requests}>&-
    ) </dev/null >"$dir/qemu" 2>&1 &
    qemu_pid=$!
    [ -z "$net" ] || exec {on_wire}>&-
}

# prepare_command DIR SECONDS COMMAND...: makes the folder of a command with that time limit (0: none) and prints it.
prepare_command() {
    local dir=$1 limit=$2 folder
    shift 2
    folder=$(mktemp -d "$dir/control/XXXXXX") || die "cannot write to $dir/control"
    : >"$folder/out"
    : >"$folder/err"
    echo $$ >"$folder/caller"
    [ "$limit" = 0 ] || echo "$limit" >"$folder/limit"
    {
        export -p
        printf 'cd -- %q || exit 126\nulimit -l unlimited\nulimit -c 0\nexec' "$PWD"
        printf ' %q' "$@"
        echo
    } >"$folder/command"
    echo "$folder"
}

# await DIR FOLDER SECONDS: waits until there is a status, the guest is gone, or this program gets a signal to end. The
# guest itself ends the command after SECONDS (0: never) and reports which processes still run. If it does not, it is
# requested to print the state of all processes on its console, then to kill the command, and gets some time for both.
await() {
    local deadline=0 report_time=${RDMA_VM_REPORT_TIME:-100} # seconds that the guest may take for its report
    [ -e "$1/control/up" ] || report_time=0
    [ "$3" = 0 ] || deadline=$((SECONDS + $3 + report_time))
    until [ -s "$2/rc" ]; do
        { is_alive "$1" && [ -d "$2" ] && [ -e "/proc/$$" ]; } || break
        if [ $deadline != 0 ] && [ $SECONDS -ge $deadline ]; then
            [ ! -e "$2/killed" ] || break
            if [ ! -e "$2/unresponsive" ]; then
                : >"$2/unresponsive"
                send_request "$1" report
            else
                : >"$2/killed"
                send_request "$1" kill "$(basename "$2")"
            fi
            deadline=$((SECONDS + 10))
        fi
        pause 0.05
    done
}

# follow DIR FOLDER SECONDS: forwards the command's output until its end; returns its status.
follow() {
    local dir=$1 folder=$2 waiter out
    await "$dir" "$folder" "$3" &
    waiter=$!
    tail -qf -c +1 -s 0.05 --pid=$waiter "$folder/out" &
    out=$!
    tail -qf -c +1 -s 0.05 --pid=$waiter "$folder/err" >&2 &
    wait $out $! # not in the foreground: signals are handled at once
    if [ -e "$folder/unresponsive" ]; then
        echo "rdma-vm: timed out after $timeout s, and the guest has not ended the command; its console:" >&2
        tail -n 200 "$dir/console" >&2
        return 124
    elif [ -e "$folder/late" ]; then
        echo "rdma-vm: timed out after $timeout s" >&2
        return 124
    elif [ -s "$folder/rc" ]; then
        return "$(cat "$folder/rc")"
    fi
    echo "rdma-vm: the guest ended before the command did" >&2
    tail -n 20 "$dir/qemu" "$dir/console" >&2 2>/dev/null
    return 125
}

run_in_guest() { # run_in_guest NAME COMMAND...
    local dir folder status
    dir=$(guest_folder "$1")
    ! cat "$(skipped_file "$1")" 2>/dev/null || exit 77
    shift
    { is_alive "$dir" && [ -e "$dir/control/up" ]; } || die "there is no guest $name, or it has died (rdma-vm --start $name)"
    folder=$(prepare_command "$dir" "$timeout" "$@") || exit
    trap 'send_request "$dir" kill "$(basename "$folder")"; rm -rf "$folder"; exit 143' TERM INT HUP
    send_request "$dir" run "$(basename "$folder")" $cached
    follow "$dir" "$folder" "$timeout"
    status=$?
    rm -rf "$folder"
    return $status
}

stop_guest() { # stop_guest NAME
    local dir tries=100
    dir=$(guest_folder "$1")
    rm -f "$(skipped_file "$1")"
    [ -e "$dir" ] || return 0
    ! is_alive "$dir" || send_request "$dir" stop
    while is_alive "$dir" && [ $tries -gt 0 ]; do
        pause 0.1
        tries=$((tries - 1))
    done
    ! is_alive "$dir" || kill -KILL "$(cat "$dir/qemu_pid")" 2>/dev/null
    while is_alive "$dir"; do pause 0.1; done
    with_guests_lock rm -rf "$dir"
}

# --stop; it is skipped where the start was.
stop_or_skip() { # stop_or_skip NAME
    local why
    why=$(cat "$(skipped_file "$1")" 2>/dev/null)
    stop_guest "$1"
    [ -z "$why" ] || { echo "$why"; exit 77; }
}

wait_until_up() { # wait_until_up DIR
    local deadline=$((${first_start:-SECONDS} + timeout)) # first_start: the time of the first of several starts
    until [ -e "$1/control/up" ]; do
        is_alive "$1" || return
        [ "$timeout" = 0 ] || [ $SECONDS -lt $deadline ] || return
        pause 0.1
    done
}

# When the processor is emulated and the host is busy, the guest's kernel may calibrate its clock wrongly at boot. Its
# time-outs then end several times too early.
# clock_is_wrong DIR: whether it is wrong by more than a quarter. The guest has made the files clock.1 and clock.2, whose
# times are the host's; `clock` has the guest's times before and after each of them. A guest that was delayed between the
# two passes.
clock_is_wrong() {
    local control=$1/control before1 after1 before2 after2 host min max # in 10 ms
    [ -e "$control/clock" ] || return 1
    read -r before1 after1 before2 after2 < <(tr -d . <"$control/clock")
    host=$(($(stat -c %.2Y "$control/clock.2" | tr -d .) - $(stat -c %.2Y "$control/clock.1" | tr -d .)))
    min=$((10#$before2 - 10#$after1 - 3)) # 3: the resolution of the clocks
    max=$((10#$after2 - 10#$before1 + 3))
    [ $((min * 4)) -gt $((host * 5)) ] || [ $((max * 5)) -lt $((host * 4)) ] || return
    echo "rdma-vm: the guest's clock is wrong: $((max * 10)) ms in $((host * 10)) ms" >&2
}

# needs_restart DIR: whether to start the guest again because of its clock; counts in `restarts`, of which there are three at most.
restarts=0
needs_restart() {
    clock_is_wrong "$1" || return
    if [ $restarts = 3 ]; then
        echo "rdma-vm: the clock is still wrong after $restarts restarts; time-outs in the guest cannot be relied on" >&2
        return 1
    fi
    restarts=$((restarts + 1))
    echo "rdma-vm: restarting the guest" >&2
}

# A supervisor in the background, which is this program with the same options, starts the guest.
start_guest() { # start_guest NAME
    local dir how
    how=$(engine)
    stop_guest "$1"
    dir=$(make_guest "$1") || exit
    lock_guest "$dir" # the supervisor inherits it
    declare -p kernel initramfs device links net loss smp mem numa rw idle owner memcpy append verbose how cache alive restarts \
        >"$dir/state"
    setsid "$0" --supervise "$1" </dev/null >"$dir/supervisor" 2>&1 {never}>&- &
    exec {alive}>&-
    wait_until_up "$dir"
    if [ -e "$dir/control/up" ]; then
        [ "$verbose" = no ] || cat "$dir/console" >&2
        ! needs_restart "$dir" || start_guest "$1"
        return
    fi
    if [ "$accel" = auto ] && [ "$how" = kvm ]; then # a KVM that cannot run this kernel
        accel=tcg
        start_guest "$1"
        return
    fi
    echo "rdma-vm: guest $1 did not come up$(! is_alive "$dir" || echo " in $timeout s")" >&2
    { cat "$dir/supervisor" "$dir/qemu"; tail -n 20 "$dir/console"; } >&2 2>/dev/null
    stop_guest "$1"
    exit 125
}

# end_orphans DIR: ends commands whose caller is gone.
end_orphans() {
    local folder
    for folder in "$1"/control/*/; do
        if [ -e "$folder/caller" ] && [ ! -e "/proc/$(<"$folder/caller")" ]; then
            send_request "$1" kill "$(basename "$folder")"
            rm -rf "$folder"
        fi
    done
}

# remove_own DIR: removes the supervisor's folder, unless a new guest of the same name owns it by now.
remove_own() {
    [ "$(cat "$1/qemu_pid" 2>/dev/null)" != "$qemu_pid" ] || rm -rf "$1"
}

supervise_guest() { # supervise_guest NAME: the main loop of the supervisor
    local dir
    dir=$(guest_folder "$1")
    # shellcheck source=/dev/null
    . "$dir/state"
    launch "$dir" "$how"
    echo "$qemu_pid" >"$dir/qemu_pid"
    while kill -0 "$qemu_pid" 2>/dev/null; do
        end_orphans "$dir"
        if [ -n "$owner" ] && [ ! -e "/proc/$owner" ]; then
            kill "$qemu_pid"
        fi
        pause 0.5
    done
    exec {alive}>&-
    # Callers that wait for a command print the guest's console.
    while compgen -G "$dir/control/*/caller" >/dev/null; do
        end_orphans "$dir"
        pause 0.5
    done
    with_guests_lock remove_own "$dir"
}

# reap SECONDS: waits for the end of QEMU, and kills it when it takes longer.
reap() {
    local deadline=$((SECONDS + $1))
    while kill -0 "$qemu_pid" 2>/dev/null; do
        [ $SECONDS -lt $deadline ] || kill -KILL "$qemu_pid"
        pause 0.05
    done
    wait "$qemu_pid"
}

# A guest of one command is named after its rdma-vm process and the host, because several hosts may share a cache.
once_prefix=once.${HOSTNAME:-localhost}.

# Removes folders of such guests whose rdma-vm was killed, because they contain environments of commands.
remove_leftovers() {
    local dir
    for dir in "$cache/guests/$once_prefix"*/; do
        [ ! -d "$dir" ] || [ -e "/proc/$(basename "${dir#*"$once_prefix"}")" ] || is_alive "$dir" || rm -rf "$dir"
    done
}

run_once() { # run_once COMMAND...: in a guest of its own
    local dir folder status how left=0
    : "${first_start:=$SECONDS}" # the time-out includes restarts
    how=$(engine)
    remove_leftovers
    dir=$(make_guest "$once_prefix$$") || exit
    trap 'rm -rf "$(guest_folder "$once_prefix$$")"' EXIT
    trap 'exit 143' TERM INT HUP
    folder=$(prepare_command "$dir" 0 "$@") || exit
    lock_guest "$dir"
    launch "$dir" "$how"
    exec {alive}>&-
    wait_until_up "$dir"
    if needs_restart "$dir"; then
        kill "$qemu_pid"
        reap 10
        exec {requests}>&-
        run_once "$@"
        return
    fi
    [ "$timeout" = 0 ] || left=$((first_start + timeout - SECONDS))
    [ "$timeout" = 0 ] || [ $left -gt 0 ] || left=1
    [ $left = 0 ] || echo $left >"$folder/limit"
    send_request "$dir" run "$(basename "$folder")"
    follow "$dir" "$folder" $left
    status=$?
    ! [ -s "$folder/rc" ] || send_request "$dir" stop
    [ $status != 124 ] || kill "$qemu_pid"
    reap 10
    [ "$verbose" = no ] || cat "$dir/console" "$dir/control/dmesg" >&2
    if [ $status = 125 ] && [ ! -e "$dir/control/up" ] && [ "$accel" = auto ] && [ "$how" = kvm ]; then
        accel=tcg run_once "$@"
        return
    fi
    return $status
}
