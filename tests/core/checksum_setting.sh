#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# checksum_setting.sh UPCRUN PROGRAM UPCR_INFO MODULES: which setting decides about checksums. PROGRAM has the
# debug library, UPCR_INFO the release library, MODULES has a conduit without support for checksums.
set -u
upcrun=$1 program=$2 info=$3 modules=$4
export UPCR_BACKTRACE=no UPCR_PSHM=no
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
complain() {
    echo "FAILED: $1"
    sed 's/^/  /' "$dir/out"
    failed=1
}

# One process asks for them, the other does not.
cat >"$dir/one_only" <<'EOF'
if mkdir "$1/first" 2>/dev/null; then export UPCR_CHECKSUM=yes; else export UPCR_CHECKSUM=no; fi
exec "$2" none 0
EOF
"$upcrun" -n 2 --timeout 60 sh "$dir/one_only" "$dir" "$program" >"$dir/out" 2>&1
[ $? = 255 ] && grep -qE "error: rank [01] sends packets with(out)? checksums, rank [01] with(out)?: give all ranks" "$dir/out" ||
    complain "two processes that differ"

UPCR_CHECKSUM=yes UPCR_LOG_LEVEL=packets:info "$upcrun" -n 2 --timeout 60 "$program" none 0 >"$dir/out" 2>&1
[ $? = 0 ] && [ "$(grep -c "packets carry a CRC-32C" "$dir/out")" = 1 ] || complain "both ask for them"

UPCR_CHECKSUM=maybe "$upcrun" -n 2 --timeout 60 "$program" none 0 >"$dir/out" 2>&1
[ $? = 255 ] && grep -q "UPCR_CHECKSUM=maybe: expected yes or no" "$dir/out" || complain "a wrong value"

UPCR_CHECKSUM=yes "$upcrun" -n 2 --timeout 60 "$info" --network >"$dir/out" 2>&1
[ $? = 0 ] && [ "$(grep -c "warning: UPCR_CHECKSUM=yes has no effect: .* debug library" "$dir/out")" = 1 ] ||
    complain "the release library"

UPCR_CHECKSUM=yes UPCR_CONDUIT=mailbox UPCR_MODULE_PATH=$modules "$upcrun" -n 2 --timeout 60 "$program" none 0 \
    >"$dir/out" 2>&1
[ $? = 255 ] && grep -q "error: UPCR_CHECKSUM=yes, but packets of conduit mailbox carry no checksums" "$dir/out" ||
    complain "a conduit without checksums"

# The same flip in a whole program, ordered by UPCR_FAULT.
UPCR_CHECKSUM=yes UPCR_FAULT=flip=1:100 "$upcrun" -n 2 --timeout 60 "$program" none 0 >"$dir/out" 2>&1
[ $? = 255 ] && grep -qE "error: a corrupted packet arrived from rank ([01]) at rank [01] by conduit smp" "$dir/out" ||
    complain "UPCR_FAULT=flip"
exit "$failed"
