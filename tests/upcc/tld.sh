# SPDX-License-Identifier: BSD-3-Clause
# Thread-local data: a copy for each UPC thread, with processes and with pthreads; refused by name where that is impossible.
. "$(dirname "$0")/lib.sh"
SHAPES="$FIXTURES/tld_shapes.trans.c $FIXTURES/tld_other.trans.c"

shapes_options=("" "-O3 -no-pie -Wl,--gc-sections" "-fuse-ld=lld")
[ -z "$EVERYTHING" ] || shapes_options+=("-g" "-O3 -no-pie" "-Wl,--gc-sections" "--pthreads" "-O0" "-O3" "-no-pie")
for options in "${shapes_options[@]}"; do
    case $options in -fuse-ld=*) command -v "ld.${options#*=}" >"$work/which" || continue ;; esac
    quiet "every shape $options" "$UPCC" $options $SHAPES -o shapes
    counts "processes $options" 3 "^tld [012] of 3: ok$" "$UPCRUN" -n 3 ./shapes
    counts "pthreads $options" 4 "^tld [0123] of 4: ok$" "$UPCRUN" -n 4 --pthreads 4 ./shapes
done
counts "processes of pthreads" 5 "^tld [01234] of 5: ok$" "$UPCRUN" -n 5 --pthreads 3 ./shapes
quiet "--pthreads=K" "$UPCC" --pthreads=2 $SHAPES -o two
counts "--pthreads=K" 4 "^tld [0123] of 4: ok$" "$UPCRUN" -n 4 ./two
# upcrun uses K unless another number is given, also for a stripped program.
quiet "--pthreads=K, processes" "$UPCC" --pthreads=2 -Wl,--gc-sections -s "$FIXTURES/nodes.trans.c" -o nodes
counts "--pthreads=K, processes" 4 "^nodes 2 of 4$" "$UPCRUN" -n 4 ./nodes
counts "--pthreads=K, upcrun's own number" 4 "^nodes 1 of 4$" "$UPCRUN" -n 4 --pthreads 4 ./nodes
quiet "--pthreads without K" "$UPCC" --pthreads "$FIXTURES/nodes.trans.c" -o nodes1
counts "--pthreads without K" 4 "^nodes 4 of 4$" "$UPCRUN" -n 4 ./nodes1
if [ -z "$SANITIZE" ] && command -v clang >"$work/which"; then # sanitizers of two compilers do not mix
    quiet "clang" env UPCC_CC=clang "$UPCC" $SHAPES -o clang
    counts "clang" 4 "^tld [0123] of 4: ok$" "$UPCRUN" -n 4 --pthreads 4 ./clang
    # clang puts variables that are never written, of 4, 8, 16 and 32 bytes, among the constants.
    cat > unwritten.upc <<'END'
#include <stdio.h>
#include <upc.h>
static int sixteen[4] = {1, 2, 3, 4};
static long eight[1] = {5}, large[8] = {6, 7, 8};
int main(int argc, char **argv) {
    static double thirty_two[4] = {.25, .5, .75, 1};
    const int i = argc & 3;
    printf("%d %ld %ld %g\n", sixteen[i], eight[i & 0], large[i], thirty_two[i]);
    return 0;
}
END
    for options in "" "--pthreads=2"; do
        quiet "clang, never written $options" env UPCC_CC=clang "$UPCC" -O3 $options unwritten.upc -o unwritten
        counts "clang, never written $options" 2 "^2 5 7 0.5$" "$UPCRUN" -n 2 ./unwritten
    done
fi
# Static variables of functions with the names of the file's variables, private and shared.
cat > names.upc <<'END'
#include <stdio.h>
#include <upc.h>
static int before(void) { static int last = 7; return ++last; }
int counter, list[4], last;
shared int total[THREADS];
static int next(void) { static int counter = 3; return counter += 2; }
static int add(void) { static int total; return ++total; }
static char *text(void) { static char list[40] = "abc"; return list; }
int main(void) {
    const int a = next(), b = add(), c = before();
    counter = 1;
    total[MYTHREAD] = 10;
    printf("%d %d %d %d %d %d %s %d %d\n", a, next(), counter, b, add(), total[MYTHREAD], text(), list[0], c + last);
    return 0;
}
END
compilers=gcc
[ -n "$SANITIZE" ] || ! command -v clang >"$work/which" || compilers="gcc clang"
for compiler in $compilers; do
    for options in "" "--opt=0 -O0 -g" "-fno-common" "--pthreads=2"; do
        quiet "one name twice, $compiler $options" env UPCC_CC=$compiler "$UPCC" $options names.upc -o names
        counts "one name twice, $compiler $options" 2 "^5 7 1 1 2 10 abc 0 8$" "$UPCRUN" -n 2 ./names
    done
