#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh SOURCES_DIR WORK_DIR NAME UPCC UPCRUN POINTER_SIZE "FILES AND UPCC OPTIONS" RUN...
#
# Builds NAME with upcc, the files of the folder SOURCES_DIR/NAME or the files SOURCES_DIR/NAME.*, release and debug,
# and runs it. A RUN is a list of upcrun options
# (such as "-n 4 --pthreads 2"), or "refused" and such a list for a job that must not start, or "openmpi" or
# "mpich" and such a list for a job over that MPI library without shared memory, or "ibv" and such a list for one over
# the ibv conduit. With "none" for UPCC the programs are there from the last time; SOURCES_DIR says which of them runs,
# "release" or "debug". A job passes
# when it ends with status 0, prints nothing on stderr, and prints what NAME.expected says, if there is one, and else a
# line "done...": in that file {threads} stands for the number of threads, and a line with {thread} for one line a
# thread, in any order.
sources=$1 work=$2 name=$3 upcc=$4 upcrun=$5 pointer_size=$6 build=$7
shift 7
failed=0
fail() { echo "FAILED: $name: $*"; failed=$((failed + 1)); }

fetch() { # the example's sources into an empty folder
  rm -rf "$work"
  mkdir -p "$work" || exit 2
  if [ -d "$sources/$name" ]; then cp "$sources/$name"/* "$work"; else cp "$sources/$name".* "$work"; fi
  cd "$work" || exit 2
  # The translator bakes the size of pointers-to-shared into its output.
  for file in *.c; do
    [ -e "$file" ] && sed -i "s/\(UPCR_P*SHARED_SIZE_\) 8/\1 $pointer_size/" "$file"
  done
}

expand() { # what NAME.expected says for $1 threads
  while IFS= read -r line; do
    case $line in
    *"{thread}"*)
      t=0
      while [ "$t" -lt "$1" ]; do
        printf '%s\n' "$line" | sed "s/{thread}/$t/g; s/{threads}/$1/g"
        t=$((t + 1))
      done ;;
    *) printf '%s\n' "$line" | sed "s/{threads}/$1/g" ;;
    esac
  done <"$name.expected"
}

run() { # run PROGRAM UPCRUN-OPTIONS...
  program=$1
  shift
  if [ "$1" = refused ]; then
    shift
    if "$upcrun" --timeout 120 "$@" "./$program" >out 2>err; then fail "$program ran with $*"; fi
    grep -q "^UPC Runtime error: " err || { fail "$program $*: refused without a reason"; cat out err; }
    grep -q "done" out && fail "$program $*: refused, but ran"
    return
  fi
  network=
  case $1 in openmpi | mpich)
    network="env UPCR_PSHM=no UPCR_CONDUIT=mpi UPCR_MPI_LIBRARY=$1"
    shift ;;
  ibv)
    network="env UPCR_PSHM=no UPCR_CONDUIT=ibv"
    shift ;;
  esac
  $network "$upcrun" --timeout 240 "$@" "./$program" >out 2>err
  status=$?
  if ! [ -e "$name.expected" ] && ! grep -q '^done' out; then fail "$program $*: not done"; fi
  [ "$status" -eq 0 ] && ! grep -q FAILED out && [ ! -s err ] && [ "$2" -gt 0 ] ||
    { fail "$program $*: status $status"; cat out err; }
  [ -e "$name.expected" ] || return
  expand "$2" >want
  if grep -q '{thread}' "$name.expected"; then
    sort out >out.sorted && mv out.sorted out
    sort want >want.sorted && mv want.sorted want
  fi
  diff want out || fail "$program $*: other output than expected"
}

if [ "$upcc" = none ]; then
  cd "$work" || exit 2
  for options in "$@"; do run "$name-$sources" $options; done
  echo "$name: $failed failed"
  exit $((failed > 0))
fi
fetch
for mode in release debug; do
  flags=
  [ "$mode" = debug ] && flags=-g
  "$upcc" $flags $build -o "$name-$mode" >upcc.out 2>&1 || { fail "upcc $flags $build"; cat upcc.out; continue; }
  [ ! -s upcc.out ] || { fail "upcc $flags $build says something"; cat upcc.out; }
  for options in "$@"; do run "$name-$mode" $options; done
done
echo "$name: $failed failed"
[ "$failed" -eq 0 ]
