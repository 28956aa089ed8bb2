# SPDX-License-Identifier: BSD-3-Clause
# Programs in the style of translators' older inputs: compiled, linked and run, with both libraries.
. "$(dirname "$0")/lib.sh"
# NAME PATTERN UPCC_OPTIONS... -- RUN_OPTIONS...: builds it and runs it with either library; one line matches.
program() {
    local name=$1 pattern=$2 build=() library
    shift 2
    while [ "$1" != -- ]; do build+=("$1"); shift; done
    shift
    for library in "" -g; do
        quiet "$name $library" "$UPCC" $library "${build[@]}" -o "$name"
        counts "$name $library runs" 1 "$pattern" "$UPCRUN" "$@" "./$name"
    done
}

program old_style "^old style: 0 wrong$" "$FIXTURES/old_style.trans.c" "$FIXTURES/old_style_other.trans.c" -- -n 2
finish
