# SPDX-License-Identifier: BSD-3-Clause
# Programs in the style of translators' older inputs: compiled, linked and run, with both libraries.
. "$(dirname "$0")/lib.sh"
# NAME PATTERN UPCC_OPTIONS... -- RUN_OPTIONS...: builds a program and runs it with $ARGUMENTS, with either library; $COUNT
# lines, or one, match.
program() {
    local name=$1 pattern=$2 build=() library
    shift 2
    while [ "$1" != -- ]; do build+=("$1"); shift; done
    shift
    for library in "" -g; do
        quiet "$name $library" "$UPCC" $library "${build[@]}" -o "$name"
        counts "$name $library runs" "${COUNT:-1}" "$pattern" "$UPCRUN" "$@" "./$name" ${ARGUMENTS:-}
    done
}

program old_style "^old style: 0 wrong$" "$FIXTURES/old_style.trans.c" "$FIXTURES/old_style_other.trans.c" -- -n 2
umask 022
# Files; once more with the encoding of a release with other flags.
ARGUMENTS=rows.data COUNT=2 program files "^files [01]: 0 wrong$" "$FIXTURES/files.trans.c" -- -n 2
prints "the permission that the program gave its file" "^-rw-r-----" ls -l rows.data
sed -e 's/release 2.28.2/release 2.8.0/' -e 's/\b18)/10)/; s/, 18 | 64/, 10 | 64/; s/, 9)/, 48)/' "$FIXTURES/files.trans.c" > files_2_8.trans.c
ARGUMENTS=rows.data COUNT=2 program files_2_8 "^files [01]: 0 wrong$" files_2_8.trans.c -- -n 2
# Static shared data that is written beyond its end, and tables that are smaller than their types.
COUNT=2 program overrun "^overrun [01]: 0 wrong$" "$FIXTURES/overrun.trans.c" -- -n 2
counts "tables with less than the type, checked" 3 "warning: .*for '(blocked|set|mistaken)' allocates [12] x [48] bytes" "$UPCRUN" -n 2 ./overrun
quiet "overrun, released" "$UPCC" "$FIXTURES/overrun.trans.c" -o overrun
prints_no "tables with less than the type" "UPC Runtime" "$UPCRUN" -n 3 ./overrun
# A program with its own upc_all_broadcast; the line numbers of messages stay right.
COUNT=2 program own "^own: 42 4 408214, library: right$" "$FIXTURES/own/collectives.trans.c" "$FIXTURES/own/main.trans.c" -- -n 2
prints_no "own names are not the runtime's" "bupc_all_broadcast|bupc_all_reduceI" nm own
{ cat "$FIXTURES/own/collectives.trans.c"; echo 'int mistake = no_such_name;'; } > placed.trans.c
cp "$FIXTURES/own/upc_collective.h" .
refuses "place behind own names" "^placed.trans.c:$(wc -l < placed.trans.c):[0-9]+: error" "$UPCC" -c placed.trans.c
{ echo '#include "upcr.h"'; echo 'extern void upc_poll(void) __attribute__((nothrow)); void UPCRI_INIT_x_1(void) { upc_poll(); }'; } > redeclared.c
quiet "a library function declared again" "$UPCC" -c redeclared.c
prints "a library function declared again is the runtime's" "upcr_poll_nofence" nm redeclared.o
prints_no "own names do not turn call sites off" "UPCR_NO_CALLSITES" "$UPCC" -g --show -c "$FIXTURES/own/main.trans.c"
finish
