#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# both.sh PROGRAM LIBRARY_DIR CONDUIT FILE: libupcr and libgasnet in one process, each loaded first once, visible to all
# or not. No symbol of one is bound to the other, and the conduit's module FILE that each loads is bound to its own.
set -euo pipefail
program=$1 libraries=$2 conduit=$3 file=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset UPCR_MODULE_PATH UPCR_CONDUIT
# Thread-local variables of both have to fit into what the dynamic linker keeps for libraries that come late.
export GLIBC_TUNABLES=glibc.rtld.optional_static_tls=131072

bound() { # bound FROM TO: how many symbols of the one are bound to the other
    cat "$work"/ld.* | grep -c "binding file [^ ]*/$1 \[0\] to [^ ]*/$2 \[0\]" || true
}
expect() { # expect none|some FROM TO
    local count
    count=$(bound "$2" "$3")
    case $1 in none) [ "$count" -eq 0 ] ;; some) [ "$count" -gt 0 ] ;; esac && return
    echo "FAILED: $order $scope: $count symbols of $2 are bound to $3, expected $1:"
    cat "$work"/ld.* | grep "binding file [^ ]*/$2 \[0\] to [^ ]*/$3 \[0\]" | sed 's/.*symbol/  symbol/' | head -n 5
    exit 1
}

for order in "upcr gasnet" "gasnet upcr" "upcr_debug gasnet_debug"; do
    read -r first second <<<"$order"
    for scope in global local; do
        rm -f "$work"/ld.*
        LD_DEBUG=bindings LD_DEBUG_OUTPUT=$work/ld UPCR_MPI_LIBRARY=openmpi "$program" \
            "$libraries/lib$first.so.0" "$libraries/lib$second.so.0" $scope "$conduit" >"$work/out" 2>&1 ||
            { echo "FAILED: $order $scope: status $?"; cat "$work/out"; exit 1; }
        [ "$(grep -c "^made $conduit with" "$work/out")" -eq 2 ] || { cat "$work/out"; exit 1; }
        for pair in "$first $second" "$second $first"; do
            read -r own other <<<"$pair"
            expect none "lib$own.so.0" "lib$other.so.0"
            expect some "upcr/$own/$file" "lib$own.so.0"
            expect none "upcr/$own/$file" "lib$other.so.0"
            expect none "upcr/$own/$file" "upcr/$other/$file"
        done
    done
done

# A module that is linked with neither binds to the first library; the second refuses it.
mkdir "$work/plain"
ln -s "$libraries/upcr/$file" "$work/plain"
status=0
UPCR_MODULE_PATH=$work/plain UPCR_MPI_LIBRARY=openmpi "$program" "$libraries/libupcr.so.0" "$libraries/libgasnet.so.0" \
    global "$conduit" >"$work/out" 2>&1 || status=$?
[ $status -ne 0 ] || { echo "FAILED: a module of libupcr serves libgasnet"; cat "$work/out"; exit 1; }
grep -q "$file is bound to [^ ]*/libupcr.so.0, .*besides [^ ]*/libgasnet.so.0: .* LIBRARY/$file" "$work/out" ||
    { echo "FAILED: the error does not say what is wrong"; cat "$work/out"; exit 1; }
echo "each library and its module keep to themselves"
