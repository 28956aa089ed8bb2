#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check_upc.sh THIS_DIR PACKAGE_DIR UPCRUN: CMake projects with UPC sources (upc/first, upc/second) against the package
# in PACKAGE_DIR, by Ninja and by make: they build, run, list their commands, and build again what a header concerns.
set -euo pipefail
here=$1 package=$2 upcrun=$3
unset UPC UPCFLAGS CMAKE_GENERATOR

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
prints() { # prints TEXT COMMAND...
    local text=$1 out
    shift
    out=$("$@" 2>&1) && [ "$out" = "$text" ] || { fail "$*"; echo "$out"; }
}
build() { # build PROJECT: what is printed in $work/log
    cmake --build "$work/$1-build" -v >"$work/log" 2>&1 || { fail "building $1"; cat "$work/log"; exit 1; }
}
configure() { # configure PROJECT GENERATOR
    rm -rf "$work/$1-build"
    cmake -S "$work/upc/$1" -B "$work/$1-build" -G "$2" -DCMAKE_BUILD_TYPE=Release "-Dupcr_DIR=$package" \
        >"$work/log" 2>&1 || { fail "configuring $1 by $2"; cat "$work/log"; exit 1; }
}

cp -r "$here/upc" "$work/upc"
generators=("Unix Makefiles")
command -v ninja >/dev/null && generators+=(Ninja)
for generator in "${generators[@]}"; do
    echo "== $generator"
    configure first "$generator"
    build first
    prints "sum 6 of 3 threads" "$upcrun" -n 3 "$work/first-build/dynamic"
    prints "sum 2021 of 2 threads" "$upcrun" -n 2 "$work/first-build/static"
    prints "sum 406 of 4 threads" "$upcrun" -n 4 --pthreads 2 "$work/first-build/below/below"
    "$upcrun" -n 3 "$work/first-build/static" >"$work/log" 2>&1 && fail "a program for 2 threads runs on 3"
    if [ "$generator" = Ninja ]; then  # CMake's generator of makefiles lists only languages that it knows
        commands=$(grep -c '"command": ".*upcc[^ ]* .*-c .*\.upc"' "$work/first-build/compile_commands.json" || true)
        [ "$commands" -eq 6 ] || fail "compile_commands.json has $commands commands for UPC, not 6"
    fi
    build first
    grep -q '\.upc$' "$work/log" && { fail "built again without a reason"; cat "$work/log"; }
    sleep 1 # for file systems with times in seconds
    echo '#define NEWER' >>"$work/upc/first/include/part.h"
    build first
    [ "$(grep -c -- '-c .*\.upc$' "$work/log")" -eq 6 ] || { fail "not built again for a header"; cat "$work/log"; }

    configure second "$generator"
    build second
    ctest --test-dir "$work/second-build" --output-on-failure >"$work/log" || { fail "ctest"; cat "$work/log"; }
    prints "sum 9 of 3 threads" "$upcrun" -n 3 "$work/second-build/program"
done

# Mistakes in the project are reported.
sed 's/STATIC_THREADS 2/STATIC_THREADS two/' "$work/upc/first/CMakeLists.txt" >"$work/wrong" &&
    cp "$work/wrong" "$work/upc/first/CMakeLists.txt"
if cmake -S "$work/upc/first" -B "$work/wrong-build" "-Dupcr_DIR=$package" >"$work/log" 2>&1; then fail "two threads"; fi
grep -q "STATIC_THREADS 'two' is no number of threads" "$work/log" || { fail "no such message"; cat "$work/log"; }
exit $failed
