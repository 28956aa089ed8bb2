#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# perf_code.sh OBJECT...: upcr_perf's loops of accesses reach the library's variables as those of a program do, by
# their addresses. Code that was compiled for a shared library loads each address from a table first, and a turn of
# the loop has an instruction more than the tests of tests/asm allow.
set -euo pipefail
for object in "$@"; do
    case $object in */rows/access.*) access=$object ;; esac
done
code=$(objdump -dr --no-show-raw-insn --section=.text "${access:?no object of rows/access.cpp}")
if grep -E "R_X86_64_(REX_)?GOTPCRELX?[[:space:]]+upcri_" <<<"$code"; then
    echo "upcr_perf is not compiled as a program is"
    exit 1
fi
direct=$(grep -cE "R_X86_64_PC32[[:space:]]+upcri_(window|reach)" <<<"$code") || true
[ "$direct" -ge 4 ] || { echo "only $direct accesses to upcri_window and upcri_reach were found"; exit 1; }
echo "$direct direct accesses"
