#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# by_hand.sh SOURCE_DIR WORK_DIR CC UPCRUN LIBRARY_DIR INCLUDE_DIRS: a translated program without our upcc:
# plain cc with the flags such C needs, a start-up file of another upcc's shape, libupcr.
source=$1 work=$2 cc=$3 upcrun=$4 libraries=$5 include=$6 build_include=$7
shift 7
flags="-O2 -std=gnu99 -fgnu89-inline -fcommon -fno-strict-aliasing -w -D__BERKELEY_UPC_SECOND_PREPROCESS__=1 $*"
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 2
set -e
"$cc" $flags -I"$include" -I"$build_include" -c "$source/docs/examples/flags/flags.c" -o flags.o
"$cc" $flags -I"$include" -I"$build_include" -c "$source/tests/examples/startup_tmp.c" -o startup.o
"$cc" "$@" flags.o startup.o -o by_hand -L"$libraries" -Wl,-rpath,"$libraries" -lupcr -lm
for threads in 1 3; do
  "$upcrun" --timeout 240 -n $threads ./by_hand >out 2>err
  diff "$source/docs/examples/flags/flags.expected" out
  [ ! -s err ]
done
echo "a program linked by cc: same output at 1 and 3 threads"
