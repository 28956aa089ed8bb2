#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run_preset.sh SOURCE_DIR BUILD_DIR PRESET "TARGET..." CTEST_ARGUMENT...
# Builds the tree with a preset into BUILD_DIR and runs the tests that ctest selects there.
set -euo pipefail
source=$1 build=$2 preset=$3
read -ra targets <<<"$4"
shift 4

cmake -S "$source" -B "$build" --preset "$preset" -DUPCR_TEST_MATRIX=OFF -DUPCR_BUILD_BENCH=OFF >"$build.log" 2>&1 ||
    { cat "$build.log"; exit 1; }
cmake --build "$build" -j2 --target "${targets[@]}" >>"$build.log" 2>&1 || { tail -60 "$build.log"; exit 1; }
ctest --test-dir "$build" "$@" --no-tests=error --output-on-failure -j2