done
for file in $SHAPES; do "$UPCC" -c "$file"; done
quiet "objects" "$UPCC" tld_other.trans.o tld_shapes.trans.o -o objects
counts "objects" 3 "^tld [012] of 3: ok$" "$UPCRUN" -n 3 --pthreads 3 ./objects
ar rcs libother.a tld_other.trans.o
quiet "an archive" "$UPCC" tld_shapes.trans.o -L. -lother -o archive
counts "an archive" 3 "^tld [012] of 3: ok$" "$UPCRUN" -n 3 --pthreads 3 ./archive
prints "upc_forall's flag is one for each thread" "hits 32" \
    sh -c '"$0" -o c "$1" && "$2" -n 4 --pthreads 4 ./c' "$UPCC" "$FIXTURES/upc2c.c" "$UPCRUN"

# Data without initial values takes no space in files, not even beside large data of C.
printf 'double plain_large[12500000];\n' > plain_large.c
large_options=("" "-fuse-ld=lld")
[ -z "$EVERYTHING" ] || large_options+=("-fPIC" "-Wl,--gc-sections -no-pie")
for options in "${large_options[@]}"; do
    case $options in -fuse-ld=*) command -v "ld.${options#*=}" >"$work/which" || continue ;; esac
    quiet "without initial values $options" "$UPCC" $options "$FIXTURES/tld_large.trans.c" plain_large.c -o large
    prints "without initial values, the file $options" "^small$" \
        sh -c 'test "$(stat -c %s large)" -lt 4000000 && echo small || ls -l large'
    [ -z "$SANITIZE" ] || continue # which would look at all of it
    counts "without initial values, processes $options" 2 "^large [01] of 2: ok$" "$UPCRUN" -n 2 ./large
    counts "without initial values, pthreads $options" 3 "^large [012] of 3: ok$" "$UPCRUN" -n 3 --pthreads 3 ./large
done
quiet "position independent objects" "$UPCC" -fPIC $SHAPES -o pic
counts "position independent objects" 4 "^tld [0123] of 4: ok$" "$UPCRUN" -n 4 --pthreads 4 ./pic
quiet "a shared library" "$UPCC" -shared -fPIC "$FIXTURES/tld_other.trans.c" -o libshared.so
quiet "with a shared library" "$UPCC" "$FIXTURES/tld_shapes.trans.c" -L. -lshared -Wl,-rpath,"$PWD" -o withlib
counts "with a shared library, processes" 3 "^tld [012] of 3: ok$" "$UPCRUN" -n 3 ./withlib
refuses "with a shared library, pthreads" "UPC Runtime error: cannot run 2 .*any of .*libshared.so \(a shared library\).* link them statically" \
    "$UPCRUN" -n 2 --pthreads 2 ./withlib

# Uses by plain names need processes.
quiet "plain" "$UPCC" "$FIXTURES/tld_plain.trans.c" -o plain
counts "plain, processes" 2 "^plain [01]: 1$" "$UPCRUN" -n 2 ./plain
refuses "plain, pthreads" "UPC Runtime error: cannot run 2 UPC threads in a process: .*'used_plainly' in .*tld_plain.trans.c:13, 'also_plain' in .*tld_plain.trans.c:14;.* variables of C files stay one for a process" \
    "$UPCRUN" -n 2 --pthreads 2 ./plain
"$UPCRUN" -n 2 --pthreads 2 ./plain >"$work/output" 2>&1
status=$?; checks=$((checks + 1))
! grep -q only_a_local "$work/output" || report "a local variable's name is no use" ./plain
checks=$((checks + 2))
grep -q "upcc --pthreads" "$work/output" || report "plain, pthreads: the cure" ./plain
! grep -q "#0" "$work/output" || report "plain, pthreads: a mistake in the settings has no backtrace" ./plain
"$UPCC" -c "$FIXTURES/tld_plain.trans.c" && quiet "plain, an object" "$UPCC" tld_plain.trans.o -o plainobject
refuses "plain, an object" "'used_plainly' in .*tld_plain.trans.c:13" "$UPCRUN" -n 2 --pthreads 2 ./plainobject
quiet "upc_forall's flag by its name" "$UPCC" "$FIXTURES/fourfield.trans.c" -o four
prints "upc_forall's flag by its name" "^fourfield: 8 of 8$" "$UPCRUN" -n 2 ./four
refuses "upc_forall's flag by its name" "'upcrt_forall_control' in .*fourfield.trans.c:[0-9]+;" "$UPCRUN" -n 2 --pthreads 2 ./four
for options in "" --pthreads; do
    quiet "upc_forall's flag, a plain global $options" "$UPCC" $options "$FIXTURES/forall_plain.c" -o flag
    counts "upc_forall's flag, a plain global $options" 2 "^forall_plain [01]: 10$" "$UPCRUN" -n 2 ./flag
    refuses "upc_forall's flag, a plain global $options" "'upcrt_forall_control' in .*forall_plain.c:14;" "$UPCRUN" -n 2 --pthreads 2 ./flag
