#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run_preset.sh SOURCE_DIR BUILD_DIR PRESET "TARGET..." UPCRUN CTEST_ARGUMENT...
# Builds the tree with a preset into BUILD_DIR and runs the tests that ctest selects there. UPCRUN: of another build,
# for targets that do not include it. UPCR_PRESET_OPTIONS: more options of cmake.
set -euo pipefail
source=$1 build=$2 preset=$3 upcrun=$5
read -ra targets <<<"$4"
shift 5

cmake -S "$source" -B "$build" --preset "$preset" -DUPCR_TEST_MATRIX=OFF -DUPCR_BUILD_BENCH=OFF \
    ${UPCR_PRESET_OPTIONS-} >"$build.log" 2>&1 ||
    { cat "$build.log"; exit 1; }
cmake --build "$build" -j2 --target "${targets[@]}" >>"$build.log" 2>&1 || { tail -60 "$build.log"; exit 1; }
[ -e "$build/bin/upcrun" ] || ln -s "$upcrun" "$build/bin/upcrun"
ctest --test-dir "$build" "$@" --no-tests=error --output-on-failure -j2
