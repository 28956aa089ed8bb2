#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpirun.sh LIBRARY MPIRUN PROGRAM: a job over ibv that an MPI library's own mpirun starts, in a guest. Open MPI's
# offers PMIx, so nothing of MPI is loaded; MPICH's speaks to MPI only, which the processes join by.
set -eu
library=$1 mpirun=$2 program=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

options=
[ "$library" = mpich ] || options="--allow-run-as-root --oversubscribe --bind-to none"
export UPCR_CONDUIT=ibv UPCR_PSHM=no UPCR_MPI_LIBRARY="$library"
# shellcheck disable=SC2086  # several words
"$mpirun" $options -n 2 env LD_DEBUG=files LD_DEBUG_OUTPUT="$folder/loaded" "$program"

# have NAME COUNT: so many processes have loaded it.
have() {
    got=$(grep -l "calling init: .*/$1" "$folder"/loaded.* | wc -l)
    [ "$got" = "$2" ] || { echo "$1 was loaded by $got processes instead of $2"; exit 1; }
}
have conduit_ibv.so 2
case $library in
openmpi) have libmpi.so 0 && have conduit_mpi 0 && have bootstrap_pmix.so 2 ;;
mpich) have conduit_mpi_mpich.so 2 && have conduit_mpi_openmpi.so 0 ;;
esac
