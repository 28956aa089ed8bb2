#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# every.sh UPCC UPCRUN "STATIC..." SOURCE... -- [UPCC OPTION...]: run.sh of a program with 1, 2, 3 and 5 threads, compiled
# once for any number of them, and for each of the STATIC numbers by itself (-T): the translation is the same with
# --opt=1 as with -O1, and the C compiler's optimisation, which takes half of the time, has been tested by then.
set -eu
upcc=$1 upcrun=$2 statics=$3
shift 3
run=$(dirname "$0")/run.sh
"$run" "$upcc" "$upcrun" "1 2 3 5" "$@"
for n in $statics; do
    "$run" "$upcc" "$upcrun" "$n" "$@" -T "$n" -O0 --opt=1
done
