# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the tests of upcc: bash, in an empty folder of its own that is removed at the end. The environment
# gives UPCC, UPCRUN and FIXTURES, and EVERYTHING (with UPCR_TEST_ALL, else empty). A check that fails prints its
# command and output; finish() returns the status.
set -u
failures=0
checks=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp" "$work/here"
cd "$work/here" || exit 1
# The fixtures claim to be translated for the pointer size of this upcr; size16 for the other size.
cp -r "$FIXTURES" "$work/fixtures"
FIXTURES=$work/fixtures
chmod -R u+w "$FIXTURES"
OTHER_BYTES=$((24 - POINTER_BYTES))
if [ "$POINTER_BYTES" = 16 ]; then
    sed -i -E '/^#define UPCR_P?SHARED_SIZE_/{s/ 8$/ sixteen/; s/ 16$/ 8/; s/sixteen/16/}' "$FIXTURES"/*.c "$FIXTURES"/mixed/*.c
fi
export TMPDIR=$work/tmp
unset UPCC_CC UPCC_CXX

report() { # NAME COMMAND...: the last check failed
    failures=$((failures + 1))
    printf 'FAILED: %s\n  %s\n  status %s, output:\n' "$1" "${*:2}" "$status"
    sed 's/^/  | /' "$work/output"
}
attempt() { # COMMAND...: its status in $status, stdout and stderr in $work/output
    checks=$((checks + 1))
    timeout 120 "$@" >"$work/output" 2>&1 </dev/null
    status=$?
}
# NAME COMMAND...: succeeds, prints nothing.
quiet() { attempt "${@:2}"; [ "$status" = 0 ] && [ ! -s "$work/output" ] || report "$@"; }
# NAME PATTERN COMMAND...: succeeds, and a line matches the extended regular expression.
prints() { attempt "${@:3}"; [ "$status" = 0 ] && grep -qE -- "$2" "$work/output" || report "$1 ($2)" "${@:3}"; }
# NAME PATTERN COMMAND...: succeeds, and no line matches.
prints_no() { attempt "${@:3}"; [ "$status" = 0 ] && ! grep -qE -- "$2" "$work/output" || report "$1 (not $2)" "${@:3}"; }
# NAME PATTERN COMMAND...: fails, and a line matches.
refuses() { attempt "${@:3}"; [ "$status" != 0 ] && grep -qE -- "$2" "$work/output" || report "$1 ($2)" "${@:3}"; }
# NAME N PATTERN COMMAND...: succeeds, and N lines match.
counts() {
    attempt "${@:4}"
    [ "$status" = 0 ] && [ "$(grep -cE -- "$3" "$work/output")" = "$2" ] || report "$1 ($2 x $3)" "${@:4}"
}

finish() {
    quiet "no temporary file is left" sh -c 'ls -A "$TMPDIR"'
    echo "$checks checks, $failures failed"
    [ "$failures" = 0 ]
}
