#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# with_hosts.sh N COMMAND [ARGUMENT...]: runs COMMAND on a machine that seems to have N other hosts, h1 .. hN,
# on one Ethernet. COMMAND gets HOSTS_AGENT, a stand-in for ssh, in its environment: `$HOSTS_AGENT h1 COMMAND...`
# runs a command on h1. Exits with COMMAND's status; 77 and a line with the reason where the kernel does not allow it.
#
# A host is a network namespace with a host name of its own; /dev/shm and the folder for temporary files are common to
# all. Everything happens in namespaces that this call makes (network, mounts, processes), so names and addresses are
# the same for every run, runs do not see each other, and nothing is left when the first process of the new process
# namespace has ended: the kernel kills the others and removes the namespaces, whichever process was killed.
set -u
here=$(cd "$(dirname "$0")" && pwd)

if [ "${1:-}" != --inside ]; then
    why=$(unshare --net --mount --uts --pid --fork --mount-proc ip link add name probe type bridge 2>&1) ||
        { echo "SKIP: no hosts can be made here: ${why:-namespaces are not permitted}"; exit 77; }
    exec unshare --net --mount --uts --pid --fork --kill-child=KILL --mount-proc "$0" --inside "$@"
fi
shift
count=$1
shift

set -e
mount --make-rprivate /
mkdir -p /run/netns
mount -t tmpfs hosts /run/netns
# Open MPI makes a folder there by the names of host and user, which fails when two runs do so at the same moment.
mkdir /run/netns/tmp
export TMPDIR=/run/netns/tmp
names=$(mktemp)
{
    echo "127.0.0.1 localhost $(hostname)"
    echo "10.77.0.254 front"
    for ((i = 1; i <= count; ++i)); do echo "10.77.0.$i h$i"; done
} > "$names"
mount --bind "$names" /etc/hosts
rm "$names"

ip link set lo up
ip link add name switch type bridge
ip address add 10.77.0.254/24 dev switch
ip link set switch up
for ((i = 1; i <= count; ++i)); do
    ip netns add "h$i"
    ip link add name "port$i" type veth peer name eth0 netns "h$i"
    ip link set "port$i" master switch up
    ip -n "h$i" link set lo up
    ip -n "h$i" address add "10.77.0.$i/24" dev eth0
    ip -n "h$i" link set eth0 up
done
hostname front
set +e

# This shell reports the status, because the process namespace ends with it.
HOSTS_AGENT=$here/agent.sh "$@"
