# SPDX-License-Identifier: BSD-3-Clause
# For scripts that make programs fail: compares a line of the message with patterns. Sets bad when a check
# fails, and counts them in cases.
bad=0
cases=0
prefix='UPC Runtime error: '

# judge NAME STATUS OUTPUT PATTERN...: failed, and each pattern is in the line of the error.
judge() {
    local name=$1 status=$2 line pattern
    line=$(grep -m1 -F "$prefix" <<<"$3")
    shift 3
    cases=$((cases + 1))
    if [ "$status" -eq 0 ]; then echo "$name: no failure"; bad=1; fi
    for pattern in "$@"; do
        if ! grep -qE -- "$pattern" <<<"$line"; then echo "$name: no \"$pattern\" in: $line"; bad=1; fi
    done
}
