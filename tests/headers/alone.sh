#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# alone.sh LANGUAGE COMPILER INCLUDE_DIR BUILD_INCLUDE_DIR [FLAGS...]: every public header compiles when it
# is the only thing a file includes, twice, without a warning. In C it stands behind <complex.h>,
# whose macro I must not be an argument of ours. LANGUAGE: c11, gnu89-inline or c++17.
language=$1 compiler=$2 source=$3 build=$4
shift 4

before='#include <complex.h>\n'
case $language in
c11) flags="-x c -std=c11 -pedantic" ;;
gnu89-inline) flags="-x c -std=gnu99 -fgnu89-inline -fcommon" ;;
c++17) flags="-x c++ -std=c++17 -pedantic" before= ;;
*) echo "alone.sh: unknown language '$language'" >&2; exit 2 ;;
esac

headers=$({ (cd "$source" && find . -name '*.h'); (cd "$build" && find . -name '*.h'); } | sed 's|^\./||' | sort)
least=60
if [ $# -gt 0 ]; then # a variant of our own headers: those that only name the system's are done
  headers=$(echo "$headers" | grep -v '^upcr_geninclude/')
  least=30
fi
count=0 failed=0
for header in $headers; do
  count=$((count + 1))
  mode=
  case $header in gasnet.h | gasnet_vis.h | gasnet_coll.h | gasnet/*) mode=-DGASNET_PAR ;;
  upcr/instrument*) mode=-DUPCR_GASP=1 ;; esac
  printf "$before"'#include <%s>\n#include <%s>\nextern int upcr_headers_test;\n' "$header" "$header" |
    "$compiler" $flags -Wall -Wextra -Werror -fsyntax-only $mode -I"$source" -I"$build" "$@" - ||
    { echo "FAILED: $header as $language"; failed=$((failed + 1)); }
done
echo "$count headers as $language $*: $failed failed"
[ "$count" -gt $least ] && [ "$failed" -eq 0 ]
