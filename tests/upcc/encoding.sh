# SPDX-License-Identifier: BSD-3-Clause
# The encoding of flags and operators in a translated file, given by the translator's release or by --encoding.
. "$(dirname "$0")/lib.sh"

translated() { # NAME BANNER [MORE-TEXT]: a translated file with this first line
    printf '%s\n#include "upcr.h"\n#include</opt/some/upcr_preinclude/upc_collective_bits.h>\nvoid UPCRI_INIT_%s(void) { UPCR_BEGIN_FUNCTION(); }\n%s\n' \
        "$2" "${1%%.*}" "${3-}" > "$1"
}
banner() { echo "/* UPC translator version: $1, built on Jan  1 2010 at 10:00:00, host somewhere linux-x86_64/64 */"; }
is() { # ENCODING NUMBER WHY FILE [OPTION]: and so the compiler is told
    prints "$4 ${*:5} says why" "^upcc: $4: flags and operators as in $1 \(.*$3.*\)\$" "$UPCC" --show "${@:5}" -c "$4"
    prints "$4 ${*:5} tells the compiler" " -DUPCRI_ENCODING=$2 " "$UPCC" --show "${@:5}" -c "$4"
}

translated none.trans.c ''
is upc-1.3 0 "does not name the translator" none.trans.c
is bupc-2.8 2 "--encoding" none.trans.c --encoding bupc-2.8
is bupc-2.14 1 "--encoding" none.trans.c -encoding=bupc-2.14
for release in 2.28.2:0 2.22.0:0 2.24:0 2.20.2:1 2.16.0:1 2.14.0:1 2.12.1:2 2.8.0:2 1.1:2; do
    translated a.trans.c "$(banner "release ${release%:*}")"
    case $release in *:0) name=upc-1.3 ;; *:1) name=bupc-2.14 ;; *) name=bupc-2.8 ;; esac
    is $name ${release#*:} "release ${release%:*}" a.trans.c
done
is upc-1.3 0 "--encoding" a.trans.c --encoding upc-1.3
for release in 2.13.1 2.21.0 2.30.0 3.0.0 2020.4.0; do
    translated a.trans.c "$(banner "release $release")"
    is upc-1.3 0 "release $release, which upcr does not know" a.trans.c
done
translated a.trans.c "$(banner "snapshot of tuesday")"
is upc-1.3 0 "snapshot of tuesday.*names no known release" a.trans.c
translated a.trans.c "$(printf '/* one */ // two\n/* three\n * UPC translator version: release 2.10.2\n */')"
is bupc-2.8 2 "release 2.10.2" a.trans.c

quiet "nothing is said unasked" "$UPCC" -c a.trans.c
prints "-v says and does" "^upcc: a.trans.c: flags and operators as in bupc-2.8" "$UPCC" -v -c a.trans.c

# A banner counts only in a comment of the file itself.
translated a.trans.c 'const char *text = "UPC translator version: release 2.8.0";'
is upc-1.3 0 "does not name the translator" a.trans.c
banner "release 2.8.0" > old.h
translated a.trans.c '#include "old.h"'
is upc-1.3 0 "does not name the translator" a.trans.c
echo "int x;" > plain_c.c
prints_no "C that nobody translated" "UPCRI_ENCODING|flags and operators" "$UPCC" -v --encoding bupc-2.8 -c plain_c.c

# Operators of GASNet-EX have numbers that upcr does not know.
for call in bupc_all_reduceI upc_all_prefix_reduceD upc_all_atomicdomain_alloc upc_atomic_relaxed bupc_all_reduce_allUL; do
    translated a.trans.c "$(banner "release 2022.10.0")" "$(printf '#if 0 /* upcc reads it all the same */\n%s(1, 2);\n#endif' $call)"
    refuses "$call of 2022" "a.trans.c: .*release 2022.10.0.*UPC_ADD.* the file calls $call; .*--encoding upc-1.3" "$UPCC" -c a.trans.c
    quiet "$call of 2022, --encoding" "$UPCC" --encoding upc-1.3 -fsyntax-only a.trans.c
done
refuses "an encoding that is none" "upcc: --encoding: 'upc-2' is none of upc-1.3, bupc-2.14, bupc-2.8" "$UPCC" --encoding upc-2 -c none.trans.c
for name in upc-1.3 bupc-2.14 bupc-2.8; do prints "--help lists $name" "^ +$name  +.*release" "$UPCC" --help; done

# C code in the file sees the numbers of the file's encoding.
new= old=
for part in IN_ALLSYNC:1:16 IN_MYSYNC:2:2 IN_NOSYNC:4:1 OUT_ALLSYNC:8:32 OUT_MYSYNC:16:8 OUT_NOSYNC:32:4; do
    IFS=: read -r name one other <<< "$part"
    new="$new _Static_assert(UPC_$name == $one, \"$name\");"
    old="$old _Static_assert(UPC_$name == $other, \"$name\");"
done
number=0
for part in ADD:1 MULT:2 AND:4 OR:8 XOR:16 LOGAND:32 LOGOR:64 MIN:128 MAX:256 FUNC:65536 NONCOMM_FUNC:131072; do
    IFS=: read -r name bit <<< "$part"
    bits="${bits-} _Static_assert(UPC_$name == $bit, \"$name\");"
    numbers="${numbers-} _Static_assert(UPC_$name == $number, \"$name\");"
    number=$((number + 1))
done
translated c.trans.c '' "$new $bits"; quiet "constants, upc-1.3" "$UPCC" -fsyntax-only c.trans.c
translated c.trans.c '' "$old $bits"; quiet "constants, bupc-2.14" "$UPCC" --encoding bupc-2.14 -fsyntax-only c.trans.c
translated c.trans.c '' "$old $numbers"; quiet "constants, bupc-2.8" "$UPCC" --encoding bupc-2.8 -fsyntax-only c.trans.c
refuses "constants of another" "static assertion" "$UPCC" --encoding bupc-2.14 -fsyntax-only c.trans.c

# Files of three releases in one program, each with its own encoding.
for options in "" -g; do
    quiet "three releases $options" "$UPCC" $options "$FIXTURES/releases.c" "$FIXTURES"/release_*.trans.c -o releases
    for threads in 1 3; do
        counts "three releases $options, $threads threads" $threads "^releases: thread [0-2], 0 wrong\$" "$UPCRUN" -n $threads ./releases
    done
done
counts "three releases, as -v tells" 4 "release_new.trans.c: .*upc-1.3|release_middle.trans.c: .*bupc-2.14|release_old.trans.c: .*bupc-2.8|releases.c: .*upc-1.3" \
    "$UPCC" --show "$FIXTURES/releases.c" "$FIXTURES"/release_*.trans.c
# A file that declares collectives itself and uses the library's: with its own encoding, too.
for options in "" -g; do
    for release in 2.8.0 2.16.0; do
        sed "s/release 2.8.0/release $release/; $([ $release = 2.8.0 ] || echo 's/data, 1,/data, 2,/; s/longs, 1,/longs, 2,/; s/data, 9,/data, 65536,/')" \
            "$FIXTURES/declares.trans.c" > declares.trans.c
        quiet "declares, $release $options" "$UPCC" $options declares.trans.c -o declares
        counts "declares, $release $options, runs" 3 "^declares [0-2]: 0 wrong\$" "$UPCRUN" -n 3 ./declares
    done
done
printf 'extern void upc_all_reduceI(void);\nvoid other(void);\nvoid other(void) { upc_all_reduceI(); }\n' > other_numbers.c
refuses "declared by files of different releases" \
    "upcc: other_numbers.*: declares upc_all_reduceI itself, and so does .*declares.*different releases.*; translate both" \
    "$UPCC" declares.trans.c other_numbers.c -o declares
# With the encoding of another release the results are wrong, or the program is refused.
"$UPCC" -g --encoding upc-1.3 "$FIXTURES/releases.c" "$FIXTURES"/release_*.trans.c -o misread
attempt "$UPCRUN" -n 3 ./misread
[ "$status" != 0 ] || report "numbers of another release" "$UPCRUN" -n 3 ./misread
finish
