#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check_upc_alone.sh SOURCE WORK_DIR: upcr without GASNet's, GCC-UPC's and MuPC's interfaces builds, from nothing in
# WORK_DIR/build, installs no file that a real GASNet or MuPC has, and compiles and runs UPC programs.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work"

fail() { echo "FAILED: $*"; exit 1; }

cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_INSTALL_PREFIX="$work/prefix" -DUPCR_BUILD_BENCH=OFF \
    -DUPCR_DEBUG_INFO=lines -DUPCR_GASNET=OFF -DUPCR_GUPC=OFF -DUPCR_MUPC=OFF >"$work/log" || { cat "$work/log"; fail "cmake"; }
grep -q "the tests are left out: they need UPCR_GASNET" "$work/log" || fail "cmake does not say why there are no tests"
cmake --build "$work/build" --parallel 2 >"$work/log" 2>&1 || { tail -50 "$work/log"; fail "the build"; }
cmake --install "$work/build" >"$work/log" || { cat "$work/log"; fail "the installation"; }

# What upcr's own headers need of them, and documents and manual pages of names, may stay.
others=$(cd "$work/prefix" && find . -iname '*gasnet*' -o -iname '*mupc*' -o -path '*lib*/upcr/gupc*')
others=$(grep -vE '^\./(share/doc/|include/gasnet$|include/upcr/|share/man/man3/)' <<<"$others" || true)
[ -z "$others" ] || fail "installed: $others"
[ "$(ls "$work/prefix/include/gasnet")" = ident.h ] || fail "include/gasnet has more than upcr.h needs"

PATH=$work/prefix/bin:$PATH
cd "$work"
for options in "" -g --pthreads; do
    upcc $options "$source/docs/tutorial/hello.upc" -o hello
    upcrun -n 3 ./hello | diff - <(printf 'hello from thread %s of 3\n' 0 1 2) || fail "upcc $options"
done
echo 'int main(void) { return 0; }' >main.c
upcc --abi=gupc -o main main.c 2>err && fail "upcc --abi=gupc succeeds"
grep -q "UPCR_GUPC=OFF" err || { cat err; fail "upcc --abi=gupc does not say why"; }
for module in "$work"/build/lib/upcr/*; do
    case ${module##*/} in gasnet*) fail "modules of libgasnet" ;; esac
done
echo "ok"
