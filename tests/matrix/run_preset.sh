#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run_preset.sh SOURCE_DIR BUILD_DIR PRESET LABEL_REGEX [CMAKE_OPTION...]
# Builds the tree with a preset into BUILD_DIR and runs the tests whose label matches.
set -euo pipefail
source=$1 build=$2 preset=$3 labels=$4
shift 4

cmake -S "$source" -B "$build" --preset "$preset" -DUPCR_TEST_MATRIX=OFF -DUPCR_BUILD_BENCH=OFF "$@" >"$build.log" 2>&1 ||
    { cat "$build.log"; exit 1; }
cmake --build "$build" -j2 >>"$build.log" 2>&1 || { tail -60 "$build.log"; exit 1; }
ctest --test-dir "$build" -L "$labels" --no-tests=error --output-on-failure -j2
