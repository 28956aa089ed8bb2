#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh PROJECT CACHE UPCC [OPTION...]: fetches the sources of a Debian package (apt-get source), compiles all C of
# them as UPC, by `upcc OPTION...`, and runs the project's own tests, as one UPC thread each. Below CACHE are the
# fetched files and a state of apt of their own: that of the system stays as it is. Exit status 77: no sources here.
set -euo pipefail
project=$1 cache=$2 upcc=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
skip() {
    echo "SKIP: $*"
    exit 77
}

# The source packages of the repositories that this system gets its packages from.
fetch() {
    local apt=$cache/apt
    local options=(-o "Dir::State=$apt/state" -o Dir::State::status=/dev/null -o "Dir::Cache=$apt/cache"
        -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=root
        -o Acquire::Languages=none -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -qq)
    mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$cache/sources/$project"
    if [ -z "$(find "$apt/updated" -mmin -1440 2>/dev/null)" ]; then
        apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
            grep -E '/debian/? ' | sort -u | sed 's/^/deb-src /' >"$apt/sources.list"
        [ -s "$apt/sources.list" ] || skip "this system has no repository of Debian"
        apt-get "${options[@]}" update >"$apt/log" 2>&1 || skip "apt-get update of source packages: $(tail -n 1 "$apt/log")"
        touch "$apt/updated"
    fi
    cd "$cache/sources/$project"
    apt-get "${options[@]}" source --download-only "$project" >"$apt/log" 2>&1 ||
        skip "apt-get source $project: $(tail -n 1 "$apt/log")"
}

command -v apt-get >/dev/null || skip "this system has no apt-get"
mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9
(fetch)
exec 9>&-

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/source"
tar -xf "$(ls "$cache/sources/$project"/*.orig.tar.*[!c])" -C "$work/source" --strip-components=1
cd "$work/source"
export UPC_AS_C_UPCC=$upcc UPC_AS_C_OPTIONS="$* -g0" UPC_AS_C_LOG=$work/compiled
export CC=$here/upc_as_c.sh CFLAGS=-O1
unset MAKEFLAGS MAKELEVEL
case $project in
    zlib)
        ./configure --static
        make -j2 all
        make teststatic 2>&1 | tee "$work/log"
        grep -q 'zlib test OK' "$work/log"
        ;;
    bzip2)
        make CC="$CC" libbz2.a bzip2 bzip2recover test 2>&1 | tee "$work/log"
        grep -q "like you're in business" "$work/log"
        ;;
    cjson)
        cmake -S . -B build -DCMAKE_C_COMPILER="$CC" -DBUILD_SHARED_LIBS=OFF -DCMAKE_BUILD_TYPE= \
            -DENABLE_CUSTOM_COMPILER_FLAGS=OFF
        cmake --build build -j2
        ctest --test-dir build --output-on-failure --no-tests=error
        ;;
    *) # autotools
        ./configure
        make -j2
        make check
        ;;
esac
echo "$(sort -u "$work/compiled" | wc -l) C files of $project were compiled as UPC"
[ -s "$work/compiled" ]
