#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# with_slurm.sh N COMMAND [ARGUMENT...]: runs COMMAND beside a Slurm cluster of the hosts h1 .. hN of with_hosts.sh, four
# CPUs each (pretended); slurmctld runs on COMMAND's own host, front. Exits with COMMAND's status; 77 and a line with
# the reason where there is no Slurm, or no host can be made. The daemons end with with_hosts.sh's namespaces.
set -u
here=$(cd "$(dirname "$0")" && pwd)

if [ "${1:-}" != --inside ]; then
    export PATH=$PATH:/usr/sbin:/sbin
    for program in slurmctld slurmd srun salloc sinfo; do
        command -v $program >/dev/null || { echo "SKIP: there is no $program here (tools/setup --test installs it)"; exit 77; }
    done
    exec "$here/with_hosts.sh" "$1" "$0" --inside "$@"
fi
shift
count=$1
shift

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/state"
# PMIx has files of a step in TmpFS, which the hosts must not share.
for ((i = 1; i <= count; ++i)); do mkdir "$folder/tmp.h$i"; done
export SLURM_CONF=$folder/slurm.conf
cat > "$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=front(10.77.0.254)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
TmpFS=$folder/tmp.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
NodeName=h[1-$count] CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
printf 'CgroupPlugin=cgroup/v1\nIgnoreSystemd=yes\n' > "$folder/cgroup.conf"

slurmctld -D </dev/null >"$folder/slurmctld.out" 2>&1 &
for ((i = 1; i <= count; ++i)); do
    ip netns exec "h$i" unshare --uts /bin/sh -c "hostname h$i; exec slurmd -D" </dev/null >"$folder/slurmd.h$i.out" 2>&1 &
done
for ((tenths = 0; tenths < 300; ++tenths)); do
    idle=$(sinfo --noheader --states=idle --format=%D 2>/dev/null)
    [ "${idle:-0}" = "$count" ] && break
    sleep 0.1
done
if [ "${idle:-0}" != "$count" ]; then
    echo "Slurm's hosts are not ready after 30 s:"
    sinfo --long --Node
    tail -n 20 "$folder"/*.log "$folder"/*.out
    exit 1
fi
"$@"