done
quiet "upc_forall's flag, by UPCR_TLD_ADDR alone" "$UPCC" --pthreads -DTHROUGH_ADDR "$FIXTURES/forall_plain.c" -o flagaddr
counts "upc_forall's flag, by UPCR_TLD_ADDR alone" 2 "^forall_plain [01]: 10$" "$UPCRUN" -n 2 --pthreads 2 ./flagaddr
quiet "used by C" "$UPCC" $SHAPES "$FIXTURES/tld_extern_c.c" -o peek
counts "used by C, processes" 2 "^tld [01] of 2: ok$" "$UPCRUN" -n 2 ./peek
refuses "used by C, pthreads" "'other_scalar' in .*tld_extern_c.c;" "$UPCRUN" -n 2 --pthreads 2 ./peek
quiet "defined by C" "$UPCC" "$FIXTURES/tld_shapes.trans.c" "$FIXTURES/tld_misplaced.c" -o misplaced
refuses "defined by C, pthreads" "'other_scalar' in .*tld_misplaced.c, 'other_array' in" "$UPCRUN" -n 2 --pthreads 2 ./misplaced
refuses "defined twice with values" "multiple definition of .other_scalar" "$UPCC" $SHAPES "$FIXTURES/tld_dup.trans.c"

# Text that counts as a use.
quiet "forms of uses" "$UPCC" -c "$FIXTURES/tld_uses.trans.c"
readelf -p .upcr.note tld_uses.trans.o | grep -oE 'plain [0-9]+ [a-z_]+' | sed 's/.* //' | sort -u > noted
grep -oE '\bused_[a-z_]+' "$FIXTURES/tld_uses.trans.c" | sort -u > expected
quiet "forms of uses" diff expected noted

# Compiled or linked without upcc.
flags="-std=gnu99 -fcommon -fgnu89-inline -w $SANITIZE $INCLUDES"
cc $flags -c "$FIXTURES/upc2c.c" -o bare.o
quiet "compiled by cc" "$UPCC" bare.o -o bare
counts "compiled by cc, processes" 2 "^upc2c [01] of 2: hits 16 mine-thread 5" "$UPCRUN" -n 2 ./bare
refuses "compiled by cc, pthreads" "UPC Runtime error: cannot run 2 UPC threads in a process: .* any of bare.o \(upcc did not compile it\);" \
    "$UPCRUN" -n 2 --pthreads 2 ./bare
ar rcs libbare.a bare.o
quiet "compiled by cc, an archive" "$UPCC" -Wl,--whole-archive libbare.a -Wl,--no-whole-archive -o barelib
refuses "compiled by cc, an archive" "any of libbare.a\(bare.o\) \(upcc did" "$UPCRUN" -n 2 --pthreads 2 ./barelib
printf '#include <upcr.h>\nint UPCR_TLD_DEFINE(mine, 4, 4) = 5;\nint user_main(int c, char **v) { return ++*(int *)UPCR_TLD_ADDR(mine) != 6; }\n' > small.c
cc $flags -c small.c
quiet "compiled by cc, no entry points" "$UPCC" small.o -o small
quiet "compiled by cc, no entry points" "$UPCRUN" -n 2 ./small
refuses "compiled by cc, no entry points" "UPC Runtime error: thread-local variable 'mine' has no copy for each UPC thread" \
    "$UPCRUN" -n 2 --pthreads 2 ./small
quiet "linked by cc" cc $flags "$FIXTURES/other_startup.c" "$FIXTURES/calls_library.trans.c" "$FIXTURES/library.trans.c" \
    tld_other.trans.o "$LIBDIR/libupcr.so" "-Wl,-rpath,$LIBDIR" -o bylinker
counts "linked by cc, processes" 2 "^library [01]$" "$UPCRUN" -n 2 ./bylinker
refuses "linked by cc, pthreads" "UPC Runtime error: cannot run 2 UPC threads in a process: .*not linked by upcc" \
    "$UPCRUN" -n 2 --pthreads 2 ./bylinker
finish
