#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# configure_gasnet.sh PREFIX PKGCONFIG_DIR: what the configure scripts of GASNet clients look for in an installed tree
# (PREFIX: a path without blanks), in their own words: files, the release's number, the fragments' variables.
set -u
prefix=$1 pc=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# The release, by the preprocessor without any macro of a mode, and by a search for the line.
[ -f "$prefix/include/gasnet_config.h" ] || fail "no gasnet_config.h"
for name in MAJOR MINOR PATCH; do
    value=$(printf '#include "gasnet_config.h"\nvalue=GASNET_RELEASE_VERSION_%s\n' $name |
        cpp -P "-I$prefix/include" - 2>/dev/null | sed -n 's/^value= *//p')
    [[ $value =~ ^[0-9]+$ ]] || fail "GASNET_RELEASE_VERSION_$name is '$value'"
    line=$(sed -n "s/^#define  *GASNET_RELEASE_VERSION_$name  *\([0-9][0-9]*\).*/\1/p" "$prefix/include/gasnet_config.h")
    [ "$line" = "$value" ] || fail "the line of GASNET_RELEASE_VERSION_$name says '$line', not '$value'"
done

# A program that takes GNU's functions and the library of mathematics for granted, as clients do whose flags are the
# fragment's; and the header that says which conduit there is.
cat >"$work/client.c" <<'END'
#include <gasnet.h>
#include <gasnet_core.h>
#include <math.h>
#include <stdio.h>
#if !WANTED
#error conduit
#endif
int main(int argc, char **argv)
{
    volatile double two = 2 + argc - argc;
    char *text = NULL;
    if (asprintf(&text, "%.3f", cbrt(two * 4)) < 0) return 1;
    puts(text);
    return gasnet_init(&argc, &argv);
}
END
for conduit in smp mpi ibv; do
    [ -f "$prefix/include/$conduit-conduit/gasnet_core.h" ] || fail "no $conduit-conduit/gasnet_core.h"
    for mode in seq parsync par; do
        fragment=$prefix/include/$conduit-conduit/$conduit-$mode.mak
        printf 'include %s\nshow:\n\t@echo "$(GASNET_CC) @ $(GASNET_CPPFLAGS) @ $(GASNET_CFLAGS) @ $(GASNET_LDFLAGS) @ $(GASNET_LIBS)"\n' \
            "$fragment" >"$work/Makefile"
        IFS=@ read -r cc cppflags cflags ldflags libs < <(make -s -f "$work/Makefile" show)
        module=gasnet-$conduit-$mode
        for flags in "$cppflags" "$(PKG_CONFIG_PATH=$pc pkg-config --cflags $module)"; do
            grep -q -- ' -D_GNU_SOURCE=1 ' <<<" $flags " || fail "$conduit-$mode: no -D_GNU_SOURCE=1 in $flags"
        done
        for flags in "$libs" "$(PKG_CONFIG_PATH=$pc pkg-config --libs $module)"; do
            grep -q -- ' -lm ' <<<" $flags " || fail "$conduit-$mode: no -lm in $flags"
        done
        [ $mode = par ] || continue
        $cc $cppflags -DWANTED=GASNET_CONDUIT_${conduit^^} $cflags -std=c99 -Wall -Werror $ldflags -o "$work/client" \
            "$work/client.c" $libs || fail "$conduit-$mode does not compile the client"
    done
done
for mode in seq par; do
    module=gasnet_tools-$mode
    [[ " $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs $module) " == *" -D_GNU_SOURCE=1 "*" -lm "* ]] ||
        fail "flags of $module"
    printf 'include %s\nshow:\n\t@echo " $(GASNETTOOLS_CPPFLAGS) $(GASNETTOOLS_LIBS) "\n' \
        "$prefix/include/gasnet_tools-$mode.mak" >"$work/Makefile"
    [[ $(make -s -f "$work/Makefile" show) == *" -D_GNU_SOURCE=1 "*" -lm "* ]] || fail "flags of $module.mak"
done
# The header of a conduit alone says which it is.
for conduit in smp mpi ibv; do
    echo '#include <gasnet_core.h>' | cc -x c -DGASNET_SEQ "-I$prefix/include/$conduit-conduit" "-I$prefix/include" \
        -dM -E - | grep -q "^#define GASNET_CONDUIT_${conduit^^} 1" || fail "$conduit-conduit/gasnet_core.h alone"
done
exit $failed
