#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# short_receive_queue.sh UPCRUN MESSAGES: in a guest with rxe. All processes flood each other while each has a single
# receive buffer: senders are told that the receiver is not ready, again and again, and all messages arrive.
set -eu
upcrun=$1 messages=$2
refusals() { cat /sys/class/infiniband/rxe0/ports/1/hw_counters/send_rnr_err; }
before=$(refusals)
UPCR_IBV_SRQ_SIZE=1 "$upcrun" --conduit ibv -n 3 --timeout 240 "$messages" 10
after=$(refusals)
echo "$((after - before)) times a receiver was not ready"
[ $((after - before)) -gt 100 ]
