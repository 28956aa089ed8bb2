#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# once.sh LIST COMPILER INCLUDE_DIR BUILD_INCLUDE_DIR [FLAGS...]: what the preprocessor makes of every call in
# the list (names.txt) holds each argument once, so that a side effect in it happens once.
list=$1 compiler=$2 source=$3 build=$4
shift 4
{
  printf '#include <upcr.h>\n#include <upcr_proxy.h>\n'
  # value TYPE: NAME (a, b, c)  ->  ONCE "NAME" 3 : NAME (ARG1, ARG2, ARG3)
  awk '/^value / && match($0, /: *[A-Za-z_0-9]+ *\(.*\)$/) {
    call = substr($0, RSTART + 1); name = call; sub(/^ */, "", name); sub(/ *\(.*/, "", name)
    arguments = call; sub(/^[^(]*\(/, "", arguments); sub(/\)$/, "", arguments)
    count = arguments == "" ? 0 : split(arguments, unused, ",")
    text = ""
    for (i = 1; i <= count; i++) text = text (i > 1 ? ", " : "") "ARG" i
    if (name !~ /^UPCR_(TLD_ADDR|RET_|ARG_)/) printf "ONCE \"%s\" %d : %s (%s)\n", name, count, name, text
  }' "$list"
} | "$compiler" -E -P "$@" -I"$source" -I"$build" -x c - | awk '
  /^ONCE / {
    calls++
    expansion = $0; sub(/^[^:]*: /, "", expansion)
    for (i = $2 ~ /bupc_allv_/ ? 2 : 1; i <= $3; i++) {  # the first of those is a type
      copy = expansion
      found = gsub("(^|[^A-Za-z0-9_])ARG" i "($|[^0-9])", "&", copy)
      if (found != 1) { printf "FAILED: %s has argument %d %d times: %s\n", $2, i, found, expansion; failed++ }
    }
  }
  END { printf "%d calls, %d arguments not exactly once\n", calls, failed; exit failed != 0 || calls < 150 }'
