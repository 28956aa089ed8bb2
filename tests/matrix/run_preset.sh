#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run_preset.sh SOURCE_DIR BUILD_DIR PRESET "TARGET..." "PROGRAM..." CTEST_ARGUMENT...
# Builds the tree with a preset into BUILD_DIR and runs the tests that ctest selects there. PROGRAMs are of another
# build, for targets that do not include them. UPCR_PRESET_OPTIONS: more options of cmake.
set -euo pipefail
source=$1 build=$2 preset=$3
read -ra targets <<<"$4"
read -ra programs <<<"$5"
shift 5

cmake -S "$source" -B "$build" --preset "$preset" -DUPCR_TEST_MATRIX=OFF -DUPCR_BUILD_BENCH=OFF \
    ${UPCR_PRESET_OPTIONS-} >"$build.log" 2>&1 ||
    { cat "$build.log"; exit 1; }
unset UPCR_PRESET_OPTIONS # no variable of the programs that run there
cmake --build "$build" -j2 --target "${targets[@]}" >>"$build.log" 2>&1 || { tail -60 "$build.log"; exit 1; }
# Copies: a program finds its headers and libraries by its own folder.
[ "${targets[*]}" = all ] || cp -u "${programs[@]}" "$build/bin/"
ctest --test-dir "$build" "$@" --no-tests=error --output-on-failure -j2
