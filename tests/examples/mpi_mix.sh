#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpi_mix.sh EXAMPLES WORK_DIR UPCC UPCRUN MPICC MPIRUN LIBRARY
#
# Builds docs/examples/mpi_mix and mpi_inside with one MPI library's compiler and runs them: by mpirun and by upcrun, over
# shared memory and over MPI. A job passes when it ends with status 0 and prints its one line.
examples=$1 work=$2 upcc=$3 upcrun=$4 mpicc=$5 mpirun=$6 library=$7
failed=0
rm -rf "$work"
mkdir -p "$work" && cp "$examples/mpi_mix/mix.c" "$examples"/mpi_inside/* "$work" && cd "$work" || exit 2

options=
[ "$library" = openmpi ] && options="--allow-run-as-root --oversubscribe --bind-to none"

expected="done: 12 cells at rest"
check() { # check WHAT COMMAND...
  what=$1
  shift
  "$@" >out 2>err </dev/null
  status=$?
  [ "$status" -eq 0 ] && [ "$(cat out)" = "$expected" ] ||
    { echo "FAILED: $what: status $status"; cat out err; failed=$((failed + 1)); }
}

for flags in "" -g; do
  UPCC_CC=$mpicc "$upcc" $flags --extern-main mix.c -o mix >upcc.out 2>&1 && [ ! -s upcc.out ] ||
    { echo "FAILED: upcc $flags"; cat upcc.out; exit 1; }
  check "mpirun -n 1 $flags" "$mpirun" $options -n 1 ./mix
  check "mpirun -n 2 $flags" "$mpirun" $options -n 2 ./mix
done
check "mpirun -n 2, conduit mpi" env UPCR_CONDUIT=mpi "$mpirun" $options -n 2 ./mix
check "mpirun -n 2, conduit mpi without shared memory" env UPCR_CONDUIT=mpi UPCR_PSHM=no "$mpirun" $options -n 2 ./mix
check "upcrun -n 2" env UPCR_MPIRUN="$mpirun" "$upcrun" --conduit mpi -n 2 --timeout 120 ./mix
check "upcrun -n 2 without shared memory" env UPCR_MPIRUN="$mpirun" UPCR_PSHM=no \
  "$upcrun" --conduit mpi -n 2 --timeout 120 ./mix

expected=3
UPCC_CC=$mpicc "$upcc" inside.upc sum.c -o inside || failed=$((failed + 1))
check "mpi_inside by mpirun" "$mpirun" $options -n 2 ./inside
check "mpi_inside by mpirun, conduit mpi" env UPCR_CONDUIT=mpi UPCR_PSHM=no "$mpirun" $options -n 2 ./inside
check "mpi_inside by upcrun" env UPCR_MPIRUN="$mpirun" "$upcrun" --conduit mpi -n 2 --timeout 120 ./inside
echo "mpi_mix ($library): $failed failed"
[ "$failed" -eq 0 ]
