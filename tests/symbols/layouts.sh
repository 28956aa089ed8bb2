#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# layouts.sh CC INCLUDE_DIR BUILD_INCLUDE_DIR LIBRARY_DIR LAYOUT: a program that was compiled for the layout of
# pointers-to-shared which is not LAYOUT, that of the libraries: the link refuses it, and so does the start of one that
# was linked with a libupcr of the other layout. So do programs of other bits. Programs of the library's own layout run.
set -euo pipefail
cc=$1 include=$2 generated=$3 libraries=$4 own=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LD_LIBRARY_PATH
fail() { echo "FAILED: $*"; cat "$work/out"; exit 1; }
case $own in packed) other=struct ;; struct) other=packed ;; *) exit 2 ;; esac

# The header that configuring writes, as of another libupcr.
configured() { # configured FOLDER SED_EXPRESSION
    mkdir -p "$work/$1/upcr"
    sed -E "$2" "$generated/upcr/config.h" >"$work/$1/upcr/config.h"
    ! cmp -s "$work/$1/upcr/config.h" "$generated/upcr/config.h" || fail "config.h has not changed"
}
configured other "s/(UPCRI_POINTER_LAYOUT) .*/\1 \"$other\"/; s/UPCRI_POINTER_$own/UPCRI_POINTER_$other/"
configured bits "s/(UPCRI_PHASE_BITS) [0-9]+/\1 16/; s/(UPCRI_THREAD_BITS) [0-9]+/\1 12/; s/(UPCRI_ADDR_BITS) [0-9]+/\1 36/"
cat >"$work/program.c" <<'END'
#include <upcr.h>
int main(void) { puts("main() runs"); return 0; }
END
compile() { "$cc" "$pie" -I"$1" -I"$include" -I"$generated" -c -o "$work/program.o" "$work/program.c"; }
link() { "$cc" "${pie/-f/-}" -o "$work/program" "$work/program.o" "$@" >"$work/out" 2>&1; }
own_library=(-L"$libraries" -Wl,-rpath,"$libraries")

# A libupcr of the other layout, as much of it as the linker asks for.
mkdir "$work/library"
printf 'void upcri_pointers_struct(void) {}\nvoid upcri_pointers_packed(void) {}\n%s\n' \
    'void upcri_pointers_packed_p20_t10_a34(void) {}' | sed -n "/$other/p" >"$work/library.c"
echo '__thread int upcri_mythread_, upcri_mypthread_;' >>"$work/library.c"
echo 'UPCR_0 { global: *; };' >"$work/library.map"
"$cc" -shared -fPIC -Wl,-soname,libupcr.so.0 -Wl,--version-script="$work/library.map" -o "$work/library/libupcr.so" \
    "$work/library.c"

for pie in -fpie -fno-pie; do
    compile "$work/other"
    for library in upcr upcr_debug; do
        ! link "${own_library[@]}" -l$library || fail "a program of layout $other is linked with $library of $own"
        grep -q "layout $other, and this libupcr has layout $own: .*headers.*UPCR_POINTER_LAYOUT=$other" "$work/out" ||
            fail "the linker does not say why, or not what to do"
    done
    link -L"$work/library" -lupcr -Wl,-rpath,"$libraries" || fail "not linked with a libupcr of layout $other"
    status=0
    "$work/program" >"$work/out" 2>&1 || status=$?
    [ $status -eq 1 ] || fail "a program of layout $other, started with a libupcr of $own: status $status"
    grep -q "^UPC Runtime error: .*layout $other, and this libupcr has layout $own: .*UPCR_POINTER_LAYOUT=$other" \
        "$work/out" || fail "the start does not say why, or not what to do"
    ! grep -q "main() runs" "$work/out" || fail "main() was called"

    if [ "$own" = packed ]; then
        compile "$work/bits"
        ! link "${own_library[@]}" -lupcr || fail "a program of other bits is linked"
        grep -q "upcri_pointers_packed_p16_t12_a36" "$work/out" || fail "the linker does not name the bits"
    fi
    compile "$generated"
    link "${own_library[@]}" -lupcr || fail "a program of the library's own layout is not linked"
    [ ! -s "$work/out" ] || fail "the linker warns"
    "$work/program" >"$work/out" 2>&1 && grep -qx "main() runs" "$work/out" || fail "it does not run"
done
echo "programs of other layouts are refused"
