#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# agent.sh [ssh's options] HOST ARGUMENT...: an imitation of ssh for hosts of with_hosts.sh: runs the arguments, joined by
# blanks, as a shell's command on that host. No variable is passed on, except the mark by which tests find the processes
# of a job, and the folder for temporary files, which is the run's own.
while :; do
    case $1 in
    -[bcDEeFIiJLlmOopQRSWw]) shift 2 ;;
    -*) shift ;;
    *) break ;;
    esac
done
case $1 in
10.77.0.*) host=h${1##*.} ;;
*) host=${1#*@} ;;
esac
shift
exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME="$HOME" \
    ${JOB_MARK+"JOB_MARK=$JOB_MARK"} ${TMPDIR+"TMPDIR=$TMPDIR"} ip netns exec "$host" unshare --uts /bin/sh -c "hostname $host; $*"
