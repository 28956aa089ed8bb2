#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# beside_mpi.sh SOURCE_DIR BUILD_DIR PACKAGE COMPILER...: gasnet.h and gasnet_tools.h together with the mpi.h that
# pkg-config finds as PACKAGE, in both orders, in C and C++, without a warning; and gasnet.h's macros about the
# compiler are the same before and after mpi.h.
set -u
source=$1 build=$2 package=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
flags="$(pkg-config --cflags "$package") -I$source/include -I$build/include" || exit 1
cat >"$work/checks.h" <<'END'
#ifdef __clang__
#if !PLATFORM_COMPILER_CLANG || defined(PLATFORM_COMPILER_GNU)
#error not clang
#endif
#if PLATFORM_COMPILER_VERSION_LT(__clang_major__, 0, 0) || PLATFORM_COMPILER_VERSION_GE(__clang_major__ + 1, 0, 0)
#error version of clang
#endif
#else
#if !PLATFORM_COMPILER_GNU || defined(PLATFORM_COMPILER_CLANG)
#error not GNU
#endif
#if !PLATFORM_COMPILER_VERSION_EQ(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__) || \
    PLATFORM_COMPILER_VERSION_LT(__GNUC__, 0, 0) || PLATFORM_COMPILER_VERSION_GE(__GNUC__ + 1, 0, 0)
#error version of GCC
#endif
#endif
#if PLATFORM_COMPILER_UNKNOWN
#error unknown
#endif
#ifndef STRING
#define STRING
extern const char text[sizeof PLATFORM_COMPILER_VERSION_STR > 4 && sizeof _STRINGIFY(PLATFORM_COMPILER_FAMILYNAME) > 3 ? 1 : -1];
#endif
END
printf '#include <mpi.h>\n#include <gasnet.h>\n#include <gasnet_tools.h>\n#include "checks.h"\n' >"$work/mpi_first.c"
printf '#include <gasnet.h>\n#include <gasnet_tools.h>\n#include "checks.h"\n#include <mpi.h>\n#include "checks.h"\n' \
    >"$work/mpi_last.c"
printf '#include <mpi.h>\n#include <gasnet_tools.h>\n#include "checks.h"\n' >"$work/tools_mpi_first.c"
printf '#include <gasnet_tools.h>\n#include "checks.h"\n#include <mpi.h>\n#include "checks.h"\n' >"$work/tools_mpi_last.c"
for compiler; do
    for order in mpi_first mpi_last tools_mpi_first tools_mpi_last; do
        mode=-DGASNET_PAR
        case $order in tools_*) mode= ;; esac
        for language in "c -std=gnu17" "c -std=c99" "c++ -std=gnu++17"; do
            # The names of MPI's C++ interface, which warn by themselves, are left out.
            $compiler -x $language -Wall -Wextra -Werror -DOMPI_SKIP_MPICXX=1 -DMPICH_SKIP_MPICXX=1 $mode $flags \
                -fsyntax-only "$work/$order.c" || { echo "FAILED: $order as $language by $compiler"; failed=1; }
        done
    done
done
exit $failed
