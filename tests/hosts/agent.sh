#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# agent.sh [ssh's options] HOST WORD...: what ssh would do, on a host of with_hosts.sh: the words, joined by
# blanks, are a shell's command there.
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
exec ip netns exec "$host" unshare --uts /bin/sh -c "hostname $host; $*"
