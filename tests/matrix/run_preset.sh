#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run_preset.sh SOURCE_DIR BUILD_DIR PRESET "OPTION|..." JOBS "TARGET..." "PROGRAM..." CTEST_ARGUMENT...
# Builds the tree with a preset and OPTIONs of cmake into BUILD_DIR and runs the tests that ctest selects there, JOBS at a
# time. PROGRAMs are of another build, for targets that do not include them.
set -euo pipefail
source=$1 build=$2 preset=$3 jobs=$5
IFS='|' read -ra options <<<"$4"
read -ra targets <<<"$6"
read -ra programs <<<"$7"
shift 7

cmake -S "$source" -B "$build" --preset "$preset" -DUPCR_TEST_MATRIX=OFF -DUPCR_BUILD_BENCH=OFF \
    -DUPCR_DEBUG_INFO=lines "${options[@]}" >"$build.log" 2>&1 ||
    { cat "$build.log"; exit 1; }
cmake --build "$build" -j"$jobs" --target "${targets[@]}" >>"$build.log" 2>&1 || { tail -60 "$build.log"; exit 1; }
# Copies: a program finds its headers and libraries by its own folder.
[ ${#programs[@]} = 0 ] || cp -u "${programs[@]}" "$build/bin/"
ctest --test-dir "$build" "$@" --no-tests=error --output-on-failure -j"$jobs"
