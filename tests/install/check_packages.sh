#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check_packages.sh SOURCE WORK_DIR: Debian packages, made by cpack, in which lintian finds no errors and no warnings,
# each with a description of its own, and which install in a clean chroot of Debian 12, compile and run the README's
# program there, over each MPI library too, and can be removed.
# Goes on with a build that is in WORK_DIR/build. A line that begins with SKIP: says what could not be done here.
set -euo pipefail
source=$1 work=$2
packages=(libupcr0 libupcr0-openmpi libupcr0-mpich libupcr-dev libupcr-gasnet-dev upcr-bin upcr-doc)
mkdir -p "$work"
work=$(realpath "$work")

fail() { echo "FAILED: $*"; exit 1; }

cmake -S "$source" -B "$work/build" -G Ninja -DCMAKE_INSTALL_PREFIX=/usr -DUPCR_BUILD_TESTS=OFF -DUPCR_BUILD_BENCH=ON \
    -DUPCR_DEBUG_INFO=lines -DUPCR_GASNET=ON -DUPCR_GUPC=ON -DUPCR_MUPC=ON -DUPCR_RPATH=OFF -DUPCR_STATIC=OFF >"$work/log" || { cat "$work/log"; fail "cmake"; }
cmake --build "$work/build" --parallel 2 >"$work/log" 2>&1 || { tail -50 "$work/log"; fail "the build"; }
rm -rf "$work/packages"
(cd "$work/build" && cpack -G DEB -B "$work/packages") >"$work/log" 2>&1 || { tail -50 "$work/log"; fail "cpack"; }
rm -rf "$work/packages/_CPack_Packages"
made=$(for file in "$work"/packages/*.deb; do dpkg-deb --field "$file" Package; done | sort)
expected=$(for name in "${packages[@]}"; do
    case $name in
    *-openmpi | *-mpich) [ -e "$work/build/lib/upcr/upcr/conduit_mpi_${name##*-}.so" ] || continue ;;
    esac
    echo "$name"
done | sort)
[ "$made" = "$expected" ] || fail "the packages are $made"
version=$(sed -nE 's/^project\(upcr VERSION ([0-9.]+).*/\1/p' "$source/CMakeLists.txt")
for file in "$work"/packages/*.deb; do
    [ "$(dpkg-deb --field "$file" Version)" = "$version" ] || fail "the version of $file"
done
same=$(for file in "$work"/packages/*.deb; do dpkg-deb --field "$file" Description | head -1; done | sort | uniq -d)
[ -z "$same" ] || fail "several packages say '$same' of themselves"

# Nothing in /usr needs a run path, and no .pc file gives one.
mkdir -p "$work/tree"
for file in "$work"/packages/*.deb; do dpkg-deb -x "$file" "$work/tree"; done
! grep -rl -e rpath "$work/tree" --include='*.pc' || fail ".pc files with a run path"
# Nothing tells where it was built.
! grep -rlF -e "$work/build" -e "$(realpath "$source")" "$work/tree" || fail "files with the folder of the build"
rm -rf "$work/tree"

if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error,warning "$work"/packages/*.deb || fail "lintian"
else
    echo "SKIP: there is no lintian (tools/setup --test-all installs it)"
fi

if [ "$(id -u)" != 0 ] && ! unshare --user --map-root-user true 2>/dev/null; then
    echo "SKIP: the chroot needs root or user namespaces"
    exit 0
fi
command -v mmdebstrap >/dev/null || { echo "SKIP: there is no mmdebstrap, for a clean chroot (tools/setup --test-all installs it)"; exit 0; }
mirror=${UPCR_TEST_MIRROR:-http://deb.debian.org/debian}
timeout 60 perl -MIO::Socket::INET -e '$ARGV[0] =~ m{//([^/:]+)} or exit 1;
    exit !IO::Socket::INET->new(PeerAddr => $1, PeerPort => 80, Timeout => 30)' "$mirror" ||
    { echo "SKIP: $mirror cannot be reached (UPCR_TEST_MIRROR names another one)"; exit 0; }

# What a newcomer does, in the chroot. gcc and libc6-dev come with libupcr-dev.
cat >"$work/packages/newcomer" <<'END'
set -e
export DEBIAN_FRONTEND=noninteractive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cd /tmp/packages
apt-get install --yes --no-install-recommends ./*.deb >apt.log 2>&1 || { cat apt.log; exit 1; }
hello=/usr/share/doc/upcr/docs/tutorial/hello.upc
upcc "$hello" -o hello
expected=$(printf 'hello from thread %s of 4\n' 0 1 2 3)
[ "$(upcrun -n 4 ./hello | sort)" = "$expected" ]
upcc -g "$hello" -o hello_debug
[ "$(upcrun -n 4 ./hello_debug | sort)" = "$expected" ]
for library in openmpi mpich; do
    [ -e ./libupcr0-${library}_* ] || continue
    [ "$(UPCR_MPI_LIBRARY=$library upcrun --conduit mpi -n 4 ./hello | sort)" = "$expected" ]
    upcr_info | grep -q "mpi .*present .*conduit_mpi_$library.so"
done
if readelf -d hello /usr/bin/upcrun | grep -E 'R(UN)?PATH' | grep -v /usr/lib; then exit 1; fi
upcr_info
cp -r /usr/share/doc/upcr/docs/examples . && make -s -C examples check UPCCFLAGS= >make.log 2>&1 || { tail -40 make.log; exit 1; }
man -w upcc upcrun upcr_info upc_memput >/dev/null 2>&1 || ls /usr/share/man/man1/upcc.1.gz /usr/share/man/man3/bupc_memcpy_async.3.gz
apt-get remove --yes libupcr0 >apt.log 2>&1 || { cat apt.log; exit 1; }
[ ! -e /usr/bin/upcc ] && [ ! -e /usr/lib/*/libupcr.so.0 ]
echo "newcomer: done"
END
trap 'rm -f "$work/packages/newcomer"' EXIT
mmdebstrap --variant=minbase --include=make --format=null bookworm /dev/null "$mirror" \
    --customize-hook='mkdir -p "$1/tmp/packages"' \
    --customize-hook="cp $work/packages/* \"\$1/tmp/packages\"" \
    --customize-hook='chroot "$1" sh /tmp/packages/newcomer' >"$work/log" 2>&1 || { tail -60 "$work/log"; fail "the chroot"; }
grep -q "newcomer: done" "$work/log" || { tail -60 "$work/log"; fail "the chroot says nothing"; }
cmake --build "$work/build" --target clean
echo "ok"
