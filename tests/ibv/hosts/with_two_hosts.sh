#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# with_two_hosts.sh rxe|siw COMMAND [ARGUMENT...]: runs COMMAND here, with two guests (tools/rdma-vm) on two wires that
# each have an RDMA device of that kind (DEVICE) on either of them: HOST_1 and HOST_2 are their names for `rdma-vm --in`, rdma-vm-1 and rdma-vm-2
# those by which they know each other. On the second one is a real sshd, which lets the first one in, by keys that
# are made for this run. Exits with COMMAND's status; 77 and a line that says why where that cannot be had.
set -u
here=$(cd "$(dirname "$0")" && pwd)
vm=$here/../../../tools/rdma-vm
device=$1
shift

for tool in sshd ssh ssh-keygen; do
    PATH=$PATH:/usr/sbin command -v $tool >/dev/null ||
        { echo "SKIP: there is no $tool here (Debian: openssh-server, openssh-client)"; exit 77; }
done

folder=$(mktemp -d)
export HOST_1=upcr-$$-1 HOST_2=upcr-$$-2 RDMA_VM=$vm DEVICE=$device
clean_up() {
    [ -z "${server:-}" ] || kill "$server" 2>/dev/null
    "$vm" --stop $HOST_1
    "$vm" --stop $HOST_2
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 143' TERM INT HUP

for key in host user; do ssh-keygen -q -t ed25519 -N '' -C test -f "$folder/$key" || exit 1; done
echo "rdma-vm-2 $(cut -d' ' -f1,2 "$folder/host.pub")" >"$folder/known_hosts"

for i in 1 2; do
    "$vm" --start upcr-$$-$i --device "$device" --links 2 --net upcr-$$,$i --mem 1024 --smp 1 --owner $$ --idle 600 >"$folder/start-$i" 2>&1 &
    started[i]=$!
done
for i in 1 2; do
    wait "${started[i]}"
    status=$?
    [ $status = 0 ] || { cat "$folder/start-$i"; exit $status; }
done

"$vm" --in $HOST_2 -- sh "$here/guest.sh" server "$folder" >"$folder/sshd" 2>&1 &
server=$!
"$vm" --in $HOST_1 --timeout 120 -- sh "$here/guest.sh" client "$folder" || { cat "$folder/sshd"; exit 1; }
"$@"
