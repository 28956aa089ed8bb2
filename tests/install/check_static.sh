#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# check_static.sh BUILD_DIR THIS_DIR HELLO CONDUITS: programs with a static libupcr, by upcc, pkg-config and CMake. They
# run where libupcr.so and its modules are gone, over each of CONDUITS, what is linked in ("smp;ibv;ofi;openmpi;pmix").
set -euo pipefail
build=$1 here=$2 hello=$3
IFS=';' read -ra conduits <<<"$4"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for component in runtime tools dev static; do
    DESTDIR= cmake --install "$build" --prefix "$work/tree" --component $component >"$work/install.log"
done
prefix=$work/tree
lib=$(dirname "$(find "$prefix" -name libupcr.so)")
export PATH=$prefix/bin:$PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cd "$work"

fail() { echo "FAILED: $*"; exit 1; }
expect() {  # expect TEXT COMMAND...: the command succeeds and prints TEXT
    local text=$1 out status=0; shift
    out=$("$@" 2>&1) || status=$?
    [ $status = 0 ] || { echo "$out"; fail "status $status of: $*"; }
    grep -qF -- "$text" <<<"$out" || { echo "$out"; fail "'$text' is not in the output of: $*"; }
    echo "ok: $*"
}
refuse() {  # refuse TEXT COMMAND...: the command fails and prints TEXT
    local text=$1; shift
    if "$@" >out 2>&1; then fail "status 0 of: $*"; fi
    grep -qF -- "$text" out || { cat out; fail "'$text' is not in the output of: $*"; }
    echo "ok: $*"
}

upcc -static-libupcr "$hello" -o hello
upcc -static-libupcr -g "$hello" -o hello_debug
upcc -static-libupcr --pthreads=2 "$hello" -o hello_pthreads
printf '#include <upc.h>\nint read(int x) { return x; }\nint main(void) { return read(0); }\n' > names.upc
expect "warning: the program defines 'read'" upcc -static-libupcr names.upc -o names
cc "$here/client/client.c" -o client $(PKG_CONFIG_PATH=$lib/pkgconfig pkg-config --cflags --libs upcr_static)
cmake -S "$here/client" -B cmake -DCMAKE_PREFIX_PATH="$prefix" >cmake.log || { cat cmake.log; fail cmake; }
cmake --build cmake --target client_static client_static_debug >>cmake.log 2>&1 || { cat cmake.log; fail "cmake --build"; }
networks=$(printf '%s, ' "${conduits[@]:1}")
[ ${#conduits[@]} -eq 1 ] || refuse "upcc: -static: libupcr.a has ${networks%, } linked in" upcc -static "$hello" -o none

# The interface is that of the shared library, and nothing else is visible but unique symbols by names of their own.
for library in libupcr libupcr_debug; do
    nm -g --defined-only "$lib/$library.a" | awk 'NF == 3 && $3 !~ /^upcr_static[.]/ { sub(/@.*/, "", $3); print $3 }' | sort -u >archive
    nm -D --defined-only "$lib/$library.so" | awk '$3 ~ /@@?UPCR_/ { sub(/@.*/, "", $3); print $3 }' | sort -u >shared
    [ -s shared ] || fail "$library.so has no names"
    diff shared archive || fail "$library.a has other names than $library.so"
done

# Without the shared libraries and their modules.
rm -r "$lib"/libupcr*.so* "$lib/upcr"
mv "$prefix/bin" "$work/bin"
PATH=$work/bin:$PATH
for program in hello hello_debug; do
    readelf -d $program | grep -q libupcr && fail "$program needs libupcr"
    upcrun -n 3 ./$program | diff - <(printf 'hello from thread %s of 3\n' 0 1 2) || fail "$program"
done
expect "hello from thread 3 of 4" upcrun -n 4 ./hello_pthreads
expect "hello from thread 3 of 4" env UPCR_THREADS=4 ./hello
for program in ./client cmake/client_static cmake/client_static_debug; do
    expect "sum 3 of 2 threads" upcrun -n 2 $program
done
for conduit in "${conduits[@]}"; do
    case $conduit in
    openmpi | mpich)
        expect "mpi is loaded from the program itself" env UPCR_LOG_LEVEL=conduit:info upcrun --conduit mpi -n 2 ./hello
        expect "hello from thread 1 of 2" env UPCR_CONDUIT=mpi upcrun -n 2 ./hello_debug
        mpirun.$conduit --version >/dev/null 2>&1 &&
            expect "hello from thread 1 of 2" mpirun.$conduit -n 2 ./hello
        ;;
    ofi)
        expect "ofi is loaded from the program itself" env UPCR_LOG_LEVEL=conduit:info UPCR_PSHM=no FI_PROVIDER=tcp \
            upcrun --conduit ofi -n 2 ./hello
        ;;
    ibv)  # its own words, where there is no device
        UPCR_LOG_LEVEL=conduit:info upcrun --conduit ibv -n 2 ./hello >out 2>&1 || true
        grep -q "ibv is loaded from the program itself" out || { cat out; fail "ibv is not linked in"; }
        ;;
    esac
done
missing=$(printf '%s\n' ibv ofi | grep -vxF -f <(printf '%s\n' "${conduits[@]}") || true)
for conduit in $missing; do
    refuse "not linked in: the program has a static libupcr without conduit_$conduit" upcrun --conduit "$conduit" -n 2 ./hello
done
echo "ok"
