#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# stale_layers.sh CMAKE_MODULES
# A build with UPCR_LAYOUT_FREE_FROM, and then a change of its sources: the next build links no object that was compiled
# before the change. A project of one layer, and of a program that compares it with its header.
set -euo pipefail
modules=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/source/conduits"
cd "$dir/source"
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.22)
project(layers LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
list(APPEND CMAKE_MODULE_PATH $modules)
include(UpcrLayoutFree)
include(UpcrLayer)
if(UPCR_LAYOUT_FREE_FROM)
  upcr_import_layout_free_layers()
endif()
add_subdirectory(conduits)
if(NOT UPCR_LAYOUT_FREE_FROM)
  upcr_export_layout_free_layers()
endif()
add_executable(compare main.cpp \$<TARGET_OBJECTS:upcr_free>)
END
echo 'upcr_layer(free LAYOUT_FREE)' >conduits/CMakeLists.txt
echo 'inline constexpr int kValue = 1;' >conduits/value.hpp
printf '%s\n' '#include "conduits/value.hpp"' 'int compiled() { return kValue; }' >conduits/free.cpp
cat >main.cpp <<'END'
#include <cstdio>

#include "conduits/value.hpp"
int compiled();
int main() {
  std::printf("%d %d\n", kValue, compiled());
  return 0;
}
END

run() { "$@" >"$dir/log" 2>&1 || { cat "$dir/log"; exit 1; }; }
expect() {
    run cmake --build "$dir/taking"
    found=$("$dir/taking/compare")
    [ "$found" = "$1" ] || { echo "expected '$1' (header, layer) $2, found '$found'"; exit 1; }
}
run cmake -G Ninja -S . -B "$dir/main" -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS=-I$PWD"
run cmake -G Ninja -S . -B "$dir/taking" -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS=-I$PWD" \
    "-DUPCR_LAYOUT_FREE_FROM=$dir/main"
expect "1 1" "at first"
echo 'inline constexpr int kValue = 2;' >conduits/value.hpp
expect "2 2" "after a change of the layer's header"
printf '%s\n' '#include "conduits/value.hpp"' 'int compiled() { return 10 * kValue; }' >conduits/free.cpp
expect "2 20" "after a change of the layer"
printf '%s\n' '#include "conduits/value.hpp"' 'int more() { return 7 * kValue; }' >conduits/more.cpp
printf '%s\n' 'int more();' 'int compiled() { return more(); }' >conduits/free.cpp
expect "2 14" "after one more file of the layer"
rm conduits/more.cpp
printf '%s\n' 'int compiled() { return 3; }' >conduits/free.cpp
expect "2 3" "after one file of the layer less"
if cmake -S . -B "$dir/other" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS=-I$PWD -DOTHER" \
    "-DUPCR_LAYOUT_FREE_FROM=$dir/main" >"$dir/log" 2>&1 || ! grep -q "is another kind of build" "$dir/log"; then
    echo "a build with other options took the layers:"
    cat "$dir/log"
    exit 1
fi
