#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# guest.sh server|client FOLDER: in a guest of with_two_hosts.sh, as root; what it changes is lost with the guest.
# The keys are in FOLDER. The server does not return.
set -eu
folder=$2

# A home and a shell without start files: those of this machine's root are not for tests, and may take long.
home=/run/upcr-test
mkdir -p $home/.ssh /run/sshd
sed -i "s|^root:.*|root:x:0:0:root:$home:/bin/sh|" /etc/passwd

case $1 in
server)
    cat >$home/sshd_config <<END
HostKey $folder/host
AuthorizedKeysFile $folder/user.pub
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
PidFile none
END
    exec /usr/sbin/sshd -D -e -f $home/sshd_config
    ;;
client)
    # The exchange of keys is the cheapest one: the guest's processor is slow.
    cat >$home/.ssh/config <<END
IdentityFile $folder/user
UserKnownHostsFile $folder/known_hosts
GSSAPIAuthentication no
KexAlgorithms curve25519-sha256
END
    # Until sshd is there; the last try says what is wrong.
    tries=40
    while [ $tries -gt 0 ]; do
        ssh -o BatchMode=yes -o ConnectTimeout=5 rdma-vm-2 true 2>$home/said && exit 0
        tries=$((tries - 1))
        sleep 0.5
    done
    cat $home/said >&2
    exit 1
    ;;
esac
